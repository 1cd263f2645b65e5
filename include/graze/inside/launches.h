/* The launches of a frame on a device, for benchmarks and tests. Exported, but not installed. */
#ifndef GRAZE_INSIDE_LAUNCHES_H
#define GRAZE_INSIDE_LAUNCHES_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of kernels, fills and copies that the device runs for an update and a query like the last ones; it
 * dominates the cost of small frames. 0 for the processor and before the first query. Uploads of changes, downloads of
 * counts, and searches repeated because a buffer was too small are not counted. */
GRAZE_API uint64_t graze_scene_device_launches(const graze_scene *scene);

#ifdef __cplusplus
}
#endif

#endif
