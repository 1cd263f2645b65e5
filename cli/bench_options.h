/* What `graze bench` was asked to do. */
#ifndef GRAZE_BENCH_OPTIONS_H
#define GRAZE_BENCH_OPTIONS_H

#include "command_line.h"

#include "bench/bench_suite.h"

enum { BENCH_NO_SUITE = -1 };

typedef struct bench_options {
  bench_settings settings; /* words are borrowed from the arguments */
  int suite;               /* its number, or BENCH_NO_SUITE: the tables */
  bool quiet;
  const char *csv, *json;          /* NULL: not asked for; "-": stdout */
  const char *old_path, *new_path; /* records to compare, or NULL; with both nothing is measured */
} bench_options;

/* Reads and checks all options; nothing to release. Cuts lists in the arguments apart. */
options_state bench_options_read(const command *self, int argument_count, char **arguments, bench_options *options_out);

extern const command_option bench_option_table[];

/* The tables, suites, papers and scenes by name, for the help text. */
void bench_options_write_names(FILE *stream);

#endif
