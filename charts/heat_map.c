/* Drawing shaded cells. Workload: three panels of some thousand cells; white ones are not written. */
#include "charts/heat_map.h"

#include "charts/svg_drawing.h"

#include <math.h>

enum {
  WIDTH = 820,
  HEIGHT = 400,
  LEFT = 76,
  RIGHT = 24,
  TOP = 92,
  BOTTOM = 64,
  PANEL_GAP = 28,
  LEGEND_WIDTH = 26,
  LABELS = 3 /* along each axis: ends and middle */
};

static size_t shade_of(const heat_map *map, double value) {
  if (!(value > map->least)) return 0;
  const double part = log(value / map->least) / log(map->most / map->least);
  return 1 + (size_t)fmin(floor(part * (SVG_SHADES - 1)), SVG_SHADES - 2);
}

static void write_shade(FILE *stream, double x, double y, double width, double height, size_t shade) {
  char style[16];
  snprintf(style, sizeof style, "shade_%u", (unsigned)(shade % SVG_SHADES));
  svg_box(stream, x, y, width, height, style);
}

/* The rows from `row` on that have the same shade, of which one box is made. */
static size_t count_alike(const heat_map *map, const double *column, size_t row) {
  size_t count = 1;
  while (row + count < map->row_count && shade_of(map, column[row + count]) == shade_of(map, column[row])) ++count;
  return count;
}

static void write_cells(const heat_map *map, const heat_panel *panel, double left, double width, FILE *stream) {
  const double column_width = width / (double)map->column_count;
  const double row_height = (HEIGHT - BOTTOM - TOP) / (double)map->row_count;
  for (size_t column = 0; column < map->column_count; ++column) {
    const double *const values = panel->values + column * map->row_count;
    for (size_t row = 0, alike; row < map->row_count; row += alike) {
      alike = count_alike(map, values, row);
      const size_t shade = shade_of(map, values[row]);
      if (shade == 0) continue;
      write_shade(stream, left + (double)column * column_width, HEIGHT - BOTTOM - (double)(row + alike) * row_height,
                  column_width + 0.1, (double)alike * row_height + 0.1, shade);
    }
  }
}

static void write_panel(const heat_map *map, const heat_panel *panel, double left, double width, FILE *stream) {
  const double bottom = HEIGHT - BOTTOM;
  write_cells(map, panel, left, width, stream);
  for (int i = 0; i < LABELS; ++i) {
    const double part = (double)i / (LABELS - 1);
    char label[32];
    snprintf(label, sizeof label, "%.4g", map->left + part * (map->right - map->left));
    svg_line(stream, left + part * width, bottom, left + part * width, bottom + 5, "axis");
    svg_text(stream, left + part * width, bottom + 19, "small", label);
  }
  svg_line(stream, left, bottom, left + width, bottom, "axis");
  svg_line(stream, left, TOP, left, bottom, "axis");
  svg_text(stream, left + width / 2, TOP - 10, "middle", panel->title);
}

static void write_legend(const heat_map *map, FILE *stream) {
  char label[64];
  snprintf(label, sizeof label, "%.1g", map->least);
  svg_text(stream, LEFT, 54, "legend", label);
  const double begin = LEFT + 60;
  for (size_t i = 1; i < SVG_SHADES; ++i)
    write_shade(stream, begin + (double)(i - 1) * LEGEND_WIDTH, 42, LEGEND_WIDTH, 14, i);
  snprintf(label, sizeof label, "%.1g and more; equal steps are equal factors", map->most);
  svg_text(stream, begin + (SVG_SHADES - 1) * LEGEND_WIDTH + 8, 54, "legend", label);
}

void heat_map_write(const heat_map *map, FILE *stream) {
  svg_begin(stream, WIDTH, HEIGHT);
  svg_text(stream, LEFT, 28, "title", map->title);
  write_legend(map, stream);
  for (int i = 0; i < LABELS; ++i) {
    const double part = (double)i / (LABELS - 1);
    char label[32];
    snprintf(label, sizeof label, "%.4g", map->low + part * (map->high - map->low));
    svg_text(stream, LEFT - 8, HEIGHT - BOTTOM - part * (HEIGHT - BOTTOM - TOP) + 4, "right", label);
  }
  const double count = (double)(map->panel_count > 0 ? map->panel_count : 1);
  const double width = (WIDTH - LEFT - RIGHT - (count - 1.0) * PANEL_GAP) / count;
  for (size_t i = 0; i < map->panel_count; ++i)
    write_panel(map, &map->panels[i], LEFT + (double)i * (width + PANEL_GAP), width, stream);
  svg_text(stream, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", map->horizontal);
  svg_text_upward(stream, 22, (TOP + HEIGHT - BOTTOM) / 2, "middle", map->vertical);
  svg_end(stream);
}
