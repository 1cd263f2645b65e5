/* Builds the grid of the broad phase: keys, sort, cell ranges, hash table.
 *
 * Workload: 10^4 to 10^7 primitives, most of them on two to five levels, some five per cell; built once per frame
 * and read once. Every pass is over index ranges and gives the same arrays for any number of workers. */
#include "broad/grid_build.h"

#include "base/cell_hash.h"
#include "base/prefix_sum.h"
#include "base/radix_sort.h"
#include "base/workers.h"
#include "broad/grid_data.h"
#include "broad/grid_floor.h"
#include "broad/primitive_box.h"

enum {
  BUILD_GRAIN = 8192,
  CELL_GRAIN = 512,
  KEY_LEVEL_SHIFT = 58, /* a key is the level above 57 bits of Morton code and one of the side */
  KEY_AXIS_BITS = 19,   /* 19 of the Morton bits per axis */
  KEY_FINE_BITS = 2,    /* at most two bits per axis are finer than the cell: they order its entries. If some cell is
                           crowded, all remaining bits are */
  LEVEL_AXIS_BITS = 30, /* cells of level i: 2^(30 - i) per axis */
  CLEAR_GRAIN = 65536,
  KEYS_AT_ONCE = 256,
  SPLIT_BETWEEN_STOPS = 64 /* keys that stand for several cells, between two checks for a stop */
};

/* The mapping of a level's cell numbers to key bits. If the cells need more bits than available, the lowest are
 * dropped: then several cells have one key, and split_key_run separates them. */
typedef struct level_key {
  float inverse_side;
  float inverse_step; /* of the smallest step in the key; a multiple or a fraction of the cell */
  int fine_bits;      /* finer than the cell */
  int coarse_bits;    /* dropped bits; if there are none, a key stands for one cell */
  int step_bits;      /* per axis, for at least twice as many steps as there are */
  int32_t half; /* half of the numbers of step_bits. Normalized coordinates are at most 1: with this added, steps are in
                   the middle half of the numbers, or next to it. So the bits above them are the same in all keys of a
                   level, and cost the sort nothing */
  int low_bits; /* zero bits of a key below its code: codes of all levels begin at the same bit, below the level, so
                   that the first digit of the sort contains bits of both */
} level_key;

typedef struct build {
  grid *grid;
  const search *search;
  const primitive_view *view;
  grid_floor_sample sample;
  grid_floor floor;
  int side_bits; /* 1 if there are two sides: the bit is below those of the cell */
  level_key level_keys[GRID_LEVEL_COUNT];
  size_t count; /* entries */
  uint64_t *keys, *key_scratch;
  uint32_t *ids, *id_scratch;
  size_t grain; /* elements per range */
  size_t range_count;
  uint32_t *range_first; /* the first output index of each range of primitives, then of entries */
} build;

/* A key, from its highest bit on:
 *
 *   level | Morton code of cells | side | Morton code of the fine steps within the cell | zeros
 *
 * The side has no bit if there is only one, and zeros (low_bits) fill up shorter codes, so that the codes of all
 * levels begin below the level. */
static level_key level_key_of(int level, int other_bits, int most_fine) {
  /* Half of the numbers is at least a whole cell, also at the highest levels. */
  const int cell_bits = LEVEL_AXIS_BITS - level > 2 ? LEVEL_AXIS_BITS - level : 2;
  const int spare = KEY_AXIS_BITS - cell_bits;
  level_key key = {.inverse_side = 1.0f / grid_cell_side(level),
                   .fine_bits = spare > most_fine ? most_fine
                                : spare > 0       ? spare
                                                  : 0,
                   .coarse_bits = spare < 0 ? -spare : 0};
  key.step_bits = cell_bits + key.fine_bits - key.coarse_bits;
  key.half = 1 << (key.step_bits - 1);
  key.low_bits = KEY_LEVEL_SHIFT - other_bits - 3 * key.step_bits;
  key.inverse_step = ldexpf(key.inverse_side, key.fine_bits - key.coarse_bits);
  return key;
}

/* The bits below the level in a key, and the number of them below the cell number. */
static uint64_t key_without_level(uint64_t key) {
  return key & ((UINT64_C(1) << KEY_LEVEL_SHIFT) - 1);
}
static int bits_below_cell(const build *b, const level_key *key) {
  return key->low_bits + b->side_bits + 3 * key->fine_bits;
}

