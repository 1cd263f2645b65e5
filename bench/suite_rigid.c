/* The suite of rigid bodies: queries of a body and its copy in configurations with given distances and shared volumes:
 * yes or no and all pairs with the methods of graze, distance and volume with sphere trees. After section 5.7.2 of
 * Mainzer, "New Geometric Algorithms and Data Structures for Collision Detection of Dynamically Deforming Objects",
 * 2015. Prints mean and maximum over configurations of the least time in the rounds. One thread. */
#include "bench/configuration_search.h"
#include "bench/study_list.h"

#include "graze/batch.h"
#include "graze/packing.h"
#include "models/seeded_random.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIANGLES = 10000, SPHERES = 2000, QUICK = 10, KINDS = 2, TARGETS_MAX = CONFIGURATION_DISTANCES };

static const char *const bodies[] = {"blob", "knot", "gear"};
enum { BODIES = sizeof bodies / sizeof bodies[0] };

/* The first three query the engines below for any pair, the next three for all pairs. */
enum { METHODS = 3, BATCH = 2 * METHODS, BALLS, WAYS };
static const char *const engine_names[METHODS] = {"tree", "grid", "clusters"};

/* A body in the forms of all engines. */
typedef struct suite_body {
  const char *name;
  bench_scene scene; /* owns the shape */
  double diagonal;
  mesh_balls *balls;
  graze_packing packing;
  graze_sphere_tree *tree;
  const rigid_engine *engines[METHODS];
  void *pairs[METHODS];
  graze_scene *batch_scene;
  graze_object batch_objects[2];
} suite_body;

/* The measurements of one distance or volume. */
typedef struct target_times {
  size_t count;
  uint64_t meeting, pairs;
  double mean_us[WAYS], worst_us[WAYS];
} target_times;

/* ---------------------------------------------------------------------------------------------- bodies */

static bool fail_graze(const study *at) {
  return study_fail(at, graze_error_text());
}

static const rigid_engine *find_engine(const char *name) {
  size_t count;
  const rigid_engine *const engines = rigid_graze_engines(&count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(engines[i].name, name) == 0) return &engines[i];
  return NULL;
}

static graze_mesh_def def_of(const bench_shape *shape) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){shape->positions, shape->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){shape->triangles, shape->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  return def;
}

static bool make_tree(const study *at, suite_body *body) {
  const graze_mesh_def surface = def_of(&body->scene.shapes[0]);
  graze_packing_options options = graze_packing_options_default();
  options.count = study_scaled(at, SPHERES);
  if (graze_pack_spheres(&surface, &options, &body->packing) != GRAZE_OK) return fail_graze(at);
  const graze_sphere *const spheres = body->packing.spheres;
  graze_sphere_tree_def def = graze_sphere_tree_def_default();
  def.centers = (graze_view){spheres[0].center, body->packing.count, sizeof *spheres, GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){&spheres[0].radius, body->packing.count, sizeof *spheres, GRAZE_FORMAT_DOUBLE};
  def.worker_count = 1;
  return graze_sphere_tree_create(&def, &body->tree) == GRAZE_OK || fail_graze(at);
}

static bool open_engines(const study *at, suite_body *body) {
  const bench_shape shapes[2] = {body->scene.shapes[0], body->scene.shapes[0]};
  rigid_error error;
  for (size_t i = 0; i < METHODS; i++) {
    body->engines[i] = find_engine(engine_names[i]);
    body->pairs[i] = body->engines[i] != NULL ? body->engines[i]->open_pair(body->engines[i], shapes, &error) : NULL;
    if (body->pairs[i] == NULL) return study_fail(at, "an engine rejects the body");
  }
  return true;
}

static bool open_batch(const study *at, suite_body *body) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1;
  graze_method_def method = graze_method_def_default();
  method.name = "tree";
  const graze_mesh_def surface = def_of(&body->scene.shapes[0]);
  graze_result result = graze_scene_create(&def, &body->batch_scene);
  if (result == GRAZE_OK) result = graze_scene_set_method(body->batch_scene, &method);
  for (size_t i = 0; i < 2 && result == GRAZE_OK; i++)
    result = graze_scene_add(body->batch_scene, GRAZE_KIND_TRIANGLE, &surface, NULL, &body->batch_objects[i]);
  if (result == GRAZE_OK) result = graze_scene_update(body->batch_scene);
  return result == GRAZE_OK || fail_graze(at);
}

