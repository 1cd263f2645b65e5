/* The winding number of a closed mesh around a point: 1 inside a mesh whose triangles are counterclockwise seen from
 * outside, 0 outside and in cavities. triangle_winding.h computes the contribution of each triangle. */
#ifndef GRAZE_PACKING_MESH_WINDING_H
#define GRAZE_PACKING_MESH_WINDING_H

#include "geometry/triangle_winding.h"
#include "packing/obstacle_tree.h"

GEOMETRY_FUNCTION bool box_is_above(const double *box, const double *point) {
  return box[0] <= point[0] && point[0] <= box[3] && box[1] <= point[1] && point[1] <= box[4] && point[2] <= box[5];
}

GEOMETRY_FUNCTION int mesh_winding(const obstacle_tree *mesh, const double *point, orientation_tally *tally) {
  uint32_t stack[OBSTACLE_STACK];
  int depth = 1, winding = 0;
  if (mesh->count == 0) return 0;
  stack[0] = 1;
  while (depth > 0) {
    const uint32_t node = stack[--depth];
    if (!box_is_above(mesh->boxes + 6 * (size_t)node, point)) continue;
    if (node < mesh->leaf_count) {
      stack[depth++] = 2 * node + 1;
      stack[depth++] = 2 * node;
      continue;
    }
    const uint32_t leaf = node - mesh->leaf_count, end = leaf_begin(mesh, leaf + 1);
    for (uint32_t i = leaf_begin(mesh, leaf); i < end; ++i)
      winding += triangle_winding(mesh->items + (size_t)i * OBSTACLE_TRIANGLE_NUMBERS, point, tally);
  }
  return winding;
}

#endif
