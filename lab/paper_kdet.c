/* Weller, Debowski, Zachmann: "kDet: Parallel Constant Time Collision Detection for Polygonal Objects", 2017. Published
 * times are those of kDet and of gProximity (Lauterbach, Mo, Manocha: "gProximity: Hierarchical GPU-based operations
 * for collision and distance queries", 2010) on a GTX 1080, in milliseconds. The published scenes are not available;
 * scenes of this project imitate them. All pairs within and between objects. */
#include "lab/lab_variants.h"
#include "lab/paper_film.h"
#include "lab/paper_kdet_figures.h"
#include "lab/paper_lines.h"
#include "lab/paper_list.h"
#include "lab/paper_table.h"

#include "graze/names.h"

#include <math.h>

/* ---------------------------------------------------------------------------------------------- table 1 */

/* A line of table 1, and the scene that stands for it. */
typedef struct published_scene {
  const char *words, *scene;
  size_t polygons;
  double k, height, kdet_find, kdet_update, kdet_total, gproximity_total;
} published_scene;

static const published_scene table_1[] = {
    {"Dragon", "exploding-solid", 252000, 8.4, 7.8, 8.3, 1.0, 9.3, 33.3},
    {"Whirling cloth", "whirling-cloth", 92000, 6.6, 3.4, 5.2, 0.2, 6.1, 24.0},
    {"N-body", "n-body", 146000, 9.7, 4.4, 4.1, 0.3, 4.4, 19.3},
    {"Funnel", "funnel", 18000, 9.5, 6.7, 1.6, 0.1, 1.7, 13.3},
    {"Chair", "cloth-chair", 40000, 19.0, 10.7, 4.6, 0.1, 4.7, 12.8},
    {"Chair", "cloth-chair", 90000, 20.6, 12.3, 10.0, 0.2, 10.2, 24.5},
    {"Chair", "cloth-chair", 130000, 21.3, 11.8, 14.3, 0.3, 14.6, 34.2},
    {"Breaking Buddha", "breaking-solid", 38000, 16.8, 8.3, 4.9, 0.2, 5.1, 19.7},
    {"Breaking Buddha", "breaking-solid", 68000, 16.8, 8.3, 6.2, 0.2, 6.3, 28.5},
    {"Breaking Buddha", "breaking-solid", 100000, 13.3, 8.3, 7.6, 0.3, 7.9, 40.1},
    {"Breaking Buddha", "breaking-solid", 120000, 13.3, 8.3, 11.8, 0.4, 12.2, 61.7},
    {"Cloth on Buddha", "cloth-statue", 20000, 11.6, 8.3, 1.8, 0.1, 1.9, 8.6},
    {"Cloth on Buddha", "cloth-statue", 40000, 11.1, 8.0, 2.5, 0.1, 2.6, 12.2},
    {"Cloth on Buddha", "cloth-statue", 90000, 10.0, 7.9, 4.4, 0.2, 4.6, 18.7},
    {"Cloth on Buddha", "cloth-statue", 200000, 8.3, 7.6, 7.7, 0.5, 8.2, 33.4},
    {"Cloth on Buddha", "cloth-statue", 250000, 8.2, 7.5, 9.2, 0.5, 9.7, 41.6},
};
enum { TABLE_1_LINES = sizeof table_1 / sizeof table_1[0], FRAMES = 93 };

static void write_line(paper_table *table, const published_scene *line, const film *played) {
  paper_table_words(table, line->words);
  paper_table_number(table, (double)line->polygons, 0);
  paper_table_number(table, line->k, 1);
  paper_table_number(table, line->height, 1);
  paper_table_number(table, line->kdet_update, 1);
  paper_table_number(table, line->kdet_find, 1);
  paper_table_number(table, line->kdet_total, 1);
  paper_table_number(table, line->gproximity_total, 1);
  paper_table_words(table, line->scene);
  paper_table_number(table, (double)played->frames[played->count - 1].primitives, 0);
  paper_table_number(table, (double)played->count, 0);
  paper_table_number(table, played->crowding.k > 0 ? played->crowding.mean : NAN, 1);
  paper_table_number(table, played->crowding.k > 0 ? (double)played->crowding.k : NAN, 0);
  paper_table_number(table, played->crowding.k > 0 ? played->crowding.height : NAN, 1);
  paper_table_number(table, film_mean(played, film_update), 3);
  paper_table_number(table, film_mean(played, film_find), 3);
  paper_table_number(table, film_mean(played, film_total), 3);
}

