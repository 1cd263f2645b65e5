/* A mesh in memory as files hold it: plain arrays owned by the struct, made by mesh_io/ and models/, read by the tools.
 *
 * Every array comes from the C library's malloc family, so that mesh_free can release it whoever made it. An array of
 * zero elements may be NULL. Counts are at most MESH_ELEMENTS_MAX, so that indices fit 32 bits. */
#ifndef GRAZE_MESH_H
#define GRAZE_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most vertices, polygons, corners, triangles, tetrahedra, cells or faces of one mesh: the two highest 32-bit values
 * stay free as marks. */
#define MESH_ELEMENTS_MAX ((size_t)0xFFFFFFFEu)

/* What a mesh is made of. The arrays of the other kinds are empty. */
typedef enum mesh_kind { MESH_POLYGONS = 0, MESH_TETRAHEDRA = 1, MESH_POLYHEDRA = 2, MESH_SPHERES = 3 } mesh_kind;

typedef struct mesh {
  char *name;              /* object, group or solid name, or the file's name; never NULL in a mesh that was read */
  mesh_kind kind;          /* which of the arrays below are in use: a zeroed mesh has polygons */
  double *positions;       /* 3 * vertex_count, finite in a mesh that was read */
  size_t vertex_count;     /* vertices that no element uses are counted and kept */
  uint32_t *polygon_first; /* polygon_count + 1: corners of polygon i are corners[polygon_first[i] .. polygon_first[i +
                              1]); NULL when every polygon is a triangle: then polygon i is triangle i */
  uint32_t *corners;       /* vertex indices; NULL when every polygon is a triangle */
  size_t polygon_count;    /* the number of faces as stored, in either case */
  uint32_t *triangles;     /* 3 * triangle_count: polygons fanned from their first corner */
  uint32_t *triangle_polygon; /* which polygon each triangle came from; NULL when every polygon is a triangle */
  size_t triangle_count;
  uint32_t *tetrahedra; /* 4 * tetrahedron_count vertex indices, in the order and orientation of the file */
  size_t tetrahedron_count;
  uint32_t *cell_first;   /* polyhedra: cell_count + 1: faces of cell i are cell_first[i] .. cell_first[i + 1] */
  uint32_t *face_first;   /* face_count + 1: corners of face j are face_corners[face_first[j] .. face_first[j + 1]) */
  uint32_t *face_corners; /* vertex indices, face_first[face_count] of them; a face may point inward or outward */
  size_t cell_count, face_count;
  double *radii;          /* spheres: vertex_count, finite and not negative; sphere i is around vertex i */
  char *note;             /* what was skipped while reading, one message; NULL: nothing. Of the meshes of one file the
                             first has it */
  uint64_t unknown_lines; /* lines of the whole file that were passed over because their keyword is not known */
} mesh;

void mesh_free(mesh *m); /* releases the arrays and zeroes the struct; zeroed structs are allowed */
/* The same for arrays of another allocator: `release` is called for each, NULL too. */
void mesh_free_by(mesh *m, void (*release)(void *context, void *array), void *context);
void mesh_list_free(mesh *meshes, size_t mesh_count); /* mesh_free for each, then the list itself; NULL is allowed */

/* Polygons, tetrahedra, cells or spheres, by the kind of the mesh. */
size_t mesh_element_count(const mesh *m);

/* The corners of an element; of a cell those of its faces, each as often as faces have it. NULL for spheres, whose one
 * corner is the vertex of the same number. */
const uint32_t *mesh_element_corners(const mesh *m, size_t element, size_t *corner_count_out);

#endif
