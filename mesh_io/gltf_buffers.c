/* Buffers, views and accessors of glTF 2.0 (Khronos Group, "glTF 2.0 specification", 2021, section 3.6). Workload: a
 * buffer of up to gigabytes, and a few accessors per mesh, or millions of small ones. A buffer is in the file itself,
 * as text in base64, or in a file in the same folder. */
#include "mesh_io/gltf_buffers.h"

#include "mesh_io/base64.h"
#include "mesh_io/byte_source.h"
#include "mesh_io/relative_uri.h"

#include <string.h>

static bool make_zeroed(const gltf_text *text, size_t count, size_t element_bytes, void **block_out) {
  *block_out = NULL;
  if (count == 0) return true;
  if (!mesh_resize(&text->reading->memory, block_out, count, element_bytes)) {
    return mesh_fail(text->reading, "out of memory for %zu buffers or accessors", count);
  }
  memset(*block_out, 0, count * element_bytes);
  return true;
}

bool gltf_buffers_start(gltf_buffers *buffers) {
  const gltf_text *text = buffers->text;
  void *block;
  if (!gltf_list_read(text, "buffers", &buffers->buffer_list) ||
      !gltf_list_read(text, "bufferViews", &buffers->view_list) ||
      !gltf_list_read(text, "accessors", &buffers->accessor_list)) {
    return false;
  }
  if (!make_zeroed(text, buffers->buffer_list.count, sizeof(gltf_buffer), &block)) return false;
  buffers->buffers = block;
  if (!make_zeroed(text, buffers->view_list.count, sizeof(gltf_view), &block)) return false;
  buffers->views = block;
  if (!make_zeroed(text, buffers->accessor_list.count, sizeof(gltf_accessor), &block)) return false;
  buffers->accessors = block;
  return true;
}

void gltf_buffers_free(gltf_buffers *buffers) {
  const mesh_memory *memory = &buffers->text->reading->memory;
  for (size_t i = 0; buffers->buffers && i < buffers->buffer_list.count; i++) {
    if (buffers->buffers[i].is_owned) mesh_release(memory, buffers->buffers[i].bytes);
  }
  mesh_release(memory, buffers->buffers);
  mesh_release(memory, buffers->views);
  mesh_release(memory, buffers->accessors);
  mesh_release(memory, buffers->buffer_list.values);
  mesh_release(memory, buffers->view_list.values);
  mesh_release(memory, buffers->accessor_list.values);
}

/* ---------------------------------------------------------------------------------------------------- buffers */

static bool load_chunk(const gltf_buffers *buffers, const gltf_place *place, gltf_buffer *buffer) {
  if (place->index != 0 || !buffers->chunk) {
    return gltf_fail(buffers->text, place, " has no \"uri\" and is not the binary chunk of a GLB file");
  }
  buffer->bytes = buffers->chunk;
  buffer->size = buffers->chunk_size;
  return true;
}

/* Base64 text after "data:", a media type and ";base64,". */
static bool load_data(const gltf_buffers *buffers, const gltf_place *place, const char *uri, gltf_buffer *buffer) {
  const gltf_text *text = buffers->text;
  static const char mark[] = ";base64";
  const size_t mark_length = sizeof mark - 1;
  const char *const comma = strchr(uri, ',');
  if (!comma || (size_t)(comma - uri) < mark_length || memcmp(comma - mark_length, mark, mark_length) != 0) {
    return gltf_fail(text, place, ".uri is \"%s\", data that is not in base64", mesh_quote_word(uri).text);
  }
  const char *const digits = comma + 1;
  const size_t length = strlen(digits);
  void *block = NULL;
  if (!mesh_resize(&text->reading->memory, &block, base64_bytes_max(length) + 1, 1)) {
    return mesh_fail(text->reading, "out of memory for %zu bytes", base64_bytes_max(length));
  }
  buffer->bytes = block;
  buffer->is_owned = true;
  size_t count = 0;
  if (!base64_decode(digits, length, buffer->bytes, &count)) {
    return gltf_fail(text, place, ".uri has \"%s\" at byte %zu of its data, which is not base64",
                     mesh_quote_text(digits + count, count < length).text, count);
  }
  buffer->size = count;
  return true;
}

