/* Exclusions; see object_exclusions.h.
 *
 * A hash set contains the pairs, and is all that queries read. Each object also has a list of its partners, so that its
 * removal does not scan the whole set; the first exclusion creates the lists. An exclusion that ends stays in both
 * lists, because finding it there would take linear time: a list may contain stale and repeated partners. A list full
 * of them is cleaned before it grows.
 *
 * Workload: none, or up to some 10^7, created once; some are added and removed with their objects. Constant time each,
 * on average. */
#include "scene/object_exclusions.h"

#include "scene/scene_change.h"

/* Lists shorter than this are not worth cleaning. */
enum { STALE_LEAST = 8 };

/* The list of an object that has had exclusions. */
static object_partners *partners_of(const graze_scene *scene, uint32_t index) {
  return ARRAY_AS(object_partners, &scene->excluded.partners) + index;
}

/* Creates an empty list for every object without one. */
static bool make_lists(graze_scene *scene) {
  array *lists = &scene->excluded.partners;
  const size_t before = lists->count;
  if (before >= scene_object_slots(scene)) return true;
  if (!array_resize(lists, &scene->memory, scene_object_slots(scene))) return false;
  for (size_t i = before; i < lists->count; i++) {
    object_partners *partners = partners_of(scene, (uint32_t)i);
    array_init(&partners->slots, sizeof(uint32_t));
    partners->count = 0;
  }
  return true;
}

/* Removes stale partners. */
static void clean_partners(graze_scene *scene, uint32_t index) {
  array *partners = &partners_of(scene, index)->slots;
  uint32_t *slots = partners->data;
  size_t kept = 0;
  for (size_t i = 0; i < partners->count; i++)
    if (pair_set_has(&scene->excluded.pairs, index_pair_in_order(index, slots[i]))) slots[kept++] = slots[i];
  partners->count = kept;
}

static bool add_partner(graze_scene *scene, uint32_t index, uint32_t partner) {
  object_partners *partners = partners_of(scene, index);
  const array *slots = &partners->slots;
  if (slots->count == slots->capacity && slots->count >= STALE_LEAST + 2 * (size_t)partners->count)
    clean_partners(scene, index);
  return array_push(&partners->slots, &scene->memory, &partner);
}

void scene_point_exclusions(graze_scene *scene, uint32_t index) {
  object_rule *rule = &scene_objects(scene)[index].rule;
  const bool has_partners = index < scene->excluded.partners.count && partners_of(scene, index)->count > 0;
  rule->excludes = has_partners || rule->part_of != 0;
}

static void count_partner(graze_scene *scene, uint32_t index, bool more) {
  object_partners *partners = partners_of(scene, index);
  partners->count = more ? partners->count + 1 : partners->count - 1;
  scene_point_exclusions(scene, index);
  if (partners->count == 0) partners->slots.count = 0;
}

bool scene_exclude(graze_scene *scene, uint32_t a, uint32_t b, bool *added_out) {
  pair_set *pairs = &scene->excluded.pairs;
  const index_pair pair = index_pair_in_order(a, b);
  *added_out = !pair_set_has(pairs, pair);
  if (!*added_out) return true;
  /* a partner added without success is stale */
  if (!make_lists(scene) || !add_partner(scene, a, b) || !add_partner(scene, b, a) ||
      !pair_set_add(pairs, &scene->memory, pair))
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
  if (index >= scene->excluded.partners.count) return;
  array *slots = &partners_of(scene, index)->slots;
  for (size_t i = 0; i < slots->count; i++) {
    const uint32_t partner = ARRAY_AS(uint32_t, slots)[i];
    if (scene_include(scene, index, partner)) scene_note_exclusion(scene, index, partner);
  }
  array_release(slots, &scene->memory);
}

void scene_release_exclusions(graze_scene *scene) {
  for (size_t i = 0; i < scene->excluded.partners.count; i++)
    array_release(&partners_of(scene, (uint32_t)i)->slots, &scene->memory);
  array_release(&scene->excluded.partners, &scene->memory);
  pair_set_release(&scene->excluded.pairs, &scene->memory);
}

void scene_note_exclusion(graze_scene *scene, uint32_t a, uint32_t b) {
  scene->excluded.version++;
  scene_change_object(scene, a, CHANGED_FILTER);
  scene_change_object(scene, b, CHANGED_FILTER);
}
