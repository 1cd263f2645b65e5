/* Tests byte-order marks and line ends: the mark of UTF-8, and lines that end in carriage returns, change nothing in
 * any text format; marks of UTF-16 and UTF-32 are rejected by name. */
#include "reading_tools.h"
#include "testing.h"

#include "mesh_io/tetgen_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK "\xEF\xBB\xBF"
#define POINTS "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
#define TEXT(text) (text), sizeof(text) - 1

/* Two files in one text, divided by '@'; both get the mark of the first. */
static bool read_tetgen_text(const mesh_reading *reading, mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading nodes = *reading, elements = *reading;
  const bool is_marked = strncmp(reading->bytes, MARK, 3) == 0;
  char *const cut = strchr(reading->bytes, '@');
  nodes.size = (size_t)(cut - reading->bytes);
  nodes.bytes = calloc(1, reading->size + 2 * MESH_PADDING_BYTES);
  elements.bytes = calloc(1, reading->size + 2 * MESH_PADDING_BYTES);
  if (!nodes.bytes || !elements.bytes) abort();
  memcpy(nodes.bytes, reading->bytes, nodes.size);
  sprintf(elements.bytes, "%s%s", is_marked ? MARK : "", cut + 1);
  elements.size = strlen(elements.bytes);
  const bool done = mesh_read_tetgen_pair(&nodes, &elements, reading, meshes_out, mesh_count_out);
  free(nodes.bytes);
  free(elements.bytes);
  return done;
}

typedef struct text_file {
  mesh_reader *reader;
  const char *text;
  size_t size;
  size_t vertex_count, triangle_count, tetrahedron_count;
} text_file;

/* The first line of each says something that would be missed. */
static const text_file text_files[] = {
    {mesh_read_obj, TEXT("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 2 3 4\n"), 4, 2, 0},
    {mesh_read_obj, TEXT("v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r"), 3, 1, 0},
    {mesh_read_ply,
     TEXT("ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
          "element face 1\nproperty list uchar int vertex_indices\nend_header\n" POINTS "3 0 1 2\n"),
     4, 1, 0},
    {mesh_read_stl,
     TEXT("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
          "endsolid a\n"),
     3, 1, 0},
    {mesh_read_off, TEXT("OFF\n4 1 0\n" POINTS "3 0 1 2\n"), 4, 1, 0},
    {mesh_read_off, TEXT("4 1\n" POINTS "3 0 1 2\n"), 4, 1, 0},
    {mesh_read_gmsh,
     TEXT("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
          "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n"),
     4, 0, 1},
    {mesh_read_medit,
     TEXT("MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra 1\n"
          "1 2 3 4 0\nEnd\n"),
     4, 0, 1},
    {mesh_read_vtk,
     TEXT("# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n" POINTS
          "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n"),
     4, 0, 1},
    {read_tetgen_text, TEXT("4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n@1 4 0\n0 0 1 2 3\n"), 4, 0, 1},
    {mesh_read_rope, TEXT("Vertex 0 0 0 0\nVertex 1 1 0 0\nVertex 2 0 1 0\nVertex 3 0 0 1\nTet 0 0 1 2 3\n"), 4, 0, 1},
    {mesh_read_csv, TEXT("x,y,z,radius\n0,0,0,1\n"), 1, 0, 0},
    {mesh_read_sph, TEXT("sph 1.0\nsphe 1 0 0 0 1\n"), 1, 0, 0},
    {mesh_read_sph, TEXT("# rmin rmax\n1 1\n1\n1\n0 0 0 1\n"), 1, 0, 0},
};
enum { TEXT_FILES = sizeof text_files / sizeof *text_files };

static reading_result read_after(const text_file *file, const char *mark, size_t mark_bytes) {
  char bytes[1024];
  memcpy(bytes, mark, mark_bytes);
  memcpy(bytes + mark_bytes, file->text, file->size);
  return read_bytes(file->reader, bytes, mark_bytes + file->size, false);
}

static reading_result read_with_returns(const text_file *file) {
  char bytes[1024];
  for (size_t i = 0; i < file->size; i++) bytes[i] = file->text[i] == '\n' ? '\r' : file->text[i];
  return read_bytes(file->reader, bytes, file->size, false);
}

