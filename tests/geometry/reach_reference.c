/* Compares distances with reaches. Features are solved once per pair and stored as quotients: a squared distance is
 * numerator / denominator. */
#include "reach_reference.h"

#include "hull_reference.h"

#include <gmp.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Every finite double is an integer in units of 2^-1074; corners are held in the largest unit that serves them. */
enum { LEAST_UNIT = -1074 };

typedef mpz_t integer_vector[3];

struct reach_reference {
  hull_reference *meeting;
  bool meets;
  uint32_t p_count, q_count;
  int unit; /* of the corners, an exponent */
  integer_vector p[HULL_REFERENCE_POINTS], q[HULL_REFERENCE_POINTS];
  integer_vector gap, first, second;
  mpz_t uu, uv, vv, ug, vg, gg, area, along_u, along_v, scratch;
  mpz_t least_over, least_under; /* the least squared distance so far */
  bool has_least;
};

static void vector_init(integer_vector v) {
  mpz_inits(v[0], v[1], v[2], NULL);
}

static void vector_clear(integer_vector v) {
  mpz_clears(v[0], v[1], v[2], NULL);
}

reach_reference *reach_reference_create(void) {
  reach_reference *reference = calloc(1, sizeof *reference);
  if (reference == NULL) abort();
  reference->meeting = hull_reference_create();
  for (int i = 0; i < HULL_REFERENCE_POINTS; ++i) {
    vector_init(reference->p[i]);
    vector_init(reference->q[i]);
  }
  vector_init(reference->gap);
  vector_init(reference->first);
  vector_init(reference->second);
  mpz_inits(reference->uu, reference->uv, reference->vv, reference->ug, reference->vg, reference->gg, reference->area,
            reference->along_u, reference->along_v, reference->scratch, reference->least_over, reference->least_under,
            NULL);
  return reference;
}

void reach_reference_destroy(reach_reference *reference) {
  hull_reference_destroy(reference->meeting);
  for (int i = 0; i < HULL_REFERENCE_POINTS; ++i) {
    vector_clear(reference->p[i]);
    vector_clear(reference->q[i]);
  }
  vector_clear(reference->gap);
  vector_clear(reference->first);
  vector_clear(reference->second);
  mpz_clears(reference->uu, reference->uv, reference->vv, reference->ug, reference->vg, reference->gg, reference->area,
             reference->along_u, reference->along_v, reference->scratch, reference->least_over, reference->least_under,
             NULL);
  free(reference);
}

static int least_unit(const double *values, uint32_t count, int unit) {
  for (uint32_t i = 0; i < count; ++i) {
    int exponent;
    if (frexp(values[i], &exponent) != 0.0 && exponent - 53 < unit) unit = exponent - 53;
  }
  return unit > LEAST_UNIT ? unit : LEAST_UNIT;
}

static void integer_from_double(mpz_t result, double value, int unit) {
  int exponent;
  mpz_set_d(result, ldexp(frexp(value, &exponent), 53));
  const int shift = exponent - 53 - unit;
  if (shift >= 0)
    mpz_mul_2exp(result, result, (mp_bitcnt_t)shift);
  else
    mpz_tdiv_q_2exp(result, result, (mp_bitcnt_t)-shift);
}

static void difference(integer_vector result, integer_vector a, integer_vector b) {
  for (int axis = 0; axis < 3; ++axis) mpz_sub(result[axis], a[axis], b[axis]);
}

static void dot(mpz_t result, integer_vector a, integer_vector b) {
  mpz_mul(result, a[0], b[0]);
  mpz_addmul(result, a[1], b[1]);
  mpz_addmul(result, a[2], b[2]);
}

/* over / under, under > 0 */
static void offer(reach_reference *r, mpz_t over, mpz_t under) {
  if (r->has_least) {
    mpz_t left, right;
    mpz_inits(left, right, NULL);
    mpz_mul(left, over, r->least_under);
    mpz_mul(right, r->least_over, under);
    const bool is_less = mpz_cmp(left, right) < 0;
    mpz_clears(left, right, NULL);
    if (!is_less) return;
  }
  mpz_set(r->least_over, over);
  mpz_set(r->least_under, under);
  r->has_least = true;
}

static void offer_corners(reach_reference *r) {
  dot(r->gg, r->gap, r->gap);
  mpz_set_ui(r->area, 1);
  offer(r, r->gg, r->area);
}

