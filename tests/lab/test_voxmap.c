/* Tests voxmap and pointshell, and runs of both ways: layers are depths, a shell on a plane is pushed by its depth, the
 * density of points is uniform, and all numbers of a run are finite. */
#include "lab/voxmap.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static void assert_near(double value, double wanted, double tolerance) {
  if (!(fabs(value - wanted) <= tolerance)) fail_msg("%.9g is not %.9g within %g", value, wanted, tolerance);
}

static void center_at(const voxmap *map, size_t index, double center_out[3]) {
  const size_t at[3] = {index % map->count[0], index / map->count[0] % map->count[1],
                        index / map->count[0] / map->count[1]};
  for (int k = 0; k < 3; k++) center_out[k] = map->origin[k] + ((double)at[k] + 0.5) * map->side;
}

static double length_of(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The facets of the mesh are within 0.0022 of the sphere, a thirtieth of a voxel; under sanitizers voxels are twice as
 * large, facets by half. */
TEST(layers_of_a_sphere_are_depths) {
  OWNED(mesh) body;
  voxmap map;
  const uint32_t coarser = test_scale() < 1.0 ? 2 : 1, cells = 32 / coarser, volume = coarser * coarser * coarser;
  assert_true(quality_sphere_make(1.0, coarser > 1 ? 64 : 96, &body));
  assert_true(voxmap_make(&body, cells + 1, 2.0, &map));
  assert_near(map.side, 2.0 / cells, 1e-12);
  size_t counted[2] = {0, 0};
  for (size_t i = 0; i < map.count[0] * map.count[1] * map.count[2]; i++) {
    double center[3];
    center_at(&map, i, center);
    const double depth = (1.0 - length_of(center)) / map.side;
    assert_int_equal(voxmap_layer(&map, center), map.layers[i]);
    if (depth < -0.55) assert_int_equal(map.layers[i], -1);
    if (depth > -0.45) assert_near(map.layers[i], depth, 0.55);
    counted[map.layers[i] >= 0]++;
  }
  assert_true(counted[0] > 1000 / volume && counted[1] > 10000 / volume);
  const double beyond[3] = {2.0, 0.0, 0.0}, middle[3] = {0.0, 0.0, 0.0};
  assert_int_equal(voxmap_layer(&map, beyond), -1);
  assert_int_equal(voxmap_layer(&map, middle), cells / 2);
  voxmap_free(&map);
  assert_true(voxmap_make(&body, cells + 1, 0.25, &map)); /* 4 layers or 2, and one for the rest */
  assert_int_equal(voxmap_layer(&map, middle), cells / 8 + 1);
  voxmap_free(&map);
}

/* Its distances to walls are plain, and a hole is outside: rows along x pass in and out twice. */
TEST(holes_are_outside) {
  OWNED(mesh) body;
  OWNED(voxmap) map;
  assert_true(quality_holes_make(1.0, 0.5, 48, &body));
  assert_true(voxmap_make(&body, 81, 1.0, &map));
  const double square[3] = {-0.5, 0.1, 0.2}, round[3] = {0.5, 0.05, -0.3}, between[3] = {0.001, 0.001, 0.001};
  assert_int_equal(voxmap_layer(&map, square), -1);
  assert_int_equal(voxmap_layer(&map, round), -1);
  assert_int_equal(voxmap_layer(&map, between), 10);
  for (size_t i = 0; i < map.count[0] * map.count[1] * map.count[2]; i++) {
    double p[3];
    center_at(&map, i, p);
    if (p[0] > -0.01) continue;
    const double out = fmin(fmin(0.5 - fabs(p[1]), 0.5 - fabs(p[2])), p[0] + 1.0);
    const double x = fabs(p[0] + 0.5) - 0.25, y = fabs(p[1]) - 0.25;
    const double hole = fmax(x, y) > 0.0 ? hypot(fmax(x, 0.0), fmax(y, 0.0)) : fmax(x, y);
    const double depth = fmin(out, hole) / map.side;
    if (depth > -0.4 && depth < 4.0) assert_near(map.layers[i], depth, 0.51);
    if (hole < -0.6 * map.side) assert_int_equal(map.layers[i], -1);
  }
}

/* Each point below pushes up by the depth, wherever in its voxel it lies. Points of the sides push sideways by up to
 * half a voxel as soon as they are in the layer of the surface, which reaches half a side, 0.05, above it. */
TEST(a_plane_pushes_by_depth) {
  const double block[3] = {2.0, 2.0, 1.0}, half[3] = {0.3, 0.4, 0.2};
  OWNED(mesh) still, moving;
  OWNED(voxmap) map;
  OWNED(pointshell) shell;
  assert_true(quality_box_make(block, &still) && quality_box_make(half, &moving));
  assert_true(voxmap_make(&still, 41, 1.0, &map) && pointshell_make(&moving, 2000, &shell));
  assert_int_equal(shell.count, 2000);
  size_t below = 0;
  for (size_t i = 0; i < shell.count; i++) {
    below += shell.normals[i][2] > 0.5;
    assert_near(length_of(shell.normals[i]), 1.0, 1e-12);
  }
  assert_near((double)below, 2000 * 0.48 / (2 * 0.48 + 2 * 0.24 + 2 * 0.32), 1.0); /* as the areas are */
  for (int i = 0; i < 20; i++) {
    const double depth = 0.013 * i - 0.06;
    quality_pose pose = {.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .translation = {0.11, 0.07, 1.2 - depth}};
    quality_sample sample;
    voxmap_push(&map, &shell, &pose, &sample);
    assert_near(sample.wrench.force[2], depth > 0.0 ? (double)below * depth : 0.0, 1e-9 * (double)below);
    assert_near(sample.penalty, 0.0, fmax(depth, 0.0) + 0.3);
    if (depth < -0.051) assert_near(length_of(sample.wrench.torque), 0.0, 0.0);
  }
}

/* A shell turned with its pose pushes by turned normals: upside down, the other face is below. */
TEST(poses_turn_the_shell) {
  const double block[3] = {2.0, 2.0, 1.0}, half[3] = {0.3, 0.4, 0.2};
  OWNED(mesh) still, moving;
  OWNED(voxmap) map;
  OWNED(pointshell) shell;
  assert_true(quality_box_make(block, &still) && quality_box_make(half, &moving));
  assert_true(voxmap_make(&still, 41, 1.0, &map) && pointshell_make(&moving, 2000, &shell));
  const quality_pose turned = {.rotation = {1, 0, 0, 0, 0, -1, 0, 1, 0}, .translation = {1.85, 0.0, 1.37}};
  quality_sample sample;
  voxmap_push(&map, &shell, &turned, &sample); /* it hangs over the edge by half, so it is turned towards x */
  assert_true(sample.wrench.force[2] > 0.0);
  assert_true(sample.wrench.torque[1] > 0.0);
  assert_near(sample.wrench.force[1], 0.0, 0.2 * sample.wrench.force[2]);
}

enum { STEPS = 12 };

static void check_samples(const quality_sample *samples) {
  for (size_t i = 0; i < STEPS; i++) {
    for (int k = 0; k < 3; k++)
      assert_true(isfinite(samples[i].wrench.force[k]) && isfinite(samples[i].wrench.torque[k]));
    assert_true(samples[i].penalty >= 0.0 && isfinite(samples[i].penalty) && samples[i].time_ms >= 0.0);
  }
}

/* The ball of II is made coarser: all triangles of a ball are equally near to its middle, which takes the packer long.
 */
static bool make_bodies(const quality_scenario *scenario, mesh *still_out, mesh *moving_out) {
  if (!scenario->make_still(still_out)) return false;
  const bool ball = scenario == &quality_scenarios[2];
  return ball ? quality_sphere_make(1.0, 16, moving_out) : scenario->make_moving(moving_out);
}

/* With few spheres under sanitizers. */
TEST(runs_are_finite) {
  const size_t counts[2] = {test_scale() < 1.0 ? 12 : 40, test_scale() < 1.0 ? 8 : 20};
  quality_sample samples[STEPS];
  char error[512];
  for (size_t s = 0; s < QUALITY_SCENARIOS; s++) {
    const quality_scenario *const scenario = &quality_scenarios[s];
    OWNED(mesh) still, moving;
    graze_packing packings[2];
    voxmap map;
    pointshell shell;
    assert_true(make_bodies(scenario, &still, &moving));
    assert_true(quality_pack(&still, counts[0], 0, &packings[0], error, sizeof error));
    assert_true(quality_pack(&moving, counts[1], 0, &packings[1], error, sizeof error));
    for (int force = 0; force < 2; force++) {
      const quality_spheres spheres = {&packings[0], &packings[1], 40, 1000, (graze_force)force};
      assert_true(quality_spheres_run(scenario, &spheres, STEPS, samples, error, sizeof error));
      check_samples(samples);
    }
    const quality_spheres none = {&packings[0], &packings[1], 0, 20, GRAZE_FORCE_VOLUME};
    assert_true(quality_spheres_run(scenario, &none, STEPS, samples, error, sizeof error));
    assert_near(length_of(samples[3].wrench.force), 0.0, 0.0);
    assert_true(voxmap_make(&still, 40, scenario->deepest, &map) && pointshell_make(&moving, 500, &shell));
    voxmap_run(scenario, &map, &shell, STEPS, samples);
    check_samples(samples);
    pointshell_free(&shell);
    voxmap_free(&map);
    graze_packing_free(&packings[0]);
    graze_packing_free(&packings[1]);
  }
}

/* The moving body is pushed out: upward in I, outward in II, back in III. */
TEST(packings_push_the_right_way) {
  quality_sample samples[STEPS];
  char error[512];
  static const size_t numbers[] = {2, 3};
  const size_t counts[2] = {test_scale() < 1.0 ? 100 : 300, test_scale() < 1.0 ? 40 : 100};
  for (size_t s = 0; s < 2; s++) {
    const quality_scenario *const scenario = &quality_scenarios[numbers[s]];
    OWNED(mesh) still, moving;
    graze_packing packings[2];
    assert_true(make_bodies(scenario, &still, &moving));
    assert_true(quality_pack(&still, counts[0], 0, &packings[0], error, sizeof error));
    assert_true(quality_pack(&moving, counts[1], 0, &packings[1], error, sizeof error));
    const quality_spheres spheres = {&packings[0], &packings[1], 300, 100, GRAZE_FORCE_GRADIENT};
    assert_true(quality_spheres_run(scenario, &spheres, STEPS, samples, error, sizeof error));
    for (size_t i = STEPS / 2; i < STEPS; i++) {
      quality_wrench ideal;
      scenario->ideal(QUALITY_VOLUME, quality_part(scenario, i, STEPS), &ideal);
      double along = 0.0;
      for (int k = 0; k < 3; k++)
        along += ideal.force[k] * samples[i].wrench.force[k] + ideal.torque[k] * samples[i].wrench.torque[k];
      assert_true(along > 0.0);
    }
    graze_packing_free(&packings[0]);
    graze_packing_free(&packings[1]);
  }
}
