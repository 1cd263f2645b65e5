/* Generates balls and pieces. Every kind is made of small integers or uniform coordinates, then moved, scaled and
 * perturbed. */
#include "sphere_generator.h"

#include <math.h>
#include <string.h>

GENERATOR_KIND_TABLES(sphere_kind, SPHERE_KIND_LIST)

static double *value_of(sphere_case *generated, uint32_t number) {
  if (number < 3) return generated->center + number;
  if (number < 15) return generated->corners + (number - 3);
  if (number < 18) return generated->other + (number - 15);
  return number == 18 ? &generated->radius : &generated->other_radius;
}

void sphere_case_move_one_bit(sphere_case *generated, uint32_t value, bool up) {
  double *moved = value_of(generated, value);
  *moved = nextafter(*moved, up || (value >= 18 && *moved == 0.0) ? HUGE_VAL : -HUGE_VAL);
}

static void disturb(pair_generator *generator, sphere_case *generated) {
  sphere_case_move_one_bit(generated, pair_generator_below(generator, SPHERE_CASE_VALUES),
                           pair_generator_below(generator, 2) == 0);
}

static void scale(sphere_case *generated, int exponent) {
  for (uint32_t i = 0; i < SPHERE_CASE_VALUES; ++i) *value_of(generated, i) = ldexp(*value_of(generated, i), exponent);
}

static void translate(pair_generator *generator, sphere_case *generated, int reach) {
  double way[3];
  for (int axis = 0; axis < 3; ++axis) way[axis] = pair_generator_between(generator, -reach, reach);
  for (uint32_t i = 0; i < 18; ++i) *value_of(generated, i) += way[i % 3];
}

static void make_lattice(pair_generator *generator, sphere_case *out, int reach, int radius) {
  for (uint32_t i = 0; i < 18; ++i) *value_of(out, i) = pair_generator_between(generator, -reach, reach);
  out->radius = pair_generator_between(generator, 0, radius);
  out->other_radius = pair_generator_between(generator, 0, radius);
}

static void make_general(pair_generator *generator, sphere_case *out) {
  for (uint32_t i = 0; i < 18; ++i) *value_of(out, i) = pair_generator_coordinate(generator);
  out->radius = fabs(pair_generator_coordinate(generator));
  out->other_radius = fabs(pair_generator_coordinate(generator));
}

/* Three orthogonal rows, each of the length that is returned, from a quaternion of integers. */
static int rotated_axes(pair_generator *generator, int rows[3][3]) {
  int a = 0, b = 0, c = 0, d = 0;
  while (a * a + b * b + c * c + d * d == 0) {
    a = pair_generator_between(generator, -4, 4);
    b = pair_generator_between(generator, -4, 4);
    c = pair_generator_between(generator, -4, 4);
    d = pair_generator_between(generator, -4, 4);
  }
  const int made[3][3] = {{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
                          {2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)},
                          {2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d}};
  memcpy(rows, made, sizeof made);
  return a * a + b * b + c * c + d * d;
}

static void combine(int rows[3][3], double x, double y, double z, double *point_out) {
  for (int axis = 0; axis < 3; ++axis) point_out[axis] = x * rows[0][axis] + y * rows[1][axis] + z * rows[2][axis];
}

/* In the axes of the rows the triangle lies at height 0 and the ball touches that plane in the origin; the fourth
 * corner lies below or beside, and the other ball touches the first one. */
static void make_tangent_face(pair_generator *generator, sphere_case *out, int reach, double height) {
  int rows[3][3];
  const int length = rotated_axes(generator, rows);
  for (int i = 0; i < 3; ++i)
    combine(rows, pair_generator_between(generator, -reach, reach), pair_generator_between(generator, -reach, reach),
            0.0, out->corners + 3 * i);
  combine(rows, pair_generator_between(generator, -reach, reach), pair_generator_between(generator, -reach, reach),
          pair_generator_between(generator, -3, 1), out->corners + 9);
  combine(rows, 0.0, 0.0, height, out->center);
  out->radius = height * length;
  const int part = pair_generator_between(generator, 0, 3), way = pair_generator_between(generator, 0, 2);
  const double far = height + part;
  combine(rows, way == 0 ? far : 0.0, way == 1 ? far : 0.0, way == 2 ? height + far : height, out->other);
  out->other_radius = (double)part * length;
}

