/* Cooperating lanes: the threads of a warp on a device, and loops on the host, from one source.
 *
 * A value of each lane is an array of LANE_ELEMENTS elements: one on a device, where each thread has its own, and one
 * per lane on the host. FOR_LANES runs a statement in each lane, where OF_LANE names the lane's element. All other
 * values are equal in all lanes: each lane computes them, the host once, so that all lanes take the same path. Lanes
 * communicate by the functions below, which all lanes call together, outside of FOR_LANES. */
#ifndef GRAZE_CUDA_LANE_GROUP_H
#define GRAZE_CUDA_LANE_GROUP_H

#include "geometry/device.h"

#include <stdbool.h>
#include <stdint.h>

#define LANE_COUNT 32u

#if defined(__CUDA_ARCH__)
#define LANE_ELEMENTS 1u
#define ALL_LANES 0xffffffffu
#define FOR_LANES(lane)                                                                                                \
  for (uint32_t lane = threadIdx.x % LANE_COUNT, lane##_left = 1u; lane##_left != 0; lane##_left = 0)
#else
#define LANE_ELEMENTS LANE_COUNT
#define FOR_LANES(lane) for (uint32_t lane = 0; lane < LANE_COUNT; lane++)
#endif

#define OF_LANE(values, lane) (values)[(lane) % LANE_ELEMENTS]

/* Returns one bit per lane. */
GEOMETRY_FUNCTION uint32_t lanes_vote(const bool votes[LANE_ELEMENTS]) {
#if defined(__CUDA_ARCH__)
  return __ballot_sync(ALL_LANES, votes[0]);
#else
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < LANE_COUNT; lane++) bits |= (uint32_t)votes[lane] << lane;
  return bits;
#endif
}

/* Returns the value of one lane. */
GEOMETRY_FUNCTION double lanes_take(const double values[LANE_ELEMENTS], uint32_t lane) {
#if defined(__CUDA_ARCH__)
  return __shfl_sync(ALL_LANES, values[0], (int)lane);
#else
  return values[lane];
#endif
}

GEOMETRY_FUNCTION uint32_t lanes_take_number(const uint32_t values[LANE_ELEMENTS], uint32_t lane) {
#if defined(__CUDA_ARCH__)
  return __shfl_sync(ALL_LANES, values[0], (int)lane);
#else
  return values[lane];
#endif
}

/* Each lane receives the value of another. */
GEOMETRY_FUNCTION void lanes_move(double values[LANE_ELEMENTS], const uint32_t from[LANE_ELEMENTS]) {
#if defined(__CUDA_ARCH__)
  values[0] = __shfl_sync(ALL_LANES, values[0], (int)from[0]);
#else
  double before[LANE_COUNT];
  for (uint32_t lane = 0; lane < LANE_COUNT; lane++) before[lane] = values[lane];
  for (uint32_t lane = 0; lane < LANE_COUNT; lane++) values[lane] = before[from[lane]];
#endif
}

GEOMETRY_FUNCTION uint64_t lanes_least(const uint64_t values[LANE_ELEMENTS]) {
#if defined(__CUDA_ARCH__)
  unsigned long long least = values[0];
  for (int step = 16; step != 0; step /= 2) {
    const unsigned long long theirs = __shfl_xor_sync(ALL_LANES, least, step);
    least = theirs < least ? theirs : least;
  }
  return least;
#else
  uint64_t least = values[0];
  for (uint32_t lane = 1; lane < LANE_COUNT; lane++) least = values[lane] < least ? values[lane] : least;
  return least;
#endif
}

/* A barrier: memory accesses of all lanes before it precede those of any lane after it. */
GEOMETRY_FUNCTION void lanes_join(void) {
#if defined(__CUDA_ARCH__)
  __syncwarp(ALL_LANES);
#endif
}

#endif
