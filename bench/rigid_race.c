/* Runs rounds over engines and steps. The time of a step is the least over the rounds, which other work on the machine
 * disturbs least, since a step is the same in every round. */
#include "bench/rigid_race.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void rigid_complain(const rigid_settings *settings, const char *format, ...) {
  rigid_error words;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(words.text, sizeof words.text, format, arguments);
  va_end(arguments);
  if (settings->error != NULL)
    *settings->error = words;
  else
    fprintf(stderr, "graze_rigid: %s\n", words.text);
}

/* ---------------------------------------------------------------------------------------------- runners */

static bool is_wanted(const rigid_settings *settings, const rigid_engine *engine, unsigned needs, bool small) {
  if ((engine->takes_part & needs) != needs) return false;
  if ((engine->takes_part & RIGID_IS_SQUARE) != 0 && !small) return false;
  return strstr(engine->name, settings->engine_part) != NULL;
}

size_t rigid_runners_choose(const rigid_settings *settings, unsigned needs, bool small,
                            rigid_runner runners_out[RIGID_RUNNERS_MAX]) {
  size_t count = 0, graze_count;
  const rigid_engine *const graze = rigid_graze_engines(&graze_count);
  for (size_t i = 0; i < graze_count + settings->peer_count && count < RIGID_RUNNERS_MAX; i++) {
    const rigid_engine *const engine = i < graze_count ? &graze[i] : &settings->peers[i - graze_count];
    if (i == 0 || is_wanted(settings, engine, needs, small)) runners_out[count++] = (rigid_runner){.engine = engine};
  }
  return count;
}

bool rigid_runners_open_pair(const rigid_settings *settings, rigid_runner *runners, size_t count,
                             const bench_shape shapes[2]) {
  for (size_t i = 0; i < count; i++) {
    const double begin = bench_milliseconds();
    runners[i].bodies = runners[i].engine->open_pair(runners[i].engine, shapes, &runners[i].error);
    runners[i].open_ms = bench_milliseconds() - begin;
  }
  if (runners[0].bodies == NULL) rigid_complain(settings, "%s", runners[0].error.text);
  return runners[0].bodies != NULL;
}

void rigid_runners_close_pair(rigid_runner *runners, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (runners[i].bodies != NULL) runners[i].engine->close_pair(runners[i].bodies);
}

/* ---------------------------------------------------------------------------------------------- times */

/* The results of a runner in a race: arrays over steps, and over rounds. */
typedef struct lane {
  size_t stride; /* 0: the runner has failed */
  double *least_us, *round_us;
  rigid_answer *answers;
} lane;

static bool run_step(const rigid_series *series, rigid_runner *runner, size_t step, rigid_answer *answer_out,
                     double *us_out) {
  const double begin = bench_milliseconds();
  const bool done = series->run(series, runner->engine, runner->bodies, step, answer_out, &runner->error);
  *us_out = 1e3 * (bench_milliseconds() - begin);
  return done;
}

/* Chooses the stride by four uncounted steps, which also warm up the engine. The first runner and coherent engines do
 * all steps. The stride is odd, because touching and separate poses may alternate. */
static size_t choose_stride(const rigid_settings *settings, const rigid_series *series, rigid_runner *runner,
                            bool is_first) {
  if (runner->bodies == NULL) return 0;
  runner->error.text[0] = '\0';
  double sum = 0.0;
  for (size_t i = 0; i < 4; i++) {
    rigid_answer answer;
    double us;
    if (!run_step(series, runner, i * series->step_count / 4, &answer, &us)) return 0;
    sum += us;
  }
  if (is_first || (runner->engine->takes_part & RIGID_IS_COHERENT) != 0) return 1;
  const double whole_ms = 1e-3 * sum / 4.0 * (double)series->step_count;
  const size_t stride = 1 + (size_t)(whole_ms / settings->budget_ms);
  return (stride < series->step_count ? stride : series->step_count) | 1;
}

