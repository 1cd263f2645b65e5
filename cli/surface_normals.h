/* The normals that a surface is shaded by: smooth where it is bent a little, sharp at creases. */
#ifndef GRAZE_SURFACE_NORMALS_H
#define GRAZE_SURFACE_NORMALS_H

#include "mesh_io/mesh.h"

typedef struct surface_normals {
  float *faces;       /* 4 a triangle: the unit normal, 0 where there is none, and the area */
  uint32_t *first;    /* triangles around vertex i are around[first[i] .. first[i + 1]) */
  uint32_t *around;   /* 3 a triangle */
  float least_cosine; /* of two faces that are smoothed together */
} surface_normals;

/* Positions are multiplied by the factor, a power of two that brings them into [-1, 1]. Faces whose normals differ by
 * more than the crease angle are not smoothed together. 28 bytes a triangle and 4 a vertex. False when out of memory;
 * release in both cases. */
bool surface_normals_make(const mesh *m, double factor, double crease_degrees, surface_normals *normals_out);
void surface_normals_release(surface_normals *normals);

/* The unit normal at corner k of a triangle: the mean of the faces around it, by area, that lie within the crease angle
 * of the triangle's own. False where the triangle has none. */
bool surface_normals_at(const surface_normals *normals, const mesh *m, size_t triangle, int k, double normal_out[3]);

#endif
