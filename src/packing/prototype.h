/* A prototype: a point of free space that moves away from what is near it until the sphere around it is as large as it
 * can be there.
 *
 * In Protosphere (Weller, Zachmann, "ProtoSphere: A GPU-Assisted Prototype Guided Sphere Packing Algorithm for
 * Arbitrary Objects", 2010) a prototype moves away from its one nearest point by smaller and smaller parts of the way,
 * and comes to within some hundredths of the best place. Here each step is the best one that the nearest obstacles
 * allow (largest_step.h). A step that went too far, as obstacles were left out that lie beyond others or in nearly the
 * same direction, is taken back and shortened. So the sphere never becomes smaller, and it ends where four obstacles
 * hold it, within about 1e-5 of the largest radius, in about ten steps.
 *
 * A step stays in the empty sphere around the point, so that a prototype that began inside of the mesh stays there. */
#ifndef GRAZE_PACKING_PROTOTYPE_H
#define GRAZE_PACKING_PROTOTYPE_H

#include "packing/largest_step.h"

enum { PROTOTYPE_STEPS = 50 };

/* The steps' width as a part of the radius: at most so that the cube of the step lies in the sphere. */
#define PROTOTYPE_WIDTH 0.5
#define PROTOTYPE_GAIN 1e-5 /* a step that promises less than this part of the radius is the last */
#define PROTOTYPE_ANGLE 1.5 /* of obstacles that are told apart, for steps as wide as the radius */
#define PROTOTYPE_LEAST_WIDTH 1e-5
#define PROTOTYPE_REACH 2.0 /* how far beyond the nearest obstacle others are looked for, in widths */
#define CLEARANCE_ANGLE 1e-6

GEOMETRY_FUNCTION void packing_space_search(const packing_space *space, const double *point, near_list *near) {
  const vector3 at = vector3_load(point);
  obstacle_tree_search(&space->spheres, at, near);
  obstacle_tree_search(&space->mesh, at, near);
}

/* The distance of the nearest obstacle alone, to the last roundings. */
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

GEOMETRY_FUNCTION double look_reach(double width) {
  return 1.0 + PROTOTYPE_REACH * width;
}

/* As finely as steps of this width need: leaving out an obstacle that is turned by an angle makes a step wrong by that
 * angle at most. */
GEOMETRY_FUNCTION double look_angle(double width) {
  return PROTOTYPE_ANGLE * width;
}

/* The obstacles around a place. */
GEOMETRY_FUNCTION void look_around(const packing_space *space, const double place[3], double width, near_list *near) {
  near_list_begin(near, look_reach(width), look_angle(width));
  packing_space_search(space, place, near);
}

/* The way of a prototype: at each place it looks around, and goes on by a step, or back where the last was too long.
 * Whoever looks and finds the step, in whatever manner, does so between these functions. */
typedef struct climb {
  prototype *moving; /* the best place so far */
  double place[3], width;
  int looks;
  bool returned;
} climb;

typedef enum climb_turn { CLIMB_ENDS, CLIMB_LOOKS_AGAIN, CLIMB_STEPS } climb_turn;

GEOMETRY_FUNCTION climb climb_begin(prototype *moving) {
  climb way;
  way.moving = moving;
  moving->radius = 0.0;
  for (int k = 0; k < 3; ++k) way.place[k] = moving->center[k];
  way.width = PROTOTYPE_WIDTH;
  way.looks = 0;
  way.returned = false;
  return way;
}

/* What to do at a place, by the number of obstacles near it and the distance of the nearest. */
GEOMETRY_FUNCTION climb_turn climb_arrive(climb *way, int near_count, double nearest) {
  prototype *moving = way->moving;
  if (near_count == 0 || (way->looks++ == 0 && !(nearest > 0.0))) return CLIMB_ENDS;
  if (!way->returned && !(nearest > moving->radius)) { /* the step went too far: a shorter one */
    for (int k = 0; k < 3; ++k) way->place[k] = moving->center[k];
    way->width *= 0.25;
    way->returned = true;
    return way->width < PROTOTYPE_LEAST_WIDTH ? CLIMB_ENDS : CLIMB_LOOKS_AGAIN;
  }
  way->returned = false;
  moving->radius = nearest;
  for (int k = 0; k < 3; ++k) moving->center[k] = way->place[k];
  return CLIMB_STEPS;
}

/* Goes by a step that promises so much; false where that is not worth it. */
GEOMETRY_FUNCTION bool climb_step(climb *way, double gain, const double step[3]) {
  const double radius = way->moving->radius;
  if (!(gain > PROTOTYPE_GAIN * radius)) return false;
  for (int k = 0; k < 3; ++k) way->place[k] += step[k];
  const double wish = 2.0 * largest_part(step) / radius, twice = 2.0 * way->width;
  way->width = wish < way->width ? wish : (twice < PROTOTYPE_WIDTH ? twice : PROTOTYPE_WIDTH);
  return true;
}

/* Moves the prototype to the nearest place where its sphere is largest. */
GEOMETRY_FUNCTION void prototype_ascend(const packing_space *space, prototype *moving) {
  climb way = climb_begin(moving);
  bool goes_on = true;
  while (goes_on && way.looks < PROTOTYPE_STEPS) {
    near_list near;
    double step[3];
    look_around(space, way.place, way.width, &near);
    const climb_turn turn = climb_arrive(&way, near.count, near.count > 0 ? near.distance[0] : 0.0);
    goes_on = turn == CLIMB_LOOKS_AGAIN;
    if (turn != CLIMB_STEPS) continue;
    const double gain = largest_step(&near, way.width * moving->radius, step);
    goes_on = climb_step(&way, gain, step);
  }
}

#endif
