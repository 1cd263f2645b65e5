/* The methods of the backend cuda; see device_method.h.
 *
 * A method's row defines what it does on a device. Here its state is created, updated and used. */
#include "backend_cuda/device_method.h"

#include "backend/query_focus.h"
#include "backend_cuda/cuda_scene.h"
#include "methods/method_table.h"
#include "scene/scene_change.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"
#include "scene/scene_vertices.h"

/* With "auto", the grid searches the scene. */
static const method *row_of(const graze_scene *scene) {
  return scene->method != NULL ? scene->method : &method_grid;
}

static bool is_unsuited(const graze_scene *scene) {
  return method_is_unsuited(&cuda_scene_of(scene)->unsuited, scene, row_of(scene));
}

const method *device_searched_by(const graze_scene *scene, const char **reason_out) {
  const bool unsuited = is_unsuited(scene);
  const method *searched = unsuited ? &method_grid : row_of(scene);
  *reason_out = method_reason(scene, searched, unsuited);
  return searched;
}

static graze_result update_method(graze_scene *scene, const chosen_method *chosen, bool all) {
  memory *heap = &scene->scratch.heap;
  object_change *changes = memory_allocate(heap, scene->object_count, sizeof *changes);
  if (changes == NULL) return GRAZE_OUT_OF_MEMORY;
  scene_point_sources(scene);
  scene_read_changes(scene, all, changes);
  const primitive_view view = scene_view(scene);
  const search_notes notes = {{0}}; /* the device keeps its own */
  const update_input input = {&view, changes, &notes, scene->workers, heap};
  const graze_result result = chosen->row->update(chosen->own, &input);
  memory_release(heap, changes, scene->object_count, sizeof *changes);
  return result;
}

/* Updates the method after an update of the device. */
static graze_result prepare_method(graze_scene *scene) {
  cuda_scene *own = cuda_scene_of(scene);
  const chosen_method *chosen = &own->device.method;
  if (chosen->row->update == NULL) return GRAZE_OK;
  const bool all = !own->method_knows;
  own->method_knows = false;
  if (is_unsuited(scene)) return GRAZE_OK;
  const graze_result result = update_method(scene, chosen, all);
  if (result != GRAZE_OK) return device_backend_fail(scene, result);
  scene_forget_changes(scene);
  own->method_knows = true;
  if (chosen->row->suits != NULL && !chosen->row->suits(chosen->own))
    own->unsuited = (unsuited_method){row_of(scene), scene->stamps.topology};
  return GRAZE_OK;
}

/* Creates a state for the scene's method, prepared if the device has the scene; the previous one stays on failure. */
static graze_result change_method(graze_scene *scene, bool makes_ready) {
  cuda_scene *own = cuda_scene_of(scene);
  const method_options options = {&scene->method_def};
  const bool knew = own->method_knows;
  chosen_method before;
  graze_result result = device_state_choose(&own->device, row_of(scene)->cuda, &options, &before);
  if (result != GRAZE_OK) return device_backend_fail(scene, result);
  own->method_knows = false;
  if (makes_ready) result = prepare_method(scene);
  device_state_settle(&own->device, &before, result == GRAZE_OK);
  if (result != GRAZE_OK) own->method_knows = knew;
  return result;
}

graze_result device_change_method(graze_scene *scene) {
  return change_method(scene, scene_is_updated(scene));
}

graze_result device_prepare_method(graze_scene *scene) {
  const cuda_scene *own = cuda_scene_of(scene);
  /* a state whose update failed is unusable: a new one receives everything */
  const bool opens = own->device.method.row == NULL || (!own->method_knows && !is_unsuited(scene));
  return opens ? change_method(scene, true) : prepare_method(scene);
}

/* ---------------------------------------------------------------------------------------------- queries */

graze_result device_find_by_method(const graze_scene *scene, const graze_query *query, const device_query *request,
                                   device_answer *found_out) {
  primitive_view view = scene_view(scene);
  view.between = request->between;
  view.within = request->within;
  view.focus = query_focus_of(query);
  view.clearance = query->clearance;
  const search s = {.view = &view,
                    .simd = scene->simd,
                    .memory = scene_scratch(scene),
                    .workers = scene->workers,
                    .stop = request->stop};
  const cuda_request whole_request = {request, &s};
  return device_state_find(scene_device(scene), &whole_request, !is_unsuited(scene), found_out);
}

const device_forest *device_method_trees(const graze_scene *scene) {
  const device_state *device = scene_device(scene);
  const bool ready = !is_unsuited(scene) && device_state_is_ready(device);
  return ready && device->method.row->trees != NULL ? device->method.row->trees(device->method.own) : NULL;
}
