/* Copies of many bytes between memory of the host and that of the device, by all workers.
 *
 * What lies in ordinary memory of the host a driver copies through blocks of its own, by one thread, at a quarter of
 * what the bus can do. Here there are two blocks that the device reads and writes by itself: workers fill or empty one
 * of them while the other is on its way.
 *
 * Workload: positions of an update and pairs or contacts of a query, 1 to 200 MB. Less is copied by the driver, as is
 * all where the device has no workers or one. */
#ifndef GRAZE_CUDA_BULK_COPY_H
#define GRAZE_CUDA_BULK_COPY_H

#include "cuda/device_memory.h"

/* `from` may be changed after the call. */
graze_result bulk_upload(device_memory *held, void *to, const void *from, size_t bytes);

/* Of what all operations before it have made; returns when all of it is there. */
graze_result bulk_download(device_memory *held, void *to, const void *from, size_t bytes);

/* Gives the blocks back, which are kept from copy to copy. */
void bulk_release(device_memory *held);

#endif
