/* Tables 5.1 and 5.2 of Mainzer, "New Geometric Algorithms and Data Structures for Collision Detection of Dynamically
 * Deforming Objects", 2015, with the figures of their scenes over time (5.14 to 5.17): a cloth wound around a ball, and
 * a cloth pressed through a funnel. The films are this project's, without collisions; two frames of each published
 * scene, with thousands of pairs, are in the folder of real meshes.
 *
 * There is one film for each of four ways: two clusters, as published; an adaptive number of clusters; the plain sweep
 * along x, which is one cluster; the grid. All must find the same pairs. */
#include "lab/paper_clusters_figures.h"
#include "lab/paper_film.h"
#include "lab/paper_table.h"

#include <math.h>
#include <stdlib.h>

enum { WAYS = 4, TWO = 0, ADAPTIVE = 1, SWEEP = 2, GRID = 3, LINES = 20, FRAMES_MOST = 512, LEARNING_FRAMES = 8 };

static const struct {
  const char *name, *method;
  uint32_t clusters;
  graze_axis axis;
} ways[WAYS] = {{"2 clusters", "clusters", 2, GRAZE_AXIS_PRINCIPAL},
                {"adaptive clusters", "clusters", 0, GRAZE_AXIS_PRINCIPAL},
                {"plain sweep", "clusters", 1, GRAZE_AXIS_X},
                {"grid", "grid", 0, GRAZE_AXIS_PRINCIPAL}};
static const char *const way_names[WAYS] = {"2 clusters", "adaptive clusters", "plain sweep", "grid"};

/* Mean times of all that the published table has; NaN: it has none. */
typedef struct film_paper {
  const char *name, *words, *scene;
  size_t primitives, frames;
  double thesis, cstreams, pabst, hp, mc;
  const char *files[2]; /* of the published scene */
} film_paper;

static const film_paper cloth = {.name = "clusters-table5.1",
                                 .words = "cloth on ball",
                                 .scene = "cloth-ball",
                                 .primitives = 92760,
                                 .frames = 93,
                                 .thesis = 20.24,
                                 .cstreams = 18.6,
                                 .pabst = 36.6,
                                 .hp = 23.2,
                                 .mc = 32.5,
                                 .files = {"scenes/cloth-ball/cloth_ball92.ply", "scenes/cloth-ball/cloth_ball93.ply"}};

static const film_paper funnel = {.name = "clusters-table5.2",
                                  .words = "funnel",
                                  .scene = "funnel",
                                  .primitives = 18100,
                                  .frames = 500,
                                  .thesis = 6.53,
                                  .cstreams = 4.4,
                                  .pabst = 6.7,
                                  .hp = NAN,
                                  .mc = NAN,
                                  .files = {"scenes/cloth-funnel/227.ply", "scenes/cloth-funnel/228.ply"}};

/* What a line of the table has of each way. */
typedef struct way_means {
  double ms[WAYS], compared[WAYS], clusters, pairs, frames, primitives;
} way_means;

static void write_means(const film_paper *of, const char *scene, const way_means *means, paper_table *table) {
  paper_table_words(table, scene);
  paper_table_number(table, means->primitives, 0);
  paper_table_number(table, means->frames, 0);
  paper_table_number(table, of->thesis, 2);
  paper_table_number(table, of->cstreams, 1);
  paper_table_number(table, of->pabst, 1);
  paper_table_number(table, of->hp, 1);
  paper_table_number(table, of->mc, 1);
  for (size_t i = 0; i < WAYS; i++) paper_table_number(table, means->ms[i], 2);
  for (size_t i = 0; i < WAYS; i++) paper_table_number(table, 1e-3 * means->compared[i], 0);
  paper_table_number(table, means->clusters, 0);
  paper_table_number(table, means->pairs, 0);
}

/* ---------------------------------------------------------------------------------------------- the film */

static double box_tests(const film_frame *frame) {
  return (double)frame->counters.box_tests;
}

static bool play_ways(const study *at, const film_paper *of, film films[WAYS]) {
  for (size_t i = 0; i < WAYS; i++) {
    const film_script script = {.scene = of->scene,
                                .primitives = paper_size(at, of->primitives),
                                .frames = film_length(at, of->frames),
                                .method = ways[i].method,
                                .clusters = ways[i].clusters,
                                .axis = ways[i].axis,
                                .what = ways[i].name};
    if (!film_play(at, &script, &films[i])) return false;
    for (size_t frame = 0; frame < films[i].count; frame++)
      if (films[i].frames[frame].hash != films[0].frames[frame].hash)
        return study_fail(at, "methods find different pairs in a frame");
  }
  return true;
}

static way_means film_means(const film films[WAYS]) {
  const film_frame *const last = &films[ADAPTIVE].frames[films[ADAPTIVE].count - 1];
  way_means means = {.clusters = (double)last->counters.clusters,
                     .pairs = (double)last->pairs,
                     .frames = (double)films[0].count,
                     .primitives = (double)last->primitives};
  for (size_t i = 0; i < WAYS; i++) {
    means.ms[i] = film_mean(&films[i], film_total);
    means.compared[i] = film_mean(&films[i], box_tests);
  }
  return means;
}

