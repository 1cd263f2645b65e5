/* The gradient of the volume that two solids share, as one of them moves: the integral of the outward normal of the
 * moving one over the part of its boundary inside the other; and the moment of that integral. For the processor and for
 * GPUs.
 *
 * The inner faces of a body of many solids count twice, with opposite normals, so the sum over all pairs of two bodies
 * is the gradient of the volume that the bodies share. This requires that both solids of an inner face find the same
 * part of it inside a third solid, and that the solids on both sides of a plane divide a face without a gap or an
 * overlap. Therefore heights over a plane depend only on the corners of the plane, in ascending order, and all other
 * values are interpolated from these heights. A face in the plane of another counts half: the result is the mean of the
 * derivatives on both sides, and flush faces of equal bodies cancel.
 *
 * Rounding moves the plane that cuts a face by some 2^-53 of the extents of the pair, and the area by as much.
 *
 * Workload: one call for each pair of solids with a requested force, some hundred nanoseconds each. */
#ifndef GRAZE_GEOMETRY_VOLUME_GRADIENT_H
#define GRAZE_GEOMETRY_VOLUME_GRADIENT_H

#include "geometry/binary_scale.h"
#include "geometry/orientation.h"
#include "geometry/vector.h"

/* A tetrahedron whose corners are in ascending order of their coordinates. Face k is opposite to corner k. */
typedef struct ordered_tetrahedron {
  vector3 corner[4];
  vector3 normal[4]; /* of face k, inward, of any length */
  int sign;          /* of its volume in that order; 0: it is flat, or nearly */
} ordered_tetrahedron;

