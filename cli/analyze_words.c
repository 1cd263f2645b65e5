/* The outcome of an analysis as text: a report for one file, a row for each of several.
 *
 * Workload: one to ten thousand files. If they exceed a screenful, the most crowded are shown; --csv writes all. */
#include "analyze_outcome.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { ROWS_SHOWN = 40 };

static const char *kind_of(const mesh_measure *measure, size_t count) {
  return graze_kind_text(measure->crowding.kind, count);
}

static void write_heading(const console *screen, const char *words) {
  fputc('\n', screen->stream);
  console_begin(screen, TINT_HEADING);
  fputs(words, screen->stream);
  console_end(screen);
  fputc('\n', screen->stream);
}

static void write_first_line(const mesh_measure *measure, const console *screen) {
  const size_t count = measure->crowding.primitive_count;
  console_begin(screen, TINT_HEADING);
  write_harmless(screen->stream, measure->file);
  if (count == 0)
    fputs(": there is nothing to measure", screen->stream);
  else
    fprintf(screen->stream, ": k is %" PRIu32, measure->crowding.k);
  console_end(screen);
  fprintf(screen->stream, " (%s %s, %s; reading %s).\n", grouped_number(count).text, kind_of(measure, count),
          spelled_duration(measure->measuring_ms).text, spelled_duration(measure->reading_ms).text);
}

static void write_crowding(const mesh_measure *measure, const console *screen) {
  const graze_crowding *f = &measure->crowding;
  FILE *stream = screen->stream;
  write_heading(screen, "Crowding");
  fprintf(stream, "  No %s has more than %s near it that %s at least as large.\n", kind_of(measure, 1),
          counted(f->k - 1, "other").text, f->k == 2 ? "is" : "are");
  fprintf(stream, "  k of a %s  mean %.2f, deviation %.2f\n", kind_of(measure, 1), f->mean, f->deviation);
  fprintf(stream, "  mesh neighbors in k  mean %.2f, deviation %.2f\n", f->neighbor_mean, f->neighbor_deviation);
  for (size_t i = 0; i < measure->worst_count; i++) {
    const crowded_primitive *worst = &measure->worst[i];
    fprintf(stream, "  %s %" PRIu32 " %s %" PRIu32 ", %s\n", i == 0 ? "most crowded  number" : "              number",
            worst->number, "has k", worst->k, counted(worst->neighbors, "mesh neighbor").text);
  }
}

static void write_sizes(const mesh_measure *measure, const console *screen) {
  const graze_crowding *f = &measure->crowding;
  write_heading(screen, "Sizes: diameters of the smallest enclosing balls");
  fprintf(screen->stream, "  from %.6g to %.6g; height %.2f (the binary logarithm of their ratio)\n", f->smallest,
          f->largest, f->height);
  fprintf(screen->stream, "  %s of the grid\n", counted(f->levels, "occupied level").text);
}

static void write_bound(const mesh_measure *measure, uint64_t factor, const char *whose, FILE *stream) {
  fprintf(stream, "  %-9s  %" PRIu64 " x %" PRIu32 " x %s = %s\n", whose, factor, measure->crowding.k,
          grouped_number(measure->crowding.primitive_count).text,
          grouped_number(mesh_measure_bound(measure, factor)).text);
}

static void write_bounds(const mesh_measure *measure, const console *screen) {
  FILE *stream = screen->stream;
  const graze_crowding *f = &measure->crowding;
  write_heading(screen, "Bounds on intersecting pairs");
  fprintf(stream, "  Within the mesh, including neighbors: at most %s (the sum of k - 1).\n",
          grouped_number(measure->near_pairs).text);
  fputs("  With another mesh of the same or lower k: the sum of both meshes' shares. The share of\n"
        "  this mesh, a factor times k times the number of primitives, is\n",
        stream);
  write_bound(measure, f->bound_factor, "proven", stream);
  write_bound(measure, mesh_measure_paper_factor(measure), "published", stream);
  fputs("  docs/theory/k_free.md explains why the two differ.\n", stream);
}

