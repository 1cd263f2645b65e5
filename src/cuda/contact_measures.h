/* The stages that measure pairs on a device, for contacts (device_contacts.c) and wrenches (device_wrenches.c). */
#ifndef GRAZE_CUDA_CONTACT_MEASURES_H
#define GRAZE_CUDA_CONTACT_MEASURES_H

#include "cuda/contact_view.h"
#include "cuda/device_queue.h"
#include "cuda/device_scene.h"

/* The variants with work to do. */
typedef struct contact_variants {
  bool surfaces;  /* some kind is not a solid */
  bool triangles; /* also set for an empty scene: some stage must refuse pairs that are not in it */
  bool tetrahedra, spheres, others;
} contact_variants;

contact_variants contact_variants_of(const scene_kinds *kinds, graze_test test);

/* The counters, and the list of pairs that the filter leaves undecided. */
typedef struct open_contacts {
  device_buffer totals, open;
} open_contacts;

graze_result size_open_contacts(device_memory *held, open_contacts *buffers, size_t pairs);

void queue_triangle_measures(stage_queue *queue, const contact_view *v, const contact_variants *variants);

/* All variants except triangles, which share no volume. */
void queue_solid_measures(stage_queue *queue, const contact_view *v, const contact_variants *variants);

#endif
