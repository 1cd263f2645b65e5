/* The published grid of kDet, which is kept with the benchmark and not in the library, to separate the progress of the
 * method from that of the hardware. Weller, Debowski, Zachmann: "kDet: Parallel Constant Time Collision Detection for
 * Polygonal Objects", 2017, sections 4 and 5; the duplicate elimination and the brute force are after Mirzayousef
 * Jadid: "Tetrahedral kDet: Linear Time Collision Detection for Tetrahedral Meshes", 2023, chapters 4, 6 and 7.
 *
 * The input is one soup of triangles in one table, without pairs that share a vertex. The result is the candidates,
 * pairs with intersecting boxes. Tests in float are timed and counted; the pairs themselves require an exact test. */
#ifndef GRAZE_KDET_GRID_H
#define GRAZE_KDET_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kdet_soup {
  const float *positions;
  size_t vertex_count;
  const uint32_t *triangles; /* corners, three of each */
  size_t triangle_count;     /* below 2^31 */
} kdet_soup;

typedef enum kdet_way { KDET_GRID, KDET_BRUTE_LOOP, KDET_BRUTE_NO_LOOP } kdet_way;
typedef enum kdet_hash { KDET_DJB2, KDET_MORTON } kdet_hash;

/* Duplicate elimination for pairs in several cells: sort all and drop duplicates; look up each in a map; or none, where
 * the result is only the triangles in a pair (the oldest version). */
typedef enum kdet_dedup { KDET_SORT, KDET_MAP, KDET_NONE } kdet_dedup;

/* Buckets of the table: a prime for DJB2, 64 cells each way for Morton codes; of the thesis, about. */
enum { KDET_BUCKETS_DJB2 = 131101, KDET_BUCKETS_MORTON = 64 * 64 * 64, KDET_BUCKETS_THESIS = 3800000 };

typedef struct kdet_options {
  kdet_way way;
  kdet_hash hash;
  uint32_t buckets; /* KDET_BUCKETS_MORTON for Morton codes */
  kdet_dedup dedup;
  uint32_t block; /* threads of a block on a device */
  size_t rounds;  /* times are the least of this many, after a warm-up round */
} kdet_options;

/* Stages of a frame, timed by the clock of the device; on the host by processor time. */
typedef enum kdet_stage { KDET_MEASURE, KDET_POPULATE, KDET_FIND, KDET_UNIQUE, KDET_TEST, KDET_STAGES } kdet_stage;

typedef struct kdet_outcome {
  double stage_ms[KDET_STAGES], total_ms; /* of the round with the least total; positions are in place */
  uint32_t levels;
  uint64_t stored;      /* ids in the table: triangles times cells */
  uint64_t linked;      /* overflow buckets */
  uint64_t met;         /* candidates, including duplicates */
  uint64_t colliding;   /* KDET_NONE: triangles in a pair, by the float test */
  uint64_t float_pairs; /* otherwise: pairs by that test */
  uint64_t *candidates; /* owned: smaller number << 32 | larger; sorted, each once. None for KDET_NONE */
  size_t candidate_count;
  uint64_t bytes; /* of all arrays */
} kdet_outcome;

/* Run on the host in one thread, and on a CUDA device. On failure they write one message and leave nothing to free. */
bool kdet_grid_run_host(const kdet_soup *soup, const kdet_options *options, kdet_outcome *outcome, char *error,
                        size_t error_bytes);
bool kdet_grid_run_device(int device, const kdet_soup *soup, const kdet_options *options, kdet_outcome *outcome,
                          char *error, size_t error_bytes);
void kdet_outcome_free(kdet_outcome *outcome);

#ifdef __cplusplus
}
#endif

#endif
