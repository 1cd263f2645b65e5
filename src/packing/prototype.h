/* A prototype: a point of free space, the center of a growing sphere. It moves away from near obstacles until the
 * sphere is locally largest.
 *
 * In Protosphere (Weller, Zachmann, "ProtoSphere: A GPU-Assisted Prototype Guided Sphere Packing Algorithm for
 * Arbitrary Objects", 2010) a prototype moves away from its one nearest point by decreasing fractions of the distance,
 * and comes within a few hundredths of the best place. Here each step is the best one that the nearest obstacles allow
 * (largest_step below). A step may be too long, as obstacles behind others or in nearly the same direction are omitted;
 * it is then undone and shortened. So the sphere never becomes smaller, and it ends where four obstacles fix it, within
 * about 1e-5 of the largest radius, in about ten steps.
 *
 * A step stays in the empty sphere around the point, so a prototype that starts inside the mesh stays there. */
#ifndef GRAZE_PACKING_PROTOTYPE_H
#define GRAZE_PACKING_PROTOTYPE_H

#include "packing/obstacle_tree.h"

/* The step that maximizes a sphere, given its nearest obstacles.
 *
 * A point p has distances d_i from the obstacles near it, with unit gradients n_i. Distances from balls and triangles
 * are convex, so d_i + n_i . s is never more than the distance after a step s: these linear bounds always hold. So the
 * step is the linear program
 *
 *   maximize t, such that t <= d_i + n_i . s for all i, and |s_x|, |s_y|, |s_z| <= width.
 *
 * It is solved by active sets. The constraints that hold with equality are kept, and t rises along the steepest
 * direction that they allow until another one stops it. If they allow none, a constraint with a wrong multiplier is
 * released. All intermediate points are feasible, so an early end only makes the step less good. Four unknowns: at most
 * four constraints at a time, systems of at most four equations. */

enum { STEP_UNKNOWNS = 4, STEP_ROUNDS = 32 };

typedef struct step_problem {
  const near_list *near;
  double width;
  double at[STEP_UNKNOWNS]; /* s and t */
  int held[STEP_UNKNOWNS];  /* rows that hold with equality */
  int held_count;
} step_problem;

/* Writes a constraint as row . (s, t) + offset >= 0: obstacles first, then the six sides of the cube. */
GEOMETRY_FUNCTION double step_row(const step_problem *problem, int number, double row_out[STEP_UNKNOWNS]) {
  const int obstacles = problem->near->count;
  for (int k = 0; k < 3; k++) row_out[k] = number < obstacles ? problem->near->gradient[number][k] : 0.0;
  row_out[3] = number < obstacles ? -1.0 : 0.0;
  if (number < obstacles) return problem->near->distance[number];
  row_out[(number - obstacles) / 2] = (number - obstacles) % 2 == 0 ? 1.0 : -1.0;
  return problem->width;
}

GEOMETRY_FUNCTION double step_dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* Solves the symmetric positive system by elimination; false if the rows are nearly dependent. Loops have fixed bounds
 * here and below, so that a device keeps the numbers in registers. */
GEOMETRY_FUNCTION bool step_solve(double matrix[STEP_UNKNOWNS][STEP_UNKNOWNS], double right[STEP_UNKNOWNS], int count) {
  for (int i = 0; i < STEP_UNKNOWNS; i++) {
    if (i < count && !(matrix[i][i] > 1e-13)) return false;
    for (int j = i + 1; j < STEP_UNKNOWNS; j++) {
      if (j >= count) continue;
      const double factor = matrix[j][i] / matrix[i][i];
      for (int k = i; k < STEP_UNKNOWNS; k++)
        if (k < count) matrix[j][k] -= factor * matrix[i][k];
      right[j] -= factor * right[i];
    }
  }
  for (int i = STEP_UNKNOWNS - 1; i >= 0; i--) {
    if (i >= count) continue;
    for (int k = i + 1; k < STEP_UNKNOWNS; k++)
      if (k < count) right[i] -= matrix[i][k] * right[k];
    right[i] /= matrix[i][i];
  }
  return true;
}

