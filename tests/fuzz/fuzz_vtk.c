/* Reads arbitrary bytes as VTK. */
#include "fuzz/fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_read(mesh_read_vtk, bytes, size);
  return 0;
}
