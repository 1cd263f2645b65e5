/* Reads arbitrary bytes as MEDIT. */
#include "fuzz/fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_read(mesh_read_medit, bytes, size);
  return 0;
}