/* The direction in which t rises fastest while these rows stay equal, and their multipliers. */
GEOMETRY_FUNCTION bool step_direction(double rows[STEP_UNKNOWNS][STEP_UNKNOWNS], int count,
                                      double direction_out[STEP_UNKNOWNS], double multipliers_out[STEP_UNKNOWNS]) {
  double matrix[STEP_UNKNOWNS][STEP_UNKNOWNS];
  for (int i = 0; i < STEP_UNKNOWNS; i++) {
    if (i >= count) continue;
    for (int j = 0; j < STEP_UNKNOWNS; j++)
      if (j < count) matrix[i][j] = step_dot(rows[i], rows[j]);
    multipliers_out[i] = rows[i][3];
  }
  if (!step_solve(matrix, multipliers_out, count)) return false;
  for (int k = 0; k < STEP_UNKNOWNS; k++) {
    direction_out[k] = k == 3 ? 1.0 : 0.0;
    for (int i = 0; i < STEP_UNKNOWNS; i++)
      if (i < count) direction_out[k] -= multipliers_out[i] * rows[i][k];
  }
  return true;
}

/* Whether t does not rise any further along the direction. */
GEOMETRY_FUNCTION bool step_is_over(const double direction[STEP_UNKNOWNS]) {
  return !(step_dot(direction, direction) > 1e-12);
}

/* The distance along a direction to where a row that is not held stops it; infinite if it does not. */
GEOMETRY_FUNCTION double step_distance(const double row[STEP_UNKNOWNS], double offset, const double at[STEP_UNKNOWNS],
                                       const double direction[STEP_UNKNOWNS]) {
  const double fall = -step_dot(row, direction);
  if (!(fall > 1e-12)) return HUGE_VAL;
  const double slack = step_dot(row, at) + offset;
  return slack > 0.0 ? slack / fall : 0.0;
}

/* The held row with the worst multiplier; -1 if none is wrong: t is largest. */
GEOMETRY_FUNCTION int step_wrong_row(const double multipliers[STEP_UNKNOWNS], int count) {
  double most = 1e-12;
  int worst = -1;
  for (int i = 0; i < STEP_UNKNOWNS; i++) {
    if (i >= count || !(multipliers[i] > most)) continue;
    most = multipliers[i];
    worst = i;
  }
  return worst;
}

GEOMETRY_FUNCTION bool step_is_held(const step_problem *problem, int row) {
  for (int i = 0; i < problem->held_count; i++)
    if (problem->held[i] == row) return true;
  return false;
}

/* Moves along the direction until a row stops it, and holds that row. */
GEOMETRY_FUNCTION void step_advance(step_problem *problem, const double direction[STEP_UNKNOWNS]) {
  double least = HUGE_VAL;
  int stopping = -1;
  for (int number = 0; number < problem->near->count + 6; number++) {
    double row[STEP_UNKNOWNS];
    const double offset = step_row(problem, number, row);
    const double distance = step_distance(row, offset, problem->at, direction);
    if (distance >= least || step_is_held(problem, number)) continue;
    least = distance;
    stopping = number;
  }
  if (stopping < 0) return;
  for (int k = 0; k < STEP_UNKNOWNS; k++) problem->at[k] += least * direction[k];
  problem->held[problem->held_count++] = stopping;
}

/* Releases the row with the worst multiplier; false if none is wrong. */
GEOMETRY_FUNCTION bool step_release(step_problem *problem, const double multipliers[STEP_UNKNOWNS]) {
  const int worst = step_wrong_row(multipliers, problem->held_count);
  if (worst < 0) return false;
  for (int i = 0; i + 1 < STEP_UNKNOWNS; i++)
    if (i >= worst && i + 1 < problem->held_count) problem->held[i] = problem->held[i + 1];
  problem->held_count--;
  return true;
}

