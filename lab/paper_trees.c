/* Gress, Zachmann: "Object-Space Interference Detection on Programmable Graphics Hardware", 2004, section 7, figure 4:
 * a body in a cube of side 2 and its copy, which rotates about the vertical axis, nearer and nearer; all pairs in every
 * step, mean and worst of a revolution. Uses trees with and without coherence (the entrance level), and all other
 * methods.
 *
 * The published bodies, a car and a door lock, are not available, and the text of the figure has no numbers. One
 * thread. Slow methods do every third step, or every fifth, and may miss the worst step, in which the two bodies
 * coincide; both trees do all. */
#include "bench/rigid_graze.h"
#include "bench/rigid_parts.h"
#include "lab/lab_variants.h"
#include "lab/paper_list.h"
#include "lab/paper_table.h"

#include <math.h>
#include <string.h>

enum { STEPS = 360, QUICK_STEPS = 36 };
static const double budget_ms = 2000.0, quick_budget_ms = 300.0;

/* Parts of machines first; then what other bodies are: thin sheets, a smooth lump. */
static const struct {
  const char *name, *file; /* below the folder of data; NULL: a model of that name */
  size_t triangles;        /* of a model, where it is not to be quick */
} bodies[] = {{"gear", NULL, 40000},
              {"panels", NULL, 40000},
              {"blob", NULL, 70000},
              {"fandisk", "meshes/fandisk.obj.gz", 0},
              {"tray-bottom", "meshes/tray-bottom.stl.gz", 0},
              {"rocker-arm", "meshes/rocker-arm.obj.gz", 0},
              {"crank-case", "meshes/crank-case.obj.gz", 0},
              {"cycloidal-gear", "meshes/cycloidal-gear.ply.gz", 0},
              {"sword", "meshes/sword.obj.gz", 0}};
enum { BODIES = sizeof bodies / sizeof bodies[0] };

/* The methods that the table has, brute force for small bodies alone. */
static const char *const engines[] = {"tree", "tree-coherent", "grid", "clusters", "brute"};
enum { ENGINES = sizeof engines / sizeof engines[0], TREE = 0, COHERENT = 1 };

static graze_result set_entrance(graze_scene *scene, const graze_method_def *method) {
  return lab_tree_entrance.set(scene, method);
}

static const graze_choice entered = {"tree", GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO, set_entrance};

static bool make_body(const study *at, size_t number, bench_scene *scene) {
  char path[4096];
  if (bodies[number].file == NULL)
    return bench_scene_make_model(bodies[number].name, paper_size(at, bodies[number].triangles), scene, at->error,
                                  at->error_bytes);
  snprintf(path, sizeof path, "%s/%s", at->settings->data, bodies[number].file);
  return bench_scene_read_file(path, bodies[number].name, scene, at->error, at->error_bytes);
}

static bool is_available(const study *at, size_t number) {
  return bodies[number].file == NULL || at->settings->data != NULL;
}

/* Which of the runners it is; as many as there are where it did not run. */
static size_t find_engine(const rigid_rotation *times, const char *name) {
  size_t i = 0;
  while (i < times->engine_count && strcmp(times->engines[i], name) != 0) i++;
  return i;
}

static double value_of(const rigid_rotation *times, const double *values, size_t engine, size_t distance) {
  const size_t runner = find_engine(times, engines[engine]);
  const double value = runner < times->engine_count ? values[runner * times->distance_count + distance] : 0.0;
  return value > 0.0 ? value : NAN;
}

static void write_distance(const rigid_object *object, const rigid_rotation *times, size_t distance,
                           paper_table *table) {
  paper_table_words(table, object->name);
  paper_table_number(table, (double)object->shapes[0].triangle_count, 0);
  paper_table_number(table, times->distances[distance], 2);
  for (size_t i = 0; i < ENGINES; i++) {
    paper_table_number(table, value_of(times, times->mean_ms, i, distance), 4);
    paper_table_number(table, value_of(times, times->worst_ms, i, distance), 4);
  }
  paper_table_number(table, value_of(times, times->box_tests, TREE, distance), 0);
  paper_table_number(table, value_of(times, times->box_tests, COHERENT, distance), 0);
}

static bool run_body(const study *at, size_t number, paper_table *table) {
  bench_scene scene;
  rigid_error error = {""};
  if (!study_goes_on(at, bodies[number].name, (double)number / BODIES) || !make_body(at, number, &scene)) return false;
  bench_shape_fit(&scene.shapes[0], 2.0);
  bench_shape_round_to_float(&scene.shapes[0]);
  const rigid_object object = {scene.name, {scene.shapes[0], scene.shapes[0]}};
  const rigid_engine coherent =
      rigid_graze_engine(engines[COHERENT], RIGID_HAS_ALL | RIGID_IS_EXACT | RIGID_IS_COHERENT, &entered);
  const rigid_settings settings = {.quick = at->settings->quick,
                                   .silent = true,
                                   .engine_part = "",
                                   .figures = at->settings->figures,
                                   .drawing = "paper_trees-fig4",
                                   .rounds = at->settings->rounds,
                                   .steps = at->settings->quick ? QUICK_STEPS : STEPS,
                                   .budget_ms = at->settings->quick ? quick_budget_ms : budget_ms,
                                   .peers = &coherent,
                                   .peer_count = 1,
                                   .error = &error,
                                   .watch = at->settings->watch};
  rigid_rotation times;
  const bool good = rigid_rotation_run(&settings, &object, &times) || study_fail(at, error.text);
  for (size_t i = 0; i < times.distance_count && good; i++) write_distance(&object, &times, i, table);
  bench_scene_free(&scene);
  return good;
}

static bool run_figure_4(study *at) {
  static const paper_column columns[] = {
      {"body", -14},          {"triangles", 9},       {"distance", 8},     {"tree mean ms", 12}, {"tree worst", 10},
      {"coherent mean", 13},  {"coherent worst", 14}, {"grid mean", 9},    {"grid worst", 10},   {"clusters mean", 13},
      {"clusters worst", 14}, {"brute mean", 10},     {"brute worst", 11}, {"tree tests", 10},   {"coherent tests", 14},
  };
  paper_table table;
  if (!paper_table_open(at, "trees-fig4", columns, sizeof columns / sizeof columns[0], &table)) return false;
  bool good = true;
  for (size_t i = 0; i < BODIES && good; i++)
    if (is_available(at, i)) good = run_body(at, i, &table);
  return paper_table_close(&table, good);
}

static const paper_figure figures[] = {
    {"trees-fig4", "figure 4", "a body and its rotating copy: mean and worst time over distance", run_figure_4, true},
};

const paper paper_trees = {
    .name = "trees",
    .document = "Gress, Zachmann 2004, Object-Space Interference Detection",
    .figures = figures,
    .figure_count = sizeof figures / sizeof figures[0],
};
