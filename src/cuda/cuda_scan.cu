/* Exclusive prefix sums of counts, modulo 2^32, in one pass and one kernel: Merrill and Garland, "Single-pass Parallel
 * Prefix Scan with Decoupled Look-back", 2016.
 *
 * A tile publishes its own sum as soon as it is known, then adds the sums of the tiles before it, back to the nearest
 * one with a published inclusive sum, and publishes its own inclusive sum. So counts are read once and written once,
 * and no tile waits for a chain of all tiles. Sums modulo 2^32 do not depend on the order.
 *
 * Workload: a few hundred thousand to 40 million counts, several times per frame; in small frames the launch
 * dominates. */
#include "cuda/kernel_launch.cuh"

namespace {

enum {
  SCAN_THREADS = 256,
  BLOCKS_A_PROCESSOR = 4, /* 32 counts per thread fit in 64 registers */
  WARP = 32,
  WARPS_A_BLOCK = SCAN_THREADS / WARP,
  WIDTH = 4, /* counts read at once */
  VECTORS = SCAN_TILE / SCAN_THREADS / WIDTH,
  /* Words of the scratch: tiles that have begun, tiles that no longer access states, and, on cache lines of their
   * own, the states of tiles. All are zero before and after a scan. */
  WORD_BEGUN = 0,
  WORD_DONE = 1,
  WORD_STATES = 16
};

/* The state of a tile: its status in the upper half, the sum in the lower; in one word, so that both become visible
 * together and no other memory must be ordered with them. */
typedef unsigned long long scan_word;
enum { NOTHING, OWN_SUM, SUM_UNTIL_END };

__device__ uint32_t known_of(scan_word state) {
  return (uint32_t)(state >> 32);
}

__device__ void tell(scan_word *state, uint32_t known, uint32_t sum) {
  *(volatile scan_word *)state = (scan_word)known << 32 | sum;
}

__device__ uint32_t add_warp(uint32_t value) {
  for (int step = WARP / 2; step != 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

/* The sum over this lane and those before it. */
__device__ uint32_t add_lanes_until(uint32_t lane, uint32_t value) {
  for (uint32_t step = 1; step < WARP; step *= 2) {
    const uint32_t lower = __shfl_up_sync(0xffffffffu, value, step);
    if (lane >= step) value += lower;
  }
  return value;
}

/* Called by a warp, for 32 tiles at a time, with lane 0 at the nearest. It waits only for tiles that began earlier,
 * and those never wait for this one. */
__device__ uint32_t look_back(const scan_word *states, uint32_t tile, uint32_t lane) {
  uint32_t sum = 0;
  for (int nearest = (int)tile - 1;; nearest -= WARP) {
    const int other = nearest - (int)lane;
    const scan_word nothing_before = (scan_word)SUM_UNTIL_END << 32;
    scan_word state;
    uint32_t complete, wanted;
    do {
      state = other >= 0 ? *(const volatile scan_word *)&states[other] : nothing_before;
      complete = __ballot_sync(0xffffffffu, known_of(state) == SUM_UNTIL_END);
      wanted = complete ^ (complete - 1u); /* lanes up to the nearest inclusive sum; all if there is none */
    } while ((__ballot_sync(0xffffffffu, known_of(state) == NOTHING) & wanted) != 0);
    sum += add_warp((wanted >> lane & 1u) != 0 ? (uint32_t)state : 0u);
    if (complete != 0) return sum;
  }
}

/* Called by a warp: the sum of all tiles before this one. */
__device__ uint32_t sum_before(scan_word *states, uint32_t tile, uint32_t own_sum, uint32_t lane) {
  uint32_t before = 0;
  if (tile != 0) {
    if (lane == 0) tell(&states[tile], OWN_SUM, own_sum);
    before = look_back(states, tile, lane);
  }
  if (lane == 0) tell(&states[tile], SUM_UNTIL_END, before + own_sum);
  return before;
}

/* A block's counts: a full tile, except for the first and the last. */
struct tile_counts {
  uint32_t *counts; /* aligned to 16 bytes; replaced by sums */
  uint32_t begin, end;
};

__device__ uint4 load_counts(const tile_counts *t, uint32_t at) {
  uint4 loaded = {0, 0, 0, 0};
  if (at >= t->begin && at < t->end) loaded.x = t->counts[at];
  if (at + 1 >= t->begin && at + 1 < t->end) loaded.y = t->counts[at + 1];
  if (at + 2 >= t->begin && at + 2 < t->end) loaded.z = t->counts[at + 2];
  if (at + 3 >= t->begin && at + 3 < t->end) loaded.w = t->counts[at + 3];
  return loaded;
}

__device__ void store_counts(const tile_counts *t, uint32_t at, uint4 sums) {
  if (at >= t->begin && at < t->end) t->counts[at] = sums.x;
  if (at + 1 >= t->begin && at + 1 < t->end) t->counts[at + 1] = sums.y;
  if (at + 2 >= t->begin && at + 2 < t->end) t->counts[at + 2] = sums.z;
  if (at + 3 >= t->begin && at + 3 < t->end) t->counts[at + 3] = sums.w;
}

/* Counts are at `skew` to `end` after a boundary of 16 bytes. There is one block per tile, so that the loads of a
 * new block overlap with the stores of others. Tiles are numbered in the order in which blocks begin, so that a
 * block never waits for one that has not begun: kernels of other scenes may delay some. */
__global__ void __launch_bounds__(SCAN_THREADS, BLOCKS_A_PROCESSOR)
    kernel_scan(uint32_t *boundary, uint32_t skew, uint64_t end, scan_word *words, const uint64_t *sum_or_null) {
  __shared__ uint32_t tile_of_block, before_block, sum_of_warp[WARPS_A_BLOCK];
  const uint32_t warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
  const bool alone = gridDim.x == 1;
  follow_closely();
  if (sum_or_null != NULL && *sum_or_null == 0) return;
  uint32_t tile = 0;
  if (!alone) {
    if (threadIdx.x == 0) tile_of_block = (uint32_t)atomicAdd(&words[WORD_BEGUN], 1ull);
    __syncthreads();
    tile = tile_of_block;
  }

  /* The vectors of a warp are adjacent, so that its lanes access whole cache lines. */
  const uint64_t first = (uint64_t)tile * SCAN_TILE, left = end - first;
  const tile_counts t = {boundary + first, tile == 0 ? skew : 0u, left < SCAN_TILE ? (uint32_t)left : SCAN_TILE};
  const bool whole = t.begin == 0 && t.end == SCAN_TILE;
  const uint32_t at = warp * (SCAN_TILE / WARPS_A_BLOCK) + lane * WIDTH;
  uint4 sums[VECTORS];
  if (whole) {
#pragma unroll
    for (uint32_t i = 0; i < VECTORS; i++) sums[i] = *(const uint4 *)&t.counts[at + i * WARP * WIDTH];
  } else {
#pragma unroll
    for (uint32_t i = 0; i < VECTORS; i++) sums[i] = load_counts(&t, at + i * WARP * WIDTH);
  }

  /* Replaces counts by the sums of those before them in their warp. */
  uint32_t warp_sum = 0;
#pragma unroll
  for (uint32_t i = 0; i < VECTORS; i++) {
    const uint4 c = sums[i];
    const uint32_t own = c.x + c.y + c.z + c.w, until = add_lanes_until(lane, own);
    sums[i].x = warp_sum + until - own;
    sums[i].y = sums[i].x + c.x;
    sums[i].z = sums[i].y + c.y;
    sums[i].w = sums[i].z + c.z;
    warp_sum += __shfl_sync(0xffffffffu, until, WARP - 1);
  }
  if (lane == 0) sum_of_warp[warp] = warp_sum;
  __syncthreads();
  uint32_t before_warp = 0, block_sum = 0;
  for (uint32_t i = 0; i < WARPS_A_BLOCK; i++) {
    if (i == warp) before_warp = block_sum;
    block_sum += sum_of_warp[i];
  }
  uint32_t before = before_warp;
  bool last = false; /* the last of all blocks to use the states */
  if (!alone) {
    if (warp == 0) {
      const uint32_t found = sum_before(words + WORD_STATES, tile, block_sum, lane);
      if (lane == 0) before_block = found;
    }
    __syncthreads();
    before += before_block;
    if (threadIdx.x == 0) {
      __threadfence(); /* orders this block's states before its count */
      last = atomicAdd(&words[WORD_DONE], 1ull) == gridDim.x - 1;
    }
  }

#pragma unroll
  for (uint32_t i = 0; i < VECTORS; i++) {
    const uint4 s = sums[i], shifted = {before + s.x, before + s.y, before + s.z, before + s.w};
    if (whole)
      *(uint4 *)&t.counts[at + i * WARP * WIDTH] = shifted;
    else
      store_counts(&t, at + i * WARP * WIDTH, shifted);
  }

  /* Clears the states, so that the next scan needs no separate clearing. */
  if (alone || warp != 0 || !__any_sync(0xffffffffu, last)) return;
  __threadfence(); /* orders all counts before the clearing */
  __syncwarp();
  for (uint32_t i = lane; i < WORD_STATES + gridDim.x; i += WARP) words[i] = 0;
}

/* Tiles begin at a boundary of 16 bytes, up to three counts before the first. */
size_t tiles_of(size_t count, uint32_t skew) {
  return (count + skew + SCAN_TILE - 1) / SCAN_TILE;
}

} // namespace

size_t scan_states_bytes(size_t count) {
  return (WORD_STATES + tiles_of(count, WIDTH - 1)) * sizeof(scan_word);
}

void launch_scan(uint32_t *counts, size_t count, const uint64_t *sum_or_null, void *states, cudaStream_t stream) {
  if (count == 0) return;
  const uint32_t skew = (uint32_t)((uintptr_t)counts / sizeof *counts % WIDTH);
  launch_closely(kernel_scan, (unsigned)tiles_of(count, skew), SCAN_THREADS, stream, counts - skew, skew,
                 (uint64_t)count + skew, static_cast<scan_word *>(states), sum_or_null);
}
