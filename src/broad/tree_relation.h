/* The relation of two trees: the affine maps between their coordinates, in float, with bounds of the rounding errors.
 *
 * The boxes of a body are in coordinates of its own: relative to the center of its positions, in a unit that is a power
 * of two and no smaller than their extent. Exact tests read corners after the pose, rounded: p = R x + t + d, where |d|
 * is a few units in the last place. A common point of primitives of S and T is a convex combination of such corners of
 * each, so that for some x in a box of S and some y in one of T, both before their poses,
 *
 *     R_S x + t_S + d_S = R_T y + t_T + d_T,   hence   x = R_S^-1 R_T y + R_S^-1 (t_T - t_S) + R_S^-1 (d_T - d_S).
 *
 * The only assumption on R_S is that it is invertible: poses are orthonormal within 1e-6 only. The boxes of S and T can
 * have a common point only if in every coordinate
 *
 *     |to_s c_T + shift_s - c_S| <= e_S + |to_s| e_T + slack_s
 *
 * and likewise in the coordinates of T: the six-axis test of Gress and Zachmann (2004, appendix A). `slack` is a bound
 * of the last term, of the rounding of the maps, and of the float arithmetic of the test itself.
 *
 * Some queries request all pairs whose boxes along the axes of the scene meet, even if other axes would separate the
 * primitives. For them the boxes of both trees are rotated into the axes of the scene. Compiled for a GPU too. */
#ifndef GRAZE_BROAD_TREE_RELATION_H
#define GRAZE_BROAD_TREE_RELATION_H

#include "geometry/exact_box.h"
#include "geometry/pose.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* The body's own coordinates relative to the object's: x = origin + unit * own. */
typedef struct body_space {
  double origin[3];
  double half[3]; /* of the positions, around the origin, rounded up */
  double unit;    /* a power of two; own coordinates are in [-2, 2], and in [-1, 1] below 2^1023 */
} body_space;

/* The same under a pose, with the data that box tests need. */
typedef struct posed_space {
  double rotation[9], inverse[9]; /* row by row */
  double origin[3];               /* after the pose */
  double half[3];     /* of a box in the scene around it that contains all positions as exact tests read them */
  double own_half[3]; /* the same before the pose */
  double error[3];    /* bound of the distance of a position after the pose from its exact value, including the origin's
                         error */
  double unit;
  bool posed;
} posed_space;

/* From the coordinates of one tree to those of the other. */
typedef struct tree_map {
  float rows[3][3], magnitudes[3][3];
  float shift[3]; /* of the origin */
  float slack[3]; /* the slack of a test along each axis */
} tree_map;

/* For box tests of S and T, in the unit of the larger. */
typedef struct tree_relation {
  tree_map to_s, to_t;
  float rotation[3][3]; /* from the axes of S to those of T, without units; for slabs */
  float slab_slack;     /* the slack of a test across slabs */
  float unit_s, unit_t; /* factors from own coordinates to the unit of the test; one of them is 1 */
  bool aligned;         /* both maps are only translations: three axes are enough */
  bool in_scene;        /* both maps go to the axes of the scene, around the origin of S: there are only three axes */
} tree_relation;

GEOMETRY_FUNCTION double row_times(const double *row, const double v[3]) {
  return row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
}

GEOMETRY_FUNCTION double row_reach(const double *row, const double v[3]) {
  return fabs(row[0]) * v[0] + fabs(row[1]) * v[1] + fabs(row[2]) * v[2];
}

/* By cofactors; matrices that are orthonormal within 1e-6 have determinants near 1. */
GEOMETRY_FUNCTION void invert_rotation(const double r[9], double inverse_out[9]) {
  for (int i = 0; i < 3; i++) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;
    for (int j = 0; j < 3; j++) {
      const int c = (j + 1) % 3, d = (j + 2) % 3;
      inverse_out[3 * j + i] = r[3 * a + c] * r[3 * b + d] - r[3 * a + d] * r[3 * b + c];
    }
  }
  const double determinant = r[0] * inverse_out[0] + r[1] * inverse_out[3] + r[2] * inverse_out[6];
  for (int i = 0; i < 9; i++) inverse_out[i] /= determinant;
}

/* A bound of the rounding error of positions after the pose: each coordinate is a sum of four terms with seven
 * roundings, less than 8 units of 2^-53 of the sum of their magnitudes; as much again for the origin, which is posed
 * the same way. */
GEOMETRY_FUNCTION double pose_error(const rigid_pose *pose, int axis, const body_space *space) {
  double furthest[3];
  for (int i = 0; i < 3; i++) furthest[i] = fabs(space->origin[i]) + space->half[i];
  return (row_reach(pose->rotation + 3 * axis, furthest) + fabs(pose->translation[axis])) * 0x1p-48 + 0x1p-1060;
}

