/* Box plots of k over the number of primitives: files are binned by powers of two, one box per bin. Like figure 6 of
 * Weller, Debowski and Zachmann, "kDet", 2017. */
#include "analyze_outcome.h"

#include "charts/box_plot.h"

#include <math.h>
#include <stdlib.h>

enum { BIN_MOST = 12, BIN_LIMIT = 64, EDGE_BYTES = 32 };

typedef struct measure_bin {
  size_t bin;
  double k;
} measure_bin;

static int by_bin(const void *a, const void *b) {
  const measure_bin *p = a, *q = b;
  if (p->bin != q->bin) return p->bin < q->bin ? -1 : 1;
  return p->k < q->k ? -1 : p->k > q->k;
}

static unsigned binary_logarithm(uint64_t number) {
  unsigned logarithm = 0;
  for (; number > 1; number >>= 1) logarithm++;
  return logarithm;
}

/* Chooses the first power of two of the bins, and the number of powers that each spans. */
typedef struct bin_layout {
  unsigned first, span;
  size_t count;
} bin_layout;

static bin_layout layout_for(const analyze_outcome *outcome) {
  unsigned least = BIN_LIMIT, most = 0;
  for (size_t i = 0; i < outcome->count; i++) {
    const mesh_measure *measure = &outcome->measures[i];
    if (measure->trouble != NULL || measure->crowding.k == 0) continue;
    const unsigned power = binary_logarithm(measure->crowding.primitive_count);
    least = power < least ? power : least;
    most = power > most ? power : most;
  }
  if (least > most) return (bin_layout){0, 1, 1};
  unsigned span = 1;
  while ((most - least) / span + 1 > BIN_MOST) span++;
  return (bin_layout){least, span, (most - least) / span + 1};
}

/* 512, 16K, 2M: short labels, so that many ticks fit. */
static void write_edge(char *text, unsigned power) {
  static const char *const units[] = {"", "K", "M", "G", "T", "P", "E"};
  const unsigned unit = power < 14 ? 0 : power / 10;
  snprintf(text, EDGE_BYTES, "%llu%s", 1ull << (power - 10 * unit), units[unit]);
}

static size_t gather_bins(const analyze_outcome *outcome, const bin_layout *layout, measure_bin *bins_out) {
  size_t count = 0;
  for (size_t i = 0; i < outcome->count; i++) {
    const mesh_measure *measure = &outcome->measures[i];
    if (measure->trouble != NULL || measure->crowding.k == 0) continue;
    const unsigned power = binary_logarithm(measure->crowding.primitive_count);
    bins_out[count++] = (measure_bin){(power - layout->first) / layout->span, measure->crowding.k};
  }
  qsort(bins_out, count, sizeof *bins_out, by_bin);
  return count;
}

static size_t group_bins(const measure_bin *bins, size_t count, double *values, box_group *groups_out) {
  size_t groups = 0;
  for (size_t i = 0; i < count; i++) {
    values[i] = bins[i].k;
    if (i == 0 || bins[i].bin != bins[i - 1].bin) groups_out[groups++] = (box_group){values + i, 0, bins[i].bin};
    groups_out[groups - 1].count++;
  }
  return groups;
}

void analyze_outcome_write_plot(const analyze_outcome *outcome, FILE *stream) {
  const bin_layout layout = layout_for(outcome);
  measure_bin *bins = calloc(outcome->count + 1, sizeof *bins);
  double *values = calloc(outcome->count + 1, sizeof *values);
  box_group groups[BIN_MOST + 1];
  char edges[BIN_MOST + 1][EDGE_BYTES];
  const char *edge_list[BIN_MOST + 1];
  for (size_t i = 0; i <= layout.count; i++) {
    write_edge(edges[i], layout.first + (unsigned)i * layout.span);
    edge_list[i] = edges[i];
  }
  char title[96];
  snprintf(title, sizeof title, "k of %s by number of primitives", counted(outcome->measured_count, "mesh file").text);
  box_plot plot = {.title = title,
                   .horizontal = "primitives (K = 1,024, M = 1,024 K)",
                   .vertical = "k, logarithmic",
                   .groups = groups,
                   .bin_count = layout.count,
                   .edges = edge_list};
  if (bins != NULL && values != NULL) {
    plot.group_count = group_bins(bins, gather_bins(outcome, &layout, bins), values, groups);
    box_plot_write(&plot, stream);
  }
  free(bins);
  free(values);
}
