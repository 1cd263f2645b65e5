/* Mirzayousef Jadid: "Tetrahedral kDet: Linear Time Collision Detection for Tetrahedral Meshes", 2023. Published times
 * are those of an RTX 3080, in milliseconds, where the text has them; most of its figures have no numbers. The bodies
 * are balls and rings with as many tetrahedra as the scanned bodies of its figures. Bodies of simulated scenes are
 * moved nearer by a tenth of their width than the simulator permits, as in table 6.1, so that pairs exist. */
#include "lab/lab_variants.h"
#include "lab/paper_film.h"
#include "lab/paper_list.h"
#include "lab/paper_table.h"
#include "lab/paper_tetrahedra_figures.h"
#include "lab/sat_no_edges.h"

#include "graze/names.h"

#include "models/model.h"

#include <math.h>
#include <stdlib.h>

enum { RESOLUTIONS = 4, SCENES = 3, FRAMES = 93 };

/* Tetrahedra of both bodies, resolution by resolution (table 5.2). */
static const struct {
  const char *published, *scene;
  size_t tetrahedra[RESOLUTIONS];
  double most_between; /* no frame without self-collisions takes longer, kDet-Thrust */
  bool filled;
} scenes[SCENES] = {{"Armadillos", "soft-pair", {20242, 40104, 98436, 167608}, 3.0, false},
                    {"Buddha & Armadillo", "soft-on-stiff", {20554, 48636, 98834, 170962}, 4.5, false},
                    {"Bunny & Planck", "stiff-on-soft", {20401, 50514, 100572, 191588}, 3.5, true}};

static film_script script_of(const study *at, size_t scene, size_t resolution, graze_scope scope) {
  return (film_script){.scene = scenes[scene].scene,
                       .primitives = paper_size(at, scenes[scene].tetrahedra[resolution]),
                       .frames = FRAMES,
                       .every = film_every(at, FRAMES),
                       .scope = scope,
                       .filled = scenes[scene].filled,
                       .closer = true,
                       .what = scenes[scene].scene};
}

/* ---------------------------------------------------------------------------------------------- tables 5.1 to 5.3 */

static bool run_models(study *at) {
  static const struct {
    const char *model;
    size_t tetrahedra[RESOLUTIONS], vertices[RESOLUTIONS];
  } published[] = {{"Armadillo", {10121, 20052, 49218, 83804}, {3051, 5912, 15233, 25159}},
                   {"Happy Buddha", {10433, 28584, 49616, 87158}, {3380, 8647, 15046, 26450}},
                   {"Max Planck", {10093, 21240, 43648, 92387}, {3079, 6290, 12673, 26507}},
                   {"Stanford Bunny", {10308, 29274, 56924, 99201}, {3272, 8969, 17205, 29536}}};
  static const char *const ours[] = {"tet-ball", "tet-torus", "tet-ball", "tet-torus"};
  static const paper_column columns[] = {{"published", -14},  {"resolution", 10}, {"tetrahedra", 10},
                                         {"vertices", 8},     {"ours", -10},      {"our tetrahedra", 14},
                                         {"our vertices", 12}};
  paper_table table;
  if (!paper_table_open(at, "tetra-models", columns, sizeof columns / sizeof columns[0], &table)) return false;
  bool good = true;
  for (size_t i = 0; i < 4 * RESOLUTIONS && good; i++) {
    const size_t body = i / RESOLUTIONS, resolution = i % RESOLUTIONS;
    model_parameters parameters = model_parameters_default();
    parameters.primitives = paper_size(at, published[body].tetrahedra[resolution]);
    mesh *meshes = NULL;
    size_t count = 0;
    good = study_goes_on(at, ours[body], (double)i / (4 * RESOLUTIONS)) &&
           model_make(model_find(ours[body]), &parameters, &meshes, &count, at->error, at->error_bytes);
    if (!good) break;
    paper_table_words(&table, published[body].model);
    paper_table_number(&table, (double)resolution + 1, 0);
    paper_table_number(&table, (double)published[body].tetrahedra[resolution], 0);
    paper_table_number(&table, (double)published[body].vertices[resolution], 0);
    paper_table_words(&table, ours[body]);
    paper_table_number(&table, (double)meshes[0].tetrahedron_count, 0);
    paper_table_number(&table, (double)meshes[0].vertex_count, 0);
    mesh_list_free(meshes, count);
  }
  return paper_table_close(&table, good);
}

