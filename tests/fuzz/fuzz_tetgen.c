/* Reads arbitrary bytes as the two files of TetGen: points up to the first '@', then tetrahedra. */
#include "fuzz/fuzz_reader.h"

#include "mesh_io/tetgen_reader.h"

static bool read_both(const mesh_reading *reading, mesh **meshes_out, size_t *mesh_count_out) {
  mesh_reading nodes = *reading;
  mesh_reading elements = *reading;
  char *const cut = memchr(reading->bytes, '@', reading->size);
  nodes.size = cut ? (size_t)(cut - reading->bytes) : reading->size;
  elements.size = reading->size - nodes.size;
  /* Each needs the padding of its own. */
  nodes.bytes = calloc(1, nodes.size + MESH_PADDING_BYTES);
  elements.bytes = calloc(1, elements.size + MESH_PADDING_BYTES);
  if (!nodes.bytes || !elements.bytes) abort();
  memcpy(nodes.bytes, reading->bytes, nodes.size);
  if (cut) memcpy(elements.bytes, cut + 1, --elements.size);
  const bool done = mesh_read_tetgen_pair(&nodes, &elements, reading, meshes_out, mesh_count_out);
  free(nodes.bytes);
  free(elements.bytes);
  return done;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_read(read_both, bytes, size);
  return 0;
}
