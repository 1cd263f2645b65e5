/* graze: timings per stage, and counters. Every list carries them.
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

/* Counters: name, description. A device rounds boxes outward when it searches, and counts a few per cent more
 * candidates. */
#define GRAZE_COUNTER_LIST(X)                                                                                          \
  X(primitives, "primitives of the scene")                                                                             \
  X(searched, "primitives that the query had to look at")                                                              \
  X(levels, "occupied levels of the grid")                                                                             \
  X(box_tests, "box tests made")                                                                                       \
  X(candidates, "pairs whose boxes meet and that the query asks for")                                                  \
  X(neighbors, "candidates passed over because they share a vertex")                                                   \
  X(float_decided, "candidates decided by the float filter")                                                           \
  X(double_decided, "candidates decided by the double filter")                                                         \
  X(exact_decided, "candidates that needed exact expansions")                                                          \
  X(wide_decided, "candidates that needed wide integers")                                                              \
  X(pairs, "pairs found")                                                                                              \
  X(duplicates, "candidates met again, where the method meets some more than once")                                    \
  X(reruns, "searches beyond the first, where a buffer was too small for one")                                         \
  X(repeated_index, "primitives that repeat a vertex index")                                                           \
  X(inverted, "tetrahedra of negative volume")                                                                         \
  X(flat, "tetrahedra of no volume")                                                                                   \
  X(scene_bytes, "memory that the scene holds now")                                                                    \
  X(peak_bytes, "most memory that the scene has held")                                                                 \
  X(device_bytes, "memory that the scene holds on its device now")                                                     \
  X(clusters, "clusters that the scene was divided into")                                                              \
  X(members, "members of all clusters: primitives in several count in each")                                           \
  X(members_1, "primitives that are members of exactly one cluster; none that is huge, here and in the next three")    \
  X(members_2, "primitives that are members of exactly two clusters")                                                  \
  X(members_3, "primitives that are members of exactly three clusters")                                                \
  X(members_4, "primitives that are members of exactly four clusters")

/* Milliseconds per stage. Zero-initialise it, and the counters. */
typedef struct graze_timings {
  size_t struct_bytes;
#define GRAZE_STAGE_FIELD(name, words) double name##_ms;
  GRAZE_STAGE_LIST(GRAZE_STAGE_FIELD)
#undef GRAZE_STAGE_FIELD
} graze_timings;

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
