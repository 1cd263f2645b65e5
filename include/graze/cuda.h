/* graze: CUDA devices. Scenes whose positions, pairs and contacts stay on the device.
 *
 * Plain C; CUDA headers are not needed. A stream is a cudaStream_t passed as void *. Device memory is a pointer that
 * the host must not dereference. The calls require the backend "cuda" and refuse other scenes. Every call that runs on
 * a device makes it the current device of the calling thread. */
#ifndef GRAZE_CUDA_H
#define GRAZE_CUDA_H

#include "graze/graze.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Describes a device, such as "NVIDIA H200, 139.8 GiB, compute capability 9.0", or writes a message that states why it
 * cannot be used: GRAZE_UNSUPPORTED if the build has no CUDA, GRAZE_NO_DEVICE if the machine has no such device. */
GRAZE_API graze_result graze_cuda_describe(int device, char *words_out, size_t words_bytes);

/* Binds all positions of the object, in its own frame, before the pose, to device memory: tightly packed triples of
 * float or double.
 *
 * Every update reads the memory, after the work that is queued on `stream` at that time (NULL: the default stream).
 * Later queries, contacts and crowding read it again, without waiting for a stream. The positions may therefore only be
 * changed between the last such call and the next update. The memory must stay valid until a call gives the object
 * other positions.
 *
 * GRAZE_INVALID_ARGUMENT if the memory is misaligned, or if CUDA reports that the device cannot read it. The update
 * reports coordinates that are not finite. While positions are bound, calls that run on the host return
 * GRAZE_UNSUPPORTED: batches of poses and configurations, except with the method "tree". graze_object_set_positions of
 * the whole object ends the binding, and so does graze_scene_set_backend, which downloads the positions. */
GRAZE_API graze_result graze_object_set_device_positions(graze_scene *scene, graze_object object,
                                                         const void *device_positions, graze_format format,
                                                         void *stream);

/* Pairs on the device, sorted as in graze_pairs, in memory of the list. Zero-initialize it. It may outlive the scene.
 * Alternating between several lists costs no more than using one. */
typedef struct graze_device_pairs {
  size_t struct_bytes;
  const graze_pair *device_pairs;
  size_t count;
  uint64_t hash; /* as in graze_pairs; computed on the device */
  const graze_timings *timings;
  const graze_counters *counters;
  struct graze_list_memory *memory;
} graze_device_pairs;

GRAZE_API void graze_device_pairs_free(graze_device_pairs *pairs); /* as graze_pairs_free */

/* As graze_scene_find_pairs, but the pairs stay on the device. pair_limit and stop_after are refused. When the call
 * returns, the pairs are complete for every stream. */
GRAZE_API graze_result graze_scene_find_pairs_on_device(const graze_scene *scene, const graze_query *query,
                                                        graze_device_pairs *pairs);

/* Contacts on the device, one per pair in the order of the pairs, and their points, in memory of the list.
 * Zero-initialize it. */
typedef struct graze_device_contacts {
  size_t struct_bytes;
  const graze_contact *device_contacts;
  size_t count;
  const double (*device_points)[3];
  size_t point_count;
  const graze_timings *timings;
  struct graze_list_memory *memory;
} graze_device_contacts;

GRAZE_API void graze_device_contacts_free(graze_device_contacts *contacts); /* as graze_pairs_free */

/* As graze_scene_make_contacts, for pairs on the device; the contacts stay there, and only counts are copied. The pairs
 * must be complete when the call begins, as those of graze_scene_find_pairs_on_device are. They may also be the
 * caller's own; pairs that do not intersect, or that lie in memory that the device cannot read, are refused. When the
 * call returns, the contacts are complete for every stream. */
GRAZE_API graze_result graze_scene_make_contacts_on_device(const graze_scene *scene, const graze_pair *device_pairs,
                                                           size_t count, const graze_contact_options *options,
                                                           graze_device_contacts *contacts);

#ifdef __cplusplus
}
#endif

#endif
