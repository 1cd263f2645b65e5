/* Contacts of pairs on a device, in memory provided by the caller; and wrenches, the last part of a query that requests
 * them. */
#ifndef GRAZE_CUDA_DEVICE_CONTACTS_H
#define GRAZE_CUDA_DEVICE_CONTACTS_H

#include "cuda/contact_view.h"
#include "cuda/device_operations.h"
#include "cuda/device_scene.h"
#include "cuda/device_search.h"

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

/* The output of contacts: memory of a caller's list, requested when its size is known. Its old content may be lost. */
typedef struct contact_target {
  void *context;
  bool on_device;
  graze_result (*take_contacts)(void *context, size_t count, graze_contact **contacts_out);
  graze_result (*take_points)(void *context, size_t count, double (**points_out)[3], size_t *room_out);
} contact_target;

/* Pairs to be measured. */
typedef struct device_contact_query {
  const graze_pair *pairs;
  size_t count;
  const contact_target *target;
  bool on_device;     /* where the pairs are */
  bool wrenches_only; /* only solids of different objects; other pairs, and those that do not meet, get no kind */
  graze_test test;
} device_contact_query;

/* The contacts. If a pair is refused, or there are too many points, nothing else is valid. */
typedef struct device_contact_answer {
  size_t refused; /* the lowest pair that does not meet or is not in the scene; SIZE_MAX: none */
  graze_pair refused_pair;
  uint64_t point_count;
  graze_contact *contacts; /* in the target's memory */
  double (*points)[3];
  double milliseconds; /* of the stages, on the device's clock */
} device_contact_answer;

typedef struct device_contacts {
  device_memory *memory;
  const device_scene *scene;
  device_buffer pairs; /* pairs from the host */
  device_buffer contacts, first, slots, points;
  open_contacts open;
  size_t at_once;       /* chunk size when memory was short; 0: it was not */
  uint32_t short_calls; /* calls since then */
} device_contacts;

void device_contacts_init(device_contacts *contacts, const device_scene *scene);

/* Contacts of pairs, and their points, in memory of the query's target. */
graze_result device_contacts_make(device_contacts *own, const device_contact_query *query,
                                  device_contact_answer *answer_out);

/* ---------------------------------------------------------------------------------------------- wrenches */

typedef struct device_wrenches {
  device_buffer rule, terms, places;
  open_contacts open;
  wrench_rule known_rule; /* on the device, if the buffer has memory */
} device_wrenches;

/* Allocates the terms of this number of pairs, and uploads the rule, if wrenches are requested. */
graze_result size_wrenches(device_wrenches *wrenches, device_search *search, const device_query *query,
                           uint64_t pair_capacity);

/* Zeros if wrenches are not requested. */
contact_view view_of_wrenches(const device_wrenches *wrenches, const device_search *search, const device_query *query,
                              const pair_view *pairs);

/* Queues the stages, from the keys of the pairs, instead of sorting them. */
void queue_wrenches(stage_queue *queue, const contact_view *v, const contact_variants *variants);

#endif
