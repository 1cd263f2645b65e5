/* Reads STL, binary and ascii. It has no vertex indices: corners with equal coordinates become one vertex (weld.h).
 * Normals are not read, because they are often wrong and sometimes not numbers.
 *
 * Workload: binary files of 50 bytes per triangle, some of which begin with "solid" like ascii ones. A file is
 * therefore binary if its size fits its count of triangles, which is impossible for text: four text characters would
 * count over 100 million triangles. Ascii files take about 250 characters per triangle and may contain several
 * solids.
 *
 * Some binary files are longer than their count says. The last two bytes of a triangle are the number of bytes that
 * follow it, but most writers that use them store a color there and nothing behind; others append data to the file. */
#include "mesh_io/number_printer.h"
#include "mesh_io/number_scanner.h"
#include "mesh_io/text_encoding.h"
#include "mesh_io/weld.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEADER_BYTES = 80, COUNTED_BYTES = 84, TRIANGLE_BYTES = 50, NORMAL_BYTES = 12, PAYLOAD_BYTES = 2 };

static uint32_t load_little_endian(const char *p) {
  const unsigned char *b = (const unsigned char *)p;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Returns the number of bytes that a triangle claims to be followed by. */
static size_t load_payload(const char *triangle) {
  return load_little_endian(triangle + TRIANGLE_BYTES - PAYLOAD_BYTES) & 0xFFFF; /* the padding allows four bytes */
}

static double load_float(const char *p) {
  const uint32_t bits = load_little_endian(p);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static bool read_binary_triangle(mesh_builder *builder, weld_table *table, const char *p, size_t triangle) {
  uint32_t corners[3];
  for (int i = 0; i < 3; i++) {
    double position[3];
    for (int axis = 0; axis < 3; axis++) {
      position[axis] = load_float(p + NORMAL_BYTES + 12 * i + 4 * axis);
      if (!isfinite(position[axis])) {
        const mesh_quote number = mesh_quote_number(position[axis]);
        return mesh_fail(builder->reading,
                         "triangle %zu has the %c coordinate %s at corner %d, which is not a finite number", triangle,
                         "xyz"[axis], number.text, i);
      }
    }
    if (!weld_vertex(table, builder, position, &corners[i])) return false;
  }
  return mesh_builder_add_triangle(builder, corners[0], corners[1], corners[2]);
}

/* Finds whether bytes follow each triangle of a file that is longer than its count says: they do if their numbers fit
 * the size, and do not if these exceed it. False if neither is certain, or if the count may be wrong because whole
 * triangles follow, unless all their bytes are zero. */
static bool find_payloads(const mesh_reading *file, uint32_t count, bool *has_payloads_out) {
  uint64_t end = COUNTED_BYTES;
  bool any = false;
  for (uint32_t i = 0; i < count && end <= file->size; i++) {
    const size_t bytes = end + TRIANGLE_BYTES <= file->size ? load_payload(file->bytes + end) : 0;
    any |= bytes > 0;
    end += TRIANGLE_BYTES + bytes;
  }
  const size_t packed = COUNTED_BYTES + (size_t)TRIANGLE_BYTES * count, more = file->size - packed;
  *has_payloads_out = any && end == file->size;
  if (*has_payloads_out) return true;
  if (any && end < file->size) return false;
  const char *const rest = file->bytes + packed;
  return more % TRIANGLE_BYTES != 0 || (rest[0] == 0 && memcmp(rest, rest + 1, more - 1) == 0);
}

static bool note_more(mesh_builder *builder, size_t bytes) {
  char number[GROUPED_COUNT_BYTES], message[96];
  print_grouped_count(bytes, number);
  snprintf(message, sizeof message, "skipped %s byte%s after the last triangle", number, bytes == 1 ? "" : "s");
  return mesh_note_add(builder->reading, message, &builder->m.note);
}

static bool read_binary(mesh_builder *builder, weld_table *table) {
  const mesh_reading *reading = builder->reading;
  if (reading->size < COUNTED_BYTES) {
    return mesh_fail(reading, "%zu bytes are neither a binary STL file (84 or more) nor an ascii one (\"solid\")",
                     reading->size);
  }
  const uint32_t count = load_little_endian(reading->bytes + HEADER_BYTES);
  const uint64_t promised = COUNTED_BYTES + (uint64_t)TRIANGLE_BYTES * count;
  bool has_payloads = false;
  if (promised > reading->size || (promised < reading->size && !find_payloads(reading, count, &has_payloads))) {
    return mesh_fail(reading,
                     "the binary STL header declares %lu triangles in %llu bytes, but the file has %zu bytes; it is "
                     "%s, or not an STL file",
                     (unsigned long)count, (unsigned long long)promised, reading->size,
                     promised > reading->size ? "truncated" : "damaged");
  }
  const char *p = reading->bytes + COUNTED_BYTES;
  for (size_t i = 0; i < count; i++, p += TRIANGLE_BYTES) {
    if (!read_binary_triangle(builder, table, p, i)) return false;
    if (has_payloads) p += load_payload(p);
  }
  const size_t more = (size_t)(reading->bytes + reading->size - p);
  return more == 0 || note_more(builder, more);
}

/* ---------------------------------------------------------------------------------------------------- ascii */

typedef enum stl_place { OUTSIDE, IN_SOLID, IN_FACET, IN_LOOP } stl_place;

typedef struct stl_text {
  mesh_builder *builder;
  weld_table *table;
  const char *p, *end;
  stl_place place;
  const char *opened; /* the beginning of the open solid, facet or loop */
  uint32_t *corners;  /* of the current loop */
  size_t corner_count, corner_capacity;
} stl_text;

static bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static void skip_blanks(stl_text *text) {
  while (is_blank(*text->p)) text->p++;
}

static void skip_word(stl_text *text) {
  skip_blanks(text);
  while (text->p < text->end && !is_blank(*text->p)) text->p++;
}

/* Consumes `word`, given in lower case, if it comes next in any case and ends there. */
static bool take_word(stl_text *text, const char *word) {
  const char *p = text->p;
  for (; *word; word++, p++) {
    const char lower = *p >= 'A' && *p <= 'Z' ? (char)(*p + ('a' - 'A')) : *p;
    if (lower != *word) return false;
  }
  if (!is_blank(*p) && p < text->end) return false;
  text->p = p;
  return true;
}

static const char *take_line(stl_text *text) {
  const char *line_end = memchr(text->p, '\n', (size_t)(text->end - text->p));
  text->p = line_end ? line_end : text->end;
  return text->p;
}

static bool open_solid(stl_text *text) {
  while (*text->p == ' ' || *text->p == '\t') text->p++;
  const char *name = text->p;
  const char *end = take_line(text);
  while (end > name && is_delimiter(end[-1])) end--;
  const char *zero = memchr(name, '\0', (size_t)(end - name));
  return mesh_builder_start_group(text->builder, name, (size_t)((zero ? zero : end) - name));
}

static bool read_vertex(stl_text *text) {
  const mesh_reading *reading = text->builder->reading;
  double position[3];
  for (int axis = 0; axis < 3; axis++) {
    skip_blanks(text);
    const char *after = scan_number(text->p, &position[axis]);
    if (!after || !is_delimiter(*after) || !isfinite(position[axis])) {
      const mesh_quote word = mesh_quote_word(text->p);
      return mesh_fail_at(reading, text->p, "vertex has the %c coordinate \"%s\", which is not a finite number",
                          "xyz"[axis], word.text);
    }
    text->p = after;
  }
  void *block = text->corners;
  const bool fits = mesh_builder_grow(reading, &block, &text->corner_capacity, text->corner_count, 1, sizeof(uint32_t),
                                      "corners of a facet");
  text->corners = block;
  return fits && weld_vertex(text->table, text->builder, position, &text->corners[text->corner_count++]);
}

static bool close_loop(stl_text *text) {
  if (text->corner_count < 3) {
    return mesh_fail_at(text->builder->reading, text->opened, "facet has %zu corners, fewer than 3",
                        text->corner_count);
  }
  const size_t corner_count = text->corner_count;
  text->corner_count = 0;
  return mesh_builder_add_polygon(text->builder, text->corners, corner_count);
}

static bool fail_word(stl_text *text) {
  static const char *const expected[] = {"\"solid\"", "\"facet\" or \"endsolid\"", "\"outer loop\" or \"endfacet\"",
                                         "\"vertex\" or \"endloop\""};
  const mesh_quote word = mesh_quote_word(text->p);
  return mesh_fail_at(text->builder->reading, text->p, "expected %s, found \"%s\"", expected[text->place], word.text);
}

static bool read_statement(stl_text *text) {
  const char *const start = text->p;
  const stl_place place = text->place;
  if (place == IN_LOOP && take_word(text, "vertex")) return read_vertex(text);
  if (place == IN_LOOP && take_word(text, "endloop")) {
    text->place = IN_FACET;
    return close_loop(text);
  }
  if (place == IN_FACET && take_word(text, "endfacet")) {
    text->place = IN_SOLID;
    return true;
  }
  if (place == IN_SOLID && take_word(text, "endsolid")) {
    text->place = OUTSIDE;
    take_line(text);
    return true;
  }
  if (place == IN_SOLID && take_word(text, "facet")) {
    for (int i = 0; i < 4; i++) skip_word(text);
    text->place = IN_FACET;
  } else if (place == IN_FACET && take_word(text, "outer")) {
    skip_blanks(text);
    if (!take_word(text, "loop")) return fail_word(text);
    text->place = IN_LOOP;
  } else if (place == OUTSIDE && take_word(text, "solid")) {
    text->place = IN_SOLID;
    if (!open_solid(text)) return false;
  } else {
    return fail_word(text);
  }
  text->opened = start;
  return true;
}

static bool read_text(stl_text *text) {
  static const char *const names[] = {"", "solid", "facet", "loop"};
  for (skip_blanks(text); text->p < text->end; skip_blanks(text)) {
    if (!read_statement(text)) return false;
  }
  if (text->place == OUTSIDE) return true;
  return mesh_fail_at(text->builder->reading, text->end, "the file ends inside a %s", names[text->place]);
}

/* ---------------------------------------------------------------------------------------------------- either */

/* A longer file is binary too if its count has a zero byte, which text does not have. */
static bool has_size_of_binary(const mesh_reading *file) {
  if (file->size < COUNTED_BYTES) return false;
  const uint64_t count = load_little_endian(file->bytes + HEADER_BYTES),
                 promised = COUNTED_BYTES + TRIANGLE_BYTES * count;
  return promised == file->size ||
         (promised < file->size && count > 0 && memchr(file->bytes + HEADER_BYTES, '\0', 4) != NULL);
}

static bool begins_as_text(const mesh_reading *reading) {
  stl_text text = {.p = reading->bytes, .end = reading->bytes + reading->size};
  skip_blanks(&text);
  return take_word(&text, "solid");
}

/* The 80 bytes before the count may be arbitrary, even a byte-order mark, so the size is checked first. */
bool mesh_read_stl(const mesh_reading *file, mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading reading = *file;
  const bool is_binary = has_size_of_binary(file);
  if (!is_binary && !text_encoding_start(file, &reading)) return false;
  const bool is_text = !is_binary && begins_as_text(&reading);
  if (!is_text) reading = *file;
  mesh_builder builder;
  mesh_builder_start(&builder, &reading);
  weld_table table = {0};
  bool done;
  if (is_text) {
    mesh_unify_line_ends(&reading);
    stl_text text = {.builder = &builder, .table = &table, .p = reading.bytes, .end = reading.bytes + reading.size};
    done = read_text(&text);
    mesh_release(&reading.memory, text.corners);
  } else {
    done = read_binary(&builder, &table);
  }
  weld_free(&table, &reading.memory);
  if (done) return mesh_builder_finish(&builder, meshes_out, mesh_count_out);
  mesh_builder_free(&builder);
  return false;
}
