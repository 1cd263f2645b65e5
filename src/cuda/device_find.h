/* A query on a device, by any method. */
#ifndef GRAZE_CUDA_DEVICE_FIND_H
#define GRAZE_CUDA_DEVICE_FIND_H

#include "cuda/device_contacts.h"
#include "cuda/device_search.h"

/* Bytes of a method's view, at most. */
enum { METHOD_VIEW_MOST = 1024 };

/* The steps of a query that differ between methods. A method does not need functions that are NULL; `state` is its
 * own. */
typedef struct search_steps {
  uint32_t searches; /* SEARCHES_CELLS and so on */
  /* Allocates memory in addition to the lists, before each run. */
  graze_result (*reserve)(void *state, const device_query *query);
  /* Writes the view of its stages, initially zeroed: part of the signature of the kept sequence. */
  void (*view)(const void *state, const grid_view *grid, void *view_out);
  /* Queues stages that write entries in its own order, if it has one. */
  void (*queue_entries)(stage_queue *queue, const void *view);
  /* Queues stages that find candidates among the entries. */
  void (*queue_candidates)(stage_queue *queue, const grid_view *grid, const void *view);
  /* Whether a capacity was too small and has been increased for the next run; and whether it would exceed what
   * indices can address. */
  bool (*enlarge)(void *state, const device_totals *totals);
  bool (*is_too_long)(const void *state, const device_totals *totals);
  /* Resets capacities that could not be allocated: the grid has found the pairs. */
  void (*reset_capacities)(void *state);
  /* Reports the counters of its search, and keeps its cost. */
  void (*count)(void *state, const device_query *query, const device_totals *totals, graze_counters *counters);
} search_steps;

/* Finds all pairs, sorted, on the device. GRAZE_STOPPED if the query was stopped. */
graze_result device_find(device_search *search, device_wrenches *wrenches, const search_steps *steps, void *state,
                         const device_query *query, device_answer *answer_out);

/* Downloads the first `count` pairs of an answer. */
graze_result device_find_fetch(device_search *search, const device_answer *answer, size_t count, graze_pair *pairs_out);

#endif
