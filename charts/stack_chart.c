/* Drawing stacks. Workload: one to three panels of four to twenty columns of at most eight layers. */
#include "charts/stack_chart.h"

#include "charts/svg_drawing.h"

#include <math.h>

enum {
  WIDTH = 820,
  HEIGHT = 460,
  LEFT = 76,
  RIGHT = 24,
  TOP = 92,
  BOTTOM = 64,
  PANEL_GAP = 28,
  LEGEND_SWATCH = 12,
  LETTER_WIDTH = 7 /* of the legend's words, about */
};

/* ---------------------------------------------------------------------------------------------- axis */

typedef struct scale {
  double step, high; /* a label at every step from zero to high */
} scale;

static double column_height(const stack_chart *chart, const stack_panel *panel, size_t column) {
  double sum = 0.0;
  for (size_t i = 0; i < chart->layer_count; ++i) sum += panel->values[column * chart->layer_count + i];
  return sum;
}

/* The smallest step that reaches the highest column in at most eight. */
static scale scale_for(const stack_chart *chart) {
  double most = 0.0;
  for (size_t i = 0; i < chart->panel_count; ++i)
    for (size_t j = 0; j < chart->panels[i].column_count; ++j)
      most = fmax(most, column_height(chart, &chart->panels[i], j));
  if (most <= 0.0) return (scale){1.0, 1.0};
  double step = pow(10.0, floor(log10(most)) - 1.0);
  while (8.0 * step < most) step = svg_step_up(step);
  return (scale){step, step * ceil(most / step - 1e-9)}; /* parts of a whole may add up to a little more than it */
}

static double height_at(const scale *vertical, double value) {
  return HEIGHT - BOTTOM - value / vertical->high * (HEIGHT - BOTTOM - TOP);
}

static void write_vertical(const scale *vertical, FILE *stream) {
  const int steps = (int)(vertical->high / vertical->step + 0.5);
  for (int i = 0; i <= steps; ++i) {
    const double value = i * vertical->step, y = height_at(vertical, value);
    char label[32];
    snprintf(label, sizeof label, "%.6g", value);
    svg_line(stream, LEFT, y, WIDTH - RIGHT, y, "grid");
    svg_text(stream, LEFT - 8, y + 4, "right", label);
  }
}

/* ---------------------------------------------------------------------------------------------- panels */

static void layer_style(size_t layer, char style_out[16]) {
  snprintf(style_out, 16, "layer_%u", (unsigned)(layer % SVG_LAYER_STYLES));
}

static void write_column(const stack_chart *chart, const double *values, const scale *vertical, double x, double width,
                         FILE *stream) {
  double sum = 0.0;
  for (size_t i = 0; i < chart->layer_count; ++i) {
    const double low = height_at(vertical, sum), high = height_at(vertical, sum + values[i]);
    char style[16];
    layer_style(i, style);
    sum += values[i];
    if (values[i] > 0.0) svg_box(stream, x, high, width, low - high, style);
  }
}

static void write_panel(const stack_chart *chart, const stack_panel *panel, const scale *vertical, double left,
                        double width, FILE *stream) {
  const double bottom = HEIGHT - BOTTOM, place = width / (double)(panel->column_count > 0 ? panel->column_count : 1);
  const double column = fmin(0.8 * place, 60.0);
  for (size_t i = 0; i < panel->column_count; ++i) {
    const double middle = left + ((double)i + 0.5) * place;
    write_column(chart, panel->values + i * chart->layer_count, vertical, middle - column / 2, column, stream);
    svg_text(stream, middle, bottom + 17, "small", panel->columns[i]);
  }
  svg_line(stream, left, bottom, left + width, bottom, "axis");
  svg_text(stream, left + width / 2, TOP - 10, "middle", panel->title);
}

static size_t letters(const char *text) {
  size_t count = 0;
  while (text[count] != '\0') ++count;
  return count;
}

static void write_legend(const stack_chart *chart, FILE *stream) {
  double x = LEFT;
  for (size_t i = 0; i < chart->layer_count; ++i) {
    char style[16];
    layer_style(i, style);
    svg_box(stream, x, 44, LEGEND_SWATCH, LEGEND_SWATCH, style);
    svg_text(stream, x + LEGEND_SWATCH + 5, 54, "legend", chart->layers[i]);
    x += LEGEND_SWATCH + 24 + LETTER_WIDTH * (double)letters(chart->layers[i]);
  }
}

void stack_chart_write(const stack_chart *chart, FILE *stream) {
  const scale vertical = scale_for(chart);
  svg_begin(stream, WIDTH, HEIGHT);
  svg_text(stream, LEFT, 28, "title", chart->title);
  write_legend(chart, stream);
  write_vertical(&vertical, stream);
  const double count = (double)(chart->panel_count > 0 ? chart->panel_count : 1);
  const double width = (WIDTH - LEFT - RIGHT - (count - 1.0) * PANEL_GAP) / count;
  for (size_t i = 0; i < chart->panel_count; ++i)
    write_panel(chart, &chart->panels[i], &vertical, LEFT + (double)i * (width + PANEL_GAP), width, stream);
  svg_text(stream, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", chart->horizontal);
  svg_text_upward(stream, 22, (TOP + HEIGHT - BOTTOM) / 2, "middle", chart->vertical);
  svg_end(stream);
}
