/* The triangles of polygons. */
#ifndef GRAZE_POLYGON_TRIANGLES_H
#define GRAZE_POLYGON_TRIANGLES_H

#include "mesh_io/mesh_reading.h"

/* Fills the triangles of all polygons of more than three corners, from positions, corners and polygon_first; false
 * after a message. */
bool polygon_triangles_fill(const mesh_reading *reading, mesh *m);

#endif
