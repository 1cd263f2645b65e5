/* The dictionary has a row for each basic variable and a column for each other: basic * denominator = constant + sum of
 * entry * column. Variables: 0 to 2 are the distances from equality an axis, which must come down to zero; then the
 * weights of p, then those of q. Pivoting divides by the previous pivot, which is exact because every entry is a minor
 * of the first tableau (Edmonds, "Systems of distinct representatives and linear algebra", 1967). Bland's rule keeps it
 * from cycling ("New finite pivoting rules for the simplex method", 1977). */
#include "hull_reference.h"

#include <assert.h>
#include <gmp.h>
#include <math.h>
#include <stdlib.h>

enum { ROW_COUNT = 5, OBJECTIVE = 5, COLUMN_LIMIT = 2 * HULL_REFERENCE_POINTS };

typedef struct numbering {
  uint32_t column_count; /* the constant is the column after the last */
  int basic[ROW_COUNT], column[COLUMN_LIMIT];
} numbering;

struct hull_reference {
  numbering order;
  mpz_t p[3 * HULL_REFERENCE_POINTS], q[3 * HULL_REFERENCE_POINTS];
  mpz_t table[ROW_COUNT + 1][COLUMN_LIMIT + 1];
  mpz_t denominator, scratch, other;
};

static numbering numbering_start(uint32_t p_count, uint32_t q_count) {
  numbering order = {.column_count = p_count + q_count - 2, .basic = {0, 1, 2, 3, 3 + (int)p_count}};
  for (uint32_t i = 1; i < p_count; ++i) order.column[i - 1] = 3 + (int)i;
  for (uint32_t i = 1; i < q_count; ++i) order.column[p_count - 1 + i - 1] = 3 + (int)(p_count + i);
  return order;
}

static void numbering_exchange(numbering *order, int row, int column) {
  const int leaving = order->basic[row];
  order->basic[row] = order->column[column];
  order->column[column] = leaving;
}

hull_reference *hull_reference_create(void) {
  hull_reference *reference = malloc(sizeof *reference);
  if (reference == NULL) abort();
  for (int i = 0; i < 3 * HULL_REFERENCE_POINTS; ++i) mpz_inits(reference->p[i], reference->q[i], NULL);
  for (int i = 0; i <= ROW_COUNT; ++i) {
    for (int j = 0; j <= COLUMN_LIMIT; ++j) mpz_init(reference->table[i][j]);
  }
  mpz_inits(reference->denominator, reference->scratch, reference->other, NULL);
  return reference;
}

void hull_reference_destroy(hull_reference *reference) {
  for (int i = 0; i < 3 * HULL_REFERENCE_POINTS; ++i) mpz_clears(reference->p[i], reference->q[i], NULL);
  for (int i = 0; i <= ROW_COUNT; ++i) {
    for (int j = 0; j <= COLUMN_LIMIT; ++j) mpz_clear(reference->table[i][j]);
  }
  mpz_clears(reference->denominator, reference->scratch, reference->other, NULL);
  free(reference);
}

/* The least exponent of a unit of which all values are multiples. */
static int unit_of(const double *values, uint32_t count, int unit) {
  for (uint32_t i = 0; i < count; ++i) {
    int exponent;
    double fraction = frexp(values[i], &exponent);
    if (fraction == 0.0) continue;
    while (fraction != floor(fraction)) {
      fraction *= 2.0;
      exponent -= 1;
    }
    if (exponent < unit) unit = exponent;
  }
  return unit;
}

static void load(const double *values, uint32_t count, int unit, mpz_t *integers) {
  for (uint32_t i = 0; i < count; ++i) {
    int exponent;
    mpz_set_d(integers[i], ldexp(frexp(values[i], &exponent), 53));
    if (mpz_sgn(integers[i]) == 0) continue;
    const int shift = exponent - 53 - unit;
    if (shift >= 0)
      mpz_mul_2exp(integers[i], integers[i], (mp_bitcnt_t)shift);
    else
      mpz_tdiv_q_2exp(integers[i], integers[i], (mp_bitcnt_t)-shift);
  }
}

