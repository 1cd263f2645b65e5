/* The memory of one opened device: buffers, each owned by the part of the state that works with it, and copies between
 * the host and them.
 *
 * Spare buffers hold what is made again when it is asked for: lists of queries, pairs, contacts. All of them are given
 * up together where memory is short. */
#ifndef GRAZE_CUDA_DEVICE_MEMORY_H
#define GRAZE_CUDA_DEVICE_MEMORY_H

#include "base/memory.h"
#include "base/workers.h"
#include "cuda/device_operations.h"

/* Zeroed it is empty. It does not move while it has memory. */
typedef struct device_buffer {
  void *data; /* NULL: none */
  size_t bytes;
  bool is_spare;
  struct device_buffer *next, **link; /* in the list of those that have memory */
} device_buffer;

typedef struct device_memory {
  device_operations operations;
  memory *heap;
  memory *scratch;            /* kept from frame to frame: for what a call gives back */
  memory pinned_heap;         /* staging memory of the device's operations: poses, and bulk copies */
  workers *team;              /* that copy between host and device; NULL: the driver does */
  unsigned char *bulk_blocks; /* see bulk_copy.h; NULL: none were needed yet */
  device_buffer *buffers;     /* all that have memory */
  _Atomic(size_t) bytes;      /* held on the device; also read while another thread has its turn */
} device_memory;

/* Takes the operations over: device_memory_close closes them, and gives back all buffers. It does not move meanwhile.
 */
void device_memory_open(device_memory *held, memory *heap, memory *scratch, const device_operations *operations);
void device_memory_close(device_memory *held);

/* The longest list whose entries can be numbered. */
#define LONGEST_LIST ((uint64_t)UINT32_MAX - 1)

enum { LEAST_CAPACITY = 1024 }; /* of a list */

/* A quarter more than was needed, so that a scene that moves does not outgrow it at once. */
static inline uint64_t room_for(uint64_t needed) {
  const uint64_t room = needed + needed / 4 + LEAST_CAPACITY;
  return room < LONGEST_LIST ? room : LONGEST_LIST;
}

/* Gives a buffer at least so many bytes; its content is lost where it grows. */
graze_result size_buffer(device_memory *held, device_buffer *buffer, size_t bytes);
graze_result size_spare(device_memory *held, device_buffer *buffer, size_t bytes);

void release_buffer(device_memory *held, device_buffer *buffer);

/* False where no spare buffer has memory. */
bool release_spares(device_memory *held);

graze_result upload(device_memory *held, const device_buffer *buffer, size_t offset, const void *from, size_t bytes);

/* The whole of an array, with room for it. */
graze_result upload_all(device_memory *held, device_buffer *buffer, const void *from, size_t bytes);
graze_result upload_spare(device_memory *held, device_buffer *buffer, const void *from, size_t bytes);

#endif
