/* Descends two bounding sphere trees together, the nearer pair first, and skips pairs beyond the least distance so far.
 * Triangles that do not cross are nearest at two edges, or at a corner above a face; segments as in Lumelsky, "On fast
 * computation of distance between line segments", 1985.
 *
 * Workload: two bodies of ten thousand triangles, about ten thousand queries. */
#include "bench/mesh_distance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A node: its sphere, and two children or one triangle. */
typedef struct ball {
  double center[3], radius;
  uint32_t left, right; /* the children; both are the triangle for a leaf */
} ball;

struct mesh_balls {
  const bench_shape *shape;
  ball *nodes; /* the root is the first */
  uint32_t node_count;
};

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void subtract(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static const double *corner_of(const bench_shape *shape, uint32_t triangle, int corner) {
  return shape->positions + 3 * (size_t)shape->triangles[3 * (size_t)triangle + (size_t)corner];
}

/* ---------------------------------------------------------------------------------------------- building */

/* A triangle and its position along the split axis. */
typedef struct place {
  double at;
  uint32_t triangle;
} place;

static int compare_places(const void *a, const void *b) {
  const place *const x = a, *const y = b;
  if (x->at != y->at) return x->at < y->at ? -1 : 1;
  return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static void bounds_of(const bench_shape *shape, const place *places, size_t count, double lower[3], double upper[3]) {
  for (int k = 0; k < 3; k++) {
    lower[k] = HUGE_VAL;
    upper[k] = -HUGE_VAL;
  }
  for (size_t i = 0; i < count; i++)
    for (int corner = 0; corner < 3; corner++) {
      const double *const p = corner_of(shape, places[i].triangle, corner);
      for (int k = 0; k < 3; k++) {
        lower[k] = fmin(lower[k], p[k]);
        upper[k] = fmax(upper[k], p[k]);
      }
    }
}

/* Computes a sphere around the center of the box. */
static void enclose(const bench_shape *shape, const place *places, size_t count, const double lower[3],
                    const double upper[3], ball *node) {
  double most = 0.0;
  for (int k = 0; k < 3; k++) node->center[k] = 0.5 * (lower[k] + upper[k]);
  for (size_t i = 0; i < count; i++)
    for (int corner = 0; corner < 3; corner++) {
      double away[3];
      subtract(corner_of(shape, places[i].triangle, corner), node->center, away);
      most = fmax(most, dot(away, away));
    }
  node->radius = sqrt(most);
}

static void sort_along(const bench_shape *shape, place *places, size_t count, int axis) {
  for (size_t i = 0; i < count; i++) {
    places[i].at = 0.0;
    for (int corner = 0; corner < 3; corner++) places[i].at += corner_of(shape, places[i].triangle, corner)[axis];
  }
  qsort(places, count, sizeof *places, compare_places);
}

/* Splits in halves along the widest axis; returns the node. The depth is logarithmic in the count. */
static uint32_t build(mesh_balls *balls, place *places, size_t count) {
  const uint32_t number = balls->node_count++;
  ball node = {.left = places[0].triangle, .right = places[0].triangle};
  double lower[3], upper[3];
  bounds_of(balls->shape, places, count, lower, upper);
  enclose(balls->shape, places, count, lower, upper, &node);
  if (count > 1) {
    int axis = 0;
    for (int k = 1; k < 3; k++)
      if (upper[k] - lower[k] > upper[axis] - lower[axis]) axis = k;
    sort_along(balls->shape, places, count, axis);
    node.left = build(balls, places, count / 2);
    node.right = build(balls, places + count / 2, count - count / 2);
  }
  balls->nodes[number] = node;
  return number;
}

mesh_balls *mesh_balls_make(const bench_shape *shape) {
  const size_t count = shape->triangle_count;
  mesh_balls *const balls = calloc(1, sizeof *balls);
  place *const places = calloc(count + 1, sizeof *places);
  if (balls != NULL) *balls = (mesh_balls){.shape = shape, .nodes = calloc(2 * count + 1, sizeof *balls->nodes)};
  const bool made = balls != NULL && places != NULL && balls->nodes != NULL && count > 0;
  for (size_t i = 0; i < count && made; i++) places[i].triangle = (uint32_t)i;
  if (made) build(balls, places, count);
  free(places);
  if (made) return balls;
  mesh_balls_free(balls);
  return NULL;
}

void mesh_balls_free(mesh_balls *balls) {
  if (balls == NULL) return;
  free(balls->nodes);
  free(balls);
}

/* ---------------------------------------------------------------------------------------------- triangles */

static double clamped(double value) {
  return fmin(fmax(value, 0.0), 1.0);
}

/* Returns the squared distance of the segments p to p + u and q to q + v. */
static double segments_apart(const double p[3], const double u[3], const double q[3], const double v[3]) {
  double between[3];
  subtract(p, q, between);
  const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), ub = dot(u, between), vb = dot(v, between);
  const double determinant = uu * vv - uv * uv;
  double s = determinant > 0.0 ? clamped((uv * vb - ub * vv) / determinant) : 0.0;
  double t = vv > 0.0 ? (uv * s + vb) / vv : 0.0;
  if (t < 0.0 || t > 1.0 || vv <= 0.0) {
    t = clamped(t);
    s = uu > 0.0 ? clamped((uv * t - ub) / uu) : 0.0;
  }
  double apart[3];
  for (int k = 0; k < 3; k++) apart[k] = between[k] + s * u[k] - t * v[k];
  return dot(apart, apart);
}

/* Returns the squared height of a point above a triangle; a large number if the point does not project into it. */
static double height_above(const double point[3], double triangle[3][3]) {
  double u[3], v[3], w[3];
  subtract(triangle[1], triangle[0], u);
  subtract(triangle[2], triangle[0], v);
  subtract(point, triangle[0], w);
  const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), wu = dot(w, u), wv = dot(w, v), nn = dot(n, n);
  const double a = wu * vv - wv * uv, b = wv * uu - wu * uv;
  if (!(nn > 0.0) || a < 0.0 || b < 0.0 || a + b > uu * vv - uv * uv) return HUGE_VAL;
  return dot(w, n) * dot(w, n) / nn;
}

