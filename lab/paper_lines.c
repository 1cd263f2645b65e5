/* Stores and draws the lines of a figure: see paper_lines.h. */
#include "lab/paper_lines.h"

#include <stdlib.h>

static void release(paper_lines *lines) {
  free(lines->points);
  free(lines->values);
  *lines = (paper_lines){0};
}

bool paper_lines_make(const study *at, size_t line_count, size_t count, paper_lines *lines_out) {
  *lines_out = (paper_lines){.line_count = line_count,
                             .count = count,
                             .points = calloc(count + 1, sizeof(double)),
                             .values = calloc(line_count * count + 1, sizeof(double))};
  if (lines_out->points != NULL && lines_out->values != NULL) return true;
  release(lines_out);
  study_fail(at, "out of memory");
  return false;
}

bool paper_lines_draw(const study *at, paper_lines *lines, const line_chart *words, const char *file) {
  const line_panel panel = {"", lines->values};
  line_chart chart = *words;
  chart.line_count = lines->line_count;
  chart.points = lines->points;
  chart.point_count = lines->count;
  chart.panels = &panel;
  chart.panel_count = 1;
  const bool drawn = lines->count < 2 || study_draw_lines(at, &chart, file);
  release(lines);
  return drawn;
}
