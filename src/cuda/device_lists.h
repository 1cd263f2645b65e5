/* The output of stages: pairs for the list of the next stage, or keys for the list of results.
 *
 * On a device a block of threads collects the pairs of its threads, at most one per thread, list and round, in shared
 * memory, and writes them together, for several rounds if they are few: one operation on a list's counter per block. An
 * operation on one counter takes two nanoseconds, so with one per warp the counters would be slower than the tests. */
#ifndef GRAZE_CUDA_DEVICE_LISTS_H
#define GRAZE_CUDA_DEVICE_LISTS_H

#include "cuda/device_atomic.h"
#include "cuda/pair_view.h"

GEOMETRY_FUNCTION index_pair primitives_of_entries(const list_view *v, index_pair entries) {
  index_pair primitives;
  primitives.a = v->entries[entries.a].primitive;
  primitives.b = v->entries[entries.b].primitive;
  return primitives;
}

/* The lower primitive's entry first. Counters do not depend on which entry found the other, which is a race. */
GEOMETRY_FUNCTION index_pair in_order(const list_view *v, index_pair entries) {
  const index_pair primitives = primitives_of_entries(v, entries), turned = {entries.b, entries.a};
  return primitives.a < primitives.b ? entries : turned;
}

/* Writes entries to their place in a list; to the list of pairs as a key, numbered within its group. */
GEOMETRY_FUNCTION void write_to_list(const list_view *v, device_list list, uint64_t place, index_pair entries) {
  if (place >= v->capacity[list]) return;
  if (list != LIST_PAIRS) {
    v->list[list][place] = entries;
    return;
  }
  index_pair primitives = primitives_of_entries(v, entries);
  if (v->ranks != NULL) {
    primitives.a = v->ranks[primitives.a];
    primitives.b = v->ranks[primitives.b];
  }
  const bool in_order = primitives.a < primitives.b;
  const uint32_t lower = in_order ? primitives.a : primitives.b, upper = in_order ? primitives.b : primitives.a;
  v->keys[place] = (uint64_t)lower << v->key_bits | upper;
  if (v->sort_pairs == 0) v->pair_rank[place] = device_fetch_add(&v->pair_first[lower >> v->group_bits], 1);
}

#if defined(__CUDACC__)

#ifndef KERNEL_THREADS
#error "define KERNEL_THREADS, the threads of a block, before this header"
#endif

/* The lists in the view of a stage that appends. */
static __device__ inline const list_view *lists_of(const pair_view *v) {
  return &v->lists;
}

template <typename view_type> static __device__ inline const list_view *lists_of(const view_type *v) {
  return &v->pairs.lists;
}

/* The entries collected by a block: those appended in one round, and a bounded number from before. */
enum { KEPT_FOR_LATER = KERNEL_THREADS / 2, COLLECTED_CAPACITY = KERNEL_THREADS + KEPT_FOR_LATER };

struct block_lists {
  uint32_t count[LIST_COUNT];
  unsigned long long first[LIST_COUNT]; /* first of the allocated places */
  index_pair entries[LIST_COUNT][COLLECTED_CAPACITY];
};

static __device__ inline block_lists *collected_lists() {
  __shared__ block_lists lists;
  return &lists;
}

/* Called by all threads of a block, before the first append. */
static __device__ inline void begin_lists() {
  if (threadIdx.x < LIST_COUNT) collected_lists()->count[threadIdx.x] = 0;
  __syncthreads();
}

/* Called by all threads, after all have appended. */
static __device__ inline void write_lists(const list_view *v) {
  block_lists *lists = collected_lists();
  if (threadIdx.x < LIST_COUNT && lists->count[threadIdx.x] != 0)
    lists->first[threadIdx.x] =
        atomicAdd((unsigned long long *)&v->totals->list[threadIdx.x], (unsigned long long)lists->count[threadIdx.x]);
  __syncthreads();
  for (int list = 0; list < LIST_COUNT; list++)
    for (uint32_t i = threadIdx.x; i < lists->count[list]; i += KERNEL_THREADS)
      write_to_list(v, (device_list)list, lists->first[list] + i, lists->entries[list][i]);
}

/* Called by all threads after a round: writes the lists if one is too long for another round. */
static __device__ inline void write_full_lists(const list_view *v) {
  __syncthreads();
  const bool too_long = threadIdx.x < LIST_COUNT && collected_lists()->count[threadIdx.x] > KEPT_FOR_LATER;
  if (!__syncthreads_or(too_long)) return;
  write_lists(v);
  __syncthreads();
  begin_lists();
}

/* Called by all threads after the last round. */
static __device__ inline void end_lists(const list_view *v) {
  if (__syncthreads_or(threadIdx.x < LIST_COUNT && collected_lists()->count[threadIdx.x] != 0)) write_lists(v);
}

#endif

GEOMETRY_FUNCTION void append_entries(const list_view *v, device_list list, bool wants, index_pair entries) {
#if defined(__CUDA_ARCH__)
  (void)v;
  block_lists *lists = collected_lists();
  const uint32_t place = device_append(&lists->count[list], wants);
  if (wants) lists->entries[list][place] = entries;
#else
  if (wants) write_to_list(v, list, v->totals->list[list]++, entries);
#endif
}

GEOMETRY_FUNCTION void append_pair(const list_view *v, bool meets, index_pair entries) {
  append_entries(v, LIST_PAIRS, meets, entries);
}

#endif
