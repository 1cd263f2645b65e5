/* The kernels of the k-free measure with exact tiers; see cuda_exact.cu. */
#define KERNEL_THREADS 64

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_crowding.h"

CROWDING_EXACT_STAGE_LIST(DEVICE_KERNEL)

bool launch_crowding(const stage_launch *launch) {
  const unsigned blocks = blocks_for(launch, KERNEL_THREADS, EXACT_BLOCKS_A_PROCESSOR);
  switch (launch->stage) {
    CROWDING_EXACT_STAGE_LIST(DEVICE_LAUNCH)
  default:
    return false;
  }
  return true;
}
