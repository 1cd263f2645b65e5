/* The kernel of batches of poses. It has a deep stack and compiles slowly, so it is apart from the others. Blocks
 * are small, because registers are many. */
#define KERNEL_THREADS 64
#define KERNEL_BOUNDS(name) KERNEL_THREADS, BLOCKS_OF_##name

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_poses.h"

enum { BLOCKS_OF_pose_answer = 6 }; /* see cuda_contacts.cu */

POSE_STAGE_LIST(DEVICE_KERNEL)

bool launch_pose_answers(const stage_launch *launch) {
  const unsigned blocks = blocks_for(launch, KERNEL_THREADS, EXACT_BLOCKS_A_PROCESSOR);
  switch (launch->stage) {
    POSE_STAGE_LIST(DEVICE_LAUNCH)
  default:
    return false;
  }
  return true;
}
