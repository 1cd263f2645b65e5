/* Batches of poses and of configurations on a device: the trees of the call, and where poses and answers lie.
 *
 * Workload: once a call of 10^4 to 10^6 poses, linear in the objects that are in it. */
#include "backend_cuda/device_posing.h"

#include "backend_cpu/cpu_pose_distances.h"
#include "backend_cuda/cuda_scene.h"
#include "backend_cuda/device_failure.h"
#include "backend_cuda/device_method.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

/* Those that the method has on the device; with another method, those of the call alone. */
typedef struct call_trees {
  const device_forest *there;
  tree_forest own; /* a body for each object of the call */
  bool is_own;
} call_trees;

static graze_result upload_own_trees(const graze_scene *scene, const uint32_t *objects, size_t count,
                                     call_trees *trees) {
  memory *heap = scene_scratch(scene);
  device_state *device = scene_device(scene);
  device_forest *there = &device->poses.trees;
  object_source *sources = memory_allocate(heap, count, sizeof *sources);
  if (sources == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++) sources[i] = scene_source_of(scene, objects[i]);
  graze_result result = device_forest_take(there, &device->memory, &trees->own, sources);
  if (result == GRAZE_OK) result = device_forest_take_posed(there, &device->memory, &trees->own);
  memory_release(heap, sources, count, sizeof *sources);
  trees->there = there;
  return result;
}

/* Close them, whatever the result. Failures have no message yet. */
static graze_result open_trees(const graze_scene *scene, const uint32_t *objects, size_t count, call_trees *trees) {
  tree_forest_init(&trees->own, scene_scratch(scene), &(tree_options){0});
  trees->there = device_method_trees(scene);
  trees->is_own = trees->there == NULL;
  graze_result result = device_state_follow_host(scene_device(scene));
  if (!trees->is_own || result != GRAZE_OK) return result;
  result = pose_trees_build(scene, objects, count, true, &trees->own);
  return result == GRAZE_OK ? upload_own_trees(scene, objects, count, trees) : result;
}

static void close_trees(const graze_scene *scene, call_trees *trees) {
  if (trees->is_own) scene_device(scene)->poses.trees.of = NULL;
  tree_forest_release(&trees->own);
}

/* The body of an object, which has this place among those of the call. */
static uint32_t body_of(const call_trees *trees, uint32_t object, size_t place) {
  return trees->is_own ? trees->own.body_of[place] : device_forest_body(trees->there, object);
}

/* Trees of the call are built by the host. */
static graze_result check_scene(const graze_scene *scene) {
  return device_method_trees(scene) == NULL ? scene_check_on_host(scene) : GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- poses */

static graze_result run_poses(const graze_scene *scene, pose_request *request, const call_trees *trees) {
  const uint32_t still = body_of(trees, request->still, 0);
  const uint32_t moving = body_of(trees, request->moving, request->still == request->moving ? 0 : 1);
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
  if (request->count > UINT32_MAX - 1)
    return scene_fail(scene, GRAZE_TOO_LARGE, "%zu poses are more than can be numbered", request->count);
  if (stop_is_asked_for(request->stop)) return GRAZE_STOPPED;
  const uint32_t objects[2] = {request->still, request->moving};
  call_trees trees;
  result = open_trees(scene, objects, request->still == request->moving ? 1 : 2, &trees);
  if (result == GRAZE_OK) result = run_poses(scene, request, &trees);
  close_trees(scene, &trees);
  return result == GRAZE_OK ? GRAZE_OK : device_backend_fail(scene, result);
}

/* ---------------------------------------------------------------------------------------------- configurations */

/* What the caller has on the device must be there, and begin at a number. */
static graze_result check_block(const graze_scene *scene, const char *what, const void *block, size_t bytes,
                                size_t number_bytes) {
  const device_operations *operations = &scene_device(scene)->memory.operations;
  if ((uintptr_t)block % number_bytes != 0)
    return scene_fail(scene, GRAZE_INVALID_ARGUMENT, "%s: they do not begin at a multiple of %zu bytes", what,
                      number_bytes);
  const graze_result result = operations->check_memory(operations->context, block, bytes);
  return result == GRAZE_OK ? GRAZE_OK
                            : scene_fail(scene, result, "%s: %s", what, operations->error(operations->context));
}

static graze_result check_blocks(const graze_scene *scene, const configuration_request *request, size_t answer_bytes,
                                 size_t number_bytes) {
  graze_result result = GRAZE_OK;
  if (request->device_poses)
    result = check_block(scene, "the poses", request->poses,
                         request->count * request->moving_count * sizeof *request->poses, sizeof(double));
  if (result == GRAZE_OK && request->device_answers)
    result = check_block(scene, "the answers", request->answers, request->count * answer_bytes, number_bytes);
  return result;
}

/* Bodies of the parts, and the pairs of which both have one. */
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
                                      .poses_are_there = request->device_poses,
                                      .count = request->count,
                                      .answer = request->answer,
                                      .test = request->test,
                                      .stop = request->stop,
                                      .answer_bytes = answer_bytes,
                                      .answers = request->answers,
                                      .answers_are_there = request->device_answers};
  graze_result result = bodies != NULL && pairs != NULL ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
  if (result == GRAZE_OK) {
    for (size_t i = 0; i < parts; i++)
      bodies[i] = (configuration_part){request->parts[i], body_of(trees, request->parts[i], i)};
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
    result = check_blocks(scene, request, answer_bytes,
                          request->answer == GRAZE_CONFIGURATION_COUNTS ? sizeof(uint64_t) : 1);
  if (result != GRAZE_OK) return result;
  call_trees trees;
  result = open_trees(scene, request->parts, request->part_count, &trees);
  if (result == GRAZE_OK) result = run_configurations(scene, request, &trees, answer_bytes);
  close_trees(scene, &trees);
  if (result == GRAZE_STOPPED) return result;
  return result == GRAZE_OK ? GRAZE_OK : device_backend_fail(scene, result);
}

