/* The search options of all commands that find pairs: the query, the method with its own options, and the backend. */
#ifndef GRAZE_SEARCH_OPTIONS_H
#define GRAZE_SEARCH_OPTIONS_H

#include "backend_options.h"
#include "command_line.h"

#include "graze/graze.h"
#include "graze/names.h"

enum {
  CODE_NEIGHBORS = CODE_ALLOW_LARGE + 1,
  CODE_CANDIDATES,
  CODE_TEST,
  CODE_METHOD,
  CODE_TREE_BUILDER,
  CODE_CLUSTERS,
  CODE_AXIS,
  CODE_METRIC,
  CODE_SIMD
};

#define LIST_WORD(name, value, words) " " words

/* Rows for tables of options, including those of the backend. */
#define SEARCH_OPTION_ROWS(default_neighbors)                                                                          \
  {"neighbors", CODE_NEIGHBORS, "RULE",                                                                                \
   "skip or test primitives of one object that share a vertex; beyond tests\n"                                         \
   "whether they intersect beyond what they share, as folds do;\n"                                                     \
   "default: " default_neighbors},                                                                                     \
      {"candidates", CODE_CANDIDATES, NULL, "list pairs whose bounding boxes intersect, without the exact test"},      \
      {"test", CODE_TEST, "NAME", "test of tetrahedra and polyhedra: sat gjk"},                                        \
      {"method", CODE_METHOD, "NAME",                                                                                  \
       "auto (default) or one of the methods below; all give the same pairs.\n"                                        \
       "Options of other methods are errors; auto accepts those of tree"},                                             \
      {"tree-builder", CODE_TREE_BUILDER, "NAME",                                                                      \
       "how the tree orders primitives:" GRAZE_TREE_BUILDER_LIST(LIST_WORD)},                                          \
      {"clusters", CODE_CLUSTERS, "N", "number of clusters of the method clusters (default: adaptive)"},               \
      {"axis", CODE_AXIS, "NAME", "axis along which clusters are swept:" GRAZE_AXIS_LIST(LIST_WORD)},                  \
      {"metric", CODE_METRIC, "NAME", "metric that determines the nearest cluster:" GRAZE_METRIC_LIST(LIST_WORD)},     \
      {"simd", CODE_SIMD, "WIDTH", "auto (default), scalar, 128 or 256 bits"}, BACKEND_OPTION_ROWS

typedef struct search_options {
  backend_options scene;
  graze_method_def method;
  graze_query query;
  bool neighbors_given; /* the neighbor rule was given */
} search_options;

/* Returns the defaults of the library. */
search_options search_options_start(void);

/* Returns the neighbor rule of a check: the given one, or the default for the scope of the query. Two triangles folded
 * over a common edge are a defect, but boxes of neighbors always intersect. The library has one rule per query, and
 * solids support only skip. */
graze_neighbors search_neighbors(const search_options *options, bool has_solids);

/* Reads one of the options in SEARCH_OPTION_ROWS; false after a complaint, or for any other code. */
bool read_search_option(int code, const char *value, search_options *options);

/* Writes "Methods:" and a line for each, for help texts. */
void write_methods(FILE *stream);

#endif
