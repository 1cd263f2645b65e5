/* The state of a scene's method; see scene_method.h.
 *
 * Workload: once an update, linear in the objects. */
#include "backend_cpu/cpu_method.h"

#include "methods/method_table.h"
#include "scene/scene_failure.h"
#include "scene/scene_vertices.h"

/* Below so many primitives nothing pays for building; the reference is as fast. Trees pay after so many updates that
 * have only posed objects, of so many primitives on average and more: docs/trees.md. */
enum { AUTO_BRUTE_PRIMITIVES = 32, AUTO_TREE_UPDATES = 2, AUTO_TREE_PRIMITIVES = 128 };

primitive_view scene_view(const graze_scene *scene) {
  const rounded_scene *rounded = &scene->rounded;
  const bool is_rounded = scene_is_rounded(scene);
  primitive_view view = {.primitive_count = scene->primitive_count,
                         .vertex_count = scene->vertex_count,
                         .headers = scene->headers,
                         .rounded_vertices = is_rounded ? rounded->vertices : NULL,
                         .normalisation = &rounded->normalisation,
                         .slots = rounded->mapped ? axis_map_slots(rounded->map) : 0.0f,
                         .map = rounded->mapped ? rounded->map : NULL,
                         .sources = scene->sources,
                         .rules = scene->rules,
                         .object_boxes = is_rounded ? rounded->object_boxes : NULL,
                         .object_count = scene->object_count,
                         .between = true,
                         .within = true,
                         .only_triangles = true};
  for (size_t i = 0; i < scene->object_count; i++) {
    const object_rule *rule = &scene->rules[i];
    view.rules_differ = view.rules_differ || rule->category != 1 || (rule->mask & 1) == 0;
    view.only_triangles = view.only_triangles && kind_batch_of(scene->sources[i].kind) == BATCH_TRIANGLES;
  }
  return view;
}

const method *scene_method_for(const graze_scene *scene, size_t primitive_count, size_t brute_most) {
  if (scene->method != NULL) return scene->method;
  return primitive_count <= brute_most ? &method_brute : &method_grid;
}

/* Whether objects have been moving as rigid bodies do. */
static bool moves_rigidly(const graze_scene *scene) {
  return scene->device == NULL && scene->object_count > 1 && scene->rigid_updates >= AUTO_TREE_UPDATES &&
         scene->primitive_count / AUTO_TREE_PRIMITIVES >= scene->object_count;
}

static const method *chosen_method(const graze_scene *scene) {
  const bool few = scene->primitive_count <= AUTO_BRUTE_PRIMITIVES;
  if (scene->method == NULL && !few && moves_rigidly(scene)) return &method_tree;
  return scene_method_for(scene, scene->primitive_count, AUTO_BRUTE_PRIMITIVES);
}

void scene_note_motion(graze_scene *scene) {
  object_change changes = 0;
  for (size_t i = 0; i < scene->object_count; i++) changes |= scene_slots(scene)[i].changes;
  if ((changes & (CHANGED_POSITIONS | CHANGED_TOPOLOGY)) != 0)
    scene->rigid_updates = 0;
  else if ((changes & CHANGED_POSE) != 0 && scene->rigid_updates < AUTO_TREE_UPDATES)
    scene->rigid_updates++;
}

bool scene_method_is_unsuited(const graze_scene *scene) {
  return scene->unsuited != NULL && chosen_method(scene) == scene->unsuited &&
         scene->stamps.unsuited == scene->stamps.topology;
}

const char *scene_method_reason(const graze_scene *scene, const method *searched) {
  if (scene->method != NULL && searched == scene->method) return "it was asked for";
  if (scene_method_is_unsuited(scene)) return "an object reaches too far for the boxes of its smallest primitives";
  return searched->auto_reason;
}

const method *cpu_searched_by(const graze_scene *scene, const char **reason_out) {
  *reason_out = scene_method_reason(scene, scene->search_state.row);
  return scene->search_state.row;
}

