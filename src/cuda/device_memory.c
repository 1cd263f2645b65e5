/* Buffers of a frame on its device. */
#include "cuda/device_memory.h"

void release_buffer(device_frame *frame, device_buffer_name name) {
  device_buffer *buffer = &frame->buffers[name];
  const device_operations *device = &frame->operations;
  device->release(device->context, buffer->data, buffer->bytes);
  frame->bytes -= buffer->bytes;
  buffer->data = NULL;
  buffer->bytes = 0;
}

bool release_lists(device_frame *frame) {
  bool any = false;
  for (int i = BUFFER_FIRST_LIST; i < BUFFER_COUNT; i++) {
    any = any || frame->buffers[i].data != NULL;
    release_buffer(frame, (device_buffer_name)i);
  }
  return any;
}

graze_result size_buffer(device_frame *frame, device_buffer_name name, size_t bytes) {
  device_buffer *buffer = &frame->buffers[name];
  if (buffer->data != NULL && bytes <= buffer->bytes) return GRAZE_OK;
  const device_operations *device = &frame->operations;
  release_buffer(frame, name);
  if (bytes == 0) bytes = 1;
  const graze_result result = device->allocate(device->context, bytes, &buffer->data);
  if (result != GRAZE_OK) return result;
  buffer->bytes = bytes;
  frame->bytes += bytes;
  return GRAZE_OK;
}

graze_result upload(device_frame *frame, device_buffer_name name, size_t offset, const void *from, size_t bytes) {
  const device_operations *device = &frame->operations;
  if (bytes == 0) return GRAZE_OK;
  return device->upload(device->context, (char *)frame->buffers[name].data + offset, from, bytes);
}

graze_result upload_all(device_frame *frame, device_buffer_name name, const void *from, size_t bytes) {
  const graze_result result = size_buffer(frame, name, bytes);
  return result == GRAZE_OK ? upload(frame, name, 0, from, bytes) : result;
}