/* ---------------------------------------------------------------------------------------------- figures 6.15 to 6.21
 */

enum { SCOPES = 2 }; /* between the bodies; and within them, too */

static const graze_scope scopes[SCOPES] = {GRAZE_SCOPE_BETWEEN, GRAZE_SCOPE_BOTH};

/* Medians of frames with self-collisions by resolution, from and to, of kDet-Thrust and of kDet-No-Pairs. */
static const double thrust_medians[RESOLUTIONS][2] = {{6, 7}, {9, 10}, {15, 16}, {23, 26}};
static const double no_pairs_medians[RESOLUTIONS][2] = {{7, 8}, {10, 12}, {17, 19}, {33, 36}};

static void write_range(paper_table *table, const double range[2], bool known) {
  char words[32] = "-";
  if (known) snprintf(words, sizeof words, "%.0f to %.0f", range[0], range[1]);
  paper_table_words(table, words);
}

static void write_scene(paper_table *table, size_t scene, size_t resolution, size_t scope, const film *played) {
  uint64_t most_pairs = 0;
  for (size_t i = 0; i < played->count; i++)
    most_pairs = played->frames[i].pairs > most_pairs ? played->frames[i].pairs : most_pairs;
  paper_table_words(table, scenes[scene].published);
  paper_table_number(table, (double)resolution + 1, 0);
  paper_table_words(table, scope == 0 ? "between" : "with self");
  write_range(table, thrust_medians[resolution], scope == 1);
  write_range(table, no_pairs_medians[resolution], scope == 1);
  paper_table_number(table, scope == 0 ? scenes[scene].most_between : 30.0, 1);
  paper_table_words(table, scenes[scene].scene);
  paper_table_number(table, (double)played->frames[0].primitives, 0);
  paper_table_number(table, (double)played->count, 0);
  paper_table_number(table, (double)most_pairs, 0);
  paper_table_number(table, film_median(played), 3);
  paper_table_number(table, film_most(played), 3);
  paper_table_number(table, film_mean(played, film_total) * (double)played->count, 1);
}

/* Frames of the highest resolution: one panel a scene, a line each without and with self-collisions. */
typedef struct scene_lines {
  double *values[SCENES]; /* SCOPES times `frames` */
  double *points;
  size_t frames; /* that are measured */
} scene_lines;

static bool draw_scenes(const study *at, const scene_lines *lines) {
  static const char *const names[SCOPES] = {"between the bodies", "and within them"};
  line_panel panels[SCENES];
  for (size_t i = 0; i < SCENES; i++) panels[i] = (line_panel){scenes[i].scene, lines->values[i]};
  const line_chart chart = {.title = "Soft bodies of the highest resolution",
                            .horizontal = "frame",
                            .vertical = "milliseconds",
                            .lines = names,
                            .line_count = SCOPES,
                            .points = lines->points,
                            .point_count = lines->frames,
                            .panels = panels,
                            .panel_count = SCENES};
  return study_draw_lines(at, &chart, "paper_tetra-scenes.svg");
}

static bool play_scene(const study *at, size_t scene, size_t resolution, size_t scope, paper_table *table,
                       scene_lines *lines, double *sum) {
  const film_script script = script_of(at, scene, resolution, scopes[scope]);
  film played;
  const bool good = film_play(at, &script, &played);
  if (played.count > 0) write_scene(table, scene, resolution, scope, &played);
  for (size_t i = 0; i < played.count; i++) {
    *sum += played.frames[i].total_ms;
    lines->points[i] = (double)played.frames[i].number;
    if (resolution + 1 == RESOLUTIONS) lines->values[scene][scope * lines->frames + i] = played.frames[i].total_ms;
  }
  film_free(&played);
  return good;
}

