/* The step that maximizes a sphere, found by cooperating lanes: the linear program of packing/prototype.h with
 * one constraint per lane. Constraints are held and released in the same order, so that the step has the same bits. */
#ifndef GRAZE_CUDA_LANES_STEP_H
#define GRAZE_CUDA_LANES_STEP_H

#include "cuda/lanes_near.h"

#include <string.h>

typedef struct lanes_problem {
  double row[STEP_UNKNOWNS][LANE_ELEMENTS], offset[LANE_ELEMENTS]; /* of each lane's constraint; all zero: none */
  double at[STEP_UNKNOWNS];
  double held[STEP_UNKNOWNS][STEP_UNKNOWNS]; /* rows that hold with equality, and their lanes */
  uint32_t held_lane[STEP_UNKNOWNS], held_lanes;
  int held_count;
} lanes_problem;

GEOMETRY_FUNCTION void lanes_hold(lanes_problem *problem, uint32_t lane) {
  for (int i = 0; i < STEP_UNKNOWNS; i++) {
    if (i != problem->held_count) continue;
    for (int k = 0; k < STEP_UNKNOWNS; k++) problem->held[i][k] = lanes_take(problem->row[k], lane);
    problem->held_lane[i] = lane;
  }
  problem->held_lanes |= 1u << lane;
  problem->held_count++;
}

GEOMETRY_FUNCTION void lanes_problem_begin(lanes_problem *problem, const lanes_near *near, double width) {
  FOR_LANES(lane) {
    const int side = (int)lane - near->count;
    const bool is_obstacle = side < 0, is_side = side >= 0 && side < 6;
    const vector3 gradient = lanes_gradient(near, lane);
    const double sign = !is_side ? 0.0 : (side % 2 == 0 ? 1.0 : -1.0);
    OF_LANE(problem->row[0], lane) = is_obstacle ? gradient.x : (side / 2 == 0 ? sign : 0.0);
    OF_LANE(problem->row[1], lane) = is_obstacle ? gradient.y : (side / 2 == 1 ? sign : 0.0);
    OF_LANE(problem->row[2], lane) = is_obstacle ? gradient.z : (side / 2 == 2 ? sign : 0.0);
    OF_LANE(problem->row[3], lane) = is_obstacle ? -1.0 : 0.0;
    OF_LANE(problem->offset, lane) = is_obstacle ? OF_LANE(near->distance, lane) : (is_side ? width : 0.0);
  }
  for (int i = 0; i < STEP_UNKNOWNS; i++) {
    problem->at[i] = i == 3 ? near->nearest : 0.0;
    problem->held_lane[i] = 0;
    for (int k = 0; k < STEP_UNKNOWNS; k++) problem->held[i][k] = 0.0;
  }
  problem->held_lanes = 0;
  problem->held_count = 0;
  lanes_hold(problem, 0);
}

/* The bits of a non-negative number, which have the same order. */
GEOMETRY_FUNCTION uint64_t order_of_distance(double distance) {
  uint64_t bits;
  memcpy(&bits, &distance, sizeof bits);
  return bits;
}

/* See step_advance; false if no constraint limits the step, which further rounds would not change. */
GEOMETRY_FUNCTION bool lanes_advance(lanes_problem *problem, const double direction[STEP_UNKNOWNS]) {
  double distance[LANE_ELEMENTS];
  uint64_t order[LANE_ELEMENTS];
  bool is_least[LANE_ELEMENTS];
  FOR_LANES(lane) {
    double row[STEP_UNKNOWNS];
    for (int k = 0; k < STEP_UNKNOWNS; k++) row[k] = OF_LANE(problem->row[k], lane);
    const bool is_held = (problem->held_lanes >> lane & 1u) != 0;
    OF_LANE(distance, lane) =
        is_held ? HUGE_VAL : step_distance(row, OF_LANE(problem->offset, lane), problem->at, direction);
    OF_LANE(order, lane) = order_of_distance(OF_LANE(distance, lane));
  }
  const uint64_t least = lanes_least(order);
  FOR_LANES(lane) {
    OF_LANE(is_least, lane) = OF_LANE(order, lane) == least;
  }
  const uint32_t stopping = lowest_bit(lanes_vote(is_least));
  const double length = lanes_take(distance, stopping);
  if (!(length < HUGE_VAL)) return false;
  for (int k = 0; k < STEP_UNKNOWNS; k++) problem->at[k] += length * direction[k];
  lanes_hold(problem, stopping);
  return true;
}

/* See step_release. */
GEOMETRY_FUNCTION bool lanes_release(lanes_problem *problem, const double multipliers[STEP_UNKNOWNS]) {
  const int worst = step_wrong_row(multipliers, problem->held_count);
  if (worst < 0) return false;
  for (int i = 0; i < STEP_UNKNOWNS; i++) {
    if (i == worst) problem->held_lanes &= ~(1u << problem->held_lane[i]);
    if (i < worst || i + 1 >= STEP_UNKNOWNS) continue;
    problem->held_lane[i] = problem->held_lane[i + 1];
    for (int k = 0; k < STEP_UNKNOWNS; k++) problem->held[i][k] = problem->held[i + 1][k];
  }
  problem->held_count--;
  return true;
}

/* See largest_step. */
GEOMETRY_FUNCTION double lanes_largest_step(const lanes_near *near, double width, double step_out[3]) {
  lanes_problem problem;
  lanes_problem_begin(&problem, near, width);
  bool goes_on = true;
  for (int round = 0; goes_on && round < STEP_ROUNDS; round++) {
    double direction[STEP_UNKNOWNS], multipliers[STEP_UNKNOWNS];
    if (!step_direction(problem.held, problem.held_count, direction, multipliers)) break;
    if (step_is_over(direction))
      goes_on = lanes_release(&problem, multipliers);
    else
      goes_on = problem.held_count < STEP_UNKNOWNS && lanes_advance(&problem, direction);
  }
  for (int k = 0; k < 3; k++) step_out[k] = problem.at[k];
  return problem.at[3] - near->nearest;
}

#endif
