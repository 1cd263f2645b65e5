/* Reads a file: bytes, format, reader; and writes one: checks, sink, writer. Workload: once per file; the checks read
 * all numbers of the meshes. */
#include "mesh_io/mesh_file.h"

#include "mesh_io/byte_source.h"
#include "mesh_io/mesh_format.h"
#include "mesh_io/number_printer.h"
#include "mesh_io/sphere_columns.h"
#include "mesh_io/text_encoding.h"

#include <math.h>
#include <stdio.h>

/* ---------------------------------------------------------------------------------------------------- reading */

static bool read_format(const mesh_reading *reading, mesh **meshes_out, size_t *mesh_count_out) {
  bool compressed;
  const mesh_format *format = mesh_format_of_name(reading->file_name, &compressed);
  if (!format) format = mesh_format_of_content(reading->bytes, reading->size);
  if (format) return format->read(reading, meshes_out, mesh_count_out);
  mesh_reading text;
  if (!text_encoding_start(reading, &text)) return false; /* the more likely reason if nothing is recognized */
  return mesh_fail(reading, "unknown format; supported:" MESH_ENDINGS ", each also with .gz");
}

static mesh_reading start_reading(const char *name, const mesh_read_options *options, char *error, size_t error_bytes) {
  const mesh_read_options none = {0};
  if (!options) options = &none;
  if (error_bytes > 0) error[0] = '\0';
  return (mesh_reading){.file_name = name,
                        .separate = options->separate,
                        .allow_large = options->allow_large,
                        .allow_empty = options->allow_empty,
                        .only_regular = options->only_regular,
                        .should_stop = options->should_stop,
                        .byte_limit = options->byte_limit ? options->byte_limit : MESH_FILE_BYTES_MAX,
                        .element_limit = options->element_limit ? options->element_limit : MESH_ELEMENTS_MAX,
                        .memory = mesh_memory_or_default(options->memory),
                        .error = error,
                        .error_bytes = error_bytes};
}

static void release_array(void *context, void *array) {
  mesh_release(context, array);
}

/* Refuses meshes without any element, and releases them. */
static bool check_elements(const mesh_reading *reading, mesh **meshes, size_t *mesh_count) {
  size_t elements = 0, vertices = 0;
  for (size_t i = 0; i < *mesh_count; i++) {
    elements += mesh_element_count(&(*meshes)[i]);
    vertices += (*meshes)[i].vertex_count;
  }
  if (elements > 0 || reading->allow_empty) return true;
  const char *const note = *mesh_count > 0 ? (*meshes)[0].note : NULL;
  char number[GROUPED_COUNT_BYTES], only[GROUPED_COUNT_BYTES + 24] = "";
  print_grouped_count(vertices, number);
  if (vertices > 0) snprintf(only, sizeof only, ", only %s %s", number, vertices == 1 ? "vertex" : "vertices");
  mesh_fail(reading, "no triangle, polygon, tetrahedron, polyhedron or sphere was read%s%s%s", only, note ? "; " : "",
            note ? note : "");
  mesh_memory memory = reading->memory;
  for (size_t i = 0; i < *mesh_count; i++) mesh_free_by(&(*meshes)[i], release_array, &memory);
  mesh_release(&memory, *meshes);
  *meshes = NULL;
  *mesh_count = 0;
  return false;
}

/* `loaded` states whether the bytes were read. */
static bool finish_reading(const mesh_reading *reading, bool loaded, mesh **meshes_out, size_t *mesh_count_out) {
  *meshes_out = NULL;
  *mesh_count_out = 0;
  if (!loaded) return false;
  const bool done =
      read_format(reading, meshes_out, mesh_count_out) && check_elements(reading, meshes_out, mesh_count_out);
  mesh_release(&reading->memory, reading->bytes);
  return done;
}

bool mesh_file_read(const char *path, const mesh_read_options *options, mesh **meshes_out, size_t *mesh_count_out,
                    char *error, size_t error_bytes) {
  mesh_reading reading = start_reading(path, options, error, error_bytes);
  const bool loaded = byte_source_read(&reading, reading.byte_limit);
  return finish_reading(&reading, loaded, meshes_out, mesh_count_out);
}

bool mesh_bytes_read(const void *bytes, size_t size, const char *name, const mesh_read_options *options,
                     mesh **meshes_out, size_t *mesh_count_out, char *error, size_t error_bytes) {
  mesh_reading reading = start_reading(name, options, error, error_bytes);
  reading.in_memory = true;
  const bool loaded = byte_source_copy(&reading, bytes, size, reading.byte_limit);
  return finish_reading(&reading, loaded, meshes_out, mesh_count_out);
}

bool mesh_file_is_sphere_table(const char *path) {
  enum { HEADER_BYTES = 4096 };
  char bytes[HEADER_BYTES + MESH_PADDING_BYTES] = {0};
  const size_t size = byte_source_peek(path, bytes, HEADER_BYTES);
  return is_sphere_header(bytes + byte_order_mark_bytes(bytes, size));
}

/* ---------------------------------------------------------------------------------------------------- checks before
 * writing */

static bool check_numbers(const mesh_writing *w, size_t which, const uint32_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (numbers[i] < w->meshes[which].vertex_count) continue;
    return mesh_fail(w->place, "mesh %zu refers to vertex %lu, but has %zu vertices", which, (unsigned long)numbers[i],
                     w->meshes[which].vertex_count);
  }
  return true;
}

