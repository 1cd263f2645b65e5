/* Mathematics with the same bits everywhere.
 *
 * sin and cos of the C library differ in the last place between platforms, so the models use their own, made of
 * operations that IEEE 754 rounds correctly (+ - * / sqrt floor). They require the compile option -ffp-contract=off: a
 * fused multiply-add would change the last bit. Angles are in turns (1 is the full circle), because turns can be
 * reduced to the first quadrant without rounding. */
#ifndef GRAZE_PORTABLE_MATH_H
#define GRAZE_PORTABLE_MATH_H

#include <math.h>
#include <stdint.h>

typedef struct point3 {
  double x, y, z;
} point3;

static inline point3 point3_make(double x, double y, double z) {
  const point3 p = {x, y, z};
  return p;
}

static inline point3 point3_add(point3 a, point3 b) {
  return point3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline point3 point3_scale(point3 a, double s) {
  return point3_make(a.x * s, a.y * s, a.z * s);
}
static inline double point3_dot(point3 a, point3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline point3 point3_cross(point3 a, point3 b) {
  return point3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline point3 point3_unit(point3 a) {
  return point3_scale(a, 1.0 / sqrt(point3_dot(a, a)));
}

/* The sine of an angle in turns, |error| < 4e-16. Exact at multiples of a quarter turn. The Taylor series to the 21st
 * power leaves less than (pi/2)^23 / 23! = 1.3e-18 at the end of the quadrant. */
static inline double sine_of_turns(double turns) {
  double quadrant = turns - floor(turns + 0.5);
  if (quadrant > 0.25) quadrant = 0.5 - quadrant;
  if (quadrant < -0.25) quadrant = -0.5 - quadrant;
  if (quadrant == 0.25) return 1.0;
  if (quadrant == -0.25) return -1.0;
  const double x = quadrant * 6.283185307179586476925;
  const double square = x * x;
  double sum = 1.0;
  for (int power = 20; power >= 2; power -= 2) sum = 1.0 - sum * square / (double)(power * (power + 1));
  return x * sum;
}

static inline double cosine_of_turns(double turns) {
  return sine_of_turns(turns + 0.25);
}

/* The cube root of a value from 1 to 2^60 by Newton's iteration from above; 64 steps suffice, because each far step
 * removes a third and each near step doubles the digits. */
static inline double cube_root(double value) {
  double root = value;
  for (int step = 0; step < 160; ++step) {
    const double next = (2.0 * root + value / (root * root)) / 3.0;
    if (!(next < root)) break;
    root = next;
  }
  return root;
}

/* Rounds to the nearest count, but at least `least`; values are far below 2^53. */
static inline uint64_t rounded_count(double value, uint64_t least) {
  const double rounded = floor(value + 0.5);
  return rounded < (double)least ? least : (uint64_t)rounded;
}

#endif
