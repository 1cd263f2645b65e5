/* The memory of one opened device: buffers, each owned by a part of the state, and copies between host and buffers.
 *
 * Spare buffers contain data that are computed again when needed: lists of queries, pairs, contacts. All of them are
 * released together if memory is short. */
#ifndef GRAZE_CUDA_DEVICE_MEMORY_H
#define GRAZE_CUDA_DEVICE_MEMORY_H

#include "base/memory.h"
#include "base/workers.h"
#include "cuda/device_operations.h"

/* A zeroed buffer is empty. Must not move while it has memory. */
typedef struct device_buffer {
  void *data; /* NULL: none */
  size_t bytes;
  bool is_spare;
  struct device_buffer *next, **link; /* in the list of buffers with memory */
} device_buffer;

typedef struct device_memory {
  device_operations operations;
  memory *heap;
  memory *scratch;            /* kept between frames, for scratch of a call */
  memory pinned_heap;         /* pinned memory of the device's operations, for poses and bulk copies */
  workers *team;              /* copy between host and device; NULL: the driver does */
  unsigned char *bulk_blocks; /* see bulk_copy.h; NULL: none were needed yet */
  device_buffer *buffers;     /* all with memory */
  _Atomic(size_t) bytes;      /* allocated on the device; also read while another thread uses the device */
} device_memory;

/* Takes ownership of the operations: device_memory_close closes them, and releases all buffers. Must not move
 * meanwhile. */
void device_memory_open(device_memory *held, memory *heap, memory *scratch, const device_operations *operations);
void device_memory_close(device_memory *held);

/* The greatest length of a list. */
#define LONGEST_LIST ((uint64_t)UINT32_MAX - 1)

enum { LEAST_CAPACITY = 1024 }; /* of a list */

/* Adds a quarter, so that a moving scene does not exceed it at once. */
static inline uint64_t grown_capacity(uint64_t needed) {
  const uint64_t capacity = needed + needed / 4 + LEAST_CAPACITY;
  return capacity < LONGEST_LIST ? capacity : LONGEST_LIST;
}

/* Grows a buffer to at least this size; its content is lost if it grows. */
graze_result size_buffer(device_memory *held, device_buffer *buffer, size_t bytes);
graze_result size_spare(device_memory *held, device_buffer *buffer, size_t bytes);

void release_buffer(device_memory *held, device_buffer *buffer);

/* Releases spare buffers; false if none has memory. */
bool release_spares(device_memory *held);

graze_result upload(device_memory *held, const device_buffer *buffer, size_t offset, const void *from, size_t bytes);

/* Uploads a whole array to a buffer, which grows as needed. */
graze_result upload_all(device_memory *held, device_buffer *buffer, const void *from, size_t bytes);
graze_result upload_spare(device_memory *held, device_buffer *buffer, const void *from, size_t bytes);

#endif
