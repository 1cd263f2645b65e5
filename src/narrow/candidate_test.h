/* The narrow phase, the exact test of candidates: batches in from a method, pairs out to a pair_sink. */
#ifndef GRAZE_NARROW_CANDIDATE_TEST_H
#define GRAZE_NARROW_CANDIDATE_TEST_H

#include "broad/method.h"
#include "narrow/mesh_rings.h"
#include "narrow/near_kernels.h"
#include "narrow/pair_sink.h"
#include "narrow/plane_kernels.h"
#include "narrow/solid_kernels.h"

/* The units that the float filter of queries with a clearance works in. */
typedef struct near_units {
  double factor; /* from given coordinates, a power of two; 0: no usable unit, and nothing is decided */
  near_limits limits;
} near_units;

near_units near_units_make(const primitive_view *view);

/* Writes a near_answer for each of up to NEAR_CHUNK candidates. Decides only triangles; those of one object that share
 * a corner are left to the rule for neighbors. */
void near_batch_decide(const near_kernels *kernels, const primitive_view *view, const near_units *units,
                       const candidate *candidates, size_t count, uint8_t answers_out[NEAR_CHUNK]);

typedef struct test_counts {
  uint64_t float_decided, double_decided, exact_decided, wide_decided;
  double milliseconds;
} test_counts;

/* A batch, and the elements that filters may write beyond its end. */
enum { BATCH_CAPACITY = CANDIDATE_BATCH + 16 };

/* The pairs found in the current batch. */
typedef struct batch_pairs {
  uint32_t task; /* of the batch */
  index_pair pairs[CANDIDATE_BATCH];
  size_t count;
} batch_pairs;

/* Scratch of the tests of one batch, too large for the stack of some hosts' threads. Members that are never in use at
 * the same time share memory, so that a query of one kind touches little: 16 KB for triangles without neighbors, 84 KB
 * in all. */
typedef struct batch_scratch {
  batch_pairs found;
  candidate
      of_others[CANDIDATE_BATCH];      /* if object pairs are requested: candidates of objects not yet known to touch */
  candidate of_parts[CANDIDATE_BATCH]; /* if objects have parts: candidates that share no vertex with another part */
  candidate by_segment[CANDIDATE_BATCH]; /* if coordinates are mapped: first the candidates that may be filtered */
  candidate by_kind[CANDIDATE_BATCH];    /* in scenes of several kinds: grouped by kind */
  union {
    struct {
      candidate plain[CANDIDATE_BATCH];
      union {
        adjacent_pair adjacent[CANDIDATE_BATCH];
        candidate left[BATCH_CAPACITY];
      };
    } triangles;
    struct {
      candidate left[CANDIDATE_BATCH];
      uint32_t a[CANDIDATE_BATCH][4], b[CANDIDATE_BATCH][4];
      uint32_t undecided[BATCH_CAPACITY];
    } tetrahedra;
  };
} batch_scratch;

/* A cache of object pairs that a worker recently found to touch. Each pair maps to one slot, where a later pair may
 * replace it. */
enum { RECENT_OBJECTS = 64 };

/* State of one worker, on cache lines of its own. */
typedef struct test_lane {
  _Alignas(MEMORY_ALIGNMENT) test_counts counts;
  index_pair recent[RECENT_OBJECTS]; /* if object pairs are requested */
  bool adds_known;                   /* found pairs are added to the search's `known` */
  _Alignas(MEMORY_ALIGNMENT) batch_scratch scratch;
} test_lane;

typedef struct candidate_test {
  const primitive_view *view;
  search *search;
  pair_sink *sink;
  const plane_kernels *kernels; /* NULL: no float filter; solid_kernels likewise */
  const solid_kernels *solid_kernels;
  const near_kernels *near_kernels; /* for a query with a clearance; NULL: none, and near_units is not set */
  near_units near_units;
  const mesh_rings
      *rings;           /* primitives this near along a mesh form a pair only if they intersect; NULL: no such rule */
  test_lane *lanes;     /* one per worker */
  graze_test pair_test; /* of solids */
  bool candidates_only; /* tests only whether the exact boxes meet */
  bool objects_only;    /* pairs of objects are passed on, the lower number first, possibly with repetitions */
} candidate_test;

/* `lanes` has one element for each worker of the search; their counts are set to zero. The search's sink is set to the
 * test. If `filter` is true, the float filter runs before the exact test. If the search is one_of_each, the sink
 * receives pairs of objects, possibly with repetitions. */
void candidate_test_init(candidate_test *test, search *s, pair_sink *sink, test_lane *lanes, bool filter,
                         const graze_query *query);

test_counts candidate_test_counts(const candidate_test *test, uint32_t worker_count);

#endif
