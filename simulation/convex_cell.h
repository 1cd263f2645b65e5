/* Convex cells, cut by planes and then triangulated: for solids that break. */
#ifndef GRAZE_CONVEX_CELL_H
#define GRAZE_CONVEX_CELL_H

#include "mesh_io/mesh.h"
#include "models/portable_math.h"

/* Faces as rings of points, face after face; shared points have the same bits. */
typedef struct convex_cell {
  point3 *points;
  size_t point_count, point_capacity;
  size_t *first; /* face_count + 1: where the points of each face begin */
  size_t face_count, face_capacity;
} convex_cell;

/* Makes a box around the origin; false when out of memory. Release a cell with convex_cell_free, also a zeroed one. */
bool convex_cell_box(convex_cell *cell, double half_side);
void convex_cell_free(convex_cell *cell);

/* Removes the part beyond the plane: where normal . x > offset. A cell without a rest has no faces. False when out of
 * memory. */
bool convex_cell_cut(convex_cell *cell, point3 normal, double offset);

/* Returns the mean of the corners of all faces, which is inside a nonempty cell. */
point3 convex_cell_middle(const convex_cell *cell);

/* Returns the distance of the farthest corner from a point. */
double convex_cell_radius(const convex_cell *cell, point3 from);

/* Triangulates the surface: each face is a fan around its center, whose triangles are split into four `levels` times;
 * shrunk towards the center of the cell by a factor. Closed: triangles share their vertices. False when out of
 * memory. */
bool convex_cell_mesh(const convex_cell *cell, uint32_t levels, double factor, mesh *made);

#endif
