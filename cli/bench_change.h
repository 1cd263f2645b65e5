/* The rule by which `graze bench --compare` tells a change from noise. Knows numbers alone, no records.
 *
 * A row was visited in several passes, far enough apart that what the machine does beside it is another thing in each:
 * how far the passes of one record lie from each other says how much two records may differ without a reason. Rounds of
 * one visit do not say that, since they are slow together. The spread is robust (median absolute deviation; Croux and
 * Rousseeuw, "Time-efficient algorithms for two highly robust estimators of scale", 1992, for few values), and that of
 * a row is drawn towards that of all rows of its record, since five values alone say little about it (Smyth, "Linear
 * models and empirical Bayes methods", 2004). What all rows have in common is taken out of each and told as one. */
#ifndef GRAZE_BENCH_CHANGE_H
#define GRAZE_BENCH_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

enum { CHANGE_PASSES_MAX = 16 };

/* Below this nothing is told, and a row that seems to have changed by half of it may be measured again. */
extern const double change_least; /* natural logarithms of ratios, as all changes here */

typedef struct change_pass {
  double wall_ms, processor_ms, yardstick_ms;
} change_pass;

/* A row in one record. */
typedef struct change_side {
  change_pass passes[CHANGE_PASSES_MAX];
  size_t count;  /* at least one */
  double spread; /* a guess for a row of one pass: what the quartiles of its rounds are apart, over its median */
} change_side;

typedef struct change_row {
  change_side old, fresh;
  size_t
      first_again; /* of the fresh passes: those from here on were made because the row was doubted; or their count */
  bool on_device;  /* the processor waits there, and its time says nothing */
} change_row;

typedef enum change_verdict {
  CHANGE_NONE,
  CHANGE_SLOWER,
  CHANGE_FASTER,
  CHANGE_WAITED /* wall time changed, the time of processors did not */
} change_verdict;

typedef struct change_told {
  change_verdict verdict;
  bool doubted;            /* measuring it again may tell */
  double old_ms, fresh_ms; /* wall time: medians of the passes */
  double wall, processor;  /* changes of these times, without what all rows have in common */
  double limit;            /* what the latter would have had to be, and on a device the former */
} change_told;

/* All rows together. */
typedef struct change_whole {
  double wall, processor; /* medians of the changes of the rows; 0 where there are too few to tell */
  double yardstick;       /* that of fixed work beside them */
  change_verdict verdict; /* NONE where the yardstick changed likewise: the machine did */
  double limit;           /* the median of the rows' limits: what could have been seen */
} change_whole;

/* False where memory runs out. */
bool change_judge(const change_row *rows, size_t count, change_told *told_out, change_whole *whole_out);

#endif