static double triangles_apart(double a[3][3], double b[3][3]) {
  double least = HUGE_VAL;
  for (int i = 0; i < 3; i++) {
    double u[3];
    subtract(a[(i + 1) % 3], a[i], u);
    least = fmin(least, fmin(height_above(a[i], b), height_above(b[i], a)));
    for (int j = 0; j < 3; j++) {
      double v[3];
      subtract(b[(j + 1) % 3], b[j], v);
      least = fmin(least, segments_apart(a[i], u, b[j], v));
    }
  }
  return sqrt(least);
}

/* ---------------------------------------------------------------------------------------------- asking */

typedef struct question {
  const mesh_balls *a, *b;
  const bench_pose *pose;
  double least;
} question;

static void pose_point(const bench_pose *pose, const double point[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = dot(pose->rotation + 3 * k, point) + pose->translation[k];
}

static bool is_leaf(const ball *node) {
  return node->left == node->right;
}

static void ask_triangles(question *at, uint32_t first, uint32_t second) {
  double a[3][3], b[3][3];
  for (int corner = 0; corner < 3; corner++) {
    memcpy(a[corner], corner_of(at->a->shape, first, corner), sizeof a[corner]);
    pose_point(at->pose, corner_of(at->b->shape, second, corner), b[corner]);
  }
  at->least = fmin(at->least, triangles_apart(a, b));
}

/* Returns a lower bound of the distance of two spheres. */
static double balls_apart(const question *at, uint32_t a, uint32_t b) {
  const ball *const first = &at->a->nodes[a], *const second = &at->b->nodes[b];
  double center[3], away[3];
  pose_point(at->pose, second->center, center);
  subtract(first->center, center, away);
  return sqrt(dot(away, away)) - first->radius - second->radius;
}

static void ask(question *at, uint32_t a, uint32_t b, double apart) {
  if (apart >= at->least) return;
  const ball *const first = &at->a->nodes[a], *const second = &at->b->nodes[b];
  if (is_leaf(first) && is_leaf(second)) {
    ask_triangles(at, first->left, second->left);
    return;
  }
  const bool open_first = is_leaf(second) || (!is_leaf(first) && first->radius >= second->radius);
  const uint32_t pairs[2][2] = {{open_first ? first->left : a, open_first ? b : second->left},
                                {open_first ? first->right : a, open_first ? b : second->right}};
  const double parts[2] = {balls_apart(at, pairs[0][0], pairs[0][1]), balls_apart(at, pairs[1][0], pairs[1][1])};
  const int nearer = parts[1] < parts[0];
  ask(at, pairs[nearer][0], pairs[nearer][1], parts[nearer]);
  ask(at, pairs[!nearer][0], pairs[!nearer][1], parts[!nearer]);
}

double mesh_balls_distance(const mesh_balls *a, const mesh_balls *b, const bench_pose *pose) {
  question at = {a, b, pose, HUGE_VAL};
  ask(&at, 0, 0, -1.0);
  return at.least;
}