static bool table_line(const study *at, const published_scene *line, paper_table *table) {
  const film_script script = {.scene = line->scene,
                              .primitives = paper_size(at, line->polygons),
                              .frames = FRAMES,
                              .every = film_every(at, FRAMES),
                              .crowding = true,
                              .what = line->scene};
  film played;
  const bool good = film_play(at, &script, &played);
  if (played.count > 0) write_line(table, line, &played);
  film_free(&played);
  return good;
}

static bool run_table_1(study *at) {
  static const paper_column columns[] = {
      {"published scene", -16},
      {"polygons", 8},
      {"their k", 7},
      {"height", 6},
      {"kDet update ms", 14},
      {"find ms", 7},
      {"total ms", 8},
      {"gProximity ms", 13},
      {"our scene", -15},
      {"triangles", 9},
      {"frames", 6},
      {"mean k", 6},
      {"most", 5},
      {"height of ours", 14},
      {"our update ms", 13},
      {"our find ms", 11},
      {"our total ms", 12},
  };
  paper_table table;
  if (!paper_table_open(at, "kdet-table1", columns, sizeof columns / sizeof columns[0], &table)) return false;
  bool good = true;
  for (size_t i = 0; i < TABLE_1_LINES && good; i++) good = table_line(at, &table_1[i], &table);
  return paper_table_close(&table, good);
}

/* ---------------------------------------------------------------------------------------------- figure 9, left */

/* The lines of table 1 that are one scene at several resolutions. */
enum { SIZES_FIRST = 11, SIZES = 5 };

/* Times a polygon, ours of our own scenes: these may be smaller than the published ones. */
static bool draw_sizes(const study *at, const double ours[SIZES], size_t count) {
  static const char *const names[] = {"kDet, GTX 1080", "gProximity, GTX 1080", "graze, here"};
  double points[SIZES], values[3 * SIZES] = {0};
  for (size_t i = 0; i < count; i++) {
    const published_scene *const line = &table_1[SIZES_FIRST + i];
    points[i] = 1e-3 * (double)line->polygons;
    values[i] = 1e6 * line->kdet_total / (double)line->polygons;
    values[count + i] = 1e6 * line->gproximity_total / (double)line->polygons;
    values[2 * count + i] = ours[i];
  }
  char title[128];
  snprintf(title, sizeof title, "Cloth on a statue, mean time of a frame over its polygons%s",
           paper_size(at, table_1[SIZES_FIRST].polygons) < table_1[SIZES_FIRST].polygons
               ? "; graze's scenes are smaller"
               : "");
  const line_panel panel = {"", values};
  const line_chart chart = {.title = title,
                            .horizontal = "thousand polygons, of the published scene",
                            .vertical = "ns a polygon",
                            .lines = names,
                            .line_count = 3,
                            .points = points,
                            .point_count = count,
                            .panels = &panel,
                            .panel_count = 1,
                            .linear = true};
  return count < 2 || study_draw_lines(at, &chart, "paper_kdet-size.svg");
}

