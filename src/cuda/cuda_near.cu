/* The kernel of configurations with a clearance or padding; see cuda_configurations.cu. */
#define KERNEL_THREADS 64
#define KERNEL_BOUNDS(name) KERNEL_THREADS, BLOCKS_OF_##name
enum { BLOCKS_OF_near_test = 6 }; /* see cuda_contacts.cu */

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_configurations.h"

NEAR_STAGE_LIST(DEVICE_KERNEL)

bool launch_near_tests(const stage_launch *launch) {
  const unsigned blocks = blocks_for(launch, KERNEL_THREADS, EXACT_BLOCKS_A_PROCESSOR);
  switch (launch->stage) {
    NEAR_STAGE_LIST(DEVICE_LAUNCH)
  default:
    return false;
  }
  return true;
}
