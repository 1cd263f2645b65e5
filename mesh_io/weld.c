/* Welds vertices by a hash table with open addressing. Workload: 3 lookups per triangle, 5 of 6 of which find a vertex;
 * positions stay in the builder, and the table stores only numbers. The numbering does not depend on the hash. */
#include "mesh_io/weld.h"

#include <stdlib.h>
#include <string.h>

/* Mixing as in Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014. */
static uint64_t mix(uint64_t value) {
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
  value = (value ^ value >> 27) * 0x94D049BB133111EBu;
  return value ^ value >> 31;
}

static uint64_t hash_position(const double position[3]) {
  uint64_t hash = 0;
  for (int axis = 0; axis < 3; axis++) {
    const double value = position[axis] + 0.0; /* -0.0 becomes 0.0 */
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = mix(hash * 0x9E3779B97F4A7C15u + bits);
  }
  return hash;
}

static uint32_t *find_slot(const weld_table *table, const double *positions, const double position[3]) {
  const size_t mask = table->slot_count - 1;
  for (size_t i = (size_t)hash_position(position) & mask;; i = (i + 1) & mask) {
    uint32_t *slot = &table->slots[i];
    if (*slot == 0) return slot;
    const double *other = positions + 3 * (size_t)(*slot - 1);
    if (other[0] == position[0] && other[1] == position[1] && other[2] == position[2]) return slot;
  }
}

static bool enlarge(weld_table *table, const mesh_builder *builder) {
  const size_t slot_count = table->slot_count ? 2 * table->slot_count : 1024;
  void *block = NULL;
  if (!mesh_resize(&builder->reading->memory, &block, slot_count, sizeof(uint32_t))) {
    return mesh_fail(builder->reading, "out of memory for a table of %zu vertices", slot_count / 2);
  }
  mesh_release(&builder->reading->memory, table->slots);
  table->slots = memset(block, 0, slot_count * sizeof(uint32_t));
  table->slot_count = slot_count;
  for (size_t i = table->first_vertex; i < builder->m.vertex_count; i++) {
    *find_slot(table, builder->m.positions, builder->m.positions + 3 * i) = (uint32_t)(i + 1);
  }
  return true;
}

bool weld_vertex(weld_table *table, mesh_builder *builder, const double position[3], uint32_t *number_out) {
  if (builder->m.vertex_count - table->first_vertex >= table->slot_count / 2 && !enlarge(table, builder)) return false;
  uint32_t *slot = find_slot(table, builder->m.positions, position);
  if (*slot == 0) {
    if (!mesh_builder_add_vertex(builder, position[0], position[1], position[2])) return false;
    *slot = (uint32_t)builder->m.vertex_count;
  }
  *number_out = *slot - 1;
  return true;
}

void weld_free(weld_table *table, const mesh_memory *memory) {
  mesh_release(memory, table->slots);
  *table = (weld_table){0};
}

bool weld_positions(const double *positions, size_t vertex_count, uint32_t *numbers_out) {
  weld_table table = {.slot_count = 2};
  while (table.slot_count / 2 <= vertex_count) table.slot_count *= 2;
  table.slots = calloc(table.slot_count, sizeof *table.slots);
  if (table.slots == NULL) return false;
  for (size_t i = 0; i < vertex_count; i++) {
    uint32_t *slot = find_slot(&table, positions, positions + 3 * i);
    if (*slot == 0) *slot = (uint32_t)(i + 1);
    numbers_out[i] = *slot - 1;
  }
  free(table.slots);
  return true;
}
