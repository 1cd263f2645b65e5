/* The kernel that measures shared volumes of tetrahedra: the steps of stage_contact.h, with load balance between the
 * threads of a warp.
 *
 * A pair takes one to eighty steps, seven on average, and the maximum of 32 pairs is typically thirty. So threads do
 * not wait for the slowest one: when enough threads are idle, they write their results and take the next pairs of
 * their warp. Most of the time all threads are at the same step, each of its own pair. The state of a pair is in
 * shared memory, interleaved by thread, so that there are no bank conflicts. */
#define KERNEL_THREADS 64

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_contact.h"

namespace {

enum {
  WARP = 32,
  WARPS_A_BLOCK = KERNEL_THREADS / WARP,
  BLOCKS_AT_ONCE = 6, /* per processor, limited by shared memory; a thread may then have 168 registers */
  ENOUGH_IDLE = 18    /* idle threads of a warp for which new pairs are taken: a start costs as much as two steps */
};

constexpr unsigned ALL = 0xffffffffu;

/* The pairs of a warp: runs of 32 at a constant stride, so that all warps have pairs from every part of the list. */
__device__ uint64_t pair_of_warp(unsigned number) {
  const uint64_t warps = gridDim.x * static_cast<uint64_t>(WARPS_A_BLOCK);
  const unsigned warp = blockIdx.x * WARPS_A_BLOCK + threadIdx.x / WARP;
  return (number / WARP * warps + warp) * WARP + number % WARP;
}

/* A thread's pair and its remaining work. */
struct volume_work {
  volume_run run;
  bool has, more; /* it has a pair; the pair has steps left */
};

/* Called by a thread without steps left: writes its volume and takes this pair, if it exists. */
__device__ void take_pair(const contact_view *v, uint64_t index, uint64_t end, const overlap_scratch *scratch,
                          volume_work *work) {
  if (work->has) end_volume(v, &work->run);
  work->has = index < end && begin_volume(v, static_cast<uint32_t>(index), scratch, &work->run, &work->more);
}

__global__ void __launch_bounds__(KERNEL_THREADS, BLOCKS_AT_ONCE)
    kernel_contact_volumes(const __grid_constant__ contact_view view) {
  __shared__ double space[OVERLAP_SCRATCH][KERNEL_THREADS];
  const contact_view *v = &view;
  follow_closely();
  const overlap_scratch scratch = {&space[0][threadIdx.x], KERNEL_THREADS};
  const uint64_t end = device_contact_count(v);
  const unsigned before = (1u << threadIdx.x % WARP) - 1u;
  unsigned taken = 0; /* by the warp */
  volume_work work;
  work.has = work.more = false;
  for (;;) {
    const unsigned idle = __ballot_sync(ALL, !work.more);
    const bool has_pairs = pair_of_warp(taken) < end;
    if (idle == ALL || (has_pairs && __popc(idle) >= ENOUGH_IDLE)) {
      if (!work.more) take_pair(v, pair_of_warp(taken + __popc(idle & before)), end, &scratch, &work);
      taken += __popc(idle);
      if (!has_pairs) break; /* no thread had steps left either: all volumes are written */
    }
    __syncwarp();
    if (work.more) work.more = overlap_cut_step(&work.run.measure.cut, &scratch);
    __syncwarp();
  }
}

} // namespace

/* As many blocks as run concurrently, so that each thread has many pairs: at the end a warp waits for its last one. */
bool launch_volumes(const stage_launch *launch) {
  if (launch->stage != STAGE_contact_volumes) return false;
  (void)cudaFuncSetAttribute(kernel_contact_volumes, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared);
  launch_closely(kernel_contact_volumes, blocks_for(launch, KERNEL_THREADS, BLOCKS_AT_ONCE), KERNEL_THREADS,
                 launch->stream, *static_cast<const contact_view *>(launch->view));
  return true;
}
