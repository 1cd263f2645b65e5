/* Exclusions; see object_exclusions.h.
 *
 * A hash set has the pairs, and is all that queries read. Each object has a list of its partners beside it, so that its
 * removal does not look through the whole set. An exclusion that ends stays in the two lists, as looking for it there
 * would be linear: a list may hold partners that are stale, and partners twice. One that is full of them is cleaned
 * before it grows.
 *
 * Workload: none, or up to some 10^7, made once; some come and go with their objects. Constant time each, on average.
 */
#include "scene/object_exclusions.h"

#include "scene/scene_change.h"

/* Lists shorter than this are not worth cleaning. */
enum { STALE_LEAST = 8 };

/* Keeps no stale partner. */
static void clean_partners(graze_scene *scene, uint32_t index) {
  array *partners = &scene_objects(scene)[index].partners;
  uint32_t *slots = partners->data;
  size_t kept = 0;
  for (size_t i = 0; i < partners->count; i++)
    if (pair_set_has(&scene->excluded.pairs, index_pair_in_order(index, slots[i]))) slots[kept++] = slots[i];
  partners->count = kept;
}

static bool add_partner(graze_scene *scene, uint32_t index, uint32_t partner) {
  scene_object *object = &scene_objects(scene)[index];
  const array *partners = &object->partners;
  if (partners->count == partners->capacity && partners->count >= STALE_LEAST + 2 * (size_t)object->excluded_count)
    clean_partners(scene, index);
  return array_push(&object->partners, &scene->memory, &partner);
}

static void count_partner(graze_scene *scene, uint32_t index, bool more) {
  scene_object *object = &scene_objects(scene)[index];
  object->excluded_count = more ? object->excluded_count + 1 : object->excluded_count - 1;
  object->rule.excludes = object->excluded_count > 0;
  if (object->excluded_count == 0) object->partners.count = 0;
}

bool scene_exclude(graze_scene *scene, uint32_t a, uint32_t b, bool *added_out) {
  pair_set *pairs = &scene->excluded.pairs;
  const index_pair pair = index_pair_in_order(a, b);
  *added_out = !pair_set_has(pairs, pair);
  if (!*added_out) return true;
  /* A partner that is added in vain is stale. */
  if (!add_partner(scene, a, b) || !add_partner(scene, b, a) || !pair_set_add(pairs, &scene->memory, pair))
    return false;
  count_partner(scene, a, true);
  count_partner(scene, b, true);
  return true;
}

bool scene_include(graze_scene *scene, uint32_t a, uint32_t b) {
  pair_set *pairs = &scene->excluded.pairs;
  if (!pair_set_remove(pairs, index_pair_in_order(a, b))) return false;
  if (pairs->count == 0) pair_set_release(pairs, &scene->memory);
  count_partner(scene, a, false);
  count_partner(scene, b, false);
  return true;
}

void scene_include_all(graze_scene *scene, uint32_t index) {
  const scene_object *object = &scene_objects(scene)[index];
  const uint32_t *partners = object->partners.data;
  for (size_t i = 0; i < object->partners.count; i++) {
    const uint32_t partner = partners[i];
    if (scene_include(scene, index, partner)) scene_note_exclusion(scene, index, partner);
  }
}

void scene_note_exclusion(graze_scene *scene, uint32_t a, uint32_t b) {
  scene->excluded.version++;
  scene_change_object(scene, a, CHANGED_FILTER);
  scene_change_object(scene, b, CHANGED_FILTER);
}
