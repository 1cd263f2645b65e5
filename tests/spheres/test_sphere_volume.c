/* Compares the shared volume of two sphere trees bit by bit with that of a scene of the same spheres, and tests the
 * bounds of budgets. The builder, the pose and the number of workers do not change it, and bounds are valid wherever a
 * budget ends. */
#include "posed_object.h"
#include "scene_calls.h"
#include "sphere_sets.h"
#include "testing.h"

#include "test_scale.h"

#include <stdlib.h>
#include <string.h>

enum { POSES = 60, SPHERES = 300, WORKERS = 4 };

typedef struct set_pair {
  sphere_packing a, b;
  graze_sphere_tree *tree_a, *tree_b;
  graze_scene *scene;
  graze_object object_a, object_b;
} set_pair;

static graze_object add_object(graze_scene *scene, const sphere_packing *spheres) {
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  graze_object object;
  def.positions = (graze_view){spheres->centers, spheres->count, 0, GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){spheres->radii, spheres->count, 0, GRAZE_FORMAT_DOUBLE};
  placed.self = false;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, &placed, &object));
  return object;
}

/* Trees and a scene for two sets of spheres. */
static void finish_pair(set_pair *pair, uint64_t seed) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1;
  pair->tree_a = sphere_set_tree(&pair->a, (graze_sphere_builder)(seed % 3), 1 + (uint32_t)(seed % WORKERS));
  pair->tree_b = sphere_set_tree(&pair->b, (graze_sphere_builder)(seed / 3 % 3), 1 + (uint32_t)(seed / 2 % WORKERS));
  assert_ok(graze_scene_create(&def, &pair->scene));
  pair->object_a = add_object(pair->scene, &pair->a);
  pair->object_b = add_object(pair->scene, &pair->b);
}

static set_pair make_pair(sphere_set set_a, sphere_set set_b, size_t count, uint64_t seed) {
  set_pair pair = {.a = sphere_set_make(set_a, count, seed), .b = sphere_set_make(set_b, count, seed + 1)};
  finish_pair(&pair, seed);
  return pair;
}

static void free_pair(set_pair *pair) {
  graze_sphere_tree_destroy(pair->tree_a);
  graze_sphere_tree_destroy(pair->tree_b);
  graze_scene_destroy(pair->scene);
  sphere_packing_free(&pair->a);
  sphere_packing_free(&pair->b);
}

/* The wrench of the scene's own pairs; zero where there are none. */
static graze_wrench scene_wrench(const set_pair *pair, const graze_pose *pose_a, const graze_pose *pose_b,
                                 const graze_sphere_options *options) {
  graze_wrench wrench = {0};
  graze_contact_options wrench_options = graze_contact_options_default();
  wrench_options.stiffness = options->stiffness;
  wrench_options.force = options->force;
  memcpy(wrench_options.about, options->about, sizeof options->about);
  assert_ok(pose_object(pair->scene, pair->object_a, pose_a->rotation, pose_a->translation));
  assert_ok(pose_object(pair->scene, pair->object_b, pose_b->rotation, pose_b->translation));
  assert_ok(graze_scene_update(pair->scene));
  OWNED(graze_pairs) pairs = find_pairs(pair->scene, NULL);
  OWNED(graze_wrenches) wrenches = make_wrenches(pair->scene, pairs.pairs, pairs.count, &wrench_options);
  if (wrenches.count > 0) wrench = wrenches.wrenches[0];
  return wrench;
}

static graze_sphere_volume tree_volume(const set_pair *pair, const graze_pose *pose_a, const graze_pose *pose_b,
                                       const graze_sphere_options *options) {
  graze_sphere_volume volume = {.struct_bytes = sizeof volume};
  assert_ok(graze_sphere_trees_volume(pair->tree_a, pose_a, pair->tree_b, pose_b, options, &volume));
  return volume;
}

static void require_same(const graze_sphere_volume *volume, const graze_wrench *wrench) {
  assert_int_equal(volume->pair_count, wrench->pair_count);
  assert_true(volume->volume == wrench->volume);
  for (int axis = 0; axis < 3; axis++) {
    assert_true(volume->centroid[axis] == wrench->centroid[axis]);
    assert_true(volume->force[axis] == wrench->force[axis]);
    assert_true(volume->torque[axis] == wrench->torque[axis]);
  }
}

