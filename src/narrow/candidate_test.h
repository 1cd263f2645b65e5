/* The narrow phase, the exact test of candidates: batches in from a method, pairs out to a pair_sink. */
#ifndef GRAZE_NARROW_CANDIDATE_TEST_H
#define GRAZE_NARROW_CANDIDATE_TEST_H

#include "narrow/mesh_rings.h"
#include "narrow/near_batch.h"
#include "narrow/pair_sink.h"
#include "narrow/plane_kernels.h"
#include "narrow/solid_kernels.h"

typedef struct test_counts {
  uint64_t float_decided, double_decided, exact_decided, wide_decided;
  double milliseconds;
} test_counts;

/* A batch, and what the filters may write behind it. */
enum { BATCH_ROOM = CANDIDATE_BATCH + 16 };

/* What has been found in the batch at hand. */
typedef struct batch_pairs {
  uint32_t task; /* that the batch is of */
  index_pair pairs[CANDIDATE_BATCH];
  size_t count;
} batch_pairs;

/* What is on its way through the tests of one batch. On a stack it would take 100 KB, more than threads of a host may
 * have. What is never alive at the same time shares its place, so that what a query of one kind touches stays small:
 * 16 KB for triangles without neighbors, 77 KB in all. */
typedef struct batch_scratch {
  batch_pairs found;
  candidate of_others[CANDIDATE_BATCH];  /* where objects are asked for: those not of two that are known to touch */
  candidate of_parts[CANDIDATE_BATCH];   /* where objects have parts: those that share no vertex with another */
  candidate by_segment[CANDIDATE_BATCH]; /* of a scene whose coordinates are mapped: those that may be filtered first */
  candidate by_kind[CANDIDATE_BATCH];    /* of a scene of several kinds: one kind after the other */
  union {
    struct {
      candidate plain[CANDIDATE_BATCH];
      union {
        adjacent_pair adjacent[CANDIDATE_BATCH];
        candidate left[BATCH_ROOM];
      };
    } triangles;
    struct {
      candidate left[CANDIDATE_BATCH];
      uint32_t a[CANDIDATE_BATCH][4], b[CANDIDATE_BATCH][4];
      uint32_t undecided[BATCH_ROOM];
    } tetrahedra;
  };
} batch_scratch;

/* Pairs of objects that a worker has lately found to touch: each has one place, where a later one may replace it. */
enum { RECENT_OBJECTS = 64 };

/* A worker's own, a cache line apart from its neighbors'. */
typedef struct test_lane {
  _Alignas(MEMORY_ALIGNMENT) test_counts counts;
  index_pair recent[RECENT_OBJECTS]; /* where objects are asked for */
  bool adds_known;                   /* to the search's `known`, which is in use */
  _Alignas(MEMORY_ALIGNMENT) batch_scratch scratch;
} test_lane;

typedef struct candidate_test {
  const primitive_view *view;
  search *search;
  pair_sink *sink;
  const plane_kernels *kernels; /* NULL: no float filter; so for solids */
  const solid_kernels *solid_kernels;
  const near_kernels *near_kernels; /* of a query with a clearance; NULL: none, and units are not set */
  near_units near_units;
  const mesh_rings *rings; /* pairs so near along a mesh are none unless they intersect; NULL: no such rule */
  test_lane *lanes;        /* a worker each */
  graze_test pair_test;    /* of solids */
  bool candidates_only;    /* the test is whether the exact boxes meet */
  bool objects_only;       /* pairs go on as those of their objects, lower number first, some of them several times */
} candidate_test;

/* `lanes` has one element a worker of the search, whose counts are set to zero; the search's sink is set to the test.
 * With `filter` the float filter goes before the exact test. Where the search is one_of_each the sink gets pairs of
 * objects, some of them several times. */
void candidate_test_init(candidate_test *test, search *s, pair_sink *sink, test_lane *lanes, bool filter,
                         const graze_query *query);

test_counts candidate_test_counts(const candidate_test *test, uint32_t worker_count);

#endif
