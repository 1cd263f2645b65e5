/* Objects that are parts of one; see object_parts.h.
 *
 * Workload: none, or all objects of a scene that holds slabs or shares of a larger one. Linear in the objects, and in
 * the exclusions if those have changed. */
#include "scene/object_parts.h"

#include "scene/object_exclusions.h"
#include "scene/object_numbers.h"

void scene_release_parts(graze_scene *scene) {
  array_release(&scene->parts.vertices, &scene->memory);
  pair_set_release(&scene->parts.excluded, &scene->memory);
  scene->parts.excluded_version = 0;
}

/* Whether two consecutive rows of scene->by_number are parts of one object. Objects without primitives are not
 * parts. */
static bool are_parts_of_one(const graze_scene *scene, const numbered_object *before, const numbered_object *after) {
  if (before->count == 0 || after->count == 0 || before->object != after->object) return false;
  return scene_objects(scene)[before->slot].numbers.given && scene_objects(scene)[after->slot].numbers.given;
}

static graze_result fail_different(graze_scene *scene, const numbered_object *before, const numbered_object *after,
                                   const char *what) {
  const scene_object *objects = scene_objects(scene);
  return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s and %s are parts of global object %u, but differ in their %s",
                    scene_label(before->slot, objects[before->slot].name).text,
                    scene_label(after->slot, objects[after->slot].name).text, before->object, what);
}

/* Objects are ordered by their global numbers; one without a global number may be in between. */
static const numbered_object *next_part(const graze_scene *scene, size_t *i) {
  const numbered_object *rows = scene->by_number.data;
  while (*i < scene->by_number.count && (rows[*i].count == 0 || !scene_objects(scene)[rows[*i].slot].numbers.given))
    (*i)++;
  return *i < scene->by_number.count ? &rows[(*i)++] : NULL;
}

static graze_result mark_parts(graze_scene *scene, bool *some_out) {
  scene_object *objects = scene_objects(scene);
  size_t i = 0;
  const numbered_object *before = next_part(scene, &i);
  *some_out = false;
  for (const numbered_object *row; before != NULL && (row = next_part(scene, &i)) != NULL; before = row) {
    if (!are_parts_of_one(scene, before, row)) continue;
    scene_object *first = &objects[before->slot], *second = &objects[row->slot];
    if (first->elements.kind != second->elements.kind) return fail_different(scene, before, row, "kinds");
    if (first->rule.part_of == 0) first->rule.part_of = before->slot + 1;
    second->rule.part_of = first->rule.part_of;
    scene_point_exclusions(scene, before->slot);
    scene_point_exclusions(scene, row->slot);
    *some_out = true;
  }
  return GRAZE_OK;
}

static graze_result list_vertices(graze_scene *scene) {
  if (!array_resize(&scene->parts.vertices, &scene->memory, scene_object_slots(scene))) return scene_fail_memory(scene);
  for (size_t i = 0; i < scene_object_slots(scene); i++) {
    const object_numbers *numbers = &scene_objects(scene)[i].numbers;
    ARRAY_AS(part_vertices, &scene->parts.vertices)[i] = (part_vertices){numbers->vertices.data, numbers->vertex};
  }
  return GRAZE_OK;
}

/* Clears the parts. */
static void unmark_parts(graze_scene *scene) {
  for (size_t i = 0; i < scene_object_slots(scene); i++) {
    object_rule *rule = &scene_objects(scene)[i].rule;
    if (rule->part_of == 0) continue;
    rule->part_of = 0;
    scene_point_exclusions(scene, (uint32_t)i);
  }
}

graze_result scene_find_parts(graze_scene *scene) {
  /* The object that represents a whole may have changed, so modules with exclusions by these objects must fetch them
   * again. */
  if (scene_has_parts(scene)) scene->excluded.version++;
  scene_release_parts(scene);
  unmark_parts(scene);
  bool some = false;
  graze_result result = mark_parts(scene, &some);
  if (result == GRAZE_OK && some) result = list_vertices(scene);
  if (result == GRAZE_OK && some) scene->excluded.version++;
  return result;
}

/* ---------------------------------------------------------------------------------------------- every update */

static graze_result check_filters(graze_scene *scene) {
  size_t i = 0;
  const numbered_object *before = next_part(scene, &i);
  for (const numbered_object *row; before != NULL && (row = next_part(scene, &i)) != NULL; before = row) {
    if (!are_parts_of_one(scene, before, row)) continue;
    const object_rule *a = &scene_objects(scene)[before->slot].rule, *b = &scene_objects(scene)[row->slot].rule;
    if (a->category != b->category || a->mask != b->mask) return fail_different(scene, before, row, "filters");
    if (a->self != b->self) return fail_different(scene, before, row, "flags `self`");
  }
  return GRAZE_OK;
}

/* Collects the exclusions by the objects that represent all their parts. */
static graze_result name_exclusions(graze_scene *scene) {
  const pair_slots given = pair_set_slots(&scene->excluded.pairs);
  scene_parts *parts = &scene->parts;
  pair_set_release(&parts->excluded, &scene->memory);
  parts->excluded_version = 0;
  for (uint64_t i = 0; i < given.count; i++) {
    if (given.keys[i] == 0) continue;
    const index_pair pair = pair_slots_pair(given.keys[i]);
    const uint32_t a = scene_whole_of(scene, pair.a), b = scene_whole_of(scene, pair.b);
    if (!pair_set_add(&parts->excluded, &scene->memory, index_pair_in_order(a, b))) return scene_fail_memory(scene);
  }
  parts->excluded_version = scene->excluded.version;
  return GRAZE_OK;
}

graze_result scene_check_parts(graze_scene *scene) {
  const graze_result result = check_filters(scene);
  if (result != GRAZE_OK || scene->parts.excluded_version == scene->excluded.version) return result;
  return name_exclusions(scene);
}
