/* The interface of a broad-phase method: a table row, an implementation with its own state, and a search that passes
 * candidates to a sink in batches.
 *
 * A method must produce every pair of searched primitives that the query selects and whose boxes intersect, each
 * exactly once, in any order. It may omit pairs that it can prove not to intersect, unless a search is `by_boxes`. It
 * splits its work into tasks whose number and content do not depend on the workers. */
#ifndef GRAZE_BROAD_METHOD_H
#define GRAZE_BROAD_METHOD_H

#include "base/memory.h"
#include "base/pair_list.h"
#include "base/pair_set.h"
#include "base/stop_check.h"
#include "base/workers.h"
#include "broad/primitive_view.h"
#include "broad/structure_list.h"
#include "graze/graze.h"

#include <stdatomic.h>

/* ---------------------------------------------------------------------------------------------- candidates */

/* Candidates go to `consume` in batches of at most CANDIDATE_BATCH, never across a task's end. `task` orders batches of
 * different tasks; batches of one task come in order. */
enum { CANDIDATE_BATCH = 512 };

/* A pair whose boxes meet. The headers are those that the method has at hand, in spatial order if possible: they are
 * read often. */
typedef struct candidate {
  index_pair pair;
  const primitive_header *a, *b;
} candidate;

typedef struct candidate_sink {
  void *context;
  /* Returns the number of candidates that are pairs; 0 if it is unknown. */
  size_t (*consume)(void *context, uint32_t worker, uint32_t task, const candidate *candidates, size_t count);
} candidate_sink;

/* ---------------------------------------------------------------------------------------------- searches */

typedef struct search_counts {
  uint64_t box_tests, candidates, neighbors, duplicates;
} search_counts;

/* If one pair per pair of objects is enough: the pairs of objects that a worker has found to touch, by known_number,
 * lower number first. A method sets `in_use` once it has met a crowd; from then on the sink adds its pairs. The
 * content depends on timing: it affects the work, never the answer. */
typedef struct known_objects {
  pair_set pairs;
  bool in_use;
} known_objects;

/* Parts of one object share one number. */
static inline uint32_t known_number(const primitive_view *view, uint32_t object) {
  return view->parts != NULL ? whole_of_object(view->rules, object) : object;
}

/* The findings of a search that make later ones cheaper, such as the amount of useless work in a tree; the method
 * defines the words. All zero: none. No answer may depend on it. */
typedef struct search_notes {
  uint64_t words[8];
} search_notes;

typedef struct search {
  const primitive_view *view;
  graze_simd simd; /* never AUTO here */
  memory *memory;
  workers *workers;
  stop_check *stop;     /* NULL: cannot be stopped */
  bool one_is_enough;   /* the first pair ends the search: a method may try to find one soon */
  bool one_of_each;     /* one pair per pair of objects is enough, and one within each object; others may be omitted */
  known_objects *known; /* then one per worker; otherwise NULL */
  size_t each_enough;   /* then this many pairs of objects end the search; 0: none do. A method may continue */
  bool by_boxes;        /* pairs whose boxes in the scene meet are requested, even if the primitives do not */
  candidate_sink sink;
  /* Tasks from this number on need not continue: one pair is enough and that task has found one, or enough were
   * found, or memory ran out, or the caller stopped the search. It only decreases; which tasks still read an older
   * value is not deterministic, and no answer depends on it. */
  _Atomic(uint32_t) task_end;
  atomic_bool out_of_memory;
  /* Filled by the method. */
  search_counts counts;
  uint64_t searched_count, level_count, cluster_count, member_count;
  uint64_t in_clusters[4]; /* primitives that are members of exactly one cluster, two, three, four */
  double bounds_ms, build_ms;
  double order_ms; /* of sorting candidates, if a method does: added to the sorting of pairs */
  search_notes notes;
} search;

/* Called after all other members of a search are set. */
static inline void search_init_ends(search *s) {
  atomic_init(&s->task_end, UINT32_MAX);
  atomic_init(&s->out_of_memory, false);
}

/* Lowers task_end to `task`. */
static inline void search_end_tasks(search *s, uint32_t task) {
  uint32_t seen = atomic_load(&s->task_end);
  while (task < seen && !atomic_compare_exchange_weak(&s->task_end, &seen, task)) {
  }
}

static inline void search_stop_out_of_memory(search *s) {
  atomic_store(&s->out_of_memory, true);
  search_end_tasks(s, 0);
}

/* Whether a task must end, or must not begin. Tasks check this between pieces of work of some microseconds, and
 * after each batch. */
