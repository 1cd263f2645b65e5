/* Suites: benchmarks of the literature that have bodies, measures and figures of their own. */
#ifndef GRAZE_BENCH_SUITE_H
#define GRAZE_BENCH_SUITE_H

#include "bench/bench_run.h"

size_t bench_suite_count(void);
const char *bench_suite_name(size_t suite);
const char *bench_suite_title(size_t suite); /* one line */

/* The suite of papers has names of its own, of papers and of their figures, which are chosen as scenes of other suites
 * are. */
extern const char bench_papers_suite[];
size_t bench_papers_name_count(void);
const char *bench_papers_name(size_t number);
void bench_papers_write_names(FILE *stream); /* a line each, with what it is */

/* Whether a suite, or a name of the suite of papers, has anything that runs on a device. */
bool bench_suite_of_devices(size_t suite);
bool bench_papers_of_devices(size_t number);

/* Of the settings quick, scenes, threads, rounds, the first backend, figures, data and watch are looked at; what
 * `scenes` name is the suite's own. Prints tables, draws into the folder of figures. On failure a message is in
 * `error`. */
bench_ending bench_suite_run(size_t suite, const bench_settings *settings, bench_output *out, char *error,
                             size_t error_bytes);

#endif
