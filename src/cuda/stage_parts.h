/* The filter of candidates in scenes whose objects are parts of larger ones. Pairs of two parts that share a vertex are
 * decided here; all others are filtered as in other scenes.
 *
 * Workload: every candidate once, by one thread; those along the borders of parts look up vertices. */
#ifndef GRAZE_CUDA_STAGE_PARTS_H
#define GRAZE_CUDA_STAGE_PARTS_H

#include "cuda/stage_clearance.h"
#include "cuda/stage_entries.h"
#include "cuda/stage_filter.h"

/* The filters that the queue selects for scenes without parts. */
GEOMETRY_FUNCTION void filter_as_whole(uint32_t index, const pair_view *v) {
  if (v->query.candidates_only != 0)
    stage_box_pair(index, v);
  else if (v->query.clearance > 0.0)
    stage_within(index, v);
  else if (v->scene.only_triangles != 0)
    stage_filter(index, v);
  else
    stage_filter_kinds(index, v);
}

GEOMETRY_FUNCTION void stage_filter_parts(uint32_t index, const pair_view *v) {
  const index_pair entries = in_order(&v->lists, v->lists.list[LIST_CANDIDATES][index]);
  const primitive_header a = v->lists.entries[entries.a].header, b = v->lists.entries[entries.b].header;
  const bool skip = v->query.skip_neighbors != 0, parts = objects_are_parts(v->scene.rules, a.object, b.object);
  if (a.object == b.object || !parts || (v->query.candidates_only != 0 && !skip)) {
    filter_as_whole(index, v);
    return;
  }
  const index_pair pair = primitives_of_entries(&v->lists, entries);
  header_corners storage[2];
  const part_side sides[2] = {part_side_of(v->scene.sources, v->scene.parts, &a, pair.a, &storage[0]),
                              part_side_of(v->scene.sources, v->scene.parts, &b, pair.b, &storage[1])};
  const part_relation relation = relate_part_sides(&sides[0], &sides[1], skip);
  if (relation == PARTS_APART) {
    filter_as_whole(index, v);
    return;
  }
  orientation_tally tally = {0};
  const bool meets = relation == PARTS_NEIGHBORS && parts_meet_beyond(sides, v->query.test, NULL, &tally);
  append_pair(&v->lists, meets, entries);
  device_tally(device_tally_slot(&v->lists, TALLY_BY_NUMBER, index), relation == PARTS_NO_PAIR ? 1u : 0u);
  device_count_tier(&v->lists, index, &tally);
}

#endif
