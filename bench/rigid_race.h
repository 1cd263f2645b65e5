/* Engines that do the same steps in turn, their times and whether they agree; and the rows that tell of it. */
#ifndef GRAZE_RIGID_RACE_H
#define GRAZE_RIGID_RACE_H

#include "bench/bench_record.h"
#include "bench/bench_watch.h"
#include "bench/rigid_engine.h"

#include <stdio.h>

enum { RIGID_RUNNERS_MAX = 16 };

/* What all parts of the benchmark are told. */
typedef struct rigid_settings {
  bool quick;
  const char *part;           /* of a part's name; "" for all */
  const char *engine_part;    /* of an engine's name; the first engine always runs */
  const char *figures;        /* folder for drawings; NULL: none */
  const char *drawing;        /* how the name of one begins; NULL: "rigid_rotation" */
  bool silent;                /* no rows on the screen */
  const char *configurations; /* a file of `graze bench --suite rigid`; NULL: none */
  size_t rounds;
  size_t steps;      /* of a revolution, and so many poses to ask about */
  size_t body_count; /* of the world */
  double budget_ms;  /* an engine that would take longer for a round does every third step of it, or every fifth... */
  FILE *csv;         /* may be NULL */
  bench_record record;
  const rigid_engine *peers; /* beside graze's; may be NULL */
  size_t peer_count;
  rigid_error *error;       /* for what goes wrong; NULL: the error stream */
  const bench_watch *watch; /* may stop a race, which then fails without a message; NULL: nobody */
} rigid_settings;

/* One sentence about what went wrong, where the settings want it. */
#if defined __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void rigid_complain(const rigid_settings *settings, const char *format, ...);

/* What is done: `step_count` steps, each by one call. `bodies` is what the runner holds. */
typedef struct rigid_course {
  const char *part, *object, *state; /* the row's words */
  size_t triangles;
  size_t step_count;
  bool (*run)(const struct rigid_course *course, const rigid_engine *engine, void *bodies, size_t step,
              rigid_answer *answer_out, rigid_error *error);
  const void *steps; /* what `run` takes them from */
  rigid_question question;
} rigid_course;

/* An engine and the bodies that it holds, with the times of the last race. */
typedef struct rigid_runner {
  const rigid_engine *engine;
  void *bodies;      /* NULL: it does not run (any more) */
  double open_ms;    /* of making the bodies */
  rigid_error error; /* why it does not run; "" where it does */
  double mean_us, median_us,
      worst_us;                  /* over steps, of the least time of each; the median is that of the rounds' means */
  double over_first;             /* mean over the first runner's at the same steps */
  uint64_t meeting, pairs, hash; /* of all steps that it did */
  uint64_t box_tests;            /* likewise */
  size_t steps_done, unlike_answers, unlike_counts; /* against the first runner */
} rigid_runner;

/* All that take part in the question and have `needs` bits; holds no bodies yet. */
size_t rigid_runners_choose(const rigid_settings *settings, unsigned needs, bool small,
                            rigid_runner runners_out[RIGID_RUNNERS_MAX]);
bool rigid_runners_open_pair(const rigid_settings *settings, rigid_runner *runners, size_t count,
                             const bench_shape shapes[2]);
void rigid_runners_close_pair(rigid_runner *runners, size_t count);

/* False, with a complaint, where memory runs out or exact engines disagree; and without one where it was stopped. The
 * first runner's answers are those that others are compared with. Prints a row a runner. */
bool rigid_race(const rigid_settings *settings, const rigid_course *course, rigid_runner *runners, size_t count);

void rigid_print_heading(const rigid_settings *settings);
void rigid_print_row(const rigid_settings *settings, const rigid_course *course, const rigid_runner *runner);

#endif
