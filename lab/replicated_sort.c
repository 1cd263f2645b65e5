/* Duplicate elimination by sorting: all raw candidates are sorted in one list, and those equal to their predecessor are
 * dropped.
 *
 * Workload: up to a few tens of raw candidates per primitive, so they are at least as large as the grid: the grid is
 * released before they are sorted, and their buffers before they are tested. */
#include "lab/replicated_grid.h"

#include "base/pair_order.h"
#include "base/timer.h"

enum { TASK_RAW_CANDIDATES = 8192 }; /* of the sorted list a task; fixed, so that tasks do not depend on the workers */

typedef struct sorted_raw_candidates {
  search *search;
  index_pair *pairs;
  size_t count;
  hand_over_lane *lanes;
} sorted_raw_candidates;

/* Leaves the grid released. */
static bool sort_raw_candidates(replicated_grid *g, search *s, pair_list *raw_candidates,
                                sorted_raw_candidates *sorted) {
  if (!replicated_raw_candidates(g, s, raw_candidates)) return false;
  grid_release(&g->grid, s->memory);
  const double begin = timer_now_ms();
  sorted->count = pair_list_count(raw_candidates);
  sorted->pairs = memory_allocate(s->memory, sorted->count, sizeof *sorted->pairs);
  const bool done =
      sorted->pairs != NULL && pair_order_stoppable(raw_candidates, s->memory, s->workers,
                                                    (uint32_t)s->view->primitive_count, sorted->pairs, s->stop);
  s->order_ms = timer_now_ms() - begin;
  return done;
}

static bool pairs_equal(index_pair p, index_pair q) {
  return p.a == q.a && p.b == q.b;
}

static void hand_over(void *context, uint32_t index, uint32_t worker) {
  const sorted_raw_candidates *sorted = context;
  search *s = sorted->search;
  if (search_leaves(s, index)) return;
  const size_t first = (size_t)index * TASK_RAW_CANDIDATES;
  const size_t end = first + TASK_RAW_CANDIDATES < sorted->count ? first + TASK_RAW_CANDIDATES : sorted->count;
  hand_over_lane *lane = &sorted->lanes[worker];
  candidate_batch_begin(&lane->batch, index);
  uint64_t duplicates = 0;
  bool going = true;
  for (size_t i = first; going && i < end; i++) {
    if (i > 0 && pairs_equal(sorted->pairs[i], sorted->pairs[i - 1]))
      duplicates++;
    else
      going = replicated_hand_over(&lane->batch, sorted->pairs[i]);
  }
  if (going) candidate_batch_flush(&lane->batch);
  lane->counts.duplicates += duplicates;
}

static bool hand_over_all(sorted_raw_candidates *sorted) {
  search *s = sorted->search;
  sorted->lanes = hand_over_lanes_make(s);
  if (sorted->lanes == NULL) return false;
  workers_run(s->workers, hand_over, sorted,
              (uint32_t)((sorted->count + TASK_RAW_CANDIDATES - 1) / TASK_RAW_CANDIDATES));
  hand_over_lanes_end(sorted->lanes, s);
  return search_result(s) == GRAZE_OK;
}

bool replicated_find_by_sort(replicated_grid *g, search *s) {
  pair_list raw_candidates;
  sorted_raw_candidates sorted = {.search = s};
  bool done = pair_list_init(&raw_candidates, s->memory, workers_count(s->workers)) &&
              sort_raw_candidates(g, s, &raw_candidates, &sorted);
  pair_list_release(&raw_candidates, s->memory);
  done = done && hand_over_all(&sorted);
  memory_release(s->memory, sorted.pairs, sorted.count, sizeof *sorted.pairs);
  return done;
}
