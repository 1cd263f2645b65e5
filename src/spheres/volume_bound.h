/* An upper bound of the volume that the spheres of two nodes share, summed over all their pairs.
 *
 * Let f(x) be the number of spheres of node A that cover x, g(x) that of B; the sum over pairs is the integral of f g.
 * Before posing, no point is inside more than m_A spheres of the tree of A, nor more than the n_A leaves of A. After
 * posing, this may be false, because of rounding and because a rotation is exact only up to a defect d. The image of a
 * ball of radius r contains the ball around the posed center of radius (1 - 1.6 d) r - rounding, and images overlap no
 * more than their originals. So f = f' + f", where f' <= m_A, and the integral of f", the part that these smaller balls
 * do not cover, is at most
 *
 *   l_A = 4.8 d V_A + rounding * (sum of the surfaces of A), and at most V_A, the sum of the volumes of A;
 *
 * and likewise for g. f' is zero outside the ball of A; lens is the volume that the balls of A and B share. Then
 *
 *   integral f g <= m_A integral g + n_B integral f"                      <= m_A V_B + n_B l_A,
 *   integral f g                                                          <= m_B V_A + n_A l_B,
 *   integral f g = integral f' g' + f' g" + f" g                          <= m_A m_B lens + m_A l_B + n_B l_A.
 *
 * All three hold for any spheres: the least of them is the bound. For packings m is 1, and l is about 10^-15 of V.
 *
 * The lens of balls of radii P, Q at distance g is at most that of larger ones closer together: in the frame of a these
 * are stretch P + slack, stretch Q + slack and (g - slack) / stretch, as in posed_trees.h. */
#ifndef GRAZE_SPHERES_VOLUME_BOUND_H
#define GRAZE_SPHERES_VOLUME_BOUND_H

#include "geometry/sphere_lens.h"
#include "spheres/posed_trees.h"

static inline double lesser(double x, double y) {
  return x < y ? x : y;
}

/* An upper bound of the volume that two balls share, by sphere_lens.h: caps of heights a and b, increasing with h and
 * g, which are enlarged by more than their rounding, 8 2^-53 of the sum of all three. */
static inline double lens_at_most(double large, double small, double distance) {
  const double ball = sphere_volume(small) * (1.0 + 0x1p-40);
  if (!(distance > large - small)) return ball;
  const double blur = 0x1p-49 * (large + small + distance), share = 0.5 / distance;
  const double h = large + small - distance + blur, g = distance - (large - small) + blur;
  if (!(h > 0.0)) return 0.0;
  const double a = lesser(h * g * share, 2.0 * large);
  const double b = lesser(h * (distance + (large - small)) * share * (1.0 + 0x1p-40), 2.0 * small);
  const double caps = SPHERE_PI / 3.0 * (a * a * (3.0 * large - a) + b * b * (3.0 * small - b)) * (1.0 + 0x1p-40);
  return caps < ball ? caps : ball;
}

static inline double bound_lens(const posed_trees *pair, const node_pair *at) {
  const double p = pair->stretch * pair->a->nodes[at->a].radius + pair->slack;
  const double q = pair->stretch * pair->b->nodes[at->b].radius + pair->slack;
  const double distance = (sqrt(at->square) * (1.0 - 0x1p-48) - pair->slack) / pair->stretch * (1.0 - 0x1p-48);
  return lens_at_most(p > q ? p : q, p > q ? q : p, distance > 0.0 ? distance : 0.0);
}

static inline double bound_loss(const sphere_node_sum *sum, double defect, double rounding) {
  const double loss = 4.8 * defect * sum->volume + rounding * sum->area;
  return loss < sum->volume ? loss : sum->volume;
}

/* An upper bound of the volume that a node shares with all of the other tree: m_B V_A + n_A l_B, and likewise for a
 * node of b. */
static inline double volume_of_a_at_most(const posed_trees *pair, uint32_t node) {
  const sphere_node_sum *a = &pair->a->sums[node];
  const double b_loss = bound_loss(&pair->b->sums[0], pair->defect_b, pair->rounding);
  return (pair->b->multiplicity * a->volume + a->leaf_count * b_loss) * (1.0 + 0x1p-40);
}

static inline double volume_of_b_at_most(const posed_trees *pair, uint32_t node) {
  const sphere_node_sum *b = &pair->b->sums[node];
  const double a_loss = bound_loss(&pair->a->sums[0], pair->defect_a, pair->rounding);
  return (pair->a->multiplicity * b->volume + b->leaf_count * a_loss) * (1.0 + 0x1p-40);
}

/* Rounded up; NaN, after an overflow, becomes infinite. */
static inline double volume_at_most(const posed_trees *pair, const node_pair *at) {
  const sphere_node_sum *a = &pair->a->sums[at->a], *b = &pair->b->sums[at->b];
  const double a_count = a->leaf_count, b_count = b->leaf_count;
  const double a_times = lesser(pair->a->multiplicity, a_count), b_times = lesser(pair->b->multiplicity, b_count);
  const double a_loss = bound_loss(a, pair->defect_a, pair->rounding);
  const double b_loss = bound_loss(b, pair->defect_b, pair->rounding);
  const double by_b = a_times * b->volume + b_count * a_loss, by_a = b_times * a->volume + a_count * b_loss;
  const double by_lens = a_times * b_times * bound_lens(pair, at) + a_times * b_loss + b_count * a_loss;
  const double least = lesser(lesser(by_b, by_a), by_lens) * (1.0 + 0x1p-40);
  return least >= 0.0 ? least : HUGE_VAL;
}

#endif
