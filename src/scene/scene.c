/* A scene's life: definitions, making and ending, its message, its method. */
#include "scene/scene_internal.h"

#include "base/float_environment.h"
#include "base/pair_list.h"
#include "base/simd_choice.h"
#include "scene/backend.h"
#include "scene/definitions.h"
#include "scene/method_options.h"
#include "scene/object_numbers.h"
#include "scene/scene_method.h"
#include "scene/scene_numbers.h"

#include <stdio.h>
#include <string.h>

bool graze_kind_is_solid(graze_kind kind) {
  return kind_is_solid(kind);
}

const char *graze_version(void) {
  return GRAZE_VERSION_TEXT;
}

/* The host's, or the scene's own. */
static graze_result take_workers(graze_scene *scene, const graze_scene_def *def) {
  if (def->workers != NULL) {
    workers_retain(def->workers);
    scene->workers = def->workers;
    return GRAZE_OK;
  }
  const graze_workers_def own = {.worker_count = def->worker_count, .threading = def->threading, .tasks = def->tasks};
  return workers_create(&scene->memory, &own, &scene->workers);
}

/* The scene's own memory is counted with it; it is not the workers', which may end before it is given back. */
static graze_scene *allocate_scene(const graze_allocator *host, workers *workers_or_null) {
  memory first;
  memory_init(&first, host);
  graze_scene *scene = memory_allocate(&first, 1, sizeof *scene);
  if (scene == NULL && workers_give_way(workers_or_null, host)) scene = memory_allocate(&first, 1, sizeof *scene);
  if (scene == NULL) return NULL;
  memset(scene, 0, sizeof *scene);
  scene->host = *host;
  const graze_allocator inner = workers_or_null != NULL ? workers_allocator(workers_or_null, host) : *host;
  memory_init(&scene->memory, &inner);
  atomic_store(&scene->memory.bytes_now, sizeof *scene);
  atomic_store(&scene->memory.bytes_peak, sizeof *scene);
  return scene;
}

/* Guarded for what a backend does when it opens and closes. */
graze_result graze_scene_create(const graze_scene_def *given_or_null, graze_scene **scene_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene_out == NULL) return scene_fail_null("place for the scene");
  *scene_out = NULL;
  graze_scene_def def;
  graze_allocator allocator;
  graze_result result = definition_read(&scene_definition, given_or_null, true, &def);
  if (result == GRAZE_OK) result = memory_read_allocator(def.allocator, &allocator);
  if (result != GRAZE_OK) return result;
  graze_scene *scene = allocate_scene(&allocator, def.workers);
  if (scene == NULL) return fail(GRAZE_OUT_OF_MEMORY, "out of memory: no scene can be made");
  scratch_pool_init(&scene->scratch, &scene->memory);
  turn_lock_init(&scene->turn);
  array_init(&scene->objects, sizeof(scene_object));
  array_init(&scene->slots, sizeof(object_slot));
  array_init(&scene->poses, sizeof(rigid_pose));
  scene->pose_heap = &scene->memory;
  array_init(&scene->by_number, sizeof(numbered_object));
  graze_method_def_init(&scene->method_def, sizeof scene->method_def);
  scene->method_def.name = NULL;
  scene->simd = simd_widest();
  scene->stamps.changed = 1; /* no stamp is as new: nothing is made yet */
  result = take_workers(scene, &def);
  if (result == GRAZE_OK) {
    /* Which worker finds what is a matter of timing: each may begin a chunk in a list of candidates and one of pairs,
     * where candidates are met twice some more, and its own lists of boxes are as long as its tasks need them. */
    scratch_pool_spare(&scene->scratch, 8 * sizeof(pair_chunk) * (workers_count(scene->workers) - 1));
    result = graze_scene_set_backend(scene, def.backend);
  }
  if (result != GRAZE_OK) {
    graze_scene_destroy(scene);
    return result;
  }
  *scene_out = scene;
  return GRAZE_OK;
}

void graze_scene_destroy(graze_scene *scene) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene == NULL) return;
  for (size_t i = 0; i < scene_object_slots(scene); i++) scene_object_release(scene, &scene_objects(scene)[i]);
  array_release(&scene->objects, &scene->memory);
  array_release(&scene->slots, &scene->memory);
  array_release(&scene->poses, scene->pose_heap);
  number_heap_release(&scene->free_slots, &scene->memory);
  array_release(&scene->by_number, &scene->memory);
  scene_release_arrays(scene);
  scene_close_method(scene);
  if (scene->backend != NULL) scene->backend->close(scene, scene->device);
  scene_release_axis_map(scene);
  scratch_pool_release(&scene->scratch);
  workers_destroy(&scene->memory, scene->workers); /* last: what was given back before may be theirs */
  turn_lock_destroy(&scene->turn);
  /* The scene cannot account for itself while it is given back: its last bytes go through an account of their own. */
  memory last;
  memory_init(&last, &scene->host);
  atomic_store(&last.bytes_now, sizeof *scene);
  memory_release(&last, scene, 1, sizeof *scene);
}

void graze_scene_trim(graze_scene *scene) {
  if (scene != NULL) scratch_pool_trim(&scene->scratch);
}

