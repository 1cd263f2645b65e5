/* The kernel of the search: the functions of stage_search.h, taken apart so that the threads of a warp have equal work.
 *
 * A warp takes some entries at a time and works in five steps, each for 32 items at once, each item a thread: levels of
 * whatever entry, of which marked lines come out; lines of whatever entry, for their runs; entries of whatever run,
 * compared as boxes; pairs of boxes that meet, decided; candidates, written many with one step of the list's counter.
 * Between two steps lies a small queue in shared memory, and a step is done when its queue has 32 items. So it matters
 * little that entries have few or many lines, lines few or many entries, and that one box in five to ten meets. Where
 * there are many entries the first step is simpler: 32 of them, a thread each with all of its levels. */
#define KERNEL_THREADS 128

#include "cuda/kernel_launch.cuh"
#include "cuda/stage_search.h"
#include "cuda/warp_candidates.cuh"

namespace {

enum {
  BLOCKS_AT_ONCE = 8,       /* on a processor, by their registers */
  ENTRIES_A_TURN = 8,       /* of a warp, */
  MANY_ENTRIES_A_TURN = 16, /* or so many, of which more threads find lines at once, */
  MANY_ENTRIES = 192,       /* where each warp has that many */
  TURNS_TO_SHARE = 4        /* and where it has so many, one in as many is left to whoever is ready */
};

/* How entries are shared out: so many at a time, a turn, to each warp; and after some turns that all warps have, the
 * others to whoever is ready for one. */
struct entry_shares {
  unsigned a_turn, turns_of_all;
};

/* The turns of a warp, one after the other, each with a number. Warps of a block have theirs side by side, so that they
 * find in the first cache what the others have read. The last ones are taken from counters: warps which have had much
 * to do take fewer, and all end together. One counter would be too slow for all of them. */
struct turn_taker {
  unsigned taken, number; /* turns so far, and which one is next */

  __device__ turn_taker() : taken(0), number(blockIdx.x * WARPS_A_BLOCK + threadIdx.x / WARP) {}

  __device__ void take_next(const grid_view *v, unsigned turns_of_all) {
    const unsigned warps = gridDim.x * WARPS_A_BLOCK;
    if (++taken < turns_of_all) {
      number += warps;
      return;
    }
    const unsigned counters = min(gridDim.x, static_cast<unsigned>(TALLY_SLOTS)), counter = blockIdx.x % counters;
    unsigned long long *given =
        reinterpret_cast<unsigned long long *>(&v->pairs.lists.totals->tally[TALLY_TURNS][counter]);
    unsigned place = 0;
    if (lane_number() == 0) place = static_cast<unsigned>(atomicAdd(given, 1ull));
    place = __shfl_sync(ALL, place, 0);
    number =
        turns_of_all * warps + (place / WARPS_A_BLOCK * counters + counter) * WARPS_A_BLOCK + place % WARPS_A_BLOCK;
  }
};

/* A line of an entry that has a mark: its level and number. */
struct seen_line {
  unsigned index, level_and_number;
};

/* Lines of whatever level, from the first place of an array up. Where a thread has an entry of its own, those of the
 * entries' own levels are kept apart, from the last place down: of one of the two at a time there are more than what
 * was short of 32. */
enum { LINE_ROOM = QUEUE_ROOM + WARP };

struct line_queues {
  seen_line *items; /* in shared memory */
  unsigned any, own;

  __device__ unsigned count(bool of_own_level) const { return of_own_level ? own : any; }

  __device__ seen_line *at(bool of_own_level, unsigned number) {
    return items + (of_own_level ? LINE_ROOM - 1 - number : number);
  }

  /* For lines that were written. */
  __device__ void add(bool of_own_level, unsigned lines) {
    own += of_own_level ? lines : 0u;
    any += of_own_level ? 0u : lines;
    __syncwarp();
  }

