/* Random numbers by integers, so that a seed gives the same scene everywhere.
 *
 * Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014): a counter that advances by an odd
 * constant, followed by a bijective mixer. Streams of different names differ from their first number on. */
#ifndef GRAZE_SEEDED_RANDOM_H
#define GRAZE_SEEDED_RANDOM_H

#include "models/portable_math.h"

#include <stdint.h>

typedef struct random_stream {
  uint64_t state;
} random_stream;

static inline uint64_t random_mix(uint64_t value) {
  value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
  return value ^ (value >> 31);
}

/* `stream` distinguishes the uses of one seed within a model. */
static inline random_stream random_stream_make(uint64_t seed, uint64_t stream) {
  const random_stream made = {random_mix(seed + UINT64_C(0x9e3779b97f4a7c15)) ^ random_mix(~stream)};
  return made;
}

static inline uint64_t random_bits(random_stream *stream) {
  stream->state += UINT64_C(0x9e3779b97f4a7c15);
  return random_mix(stream->state);
}

/* In [0, 1), a multiple of 2^-53. */
static inline double random_unit(random_stream *stream) {
  return (double)(random_bits(stream) >> 11) * 0x1p-53;
}

static inline double random_between(random_stream *stream, double low, double high) {
  return low + (high - low) * random_unit(stream);
}

/* Uniform on the unit sphere: a point of the cube that is inside the ball, away from its center. */
static inline point3 random_direction(random_stream *stream) {
  for (;;) {
    const double x = random_between(stream, -1.0, 1.0);
    const double y = random_between(stream, -1.0, 1.0);
    const double z = random_between(stream, -1.0, 1.0);
    const double square = x * x + y * y + z * z;
    if (square <= 1.0 && square > 0.01) return point3_unit(point3_make(x, y, z));
  }
}

#endif
