/* The method "brute", a broad phase: every pair of bounding boxes, in blocks, over the workers. It is the reference for
 * the other methods, without cells and vector units.
 *
 * Workload: up to about 10^4 primitives; n^2 / 2 box tests. */
#include "broad/candidate_batch.h"

#include <string.h>

enum { BLOCK_PRIMITIVES = 512 }; /* boxes of two blocks fit into the first-level cache */

/* The state of a worker; not on the stack, where a batch would be too large for the host's threads. */
typedef struct brute_lane {
  _Alignas(MEMORY_ALIGNMENT) search_counts counts;
  candidate_batch batch;
} brute_lane;

typedef struct brute_tasks {
  search *search;
  brute_lane *lanes;
} brute_tasks;

/* Handles two primitives whose boxes meet; out of line, so that the loop over the others is short. Returns whether the
 * task continues. */
GEOMETRY_SLOW_FUNCTION bool take_met(const primitive_view *view, size_t i, size_t j, brute_lane *lane) {
  const primitive_header *a = &view->headers[i], *b = &view->headers[j];
  if (!objects_meet(view, a->object, b->object)) return true;
  if (view->skip_neighbors && a->object == b->object &&
      share_corner(&view->sources[a->object], (uint32_t)i, (uint32_t)j)) {
    lane->counts.neighbors++;
    return true;
  }
  return candidate_batch_add(&lane->batch, (index_pair){(uint32_t)i, (uint32_t)j}, a, b);
}

/* Compares primitive i with the searched ones of [first, end). Returns whether the task continues. */
static bool meet_block(const primitive_view *view, size_t i, size_t first, size_t end, brute_lane *lane) {
  for (size_t j = first; j < end; j++) {
    if (view->searched[j] == 0) continue;
    lane->counts.box_tests++;
    if (boxes_meet(&view->boxes[i], &view->boxes[j]) && !take_met(view, i, j, lane)) return false;
  }
  return true;
}

static size_t block_end(const primitive_view *view, size_t block) {
  return block + BLOCK_PRIMITIVES < view->primitive_count ? block + BLOCK_PRIMITIVES : view->primitive_count;
}

/* All pairs (i, j) with i in the first block, j in the second and i < j. Returns whether the task continues. */
static bool meet_blocks(const primitive_view *view, size_t first_block, size_t second_block, brute_lane *lane) {
  const size_t second_end = block_end(view, second_block);
  if (memchr(view->searched + second_block, 1, second_end - second_block) == NULL) return true;
  for (size_t i = first_block; i < block_end(view, first_block); i++) {
    if (view->searched[i] == 0) continue;
    if (!meet_block(view, i, second_block > i ? second_block : i + 1, second_end, lane)) return false;
  }
  return true;
}

static void run_task(void *context, uint32_t index, uint32_t worker) {
  const brute_tasks *tasks = context;
  const primitive_view *view = tasks->search->view;
  brute_lane *lane = &tasks->lanes[worker];
  candidate_batch_begin(&lane->batch, index);
  const size_t first_block = (size_t)index * BLOCK_PRIMITIVES;
  if (memchr(view->searched + first_block, 1, block_end(view, first_block) - first_block) == NULL) return;
  for (size_t block = first_block; block < view->primitive_count; block += BLOCK_PRIMITIVES)
    if (search_leaves(tasks->search, index) || !meet_blocks(view, first_block, block, lane)) return;
  candidate_batch_flush(&lane->batch);
}

static graze_result find_by_comparing_all(const void *state, search *s) {
  (void)state;
  const uint32_t worker_count = workers_count(s->workers);
  brute_tasks tasks = {s, memory_allocate(s->memory, worker_count, sizeof(brute_lane))};
  if (tasks.lanes == NULL) return GRAZE_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < worker_count; i++) {
    candidate_batch_init(&tasks.lanes[i].batch, s, i);
    tasks.lanes[i].counts = (search_counts){0};
  }
  const size_t block_count = (s->view->primitive_count + BLOCK_PRIMITIVES - 1) / BLOCK_PRIMITIVES;
  workers_run(s->workers, run_task, &tasks, (uint32_t)block_count);
  for (uint32_t i = 0; i < worker_count; i++) {
    s->counts.box_tests += tasks.lanes[i].counts.box_tests;
    s->counts.neighbors += tasks.lanes[i].counts.neighbors;
    s->counts.candidates += tasks.lanes[i].batch.handed_over;
  }
  memory_release(s->memory, tasks.lanes, worker_count, sizeof(brute_lane));
  return search_result(s);
}

const cpu_method cpu_brute = {.find = find_by_comparing_all};