/* The edge runs along the first row, the ball touches its line in the origin along a leg of 3, 4, 5. */
static void make_tangent_edge(pair_generator *generator, sphere_case *out) {
  int rows[3][3];
  const int length = rotated_axes(generator, rows), turn = pair_generator_between(generator, 0, 2);
  combine(rows, pair_generator_between(generator, -4, 4), 0.0, 0.0, out->corners + 3 * (turn % 3));
  combine(rows, pair_generator_between(generator, -4, 4), 0.0, 0.0, out->corners + 3 * ((turn + 1) % 3));
  combine(rows, pair_generator_between(generator, -4, 4), -pair_generator_between(generator, 0, 4),
          -pair_generator_between(generator, 0, 4), out->corners + 3 * ((turn + 2) % 3));
  combine(rows, pair_generator_between(generator, -4, 4), -pair_generator_between(generator, 0, 4),
          pair_generator_between(generator, -4, 1), out->corners + 9);
  combine(rows, 0.0, 3.0, 4.0, out->center);
  out->radius = 5.0 * length;
  combine(rows, 0.0, -3.0, -4.0, out->other);
  out->other_radius = 5.0 * length;
}

/* The ball touches one corner, in the origin; the others are anywhere, mostly beyond. */
static void make_tangent_corner(pair_generator *generator, sphere_case *out) {
  int rows[3][3];
  const int length = rotated_axes(generator, rows), height = pair_generator_between(generator, 1, 3),
            touching = pair_generator_between(generator, 0, 3);
  for (int i = 0; i < 4; ++i) {
    const double x = pair_generator_between(generator, -4, 4), y = pair_generator_between(generator, -4, 4),
                 z = pair_generator_between(generator, -5, 1);
    combine(rows, i == touching ? 0.0 : x, i == touching ? 0.0 : y, i == touching ? 0.0 : z, out->corners + 3 * i);
  }
  combine(rows, 0.0, 0.0, height, out->center);
  out->radius = (double)height * length;
  combine(rows, 0.0, 0.0, -pair_generator_between(generator, 0, 2), out->other);
  out->other_radius = pair_generator_between(generator, 0, 2) * (double)length;
}

static void make_tangent(pair_generator *generator, sphere_case *out) {
  const uint32_t kind = pair_generator_below(generator, 3);
  if (kind == 0) make_tangent_face(generator, out, 4, pair_generator_between(generator, 0, 3));
  if (kind == 1) make_tangent_edge(generator, out);
  if (kind == 2) make_tangent_corner(generator, out);
  translate(generator, out, 10);
}

static void make_degenerate(pair_generator *generator, sphere_case *out) {
  if (pair_generator_below(generator, 2) == 0)
    make_lattice(generator, out, 3, 5);
  else
    make_tangent(generator, out);
  const int step = pair_generator_between(generator, -2, 2), other_step = pair_generator_between(generator, -2, 2);
  const bool flat = pair_generator_below(generator, 2) == 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double way = out->corners[3 + axis] - out->corners[axis];
    if (!flat) out->corners[6 + axis] = out->corners[axis] + step * way;
    out->corners[9 + axis] =
        out->corners[axis] + other_step * (out->corners[(flat ? 6 : 3) + axis] - out->corners[axis]);
  }
  if (pair_generator_below(generator, 4) == 0) disturb(generator, out);
}

static void make_point_ball(pair_generator *generator, sphere_case *out) {
  make_lattice(generator, out, 6, 0);
  const int x = pair_generator_between(generator, 0, 4), y = pair_generator_between(generator, 0, 4),
            z = pair_generator_between(generator, -1, 4 - x);
  for (int axis = 0; axis < 3; ++axis) {
    const double *corners = out->corners;
    out->center[axis] =
        ((8 - x - y - z) * corners[axis] + x * corners[3 + axis] + y * corners[6 + axis] +
         (pair_generator_below(generator, 3) == 0 ? z * (corners[9 + axis] - corners[axis]) : 0) + z * corners[axis]) /
        8.0;
  }
  if (pair_generator_below(generator, 3) == 0) disturb(generator, out);
}

/* The radius is the distance to a corner, or over the plane, as doubles have it, and a few bits beside. */
static void round_to_tangent(pair_generator *generator, sphere_case *out) {
  double u[3], v[3], w[3], normal[3], height = 0.0, length = 0.0, far = 0.0, apart = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    u[axis] = out->corners[3 + axis] - out->corners[axis];
    v[axis] = out->corners[6 + axis] - out->corners[axis];
    w[axis] = out->center[axis] - out->corners[axis];
    apart += (out->center[axis] - out->other[axis]) * (out->center[axis] - out->other[axis]);
  }
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    normal[axis] = u[next] * v[last] - u[last] * v[next];
    height += normal[axis] * w[axis];
    length += normal[axis] * normal[axis];
    far += w[axis] * w[axis];
  }
  out->radius = pair_generator_below(generator, 2) == 0 ? fabs(height) / sqrt(length) : sqrt(far);
  for (int i = pair_generator_between(generator, 0, 3); i > 0; --i)
    sphere_case_move_one_bit(out, 18, pair_generator_below(generator, 2) == 0);
  out->other_radius = fmax(0.0, sqrt(apart) - out->radius);
}

