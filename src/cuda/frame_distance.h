/* A lower bound of the distance of two nodes of two trees, on a device: one pair of nodes at a time, in double
 * precision.
 *
 * There are three frames of three axes each: that of the nearest points found so far, whose first axis is the direction
 * between them, and the axes of both trees. With w the vector from a point of S to one of T, in the axes of S, and the
 * rows of A the axes of a frame, |w| is at least |A w| over the norm of A, and each coordinate of A w is at least the
 * gap of the two nodes along that axis. Along the direction of the nearest points, nodes of smooth surfaces are thin,
 * by their slabs; across it their boxes separate adjacent nodes.
 *
 * Posed, the distance is |R_S w|. Rotations are orthonormal within 1e-6, so that the relative loss of a length is less
 * than 2^-18, and the axes of T, in coordinates of S, have a norm of at most 1 + 2^-18.
 *
 * Workload: 10^2 to 10^4 pairs of blocks for two bodies, sixteen pairs of nodes each. */
#ifndef GRAZE_CUDA_FRAME_DISTANCE_H
#define GRAZE_CUDA_FRAME_DISTANCE_H

#include "broad/tree_layout.h"
#include "broad/tree_relation.h"

enum { FRAME_NEAREST = 0, FRAME_S = 1, FRAME_T = 2, FRAME_COUNT = 3 };

/* From the coordinates of T to those of S, in the unit of the larger. */
typedef struct frame_map {
  double rows[3][3];     /* from coordinates of nodes of T to the axes of S */
  double rotation[3][3]; /* the same without units */
  double shift[3], slack[3];
  double own_unit; /* factor from coordinates of nodes of S to the common unit */
  double scale;    /* a length in the common unit times this is at most the length in the scene */
  bool known;      /* false: squares of sizes or positions exceed the range of double, so there is no bound */
} frame_map;

typedef struct distance_frame {
  double s[3][3], t[3][3];   /* the axes in the coordinates of nodes of S, and of T */
  double shift[3], slack[3]; /* of the origin of T along them, and the error bound of a gap */
  double scale;              /* that of the map, reduced by the norm of the axes */
} distance_frame;

/* Slack: the doubles of the map have an error below 2^-44 of the magnitudes from which they are computed. The
 * arithmetic of a gap, including the axes of a frame, has fewer than 32 roundings of them, an eighth of what the
 * slack allows. */
GEOMETRY_FUNCTION frame_map frame_map_make(const posed_space *s, const posed_space *t) {
  const double unit = s->unit > t->unit ? s->unit : t->unit;
  double between[3], error[3];
  frame_map map;
  map.known = true;
  for (int axis = 0; axis < 3; axis++) {
    between[axis] = (t->origin[axis] - s->origin[axis]) / unit;
    error[axis] = (s->error[axis] + t->error[axis]) / unit;
  }
  for (int row = 0; row < 3; row++) {
    const double *inverse = s->inverse + 3 * row;
    double reach = 0.0, shift_terms = 0.0;
    for (int column = 0; column < 3; column++) {
      map.rotation[row][column] = inverse[0] * t->rotation[column] + inverse[1] * t->rotation[3 + column] +
                                  inverse[2] * t->rotation[6 + column];
      map.rows[row][column] = map.rotation[row][column] * (t->unit / unit);
      reach += fabs(map.rotation[row][column]) * (t->own_half[column] / unit);
      shift_terms += fabs(inverse[column] * between[column]);
    }
    map.shift[row] = row_times(inverse, between);
    map.slack[row] = row_reach(inverse, error) + 0x1p-42 * (reach + shift_terms + s->own_half[row] / unit) + 0x1p-1000;
    map.known = map.known && shift_terms < 0x1p400 && map.slack[row] < 0x1p400;
  }
  map.own_unit = s->unit / unit;
  map.scale = unit * (s->posed ? 1.0 - 0x1p-18 : 1.0 - 0x1p-48);
  return map;
}

/* From axes in the coordinates of S, without units. */
GEOMETRY_FUNCTION distance_frame distance_frame_of_axes(const frame_map *map, double axes[3][3], double norm) {
  distance_frame frame;
  for (int k = 0; k < 3; k++) {
    frame.shift[k] = frame.slack[k] = 0.0;
    for (int column = 0; column < 3; column++) frame.t[k][column] = 0.0;
    for (int row = 0; row < 3; row++) {
      frame.s[k][row] = axes[k][row] * map->own_unit;
      frame.shift[k] += axes[k][row] * map->shift[row];
      frame.slack[k] += fabs(axes[k][row]) * map->slack[row];
      for (int column = 0; column < 3; column++) frame.t[k][column] += axes[k][row] * map->rows[row][column];
    }
  }
  frame.scale = map->scale * (1.0 - 0x1p-40) / norm;
  return frame;
}

GEOMETRY_FUNCTION distance_frame distance_frame_of_s(const frame_map *map) {
  double axes[3][3];
  for (int k = 0; k < 3; k++)
    for (int row = 0; row < 3; row++) axes[k][row] = k == row ? 1.0 : 0.0;
  return distance_frame_of_axes(map, axes, 1.0);
}

