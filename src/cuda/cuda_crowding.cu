/* The kernels of the k-free measure with exact tiers; see cuda_exact.cu. */
#define KERNEL_THREADS 64
#define KERNEL_BOUNDS(name) KERNEL_THREADS, BLOCKS_OF_##name

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_crowding.h"

enum { BLOCKS_OF_near_open = 6, BLOCKS_OF_near_others = 6 }; /* see cuda_contacts.cu */

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