static bool run_sizes(study *at) {
  static const paper_column columns[] = {{"polygons", 8},       {"kDet ms", 8},     {"gProximity ms", 13},
                                         {"our triangles", 13}, {"graze ms", 9},    {"kDet ns each", 12},
                                         {"graze ns each", 13}, {"candidates", 10}, {"box tests", 10}};
  paper_table table;
  if (!paper_table_open(at, "kdet-size", columns, sizeof columns / sizeof columns[0], &table)) return false;
  double ours[SIZES]; /* nanoseconds a triangle */
  bool good = true;
  size_t done = 0;
  for (size_t i = 0; i < SIZES && good; i++) {
    const published_scene *const line = &table_1[SIZES_FIRST + i];
    const film_script script = {.scene = line->scene,
                                .primitives = paper_size(at, line->polygons),
                                .frames = FRAMES,
                                .every = film_every(at, FRAMES),
                                .what = line->scene};
    film played;
    good = film_play(at, &script, &played);
    if (good) {
      const double triangles = (double)played.frames[0].primitives;
      const double total = film_mean(&played, film_total);
      ours[done++] = 1e6 * total / triangles;
      paper_table_number(&table, (double)line->polygons, 0);
      paper_table_number(&table, line->kdet_total, 1);
      paper_table_number(&table, line->gproximity_total, 1);
      paper_table_number(&table, triangles, 0);
      paper_table_number(&table, total, 3);
      paper_table_number(&table, 1e6 * line->kdet_total / (double)line->polygons, 1);
      paper_table_number(&table, ours[i], 1);
      paper_table_number(&table, film_mean(&played, film_candidates), 0);
      paper_table_number(&table, film_mean(&played, film_box_tests), 0);
    }
    film_free(&played);
  }
  return paper_table_close(&table, good) && draw_sizes(at, ours, done);
}

/* ---------------------------------------------------------------------------------------------- time over frames */

/* Frame by frame: one line of the table each, and lines of the drawing. */
typedef struct frame_figure {
  const char *name, *title;
  const published_scene *line;
} frame_figure;

static bool draw_frames(const study *at, const frame_figure *figure, const film *played) {
  static const char *const names[] = {"boxes and grid", "all of it"};
  const size_t count = played->count;
  paper_lines lines;
  if (!paper_lines_make(at, 2, count, &lines)) return false;
  for (size_t i = 0; i < count; i++) {
    lines.points[i] = (double)played->frames[i].number;
    lines.values[i] = played->frames[i].update_ms;
    lines.values[count + i] = played->frames[i].total_ms;
  }
  char title[160], file[64];
  snprintf(title, sizeof title, "%s: graze, %zu triangles", figure->title,
           count > 0 ? played->frames[count - 1].primitives : 0);
  snprintf(file, sizeof file, "paper_%s.svg", figure->name);
  const line_chart words = {
      .title = title, .horizontal = "frame", .vertical = "milliseconds", .lines = names, .linear = true};
  return paper_lines_draw(at, &lines, &words, file);
}

static bool show_frames(const study *at, const frame_figure *figure, const film *played) {
  static const paper_column columns[] = {
      {"frame", 5},   {"objects", 7}, {"triangles", 9}, {"candidates", 10}, {"boxes and grid ms", 17},
      {"find ms", 9}, {"total ms", 9}};
  paper_table table;
  if (!paper_table_open(at, figure->name, columns, sizeof columns / sizeof columns[0], &table)) return false;
  for (size_t i = 0; i < played->count; i++) {
    const film_frame *const frame = &played->frames[i];
    paper_table_number(&table, (double)frame->number, 0);
    paper_table_number(&table, (double)frame->objects, 0);
    paper_table_number(&table, (double)frame->primitives, 0);
    paper_table_number(&table, (double)frame->counters.candidates, 0);
    paper_table_number(&table, frame->update_ms, 3);
    paper_table_number(&table, frame->find_ms, 3);
    paper_table_number(&table, frame->total_ms, 3);
  }
  printf(
      "mean: %.3f ms, boxes and grid %.3f; published for %zu polygons: kDet %.1f, populating %.1f; gProximity %.1f\n",
      film_mean(played, film_total), film_mean(played, film_update), figure->line->polygons, figure->line->kdet_total,
      figure->line->kdet_update, figure->line->gproximity_total);
  return paper_table_close(&table, true) && draw_frames(at, figure, played);
}

static bool run_frames(study *at, const frame_figure *figure) {
  const film_script script = {.scene = figure->line->scene,
                              .primitives = paper_size(at, figure->line->polygons),
                              .frames = FRAMES,
                              .every = film_every(at, FRAMES),
                              .what = figure->line->scene};
  film played;
  const bool good = film_play(at, &script, &played);
  const bool shown = played.count == 0 || show_frames(at, figure, &played);
  film_free(&played);
  return good && shown;
}

static bool run_breaking(study *at) {
  return run_frames(at, &(frame_figure){"kdet-frames", "A solid breaks", &table_1[10]});
}

