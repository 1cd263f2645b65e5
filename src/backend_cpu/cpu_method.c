/* The method that searches a scene on the processor; see cpu_method.h.
 *
 * Workload: once per update, linear in the objects. */
#include "backend_cpu/cpu_method.h"

#include "backend_cpu/cpu_state.h"
#include "methods/method_table.h"
#include "scene/scene_change.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"
#include "scene/scene_vertices.h"

/* Limits of "auto". With fewer primitives than the first, brute force is faster than building a structure. Trees are
 * faster after the given number of updates that only posed objects, if objects have at least the given number of
 * primitives on average: docs/theory/trees.md. */
enum { AUTO_BRUTE_PRIMITIVES = 32, AUTO_TREE_UPDATES = 2, AUTO_TREE_PRIMITIVES = 128 };

const method *cpu_method_for(const graze_scene *scene, size_t primitive_count, size_t brute_most) {
  if (scene->method != NULL) return scene->method;
  return primitive_count <= brute_most ? &method_brute : &method_grid;
}

/* Whether objects have moved as rigid bodies. */
static bool moves_rigidly(const graze_scene *scene) {
  return scene->object_count > 1 && cpu_state_of(scene)->rigid_updates >= AUTO_TREE_UPDATES &&
         scene->primitive_count / AUTO_TREE_PRIMITIVES >= scene->object_count;
}

/* Whether most objects share shapes: there are few trees then, and they may be precomputed. */
static bool shares_shapes(const graze_scene *scene) {
  return scene->object_count > 1 && 2 * scene->shared_count > scene->object_count;
}

static const method *chosen_method(const graze_scene *scene) {
  const bool few = scene->primitive_count <= AUTO_BRUTE_PRIMITIVES;
  if (scene->method == NULL && !few && (shares_shapes(scene) || moves_rigidly(scene))) return &method_tree;
  return cpu_method_for(scene, scene->primitive_count, AUTO_BRUTE_PRIMITIVES);
}

void cpu_note_motion(graze_scene *scene) {
  cpu_state *own = cpu_state_of(scene);
  object_change changes = 0;
  for (size_t i = 0; i < scene->object_count; i++) changes |= scene_slots(scene)[i].changes;
  if ((changes & (CHANGED_POSITIONS | CHANGED_TOPOLOGY)) != 0)
    own->rigid_updates = 0;
  else if ((changes & CHANGED_POSE) != 0 && own->rigid_updates < AUTO_TREE_UPDATES)
    own->rigid_updates++;
}

static bool is_unsuited(const graze_scene *scene) {
  return method_is_unsuited(&cpu_state_of(scene)->unsuited, scene, chosen_method(scene));
}

const method *cpu_searched_by(const graze_scene *scene, const char **reason_out) {
  const method *searched = cpu_state_of(scene)->search.row;
  *reason_out = method_reason(scene, searched, is_unsuited(scene));
  return searched;
}

static const method *suited_method(const graze_scene *scene) {
  return is_unsuited(scene) ? &method_grid : chosen_method(scene);
}

/* Whether at least half of the vertices belong to objects that changed in more than their pose. */
static bool most_vertices_changed(const graze_scene *scene) {
  size_t changed = 0;
  for (size_t i = 0; i < scene->object_count; i++) {
    if ((scene_slots(scene)[i].changes & (CHANGED_POSITIONS | CHANGED_TOPOLOGY)) == 0) continue;
    if (scene_objects(scene)[i].shape != NULL) continue;
    changed += scene_objects(scene)[i].positions.count;
  }
  return changed > 0 && changed >= scene->vertex_count / 2;
}

bool cpu_method_rounds(const graze_scene *scene) {
  const uint32_t traits = suited_method(scene)->traits;
  if ((traits & METHOD_NEEDS_ROUNDED_VERTICES) != 0) return true;
  return (traits & METHOD_FILTERS_ROUNDED) != 0 && most_vertices_changed(scene);
}

static graze_result update_method(graze_scene *scene, bool all) {
  method_state *state = &cpu_state_of(scene)->search;
  if (state->row->cpu->update == NULL) return GRAZE_OK;
  memory *heap = &scene->scratch.heap;
  object_change *changes = memory_allocate(heap, scene->object_count, sizeof *changes);
  if (changes == NULL) return GRAZE_OUT_OF_MEMORY;
  scene_read_changes(scene, all, changes);
  const primitive_view view = scene_view(scene);
  const graze_result result = method_update(state, &view, changes, scene->workers, heap);
  memory_release(heap, changes, scene->object_count, sizeof *changes);
  return result;
}

static graze_result open_method(graze_scene *scene, const method *chosen) {
  method_state *state = &cpu_state_of(scene)->search;
  const method_options options = {&scene->method_def};
  method_close(state);
  return method_open(state, chosen, &options, &scene->memory);
}

/* If the method reports that it is unsuitable for the scene, the grid replaces it. */
static graze_result replace_unsuitable(graze_scene *scene) {
  cpu_state *own = cpu_state_of(scene);
  const cpu_method *cpu = own->search.row->cpu;
  if (cpu->suits == NULL || cpu->suits(own->search.own)) return GRAZE_OK;
  own->unsuited = (unsuited_method){own->search.row, scene->stamps.topology};
  graze_result result = scene_make_headers(scene);
  if (result == GRAZE_OK) result = scene_round_up(scene);
  if (result == GRAZE_OK) result = open_method(scene, &method_grid);
  return result == GRAZE_OK ? update_method(scene, true) : result;
}

graze_result cpu_prepare_method(graze_scene *scene) {
  method_state *state = &cpu_state_of(scene)->search;
  const method *chosen = suited_method(scene);
  const bool opens = state->row != chosen;
  graze_result result = cpu_method_rounds(scene) ? scene_round_up(scene) : GRAZE_OK;
  if (result == GRAZE_OK && (chosen->traits & METHOD_KEEPS_TREES) == 0) result = scene_make_headers(scene);
  if (result != GRAZE_OK) return result;
  if (opens) result = open_method(scene, chosen);
  if (result == GRAZE_OK) result = update_method(scene, opens);
  if (result == GRAZE_OK) result = replace_unsuitable(scene);
  if (result == GRAZE_OK) {
    scene_forget_changes(scene);
    return GRAZE_OK;
  }
  method_close(state);
  return result == GRAZE_OUT_OF_MEMORY
             ? scene_fail_memory(scene)
             : scene_fail(scene, result, "the method %s failed to apply the changes", chosen->name);
}

graze_result cpu_change_method(graze_scene *scene) {
  method_state *state = &cpu_state_of(scene)->search;
  method_state before = *state;
  *state = (method_state){0};
  const graze_result result = scene_is_updated(scene) ? cpu_prepare_method(scene) : GRAZE_OK;
  if (result != GRAZE_OK) {
    method_close(state);
    *state = before;
    return result;
  }
  method_close(&before);
  return GRAZE_OK;
}
