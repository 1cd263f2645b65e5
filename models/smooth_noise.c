/* Gradient noise on the integer lattice.
 *
 * Workload: evaluated once per octave and vertex, up to about ten million vertices per model, with eight lattice points
 * each, so the hash is one multiply-xorshift per axis. The quintic fade is that of Perlin: Improving noise (2002),
 * which makes the second derivative continuous. */
#include "models/smooth_noise.h"

#include "models/seeded_random.h"

static double fade(double t) {
  return t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
}

static double mix(double a, double b, double t) {
  return a + (b - a) * t;
}

/* The components of the gradient are 21-bit fractions of the hash in [-1, 1): products with them are exact enough to be
 * the same everywhere, and no table is needed. */
static double lattice_term(int64_t i, int64_t j, int64_t k, point3 offset, uint64_t seed) {
  uint64_t hash = seed ^ (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);
  hash = random_mix(hash) ^ (uint64_t)j * UINT64_C(0xc2b2ae3d27d4eb4f);
  hash = random_mix(hash) ^ (uint64_t)k * UINT64_C(0x165667b19e3779f9);
  hash = random_mix(hash);
  const double x = (double)(hash & 0x1fffff) * 0x1p-20 - 1.0;
  const double y = (double)((hash >> 21) & 0x1fffff) * 0x1p-20 - 1.0;
  const double z = (double)((hash >> 42) & 0x1fffff) * 0x1p-20 - 1.0;
  return x * offset.x + y * offset.y + z * offset.z;
}

double smooth_noise(point3 p, uint64_t seed) {
  const point3 base = point3_make(floor(p.x), floor(p.y), floor(p.z));
  const point3 part = point3_make(p.x - base.x, p.y - base.y, p.z - base.z);
  const int64_t i = (int64_t)base.x, j = (int64_t)base.y, k = (int64_t)base.z;
  double corner[8];
  for (int c = 0; c < 8; ++c) {
    const int a = c & 1, b = c >> 1 & 1, d = c >> 2;
    const point3 offset = point3_make(part.x - a, part.y - b, part.z - d);
    corner[c] = lattice_term(i + a, j + b, k + d, offset, seed);
  }
  const double u = fade(part.x), v = fade(part.y), w = fade(part.z);
  const double low = mix(mix(corner[0], corner[1], u), mix(corner[2], corner[3], u), v);
  const double high = mix(mix(corner[4], corner[5], u), mix(corner[6], corner[7], u), v);
  return mix(low, high, w);
}

double fractal_noise(point3 p, uint64_t seed, int octaves) {
  double sum = 0.0, amplitude = 1.0;
  for (int octave = 0; octave < octaves; ++octave) {
    sum += amplitude * smooth_noise(p, random_mix(seed + (uint64_t)octave));
    p = point3_scale(p, 2.0);
    amplitude *= 0.5;
  }
  return sum;
}
