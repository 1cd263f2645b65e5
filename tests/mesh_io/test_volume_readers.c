/* Tests files of tetrahedra and polyhedra: every variant of a format gives the same mesh, compared number by number;
 * faces of cells are compared by the volume that they enclose. */
#include "reading_tools.h"
#include "testing.h"
#include "volume_files.h"

#include "mesh_io/tetgen_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(text) (text), sizeof(text) - 1
#define COUNT(array) (sizeof(array) / sizeof *(array))

static reading_result read_well(mesh_reader *reader, const char *bytes, size_t size) {
  reading_result result = read_bytes(reader, bytes, size, false);
  if (!result.done) fail_msg("%s", result.error);
  assert_int_equal(result.mesh_count, 1);
  assert_string_equal(result.error, "");
  assert_string_equal(result.meshes[0].name, "file");
  return result;
}

static void check_note(const mesh *m, const char *note) {
  if (!note) {
    if (m->note) fail_msg("the note \"%s\" where none is expected", m->note);
    return;
  }
  assert_non_null(m->note);
  assert_string_equal(m->note, note);
}

static void check_positions(const mesh *m, const double *positions, size_t vertex_count) {
  assert_int_equal(m->vertex_count, vertex_count);
  assert_memory_equal(m->positions, positions, 3 * vertex_count * sizeof *positions);
}

/* No array but those of its kind. */
static void check_kind(const mesh *m, mesh_kind kind) {
  assert_int_equal(m->kind, kind);
  if (kind != MESH_POLYGONS) {
    assert_int_equal(m->polygon_count, 0);
    assert_int_equal(m->triangle_count, 0);
    assert_null(m->triangles);
    assert_null(m->polygon_first);
    assert_null(m->corners);
    assert_null(m->triangle_polygon);
  }
  if (kind != MESH_TETRAHEDRA) {
    assert_int_equal(m->tetrahedron_count, 0);
    assert_null(m->tetrahedra);
  }
  if (kind != MESH_POLYHEDRA) {
    assert_int_equal(m->cell_count, 0);
    assert_int_equal(m->face_count, 0);
    assert_null(m->cell_first);
    assert_null(m->face_first);
    assert_null(m->face_corners);
  }
}

static void check_tetrahedra(const mesh *m, const uint32_t *tetrahedra, size_t count) {
  check_kind(m, MESH_TETRAHEDRA);
  assert_int_equal(m->tetrahedron_count, count);
  assert_memory_equal(m->tetrahedra, tetrahedra, 4 * count * sizeof *tetrahedra);
}

/* ---------------------------------------------------------------------------------------------------- variants */

/* The corners of the unit cube, the bottom around, then the top around, and two points more: one above, one unused. */
static const double cube_positions[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0,   1, 0, 0,    0,     1,
                                        1, 0, 1, 1, 1, 1, 0, 1, 1, 0.5, 0, 4, -0.5, 0.125, 1e-30};
enum { CUBE_VERTICES = 10 };

static const int64_t sparse_tags[CUBE_VERTICES] = {40, 7, 1000000007, 3, 12, 11, 10, 5, 99, 2};

static const volume_element tetrahedra_and_boundary[] = {
    {ELEMENT_POINT, false, {3}},
    {ELEMENT_TRIANGLE, false, {0, 1, 2}},
    {ELEMENT_QUADRILATERAL, false, {0, 1, 2, 3}},
    {ELEMENT_TRIANGLE, true, {0, 1, 2}},
    {ELEMENT_TETRAHEDRON, false, {0, 1, 3, 4}},
    {ELEMENT_LINE, false, {0, 1}},
    {ELEMENT_TETRAHEDRON, true, {5, 6, 7, 2}},
    {ELEMENT_TRIANGLE, false, {2, 1, 0}},
    {ELEMENT_TETRAHEDRON, false, {8, 8, 8, 8}},
    {ELEMENT_LINE, true, {1, 2}},
};

