/* Prototypes by the two heuristics that neural gas is compared with: the four largest spheres of a node, and the four
 * outermost ones along its two widest axes. Nodes are processed in parallel, the spheres of each in order; of equals
 * the first counts. */
#include "spheres/sphere_seeds.h"

enum { SEED_NODES = 16 }; /* per task */

static const double *item_ball(const sphere_level *level, const level_node *node, uint32_t i) {
  return level->balls[node->first + i];
}

static void take_seed(double prototype[3], const double ball[4]) {
  for (int axis = 0; axis < 3; axis++) prototype[axis] = ball[axis];
}

/* ---------------------------------------------------------------------------------------------- largest spheres */

/* Inserts a ball among the largest so far, in descending order. */
static void keep_biggest(const double *biggest[SPHERE_CHILDREN], uint32_t *count, const double *ball) {
  uint32_t place = *count;
  while (place > 0 && biggest[place - 1][3] < ball[3]) place--;
  if (place == SPHERE_CHILDREN) return;
  if (*count < SPHERE_CHILDREN) ++*count;
  for (uint32_t i = *count - 1; i > place; i--) biggest[i] = biggest[i - 1];
  biggest[place] = ball;
}

static void seed_biggest(void *context, size_t first, size_t end, uint32_t worker) {
  const sphere_level *level = context;
  (void)worker;
  for (size_t at = first; at < end; at++) {
    const level_node *node = &level->nodes[at];
    const double *biggest[SPHERE_CHILDREN];
    uint32_t count = 0;
    for (uint32_t i = 0; i < node->count; i++) keep_biggest(biggest, &count, item_ball(level, node, i));
    for (uint32_t i = 0; i < SPHERE_CHILDREN; i++)
      take_seed(level->prototypes[at][i], biggest[i < count ? i : count - 1]);
  }
}

graze_result place_at_biggest(sphere_level *level) {
  workers_for(level->team, level->node_count, SEED_NODES, seed_biggest, level);
  return GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- extremes */

/* The balls with the lowest and the highest center along each axis. */
static void find_extremes(const sphere_level *level, const level_node *node, const double *extremes[3][2]) {
  for (int axis = 0; axis < 3; axis++) {
    extremes[axis][0] = extremes[axis][1] = item_ball(level, node, 0);
    for (uint32_t i = 1; i < node->count; i++) {
      const double *ball = item_ball(level, node, i);
      if (ball[axis] < extremes[axis][0][axis]) extremes[axis][0] = ball;
      if (ball[axis] > extremes[axis][1][axis]) extremes[axis][1] = ball;
    }
  }
}

static int narrowest_axis(const double *extremes[3][2]) {
  int narrowest = 2;
  for (int axis = 1; axis >= 0; axis--)
    if (extremes[axis][1][axis] - extremes[axis][0][axis] <
        extremes[narrowest][1][narrowest] - extremes[narrowest][0][narrowest])
      narrowest = axis;
  return narrowest;
}

static void seed_extremes(void *context, size_t first, size_t end, uint32_t worker) {
  const sphere_level *level = context;
  (void)worker;
  for (size_t at = first; at < end; at++) {
    const double *extremes[3][2];
    find_extremes(level, &level->nodes[at], extremes);
    const int narrowest = narrowest_axis(extremes);
    uint32_t seed = 0;
    for (int axis = 0; axis < 3; axis++)
      for (int side = 0; side < 2 && axis != narrowest; side++)
        take_seed(level->prototypes[at][seed++], extremes[axis][side]);
  }
}

graze_result place_at_extremes(sphere_level *level) {
  workers_for(level->team, level->node_count, SEED_NODES, seed_extremes, level);
  return GRAZE_OK;
}
