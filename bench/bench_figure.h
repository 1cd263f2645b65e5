/* Draws measured rows, one file for each figure. */
#ifndef GRAZE_BENCH_FIGURE_H
#define GRAZE_BENCH_FIGURE_H

#include "bench/bench_row.h"
#include "charts/heat_map.h"
#include "charts/line_chart.h"
#include "charts/stack_chart.h"

typedef enum bench_layers {
  BENCH_LAYERS_FIND = 0,   /* milliseconds of the stages of a query */
  BENCH_LAYERS_TEST = 1,   /* milliseconds of tests and contacts only */
  BENCH_LAYERS_MEMORY = 2, /* megabytes: held before the query, returned, and needed during the query */
  BENCH_LAYERS_MEMBERS = 3 /* percent of the searched primitives in one, two, three, four or more clusters */
} bench_layers;

enum { BENCH_PANELS_MAX = 3, BENCH_COLUMNS_MAX = 32 };

typedef struct bench_figure_panel {
  const char *title;
  const bench_row *rows[BENCH_COLUMNS_MAX];
  const char *labels[BENCH_COLUMNS_MAX];
  size_t count;
} bench_figure_panel;

typedef struct bench_figure {
  const char *file; /* its name in the folder */
  const char *title, *horizontal;
  bench_layers layers;
  bench_figure_panel panels[BENCH_PANELS_MAX];
  size_t panel_count;
} bench_figure;

void bench_figure_add(bench_figure_panel *panel, const bench_row *row, const char *label);

/* Writes a figure. On failure, writes one message. */
bool bench_figure_write(const bench_figure *figure, const char *folder, char *error, size_t error_bytes);
bool bench_figure_write_lines(const line_chart *chart, const char *file, const char *folder, char *error,
                              size_t error_bytes);
bool bench_figure_write_stacks(const stack_chart *chart, const char *file, const char *folder, char *error,
                               size_t error_bytes);
bool bench_figure_write_heat(const heat_map *map, const char *file, const char *folder, char *error,
                             size_t error_bytes);

#endif
