/* Generates pairs of tetrahedra. As in pair_generator.c, exact degeneracies come from integers: weighted means with
 * weights of eighths and integer maps of lattice points are exact. */
#include "tetrahedron_generator.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { COORDINATES = 12 };

GENERATOR_KIND_TABLES(tetrahedron_kind, TETRAHEDRON_KIND_LIST)

tetrahedron_kind tetrahedron_kind_choose(pair_generator *generator) {
  uint32_t at = pair_generator_below(generator, 1000), kind = 0;
  while (kind + 1 < TETRAHEDRON_KIND_COUNT && at >= tetrahedron_kind_share((tetrahedron_kind)kind))
    at -= tetrahedron_kind_share((tetrahedron_kind)kind++);
  return (tetrahedron_kind)kind;
}

static int between(pair_generator *generator, int low, int high) {
  return low + (int)pair_generator_below(generator, (uint32_t)(high - low + 1));
}

static bool one_in(pair_generator *generator, uint32_t count) {
  return pair_generator_below(generator, count) == 0;
}

static void fill_general(pair_generator *generator, double p[COORDINATES]) {
  for (int i = 0; i < COORDINATES; ++i) p[i] = pair_generator_coordinate(generator);
}

static void fill_lattice(pair_generator *generator, int size, double p[COORDINATES]) {
  for (int i = 0; i < COORDINATES; ++i) p[i] = between(generator, 0, size - 1);
}

static void copy_corner(const double *from, double *to) {
  memcpy(to, from, 3 * sizeof *to);
}

static void move_one_bit(pair_generator *generator, double p[COORDINATES]) {
  double *value = &p[pair_generator_below(generator, COORDINATES)];
  *value = nextafter(*value, one_in(generator, 2) ? -HUGE_VAL : HUGE_VAL);
}

/* A mean of the first `corners` corners of p with weights of eighths, some of them often zero. */
static void put_mean(pair_generator *generator, const double p[COORDINATES], int corners, double *point) {
  int weight[4] = {0, 0, 0, 0}, left = 8;
  for (int i = 0; i + 1 < corners; ++i) {
    weight[i] = between(generator, 0, left);
    left -= weight[i];
  }
  weight[corners - 1] = left;
  for (int axis = 0; axis < 3; ++axis)
    point[axis] =
        (weight[0] * p[axis] + weight[1] * p[3 + axis] + weight[2] * p[6 + axis] + weight[3] * p[9 + axis]) / 8.0;
}

static void put_edge_on_edge(pair_generator *generator, const double p[COORDINATES], double q[COORDINATES]) {
  const int weight = between(generator, 0, 8), before = between(generator, 0, 4), after = between(generator, 0, 4);
  for (int axis = 0; axis < 3; ++axis) {
    const double touch = (weight * p[axis] + (8 - weight) * p[3 + axis]) / 8.0;
    const int way = between(generator, -100, 100);
    q[axis] = touch - before * way;
    q[3 + axis] = touch + after * way;
  }
}

/* p at heights <= 0 and q at heights >= 0 over a plane, one to four corners of each in it, on a lattice small enough
 * for every kind of touching; then an integer map makes the plane slanted. Sometimes q is lifted off, so that only a
 * plane along an edge of each, or of a face, is left between them. */
static void fill_plane_touch(pair_generator *generator, double p[COORDINATES], double q[COORDINATES]) {
  int map[3][3];
  for (int i = 0; i < 9; ++i) map[i / 3][i % 3] = between(generator, -4, 4);
  const int size = one_in(generator, 2) ? 4 : 30, lift = one_in(generator, 6) ? 1 : 0;
  const int p_touching = between(generator, 1, 3), q_touching = between(generator, 1, 3);
  for (int corner = 0; corner < 8; ++corner) {
    const bool touches = corner < 4 ? corner < p_touching : corner - 4 < q_touching;
    const int height = touches ? 0 : between(generator, 0, size);
    const int from[3] = {corner < 4 ? -height : height + lift, between(generator, 0, size),
                         between(generator, 0, size)};
    double *point = corner < 4 ? p + 3 * corner : q + 3 * (corner - 4);
    for (int axis = 0; axis < 3; ++axis)
      point[axis] = map[axis][0] * from[0] + map[axis][1] * from[1] + map[axis][2] * from[2];
  }
}

