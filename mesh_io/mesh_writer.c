/* Selects the writer, and writes OBJ, PLY, STL and OFF. Workload: meshes of `graze make`, up to millions of triangles;
 * numbers are most of the work. Meshes are checked before the file is opened, so that invalid meshes do not overwrite
 * an older file. */
#include "mesh_io/byte_order.h"
#include "mesh_io/mesh_format.h"
#include "mesh_io/mesh_writing.h"
#include "mesh_io/number_printer.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------- checks */

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

static bool check_elements(mesh_writing *w, size_t which) {
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
static bool check_kind(const mesh_writing *w, mesh_format format, size_t which) {
  static const char *const names[] = {"polygons", "tetrahedra", "polyhedra", "spheres"};
  const mesh_kind kind = w->meshes[which].kind;
  if (!mesh_format_is_written(format, kind)) {
    return mesh_fail(w->place, "mesh %zu has %s, which %s files can store, but this format cannot", which, names[kind],
                     mesh_formats_of_kind(kind));
  }
  if (kind == w->meshes[0].kind) return true;
  return mesh_fail(w->place, "mesh %zu has %s, but mesh 0 has %s: a file holds one kind", which, names[kind],
                   names[w->meshes[0].kind]);
}

static bool check_mesh(mesh_writing *w, mesh_format format, size_t which) {
  const mesh *m = &w->meshes[which];
  if (!check_kind(w, format, which)) return false;
  for (size_t i = 0; i < 3 * m->vertex_count; i++) {
    if (isfinite(m->positions[i])) continue;
    const mesh_quote quote = mesh_quote_number(m->positions[i]);
    return mesh_fail(w->place, "mesh %zu, vertex %zu has the %c coordinate %s, which is not a finite number", which,
                     i / 3, "xyz"[i % 3], quote.text);
  }
  if (!check_elements(w, which)) return false;
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

/* ---------------------------------------------------------------------------------------------------- text */

/* Writes a word, a name of one line, and a line end. */
static void write_name(const mesh_writing *w, const char *word, const char *name) {
  mesh_write_text(w, word);
  for (const char *p = name ? name : ""; *p; p++) {
    const char c = *p == '\n' || *p == '\r' ? ' ' : *p;
    byte_sink_write(w->sink, &c, 1);
  }
  mesh_write_text(w, "\n");
}

static void write_obj(const mesh_writing *w) {
  size_t base = 1;
  for (size_t i = 0; i < w->mesh_count; i++) {
    const mesh *m = &w->meshes[i];
    write_name(w, "o ", m->name);
    for (size_t j = 0; j < m->vertex_count; j++) mesh_write_position(w, "v ", m->positions + 3 * j);
    for (size_t j = 0; j < m->polygon_count; j++) {
      const uint32_t *corners;
      const size_t count = mesh_polygon_corners(m, j, &corners);
      mesh_write_corners(w, "f", corners, count, base);
    }
    base += m->vertex_count;
  }
}

/* Writes vertices of all meshes, then polygons as a count and indices from 0: the text of OFF and of ascii PLY. */
static void write_joined_text(const mesh_writing *w) {
  for (size_t i = 0; i < w->mesh_count; i++) {
    for (size_t j = 0; j < w->meshes[i].vertex_count; j++) mesh_write_position(w, "", w->meshes[i].positions + 3 * j);
  }
  size_t base = 0;
  for (size_t i = 0; i < w->mesh_count; i++) {
    const mesh *m = &w->meshes[i];
    for (size_t j = 0; j < m->polygon_count; j++) {
      const uint32_t *corners;
      char word[PRINTED_NUMBER_BYTES];
      const size_t count = mesh_polygon_corners(m, j, &corners);
      print_count(count, word);
      mesh_write_corners(w, word, corners, count, base);
    }
    base += m->vertex_count;
  }
}

static void write_off(const mesh_writing *w) {
  char count[PRINTED_NUMBER_BYTES];
  mesh_write_text(w, "OFF\n");
  print_count(w->vertex_count, count);
  mesh_write_text(w, count);
  print_count(w->polygon_count, count);
  mesh_write_text(w, " ");
  mesh_write_text(w, count);
  mesh_write_text(w, " 0\n");
  write_joined_text(w);
}

/* ---------------------------------------------------------------------------------------------------- binary */

static void write_ply_binary(const mesh_writing *w, size_t count_bytes) {
  for (size_t i = 0; i < w->mesh_count; i++) {
    for (size_t j = 0; j < 3 * w->meshes[i].vertex_count; j++) mesh_write_double(w, w->meshes[i].positions[j], false);
  }
  size_t base = 0;
  for (size_t i = 0; i < w->mesh_count; i++) {
    const mesh *m = &w->meshes[i];
    for (size_t j = 0; j < m->polygon_count; j++) {
      const uint32_t *corners;
      const size_t count = mesh_polygon_corners(m, j, &corners);
      mesh_write_bits(w, count, count_bytes, false);
      for (size_t k = 0; k < count; k++) mesh_write_bits(w, corners[k] + base, 4, false);
    }
    base += m->vertex_count;
  }
}

static void write_polygon_ply(const mesh_writing *w) {
  char count[PRINTED_NUMBER_BYTES];
  const bool few_corners = w->most_corners <= UINT8_MAX;
  mesh_write_text(w, w->text ? "ply\nformat ascii 1.0\nelement vertex "
                             : "ply\nformat binary_little_endian 1.0\nelement vertex ");
  print_count(w->vertex_count, count);
  mesh_write_text(w, count);
  mesh_write_text(w, "\nproperty double x\nproperty double y\nproperty double z\nelement face ");
  print_count(w->polygon_count, count);
  mesh_write_text(w, count);
  mesh_write_text(w, few_corners ? "\nproperty list uchar " : "\nproperty list uint ");
  /* Some programs know only int as the type of indices. */
  mesh_write_text(w, w->vertex_count <= INT32_MAX ? "int vertex_indices\nend_header\n"
                                                  : "uint vertex_indices\nend_header\n");
  if (w->text) {
    write_joined_text(w);
  } else {
    write_ply_binary(w, few_corners ? 1 : 4);
  }
}

/* ---------------------------------------------------------------------------------------------------- STL */

static const double *corner_position(const mesh *m, size_t triangle, size_t corner) {
  return m->positions + 3 * (size_t)m->triangles[3 * triangle + corner];
}

/* For readers that need a normal; 0 0 0, as usual, if it is undefined. */
static void triangle_normal(const mesh *m, size_t triangle, double normal[3]) {
  const double *a = corner_position(m, triangle, 0);
  const double *b = corner_position(m, triangle, 1);
  const double *c = corner_position(m, triangle, 2);
  double largest = 0;
  double u[3], v[3];
  for (int i = 0; i < 3; i++) {
    u[i] = b[i] / 4 - a[i] / 4; /* quarters, because differences of large coordinates may overflow */
    v[i] = c[i] / 4 - a[i] / 4;
    largest = fmax(largest, fmax(fabs(u[i]), fabs(v[i])));
  }
  for (int i = 0; i < 3 && largest > 0; i++) {
    u[i] /= largest;
    v[i] /= largest;
  }
  for (int i = 0; i < 3; i++) normal[i] = u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3];
  const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  for (int i = 0; i < 3; i++) normal[i] = length > 0 ? normal[i] / length : 0;
}

static size_t store_float(char *p, double value) {
  const float narrow = (float)value;
  uint32_t bits;
  memcpy(&bits, &narrow, sizeof bits);
  return store_bits(p, bits, sizeof bits, false);
}

static void write_stl_binary(const mesh_writing *w) {
  static const char header[80] = "binary STL by graze";
  byte_sink_write(w->sink, header, sizeof header);
  mesh_write_bits(w, w->triangle_count, 4, false);
  for (size_t i = 0; i < w->mesh_count; i++) {
    const mesh *m = &w->meshes[i];
    for (size_t j = 0; j < m->triangle_count; j++) {
      double normal[3];
      triangle_normal(m, j, normal);
      char *const start = byte_sink_reserve(w->sink);
      char *p = start;
      for (int axis = 0; axis < 3; axis++) p += store_float(p, normal[axis]);
      for (size_t k = 0; k < 9; k++) p += store_float(p, corner_position(m, j, k / 3)[k % 3]);
      p += store_bits(p, 0, 2, false);
      byte_sink_advance(w->sink, (size_t)(p - start));
    }
  }
}

static void write_stl_text(const mesh_writing *w) {
  for (size_t i = 0; i < w->mesh_count; i++) {
    const mesh *m = &w->meshes[i];
    write_name(w, "solid ", m->name);
    for (size_t j = 0; j < m->triangle_count; j++) {
      double normal[3];
      triangle_normal(m, j, normal);
      /* Six places suffice, because readers should not use the normal. */
      for (int axis = 0; axis < 3; axis++) normal[axis] = round(normal[axis] * 1e6) / 1e6 + 0.0;
      mesh_write_position(w, "facet normal ", normal);
      mesh_write_text(w, "outer loop\n");
      for (size_t k = 0; k < 3; k++) mesh_write_position(w, "vertex ", corner_position(m, j, k));
      mesh_write_text(w, "endloop\nendfacet\n");
    }
    write_name(w, "endsolid ", m->name);
  }
}

static bool check_floats(const mesh_writing *w) {
  for (size_t i = 0; i < w->mesh_count; i++) {
    const mesh *m = &w->meshes[i];
    for (size_t j = 0; j < 3 * m->vertex_count; j++) {
      if (isfinite((float)m->positions[j])) continue;
      const mesh_quote quote = mesh_quote_number(m->positions[j]);
      return mesh_fail(w->place,
                       "mesh %zu, vertex %zu has the %c coordinate %s, beyond the range of float in binary STL", i,
                       j / 3, "xyz"[j % 3], quote.text);
    }
  }
  return true;
}

/* ---------------------------------------------------------------------------------------------------- all */

static void write_ply(const mesh_writing *w) {
  if (w->mesh_count > 0 && w->meshes[0].kind == MESH_SPHERES) {
    mesh_write_sphere_ply(w);
  } else {
    write_polygon_ply(w);
  }
}

static void write_format(const mesh_writing *w, mesh_format format) {
  switch (format) {
  case MESH_FORMAT_OBJ:
    write_obj(w);
    break;
  case MESH_FORMAT_PLY:
    write_ply(w);
    break;
  case MESH_FORMAT_OFF:
    write_off(w);
    break;
  case MESH_FORMAT_STL:
    if (w->text) {
      write_stl_text(w);
    } else {
      write_stl_binary(w);
    }
    break;
  case MESH_FORMAT_GMSH:
    mesh_write_gmsh(w);
    break;
  case MESH_FORMAT_VTK:
    mesh_write_vtk(w);
    break;
  case MESH_FORMAT_CSV:
    mesh_write_csv(w);
    break;
  case MESH_FORMAT_SPH:
  case MESH_FORMAT_MEDIT:
  case MESH_FORMAT_TETGEN:
  case MESH_FORMAT_ROPE:
  case MESH_FORMAT_GLTF:
  case MESH_FORMAT_3MF:
  case MESH_FORMAT_UNKNOWN:
    break;
  }
}

bool mesh_file_write(const char *path, const mesh *meshes, size_t mesh_count, const mesh_write_options *options,
                     char *error, size_t error_bytes) {
  const mesh_write_options none = {0};
  if (!options) options = &none;
  const mesh_reading place = {
      .file_name = path, .memory = mesh_memory_or_default(options->memory), .error = error, .error_bytes = error_bytes};
  if (error_bytes > 0) error[0] = '\0';
  bool compressed;
  const mesh_format format = mesh_format_of_name(path, &compressed);
  if (!mesh_format_has_writer(format)) return mesh_fail(&place, "unknown extension; supported: " MESH_FORMATS_WRITTEN);
  mesh_writing w = {
      .place = &place, .meshes = meshes, .mesh_count = mesh_count, .text = options->text, .comment = options->comment};
  for (size_t i = 0; i < mesh_count; i++) {
    if (!check_mesh(&w, format, i)) return false;
  }
  if (format == MESH_FORMAT_STL && !w.text && !check_floats(&w)) return false;
  if (format == MESH_FORMAT_GMSH && !mesh_check_gmsh(&w)) return false;
  if (format == MESH_FORMAT_VTK && !mesh_check_vtk(&w)) return false;
  w.sink = byte_sink_open(&place, compressed);
  if (!w.sink) return false;
  write_format(&w, format);
  return byte_sink_close(w.sink);
}
