/* Exclusions: pairs of objects that no query lists, by slot, each once. */
#ifndef GRAZE_SCENE_OBJECT_EXCLUSIONS_H
#define GRAZE_SCENE_OBJECT_EXCLUSIONS_H

#include "scene/scene_data.h"

/* Excludes the pairs of two different objects; *added_out is whether they were not excluded before. False when out of
 * memory, without a change. */
bool scene_exclude(graze_scene *scene, uint32_t a, uint32_t b, bool *added_out);

/* Ends the exclusion; returns whether there was one. */
bool scene_include(graze_scene *scene, uint32_t a, uint32_t b);

/* Ends all exclusions of an object: linear in their number. */
void scene_include_all(graze_scene *scene, uint32_t index);

/* Updates whether an object has exclusions, or may have those of another part of it. Also called when it becomes a
 * part. */
void scene_point_exclusions(graze_scene *scene, uint32_t index);

/* Releases all exclusions, at the end of the scene. */
void scene_release_exclusions(graze_scene *scene);

/* Records that an exclusion of two objects was added or removed. The next query needs an update. */
void scene_note_exclusion(graze_scene *scene, uint32_t a, uint32_t b);

/* Whether queries include pairs of two different objects. Reads the rules of the objects, not the scene's array, which
 * may be older on a device. */
static inline bool scene_includes_pair(const graze_scene *scene, uint32_t a, uint32_t b) {
  const object_rule *p = &scene_objects(scene)[a].rule, *q = &scene_objects(scene)[b].rule;
  if (p->part_of != 0 && p->part_of == q->part_of) return false;
  return (p->category & q->mask) != 0 && (q->category & p->mask) != 0 &&
         !pair_slots_have(scene_excluded(scene),
                          index_pair_in_order(scene_whole_of(scene, a), scene_whole_of(scene, b)));
}

#endif
