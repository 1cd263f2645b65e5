/* Searches the replicated grid; see replicated_grid.h.
 *
 * The entries are divided into blocks of one cell C at level l. A block's list contains the entries of its own range
 * from the block on and, for each level above, the entries in the range of C's ancestor that intersect the block. Each
 * entry of the block sweeps the list from its own position.
 *
 * A primitive with entries in several cells below one ancestor must search it only once: from the first of those cells
 * along each axis. An entry in the cell of its box's lower corner searches all levels. Other entries are one cell after
 * it along some axes, and search an ancestor only if a border of that ancestor lies between: the border before cell x
 * is one of the level k higher if 2^k divides x. So each entry searches up to one highest level.
 *
 * Workload: about two entries per primitive, ten per block, 20 to 200 per list; a pair is found one and a half to two
 * times on average. */
#include "lab/replicated_grid.h"

#include "broad/grid_data.h"
#include "broad/grid_range_reader.h"
#include "broad/partner_rule.h"

/* Entries that a sweep has hit. A zeroed struct has none. */
typedef struct hit_list {
  uint32_t *entries; /* room for capacity + SIMD_ROOM_HITS */
  size_t capacity;
} hit_list;

enum {
  SIMD_ROOM_HITS = 16, /* what a kernel may write behind its last hit */
  RAW_CANDIDATE_BATCH = 256,
  BLOCK_ENTRIES = 32,         /* a cell of many entries is met by several blocks, each with a small box */
  LIST_BETWEEN_LEAVING = 4096 /* with a longer list a block may take long, and asks between entries */
};

/* The last ancestor that was looked up at a level. */
typedef struct ancestor_range {
  grid_cell cell;
  bool known;
  uint32_t run; /* or GRID_NO_RANGE */
} ancestor_range;

/* What one worker keeps while it searches. */
typedef struct raw_candidate_searcher {
  const grid *grid;
  lab_hash hash;
  search *search;
  pair_list *raw_candidates;
  range_reader reader;
  uint32_t worker, task;
  float inverse_side[GRID_LEVEL_COUNT];
  ancestor_range ancestors[GRID_LEVEL_COUNT];
  box_list list;
  size_t list_end[GRID_LEVEL_COUNT]; /* of what belongs to the level and the levels below */
  hit_list hits;
  index_pair batch[RAW_CANDIDATE_BATCH];
  size_t batch_count;
  uint64_t neighbors;
  char separation[64]; /* workers' counters lie on different cache lines */
} raw_candidate_searcher;

static bool flush(raw_candidate_searcher *w) {
  const size_t count = w->batch_count;
  w->batch_count = 0;
  return count == 0 || pair_list_append(w->raw_candidates, w->search->memory, w->worker, w->batch, count);
}

/* ---------------------------------------------------------------------------------------------- the list of a block */

/* Looks up the ancestors of a cell from `level` on. One that is known already has ancestors that are known. */
static void climb(raw_candidate_searcher *w, int level, grid_cell cell) {
  for (; level <= w->grid->highest; level++, cell = grid_cell_parent(cell)) {
    ancestor_range *ancestor = &w->ancestors[level];
    if (ancestor->known && grid_cells_equal(ancestor->cell, cell)) return;
    *ancestor = (ancestor_range){cell, true, GRID_NO_RANGE};
    if (grid_level_occupied(w->grid, level))
      ancestor->run = grid_find_range(w->grid, level, cell, lab_cell_hash(w->hash, cell.x, cell.y, cell.z, level));
  }
}

static void release_hits(range_reader *reader, hit_list *hits) {
  memory_release(reader->memory, hits->entries, hits->capacity + SIMD_ROOM_HITS, sizeof *hits->entries);
  *hits = (hit_list){0};
}

/* Room for a hit in each of the list; false when out of memory. */
static bool make_hit_room(range_reader *reader, hit_list *hits, const box_list *list) {
  if (list->count <= hits->capacity) return true;
  const size_t capacity = list->capacity;
  uint32_t *entries = memory_allocate(reader->memory, capacity + SIMD_ROOM_HITS, sizeof *entries);
  if (entries == NULL) return false;
  release_hits(reader, hits);
  *hits = (hit_list){entries, capacity};
  return true;
}

