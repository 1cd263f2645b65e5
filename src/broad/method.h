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
#include "broad/object_change.h"
#include "broad/primitive_view.h"
#include "graze/graze.h"

#include <stdatomic.h>

/* ---------------------------------------------------------------------------------------------- candidates */

/* Candidates go to `consume` in batches of at most CANDIDATE_BATCH, never across a task's end. `task` orders batches of
 * different tasks; batches of one task come in order. */
enum { CANDIDATE_BATCH = 512 };

/* A pair whose boxes meet. The headers lie where the method has them at hand, in the order of space if it can: what
 * follows reads them often. */
typedef struct candidate {
  index_pair pair;
  const primitive_header *a, *b;
} candidate;

typedef struct candidate_sink {
  void *context;
  /* How many of them are pairs; 0 where the sink does not say. */
  size_t (*consume)(void *context, uint32_t worker, uint32_t task, const candidate *candidates, size_t count);
} candidate_sink;

/* ---------------------------------------------------------------------------------------------- searches */

typedef struct search_counts {
  uint64_t box_tests, candidates, neighbors, duplicates;
} search_counts;

/* Where one pair of each two objects is enough: the pairs of objects that a worker has found to touch, by known_number,
 * lower number first. A method sets `in_use` once it has met a crowd; from then on the sink adds what it finds. The
 * content depends on timing: it affects the work, never the answer. */
typedef struct known_objects {
  pair_set pairs;
  bool in_use;
} known_objects;

/* Parts of one object are known by one number. */
static inline uint32_t known_number(const primitive_view *view, uint32_t object) {
  return view->parts != NULL ? whole_of_object(view->rules, object) : object;
}

/* What a search found out that makes later ones cheaper, such as how much of a tree was visited in vain; what the words
 * mean is the method's own. All zero: nothing. No answer may depend on it. */
typedef struct search_notes {
  uint64_t words[8];
} search_notes;

typedef struct search {
  const primitive_view *view;
  graze_simd simd; /* never AUTO here */
  memory *memory;
  workers *workers;
  stop_check *stop;   /* NULL: nobody stops it */
  bool one_is_enough; /* the first pair ends the search: a method may take care to come to one soon */
  bool one_of_each;   /* one pair of each two objects is enough, and of each object with itself: a method may leave out
                         more of them */
  known_objects *known; /* then one per worker; else NULL */
  size_t each_enough;   /* then so many of two objects end the search; 0: none do. A method may go on all the same */
  bool by_boxes;        /* pairs are asked for whose boxes in the scene meet, also where the primitives do not */
  candidate_sink sink;
  /* Tasks from this number on need not go on: one pair is enough and that task has found one, or enough were found, or
   * memory ran out, or the caller stopped the search. It only ever falls; which tasks still see an older value is not
   * determined, and no answer depends on it. */
  _Atomic(uint32_t) task_end;
  atomic_bool out_of_memory;
  /* Filled by the method. */
  search_counts counts;
  uint64_t searched_count, level_count, cluster_count, member_count;
  uint64_t in_clusters[4]; /* primitives that are members of exactly one cluster, two, three, four */
  double bounds_ms, build_ms;
  double order_ms; /* of sorting candidates, where a method does: counted with the sorting of pairs */
  search_notes notes;
} search;

/* For a search of which all else has been set. */
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

/* Whether a task is to be left, or not to be begun. Tasks ask between pieces of work of some microseconds, and after
 * each batch that they have handed over. */
static inline bool search_leaves(search *s, uint32_t task) {
  if (stop_is_asked_for(s->stop)) search_end_tasks(s, 0);
  return task >= atomic_load_explicit(&s->task_end, memory_order_relaxed);
}

/* What a method answers when its tasks are through. */
static inline graze_result search_result(const search *s) {
  if (atomic_load(&s->out_of_memory)) return GRAZE_OUT_OF_MEMORY;
  return stop_was_asked_for(s->stop) ? GRAZE_STOPPED : GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- methods */

/* What a state is told after each update of the scene. The view is that of no query: it says where everything lies, and
 * neither boxes nor what is searched. Its arrays stay until the next update. */
typedef struct method_news {
  const primitive_view *view;
  const object_change *changes; /* view->object_count */
  const search_notes *notes;    /* of the searches since the last update, the last that were not nothing; never NULL */
  workers *workers;
  memory *scratch; /* for what is given back before the update ends */
} method_news;

/* How a method is made. */
typedef struct method_options {
  const graze_method_def *def; /* as the caller gave it, of which a method reads its own fields; NULL: the defaults */
} method_options;

/* A method on the processor. Where there is no state, `create`, `update` and `destroy` are NULL and the state is NULL.
 * What fails gives back what it took, and the state stays as it was. */
typedef struct cpu_method {
  graze_result (*create)(memory *heap, const method_options *options, void **state_out);
  graze_result (*update)(void *state, const method_news *news);
  /* Whether it can search what the last update told without trouble; NULL: always. Where it cannot, the scene is
   * searched by the grid until primitives or vertices come or go. */
  bool (*suits)(const void *state);
  /* Safe on several threads at the same time, with a search each. */
  graze_result (*find)(const void *state, search *s);
  void (*destroy)(memory *heap, void *state);
} cpu_method;

struct cuda_method;

/* What is true of a method, as bits. */
enum {
  METHOD_NEEDS_ROUNDED_VERTICES = 1, /* an update must round all vertices into normalized coordinates for it */
  METHOD_NEEDS_BOXES = 2,            /* a search must be given boxes, and which primitives are searched */
  METHOD_MAKES_BOXES = 32,           /* of those: it is given no boxes but by a caller who has other ones */
  METHOD_KEEPS_STATE = 4,            /* it builds something in `update` that searches read */
  METHOD_FILTERS_ROUNDED = 16,       /* it can do without rounded vertices; its candidates are filtered by them where an
                                        update in which much has changed has made them */
  METHOD_IS_REFERENCE = 8,           /* candidates skip the float filter: the exact test alone decides each */
  METHOD_KEEPS_TREES = 64,           /* its state is a tree_forest */
  METHOD_AUTO_ON_DEVICE = 256        /* "auto" chooses it on a device */
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

/* A row of the table: what is said of a method wherever it runs. */
typedef struct method {
  const char *name;
  const char *description;
  const char *auto_reason; /* why "auto" chooses it on the processor; NULL: it never does */
  uint32_t traits;
  uint32_t options, device_options; /* those that it has on the processor, and on a device; others are refused */
  const cpu_method *cpu;
  const struct cuda_method *cuda; /* src/cuda/cuda_method.h; NULL: no device has it */
} method;

/* Whether all of the traits are true of a method; of NULL, which stands for "auto", none is. */
static inline bool method_has_traits(const method *row_or_null, uint32_t traits) {
  return row_or_null != NULL && (row_or_null->traits & traits) == traits;
}

/* The implementations of this folder. src/methods joins them with those of devices. */
extern const cpu_method cpu_brute, cpu_grid, cpu_tree, cpu_clusters;

#endif
