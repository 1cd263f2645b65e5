/* Fields that all lists of callers share; see answer_fields.h. */
#include "api/answer_fields.h"

#include "api/definitions.h"
#include "base/answer_list.h"
#include "scene/scene_failure.h"

#include <string.h>

graze_counters scene_update_counters(const graze_scene *scene) {
  return (graze_counters){.primitives = scene->live_count,
                          .repeated_index = scene->repeated_index,
                          .inverted = scene->inverted_count,
                          .flat = scene->flat_count};
}

void scene_count_memory(const graze_scene *scene, graze_counters *counters) {
  counters->struct_bytes = sizeof *counters;
  counters->scene_bytes = atomic_load(&scene->memory.bytes_now);
  counters->peak_bytes = atomic_load(&scene->memory.bytes_peak);
  counters->device_bytes = scene->backend->bytes(scene);
}

graze_result scene_open_list(const graze_scene *scene, const definition_kind *kind, const void *list,
                             graze_list_memory **opened) {
  size_t struct_bytes;
  if (scene == NULL) return scene_fail_null("scene");
  if (list == NULL) return fail(GRAZE_INVALID_ARGUMENT, "%s is NULL", kind->what);
  memcpy(&struct_bytes, list, sizeof struct_bytes);
  if (definition_capacity(kind, struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  memcpy(opened, (const unsigned char *)list + kind->first_bytes - sizeof *opened, sizeof *opened);
  *opened = answer_list_open(*opened, &scene->host, scene->workers);
  return *opened != NULL ? GRAZE_OK : scene_fail_memory(scene);
}

void scene_record(const graze_scene *scene, const graze_timings *timings, const graze_counters *counters,
                  graze_list_memory *list) {
  const graze_counters update = scene_update_counters(scene);
  list->timings = *timings;
  list->timings.struct_bytes = sizeof list->timings;
  list->timings.update_ms = scene->update_ms;
  list->counters = *counters;
  list->counters.primitives = update.primitives;
  list->counters.repeated_index = update.repeated_index;
  list->counters.inverted = update.inverted;
  list->counters.flat = update.flat;
  scene_count_memory(scene, &list->counters);
}

/* ---------------------------------------------------------------------------------------------- lists are freed */

/* The calls that free lists of callers. */

/* Resets a list to a new one. */
#define FREE_LIST(type, name)                                                                                          \
  void type##_free(type *list) {                                                                                       \
    if (list == NULL) return;                                                                                          \
    answer_list_free(list->memory);                                                                                    \
    answer_list_write(&name##_definition, list, &(type){.struct_bytes = 0});                                           \
  }

FREE_LIST(graze_pairs, pairs)
FREE_LIST(graze_object_pairs, object_pairs)
FREE_LIST(graze_contacts, contacts)
FREE_LIST(graze_distances, distances)
FREE_LIST(graze_wrenches, wrenches)
FREE_LIST(graze_regions, regions)
FREE_LIST(graze_containments, containments)
FREE_LIST(graze_nearest_list, nearests)
FREE_LIST(graze_structure, structure)
FREE_LIST(graze_crowding, crowding)
FREE_LIST(graze_packing, packing)
FREE_LIST(graze_carried, carried)
FREE_LIST(graze_device_pairs, device_pairs)
FREE_LIST(graze_device_contacts, device_contacts)
