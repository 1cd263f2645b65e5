/* Measures the creation of bodies, and frames in which all their positions change. */
#include "bench/rigid_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 10, QUICK_FRAMES = 3, ROUNDS_MAX = 101 };

/* ---------------------------------------------------------------------------------------------- building */

/* Creates two bodies from arrays, once per round. */
static bool time_opening(const rigid_settings *settings, const rigid_object *object) {
  rigid_runner runners[RIGID_RUNNERS_MAX];
  double times_us[RIGID_RUNNERS_MAX][ROUNDS_MAX] = {{0.0}};
  const size_t count = rigid_runners_choose(settings, 0, false, runners);
  const size_t rounds = settings->rounds < ROUNDS_MAX ? settings->rounds : ROUNDS_MAX;
  for (size_t round = 0; round < rounds; round++) {
    if (!rigid_runners_open_pair(settings, runners, count, object->shapes)) return false;
    for (size_t i = 0; i < count; i++) times_us[i][round] = 1e3 * runners[i].open_ms;
    rigid_runners_close_pair(runners, count);
  }
  const rigid_series series = {
      .part = "build", .object = object->name, .state = "two bodies", .triangles = object->shapes[0].triangle_count};
  for (size_t i = 0; i < count; i++) {
    rigid_runner *const runner = &runners[i];
    runner->steps_done = runner->bodies != NULL ? 1 : 0;
    runner->median_us = bench_median(times_us[i], rounds);
    runner->mean_us = times_us[i][0]; /* sorted: the least */
    runner->worst_us = times_us[i][rounds - 1];
    runner->over_first = runner->mean_us / runners[0].mean_us;
    rigid_print_row(settings, &series, runner);
  }
  return true;
}

/* ---------------------------------------------------------------------------------------------- frames */

typedef struct frame {
  bench_shape shapes[2];
} frame;

/* Deforms the shape by waves. The second shape is slightly displaced, so that the two cross. */
static void bend(const bench_shape *from, size_t frame_number, double aside, bench_shape *to) {
  const double phase = 0.3 * (double)frame_number + 10.0 * aside;
  for (size_t i = 0; i < from->vertex_count; i++) {
    const double *const p = from->positions + 3 * i;
    double *const q = to->positions + 3 * i;
    q[0] = p[0] + aside + 0.03 * sin(6.0 * p[1] + phase);
    q[1] = p[1] + 0.1 * aside + 0.05 * sin(4.0 * p[2] + phase);
    q[2] = p[2] + 0.6 * aside + 0.03 * sin(5.0 * p[0] + phase);
  }
  bench_shape_round_to_float(to);
}

static void frames_free(frame *frames, size_t count) {
  for (size_t i = 0; i < count && frames != NULL; i++)
    for (size_t j = 0; j < 2; j++) bench_shape_free(&frames[i].shapes[j]);
  free(frames);
}

static frame *frames_make(const rigid_object *object, size_t count) {
  static const double no_offset[3] = {0.0, 0.0, 0.0};
  frame *const frames = calloc(count, sizeof *frames);
  for (size_t i = 0; i < count && frames != NULL; i++)
    for (size_t j = 0; j < 2; j++) {
      if (!bench_shape_copy(&object->shapes[j], no_offset, &frames[i].shapes[j])) {
        frames_free(frames, count);
        return NULL;
      }
      bend(&object->shapes[j], i, j == 0 ? 0.0 : 0.4, &frames[i].shapes[j]);
    }
  return frames;
}

static bool run_frame(const rigid_series *series, const rigid_engine *engine, void *bodies, size_t step,
                      rigid_answer *answer_out, rigid_error *error) {
  const frame *const frames = series->steps;
  return engine->ask_frame(bodies, frames[step].shapes, answer_out, error);
}

static bool time_frames(const rigid_settings *settings, const rigid_object *object) {
  const size_t frame_count = settings->quick ? QUICK_FRAMES : FRAMES;
  frame *const frames = frames_make(object, frame_count);
  if (frames == NULL) {
    rigid_complain(settings, "out of memory for frames of %s", object->name);
    return false;
  }
  const rigid_series series = {.part = "build",
                               .object = object->name,
                               .state = "deforming all",
                               .triangles = object->shapes[0].triangle_count,
                               .step_count = frame_count,
                               .run = run_frame,
                               .steps = frames,
                               .question = RIGID_ALL};
  rigid_runner runners[RIGID_RUNNERS_MAX];
  const size_t count = rigid_runners_choose(settings, RIGID_HAS_FRAMES, false, runners);
  bool done = rigid_runners_open_pair(settings, runners, count, frames[0].shapes);
  done = done && rigid_race(settings, &series, runners, count);
  rigid_runners_close_pair(runners, count);
  frames_free(frames, frame_count);
  return done;
}

bool rigid_build_run(const rigid_settings *settings, const rigid_object *object) {
  return time_opening(settings, object) && time_frames(settings, object);
}