/* A Morton code with the bit of the side, if there are two, above its fine bits. */
static uint64_t with_side(const build *b, uint64_t morton, int fine_bits, uint64_t side) {
  if (b->side_bits == 0) return morton;
  return morton + (morton & ~UINT64_C(0) << fine_bits) + (side << fine_bits); /* shifts the bits above by one */
}

/* The key of a level's Morton code of steps. */
static uint64_t key_of_morton(const build *b, uint8_t level, uint64_t morton, uint64_t side) {
  const level_key *key = &b->level_keys[level];
  const uint64_t steps = with_side(b, morton, 3 * key->fine_bits, side);
  return (uint64_t)level << KEY_LEVEL_SHIFT | steps << key->low_bits;
}

/* The key of a primitive at the floor, computed from its key at a lower level: steps of the floor are multiples of
 * those below, so that step numbers lose their lowest bits. */
static uint64_t lifted_key(const build *b, uint64_t key) {
  const level_key *own = &b->level_keys[key >> KEY_LEVEL_SHIFT], *floor = &b->level_keys[b->floor.level];
  const int fine_bits = 3 * own->fine_bits;
  uint64_t morton = key_without_level(key) >> own->low_bits, side = 0;
  if (b->side_bits > 0) {
    side = morton >> fine_bits & 1;
    morton = (morton >> (fine_bits + 1)) << fine_bits | (morton & ((UINT64_C(1) << fine_bits) - 1));
  }
  return key_of_morton(b, (uint8_t)b->floor.level, morton >> 3 * (own->step_bits - floor->step_bits), side);
}

/* The number of a cell of the floor, equal for both sides. */
static uint64_t floor_cell(const build *b, uint64_t lifted) {
  return lifted >> bits_below_cell(b, &b->level_keys[b->floor.level]);
}

/* ---------------------------------------------------------------------------------------------- keys */

static size_t range_begin(const build *b, size_t range) {
  return range * b->grain;
}
static size_t range_end(const build *b, size_t range, size_t count) {
  return range_begin(b, range + 1) < count ? range_begin(b, range + 1) : count;
}

/* The number of entries of primitives [first, end). */
static uint32_t entries_of(const build *b, size_t first, size_t end) {
  const uint8_t *searched = b->view->searched;
  uint32_t count = 0;
  for (size_t i = first; i < end; i++) count += searched[i];
  return count;
}

static void count_entries(void *context, uint32_t range, uint32_t worker) {
  build *b = context;
  (void)worker;
  const size_t first = range_begin(b, range);
  const size_t end = stop_is_requested(b->search->stop) ? first : range_end(b, range, b->view->primitive_count);
  b->range_first[range] = entries_of(b, first, end);
  grid_floor_sample_add(&b->sample, b->view, first, end);
}

/* Boxes and levels of some primitives, and the parameters of their levels from which keys are computed. */
typedef struct key_batch {
  float bound[6][KEYS_AT_ONCE], inverse_step[KEYS_AT_ONCE];
  int32_t half[KEYS_AT_ONCE];
  uint8_t level[KEYS_AT_ONCE];
} key_batch;

static void fill_batch(const build *b, const uint32_t *primitives, size_t count, key_batch *batch_out) {
  float *const bound[6] = {batch_out->bound[0], batch_out->bound[1], batch_out->bound[2],
                           batch_out->bound[3], batch_out->bound[4], batch_out->bound[5]};
  write_boxes(b->view, primitives, count, bound);
  for (size_t i = 0; i < count; i++) {
    const primitive_box box = {{bound[0][i], bound[1][i], bound[2][i]}, {bound[3][i], bound[4][i], bound[5][i]}};
    batch_out->level[i] = grid_raised_level(b->floor.raised, &box);
  }
  for (size_t i = 0; i < count; i++) {
    const level_key *key = &b->level_keys[batch_out->level[i]];
    batch_out->inverse_step[i] = key->inverse_step;
    batch_out->half[i] = key->half;
  }
}

/* Two loops without branches, which compilers vectorize: see floor_to_int and cell_hash_morton_20. */
static void write_mortons(const key_batch *batch, size_t count, uint64_t *mortons_out) {
  uint32_t steps[3][KEYS_AT_ONCE];
  for (int axis = 0; axis < 3; axis++)
    for (size_t i = 0; i < count; i++)
      steps[axis][i] = (uint32_t)(floor_to_int(batch->bound[axis][i] * batch->inverse_step[i]) + batch->half[i]);
  for (size_t i = 0; i < count; i++) mortons_out[i] = cell_hash_morton_20(steps[0][i], steps[1][i], steps[2][i]);
}

