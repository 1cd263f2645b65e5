/* The state of a rank's objects in its last frame, to detect changed ones. */
#ifndef GRAZE_DISTRIBUTED_SENT_OBJECTS_H
#define GRAZE_DISTRIBUTED_SENT_OBJECTS_H

#include "base/array.h"
#include "graze/parts.h"

#include <stdbool.h>

typedef struct sent_objects {
  array states; /* sent_state, by the object's index in the scene */
} sent_objects;

void sent_objects_init(sent_objects *sent);
void sent_objects_release(sent_objects *sent, memory *heap);

/* Notes the current state of all objects of the scene, in place of the last one. False when out of memory. */
bool sent_objects_note(sent_objects *sent, memory *heap, const graze_scene *scene);

/* Whether the object with this index is the noted one, unchanged. */
bool sent_objects_has(const sent_objects *sent, const graze_scene *scene, uint32_t index);

#endif
