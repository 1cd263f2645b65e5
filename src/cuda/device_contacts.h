/* The stages that measure pairs on a device, for contacts (device_contacts.c) and for what pairs push
 * (device_pushes.c). */
#ifndef GRAZE_CUDA_DEVICE_CONTACTS_H
#define GRAZE_CUDA_DEVICE_CONTACTS_H

#include "cuda/device_queue.h"
#include "cuda/device_state.h"

/* Which of them there is work for. */
typedef struct contact_variants {
  bool surfaces;  /* some kind has no inside */
  bool triangles; /* or nothing at all: what is not in the scene has to be refused by some stage */
  bool tetrahedra, spheres, others;
} contact_variants;

contact_variants contact_variants_of(const device_state *state, graze_test test);

/* Room for the list of pairs that the filter leaves open, of so many. */
graze_result size_open_contacts(device_state *state, size_t pairs);

/* All but those of triangles, which share no volume. */
void queue_solid_measures(stage_queue *queue, const contact_variants *variants);

#endif
