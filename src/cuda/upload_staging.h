/* Uploads of many small arrays that lie one behind the other on the device: gathered in one block of the host and
 * copied together, so that the number of copies follows from the bytes and not from the number of objects.
 *
 * Workload: 10^5 objects of some hundred bytes, or a few of 10^8. What is large is copied by itself, from where it
 * lies: see bulk_copy.h. */
#ifndef GRAZE_CUDA_UPLOAD_STAGING_H
#define GRAZE_CUDA_UPLOAD_STAGING_H

#include "cuda/device_memory.h"

enum {
  STAGING_MOST = 4 << 20,     /* bytes gathered at once */
  STAGING_LARGE = 256 << 10,  /* an array of so many is copied by itself */
  STAGING_GAP_MOST = 64 << 10 /* bytes between two arrays that are sent along rather than begin another copy */
};

/* The block of the host, kept from upload to upload. Zeroed it is empty. */
typedef struct staging_block {
  unsigned char *data;
  size_t bytes;
} staging_block;

typedef struct upload_staging {
  device_memory *memory;
  staging_block *block;
  const device_buffer *buffer;
  size_t begin, bytes; /* what is gathered, as bytes of the buffer */
} upload_staging;

/* Begins to fill a buffer that is sized already. */
upload_staging staging_begin(device_memory *held, staging_block *block, const device_buffer *buffer);

/* Where the next array that is gathered would begin a copy of its own: whether it has to, were it at `offset`. */
bool staging_joins(const upload_staging *staging, size_t offset, size_t bytes);

/* Adds an array. Offsets rise from call to call; what lies between two arrays that go together becomes zero. `from` may
 * be changed after the call. */
graze_result staging_add(upload_staging *staging, size_t offset, const void *from, size_t bytes);

/* Sends what is gathered still. */
graze_result staging_end(upload_staging *staging);

void staging_release(staging_block *block, memory *heap);

#endif