/* Some frames of the film, evenly spread. */
static bool write_frames(const study *at, const film_paper *of, const film films[WAYS]) {
  static const paper_column columns[] = {
      {"frame", 5},         {"update ms", 9},   {"bounds ms", 9}, {"build ms", 8},
      {"search ms", 9},     {"test ms", 7},     {"order ms", 8},  {"2 clusters ms", 13},
      {"adaptive ms", 11},  {"sweep ms", 8},    {"grid ms", 8},   {"clusters", 8},
      {"2 compared k", 12}, {"adaptive k", 10}, {"sweep k", 8},   {"candidates", 10},
  };
  char name[64];
  paper_table table;
  snprintf(name, sizeof name, "%s-frames", of->name);
  if (!paper_table_open(at, name, columns, sizeof columns / sizeof columns[0], &table)) return false;
  const size_t count = films[0].count, step = (count + LINES - 1) / LINES;
  for (size_t i = 0; i < count; i += step) {
    const graze_timings *const stages = &films[TWO].frames[i].stages;
    paper_table_number(&table, (double)(i + 1), 0);
    paper_table_number(&table, stages->update_ms, 3);
    paper_table_number(&table, stages->bounds_ms, 3);
    paper_table_number(&table, stages->build_ms, 3);
    paper_table_number(&table, stages->search_ms, 3);
    paper_table_number(&table, stages->test_ms, 3);
    paper_table_number(&table, stages->order_ms, 3);
    for (size_t k = 0; k < WAYS; k++) paper_table_number(&table, films[k].frames[i].total_ms, 3);
    paper_table_number(&table, (double)films[ADAPTIVE].frames[i].counters.clusters, 0);
    for (size_t k = 0; k < GRID; k++) paper_table_number(&table, 1e-3 * box_tests(&films[k].frames[i]), 0);
    paper_table_number(&table, (double)films[GRID].frames[i].counters.candidates, 0);
  }
  return paper_table_close(&table, true);
}

/* ---------------------------------------------------------------------------------------------- drawings */

/* A drawing of lines over frames: `value` of each way. */
static bool draw_ways(const study *at, const film_paper *of, const film films[WAYS], size_t way_count,
                      const char *title, const char *vertical, double (*value)(const film_frame *frame),
                      const char *ending) {
  static double points[FRAMES_MOST], values[WAYS * FRAMES_MOST];
  const size_t count = films[0].count < FRAMES_MOST ? films[0].count : FRAMES_MOST;
  char file[128];
  for (size_t i = 0; i < count; i++) {
    points[i] = (double)(i + 1);
    for (size_t k = 0; k < way_count; k++) values[k * count + i] = value(&films[k].frames[i]);
  }
  const line_panel panel = {of->words, values};
  const line_chart chart = {.title = title,
                            .horizontal = "frame",
                            .vertical = vertical,
                            .lines = way_names,
                            .line_count = way_count,
                            .points = points,
                            .point_count = count,
                            .panels = &panel,
                            .panel_count = 1};
  snprintf(file, sizeof file, "paper_%s-%s.svg", of->name, ending);
  return study_draw_lines(at, &chart, file);
}

static double clusters_of(const film_frame *frame) {
  return (double)frame->counters.clusters;
}

static bool draw_count(const study *at, const film_paper *of, const film *played) {
  static double points[FRAMES_MOST], values[FRAMES_MOST];
  static const char *const names[] = {"clusters"};
  const size_t count = played->count < FRAMES_MOST ? played->count : FRAMES_MOST;
  char file[128];
  for (size_t i = 0; i < count; i++) {
    points[i] = (double)(i + 1);
    values[i] = clusters_of(&played->frames[i]);
  }
  const line_panel panel = {of->words, values};
  const line_chart chart = {.title = "Number of clusters when it adapts",
                            .horizontal = "frame",
                            .vertical = "clusters",
                            .lines = names,
                            .line_count = 1,
                            .points = points,
                            .point_count = count,
                            .panels = &panel,
                            .panel_count = 1,
                            .linear = true};
  snprintf(file, sizeof file, "paper_%s-count.svg", of->name);
  return study_draw_lines(at, &chart, file);
}

/* Figures 5.15 and 5.17: what a frame of two clusters is made of. More frames than columns are joined by their means.
 */
