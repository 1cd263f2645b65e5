/* Checks whether a cell given by its faces is convex, and locates the first defect.
 *
 * The exact tests treat a cell as the hull of its corners, so a non-convex cell would be treated as its hull. Files
 * contain rounded coordinates, so the corners of a face with four or more are only nearly coplanar. The check therefore
 * allows CONVEX_SHAPE_TOLERANCE of the size of the cell (the longest side of its box), and is computed in double.
 *
 * A cell passes if it is closed (each edge is used by two faces, in any direction), and if every face has all corners
 * of the cell on one side of its plane, or within the tolerance of it. The plane of a face has Newell's normal (the sum
 * of the cross products around it) and contains the mean of its corners. Cells without volume pass.
 *
 * Workload: once for each cell of a file; quadratic in its corners, of which there are 4 to 64.
 *
 * Sutherland, Sproull, Schumacker, "A characterization of ten hidden-surface algorithms", 1974 (Newell's normal). */
#ifndef GRAZE_GEOMETRY_CONVEX_SHAPE_H
#define GRAZE_GEOMETRY_CONVEX_SHAPE_H

#include "geometry/convex_coordinates.h"

#include <stddef.h>

#define CONVEX_SHAPE_TOLERANCE 1e-6

/* A cell of faces: face i has the corners corner_list[face_starts[i]] to corner_list[face_starts[i + 1] - 1], which are
 * numbers of points, in order around the face. */
typedef struct convex_shape {
  const double *points;
  const uint32_t *corner_list;
  const uint32_t *face_starts;
  uint32_t face_count;
} convex_shape;

typedef enum convex_defect_kind {
  CONVEX_SHAPE_SOUND,
  CONVEX_SHAPE_FEW_FACES,      /* fewer than four */
  CONVEX_SHAPE_FEW_CORNERS,    /* a face of fewer than three corners */
  CONVEX_SHAPE_OPEN_EDGE,      /* the edge from `corner` to the next around `face` is not used exactly twice */
  CONVEX_SHAPE_NO_AREA,        /* a face without area */
  CONVEX_SHAPE_CORNER_OUTSIDE, /* `corner` is on the outer side of the plane of `face` while another is on the inner
                                  side */
  CONVEX_DEFECT_KIND_COUNT
} convex_defect_kind;

typedef struct convex_defect {
  convex_defect_kind kind;
  uint32_t face;   /* number of the face in the cell */
  uint32_t corner; /* number of a point */
} convex_defect;

GEOMETRY_FUNCTION convex_defect convex_defect_make(convex_defect_kind kind, uint32_t face, uint32_t corner) {
  convex_defect defect;
  defect.kind = kind;
  defect.face = face;
  defect.corner = corner;
  return defect;
}

/* The cell moved and scaled to a box whose longest side is in [1, 2). */
typedef struct shape_coordinates {
  double factor, origin[3], zoom;
  double size; /* that side */
} shape_coordinates;

GEOMETRY_FUNCTION vector3 shape_coordinates_point(const shape_coordinates *coordinates, const double *point) {
  return vector3_make((point[0] * coordinates->factor - coordinates->origin[0]) * coordinates->zoom,
                      (point[1] * coordinates->factor - coordinates->origin[1]) * coordinates->zoom,
                      (point[2] * coordinates->factor - coordinates->origin[2]) * coordinates->zoom);
}

GEOMETRY_FUNCTION shape_coordinates shape_coordinates_make(const convex_shape *shape) {
  const uint32_t end = shape->face_starts[shape->face_count];
  shape_coordinates coordinates;
  double largest = 0.0, low[3], high[3];
  for (uint32_t i = 0; i < end; i++) {
    const double magnitude = largest_magnitude(shape->points + 3 * (size_t)shape->corner_list[i], 3);
    largest = magnitude > largest ? magnitude : largest;
  }
  coordinates.factor = power_of_two(exponent_to_one(largest));
  coordinates.size = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = HUGE_VAL;
    high[axis] = -HUGE_VAL;
    for (uint32_t i = 0; i < end; i++) {
      const double value = shape->points[3 * (size_t)shape->corner_list[i] + (size_t)axis] * coordinates.factor;
      low[axis] = value < low[axis] ? value : low[axis];
      high[axis] = value > high[axis] ? value : high[axis];
    }
    coordinates.origin[axis] = low[axis];
    coordinates.size = high[axis] - low[axis] > coordinates.size ? high[axis] - low[axis] : coordinates.size;
  }
  coordinates.zoom = power_of_two(exponent_to_one(coordinates.size));
  coordinates.size *= coordinates.zoom;
  return coordinates;
}

/* The number of times that the faces use an edge, in either direction. */
GEOMETRY_FUNCTION uint32_t shape_edge_uses(const convex_shape *shape, uint32_t a, uint32_t b) {
  uint32_t uses = 0;
  for (uint32_t face = 0; face < shape->face_count; face++) {
    const uint32_t first = shape->face_starts[face], end = shape->face_starts[face + 1];
    for (uint32_t i = first; i < end; i++) {
      const uint32_t from = shape->corner_list[i], to = shape->corner_list[i + 1 < end ? i + 1 : first];
      uses += (from == a && to == b) || (from == b && to == a) ? 1u : 0u;
    }
  }
  return uses;
}

