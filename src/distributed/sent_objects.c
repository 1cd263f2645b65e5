/* The state of a rank's objects in its last frame; see sent_objects.h. */
#include "distributed/sent_objects.h"

#include <string.h>

typedef struct sent_state {
  uint64_t stamp;
  uint32_t generation; /* 0: there was no object */
} sent_state;

void sent_objects_init(sent_objects *sent) {
  array_init(&sent->states, sizeof(sent_state));
}

void sent_objects_release(sent_objects *sent, memory *heap) {
  array_release(&sent->states, heap);
}

bool sent_objects_note(sent_objects *sent, memory *heap, const graze_scene *scene) {
  sent->states.count = 0;
  for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;) {
    const sent_state none = {0};
    while (sent->states.count <= o.index)
      if (!array_push(&sent->states, heap, &none)) return false;
    sent_state *state = &ARRAY_AS(sent_state, &sent->states)[o.index];
    state->generation = o.generation;
    if (graze_object_get_stamp(scene, o, &state->stamp) != GRAZE_OK) return false;
  }
  return true;
}

bool sent_objects_has(const sent_objects *sent, const graze_scene *scene, uint32_t index) {
  if (index >= sent->states.count) return false;
  const sent_state *state = &ARRAY_AS(sent_state, &sent->states)[index];
  const graze_object id = {index, state->generation};
  uint64_t stamp;
  return graze_object_is_valid(scene, id) && graze_object_get_stamp(scene, id, &stamp) == GRAZE_OK &&
         stamp == state->stamp;
}
