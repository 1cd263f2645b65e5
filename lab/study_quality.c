/* The study of forces: packings with both rules of graze, and a voxmap, along the paths of quality_scenarios.h.
 * Measures nine pairs of resolutions each, then the pair of least deviation that takes 0.9 ms per step, as in the
 * thesis, whose values are printed for comparison. Times are processor times of the one thread, and are not asserted.
 */
#include "lab/lab_list.h"
#include "lab/quality_measures.h"
#include "lab/quality_outcome.h"
#include "lab/quality_thesis.h"
#include "lab/voxmap.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 400, QUICK_STEPS = 40, QUICK = 10, PACKINGS = 5, QUICK_PACKINGS = 2 };

static const double EQUAL_MS = 0.9;

typedef enum quality_way { BY_VOLUME, BY_GRADIENT, BY_VOXMAP, WAYS = QUALITY_WAYS } quality_way;

static const char *const way_names[WAYS] = {"spheres, volume", "spheres, gradient", "voxmap"};

/* By which resolutions of a way are chosen: that of its own penalty, as the thesis has it. The gradient is compared
 * with the thesis's model of spheres, and in tables with its own. */
static const quality_model way_models[WAYS] = {QUALITY_VOLUME, QUALITY_VOLUME, QUALITY_DEPTH};

/* Spheres of the still and of the moving body: coarse, middle, fine. What a path needs is what is near it: the block is
 * long, and the cone's tip a 27th of it. */
static const size_t sphere_stages[QUALITY_SCENARIOS][2][QUALITY_STAGES] = {
    {{6000, 24000, 96000}, {500, 2000, 8000}}, /* Ia */
    {{6000, 24000, 96000}, {500, 2000, 8000}}, /* Ib */
    {{1000, 4000, 16000}, {60, 250, 1000}},    /* II */
    {{250, 500, 1000}, {250, 1000, 4000}},     /* III */
    {{250, 1000, 4000}, {125, 500, 2000}},     /* IV */
};

/* Relative to those of the thesis; more voxels than its number do not fit into memory. */
static const double voxel_stages[QUALITY_STAGES] = {0.25, 0.5, 1.0}, point_stages[QUALITY_STAGES] = {0.5, 1.0, 4.0};

/* What one scenario needs all the while. */
typedef struct stage_set {
  const quality_scenario *scenario;
  size_t number;
  mesh still, moving;
  graze_packing still_packings[PACKINGS], moving_packings[PACKINGS]; /* by their seeds; all but the spread is of 0 */
  size_t packing_count, packing;
  voxmap map; /* that of the last run, */
  size_t voxels;
  size_t steps;
  quality_sample *samples[WAYS]; /* at equal time in the end */
  quality_sample *spare;         /* of other packings */
  size_t chosen[WAYS][2];
  FILE *table; /* the rows once more, as comma separated values; NULL: none */
} stage_set;

static size_t stage_size(const study *at, const stage_set *set, quality_way way, size_t body, size_t stage) {
  const double part = at->settings->quick ? 1.0 / QUICK : 1.0;
  if (way != BY_VOXMAP)
    return (size_t)(part * (double)sphere_stages[set->number][body][stage]) + (at->settings->quick ? 10 : 0);
  if (body == 0) return (size_t)(part * voxel_stages[stage] * (double)set->scenario->voxels);
  return (size_t)(part * point_stages[stage] * (double)set->scenario->points);
}

static void close_set(stage_set *set) {
  mesh_free(&set->still);
  mesh_free(&set->moving);
  for (size_t i = 0; i < PACKINGS; i++) {
    graze_packing_free(&set->still_packings[i]);
    graze_packing_free(&set->moving_packings[i]);
  }
  free(set->spare);
  voxmap_free(&set->map);
  for (size_t i = 0; i < WAYS; i++) free(set->samples[i]);
}

