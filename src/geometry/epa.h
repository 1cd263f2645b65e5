/* Depth and normal of two intersecting convex cells: the expanding polytope algorithm, EPA.
 *
 * The translations t for which p and q + t meet form the Minkowski difference; the shortest translation out of it is
 * along the normal of its face nearest to the origin. A polytope inside the Minkowski difference is expanded: the face
 * nearest to the origin is replaced by the farthest point along its normal, until that point is no farther than the
 * face.
 *
 * Result. For any unit vector n, moving q along n by the extent of the Minkowski difference along n separates the
 * cells; the depth is the least extent over all tested normals. So the move always separates them, and only its
 * minimality is approximate: the depth exceeds the least one by at most EPA_TOLERANCE of the size of the pair (the
 * extent of the normalized cube of convex_coordinates.h). The polytope has at most EPA_FACES faces. If that is not
 * enough (round cells of hundreds of corners), the depth is still that of a move that separates them, but only an upper
 * bound of the least one; the lower bound is the height of the nearest face so far, which is not returned.
 *
 * Rounding. The polytope is the hull of the points found, decided by exact signs on their rounded coordinates. A face
 * whose plane contains the new point is replaced as well, so no face without area ever appears; of thin faces only
 * their computed normal is used, which may be any direction. The polytope need not contain the origin at first: faces
 * with the origin outside are processed first. If the difference set is flat, the depth is zero up to rounding, along
 * its normal.
 *
 * Workload: one call for each contact; 10 to 60 points, each linear in the corners and in the faces.
 *
 * van den Bergen, "Proximity queries and penetration depth computation on 3D game objects", 2001. */
#ifndef GRAZE_GEOMETRY_EPA_H
#define GRAZE_GEOMETRY_EPA_H

#include "geometry/gjk.h"

#define EPA_TOLERANCE 1e-12

/* A triangulated polytope of n corners has 2 n - 4 faces. */
enum { EPA_FACES = 128, EPA_CORNERS = 66 };

typedef struct epa_face {
  double height; /* of its plane over the origin; negative if the origin is outside */
  uint8_t corner[3];
  bool is_final; /* no point of the difference set is beyond it */
} epa_face;

typedef struct epa_polytope {
  uint32_t corner_count, face_count;
  vector3 corner[EPA_CORNERS];
  epa_face face[EPA_FACES];
  vector3 normal; /* the best so far */
  double depth;   /* the extent along it */
} epa_polytope;

GEOMETRY_FUNCTION int vector_orientation(vector3 a, vector3 b, vector3 c, vector3 d) {
  double coordinates[4][3];
  orientation_tally tally = {0};
  vector3_store(a, coordinates[0]);
  vector3_store(b, coordinates[1]);
  vector3_store(c, coordinates[2]);
  vector3_store(d, coordinates[3]);
  return orientation_3d(coordinates[0], coordinates[1], coordinates[2], coordinates[3], &tally);
}

GEOMETRY_FUNCTION bool vectors_collinear(vector3 a, vector3 b, vector3 c) {
  double coordinates[3][3];
  orientation_tally tally = {0};
  vector3_store(a, coordinates[0]);
  vector3_store(b, coordinates[1]);
  vector3_store(c, coordinates[2]);
  return points_collinear(coordinates[0], coordinates[1], coordinates[2], &tally);
}

/* Keeps a direction if it separates the cells by a shorter move than any before; returns the farthest point along it. A
 * vector without length, such as the rounded normal of a face thinner than rounding, is skipped. */
GEOMETRY_FUNCTION vector3 epa_try_direction(epa_polytope *polytope, const convex_coordinates *coordinates,
                                            vector3 unit) {
  if (!(vector3_largest_magnitude(unit) > 0.0)) return polytope->corner[0];
  const vector3 farthest = difference_support(coordinates, unit).point;
  const double reach = vector3_dot(unit, farthest);
  if (reach < polytope->depth) {
    polytope->depth = reach;
    polytope->normal = unit;
  }
  return farthest;
}

/* The outward unit normal of a face, from its two shorter edges: their angle is the widest. */
GEOMETRY_FUNCTION vector3 epa_face_normal(const epa_polytope *polytope, const epa_face *face, vector3 *apex_out) {
  vector3 corner[3];
  int apex = 0;
  double longest = -1.0;
  for (int i = 0; i < 3; i++) corner[i] = polytope->corner[face->corner[i]];
  for (int i = 0; i < 3; i++) {
    const vector3 opposite = vector3_subtract(corner[(i + 2) % 3], corner[(i + 1) % 3]);
    const double squared = vector3_dot(opposite, opposite);
    if (squared > longest) {
      longest = squared;
      apex = i;
    }
  }
  *apex_out = corner[apex];
  return vector3_unit(vector3_cross(vector3_subtract(corner[(apex + 1) % 3], corner[apex]),
                                    vector3_subtract(corner[(apex + 2) % 3], corner[apex])));
}

