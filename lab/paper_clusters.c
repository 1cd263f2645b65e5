/* Mainzer: "New Geometric Algorithms and Data Structures for Collision Detection of Dynamically Deforming Objects",
 * 2015, chapter 5: the members of clusters, the losses of hard ones, and time over the number of clusters. Published
 * times are those of a GTX 480, in milliseconds. The text has no numbers for the figures; shares of primitives replace
 * its pictures of colored bodies. With the folder of real meshes, cloth and funnel are frames of the published scenes
 * (the UNC dynamic scenes), and the bunny is the scan; the other bodies are similar. Films are in
 * paper_cluster_films.c. */
#include "bench/bench_bodies.h"
#include "bench/study_clusters.h"
#include "bench/study_list.h"
#include "lab/lab_list.h"
#include "lab/lab_variants.h"
#include "lab/paper_clusters_figures.h"
#include "lab/paper_list.h"
#include "lab/paper_table.h"

#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- figure 5.3 */

static const struct {
  const bench_variant *variant;
  const char *name, *published;
} assigns[] = {{&lab_clusters_hard, "hard", "one is missed"},
               {&lab_clusters_thesis, "thesis", "none is missed"},
               {NULL, "covering", "-"}};
enum { ASSIGNS = sizeof assigns / sizeof assigns[0] };

/* Four triangles, of which the second and the third cross: one belongs to the left cluster by its middle, one to the
 * right. */
static bool make_four(bench_scene *scene) {
  static const double corners[12][3] = {{-0.5, 0.0, 0.0}, {-0.1, 0.0, 0.0}, {-0.3, 0.4, 0.0}, {0.0, 0.0, 0.0},
                                        {0.0, 1.0, 0.0},  {1.2, 0.5, 0.0},  {1.0, 0.5, -0.3}, {1.0, 0.5, 0.3},
                                        {2.2, 0.5, 0.0},  {2.3, 0.0, 0.0},  {2.7, 0.0, 0.0},  {2.5, 0.4, 0.0}};
  static const uint32_t triangles[4][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9, 10, 11}};
  static const double no_offset[3] = {0.0, 0.0, 0.0};
  *scene = (bench_scene){.name = "four triangles", .kind = BENCH_SELF, .shape_count = 1};
  return bench_shape_append(&scene->shapes[0], corners[0], 12, triangles[0], 4, no_offset);
}

static void write_assign(const bench_row *row, size_t number, uint64_t all, paper_table *table) {
  const bench_result *const result = &row->rounds[0];
  paper_table_words(table, assigns[number].name);
  paper_table_words(table, assigns[number].published);
  paper_table_number(table, (double)result->counters.clusters, 0);
  paper_table_number(table, (double)result->counters.members, 0);
  paper_table_number(table, (double)result->pairs, 0);
  paper_table_number(table, (double)(all - result->pairs), 0);
}

static bool ask_four(study *at, const bench_scene *scene, paper_table *table) {
  bench_call call = study_call(at, scene, BENCH_SELF);
  study_plan(at, call);
  call.method = "clusters";
  call.clusters = 2;
  for (size_t i = 0; i < ASSIGNS; i++) {
    call.variant = assigns[i].variant;
    study_plan(at, call);
  }
  if (!study_measure(at, 1)) return false;
  const uint64_t all = at->rows[0].rounds[0].pairs;
  for (size_t i = 0; i < ASSIGNS; i++) write_assign(&at->rows[1 + i], i, all, table);
  return at->rows[ASSIGNS].rounds[0].hash == at->rows[0].rounds[0].hash ||
         study_fail(at, "clusters that cover everything lose a pair");
}

static bool run_figure_3(study *at) {
  static const paper_column columns[] = {{"members", -8}, {"published", -14}, {"clusters", 8},
                                         {"in them", 7},  {"pairs", 5},       {"lost", 4}};
  bench_scene scene;
  paper_table table;
  if (!make_four(&scene)) return study_fail(at, "out of memory");
  bool good = paper_table_open(at, "clusters-fig5.3", columns, sizeof columns / sizeof columns[0], &table);
  if (good) good = paper_table_close(&table, ask_four(at, &scene, &table));
  bench_scene_free(&scene);
  return good;
}

/* ---------------------------------------------------------------------------------------------- figures 5.2 to 5.8 */

