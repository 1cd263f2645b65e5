/* Reading the options of a search. */
#include "search_options.h"

#include "option_values.h"

static const name_list tree_builders = {graze_tree_builder_count, graze_tree_builder_name, graze_tree_builder_value};
static const name_list axes = {graze_axis_count, graze_axis_name, graze_axis_value};
static const name_list distances = {graze_distance_count, graze_distance_name, graze_distance_value};
static const name_list neighbour_rules = {graze_neighbours_count, graze_neighbours_name, graze_neighbours_value};
static const name_list vector_widths = {graze_simd_count, graze_simd_name, graze_simd_value};

static const name_list tests = {graze_test_count, graze_test_name, graze_test_value};

search_options search_options_start(void) {
  return (search_options){backend_options_start(), graze_method_def_default(), graze_query_default()};
}

/* The options of the method clusters; false with *known_out false for any other. */
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
    if (!read_choice("axis", value, &axes, &meaning)) return false;
    method->axis = (graze_axis)meaning;
    return true;
  case CODE_DISTANCE:
    if (!read_choice("distance", value, &distances, &meaning)) return false;
    method->distance = (graze_distance)meaning;
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
  case CODE_NEIGHBOURS:
    if (!read_choice("neighbours", value, &neighbour_rules, &meaning)) return false;
    options->query.neighbours = (graze_neighbours)meaning;
    return true;
  case CODE_TEST:
    if (!read_choice("test", value, &tests, &meaning)) return false;
    options->query.test = (graze_test)meaning;
    return true;
  case CODE_TREE_BUILDER:
    if (!read_choice("tree-builder", value, &tree_builders, &meaning)) return false;
    options->method.tree_builder = (graze_tree_builder)meaning;
    return true;
  case CODE_SIMD:
    if (!read_choice("simd", value, &vector_widths, &meaning)) return false;
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
  for (size_t i = 0; i < graze_method_count(); ++i) {
    fprintf(stream, "  %-10s %s\n", graze_method_name(i), graze_method_description(i));
  }
}
