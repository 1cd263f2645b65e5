/* Box plots after Tukey ("Exploratory data analysis", 1977), and the SVG that shows a row of them. */
#ifndef GRAZE_BOX_PLOT_H
#define GRAZE_BOX_PLOT_H

#include <stddef.h>
#include <stdio.h>

/* Hinges are the medians of the lower and the upper half, the middle value belonging to both; whiskers end at the
 * outermost values that are within 1.5 times the distance of the hinges from them; what lies beyond is an outlier. */
typedef struct box_summary {
  double low_whisker, low_adjacent, median, high_adjacent, high_whisker;
  size_t count, low_outliers, high_outliers; /* outliers are the first and the last of the sorted values */
} box_summary;

/* Of values in ascending order, at least one. */
box_summary box_summary_of(const double *sorted, size_t count);

/* One box of the plot: its values in ascending order, borrowed, at least one and each at least one; and where it stands
 * on the horizontal axis, which counts the plot's bins. */
typedef struct box_group {
  const double *sorted;
  size_t count;
  size_t bin;
} box_group;

typedef struct box_plot {
  const char *title, *horizontal, *vertical; /* words for the axes */
  const box_group *groups;
  size_t group_count, bin_count;
  const char *const *edges; /* bin_count + 1 labels, between the bins */
} box_plot;

/* The vertical axis is logarithmic. Black on white: nothing depends on colors. */
void box_plot_write(const box_plot *plot, FILE *stream);

#endif
