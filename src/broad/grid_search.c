/* Searching the grid: every candidate once, without a table of pairs and without a sort.
 *
 * The rows are cut into blocks of primitives of one cell. A block of cell C at level l meets
 *   - the primitives of its own cell that come after it in the rows,
 *   - those of level l in the half of the 26 neighbour cells that lies after C: the other half meets C from its side,
 *   - those of all higher levels: they come from the chain of ancestors (see below).
 * All of these are first culled by the box around the block into one short list, which each primitive of the block then
 * sweeps. So the look-ups are paid once a block and not once a primitive, and the vector units read contiguous rows.
 *
 * The chain: for each level g above, the list of the primitives of level >= g that meet the reach of the block's
 * ancestor cell P at level g. The reach is P's cube and half a side more upward: no primitive of a lower level that is
 * owned by a cell inside P can reach further. The list for P at g is the one of P's parent at g + 1, culled, and those
 * of the 27 cells around P at g. Blocks come in Morton order, so that the ancestors change seldom, and a long list of
 * large primitives is shortened step by step on the way down.
 *
 * Workload: about five primitives to a block, 10 to 100 to a list, half of the swept boxes meet. */
#include "broad/grid.h"

#include "base/simd_choice.h"
#include "broad/box_kernels.h"

#include <float.h>
#include <stdlib.h>

enum {
  TASK_ROWS = 2048,  /* rows a task; fixed, so that tasks do not depend on the workers */
  BLOCK_ROWS = 32,   /* longest block: a crowded cell is met by several blocks, each with a small box */
  SIMD_ROOM_IDS = 16 /* what a kernel may write behind its last id */
};

typedef struct ancestor {
  grid_cell cell;
  bool known;
  box_rows list;
} ancestor;

/* What one worker keeps while it searches. */
typedef struct searcher {
  const grid *grid;
  search *search;
  const box_kernels *kernels;
  uint32_t worker, task;
  ancestor chain[GRID_LEVEL_COUNT];
  box_rows list;
  uint32_t *ids; /* room for list.capacity + SIMD_ROOM_IDS */
  size_t id_capacity;
  index_pair batch[CANDIDATE_BATCH];
  size_t batch_count;
  search_counts counts;
  char separation[64]; /* workers' counters lie on different cache lines */
} searcher;

static const box_kernels *kernels_for(graze_simd simd) {
#if SIMD_BUILDS_256
  if (simd == GRAZE_SIMD_256) return &box_kernels_256;
#endif
#if SIMD_HAS_128
  if (simd == GRAZE_SIMD_128) return &box_kernels_128;
#endif
  (void)simd;
  return &box_kernels_scalar;
}

/* ---------------------------------------------------------------------------------------------- cells and buckets */

/* The buckets of the 27 cells around one: Morton codes are put together from nine spread numbers. */
typedef struct neighbourhood {
  const grid *grid;
  int level;
  grid_cell centre;
  uint64_t spread[3][3]; /* axis, offset + 1 */
} neighbourhood;

static neighbourhood neighbourhood_of(const grid *g, int level, grid_cell centre) {
  neighbourhood n = {.grid = g, .level = level, .centre = centre};
  if (g->hash != GRAZE_HASH_MORTON) return n;
  for (int offset = -1; offset <= 1; offset++) {
    n.spread[0][offset + 1] = cell_hash_spread((uint32_t)(centre.x + offset));
    n.spread[1][offset + 1] = cell_hash_spread((uint32_t)(centre.y + offset)) << 1;
    n.spread[2][offset + 1] = cell_hash_spread((uint32_t)(centre.z + offset)) << 2;
  }
  return n;
}

static uint32_t neighbour_bucket(const neighbourhood *n, int dx, int dy, int dz) {
  if (n->grid->hash != GRAZE_HASH_MORTON)
    return grid_bucket(n->grid, n->level, (grid_cell){n->centre.x + dx, n->centre.y + dy, n->centre.z + dz});
  const grid_level *level = &n->grid->levels[n->level];
  return level->first_bucket +
         ((uint32_t)(n->spread[0][dx + 1] | n->spread[1][dy + 1] | n->spread[2][dz + 1]) & level->bucket_mask);
}

