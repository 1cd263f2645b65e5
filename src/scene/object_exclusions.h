/* Pairs of objects that no query asks for: exclusions by slot, each once. */
#ifndef GRAZE_SCENE_OBJECT_EXCLUSIONS_H
#define GRAZE_SCENE_OBJECT_EXCLUSIONS_H

#include "scene/scene_data.h"

/* Excludes the pairs of two different objects; they may be excluded already: *added_out. False, and all as it was, when
 * out of memory. */
bool scene_exclude(graze_scene *scene, uint32_t a, uint32_t b, bool *added_out);

/* Ends the exclusion; whether there was one. */
bool scene_include(graze_scene *scene, uint32_t a, uint32_t b);

/* Ends all exclusions of an object: linear in their number. */
void scene_include_all(graze_scene *scene, uint32_t index);

/* Sets whether an object has exclusions, or may have those of another part of it: also where it becomes a part. */
void scene_point_exclusions(graze_scene *scene, uint32_t index);

/* Gives their memory back, at the end of the scene. */
void scene_release_exclusions(graze_scene *scene);

/* Records that the exclusion of two objects came or went. The next query needs an update. */
void scene_note_exclusion(graze_scene *scene, uint32_t a, uint32_t b);

/* Whether queries ask for pairs of two different objects. The scene's array of rules may be older where a device has
 * its own. */
static inline bool scene_asks_for(const graze_scene *scene, uint32_t a, uint32_t b) {
  const object_rule *p = &scene_objects(scene)[a].rule, *q = &scene_objects(scene)[b].rule;
  if (p->part_of != 0 && p->part_of == q->part_of) return false;
  return (p->category & q->mask) != 0 && (q->category & p->mask) != 0 &&
         !pair_slots_have(scene_excluded(scene),
                          index_pair_in_order(scene_whole_of(scene, a), scene_whole_of(scene, b)));
}

#endif
