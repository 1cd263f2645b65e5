/* The k-free measure of an object of the scene: the scene's backend counts, the caller's struct is filled. */
#include "base/float_environment.h"
#include "scene/cpu_backend.h"
#include "scene/definitions.h"
#include "scene/scene_method.h"
#include "scene/scene_vertices.h"

/* Below this many primitives nothing pays for building a grid. */
enum { CROWDING_BRUTE_PRIMITIVES = 32 };

/* Where the scene's method had no need of rounded vertices, the first to measure makes them. */
static graze_result make_rounded(const graze_scene *scene_in) {
  graze_scene *scene = (graze_scene *)(uintptr_t)scene_in;
  turn_lock_take(&scene->turn);
  const graze_result result = scene_round_up(scene);
  turn_lock_leave(&scene->turn);
  return result;
}

graze_result cpu_measure(const graze_scene *scene, uint32_t index, const crowding_counts *counts,
                         crowding_outcome *outcome_out) {
  const graze_result rounded =
      (scene->search_state.row->traits & METHOD_NEEDS_ROUNDED_VERTICES) != 0 ? GRAZE_OK : make_rounded(scene);
  if (rounded != GRAZE_OK) return rounded;
  const scene_object *object = &scene_objects(scene)[index];
  const size_t count = object->elements.count;
  const method *chosen = scene_method_for(scene, count, CROWDING_BRUTE_PRIMITIVES);
  /* The boxes are larger than the primitives': a method that has its own cannot search by them. */
  if ((chosen->traits & METHOD_NEEDS_BOXES) == 0) chosen = &method_grid;
  const crowding_question question = {.source = scene->sources[index],
                                      .headers = scene->headers + object->first_primitive,
                                      .rounded_vertices = scene->rounded_vertices,
                                      .erased = object->erased.count > 0 ? object->erased.data : NULL,
                                      .count = count,
                                      .scale = scene->normalisation.scale,
                                      .map = scene->mapped ? scene->map : NULL,
                                      .normalisation = &scene->normalisation,
                                      .method = chosen,
                                      .options = {&scene->method_def},
                                      .simd = scene->simd,
                                      .memory = scene_scratch(scene),
                                      .workers = scene->workers};
  return crowding_measure(&question, counts, outcome_out) ? GRAZE_OK : scene_fail_memory(scene);
}

static graze_result measure(const graze_scene *scene, graze_object id, graze_list_memory *list,
                            graze_crowding *fields) {
  if (scene_find_object(scene, id) == NULL) return GRAZE_NO_SUCH_OBJECT;
  graze_result result = scene_check_updated(scene);
  if (result != GRAZE_OK) return result;
  const object_elements *elements = &scene_objects(scene)[id.index].elements;
  const size_t count = elements->count;
  const crowding_counts counts = {answer_list_room(list, BLOCK_K, count, sizeof(uint32_t)),
                                  answer_list_room(list, BLOCK_NEIGHBOURS, count, sizeof(uint32_t)),
                                  answer_list_room(list, BLOCK_DIAMETERS, count, sizeof(double))};
  if (counts.k_of == NULL || counts.neighbours_of == NULL || counts.diameter_of == NULL)
    return scene_fail_memory(scene);
  crowding_outcome outcome;
  scene_take_turn(scene);
  result = scene->backend->measure(scene, id.index, &counts, &outcome);
  scene_end_turn(scene);
  if (result != GRAZE_OK) return result;
  *fields = crowding_sum_up(elements->kind, &counts, count, outcome.levels);
  scene_record(scene, &outcome.timings, &outcome.counters, list);
  fields->timings = &list->timings;
  fields->counters = &list->counters;
  fields->memory = list;
  return GRAZE_OK;
}

graze_result graze_scene_measure_crowding(const graze_scene *scene, graze_object object, graze_crowding *crowding) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return scene_fail_null("scene");
  if (crowding == NULL) return scene_fail_null("measure of k");
  graze_list_memory *list = crowding->memory;
  graze_result result = scene_open_list(scene, &crowding_definition, crowding, &list);
  if (result != GRAZE_OK) return result;
  graze_crowding fields = {.memory = list};
  result = measure(scene, object, list, &fields);
  answer_list_write(&crowding_definition, crowding, &fields);
  return result;
}
