/* Compares the published kDet with graze, on the same scenes and the same device: the rows show the progress of the
 * method since 2017, and the published times that of the hardware. The scenes are models of this project with published
 * sizes; triangles of one soup, in float, already on the device. */
#include "bench/bench_record.h"
#include "lab/kdet_grid.h"
#include "lab/paper_kdet_figures.h"
#include "lab/paper_table.h"

#include "graze/triangle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Brute force of more triangles takes minutes by loops on the host, and seconds on a device. */
enum { BRUTE_MOST_HOST = 4000, BRUTE_MOST_DEVICE = 200000 };

static const struct {
  const char *model, *published;
  size_t triangles;
  double published_ms;
} scenes[] = {{"draped-cloth", "cloth on Buddha 90k", 90000, 4.6},
              {"blobs", "n-body 146k", 146000, 4.4},
              {"rods", "chair 130k", 130000, 14.6}};
enum { SCENES = sizeof scenes / sizeof scenes[0] };

static const struct {
  const char *label, *words;
  kdet_options options;
  bool devices; /* a question for devices alone */
  bool drawn;
} variants[] = {
    {"none", "no pairs; DJB2", {.buckets = KDET_BUCKETS_DJB2, .dedup = KDET_NONE, .block = 128}, false, true},
    {"Morton", "no pairs; Morton", {KDET_GRID, KDET_MORTON, KDET_BUCKETS_MORTON, KDET_NONE, 128, 0}, false, true},
    {"sort", "pairs by sorting; DJB2", {.buckets = KDET_BUCKETS_DJB2, .block = 128}, false, true},
    {"", "pairs by sorting; Morton", {KDET_GRID, KDET_MORTON, KDET_BUCKETS_MORTON, KDET_SORT, 128, 0}, false, false},
    {"map", "pairs by a map; DJB2", {.buckets = KDET_BUCKETS_DJB2, .dedup = KDET_MAP, .block = 128}, false, true},
    {"", "by sorting; 3.8 million buckets", {.buckets = KDET_BUCKETS_THESIS, .block = 128}, true, false},
    {"", "by sorting; blocks of 16", {.buckets = KDET_BUCKETS_DJB2, .block = 16}, true, false},
    {"", "by sorting; blocks of 32", {.buckets = KDET_BUCKETS_DJB2, .block = 32}, true, false},
    {"", "by sorting; blocks of 64", {.buckets = KDET_BUCKETS_DJB2, .block = 64}, true, false},
    {"", "by sorting; blocks of 256", {.buckets = KDET_BUCKETS_DJB2, .block = 256}, true, false},
    {"", "brute force; loop", {.way = KDET_BRUTE_LOOP, .block = 128}, false, false},
    {"", "brute force; no loop", {.way = KDET_BRUTE_NO_LOOP, .block = 128}, false, false},
};
enum { VARIANTS = sizeof variants / sizeof variants[0], COLUMNS_MAX = 1 + VARIANTS };

/* A scene as all ways take it, and what graze says of it. */
typedef struct grid_scene {
  size_t number; /* in the list */
  bench_scene scene;
  float *positions;
  kdet_soup soup;
  graze_pairs truth;
  uint64_t colliding;
} grid_scene;

/* Columns of the drawing. */
typedef struct grid_panel {
  const char *labels[COLUMNS_MAX];
  double values[COLUMNS_MAX * KDET_STAGES];
  size_t count;
} grid_panel;

static bool on_device(const study *at) {
  return bench_backend_has_devices(&at->settings->backend);
}

/* ---------------------------------------------------------------------------------------------- scenes */

static bool make_soup(const study *at, grid_scene *made) {
  const bench_shape *const shape = &made->scene.shapes[0];
  made->positions = calloc(3 * shape->vertex_count + 1, sizeof *made->positions);
  if (made->positions == NULL) return study_fail(at, "out of memory");
  for (size_t i = 0; i < 3 * shape->vertex_count; i++) made->positions[i] = (float)shape->positions[i];
  made->soup = (kdet_soup){made->positions, shape->vertex_count, shape->triangles, shape->triangle_count};
  return true;
}

static void free_scene(grid_scene *made) {
  graze_pairs_free(&made->truth);
  free(made->positions);
  bench_scene_free(&made->scene);
}

static bool count_colliding(const study *at, grid_scene *made) {
  unsigned char *const marks = calloc(made->soup.triangle_count + 1, 1);
  if (marks == NULL) return study_fail(at, "out of memory");
  for (size_t i = 0; i < made->truth.count; i++)
    marks[made->truth.pairs[i].primitive_a] = marks[made->truth.pairs[i].primitive_b] = 1;
  made->colliding = 0;
  for (size_t i = 0; i < made->soup.triangle_count; i++) made->colliding += marks[i];
  free(marks);
  return true;
}

/* ---------------------------------------------------------------------------------------------- rows */

static void add_column(grid_panel *panel, const char *label, const double stages[KDET_STAGES]) {
  panel->labels[panel->count] = label;
  memcpy(panel->values + KDET_STAGES * panel->count++, stages, KDET_STAGES * sizeof *stages);
}