static inline bool search_leaves(search *s, uint32_t task) {
  if (stop_is_requested(s->stop)) search_end_tasks(s, 0);
  return task >= atomic_load_explicit(&s->task_end, memory_order_relaxed);
}

/* The result of a method after its tasks. */
static inline graze_result search_result(const search *s) {
  if (atomic_load(&s->out_of_memory)) return GRAZE_OUT_OF_MEMORY;
  return stop_was_requested(s->stop) ? GRAZE_STOPPED : GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- methods */

/* The input of a method's update, after each update of the scene. The view belongs to no query: it has the positions
 * of everything, but no boxes and no selection. Its arrays remain valid until the next update. */
typedef struct update_input {
  const primitive_view *view;
  const object_change *changes; /* view->object_count */
  const search_notes *notes; /* of the searches since the last update, the last ones that were not zero; never NULL */
  workers *workers;
  memory *scratch; /* for memory that is released before the update ends */
} update_input;

/* The options of a method's creation. */
typedef struct method_options {
  const graze_method_def *def; /* the caller's; a method reads its own fields; NULL: the defaults */
} method_options;

/* A method on the processor. Without a state, `create`, `update` and `destroy` are NULL and the state is NULL. A
 * function that fails releases what it allocated, and the state is unchanged. */
typedef struct cpu_method {
  graze_result (*create)(memory *heap, const method_options *options, void **state_out);
  graze_result (*update)(void *state, const update_input *input);
  /* Whether it is suited to the scene of the last update; NULL: always. Otherwise, the grid searches the scene until
   * primitives or vertices are added or removed. */
  bool (*suits)(const void *state);
  /* Safe on several threads at once, each with its own search. */
  graze_result (*find)(const void *state, search *s);
  /* Lists the structure that `find` would search, rebuilt if it is not part of the state; NULL: there is none. Sets
   * build_ms and the counts of the search that follow from the structure. */
  graze_result (*list)(const void *state, search *s, structure_list *list);
  void (*destroy)(memory *heap, void *state);
} cpu_method;

struct cuda_method;

/* Properties of a method, as bits. */
enum {
  METHOD_NEEDS_ROUNDED_VERTICES = 1, /* an update must round all vertices into normalized coordinates */
  METHOD_NEEDS_BOXES = 2,            /* a search must have boxes, and the selection of primitives */
  METHOD_MAKES_BOXES = 32,           /* with METHOD_NEEDS_BOXES: boxes are passed only if a caller has its own */
  METHOD_KEEPS_STATE = 4,            /* `update` builds a structure that searches read */
  METHOD_FILTERS_ROUNDED = 16, /* it does not need rounded vertices; its candidates are filtered by them if an update
                                  with many changes has rounded them */
  METHOD_IS_REFERENCE = 8,     /* candidates skip the float filter: only the exact test decides */
  METHOD_KEEPS_TREES = 64,     /* its state is a tree_forest */
  METHOD_AUTO_ON_DEVICE = 256  /* "auto" chooses it on a device */
};

/* The options of methods, as bits: one for each field of graze_method_def that not every method reads.
 * api/method_options.c has their names and values. */
enum {
  METHOD_OPTION_TREE_BUILDER = 4,
  METHOD_OPTION_TREE_UPDATE = 8,
  METHOD_OPTION_CLUSTERS = 32,
  METHOD_OPTION_AXIS = 64,
  METHOD_OPTION_METRIC = 256,
  METHOD_OPTION_FUZZINESS = 512
};

/* A row of the table: the properties of a method on all backends. */
typedef struct method {
  const char *name;
  const char *description;
  const char *auto_reason; /* why "auto" chooses it on the processor; NULL: it never does */
  uint32_t traits;
  uint32_t options, device_options; /* those that it has on the processor, and on a device; others are refused */
  const cpu_method *cpu;            /* NULL: refused on the processor */
  const struct cuda_method *cuda;   /* src/cuda/cuda_method.h; NULL: refused on devices */
} method;

/* Whether a method has all of the traits; NULL, for "auto", has none. */
static inline bool method_has_traits(const method *row_or_null, uint32_t traits) {
  return row_or_null != NULL && (row_or_null->traits & traits) == traits;
}

/* The list of methods, in the order in which they are shown. Each name has a row, method_NAME, in
 * methods/method_table.c, which combines its implementation in this folder, cpu_NAME, with that on devices, cuda_NAME.
 */
#define METHOD_LIST(X) X(grid) X(tree) X(clusters) X(brute)

#define METHOD_ON_CPU(name) extern const cpu_method cpu_##name;
METHOD_LIST(METHOD_ON_CPU)
#undef METHOD_ON_CPU

#endif
