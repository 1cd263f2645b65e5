/* Lanes that work on one thing together: the threads of a warp on a device, and loops on the host, from one source.
 *
 * What every lane has of its own is an array of LANE_ROOM elements: one on a device, where each thread sees its own,
 * and one a lane on the host. FOR_LANES does something in each lane, OF_LANE names its element there. Everything else
 * is the same in all lanes: each of them computes it, the host once, and so all go the same way through the program.
 * Between the lanes go the functions below, which all lanes call together, outside of FOR_LANES. */
#ifndef GRAZE_CUDA_LANE_GROUP_H
#define GRAZE_CUDA_LANE_GROUP_H

#include "geometry/device.h"

#include <stdbool.h>
#include <stdint.h>

#define LANE_COUNT 32u

#if defined(__CUDA_ARCH__)
#define LANE_ROOM 1u
#define ALL_LANES 0xffffffffu
#define FOR_LANES(lane)                                                                                                \
  for (uint32_t lane = threadIdx.x % LANE_COUNT, lane##_left = 1u; lane##_left != 0; lane##_left = 0)
#else
#define LANE_ROOM LANE_COUNT
#define FOR_LANES(lane) for (uint32_t lane = 0; lane < LANE_COUNT; lane++)
#endif

#define OF_LANE(values, lane) (values)[(lane) % LANE_ROOM]

/* A bit for each lane. */
GEOMETRY_FUNCTION uint32_t lanes_vote(const bool votes[LANE_ROOM]) {
#if defined(__CUDA_ARCH__)
  return __ballot_sync(ALL_LANES, votes[0]);
#else
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < LANE_COUNT; lane++) bits |= (uint32_t)votes[lane] << lane;
  return bits;
#endif
}

/* What one lane has. */
GEOMETRY_FUNCTION double lanes_take(const double values[LANE_ROOM], uint32_t lane) {
#if defined(__CUDA_ARCH__)
  return __shfl_sync(ALL_LANES, values[0], (int)lane);
#else
  return values[lane];
#endif
}

GEOMETRY_FUNCTION uint32_t lanes_take_number(const uint32_t values[LANE_ROOM], uint32_t lane) {
#if defined(__CUDA_ARCH__)
  return __shfl_sync(ALL_LANES, values[0], (int)lane);
#else
  return values[lane];
#endif
}

/* Each lane gets what another has. */
GEOMETRY_FUNCTION void lanes_move(double values[LANE_ROOM], const uint32_t from[LANE_ROOM]) {
#if defined(__CUDA_ARCH__)
  values[0] = __shfl_sync(ALL_LANES, values[0], (int)from[0]);
#else
  double before[LANE_COUNT];
  for (uint32_t lane = 0; lane < LANE_COUNT; lane++) before[lane] = values[lane];
  for (uint32_t lane = 0; lane < LANE_COUNT; lane++) values[lane] = before[from[lane]];
#endif
}

GEOMETRY_FUNCTION uint64_t lanes_least(const uint64_t values[LANE_ROOM]) {
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

/* No lane goes on before all are here: what one writes to memory then is read by none that comes late. */
GEOMETRY_FUNCTION void lanes_join(void) {
#if defined(__CUDA_ARCH__)
  __syncwarp(ALL_LANES);
#endif
}

#endif