GEOMETRY_FUNCTION convex_defect shape_check_edges(const convex_shape *shape, uint32_t face) {
  const uint32_t first = shape->face_starts[face], end = shape->face_starts[face + 1];
  for (uint32_t i = first; i < end; i++) {
    const uint32_t from = shape->corner_list[i], to = shape->corner_list[i + 1 < end ? i + 1 : first];
    if (from == to || shape_edge_uses(shape, from, to) != 2)
      return convex_defect_make(CONVEX_SHAPE_OPEN_EDGE, face, from);
  }
  return convex_defect_make(CONVEX_SHAPE_SOUND, face, 0);
}

/* The plane of a face: the mean of its corners, and Newell's normal of length one; false if it has no area. */
GEOMETRY_FUNCTION bool shape_face_plane(const convex_shape *shape, const shape_coordinates *coordinates, uint32_t face,
                                        vector3 *mean_out, vector3 *normal_out) {
  const uint32_t first = shape->face_starts[face], end = shape->face_starts[face + 1];
  const vector3 origin = shape_coordinates_point(coordinates, shape->points + 3 * (size_t)shape->corner_list[first]);
  vector3 sum = vector3_make(0.0, 0.0, 0.0), normal = sum;
  for (uint32_t i = first; i < end; i++) {
    const uint32_t next = shape->corner_list[i + 1 < end ? i + 1 : first];
    const vector3 a = shape_coordinates_point(coordinates, shape->points + 3 * (size_t)shape->corner_list[i]);
    const vector3 b = shape_coordinates_point(coordinates, shape->points + 3 * (size_t)next);
    normal = vector3_add(normal, vector3_cross(vector3_subtract(a, origin), vector3_subtract(b, origin)));
    sum = vector3_add(sum, a);
  }
  const double length = vector3_length(normal);
  *mean_out = vector3_scale(sum, 1.0 / (double)(end - first));
  *normal_out = vector3_scale(normal, length > 0.0 ? 1.0 / length : 0.0);
  return length > 0.0;
}

/* If corners are on both sides of the plane of a face, the one on the side of lesser depth is reported as outside. */
GEOMETRY_FUNCTION convex_defect shape_check_plane(const convex_shape *shape, const shape_coordinates *coordinates,
                                                  uint32_t face) {
  vector3 mean, normal;
  if (!shape_face_plane(shape, coordinates, face, &mean, &normal))
    return convex_defect_make(CONVEX_SHAPE_NO_AREA, face, shape->corner_list[shape->face_starts[face]]);
  double highest = 0.0, lowest = 0.0;
  uint32_t highest_corner = 0, lowest_corner = 0;
  for (uint32_t i = 0; i < shape->face_starts[shape->face_count]; i++) {
    const uint32_t corner = shape->corner_list[i];
    const vector3 point = shape_coordinates_point(coordinates, shape->points + 3 * (size_t)corner);
    const double height = vector3_dot(normal, vector3_subtract(point, mean));
    if (height > highest) {
      highest = height;
      highest_corner = corner;
    }
    if (height < lowest) {
      lowest = height;
      lowest_corner = corner;
    }
  }
  const double allowed = CONVEX_SHAPE_TOLERANCE * coordinates->size;
  if (highest <= allowed || -lowest <= allowed) return convex_defect_make(CONVEX_SHAPE_SOUND, face, 0);
  return convex_defect_make(CONVEX_SHAPE_CORNER_OUTSIDE, face, highest < -lowest ? highest_corner : lowest_corner);
}

/* The first defect of a cell, or CONVEX_SHAPE_SOUND. Corner numbers must be in range, coordinates finite. */
GEOMETRY_FUNCTION convex_defect convex_shape_check(const convex_shape *shape) {
  if (shape->face_count < 4) return convex_defect_make(CONVEX_SHAPE_FEW_FACES, 0, 0);
  for (uint32_t face = 0; face < shape->face_count; face++) {
    if (shape->face_starts[face + 1] - shape->face_starts[face] < 3)
      return convex_defect_make(CONVEX_SHAPE_FEW_CORNERS, face, 0);
  }
  const shape_coordinates coordinates = shape_coordinates_make(shape);
  for (uint32_t face = 0; face < shape->face_count; face++) {
    const convex_defect edges = shape_check_edges(shape, face);
    if (edges.kind != CONVEX_SHAPE_SOUND) return edges;
    const convex_defect plane = shape_check_plane(shape, &coordinates, face);
    if (plane.kind != CONVEX_SHAPE_SOUND) return plane;
  }
  return convex_defect_make(CONVEX_SHAPE_SOUND, 0, 0);
}

#endif
