/* Computes lenses. The axis has its origin in the center of a. Sections are discs of squared radius r^2 - x^2 beyond
 * the plane of the disc, and s^2 - (x - d)^2 before it. */
#include "high_lens.h"

#include <gmp.h>

enum { BITS = 8192 };

typedef struct numbers {
  mpf_t pi, r, s, d, squared, plane, beyond, volume, moment, area, t, u, way[3];
} numbers;

static void numbers_init(numbers *n) {
  mpf_set_default_prec(BITS);
  mpf_inits(n->pi, n->r, n->s, n->d, n->squared, n->plane, n->beyond, n->volume, n->moment, n->area, n->t, n->u,
            n->way[0], n->way[1], n->way[2], NULL);
  mpf_set_str(n->pi, "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534",
              10);
}

static void numbers_clear(numbers *n) {
  mpf_clears(n->pi, n->r, n->s, n->d, n->squared, n->plane, n->beyond, n->volume, n->moment, n->area, n->t, n->u,
             n->way[0], n->way[1], n->way[2], NULL);
}

static void distance(numbers *n, const double *a, const double *b) {
  mpf_set_ui(n->squared, 0);
  for (int axis = 0; axis < 3; ++axis) {
    mpf_set_d(n->way[axis], b[axis]);
    mpf_set_d(n->t, a[axis]);
    mpf_sub(n->way[axis], n->way[axis], n->t);
    mpf_mul(n->t, n->way[axis], n->way[axis]);
    mpf_add(n->squared, n->squared, n->t);
  }
  mpf_sqrt(n->d, n->squared);
}

/* plane = (d^2 + r^2 - s^2) / (2 d); beyond = plane - d. */
static void find_plane(numbers *n) {
  mpf_mul(n->plane, n->r, n->r);
  mpf_mul(n->t, n->s, n->s);
  mpf_sub(n->plane, n->plane, n->t);
  mpf_add(n->plane, n->plane, n->squared);
  mpf_div(n->plane, n->plane, n->d);
  mpf_div_2exp(n->plane, n->plane, 1);
  mpf_sub(n->beyond, n->plane, n->d);
}

/* 2/3 r^3 + sign (r^2 x - x^3 / 3): the volume of a ball on one side of x, over pi. */
static void part_of_ball(numbers *n, mpf_t radius, mpf_t x, int sign, mpf_t result) {
  mpf_mul(n->t, radius, radius);
  mpf_mul(n->u, x, x);
  mpf_div_ui(n->u, n->u, 3);
  mpf_sub(n->t, n->t, n->u);
  mpf_mul(n->t, n->t, x);
  if (sign < 0) mpf_neg(n->t, n->t);
  mpf_pow_ui(n->u, radius, 3);
  mpf_mul_ui(n->u, n->u, 2);
  mpf_div_ui(n->u, n->u, 3);
  mpf_add(result, n->t, n->u);
}

/* (r^2 - x^2)^2 / 4, and r^2 - x^2 in area. */
static void part_moment(numbers *n, mpf_t radius, mpf_t x, mpf_t result) {
  mpf_mul(n->area, radius, radius);
  mpf_mul(n->t, x, x);
  mpf_sub(n->area, n->area, n->t);
  mpf_mul(result, n->area, n->area);
  mpf_div_2exp(result, result, 2);
}

static void measure_caps(numbers *n, mpf_t mean) {
  mpf_t part;
  mpf_init(part);
  find_plane(n);
  part_of_ball(n, n->s, n->beyond, 1, part);
  part_of_ball(n, n->r, n->plane, -1, n->volume);
  mpf_add(n->volume, n->volume, part);
  mpf_mul(n->moment, n->d, part);
  part_moment(n, n->s, n->beyond, part);
  mpf_sub(n->moment, n->moment, part);
  part_moment(n, n->r, n->plane, part);
  mpf_add(n->moment, n->moment, part);
  mpf_div(mean, n->moment, n->volume);
  mpf_mul(n->volume, n->volume, n->pi);
  mpf_mul(n->area, n->area, n->pi);
  mpf_clear(part);
}

static void measure_ball(numbers *n, bool is_a, mpf_t mean) {
  mpf_pow_ui(n->volume, is_a ? n->r : n->s, 3);
  mpf_mul(n->volume, n->volume, n->pi);
  mpf_mul_ui(n->volume, n->volume, 4);
  mpf_div_ui(n->volume, n->volume, 3);
  mpf_set_ui(n->area, 0);
  mpf_set_ui(mean, 0);
  if (!is_a) mpf_set(mean, n->d);
}

/* The centroid lies at `mean` from a along the axis. */
static void take_centroid(numbers *n, const double *a, mpf_t mean, high_lens *lens_out) {
  for (int axis = 0; axis < 3; ++axis) {
    mpf_set_d(n->u, a[axis]);
    if (mpf_sgn(n->d) != 0) {
      mpf_mul(n->t, n->way[axis], mean);
      mpf_div(n->t, n->t, n->d);
      mpf_add(n->u, n->u, n->t);
    }
    lens_out->centroid[axis] = mpf_get_d(n->u);
  }
}

void high_lens_measure(const double *a, double r, const double *b, double s, high_lens *lens_out) {
  numbers n;
  numbers_init(&n);
  mpf_t mean;
  mpf_init(mean);
  mpf_set_d(n.r, r);
  mpf_set_d(n.s, s);
  distance(&n, a, b);
  mpf_sub(n.t, n.r, n.s);
  mpf_abs(n.t, n.t);
  lens_out->is_contained = mpf_cmp(n.d, n.t) <= 0;
  mpf_add(n.t, n.r, n.s);
  mpf_sub(n.t, n.t, n.d);
  lens_out->meets = mpf_sgn(n.t) >= 0;
  lens_out->depth = mpf_get_d(n.t);
  if (lens_out->is_contained)
    measure_ball(&n, r < s, mean);
  else
    measure_caps(&n, mean);
  lens_out->volume = mpf_get_d(n.volume);
  lens_out->area = mpf_get_d(n.area);
  take_centroid(&n, a, mean, lens_out);
  mpf_clear(mean);
  numbers_clear(&n);
}
