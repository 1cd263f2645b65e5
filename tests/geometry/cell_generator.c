/* Generates pairs of cells. Lattices as small as 3 make touching, coplanar and common corners frequent. Cells are sets
 * of corners, so any points are a cell; boxes, prisms and pyramids add the parallel faces that random points lack. */
#include "cell_generator.h"

#include <math.h>

static const char *const kind_words[CELL_KIND_COUNT] = {
#define CELL_KIND_WORDS(name, words, share, is_lattice) words,
    CELL_KIND_LIST(CELL_KIND_WORDS)
#undef CELL_KIND_WORDS
};

static const uint32_t kind_share[CELL_KIND_COUNT] = {
#define CELL_KIND_SHARE(name, words, share, is_lattice) share,
    CELL_KIND_LIST(CELL_KIND_SHARE)
#undef CELL_KIND_SHARE
};

static const bool kind_is_lattice[CELL_KIND_COUNT] = {
#define CELL_KIND_LATTICE(name, words, share, is_lattice) is_lattice,
    CELL_KIND_LIST(CELL_KIND_LATTICE)
#undef CELL_KIND_LATTICE
};

const char *cell_kind_words(cell_kind kind) {
  return kind_words[kind];
}

uint32_t cell_kind_share(cell_kind kind) {
  return kind_share[kind];
}

bool cell_kind_is_lattice(cell_kind kind) {
  return kind_is_lattice[kind];
}

static void fill_lattice(pair_generator *generator, int size, uint32_t count, double *points) {
  for (uint32_t i = 0; i < 3 * count; ++i) points[i] = pair_generator_between(generator, 0, size);
}

static void shift(const int by[3], uint32_t count, double *points) {
  for (uint32_t i = 0; i < 3 * count; ++i) points[i] += by[i % 3];
}

/* Moves q by up to `reach` an axis, so that pairs overlap, touch and miss about as often as each other. */
static void shift_second(pair_generator *generator, int reach, cell_pair *pair) {
  const int by[3] = {pair_generator_between(generator, -reach, reach), pair_generator_between(generator, -reach, reach),
                     pair_generator_between(generator, -reach, reach)};
  shift(by, pair->q_count, pair->q);
}

static void make_lattice(pair_generator *generator, int size, int least, int most, cell_pair *pair) {
  pair->p_count = (uint32_t)pair_generator_between(generator, least, most);
  pair->q_count = (uint32_t)pair_generator_between(generator, least, most);
  fill_lattice(generator, size, pair->p_count, pair->p);
  fill_lattice(generator, size, pair->q_count, pair->q);
  shift_second(generator, size + 1, pair);
}

static uint32_t make_box(pair_generator *generator, double *points) {
  const int low[3] = {pair_generator_between(generator, 0, 4), pair_generator_between(generator, 0, 4),
                      pair_generator_between(generator, 0, 4)};
  const int side[3] = {pair_generator_between(generator, 0, 3), pair_generator_between(generator, 1, 3),
                       pair_generator_between(generator, 1, 3)};
  for (int corner = 0; corner < 8; ++corner) {
    for (int axis = 0; axis < 3; ++axis) points[3 * corner + axis] = low[axis] + (corner >> axis & 1) * side[axis];
  }
  return 8;
}

/* A polygon in a slanted lattice plane, and the same moved (prism) or one point (pyramid). */
static uint32_t make_prism(pair_generator *generator, double *points) {
  const uint32_t around = (uint32_t)pair_generator_between(generator, 3, 6);
  const bool is_prism = pair_generator_below(generator, 2) == 0;
  int coordinates[3][3];
  for (int i = 0; i < 9; ++i) coordinates[i / 3][i % 3] = pair_generator_between(generator, -3, 3);
  for (uint32_t i = 0; i < around; ++i) {
    const int u = pair_generator_between(generator, 0, 3), v = pair_generator_between(generator, 0, 3);
    for (uint32_t axis = 0; axis < 3; ++axis) {
      points[3 * i + axis] = u * coordinates[0][axis] + v * coordinates[1][axis];
      points[3 * (around + i) + axis] = points[3 * i + axis] + coordinates[2][axis];
    }
  }
  return is_prism ? 2 * around : around + 1;
}

