/* Building the grid: count, prefix sum, place, arrange.
 *
 * Workload: 10^4 to 10^7 primitives, most of them on two to five levels, about five to a cell; built once a frame and
 * read once. A bucket holds one cell most of the time, and may hold all primitives in the worst case. */
#include "broad/grid.h"

#include "base/arena.h"
#include "base/prefix_sum.h"

#include <string.h>

enum {
  BUILD_GRAIN = 8192,
  SMALLEST_TABLE = 64, /* 4 x 4 x 4 cells: then no two neighbours of a cell share a Morton bucket */
  SMALL_BUCKET = 64    /* sorted on the stack by insertion */
};

typedef struct place {
  uint32_t bucket, rank;
} place;

typedef struct build {
  grid *grid;
  const primitive_view *view;
  place *places;
  uint32_t *order; /* primitives in bucket order */
  float inverse_side[GRID_LEVEL_COUNT];
  bool shared; /* several workers count at the same time */
  arena *arenas;
  memory *memory;
  atomic_bool out_of_memory;
} build;

static uint32_t table_size(size_t population) {
  uint32_t size = SMALLEST_TABLE;
  while (size < population && size < (1u << 30)) size *= 2;
  return size;
}

static void lay_out_levels(grid *g, const primitive_view *view) {
  g->lowest = GRID_LEVEL_COUNT;
  g->highest = -1;
  size_t bucket_count = 0;
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) {
    if (view->level_population[level] == 0) continue;
    const uint32_t size = table_size(view->level_population[level]);
    g->levels[level] = (grid_level){(uint32_t)bucket_count, size - 1, true};
    bucket_count += size;
    if (level < g->lowest) g->lowest = level;
    g->highest = level;
  }
  g->bucket_count = bucket_count;
}

/* Rank is the number of primitives that came to the bucket before; with several workers it is whatever the race gives,
 * and `arrange` puts the bucket in order afterwards. */
static void count_range(void *context, size_t first, size_t end, uint32_t worker) {
  build *b = context;
  (void)worker;
  uint32_t *counts = b->grid->starts;
  for (size_t i = first; i < end; i++) {
    const uint8_t level = b->view->levels[i];
    if (level == LEVEL_NOT_SEARCHED) continue;
    const float *min = b->view->boxes[i].min;
    const uint32_t bucket = grid_bucket(b->grid, level, grid_cell_of(min[0], min[1], min[2], b->inverse_side[level]));
    const uint32_t rank = b->shared ? __atomic_fetch_add(&counts[bucket], 1, __ATOMIC_RELAXED) : counts[bucket]++;
    b->places[i] = (place){bucket, rank};
  }
}

static void place_range(void *context, size_t first, size_t end, uint32_t worker) {
  build *b = context;
  (void)worker;
  for (size_t i = first; i < end; i++)
    if (b->view->levels[i] != LEVEL_NOT_SEARCHED)
      b->order[b->grid->starts[b->places[i].bucket] + b->places[i].rank] = (uint32_t)i;
}

/* What orders the primitives of a bucket: by cell first, so that those of one cell lie together; in a crowded cell by a
 * finer Morton code, so that blocks of neighbours in the rows are small in space; by number last, so that the order
 * does not depend on the workers. */
typedef struct bucket_entry {
  grid_cell cell;
  uint32_t fine;
  uint32_t id;
} bucket_entry;

static bool entry_before(const bucket_entry *a, const bucket_entry *b) {
  if (a->cell.x != b->cell.x) return a->cell.x < b->cell.x;
  if (a->cell.y != b->cell.y) return a->cell.y < b->cell.y;
  if (a->cell.z != b->cell.z) return a->cell.z < b->cell.z;
  if (a->fine != b->fine) return a->fine < b->fine;
  return a->id < b->id;
}

static void sort_by_insertion(bucket_entry *entries, size_t count) {
  for (size_t i = 1; i < count; i++) {
    const bucket_entry moved = entries[i];
    size_t at = i;
    for (; at > 0 && entry_before(&moved, &entries[at - 1]); at--) entries[at] = entries[at - 1];
    entries[at] = moved;
  }
}

static void sort_by_merging(bucket_entry *entries, bucket_entry *scratch, size_t count) {
  for (size_t first = 0; first < count; first += SMALL_BUCKET)
    sort_by_insertion(entries + first, count - first < SMALL_BUCKET ? count - first : SMALL_BUCKET);
  for (size_t width = SMALL_BUCKET; width < count; width *= 2) {
    for (size_t first = 0; first < count; first += 2 * width) {
      const size_t middle = first + width < count ? first + width : count;
      const size_t end = first + 2 * width < count ? first + 2 * width : count;
      size_t left = first, right = middle;
      for (size_t at = first; at < end; at++) {
        const bool take_right = left == middle || (right < end && entry_before(&entries[right], &entries[left]));
        scratch[at] = take_right ? entries[right++] : entries[left++];
      }
    }
    memcpy(entries, scratch, count * sizeof *entries);
  }
}

