/* Convex cells, cut by planes until they are what is wanted, then given triangles: for solids that break. */
#ifndef GRAZE_CONVEX_CELL_H
#define GRAZE_CONVEX_CELL_H

#include "mesh_io/mesh.h"
#include "models/portable_math.h"

/* Faces as rings of points, face after face; points that faces share have the same bits. */
typedef struct convex_cell {
  point3 *points;
  size_t point_count, point_capacity;
  size_t *first; /* face_count + 1: where the points of each face begin */
  size_t face_count, face_capacity;
} convex_cell;

/* A box around the origin; false when memory is out. A cell is released by convex_cell_free, also a zeroed one. */
bool convex_cell_box(convex_cell *cell, double half_side);
void convex_cell_free(convex_cell *cell);

/* Takes away what lies beyond the plane: where normal . x > offset. A cell of which nothing is left has no faces. False
 * when memory is out. */
bool convex_cell_cut(convex_cell *cell, point3 normal, double offset);

/* The mean of the corners of all faces; of a cell that is not empty inside it. */
point3 convex_cell_middle(const convex_cell *cell);

/* How far the farthest corner is from a point. */
double convex_cell_radius(const convex_cell *cell, point3 from);

/* Triangles of its surface, each face a fan around its middle, and each of those cut into four `levels` times; shrunk
 * towards the middle of the cell by a factor. Closed: triangles share their vertices. False when memory is out. */
bool convex_cell_mesh(const convex_cell *cell, uint32_t levels, double factor, mesh *made);

#endif
