/* The simplex method on integers. The coordinates are taken in units of their smallest bit, so all are integers;
 * pivoting divides by the previous pivot, which is exact because every entry is a minor of the first tableau (Edmonds,
 * "Systems of distinct representatives and linear algebra", 1967). Bland's rule keeps it from cycling ("New finite
 * pivoting rules for the simplex method", 1977). */
#include "rational_oracle.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>

enum { ROW_COUNT = 5, OBJECTIVE = 5, MOST_COLUMNS = 2 * RATIONAL_ORACLE_MOST_POINTS - 2 };
enum { COORDINATE_COUNT = 6 * RATIONAL_ORACLE_MOST_POINTS };

/* Variables: 0 to 2 are the distances from equality an axis, which must come down to zero; then the weights of p; then
 * those of q. The weights of the first points are basic at first, the others are the columns; behind the last column
 * stands the constant. */
struct rational_oracle {
  mpz_t coordinate[COORDINATE_COUNT];
  mpz_t table[ROW_COUNT + 1][MOST_COLUMNS + 1]; /* basic variable * denominator = constant + sum of entry * column */
  mpz_t denominator, scratch, other;
  int basic[ROW_COUNT], column[MOST_COLUMNS];
  int p_count, q_count, constant;
};

rational_oracle *rational_oracle_create(void) {
  rational_oracle *oracle = malloc(sizeof *oracle);
  if (oracle == NULL) abort();
  for (int i = 0; i < COORDINATE_COUNT; ++i) mpz_init(oracle->coordinate[i]);
  for (int i = 0; i <= ROW_COUNT; ++i) {
    for (int j = 0; j <= MOST_COLUMNS; ++j) mpz_init(oracle->table[i][j]);
  }
  mpz_inits(oracle->denominator, oracle->scratch, oracle->other, NULL);
  return oracle;
}

void rational_oracle_destroy(rational_oracle *oracle) {
  for (int i = 0; i < COORDINATE_COUNT; ++i) mpz_clear(oracle->coordinate[i]);
  for (int i = 0; i <= ROW_COUNT; ++i) {
    for (int j = 0; j <= MOST_COLUMNS; ++j) mpz_clear(oracle->table[i][j]);
  }
  mpz_clears(oracle->denominator, oracle->scratch, oracle->other, NULL);
  free(oracle);
}

static int lowest_exponent(double value) {
  int exponent;
  double fraction = frexp(value, &exponent);
  while (fraction != floor(fraction)) {
    fraction *= 2.0;
    exponent -= 1;
  }
  return exponent;
}

static void load_coordinates(rational_oracle *oracle, const double *const *points, int point_count, int dimension) {
  int unit = 2000;
  for (int i = 0; i < point_count * dimension; ++i) {
    const double value = points[i / dimension][i % dimension];
    if (value != 0.0 && lowest_exponent(value) < unit) unit = lowest_exponent(value);
  }
  for (int i = 0; i < point_count * dimension; ++i) {
    int exponent;
    const double fraction = frexp(points[i / dimension][i % dimension], &exponent);
    mpz_set_d(oracle->coordinate[i], ldexp(fraction, 53));
    if (mpz_sgn(oracle->coordinate[i]) == 0) continue;
    const int shift = exponent - 53 - unit;
    if (shift >= 0)
      mpz_mul_2exp(oracle->coordinate[i], oracle->coordinate[i], (mp_bitcnt_t)shift);
    else
      mpz_tdiv_q_2exp(oracle->coordinate[i], oracle->coordinate[i], (mp_bitcnt_t)-shift);
  }
}

/* p_0 - q_0 + sum of l_i (p_i - p_0) - sum of m_j (q_j - q_0) an axis, turned to have a constant >= 0. */
static void fill_axis_row(rational_oracle *oracle, int axis) {
  mpz_t *row = oracle->table[axis];
  mpz_t *p = oracle->coordinate, *q = oracle->coordinate + 3 * oracle->p_count;
  mpz_sub(row[oracle->constant], p[axis], q[axis]);
  for (int i = 1; i < oracle->p_count; ++i) mpz_sub(*row++, p[3 * i + axis], p[axis]);
  for (int i = 1; i < oracle->q_count; ++i) mpz_sub(*row++, q[axis], q[3 * i + axis]);
  row = oracle->table[axis];
  if (mpz_sgn(row[oracle->constant]) >= 0) return;
  for (int j = 0; j <= oracle->constant; ++j) mpz_neg(row[j], row[j]);
}

