/* How stages hand pairs on: to the list of the next stage, or as keys to the list of what was found.
 *
 * On a device a block of threads collects what its threads append, each at most once to a list and turn, in shared
 * memory, and writes it together, of several turns where it is little: one step of a list's counter a block. A step of
 * one counter takes two nanoseconds, whoever makes it, so with one a warp the counters would be slower than the tests.
 */
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

/* The lower primitive's entry first. What a stage counts does not depend on who saw whom, which is a race. */
GEOMETRY_FUNCTION index_pair in_order(const list_view *v, index_pair entries) {
  const index_pair primitives = primitives_of_entries(v, entries), turned = {entries.b, entries.a};
  return primitives.a < primitives.b ? entries : turned;
}

/* Writes entries to their place in a list; to that of pairs as a key, numbered among those of its group. */
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

/* Of the view of a stage that appends. */
static __device__ inline const list_view *lists_of(const pair_view *v) {
  return &v->lists;
}

template <typename view_type> static __device__ inline const list_view *lists_of(const view_type *v) {
  return &v->pairs.lists;
}

/* What a block has collected: what the threads append in one turn, and before it at most so much. */
enum { KEPT_FOR_LATER = KERNEL_THREADS / 2, COLLECTED_ROOM = KERNEL_THREADS + KEPT_FOR_LATER };

struct block_lists {
  uint32_t count[LIST_COUNT];
  unsigned long long first[LIST_COUNT]; /* of the places that were taken for it */
  index_pair entries[LIST_COUNT][COLLECTED_ROOM];
};

static __device__ inline block_lists *collected_lists() {
  __shared__ block_lists lists;
  return &lists;
}

/* By all threads of a block together, before the first that appends. */
static __device__ inline void begin_lists() {
  if (threadIdx.x < LIST_COUNT) collected_lists()->count[threadIdx.x] = 0;
  __syncthreads();
}

/* By all together, when all have appended what they had. */
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

/* By all together, after a turn: writes them where one is too long for another turn. */
static __device__ inline void write_full_lists(const list_view *v) {
  __syncthreads();
  const bool too_long = threadIdx.x < LIST_COUNT && collected_lists()->count[threadIdx.x] > KEPT_FOR_LATER;
  if (!__syncthreads_or(too_long)) return;
  write_lists(v);
  __syncthreads();
  begin_lists();
}

/* By all together, after the last turn. */
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
