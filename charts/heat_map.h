/* Panels of shaded cells, one shade for each factor: where along a path which frequencies are. */
#ifndef GRAZE_HEAT_MAP_H
#define GRAZE_HEAT_MAP_H

#include <stddef.h>
#include <stdio.h>

typedef struct heat_panel {
  const char *title;
  const double *values; /* column by column, the chart's row_count of each, the lowest first */
} heat_panel;

typedef struct heat_map {
  const char *title, *horizontal, *vertical; /* words for the axes */
  double left, right;                        /* what the first and the last column stand for */
  double low, high;                          /* what the first and the last row stand for */
  size_t column_count, row_count;
  const heat_panel *panels;
  size_t panel_count;
  double least, most; /* above zero: what is below the first is white, what is above the last the darkest */
} heat_map;

void heat_map_write(const heat_map *map, FILE *stream);

#endif
