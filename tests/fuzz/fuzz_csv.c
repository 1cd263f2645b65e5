/* Reads arbitrary bytes as a table of spheres. */
#include "fuzz/fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_read(mesh_read_csv, bytes, size);
  return 0;
}
