/* Medians of numbers, and how well one is known. */
#ifndef GRAZE_ROBUST_CENTER_H
#define GRAZE_ROBUST_CENTER_H

#include <stddef.h>

/* The deviation of normal numbers over the median of their absolute deviations; the error of their median over that of
 * their mean. */
#define DEVIATION_OF_MEDIAN 1.4826
#define MEDIAN_ERROR 1.2533

/* Sorts the numbers; 0 for none. */
double median_of(double *values, size_t count);

#endif
