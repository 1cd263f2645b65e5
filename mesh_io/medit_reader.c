/* Reads MEDIT .mesh in ascii (Frey, "MEDIT: an interactive mesh visualization software", INRIA report 0253, 2001):
 * keywords, each followed by a number of rows. Vertices and elements are read. Corners, ridges, required elements and
 * normals are skipped; so are unknown keywords, which are counted because they may be elements. In ascii, the versions
 * differ only in their declared precision.
 *
 * Workload: text of about 30 bytes per row, vertices before elements. Comments run from # to the end of a line. */
#include "mesh_io/element_builder.h"
#include "mesh_io/text_encoding.h"
#include "mesh_io/value_cursor.h"

typedef struct medit_file {
  value_cursor cursor;
  element_builder *builder;
  bool has_vertices;
} medit_file;

/* An element keyword: nodes of higher order follow the corners, and a reference ends each row. */
typedef struct medit_keyword {
  const char *word;
  element_shape shape;
  unsigned corner_count, node_count;
} medit_keyword;

static const medit_keyword keywords[] = {
    {"Edges", ELEMENT_LINE, 2, 2},
    {"EdgesP2", ELEMENT_LINE, 2, 3},
    {"Triangles", ELEMENT_TRIANGLE, 3, 3},
    {"TrianglesP2", ELEMENT_TRIANGLE, 3, 6},
    {"Quadrilaterals", ELEMENT_QUADRILATERAL, 4, 4},
    {"Tetrahedra", ELEMENT_TETRAHEDRON, 4, 4},
    {"TetrahedraP2", ELEMENT_TETRAHEDRON, 4, 10},
    {"Hexahedra", ELEMENT_HEXAHEDRON, 8, 8},
    {"Hexaedra", ELEMENT_HEXAHEDRON, 8, 8}, /* a spelling of old writers */
    {"Prisms", ELEMENT_PRISM, 6, 6},
    {"Pentahedra", ELEMENT_PRISM, 6, 6},
    {"Pyramids", ELEMENT_PYRAMID, 5, 5},
};

/* Sections that do not affect the shape of the elements. */
static const char *const irrelevant_keywords[] = {
    "Corners",
    "Ridges",
    "RequiredVertices",
    "RequiredEdges",
    "RequiredTriangles",
    "RequiredQuadrilaterals",
    "Normals",
    "NormalAtVertices",
    "NormalAtTriangleVertices",
    "NormalAtQuadrilateralVertices",
    "Tangents",
    "TangentAtVertices",
    "TangentAtEdges",
    "VertexOnGeometricVertex",
    "VertexOnGeometricEdge",
    "VertexOnGeometricTriangle",
    "EdgeOnGeometricEdge",
    "AngleOfCornerBound",
    "BoundingBox",
    "Geometry",
    "Identifier",
    "SubDomainFromGeom",
    "SubDomainFromMesh",
};

static bool read_header(medit_file *file) {
  value_cursor *cursor = &file->cursor;
  int64_t version;
  value_cursor_skip_blanks(cursor);
  const char *const position = cursor->p;
  if (!cursor_word_is(value_cursor_take_word(cursor), "MeshVersionFormatted")) {
    return mesh_fail_at(cursor->reading, position, "the first word is not \"MeshVersionFormatted\"");
  }
  if (!value_cursor_take_count(cursor, &version)) return value_cursor_expected(cursor, "the version");
  if (version >= 1 && version <= 4) return true;
  return value_cursor_fail(cursor, "MEDIT version %lld is not supported; only 1 to 4 are", (long long)version);
}

static bool read_dimension(medit_file *file) {
  int64_t dimension;
  if (!value_cursor_take_count(&file->cursor, &dimension)) {
    return value_cursor_expected(&file->cursor, "the dimension");
  }
  if (dimension == 3) return true;
  return value_cursor_fail(&file->cursor, "MEDIT dimension %lld is not supported; only 3 is", (long long)dimension);
}

static bool take_row_count(medit_file *file, const char *what, int64_t *count_out) {
  if (value_cursor_take_count_between(&file->cursor, 0, INT64_MAX, count_out)) return true;
  return value_cursor_expected(&file->cursor, "the number of %s", what);
}

/* The reference at the end of a row, which some writers write as a real number. */
static bool pass_over_reference(medit_file *file, const char *what, int64_t row) {
  if (value_cursor_pass_over(&file->cursor, 0)) return true;
  return value_cursor_expected(&file->cursor, "the reference of row %lld of %s", (long long)row, what);
}