/* The least of |gap + x first| for x from 0 to 1. */
static void offer_edge(reach_reference *r) {
  dot(r->uu, r->first, r->first);
  dot(r->ug, r->first, r->gap);
  if (mpz_sgn(r->uu) == 0 || mpz_sgn(r->ug) > 0) return;
  mpz_add(r->scratch, r->uu, r->ug);
  if (mpz_sgn(r->scratch) < 0) return;
  dot(r->gg, r->gap, r->gap);
  mpz_mul(r->scratch, r->gg, r->uu);
  mpz_submul(r->scratch, r->ug, r->ug);
  offer(r, r->scratch, r->uu);
}

/* The least of |gap + x first + y second|, where 0 <= x, y and their sum, or each, is at most 1. */
static void offer_plane(reach_reference *r, bool sum_is_bounded) {
  dot(r->uu, r->first, r->first);
  dot(r->uv, r->first, r->second);
  dot(r->vv, r->second, r->second);
  mpz_mul(r->area, r->uu, r->vv);
  mpz_submul(r->area, r->uv, r->uv);
  if (mpz_sgn(r->area) == 0) return;
  dot(r->ug, r->first, r->gap);
  dot(r->vg, r->second, r->gap);
  mpz_mul(r->along_u, r->uv, r->vg);
  mpz_submul(r->along_u, r->ug, r->vv);
  mpz_mul(r->along_v, r->uv, r->ug);
  mpz_submul(r->along_v, r->vg, r->uu);
  if (mpz_sgn(r->along_u) < 0 || mpz_sgn(r->along_v) < 0) return;
  mpz_add(r->scratch, r->along_u, r->along_v);
  if (sum_is_bounded && mpz_cmp(r->scratch, r->area) > 0) return;
  if (mpz_cmp(r->along_u, r->area) > 0 || mpz_cmp(r->along_v, r->area) > 0) return;
  dot(r->gg, r->gap, r->gap);
  mpz_mul(r->scratch, r->gg, r->area);
  mpz_addmul(r->scratch, r->along_u, r->ug);
  mpz_addmul(r->scratch, r->along_v, r->vg);
  offer(r, r->scratch, r->area);
}

static void offer_corner(reach_reference *r, integer_vector corner, integer_vector *other, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    difference(r->gap, other[i], corner);
    offer_corners(r);
    for (uint32_t j = 0; j < i; ++j) {
      difference(r->first, other[j], other[i]);
      offer_edge(r);
      for (uint32_t k = 0; k < j; ++k) {
        difference(r->second, other[k], other[i]);
        offer_plane(r, true);
      }
    }
  }
}

static void offer_edges(reach_reference *r) {
  for (uint32_t i = 0; i < r->p_count; ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      difference(r->first, r->p[j], r->p[i]);
      for (uint32_t k = 0; k < r->q_count; ++k) {
        difference(r->gap, r->p[i], r->q[k]);
        for (uint32_t l = 0; l < k; ++l) {
          difference(r->second, r->q[k], r->q[l]);
          offer_plane(r, false);
        }
      }
    }
  }
}

void reach_reference_set(reach_reference *reference, const double *p, uint32_t p_count, const double *q,
                         uint32_t q_count) {
  reference->p_count = p_count;
  reference->q_count = q_count;
  const int unit = reference->unit = least_unit(q, 3 * q_count, least_unit(p, 3 * p_count, 1024));
  for (uint32_t i = 0; i < 3 * p_count; ++i) integer_from_double(reference->p[i / 3][i % 3], p[i], unit);
  for (uint32_t i = 0; i < 3 * q_count; ++i) integer_from_double(reference->q[i / 3][i % 3], q[i], unit);
  reference->has_least = false;
  for (uint32_t i = 0; i < p_count; ++i) offer_corner(reference, reference->p[i], reference->q, q_count);
  for (uint32_t i = 0; i < q_count; ++i) offer_corner(reference, reference->q[i], reference->p, p_count);
  offer_edges(reference);
  reference->meets = hull_reference_intersects(reference->meeting, p, p_count, q, q_count);
}

int reach_reference_order(reach_reference *reference, double first, double second, double third) {
  mpz_t sum;
  mpz_init(sum);
  integer_from_double(sum, first, LEAST_UNIT);
  integer_from_double(reference->scratch, second, LEAST_UNIT);
  mpz_add(sum, sum, reference->scratch);
  integer_from_double(reference->scratch, third, LEAST_UNIT);
  mpz_add(sum, sum, reference->scratch);
  int order = -mpz_sgn(sum);
  if (order <= 0 && !reference->meets) {
    mpz_mul(sum, sum, sum);
    mpz_mul(sum, sum, reference->least_under);
    mpz_mul_2exp(reference->scratch, reference->least_over, 2 * (mp_bitcnt_t)(reference->unit - LEAST_UNIT));
    const int found = mpz_cmp(reference->scratch, sum);
    order = (found > 0) - (found < 0);
  }
  mpz_clear(sum);
  return order;
}
