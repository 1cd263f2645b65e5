/* Common functions of the studies: planning, measuring, comparing and drawing rows. */
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

bool study_fail(const study *at, const char *message);   /* stores the message, returns false */
size_t study_scaled(const study *at, size_t primitives); /* a tenth in a quick run */

/* Returns a call of the grid with the common settings of the studies. */
bench_call study_call(const study *at, const bench_scene *scene, bench_kind kind);
void study_plan(study *at, bench_call call);

/* Measures all rows. If stopped, keeps the measurements and returns false. */
bool study_measure(const study *at, size_t rounds);
bool study_measure_some(const study *at, size_t first, size_t count, size_t rounds);
bool study_measure_and_print(const study *at);

/* For studies that do not use study_measure: reports progress; returns false if the study must stop. The second
 * function removes the progress bar before output. */
bool study_goes_on(const study *at, const char *what, double part);
void study_speaks(const study *at);

/* Whether all rows from `first` to before `end` have the same result. */
bool study_agree(const study *at, size_t first, size_t end);

double row_asked(const bench_row *row); /* medians */
double row_total(const bench_row *row);

/* Draws a figure; does nothing without a folder for figures. */
bool study_draw(const study *at, const bench_figure *figure);
bool study_draw_lines(const study *at, const line_chart *chart, const char *file);
bool study_draw_stacks(const study *at, const stack_chart *chart, const char *file);

#endif
