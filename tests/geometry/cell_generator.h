/* Seeded pairs of convex cells of every kind that is known to break tests: touching, nested, flat, thin, one bit apart.
 *
 * The same seed gives the same pairs everywhere: only integers, additions and multiplications are used. */
#ifndef CELL_GENERATOR_H
#define CELL_GENERATOR_H

#include "pair_generator.h"

#include <stdbool.h>

/* The one list of kinds: name, words, share of a run in thousandths, whether all coordinates are small integers. */
#define CELL_KIND_LIST(X)                                                                                              \
  X(TINY_LATTICE, "4 to 9 points on a lattice of 3", 200, true)                                                        \
  X(LATTICE, "4 to 20 points on a lattice of 6", 145, true)                                                            \
  X(WIDE_LATTICE, "4 to 20 points on a lattice of 200", 80, true)                                                      \
  X(BOXES, "boxes on a lattice", 120, true)                                                                            \
  X(PRISMS, "prisms and pyramids on a lattice", 100, true)                                                             \
  X(FLAT, "flat on a lattice", 80, true)                                                                               \
  X(SMALL_SETS, "1 to 4 points on a lattice", 80, true)                                                                \
  X(NESTED, "one inside the other or beside it", 40, true)                                                             \
  X(LARGE, "20 to 64 points on a lattice", 10, true)                                                                   \
  X(GENERAL, "general position", 25, false)                                                                            \
  X(FAR, "small lattices far from the origin", 10, false)                                                              \
  X(ONE_BIT, "lattice, one bit moved", 40, false)                                                                      \
  X(NEEDLES, "aspect 1e8", 20, false)                                                                                  \
  X(ROUNDED_TOUCH, "a corner rounded onto the other's face", 20, false)                                                \
  X(SCALED_EXACT, "lattices at scales 2^-1000 to 2^1000", 15, false)                                                   \
  X(SCALED, "general position at scales 1e-300 to 1e300", 10, false)                                                   \
  X(SUBNORMAL, "subnormal coordinates", 4, false)                                                                      \
  X(EXTREME, "scales mixed from subnormal to the largest", 1, false)

typedef enum cell_kind {
#define CELL_KIND_ENUM(name, words, share, is_lattice) CELL_##name,
  CELL_KIND_LIST(CELL_KIND_ENUM)
#undef CELL_KIND_ENUM
      CELL_KIND_COUNT
} cell_kind;

enum { CELL_CORNERS = 64 };

typedef struct cell_pair {
  uint32_t p_count, q_count;
  double p[3 * CELL_CORNERS], q[3 * CELL_CORNERS];
} cell_pair;

const char *cell_kind_words(cell_kind kind);
uint32_t cell_kind_share(cell_kind kind);
bool cell_kind_is_lattice(cell_kind kind);

void cell_pair_generate(pair_generator *generator, cell_kind kind, cell_pair *pair_out);

#endif
