/* Seeded triangle pairs of every kind that is known to break tests: exact degeneracies, near degeneracies, extreme
 * scales.
 *
 * The same seed gives the same pairs everywhere: only integers, additions and multiplications are used. */
#ifndef PAIR_GENERATOR_H
#define PAIR_GENERATOR_H

#include <stdint.h>

/* The one list of kinds: name, words, share of a run in thousandths. */
#define PAIR_KIND_LIST(X)                                                                                              \
  X(GENERAL, "general position", 60)                                                                                   \
  X(SMALL_LATTICE, "corners on a lattice of 4", 190)                                                                   \
  X(FLAT_LATTICE, "corners on a flat lattice of 5", 80)                                                                \
  X(WIDE_LATTICE, "corners on a lattice of 1000", 40)                                                                  \
  X(FLOAT_MESH, "float coordinates", 50)                                                                               \
  X(CORNER_ON_CORNER, "one corner in common", 40)                                                                      \
  X(TWO_CORNERS, "two corners in common", 40)                                                                          \
  X(THREE_CORNERS, "three corners in common", 10)                                                                      \
  X(CORNER_ON_FACE, "a corner on the other's face", 50)                                                                \
  X(EDGE_ON_EDGE, "two edges touch", 50)                                                                               \
  X(COPLANAR, "in a common slanted plane", 70)                                                                         \
  X(COPLANAR_JITTER, "in a common plane, one bit moved", 60)                                                           \
  X(LATTICE_JITTER, "lattice, one bit moved", 60)                                                                      \
  X(NEEDLE, "aspect 1e8", 50)                                                                                          \
  X(SEGMENT, "one degenerate to a segment", 40)                                                                        \
  X(POINT, "one degenerate to a point", 20)                                                                            \
  X(BOTH_DEGENERATE, "both degenerate", 30)                                                                            \
  X(SCALED, "scales from 1e-30 to 1e30", 30)                                                                           \
  X(SCALED_EXACT, "degeneracies at scales 2^-900 to 2^900", 15)                                                        \
  X(SUBNORMAL, "subnormal coordinates", 10)                                                                            \
  X(MIXED, "scales mixed from 2^-40 to 2^40", 4)                                                                       \
  X(EXTREME, "scales mixed from subnormal to the largest", 1)

typedef enum pair_kind {
#define PAIR_KIND_ENUM(name, words, share) PAIR_##name,
  PAIR_KIND_LIST(PAIR_KIND_ENUM)
#undef PAIR_KIND_ENUM
      PAIR_KIND_COUNT
} pair_kind;

typedef struct pair_generator {
  uint64_t state;
} pair_generator;

const char *pair_kind_words(pair_kind kind);
uint32_t pair_kind_share(pair_kind kind);

uint64_t pair_generator_next(pair_generator *generator);
uint32_t pair_generator_below(pair_generator *generator, uint32_t bound);
/* Uniform in [-1, 1). */
double pair_generator_coordinate(pair_generator *generator);

void pair_generate(pair_generator *generator, pair_kind kind, double p_out[9], double q_out[9]);

/* From least to most, both among them. */
int pair_generator_between(pair_generator *generator, int least, int most);

/* The words and the share of each kind, from a list of rows X(name, words, share). */
#define GENERATOR_KIND_WORDS(name, words, share) words,
#define GENERATOR_KIND_SHARE(name, words, share) share,
#define GENERATOR_KIND_TABLES(kind_type, LIST)                                                                         \
  const char *kind_type##_words(kind_type kind) {                                                                      \
    static const char *const words[] = {LIST(GENERATOR_KIND_WORDS)};                                                   \
    return words[kind];                                                                                                \
  }                                                                                                                    \
  uint32_t kind_type##_share(kind_type kind) {                                                                         \
    static const uint32_t shares[] = {LIST(GENERATOR_KIND_SHARE)};                                                     \
    return shares[kind];                                                                                               \
  }

#endif
