/* Suites: benchmarks of the literature that have bodies, measures and figures of their own. */
#ifndef GRAZE_BENCH_SUITE_H
#define GRAZE_BENCH_SUITE_H

#include "bench/bench_run.h"
#include "bench/study_tools.h"

size_t bench_suite_count(void);
const char *bench_suite_name(size_t suite);
const char *bench_suite_title(size_t suite); /* one line */

/* Whether a suite has anything that runs on a device. */
bool bench_suite_of_devices(size_t suite);

/* Of the settings quick, scenes, threads, rounds, the first backend, figures, data and watch are looked at; what
 * `scenes` name is the suite's own. Prints tables, draws into the folder of figures. On failure a message is in
 * `error`. */
bench_ending bench_suite_run(size_t suite, const bench_settings *settings, bench_output *out, char *error,
                             size_t error_bytes);

/* The same for a suite that is not in the list. */
bench_ending bench_suite_run_by(const char *name, const char *title, bool (*run)(study *at),
                                const bench_settings *settings, bench_output *out, char *error, size_t error_bytes);

#endif
