/* Seeded pairs of tetrahedra of every kind that is known to break tests: exact touching, flat and collapsed ones, one
 * bit changed, extreme scales. The same seed gives the same pairs everywhere. */
#ifndef TETRAHEDRON_GENERATOR_H
#define TETRAHEDRON_GENERATOR_H

#include "pair_generator.h"

/* The one list of kinds: name, words, share of a run in thousandths. */
#define TETRAHEDRON_KIND_LIST(X)                                                                                       \
  X(GENERAL, "general position", 60)                                                                                   \
  X(SMALL_LATTICE, "corners on a lattice of 4", 150)                                                                   \
  X(TINY_LATTICE, "corners on a lattice of 3", 80)                                                                     \
  X(WIDE_LATTICE, "corners on a lattice of 1000", 40)                                                                  \
  X(FLOAT_MESH, "float coordinates", 50)                                                                               \
  X(ONE_CORNER, "one corner in common", 20)                                                                            \
  X(TWO_CORNERS, "an edge in common", 20)                                                                              \
  X(THREE_CORNERS, "a face in common", 30)                                                                             \
  X(FOUR_CORNERS, "four corners in common", 5)                                                                         \
  X(CORNER_ON_FACE, "a corner on the other's face", 50)                                                                \
  X(EDGE_ON_EDGE, "two edges touch", 50)                                                                               \
  X(PLANE_TOUCH, "on two sides of a slanted plane", 120)                                                               \
  X(PLANE_JITTER, "on two sides of a slanted plane, one bit moved", 80)                                                \
  X(CONTAINED, "one within the other", 30)                                                                             \
  X(LATTICE_JITTER, "lattice, one bit moved", 50)                                                                      \
  X(SLIVER, "aspect 1e8", 40)                                                                                          \
  X(FLAT, "one flat", 30)                                                                                              \
  X(BOTH_FLAT, "both flat", 25)                                                                                        \
  X(REPEATED, "repeated corners", 20)                                                                                  \
  X(SCALED, "scales from 1e-30 to 1e30", 20)                                                                           \
  X(SCALED_EXACT, "degeneracies at scales 2^-900 to 2^900", 15)                                                        \
  X(SUBNORMAL, "subnormal coordinates", 10)                                                                            \
  X(MIXED, "scales mixed from 2^-40 to 2^40", 4)                                                                       \
  X(EXTREME, "scales mixed from subnormal to the largest", 1)

typedef enum tetrahedron_kind {
#define TETRAHEDRON_KIND_ENUM(name, words, share) TETRAHEDRON_##name,
  TETRAHEDRON_KIND_LIST(TETRAHEDRON_KIND_ENUM)
#undef TETRAHEDRON_KIND_ENUM
      TETRAHEDRON_KIND_COUNT
} tetrahedron_kind;

const char *tetrahedron_kind_words(tetrahedron_kind kind);
uint32_t tetrahedron_kind_share(tetrahedron_kind kind);

void tetrahedron_pair_generate(pair_generator *generator, tetrahedron_kind kind, double p_out[12], double q_out[12]);

/* A kind, as often as its share says. */
tetrahedron_kind tetrahedron_kind_choose(pair_generator *generator);

#endif
