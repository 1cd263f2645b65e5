/* The search options of all commands that find pairs: the query, the method with its own options, and the backend. */
#ifndef GRAZE_SEARCH_OPTIONS_H
#define GRAZE_SEARCH_OPTIONS_H

#include "backend_options.h"

#include "graze/graze.h"
#include "graze/names.h"

#define LIST_WORD(name, value, words) " " words

/* Rows for tables of options, including those of the backend; the struct of the command has a member `search`. */
#define SEARCH_OPTION_ROWS(type, default_neighbors)                                                                    \
  {"neighbors",                                                                                                        \
   0,                                                                                                                  \
   "RULE",                                                                                                             \
   OPTION_USUAL,                                                                                                       \
   OPTION_READ(option_read_neighbors, type, search),                                                                   \
   "skip or test primitives of one object that share a vertex; beyond tests\n"                                         \
   "whether they intersect beyond what they share, as folds do;\n"                                                     \
   "default: " default_neighbors},                                                                                     \
      {"candidates",                                                                                                   \
       0,                                                                                                              \
       NULL,                                                                                                           \
       OPTION_RESEARCH,                                                                                                \
       OPTION_FLAG(type, search.query.candidates_only),                                                                \
       "list pairs whose bounding boxes intersect, without the exact test"},                                           \
      {"test",                                                                                                         \
       0,                                                                                                              \
       "NAME",                                                                                                         \
       OPTION_RESEARCH,                                                                                                \
       OPTION_ENUMERATION(type, search.query.test, GRAZE_ENUMERATION_TEST),                                            \
       "test of tetrahedra and polyhedra: sat gjk"},                                                                   \
      {"method",                                                                                                       \
       0,                                                                                                              \
       "NAME",                                                                                                         \
       OPTION_RESEARCH,                                                                                                \
       OPTION_READ(option_read_method, type, search.method.name),                                                      \
       "auto (default) or one of the methods below; all give the same pairs.\n"                                        \
       "Options of other methods are errors; auto accepts those of tree"},                                             \
      {"tree-builder",                                                                                                 \
       0,                                                                                                              \
       "NAME",                                                                                                         \
       OPTION_RESEARCH,                                                                                                \
       OPTION_ENUMERATION(type, search.method.tree_builder, GRAZE_ENUMERATION_TREE_BUILDER),                           \
       "how the tree orders primitives:" GRAZE_TREE_BUILDER_LIST(LIST_WORD)},                                          \
      {"clusters",                                                                                                     \
       0,                                                                                                              \
       "N",                                                                                                            \
       OPTION_RESEARCH,                                                                                                \
       OPTION_U32(type, search.method.clusters, 1, 1024),                                                              \
       "number of clusters of the method clusters (default: adaptive)"},                                               \
      {"axis",                                                                                                         \
       0,                                                                                                              \
       "NAME",                                                                                                         \
       OPTION_RESEARCH,                                                                                                \
       OPTION_ENUMERATION(type, search.method.axis, GRAZE_ENUMERATION_AXIS),                                           \
       "axis along which clusters are swept:" GRAZE_AXIS_LIST(LIST_WORD)},                                             \
      {"metric",                                                                                                       \
       0,                                                                                                              \
       "NAME",                                                                                                         \
       OPTION_RESEARCH,                                                                                                \
       OPTION_ENUMERATION(type, search.method.metric, GRAZE_ENUMERATION_METRIC),                                       \
       "metric that determines the nearest cluster:" GRAZE_METRIC_LIST(LIST_WORD)},                                    \
      {"simd",                                                                                                         \
       0,                                                                                                              \
       "WIDTH",                                                                                                        \
       OPTION_RESEARCH,                                                                                                \
       OPTION_ENUMERATION(type, search.method.simd, GRAZE_ENUMERATION_SIMD),                                           \
       "auto (default), scalar, 128 or 256 bits"},                                                                     \
      BACKEND_OPTION_ROWS(type, search.scene)

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

/* Readers of the rows: the neighbor rule of a search_options, and the name of a method. */
option_reader option_read_neighbors, option_read_method;

/* Writes "Methods:" and a line for each, for help texts. */
void write_methods(FILE *stream);

#endif