static grid_cell row_cell(const grid *g, size_t row, float inverse_side) {
  return grid_cell_of(g->rows.bound[0][row], g->rows.bound[1][row], g->rows.bound[2][row], inverse_side);
}

/* Takes out of target[first, count) what is not owned by the cell: primitives of other cells that share its bucket.
 * With Morton codes they cannot meet the block, or are in the list once only; with the other hashes two neighbours may
 * share a bucket, which would bring a pair twice. */
static void keep_cell(box_rows *target, size_t first, grid_cell cell, float inverse_side) {
  size_t kept = first;
  for (size_t at = first; at < target->count; at++) {
    const grid_cell own = grid_cell_of(target->bound[0][at], target->bound[1][at], target->bound[2][at], inverse_side);
    if (!grid_cells_equal(own, cell)) continue;
    for (int i = 0; i < 6; i++) target->bound[i][kept] = target->bound[i][at];
    for (int i = 0; i < 3; i++) target->corner[i][kept] = target->corner[i][at];
    target->object[kept] = target->object[at];
    target->id[kept] = target->id[at];
    kept++;
  }
  target->count = kept;
}

/* Room for `more` boxes behind those that are there; grows by half at least, as lists of one worker live long. */
static bool make_room(searcher *w, box_rows *list, size_t more) {
  const size_t needed = list->count + more;
  if (needed <= list->capacity) return true;
  return box_rows_reserve(list, w->search->memory, needed + needed / 2 + 256);
}

static bool cull_bucket(searcher *w, const neighbourhood *n, int dx, int dy, int dz, const float bound[6],
                        box_rows *list) {
  const uint32_t bucket = neighbour_bucket(n, dx, dy, dz);
  const size_t first = w->grid->starts[bucket], end = w->grid->starts[bucket + 1];
  if (first == end) return true;
  if (!make_room(w, list, end - first)) return false;
  const size_t before = list->count;
  w->kernels->cull(&w->grid->rows, first, end, bound, list);
  w->counts.box_tests += end - first;
  if (w->grid->hash != GRAZE_HASH_MORTON)
    keep_cell(list, before, (grid_cell){n->centre.x + dx, n->centre.y + dy, n->centre.z + dz},
              1.0f / grid_cell_side(n->level));
  return true;
}

/* ---------------------------------------------------------------------------------------------- the chain */

static bool fill_ancestor(searcher *w, int level, grid_cell cell) {
  ancestor *a = &w->chain[level];
  const float side = grid_cell_side(level);
  const float low[3] = {(float)cell.x * side, (float)cell.y * side, (float)cell.z * side};
  /* Cell numbers of up to 31 bits are not exact as floats: the reach is rounded outward. */
  float reach[6];
  for (int axis = 0; axis < 3; axis++) {
    const float slack = 0.0625f * side + fabsf(low[axis]) * FLT_EPSILON;
    reach[axis] = low[axis] - slack;
    reach[axis + 3] = low[axis] + 1.5f * side + slack;
  }
  a->known = false;
  a->list.count = 0;
  if (level < w->grid->highest) {
    const box_rows *above = &w->chain[level + 1].list;
    if (!make_room(w, &a->list, above->count)) return false;
    if (above->count > 0) w->kernels->cull(above, 0, above->count, reach, &a->list);
    w->counts.box_tests += above->count;
  }
  if (w->grid->levels[level].occupied) {
    const neighbourhood n = neighbourhood_of(w->grid, level, cell);
    for (int dz = -1; dz <= 1; dz++)
      for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
          if (!cull_bucket(w, &n, dx, dy, dz, reach, &a->list)) return false;
  }
  a->cell = cell;
  a->known = true;
  return true;
}

/* Makes chain[level] right for the cell, and all levels above it. An ancestor that is right has right ancestors. */
static bool climb(searcher *w, int level, grid_cell cell) {
  if (level > w->grid->highest) return true;
  const ancestor *a = &w->chain[level];
  if (a->known && grid_cells_equal(a->cell, cell)) return true;
  return climb(w, level + 1, (grid_cell){cell.x >> 1, cell.y >> 1, cell.z >> 1}) && fill_ancestor(w, level, cell);
}