/* Appends those of the entries that meet the box, in order; false when out of memory. */
static bool cull(raw_candidate_searcher *w, size_t first, size_t end, const float bound[6]) {
  if (!reserve_boxes(&w->reader, &w->list, end - first)) return false;
  w->reader.kernels->cull(&w->grid->entries, first, end, bound, &w->list);
  w->reader.box_tests += end - first;
  return true;
}

/* The list begins with the block itself, in order, so that entry i meets what comes after i. Entries are sorted by
 * level: numbers in the list ascend. */
static bool gather(raw_candidate_searcher *w, int level, const cell_range *run, size_t first, size_t end) {
  const grid *g = w->grid;
  float bound[6];
  bound_block(g, run, first, end, bound);
  w->list.count = 0;
  if (!cull(w, first, end, bound) || !cull(w, end, run[1].first, bound)) return false;
  w->list_end[level] = w->list.count;
  climb(w, level + 1, grid_cell_parent(run->cell));
  for (int above = level + 1; above <= g->highest; above++) {
    const uint32_t number = w->ancestors[above].run;
    if (number != GRID_NO_RANGE) {
      const cell_range *met = &g->ranges[number];
      if (bounds_meet(met->bound, bound) && !cull(w, met->first, met[1].first, bound)) return false;
    }
    w->list_end[above] = w->list.count;
  }
  box_list_close(&w->list);
  return make_hit_room(&w->reader, &w->hits, &w->list);
}

/* ---------------------------------------------------------------------------------------------- raw candidates */

static int trailing_zeros(int32_t number) {
  return number == 0 ? GRID_LEVEL_COUNT : __builtin_ctz((uint32_t)number);
}

/* The highest level that an entry of this cell looks at; see the top of the file. */
static int highest_for(const raw_candidate_searcher *w, int level, grid_cell cell, const float bound[6]) {
  const grid_cell low = grid_cell_of(bound[0], bound[1], bound[2], w->inverse_side[level]);
  int steps = GRID_LEVEL_COUNT;
  if (cell.x != low.x && trailing_zeros(cell.x) < steps) steps = trailing_zeros(cell.x);
  if (cell.y != low.y && trailing_zeros(cell.y) < steps) steps = trailing_zeros(cell.y);
  if (cell.z != low.z && trailing_zeros(cell.z) < steps) steps = trailing_zeros(cell.z);
  return level + steps < w->grid->highest ? level + steps : w->grid->highest;
}

/* Whether this cell, at the level of the coarser of two primitives, has the lower corner of what their boxes share:
 * true in exactly one of the cells in which they meet. */
static bool meet_here_first(const raw_candidate_searcher *w, const float bound[6], uint32_t entry, int level,
                            grid_cell cell) {
  const box_list *entries = &w->grid->entries;
  float low[3];
  for (int axis = 0; axis < 3; axis++)
    low[axis] = bound[axis] > entries->bound[axis][entry] ? bound[axis] : entries->bound[axis][entry];
  return grid_cells_equal(grid_cell_of(low[0], low[1], low[2], w->inverse_side[level]), cell);
}

static bool first_raw_candidate_of(const raw_candidate_searcher *w, const float bound[6], uint32_t entry, int level,
                                   grid_cell cell) {
  const grid *g = w->grid;
  int met = level;
  while (entry >= g->ranges[g->levels[met].end_range].first) met++;
  const int steps = met - level;
  const grid_cell ancestor = {cell.x >> steps, cell.y >> steps, cell.z >> steps};
  return meet_here_first(w, bound, entry, met, ancestor);
}

