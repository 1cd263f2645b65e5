/* Batches on a device: the trees of the call, and the location of poses and answers.
 *
 * Tests run on the device alone. For least distances, the device finds the nearest pair of primitives, and the host
 * writes the rows with the functions of the backend cpu, so that they are bit for bit equal: it measures that pair
 * again, proves the interval, and searches the cases that the pair does not determine: needles, and distances that
 * differ in the last bits.
 *
 * Workload: 10^4 to 10^6 configurations. Chunks of distances have some ten thousand; each takes a microsecond on the
 * host, during the search of the next chunk. */
#include "backend_cuda/batch_call.h"

#include "backend_cpu/cpu_batch.h"
#include "backend_cuda/cuda_scene.h"
#include "backend_cuda/device_method.h"
#include "scene/object_positions.h"
#include "scene/scene_failure.h"
#include "scene/scene_numbers.h"

#include <string.h>

/* A chunk of configurations in progress: the device searches, and the host writes rows. */
typedef struct distance_chunk {
  size_t first, count;
  const graze_pose *poses;      /* on the host */
  configuration_nearest *found; /* allocated for the largest chunk, like those below */
  graze_pose *own_poses;        /* if the caller has them on the device; otherwise NULL */
} distance_chunk;

typedef struct batch_call {
  const graze_scene *scene;
  batch_request *request;
  const device_forest *there; /* the method's trees; with a method without trees, trees for this call only */
  pose_trees here;            /* the same bodies on the host; blocks may be out of date */
  device_batch_query query;
  configuration_part *parts;
  configuration_pair *pairs;
  uint32_t *numbers; /* indices of those pairs in the request */
  /* Distances. */
  pose_trees search_trees; /* on the host, for configurations that the device leaves undecided */
  bool has_search_trees;
  bool on_device; /* otherwise the host does everything: there are no pairs of bodies, or there is padding, or a visit
                     limit, which makes the answers depend on the order of the search */
  size_t room, tasks;       /* configurations of a chunk; searches of one configuration */
  distance_chunk chunks[2]; /* one that is searched, and one whose rows are written */
  graze_nearest *rows;      /* of a chunk, if the caller has them on the device; otherwise NULL */
  uint8_t *open;
} batch_call;

/* ---------------------------------------------------------------------------------------------- the call */

static size_t answer_bytes(const batch_request *request) {
  const size_t bytes[] = {
      [BATCH_HITS] = sizeof(uint8_t), [BATCH_COUNTS] = sizeof(uint64_t), [BATCH_NEAREST] = sizeof(graze_nearest)};
  return bytes[request->answer];
}

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

/* If the host builds the trees of the call, it must have the positions. */
static graze_result check_call(const graze_scene *scene, const batch_request *request) {
  graze_result result = device_method_trees(scene) == NULL ? scene_check_on_host(scene) : GRAZE_OK;
  if (result == GRAZE_OK && request->device_poses)
    result = check_block(scene, "the poses", request->poses,
                         request->count * request->moving_count * sizeof *request->poses, sizeof(double));
  if (result == GRAZE_OK && request->device_answers)
    result = check_block(scene, "the answers", request->answers,
                         request->count * request->column_count * answer_bytes(request),
                         request->answer == BATCH_HITS ? 1 : sizeof(double));
  return result;
}

static graze_result upload_own_trees(batch_call *call) {
  const graze_scene *scene = call->scene;
  const batch_request *request = call->request;
  memory *heap = scene_scratch(scene);
  device_state *device = scene_device(scene);
  device_forest *there = &device->batch.trees;
  object_source *sources = memory_allocate(heap, request->part_count, sizeof *sources);
  if (sources == NULL) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < request->part_count; i++) sources[i] = scene_source_of(scene, request->parts[i]);
  graze_result result = device_forest_take(there, &device->memory, &call->here.own, sources);
  if (result == GRAZE_OK) result = device_forest_take_posed(there, &device->memory, &call->here.own);
  memory_release(heap, sources, request->part_count, sizeof *sources);
  call->there = there;
  return result;
}

static graze_result open_trees(batch_call *call) {
  const graze_scene *scene = call->scene;
  const batch_request *request = call->request;
  call->there = device_method_trees(scene);
  call->here.forest = call->there == NULL ? &call->here.own : call->there->of;
  graze_result result = device_state_follow_host(scene_device(scene));
  if (call->there != NULL || result != GRAZE_OK) return result;
  result = pose_trees_build(scene, request->parts, request->part_count, true, &call->here.own);
  return result == GRAZE_OK ? upload_own_trees(call) : result;
}

