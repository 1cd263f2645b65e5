/* graze_pose_distances: least distances of a mesh and its copy in random poses, one batch on the backend cuda and one
 * on threads.
 *
 *     graze_pose_distances [POSES [THREADS [MESH]]]
 *
 * The mesh fits into a cube of side 2; by default it is a built-in blob of 69,000 triangles. A pose has a random
 * rotation and a position in the cube from -2 to 2 (rigid_poses_scatter). Each rate is the better of two calls. The
 * rows of both backends are compared bit by bit. Without a device, only the threads run. */
#include "bench/bench_scene.h"
#include "bench/rigid_poses.h"
#include "graze/batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 2, BLOB_TRIANGLES = 69000 };

static void *need(void *block) {
  if (block != NULL) return block;
  fprintf(stderr, "graze_pose_distances: out of memory\n");
  exit(2);
}

static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "graze_pose_distances: %s\n", graze_error_text());
  exit(2);
}

static double seconds(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct bodies {
  graze_scene *scene;
  graze_object still, moving;
} bodies;

/* Returns false if the backend is not available. */
static bool open_bodies(const bench_shape *shape, const char *backend, uint32_t threads, bodies *made) {
  graze_backend_def chosen = graze_backend_def_default();
  chosen.name = backend;
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = threads;
  def.backend = &chosen;
  if (graze_scene_create(&def, &made->scene) != GRAZE_OK) return false;
  graze_method_def method = graze_method_def_default();
  method.name = "tree";
  expect_ok(graze_scene_set_method(made->scene, &method));
  graze_mesh_def body = graze_mesh_def_default();
  body.positions = (graze_view){shape->positions, shape->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  body.triangles = (graze_view){shape->triangles, shape->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  expect_ok(graze_scene_add(made->scene, GRAZE_KIND_TRIANGLE, &body, NULL, &made->still));
  expect_ok(graze_scene_add(made->scene, GRAZE_KIND_TRIANGLE, &body, NULL, &made->moving));
  expect_ok(graze_scene_update(made->scene));
  return true;
}

/* Returns poses per second, the best of the rounds. */
static double measure(const bodies *made, const graze_pose *poses, size_t count, graze_nearest *rows) {
  double best = 0.0;
  const graze_id_pair pair = {made->still, made->moving};
  graze_batch_def batch = graze_batch_def_default();
  batch.moving = &made->moving;
  batch.moving_count = 1;
  batch.poses = poses;
  batch.pose_count = count;
  batch.pairs = &pair;
  batch.pair_count = 1;
  batch.nearest_out = rows;
  for (int round = 0; round < ROUNDS; round++) {
    const double begin = seconds();
    expect_ok(graze_scene_run_batch(made->scene, &batch));
    best = fmax(best, (double)count / (seconds() - begin));
  }
  return best;
}

/* Hashes the bits of all rows. */
static uint64_t hash_of(const graze_nearest *rows, size_t count) {
  uint64_t hash = 0;
  for (size_t i = 0; i < count; i++) {
    uint64_t words[sizeof rows[i] / sizeof(uint64_t)];
    memcpy(words, &rows[i], sizeof words);
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) hash = (hash ^ words[k]) * 0x9e3779b97f4a7c15u;
  }
  return hash;
}

static void report(const char *who, double rate, const graze_nearest *rows, size_t count) {
  size_t meeting = 0;
  for (size_t i = 0; i < count; i++) meeting += rows[i].distance == 0.0;
  printf("%s: %.0f poses/s, %zu of %zu meet, hash %016llx\n", who, rate, meeting, count,
         (unsigned long long)hash_of(rows, count));
}

int main(int argument_count, char **arguments) {
  const size_t count = argument_count > 1 ? strtoull(arguments[1], NULL, 10) : 20000;
  const uint32_t threads = argument_count > 2 ? (uint32_t)strtoul(arguments[2], NULL, 10) : 1;
  bench_scene scene;
  char error[512];
  if (count == 0) {
    fprintf(stderr, "usage: graze_pose_distances [POSES [THREADS [MESH]]]\n");
    return 2;
  }
  if (!(argument_count > 3 ? bench_scene_read_file(arguments[3], "mesh", &scene, error, sizeof error)
                           : bench_scene_make_model("blob", BLOB_TRIANGLES, &scene, error, sizeof error))) {
    fprintf(stderr, "graze_pose_distances: %s\n", error);
    return 2;
  }
  bench_shape_fit(&scene.shapes[0], 2.0);
  graze_pose *poses = need(malloc(count * sizeof *poses));
  graze_nearest *rows[2] = {need(malloc(count * sizeof **rows)), need(malloc(count * sizeof **rows))};
  rigid_poses_scatter(poses, count);
  printf("two bodies of %zu triangles, %zu poses, %u threads\n", scene.shapes[0].triangle_count, count, threads);
  double rates[2] = {0.0, 0.0};
  static const char *const backends[2] = {"cuda", "cpu"};
  for (int i = 0; i < 2; i++) {
    bodies made;
    if (!open_bodies(&scene.shapes[0], backends[i], threads, &made)) {
      printf("%s: %s\n", backends[i], graze_error_text());
      continue;
    }
    rates[i] = measure(&made, poses, count, rows[i]);
    report(backends[i], rates[i], rows[i], count);
    graze_scene_destroy(made.scene);
  }
  size_t differing = 0;
  for (size_t i = 0; i < count && rates[0] > 0.0; i++)
    differing += memcmp(&rows[0][i], &rows[1][i], sizeof **rows) != 0;
  if (rates[0] > 0.0) printf("cuda/cpu: %.2f, %zu rows differ\n", rates[0] / rates[1], differing);
  for (int i = 0; i < 2; i++) free(rows[i]);
  free(poses);
  bench_scene_free(&scene);
  return differing == 0 ? 0 : 1;
}
