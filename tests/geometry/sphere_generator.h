/* Seeded balls with balls, triangles and tetrahedra of every kind that can break a test: tangent at a corner, along an
 * edge, over a face, one bit apart, degenerate, at the limits of doubles.
 *
 * Tangent ones are made of integer matrices with orthogonal rows of one integral length (Euler's four squares), so that
 * centers, corners and radii are integers and touch exactly. */
#ifndef SPHERE_GENERATOR_H
#define SPHERE_GENERATOR_H

#include "pair_generator.h"

#include <stdbool.h>

/* The one list of kinds: name, words, share of a run in thousandths. */
#define SPHERE_KIND_LIST(X)                                                                                            \
  X(GENERAL, "general position", 150)                                                                                  \
  X(SMALL_LATTICE, "lattice of 5, radii 0 to 4", 150)                                                                  \
  X(WIDE_LATTICE, "lattice of 2000, radii to 1000", 50)                                                                \
  X(TANGENT_FACE, "tangent over the plane of a face", 120)                                                             \
  X(TANGENT_EDGE, "tangent to the line of an edge", 100)                                                               \
  X(TANGENT_CORNER, "tangent in a corner", 80)                                                                         \
  X(TANGENT_ONE_BIT, "tangent, one bit moved", 150)                                                                    \
  X(TANGENT_SCALED, "tangent at scales 2^-900 to 2^900, half of them one bit moved", 60)                               \
  X(DEGENERATE, "corners on a line or equal, on a lattice", 50)                                                        \
  X(POINT_BALL, "radius 0, on the face or beside it", 30)                                                              \
  X(HUGE_RADIUS, "radius up to 2^60 of the triangle, tangent or nearly", 20)                                           \
  X(ROUNDED_TANGENT, "general position, radius rounded to the distance", 10)                                           \
  X(NEAR_PLANE, "small beside its distance to the corners, radius rounded to the height", 15)                          \
  X(SCALED, "general position at scales 1e-300 to 1e300", 6)                                                           \
  X(SUBNORMAL, "subnormal lattice", 5)                                                                                 \
  X(MIXED, "scales mixed from 2^-40 to 2^40", 2)                                                                       \
  X(EXTREME, "scales mixed from subnormal to the largest", 2)

typedef enum sphere_kind {
#define SPHERE_KIND_ENUM(name, words, share) SPHERE_##name,
  SPHERE_KIND_LIST(SPHERE_KIND_ENUM)
#undef SPHERE_KIND_ENUM
      SPHERE_KIND_COUNT
} sphere_kind;

/* A ball, four corners of which the first three are the triangle, and another ball. */
typedef struct sphere_case {
  double center[3], radius;
  double corners[12];
  double other[3], other_radius;
} sphere_case;

enum { SPHERE_CASE_VALUES = 20 };

const char *sphere_kind_words(sphere_kind kind);
uint32_t sphere_kind_share(sphere_kind kind);

void sphere_case_generate(pair_generator *generator, sphere_kind kind, sphere_case *case_out);

/* One value of the case, radii last: moved up or down by the last bit; a radius of 0 up only. */
void sphere_case_move_one_bit(sphere_case *generated, uint32_t value, bool up);

#endif
