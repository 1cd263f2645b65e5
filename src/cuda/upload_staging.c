/* Gathered uploads: see upload_staging.h. */
#include "cuda/upload_staging.h"

#include "cuda/device_memory.h"

#include <string.h>

upload_staging staging_begin(device_state *state, device_buffer_name name) {
  return (upload_staging){state, name, 0, 0};
}

void staging_release(device_state *state) {
  memory_release(state->heap, state->staging, state->staging_bytes, 1);
  state->staging = NULL;
  state->staging_bytes = 0;
}

/* Room in the block, which grows by doubling as a scene needs it. */
static bool make_room(device_state *state, size_t used, size_t bytes) {
  if (bytes <= state->staging_bytes) return true;
  size_t wanted = state->staging_bytes > 0 ? state->staging_bytes : 4096;
  while (wanted < bytes) wanted *= 2;
  unsigned char *block = memory_allocate(state->heap, wanted, 1);
  if (block == NULL) return false;
  if (used > 0) memcpy(block, state->staging, used);
  staging_release(state);
  state->staging = block;
  state->staging_bytes = wanted;
  return true;
}

static graze_result send(upload_staging *staging) {
  const size_t bytes = staging->bytes;
  staging->bytes = 0;
  return upload(staging->state, staging->name, staging->begin, staging->state->staging, bytes);
}

bool staging_joins(const upload_staging *staging, size_t offset, size_t bytes) {
  const size_t end = staging->begin + staging->bytes;
  return staging->bytes > 0 && bytes < STAGING_LARGE && offset - end <= STAGING_GAP_MOST &&
         offset + bytes - staging->begin <= STAGING_MOST;
}

graze_result staging_add(upload_staging *staging, size_t offset, const void *from, size_t bytes) {
  device_state *state = staging->state;
  if (bytes == 0) return GRAZE_OK;
  if (!staging_joins(staging, offset, bytes)) {
    const graze_result result = send(staging);
    if (result != GRAZE_OK) return result;
    if (bytes >= STAGING_LARGE) return upload(state, staging->name, offset, from, bytes);
    staging->begin = offset;
  }
  const size_t used = staging->bytes, at = offset - staging->begin;
  if (!make_room(state, used, at + bytes)) return GRAZE_OUT_OF_MEMORY;
  memset(state->staging + used, 0, at - used);
  memcpy(state->staging + at, from, bytes);
  staging->bytes = at + bytes;
  return GRAZE_OK;
}

graze_result staging_end(upload_staging *staging) {
  return send(staging);
}