/* A body, or two of it apart. */
static const struct {
  const char *figure, *words, *published;
  uint32_t clusters;
  size_t triangles;
  bool two;
} divisions[] = {{"5.2", "armadillo", "-", 2, 30000, false},
                 {"5.2", "brain", "-", 10, 30000, false},
                 {"5.4", "brain", "two at borders alone", 2, 30000, false},
                 {"5.5", "brain", "most in two or three", 4, 30000, false},
                 {"5.7", "two brains", "all in one", 2, 60000, true},
                 {"5.8", "two brains", "none in three", 4, 60000, true}};
enum { DIVISIONS = sizeof divisions / sizeof divisions[0] };

/* The armadillo is a file; the brain is a lump with fine detail. */
static bool make_division(const study *at, size_t number, bench_scene *scene) {
  static const double apart[3] = {4.0, 0.0, 0.0};
  const size_t triangles = paper_size(at, divisions[number].triangles);
  char path[4096];
  if (divisions[number].two)
    return bench_bodies_make_pair("two blobs", "blob", triangles / 2, apart, scene, at->error, at->error_bytes);
  if (number > 0 || at->settings->data == NULL)
    return bench_bodies_make("blob", triangles, scene, at->error, at->error_bytes);
  snprintf(path, sizeof path, "%s/meshes/armadillo_29k.obj.gz", at->settings->data);
  return bench_scene_read_file(path, "armadillo", scene, at->error, at->error_bytes);
}

static void write_division(size_t number, size_t assign, const bench_row *row, paper_table *table) {
  const graze_counters *const counters = &row->rounds[0].counters;
  const uint64_t exactly[4] = {counters->members_1, counters->members_2, counters->members_3, counters->members_4};
  uint64_t rest = counters->searched;
  paper_table_words(table, divisions[number].figure);
  paper_table_words(table, divisions[number].words);
  paper_table_words(table, row->call.scene->name);
  paper_table_number(table, (double)bench_row_primitives(row), 0);
  paper_table_number(table, (double)counters->clusters, 0);
  paper_table_words(table, divisions[number].published);
  paper_table_words(table, assigns[assign].name);
  for (size_t i = 0; i < 4; rest -= exactly[i++])
    paper_table_number(table, 100.0 * (double)exactly[i] / (double)counters->searched, 2);
  paper_table_number(table, 100.0 * (double)rest / (double)counters->searched, 2);
  paper_table_number(table, (double)counters->members / (double)counters->searched, 3);
}

/* The thesis's members and those of this library, of frames after some that have learned. */
static void plan_division(study *at, size_t number, const bench_scene *scene) {
  bench_call call = study_call(at, scene, BENCH_BOTH);
  call.method = "clusters";
  call.frame = BENCH_FRAME_POSITIONS;
  call.earlier = 4;
  call.clusters = divisions[number].clusters;
  for (size_t i = 1; i < ASSIGNS; i++) {
    call.variant = assigns[i].variant;
    study_plan(at, call);
  }
}

static bool run_divisions(study *at, bench_scene scenes[DIVISIONS], paper_table *table) {
  for (size_t i = 0; i < DIVISIONS; i++) {
    if (!make_division(at, i, &scenes[i])) return false;
    plan_division(at, i, &scenes[i]);
    if (!study_measure_some(at, 2 * i, 2, 1)) return false;
    for (size_t k = 0; k < 2; k++) write_division(i, 1 + k, &at->rows[2 * i + k], table);
  }
  return true;
}

static bool draw_divisions(const study *at) {
  static char labels[DIVISIONS][16];
  bench_figure figure = {.file = "paper_clusters-fig5.4.svg",
                         .title = "Number of clusters of a primitive",
                         .horizontal = "figure of the thesis: clusters",
                         .layers = BENCH_LAYERS_MEMBERS,
                         .panels = {{.title = "by the threshold of the thesis"}, {.title = "by what a box reaches"}},
                         .panel_count = 2};
  for (size_t i = 0; i < DIVISIONS; i++) {
    snprintf(labels[i], sizeof labels[i], "%s: %u", divisions[i].figure, (unsigned)divisions[i].clusters);
    for (size_t k = 0; k < 2; k++) bench_figure_add(&figure.panels[k], &at->rows[2 * i + k], labels[i]);
  }
  return study_draw(at, &figure);
}

static bool run_figure_4(study *at) {
  static const paper_column columns[] = {{"figure", -6},
                                         {"published body", -14},
                                         {"our body", -10},
                                         {"triangles", 9},
                                         {"clusters", 8},
                                         {"published", -20},
                                         {"members by", -10},
                                         {"in 1 %", 6},
                                         {"2", 6},
                                         {"3", 6},
                                         {"4", 6},
                                         {"more", 6},
                                         {"each in", 7}};
  bench_scene scenes[DIVISIONS] = {{0}};
  paper_table table;
  if (!paper_table_open(at, "clusters-fig5.4", columns, sizeof columns / sizeof columns[0], &table)) return false;
  const bool good = paper_table_close(&table, run_divisions(at, scenes, &table)) && draw_divisions(at);
  for (size_t i = 0; i < DIVISIONS; i++) bench_scene_free(&scenes[i]);
  return good;
}

