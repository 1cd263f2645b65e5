/* The study of inner sphere trees: construction times, and query times of the shared volume of two bodies, with neural
 * gas and two heuristics, compared with the grid of a scene, which is built from scratch for each query.
 *
 * The drawings are figures 4.9 (construction time over the number of spheres) and 4.11 (mean query time over poses) of
 * Mainzer, "New Geometric Algorithms and Data Structures for Collision Detection of Dynamically Deforming Objects",
 * 2015, for this library, and the query time over the shared volume. Times are the least of the rounds. */
#include "bench/study_list.h"

#include "graze/sphere_tree.h"
#include "models/sphere_packing.h"

#include <inttypes.h>
#include <string.h>

enum { SIZES = 6, STEPS = 12, SCENES = 2 };

static const size_t sizes[SIZES] = {2000, 5000, 10000, 20000, 50000, 100000};

/* The last way is the scene. */
static const struct {
  const char *name;
  graze_sphere_builder builder;
  uint32_t magnification;
} ways[] = {{"neural gas", GRAZE_SPHERE_BUILDER_NEURAL_GAS, 3},
            {"gas by radius", GRAZE_SPHERE_BUILDER_NEURAL_GAS, 1},
            {"biggest", GRAZE_SPHERE_BUILDER_BIGGEST, 3},
            {"extremes", GRAZE_SPHERE_BUILDER_EXTREMES, 3}};
enum { TREES = 4, GRID = TREES, WAYS = TREES + 1 };
static const char *const way_names[WAYS] = {"neural gas", "gas by radius", "biggest", "extremes", "grid, from scratch"};

static const packed_body scene_bodies[SCENES][2] = {{PACKED_BALL, PACKED_DUMBBELL}, {PACKED_RING, PACKED_DUMBBELL}};
static const char *const scene_names[SCENES] = {"ball and dumbbell", "ring and dumbbell"};

/* Both bodies of a scene at one size, in every way. */
typedef struct packed_scene {
  graze_sphere_tree *trees[TREES][2];
  graze_scene *scene;
  graze_object objects[2];
  graze_pairs pairs;
  graze_wrenches wrenches;
} packed_scene;

/* The measurements of one scene. */
typedef struct packed_times {
  double build[TREES + 1][SIZES]; /* of the first body; neural gas with one thread last */
  double mean[WAYS][SIZES];
  double steps[WAYS][STEPS], shared[STEPS]; /* at the largest size: shared in percent of the second body */
  double opened[TREES][SIZES];              /* pairs of nodes, the mean */
} packed_times;

/* ---------------------------------------------------------------------------------------------- making */

static bool fail_graze(const study *at) {
  return study_fail(at, graze_error_text());
}

static bool make_tree(const study *at, const sphere_packing *packing, size_t way, uint32_t threads,
                      graze_sphere_tree **tree_out, double *least_ms) {
  graze_sphere_tree_def def = graze_sphere_tree_def_default();
  def.centers = (graze_view){packing->centers, packing->count, 0, GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){packing->radii, packing->count, 0, GRAZE_FORMAT_DOUBLE};
  def.builder = ways[way].builder;
  def.magnification = ways[way].magnification;
  def.worker_count = threads;
  for (size_t round = 0; round < at->settings->rounds; round++) {
    if (!study_goes_on(at, "trees", 0.0)) return false;
    graze_sphere_tree_destroy(*tree_out);
    const double begin = bench_milliseconds();
    if (graze_sphere_tree_create(&def, tree_out) != GRAZE_OK) return fail_graze(at);
    const double ms = bench_milliseconds() - begin;
    *least_ms = round == 0 || ms < *least_ms ? ms : *least_ms;
  }
  return true;
}

static bool add_object(const study *at, packed_scene *made, size_t body, const sphere_packing *packing) {
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = (graze_view){packing->centers, packing->count, 0, GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){packing->radii, packing->count, 0, GRAZE_FORMAT_DOUBLE};
  placed.self = false;
  return graze_scene_add(made->scene, GRAZE_KIND_SPHERE, &def, &placed, &made->objects[body]) == GRAZE_OK ||
         fail_graze(at);
}

static bool make_scene(const study *at, const sphere_packing packings[2], size_t size, packed_scene *made,
                       packed_times *times) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = at->settings->threads;
  *made = (packed_scene){0};
  bool good = graze_scene_create(&def, &made->scene) == GRAZE_OK || fail_graze(at);
  graze_sphere_tree *alone = NULL;
  good = good && make_tree(at, &packings[0], 0, 1, &alone, &times->build[TREES][size]);
  graze_sphere_tree_destroy(alone);
  for (size_t body = 0; body < 2 && good; body++) {
    good = add_object(at, made, body, &packings[body]);
    for (size_t way = 0; way < TREES && good; way++) {
      double ms = 0.0;
      good = make_tree(at, &packings[body], way, at->settings->threads, &made->trees[way][body], &ms);
      if (body == 0) times->build[way][size] = ms;
    }
  }
  return good;
}

