/* The kernel of the search: the functions of stage_search.h, divided into steps so that the threads of a warp have
 * equal work.
 *
 * A warp takes several entries at a time and works in five steps, each on 32 items at once, one per thread: levels
 * of entries, which yield marked lines; lines, which yield runs; entries of runs, compared as boxes; pairs of boxes
 * that meet, which are decided; candidates, which are written with one step of the list's counter for many. Between
 * two steps there is a small queue in shared memory, and a step runs when its queue has 32 items. The items of a
 * step may belong to different entries. So it matters little that entries have few or many lines, lines few or many
 * entries, and that one box in five to ten meets. If there are many entries, the first step is simpler: 32 entries,
 * one per thread with all of its levels. */
#define KERNEL_THREADS 128

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_search.h"
#include "cuda/warp_candidates.cuh"

namespace {

enum {
  BLOCKS_AT_ONCE = 8,        /* per processor, limited by registers */
  ENTRIES_A_BATCH = 8,       /* per warp */
  MANY_ENTRIES_A_BATCH = 16, /* more entries, whose lines more threads find concurrently */
  MANY_ENTRIES = 192,        /* the entries per warp from which on MANY_ENTRIES_A_BATCH is used */
  BATCHES_TO_SHARE = 4       /* with this many batches per warp, one in as many is shared */
};

/* The distribution of entries among warps, in batches of `batch_size` entries. Each warp has a fixed number of batches;
 * the rest are shared by the warps that finish first. */
struct entry_shares {
  unsigned batch_size, fixed_batches;
};

/* The batches of a warp, in sequence, by number. Warps of a block have adjacent batches, so that they share data in the
 * first-level cache. Shared batches are taken from counters: warps with more work take fewer, and all end at about the
 * same time. A single counter would be too slow for all warps. */
struct batch_cursor {
  unsigned taken, number; /* batches so far, and the number of the next */

  __device__ batch_cursor() : taken(0), number(blockIdx.x * WARPS_A_BLOCK + threadIdx.x / WARP) {}

  __device__ void take_next(const grid_view *v, unsigned fixed_batches) {
    const unsigned warps = gridDim.x * WARPS_A_BLOCK;
    if (++taken < fixed_batches) {
      number += warps;
      return;
    }
    const unsigned counters = min(gridDim.x, static_cast<unsigned>(TALLY_SLOTS)), counter = blockIdx.x % counters;
    unsigned long long *given =
        reinterpret_cast<unsigned long long *>(&v->pairs.lists.totals->tally[TALLY_BATCHES][counter]);
    unsigned place = 0;
    if (lane_number() == 0) place = static_cast<unsigned>(atomicAdd(given, 1ull));
    place = __shfl_sync(ALL, place, 0);
    number =
        fixed_batches * warps + (place / WARPS_A_BLOCK * counters + counter) * WARPS_A_BLOCK + place % WARPS_A_BLOCK;
  }
};

/* A marked line of an entry: its level and number. */
struct queued_line {
  unsigned index, level_and_number;
};

/* Queues of lines: of any level, from the first element of an array up, and, if each thread has an entry of its own,
 * separately those of the entries' own levels, from the last element down. At any time, only one of the two has more
 * lines than a remainder below 32. */
enum { LINE_CAPACITY = QUEUE_CAPACITY + WARP };

struct line_queues {
  queued_line *items; /* in shared memory */
  unsigned any, own;

  __device__ unsigned count(bool of_own_level) const { return of_own_level ? own : any; }

  __device__ queued_line *at(bool of_own_level, unsigned number) {
    return items + (of_own_level ? LINE_CAPACITY - 1 - number : number);
  }

  /* Counts lines that were written. */
  __device__ void add(bool of_own_level, unsigned lines) {
    own += of_own_level ? lines : 0u;
    any += of_own_level ? 0u : lines;
    __syncwarp();
  }

