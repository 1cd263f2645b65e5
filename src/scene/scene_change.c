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
  scene->device_change_union |= change;
  scene_touch(scene, (change & CHANGED_TOPOLOGY) != 0);
  slot->changed = scene->stamps.changed;
}

void scene_read_changes(const graze_scene *scene, bool all, object_change *changes_out) {
  for (size_t i = 0; i < scene->object_count; i++) changes_out[i] = all ? CHANGED_ALL : scene_slots(scene)[i].changes;
}

void scene_forget_changes(graze_scene *scene) {
  for (size_t i = 0; i < scene->object_count; i++) scene_slots(scene)[i].changes = 0;
}
