/* The stages that sum up what pairs push: largest magnitudes first, then sums that no order changes
 * (geometry/order_free_sum.h).
 *
 * Each lane goes through every so-manieth contact and keeps what belongs to one pair of objects, until another pair
 * comes or there are no more: with two objects, as in haptics, it joins the others once.
 *
 * Workload: some 10^5 contacts of 160 bytes, read twice. */
#ifndef GRAZE_CUDA_STAGE_PUSH_H
#define GRAZE_CUDA_STAGE_PUSH_H

#include "cuda/device_atomic.h"
#include "cuda/device_view.h"

/* The place of the objects of a contact that pushes; the table's length for one that does not. */
GEOMETRY_FUNCTION uint32_t push_place(const device_view *v, const graze_contact *contact) {
  if (contact->kind != GRAZE_CONTACT_VOLUME) return v->object_count * v->object_count;
  return contact->pair.object_a * v->object_count + contact->pair.object_b;
}

GEOMETRY_FUNCTION void raise_largest(const device_view *v, uint32_t place, const push_sum *seen) {
  for (int i = 0; i < PUSH_QUANTITIES; i++) {
    uint64_t bits; /* of numbers that are not negative: in their order */
    memcpy(&bits, &seen->largest[i], sizeof bits);
    device_raise_of(place, &v->pushes[place].largest[i], bits);
  }
}

GEOMETRY_FUNCTION void stage_push_largest(uint32_t lane, const device_view *v) {
  const uint32_t none = v->object_count * v->object_count;
  uint32_t place = none;
  push_sum seen;
  for (uint64_t i = lane; i < v->contact_count; i += v->push_lanes) {
    const graze_contact *contact = &v->contacts[i];
    const uint32_t next = push_place(v, contact);
    if (next == none) continue;
    if (next != place) {
      if (place != none) raise_largest(v, place, &seen);
      for (int k = 0; k < PUSH_QUANTITIES; k++) seen.largest[k] = 0.0;
      place = next;
    }
    const push_terms terms = push_terms_of(contact, &v->push_rule);
    note_largest(&seen, &terms);
  }
  if (place != none) raise_largest(v, place, &seen);
}

GEOMETRY_FUNCTION void begin_sum(const device_view *v, uint32_t place, push_sum *sum_out) {
  memset(sum_out, 0, sizeof *sum_out);
  for (int i = 0; i < PUSH_QUANTITIES; i++) memcpy(&sum_out->largest[i], &v->pushes[place].largest[i], sizeof(double));
}

GEOMETRY_FUNCTION void join_sum(const device_view *v, uint32_t place, const push_sum *sum) {
  device_push *push = &v->pushes[place];
  for (int term = 0; term < PUSH_TERMS; term++)
    for (int limb = 0; limb < SUM_LIMBS; limb++)
      device_add_alike(&push->limbs[term][limb], (uint64_t)sum->sums[term].limb[limb]);
  device_add_alike(&push->count, sum->count);
}

GEOMETRY_FUNCTION void stage_push_add(uint32_t lane, const device_view *v) {
  const uint32_t none = v->object_count * v->object_count;
  uint32_t place = none;
  push_sum sum;
  for (uint64_t i = lane; i < v->contact_count; i += v->push_lanes) {
    const graze_contact *contact = &v->contacts[i];
    const uint32_t next = push_place(v, contact);
    if (next == none) continue;
    if (next != place) {
      if (place != none) join_sum(v, place, &sum);
      begin_sum(v, next, &sum);
      place = next;
    }
    const push_terms terms = push_terms_of(contact, &v->push_rule);
    add_terms(&sum, &terms);
  }
  if (place != none) join_sum(v, place, &sum);
}

#endif
