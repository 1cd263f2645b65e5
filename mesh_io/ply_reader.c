/* Reads PLY, ascii and both binary orders: vertices by x, y and z of any type, faces by vertex_indices (or
 * vertex_index); other elements and properties are skipped, and edges counted. Vertices with a radius are spheres if
 * there are no faces. Ascii coordinates keep double precision even if the header states float, because the text is the
 * given value.
 *
 * Workload: binary files of 13 bytes per triangle and 12 to 40 per vertex. Rows of fixed size are addressed, others
 * scanned. A declared count is compared with the remaining bytes before memory is allocated for it. In ascii files,
 * values are separated by any blanks or line ends, so lines matter only for messages. */
#include "mesh_io/byte_order.h"
#include "mesh_io/mesh_builder.h"
#include "mesh_io/number_scanner.h"
#include "mesh_io/ply_header.h"
#include "mesh_io/text_encoding.h"

#include <math.h>
#include <string.h>

typedef struct ply_body {
  const mesh_reading *reading;
  const ply_header *header;
  mesh_builder *builder;
  const char *p, *end;
  uint32_t *corners; /* of the current face */
  size_t corner_capacity;
} ply_body;

/* The position for messages: the line in ascii files. */
#define fail_here(body, ...)                                                                                           \
  ((body)->header->format == PLY_ASCII ? mesh_fail_at((body)->reading, (body)->p, __VA_ARGS__)                         \
                                       : mesh_fail((body)->reading, __VA_ARGS__))

static const char *kind_name(ply_kind kind) {
  static const char *const names[] = {"vertex", "face", "edge", "other element"};
  return names[kind];
}

/* ---------------------------------------------------------------------------------------------------- values */

