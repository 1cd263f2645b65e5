/* The kernel that sums up what pairs push: each thread some pairs, then the threads of a block together, so that a
 * block goes once to the sums that all share. A step of one of those takes two nanoseconds, whoever makes it, and there
 * are
 * 31. Where a block meets several pairs of objects, its threads go there by themselves. */
#include "cuda/kernel_launch.cuh"
#include "cuda/stage_push.h"

namespace {

enum {
  PUSH_THREADS = 256,
  WARP = 32,
  WARPS_A_BLOCK = PUSH_THREADS / WARP,
  SUM_COUNT = PUSH_TERMS * SUM_LIMBS + 1 /* and the number of pairs */
};

constexpr unsigned ALL = 0xffffffffu;

/* Each thread's part of the pairs. Those of another place than the last go there at once. */
__device__ unsigned sum_own_pushes(const contact_view *v, push_sum *sum) {
  const unsigned count = device_contact_count(v), stride = gridDim.x * PUSH_THREADS;
  unsigned place = PUSH_NONE;
  memset(sum, 0, sizeof *sum);
  for (unsigned long long i = blockIdx.x * PUSH_THREADS + threadIdx.x; i < count; i += stride) {
    const unsigned next = v->pushes.places[i];
    if (next == PUSH_NONE) continue;
    if (place != PUSH_NONE && next != place) {
      join_push(v, place, sum);
      memset(sum, 0, sizeof *sum);
    }
    place = next;
    add_push(v, static_cast<uint32_t>(i), place, sum);
  }
  return place;
}

/* The place that the threads of the block have, those that have one; PUSH_NONE where none has. */
__device__ unsigned lowest_place(unsigned place) {
  __shared__ unsigned lowest;
  if (threadIdx.x == 0) lowest = PUSH_NONE;
  __syncthreads();
  if (place != PUSH_NONE) atomicMin(&lowest, place);
  __syncthreads();
  return lowest;
}

__device__ unsigned long long sum_of_warp(unsigned long long number) {
  for (int step = WARP / 2; step != 0; step /= 2) number += __shfl_xor_sync(ALL, number, step);
  return number;
}

/* By all threads of the block, whose pushes are of one place. */
__device__ void join_block(const contact_view *v, unsigned place, const push_sum *sum) {
  __shared__ unsigned long long sums[SUM_COUNT][WARPS_A_BLOCK];
  const unsigned warp = threadIdx.x / WARP;
  device_push *push = &v->pushes.sums[place];
#pragma unroll
  for (int i = 0; i < SUM_COUNT; i++) {
    const unsigned long long own = i < SUM_COUNT - 1 ? sum->sums[i / SUM_LIMBS].limb[i % SUM_LIMBS] : sum->count;
    const unsigned long long together = sum_of_warp(own);
    if (threadIdx.x % WARP == 0) sums[i][warp] = together;
  }
  __syncthreads();
  if (threadIdx.x >= SUM_COUNT) return;
  unsigned long long total = 0;
  for (int i = 0; i < WARPS_A_BLOCK; i++) total += sums[threadIdx.x][i];
  uint64_t *shared =
      threadIdx.x < SUM_COUNT - 1 ? &push->limbs[threadIdx.x / SUM_LIMBS][threadIdx.x % SUM_LIMBS] : &push->count;
  if (total != 0) atomicAdd(reinterpret_cast<unsigned long long *>(shared), total);
}

__global__ void __launch_bounds__(PUSH_THREADS) kernel_push_add(const __grid_constant__ contact_view view) {
  push_sum sum;
  follow_closely();
  const unsigned place = sum_own_pushes(&view, &sum), common = lowest_place(place);
  const bool alike = __syncthreads_and(place == PUSH_NONE || place == common) != 0;
  if (common == PUSH_NONE) return;
  if (alike)
    join_block(&view, common, &sum);
  else if (place != PUSH_NONE)
    join_push(&view, place, &sum);
}

} // namespace

bool launch_pushes(const stage_launch *launch) {
  if (launch->stage != STAGE_push_add) return false;
  launch_closely(kernel_push_add, blocks_for(launch, PUSH_THREADS, 1), PUSH_THREADS, launch->stream,
                 *static_cast<const contact_view *>(launch->view));
  return true;
}
