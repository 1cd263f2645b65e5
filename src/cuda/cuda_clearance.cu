/* The kernel of queries with a clearance; see cuda_exact.cu. */
#define KERNEL_THREADS 64
#define KERNEL_BOUNDS(name) KERNEL_THREADS, BLOCKS_OF_##name

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_exact.h"

enum { BLOCKS_OF_within = 6 }; /* see cuda_contacts.cu */

PAIR_CLEARANCE_STAGE_LIST(DEVICE_LIST_KERNEL)

bool launch_clearance(const stage_launch *launch) {
  const unsigned blocks = blocks_for(launch, KERNEL_THREADS, EXACT_BLOCKS_A_PROCESSOR);
  switch (launch->stage) {
    PAIR_CLEARANCE_STAGE_LIST(DEVICE_LAUNCH)
  default:
    return false;
  }
  return true;
}