/* ---------------------------------------------------------------------------------------------- figure 5.6 */

enum { MODELS = 2 * CLUSTER_SCENES, COMPARED = 3, COUNTS_MOST = 16 };

static const struct {
  const char *words, *name, *file; /* below the folder of data; NULL: the model, also where there is no folder */
  const char *model;
  size_t triangles;
} models[MODELS] = {{"brain", NULL, NULL, "blob", 30000},
                    {"cloth on ball", "its frame 92", "scenes/cloth-ball/cloth_ball92.ply", "draped-cloth", 92000},
                    {"funnel", "its frame 227", "scenes/cloth-funnel/227.ply", "folded-cloth", 18000},
                    {"liver", "max-planck", "meshes/max-planck_10k.obj.gz", "sphere", 10000},
                    {"pelvis", "rocker-arm", "meshes/rocker-arm.obj.gz", "knot", 20000},
                    {"bunny", "its scan", "meshes/stanford-bunny.obj.gz", "torus", 70000}};

/* Three of the six at a time. */
typedef struct model_group {
  size_t first;
  paper_table table;
  double compared[CLUSTER_SCENES][COMPARED * COUNTS_MOST]; /* principal, x, thesis: that of all counts each */
} model_group;

static bool make_model(const study *at, size_t scene, bench_scene *scene_out, void *context) {
  const size_t number = ((const model_group *)context)->first + scene;
  char path[4096];
  if (models[number].file == NULL || at->settings->data == NULL)
    return bench_bodies_make(models[number].model, paper_size(at, models[number].triangles), scene_out, at->error,
                             at->error_bytes);
  snprintf(path, sizeof path, "%s/%s", at->settings->data, models[number].file);
  return bench_scene_read_file(path, models[number].name, scene_out, at->error, at->error_bytes);
}

static void write_model(const study *at, const cluster_scenes *of, size_t scene) {
  model_group *const group = of->context;
  const bench_row *const grid = cluster_grid_row(at, of, scene);
  const uint64_t pairs = grid->rounds[0].pairs;
  for (size_t i = 0; i < cluster_count_count(at); i++) {
    const bench_row *const principal = cluster_row(at, of, scene, CLUSTER_PRINCIPAL, i);
    const bench_row *const x = cluster_row(at, of, scene, CLUSTER_X, i);
    const bench_row *const thesis = cluster_row(at, of, scene, CLUSTER_WAYS, i);
    const bench_row *const hard = cluster_row(at, of, scene, CLUSTER_WAYS + 1, i);
    paper_table_words(&group->table, models[group->first + scene].words);
    paper_table_words(&group->table, grid->call.scene->name);
    paper_table_number(&group->table, (double)bench_row_primitives(grid), 0);
    paper_table_number(&group->table, (double)cluster_count_at(i), 0);
    paper_table_number(&group->table, bench_row_least(principal), 2);
    paper_table_number(&group->table, bench_row_least(x), 2);
    paper_table_number(&group->table, bench_row_least(thesis), 2);
    paper_table_number(&group->table, bench_row_least(grid), 2);
    paper_table_number(&group->table, 1e-3 * (double)principal->rounds[0].counters.box_tests, 0);
    paper_table_number(&group->table, 1e-3 * (double)x->rounds[0].counters.box_tests, 0);
    paper_table_number(&group->table, 1e-3 * (double)thesis->rounds[0].counters.box_tests, 0);
    paper_table_number(&group->table, (double)grid->rounds[0].counters.candidates, 0);
    paper_table_number(&group->table, (double)pairs, 0);
    paper_table_number(&group->table, (double)(pairs - thesis->rounds[0].pairs), 0);
    paper_table_number(&group->table, (double)(pairs - hard->rounds[0].pairs), 0);
    const bench_row *const drawn[COMPARED] = {principal, x, thesis};
    for (size_t k = 0; k < COMPARED; k++)
      group->compared[scene][k * cluster_count_count(at) + i] = (double)drawn[k]->rounds[0].counters.box_tests;
  }
}