/* The middle of the first stride: a revolution begins with the identical rotation of body and copy, which takes the
 * longest time. */
static size_t first_step(const lane *own, const rigid_series *series) {
  const size_t first = own->stride / 2;
  return first < series->step_count ? first : 0;
}

static bool run_round(const rigid_series *series, rigid_runner *runner, size_t round, lane *own) {
  double sum = 0.0;
  size_t done = 0;
  for (size_t i = first_step(own, series); i < series->step_count; i += own->stride, done++) {
    double us;
    if (!run_step(series, runner, i, &own->answers[i], &us)) return false;
    own->least_us[i] = round == 0 || us < own->least_us[i] ? us : own->least_us[i];
    sum += us;
  }
  own->round_us[round] = sum / (double)done;
  return true;
}

static void sum_up(const rigid_settings *settings, const rigid_series *series, rigid_runner *runner, const lane *own,
                   const lane *first) {
  double sum = 0.0, first_sum = 0.0;
  runner->worst_us = 0.0;
  runner->meeting = runner->pairs = runner->hash = runner->box_tests = 0;
  runner->steps_done = runner->unlike_answers = runner->unlike_counts = 0;
  for (size_t i = first_step(own, series); i < series->step_count; i += own->stride) {
    const rigid_answer *const answer = &own->answers[i], *const truth = &first->answers[i];
    const double us = own->least_us[i];
    sum += us;
    first_sum += first->least_us[i];
    runner->worst_us = us > runner->worst_us ? us : runner->worst_us;
    runner->steps_done++;
    runner->meeting += answer->found;
    runner->pairs += answer->pairs;
    runner->hash += answer->hash;
    runner->box_tests += answer->box_tests;
    runner->unlike_answers += answer->found != truth->found;
    const bool is_exact = (runner->engine->takes_part & RIGID_IS_EXACT) != 0;
    runner->unlike_counts += answer->pairs != truth->pairs || (is_exact && answer->hash != truth->hash);
  }
  runner->mean_us = sum / (double)runner->steps_done;
  runner->over_first = sum / first_sum;
  runner->median_us = bench_median(own->round_us, settings->rounds);
}

static bool lanes_make(const rigid_settings *settings, const rigid_series *series, lane *lanes, size_t count) {
  bool made = true;
  for (size_t i = 0; i < count; i++) {
    lanes[i] = (lane){.least_us = calloc(series->step_count, sizeof(double)),
                      .round_us = calloc(settings->rounds, sizeof(double)),
                      .answers = calloc(series->step_count, sizeof(rigid_answer))};
    made = made && lanes[i].least_us != NULL && lanes[i].round_us != NULL && lanes[i].answers != NULL;
  }
  return made;
}

static void lanes_free(lane *lanes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    free(lanes[i].least_us);
    free(lanes[i].round_us);
    free(lanes[i].answers);
  }
}

/* Returns false if stopped. */
static bool run_rounds(const rigid_settings *settings, const rigid_series *series, rigid_runner *runners, size_t count,
                       lane *lanes) {
  for (size_t i = 0; i < count; i++) lanes[i].stride = choose_stride(settings, series, &runners[i], i == 0);
  for (size_t round = 0; round < settings->rounds; round++)
    for (size_t i = 0; i < count; i++) {
      if (bench_watch_stops(settings->watch)) return false;
      if (lanes[i].stride != 0 && !run_round(series, &runners[i], round, &lanes[i])) lanes[i].stride = 0;
    }
  return true;
}

