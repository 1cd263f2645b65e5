/* Least distances of configurations: each column of a configuration has a row for the nearest of its pairs. */
#ifndef GRAZE_BACKEND_CPU_BATCH_ROWS_H
#define GRAZE_BACKEND_CPU_BATCH_ROWS_H

#include "backend_cpu/batch_work.h"

/* A pair of bodies, and a lower bound of their distance less their padding. */
typedef struct batch_candidate {
  double bound;
  size_t pair;
} batch_candidate;

/* Pairs of primitives that a device has found to be the nearest. */
typedef struct found_distances {
  const configuration_nearest *found; /* per configuration, or per pair of it */
  const uint32_t *pairs;              /* the request's number of each pair passed to the device */
  size_t pair_count;
  uint8_t *open; /* one per configuration: 0 if it is done */
} found_distances;

typedef struct batch_rows {
  size_t *first;                /* one per column: its first pair; and the end */
  size_t longest;               /* pairs of a column */
  batch_candidate *candidates;  /* one array per worker, of the longest column */
  bool *is_paired;              /* one per part: whether it is in a pair of bodies */
  double margin;                /* if nothing moves: that of all configurations */
  const found_distances *found; /* known nearest pairs of the configurations; NULL: none */
  _Atomic(uint64_t) visits, measures;
} batch_rows;

/* False when out of memory. batch_rows_end must be called, whatever the result. */
bool batch_rows_begin(batch_work *work);
void batch_rows_end(batch_work *work);

/* Answers a configuration, whose parts are placed. */
void batch_rows_answer(const batch_run *run, size_t number);

/* Answers one column of the only configuration, in which nothing moves. */
void batch_rows_answer_column(const batch_run *run, size_t column);

#endif
