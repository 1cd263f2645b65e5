/* The steps of a query on a device that differ between methods. All others, and a query in chunks when memory is
 * short, are common: device_find.c. */
#ifndef GRAZE_CUDA_SEARCH_WAY_H
#define GRAZE_CUDA_SEARCH_WAY_H

#include "cuda/device_search.h"

/* Bytes of a method's view, at most. */
enum { METHOD_VIEW_MOST = 1024 };

/* Functions that a method does not need are NULL; `state` is its own. */
typedef struct search_way {
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
} search_way;

#endif