  /* Takes the last 32 of them, or all: one per thread. False for threads that get none. */
  __device__ bool pull(bool of_own_level, queued_line *taken) {
    const unsigned lines = count(of_own_level), left = lines < WARP ? 0u : lines - WARP;
    const bool has = left + lane_number() < lines;
    if (has) *taken = *at(of_own_level, left + lane_number());
    (of_own_level ? own : any) = left;
    __syncwarp();
    return has;
  }
};

/* Entries to compare with an entry, and its box. */
struct queued_range {
  cell_box visiting;
  unsigned index, first, count;
};

struct queue_memory {
  queued_line lines[LINE_CAPACITY];
  queued_range ranges[QUEUE_CAPACITY];
  index_pair meeting[QUEUE_CAPACITY];
  index_pair candidates[CANDIDATE_CAPACITY];
};

struct warp_search {
  const grid_view *view;
  line_queues lines;
  warp_queue<queued_range> ranges;
  warp_queue<index_pair> meeting; /* entries whose boxes meet, the searching one first */
  warp_candidates found;
  bool reads_ahead; /* loads the next boxes during comparisons, if registers allow; a compile-time constant */
};

/* ---------------------------------------------------------------------------------------------- steps, last first */

__device__ void decide_intersection(warp_search *s) {
  index_pair pair = {0, 0};
  const bool has = s->meeting.pull(&pair);
  const entry_relation relation = has ? relate_entries(&s->view->pairs, pair.a, pair.b) : ENTRIES_APART;
  s->found.neighbors += relation == ENTRIES_NEIGHBORS ? 1u : 0u;
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

/* The bit with this number; 0 from 32 on, where the shift is undefined in C but not on the device. */
__device__ unsigned bit_or_none(unsigned number) {
#if defined(__CUDA_ARCH__)
  unsigned bit;
  asm("shl.b32 %0, 1, %1;" : "=r"(bit) : "r"(number));
  return bit;
#else
  return number < WARP ? 1u << number : 0u;
#endif
}

/* Two boxes to compare, the stored one being loaded, and their entries. */
struct compared_boxes {
  index_pair pair;
  cell_box visiting, stored;
};

/* The entries of up to 32 runs are numbered consecutively; each thread takes every 32nd. The run of a number is
 * found by counting bits that mark where runs begin; the runs themselves stay in the queue's memory. For two runs of
 * the entries 70 to 74 and 20 to 21, the first begins at number 0 and the second at 5: in place of their first
 * entries they store 70 and 15, to which a number is added to get an entry. */
struct run_reader {
  const grid_view *view;
  const queued_range *runs;
  unsigned begins, last;   /* the first number of this thread's run, and the last of all */
  unsigned begun;          /* number of runs that have begun */
  const queued_range *run; /* the run of the number that was read */
  unsigned place;          /* its entry */
  cell_box stored;

  /* Reads the next 32 numbers; after the end, the last one again. */
  __device__ void read(unsigned base) {
    const unsigned up_to_here = ALL >> (WARP - 1 - lane_number()), number = base + lane_number();
    const unsigned starts = device_union(ALL, bit_or_none(begins - base));
    run = runs + begun + __popc(starts & up_to_here) - 1;
    begun += __popc(starts);
    place = run->first + (number < last ? number : last);
    stored = view->pairs.entries.cell_boxes[place];
  }

  __device__ compared_boxes has_read() const { return {{run->index, place}, run->visiting, stored}; }
};

__device__ void compare_read(warp_search *s, const compared_boxes &read, bool has) {
  s->meeting.push(cell_boxes_meet(&read.stored, &read.visiting) & has, read.pair);
  if (s->meeting.count >= WARP) decide_intersection(s);
}

__device__ void compare_boxes(warp_search *s) {
  queued_range own;
  own.count = 0;
  const bool has = s->ranges.pull(&own);
  queued_range *runs = s->ranges.items + s->ranges.count;
  const unsigned sums = sum_so_far(own.count), total = __shfl_sync(ALL, sums, WARP - 1);
  const unsigned begins = has ? sums - own.count : ~0u;
  if (has) runs[lane_number()].first = own.first - begins; /* so that this plus a number is an entry */
  __syncwarp();
  run_reader reader = {s->view, runs, begins, total - 1, 0, runs, 0, {{0, 0, 0}, 0}};
  if (s->reads_ahead) {
    reader.read(0);
#pragma unroll 2 /* so that values being loaded need not move between registers */
    for (unsigned base = 0; base < total; base += WARP) {
      const compared_boxes read = reader.has_read();
      reader.read(base + WARP);
      compare_read(s, read, base + lane_number() < total);
    }
  } else {
#pragma unroll 1
    for (unsigned base = 0; base < total; base += WARP) {
      reader.read(base);
      compare_read(s, reader.has_read(), base + lane_number() < total);
    }
  }
  s->found.box_tests += own.count;
  __syncwarp();
}

/* The thread whose items include this number, given the inclusive sums of the threads' counts. */
__device__ unsigned owner_of(unsigned sums, unsigned item) {
  unsigned owner = 0;
  for (unsigned step = WARP / 2; step != 0; step /= 2)
    owner += __shfl_sync(ALL, sums, static_cast<int>(owner + step - 1)) <= item ? step : 0u;
  return owner;
}

__device__ unsigned from_thread(unsigned value, unsigned thread) {
  return __shfl_sync(ALL, value, static_cast<int>(thread));
}

__device__ primitive_box from_thread(const primitive_box &box, unsigned thread) {
  primitive_box taken;
  for (int axis = 0; axis < 3; axis++) {
    taken.min[axis] = __shfl_sync(ALL, box.min[axis], static_cast<int>(thread));
    taken.max[axis] = __shfl_sync(ALL, box.max[axis], static_cast<int>(thread));
  }
  return taken;
}

__device__ queued_range from_thread(const queued_range &range, unsigned thread) {
  queued_range taken;
  for (int axis = 0; axis < 3; axis++) taken.visiting.halves[axis] = from_thread(range.visiting.halves[axis], thread);
  taken.visiting.cell_key = from_thread(range.visiting.cell_key, thread);
  taken.index = from_thread(range.index, thread);
  taken.first = from_thread(range.first, thread);
  taken.count = from_thread(range.count, thread);
  return taken;
}

/* Compares long ranges, at most one per thread, by bundles: the bundles are numbered consecutively, and each thread
 * takes every 32nd. The entries of bundles that meet are queued for comparison. */
__device__ void compare_bundles(warp_search *s, bool has, const queued_range &own) {
  const grid_view *v = s->view;
  const unsigned count = has ? bundles_of(own.first, own.count) : 0u;
  const unsigned sums = sum_so_far(count), total = __shfl_sync(ALL, sums, WARP - 1);
  const primitive_box own_box = has ? box_around_entry(&v->pairs, own.index) : primitive_box{{0, 0, 0}, {0, 0, 0}};
  for (unsigned base = 0; base < total; base += WARP) {
    const unsigned number = base + lane_number(), owner = owner_of(sums, min(number, total - 1));
    queued_range range = from_thread(own, owner);
    const primitive_box visiting = from_thread(own_box, owner);
    const unsigned bundle = range.first / BUNDLE_ENTRIES + number - from_thread(sums - count, owner);
    const bool meets = number < total && boxes_meet(&v->bundle_boxes[bundle].box, &visiting);
    const entry_run run = run_in_bundle(bundle, range.first, range.count);
    range.first = run.first;
    range.count = run.count;
    s->found.spared -= meets ? run.count : 0u;
    s->ranges.push(meets, range);
    if (s->ranges.count >= WARP) compare_boxes(s);
  }
  s->found.box_tests += count;
  s->found.spared += has ? own.count : 0u;
}

/* Finds the ranges of lines of any entries, one or two each. On its own level the box of an entry is as stored. */
__device__ void find_ranges(warp_search *s, bool of_own_level) {
  const grid_view *v = s->view;
  queued_line seen = {0, 0};
  line_ranges ranges = {{0, 0, {{0, 0, 0}, 0}}, {0, 0, {{0, 0, 0}, 0}}};
  const bool has = s->lines.pull(of_own_level, &seen);
  const search_line line = line_of_number(&v->pairs, seen.level_and_number % 64u);
  if (has && of_own_level) {
    const level_cells cells = own_level_cells(&v->pairs, seen.index);
    ranges = ranges_of_line(v, seen.index, &cells, line);
  } else if (has) {
    const level_cells cells = level_cells_of(&v->pairs, seen.index, seen.level_and_number / 64u);
    ranges = ranges_of_line(v, seen.index, &cells, line);
  }
#pragma unroll 1
  for (int i = 0; i < 2; i++) {
    const entry_range range = i == 0 ? ranges.first : ranges.second;
    if (i != 0 && !__any_sync(ALL, range.count != 0)) break;
    const bool bundled = is_bundled(v, range.count);
    s->ranges.push(range.count != 0 && !bundled, queued_range{range.visiting, seen.index, range.first, range.count});
    if (s->ranges.count >= WARP) compare_boxes(s);
    if (v->bundle_boxes != NULL && __any_sync(ALL, bundled))
      compare_bundles(s, bundled, queued_range{range.visiting, seen.index, range.first, range.count});
  }
}

/* ---------------------------------------------------------------------------------------------- few entries */

__device__ unsigned bit_count(unsigned bits) {
  return __popc(bits);
}

__device__ unsigned bit_count(unsigned long long bits) {
  return __popcll(bits);
}

__device__ unsigned first_bit(unsigned bits) {
  return lowest_bit(bits);
}

__device__ unsigned first_bit(unsigned long long bits) {
  return lowest_bit_long(bits);
}

/* Queues the marked lines of one level of an entry per thread, in parts that fit the queue. */
template <typename line_bits>
__device__ void add_lines(warp_search *s, unsigned index, unsigned level, line_bits marked) {
  const unsigned count = bit_count(marked), sums = sum_so_far(count), total = __shfl_sync(ALL, sums, WARP - 1);
  unsigned place = sums - count; /* of the thread's next line in the sequence of all */
  for (unsigned written = 0; written < total;) {
    const unsigned end = min(total, written + QUEUE_CAPACITY - s->lines.any), own_end = min(end, sums);
    for (; place < own_end; place++, marked &= marked - 1u)
      *s->lines.at(false, s->lines.any + (place - written)) = queued_line{index, level * 64u + first_bit(marked)};
    s->lines.add(false, end - written);
    written = end;
    while (s->lines.any >= WARP) find_ranges(s, false);
  }
}

/* Distributes the levels of at most 32 entries among threads, and finds their marked lines. */
template <typename line_bits> __device__ void find_lines(warp_search *s, unsigned first_entry, unsigned entry_count) {
  const grid_view *v = s->view;
  search_levels own = {0, 0};
  if (lane_number() < entry_count)
    own = search_levels_of(&v->pairs, v->pairs.entries.cell_boxes[first_entry + lane_number()].cell_key);
  const unsigned levels = __popc(own.bits), sums = sum_so_far(levels), total = __shfl_sync(ALL, sums, WARP - 1);
  const unsigned begins = sums - levels;
  for (unsigned base = 0; base < total; base += WARP) {
    const unsigned item = base + lane_number(), owner = owner_of(sums, item), index = first_entry + owner;
    const unsigned number = item - __shfl_sync(ALL, begins, static_cast<int>(owner));
    unsigned level = 0;
    line_bits marked = 0;
    if (item < total) {
      level = search_level_of(&v->pairs, v->pairs.entries.cell_boxes[index].cell_key, number);
      const level_cells cells = level_cells_of(&v->pairs, index, level);
      marked = static_cast<line_bits>(marked_lines(v, &cells));
    }
    add_lines(s, index, level, marked);
  }
}

/* ---------------------------------------------------------------------------------------------- many entries */

/* Queues the marked lines of one level of an entry per thread, one line per thread at a time. Numbers of lines are
 * below 32 if boxes reach one cell. */
__device__ void add_lines_in_turn(warp_search *s, bool own_level, unsigned index, unsigned level, unsigned marked) {
  unsigned having = __ballot_sync(ALL, marked != 0);
  while (having != 0) {
    const unsigned before = __popc(having & ((1u << lane_number()) - 1u));
    if (marked != 0)
      *s->lines.at(own_level, s->lines.count(own_level) + before) =
          queued_line{index, level * 64u + lowest_bit(marked)};
    marked &= marked - 1u;
    s->lines.add(own_level, __popc(having));
    if (s->lines.count(own_level) >= WARP) find_ranges(s, own_level);
    having = __ballot_sync(ALL, marked != 0);
  }
}

/* One entry per thread, with all of its levels, its own first: threads need not look for entries, and lines of own
 * levels are found together. */
__device__ void find_lines_by_entries(warp_search *s, unsigned first_entry, unsigned entry_count) {
  const grid_view *v = s->view;
  const unsigned index = first_entry + lane_number();
  search_levels levels = {0, 0};
  if (lane_number() < entry_count) levels = search_levels_of(&v->pairs, v->pairs.entries.cell_boxes[index].cell_key);
  for (bool own_level = true; __any_sync(ALL, levels.bits != 0); own_level = false) {
    unsigned level = 0, marked = 0;
    if (levels.bits != 0) {
      level = lowest_bit(levels.bits);
      const level_cells cells = level_cells_of(&v->pairs, index, level);
      marked = static_cast<unsigned>(marked_lines(v, &cells));
    }
    levels.bits &= levels.bits - 1u;
    add_lines_in_turn(s, own_level, index, level, marked);
  }
}

/* ---------------------------------------------------------------------------------------------- the search */

/* Processes the remaining items of the queues. */
template <bool by_entries> __device__ void finish(warp_search *s) {
  if (by_entries && s->lines.own != 0) find_ranges(s, true);
  if (s->lines.any != 0) find_ranges(s, false);
  if (s->ranges.count != 0) compare_boxes(s);
  if (s->meeting.count != 0) decide_intersection(s);
}

/* Common kinds of queries, each with a kernel of its own: known options need no test per entry and line, which saves
 * registers. */
enum search_case {
  SEARCH_ANY,
  SEARCH_TRIANGLES,  /* all pairs except neighbors */
  SEARCH_TETRAHEDRA, /* likewise, of tetrahedra */
  SEARCH_BETWEEN     /* between two objects that are searched separately */
};

/* Sets the values of a view that the case determines. */
template <search_case known> __host__ __device__ void set_known(grid_view *view) {
  if (known == SEARCH_ANY) return;
  const bool solids = known == SEARCH_TETRAHEDRA, between = known == SEARCH_BETWEEN;
  view->pairs.entries.reach_bits = solids ? 1 : 0;
  view->pairs.query.sides = between ? SIDES_OF_SCENE : SIDES_NONE;
  view->pairs.query.pair_rule = between ? PAIRS_ALL : PAIRS_BUT_NEIGHBORS;
  view->pairs.scene.only_tetrahedra = solids ? 1 : 0;
}

/* The bits of marked lines: numbers of lines are below 32 if boxes reach one cell. */
template <search_case known> struct lines_of { typedef unsigned long long bits; };
template <> struct lines_of<SEARCH_TRIANGLES> { typedef unsigned bits; };
template <> struct lines_of<SEARCH_BETWEEN> { typedef unsigned bits; };

template <search_case known> bool is_case(const grid_view *view) {
  grid_view set = *view;
  set_known<known>(&set);
  const query_view *query = &set.pairs.query, *given = &view->pairs.query;
  return set.pairs.entries.reach_bits == view->pairs.entries.reach_bits && query->sides == given->sides &&
         query->pair_rule == given->pair_rule && set.pairs.scene.only_tetrahedra == view->pairs.scene.only_tetrahedra;
}

/* `by_entries`: 32 entries at a time, one per thread; `bundled`: long ranges have bundles. */
template <search_case known, bool by_entries, bool bundled>
__global__ void __launch_bounds__(KERNEL_THREADS, BLOCKS_AT_ONCE)
    kernel_search(const __grid_constant__ grid_view view, entry_shares shares) {
  __shared__ queue_memory memory[WARPS_A_BLOCK];
  __shared__ block_rest rest;
  grid_view seen = view; /* optimized away: each member is read from its source, or is a constant */
  set_known<known>(&seen);
  if (!bundled) seen.bundle_boxes = NULL;
  const grid_view *v = &seen;
  queue_memory *own = &memory[threadIdx.x / WARP];
  follow_closely();
  const unsigned end = v->first_entry + device_search_count(v);
  begin_rest(&rest);
  warp_search s = {v,
                   {own->lines, 0, 0},
                   {own->ranges, 0},
                   {own->meeting, 0},
                   {&v->pairs.lists, {own->candidates, 0}, 0, 0, 0, 0},
                   known != SEARCH_ANY};
  const unsigned batches = (end - v->first_entry + shares.batch_size - 1) / shares.batch_size;
  for (batch_cursor cursor; cursor.number < batches; cursor.take_next(v, shares.fixed_batches)) {
    const unsigned first = v->first_entry + cursor.number * shares.batch_size;
    if (by_entries)
      find_lines_by_entries(&s, first, min(end - first, shares.batch_size));
    else
      find_lines<typename lines_of<known>::bits>(&s, first, min(end - first, shares.batch_size));
  }
  finish<by_entries>(&s);
  write_rest(&s.found, &rest);
}

/* For a device with this number of concurrent warps of the search. If there are few batches per warp, none are shared:
 * otherwise each warp would read alone what the warps of a block read together. */
entry_shares shares_of(size_t entries, size_t warps, size_t batch_size) {
  const size_t batches = entries / (warps * batch_size);
  entry_shares shares;
  shares.batch_size = static_cast<unsigned>(batch_size);
  shares.fixed_batches =
      batches >= BATCHES_TO_SHARE ? static_cast<unsigned>(batches - batches / BATCHES_TO_SHARE) : UINT32_MAX;
  return shares;
}

/* As many blocks as run concurrently; twice as many if batches are not shared, because then the work of warps is
 * similar, and those of a block end together. Their queues need half of a processor's combined shared memory and
 * first-level cache. */
template <search_case known, bool by_entries, bool bundled>
void launch_case(size_t entries, size_t at_once, entry_shares shares, cudaStream_t stream, const grid_view *view) {
  enum { PERCENT_SHARED = 58 };
  const size_t most = shares.fixed_batches == UINT32_MAX ? 2 * at_once : at_once;
  const size_t block_entries = static_cast<size_t>(WARPS_A_BLOCK) * shares.batch_size;
  const size_t blocks = (entries + block_entries - 1) / block_entries;
  (void)cudaFuncSetAttribute(kernel_search<known, by_entries, bundled>, cudaFuncAttributePreferredSharedMemoryCarveout,
                             PERCENT_SHARED);
  launch_closely(kernel_search<known, by_entries, bundled>, static_cast<unsigned>(blocks < most ? blocks : most),
                 KERNEL_THREADS, stream, *view, shares);
}

template <bool bundled>
void launch_by_case(size_t entries, unsigned processors, cudaStream_t stream, const grid_view *view) {
  const size_t at_once = static_cast<size_t>(BLOCKS_AT_ONCE) * processors;
  const size_t warps = at_once * WARPS_A_BLOCK;
  const bool many = entries >= warps * MANY_ENTRIES;
  const entry_shares shares = shares_of(entries, warps, many ? MANY_ENTRIES_A_BATCH : ENTRIES_A_BATCH);
  if (is_case<SEARCH_TRIANGLES>(view) && many)
    launch_case<SEARCH_TRIANGLES, true, bundled>(entries, at_once, shares_of(entries, warps, WARP), stream, view);
  else if (is_case<SEARCH_TRIANGLES>(view))
    launch_case<SEARCH_TRIANGLES, false, bundled>(entries, at_once, shares, stream, view);
  else if (is_case<SEARCH_TETRAHEDRA>(view) && !bundled)
    launch_case<SEARCH_TETRAHEDRA, false, false>(entries, at_once, shares, stream, view);
  else if (is_case<SEARCH_BETWEEN>(view) && !bundled)
    launch_case<SEARCH_BETWEEN, false, false>(entries, at_once, shares, stream, view);
  else
    launch_case<SEARCH_ANY, false, bundled>(entries, at_once, shares, stream, view);
}

} // namespace

bool launch_search(const stage_launch *launch) {
  if (launch->stage != STAGE_search) return false;
  const grid_view *view = static_cast<const grid_view *>(launch->view);
  if (view->bundle_boxes != NULL)
    launch_by_case<true>(launch->bound, launch->processors, launch->stream, view);
  else
    launch_by_case<false>(launch->bound, launch->processors, launch->stream, view);
  return true;
}
