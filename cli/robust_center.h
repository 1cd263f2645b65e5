/* Medians of numbers, and their errors. */
#ifndef GRAZE_ROBUST_CENTER_H
#define GRAZE_ROBUST_CENTER_H

#include <stddef.h>

/* For normal numbers: the standard deviation over the median absolute deviation, and the error of the median over that
 * of the mean. */
#define DEVIATION_OF_MEDIAN 1.4826
#define MEDIAN_ERROR 1.2533

/* Sorts the numbers and returns their median; 0 for none. */
double median_of(double *values, size_t count);

#endif
