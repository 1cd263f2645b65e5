/* How often a closed mesh winds around a point: 1 inside of a mesh whose triangles turn anticlockwise seen from
 * outside, 0 outside and in cavities.
 *
 * The generalized winding number of a closed mesh is a whole number, which a line upward from the point counts: +1 for
 * each triangle that it leaves the mesh through, -1 for each that it enters through. All signs are exact, and the line
 * is moved by something infinitely small in x, and by its square in y, so that it meets no edge and no corner. No
 * rounding, no tolerance: needles, slivers and vertices above each other count as they should.
 *
 * Jacobson, Kavan, Sorkine-Hornung, "Robust inside-outside segmentation using generalized winding numbers", 2013;
 * Edelsbrunner, Muecke, "Simulation of Simplicity", 1990. */
#ifndef GRAZE_PACKING_MESH_WINDING_H
#define GRAZE_PACKING_MESH_WINDING_H

#include "geometry/orientation.h"
#include "packing/obstacle_tree.h"

/* On which side of the edge the moved line passes, seen from above: 0 where the edge has no length from there. */
GEOMETRY_FUNCTION int line_side(const double *from, const double *to, const double *point, orientation_tally *tally) {
  const int sign = orientation_2d(from[0], from[1], to[0], to[1], point[0], point[1], tally);
  if (sign != 0) return sign;
  if (to[1] != from[1]) return to[1] > from[1] ? -1 : 1;
  return (to[0] > from[0]) - (to[0] < from[0]);
}

/* +1, -1, or 0 where the line passes by. A point on the triangle counts as above it. */
GEOMETRY_FUNCTION int triangle_winding(const double *corners, const double *point, orientation_tally *tally) {
  const int side = line_side(corners, corners + 3, point, tally);
  if (side == 0 || line_side(corners + 3, corners + 6, point, tally) != side) return 0;
  if (line_side(corners + 6, corners, point, tally) != side) return 0;
  return orientation_3d(corners, corners + 3, corners + 6, point, tally) * side < 0 ? side : 0;
}

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