static bool open_set(const study *at, size_t number, FILE *table, stage_set *set) {
  *set = (stage_set){.scenario = &quality_scenarios[number], .number = number, .table = table};
  set->steps = at->settings->quick ? QUICK_STEPS : STEPS;
  set->packing_count = at->settings->quick ? QUICK_PACKINGS : PACKINGS;
  set->spare = malloc(set->steps * sizeof *set->spare);
  bool made = set->scenario->make_still(&set->still) && set->scenario->make_moving(&set->moving) && set->spare != NULL;
  for (size_t i = 0; i < WAYS; i++) {
    set->samples[i] = malloc(set->steps * sizeof *set->samples[i]);
    made = made && set->samples[i] != NULL;
  }
  if (!made) return study_fail(at, "out of memory");
  const size_t still = stage_size(at, set, BY_VOLUME, 0, QUALITY_STAGES - 1);
  const size_t moving = stage_size(at, set, BY_VOLUME, 1, QUALITY_STAGES - 1);
  for (size_t i = 0; i < set->packing_count && made; i++)
    made = quality_pack(&set->still, still, i, &set->still_packings[i], at->error, at->error_bytes) &&
           quality_pack(&set->moving, moving, i, &set->moving_packings[i], at->error, at->error_bytes);
  return made;
}

/* ---------------------------------------------------------------------------------------------- runs */

static bool run_voxmap(const study *at, stage_set *set, size_t voxels, size_t points) {
  if (voxels != set->voxels) {
    voxmap_free(&set->map);
    set->voxels = 0;
    if (!voxmap_make(&set->still, voxels, set->scenario->deepest, &set->map)) return study_fail(at, "out of memory");
    set->voxels = voxels;
  }
  pointshell shell;
  if (!pointshell_make(&set->moving, points, &shell)) return study_fail(at, "out of memory");
  voxmap_run(set->scenario, &set->map, &shell, set->steps, set->samples[BY_VOXMAP]);
  pointshell_free(&shell);
  return true;
}

static bool run_way(const study *at, stage_set *set, quality_way way, const size_t sizes[2]) {
  if (!study_goes_on(at, set->scenario->name, (double)set->number / QUALITY_SCENARIOS)) return false;
  study_speaks(at);
  if (way == BY_VOXMAP) return run_voxmap(at, set, sizes[0], sizes[1]);
  const quality_spheres spheres = {&set->still_packings[set->packing], &set->moving_packings[set->packing], sizes[0],
                                   sizes[1], way == BY_GRADIENT ? GRAZE_FORCE_GRADIENT : GRAZE_FORCE_VOLUME};
  return quality_spheres_run(set->scenario, &spheres, set->steps, set->samples[way], at->error, at->error_bytes);
}

/* ---------------------------------------------------------------------------------------------- tables */

static void print_heading(void) {
  printf("%-8s %-18s %-8s %7s %7s %8s %8s %8s %7s %8s %8s %7s %8s %10s\n", "scenario", "way", "model", "still",
         "moving", "ms", "sigma_F", "gamma_F", "nu_F", "sigma_T", "gamma_T", "nu_T", "stray", "penalty");
}

static void print_deviation(const quality_deviation *deviation) {
  if (deviation->asked)
    printf(" %8.3f %8.2f %7.2f", deviation->sigma, deviation->gamma, deviation->nu);
  else
    printf(" %8s %8s %7s", "-", "-", "-");
}

static void write_deviation(const quality_deviation *deviation, FILE *table) {
  if (deviation->asked)
    fprintf(table, "%.6f,%.4f,%.4f,", deviation->sigma, deviation->gamma, deviation->nu);
  else
    fprintf(table, ",,,");
}

static void write_row(const study *at, const stage_set *set, quality_way way, quality_model model,
                      const size_t sizes[2], const quality_outcome *outcome) {
  static const char *const rules[WAYS] = {"volume", "gradient", ""};
  fprintf(set->table, "%s,%s,%s,%s,%zu,%zu,%zu,%.4f,", set->scenario->name, way == BY_VOXMAP ? "voxmap" : "spheres",
          rules[way], quality_model_names[model], sizes[0], sizes[1], set->packing, outcome->ms);
  write_deviation(&outcome->force, set->table);
  write_deviation(&outcome->torque, set->table);
  fprintf(set->table, "%.6f,%.6g,%s,%s,%s\n", outcome->stray, outcome->penalty, at->out->record.commit,
          at->out->record.machine, at->out->record.date);
}

