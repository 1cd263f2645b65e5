/* Kernels of the stages that measure pairs as far as the double filter decides them: no exact arithmetic, so that their
 * stacks are small and as many threads as registers allow are at work. */
#define KERNEL_THREADS 128

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_contact.h"

DEVICE_MEASURE_STAGE_LIST(DEVICE_KERNEL)

/* Blocks for all of them, up to several times as many as run at once: pairs differ in their work. */
enum { MEASURE_BLOCKS_A_PROCESSOR = 64 };

void launch_measure_stage(device_stage stage, size_t pairs, unsigned processors, cudaStream_t stream,
                          const device_view *view) {
  const size_t needed = (pairs + KERNEL_THREADS - 1) / KERNEL_THREADS, most = MEASURE_BLOCKS_A_PROCESSOR * processors;
  const unsigned blocks = (unsigned)(needed < most ? needed : most);
  switch (stage) {
    DEVICE_MEASURE_STAGE_LIST(DEVICE_LAUNCH)
  default:
    break;
  }
}
