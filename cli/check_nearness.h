/* The outcome of a check with a clearance: its search, and its verdict as text. */
#ifndef GRAZE_CHECK_NEARNESS_H
#define GRAZE_CHECK_NEARNESS_H

#include "check_outcome.h"
#include "progress.h"

/* Whether a clearance was requested. */
static inline bool check_outcome_is_near(const check_outcome *outcome) {
  return outcome->options->search.query.clearance > 0.0;
}

/* The pairs that are listed without --limit. A clearance in other units than the positions lists nearly all pairs. */
enum { NEAR_PAIRS_MOST = 50000000 };

/* Finds the pairs, reports progress with an estimate of their number, and refuses to list more than NEAR_PAIRS_MOST of
 * them: *refused_out is then true, after a complaint, and the result is GRAZE_STOPPED. */
graze_result check_nearness_find(const graze_scene *scene, check_outcome *outcome, progress *steps, bool *refused_out);

/* Measures the pairs if the result is printed or written. */
graze_result check_nearness_measure(const graze_scene *scene, check_outcome *outcome, progress *steps);

/* Writes the verdict, without its end. */
void check_nearness_write_verdict(const check_outcome *outcome, FILE *stream);

/* Writes ", 0.37 mm apart" or ", intersecting" for the pair with this number. */
void check_nearness_write_apart(const check_outcome *outcome, size_t pair, FILE *stream);

/* Writes "  nearest 0.37 mm" for two objects; nothing if they were not measured. */
void check_nearness_write_nearest(const check_outcome *outcome, uint32_t object_a, uint32_t object_b, FILE *stream);

#endif
