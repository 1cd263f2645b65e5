/* A mesh in memory as stored in files: plain arrays owned by the struct, made by mesh_io/ and models/, read by the
 * tools.
 *
 * Every array comes from the malloc family of the C library, so mesh_free can release it. An array of zero elements may
 * be NULL. Counts are at most MESH_ELEMENTS_MAX, so that indices fit 32 bits. */
#ifndef GRAZE_MESH_H
#define GRAZE_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The maximum number of vertices, polygons, corners, triangles, tetrahedra, cells or faces of a mesh: the two highest
 * 32-bit values are reserved as marks. */
#define MESH_ELEMENTS_MAX ((size_t)0xFFFFFFFEu)

/* The kind of elements. The arrays of other kinds are empty. */
typedef enum mesh_kind { MESH_POLYGONS = 0, MESH_TETRAHEDRA = 1, MESH_POLYHEDRA = 2, MESH_SPHERES = 3 } mesh_kind;

typedef struct mesh {
  char *name;              /* object, group or solid name, or the file name; never NULL in a mesh from a file */
  mesh_kind kind;          /* selects the arrays below that are in use: a zeroed mesh has polygons */
  double *positions;       /* 3 * vertex_count, finite in a mesh from a file */
  size_t vertex_count;     /* vertices without elements are counted and kept */
  uint32_t *polygon_first; /* polygon_count + 1: corners of polygon i are corners[polygon_first[i] .. polygon_first[i +
                              1]); NULL when every polygon is a triangle: then polygon i is triangle i */
  uint32_t *corners;       /* vertex indices; NULL if every polygon is a triangle */
  size_t polygon_count;    /* the number of faces as stored, in either case */
  uint32_t *triangles;     /* 3 * triangle_count: those of polygon i are at polygon_first[i] - 2 i; they cover
                              also concave polygons exactly */
  uint32_t *triangle_polygon; /* the polygon of each triangle; NULL if every polygon is a triangle */
  size_t triangle_count;
  uint32_t *tetrahedra; /* 4 * tetrahedron_count vertex indices, in the order and orientation of the file */
  size_t tetrahedron_count;
  uint32_t *cell_first;   /* polyhedra: cell_count + 1: faces of cell i are cell_first[i] .. cell_first[i + 1] */
  uint32_t *face_first;   /* face_count + 1: corners of face j are face_corners[face_first[j] .. face_first[j + 1]) */
  uint32_t *face_corners; /* vertex indices, face_first[face_count] of them; a face may point inward or outward */
  size_t cell_count, face_count;
  double *radii;    /* spheres: vertex_count, finite and not negative; sphere i is around vertex i */
  char *note;       /* what was skipped while reading, one message; NULL: nothing. Set in the first mesh of a file */
  uint64_t skipped; /* elements of the whole file that were skipped: points, lines, and cells of other types */
  uint64_t unknown_lines; /* lines of the whole file that were skipped because of an unknown keyword */
} mesh;

void mesh_free(mesh *m); /* releases the arrays and zeroes the struct; zeroed structs are allowed */
/* The same for arrays of another allocator: `release` is called for each, also for NULL. */
void mesh_free_by(mesh *m, void (*release)(void *context, void *array), void *context);
void mesh_list_free(mesh *meshes,
                    size_t mesh_count); /* calls mesh_free for each, then frees the list; NULL is allowed */

/* Returns the number of polygons, tetrahedra, cells or spheres, by the kind of the mesh. */
size_t mesh_element_count(const mesh *m);

/* Returns the corners of an element; of a cell those of its faces, repeated as often as in the faces. NULL for spheres,
 * whose only corner is the vertex of the same number. */
const uint32_t *mesh_element_corners(const mesh *m, size_t element, size_t *corner_count_out);

#endif
