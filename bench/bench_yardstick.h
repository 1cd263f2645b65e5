/* Fixed work that has nothing to do with graze: how fast the machine is just now. Runs hours apart, or on a machine
 * with other work, are compared by it. */
#ifndef GRAZE_BENCH_YARDSTICK_H
#define GRAZE_BENCH_YARDSTICK_H

#include <stdbool.h>

typedef struct bench_yardstick bench_yardstick;

/* NULL where memory runs out. */
bench_yardstick *bench_yardstick_make(void);
void bench_yardstick_free(bench_yardstick *yardstick); /* NULL is allowed */

/* Milliseconds of one measure, of the processor: what others on it take is in them as far as caches and memory are
 * shared, as it is in the times that rows are judged by. Some three of them on a machine of 2020. */
double bench_yardstick_measure(bench_yardstick *yardstick);

#endif
