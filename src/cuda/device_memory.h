/* The memory of a scene on its device: named buffers, one owner, sized and filled by the other files here. */
#ifndef GRAZE_CUDA_DEVICE_MEMORY_H
#define GRAZE_CUDA_DEVICE_MEMORY_H

#include "cuda/device_state.h"

/* The longest list whose entries can be numbered. */
#define LONGEST_LIST ((uint64_t)UINT32_MAX - 1)

enum { LEAST_CAPACITY = 1024 }; /* of a list */

/* A quarter more than was needed, so that a scene that moves does not outgrow it at once. */
static inline uint64_t room_for(uint64_t needed) {
  const uint64_t room = needed + needed / 4 + LEAST_CAPACITY;
  return room < LONGEST_LIST ? room : LONGEST_LIST;
}

/* Gives a buffer at least so many bytes; its content is lost where it grows. */
graze_result size_buffer(device_state *state, device_buffer_name name, size_t bytes);

void release_buffer(device_state *state, device_buffer_name name);

/* All lists of queries, and the pairs, contacts and counts that the last calls left: what is made again when it is
 * asked for. False where there are none. */
bool release_lists(device_state *state);

graze_result upload(device_state *state, device_buffer_name name, size_t offset, const void *from, size_t bytes);

/* A buffer of its own for the whole array. */
graze_result upload_all(device_state *state, device_buffer_name name, const void *from, size_t bytes);

#endif