static const volume_element cells_of_all_shapes[] = {
    {ELEMENT_TRIANGLE, false, {0, 1, 2}},       {ELEMENT_TETRAHEDRON, false, {0, 1, 3, 4}},
    {ELEMENT_TETRAHEDRON, false, {1, 2, 3, 6}}, {ELEMENT_HEXAHEDRON, false, {0, 1, 2, 3, 4, 5, 6, 7}},
    {ELEMENT_PRISM, false, {0, 1, 3, 4, 5, 7}}, {ELEMENT_PYRAMID, false, {0, 1, 2, 3, 4}},
    {ELEMENT_TETRAHEDRON, true, {0, 1, 3, 4}},  {ELEMENT_HEXAHEDRON, true, {0, 1, 2, 3, 4, 5, 6, 7}},
};

static const volume_element surfaces[] = {
    {ELEMENT_LINE, false, {0, 1}},
    {ELEMENT_TRIANGLE, false, {0, 1, 2}},
    {ELEMENT_QUADRILATERAL, false, {4, 5, 6, 7}},
    {ELEMENT_TRIANGLE, true, {0, 2, 3}},
};

typedef void variant_check(const mesh *m, bool has_points);

static void read_and_check(mesh_reader *reader, file_bytes *file, variant_check *check, bool has_points) {
  reading_result result = read_well(reader, file->bytes, file->size);
  check_positions(&result.meshes[0], cube_positions, CUBE_VERTICES);
  check(&result.meshes[0], has_points);
  free_result(&result);
  free(file->bytes);
}

/* Text, little and big endian. */
static file_bytes start_file(int form) {
  return (file_bytes){.text = form == 0, .big_endian = form == 2};
}

static void check_gmsh_variants(const volume_file *v, variant_check *check) {
  for (int form = 0; form < 3; form++) {
    file_bytes file = start_file(form);
    make_gmsh_2(&file, v);
    read_and_check(mesh_read_gmsh, &file, check, true);
    for (int variant = 0; variant < 4; variant++) {
      file = start_file(form);
      make_gmsh_4(&file, v, variant % 2 ? 4 : 8, variant / 2);
      read_and_check(mesh_read_gmsh, &file, check, true);
    }
  }
}

static void check_vtk_variants(const volume_file *v, variant_check *check) {
  static const size_t offsets[] = {OFFSETS_NONE, OFFSETS_32, OFFSETS_64};
  for (int form = 0; form < 3; form += 2) {
    for (size_t i = 0; i < COUNT(offsets); i++) {
      file_bytes file = start_file(form);
      make_vtk(&file, v, 8, offsets[i]);
      read_and_check(mesh_read_vtk, &file, check, true);
    }
  }
}

/* All variants of all formats; MEDIT has no points among its elements that are counted. */
static void check_variants(const volume_element *elements, size_t element_count, variant_check *check) {
  volume_file v = {cube_positions, CUBE_VERTICES, elements, element_count, NULL};
  check_vtk_variants(&v, check);
  check_gmsh_variants(&v, check);
  v.tags = sparse_tags;
  check_gmsh_variants(&v, check);
  file_bytes file = {.text = true};
  make_medit(&file, &v);
  read_and_check(mesh_read_medit, &file, check, false);
}

static void expect_tetrahedra(const mesh *m, bool has_points) {
  static const uint32_t tetrahedra[] = {0, 1, 3, 4, 5, 6, 7, 2, 8, 8, 8, 8};
  check_tetrahedra(m, tetrahedra, 3);
  check_note(m, has_points
                    ? "skipped 1 quadrilateral, 3 triangles, 2 lines and 1 point: the file has tetrahedra; used only "
                      "the corners of 1 tetrahedron of higher order"
                    : "skipped 1 quadrilateral, 3 triangles and 2 lines: the file has tetrahedra; used only "
                      "the corners of 1 tetrahedron of higher order");
}

