/* The kernel of batches of poses. Its stack is deep and it takes the compiler long: kept apart, it burdens no others.
 * Small blocks, because registers are many. */
#define KERNEL_THREADS 64

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_poses.h"

DEVICE_POSE_STAGE_LIST(DEVICE_KERNEL)

void launch_pose_stage(device_stage stage, unsigned blocks, cudaStream_t stream, const device_view *view) {
  switch (stage) {
    DEVICE_POSE_STAGE_LIST(DEVICE_LAUNCH)
  default:
    break;
  }
}
