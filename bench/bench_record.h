/* What every benchmark line needs besides its numbers: the median, and where and when it was measured. */
#ifndef GRAZE_BENCH_RECORD_H
#define GRAZE_BENCH_RECORD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_record {
  char commit[64];   /* as the variable GRAZE_COMMIT says; else that of the source tree, with "-dirty" where it differs;
                        "unknown" where neither is there */
  char machine[128]; /* architecture, processor, number of processors; no commas */
  char date[32];     /* UTC, ISO 8601 */
} bench_record;

void bench_record_fill(bench_record *record_out);

/* Sorts the values in place; the lower of the two middle ones when their number is even. 0 for none. */
double bench_median(double *values, size_t count);

double bench_milliseconds(void); /* of a clock that only goes forward */

#ifdef __cplusplus
}
#endif

#endif
