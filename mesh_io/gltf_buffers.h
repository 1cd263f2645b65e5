/* The binary data of a glTF file: buffers, their views, and accessors, which describe the numbers of meshes.
 *
 * Each is read once, when it is first needed, so that data not used by any mesh is neither loaded nor refused. */
#ifndef GRAZE_GLTF_BUFFERS_H
#define GRAZE_GLTF_BUFFERS_H

#include "mesh_io/gltf_members.h"

typedef struct gltf_buffer {
  char *bytes;
  uint64_t size;
  bool is_loaded, is_owned; /* owned, unless inside the bytes of the file itself */
} gltf_buffer;

typedef struct gltf_view {
  const char *bytes;
  uint64_t size;
  uint64_t stride; /* 0: elements are contiguous */
  bool is_read;
} gltf_view;

typedef enum gltf_component {
  GLTF_INT8 = 5120,
  GLTF_UINT8 = 5121,
  GLTF_INT16 = 5122,
  GLTF_UINT16 = 5123,
  GLTF_UINT32 = 5125,
  GLTF_FLOAT = 5126
} gltf_component;

/* Every element lies inside its buffer. */
typedef struct gltf_accessor {
  const char *first;
  uint64_t count;
  size_t stride;
  gltf_component component;
  size_t width; /* components per element: 1 for SCALAR, 3 for VEC3, 0 for others */
  bool normalized, is_read;
} gltf_accessor;

typedef struct gltf_buffers {
  const gltf_text *text;
  char *chunk; /* the binary chunk of a GLB file, or NULL */
  uint64_t chunk_size;
  gltf_list buffer_list, view_list, accessor_list;
  gltf_buffer *buffers;
  gltf_view *views;
  gltf_accessor *accessors;
  uint64_t loaded_bytes; /* of all buffers outside the file or in base64 */
} gltf_buffers;

/* Start with `text` and the chunk set. Release it also after a failure. */
bool gltf_buffers_start(gltf_buffers *buffers);
void gltf_buffers_free(gltf_buffers *buffers);

/* Returns accessor `number`, which must be below the number of accessors. NULL after a message. */
const gltf_accessor *gltf_buffers_accessor(gltf_buffers *buffers, size_t number);

#endif
