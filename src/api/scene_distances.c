/* The public call for distances, which the workers measure on the host. */
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "backend/backend.h"
#include "base/float_environment.h"
#include "base/timer.h"
#include "narrow/primitive_nearest.h"
#include "scene/object_numbers.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

enum { DISTANCE_GRAIN = 256 };

typedef struct distance_work {
  const graze_scene *scene;
  const graze_pair *pairs;
  graze_distance *distances;
  _Atomic(size_t) first_bad; /* lowest invalid pair; a minimum, so the order does not matter */
} distance_work;

static void refuse(distance_work *work, size_t pair) {
  size_t seen = atomic_load(&work->first_bad);
  while (pair < seen && !atomic_compare_exchange_weak(&work->first_bad, &seen, pair)) {
  }
}

/* The current source of an object: on a device the scene's sources lack the last poses. */
typedef struct recent_source {
  uint32_t slot; /* UINT32_MAX: none yet */
  object_source source;
} recent_source;

/* Finds the primitive, and its object's source if that is not the one of the last pair. */
static bool find_primitive(const graze_scene *scene, uint32_t object, uint32_t primitive, recent_source *recent,
                           uint32_t *number_out) {
  uint32_t slot, own;
  if (!scene_find_numbers(scene, object, primitive, &slot, &own)) return false;
  if (slot != recent->slot) *recent = (recent_source){slot, scene_source_of(scene, slot)};
  *number_out = recent->source.first_primitive + own;
  return true;
}

static void distance_range(void *context, size_t first, size_t end, uint32_t worker) {
  distance_work *work = context;
  const graze_scene *scene = work->scene;
  recent_source a = {.slot = UINT32_MAX}, b = {.slot = UINT32_MAX};
  (void)worker;
  for (size_t i = first; i < end; i++) {
    const graze_pair pair = work->pairs[i];
    index_pair numbers;
    work->distances[i] = (graze_distance){.pair = pair};
    if (find_primitive(scene, pair.object_a, pair.primitive_a, &a, &numbers.a) &&
        find_primitive(scene, pair.object_b, pair.primitive_b, &b, &numbers.b))
      pair_distance(&a.source, &b.source, numbers, &work->distances[i]);
    else
      refuse(work, i);
  }
}

static size_t nearest_of(const graze_distance *distances, size_t count) {
  size_t nearest = 0;
  for (size_t i = 1; i < count; i++)
    if (distances[i].distance < distances[nearest].distance) nearest = i;
  return nearest;
}

static graze_result measure_pairs(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                  graze_list_memory *list, graze_distances *fields) {
  const double begin = timer_now_ms();
  distance_work work = {scene, pairs, answer_list_reserve(list, BLOCK_CONTACTS, count, sizeof(graze_distance)),
                        SIZE_MAX};
  if (work.distances == NULL) return scene_fail_memory(scene);
  workers_for(scene->workers, count, DISTANCE_GRAIN, distance_range, &work);
  const size_t bad = atomic_load(&work.first_bad);
  if (bad < count)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                      "pair %zu (object %u primitive %u, object %u primitive %u) is not in the scene", bad,
                      pairs[bad].object_a, pairs[bad].primitive_a, pairs[bad].object_b, pairs[bad].primitive_b);
  list->timings = (graze_timings){
      .struct_bytes = sizeof(graze_timings), .update_ms = scene->update_ms, .contacts_ms = timer_now_ms() - begin};
  fields->distances = work.distances;
  fields->count = count;
  fields->nearest = nearest_of(work.distances, count);
  fields->timings = &list->timings;
  return GRAZE_OK;
}

graze_result graze_scene_make_distances(const graze_scene *scene, const graze_pair *pairs, size_t count,
                                        graze_distances *distances) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_list_memory *list = NULL;
  graze_result result = scene_open_list(scene, &distances_definition, distances, &list);
  if (result != GRAZE_OK) return result;
  graze_distances fields = {.memory = list};
  if (count > 0 && pairs == NULL)
    result = scene_fail(scene, GRAZE_INVALID_ARGUMENT, "the list of %zu pairs is NULL", count);
  if (result == GRAZE_OK) result = scene_check_updated(scene);
  if (result == GRAZE_OK) result = scene_check_kinds(scene, SUPPORTS_DISTANCES);
  if (result == GRAZE_OK) result = scene_check_on_host(scene);
  if (result == GRAZE_OK) result = measure_pairs(scene, pairs, count, list, &fields);
  answer_list_write(&distances_definition, distances, &fields);
  return result;
}

graze_result graze_scene_find_distances(const graze_scene *scene, const graze_query *query,
                                        graze_distances *distances) {
  GUARD_FLOAT_ENVIRONMENT();
  graze_list_memory *list = NULL;
  graze_result result = scene_open_list(scene, &distances_definition, distances, &list);
  if (result != GRAZE_OK) return result;
  const graze_distances fields = {.memory = list};
  answer_list_write(&distances_definition, distances, &fields);
  /* the pairs go into the unused block of the list, so that similar frames allocate nothing */
  graze_pairs pairs = {.memory = list};
  result = graze_scene_find_pairs(scene, query, &pairs);
  if (result != GRAZE_OK) return result;
  graze_timings timings = list->timings;
  result = graze_scene_make_distances(scene, pairs.pairs, pairs.count, distances);
  timings.contacts_ms = list->timings.contacts_ms;
  list->timings = timings;
  return result;
}
