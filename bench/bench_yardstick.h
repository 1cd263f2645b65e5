/* Fixed work, independent of graze, that measures the current speed of the machine. It makes runs comparable that are
 * hours apart or on a machine with other work. */
#ifndef GRAZE_BENCH_YARDSTICK_H
#define GRAZE_BENCH_YARDSTICK_H

#include <stdbool.h>

typedef struct bench_yardstick bench_yardstick;

/* Returns NULL if out of memory. */
bench_yardstick *bench_yardstick_make(void);
void bench_yardstick_free(bench_yardstick *yardstick); /* NULL is allowed */

/* Returns the processor milliseconds of one measurement, about three on a machine of 2020. Like the times of rows, they
 * include the effects of other work on shared caches and memory. */
double bench_yardstick_measure(bench_yardstick *yardstick);

#endif
