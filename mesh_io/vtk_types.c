/* The table of VTK cell types. Workload: one lookup per cell. */
#include "mesh_io/vtk_types.h"

/* By number; for shapes with a fixed number of corners, additional nodes are of higher order and follow the corners. */
static const vtk_type types[] = {
    [1] = {ELEMENT_POINT, 1, false},          [2] = {ELEMENT_POINT, 0, false},
    [3] = {ELEMENT_LINE, 2, false},           [4] = {ELEMENT_LINE, 0, false},
    [5] = {ELEMENT_TRIANGLE, 3, false},       [6] = {ELEMENT_STRIP, 0, false},
    [7] = {ELEMENT_POLYGON, 0, false},        [8] = {ELEMENT_QUADRILATERAL, 4, true},
    [9] = {ELEMENT_QUADRILATERAL, 4, false},  [10] = {ELEMENT_TETRAHEDRON, 4, false},
    [11] = {ELEMENT_HEXAHEDRON, 8, true},     [12] = {ELEMENT_HEXAHEDRON, 8, false},
    [13] = {ELEMENT_PRISM, 6, false},         [14] = {ELEMENT_PYRAMID, 5, false},
    [21] = {ELEMENT_LINE, 3, false},          [22] = {ELEMENT_TRIANGLE, 6, false},
    [23] = {ELEMENT_QUADRILATERAL, 8, false}, [24] = {ELEMENT_TETRAHEDRON, 10, false},
    [25] = {ELEMENT_HEXAHEDRON, 20, false},   [26] = {ELEMENT_PRISM, 15, false},
    [27] = {ELEMENT_PYRAMID, 13, false},
};

vtk_type vtk_type_of_number(int64_t number) {
  if (number == VTK_POLYHEDRON) return (vtk_type){ELEMENT_POLYHEDRON, 0, false};
  if (number < 0 || number >= (int64_t)(sizeof types / sizeof *types)) return (vtk_type){ELEMENT_OTHER, 0, false};
  return types[number];
}

int vtk_number_of_shape(element_shape shape) {
  static const int numbers[ELEMENT_SHAPES] = {
      [ELEMENT_POINT] = 1,
      [ELEMENT_LINE] = 3,
      [ELEMENT_STRIP] = 6,
      [ELEMENT_TRIANGLE] = 5,
      [ELEMENT_QUADRILATERAL] = 9,
      [ELEMENT_POLYGON] = 7,
      [ELEMENT_TETRAHEDRON] = 10,
      [ELEMENT_HEXAHEDRON] = 12,
      [ELEMENT_PRISM] = 13,
      [ELEMENT_PYRAMID] = 14,
      [ELEMENT_POLYHEDRON] = VTK_POLYHEDRON,
  };
  return numbers[shape];
}