static size_t triangles_of(const study *at) {
  return at->settings->suite->triangles != 0 ? at->settings->suite->triangles : study_scaled(at, TRIANGLES);
}

static bool open_body(const study *at, const char *name, suite_body *body) {
  *body = (suite_body){.name = name};
  if (!bench_scene_make_model(name, triangles_of(at), &body->scene, at->error, at->error_bytes)) return false;
  bench_shape *const shape = &body->scene.shapes[0];
  bench_shape_fit(shape, 2.0);
  bench_shape_round_to_float(shape);
  double lower[3], upper[3], square = 0.0;
  bench_shape_bounds(shape, lower, upper);
  for (int k = 0; k < 3; k++) square += (upper[k] - lower[k]) * (upper[k] - lower[k]);
  body->diagonal = sqrt(square);
  body->balls = mesh_balls_make(shape);
  if (body->balls == NULL) return study_fail(at, "out of memory");
  return make_tree(at, body) && open_engines(at, body) && open_batch(at, body);
}

static void close_body(suite_body *body) {
  for (size_t i = 0; i < METHODS; i++)
    if (body->pairs[i] != NULL) body->engines[i]->close_pair(body->pairs[i]);
  graze_scene_destroy(body->batch_scene);
  graze_sphere_tree_destroy(body->tree);
  graze_packing_free(&body->packing);
  mesh_balls_free(body->balls);
  bench_scene_free(&body->scene);
}

/* ---------------------------------------------------------------------------------------------- configurations */

/* All ways, or a seeded share of them. */
static uint64_t way_at(const study *at, configuration_kind kind, uint64_t i, random_stream *stream) {
  const bench_suite_settings *const suite = at->settings->suite;
  return suite->all ? i : random_bits(stream) % configuration_ways(suite->method, kind);
}

static uint64_t way_count(const study *at, configuration_kind kind) {
  const bench_suite_settings *const suite = at->settings->suite;
  return suite->all ? configuration_ways(suite->method, kind) : suite->share;
}

static bool search_kind(const study *at, const suite_body *body, configuration_kind kind, configuration_list *list) {
  const configuration_search search = {.method = at->settings->suite->method,
                                       .diagonal = body->diagonal,
                                       .balls = body->balls,
                                       .engine = body->engines[0],
                                       .pair = body->pairs[0],
                                       .tree = body->tree,
                                       .volume = body->packing.sphere_volume};
  random_stream stream = random_stream_make(at->settings->suite->seed, (uint64_t)kind);
  const uint64_t count = way_count(at, kind);
  rigid_error error;
  for (uint64_t i = 0; i < count; i++) {
    if (!study_goes_on(at, kind == CONFIGURATION_DISTANCE ? "placing by distance" : "placing by volume",
                       (double)i / (double)count))
      return false;
    if (!configuration_search_way(&search, kind, way_at(at, kind, i, &stream), list, &error))
      return study_fail(at, error.text);
  }
  return true;
}

static bool search_all(const study *at, const suite_body *body, configuration_list *list) {
  const double begin = bench_milliseconds();
  for (int kind = 0; kind < KINDS; kind++)
    if (!search_kind(at, body, (configuration_kind)kind, list)) return false;
  study_speaks(at);
  printf("%zu configurations found in %.1f s\n", list->count, 1e-3 * (bench_milliseconds() - begin));
  return list->count > 0 || study_fail(at, "no path leads to a configuration");
}

