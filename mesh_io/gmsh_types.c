/* The table of Gmsh element types. Workload: one lookup per block of elements, in version 2.2 per element. */
#include "mesh_io/gmsh_types.h"

/* By number: shape and number of nodes. */
static const struct {
  element_shape shape;
  uint8_t node_count;
} types[] = {
    [1] = {ELEMENT_LINE, 2},           [2] = {ELEMENT_TRIANGLE, 3},      [3] = {ELEMENT_QUADRILATERAL, 4},
    [4] = {ELEMENT_TETRAHEDRON, 4},    [5] = {ELEMENT_HEXAHEDRON, 8},    [6] = {ELEMENT_PRISM, 6},
    [7] = {ELEMENT_PYRAMID, 5},        [8] = {ELEMENT_LINE, 3},          [9] = {ELEMENT_TRIANGLE, 6},
    [10] = {ELEMENT_QUADRILATERAL, 9}, [11] = {ELEMENT_TETRAHEDRON, 10}, [12] = {ELEMENT_HEXAHEDRON, 27},
    [13] = {ELEMENT_PRISM, 18},        [14] = {ELEMENT_PYRAMID, 14},     [15] = {ELEMENT_POINT, 1},
    [16] = {ELEMENT_QUADRILATERAL, 8}, [17] = {ELEMENT_HEXAHEDRON, 20},  [18] = {ELEMENT_PRISM, 15},
    [19] = {ELEMENT_PYRAMID, 13},      [20] = {ELEMENT_TRIANGLE, 9},     [21] = {ELEMENT_TRIANGLE, 10},
    [22] = {ELEMENT_TRIANGLE, 12},     [23] = {ELEMENT_TRIANGLE, 15},    [24] = {ELEMENT_TRIANGLE, 15},
    [25] = {ELEMENT_TRIANGLE, 21},     [26] = {ELEMENT_LINE, 4},         [27] = {ELEMENT_LINE, 5},
    [28] = {ELEMENT_LINE, 6},          [29] = {ELEMENT_TETRAHEDRON, 20}, [30] = {ELEMENT_TETRAHEDRON, 35},
    [31] = {ELEMENT_TETRAHEDRON, 56},  [92] = {ELEMENT_HEXAHEDRON, 64},  [93] = {ELEMENT_HEXAHEDRON, GMSH_NODES_MAX},
};

gmsh_type gmsh_type_of_number(int64_t number) {
  if (number < 0 || number >= (int64_t)(sizeof types / sizeof *types)) return (gmsh_type){ELEMENT_OTHER, 0, 0};
  const element_shape shape = types[number].shape;
  const unsigned corner_count = shape == ELEMENT_LINE ? 2 : element_shape_about(shape)->corner_count;
  return (gmsh_type){shape, corner_count, types[number].node_count};
}

int gmsh_number_of_shape(element_shape shape) {
  static const int numbers[ELEMENT_SHAPES] = {
      [ELEMENT_TRIANGLE] = 2,   [ELEMENT_QUADRILATERAL] = 3, [ELEMENT_TETRAHEDRON] = 4,
      [ELEMENT_HEXAHEDRON] = 5, [ELEMENT_PRISM] = 6,         [ELEMENT_PYRAMID] = 7,
  };
  return numbers[shape];
}
