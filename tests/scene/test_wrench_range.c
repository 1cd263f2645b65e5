/* Tests wrenches of solids at all scales of doubles: the centroid is the same point of the solids whether or not the
 * volume, its moment and the force are in the range of doubles. Tetrahedra are compared with rational numbers. */
#include "base/number_sequence.h"
#include "geometry/rational_volume.h"
#include "graze/graze.h"
#include "scene_calls.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { TETRAHEDRA, BOXES, SPHERES, KINDS, OBJECTS = 2, SOLIDS = 4, BOX_CORNERS = 8, SIZES = 12 };

/* Sizes 1e-300, 1e-200, 1e-107, 1e-100, 1e-81, 1e-80, 1e-40, 1e40, 1e80, 1e100, 1e150 and 1e300. */
static const int powers[SIZES] = {-996, -664, -355, -332, -269, -266, -133, 133, 266, 332, 498, 996};

/* Numbers below two in magnitude, of few bits: they are exact at every size. */
static double number(uint64_t *seed) {
  return (double)sequence_below(seed, 4001) / 0x1p10 - 2000 / 0x1p10;
}

typedef struct solids {
  double positions[3 * BOX_CORNERS * SOLIDS], radii[SOLIDS];
  int corner_count; /* of each */
} solids;

static void make_solids(int kind, uint64_t *seed, solids *s) {
  s->corner_count = kind == TETRAHEDRA ? 4 : kind == BOXES ? BOX_CORNERS : 1;
  for (int i = 0; i < SOLIDS; i++) {
    double low[3], size[3];
    s->radii[i] = 1.0 + fabs(number(seed)) / 4;
    for (int axis = 0; axis < 3; axis++) {
      low[axis] = number(seed);
      size[axis] = 1.5 + fabs(number(seed));
    }
    for (int j = 0; j < 3 * s->corner_count; j++)
      s->positions[3 * s->corner_count * i + j] =
          kind == TETRAHEDRA ? number(seed) : low[j % 3] + ((j / 3 >> j % 3 & 1) != 0 ? size[j % 3] : 0.0);
  }
}

/* The same solids times 2^power. */
static void add_solids(graze_scene *scene, int kind, const solids *s, int power) {
  static const uint32_t box[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  uint32_t tetrahedra[4 * SOLIDS], corners[24 * SOLIDS], face_sizes[6 * SOLIDS], cell_sizes[SOLIDS];
  solids scaled = *s;
  for (int i = 0; i < 3 * s->corner_count * SOLIDS; i++) scaled.positions[i] = ldexp(s->positions[i], power);
  for (uint32_t i = 0; i < SOLIDS; i++) {
    scaled.radii[i] = ldexp(s->radii[i], power);
    cell_sizes[i] = 6;
    for (uint32_t j = 0; j < 4; j++) tetrahedra[4 * i + j] = 4 * i + j;
    for (uint32_t j = 0; j < 6; j++) face_sizes[6 * i + j] = 4;
    for (uint32_t j = 0; j < 24; j++) corners[24 * i + j] = BOX_CORNERS * i + box[j];
  }
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){scaled.positions, (size_t)s->corner_count * SOLIDS, 0, GRAZE_FORMAT_DOUBLE3};
  def.tetrahedra = (graze_view){tetrahedra, SOLIDS, 0, GRAZE_FORMAT_UINT32_4};
  def.corners = (graze_view){corners, 24 * SOLIDS, 0, GRAZE_FORMAT_UINT32};
  def.face_sizes = (graze_view){face_sizes, 6 * SOLIDS, 0, GRAZE_FORMAT_UINT32};
  def.cell_sizes = (graze_view){cell_sizes, SOLIDS, 0, GRAZE_FORMAT_UINT32};
  def.radii = (graze_view){scaled.radii, SOLIDS, 0, GRAZE_FORMAT_DOUBLE};
  static const graze_kind kinds[KINDS] = {GRAZE_KIND_TETRAHEDRON, GRAZE_KIND_POLYHEDRON, GRAZE_KIND_SPHERE};
  assert_ok(graze_scene_add(scene, kinds[kind], &def, NULL, NULL));
}

/* The wrench of the first two objects. */
static graze_wrench find_wrench(graze_scene *scene, graze_force force, graze_test test, double stiffness) {
  graze_contact_options options = graze_contact_options_default();
  graze_query query = graze_query_default();
  query.test = test;
  options.force = force;
  options.stiffness = stiffness;
  assert_ok(graze_scene_update(scene));
  OWNED(graze_wrenches) wrenches = find_wrenches(scene, &query, &options);
  assert_true(wrenches.count > 0 && wrenches.wrenches[0].object_a == 0 && wrenches.wrenches[0].object_b == 1);
  const graze_wrench found = wrenches.wrenches[0];
  return found;
}

static graze_wrench wrench_of(int kind, const solids objects[OBJECTS], int power, graze_force force, graze_test test,
                              double stiffness) {
  OWNED_SCENE *scene = create_scene(NULL);
  for (int i = 0; i < OBJECTS; i++) add_solids(scene, kind, &objects[i], power);
  const graze_wrench found = find_wrench(scene, force, test, stiffness);
  return found;
}