/* Reads configurations from the file if it exists; otherwise finds them, and writes them if a file is given. */
static bool get_configurations(const study *at, const suite_body *body, configuration_list *list) {
  const char *const path = at->settings->suite->configurations;
  configuration_heading heading = {.triangles = body->scene.shapes[0].triangle_count, .diagonal = body->diagonal};
  snprintf(heading.body, sizeof heading.body, "%s", body->name);
  if (path != NULL && access(path, F_OK) == 0) {
    if (!configurations_read(path, &heading, list, at->error, at->error_bytes)) return false;
    printf("%zu configurations read from %s\n", list->count, path);
    return true;
  }
  return search_all(at, body, list) &&
         (path == NULL || configurations_write(path, &heading, list, at->error, at->error_bytes));
}

/* ---------------------------------------------------------------------------------------------- measuring */

/* The configurations of one target, and the least time of each way in each. */
typedef struct target {
  const configuration **items;
  size_t count;
  double *least_us;    /* way by way */
  rigid_answer *truth; /* any and all, by the tree */
} target;

static bool target_make(const configuration_list *list, configuration_kind kind, uint32_t percent, target *made) {
  *made = (target){.items = calloc(list->count + 1, sizeof *made->items)};
  for (size_t i = 0; i < list->count && made->items != NULL; i++)
    if (list->items[i].kind == kind && list->items[i].percent == percent) made->items[made->count++] = &list->items[i];
  made->least_us = calloc(WAYS * made->count + 1, sizeof *made->least_us);
  made->truth = calloc(2 * made->count + 1, sizeof *made->truth);
  return made->items != NULL && made->least_us != NULL && made->truth != NULL;
}

static void target_free(target *made) {
  free(made->items);
  free(made->least_us);
  free(made->truth);
}

static void note_time(target *of, size_t way, size_t item, double us, bool first) {
  double *const least = &of->least_us[way * of->count + item];
  *least = first || us < *least ? us : *least;
}

static bool same_answer(const rigid_answer *a, const rigid_answer *b) {
  return a->found == b->found && a->pairs == b->pairs && a->hash == b->hash;
}

/* Runs one query with every method. The tree's answer is the reference; configurations of a distance do not intersect.
 */
static bool ask_methods(const study *at, const suite_body *body, target *of, size_t item, rigid_question question,
                        bool first) {
  const bool all = question == RIGID_ALL;
  rigid_answer *const truth = &of->truth[2 * item + all];
  for (size_t method = 0; method < METHODS; method++) {
    rigid_error error;
    rigid_answer answer;
    const double begin = bench_milliseconds();
    const bool done =
        body->engines[method]->ask_pair(body->pairs[method], &of->items[item]->pose, question, &answer, &error);
    note_time(of, method + (all ? METHODS : 0), item, 1e3 * (bench_milliseconds() - begin), first);
    if (!done) return study_fail(at, error.text);
    if (method == 0) *truth = answer;
    if (!same_answer(&answer, truth)) return study_fail(at, "methods disagree about a configuration");
  }
  if (of->items[item]->kind == CONFIGURATION_DISTANCE && truth->found)
    return study_fail(at, "bodies that should be apart intersect");
  return true;
}

static bool ask_tree(const study *at, const suite_body *body, target *of, size_t item, bool first) {
  const graze_pose pose = of->items[item]->pose;
  graze_sphere_distance distance = {.struct_bytes = sizeof distance};
  graze_sphere_volume volume = {.struct_bytes = sizeof volume};
  const double begin = bench_milliseconds();
  const graze_result result = of->items[item]->kind == CONFIGURATION_DISTANCE
                                  ? graze_sphere_trees_distance(body->tree, NULL, body->tree, &pose, NULL, &distance)
                                  : graze_sphere_trees_volume(body->tree, NULL, body->tree, &pose, NULL, &volume);
  note_time(of, BALLS, item, 1e3 * (bench_milliseconds() - begin), first);
  return result == GRAZE_OK || fail_graze(at);
}