GEOMETRY_FUNCTION posed_space pose_space(const body_space *space, const rigid_pose *pose_or_null) {
  posed_space made;
  made.unit = space->unit;
  made.posed = pose_or_null != NULL;
  for (int i = 0; i < 9; i++) made.rotation[i] = made.inverse[i] = i % 4 == 0 ? 1.0 : 0.0;
  for (int axis = 0; axis < 3; axis++) {
    made.origin[axis] = space->origin[axis];
    made.half[axis] = made.own_half[axis] = space->half[axis];
    made.error[axis] = 0.0;
  }
  if (!made.posed) return made;
  for (int i = 0; i < 9; i++) made.rotation[i] = pose_or_null->rotation[i];
  invert_rotation(made.rotation, made.inverse);
  pose_position(pose_or_null, space->origin, made.origin);
  for (int axis = 0; axis < 3; axis++) {
    made.error[axis] = pose_error(pose_or_null, axis, space);
    made.half[axis] = row_reach(made.rotation + 3 * axis, space->half) * (1.0 + 0x1p-48) + 2.0 * made.error[axis];
  }
  return made;
}

/* Whether every coordinate is finite after the pose. */
GEOMETRY_FUNCTION bool posed_space_is_finite(const posed_space *posed) {
  bool finite = true;
  for (int axis = 0; axis < 3; axis++) finite = finite && fabs(posed->origin[axis]) + posed->half[axis] <= DBL_MAX;
  return finite;
}

/* The space of a body whose positions have an additional error of half of a clearance. It counts as posed: boxes of
 * unposed bodies are compared without an error. */
GEOMETRY_FUNCTION posed_space posed_space_grown(const posed_space *posed, double clearance) {
  const double half = half_clearance(clearance) * (1.0 + 0x1p-50);
  posed_space grown = *posed;
  grown.posed = true;
  for (int axis = 0; axis < 3; axis++) {
    grown.error[axis] += half;
    grown.half[axis] = (grown.half[axis] + half) * (1.0 + 0x1p-50);
  }
  return grown;
}

/* One direction, in the common unit; *size_out is the sum over the axes of the largest distance of a point of `from`
 * from the origin of `to`. False if a number exceeds the range of float.
 *
 * The slack. With u = 2^-24, the rotated center has an error of at most 5 u of the sum of its products' magnitudes,
 * `reach`, and 2 u of the shift; the rotated half extent 5 u of reach; the difference of centers and the sum of half
 * extents u of their operands. Together this is less than u (12 reach + 3 |shift| + 2 own), which is rounded up to
 * powers of two. The arithmetic in double has an error below 2^-44 of the same numbers. */
GEOMETRY_FUNCTION bool relate_spaces(const posed_space *to, const posed_space *from, double unit, tree_map *map_out,
                                     double *size_out) {
  double between[3], error[3];
  bool finite = true;
  *size_out = 0.0;
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
      map_out->rows[row][column] = (float)(entry * (from->unit / unit));
      map_out->magnitudes[row][column] = fabsf(map_out->rows[row][column]);
      reach += fabs(entry) * (from->own_half[column] / unit);
      shift_terms += fabs(inverse[column] * between[column]);
    }
    const double shift = row_times(inverse, between), own = to->own_half[row] / unit;
    const double slack = row_reach(inverse, error) + 0x1p-20 * (reach + 0.25 * shift_terms + 0.25 * own) + 0x1p-100;
    const bool fits = fabs(shift) < 0x1p100 && slack < 0x1p100;
    map_out->shift[row] = fits ? (float)shift : 0.0f;
    map_out->slack[row] = fits ? (float)(slack * (1.0 + 0x1p-20)) : 0.0f;
    *size_out += reach + shift_terms;
    finite = finite && fits;
  }
  return finite;
}

GEOMETRY_FUNCTION bool spaces_are_aligned(const posed_space *s, const posed_space *t) {
  bool same = s->posed == t->posed;
  for (int i = 0; i < 9; i++) same = same && s->rotation[i] == t->rotation[i];
  return same;
}

/* If float does not suffice, because the two are too far apart or too large, all pairs of nodes may meet. */
GEOMETRY_FUNCTION void relate_all(tree_relation *relation) {
  relation->slab_slack = FLT_MAX;
  for (int axis = 0; axis < 3; axis++) {
    relation->to_s.shift[axis] = relation->to_t.shift[axis] = 0.0f;
    relation->to_s.slack[axis] = relation->to_t.slack[axis] = FLT_MAX;
  }
}

/* The slack of slabs (tree_kernels.c). With x in S's axes, whose magnitudes have a sum of at most `size`: the
 * rotated normal has an error of 9 u and so its product with x one of 9 u size; the remainder of the normals for the
 * box one of 4 u, its product with the center 10 u more, and the center itself as above, twice; the rotated middle 6 u
 * of the shift and of the unit. Together this is less than u (48 size + 16 back + 64), where `back` is the size in T's
 * axes and units are at most 1.
 *
 * For the slab of T and a node of S, the normal and the middle have the same errors, and the box is not rotated: the
 * remainder of the normals has an error of 4 u, products and sums less than 11 u of the extents of S along its axes,
 * all three together, of which the slack of T alone includes 16 u, twice, and the middle 1 u. This is less than
 * before. */
