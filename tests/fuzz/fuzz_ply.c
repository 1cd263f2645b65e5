/* Reads arbitrary bytes as PLY. */
#include "fuzz/fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_read(mesh_read_ply, bytes, size);
  return 0;
}
