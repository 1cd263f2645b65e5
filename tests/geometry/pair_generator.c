/* Generates triangle pairs. Exact degeneracies come from integers: a weighted mean of corners with weights that are
 * multiples of 1/8 is exact if the corners are integers below 2^40. Scaling by powers of two preserves them; one-bit
 * jitter breaks them by the smallest amount. */
#include "pair_generator.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

GENERATOR_KIND_TABLES(pair_kind, PAIR_KIND_LIST)

/* Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014. */
uint64_t pair_generator_next(pair_generator *generator) {
  uint64_t z = generator->state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

uint32_t pair_generator_below(pair_generator *generator, uint32_t bound) {
  return (uint32_t)(((pair_generator_next(generator) >> 32) * bound) >> 32);
}

int pair_generator_between(pair_generator *generator, int least, int most) {
  return least + (int)pair_generator_below(generator, (uint32_t)(most - least + 1));
}

double pair_generator_coordinate(pair_generator *generator) {
  return (double)(pair_generator_next(generator) >> 11) * 0x1p-52 - 1.0;
}

static int between(pair_generator *generator, int low, int high) {
  return low + (int)pair_generator_below(generator, (uint32_t)(high - low + 1));
}

static void fill_general(pair_generator *generator, double p[9]) {
  for (int i = 0; i < 9; ++i) p[i] = pair_generator_coordinate(generator);
}

static void fill_lattice(pair_generator *generator, int size, double p[9]) {
  for (int i = 0; i < 9; ++i) p[i] = between(generator, 0, size - 1);
}

static void copy_corner(const double *from, double *to) {
  memcpy(to, from, 3 * sizeof *to);
}

static double *random_corner(pair_generator *generator, double p[9]) {
  return p + 3 * pair_generator_below(generator, 3);
}

static void move_one_bit(pair_generator *generator, double p[9]) {
  double *value = &p[pair_generator_below(generator, 9)];
  *value = nextafter(*value, pair_generator_below(generator, 2) == 0 ? -HUGE_VAL : HUGE_VAL);
}

/* A corner of q at a point of p with weights of eighths: inside, on an edge, or at a corner. */
static void put_corner_on_face(pair_generator *generator, const double p[9], double *corner) {
  const int first = between(generator, 0, 8), second = between(generator, 0, 8 - first);
  for (int axis = 0; axis < 3; ++axis)
    corner[axis] = (first * p[axis] + second * p[3 + axis] + (8 - first - second) * p[6 + axis]) / 8.0;
}

/* Two corners of q on a line through a point of an edge of p, that point inside or at the end of the edge between them.
 */
static void put_edge_on_edge(pair_generator *generator, const double p[9], double q[9]) {
  const int weight = between(generator, 0, 8), before = between(generator, 0, 4), after = between(generator, 0, 4);
  for (int axis = 0; axis < 3; ++axis) {
    const double touch = (weight * p[axis] + (8 - weight) * p[3 + axis]) / 8.0;
    const int way = between(generator, -100, 100);
    q[axis] = touch - before * way;
    q[3 + axis] = touch + after * way;
  }
}

static void fill_coplanar(pair_generator *generator, double p[9], double q[9]) {
  int coordinates[3][3];
  for (int i = 0; i < 9; ++i) coordinates[i / 3][i % 3] = between(generator, -50, 50);
  const int size = pair_generator_below(generator, 2) == 0 ? 4 : 40;
  const double unit = pair_generator_below(generator, 2) == 0 ? 1.0 : 0x1p-10;
  for (int corner = 0; corner < 6; ++corner) {
    const int u = between(generator, 0, size), v = between(generator, 0, size);
    double *point = corner < 3 ? p + 3 * corner : q + 3 * (corner - 3);
    for (int axis = 0; axis < 3; ++axis)
      point[axis] = unit * (coordinates[0][axis] + u * coordinates[1][axis] + v * coordinates[2][axis]);
  }
}

/* Long in one direction, 1e-8 of that in another; q is thrown across it. */
static void fill_needles(pair_generator *generator, double p[9], double q[9]) {
  fill_general(generator, p);
  fill_general(generator, q);
  double *thin[2] = {p, q};
  for (int i = 0; i < 2; ++i) {
    const double along = 0.5 + 0.5 * pair_generator_coordinate(generator);
    for (int axis = 0; axis < 3; ++axis)
      thin[i][6 + axis] =
          thin[i][axis] + along * (thin[i][3 + axis] - thin[i][axis]) + 1e-8 * pair_generator_coordinate(generator);
  }
  if (pair_generator_below(generator, 2) == 0) return;
  const double weight = pair_generator_coordinate(generator);
  for (int axis = 0; axis < 3; ++axis) {
    const double shift = p[axis] + 0.5 * (1 + weight) * (p[3 + axis] - p[axis]) - 0.5 * (q[axis] + q[3 + axis]);
    for (int corner = 0; corner < 3; ++corner) q[3 * corner + axis] += shift;
  }
}

static void make_segment(pair_generator *generator, double p[9]) {
  const int kind = between(generator, 0, 2);
  double *third = p + 6;
  if (kind == 0) copy_corner(p, third);
  for (int axis = 0; kind == 1 && axis < 3; ++axis) third[axis] = 2.0 * p[3 + axis] - p[axis];
  for (int axis = 0; kind == 2 && axis < 3; ++axis) third[axis] = 0.5 * (p[axis] + p[3 + axis]);
}

static void make_point(double p[9]) {
  copy_corner(p, p + 3);
  copy_corner(p, p + 6);
}

static void scale_pair(double factor, double p[9], double q[9]) {
  for (int i = 0; i < 9; ++i) {
    p[i] *= factor;
    q[i] *= factor;
  }
}

static void scatter_exponents(pair_generator *generator, int low, int high, double p[9]) {
  for (int i = 0; i < 9; ++i) {
    if (pair_generator_below(generator, 4) == 0) p[i] = between(generator, -1, 1);
    p[i] = ldexp(p[i], between(generator, low, high));
  }
}

static void generate_touching(pair_generator *generator, pair_kind kind, double p[9], double q[9]) {
  const bool on_lattice = pair_generator_below(generator, 2) == 0;
  if (on_lattice) {
    fill_lattice(generator, 200, p);
    fill_lattice(generator, 200, q);
  } else {
    fill_general(generator, p);
    fill_general(generator, q);
  }
  if (kind == PAIR_CORNER_ON_CORNER) {
    const double *from = random_corner(generator, p); /* first: compilers order arguments as they like */
    copy_corner(from, random_corner(generator, q));
  }
  if (kind == PAIR_TWO_CORNERS || kind == PAIR_THREE_CORNERS) {
    copy_corner(p, q + 3);
    copy_corner(p + 3, q);
  }
  if (kind == PAIR_THREE_CORNERS) copy_corner(p + 6, q + 6);
  if (kind == PAIR_CORNER_ON_FACE) put_corner_on_face(generator, p, random_corner(generator, q));
  if (kind == PAIR_EDGE_ON_EDGE) put_edge_on_edge(generator, p, q);
}

static void generate_degenerate(pair_generator *generator, pair_kind kind, double p[9], double q[9]) {
  const int size = pair_generator_below(generator, 2) == 0 ? 4 : 60;
  fill_lattice(generator, size, p);
  fill_lattice(generator, size, q);
  if (pair_generator_below(generator, 3) == 0) fill_coplanar(generator, p, q);
  if (kind == PAIR_POINT || (kind == PAIR_BOTH_DEGENERATE && pair_generator_below(generator, 4) == 0))
    make_point(q);
  else
    make_segment(generator, q);
  if (kind == PAIR_BOTH_DEGENERATE) make_segment(generator, p);
  if (kind == PAIR_POINT && pair_generator_below(generator, 2) == 0) {
    put_corner_on_face(generator, p, q);
    make_point(q);
  }
}

static void generate_scaled(pair_generator *generator, pair_kind kind, double p[9], double q[9]) {
  static const pair_kind exact[] = {PAIR_SMALL_LATTICE, PAIR_COPLANAR, PAIR_CORNER_ON_FACE, PAIR_EDGE_ON_EDGE,
                                    PAIR_COPLANAR_JITTER};
  pair_generate(generator, kind == PAIR_SCALED ? PAIR_GENERAL : exact[pair_generator_below(generator, 5)], p, q);
  if (kind == PAIR_SCALED) {
    double factor = 1.0 + 0.5 * pair_generator_coordinate(generator);
    for (int power = between(generator, -30, 30); power != 0; power += power > 0 ? -1 : 1)
      factor *= power > 0 ? 10.0 : 0.1;
    scale_pair(factor, p, q);
  } else if (kind == PAIR_SCALED_EXACT) {
    scale_pair(ldexp(1.0, between(generator, -900, 900)), p, q);
  } else {
    fill_lattice(generator, 6, p);
    fill_lattice(generator, 6, q);
    scale_pair(ldexp(1.0, between(generator, -1074, -1060)), p, q);
  }
}

void pair_generate(pair_generator *generator, pair_kind kind, double p[9], double q[9]) {
  fill_general(generator, p);
  fill_general(generator, q);
  switch (kind) {
  case PAIR_GENERAL:
    break;
  case PAIR_SMALL_LATTICE:
  case PAIR_LATTICE_JITTER:
    fill_lattice(generator, 4, p);
    fill_lattice(generator, 4, q);
    break;
  case PAIR_FLAT_LATTICE:
    fill_lattice(generator, 5, p);
    fill_lattice(generator, 5, q);
    for (int i = 2; i < 9; i += 3) {
      p[i] = between(generator, 0, 9) == 0 ? 1.0 : 0.0;
      q[i] = between(generator, 0, 9) == 0 ? 1.0 : 0.0;
    }
    break;
  case PAIR_WIDE_LATTICE:
    fill_lattice(generator, 1000, p);
    fill_lattice(generator, 1000, q);
    break;
  case PAIR_FLOAT_MESH:
    for (int i = 0; i < 9; ++i) {
      p[i] = (float)p[i];
      q[i] = (float)(0.25 * q[i] + 0.5 * (p[i % 3] + p[3 + i % 3]));
    }
    break;
  case PAIR_CORNER_ON_CORNER:
  case PAIR_TWO_CORNERS:
  case PAIR_THREE_CORNERS:
  case PAIR_CORNER_ON_FACE:
  case PAIR_EDGE_ON_EDGE:
    generate_touching(generator, kind, p, q);
    break;
  case PAIR_COPLANAR:
  case PAIR_COPLANAR_JITTER:
    fill_coplanar(generator, p, q);
    break;
  case PAIR_NEEDLE:
    fill_needles(generator, p, q);
    break;
  case PAIR_SEGMENT:
  case PAIR_POINT:
  case PAIR_BOTH_DEGENERATE:
    generate_degenerate(generator, kind, p, q);
    break;
  case PAIR_SCALED:
  case PAIR_SCALED_EXACT:
  case PAIR_SUBNORMAL:
    generate_scaled(generator, kind, p, q);
    break;
  case PAIR_MIXED:
    scatter_exponents(generator, -40, 40, p);
    scatter_exponents(generator, -40, 40, q);
    break;
  case PAIR_EXTREME:
    scatter_exponents(generator, -1074, 1023, p);
    scatter_exponents(generator, -1074, 1023, q);
    break;
  case PAIR_KIND_COUNT:
    break;
  }
  if (kind == PAIR_COPLANAR_JITTER || kind == PAIR_LATTICE_JITTER)
    move_one_bit(generator, pair_generator_below(generator, 2) == 0 ? p : q);
  if (kind == PAIR_COPLANAR_JITTER && pair_generator_below(generator, 2) == 0) move_one_bit(generator, q);
}
