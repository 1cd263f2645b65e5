/* A mesh in memory as files hold it: plain arrays owned by the struct, made by mesh_io/ and scenes/, read by the tools. */
#ifndef GRAZE_MESH_H
#define GRAZE_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mesh {
  char *name;               /* object, group or solid name, or the file's name; never NULL in a mesh that was read */
  double *positions;        /* 3 * vertex_count */
  size_t vertex_count;
  uint32_t *polygon_first;  /* polygon_count + 1: corners of polygon i are corners[polygon_first[i] .. polygon_first[i + 1]) */
  uint32_t *corners;        /* vertex indices */
  size_t polygon_count;
  uint32_t *triangles;      /* 3 * triangle_count: polygons fanned from their first corner */
  uint32_t *triangle_polygon; /* which polygon each triangle came from; NULL when every polygon is a triangle */
  size_t triangle_count;
} mesh;

void mesh_free(mesh *m); /* releases the arrays and zeroes the struct; zeroed structs are allowed */

#endif
