/* Drawing lines. Workload: one or two panels of at most eight lines of some ten to some hundred points. */
#include "charts/line_chart.h"

#include "charts/svg_drawing.h"

#include <math.h>
#include <string.h>

enum {
  WIDTH = 820,
  HEIGHT = 460,
  LEFT = 76,
  RIGHT = 24,
  TOP = 92,
  BOTTOM = 64,
  PANEL_GAP = 28,
  LEGEND_SWATCH = 26,
  LETTER_WIDTH = 7, /* of the legend's words, about */
  LABELS_MAX = 6    /* along the horizontal axis of a panel */
};

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

static double height_at(const axis *vertical, double value) {
  const bool linear = vertical->step > 0.0;
  const double part =
      linear ? value / vertical->high : log(value / vertical->low) / log(vertical->high / vertical->low);
  return HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP);
}

static void write_vertical(const axis *vertical, FILE *stream) {
  const bool linear = vertical->step > 0.0;
  for (double value = vertical->low; value <= 1.001 * vertical->high;
       value = linear ? value + vertical->step : 10.0 * value) {
    const double y = height_at(vertical, value);
    char label[32];
    snprintf(label, sizeof label, "%g", value);
    svg_line(stream, LEFT, y, WIDTH - RIGHT, y, "grid");
    svg_text(stream, LEFT - 8, y + 4, "right", label);
  }
}

static void line_style(size_t line, char style_out[16]) {
  snprintf(style_out, 16, "line_%u", (unsigned)(line % SVG_LINE_STYLES));
}

/* Where a panel lies, and where its points lie in it. */
typedef struct panel_place {
  double left, width;
} panel_place;

static double place_at(const line_chart *chart, const panel_place *place, size_t point) {
  if (chart->even && chart->point_count > 1)
    return place->left + place->width * (double)point / (double)(chart->point_count - 1);
  const double first = chart->points[0], last = chart->points[chart->point_count - 1];
  const double part = last == first ? 0.5 : (chart->points[point] - first) / (last - first);
  return place->left + place->width * part;
}

/* Whether a value is drawn, or a gap. */
static bool is_drawn(const line_chart *chart, double value) {
  return value > 0.0 || (chart->linear && value == 0.0);
}

/* A path for each stretch between gaps; a point alone between two gaps is none. */
static void write_line(const line_chart *chart, const double *values, const axis *vertical, const panel_place *place,
                       const char *style, FILE *stream) {
  bool drawing = false;
  for (size_t i = 0; i < chart->point_count; ++i) {
    const bool drawn = is_drawn(chart, values[i]);
    const bool goes_on = drawn && i + 1 < chart->point_count && is_drawn(chart, values[i + 1]);
    if (!drawing && goes_on) svg_path_begin(stream, style);
    if (drawing || goes_on) svg_path_point(stream, place_at(chart, place, i), height_at(vertical, values[i]));
    if (drawing && !goes_on) svg_path_end(stream);
    drawing = goes_on;
  }
}

static void write_panel(const line_chart *chart, const line_panel *panel, const axis *vertical,
                        const panel_place *place, FILE *stream) {
  const double bottom = HEIGHT - BOTTOM;
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
    write_line(chart, panel->values + i * chart->point_count, vertical, place, style, stream);
  }
  svg_line(stream, place->left, bottom, place->left + place->width, bottom, "axis");
  svg_text(stream, place->left + place->width / 2, TOP - 10, "middle", panel->title);
}

static void write_legend(const line_chart *chart, FILE *stream) {
  double x = LEFT;
  for (size_t i = 0; i < chart->line_count; ++i) {
    char style[16];
    line_style(i, style);
    svg_line(stream, x, 50, x + LEGEND_SWATCH, 50, style);
    svg_text(stream, x + LEGEND_SWATCH + 5, 54, "legend", chart->lines[i]);
    x += LEGEND_SWATCH + 24 + LETTER_WIDTH * (double)strlen(chart->lines[i]);
  }
}

void line_chart_write(const line_chart *chart, FILE *stream) {
  const axis vertical = axis_for(chart);
  svg_begin(stream, WIDTH, HEIGHT);
  svg_text(stream, LEFT, 28, "title", chart->title);
  write_legend(chart, stream);
  write_vertical(&vertical, stream);
  const double count = (double)(chart->panel_count > 0 ? chart->panel_count : 1);
  const double width = (WIDTH - LEFT - RIGHT - (count - 1.0) * PANEL_GAP) / count;
  for (size_t i = 0; i < chart->panel_count; ++i) {
    const panel_place place = {LEFT + (double)i * (width + PANEL_GAP), width};
    write_panel(chart, &chart->panels[i], &vertical, &place, stream);
  }
  svg_text(stream, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", chart->horizontal);
  svg_text_upward(stream, 22, (TOP + HEIGHT - BOTTOM) / 2, "middle", chart->vertical);
  svg_end(stream);
}
