/* Tests an arm of three links beside a crate in four configurations. docs/guide/configurations.md shows parts of this
 * program. */
#include <graze/batch.h>
#include <graze/graze.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINKS = 3, CONFIGURATIONS = 4 };

static const uint32_t box_triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                              {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "graze: %s\n", graze_error_text());
  exit(2);
}

static graze_object add_box(graze_scene *scene, const char *name, const double low[3], const double high[3]) {
  double corners[8][3];
  for (int i = 0; i < 8; i++)
    for (int axis = 0; axis < 3; axis++) corners[i][axis] = (i >> axis & 1) != 0 ? high[axis] : low[axis];
  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions = (graze_view){corners, 8, 0, GRAZE_FORMAT_DOUBLE3};
  mesh.triangles = (graze_view){box_triangles, 12, 0, GRAZE_FORMAT_UINT32_3};
  mesh.name = name;
  graze_object object;
  expect_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh, NULL, &object));
  return object;
}

/* Each joint rotates about the vertical axis; each link is one unit long, along its own x axis. */
static void pose_arm(const double angles[LINKS], graze_pose poses_out[LINKS]) {
  double angle = 0.0, joint[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < LINKS; i++) {
    angle += angles[i];
    const double quaternion[4] = {cos(angle / 2.0), 0.0, 0.0, sin(angle / 2.0)}; /* w, x, y, z */
    poses_out[i] = graze_pose_from_quaternion(quaternion, joint);
    joint[0] += cos(angle);
    joint[1] += sin(angle);
  }
}

int main(void) {
  graze_scene *scene;
  expect_ok(graze_scene_create(NULL, &scene));
  graze_method_def method = graze_method_def_default();
  method.name = "tree";
  expect_ok(graze_scene_set_method(scene, &method));
  static const double link_low[3] = {0.0, -0.1, -0.1}, link_high[3] = {1.0, 0.1, 0.1};
  static const double crate_low[3] = {1.5, 1.0, -0.5}, crate_high[3] = {2.5, 2.0, 0.5};
  static const char *const names[LINKS] = {"upper arm", "forearm", "hand"};
  (void)add_box(scene, "crate", crate_low, crate_high);
  graze_object links[LINKS];
  for (int i = 0; i < LINKS; i++) links[i] = add_box(scene, names[i], link_low, link_high);
  /* Neighboring links always touch at their joint. */
  for (int i = 0; i + 1 < LINKS; i++) expect_ok(graze_scene_exclude(scene, links[i], links[i + 1], true));
  expect_ok(graze_scene_update(scene));

  static const double angles[CONFIGURATIONS][LINKS] = {{0, 0, 0}, {0.8, 0, 0}, {0, 1.2, 0}, {0, 2.3, 2.3}};
  graze_pose poses[CONFIGURATIONS * LINKS];
  for (int i = 0; i < CONFIGURATIONS; i++) pose_arm(angles[i], poses + LINKS * i);
  uint8_t collides[CONFIGURATIONS];
  graze_batch_def batch = graze_batch_def_default();
  batch.moving = links;
  batch.moving_count = LINKS;
  batch.poses = poses;
  batch.pose_count = LINKS * CONFIGURATIONS;
  batch.hits_out = collides;
  expect_ok(graze_scene_run_batch(scene, &batch));
  for (int i = 0; i < CONFIGURATIONS; i++) printf("configuration %d: %s\n", i, collides[i] != 0 ? "collides" : "free");

  graze_id_pair pairs[LINKS * (LINKS + 1)];
  size_t count;
  expect_ok(graze_scene_list_batch_pairs(scene, links, LINKS, pairs, LINKS * (LINKS + 1), &count));
  uint8_t touches[CONFIGURATIONS * LINKS * (LINKS + 1)];
  batch.each_pair = true;
  batch.hits_out = touches;
  expect_ok(graze_scene_run_batch(scene, &batch));
  for (size_t i = 0; i < CONFIGURATIONS * count; i++) {
    const graze_id_pair pair = pairs[i % count];
    if (touches[i] != 0) printf("configuration %zu: objects %u and %u touch\n", i / count, pair.a.index, pair.b.index);
  }

  poses[4].rotation[0] = 2.0;
  if (graze_scene_run_batch(scene, &batch) != GRAZE_OK) printf("%s\n", graze_error_text());
  graze_scene_destroy(scene);
  return 0;
}
