/* Measures queries of two bodies in many poses. */
#include "bench/configurations.h"
#include "bench/rigid_parts.h"
#include "bench/rigid_poses.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- queries */

static bool query(const rigid_settings *settings, const rigid_object *object, const char *words,
                  rigid_question question, const bench_pose *poses, rigid_runner *runners, size_t runner_count) {
  rigid_series series = rigid_pose_series(settings, object, poses);
  series.part = "queries";
  series.state = words;
  series.question = question;
  return rigid_race(settings, &series, runners, runner_count);
}

/* Runs one query for both kinds of poses; each query has its own engines. */
static bool query_both(const rigid_settings *settings, const rigid_object *object, rigid_question question,
                       bench_pose *poses) {
  const bool any = question == RIGID_ANY;
  rigid_runner runners[RIGID_RUNNERS_MAX];
  const size_t count =
      rigid_runners_choose(settings, any ? RIGID_HAS_ANY : RIGID_HAS_ALL, rigid_object_is_small(object), runners);
  bool done = rigid_runners_open_pair(settings, runners, count, object->shapes);
  rigid_poses_scatter(poses, settings->steps);
  done = done && query(settings, object, any ? "random any" : "random all", question, poses, runners, count);
  if (done) {
    rigid_error error;
    done = rigid_poses_graze(runners[0].engine, runners[0].bodies, poses, settings->steps, &error);
    if (!done) rigid_complain(settings, "%s: %s", object->name, error.text);
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
  const size_t count =
      rigid_runners_choose(settings, any ? RIGID_HAS_ANY : RIGID_HAS_ALL, rigid_object_is_small(object), runners);
  rigid_series series = rigid_pose_series(settings, object, poses);
  char state[48];
  snprintf(state, sizeof state, "%s %" PRIu32 " %s", configuration_kind_name(like->kind), like->percent,
           any ? "any" : "all");
  series.part = "placed";
  series.state = state;
  series.question = question;
  series.step_count = 0;
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i].kind == like->kind && list->items[i].percent == like->percent)
      poses[series.step_count++] = list->items[i].pose;
  if (series.step_count == 0) return true;
  const bool done = rigid_runners_open_pair(settings, runners, count, object->shapes) &&
                    rigid_race(settings, &series, runners, count);
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
