/* The method "brute": every pair of boxes, in blocks, over the workers. It is the reference of the others: no cells, no
 * vector units, nothing to get wrong.
 *
 * Workload: up to some 10^4 primitives; n^2 / 2 box tests. */
#include "broad/method.h"

enum { BLOCK_PRIMITIVES = 512 }; /* boxes of two blocks fit into the first-level cache */

typedef struct batch {
  candidate pairs[CANDIDATE_BATCH];
  size_t count;
} batch;

/* A worker's own; on a stack a batch would be too large for threads of a host. */
typedef struct brute_lane {
  _Alignas(MEMORY_ALIGNMENT) search_counts counts;
  batch batch; /* empty between tasks */
} brute_lane;

typedef struct brute_tasks {
  search *search;
  brute_lane *lanes;
} brute_tasks;

static void flush(search *s, batch *b, uint32_t worker, uint32_t task) {
  if (b->count > 0) s->sink.consume(s->sink.context, worker, task, b->pairs, b->count);
  b->count = 0;
}

/* All pairs (i, j) with i in the first block, j in the second and i < j. */
static void meet_blocks(search *s, size_t first_block, size_t second_block, uint32_t worker, uint32_t task, batch *b,
                        search_counts *counts) {
  const primitive_view *view = s->view;
  const size_t first_end = first_block + BLOCK_PRIMITIVES, second_end = second_block + BLOCK_PRIMITIVES;
  for (size_t i = first_block; i < first_end && i < view->primitive_count; i++) {
    if (view->levels[i] == LEVEL_NOT_SEARCHED) continue;
    for (size_t j = second_block > i ? second_block : i + 1; j < second_end && j < view->primitive_count; j++) {
      if (view->levels[j] == LEVEL_NOT_SEARCHED) continue;
      counts->box_tests++;
      if (!boxes_meet(&view->boxes[i], &view->boxes[j])) continue;
      if (!objects_meet(view, view->headers[i].object, view->headers[j].object)) continue;
      if (view->skip_neighbours && view->headers[i].object == view->headers[j].object &&
          share_corner(&view->sources[view->headers[i].object], (uint32_t)i, (uint32_t)j)) {
        counts->neighbours++;
        continue;
      }
      counts->candidates++;
      b->pairs[b->count++] = (candidate){{(uint32_t)i, (uint32_t)j}, &view->headers[i], &view->headers[j]};
      if (b->count == CANDIDATE_BATCH) flush(s, b, worker, task);
    }
  }
}

static void run_task(void *context, uint32_t index, uint32_t worker) {
  brute_tasks *tasks = context;
  search *s = tasks->search;
  brute_lane *lane = &tasks->lanes[worker];
  search_counts counts = {0};
  for (size_t block = (size_t)index * BLOCK_PRIMITIVES; block < s->view->primitive_count; block += BLOCK_PRIMITIVES) {
    if (search_skips(s, index)) break;
    meet_blocks(s, (size_t)index * BLOCK_PRIMITIVES, block, worker, index, &lane->batch, &counts);
  }
  flush(s, &lane->batch, worker, index);
  lane->counts.box_tests += counts.box_tests;
  lane->counts.candidates += counts.candidates;
  lane->counts.neighbours += counts.neighbours;
}

static graze_result find(search *s) {
  const uint32_t worker_count = workers_count(s->workers);
  brute_tasks tasks = {s, memory_allocate(s->memory, worker_count, sizeof(brute_lane))};
  if (tasks.lanes == NULL) return GRAZE_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < worker_count; i++) {
    tasks.lanes[i].counts = (search_counts){0};
    tasks.lanes[i].batch.count = 0;
  }
  const size_t block_count = (s->view->primitive_count + BLOCK_PRIMITIVES - 1) / BLOCK_PRIMITIVES;
  workers_run(s->workers, run_task, &tasks, (uint32_t)block_count);
  for (uint32_t i = 0; i < worker_count; i++) {
    s->counts.box_tests += tasks.lanes[i].counts.box_tests;
    s->counts.candidates += tasks.lanes[i].counts.candidates;
    s->counts.neighbours += tasks.lanes[i].counts.neighbours;
  }
  memory_release(s->memory, tasks.lanes, worker_count, sizeof(brute_lane));
  return atomic_load(&s->out_of_memory) ? GRAZE_OUT_OF_MEMORY : GRAZE_OK;
}

const method method_brute = {"brute", "every pair of boxes: the reference, quadratic in the number of primitives", true,
                             find};