static bool play_scenes(const study *at, paper_table *table, scene_lines *lines) {
  double sums[SCOPES] = {0.0};
  for (size_t i = 0; i < SCENES * RESOLUTIONS * SCOPES; i++) {
    const size_t scene = i / (RESOLUTIONS * SCOPES), resolution = i / SCOPES % RESOLUTIONS, scope = i % SCOPES;
    if (!play_scene(at, scene, resolution, scope, table, lines, &sums[scope])) return false;
  }
  study_speaks(at);
  printf("sum of all frames: %.0f ms between the bodies, %.0f ms with self-collisions, %.1f times; published, of three "
         "scenes: 2100 and 29000 (kDet-Thrust), 2000 and 37000 (kDet-No-Pairs), 14 times\n",
         sums[0], sums[1], sums[1] / sums[0]);
  return true;
}

static bool run_scenes(study *at) {
  static const paper_column columns[] = {
      {"published", -18},     {"resolution", 10}, {"pairs", -9},         {"kDet-Thrust median ms", -21},
      {"kDet-No-Pairs", -13}, {"most ms", 7},     {"our scene", -13},    {"tetrahedra", 10},
      {"frames", 6},          {"most pairs", 10}, {"our median ms", 13}, {"our most ms", 11},
      {"our sum ms", 10}};
  paper_table table;
  const size_t every = film_every(at, FRAMES);
  scene_lines lines = {.frames = (FRAMES + every - 1) / every};
  if (!paper_table_open(at, "tetra-scenes", columns, sizeof columns / sizeof columns[0], &table)) return false;
  lines.points = calloc(lines.frames + 1, sizeof *lines.points);
  bool reserved = lines.points != NULL;
  for (size_t i = 0; i < SCENES; i++) {
    lines.values[i] = calloc(SCOPES * lines.frames + 1, sizeof *lines.values[i]);
    reserved = reserved && lines.values[i] != NULL;
  }
  const bool good = reserved ? play_scenes(at, &table, &lines) : study_fail(at, "out of memory");
  const bool closed = paper_table_close(&table, good);
  const bool drawn = closed && draw_scenes(at, &lines);
  for (size_t i = 0; i < SCENES; i++) free(lines.values[i]);
  free(lines.points);
  return drawn;
}

/* ---------------------------------------------------------------------------------------------- figures 6.2 and 6.3 */

static bool run_noise(study *at) {
  static const paper_column columns[] = {
      {"our scene", -13},     {"tetrahedra", 10}, {"frames", 6}, {"mean ms", 9}, {"deviation of a frame ms", 23},
      {"widest range ms", 15}};
  paper_table table;
  if (!paper_table_open(at, "tetra-noise", columns, sizeof columns / sizeof columns[0], &table)) return false;
  bool good = true;
  for (size_t scene = 0; scene < SCENES && good; scene++) {
    const film_script script = script_of(at, scene, RESOLUTIONS - 1, GRAZE_SCOPE_BETWEEN);
    film played;
    good = film_play(at, &script, &played);
    double mean = 0.0, deviation = 0.0, range = 0.0;
    for (size_t i = 0; i < played.count; i++) {
      mean += played.frames[i].mean_ms / (double)played.count;
      deviation += played.frames[i].deviation_ms / (double)played.count;
      range = fmax(range, played.frames[i].worst_ms - played.frames[i].total_ms);
    }
    if (played.count > 0) {
      paper_table_words(&table, scenes[scene].scene);
      paper_table_number(&table, (double)played.frames[0].primitives, 0);
      paper_table_number(&table, (double)played.count, 0);
      paper_table_number(&table, mean, 3);
      paper_table_number(&table, deviation, 3);
      paper_table_number(&table, range, 3);
    }
    film_free(&played);
  }
  study_speaks(at);
  printf("%zu rounds of every frame; published, of ten: the deviation stays below 0.20 to 0.25 ms\n",
         at->settings->rounds);
  return paper_table_close(&table, good);
}

/* ---------------------------------------------------------------------------------------------- one film, many ways */

/* Films by each of several ways, summed over their frames: of the scenes at the highest resolution, and of a body that
 * passes through another. */
typedef struct way_figure {
  const char *name;
  const char *const *words; /* of the ways */
  size_t ways;
  void (*change)(film_script *script, size_t way);
  const char *published;
  bool same_pairs; /* all ways must have the same */
} way_figure;

