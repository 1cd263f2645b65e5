/* The kernel that sums the wrenches of pairs. Each thread sums some pairs, then the threads of a block combine their
 * sums, so that a block adds to the shared sums once. Each of the 31 atomic additions takes about two nanoseconds.
 * If a block meets several pairs of objects, its threads add on their own. */
#include "cuda/kernel_launch.cuh"
#include "cuda/stage_contact.h"

namespace {

enum {
  WRENCH_THREADS = 256,
  WARP = 32,
  WARPS_A_BLOCK = WRENCH_THREADS / WARP,
  SUM_COUNT = WRENCH_TERMS * SUM_LIMBS + 1 /* and the number of pairs */
};

constexpr unsigned ALL = 0xffffffffu;

/* Sums each thread's share of the pairs. Those of another place than the thread's last pair are added to the shared
 * sums at once. */
__device__ unsigned sum_own_wrenches(const contact_view *v, wrench_sum *sum) {
  const unsigned count = device_contact_count(v), stride = gridDim.x * WRENCH_THREADS;
  unsigned place = WRENCH_NONE;
  memset(sum, 0, sizeof *sum);
  for (unsigned long long i = blockIdx.x * WRENCH_THREADS + threadIdx.x; i < count; i += stride) {
    const unsigned next = v->wrenches.places[i];
    if (next == WRENCH_NONE) continue;
    if (place != WRENCH_NONE && next != place) {
      join_wrench(v, place, sum);
      memset(sum, 0, sizeof *sum);
    }
    place = next;
    add_wrench(v, static_cast<uint32_t>(i), place, sum);
  }
  return place;
}

/* The lowest place among the threads of the block that have one; WRENCH_NONE if none has. */
__device__ unsigned lowest_place(unsigned place) {
  __shared__ unsigned lowest;
  if (threadIdx.x == 0) lowest = WRENCH_NONE;
  __syncthreads();
  if (place != WRENCH_NONE) atomicMin(&lowest, place);
  __syncthreads();
  return lowest;
}

__device__ unsigned long long sum_of_warp(unsigned long long number) {
  for (int step = WARP / 2; step != 0; step /= 2) number += __shfl_xor_sync(ALL, number, step);
  return number;
}

/* Called by all threads of a block whose wrenches have one place. */
__device__ void join_block(const contact_view *v, unsigned place, const wrench_sum *sum) {
  __shared__ unsigned long long sums[SUM_COUNT][WARPS_A_BLOCK];
  const unsigned warp = threadIdx.x / WARP;
  device_wrench *wrench = &v->wrenches.sums[place];
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
      threadIdx.x < SUM_COUNT - 1 ? &wrench->limbs[threadIdx.x / SUM_LIMBS][threadIdx.x % SUM_LIMBS] : &wrench->count;
  if (total != 0) atomicAdd(reinterpret_cast<unsigned long long *>(shared), total);
}

__global__ void __launch_bounds__(WRENCH_THREADS) kernel_wrench_add(const __grid_constant__ contact_view view) {
  wrench_sum sum;
  follow_closely();
  const unsigned place = sum_own_wrenches(&view, &sum), common = lowest_place(place);
  const bool alike = __syncthreads_and(place == WRENCH_NONE || place == common) != 0;
  if (common == WRENCH_NONE) return;
  if (alike)
    join_block(&view, common, &sum);
  else if (place != WRENCH_NONE)
    join_wrench(&view, place, &sum);
}

} // namespace

bool launch_wrenches(const stage_launch *launch) {
  if (launch->stage != STAGE_wrench_add) return false;
  launch_closely(kernel_wrench_add, blocks_for(launch, WRENCH_THREADS, 1), WRENCH_THREADS, launch->stream,
                 *static_cast<const contact_view *>(launch->view));
  return true;
}