/* Computes the keys of primitives in their owner cells. */
static void write_owner_keys(const build *b, const uint32_t *primitives, size_t count, uint64_t *keys_out) {
  key_batch batch;
  fill_batch(b, primitives, count, &batch);
  write_mortons(&batch, count, keys_out);
  const grid_sides sides = b->grid->sides;
  for (size_t i = 0; i < count; i++)
    keys_out[i] = key_of_morton(b, batch.level[i], keys_out[i], grid_side_of(&sides, primitives[i]));
  for (size_t i = 0; i < count; i++)
    if (batch.level[i] < b->floor.level) grid_floor_count(&b->floor, floor_cell(b, lifted_key(b, keys_out[i])));
}

/* Writes the keys of primitives [first, end) from index `at` on; returns the index after them. */
static size_t write_some_keys(const build *b, size_t first, size_t end, size_t at) {
  uint32_t primitives[KEYS_AT_ONCE];
  size_t count = 0;
  for (size_t i = first; i < end; i++) {
    primitives[count] = (uint32_t)i;
    count += b->view->searched[i];
  }
  for (size_t i = 0; i < count; i++) prefetch_box(b->view, &b->view->headers[primitives[i]]);
  write_owner_keys(b, primitives, count, b->keys + at);
  memcpy(b->ids + at, primitives, count * sizeof *primitives);
  return at + count;
}

static void write_keys(void *context, uint32_t range, uint32_t worker) {
  build *b = context;
  (void)worker;
  if (stop_is_requested(b->search->stop)) return;
  const size_t end = range_end(b, range, b->view->primitive_count);
  size_t at = b->range_first[range];
  for (size_t first = range_begin(b, range); first < end; first += KEYS_AT_ONCE) {
    const size_t last = first + KEYS_AT_ONCE < end ? first + KEYS_AT_ONCE : end;
    /* A query about few primitives skips most ranges. */
    if (memchr(b->view->searched + first, 1, last - first) != NULL) at = write_some_keys(b, first, last, at);
  }
}

/* Gives primitives below the floor, unless they are crowded there, a key of the floor. */
static void lift_keys(void *context, size_t first, size_t end, uint32_t worker) {
  const build *b = context;
  const uint64_t floor_key = (uint64_t)b->floor.level << KEY_LEVEL_SHIFT;
  (void)worker;
  if (stop_is_requested(b->search->stop)) return;
  for (size_t i = first; i < end; i++) {
    if (b->keys[i] >= floor_key) continue;
    const uint64_t lifted = lifted_key(b, b->keys[i]);
    if (grid_floor_lifts(&b->floor, floor_cell(b, lifted))) b->keys[i] = lifted;
  }
}

/* ---------------------------------------------------------------------------------------------- cell ranges */

static int level_of_entry(const build *b, size_t entry) {
  return (int)(b->keys[entry] >> KEY_LEVEL_SHIFT);
}

static const level_key *level_key_of_entry(const build *b, size_t entry) {
  return &b->level_keys[level_of_entry(b, entry)];
}

/* From the box: for keys that stand for several cells. */
static grid_cell cell_of_box(const build *b, size_t entry) {
  const primitive_box box = primitive_box_at(b->view, b->ids[entry]);
  return grid_cell_of(box.min[0], box.min[1], box.min[2], level_key_of_entry(b, entry)->inverse_side);
}

/* From the key: the inverse of key_of_morton. */
static grid_cell cell_of_entry(const build *b, size_t entry) {
  const level_key *key = level_key_of_entry(b, entry);
  if (key->coarse_bits > 0) return cell_of_box(b, entry);
  const uint64_t cells = key_without_level(b->keys[entry]) >> bits_below_cell(b, key);
  const int32_t half = 1 << (key->step_bits - 1 - key->fine_bits);
  return (grid_cell){(int32_t)cell_hash_collect(cells) - half, (int32_t)cell_hash_collect(cells >> 1) - half,
                     (int32_t)cell_hash_collect(cells >> 2) - half};
}

