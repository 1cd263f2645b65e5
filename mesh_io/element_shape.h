/* The shapes of elements in mesh files, and the faces of those with a fixed number of corners.
 *
 * Gmsh, MEDIT, TetGen and VTK number the corners of a tetrahedron, hexahedron, prism and pyramid in the same way:
 * around the base, then around the top in the same direction, or the apex. */
#ifndef GRAZE_ELEMENT_SHAPE_H
#define GRAZE_ELEMENT_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum element_shape {
  ELEMENT_OTHER, /* unknown or unsupported */
  ELEMENT_POINT,
  ELEMENT_LINE,
  ELEMENT_STRIP,
  ELEMENT_TRIANGLE,
  ELEMENT_QUADRILATERAL,
  ELEMENT_POLYGON,
  ELEMENT_TETRAHEDRON,
  ELEMENT_HEXAHEDRON,
  ELEMENT_PRISM,
  ELEMENT_PYRAMID,
  ELEMENT_POLYHEDRON
} element_shape;

enum { ELEMENT_SHAPES = ELEMENT_POLYHEDRON + 1, ELEMENT_CORNERS_MAX = 8, ELEMENT_FACES_MAX = 6 };

typedef struct element_shape_facts {
  const char *one, *many;              /* for messages */
  unsigned corner_count;               /* 0: any number */
  unsigned face_count;                 /* 0: not a volume, or any number */
  uint8_t faces[ELEMENT_FACES_MAX][5]; /* the number of corners, then the corners, counterclockwise from outside if the
                                          first three corners are so seen from the last */
} element_shape_facts;

const element_shape_facts *element_shape_about(element_shape shape);

static inline bool element_shape_is_surface(element_shape shape) {
  return shape >= ELEMENT_TRIANGLE && shape <= ELEMENT_POLYGON;
}

static inline bool element_shape_is_volume(element_shape shape) {
  return shape >= ELEMENT_TETRAHEDRON;
}

/* Returns whether a cell, given by its faces (face j has the corners face_corners[face_first[j] .. face_first[j + 1])),
 * is a tetrahedron, hexahedron, prism or pyramid with its faces in the order of the table above; corners_out then gets
 * its corners. Else ELEMENT_POLYHEDRON. */
element_shape element_shape_of_faces(const uint32_t *face_first, size_t face_count, const uint32_t *face_corners,
                                     uint32_t corners_out[ELEMENT_CORNERS_MAX]);

#endif
