/* The plot of a run: milliseconds over frames, the whole frame and the stages that take longest. */
#include "play_outcome.h"

#include "charts/line_chart.h"

#include <stdlib.h>

enum { LINES = 4 };

/* What a line is made of: the frame by the clock, the search, the tests, and all that comes before them. */
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

static void write_plot(const play_run *run, const double *points, const double *values, FILE *stream) {
  static const char *const lines[LINES] = {"frame", "update, bounds, build", "search", "test, order"};
  const line_panel panel = {"", values};
  const line_chart chart = {.title = "Time over frames",
                            .horizontal = "frame",
                            .vertical = "ms",
                            .lines = lines,
                            .line_count = LINES,
                            .points = points,
                            .point_count = run->count,
                            .panels = &panel,
                            .panel_count = 1,
                            .linear = true};
  line_chart_write(&chart, stream);
}

bool play_write_plot(const play_run *run, FILE *stream) {
  double *points = malloc((run->count + 1) * sizeof *points);
  double *values = malloc((LINES * run->count + 1) * sizeof *values);
  const bool reserved = points != NULL && values != NULL;
  for (size_t i = 0; reserved && i < run->count; ++i) {
    points[i] = (double)run->records[i].frame;
    for (size_t line = 0; line < LINES; ++line) values[line * run->count + i] = value_of(&run->records[i], line);
  }
  if (reserved) write_plot(run, points, values, stream);
  free(points);
  free(values);
  return reserved;
}