static inline double load_value(const char *p, ply_type type, bool big_endian) {
  switch (type) {
  case PLY_INT8:
    return (double)(int8_t)load_bits(p, 1, big_endian);
  case PLY_UINT8:
    return (double)(uint8_t)load_bits(p, 1, big_endian);
  case PLY_INT16:
    return (double)(int16_t)load_bits(p, 2, big_endian);
  case PLY_UINT16:
    return (double)(uint16_t)load_bits(p, 2, big_endian);
  case PLY_INT32:
    return (double)(int32_t)load_bits(p, 4, big_endian);
  case PLY_UINT32:
    return (double)(uint32_t)load_bits(p, 4, big_endian);
  case PLY_FLOAT32: {
    const uint32_t bits = (uint32_t)load_bits(p, 4, big_endian);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
  }
  case PLY_FLOAT64:
    break;
  }
  const uint64_t bits = load_bits(p, 8, big_endian);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void skip_blanks(ply_body *body) {
  while (*body->p == ' ' || (*body->p >= '\t' && *body->p <= '\r')) body->p++;
}

static bool fail_at_end(const ply_body *body, ply_kind kind, uint64_t row, uint64_t count) {
  return mesh_fail(body->reading, "the file ends inside %s %llu of %llu", kind_name(kind), (unsigned long long)row,
                   (unsigned long long)count);
}

/* Whether another value exists; skips blanks in ascii files. */
static bool has_value(ply_body *body, ply_type type) {
  if (body->header->format != PLY_ASCII) return (size_t)(body->end - body->p) >= ply_type_bytes(type);
  skip_blanks(body);
  return body->p < body->end;
}

/* Reads the next value, which must exist. A word that is not a number gives NAN. */
static double take_value(ply_body *body, ply_type type) {
  if (body->header->format != PLY_ASCII) {
    const double value = load_value(body->p, type, body->header->format == PLY_BIG_ENDIAN);
    body->p += ply_type_bytes(type);
    return value;
  }
  double value;
  const char *after = scan_number(body->p, &value);
  if (!after || !is_delimiter(*after)) return NAN;
  body->p = after;
  return value;
}

/* A value for a message: as written in ascii files. */
static mesh_quote quote_value(const ply_body *body, const char *position, double value) {
  return body->header->format == PLY_ASCII ? mesh_quote_word(position) : mesh_quote_number(value);
}

static void pass_over_value(ply_body *body, ply_type type) {
  if (body->header->format != PLY_ASCII) {
    body->p += ply_type_bytes(type);
  } else {
    /* Consumes at least one byte: a stray control character ends words but is not a blank, and must not stop the
     * reading. */
    do body->p++;
    while (body->p < body->end && !is_delimiter(*body->p));
  }
}

/* ---------------------------------------------------------------------------------------------------- rows */

static bool take_coordinate(ply_body *body, const ply_property *property, uint64_t row, double position[3]) {
  const char *const start = body->p;
  const int axis = (int)property->role;
  position[axis] = take_value(body, property->type);
  if (isfinite(position[axis])) return true;
  if (body->header->format == PLY_ASCII) return mesh_fail_coordinate_text(body->reading, start, (size_t)row, axis);
  return mesh_fail_coordinate_binary(body->reading, (size_t)row, axis, position[axis]);
}

/* A corner must be a whole number below the number of vertices. */
static bool take_corner(ply_body *body, ply_type type, uint64_t face, uint32_t *corner_out) {
  const char *const start = body->p;
  const double index = take_value(body, type);
  if (index >= 0 && index < (double)body->header->vertex_count && index == floor(index) &&
      index <= (double)MESH_ELEMENTS_MAX) {
    *corner_out = (uint32_t)index;
    return true;
  }
  const mesh_quote quote = quote_value(body, start, index);
  return fail_here(body, "face %llu refers to vertex %s, but the file has %llu vertices, counted from 0",
                   (unsigned long long)face, quote.text, (unsigned long long)body->header->vertex_count);
}

static bool add_corner(ply_body *body, ply_type type, uint64_t face, size_t place) {
  void *block = body->corners;
  const bool fits =
      mesh_builder_grow(body->reading, &block, &body->corner_capacity, place, 1, sizeof(uint32_t), "corners of a face");
  body->corners = block;
  return fits && take_corner(body, type, face, &body->corners[place]);
}

static bool take_list(ply_body *body, const ply_element *element, const ply_property *property, uint64_t row) {
  const char *const start = body->p;
  const double count = take_value(body, property->count_type);
  if (!(count >= 0 && count <= (double)MESH_ELEMENTS_MAX && count == floor(count))) {
    const mesh_quote quote = quote_value(body, start, count);
    return fail_here(body, "%s %llu has a list of %s values", kind_name(element->kind), (unsigned long long)row,
                     quote.text);
  }
  const bool is_face = property->role == PLY_INDICES;
  if (is_face && count < 3) {
    return fail_here(body, "face %llu has %d corners, fewer than 3", (unsigned long long)row, (int)count);
  }
  for (size_t i = 0; i < (size_t)count; i++) {
    if (!has_value(body, property->type)) return fail_at_end(body, element->kind, row, element->count);
    if (!is_face) {
      pass_over_value(body, property->type);
    } else if (!add_corner(body, property->type, row, i)) {
      return false;
    }
  }
  return !is_face || mesh_builder_add_polygon(body->builder, body->corners, (size_t)count);
}

static bool take_radius(ply_body *body, const ply_property *property, uint64_t row, double *radius_out) {
  const char *const start = body->p;
  *radius_out = take_value(body, property->type);
  if (mesh_is_radius(*radius_out)) return true;
  if (body->header->format != PLY_ASCII) {
    return mesh_fail_sphere_binary(body->reading, (size_t)row, SPHERE_RADIUS, *radius_out);
  }
  return mesh_fail_sphere_text(body->reading, start, strcspn(start, " \t\r\n"), (size_t)row, SPHERE_RADIUS);
}

static bool add_vertex(ply_body *body, const double position[3], double radius) {
  if (body->header->has_spheres) return mesh_builder_add_sphere(body->builder, position, radius);
  return mesh_builder_add_vertex(body->builder, position[0], position[1], position[2]);
}

static bool read_row(ply_body *body, const ply_element *element, uint64_t row) {
  double position[3] = {0, 0, 0};
  double radius = 0;
  for (size_t i = 0; i < element->property_count; i++) {
    const ply_property *property = &body->header->properties[element->first_property + i];
    if (!has_value(body, property->is_list ? property->count_type : property->type)) {
      return fail_at_end(body, element->kind, row, element->count);
    }
    if (property->is_list) {
      if (!take_list(body, element, property, row)) return false;
    } else if (property->role <= PLY_Z) {
      if (!take_coordinate(body, property, row, position)) return false;
    } else if (property->role == PLY_RADIUS && body->header->has_spheres) {
      if (!take_radius(body, property, row, &radius)) return false;
    } else {
      pass_over_value(body, property->type);
    }
  }
  return element->kind != PLY_VERTICES || add_vertex(body, position, radius);
}

/* ---------------------------------------------------------------------------------------------------- elements */

/* The least bytes of a row, with empty lists: bounds the number of rows of an element. */
static uint64_t least_row_bytes(const ply_body *body, const ply_element *element) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < element->property_count; i++) {
    const ply_property *property = &body->header->properties[element->first_property + i];
    /* In ascii, a character and a blank each; the last value may end the file. */
    bytes += body->header->format == PLY_ASCII
                 ? 2
                 : ply_type_bytes(property->is_list ? property->count_type : property->type);
  }
  return bytes;
}

