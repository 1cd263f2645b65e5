/* The methods of the backend cuda; see device_method.h.
 *
 * What a method does on a device is in its row. Here its state is made, told of updates, and asked. */
#include "backend_cuda/device_method.h"

#include "backend/query_focus.h"
#include "backend_cuda/cuda_scene.h"
#include "backend_cuda/device_failure.h"
#include "methods/method_table.h"
#include "scene/scene_change.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"
#include "scene/scene_view.h"

/* A scene that leaves the choice to the library is searched by the grid. */
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

static graze_result tell_method(graze_scene *scene, const chosen_method *chosen, bool all) {
  memory *heap = &scene->scratch.heap;
  object_change *changes = memory_allocate(heap, scene->object_count, sizeof *changes);
  if (changes == NULL) return GRAZE_OUT_OF_MEMORY;
  scene_point_sources(scene);
  scene_read_changes(scene, all, changes);
  const primitive_view view = scene_view(scene);
  const search_notes notes = {{0}}; /* the device keeps its own */
  const method_news news = {&view, changes, &notes, scene->workers, heap};
  const graze_result result = chosen->row->update(chosen->own, &news);
  memory_release(heap, changes, scene->object_count, sizeof *changes);
  return result;
}

/* Tells the method of an update that the device has taken in. */
static graze_result prepare_method(graze_scene *scene) {
  cuda_scene *own = cuda_scene_of(scene);
  const chosen_method *chosen = &own->device.method;
  if (chosen->row->update == NULL) return GRAZE_OK;
  const bool all = !own->method_knows;
  own->method_knows = false;
  if (is_unsuited(scene)) return GRAZE_OK;
  const graze_result result = tell_method(scene, chosen, all);
  if (result != GRAZE_OK) return device_backend_fail(scene, result);
  scene_forget_changes(scene);
  own->method_knows = true;
  if (chosen->row->suits != NULL && !chosen->row->suits(chosen->own))
    own->unsuited = (unsuited_method){row_of(scene), scene->stamps.topology};
  return GRAZE_OK;
}

/* A new state for the scene's method, made ready where the device has the scene; the one before stays on failure. */
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
  /* A state that failed to take in an update is of no use: a new one is told everything. */
  const bool opens = own->device.method.row == NULL || (!own->method_knows && !is_unsuited(scene));
  return opens ? change_method(scene, true) : prepare_method(scene);
}

/* ---------------------------------------------------------------------------------------------- queries */

graze_result device_find_by_method(const graze_scene *scene, const graze_query *query, const device_query *asked,
                                   device_answer *found_out) {
  primitive_view view = scene_view(scene);
  view.between = asked->between;
  view.within = asked->within;
  view.focus = query_focus_of(query);
  view.clearance = query->clearance;
  const search s = {.view = &view,
                    .simd = scene->simd,
                    .memory = scene_scratch(scene),
                    .workers = scene->workers,
                    .stop = asked->stop};
  const cuda_request request = {asked, &s};
  return device_state_find(scene_device(scene), &request, !is_unsuited(scene), found_out);
}

const device_forest *device_method_trees(const graze_scene *scene) {
  const device_state *device = scene_device(scene);
  const bool ready = !is_unsuited(scene) && device_state_is_ready(device);
  return ready && device->method.row->trees != NULL ? device->method.row->trees(device->method.own) : NULL;
}
