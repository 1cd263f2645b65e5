/* graze: functions that name enumerators, methods, backends, stages and counters, for tools and for bindings, which
 * cannot use macros.
 *
 *     int scope;
 *     if (graze_enumeration_find(GRAZE_ENUMERATION_SCOPE, "within", &scope)) query.scope = (graze_scope)scope;
 *
 * All texts are static. */
#ifndef GRAZE_NAMES_H
#define GRAZE_NAMES_H

#include "graze/graze.h"
#include "graze/regions.h"
#include "graze/sphere_tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Enumerations that have names. Values are those of the enumeration; stages, counters, methods and backends are
 * numbered from 0. */
#define GRAZE_ENUMERATION_LIST(X)                                                                                      \
  X(RESULT, 0, "result")                                                                                               \
  X(KIND, 1, "kind")                                                                                                   \
  X(THREADING, 2, "threading")                                                                                         \
  X(SIMD, 3, "simd")                                                                                                   \
  X(TREE_BUILDER, 4, "tree_builder")                                                                                   \
  X(TREE_UPDATE, 5, "tree_update")                                                                                     \
  X(SPHERE_BUILDER, 6, "sphere_builder")                                                                               \
  X(AXIS, 7, "axis")                                                                                                   \
  X(METRIC, 8, "metric")                                                                                               \
  X(SCOPE, 9, "scope")                                                                                                 \
  X(NEIGHBORS, 10, "neighbors")                                                                                        \
  X(TEST, 11, "test")                                                                                                  \
  X(FORCE, 12, "force")                                                                                                \
  X(STAGE, 13, "stage")                                                                                                \
  X(COUNTER, 14, "counter")                                                                                            \
  X(METHOD, 15, "method")                                                                                              \
  X(BACKEND, 16, "backend")                                                                                            \
  X(CLASH, 17, "clash")

typedef enum graze_enumeration {
#define GRAZE_ENUMERATION_ENUM(name, value, words) GRAZE_ENUMERATION_##name = value,
  GRAZE_ENUMERATION_LIST(GRAZE_ENUMERATION_ENUM)
#undef GRAZE_ENUMERATION_ENUM
} graze_enumeration;

/* Returns the number of values; 0 for an unknown enumeration. */
GRAZE_API size_t graze_enumeration_count(graze_enumeration what);

/* Returns the value of an entry, from 0 to count - 1; -1 past the end. */
GRAZE_API int graze_enumeration_value(graze_enumeration what, size_t entry);

/* Returns the name of a value: "OK", "triangle", "between", ...; NULL if there is no such value. Includes backends that
 * this build lacks; using them fails with a message. */
GRAZE_API const char *graze_enumeration_name(graze_enumeration what, int value);

/* Returns a description of a result, stage, counter, method or backend; NULL for the others. */
GRAZE_API const char *graze_enumeration_description(graze_enumeration what, int value);

/* Finds the value of a name. Returns false, and writes nothing, if there is none. */
GRAZE_API bool graze_enumeration_find(graze_enumeration what, const char *name, int *value_out);

/* Return the milliseconds of a stage and the value of a counter; 0 if there is no such stage or counter, and for NULL.
 */
GRAZE_API double graze_timings_value(const graze_timings *timings, size_t stage);
GRAZE_API uint64_t graze_counters_value(const graze_counters *counters, size_t counter);

#ifdef __cplusplus
}
#endif

#endif
