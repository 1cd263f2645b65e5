/* A scene's life: definitions, making and ending, its message, its method. */
#include "scene/scene_internal.h"

#include "base/pair_list.h"
#include "base/simd_choice.h"
#include "scene/scene_device.h"
#include "scene/scene_method.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *graze_result_text(graze_result result) {
  switch (result) {
#define RESULT_CASE(name, value, words)                                                                                \
  case GRAZE_##name:                                                                                                   \
    return words;
    GRAZE_RESULT_LIST(RESULT_CASE)
#undef RESULT_CASE
  }
  return "unknown result";
}

const char *graze_kind_text(graze_kind kind, size_t count) {
  switch (kind) {
#define KIND_CASE(name, value, one, many)                                                                              \
  case GRAZE_KIND_##name:                                                                                              \
    return count == 1 ? one : many;
    GRAZE_KIND_LIST(KIND_CASE)
#undef KIND_CASE
  }
  return "unknown kind";
}

bool graze_kind_is_solid(graze_kind kind) {
  return kind_is_solid(kind);
}

const char *graze_version(void) {
  return GRAZE_VERSION_TEXT;
}

graze_scene_def graze_scene_def_default(void) {
  return (graze_scene_def){.struct_bytes = sizeof(graze_scene_def), .backend = GRAZE_BACKEND_CPU};
}

graze_mesh_def graze_mesh_def_default(void) {
  return (graze_mesh_def){.struct_bytes = sizeof(graze_mesh_def), .category = 1, .mask = ~UINT64_C(0), .self = true};
}

graze_query graze_query_default(void) {
  return (graze_query){.struct_bytes = sizeof(graze_query), .scope = GRAZE_BOTH};
}

graze_method_def graze_method_def_default(void) {
  return (graze_method_def){.struct_bytes = sizeof(graze_method_def), .name = "auto"};
}

size_t graze_method_count(void) {
  size_t count = 0;
  while (method_at(count) != NULL) count++;
  return count;
}

const char *graze_method_name(size_t index) {
  const method *m = method_at(index);
  return m != NULL ? m->name : NULL;
}

const char *graze_method_description(size_t index) {
  const method *m = method_at(index);
  return m != NULL ? m->description : NULL;
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

graze_result graze_scene_create(const graze_scene_def *def_or_null, graze_scene **scene_out) {
  if (scene_out == NULL) return GRAZE_INVALID_ARGUMENT;
  *scene_out = NULL;
  graze_scene_def def = graze_scene_def_default();
  if (def_or_null != NULL) {
    if (def_or_null->struct_bytes == 0) return GRAZE_INVALID_ARGUMENT;
    SCENE_READ_DEF(def, def_or_null);
  }
  if (def.backend != GRAZE_BACKEND_CPU && def.backend != GRAZE_BACKEND_CUDA) return GRAZE_INVALID_ARGUMENT;
  const graze_allocator *allocator = def.allocator;
  if (allocator != NULL && (allocator->allocate == NULL || allocator->release == NULL)) return GRAZE_INVALID_ARGUMENT;
  memory first;
  memory_init(&first, allocator);
  graze_scene *scene = memory_allocate(&first, 1, sizeof *scene);
  if (scene == NULL) return GRAZE_OUT_OF_MEMORY;
  memset(scene, 0, sizeof *scene);
  memory_init(&scene->memory, allocator);
  atomic_store(&scene->memory.bytes_now, sizeof *scene);
  atomic_store(&scene->memory.bytes_peak, sizeof *scene);
  scratch_pool_init(&scene->scratch, &scene->memory);
  array_init(&scene->objects, sizeof(scene_object));
  array_init(&scene->contacts, sizeof(graze_contact));
  array_init(&scene->contact_points, 3 * sizeof(double));
  array_init(&scene->wrenches, sizeof(graze_wrench));
  scene->simd = simd_widest();
  graze_result result = take_workers(scene, &def);
  if (result == GRAZE_OK) {
    /* Which worker finds what is a matter of timing: each may begin a chunk in a list of candidates and one of pairs.
     */
    scratch_pool_spare(&scene->scratch, 2 * sizeof(pair_chunk) * (workers_count(scene->workers) - 1));
    result = graze_scene_set_backend(scene, def.backend, def.device);
  }
  if (result != GRAZE_OK) {
    graze_scene_destroy(scene);
    return result;
  }
  *scene_out = scene;
  return GRAZE_OK;
}

static void release_view(graze_scene *scene) {
  memory *heap = &scene->memory;
  memory_release(heap, scene->headers, scene->primitive_count, sizeof *scene->headers);
  memory_release(heap, scene->rounded_vertices, scene->vertex_count, sizeof *scene->rounded_vertices);
  memory_release(heap, scene->sources, scene->object_count, sizeof *scene->sources);
  memory_release(heap, scene->rules, scene->object_count, sizeof *scene->rules);
  memory_release(heap, scene->object_boxes, scene->object_count, sizeof *scene->object_boxes);
}

void graze_scene_destroy(graze_scene *scene) {
  if (scene == NULL) return;
  for (size_t i = 0; i < scene_object_slots(scene); i++) scene_object_release(scene, &scene_objects(scene)[i]);
  array_release(&scene->objects, &scene->memory);
  release_view(scene);
  scene_close_method(scene);
  scene_device_close(scene, scene->device);
  memory_release(&scene->scratch.heap, scene->pairs, scene->pair_capacity, sizeof *scene->pairs);
  array_release(&scene->contacts, &scene->memory);
  array_release(&scene->contact_points, &scene->memory);
  array_release(&scene->wrenches, &scene->memory);
  scene_release_crowding(scene);
  scene_release_axis_map(scene);
  workers_destroy(&scene->memory, scene->workers);
  scratch_pool_release(&scene->scratch);
  /* The scene cannot account for itself while it is given back: its last bytes go through an account of their own. */
  const graze_allocator allocator = scene->memory.allocator;
  memory last;
  memory_init(&last, &allocator);
  atomic_store(&last.bytes_now, sizeof *scene);
  memory_release(&last, scene, 1, sizeof *scene);
}

void graze_scene_trim(graze_scene *scene) {
  if (scene == NULL) return;
  memory_release(&scene->scratch.heap, scene->pairs, scene->pair_capacity, sizeof *scene->pairs);
  scene->pairs = NULL;
  scene->pair_capacity = scene->pair_count = 0;
  array_release(&scene->contacts, &scene->memory);
  array_release(&scene->contact_points, &scene->memory);
  array_release(&scene->wrenches, &scene->memory);
  scene_release_crowding(scene);
  scratch_pool_trim(&scene->scratch);
}

graze_result scene_fail(graze_scene *scene, graze_result result, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(scene->error, sizeof scene->error, format, arguments);
  va_end(arguments);
  return result;
}

graze_result scene_fail_memory(graze_scene *scene) {
  return scene_fail(scene, GRAZE_OUT_OF_MEMORY, "out of memory: the scene holds %zu bytes",
                    (size_t)atomic_load(&scene->memory.bytes_now));
}

const char *graze_scene_error_text(const graze_scene *scene) {
  return scene != NULL ? scene->error : "";
}

void scene_touch(graze_scene *scene, bool topology) {
  scene->updated = false;
  scene->topology_changed = scene->topology_changed || topology;
  scene->pair_count = 0;
  scene->contacts.count = 0;
  scene->contact_points.count = 0;
}

static graze_result fail_method(graze_scene *scene, const char *name) {
  char known[256] = "auto";
  for (size_t i = 0; method_at(i) != NULL; i++) {
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, ", %s", method_at(i)->name);
  }
  return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "there is no method \"%.64s\"; there are %s", name, known);
}

