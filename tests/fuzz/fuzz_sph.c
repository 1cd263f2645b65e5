/* Reads arbitrary bytes as a .sph file. */
#include "fuzz/fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_read(mesh_read_sph, bytes, size);
  return 0;
}
