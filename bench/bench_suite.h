/* Suites: benchmarks from the literature with their own bodies, measures and figures. */
#ifndef GRAZE_BENCH_SUITE_H
#define GRAZE_BENCH_SUITE_H

#include "bench/bench_run.h"
#include "bench/study_tools.h"

size_t bench_suite_count(void);
const char *bench_suite_name(size_t suite);
const char *bench_suite_title(size_t suite); /* one line */

/* Whether a suite supports devices. */
bool bench_suite_of_devices(size_t suite);

/* Runs a suite: prints tables and draws figures. Uses the settings quick, scenes, threads, rounds, the first backend,
 * figures, data and watch; the scene names are the suite's own. On failure, `error` has a message. */
bench_ending bench_suite_run(size_t suite, const bench_settings *settings, bench_output *out, char *error,
                             size_t error_bytes);

/* Runs a suite that is not in the list. */
bench_ending bench_suite_run_by(const char *name, const char *title, bool (*run)(study *at),
                                const bench_settings *settings, bench_output *out, char *error, size_t error_bytes);

#endif
