/* Measures two cubes that do not touch: pairs within a clearance, their distances, and the least distances of objects.
 * docs/guide/nearness.md and docs/guide/distance.md show parts of this program. */
#include <graze/batch.h>
#include <graze/distances.h>
#include <graze/graze.h>
#include <graze/nearest.h>

#include <stdio.h>
#include <stdlib.h>

/* A cube from 0 to 1: bit i of a corner's number is its coordinate along axis i. */
static const double cube_corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                          {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const uint32_t cube_triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                               {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "graze: %s\n", graze_error_text());
  exit(2);
}

static graze_object add_cube(graze_scene *scene, double x) {
  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions = (graze_view){cube_corners, 8, 0, GRAZE_FORMAT_DOUBLE3};
  mesh.triangles = (graze_view){cube_triangles, 12, 0, GRAZE_FORMAT_UINT32_3};
  graze_object object;
  expect_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh, NULL, &object));
  const graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {x, 0, 0}};
  expect_ok(graze_object_set_pose(scene, object, &pose));
  return object;
}

static void show_pairs_within_a_clearance(graze_scene *scene) {
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  query.clearance = 0.5; /* in units of the positions */
  graze_pairs pairs = {0};
  expect_ok(graze_scene_find_pairs(scene, &query, &pairs));
  printf("%zu pairs within 0.5\n", pairs.count);

  graze_distances distances = {0};
  expect_ok(graze_scene_make_distances(scene, pairs.pairs, pairs.count, &distances));
  const graze_distance *least = &distances.distances[distances.nearest];
  printf("%g from x = %g to x = %g\n", least->distance, least->point_a[0], least->point_b[0]);
  graze_distances_free(&distances);
  graze_pairs_free(&pairs);
}

static void show_nearest_objects(graze_scene *scene) {
  graze_nearest_list found = {0};
  graze_nearest_options options = graze_nearest_options_default();
  options.scope = GRAZE_NEAREST_EACH_OBJECT;
  expect_ok(graze_scene_find_nearest(scene, &options, &found));
  for (size_t i = 0; i < found.count; i++)
    printf("object %u: %g from the nearest other object\n", found.nearests[i].object, found.nearests[i].distance);
  graze_nearest_list_free(&found);
}

/* Shifts the second cube along x, without changing the scene. */
static void show_poses(graze_scene *scene, graze_object obstacle, graze_object moving) {
  graze_pose poses[3];
  for (int i = 0; i < 3; i++) poses[i] = (graze_pose){{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1.0 + 0.25 * i, 0, 0}};
  graze_nearest rows[3];
  const graze_id_pair pair = {obstacle, moving};
  graze_batch_def batch = graze_batch_def_default();
  batch.moving = &moving;
  batch.moving_count = 1;
  batch.poses = poses;
  batch.pose_count = 3;
  batch.pairs = &pair;
  batch.pair_count = 1;
  batch.max_distance = 0.375;
  batch.nearest_out = rows;
  expect_ok(graze_scene_run_batch(scene, &batch));
  for (int i = 0; i < 3; i++) printf("pose %d: %g\n", i, rows[i].distance);
}

int main(void) {
  const graze_scene_def scene_def = graze_scene_def_default();
  graze_scene *scene;
  expect_ok(graze_scene_create(&scene_def, &scene));
  const graze_object first = add_cube(scene, 0.0);
  const graze_object second = add_cube(scene, 1.25);
  expect_ok(graze_scene_update(scene));
  show_pairs_within_a_clearance(scene);
  show_nearest_objects(scene);
  show_poses(scene, first, second);
  graze_scene_destroy(scene);
  return 0;
}
