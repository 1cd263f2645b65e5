/* The stages that measure pairs on a device, for contacts (device_contacts.c) and for what pairs push
 * (device_pushes.c). */
#ifndef GRAZE_CUDA_CONTACT_MEASURES_H
#define GRAZE_CUDA_CONTACT_MEASURES_H

#include "cuda/contact_view.h"
#include "cuda/device_queue.h"
#include "cuda/device_scene.h"

/* Which of them there is work for. */
typedef struct contact_variants {
  bool surfaces;  /* some kind has no inside */
  bool triangles; /* or nothing at all: what is not in the scene has to be refused by some stage */
  bool tetrahedra, spheres, others;
} contact_variants;

contact_variants contact_variants_of(const scene_kinds *kinds, graze_test test);

/* What is counted, and the list of pairs that the filter leaves open. */
typedef struct open_contacts {
  device_buffer totals, open;
} open_contacts;

graze_result size_open_contacts(device_memory *held, open_contacts *buffers, size_t pairs);

void queue_triangle_measures(stage_queue *queue, const contact_view *v, const contact_variants *variants);

/* All but those of triangles, which share no volume. */
void queue_solid_measures(stage_queue *queue, const contact_view *v, const contact_variants *variants);

#endif
