/* graze: timings per stage, and counters. Lists contain those of the call that filled them.
 *
 * graze/graze.h includes this header. */
#ifndef GRAZE_COSTS_H
#define GRAZE_COSTS_H

#include "graze/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Stages in order: name, description. `test` and `search` run interleaved; their wall time is divided in proportion to
 * the time that the workers spent in each. */
#define GRAZE_STAGE_LIST(X)                                                                                            \
  X(update, "positions, poses, checks")                                                                                \
  X(bounds, "boxes and levels of primitives")                                                                          \
  X(build, "search structure")                                                                                         \
  X(search, "candidates: pairs whose boxes meet")                                                                      \
  X(test, "exact tests of candidates")                                                                                 \
  X(order, "sorting and hashing of pairs")                                                                             \
  X(contacts, "contact geometry")                                                                                      \
  X(regions, "regions, their depths and curves")

/* Milliseconds per stage. Zero-initialize it, and the counters. */
typedef struct graze_timings {
  size_t struct_bytes;
#define GRAZE_STAGE_FIELD(name, words) double name##_ms;
  GRAZE_STAGE_LIST(GRAZE_STAGE_FIELD)
#undef GRAZE_STAGE_FIELD
} graze_timings;

/* Counters: name, description. A device rounds boxes outward when it searches, and counts a few per cent more
 * candidates. */
#define GRAZE_COUNTER_LIST(X)                                                                                          \
  X(primitives, "primitives of the scene")                                                                             \
  X(searched, "primitives that the query examined")                                                                    \
  X(levels, "occupied levels of the grid")                                                                             \
  X(box_tests, "tests of bounding boxes")                                                                              \
  X(candidates, "pairs in the scope of the query whose boxes meet")                                                    \
  X(neighbors, "candidates skipped because they share a vertex")                                                       \
  X(float_decided, "candidates decided by the float filter")                                                           \
  X(double_decided, "candidates decided by the double filter")                                                         \
  X(exact_decided, "candidates that needed exact expansions")                                                          \
  X(wide_decided, "candidates that needed wide integers")                                                              \
  X(pairs, "pairs found")                                                                                              \
  X(duplicates, "repeated candidates, of methods that may visit a pair more than once")                                \
  X(reruns, "additional searches, because a buffer was too small")                                                     \
  X(repeated_index, "primitives that repeat a vertex index")                                                           \
  X(inverted, "tetrahedra of negative volume")                                                                         \
  X(flat, "tetrahedra of zero volume")                                                                                 \
  X(scene_bytes, "memory of the scene, in bytes")                                                                      \
  X(peak_bytes, "peak memory of the scene, in bytes")                                                                  \
  X(device_bytes, "device memory of the scene, in bytes")                                                              \
  X(clusters, "clusters of the scene")                                                                                 \
  X(members, "members of all clusters; a primitive counts once for each of its clusters")                              \
  X(members_1, "primitives in exactly one cluster; huge primitives are not counted")                                   \
  X(members_2, "primitives in exactly two clusters")                                                                   \
  X(members_3, "primitives in exactly three clusters")                                                                 \
  X(members_4, "primitives in exactly four clusters")

typedef struct graze_counters {
  size_t struct_bytes;
#define GRAZE_COUNTER_FIELD(name, words) uint64_t name;
  GRAZE_COUNTER_LIST(GRAZE_COUNTER_FIELD)
#undef GRAZE_COUNTER_FIELD
} graze_counters;

#ifdef __cplusplus
}
#endif

#endif
