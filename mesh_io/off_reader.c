/* Reads OFF, the Object File Format of Geomview, in its ascii forms with three coordinates per vertex: OFF with any of
 * the prefixes ST, C and N, whose texture coordinates, colors and normals are skipped.
 *
 * Workload: text of up to megabytes. By its definition the format ignores lines, but the numbers of color components
 * differ between writers, so in practice a line is a vertex or a face, and the rest of the line after coordinates or
 * corners is skipped. Comments run from # to the end of a line; the counts may be on the first line; the third count,
 * of edges, may be missing. Text after the declared faces is not read. */
#include "mesh_io/mesh_builder.h"
#include "mesh_io/number_scanner.h"
#include "mesh_io/text_encoding.h"

#include <math.h>
#include <string.h>

typedef struct off_text {
  const mesh_reading *reading;
  const char *p, *end;
  mesh_builder *builder;
  uint64_t vertex_count, face_count;
  uint32_t *corners;
  size_t corner_capacity;
} off_text;

static void skip_blanks(off_text *text) {
  while (*text->p == ' ' || *text->p == '\t' || *text->p == '\r') text->p++;
}

static void skip_line(off_text *text) {
  const char *line_end = memchr(text->p, '\n', (size_t)(text->end - text->p));
  text->p = line_end ? line_end + 1 : text->end;
}

static bool at_line_end(const off_text *text) {
  return *text->p == '\n' || *text->p == '#' || text->p >= text->end;
}

/* Skips to the first character that is neither blank nor comment; false at the end of the file. */
static bool find_content(off_text *text) {
  for (;;) {
    skip_blanks(text);
    if (text->p >= text->end) return false;
    if (!at_line_end(text)) return true;
    skip_line(text);
  }
}

/* Reads a whole number on this line. False, without a message, if there is none; numbers beyond 2^62 become 2^62. */
static bool take_count(off_text *text, uint64_t *count_out) {
  skip_blanks(text);
  *count_out = 0;
  const char *after = scan_digits(text->p, count_out);
  if (after == text->p || !(is_delimiter(*after) || *after == '#')) return false;
  if (after - text->p > 18) *count_out = (uint64_t)1 << 62;
  text->p = after;
  return true;
}

/* The word OFF with its prefixes is optional. */
static bool read_keyword(off_text *text) {
  const char *p = text->p;
  if (*p >= '0' && *p <= '9' && !(p[0] == '4' && (p[1] == 'O' || p[1] == 'n'))) return true;
  const mesh_quote word = mesh_quote_word(p);
  if (strncmp(p, "ST", 2) == 0) p += 2;
  if (*p == 'C') p++;
  if (*p == 'N') p++;
  if (strncmp(p, "OFF", 3) != 0 || !(is_delimiter(p[3]) || p[3] == '#')) {
    return mesh_fail_at(text->reading, text->p,
                        "\"%s\" is not a keyword of an OFF file with three coordinates per vertex", word.text);
  }
  text->p = p + 3;
  skip_blanks(text);
  if (strncmp(text->p, "BINARY", 6) == 0)
    return mesh_fail_at(text->reading, text->p, "binary OFF files are not supported");
  return true;
}

static bool read_header(off_text *text) {
  if (!find_content(text)) return mesh_fail(text->reading, "the file has only comments; it is not an OFF file");
  if (!read_keyword(text)) return false;
  if (!find_content(text))
    return mesh_fail_at(text->reading, text->end, "the file ends before the numbers of vertices and faces");
  const char *const line = text->p;
  if (!take_count(text, &text->vertex_count) || !take_count(text, &text->face_count)) {
    return mesh_fail_at(text->reading, line, "expected the numbers of vertices and faces");
  }
  skip_line(text);
  return true;
}

static bool read_vertex(off_text *text, size_t vertex) {
  double position[3];
  for (int axis = 0; axis < 3; axis++) {
    skip_blanks(text);
    const char *after = scan_number(text->p, &position[axis]);
    if (!after || !(is_delimiter(*after) || *after == '#') || !isfinite(position[axis])) {
      return mesh_fail_coordinate_text(text->reading, text->p, vertex, axis);
    }
    text->p = after;
  }
  skip_line(text);
  return mesh_builder_add_vertex(text->builder, position[0], position[1], position[2]);
}

static bool read_corner(off_text *text, size_t face, uint32_t *corner_out) {
  skip_blanks(text);
  const mesh_quote word = mesh_quote_word(text->p);
  uint64_t index;
  if (!take_count(text, &index)) {
    return mesh_fail_at(text->reading, text->p, "face %zu has the corner \"%s\", which is not a vertex index", face,
                        word.text);
  }
  if (index >= text->vertex_count) {
    return mesh_fail_at(text->reading, text->p,
                        "face %zu refers to vertex %s, but the file has %llu vertices, counted from 0", face, word.text,
                        (unsigned long long)text->vertex_count);
  }
  *corner_out = (uint32_t)index;
  return true;
}

static bool read_face(off_text *text, size_t face) {
  const char *const line = text->p;
  uint64_t corner_count;
  if (!take_count(text, &corner_count)) {
    const mesh_quote word = mesh_quote_word(text->p);
    return mesh_fail_at(text->reading, text->p, "face %zu has \"%s\" corners, which is not a number", face, word.text);
  }
  if (corner_count < 3) {
    return mesh_fail_at(text->reading, line, "face %zu has %llu corners, fewer than 3", face,
                        (unsigned long long)corner_count);
  }
  for (uint64_t i = 0; i < corner_count; i++) {
    skip_blanks(text);
    if (at_line_end(text)) {
      return mesh_fail_at(text->reading, line, "face %zu declares %llu corners, but its line has %llu", face,
                          (unsigned long long)corner_count, (unsigned long long)i);
    }
    void *block = text->corners;
    const bool fits = mesh_builder_grow(text->reading, &block, &text->corner_capacity, (size_t)i, 1, sizeof(uint32_t),
                                        "corners of a face");
    text->corners = block;
    if (!fits || !read_corner(text, face, &text->corners[i])) return false;
  }
  skip_line(text);
  return mesh_builder_add_polygon(text->builder, text->corners, (size_t)corner_count);
}

static bool read_body(off_text *text) {
  for (uint64_t i = 0; i < text->vertex_count; i++) {
    if (!find_content(text)) {
      return mesh_fail_at(text->reading, text->end, "the file ends after %llu of %llu vertices", (unsigned long long)i,
                          (unsigned long long)text->vertex_count);
    }
    if (!read_vertex(text, (size_t)i)) return false;
  }
  for (uint64_t i = 0; i < text->face_count; i++) {
    if (!find_content(text)) {
      return mesh_fail_at(text->reading, text->end, "the file ends after %llu of %llu faces", (unsigned long long)i,
                          (unsigned long long)text->face_count);
    }
    if (!read_face(text, (size_t)i)) return false;
  }
  return true;
}

bool mesh_read_off(const mesh_reading *file, mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading reading;
  if (!text_encoding_start(file, &reading)) return false;
  mesh_unify_line_ends(&reading);
  mesh_builder builder;
  mesh_builder_start(&builder, &reading);
  off_text text = {&reading, reading.bytes, reading.bytes + reading.size, &builder, 0, 0, NULL, 0};
  const bool done = read_header(&text) && read_body(&text);
  mesh_release(&reading.memory, text.corners);
  if (done) return mesh_builder_finish(&builder, meshes_out, mesh_count_out);
  mesh_builder_free(&builder);
  return false;
}
