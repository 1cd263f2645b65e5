/* Reads arbitrary bytes as glTF, text or binary. No other file is read: the byte limit is 0. */
#include "fuzz/fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_read(mesh_read_gltf, bytes, size);
  return 0;
}
