/* Compares common volumes of tetrahedra with exact ones within the stated bound, in all orders of corners and at all
 * scales; and tests volumes that must add up. */
#include <stddef.h>
#include <stdint.h>

#include "geometry/tetrahedron_overlap.h"
#include "measured_tetrahedra.h"
#include "rational_distance.h"
#include "rational_oracle.h"
#include "rational_volume.h"
#include "test_effort.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { COMPARED_PER_KIND = 25, ORDERS_PER_KIND = 10, SCALED_PER_KIND = 100, SUBDIVISIONS = 20 };
#else
enum { COMPARED_PER_KIND = 500, ORDERS_PER_KIND = 60, SCALED_PER_KIND = 2000, SUBDIVISIONS = 300 };
#endif

/* Volume and centroid of the common part, the volume in given units: infinite or zero beyond the range of doubles.
 * Where there is no volume the centroid is some point of the common part when there is one, which is decided exactly,
 * and the origin when there is none. */
static bool tetrahedron_pair_overlap(const double p[12], const double q[12], double *volume_out,
                                     double centroid_out[3]) {
  shared_volume shared = {0.0, {0.0, 0.0, 0.0}, 0};
  const bool has_volume = tetrahedron_pair_volume(p, q, &shared);
  if (!has_volume) (void)tetrahedron_pair_contact(p, q, shared.centroid);
  *volume_out = times_power_of_two(shared.volume, 3 * shared.unit);
  for (int axis = 0; axis < 3; ++axis) centroid_out[axis] = shared.centroid[axis];
  return has_volume;
}

static double extent_from(const double *origin, const double p[12]) {
  double extent = 0.0;
  for (int i = 0; i < 12; ++i) extent = fmax(extent, fabs(p[i] - origin[i % 3]));
  return extent;
}

/* What the bound of the header is a multiple of. The bound is 2^12 of them; what is seen is far below, and held there.
 */
static double error_unit(const double p[12], const double q[12]) {
  const double p_size = extent_from(p, p), q_size = extent_from(q, q);
  const double smaller = fmin(p_size, q_size);
  const double *origin = p_size <= q_size ? p : q;
  const double larger = fmax(extent_from(origin, p), extent_from(origin, q));
  return 0x1p-53 * larger * smaller * smaller;
}

static const double bound = 8.0;

TEST(test_volumes_are_exact) {
  double worst = 0.0, worst_moment = 0.0;
  uint64_t solid = 0, wrong = 0;
  for (int kind = 0; kind < MEASURED_KIND_COUNT; ++kind) {
    pair_generator generator = {8000 + (uint64_t)kind};
    double worst_of_kind = 0.0;
    for (int i = 0; i < COMPARED_PER_KIND; ++i) {
      double p[12], q[12], volume, centroid[3], moment[3];
      measured_pair_generate(&generator, (measured_kind)kind, p, q);
      const bool found = tetrahedron_pair_overlap(p, q, &volume, centroid);
      const double expected = rational_volume(p, q, moment), unit = error_unit(p, q);
      wrong += found != (volume > 0.0) || volume < 0.0 || (found && kind == MEASURED_FLAT);
      solid += expected > 0.0;
      worst_of_kind = fmax(worst_of_kind, fabs(volume - expected) / unit);
      if (!found) continue;
      const double reach = fmax(extent_from(q, p), extent_from(q, q));
      const double coarseness = 0x1p-50 * largest_magnitude(q, 3) * volume;
      for (int axis = 0; axis < 3; ++axis) {
        const double error = fabs((centroid[axis] - q[axis]) * volume - moment[axis]) - coarseness;
        worst_moment = fmax(worst_moment, error / (unit * reach));
      }
    }
    worst = fmax(worst, worst_of_kind);
    print_message("kind %d: largest error of a volume %g\n", kind, worst_of_kind);
  }
  print_message("%d solid; largest error of a volume: %g, of a moment: %g, of a bound of %g\n", (int)solid, worst,
                worst_moment, bound);
  assert_int_equal(wrong, 0);
  assert_true(solid > COMPARED_PER_KIND * (uint64_t)MEASURED_KIND_COUNT / 4);
  assert_true(worst <= bound);
  assert_true(worst_moment <= 2 * bound);
}

TEST(test_order_does_not_matter) {
  double worst = 0.0;
  for (int kind = 0; kind < MEASURED_KIND_COUNT; ++kind) {
    pair_generator generator = {8100 + (uint64_t)kind};
    for (int i = 0; i < ORDERS_PER_KIND; ++i) {
      double p[12], q[12], volume, other, centroid[3], r[12], s[12];
      measured_pair_generate(&generator, (measured_kind)kind, p, q);
      tetrahedron_pair_overlap(p, q, &volume, centroid);
      for (uint32_t order = 0; order < 24 * 24; ++order) {
        corners_reorder(p, order % 24, r);
        corners_reorder(q, order / 24, s);
        tetrahedron_pair_overlap(order % 2 == 0 ? r : s, order % 2 == 0 ? s : r, &other, centroid);
        worst = fmax(worst, fabs(other - volume) / error_unit(r, s));
      }
    }
  }
  print_message("largest difference by another order: %g\n", worst);
  assert_true(worst <= 2 * bound);
}

