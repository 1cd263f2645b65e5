/* The boundary of the common part is made of the faces of p inside q and the faces of q inside p. Seen from a corner of
 * q, the three faces of q that meet there span no volume, so five polygons are left: the faces of p cut by q, and the
 * one far face of q cut by p. A face of p in the plane of that far face, facing the same way, is the same part of the
 * boundary and counts once. */
#include "rational_volume.h"

#include <gmp.h>
#include <math.h>
#include <stdbool.h>

enum { POLYGON_LIMIT = 8, SCRATCH_COUNT = 6 };

typedef mpq_t rational_point[3];

typedef struct rational_polygon {
  int count;
  rational_point corner[POLYGON_LIMIT];
} rational_polygon;

typedef struct volume_problem {
  rational_point p[4], q[4];
  rational_polygon polygon, cut;
  rational_point u, v, w, normal;
  mpq_t from, to, determinant, volume, scratch[SCRATCH_COUNT];
  rational_point moment;
} volume_problem;

static void point_init(rational_point point) {
  for (int axis = 0; axis < 3; ++axis) mpq_init(point[axis]);
}

static void point_clear(rational_point point) {
  for (int axis = 0; axis < 3; ++axis) mpq_clear(point[axis]);
}

static void point_set(rational_point result, rational_point a) {
  for (int axis = 0; axis < 3; ++axis) mpq_set(result[axis], a[axis]);
}

static void point_load(rational_point result, const double *a) {
  for (int axis = 0; axis < 3; ++axis) mpq_set_d(result[axis], a[axis]);
}

static void point_subtract(rational_point result, rational_point a, rational_point b) {
  for (int axis = 0; axis < 3; ++axis) mpq_sub(result[axis], a[axis], b[axis]);
}

static void for_each_point(volume_problem *problem, void (*action)(rational_point)) {
  for (int i = 0; i < 4; ++i) {
    action(problem->p[i]);
    action(problem->q[i]);
  }
  for (int i = 0; i < POLYGON_LIMIT; ++i) {
    action(problem->polygon.corner[i]);
    action(problem->cut.corner[i]);
  }
  action(problem->u);
  action(problem->v);
  action(problem->w);
  action(problem->normal);
  action(problem->moment);
}

static void problem_init(volume_problem *problem) {
  for_each_point(problem, point_init);
  mpq_inits(problem->from, problem->to, problem->determinant, problem->volume, NULL);
  for (int i = 0; i < SCRATCH_COUNT; ++i) mpq_init(problem->scratch[i]);
}

static void problem_clear(volume_problem *problem) {
  for_each_point(problem, point_clear);
  mpq_clears(problem->from, problem->to, problem->determinant, problem->volume, NULL);
  for (int i = 0; i < SCRATCH_COUNT; ++i) mpq_clear(problem->scratch[i]);
}

static void cross(volume_problem *problem, rational_point result, rational_point a, rational_point b) {
  for (int axis = 0; axis < 3; ++axis) {
    const int y = (axis + 1) % 3, z = (axis + 2) % 3;
    mpq_mul(problem->scratch[0], a[y], b[z]);
    mpq_mul(problem->scratch[1], a[z], b[y]);
    mpq_sub(result[axis], problem->scratch[0], problem->scratch[1]);
  }
}

static void dot(volume_problem *problem, mpq_t result, rational_point a, rational_point b) {
  mpq_mul(problem->scratch[0], a[0], b[0]);
  mpq_mul(problem->scratch[1], a[1], b[1]);
  mpq_add(problem->scratch[0], problem->scratch[0], problem->scratch[1]);
  mpq_mul(problem->scratch[1], a[2], b[2]);
  mpq_add(result, problem->scratch[0], problem->scratch[1]);
}

/* The normal of the plane of a, b, c, in problem->normal. */
static void plane_load(volume_problem *problem, rational_point a, rational_point b, rational_point c) {
  point_subtract(problem->u, b, a);
  point_subtract(problem->v, c, a);
  cross(problem, problem->normal, problem->u, problem->v);
}

static void height_over(volume_problem *problem, mpq_t result, rational_point point, rational_point on_plane) {
  point_subtract(problem->w, point, on_plane);
  dot(problem, result, problem->normal, problem->w);
}

/* Sutherland and Hodgman's step: the part of the polygon where the height is not positive. */
static void polygon_cut(volume_problem *problem, rational_point on_plane) {
  rational_polygon *polygon = &problem->polygon, *cut = &problem->cut;
  cut->count = 0;
  for (int i = 0; i < polygon->count; ++i) {
    const int next = (i + 1) % polygon->count;
    height_over(problem, problem->from, polygon->corner[i], on_plane);
    height_over(problem, problem->to, polygon->corner[next], on_plane);
    if (mpq_sgn(problem->from) <= 0) point_set(cut->corner[cut->count++], polygon->corner[i]);
    if (mpq_sgn(problem->from) * mpq_sgn(problem->to) >= 0) continue;
    mpq_sub(problem->scratch[2], problem->from, problem->to);
    mpq_div(problem->scratch[2], problem->from, problem->scratch[2]);
    for (int axis = 0; axis < 3; ++axis) {
      mpq_sub(problem->scratch[3], polygon->corner[next][axis], polygon->corner[i][axis]);
      mpq_mul(problem->scratch[3], problem->scratch[3], problem->scratch[2]);
      mpq_add(cut->corner[cut->count][axis], polygon->corner[i][axis], problem->scratch[3]);
    }
    cut->count += 1;
  }
  polygon->count = cut->count;
  for (int i = 0; i < cut->count; ++i) point_set(polygon->corner[i], cut->corner[i]);
}