/* Prints the rows; returns false if exact engines disagree or the first did not run. */
static bool report(const rigid_settings *settings, const rigid_series *series, rigid_runner *runners, size_t count,
                   const lane *lanes) {
  bool agreed = lanes[0].stride != 0;
  if (!agreed) rigid_complain(settings, "%s: %s", runners[0].engine->name, runners[0].error.text);
  for (size_t i = 0; i < count && agreed; i++) {
    rigid_runner *const runner = &runners[i];
    runner->steps_done = 0;
    if (lanes[i].stride != 0) sum_up(settings, series, runner, &lanes[i], &lanes[0]);
    if (!settings->silent) rigid_print_row(settings, series, runner);
    const bool is_exact = (runner->engine->takes_part & RIGID_IS_EXACT) != 0;
    if (!is_exact || runner->unlike_answers + runner->unlike_counts == 0) continue;
    rigid_complain(settings, "%s, %s, %s: %s and %s find different pairs", series->part, series->object, series->state,
                   runner->engine->name, runners[0].engine->name);
    agreed = false;
  }
  return agreed;
}

bool rigid_race(const rigid_settings *settings, const rigid_series *series, rigid_runner *runners, size_t count) {
  lane lanes[RIGID_RUNNERS_MAX] = {{0}};
  const bool made = lanes_make(settings, series, lanes, count);
  const bool ran = made && run_rounds(settings, series, runners, count, lanes);
  const bool agreed = ran && report(settings, series, runners, count, lanes);
  if (!made) rigid_complain(settings, "out of memory for the times of %zu steps", series->step_count);
  lanes_free(lanes, count);
  return agreed;
}

/* ---------------------------------------------------------------------------------------------- rows */

void rigid_print_heading(const rigid_settings *settings) {
  printf("%-9s %-18s %9s %-18s %-14s %6s %12s %12s %12s %10s %8s %12s %7s %7s\n", "part", "object", "triangles",
         "state", "engine", "steps", "mean us", "median us", "worst us", "over tree", "meeting", "pairs", "unlike",
         "counts");
  if (settings->csv == NULL) return;
  fputs("part,object,triangles,state,engine,steps,mean_us,median_us,worst_us,over_tree,open_ms,meeting,pairs,hash,box_"
        "tests,"
        "unlike_answers,unlike_counts,trouble,commit,machine,date\n",
        settings->csv);
}

static void print_csv_row(const rigid_settings *settings, const rigid_series *series, const rigid_runner *runner,
                          const char *trouble) {
  fprintf(settings->csv,
          "%s,%s,%zu,%s,%s,%zu,%.3f,%.3f,%.3f,%.4f,%.3f,%" PRIu64 ",%" PRIu64 ",%016" PRIx64 ",%" PRIu64 ",",
          series->part, series->object, series->triangles, series->state, runner->engine->name, runner->steps_done,
          runner->mean_us, runner->median_us, runner->worst_us, runner->over_first, runner->open_ms, runner->meeting,
          runner->pairs, runner->hash, runner->box_tests);
  fprintf(settings->csv, "%zu,%zu,%s,%s,%s,%s\n", runner->unlike_answers, runner->unlike_counts, trouble,
          settings->record.commit, settings->record.machine, settings->record.date);
}

void rigid_print_row(const rigid_settings *settings, const rigid_series *series, const rigid_runner *runner) {
  char trouble[sizeof runner->error.text];
  snprintf(trouble, sizeof trouble, "%s", runner->error.text);
  for (char *c = trouble; *c != '\0'; c++)
    if (*c == ',' || *c == '\n') *c = ' ';
  printf("%-9s %-18s %9zu %-18s %-14s ", series->part, series->object, series->triangles, series->state,
         runner->engine->name);
  if (runner->steps_done == 0)
    printf("did not finish: %s\n", trouble);
  else
    printf("%6zu %12.2f %12.2f %12.2f %10.2f %8" PRIu64 " %12" PRIu64 " %7zu %7zu\n", runner->steps_done,
           runner->mean_us, runner->median_us, runner->worst_us, runner->over_first, runner->meeting, runner->pairs,
           runner->unlike_answers, runner->unlike_counts);
  fflush(stdout);
  if (settings->csv != NULL) print_csv_row(settings, series, runner, trouble);
}
