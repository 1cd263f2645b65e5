/* Draws stacks. Workload: one to three panels of four to twenty columns of at most eight layers. */
#include "charts/stack_chart.h"

#include "charts/svg_drawing.h"

#include <math.h>

enum { HEIGHT = 460, LEGEND_SWATCH = 12 };

/* ---------------------------------------------------------------------------------------------- axis */

typedef struct scale {
  double step, high; /* a label at every step from zero to high */
} scale;

static double column_height(const stack_chart *chart, const stack_panel *panel, size_t column) {
  double sum = 0.0;
  for (size_t i = 0; i < chart->layer_count; ++i) sum += panel->values[column * chart->layer_count + i];
  return sum;
}

/* The smallest step that reaches the highest column in at most eight steps. */
static scale scale_for(const stack_chart *chart) {
  double most = 0.0;
  for (size_t i = 0; i < chart->panel_count; ++i)
    for (size_t j = 0; j < chart->panels[i].column_count; ++j)
      most = fmax(most, column_height(chart, &chart->panels[i], j));
  if (most <= 0.0) return (scale){1.0, 1.0};
  double step = pow(10.0, floor(log10(most)) - 1.0);
  while (8.0 * step < most) step = svg_step_up(step);
  return (scale){step, step * ceil(most / step - 1e-9)}; /* parts may add up to slightly more than the whole */
}

static void write_vertical(const scale *vertical, const svg_frame *frame, FILE *stream) {
  const int steps = (int)(vertical->high / vertical->step + 0.5);
  for (int i = 0; i <= steps; ++i) {
    char label[32];
    snprintf(label, sizeof label, "%.6g", i * vertical->step);
    svg_frame_level(stream, frame, i * vertical->step / vertical->high, label);
  }
}

/* ---------------------------------------------------------------------------------------------- panels */

static void layer_style(size_t layer, char style_out[16]) {
  snprintf(style_out, 16, "layer_%u", (unsigned)(layer % SVG_LAYER_STYLES));
}

static void write_column(const stack_chart *chart, const double *values, const scale *vertical, const svg_frame *frame,
                         const svg_panel *place, FILE *stream) {
  double sum = 0.0;
  for (size_t i = 0; i < chart->layer_count; ++i) {
    const double low = svg_frame_height(frame, sum / vertical->high);
    const double high = svg_frame_height(frame, (sum + values[i]) / vertical->high);
    char style[16];
    layer_style(i, style);
    sum += values[i];
    if (values[i] > 0.0) svg_box(stream, place->left, high, place->width, low - high, style);
  }
}

static void write_panel(const stack_chart *chart, const stack_panel *panel, const scale *vertical,
                        const svg_frame *frame, const svg_panel *place, FILE *stream) {
  const double each = place->width / (double)(panel->column_count > 0 ? panel->column_count : 1);
  const double column = fmin(0.8 * each, 60.0);
  for (size_t i = 0; i < panel->column_count; ++i) {
    const double middle = place->left + ((double)i + 0.5) * each;
    const svg_panel column_place = {middle - column / 2, column};
    write_column(chart, panel->values + i * chart->layer_count, vertical, frame, &column_place, stream);
    svg_text(stream, middle, svg_frame_floor(frame) + 17, "small", panel->columns[i]);
  }
  svg_frame_panel_end(stream, frame, place, panel->title);
}

static void write_legend(const stack_chart *chart, FILE *stream) {
  double x = SVG_FRAME_LEFT;
  for (size_t i = 0; i < chart->layer_count; ++i) {
    char style[16];
    layer_style(i, style);
    svg_box(stream, x, SVG_LEGEND_LINE - 10, LEGEND_SWATCH, LEGEND_SWATCH, style);
    x = svg_legend_words(stream, x, LEGEND_SWATCH, chart->layers[i]);
  }
}

void stack_chart_write(const stack_chart *chart, FILE *stream) {
  const scale vertical = scale_for(chart);
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
