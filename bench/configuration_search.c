/* Finds distances by conservative advancement: at distance d, a step of d - target cannot pass the first position with
 * the target distance, because no point moves further (Mirtich, "Impulse-based dynamic simulation of rigid body
 * systems", 1996). Finds contact by bisection with exact answers, and volumes by steps of 1/256 of the diagonal,
 * followed by bisection. */
#include "bench/configuration_search.h"

#include <stdio.h>
#include <string.h>

enum { ADVANCES_MOST = 1000, HALVINGS = 24, VOLUME_STEPS = 256 };

/* Tolerances relative to the diagonal: of a distance, and between the touching and the separate position. */
static const double distance_slack = 1e-5, touch_slack = 1e-7;

/* The position of the copy on its way. */
typedef struct approach {
  const configuration_search *search;
  configuration_way way;
  double at; /* distance of its center from that of the body */
  configuration item;
  configuration_list *list;
  rigid_error *error;
} approach;

static const bench_pose *pose_at(approach *on, double at) {
  memcpy(on->item.pose.rotation, on->way.rotation, sizeof on->way.rotation);
  for (int k = 0; k < 3; k++) on->item.pose.translation[k] = at * on->way.direction[k];
  return &on->item.pose;
}

static bool keep(approach *on, uint32_t percent) {
  on->item.percent = percent;
  pose_at(on, on->at);
  if (configuration_list_add(on->list, &on->item)) return true;
  snprintf(on->error->text, sizeof on->error->text, "out of memory for configurations");
  return false;
}

/* Whether the target is reached. A copy that begins nearer than the target does not move. */
static bool reaches_distance(approach *on, double target) {
  const configuration_search *const search = on->search;
  const double slack = distance_slack * search->diagonal;
  for (int i = 0; i < ADVANCES_MOST && on->at > 0.0; i++) {
    const double gap = mesh_balls_distance(search->balls, search->balls, pose_at(on, on->at)) - target;
    if (gap < -slack) return false;
    if (gap <= slack) return true;
    on->at -= gap;
  }
  return false;
}

static bool find_distances(approach *on) {
  for (uint32_t percent = CONFIGURATION_DISTANCES; percent-- > 0;)
    if (reaches_distance(on, 0.01 * percent * on->search->diagonal) && !keep(on, percent)) return false;
  return true;
}

/* ---------------------------------------------------------------------------------------------- volumes */

static bool meets(approach *on, double at, bool *found_out) {
  const configuration_search *const search = on->search;
  rigid_answer answer;
  if (!search->engine->ask_pair(search->pair, pose_at(on, at), RIGID_ANY, &answer, on->error)) return false;
  *found_out = answer.found;
  return true;
}

/* Moves the copy from just separate to just touching. */
static bool reach_touch(approach *on, bool *reached_out) {
  const double slack = touch_slack * on->search->diagonal;
  double outside = on->at, inside = on->at;
  bool found = false;
  for (double step = slack; !found; step *= 2.0) {
    outside = inside;
    inside = on->at - step;
    *reached_out = inside > 0.0;
    if (!*reached_out) return true;
    if (!meets(on, inside, &found)) return false;
  }
  while (outside - inside > slack) {
    const double middle = 0.5 * (outside + inside);
    if (!meets(on, middle, &found)) return false;
    if (found)
      inside = middle;
    else
      outside = middle;
  }
  on->at = inside;
  return true;
}

static bool volume_at(approach *on, double at, double *volume_out) {
  const graze_sphere_tree *const tree = on->search->tree;
  const bench_pose *const pose = pose_at(on, at);
  graze_pose second;
  graze_sphere_volume volume = {.struct_bytes = sizeof volume};
  memcpy(second.rotation, pose->rotation, sizeof second.rotation);
  memcpy(second.translation, pose->translation, sizeof second.translation);
  if (graze_sphere_trees_volume(tree, NULL, tree, &second, NULL, &volume) != GRAZE_OK) {
    snprintf(on->error->text, sizeof on->error->text, "%s", graze_error_text());
    return false;
  }
  *volume_out = volume.volume;
  return true;
}

static bool reach_volume(approach *on, double target, bool *reached_out) {
  const double step = on->search->diagonal / VOLUME_STEPS;
  double outside = on->at, inside = on->at, volume = 0.0;
  for (;;) {
    if (!volume_at(on, inside, &volume)) return false;
    if (volume >= target) break;
    outside = inside;
    inside -= step;
    *reached_out = inside > 0.0;
    if (!*reached_out) return true;
  }
  for (int i = 0; i < HALVINGS && outside > inside; i++) {
    const double middle = 0.5 * (outside + inside);
    if (!volume_at(on, middle, &volume)) return false;
    if (volume >= target)
      inside = middle;
    else
      outside = middle;
  }
  on->at = inside;
  *reached_out = true;
  return true;
}

static bool find_volumes(approach *on) {
  bool reached = false;
  if (!reaches_distance(on, 0.0)) return true;
  if (!reach_touch(on, &reached)) return false;
  for (uint32_t percent = 0; percent < CONFIGURATION_VOLUMES && reached; percent++) {
    if (percent > 0 && !reach_volume(on, 0.01 * percent * on->search->volume, &reached)) return false;
    if (reached && !keep(on, percent)) return false;
  }
  return true;
}

bool configuration_search_way(const configuration_search *search, configuration_kind kind, uint64_t number,
                              configuration_list *list, rigid_error *error) {
  approach on = {.search = search, .item = {.kind = kind, .number = number}, .list = list, .error = error};
  if (!configuration_way_at(search->method, kind, number, search->diagonal, &on.way)) return true;
  on.at = on.way.begin;
  bool found = false;
  if (!meets(&on, on.at, &found)) return false;
  if (found) return true; /* a grid cell may be inside the body */
  return kind == CONFIGURATION_DISTANCE ? find_distances(&on) : find_volumes(&on);
}