/* The direction that keeps the held rows equal. */
GEOMETRY_FUNCTION bool step_held_direction(const step_problem *problem, double direction_out[STEP_UNKNOWNS],
                                           double multipliers_out[STEP_UNKNOWNS]) {
  double rows[STEP_UNKNOWNS][STEP_UNKNOWNS] = {{0.0}};
  for (int i = 0; i < problem->held_count; i++) step_row(problem, problem->held[i], rows[i]);
  return step_direction(rows, problem->held_count, direction_out, multipliers_out);
}

/* Runs the active sets. The list must not be empty, and its first distance must be the least. */
GEOMETRY_FUNCTION void step_problem_run(step_problem *problem, const near_list *near, double width) {
  problem->near = near;
  problem->width = width;
  for (int k = 0; k < 3; k++) problem->at[k] = 0.0;
  problem->at[3] = near->distance[0];
  for (int i = 0; i < STEP_UNKNOWNS; i++) problem->held[i] = 0; /* the first row is held */
  problem->held_count = 1;
  for (int round = 0; round < STEP_ROUNDS; round++) {
    double direction[STEP_UNKNOWNS], multipliers[STEP_UNKNOWNS];
    if (!step_held_direction(problem, direction, multipliers)) return;
    if (step_is_over(direction)) {
      if (!step_release(problem, multipliers)) return;
    } else {
      if (problem->held_count == STEP_UNKNOWNS) return;
      step_advance(problem, direction);
    }
  }
}

/* Computes the step, and returns the least increase of the distance. The list must not be empty. */
GEOMETRY_FUNCTION double largest_step(const near_list *near, double width, double step_out[3]) {
  step_problem problem;
  step_problem_run(&problem, near, width);
  for (int k = 0; k < 3; k++) step_out[k] = problem.at[k];
  return problem.at[3] - near->distance[0];
}

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

GEOMETRY_FUNCTION double search_drop_factor(double width) {
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
  near_list_begin(near, search_drop_factor(width), search_angle(width));
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
  for (int k = 0; k < 3; k++) path.place[k] = moving->center[k];
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
    for (int k = 0; k < 3; k++) path->place[k] = moving->center[k];
    path->width *= 0.25;
    path->returned = true;
    return path->width < PROTOTYPE_LEAST_WIDTH ? CLIMB_ENDS : CLIMB_SEARCHES_AGAIN;
  }
  path->returned = false;
  moving->radius = nearest;
  for (int k = 0; k < 3; k++) moving->center[k] = path->place[k];
  return CLIMB_STEPS;
}

/* Takes a step with this expected gain; false if the gain is too small. */
GEOMETRY_FUNCTION bool climb_step(climb *path, double gain, const double step[3]) {
  const double radius = path->moving->radius;
  if (!(gain > PROTOTYPE_GAIN * radius)) return false;
  for (int k = 0; k < 3; k++) path->place[k] += step[k];
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

GEOMETRY_FUNCTION bool packing_space_is_inside(const packing_space *space, const double *point) {
  orientation_tally tally = {0};
  return mesh_winding(&space->mesh, point, &tally) > 0;
}

GEOMETRY_FUNCTION void prototype_limit(prototype *sphere, double clearance) {
  if (clearance < sphere->radius) sphere->radius = clearance;
}

GEOMETRY_FUNCTION void prototype_do(const packing_space *space, prototype_job *job) {
  prototype *sphere = &job->sphere;
  if ((job->steps & JOB_IF_INSIDE) != 0 && !packing_space_is_inside(space, sphere->center)) {
    sphere->radius = -1.0;
    return;
  }
  if ((job->steps & JOB_ASCEND) != 0) prototype_ascend(space, sphere);
  if ((job->steps & JOB_MEASURE) != 0 && sphere->radius > 0.0)
    prototype_limit(sphere, packing_space_clearance(space, sphere->center));
}

#endif
