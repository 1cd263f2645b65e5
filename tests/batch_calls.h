/* Batches as most tests make them. */
#ifndef GRAZE_TESTS_BATCH_CALLS_H
#define GRAZE_TESTS_BATCH_CALLS_H

#include "graze/batch.h"

/* A batch of configurations, without an array for its answers. */
static inline graze_batch_def batch_of(const graze_object *moving, size_t moving_count, const graze_pose *poses,
                                       size_t pose_count) {
  graze_batch_def batch = graze_batch_def_default();
  batch.moving = moving;
  batch.moving_count = moving_count;
  batch.poses = poses;
  batch.pose_count = pose_count;
  return batch;
}

/* Poses of the second object of a pair, whatever the filters. */
static inline graze_batch_def batch_of_pair(const graze_id_pair *pair, const graze_pose *poses, size_t count) {
  graze_batch_def batch = batch_of(&pair->b, 1, poses, count);
  batch.pairs = pair;
  batch.pair_count = 1;
  batch.ignore_filters = true;
  return batch;
}

static inline graze_result batch_hits(const graze_scene *scene, graze_batch_def batch, uint8_t *hits_out) {
  batch.hits_out = hits_out;
  return graze_scene_run_batch(scene, &batch);
}

static inline graze_result batch_counts(const graze_scene *scene, graze_batch_def batch, uint64_t *counts_out) {
  batch.counts_out = counts_out;
  return graze_scene_run_batch(scene, &batch);
}

static inline graze_result batch_nearest(const graze_scene *scene, graze_batch_def batch, graze_nearest *nearest_out) {
  batch.nearest_out = nearest_out;
  return graze_scene_run_batch(scene, &batch);
}

#endif
