/* Reads arbitrary bytes as .t lines. */
#include "fuzz/fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_read(mesh_read_rope, bytes, size);
  return 0;
}
