/* Box plots after Tukey ("Exploratory data analysis", 1977), and their drawing as SVG. */
#ifndef GRAZE_BOX_PLOT_H
#define GRAZE_BOX_PLOT_H

#include <stddef.h>
#include <stdio.h>

/* Hinges are the medians of the lower and the upper half, with the middle value in both; whiskers end at the outermost
 * values within 1.5 times the distance of the hinges; values beyond are outliers. */
typedef struct box_summary {
  double low_whisker, low_adjacent, median, high_adjacent, high_whisker;
  size_t count, low_outliers, high_outliers; /* outliers are the first and the last of the sorted values */
} box_summary;

/* Of at least one value, in ascending order. */
box_summary box_summary_of(const double *sorted, size_t count);

/* A box of the plot: its values in ascending order, borrowed, at least one and each at least one; and its position on
 * the horizontal axis, in bins of the plot. */
typedef struct box_group {
  const double *sorted;
  size_t count;
  size_t bin;
} box_group;

typedef struct box_plot {
  const char *title, *horizontal, *vertical; /* labels of the axes */
  const box_group *groups;
  size_t group_count, bin_count;
  const char *const *edges; /* bin_count + 1 labels, between the bins */
} box_plot;

/* The vertical axis is logarithmic. Black on white, without colors. */
void box_plot_write(const box_plot *plot, FILE *stream);

#endif