/* Returns the folder of the file with a slash, then the path of the URI. */
static char *name_external_file(const gltf_text *text, const gltf_place *place, const char *uri) {
  const mesh_reading *reading = text->reading;
  const char *const slash = strrchr(reading->file_name, '/');
  const size_t folder = slash ? (size_t)(slash - reading->file_name) + 1 : 0;
  void *block = NULL;
  if (!mesh_resize(&reading->memory, &block, folder + strlen(uri) + 1, 1)) {
    mesh_fail(reading, "out of memory for a name");
    return NULL;
  }
  char *const path = block;
  memcpy(path, reading->file_name, folder);
  const char *refusal = relative_uri_decode(uri, path + folder);
  if (!refusal) return path;
  mesh_release(&reading->memory, block);
  gltf_fail(text, place, ".uri is \"%s\", which %s; buffers must be in the folder of the file or below it",
            mesh_quote_text(uri, strlen(uri)).text, refusal);
  return NULL;
}

static bool load_external(const gltf_buffers *buffers, const gltf_place *place, const char *uri, gltf_buffer *buffer) {
  const mesh_reading *reading = buffers->text->reading;
  if (reading->in_memory)
    return gltf_fail(buffers->text, place, ".uri is \"%s\", another file, but only the bytes of this one are given",
                     mesh_quote_text(uri, strlen(uri)).text);
  char *const path = name_external_file(buffers->text, place, uri);
  if (!path) return false;
  mesh_reading other = *reading;
  other.file_name = path;
  other.only_regular = true;
  const uint64_t left = reading->byte_limit > buffers->loaded_bytes ? reading->byte_limit - buffers->loaded_bytes : 0;
  const bool done = byte_source_read_as_is(&other, left);
  if (done) *buffer = (gltf_buffer){.bytes = other.bytes, .size = other.size, .is_owned = true};
  mesh_release(&reading->memory, path);
  return done;
}

static bool load_buffer(gltf_buffers *buffers, size_t number) {
  gltf_buffer *const buffer = &buffers->buffers[number];
  if (buffer->is_loaded) return true;
  const gltf_place place = gltf_list_place(buffers->text, &buffers->buffer_list, number);
  const json_value *uri = gltf_member(buffers->text, &place, "uri");
  uint64_t promised;
  if (!gltf_take_whole(buffers->text, &place, "byteLength", GLTF_NEEDED, INT64_MAX, &promised)) return false;
  if (uri && uri->kind != JSON_STRING) {
    return gltf_fail(buffers->text, &place, ".uri is %s, not a string", gltf_quote(uri).text);
  }
  const bool loaded = !uri                                  ? load_chunk(buffers, &place, buffer)
                      : strncmp(uri->text, "data:", 5) == 0 ? load_data(buffers, &place, uri->text, buffer)
                                                            : load_external(buffers, &place, uri->text, buffer);
  if (!loaded) return false;
  if (promised > buffer->size) {
    return gltf_fail(buffers->text, &place, ".byteLength is %llu, but there are %llu bytes",
                     (unsigned long long)promised, (unsigned long long)buffer->size);
  }
  if (buffer->is_owned) buffers->loaded_bytes += buffer->size;
  buffer->size = promised;
  buffer->is_loaded = true;
  return true;
}

/* ---------------------------------------------------------------------------------------------------- views */

