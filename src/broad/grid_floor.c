/* The choice of a grid's levels; see grid_floor.h.
 *
 * The floor is the highest level that has at least as many primitives as all levels below it together: lifted
 * primitives then at most double its lists, which are short, and the levels below are empty except for crowds.
 *
 * Workload: a sample of a few thousand boxes, once per search. */
#include "broad/grid_floor.h"

#include "base/cell_hash.h"
#include "broad/primitive_box.h"

#include <string.h>

enum {
  FLOOR_SAMPLES = 4096,
  SMALLEST_CROWD = 1024,
  CLEAR_GRAIN = 1 << 17,
  CROWD_IN_CELL = 1024, /* of a side in one cell: from here on keys use all their bits for the order within a cell */
  CROWD_SAMPLES = 16,   /* minimum of the sample in one cell: fewer are not significant */
  FEW_IN_CELL = 24 /* others of a side in the cell of a primitive up to which larger cells pay. Surfaces have 6 to 15, a
                      soup has 33, piles of folds have 55 to 150 */
};

/* ---------------------------------------------------------------------------------------------- the sample */

/* The distance of the samples, such that there are at most FLOOR_SAMPLES. */
static size_t sample_stride(const primitive_view *view) {
  return view->primitive_count / FLOOR_SAMPLES + 1;
}

static size_t sample_count(const primitive_view *view) {
  const size_t stride = sample_stride(view);
  return (view->primitive_count + stride - 1) / stride;
}

bool grid_floor_sample_make(grid_floor_sample *sample_out, const search *s) {
  memset(sample_out, 0, sizeof *sample_out);
  sample_out->cells = memory_allocate(s->memory, sample_count(s->view), sizeof *sample_out->cells);
  return sample_out->cells != NULL;
}

void grid_floor_sample_release(grid_floor_sample *sample, const search *s) {
  memory_release(s->memory, sample->cells, sample_count(s->view), sizeof *sample->cells);
  sample->cells = NULL;
}

/* A number for the cell of a box, never 0; collisions are very rare. */
static uint64_t cell_number(const primitive_box *box, int level) {
  const grid_cell cell = grid_cell_of(box->min[0], box->min[1], box->min[2], 1.0f / grid_cell_side(level));
  return (cell_hash_morton(cell.x, cell.y, cell.z) * 62 + 2 * (uint64_t)level) | 1;
}

void grid_floor_sample_add(grid_floor_sample *sample, const primitive_view *view, size_t first, size_t end) {
  const size_t stride = sample_stride(view);
  uint32_t counts[GRID_LEVEL_COUNT] = {0};
  for (size_t i = (first + stride - 1) / stride * stride; i < end; i += stride) {
    sample->cells[i / stride] = 0;
    if (view->searched[i] == 0) continue;
    const primitive_box box = primitive_box_at(view, i);
    const int level = grid_level_of_box(&box);
    sample->cells[i / stride] = cell_number(&box, level);
    counts[level]++;
  }
  for (int level = 0; level < GRID_LEVEL_COUNT; level++)
    if (counts[level] > 0) atomic_fetch_add_explicit(&sample->counts[level], counts[level], memory_order_relaxed);
}

/* ---------------------------------------------------------------------------------------------- choice */

/* The count of one cell in the sample. */
typedef struct cell_count {
  uint64_t number; /* 0: the slot is free */
  uint64_t count;
} cell_count;

/* The fullness of cells, by the number of samples that share one. */
typedef struct cell_fullness {
  double others; /* estimated mean in the cell of a primitive */
  uint64_t most; /* samples in the fullest cell */
} cell_fullness;

/* If one in `stride` primitives is sampled, each has about stride times as many others in its cell as samples. */
static cell_fullness measure_fullness(const grid_floor_sample *sample, const primitive_view *view, cell_count *table,
                                      size_t slot_count) {
  const size_t count = sample_count(view);
  cell_fullness fullness = {0};
  uint64_t sampled = 0, sharing = 0;
  memset(table, 0, slot_count * sizeof *table);
  for (size_t i = 0; i < count; i++) {
    const uint64_t number = sample->cells[i];
    if (number == 0) continue;
    size_t slot = number * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (slot_count - 1);
    while (table[slot].number != 0 && table[slot].number != number) slot = (slot + 1) & (slot_count - 1);
    table[slot].number = number;
    sharing += table[slot].count++;
    if (table[slot].count > fullness.most) fullness.most = table[slot].count;
    sampled++;
  }
  if (sampled > 0) fullness.others = 2.0 * (double)sharing * (double)sample_stride(view) / (double)sampled;
  return fullness;
}

typedef struct floor_choice {
  int level;
  size_t below; /* estimated number of primitives below it */
} floor_choice;

static floor_choice choose_floor(const grid_floor_sample *sample, const primitive_view *view, int raised) {
  floor_choice choice = {0, 0};
  size_t below = 0;
  for (int level = raised; level <= LEVEL_BIAS; level++) {
    const size_t count = atomic_load_explicit(&sample->counts[level - raised], memory_order_relaxed);
    if (below > 0 && below <= count) choice = (floor_choice){level, below * sample_stride(view)};
    below += count;
  }
  return choice;
}

static void clear_crowd(void *context, size_t first, size_t end, uint32_t worker) {
  const grid_floor *floor = context;
  (void)worker;
  memset(floor->crowd + first, 0, (end - first) * sizeof *floor->crowd);
}

bool grid_floor_make(grid_floor *floor_out, const grid_floor_sample *sample, const search *s, const grid_sides *sides) {
  *floor_out = (grid_floor){0};
  size_t slot_count = 16;
  while (slot_count < 2 * (sample_count(s->view) + 1)) slot_count *= 2;
  cell_count *table = memory_allocate(s->memory, slot_count, sizeof *table);
  if (table == NULL) return false;
  const cell_fullness fullness = measure_fullness(sample, s->view, table, slot_count);
  memory_release(s->memory, table, slot_count, sizeof *table);
  const int raised = fullness.others <= FEW_IN_CELL * sides->count ? 1 : 0;
  const bool crowded = fullness.most >= CROWD_SAMPLES &&
                       fullness.most * sample_stride(s->view) >= CROWD_IN_CELL * (uint64_t)sides->count;
  const floor_choice choice = choose_floor(sample, s->view, raised);
  floor_out->raised = raised;
  floor_out->crowded = crowded;
  if (choice.level == 0) return true;
  grid_floor floor = {.raised = raised, .crowded = crowded, .level = choice.level, .slot_count = SMALLEST_CROWD};
  while (floor.slot_count < 2 * (uint64_t)choice.below) floor.slot_count *= 2;
  floor.crowd = memory_allocate(s->memory, floor.slot_count, sizeof *floor.crowd);
  if (floor.crowd == NULL) return false;
  workers_for(s->workers, floor.slot_count, CLEAR_GRAIN, clear_crowd, &floor);
  *floor_out = floor;
  return true;
}

void grid_floor_release(grid_floor *floor, memory *heap) {
  memory_release(heap, floor->crowd, floor->slot_count, sizeof *floor->crowd);
  *floor = (grid_floor){0};
}
