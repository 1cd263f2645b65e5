/* What every benchmark line needs besides its numbers: the median and its spread, and where and when it was measured.
 */
#ifndef GRAZE_BENCH_RECORD_H
#define GRAZE_BENCH_RECORD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_record {
  char commit[64];   /* as the variable GRAZE_COMMIT says; else that of the build, with "-dirty" where its sources
                        differed; "unknown" where neither is there */
  char machine[128]; /* architecture, processor, number of processors; no commas */
  char date[32];     /* UTC, ISO 8601 */
  char architecture[24], processor[80], system[80]; /* empty where the system does not say */
  long processors;
  uint64_t memory_bytes;        /* of the machine */
  const char *compiler, *flags; /* of the benchmark's own sources, and but for vector units of the library's */
} bench_record;

void bench_record_fill(bench_record *record_out);

/* Sorts the values in place; the lower of the two middle ones when their number is even. 0 for none. */
double bench_median(double *values, size_t count);

/* Of values in ascending order, at least one: what a quarter of them, or three, lie below; between neighbors linear.
 */
double bench_quartile(const double *sorted, size_t count, int quarter);

double bench_milliseconds(void); /* of a clock that only goes forward */

/* Of processors, for all threads of the process: what other processes do is hardly in it. */
double bench_processor_milliseconds(void);

#ifdef __cplusplus
}
#endif

#endif
