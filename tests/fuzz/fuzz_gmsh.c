/* Reads arbitrary bytes as Gmsh. */
#include "fuzz/fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_read(mesh_read_gmsh, bytes, size);
  return 0;
}
