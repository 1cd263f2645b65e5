/* The kernel of the scan, compiled for the host: see emulated/cuda_runtime.h. Blocks run one after the other, so a tile
 * always finds the sum of all previous tiles; device_scan.cu tests the other case on a GPU. */
#include "emulated_kernels.h"

#include "emulated/cuda_runtime.h"

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define __CUDACC__ 1 /* but not of a device: what only one can do has a way on the host */
#include "cuda/cuda_scan.cu"

size_t emulated_scan_bytes(size_t count) {
  return scan_states_bytes(count);
}

void emulated_scan(uint32_t *counts, size_t count, const uint64_t *sum_or_null, void *states) {
  launch_scan(counts, count, sum_or_null, states, nullptr);
}
