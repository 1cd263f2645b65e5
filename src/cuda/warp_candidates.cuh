/* The queues of a warp between the steps of a search, and the output of candidates to their list.
 *
 * Between two steps there is a small queue in shared memory, and a step runs when its queue has 32 items, so that
 * the threads of a warp have equal work. Candidates are written with one step of the list's counter for many,
 * because it is expensive (device_lists.h); the remaining ones of a block's warps are written together at the end. */
#ifndef GRAZE_CUDA_WARP_CANDIDATES_CUH
#define GRAZE_CUDA_WARP_CANDIDATES_CUH

#include "cuda/device_atomic.h"
#include "cuda/pair_view.h"

#include <cuda_runtime.h>

namespace {

enum {
  WARP = 32,
  WARPS_A_BLOCK = KERNEL_THREADS / WARP,
  QUEUE_CAPACITY = 2 * WARP, /* a remainder below 32 items, and 32 more */
  WRITTEN_TOGETHER = 2 * WARP,
  CANDIDATE_CAPACITY = WRITTEN_TOGETHER + WARP
};

constexpr unsigned ALL = 0xffffffffu;

__device__ unsigned lane_number() {
  return threadIdx.x % WARP;
}

/* Items of a warp that wait for the next step. All threads of the warp call these functions together. */
template <typename item> struct warp_queue {
  item *items; /* in shared memory */
  unsigned count;

  __device__ void push(bool wants, const item &made) {
    const unsigned wanting = __ballot_sync(ALL, wants);
    if (wants) items[count + __popc(wanting & ((1u << lane_number()) - 1u))] = made;
    count += __popc(wanting);
    __syncwarp();
  }

  /* Takes the last 32 of them, or all: one per thread. False for threads that get none. */
  __device__ bool pull(item *taken) {
    const unsigned taking = count < WARP ? count : WARP;
    const bool has = lane_number() < taking;
    count -= taking;
    if (has) *taken = items[count + lane_number()];
    __syncwarp();
    return has;
  }
};

/* The candidates of a warp, and the counts of this thread. */
struct warp_candidates {
  const list_view *view;
  warp_queue<index_pair> queue;
  unsigned box_tests, spared, neighbors, duplicates;
};

/* Writes all candidates of the warp from a reserved index on. */
__device__ void write_candidates(const warp_candidates *own, unsigned long long first) {
  const list_view *v = own->view;
  for (unsigned i = lane_number(); i < own->queue.count; i += WARP)
    if (first + i < v->capacity[LIST_CANDIDATES]) v->list[LIST_CANDIDATES][first + i] = own->queue.items[i];
}

__device__ unsigned long long take_places(const list_view *v, unsigned count) {
  return atomicAdd(reinterpret_cast<unsigned long long *>(&v->totals->list[LIST_CANDIDATES]),
                   static_cast<unsigned long long>(count));
}

__device__ void write_many_candidates(warp_candidates *own) {
  unsigned long long first = 0;
  if (lane_number() == 0) first = take_places(own->view, own->queue.count);
  write_candidates(own, __shfl_sync(ALL, first, 0));
  own->queue.count = 0;
  __syncwarp();
}

/* Called by all threads of a warp: adds a candidate for each that has one. */
__device__ void add_candidates(warp_candidates *own, bool has, index_pair candidate) {
  own->queue.push(has, candidate);
  if (own->queue.count >= WRITTEN_TOGETHER) write_many_candidates(own);
}

/* The remaining candidates of the warps of a block, and their counts. */
struct block_rest {
  unsigned candidates[WARPS_A_BLOCK];
  unsigned box_tests, spared, neighbors, duplicates;
  unsigned long long first;
};

/* Called by all threads of the block at the beginning. */
__device__ void begin_rest(block_rest *rest) {
  if (threadIdx.x == 0) rest->box_tests = rest->spared = rest->neighbors = rest->duplicates = 0;
  __syncthreads();
}

/* Called by all threads of the block at the end: writes and counts what remains. */
__device__ void write_rest(const warp_candidates *own, block_rest *rest) {
  const list_view *v = own->view;
  const unsigned warp = threadIdx.x / WARP;
  if (lane_number() == 0) rest->candidates[warp] = own->queue.count;
  atomicAdd(&rest->box_tests, own->box_tests);
  atomicAdd(&rest->neighbors, own->neighbors);
  if (own->spared != 0) atomicAdd(&rest->spared, own->spared);
  if (own->duplicates != 0) atomicAdd(&rest->duplicates, own->duplicates);
  __syncthreads();
  unsigned before = 0, total = 0;
  for (unsigned i = 0; i < WARPS_A_BLOCK; i++) {
    before += i < warp ? rest->candidates[i] : 0u;
    total += rest->candidates[i];
  }
  if (threadIdx.x == 0) {
    rest->first = total != 0 ? take_places(v, total) : 0;
    device_tally(device_tally_slot(v, TALLY_BOX_TESTS, blockIdx.x * WARP), rest->box_tests);
    device_tally(device_tally_slot(v, TALLY_NEIGHBORS, blockIdx.x * WARP), rest->neighbors);
    if (rest->spared != 0) device_tally(device_tally_slot(v, TALLY_SPARED, blockIdx.x * WARP), rest->spared);
    if (rest->duplicates != 0)
      device_tally(device_tally_slot(v, TALLY_DUPLICATES, blockIdx.x * WARP), rest->duplicates);
  }
  __syncthreads();
  write_candidates(own, rest->first + before);
}

} // namespace

#endif