GEOMETRY_FUNCTION double slab_slack_of(double size, double back, const tree_relation *relation) {
  double slack = 0x1p-24 * (48.0 * size + 16.0 * back + 64.0);
  for (int axis = 0; axis < 3; axis++)
    slack += 2.0 * ((double)relation->to_s.slack[axis] + (double)relation->to_t.slack[axis]);
  return slack;
}

GEOMETRY_FUNCTION tree_relation relate_trees(const posed_space *s, const posed_space *t) {
  tree_relation made;
  double size, back;
  const double unit = s->unit > t->unit ? s->unit : t->unit;
  made.unit_s = (float)(s->unit / unit);
  made.unit_t = (float)(t->unit / unit);
  made.aligned = spaces_are_aligned(s, t);
  made.in_scene = false;
  const bool s_fits = relate_spaces(s, t, unit, &made.to_s, &size);
  const bool t_fits = relate_spaces(t, s, unit, &made.to_t, &back);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++)
      made.rotation[row][column] =
          (float)(t->inverse[3 * row] * s->rotation[column] + t->inverse[3 * row + 1] * s->rotation[3 + column] +
                  t->inverse[3 * row + 2] * s->rotation[6 + column]);
  made.slab_slack = s_fits && t_fits ? (float)slab_slack_of(size, back, &made) : FLT_MAX;
  if (!s_fits || !t_fits) relate_all(&made);
  return made;
}

/* A tree with itself: the only rounding is that of the pose, and of float differences and sums, which are monotone. */
GEOMETRY_FUNCTION tree_relation relate_to_itself(const posed_space *s) {
  tree_relation made = relate_trees(s, s);
  made.aligned = true;
  for (int axis = 0; axis < 3 && !s->posed; axis++) made.to_s.slack[axis] = made.to_t.slack[axis] = 0.0f;
  return made;
}

GEOMETRY_FUNCTION void rotate_into_scene(const posed_space *from, double unit, tree_map *map_out) {
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++) {
      map_out->rows[row][column] = (float)(from->rotation[3 * row + column] * (from->unit / unit));
      map_out->magnitudes[row][column] = fabsf(map_out->rows[row][column]);
    }
    map_out->shift[row] = map_out->slack[row] = 0.0f;
  }
}

/* For queries of boxes in the scene. Both are rotated, each as in relate_spaces: together less than u (12 reach of
 * each + 3 |shift|). */
GEOMETRY_FUNCTION tree_relation relate_in_scene(const posed_space *s, const posed_space *t) {
  tree_relation made = relate_trees(s, t);
  const double unit = s->unit > t->unit ? s->unit : t->unit;
  bool finite = true;
  if (!s->posed && !t->posed) return made;
  made.aligned = false;
  made.in_scene = true;
  rotate_into_scene(s, unit, &made.to_t);
  rotate_into_scene(t, unit, &made.to_s);
  for (int axis = 0; axis < 3; axis++) {
    const double shift = (t->origin[axis] - s->origin[axis]) / unit, reach = (s->half[axis] + t->half[axis]) / unit;
    const double slack = (s->error[axis] + t->error[axis]) / unit + 0x1p-20 * (reach + 0.25 * fabs(shift)) + 0x1p-100;
    const bool fits = fabs(shift) < 0x1p100 && slack < 0x1p100;
    made.to_s.shift[axis] = fits ? (float)shift : 0.0f;
    made.to_s.slack[axis] = fits ? (float)(slack * (1.0 + 0x1p-20)) : 0.0f;
    finite = finite && fits;
  }
  if (!finite) relate_all(&made);
  return made;
}

/* An end of the box around a body in the scene, rounded outward by the rounding error of its sum. */
GEOMETRY_FUNCTION double end_of_posed(const posed_space *posed, int axis, bool upper) {
  const double half = posed->half[axis] * (1.0 + 0x1p-50), error = fabs(posed->origin[axis]) * 0x1p-50 + 0x1p-1070;
  const double end = upper ? posed->origin[axis] + half + error : posed->origin[axis] - half - error;
  if (end == end) return end;
  return upper ? HUGE_VAL : -HUGE_VAL; /* its position or its size exceeds double */
}

GEOMETRY_FUNCTION exact_box box_of_posed(const posed_space *posed) {
  exact_box box;
  for (int axis = 0; axis < 3; axis++) {
    box.min[axis] = end_of_posed(posed, axis, false);
    box.max[axis] = end_of_posed(posed, axis, true);
  }
  return box;
}

/* Whether boxes around two bodies in the scene come within a distance along every axis; halves of the least numbers are
 * rounded. */
GEOMETRY_FUNCTION bool posed_spaces_within(const posed_space *s, const posed_space *t, double distance) {
  bool within = true;
  for (int axis = 0; axis < 3; axis++) {
    const double apart = fabs(t->origin[axis] * 0.5 - s->origin[axis] * 0.5);
    const double half = s->half[axis] * 0.5 + t->half[axis] * 0.5 + distance * 0.5;
    within = within && !(apart > half * (1.0 + 0x1p-50) + apart * 0x1p-50 + 0x1p-1070);
  }
  return within;
}

GEOMETRY_FUNCTION bool posed_spaces_meet(const posed_space *s, const posed_space *t) {
  return posed_spaces_within(s, t, 0.0);
}

#endif