static bool print_row(const study *at, const stage_set *set, quality_way way, quality_model model,
                      const size_t sizes[2], quality_outcome *outcome_out) {
  if (!quality_outcome_make(set->scenario, model, set->samples[way], set->steps, outcome_out))
    return study_fail(at, "out of memory");
  printf("%-8s %-18s %-8s %7zu %7zu %8.3f", set->scenario->name, way_names[way], quality_model_names[model], sizes[0],
         sizes[1], outcome_out->ms);
  print_deviation(&outcome_out->force);
  print_deviation(&outcome_out->torque);
  printf(" %8.4f %10.3g\n", outcome_out->stray, outcome_out->penalty);
  fflush(stdout);
  if (set->table != NULL) write_row(at, set, way, model, sizes, outcome_out);
  return true;
}

/* Runs once more with each other packing, and adds what deviates; the samples of the first stay. */
static bool add_other_packings(const study *at, stage_set *set, quality_way way, const size_t sizes[2], double *eta) {
  quality_sample *const kept = set->samples[way];
  bool good = true;
  set->samples[way] = set->spare;
  for (set->packing = 1; set->packing < set->packing_count && good; set->packing++) {
    quality_outcome outcome;
    good = run_way(at, set, way, sizes);
    if (good && !quality_outcome_make(set->scenario, way_models[way], set->spare, set->steps, &outcome))
      good = study_fail(at, "out of memory");
    if (good) *eta += quality_eta(set->scenario, &outcome);
  }
  set->packing = 0;
  set->samples[way] = kept;
  return good;
}

/* The nine pairs, as the trial wants them; of spheres with all packings, so that none is chosen for one lucky packing.
 */
static bool try_pairs(const study *at, stage_set *set, quality_way way, quality_trial *trial_out) {
  for (size_t i = 0; i < QUALITY_PAIRS; i++) {
    const size_t still = i / QUALITY_STAGES, moving = i % QUALITY_STAGES;
    const size_t sizes[2] = {stage_size(at, set, way, 0, still), stage_size(at, set, way, 1, moving)};
    quality_outcome outcome;
    if (!run_way(at, set, way, sizes) || !print_row(at, set, way, way_models[way], sizes, &outcome)) return false;
    trial_out->still[still] = (double)sizes[0];
    trial_out->moving[moving] = (double)sizes[1];
    trial_out->ms[i] = outcome.ms;
    trial_out->eta[i] = quality_eta(set->scenario, &outcome);
    if (way == BY_VOXMAP) continue;
    if (!add_other_packings(at, set, way, sizes, &trial_out->eta[i])) return false;
    trial_out->eta[i] /= (double)set->packing_count;
  }
  return true;
}

static bool print_models(const study *at, const stage_set *set, quality_way way) {
  for (int model = 0; model < QUALITY_MODELS; model++) {
    quality_outcome outcome;
    if (!print_row(at, set, way, (quality_model)model, set->chosen[way], &outcome)) return false;
  }
  return true;
}