/* The method that the scene asks for, but where it has been found not to suit what it is made of. */
static const method *suited_method(const graze_scene *scene) {
  return scene_method_is_unsuited(scene) ? &method_grid : chosen_method(scene);
}

/* Whether at least half of the vertices belong to objects that have changed in more than their pose. */
static bool much_has_changed(const graze_scene *scene) {
  size_t changed = 0;
  for (size_t i = 0; i < scene->object_count; i++) {
    if ((scene_slots(scene)[i].changes & (CHANGED_POSITIONS | CHANGED_TOPOLOGY)) == 0) continue;
    changed += scene_objects(scene)[i].positions.count;
  }
  return changed > 0 && changed >= scene->vertex_count / 2;
}

bool scene_method_rounds(const graze_scene *scene) {
  const uint32_t traits = suited_method(scene)->traits;
  if ((traits & METHOD_NEEDS_ROUNDED_VERTICES) != 0) return true;
  return (traits & METHOD_FILTERS_ROUNDED) != 0 && scene->device == NULL && much_has_changed(scene);
}

static void read_changes(graze_scene *scene, bool all, object_change *changes_out) {
  for (size_t i = 0; i < scene->object_count; i++) changes_out[i] = all ? CHANGED_ALL : scene_slots(scene)[i].changes;
}

static void forget_changes(graze_scene *scene) {
  for (size_t i = 0; i < scene->object_count; i++) scene_slots(scene)[i].changes = 0;
}

static graze_result tell_method(graze_scene *scene, bool all, bool for_device) {
  if (scene->search_state.row->cpu->update == NULL) return GRAZE_OK;
  memory *heap = &scene->scratch.heap;
  object_change *changes = memory_allocate(heap, scene->object_count, sizeof *changes);
  if (changes == NULL) return GRAZE_OUT_OF_MEMORY;
  read_changes(scene, all, changes);
  primitive_view view = scene_view(scene);
  view.fitted_elsewhere = for_device;
  const graze_result result = method_update(&scene->search_state, &view, changes, scene->workers, heap);
  memory_release(heap, changes, scene->object_count, sizeof *changes);
  return result;
}

static graze_result open_method(graze_scene *scene, const method *chosen) {
  const method_options options = {&scene->method_def};
  method_close(&scene->search_state);
  return method_open(&scene->search_state, chosen, &options, &scene->memory);
}

graze_result scene_leave_unsuited(graze_scene *scene) {
  const cpu_method *cpu = scene->search_state.row->cpu;
  if (cpu->suits == NULL || cpu->suits(scene->search_state.own)) return GRAZE_OK;
  scene->unsuited = scene->search_state.row;
  scene->stamps.unsuited = scene->stamps.topology;
  graze_result result = scene->device == NULL ? scene_round_up(scene) : GRAZE_OK;
  if (result == GRAZE_OK) result = open_method(scene, &method_grid);
  return result == GRAZE_OK ? tell_method(scene, true, false) : result;
}

static graze_result prepare(graze_scene *scene, bool for_device) {
  const method *chosen = suited_method(scene);
  const bool opens = scene->search_state.row != chosen;
  graze_result result = scene_method_rounds(scene) ? scene_round_up(scene) : GRAZE_OK;
  if (result != GRAZE_OK) return result;
  if (opens) result = open_method(scene, chosen);
  if (result == GRAZE_OK) result = tell_method(scene, opens, for_device);
  if (result == GRAZE_OK) result = scene_leave_unsuited(scene);
  if (result == GRAZE_OK) {
    forget_changes(scene);
    return GRAZE_OK;
  }
  scene_close_method(scene);
  return result == GRAZE_OUT_OF_MEMORY
             ? scene_fail_memory(scene)
             : scene_fail(scene, result, "the method %s could not take in the changes", chosen->name);
}

graze_result scene_prepare_method(graze_scene *scene) {
  return prepare(scene, false);
}

graze_result scene_prepare_for_device(graze_scene *scene) {
  return prepare(scene, true);
}

void scene_close_method(graze_scene *scene) {
  method_close(&scene->search_state);
}
