/* A run of the benchmark with its heading, progress bar and records, for programs with their own measurements. */
#ifndef GRAZE_BENCH_COMMAND_H
#define GRAZE_BENCH_COMMAND_H

#include "bench_options.h"

typedef bench_ending bench_measuring(const bench_options *options, const bench_settings *settings, bench_output *out,
                                     char *message, size_t message_bytes);

/* Measures and writes the requested records, also of an interrupted run. */
exit_code bench_measure_and_write(const bench_options *options, bench_measuring *run);

#endif
