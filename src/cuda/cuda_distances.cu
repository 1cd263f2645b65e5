/* Kernels of least distances. One warp, which is a block, runs a search: searches take some microseconds to some
 * milliseconds, and a finished block is replaced by the next. Exact signs need deep stacks. */
#define KERNEL_THREADS 128

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_distances.h"

/* Concurrent warps per processor: more of them hide more memory latency, but each has fewer registers. */
enum { SEARCHES_A_PROCESSOR = 12 };

static __global__ void __launch_bounds__(KERNEL_THREADS)
    kernel_distance_bound(const __grid_constant__ distance_view view) {
  follow_closely();
  const uint32_t end = view.task_count * view.task_pairs, stride = gridDim.x * blockDim.x;
  for (uint64_t index = blockIdx.x * blockDim.x + threadIdx.x; index < end; index += stride)
    stage_distance_bound((uint32_t)index, &view);
}

static __global__ void __launch_bounds__(LANE_COUNT, SEARCHES_A_PROCESSOR)
    kernel_distance_search(const __grid_constant__ distance_view view) {
  follow_closely();
  for (uint64_t index = blockIdx.x; index < view.task_count; index += gridDim.x)
    stage_distance_search((uint32_t)index, &view);
}

bool launch_distances(const stage_launch *launch) {
  const distance_view *view = static_cast<const distance_view *>(launch->view);
  const size_t most = 0x7fffffffu;
  if (launch->stage == STAGE_distance_bound)
    launch_closely(kernel_distance_bound, blocks_for(launch, KERNEL_THREADS, EXACT_BLOCKS_A_PROCESSOR), KERNEL_THREADS,
                   launch->stream, *view);
  else if (launch->stage == STAGE_distance_search)
    launch_closely(kernel_distance_search, (unsigned)(launch->bound < most ? launch->bound : most), LANE_COUNT,
                   launch->stream, *view);
  else
    return false;
  return true;
}
