/* The kernels of configurations. One has a deep stack and compiles slowly, like that of cuda_poses.cu. Blocks are
 * small, because registers are many. */
#define KERNEL_THREADS 64

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_configurations.h"

CONFIGURATION_STAGE_LIST(DEVICE_KERNEL)

bool launch_configurations(const stage_launch *launch) {
  const unsigned blocks = blocks_for(launch, KERNEL_THREADS, EXACT_BLOCKS_A_PROCESSOR);
  switch (launch->stage) {
    CONFIGURATION_STAGE_LIST(DEVICE_LAUNCH)
  default:
    return false;
  }
  return true;
}
