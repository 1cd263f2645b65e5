/* Reads Wavefront OBJ: the lines v, f, o and g. Lines and points (l and p) are skipped and counted. Dozens of other
 * keywords do not affect the faces and are skipped; so are lines with unknown keywords, which are counted, because a
 * file may store faces in them.
 *
 * Workload: text of tens of megabytes, half vertices, half faces, nearly all faces triangles, lines of 20 to 60
 * characters. One pass with growable arrays. A corner may refer to a later vertex, so indices are checked against the
 * number of vertices after the pass, by their maximum; only a file that fails is read again, to find the line.
 *
 * Interpretation: of a vertex the first three numbers (a weight or a color may follow); of a corner the number before
 * the first slash; negative indices count back from the last vertex so far; a backslash before a line end continues the
 * line; a comment runs from # to the end of its line, even after a backslash. */
#include "mesh_io/mesh_builder.h"
#include "mesh_io/number_scanner.h"
#include "mesh_io/text_encoding.h"

#include <math.h>
#include <string.h>

typedef struct obj_pass {
  const mesh_reading *reading;
  const char *end;
  mesh_builder *builder;
  uint64_t vertices_known; /* UINT64_MAX in the first pass */
  uint64_t greatest_index; /* as written, from 1 */
  bool has_faces;
  uint32_t *corners; /* of the current polygon, if it is not a triangle */
  size_t corner_capacity;
} obj_pass;

static inline const char *skip_blanks(const char *p) {
  for (;;) {
    while (*p == ' ' || *p == '\t' || *p == '\r') p++;
    if (*p != '\\') return p;
    const char *after = p + 1;
    while (*after == ' ' || *after == '\t' || *after == '\r') after++;
    if (*after != '\n') return p;
    p = after + 1;
  }
}

/* Returns the start of the next line, or the end of the text. */
static inline const char *skip_line(const obj_pass *pass, const char *p) {
  if (*p == '\n') return p + 1;
  if (p >= pass->end) return pass->end;
  const char *line_end = memchr(p, '\n', (size_t)(pass->end - p));
  return line_end ? line_end + 1 : pass->end;
}

static inline bool at_line_end(const obj_pass *pass, const char *p) {
  return *p == '\n' || *p == '#' || p >= pass->end;
}

static const char *read_vertex(obj_pass *pass, const char *p) {
  double position[3];
  for (int axis = 0; axis < 3; axis++) {
    p = skip_blanks(p);
    const char *after = scan_number(p, &position[axis]);
    if (!after || !(is_delimiter(*after) || *after == '#' || *after == '\\') || !isfinite(position[axis])) {
      mesh_fail_coordinate_text(pass->reading, p < pass->end ? p : pass->end, pass->builder->m.vertex_count + 1, axis);
      return NULL;
    }
    p = after;
  }
  if (!mesh_builder_add_vertex(pass->builder, position[0], position[1], position[2])) return NULL;
  return skip_line(pass, p);
}

/* Reads the vertex of the corner at `p`, from 0, modulo 2^32 if only the second pass will refuse it. Returns the end of
 * the corner, NULL after a message. */
static inline const char *read_corner(obj_pass *pass, const char *p, uint32_t *corner_out) {
  const char *const start = p;
  const size_t vertex_count = pass->builder->m.vertex_count;
  const bool negative = *p == '-';
  p += negative;
  uint64_t index = 0;
  const char *const first_digit = p;
  p = scan_digits(p, &index);
  if (p - first_digit > 18) index = UINT64_MAX / 2;
  const bool has_digits = p > first_digit;
  while (*p == '/' || *p == '-' || (*p >= '0' && *p <= '9')) p++;
  if (!has_digits || index == 0 || !(is_delimiter(*p) || *p == '#' || *p == '\\')) {
    const mesh_quote word = mesh_quote_word(start);
    mesh_fail_at(pass->reading, start, "face has the corner \"%s\", which is not a vertex index counted from 1",
                 word.text);
    return NULL;
  }
  if (negative) {
    if (index > vertex_count) {
      const mesh_quote word = mesh_quote_word(start);
      mesh_fail_at(pass->reading, start, "face refers to vertex %s, but %zu vertices come before it", word.text,
                   vertex_count);
      return NULL;
    }
    *corner_out = (uint32_t)(vertex_count - index);
    return p;
  }
  if (index > pass->greatest_index) {
    pass->greatest_index = index;
    if (index > pass->vertices_known) {
      const mesh_quote word = mesh_quote_word(start);
      mesh_fail_at(pass->reading, start, "face refers to vertex %s, but the file has %zu vertices", word.text,
                   (size_t)pass->vertices_known);
      return NULL;
    }
  }
  *corner_out = (uint32_t)(index - 1);
  return p;
}

static bool reserve_corners(obj_pass *pass, size_t count, size_t more) {
  void *block = pass->corners;
  const bool fits = mesh_builder_grow(pass->reading, &block, &pass->corner_capacity, count, more, sizeof(uint32_t),
                                      "corners of a face");
  pass->corners = block;
  return fits;
}

/* Reads a face of more than three corners, of which three have been read. */
static const char *read_polygon(obj_pass *pass, const char *p, const uint32_t first_corners[3]) {
  size_t count = 3;
  if (!reserve_corners(pass, 0, count)) return NULL;
  memcpy(pass->corners, first_corners, 3 * sizeof(uint32_t));
  for (; !at_line_end(pass, p); p = skip_blanks(p)) {
    if (!reserve_corners(pass, count, 1)) return NULL;
    p = read_corner(pass, p, &pass->corners[count++]);
    if (!p) return NULL;
  }
  return mesh_builder_add_polygon(pass->builder, pass->corners, count) ? skip_line(pass, p) : NULL;
}

