/* Reads PLY headers (Turk, "The PLY polygon file format", 1994). Workload: a few dozen short lines; hostile files
 * declare any number of elements, so declared counts allocate nothing. */
#include "mesh_io/ply_header.h"

#include "mesh_io/mesh_builder.h"
#include "mesh_io/number_scanner.h"

#include <string.h>

typedef struct header_line {
  const char *p, *end; /* the rest of the line */
  const char *start;
} header_line;

typedef struct word {
  const char *text;
  size_t length;
} word;

static bool is_word(word w, const char *text) {
  return w.length == strlen(text) && memcmp(w.text, text, w.length) == 0;
}

static word take_word(header_line *line) {
  while (line->p < line->end && is_delimiter(*line->p)) line->p++;
  word w = {line->p, 0};
  while (line->p < line->end && !is_delimiter(*line->p)) line->p++;
  w.length = (size_t)(line->p - w.text);
  return w;
}

/* Whether the first line ends in a carriage return alone; then all lines do. */
static bool has_returns(const mesh_reading *reading) {
  const char *const first = strpbrk(reading->bytes, "\r\n");
  return first && first[0] == '\r' && first[1] != '\r' && first[1] != '\n';
}

/* Reads the next line, and converts a carriage return at its end; false if no line end is left, because every header
 * line has one. */
static bool take_line(const mesh_reading *reading, bool returns, const char **p, header_line *line) {
  const size_t start = (size_t)(*p - reading->bytes);
  char *const line_end = memchr(reading->bytes + start, returns ? '\r' : '\n', reading->size - start);
  if (!line_end) return false;
  *line_end = '\n';
  *line = (header_line){*p, line_end, *p};
  *p = line_end + 1;
  return true;
}

static bool take_type(header_line *line, const mesh_reading *reading, ply_type *type_out) {
  const word w = take_word(line);
#define PLY_TYPE_MATCH(name, text, other_text, bytes)                                                                  \
  if (is_word(w, text) || is_word(w, other_text)) {                                                                    \
    *type_out = PLY_##name;                                                                                            \
    return true;                                                                                                       \
  }
  PLY_TYPE_LIST(PLY_TYPE_MATCH)
#undef PLY_TYPE_MATCH
  const mesh_quote quote = mesh_quote_word(w.text);
  return mesh_fail_at(reading, line->start, "\"%s\" is not a PLY type", quote.text);
}

size_t ply_type_bytes(ply_type type) {
  static const size_t bytes[] = {
#define PLY_TYPE_BYTES(name, word, other_word, bytes) bytes,
      PLY_TYPE_LIST(PLY_TYPE_BYTES)
#undef PLY_TYPE_BYTES
  };
  return bytes[type];
}

static bool read_format(ply_header *header, const mesh_reading *reading, header_line *line) {
  const word w = take_word(line);
  if (is_word(w, "ascii")) {
    header->format = PLY_ASCII;
  } else if (is_word(w, "binary_little_endian")) {
    header->format = PLY_LITTLE_ENDIAN;
  } else if (is_word(w, "binary_big_endian")) {
    header->format = PLY_BIG_ENDIAN;
  } else {
    const mesh_quote quote = mesh_quote_word(w.text);
    return mesh_fail_at(reading, line->start, "\"%s\" is not a PLY format", quote.text);
  }
  return true;
}

static bool read_element(ply_header *header, const mesh_reading *reading, header_line *line) {
  const word name = take_word(line);
  const word number = take_word(line);
  ply_element element = {PLY_OTHERS, 0, header->property_count, 0};
  const char *after = number.length ? scan_digits(number.text, &element.count) : NULL;
  if (after != number.text + number.length || number.length > 18) {
    const mesh_quote quote = mesh_quote_word(number.text);
    return mesh_fail_at(reading, line->start, "element has the count \"%s\", which is not a number below 10^18",
                        quote.text);
  }
  if (is_word(name, "vertex")) element.kind = PLY_VERTICES;
  if (is_word(name, "face")) element.kind = PLY_FACES;
  if (is_word(name, "edge")) element.kind = PLY_EDGES;
  if (is_word(name, "tristrips")) return mesh_fail_at(reading, line->start, "triangle strips are not supported");
  for (size_t i = 0; i < header->element_count; i++) {
    if (element.kind != PLY_OTHERS && header->elements[i].kind == element.kind) {
      return mesh_fail_at(reading, line->start, "element %.*s is defined twice", (int)name.length, name.text);
    }
  }
  if (element.kind == PLY_VERTICES) header->vertex_count = element.count;
  void *block = header->elements;
  const bool fits = mesh_builder_grow(reading, &block, &header->element_capacity, header->element_count, 1,
                                      sizeof(ply_element), "PLY elements");
  header->elements = block;
  if (fits) header->elements[header->element_count++] = element;
  return fits;
}

/* The names that programs give to a radius. A whole number called r is a color. */
static bool is_radius(word name, ply_type type) {
  const bool is_real = type == PLY_FLOAT32 || type == PLY_FLOAT64;
  return is_word(name, "radius") || is_word(name, "scalar_radius") || (is_real && is_word(name, "r"));
}

static ply_role role_of(ply_kind kind, bool is_list, ply_type type, word name) {
  if (kind == PLY_VERTICES && !is_list) {
    if (is_radius(name, type)) return PLY_RADIUS;
    if (is_word(name, "x")) return PLY_X;
    if (is_word(name, "y")) return PLY_Y;
    if (is_word(name, "z")) return PLY_Z;
  }
  if (kind == PLY_FACES && is_list) {
    if (is_word(name, "vertex_indices") || is_word(name, "vertex_index")) return PLY_INDICES;
  }
  return PLY_OTHER;
}

