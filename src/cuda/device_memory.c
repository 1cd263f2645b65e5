/* Buffers of a scene on its device. */
#include "cuda/device_memory.h"

#include "cuda/bulk_copy.h"

void release_buffer(device_state *state, device_buffer_name name) {
  device_buffer *buffer = &state->buffers[name];
  const device_operations *device = &state->operations;
  device->release(device->context, buffer->data, buffer->bytes);
  state->bytes -= buffer->bytes;
  buffer->data = NULL;
  buffer->bytes = 0;
}

bool release_lists(device_state *state) {
  bool any = false;
  for (int i = BUFFER_FIRST_LIST; i < BUFFER_COUNT; i++) {
    any = any || state->buffers[i].data != NULL;
    release_buffer(state, (device_buffer_name)i);
  }
  return any;
}

graze_result size_buffer(device_state *state, device_buffer_name name, size_t bytes) {
  device_buffer *buffer = &state->buffers[name];
  if (buffer->data != NULL && bytes <= buffer->bytes) return GRAZE_OK;
  const device_operations *device = &state->operations;
  release_buffer(state, name);
  if (bytes == 0) bytes = 1;
  const graze_result result = device->allocate(device->context, bytes, &buffer->data);
  if (result != GRAZE_OK) return result;
  buffer->bytes = bytes;
  state->bytes += bytes;
  return GRAZE_OK;
}

graze_result upload(device_state *state, device_buffer_name name, size_t offset, const void *from, size_t bytes) {
  if (bytes == 0) return GRAZE_OK;
  return bulk_upload(state, (char *)state->buffers[name].data + offset, from, bytes);
}

graze_result upload_all(device_state *state, device_buffer_name name, const void *from, size_t bytes) {
  const graze_result result = size_buffer(state, name, bytes);
  return result == GRAZE_OK ? upload(state, name, 0, from, bytes) : result;
}