/* Cells must have faces, faces at least three corners, and corners must be vertices. */
static bool check_polyhedra(const mesh_writing *w, size_t which) {
  const mesh *m = &w->meshes[which];
  for (size_t i = 0; i < m->cell_count; i++) {
    if (m->cell_first[i] == m->cell_first[i + 1])
      return mesh_fail(w->place, "mesh %zu, cell %zu has no faces", which, i);
    for (size_t j = m->cell_first[i]; j < m->cell_first[i + 1]; j++) {
      const size_t count = m->face_first[j + 1] - m->face_first[j];
      if (count < 3) {
        return mesh_fail(w->place, "mesh %zu, cell %zu has a face of %zu corners, fewer than 3", which, i, count);
      }
      if (!check_numbers(w, which, m->face_corners + m->face_first[j], count)) return false;
    }
  }
  return true;
}

static bool check_polygons(mesh_writing *w, size_t which) {
  const mesh *m = &w->meshes[which];
  if (!check_numbers(w, which, m->triangles, 3 * m->triangle_count)) return false;
  for (size_t i = 0; i < m->polygon_count; i++) {
    const uint32_t *corners;
    const size_t count = mesh_polygon_corners(m, i, &corners);
    if (count < 3) return mesh_fail(w->place, "mesh %zu, polygon %zu has %zu corners, fewer than 3", which, i, count);
    if (!check_numbers(w, which, corners, count)) return false;
    if (count > w->most_corners) w->most_corners = count;
  }
  return true;
}

static bool check_radii(const mesh_writing *w, size_t which) {
  const mesh *m = &w->meshes[which];
  for (size_t i = 0; i < m->vertex_count; i++) {
    if (mesh_is_radius(m->radii[i])) continue;
    const mesh_quote quote = mesh_quote_number(m->radii[i]);
    return mesh_fail(w->place, "mesh %zu, sphere %zu has the radius %s, which is not a finite number of at least 0",
                     which, i, quote.text);
  }
  return true;
}

static bool check_corners(mesh_writing *w, size_t which) {
  const mesh *m = &w->meshes[which];
  switch (m->kind) {
  case MESH_TETRAHEDRA:
    return check_numbers(w, which, m->tetrahedra, 4 * m->tetrahedron_count);
  case MESH_POLYHEDRA:
    return check_polyhedra(w, which);
  case MESH_SPHERES:
    return check_radii(w, which);
  case MESH_POLYGONS:
    break;
  }
  return check_polygons(w, which);
}

/* Readers return one kind of mesh per file, so a second kind would be lost. */
static bool check_kind(const mesh_writing *w, const mesh_format *format, size_t which) {
  static const char *const names[] = {"polygons", "tetrahedra", "polyhedra", "spheres"};
  const mesh_kind kind = w->meshes[which].kind;
  if (!mesh_format_is_written(format, kind)) {
    return mesh_fail(w->place, "mesh %zu has %s, which %s files can store, but this format cannot", which, names[kind],
                     mesh_endings_storing(1u << kind).text);
  }
  if (kind == w->meshes[0].kind) return true;
  return mesh_fail(w->place, "mesh %zu has %s, but mesh 0 has %s: a file holds one kind", which, names[kind],
                   names[w->meshes[0].kind]);
}

static bool check_mesh(mesh_writing *w, const mesh_format *format, size_t which) {
  const mesh *m = &w->meshes[which];
  if (!check_kind(w, format, which)) return false;
  for (size_t i = 0; i < 3 * m->vertex_count; i++) {
    if (isfinite(m->positions[i])) continue;
    const mesh_quote quote = mesh_quote_number(m->positions[i]);
    return mesh_fail(w->place, "mesh %zu, vertex %zu has the %c coordinate %s, which is not a finite number", which,
                     i / 3, "xyz"[i % 3], quote.text);
  }
  if (!check_corners(w, which)) return false;
  w->vertex_count += m->vertex_count;
  w->polygon_count += m->polygon_count;
  w->triangle_count += m->triangle_count;
  w->element_count += mesh_element_count(m);
  if (w->vertex_count > MESH_ELEMENTS_MAX || w->element_count > MESH_ELEMENTS_MAX ||
      w->triangle_count > MESH_ELEMENTS_MAX) {
    return mesh_fail(w->place, "more than %zu elements in one file", MESH_ELEMENTS_MAX);
  }
  return true;
}

/* ---------------------------------------------------------------------------------------------------- writing */

/* Meshes are checked before the file is opened, so that invalid meshes do not overwrite an older file. */
bool mesh_file_write(const char *path, const mesh *meshes, size_t mesh_count, const mesh_write_options *options,
                     char *error, size_t error_bytes) {
  const mesh_write_options none = {0};
  if (!options) options = &none;
  const mesh_reading place = {
      .file_name = path, .memory = mesh_memory_or_default(options->memory), .error = error, .error_bytes = error_bytes};
  if (error_bytes > 0) error[0] = '\0';
  bool compressed;
  const mesh_format *format = mesh_format_of_name(path, &compressed);
  if (!format || !format->write) {
    return mesh_fail(&place, "unknown extension; supported: %s, each also with .gz",
                     mesh_endings_storing(STORES_ANY).text);
  }
  mesh_writing w = {
      .place = &place, .meshes = meshes, .mesh_count = mesh_count, .text = options->text, .comment = options->comment};
  for (size_t i = 0; i < mesh_count; i++) {
    if (!check_mesh(&w, format, i)) return false;
  }
  if (format->check && !format->check(&w)) return false;
  w.sink = byte_sink_open(&place, compressed);
  if (!w.sink) return false;
  format->write(&w);
  return byte_sink_close(w.sink);
}