GEOMETRY_FUNCTION void epa_add_face(epa_polytope *polytope, uint8_t a, uint8_t b, uint8_t c) {
  epa_face *face = &polytope->face[polytope->face_count++];
  vector3 apex;
  face->corner[0] = a;
  face->corner[1] = b;
  face->corner[2] = c;
  face->is_final = false;
  const vector3 normal = epa_face_normal(polytope, face, &apex);
  face->height = vector3_dot(normal, apex);
}

/* Some unit vector perpendicular to another. */
GEOMETRY_FUNCTION vector3 unit_perpendicular(vector3 unit) {
  const double x = fabs(unit.x), y = fabs(unit.y), z = fabs(unit.z);
  const vector3 axis = x <= y && x <= z ? vector3_make(1.0, 0.0, 0.0)
                                        : (y <= z ? vector3_make(0.0, 1.0, 0.0) : vector3_make(0.0, 0.0, 1.0));
  return vector3_unit(vector3_cross(unit, axis));
}

/* Whether a point extends the current corners to a larger simplex. */
GEOMETRY_FUNCTION bool epa_point_is_independent(const epa_polytope *polytope, vector3 point) {
  const vector3 *corner = polytope->corner;
  const vector3 way = vector3_subtract(point, corner[0]);
  if (polytope->corner_count == 1) return vector3_largest_magnitude(way) > 0.0;
  if (polytope->corner_count == 2) return !vectors_collinear(corner[0], corner[1], point);
  return vector_orientation(corner[0], corner[1], corner[2], point) != 0;
}

/* Directions that leave the current simplex, if it is a point, a segment or a triangle. */
GEOMETRY_FUNCTION void epa_leaving_directions(const epa_polytope *polytope, vector3 directions_out[3]) {
  const vector3 *corner = polytope->corner;
  const vector3 along = vector3_unit(vector3_subtract(corner[1], corner[0]));
  if (polytope->corner_count == 1) {
    directions_out[0] = vector3_make(0.0, 0.0, 1.0);
    directions_out[1] = vector3_make(0.0, 1.0, 0.0);
    directions_out[2] = vector3_make(1.0, 0.0, 0.0);
  } else if (polytope->corner_count == 2) {
    directions_out[0] = unit_perpendicular(along);
    directions_out[1] = vector3_unit(vector3_cross(along, directions_out[0]));
    directions_out[2] = directions_out[0];
  } else {
    epa_face face = {0.0, {0, 1, 2}, false};
    vector3 apex;
    directions_out[0] = directions_out[1] = directions_out[2] = epa_face_normal(polytope, &face, &apex);
  }
}

/* Adds a corner to the first simplex; false if the difference set has no other, up to rounding. */
GEOMETRY_FUNCTION bool epa_extend(epa_polytope *polytope, const convex_coordinates *coordinates) {
  vector3 direction[3];
  epa_leaving_directions(polytope, direction);
  for (int i = 0; i < 6; i++) {
    const vector3 unit = i % 2 == 0 ? direction[i / 2] : vector3_scale(direction[i / 2], -1.0);
    const vector3 point = epa_try_direction(polytope, coordinates, unit);
    if (!epa_point_is_independent(polytope, point)) continue;
    polytope->corner[polytope->corner_count++] = point;
    return true;
  }
  return false;
}

/* The first tetrahedron, from the final simplex of GJK; false if the difference set is flat. Then the directions tried
 * last are perpendicular to it, and the best of all directions is a valid result. */
GEOMETRY_FUNCTION bool epa_start(epa_polytope *polytope, const convex_coordinates *coordinates,
                                 const origin_simplex *first) {
  polytope->corner_count = 1;
  polytope->face_count = 0;
  polytope->depth = HUGE_VAL;
  polytope->normal = vector3_make(0.0, 0.0, 1.0);
  polytope->corner[0] = polytope->corner[1] = first->corner[0].point;
  for (uint32_t i = 1; i < first->count; i++) {
    if (epa_point_is_independent(polytope, first->corner[i].point))
      polytope->corner[polytope->corner_count++] = first->corner[i].point;
  }
  while (polytope->corner_count < 4) {
    if (!epa_extend(polytope, coordinates)) return false;
  }
  const vector3 *corner = polytope->corner;
  const bool is_turned = vector_orientation(corner[0], corner[1], corner[2], corner[3]) > 0;
  const uint8_t b = is_turned ? 2 : 1, c = is_turned ? 1 : 2;
  epa_add_face(polytope, 0, b, c);
  epa_add_face(polytope, 0, c, 3);
  epa_add_face(polytope, c, b, 3);
  epa_add_face(polytope, b, 0, 3);
  return true;
}

