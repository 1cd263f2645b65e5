/* How two triangles meet, and where: the corners of their common part, each named by the faces of both that contain it.
 *
 * A face of a triangle is a corner, an edge without its ends, or the interior. Every point of a triangle is in exactly
 * one face. The name of a point is its face in p and its face in q. Triangles that share an edge give a point on that
 * edge the same name, so parts of neighbors are joined by names and not by coordinates.
 *
 * The common part of two triangles is a point, a segment, or, for coplanar ones, a polygon of three to six corners.
 * Each of its corners is in two faces that meet only in that point: a corner and any face, two edges, or an edge and an
 * interior. So it is enough to test these combinations. All decisions use exact signs. Only common_point computes
 * coordinates; they depend only on the positions of the two faces, so every caller gets the same bits.
 *
 * Workload: one call for each reported pair with a requested class or curve, about 100 ns each. */
#ifndef GRAZE_GEOMETRY_TRIANGLE_CLASH_H
#define GRAZE_GEOMETRY_TRIANGLE_CLASH_H

#include "geometry/pair_scale.h"
#include "geometry/triangle_pair.h"

/* Faces of a triangle: corner i is i, the edge from corner i to the next is FACE_EDGE + i. */
enum { FACE_EDGE = 3, FACE_INSIDE = 6, FACE_NONE = 7 };

/* How two triangles meet.
 *   apart    they do not
 *   touch    some plane has one on its one closed side and the other on the other, and they share no area
 *   cross    no plane does
 *   overlap  they lie in one plane and share an area */
typedef enum triangle_meeting { TRIANGLES_APART, TRIANGLES_TOUCH, TRIANGLES_CROSS, TRIANGLES_OVERLAP } triangle_meeting;

enum { COMMON_CORNERS = 6 };

/* The corners of the common part. */
typedef struct common_part {
  triangle_meeting meeting;
  uint32_t count;  /* 0 if both are degenerate, or one is and is in the plane of the other */
  bool is_planar;  /* both lie in one plane */
  bool is_aliased; /* one triangle is degenerate: all names are of one point, which is on several of its edges */
  uint8_t p_face[COMMON_CORNERS], q_face[COMMON_CORNERS]; /* for a polygon, in order around it */
} common_part;

GEOMETRY_FUNCTION void common_part_add(common_part *part, int p_face, int q_face) {
  for (uint32_t i = 0; i < part->count; i++) {
    if (part->p_face[i] == p_face && part->q_face[i] == q_face) return;
  }
  if (part->count == COMMON_CORNERS) return; /* never: a convex part has no more corners */
  part->p_face[part->count] = (uint8_t)p_face;
  part->q_face[part->count] = (uint8_t)q_face;
  part->count += 1;
}

/* The face, from the sides of the three edges; `inside` is the inner side. FACE_NONE: outside. */
GEOMETRY_FUNCTION int face_of_sides(const int side[3], int inside) {
  /* By the edges that contain the point, as bits: edges i and i + 1 meet in corner i + 1. */
  const uint8_t face_on[8] = {FACE_INSIDE, FACE_EDGE, FACE_EDGE + 1, 1, FACE_EDGE + 2, 0, 2, FACE_NONE};
  uint32_t edges = 0;
  for (int i = 0; i < 3; i++) {
    if (side[i] * inside < 0) return FACE_NONE;
    edges |= (uint32_t)(side[i] == 0) << i;
  }
  return face_on[edges];
}

/* The face of a proper triangle that contains a point of its plane. */
GEOMETRY_FUNCTION int face_of_point(const double q[9], const double *point, orientation_tally *tally) {
  int area, side[3];
  const int axis = projection_choose(q, q + 3, q + 6, &area, tally);
  for (int i = 0; i < 3; i++) side[i] = orientation_projected(axis, q + 3 * i, q + 3 * ((i + 1) % 3), point, tally);
  return face_of_sides(side, area);
}

/* The face that the line through a and b passes; a and b are on different sides of the triangle's plane. */
GEOMETRY_FUNCTION int face_on_line(const double q[9], const double *a, const double *b, orientation_tally *tally) {
  int side[3], inside = 0;
  for (int i = 0; i < 3; i++) {
    side[i] = orientation_3d(a, b, q + 3 * i, q + 3 * ((i + 1) % 3), tally);
    if (inside == 0) inside = side[i];
  }
  return face_of_sides(side, inside);
}

/* Adds corners and edges of one triangle against the other, which is proper: `sides` are those of the first's
 * corners. */