static bool read_property(ply_header *header, const mesh_reading *reading, header_line *line) {
  if (header->element_count == 0) return mesh_fail_at(reading, line->start, "property before the first element");
  ply_element *element = &header->elements[header->element_count - 1];
  ply_property property = {PLY_OTHER, PLY_INT8, false, PLY_INT8};
  header_line ahead = *line;
  if (is_word(take_word(&ahead), "list")) {
    *line = ahead;
    property.is_list = true;
    if (!take_type(line, reading, &property.count_type)) return false;
  }
  if (!take_type(line, reading, &property.type)) return false;
  const word name = take_word(line);
  if (name.length == 0) return mesh_fail_at(reading, line->start, "property without a name");
  property.role = role_of(element->kind, property.is_list, property.type, name);
  void *block = header->properties;
  const bool fits = mesh_builder_grow(reading, &block, &header->property_capacity, header->property_count, 1,
                                      sizeof(ply_property), "PLY properties");
  header->properties = block;
  if (!fits) return false;
  header->properties[header->property_count++] = property;
  element->property_count++;
  return true;
}

static bool read_header_line(ply_header *header, const mesh_reading *reading, header_line *line, bool *ended_out) {
  const word keyword = take_word(line);
  if (keyword.length == 0 || is_word(keyword, "comment") || is_word(keyword, "obj_info")) return true;
  if (is_word(keyword, "format")) return read_format(header, reading, line);
  if (is_word(keyword, "element")) return read_element(header, reading, line);
  if (is_word(keyword, "property")) return read_property(header, reading, line);
  *ended_out = is_word(keyword, "end_header");
  if (*ended_out) return true;
  const mesh_quote quote = mesh_quote_word(keyword.text);
  return mesh_fail_at(reading, line->start, "\"%s\" is not a keyword of a PLY header", quote.text);
}

static size_t count_role(const ply_header *header, const ply_element *element, ply_role role) {
  size_t count = 0;
  for (size_t i = 0; i < element->property_count; i++) {
    count += header->properties[element->first_property + i].role == role;
  }
  return count;
}

/* Requires exactly one property of each role of the element. */
static bool has_roles(const ply_header *header, const ply_element *element, ply_role first, ply_role last) {
  for (ply_role role = first; role <= last; role++) {
    if (count_role(header, element, role) != 1) return false;
  }
  return true;
}

/* Vertices with a radius are spheres if there are no faces; otherwise a radius is an ordinary property. */
static bool find_spheres(ply_header *header, const mesh_reading *reading) {
  size_t radius_count = 0;
  bool has_faces = false;
  for (size_t i = 0; i < header->element_count; i++) {
    const ply_element *element = &header->elements[i];
    has_faces |= element->kind == PLY_FACES && element->count > 0;
    if (element->kind == PLY_VERTICES) radius_count = count_role(header, element, PLY_RADIUS);
  }
  header->has_spheres = radius_count > 0 && !has_faces;
  if (!header->has_spheres || radius_count == 1) return true;
  return mesh_fail(reading,
                   "element vertex has %zu radius properties; only one of radius, scalar_radius and r is allowed",
                   radius_count);
}

static bool check_elements(ply_header *header, const mesh_reading *reading) {
  bool has_vertices = false;
  for (size_t i = 0; i < header->element_count; i++) {
    const ply_element *element = &header->elements[i];
    has_vertices |= element->kind == PLY_VERTICES;
    if (element->count == 0) continue;
    if (element->kind == PLY_VERTICES && !has_roles(header, element, PLY_X, PLY_Z)) {
      return mesh_fail(reading, "element vertex needs the properties x, y and z, each once");
    }
    if (element->kind == PLY_FACES && !has_roles(header, element, PLY_INDICES, PLY_INDICES)) {
      return mesh_fail(reading, "element face needs the list property vertex_indices, once");
    }
  }
  if (!has_vertices) return mesh_fail(reading, "the PLY header has no element vertex");
  return find_spheres(header, reading);
}

bool ply_header_read(ply_header *header, const mesh_reading *reading) {
  const char *p = reading->bytes;
  const bool returns = has_returns(reading);
  header_line line;
  *header = (ply_header){0};
  if (!take_line(reading, returns, &p, &line) || !is_word(take_word(&line), "ply")) {
    return mesh_fail_at(reading, reading->bytes, "the first line is not \"ply\"");
  }
  if (!take_line(reading, returns, &p, &line) || !is_word(take_word(&line), "format")) {
    return mesh_fail_at(reading, p, "the second line does not state the format");
  }
  if (!read_format(header, reading, &line)) return false;
  for (bool ended = false; !ended;) {
    if (!take_line(reading, returns, &p, &line)) return mesh_fail_at(reading, p, "the file ends inside the PLY header");
    if (!read_header_line(header, reading, &line, &ended)) return false;
  }
  header->body = p;
  for (size_t i = (size_t)(p - reading->bytes); returns && header->format == PLY_ASCII && i < reading->size; i++) {
    if (reading->bytes[i] == '\r') reading->bytes[i] = '\n';
  }
  return check_elements(header, reading);
}

void ply_header_free(ply_header *header, const mesh_memory *memory) {
  mesh_release(memory, header->elements);
  mesh_release(memory, header->properties);
  *header = (ply_header){0};
}