/* Edges of the faces to be replaced, with directions. An edge between two of them cancels, so there are never more than
 * the polytope has. */
typedef struct epa_horizon {
  uint32_t count;
  uint8_t from[EPA_FACES / 2 * 3], to[EPA_FACES / 2 * 3];
} epa_horizon;

GEOMETRY_FUNCTION void epa_horizon_add(epa_horizon *horizon, uint8_t from, uint8_t to) {
  for (uint32_t i = 0; i < horizon->count; i++) {
    if (horizon->from[i] != to || horizon->to[i] != from) continue;
    horizon->count -= 1;
    horizon->from[i] = horizon->from[horizon->count];
    horizon->to[i] = horizon->to[horizon->count];
    return;
  }
  horizon->from[horizon->count] = from;
  horizon->to[horizon->count++] = to;
}

GEOMETRY_FUNCTION bool epa_face_sees(const epa_polytope *polytope, const epa_face *face, vector3 point) {
  return vector_orientation(polytope->corner[face->corner[0]], polytope->corner[face->corner[1]],
                            polytope->corner[face->corner[2]], point) >= 0;
}

/* Expands the polytope to the hull with one point outside; false if it would have too many faces. */
GEOMETRY_FUNCTION bool epa_expand(epa_polytope *polytope, vector3 point) {
  epa_horizon horizon;
  horizon.count = 0;
  if (polytope->corner_count == EPA_CORNERS) return false;
  for (uint32_t i = 0; i < polytope->face_count;) {
    const epa_face face = polytope->face[i];
    if (!epa_face_sees(polytope, &face, point)) {
      i += 1;
      continue;
    }
    for (int j = 0; j < 3; j++) epa_horizon_add(&horizon, face.corner[j], face.corner[(j + 1) % 3]);
    polytope->face[i] = polytope->face[--polytope->face_count];
  }
  if (polytope->face_count + horizon.count > EPA_FACES) return false;
  const uint8_t added = (uint8_t)polytope->corner_count;
  polytope->corner[polytope->corner_count++] = point;
  for (uint32_t i = 0; i < horizon.count; i++) epa_add_face(polytope, horizon.from[i], horizon.to[i], added);
  return true;
}

/* The face nearest to the origin that may still be replaced; NULL if all are final. */
GEOMETRY_FUNCTION epa_face *epa_nearest_face(epa_polytope *polytope) {
  epa_face *nearest = NULL;
  for (uint32_t i = 0; i < polytope->face_count; i++) {
    epa_face *face = &polytope->face[i];
    if (!face->is_final && (nearest == NULL || face->height < nearest->height)) nearest = face;
  }
  return nearest;
}

GEOMETRY_FUNCTION void epa_grow(epa_polytope *polytope, const convex_coordinates *coordinates) {
  for (;;) {
    epa_face *face = epa_nearest_face(polytope);
    if (face == NULL || face->height >= polytope->depth - EPA_TOLERANCE) return;
    vector3 apex;
    const vector3 normal = epa_face_normal(polytope, face, &apex);
    const vector3 point = epa_try_direction(polytope, coordinates, normal);
    const vector3 *corner = polytope->corner;
    const bool is_beyond =
        vector_orientation(corner[face->corner[0]], corner[face->corner[1]], corner[face->corner[2]], point) > 0;
    if (!is_beyond || vector3_dot(normal, point) - face->height <= 0.5 * EPA_TOLERANCE)
      face->is_final = true;
    else if (!epa_expand(polytope, point))
      return;
  }
}

/* The depth in units of the normalized cube, at most EPA_TOLERANCE above the least one, and its unit normal. */
GEOMETRY_SLOW_FUNCTION double epa_find(const convex_coordinates *coordinates, vector3 *normal_out) {
  origin_simplex first;
  uint32_t step_count;
  epa_polytope polytope;
  gjk_iterate(coordinates, GJK_MEASURE, 0.0, &first, &step_count);
  if (epa_start(&polytope, coordinates, &first)) epa_grow(&polytope, coordinates);
  *normal_out = polytope.normal;
  return polytope.depth > 0.0 ? polytope.depth : 0.0;
}

/* For cells that meet: q moved along the unit normal by the depth touches p; moved farther it is apart. Depths within
 * rounding of zero are returned as zero or next to it. Counts are at least one, coordinates finite. */
GEOMETRY_FUNCTION void epa_penetration(const double *p, uint32_t p_count, const double *q, uint32_t q_count,
                                       double normal_out[3], double *depth_out) {
  const convex_coordinates coordinates = convex_coordinates_make(p, p_count, q, q_count);
  vector3 normal;
  *depth_out = convex_coordinates_length(&coordinates, epa_find(&coordinates, &normal));
  vector3_store(normal, normal_out);
}

#endif