TEST(marks_and_returns_change_nothing) {
  for (size_t i = 0; i < 2 * TEXT_FILES; i++) {
    const text_file *file = &text_files[i / 2];
    OWNED_BY(free_result) reading_result plain = read_after(file, "", 0);
    reading_result marked = i % 2 ? read_with_returns(file) : read_after(file, TEXT(MARK));
    if (!plain.done) fail_msg("text %zu: %s", i / 2, plain.error);
    if (!marked.done) fail_msg("text %zu with %s: %s", i / 2, i % 2 ? "returns" : "a mark", marked.error);
    const mesh *m = marked.meshes, *same = plain.meshes;
    assert_int_equal(m->vertex_count, file->vertex_count);
    assert_int_equal(m->triangle_count, file->triangle_count);
    assert_int_equal(m->tetrahedron_count, file->tetrahedron_count);
    assert_null(m->note);
    assert_memory_equal(m->positions, same->positions, 3 * m->vertex_count * sizeof(double));
    if (m->triangles) assert_memory_equal(m->triangles, same->triangles, 3 * m->triangle_count * sizeof(uint32_t));
    if (m->tetrahedra) {
      assert_memory_equal(m->tetrahedra, same->tetrahedra, 4 * m->tetrahedron_count * sizeof(uint32_t));
    }
    free_result(&marked);
  }
}

TEST(lines_are_counted_as_before) {
  reading_result result = read_bytes(mesh_read_obj, TEXT(MARK "v 0 nan 0\n"), false);
  assert_false(result.done);
  assert_string_equal(result.error, "file:1: vertex 1 has the y coordinate \"nan\", which is not a finite number");
  result = read_bytes(mesh_read_obj, TEXT(MARK), false);
  assert_false(result.done);
  assert_string_equal(result.error, "file: the file has no vertices or faces; it is not an OBJ file");
}

TEST(other_encodings_are_refused) {
  static const struct {
    const char *mark;
    size_t bytes;
    const char *message;
  } marks[] = {
      {TEXT("\xFF\xFE"),
       "file: the byte-order mark is that of UTF-16, little endian; only ASCII and UTF-8 are supported"},
      {TEXT("\xFE\xFF"), "file: the byte-order mark is that of UTF-16, big endian; only ASCII and UTF-8 are supported"},
      {TEXT("\xFF\xFE\0\0"),
       "file: the byte-order mark is that of UTF-32, little endian; only ASCII and UTF-8 are supported"},
      {TEXT("\0\0\xFE\xFF"),
       "file: the byte-order mark is that of UTF-32, big endian; only ASCII and UTF-8 are supported"},
  };
  for (size_t i = 0; i < TEXT_FILES; i++) {
    if (text_files[i].reader == read_tetgen_text) continue; /* its test divides the text by characters */
    for (size_t j = 0; j < sizeof marks / sizeof *marks; j++) {
      reading_result result = read_after(&text_files[i], marks[j].mark, marks[j].bytes);
      assert_false(result.done);
      assert_null(result.meshes);
      assert_string_equal(result.error, marks[j].message);
    }
  }
}

/* 80 bytes of a header, a count and a triangle: nothing in it is text. */
TEST(binary_files_may_begin_like_a_mark) {
  static const char *const beginnings[] = {MARK, "\xFF\xFE", "\xFE\xFF"};
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    char bytes[134] = {0};
    memcpy(bytes, beginnings[i], strlen(beginnings[i]));
    bytes[80] = 1;
    OWNED_BY(free_result) reading_result result = read_bytes(mesh_read_stl, bytes, sizeof bytes, false);
    if (!result.done) fail_msg("%s", result.error);
    assert_int_equal(result.meshes[0].triangle_count, 1);
  }
}

/* Through files, whose format follows from the content. */
TEST_WITH(content_is_recognized_behind_a_mark, enter_scratch_folder, leave_scratch_folder) {
  mesh *meshes;
  size_t mesh_count;
  char error[256];
  for (size_t i = 0; i < TEXT_FILES; i++) {
    if (text_files[i].reader == read_tetgen_text || text_files[i].text[0] == '4') continue;
    char bytes[1024];
    const size_t size = (size_t)snprintf(bytes, sizeof bytes, MARK "%s", text_files[i].text);
    write_bytes("unnamed", bytes, size);
    if (!mesh_file_read("unnamed", NULL, &meshes, &mesh_count, error, sizeof error)) fail_msg("text %zu: %s", i, error);
    assert_int_equal(meshes[0].vertex_count, text_files[i].vertex_count);
    mesh_list_free(meshes, mesh_count);
  }
  write_bytes("unnamed", TEXT("\xFF\xFEv\0 \0"));
  assert_false(mesh_file_read("unnamed", NULL, &meshes, &mesh_count, error, sizeof error));
  assert_string_equal(
      error, "unnamed: the byte-order mark is that of UTF-16, little endian; only ASCII and UTF-8 are supported");
  write_bytes("a.node", TEXT("4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n"));
  write_bytes("a.ele", TEXT("\xFE\xFF\0001\0 \0004"));
  assert_false(mesh_file_read("a.node", NULL, &meshes, &mesh_count, error, sizeof error));
  assert_string_equal(error,
                      "a.ele: the byte-order mark is that of UTF-16, big endian; only ASCII and UTF-8 are supported");
}