/* The first entry from here on, or `end`, that begins a range: whose level or cell differs from the previous
 * entry's. Bits of the level are above those of the cell, so that one comparison of keys tests both. */
static size_t next_range(const build *b, size_t entry, size_t end) {
  if (entry == 0 || entry >= end) return entry;
  const uint64_t *keys = b->keys;
  const level_key *key = level_key_of_entry(b, entry - 1);
  const int shift = bits_below_cell(b, key);
  const bool split = key->coarse_bits > 0;
  for (; entry < end; entry++) {
    if ((keys[entry] ^ keys[entry - 1]) >> shift != 0) return entry;
    if (split && !grid_cells_equal(cell_of_entry(b, entry), cell_of_entry(b, entry - 1))) return entry;
  }
  return end;
}

/* By cell, then by side, then by the number of the primitive, which is unique in a cell. */
static bool entry_before(const build *b, size_t entry, size_t other) {
  const grid_cell p = cell_of_entry(b, entry), q = cell_of_entry(b, other);
  if (p.x != q.x) return p.x < q.x;
  if (p.y != q.y) return p.y < q.y;
  if (p.z != q.z) return p.z < q.z;
  const uint32_t p_side = grid_side_of(&b->grid->sides, b->ids[entry]);
  const uint32_t q_side = grid_side_of(&b->grid->sides, b->ids[other]);
  return p_side != q_side ? p_side < q_side : b->ids[entry] < b->ids[other];
}

static void swap_entries(const build *b, size_t entry, size_t other) {
  const uint64_t key = b->keys[entry];
  const uint32_t id = b->ids[entry];
  b->keys[entry] = b->keys[other];
  b->ids[entry] = b->ids[other];
  b->keys[other] = key;
  b->ids[other] = id;
}

/* Heap sort of `count` entries from `first` on: for the entries of one Morton code that stands for several cells. */
static void sift_down(const build *b, size_t first, size_t root, size_t count) {
  for (;;) {
    size_t child = 2 * root + 1;
    if (child >= count) return;
    if (child + 1 < count && entry_before(b, first + child, first + child + 1)) child++;
    if (!entry_before(b, first + root, first + child)) return;
    swap_entries(b, first + root, first + child);
    root = child;
  }
}

static void split_key_run(const build *b, size_t first, size_t count) {
  for (size_t root = count / 2; root-- > 0;) sift_down(b, first, root, count);
  for (size_t left = count; left-- > 1;) {
    swap_entries(b, first, first + left);
    sift_down(b, first, 0, left);
  }
}

/* Rare: only scenes with primitives about 2^17 times smaller than the scene have such levels, and they are the
 * lowest. */
static void split_coarse_keys(const build *b) {
  size_t split = 0;
  for (size_t entry = 0; entry < b->count && level_key_of_entry(b, entry)->coarse_bits > 0; split++) {
    if (split % SPLIT_BETWEEN_STOPS == 0 && stop_is_requested(b->search->stop)) return;
    const int shift = bits_below_cell(b, level_key_of_entry(b, entry));
    size_t end = entry + 1;
    while (end < b->count && (b->keys[end] ^ b->keys[entry]) >> shift == 0) end++;
    split_key_run(b, entry, end - entry);
    entry = end;
  }
}

static void count_ranges(void *context, uint32_t range, uint32_t worker) {
  build *b = context;
  (void)worker;
  uint32_t count = 0;
  const size_t end = stop_is_requested(b->search->stop) ? 0 : range_end(b, range, b->count);
  for (size_t entry = next_range(b, range_begin(b, range), end); entry < end; entry = next_range(b, entry + 1, end))
    count++;
  b->range_first[range] = count;
}

static void write_ranges(void *context, uint32_t range, uint32_t worker) {
  build *b = context;
  (void)worker;
  if (stop_is_requested(b->search->stop)) return;
  size_t at = b->range_first[range];
  const size_t end = range_end(b, range, b->count);
  for (size_t entry = next_range(b, range_begin(b, range), end); entry < end; entry = next_range(b, entry + 1, end))
    b->grid->ranges[at++] = (cell_range){.cell = cell_of_entry(b, entry), .first = (uint32_t)entry};
}

