/* Robust centers and spreads of logarithms, and outliers. Workload: hundreds of rows with about five passes each. */
#include "bench_change.h"

#include "robust_center.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

const double change_least = 0.05;

/* The number of rows from which their common change can be separated from that of one row. */
enum { COMMON_ROWS = 8, POOL_WEIGHT = 4 };

typedef enum measure { WALL, PROCESSOR, YARDSTICK, MEASURES } measure;

/* ---------------------------------------------------------------------------------------------- centers */

/* Clocks have limited precision, and records store four decimal places. */
static double log_of(const change_pass *pass, measure which) {
  const double ms = which == WALL ? pass->wall_ms : which == PROCESSOR ? pass->processor_ms : pass->yardstick_ms;
  return log(fmax(ms, 1e-4));
}

static double center_of(const change_side *side, size_t first, measure which) {
  double logs[CHANGE_PASSES_MAX];
  for (size_t i = first; i < side->count; i++) logs[i - first] = log_of(&side->passes[i], which);
  return median_of(logs, side->count - first);
}

static double least_of(const change_side *side, measure which) {
  double least = log_of(&side->passes[0], which);
  for (size_t i = 1; i < side->count; i++) least = fmin(least, log_of(&side->passes[i], which));
  return least;
}

/* ---------------------------------------------------------------------------------------------- spreads */

/* The factor from the median absolute deviation of few normal values to their standard deviation. */
static double factor_of(size_t count) {
  static const double few[] = {0.0, 0.0, 1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107};
  const size_t known = sizeof few / sizeof few[0];
  return DEVIATION_OF_MEDIAN * (count < known ? few[count] : (double)count / ((double)count - 0.8));
}

static double spread_of(const change_side *side, measure which) {
  double away[CHANGE_PASSES_MAX];
  if (side->count < 2) return side->spread;
  const double center = center_of(side, 0, which);
  for (size_t i = 0; i < side->count; i++) away[i] = fabs(log_of(&side->passes[i], which) - center);
  return factor_of(side->count) * median_of(away, side->count);
}

/* The standard error of the center: the row's own spread, weighted by its number of passes, is blended with that of all
 * rows. */
static double error_of(const change_side *side, double pool, measure which) {
  const double own = spread_of(side, which), weight = side->count < 2 ? 1.0 : (double)side->count - 1.0;
  const double blend = (POOL_WEIGHT * pool * pool + weight * own * own) / (POOL_WEIGHT + weight);
  const double variance = fmax(blend, pool * pool); /* few passes that agree by chance do not make a row steady */
  const double of_median = side->count < 3 ? 1.0 : MEDIAN_ERROR;
  return of_median * sqrt(variance / (double)side->count);
}

/* ---------------------------------------------------------------------------------------------- all rows */

/* One measure of all rows. */
typedef struct measured {
  double *changes; /* by row */
  double *sorted;  /* scratch */
  double common;
  double pools[2]; /* median spreads of the old and of the new rows */
} measured;

static double pool_of(const change_row *rows, size_t count, bool fresh, measure which, double *room) {
  for (size_t i = 0; i < count; i++) room[i] = spread_of(fresh ? &rows[i].fresh : &rows[i].old, which);
  return median_of(room, count);
}

static double middle_of(const measured *of, size_t count) {
  for (size_t i = 0; i < count; i++) of->sorted[i] = of->changes[i];
  return median_of(of->sorted, count);
}

static void measure_all(const change_row *rows, size_t count, measure which, measured *of) {
  for (size_t i = 0; i < count; i++)
    of->changes[i] = center_of(&rows[i].fresh, 0, which) - center_of(&rows[i].old, 0, which);
  of->common = count >= COMMON_ROWS || which == YARDSTICK ? middle_of(of, count) : 0.0;
  for (int fresh = 0; fresh < 2; fresh++) of->pools[fresh] = pool_of(rows, count, fresh == 1, which, of->sorted);
}