GEOMETRY_FUNCTION void add_faces(const double p[9], const side_triple *sides, const double q[9], bool p_is_second,
                                 common_part *part, orientation_tally *tally) {
  for (int i = 0; i < 3; i++) {
    const int next = (i + 1) % 3;
    for (int edge = 0; edge < 2; edge++) {
      if (edge ? sides->side[i] * sides->side[next] >= 0 : sides->side[i] != 0) continue;
      const int face = edge ? face_on_line(q, p + 3 * i, p + 3 * next, tally) : face_of_point(q, p + 3 * i, tally);
      if (face == FACE_NONE) continue;
      const int own = edge ? FACE_EDGE + i : i;
      common_part_add(part, p_is_second ? face : own, p_is_second ? own : face);
    }
  }
}

GEOMETRY_FUNCTION bool side_triple_straddles(const side_triple *sides) {
  bool above = false, below = false;
  for (int i = 0; i < 3; i++) {
    above = above || sides->side[i] > 0;
    below = below || sides->side[i] < 0;
  }
  return above && below;
}

/* ---------------------------------------------------------------------------------------------- one plane */

/* Sides of the corners of each triangle relative to the edges of the other, in a projection that keeps both proper. */
typedef struct planar_sides {
  int p_area, q_area;
  int of_q[3][3]; /* edge of p, corner of q */
  int of_p[3][3]; /* edge of q, corner of p */
} planar_sides;

/* False if one is degenerate. */
GEOMETRY_FUNCTION bool planar_sides_make(const double p[9], const double q[9], planar_sides *sides_out,
                                         orientation_tally *tally) {
  const int axis = projection_choose(p, p + 3, p + 6, &sides_out->p_area, tally);
  if (axis == 3) return false;
  sides_out->q_area = orientation_projected(axis, q, q + 3, q + 6, tally);
  if (sides_out->q_area == 0) return false;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      sides_out->of_q[i][j] = orientation_projected(axis, p + 3 * i, p + 3 * ((i + 1) % 3), q + 3 * j, tally);
      sides_out->of_p[i][j] = orientation_projected(axis, q + 3 * i, q + 3 * ((i + 1) % 3), p + 3 * j, tally);
    }
  }
  return true;
}

/* Whether the interiors meet: no edge has all of the other triangle on its closed outer side. */
GEOMETRY_FUNCTION bool planar_insides_meet(const planar_sides *sides) {
  for (int i = 0; i < 3; i++) {
    bool q_is_inward = false, p_is_inward = false;
    for (int j = 0; j < 3; j++) {
      q_is_inward = q_is_inward || sides->of_q[i][j] * sides->p_area > 0;
      p_is_inward = p_is_inward || sides->of_p[i][j] * sides->q_area > 0;
    }
    if (!q_is_inward || !p_is_inward) return false;
  }
  return true;
}

/* The edges that contain a face, as bits. */
GEOMETRY_FUNCTION uint32_t edges_of_face(int face) {
  if (face < FACE_EDGE) return 1u << face | 1u << (face + 2) % 3;
  return face < FACE_INSIDE ? 1u << (face - FACE_EDGE) : 0u;
}

GEOMETRY_FUNCTION uint32_t edges_of_common_corner(const common_part *part, uint32_t i) {
  return edges_of_face(part->p_face[i]) | edges_of_face(part->q_face[i]) << 3;
}

/* Orders corners around the polygon: two are neighbors exactly if they are on one edge of p or q. */
GEOMETRY_FUNCTION void common_part_order(common_part *part) {
  for (uint32_t i = 1; i < part->count; i++) {
    for (uint32_t j = i; j < part->count; j++) {
      if ((edges_of_common_corner(part, j) & edges_of_common_corner(part, i - 1)) == 0) continue;
      const uint8_t p_face = part->p_face[j], q_face = part->q_face[j];
      part->p_face[j] = part->p_face[i];
      part->q_face[j] = part->q_face[i];
      part->p_face[i] = p_face;
      part->q_face[i] = q_face;
      break;
    }
  }
}

GEOMETRY_SLOW_FUNCTION void planar_common_part(const planar_sides *sides, common_part *part) {
  for (int i = 0; i < 3; i++) {
    const int of_p[3] = {sides->of_p[0][i], sides->of_p[1][i], sides->of_p[2][i]};
    const int of_q[3] = {sides->of_q[0][i], sides->of_q[1][i], sides->of_q[2][i]};
    const int q_face = face_of_sides(of_p, sides->q_area), p_face = face_of_sides(of_q, sides->p_area);
    if (q_face != FACE_NONE) common_part_add(part, i, q_face);
    if (p_face != FACE_NONE) common_part_add(part, p_face, i);
    for (int j = 0; j < 3; j++) {
      if (sides->of_q[i][j] * sides->of_q[i][(j + 1) % 3] < 0 && sides->of_p[j][i] * sides->of_p[j][(i + 1) % 3] < 0)
        common_part_add(part, FACE_EDGE + i, FACE_EDGE + j);
    }
  }
  if (part->meeting == TRIANGLES_OVERLAP) common_part_order(part);
}