/* Runs are sorted by level: the level of a range is that of its first entry. */
static void lay_out_levels(build *b) {
  grid *g = b->grid;
  uint32_t range_counts[GRID_LEVEL_COUNT];
  size_t run = 0;
  for (int level = 0; level < GRID_LEVEL_COUNT; level++) {
    size_t low = run, high = g->range_count;
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if (level_of_entry(b, g->ranges[middle].first) <= level)
        low = middle + 1;
      else
        high = middle;
    }
    range_counts[level] = (uint32_t)(low - run);
    run = low;
  }
  grid_lay_out_levels(g, range_counts);
}

static void clear_slots(void *context, size_t first, size_t end, uint32_t worker) {
  const build *b = context;
  (void)worker;
  if (!stop_is_requested(b->search->stop)) memset(b->grid->slots + first, 0xff, (end - first) * sizeof(uint32_t));
}

static void insert_ranges(void *context, size_t first, size_t end, uint32_t worker) {
  build *b = context;
  grid *g = b->grid;
  (void)worker;
  if (stop_is_requested(b->search->stop)) return;
  for (size_t run = first; run < end; run++) {
    const grid_cell cell = g->ranges[run].cell;
    const int level = level_of_entry(b, g->ranges[run].first);
    const grid_level *l = &g->levels[level];
    uint64_t slot = grid_slot(l, cell_hash_morton(cell.x, cell.y, cell.z));
    /* The order of two runs in the table is not deterministic, and no look-up depends on it. */
    for (uint32_t free_slot = GRID_NO_RANGE; !__atomic_compare_exchange_n(
             &g->slots[l->first_slot + slot], &free_slot, (uint32_t)run, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
         free_slot = GRID_NO_RANGE)
      slot = (slot + 1) & l->slot_mask;
  }
}

/* ---------------------------------------------------------------------------------------------- entries */

/* A header and a box for each entry, and the boxes around ranges and their segments.
 *
 * Workload: 10^4 to 10^7 entries, some five per range; written once per frame, by all workers. */

enum { ENTRY_GRAIN = 8192, RANGE_GRAIN = 512, ENTRIES_AT_ONCE = 256 };

/* Undefined if the number of corners is not four. */
static uint32_t fourth_corner(const primitive_view *view, uint32_t id) {
  const object_source *source = &view->sources[view->headers[id].object];
  if (source->corner_count != 4) return 0;
  return corners_of(source, id).vertices[3] + source->first_vertex;
}

/* Entries are in spatial order, primitives and vertices in file order: each access misses the first-level caches,
 * and many are prefetched before the first is used. */
static void write_some_entries(const grid *g, const primitive_view *view, size_t first, size_t end) {
  for (size_t entry = first; entry < end; entry++) {
    const primitive_header *header = &view->headers[g->ids[entry]];
    g->headers[entry] = *header;
    prefetch_box(view, header);
  }
  float *const *all = g->entries.bound;
  float *const bound[6] = {all[0] + first, all[1] + first, all[2] + first,
                           all[3] + first, all[4] + first, all[5] + first};
  write_boxes(view, g->ids + first, end - first, bound);
  if (g->fourth == NULL) return;
  for (size_t entry = first; entry < end; entry++) g->fourth[entry] = fourth_corner(view, g->ids[entry]);
}

typedef struct entry_job {
  grid *grid;
  const search *search;
} entry_job;

static void write_entries(void *context, size_t first, size_t end, uint32_t worker) {
  const entry_job *job = context;
  (void)worker;
  if (stop_is_requested(job->search->stop)) return;
  for (size_t at = first; at < end; at += ENTRIES_AT_ONCE)
    write_some_entries(job->grid, job->search->view, at, at + ENTRIES_AT_ONCE < end ? at + ENTRIES_AT_ONCE : end);
}

static void bound_segments(const grid *g, const cell_range *run) {
  for (int tier = 0; grid_has_tier(run, tier); tier++) {
    const box_list *within = tier == 0 ? &g->entries : &g->segments[tier - 1];
    const size_t first = grid_first_segment(run, tier), first_within = grid_first_segment(run, tier - 1);
    for (size_t segment = 0; segment < grid_segments_of(run, tier); segment++) {
      float bound[6];
      box_list_around(within, first_within + segment * SEGMENT_PARTS,
                      first_within + grid_segment_end(run, tier, segment), bound);
      for (int i = 0; i < 6; i++) g->segments[tier].bound[i][first + segment] = bound[i];
    }
  }
}

/* The first entry of the second side. */
static uint32_t middle_of(const grid *g, const cell_range *run) {
  uint32_t low = run->first, high = run[1].first;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (grid_side_of(&g->sides, g->ids[middle]) == 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void record_large_range(grid *g, const cell_range *run) {
  int level = 0;
  while ((size_t)(run - g->ranges) >= g->levels[level].end_range) level++;
  /* The order of workers does not matter: bits are only set. */
  __atomic_fetch_or(&g->large_levels, UINT32_C(1) << level, __ATOMIC_RELAXED);
}

static void bound_ranges(void *context, size_t first, size_t end, uint32_t worker) {
  const entry_job *job = context;
  grid *g = job->grid;
  (void)worker;
  if (stop_is_requested(job->search->stop)) return;
  for (cell_range *run = g->ranges + first; run < g->ranges + end; run++) {
    box_list_around(&g->entries, run->first, run[1].first, run->bound);
    run->middle = g->sides.count == 2 ? middle_of(g, run) : run[1].first;
    bound_segments(g, run);
    if (grid_range_is_large(run)) record_large_range(g, run);
  }
}

static bool make_segments(grid *g, memory *heap) {
  const cell_range all[2] = {{.first = 0}, {.first = (uint32_t)g->entry_count}};
  for (int tier = 0; grid_has_tier(all, tier); tier++)
    if (!box_list_reserve_places(&g->segments[tier], heap, grid_segments_of(all, tier))) return false;
  return true;
}

bool grid_make_entries(grid *g, const search *s) {
  g->headers = memory_allocate(s->memory, g->entry_count, sizeof *g->headers);
  if (!s->view->only_triangles) {
    g->fourth = memory_allocate(s->memory, g->entry_count, sizeof *g->fourth);
    if (g->fourth == NULL) return false;
  }
  if (g->headers == NULL || !make_segments(g, s->memory)) return false;
  g->entries.count = g->entry_count;
  first_touch(s->workers, g->headers, g->entry_count * sizeof *g->headers);
  entry_job job = {g, s};
  workers_for(s->workers, g->entry_count, ENTRY_GRAIN, write_entries, &job);
  if (stop_was_requested(s->stop)) return false;
  workers_for(s->workers, g->range_count, RANGE_GRAIN, bound_ranges, &job);
  return !stop_was_requested(s->stop);
}

/* ---------------------------------------------------------------------------------------------- the whole grid */

/* The result of a stopped stage must not be read by the next. */
static bool build_is_stopped(const build *b) {
  return stop_was_requested(b->search->stop);
}

/* Allocates one number for each range of `count` elements. */
static bool make_ranges(build *b, size_t count) {
  b->grain = workers_grain(count, BUILD_GRAIN);
  b->range_count = (count + b->grain - 1) / b->grain;
  b->range_first = memory_allocate(b->search->memory, b->range_count, sizeof *b->range_first);
  return b->range_first != NULL;
}

static void release_ranges(build *b) {
  memory_release(b->search->memory, b->range_first, b->range_count, sizeof *b->range_first);
  b->range_first = NULL;
}

/* Keys, and the memory for sorting them, are in the memory of the entries' boxes, which are written later: touching
 * new memory costs as much as a pass over it. */
static bool allocate_sort_memory(build *b) {
  box_list *entries = &b->grid->entries;
  if (!box_list_reserve_places(entries, b->search->memory, b->count)) return false;
  first_touch(b->search->workers, box_list_memory(entries), box_list_bytes(entries));
  b->keys = box_list_memory(entries);
  b->key_scratch = b->keys + b->count;
  b->id_scratch = (uint32_t *)(void *)(b->key_scratch + b->count);
  b->ids = memory_allocate(b->search->memory, b->count, sizeof *b->ids);
  return b->ids != NULL;
}

static void make_level_keys(build *b, int most_fine) {
  for (int level = 0; level < GRID_LEVEL_COUNT; level++)
    b->level_keys[level] = level_key_of(level, b->side_bits, most_fine);
}

static bool make_keys(build *b) {
  const search *s = b->search;
  b->side_bits = b->grid->sides.count - 1;
  make_level_keys(b, KEY_FINE_BITS);
  if (!make_ranges(b, b->view->primitive_count)) return false;
  if (!grid_floor_sample_make(&b->sample, s)) return false;
  workers_run_by_shares(s->workers, count_entries, b, (uint32_t)b->range_count);
  const uint64_t count = prefix_sum(b->range_first, b->range_count);
  if (build_is_stopped(b) || count >= GRID_NO_RANGE) return false;
  b->count = (size_t)count;
  if (!allocate_sort_memory(b)) return false;
  if (!grid_floor_make(&b->floor, &b->sample, s, &b->grid->sides)) return false;
  grid_floor_sample_release(&b->sample, s);
  if (b->floor.crowded) make_level_keys(b, KEY_AXIS_BITS);
  workers_run_by_shares(s->workers, write_keys, b, (uint32_t)b->range_count);
  if (b->floor.level > 0 && !build_is_stopped(b)) workers_for(s->workers, b->count, BUILD_GRAIN, lift_keys, b);
  grid_floor_release(&b->floor, s->memory);
  release_ranges(b);
  if (build_is_stopped(b)) return false;
  radix_sort_pairs_stoppable(b->keys, b->ids, b->key_scratch, b->id_scratch, b->count, 64, s->memory, s->workers,
                             s->stop);
  if (!build_is_stopped(b)) split_coarse_keys(b);
  return !build_is_stopped(b);
}

static bool make_cell_ranges(build *b) {
  const search *s = b->search;
  grid *g = b->grid;
  if (!make_ranges(b, b->count)) return false;
  workers_run_by_shares(s->workers, count_ranges, b, (uint32_t)b->range_count);
  if (build_is_stopped(b)) return false;
  g->range_count = prefix_sum(b->range_first, b->range_count);
  g->ranges = memory_allocate(s->memory, g->range_count + 1, sizeof *g->ranges);
  if (g->ranges == NULL) return false;
  workers_run_by_shares(s->workers, write_ranges, b, (uint32_t)b->range_count);
  if (build_is_stopped(b)) return false;
  g->ranges[g->range_count].first = (uint32_t)b->count;
  lay_out_levels(b);
  g->slots = memory_allocate(s->memory, g->slot_count, sizeof *g->slots);
  if (g->slots == NULL) return false;
  workers_for(s->workers, g->slot_count, CLEAR_GRAIN, clear_slots, b);
  if (build_is_stopped(b)) return false;
  workers_for(s->workers, g->range_count, CELL_GRAIN, insert_ranges, b);
  return !build_is_stopped(b);
}

/* The object that has exactly one primitive of each pair, if there is one: the object of the query, or one of only
 * two. */
static bool find_lone_object(const primitive_view *view, uint32_t *object_out) {
  uint32_t lone = 0, count = 0;
  if (view->focus.object_count > 0) {
    lone = view->focus.objects[0];
  } else {
    for (uint32_t i = 0; i < view->object_count; i++) {
      if (view->sources[i].primitive_count == 0) continue;
      if (objects_meet(view, i, i) || ++count > 2) return false;
      lone = i;
    }
    if (count != 2) return false;
  }
  *object_out = lone;
  return !objects_meet(view, lone, lone);
}

static grid_sides sides_of(const primitive_view *view) {
  uint32_t lone;
  if (!find_lone_object(view, &lone)) return (grid_sides){.count = 1};
  const object_source *source = &view->sources[lone];
  return (grid_sides){2, source->first_primitive, source->first_primitive + source->primitive_count};
}

bool grid_build(grid *g, const search *s) {
  g->sides = sides_of(s->view);
  build b = {.grid = g, .search = s, .view = s->view};
  const bool ranged = make_keys(&b) && make_cell_ranges(&b);
  g->ids = b.ids;
  g->entry_count = b.count;
  release_ranges(&b);
  grid_floor_sample_release(&b.sample, s);
  return ranged && grid_make_entries(g, s); /* overwrites the keys with the entries */
}

void grid_release(grid *g, memory *heap) {
  box_list_release(&g->entries, heap);
  memory_release(heap, g->headers, g->entry_count, sizeof *g->headers);
  memory_release(heap, g->ids, g->entry_count, sizeof *g->ids);
  memory_release(heap, g->fourth, g->entry_count, sizeof *g->fourth);
  for (int tier = 0; tier < SEGMENT_TIERS; tier++) box_list_release(&g->segments[tier], heap);
  memory_release(heap, g->ranges, g->range_count + 1, sizeof *g->ranges);
  memory_release(heap, g->slots, g->slot_count, sizeof *g->slots);
  *g = (grid){0};
}