TEST(tetrahedra_of_all_variants) {
  check_variants(tetrahedra_and_boundary, COUNT(tetrahedra_and_boundary), expect_tetrahedra);
}

static const double *corner(const mesh *m, size_t face, size_t place) {
  return m->positions + 3 * (size_t)m->face_corners[m->face_first[face] + place];
}

/* Six times the volume of the tetrahedron with the origin. */
static double volume_with_origin(const double *a, const double *b, const double *c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* How often the directed edge from vertex a to b is in the faces of a cell. */
static size_t count_edge(const mesh *m, size_t cell, uint32_t a, uint32_t b) {
  size_t count = 0;
  for (size_t i = m->cell_first[cell]; i < m->cell_first[cell + 1]; i++) {
    const uint32_t *corners = m->face_corners + m->face_first[i];
    const size_t corner_count = m->face_first[i + 1] - m->face_first[i];
    for (size_t j = 0; j < corner_count; j++) {
      count += corners[j] == a && corners[(j + 1) % corner_count] == b;
    }
  }
  return count;
}

/* The faces of a cell close it, each edge being used once in either direction, face outward, are flat, and enclose the
 * volume given. */
static void check_cell(const mesh *m, size_t cell, size_t face_count, double volume) {
  assert_int_equal(m->cell_first[cell + 1] - m->cell_first[cell], face_count);
  double six_volumes = 0;
  for (size_t i = m->cell_first[cell]; i < m->cell_first[cell + 1]; i++) {
    const uint32_t *corners = m->face_corners + m->face_first[i];
    const size_t corner_count = m->face_first[i + 1] - m->face_first[i];
    for (size_t j = 0; j < corner_count; j++) {
      const uint32_t next = corners[(j + 1) % corner_count];
      assert_int_equal(count_edge(m, cell, corners[j], next), 1);
      assert_int_equal(count_edge(m, cell, next, corners[j]), 1);
    }
    for (size_t j = 2; j < corner_count; j++) {
      six_volumes += volume_with_origin(corner(m, i, 0), corner(m, i, j - 1), corner(m, i, j));
    }
    if (corner_count == 4) {
      double edges[3][3];
      for (size_t j = 0; j < 3; j++) {
        for (int axis = 0; axis < 3; axis++) edges[j][axis] = corner(m, i, j + 1)[axis] - corner(m, i, 0)[axis];
      }
      assert_true(volume_with_origin(edges[0], edges[1], edges[2]) == 0);
    }
  }
  assert_true(fabs(six_volumes - 6 * volume) < 1e-12);
}

static void expect_cells(const mesh *m, bool has_points) {
  (void)has_points;
  static const struct {
    size_t face_count;
    double volume;
  } cells[] = {{4, 1. / 6}, {4, 1. / 6}, {6, 1}, {5, 0.5}, {5, 1. / 3}, {4, 1. / 6}, {6, 1}};
  check_kind(m, MESH_POLYHEDRA);
  assert_int_equal(m->cell_count, COUNT(cells));
  assert_int_equal(m->cell_first[0], 0);
  assert_int_equal(m->face_first[0], 0);
  assert_int_equal(m->cell_first[COUNT(cells)], m->face_count);
  for (size_t i = 0; i < COUNT(cells); i++) check_cell(m, i, cells[i].face_count, cells[i].volume);
}

static void expect_cells_without_higher_order(const mesh *m, bool has_points) {
  check_note(m,
             "skipped 1 triangle: the file has polyhedra; used only the corners of 1 hexahedron and 1 tetrahedron of "
             "higher order");
  expect_cells(m, has_points);
}

TEST(cells_of_all_variants) {
  const volume_file v = {cube_positions, CUBE_VERTICES, cells_of_all_shapes, COUNT(cells_of_all_shapes), NULL};
  check_vtk_variants(&v, expect_cells_without_higher_order);
  check_gmsh_variants(&v, expect_cells_without_higher_order);
  /* MEDIT has no hexahedra of 20 nodes: the last one of first order. */
  volume_element elements[COUNT(cells_of_all_shapes)];
  memcpy(elements, cells_of_all_shapes, sizeof elements);
  elements[COUNT(elements) - 1].is_second_order = false;
  const volume_file plain = {cube_positions, CUBE_VERTICES, elements, COUNT(elements), NULL};
  file_bytes file = {.text = true};
  make_medit(&file, &plain);
  read_and_check(mesh_read_medit, &file, expect_cells, false);
}

static void expect_surfaces(const mesh *m, bool has_points) {
  (void)has_points;
  static const uint32_t triangles[] = {0, 1, 2, 4, 5, 6, 4, 6, 7, 0, 2, 3};
  static const uint32_t first[] = {0, 3, 7, 10};
  check_kind(m, MESH_POLYGONS);
  assert_int_equal(m->polygon_count, 3);
  assert_int_equal(m->triangle_count, 4);
  assert_memory_equal(m->triangles, triangles, sizeof triangles);
  assert_memory_equal(m->polygon_first, first, sizeof first);
  check_note(m, "skipped 1 line; used only the corners of 1 triangle of higher order");
}

TEST(surfaces_of_all_variants) {
  check_variants(surfaces, COUNT(surfaces), expect_surfaces);
}

static void expect_nothing(const mesh *m, bool has_points) {
  (void)has_points;
  check_kind(m, MESH_POLYGONS);
  assert_int_equal(m->triangle_count, 0);
  check_note(m, NULL);
}

TEST(no_elements_in_all_variants) {
  check_variants(surfaces, 0, expect_nothing);
}

/* ---------------------------------------------------------------------------------------------------- oddities */

TEST(thousands_are_grouped) {
  static const size_t counts[] = {1, 12, 999, 1000, 12345, 123456, 1234567};
  static const char *const notes[] = {"1 triangle",       "12 triangles",      "999 triangles",      "1,000 triangles",
                                      "12,345 triangles", "123,456 triangles", "1,234,567 triangles"};
  for (size_t i = 0; i < COUNT(counts); i++) {
    OWNED_MEMORY char *text = malloc(200 + 8 * counts[i]);
    char *p = text + sprintf(text, "MeshVersionFormatted 1\nVertices\n1\n0 0 0 0\nTriangles\n%zu\n", counts[i]);
    for (size_t j = 0; j < counts[i]; j++) p += sprintf(p, "1 1 1 0\n");
    p += sprintf(p, "Tetrahedra\n1\n1 1 1 1 0\nEnd\n");
    OWNED_BY(free_result) reading_result result = read_well(mesh_read_medit, text, (size_t)(p - text));
    char note[100];
    snprintf(note, sizeof note, "skipped %s: the file has tetrahedra", notes[i]);
    check_note(&result.meshes[0], note);
  }
}

/* Sections before and after, carriage returns, a node that repeats in no element, versions 2 and 2.1. */
TEST(gmsh_texts) {
  static const char *const texts[] = {
      "$MeshFormat\r\n2 0 8\r\n$EndMeshFormat\r\n$Nodes\r\n4\r\n9 0 0 0\r\n1 1 0 0\r\n2 0 1 0\r\n3 0 0 "
      "1\r\n$EndNodes\r\n"
      "$Elements\r\n1\r\n1 4 0 9 1 2 3\r\n$EndElements\r\n",
      "$MeshFormat\r2.1 0 8\r$EndMeshFormat\r$Nodes\r4\r9 0 0 0\r1 1 0 0\r2 0 1 0\r3 0 0 1\r$EndNodes\r"
      "$Elements\r1\r1 4 3 1 2 3 9 1 2 3\r$EndElements",
      "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n$End no\n$EndEntities\n$Nodes\n3 4 1 9\n3 1 0 "
      "2\n9\n1\n"
      "0 0 0\n1 0 0\n0 0 0 0\n3 2 0 2\n2 3 0 1 0 0 0 1\n$EndNodes\n$Elements\n2 1 1 1\n1 1 1 0\n3 1 4 1\n1 9 1 2 3\n"
      "$EndElements\n$Surface\n1\n1 2 3\n$EndSurface\n",
  };
  static const uint32_t tetrahedron[] = {0, 1, 2, 3};
  static const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (size_t i = 0; i < COUNT(texts); i++) {
    OWNED_BY(free_result) reading_result result = read_well(mesh_read_gmsh, texts[i], strlen(texts[i]));
    check_positions(&result.meshes[0], positions, 4);
    check_tetrahedra(&result.meshes[0], tetrahedron, 1);
    check_note(&result.meshes[0], NULL);
  }
}

/* Blocks of several elements in binary files of version 2.2. */
TEST(gmsh_2_binary_blocks) {
  static const uint32_t tetrahedra[] = {0, 1, 2, 3, 3, 2, 1, 0};
  for (int form = 1; form < 3; form++) {
    file_bytes file = start_file(form);
    static const int numbers[] = {1, 4, 2, 1, 11, 1, 2, 3, 4, 12, 4, 3, 2, 1};
    put_text(&file, "$MeshFormat\n2.2 1 8\n");
    put_integer(&file, 1, 4);
    put_text(&file, "\n$EndMeshFormat\n$Nodes\n4\n");
    for (int i = 1; i <= 4; i++) {
      put_integer(&file, i, 4);
      for (int axis = 0; axis < 3; axis++) put_real(&file, i * axis, 8);
    }
    put_text(&file, "\n$EndNodes\n$Elements\n2\n");
    put_integer(&file, 4, 4);
    put_integer(&file, 2, 4);
    put_integer(&file, 0, 4);
    for (size_t i = 4; i < COUNT(numbers); i++) put_integer(&file, numbers[i], 4);
    put_text(&file, "\n$EndElements\n");
    reading_result result = read_well(mesh_read_gmsh, file.bytes, file.size);
    check_tetrahedra(&result.meshes[0], tetrahedra, 2);
    free_result(&result);
    free(file.bytes);
  }
}

TEST(vtk_floats) {
  static const double positions[] = {0.5, 0.25, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const volume_element element = {ELEMENT_TETRAHEDRON, false, {0, 1, 2, 3}};
  static const uint32_t tetrahedron[] = {0, 1, 2, 3};
  const volume_file v = {positions, 4, &element, 1, NULL};
  for (int form = 0; form < 3; form += 2) {
    file_bytes file = start_file(form);
    make_vtk(&file, &v, 4, OFFSETS_NONE);
    reading_result result = read_well(mesh_read_vtk, file.bytes, file.size);
    check_positions(&result.meshes[0], positions, 4);
    check_tetrahedra(&result.meshes[0], tetrahedron, 1);
    free_result(&result);
    free(file.bytes);
  }
}

#define VTK_HEADER "# vtk DataFile Version 2.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\n"
#define VTK_CUBE "POINTS 8 float\n0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1\n"

/* A voxel, whose corners stand along the axes, and the same cube as a polyhedron: the same volume. */
TEST(vtk_cells) {
  OWNED_BY(free_result)
  reading_result result = read_well(
      mesh_read_vtk, TEXT(VTK_HEADER VTK_CUBE "CELLS 4 48\n8 0 1 2 3 4 5 6 7\n4 0 1 2 4\n"
                                              "31 6 4 0 2 3 1 4 4 5 7 6 4 0 1 5 4 4 1 3 7 5 4 3 2 6 7 4 2 0 4 6\n1 5\n"
                                              "CELL_TYPES 4\n11 10 42 29\n"));
  const mesh *m = &result.meshes[0];
  check_kind(m, MESH_POLYHEDRA);
  assert_int_equal(m->cell_count, 3);
  check_cell(m, 0, 6, 1);
  check_cell(m, 1, 4, 1. / 6);
  check_cell(m, 2, 6, 1);
  check_note(m, "skipped 1 element of another type: the file has polyhedra");
}

TEST(vtk_surfaces) {
  static const uint32_t first[] = {0, 4, 9};
  static const uint32_t corners[] = {0, 1, 3, 2, 0, 1, 3, 7, 2};
  OWNED_BY(free_result)
  reading_result result = read_well(
      mesh_read_vtk, TEXT(VTK_HEADER VTK_CUBE "CELLS 6 27\n4 0 1 2 3\n5 0 1 3 7 2\n4 0 1 2 3\n2 0 1\n3 0 1 2\n"
                                              "3 0 1 2\nCELL_TYPES 6\n8 7 6 3 4 2\n"));
  const mesh *m = &result.meshes[0];
  check_kind(m, MESH_POLYGONS);
  assert_int_equal(m->polygon_count, 2);
  assert_memory_equal(m->polygon_first, first, sizeof first);
  assert_memory_equal(m->corners, corners, sizeof corners);
  check_note(m, "skipped 1 triangle strip, 2 lines and 1 point");
}

/* Words in lower case, sections in another order, carriage returns alone. */
TEST(vtk_forms) {
  static const uint32_t tetrahedron[] = {0, 1, 2, 4};
  static const char text[] = "# vtk DataFile Version 4.2\nx\nascii\ndataset unstructured_grid\ncell_types 1\n10\n"
                             "cells 1 5\n4 0 1 2 4\n" VTK_CUBE;
  char changed[sizeof text];
  memcpy(changed, text, sizeof text);
  for (int form = 0; form < 2; form++) {
    reading_result result = read_well(mesh_read_vtk, changed, sizeof text - 1);
    check_tetrahedra(&result.meshes[0], tetrahedron, 1);
    free_result(&result);
    for (char *p = changed; *p; p++) {
      if (*p == '\n') *p = '\r';
    }
  }
}

/* Metadata may stand before any array of a field, and may end with the file. */
TEST(vtk_metadata) {
  static const uint32_t tetrahedron[] = {0, 1, 2, 4};
  OWNED_BY(free_result)
  reading_result result = read_well(
      mesh_read_vtk, TEXT(VTK_HEADER "FIELD f 3\na 1 1 int\n7\nMETADATA\nCOMPONENT_NAMES\nx\n\nMETADATA\nx\r\n\r\n"
                                     "b 0 999999999999 double\nc 2 1 float\n0.5 nan\n" VTK_CUBE
                                     "METADATA\nINFORMATION 1\nNAME CELLS LOCATION x\nDATA 1\n\n"
                                     "CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\nMETADATA\nINFORMATION 0"));
  check_tetrahedra(&result.meshes[0], tetrahedron, 1);
  check_note(&result.meshes[0], NULL);
}

TEST(rope_lines) {
  static const uint32_t tetrahedra[] = {0, 1, 2, 3, 3, 3, 3, 3};
  static const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const char *const texts[] = {
      "Vertex 0 0 0 0\nVertex 1 1 0 0\nVertex 2 0 1 0\nVertex 3 0 0 1\nTet 0 0 1 2 3\nTet 1 3 3 3 3\n",
      "# c\nVertex 1 0 0 0\r\nVertex 2 1 0 0 # c\nVertex 3 0 1 0\nVertex 4 0 0 1\nTet 1 1 2 3 4\n\nTet 2 4 4 4 4"};
  for (size_t i = 0; i < COUNT(texts); i++) {
    OWNED_BY(free_result) reading_result result = read_well(mesh_read_rope, texts[i], strlen(texts[i]));
    check_positions(&result.meshes[0], positions, 4);
    check_tetrahedra(&result.meshes[0], tetrahedra, 2);
  }
}

/* ---------------------------------------------------------------------------------------------------- files */

static mesh *read_file_well(const char *path) {
  mesh *meshes;
  size_t mesh_count;
  char error[256];
  if (!mesh_file_read(path, NULL, &meshes, &mesh_count, error, sizeof error)) fail_msg("%s", error);
  assert_int_equal(mesh_count, 1);
  assert_string_equal(meshes[0].name, path);
  return meshes;
}

/* Points numbered from 0 or 1, attributes, markers, comments, ten nodes; found from either file. */
TEST_WITH(tetgen_files, enter_scratch_folder, leave_scratch_folder) {
  static const uint32_t tetrahedra[] = {0, 1, 2, 3, 3, 2, 1, 0};
  static const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  static const struct {
    const char *nodes, *elements, *note;
  } files[] = {
      {"4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", "2 4 0\n0 0 1 2 3\n1 3 2 1 0\n", NULL},
      {"# made by hand\n4  3  1  1\n\n1  0 0 0  0.5 -1\n2 1 0 0 nan 0 # c\n3 0 1 0 1e3 0\n4 0 0 1 7 0\n# end",
       "2  4  1\r\n 1   1 2 3 4  9\r\n 2   4 3 2 1  -9\r\n# end\r\n", NULL},
      {"4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", "2 10 0\n0 0 1 2 3 0 0 0 0 0 0\n1 3 2 1 0 0 0 0 0 0 0\n",
       "used only the corners of 2 tetrahedra of higher order"},
  };
  for (size_t i = 0; i < COUNT(files); i++) {
    write_bytes("a.1.node", files[i].nodes, strlen(files[i].nodes));
    write_bytes("a.1.ele", files[i].elements, strlen(files[i].elements));
    static const char *const paths[] = {"a.1.node", "a.1.ele"};
    for (size_t j = 0; j < 2; j++) {
      mesh *m = read_file_well(paths[j]);
      check_positions(m, positions, 4);
      check_tetrahedra(m, tetrahedra, 2);
      check_note(m, files[i].note);
      mesh_list_free(m, 1);
    }
  }
}

/* The other file may be compressed under a name that says so; whether it is follows from its bytes. */
TEST_WITH(tetgen_other_file_with_gz, enter_scratch_folder, leave_scratch_folder) {
  static const uint32_t tetrahedron[] = {0, 0, 0, 0};
  write_bytes("b.node.gz", TEXT("1 3 0 0\n1 0 0 0\n"));
  write_bytes("b.ele", TEXT("1 4 0\n1 1 1 1 1\n"));
  static const char *const paths[] = {"b.ele", "b.node.gz"};
  for (size_t i = 0; i < 2; i++) {
    mesh *m = read_file_well(paths[i]);
    check_tetrahedra(m, tetrahedron, 1);
    mesh_list_free(m, 1);
  }
}

TEST_WITH(formats_are_recognized, enter_scratch_folder, leave_scratch_folder) {
  static const char gmsh[] = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n"
                             "1 4 0 1 1 1 1\n$EndElements\n";
  static const char medit[] = "MeshVersionFormatted 1\nDimension 3\nVertices\n1\n0 0 0 0\nTetrahedra\n1\n1 1 1 1 0\n";
  static const char vtk[] = VTK_HEADER "POINTS 1 float\n0 0 0\nCELLS 1 5\n4 0 0 0 0\nCELL_TYPES 1\n10\n";
  static const char rope[] = "Vertex 0 0 0 0\nTet 0 0 0 0 0\n";
  static const struct {
    const char *path, *text;
  } files[] = {{"a.msh", gmsh}, {"b", gmsh},   {"c.MESH", medit}, {"d.txt", medit},
               {"e.Vtk", vtk},  {"f.gz", vtk}, {"g.t", rope},     {"h", rope}};
  static const uint32_t tetrahedron[] = {0, 0, 0, 0};
  for (size_t i = 0; i < COUNT(files); i++) {
    write_bytes(files[i].path, files[i].text, strlen(files[i].text));
    mesh *m = read_file_well(files[i].path);
    check_tetrahedra(m, tetrahedron, 1);
    mesh_list_free(m, 1);
  }
}