GEOMETRY_FUNCTION bool comes_before(vector3 a, vector3 b) {
  if (a.x != b.x) return a.x < b.x;
  return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* Coordinates are divided by 2^unit, about the extent of the pair. */
GEOMETRY_FUNCTION void order_corners(const double *given, int count, int unit, vector3 *corners_out) {
  for (int i = 0; i < count; ++i) {
    vector3 corner;
    corner.x = times_power_of_two(given[3 * i], -unit);
    corner.y = times_power_of_two(given[3 * i + 1], -unit);
    corner.z = times_power_of_two(given[3 * i + 2], -unit);
    int place = i;
    for (; place > 0 && comes_before(corner, corners_out[place - 1]); --place)
      corners_out[place] = corners_out[place - 1];
    corners_out[place] = corner;
  }
}

GEOMETRY_FUNCTION vector3 face_normal(vector3 a, vector3 b, vector3 c) {
  return vector3_cross(vector3_subtract(b, a), vector3_subtract(c, a));
}

/* The corner of face k with this number, in order. */
GEOMETRY_FUNCTION vector3 corner_of_face(const vector3 corner[4], int k, int number) {
  return corner[number + (number >= k)];
}

GEOMETRY_FUNCTION ordered_tetrahedron ordered_tetrahedron_make(const double given[12], int unit) {
  ordered_tetrahedron made;
  double ordered[12];
  order_corners(given, 4, unit, made.corner);
  for (int i = 0; i < 4; ++i) vector3_store(made.corner[i], ordered + 3 * i);
  made.sign = orientation_3d_filtered(ordered, ordered + 3, ordered + 6, ordered + 9);
  for (int k = 0; k < 4; ++k)
    made.normal[k] = face_normal(corner_of_face(made.corner, k, 0), corner_of_face(made.corner, k, 1),
                                 corner_of_face(made.corner, k, 2));
  const double volume = vector3_dot(made.normal[3], vector3_subtract(made.corner[3], made.corner[0]));
  if (made.sign != 0) made.sign = made.sign == SIGN_UNDECIDED ? 0 : volume > 0.0 ? 1 : -1;
  for (int k = 0; k < 4; ++k) made.normal[k] = vector3_scale(made.normal[k], (k & 1) != 0 ? made.sign : -made.sign);
  return made;
}

/* The height of a point over face k, above 0 on the inner side; of any scale. */
GEOMETRY_FUNCTION double height_over_face(const ordered_tetrahedron *solid, int k, vector3 point) {
  return vector3_dot(solid->normal[k], vector3_subtract(point, solid->corner[k == 0]));
}

/* A convex polygon in a triangle, by its coordinates along two edges. A half-plane adds one corner. */
typedef struct face_part {
  double u[7], v[7];
  int count;
} face_part;

/* Keeps the part with heights that are not negative, given the heights of the corners of the triangle. */
GEOMETRY_FUNCTION void face_part_cut(face_part *part, const double height[3]) {
  face_part kept;
  kept.count = 0;
  const double along_u = height[1] - height[0], along_v = height[2] - height[0];
  double u = part->u[part->count - 1], v = part->v[part->count - 1], before = height[0] + u * along_u + v * along_v;
  for (int i = 0; i < part->count; ++i) {
    const double here = height[0] + part->u[i] * along_u + part->v[i] * along_v;
    if ((before > 0.0 && here < 0.0) || (before < 0.0 && here > 0.0)) {
      const double fraction = before / (before - here);
      kept.u[kept.count] = u + fraction * (part->u[i] - u);
      kept.v[kept.count++] = v + fraction * (part->v[i] - v);
    }
    u = part->u[i];
    v = part->v[i];
    before = here;
    if (here < 0.0 || kept.count == 7) continue;
    kept.u[kept.count] = u;
    kept.v[kept.count++] = v;
  }
  *part = kept;
}

/* The fraction of the area of a face inside four half-spaces, given the heights of its corners over each; and the
 * middle of that part. */
GEOMETRY_FUNCTION double face_fraction(const double height[4][3], double *u_out, double *v_out) {
  face_part part;
  double weight = 1.0, area = 0.0, u = 0.0, v = 0.0;
  part.count = 3;
  part.u[0] = part.v[0] = part.v[1] = part.u[2] = 0.0;
  part.u[1] = part.v[2] = 1.0;
  for (int k = 0; k < 4 && part.count > 2; ++k) {
    const double *h = height[k];
    const bool none_below = h[0] >= 0.0 && h[1] >= 0.0 && h[2] >= 0.0;
    const bool none_above = h[0] <= 0.0 && h[1] <= 0.0 && h[2] <= 0.0;
    if (none_above && !none_below) return 0.0;
    if (none_above) weight = 0.5;
    if (!none_below) face_part_cut(&part, h);
  }
  for (int i = 2; i < part.count; ++i) {
    const double more =
        (part.u[i - 1] - part.u[0]) * (part.v[i] - part.v[0]) - (part.u[i] - part.u[0]) * (part.v[i - 1] - part.v[0]);
    area += more;
    u += more * (part.u[0] + part.u[i - 1] + part.u[i]);
    v += more * (part.v[0] + part.v[i - 1] + part.v[i]);
  }
  if (!(area > 0.0)) return 0.0;
  *u_out = u / (3.0 * area);
  *v_out = v / (3.0 * area);
  return weight * area;
}

/* Minus the gradient of a volume, the direction in which the moving solid leaves it: an area vector; and its moment
 * about the origin. In units of 2^(2 unit) and 2^(3 unit). */
typedef struct volume_push {
  vector3 push, moment, origin;
} volume_push;

/* Adds a face of the moving solid, its corners in order, and their heights over the faces of the other; `normal` points
 * inward, twice as long as the area. */
GEOMETRY_FUNCTION void push_face(volume_push *sum, const double height[4][3], const vector3 face[3], vector3 normal) {
  double u = 0.0, v = 0.0;
  const double fraction = face_fraction(height, &u, &v);
  if (fraction == 0.0) return;
  const vector3 along_u = vector3_subtract(face[1], face[0]), along_v = vector3_subtract(face[2], face[0]);
  const vector3 push = vector3_scale(normal, 0.5 * fraction);
  const vector3 middle = vector3_add(vector3_subtract(face[0], sum->origin),
                                     vector3_add(vector3_scale(along_u, u), vector3_scale(along_v, v)));
  sum->push = vector3_add(sum->push, push);
  sum->moment = vector3_add(sum->moment, vector3_cross(middle, push));
}

/* Adds a triangle of the moving solid, its corners in order. */
GEOMETRY_FUNCTION void push_triangle(volume_push *sum, const ordered_tetrahedron *still, const vector3 face[3],
                                     vector3 normal) {
  double height[4][3];
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 3; ++i) height[k][i] = height_over_face(still, k, face[i]);
  if (still->sign != 0) push_face(sum, (const double(*)[3])height, face, normal);
}

/* Adds the four faces of a moving tetrahedron. */
GEOMETRY_FUNCTION void push_tetrahedron(volume_push *sum, const ordered_tetrahedron *still,
                                        const ordered_tetrahedron *moving) {
  double all[4][4], height[4][3];
  if (still->sign == 0 || moving->sign == 0) return;
  bool is_cut = false;
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 4; ++i) {
      all[k][i] = height_over_face(still, k, moving->corner[i]);
      if (!(all[k][i] > 0.0)) is_cut = true;
    }
  if (!is_cut) return; /* it is inside: its faces cancel */
  for (int face = 0; face < 4; ++face) {
    vector3 corner[3];
    for (int i = 0; i < 3; ++i) {
      const int place = i + (i >= face);
      corner[i] = moving->corner[place];
      for (int k = 0; k < 4; ++k) height[k][i] = all[k][place];
    }
    push_face(sum, (const double(*)[3])height, corner, moving->normal[face]);
  }
}

GEOMETRY_FUNCTION volume_push volume_push_make(vector3 origin) {
  volume_push sum;
  sum.push = sum.moment = vector3_make(0.0, 0.0, 0.0);
  sum.origin = origin;
  return sum;
}

#endif