static bool draw_compared(const study *at, const model_group *group, const char *file) {
  static const char *const names[COMPARED] = {"principal axes", "along x", "members of the thesis"};
  double points[COUNTS_MOST];
  line_panel panels[CLUSTER_SCENES];
  for (size_t i = 0; i < cluster_count_count(at); i++) points[i] = (double)cluster_count_at(i);
  for (size_t i = 0; i < CLUSTER_SCENES; i++)
    panels[i] = (line_panel){models[group->first + i].words, group->compared[i]};
  const line_chart chart = {.title = "Compared boxes over the number of clusters",
                            .horizontal = "clusters",
                            .vertical = "comparisons",
                            .lines = names,
                            .line_count = COMPARED,
                            .points = points,
                            .point_count = cluster_count_count(at),
                            .panels = panels,
                            .panel_count = CLUSTER_SCENES,
                            .even = true};
  return study_draw_lines(at, &chart, file);
}

static bool run_group(study *at, model_group *group, const char *times_file, const char *members_file,
                      const char *compared_file) {
  const cluster_scenes scenes = {
      .names = {models[group->first].words, models[group->first + 1].words, models[group->first + 2].words},
      .times_file = times_file,
      .members_file = members_file,
      .make = make_model,
      .show = write_model,
      .context = group,
      .lossy = lab_lossy_clusters,
      .lossy_count = LAB_LOSSY_CLUSTERS};
  return study_clusters_of(at, &scenes) && draw_compared(at, group, compared_file);
}

static bool run_figure_6(study *at) {
  static const paper_column columns[] = {
      {"published body", -14}, {"our body", -13},  {"triangles", 9}, {"clusters", 8},      {"ms", 8},
      {"along x ms", 10},      {"thesis ms", 9},   {"grid ms", 8},   {"compared k", 10},   {"along x k", 9},
      {"thesis k", 8},         {"candidates", 10}, {"pairs", 7},     {"thesis loses", 12}, {"hard loses", 10}};
  static model_group group;
  group.first = 0;
  if (!paper_table_open(at, "clusters-fig5.6", columns, sizeof columns / sizeof columns[0], &group.table)) return false;
  bool good = run_group(at, &group, "paper_clusters-fig5.6.svg", "paper_clusters-fig5.6-members.svg",
                        "paper_clusters-fig5.6-compared.svg");
  group.first = CLUSTER_SCENES;
  good = good && run_group(at, &group, "paper_clusters-fig5.6-more.svg", "paper_clusters-fig5.6-more-members.svg",
                           "paper_clusters-fig5.6-more-compared.svg");
  return paper_table_close(&group.table, good);
}

/* ---------------------------------------------------------------------------------------------- what others draw */

/* Runs a study or a suite for all of its bodies: the names of papers are none of its own. */
static bool run_whole(study *at, bool (*run)(study *at)) {
  bench_study_settings settings = *at->settings;
  settings.scenes = (bench_words){{NULL}, 0};
  study whole = *at;
  whole.settings = &settings;
  return run(&whole);
}

static bool run_sphere_trees(study *at) {
  return run_whole(at, study_sphere_trees);
}

static bool run_rigid_suite(study *at) {
  return run_whole(at, suite_rigid);
}

static bool run_quality(study *at) {
  return run_whole(at, study_quality);
}

/* ---------------------------------------------------------------------------------------------- the list */

static const paper_figure figures[] = {
    {"clusters-fig4.9", "figures 4.9 and 4.11", "the table sphere-trees: construction and queries", run_sphere_trees,
     true},
    {"clusters-fig5.3", "figure 5.3", "four triangles: pairs lost by hard clusters", run_figure_3, true},
    {"clusters-fig5.4", "figures 5.2, 5.4, 5.5, 5.7, 5.8", "primitives in one cluster, two, three and four",
     run_figure_4, true},
    {"clusters-fig5.6", "figure 5.6", "time, comparisons and lost pairs over the number of clusters", run_figure_6,
     true},
    {"clusters-table5.1", "table 5.1, figures 5.14 and 5.15", "cloth on ball over its frames", paper_clusters_cloth,
     false},
    {"clusters-table5.2", "table 5.2, figures 5.16 and 5.17", "funnel over its frames", paper_clusters_funnel, false},
    {"clusters-fig5.25", "figure 5.25", "the suite rigid: times at given distances and volumes", run_rigid_suite, true},
    {"clusters-fig5.26", "figures 5.26 to 5.30", "the suite quality: forces and torques", run_quality, true},
};

const paper paper_clusters = {
    .name = "clusters",
    .document = "Mainzer 2015, New Geometric Algorithms and Data Structures",
    .figures = figures,
    .figure_count = sizeof figures / sizeof figures[0],
};
