/* The common part of two tetrahedra: its volume and centroid.
 *
 * The smaller one is cut by the four half-spaces of the larger. What is left of a tetrahedron behind a plane is a
 * tetrahedron or a prism, and a prism is three tetrahedra; so pieces stay tetrahedra, at most 3^4 of them, and a stack
 * of nine holds those that wait. Every piece has a volume of its own sign by construction: nothing cancels, and
 * coinciding faces, where a sum over clipped faces would count one twice or not at all, are nothing special.
 *
 * Error bound: |error of the volume| <= 2^-41 * L * l^2, where l is the largest extent of the smaller one along an axis
 * and L that of the pair, seen from the smaller one's first corner. Why, in units of 2^-53 * L * l^2: (1) a corner in
 * local coordinates is off by 2^-53 of its distance from the origin, and moving corners by e changes the common volume
 * by at most e times a surface not larger than that of the smaller one, 5.2 l^2: 18 for both; (2) a height over a
 * cutting plane is off by at most 14 * 2^-53 * L times the normal's length, so the cut may lie anywhere in a slab of
 * twice that thickness, of which at most an area of 2 l^2 lies in the smaller one: 56 for each of four planes; (3) a
 * new corner lies off its edge by 6 * 2^-53 * l, as in (1): 32 for each plane; (4) the volume of a piece is rounded by
 * 8 * 2^-53 of the product of three edges, 5.2 l^3 at most, over 6: 7 for each of at most 81 pieces. That is below
 * 2^10. In (2), the normal of a thin face of height h is turned about its length by up to 2^-53 * L / h, but the
 * tetrahedron is only h wide along it, so what is cut wrongly there is 2^-53 * L * h * L at most; and the result is
 * limited by the volume of either tetrahedron. The tests, against rational numbers, hold the error below 2^-50.
 *
 * The volume is never larger than that of either tetrahedron. The centroid lies in the smaller tetrahedron and within
 * the same slabs of the larger; its error is the volume's error times L over the volume, so it means little where the
 * volume is next to nothing.
 *
 * Workload: one call for each reported pair whose penetration volume is wanted, about a microsecond each. */
#ifndef GRAZE_GEOMETRY_TETRAHEDRON_OVERLAP_H
#define GRAZE_GEOMETRY_TETRAHEDRON_OVERLAP_H

#include "geometry/tetrahedron_planes.h"

/* One piece in three gives two more to wait, for each of four planes. */
enum { OVERLAP_PIECES = 1 + 2 * TETRAHEDRON_CORNERS };

/* A part of the smaller tetrahedron, cut by the planes before `next`. */
typedef struct tetrahedron_piece {
  vector3 corner[TETRAHEDRON_CORNERS];
  int next;
} tetrahedron_piece;

typedef struct overlap_sum {
  double volume;  /* six times */
  vector3 moment; /* twenty-four times */
} overlap_sum;

GEOMETRY_FUNCTION void overlap_sum_add(overlap_sum *sum, const tetrahedron_piece *piece) {
  const double volume = fabs(corners_determinant(piece->corner));
  vector3 corners = piece->corner[0];
  for (int i = 1; i < TETRAHEDRON_CORNERS; ++i) corners = vector3_add(corners, piece->corner[i]);
  sum->volume += volume;
  sum->moment = vector3_add(sum->moment, vector3_scale(corners, volume));
}

/* The prism between the triangles a and b, as three tetrahedra. */
GEOMETRY_FUNCTION int prism_pieces(const vector3 a[3], const vector3 b[3], int next, tetrahedron_piece *triangles_out) {
  for (int i = 0; i < 3; ++i) {
    triangles_out[i].corner[0] = a[0];
    triangles_out[i].corner[1] = i < 2 ? a[1] : b[0];
    triangles_out[i].corner[2] = i < 1 ? a[2] : b[1];
    triangles_out[i].corner[3] = b[2];
    triangles_out[i].next = next;
  }
  return 3;
}

/* Where the edge between two corners at heights of different signs passes the plane. */
GEOMETRY_FUNCTION vector3 piece_crossing(const tetrahedron_piece *piece, const double *heights, int inside,
                                         int outside) {
  const double fraction = crossing_fraction(heights[inside], heights[outside]);
  return vector3_between(piece->corner[inside], piece->corner[outside], fraction);
}

