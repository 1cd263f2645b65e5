/* Bytes and launches of contacts, from src/cuda/device_contacts.c and the arrays of src/cuda/contact_view.h.
 *
 * As in frame_lower_bound.c, a stage is charged once for every element that it reads or writes, and for the primitives
 * and vertices of its pairs, at most all of them. docs/theory/gpu.md describes the table and must match this file. */
#include "bench/contact_lower_bound.h"

/* Sizes of one element in bytes. */
enum {
  PAIR = 16,
  CONTACT = 152,
  VOLUME = 36, /* with its unit and centroid, in the contact */
  NUMBER = 4,  /* number of points of a contact; later the first point */
  POINT = 24,
  HEADER = 16,
  CORNERS = 16, /* of a tetrahedron, beside its header */
  POSITION = 12,
  RADIUS = 8
};

static double least(double a, double b) {
  return a < b ? a : b;
}

static uint64_t corner_count(graze_kind kind) {
  return kind == GRAZE_KIND_SPHERE ? 1 : kind == GRAZE_KIND_TETRAHEDRON ? 4 : 3;
}

static double named_bytes(const contact_sizes *s) {
  const double primitives = least(2.0 * (double)s->contacts, (double)s->primitives);
  const double vertices = least(2.0 * (double)(corner_count(s->kind) * s->contacts), (double)s->vertices);
  const double primitive = HEADER + (s->kind == GRAZE_KIND_TETRAHEDRON ? CORNERS : 0);
  return primitives * primitive + vertices * (POSITION + (s->kind == GRAZE_KIND_SPHERE ? RADIUS : 0));
}

/* Solids share volumes, which have no points to count or join. */
static bool has_points(const contact_sizes *s) {
  return s->kind == GRAZE_KIND_TRIANGLE;
}

static double measure_bytes(const contact_sizes *s) {
  return named_bytes(s) + (PAIR + CONTACT) * (double)s->contacts + POINT * (double)s->points;
}

/* A separate stage clips the shared volumes of tetrahedra: it writes them, and the measure reads them. */
static double volume_bytes(const contact_sizes *s) {
  if (s->kind != GRAZE_KIND_TETRAHEDRON) return 0.0;
  return named_bytes(s) + (PAIR + 2.0 * VOLUME) * (double)s->contacts;
}

/* Numbers are cleared, written by the measure, then read and written by the scan. */
static double number_bytes(const contact_sizes *s) {
  return has_points(s) ? 4.0 * NUMBER * (double)s->contacts : 0.0;
}

/* Numbers are read, the first point of each contact is stored, and points are moved there. */
static double join_bytes(const contact_sizes *s) {
  return has_points(s) ? 2.0 * NUMBER * (double)s->contacts + 2.0 * POINT * (double)s->points : 0.0;
}

double contact_bytes(const contact_sizes *sizes) {
  return volume_bytes(sizes) + measure_bytes(sizes) + number_bytes(sizes) + join_bytes(sizes);
}

/* Clearing the totals, the volumes of tetrahedra, the measure, and except for spheres the undecided pairs of the
 * filter; with points, clearing the numbers, a scan, and joining. */
uint64_t contact_launches(const contact_sizes *sizes) {
  if (has_points(sizes)) return 6;
  return sizes->kind == GRAZE_KIND_SPHERE ? 2 : 4;
}