/* Collects bodies of the parts, and the pairs with two bodies. */
static graze_result list_bodies(batch_call *call) {
  const batch_request *request = call->request;
  memory *heap = scene_scratch(call->scene);
  call->parts = memory_allocate(heap, request->part_count, sizeof *call->parts);
  call->pairs = memory_allocate(heap, request->pair_count, sizeof *call->pairs);
  call->numbers = memory_allocate(heap, request->pair_count, sizeof *call->numbers);
  if (call->parts == NULL || call->pairs == NULL || call->numbers == NULL) return GRAZE_OUT_OF_MEMORY;
  device_batch_query *query = &call->query;
  *query = (device_batch_query){.parts = call->parts,
                                .part_count = request->part_count,
                                .moving_count = request->moving_count,
                                .pairs = call->pairs,
                                .column_count = request->column_count,
                                .padding = request->padding,
                                .limit = request->limit,
                                .poses = request->poses,
                                .poses_on_device = request->device_poses,
                                .count = request->count,
                                .stop = request->stop,
                                .counts = request->answer == BATCH_COUNTS,
                                .test = request->test,
                                .answers = request->answers,
                                .answers_on_device = request->device_answers,
                                .any_contact = request->goal == NEAREST_ANY_CONTACT};
  for (size_t i = 0; i < request->part_count; i++)
    call->parts[i] = (configuration_part){request->parts[i], pose_trees_body(&call->here, request->parts[i], i)};
  for (size_t i = 0; i < request->pair_count; i++) {
    const configuration_pair pair = request->pairs[i];
    if (call->parts[pair.a].body == NO_BODY || call->parts[pair.b].body == NO_BODY) continue;
    call->numbers[query->pair_count] = (uint32_t)i;
    call->pairs[query->pair_count++] = pair;
  }
  call->on_device = query->pair_count > 0 && request->visit_limit == 0 && request->padding == NULL;
  return GRAZE_OK;
}

static void close_call(batch_call *call) {
  const batch_request *request = call->request;
  memory *heap = scene_scratch(call->scene);
  memory_release(heap, call->rows, call->room, request->column_count * sizeof *call->rows);
  memory_release(heap, call->open, call->room, 1);
  for (int i = 0; i < 2; i++) {
    memory_release(heap, call->chunks[i].own_poses, call->room, request->moving_count * sizeof(graze_pose));
    memory_release(heap, call->chunks[i].found, call->room, call->tasks * sizeof(configuration_nearest));
  }
  memory_release(heap, call->numbers, request->pair_count, sizeof *call->numbers);
  memory_release(heap, call->pairs, request->pair_count, sizeof *call->pairs);
  memory_release(heap, call->parts, request->part_count, sizeof *call->parts);
  if (call->has_search_trees) pose_trees_close(&call->search_trees);
  if (call->there == &scene_device(call->scene)->batch.trees) scene_device(call->scene)->batch.trees.of = NULL;
  pose_trees_close(&call->here);
}

/* ---------------------------------------------------------------------------------------------- distances */

static graze_result make_chunks(batch_call *call) {
  const batch_request *request = call->request;
  memory *heap = scene_scratch(call->scene);
  device_state *device = scene_device(call->scene);
  const size_t most = device_distances_chunk(&device->scene, &call->query);
  call->room = most < request->count ? most : request->count;
  call->tasks = device_batch_tasks(&call->query);
  bool good = true;
  for (int i = 0; i < 2; i++) {
    distance_chunk *chunk = &call->chunks[i];
    chunk->found = memory_allocate(heap, call->room, call->tasks * sizeof *chunk->found);
    if (request->device_poses)
      chunk->own_poses = memory_allocate(heap, call->room, request->moving_count * sizeof *chunk->own_poses);
    good = good && chunk->found != NULL && (chunk->own_poses != NULL || !request->device_poses);
  }
  call->open = memory_allocate(heap, call->room, 1);
  if (request->device_answers)
    call->rows = memory_allocate(heap, call->room, request->column_count * sizeof *call->rows);
  if (!good || call->open == NULL || (call->rows == NULL && request->device_answers)) return GRAZE_OUT_OF_MEMORY;
  if (!call->on_device) return GRAZE_OK;
  return device_distances_open(&device->batch, &device->scene, &call->query, call->room);
}

/* Searches the configurations that the device leaves undecided on the host. */
static graze_result search_open(batch_call *call, batch_request *part) {
  graze_result result = GRAZE_OK;
  if (!call->has_search_trees) {
    call->search_trees.forest = &call->search_trees.own;
    call->has_search_trees = true;
    result = pose_trees_build(call->scene, part->parts, part->part_count, false, &call->search_trees.own);
  }
  return result == GRAZE_OK ? batch_run_with(call->scene, part, &call->search_trees, call->open) : result;
}