/* ---------------------------------------------------------------------------------------------- both */

/* Two proper triangles in different planes: they cross if both extend to both sides of the other's plane and the
 * intervals on the common line, see lone_corners_align, share more than a point. */
GEOMETRY_FUNCTION triangle_meeting meeting_of_proper(const double p[9], const side_triple *p_sides, const double q[9],
                                                     const side_triple *q_sides, orientation_tally *tally) {
  lone_corners a = lone_corners_make(p, p_sides), b = lone_corners_make(q, q_sides);
  lone_corners_align(&a, &b);
  const int k_minus_i = orientation_3d(a.corner[0], a.corner[1], b.corner[0], b.corner[1], tally);
  if (k_minus_i > 0) return TRIANGLES_APART;
  const int l_minus_j = orientation_3d(a.corner[0], a.corner[2], b.corner[0], b.corner[2], tally);
  if (l_minus_j < 0) return TRIANGLES_APART;
  const bool straddle = side_triple_straddles(p_sides) && side_triple_straddles(q_sides);
  return straddle && k_minus_i < 0 && l_minus_j > 0 ? TRIANGLES_CROSS : TRIANGLES_TOUCH;
}

/* One is degenerate and not in the plane of the other: it crosses if its interior passes through the other's. */
GEOMETRY_SLOW_FUNCTION triangle_meeting meeting_of_needle(const double p[9], const side_triple *sides,
                                                          const double q[9], orientation_tally *tally) {
  triangle_meeting meeting = TRIANGLES_APART;
  for (int i = 0; i < 3; i++) {
    const int next = (i + 1) % 3;
    if (sides->side[i] == 0 && face_of_point(q, p + 3 * i, tally) != FACE_NONE) meeting = TRIANGLES_TOUCH;
    if (sides->side[i] * sides->side[next] >= 0) continue;
    const int face = face_on_line(q, p + 3 * i, p + 3 * next, tally);
    if (face == FACE_INSIDE) return TRIANGLES_CROSS;
    if (face != FACE_NONE) meeting = TRIANGLES_TOUCH;
  }
  return meeting;
}

/* How two triangles meet, without names. */
GEOMETRY_FUNCTION triangle_meeting triangle_pair_meeting(const double p[9], const double q[9],
                                                         orientation_tally *tally) {
  const side_triple q_sides = side_triple_make(p, q, tally);
  if (side_triple_is_apart(&q_sides)) return TRIANGLES_APART;
  const side_triple p_sides = side_triple_make(q, p, tally);
  if (side_triple_is_apart(&p_sides)) return TRIANGLES_APART;
  const bool q_flat = side_triple_is_flat(&q_sides), p_flat = side_triple_is_flat(&p_sides);
  if (!q_flat && !p_flat) return meeting_of_proper(p, &p_sides, q, &q_sides, tally);
  if (!p_flat) return meeting_of_needle(p, &p_sides, q, tally);
  if (!q_flat) return meeting_of_needle(q, &q_sides, p, tally);
  planar_sides sides;
  if (planar_sides_make(p, q, &sides, tally) && planar_insides_meet(&sides)) return TRIANGLES_OVERLAP;
  return flat_triangles_meet(p, q, tally) ? TRIANGLES_TOUCH : TRIANGLES_APART;
}

/* The common part of two triangles; false if they do not meet. A triple of sides is all zero if the plane is that of a
 * degenerate triangle or contains the other one. */