/* Runs all poses in one call; the time per pose is the mean. */
static bool ask_batch(const study *at, const suite_body *body, target *of, bool first) {
  graze_pose *const poses = calloc(of->count + 1, sizeof *poses);
  uint8_t *const answers = calloc(of->count + 1, sizeof *answers);
  bool good = poses != NULL && answers != NULL;
  for (size_t i = 0; i < of->count && good; i++) poses[i] = of->items[i]->pose;
  if (!good) study_fail(at, "out of memory");
  const graze_id_pair pair = {body->batch_objects[0], body->batch_objects[1]};
  graze_batch_def batch = graze_batch_def_default();
  batch.moving = &pair.b;
  batch.moving_count = 1;
  batch.poses = poses;
  batch.pose_count = of->count;
  batch.pairs = &pair;
  batch.pair_count = 1;
  batch.hits_out = answers;
  const double begin = bench_milliseconds();
  if (good && graze_scene_run_batch(body->batch_scene, &batch) != GRAZE_OK) good = fail_graze(at);
  const double us = 1e3 * (bench_milliseconds() - begin) / (double)of->count;
  for (size_t i = 0; i < of->count && good; i++) {
    note_time(of, BATCH, i, us, first);
    if ((answers[i] != 0) != of->truth[2 * i].found) good = study_fail(at, "a batch of poses gives different answers");
  }
  free(poses);
  free(answers);
  return good;
}

static bool run_round(const study *at, const suite_body *body, target *of, bool first) {
  for (size_t i = 0; i < of->count; i++)
    if (!ask_methods(at, body, of, i, RIGID_ANY, first) || !ask_methods(at, body, of, i, RIGID_ALL, first) ||
        !ask_tree(at, body, of, i, first))
      return false;
  return ask_batch(at, body, of, first);
}

static void sum_up(const target *of, target_times *times) {
  *times = (target_times){.count = of->count};
  for (size_t i = 0; i < of->count; i++) {
    times->meeting += of->truth[2 * i].found;
    times->pairs += of->truth[2 * i + 1].pairs;
    for (size_t way = 0; way < WAYS; way++) {
      const double us = of->least_us[way * of->count + i];
      times->mean_us[way] += us / (double)of->count;
      times->worst_us[way] = fmax(times->worst_us[way], us);
    }
  }
}

/* ---------------------------------------------------------------------------------------------- tables */

/* Columns of times, by way, in the order of the table. */
static const size_t columns[] = {0, BATCH, 1, 2, METHODS, METHODS + 1, METHODS + 2, BALLS};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* The times of all pairs are on a separate line, with those of sphere trees. */
static void begin_column(size_t way) {
  if (way == METHODS) printf("\n%31s  %-9s", "", "all pairs");
}

static void print_heading(void) {
  printf("microseconds: mean (worst); sphere trees: distance or volume\n");
  printf("%7s %6s %7s %8s  %-9s", "percent", "number", "meeting", "pairs", "yes or no");
  for (size_t i = 0; i < COLUMNS; i++) {
    const size_t way = columns[i];
    begin_column(way);
    printf(" %14s", way == BATCH ? "tree, one call" : way == BALLS ? "sphere trees" : engine_names[way % METHODS]);
  }
  printf("\n");
}

static void print_time(const target_times *times, size_t way) {
  char words[48] = "-";
  if (times->count > 0 && way == BATCH) snprintf(words, sizeof words, "%.1f", times->mean_us[way]);
  if (times->count > 0 && way != BATCH)
    snprintf(words, sizeof words, "%.1f (%.0f)", times->mean_us[way], times->worst_us[way]);
  begin_column(way);
  printf(" %14s", words);
}

static void print_target(uint32_t percent, const target_times *times) {
  printf("%7" PRIu32 " %6zu %7" PRIu64 " %8.1f  %-9s", percent, times->count, times->meeting,
         times->count > 0 ? (double)times->pairs / (double)times->count : 0.0, "yes or no");
  for (size_t i = 0; i < COLUMNS; i++) print_time(times, columns[i]);
  printf("\n");
  fflush(stdout);
}

