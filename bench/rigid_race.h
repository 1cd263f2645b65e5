/* Runs the same steps on several engines, interleaved; compares their answers, and prints rows of their times. */
#ifndef GRAZE_RIGID_RACE_H
#define GRAZE_RIGID_RACE_H

#include "bench/bench_record.h"
#include "bench/bench_watch.h"
#include "bench/rigid_engine.h"

#include <stdio.h>

enum { RIGID_RUNNERS_MAX = 16 };

/* The settings of all parts of the benchmark. */
typedef struct rigid_settings {
  bool quick;
  const char *part;           /* of a part's name; "" for all */
  const char *engine_part;    /* of an engine's name; the first engine always runs */
  const char *figures;        /* folder for drawings; NULL: none */
  const char *drawing;        /* prefix of their names; NULL: "rigid_rotation" */
  bool silent;                /* no rows on the screen */
  const char *configurations; /* a file of `graze bench --suite rigid`; NULL: none */
  size_t rounds;
  size_t steps;      /* of a revolution; also the number of poses of queries */
  size_t body_count; /* of the world */
  double budget_ms;  /* an engine that takes longer for a round does every third step of it, or every fifth... */
  FILE *csv;         /* may be NULL */
  bench_record record;
  const rigid_engine *peers; /* in addition to graze's; may be NULL */
  size_t peer_count;
  rigid_error *error;       /* receives messages; NULL: the error stream */
  const bench_watch *watch; /* may stop a race, which then fails without a message; may be NULL */
} rigid_settings;

/* Writes an error message to the destination in the settings. */
#if defined __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void rigid_complain(const rigid_settings *settings, const char *format, ...);

/* A series of `step_count` steps, each with one call. `bodies` are those of the runner. */
typedef struct rigid_series {
  const char *part, *object, *state; /* names in the row */
  size_t triangles;
  size_t step_count;
  bool (*run)(const struct rigid_series *series, const rigid_engine *engine, void *bodies, size_t step,
              rigid_answer *answer_out, rigid_error *error);
  const void *steps; /* passed to `run` */
  rigid_question question;
} rigid_series;

/* An engine and the bodies that it holds, with the times of the last race. */
typedef struct rigid_runner {
  const rigid_engine *engine;
  void *bodies;      /* NULL: it does not run, or has failed */
  double open_ms;    /* creation of the bodies */
  rigid_error error; /* why it does not run; "" if it does */
  double mean_us, median_us,
      worst_us;                  /* over steps, of the least time of each; the median is that of the rounds' means */
  double over_first;             /* mean over the first runner's at the same steps */
  uint64_t meeting, pairs, hash; /* of all its steps */
  uint64_t box_tests;            /* likewise */
  size_t steps_done, unlike_answers, unlike_counts; /* against the first runner */
} rigid_runner;

/* Selects the engines that have all bits of `needs`; they hold no bodies yet. */
size_t rigid_runners_choose(const rigid_settings *settings, unsigned needs, bool small,
                            rigid_runner runners_out[RIGID_RUNNERS_MAX]);
bool rigid_runners_open_pair(const rigid_settings *settings, rigid_runner *runners, size_t count,
                             const bench_shape shapes[2]);
void rigid_runners_close_pair(rigid_runner *runners, size_t count);

/* Runs a race and prints a row for each runner. The answers are compared with those of the first runner. Returns false
 * with a message if out of memory or if exact engines disagree, and false without a message if stopped. */
bool rigid_race(const rigid_settings *settings, const rigid_series *series, rigid_runner *runners, size_t count);

void rigid_print_heading(const rigid_settings *settings);
void rigid_print_row(const rigid_settings *settings, const rigid_series *series, const rigid_runner *runner);

#endif
