/* Kernels of the stages with all exact tiers. They compile slowly and have deep stacks, so each family of them has a
 * file of its own: this one, cuda_clearance.cu and cuda_crowding.cu. Blocks are small, because registers are many. */
#define KERNEL_THREADS 64
#define KERNEL_BOUNDS(name) KERNEL_THREADS, BLOCKS_OF_##name

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_exact.h"
#include "cuda/stage_vertices.h"

/* Blocks per processor: with more registers, fewer threads would run. */
enum {
  BLOCKS_OF_volume = 12,
  BLOCKS_OF_exact_triangles = 14,
  BLOCKS_OF_exact_tetrahedra = 8,
  BLOCKS_OF_exact_others = 6
};

SCENE_EXACT_STAGE_LIST(DEVICE_KERNEL)
PAIR_EXACT_STAGE_LIST(DEVICE_LIST_KERNEL)

bool launch_exact(const stage_launch *launch) {
  const unsigned blocks = blocks_for(launch, KERNEL_THREADS, EXACT_BLOCKS_A_PROCESSOR);
  switch (launch->stage) {
    SCENE_EXACT_STAGE_LIST(DEVICE_LAUNCH)
    PAIR_EXACT_STAGE_LIST(DEVICE_LAUNCH)
  default:
    return false;
  }
  return true;
}