static void write_row(paper_table *table, const grid_scene *made, const char *words, const kdet_outcome *outcome,
                      double pairs, double marked) {
  paper_table_words(table, scenes[made->number].model);
  paper_table_number(table, (double)made->soup.triangle_count, 0);
  paper_table_words(table, words);
  paper_table_number(table, outcome->levels, 0);
  paper_table_number(table, outcome->stored > 0 ? (double)outcome->stored : NAN, 0);
  paper_table_number(table, outcome->stored > 0 ? (double)outcome->linked : NAN, 0);
  paper_table_number(table, (double)outcome->met, 0);
  paper_table_number(table, isnan(pairs) ? NAN : (double)outcome->candidate_count, 0);
  paper_table_number(table, pairs, 0);
  paper_table_number(table, marked, 0);
  for (int i = 0; i < KDET_STAGES; i++) paper_table_number(table, outcome->stage_ms[i], 3);
  paper_table_number(table, outcome->total_ms, 3);
  paper_table_number(table, 1e-6 * (double)outcome->bytes, 1);
}

/* What was published, of the scene that this one stands for. */
static void write_published(paper_table *table, const grid_scene *made) {
  paper_table_words(table, scenes[made->number].published);
  paper_table_number(table, (double)scenes[made->number].triangles, 0);
  paper_table_words(table, "published: GTX 1080");
  for (int i = 0; i < 7 + KDET_STAGES; i++) paper_table_number(table, NAN, 0);
  paper_table_number(table, scenes[made->number].published_ms, 3);
  paper_table_number(table, NAN, 0);
}

/* By stages of graze's clock, each the least of the rounds: of a device by its own. Sorting the pairs is put down with
 * making them unique. */
static void note_stages(const graze_pairs *pairs, bool first, kdet_outcome *outcome) {
  const graze_timings *const t = pairs->timings;
  const double stages[KDET_STAGES] = {t->update_ms + t->bounds_ms, t->build_ms, t->search_ms, t->order_ms, t->test_ms};
  for (int i = 0; i < KDET_STAGES; i++)
    outcome->stage_ms[i] = first ? stages[i] : fmin(outcome->stage_ms[i], stages[i]);
}

/* The whole is the sum of the stages. With one thread of the processor it is at most the time of that, as it is for the
 * published grid: other work of the machine makes stages longer and that not. */
static void sum_stages(const study *at, double processor_ms, kdet_outcome *outcome) {
  double sum = 0.0;
  for (int i = 0; i < KDET_STAGES; i++) sum += outcome->stage_ms[i];
  const bool scaled = !on_device(at) && at->settings->threads == 1 && sum > processor_ms;
  for (int i = 0; i < KDET_STAGES && scaled; i++) outcome->stage_ms[i] *= processor_ms / sum;
  outcome->total_ms = scaled ? processor_ms : sum;
}

static graze_result ask_graze(const study *at, grid_scene *made, graze_scene *scene, kdet_outcome *outcome) {
  graze_object object;
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){made->soup.positions, made->soup.vertex_count, 0, GRAZE_FORMAT_FLOAT3};
  def.triangles = (graze_view){made->soup.triangles, made->soup.triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  graze_method_def method = graze_method_def_default();
  method.name = "grid";
  const graze_query query = graze_query_default();
  graze_result result = graze_scene_set_method(scene, &method);
  if (result == GRAZE_OK) result = graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object);
  double least_ms = HUGE_VAL;
  for (size_t round = 0; round <= at->settings->rounds && result == GRAZE_OK; round++) {
    result = graze_object_set_positions(scene, object, 0, def.positions);
    const double begin = bench_processor_milliseconds();
    if (result == GRAZE_OK) result = graze_scene_update(scene);
    if (result == GRAZE_OK) result = graze_scene_find_pairs(scene, &query, &made->truth);
    if (result != GRAZE_OK || round == 0) continue;
    least_ms = fmin(least_ms, bench_processor_milliseconds() - begin);
    note_stages(&made->truth, round == 1, outcome);
  }
  if (result == GRAZE_OK) {
    sum_stages(at, least_ms, outcome);
    const graze_counters *const counters = made->truth.counters;
    outcome->levels = (uint32_t)counters->levels;
    outcome->met = outcome->candidate_count = (size_t)counters->candidates;
    outcome->bytes = counters->device_bytes > 0 ? counters->device_bytes : counters->peak_bytes;
  }
  return result;
}

static bool graze_row(const study *at, grid_scene *made, grid_panel *panel, paper_table *table) {
  graze_scene *scene = NULL;
  kdet_outcome outcome = {0};
  graze_result result = bench_backend_scene(&at->settings->backend, at->settings->threads, NULL, &scene);
  if (result == GRAZE_OK) result = ask_graze(at, made, scene, &outcome);
  graze_scene_destroy(scene);
  if (result != GRAZE_OK) return study_fail(at, graze_error_text());
  if (!count_colliding(at, made)) return false;
  add_column(panel, "graze", outcome.stage_ms);
  write_row(table, made, "graze", &outcome, (double)made->truth.count, (double)made->colliding);
  return true;
}

