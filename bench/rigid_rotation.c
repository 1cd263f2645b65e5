/* Finds all pairs of a body and its rotating copy, at each distance of their centers. Used by graze_rigid and the
 * papers. */
#include "bench/rigid_parts.h"
#include "bench/rigid_poses.h"

#include "charts/line_chart.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Brute force takes about a nanosecond per pair of triangles: at most half a second per step. */
enum { QUICK_DISTANCES = 5, SQUARE_TRIANGLES_MAX = 20000 };

static bool run_pose(const rigid_series *series, const rigid_engine *engine, void *bodies, size_t step,
                     rigid_answer *answer_out, rigid_error *error) {
  const bench_pose *const poses = series->steps;
  return engine->ask_pair(bodies, &poses[step], series->question, answer_out, error);
}

bool rigid_object_is_small(const rigid_object *object) {
  return object->shapes[0].triangle_count <= SQUARE_TRIANGLES_MAX;
}

rigid_series rigid_pose_series(const rigid_settings *settings, const rigid_object *object, const bench_pose *poses) {
  return (rigid_series){.object = object->name,
                        .triangles = object->shapes[0].triangle_count,
                        .step_count = settings->steps,
                        .run = run_pose,
                        .steps = poses};
}

static bool draw(const rigid_settings *settings, const rigid_object *object, const rigid_rotation *times) {
  char path[4096], title[256];
  snprintf(path, sizeof path, "%s/%s_%s.svg", settings->figures,
           settings->drawing != NULL ? settings->drawing : "rigid_rotation", object->name);
  snprintf(title, sizeof title, "%s and its copy, %zu triangles each: all pairs", object->name,
           object->shapes[0].triangle_count);
  const line_panel panels[2] = {{"mean of a revolution", times->mean_ms}, {"worst step", times->worst_ms}};
  const line_chart chart = {.title = title,
                            .horizontal = "distance of the centers",
                            .vertical = "milliseconds",
                            .lines = times->engines,
                            .line_count = times->engine_count,
                            .points = times->distances,
                            .point_count = times->distance_count,
                            .panels = panels,
                            .panel_count = 2};
  FILE *const stream = fopen(path, "w");
  if (stream != NULL) line_chart_write(&chart, stream);
  const bool written = stream != NULL && ferror(stream) == 0;
  if ((stream != NULL && fclose(stream) != 0) || !written) {
    rigid_complain(settings, "%s: %s", path, strerror(errno));
    return false;
  }
  return true;
}

static void keep_times(const rigid_runner *runner, size_t place, rigid_rotation *times) {
  const bool ran = runner->steps_done > 0;
  times->mean_ms[place] = ran ? 1e-3 * runner->mean_us : 0.0;
  times->worst_ms[place] = ran ? 1e-3 * runner->worst_us : 0.0;
  times->box_tests[place] = ran ? (double)runner->box_tests / (double)runner->steps_done : 0.0;
}

static bool rotate(const rigid_settings *settings, const rigid_object *object, rigid_runner *runners, bench_pose *poses,
                   rigid_rotation *times) {
  rigid_series series = rigid_pose_series(settings, object, poses);
  series.part = "rotation";
  series.question = RIGID_ALL;
  for (size_t i = 0; i < times->distance_count; i++) {
    char state[32];
    snprintf(state, sizeof state, "distance %.2f", times->distances[i]);
    series.state = state;
    rigid_poses_revolve(times->distances[i], poses, settings->steps);
    if (!rigid_race(settings, &series, runners, times->engine_count)) return false;
    for (size_t j = 0; j < times->engine_count; j++) keep_times(&runners[j], j * times->distance_count + i, times);
  }
  return true;
}

bool rigid_rotation_run(const rigid_settings *settings, const rigid_object *object, rigid_rotation *times_out) {
  rigid_runner runners[RIGID_RUNNERS_MAX];
  const size_t count = rigid_runners_choose(settings, RIGID_HAS_ALL, rigid_object_is_small(object), runners);
  const size_t distances = settings->quick ? QUICK_DISTANCES : RIGID_DISTANCES_MAX;
  *times_out = (rigid_rotation){.distance_count = distances, .engine_count = count};
  for (size_t i = 0; i < count; i++) times_out->engines[i] = runners[i].engine->name;
  for (size_t i = 0; i < distances; i++)
    times_out->distances[i] = 2.0 * (double)(distances - 1 - i) / (double)(distances - 1);
  bench_pose *const poses = calloc(settings->steps, sizeof *poses);
  if (poses == NULL) {
    rigid_complain(settings, "out of memory for %zu poses", settings->steps);
    return false;
  }
  const bool done = rigid_runners_open_pair(settings, runners, count, object->shapes) &&
                    rotate(settings, object, runners, poses, times_out);
  rigid_runners_close_pair(runners, count);
  free(poses);
  return done && (settings->figures == NULL || draw(settings, object, times_out));
}