/* p_0 - q_0 + sum of l_i (p_i - p_0) - sum of m_j (q_j - q_0) an axis, turned to have a constant >= 0. */
static void fill_axis_row(hull_reference *reference, int axis, uint32_t p_count, uint32_t q_count) {
  mpz_t *row = reference->table[axis];
  const uint32_t columns = reference->order.column_count;
  mpz_sub(row[columns], reference->p[axis], reference->q[axis]);
  for (uint32_t i = 1; i < p_count; ++i) mpz_sub(row[i - 1], reference->p[3 * i + (uint32_t)axis], reference->p[axis]);
  for (uint32_t i = 1; i < q_count; ++i)
    mpz_sub(row[p_count + i - 2], reference->q[axis], reference->q[3 * i + (uint32_t)axis]);
  if (mpz_sgn(row[columns]) >= 0) return;
  for (uint32_t j = 0; j <= columns; ++j) mpz_neg(row[j], row[j]);
}

static void fill_table(hull_reference *reference, uint32_t p_count, uint32_t q_count) {
  reference->order = numbering_start(p_count, q_count);
  const uint32_t columns = reference->order.column_count;
  for (int axis = 0; axis < 3; ++axis) fill_axis_row(reference, axis, p_count, q_count);
  for (uint32_t j = 0; j <= columns; ++j) {
    mpz_set_si(reference->table[3][j], j == columns ? 1 : (j < p_count - 1 ? -1 : 0));
    mpz_set_si(reference->table[4][j], j == columns ? 1 : (j < p_count - 1 ? 0 : -1));
    mpz_add(reference->table[OBJECTIVE][j], reference->table[0][j], reference->table[1][j]);
    mpz_add(reference->table[OBJECTIVE][j], reference->table[OBJECTIVE][j], reference->table[2][j]);
  }
  mpz_set_si(reference->denominator, 1);
}

/* The first weight whose growth brings the sum of distances down; -1 when there is none. */
static int entering_column(const hull_reference *reference) {
  int best = -1;
  for (int j = 0; j < (int)reference->order.column_count; ++j) {
    if (reference->order.column[j] < 3 || mpz_sgn(reference->table[OBJECTIVE][j]) >= 0) continue;
    if (best < 0 || reference->order.column[j] < reference->order.column[best]) best = j;
  }
  return best;
}

/* The variable that reaches zero first; the lowest of several. */
static int leaving_row(hull_reference *reference, int column) {
  const uint32_t constant = reference->order.column_count;
  int best = -1;
  for (int i = 0; i < ROW_COUNT; ++i) {
    mpz_t *row = reference->table[i];
    if (mpz_sgn(row[column]) >= 0) continue;
    int order = -1;
    if (best >= 0) {
      mpz_mul(reference->scratch, row[constant], reference->table[best][column]);
      mpz_mul(reference->other, reference->table[best][constant], row[column]);
      order = -mpz_cmp(reference->scratch, reference->other);
      if (order == 0) order = reference->order.basic[i] < reference->order.basic[best] ? -1 : 1;
    }
    if (order < 0) best = i;
  }
  return best;
}

static void pivot(hull_reference *reference, int row, int column) {
  mpz_t *pivot_row = reference->table[row];
  mpz_neg(reference->other, pivot_row[column]);
  for (int i = 0; i <= ROW_COUNT; ++i) {
    if (i == row) continue;
    mpz_t *entry = reference->table[i];
    for (int j = 0; j <= (int)reference->order.column_count; ++j) {
      if (j == column) continue;
      mpz_mul(entry[j], entry[j], reference->other);
      mpz_addmul(entry[j], entry[column], pivot_row[j]);
      mpz_divexact(entry[j], entry[j], reference->denominator);
    }
    mpz_neg(entry[column], entry[column]);
  }
  mpz_neg(pivot_row[column], reference->denominator);
  mpz_set(reference->denominator, reference->other);
  numbering_exchange(&reference->order, row, column);
}

bool hull_reference_intersects(hull_reference *reference, const double *p, uint32_t p_count, const double *q,
                               uint32_t q_count) {
  assert(p_count >= 1 && p_count <= HULL_REFERENCE_POINTS && q_count >= 1 && q_count <= HULL_REFERENCE_POINTS);
  const int unit = unit_of(q, 3 * q_count, unit_of(p, 3 * p_count, 2000));
  load(p, 3 * p_count, unit, reference->p);
  load(q, 3 * q_count, unit, reference->q);
  fill_table(reference, p_count, q_count);
  while (mpz_sgn(reference->table[OBJECTIVE][reference->order.column_count]) != 0) {
    const int column = entering_column(reference);
    if (column < 0) return false;
    pivot(reference, leaving_row(reference, column), column);
  }
  return true;
}