/* What is left of a piece inside a plane: 0, 1 or 3 pieces. */
GEOMETRY_FUNCTION int piece_cut(const tetrahedron_piece *piece, const cutting_plane *plane,
                                tetrahedron_piece *triangles_out) {
  double heights[TETRAHEDRON_CORNERS];
  int order[TETRAHEDRON_CORNERS], inside = 0, outside = 0;
  for (int i = 0; i < TETRAHEDRON_CORNERS; ++i) {
    heights[i] = cutting_plane_height(plane, piece->corner[i]);
    if (heights[i] >= 0.0)
      order[inside++] = i;
    else
      order[TETRAHEDRON_CORNERS - ++outside] = i;
  }
  if (inside == 0) return 0;
  const int next = piece->next + 1;
  if (inside == 4) {
    triangles_out[0] = *piece;
    triangles_out[0].next = next;
    return 1;
  }
  vector3 a[3], b[3];
  if (inside == 1) {
    triangles_out[0].corner[0] = piece->corner[order[0]];
    for (int i = 1; i < 4; ++i) triangles_out[0].corner[i] = piece_crossing(piece, heights, order[0], order[i]);
    triangles_out[0].next = next;
    return 1;
  }
  if (inside == 3) {
    for (int i = 0; i < 3; ++i) {
      a[i] = piece->corner[order[i]];
      b[i] = piece_crossing(piece, heights, order[i], order[3]);
    }
    return prism_pieces(a, b, next, triangles_out);
  }
  a[0] = piece->corner[order[0]];
  b[0] = piece->corner[order[1]];
  for (int i = 1; i < 3; ++i) {
    a[i] = piece_crossing(piece, heights, order[0], order[1 + i]);
    b[i] = piece_crossing(piece, heights, order[1], order[1 + i]);
  }
  return prism_pieces(a, b, next, triangles_out);
}

/* The planes that cut the tetrahedron, to the front; their number, or -1 if it lies outside of one. */
GEOMETRY_FUNCTION int cutting_planes_select(const vector3 corners[TETRAHEDRON_CORNERS],
                                            cutting_plane planes[TETRAHEDRON_CORNERS]) {
  int count = 0;
  for (int i = 0; i < TETRAHEDRON_CORNERS; ++i) {
    int inside = 0;
    for (int j = 0; j < TETRAHEDRON_CORNERS; ++j) inside += cutting_plane_height(&planes[i], corners[j]) >= 0.0;
    if (inside == 0) return -1;
    if (inside < TETRAHEDRON_CORNERS) planes[count++] = planes[i];
  }
  return count;
}

GEOMETRY_FUNCTION overlap_sum tetrahedron_cut(const vector3 corners[TETRAHEDRON_CORNERS],
                                              cutting_plane planes[TETRAHEDRON_CORNERS]) {
  overlap_sum sum = {0.0, {0.0, 0.0, 0.0}};
  const int plane_count = cutting_planes_select(corners, planes);
  if (plane_count < 0) return sum;
  tetrahedron_piece waiting[OVERLAP_PIECES];
  int count = 1;
  for (int i = 0; i < TETRAHEDRON_CORNERS; ++i) waiting[0].corner[i] = corners[i];
  waiting[0].next = 0;
  while (count > 0) {
    const tetrahedron_piece piece = waiting[--count];
    if (piece.next == plane_count)
      overlap_sum_add(&sum, &piece);
    else
      count += piece_cut(&piece, &planes[piece.next], waiting + count);
  }
  return sum;
}

GEOMETRY_FUNCTION double tetrahedron_extent(const double p[12]) {
  double extent = 0.0;
  for (int i = 3; i < 12; ++i) extent = fabs(p[i] - p[i % 3]) > extent ? fabs(p[i] - p[i % 3]) : extent;
  return extent;
}

/* Two tetrahedra in local coordinates, the one of the smaller extent to be cut by the other. */
typedef struct overlap_frame {
  local_coordinates coordinates;
  double smaller[12], larger[12]; /* given */
  double smaller_local[12], larger_local[12];
} overlap_frame;

GEOMETRY_FUNCTION void overlap_frame_make(const double p[12], const double q[12], overlap_frame *frame_out) {
  const bool p_is_smaller = tetrahedron_extent(p) <= tetrahedron_extent(q);
  for (int i = 0; i < 12; ++i) {
    frame_out->smaller[i] = p_is_smaller ? p[i] : q[i];
    frame_out->larger[i] = p_is_smaller ? q[i] : p[i];
  }
  frame_out->coordinates = local_coordinates_make(frame_out->smaller, 4, frame_out->larger, 4);
  for (int i = 0; i < 12; i += 3) {
    vector3_store(local_coordinates_in(&frame_out->coordinates, frame_out->smaller + i), frame_out->smaller_local + i);
    vector3_store(local_coordinates_in(&frame_out->coordinates, frame_out->larger + i), frame_out->larger_local + i);
  }
}

