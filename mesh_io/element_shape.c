/* The table of shapes. Workload: one lookup per element. */
#include "mesh_io/element_shape.h"

static const element_shape_facts shapes[ELEMENT_SHAPES] = {
    [ELEMENT_POINT] = {.one = "point", .many = "points", .corner_count = 1},
    [ELEMENT_LINE] = {.one = "line", .many = "lines"},
    [ELEMENT_STRIP] = {.one = "triangle strip", .many = "triangle strips"},
    [ELEMENT_OTHER] = {.one = "element of another type", .many = "elements of other types"},
    [ELEMENT_TRIANGLE] = {.one = "triangle", .many = "triangles", .corner_count = 3},
    [ELEMENT_QUADRILATERAL] = {.one = "quadrilateral", .many = "quadrilaterals", .corner_count = 4},
    [ELEMENT_POLYGON] = {.one = "polygon", .many = "polygons"},
    [ELEMENT_TETRAHEDRON] = {.one = "tetrahedron",
                             .many = "tetrahedra",
                             .corner_count = 4,
                             .face_count = 4,
                             .faces = {{3, 0, 2, 1}, {3, 0, 1, 3}, {3, 1, 2, 3}, {3, 2, 0, 3}}},
    [ELEMENT_HEXAHEDRON] = {.one = "hexahedron",
                            .many = "hexahedra",
                            .corner_count = 8,
                            .face_count = 6,
                            .faces = {{4, 0, 3, 2, 1},
                                      {4, 4, 5, 6, 7},
                                      {4, 0, 1, 5, 4},
                                      {4, 1, 2, 6, 5},
                                      {4, 2, 3, 7, 6},
                                      {4, 3, 0, 4, 7}}},
    [ELEMENT_PRISM] = {.one = "prism",
                       .many = "prisms",
                       .corner_count = 6,
                       .face_count = 5,
                       .faces = {{3, 0, 2, 1}, {3, 3, 4, 5}, {4, 0, 1, 4, 3}, {4, 1, 2, 5, 4}, {4, 2, 0, 3, 5}}},
    [ELEMENT_PYRAMID] = {.one = "pyramid",
                         .many = "pyramids",
                         .corner_count = 5,
                         .face_count = 5,
                         .faces = {{4, 0, 3, 2, 1}, {3, 0, 1, 4}, {3, 1, 2, 4}, {3, 2, 3, 4}, {3, 3, 0, 4}}},
    [ELEMENT_POLYHEDRON] = {.one = "polyhedron", .many = "polyhedra"},
};

const element_shape_facts *element_shape_about(element_shape shape) {
  return &shapes[shape];
}

/* Every corner of the shape is in a face: the first face that contains it determines the vertex, and the others must
 * agree. */
static bool has_shape(const element_shape_facts *facts, const uint32_t *face_first, size_t face_count,
                      const uint32_t *face_corners, uint32_t corners_out[ELEMENT_CORNERS_MAX]) {
  bool known[ELEMENT_CORNERS_MAX] = {false};
  if (face_count != facts->face_count) return false;
  for (size_t i = 0; i < face_count; i++) {
    const uint8_t *face = facts->faces[i];
    if (face_first[i + 1] - face_first[i] != face[0]) return false;
    for (size_t j = 0; j < face[0]; j++) {
      const uint32_t vertex = face_corners[face_first[i] + j];
      const uint8_t corner = face[1 + j];
      if (known[corner] && corners_out[corner] != vertex) return false;
      known[corner] = true;
      corners_out[corner] = vertex;
    }
  }
  return true;
}

element_shape element_shape_of_faces(const uint32_t *face_first, size_t face_count, const uint32_t *face_corners,
                                     uint32_t corners_out[ELEMENT_CORNERS_MAX]) {
  for (element_shape shape = ELEMENT_TETRAHEDRON; shape < ELEMENT_POLYHEDRON; shape++) {
    if (has_shape(&shapes[shape], face_first, face_count, face_corners, corners_out)) return shape;
  }
  return ELEMENT_POLYHEDRON;
}
