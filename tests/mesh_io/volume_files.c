/* Writers of volume files for tests; files are small, so speed does not matter. */
#include "volume_files.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_bytes(file_bytes *file, const void *bytes, size_t count) {
  if (file->size + count + 1 > file->capacity) {
    file->capacity = 2 * (file->size + count) + 1024;
    file->bytes = realloc(file->bytes, file->capacity);
    if (!file->bytes) abort();
  }
  memcpy(file->bytes + file->size, bytes, count);
  file->size += count;
}

void put_text(file_bytes *file, const char *format, ...) {
  char text[512];
  va_list values;
  va_start(values, format);
  const int length = vsnprintf(text, sizeof text, format, values);
  va_end(values);
  if (length < 0 || (size_t)length >= sizeof text) abort();
  put_bytes(file, text, (size_t)length);
}

static void put_bits(file_bytes *file, uint64_t bits, size_t bytes) {
  unsigned char ordered[8];
  for (size_t i = 0; i < bytes; i++) {
    ordered[file->big_endian ? bytes - 1 - i : i] = (unsigned char)(bits & 0xFF);
    bits >>= 8;
  }
  put_bytes(file, ordered, bytes);
}

void put_integer(file_bytes *file, int64_t value, size_t bytes) {
  if (file->text) {
    put_text(file, " %lld", (long long)value);
  } else {
    put_bits(file, (uint64_t)value, bytes);
  }
}

void put_real(file_bytes *file, double value, size_t bytes) {
  if (file->text) {
    put_text(file, " %.17g", value);
  } else if (bytes == 4) {
    const float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    put_bits(file, bits, bytes);
  } else {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bits(file, bits, bytes);
  }
}

void put_line_end(file_bytes *file) {
  if (file->text) put_text(file, "\n");
}

static size_t corners_of(element_shape shape) {
  static const size_t counts[ELEMENT_SHAPES] = {
      [ELEMENT_POINT] = 1,       [ELEMENT_LINE] = 2,       [ELEMENT_TRIANGLE] = 3, [ELEMENT_QUADRILATERAL] = 4,
      [ELEMENT_TETRAHEDRON] = 4, [ELEMENT_HEXAHEDRON] = 8, [ELEMENT_PRISM] = 6,    [ELEMENT_PYRAMID] = 5};
  return counts[shape];
}

/* Of elements of second order, by shape: the numbers that Gmsh and VTK give them, and how many nodes they have. */
typedef struct second_order {
  int gmsh, vtk;
  size_t nodes;
} second_order;

static second_order second_order_of(element_shape shape) {
  static const second_order table[ELEMENT_SHAPES] = {
      [ELEMENT_LINE] = {8, 21, 3},          [ELEMENT_TRIANGLE] = {9, 22, 6},     [ELEMENT_QUADRILATERAL] = {16, 23, 8},
      [ELEMENT_TETRAHEDRON] = {11, 24, 10}, [ELEMENT_HEXAHEDRON] = {17, 25, 20}, [ELEMENT_PRISM] = {18, 26, 15},
      [ELEMENT_PYRAMID] = {19, 27, 13}};
  return table[shape];
}

static size_t nodes_of(const volume_element *element) {
  return element->is_second_order ? second_order_of(element->shape).nodes : corners_of(element->shape);
}

static uint32_t node_of(const volume_element *element, size_t place) {
  return element->corners[place < corners_of(element->shape) ? place : 0];
}

/* ---------------------------------------------------------------------------------------------------- Gmsh */

static int gmsh_number(const volume_element *element) {
  static const int numbers[ELEMENT_SHAPES] = {
      [ELEMENT_POINT] = 15,      [ELEMENT_LINE] = 1,       [ELEMENT_TRIANGLE] = 2, [ELEMENT_QUADRILATERAL] = 3,
      [ELEMENT_TETRAHEDRON] = 4, [ELEMENT_HEXAHEDRON] = 5, [ELEMENT_PRISM] = 6,    [ELEMENT_PYRAMID] = 7};
  return element->is_second_order ? second_order_of(element->shape).gmsh : numbers[element->shape];
}

static int64_t tag_of(const volume_file *v, size_t vertex) {
  return v->tags ? v->tags[vertex] : (int64_t)vertex + 1;
}

static void put_gmsh_header(file_bytes *file, const char *version, size_t data_bytes) {
  put_text(file, "$MeshFormat\n%s %d %d\n", version, !file->text, (int)data_bytes);
  if (!file->text) {
    put_integer(file, 1, 4);
    put_text(file, "\n");
  }
  put_text(file, "$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"$a part\"\n$EndPhysicalNames\n");
}

