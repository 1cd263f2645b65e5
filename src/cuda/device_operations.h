/* The operations of a device: memory, copies, stages, a scan, a sort. One table for CUDA, one for the host emulation in
 * the tests.
 *
 * Operations are queued and run in order; only `download` and `wait` wait for earlier ones. A failure is a result code,
 * and `error` then returns the message. */
#ifndef GRAZE_CUDA_DEVICE_OPERATIONS_H
#define GRAZE_CUDA_DEVICE_OPERATIONS_H

#include "cuda/device_stages.h"
#include "graze/graze.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Points of a frame between which time is measured. */
typedef enum device_mark {
  MARK_UPDATE_BEGIN,
  MARK_UPDATE_END,
  MARK_MEASURE_BEGIN,
  MARK_BEGIN,
  MARK_BOXES,
  MARK_BUILT,
  MARK_SEARCHED,
  MARK_TESTED,
  MARK_ORDERED,
  MARK_CONTACTS_BEGIN,
  MARK_CONTACTS_END,
  MARK_COUNT
} device_mark;

/* Sequences of operations that recur every frame. */
typedef enum device_sequence {
  SEQUENCE_UPDATE,
  SEQUENCE_QUERY,
  SEQUENCE_FOCUS,  /* a query about objects or in a box, separate so that it can alternate with one about everything */
  SEQUENCE_WRENCH, /* one for wrenches, likewise */
  SEQUENCE_MEASURE,
  SEQUENCE_COUNT
} device_sequence;

enum { SIGNATURE_MOST = 4096 };

typedef struct device_operations {
  void *context;
  size_t first_capacity; /* initial capacity of lists; 0: by the number of primitives */
  size_t most_groups;    /* groups of lower primitives in which pairs are counted; 0: as many as a short scan covers */
  size_t bulk_block;     /* size of the blocks of bulk copies; 0: the default */
  size_t vertex_lanes;   /* most threads that measure vertices, several vertices each */

  graze_result (*allocate)(void *context, size_t bytes, void **memory_out);
  void (*release)(void *context, void *block, size_t bytes); /* `block` may be NULL; the device may be lost */
  /* Memory of a caller's list, which may outlive the context: released by the device's number alone. */
  int device;
  graze_result (*allocate_list)(void *context, size_t bytes, void **memory_out);
  void (*release_list)(int device, void *block);
  graze_result (*copy)(void *context, void *to, const void *from,
                       size_t bytes); /* from device to device, done on return */
  /* Whether the device can read a caller's memory; GRAZE_INVALID_ARGUMENT if it cannot. */
  graze_result (*check_memory)(void *context, const void *block, size_t bytes);
  /* Returns when `from` was read: the caller may then change or release it. */
  graze_result (*upload)(void *context, void *to, const void *from, size_t bytes);
  /* Pinned host memory, which the device reads and writes directly. An upload from it happens some time before the next
   * download or wait returns; the data must not change until then. */
  graze_result (*allocate_staging)(void *context, size_t bytes, void **memory_out);
  void (*release_staging)(void *context, void *block, size_t bytes); /* `block` may be NULL; the device may be lost */
  graze_result (*upload_staged)(void *context, void *to, const void *from, size_t bytes);
  /* Downloads to pinned memory, some time before `wait` returns, after all operations queued before. */
  graze_result (*download_staged)(void *context, void *to, const void *from, size_t bytes);
  graze_result (*wait)(void *context);
  graze_result (*download)(void *context, void *to, const void *from, size_t bytes);
  graze_result (*clear)(void *context, void *block, int byte, size_t bytes);

  /* Orders all operations queued after the call behind the current work of a caller's stream. */
  graze_result (*wait_for)(void *context, void *stream);

  /* Runs the body of the stage for every index; `bound` is at least their number. The view has the type of the stage's
   * row, and is copied. */
  graze_result (*run)(void *context, device_stage stage, size_t bound, const void *view, size_t view_bytes);

  /* Reserves memory for the two below; must be called before them. */
  graze_result (*reserve)(void *context, size_t scan_count, size_t sort_count);
  /* Replaces each count by the sum of those before it. If the device knows that the sum of all is zero, they may stay
   * unchanged. */
  graze_result (*scan)(void *context, uint32_t *counts, size_t count, const uint64_t *sum_or_null);
  /* Sorts by the low `bits` bits. */
  graze_result (*sort)(void *context, const uint64_t *keys, uint64_t *sorted_out, size_t count, uint32_t bits);

  /* The operations queued between `begin` and `end` may be kept and repeated: they must depend only on the
   * signature, of at most SIGNATURE_MOST bytes. True: they were kept for the same signature; the caller then queues
   * nothing, and `end` runs them. */
  bool (*begin)(void *context, device_sequence sequence, const void *signature, size_t signature_bytes);
  graze_result (*end)(void *context);
  /* Inside of a sequence: operations queued from `true` to `false` run concurrently with those after them. They
   * begin after all earlier ones, and end before the next mark. */
  graze_result (*beside)(void *context, bool begins);
  /* Kernels, clearings and copies of the kept sequence; 0: none is kept. */
  size_t (*launches)(void *context, device_sequence sequence);

  graze_result (*mark)(void *context, device_mark mark);
  /* Valid after a download that follows both marks. */
  double (*milliseconds)(void *context, device_mark from, device_mark to);

  const char *(*error)(void *context);
  void (*close)(void *context);
} device_operations;

/* ---------------------------------------------------------------------------------------------- a queue
 *
 * Queues operations in order, up to the first operation that fails.
 *
 * A file that queues stages expands their list with QUEUED_STAGE; queue_stage(queue, name, view) then requires the view
 * type of that stage. */

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
