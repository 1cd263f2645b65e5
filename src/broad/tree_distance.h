/* How far apart two nodes of two trees are at least: a bound that holds for all posed primitives below them.
 *
 * The six axes of tree_relation.h, in double. With x in a box of S and y in one of T, both in the axes of S, each
 * coordinate of x - y is at least the gap of the two boxes along that axis, less the slack; so |x - y| is at least the
 * length of these gaps. Posed, it is |R_S (x - y)|: rotations are orthonormal within 1e-6, so that a length shrinks by
 * less than 2^-18 of itself. The same holds in the axes of T, and the larger of the two bounds is taken.
 *
 * Surfaces that lie askew have thick boxes. So a bound along one direction is taken as well, that of the nearest points
 * found so far, by the slabs of nodes too: it costs a projection of each node, not of each pair.
 *
 * In float, two small bodies that are far apart would have a slack as large as themselves. In double they have not.
 *
 * Workload: 10^2 to 10^4 pairs of blocks for two bodies. */
#ifndef GRAZE_BROAD_TREE_DISTANCE_H
#define GRAZE_BROAD_TREE_DISTANCE_H

#include "broad/tree_layout.h"
#include "broad/tree_relation.h"
#include "broad/tree_slab.h"

/* From the coordinates of one tree to those of the other, in the unit of the larger. */
typedef struct distance_map {
  double rows[3][3], magnitudes[3][3];
  double shift[3], slack[3];
  double own_unit; /* own coordinates times this are in the common unit */
  double scale;    /* a length in the common unit times this is at most that in the scene */
} distance_map;

typedef struct tree_distance {
  distance_map to_s, to_t;
  bool aligned; /* both maps are but shifts: the axes of S are enough */
  bool known;   /* false: sizes or places are beyond what squares of doubles hold, and nothing is known */
} tree_distance;

/* The bounds of sixteen pairs of nodes: 4 i + j is node i of the block of S and j of that of T. */
enum { DISTANCE_PAIRS = TREE_FANOUT * TREE_FANOUT };

/* The slack. The doubles of the map are off by less than 2^-44 of the magnitudes they are made of (relate_spaces). The
 * arithmetic of a gap passes less than 16 roundings of them; as much again is free. */
static inline bool distance_map_make(const posed_space *to, const posed_space *from, double unit,
                                     distance_map *map_out) {
  double between[3], error[3];
  bool fits = true;
  for (int axis = 0; axis < 3; axis++) {
    between[axis] = (from->origin[axis] - to->origin[axis]) / unit;
    error[axis] = (to->error[axis] + from->error[axis]) / unit;
  }
  for (int row = 0; row < 3; row++) {
    const double *inverse = to->inverse + 3 * row;
    double reach = 0.0, shift_terms = 0.0;
    for (int column = 0; column < 3; column++) {
      const double entry = inverse[0] * from->rotation[column] + inverse[1] * from->rotation[3 + column] +
                           inverse[2] * from->rotation[6 + column];
      map_out->rows[row][column] = entry * (from->unit / unit);
      map_out->magnitudes[row][column] = fabs(map_out->rows[row][column]);
      reach += fabs(entry) * (from->own_half[column] / unit);
      shift_terms += fabs(inverse[column] * between[column]);
    }
    const double own = to->own_half[row] / unit;
    map_out->shift[row] = row_times(inverse, between);
    map_out->slack[row] = row_reach(inverse, error) + 0x1p-43 * (reach + shift_terms + own) + 0x1p-1000;
    fits = fits && shift_terms < 0x1p400 && map_out->slack[row] < 0x1p400;
  }
  map_out->own_unit = to->unit / unit;
  map_out->scale = unit * (to->posed ? 1.0 - 0x1p-18 : 1.0 - 0x1p-48);
  return fits;
}

static inline tree_distance tree_distance_make(const posed_space *s, const posed_space *t) {
  tree_distance made;
  const double unit = s->unit > t->unit ? s->unit : t->unit;
  const bool s_fits = distance_map_make(s, t, unit, &made.to_s), t_fits = distance_map_make(t, s, unit, &made.to_t);
  made.aligned = spaces_are_aligned(s, t);
  made.known = s_fits && t_fits;
  return made;
}

/* A lane without a node has half extents of minus infinity. */
static inline bool lane_has_node(const tree_block *block, uint32_t lane) {
  return block->half[0][lane] >= 0.0f;
}

/* Squares of distances in the axes of `own`; `step` is how far the next own node's bounds are from the last one's, and
 * `next` the next lane's. What lanes without nodes give has no meaning. */
static inline void block_gaps(const distance_map *map, const tree_block *own, const tree_block *other, uint32_t step,
                              uint32_t next, double squares_out[DISTANCE_PAIRS]) {
  double center[3][TREE_FANOUT], half[3][TREE_FANOUT];
  for (int axis = 0; axis < 3; axis++)
    for (int lane = 0; lane < TREE_FANOUT; lane++) {
      const double *row = map->rows[axis], *magnitude = map->magnitudes[axis];
      center[axis][lane] = row[0] * (double)other->center[0][lane] + row[1] * (double)other->center[1][lane] +
                           row[2] * (double)other->center[2][lane] + map->shift[axis];
      half[axis][lane] = magnitude[0] * (double)fmaxf(other->half[0][lane], 0.0f) +
                         magnitude[1] * (double)fmaxf(other->half[1][lane], 0.0f) +
                         magnitude[2] * (double)fmaxf(other->half[2][lane], 0.0f) + map->slack[axis];
    }
  for (uint32_t i = 0; i < TREE_FANOUT; i++) {
    double sum[TREE_FANOUT] = {0.0};
    for (int axis = 0; axis < 3; axis++) {
      const double at = (double)own->center[axis][i] * map->own_unit;
      const double reach = (double)fmaxf(own->half[axis][i], 0.0f) * map->own_unit;
      for (int lane = 0; lane < TREE_FANOUT; lane++) {
        const double gap = fabs(center[axis][lane] - at) - (half[axis][lane] + reach);
        const double apart = gap > 0.0 ? gap : 0.0;
        sum[lane] += apart * apart;
      }
    }
    for (uint32_t lane = 0; lane < TREE_FANOUT; lane++) squares_out[i * step + lane * next] = sum[lane];
  }
}

