/* Rounds and medians. A round visits every row, so that a slow phase of the machine affects all rows. */
#include "bench/bench_row.h"

#include "bench/bench_record.h"
#include "bench/bench_yardstick.h"
#include "models/mesh_object.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void bench_row_plan(bench_row *row, bench_call call) {
  row->call = call;
  row->round_count = 0;
}

/* The state of a batch of rounds. */
typedef struct round_state {
  const bench_rounds *wanted;
  size_t round;
  double measured_ms; /* of all rows, since the first round that counts */
} round_state;

static bool goes_on(const round_state *state) {
  if (state->round > BENCH_ROUNDS_MAX) return false;
  return state->round <= state->wanted->least || state->measured_ms < state->wanted->least_ms;
}

static double part_done(const round_state *state, double part_of_round) {
  const double rounds = ((double)state->round + part_of_round) / (double)(state->wanted->least + 1);
  const double time = state->wanted->least_ms > 0.0 ? state->measured_ms / state->wanted->least_ms : 1.0;
  return fmin(fmin(rounds, time), 1.0);
}

bool bench_rows_run(bench_row *rows, size_t row_count, const bench_rounds *wanted, const bench_watch *watch,
                    char *error, size_t error_bytes) {
  round_state state = {.wanted = wanted};
  bench_yardstick *const yardstick = bench_yardstick_make();
  bool good = row_count > 0;
  if (yardstick == NULL) {
    snprintf(error, error_bytes, "out of memory");
    return false;
  }
  /* The first visit is a warm-up and is not counted. */
  for (; good && goes_on(&state); state.round++) {
    const double yardstick_ms = bench_yardstick_measure(yardstick);
    for (size_t i = 0; i < row_count && good; i++) {
      bench_result result;
      bench_watch_tell(watch, rows[i].call.scene->name, part_done(&state, (double)i / (double)row_count));
      good = !bench_watch_stops(watch);
      if (!good) error[0] = '\0';
      const double begin = bench_milliseconds();
      good = good && bench_call_run(&rows[i].call, &result, error, error_bytes);
      if (!good || state.round == 0) continue;
      result.yardstick_ms = yardstick_ms;
      rows[i].rounds[rows[i].round_count++] = result;
      state.measured_ms += bench_milliseconds() - begin;
    }
  }
  bench_yardstick_free(yardstick);
  bench_watch_clear(watch);
  return good || row_count == 0;
}

/* ---------------------------------------------------------------------------------------------- statistics of rounds
 */

enum { VALUES_MAX = BENCH_ROUNDS_MAX * BENCH_PASSES_MAX };

bench_result bench_rounds_median(const bench_result *rounds, size_t count) {
  double values[VALUES_MAX];
  bench_result median = rounds[count - 1];
#define MEDIAN_OF(field)                                                                                               \
  for (size_t i = 0; i < count; i++) values[i] = rounds[i].field;                                                      \
  median.field = bench_median(values, count);
#define MEDIAN_STAGE(name, words) MEDIAN_OF(stages.name##_ms)
  GRAZE_STAGE_LIST(MEDIAN_STAGE)
  MEDIAN_OF(total_ms)
  MEDIAN_OF(processor_ms)
  MEDIAN_OF(yardstick_ms)
  MEDIAN_OF(asked_ms)
#undef MEDIAN_STAGE
#undef MEDIAN_OF
  return median;
}

double bench_rounds_least(const bench_result *rounds, size_t count) {
  double least = rounds[0].total_ms;
  for (size_t i = 1; i < count; i++) least = fmin(least, rounds[i].total_ms);
  return least;
}

double bench_rounds_least_processor(const bench_result *rounds, size_t count) {
  double least = rounds[0].processor_ms;
  for (size_t i = 1; i < count; i++) least = fmin(least, rounds[i].processor_ms);
  return least;
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

void bench_rounds_quartiles(const bench_result *rounds, size_t count, double *lower_out, double *upper_out) {
  double values[VALUES_MAX];
  for (size_t i = 0; i < count; i++) values[i] = rounds[i].total_ms;
  qsort(values, count, sizeof *values, compare_doubles);
  *lower_out = bench_quartile(values, count, 1);
  *upper_out = bench_quartile(values, count, 3);
}

bool bench_rounds_steady(const bench_result *rounds, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (rounds[i].hash != rounds[0].hash || rounds[i].pairs != rounds[0].pairs) return false;
  return true;
}

bench_result bench_row_median(const bench_row *row) {
  return bench_rounds_median(row->rounds, row->round_count);
}

double bench_row_least(const bench_row *row) {
  return bench_rounds_least(row->rounds, row->round_count);
}

bool bench_row_steady(const bench_row *row) {
  return bench_rounds_steady(row->rounds, row->round_count);
}

/* ---------------------------------------------------------------------------------------------- rows */

size_t bench_row_primitives(const bench_row *row) {
  const bench_scene *const scene = row->call.scene;
  size_t count = scene->shapes[0].triangle_count + scene->shapes[1].triangle_count;
  for (size_t i = 0; i < scene->body_count; i++) count += mesh_element_count(&scene->bodies[i]);
  return count > 0 ? count : 1;
}

double bench_row_bytes_each(const bench_row *row) {
  const bench_result *const last = &row->rounds[row->round_count - 1];
  if (bench_backend_has_devices(&row->call.backend))
    return (double)last->counters.device_bytes / (double)bench_row_primitives(row);
  const double pair_bytes = (double)sizeof(graze_pair) * (double)last->counters.pairs;
  return ((double)last->peak_bytes - pair_bytes) / (double)bench_row_primitives(row);
}
