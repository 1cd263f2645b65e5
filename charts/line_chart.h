/* Lines over a horizontal axis that is linear, or as even as its points are many, in panels side by side over one
 * vertical axis, logarithmic or linear from zero on: how several ways of doing the same change along a path. */
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
  const char *title, *horizontal, *vertical; /* words for the axes */
  const char *const *lines;                  /* their names */
  size_t line_count;                         /* at most SVG_LINE_STYLES look different */
  const double *points;                      /* where the values stand: ascending or descending, drawn as they come */
  size_t point_count;
  const line_panel *panels;
  size_t panel_count;
  bool even;   /* the points stand at equal distances, whatever they are: for those that grow by factors */
  bool linear; /* the vertical axis begins at zero, and zeros are drawn */
} line_chart;

void line_chart_write(const line_chart *chart, FILE *stream);

#endif
