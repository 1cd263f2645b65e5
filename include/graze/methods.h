/* graze: methods that search for pairs, and their options.
 *
 * graze/graze.h includes this header. */
#ifndef GRAZE_METHODS_H
#define GRAZE_METHODS_H

#include "graze/host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The instruction set of the inner loops on the processor. All give the same pairs. AUTO selects the widest that the
 * processor has. */
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

/* How the method "tree" builds the tree of an object. All give the same pairs.
 *   auto    splits if primitives were inserted or removed, morton if only positions have changed
 *   morton  along a Morton curve: the fastest build
 *   splits  top down, splitting the longest side: the fastest search
 * For moved positions a device always uses morton. */
#define GRAZE_TREE_BUILDER_LIST(X)                                                                                     \
  X(AUTO, 0, "auto")                                                                                                   \
  X(MORTON, 1, "morton")                                                                                               \
  X(SPLITS, 2, "splits")

typedef enum graze_tree_builder {
#define GRAZE_TREE_BUILDER_ENUM(name, value, words) GRAZE_TREE_BUILDER_##name = value,
  GRAZE_TREE_BUILDER_LIST(GRAZE_TREE_BUILDER_ENUM)
#undef GRAZE_TREE_BUILDER_ENUM
} graze_tree_builder;

/* What the method "tree" does after positions of an object have changed. All give the same pairs.
 *   auto     refits the boxes, and rebuilds the tree if the boxes have grown too large
 *   refit    always refits the boxes
 *   rebuild  always rebuilds the tree */
#define GRAZE_TREE_UPDATE_LIST(X)                                                                                      \
  X(AUTO, 0, "auto")                                                                                                   \
  X(REFIT, 1, "refit")                                                                                                 \
  X(REBUILD, 2, "rebuild")

typedef enum graze_tree_update {
#define GRAZE_TREE_UPDATE_ENUM(name, value, words) GRAZE_TREE_UPDATE_##name = value,
  GRAZE_TREE_UPDATE_LIST(GRAZE_TREE_UPDATE_ENUM)
#undef GRAZE_TREE_UPDATE_ENUM
} graze_tree_update;

/* The axis along which the method "clusters" sweeps each cluster: the axis along which its primitives are spread most,
 * or an axis of the scene. All give the same pairs. */
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

/* The metric by which the method "clusters" finds the nearest cluster. All give the same pairs. */
#define GRAZE_METRIC_LIST(X)                                                                                           \
  X(L2, 0, "l2")                                                                                                       \
  X(L1, 1, "l1")                                                                                                       \
  X(LINF, 2, "linf")

typedef enum graze_metric {
#define GRAZE_METRIC_ENUM(name, value, words) GRAZE_METRIC_##name = value,
  GRAZE_METRIC_LIST(GRAZE_METRIC_ENUM)
#undef GRAZE_METRIC_ENUM
} graze_metric;

/* A method and its options. Options that the method does not have must keep their defaults: other values are
 * GRAZE_INVALID_ARGUMENT, or GRAZE_UNSUPPORTED if the method has the option only on the processor. "auto" accepts the
 * options of "grid" and "tree", on a device those of "grid". */
typedef struct graze_method_def {
  size_t struct_bytes;
  const char *name;                /* "auto", or one of GRAZE_ENUMERATION_METHOD (graze/names.h); copied */
  graze_simd simd;                 /* for all methods; GRAZE_UNSUPPORTED if the processor or the build lacks it */
  graze_tree_builder tree_builder; /* for the method "tree", as is the next */
  graze_tree_update tree_update;
  /* For the method "clusters". */
  uint32_t clusters; /* number of clusters, at most 1024; 0: adapts from frame to frame; on a device, derived from the
                        number of primitives */
  graze_axis axis;
  graze_metric metric;
  double fuzziness; /* above 1, at most 16, default 2: a higher value makes cluster memberships softer */
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