/* Ten bits an axis of the position within the cell. */
static uint32_t fine_code(const float *min, grid_cell cell, float inverse_side) {
  const float within[3] = {min[0] * inverse_side - (float)cell.x, min[1] * inverse_side - (float)cell.y,
                           min[2] * inverse_side - (float)cell.z};
  int32_t step[3];
  for (int axis = 0; axis < 3; axis++) {
    const float scaled = within[axis] * 1024.0f;
    step[axis] = scaled < 0.0f ? 0 : scaled > 1023.0f ? 1023 : (int32_t)scaled;
  }
  return (uint32_t)cell_hash_morton(step[0], step[1], step[2]);
}

static void fill_entries(const build *b, const uint32_t *ids, size_t count, bool fine, bucket_entry *entries) {
  for (size_t i = 0; i < count; i++) {
    const float *min = b->view->boxes[ids[i]].min;
    const float inverse_side = b->inverse_side[b->view->levels[ids[i]]];
    const grid_cell cell = grid_cell_of(min[0], min[1], min[2], inverse_side);
    entries[i] = (bucket_entry){cell, fine ? fine_code(min, cell, inverse_side) : 0, ids[i]};
  }
}

static bool arrange_large_bucket(build *b, uint32_t *ids, size_t count, uint32_t worker) {
  arena *scratch = &b->arenas[worker];
  const arena_position position = arena_mark(scratch);
  bucket_entry *entries = arena_allocate(scratch, b->memory, 2 * count * sizeof *entries, sizeof(uint32_t));
  if (entries == NULL) return false;
  fill_entries(b, ids, count, true, entries);
  sort_by_merging(entries, entries + count, count);
  for (size_t i = 0; i < count; i++) ids[i] = entries[i].id;
  arena_rewind(scratch, position);
  return true;
}

static void arrange_small_bucket(const build *b, uint32_t *ids, size_t count) {
  bucket_entry entries[SMALL_BUCKET];
  fill_entries(b, ids, count, false, entries);
  sort_by_insertion(entries, count);
  for (size_t i = 0; i < count; i++) ids[i] = entries[i].id;
}

static void copy_rows(const build *b, size_t first, size_t end) {
  const box_rows *rows = &b->grid->rows;
  for (size_t at = first; at < end; at++) {
    const uint32_t id = b->order[at];
    const primitive_box *box = &b->view->boxes[id];
    for (int axis = 0; axis < 3; axis++) {
      rows->bound[axis][at] = box->min[axis];
      rows->bound[axis + 3][at] = box->max[axis];
      rows->corner[axis][at] = b->view->corners[id][axis];
    }
    rows->object[at] = b->view->object_of[id];
    rows->id[at] = id;
  }
}

static void arrange_range(void *context, size_t first, size_t end, uint32_t worker) {
  build *b = context;
  const uint32_t *starts = b->grid->starts;
  for (size_t bucket = first; bucket < end; bucket++) {
    const size_t count = starts[bucket + 1] - starts[bucket];
    uint32_t *ids = b->order + starts[bucket];
    if (count < 2) continue;
    if (count <= SMALL_BUCKET)
      arrange_small_bucket(b, ids, count);
    else if (!arrange_large_bucket(b, ids, count, worker))
      atomic_store(&b->out_of_memory, true);
  }
  copy_rows(b, starts[first], starts[end]);
}

static bool run_build(build *b, const search *s) {
  const size_t count = b->view->primitive_count;
  grid *g = b->grid;
  memset(g->starts, 0, (g->bucket_count + 1) * sizeof *g->starts);
  workers_for(s->workers, count, BUILD_GRAIN, count_range, b);
  const uint64_t total = prefix_sum_parallel(g->starts, g->bucket_count + 1, s->workers);
  g->rows.count = total;
  if (!box_rows_reserve(&g->rows, s->memory, total)) return false;
  b->order = memory_allocate(s->memory, total, sizeof *b->order);
  if (b->order == NULL) return false;
  workers_for(s->workers, count, BUILD_GRAIN, place_range, b);
  workers_for(s->workers, g->bucket_count, BUILD_GRAIN, arrange_range, b);
  memory_release(s->memory, b->order, total, sizeof *b->order);
  return !atomic_load(&b->out_of_memory);
}

bool grid_build(grid *g, const search *s) {
  const uint32_t worker_count = workers_count(s->workers);
  build b = {.grid = g, .view = s->view, .shared = worker_count > 1, .memory = s->memory};
  const size_t count = s->view->primitive_count;
  g->hash = s->hash;
  lay_out_levels(g, s->view);
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) b.inverse_side[level] = 1.0f / grid_cell_side(level);
  g->starts = memory_allocate(s->memory, g->bucket_count + 1, sizeof *g->starts);
  b.places = memory_allocate(s->memory, count, sizeof *b.places);
  b.arenas = memory_allocate(s->memory, worker_count, sizeof *b.arenas);
  bool built = false;
  if (b.arenas != NULL) {
    for (uint32_t i = 0; i < worker_count; i++) arena_init(&b.arenas[i]);
    built = g->starts != NULL && b.places != NULL && run_build(&b, s);
    for (uint32_t i = 0; i < worker_count; i++) arena_release(&b.arenas[i], s->memory);
  }
  memory_release(s->memory, b.arenas, worker_count, sizeof *b.arenas);
  memory_release(s->memory, b.places, count, sizeof *b.places);
  return built;
}

void grid_release(grid *g, memory *heap) {
  box_rows_release(&g->rows, heap);
  memory_release(heap, g->starts, g->bucket_count + 1, sizeof *g->starts);
  *g = (grid){0};
}
