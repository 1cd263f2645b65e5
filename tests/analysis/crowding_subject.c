/* A reference without boxes, grid or filters: two loops over all primitives, and exact distances of all parts. */
#include "crowding_subject.h"

#include "geometry/rational_ball.h"
#include "geometry/rational_distance.h"
#include "geometry/rational_oracle.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void subject_start(crowding_subject *subject, graze_kind kind) {
  memset(subject, 0, sizeof *subject);
  subject->kind = kind;
}

uint32_t subject_vertex(crowding_subject *subject, const double position[3], bool share) {
  for (size_t i = 0; share && i < subject->vertex_count; i++)
    if (memcmp(subject->positions + 3 * i, position, 3 * sizeof(double)) == 0) return (uint32_t)i;
  assert(subject->vertex_count < SUBJECT_VERTICES);
  memcpy(subject->positions + 3 * subject->vertex_count, position, 3 * sizeof(double));
  return (uint32_t)subject->vertex_count++;
}

static void insert_ascending(uint32_t *corners, uint32_t *count, uint32_t corner) {
  uint32_t at = *count;
  for (uint32_t i = 0; i < *count; i++)
    if (corners[i] == corner) return;
  for (; at > 0 && corners[at - 1] > corner; at--) corners[at] = corners[at - 1];
  corners[at] = corner;
  ++*count;
}

void subject_add(crowding_subject *subject, const uint32_t *corners, uint32_t corner_count) {
  assert(subject->count < SUBJECT_PRIMITIVES && corner_count <= SUBJECT_CORNERS);
  const size_t number = subject->count++;
  const uint32_t first = subject->corner_first[number];
  uint32_t kept = corner_count;
  memcpy(subject->corners + first, corners, corner_count * sizeof *corners);
  if (subject->kind == GRAZE_KIND_POLYHEDRON) {
    memcpy(subject->cubes + 8 * number, corners, 8 * sizeof *corners);
    kept = 0;
    for (uint32_t i = 0; i < corner_count; i++) insert_ascending(subject->corners + first, &kept, corners[i]);
  }
  subject->corner_first[number + 1] = first + kept;
  uint32_t *piece = subject->triangulation + 3 * (first - 2 * number);
  for (uint32_t i = 2; subject->kind == GRAZE_KIND_POLYGON && i < corner_count; i++, piece += 3) {
    piece[0] = corners[0];
    piece[1] = corners[i - 1];
    piece[2] = corners[i];
  }
}

void subject_finish(crowding_subject *subject) {
  double largest = 0.0;
  for (size_t i = 0; i < 3 * subject->vertex_count; i++) largest = fmax(largest, fabs(subject->positions[i]));
  int exponent = 0;
  if (largest > 0.0) (void)frexp(largest, &exponent);
  subject->scale = ldexp(1.0, -exponent - 1);
  for (size_t i = 0; i < subject->vertex_count; i++) {
    float near[3];
    double error = 0.0, sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
      const double scaled = subject->positions[3 * i + axis] * subject->scale;
      near[axis] = (float)scaled;
      error = fmax(error, fabs(scaled - near[axis]));
      sum += fabs(scaled);
    }
    const float covered = error > 0.0 ? (float)(error * 1.0001 + sum * 0x1p-23) : 0.0f;
    subject->rounded_vertices[i] = (rounded_vertex){near[0], near[1], near[2], covered};
  }
  for (size_t i = 0; i < subject->count; i++) {
    const uint32_t *corners = subject->corners + subject->corner_first[i];
    subject->headers[i] = (primitive_header){{corners[0], corners[1], corners[2]}, 0};
  }
}

