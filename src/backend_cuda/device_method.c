/* The methods of the backend cuda; see device_method.h.
 *
 * What a method does on a device is in its row. Here is what the host does for it: the state of the same method on the
 * processor is opened where the device builds upon it, and told of updates where the host has a part in them. */
#include "backend_cuda/device_method.h"

#include "backend/query_focus.h"
#include "backend_cpu/cpu_method.h"
#include "backend_cpu/cpu_poses.h"
#include "backend_cuda/device_backend.h"
#include "backend_cuda/device_failure.h"
#include "methods/method_table.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

const method *device_searched_by(const graze_scene *scene, const char **reason_out) {
  const method *searched = scene->method != NULL && !scene_method_is_unsuited(scene) ? scene->method : &method_grid;
  *reason_out = scene_method_reason(scene, searched);
  return searched;
}

/* A scene that leaves the choice to the library is searched by the grid. */
static const method *row_of(const graze_scene *scene) {
  return scene->method != NULL ? scene->method : &method_grid;
}

/* The state of its method on the processor; NULL where there is none. */
static void *host_state(const graze_scene *scene) {
  return scene->search_state.row == row_of(scene) ? scene->search_state.own : NULL;
}

/* Opened for what the method keeps; where the host has a part in updates, it takes in this one. */
static graze_result prepare_host(graze_scene *scene, const method *row) {
  if (row->cuda->host_updates) {
    scene_point_sources(scene);
    return scene_prepare_for_device(scene);
  }
  const method_options options = {&scene->method_def};
  if (scene->search_state.row == row) return GRAZE_OK;
  method_close(&scene->search_state);
  const graze_result result = method_open(&scene->search_state, row, &options, &scene->memory);
  return result == GRAZE_OK ? GRAZE_OK : device_backend_fail(scene, result);
}

static graze_result prepare_chosen(graze_scene *scene, const method *row) {
  if (!row->cuda->keeps_host_state || scene_method_is_unsuited(scene)) return GRAZE_OK;
  graze_result result = prepare_host(scene, row);
  if (result != GRAZE_OK || scene->search_state.row != row) return result; /* it does not suit: the grid does */
  const cuda_news news = {scene->search_state.own, scene->sources, scene->workers};
  result = row->cuda->update(scene->device->method.own, &news);
  if (result == GRAZE_OK) return scene_leave_unsuited(scene); /* which the device may have found out */
  if (!row->cuda->host_updates) scene_close_method(scene);    /* it may have learned half */
  return device_backend_fail(scene, result);
}

graze_result device_prepare_method(graze_scene *scene) {
  const method *row = row_of(scene);
  chosen_method before;
  graze_result result = device_state_choose(scene->device, row->cuda, &before);
  if (result != GRAZE_OK) return device_backend_fail(scene, result);
  result = prepare_chosen(scene, row);
  device_state_settle(scene->device, &before, result == GRAZE_OK);
  return result;
}

/* ---------------------------------------------------------------------------------------------- queries */

graze_result device_find_by_method(const graze_scene *scene, const graze_query *query, const device_query *asked,
                                   device_answer *found_out) {
  primitive_view view = scene_view(scene);
  view.between = asked->between;
  view.within = asked->within;
  view.focus = query_focus_of(query);
  const search s = {.view = &view,
                    .simd = scene->simd,
                    .memory = scene_scratch(scene),
                    .workers = scene->workers,
                    .stop = asked->stop};
  const cuda_request request = {asked, &s};
  return device_state_find(scene->device, &request, host_state(scene), found_out);
}

/* ---------------------------------------------------------------------------------------------- poses */

static graze_result run_poses(const graze_scene *scene, pose_request *request, const device_forest *trees,
                              uint32_t still, uint32_t moving) {
  if (still == NO_BODY || moving == NO_BODY) {
    for (size_t i = 0; i < request->count; i++) request->answers[i] = 0;
    return GRAZE_OK;
  }
  const device_pose_query query = {.rotations = request->rotations,
                                   .translations = request->translations,
                                   .count = request->count,
                                   .still = still,
                                   .moving = moving,
                                   .still_object = request->still,
                                   .moving_object = request->moving,
                                   .test = request->test,
                                   .counts = request->counts};
  device_state *device = scene->device;
  return device_poses_test(&device->poses, &device->scene, trees, &query, request->answers, &request->refused);
}

/* With another method the trees are those of the call alone. */
static graze_result run_with_own_trees(const graze_scene *scene, pose_request *request) {
  const bool same = request->still == request->moving;
  device_memory *held = &scene->device->memory;
  device_forest *trees = &scene->device->poses.trees;
  tree_forest forest;
  graze_result result = cpu_make_pose_trees(scene, request, &forest);
  if (result == GRAZE_OK) {
    const object_source sources[2] = {scene->sources[request->still], scene->sources[request->moving]};
    result = device_forest_take(trees, held, &forest, sources);
    if (result == GRAZE_OK) result = device_forest_take_posed(trees, held, &forest);
  }
  if (result == GRAZE_OK) result = run_poses(scene, request, trees, forest.body_of[0], forest.body_of[same ? 0 : 1]);
  trees->of = NULL;
  tree_forest_release(&forest);
  return result;
}

/* Those that the method has on the device; NULL: it has none. */
static const device_forest *trees_on_device(const graze_scene *scene) {
  const device_state *device = scene->device;
  const bool ready = device_state_is_ready(device, host_state(scene));
  return ready && device->method.row->trees != NULL ? device->method.row->trees(device->method.own) : NULL;
}

graze_result device_test_poses(const graze_scene *scene, pose_request *request) {
  const device_forest *trees = trees_on_device(scene);
  graze_result result = trees == NULL ? scene_check_on_host(scene) : GRAZE_OK;
  if (result != GRAZE_OK) return result;
  if (request->count > UINT32_MAX - 1)
    return scene_fail(scene, GRAZE_TOO_LARGE, "%zu poses are more than can be numbered", request->count);
  if (stop_is_asked_for(request->stop)) return GRAZE_STOPPED;
  /* Within a turn: nobody else looks at the scene. */
  scene_point_sources((graze_scene *)(uintptr_t)scene);
  if (trees != NULL)
    result = run_poses(scene, request, trees, device_forest_body(trees, request->still),
                       device_forest_body(trees, request->moving));
  else
    result = run_with_own_trees(scene, request);
  return result == GRAZE_OK ? GRAZE_OK : device_backend_fail(scene, result);
}