static bool check_promise(const ply_body *body, const ply_element *element) {
  const uint64_t left = (uint64_t)(body->end - body->p) + (body->header->format == PLY_ASCII);
  if (element->count <= left / least_row_bytes(body, element)) return true;
  return mesh_fail(body->reading, "the PLY header declares %llu of element %s, but only %llu bytes follow",
                   (unsigned long long)element->count, kind_name(element->kind),
                   (unsigned long long)(body->end - body->p));
}

static bool has_plain_faces(const ply_body *body, const ply_element *element) {
  const ply_property *property = &body->header->properties[element->first_property];
  return body->header->format != PLY_ASCII && element->kind == PLY_FACES && element->property_count == 1 &&
         ply_type_bytes(property->count_type) == 1 && (property->type == PLY_INT32 || property->type == PLY_UINT32);
}

/* Binary faces that consist only of a list of 32-bit indices with a one-byte count, as in nearly all files: reads
 * triangles from *row on while they are valid; everything else is left to read_row. */
static bool read_plain_triangles(ply_body *body, const ply_element *element, uint64_t *row) {
  const bool big_endian = body->header->format == PLY_BIG_ENDIAN;
  /* Negative indices appear as 2^31 or more here. */
  const uint64_t highest = (uint64_t)1 << 31;
  const uint64_t limit = body->header->vertex_count < highest ? body->header->vertex_count : highest;
  const char *p = body->p;
  for (; *row < element->count && body->end - p >= 13 && *p == 3; ++*row, p += 13) {
    const uint64_t a = load_bits(p + 1, 4, big_endian);
    const uint64_t b = load_bits(p + 5, 4, big_endian);
    const uint64_t c = load_bits(p + 9, 4, big_endian);
    if (a >= limit || b >= limit || c >= limit) break;
    if (!mesh_builder_add_triangle(body->builder, (uint32_t)a, (uint32_t)b, (uint32_t)c)) return false;
  }
  body->p = p;
  return true;
}

static bool read_element(ply_body *body, const ply_element *element) {
  if (element->property_count == 0) return true;
  if (!check_promise(body, element)) return false;
  if (element->kind == PLY_VERTICES && element->count > 0) {
    if (element->count > body->reading->element_limit) {
      return mesh_fail(body->reading, "more than %zu vertices, the limit of a mesh", body->reading->element_limit);
    }
    if (!mesh_builder_reserve_vertices(body->builder, (size_t)element->count)) return false;
  }
  const bool plain = has_plain_faces(body, element);
  for (uint64_t row = 0; row < element->count; row++) {
    if (plain && !read_plain_triangles(body, element, &row)) return false;
    if (row < element->count && !read_row(body, element, row)) return false;
  }
  if (element->kind == PLY_EDGES) body->builder->elements.skipped[ELEMENT_LINE] = element->count;
  return true;
}

bool mesh_read_ply(const mesh_reading *file, mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading reading;
  if (!text_encoding_start(file, &reading)) return false;
  ply_header header;
  mesh_builder builder;
  mesh_builder_start(&builder, &reading);
  bool done = ply_header_read(&header, &reading);
  if (done) {
    if (header.has_spheres) builder.m.kind = MESH_SPHERES; /* also without spheres */
    ply_body body = {&reading, &header, &builder, header.body, reading.bytes + reading.size, NULL, 0};
    for (size_t i = 0; done && i < header.element_count; i++) done = read_element(&body, &header.elements[i]);
    mesh_release(&reading.memory, body.corners);
  }
  ply_header_free(&header, &reading.memory);
  if (done) return mesh_builder_finish(&builder, meshes_out, mesh_count_out);
  mesh_builder_free(&builder);
  return false;
}
