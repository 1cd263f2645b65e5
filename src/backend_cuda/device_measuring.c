/* Least distances of batches of poses on a device. The device searches, and the host writes the rows with the functions
 * of the backend cpu, so that they are bit for bit equal.
 *
 * The device finds the nearest pair of primitives. The host measures that pair again, proves the interval, and searches
 * the cases that the pair does not determine: needles, and distances that differ in the last bits.
 *
 * Workload: chunks of some ten thousand configurations; each takes a microsecond on the host, during the search of the
 * next chunk. */
#include "backend_cuda/device_measuring.h"

#include "backend_cpu/cpu_pose_distances.h"
#include "backend_cuda/call_trees.h"
#include "backend_cuda/cuda_scene.h"
#include "backend_cuda/device_posing.h"

#include <string.h>

/* A chunk of configurations in progress: the device searches, and the host writes rows. */
typedef struct distance_chunk {
  size_t first, count;
  const graze_pose *poses;      /* on the host */
  configuration_nearest *found; /* allocated for the largest chunk, like those below */
  graze_pose *own_poses;        /* if the caller has them on the device; otherwise NULL */
} distance_chunk;

typedef struct distance_call {
  const graze_scene *scene;
  configuration_request *request;
  call_trees trees;
  pose_trees search_trees; /* on the host, for configurations that the device leaves undecided */
  bool has_search_trees;
  bool on_device; /* otherwise the host does everything: there are no pairs of bodies, or there is a visit limit, which
                     makes the answers depend on the order of the search */
  device_distance_query query;
  configuration_part *parts;
  configuration_pair *pairs;
  uint32_t *numbers;             /* indices of those pairs in the request */
  size_t room, row_count, tasks; /* configurations of a chunk; rows, and searches, of one configuration */
  distance_chunk chunks[2];      /* one that is searched, and one whose rows are written */
  graze_nearest *rows;           /* of a chunk, if the caller has them on the device; otherwise NULL */
  uint8_t *open;
} distance_call;

/* Collects bodies of the parts, and the pairs with two bodies. */
static graze_result list_bodies(distance_call *call) {
  const configuration_request *request = call->request;
  memory *heap = scene_scratch(call->scene);
  call->parts = memory_allocate(heap, request->part_count, sizeof *call->parts);
  call->pairs = memory_allocate(heap, request->pair_count, sizeof *call->pairs);
  call->numbers = memory_allocate(heap, request->pair_count, sizeof *call->numbers);
  if (call->parts == NULL || call->pairs == NULL || call->numbers == NULL) return GRAZE_OUT_OF_MEMORY;
  device_distance_query *query = &call->query;
  *query = (device_distance_query){.parts = call->parts,
                                   .part_count = request->part_count,
                                   .moving_count = request->moving_count,
                                   .pairs = call->pairs,
                                   .each_pair = request->answer == GRAZE_CONFIGURATION_OBJECT_PAIRS,
                                   .max_distance = request->max_distance};
  for (size_t i = 0; i < request->part_count; i++)
    call->parts[i] = (configuration_part){request->parts[i], pose_trees_body(&call->trees.here, request->parts[i], i)};
  for (size_t i = 0; i < request->pair_count; i++) {
    const configuration_pair pair = request->pairs[i];
    if (call->parts[pair.a].body == NO_BODY || call->parts[pair.b].body == NO_BODY) continue;
    call->numbers[query->pair_count] = (uint32_t)i;
    call->pairs[query->pair_count++] = pair;
  }
  call->on_device = query->pair_count > 0 && request->visit_limit == 0;
  return GRAZE_OK;
}

static graze_result make_chunks(distance_call *call) {
  const configuration_request *request = call->request;
  memory *heap = scene_scratch(call->scene);
  device_state *device = scene_device(call->scene);
  const size_t most = device_distances_chunk(&device->scene, &call->query);
  call->room = most < request->count ? most : request->count;
  call->row_count = call->query.each_pair ? request->column_count : 1;
  call->tasks = call->query.each_pair ? call->query.pair_count : 1;
  bool good = true;
  for (int i = 0; i < 2; i++) {
    distance_chunk *chunk = &call->chunks[i];
    chunk->found = memory_allocate(heap, call->room, call->tasks * sizeof *chunk->found);
    if (request->device_poses)
      chunk->own_poses = memory_allocate(heap, call->room, request->moving_count * sizeof *chunk->own_poses);
    good = good && chunk->found != NULL && (chunk->own_poses != NULL || !request->device_poses);
  }
  call->open = memory_allocate(heap, call->room, 1);
  if (request->device_answers) call->rows = memory_allocate(heap, call->room, call->row_count * sizeof *call->rows);
  if (!good || call->open == NULL || (call->rows == NULL && request->device_answers)) return GRAZE_OUT_OF_MEMORY;
  if (!call->on_device) return GRAZE_OK;
  return device_distances_open(&device->distances, &device->scene, &call->query, call->room);
}

