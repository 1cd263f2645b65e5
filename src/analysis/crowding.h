/* The k-free measure: for each primitive of an object, the number of primitives at least as large that are near it.
 *
 * Primitive i, with a smallest enclosing ball of diameter d_i, has k = 1 + the number of other primitives j with d_j >=
 * d_i and distance(i, j) <= d_i / 4. Sizes and distances are rounded, so a primitive counts as at least as large from
 * d_i * (1 - 1e-12) and as near up to d_i / 4 * (1 + 1e-12). No k is too small for equal sizes, and both primitives of
 * an equal pair count each other.
 *
 * Weller, Debowski, Zachmann, "kDet: parallel constant time collision detection for polygonal objects", 2017
 * (definition 3.1; k here is the least for which it holds). */
#ifndef GRAZE_ANALYSIS_CROWDING_H
#define GRAZE_ANALYSIS_CROWDING_H

#include "broad/axis_map.h"
#include "broad/method.h"
#include "broad/vertex_normalization.h"

/* One object, and how to search it. */
typedef struct crowding_query {
  object_source source;            /* first_primitive as in the headers' owner; not used here */
  const primitive_header *headers; /* of the object's primitives; the first has number 0, in all members below too */
  const rounded_vertex *rounded_vertices; /* by the numbers in the headers */
  const uint8_t *removed;                 /* one per primitive; not 0: it is removed; NULL: none is */
  size_t count;
  double scale;                               /* of the normalized cube: a power of two */
  const axis_map *map;                        /* of the rounded vertices; NULL: they are in normalized coordinates */
  const normalizing_transform *normalization; /* used if there is a map */
  const method *method;
  method_options options;
  graze_simd simd;
  memory *memory;
  workers *workers;
} crowding_query;

/* One per primitive; 0 for removed ones. */
typedef struct crowding_counts {
  uint32_t *k_of, *neighbors_of;
  double *diameter_of;
} crowding_counts;

/* Results of a measure besides the counts. */
typedef struct crowding_outcome {
  uint32_t levels;         /* number of levels of the grid that contain primitives */
  graze_timings timings;   /* bounds, build and search; distances are measured during the search */
  graze_counters counters; /* searched, levels of the grown boxes, box tests, candidates */
} crowding_outcome;

/* Fills the counts, arrays of query->count. False when out of memory. The result does not depend on the method or
 * the number of workers. */
bool crowding_measure(const crowding_query *query, const crowding_counts *counts, crowding_outcome *outcome_out);

/* The largest number of corners of the object's `count` primitives. */
uint32_t crowding_most_corners(const object_source *source, size_t count);

/* Sums up counts: all of graze_crowding except the owner of its arrays. */
graze_crowding crowding_sum_up(graze_kind kind, const crowding_counts *counts, size_t count, uint32_t levels);

#endif
