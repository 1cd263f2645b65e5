/* The rule by which `graze bench --compare` separates changes from noise. It works on numbers, not on records.
 *
 * A row is measured in several passes, far enough apart in time that other work on the machine differs. The differences
 * between passes of a record show how much two records may differ without a cause. Rounds of one pass do not show this,
 * because they slow down together. The spread is robust (median absolute deviation; Croux and Rousseeuw,
 * "Time-efficient algorithms for two highly robust estimators of scale", 1992, for few values). The spread of a row is
 * shrunk towards that of all rows of its record, because five values alone are a weak estimate (Smyth, "Linear models
 * and empirical Bayes methods", 2004). The change common to all rows is subtracted from each row and reported once. */
#ifndef GRAZE_BENCH_CHANGE_H
#define GRAZE_BENCH_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

enum { CHANGE_PASSES_MAX = 16 };

/* The least reported change. A row that seems to have changed by half of it may be measured again. */
extern const double change_least; /* natural logarithms of ratios, as all changes here */

typedef struct change_pass {
  double wall_ms, processor_ms, yardstick_ms;
} change_pass;

/* A row in one record. */
typedef struct change_side {
  change_pass passes[CHANGE_PASSES_MAX];
  size_t count;  /* at least one */
  double spread; /* an estimate for a row of one pass: the interquartile range of its rounds over their median */
} change_side;

typedef struct change_row {
  change_side old, fresh;
  size_t first_again; /* fresh passes from here on were repeated because the row was in doubt; else their count */
  bool on_device;     /* the processor waits for the device, so its time is meaningless */
} change_row;

typedef enum change_verdict {
  CHANGE_NONE,
  CHANGE_SLOWER,
  CHANGE_FASTER,
  CHANGE_WAITED /* wall time changed, processor time did not */
} change_verdict;

typedef struct change_result {
  change_verdict verdict;
  bool doubted;            /* measuring it again may decide */
  double old_ms, fresh_ms; /* medians of the wall times of the passes */
  double wall, processor;  /* changes of these times, minus the change common to all rows */
  double limit;            /* the least change of the latter that would be reported; on a device, of the former */
} change_result;

/* All rows together. */
typedef struct change_whole {
  double wall, processor; /* medians of the changes of the rows; 0 if there are too few rows */
  double yardstick;       /* the change of fixed work measured with the rows */
  change_verdict verdict; /* NONE if the yardstick changed likewise: the machine changed */
  double limit;           /* the median of the limits of the rows: the detectable change */
} change_whole;

/* Judges all rows; false when out of memory. */
bool change_judge(const change_row *rows, size_t count, change_result *results_out, change_whole *whole_out);

#endif
