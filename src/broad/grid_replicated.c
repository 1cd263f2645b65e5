/* Searching the replicated grid; see grid_replicated.h.
 *
 * The rows are cut into blocks of one cell C at level l. A block's list is the rows of its own run from the block on,
 * and then, for each level above, what meets the block in the run of C's ancestor there. Each row of the block sweeps
 * the list from its own place on.
 *
 * A primitive that has rows in several cells below one ancestor must not look at it from each: the first of those
 * cells, along each axis, does. A row whose cell is that of its box's lower corner looks at all levels. Another lies
 * one cell after it along some axes, and looks at an ancestor only if a border of that ancestor is what lies between:
 * the border before cell x is one of the level k higher if 2^k divides x. So each row looks upward to one highest
 * level.
 *
 * Workload: about two rows a primitive, ten to a block, 20 to 200 to a list; a pair is met one and a half to two times
 * on average. */
#include "broad/grid_replicated.h"

#include "broad/grid_run_reader.h"
#include "broad/partner_rule.h"

enum {
  TASK_ROWS = 2048, /* rows a task; fixed, so that tasks do not depend on the workers */
  BLOCK_ROWS = 32,  /* longest block: a crowded cell is met by several blocks, each with a small box */
  MEETING_BATCH = 256,
  SIMD_ROOM_HITS = 16 /* what a kernel may write behind its last hit */
};

/* The last ancestor that was looked up at a level. */
typedef struct ancestor_run {
  grid_cell cell;
  bool known;
  uint32_t run; /* or GRID_NO_RUN */
} ancestor_run;

/* What one worker keeps while it searches. */
typedef struct meeting_searcher {
  const grid *grid;
  search *search;
  pair_list *meetings;
  run_reader reader;
  uint32_t worker;
  float inverse_side[GRID_LEVEL_COUNT];
  ancestor_run ancestors[GRID_LEVEL_COUNT];
  box_rows list;
  size_t list_end[GRID_LEVEL_COUNT]; /* of what belongs to the level and the levels below */
  uint32_t *hits;                    /* rows; room for hit_capacity + SIMD_ROOM_HITS */
  size_t hit_capacity;
  index_pair batch[MEETING_BATCH];
  size_t batch_count;
  uint64_t neighbours;
  char separation[64]; /* workers' counters lie on different cache lines */
} meeting_searcher;

static bool flush(meeting_searcher *w) {
  const size_t count = w->batch_count;
  w->batch_count = 0;
  return count == 0 || pair_list_append(w->meetings, w->search->memory, w->worker, w->batch, count);
}

/* ---------------------------------------------------------------------------------------------- the list of a block */

/* Looks up the ancestors of a cell from `level` on. One that is known already has ancestors that are known. */
static void climb(meeting_searcher *w, int level, grid_cell cell) {
  for (; level <= w->grid->highest; level++, cell = grid_cell_parent(cell)) {
    ancestor_run *ancestor = &w->ancestors[level];
    if (ancestor->known && grid_cells_equal(ancestor->cell, cell)) return;
    *ancestor = (ancestor_run){cell, true, GRID_NO_RUN};
    if (grid_level_occupied(w->grid, level))
      ancestor->run = grid_find_run(w->grid, level, cell, cell_hash(w->grid->hash, cell.x, cell.y, cell.z, level));
  }
}

static bool make_hit_room(meeting_searcher *w) {
  if (w->list.count <= w->hit_capacity) return true;
  const size_t capacity = w->list.capacity;
  uint32_t *hits = memory_allocate(w->search->memory, capacity + SIMD_ROOM_HITS, sizeof *hits);
  if (hits == NULL) return false;
  memory_release(w->search->memory, w->hits, w->hit_capacity + SIMD_ROOM_HITS, sizeof *hits);
  w->hits = hits;
  w->hit_capacity = capacity;
  return true;
}

/* The list begins with the block itself, in order, so that row i meets what comes after i. Rows are sorted by level:
 * numbers in the list ascend. */
