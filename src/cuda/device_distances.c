/* Least distances of configurations; see device_distances.h.
 *
 * For each chunk of configurations, poses are applied, boxes of pairs of bodies are compared, and one warp searches
 * each configuration, or each pair of it. */
#include "cuda/device_distances.h"

#include "cuda/device_operations.h"

CONFIGURATION_STAGE_LIST(QUEUED_STAGE)
DISTANCE_STAGE_LIST(QUEUED_STAGE)

/* Bytes of a chunk on the device: enough to keep a large one busy, with several chunks in a batch of a million
 * poses. */
enum { CHUNK_BYTES = 1 << 26, TASKS_MOST = 1 << 24 };

static size_t tasks_of(const device_distance_query *query) {
  return query->each_pair ? query->pair_count : 1;
}

size_t device_distances_chunk(const device_scene *scene, const device_distance_query *query) {
  const size_t hint = scene->memory->operations.first_capacity;
  const size_t bytes = query->moving_count * (sizeof(rigid_pose) + sizeof(posed_space) + 1) +
                       query->pair_count * sizeof(double) + tasks_of(query) * sizeof(configuration_nearest);
  const size_t by_bytes = CHUNK_BYTES / bytes, by_pairs = (hint != 0 ? hint : TASKS_MOST) / (query->pair_count + 1);
  const size_t chunk = by_bytes < by_pairs ? by_bytes : by_pairs;
  return chunk > 0 ? chunk : 1;
}

static graze_result make_room(device_distances *own, device_memory *held, const device_distance_query *query,
                              size_t count) {
  const size_t poses = count * query->moving_count;
  graze_result result = upload_spare(held, &own->parts, query->parts, query->part_count * sizeof *query->parts);
  if (result == GRAZE_OK)
    result = upload_spare(held, &own->pairs, query->pairs, query->pair_count * sizeof *query->pairs);
  if (result == GRAZE_OK) result = size_spare(held, &own->poses, poses * sizeof(rigid_pose));
  if (result == GRAZE_OK) result = size_spare(held, &own->posed, poses * sizeof(posed_space));
  if (result == GRAZE_OK) result = size_spare(held, &own->free, poses);
  if (result == GRAZE_OK) result = size_spare(held, &own->bounds, count * query->pair_count * sizeof(double));
  if (result == GRAZE_OK)
    result = size_spare(held, &own->found, count * tasks_of(query) * sizeof(configuration_nearest));
  if (result == GRAZE_OK) result = size_spare(held, &own->state, sizeof(configuration_state));
  return result;
}

graze_result device_distances_open(device_distances *own, const device_scene *scene, const device_distance_query *query,
                                   size_t count) {
  device_memory *held = scene->memory;
  const graze_result result = make_room(own, held, query, count);
  if (result != GRAZE_OUT_OF_MEMORY || !release_spares(held)) return result;
  return make_room(own, held, query, count);
}

graze_result device_distances_queue(device_distances *own, const device_scene *scene, const device_forest *trees,
                                    const device_distance_query *query, const rigid_pose *poses, bool poses_on_device,
                                    size_t count) {
  device_memory *held = scene->memory;
  const size_t tasks = tasks_of(query);
  const distance_view view = {.base = {.scene = device_scene_view(scene),
                                       .forest = device_forest_view(trees),
                                       .parts = own->parts.data,
                                       .pairs = own->pairs.data,
                                       .poses = poses_on_device ? poses : own->poses.data,
                                       .posed = own->posed.data,
                                       .free = own->free.data,
                                       .state = own->state.data,
                                       .moving_count = (uint32_t)query->moving_count,
                                       .pair_count = (uint32_t)query->pair_count,
                                       .count = (uint32_t)count},
                              .max_distance = query->max_distance,
                              .task_count = (uint32_t)(count * tasks),
                              .task_pairs = (uint32_t)(query->pair_count / tasks),
                              .bounds = own->bounds.data,
                              .found = own->found.data};
  stage_queue queue = {&held->operations, GRAZE_OK};
  if (!poses_on_device) queue.result = upload(held, &own->poses, 0, poses, count * query->moving_count * sizeof *poses);
  queue_clear(&queue, own->state.data, 0, sizeof(configuration_state));
  queue_stage(&queue, configuration_place, &view.base);
  queue_stage(&queue, distance_bound, &view);
  queue_stage(&queue, distance_search, &view);
  return queue.result;
}

graze_result device_distances_fetch(device_distances *own, const device_scene *scene,
                                    const device_distance_query *query, size_t count, configuration_nearest *found_out,
                                    size_t *refused_out) {
  const device_operations *device = &scene->memory->operations;
  configuration_state state;
  graze_result result = device->download(device->context, &state, own->state.data, sizeof state);
  if (result == GRAZE_OK)
    result = device->download(device->context, found_out, own->found.data, count * tasks_of(query) * sizeof *found_out);
  if (result == GRAZE_OK) *refused_out = state.refused != 0 ? (size_t)~state.refused : count * query->moving_count;
  return result;
}