static graze_sphere_options some_options(random_stream *random) {
  graze_sphere_options options = graze_sphere_options_default();
  options.stiffness = 0.5 + random_unit(random);
  options.force = random_bits(random) % 2 == 0 ? GRAZE_FORCE_VOLUME : GRAZE_FORCE_GRADIENT;
  for (int axis = 0; axis < 3; axis++) options.about[axis] = random_unit(random);
  return options;
}

/* The bounds hold for every budget, close in on the volume, and meet there. */
static void require_bounds(const set_pair *pair, const graze_pose *pose_a, const graze_pose *pose_b) {
  graze_sphere_options options = graze_sphere_options_default();
  const graze_sphere_volume all = tree_volume(pair, pose_a, pose_b, &options);
  bool complete = false;
  for (uint64_t budget = 1; !complete; budget += 1 + budget / 4) {
    options.budget = budget;
    const graze_sphere_volume some = tree_volume(pair, pose_a, pose_b, &options);
    assert_true(some.node_pairs <= budget);
    assert_true(some.lower <= all.volume && all.volume <= some.upper);
    assert_true(some.lower <= some.volume && some.volume <= some.upper && some.pair_count <= all.pair_count);
    complete = some.complete != 0;
    if (!complete) continue;
    assert_true(some.volume == all.volume && some.lower == all.volume && some.upper == all.volume);
    assert_int_equal(some.pair_count, all.pair_count);
    assert_memory_equal(some.torque, all.torque, sizeof all.torque);
  }
}

/* Every ordered pair of sets, in poses near and far. */
TEST(same_as_the_scene) {
  uint64_t met = 0, seed = 0;
  for (int a = 0; a < SPHERE_SETS; a++)
    for (int b = 0; b < SPHERE_SETS; b++) {
      OWNED_BY(free_pair) set_pair pair = make_pair((sphere_set)a, (sphere_set)b, SPHERES, ++seed);
      random_stream random = random_stream_make(seed, 5);
      for (size_t i = 0; i < test_scaled(POSES, 6); i++) {
        const double far = i % 3 == 0 ? 0.5 : i % 3 == 1 ? 2.0 : 1e5;
        graze_pose pose_a = random_pose(&random, i % 5 == 0 ? 1e9 : far), pose_b = random_pose(&random, far);
        for (int axis = 0; axis < 3 && i % 5 == 0; axis++) pose_b.translation[axis] += pose_a.translation[axis];
        const graze_sphere_options options = some_options(&random);
        const graze_wrench wrench = scene_wrench(&pair, &pose_a, &pose_b, &options);
        const graze_sphere_volume volume = tree_volume(&pair, &pose_a, &pose_b, &options);
        require_same(&volume, &wrench);
        assert_true(volume.complete == 1 && volume.lower == volume.volume && volume.upper == volume.volume);
        met += volume.pair_count;
      }
    }
  assert_true(met > 10000);
}

/* Brings b to a: the middles of both sets, which lie at the same place of their frames, come together but for a way. */
static void bring_together(const double middle[3], const graze_pose *pose_a, graze_pose *pose_b, double way,
                           random_stream *random) {
  for (int row = 0; row < 3; row++) {
    double place = pose_a->translation[row];
    for (int i = 0; i < 3; i++) place += (pose_a->rotation[3 * row + i] - pose_b->rotation[3 * row + i]) * middle[i];
    pose_b->translation[row] = place + way * (2.0 * random_unit(random) - 1.0);
  }
}

static void shrink_around(sphere_packing *spheres, double size, const double middle[3]) {
  for (size_t i = 0; i < spheres->count; i++) {
    spheres->radii[i] *= size;
    for (int axis = 0; axis < 3; axis++) spheres->centers[i][axis] = middle[axis] + size * spheres->centers[i][axis];
  }
}

/* Small sets far from the origins of their frames and of the world: what rounding and imperfect rotations move is as
 * large as the spheres. */