/* The same in machine integers. Coordinates of at most 500 give differences of at most 1000 and minors, of three rows
 * of differences and two of ones, below 6 * 1000^3 times a small number: products of two stay far below 2^127. */
__extension__ typedef __int128 wide;

typedef struct lattice_table {
  numbering order;
  int64_t entry[ROW_COUNT + 1][COLUMN_LIMIT + 1];
  int64_t denominator;
} lattice_table;

static void lattice_fill(lattice_table *table, const double *p, uint32_t p_count, const double *q, uint32_t q_count) {
  table->order = numbering_start(p_count, q_count);
  const uint32_t columns = table->order.column_count;
  for (uint32_t j = 0; j <= columns; ++j) {
    table->entry[3][j] = j == columns ? 1 : (j < p_count - 1 ? -1 : 0);
    table->entry[4][j] = j == columns ? 1 : (j < p_count - 1 ? 0 : -1);
    table->entry[OBJECTIVE][j] = 0;
  }
  for (uint32_t axis = 0; axis < 3; ++axis) {
    int64_t *row = table->entry[axis];
    row[columns] = (int64_t)(p[axis] - q[axis]);
    const int64_t turn = row[columns] < 0 ? -1 : 1;
    row[columns] *= turn;
    for (uint32_t i = 1; i < p_count; ++i) row[i - 1] = turn * (int64_t)(p[3 * i + axis] - p[axis]);
    for (uint32_t i = 1; i < q_count; ++i) row[p_count + i - 2] = turn * (int64_t)(q[axis] - q[3 * i + axis]);
    for (uint32_t j = 0; j <= columns; ++j) table->entry[OBJECTIVE][j] += row[j];
  }
  table->denominator = 1;
}

static int lattice_entering_column(const lattice_table *table) {
  int best = -1;
  for (int j = 0; j < (int)table->order.column_count; ++j) {
    if (table->order.column[j] < 3 || table->entry[OBJECTIVE][j] >= 0) continue;
    if (best < 0 || table->order.column[j] < table->order.column[best]) best = j;
  }
  return best;
}

static int lattice_leaving_row(const lattice_table *table, int column) {
  const uint32_t constant = table->order.column_count;
  int best = -1;
  for (int i = 0; i < ROW_COUNT; ++i) {
    const int64_t *row = table->entry[i];
    if (row[column] >= 0) continue;
    bool is_first = best < 0;
    if (!is_first) {
      const wide left = (wide)row[constant] * table->entry[best][column];
      const wide right = (wide)table->entry[best][constant] * row[column];
      is_first = left > right || (left == right && table->order.basic[i] < table->order.basic[best]);
    }
    if (is_first) best = i;
  }
  return best;
}

static void lattice_pivot(lattice_table *table, int row, int column) {
  int64_t *pivot_row = table->entry[row];
  const int64_t pivot_value = -pivot_row[column];
  for (int i = 0; i <= ROW_COUNT; ++i) {
    if (i == row) continue;
    int64_t *entry = table->entry[i];
    for (int j = 0; j <= (int)table->order.column_count; ++j) {
      if (j == column) continue;
      entry[j] = (int64_t)(((wide)entry[j] * pivot_value + (wide)entry[column] * pivot_row[j]) / table->denominator);
    }
    entry[column] = -entry[column];
  }
  pivot_row[column] = -table->denominator;
  table->denominator = pivot_value;
  numbering_exchange(&table->order, row, column);
}

bool lattice_hulls_intersect(const double *p, uint32_t p_count, const double *q, uint32_t q_count) {
  assert(p_count >= 1 && p_count <= HULL_REFERENCE_POINTS && q_count >= 1 && q_count <= HULL_REFERENCE_POINTS);
  lattice_table table;
  lattice_fill(&table, p, p_count, q, q_count);
  while (table.entry[OBJECTIVE][table.order.column_count] != 0) {
    const int column = lattice_entering_column(&table);
    if (column < 0) return false;
    lattice_pivot(&table, lattice_leaving_row(&table, column), column);
  }
  return true;
}