static void corners_of(const kdet_soup *soup, uint32_t triangle, double corners[9]) {
  for (size_t c = 0; c < 3; c++)
    for (size_t k = 0; k < 3; k++)
      corners[3 * c + k] = soup->positions[3 * (size_t)soup->triangles[3 * (size_t)triangle + c] + k];
}

/* The candidates, each tested exactly, must be what graze finds. */
static bool same_pairs(const grid_scene *made, const kdet_outcome *outcome) {
  size_t found = 0;
  for (size_t i = 0; i < outcome->candidate_count; i++) {
    const uint32_t a = (uint32_t)(outcome->candidates[i] >> 32), b = (uint32_t)outcome->candidates[i];
    double p[9], q[9];
    corners_of(&made->soup, a, p);
    corners_of(&made->soup, b, q);
    if (!graze_triangles_intersect(p, q)) continue;
    if (found == made->truth.count || made->truth.pairs[found].primitive_a != a ||
        made->truth.pairs[found].primitive_b != b)
      return false;
    found++;
  }
  return found == made->truth.count;
}

static bool is_asked(const study *at, const grid_scene *made, size_t variant) {
  if (variants[variant].options.way != KDET_GRID)
    return made->soup.triangle_count <= (on_device(at) ? BRUTE_MOST_DEVICE : BRUTE_MOST_HOST);
  return on_device(at) || !variants[variant].devices;
}

static bool kdet_row(const study *at, const grid_scene *made, size_t variant, grid_panel *panel, paper_table *table) {
  kdet_options options = variants[variant].options;
  options.rounds = at->settings->rounds;
  kdet_outcome outcome;
  const bool done = on_device(at) ? kdet_grid_run_device(at->settings->backend.devices[0], &made->soup, &options,
                                                         &outcome, at->error, at->error_bytes)
                                  : kdet_grid_run_host(&made->soup, &options, &outcome, at->error, at->error_bytes);
  if (!done) return false;
  const bool pairs = options.dedup != KDET_NONE, same = !pairs || same_pairs(made, &outcome);
  if (variants[variant].drawn) add_column(panel, variants[variant].label, outcome.stage_ms);
  write_row(table, made, variants[variant].words, &outcome, pairs ? (double)made->truth.count : NAN,
            pairs ? NAN : (double)outcome.colliding);
  kdet_outcome_free(&outcome);
  return same || study_fail(at, "the published grid and graze find different pairs");
}

/* ---------------------------------------------------------------------------------------------- the figure */

static bool draw(const study *at, const grid_panel panels[SCENES], size_t count) {
  static const char *const layers[KDET_STAGES] = {"boxes", "populate", "find", "unique or order", "test"};
  stack_panel drawn[SCENES];
  for (size_t i = 0; i < count; i++)
    drawn[i] = (stack_panel){scenes[i].model, panels[i].count, panels[i].labels, panels[i].values};
  const stack_chart chart = {
      .title = on_device(at) ? "kDet as published, and graze, on one device"
                             : "kDet as published, and graze, on one processor",
      .horizontal = "graze; kDet without pairs by DJB2 and Morton codes, with pairs by sorting and by a map",
      .vertical = "milliseconds",
      .layers = layers,
      .layer_count = KDET_STAGES,
      .panels = drawn,
      .panel_count = count};
  return count == 0 || study_draw_stacks(at, &chart, "paper_kdet-grid.svg");
}

static bool run_scene(const study *at, grid_scene *made, grid_panel *panel, paper_table *table) {
  if (!bench_scene_make_model(scenes[made->number].model, paper_size(at, scenes[made->number].triangles), &made->scene,
                              at->error, at->error_bytes) ||
      !make_soup(at, made))
    return false;
  write_published(table, made);
  if (!graze_row(at, made, panel, table)) return false;
  for (size_t v = 0; v < VARIANTS; v++) {
    if (!is_asked(at, made, v)) continue;
    if (!study_goes_on(at, scenes[made->number].model, ((double)made->number + (double)v / VARIANTS) / SCENES))
      return false;
    if (!kdet_row(at, made, v, panel, table)) return false;
  }
  return true;
}

bool figure_kdet_grid(study *at) {
  static const paper_column columns[] = {
      {"scene", -20}, {"triangles", 9},   {"way", -30},   {"levels", 6},   {"stored", 8},   {"linked", 7},
      {"met", 9},     {"candidates", 10}, {"pairs", 8},   {"in pairs", 8}, {"boxes ms", 9}, {"populate ms", 11},
      {"find ms", 9}, {"unique ms", 9},   {"test ms", 9}, {"total ms", 9}, {"MB", 8},
  };
  paper_table table;
  if (!paper_table_open(at, "kdet-grid", columns, sizeof columns / sizeof columns[0], &table)) return false;
  grid_panel panels[SCENES] = {{.count = 0}};
  bool good = true;
  size_t done = 0;
  for (size_t i = 0; i < SCENES && good; i++) {
    grid_scene made = {.number = i};
    good = run_scene(at, &made, &panels[i], &table);
    done += good;
    free_scene(&made);
  }
  return paper_table_close(&table, good) && draw(at, panels, done);
}
