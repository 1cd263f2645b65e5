/* graze_nearest: the least distance of a mesh and a posed copy of it.
 *
 *     graze_nearest [MESH [POSES [THREADS]]]
 *
 * The mesh fits into a cube of side 2; by default it is a built-in blob of 70,000 triangles. There are five classes of
 * poses: random ones that are apart or overlap, grazing ones (apart or touching within RIGID_GRAZE_GAP), and ones at a
 * distance of five body sizes. In each of three rounds, graze and the peers measure every pose, one after the other. A
 * time is the mean over the poses of a class of the least time of the rounds. In a build with GRAZE_PEERS the peers are
 * FCL with two kinds of bounding volumes. Their answer is wrong if it is outside of graze's proven interval by more
 * than 1e-9. */
#include "bench/nearest_peer.h"
#include "bench/rigid_poses.h"
#include "graze/nearest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 3, PEERS_MAX = 4 };
enum pose_class { APART, OVERLAPPING, GRAZING, TOUCHING, FAR, CLASSES };
static const char *const class_names[CLASSES] = {"random, apart", "random, overlapping", "grazing, apart",
                                                 "grazing, touching", "far"};

typedef struct measured {
  double best_us[1 + PEERS_MAX]; /* graze first */
  enum pose_class class;
  bool wrong[PEERS_MAX];
  uint64_t visits, measures;
} measured;

typedef struct bodies {
  graze_scene *scene;
  graze_object standing, posed;
  graze_nearest_list found;
  nearest_peer *peers[PEERS_MAX];
  size_t peer_count;
  uint64_t fingerprint;
} bodies;

static void *need(void *block) {
  if (block != NULL) return block;
  fprintf(stderr, "graze_nearest: out of memory\n");
  exit(2);
}

static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "graze_nearest: %s\n", graze_error_text());
  exit(2);
}

