/* The k-free measure: how many primitives that are not smaller come near each primitive of an object.
 *
 * Primitive i, with a smallest enclosing ball of diameter d_i, has k = 1 + the number of other primitives j with
 * d_j >= d_i and distance(i, j) <= d_i / 4. Sizes and distances are rounded, so a primitive counts as not smaller from
 * d_i * (1 - 1e-12) on and as near up to d_i / 4 * (1 + 1e-12): no k comes out too small where two are equal, and both
 * of an equal pair count each other.
 *
 * Weller, Debowski, Zachmann, "kDet: parallel constant time collision detection for polygonal objects", 2017
 * (definition 3.1; k here is the least for which it holds). */
#ifndef GRAZE_ANALYSIS_CROWDING_H
#define GRAZE_ANALYSIS_CROWDING_H

#include "broad/axis_map.h"
#include "broad/method.h"
#include "broad/vertex_normalization.h"

/* One object, and how to search it. */
typedef struct crowding_question {
  object_source source;                   /* first_primitive as the headers' owner has it; not looked at here */
  const primitive_header *headers;        /* of the object's primitives, the first being number 0, as are all below */
  const rounded_vertex *rounded_vertices; /* by the numbers in the headers */
  const uint8_t *erased;                  /* a primitive each, not 0: it is left out; NULL: all are there */
  size_t count;
  double scale;        /* of the normalized cube: a power of two */
  const axis_map *map; /* that rounded vertices were rounded into; NULL: they are in normalized coordinates */
  const normalizing_transform *normalization; /* where there is a map */
  const method *method;
  method_options options;
  graze_simd simd;
  memory *memory;
  workers *workers;
} crowding_question;

/* A primitive each; 0 for those erased. */
typedef struct crowding_counts {
  uint32_t *k_of, *neighbors_of;
  double *diameter_of;
} crowding_counts;

/* What a measure tells beside the counts. */
typedef struct crowding_outcome {
  uint32_t levels;         /* how many of the grid's levels the primitives lie on */
  graze_timings timings;   /* bounds, build and search; distances are measured while it searches */
  graze_counters counters; /* searched, levels of the grown boxes, box tests, candidates */
} crowding_outcome;

/* Fills the counts, arrays of question->count. False when out of memory. The same for every method and number of
 * workers. */
bool crowding_measure(const crowding_question *question, const crowding_counts *counts, crowding_outcome *outcome_out);

/* The most corners that one of the object's `count` primitives has. */
uint32_t crowding_most_corners(const object_source *source, size_t count);

/* Sums up counts: everything of graze_crowding but the arrays' owner. */
graze_crowding crowding_sum_up(graze_kind kind, const crowding_counts *counts, size_t count, uint32_t levels);

#endif
