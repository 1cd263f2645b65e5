/* Collects measured rows for records. Workload: at most a few hundred per run. */
#include "bench/bench_lines.h"

#include <stdlib.h>
#include <string.h>

static bench_line line_of(const char *table, const bench_row *row) {
  const bench_call *const call = &row->call;
  bench_line line = {.table = table,
                     .scene = call->scene->name,
                     .call = *call,
                     .primitives = bench_row_primitives(row),
                     .step = call->pose != NULL ? (size_t)(call->pose - call->scene->poses) : 0};
  line.call.scene = NULL;
  line.call.pose = NULL;
  return line;
}

static bool is_same_call(const bench_call *a, const bench_call *b) {
  return strcmp(a->method, b->method) == 0 && a->variant == b->variant && a->threads == b->threads &&
         a->kind == b->kind && a->test == b->test && a->question == b->question && a->frame == b->frame &&
         bench_backend_has_devices(&a->backend) == bench_backend_has_devices(&b->backend) &&
         a->tree_builder == b->tree_builder && a->clusters == b->clusters && a->axis == b->axis;
}

static bool is_alike(const bench_line *a, const bench_line *b) {
  return strcmp(a->table, b->table) == 0 && strcmp(a->scene, b->scene) == 0 && a->primitives == b->primitives &&
         a->step == b->step && is_same_call(&a->call, &b->call);
}

static bench_line *find_line(const bench_lines *lines, const bench_line *wanted) {
  bench_line *found = NULL;
  for (size_t i = 0; i < lines->count; i++) {
    bench_line *const line = &lines->lines[i];
    if ((found == NULL || line->pass_count < found->pass_count) && is_alike(line, wanted)) found = line;
  }
  return found;
}

static bench_pass pass_of(const bench_row *row) {
  const bench_result median = bench_row_median(row);
  return (bench_pass){median.total_ms, median.processor_ms, median.yardstick_ms};
}

/* Computes the statistics of the rounds. */
static void sum_up(bench_line *line) {
  line->median = bench_rounds_median(line->rounds, line->round_count);
  line->least_ms = bench_rounds_least(line->rounds, line->round_count);
  line->least_processor_ms = bench_rounds_least_processor(line->rounds, line->round_count);
  bench_rounds_quartiles(line->rounds, line->round_count, &line->lower_ms, &line->upper_ms);
  line->steady = bench_rounds_steady(line->rounds, line->round_count);
}

static bool add_pass(bench_line *line, const bench_row *row) {
  if (line->pass_count == BENCH_PASSES_MAX) return true;
  const size_t count = line->round_count + row->round_count;
  bench_result *const rounds = realloc(line->rounds, count * sizeof *rounds);
  if (rounds == NULL) return false;
  memcpy(rounds + line->round_count, row->rounds, row->round_count * sizeof *rounds);
  line->rounds = rounds;
  line->round_count = count;
  line->passes[line->pass_count++] = pass_of(row);
  line->doubted_passes += line->doubted;
  sum_up(line);
  return true;
}

static bool make_room(bench_lines *lines) {
  if (lines->count < lines->capacity) return true;
  const size_t capacity = 2 * lines->capacity + 64;
  bench_line *const grown = realloc(lines->lines, capacity * sizeof *grown);
  if (grown == NULL) return false;
  lines->lines = grown;
  lines->capacity = capacity;
  return true;
}

bool bench_lines_add(bench_lines *lines, const char *table, const bench_row *row, bool again) {
  if (row->round_count == 0) return true;
  bench_line line = line_of(table, row);
  line.bytes_each = bench_row_bytes_each(row);
  bench_line *const found = again ? find_line(lines, &line) : NULL;
  if (found != NULL) return add_pass(found, row);
  if (!make_room(lines) || !add_pass(&line, row)) return false;
  lines->lines[lines->count++] = line;
  return true;
}

bool bench_lines_doubt(const bench_lines *lines, const char *table, const bench_row *row) {
  const bench_line line = line_of(table, row);
  for (size_t i = 0; i < lines->count; i++)
    if (lines->lines[i].doubted && is_alike(&lines->lines[i], &line)) return true;
  return false;
}

bool bench_lines_doubt_scene(const bench_lines *lines, const char *table, const char *scene) {
  for (size_t i = 0; i < lines->count; i++) {
    const bench_line *const line = &lines->lines[i];
    if (line->doubted && strcmp(line->table, table) == 0 && (scene == NULL || strcmp(line->scene, scene) == 0))
      return true;
  }
  return false;
}

void bench_lines_free(bench_lines *lines) {
  for (size_t i = 0; i < lines->count; i++) free(lines->lines[i].rounds);
  free(lines->lines);
  *lines = (bench_lines){0};
}
