/* Spheres of one round; see placing.h. */
#include "packing/placing.h"

#include "base/cell_hash.h"

#include <string.h>

bool placing_open(placing *round, memory *heap, size_t capacity, double largest_radius) {
  *round = (placing){.cell = 2.0 * largest_radius, .slot_count = 16, .capacity = capacity};
  while (round->slot_count < 2 * capacity) round->slot_count *= 2;
  round->heads = memory_allocate(heap, round->slot_count, sizeof *round->heads);
  round->before = memory_allocate(heap, capacity, sizeof *round->before);
  round->spheres = memory_allocate(heap, capacity, sizeof *round->spheres);
  if (round->heads == NULL || round->before == NULL || round->spheres == NULL) return false;
  memset(round->heads, 0, round->slot_count * sizeof *round->heads);
  return true;
}

void placing_close(placing *round, memory *heap) {
  memory_release(heap, round->heads, round->slot_count, sizeof *round->heads);
  memory_release(heap, round->before, round->capacity, sizeof *round->before);
  memory_release(heap, round->spheres, round->capacity, sizeof *round->spheres);
}

/* Cells are numbered with 32 bits. A mesh with coordinates of at most 4 has fewer than 2^32 cells an axis unless
 * spheres are smaller than 2^-30; then distant cells share a slot, which only costs time. */
static int32_t cell_of(const placing *round, double coordinate) {
  return (int32_t)(uint32_t)(int64_t)floor(coordinate / round->cell);
}

static size_t slot_of(const placing *round, int32_t x, int32_t y, int32_t z) {
  return (size_t)(cell_hash_fnv1a(x, y, z, 0) & (round->slot_count - 1));
}

static bool overlap(const prototype *a, const prototype *b) {
  const vector3 offset = vector3_subtract(vector3_load(a->center), vector3_load(b->center));
  const double sum = a->radius + b->radius;
  return vector3_dot(offset, offset) < sum * sum;
}

static bool slot_overlaps(const placing *round, size_t slot, const prototype *sphere) {
  for (uint32_t i = round->heads[slot]; i > 0; i = round->before[i - 1])
    if (overlap(&round->spheres[i - 1], sphere)) return true;
  return false;
}

static int32_t step_from(int32_t cell, int step) {
  return (int32_t)((uint32_t)cell + (uint32_t)step);
}

bool placing_try(placing *round, const prototype *sphere) {
  int32_t cell[3];
  for (int k = 0; k < 3; k++) cell[k] = cell_of(round, sphere->center[k]);
  for (int step = 0; step < 27; step++) {
    const size_t slot = slot_of(round, step_from(cell[0], step % 3 - 1), step_from(cell[1], step / 3 % 3 - 1),
                                step_from(cell[2], step / 9 - 1));
    if (slot_overlaps(round, slot, sphere)) return false;
  }
  const size_t slot = slot_of(round, cell[0], cell[1], cell[2]);
  round->before[round->count] = round->heads[slot];
  round->spheres[round->count] = *sphere;
  round->heads[slot] = (uint32_t)++round->count;
  return true;
}