graze_result graze_scene_set_method(graze_scene *scene, const graze_method_def *def_in) {
  if (scene == NULL || def_in == NULL) return GRAZE_INVALID_ARGUMENT;
  if (def_in->struct_bytes == 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT,
                      "struct_bytes of the method is 0: begin with graze_method_def_default()");
  graze_method_def def = graze_method_def_default();
  SCENE_READ_DEF(def, def_in);
  const bool automatic = def.name == NULL || strcmp(def.name, "auto") == 0;
  const method *chosen = automatic ? NULL : method_named(def.name);
  if (!automatic && chosen == NULL) return fail_method(scene, def.name);
  const graze_result result = scene->device != NULL ? scene_device_check_method(scene, chosen) : GRAZE_OK;
  if (result != GRAZE_OK) return result;
  if ((unsigned)def.hash > GRAZE_HASH_PRIMES)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "there is no cell hash number %d", (int)def.hash);
  if ((unsigned)def.dedup > GRAZE_DEDUP_MAP)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "there is no way number %d to name a candidate once",
                      (int)def.dedup);
  if ((unsigned)def.simd > GRAZE_SIMD_256)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "there is no vector width number %d", (int)def.simd);
  if (!simd_available(def.simd))
    return scene_fail(scene, GRAZE_UNSUPPORTED, "this processor or build has no vectors of %d bits",
                      def.simd == GRAZE_SIMD_256 ? 256 : 128);
  scene->method = chosen;
  scene->hash = def.hash;
  scene->dedup = def.dedup;
  scene->simd = def.simd == GRAZE_SIMD_AUTO ? simd_widest() : def.simd;
  scene_close_method(scene); /* the next query or update opens the new one */
  return GRAZE_OK;
}

graze_timings graze_scene_timings(const graze_scene *scene) {
  return scene != NULL ? scene->timings : (graze_timings){0};
}

graze_counters graze_scene_counters(const graze_scene *scene) {
  if (scene == NULL) return (graze_counters){0};
  graze_counters counters = scene->counters;
  counters.scene_bytes = atomic_load(&scene->memory.bytes_now);
  counters.peak_bytes = atomic_load(&scene->memory.bytes_peak);
  counters.device_bytes = scene_device_bytes(scene);
  return counters;
}