/* The last corner, and half of the time the third, at 1e-8 from the hull of those before. */
static void make_sliver(pair_generator *generator, double p[COORDINATES]) {
  for (int corner = one_in(generator, 2) ? 2 : 3; corner < 4; ++corner) {
    double weight[3] = {0, 0, 0}, sum = 0.0;
    for (int i = 0; i < corner; ++i) sum += weight[i] = 1.0 + pair_generator_coordinate(generator);
    for (int axis = 0; axis < 3; ++axis)
      p[3 * corner + axis] = (weight[0] * p[axis] + weight[1] * p[3 + axis] + weight[2] * p[6 + axis]) / (sum + 1e-3) +
                             1e-8 * pair_generator_coordinate(generator);
  }
}

static void make_flat(pair_generator *generator, double p[COORDINATES]) {
  const int u = between(generator, -2, 2), v = between(generator, -2, 2);
  for (int axis = 0; axis < 3; ++axis)
    p[9 + axis] = p[axis] + u * (p[3 + axis] - p[axis]) + v * (p[6 + axis] - p[axis]);
}

/* One corner repeated, two segments' worth, or a point. */
static void repeat_corners(pair_generator *generator, double p[COORDINATES]) {
  const int kind = between(generator, 0, 4);
  copy_corner(p + 3 * between(generator, 0, 2), p + 9);
  if (kind == 1) copy_corner(p, p + 6);
  if (kind == 2) copy_corner(p + 3, p + 6);
  for (int corner = 1; kind == 3 && corner < 4; ++corner) copy_corner(p, p + 3 * corner);
  for (int axis = 0; kind == 4 && axis < 3; ++axis) {
    p[6 + axis] = 2.0 * p[3 + axis] - p[axis];
    p[9 + axis] = 3.0 * p[axis] - 2.0 * p[3 + axis];
  }
}

static void shuffle(pair_generator *generator, double p[COORDINATES]) {
  for (int i = 3; i > 0; --i) {
    const int j = between(generator, 0, i);
    double corner[3];
    copy_corner(p + 3 * i, corner);
    copy_corner(p + 3 * j, p + 3 * i);
    copy_corner(corner, p + 3 * j);
  }
}

static void scale_pair(double factor, double p[COORDINATES], double q[COORDINATES]) {
  for (int i = 0; i < COORDINATES; ++i) {
    p[i] *= factor;
    q[i] *= factor;
  }
}

static void scatter_exponents(pair_generator *generator, int low, int high, double p[COORDINATES]) {
  for (int i = 0; i < COORDINATES; ++i) {
    if (one_in(generator, 4)) p[i] = between(generator, -1, 1);
    p[i] = ldexp(p[i], between(generator, low, high));
  }
}

static void generate_touching(pair_generator *generator, tetrahedron_kind kind, double p[COORDINATES],
                              double q[COORDINATES]) {
  if (one_in(generator, 2)) {
    fill_lattice(generator, 200, p);
    fill_lattice(generator, 200, q);
  }
  const int shared = kind == TETRAHEDRON_ONE_CORNER      ? 1
                     : kind == TETRAHEDRON_TWO_CORNERS   ? 2
                     : kind == TETRAHEDRON_THREE_CORNERS ? 3
                     : kind == TETRAHEDRON_FOUR_CORNERS  ? 4
                                                         : 0;
  for (int i = 0; i < shared; ++i) copy_corner(p + 3 * i, q + 3 * i);
  if (kind == TETRAHEDRON_CORNER_ON_FACE) put_mean(generator, p, 3, q);
  if (kind == TETRAHEDRON_EDGE_ON_EDGE) put_edge_on_edge(generator, p, q);
  for (int corner = 0; kind == TETRAHEDRON_CONTAINED && corner < 4; ++corner) put_mean(generator, p, 4, q + 3 * corner);
}

static void generate_degenerate(pair_generator *generator, tetrahedron_kind kind, double p[COORDINATES],
                                double q[COORDINATES]) {
  const int size = one_in(generator, 2) ? 4 : 60;
  fill_lattice(generator, size, p);
  fill_lattice(generator, size, q);
  if (one_in(generator, 4)) fill_plane_touch(generator, p, q);
  if (kind == TETRAHEDRON_REPEATED) {
    repeat_corners(generator, q);
    if (one_in(generator, 2)) repeat_corners(generator, p);
    return;
  }
  make_flat(generator, q);
  if (kind == TETRAHEDRON_FLAT) return;
  if (one_in(generator, 2)) {
    /* In one plane: q takes over two directions of p. */
    for (int corner = 0; corner < 4; ++corner) {
      const int u = between(generator, -3, 3), v = between(generator, -3, 3);
      for (int axis = 0; axis < 3; ++axis)
        q[3 * corner + axis] = p[axis] + u * (p[3 + axis] - p[axis]) + v * (p[6 + axis] - p[axis]);
    }
  }
  make_flat(generator, p);
}

