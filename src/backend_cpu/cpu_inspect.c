/* The search structure of a query on the processor; see cpu_inspect.h. The method lists it with the scene's numbers,
 * which are converted to public numbers here. */
#include "backend_cpu/cpu_inspect.h"

#include "backend_cpu/cpu_state.h"
#include "backend_cpu/query_view.h"
#include "scene/object_numbers.h"
#include "scene/scene_failure.h"

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

graze_result cpu_inspect(const graze_scene *scene, const inspect_request *request, inspect_answer *answer) {
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
