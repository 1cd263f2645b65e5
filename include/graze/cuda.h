/* graze on CUDA devices: what there is, and scenes whose positions, pairs and contacts stay on the device.
 *
 * Plain C: no header of CUDA is needed. A stream is a cudaStream_t handed over as void *, and device memory is a
 * pointer that the processor must not follow. Calls are for scenes of the backend "cuda", and refuse others. Every call
 * that runs on a device makes it the current one of the calling thread. */
#ifndef GRAZE_CUDA_H
#define GRAZE_CUDA_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A device in words, "NVIDIA H200, 139.8 GiB, compute capability 9.0", or one message that says why it cannot be used:
 * GRAZE_UNSUPPORTED where the build has no CUDA, GRAZE_NO_DEVICE where the machine has no such device. */
GRAZE_API graze_result graze_cuda_describe(int device, char *words_out, size_t words_bytes);

/* Takes the object's positions, all of them, before its pose, from device memory: tightly packed triples of float or
 * double. They are read by every update from now on, where they lie, after the work that is on `stream` at that time
 * (NULL: the default stream), and again by every query, contact and measure of k after it, which wait for no stream. So
 * they may be changed from the return of the last of those to the next update, and must stay until the next call that
 * gives the object other positions. Memory that the device cannot read, or that begins between two numbers, is
 * GRAZE_INVALID_ARGUMENT, as far as CUDA knows of it. Coordinates that are not finite are found by the update. What
 * runs on the host (batches of poses and configurations, but by the method "tree") is GRAZE_UNSUPPORTED for the scene
 * from then on. graze_object_set_positions of the whole object ends it, as does graze_scene_set_backend, which fetches
 * them. */
GRAZE_API graze_result graze_object_set_device_positions(graze_scene *scene, graze_object object,
                                                         const void *device_positions, graze_format format,
                                                         void *stream);

/* Pairs on the device, sorted as graze_pairs are, in memory of the list's own. Zero-initialise it; it may outlive
 * the scene. Lists that take turns from frame to frame cost nothing more than one. */
typedef struct graze_device_pairs {
  size_t struct_bytes;
  const graze_pair *device_pairs;
  size_t count;
  uint64_t hash; /* as of graze_pairs; made on the device */
  const graze_timings *timings;
  const graze_counters *counters;
  struct graze_list_memory *memory;
} graze_device_pairs;

GRAZE_API void graze_device_pairs_free(graze_device_pairs *pairs); /* as graze_pairs_free */

/* As graze_scene_find_pairs without the way to the host. pair_limit and stop_after are refused. When it returns, the
 * pairs are there for every stream. */
GRAZE_API graze_result graze_scene_find_pairs_on_device(const graze_scene *scene, const graze_query *query,
                                                        graze_device_pairs *pairs);

/* Contacts on the device, one for each pair and in the order of the pairs, and their points, in memory of the list's
 * own. Zero-initialise it. */
typedef struct graze_device_contacts {
  size_t struct_bytes;
  const graze_contact *device_contacts;
  size_t count;
  size_t element_bytes; /* from one contact to the next */
  const double (*device_points)[3];
  size_t point_count;
  const graze_timings *timings;
  struct graze_list_memory *memory;
} graze_device_contacts;

GRAZE_API void graze_device_contacts_free(graze_device_contacts *contacts); /* as graze_pairs_free */

/* As graze_scene_make_contacts, of pairs that are on the device, without the way to the host: only counts are copied.
 * The pairs must be complete when this is called, as those of graze_scene_find_pairs_on_device are; they may also be
 * the caller's own, and are refused likewise where they do not meet, or lie in memory that the device cannot read. When
 * it returns, the contacts are there for every stream. */
GRAZE_API graze_result graze_scene_make_contacts_on_device(const graze_scene *scene, const graze_pair *device_pairs,
                                                           size_t count, const graze_contact_options *options,
                                                           graze_device_contacts *contacts);

/* How many kernels, clearings and copies the device runs for one update and one query such as the last ones: below a
 * certain size their number is what a frame costs. 0 for the processor and before the first query. Not counted are
 * uploads of what is new, the download of counts, and searches repeated for want of room. */
GRAZE_API uint64_t graze_scene_device_launches(const graze_scene *scene);

#ifdef __cplusplus
}
#endif

#endif
