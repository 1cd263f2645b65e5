/* Reads the options of a search. */
#include "search_options.h"

search_options search_options_start(void) {
  return (search_options){backend_options_start(), graze_method_def_default(), graze_query_default(), false};
}

graze_neighbors search_neighbors(const search_options *options, bool has_solids) {
  const graze_query *query = &options->query;
  if (options->neighbors_given) return query->neighbors;
  const bool within = (query->scope & GRAZE_SCOPE_WITHIN) != 0;
  return within && !query->candidates_only && !has_solids ? GRAZE_NEIGHBORS_BEYOND : GRAZE_NEIGHBORS_SKIP;
}

bool option_read_neighbors(const command_option *option, char *value, void *member) {
  search_options *options = member;
  int meaning = 0;
  options->neighbors_given = read_enumeration(option->name, value, GRAZE_ENUMERATION_NEIGHBORS, &meaning);
  options->query.neighbors = (graze_neighbors)meaning;
  return options->neighbors_given;
}

bool option_read_method(const command_option *option, char *value, void *member) {
  *(const char **)member = value;
  return read_method(option->name, value);
}

void write_methods(FILE *stream) {
  fputs("Methods:\n", stream);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_METHOD); i++) {
    fprintf(stream, "  %-10s %s\n", graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)i),
            graze_enumeration_description(GRAZE_ENUMERATION_METHOD, (int)i));
  }
}