/* value is wanted * 2^power, to a unit of the smallest double, or the largest double. */
static void require_scaled(double value, double wanted, int power) {
  const double scaled = ldexp(wanted, power);
  const double limited = fmax(-DBL_MAX, fmin(DBL_MAX, scaled));
  if (!(fabs(value - limited) <= DBL_TRUE_MIN)) fail_msg("%g in place of %g", value, limited);
}

static void require_centroid(const double found[3], const double wanted[3], int power) {
  for (int axis = 0; axis < 3; axis++)
    if (!(fabs(ldexp(found[axis], -power) - wanted[axis]) <= 1e-12))
      fail_msg("size 2^%d: coordinate %d of the centroid is %g of the size, not %g", power, axis,
               ldexp(found[axis], -power), wanted[axis]);
}

/* A stiffness within the range that makes forces ordinary numbers, as far as it goes. */
static int stiffness_power(int power, int dimension) {
  const int wanted = -dimension * power;
  return wanted > 1000 ? 1000 : wanted < -1000 ? -1000 : wanted;
}

TEST(test_sizes) {
  uint64_t seed = 11;
  for (int round = 0; round < 12; round++)
    for (int kind = 0; kind < KINDS; kind++) {
      const graze_force force = kind == SPHERES && round % 2 != 0 ? GRAZE_FORCE_GRADIENT : GRAZE_FORCE_VOLUME;
      const graze_test test = round % 2 == 1 ? GRAZE_TEST_GJK : GRAZE_TEST_SAT;
      const int dimension = force == GRAZE_FORCE_GRADIENT ? 2 : 3;
      solids objects[OBJECTS];
      for (int i = 0; i < OBJECTS; i++) make_solids(kind, &seed, &objects[i]);
      const graze_wrench wanted = wrench_of(kind, objects, 0, force, test, 1.0);
      assert_true(wanted.volume > 0.0);
      for (int i = 0; i < SIZES; i++) {
        const int power = powers[i], stiff = stiffness_power(power, dimension);
        const graze_wrench found = wrench_of(kind, objects, power, force, test, ldexp(1.0, stiff));
        assert_int_equal(found.pair_count, wanted.pair_count);
        require_centroid(found.centroid, wanted.centroid, power);
        require_scaled(found.volume, wanted.volume, 3 * power);
        for (int axis = 0; axis < 3; axis++) {
          require_scaled(found.force[axis], wanted.force[axis], dimension * power + stiff);
          require_scaled(found.torque[axis], wanted.torque[axis], (dimension + 1) * power + stiff);
        }
      }
    }
}

/* Tiny solids push each other beside two that are not tiny. */
TEST(test_sizes_of_one_scene) {
  uint64_t seed = 12;
  for (int kind = 0; kind < KINDS; kind++) {
    solids objects[OBJECTS], large[OBJECTS];
    for (int i = 0; i < OBJECTS; i++) make_solids(kind, &seed, &objects[i]);
    for (int i = 0; i < OBJECTS; i++) make_solids(SPHERES, &seed, &large[i]);
    for (int i = 0; i < OBJECTS; i++)
      for (int j = 0; j < SOLIDS; j++) large[i].positions[3 * j] += 8.0; /* apart from the origin */
    const graze_wrench wanted = wrench_of(kind, objects, 0, GRAZE_FORCE_VOLUME, GRAZE_TEST_SAT, 1.0);
    OWNED_SCENE *scene = create_scene(NULL);
    for (int i = 0; i < OBJECTS; i++) add_solids(scene, kind, &objects[i], -400);
    for (int i = 0; i < OBJECTS; i++) add_solids(scene, SPHERES, &large[i], 0);
    const graze_wrench found = find_wrench(scene, GRAZE_FORCE_VOLUME, GRAZE_TEST_SAT, 1.0);
    require_centroid(found.centroid, wanted.centroid, -400);
  }
}

/* Against rational numbers, at the size where they are in range. */
TEST(test_centroid_is_exact) {
  uint64_t seed = 13;
  for (int round = 0; round < 20; round++) {
    solids objects[OBJECTS];
    double volume = 0.0, moment[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < OBJECTS; i++) make_solids(TETRAHEDRA, &seed, &objects[i]);
    for (int i = 0; i < SOLIDS * SOLIDS; i++) {
      const double *p = objects[0].positions + 12 * (i / SOLIDS), *q = objects[1].positions + 12 * (i % SOLIDS);
      double part[3];
      const double shared = rational_volume(p, q, part);
      volume += shared;
      for (int axis = 0; axis < 3; axis++) moment[axis] += part[axis] + shared * q[axis];
    }
    if (volume < 1e-2) continue;
    const double centroid[3] = {moment[0] / volume, moment[1] / volume, moment[2] / volume};
    for (int i = 0; i < SIZES; i++) {
      const graze_wrench found = wrench_of(TETRAHEDRA, objects, powers[i], GRAZE_FORCE_VOLUME, GRAZE_TEST_SAT, 1.0);
      require_centroid(found.centroid, centroid, powers[i]);
    }
  }
}
