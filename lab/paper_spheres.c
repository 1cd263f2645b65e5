/* Weller, Frese, Zachmann: "Parallel Collision Detection in Constant Time", 2013. A fixed body, filled with spheres,
 * and its copy, shifted by half of its box, which rotates once about the vertical axis; every frame queries their
 * shared volume, with pairs, force and torque. Published times are those of a GTX 680; the text states only "about 1
 * ms" per query and "a fraction of a millisecond" for the grid.
 *
 * The bodies are this project's, except for the cow, which the folder of real meshes may have. One packing of the
 * largest size serves all: spheres are placed one after the other, so its first spheres are the packing with fewer
 * spheres. */
#include "bench/rigid_poses.h"
#include "lab/paper_list.h"
#include "lab/paper_table.h"
#include "lab/sphere_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 3, SIZES = 5, FRAMES = 360, QUICK_FRAMES = 36, TRIANGLES = 20000, STEP_POSES = 8 };

static const size_t sizes[SIZES] = {4000, 8000, 15000, 30000, 60000};

/* The first three that there are. */
static const struct {
  const char *name, *file; /* below the folder of data; NULL: a model of that name */
} candidates[] = {{"cow", "meshes/cow.obj"},
                  {"armadillo", "meshes/armadillo_29k.obj.gz"},
                  {"blob", NULL},
                  {"knot", NULL},
                  {"gear", NULL}};

/* A packed body around the origin, and how far its copy is shifted. */
typedef struct packed {
  const char *name;
  graze_sphere *spheres; /* owned; large ones first, about */
  size_t count;
  double mesh_volume, shift;
} packed;

/* ---------------------------------------------------------------------------------------------- bodies */

static bool fail_graze(const study *at) {
  return study_fail(at, graze_error_text());
}

static bool stops(void *context) {
  return bench_watch_stops(context);
}

static bool make_shape(const study *at, size_t candidate, bench_scene *scene) {
  char path[4096];
  if (candidates[candidate].file == NULL)
    return bench_scene_make_model(candidates[candidate].name, study_scaled(at, TRIANGLES), scene, at->error,
                                  at->error_bytes);
  snprintf(path, sizeof path, "%s/%s", at->settings->data, candidates[candidate].file);
  return bench_scene_read_file(path, candidates[candidate].name, scene, at->error, at->error_bytes);
}

static bool keep_spheres(const study *at, const graze_packing *packing, packed *body) {
  body->count = packing->count;
  body->mesh_volume = fabs(packing->mesh_volume);
  body->spheres = calloc(packing->count + 1, sizeof *body->spheres);
  if (body->spheres == NULL) return study_fail(at, "out of memory");
  if (packing->count > 0) memcpy(body->spheres, packing->spheres, packing->count * sizeof *body->spheres);
  return true;
}

