/* Finds vertices by their coordinates, for formats that repeat a vertex in every triangle. */
#ifndef GRAZE_WELD_H
#define GRAZE_WELD_H

#include "mesh_io/mesh_builder.h"

typedef struct weld_table {
  uint32_t *slots; /* vertex number + 1, 0 for free; a power of two, at most half full */
  size_t slot_count;
  size_t first_vertex; /* vertices of the builder before this one are ignored */
} weld_table;

/* Returns the number of the vertex at `position` in the builder, added if it is new. Vertices with equal coordinates
 * are one, numbered in order of first appearance; 0.0 and -0.0 are equal, and the sign of the first stays. */
bool weld_vertex(weld_table *table, mesh_builder *builder, const double position[3], uint32_t *number_out);
void weld_free(weld_table *table, const mesh_memory *memory);

/* Finds for each vertex of a mesh the first vertex at the same place, by the same rule. False when out of memory.
 * Linear. */
bool weld_positions(const double *positions, size_t vertex_count, uint32_t *numbers_out);

#endif
