/* The public calls about exclusions: object pairs that no query lists. Every call succeeds completely or changes
 * nothing.
 *
 * Workload: a few for each joint of a robot, or some 10^6 in one call. */
#include "scene/object_exclusions.h"
#include "scene/object_lookup.h"
#include "scene/scene_failure.h"

#include <stdio.h>

/* The position of an exclusion in messages about several. */
typedef struct exclusion_place {
  char text[40];
} exclusion_place;

static exclusion_place place_of(size_t number, size_t count) {
  exclusion_place place = {""};
  if (count > 1) snprintf(place.text, sizeof place.text, "exclusion %zu: ", number);
  return place;
}

static graze_result fail_object(const graze_scene *scene, size_t number, size_t count, graze_object id) {
  if (count == 1) {
    (void)scene_find_object(scene, id); /* writes the message */
    return GRAZE_NO_SUCH_OBJECT;
  }
  return scene_fail(scene, GRAZE_NO_SUCH_OBJECT, "exclusion %zu: object %u of generation %u is not in the scene",
                    number, id.index, id.generation);
}

static bool have_one_number(const scene_object *a, const scene_object *b) {
  return a->numbers.given && b->numbers.given && a->numbers.object == b->numbers.object;
}

static graze_result check_exclusions(const graze_scene *scene, const graze_id_pair *pairs, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const scene_object *a = scene_peek_object(scene, pairs[i].a), *b = scene_peek_object(scene, pairs[i].b);
    if (a != NULL && b != NULL && a != b && !have_one_number(a, b)) continue;
    if (a == NULL || b == NULL) return fail_object(scene, i, count, a == NULL ? pairs[i].a : pairs[i].b);
    if (a != b)
      return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                        "%s%s and %s are parts of global object %u, which cannot be excluded from itself",
                        place_of(i, count).text, scene_label(pairs[i].a.index, a->name).text,
                        scene_label(pairs[i].b.index, b->name).text, a->numbers.object);
    return scene_fail(
        scene, GRAZE_INVALID_ARGUMENT,
        "%s%s cannot be excluded from itself; to disable pairs within an object, set its flag `self` to false",
        place_of(i, count).text, scene_label(pairs[i].a.index, a->name).text);
  }
  return GRAZE_OK;
}

/* Reserves memory for all new exclusions, so that the set grows once. */
static bool reserve_exclusions(graze_scene *scene, const graze_id_pair *pairs, size_t count) {
  pair_set *set = &scene->excluded.pairs;
  size_t missing = 0;
  for (size_t i = 0; i < count; i++)
    missing += pair_set_has(set, index_pair_in_order(pairs[i].a.index, pairs[i].b.index)) ? 0u : 1u;
  return missing == 0 || pair_set_reserve(set, &scene->memory, missing);
}

/* Applies the exclusions and records in `changed` which of them differ. When out of memory, it reverts them. */
static graze_result exclude_all(graze_scene *scene, const graze_id_pair *pairs, size_t count, bool *changed) {
  bool ready = reserve_exclusions(scene, pairs, count);
  size_t done = 0;
  for (; done < count && ready; done += ready ? 1u : 0u)
    ready = scene_exclude(scene, pairs[done].a.index, pairs[done].b.index, &changed[done]);
  if (ready) return GRAZE_OK;
  for (size_t i = 0; i < done; i++)
    if (changed[i]) scene_include(scene, pairs[i].a.index, pairs[i].b.index);
  return scene_fail_memory(scene);
}

static graze_result set_exclusions(graze_scene *scene, const graze_id_pair *pairs, size_t count, bool excluded,
                                   bool *changed) {
  if (excluded) {
    const graze_result result = exclude_all(scene, pairs, count, changed);
    if (result != GRAZE_OK) return result;
  } else {
    for (size_t i = 0; i < count; i++) changed[i] = scene_include(scene, pairs[i].a.index, pairs[i].b.index);
  }
  for (size_t i = 0; i < count; i++)
    if (changed[i]) scene_note_exclusion(scene, pairs[i].a.index, pairs[i].b.index);
  return GRAZE_OK;
}

graze_result graze_scene_exclude(graze_scene *scene, graze_object a, graze_object b, bool excluded) {
  if (scene == NULL) return scene_fail_null("scene");
  const graze_id_pair pair = {a, b};
  bool changed;
  const graze_result result = check_exclusions(scene, &pair, 1);
  return result == GRAZE_OK ? set_exclusions(scene, &pair, 1, excluded, &changed) : result;
}

graze_result graze_scene_exclude_pairs(graze_scene *scene, const graze_id_pair *pairs, size_t count, bool excluded) {
  if (scene == NULL) return scene_fail_null("scene");
  if (count == 0) return GRAZE_OK;
  if (pairs == NULL) return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu exclusions is NULL", count);
  graze_result result = check_exclusions(scene, pairs, count);
  if (result != GRAZE_OK) return result;
  bool *changed = memory_allocate(&scene->scratch.heap, count, sizeof *changed);
  if (changed == NULL) return scene_fail_memory(scene);
  result = set_exclusions(scene, pairs, count, excluded, changed);
  memory_release(&scene->scratch.heap, changed, count, sizeof *changed);
  return result;
}

bool graze_scene_is_excluded(const graze_scene *scene, graze_object a, graze_object b) {
  if (scene == NULL || scene_peek_object(scene, a) == NULL || scene_peek_object(scene, b) == NULL) return false;
  return pair_set_has(&scene->excluded.pairs, index_pair_in_order(a.index, b.index));
}

size_t graze_scene_exclusion_count(const graze_scene *scene) {
  return scene != NULL ? scene->excluded.pairs.count : 0;
}