/* The sign of a volume that is proper as it was given and in local coordinates, else 0; exact. */
GEOMETRY_FUNCTION int proper_volume_sign(const double given[12], const double local[12]) {
  orientation_tally tally = {0};
  return tetrahedron_volume_sign(given, &tally) != 0 ? tetrahedron_volume_sign(local, &tally) : 0;
}

/* The same by the filter alone; SIGN_UNDECIDED where it cannot tell. */
GEOMETRY_FUNCTION int proper_volume_sign_filtered(const double given[12], const double local[12]) {
  const int sign = orientation_3d_filtered(given, given + 3, given + 6, given + 9);
  if (sign == SIGN_UNDECIDED) return SIGN_UNDECIDED;
  return orientation_3d_filtered(local, local + 3, local + 6, local + 9);
}

/* For volumes of these signs; false, and no centroid, where there is no common volume as far as doubles can tell. */
GEOMETRY_FUNCTION bool overlap_frame_volume(const overlap_frame *frame, int smaller_sign, int larger_sign,
                                            double *volume_out, double centroid_out[3]) {
  vector3 corners[TETRAHEDRON_CORNERS], larger_corners[TETRAHEDRON_CORNERS];
  cutting_plane planes[TETRAHEDRON_CORNERS];
  for (int i = 0; i < TETRAHEDRON_CORNERS; ++i) {
    corners[i] = vector3_load(frame->smaller_local + 3 * i);
    larger_corners[i] = vector3_load(frame->larger_local + 3 * i);
  }
  overlap_sum sum = {0.0, {0.0, 0.0, 0.0}};
  if (smaller_sign != 0 && larger_sign != 0) {
    tetrahedron_planes_make(frame->larger_local, larger_sign, planes);
    sum = tetrahedron_cut(corners, planes);
  }
  const double most = fmin(fabs(corners_determinant(corners)), fabs(corners_determinant(larger_corners)));
  const double side = local_coordinates_length(&frame->coordinates, 1.0);
  *volume_out = fmin(sum.volume, most) / 6.0 * side * side * side;
  if (*volume_out > 0.0) {
    local_coordinates_out(&frame->coordinates, vector3_scale(sum.moment, 0.25 / sum.volume), centroid_out);
    return true;
  }
  *volume_out = 0.0;
  return false;
}

/* Volume and centroid of the common part of two tetrahedra. Returns false when the volume is zero as far as doubles can
 * tell: the two do not meet, or touch, or one is flat (exactly). Then the volume is 0 and the centroid is not written.
 * The order of corners and of the two changes the result within the bound above. Finite coordinates; a volume beyond
 * the range of doubles is infinite or zero. */
GEOMETRY_FUNCTION bool tetrahedron_pair_volume(const double p[12], const double q[12], double *volume_out,
                                               double centroid_out[3]) {
  overlap_frame frame;
  overlap_frame_make(p, q, &frame);
  const int smaller_sign = proper_volume_sign(frame.smaller, frame.smaller_local);
  const int larger_sign = proper_volume_sign(frame.larger, frame.larger_local);
  return overlap_frame_volume(&frame, smaller_sign, larger_sign, volume_out, centroid_out);
}

/* The same where the filter can tell the signs of both volumes; 1, 0, or SIGN_UNDECIDED, and then nothing is written.
 */
GEOMETRY_FUNCTION int tetrahedron_pair_volume_filtered(const double p[12], const double q[12], double *volume_out,
                                                       double centroid_out[3]) {
  overlap_frame frame;
  overlap_frame_make(p, q, &frame);
  const int smaller_sign = proper_volume_sign_filtered(frame.smaller, frame.smaller_local);
  const int larger_sign = proper_volume_sign_filtered(frame.larger, frame.larger_local);
  if (smaller_sign == SIGN_UNDECIDED || larger_sign == SIGN_UNDECIDED) return SIGN_UNDECIDED;
  return overlap_frame_volume(&frame, smaller_sign, larger_sign, volume_out, centroid_out) ? 1 : 0;
}

/* The same, and where there is no volume the centroid is some point of the common part when there is one, which is
 * decided exactly, and the origin when there is none. */
GEOMETRY_FUNCTION bool tetrahedron_pair_overlap(const double p[12], const double q[12], double *volume_out,
                                                double centroid_out[3]) {
  if (tetrahedron_pair_volume(p, q, volume_out, centroid_out)) return true;
  for (int axis = 0; axis < 3; ++axis) centroid_out[axis] = 0.0;
  (void)tetrahedron_pair_contact(p, q, centroid_out);
  return false;
}

#endif
