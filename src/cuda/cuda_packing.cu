/* Kernels of sphere packings. Exact signs have deep stacks, and few threads at a time; a prototype is the work of a
 * warp, which is a block: prototypes take from some microseconds to some milliseconds, and the next block takes the
 * place of the first that is done. */
#define KERNEL_THREADS 64

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_packing.h"

static __global__ void __launch_bounds__(KERNEL_THREADS)
    kernel_packing_inside(const __grid_constant__ device_view view) {
  follow_closely();
  const uint32_t end = view.packing.job_count, stride = gridDim.x * blockDim.x;
  for (uint64_t index = blockIdx.x * blockDim.x + threadIdx.x; index < end; index += stride)
    stage_packing_inside((uint32_t)index, &view);
}

static __global__ void __launch_bounds__(LANE_COUNT) kernel_packing_job(const __grid_constant__ device_view view) {
  follow_closely();
  for (uint64_t index = blockIdx.x; index < view.packing.job_count; index += gridDim.x)
    stage_packing_job((uint32_t)index, &view);
}

void launch_packing_stage(device_stage stage, size_t jobs, unsigned processors, cudaStream_t stream,
                          const device_view *view) {
  const size_t most_inside = 16u * (size_t)processors, most = 0x7fffffffu;
  const size_t inside = (jobs + KERNEL_THREADS - 1) / KERNEL_THREADS;
  if (stage == STAGE_packing_inside)
    launch_closely(kernel_packing_inside, (unsigned)(inside < most_inside ? inside : most_inside), KERNEL_THREADS,
                   stream, *view);
  else
    launch_closely(kernel_packing_job, (unsigned)(jobs < most ? jobs : most), LANE_COUNT, stream, *view);
}