static void close_call(distance_call *call) {
  const configuration_request *request = call->request;
  memory *heap = scene_scratch(call->scene);
  memory_release(heap, call->rows, call->room, call->row_count * sizeof *call->rows);
  memory_release(heap, call->open, call->room, 1);
  for (int i = 0; i < 2; i++) {
    memory_release(heap, call->chunks[i].own_poses, call->room, request->moving_count * sizeof(graze_pose));
    memory_release(heap, call->chunks[i].found, call->room, call->tasks * sizeof(configuration_nearest));
  }
  memory_release(heap, call->numbers, request->pair_count, sizeof *call->numbers);
  memory_release(heap, call->pairs, request->pair_count, sizeof *call->pairs);
  memory_release(heap, call->parts, request->part_count, sizeof *call->parts);
  if (call->has_search_trees) pose_trees_close(&call->search_trees);
}

/* Searches the configurations that the device leaves undecided on the host. */
static graze_result search_open(distance_call *call, configuration_request *part) {
  graze_result result = GRAZE_OK;
  if (!call->has_search_trees) {
    call->search_trees.forest = &call->search_trees.own;
    call->has_search_trees = true;
    result = pose_trees_build(call->scene, part->parts, part->part_count, false, &call->search_trees.own);
  }
  return result == GRAZE_OK ? pose_distances_run(call->scene, part, &call->search_trees, call->open) : result;
}

static void note_refused(configuration_request *request, const distance_chunk *chunk, size_t pose) {
  if (pose == chunk->count * request->moving_count) return;
  request->refused = chunk->first * request->moving_count + pose;
  request->refused_pose = chunk->poses[pose];
}

/* Writes the rows of a chunk. */
static graze_result finish_chunk(distance_call *call, const distance_chunk *chunk) {
  configuration_request *request = call->request;
  const device_operations *device = &scene_device(call->scene)->memory.operations;
  graze_nearest *there = (graze_nearest *)request->answers + chunk->first * call->row_count;
  configuration_request part = *request;
  part.count = chunk->count;
  part.poses = chunk->poses;
  part.answers = request->device_answers ? call->rows : there;
  memset(call->open, 1, chunk->count);
  const found_distances found = {chunk->found, call->numbers, call->query.pair_count, call->open};
  graze_result result = GRAZE_OK;
  if (call->on_device) result = pose_distances_finish(call->scene, &part, &call->trees.here, &found);
  if (result == GRAZE_OK && memchr(call->open, 1, chunk->count) != NULL) result = search_open(call, &part);
  if (result == GRAZE_OK) note_refused(request, chunk, part.refused);
  if (result == GRAZE_OK && request->device_answers)
    result = device->upload(device->context, there, call->rows, chunk->count * call->row_count * sizeof *there);
  return result;
}

/* Starts the search of a chunk on the device, from a configuration on. */
static graze_result queue_chunk(distance_call *call, distance_chunk *chunk, size_t first) {
  const configuration_request *request = call->request;
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
  return device_distances_queue(&device->distances, &device->scene, call->trees.there, &call->query, poses,
                                request->device_poses, chunk->count);
}

/* Waits for a chunk. */
static graze_result fetch_chunk(distance_call *call, const distance_chunk *chunk) {
  device_state *device = scene_device(call->scene);
  size_t refused;
  if (!call->on_device) return GRAZE_OK;
  const graze_result result =
      device_distances_fetch(&device->distances, &device->scene, &call->query, chunk->count, chunk->found, &refused);
  if (result == GRAZE_OK) note_refused(call->request, chunk, refused);
  return result;
}

/* The host writes the rows of a chunk while the device searches the next. Rows on the device are complete for every
 * stream when this returns. */
static graze_result run_chunks(distance_call *call) {
  const configuration_request *request = call->request;
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

graze_result device_measure_configurations(const graze_scene *scene, configuration_request *request) {
  const size_t rows = request->answer == GRAZE_CONFIGURATION_OBJECT_PAIRS ? request->column_count : 1;
  graze_result result = posing_check_blocks(scene, request, rows * sizeof(graze_nearest), sizeof(double));
  if (result != GRAZE_OK) return result;
  distance_call call = {.scene = scene, .request = request};
  result = call_trees_open(scene, request->parts, request->part_count, &call.trees);
  if (result == GRAZE_OK) result = list_bodies(&call);
  if (result == GRAZE_OK) result = make_chunks(&call);
  if (result == GRAZE_OK) result = run_chunks(&call);
  close_call(&call);
  call_trees_close(scene, &call.trees);
  return result == GRAZE_OK || result == GRAZE_STOPPED ? result : device_backend_fail(scene, result);
}