/* Powers of two change nothing but the exponent. */
TEST(test_scale_does_not_matter) {
  uint64_t changed = 0;
  for (int kind = 0; kind < MEASURED_KIND_COUNT; ++kind) {
    pair_generator generator = {8200 + (uint64_t)kind};
    for (int i = 0; i < SCALED_PER_KIND; ++i) {
      double p[12], q[12], volume, other, centroid[3], other_centroid[3];
      measured_pair_generate(&generator, (measured_kind)kind, p, q);
      const bool found = tetrahedron_pair_overlap(p, q, &volume, centroid);
      const double scale = ldexp(1.0, (int)pair_generator_below(&generator, 400) - 200);
      for (int j = 0; j < 12; ++j) {
        p[j] *= scale;
        q[j] *= scale;
      }
      changed += tetrahedron_pair_overlap(p, q, &other, other_centroid) != found;
      changed += other != volume * scale * scale * scale;
      for (int axis = 0; axis < 3; ++axis) changed += other_centroid[axis] != centroid[axis] * scale;
    }
  }
  assert_int_equal(changed, 0);
}

/* The exact distance of a point to the boundary. */
static double distance_to_faces(const double point[3], const double p[12]) {
  double distance = HUGE_VAL, face[9];
  for (int i = 0; i < 4; ++i) {
    tetrahedron_face_triangle(p, i, face);
    distance = fmin(distance, rational_distance(point, 1, face, 3));
  }
  return distance;
}

/* Tetrahedra that only touch, or of which one is flat, have a common point exactly when the faces say so. */
TEST(test_touching_gives_a_point) {
  rational_oracle *oracle = rational_oracle_create();
  uint64_t wrong = 0, touching = 0;
  static const measured_kind kinds[4] = {MEASURED_LATTICE, MEASURED_FLAT, MEASURED_SHARED_EDGE, MEASURED_SHARED_FACE};
  for (int kind = 0; kind < 4; ++kind) {
    pair_generator generator = {8300 + (uint64_t)kind};
    for (int i = 0; i < COMPARED_PER_KIND; ++i) {
      double p[12], q[12], volume, point[3], p_face[9], q_face[9];
      measured_pair_generate(&generator, kinds[kind], p, q);
      if (tetrahedron_pair_overlap(p, q, &volume, point)) continue;
      bool meets = false;
      for (int j = 0; j < 16 && !meets; ++j) {
        tetrahedron_face_triangle(p, j % 4, p_face);
        tetrahedron_face_triangle(q, j / 4, q_face);
        meets = rational_oracle_intersects(oracle, p_face, q_face);
      }
      if (!meets && kinds[kind] == MEASURED_LATTICE) wrong += largest_magnitude(point, 3) > 0.0;
      if (meets) {
        touching += 1;
        wrong += distance_to_faces(point, p) > 1e-14 * extent_from(p, q);
        wrong += distance_to_faces(point, q) > 1e-14 * extent_from(p, q);
      }
    }
  }
  rational_oracle_destroy(oracle);
  assert_int_equal(wrong, 0);
  assert_true(touching > (uint64_t)COMPARED_PER_KIND / 2);
}

/* A tetrahedron split at its middle into four, each of those again, 64 in the end: the parts' volumes add up. */
TEST(test_parts_add_up) {
  double worst = 0.0;
  for (int kind = 0; kind < MEASURED_FAR_AWAY; ++kind) {
    pair_generator generator = {8400 + (uint64_t)kind};
    for (int i = 0; i < SUBDIVISIONS; ++i) {
      static double parts[64][12], split[64][12];
      double q[12], volume, part, sum = 0.0, centroid[3];
      measured_pair_generate(&generator, (measured_kind)kind, parts[0], q);
      double p[12];
      memcpy(p, parts[0], sizeof p);
      for (int count = 1; count < 64; count *= 4) {
        for (int j = 0; j < 4 * count; ++j) {
          memcpy(split[j], parts[j / 4], sizeof split[j]);
          for (int axis = 0; axis < 3; ++axis) {
            const double *a = parts[j / 4] + axis;
            split[j][3 * (j % 4) + axis] = 0.25 * ((a[0] + a[3]) + (a[6] + a[9]));
          }
        }
        memcpy(parts, split, sizeof parts);
      }
      tetrahedron_pair_overlap(p, q, &volume, centroid);
      for (int j = 0; j < 64; ++j) {
        tetrahedron_pair_overlap(parts[j], q, &part, centroid);
        sum += part;
      }
      const double extent = fmax(extent_from(p, p), extent_from(p, q));
      worst = fmax(worst, fabs(sum - volume) / (0x1p-53 * extent * extent * extent));
    }
  }
  print_message("largest difference of a volume and the sum of its parts: %g\n", worst);
  assert_true(worst <= 65 * bound);
}
