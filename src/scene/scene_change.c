/* Records that a scene changes; see scene_change.h. */
#include "scene/scene_change.h"

void scene_touch(graze_scene *scene, bool topology) {
  scene->stamps.changed++;
  if (topology) scene->stamps.topology = scene->stamps.changed;
}

void scene_change_object(graze_scene *scene, uint32_t index, object_change change) {
  object_slot *slot = &scene_slots(scene)[index];
  slot->changes |= change;
  slot->device_changes |= change;
  scene->device_news |= change;
  scene_touch(scene, (change & CHANGED_TOPOLOGY) != 0);
}
