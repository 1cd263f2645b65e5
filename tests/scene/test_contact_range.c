/* Tests contacts of primitives at the limits of doubles: all numbers are finite, and equal those of the same pair near
 * one, times the scale, within the range of doubles. */
#include "base/number_sequence.h"
#include "small_meshes.h"
#include "test_scale.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

enum { KINDS = 5, MOST_POINTS = 512 };

/* The number of pairs of every two kinds. */
static int pair_count(void) {
  return (int)test_sanitized(60, 400);
}

static double number(uint64_t *seed, double most) {
  return most * ((double)sequence_below(seed, 2001) / 1000 - 1);
}

/* A primitive of a kind: a triangle, a bent quadrilateral, a tetrahedron, a box, or a sphere. */
typedef struct shape {
  double positions[24];
  double radius;
  int count;
  graze_mesh_def def;
} shape;

static const uint32_t identity[8] = {0, 1, 2, 3, 4, 5, 6, 7};
static const uint32_t four = 4, six = 6;
static const uint32_t box_sizes[6] = {4, 4, 4, 4, 4, 4};
static const uint32_t box_corners[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};

static void make_shape(shape *s, int kind, uint64_t *seed, double most) {
  static const int counts[KINDS] = {3, 4, 4, 8, 1};
  s->count = counts[kind];
  double low[3], high[3];
  for (int k = 0; k < 3; k++) {
    low[k] = number(seed, most);
    high[k] = number(seed, most);
    if (high[k] < low[k]) {
      const double swapped = low[k];
      low[k] = high[k];
      high[k] = swapped;
    }
    if (high[k] == low[k]) high[k] += most / 8 * (high[k] < 0 ? 1 : -1);
    if (high[k] < low[k]) {
      const double swapped = low[k];
      low[k] = high[k];
      high[k] = swapped;
    }
  }
  for (int i = 0; i < 3 * s->count; i++)
    s->positions[i] = kind != 3 ? number(seed, most) : (i / 3 >> i % 3 & 1) != 0 ? high[i % 3] : low[i % 3];
  s->radius = kind == 4 ? fabs(number(seed, most)) : 0.0;
  s->def = graze_mesh_def_default();
  s->def.radii = (graze_view){&s->radius, 1, 0, GRAZE_FORMAT_DOUBLE};
  s->def.positions = double_view(s->positions, (size_t)s->count);
  s->def.triangles = index_view(identity, 1);
  s->def.tetrahedra = (graze_view){identity, 1, 0, GRAZE_FORMAT_UINT32_4};
  s->def.corners = (graze_view){kind == 3 ? box_corners : identity, kind == 3 ? 24 : 4, 0, GRAZE_FORMAT_UINT32};
  s->def.face_sizes = (graze_view){kind == 3 ? box_sizes : &four, kind == 3 ? 6 : 1, 0, GRAZE_FORMAT_UINT32};
  s->def.cell_sizes = (graze_view){&six, 1, 0, GRAZE_FORMAT_UINT32};
}

static void add_shape(graze_scene *scene, const shape *s, int kind) {
  assert_ok(graze_scene_add(scene, (graze_kind)kind, &s->def, NULL, NULL));
}

typedef struct measured {
  bool meet;
  graze_contact contact;
  double points[MOST_POINTS][3];
} measured;

static void measure(const shape *a, int a_kind, const shape *b, int b_kind, graze_test test, measured *out) {
  OWNED_SCENE *scene = create_scene(NULL);
  add_shape(scene, a, a_kind);
  add_shape(scene, b, b_kind);
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  query.test = test;
  OWNED(graze_contacts) contacts = {0};
  graze_contact_options options = graze_contact_options_default();
  options.test = test;
  assert_ok(graze_scene_update(scene));
  OWNED(graze_pairs) pairs = find_pairs(scene, &query);
  out->meet = pairs.count > 0;
  if (out->meet) {
    assert_ok(graze_scene_make_contacts(scene, pairs.pairs, pairs.count, &options, &contacts));
    out->contact = contacts.contacts[0];
    assert_true(contacts.point_count <= MOST_POINTS);
    if (contacts.point_count > 0) memcpy(out->points, contacts.points, contacts.point_count * sizeof *out->points);
  }
}

