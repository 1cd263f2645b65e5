/* Kernels of the stages that measure contacts. They have deep stacks and compile slowly, so they are apart from the
 * others. Blocks are small, because registers are many. */
#define KERNEL_THREADS 64

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_contact.h"

CONTACT_EXACT_STAGE_LIST(DEVICE_KERNEL)

bool launch_exact_contacts(const stage_launch *launch) {
  const unsigned blocks = blocks_for(launch, KERNEL_THREADS, EXACT_BLOCKS_A_PROCESSOR);
  switch (launch->stage) {
    CONTACT_EXACT_STAGE_LIST(DEVICE_LAUNCH)
  default:
    return false;
  }
  return true;
}