static void fill_table(rational_oracle *oracle) {
  const int constant = oracle->constant, p_columns = oracle->p_count - 1;
  for (int axis = 0; axis < 3; ++axis) fill_axis_row(oracle, axis);
  for (int j = 0; j <= constant; ++j) {
    mpz_set_si(oracle->table[3][j], j == constant ? 1 : (j < p_columns ? -1 : 0));
    mpz_set_si(oracle->table[4][j], j == constant ? 1 : (j < p_columns ? 0 : -1));
    mpz_add(oracle->table[OBJECTIVE][j], oracle->table[0][j], oracle->table[1][j]);
    mpz_add(oracle->table[OBJECTIVE][j], oracle->table[OBJECTIVE][j], oracle->table[2][j]);
  }
  const int basic[ROW_COUNT] = {0, 1, 2, 3, 3 + oracle->p_count};
  for (int i = 0; i < ROW_COUNT; ++i) oracle->basic[i] = basic[i];
  for (int j = 0; j < constant; ++j) oracle->column[j] = j < p_columns ? 4 + j : 5 + j;
  mpz_set_si(oracle->denominator, 1);
}

/* The first weight whose growth brings the sum of distances down; -1 when there is none. */
static int entering_column(const rational_oracle *oracle) {
  int best = -1;
  for (int j = 0; j < oracle->constant; ++j) {
    if (oracle->column[j] < 3 || mpz_sgn(oracle->table[OBJECTIVE][j]) >= 0) continue;
    if (best < 0 || oracle->column[j] < oracle->column[best]) best = j;
  }
  return best;
}

/* The variable that reaches zero first; the lowest of several. */
static int leaving_row(rational_oracle *oracle, int column) {
  int best = -1;
  for (int i = 0; i < ROW_COUNT; ++i) {
    mpz_t *row = oracle->table[i];
    if (mpz_sgn(row[column]) >= 0) continue;
    int order = -1;
    if (best >= 0) {
      mpz_mul(oracle->scratch, row[oracle->constant], oracle->table[best][column]);
      mpz_mul(oracle->other, oracle->table[best][oracle->constant], row[column]);
      order = -mpz_cmp(oracle->scratch, oracle->other);
      if (order == 0) order = oracle->basic[i] < oracle->basic[best] ? -1 : 1;
    }
    if (order < 0) best = i;
  }
  return best;
}

static void pivot(rational_oracle *oracle, int row, int column) {
  mpz_t *pivot_row = oracle->table[row];
  mpz_neg(oracle->other, pivot_row[column]);
  for (int i = 0; i <= ROW_COUNT; ++i) {
    if (i == row) continue;
    mpz_t *entry = oracle->table[i];
    for (int j = 0; j <= oracle->constant; ++j) {
      if (j == column) continue;
      mpz_mul(entry[j], entry[j], oracle->other);
      mpz_addmul(entry[j], entry[column], pivot_row[j]);
      mpz_divexact(entry[j], entry[j], oracle->denominator);
    }
    mpz_neg(entry[column], entry[column]);
  }
  mpz_neg(pivot_row[column], oracle->denominator);
  mpz_set(oracle->denominator, oracle->other);
  const int leaving = oracle->basic[row];
  oracle->basic[row] = oracle->column[column];
  oracle->column[column] = leaving;
}

bool rational_oracle_hulls_intersect(rational_oracle *oracle, const double *p, int p_count, const double *q,
                                     int q_count) {
  const double *points[2 * RATIONAL_ORACLE_MOST_POINTS];
  for (int i = 0; i < p_count; ++i) points[i] = p + 3 * i;
  for (int i = 0; i < q_count; ++i) points[p_count + i] = q + 3 * i;
  load_coordinates(oracle, points, p_count + q_count, 3);
  oracle->p_count = p_count;
  oracle->q_count = q_count;
  oracle->constant = p_count + q_count - 2;
  fill_table(oracle);
  while (mpz_sgn(oracle->table[OBJECTIVE][oracle->constant]) != 0) {
    const int column = entering_column(oracle);
    if (column < 0) return false;
    pivot(oracle, leaving_row(oracle, column), column);
  }
  return true;
}

