/* Columns that are stacks of layers, in panels side by side over one vertical axis: what a whole is made of, and how
 * that changes from column to column. */
#ifndef GRAZE_STACK_CHART_H
#define GRAZE_STACK_CHART_H

#include <stddef.h>
#include <stdio.h>

typedef struct stack_panel {
  const char *title;
  size_t column_count;
  const char *const *columns; /* their labels; an empty one is left out, where there are too many for all */
  const double *values;       /* column by column, the chart's layer_count of each, from the lowest; none negative */
} stack_panel;

typedef struct stack_chart {
  const char *title, *horizontal, *vertical; /* words for the axes */
  const char *const *layers;                 /* their names, from the lowest */
  size_t layer_count;                        /* at most SVG_LAYER_STYLES */
  const stack_panel *panels;
  size_t panel_count;
} stack_chart;

/* The vertical axis is linear and begins at zero. */
void stack_chart_write(const stack_chart *chart, FILE *stream);

#endif
