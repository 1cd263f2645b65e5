/* A mesh in memory as files hold it: plain arrays owned by the struct, made by mesh_io/ and scenes/, read by the tools.
 *
 * Every array comes from the C library's malloc family, so that mesh_free can release it whoever made it. An array of
 * zero elements may be NULL. Counts are at most MESH_ELEMENTS_MAX, so that indices fit 32 bits. */
#ifndef GRAZE_MESH_H
#define GRAZE_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most vertices, polygons, corners or triangles of one mesh: the two highest 32-bit values stay free as marks. */
#define MESH_ELEMENTS_MAX ((size_t)0xFFFFFFFEu)

typedef struct mesh {
  char *name;              /* object, group or solid name, or the file's name; never NULL in a mesh that was read */
  double *positions;       /* 3 * vertex_count, finite in a mesh that was read */
  size_t vertex_count;     /* vertices that no polygon uses are counted and kept */
  uint32_t *polygon_first; /* polygon_count + 1: corners of polygon i are corners[polygon_first[i] .. polygon_first[i +
                              1]); NULL when every polygon is a triangle: then polygon i is triangle i */
  uint32_t *corners;       /* vertex indices; NULL when every polygon is a triangle */
  size_t polygon_count;    /* the number of faces as stored, in either case */
  uint32_t *triangles;     /* 3 * triangle_count: polygons fanned from their first corner */
  uint32_t *triangle_polygon; /* which polygon each triangle came from; NULL when every polygon is a triangle */
  size_t triangle_count;
} mesh;

void mesh_free(mesh *m); /* releases the arrays and zeroes the struct; zeroed structs are allowed */
void mesh_list_free(mesh *meshes, size_t mesh_count); /* mesh_free for each, then the list itself; NULL is allowed */

#endif
