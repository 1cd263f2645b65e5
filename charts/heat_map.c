/* Draws shaded cells. Workload: three panels of thousands of cells; white ones are not written. */
#include "charts/heat_map.h"

#include "charts/svg_drawing.h"

#include <math.h>

enum { HEIGHT = 400, LEGEND_WIDTH = 26, LABELS = 3 /* labels along each axis: ends and middle */ };

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

/* The number of consecutive rows from `row` on with the same shade, which become one box. */
static size_t count_alike(const heat_map *map, const double *column, size_t row) {
  size_t count = 1;
  while (row + count < map->row_count && shade_of(map, column[row + count]) == shade_of(map, column[row])) ++count;
  return count;
}

static void write_cells(const heat_map *map, const heat_panel *panel, const svg_frame *frame, const svg_panel *place,
                        FILE *stream) {
  const double column_width = place->width / (double)map->column_count;
  const double row_height = (svg_frame_floor(frame) - SVG_FRAME_TOP) / (double)map->row_count;
  for (size_t column = 0; column < map->column_count; ++column) {
    const double *const values = panel->values + column * map->row_count;
    for (size_t row = 0, alike; row < map->row_count; row += alike) {
      alike = count_alike(map, values, row);
      const size_t shade = shade_of(map, values[row]);
      if (shade == 0) continue;
      write_shade(stream, place->left + (double)column * column_width,
                  svg_frame_floor(frame) - (double)(row + alike) * row_height, column_width + 0.1,
                  (double)alike * row_height + 0.1, shade);
    }
  }
}

static void write_panel(const heat_map *map, const heat_panel *panel, const svg_frame *frame, const svg_panel *place,
                        FILE *stream) {
  const double bottom = svg_frame_floor(frame);
  write_cells(map, panel, frame, place, stream);
  for (int i = 0; i < LABELS; ++i) {
    const double part = (double)i / (LABELS - 1), x = place->left + part * place->width;
    char label[32];
    snprintf(label, sizeof label, "%.4g", map->left + part * (map->right - map->left));
    svg_line(stream, x, bottom, x, bottom + 5, "axis");
    svg_text(stream, x, bottom + 19, "small", label);
  }
  svg_line(stream, place->left, SVG_FRAME_TOP, place->left, bottom, "axis");
  svg_frame_panel_end(stream, frame, place, panel->title);
}

static void write_legend(const heat_map *map, FILE *stream) {
  char label[64];
  snprintf(label, sizeof label, "%.1g", map->least);
  svg_text(stream, SVG_FRAME_LEFT, SVG_LEGEND_LINE, "legend", label);
  const double begin = SVG_FRAME_LEFT + 60;
  for (size_t i = 1; i < SVG_SHADES; ++i)
    write_shade(stream, begin + (double)(i - 1) * LEGEND_WIDTH, SVG_LEGEND_LINE - 12, LEGEND_WIDTH, 14, i);
  snprintf(label, sizeof label, "%.1g and more; equal steps are equal factors", map->most);
  svg_text(stream, begin + (SVG_SHADES - 1) * LEGEND_WIDTH + 8, SVG_LEGEND_LINE, "legend", label);
}

/* Cells would hide a grid, so there are only labels. */
static void write_vertical(const heat_map *map, const svg_frame *frame, FILE *stream) {
  for (int i = 0; i < LABELS; ++i) {
    const double part = (double)i / (LABELS - 1);
    char label[32];
    snprintf(label, sizeof label, "%.4g", map->low + part * (map->high - map->low));
    svg_text(stream, SVG_FRAME_LEFT - 8, svg_frame_height(frame, part) + 4, "right", label);
  }
}

void heat_map_write(const heat_map *map, FILE *stream) {
  const svg_frame frame = {map->title, map->horizontal, map->vertical, HEIGHT, map->panel_count};
  svg_frame_begin(stream, &frame);
  write_legend(map, stream);
  write_vertical(map, &frame, stream);
  for (size_t i = 0; i < map->panel_count; ++i) {
    const svg_panel place = svg_frame_panel(&frame, i);
    write_panel(map, &map->panels[i], &frame, &place, stream);
  }
  svg_frame_end(stream, &frame);
}
