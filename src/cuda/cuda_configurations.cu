/* The kernels of configurations. One has a deep stack and compiles slowly, so they are apart from the others. Blocks
 * are small, because registers are many. */
#define KERNEL_THREADS 64
#define KERNEL_BOUNDS(name) KERNEL_THREADS, BLOCKS_OF_##name

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_configurations.h"

/* See cuda_contacts.cu. */
enum {
  BLOCKS_OF_configuration_mark = 16,
  BLOCKS_OF_configuration_sum = 16,
  BLOCKS_OF_configuration_place = 10,
  BLOCKS_OF_configuration_filter = 16,
  BLOCKS_OF_configuration_test = 6
};

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
