/* The filter of candidates in scenes whose objects are parts of larger ones. Pairs of two parts that share a vertex are
 * left to the exact tests; all others are filtered as in other scenes.
 *
 * Workload: every candidate once, by one thread; those along the borders of parts look up vertices. */
#ifndef GRAZE_CUDA_STAGE_PARTS_H
#define GRAZE_CUDA_STAGE_PARTS_H

#include "cuda/stage_exact.h"
#include "cuda/stage_filter.h"

/* The filter of all kinds is also right for triangles alone. */
GEOMETRY_FUNCTION void stage_filter_parts(uint32_t index, const pair_view *v) {
  const index_pair entries = in_order(&v->lists, v->lists.list[LIST_CANDIDATES][index]);
  candidate_parts parts;
  relate_candidate(v, entries, &parts);
  if (parts.relation != PARTS_APART) {
    append_entries(&v->lists, LIST_OTHERS, parts.relation == PARTS_NEIGHBORS, entries);
    count_refused_parts(v, index, &parts);
  } else if (v->query.candidates_only != 0) {
    stage_box_pair(index, v);
  } else {
    stage_filter_kinds(index, v);
  }
}

#endif
