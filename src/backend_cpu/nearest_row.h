/* The row of a list of least distances that a search has found. */
#ifndef GRAZE_BACKEND_CPU_NEAREST_ROW_H
#define GRAZE_BACKEND_CPU_NEAREST_ROW_H

#include "backend_cpu/nearest_search.h"
#include "graze/nearest.h"
#include "scene/scene_data.h"

/* Whether the search has a row: its pair is within the bound, or may be. */
static inline bool nearest_is_listed(const nearest_search *found) {
  return found->state.best.any &&
         (found->state.is_within || (!found->complete && found->state.lower <= found->state.bound));
}

/* The row of the best pair; no pair is nearer than `lower` or this pair. */
graze_nearest nearest_row_make(const graze_scene *scene, const nearest_best *best, double lower, bool complete);

/* The row without a pair of bodies that touch. */
graze_nearest nearest_row_touching(void);

/* The row without a pair, if all are farther than `lower`. */
graze_nearest nearest_row_empty(double lower);
static inline bool nearest_row_is_empty(const graze_nearest *row) {
  return row->distance == HUGE_VAL && row->feature_a.vertex_count == 0;
}

#endif