static double now_us(bool of_thread) {
  struct timespec now;
  (void)clock_gettime(of_thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

/* ------------------------------------------------------------------------------------------------ bodies */

static void open_bodies(const bench_shape *shape, uint32_t threads, bodies *made) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = threads;
  expect_ok(graze_scene_create(&def, &made->scene));
  graze_method_def method = graze_method_def_default();
  method.name = "tree";
  expect_ok(graze_scene_set_method(made->scene, &method));
  graze_mesh_def solid = graze_mesh_def_default();
  solid.positions = (graze_view){shape->positions, shape->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  solid.triangles = (graze_view){shape->triangles, shape->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  expect_ok(graze_scene_add(made->scene, GRAZE_KIND_TRIANGLE, &solid, NULL, &made->standing));
  expect_ok(graze_scene_add(made->scene, GRAZE_KIND_TRIANGLE, &solid, NULL, &made->posed));
  for (size_t i = 0; i < nearest_peer_count(); i++) made->peers[made->peer_count++] = nearest_peer_open(i, shape);
}

static void close_bodies(bodies *made) {
  for (size_t i = 0; i < made->peer_count; i++) nearest_peer_close(made->peers[i]);
  graze_nearest_list_free(&made->found);
  graze_scene_destroy(made->scene);
}

static const graze_nearest *ask_graze(bodies *made, const bench_pose *pose) {
  expect_ok(graze_object_set_pose(made->scene, made->posed, pose));
  expect_ok(graze_scene_update(made->scene));
  expect_ok(graze_scene_find_nearest(made->scene, NULL, &made->found));
  return &made->found.nearests[0];
}

/* ------------------------------------------------------------------------------------------------ measuring */

/* Hashes the bits of an answer: versions with equal answers print the same fingerprint. */
static uint64_t add_bits(uint64_t hash, const graze_nearest *row) {
  uint64_t words[10] = {row->pair.primitive_a, row->pair.primitive_b};
  memcpy(words + 2, &row->distance, sizeof row->distance);
  memcpy(words + 3, &row->upper, sizeof row->upper);
  memcpy(words + 4, row->point_a, sizeof row->point_a);
  memcpy(words + 7, row->point_b, sizeof row->point_b);
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15u;
  return hash;
}

static void measure_pose(bodies *made, const bench_pose *pose, bool of_thread, bool is_first, measured *result) {
  const double begin = now_us(of_thread);
  const graze_nearest row = *ask_graze(made, pose);
  result->best_us[0] = fmin(result->best_us[0], now_us(of_thread) - begin);
  for (size_t i = 0; i < made->peer_count; i++) {
    const double peer_begin = now_us(of_thread);
    const double answer = fmax(nearest_peer_ask(made->peers[i], pose), 0.0);
    result->best_us[1 + i] = fmin(result->best_us[1 + i], now_us(of_thread) - peer_begin);
    result->wrong[i] = answer < row.lower - 1e-9 || answer > row.upper + 1e-9;
  }
  if (!is_first) return;
  if (result->class == APART && row.distance == 0.0) result->class = OVERLAPPING;
  result->visits = made->found.visit_count;
  result->measures = made->found.measure_count;
  made->fingerprint = add_bits(made->fingerprint, &row);
}

static void print_class(const bodies *made, const measured *results, size_t count, enum pose_class class) {
  double sums[1 + PEERS_MAX] = {0.0};
  size_t wrong[PEERS_MAX] = {0}, members = 0;
  uint64_t visits = 0, measures = 0;
  for (size_t i = 0; i < count; i++) {
    if (results[i].class != class) continue;
    members++;
    visits += results[i].visits;
    measures += results[i].measures;
    for (size_t j = 0; j <= made->peer_count; j++) sums[j] += results[i].best_us[j];
    for (size_t j = 0; j < made->peer_count; j++) wrong[j] += results[i].wrong[j];
  }
  if (members == 0) return;
  printf("%-20s %5zu poses  graze %8.1f us, %llu visits, %llu measures", class_names[class], members,
         sums[0] / (double)members, (unsigned long long)(visits / members), (unsigned long long)(measures / members));
  for (size_t j = 0; j < made->peer_count; j++)
    printf("  %s %8.1f us (%.2f times), %zu wrong", nearest_peer_name(j), sums[1 + j] / (double)members,
           sums[1 + j] / sums[0], wrong[j]);
  printf("\n");
}

/* ------------------------------------------------------------------------------------------------ poses */

/* Alternates poses that touch and poses that do not. */
static void make_grazing(const bench_shape *shape, bench_pose *poses_out, size_t count) {
  const bench_shape shapes[2] = {*shape, *shape};
  size_t engine_count;
  const rigid_engine *engine = rigid_graze_engines(&engine_count);
  rigid_error error;
  void *pair = engine->open_pair(engine, shapes, &error);
  if (pair == NULL || !rigid_poses_graze(engine, pair, poses_out, count, &error)) {
    fprintf(stderr, "graze_nearest: %s\n", error.text);
    exit(2);
  }
  engine->close_pair(pair);
}

enum { POSES_EACH = 5 };

static void make_poses(const bench_shape *shape, bench_pose *poses_out, measured *results, size_t count) {
  rigid_poses_scatter(poses_out, 2 * count);
  make_grazing(shape, poses_out + 2 * count, 2 * count);
  rigid_poses_scatter(poses_out + 4 * count, count);
  for (size_t i = 0; i < POSES_EACH * count; i++) {
    results[i].class = i < 2 * count ? APART : i >= 4 * count ? FAR : i % 2 == 0 ? TOUCHING : GRAZING;
    for (size_t j = 0; j <= PEERS_MAX; j++) results[i].best_us[j] = HUGE_VAL;
    if (results[i].class == FAR) poses_out[i].translation[0] += 10.0;
  }
}

int main(int argument_count, char **arguments) {
  const size_t count = argument_count > 2 ? strtoull(arguments[2], NULL, 10) : 100;
  const uint32_t threads = argument_count > 3 ? (uint32_t)strtoul(arguments[3], NULL, 10) : 1;
  bench_scene scene;
  char error[512];
  if (count == 0 || count > 100000) {
    fprintf(stderr, "usage: graze_nearest [MESH [POSES [THREADS]]]\n");
    return 2;
  }
  if (!(argument_count > 1 ? bench_scene_read_file(arguments[1], "mesh", &scene, error, sizeof error)
                           : bench_scene_make_model("blob", 70000, &scene, error, sizeof error))) {
    fprintf(stderr, "graze_nearest: %s\n", error);
    return 2;
  }
  bench_shape *shape = &scene.shapes[0];
  bench_shape_fit(shape, 2.0);
  bench_shape_round_to_float(shape);
  bench_pose *poses = need(malloc(POSES_EACH * count * sizeof *poses));
  measured *results = need(calloc(POSES_EACH * count, sizeof *results));
  bodies made = {0};
  make_poses(shape, poses, results, count);
  open_bodies(shape, threads, &made);
  for (int round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < POSES_EACH * count; i++)
      measure_pose(&made, &poses[i], threads == 1, round == 0, &results[i]);
  printf("two bodies of %zu triangles, %u threads; answers %016llx\n", shape->triangle_count, threads,
         (unsigned long long)made.fingerprint);
  for (int class = 0; class < CLASSES; class ++)
    print_class(&made, results, POSES_EACH * count, (enum pose_class) class);
  close_bodies(&made);
  free(results);
  free(poses);
  bench_scene_free(&scene);
  return 0;
}
