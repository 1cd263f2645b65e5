/* How far apart two nodes of two trees are at least: a bound that holds for all posed primitives below them.
 *
 * In a frame. With x in a node of S and y in one of T, both in the coordinates of S, and with three orthonormal
 * directions f, |x - y| is at least the length of the gaps of the two nodes along the directions. The first direction
 * is that of the nearest points found so far. Along it a node reaches as far as its box and its slab let it, so that
 * surfaces that face each other there are thin. Along the others its box counts.
 *
 * Along six axes. The same with the axes of S and with those of T, by the boxes (tree_relation.h).
 *
 * Posed, the length is |R_S (x - y)|: rotations are orthonormal within 1e-6, so that a length shrinks by less than
 * 2^-18 of itself.
 *
 * Nodes are compared in float (tree_kernels.h), with all that is rounded subtracted. Two bodies that are far apart are
 * no exception: their distance is taken from the limit in double, and floats hold what is left, which is no larger than
 * the bodies.
 *
 * Workload: 10^2 to 10^4 pairs of blocks for two bodies. */
#ifndef GRAZE_BROAD_TREE_DISTANCE_H
#define GRAZE_BROAD_TREE_DISTANCE_H

#include "broad/tree_layout.h"
#include "broad/tree_relation.h"
#include "geometry/vector.h"

/* The map from the coordinates of T to those of S, in the unit of the larger. */
typedef struct tree_distance {
  double rows[3][3];
  double shift[3], slack[3];
  double s_unit;           /* coordinates of S times this are in the common unit */
  double s_scale, t_scale; /* a length in S, or in T, in the common unit, times this is at most that in the scene */
  bool known;              /* false: the bodies are too far apart for a frame in float */
} tree_distance;

/* The bounds of sixteen pairs of nodes: 4 i + j is node i of the block of S and j of that of T. */
enum { DISTANCE_PAIRS = TREE_FANOUT * TREE_FANOUT };

/* What is tested of pairs of nodes, in the common unit. */
typedef struct tree_limits {
  tree_relation relation;
  /* The directions of the frame, in the coordinates of each tree, and where the origin of T is along the last two. */
  float s_axes[3][3], t_axes[3][3], aside[2], aside_slack[2];
  double ahead; /* where it is along the first, less the slack */
  /* A pair of nodes is farther than the limit where its gap along the first direction, seen from the origins, is above
   * `most_ahead`, or its gaps along the others are too long beside it; see tree_blocks_near. */
  float most_ahead, limit;
  float s_square, t_square; /* squares of the limit in the axes of S and of T, at least */
  double square;            /* no less than what tree_gaps_square is where a pair is within the limit */
} tree_limits;

/* What is known of pairs of nodes. */
typedef struct tree_gaps {
  float ahead[DISTANCE_PAIRS]; /* along the first direction, seen from the origins */
  float aside[DISTANCE_PAIRS]; /* squares of the gaps along the others */
  float boxes[DISTANCE_PAIRS]; /* squares of the gaps along the axes of S or of T; of those pairs that are near */
} tree_gaps;

/* A limit in float that is at least as large. */
static inline float limit_above(double value) {
  return (float)(value + fabs(value) * 0x1p-20 + 0x1p-100);
}

/* ---------------------------------------------------------------------------------------------- two bodies */

static inline double length_scale(const posed_space *posed, double unit) {
  return unit * (posed->posed ? 1.0 - 0x1p-18 : 1.0 - 0x1p-48);
}

/* The slack. The doubles of the map are off by less than 2^-44 of the magnitudes they are made of (relate_spaces). */
static inline tree_distance tree_distance_make(const posed_space *s, const posed_space *t) {
  const double unit = s->unit > t->unit ? s->unit : t->unit;
  tree_distance made = {.s_unit = s->unit / unit, .s_scale = length_scale(s, unit), .t_scale = length_scale(t, unit)};
  double between[3], error[3];
  made.known = true;
  for (int axis = 0; axis < 3; axis++) {
    between[axis] = (t->origin[axis] - s->origin[axis]) / unit;
    error[axis] = (s->error[axis] + t->error[axis]) / unit;
  }
  for (int row = 0; row < 3; row++) {
    const double *inverse = s->inverse + 3 * row;
    double terms = s->own_half[row] / unit;
    for (int column = 0; column < 3; column++) {
      const double entry = inverse[0] * t->rotation[column] + inverse[1] * t->rotation[3 + column] +
                           inverse[2] * t->rotation[6 + column];
      made.rows[row][column] = entry * (t->unit / unit);
      terms += fabs(entry) * (t->own_half[column] / unit) + fabs(inverse[column] * between[column]);
    }
    made.shift[row] = row_times(inverse, between);
    made.slack[row] = row_reach(inverse, error) + 0x1p-43 * terms;
    made.known = made.known && terms < 0x1p50 && made.slack[row] < 0x1p50;
  }
  return made;
}