  /* The last 32 of them, or all: one for each thread. False for threads that get none. */
  __device__ bool pull(bool of_own_level, seen_line *taken) {
    const unsigned lines = count(of_own_level), left = lines < WARP ? 0u : lines - WARP;
    const bool has = left + lane_number() < lines;
    if (has) *taken = *at(of_own_level, left + lane_number());
    (of_own_level ? own : any) = left;
    __syncwarp();
    return has;
  }
};

/* Entries that an entry is to be compared with, and its box. */
struct seen_range {
  cell_box looking;
  unsigned index, first, count;
};

struct queue_memory {
  seen_line lines[LINE_ROOM];
  seen_range ranges[QUEUE_ROOM];
  index_pair meeting[QUEUE_ROOM];
  index_pair candidates[CANDIDATE_ROOM];
};

struct warp_search {
  const grid_view *view;
  line_queues lines;
  warp_queue<seen_range> ranges;
  warp_queue<index_pair> meeting; /* entries whose boxes meet, the one that looked first */
  warp_candidates found;
  bool reads_ahead; /* while other boxes are compared, where there are registers for it; known when compiled */
};

/* ---------------------------------------------------------------------------------------------- the steps, last first
 */

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

/* The bit with this number; none from 32 on, which C leaves open and the device does not. */
__device__ unsigned bit_or_none(unsigned number) {
#if defined(__CUDA_ARCH__)
  unsigned bit;
  asm("shl.b32 %0, 1, %1;" : "=r"(bit) : "r"(number));
  return bit;
#else
  return number < WARP ? 1u << number : 0u;
#endif
}

/* Two boxes to compare, the stored one on its way; and whose they are. */
struct looked_at {
  index_pair pair;
  cell_box looking, stored;
};

/* The entries of up to 32 runs are numbered through; each thread takes every 32nd. Which run a number belongs to is
 * counted from bits that say where runs begin; the runs themselves stay in the queue's memory meanwhile. Of two runs of
 * the entries 70 to 74 and 20 to 21 the first begins at number 0 and the second at 5: what they keep in place of their
 * first entry is 70 and 15, which with a number is an entry's place. */
struct run_reader {
  const grid_view *view;
  const seen_range *runs;
  unsigned begins, last; /* the first number of this thread's run, and the last of all */
  unsigned begun;        /* runs that have begun */
  const seen_range *run; /* of the number that was read, */
  unsigned place;        /* and its entry */
  cell_box stored;

  /* The next 32 numbers; behind the last one that again. */
  __device__ void read(unsigned base) {
    const unsigned up_to_here = ALL >> (WARP - 1 - lane_number()), number = base + lane_number();
    const unsigned starts = device_union(ALL, bit_or_none(begins - base));
    run = runs + begun + __popc(starts & up_to_here) - 1;
    begun += __popc(starts);
    place = run->first + (number < last ? number : last);
    stored = view->pairs.entries.cell_boxes[place];
  }

