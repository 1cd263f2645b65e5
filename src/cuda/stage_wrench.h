/* Wrenches summed for each pair of objects: the highest exponents first, as pairs are measured, then sums that do not
 * depend on the order (geometry/order_free_sum.h).
 *
 * Workload: about 10^4 to 10^6 pairs, 92 bytes each; with two objects, as in haptics, all of them to one place. */
#ifndef GRAZE_CUDA_STAGE_WRENCH_H
#define GRAZE_CUDA_STAGE_WRENCH_H

#include "cuda/contact_view.h"
#include "cuda/device_atomic.h"

GEOMETRY_FUNCTION void raise_highest(const contact_view *v, uint32_t place, const wrench_sum *seen) {
  for (int i = 0; i < WRENCH_QUANTITIES; i++)
    device_raise_of(place, &v->wrenches.sums[place].highest[i], seen->highest[i]);
}

/* Records the contribution of a contact to the sums of its objects. */
GEOMETRY_FUNCTION void record_wrench(const contact_view *v, uint32_t index, const graze_contact *contact) {
  if (contact->kind != GRAZE_CONTACT_KIND_VOLUME) return;
  const uint32_t place = contact->pair.object_a * v->scene.object_count + contact->pair.object_b;
  const wrench_terms terms = wrench_terms_of(contact, v->wrenches.rule);
  wrench_sum seen;
  for (int i = 0; i < WRENCH_QUANTITIES; i++) seen.highest[i] = 0;
  note_highest(&seen, &terms);
  raise_highest(v, place, &seen);
  v->wrenches.places[index] = place;
  v->wrenches.terms[index] = terms;
}

GEOMETRY_FUNCTION void add_wrench(const contact_view *v, uint32_t index, uint32_t place, wrench_sum *sum) {
  for (int i = 0; i < WRENCH_QUANTITIES; i++) sum->highest[i] = v->wrenches.sums[place].highest[i];
  add_terms(sum, &v->wrenches.terms[index]);
}

GEOMETRY_FUNCTION void join_wrench(const contact_view *v, uint32_t place, const wrench_sum *sum) {
  device_wrench *wrench = &v->wrenches.sums[place];
  for (int term = 0; term < WRENCH_TERMS; term++)
    for (int limb = 0; limb < SUM_LIMBS; limb++)
      device_add_alike(&wrench->limbs[term][limb], (uint64_t)sum->sums[term].limb[limb]);
  device_add_alike(&wrench->count, sum->count);
}

/* On a device the threads of a block first combine their sums: cuda_wrenches.cu. */
GEOMETRY_FUNCTION void stage_wrench_add(uint32_t index, const contact_view *v) {
  const uint32_t place = v->wrenches.places[index];
  if (place == WRENCH_NONE) return;
  wrench_sum sum;
  memset(&sum, 0, sizeof sum);
  add_wrench(v, index, place, &sum);
  join_wrench(v, place, &sum);
}

#endif