/* ---------------------------------------------------------------------------------------------- the frame */

/* What floats lose of the reach of a node along a direction, in units of 2^-24 of the larger body. Coordinates are at
 * most 2 in magnitude, so that a sum over three of them with a direction is at most 3.5. A direction is rounded by 1.
 * What is left of it for the box, beside the slab, by 4 for each coordinate: 24 for box and slab together; products and
 * sums of the box add 3 of 3.5, those of the slab 4 of 3.5, and the ends 2 of 7: less than 71. The gap of two nodes
 * adds
 * 16. So 256 are enough for two nodes, and more than what a direction lacks of length 1, 2^-45. */
static const double FRAME_SLACK = 0x1p-16;

/* Sets the frame for a direction from S to T of any length, in the scene. */
static inline void tree_limits_turn(tree_limits *limits, const tree_distance *map, const posed_space *s,
                                    const double direction[3]) {
  double axes[3][3], squared = 0.0;
  for (int row = 0; row < 3; row++) {
    axes[0][row] =
        s->rotation[row] * direction[0] + s->rotation[3 + row] * direction[1] + s->rotation[6 + row] * direction[2];
    squared += axes[0][row] * axes[0][row];
  }
  const bool has_length = squared > 0x1p-100 && squared < 0x1p100;
  for (int row = 0; row < 3; row++) axes[0][row] = has_length ? axes[0][row] / sqrt(squared) : row == 0 ? 1.0 : 0.0;
  vector3_complete_frame(axes);
  for (int k = 0; k < 3; k++) {
    double shift = 0.0, slack = FRAME_SLACK;
    for (int row = 0; row < 3; row++) {
      shift += axes[k][row] * map->shift[row];
      slack += fabs(axes[k][row]) * (map->slack[row] + fabs(map->shift[row]) * 0x1p-44);
      limits->s_axes[k][row] = (float)(axes[k][row] * map->s_unit);
      limits->t_axes[k][row] =
          (float)(axes[k][0] * map->rows[0][row] + axes[k][1] * map->rows[1][row] + axes[k][2] * map->rows[2][row]);
    }
    if (k == 0) {
      limits->ahead = shift - slack;
    } else {
      limits->aside[k - 1] = (float)shift;
      limits->aside_slack[k - 1] = limit_above(slack + fabs(shift) * 0x1p-21);
    }
  }
}

/* Sets the limit: a distance in the scene, infinite or not. Beyond 2^60 no pair of nodes of known bodies is. */
static inline void tree_limits_set(tree_limits *limits, const tree_distance *map, double farthest) {
  const double s_limit = fmin(farthest / map->s_scale, 0x1p60) * (1.0 + 0x1p-40);
  const double t_limit = fmin(farthest / map->t_scale, 0x1p60) * (1.0 + 0x1p-40);
  limits->most_ahead = limit_above(s_limit - limits->ahead);
  limits->limit = limit_above(s_limit);
  limits->s_square = limit_above(s_limit * s_limit);
  limits->t_square = limit_above(t_limit * t_limit);
  limits->square = fmax(s_limit * s_limit, t_limit * t_limit) * (1.0 + 0x1p-40);
}

/* No more than the square of the distance of two nodes, in the common unit. */
static inline double tree_gaps_square(const tree_gaps *gaps, uint32_t pair, const tree_limits *limits) {
  const double gap = limits->ahead + (double)gaps->ahead[pair], ahead = gap > 0.0 ? gap : 0.0;
  const double in_frame = ahead * ahead * (1.0 - 0x1p-44) + (double)gaps->aside[pair] * (1.0 - 0x1p-20);
  const double of_boxes = (double)gaps->boxes[pair] * (1.0 - 0x1p-20);
  return in_frame > of_boxes ? in_frame : of_boxes;
}

/* No more than the distance in the scene that such a square stands for. */
static inline double tree_distance_of_square(const tree_distance *map, double square) {
  return sqrt(square) * fmin(map->s_scale, map->t_scale) * (1.0 - 0x1p-44);
}

/* A lane without a node has half extents of minus infinity. */
static inline bool lane_has_node(const tree_block *block, uint32_t lane) {
  return block->half[0][lane] >= 0.0f;
}

#endif
