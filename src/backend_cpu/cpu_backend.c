/* The backend cpu: the processor, which supports every method and every query. */
#include "backend/backend.h"
#include "backend_cpu/cpu_batch.h"
#include "backend_cpu/cpu_contacts.h"
#include "backend_cpu/cpu_crowding.h"
#include "backend_cpu/cpu_find.h"
#include "backend_cpu/cpu_method.h"
#include "backend_cpu/cpu_state.h"
#include "backend_cpu/query_view.h"
#include "base/timer.h"
#include "scene/object_numbers.h"
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

/* The search structure of a query on the processor. The method lists it with the scene's numbers,
 * which are converted to public numbers here. */

static void number_nodes(const graze_scene *scene, structure_list *list) {
  for (size_t i = 0; i < list->node_count; i++) {
    uint32_t *object = &list->nodes[i].object;
    if (*object != UINT32_MAX) *object = scene_objects(scene)[*object].public_object;
  }
}

static void number_members(const graze_scene *scene, structure_list *list) {
  const uint32_t *ranks = scene_ranks(scene);
  public_number last[2] = {{0}};
  for (size_t i = 0; list->members != NULL && i < list->member_count; i++) {
    const uint32_t primitive = list->members[i].primitive, number = ranks != NULL ? ranks[primitive] : primitive;
    const graze_pair pair = scene_public_pair(scene, (index_pair){number, number}, last);
    list->members[i] = (graze_structure_member){pair.object_a, pair.primitive_a};
  }
}

static void record_search(const search *s, inspect_answer *answer) {
  answer->timings.bounds_ms = s->bounds_ms;
  answer->timings.build_ms = s->build_ms;
  answer->counters.searched = s->searched_count;
  answer->counters.levels = s->level_count;
  answer->counters.clusters = s->cluster_count;
  answer->counters.members = s->member_count;
}

static graze_result cpu_inspect(const graze_scene *scene, const inspect_request *request, inspect_answer *answer) {
  memory *heap = scene_scratch(scene);
  method_state *state = &cpu_state_of(scene)->search;
  primitive_view view;
  primitive_box *grown;
  graze_result result = GRAZE_OUT_OF_MEMORY;
  if (query_view_make(scene, request->query, heap, &view, &grown)) {
    search s = {.view = &view, .simd = scene->simd, .memory = heap, .workers = scene->workers, .stop = request->stop};
    search_init_ends(&s);
    result = method_list(state, &s, &answer->list);
    record_search(&s, answer);
  }
  query_view_release(&view, heap, grown);
  if (result != GRAZE_OK) return result == GRAZE_OUT_OF_MEMORY ? scene_fail_memory(scene) : result;
  answer->method = state->row->name;
  number_nodes(scene, &answer->list);
  number_members(scene, &answer->list);
  return GRAZE_OK;
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