static void free_scene(packed_scene *made) {
  for (size_t i = 0; i < 2 * (size_t)TREES; i++) graze_sphere_tree_destroy(made->trees[i / 2][i % 2]);
  graze_scene_destroy(made->scene);
  graze_pairs_free(&made->pairs);
  graze_wrenches_free(&made->wrenches);
}

/* ---------------------------------------------------------------------------------------------- asking */

/* The second body, rotated by an angle of cosine 0.8, approaches along a slanted line from just apart to the center. */
static graze_pose step_pose(size_t step) {
  const double way = 1.9 * (1.0 - (double)(step + 1) / STEPS);
  return (graze_pose){{0.8, -0.6, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0}, {0.9 * way, 0.3 * way, 0.2 * way + 0.05}};
}

/* Computes the volume by the scene: poses the second object and builds everything from scratch. */
static bool ask_scene(packed_scene *made, const graze_pose *pose, double *volume_out) {
  const bool good =
      graze_object_set_pose(made->scene, made->objects[1], pose) == GRAZE_OK &&
      graze_scene_update(made->scene) == GRAZE_OK &&
      graze_scene_find_pairs(made->scene, NULL, &made->pairs) == GRAZE_OK &&
      graze_scene_make_wrenches(made->scene, made->pairs.pairs, made->pairs.count, NULL, &made->wrenches) == GRAZE_OK;
  *volume_out = good && made->wrenches.count > 0 ? made->wrenches.wrenches[0].volume : 0.0;
  return good;
}

static bool ask_trees(const packed_scene *made, size_t way, const graze_pose *pose, double *volume_out,
                      uint64_t *opened_out) {
  graze_sphere_volume volume = {.struct_bytes = sizeof volume};
  if (graze_sphere_trees_volume(made->trees[way][0], NULL, made->trees[way][1], pose, NULL, &volume) != GRAZE_OK)
    return false;
  *volume_out = volume.volume;
  *opened_out = volume.node_pairs;
  return true;
}

/* Runs one pose in every way, interleaved; all answers must be equal. */
static bool ask_step(const study *at, packed_scene *made, size_t step, double least_ms[WAYS], uint64_t opened[TREES],
                     double *volume_out) {
  const graze_pose pose = step_pose(step);
  for (size_t round = 0; round < at->settings->rounds; round++)
    for (size_t way = 0; way < WAYS; way++) {
      double volume = 0.0;
      const double begin = bench_milliseconds();
      const bool good =
          way == GRID ? ask_scene(made, &pose, &volume) : ask_trees(made, way, &pose, &volume, &opened[way]);
      const double ms = bench_milliseconds() - begin;
      if (!good) return fail_graze(at);
      least_ms[way] = round == 0 || ms < least_ms[way] ? ms : least_ms[way];
      if (round == 0 && way == 0) *volume_out = volume;
      if (volume != *volume_out) return study_fail(at, "methods that must find the same volume disagree");
    }
  return true;
}

static bool ask_all(const study *at, packed_scene *made, size_t size, double body_volume, packed_times *times) {
  for (size_t step = 0; step < STEPS; step++) {
    double least_ms[WAYS] = {0}, volume = 0.0;
    uint64_t opened[TREES] = {0};
    if (!study_goes_on(at, "questions", (double)(size * STEPS + step) / (SIZES * STEPS))) return false;
    if (!ask_step(at, made, step, least_ms, opened, &volume)) return false;
    times->shared[step] = 100.0 * volume / body_volume;
    for (size_t way = 0; way < WAYS; way++) {
      times->steps[way][step] = least_ms[way];
      times->mean[way][size] += least_ms[way] / STEPS;
      if (way < TREES) times->opened[way][size] += (double)opened[way] / STEPS;
    }
  }
  return true;
}

static double packing_volume(const sphere_packing *packing) {
  double sum = 0.0;
  for (size_t i = 0; i < packing->count; i++)
    sum += 4.1887902047863905 * packing->radii[i] * packing->radii[i] * packing->radii[i];
  return sum;
}

static bool run_size(const study *at, size_t scene, size_t size, packed_times *times) {
  sphere_packing packings[2] = {{0}};
  packed_scene made = {0};
  const size_t count = study_scaled(at, sizes[size]);
  bool good = true;
  for (size_t body = 0; body < 2 && good; body++)
    good = sphere_packing_make(scene_bodies[scene][body], count, 1 + body, &packings[body]) ||
           study_fail(at, "out of memory");
  good = good && make_scene(at, packings, size, &made, times) &&
         ask_all(at, &made, size, packing_volume(&packings[1]), times);
  free_scene(&made);
  for (size_t body = 0; body < 2; body++) sphere_packing_free(&packings[body]);
  return good;
}