graze_result scene_fail_memory(const graze_scene *scene) {
  return fail(GRAZE_OUT_OF_MEMORY, "out of memory: the scene holds %zu bytes",
              (size_t)atomic_load(&scene->memory.bytes_now));
}

graze_result scene_fail_null(const char *what) {
  return fail(GRAZE_INVALID_ARGUMENT, "the %s is NULL", what);
}

graze_result scene_check_updated(const graze_scene *scene) {
  return scene_is_updated(scene)
             ? GRAZE_OK
             : fail(GRAZE_NOT_UPDATED, "the scene was changed after its last update: call graze_scene_update");
}

void scene_take_turn(const graze_scene *scene) {
  if (scene->device != NULL) turn_lock_take((turn_lock *)(uintptr_t)&scene->turn);
}

void scene_end_turn(const graze_scene *scene) {
  if (scene->device != NULL) turn_lock_leave((turn_lock *)(uintptr_t)&scene->turn);
}

void scene_touch(graze_scene *scene, bool topology) {
  scene->stamps.changed++;
  if (topology) scene->stamps.topology = scene->stamps.changed;
}

void scene_change_object(graze_scene *scene, uint32_t index, object_change change) {
  object_slot *slot = &scene_slots(scene)[index];
  slot->changes |= change;
  slot->device_changes |= change;
  scene->device_news |= change;
  scene_touch(scene, (change & CHANGED_TOPOLOGY) != 0);
}

static graze_result fail_method(const graze_scene *scene, const char *name) {
  char known[256] = "auto";
  for (size_t i = 0; method_at(i) != NULL; i++) {
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, ", %s", method_at(i)->name);
  }
  return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "there is no method \"%.64s\"; there are %s", name, known);
}

/* Queries find the method ready: they may come from several threads. Where it cannot be made ready the old one stays.
 */
static graze_result change_method(graze_scene *scene, const method *chosen, const graze_method_def *def) {
  const method *old_method = scene->method;
  const graze_method_def old_def = scene->method_def;
  const graze_simd old_simd = scene->simd;
  method_state old_state = scene->search_state;
  scene->method = chosen;
  scene->method_def = *def;
  scene->simd = def->simd == GRAZE_SIMD_AUTO ? simd_widest() : def->simd;
  scene->search_state = (method_state){0};
  const graze_result result = scene_is_updated(scene) ? scene->backend->prepare_method(scene) : GRAZE_OK;
  if (result == GRAZE_OK) {
    method_close(&old_state);
    return GRAZE_OK;
  }
  method_close(&scene->search_state); /* ready here, where it is a device that failed */
  scene->method = old_method;
  scene->method_def = old_def;
  scene->simd = old_simd;
  scene->search_state = old_state;
  return result;
}

graze_result graze_scene_set_method(graze_scene *scene, const graze_method_def *given) {
  GUARD_FLOAT_ENVIRONMENT(); /* an updated scene makes the method ready at once */
  if (scene == NULL) return scene_fail_null("scene");
  graze_method_def def;
  graze_result result = definition_read(&method_definition, given, false, &def);
  if (result != GRAZE_OK) return result;
  const bool automatic = def.name == NULL || strcmp(def.name, "auto") == 0;
  const method *chosen = automatic ? NULL : method_named(def.name);
  if (!automatic && chosen == NULL) return fail_method(scene, def.name);
  def.name = NULL;
  result = method_options_check(scene, scene->backend, chosen, &def);
  return result == GRAZE_OK ? change_method(scene, chosen, &def) : result;
}

graze_result scene_set_method_row(graze_scene *scene, const method *row, const graze_method_def *given) {
  graze_method_def def;
  const graze_result result = definition_read(&method_definition, given, false, &def);
  if (result != GRAZE_OK) return result;
  if (scene->device != NULL)
    return scene_fail(scene, GRAZE_UNSUPPORTED, "the method \"%s\" runs on the processor alone", row->name);
  def.name = NULL;
  return change_method(scene, row, &def);
}

void scene_count_memory(const graze_scene *scene, graze_counters *counters) {
  counters->struct_bytes = sizeof *counters;
  counters->scene_bytes = atomic_load(&scene->memory.bytes_now);
  counters->peak_bytes = atomic_load(&scene->memory.bytes_peak);
  counters->device_bytes = scene->backend->bytes(scene);
}

graze_result graze_scene_get_timings(const graze_scene *scene, graze_timings *timings) {
  if (scene == NULL) return scene_fail_null("scene");
  if (timings == NULL) return scene_fail_null("place for the timings");
  if (definition_room(&timings_definition, timings->struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  answer_list_write(&timings_definition, timings, &(graze_timings){.update_ms = scene->update_ms});
  return GRAZE_OK;
}

graze_result graze_scene_get_counters(const graze_scene *scene, graze_counters *counters) {
  if (scene == NULL) return scene_fail_null("scene");
  if (counters == NULL) return scene_fail_null("place for the counters");
  if (definition_room(&counters_definition, counters->struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  graze_counters now = scene_update_counters(scene);
  scene_count_memory(scene, &now);
  answer_list_write(&counters_definition, counters, &now);
  return GRAZE_OK;
}