static void note_refused(batch_request *request, const distance_chunk *chunk, size_t pose) {
  if (pose == chunk->count * request->moving_count) return;
  request->refused = chunk->first * request->moving_count + pose;
  request->refused_pose = chunk->poses[pose];
}

/* Writes the rows of a chunk. */
static graze_result finish_chunk(batch_call *call, const distance_chunk *chunk) {
  batch_request *request = call->request;
  const device_operations *device = &scene_device(call->scene)->memory.operations;
  graze_nearest *there = (graze_nearest *)request->answers + chunk->first * request->column_count;
  batch_request part = *request;
  part.count = chunk->count;
  part.poses = chunk->poses;
  part.answers = request->device_answers ? call->rows : there;
  memset(call->open, 1, chunk->count);
  const found_distances found = {chunk->found, call->numbers, call->query.pair_count, call->open};
  graze_result result = GRAZE_OK;
  if (call->on_device) result = batch_finish(call->scene, &part, &call->here, &found);
  if (result == GRAZE_OK && memchr(call->open, 1, chunk->count) != NULL) result = search_open(call, &part);
  if (result == GRAZE_OK) note_refused(request, chunk, part.refused);
  if (result == GRAZE_OK && request->device_answers)
    result = device->upload(device->context, there, call->rows, chunk->count * request->column_count * sizeof *there);
  return result;
}

/* Starts the search of a chunk on the device, from a configuration on. */
static graze_result queue_chunk(batch_call *call, distance_chunk *chunk, size_t first) {
  const batch_request *request = call->request;
  device_state *device = scene_device(call->scene);
  const device_operations *operations = &device->memory.operations;
  const graze_pose *poses = request->poses + first * request->moving_count;
  const size_t left = request->count - first;
  chunk->first = first;
  chunk->count = left < call->room ? left : call->room;
  chunk->poses = request->device_poses ? chunk->own_poses : poses;
  graze_result result = GRAZE_OK;
  if (request->device_poses)
    result = operations->download(operations->context, chunk->own_poses, poses,
                                  chunk->count * request->moving_count * sizeof *poses);
  if (result != GRAZE_OK || !call->on_device) return result;
  return device_distances_queue(&device->batch, &device->scene, call->there, &call->query, first, chunk->count);
}

/* Waits for a chunk. */
static graze_result fetch_chunk(batch_call *call, const distance_chunk *chunk) {
  device_state *device = scene_device(call->scene);
  size_t refused;
  if (!call->on_device) return GRAZE_OK;
  const graze_result result =
      device_distances_fetch(&device->batch, &device->scene, &call->query, chunk->count, chunk->found, &refused);
  if (result == GRAZE_OK) note_refused(call->request, chunk, refused);
  return result;
}

/* The host writes the rows of a chunk while the device searches the next. Rows on the device are complete for every
 * stream when this returns. */
static graze_result run_chunks(batch_call *call) {
  const batch_request *request = call->request;
  const device_operations *device = &scene_device(call->scene)->memory.operations;
  const size_t count = request->count, poses = count * request->moving_count;
  size_t number = 0;
  graze_result result = queue_chunk(call, &call->chunks[0], 0);
  for (size_t first = 0; result == GRAZE_OK && first < count; number++) {
    distance_chunk *chunk = &call->chunks[number % 2], *next = &call->chunks[(number + 1) % 2];
    if (stop_is_requested(request->stop)) return GRAZE_STOPPED;
    result = fetch_chunk(call, chunk);
    if (result != GRAZE_OK || request->refused < poses) return result;
    first += chunk->count;
    if (first < count) result = queue_chunk(call, next, first);
    if (result == GRAZE_OK) result = finish_chunk(call, chunk);
    if (request->refused < poses) return result;
  }
  return result == GRAZE_OK && request->device_answers ? device->wait(device->context) : result;
}

graze_result device_run_batch(const graze_scene *scene, batch_request *request) {
  graze_result result = check_call(scene, request);
  if (result != GRAZE_OK) return result;
  device_state *device = scene_device(scene);
  batch_call call = {.scene = scene, .request = request};
  tree_forest_init(&call.here.own, scene_scratch(scene), &(tree_options){0});
  result = open_trees(&call);
  if (result == GRAZE_OK) result = list_bodies(&call);
  if (result == GRAZE_OK && request->answer != BATCH_NEAREST) {
    result = device_batch_test(&device->batch, &device->scene, call.there, &call.query, &request->refused,
                               &request->refused_pose);
  } else if (result == GRAZE_OK) {
    result = make_chunks(&call);
    if (result == GRAZE_OK) result = run_chunks(&call);
  }
  close_call(&call);
  return result == GRAZE_OK || result == GRAZE_STOPPED ? result : device_backend_fail(scene, result);
}