static void generate_scaled(pair_generator *generator, tetrahedron_kind kind, double p[COORDINATES],
                            double q[COORDINATES]) {
  static const tetrahedron_kind exact[] = {TETRAHEDRON_SMALL_LATTICE,  TETRAHEDRON_PLANE_TOUCH,
                                           TETRAHEDRON_CORNER_ON_FACE, TETRAHEDRON_EDGE_ON_EDGE,
                                           TETRAHEDRON_PLANE_JITTER,   TETRAHEDRON_BOTH_FLAT};
  if (kind == TETRAHEDRON_SCALED) {
    double factor = 1.0 + 0.5 * pair_generator_coordinate(generator);
    for (int power = between(generator, -30, 30); power != 0; power += power > 0 ? -1 : 1)
      factor *= power > 0 ? 10.0 : 0.1;
    scale_pair(factor, p, q);
  } else if (kind == TETRAHEDRON_SCALED_EXACT) {
    tetrahedron_pair_generate(generator, exact[pair_generator_below(generator, 6)], p, q);
    scale_pair(ldexp(1.0, between(generator, -900, 900)), p, q);
  } else {
    fill_lattice(generator, 6, p);
    fill_lattice(generator, 6, q);
    scale_pair(ldexp(1.0, between(generator, -1074, -1060)), p, q);
  }
}

void tetrahedron_pair_generate(pair_generator *generator, tetrahedron_kind kind, double p[COORDINATES],
                               double q[COORDINATES]) {
  fill_general(generator, p);
  fill_general(generator, q);
  switch (kind) {
  case TETRAHEDRON_GENERAL:
    break;
  case TETRAHEDRON_SMALL_LATTICE:
  case TETRAHEDRON_LATTICE_JITTER:
    fill_lattice(generator, 4, p);
    fill_lattice(generator, 4, q);
    break;
  case TETRAHEDRON_TINY_LATTICE:
    fill_lattice(generator, 3, p);
    fill_lattice(generator, 3, q);
    break;
  case TETRAHEDRON_WIDE_LATTICE:
    fill_lattice(generator, 1000, p);
    fill_lattice(generator, 1000, q);
    break;
  case TETRAHEDRON_FLOAT_MESH:
    for (int i = 0; i < COORDINATES; ++i) {
      p[i] = (float)p[i];
      q[i] = (float)(0.5 * q[i] + 0.5 * (p[i % 3] + p[3 + i % 3]));
    }
    break;
  case TETRAHEDRON_ONE_CORNER:
  case TETRAHEDRON_TWO_CORNERS:
  case TETRAHEDRON_THREE_CORNERS:
  case TETRAHEDRON_FOUR_CORNERS:
  case TETRAHEDRON_CORNER_ON_FACE:
  case TETRAHEDRON_EDGE_ON_EDGE:
  case TETRAHEDRON_CONTAINED:
    generate_touching(generator, kind, p, q);
    break;
  case TETRAHEDRON_PLANE_TOUCH:
  case TETRAHEDRON_PLANE_JITTER:
    fill_plane_touch(generator, p, q);
    break;
  case TETRAHEDRON_SLIVER:
    make_sliver(generator, p);
    if (one_in(generator, 2)) make_sliver(generator, q);
    break;
  case TETRAHEDRON_FLAT:
  case TETRAHEDRON_BOTH_FLAT:
  case TETRAHEDRON_REPEATED:
    generate_degenerate(generator, kind, p, q);
    break;
  case TETRAHEDRON_SCALED:
  case TETRAHEDRON_SCALED_EXACT:
  case TETRAHEDRON_SUBNORMAL:
    generate_scaled(generator, kind, p, q);
    break;
  case TETRAHEDRON_MIXED:
    scatter_exponents(generator, -40, 40, p);
    scatter_exponents(generator, -40, 40, q);
    break;
  case TETRAHEDRON_EXTREME:
    scatter_exponents(generator, -1074, 1023, p);
    scatter_exponents(generator, -1074, 1023, q);
    break;
  case TETRAHEDRON_KIND_COUNT:
    break;
  }
  if (kind == TETRAHEDRON_LATTICE_JITTER || kind == TETRAHEDRON_PLANE_JITTER)
    move_one_bit(generator, one_in(generator, 2) ? p : q);
  shuffle(generator, p);
  shuffle(generator, q);
}
