/* The backend cpu: the processor, which has every method and every query. It keeps no state of its own: what an update
 * makes lies in the scene, since other backends fall back on it. */
#include "backend_cpu/cpu_contacts.h"
#include "backend_cpu/cpu_crowding.h"
#include "backend_cpu/cpu_find.h"
#include "backend_cpu/cpu_method.h"
#include "backend_cpu/cpu_poses.h"
#include "backend_cpu/cpu_update.h"
#include "base/timer.h"
#include "scene/scene_failure.h"

static graze_result open(graze_scene *scene, const graze_backend_def *def, void **state_out) {
  (void)scene;
  (void)def;
  *state_out = NULL;
  return GRAZE_OK;
}

static void close(graze_scene *scene, void *state_or_null) {
  (void)scene;
  (void)state_or_null;
}

static memory *pose_heap(graze_scene *scene, void *state_or_null) {
  (void)state_or_null;
  return &scene->memory;
}

static graze_result leave(graze_scene *scene) {
  (void)scene;
  return GRAZE_OK;
}

static bool is_there(const graze_scene *scene, const graze_backend_def *def) {
  (void)scene;
  (void)def;
  return true;
}

static graze_result update(graze_scene *scene, double *milliseconds_out) {
  const double begin = timer_now_ms();
  const graze_result result = scene_update_on_host(scene);
  *milliseconds_out = timer_now_ms() - begin;
  return result;
}

static size_t bytes(const graze_scene *scene) {
  (void)scene;
  return 0;
}

static graze_result open_packing(const graze_backend_def *def, const stages_def *stages, packer_stages *stages_out) {
  (void)def;
  const graze_result result = processor_stages_open(stages, stages_out);
  return result == GRAZE_OK ? GRAZE_OK : fail(result, "out of memory: no packing can be begun");
}

const backend backend_cpu = {.name = "cpu",
                             .description = "the processor, on as many threads as the scene has workers",
                             .open = open,
                             .close = close,
                             .leave = leave,
                             .is_there = is_there,
                             .pose_heap = pose_heap,
                             .searched_by = cpu_searched_by,
                             .prepare_method = scene_prepare_method,
                             .update = update,
                             .find = cpu_find,
                             .object_pairs = cpu_find_object_pairs,
                             .contacts = cpu_contacts,
                             .measure = cpu_measure,
                             .test_poses = cpu_test_poses,
                             .bytes = bytes,
                             .open_packing = open_packing};
