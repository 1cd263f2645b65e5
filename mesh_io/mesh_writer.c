/* Writes OBJ, PLY, STL and OFF. Workload: meshes of `graze make`, up to millions of triangles; numbers are most of the
 * work. */
#include "mesh_io/byte_order.h"
#include "mesh_io/mesh_writing.h"
#include "mesh_io/number_printer.h"

#include <math.h>
#include <string.h>

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

void mesh_write_obj(const mesh_writing *w) {
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

void mesh_write_off(const mesh_writing *w) {
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

void mesh_write_ply(const mesh_writing *w) {
  if (w->mesh_count > 0 && w->meshes[0].kind == MESH_SPHERES) {
    mesh_write_sphere_ply(w);
  } else {
    write_polygon_ply(w);
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

void mesh_write_stl(const mesh_writing *w) {
  if (w->text) {
    write_stl_text(w);
  } else {
    write_stl_binary(w);
  }
}

bool mesh_check_stl(const mesh_writing *w) {
  if (w->text) return true;
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
