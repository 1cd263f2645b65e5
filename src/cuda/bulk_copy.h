/* Large copies between host and device memory, by all workers.
 *
 * A driver copies ordinary host memory through its own blocks, with one thread, at a quarter of the bus bandwidth. Here
 * there are two pinned blocks: workers fill or empty one while the other is being transferred.
 *
 * Workload: positions of an update and pairs or contacts of a query, 1 to 200 MB. Smaller copies are left to the
 * driver, and all of them if the device has at most one worker. */
#ifndef GRAZE_CUDA_BULK_COPY_H
#define GRAZE_CUDA_BULK_COPY_H

#include "cuda/device_memory.h"

/* `from` may be changed after the call. */
graze_result bulk_upload(device_memory *held, void *to, const void *from, size_t bytes);

/* Copies after all operations queued before; returns when the data is complete. */
graze_result bulk_download(device_memory *held, void *to, const void *from, size_t bytes);

/* Releases the blocks, which are kept between copies. */
void bulk_release(device_memory *held);

#endif
