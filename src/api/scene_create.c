/* Creation and destruction of a scene, its definition, message and method. */
#include "api/answer_fields.h"
#include "api/definitions.h"
#include "backend/backend.h"
#include "base/float_environment.h"
#include "base/pair_list.h"
#include "base/simd_choice.h"
#include "broad/clusters_learning.h"
#include "scene/object_exclusions.h"
#include "scene/object_lookup.h"
#include "scene/object_numbers.h"
#include "scene/scene_data.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

#include <stdio.h>
#include <string.h>

bool graze_kind_is_solid(graze_kind kind) {
  return kind_is_solid(kind);
}

const char *graze_version(void) {
  return GRAZE_VERSION_TEXT;
}

/* The workers of the host, or of the scene. */
static graze_result take_workers(graze_scene *scene, const graze_scene_def *def) {
  if (def->workers != NULL) {
    workers_retain(def->workers);
    scene->workers = def->workers;
    return GRAZE_OK;
  }
  const graze_workers_def own = {.worker_count = def->worker_count, .threading = def->threading, .tasks = def->tasks};
  return workers_create(&scene->memory, &own, &scene->workers);
}

/* The memory of the scene struct is counted with the scene. It does not belong to the workers, which may end before it
 * is released. */
static graze_scene *allocate_scene(const graze_allocator *host, workers *workers_or_null) {
  memory first;
  memory_init(&first, host);
  graze_scene *scene = memory_allocate(&first, 1, sizeof *scene);
  if (scene == NULL && workers_release_cache(workers_or_null, host)) scene = memory_allocate(&first, 1, sizeof *scene);
  if (scene == NULL) return NULL;
  memset(scene, 0, sizeof *scene);
  scene->host = *host;
  const graze_allocator inner = workers_or_null != NULL ? workers_allocator(workers_or_null, host) : *host;
  memory_init(&scene->memory, &inner);
  atomic_store(&scene->memory.bytes_now, sizeof *scene);
  atomic_store(&scene->memory.bytes_peak, sizeof *scene);
  return scene;
}

/* Each scene of the process has its own range of stamps; their order among scenes does not matter. */
static uint64_t first_stamp(void) {
  static _Atomic(uint64_t) scene_count;
  return (atomic_fetch_add_explicit(&scene_count, 1, memory_order_relaxed) << 40) + 1;
}

/* The float environment is guarded for backends, when they open and close. */
graze_result graze_scene_create(const graze_scene_def *given_or_null, graze_scene **scene_out) {
  GUARD_FLOAT_ENVIRONMENT();
  if (scene_out == NULL) return scene_fail_null("output for the scene");
  *scene_out = NULL;
  graze_scene_def def;
  graze_allocator allocator;
  graze_result result = definition_read(&scene_definition, given_or_null, true, &def);
  if (result == GRAZE_OK) result = memory_read_allocator(def.allocator, &allocator);
  if (result != GRAZE_OK) return result;
  graze_scene *scene = allocate_scene(&allocator, def.workers);
  if (scene == NULL) return fail(GRAZE_OUT_OF_MEMORY, "out of memory: cannot create a scene");
  scratch_pool_init(&scene->scratch, &scene->memory);
  call_lock_init(&scene->device_lock);
  array_init(&scene->objects, sizeof(scene_object));
  array_init(&scene->slots, sizeof(object_slot));
  array_init(&scene->poses, sizeof(rigid_pose));
  scene->pose_heap = &scene->memory;
  scene->create_scene = graze_scene_create;
  scene->destroy_scene = graze_scene_destroy;
  array_init(&scene->by_number, sizeof(numbered_object));
  array_init(&scene->excluded.partners, sizeof(object_partners));
  primitive_ranks_init(&scene->ranked);
  array_init(&scene->parts.vertices, sizeof(part_vertices));
  graze_method_def_init(&scene->method_def, sizeof scene->method_def);
  scene->method_def.name = NULL;
  scene->simd = simd_widest();
  scene->stamps.changed = first_stamp(); /* newer than all other stamps: nothing is computed yet */
  result = take_workers(scene, &def);
  if (result == GRAZE_OK) {
    /* The distribution of work over workers depends on timing. Each worker may begin a chunk in the list of candidates
     * and in that of pairs, and some more if candidates are found twice; its lists of boxes grow with its tasks. */
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
  scene_release_exclusions(scene);
  primitive_ranks_release(&scene->ranked, &scene->memory);
  scene_release_parts(scene);
  scene_release_arrays(scene);
  if (scene->backend != NULL) scene->backend->close(scene, scene->backend_state);
  scratch_pool_release(&scene->scratch);
  workers_destroy(&scene->memory, scene->workers); /* last: memory released before may belong to them */
  call_lock_destroy(&scene->device_lock);
  /* The scene cannot account for its own release: its last bytes go through a separate account. */
  memory last;
  memory_init(&last, &scene->host);
  atomic_store(&last.bytes_now, sizeof *scene);
  memory_release(&last, scene, 1, sizeof *scene);
}

void graze_scene_trim(graze_scene *scene) {
  if (scene != NULL) scratch_pool_trim(&scene->scratch);
}

graze_result graze_scene_get_timings(const graze_scene *scene, graze_timings *timings) {
  if (scene == NULL) return scene_fail_null("scene");
  if (timings == NULL) return scene_fail_null("output for the timings");
  if (definition_capacity(&timings_definition, timings->struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  definition_answer(&timings_definition, timings, &(graze_timings){.update_ms = scene->update_ms});
  return GRAZE_OK;
}

graze_result graze_scene_get_counters(const graze_scene *scene, graze_counters *counters) {
  if (scene == NULL) return scene_fail_null("scene");
  if (counters == NULL) return scene_fail_null("output for the counters");
  if (definition_capacity(&counters_definition, counters->struct_bytes) == 0) return GRAZE_INVALID_ARGUMENT;
  graze_counters now = scene_update_counters(scene);
  scene_count_memory(scene, &now);
  definition_answer(&counters_definition, counters, &now);
  return GRAZE_OK;
}
