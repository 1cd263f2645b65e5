/* Common functions of the studies. */
#include "bench/study_tools.h"

#include <assert.h>

enum { QUICK_DIVISOR = 10 };

bool study_fail(const study *at, const char *message) {
  snprintf(at->error, at->error_bytes, "%s", message);
  return false;
}

size_t study_scaled(const study *at, size_t primitives) {
  return primitives / (at->settings->quick ? QUICK_DIVISOR : 1);
}

bench_call study_call(const study *at, const bench_scene *scene, bench_kind kind) {
  return (bench_call){.scene = scene,
                      .method = "grid",
                      .threads = at->settings->threads,
                      .kind = kind,
                      .backend = at->settings->backend};
}

void study_plan(study *at, bench_call call) {
  assert(at->row_count < at->capacity);
  bench_row_plan(&at->rows[at->row_count++], call);
}

bool study_measure_some(const study *at, size_t first, size_t count, size_t rounds) {
  bench_row *const rows = at->rows + first;
  const bench_rounds wanted = {.least = rounds};
  if (bench_rows_run(rows, count, &wanted, at->settings->watch, at->error, at->error_bytes)) return true;
  for (size_t i = 0; i < count; i++) bench_table_keep(at->out, &rows[i]);
  return false;
}

bool study_measure(const study *at, size_t rounds) {
  return study_measure_some(at, 0, at->row_count, rounds);
}

bool study_goes_on(const study *at, const char *what, double part) {
  if (bench_watch_stops(at->settings->watch)) return study_fail(at, "");
  bench_watch_tell(at->settings->watch, what, part);
  return true;
}

void study_speaks(const study *at) {
  bench_watch_clear(at->settings->watch);
}

bool study_measure_and_print(const study *at) {
  if (!study_measure(at, at->settings->rounds)) return false;
  for (size_t i = 0; i < at->row_count; i++) bench_table_line(at->out, &at->rows[i]);
  return true;
}

bool study_agree(const study *at, size_t first, size_t end) {
  for (size_t i = first; i < end; i++)
    if (at->rows[i].rounds[0].hash != at->rows[first].rounds[0].hash || !bench_row_steady(&at->rows[i]))
      return study_fail(at, "calls that must find the same pairs disagree");
  return true;
}

double row_asked(const bench_row *row) {
  return bench_row_median(row).asked_ms;
}

double row_total(const bench_row *row) {
  return bench_row_median(row).total_ms;
}

bool study_draw(const study *at, const bench_figure *figure) {
  return at->settings->figures == NULL || bench_figure_write(figure, at->settings->figures, at->error, at->error_bytes);
}

bool study_draw_lines(const study *at, const line_chart *chart, const char *file) {
  return at->settings->figures == NULL ||
         bench_figure_write_lines(chart, file, at->settings->figures, at->error, at->error_bytes);
}

bool study_draw_stacks(const study *at, const stack_chart *chart, const char *file) {
  return at->settings->figures == NULL ||
         bench_figure_write_stacks(chart, file, at->settings->figures, at->error, at->error_bytes);
}
