/* A body of tetrahedra that carries spheres: its surface, which are the faces that belong to one tetrahedron only,
 * facing outward; and spheres bound to tetrahedra.
 *
 * Workload: the surface once per body, 10^3 to 10^7 tetrahedra; linear. */
#ifndef GRAZE_PACKING_DEFORMING_BODY_H
#define GRAZE_PACKING_DEFORMING_BODY_H

#include "base/array.h"
#include "geometry/vector.h"
#include "graze/graze.h"

#include <string.h>

/* Reorients inverted tetrahedra (corners a, b, c, d with d below a, b, c) by swapping two of their corners, and appends
 * the faces of the surface to `triangles`, of uint32_t[3]. Positions are three doubles each. GRAZE_INVALID_ARGUMENT for
 * a tetrahedron that is exactly flat, and for a face shared by more than two; GRAZE_OUT_OF_MEMORY. */
graze_result tetrahedra_boundary_find(memory *heap, const double *positions, uint32_t (*tetrahedra)[4], size_t count,
                                      array *triangles);

/* A sphere that moves with a tetrahedron: its center after the corners move, and its size under an affine map.
 *
 * The center keeps its barycentric coordinates. A ball of radius r becomes an ellipsoid whose smallest half axis is r
 * times the smallest stretch (singular value) of the map; the ball of that radius around the new center is inside it.
 * So if one affine map moves everything, balls that were disjoint and inside remain so.
 *
 * Workload: 10^3 to 10^5 spheres a frame, a few hundred operations each; + - * / and square roots only. */

typedef struct carried_sphere {
  uint32_t corners[4]; /* of the tetrahedron */
  double weights[4];   /* barycentric coordinates of the center */
  double inverse[9];   /* of the matrix whose columns are the edges from corner 0 at rest; row by row */
  double radius;       /* at rest */
} carried_sphere;

static inline vector3 carrying_corner(const carried_sphere *sphere, const double *positions, int corner) {
  return vector3_load(positions + 3 * (size_t)sphere->corners[corner]);
}

/* Binds a center to the tetrahedron, which has a volume. */
static inline void carried_sphere_bind(carried_sphere *sphere, const uint32_t corners[4], const double *rest,
                                       const double center[3], double radius) {
  memcpy(sphere->corners, corners, sizeof sphere->corners);
  const vector3 origin = carrying_corner(sphere, rest, 0);
  vector3 edges[3];
  for (int k = 0; k < 3; k++) edges[k] = vector3_subtract(carrying_corner(sphere, rest, k + 1), origin);
  const double determinant = vector3_dot(vector3_cross(edges[0], edges[1]), edges[2]);
  const vector3 offset = vector3_subtract(vector3_load(center), origin);
  sphere->weights[0] = 1.0;
  for (int k = 0; k < 3; k++) {
    const vector3 row = vector3_scale(vector3_cross(edges[(k + 1) % 3], edges[(k + 2) % 3]), 1.0 / determinant);
    vector3_store(row, sphere->inverse + 3 * k);
    sphere->weights[k + 1] = vector3_dot(row, offset);
    sphere->weights[0] -= sphere->weights[k + 1];
  }
  sphere->radius = radius;
}

static inline vector3 carried_center(const carried_sphere *sphere, const double *positions) {
  vector3 sum = vector3_scale(carrying_corner(sphere, positions, 0), sphere->weights[0]);
  for (int k = 1; k < 4; k++)
    sum = vector3_add(sum, vector3_scale(carrying_corner(sphere, positions, k), sphere->weights[k]));
  return sum;
}

/* One rotation of Jacobi's method: makes the element (p, q) of the symmetric matrix zero. */
static inline void jacobi_rotate(double matrix[3][3], int p, int q) {
  if (!(fabs(matrix[p][q]) > 0.0)) return;
  const int r = 3 - p - q;
  const double theta = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
  const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
  const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
  const double pr = matrix[p][r], qr = matrix[q][r];
  matrix[p][p] -= t * matrix[p][q];
  matrix[q][q] += t * matrix[p][q];
  matrix[p][q] = matrix[q][p] = 0.0;
  matrix[p][r] = matrix[r][p] = c * pr - s * qr;
  matrix[q][r] = matrix[r][q] = s * pr + c * qr;
}

/* The smallest singular value of the map; 0 if it inverts or flattens the tetrahedron. */
static inline double carried_stretch(const carried_sphere *sphere, const double *positions) {
  const vector3 origin = carrying_corner(sphere, positions, 0);
  vector3 edges[3], columns[3];
  for (int k = 0; k < 3; k++) edges[k] = vector3_subtract(carrying_corner(sphere, positions, k + 1), origin);
  for (int k = 0; k < 3; k++) {
    columns[k] = vector3_scale(edges[0], sphere->inverse[k]);
    for (int i = 1; i < 3; i++)
      columns[k] = vector3_add(columns[k], vector3_scale(edges[i], sphere->inverse[3 * i + k]));
  }
  if (!(vector3_dot(vector3_cross(columns[0], columns[1]), columns[2]) > 0.0)) return 0.0;
  double squares[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) squares[i][k] = vector3_dot(columns[i], columns[k]);
  for (int sweep = 0; sweep < 8; sweep++)
    for (int pair = 0; pair < 3; pair++) jacobi_rotate(squares, pair == 2 ? 1 : 0, pair == 0 ? 1 : 2);
  const double least = fmin(squares[0][0], fmin(squares[1][1], squares[2][2]));
  return least > 0.0 ? sqrt(least) : 0.0;
}

#endif
