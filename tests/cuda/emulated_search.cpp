/* The kernel of the search, compiled for the host: see emulated/cuda_runtime.h. */
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
#include "cuda/cuda_search.cu"

void emulated_search(const grid_view *view, unsigned processors) {
  const stage_launch launch = {STAGE_search, view->pairs.scene.primitive_count, processors, nullptr, view};
  launch_search(&launch);
}
