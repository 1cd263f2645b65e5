/* Draws box plots. Workload: a dozen boxes and at most thousands of outliers. */
#include "charts/box_plot.h"

#include "charts/svg_drawing.h"

#include <math.h>

enum { WIDTH = 820, HEIGHT = 460, LEFT = 76, RIGHT = 24, TOP = 48, BOTTOM = 76 };

/* ---------------------------------------------------------------------------------------------- statistics */

static double median_of(const double *sorted, size_t count) {
  return 0.5 * (sorted[(count - 1) / 2] + sorted[count / 2]);
}

box_summary box_summary_of(const double *sorted, size_t count) {
  const size_t half = (count + 1) / 2;
  box_summary box = {.median = median_of(sorted, count),
                     .low_adjacent = median_of(sorted, half),
                     .high_adjacent = median_of(sorted + (count - half), half),
                     .count = count};
  const double reach = 1.5 * (box.high_adjacent - box.low_adjacent);
  while (sorted[box.low_outliers] < box.low_adjacent - reach) ++box.low_outliers;
  while (sorted[count - 1 - box.high_outliers] > box.high_adjacent + reach) ++box.high_outliers;
  box.low_whisker = sorted[box.low_outliers];
  box.high_whisker = sorted[count - 1 - box.high_outliers];
  return box;
}

/* ---------------------------------------------------------------------------------------------- axes */

/* The vertical axis: between two of the values 1, 2 or 5 times a power of ten. */
typedef struct axis {
  double low, high;
} axis;

static axis axis_for(const box_plot *plot) {
  double least = HUGE_VAL, most = 1.0;
  for (size_t i = 0; i < plot->group_count; ++i) {
    least = fmin(least, plot->groups[i].sorted[0]);
    most = fmax(most, plot->groups[i].sorted[plot->groups[i].count - 1]);
  }
  axis fitted = {1.0, 2.0};
  while (svg_step_up(fitted.low) <= least && svg_step_up(fitted.low) < most) fitted.low = svg_step_up(fitted.low);
  while (fitted.high < most || fitted.high <= fitted.low) fitted.high = svg_step_up(fitted.high);
  return fitted;
}

static double height_at(const axis *vertical, double value) {
  const double part = log(value / vertical->low) / log(vertical->high / vertical->low);
  return HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP);
}

static double bin_width(const box_plot *plot) {
  return (double)(WIDTH - LEFT - RIGHT) / (double)plot->bin_count;
}

static void write_vertical(const axis *vertical, FILE *stream) {
  for (double value = vertical->low; value <= vertical->high * 1.001; value = svg_step_up(value)) {
    const double y = height_at(vertical, value);
    char label[32];
    snprintf(label, sizeof label, "%.0f", value);
    svg_line(stream, LEFT, y, WIDTH - RIGHT, y, "grid");
    svg_text(stream, LEFT - 8, y + 4, "right", label);
  }
}

static void write_horizontal(const box_plot *plot, FILE *stream) {
  const double bottom = HEIGHT - BOTTOM;
  for (size_t i = 0; i <= plot->bin_count; ++i) {
    const double x = LEFT + (double)i * bin_width(plot);
    svg_line(stream, x, bottom, x, bottom + 5, "axis");
    svg_text(stream, x, bottom + 19, "middle", plot->edges[i]);
  }
  svg_line(stream, LEFT, bottom, WIDTH - RIGHT, bottom, "axis");
  svg_line(stream, LEFT, TOP, LEFT, bottom, "axis");
}

/* ---------------------------------------------------------------------------------------------- boxes */

static void write_outliers(const box_group *group, const box_summary *box, const axis *vertical, double x,
                           FILE *stream) {
  for (size_t i = 0; i < group->count; ++i) {
    if (i >= box->low_outliers && i < group->count - box->high_outliers) continue;
    if (i > 0 && i != group->count - box->high_outliers && group->sorted[i] == group->sorted[i - 1]) continue;
    svg_circle(stream, x, height_at(vertical, group->sorted[i]), 3, "outlier");
  }
}

static void write_box(const box_plot *plot, const box_group *group, const axis *vertical, FILE *stream) {
  const box_summary box = box_summary_of(group->sorted, group->count);
  const double width = fmin(0.6 * bin_width(plot), 70.0), x = LEFT + ((double)group->bin + 0.5) * bin_width(plot);
  const double low = height_at(vertical, box.low_adjacent), high = height_at(vertical, box.high_adjacent);
  const double low_end = height_at(vertical, box.low_whisker), high_end = height_at(vertical, box.high_whisker);
  svg_line(stream, x, low, x, low_end, "axis");
  svg_line(stream, x, high, x, high_end, "axis");
  svg_line(stream, x - width / 4, low_end, x + width / 4, low_end, "axis");
  svg_line(stream, x - width / 4, high_end, x + width / 4, high_end, "axis");
  svg_box(stream, x - width / 2, high, width, low - high, "box");
  const double median = height_at(vertical, box.median);
  svg_line(stream, x - width / 2, median, x + width / 2, median, "median");
  write_outliers(group, &box, vertical, x, stream);
  char label[32];
  snprintf(label, sizeof label, "n = %zu", group->count);
  svg_text(stream, x, HEIGHT - BOTTOM + 36, "small", label);
}

void box_plot_write(const box_plot *plot, FILE *stream) {
  svg_begin(stream, WIDTH, HEIGHT);
  svg_text(stream, LEFT, TOP - 20, "title", plot->title);
  svg_text(stream, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", plot->horizontal);
  svg_text_upward(stream, 22, (TOP + HEIGHT - BOTTOM) / 2, "middle", plot->vertical);
  if (plot->group_count > 0) {
    const axis vertical = axis_for(plot);
    write_vertical(&vertical, stream);
    for (size_t i = 0; i < plot->group_count; ++i) write_box(plot, &plot->groups[i], &vertical, stream);
  }
  write_horizontal(plot, stream);
  svg_end(stream);
}
