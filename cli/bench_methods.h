/* The methods of two records of `graze bench` beside each other: which rows are of one scene and of one method, for the
 * rule of method_change.h. */
#ifndef GRAZE_BENCH_METHODS_H
#define GRAZE_BENCH_METHODS_H

#include "bench_comparison.h"
#include "method_change.h"

/* One for each row of the fresh record; of those that share a method the first row that both records have tells of it,
 * and the others of nothing. To be freed; NULL after a complaint. */
method_told *bench_methods_judge(const bench_comparison *of);

#endif
