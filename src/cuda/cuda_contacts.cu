/* Kernels of the stages that measure contacts. Their stacks are deep and they take the compiler long: kept apart, they
 * burden no others. Small blocks, because registers are many. */
#define KERNEL_THREADS 64

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_contact.h"

DEVICE_CONTACT_STAGE_LIST(DEVICE_KERNEL)

void launch_contact_stage(device_stage stage, unsigned blocks, cudaStream_t stream, const device_view *view) {
  switch (stage) {
    DEVICE_CONTACT_STAGE_LIST(DEVICE_LAUNCH)
  default:
    break;
  }
}
