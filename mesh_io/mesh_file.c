/* Reads a file: bytes, format, reader. Workload: once per file. */
#include "mesh_io/mesh_file.h"

#include "mesh_io/byte_source.h"
#include "mesh_io/mesh_format.h"
#include "mesh_io/mesh_reading.h"
#include "mesh_io/number_printer.h"
#include "mesh_io/sphere_columns.h"
#include "mesh_io/text_encoding.h"

#include <stdio.h>

static bool read_format(const mesh_reading *reading, mesh **meshes_out, size_t *mesh_count_out) {
  bool compressed;
  mesh_format format = mesh_format_of_name(reading->file_name, &compressed);
  if (format == MESH_FORMAT_UNKNOWN) format = mesh_format_of_content(reading->bytes, reading->size);
  switch (format) {
  case MESH_FORMAT_OBJ:
    return mesh_read_obj(reading, meshes_out, mesh_count_out);
  case MESH_FORMAT_PLY:
    return mesh_read_ply(reading, meshes_out, mesh_count_out);
  case MESH_FORMAT_STL:
    return mesh_read_stl(reading, meshes_out, mesh_count_out);
  case MESH_FORMAT_OFF:
    return mesh_read_off(reading, meshes_out, mesh_count_out);
  case MESH_FORMAT_GMSH:
    return mesh_read_gmsh(reading, meshes_out, mesh_count_out);
  case MESH_FORMAT_MEDIT:
    return mesh_read_medit(reading, meshes_out, mesh_count_out);
  case MESH_FORMAT_VTK:
    return mesh_read_vtk(reading, meshes_out, mesh_count_out);
  case MESH_FORMAT_TETGEN:
    return mesh_read_tetgen(reading, meshes_out, mesh_count_out);
  case MESH_FORMAT_ROPE:
    return mesh_read_rope(reading, meshes_out, mesh_count_out);
  case MESH_FORMAT_CSV:
    return mesh_read_csv(reading, meshes_out, mesh_count_out);
  case MESH_FORMAT_SPH:
    return mesh_read_sph(reading, meshes_out, mesh_count_out);
  case MESH_FORMAT_GLTF:
    return mesh_read_gltf(reading, meshes_out, mesh_count_out);
  case MESH_FORMAT_3MF:
    return mesh_read_3mf(reading, meshes_out, mesh_count_out);
  case MESH_FORMAT_UNKNOWN:
    break;
  }
  mesh_reading text;
  if (!text_encoding_start(reading, &text)) return false; /* the more likely reason if nothing is recognized */
  return mesh_fail(reading, "unknown format; supported: " MESH_FORMATS_READ);
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
