/* Choosing the floor of a grid; see grid_floor.h.
 *
 * The floor is the highest level that has at least as many primitives as all levels below it together: what is lifted
 * then no more than doubles its lists, which are short, and the levels below are empty but for crowds.
 *
 * Workload: a sample of some thousand boxes, once a search. */
#include "broad/grid_floor.h"

#include "broad/primitive_box.h"

#include <string.h>

enum { FLOOR_SAMPLES = 4096, SMALLEST_CROWD = 1024 };

typedef struct floor_choice {
  int level;
  size_t below; /* primitives below it, about */
} floor_choice;

/* Of primitives at equal distances: which they are depends on their number alone. */
static floor_choice choose_floor(const primitive_view *view) {
  const size_t stride = view->primitive_count / FLOOR_SAMPLES + 1;
  size_t counts[GRID_LEVEL_COUNT] = {0};
  for (size_t i = 0; i < view->primitive_count; i += stride) {
    if (view->searched[i] != 0) {
      const primitive_box box = primitive_box_at(view, i);
      counts[grid_level_of_box(&box)]++;
    }
  }
  floor_choice choice = {0, 0};
  size_t below = 0;
  for (int level = 0; level <= LEVEL_BIAS; level++) {
    if (below > 0 && below <= counts[level]) choice = (floor_choice){level, below * stride};
    below += counts[level];
  }
  return choice;
}

bool grid_floor_make(grid_floor *floor_out, const search *s) {
  const floor_choice choice = choose_floor(s->view);
  *floor_out = (grid_floor){0};
  if (choice.level == 0) return true;
  grid_floor floor = {.level = choice.level, .slot_count = SMALLEST_CROWD};
  while (floor.slot_count < 2 * (uint64_t)choice.below) floor.slot_count *= 2;
  floor.crowd = memory_allocate(s->memory, floor.slot_count, sizeof *floor.crowd);
  if (floor.crowd == NULL) return false;
  memset(floor.crowd, 0, floor.slot_count * sizeof *floor.crowd);
  *floor_out = floor;
  return true;
}

void grid_floor_release(grid_floor *floor, memory *heap) {
  memory_release(heap, floor->crowd, floor->slot_count, sizeof *floor->crowd);
  *floor = (grid_floor){0};
}
