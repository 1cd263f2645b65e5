/* Tests of configurations: whether pairs of bodies come within their limits, or in how many pairs of primitives. */
#ifndef GRAZE_BACKEND_CPU_BATCH_TESTS_H
#define GRAZE_BACKEND_CPU_BATCH_TESTS_H

#include "backend_cpu/batch_work.h"
#include "backend_cpu/pair_groups.h"
#include "broad/tree_occupancy.h"

typedef struct recent_hits recent_hits;

typedef struct batch_tests {
  pose_test test;
  pair_groups groups;
  occupancy resting_cells; /* of all resting parts; without sums if the call is too small to benefit */
  double *growth;          /* one per part: twice the distance by which its box is grown; NULL: none is */
  double resting_padding;  /* the largest of a resting part */
  bool *free;              /* one array per worker: the moving parts that are far from all resting parts */
  recent_hits *recent;     /* one per worker */
} batch_tests;

/* False when out of memory. batch_tests_end must be called, whatever the result. */
bool batch_tests_begin(batch_work *work, const pose_trees *trees);
void batch_tests_end(batch_work *work);

/* Notes the box of a moving part that was placed. */
void batch_tests_place(const batch_run *run, uint32_t part);

/* Answers a configuration, whose parts are placed. */
void batch_tests_answer(const batch_run *run, size_t number);

#endif
