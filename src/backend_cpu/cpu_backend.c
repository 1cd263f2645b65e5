/* The backend cpu: the processor, which supports every method and every query. */
#include "backend_cpu/cpu_batch.h"
#include "backend_cpu/cpu_contacts.h"
#include "backend_cpu/cpu_crowding.h"
#include "backend_cpu/cpu_find.h"
#include "backend_cpu/cpu_inspect.h"
#include "backend_cpu/cpu_method.h"
#include "backend_cpu/cpu_state.h"
#include "base/timer.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"
#include "scene/scene_vertices.h"

static graze_result open_on_cpu(graze_scene *scene, const graze_backend_def *def, void **state_out) {
  (void)def;
  cpu_state *state = memory_allocate(&scene->memory, 1, sizeof *state);
  if (state == NULL) return scene_fail_memory(scene);
  *state = (cpu_state){0};
  *state_out = state;
  return GRAZE_OK;
}

static void close_on_cpu(graze_scene *scene, void *state_or_null) {
  cpu_state *state = state_or_null;
  if (state == NULL) return;
  method_close(&state->search);
  memory_release(&scene->memory, state, 1, sizeof *state);
}

static memory *pose_heap(graze_scene *scene, void *state_or_null) {
  (void)state_or_null;
  return &scene->memory;
}

static graze_result leave_cpu(graze_scene *scene) {
  (void)scene;
  return GRAZE_OK;
}

static bool is_active(const graze_scene *scene, const graze_backend_def *def) {
  (void)scene;
  (void)def;
  return true;
}

static graze_result update_scene(graze_scene *scene) {
  cpu_note_motion(scene);
  scene_point_sources(scene);
  const graze_result result = cpu_method_rounds(scene) ? scene_round_up(scene) : scene_check_poses(scene);
  if (result != GRAZE_OK) return result;
  scene_count_volumes(scene);
  return cpu_prepare_method(scene);
}

static graze_result update_on_cpu(graze_scene *scene, double *milliseconds_out) {
  const double begin = timer_now_ms();
  const graze_result result = update_scene(scene);
  *milliseconds_out = timer_now_ms() - begin;
  return result;
}

static size_t bytes_on_cpu(const graze_scene *scene) {
  (void)scene;
  return 0;
}

static graze_result open_packing(const graze_backend_def *def, const stages_def *stages, packer_stages *stages_out) {
  (void)def;
  const graze_result result = processor_stages_open(stages, stages_out);
  return result == GRAZE_OK ? GRAZE_OK : fail(result, "out of memory: cannot start a packing");
}

const backend backend_cpu = {.name = "cpu",
                             .description = "the processor, with the threads of the scene",
                             .open = open_on_cpu,
                             .close = close_on_cpu,
                             .leave = leave_cpu,
                             .is_active = is_active,
                             .pose_heap = pose_heap,
                             .searched_by = cpu_searched_by,
                             .change_method = cpu_change_method,
                             .update = update_on_cpu,
                             .find = cpu_find,
                             .object_pairs = cpu_find_object_pairs,
                             .contacts = cpu_contacts,
                             .inspect = cpu_inspect,
                             .measure = cpu_measure,
                             .run_batch = cpu_run_batch,
                             .bytes = bytes_on_cpu,
                             .open_packing = open_packing};