static void write_one(const mesh_measure *measure, const console *screen) {
  write_first_line(measure, screen);
  if (measure->crowding.primitive_count == 0) return;
  write_crowding(measure, screen);
  write_sizes(measure, screen);
  write_bounds(measure, screen);
}

/* ---------------------------------------------------------------------------------------------- several files */

static int by_crowding(const void *a, const void *b) {
  const mesh_measure *p = *(const mesh_measure *const *)a, *q = *(const mesh_measure *const *)b;
  if (p->crowding.k != q->crowding.k) return p->crowding.k > q->crowding.k ? -1 : 1;
  return p < q ? -1 : p > q;
}

static void write_row(const mesh_measure *measure, FILE *stream) {
  const graze_crowding *f = &measure->crowding;
  fprintf(stream, "%12s  %-10s  %7" PRIu32 "  %7.2f  %9.2f  %10.2f  %6.2f  %6" PRIu32 "  ",
          grouped_number(f->primitive_count).text, kind_of(measure, 2), f->k, f->mean, f->deviation, f->neighbor_mean,
          f->height, f->levels);
  write_harmless(stream, measure->file);
  fputc('\n', stream);
}

static void write_rows(const analyze_outcome *outcome, const mesh_measure **rows, const console *screen) {
  size_t count = 0;
  for (size_t i = 0; i < outcome->count; i++)
    if (outcome->measures[i].trouble == NULL) rows[count++] = &outcome->measures[i];
  const bool many = count > ROWS_SHOWN;
  if (many) qsort(rows, count, sizeof *rows, by_crowding);
  console_begin(screen, TINT_HEADING);
  fputs("  primitives  kind              k     mean  deviation  neighbors  height  levels  file\n", screen->stream);
  console_end(screen);
  for (size_t i = 0; i < count && i < ROWS_SHOWN; i++) write_row(rows[i], screen->stream);
  if (many)
    fprintf(screen->stream, "and %s less crowded%s\n", counted(count - ROWS_SHOWN, "file").text,
            outcome->options->csv == NULL ? "; --csv FILE lists them all" : "");
}

typedef struct spread {
  double mean, deviation;
} spread;

static spread spread_of(const analyze_outcome *outcome, double (*value)(const mesh_measure *)) {
  double sum = 0.0, squares = 0.0;
  for (size_t i = 0; i < outcome->count; i++)
    if (outcome->measures[i].trouble == NULL) sum += value(&outcome->measures[i]);
  const double mean = sum / (double)outcome->measured_count;
  for (size_t i = 0; i < outcome->count; i++) {
    if (outcome->measures[i].trouble != NULL) continue;
    const double off = value(&outcome->measures[i]) - mean;
    squares += off * off;
  }
  return (spread){mean, sqrt(squares / (double)outcome->measured_count)};
}

static double k_of(const mesh_measure *measure) {
  return measure->crowding.k;
}
static double neighbors_of(const mesh_measure *measure) {
  return measure->crowding.neighbor_mean;
}
static double height_of(const mesh_measure *measure) {
  return measure->crowding.height;
}

static void write_summary(const analyze_outcome *outcome, FILE *stream) {
  const spread k = spread_of(outcome, k_of), neighbors = spread_of(outcome, neighbors_of);
  const spread height = spread_of(outcome, height_of);
  fprintf(stream,
          "\n%s: k mean %.2f, deviation %.2f; neighbors mean %.2f, deviation %.2f; height mean %.2f, deviation %.2f\n",
          counted(outcome->measured_count, "file").text, k.mean, k.deviation, neighbors.mean, neighbors.deviation,
          height.mean, height.deviation);
}

void analyze_outcome_write_words(const analyze_outcome *outcome, FILE *stream) {
  const console screen = console_on(stream);
  if (outcome->count == 1) {
    write_one(&outcome->measures[0], &screen);
    return;
  }
  const mesh_measure **rows = calloc(outcome->count, sizeof *rows);
  if (rows != NULL) {
    write_rows(outcome, rows, &screen);
    write_summary(outcome, stream);
  }
  free(rows);
}
