/* A lower bound of the distance of two nodes of two trees, valid for all posed primitives below them.
 *
 * In a frame. With x in a node of S and y in one of T, both in the coordinates of S, and three orthonormal directions
 * f, |x - y| is at least the length of the vector of the nodes' gaps along the directions. The first direction is that
 * of the nearest points found so far. Along it the extent of a node is limited by its box and its slab, so that
 * surfaces that face each other are thin there. Along the others its box is used.
 *
 * Along six axes. The same with the axes of S and with those of T, using the boxes (tree_relation.h).
 *
 * Posed, the length is |R_S (x - y)|: rotations are orthonormal within 1e-6, so that the relative loss of a length is
 * less than 2^-18.
 *
 * Nodes are compared in float (tree_kernels.h), with a bound of all rounding errors subtracted. This includes distant
 * bodies: their distance is subtracted from the limit in double, and floats hold the remainder, which is no larger than
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
  double s_unit; /* factor from coordinates of S to the common unit */
  double s_scale,
      t_scale; /* a length in S, or in T, in the common unit, times this is at most the length in the scene */
  bool known;  /* false: the bodies are too far apart for a frame in float */
} tree_distance;

/* The bounds of sixteen pairs of nodes: 4 i + j is node i of the block of S and j of that of T. */
enum { DISTANCE_PAIRS = TREE_FANOUT * TREE_FANOUT };

/* The limits and maps for tests of pairs of nodes, in the common unit. */
typedef struct tree_limits {
  tree_relation relation;
  /* The directions of the frame, in the coordinates of each tree, and the origin of T along the last two. */
  float s_axes[3][3], t_axes[3][3], aside[2], aside_slack[2];
  double ahead; /* the origin of T along the first, minus the slack */
  /* A pair of nodes is beyond the limit if its gap along the first direction, relative to the origins, is above
   * `most_ahead`, or if its gaps along the others are too long in addition; see tree_blocks_near. */
  float most_ahead, limit;
  float s_square, t_square; /* squares of the limit in the axes of S and of T, or larger */
  double square;            /* upper bound of tree_gaps_square for pairs within the limit */
} tree_limits;

/* The gaps of pairs of nodes. */
typedef struct tree_gaps {
  float ahead[DISTANCE_PAIRS]; /* along the first direction, relative to the origins */
  float aside[DISTANCE_PAIRS]; /* squares of the gaps along the others */
  float boxes[DISTANCE_PAIRS]; /* squares of the gaps along the axes of S or of T; for pairs that are near */
} tree_gaps;

/* A float limit that is not below the value. */
static inline float limit_above(double value) {
  return (float)(value + fabs(value) * 0x1p-20 + 0x1p-100);
}

/* ---------------------------------------------------------------------------------------------- two bodies */

static inline double length_scale(const posed_space *posed, double unit) {
  return unit * (posed->posed ? 1.0 - 0x1p-18 : 1.0 - 0x1p-48);
}

/* Slack: the doubles of the map have an error below 2^-44 of the magnitudes from which they are computed
 * (relate_spaces). */
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

/* The float error of the extent of a node along a direction, in units of 2^-24 of the larger body. Coordinates are
 * at most 2 in magnitude, so that the product of three of them with a direction is at most 3.5. A direction has an
 * error of 1. Its remainder for the box, in addition to the slab, has an error of 4 per coordinate: 24 for box and
 * slab together; products and sums of the box add 3 times 3.5, those of the slab 4 times 3.5, and the ends 2 times
 * 7: less than 71. The gap of two nodes adds 16. So 256 suffice for two nodes, and also cover the deviation of a
 * direction's length from 1, 2^-45. */
static const double FRAME_SLACK = 0x1p-16;

/* Sets the frame for a direction from S to T of any length, in the scene. */
static inline void tree_limits_set_direction(tree_limits *limits, const tree_distance *map, const posed_space *s,
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

/* Sets the limit: a distance in the scene, possibly infinite. No pair of nodes of known bodies is beyond 2^60. */
static inline void tree_limits_set(tree_limits *limits, const tree_distance *map, double farthest) {
  const double s_limit = fmin(farthest / map->s_scale, 0x1p60) * (1.0 + 0x1p-40);
  const double t_limit = fmin(farthest / map->t_scale, 0x1p60) * (1.0 + 0x1p-40);
  limits->most_ahead = limit_above(s_limit - limits->ahead);
  limits->limit = limit_above(s_limit);
  limits->s_square = limit_above(s_limit * s_limit);
  limits->t_square = limit_above(t_limit * t_limit);
  limits->square = fmax(s_limit * s_limit, t_limit * t_limit) * (1.0 + 0x1p-40);
}

/* A lower bound of the squared distance of two nodes, in the common unit. */
static inline double tree_gaps_square(const tree_gaps *gaps, uint32_t pair, const tree_limits *limits) {
  const double gap = limits->ahead + (double)gaps->ahead[pair], ahead = gap > 0.0 ? gap : 0.0;
  const double in_frame = ahead * ahead * (1.0 - 0x1p-44) + (double)gaps->aside[pair] * (1.0 - 0x1p-20);
  const double of_boxes = (double)gaps->boxes[pair] * (1.0 - 0x1p-20);
  return in_frame > of_boxes ? in_frame : of_boxes;
}

/* A lower bound of the distance in the scene for such a square. */
static inline double tree_distance_of_square(const tree_distance *map, double square) {
  return sqrt(square) * fmin(map->s_scale, map->t_scale) * (1.0 - 0x1p-44);
}

/* A lane without a node has half extents of minus infinity. */
static inline bool lane_has_node(const tree_block *block, uint32_t lane) {
  return block->half[0][lane] >= 0.0f;
}

#endif