void make_gmsh_2(file_bytes *file, const volume_file *v) {
  put_gmsh_header(file, "2.2", 8);
  put_text(file, "$Nodes\n%zu\n", v->vertex_count);
  for (size_t i = 0; i < v->vertex_count; i++) {
    put_integer(file, tag_of(v, i), 4);
    for (size_t axis = 0; axis < 3; axis++) put_real(file, v->positions[3 * i + axis], 8);
    put_line_end(file);
  }
  put_text(file, "\n$EndNodes\n$Elements\n%zu\n", v->element_count);
  for (size_t i = 0; i < v->element_count; i++) {
    const volume_element *element = &v->elements[i];
    if (file->text) {
      put_text(file, "%zu %d 2 99 1", 100 + i, gmsh_number(element));
    } else {
      /* A block of one element, type, count, number of tags; then its number and its tags. */
      put_integer(file, gmsh_number(element), 4);
      put_integer(file, 1, 4);
      put_integer(file, 2, 4);
      put_integer(file, 100 + (int64_t)i, 4);
      put_integer(file, 99, 4);
      put_integer(file, 1, 4);
    }
    for (size_t j = 0; j < nodes_of(element); j++) put_integer(file, tag_of(v, node_of(element, j)), 4);
    put_line_end(file);
  }
  put_text(file, "\n$EndElements\n$NodeData\n0\n$EndNodeData\n");
}

static void put_gmsh_4_nodes(file_bytes *file, const volume_file *v, size_t tag_bytes, bool parametric) {
  /* Two blocks, the first on a surface, so that its nodes may have two parameters. */
  const size_t counts[2] = {v->vertex_count / 2, v->vertex_count - v->vertex_count / 2};
  put_text(file, "$Nodes\n");
  put_integer(file, 2, tag_bytes);
  put_integer(file, (int64_t)v->vertex_count, tag_bytes);
  put_integer(file, 1, tag_bytes);
  put_integer(file, (int64_t)v->vertex_count, tag_bytes);
  put_line_end(file);
  size_t first = 0;
  for (int block = 0; block < 2; block++) {
    const bool has_parameters = parametric && block == 0;
    put_integer(file, block == 0 ? 2 : 3, 4);
    put_integer(file, 7, 4);
    put_integer(file, has_parameters, 4);
    put_integer(file, (int64_t)counts[block], tag_bytes);
    put_line_end(file);
    for (size_t i = first; i < first + counts[block]; i++) {
      put_integer(file, tag_of(v, i), tag_bytes);
      put_line_end(file);
    }
    for (size_t i = first; i < first + counts[block]; i++) {
      for (size_t axis = 0; axis < 3; axis++) put_real(file, v->positions[3 * i + axis], 8);
      for (int j = 0; has_parameters && j < 2; j++) put_real(file, 0.5, 8);
      put_line_end(file);
    }
    first += counts[block];
  }
  put_text(file, "\n$EndNodes\n");
}

void make_gmsh_4(file_bytes *file, const volume_file *v, size_t tag_bytes, bool parametric) {
  put_gmsh_header(file, "4.1", tag_bytes);
  put_gmsh_4_nodes(file, v, tag_bytes, parametric);
  put_text(file, "$Elements\n");
  put_integer(file, (int64_t)v->element_count, tag_bytes);
  put_integer(file, (int64_t)v->element_count, tag_bytes);
  put_integer(file, 100, tag_bytes);
  put_integer(file, 99 + (int64_t)v->element_count, tag_bytes);
  put_line_end(file);
  for (size_t i = 0; i < v->element_count; i++) {
    const volume_element *element = &v->elements[i];
    put_integer(file, element_shape_is_volume(element->shape) ? 3 : 2, 4);
    put_integer(file, 1, 4);
    put_integer(file, gmsh_number(element), 4);
    put_integer(file, 1, tag_bytes);
    put_line_end(file);
    put_integer(file, 100 + (int64_t)i, tag_bytes);
    for (size_t j = 0; j < nodes_of(element); j++) put_integer(file, tag_of(v, node_of(element, j)), tag_bytes);
    put_line_end(file);
  }
  put_text(file, "\n$EndElements\n");
}

/* ---------------------------------------------------------------------------------------------------- VTK */

static int vtk_number(const volume_element *element) {
  static const int numbers[ELEMENT_SHAPES] = {
      [ELEMENT_POINT] = 1,        [ELEMENT_LINE] = 3,        [ELEMENT_TRIANGLE] = 5, [ELEMENT_QUADRILATERAL] = 9,
      [ELEMENT_TETRAHEDRON] = 10, [ELEMENT_HEXAHEDRON] = 12, [ELEMENT_PRISM] = 13,   [ELEMENT_PYRAMID] = 14};
  return element->is_second_order ? second_order_of(element->shape).vtk : numbers[element->shape];
}

