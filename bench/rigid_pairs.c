/* Two bodies in many poses: the revolution and the queries. */
#include "bench/configurations.h"
#include "bench/rigid_parts.h"
#include "bench/rigid_poses.h"

#include "charts/line_chart.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Brute force over all pairs of triangles takes about a nanosecond each: half a second a step at most. */
enum { DISTANCES_MAX = 21, QUICK_DISTANCES = 5, SQUARE_TRIANGLES_MAX = 20000 };

static bool run_pose(const rigid_course *course, const rigid_engine *engine, void *bodies, size_t step,
                     rigid_answer *answer_out, rigid_error *error) {
  const bench_pose *const poses = course->steps;
  return engine->ask_pair(bodies, &poses[step], course->question, answer_out, error);
}

static bool is_small(const rigid_object *object) {
  return object->shapes[0].triangle_count <= SQUARE_TRIANGLES_MAX;
}

static rigid_course course_of(const rigid_settings *settings, const rigid_object *object, const bench_pose *poses) {
  return (rigid_course){.object = object->name,
                        .triangles = object->shapes[0].triangle_count,
                        .step_count = settings->steps,
                        .run = run_pose,
                        .steps = poses};
}

/* ---------------------------------------------------------------------------------------------- rotation */

typedef struct rotation_times {
  double distances[DISTANCES_MAX];
  size_t count;
  double mean_ms[RIGID_RUNNERS_MAX * DISTANCES_MAX], worst_ms[RIGID_RUNNERS_MAX * DISTANCES_MAX];
} rotation_times;

static bool draw(const rigid_settings *settings, const rigid_object *object, const rotation_times *times,
                 const rigid_runner *runners, size_t runner_count) {
  char path[4096], title[256];
  const char *names[RIGID_RUNNERS_MAX];
  for (size_t i = 0; i < runner_count; i++) names[i] = runners[i].engine->name;
  snprintf(path, sizeof path, "%s/rigid_rotation_%s.svg", settings->figures, object->name);
  snprintf(title, sizeof title, "%s and its copy, %zu triangles each: all pairs", object->name,
           object->shapes[0].triangle_count);
  const line_panel panels[2] = {{"mean of a revolution", times->mean_ms}, {"worst step", times->worst_ms}};
  const line_chart chart = {.title = title,
                            .horizontal = "distance of the centres",
                            .vertical = "milliseconds",
                            .lines = names,
                            .line_count = runner_count,
                            .points = times->distances,
                            .point_count = times->count,
                            .panels = panels,
                            .panel_count = 2};
  FILE *const stream = fopen(path, "w");
  if (stream != NULL) line_chart_write(&chart, stream);
  const bool written = stream != NULL && ferror(stream) == 0;
  if ((stream != NULL && fclose(stream) != 0) || !written) {
    fprintf(stderr, "graze_rigid: %s: %s\n", path, strerror(errno));
    return false;
  }
  return true;
}

static bool rotate(const rigid_settings *settings, const rigid_object *object, rigid_runner *runners,
                   size_t runner_count, bench_pose *poses, rotation_times *times) {
  rigid_course course = course_of(settings, object, poses);
  course.part = "rotation";
  course.question = RIGID_ALL;
  for (size_t i = 0; i < times->count; i++) {
    char state[32];
    snprintf(state, sizeof state, "distance %.2f", times->distances[i]);
    course.state = state;
    rigid_poses_revolve(times->distances[i], poses, settings->steps);
    if (!rigid_race(settings, &course, runners, runner_count)) return false;
    for (size_t j = 0; j < runner_count; j++) {
      const bool ran = runners[j].steps_done > 0;
      times->mean_ms[j * times->count + i] = ran ? 1e-3 * runners[j].mean_us : 0.0;
      times->worst_ms[j * times->count + i] = ran ? 1e-3 * runners[j].worst_us : 0.0;
    }
  }
  return true;
}

bool rigid_rotation_run(const rigid_settings *settings, const rigid_object *object) {
  rigid_runner runners[RIGID_RUNNERS_MAX];
  const size_t count = rigid_runners_choose(settings, RIGID_HAS_ALL, is_small(object), runners);
  rotation_times times = {.count = settings->quick ? QUICK_DISTANCES : DISTANCES_MAX};
  for (size_t i = 0; i < times.count; i++)
    times.distances[i] = 2.0 * (double)(times.count - 1 - i) / (double)(times.count - 1);
  bench_pose *const poses = calloc(settings->steps, sizeof *poses);
  bool done = poses != NULL && rigid_runners_open_pair(runners, count, object->shapes);
  if (poses != NULL) {
    done = done && rotate(settings, object, runners, count, poses, &times);
    rigid_runners_close_pair(runners, count);
  }
  free(poses);
  return done && (settings->figures == NULL || draw(settings, object, &times, runners, count));
}

