/* Computes exact balls. The center of a support p0, p0 + e1, ... is p0 + sum w_k e_k with 2 sum_k (e_i . e_k) w_k = e_i
 * . e_i, solved exactly by elimination. */
#include "rational_ball.h"

#include <gmp.h>
#include <math.h>
#include <stdbool.h>

enum { EDGE_LIMIT = 3 };

typedef struct ball_problem {
  mpq_t edge[EDGE_LIMIT][3];
  mpq_t system[EDGE_LIMIT][EDGE_LIMIT + 1];
  mpq_t center[3], square, distance, scratch, best;
  bool found;
} ball_problem;

static void problem_init(ball_problem *problem) {
  for (int i = 0; i < EDGE_LIMIT; ++i) {
    for (int axis = 0; axis < 3; ++axis) mpq_init(problem->edge[i][axis]);
    for (int j = 0; j <= EDGE_LIMIT; ++j) mpq_init(problem->system[i][j]);
  }
  for (int axis = 0; axis < 3; ++axis) mpq_init(problem->center[axis]);
  mpq_inits(problem->square, problem->distance, problem->scratch, problem->best, NULL);
  problem->found = false;
}

static void problem_clear(ball_problem *problem) {
  for (int i = 0; i < EDGE_LIMIT; ++i) {
    for (int axis = 0; axis < 3; ++axis) mpq_clear(problem->edge[i][axis]);
    for (int j = 0; j <= EDGE_LIMIT; ++j) mpq_clear(problem->system[i][j]);
  }
  for (int axis = 0; axis < 3; ++axis) mpq_clear(problem->center[axis]);
  mpq_clears(problem->square, problem->distance, problem->scratch, problem->best, NULL);
}

static void dot(ball_problem *problem, mpq_t a[3], mpq_t b[3], mpq_t result) {
  mpq_set_ui(result, 0, 1);
  for (int axis = 0; axis < 3; ++axis) {
    mpq_mul(problem->scratch, a[axis], b[axis]);
    mpq_add(result, result, problem->scratch);
  }
}

static void system_load(ball_problem *problem, const double *const *corners, int edge_count) {
  for (int i = 0; i < edge_count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      mpq_set_d(problem->edge[i][axis], corners[i + 1][axis]);
      mpq_set_d(problem->scratch, corners[0][axis]);
      mpq_sub(problem->edge[i][axis], problem->edge[i][axis], problem->scratch);
    }
  }
  for (int i = 0; i < edge_count; ++i) {
    for (int j = 0; j < edge_count; ++j) {
      dot(problem, problem->edge[i], problem->edge[j], problem->system[i][j]);
      if (i == j) mpq_set(problem->system[i][edge_count], problem->system[i][i]);
      mpq_mul_2exp(problem->system[i][j], problem->system[i][j], 1);
    }
  }
}

/* The matrix is a Gram matrix: a zero on the diagonal means that the edges are dependent. */
static bool system_solve(ball_problem *problem, int count) {
  for (int pivot = 0; pivot < count; ++pivot) {
    if (mpq_sgn(problem->system[pivot][pivot]) == 0) return false;
    for (int row = 0; row < count; ++row) {
      if (row == pivot || mpq_sgn(problem->system[row][pivot]) == 0) continue;
      mpq_div(problem->distance, problem->system[row][pivot], problem->system[pivot][pivot]);
      for (int column = pivot; column <= count; ++column) {
        mpq_mul(problem->scratch, problem->distance, problem->system[pivot][column]);
        mpq_sub(problem->system[row][column], problem->system[row][column], problem->scratch);
      }
    }
  }
  for (int row = 0; row < count; ++row)
    mpq_div(problem->system[row][count], problem->system[row][count], problem->system[row][row]);
  return true;
}

static void square_to(ball_problem *problem, const double *point, mpq_t result) {
  mpq_set_ui(result, 0, 1);
  for (int axis = 0; axis < 3; ++axis) {
    mpq_set_d(problem->scratch, point[axis]);
    mpq_sub(problem->scratch, problem->scratch, problem->center[axis]);
    mpq_mul(problem->scratch, problem->scratch, problem->scratch);
    mpq_add(result, result, problem->scratch);
  }
}

static void support_try(ball_problem *problem, const double *points, int count, unsigned support) {
  const double *corners[EDGE_LIMIT + 1] = {points, points, points, points};
  int corner_count = 0;
  for (int i = 0; i < count; ++i) {
    if ((support >> i & 1u) != 0) corners[corner_count++] = points + 3 * i;
  }
  const int edge_count = corner_count - 1;
  system_load(problem, corners, edge_count);
  if (!system_solve(problem, edge_count)) return;
  for (int axis = 0; axis < 3; ++axis) {
    mpq_set_d(problem->center[axis], corners[0][axis]);
    for (int i = 0; i < edge_count; ++i) {
      mpq_mul(problem->scratch, problem->edge[i][axis], problem->system[i][edge_count]);
      mpq_add(problem->center[axis], problem->center[axis], problem->scratch);
    }
  }
  square_to(problem, corners[0], problem->square);
  if (problem->found && mpq_cmp(problem->square, problem->best) >= 0) return;
  for (int i = 0; i < count; ++i) {
    square_to(problem, points + 3 * i, problem->distance);
    if (mpq_cmp(problem->distance, problem->square) > 0) return;
  }
  mpq_set(problem->best, problem->square);
  problem->found = true;
}

static int bits_of(unsigned bits) {
  int count = 0;
  for (; bits != 0; bits &= bits - 1) ++count;
  return count;
}

/* The root of a rational beyond the range of doubles: an even power of two is taken out first. */
static double root_of(mpq_t value) {
  if (mpq_sgn(value) == 0) return 0.0;
  const long numerator = (long)mpz_sizeinbase(mpq_numref(value), 2);
  const long denominator = (long)mpz_sizeinbase(mpq_denref(value), 2);
  const long half = (numerator - denominator) / 2;
  if (half > 0) mpq_div_2exp(value, value, (mp_bitcnt_t)(2 * half));
  if (half < 0) mpq_mul_2exp(value, value, (mp_bitcnt_t)(-2 * half));
  return ldexp(sqrt(mpq_get_d(value)), (int)half);
}

double rational_ball_radius(const double *points, int count) {
  ball_problem problem;
  problem_init(&problem);
  for (unsigned support = 1; support < 1u << count; ++support) {
    if (bits_of(support) <= EDGE_LIMIT + 1) support_try(&problem, points, count, support);
  }
  const double radius = root_of(problem.best);
  problem_clear(&problem);
  return radius;
}
