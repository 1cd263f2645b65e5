/* Generates pairs at known distances. Exact pairs are made of small integers, then scaled by a power of two; one in
 * four has one bit changed, unless the caller requests the distance. */
#include "near_generator.h"

#include "tetrahedron_generator.h"

#include <math.h>
#include <string.h>

GENERATOR_KIND_TABLES(near_kind, NEAR_KIND_LIST)

/* An integer vector of integral length, which is returned. */
static int choose_normal(pair_generator *generator, int normal_out[3]) {
  static const int quadruples[12][4] = {{0, 0, 1, 1},   {0, 3, 4, 5},   {1, 2, 2, 3},    {2, 3, 6, 7},
                                        {1, 4, 8, 9},   {4, 4, 7, 9},   {2, 6, 9, 11},   {6, 6, 7, 11},
                                        {3, 4, 12, 13}, {2, 5, 14, 15}, {2, 10, 11, 15}, {0, 5, 12, 13}};
  const int *chosen = quadruples[pair_generator_below(generator, 12)];
  const int turn = pair_generator_between(generator, 0, 2);
  for (int axis = 0; axis < 3; ++axis) {
    const int sign = pair_generator_below(generator, 2) == 0 ? 1 : -1;
    normal_out[(axis + turn) % 3] = sign * chosen[axis];
  }
  return chosen[3];
}

static void choose_across(pair_generator *generator, const int normal[3], double way_out[3]) {
  int t[3];
  for (int axis = 0; axis < 3; ++axis) t[axis] = pair_generator_between(generator, -3, 3);
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    way_out[axis] = normal[next] * t[last] - normal[last] * t[next];
  }
}

/* Corners with a point in the origin, and else where side * n.x >= 0; half of the others across n. */
static void make_side(pair_generator *generator, const int normal[3], int side, uint32_t count, double *corners) {
  const uint32_t kind = pair_generator_below(generator, 3), used = kind + 1 <= count ? kind + 1 : 1;
  double way[2][3];
  choose_across(generator, normal, way[0]);
  choose_across(generator, normal, way[1]);
  for (uint32_t i = 0; i < 3 * count; ++i) {
    const uint32_t corner = i / 3, axis = i % 3;
    if (corner >= used)
      corners[i] = 0.0;
    else if (used == 1)
      corners[i] = 0.0;
    else if (used == 2)
      corners[i] = corner == 0 ? way[0][axis] : -way[0][axis];
    else
      corners[i] = corner < 2 ? way[corner][axis] : -(way[0][axis] + way[1][axis]);
  }
  for (uint32_t i = used; i < count; ++i) {
    if (pair_generator_below(generator, 2) == 0) {
      choose_across(generator, normal, corners + 3 * i);
      continue;
    }
    double height = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      corners[3 * i + (uint32_t)axis] = pair_generator_between(generator, -20, 20);
      height += normal[axis] * corners[3 * i + (uint32_t)axis];
    }
    for (int axis = 0; axis < 3; ++axis) {
      if (side * height < 0.0) corners[3 * i + (uint32_t)axis] = -corners[3 * i + (uint32_t)axis];
    }
  }
  /* In any order. */
  for (uint32_t i = count - 1; i > 0; --i) {
    const uint32_t other = pair_generator_below(generator, i + 1);
    for (uint32_t axis = 0; axis < 3; ++axis) {
      const double kept = corners[3 * i + axis];
      corners[3 * i + axis] = corners[3 * other + axis];
      corners[3 * other + axis] = kept;
    }
  }
}

static void scale_pair(cell_pair *pair, int exponent) {
  for (uint32_t i = 0; i < 3 * pair->p_count; ++i) pair->p[i] = ldexp(pair->p[i], exponent);
  for (uint32_t i = 0; i < 3 * pair->q_count; ++i) pair->q[i] = ldexp(pair->q[i], exponent);
}

double near_pair_generate_exact(pair_generator *generator, uint32_t p_count, uint32_t q_count, cell_pair *pair) {
  int normal[3];
  const int length = choose_normal(generator, normal), times = pair_generator_between(generator, 0, 3);
  const int exponents[8] = {0, 0, 0, -30, 40, -900, 900, -1074};
  const int exponent = exponents[pair_generator_below(generator, 8)];
  pair->p_count = p_count;
  pair->q_count = q_count;
  make_side(generator, normal, -1, p_count, pair->p);
  make_side(generator, normal, 1, q_count, pair->q);
  for (int axis = 0; axis < 3; ++axis) {
    const double way = pair_generator_between(generator, -30, 30);
    for (uint32_t i = 0; i < p_count; ++i) pair->p[3 * i + (uint32_t)axis] += way;
    for (uint32_t i = 0; i < q_count; ++i) pair->q[3 * i + (uint32_t)axis] += way + times * normal[axis];
  }
  scale_pair(pair, exponent);
  return ldexp((double)times * length, exponent);
}

static void move_one_bit(pair_generator *generator, cell_pair *pair) {
  const uint32_t place = pair_generator_below(generator, 3 * (pair->p_count + pair->q_count));
  double *moved = place < 3 * pair->p_count ? pair->p + place : pair->q + (place - 3 * pair->p_count);
  *moved = nextafter(*moved, pair_generator_below(generator, 2) == 0 ? HUGE_VAL : -HUGE_VAL);
}

static pair_kind choose_pair_kind(pair_generator *generator) {
  uint32_t at = pair_generator_below(generator, 1000), kind = 0;
  while (kind + 1 < PAIR_KIND_COUNT && at >= pair_kind_share((pair_kind)kind)) at -= pair_kind_share((pair_kind)kind++);
  return (pair_kind)kind;
}

static void make_exact(pair_generator *generator, uint32_t p_count, uint32_t q_count, cell_pair *pair) {
  near_pair_generate_exact(generator, p_count, q_count, pair);
  if (pair_generator_below(generator, 4) == 0) move_one_bit(generator, pair);
}

void near_pair_generate(pair_generator *generator, near_kind kind, cell_pair *pair) {
  memset(pair, 0, sizeof *pair);
  pair->p_count = pair->q_count = 3;
  switch (kind) {
  case NEAR_KIND_TRIANGLES:
    pair_generate(generator, choose_pair_kind(generator), pair->p, pair->q);
    break;
  case NEAR_KIND_EXACT_TRIANGLES:
    make_exact(generator, 3, 3, pair);
    break;
  case NEAR_KIND_EXACT_HULLS: {
    const uint32_t p_count = 1 + pair_generator_below(generator, 6), q_count = 1 + pair_generator_below(generator, 6);
    make_exact(generator, p_count, q_count, pair);
    break;
  }
  case NEAR_KIND_TETRAHEDRA:
  case NEAR_KIND_MIXED:
    pair->p_count = kind == NEAR_KIND_MIXED ? 3 : 4;
    pair->q_count = 4;
    tetrahedron_pair_generate(generator, tetrahedron_kind_choose(generator), pair->p, pair->q);
    break;
  case NEAR_KIND_POINTS:
    pair->p_count = 1;
    pair->q_count = 1 + pair_generator_below(generator, 4);
    tetrahedron_pair_generate(generator, tetrahedron_kind_choose(generator), pair->p, pair->q);
    break;
  default:
    cell_pair_generate(generator, (cell_kind)pair_generator_below(generator, CELL_KIND_COUNT), pair);
    pair->p_count = pair->p_count < 8 ? pair->p_count : 8;
    pair->q_count = pair->q_count < 8 ? pair->q_count : 8;
    break;
  }
}
