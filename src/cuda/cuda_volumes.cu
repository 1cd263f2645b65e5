/* The kernel that measures the volumes that tetrahedra share: the steps of stage_contact.h, taken by the threads of a
 * warp together.
 *
 * A pair takes one step or eighty, seven on average, and the worst of 32 pairs thirty. So a thread whose pair is cut
 * does not wait for the others: when enough threads have nothing to do, they write what they have found and take the
 * next pairs of their warp. All threads are then at the same step most of the time, each of a pair of its own. What
 * waits of a pair lies in shared memory, the same number of all threads side by side, so that each may have its own
 * without meeting another at a bank. */
#define KERNEL_THREADS 64

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_contact.h"

namespace {

enum {
  WARP = 32,
  WARPS_A_BLOCK = KERNEL_THREADS / WARP,
  BLOCKS_AT_ONCE = 6, /* on a processor, by shared memory; then a thread may have 168 registers */
  ENOUGH_IDLE = 18    /* threads of a warp, to take new pairs: beginning is as dear as two steps */
};

constexpr unsigned ALL = 0xffffffffu;

/* The pairs of a warp, 32 in a row of every so many, so that all warps have some of every part of the list. */
__device__ uint64_t pair_of_warp(unsigned number) {
  const uint64_t warps = gridDim.x * static_cast<uint64_t>(WARPS_A_BLOCK);
  const unsigned warp = blockIdx.x * WARPS_A_BLOCK + threadIdx.x / WARP;
  return (number / WARP * warps + warp) * WARP + number % WARP;
}

/* A thread's pair and what is to be done with it. */
struct volume_work {
  volume_run run;
  bool has, more; /* a pair; steps of it */
};

/* By a thread that has no steps left: writes its volume and takes this pair, where there is one. */
__device__ void take_pair(const contact_view *v, uint64_t index, uint64_t end, const overlap_room *room,
                          volume_work *work) {
  if (work->has) end_volume(v, &work->run);
  work->has = index < end && begin_volume(v, static_cast<uint32_t>(index), room, &work->run, &work->more);
}

__global__ void __launch_bounds__(KERNEL_THREADS, BLOCKS_AT_ONCE)
    kernel_contact_volumes(const __grid_constant__ contact_view view) {
  __shared__ double space[OVERLAP_ROOM][KERNEL_THREADS];
  const contact_view *v = &view;
  follow_closely();
  const overlap_room room = {&space[0][threadIdx.x], KERNEL_THREADS};
  const uint64_t end = device_contact_count(v);
  const unsigned before = (1u << threadIdx.x % WARP) - 1u;
  unsigned taken = 0; /* by the warp */
  volume_work work;
  work.has = work.more = false;
  for (;;) {
    const unsigned idle = __ballot_sync(ALL, !work.more);
    const bool has_pairs = pair_of_warp(taken) < end;
    if (idle == ALL || (has_pairs && __popc(idle) >= ENOUGH_IDLE)) {
      if (!work.more) take_pair(v, pair_of_warp(taken + __popc(idle & before)), end, &room, &work);
      taken += __popc(idle);
      if (!has_pairs) break; /* nor had any thread more to do: what there was is written */
    }
    __syncwarp();
    if (work.more) work.more = overlap_cut_step(&work.run.measure.cut, &room);
    __syncwarp();
  }
}

} // namespace

/* As many blocks as run at once, so that each thread has many pairs: in the end a warp waits for its last. */
bool launch_volumes(const stage_launch *launch) {
  if (launch->stage != STAGE_contact_volumes) return false;
  (void)cudaFuncSetAttribute(kernel_contact_volumes, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared);
  launch_closely(kernel_contact_volumes, blocks_for(launch, KERNEL_THREADS, BLOCKS_AT_ONCE), KERNEL_THREADS,
                 launch->stream, *static_cast<const contact_view *>(launch->view));
  return true;
}
