/* Converts rows to stacked bars. Workload: at most three panels of about twenty columns. */
#include "bench/bench_figure.h"

#include "charts/line_chart.h"
#include "charts/stack_chart.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { LAYERS_MAX = 5 };

typedef struct layer_list {
  const char *unit;
  const char *names[LAYERS_MAX];
  size_t count;
} layer_list;

static const layer_list lists[] = {
    [BENCH_LAYERS_FIND] = {"milliseconds", {"bounds", "build", "search", "test", "order"}, 5},
    [BENCH_LAYERS_TEST] = {"milliseconds", {"test", "contacts"}, 2},
    [BENCH_LAYERS_MEMORY] = {"megabytes", {"objects", "pairs found", "grid and lists while searching"}, 3},
    [BENCH_LAYERS_MEMBERS] = {"percent of primitives", {"in 1 cluster", "2", "3", "4", "more"}, 5}};

static void member_shares(const graze_counters *counters, double shares_out[5]) {
  const double one = 100.0 / (double)(counters->searched > 0 ? counters->searched : 1);
  const uint64_t exactly[4] = {counters->members_1, counters->members_2, counters->members_3, counters->members_4};
  uint64_t rest = counters->searched;
  for (size_t i = 0; i < 4; i++) {
    shares_out[i] = one * (double)exactly[i];
    rest -= exactly[i];
  }
  shares_out[4] = one * (double)rest;
}

/* In the order of the names above. */
static void layer_values(bench_layers layers, const bench_result *result, double *values_out) {
  const graze_timings *const t = &result->stages;
  if (layers == BENCH_LAYERS_FIND) {
    const double values[5] = {t->bounds_ms, t->build_ms, t->search_ms, t->test_ms, t->order_ms};
    memcpy(values_out, values, sizeof values);
  } else if (layers == BENCH_LAYERS_TEST) {
    const double values[2] = {t->test_ms, t->contacts_ms};
    memcpy(values_out, values, sizeof values);
  } else if (layers == BENCH_LAYERS_MEMBERS) {
    member_shares(&result->counters, values_out);
  } else {
    const double before = (double)result->updated_bytes, pairs = (double)(sizeof(graze_pair) * result->pairs);
    const double values[3] = {1e-6 * before, 1e-6 * pairs, 1e-6 * ((double)result->peak_bytes - before - pairs)};
    memcpy(values_out, values, sizeof values);
  }
}

void bench_figure_add(bench_figure_panel *panel, const bench_row *row, const char *label) {
  assert(panel->count < BENCH_COLUMNS_MAX);
  panel->rows[panel->count] = row;
  panel->labels[panel->count++] = label;
}

static void draw_stacks(const void *drawing, FILE *stream) {
  const bench_figure *const figure = drawing;
  const layer_list *const layers = &lists[figure->layers];
  double values[BENCH_PANELS_MAX][BENCH_COLUMNS_MAX * LAYERS_MAX];
  stack_panel panels[BENCH_PANELS_MAX];
  for (size_t i = 0; i < figure->panel_count; i++) {
    const bench_figure_panel *const panel = &figure->panels[i];
    for (size_t j = 0; j < panel->count; j++) {
      const bench_result median = bench_row_median(panel->rows[j]);
      layer_values(figure->layers, &median, values[i] + j * layers->count);
    }
    panels[i] = (stack_panel){panel->title, panel->count, panel->labels, values[i]};
  }
  const stack_chart chart = {.title = figure->title,
                             .horizontal = figure->horizontal,
                             .vertical = layers->unit,
                             .layers = layers->names,
                             .layer_count = layers->count,
                             .panels = panels,
                             .panel_count = figure->panel_count};
  stack_chart_write(&chart, stream);
}

static void draw_lines(const void *chart, FILE *stream) {
  line_chart_write(chart, stream);
}

static void draw_stack_chart(const void *chart, FILE *stream) {
  stack_chart_write(chart, stream);
}

static void draw_heat(const void *map, FILE *stream) {
  heat_map_write(map, stream);
}

static bool write_file(const char *folder, const char *file, void (*write)(const void *drawing, FILE *stream),
                       const void *drawing, char *error, size_t error_bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  FILE *const stream = fopen(path, "w");
  bool written = stream != NULL;
  if (written) {
    write(drawing, stream);
    written = ferror(stream) == 0;
    written = fclose(stream) == 0 && written;
  }
  if (!written) snprintf(error, error_bytes, "%s: %s", path, strerror(errno));
  return written;
}

bool bench_figure_write(const bench_figure *figure, const char *folder, char *error, size_t error_bytes) {
  return write_file(folder, figure->file, draw_stacks, figure, error, error_bytes);
}

bool bench_figure_write_lines(const line_chart *chart, const char *file, const char *folder, char *error,
                              size_t error_bytes) {
  return write_file(folder, file, draw_lines, chart, error, error_bytes);
}

bool bench_figure_write_stacks(const stack_chart *chart, const char *file, const char *folder, char *error,
                               size_t error_bytes) {
  return write_file(folder, file, draw_stack_chart, chart, error, error_bytes);
}

bool bench_figure_write_heat(const heat_map *map, const char *file, const char *folder, char *error,
                             size_t error_bytes) {
  return write_file(folder, file, draw_heat, map, error, error_bytes);
}