static bool all_finite(const double *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

static double clamped(double value) {
  return isfinite(value) ? value : DBL_MAX;
}

/* Whether a point is the wanted one times 2^power. */
static bool is_scaled(const double found[3], const double wanted[3], int power) {
  for (int k = 0; k < 3; k++)
    if (!(fabs(ldexp(found[k], -power) - wanted[k]) <= 1e-12)) return false;
  return true;
}

/* `wanted` is near one and the other larger by 2^power, as far as doubles go. */
static void compare(const measured *wanted, const measured *found, int power, const char *where) {
  const graze_contact *w = &wanted->contact, *f = &found->contact;
  assert_int_equal(found->meet, wanted->meet);
  if (!found->meet) return;
  if (!all_finite(f->normal, 3)) fail_msg("%s: the normal is not finite", where);
  if (!isfinite(f->depth)) fail_msg("%s: the depth is %g", where, f->depth);
  if (!isfinite(f->volume)) fail_msg("%s: the volume is %g", where, f->volume);
  if (!all_finite(f->centroid, 3)) fail_msg("%s: the centroid is not finite", where);
  if (!all_finite(found->points[0], 3 * (size_t)f->point_count)) fail_msg("%s: a point is not finite", where);
  assert_true(f->kind == w->kind && f->point_count == w->point_count);
  assert_memory_equal(f->normal, w->normal, sizeof w->normal);
  assert_true(f->depth == clamped(ldexp(w->depth, power)));
  assert_true(f->volume == clamped(ldexp(w->volume, 3 * power)));
  assert_true(f->area == clamped(ldexp(w->area, 2 * power)));
  if (!is_scaled(f->centroid, w->centroid, power))
    fail_msg("%s: the centroid is (%g, %g, %g) of the scale, not (%g, %g, %g)", where, ldexp(f->centroid[0], -power),
             ldexp(f->centroid[1], -power), ldexp(f->centroid[2], -power), w->centroid[0], w->centroid[1],
             w->centroid[2]);
  for (uint32_t i = 0; i < f->point_count; i++) assert_true(is_scaled(found->points[i], wanted->points[i], power));
  if (power < 1000)
    assert_true(is_scaled(f->witness_a, w->witness_a, power) && is_scaled(f->witness_b, w->witness_b, power));
}

TEST(test_scales) {
  const int pairs = pair_count();
  enum { POWERS = 15 };
  /* Sizes 1e-300, -200, -107, -100, -81, -80, -40, 40, 80, 100 and 150, and the ends. */
  static const int powers[POWERS] = {-996, -664, -355, -332, -269, -266, -133, 133,
                                     266,  332,  498,  341,  513,  1001, 1023};
  uint64_t seed = 3;
  size_t met = 0;
  for (int a_kind = 0; a_kind < KINDS; a_kind++)
    for (int b_kind = a_kind; b_kind < KINDS; b_kind++)
      for (int i = 0; i < pairs; i++) {
        shape a, b;
        measured wanted, found;
        const graze_test test = i % 3 == 0 ? GRAZE_TEST_GJK : GRAZE_TEST_SAT;
        make_shape(&a, a_kind, &seed, 1.999);
        make_shape(&b, b_kind, &seed, 1.999);
        measure(&a, a_kind, &b, b_kind, test, &wanted);
        met += wanted.meet;
        const int power = powers[i % POWERS];
        for (int k = 0; k < 3 * a.count; k++) a.positions[k] = ldexp(a.positions[k], power);
        for (int k = 0; k < 3 * b.count; k++) b.positions[k] = ldexp(b.positions[k], power);
        a.radius = ldexp(a.radius, power);
        b.radius = ldexp(b.radius, power);
        measure(&a, a_kind, &b, b_kind, test, &found);
        char where[64];
        snprintf(where, sizeof where, "kinds %d and %d, pair %d, 2^%d", a_kind, b_kind, i, power);
        compare(&wanted, &found, power, where);
      }
  assert_true(met > 10 * (size_t)pairs / 4);
}

/* Coordinates of the largest double itself, where the least rounding upward would be infinite. */
TEST(test_largest_double) {
  const int pairs = pair_count();
  uint64_t seed = 4;
  size_t met = 0;
  for (int a_kind = 0; a_kind < KINDS; a_kind++)
    for (int b_kind = a_kind; b_kind < KINDS; b_kind++)
      for (int i = 0; i < pairs; i++) {
        shape shapes[2];
        measured found;
        make_shape(&shapes[0], a_kind, &seed, 1.0);
        make_shape(&shapes[1], b_kind, &seed, 1.0);
        /* The outer ones all the way out, the others to two thirds; the far sides of a box alone, so that it stays one.
         */
        for (int k = 0; k < 2; k++)
          for (int j = 0; j < 24 && j < 3 * shapes[k].count; j++) {
            const double x = shapes[k].positions[j];
            const bool outward = (k == 0 ? a_kind : b_kind) != 3 || ((j / 3 >> j % 3 & 1) != 0) == (x > 0);
            shapes[k].radius = fmin(shapes[k].radius, 1.0) * DBL_MAX;
            shapes[k].positions[j] = fabs(x) > 0.5 && outward ? copysign(DBL_MAX, x) : x / 1.5 * DBL_MAX;
          }
        measure(&shapes[0], a_kind, &shapes[1], b_kind, i % 3 == 0 ? GRAZE_TEST_GJK : GRAZE_TEST_SAT, &found);
        if (!found.meet) continue;
        met++;
        const graze_contact *contact = &found.contact;
        assert_true(all_finite(contact->normal, 3) && all_finite(contact->centroid, 3));
        assert_true(isfinite(contact->depth) && isfinite(contact->volume));
        assert_true(all_finite(found.points[0], 3 * (size_t)contact->point_count));
      }
  assert_true(met > 10 * (size_t)pairs / 4);
}
