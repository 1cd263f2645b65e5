/* Uploads of many small arrays that are adjacent on the device: gathered in one block on the host and copied together,
 * so that the number of copies depends on the bytes and not on the number of objects.
 *
 * Workload: 10^5 objects of a few hundred bytes, or a few of 10^8. Large arrays are copied directly (bulk_copy.h). */
#ifndef GRAZE_CUDA_UPLOAD_STAGING_H
#define GRAZE_CUDA_UPLOAD_STAGING_H

#include "cuda/device_memory.h"

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

#endif
