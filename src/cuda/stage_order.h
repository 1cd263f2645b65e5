/* The last stages: pairs are sorted. The keys of one lower primitive, or of a group of them if there are millions, are
 * brought together after a prefix sum over the groups; the rank of a pair in its group is the number of lower keys.
 * Adjacent threads then read the same keys, and write adjacent pairs. If a group has very many pairs, this would be
 * slow: then keys are sorted, and only unpacked here.
 *
 * Workload: at most some pairs per primitive, so that most ranks need one to eight comparisons. */
#ifndef GRAZE_CUDA_STAGE_ORDER_H
#define GRAZE_CUDA_STAGE_ORDER_H

#include "base/pair_hash.h"
#include "cuda/device_atomic.h"
#include "cuda/pair_view.h"

enum { MOST_RANKED = 256 }; /* pairs of one group */

GEOMETRY_FUNCTION index_pair pair_of_key(uint32_t key_bits, uint64_t key) {
  index_pair pair;
  pair.a = (uint32_t)(key >> key_bits);
  pair.b = (uint32_t)(key & ((UINT64_C(1) << key_bits) - 1));
  return pair;
}

GEOMETRY_FUNCTION graze_pair pair_of_ranks(const scene_arrays *v, index_pair ranks) {
  const uint64_t a = v->rank_keys[ranks.a], b = v->rank_keys[ranks.b];
  graze_pair pair;
  pair.object_a = (uint32_t)(a >> 32);
  pair.primitive_a = (uint32_t)a;
  pair.object_b = (uint32_t)(b >> 32);
  pair.primitive_b = (uint32_t)b;
  return pair;
}

/* From ranks if there are any, otherwise from the scene's numbers. */
GEOMETRY_FUNCTION graze_pair pair_by_objects(const scene_arrays *v, index_pair primitives) {
  if (v->rank_keys != NULL) return pair_of_ranks(v, primitives);
  const uint32_t a = v->headers[primitives.a].object, b = v->headers[primitives.b].object;
  graze_pair pair;
  pair.object_a = v->objects[a].public_object;
  pair.primitive_a = primitives.a - v->sources[a].first_primitive + v->objects[a].public_primitive;
  pair.object_b = v->objects[b].public_object;
  pair.primitive_b = primitives.b - v->sources[b].first_primitive + v->objects[b].public_primitive;
  return pair;
}

/* The range of keys of a lower primitive's group. */
typedef struct key_group {
  uint32_t first, end;
} key_group;

GEOMETRY_FUNCTION key_group group_of_key(const list_view *v, uint64_t key) {
  const uint32_t number = pair_of_key(v->key_bits, key).a >> v->group_bits;
  const key_group group = {v->pair_first[number], v->pair_first[number + 1]};
  return group;
}

GEOMETRY_FUNCTION void stage_partner(uint32_t index, const order_view *v) {
  const key_group group = group_of_key(&v->lists, v->lists.keys[index]);
  v->grouped_keys[group.first + v->lists.pair_rank[index]] = v->lists.keys[index];
  if (group.end - group.first > MOST_RANKED) device_set_bits(&v->lists.totals->long_list, 1);
}

/* Stored at once: the type is not aligned, because callers' lists are not, but this list is. */
GEOMETRY_FUNCTION void store_pair(const order_view *v, uint32_t place, graze_pair pair) {
#if defined(__CUDA_ARCH__)
  uint4 row;
  memcpy(&row, &pair, sizeof row);
  ((uint4 *)(void *)v->pairs)[place] = row;
#else
  v->pairs[place] = pair;
#endif
}

/* Writes a pair to its place; returns its part of the hash. */
GEOMETRY_FUNCTION uint64_t write_pair(const order_view *v, uint32_t place, index_pair primitives) {
  const graze_pair pair = pair_by_objects(&v->scene, primitives);
  store_pair(v, place, pair);
  return pair_hash(pair);
}

GEOMETRY_FUNCTION uint64_t stage_rank(uint32_t index, const order_view *v) {
  if (v->lists.totals->long_list != 0) return 0; /* the query is repeated with sorting */
  const uint64_t key = v->grouped_keys[index];
  const key_group group = group_of_key(&v->lists, key);
  uint32_t place = group.first;
  for (uint32_t i = group.first; i < group.end; i++) place += v->grouped_keys[i] < key ? 1u : 0u;
  return write_pair(v, place, pair_of_key(v->lists.key_bits, key));
}

GEOMETRY_FUNCTION uint64_t stage_unpack(uint32_t index, const order_view *v) {
  return write_pair(v, index, pair_of_key(v->lists.key_bits, v->sorted_keys[index]));
}

#endif
