/* Batches of poses and of configurations on a device: the trees of the call, and the location of poses and answers.
 *
 * Workload: once per call of 10^4 to 10^6 poses, linear in the objects of the call. */
#include "backend_cuda/device_posing.h"

#include "backend_cuda/call_trees.h"
#include "backend_cuda/cuda_scene.h"
#include "backend_cuda/device_method.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

/* The host builds the trees of the call, so it must have the positions. */
static graze_result check_scene(const graze_scene *scene) {
  return device_method_trees(scene) == NULL ? scene_check_on_host(scene) : GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- poses */

static graze_result run_poses(const graze_scene *scene, pose_request *request, const call_trees *trees) {
  const uint32_t still = pose_trees_body(&trees->here, request->still, 0);
  const uint32_t moving = pose_trees_body(&trees->here, request->moving, request->still == request->moving ? 0 : 1);
  if (still == NO_BODY || moving == NO_BODY) {
    for (size_t i = 0; i < request->count; i++) request->answers[i] = 0;
    return GRAZE_OK;
  }
  const device_pose_query query = {.poses = request->poses,
                                   .count = request->count,
                                   .still = still,
                                   .moving = moving,
                                   .still_object = request->still,
                                   .moving_object = request->moving,
                                   .test = request->test,
                                   .counts = request->counts};
  device_state *device = scene_device(scene);
  return device_poses_test(&device->poses, &device->scene, trees->there, &query, request->answers, &request->refused);
}

graze_result device_test_poses(const graze_scene *scene, pose_request *request) {
  graze_result result = check_scene(scene);
  if (result != GRAZE_OK) return result;
  if (request->count > UINT32_MAX - 1) return scene_fail(scene, GRAZE_TOO_LARGE, "too many poses: %zu", request->count);
  if (stop_is_requested(request->stop)) return GRAZE_STOPPED;
  const uint32_t objects[2] = {request->still, request->moving};
  call_trees trees;
  result = call_trees_open(scene, objects, request->still == request->moving ? 1 : 2, &trees);
  if (result == GRAZE_OK) result = run_poses(scene, request, &trees);
  call_trees_close(scene, &trees);
  return result == GRAZE_OK ? GRAZE_OK : device_backend_fail(scene, result);
}

/* ---------------------------------------------------------------------------------------------- configurations */

/* Checks that the caller's device memory is on the device and aligned. */
static graze_result check_block(const graze_scene *scene, const char *what, const void *block, size_t bytes,
                                size_t number_bytes) {
  const device_operations *operations = &scene_device(scene)->memory.operations;
  if ((uintptr_t)block % number_bytes != 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: the address is not a multiple of %zu bytes", what,
                      number_bytes);
  const graze_result result = operations->check_memory(operations->context, block, bytes);
  return result == GRAZE_OK ? GRAZE_OK
                            : scene_fail(scene, result, "%s: %s", what, operations->error(operations->context));
}

graze_result posing_check_blocks(const graze_scene *scene, const configuration_request *request, size_t answer_bytes,
                                 size_t number_bytes) {
  graze_result result = GRAZE_OK;
  if (request->device_poses)
    result = check_block(scene, "the poses", request->poses,
                         request->count * request->moving_count * sizeof *request->poses, sizeof(double));
  if (result == GRAZE_OK && request->device_answers)
    result = check_block(scene, "the answers", request->answers, request->count * answer_bytes, number_bytes);
  return result;
}

/* Collects bodies of the parts, and the pairs with two bodies. */
static graze_result run_configurations(const graze_scene *scene, configuration_request *request,
                                       const call_trees *trees, size_t answer_bytes) {
  memory *heap = scene_scratch(scene);
  const size_t parts = request->part_count;
  configuration_part *bodies = memory_allocate(heap, parts, sizeof *bodies);
  configuration_pair *pairs = memory_allocate(heap, request->pair_count, sizeof *pairs);
  device_configuration_query query = {.parts = bodies,
                                      .part_count = parts,
                                      .moving_count = request->moving_count,
                                      .pairs = pairs,
                                      .poses = request->poses,
                                      .poses_on_device = request->device_poses,
                                      .count = request->count,
                                      .answer = request->answer,
                                      .test = request->test,
                                      .stop = request->stop,
                                      .answer_bytes = answer_bytes,
                                      .answers = request->answers,
                                      .answers_on_device = request->device_answers};
  graze_result result = bodies != NULL && pairs != NULL ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK) {
    for (size_t i = 0; i < parts; i++)
      bodies[i] = (configuration_part){request->parts[i], pose_trees_body(&trees->here, request->parts[i], i)};
    for (size_t i = 0; i < request->pair_count; i++) {
      const configuration_pair pair = request->pairs[i];
      if (bodies[pair.a].body != NO_BODY && bodies[pair.b].body != NO_BODY) pairs[query.pair_count++] = pair;
    }
    device_state *device = scene_device(scene);
    result = device_configurations_test(&device->configurations, &device->scene, trees->there, &query,
                                        &request->refused, &request->refused_pose);
  }
  memory_release(heap, pairs, request->pair_count, sizeof *pairs);
  memory_release(heap, bodies, parts, sizeof *bodies);
  return result;
}

graze_result device_test_configurations(const graze_scene *scene, configuration_request *request) {
  const size_t answer_bytes = request->answer == GRAZE_CONFIGURATION_ANY      ? sizeof(uint8_t)
                              : request->answer == GRAZE_CONFIGURATION_COUNTS ? sizeof(uint64_t)
                                                                              : request->column_count;
  graze_result result = check_scene(scene);
  if (result == GRAZE_OK)
    result = posing_check_blocks(scene, request, answer_bytes,
                                 request->answer == GRAZE_CONFIGURATION_COUNTS ? sizeof(uint64_t) : 1);
  if (result != GRAZE_OK) return result;
  call_trees trees;
  result = call_trees_open(scene, request->parts, request->part_count, &trees);
  if (result == GRAZE_OK) result = run_configurations(scene, request, &trees, answer_bytes);
  call_trees_close(scene, &trees);
  if (result == GRAZE_STOPPED) return result;
  return result == GRAZE_OK ? GRAZE_OK : device_backend_fail(scene, result);
}
