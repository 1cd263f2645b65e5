/* How stages hand pairs on: to the list of the next stage, or as keys to the list of what was found. */
#ifndef GRAZE_CUDA_DEVICE_LISTS_H
#define GRAZE_CUDA_DEVICE_LISTS_H

#include "cuda/device_atomic.h"
#include "cuda/device_view.h"

GEOMETRY_FUNCTION void append_rows(const device_view *v, device_list list, bool wants, index_pair rows) {
  const uint64_t place = device_append(&v->totals->list[list], wants);
  if (wants && place < v->list_capacity[list]) v->list[list][place] = rows;
}

GEOMETRY_FUNCTION index_pair primitives_of_rows(const device_view *v, index_pair rows) {
  index_pair primitives;
  primitives.a = v->rows[rows.a].primitive;
  primitives.b = v->rows[rows.b].primitive;
  return primitives;
}

GEOMETRY_FUNCTION void append_pair(const device_view *v, bool meets, index_pair rows) {
  const uint64_t place = device_append(&v->totals->list[LIST_PAIRS], meets);
  if (!meets || place >= v->list_capacity[LIST_PAIRS]) return;
  const index_pair primitives = primitives_of_rows(v, rows);
  v->keys[place] = (uint64_t)primitives.a << v->key_bits | primitives.b;
  if (v->sort_pairs == 0) v->pair_rank[place] = device_fetch_add(&v->pair_first[primitives.a], 1);
}

#endif
