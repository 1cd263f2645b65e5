/* The options of `graze bench`. */
#ifndef GRAZE_BENCH_OPTIONS_H
#define GRAZE_BENCH_OPTIONS_H

#include "option_values.h"

#include "bench/bench_suite.h"

enum { BENCH_NO_SUITE = -1 };

typedef struct bench_options {
  bench_settings settings; /* words are borrowed from the arguments */
  int suite;               /* the number of the suite, or BENCH_NO_SUITE: tables */
  bool quiet;
  const char *csv, *json, *report; /* NULL: not requested; "-": stdout */
  const char *old_path, *new_path; /* records to compare, or NULL; with both, nothing is measured */
} bench_options;

/* Reads and checks all options; there is nothing to release. Splits lists in the arguments in place. */
options_state bench_options_read(const command *self, int argument_count, char **arguments, bench_options *options_out);

extern const command_option bench_option_table[];

/* Parts of the above for programs with other tables: the defaults, and the check that devices and files are consistent;
 * false after a complaint. */
bench_options bench_options_start(void);
bool bench_options_agree(bench_options *options);

/* Readers of their rows: "a,b,c", split in place, for bench_words, and the lists and rounds of bench_settings. */
option_reader bench_read_words, bench_read_sizes, bench_read_backends, bench_read_devices, bench_read_threads,
    bench_read_rounds;

enum { BENCH_SHARE_MOST = 1000000 };

/* Write the names of tables, suites and scenes, for the help text. */
void bench_options_write_names(FILE *stream);

#endif
