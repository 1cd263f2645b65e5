/* Oriented bounding boxes and their separating axes, conservative: if two boxes are reported as separate, the sets
 * that they bound do not intersect, despite rounding. Boxes that nearly touch may be reported either way.
 *
 * Workload: triangles of large polygons, which are long, thin and oblique, so that axis-aligned boxes around them are
 * mostly empty.
 *
 * Gottschalk, Lin, Manocha, "OBBTree: a hierarchical structure for rapid interference detection", 1996. */
#ifndef GRAZE_GEOMETRY_ORIENTED_BOX_H
#define GRAZE_GEOMETRY_ORIENTED_BOX_H

#include "geometry/vector.h"

#include <stdbool.h>
#include <stdint.h>

/* All points x of the set have axis[k] . (x - origin - offset) within half[k]. The origin is a point of the set,
 * separate from the offset, so that every error is relative to the sizes and distances of sets, not to their
 * positions. */
typedef struct oriented_box {
  vector3 origin, offset, axis[3];
  double half[3];
  double size; /* at least the distance of any point from the origin */
} oriented_box;

/* State while points are added. */
typedef struct box_fitting {
  vector3 origin, axis[3];
  double low[3], high[3];
} box_fitting;

/* ---------------------------------------------------------------------------------------------- axes */

/* The tolerance for axes to be orthonormal. */
#define BOX_AXES_ERROR 0x1p-48

/* The fraction of sizes and distance by which two boxes must be apart. Axes that are not exactly orthonormal and about
 * twenty roundings of 2^-53 each amount to less than 2^-44 of it. */
#define BOX_MARGIN 0x1p-42

GEOMETRY_FUNCTION bool axes_are_orthonormal(const vector3 axis[3]) {
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++)
      if (!(fabs(vector3_dot(axis[i], axis[j]) - (i == j ? 1.0 : 0.0)) <= BOX_AXES_ERROR)) return false;
  return true;
}

GEOMETRY_FUNCTION vector3 unit_vector(vector3 v) {
  return vector3_scale(v, 1.0 / vector3_length(v));
}

/* The part of v perpendicular to a unit vector; twice, as the second time removes the rounding error of the first. */
GEOMETRY_FUNCTION vector3 normal_part(vector3 v, vector3 unit) {
  const vector3 dedup = vector3_subtract(v, vector3_scale(unit, vector3_dot(unit, v)));
  return vector3_subtract(dedup, vector3_scale(unit, vector3_dot(unit, dedup)));
}

/* The coordinate axis closest to perpendicular to a unit vector. */
GEOMETRY_FUNCTION vector3 crossing_axis(vector3 unit) {
  const double x = fabs(unit.x), y = fabs(unit.y), z = fabs(unit.z);
  return vector3_make(x <= y && x <= z, y < x && y <= z, z < x && z < y);
}

GEOMETRY_FUNCTION vector3 farthest_from(const vector3 *points, uint32_t count, vector3 from) {
  uint32_t best = 0;
  double most = -1.0;
  for (uint32_t i = 0; i < count; i++) {
    const vector3 way = vector3_subtract(points[i], from);
    const double square = vector3_dot(way, way);
    best = square > most ? i : best;
    most = square > most ? square : most;
  }
  return points[best];
}

/* The longest of their parts perpendicular to a unit vector. */
GEOMETRY_FUNCTION vector3 widest_part(const vector3 *points, uint32_t count, vector3 from, vector3 unit) {
  vector3 best = vector3_make(0.0, 0.0, 0.0);
  double most = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    const vector3 part = normal_part(vector3_subtract(points[i], from), unit);
    const double square = vector3_dot(part, part);
    best = square > most ? part : best;
    most = square > most ? square : most;
  }
  return best;
}

/* A box without extent at the first of some sample points. Its axes follow the samples: the first the longest
 * direction, the second the widest. Any orthonormal axes are valid; if the samples determine none, the coordinate axes
 * are used. */