/* Faces seen from outside of a positive tetrahedron; the far face of corner 0 is the last. */
static const int faces[4][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};

static void polygon_from_face(volume_problem *problem, rational_point corners[4], int face) {
  problem->polygon.count = 3;
  for (int i = 0; i < 3; ++i) point_set(problem->polygon.corner[i], corners[faces[face][i]]);
}

static void polygon_cut_by(volume_problem *problem, rational_point corners[4]) {
  for (int face = 0; face < 4 && problem->polygon.count > 0; ++face) {
    plane_load(problem, corners[faces[face][0]], corners[faces[face][1]], corners[faces[face][2]]);
    polygon_cut(problem, corners[faces[face][0]]);
  }
}

/* Adds the cone over the polygon with its tip at corner 0 of q. */
static void cone_add(volume_problem *problem) {
  rational_polygon *polygon = &problem->polygon;
  for (int i = 1; i + 1 < polygon->count; ++i) {
    point_subtract(problem->u, polygon->corner[0], problem->q[0]);
    point_subtract(problem->v, polygon->corner[i], problem->q[0]);
    point_subtract(problem->w, polygon->corner[i + 1], problem->q[0]);
    cross(problem, problem->normal, problem->u, problem->v);
    dot(problem, problem->determinant, problem->normal, problem->w);
    mpq_add(problem->volume, problem->volume, problem->determinant);
    for (int axis = 0; axis < 3; ++axis) {
      mpq_add(problem->scratch[2], problem->u[axis], problem->v[axis]);
      mpq_add(problem->scratch[2], problem->scratch[2], problem->w[axis]);
      mpq_mul(problem->scratch[2], problem->scratch[2], problem->determinant);
      mpq_add(problem->moment[axis], problem->moment[axis], problem->scratch[2]);
    }
  }
}

static int sign_of(volume_problem *problem, rational_point corners[4]) {
  plane_load(problem, corners[0], corners[1], corners[2]);
  height_over(problem, problem->from, corners[3], corners[0]);
  return mpq_sgn(problem->from);
}

/* Loads the corners such that the volume is positive; false for a flat tetrahedron. */
static bool corners_load(volume_problem *problem, rational_point corners[4], const double p[12]) {
  for (int i = 0; i < 4; ++i) point_load(corners[i], p + 3 * i);
  const int sign = sign_of(problem, corners);
  if (sign < 0) {
    point_load(corners[2], p + 9);
    point_load(corners[3], p + 6);
  }
  return sign != 0;
}

/* Whether a face of p lies in the plane of the far face of q and has q on its inner side. */
static bool face_is_far_face(volume_problem *problem, int face) {
  plane_load(problem, problem->p[faces[face][0]], problem->p[faces[face][1]], problem->p[faces[face][2]]);
  for (int i = 1; i < 4; ++i) {
    height_over(problem, problem->from, problem->q[i], problem->p[faces[face][0]]);
    if (mpq_sgn(problem->from) != 0) return false;
  }
  height_over(problem, problem->from, problem->q[0], problem->p[faces[face][0]]);
  return mpq_sgn(problem->from) < 0;
}

double rational_volume(const double p[12], const double q[12], double moment_out[3]) {
  volume_problem problem;
  problem_init(&problem);
  const bool p_is_solid = corners_load(&problem, problem.p, p), q_is_solid = corners_load(&problem, problem.q, q);
  if (p_is_solid && q_is_solid) {
    for (int face = 0; face < 4; ++face) {
      if (face_is_far_face(&problem, face)) continue;
      polygon_from_face(&problem, problem.p, face);
      polygon_cut_by(&problem, problem.q);
      cone_add(&problem);
    }
    polygon_from_face(&problem, problem.q, 3);
    polygon_cut_by(&problem, problem.p);
    cone_add(&problem);
  }
  const double volume = mpq_get_d(problem.volume) / 6.0;
  for (int axis = 0; axis < 3; ++axis) moment_out[axis] = mpq_get_d(problem.moment[axis]) / 24.0;
  problem_clear(&problem);
  return volume;
}

double rational_area(const double t[9], const double q[12]) {
  volume_problem problem;
  problem_init(&problem);
  double area = 0.0;
  if (corners_load(&problem, problem.q, q)) {
    problem.polygon.count = 3;
    for (int i = 0; i < 3; ++i) point_load(problem.polygon.corner[i], t + 3 * i);
    polygon_cut_by(&problem, problem.q);
    for (int i = 1; i + 1 < problem.polygon.count; ++i) {
      plane_load(&problem, problem.polygon.corner[0], problem.polygon.corner[i], problem.polygon.corner[i + 1]);
      dot(&problem, problem.from, problem.normal, problem.normal);
      area += 0.5 * sqrt(mpq_get_d(problem.from));
    }
  }
  problem_clear(&problem);
  return area;
}

double rational_beyond_faces(const double q[12], const double point[3]) {
  volume_problem problem;
  problem_init(&problem);
  double farthest = -HUGE_VAL;
  if (corners_load(&problem, problem.q, q)) {
    point_load(problem.moment, point);
    for (int face = 0; face < 4; ++face) {
      plane_load(&problem, problem.q[faces[face][0]], problem.q[faces[face][1]], problem.q[faces[face][2]]);
      height_over(&problem, problem.from, problem.moment, problem.q[faces[face][0]]);
      dot(&problem, problem.to, problem.normal, problem.normal);
      farthest = fmax(farthest, mpq_get_d(problem.from) / sqrt(mpq_get_d(problem.to)));
    }
  }
  problem_clear(&problem);
  return farthest;
}