static film_script way_script(const study *at, size_t scene) {
  if (scene < SCENES) return script_of(at, scene, RESOLUTIONS - 1, GRAZE_SCOPE_BETWEEN);
  film_script script = script_of(at, 0, 1, GRAZE_SCOPE_BETWEEN);
  script.scene = "pass-through";
  script.filled = false;
  script.closer = false;
  return script;
}

static void write_way(paper_table *table, const way_figure *figure, const char *scene, size_t way, const film *played,
                      uint64_t pairs) {
  double test = 0.0, order = 0.0;
  uint64_t candidates = 0;
  for (size_t i = 0; i < played->count; i++) {
    test += played->frames[i].stages.test_ms;
    order += played->frames[i].stages.order_ms;
    candidates += played->frames[i].counters.candidates;
  }
  const double count = (double)played->count;
  paper_table_words(table, scene);
  paper_table_number(table, (double)played->frames[0].primitives, 0);
  paper_table_words(table, figure->words[way]);
  paper_table_number(table, (double)candidates, 0);
  paper_table_number(table, (double)pairs, 0);
  paper_table_number(table, film_mean(played, film_update) * count, 1);
  paper_table_number(table, film_mean(played, film_find) * count, 1);
  paper_table_number(table, order, 1);
  paper_table_number(table, test, 1);
  paper_table_number(table, film_mean(played, film_total) * count, 1);
}

static bool play_ways(const study *at, const way_figure *figure, size_t scene, paper_table *table) {
  uint64_t first_pairs = 0;
  for (size_t way = 0; way < figure->ways; way++) {
    film_script script = way_script(at, scene);
    figure->change(&script, way);
    script.what = figure->words[way];
    film played;
    const bool good = film_play(at, &script, &played);
    uint64_t pairs = 0;
    for (size_t i = 0; i < played.count; i++) pairs += played.frames[i].pairs;
    if (played.count > 0) write_way(table, figure, script.scene, way, &played, pairs);
    film_free(&played);
    if (!good) return false;
    if (way == 0) first_pairs = pairs;
    if (figure->same_pairs && pairs != first_pairs)
      return study_fail(at, "variants that must agree find different pairs");
  }
  return true;
}

static bool run_ways(study *at, const way_figure *figure) {
  static const paper_column columns[] = {{"our scene", -13}, {"tetrahedra", 10}, {"way", -14},   {"candidates", 11},
                                         {"pairs", 9},       {"update ms", 9},   {"find ms", 9}, {"of it order", 11},
                                         {"of it test", 10}, {"total ms", 9}};
  paper_table table;
  if (!paper_table_open(at, figure->name, columns, sizeof columns / sizeof columns[0], &table)) return false;
  bool good = true;
  for (size_t scene = 0; scene <= SCENES && good; scene++) good = play_ways(at, figure, scene, &table);
  study_speaks(at);
  printf("sums over all frames, pairs between the bodies; published: %s\n", figure->published);
  return paper_table_close(&table, good);
}

static void change_hash(film_script *script, size_t way) {
  script->variant = lab_hashes[way];
}

static void change_test(film_script *script, size_t way) {
  static const graze_test tests[] = {GRAZE_TEST_SAT, GRAZE_TEST_GJK, GRAZE_TEST_SAT};
  script->test = tests[way];
  if (way == 2) script->variant = &lab_without_edges;
}

static void change_dedup(film_script *script, size_t way) {
  script->variant = lab_dedups[way];
}

static bool run_hashes(study *at) {
  static const char *const words[] = {"morton", "djb2", "fnv1a", "primes"};
  return run_ways(at, &(way_figure){"tetra-hash", words, 4, change_hash,
                                    "a drawing and the words that the hash makes no difference", true});
}

static bool run_tests(study *at) {
  static const char *const words[] = {"sat", "gjk", "sat_no_edges"};
  return run_ways(at, &(way_figure){"tetra-tests", words, 3, change_test,
                                    "SAT without edges finds 15 to 30 % too many pairs and takes down to half the time "
                                    "of SAT; its GJK misses many or nearly all",
                                    false});
}

static bool run_maps(study *at) {
  static const char *const words[] = {"owner", "sort", "map"};
  return run_ways(at, &(way_figure){"tetra-map", words, 3, change_dedup,
                                    "map and sort take about the same time, and the map has pairs too many", true});
}

/* ---------------------------------------------------------------------------------------------- figures 6.22, 6.23 */

