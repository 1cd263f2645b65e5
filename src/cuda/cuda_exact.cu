/* Kernels of the stages that have all exact tiers in them. They take the compiler longest, and their stacks are deep:
 * kept apart, neither burdens the others. Small blocks, because registers are many. */
#define KERNEL_THREADS 64

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_crowding.h"
#include "cuda/stage_exact.h"
#include "cuda/stage_vertices.h"

DEVICE_EXACT_STAGE_LIST(DEVICE_LIST_KERNEL)

void launch_exact_stage(device_stage stage, unsigned blocks, cudaStream_t stream, const device_view *view) {
  switch (stage) {
    DEVICE_EXACT_STAGE_LIST(DEVICE_LAUNCH)
  default:
    break;
  }
}
