/* Compares the distance of two sphere trees with all pairs of spheres, and tests its witnesses and the bounds of a
 * budget. */
#include "sphere_sets.h"
#include "testing.h"

#include "geometry/pose.h"
#include "geometry/sphere_gap.h"
#include "test_scale.h"

#include <stdlib.h>
#include <string.h>

enum { SPHERES = 120, POSES = 30 };

typedef struct all_pairs {
  double distance;
  uint32_t sphere_a, sphere_b; /* the first of the nearest */
} all_pairs;

static void place(const sphere_packing *set, size_t i, const graze_pose *pose, double out[3]) {
  rigid_pose rigid;
  memcpy(rigid.rotation, pose->rotation, sizeof rigid.rotation);
  memcpy(rigid.translation, pose->translation, sizeof rigid.translation);
  pose_position(&rigid, set->centers[i], out);
}

static all_pairs try_all(const sphere_packing *a, const graze_pose *pose_a, const sphere_packing *b,
                         const graze_pose *pose_b) {
  all_pairs best = {DBL_MAX, 0, 0};
  for (size_t i = 0; i < a->count; i++)
    for (size_t j = 0; j < b->count; j++) {
      double p[3], q[3];
      sphere_gap gap;
      place(a, i, pose_a, p);
      place(b, j, pose_b, q);
      sphere_pair_gap(p, a->radii[i], q, b->radii[j], &gap);
      if (gap.distance < best.distance) best = (all_pairs){gap.distance, (uint32_t)i, (uint32_t)j};
    }
  return best;
}

/* Checks the witnesses in long double: they are on the spheres, and have the reported distance. */
static void require_witnesses(const sphere_packing *a, const graze_pose *pose_a, const sphere_packing *b,
                              const graze_pose *pose_b, const graze_sphere_distance *found) {
  double p[3], q[3];
  long double apart = 0.0L, from_a = 0.0L, from_b = 0.0L, size = 1.0L;
  place(a, found->sphere_a, pose_a, p);
  place(b, found->sphere_b, pose_b, q);
  for (int axis = 0; axis < 3; axis++) {
    const long double way = (long double)found->witness_a[axis] - found->witness_b[axis];
    const long double way_a = (long double)found->witness_a[axis] - p[axis];
    const long double way_b = (long double)found->witness_b[axis] - q[axis];
    apart += way * way;
    from_a += way_a * way_a;
    from_b += way_b * way_b;
    size += fabsl(p[axis]) + fabsl(q[axis]);
  }
  assert_true(fabsl(sqrtl(apart) - found->distance) <= 1e-14L * size);
  assert_true(sqrtl(from_a) <= a->radii[found->sphere_a] + 1e-14L * size);
  assert_true(sqrtl(from_b) <= b->radii[found->sphere_b] + 1e-14L * size);
}

static void require_bounds(const graze_sphere_tree *a, const graze_pose *pose_a, const graze_sphere_tree *b,
                           const graze_pose *pose_b, double distance) {
  graze_sphere_options options = graze_sphere_options_default();
  graze_sphere_distance some = {.struct_bytes = sizeof some};
  for (options.budget = 1; some.complete == 0; options.budget += 1 + options.budget / 4) {
    assert_ok(graze_sphere_trees_distance(a, pose_a, b, pose_b, &options, &some));
    assert_true(some.node_pairs <= options.budget);
    assert_true(some.lower <= distance && distance <= some.upper && some.upper == some.distance);
  }
  assert_true(some.distance == distance && some.lower == distance);
}

static void compare(const sphere_packing *a, const sphere_packing *b, uint64_t seed) {
  graze_sphere_tree *tree_a = sphere_set_tree(a, (graze_sphere_builder)(seed % 3), 1);
  graze_sphere_tree *tree_b = sphere_set_tree(b, (graze_sphere_builder)(seed / 3 % 3), 2);
  random_stream random = random_stream_make(seed, 8);
  for (size_t i = 0; i < test_scaled(POSES, 6); i++) {
    const double far = i % 3 == 0 ? 1.0 : i % 3 == 1 ? 4.0 : 1e4;
    const graze_pose pose_a = random_pose(&random, far), pose_b = random_pose(&random, far);
    graze_sphere_distance found = {.struct_bytes = sizeof found};
    assert_ok(graze_sphere_trees_distance(tree_a, &pose_a, tree_b, &pose_b, NULL, &found));
    const all_pairs best = try_all(a, &pose_a, b, &pose_b);
    assert_true(found.distance == best.distance && found.complete == 1);
    assert_true(found.lower == best.distance && found.upper == best.distance);
    if (best.distance > 0.0) assert_true(found.sphere_a == best.sphere_a && found.sphere_b == best.sphere_b);
    require_witnesses(a, &pose_a, b, &pose_b, &found);
    require_bounds(tree_a, &pose_a, tree_b, &pose_b, best.distance);
  }
  graze_sphere_tree_destroy(tree_a);
  graze_sphere_tree_destroy(tree_b);
}

TEST(same_as_all_pairs) {
  uint64_t seed = 0;
  for (int a = 0; a < SPHERE_SETS; a++)
    for (int b = 0; b < SPHERE_SETS; b++) {
      OWNED(sphere_packing) set_a = sphere_set_make((sphere_set)a, SPHERES, ++seed);
      OWNED(sphere_packing) set_b = sphere_set_make((sphere_set)b, SPHERES, seed + 1000);
      compare(&set_a, &set_b, seed);
    }
}

/* One bit apart is apart, touching is not. */
TEST(touching_is_zero) {
  double centers[3] = {0.0, 0.0, 0.0}, radius = 1.0;
  sphere_packing one = {(double(*)[3])centers, &radius, 1};
  OWNED(graze_sphere_tree) *tree = sphere_set_tree(&one, GRAZE_SPHERE_BUILDER_NEURAL_GAS, 1);
  graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {2.0, 0.0, 0.0}};
  graze_sphere_distance found = {.struct_bytes = sizeof found};
  assert_ok(graze_sphere_trees_distance(tree, NULL, tree, &pose, NULL, &found));
  assert_true(found.distance == 0.0 && found.witness_a[0] == 1.0 && found.witness_b[0] == 1.0);
  pose.translation[0] = 2.0 + 0x1p-51;
  assert_ok(graze_sphere_trees_distance(tree, NULL, tree, &pose, NULL, &found));
  assert_true(found.distance == 0x1p-51);
  pose.translation[1] = 0x1p-500;
  pose.translation[0] = 2.0;
  assert_ok(graze_sphere_trees_distance(tree, NULL, tree, &pose, NULL, &found));
  assert_true(found.distance > 0.0 && found.distance < 1e-300);
}