bool rational_oracle_intersects(rational_oracle *oracle, const double p[9], const double q[9]) {
  return rational_oracle_hulls_intersect(oracle, p, 3, q, 3);
}

/* differences[3 * i + axis] = point i + 1 minus point 0. */
static void load_differences(rational_oracle *oracle, const double *const *points, int point_count, int dimension) {
  load_coordinates(oracle, points, point_count, dimension);
  for (int i = point_count * dimension - 1; i >= dimension; --i)
    mpz_sub(oracle->coordinate[i], oracle->coordinate[i], oracle->coordinate[i % dimension]);
}

static void cross(rational_oracle *oracle, mpz_t *u, mpz_t *v, mpz_t *result) {
  for (int axis = 0; axis < 3; ++axis) {
    const int next = (axis + 1) % 3, last = (axis + 2) % 3;
    mpz_mul(oracle->scratch, u[next], v[last]);
    mpz_submul(oracle->scratch, u[last], v[next]);
    mpz_set(result[axis], oracle->scratch);
  }
}

static int dot_sign(rational_oracle *oracle, mpz_t *u, mpz_t *v) {
  mpz_set_si(oracle->scratch, 0);
  for (int axis = 0; axis < 3; ++axis) mpz_addmul(oracle->scratch, u[axis], v[axis]);
  return mpz_sgn(oracle->scratch);
}

int rational_oracle_orientation_3d(rational_oracle *oracle, const double *a, const double *b, const double *c,
                                   const double *d) {
  const double *points[4] = {a, b, c, d};
  load_differences(oracle, points, 4, 3);
  mpz_t *u = oracle->coordinate + 3, *v = u + 3, *w = v + 3, *normal = w + 3;
  cross(oracle, u, v, normal);
  return dot_sign(oracle, normal, w);
}

int rational_oracle_orientation_2d(rational_oracle *oracle, const double *a, const double *b, const double *c) {
  const double *points[3] = {a, b, c};
  load_differences(oracle, points, 3, 2);
  mpz_t *u = oracle->coordinate + 2, *v = u + 2;
  mpz_mul(oracle->scratch, u[0], v[1]);
  mpz_submul(oracle->scratch, u[1], v[0]);
  return mpz_sgn(oracle->scratch);
}

static bool opposite_edge_meets(rational_oracle *oracle, const double p[9], uint32_t corner, const double q[9]) {
  double edge[9];
  for (uint32_t i = 0; i < 9; ++i) edge[i] = p[3 * ((corner + (i < 3 ? 1 : 2)) % 3) + i % 3];
  return rational_oracle_intersects(oracle, edge, q);
}

bool rational_oracle_intersects_beyond(rational_oracle *oracle, const double p[9], const double q[9],
                                       uint32_t shared_count, const uint32_t *p_corners, const uint32_t *q_corners) {
  if (shared_count == 0) return rational_oracle_intersects(oracle, p, q);
  if (shared_count == 1)
    return opposite_edge_meets(oracle, p, p_corners[0], q) || opposite_edge_meets(oracle, q, q_corners[0], p);
  if (shared_count == 3) return false;
  const uint32_t p_third = 3 - p_corners[0] - p_corners[1], q_third = 3 - q_corners[0] - q_corners[1];
  const double *points[4] = {p + 3 * p_corners[0], p + 3 * p_corners[1], p + 3 * p_third, q + 3 * q_third};
  load_differences(oracle, points, 4, 3);
  mpz_t *edge = oracle->coordinate + 3, *p_normal = edge + 3, *q_normal = p_normal + 3, *both = q_normal + 3;
  cross(oracle, edge, p_normal, both + 0);
  cross(oracle, edge, q_normal, both + 3);
  cross(oracle, both, both + 3, p_normal);
  const bool is_parallel = mpz_sgn(p_normal[0]) == 0 && mpz_sgn(p_normal[1]) == 0 && mpz_sgn(p_normal[2]) == 0;
  return is_parallel && dot_sign(oracle, both, both + 3) > 0;
}
