/* The shading normals of a surface: smooth, but sharp at creases. */
#ifndef GRAZE_SURFACE_NORMALS_H
#define GRAZE_SURFACE_NORMALS_H

#include "mesh_io/mesh.h"

typedef struct surface_normals {
  float *faces;       /* 4 per triangle: the unit normal, 0 if there is none, and the area */
  uint32_t *first;    /* triangles around vertex i are around[first[i] .. first[i + 1]) of this array */
  uint32_t *around;   /* 3 per triangle */
  float least_cosine; /* of two faces that are smoothed together */
} surface_normals;

/* Positions are multiplied by the factor, a power of two that brings them into [-1, 1]. Faces whose normals differ by
 * more than the crease angle are not smoothed together. Needs 28 bytes per triangle and 4 per vertex. False when out of
 * memory; release in any case. */
bool surface_normals_make(const mesh *m, double factor, double crease_degrees, surface_normals *normals_out);
void surface_normals_release(surface_normals *normals);

/* Returns the unit normal at corner k of a triangle: the mean of the faces around it, weighted by area, within the
 * crease angle of the triangle's own normal. False if the triangle has none. */
bool surface_normals_at(const surface_normals *normals, const mesh *m, size_t triangle, int k, double normal_out[3]);

#endif