static void put_vtk_cells(file_bytes *file, const volume_file *v, size_t node_count, size_t offset_bytes) {
  if (offset_bytes == OFFSETS_NONE) {
    put_text(file, "CELLS %zu %zu\n", v->element_count, v->element_count + node_count);
  } else {
    const int bits = 8 * (int)offset_bytes;
    put_text(file, "CELLS %zu %zu\nOFFSETS vtktypeint%d\n", v->element_count + 1, node_count, bits);
    int64_t offset = 0;
    put_integer(file, 0, offset_bytes);
    for (size_t i = 0; i < v->element_count; i++) {
      offset += (int64_t)nodes_of(&v->elements[i]);
      put_integer(file, offset, offset_bytes);
    }
    put_text(file, "\nCONNECTIVITY vtktypeint%d\n", bits);
  }
  const size_t bytes = offset_bytes == OFFSETS_NONE ? 4 : offset_bytes;
  for (size_t i = 0; i < v->element_count; i++) {
    const volume_element *element = &v->elements[i];
    if (offset_bytes == OFFSETS_NONE) put_integer(file, (int64_t)nodes_of(element), bytes);
    for (size_t j = 0; j < nodes_of(element); j++) put_integer(file, node_of(element, j), bytes);
    put_line_end(file);
  }
}

void make_vtk(file_bytes *file, const volume_file *v, size_t real_bytes, size_t offset_bytes) {
  size_t node_count = 0;
  for (size_t i = 0; i < v->element_count; i++) node_count += nodes_of(&v->elements[i]);
  put_text(file, "# vtk DataFile Version %s\na title\n%s\nDATASET UNSTRUCTURED_GRID\n",
           offset_bytes == OFFSETS_NONE ? "3.0" : "5.1", file->text ? "ASCII" : "BINARY");
  put_text(file, "FIELD FieldData 2\nTIME 1 1 double\n");
  put_real(file, 0.25, 8);
  put_text(file, "\nCYCLE 2 2 int\n");
  for (int i = 0; i < 4; i++) put_integer(file, 7, 4);
  put_text(file, "\nPOINTS %zu %s\n", v->vertex_count, real_bytes == 4 ? "float" : "double");
  for (size_t i = 0; i < 3 * v->vertex_count; i++) put_real(file, v->positions[i], real_bytes);
  put_text(file, "\nMETADATA\nINFORMATION 0\n\n");
  put_vtk_cells(file, v, node_count, offset_bytes);
  put_text(file, "\nCELL_TYPES %zu\n", v->element_count);
  for (size_t i = 0; i < v->element_count; i++) put_integer(file, vtk_number(&v->elements[i]), 4);
  put_text(file, "\nCELL_DATA %zu\nwhat follows is not read", v->element_count);
}

/* ---------------------------------------------------------------------------------------------------- MEDIT */

/* One section for each run of elements of one kind: a keyword may stand several times. */
void make_medit(file_bytes *file, const volume_file *v) {
  static const char *const words[ELEMENT_SHAPES] = {
      [ELEMENT_POINT] = "Corners",          [ELEMENT_LINE] = "Edges",
      [ELEMENT_TRIANGLE] = "Triangles",     [ELEMENT_QUADRILATERAL] = "Quadrilaterals",
      [ELEMENT_TETRAHEDRON] = "Tetrahedra", [ELEMENT_HEXAHEDRON] = "Hexahedra",
      [ELEMENT_PRISM] = "Prisms",           [ELEMENT_PYRAMID] = "Pyramids"};
  put_text(file, "# a comment\nMeshVersionFormatted 2 # another\n\nDimension\n3\nVertices\n%zu\n", v->vertex_count);
  for (size_t i = 0; i < v->vertex_count; i++) {
    for (size_t axis = 0; axis < 3; axis++) put_real(file, v->positions[3 * i + axis], 8);
    put_text(file, " 5# reference\n");
  }
  put_text(file, "RequiredVertices\n2\n1\n2\nNormals 1\n1e3 -.5 0\n");
  for (size_t i = 0; i < v->element_count; i++) {
    const volume_element *element = &v->elements[i];
    put_text(file, "%s%s 1\n", words[element->shape], element->is_second_order ? "P2" : "");
    for (size_t j = 0; j < nodes_of(element); j++) put_integer(file, (int64_t)node_of(element, j) + 1, 4);
    put_text(file, element->shape == ELEMENT_POINT ? "\n" : " -3\n");
  }
  put_text(file, "End\nwhat follows is not read");
}