/* The number of standard errors such that none of so many rows exceeds it by chance: a bound on the normal quantile,
 * widened because spreads of few values are uncertain. */
static double errors_allowed(size_t count) {
  return sqrt(2.0 * log(1000.0 * (double)(count + 1)));
}

static double error_of_row(const change_row *row, const measured *of, measure which) {
  return hypot(error_of(&row->old, of->pools[0], which), error_of(&row->fresh, of->pools[1], which));
}

static int side_of(double change, double limit) {
  return change > limit ? 1 : change < -limit ? -1 : 0;
}

/* ---------------------------------------------------------------------------------------------- judging */

typedef struct judgment {
  const change_row *rows;
  size_t count;
  measured of[MEASURES];
  bool unexplained; /* all rows changed, but the yardstick did not */
} judgment;

/* With few rows there is no common change to subtract; the yardstick replaces it. */
static double limit_of(const judgment *all, size_t i, measure which, double errors) {
  const double machine = all->count < COMMON_ROWS ? 2.0 * fabs(all->of[YARDSTICK].common) : 0.0;
  return fmax(change_least, errors * error_of_row(&all->rows[i], &all->of[which], which)) + machine;
}

/* Other work makes passes slower, never faster. If the fastest passes did not change, other work hit most of the
 * others. */
static bool least_agree(const judgment *all, size_t i, measure which, int side, double limit) {
  const double change = least_of(&all->rows[i].fresh, which) - least_of(&all->rows[i].old, which);
  return side_of(change - all->of[which].common, 0.5 * limit) == side;
}

/* The direction in which a row changed by one measure. If all rows changed and the machine is not the cause, rows that
 * did not change are not reported. */
static int side_by(const judgment *all, size_t i, measure which, double errors) {
  const double change = all->of[which].changes[i], limit = limit_of(all, i, which, errors);
  const int side = side_of(change - all->of[which].common, limit);
  if (side == 0 || !least_agree(all, i, which, side, limit)) return 0;
  return all->unexplained && side_of(change, change_least) != side ? 0 : side;
}

/* Whether the repeated measurement of a doubted row shows the same change by itself. */
static bool persists(const judgment *all, size_t i, measure which, int side) {
  const change_row *row = &all->rows[i];
  if (row->first_again >= row->fresh.count) return true;
  const double again = center_of(&row->fresh, row->first_again, which) - center_of(&row->old, 0, which);
  return side_of(again - all->of[which].common, 0.5 * limit_of(all, i, which, errors_allowed(all->count))) == side;
}

static int settled_side(const judgment *all, size_t i, measure which) {
  const int side = side_by(all, i, which, errors_allowed(all->count));
  return side != 0 && persists(all, i, which, side) ? side : 0;
}

/* The measure that decides about a row. Other work affects wall times strongly, processor times only by shared caches
 * and memory. */
static measure measure_for(const change_row *row) {
  return row->on_device ? WALL : PROCESSOR;
}

/* A row whose wall time changed only relative to the other rows has not waited. */
static bool has_waited(const judgment *all, size_t i) {
  const int side = settled_side(all, i, WALL);
  return side != 0 && side_of(all->of[WALL].changes[i], change_least) == side;
}

static change_verdict verdict_of(const judgment *all, size_t i) {
  const int side = settled_side(all, i, measure_for(&all->rows[i]));
  if (side == 0) return has_waited(all, i) ? CHANGE_WAITED : CHANGE_NONE;
  /* More work in less time, as with more threads, is both better and worse. */
  if (side_of(all->of[WALL].changes[i] - all->of[WALL].common, 0.5 * change_least) != side) return CHANGE_NONE;
  return side > 0 ? CHANGE_SLOWER : CHANGE_FASTER;
}

/* More than two standard errors, and half of the reported minimum. */
static bool is_doubted_by(const judgment *all, size_t i, measure which) {
  const measured *of = &all->of[which];
  const double change = fabs(of->changes[i] - of->common);
  return change > 0.5 * change_least && change > 2.0 * error_of_row(&all->rows[i], of, which);
}