static bool run_chair(study *at) {
  return run_frames(at, &(frame_figure){"kdet-chair", "Cloth on a chair", &table_1[6]});
}

/* ---------------------------------------------------------------------------------------------- figure 8, left */

enum { HASHES = LAB_HASHES, N_BODY = 2 };

static const char *const hash_names[HASHES] = {"morton", "djb2", "fnv1a", "primes"};

static bool draw_hashes(const study *at, const film films[HASHES], size_t count) {
  const char *names[HASHES];
  paper_lines lines;
  if (!paper_lines_make(at, HASHES, count, &lines)) return false;
  for (size_t hash = 0; hash < HASHES; hash++) names[hash] = hash_names[hash];
  for (size_t i = 0; i < HASHES * count; i++) {
    lines.points[i % count] = (double)films[0].frames[i % count].number;
    lines.values[i] = films[i / count].frames[i % count].total_ms;
  }
  const line_chart words = {.title = "Flying balls: frames by four cell hashes",
                            .horizontal = "frame",
                            .vertical = "milliseconds",
                            .lines = names,
                            .linear = true};
  return paper_lines_draw(at, &lines, &words, "paper_kdet-hash.svg");
}

static bool show_hashes(const study *at, const film films[HASHES]) {
  static const paper_column columns[] = {{"hash", -8},     {"frames", 6},  {"candidates", 10}, {"box tests", 10},
                                         {"update ms", 9}, {"find ms", 9}, {"total ms", 9}};
  paper_table table;
  if (!paper_table_open(at, "kdet-hash", columns, sizeof columns / sizeof columns[0], &table)) return false;
  size_t shortest = films[0].count;
  for (size_t hash = 0; hash < HASHES; hash++) {
    paper_table_words(&table, hash_names[hash]);
    paper_table_number(&table, (double)films[hash].count, 0);
    paper_table_number(&table, film_mean(&films[hash], film_candidates), 0);
    paper_table_number(&table, film_mean(&films[hash], film_box_tests), 0);
    paper_table_number(&table, film_mean(&films[hash], film_update), 3);
    paper_table_number(&table, film_mean(&films[hash], film_find), 3);
    paper_table_number(&table, film_mean(&films[hash], film_total), 3);
    shortest = films[hash].count < shortest ? films[hash].count : shortest;
  }
  return paper_table_close(&table, true) && draw_hashes(at, films, shortest);
}

/* The published answer is a drawing, and the words that both hashes do equally well. */
static bool run_hashes(study *at) {
  const published_scene *const line = &table_1[N_BODY];
  film films[HASHES] = {{0}};
  bool good = true;
  for (size_t hash = 0; hash < HASHES && good; hash++) {
    const film_script script = {.scene = line->scene,
                                .primitives = paper_size(at, line->polygons),
                                .frames = FRAMES,
                                .every = film_every(at, FRAMES),
                                .variant = lab_hashes[hash],
                                .what = hash_names[hash]};
    good = film_play(at, &script, &films[hash]);
  }
  const bool shown = show_hashes(at, films);
  for (size_t i = 0; i < HASHES; i++) film_free(&films[i]);
  return good && shown;
}

/* ---------------------------------------------------------------------------------------------- the list */

static const paper_figure figures[] = {
    {"kdet-table1", "table 1", "times of all scenes, means over frames", run_table_1, false},
    {"kdet-hash", "figure 8, left", "cell hashes over the frames of flying balls", run_hashes, true},
    {"kdet-chair", "figure 8, right", "share of the grid in a frame, cloth on a chair", run_chair, false},
    {"kdet-size", "figure 9, left", "growth with the number of polygons", run_sizes, false},
    {"kdet-frames", "figure 9, right", "time over the frames of a breaking solid", run_breaking, false},
    {"kdet-k", "section 6.1, figure 6", "k and height of real meshes and of models", figure_kdet_k, false},
    {"kdet-grid", "sections 4 and 5", "the published grid, compared with graze", figure_kdet_grid, false},
};

const paper paper_kdet = {
    .name = "kdet",
    .document = "Weller, Debowski, Zachmann 2017, kDet",
    .figures = figures,
    .figure_count = sizeof figures / sizeof figures[0],
};