/* ---------------------------------------------------------------------------------------------- distances */

/* Configurations at a time, of which the host has poses and rows. */
enum { DISTANCE_BYTES_MOST = 1 << 26 };

/* A chunk of a request, with the parts on the host that the caller has on the device. */
typedef struct distance_chunk {
  size_t count, pose_bytes, row_bytes; /* bytes of a configuration */
  graze_pose *poses;                   /* NULL: the caller's */
  graze_nearest *rows;                 /* likewise */
} distance_chunk;

static graze_result chunk_begin(const graze_scene *scene, const configuration_request *request, distance_chunk *chunk) {
  memory *heap = scene_scratch(scene);
  const size_t rows = request->answer == GRAZE_CONFIGURATION_OBJECT_PAIRS ? request->column_count : 1;
  chunk->pose_bytes = request->moving_count * sizeof(graze_pose);
  chunk->row_bytes = rows * sizeof(graze_nearest);
  const size_t most = DISTANCE_BYTES_MOST / (chunk->pose_bytes + chunk->row_bytes) + 1;
  chunk->count = most < request->count ? most : request->count;
  if (request->device_poses) chunk->poses = memory_allocate(heap, chunk->count, chunk->pose_bytes);
  if (request->device_answers) chunk->rows = memory_allocate(heap, chunk->count, chunk->row_bytes);
  return (request->device_poses && chunk->poses == NULL) || (request->device_answers && chunk->rows == NULL)
             ? GRAZE_OUT_OF_MEMORY
             : GRAZE_OK;
}

static void chunk_end(const graze_scene *scene, distance_chunk *chunk) {
  memory *heap = scene_scratch(scene);
  memory_release(heap, chunk->rows, chunk->count, chunk->row_bytes);
  memory_release(heap, chunk->poses, chunk->count, chunk->pose_bytes);
}

/* Measures `part`, some configurations of a request. */
static graze_result run_chunk(const graze_scene *scene, const distance_chunk *chunk, const pose_trees *trees,
                              configuration_request *part) {
  const device_operations *device = &scene_device(scene)->memory.operations;
  void *const there = part->answers;
  graze_result result = GRAZE_OK;
  if (part->device_poses) {
    result = device->download(device->context, chunk->poses, part->poses, part->count * chunk->pose_bytes);
    part->poses = chunk->poses;
  }
  if (part->device_answers) part->answers = chunk->rows;
  if (result == GRAZE_OK) result = pose_distances_run(scene, part, trees);
  if (result == GRAZE_OK && part->device_answers)
    result = device->upload(device->context, there, chunk->rows, part->count * chunk->row_bytes);
  return result;
}

static graze_result run_distances(const graze_scene *scene, configuration_request *request, const pose_trees *trees) {
  distance_chunk chunk = {0};
  graze_result result = chunk_begin(scene, request, &chunk);
  for (size_t first = 0; first < request->count && result == GRAZE_OK; first += chunk.count) {
    const size_t left = request->count - first, poses = first * request->moving_count;
    configuration_request part = *request;
    part.count = left < chunk.count ? left : chunk.count;
    part.poses = request->poses + poses;
    part.answers = (char *)request->answers + first * chunk.row_bytes;
    result = run_chunk(scene, &chunk, trees, &part);
    if (part.refused == part.count * request->moving_count) continue;
    request->refused = poses + part.refused;
    request->refused_pose = part.refused_pose;
    break;
  }
  chunk_end(scene, &chunk);
  return result;
}

graze_result device_measure_configurations(const graze_scene *scene, configuration_request *request) {
  const size_t rows = request->answer == GRAZE_CONFIGURATION_OBJECT_PAIRS ? request->column_count : 1;
  graze_result result = check_blocks(scene, request, rows * sizeof(graze_nearest), sizeof(double));
  if (result != GRAZE_OK) return result;
  pose_trees trees = {.forest = &trees.own};
  result = pose_trees_build(scene, request->parts, request->part_count, false, &trees.own);
  if (result == GRAZE_OK) result = run_distances(scene, request, &trees);
  pose_trees_close(&trees);
  return result == GRAZE_OK || result == GRAZE_STOPPED ? result : device_backend_fail(scene, result);
}