static bool is_doubted(const judgment *all, size_t i) {
  return is_doubted_by(all, i, measure_for(&all->rows[i])) || is_doubted_by(all, i, WALL);
}

/* ---------------------------------------------------------------------------------------------- together */

/* The standard error of the median over the rows. They are not independent, so only every fourth counts. */
static double error_of_common(const measured *of, size_t count) {
  for (size_t i = 0; i < count; i++) of->sorted[i] = fabs(of->changes[i] - of->common);
  return DEVIATION_OF_MEDIAN * MEDIAN_ERROR * median_of(of->sorted, count) / sqrt(0.25 * (double)count);
}

/* The rest of a change after subtracting that of the machine, as far as both have the same direction. */
static double left_of(double change, double machine) {
  if (change * machine <= 0.0) return change;
  return fabs(machine) >= fabs(change) ? 0.0 : change - machine;
}

static int side_together(const judgment *all, measure which) {
  const measured *of = &all->of[which], *yardstick = &all->of[YARDSTICK];
  const double error = hypot(error_of_common(of, all->count), error_of_common(yardstick, all->count));
  return side_of(left_of(of->common, yardstick->common), fmax(change_least, 4.0 * error));
}

static change_verdict judge_together(const judgment *all) {
  size_t devices = 0;
  for (size_t i = 0; i < all->count; i++) devices += all->rows[i].on_device;
  if (all->count < COMMON_ROWS) return CHANGE_NONE;
  const int wall = side_together(all, WALL), side = 2 * devices < all->count ? side_together(all, PROCESSOR) : wall;
  if (side == 0) return wall != 0 ? CHANGE_WAITED : CHANGE_NONE;
  if (wall == -side) return CHANGE_NONE;
  return side > 0 ? CHANGE_SLOWER : CHANGE_FASTER;
}

static void judge_rows(judgment *all, change_result *results, change_whole *whole) {
  for (int i = 0; i < MEASURES; i++) measure_all(all->rows, all->count, (measure)i, &all->of[i]);
  whole->wall = all->of[WALL].common;
  whole->processor = all->of[PROCESSOR].common;
  whole->yardstick = all->of[YARDSTICK].common;
  whole->verdict = judge_together(all);
  all->unexplained = whole->verdict == CHANGE_SLOWER || whole->verdict == CHANGE_FASTER;
  for (size_t i = 0; i < all->count; i++)
    results[i] = (change_result){.verdict = verdict_of(all, i),
                                 .doubted = is_doubted(all, i) || all->unexplained,
                                 .old_ms = exp(center_of(&all->rows[i].old, 0, WALL)),
                                 .fresh_ms = exp(center_of(&all->rows[i].fresh, 0, WALL)),
                                 .wall = all->of[WALL].changes[i] - all->of[WALL].common,
                                 .processor = all->of[PROCESSOR].changes[i] - all->of[PROCESSOR].common,
                                 .limit = limit_of(all, i, measure_for(&all->rows[i]), errors_allowed(all->count))};
  for (size_t i = 0; i < all->count; i++) all->of[WALL].sorted[i] = results[i].limit;
  whole->limit = median_of(all->of[WALL].sorted, all->count);
}

bool change_judge(const change_row *rows, size_t count, change_result *results_out, change_whole *whole_out) {
  judgment all = {.rows = rows, .count = count};
  *whole_out = (change_whole){0};
  if (count == 0) return true;
  if (count > SIZE_MAX / (2 * MEASURES * sizeof(double))) return false;
  double *room = calloc(2 * MEASURES * count, sizeof *room);
  if (room == NULL) return false;
  for (size_t i = 0; i < MEASURES; i++) {
    all.of[i].changes = room + 2 * i * count;
    all.of[i].sorted = room + (2 * i + 1) * count;
  }
  judge_rows(&all, results_out, whole_out);
  free(room);
  return true;
}
