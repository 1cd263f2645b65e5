/* graze: the methods by which pairs are searched, and their options.
 *
 * Included by graze/graze.h. */
#ifndef GRAZE_METHODS_H
#define GRAZE_METHODS_H

#include "graze/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which instructions the inner loops on the processor use. All give the same pairs; AUTO takes the widest the processor
 * has. */
#define GRAZE_SIMD_LIST(X)                                                                                             \
  X(AUTO, 0, "auto")                                                                                                   \
  X(SCALAR, 1, "scalar")                                                                                               \
  X(128, 2, "128")                                                                                                     \
  X(256, 3, "256")

typedef enum graze_simd {
#define GRAZE_SIMD_ENUM(name, value, words) GRAZE_SIMD_##name = value,
  GRAZE_SIMD_LIST(GRAZE_SIMD_ENUM)
#undef GRAZE_SIMD_ENUM
} graze_simd;

/* How the method "tree" orders the primitives of an object. All give the same pairs.
 *   auto    by splits where primitives came or went, along the curve where only the positions have changed
 *   morton  along a Morton curve: built in the least time
 *   splits  from the top down, across the longest side: searched in the least time
 * A device orders what has moved along the curve, whatever is asked for. */
#define GRAZE_TREE_BUILDER_LIST(X)                                                                                     \
  X(AUTO, 0, "auto")                                                                                                   \
  X(MORTON, 1, "morton")                                                                                               \
  X(SPLITS, 2, "splits")

typedef enum graze_tree_builder {
#define GRAZE_TREE_BUILDER_ENUM(name, value, words) GRAZE_TREE_BUILDER_##name = value,
  GRAZE_TREE_BUILDER_LIST(GRAZE_TREE_BUILDER_ENUM)
#undef GRAZE_TREE_BUILDER_ENUM
} graze_tree_builder;

/* What the method "tree" does when positions of an object have changed. All give the same pairs.
 *   auto     it fits the boxes anew, and orders the primitives anew when the boxes have grown too large
 *   refit    it fits the boxes anew, whatever they have become
 *   rebuild  it orders the primitives anew every time */
#define GRAZE_TREE_UPDATE_LIST(X)                                                                                      \
  X(AUTO, 0, "auto")                                                                                                   \
  X(REFIT, 1, "refit")                                                                                                 \
  X(REBUILD, 2, "rebuild")

typedef enum graze_tree_update {
#define GRAZE_TREE_UPDATE_ENUM(name, value, words) GRAZE_TREE_UPDATE_##name = value,
  GRAZE_TREE_UPDATE_LIST(GRAZE_TREE_UPDATE_ENUM)
#undef GRAZE_TREE_UPDATE_ENUM
} graze_tree_update;

/* Along which axis the method "clusters" sweeps each of them: that on which its primitives are spread most, or one of
 * the scene's. All give the same pairs. */
#define GRAZE_AXIS_LIST(ROW)                                                                                           \
  ROW(PRINCIPAL, 0, "principal")                                                                                       \
  ROW(X, 1, "x")                                                                                                       \
  ROW(Y, 2, "y")                                                                                                       \
  ROW(Z, 3, "z")

typedef enum graze_axis {
#define GRAZE_AXIS_ENUM(name, value, words) GRAZE_AXIS_##name = value,
  GRAZE_AXIS_LIST(GRAZE_AXIS_ENUM)
#undef GRAZE_AXIS_ENUM
} graze_axis;

/* By which distance the method "clusters" finds the nearest cluster: the root of the sum of squares, the sum, or the
 * greatest of the three differences. All give the same pairs. */
#define GRAZE_METRIC_LIST(X)                                                                                           \
  X(L2, 0, "l2")                                                                                                       \
  X(L1, 1, "l1")                                                                                                       \
  X(LINF, 2, "linf")

typedef enum graze_metric {
#define GRAZE_METRIC_ENUM(name, value, words) GRAZE_METRIC_##name = value,
  GRAZE_METRIC_LIST(GRAZE_METRIC_ENUM)
#undef GRAZE_METRIC_ENUM
} graze_metric;

/* A method and its options. An option that the method lacks must have its default: other values are
 * GRAZE_INVALID_ARGUMENT, or GRAZE_UNSUPPORTED where the method has the option on the processor and lacks it on the
 * scene's backend. "auto" has the options of the methods that it may choose: of "grid" and "tree", on a device of
 * "grid" alone. */
typedef struct graze_method_def {
  size_t struct_bytes;
  const char *name;                /* "auto", or one of GRAZE_ENUMERATION_METHOD (graze/names.h); copied */
  graze_simd simd;                 /* of all methods; GRAZE_UNSUPPORTED where the processor or the build lacks it */
  graze_tree_builder tree_builder; /* of the method "tree", as is the next */
  graze_tree_update tree_update;
  /* Of the method "clusters". */
  uint32_t clusters; /* how many, up to 1024; 0: the number adapts from frame to frame, or on a device follows from that
                        of primitives */
  graze_axis axis;
  graze_metric metric; /* by which the nearest cluster is found */
  double fuzziness;    /* above 1, up to 16; 2 by default: how little points belong to the nearest cluster alone */
} graze_method_def;

GRAZE_API void graze_method_def_init(void *def, size_t bytes);
static inline graze_method_def graze_method_def_default(void) {
  graze_method_def def;
  graze_method_def_init(&def, sizeof def);
  return def;
}

#ifdef __cplusplus
}
#endif

#endif
