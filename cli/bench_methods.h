/* Groups rows of two records of `graze bench` by scene and method, for the rule of method_change.h. */
#ifndef GRAZE_BENCH_METHODS_H
#define GRAZE_BENCH_METHODS_H

#include "bench_comparison.h"
#include "method_change.h"

/* Returns one result per row of the fresh record. Of rows that share a method, the first that both records have carries
 * it; the others are empty. Release with free; NULL after a complaint. */
method_result *bench_methods_judge(const bench_comparison *of);

#endif