static bool draw_stages(const study *at, const film_paper *of, const film *played) {
  enum { LAYERS = 6, COLUMNS_MOST = 100 };
  static const char *const layers[LAYERS] = {"update, learning", "boxes", "axes, order",
                                             "search",           "test",  "order of pairs"};
  static double values[COLUMNS_MOST * LAYERS];
  static char labels[COLUMNS_MOST][24];
  const char *names[COLUMNS_MOST];
  const size_t step = (played->count + COLUMNS_MOST - 1) / COLUMNS_MOST, columns = (played->count + step - 1) / step;
  char file[128];
  for (size_t i = 0; i < columns; i++) {
    double *const own = values + LAYERS * i;
    const size_t end = (i + 1) * step < played->count ? (i + 1) * step : played->count;
    for (size_t k = 0; k < LAYERS; k++) own[k] = 0.0;
    for (size_t frame = i * step; frame < end; frame++) {
      const graze_timings *const stages = &played->frames[frame].stages;
      const double parts[LAYERS] = {stages->update_ms, stages->bounds_ms, stages->build_ms,
                                    stages->search_ms, stages->test_ms,   stages->order_ms};
      for (size_t k = 0; k < LAYERS; k++) own[k] += parts[k] / (double)(end - i * step);
    }
    labels[i][0] = '\0';
    if (i % 10 == 0) snprintf(labels[i], sizeof labels[i], "%zu", i * step + 1);
    names[i] = labels[i];
  }
  const stack_panel panel = {of->words, columns, names, values};
  const stack_chart chart = {.title = "A frame by two clusters",
                             .horizontal = "frame",
                             .vertical = "milliseconds",
                             .layers = layers,
                             .layer_count = LAYERS,
                             .panels = &panel,
                             .panel_count = 1};
  snprintf(file, sizeof file, "paper_%s.svg", of->name);
  return study_draw_stacks(at, &chart, file);
}

static bool draw_film(const study *at, const film_paper *of, const film films[WAYS]) {
  return draw_stages(at, of, &films[TWO]) &&
         draw_ways(at, of, films, WAYS, "A frame by four methods", "milliseconds", film_total, "methods") &&
         draw_ways(at, of, films, GRID, "Compared boxes", "comparisons", box_tests, "compared") &&
         draw_count(at, of, &films[ADAPTIVE]);
}

/* ---------------------------------------------------------------------------------------------- published frames */

static bool ask_published(study *at, const film_paper *of, size_t file, way_means *means) {
  char path[4096];
  bench_scene scene;
  snprintf(path, sizeof path, "%s/%s", at->settings->data, of->files[file]);
  if (!bench_scene_read_file(path, of->words, &scene, at->error, at->error_bytes)) return false;
  at->row_count = 0;
  for (size_t i = 0; i < WAYS; i++) {
    bench_call call = study_call(at, &scene, BENCH_BOTH);
    call.method = ways[i].method;
    call.clusters = ways[i].clusters;
    call.axis = ways[i].axis;
    call.frame = BENCH_FRAME_POSITIONS;
    call.earlier = i == ADAPTIVE ? LEARNING_FRAMES : 1;
    study_plan(at, call);
  }
  const bool good = study_measure(at, at->settings->rounds) && study_agree(at, 0, WAYS);
  for (size_t i = 0; i < WAYS && good; i++) {
    means->ms[i] += 0.5 * bench_row_least(&at->rows[i]);
    means->compared[i] += 0.5 * (double)at->rows[i].rounds[0].counters.box_tests;
  }
  if (good) {
    means->clusters = (double)at->rows[ADAPTIVE].rounds[0].counters.clusters;
    means->pairs = (double)at->rows[GRID].rounds[0].pairs;
    means->primitives = (double)bench_row_primitives(&at->rows[GRID]);
    means->frames += 1.0;
  }
  bench_scene_free(&scene);
  return good;
}

static bool write_published(study *at, const film_paper *of, paper_table *table) {
  way_means means = {.clusters = 0.0};
  if (at->settings->data == NULL) return true;
  for (size_t i = 0; i < 2; i++)
    if (!ask_published(at, of, i, &means)) return false;
  write_means(of, "published frames", &means, table);
  return true;
}

/* ---------------------------------------------------------------------------------------------- the tables */

static bool measure(study *at, const film_paper *of, film films[WAYS], paper_table *table) {
  if (!write_published(at, of, table) || !play_ways(at, of, films)) return false;
  const way_means means = film_means(films);
  write_means(of, of->scene, &means, table);
  return true;
}

static bool run_table(study *at, const film_paper *of) {
  static const paper_column columns[] = {
      {"scene", -16},        {"triangles", 9},    {"frames", 6},   {"thesis ms", 9},
      {"CStreams", 8},       {"Pabst", 5},        {"HP", 5},       {"MC", 5},
      {"2 clusters ms", 13}, {"adaptive ms", 11}, {"sweep ms", 8}, {"grid ms", 8},
      {"2 compared k", 12},  {"adaptive k", 10},  {"sweep k", 8},  {"grid k", 7},
      {"clusters", 8},       {"last pairs", 10},
  };
  film films[WAYS] = {{0}};
  paper_table table;
  bool good = paper_table_open(at, of->name, columns, sizeof columns / sizeof columns[0], &table);
  if (good) good = paper_table_close(&table, measure(at, of, films, &table));
  good = good && write_frames(at, of, films) && draw_film(at, of, films);
  for (size_t i = 0; i < WAYS; i++) film_free(&films[i]);
  return good;
}

bool paper_clusters_cloth(study *at) {
  return run_table(at, &cloth);
}

bool paper_clusters_funnel(study *at) {
  return run_table(at, &funnel);
}
