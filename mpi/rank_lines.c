/* The measurements of `graze-mpi bench`; see rank_lines.h. */
#include "rank_lines.h"

#include "json_record.h"

#include "graze/names.h"

#include <inttypes.h>
#include <stdlib.h>

rank_line *rank_lines_add(rank_lines *lines) {
  if (lines->count == lines->capacity) {
    const size_t capacity = 2 * lines->capacity + 64;
    rank_line *moved = realloc(lines->lines, capacity * sizeof *moved);
    if (moved == NULL) return NULL;
    lines->lines = moved;
    lines->capacity = capacity;
  }
  lines->lines[lines->count] = (rank_line){0};
  return &lines->lines[lines->count++];
}

void rank_lines_release(rank_lines *lines) {
  free(lines->lines);
  *lines = (rank_lines){0};
}

double rank_line_imbalance(const rank_line *line) {
  const double mean = (double)line->totals.sum_us / line->ranks;
  return mean > 0 ? (double)line->totals.greatest_us / mean : 1;
}

static double sum_of_stages(const graze_timings *stages) {
  double sum = 0;
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++) sum += graze_timings_value(stages, i);
  return sum;
}

/* The time outside the stages of the slowest ranks: boxes, parcels, waiting and sending. */
static double exchange_ms(const rank_line *line) {
  const double rest = line->milliseconds - sum_of_stages(&line->stages);
  return rest > 0 ? rest : 0;
}

static double bytes_each(const rank_line *line) {
  return line->totals.sent_count > 0 ? (double)line->totals.sent_bytes / (double)line->totals.sent_count : 0;
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Over the frames of one number of ranks, except the first. */
static double median(const rank_line *lines, size_t count, bool of_threads) {
  double *values = malloc((count + 1) * sizeof *values);
  if (values == NULL) return 0;
  const size_t first = count > 1 ? 1 : 0;
  for (size_t i = first; i < count; i++) values[i - first] = of_threads ? lines[i].threads_ms : lines[i].milliseconds;
  qsort(values, count - first, sizeof *values, compare_doubles);
  const double middle = values[(count - first) / 2];
  free(values);
  return middle;
}

static size_t count_alike(const rank_lines *lines, size_t first) {
  size_t end = first;
  while (end < lines->count && lines->lines[end].ranks == lines->lines[first].ranks) end++;
  return end - first;
}

static void write_line(const rank_line *line, FILE *stream) {
  fprintf(stream, "%5d %5zu %9.2f", line->ranks, line->frame, line->milliseconds);
  const double all = line->milliseconds > 0 ? line->milliseconds : 1;
  const double stages[] = {line->stages.update_ms + line->stages.bounds_ms,
                           line->stages.build_ms,
                           line->stages.search_ms,
                           line->stages.test_ms,
                           line->stages.order_ms,
                           exchange_ms(line)};
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) fprintf(stream, " %5.0f%%", 100 * stages[i] / all);
  fprintf(stream, " %9.2f %10" PRIu64 " %10" PRIu64 " %11" PRIu64 " %7.1f %10" PRIu64 "\n", rank_line_imbalance(line),
          line->totals.ghost_count, line->totals.sent_count, line->totals.sent_bytes, bytes_each(line),
          line->totals.pair_count);
}

void rank_lines_write(const rank_lines *lines, FILE *stream) {
  fprintf(stream, "%5s %5s %9s %6s %6s %6s %6s %6s %6s %9s %10s %10s %11s %7s %10s\n", "ranks", "frame", "ms", "update",
          "build", "search", "test", "order", "other", "imbalance", "ghosts", "sent", "bytes", "each", "pairs");
  for (size_t i = 0; i < lines->count; i++) write_line(&lines->lines[i], stream);
  fputc('\n', stream);
  for (size_t first = 0, count; first < lines->count; first += count) {
    count = count_alike(lines, first);
    const double own = median(lines->lines + first, count, false), threads = median(lines->lines + first, count, true);
    fprintf(stream, "%s: %.2f ms, %s; %s of one process: %.2f ms, ratio %.2f\n",
            counted((uint64_t)lines->lines[first].ranks, "rank").text, own,
            count > 1 ? "median of the frames after the first" : "the only frame",
            counted((uint64_t)lines->lines[first].ranks, "thread").text, threads, own > 0 ? threads / own : 0);
  }
}

static void write_number(json_writer *json, const char *key, uint64_t number) {
  json_key(json, key);
  json_unsigned(json, number);
}

static void write_decimal(json_writer *json, const char *key, double number) {
  json_key(json, key);
  json_decimal(json, number, 4);
}

static void write_json_line(json_writer *json, const rank_line *line) {
  char hash[17];
  json_break_line(json);
  json_begin_object(json);
  write_number(json, "ranks", (uint64_t)line->ranks);
  write_number(json, "frame", line->frame);
  write_decimal(json, "total_ms", line->milliseconds);
  write_decimal(json, "threads_ms", line->threads_ms);
  json_key(json, "stages_ms");
  json_begin_object(json);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++)
    write_decimal(json, graze_enumeration_name(GRAZE_ENUMERATION_STAGE, (int)i), graze_timings_value(&line->stages, i));
  json_end_object(json);
  write_decimal(json, "imbalance", rank_line_imbalance(line));
  write_number(json, "primitives", line->totals.primitive_count);
  write_number(json, "held", line->totals.held_count);
  write_number(json, "greatest_held", line->totals.greatest_held_count);
  write_number(json, "ghosts", line->totals.ghost_count);
  write_number(json, "sent", line->totals.sent_count);
  write_number(json, "sent_bytes", line->totals.sent_bytes);
  write_number(json, "divisions", line->totals.division_count);
  write_number(json, "pairs", line->totals.pair_count);
  snprintf(hash, sizeof hash, "%016" PRIx64, line->totals.hash);
  json_key(json, "hash");
  json_string(json, hash);
  json_end_object(json);
}

void rank_lines_write_json(const rank_lines *lines, FILE *stream) {
  json_writer json = {.stream = stream};
  json_begin_record(&json, "mpi_bench");
  json_break_line(&json);
  json_key(&json, "rows");
  json_begin_array(&json);
  for (size_t i = 0; i < lines->count; i++) write_json_line(&json, &lines->lines[i]);
  json_end_array(&json);
  json_end_object(&json);
  fputc('\n', stream);
}