static void write_target(const study *at, const suite_body *body, configuration_kind kind, uint32_t percent,
                         const target_times *times, FILE *table) {
  for (size_t way = 0; way < WAYS && table != NULL; way++) {
    const bool balls = way == BALLS, batch = way == BATCH;
    fprintf(table, "%s,%zu,%zu,%s,%" PRIu32 ",%zu,%" PRIu64 ",%" PRIu64 ",%s,%s,%.3f,", body->name,
            body->scene.shapes[0].triangle_count, body->packing.count, configuration_kind_name(kind), percent,
            times->count, times->meeting, times->pairs,
            balls           ? configuration_kind_name(kind)
            : batch         ? "any"
            : way < METHODS ? "any"
                            : "all",
            balls   ? "sphere-trees"
            : batch ? "tree-batch"
                    : engine_names[way % METHODS],
            times->mean_us[way]);
    if (!batch) fprintf(table, "%.3f", times->worst_us[way]);
    fprintf(table, ",%s,%s,%s\n", at->out->record.commit, at->out->record.machine, at->out->record.date);
  }
}

/* ---------------------------------------------------------------------------------------------- drawings */

enum { LINES_MAX = 5 };

static bool draw(const study *at, const suite_body *body, configuration_kind kind, const target_times *times,
                 const size_t *ways, size_t way_count, const char *question, const char *file_word) {
  const size_t count = configuration_targets(kind);
  double points[TARGETS_MAX], mean[LINES_MAX * TARGETS_MAX], worst[LINES_MAX * TARGETS_MAX];
  const char *names[LINES_MAX];
  const char *const balls_name = kind == CONFIGURATION_DISTANCE ? "sphere trees: distance" : "sphere trees: volume";
  char file[128], title[160];
  for (size_t line = 0; line < way_count; line++) {
    names[line] = ways[line] == BATCH   ? "tree, in one call"
                  : ways[line] == BALLS ? balls_name
                                        : engine_names[ways[line] % METHODS];
    for (size_t i = 0; i < count; i++) {
      points[i] = (double)i;
      mean[line * count + i] = times[i].mean_us[ways[line]];
      worst[line * count + i] = ways[line] == BATCH ? 0.0 : times[i].worst_us[ways[line]];
    }
  }
  snprintf(file, sizeof file, "rigid_%s_%s_%s.svg", body->name, configuration_kind_name(kind), file_word);
  snprintf(title, sizeof title, "%s and its copy, %zu triangles each: %s", body->name,
           body->scene.shapes[0].triangle_count, question);
  const line_panel panels[2] = {{"average", mean}, {"maximum", worst}};
  const line_chart chart = {.title = title,
                            .horizontal = kind == CONFIGURATION_DISTANCE
                                              ? "distance, percent of the diagonal of the box"
                                              : "shared volume, percent of the packing's",
                            .vertical = "microseconds",
                            .lines = names,
                            .line_count = way_count,
                            .points = points,
                            .point_count = count,
                            .panels = panels,
                            .panel_count = 2};
  return study_draw_lines(at, &chart, file);
}

static bool draw_kind(const study *at, const suite_body *body, configuration_kind kind, const target_times *times) {
  static const size_t any[LINES_MAX] = {0, BATCH, 1, 2, BALLS}, all[METHODS] = {3, 4, 5};
  return draw(at, body, kind, times, any, LINES_MAX, "yes or no", "any") &&
         draw(at, body, kind, times, all, METHODS, "all pairs", "all");
}

/* ---------------------------------------------------------------------------------------------- the suite */

/* All distances, or all volumes, and their common number of rounds. */
typedef struct target_set {
  configuration_kind kind;
  target targets[TARGETS_MAX];
  size_t count, rounds;
} target_set;

static bool set_make(const configuration_list *list, configuration_kind kind, target_set *set) {
  *set = (target_set){.kind = kind, .count = configuration_targets(kind)};
  bool made = true;
  for (size_t i = 0; i < set->count; i++) made = target_make(list, kind, (uint32_t)i, &set->targets[i]) && made;
  return made;
}

/* A round visits every target, so that a slow phase of the machine affects all of them. */
static bool run_rounds(const study *at, const suite_body *body, target_set *set) {
  const double all = (double)(at->settings->rounds * set->count);
  for (size_t round = 0; round < at->settings->rounds; round++, set->rounds++)
    for (size_t i = 0; i < set->count; i++) {
      if (!study_goes_on(at, configuration_kind_name(set->kind), (double)(round * set->count + i) / all)) return false;
      if (set->targets[i].count > 0 && !run_round(at, body, &set->targets[i], round == 0)) return false;
    }
  return true;
}

