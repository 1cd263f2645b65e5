/* Line charts in panels next to each other with a common vertical axis, logarithmic or linear from zero. The horizontal
 * axis is linear or has equidistant points. */
#ifndef GRAZE_LINE_CHART_H
#define GRAZE_LINE_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct line_panel {
  const char *title;
  const double *values; /* line by line, the chart's point_count of each; what is not above zero is a gap,
                           but for zeros where the axis is linear */
} line_panel;

typedef struct line_chart {
  const char *title, *horizontal, *vertical; /* labels of the axes */
  const char *const *lines;                  /* their names */
  size_t line_count;                         /* at most SVG_LINE_STYLES look different */
  const double *points;                      /* positions of the values: ascending or descending, drawn in this order */
  size_t point_count;
  const line_panel *panels;
  size_t panel_count;
  bool even;   /* the points are equidistant, for values that grow by factors */
  bool linear; /* the vertical axis begins at zero, and zeros are drawn */
} line_chart;

void line_chart_write(const line_chart *chart, FILE *stream);

#endif
