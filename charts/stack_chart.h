/* Stacked columns in panels next to each other with a common vertical axis: the parts of a whole, and how they change
 * between columns. */
#ifndef GRAZE_STACK_CHART_H
#define GRAZE_STACK_CHART_H

#include <stddef.h>
#include <stdio.h>

typedef struct stack_panel {
  const char *title;
  size_t column_count;
  const char *const *columns; /* their labels; omit some by empty labels if there are too many */
  const double *values;       /* column by column, the chart's layer_count of each, from the lowest; none negative */
} stack_panel;

typedef struct stack_chart {
  const char *title, *horizontal, *vertical; /* labels of the axes */
  const char *const *layers;                 /* their names, from the lowest */
  size_t layer_count;                        /* at most SVG_LAYER_STYLES */
  const stack_panel *panels;
  size_t panel_count;
} stack_chart;

/* The vertical axis is linear and begins at zero. */
void stack_chart_write(const stack_chart *chart, FILE *stream);

#endif
