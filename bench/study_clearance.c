/* The study of clearances: compares a query with a clearance with a query for candidates and a plain query, and
 * measures distances.
 *
 * Each scene of two objects is measured twice: unchanged with a clearance of one mean edge, and with a tenth of it
 * after moving the second object along x until the two hardly touch. Everything that a ratio compares runs interleaved
 * in the same round. Times are the least of the rounds, for the queries without updates. */
#include "bench/study_list.h"

#include "bench/bench_record.h"
#include "bench/mesh_distance.h"
#include "graze/distances.h"
#include "models/mesh_object.h"

#include <inttypes.h>

static const char *const methods[] = {"grid", "tree"};
enum { METHODS = 2, DISTANCES_MOST = 1000000 };

/* The interleaved queries. */
enum { ASK_PLAIN, ASK_CANDIDATES, ASK_WITHIN, ASK_DISTANCES, ASKED };

typedef struct near_scene {
  graze_scene *scene;
  graze_object objects[2];
  graze_pairs pairs;
  graze_distances distances;
  double clearance;
} near_scene;

typedef struct near_times {
  double least_ms[ASKED];
  uint64_t counts[ASKED];
} near_times;

static bool fail_graze(const study *at) {
  return study_fail(at, graze_error_text());
}

static bool open_scene(const study *at, const bench_scene *scene, const char *method, near_scene *open) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = at->settings->threads;
  graze_method_def how = graze_method_def_default();
  how.name = method;
  *open = (near_scene){.clearance = bench_shape_mean_edge(&scene->shapes[0])};
  bool good =
      graze_scene_create(&def, &open->scene) == GRAZE_OK && graze_scene_set_method(open->scene, &how) == GRAZE_OK;
  for (size_t i = 0; i < 2 && good; i++) {
    const bench_shape *const shape = &scene->shapes[i];
    const mesh part = {.positions = shape->positions,
                       .vertex_count = shape->vertex_count,
                       .polygon_count = shape->triangle_count,
                       .triangles = shape->triangles,
                       .triangle_count = shape->triangle_count};
    good = mesh_object_add(open->scene, &part, NULL, &open->objects[i]) == GRAZE_OK;
  }
  return (good && graze_scene_update(open->scene) == GRAZE_OK) || fail_graze(at);
}

static void close_scene(near_scene *open) {
  graze_pairs_free(&open->pairs);
  graze_distances_free(&open->distances);
  graze_scene_destroy(open->scene);
}

/* Distances are those of the pairs of the previous query. */
static graze_result ask(near_scene *open, int question, uint64_t *count_out) {
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  query.clearance = question == ASK_PLAIN ? 0.0 : open->clearance;
  query.candidates_only = question == ASK_CANDIDATES;
  graze_result result;
  if (question == ASK_DISTANCES) {
    const size_t count = open->pairs.count < DISTANCES_MOST ? open->pairs.count : DISTANCES_MOST;
    result = graze_scene_make_distances(open->scene, open->pairs.pairs, count, &open->distances);
    *count_out = open->distances.count;
  } else {
    result = graze_scene_find_pairs(open->scene, &query, &open->pairs);
    *count_out = open->pairs.count;
  }
  return result;
}

static bool ask_all(const study *at, near_scene *open, near_times *times_out) {
  for (size_t round = 0; round < at->settings->rounds; round++)
    for (int question = 0; question < ASKED; question++) {
      uint64_t count = 0;
      const double begin = bench_milliseconds();
      if (ask(open, question, &count) != GRAZE_OK) return fail_graze(at);
      const double ms = bench_milliseconds() - begin;
      double *const least = &times_out->least_ms[question];
      *least = round == 0 || ms < *least ? ms : *least;
      if (round > 0 && count != times_out->counts[question]) return study_fail(at, "rounds find different pairs");
      times_out->counts[question] = count;
    }
  return true;
}

static void print_times(const char *scene, const char *method, const near_times *times) {
  const double *const ms = times->least_ms;
  const double each =
      times->counts[ASK_DISTANCES] > 0 ? 1e6 * ms[ASK_DISTANCES] / (double)times->counts[ASK_DISTANCES] : 0.0;
  printf("%-26s %-5s %9" PRIu64 " %9" PRIu64 " %9" PRIu64 " %8.2f %8.2f %8.2f %7.2f %7.2f %7.0f\n", scene, method,
         times->counts[ASK_PLAIN], times->counts[ASK_CANDIDATES], times->counts[ASK_WITHIN], ms[ASK_PLAIN],
         ms[ASK_CANDIDATES], ms[ASK_WITHIN], ms[ASK_WITHIN] / ms[ASK_CANDIDATES], ms[ASK_WITHIN] / ms[ASK_PLAIN], each);
  fflush(stdout);
}

/* Moves the second object along x, from the position where the boxes touch, until the meshes are nearer than half of
 * the clearance. Each step is as long as their distance, so that they do not cross. */
static bool approach(const study *at, const bench_scene *scene, near_scene *open) {
  enum { STEPS_MOST = 1000 };
  double low[2][3], high[2][3];
  for (int i = 0; i < 2; i++) bench_shape_bounds(&scene->shapes[i], low[i], high[i]);
  graze_pose pose = {{1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, {high[0][0] - low[1][0], 0.0, 0.0}};
  mesh_balls *const a = mesh_balls_make(&scene->shapes[0]), *const b = mesh_balls_make(&scene->shapes[1]);
  const bool made = a != NULL && b != NULL;
  for (int step = 0; made && step < STEPS_MOST; step++) {
    const double distance = mesh_balls_distance(a, b, &pose);
    if (distance < 0.5 * open->clearance) break;
    pose.translation[0] -= distance;
  }
  mesh_balls_free(a);
  mesh_balls_free(b);
  if (!made) return study_fail(at, "out of memory");
  return (graze_object_set_pose(open->scene, open->objects[1], &pose) == GRAZE_OK &&
          graze_scene_update(open->scene) == GRAZE_OK) ||
         fail_graze(at);
}

static bool run_method(const study *at, const bench_scene *scene, const char *method) {
  near_scene open;
  near_times crossing = {0}, touching = {0};
  bool good = open_scene(at, scene, method, &open) && ask_all(at, &open, &crossing);
  open.clearance /= 10.0;
  good = good && approach(at, scene, &open) && ask_all(at, &open, &touching);
  close_scene(&open);
  study_speaks(at);
  if (!good) return false;
  print_times(scene->name, method, &crossing);
  print_times("  hardly touching", method, &touching);
  return true;
}

bool study_clearance(study *at) {
  const bench_scene_options options = {at->settings->quick, at->settings->data, 0};
  printf("%-26s %-5s %9s %9s %9s %8s %8s %8s %7s %7s %7s\n", "scene", "", "meet", "boxes", "within", "plain ms",
         "boxes ms", "within", "/ boxes", "/ plain", "ns each");
  for (size_t i = 0; i < bench_scene_count(); i++) {
    if (bench_scene_kind(i) != BENCH_BETWEEN || !bench_scene_available(i, &options)) continue;
    if (!bench_words_are_part_of(&at->settings->scenes, bench_scene_name(i))) continue;
    bench_scene scene;
    if (!study_goes_on(at, bench_scene_name(i), (double)i / (double)bench_scene_count())) return false;
    if (!bench_scene_make(i, &options, &scene, at->error, at->error_bytes)) return false;
    bool good = true;
    for (size_t method = 0; method < METHODS && good; method++) good = run_method(at, &scene, methods[method]);
    bench_scene_free(&scene);
    if (!good) return false;
  }
  return true;
}
