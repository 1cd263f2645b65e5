/* The plot of a run: milliseconds of each frame, in total and of the longest stages; for a comparison, the total by
 * each method on a logarithmic axis, because one may take a hundred times as long as another. */
#include "play_outcome.h"

#include "charts/line_chart.h"

#include <stdlib.h>

enum { LINES = 4 };

/* The lines: wall time of the frame, the search, the tests, and everything before them. */
static double value_of(const frame_record *record, size_t line) {
  const graze_timings *timings = &record->timings;
  switch (line) {
  case 0:
    return record->query_ms;
  case 1:
    return timings->update_ms + timings->bounds_ms + timings->build_ms;
  case 2:
    return timings->search_ms;
  default:
    return timings->test_ms + timings->order_ms;
  }
}

static void write_plot(const play_run *run, const char *const *lines, size_t line_count, const double *points,
                       const double *values, FILE *stream) {
  const line_panel panel = {"", values};
  const line_chart chart = {.title = "Time over frames",
                            .horizontal = "frame",
                            .vertical = "ms",
                            .lines = lines,
                            .line_count = line_count,
                            .points = points,
                            .point_count = run->count,
                            .panels = &panel,
                            .panel_count = 1,
                            .linear = !run->options->compare_methods};
  line_chart_write(&chart, stream);
}

/* A frame that a method skipped is a gap. */
static void take_methods(const play_run *run, const char **lines, double *values) {
  const double gap = -1.0;
  for (size_t line = 0; line < run->method_count; line++) lines[line] = run->methods[line].method.name;
  for (size_t i = 0; i < run->method_count * run->count; i++) values[i] = gap;
  for (size_t i = 0; i < run->count; i++) values[i] = run->records[i].query_ms;
  for (size_t i = 0, place = 0; i < run->other_count; i++) {
    const frame_record *record = &run->others[i];
    size_t line = 1;
    while (run->records[place].frame < record->frame) place++;
    while (run->methods[line].method.name != record->method) line++;
    values[line * run->count + place] = record->query_ms;
  }
}

static void take_stages(const play_run *run, const char **lines, double *values) {
  static const char *const words[LINES] = {"frame", "update, bounds, build", "search", "test, order"};
  for (size_t line = 0; line < LINES; line++) {
    lines[line] = words[line];
    for (size_t i = 0; i < run->count; i++) values[line * run->count + i] = value_of(&run->records[i], line);
  }
}

bool play_write_plot(const play_run *run, FILE *stream) {
  const bool methods = run->options->compare_methods;
  const size_t line_count = methods ? run->method_count : LINES;
  const char **lines = calloc(line_count + 1, sizeof *lines);
  double *points = malloc((run->count + 1) * sizeof *points);
  double *values = malloc((line_count * run->count + 1) * sizeof *values);
  const bool reserved = lines != NULL && points != NULL && values != NULL;
  if (reserved) {
    for (size_t i = 0; i < run->count; i++) points[i] = (double)run->records[i].frame;
    (methods ? take_methods : take_stages)(run, lines, values);
    write_plot(run, lines, line_count, points, values, stream);
  }
  free(lines);
  free(points);
  free(values);
  return reserved;
}
