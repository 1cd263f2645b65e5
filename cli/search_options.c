/* Reads the options of a search. */
#include "search_options.h"

#include "option_values.h"

search_options search_options_start(void) {
  return (search_options){backend_options_start(), graze_method_def_default(), graze_query_default(), false};
}

graze_neighbors search_neighbors(const search_options *options, bool has_solids) {
  const graze_query *query = &options->query;
  if (options->neighbors_given) return query->neighbors;
  const bool within = (query->scope & GRAZE_SCOPE_WITHIN) != 0;
  return within && !query->candidates_only && !has_solids ? GRAZE_NEIGHBORS_BEYOND : GRAZE_NEIGHBORS_SKIP;
}

/* Reads the options of the method clusters; sets *known_out to false and returns false for any other. */
static bool read_cluster_option(int code, const char *value, graze_method_def *method, bool *known_out) {
  int meaning = 0;
  uint64_t number = 0;
  *known_out = true;
  switch (code) {
  case CODE_CLUSTERS:
    if (!read_whole_number("clusters", value, 1, 1024, &number)) return false;
    method->clusters = (uint32_t)number;
    return true;
  case CODE_AXIS:
    if (!read_enumeration("axis", value, GRAZE_ENUMERATION_AXIS, &meaning)) return false;
    method->axis = (graze_axis)meaning;
    return true;
  case CODE_METRIC:
    if (!read_enumeration("metric", value, GRAZE_ENUMERATION_METRIC, &meaning)) return false;
    method->metric = (graze_metric)meaning;
    return true;
  default:
    return *known_out = false;
  }
}

bool read_search_option(int code, const char *value, search_options *options) {
  int meaning = 0;
  bool known;
  const bool read = read_cluster_option(code, value, &options->method, &known);
  if (known) return read;
  switch (code) {
  case CODE_CANDIDATES:
    return options->query.candidates_only = true;
  case CODE_NEIGHBORS:
    if (!read_enumeration("neighbors", value, GRAZE_ENUMERATION_NEIGHBORS, &meaning)) return false;
    options->query.neighbors = (graze_neighbors)meaning;
    options->neighbors_given = true;
    return true;
  case CODE_TEST:
    if (!read_enumeration("test", value, GRAZE_ENUMERATION_TEST, &meaning)) return false;
    options->query.test = (graze_test)meaning;
    return true;
  case CODE_TREE_BUILDER:
    if (!read_enumeration("tree-builder", value, GRAZE_ENUMERATION_TREE_BUILDER, &meaning)) return false;
    options->method.tree_builder = (graze_tree_builder)meaning;
    return true;
  case CODE_SIMD:
    if (!read_enumeration("simd", value, GRAZE_ENUMERATION_SIMD, &meaning)) return false;
    options->method.simd = (graze_simd)meaning;
    return true;
  case CODE_METHOD:
    options->method.name = value;
    return read_method("method", value);
  default:
    return read_backend_option(code, value, &options->scene);
  }
}

void write_methods(FILE *stream) {
  fputs("Methods:\n", stream);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_METHOD); ++i) {
    fprintf(stream, "  %-10s %s\n", graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)i),
            graze_enumeration_description(GRAZE_ENUMERATION_METHOD, (int)i));
  }
}