/* ---------------------------------------------------------------------------------------------- queries */

static bool query(const rigid_settings *settings, const rigid_object *object, const char *words,
                  rigid_question question, const bench_pose *poses, rigid_runner *runners, size_t runner_count) {
  rigid_course course = course_of(settings, object, poses);
  course.part = "queries";
  course.state = words;
  course.question = question;
  return rigid_race(settings, &course, runners, runner_count);
}

/* Both kinds of poses, asked one question; each question has engines of its own. */
static bool query_both(const rigid_settings *settings, const rigid_object *object, rigid_question question,
                       bench_pose *poses) {
  const bool any = question == RIGID_ANY;
  rigid_runner runners[RIGID_RUNNERS_MAX];
  const size_t count = rigid_runners_choose(settings, any ? RIGID_HAS_ANY : RIGID_HAS_ALL, is_small(object), runners);
  bool done = rigid_runners_open_pair(runners, count, object->shapes);
  rigid_poses_scatter(poses, settings->steps);
  done = done && query(settings, object, any ? "random any" : "random all", question, poses, runners, count);
  if (done) {
    rigid_error error;
    done = rigid_poses_graze(runners[0].engine, runners[0].bodies, poses, settings->steps, &error);
    if (!done) fprintf(stderr, "graze_rigid: %s: %s\n", object->name, error.text);
  }
  done = done && query(settings, object, any ? "grazing any" : "grazing all", question, poses, runners, count);
  rigid_runners_close_pair(runners, count);
  return done;
}

bool rigid_queries_run(const rigid_settings *settings, const rigid_object *object) {
  bench_pose *const poses = calloc(settings->steps, sizeof *poses);
  const bool done =
      poses != NULL && query_both(settings, object, RIGID_ANY, poses) && query_both(settings, object, RIGID_ALL, poses);
  free(poses);
  return done;
}

/* ---------------------------------------------------------------------------------------------- configurations */

static bool ask_target(const rigid_settings *settings, const rigid_object *object, const configuration_list *list,
                       const configuration *like, rigid_question question, bench_pose *poses) {
  rigid_runner runners[RIGID_RUNNERS_MAX];
  const bool any = question == RIGID_ANY;
  const size_t count = rigid_runners_choose(settings, any ? RIGID_HAS_ANY : RIGID_HAS_ALL, is_small(object), runners);
  rigid_course course = course_of(settings, object, poses);
  char state[48];
  snprintf(state, sizeof state, "%s %" PRIu32 " %s", configuration_kind_name(like->kind), like->percent,
           any ? "any" : "all");
  course.part = "placed";
  course.state = state;
  course.question = question;
  course.step_count = 0;
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].kind == like->kind && list->items[i].percent == like->percent)
      poses[course.step_count++] = list->items[i].pose;
  if (course.step_count == 0) return true;
  const bool done =
      rigid_runners_open_pair(runners, count, object->shapes) && rigid_race(settings, &course, runners, count);
  rigid_runners_close_pair(runners, count);
  return done;
}

static bool ask_targets(const rigid_settings *settings, const rigid_object *object, const configuration_list *list) {
  bench_pose *const poses = calloc(list->count + 1, sizeof *poses);
  bool done = poses != NULL;
  for (int kind = 0; kind < 2; kind++)
    for (uint32_t i = 0; i < configuration_targets((configuration_kind)kind) && done; i++) {
      const configuration like = {.kind = (configuration_kind)kind, .percent = i};
      done = ask_target(settings, object, list, &like, RIGID_ANY, poses) &&
             ask_target(settings, object, list, &like, RIGID_ALL, poses);
    }
  free(poses);
  return done;
}

bool rigid_configurations_run(const rigid_settings *settings, const rigid_object *object, bool *fits_out) {
  configuration_heading heading = {.triangles = object->shapes[0].triangle_count};
  double lower[3], upper[3], square = 0.0;
  bench_shape_bounds(&object->shapes[0], lower, upper);
  for (int k = 0; k < 3; k++) square += (upper[k] - lower[k]) * (upper[k] - lower[k]);
  heading.diagonal = sqrt(square);
  snprintf(heading.body, sizeof heading.body, "%s", object->name);
  configuration_list list;
  char error[512];
  *fits_out = configurations_read(settings->configurations, &heading, &list, error, sizeof error);
  if (!*fits_out) {
    fprintf(stderr, "graze_rigid: %s: %s\n", object->name, error);
    return true;
  }
  const bool done = ask_targets(settings, object, &list);
  configuration_list_free(&list);
  return done;
}
