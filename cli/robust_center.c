/* Computes medians; see robust_center.h. */
#include "robust_center.h"

#include <stdlib.h>

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double median_of(double *values, size_t count) {
  if (count == 0) return 0.0;
  qsort(values, count, sizeof *values, compare_doubles);
  return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}
