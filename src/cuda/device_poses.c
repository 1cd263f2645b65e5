/* Batches of poses; see device_poses.h. */
#include "cuda/device_poses.h"

#include "cuda/device_operations.h"

POSE_STAGE_LIST(QUEUED_STAGE)

static graze_result upload_poses(device_poses *own, device_memory *held, const device_pose_query *query) {
  const size_t count = query->count;
  graze_result result = upload_spare(held, &own->poses, query->poses, count * sizeof *query->poses);
  if (result == GRAZE_OK) result = size_spare(held, &own->answers, (count + 1) * sizeof(uint64_t));
  return result;
}

graze_result device_poses_test(device_poses *own, const device_scene *scene, const device_forest *trees,
                               const device_pose_query *query, uint64_t *answers_out, size_t *refused_out) {
  device_memory *held = scene->memory;
  const device_operations *device = &held->operations;
  graze_result result = upload_poses(own, held, query);
  if (result == GRAZE_OUT_OF_MEMORY && release_spares(held)) result = upload_poses(own, held, query);
  if (result != GRAZE_OK) return result;
  uint64_t *answers = own->answers.data, refused = 0;
  const pose_view view = {.scene = device_scene_view(scene),
                          .forest = device_forest_view(trees),
                          .poses = own->poses.data,
                          .count = (uint32_t)query->count,
                          .still = query->still,
                          .moving = query->moving,
                          .still_object = query->still_object,
                          .moving_object = query->moving_object,
                          .counts = query->counts ? 1 : 0,
                          .answers = answers + 1,
                          .refused = answers,
                          .test = query->test};
  stage_queue queue = {device, GRAZE_OK};
  queue_clear(&queue, answers, 0, sizeof *answers);
  queue_stage(&queue, pose_answer, &view);
  result = queue.result;
  if (result == GRAZE_OK)
    result = device->download(device->context, answers_out, answers + 1, query->count * sizeof *answers);
  if (result == GRAZE_OK) result = device->download(device->context, &refused, answers, sizeof refused);
  *refused_out = refused != 0 ? (size_t)~refused : query->count;
  return result;
}