/* ---------------------------------------------------------------------------------------------- showing */

static void print_size(const study *at, size_t size, const packed_times *times) {
  const double better = times->mean[2][size] < times->mean[3][size] ? times->mean[2][size] : times->mean[3][size];
  printf("%9zu  build ms", study_scaled(at, sizes[size]));
  for (size_t way = 0; way <= TREES; way++) printf(" %8.1f", times->build[way][size]);
  printf("\n%9s  query ms", "");
  for (size_t way = 0; way < WAYS; way++) printf(" %8.3f", times->mean[way][size]);
  printf("\n%9s  node pairs", "");
  for (size_t way = 0; way < TREES; way++) printf(" %8.0f", times->opened[way][size]);
  printf("   better heuristic over gas %.2f, over gas by radius %.2f\n", better / times->mean[0][size],
         better / times->mean[1][size]);
  fflush(stdout);
}

static void print_steps(const packed_times *times) {
  for (size_t step = 0; step < STEPS; step++) {
    printf("%9s  shared %6.2f %%  query ms", "", times->shared[step]);
    for (size_t way = 0; way < WAYS; way++) printf(" %8.3f", times->steps[way][step]);
    printf("\n");
  }
}

static bool draw_sizes(const study *at, const packed_times times[SCENES], bool build, const char *title,
                       const char *file) {
  static const char *const build_names[TREES + 1] = {"neural gas", "gas by radius", "biggest", "extremes",
                                                     "neural gas, 1 thread"};
  double points[SIZES], values[SCENES][WAYS * SIZES];
  line_panel panels[SCENES];
  for (size_t size = 0; size < SIZES; size++) points[size] = (double)study_scaled(at, sizes[size]);
  for (size_t scene = 0; scene < SCENES; scene++) {
    const size_t bytes = sizeof values[scene];
    if (build)
      memcpy(values[scene], times[scene].build, bytes);
    else
      memcpy(values[scene], times[scene].mean, bytes);
    panels[scene] = (line_panel){build ? packed_body_name(scene_bodies[scene][0]) : scene_names[scene], values[scene]};
  }
  const line_chart chart = {.title = title,
                            .horizontal = "spheres",
                            .vertical = "milliseconds",
                            .lines = build ? build_names : way_names,
                            .line_count = WAYS,
                            .points = points,
                            .point_count = SIZES,
                            .panels = panels,
                            .panel_count = SCENES,
                            .even = true};
  return study_draw_lines(at, &chart, file);
}

/* Sorts steps by shared volume, which may not be monotonic along the way. */
static void order_steps(const packed_times *times, double points[STEPS], double values[WAYS * STEPS]) {
  for (size_t step = 0; step < STEPS; step++) {
    size_t place = 0;
    for (size_t other = 0; other < STEPS; other++)
      place +=
          times->shared[other] < times->shared[step] || (times->shared[other] == times->shared[step] && other < step);
    points[place] = times->shared[step];
    for (size_t way = 0; way < WAYS; way++) values[way * STEPS + place] = times->steps[way][step];
  }
}

static bool draw_steps(const study *at, const packed_times *times, size_t scene) {
  static const char *const files[SCENES] = {"sphere_trees_shared.svg", "sphere_trees_shared_ring.svg"};
  double points[STEPS], values[WAYS * STEPS];
  order_steps(times, points, values);
  const line_panel panel = {scene_names[scene], values};
  const line_chart chart = {.title = "Shared volume of two packings: query time",
                            .horizontal = "percent of the smaller one that is shared",
                            .vertical = "milliseconds",
                            .lines = way_names,
                            .line_count = WAYS,
                            .points = points,
                            .point_count = STEPS,
                            .panels = &panel,
                            .panel_count = 1};
  return study_draw_lines(at, &chart, files[scene]);
}

bool study_sphere_trees(study *at) {
  static packed_times times[SCENES];
  memset(times, 0, sizeof times);
  for (size_t scene = 0; scene < SCENES; scene++) {
    printf("%s: neural gas, gas by radius, biggest, extremes; then neural gas with 1 thread, or the grid\n",
           scene_names[scene]);
    for (size_t size = 0; size < SIZES; size++) {
      if (!run_size(at, scene, size, &times[scene])) return false;
      study_speaks(at);
      print_size(at, size, &times[scene]);
    }
    print_steps(&times[scene]);
    if (!draw_steps(at, &times[scene], scene)) return false;
  }
  return draw_sizes(at, times, true, "Building inner sphere trees", "sphere_trees_build.svg") &&
         draw_sizes(at, times, false, "Shared volume of two packings: mean query time", "sphere_trees_questions.svg");
}