static void make_flat(pair_generator *generator, cell_pair *pair) {
  int coordinates[2][3];
  for (int i = 0; i < 6; ++i) coordinates[i / 3][i % 3] = pair_generator_between(generator, -3, 3);
  pair->p_count = (uint32_t)pair_generator_between(generator, 3, 10);
  pair->q_count = (uint32_t)pair_generator_between(generator, 1, 10);
  const int reach = pair_generator_between(generator, 0, 4);
  for (uint32_t i = 0; i < pair->p_count + pair->q_count; ++i) {
    const bool in_q = i >= pair->p_count;
    double *point = in_q ? pair->q + 3 * (i - pair->p_count) : pair->p + 3 * i;
    const int u = pair_generator_between(generator, 0, 4) + (in_q ? reach : 0),
              v = pair_generator_between(generator, 0, 4);
    for (int axis = 0; axis < 3; ++axis) point[axis] = u * coordinates[0][axis] + v * coordinates[1][axis];
  }
  if (pair_generator_below(generator, 3) == 0) shift_second(generator, 1, pair);
  if (pair_generator_below(generator, 3) == 0) fill_lattice(generator, 4, pair->q_count, pair->q);
}

/* A large box around a small set, in it, on its wall from within or just outside. */
static void make_nested(pair_generator *generator, cell_pair *pair) {
  pair->p_count = 8;
  for (int i = 0; i < 24; ++i) pair->p[i] = (i / 3 >> i % 3 & 1) * 10;
  pair->q_count = (uint32_t)pair_generator_between(generator, 1, 8);
  fill_lattice(generator, 2, pair->q_count, pair->q);
  const int by[3] = {pair_generator_between(generator, -3, 11), pair_generator_between(generator, 0, 8),
                     pair_generator_between(generator, 0, 8)};
  shift(by, pair->q_count, pair->q);
}

static void make_general(pair_generator *generator, cell_pair *pair) {
  pair->p_count = (uint32_t)pair_generator_between(generator, 4, 20);
  pair->q_count = (uint32_t)pair_generator_between(generator, 4, 20);
  const double reach = 1.5 * pair_generator_coordinate(generator);
  for (uint32_t i = 0; i < 3 * pair->p_count; ++i) pair->p[i] = pair_generator_coordinate(generator);
  for (uint32_t i = 0; i < 3 * pair->q_count; ++i)
    pair->q[i] = 0.7 * pair_generator_coordinate(generator) + (i % 3 == 0 ? reach : 0.5 * reach);
}

static void move_one_bit(pair_generator *generator, cell_pair *pair) {
  double *value = pair->q + pair_generator_below(generator, 3 * pair->q_count);
  *value = nextafter(*value, pair_generator_below(generator, 2) == 0 ? 100.0 : -100.0);
}

static void make_needles(pair_generator *generator, cell_pair *pair) {
  make_general(generator, pair);
  double way[2][3];
  for (int i = 0; i < 6; ++i) way[i / 3][i % 3] = pair_generator_coordinate(generator);
  for (uint32_t i = 0; i < pair->p_count + pair->q_count; ++i) {
    const bool in_q = i >= pair->p_count;
    double *point = in_q ? pair->q + 3 * (i - pair->p_count) : pair->p + 3 * i;
    const double along = pair_generator_coordinate(generator);
    for (int axis = 0; axis < 3; ++axis) point[axis] = way[in_q][axis] * along + 1e-8 * point[axis];
  }
}

/* q is moved so that a corner of it falls on the mean of three corners of p, up to rounding. */
static void make_rounded_touch(pair_generator *generator, cell_pair *pair) {
  make_general(generator, pair);
  const double *a = pair->p, *b = pair->p + 3, *c = pair->p + 6;
  double by[3];
  for (int axis = 0; axis < 3; ++axis) by[axis] = (a[axis] + b[axis] + c[axis]) / 3.0 - pair->q[axis];
  for (uint32_t i = 0; i < 3 * pair->q_count; ++i) pair->q[i] += by[i % 3];
  pair->p_count = 3 + pair_generator_below(generator, 2);
  pair->q_count = 1 + pair_generator_below(generator, 4);
}

