/* The options of `graze bench`. */
#ifndef GRAZE_BENCH_OPTIONS_H
#define GRAZE_BENCH_OPTIONS_H

#include "command_line.h"

#include "bench/bench_suite.h"

enum bench_option_code {
  CODE_TABLE = OPTION_CODE_FIRST,
  CODE_SUITE,
  CODE_SCENE,
  CODE_SIZE,
  CODE_METHOD,
  CODE_BACKENDS,
  CODE_DEVICE_NUMBER,
  CODE_THREAD_COUNTS,
  CODE_ROUNDS,
  CODE_PASSES,
  CODE_QUICK,
  CODE_CSV,
  CODE_JSON,
  CODE_COMPARE,
  CODE_FIGURES,
  CODE_FOLDER,
  CODE_SHARE,
  CODE_ALL,
  CODE_SEED,
  CODE_APPROACH,
  CODE_CONFIGURATIONS,
  CODE_REPORT
};

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

/* Parts of the above for programs with other tables: the defaults, one option (an option_reader), and the check that
 * devices and files are consistent; false after a complaint. */
bench_options bench_options_start(void);
bool bench_options_take(int code, void *options);
bool bench_options_agree(bench_options *options);

/* Splits "a,b,c" in place; false after a complaint. */
bool bench_split_list(const char *option, char *value, bench_words *words_out);

/* Write the names of tables, suites and scenes, for the help text. */
void bench_options_write_names(FILE *stream);

#endif