static bool read_view(gltf_buffers *buffers, size_t number) {
  gltf_view *const view = &buffers->views[number];
  if (view->is_read) return true;
  const gltf_text *text = buffers->text;
  const gltf_place place = gltf_list_place(text, &buffers->view_list, number);
  static const char *const compressions[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
  for (int i = 0; i < 2; i++) {
    if (gltf_extension(text, &place, compressions[i])) {
      return gltf_fail(text, &place, " is compressed by %s, which is not supported", compressions[i]);
    }
  }
  uint64_t buffer, offset, size;
  if (!gltf_take_reference(text, &place, "buffer", GLTF_NEEDED, &buffers->buffer_list, &buffer) ||
      !gltf_take_whole(text, &place, "byteOffset", 0, INT64_MAX, &offset) ||
      !gltf_take_whole(text, &place, "byteLength", GLTF_NEEDED, INT64_MAX, &size) ||
      !gltf_take_whole(text, &place, "byteStride", 0, 252, &view->stride) || !load_buffer(buffers, (size_t)buffer)) {
    return false;
  }
  const gltf_buffer *const source = &buffers->buffers[buffer];
  if (offset > source->size || size > source->size - offset) {
    return gltf_fail(text, &place, " has bytes %llu to %llu, but buffers[%llu] has %llu", (unsigned long long)offset,
                     (unsigned long long)(offset + size), (unsigned long long)buffer, (unsigned long long)source->size);
  }
  view->bytes = source->bytes + offset;
  view->size = size;
  view->is_read = true;
  return true;
}

/* ---------------------------------------------------------------------------------------------------- accessors */

static size_t component_bytes(uint64_t component) {
  switch (component) {
  case GLTF_INT8:
  case GLTF_UINT8:
    return 1;
  case GLTF_INT16:
  case GLTF_UINT16:
    return 2;
  case GLTF_UINT32:
  case GLTF_FLOAT:
    return 4;
  }
  return 0;
}

static bool read_type(const gltf_text *text, const gltf_place *place, gltf_accessor *accessor) {
  uint64_t component;
  const json_value *type = gltf_member(text, place, "type");
  const json_value *normalized = gltf_member(text, place, "normalized");
  if (!gltf_take_whole(text, place, "componentType", GLTF_NEEDED, INT64_MAX, &component)) return false;
  if (component_bytes(component) == 0) {
    return gltf_fail(text, place, ".componentType is %llu, which is unknown", (unsigned long long)component);
  }
  const char *const name = type && type->kind == JSON_STRING ? type->text : "";
  accessor->component = (gltf_component)component;
  accessor->width = strcmp(name, "SCALAR") == 0 ? 1 : strcmp(name, "VEC3") == 0 ? 3 : 0;
  accessor->normalized = normalized && normalized->kind == JSON_BOOLEAN && normalized->boolean;
  return true;
}

static bool read_accessor(gltf_buffers *buffers, const gltf_place *place, gltf_accessor *accessor) {
  const gltf_text *text = buffers->text;
  uint64_t view_number, offset;
  if (gltf_member(text, place, "sparse")) return gltf_fail(text, place, ".sparse: sparse accessors are not supported");
  if (!read_type(text, place, accessor) ||
      !gltf_take_reference(text, place, "bufferView", GLTF_NEEDED, &buffers->view_list, &view_number) ||
      !gltf_take_whole(text, place, "byteOffset", 0, INT64_MAX, &offset) ||
      !gltf_take_whole(text, place, "count", GLTF_NEEDED, MESH_ELEMENTS_MAX, &accessor->count) ||
      !read_view(buffers, (size_t)view_number)) {
    return false;
  }
  const gltf_view *const view = &buffers->views[view_number];
  const uint64_t element_bytes = component_bytes(accessor->component) * accessor->width;
  accessor->stride = (size_t)(view->stride ? view->stride : element_bytes);
  if (accessor->stride < element_bytes) {
    return gltf_fail(text, place, " has elements of %llu bytes, but bufferViews[%llu].byteStride is %zu",
                     (unsigned long long)element_bytes, (unsigned long long)view_number, accessor->stride);
  }
  const uint64_t needed = accessor->count == 0 ? 0 : (accessor->count - 1) * accessor->stride + element_bytes;
  if (offset > view->size || needed > view->size - offset) {
    return gltf_fail(text, place, " has %llu elements in bytes %llu to %llu, but bufferViews[%llu] has %llu bytes",
                     (unsigned long long)accessor->count, (unsigned long long)offset,
                     (unsigned long long)(offset + needed), (unsigned long long)view_number,
                     (unsigned long long)view->size);
  }
  accessor->first = view->bytes + offset;
  accessor->is_read = true;
  return true;
}

const gltf_accessor *gltf_buffers_accessor(gltf_buffers *buffers, size_t number) {
  gltf_accessor *const accessor = &buffers->accessors[number];
  if (accessor->is_read) return accessor;
  const gltf_place place = gltf_list_place(buffers->text, &buffers->accessor_list, number);
  return read_accessor(buffers, &place, accessor) ? accessor : NULL;
}
