/* Vectors of particles, and nearest points of features: + - * / and sqrt in a fixed order, so that every machine gives
 * the same bits. */
#ifndef GRAZE_PARTICLE_MATH_H
#define GRAZE_PARTICLE_MATH_H

#include "models/portable_math.h"

#include <stddef.h>

static inline point3 particle_at(const double *positions, size_t particle) {
  const double *p = positions + 3 * particle;
  return point3_make(p[0], p[1], p[2]);
}

static inline void particle_set(double *positions, size_t particle, point3 p) {
  positions[3 * particle] = p.x;
  positions[3 * particle + 1] = p.y;
  positions[3 * particle + 2] = p.z;
}

/* positions[particle] += scale * by */
static inline void particle_move(double *positions, size_t particle, point3 by, double scale) {
  positions[3 * particle] += scale * by.x;
  positions[3 * particle + 1] += scale * by.y;
  positions[3 * particle + 2] += scale * by.z;
}

static inline point3 point3_minus(point3 a, point3 b) {
  return point3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline double point3_length(point3 a) {
  return sqrt(point3_dot(a, a));
}

static inline double clamp_unit(double t) {
  return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

/* Weights of the corners for the point of the triangle nearest to p, by the region that contains p (Ericson, "Real-time
 * collision detection", 2005, 5.1.5). They sum to 1. */
static inline void nearest_of_triangle(point3 p, point3 a, point3 b, point3 c, double weights_out[3]) {
  const point3 ab = point3_minus(b, a), ac = point3_minus(c, a), ap = point3_minus(p, a);
  const point3 bp = point3_minus(p, b), cp = point3_minus(p, c);
  const double d1 = point3_dot(ab, ap), d2 = point3_dot(ac, ap), d3 = point3_dot(ab, bp), d4 = point3_dot(ac, bp);
  const double d5 = point3_dot(ab, cp), d6 = point3_dot(ac, cp);
  const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  double v = 0.0, w = 0.0;
  if (d1 <= 0.0 && d2 <= 0.0) {
    v = w = 0.0;
  } else if (d3 >= 0.0 && d4 <= d3) {
    v = 1.0;
  } else if (d6 >= 0.0 && d5 <= d6) {
    w = 1.0;
  } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
    v = d1 / (d1 - d3);
  } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
    w = d2 / (d2 - d6);
  } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
    w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    v = 1.0 - w;
  } else if (va + vb + vc > 0.0) {
    v = vb / (va + vb + vc);
    w = vc / (va + vb + vc);
  }
  weights_out[0] = 1.0 - v - w;
  weights_out[1] = v;
  weights_out[2] = w;
}

/* The positions on ab (s) and cd (t) where the two segments are nearest to each other; both from 0 to 1 (Ericson,
 * 5.1.9). */
static inline void nearest_of_segments(point3 a, point3 b, point3 c, point3 d, double *s_out, double *t_out) {
  const point3 first = point3_minus(b, a), second = point3_minus(d, c), between = point3_minus(a, c);
  const double aa = point3_dot(first, first), ee = point3_dot(second, second), f = point3_dot(second, between);
  double s = 0.0, t = 0.0;
  if (aa > 0.0 && ee > 0.0) {
    const double cc = point3_dot(first, between), bb = point3_dot(first, second);
    const double denominator = aa * ee - bb * bb;
    /* Nearly parallel: any point of the first is valid; take the middle. */
    s = denominator > 1e-12 * aa * ee ? clamp_unit((bb * f - cc * ee) / denominator) : 0.5;
    t = (bb * s + f) / ee;
    if (t < 0.0) {
      t = 0.0;
      s = clamp_unit(-cc / aa);
    } else if (t > 1.0) {
      t = 1.0;
      s = clamp_unit((bb - cc) / aa);
    } else {
      s = clamp_unit((bb * t - cc) / aa);
    }
  } else if (ee > 0.0) {
    t = clamp_unit(f / ee);
  } else if (aa > 0.0) {
    s = clamp_unit(-point3_dot(first, between) / aa);
  }
  *s_out = s;
  *t_out = t;
}

#endif
