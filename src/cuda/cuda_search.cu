/* The kernel of the search: the functions of stage_search.h, taken apart so that the threads of a warp have equal work.
 *
 * A warp takes some entries at a time and works in five steps, each for 32 items at once, each item a thread: levels of
 * whatever entry, of which marked lines come out; lines of whatever entry, for their runs; entries of whatever run,
 * compared as boxes; pairs of boxes that meet, decided; candidates, written many with one step of the list's counter.
 * Between two steps lies a small queue in shared memory, and a step is done when its queue has 32 items. So it matters
 * little that entries have few or many lines, lines few or many entries, and that one box in five to ten meets. */
#define KERNEL_THREADS 128

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_search.h"
#include "cuda/warp_candidates.cuh"

namespace {

enum {
  BLOCKS_AT_ONCE = 8, /* on a processor, by their registers */
  ENTRIES_A_WARP = 8  /* at a time */
};

/* A line of an entry that has a mark. */
struct seen_line {
  unsigned index, level_and_bit;
};

/* Entries that an entry is to be compared with, of which those with this key count. */
struct __align__(16) seen_range {
  unsigned index, cell_key, first, count;
};

struct queue_memory {
  seen_line lines[QUEUE_ROOM];
  seen_range ranges[QUEUE_ROOM];
  index_pair meeting[QUEUE_ROOM];
  index_pair candidates[CANDIDATE_ROOM];
};

struct warp_search {
  const device_view *view;
  warp_queue<seen_line> lines;
  warp_queue<seen_range> ranges;
  warp_queue<index_pair> meeting; /* entries whose boxes meet, in the order of a candidate */
  warp_candidates found;
};

/* ---------------------------------------------------------------------------------------------- the steps, last first
 */

__device__ void decide_intersection(warp_search *s) {
  index_pair pair = {0, 0};
  const bool has = s->meeting.pull(&pair);
  const entry_relation relation = has ? relate_entries(s->view, pair.a, pair.b) : ENTRIES_APART;
  s->found.neighbours += relation == ENTRIES_NEIGHBOURS ? 1u : 0u;
  add_candidates(&s->found, relation == ENTRIES_CANDIDATE, pair);
}

/* The sum over this thread and those before it in the warp. */
__device__ unsigned sum_so_far(unsigned number) {
  for (unsigned step = 1; step < WARP; step *= 2) {
    const unsigned before = __shfl_up_sync(ALL, number, step);
    number += lane_number() >= step ? before : 0u;
  }
  return number;
}

/* The entries of up to 32 runs are numbered through; each thread takes every 32nd. Which run a number belongs to is
 * counted from bits that say where runs begin. */
__device__ void compare_boxes(warp_search *s) {
  const device_view *v = s->view;
  seen_range run = {0, 0, 0, 0};
  const bool has = s->ranges.pull(&run);
  const unsigned sums = sum_so_far(run.count), total = __shfl_sync(ALL, sums, WARP - 1);
  const unsigned begins = has ? sums - run.count : ~0u, offset = run.first - begins;
  const unsigned up_to_here = ALL >> (WARP - 1 - lane_number());
  unsigned begun = 0;
  for (unsigned base = 0; base < total; base += WARP) {
    const unsigned number = base + lane_number();
    const unsigned starts = device_union(ALL, begins - base < WARP ? 1u << (begins - base) : 0u);
    const int owner = static_cast<int>(begun + __popc(starts & up_to_here)) - 1;
    begun += __popc(starts);
    const unsigned index = __shfl_sync(ALL, run.index, owner), cell_key = __shfl_sync(ALL, run.cell_key, owner);
    const unsigned place = number + __shfl_sync(ALL, offset, owner);
    bool meet = false;
    index_pair pair = {0, 0};
    if (number < total) {
      const device_entry entry = v->entries[index], other = v->entries[place];
      meet = entries_meet(&entry, &other) && other.cell_key == cell_key;
      pair = candidate_of_search(v, index, &entry, place, &other);
    }
    s->meeting.push(meet, pair);
    if (s->meeting.count >= WARP) decide_intersection(s);
  }
  s->found.box_tests += run.count;
}

/* The thread whose items have this number, given the sums of each thread's own. */
__device__ unsigned owner_of(unsigned sums, unsigned item) {
  unsigned owner = 0;
  for (unsigned step = WARP / 2; step != 0; step /= 2)
    owner += __shfl_sync(ALL, sums, static_cast<int>(owner + step - 1)) <= item ? step : 0u;
  return owner;
}

__device__ void push_range(warp_search *s, unsigned index, entry_range range) {
  s->ranges.push(range.count != 0, seen_range{index, range.cell_key, range.first, range.count});
  if (s->ranges.count >= WARP) compare_boxes(s);
}

/* Lines of whatever entry and level: their ranges, one or two. */
__device__ void find_ranges(warp_search *s) {
  const device_view *v = s->view;
  seen_line seen = {0, 0};
  line_ranges ranges = {{0, 0, 0}, {0, 0, 0}};
  if (s->lines.pull(&seen)) {
    const device_entry entry = v->entries[seen.index];
    const level_cells cells = level_cells_of(v, &entry, seen.level_and_bit / 64u);
    ranges = ranges_of_line(v, seen.index, &cells, line_of_mark(&cells, seen.level_and_bit % 64u));
  }
  push_range(s, seen.index, ranges.first);
  if (__any_sync(ALL, ranges.second.count != 0)) push_range(s, seen.index, ranges.second);
}

/* The levels of some entries, at most 32: their lines that have marks. */
__device__ void find_lines(warp_search *s, unsigned first_entry, unsigned entry_count) {
  const device_view *v = s->view;
  unsigned levels = 0;
  if (lane_number() < entry_count) {
    const device_entry entry = v->entries[first_entry + lane_number()];
    levels = search_level_count(v, &entry);
  }
  const unsigned sums = sum_so_far(levels), total = __shfl_sync(ALL, sums, WARP - 1), begins = sums - levels;
  for (unsigned base = 0; base < total; base += WARP) {
    const unsigned item = base + lane_number(), owner = owner_of(sums, item), index = first_entry + owner;
    const unsigned number = item - __shfl_sync(ALL, begins, static_cast<int>(owner));
    unsigned level = 0;
    unsigned long long marked = 0;
    if (item < total) {
      const device_entry entry = v->entries[index];
      level = search_level_of(v, &entry, number);
      const level_cells cells = level_cells_of(v, &entry, level);
      marked = marked_lines(v, &cells);
    }
    for (; __any_sync(ALL, marked != 0); marked &= marked - 1u) {
      s->lines.push(marked != 0, seen_line{index, level * 64u + lowest_bit_long(marked)});
      if (s->lines.count >= WARP) find_ranges(s);
    }
  }
}

/* What is left in the queues. */
__device__ void finish(warp_search *s) {
  if (s->lines.count != 0) find_ranges(s);
  if (s->ranges.count != 0) compare_boxes(s);
  if (s->meeting.count != 0) decide_intersection(s);
}

__global__ void __launch_bounds__(KERNEL_THREADS, BLOCKS_AT_ONCE)
    kernel_search(const __grid_constant__ device_view view) {
  __shared__ queue_memory memory[WARPS_A_BLOCK];
  __shared__ block_rest rest;
  const device_view *v = &view;
  queue_memory *own = &memory[threadIdx.x / WARP];
  follow_closely();
  const unsigned end = v->first_entry + device_search_count(v);
  begin_rest(&rest);
  const unsigned long long stride = static_cast<unsigned long long>(gridDim.x) * WARPS_A_BLOCK * ENTRIES_A_WARP;
  warp_search s = {v, {own->lines, 0}, {own->ranges, 0}, {own->meeting, 0}, {v, {own->candidates, 0}, 0, 0, 0}};
  for (unsigned long long entry =
           v->first_entry + (blockIdx.x * WARPS_A_BLOCK + threadIdx.x / WARP) * static_cast<unsigned>(ENTRIES_A_WARP);
       entry < end; entry += stride) {
    const unsigned first = static_cast<unsigned>(entry), left = end - first;
    find_lines(&s, first, left < ENTRIES_A_WARP ? left : ENTRIES_A_WARP);
  }
  finish(&s);
  write_rest(&s.found, &rest);
}

} // namespace

/* Twice as many blocks as run at once, so that warps have much the same work: those of a block end together. Their
 * queues need half of what a processor has for both shared memory and its first cache. */
void launch_search(size_t entries, unsigned processors, cudaStream_t stream, const device_view *view) {
  enum { BLOCKS_A_PROCESSOR = 2 * BLOCKS_AT_ONCE, PERCENT_SHARED = 58 };
  const size_t most = static_cast<size_t>(BLOCKS_A_PROCESSOR) * processors,
               block_entries = WARPS_A_BLOCK * ENTRIES_A_WARP;
  const size_t blocks = (entries + block_entries - 1) / block_entries;
  (void)cudaFuncSetAttribute(kernel_search, cudaFuncAttributePreferredSharedMemoryCarveout, PERCENT_SHARED);
  launch_closely(kernel_search, static_cast<unsigned>(blocks < most ? blocks : most), KERNEL_THREADS, stream, *view);
}