static bool gather(meeting_searcher *w, int level, const grid_run *run, size_t first, size_t end) {
  const grid *g = w->grid;
  float bound[6];
  bound_block(g, run, first, end, bound);
  w->list.count = 0;
  if (!cull_run(&w->reader, run, first, end, bound, &w->list) ||
      !cull_run(&w->reader, run, end, run[1].first, bound, &w->list))
    return false;
  w->list_end[level] = w->list.count;
  climb(w, level + 1, grid_cell_parent(run->cell));
  for (int above = level + 1; above <= g->highest; above++) {
    const uint32_t number = w->ancestors[above].run;
    if (number != GRID_NO_RUN) {
      const grid_run *met = &g->runs[number];
      if (bounds_meet(met->bound, bound) && !cull_run(&w->reader, met, met->first, met[1].first, bound, &w->list))
        return false;
    }
    w->list_end[above] = w->list.count;
  }
  box_rows_close(&w->list);
  return make_hit_room(w);
}

/* ---------------------------------------------------------------------------------------------- meetings */

static int trailing_zeros(int32_t number) {
  return number == 0 ? GRID_LEVEL_COUNT : __builtin_ctz((uint32_t)number);
}

/* The highest level that a row of this cell looks at; see the top of the file. */
static int highest_for(const meeting_searcher *w, int level, grid_cell cell, const float bound[6]) {
  const grid_cell low = grid_cell_of(bound[0], bound[1], bound[2], w->inverse_side[level]);
  int steps = GRID_LEVEL_COUNT;
  if (cell.x != low.x && trailing_zeros(cell.x) < steps) steps = trailing_zeros(cell.x);
  if (cell.y != low.y && trailing_zeros(cell.y) < steps) steps = trailing_zeros(cell.y);
  if (cell.z != low.z && trailing_zeros(cell.z) < steps) steps = trailing_zeros(cell.z);
  return level + steps < w->grid->highest ? level + steps : w->grid->highest;
}

/* Whether this cell, at the level of the coarser of two primitives, has the lower corner of what their boxes share:
 * true in exactly one of the cells in which they meet. */
static bool meet_here_first(const meeting_searcher *w, const float bound[6], uint32_t row, int level, grid_cell cell) {
  const box_rows *rows = &w->grid->rows;
  float low[3];
  for (int axis = 0; axis < 3; axis++)
    low[axis] = bound[axis] > rows->bound[axis][row] ? bound[axis] : rows->bound[axis][row];
  return grid_cells_equal(grid_cell_of(low[0], low[1], low[2], w->inverse_side[level]), cell);
}

static bool first_meeting_of(const meeting_searcher *w, const float bound[6], uint32_t row, int level, grid_cell cell) {
  const grid *g = w->grid;
  int met = level;
  while (row >= g->runs[g->levels[met].end_run].first) met++;
  const int steps = met - level;
  const grid_cell ancestor = {cell.x >> steps, cell.y >> steps, cell.z >> steps};
  return meet_here_first(w, bound, row, met, ancestor);
}

static bool name_meetings(meeting_searcher *w, uint32_t row, const float bound[6], int level, grid_cell cell,
                          size_t count) {
  const grid *g = w->grid;
  const primitive_view *view = w->search->view;
  const uint32_t a = g->ids[row];
  const partner_rule rule = partner_rule_of(view, &g->tags[row], a, grid_fourth_corner(g, row));
  for (size_t i = 0; i < count; i++) {
    const uint32_t met = w->hits[i], b = g->ids[met];
    if (!partner_is_asked_for(view, &rule, &g->tags[met])) continue;
    if (partner_is_skipped(view, &rule, &g->tags[met], b, grid_fourth_corner(g, met))) {
      w->neighbours += first_meeting_of(w, bound, met, level, cell);
      continue;
    }
    w->batch[w->batch_count++] = a < b ? (index_pair){a, b} : (index_pair){b, a};
    if (w->batch_count == MEETING_BATCH && !flush(w)) return false;
  }
  return true;
}

