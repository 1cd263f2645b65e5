/* Panels of shaded cells with logarithmic shades, such as frequencies along a path. */
#ifndef GRAZE_HEAT_MAP_H
#define GRAZE_HEAT_MAP_H

#include <stddef.h>
#include <stdio.h>

typedef struct heat_panel {
  const char *title;
  const double *values; /* column by column, the chart's row_count of each, the lowest first */
} heat_panel;

typedef struct heat_map {
  const char *title, *horizontal, *vertical; /* labels of the axes */
  double left, right;                        /* values of the first and the last column */
  double low, high;                          /* values of the first and the last row */
  size_t column_count, row_count;
  const heat_panel *panels;
  size_t panel_count;
  double least, most; /* above zero: values below `least` are white, values above `most` darkest */
} heat_map;

void heat_map_write(const heat_map *map, FILE *stream);

#endif