static inline double distance_of_square(const distance_map *map, double square) {
  return sqrt(square) * map->scale * (1.0 - 0x1p-48);
}

/* ---------------------------------------------------------------------------------------------- along a direction */

/* A direction from S to T, of length 1 at most, in the coordinates of both trees. */
typedef struct distance_axis {
  double s[3], t[3];
  double shift; /* of the origin of T, less the slack */
} distance_axis;

static inline distance_axis distance_axis_make(const tree_distance *relation, const posed_space *s,
                                               const double direction[3]) {
  const distance_map *map = &relation->to_s;
  double own[3], squared = 0.0;
  distance_axis axis = {.shift = 0.0};
  for (int row = 0; row < 3; row++) {
    own[row] =
        s->rotation[row] * direction[0] + s->rotation[3 + row] * direction[1] + s->rotation[6 + row] * direction[2];
    squared += own[row] * own[row];
  }
  const double inverse = squared > 0x1p-100 && squared < 0x1p100 ? (1.0 - 0x1p-48) / sqrt(squared) : 0.0;
  for (int row = 0; row < 3; row++) {
    const double along = own[row] * inverse;
    axis.s[row] = along * map->own_unit;
    axis.shift += along * map->shift[row] - fabs(along) * map->slack[row];
    for (int column = 0; column < 3; column++) axis.t[column] += along * map->rows[row][column];
  }
  return axis;
}

/* How far nodes reach along an axis: by their boxes, and by their slabs where there are any. With m the normal of a
 * slab and any number a, n . x = (n - a m) . x + a m . x: the box bounds the first term, and the slab the second. */
static inline void axis_reach(const double axis[3], const tree_block *block, const tree_slab *slab_or_null,
                              double low_out[TREE_FANOUT], double high_out[TREE_FANOUT]) {
  for (int lane = 0; lane < TREE_FANOUT; lane++) {
    double center = 0.0, half = 0.0;
    for (int i = 0; i < 3; i++) {
      center += axis[i] * (double)block->center[i][lane];
      half += fabs(axis[i]) * (double)fmaxf(block->half[i][lane], 0.0f);
    }
    low_out[lane] = center - half;
    high_out[lane] = center + half;
  }
  for (int lane = 0; slab_or_null != NULL && lane < TREE_FANOUT; lane++) {
    double along = 0.0;
    for (int i = 0; i < 3; i++) along += axis[i] * (double)slab_or_null->normal[i][lane];
    double center = along * (double)slab_or_null->middle[lane], half = fabs(along) * (double)slab_or_null->half[lane];
    for (int i = 0; i < 3; i++) {
      const double rest = axis[i] - along * (double)slab_or_null->normal[i][lane];
      center += rest * (double)block->center[i][lane];
      half += fabs(rest) * (double)fmaxf(block->half[i][lane], 0.0f);
    }
    low_out[lane] = fmax(low_out[lane], center - half);
    high_out[lane] = fmin(high_out[lane], center + half);
  }
}

/* Lower bounds of the distances of all nodes of two blocks along the axis. */
static inline void tree_block_distances_along(const tree_distance *relation, const distance_axis *axis,
                                              const tree_block *s, const tree_slab *s_slab, const tree_block *t,
                                              const tree_slab *t_slab, double bounds_out[DISTANCE_PAIRS]) {
  double s_low[TREE_FANOUT], s_high[TREE_FANOUT], t_low[TREE_FANOUT], t_high[TREE_FANOUT];
  axis_reach(axis->s, s, s_slab, s_low, s_high);
  axis_reach(axis->t, t, t_slab, t_low, t_high);
  for (int i = 0; i < TREE_FANOUT; i++)
    for (int j = 0; j < TREE_FANOUT; j++) {
      const double gap = (t_low[j] - s_high[i]) + axis->shift;
      bounds_out[TREE_FANOUT * i + j] = relation->known && gap > 0.0 ? gap * relation->to_s.scale : 0.0;
    }
}

/* ---------------------------------------------------------------------------------------------- along six axes */

/* Raises lower bounds of the distances of nodes of two blocks, of pairs whose bit is set. */
static inline void tree_block_distances(const tree_distance *relation, const tree_block *s, const tree_block *t,
                                        uint32_t bits, double bounds[DISTANCE_PAIRS]) {
  double squares[2][DISTANCE_PAIRS];
  if (!relation->known) return;
  block_gaps(&relation->to_s, s, t, TREE_FANOUT, 1, squares[0]);
  if (!relation->aligned) block_gaps(&relation->to_t, t, s, 1, TREE_FANOUT, squares[1]);
  for (; bits != 0; bits &= bits - 1) {
    const int pair = __builtin_ctz(bits);
    bounds[pair] = fmax(bounds[pair], distance_of_square(&relation->to_s, squares[0][pair]));
    if (!relation->aligned) bounds[pair] = fmax(bounds[pair], distance_of_square(&relation->to_t, squares[1][pair]));
  }
}

#endif