static bool name_raw_candidates(raw_candidate_searcher *w, uint32_t entry, const float bound[6], int level,
                                grid_cell cell, size_t count) {
  const grid *g = w->grid;
  const primitive_view *view = w->search->view;
  const uint32_t a = g->ids[entry];
  const partner_rule rule = partner_rule_of(view, &g->headers[entry], a, grid_fourth_corner(g, entry));
  for (size_t i = 0; i < count; i++) {
    const uint32_t met = w->hits.entries[i], b = g->ids[met];
    if (!partner_is_requested(view, &rule, &g->headers[met])) continue;
    if (partner_is_skipped(view, &rule, &g->headers[met], b, grid_fourth_corner(g, met))) {
      w->neighbors += first_raw_candidate_of(w, bound, met, level, cell);
      continue;
    }
    w->batch[w->batch_count++] = a < b ? (index_pair){a, b} : (index_pair){b, a};
    if (w->batch_count == RAW_CANDIDATE_BATCH && !flush(w)) return false;
  }
  return true;
}

/* What entry i of the list meets. The sweep reads whole vectors and may name some behind the end that it was given:
 * those are of higher levels, and their numbers tell. */
static bool search_entry(raw_candidate_searcher *w, int level, grid_cell cell, size_t i) {
  const grid *g = w->grid;
  const uint32_t entry = w->list.number[i];
  if (!object_has_partners(w->search->view, g->headers[entry].object)) return true;
  float bound[6];
  for (int side = 0; side < 6; side++) bound[side] = w->list.bound[side][i];
  const int highest = highest_for(w, level, cell, bound);
  box_list list = w->list;
  list.count = w->list_end[highest];
  size_t count = w->reader.kernels->sweep(&list, i + 1, bound, w->hits.entries);
  w->reader.box_tests += list.count - (i + 1);
  const size_t end_entry = g->ranges[g->levels[highest].end_range].first;
  while (count > 0 && w->hits.entries[count - 1] >= end_entry) count--;
  return name_raw_candidates(w, entry, bound, level, cell, count);
}

static bool search_block(void *context, int level, const cell_range *run, size_t first, size_t end) {
  raw_candidate_searcher *w = context;
  bool going = gather(w, level, run, first, end);
  for (size_t i = 0; going && i < end - first; i++) {
    going = search_entry(w, level, run->cell, i);
    if (going && w->list.count > LIST_BETWEEN_LEAVING && search_leaves(w->search, w->task)) return false;
  }
  if (!going) search_stop_out_of_memory(w->search);
  return going;
}

/* ---------------------------------------------------------------------------------------------- tasks */

static void run_task(void *context, uint32_t index, uint32_t worker) {
  raw_candidate_searcher *w = (raw_candidate_searcher *)context + worker;
  w->task = index;
  if (grid_walk_task(w->grid, w->search, index, BLOCK_ENTRIES, search_block, w) && !flush(w))
    search_stop_out_of_memory(w->search);
}

static void init_searcher(raw_candidate_searcher *w, const replicated_grid *g, search *s, pair_list *raw_candidates,
                          uint32_t worker) {
  *w = (raw_candidate_searcher){.grid = &g->grid,
                                .hash = g->hash,
                                .search = s,
                                .raw_candidates = raw_candidates,
                                .reader = range_reader_of(&g->grid, s),
                                .worker = worker};
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) w->inverse_side[level] = 1.0f / grid_cell_side(level);
}

bool replicated_raw_candidates(const replicated_grid *g, search *s, pair_list *raw_candidates) {
  const uint32_t worker_count = workers_count(s->workers);
  raw_candidate_searcher *searchers = memory_allocate(s->memory, worker_count, sizeof *searchers);
  if (searchers == NULL) return false;
  for (uint32_t i = 0; i < worker_count; i++) init_searcher(&searchers[i], g, s, raw_candidates, i);
  workers_run(s->workers, run_task, searchers, grid_task_count(&g->grid));
  for (uint32_t i = 0; i < worker_count; i++) {
    raw_candidate_searcher *w = &searchers[i];
    s->counts.box_tests += w->reader.box_tests;
    s->counts.neighbors += w->neighbors;
    box_list_release(&w->list, s->memory);
    release_hits(&w->reader, &w->hits);
  }
  memory_release(s->memory, searchers, worker_count, sizeof *searchers);
  return search_result(s) == GRAZE_OK;
}
