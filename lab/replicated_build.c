/* Builds the replicated grid: an entry in each cell that a box reaches, sorted by level and Morton code.
 *
 * Workload: about two entries per primitive. All workers make keys, the sort and the entries; one makes ranges and
 * tables. */
#include "lab/replicated_grid.h"

#include "base/prefix_sum.h"
#include "base/radix_sort.h"
#include "broad/grid_build.h"
#include "broad/grid_data.h"
#include "broad/primitive_box.h"

enum {
  GRAIN = 8192,
  KEY_LEVEL_SHIFT = 58, /* a key is the level above 57 bits of Morton code */
  KEY_HALF = 1 << 18    /* of the numbers of 19 bits: those of cells begin below zero */
};

typedef struct build {
  replicated_grid *made;
  const search *search;
  uint32_t *first; /* a primitive each, and the end: its first entry */
  size_t primitive_count, count;
  uint64_t *keys, *key_scratch;
  uint32_t *ids, *id_scratch;
} build;

/* ---------------------------------------------------------------------------------------------- keys */

/* The cells at the lower and at the upper corner of a box, of which each coordinate differs by one at most. */
static void cells_of(const primitive_box *box, int level, grid_cell *low_out, grid_cell *high_out) {
  const float inverse_side = 1.0f / grid_cell_side(level);
  *low_out = grid_cell_of(box->min[0], box->min[1], box->min[2], inverse_side);
  *high_out = grid_cell_of(box->max[0], box->max[1], box->max[2], inverse_side);
}

static uint64_t key_of(int level, int32_t x, int32_t y, int32_t z) {
  return (uint64_t)level << KEY_LEVEL_SHIFT | cell_hash_morton(x + KEY_HALF, y + KEY_HALF, z + KEY_HALF);
}

static grid_cell cell_of_key(uint64_t key) {
  const uint64_t code = key & ((UINT64_C(1) << KEY_LEVEL_SHIFT) - 1);
  return (grid_cell){(int32_t)cell_hash_collect(code) - KEY_HALF, (int32_t)cell_hash_collect(code >> 1) - KEY_HALF,
                     (int32_t)cell_hash_collect(code >> 2) - KEY_HALF};
}

static int level_of_key(uint64_t key) {
  return (int)(key >> KEY_LEVEL_SHIFT);
}

static void count_cells(void *context, size_t first, size_t end, uint32_t worker) {
  const build *b = context;
  const primitive_view *view = b->search->view;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    b->first[i] = 0;
    if (view->searched[i] == 0) continue;
    const primitive_box box = primitive_box_at(view, i);
    grid_cell low, high;
    cells_of(&box, replicated_level(&box), &low, &high);
    b->first[i] = (uint32_t)((high.x - low.x + 1) * (high.y - low.y + 1) * (high.z - low.z + 1));
  }
}

static void write_keys(void *context, size_t first, size_t end, uint32_t worker) {
  const build *b = context;
  const primitive_view *view = b->search->view;
  (void)worker;
  for (size_t i = first; i < end; i++) {
    if (view->searched[i] == 0) continue;
    const primitive_box box = primitive_box_at(view, i);
    const int level = replicated_level(&box);
    grid_cell low, high;
    cells_of(&box, level, &low, &high);
    size_t at = b->first[i];
    for (int32_t z = low.z; z <= high.z; z++)
      for (int32_t y = low.y; y <= high.y; y++)
        for (int32_t x = low.x; x <= high.x; x++, at++) {
          b->keys[at] = key_of(level, x, y, z);
          b->ids[at] = (uint32_t)i;
        }
  }
}

static bool make_keys(build *b) {
  const search *s = b->search;
  b->first = memory_allocate(s->memory, b->primitive_count + 1, sizeof *b->first);
  if (b->first == NULL) return false;
  b->first[b->primitive_count] = 0;
  workers_for(s->workers, b->primitive_count, GRAIN, count_cells, b);
  const uint64_t count = prefix_sum_parallel(b->first, b->primitive_count + 1, s->workers);
  if (stop_is_requested(s->stop) || count >= GRID_NO_RANGE) return false;
  b->count = (size_t)count;
  b->keys = memory_allocate(s->memory, 2 * b->count, sizeof *b->keys);
  b->ids = memory_allocate(s->memory, b->count, sizeof *b->ids);
  b->id_scratch = memory_allocate(s->memory, b->count, sizeof *b->id_scratch);
  if (b->keys == NULL || b->ids == NULL || b->id_scratch == NULL) return false;
  b->key_scratch = b->keys + b->count;
  workers_for(s->workers, b->primitive_count, GRAIN, write_keys, b);
  radix_sort_pairs_stoppable(b->keys, b->ids, b->key_scratch, b->id_scratch, b->count, 64, s->memory, s->workers,
                             s->stop);
  return !stop_was_requested(s->stop);
}

/* ---------------------------------------------------------------------------------------------- ranges */

static void insert_range(const build *b, uint32_t run) {
  grid *g = &b->made->grid;
  const grid_cell cell = g->ranges[run].cell;
  const int level = level_of_key(b->keys[g->ranges[run].first]);
  const grid_level *l = &g->levels[level];
  uint64_t slot = grid_slot(l, lab_cell_hash(b->made->hash, cell.x, cell.y, cell.z, level));
  while (g->slots[l->first_slot + slot] != GRID_NO_RANGE) slot = (slot + 1) & l->slot_mask;
  g->slots[l->first_slot + slot] = run;
}

static bool make_ranges(build *b) {
  const search *s = b->search;
  grid *g = &b->made->grid;
  uint32_t range_counts[GRID_LEVEL_COUNT] = {0};
  for (size_t i = 0; i < b->count; i++)
    if (i == 0 || b->keys[i] != b->keys[i - 1]) range_counts[level_of_key(b->keys[i])]++;
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) g->range_count += range_counts[level];
  grid_lay_out_levels(g, range_counts);
  g->ranges = memory_allocate(s->memory, g->range_count + 1, sizeof *g->ranges);
  g->slots = memory_allocate(s->memory, g->slot_count, sizeof *g->slots);
  if (g->ranges == NULL || g->slots == NULL) return false;
  memset(g->slots, 0xff, g->slot_count * sizeof *g->slots);
  uint32_t run = 0;
  for (size_t i = 0; i < b->count; i++) {
    if (i > 0 && b->keys[i] == b->keys[i - 1]) continue;
    g->ranges[run] = (cell_range){.cell = cell_of_key(b->keys[i]), .first = (uint32_t)i};
    insert_range(b, run++);
  }
  g->ranges[g->range_count].first = (uint32_t)b->count;
  return !stop_is_requested(s->stop);
}

/* ---------------------------------------------------------------------------------------------- all of it */

bool replicated_build(replicated_grid *made, const search *s) {
  build b = {.made = made, .search = s, .primitive_count = s->view->primitive_count};
  made->grid.sides = (grid_sides){.count = 1};
  const bool ranged = make_keys(&b) && make_ranges(&b);
  made->grid.ids = b.ids;
  made->grid.entry_count = b.count;
  memory_release(s->memory, b.first, b.primitive_count + 1, sizeof *b.first);
  memory_release(s->memory, b.keys, 2 * b.count, sizeof *b.keys);
  memory_release(s->memory, b.id_scratch, b.count, sizeof *b.id_scratch);
  return ranged && box_list_reserve_places(&made->grid.entries, s->memory, b.count) &&
         grid_make_entries(&made->grid, s);
}