GEOMETRY_FUNCTION distance_frame distance_frame_of_t(const frame_map *map) {
  double axes[3][3];
  for (int k = 0; k < 3; k++)
    for (int row = 0; row < 3; row++) axes[k][row] = map->rotation[row][k];
  return distance_frame_of_axes(map, axes, 1.0 + 0x1p-17);
}

/* The direction is in the scene and of any length; with length 0 it is replaced by the first axis of S. The other
 * two axes are orthogonal to it and to each other, all of length 1 within a few roundings. */
GEOMETRY_FUNCTION distance_frame distance_frame_along(const frame_map *map, const posed_space *s,
                                                      const double direction[3]) {
  double axes[3][3], squared = 0.0;
  for (int row = 0; row < 3; row++) {
    axes[0][row] =
        s->rotation[row] * direction[0] + s->rotation[3 + row] * direction[1] + s->rotation[6 + row] * direction[2];
    squared += axes[0][row] * axes[0][row];
  }
  const bool has_length = squared > 0x1p-100 && squared < 0x1p100;
  const double inverse = has_length ? 1.0 / sqrt(squared) : 0.0;
  for (int row = 0; row < 3; row++) axes[0][row] = has_length ? axes[0][row] * inverse : (row == 0 ? 1.0 : 0.0);
  const double x = axes[0][0], y = axes[0][1], z = axes[0][2];
  const bool is_steep = fabs(z) > 0.75; /* too close to the vertical axis for a cross product with it */
  const double across = 1.0 / sqrt(is_steep ? y * y + z * z : x * x + y * y);
  axes[1][0] = is_steep ? 0.0 : -y * across;
  axes[1][1] = is_steep ? -z * across : x * across;
  axes[1][2] = is_steep ? y * across : 0.0;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    axes[2][i] = axes[0][j] * axes[1][k] - axes[0][k] * axes[1][j];
  }
  return distance_frame_of_axes(map, axes, 1.0);
}

/* ---------------------------------------------------------------------------------------------- nodes */

typedef struct node_reach {
  double low, high;
} node_reach;

GEOMETRY_FUNCTION node_reach node_reach_of(const double axis[3], const tree_block *block, uint32_t lane) {
  double center = 0.0, half = 0.0;
  for (int i = 0; i < 3; i++) {
    center += axis[i] * (double)block->center[i][lane];
    half += fabs(axis[i]) * (double)fmaxf(block->half[i][lane], 0.0f);
  }
  node_reach reach;
  reach.low = center - half;
  reach.high = center + half;
  return reach;
}

/* Reduces the reach by the slab of the node. With m its normal and any number a, n . x = (n - a m) . x + a m . x:
 * the box bounds the first term, and the slab the second. */
GEOMETRY_FUNCTION node_reach node_reach_cut(node_reach reach, const double axis[3], const tree_block *block,
                                            const tree_slab *slab, uint32_t lane) {
  double along = 0.0;
  for (int i = 0; i < 3; i++) along += axis[i] * (double)slab->normal[i][lane];
  double center = along * (double)slab->middle[lane], half = fabs(along) * (double)slab->half[lane];
  for (int i = 0; i < 3; i++) {
    const double rest = axis[i] - along * (double)slab->normal[i][lane];
    center += rest * (double)block->center[i][lane];
    half += fabs(rest) * (double)fmaxf(block->half[i][lane], 0.0f);
  }
  reach.low = fmax(reach.low, center - half);
  reach.high = fmin(reach.high, center + half);
  return reach;
}

/* A lower bound of the distance of node i of a block of S and node j of one of T, in the scene. Slabs may be NULL;
 * they are used along the first axis. */
GEOMETRY_FUNCTION double frame_distance(const distance_frame *frame, const tree_block *s, const tree_slab *s_slab,
                                        uint32_t i, const tree_block *t, const tree_slab *t_slab, uint32_t j) {
  double squared = 0.0;
  for (int k = 0; k < 3; k++) {
    node_reach p = node_reach_of(frame->s[k], s, i), q = node_reach_of(frame->t[k], t, j);
    if (k == 0 && s_slab != NULL) p = node_reach_cut(p, frame->s[k], s, s_slab, i);
    if (k == 0 && t_slab != NULL) q = node_reach_cut(q, frame->t[k], t, t_slab, j);
    const double above = (q.low - p.high) + frame->shift[k], below = (p.low - q.high) - frame->shift[k];
    const double gap = (above > below ? above : below) - frame->slack[k];
    if (gap > 0.0) squared += gap * gap;
  }
  return sqrt(squared) * frame->scale;
}

/* The squared distance of two centers, in the common unit; rounded. */
GEOMETRY_FUNCTION double center_distance_squared(const distance_frame *frame, const tree_block *s, uint32_t i,
                                                 const tree_block *t, uint32_t j) {
  double squared = 0.0;
  for (int k = 0; k < 3; k++) {
    double difference = frame->shift[k];
    for (int axis = 0; axis < 3; axis++)
      difference += frame->t[k][axis] * (double)t->center[axis][j] - frame->s[k][axis] * (double)s->center[axis][i];
    squared += difference * difference;
  }
  return squared;
}

#endif