GEOMETRY_FUNCTION bool triangle_pair_common_part(const double p[9], const double q[9], common_part *part_out,
                                                 orientation_tally *tally) {
  part_out->count = 0;
  part_out->is_planar = part_out->is_aliased = false;
  part_out->meeting = TRIANGLES_TOUCH;
  const side_triple q_sides = side_triple_make(p, q, tally);
  if (side_triple_is_apart(&q_sides)) return false;
  const side_triple p_sides = side_triple_make(q, p, tally);
  if (side_triple_is_apart(&p_sides)) return false;
  const bool q_flat = side_triple_is_flat(&q_sides), p_flat = side_triple_is_flat(&p_sides);
  planar_sides sides;
  if (q_flat && p_flat) {
    part_out->is_planar = true;
    if (!planar_sides_make(p, q, &sides, tally)) return flat_triangles_meet(p, q, tally);
    if (planar_insides_meet(&sides)) part_out->meeting = TRIANGLES_OVERLAP;
    planar_common_part(&sides, part_out);
    return part_out->count > 0;
  }
  part_out->is_aliased = q_flat || p_flat;
  if (!p_flat) add_faces(p, &p_sides, q, false, part_out, tally);
  if (!q_flat) add_faces(q, &q_sides, p, true, part_out, tally);
  if (part_out->count == 0) return false;
  if (part_out->is_aliased)
    part_out->meeting = p_flat ? meeting_of_needle(q, &q_sides, p, tally) : meeting_of_needle(p, &p_sides, q, tally);
  else if (part_out->count > 1 && side_triple_straddles(&p_sides) && side_triple_straddles(&q_sides))
    part_out->meeting = TRIANGLES_CROSS;
  return true;
}

/* ---------------------------------------------------------------------------------------------- coordinates */

/* A face by its corners: one, two of an edge, or three of a triangle. */
typedef struct face_corners {
  uint32_t count;
  double corner[9];
} face_corners;

/* Sorts corners by their positions: results depend on nothing else. */
GEOMETRY_FUNCTION void face_corners_sort(face_corners *face) {
  for (uint32_t i = 1; i < face->count; i++) {
    for (uint32_t j = i; j > 0 && points_compare(face->corner + 3 * j, face->corner + 3 * (j - 1)) < 0; j--) {
      for (int axis = 0; axis < 3; axis++) {
        const double higher = face->corner[3 * (j - 1) + (uint32_t)axis];
        face->corner[3 * (j - 1) + (uint32_t)axis] = face->corner[3 * j + (uint32_t)axis];
        face->corner[3 * j + (uint32_t)axis] = higher;
      }
    }
  }
}

/* Three corners: missing ones repeat the last. */
GEOMETRY_FUNCTION void face_corners_fill(const face_corners *face, double triangle_out[9]) {
  for (uint32_t i = 0; i < 3; i++) {
    const uint32_t corner = i < face->count ? i : face->count - 1;
    for (uint32_t axis = 0; axis < 3; axis++) triangle_out[3 * i + axis] = face->corner[3 * corner + axis];
  }
}

/* The point that an edge shares with an edge or an interior: on the edge, at the fraction given by heights. Each height
 * is accurate to 2^-44. */
GEOMETRY_FUNCTION void point_on_edge(const face_corners *edge, const face_corners *other, double point_out[3]) {
  orientation_tally tally = {0};
  double p[9], q[9];
  face_corners_fill(edge, p);
  face_corners_fill(other, q);
  const scaled_pair scaled = scaled_pair_make(p, q);
  const double *r = scaled.q;
  double from, to;
  if (other->count == 3) {
    from = orientation_3d_value(r, r + 3, r + 6, scaled.p);
    to = orientation_3d_value(r, r + 3, r + 6, scaled.p + 3);
  } else {
    const simplex a = simplex_from_segment(p, p + 3), b = simplex_from_segment(q, q + 3);
    const int axis = segments_projection(&a, &b, &tally);
    from = orientation_projected_value(axis % 3, r, r + 3, scaled.p);
    to = orientation_projected_value(axis % 3, r, r + 3, scaled.p + 3);
  }
  const vector3 point =
      vector3_between(vector3_load(scaled.p), vector3_load(scaled.p + 3), crossing_fraction(from, to));
  vector3_store(vector3_scale(point, scaled.inverse), point_out);
}

/* Whether edge a comes before edge b, both sorted. */
GEOMETRY_FUNCTION bool edge_precedes(const face_corners *a, const face_corners *b) {
  const int order = points_compare(a->corner, b->corner);
  return order != 0 ? order < 0 : points_compare(a->corner + 3, b->corner + 3) < 0;
}

/* The common point of two faces that share exactly one. It depends neither on which face is the first nor on the order
 * of corners. A corner is returned unchanged, except that negative zero becomes zero. Sorts both faces. */
GEOMETRY_FUNCTION void common_point(face_corners *p, face_corners *q, double point_out[3]) {
  face_corners_sort(p);
  face_corners_sort(q);
  const bool second = q->count < p->count || (q->count == p->count && p->count == 2 && edge_precedes(q, p));
  const face_corners *small = second ? q : p, *large = second ? p : q;
  if (small->count == 1) {
    for (int axis = 0; axis < 3; axis++) point_out[axis] = small->corner[axis];
  } else {
    point_on_edge(small, large, point_out);
  }
  for (int axis = 0; axis < 3; axis++) point_out[axis] += 0.0;
}

#endif
