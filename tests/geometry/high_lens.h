/* The lens of two balls in 8192 bits (GMP), with other formulas than the library's: volume and moment as integrals of
 * the squared radius of the section along the axis, whose cancellation this precision tolerates. */
#ifndef HIGH_LENS_H
#define HIGH_LENS_H

#include <stdbool.h>

/* Rounded to double at the end only. */
typedef struct high_lens {
  bool meets, is_contained;
  double volume, area, depth;
  double centroid[3];
} high_lens;

void high_lens_measure(const double *a, double r, const double *b, double s, high_lens *lens_out);

#endif
