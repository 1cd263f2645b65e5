/* The parcels of a rank's objects that parts have from the last frame. Parcels of unchanged objects are not sent again,
 * and those that a part no longer needs are dropped.
 *
 * Workload: once a frame, linear in the objects and in the parcels, not in the primitives. */
#ifndef GRAZE_DISTRIBUTED_SENT_PARCELS_H
#define GRAZE_DISTRIBUTED_SENT_PARCELS_H

#include "distributed/parcel_list.h"

typedef struct sent_parcels {
  sent_objects objects, next_objects;
  array places, next_places; /* parcel_place, ascending */
} sent_parcels;

void sent_parcels_init(sent_parcels *sent);
void sent_parcels_release(sent_parcels *sent, memory *heap);

/* Resets the state: nothing was sent. */
void sent_parcels_forget(sent_parcels *sent);

/* Adds the drops to the list, which was collected without the noted objects that have not changed. False when out of
 * memory. */
bool sent_parcels_compare(sent_parcels *sent, memory *heap, const graze_scene *scene, parcel_list *list);

/* Records that the parcels compared last were sent. */
void sent_parcels_commit(sent_parcels *sent);

#endif
