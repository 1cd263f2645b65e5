/* Queues stages in order, up to the first operation that fails.
 *
 * A file that queues stages expands their list with QUEUED_STAGE; queue_stage(queue, name, view) then requires the view
 * type of that stage. */
#ifndef GRAZE_CUDA_DEVICE_QUEUE_H
#define GRAZE_CUDA_DEVICE_QUEUE_H

#include "cuda/device_operations.h"

typedef struct stage_queue {
  const device_operations *device;
  graze_result result;
} stage_queue;

static inline void queue_run(stage_queue *queue, device_stage stage, size_t bound, const void *view,
                             size_t view_bytes) {
  if (queue->result == GRAZE_OK && bound > 0)
    queue->result = queue->device->run(queue->device->context, stage, bound, view, view_bytes);
}

#define QUEUED_STAGE(view, name, count, bound)                                                                         \
  __attribute__((unused)) static inline void queue_stage_##name(stage_queue *queue, const view *v) {                   \
    queue_run(queue, STAGE_##name, (size_t)(bound), v, sizeof *v);                                                     \
  }

#define queue_stage(queue, name, view) queue_stage_##name(queue, view)

static inline void queue_clear(stage_queue *queue, void *data, int byte, size_t bytes) {
  if (queue->result == GRAZE_OK && bytes > 0)
    queue->result = queue->device->clear(queue->device->context, data, byte, bytes);
}

/* `sum_or_null` is the sum of all counts, if the device has it: if it is zero, the scan may be skipped. */
static inline void queue_scan(stage_queue *queue, uint32_t *counts, size_t count, const uint64_t *sum_or_null) {
  if (queue->result == GRAZE_OK)
    queue->result = queue->device->scan(queue->device->context, counts, count, sum_or_null);
}

/* By the low `bits` bits. */
static inline void queue_sort(stage_queue *queue, const uint64_t *keys, uint64_t *sorted_out, size_t count,
                              uint32_t bits) {
  if (queue->result == GRAZE_OK)
    queue->result = queue->device->sort(queue->device->context, keys, sorted_out, count, bits);
}

/* Operations queued from `true` to `false` run concurrently with those after them, up to the next mark. */
static inline void queue_beside(stage_queue *queue, bool begins) {
  if (queue->result == GRAZE_OK) queue->result = queue->device->beside(queue->device->context, begins);
}

static inline void queue_mark(stage_queue *queue, device_mark mark) {
  if (queue->result == GRAZE_OK) queue->result = queue->device->mark(queue->device->context, mark);
}

#endif