/* A center over the inside, or over an edge, closer to it than rounding lets a double be exact about. */
static void make_near_plane(pair_generator *generator, sphere_case *out) {
  make_general(generator, out);
  const double height = ldexp(1.0, -pair_generator_between(generator, 4, 50)),
               x = 0.5 * fabs(pair_generator_coordinate(generator));
  const double y = pair_generator_below(generator, 4) == 0 ? 0.0 : 0.5 * fabs(pair_generator_coordinate(generator));
  for (int axis = 0; axis < 3; ++axis) {
    const double *corners = out->corners;
    out->center[axis] = (1.0 - x - y) * corners[axis] + x * corners[3 + axis] + y * corners[6 + axis] +
                        height * pair_generator_coordinate(generator);
  }
  round_to_tangent(generator, out);
}

static void mix_scales(pair_generator *generator, sphere_case *out, int least, int most) {
  make_general(generator, out);
  for (uint32_t i = 0; i < SPHERE_CASE_VALUES; ++i) {
    double *value = value_of(out, i);
    *value = ldexp(*value, pair_generator_between(generator, least, most));
    if (pair_generator_below(generator, 4) == 0) *value = 0.0;
  }
  /* A radius near a coordinate, so that it matters. */
  if (pair_generator_below(generator, 2) == 0) out->radius = fabs(out->corners[pair_generator_below(generator, 9)]);
  if (pair_generator_below(generator, 2) == 0) out->other_radius = fabs(out->other[pair_generator_below(generator, 3)]);
}

static void make_scaled_tangent(pair_generator *generator, sphere_case *out) {
  make_tangent(generator, out);
  scale(out, pair_generator_between(generator, -900, 900));
  if (pair_generator_below(generator, 2) == 0) disturb(generator, out);
}

static void make_huge_radius(pair_generator *generator, sphere_case *out) {
  make_tangent_face(generator, out, 1 + (int)pair_generator_below(generator, 3),
                    ldexp(1.0, pair_generator_between(generator, 8, 44)));
  if (pair_generator_below(generator, 2) == 0) disturb(generator, out);
}

void sphere_case_generate(pair_generator *generator, sphere_kind kind, sphere_case *out) {
  switch (kind) {
  case SPHERE_GENERAL:
    make_general(generator, out);
    break;
  case SPHERE_SMALL_LATTICE:
    make_lattice(generator, out, 2, 4);
    break;
  case SPHERE_WIDE_LATTICE:
    make_lattice(generator, out, 1000, 1000);
    break;
  case SPHERE_TANGENT_FACE:
    make_tangent_face(generator, out, 4, pair_generator_between(generator, 0, 3));
    translate(generator, out, 10);
    break;
  case SPHERE_TANGENT_EDGE:
    make_tangent_edge(generator, out);
    break;
  case SPHERE_TANGENT_CORNER:
    make_tangent_corner(generator, out);
    break;
  case SPHERE_TANGENT_ONE_BIT:
    make_tangent(generator, out);
    disturb(generator, out);
    break;
  case SPHERE_TANGENT_SCALED:
    make_scaled_tangent(generator, out);
    break;
  case SPHERE_DEGENERATE:
    make_degenerate(generator, out);
    break;
  case SPHERE_POINT_BALL:
    make_point_ball(generator, out);
    break;
  case SPHERE_HUGE_RADIUS:
    make_huge_radius(generator, out);
    break;
  case SPHERE_ROUNDED_TANGENT:
    make_general(generator, out);
    round_to_tangent(generator, out);
    break;
  case SPHERE_NEAR_PLANE:
    make_near_plane(generator, out);
    break;
  case SPHERE_SCALED:
    make_general(generator, out);
    scale(out, pair_generator_between(generator, -1000, 1000));
    break;
  case SPHERE_SUBNORMAL:
    make_tangent(generator, out);
    scale(out, -1074);
    break;
  case SPHERE_MIXED:
    mix_scales(generator, out, -40, 40);
    break;
  default:
    mix_scales(generator, out, -1074, 1024);
    break;
  }
}
