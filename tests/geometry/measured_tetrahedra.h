/* Seeded pairs of tetrahedra for measurements: thinness in all steps from 1 to 2^-50, common faces, all sizes; in
 * addition to the kinds of tetrahedron_generator.h, which are for decisions. */
#ifndef MEASURED_TETRAHEDRA_H
#define MEASURED_TETRAHEDRA_H

#include "pair_generator.h"

#include <math.h>
#include <string.h>

/* The one list of kinds. */
#define MEASURED_KIND_LIST(X)                                                                                          \
  X(GENERAL)                                                                                                           \
  X(LATTICE)                                                                                                           \
  X(LATTICE_JITTER)                                                                                                    \
  X(NEEDLE_FACE)                                                                                                       \
  X(NEEDLES)                                                                                                           \
  X(NEARLY_FLAT)                                                                                                       \
  X(NEARLY_FLAT_BOTH)                                                                                                  \
  X(NESTED)                                                                                                            \
  X(SHARED_FACE)                                                                                                       \
  X(SHARED_EDGE)                                                                                                       \
  X(SAME)                                                                                                              \
  X(SAME_JITTER)                                                                                                       \
  X(DIFFERENT_SIZES)                                                                                                   \
  X(FAR_AWAY)                                                                                                          \
  X(FLAT)

typedef enum measured_kind {
#define MEASURED_KIND_ENUM(name) MEASURED_##name,
  MEASURED_KIND_LIST(MEASURED_KIND_ENUM)
#undef MEASURED_KIND_ENUM
      MEASURED_KIND_COUNT
} measured_kind;

static inline double measured_power(pair_generator *generator, int lowest) {
  return ldexp(1.0, -(int)pair_generator_below(generator, (uint32_t)(1 - lowest)));
}

/* Two tetrahedra of coordinates near one. */
static inline void measured_pair_generate(pair_generator *generator, measured_kind kind, double p[12], double q[12]) {
  const double thin = measured_power(generator, -50);
  double shape[3];
  for (int i = 0; i < 3; ++i) shape[i] = pair_generator_coordinate(generator);
  for (int i = 0; i < 12; ++i) {
    p[i] = pair_generator_coordinate(generator);
    q[i] = 0.8 * pair_generator_coordinate(generator);
  }
  const double along[4] = {pair_generator_coordinate(generator), pair_generator_coordinate(generator), -1.0, 1.0};
  for (int i = 0; i < 12; ++i) {
    switch (kind) {
    case MEASURED_LATTICE:
    case MEASURED_LATTICE_JITTER:
      p[i] = (double)pair_generator_below(generator, 4) - 1.0;
      q[i] = (double)pair_generator_below(generator, 4) - 1.0;
      if (kind == MEASURED_LATTICE_JITTER) q[i] += 0x1p-52 * floor(3.0 * pair_generator_coordinate(generator));
      break;
    case MEASURED_NEEDLES:
      p[i] = along[i / 3] * shape[i % 3] + thin * p[i];
      break;
    case MEASURED_NEEDLE_FACE:
      if (i < 9) q[i] = along[i / 3] * shape[i % 3] + thin * q[i];
      break;
    case MEASURED_NEARLY_FLAT_BOTH:
      if (i % 3 == 2) p[i] = 0.3 * p[i - 1] + thin * p[i];
      if (i % 3 == 2) q[i] = 0.3 * q[i - 1] + thin * q[i];
      break;
    case MEASURED_NEARLY_FLAT:
      if (i % 3 == 2) q[i] = thin * q[i] + 0.2 * shape[0];
      break;
    case MEASURED_NESTED:
      q[i] = 0.25 * (p[i % 3] + p[3 + i % 3] + p[6 + i % 3] + p[9 + i % 3]) + 0.05 * thin * q[i];
      break;
    case MEASURED_SHARED_FACE:
      if (i < 9) q[i] = p[i];
      break;
    case MEASURED_SHARED_EDGE:
      if (i < 6) q[i] = p[i];
      break;
    case MEASURED_SAME:
    case MEASURED_SAME_JITTER:
      q[i] = p[i];
      if (kind == MEASURED_SAME_JITTER) q[i] += thin * pair_generator_coordinate(generator);
      break;
    case MEASURED_DIFFERENT_SIZES:
      q[i] *= thin;
      break;
    case MEASURED_FAR_AWAY:
      p[i] = 0x1p20 * shape[i % 3] + p[i];
      q[i] = 0x1p20 * shape[i % 3] + q[i];
      break;
    case MEASURED_FLAT:
      if (i % 3 == 2) q[i] = 0.25 * q[i - 1] + 0.5 * q[i - 2];
      if (i % 3 != 2) q[i] = floor(8.0 * q[i]);
      break;
    default:
      break;
    }
  }
  if (kind == MEASURED_FLAT) {
    for (int i = 2; i < 12; i += 3) q[i] = 0.25 * q[i - 1] + 0.5 * q[i - 2];
  }
}

/* The corners in one of their 24 orders. */
static inline void corners_reorder(const double p[12], uint32_t order, double reordered_out[12]) {
  uint32_t left[4] = {0, 1, 2, 3};
  for (uint32_t place = 0; place < 4; ++place) {
    const uint32_t choice = order % (4 - place);
    order /= 4 - place;
    memcpy(reordered_out + 3 * place, p + 3 * left[choice], 3 * sizeof(double));
    for (uint32_t i = choice; i + 1 < 4 - place; ++i) left[i] = left[i + 1];
  }
}

#endif