bool subject_measure(const crowding_subject *subject, const method *chosen, graze_simd simd, memory *heap,
                     workers *team, subject_counts *counts_out) {
  const bool counted = subject->kind == GRAZE_KIND_POLYGON || subject->kind == GRAZE_KIND_POLYHEDRON;
  const crowding_query question = {.source = {.positions = subject->positions,
                                              .is_double = true,
                                              .corner_count = kind_corner_count(subject->kind),
                                              .kind = subject->kind,
                                              .corners = subject->corners,
                                              .corner_first = counted ? subject->corner_first : NULL,
                                              .triangulation = subject->triangulation},
                                   .headers = subject->headers,
                                   .rounded_vertices = subject->rounded_vertices,
                                   .removed = subject->removed,
                                   .count = subject->count,
                                   .scale = subject->scale,
                                   .method = chosen,
                                   .simd = simd,
                                   .memory = heap,
                                   .workers = team};
  const crowding_counts counts = {counts_out->k_of, counts_out->neighbors_of, counts_out->diameter_of};
  crowding_outcome outcome;
  memset(counts_out, 0, sizeof *counts_out);
  return crowding_measure(&question, &counts, &outcome);
}

/* ---------------------------------------------------------------------------------------------- the reference */

/* A primitive as triangles, which cover it or its boundary, and the tetrahedra that fill it. */
typedef struct simplices {
  double triangles[12][9], tetrahedra[6][12];
  int triangle_count, tetrahedron_count;
} simplices;

static void gather(const crowding_subject *subject, const uint32_t *vertices, int count, double *points_out) {
  for (int i = 0; i < count; i++) memcpy(points_out + 3 * i, subject->positions + 3 * vertices[i], 3 * sizeof(double));
}

static void put_triangle(const crowding_subject *subject, simplices *parts, uint32_t a, uint32_t b, uint32_t c) {
  gather(subject, (const uint32_t[]){a, b, c}, 3, parts->triangles[parts->triangle_count++]);
}

/* Its faces in two triangles each, its inside in six tetrahedra around a diagonal: one for each order in which the axes
 * are walked. */
static void put_cube(const crowding_subject *subject, simplices *parts, const uint32_t *cube) {
  static const int faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
  static const int orders[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
  for (int i = 0; i < 6; i++) {
    put_triangle(subject, parts, cube[faces[i][0]], cube[faces[i][1]], cube[faces[i][2]]);
    put_triangle(subject, parts, cube[faces[i][0]], cube[faces[i][2]], cube[faces[i][3]]);
    const uint32_t vertices[4] = {cube[0], cube[orders[i][0]], cube[orders[i][1]], cube[7]};
    gather(subject, vertices, 4, parts->tetrahedra[parts->tetrahedron_count++]);
  }
}

static simplices simplices_of(const crowding_subject *subject, size_t number) {
  const uint32_t *c = subject->corners + subject->corner_first[number];
  const uint32_t count = subject->corner_first[number + 1] - subject->corner_first[number];
  simplices parts = {.triangle_count = 0};
  switch (subject->kind) {
  case GRAZE_KIND_TRIANGLE:
  case GRAZE_KIND_POLYGON:
    for (uint32_t i = 2; i < count; i++) put_triangle(subject, &parts, c[0], c[i - 1], c[i]);
    break;
  case GRAZE_KIND_TETRAHEDRON:
    for (uint32_t i = 0; i < 4; i++) put_triangle(subject, &parts, c[(i + 1) % 4], c[(i + 2) % 4], c[(i + 3) % 4]);
    gather(subject, c, 4, parts.tetrahedra[parts.tetrahedron_count++]);
    break;
  case GRAZE_KIND_POLYHEDRON:
    put_cube(subject, &parts, subject->cubes + 8 * number);
    break;
  case GRAZE_KIND_SPHERE: /* test_spheres.c has those */
    break;
  }
  return parts;
}

/* Inside or on the boundary of a tetrahedron that has volume; one without is all boundary, which its faces cover. */
static bool holds_point(rational_oracle *oracle, const double tetrahedron[12], const double point[3]) {
  static const int faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  int above = 0, below = 0;
  const int volume =
      rational_oracle_orientation_3d(oracle, tetrahedron, tetrahedron + 3, tetrahedron + 6, tetrahedron + 9);
  for (int i = 0; i < 4; i++) {
    const int side = rational_oracle_orientation_3d(
        oracle, tetrahedron + 3 * faces[i][0], tetrahedron + 3 * faces[i][1], tetrahedron + 3 * faces[i][2], point);
    above += side > 0;
    below += side < 0;
  }
  return volume != 0 && (above == 0 || below == 0);
}

/* Not more than the distance of two triangles: spares the exact distances of what is plainly far. */
static double box_gap(const double a[9], const double b[9]) {
  double widest = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    const double a_low = fmin(fmin(a[axis], a[3 + axis]), a[6 + axis]);
    const double a_high = fmax(fmax(a[axis], a[3 + axis]), a[6 + axis]);
    const double b_low = fmin(fmin(b[axis], b[3 + axis]), b[6 + axis]);
    const double b_high = fmax(fmax(b[axis], b[3 + axis]), b[6 + axis]);
    widest = fmax(widest, fmax(a_low - b_high, b_low - a_high));
  }
  return widest;
}

