/* Statistics and metadata of benchmark lines: median and quartiles, machine, commit and date. */
#ifndef GRAZE_BENCH_RECORD_H
#define GRAZE_BENCH_RECORD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_record {
  char commit[64];   /* the variable GRAZE_COMMIT; otherwise that of the build, with "-dirty" if its sources
                        differed; otherwise "unknown" */
  char machine[128]; /* architecture, processor, number of processors; no commas */
  char date[32];     /* UTC, ISO 8601 */
  char architecture[24], processor[80], system[80]; /* empty if unknown */
  long processors;
  uint64_t memory_bytes;        /* of the machine */
  const char *compiler, *flags; /* of the benchmark's sources, and of the library's except for vector units */
} bench_record;

void bench_record_fill(bench_record *record_out);

/* Sorts the values in place and returns the median: the lower of the two middle values if their number is even; 0 for
 * none. */
double bench_median(double *values, size_t count);

/* Returns the lower (1) or upper (3) quartile of at least one value in ascending order, linearly interpolated. */
double bench_quartile(const double *sorted, size_t count, int quarter);

double bench_milliseconds(void); /* of a monotonic clock */

/* Processor time of all threads of the process, which other processes hardly affect. */
double bench_processor_milliseconds(void);

#ifdef __cplusplus
}
#endif

#endif
