/* The kernels of batches of poses and configurations. Their stacks are deep and they take the compiler long: kept
 * apart, they burden no others. Small blocks, because registers are many. */
#define KERNEL_THREADS 64

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_configurations.h"

POSE_STAGE_LIST(DEVICE_KERNEL)
CONFIGURATION_STAGE_LIST(DEVICE_KERNEL)

bool launch_pose_answers(const stage_launch *launch) {
  const unsigned blocks = blocks_for(launch, KERNEL_THREADS, EXACT_BLOCKS_A_PROCESSOR);
  switch (launch->stage) {
    POSE_STAGE_LIST(DEVICE_LAUNCH)
    CONFIGURATION_STAGE_LIST(DEVICE_LAUNCH)
  default:
    return false;
  }
  return true;
}
