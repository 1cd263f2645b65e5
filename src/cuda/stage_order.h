/* The last stage: sorted keys become pairs by object and primitive. */
#ifndef GRAZE_CUDA_STAGE_ORDER_H
#define GRAZE_CUDA_STAGE_ORDER_H

#include "cuda/device_view.h"

GEOMETRY_FUNCTION void stage_unpack(uint32_t index, const device_view *v) {
  const uint64_t key = v->sorted_keys[index];
  const uint32_t a = (uint32_t)(key >> v->key_bits), b = (uint32_t)(key & ((UINT64_C(1) << v->key_bits) - 1));
  graze_pair pair;
  pair.object_a = v->tags[a].object;
  pair.primitive_a = a - v->sources[pair.object_a].first_primitive;
  pair.object_b = v->tags[b].object;
  pair.primitive_b = b - v->sources[pair.object_b].first_primitive;
  v->pairs[index] = pair;
}

#endif