/* What row i of the list meets. The sweep reads whole vectors and may name some behind the end that it was given:
 * those are of higher levels, and their numbers tell. */
static bool search_row(meeting_searcher *w, int level, grid_cell cell, size_t i) {
  const grid *g = w->grid;
  const uint32_t row = w->list.number[i];
  if (!object_has_partners(w->search->view, g->tags[row].object)) return true;
  float bound[6];
  for (int side = 0; side < 6; side++) bound[side] = w->list.bound[side][i];
  const int highest = highest_for(w, level, cell, bound);
  box_rows list = w->list;
  list.count = w->list_end[highest];
  size_t count = w->reader.kernels->sweep(&list, i + 1, bound, w->hits);
  w->reader.box_tests += list.count - (i + 1);
  const size_t end_row = g->runs[g->levels[highest].end_run].first;
  while (count > 0 && w->hits[count - 1] >= end_row) count--;
  return name_meetings(w, row, bound, level, cell, count);
}

static bool search_block(meeting_searcher *w, int level, const grid_run *run, size_t first, size_t end) {
  if (!gather(w, level, run, first, end)) return false;
  for (size_t i = 0; i < end - first; i++)
    if (!search_row(w, level, run->cell, i)) return false;
  return true;
}

/* ---------------------------------------------------------------------------------------------- tasks */

static bool search_rows(meeting_searcher *w, size_t row, size_t end_row) {
  const grid *g = w->grid;
  int level = 0;
  for (size_t run = grid_run_of_row(g, row); row < end_row; run++) {
    while (run >= g->levels[level].end_run) level++;
    const size_t run_end = g->runs[run + 1].first;
    while (row < run_end && row < end_row) {
      size_t end = row + BLOCK_ROWS < run_end ? row + BLOCK_ROWS : run_end;
      if (end > end_row) end = end_row;
      if (!search_block(w, level, &g->runs[run], row, end)) return false;
      row = end;
    }
  }
  return true;
}

static void run_task(void *context, uint32_t index, uint32_t worker) {
  meeting_searcher *w = (meeting_searcher *)context + worker;
  if (search_skips(w->search, index)) return;
  const size_t first = (size_t)index * TASK_ROWS, row_count = w->grid->rows.count;
  if (!search_rows(w, first, first + TASK_ROWS < row_count ? first + TASK_ROWS : row_count) || !flush(w))
    search_stop_out_of_memory(w->search);
}

static void init_searcher(meeting_searcher *w, const grid *g, search *s, pair_list *meetings, uint32_t worker) {
  *w =
      (meeting_searcher){.grid = g, .search = s, .meetings = meetings, .reader = run_reader_of(g, s), .worker = worker};
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) w->inverse_side[level] = 1.0f / grid_cell_side(level);
}

bool replicated_meetings(const grid *g, search *s, pair_list *meetings) {
  const uint32_t worker_count = workers_count(s->workers);
  meeting_searcher *searchers = memory_allocate(s->memory, worker_count, sizeof *searchers);
  if (searchers == NULL) return false;
  for (uint32_t i = 0; i < worker_count; i++) init_searcher(&searchers[i], g, s, meetings, i);
  workers_run(s->workers, run_task, searchers, (uint32_t)((g->rows.count + TASK_ROWS - 1) / TASK_ROWS));
  for (uint32_t i = 0; i < worker_count; i++) {
    meeting_searcher *w = &searchers[i];
    s->counts.box_tests += w->reader.box_tests;
    s->counts.neighbours += w->neighbours;
    box_rows_release(&w->list, s->memory);
    memory_release(s->memory, w->hits, w->hit_capacity + SIMD_ROOM_HITS, sizeof *w->hits);
  }
  memory_release(s->memory, searchers, worker_count, sizeof *searchers);
  return !atomic_load(&s->out_of_memory);
}
