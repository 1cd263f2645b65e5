/* Makes sets of spheres and poses; see sphere_sets.h. */
#include "sphere_sets.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *sphere_set_name(sphere_set set) {
  static const char *const names[] = {"packing",   "overlapping", "tiny to big", "points",
                                      "one place", "line",        "one",         "five"};
  return names[set];
}

static void fill_sphere(sphere_set set, size_t i, random_stream *random, double center[3], double *radius) {
  const double unit = random_unit(random);
  for (int axis = 0; axis < 3; axis++) center[axis] = 2.0 * random_unit(random) - 1.0;
  *radius = 0.02 + 0.2 * unit * unit;
  switch (set) {
  case SET_TINY_TO_BIG:
    *radius = i % 7 == 0 ? 0.0 : 0.4 * pow(10.0, -12.0 * unit);
    break;
  case SET_POINTS:
    for (int axis = 0; axis < 3; axis++) center[axis] = 0.25 * floor(4.0 * center[axis]);
    *radius = 0.0;
    break;
  case SET_ONE_PLACE:
    for (int axis = 0; axis < 3; axis++) center[axis] = 0.25;
    break;
  case SET_LINE:
    for (int axis = 0; axis < 3; axis++) center[axis] = axis == 1 ? 0.0 : pow(0.5, (double)(i % 60)) - 0.3;
    *radius = 0.1 * pow(0.5, (double)(i % 60));
    break;
  default:
    break;
  }
}

sphere_packing sphere_set_make(sphere_set set, size_t count, uint64_t seed) {
  sphere_packing made;
  if (set == SET_PACKING) {
    assert_true(sphere_packing_make((packed_body)(seed % PACKED_BODIES), count, seed, &made));
    return made;
  }
  random_stream random = random_stream_make(seed, (uint64_t)set);
  made.count = set == SET_ONE ? 1 : set == SET_FIVE ? 5 : count;
  made.centers = malloc(made.count * sizeof *made.centers);
  made.radii = malloc(made.count * sizeof *made.radii);
  assert_true(made.centers != NULL && made.radii != NULL);
  for (size_t i = 0; i < made.count; i++) fill_sphere(set, i, &random, made.centers[i], &made.radii[i]);
  return made;
}

graze_sphere_tree_def sphere_set_def(const sphere_packing *spheres, graze_sphere_builder builder, uint32_t workers) {
  graze_sphere_tree_def def = graze_sphere_tree_def_default();
  def.centers = (graze_view){spheres->centers, spheres->count, 0, GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){spheres->radii, spheres->count, 0, GRAZE_FORMAT_DOUBLE};
  def.builder = builder;
  def.worker_count = workers;
  return def;
}

graze_sphere_tree *sphere_set_tree(const sphere_packing *spheres, graze_sphere_builder builder, uint32_t workers) {
  graze_sphere_tree *tree = NULL;
  const graze_sphere_tree_def def = sphere_set_def(spheres, builder, workers);
  assert_ok(graze_sphere_tree_create(&def, &tree));
  return tree;
}

/* A rotation from a unit quaternion. */
static void random_rotation(random_stream *random, double r[9]) {
  double q[4], square = 0.0;
  do {
    square = 0.0;
    for (int i = 0; i < 4; i++) {
      q[i] = 2.0 * random_unit(random) - 1.0;
      square += q[i] * q[i];
    }
  } while (square > 1.0 || square < 0.01);
  const double s = 2.0 / square, w = q[0], x = q[1], y = q[2], z = q[3];
  const double rotation[9] = {1.0 - s * (y * y + z * z), s * (x * y - w * z),       s * (x * z + w * y),
                              s * (x * y + w * z),       1.0 - s * (x * x + z * z), s * (y * z - w * x),
                              s * (x * z - w * y),       s * (y * z + w * x),       1.0 - s * (x * x + y * y)};
  memcpy(r, rotation, sizeof rotation);
}

graze_pose random_pose(random_stream *random, double far) {
  graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  const uint64_t dice = random_bits(random);
  if (dice % 11 == 0) return pose;
  random_rotation(random, pose.rotation);
  for (int i = 0; i < 9 && dice % 4 == 0; i++)
    pose.rotation[i] *= 1.0 + (dice % 8 == 0 ? 4.9e-7 : -4.9e-7) * (i % 3 == 0 ? 1.0 : random_unit(random));
  for (int axis = 0; axis < 3; axis++) pose.translation[axis] = far * (2.0 * random_unit(random) - 1.0) / 1.7320509;
  return pose;
}