static double corner_gap(const double a[9], const double b[9]) {
  double least = HUGE_VAL;
  for (int i = 0; i < 9; i += 3)
    for (int j = 0; j < 9; j += 3)
      least = fmin(least, hypot(hypot(a[i] - b[j], a[i + 1] - b[j + 1]), a[i + 2] - b[j + 2]));
  return least;
}

/* The exact distance, unless boxes or corners show that it is far above or below the radius. */
static double triangles_distance(const double a[9], const double b[9], double radius) {
  if (box_gap(a, b) > 2.0 * radius) return HUGE_VAL;
  const double corners = corner_gap(a, b);
  return corners <= 0.5 * radius ? corners : rational_distance(a, 3, b, 3);
}

/* Whether a corner of the second lies in the first. Where neither has one in the other and their boundaries do not
 * meet, the two are apart. */
static bool holds_corner(rational_oracle *oracle, const simplices *a, const simplices *b) {
  for (int i = 0; i < a->tetrahedron_count; i++)
    if (holds_point(oracle, a->tetrahedra[i], b->triangles[0])) return true;
  return false;
}

/* The distance; where it is far from the radius, something else on the same side of it. */
static double distance_of(rational_oracle *oracle, const simplices *a, const simplices *b, double radius) {
  if (holds_corner(oracle, a, b) || holds_corner(oracle, b, a)) return 0.0;
  double least = HUGE_VAL;
  for (int i = 0; i < a->triangle_count && !(least <= 0.5 * radius); i++)
    for (int j = 0; j < b->triangle_count && !(least <= 0.5 * radius); j++)
      least = fmin(least, triangles_distance(a->triangles[i], b->triangles[j], radius));
  return least;
}

static double ball_diameter(const crowding_subject *subject, size_t number) {
  double points[3 * SUBJECT_CORNERS];
  const uint32_t first = subject->corner_first[number], corners = subject->corner_first[number + 1] - first;
  for (uint32_t i = 0; i < corners; i++)
    memcpy(points + 3 * i, subject->positions + 3 * subject->corners[first + i], 3 * sizeof(double));
  return 2.0 * rational_ball_radius(points, (int)corners);
}

static bool index_shared(const crowding_subject *subject, size_t a, size_t b) {
  for (uint32_t i = subject->corner_first[a]; i < subject->corner_first[a + 1]; i++)
    for (uint32_t j = subject->corner_first[b]; j < subject->corner_first[b + 1]; j++)
      if (subject->corners[i] == subject->corners[j]) return true;
  return false;
}

void subject_reference(const crowding_subject *subject, subject_counts *counts_out) {
  OWNED(rational_oracle) *oracle = rational_oracle_create();
  memset(counts_out, 0, sizeof *counts_out);
  for (size_t i = 0; i < subject->count; i++)
    counts_out->diameter_of[i] = subject->removed[i] ? 0.0 : ball_diameter(subject, i);
  for (size_t i = 0; i < subject->count; i++) {
    if (subject->removed[i]) continue;
    const double size = counts_out->diameter_of[i];
    const simplices own = simplices_of(subject, i);
    counts_out->k_of[i] = 1;
    for (size_t j = 0; j < subject->count; j++) {
      if (j == i || subject->removed[j] || counts_out->diameter_of[j] < size * (1.0 - 1e-12)) continue;
      const simplices other = simplices_of(subject, j);
      if (distance_of(oracle, &own, &other, size / 4) > size / 4 * (1.0 + 1e-12)) continue;
      counts_out->k_of[i]++;
      counts_out->neighbors_of[i] += index_shared(subject, i, j);
    }
  }
}
