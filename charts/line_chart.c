/* Draws lines. Workload: one or two panels of at most eight lines of tens to hundreds of points. */
#include "charts/line_chart.h"

#include "charts/svg_drawing.h"

#include <math.h>

enum { HEIGHT = 460, LEGEND_SWATCH = 26, LABELS_MAX = 6 /* along the horizontal axis of a panel */ };

typedef struct axis {
  double low, high; /* powers of ten; of a linear axis 0 and a multiple of the step */
  double step;      /* 0: the axis is logarithmic */
} axis;

enum { STEPS_MAX = 6 }; /* of a linear axis */

static axis linear_axis(double most) {
  if (!(most > 0.0)) return (axis){0.0, 1.0, 0.5};
  double step = pow(10.0, floor(log10(most)) - 1.0);
  while (step * STEPS_MAX < most) step = svg_step_up(step);
  return (axis){0.0, step * ceil(most / step - 1e-9), step};
}

static axis axis_for(const line_chart *chart) {
  double least = HUGE_VAL, most = 0.0;
  for (size_t i = 0; i < chart->panel_count; ++i)
    for (size_t j = 0; j < chart->line_count * chart->point_count; ++j) {
      const double value = chart->panels[i].values[j];
      if (!(value > 0.0) || isinf(value)) continue;
      least = fmin(least, value);
      most = fmax(most, value);
    }
  if (chart->linear) return linear_axis(most);
  if (most <= 0.0) return (axis){1.0, 10.0, 0.0};
  const axis fitted = {pow(10.0, floor(log10(least))), pow(10.0, ceil(log10(most))), 0.0};
  return fitted.high > fitted.low ? fitted : (axis){fitted.low, 10.0 * fitted.low, 0.0};
}

/* The fraction of the axis below the value. */
static double part_at(const axis *vertical, double value) {
  const bool linear = vertical->step > 0.0;
  return linear ? value / vertical->high : log(value / vertical->low) / log(vertical->high / vertical->low);
}

static void write_vertical(const axis *vertical, const svg_frame *frame, FILE *stream) {
  const bool linear = vertical->step > 0.0;
  for (double value = vertical->low; value <= 1.001 * vertical->high;
       value = linear ? value + vertical->step : 10.0 * value) {
    char label[32];
    snprintf(label, sizeof label, "%g", value);
    svg_frame_level(stream, frame, part_at(vertical, value), label);
  }
}

static void line_style(size_t line, char style_out[16]) {
  snprintf(style_out, 16, "line_%u", (unsigned)(line % SVG_LINE_STYLES));
}

static double place_at(const line_chart *chart, const svg_panel *place, size_t point) {
  if (chart->even && chart->point_count > 1)
    return place->left + place->width * (double)point / (double)(chart->point_count - 1);
  const double first = chart->points[0], last = chart->points[chart->point_count - 1];
  const double part = last == first ? 0.5 : (chart->points[point] - first) / (last - first);
  return place->left + place->width * part;
}

/* Whether a value is drawn; otherwise it is a gap. */
static bool is_drawn(const line_chart *chart, double value) {
  return value > 0.0 || (chart->linear && value == 0.0);
}

/* A path for each stretch between gaps; a single point between two gaps is not drawn. */
static void write_line(const line_chart *chart, const double *values, const axis *vertical, const svg_frame *frame,
                       const svg_panel *place, const char *style, FILE *stream) {
  bool drawing = false;
  for (size_t i = 0; i < chart->point_count; ++i) {
    const bool drawn = is_drawn(chart, values[i]);
    const bool goes_on = drawn && i + 1 < chart->point_count && is_drawn(chart, values[i + 1]);
    if (!drawing && goes_on) svg_path_begin(stream, style);
    if (drawing || goes_on)
      svg_path_point(stream, place_at(chart, place, i), svg_frame_height(frame, part_at(vertical, values[i])));
    if (drawing && !goes_on) svg_path_end(stream);
    drawing = goes_on;
  }
}

static void write_panel(const line_chart *chart, const line_panel *panel, const axis *vertical, const svg_frame *frame,
                        const svg_panel *place, FILE *stream) {
  const double bottom = svg_frame_floor(frame);
  const size_t every = (chart->point_count + LABELS_MAX - 1) / LABELS_MAX;
  for (size_t i = 0; i < chart->point_count; i += every) {
    char label[32];
    snprintf(label, sizeof label, "%.4g", chart->points[i]);
    svg_line(stream, place_at(chart, place, i), bottom, place_at(chart, place, i), bottom + 5, "axis");
    svg_text(stream, place_at(chart, place, i), bottom + 19, "small", label);
  }
  for (size_t i = 0; i < chart->line_count; ++i) {
    char style[16];
    line_style(i, style);
    write_line(chart, panel->values + i * chart->point_count, vertical, frame, place, style, stream);
  }
  svg_frame_panel_end(stream, frame, place, panel->title);
}

static void write_legend(const line_chart *chart, FILE *stream) {
  double x = SVG_FRAME_LEFT;
  for (size_t i = 0; i < chart->line_count; ++i) {
    char style[16];
    line_style(i, style);
    svg_line(stream, x, SVG_LEGEND_LINE - 4, x + LEGEND_SWATCH, SVG_LEGEND_LINE - 4, style);
    x = svg_legend_words(stream, x, LEGEND_SWATCH, chart->lines[i]);
  }
}

void line_chart_write(const line_chart *chart, FILE *stream) {
  const axis vertical = axis_for(chart);
  const svg_frame frame = {chart->title, chart->horizontal, chart->vertical, HEIGHT, chart->panel_count};
  svg_frame_begin(stream, &frame);
  write_legend(chart, stream);
  write_vertical(&vertical, &frame, stream);
  for (size_t i = 0; i < chart->panel_count; ++i) {
    const svg_panel place = svg_frame_panel(&frame, i);
    write_panel(chart, &chart->panels[i], &vertical, &frame, &place, stream);
  }
  svg_frame_end(stream, &frame);
}
