/* The methods of the backend cuda; see device_method.h.
 *
 * The grid and the reference need nothing of the host. Trees of what comes are built by the host, as on the processor,
 * and go over once; what moves later, and what the host has no positions of, is fitted by the device, which tells where
 * bodies lie. Which bodies may meet is found by the host. Clusters are learned by the host from a sample of points that
 * the device makes. */
#include "backend_cuda/device_method.h"

#include "backend/query_focus.h"
#include "backend_cpu/cpu_method.h"
#include "backend_cpu/cpu_poses.h"
#include "backend_cuda/device_failure.h"
#include "backend_cuda/device_learning.h"
#include "broad/tree_bodies.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

const method *device_searched_by(const graze_scene *scene, const char **reason_out) {
  const method *searched = scene->method != NULL && !scene_method_is_unsuited(scene) ? scene->method : &method_grid;
  *reason_out = scene_method_reason(scene, searched);
  return searched;
}

/* The host's part of the trees, which stays const for queries; NULL where the scene is searched otherwise. */
static const tree_forest *forest_of(const graze_scene *scene) {
  const bool by_trees =
      method_has_traits(scene->method, METHOD_KEEPS_TREES) && scene->search_state.row == scene->method;
  return by_trees ? scene->search_state.own : NULL;
}

/* The same where the device has all of it: after a change of method that failed it may have another's trees. */
static const tree_forest *forest_on_device(const graze_scene *scene) {
  const tree_forest *forest = forest_of(scene);
  return forest != NULL && scene->device->trees_of == forest ? forest : NULL;
}

static graze_result prepare_trees(graze_scene *scene, tree_forest *forest) {
  device_state *device = scene->device;
  graze_result result = GRAZE_OK;
  if (device->trees_of != forest) tree_forest_forget_device(forest);
  if (device->trees_of != forest || forest->shapes_are_new)
    result = device_state_take_trees(device, forest, scene->sources);
  if (result != GRAZE_OK) return result;
  forest->shapes_are_new = false;
  result = device_state_fit_trees(device, forest);
  tree_forest_pose_measured(forest, scene->sources, scene->workers);
  return result == GRAZE_OK ? device_state_pose_trees(device) : result;
}

graze_result device_prepare_method(graze_scene *scene) {
  if (method_has_traits(scene->method, METHOD_KEEPS_CLUSTERS)) return device_learn_clusters(scene);
  if (!method_has_traits(scene->method, METHOD_KEEPS_TREES) || scene_method_is_unsuited(scene)) return GRAZE_OK;
  scene_point_sources(scene);
  graze_result result = scene_prepare_for_device(scene);
  if (result != GRAZE_OK) return result;
  if (forest_of(scene) == NULL) return GRAZE_OK; /* trees do not suit it: the device's grid does */
  result = prepare_trees(scene, scene->search_state.own);
  if (result != GRAZE_OK) return device_backend_fail(scene, result);
  return scene_leave_unsuited(scene); /* which the device may have found out */
}

/* ---------------------------------------------------------------------------------------------- queries */

static graze_result find_by_trees(const graze_scene *scene, const graze_query *query, device_query *asked,
                                  device_answer *found_out) {
  const tree_forest *forest = forest_on_device(scene);
  primitive_view view = scene_view(scene);
  view.between = asked->between;
  view.within = asked->within;
  view.focus = query_focus_of(query);
  const search s = {.view = &view,
                    .simd = scene->simd,
                    .memory = scene_scratch(scene),
                    .workers = scene->workers,
                    .stop = asked->stop};
  body_pair_list list = {0};
  graze_result result = tree_find_body_pairs(forest, &s, &list);
  asked->by_trees = true;
  asked->tree_pairs = list.pairs;
  asked->tree_pair_count = list.count;
  if (result == GRAZE_OK && stop_was_asked_for(s.stop)) result = GRAZE_STOPPED;
  if (result == GRAZE_OK && !tree_count_searched(forest, &list, s.memory, &asked->tree_searched))
    result = GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK && list.count > 0) result = device_state_find(scene->device, asked, found_out);
  body_pair_list_release(&list, scene_scratch(scene));
  return result;
}

graze_result device_find_by_method(const graze_scene *scene, const graze_query *query, device_query *asked,
                                   device_answer *found_out) {
  *found_out = (device_answer){0};
  asked->by_brute = method_has_traits(scene->method, METHOD_IS_REFERENCE);
  asked->by_clusters = method_has_traits(scene->method, METHOD_KEEPS_CLUSTERS) && scene->device->cluster_count > 0;
  asked->clusters = (cluster_range){0, CLUSTERS_END};
  if (forest_on_device(scene) == NULL) return device_state_find(scene->device, asked, found_out);
  return find_by_trees(scene, query, asked, found_out);
}

/* ---------------------------------------------------------------------------------------------- poses */

static graze_result run_poses(const graze_scene *scene, pose_request *request, uint32_t still, uint32_t moving) {
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
  return device_state_test_poses(scene->device, &query, request->answers, &request->refused);
}

/* With another method the trees are those of the call alone. */
static graze_result run_with_own_trees(const graze_scene *scene, pose_request *request) {
  const bool same = request->still == request->moving;
  tree_forest forest;
  graze_result result = cpu_make_pose_trees(scene, request, &forest);
  if (result == GRAZE_OK) {
    const object_source sources[2] = {scene->sources[request->still], scene->sources[request->moving]};
    result = device_state_take_trees(scene->device, &forest, sources);
    if (result == GRAZE_OK) result = device_state_take_posed(scene->device, &forest);
  }
  if (result == GRAZE_OK) result = run_poses(scene, request, forest.body_of[0], forest.body_of[same ? 0 : 1]);
  scene->device->trees_of = NULL;
  tree_forest_release(&forest);
  return result;
}

graze_result device_test_poses(const graze_scene *scene, pose_request *request) {
  const tree_forest *forest = forest_on_device(scene);
  graze_result result = forest == NULL ? scene_check_on_host(scene) : GRAZE_OK;
  if (result != GRAZE_OK) return result;
  if (request->count > UINT32_MAX - 1)
    return scene_fail(scene, GRAZE_TOO_LARGE, "%zu poses are more than can be numbered", request->count);
  if (stop_is_asked_for(request->stop)) return GRAZE_STOPPED;
  /* Within a turn: nobody else looks at the scene. */
  scene_point_sources((graze_scene *)(uintptr_t)scene);
  if (forest != NULL)
    result = run_poses(scene, request, forest->body_of[request->still], forest->body_of[request->moving]);
  else
    result = run_with_own_trees(scene, request);
  return result == GRAZE_OK ? GRAZE_OK : device_backend_fail(scene, result);
}
