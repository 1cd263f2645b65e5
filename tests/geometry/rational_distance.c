/* Solves least squares by the normal equations in rational numbers, so that their condition does not matter. */
#include "rational_distance.h"

#include <gmp.h>
#include <stdbool.h>

enum { UNKNOWN_LIMIT = 4 };

/* gap + sum of direction[i] * weight[i] is the difference of a point of each face. */
typedef struct face_problem {
  int count, p_count;
  mpq_t gap[3], direction[UNKNOWN_LIMIT][3];
  mpq_t system[UNKNOWN_LIMIT][UNKNOWN_LIMIT + 1], weight[UNKNOWN_LIMIT];
  mpq_t scratch, squared;
} face_problem;

static void problem_init(face_problem *problem) {
  for (int i = 0; i < 3; ++i) mpq_init(problem->gap[i]);
  for (int i = 0; i < UNKNOWN_LIMIT; ++i) {
    for (int j = 0; j < 3; ++j) mpq_init(problem->direction[i][j]);
    for (int j = 0; j <= UNKNOWN_LIMIT; ++j) mpq_init(problem->system[i][j]);
    mpq_init(problem->weight[i]);
  }
  mpq_inits(problem->scratch, problem->squared, NULL);
}

static void problem_clear(face_problem *problem) {
  for (int i = 0; i < 3; ++i) mpq_clear(problem->gap[i]);
  for (int i = 0; i < UNKNOWN_LIMIT; ++i) {
    for (int j = 0; j < 3; ++j) mpq_clear(problem->direction[i][j]);
    for (int j = 0; j <= UNKNOWN_LIMIT; ++j) mpq_clear(problem->system[i][j]);
    mpq_clear(problem->weight[i]);
  }
  mpq_clears(problem->scratch, problem->squared, NULL);
}

static void set_difference(face_problem *problem, mpq_t result[3], const double *a, const double *b) {
  for (int axis = 0; axis < 3; ++axis) {
    mpq_set_d(result[axis], a[axis]);
    mpq_set_d(problem->scratch, b[axis]);
    mpq_sub(result[axis], result[axis], problem->scratch);
  }
}

/* The corners of a set given by bits, as pointers. */
static int corners_of(const double *p, int p_count, unsigned bits, const double *corners[3]) {
  int count = 0;
  for (int i = 0; i < p_count; ++i) {
    if ((bits >> i & 1u) != 0) corners[count++] = p + 3 * i;
  }
  return count;
}

static void problem_load(face_problem *problem, const double *const *p, int p_count, const double *const *q,
                         int q_count) {
  set_difference(problem, problem->gap, p[0], q[0]);
  problem->count = 0;
  problem->p_count = p_count - 1;
  for (int i = 1; i < p_count; ++i) set_difference(problem, problem->direction[problem->count++], p[i], p[0]);
  for (int i = 1; i < q_count; ++i) set_difference(problem, problem->direction[problem->count++], q[0], q[i]);
}

static void dot(face_problem *problem, mpq_t a[3], mpq_t b[3], mpq_t result) {
  mpq_set_si(result, 0, 1);
  for (int axis = 0; axis < 3; ++axis) {
    mpq_mul(problem->scratch, a[axis], b[axis]);
    mpq_add(result, result, problem->scratch);
  }
}

/* False where the directions are dependent: then a smaller face has the same distance. */
static bool problem_solve(face_problem *problem) {
  const int n = problem->count;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) dot(problem, problem->direction[i], problem->direction[j], problem->system[i][j]);
    dot(problem, problem->direction[i], problem->gap, problem->system[i][n]);
    mpq_neg(problem->system[i][n], problem->system[i][n]);
  }
  for (int i = 0; i < n; ++i) {
    /* The matrix is positive semidefinite, so a pivot of zero means dependence. */
    if (mpq_sgn(problem->system[i][i]) == 0) return false;
    for (int k = 0; k < n; ++k) {
      if (k == i || mpq_sgn(problem->system[k][i]) == 0) continue;
      mpq_div(problem->weight[i], problem->system[k][i], problem->system[i][i]);
      for (int j = i; j <= n; ++j) {
        mpq_mul(problem->scratch, problem->weight[i], problem->system[i][j]);
        mpq_sub(problem->system[k][j], problem->system[k][j], problem->scratch);
      }
    }
  }
  for (int i = 0; i < n; ++i) mpq_div(problem->weight[i], problem->system[i][n], problem->system[i][i]);
  return true;
}

/* The weights of a face are those solved for and one minus their sum. */
static bool weights_qualify(face_problem *problem, int first, int end) {
  mpq_set_si(problem->scratch, 1, 1);
  for (int i = first; i < end; ++i) {
    if (mpq_sgn(problem->weight[i]) < 0) return false;
    mpq_sub(problem->scratch, problem->scratch, problem->weight[i]);
  }
  return mpq_sgn(problem->scratch) >= 0;
}

static void problem_distance(face_problem *problem) {
  for (int i = 0; i < problem->count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      mpq_mul(problem->scratch, problem->weight[i], problem->direction[i][axis]);
      mpq_add(problem->gap[axis], problem->gap[axis], problem->scratch);
    }
  }
  dot(problem, problem->gap, problem->gap, problem->squared);
}

static double square_root(mpq_t value) {
  mpf_t root;
  mpf_init2(root, 256);
  mpf_set_q(root, value);
  mpf_sqrt(root, root);
  const double result = mpf_get_d(root);
  mpf_clear(root);
  return result;
}

double rational_distance(const double *p, int p_count, const double *q, int q_count) {
  face_problem problem;
  problem_init(&problem);
  mpq_t least;
  mpq_init(least);
  bool found = false;
  for (unsigned p_bits = 1; p_bits < 1u << p_count; ++p_bits) {
    for (unsigned q_bits = 1; q_bits < 1u << q_count; ++q_bits) {
      const double *p_corners[3], *q_corners[3];
      const int p_used = corners_of(p, p_count, p_bits, p_corners), q_used = corners_of(q, q_count, q_bits, q_corners);
      problem_load(&problem, p_corners, p_used, q_corners, q_used);
      if (!problem_solve(&problem)) continue;
      if (!weights_qualify(&problem, 0, problem.p_count) || !weights_qualify(&problem, problem.p_count, problem.count))
        continue;
      problem_distance(&problem);
      if (!found || mpq_cmp(problem.squared, least) < 0) mpq_set(least, problem.squared);
      found = true;
    }
  }
  const double result = square_root(least);
  mpq_clear(least);
  problem_clear(&problem);
  return result;
}
