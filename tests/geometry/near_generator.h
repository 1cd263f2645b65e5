/* Seeded pairs of hulls of all kinds, and reaches at their distance, for the tests of clearances and distances.
 *
 * The pairs are those of the other generators, and pairs whose distance is exactly a double: n is a vector of integers
 * of integral length, p has a point in the origin and lies otherwise where n.x <= 0, q has a point in k n and lies
 * otherwise beyond it. The points are corners, or inside edges or triangles. */
#ifndef NEAR_GENERATOR_H
#define NEAR_GENERATOR_H

#include "cell_generator.h"

/* The one list of kinds: name, words, share of a run in thousandths. */
#define NEAR_KIND_LIST(X)                                                                                              \
  X(TRIANGLES, "two triangles", 400)                                                                                   \
  X(EXACT_TRIANGLES, "two triangles at an exact distance", 200)                                                        \
  X(EXACT_HULLS, "hulls of 1 to 6 corners at an exact distance", 150)                                                  \
  X(TETRAHEDRA, "two tetrahedra", 60)                                                                                  \
  X(MIXED, "a triangle and a tetrahedron", 60)                                                                         \
  X(POINTS, "a point beside a point, a triangle or a tetrahedron", 90)                                                 \
  X(CELLS, "convex cells of up to 8 corners", 40)

typedef enum near_kind {
#define NEAR_KIND_ENUM(name, words, share) NEAR_KIND_##name,
  NEAR_KIND_LIST(NEAR_KIND_ENUM)
#undef NEAR_KIND_ENUM
      NEAR_KIND_COUNT
} near_kind;

const char *near_kind_words(near_kind kind);
uint32_t near_kind_share(near_kind kind);

void near_pair_generate(pair_generator *generator, near_kind kind, cell_pair *pair_out);

/* A pair of hulls of the given counts, and its distance. */
double near_pair_generate_exact(pair_generator *generator, uint32_t p_count, uint32_t q_count, cell_pair *pair_out);

#endif