/* ---------------------------------------------------------------------------------------------- blocks */

static void flush(searcher *w) {
  if (w->batch_count == 0) return;
  w->search->sink.consume(w->search->sink.context, w->worker, w->task, w->batch, w->batch_count);
  w->batch_count = 0;
}

static void hand_over(searcher *w, uint32_t a, uint32_t object, size_t count) {
  const primitive_view *view = w->search->view;
  for (size_t i = 0; i < count; i++) {
    const uint32_t b = w->ids[i];
    if (view->rules_differ && !objects_meet(view, object, view->object_of[b])) continue;
    w->batch[w->batch_count++] = a < b ? (index_pair){a, b} : (index_pair){b, a};
    w->counts.candidates++;
    if (w->batch_count == CANDIDATE_BATCH) flush(w);
  }
}

static void box_around(const box_rows *rows, size_t first, size_t end, float bound_out[6]) {
  for (int axis = 0; axis < 3; axis++) {
    float low = FLT_MAX, high = -FLT_MAX;
    for (size_t at = first; at < end; at++) {
      low = rows->bound[axis][at] < low ? rows->bound[axis][at] : low;
      high = rows->bound[axis + 3][at] > high ? rows->bound[axis + 3][at] : high;
    }
    bound_out[axis] = low;
    bound_out[axis + 3] = high;
  }
}

/* The 13 neighbours after the cell in the order of x, then y, then z. Upward along an axis only if the block's box
 * reaches over the border there. */
static bool cull_later_neighbours(searcher *w, int level, grid_cell cell, const float bound[6]) {
  const float inverse_side = 1.0f / grid_cell_side(level);
  const grid_cell top = grid_cell_of(bound[3], bound[4], bound[5], inverse_side);
  const int reach_x = top.x > cell.x, reach_y = top.y > cell.y, reach_z = top.z > cell.z;
  const neighbourhood n = neighbourhood_of(w->grid, level, cell);
  for (int dx = 0; dx <= reach_x; dx++)
    for (int dy = dx > 0 ? -1 : 0; dy <= reach_y; dy++)
      for (int dz = dx > 0 || dy > 0 ? -1 : 1; dz <= reach_z; dz++)
        if (!cull_bucket(w, &n, dx, dy, dz, bound, &w->list)) return false;
  return true;
}

/* The list of a block begins with the block itself, in order, so that primitive i meets what comes after i. */
static bool gather(searcher *w, int level, grid_cell cell, size_t first, size_t end, size_t run_end) {
  const box_rows *rows = &w->grid->rows;
  float bound[6];
  box_around(rows, first, end, bound);
  w->list.count = 0;
  if (!make_room(w, &w->list, run_end - first)) return false;
  w->kernels->cull(rows, first, end, bound, &w->list);
  w->kernels->cull(rows, end, run_end, bound, &w->list);
  w->counts.box_tests += run_end - end;
  if (!cull_later_neighbours(w, level, cell, bound)) return false;
  if (level == w->grid->highest) return true;
  if (!climb(w, level + 1, (grid_cell){cell.x >> 1, cell.y >> 1, cell.z >> 1})) return false;
  const box_rows *above = &w->chain[level + 1].list;
  if (above->count == 0) return true;
  if (!make_room(w, &w->list, above->count)) return false;
  w->kernels->cull(above, 0, above->count, bound, &w->list);
  w->counts.box_tests += above->count;
  return true;
}

static bool make_id_room(searcher *w) {
  if (w->list.count <= w->id_capacity) return true;
  const size_t capacity = w->list.capacity;
  uint32_t *ids = memory_allocate(w->search->memory, capacity + SIMD_ROOM_IDS, sizeof *ids);
  if (ids == NULL) return false;
  memory_release(w->search->memory, w->ids, w->id_capacity + SIMD_ROOM_IDS, sizeof *ids);
  w->ids = ids;
  w->id_capacity = capacity;
  return true;
}