static const char *read_face(obj_pass *pass, const char *p) {
  const char *const start = p;
  uint32_t corners[3];
  pass->has_faces = true;
  for (int i = 0; i < 3; i++) {
    p = skip_blanks(p);
    if (at_line_end(pass, p)) {
      mesh_fail_at(pass->reading, start, "face has %d corners, fewer than 3", i);
      return NULL;
    }
    p = read_corner(pass, p, &corners[i]);
    if (!p) return NULL;
  }
  p = skip_blanks(p);
  if (!at_line_end(pass, p)) return read_polygon(pass, p, corners);
  return mesh_builder_add_triangle(pass->builder, corners[0], corners[1], corners[2]) ? skip_line(pass, p) : NULL;
}

/* The name is the rest of the line without surrounding blanks. A zero byte ends it, as in the mesh. */
static const char *read_group(obj_pass *pass, const char *p) {
  while (*p == ' ' || *p == '\t') p++;
  const char *next = skip_line(pass, p);
  const char *end = next;
  while (end > p && is_delimiter(end[-1])) end--;
  const char *zero = memchr(p, '\0', (size_t)(end - p));
  return mesh_builder_start_group(pass->builder, p, (size_t)((zero ? zero : end) - p)) ? next : NULL;
}

/* Materials, texture, normals, smoothing, and the attributes of free-form curves and surfaces. Not
 * included, so that they are reported: surfaces themselves (surf, and the old bzp, bsp, cdc, cdp), fo, an old face, and
 * call, which includes another file. */
static const char *const irrelevant_keywords[] = {
    "usemtl", "mtllib", "s",     "usemap", "maplib",   "mg",       "lod",        "bevel",     "cstype", "deg",
    "bmat",   "step",   "parm",  "trim",   "hole",     "scrv",     "sp",         "end",       "con",    "curv",
    "curv2",  "ctech",  "stech", "res",    "c_interp", "d_interp", "shadow_obj", "trace_obj",
};

/* Whether a line does not affect the faces. Normals and texture come first, because they may be half of a file. */
static inline bool is_irrelevant(const obj_pass *pass, const char *p) {
  if (p[0] == 'v' && (p[1] == 'n' || p[1] == 't' || p[1] == 'p') && is_delimiter(p[2])) return true;
  while (p < pass->end && is_delimiter(*p) && *p != '\n') p++;
  if (at_line_end(pass, p)) return true;
  for (size_t i = 0; i < sizeof irrelevant_keywords / sizeof *irrelevant_keywords; i++) {
    const size_t length = strlen(irrelevant_keywords[i]);
    if (strncmp(p, irrelevant_keywords[i], length) == 0 && (is_delimiter(p[length]) || p[length] == '#')) return true;
  }
  return false;
}

/* Whether the line before that of `p` ends in a backslash and is not a comment. It is scanned backwards, once per
 * unknown line, so that all of them together are linear. */
static bool is_continuation(const obj_pass *pass, const char *p) {
  const char *const start = pass->reading->bytes;
  while (p > start && p[-1] != '\n') p--;
  if (p == start) return false;
  for (p--; p > start && p[-1] != '\n' && is_delimiter(p[-1]);) p--;
  if (p == start || p[-1] != '\\') return false;
  for (; p > start && p[-1] != '\n'; p--) {
    if (p[-1] == '#') return false;
  }
  return true;
}

static const char *pass_over_line(obj_pass *pass, const char *p) {
  if (!is_irrelevant(pass, p) && !is_continuation(pass, p)) unknown_lines_add(&pass->builder->unknown, p);
  return skip_line(pass, p);
}

static bool read_lines(obj_pass *pass) {
  const char *p = pass->reading->bytes;
  while (p && p < pass->end) {
    while (*p == ' ' || *p == '\t') p++;
    const bool is_short_word = p < pass->end && is_delimiter(p[1]);
    if (is_short_word && *p == 'v') {
      p = read_vertex(pass, p + 1);
    } else if (is_short_word && *p == 'f') {
      p = read_face(pass, p + 1);
    } else if (is_short_word && (*p == 'o' || *p == 'g')) {
      p = read_group(pass, p + 1);
    } else if (is_short_word && (*p == 'l' || *p == 'p')) {
      pass->builder->elements.skipped[*p == 'l' ? ELEMENT_LINE : ELEMENT_POINT]++;
      p = skip_line(pass, p);
    } else {
      p = pass_over_line(pass, p);
    }
  }
  return p != NULL;
}

static bool read_all(obj_pass *pass) {
  if (!read_lines(pass)) return false;
  const size_t vertex_count = pass->builder->m.vertex_count;
  if (vertex_count == 0 && !pass->has_faces) {
    return mesh_fail(pass->reading, "the file has no vertices or faces; it is not an OBJ file");
  }
  if (pass->greatest_index <= vertex_count) return true;
  pass->vertices_known = vertex_count;
  pass->greatest_index = 0;
  mesh_builder_clear(pass->builder);
  return read_lines(pass);
}

bool mesh_read_obj(const mesh_reading *file, mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading reading;
  if (!text_encoding_start(file, &reading)) return false;
  mesh_unify_line_ends(&reading);
  mesh_builder builder;
  mesh_builder_start(&builder, &reading);
  obj_pass pass = {&reading, reading.bytes + reading.size, &builder, UINT64_MAX, 0, false, NULL, 0};
  const bool done = read_all(&pass);
  mesh_release(&reading.memory, pass.corners);
  if (done) return mesh_builder_finish(&builder, meshes_out, mesh_count_out);
  mesh_builder_free(&builder);
  return false;
}