static bool show_set(const study *at, const suite_body *body, const target_set *set, FILE *table) {
  target_times times[TARGETS_MAX];
  printf("%s, %s\n", body->name,
         set->kind == CONFIGURATION_DISTANCE ? "distances in percent of the diagonal of its box"
                                             : "shared volumes in percent of the packing's");
  print_heading();
  for (size_t i = 0; i < set->count; i++) {
    sum_up(&set->targets[i], &times[i]);
    print_target((uint32_t)i, &times[i]);
    if (times[i].count > 0) write_target(at, body, set->kind, (uint32_t)i, &times[i], table);
  }
  return at->settings->figures == NULL || draw_kind(at, body, set->kind, times);
}

/* A stopped run prints its results if every target had a round. */
static bool measure_kind(const study *at, const suite_body *body, const configuration_list *list,
                         configuration_kind kind, FILE *table) {
  target_set set;
  const bool made = set_make(list, kind, &set) || study_fail(at, "out of memory");
  const bool done = made && run_rounds(at, body, &set);
  study_speaks(at);
  const bool whole = done || (made && set.rounds > 0 && bench_watch_stops(at->settings->watch));
  const bool shown = whole && show_set(at, body, &set, table);
  for (size_t i = 0; i < set.count; i++) target_free(&set.targets[i]);
  return done && shown;
}

static bool run_body(const study *at, const char *name, FILE *table) {
  suite_body body;
  configuration_list list = {0};
  bool good = open_body(at, name, &body);
  if (good)
    printf("\n%s: %zu triangles, %zu spheres, %.1f %% full; %" PRIu64 " of %" PRIu64 " ways by distance, %" PRIu64
           " of %" PRIu64 " by volume, seed %" PRIu64 "\n",
           name, body.scene.shapes[0].triangle_count, body.packing.count, 100.0 * body.packing.fill_rate,
           way_count(at, CONFIGURATION_DISTANCE),
           configuration_ways(at->settings->suite->method, CONFIGURATION_DISTANCE), way_count(at, CONFIGURATION_VOLUME),
           configuration_ways(at->settings->suite->method, CONFIGURATION_VOLUME), at->settings->suite->seed);
  good = good && get_configurations(at, &body, &list);
  for (int kind = 0; kind < KINDS && good; kind++)
    good = measure_kind(at, &body, &list, (configuration_kind)kind, table);
  configuration_list_free(&list);
  close_body(&body);
  return good;
}

static FILE *open_table(const study *at) {
  char path[4096];
  snprintf(path, sizeof path, "%s/rigid.csv", at->settings->figures);
  FILE *const table = fopen(path, "w");
  if (table == NULL) study_fail(at, strerror(errno));
  if (table != NULL)
    fputs(
        "body,triangles,spheres,kind,percent,configurations,meeting,pairs,question,way,mean_us,worst_us,commit,machine,"
        "date\n",
        table);
  return table;
}

static size_t chosen_count(const study *at) {
  size_t count = 0;
  for (size_t i = 0; i < BODIES; i++) count += bench_words_have(&at->settings->scenes, bodies[i]);
  return count;
}

bool suite_rigid(study *at) {
  if (chosen_count(at) == 0) return study_fail(at, "--scene: this suite has the bodies blob, knot and gear");
  if (at->settings->suite->configurations != NULL && chosen_count(at) > 1)
    return study_fail(at, "--configurations holds one body; select it with --scene");
  FILE *const table = at->settings->figures != NULL ? open_table(at) : NULL;
  if (table == NULL && at->settings->figures != NULL) return false;
  bool good = true;
  for (size_t i = 0; i < BODIES && good; i++)
    if (bench_words_have(&at->settings->scenes, bodies[i])) good = run_body(at, bodies[i], table);
  const bool written = table == NULL || ferror(table) == 0;
  if ((table != NULL && fclose(table) != 0) || !written)
    good = good && study_fail(at, "the table could not be written");
  return good;
}