static bool search_block(searcher *w, int level, grid_cell cell, size_t first, size_t end, size_t run_end) {
  if (!gather(w, level, cell, first, end, run_end) || !make_id_room(w)) return false;
  const primitive_view *view = w->search->view;
  const box_rows *list = &w->list;
  for (size_t i = 0; i < end - first; i++) {
    const uint32_t object = list->object[i];
    const sweep_rule rule = {.bound = {list->bound[0][i], list->bound[1][i], list->bound[2][i], list->bound[3][i],
                                       list->bound[4][i], list->bound[5][i]},
                             .corner = {list->corner[0][i], list->corner[1][i], list->corner[2][i]},
                             .object = object,
                             .same_object = view->within && view->rules[object].self,
                             .other_object = view->between,
                             .skip_neighbours = view->skip_neighbours};
    if (!rule.same_object && !rule.other_object) continue;
    w->counts.box_tests += list->count - (i + 1);
    const size_t count = w->kernels->sweep(list, i + 1, &rule, w->ids, &w->counts.neighbours);
    hand_over(w, list->id[i], object, count);
  }
  return true;
}

/* ---------------------------------------------------------------------------------------------- tasks */

typedef struct grid_tasks {
  const grid *grid;
  search *search;
  searcher *searchers;
} grid_tasks;

static size_t level_end(const grid *g, int level) {
  return g->starts[g->levels[level].first_bucket + g->levels[level].bucket_mask + 1];
}

/* First row after `row` that another cell owns, or `limit`. */
static size_t run_end_after(const grid *g, size_t row, size_t limit, grid_cell cell, float inverse_side) {
  size_t end = row + 1;
  while (end < limit && grid_cells_equal(row_cell(g, end, inverse_side), cell)) end++;
  return end;
}

static void run_task(void *context, uint32_t index, uint32_t worker) {
  grid_tasks *tasks = context;
  const grid *g = tasks->grid;
  searcher *w = &tasks->searchers[worker];
  if (search_skips(tasks->search, index)) return;
  w->task = index;
  size_t row = (size_t)index * TASK_ROWS;
  const size_t task_end = row + TASK_ROWS < g->rows.count ? row + TASK_ROWS : g->rows.count;
  int level = g->lowest;
  while (row < task_end) {
    while (!g->levels[level].occupied || level_end(g, level) <= row) level++;
    const float inverse_side = 1.0f / grid_cell_side(level);
    const grid_cell cell = row_cell(g, row, inverse_side);
    const size_t run_end = run_end_after(g, row, level_end(g, level), cell, inverse_side);
    while (row < run_end && row < task_end) {
      size_t end = row + BLOCK_ROWS < run_end ? row + BLOCK_ROWS : run_end;
      if (end > task_end) end = task_end;
      if (!search_block(w, level, cell, row, end, run_end)) {
        search_stop_out_of_memory(tasks->search);
        return;
      }
      row = end;
    }
  }
  flush(w);
}

static void release_searcher(searcher *w, memory *heap) {
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) box_rows_release(&w->chain[level].list, heap);
  box_rows_release(&w->list, heap);
  memory_release(heap, w->ids, w->ids != NULL ? w->id_capacity + SIMD_ROOM_IDS : 0, sizeof *w->ids);
}

bool grid_search(const grid *g, search *s) {
  const uint32_t worker_count = workers_count(s->workers);
  grid_tasks tasks = {g, s, memory_allocate(s->memory, worker_count, sizeof(searcher))};
  if (tasks.searchers == NULL) return false;
  for (uint32_t i = 0; i < worker_count; i++)
    tasks.searchers[i] = (searcher){.grid = g, .search = s, .kernels = kernels_for(s->simd), .worker = i};
  workers_run(s->workers, run_task, &tasks, (uint32_t)((g->rows.count + TASK_ROWS - 1) / TASK_ROWS));
  for (uint32_t i = 0; i < worker_count; i++) {
    s->counts.box_tests += tasks.searchers[i].counts.box_tests;
    s->counts.candidates += tasks.searchers[i].counts.candidates;
    s->counts.neighbours += tasks.searchers[i].counts.neighbours;
    release_searcher(&tasks.searchers[i], s->memory);
  }
  memory_release(s->memory, tasks.searchers, worker_count, sizeof(searcher));
  return !atomic_load(&s->out_of_memory);
}
