/* What all studies have in common: where they stand, and planning, measuring, comparing and drawing rows. */
#ifndef GRAZE_STUDY_TOOLS_H
#define GRAZE_STUDY_TOOLS_H

#include "bench/bench_figure.h"
#include "bench/bench_study.h"

typedef struct study {
  const bench_study_settings *settings;
  bench_output *out;
  bench_row *rows;
  size_t row_count, capacity;
  char *error;
  size_t error_bytes;
} study;

bool study_fail(const study *at, const char *message);   /* false, with the message kept */
size_t study_scaled(const study *at, size_t primitives); /* a tenth where it is to be quick */

/* A call of the grid, with what all calls of the studies have in common. */
bench_call study_call(const study *at, const bench_scene *scene, bench_kind kind);
void study_plan(study *at, bench_call call);

/* All rows. Where it is stopped, what was measured is kept, and it returns false. */
bool study_measure(const study *at, size_t rounds);
bool study_measure_some(const study *at, size_t first, size_t count, size_t rounds);
bool study_measure_and_print(const study *at);

/* For studies that measure by themselves: tells how far the study is; false where it is to stop. And before they print,
 * takes away what was told. */
bool study_goes_on(const study *at, const char *what, double part);
void study_speaks(const study *at);

/* All rows from `first` to before `end` have found the same. */
bool study_agree(const study *at, size_t first, size_t end);

double row_asked(const bench_row *row); /* medians */
double row_total(const bench_row *row);

/* Nothing where no folder for drawings was given. */
bool study_draw(const study *at, const bench_figure *figure);
bool study_draw_lines(const study *at, const line_chart *chart, const char *file);
bool study_draw_stacks(const study *at, const stack_chart *chart, const char *file);

#endif
