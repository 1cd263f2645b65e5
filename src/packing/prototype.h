/* A prototype: a point of free space, the center of a growing sphere. It moves away from near obstacles until the
 * sphere is locally largest.
 *
 * In Protosphere (Weller, Zachmann, "ProtoSphere: A GPU-Assisted Prototype Guided Sphere Packing Algorithm for
 * Arbitrary Objects", 2010) a prototype moves away from its one nearest point by decreasing fractions of the distance,
 * and comes within a few hundredths of the best place. Here each step is the best one that the nearest obstacles allow
 * (largest_step.h). A step may be too long, as obstacles behind others or in nearly the same direction are omitted; it
 * is then undone and shortened. So the sphere never becomes smaller, and it ends where four obstacles fix it, within
 * about 1e-5 of the largest radius, in about ten steps.
 *
 * A step stays in the empty sphere around the point, so a prototype that starts inside the mesh stays there. */
#ifndef GRAZE_PACKING_PROTOTYPE_H
#define GRAZE_PACKING_PROTOTYPE_H

#include "packing/largest_step.h"

enum { PROTOTYPE_STEPS = 50 };

/* The steps' width as a fraction of the radius; at most the width at which the cube of the step is in the sphere. */
#define PROTOTYPE_WIDTH 0.5
#define PROTOTYPE_GAIN 1e-5 /* a step that gains less than this fraction of the radius is the last */
#define PROTOTYPE_ANGLE 1.5 /* from which obstacles are distinguished, for steps as wide as the radius */
#define PROTOTYPE_LEAST_WIDTH 1e-5
#define PROTOTYPE_REACH 2.0 /* the search distance beyond the nearest obstacle, in widths */
#define CLEARANCE_ANGLE 1e-6

GEOMETRY_FUNCTION void packing_space_search(const packing_space *space, const double *point, near_list *near) {
  const vector3 at = vector3_load(point);
  obstacle_tree_search(&space->spheres, at, near);
  obstacle_tree_search(&space->mesh, at, near);
}

/* The distance of the nearest obstacle only, accurate to the last roundings. */
GEOMETRY_FUNCTION double packing_space_clearance(const packing_space *space, const double *point) {
  near_list near;
  near_list_begin(&near, 1.0, CLEARANCE_ANGLE);
  near.careful = true;
  packing_space_search(space, point, &near);
  return near.count > 0 ? near.distance[0] : 0.0;
}

GEOMETRY_FUNCTION double largest_part(const double step[3]) {
  return vector3_largest_magnitude(vector3_load(step));
}

GEOMETRY_FUNCTION double search_reach(double width) {
  return 1.0 + PROTOTYPE_REACH * width;
}

/* The resolution that steps of this width need: an obstacle omitted at some angle makes a step wrong by at most that
 * angle. */
GEOMETRY_FUNCTION double search_angle(double width) {
  return PROTOTYPE_ANGLE * width;
}

/* Lists the obstacles around a place. */
GEOMETRY_FUNCTION void list_obstacles(const packing_space *space, const double place[3], double width,
                                      near_list *near) {
  near_list_begin(near, search_reach(width), search_angle(width));
  packing_space_search(space, place, near);
}

/* The path of a prototype. At each place the caller lists the near obstacles and computes the step, by any means; these
 * functions decide whether to advance, or to return after a step that was too long. */
typedef struct climb {
  prototype *moving; /* the best place so far */
  double place[3], width;
  int searches;
  bool returned;
} climb;

typedef enum climb_action { CLIMB_ENDS, CLIMB_SEARCHES_AGAIN, CLIMB_STEPS } climb_action;

GEOMETRY_FUNCTION climb climb_begin(prototype *moving) {
  climb path;
  path.moving = moving;
  moving->radius = 0.0;
  for (int k = 0; k < 3; ++k) path.place[k] = moving->center[k];
  path.width = PROTOTYPE_WIDTH;
  path.searches = 0;
  path.returned = false;
  return path;
}

/* Decides what to do at a place, given the number of obstacles near it and the distance of the nearest. */
GEOMETRY_FUNCTION climb_action climb_arrive(climb *path, int near_count, double nearest) {
  prototype *moving = path->moving;
  if (near_count == 0 || (path->searches++ == 0 && !(nearest > 0.0))) return CLIMB_ENDS;
  if (!path->returned && !(nearest > moving->radius)) { /* the step was too long: tries a shorter one */
    for (int k = 0; k < 3; ++k) path->place[k] = moving->center[k];
    path->width *= 0.25;
    path->returned = true;
    return path->width < PROTOTYPE_LEAST_WIDTH ? CLIMB_ENDS : CLIMB_SEARCHES_AGAIN;
  }
  path->returned = false;
  moving->radius = nearest;
  for (int k = 0; k < 3; ++k) moving->center[k] = path->place[k];
  return CLIMB_STEPS;
}

/* Takes a step with this expected gain; false if the gain is too small. */
GEOMETRY_FUNCTION bool climb_step(climb *path, double gain, const double step[3]) {
  const double radius = path->moving->radius;
  if (!(gain > PROTOTYPE_GAIN * radius)) return false;
  for (int k = 0; k < 3; ++k) path->place[k] += step[k];
  const double wanted = 2.0 * largest_part(step) / radius, twice = 2.0 * path->width;
  path->width = wanted < path->width ? wanted : (twice < PROTOTYPE_WIDTH ? twice : PROTOTYPE_WIDTH);
  return true;
}

/* Moves the prototype to the nearest place where its sphere is largest. */
GEOMETRY_FUNCTION void prototype_ascend(const packing_space *space, prototype *moving) {
  climb path = climb_begin(moving);
  bool goes_on = true;
  while (goes_on && path.searches < PROTOTYPE_STEPS) {
    near_list near;
    double step[3];
    list_obstacles(space, path.place, path.width, &near);
    const climb_action action = climb_arrive(&path, near.count, near.count > 0 ? near.distance[0] : 0.0);
    goes_on = action == CLIMB_SEARCHES_AGAIN;
    if (action != CLIMB_STEPS) continue;
    const double gain = largest_step(&near, path.width * moving->radius, step);
    goes_on = climb_step(&path, gain, step);
  }
}

#endif
