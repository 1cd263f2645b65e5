/* What pairs push, summed up for every two objects: the highest exponents first, as pairs are measured, then sums that
 * no order changes (geometry/order_free_sum.h).
 *
 * Workload: some 10^4 to 10^6 pairs, 92 bytes each; with two objects, as in haptics, all of them to one place. */
#ifndef GRAZE_CUDA_STAGE_PUSH_H
#define GRAZE_CUDA_STAGE_PUSH_H

#include "cuda/contact_view.h"
#include "cuda/device_atomic.h"

GEOMETRY_FUNCTION void raise_highest(const contact_view *v, uint32_t place, const push_sum *seen) {
  for (int i = 0; i < PUSH_QUANTITIES; i++) device_raise_of(place, &v->pushes.sums[place].highest[i], seen->highest[i]);
}

/* Keeps what the contact adds to the sums of its objects. */
GEOMETRY_FUNCTION void note_push(const contact_view *v, uint32_t index, const graze_contact *contact) {
  if (contact->kind != GRAZE_CONTACT_KIND_VOLUME) return;
  const uint32_t place = contact->pair.object_a * v->scene.object_count + contact->pair.object_b;
  const push_terms terms = push_terms_of(contact, v->pushes.rule);
  push_sum seen;
  for (int i = 0; i < PUSH_QUANTITIES; i++) seen.highest[i] = 0;
  note_highest(&seen, &terms);
  raise_highest(v, place, &seen);
  v->pushes.places[index] = place;
  v->pushes.terms[index] = terms;
}

GEOMETRY_FUNCTION void add_push(const contact_view *v, uint32_t index, uint32_t place, push_sum *sum) {
  for (int i = 0; i < PUSH_QUANTITIES; i++) sum->highest[i] = v->pushes.sums[place].highest[i];
  add_terms(sum, &v->pushes.terms[index]);
}

GEOMETRY_FUNCTION void join_push(const contact_view *v, uint32_t place, const push_sum *sum) {
  device_push *push = &v->pushes.sums[place];
  for (int term = 0; term < PUSH_TERMS; term++)
    for (int limb = 0; limb < SUM_LIMBS; limb++)
      device_add_alike(&push->limbs[term][limb], (uint64_t)sum->sums[term].limb[limb]);
  device_add_alike(&push->count, sum->count);
}

/* On a device the threads of a block sum up first: cuda_pushes.cu. */
GEOMETRY_FUNCTION void stage_push_add(uint32_t index, const contact_view *v) {
  const uint32_t place = v->pushes.places[index];
  if (place == PUSH_NONE) return;
  push_sum sum;
  memset(&sum, 0, sizeof sum);
  add_push(v, index, place, &sum);
  join_push(v, place, &sum);
}

#endif
