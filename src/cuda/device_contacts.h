/* Contacts of pairs on a device, in memory provided by the caller. */
#ifndef GRAZE_CUDA_DEVICE_CONTACTS_H
#define GRAZE_CUDA_DEVICE_CONTACTS_H

#include "cuda/contact_measures.h"

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

#endif