static bool pack(const study *at, const bench_shape *shape, packed *body) {
  graze_mesh_def surface = graze_mesh_def_default();
  surface.positions = (graze_view){shape->positions, shape->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  surface.triangles = (graze_view){shape->triangles, shape->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  graze_packing_options options = graze_packing_options_default();
  options.count = paper_size(at, sizes[SIZES - 1]);
  options.should_stop = stops;
  options.stop_context = at->settings->watch;
  graze_packing packing = {0};
  const graze_result result = graze_pack_spheres(&surface, &options, &packing);
  bool good = result == GRAZE_OK;
  if (!good) study_fail(at, result == GRAZE_STOPPED ? "" : graze_error_text());
  good = good && keep_spheres(at, &packing, body);
  graze_packing_free(&packing);
  return good;
}

static bool make_body(const study *at, size_t candidate, packed *body) {
  bench_scene scene;
  if (!study_goes_on(at, candidates[candidate].name, 0.0) || !make_shape(at, candidate, &scene)) return false;
  double lower[3], upper[3];
  bench_shape_fit(&scene.shapes[0], 2.0);
  bench_shape_bounds(&scene.shapes[0], lower, upper);
  *body = (packed){.name = candidates[candidate].name, .shift = 0.5 * (upper[0] - lower[0])};
  const bool made = pack(at, &scene.shapes[0], body);
  bench_scene_free(&scene);
  return made;
}

/* So many of a size as there are: a body may be full before. */
static size_t count_of(const study *at, const packed *body, size_t size) {
  const size_t wanted = paper_size(at, sizes[size]);
  return wanted < body->count ? wanted : body->count;
}

static double fill_percent(const packed *body, size_t count) {
  double volume = 0.0;
  for (size_t i = 0; i < count; i++) volume += pow(body->spheres[i].radius, 3.0);
  return 100.0 * 4.1887902047863905 * volume / body->mesh_volume;
}

/* What is done with each body in turn; the last has the number BODIES - 1. */
typedef bool body_work(const study *at, const packed *body, size_t number, void *context);

static bool on_bodies(const study *at, body_work *work, void *context) {
  size_t number = 0;
  bool good = true;
  for (size_t i = 0; i < sizeof candidates / sizeof candidates[0] && number < BODIES && good; i++) {
    if (candidates[i].file != NULL && at->settings->data == NULL) continue;
    packed body = {0};
    good = make_body(at, i, &body) && work(at, &body, number, context);
    free(body.spheres);
    number++;
  }
  return good;
}

/* ---------------------------------------------------------------------------------------------- figures 5 and 6 */

/* Milliseconds of one frame. */
typedef struct frame_times {
  double query_ms; /* candidates, tests, order, and the sums of volumes and forces */
  double build_ms; /* the grid of both bodies, from their positions on */
  uint64_t pairs, box_tests;
} frame_times;

typedef struct turning {
  graze_scene *scene;
  graze_object objects[2];
  graze_pairs pairs;
  graze_wrenches wrenches;
} turning;

static bool open_turning(const study *at, const packed *body, size_t count, turning *made) {
  *made = (turning){0};
  graze_method_def method = graze_method_def_default();
  method.name = "grid";
  if (bench_backend_scene(&at->settings->backend, at->settings->threads, NULL, &made->scene) != GRAZE_OK ||
      graze_scene_set_method(made->scene, &method) != GRAZE_OK)
    return fail_graze(at);
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = (graze_view){body->spheres[0].center, count, sizeof *body->spheres, GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){&body->spheres[0].radius, count, sizeof *body->spheres, GRAZE_FORMAT_DOUBLE};
  placed.self = false;
  for (int i = 0; i < 2; i++)
    if (graze_scene_add(made->scene, GRAZE_KIND_SPHERE, &def, &placed, &made->objects[i]) != GRAZE_OK)
      return fail_graze(at);
  return true;
}

static void close_turning(turning *made) {
  graze_pairs_free(&made->pairs);
  graze_wrenches_free(&made->wrenches);
  graze_scene_destroy(made->scene);
}

static bool ask_frame(const study *at, turning *made, const bench_pose *pose, frame_times *times, bool first) {
  if (graze_object_set_pose(made->scene, made->objects[1], pose) != GRAZE_OK ||
      graze_scene_update(made->scene) != GRAZE_OK)
    return fail_graze(at);
  const double begin = bench_milliseconds();
  if (graze_scene_find_pairs(made->scene, NULL, &made->pairs) != GRAZE_OK ||
      graze_scene_make_wrenches(made->scene, made->pairs.pairs, made->pairs.count, NULL, &made->wrenches) != GRAZE_OK)
    return fail_graze(at);
  const graze_timings *const stages = made->pairs.timings;
  const double query = bench_milliseconds() - begin - stages->bounds_ms - stages->build_ms;
  const double build = stages->update_ms + stages->bounds_ms + stages->build_ms;
  times->query_ms = first || query < times->query_ms ? query : times->query_ms;
  times->build_ms = first || build < times->build_ms ? build : times->build_ms;
  times->pairs = made->pairs.count;
  times->box_tests = made->pairs.counters->box_tests;
  return true;
}

static size_t frame_count(const study *at) {
  return at->settings->quick ? QUICK_FRAMES : FRAMES;
}

/* A round is a turn; one before the first is not counted. */
static bool turn(const study *at, const packed *body, size_t count, frame_times *frames) {
  const size_t frame_end = frame_count(at);
  bench_pose *const poses = calloc(frame_end, sizeof *poses);
  turning made = {0};
  bool good = poses != NULL ? open_turning(at, body, count, &made) : study_fail(at, "out of memory");
  if (good) rigid_poses_revolve(body->shift, poses, frame_end);
  for (size_t round = 0; round <= at->settings->rounds && good; round++)
    for (size_t i = 0; i < frame_end && good; i++)
      good = study_goes_on(at, body->name, (double)round / (double)(at->settings->rounds + 1)) &&
             ask_frame(at, &made, &poses[i], &frames[i], round <= 1);
  close_turning(&made);
  free(poses);
  return good;
}

typedef struct turn_times {
  paper_table table;
  double query_worst[BODIES][SIZES], build_worst[BODIES][SIZES];
  double counts[SIZES];
  const char *names[BODIES];
  double *frames; /* query_ms of the first body, size by size */
  char labels[SIZES][32];
} turn_times;

static void write_turn(const study *at, const packed *body, size_t number, size_t size, const frame_times *frames,
                       turn_times *all) {
  const size_t frame_end = frame_count(at), count = count_of(at, body, size);
  double mean = 0.0, most = 0.0, build = 0.0, pairs = 0.0, tests = 0.0;
  for (size_t i = 0; i < frame_end; i++) {
    mean += frames[i].query_ms / (double)frame_end;
    pairs += (double)frames[i].pairs / (double)frame_end;
    tests += (double)frames[i].box_tests / (double)frame_end;
    most = fmax(most, frames[i].query_ms);
    build = fmax(build, frames[i].build_ms);
    if (number == 0) all->frames[size * frame_end + i] = frames[i].query_ms;
  }
  all->query_worst[number][size] = most;
  all->build_worst[number][size] = build;
  paper_table_words(&all->table, body->name);
  paper_table_number(&all->table, (double)count, 0);
  paper_table_number(&all->table, fill_percent(body, count), 1);
  paper_table_number(&all->table, 1.0, 0);
  paper_table_number(&all->table, mean, 3);
  paper_table_number(&all->table, most, 3);
  paper_table_number(&all->table, build, 3);
  paper_table_number(&all->table, pairs, 0);
  paper_table_number(&all->table, tests / (2.0 * (double)count), 1);
}

static bool turn_body(const study *at, const packed *body, size_t number, void *context) {
  turn_times *const all = context;
  frame_times *const frames = calloc(frame_count(at), sizeof *frames);
  bool good = frames != NULL || study_fail(at, "out of memory");
  all->names[number] = body->name;
  for (size_t size = 0; size < SIZES && good; size++) {
    const size_t count = count_of(at, body, size);
    if (number == 0) snprintf(all->labels[size], sizeof all->labels[size], "%zu spheres", count);
    all->counts[size] = (double)paper_size(at, sizes[size]);
    good = turn(at, body, count, frames);
    if (good) write_turn(at, body, number, size, frames, all);
  }
  free(frames);
  return good;
}

static bool draw_frames(const study *at, const turn_times *all) {
  const size_t frame_end = frame_count(at);
  double points[FRAMES];
  const char *names[SIZES];
  for (size_t i = 0; i < frame_end; i++) points[i] = 360.0 * (double)i / (double)frame_end;
  for (size_t i = 0; i < SIZES; i++) names[i] = all->labels[i];
  const line_panel panel = {all->names[0], all->frames};
  const line_chart chart = {.title = "Two packings, one rotating: time of a query",
                            .horizontal = "degrees",
                            .vertical = "milliseconds",
                            .lines = names,
                            .line_count = SIZES,
                            .points = points,
                            .point_count = frame_end,
                            .panels = &panel,
                            .panel_count = 1};
  return study_draw_lines(at, &chart, "paper_spheres-fig5-frames.svg");
}

static bool draw_worst(const study *at, const turn_times *all) {
  const line_panel panels[2] = {{"worst query (figure 5)", all->query_worst[0]},
                                {"worst building (figure 6)", all->build_worst[0]}};
  const line_chart chart = {.title = "Two packings, one rotating: worst frame",
                            .horizontal = "spheres of each",
                            .vertical = "milliseconds",
                            .lines = all->names,
                            .line_count = BODIES,
                            .points = all->counts,
                            .point_count = SIZES,
                            .panels = panels,
                            .panel_count = 2,
                            .even = true};
  return study_draw_lines(at, &chart, "paper_spheres-fig5.svg");
}

static bool run_figure_5(study *at) {
  static const paper_column columns[] = {
      {"body", -9},
      {"spheres", 8},
      {"filled %", 8},
      {"published about ms", 18},
      {"our mean query ms", 17},
      {"our worst", 9},
      {"our worst build ms", 18},
      {"mean pairs", 10},
      {"box tests a sphere", 18},
  };
  turn_times all = {.frames = calloc(SIZES * frame_count(at), sizeof *all.frames)};
  if (all.frames == NULL) return study_fail(at, "out of memory");
  bool good = paper_table_open(at, "spheres-fig5", columns, sizeof columns / sizeof columns[0], &all.table);
  if (good) good = paper_table_close(&all.table, on_bodies(at, turn_body, &all));
  good = good && draw_frames(at, &all) && draw_worst(at, &all);
  free(all.frames);
  return good;
}

/* ---------------------------------------------------------------------------------------------- constant time */

/* As many processors as spheres, as in the proof; as many as fill the published card; few. */
enum { CARDS = 3, CARD_SPHERES = 20000, FEW = 1000 };

typedef struct step_counts {
  paper_table table;
  double busiest[CARDS][BODIES * SIZES]; /* body by body */
  double counts[SIZES];
  const char *names[BODIES];
} step_counts;

/* A pose of the second packing. */
static void place(const packed *body, size_t count, const bench_pose *pose, graze_sphere *placed) {
  for (size_t i = 0; i < count; i++) {
    const double *const c = body->spheres[i].center;
    for (int k = 0; k < 3; k++) {
      const double *const row = pose->rotation + 3 * k;
      placed[i].center[k] = row[0] * c[0] + row[1] * c[1] + row[2] * c[2] + pose->translation[k];
    }
    placed[i].radius = body->spheres[i].radius;
  }
}

static double largest(double a, uint64_t b) {
  return fmax(a, (double)b);
}

/* The most over poses of everything, and the pairs of the last. */
typedef struct step_worst {
  double listings, fullest, cells, met, most, mean, busiest[CARDS];
  double levels, pairs;
} step_worst;

static void join_steps(const study *at, const sphere_steps *steps, step_worst *worst) {
  const size_t processors[CARDS] = {steps->count, paper_size(at, CARD_SPHERES), paper_size(at, FEW)};
  worst->listings = largest(worst->listings, steps->listings_most);
  worst->fullest = largest(worst->fullest, steps->fullest_cell);
  worst->cells = largest(worst->cells, steps->cells_most);
  worst->met = largest(worst->met, steps->met_most);
  worst->most = largest(worst->most, steps->steps_most);
  worst->mean = fmax(worst->mean, (double)steps->steps / (double)steps->count);
  worst->levels = largest(worst->levels, steps->levels);
  worst->pairs = (double)steps->pairs;
  for (size_t i = 0; i < CARDS; i++)
    worst->busiest[i] = largest(worst->busiest[i], sphere_steps_busiest(steps, processors[i]));
}

static bool count_pose(const study *at, const packed *body, size_t count, const bench_pose *pose, graze_sphere *placed,
                       step_worst *worst) {
  sphere_steps steps;
  place(body, count, pose, placed);
  if (!sphere_steps_count(body->spheres, count, placed, count, &steps)) return study_fail(at, "out of memory");
  join_steps(at, &steps, worst);
  sphere_steps_free(&steps);
  return true;
}

/* What graze itself finds there. Centers that touch by a rounding may be counted otherwise, and nothing else. */
static bool check_pairs(const study *at, const packed *body, size_t count, const bench_pose *pose, double pairs) {
  turning made;
  frame_times times = {0};
  const bool asked = open_turning(at, body, count, &made) && ask_frame(at, &made, pose, &times, true);
  close_turning(&made);
  if (!asked) return false;
  return fabs((double)times.pairs - pairs) <= 1e-5 * pairs + 1.0 ||
         study_fail(at, "the published grid and graze find different pairs");
}

static void write_steps(const packed *body, size_t count, const step_worst *worst, paper_table *table) {
  double least = body->spheres[0].radius, most = least;
  for (size_t i = 0; i < count; i++) {
    least = fmin(least, body->spheres[i].radius);
    most = fmax(most, body->spheres[i].radius);
  }
  paper_table_words(table, body->name);
  paper_table_number(table, (double)count, 0);
  paper_table_number(table, most / least, 1);
  paper_table_number(table, worst->levels, 0);
  paper_table_number(table, worst->listings, 0);
  paper_table_number(table, worst->fullest, 0);
  paper_table_number(table, worst->cells, 0);
  paper_table_number(table, worst->met, 0);
  paper_table_number(table, worst->mean, 1);
  for (size_t i = 0; i < CARDS; i++) paper_table_number(table, worst->busiest[i], 0);
  paper_table_number(table, worst->pairs, 0);
}

static bool count_size(const study *at, const packed *body, size_t number, size_t size, step_counts *all) {
  const size_t count = count_of(at, body, size);
  graze_sphere *const placed = calloc(count + 1, sizeof *placed);
  bench_pose poses[STEP_POSES];
  step_worst worst = {0};
  bool good = placed != NULL || study_fail(at, "out of memory");
  rigid_poses_revolve(body->shift, poses, STEP_POSES);
  for (size_t i = 0; i < STEP_POSES && good; i++)
    good = study_goes_on(at, body->name, (double)(number * SIZES + size) / (BODIES * SIZES)) &&
           count_pose(at, body, count, &poses[i], placed, &worst);
  free(placed);
  good = good && check_pairs(at, body, count, &poses[STEP_POSES - 1], worst.pairs);
  if (!good) return false;
  write_steps(body, count, &worst, &all->table);
  all->counts[size] = (double)paper_size(at, sizes[size]);
  for (size_t i = 0; i < CARDS; i++) all->busiest[i][number * SIZES + size] = worst.busiest[i];
  return true;
}

static bool count_body(const study *at, const packed *body, size_t number, void *context) {
  step_counts *const all = context;
  all->names[number] = body->name;
  for (size_t size = 0; size < SIZES; size++)
    if (!count_size(at, body, number, size, all)) return false;
  return true;
}

static bool draw_steps(const study *at, const step_counts *all) {
  char titles[CARDS][48];
  snprintf(titles[0], sizeof titles[0], "a processor for each sphere");
  snprintf(titles[1], sizeof titles[1], "%zu processors", paper_size(at, CARD_SPHERES));
  snprintf(titles[2], sizeof titles[2], "%zu processors", paper_size(at, FEW));
  line_panel panels[CARDS];
  for (size_t i = 0; i < CARDS; i++) panels[i] = (line_panel){titles[i], all->busiest[i]};
  const line_chart chart = {.title = "Steps of the busiest processor in the published grid",
                            .horizontal = "spheres of each",
                            .vertical = "cells visited and spheres met",
                            .lines = all->names,
                            .line_count = BODIES,
                            .points = all->counts,
                            .point_count = SIZES,
                            .panels = panels,
                            .panel_count = CARDS,
                            .even = true};
  return study_draw_lines(at, &chart, "paper_spheres-constant.svg");
}

static bool run_constant(study *at) {
  static const paper_column columns[] = {
      {"body", -9},         {"spheres", 8},         {"largest over least", 18}, {"levels", 6},
      {"cells of one", 12}, {"fullest cell", 12},   {"cells asked", 11},        {"met", 5},
      {"mean steps", 10},   {"most: one each", 14}, {"most: a card", 12},       {"most: few", 9},
      {"pairs", 8},
  };
  step_counts all = {0};
  if (!paper_table_open(at, "spheres-constant", columns, sizeof columns / sizeof columns[0], &all.table)) return false;
  return paper_table_close(&all.table, on_bodies(at, count_body, &all)) && draw_steps(at, &all);
}

/* ---------------------------------------------------------------------------------------------- the list */

static const paper_figure figures[] = {
    {"spheres-fig5", "figures 5 and 6", "query and building over 4,000 to 60,000 spheres", run_figure_5, false},
    {"spheres-constant", "section 4.2", "the published grid: steps of the busiest of n processors", run_constant,
     false},
};

const paper paper_spheres = {
    .name = "spheres",
    .document = "Weller, Frese, Zachmann 2013, Parallel Collision Detection in Constant Time",
    .figures = figures,
    .figure_count = sizeof figures / sizeof figures[0],
};
