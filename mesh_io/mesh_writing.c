/* Writes numbers and elements for the writers. Workload: called for every number of a file; the sink collects the
 * bytes. */
#include "mesh_io/mesh_writing.h"

#include "mesh_io/byte_order.h"
#include "mesh_io/number_printer.h"

#include <string.h>

void mesh_write_text(const mesh_writing *w, const char *text) {
  byte_sink_write(w->sink, text, strlen(text));
}

void mesh_write_count(const mesh_writing *w, uint64_t count, const char *after) {
  byte_sink_advance(w->sink, print_count(count, byte_sink_reserve(w->sink)));
  mesh_write_text(w, after);
}

void mesh_write_position(const mesh_writing *w, const char *word, const double position[3]) {
  char *const start = byte_sink_reserve(w->sink);
  char *p = start;
  const size_t length = strlen(word);
  memcpy(p, word, length);
  p += length;
  for (int axis = 0; axis < 3; axis++) {
    if (axis > 0) *p++ = ' ';
    p += print_number(position[axis], p);
  }
  *p++ = '\n';
  byte_sink_advance(w->sink, (size_t)(p - start));
}

void mesh_write_corners(const mesh_writing *w, const char *word, const uint32_t *corners, size_t count, size_t base) {
  mesh_write_text(w, word);
  for (size_t i = 0; i < count; i++) {
    char *p = byte_sink_reserve(w->sink);
    p[0] = ' ';
    byte_sink_advance(w->sink, 1 + print_count(corners[i] + (unsigned long long)base, p + 1));
  }
  mesh_write_text(w, "\n");
}

void mesh_write_bits(const mesh_writing *w, uint64_t bits, size_t bytes, bool big_endian) {
  byte_sink_advance(w->sink, store_bits(byte_sink_reserve(w->sink), bits, bytes, big_endian));
}

void mesh_write_double(const mesh_writing *w, double value, bool big_endian) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  mesh_write_bits(w, bits, sizeof bits, big_endian);
}

size_t mesh_polygon_corners(const mesh *m, size_t polygon, const uint32_t **corners_out) {
  if (!m->polygon_first) {
    *corners_out = m->triangles + 3 * polygon;
    return 3;
  }
  *corners_out = m->corners + m->polygon_first[polygon];
  return m->polygon_first[polygon + 1] - m->polygon_first[polygon];
}

static element_shape shape_of_polygon(size_t corner_count) {
  if (corner_count == 3) return ELEMENT_TRIANGLE;
  return corner_count == 4 ? ELEMENT_QUADRILATERAL : ELEMENT_POLYGON;
}

void mesh_element_get(const mesh *m, size_t element, mesh_element *element_out) {
  switch (m->kind) {
  case MESH_TETRAHEDRA:
    element_out->shape = ELEMENT_TETRAHEDRON;
    element_out->corners = m->tetrahedra + 4 * element;
    element_out->corner_count = 4;
    break;
  case MESH_POLYHEDRA: {
    const uint32_t first = m->cell_first[element];
    element_out->shape = element_shape_of_faces(m->face_first + first, m->cell_first[element + 1] - first,
                                                m->face_corners, element_out->room);
    element_out->corners = element_out->room;
    element_out->corner_count = element_shape_about(element_out->shape)->corner_count;
    break;
  }
  case MESH_SPHERES: /* no file of elements stores them */
    element_out->corner_count = 0;
    break;
  case MESH_POLYGONS:
    element_out->corner_count = mesh_polygon_corners(m, element, &element_out->corners);
    element_out->shape = shape_of_polygon(element_out->corner_count);
    break;
  }
}
