/* The kernel that poses and measures vertices: each thread several, then the bounds of a block together, so that one
 * warp per block updates the shared extent. */
#include "cuda/kernel_launch.cuh"
#include "cuda/stage_vertices.h"

namespace {

enum { POSE_THREADS = 256, WARP = 32, WARPS_A_BLOCK = POSE_THREADS / WARP, BLOCKS_A_PROCESSOR = 4 };

__device__ double lower_of(double a, double b) {
  return a < b ? a : b;
}

__device__ double higher_of(double a, double b) {
  return a > b ? a : b;
}

/* Joins bounds over the threads of a warp. */
__device__ vertex_bounds join_warp(vertex_bounds bounds) {
  for (int step = WARP / 2; step != 0; step /= 2)
    for (int axis = 0; axis < 3; axis++) {
      bounds.low[axis] = lower_of(bounds.low[axis], __shfl_xor_sync(0xffffffffu, bounds.low[axis], step));
      bounds.high[axis] = higher_of(bounds.high[axis], __shfl_xor_sync(0xffffffffu, bounds.high[axis], step));
    }
  bounds.finite = __all_sync(0xffffffffu, bounds.finite);
  return bounds;
}

__global__ void __launch_bounds__(POSE_THREADS) kernel_pose(const __grid_constant__ update_view view) {
  __shared__ vertex_bounds joined[2][WARPS_A_BLOCK];
  const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
  follow_closely();
  const int objects = objects_are_measured_apart(&view.scene) ? 2 : 1;
  posed_bounds bounds = pose_vertices(&view, blockIdx.x * POSE_THREADS + threadIdx.x, gridDim.x * POSE_THREADS);
  for (int i = 0; i < objects; i++) {
    const vertex_bounds of_warp = join_warp(bounds.of[i]);
    if (lane == 0) joined[i][warp] = of_warp;
  }
  __syncthreads();
  if (warp != 0) return;
  for (int i = 0; i < objects; i++) bounds.of[i] = join_warp(joined[i][lane % WARPS_A_BLOCK]);
  raise_extent(&view, &bounds, lane, WARP);
  __syncwarp();
  if (lane == 0) arrive_at_extent(&view, gridDim.x);
}

} // namespace

bool launch_vertices(const stage_launch *launch) {
  if (launch->stage != STAGE_pose) return false;
  launch_closely(kernel_pose, blocks_for(launch, POSE_THREADS, BLOCKS_A_PROCESSOR), POSE_THREADS, launch->stream,
                 *static_cast<const update_view *>(launch->view));
  return true;
}
