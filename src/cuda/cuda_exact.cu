/* Kernels of the stages with all exact tiers. They compile slowest and have deep stacks, so they are apart from the
 * others. Blocks are small, because registers are many. */
#define KERNEL_THREADS 64

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_clearance.h"
#include "cuda/stage_crowding.h"
#include "cuda/stage_exact.h"
#include "cuda/stage_parts.h"
#include "cuda/stage_vertices.h"

SCENE_EXACT_STAGE_LIST(DEVICE_KERNEL)
PAIR_EXACT_STAGE_LIST(DEVICE_LIST_KERNEL)
CROWDING_EXACT_STAGE_LIST(DEVICE_KERNEL)

bool launch_exact(const stage_launch *launch) {
  const unsigned blocks = blocks_for(launch, KERNEL_THREADS, EXACT_BLOCKS_A_PROCESSOR);
  switch (launch->stage) {
    SCENE_EXACT_STAGE_LIST(DEVICE_LAUNCH)
    PAIR_EXACT_STAGE_LIST(DEVICE_LAUNCH)
    CROWDING_EXACT_STAGE_LIST(DEVICE_LAUNCH)
  default:
    return false;
  }
  return true;
}
