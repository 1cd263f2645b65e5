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
  unsigned char *bulk_blocks; /* of bulk copies; NULL: none were needed yet */
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

/* ---------------------------------------------------------------------------------------------- gathered uploads
 *
 * Many small arrays that are adjacent on the device are gathered in one block on the host and copied together, so that
 * the number of copies depends on the bytes and not on the number of objects.
 *
 * Workload: 10^5 objects of a few hundred bytes, or a few of 10^8. Large arrays are copied directly. */

enum {
  STAGING_MOST = 4 << 20,     /* bytes gathered at once */
  STAGING_LARGE = 256 << 10,  /* an array of at least this size is copied by itself */
  STAGING_GAP_MOST = 64 << 10 /* a gap of at most this many bytes is copied rather than starting another copy */
};

/* The host's block, kept between uploads. A zeroed struct is empty. */
typedef struct staging_block {
  unsigned char *data;
  size_t bytes;
} staging_block;

typedef struct upload_staging {
  device_memory *memory;
  staging_block *block;
  const device_buffer *buffer;
  size_t begin, bytes; /* the gathered range, in bytes of the buffer */
} upload_staging;

/* Begins an upload to a buffer that already has its size. */
upload_staging staging_begin(device_memory *held, staging_block *block, const device_buffer *buffer);

/* Whether an array at `offset` joins the gathered ones, without starting another copy. */
bool staging_joins(const upload_staging *staging, size_t offset, size_t bytes);

/* Adds an array. Offsets increase from call to call; gaps between gathered arrays are filled with zeros. `from` may
 * be changed after the call. */
graze_result staging_add(upload_staging *staging, size_t offset, const void *from, size_t bytes);

/* Uploads the remaining gathered bytes. */
graze_result staging_end(upload_staging *staging);

void staging_release(staging_block *block, memory *heap);

/* ---------------------------------------------------------------------------------------------- bulk copies
 *
 * A driver copies ordinary host memory through its own blocks, with one thread, at a quarter of the bus bandwidth. Here
 * there are two pinned blocks: workers fill or empty one while the other is being transferred.
 *
 * Workload: positions of an update and pairs or contacts of a query, 1 to 200 MB. Smaller copies are left to the
 * driver, and all of them if the device has at most one worker. */

/* `from` may be changed after the call. */
graze_result bulk_upload(device_memory *held, void *to, const void *from, size_t bytes);

/* Copies after all operations queued before; returns when the data is complete. */
graze_result bulk_download(device_memory *held, void *to, const void *from, size_t bytes);

#endif