static bool read_vertices(medit_file *file) {
  int64_t count;
  if (file->has_vertices) return value_cursor_fail(&file->cursor, "there is a second section Vertices");
  file->has_vertices = true;
  if (!take_row_count(file, "Vertices", &count)) return false;
  for (int64_t i = 1; i <= count; i++) {
    double position[3];
    if (!value_cursor_take_position(&file->cursor, sizeof(double), (size_t)i, position) ||
        !pass_over_reference(file, "Vertices", i) ||
        !mesh_builder_add_vertex(&file->builder->mesh, position[0], position[1], position[2])) {
      return false;
    }
  }
  return true;
}

static bool read_row(medit_file *file, const medit_keyword *keyword, int64_t row) {
  const size_t vertex_count = file->builder->mesh.m.vertex_count;
  uint32_t corners[ELEMENT_CORNERS_MAX];
  for (unsigned i = 0; i < keyword->node_count; i++) {
    int64_t vertex;
    if (!value_cursor_take_count(&file->cursor, &vertex)) {
      return value_cursor_expected(&file->cursor, "vertex %u of row %lld of %s", i + 1, (long long)row, keyword->word);
    }
    if (vertex < 1 || (uint64_t)vertex > vertex_count) {
      return value_cursor_fail(&file->cursor,
                               "row %lld of %s refers to vertex %lld, but the file has %zu vertices, counted from 1",
                               (long long)row, keyword->word, (long long)vertex, vertex_count);
    }
    if (i < keyword->corner_count) corners[i] = (uint32_t)(vertex - 1);
  }
  if (!pass_over_reference(file, keyword->word, row)) return false;
  if (keyword->node_count > keyword->corner_count) {
    return element_builder_add_higher_order(file->builder, keyword->shape, corners);
  }
  return element_builder_add(file->builder, keyword->shape, corners, keyword->corner_count);
}

static bool read_elements(medit_file *file, const medit_keyword *keyword) {
  int64_t count;
  if (!take_row_count(file, keyword->word, &count)) return false;
  if (!file->has_vertices && count > 0) {
    return value_cursor_fail(&file->cursor, "%s comes before Vertices", keyword->word);
  }
  for (int64_t i = 1; i <= count; i++) {
    if (!read_row(file, keyword, i)) return false;
  }
  return true;
}

static bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* Skips to the next word that begins with a letter: such a keyword is followed by numbers, or by a quoted name. */
static void pass_over_values(medit_file *file) {
  value_cursor *cursor = &file->cursor;
  while (value_cursor_skip_blanks(cursor) && !is_letter(*cursor->p)) {
    const bool is_quoted = *cursor->p == '"';
    const char *const quoted = cursor->p + 1;
    value_cursor_take_word(cursor);
    const size_t length = is_quoted ? strcspn(quoted, "\"\n") : 0;
    if (is_quoted && quoted[length] == '"') cursor->p = quoted + length + 1;
  }
}

static bool is_irrelevant(cursor_word word) {
  for (size_t i = 0; i < sizeof irrelevant_keywords / sizeof *irrelevant_keywords; i++) {
    if (cursor_word_is(word, irrelevant_keywords[i])) return true;
  }
  return false;
}

static bool read_section(medit_file *file, bool *ended_out) {
  value_cursor *cursor = &file->cursor;
  const char *const position = cursor->p;
  const cursor_word word = value_cursor_take_word(cursor);
  *ended_out = cursor_word_is(word, "End");
  if (*ended_out) return true;
  if (cursor_word_is(word, "Dimension")) return read_dimension(file);
  if (cursor_word_is(word, "Vertices")) return read_vertices(file);
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
    if (cursor_word_is(word, keywords[i].word)) return read_elements(file, &keywords[i]);
  }
  if (!is_letter(word.text[0])) {
    const mesh_quote quote = mesh_quote_word(position);
    return mesh_fail_at(cursor->reading, position, "expected a keyword, found \"%s\"", quote.text);
  }
  if (!is_irrelevant(word)) unknown_lines_add(&file->builder->mesh.unknown, position);
  pass_over_values(file);
  return true;
}

static bool read_file(medit_file *file) {
  if (!read_header(file)) return false;
  for (bool ended = false; !ended && value_cursor_skip_blanks(&file->cursor);) {
    if (!read_section(file, &ended)) return false;
  }
  return file->has_vertices || mesh_fail(file->cursor.reading, "the file has no section Vertices");
}

bool mesh_read_medit(const mesh_reading *given, mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading reading;
  if (!text_encoding_start(given, &reading)) return false;
  mesh_unify_line_ends(&reading);
  element_builder builder;
  element_builder_start(&builder, &reading);
  medit_file file = {.cursor = value_cursor_start(&reading, true), .builder = &builder};
  if (read_file(&file)) return element_builder_finish(&builder, meshes_out, mesh_count_out);
  element_builder_free(&builder);
  return false;
}
