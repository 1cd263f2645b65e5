/* The stage of the method "brute": a test of every pair of boxes, one thread each. It is the reference on the device,
 * without cells or trees.
 *
 * Workload: up to about 10^5 primitives; n^2 box tests, half of which end at once. */
#ifndef GRAZE_CUDA_STAGE_BRUTE_H
#define GRAZE_CUDA_STAGE_BRUTE_H

#include "cuda/stage_search.h"

GEOMETRY_FUNCTION void stage_brute(uint32_t index, const brute_view *v) {
  const uint64_t number = v->first_pair + index, entries = v->pairs.lists.totals->entry_count;
  const uint32_t place = (uint32_t)(number / entries), other_place = (uint32_t)(number % entries);
  const entry_box entry = v->pairs.entries.entry_boxes[place], other = v->pairs.entries.entry_boxes[other_place];
  const bool tested = place < other_place;
  const entry_relation relation =
      tested && boxes_meet(&entry.box, &other.box) ? relate_entries(&v->pairs, place, other_place) : ENTRIES_APART;
  const index_pair pair = {place, other_place};
  append_entries(&v->pairs.lists, LIST_CANDIDATES, relation == ENTRIES_CANDIDATE, pair);
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_BOX_TESTS, index), tested ? 1u : 0u);
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_NEIGHBORS, index), relation == ENTRIES_NEIGHBORS ? 1u : 0u);
}

#endif