  __device__ looked_at has_read() const { return {{run->index, place}, run->looking, stored}; }
};

__device__ void compare_read(warp_search *s, const looked_at &read, bool has) {
  s->meeting.push(cell_boxes_meet(&read.stored, &read.looking) & has, read.pair);
  if (s->meeting.count >= WARP) decide_intersection(s);
}

__device__ void compare_boxes(warp_search *s) {
  seen_range own;
  own.count = 0;
  const bool has = s->ranges.pull(&own);
  seen_range *runs = s->ranges.items + s->ranges.count;
  const unsigned sums = sum_so_far(own.count), total = __shfl_sync(ALL, sums, WARP - 1);
  const unsigned begins = has ? sums - own.count : ~0u;
  if (has) runs[lane_number()].first = own.first - begins; /* so that a number and this are the place of an entry */
  __syncwarp();
  run_reader reader = {s->view, runs, begins, total - 1, 0, runs, 0, {{0, 0, 0}, 0}};
  if (s->reads_ahead) {
    reader.read(0);
#pragma unroll 2 /* so that what is on its way does not have to change its registers */
    for (unsigned base = 0; base < total; base += WARP) {
      const looked_at read = reader.has_read();
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

/* The thread whose items have this number, given the sums of each thread's own. */
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

__device__ seen_range from_thread(const seen_range &range, unsigned thread) {
  seen_range taken;
  for (int axis = 0; axis < 3; axis++) taken.looking.halves[axis] = from_thread(range.looking.halves[axis], thread);
  taken.looking.cell_key = from_thread(range.looking.cell_key, thread);
  taken.index = from_thread(range.index, thread);
  taken.first = from_thread(range.first, thread);
  taken.count = from_thread(range.count, thread);
  return taken;
}

/* Long ranges, of each thread its own or none: their bundles are numbered through, and each thread takes every 32nd.
 * What lies in those that are met is left to compare. */
__device__ void compare_bundles(warp_search *s, bool has, const seen_range &own) {
  const grid_view *v = s->view;
  const unsigned count = has ? bundles_of(own.first, own.count) : 0u;
  const unsigned sums = sum_so_far(count), total = __shfl_sync(ALL, sums, WARP - 1);
  const primitive_box own_box = has ? box_around_entry(&v->pairs, own.index) : primitive_box{{0, 0, 0}, {0, 0, 0}};
  for (unsigned base = 0; base < total; base += WARP) {
    const unsigned number = base + lane_number(), owner = owner_of(sums, min(number, total - 1));
    seen_range range = from_thread(own, owner);
    const primitive_box looking = from_thread(own_box, owner);
    const unsigned bundle = range.first / BUNDLE_ENTRIES + number - from_thread(sums - count, owner);
    const bool meets = number < total && boxes_meet(&v->bundle_boxes[bundle].box, &looking);
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

/* Lines of whatever entry: their ranges, one or two. On its own level the box of an entry is as stored. */
__device__ void find_ranges(warp_search *s, bool of_own_level) {
  const grid_view *v = s->view;
  seen_line seen = {0, 0};
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
    s->ranges.push(range.count != 0 && !bundled, seen_range{range.looking, seen.index, range.first, range.count});
    if (s->ranges.count >= WARP) compare_boxes(s);
    if (v->bundle_boxes != NULL && __any_sync(ALL, bundled))
      compare_bundles(s, bundled, seen_range{range.looking, seen.index, range.first, range.count});
  }
}

/* ---------------------------------------------------------------------------------------------- lines of few entries
 */

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

/* The marked lines of a level of an entry, of each thread its own, as far as there is room at a time. */
template <typename line_bits>
__device__ void add_lines(warp_search *s, unsigned index, unsigned level, line_bits marked) {
  const unsigned count = bit_count(marked), sums = sum_so_far(count), total = __shfl_sync(ALL, sums, WARP - 1);
  unsigned place = sums - count; /* of the thread's next line among all */
  for (unsigned written = 0; written < total;) {
    const unsigned end = min(total, written + QUEUE_ROOM - s->lines.any), own_end = min(end, sums);
    for (; place < own_end; place++, marked &= marked - 1u)
      *s->lines.at(false, s->lines.any + (place - written)) = seen_line{index, level * 64u + first_bit(marked)};
    s->lines.add(false, end - written);
    written = end;
    while (s->lines.any >= WARP) find_ranges(s, false);
  }
}

/* Levels of some entries, at most 32, shared out: their lines that have marks. */
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

/* ---------------------------------------------------------------------------------------------- lines of 32 entries */

/* The marked lines of a level of an entry, of each thread its own, one of each at a time. Numbers of lines are below 32
 * where boxes reach one cell. */
__device__ void add_lines_in_turn(warp_search *s, bool own_level, unsigned index, unsigned level, unsigned marked) {
  unsigned having = __ballot_sync(ALL, marked != 0);
  while (having != 0) {
    const unsigned before = __popc(having & ((1u << lane_number()) - 1u));
    if (marked != 0)
      *s->lines.at(own_level, s->lines.count(own_level) + before) = seen_line{index, level * 64u + lowest_bit(marked)};
    marked &= marked - 1u;
    s->lines.add(own_level, __popc(having));
    if (s->lines.count(own_level) >= WARP) find_ranges(s, own_level);
    having = __ballot_sync(ALL, marked != 0);
  }
}

/* A thread an entry, with all of its levels, its own first: none has to be found for it, and lines of own levels come
 * together. */
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

/* ---------------------------------------------------------------------------------------------- all of it */

/* What is left in the queues. */
template <bool by_entries> __device__ void finish(warp_search *s) {
  if (by_entries && s->lines.own != 0) find_ranges(s, true);
  if (s->lines.any != 0) find_ranges(s, false);
  if (s->ranges.count != 0) compare_boxes(s);
  if (s->meeting.count != 0) decide_intersection(s);
}

/* Questions that most queries ask, each with a kernel of its own: what is known of them need not be looked at for every
 * entry and line, and leaves registers for the rest. */
enum search_case {
  SEARCH_ANY,
  SEARCH_TRIANGLES,  /* all pairs but neighbors, */
  SEARCH_TETRAHEDRA, /* and of tetrahedra */
  SEARCH_BETWEEN     /* two objects that are kept apart */
};

/* What a view says where the case is such. */
template <search_case known> __host__ __device__ void set_known(grid_view *view) {
  if (known == SEARCH_ANY) return;
  const bool solids = known == SEARCH_TETRAHEDRA, between = known == SEARCH_BETWEEN;
  view->pairs.entries.reach_bits = solids ? 1 : 0;
  view->pairs.query.sides = between ? SIDES_OF_SCENE : SIDES_NONE;
  view->pairs.query.pair_rule = between ? PAIRS_ALL : PAIRS_BUT_NEIGHBORS;
  view->pairs.scene.only_tetrahedra = solids ? 1 : 0;
}

/* The bits of marked lines: numbers of lines are below 32 where boxes reach one cell. */
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

/* `by_entries`: 32 at a time, a thread each; `bundled`: long ranges have bundles. */
template <search_case known, bool by_entries, bool bundled>
__global__ void __launch_bounds__(KERNEL_THREADS, BLOCKS_AT_ONCE)
    kernel_search(const __grid_constant__ grid_view view, entry_shares shares) {
  __shared__ queue_memory memory[WARPS_A_BLOCK];
  __shared__ block_rest rest;
  grid_view seen = view; /* never made: each part is taken from where it is, or is known */
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
  const unsigned turns = (end - v->first_entry + shares.a_turn - 1) / shares.a_turn;
  for (turn_taker taker; taker.number < turns; taker.take_next(v, shares.turns_of_all)) {
    const unsigned first = v->first_entry + taker.number * shares.a_turn;
    if (by_entries)
      find_lines_by_entries(&s, first, min(end - first, shares.a_turn));
    else
      find_lines<typename lines_of<known>::bits>(&s, first, min(end - first, shares.a_turn));
  }
  finish<by_entries>(&s);
  write_rest(&s.found, &rest);
}

/* For a device with so many warps of the search at once. Where there are few turns for each none is shared out: what
 * all warps of a block read together would then be read by each for itself. */
entry_shares shares_of(size_t entries, size_t warps, size_t a_turn) {
  const size_t turns = entries / (warps * a_turn);
  entry_shares shares;
  shares.a_turn = static_cast<unsigned>(a_turn);
  shares.turns_of_all = turns >= TURNS_TO_SHARE ? static_cast<unsigned>(turns - turns / TURNS_TO_SHARE) : UINT32_MAX;
  return shares;
}

/* As many blocks as run at once; twice as many where turns are not shared out, so that warps have much the same work:
 * those of a block end together. Their queues need half of what a processor has for both shared memory and its first
 * cache. */
template <search_case known, bool by_entries, bool bundled>
void launch_case(size_t entries, size_t at_once, entry_shares shares, cudaStream_t stream, const grid_view *view) {
  enum { PERCENT_SHARED = 58 };
  const size_t most = shares.turns_of_all == UINT32_MAX ? 2 * at_once : at_once;
  const size_t block_entries = static_cast<size_t>(WARPS_A_BLOCK) * shares.a_turn;
  const size_t blocks = (entries + block_entries - 1) / block_entries;
  (void)cudaFuncSetAttribute(kernel_search<known, by_entries, bundled>, cudaFuncAttributePreferredSharedMemoryCarveout,
                             PERCENT_SHARED);
  launch_closely(kernel_search<known, by_entries, bundled>, static_cast<unsigned>(blocks < most ? blocks : most),
                 KERNEL_THREADS, stream, *view, shares);
}

template <bool bundled>
void launch_question(size_t entries, unsigned processors, cudaStream_t stream, const grid_view *view) {
  const size_t at_once = static_cast<size_t>(BLOCKS_AT_ONCE) * processors;
  const size_t warps = at_once * WARPS_A_BLOCK;
  const bool many = entries >= warps * MANY_ENTRIES;
  const entry_shares shares = shares_of(entries, warps, many ? MANY_ENTRIES_A_TURN : ENTRIES_A_TURN);
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
    launch_question<true>(launch->bound, launch->processors, launch->stream, view);
  else
    launch_question<false>(launch->bound, launch->processors, launch->stream, view);
  return true;
}
