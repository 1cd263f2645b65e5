/* Kernels of the stages that measure contacts. They have deep stacks and compile slowly, so they are apart from the
 * others. Blocks are small, because registers are many. */
#define KERNEL_THREADS 64
#define KERNEL_BOUNDS(name) KERNEL_THREADS, BLOCKS_OF_##name

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_contact.h"

/* Blocks per processor: with more registers, fewer threads would run. */
enum {
  BLOCKS_OF_contact_open_triangles = 8,
  BLOCKS_OF_contact_open_tetrahedra = 8,
  BLOCKS_OF_contact_spheres = 10,
  BLOCKS_OF_contact_others = 6
};

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
