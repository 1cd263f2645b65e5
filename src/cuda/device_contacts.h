/* Contacts of pairs on a device, in memory of the caller's choice. */
#ifndef GRAZE_CUDA_DEVICE_CONTACTS_H
#define GRAZE_CUDA_DEVICE_CONTACTS_H

#include "cuda/contact_measures.h"

/* Where contacts go: memory of a caller's list, asked for when it is known how much of it is needed. What was in it may
 * be lost. */
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
  bool on_device;   /* where the pairs are */
  bool only_pushes; /* of solids of different objects: other pairs, and those that do not meet, get no kind */
  graze_test test;
} device_contact_query;

/* What they share. Where a pair is refused, or there are more points than can be numbered, nothing more is known. */
typedef struct device_contact_answer {
  size_t refused; /* the lowest pair that does not meet or is not in the scene; SIZE_MAX: none */
  graze_pair refused_pair;
  uint64_t point_count;
  graze_contact *contacts; /* as the target gave them */
  double (*points)[3];
  double milliseconds; /* of the stages, by the device's clock */
} device_contact_answer;

typedef struct device_contacts {
  device_memory *memory;
  const device_scene *scene;
  device_buffer pairs; /* those that the host gave */
  device_buffer contacts, first, slots, points;
  open_contacts open;
  size_t at_once;       /* that there was memory for when it was short; 0: it was not */
  uint32_t short_calls; /* since then */
} device_contacts;

void device_contacts_init(device_contacts *contacts, const device_scene *scene);

/* Contacts of pairs, and their points, in memory of the query's target. */
graze_result device_contacts_make(device_contacts *own, const device_contact_query *query,
                                  device_contact_answer *answer_out);

#endif
