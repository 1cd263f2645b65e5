/* How a method takes part in a query on a device: the steps that differ from method to method. All else, and the whole
 * of a query that does not fit into memory, is the same for all: device_find.c. */
#ifndef GRAZE_CUDA_SEARCH_WAY_H
#define GRAZE_CUDA_SEARCH_WAY_H

#include "cuda/device_search.h"

/* Bytes of a method's view, at most. */
enum { METHOD_VIEW_MOST = 1024 };

/* What is NULL a method does not need; `state` is its own. */
typedef struct search_way {
  uint32_t searches; /* SEARCHES_CELLS and so on */
  /* Room beside the lists, before each run. */
  graze_result (*make_room)(void *state, const device_query *query);
  /* What its stages see, zeroed before: part of what the kept sequence follows from. */
  void (*view)(const void *state, const grid_view *grid, void *view_out);
  /* Entries in an order of its own, where it has one. */
  void (*queue_entries)(stage_queue *queue, const void *view);
  /* Candidates, from the entries. */
  void (*queue_candidates)(stage_queue *queue, const grid_view *grid, const void *view);
  /* Whether there was too little room, and the next run has more; and whether that is more than can be numbered. */
  bool (*enlarge)(void *state, const device_totals *totals);
  bool (*is_too_long)(const void *state, const device_totals *totals);
  /* Room that could not be had is forgotten: the grid has found the pairs. */
  void (*forget_room)(void *state);
  /* Tells of a search that it has made, and keeps what it has cost. */
  void (*count)(void *state, const device_query *query, const device_totals *totals, graze_counters *counters);
} search_way;

#endif