TEST(far_from_the_origin) {
  static const struct {
    double size, middle[3], far;
  } rows[] = {{1e-4, {100, -50, 30}, 1.0},
              {1e-6, {0, 0, 0}, 1e9},
              {1e-13, {100, -50, 30}, 1.0},
              {1e-6, {0, 0, 0}, 1e12},
              {1e-5, {3, 2, 1}, 1e4}};
  uint64_t met = 0;
  for (uint64_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
    for (uint64_t seed = 0; seed < test_scaled(12, 3); seed++) {
      set_pair pair = {.a = sphere_set_make(seed % 2 == 0 ? SET_OVERLAPPING : SET_PACKING, 60, seed),
                       .b = sphere_set_make(seed % 3 == 0 ? SET_TINY_TO_BIG : SET_PACKING, 60, seed)};
      random_stream random = random_stream_make(seed, 70 + row);
      shrink_around(&pair.a, rows[row].size, rows[row].middle);
      shrink_around(&pair.b, rows[row].size, rows[row].middle);
      finish_pair(&pair, seed);
      for (int i = 0; i < (test_scale() < 1.0 ? 6 : 20); i++) {
        const graze_pose pose_a = random_pose(&random, rows[row].far);
        graze_pose pose_b = random_pose(&random, 0.0);
        bring_together(rows[row].middle, &pose_a, &pose_b, 1.5 * rows[row].size, &random);
        const graze_sphere_options options = some_options(&random);
        const graze_wrench wrench = scene_wrench(&pair, &pose_a, &pose_b, &options);
        const graze_sphere_volume volume = tree_volume(&pair, &pose_a, &pose_b, &options);
        require_same(&volume, &wrench);
        require_bounds(&pair, &pose_a, &pose_b);
        met += volume.pair_count;
      }
      free_pair(&pair);
    }
  assert_true(met > 100);
}

/* One packing in all builders and numbers of workers, against another: one answer. */
TEST(same_for_all_builders) {
  set_pair pair = make_pair(SET_PACKING, SET_PACKING, 2000, 9);
  random_stream random = random_stream_make(3, 3);
  const graze_pose pose_a = random_pose(&random, 0.3), pose_b = random_pose(&random, 0.3);
  const graze_sphere_options options = graze_sphere_options_default();
  const graze_wrench wrench = scene_wrench(&pair, &pose_a, &pose_b, &options);
  assert_true(wrench.pair_count > 100);
  for (int builder = 0; builder < 3; builder++)
    for (uint32_t workers = 1; workers <= WORKERS; workers++) {
      graze_sphere_tree_destroy(pair.tree_a);
      pair.tree_a = sphere_set_tree(&pair.a, (graze_sphere_builder)builder, workers);
      const graze_sphere_volume volume = tree_volume(&pair, &pose_a, &pose_b, &options);
      require_same(&volume, &wrench);
    }
  free_pair(&pair);
}

TEST(bounds_are_true) {
  uint64_t seed = 100;
  for (int a = 0; a < SPHERE_SETS; a++)
    for (int b = 0; b < SPHERE_SETS; b++) {
      OWNED_BY(free_pair) set_pair pair = make_pair((sphere_set)a, (sphere_set)b, 150, ++seed);
      random_stream random = random_stream_make(seed, 6);
      for (size_t i = 0; i < test_scaled(12, 2); i++) {
        const graze_pose pose_a = random_pose(&random, i % 2 == 0 ? 0.4 : 1.5), pose_b = random_pose(&random, 0.4);
        require_bounds(&pair, &pose_a, &pose_b);
      }
    }
}

/* For packings, the first bound is at most the smaller volume, and a budget of a tenth of the work bounds the volume
 * within a factor. */
TEST(bounds_are_of_use) {
  OWNED_BY(free_pair) set_pair pair = make_pair(SET_PACKING, SET_PACKING, 3000, 9);
  graze_sphere_options options = graze_sphere_options_default();
  const graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.3, 0.1, 0.0}};
  double total = 0.0;
  for (size_t i = 0; i < pair.a.count; i++) total += 4.18879021 * pair.a.radii[i] * pair.a.radii[i] * pair.a.radii[i];
  const graze_sphere_volume all = tree_volume(&pair, NULL, &pose, &options);
  options.budget = 1;
  assert_true(tree_volume(&pair, NULL, &pose, &options).upper <= 1.001 * total);
  options.budget = all.node_pairs / 2;
  const graze_sphere_volume half = tree_volume(&pair, NULL, &pose, &options);
  assert_true(half.complete == 0 && half.lower > 0.5 * all.volume && half.upper < 2.0 * all.volume);
}