static int compare_numbers(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void print_spread(const char *name, double *values, size_t count) {
  qsort(values, count, sizeof *values, compare_numbers);
  printf("; %s %.3f, %.3f, %.3f", name, values[0], values[(count - 1) / 2], values[count - 1]);
}

/* The chosen pair once more with other packings: what is luck of where spheres came to lie. */
static bool spread_packings(const study *at, stage_set *set, quality_way way) {
  double sigma[PACKINGS], gamma[PACKINGS], nu[PACKINGS];
  quality_sample *const kept = set->samples[way];
  bool good = true;
  for (set->packing = 0; set->packing < set->packing_count && good; set->packing++) {
    quality_outcome outcome;
    set->samples[way] = set->packing == 0 ? kept : set->spare;
    good = (set->packing == 0 || run_way(at, set, way, set->chosen[way])) &&
           print_row(at, set, way, way_models[way], set->chosen[way], &outcome);
    if (!good) break;
    const quality_deviation *const wanted = set->scenario->about_torque ? &outcome.torque : &outcome.force;
    sigma[set->packing] = wanted->sigma;
    gamma[set->packing] = wanted->gamma;
    nu[set->packing] = wanted->nu;
  }
  set->packing = 0;
  set->samples[way] = kept;
  if (!good) return false;
  printf("%-8s %-18s least, middle, most of %zu packings", set->scenario->name, way_names[way], set->packing_count);
  print_spread("sigma", sigma, set->packing_count);
  print_spread("gamma", gamma, set->packing_count);
  print_spread("nu", nu, set->packing_count);
  printf("\n");
  return true;
}

static bool study_way(const study *at, stage_set *set, quality_way way) {
  quality_trial trial;
  if (!try_pairs(at, set, way, &trial)) return false;
  const quality_choice choice = quality_choose(&trial, EQUAL_MS);
  set->chosen[way][0] = (size_t)(choice.still + 0.5);
  set->chosen[way][1] = (size_t)(choice.moving + 0.5);
  printf("%-8s %-18s at %g ms: %zu, %zu, %s, eta %.3f expected\n", set->scenario->name, way_names[way], EQUAL_MS,
         set->chosen[way][0], set->chosen[way][1],
         choice.cut ? "where the plane of times is cut" : "the best that is not slower or the fastest", choice.eta);
  return run_way(at, set, way, set->chosen[way]) && print_models(at, set, way) &&
         (way == BY_VOXMAP || spread_packings(at, set, way));
}

/* ---------------------------------------------------------------------------------------------- signals */

static void write_signals(const stage_set *set, quality_way way, FILE *stream) {
  fprintf(stream, "part,fx,fy,fz,tx,ty,tz,penalty,ms\n");
  for (size_t i = 0; i < set->steps; i++) {
    const quality_sample *const sample = &set->samples[way][i];
    fprintf(stream, "%.6f,", quality_part(set->scenario, i, set->steps));
    for (int k = 0; k < 3; k++) fprintf(stream, "%.9g,", sample->wrench.force[k]);
    for (int k = 0; k < 3; k++) fprintf(stream, "%.9g,", sample->wrench.torque[k]);
    fprintf(stream, "%.9g,%.4f\n", sample->penalty, sample->time_ms);
  }
}

static bool save_signals(const study *at, const stage_set *set) {
  static const char *const files[WAYS] = {"volume", "gradient", "voxmap"};
  for (size_t way = 0; way < WAYS; way++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/quality_%s_%s.csv", at->settings->figures, set->scenario->name, files[way]);
    FILE *const stream = fopen(path, "w");
    if (stream == NULL) return study_fail(at, strerror(errno));
    write_signals(set, (quality_way)way, stream);
    const bool written = ferror(stream) == 0;
    if (fclose(stream) != 0 || !written) return study_fail(at, "the signals could not be written");
  }
  return true;
}

/* ---------------------------------------------------------------------------------------------- drawings */

enum { LINES = WAYS + QUALITY_MODELS };

static double angle_of(const stage_set *set, quality_way way, size_t step) {
  quality_wrench ideal;
  set->scenario->ideal(way_models[way], quality_part(set->scenario, step, set->steps), &ideal);
  const double(*const measured)[3] = (const double(*)[3])set->samples[way][step].wrench.force;
  return quality_gamma(measured, (const double(*)[3])ideal.force, 1);
}

static double ratio_of(const quality_sample *sample) {
  double force, torque;
  quality_magnitudes((const double(*)[3])sample->wrench.force, 1, &force);
  quality_magnitudes((const double(*)[3])sample->wrench.torque, 1, &torque);
  return force > 0.0 ? torque / force : 0.0;
}

static bool draw_chart(const study *at, const stage_set *set, const char *kind, const char *vertical,
                       const char *const *lines, size_t line_count, const double *values, double *points) {
  char file[64], title[160];
  for (size_t i = 0; i < set->steps; i++) points[i] = quality_part(set->scenario, i, set->steps);
  snprintf(file, sizeof file, "quality_%s_%s.svg", set->scenario->name, kind);
  snprintf(title, sizeof title, "%s: %s, %.1f ms a step", set->scenario->name, set->scenario->title, EQUAL_MS);
  const line_panel panel = {"", values};
  const line_chart chart = {.title = title,
                            .horizontal = "part of the path",
                            .vertical = vertical,
                            .lines = lines,
                            .line_count = line_count,
                            .points = points,
                            .point_count = set->steps,
                            .panels = &panel,
                            .panel_count = 1,
                            .linear = true};
  return study_draw_lines(at, &chart, file);
}

/* Magnitudes beside the models; models that are the same are drawn once. */
static bool draw_magnitudes(const study *at, const stage_set *set, double *values, double *points) {
  static const char *const names[LINES] = {"ideal, volume", "by volume",    "by gradient",
                                           "voxmap",        "ideal, depth", "ideal, gradient"};
  const bool torque = set->scenario->about_torque;
  const bool models = set->number >= 3; /* those of I and II are all constant */
  quality_ideal_signal(set->scenario, QUALITY_VOLUME, set->steps, torque, values);
  for (size_t way = 0; way < WAYS; way++)
    quality_signal(set->samples[way], set->steps, torque, values + (1 + way) * set->steps);
  quality_ideal_signal(set->scenario, QUALITY_DEPTH, set->steps, torque, values + 4 * set->steps);
  quality_ideal_signal(set->scenario, QUALITY_GRADIENT, set->steps, torque, values + 5 * set->steps);
  return draw_chart(at, set, torque ? "torque" : "force", torque ? "|T| by its largest" : "|F| by its largest", names,
                    models ? LINES : 1 + WAYS, values, points);
}

static bool draw_angles(const study *at, const stage_set *set, double *values, double *points) {
  if (set->scenario->about_torque) return true;
  for (size_t way = 0; way < WAYS; way++)
    for (size_t i = 0; i < set->steps; i++) values[way * set->steps + i] = angle_of(set, (quality_way)way, i);
  if (!draw_chart(at, set, "angle", "angle of the force to the model's, degrees", way_names, WAYS, values, points))
    return false;
  for (size_t way = 0; way < WAYS; way++)
    for (size_t i = 0; i < set->steps; i++) values[way * set->steps + i] = ratio_of(&set->samples[way][i]);
  return draw_chart(at, set, "ratio", "|T| / |F|", way_names, WAYS, values, points);
}

/* The largest is 1, so amplitudes are parts of the whole signal. */
static bool draw_spectrogram(const study *at, const stage_set *set) {
  enum { WINDOW = 32, ROWS = WINDOW / 2 + 1, COLUMNS = 48 };
  static double amplitudes[WAYS][COLUMNS * ROWS];
  double *const signal = malloc(set->steps * sizeof *signal);
  if (signal == NULL) return study_fail(at, "out of memory");
  heat_panel panels[WAYS];
  for (size_t way = 0; way < WAYS; way++) {
    quality_signal(set->samples[way], set->steps, set->scenario->about_torque, signal);
    quality_spectrogram(signal, set->steps, WINDOW, COLUMNS, amplitudes[way]);
    panels[way] = (heat_panel){way_names[way], amplitudes[way]};
  }
  free(signal);
  char file[64], title[160];
  snprintf(file, sizeof file, "quality_%s_noise.svg", set->scenario->name);
  snprintf(title, sizeof title, "%s: %s, amplitudes of %s", set->scenario->name, set->scenario->title,
           set->scenario->about_torque ? "|T|" : "|F|");
  const heat_map map = {.title = title,
                        .horizontal = "part of the path",
                        .vertical = "waves in 32 steps",
                        .left = 0.0,
                        .right = 1.0,
                        .low = 0.0,
                        .high = WINDOW / 2,
                        .column_count = COLUMNS,
                        .row_count = ROWS,
                        .panels = panels,
                        .panel_count = WAYS,
                        .least = 1e-4,
                        .most = 1e-1};
  return bench_figure_write_heat(&map, file, at->settings->figures, at->error, at->error_bytes);
}

static bool draw_set(const study *at, const stage_set *set) {
  if (at->settings->figures == NULL) return true;
  double *const values = malloc((LINES + 1) * set->steps * sizeof *values);
  if (values == NULL) return study_fail(at, "out of memory");
  double *const points = values + LINES * set->steps;
  const bool drawn = draw_magnitudes(at, set, values, points) && draw_angles(at, set, values, points) &&
                     draw_spectrogram(at, set) && save_signals(at, set);
  free(values);
  return drawn;
}

/* ---------------------------------------------------------------------------------------------- the study */

static bool fill_board(const study *at, const stage_set *set, quality_board *board) {
  board->measured[set->number] = true;
  for (size_t way = 0; way < WAYS; way++)
    if (!quality_outcome_make(set->scenario, way_models[way], set->samples[way], set->steps,
                              &board->outcomes[set->number][way]))
      return study_fail(at, "out of memory");
  return true;
}

static bool study_scenario(const study *at, size_t number, FILE *table, quality_board *board) {
  stage_set set;
  bool good = open_set(at, number, table, &set);
  if (good)
    printf("%-8s %s; still: %zu spheres, %.1f %% full, packed in %.1f s; moving: %zu, %.1f %%, %.1f s\n",
           set.scenario->name, set.scenario->title, set.still_packings[0].count,
           100.0 * set.still_packings[0].fill_rate, 1e-3 * set.still_packings[0].packing_ms,
           set.moving_packings[0].count, 100.0 * set.moving_packings[0].fill_rate,
           1e-3 * set.moving_packings[0].packing_ms);
  for (int way = 0; way < WAYS && good; way++) good = study_way(at, &set, (quality_way)way);
  good = good && fill_board(at, &set, board) && draw_set(at, &set);
  close_set(&set);
  return good;
}

static bool save_board(const study *at, const quality_board *board) {
  char path[4096];
  if (at->settings->figures == NULL) return true;
  snprintf(path, sizeof path, "%s/quality_thesis.csv", at->settings->figures);
  FILE *const stream = fopen(path, "w");
  if (stream == NULL) return study_fail(at, strerror(errno));
  quality_thesis_write(board, stream);
  const bool written = ferror(stream) == 0;
  return (fclose(stream) == 0 && written) || study_fail(at, "the table could not be written");
}

static bool study_scenarios(const study *at, FILE *table) {
  quality_board board = {0};
  bool good = true, any = false;
  for (size_t i = 0; i < QUALITY_SCENARIOS; i++)
    if (bench_words_have(&at->settings->scenes, quality_scenarios[i].name)) {
      any = true;
      good = good && study_scenario(at, i, table, &board);
    }
  if (!any) return study_fail(at, "--scene: this suite has the scenarios Ia, Ib, II, III and IV");
  if (good) quality_thesis_print(&board);
  return good && save_board(at, &board);
}

static FILE *open_table(const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/quality.csv", folder);
  FILE *const table = fopen(path, "w");
  if (table != NULL)
    fprintf(table,
            "scenario,way,rule,model,still,moving,packing,ms,sigma_F,gamma_F,nu_F,sigma_T,gamma_T,nu_T,stray,penalty,"
            "commit,machine,date\n");
  return table;
}

bool study_quality(study *at) {
  FILE *const table = at->settings->figures != NULL ? open_table(at->settings->figures) : NULL;
  if (table == NULL && at->settings->figures != NULL) return study_fail(at, strerror(errno));
  print_heading();
  bool good = study_scenarios(at, table);
  const bool written = table == NULL || ferror(table) == 0;
  if ((table != NULL && fclose(table) != 0) || !written)
    good = good && study_fail(at, "the table could not be written");
  return good;
}