GEOMETRY_FUNCTION void box_fitting_begin(box_fitting *fitting, const vector3 *samples, uint32_t count) {
  const vector3 one_end = farthest_from(samples, count, samples[0]);
  const vector3 other_end = farthest_from(samples, count, one_end);
  vector3 *axis = fitting->axis;
  axis[0] = unit_vector(vector3_subtract(other_end, one_end));
  axis[1] = unit_vector(widest_part(samples, count, one_end, axis[0]));
  if (!(fabs(vector3_dot(axis[1], axis[1]) - 1.0) <= BOX_AXES_ERROR))
    axis[1] = unit_vector(normal_part(crossing_axis(axis[0]), axis[0]));
  axis[2] = vector3_cross(axis[0], axis[1]);
  if (!axes_are_orthonormal(axis)) {
    axis[0] = vector3_make(1.0, 0.0, 0.0);
    axis[1] = vector3_make(0.0, 1.0, 0.0);
    axis[2] = vector3_make(0.0, 0.0, 1.0);
  }
  fitting->origin = samples[0];
  for (int k = 0; k < 3; k++) fitting->low[k] = fitting->high[k] = 0.0;
}

GEOMETRY_FUNCTION void box_fitting_include(box_fitting *fitting, vector3 point) {
  const vector3 way = vector3_subtract(point, fitting->origin);
  for (int k = 0; k < 3; k++) {
    const double at = vector3_dot(fitting->axis[k], way);
    fitting->low[k] = at < fitting->low[k] ? at : fitting->low[k];
    fitting->high[k] = at > fitting->high[k] ? at : fitting->high[k];
  }
}

GEOMETRY_FUNCTION oriented_box box_fitting_end(const box_fitting *fitting) {
  oriented_box box;
  box.origin = fitting->origin;
  box.offset = vector3_make(0.0, 0.0, 0.0);
  box.size = 0.0;
  for (int k = 0; k < 3; k++) {
    box.axis[k] = fitting->axis[k];
    box.half[k] = 0.5 * fitting->high[k] - 0.5 * fitting->low[k];
    box.offset = vector3_add(box.offset, vector3_scale(box.axis[k], 0.5 * fitting->high[k] + 0.5 * fitting->low[k]));
    box.size += fitting->high[k] - fitting->low[k];
  }
  return box;
}

/* Extends a box to contain all points at most a distance from it. Its axes are orthonormal up to rounding. */
GEOMETRY_FUNCTION void oriented_box_grow(oriented_box *box, double distance) {
  for (int k = 0; k < 3; k++) box->half[k] += distance * (1.0 + 0x1p-40);
  box->size += 6.0 * distance;
}

/* ---------------------------------------------------------------------------------------------- separating axes */

/* Two boxes in normalized coordinates of the first. */
typedef struct box_pair {
  double along[3];     /* the vector between the centers along the axes of p */
  double cosine[3][3]; /* of the angles between the axes of p and q */
  double magnitude[3][3];
  double margin;
} box_pair;

/* Whether a product of axes, i of p and j of q, separates the two. */
GEOMETRY_FUNCTION bool edge_axis_separates(const box_pair *pair, const double *p, const double *q, int i, int j) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const double way = fabs(pair->along[i2] * pair->cosine[i1][j] - pair->along[i1] * pair->cosine[i2][j]);
  const double p_reach = p[i1] * pair->magnitude[i2][j] + p[i2] * pair->magnitude[i1][j];
  const double q_reach = q[j1] * pair->magnitude[i][j2] + q[j2] * pair->magnitude[i][j1];
  return way > p_reach + q_reach + pair->margin;
}

/* True only if no point of one set is a point of the other. Boxes are never reported as separate on overflow: the
 * margin is then infinite or NaN. */
GEOMETRY_FUNCTION bool oriented_boxes_separate(const oriented_box *p, const oriented_box *q) {
  const vector3 between = vector3_subtract(q->origin, p->origin);
  const vector3 way = vector3_add(between, vector3_subtract(q->offset, p->offset));
  box_pair pair;
  pair.margin = BOX_MARGIN * (fabs(between.x) + fabs(between.y) + fabs(between.z) + p->size + q->size) + 0x1p-1000;
  for (int i = 0; i < 3; i++) {
    pair.along[i] = vector3_dot(p->axis[i], way);
    double reach = p->half[i];
    for (int j = 0; j < 3; j++) {
      pair.cosine[i][j] = vector3_dot(p->axis[i], q->axis[j]);
      pair.magnitude[i][j] = fabs(pair.cosine[i][j]);
      reach += q->half[j] * pair.magnitude[i][j];
    }
    if (fabs(pair.along[i]) > reach + pair.margin) return true;
  }
  for (int j = 0; j < 3; j++) {
    double reach = q->half[j];
    for (int i = 0; i < 3; i++) reach += p->half[i] * pair.magnitude[i][j];
    if (fabs(vector3_dot(q->axis[j], way)) > reach + pair.margin) return true;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (edge_axis_separates(&pair, p->half, q->half, i, j)) return true;
  return false;
}

#endif
