/* Kernels of sphere packings. Exact signs need deep stacks, so few threads run at a time. One warp, which is a
 * block, runs a prototype: prototypes take some microseconds to some milliseconds, and a finished block is replaced
 * by the next. */
#define KERNEL_THREADS 64

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_packing.h"

static __global__ void __launch_bounds__(KERNEL_THREADS)
    kernel_packing_inside(const __grid_constant__ packing_view view) {
  follow_closely();
  const uint32_t end = view.job_count, stride = gridDim.x * blockDim.x;
  for (uint64_t index = blockIdx.x * blockDim.x + threadIdx.x; index < end; index += stride)
    stage_packing_inside((uint32_t)index, &view);
}

static __global__ void __launch_bounds__(LANE_COUNT) kernel_packing_job(const __grid_constant__ packing_view view) {
  follow_closely();
  for (uint64_t index = blockIdx.x; index < view.job_count; index += gridDim.x)
    stage_packing_job((uint32_t)index, &view);
}

bool launch_packing(const stage_launch *launch) {
  const packing_view *view = static_cast<const packing_view *>(launch->view);
  const size_t most = 0x7fffffffu;
  if (launch->stage == STAGE_packing_inside)
    launch_closely(kernel_packing_inside, blocks_for(launch, KERNEL_THREADS, EXACT_BLOCKS_A_PROCESSOR), KERNEL_THREADS,
                   launch->stream, *view);
  else if (launch->stage == STAGE_packing_job)
    launch_closely(kernel_packing_job, (unsigned)(launch->bound < most ? launch->bound : most), LANE_COUNT,
                   launch->stream, *view);
  else
    return false;
  return true;
}