static bool run_memory(study *at) {
  static const struct { double from, to; } published[RESOLUTIONS] = {{5.3, 5.3}, {5.5, 5.5}, {6.0, 6.0}, {7.0, 7.5}};
  static const paper_column columns[] = {{"resolution", 10}, {"kDet GB from", 12}, {"to", 4},      {"our scene", -13},
                                         {"tetrahedra", 10}, {"scene MB", 9},      {"most MB", 9}, {"bytes each", 10}};
  paper_table table;
  if (!paper_table_open(at, "tetra-memory", columns, sizeof columns / sizeof columns[0], &table)) return false;
  bool good = true;
  for (size_t resolution = 0; resolution < RESOLUTIONS && good; resolution++) {
    film_script script = script_of(at, 0, resolution, GRAZE_SCOPE_BOTH);
    script.frames = 10;
    script.every = 1;
    film played;
    good = film_play(at, &script, &played);
    uint64_t scene_bytes = 0, most = 0;
    for (size_t i = 0; i < played.count; i++) {
      const graze_counters *const counters = &played.frames[i].counters;
      const uint64_t bytes = counters->device_bytes > 0 ? counters->device_bytes : counters->peak_bytes;
      most = bytes > most ? bytes : most;
      scene_bytes = counters->scene_bytes > scene_bytes ? counters->scene_bytes : scene_bytes;
    }
    if (played.count > 0) {
      const double tetrahedra = (double)played.frames[0].primitives;
      paper_table_number(&table, (double)resolution + 1, 0);
      paper_table_number(&table, published[resolution].from, 1);
      paper_table_number(&table, published[resolution].to, 1);
      paper_table_words(&table, scenes[0].scene);
      paper_table_number(&table, tetrahedra, 0);
      paper_table_number(&table, 1e-6 * (double)scene_bytes, 1);
      paper_table_number(&table, 1e-6 * (double)most, 1);
      paper_table_number(&table, (double)most / tetrahedra, 0);
    }
    film_free(&played);
  }
  return paper_table_close(&table, good);
}

/* ---------------------------------------------------------------------------------------------- table 6.2 */

static bool run_fill(study *at) {
  static const double percent[SCENES] = {0.03, 0.04, 0.04};
  fill_scene lines[SCENES];
  for (size_t i = 0; i < SCENES; i++) {
    const size_t most = RESOLUTIONS - 1;
    lines[i] = (fill_scene){scenes[i].published, scenes[i].tetrahedra[most], percent[i],
                            script_of(at, i, most, GRAZE_SCOPE_BETWEEN)};
    lines[i].script.frames = lines[i].script.every = 1;
  }
  return figure_tetra_fill(at, lines, SCENES);
}

/* ---------------------------------------------------------------------------------------------- the list */

static const paper_figure figures[] = {
    {"tetra-models", "tables 5.1 to 5.3", "tetrahedra and vertices of the bodies", run_models, false},
    {"tetra-pass", "figures 6.4, 6.12 to 6.14", "one body passes through another", figure_tetra_pass, false},
    {"tetra-brute", "figures 6.1, 6.10, 6.11", "the same by brute force", figure_tetra_brute, false},
    {"tetra-scenes", "figures 6.15 to 6.21", "soft bodies, without and with self-collisions", run_scenes, false},
    {"tetra-noise", "figures 6.2, 6.3", "variation of the time of a frame between rounds", run_noise, false},
    {"tetra-blocks", "figure 6.5", "resident warps by block size", figure_tetra_blocks, false},
    {"tetra-fill", "table 6.2", "fill of the published cell table", run_fill, false},
    {"tetra-hash", "figure 6.7", "cell hashes", run_hashes, true},
    {"tetra-tests", "figures 6.8, 6.9", "pair tests", run_tests, true},
    {"tetra-memory", "figures 6.22, 6.23", "memory", run_memory, false},
    {"tetra-map", "figures 7.2 to 7.4", "duplicates by owner, by sorting, by a map", run_maps, true},
};

const paper paper_tetrahedra = {
    .name = "tetrahedra",
    .document = "Mirzayousef Jadid 2023, Tetrahedral kDet",
    .figures = figures,
    .figure_count = sizeof figures / sizeof figures[0],
};