static void scale(double factor, cell_pair *pair) {
  for (uint32_t i = 0; i < 3 * pair->p_count; ++i) pair->p[i] *= factor;
  for (uint32_t i = 0; i < 3 * pair->q_count; ++i) pair->q[i] *= factor;
}

/* In units of 2^-20 at 10^6 and more: every difference is exact, and no more than 20 bits remain of a coordinate. */
static void make_far(pair_generator *generator, cell_pair *pair) {
  make_lattice(generator, 6, 4, 12, pair);
  const double place = 1048576.0 * pair_generator_between(generator, 1, 1000);
  for (uint32_t i = 0; i < 3 * pair->p_count; ++i) pair->p[i] = place + 0x1p-20 * pair->p[i];
  for (uint32_t i = 0; i < 3 * pair->q_count; ++i) pair->q[i] = place + 0x1p-20 * pair->q[i];
}

static void scatter_exponents(pair_generator *generator, uint32_t count, double *values) {
  for (uint32_t i = 0; i < count; ++i) {
    if (pair_generator_below(generator, 3) == 0) values[i] = pair_generator_between(generator, -1, 1);
    if (pair_generator_below(generator, 2) == 0)
      values[i] = ldexp(values[i], pair_generator_between(generator, -1074, 1022));
  }
}

static double decimal_scale(pair_generator *generator, int reach) {
  double factor = 1.0;
  for (int power = pair_generator_between(generator, -reach, reach); power != 0; power += power > 0 ? -1 : 1)
    factor *= power > 0 ? 10.0 : 0.1;
  return factor;
}

void cell_pair_generate(pair_generator *generator, cell_kind kind, cell_pair *pair) {
  switch (kind) {
  case CELL_TINY_LATTICE:
    make_lattice(generator, 3, 4, 9, pair);
    break;
  case CELL_LATTICE:
    make_lattice(generator, 6, 4, 20, pair);
    break;
  case CELL_WIDE_LATTICE:
    make_lattice(generator, 200, 4, 20, pair);
    break;
  case CELL_BOXES:
    pair->p_count = make_box(generator, pair->p);
    pair->q_count = make_box(generator, pair->q);
    break;
  case CELL_PRISMS:
    pair->p_count = make_prism(generator, pair->p);
    pair->q_count =
        pair_generator_below(generator, 3) == 0 ? make_box(generator, pair->q) : make_prism(generator, pair->q);
    shift_second(generator, 6, pair);
    break;
  case CELL_FLAT:
    make_flat(generator, pair);
    break;
  case CELL_SMALL_SETS:
    make_lattice(generator, 3, 1, 4, pair);
    break;
  case CELL_NESTED:
    make_nested(generator, pair);
    break;
  case CELL_LARGE:
    make_lattice(generator, 8, 20, CELL_CORNERS, pair);
    break;
  case CELL_ONE_BIT:
    cell_pair_generate(generator, (cell_kind)pair_generator_below(generator, CELL_GENERAL), pair);
    move_one_bit(generator, pair);
    break;
  case CELL_FAR:
    make_far(generator, pair);
    break;
  case CELL_EXTREME:
    make_general(generator, pair);
    pair->p_count /= 2;
    pair->q_count /= 2;
    scatter_exponents(generator, 3 * pair->p_count, pair->p);
    scatter_exponents(generator, 3 * pair->q_count, pair->q);
    break;
  case CELL_NEEDLES:
    make_needles(generator, pair);
    break;
  case CELL_ROUNDED_TOUCH:
    make_rounded_touch(generator, pair);
    break;
  case CELL_SCALED_EXACT:
    cell_pair_generate(generator, (cell_kind)pair_generator_below(generator, CELL_GENERAL), pair);
    scale(ldexp(1.0, pair_generator_between(generator, -1000, 1000)), pair);
    break;
  case CELL_SCALED:
    make_general(generator, pair);
    scale(decimal_scale(generator, 300), pair);
    break;
  case CELL_SUBNORMAL:
    cell_pair_generate(generator, (cell_kind)pair_generator_below(generator, CELL_GENERAL), pair);
    scale(ldexp(1.0, pair_generator_between(generator, -1074, -1060)), pair);
    break;
  default:
    make_general(generator, pair);
    break;
  }
}
