/* pair_order: sorts the pairs of all workers; see pair_order.h for workload and paper.
 *
 * A pair is treated as one number, a above b. The range of a is divided into parts of equal width, about PART_TARGET
 * pairs each. One histogram per block of chunks and a scan give the positions, and pairs are copied directly from their
 * chunks. Then each part is sorted on its own, in a worker's scratch if it fits; otherwise it is first split in place,
 * 8 bits at a time, until it does. In scratch, if there are as many pairs as values of a, each pair goes directly to
 * its a, and the few pairs of each a are ranked by b; other parts are sorted by radix. Equal pairs are
 * indistinguishable, so no step needs to be stable, and the result does not depend on which worker found or sorted
 * what. */
#include "base/pair_order.h"

#include "base/radix_sort.h"

#include <assert.h>
#include <string.h>

/* Keys and scratch of such a part, 16 bytes a pair, stay in the second-level cache. */
#define PART_TARGET ((size_t)1024)

/* With more parts, writes to alternating parts would exceed the TLB. */
#define PART_BITS_MAXIMUM 10

/* The largest part that is sorted in scratch, which has 24 bytes a pair for each worker. */
#define SCRATCH_CAPACITY ((size_t)16384)

/* Up to this many b of one a are ranked: each is compared with all, a vector at a time. */
#define RANKED_MAXIMUM 16

/* Maps unsigned numbers to signed ones of the same order: vectors compare those. */
#define SIGN_BIT UINT32_C(0x80000000)

#define BLOCKS_PER_WORKER 4

/* Fewer pairs are sorted by the caller alone, faster than other threads can start. */
#define PARALLEL_MINIMUM ((size_t)4096)
#define SPLIT_DIGITS 256

/* The range of the first numbers, a, of some pairs. */
typedef struct first_range {
  uint32_t lowest, highest;
} first_range;

/* A worker's scratch to sort a part. */
typedef struct part_scratch {
  uint64_t *keys, *other_keys; /* scratch_pairs each */
  int32_t *seconds; /* scratch_pairs, plus the elements that a rank reads beyond them: b, its highest bit flipped */
  uint32_t *places; /* scratch_pairs: one per a */
} part_scratch;

typedef struct order_job {
  const pair_chunk **chunks;
  size_t chunk_count;
  size_t pair_count;
  uint32_t b_bits;
  uint32_t block_count; /* blocks of consecutive chunks */
  first_range *ranges;  /* of each block */
  uint64_t base;        /* a lower bound of all numbers */
  uint32_t shift;       /* part = (number - base) >> shift */
  size_t part_count;
  size_t *places;       /* [block][part]: counts, then the place of the block's next pair of the part */
  size_t *part_starts;  /* part_count + 1 */
  size_t scratch_pairs; /* parts of at most this size are sorted in a worker's scratch */
  unsigned char *scratch;
  uint32_t worker_count;
  index_pair *sorted;
  stop_check *stop;
} order_job;

static uint32_t bit_length(uint64_t value) {
  uint32_t bits = 0;
  for (; value != 0; value >>= 1) bits++;
  return bits;
}

static uint64_t pair_number(index_pair pair, uint32_t b_bits) {
  return (uint64_t)pair.a << b_bits | pair.b;
}

static size_t block_first_chunk(const order_job *job, uint32_t block) {
  const size_t length = job->chunk_count / job->block_count, longer = job->chunk_count % job->block_count;
  return block * length + (block < longer ? block : longer);
}

/* ------------------------------------------------------------------------------------------------ spreading */

/* Extends the range by the first numbers of these pairs. */
static void widen_range(first_range *range, const index_pair *pairs, size_t count) {
  uint32_t lowest = range->lowest, highest = range->highest;
  for (size_t i = 0; i < count; i++) {
    lowest = pairs[i].a < lowest ? pairs[i].a : lowest;
    highest = pairs[i].a > highest ? pairs[i].a : highest;
  }
  *range = (first_range){lowest, highest};
}

static void measure_block(void *context, uint32_t block, uint32_t worker) {
  const order_job *const job = context;
  (void)worker;
  first_range range = {UINT32_MAX, 0};
  const size_t end = block_first_chunk(job, block + 1);
  for (size_t at = block_first_chunk(job, block); at < end && !stop_is_requested(job->stop); at++)
    widen_range(&range, job->chunks[at]->pairs, job->chunks[at]->count);
  job->ranges[block] = range;
}

static void count_block(void *context, uint32_t block, uint32_t worker) {
  const order_job *const job = context;
  (void)worker;
  size_t *const counts = job->places + block * job->part_count;
  memset(counts, 0, job->part_count * sizeof(size_t));
  const size_t end = block_first_chunk(job, block + 1);
  for (size_t at = block_first_chunk(job, block); at < end && !stop_is_requested(job->stop); at++) {
    const pair_chunk *const chunk = job->chunks[at];
    for (size_t i = 0; i < chunk->count; i++)
      counts[(pair_number(chunk->pairs[i], job->b_bits) - job->base) >> job->shift]++;
  }
}

static void spread_block(void *context, uint32_t block, uint32_t worker) {
  const order_job *const job = context;
  (void)worker;
  size_t *const places = job->places + block * job->part_count;
  const size_t end = block_first_chunk(job, block + 1);
  for (size_t at = block_first_chunk(job, block); at < end && !stop_is_requested(job->stop); at++) {
    const pair_chunk *const chunk = job->chunks[at];
    for (size_t i = 0; i < chunk->count; i++) {
      const index_pair pair = chunk->pairs[i];
      job->sorted[places[(pair_number(pair, job->b_bits) - job->base) >> job->shift]++] = pair;
    }
  }
}

static void choose_parts(order_job *job) {
  first_range all = {UINT32_MAX, 0};
  for (uint32_t block = 0; block < job->block_count; block++) {
    const first_range range = job->ranges[block];
    all.lowest = range.lowest < all.lowest ? range.lowest : all.lowest;
    all.highest = range.highest > all.highest ? range.highest : all.highest;
  }
  job->base = (uint64_t)all.lowest << job->b_bits;
  uint32_t part_bits = bit_length(job->pair_count / PART_TARGET);
  if (part_bits > PART_BITS_MAXIMUM) part_bits = PART_BITS_MAXIMUM;
  const uint64_t range = (((uint64_t)(all.highest - all.lowest) + 1) << job->b_bits) - 1;
  const uint32_t range_bits = bit_length(range);
  job->shift = range_bits > part_bits ? range_bits - part_bits : 0;
  /* Without any part bits the shift would be 64, which C leaves undefined. */
  if (job->shift > 63) job->shift = 63;
  job->part_count = (size_t)(range >> job->shift) + 1;
}

static void counts_to_places(order_job *job) {
  size_t place = 0;
  for (size_t part = 0; part < job->part_count; part++) {
    job->part_starts[part] = place;
    for (uint32_t block = 0; block < job->block_count; block++) {
      size_t *const entry = &job->places[block * job->part_count + part];
      const size_t count = *entry;
      *entry = place;
      place += count;
    }
  }
  job->part_starts[job->part_count] = place;
}

/* ------------------------------------------------------------------------------------------------ sorting a part */

/* Rounded up to whole cache lines. */
static size_t scratch_bytes(const order_job *job) {
  const size_t bytes =
      job->scratch_pairs * 2 * (sizeof(uint64_t) + sizeof(uint32_t)) + RANKED_MAXIMUM * sizeof(int32_t);
  return (bytes + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT;
}

static part_scratch scratch_of(const order_job *job, uint32_t worker) {
  uint64_t *const keys = (uint64_t *)(void *)(job->scratch + (size_t)worker * scratch_bytes(job));
  int32_t *const seconds = (int32_t *)(void *)(keys + 2 * job->scratch_pairs);
  return (part_scratch){keys, keys + job->scratch_pairs, seconds,
                        (uint32_t *)(void *)(seconds + job->scratch_pairs + RANKED_MAXIMUM)};
}

static void sort_by_radix(const order_job *job, index_pair *pairs, size_t count, const part_scratch *scratch) {
  const uint64_t b_mask = (UINT64_C(1) << job->b_bits) - 1;
  for (size_t i = 0; i < count; i++) scratch->keys[i] = pair_number(pairs[i], job->b_bits);
  radix_sort_keys(scratch->keys, scratch->other_keys, count, 2 * job->b_bits);
  for (size_t i = 0; i < count; i++)
    pairs[i] = (index_pair){(uint32_t)(scratch->keys[i] >> job->b_bits), (uint32_t)(scratch->keys[i] & b_mask)};
}

/* Writes the pairs of one a, at most RANKED_MAXIMUM, in the order of their b: the rank of each is the number of lesser
 * ones. False if some are equal: the output is then undefined. */
static bool write_ranked(uint32_t a, const int32_t *seconds, size_t count, index_pair *pairs_out) {
  uint32_t ranks[RANKED_MAXIMUM] = {0};
  for (size_t i = 0; i < count; i++) {
    const int32_t second = seconds[i];
    for (size_t j = 0; j < RANKED_MAXIMUM; j++) ranks[j] += second < seconds[j];
  }
  size_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    pairs_out[ranks[i]] = (index_pair){a, (uint32_t)seconds[i] ^ SIGN_BIT};
    sum += ranks[i];
  }
  return sum == count * (count - 1) / 2;
}

static void write_one_first(const order_job *job, uint32_t a, const int32_t *seconds, size_t count,
                            index_pair *pairs_out, const part_scratch *scratch) {
  if (count == 1) {
    pairs_out[0] = (index_pair){a, (uint32_t)seconds[0] ^ SIGN_BIT};
    return;
  }
  if (count <= RANKED_MAXIMUM && write_ranked(a, seconds, count, pairs_out)) return;
  for (size_t i = 0; i < count; i++) pairs_out[i] = (index_pair){a, (uint32_t)seconds[i] ^ SIGN_BIT};
  sort_by_radix(job, pairs_out, count, scratch);
}

/* For at least as many pairs as values of a, of which there are `span`: every b goes directly to its a. */
static void sort_by_first(const order_job *job, index_pair *pairs, size_t count, first_range range, size_t span,
                          const part_scratch *scratch) {
  uint32_t *const places = scratch->places;
  memset(places, 0, span * sizeof *places);
  for (size_t i = 0; i < count; i++) places[pairs[i].a - range.lowest]++;
  uint32_t place = 0;
  for (size_t a = 0; a < span; a++) {
    const uint32_t next = place + places[a];
    places[a] = place;
    place = next;
  }
  for (size_t i = 0; i < count; i++)
    scratch->seconds[places[pairs[i].a - range.lowest]++] = (int32_t)(pairs[i].b ^ SIGN_BIT);
  memset(scratch->seconds + count, 0, RANKED_MAXIMUM * sizeof(int32_t));
  /* Each place has advanced to the beginning of the next a. */
  for (size_t a = 0, first = 0; a < span; first = places[a++])
    if (places[a] > first)
      write_one_first(job, range.lowest + (uint32_t)a, scratch->seconds + first, places[a] - first, pairs + first,
                      scratch);
}

static void sort_in_scratch(const order_job *job, index_pair *pairs, size_t count, const part_scratch *scratch) {
  first_range range = {UINT32_MAX, 0};
  widen_range(&range, pairs, count);
  const size_t span = (size_t)(range.highest - range.lowest) + 1;
  if (span <= count)
    sort_by_first(job, pairs, count, range, span, scratch);
  else
    sort_by_radix(job, pairs, count, scratch);
}

/* Where the digits of a part that is split begin and end. */
typedef struct part_split {
  uint32_t shift;
  uint32_t b_bits;
  size_t starts[SPLIT_DIGITS + 1];
} part_split;

static size_t split_digit(const part_split *split, index_pair pair) {
  return (size_t)(pair_number(pair, split->b_bits) >> split->shift & (SPLIT_DIGITS - 1));
}

/* Moves every pair to the bucket of its digit by exchanges: each step puts one pair into its final bucket. */
static void permute_in_place(index_pair *pairs, const part_split *split) {
  size_t next[SPLIT_DIGITS];
  memcpy(next, split->starts, sizeof next);
  for (size_t digit = 0; digit < SPLIT_DIGITS; digit++)
    while (next[digit] < split->starts[digit + 1]) {
      index_pair pair = pairs[next[digit]];
      for (size_t target = split_digit(split, pair); target != digit; target = split_digit(split, pair)) {
        const index_pair moved = pairs[next[target]];
        pairs[next[target]++] = pair;
        pair = moved;
      }
      pairs[next[digit]++] = pair;
    }
}

/* False when all pairs are equal. The digit ends at the highest bit in which any two pairs differ. */
static bool choose_split(const index_pair *pairs, size_t count, uint32_t b_bits, part_split *split_out) {
  const uint64_t like = pair_number(pairs[0], b_bits);
  uint64_t differing = 0;
  for (size_t i = 1; i < count; i++) differing |= pair_number(pairs[i], b_bits) ^ like;
  if (differing == 0) return false;
  const uint32_t top = bit_length(differing);
  split_out->shift = top > 8 ? top - 8 : 0;
  split_out->b_bits = b_bits;
  memset(split_out->starts, 0, sizeof split_out->starts);
  for (size_t i = 0; i < count; i++) split_out->starts[split_digit(split_out, pairs[i]) + 1]++;
  for (size_t digit = 0; digit < SPLIT_DIGITS; digit++) split_out->starts[digit + 1] += split_out->starts[digit];
  return true;
}

/* At most 8 deep: each level consumes at least 8 of 64 bits. */
static void sort_pairs(const order_job *job, index_pair *pairs, size_t count, const part_scratch *scratch) {
  if (count <= job->scratch_pairs) {
    if (count > 1) sort_in_scratch(job, pairs, count, scratch);
    return;
  }
  part_split split;
  if (!choose_split(pairs, count, job->b_bits, &split)) return;
  permute_in_place(pairs, &split);
  for (size_t digit = 0; digit < SPLIT_DIGITS; digit++)
    sort_pairs(job, pairs + split.starts[digit], split.starts[digit + 1] - split.starts[digit], scratch);
}

static void sort_part(void *context, uint32_t part, uint32_t worker) {
  const order_job *const job = context;
  if (stop_is_requested(job->stop)) return;
  const size_t first = job->part_starts[part], end = job->part_starts[part + 1];
  const part_scratch scratch = scratch_of(job, worker);
  sort_pairs(job, job->sorted + first, end - first, &scratch);
}

/* ------------------------------------------------------------------------------------------------ the whole */

static bool spread_records(order_job *job, memory *heap, workers *team) {
  workers_run_by_shares(team, measure_block, job, job->block_count);
  if (stop_was_requested(job->stop)) return false;
  choose_parts(job);
  const size_t row_bytes = job->part_count * sizeof(size_t);
  job->places = memory_allocate(heap, job->block_count, row_bytes);
  job->part_starts = memory_allocate(heap, job->part_count + 1, sizeof(size_t));
  const bool ready = job->places && job->part_starts;
  if (ready) {
    workers_run_by_shares(team, count_block, job, job->block_count);
    counts_to_places(job);
    if (!stop_was_requested(job->stop)) workers_run_by_shares(team, spread_block, job, job->block_count);
  }
  memory_release(heap, job->places, job->block_count, row_bytes);
  return ready && !stop_was_requested(job->stop);
}

/* Sizes scratch for the largest part that is sorted in it: more would be memory that sixteen workers request in each
 * query and mostly do not use. */
static void choose_scratch(order_job *job) {
  job->scratch_pairs = 0;
  for (size_t part = 0; part < job->part_count; part++) {
    const size_t count = job->part_starts[part + 1] - job->part_starts[part];
    job->scratch_pairs = count > job->scratch_pairs ? count : job->scratch_pairs;
  }
  if (job->scratch_pairs > SCRATCH_CAPACITY) job->scratch_pairs = SCRATCH_CAPACITY;
}

static bool sort_parts(order_job *job, memory *heap, workers *team) {
  choose_scratch(job);
  job->scratch = memory_allocate(heap, job->worker_count, scratch_bytes(job));
  if (job->scratch) workers_run_by_shares(team, sort_part, job, (uint32_t)job->part_count);
  memory_release(heap, job->scratch, job->worker_count, scratch_bytes(job));
  return job->scratch != NULL;
}

static bool order_all(order_job *job, memory *heap, workers *team) {
  const bool done = spread_records(job, heap, team) && sort_parts(job, heap, team);
  memory_release(heap, job->part_starts, job->part_count + 1, sizeof(size_t));
  return done && !stop_was_requested(job->stop);
}

bool pair_order_stoppable(const pair_list *list, memory *heap, workers *team, uint32_t item_count,
                          index_pair *sorted_out, stop_check *stop_or_null) {
  order_job job = {.pair_count = pair_list_count(list),
                   .chunk_count = pair_list_chunk_count(list),
                   .sorted = sorted_out,
                   .stop = stop_or_null};
  if (job.pair_count == 0) return true;
  assert(item_count > 0);
  job.b_bits = bit_length(item_count - 1);
  if (job.b_bits == 0) job.b_bits = 1;
  job.worker_count = workers_count(team);
  const size_t blocks = job.pair_count < PARALLEL_MINIMUM ? 1 : (size_t)job.worker_count * BLOCKS_PER_WORKER;
  job.block_count = (uint32_t)(job.chunk_count < blocks ? job.chunk_count : blocks);
  job.chunks = memory_allocate(heap, job.chunk_count, sizeof(job.chunks[0]));
  job.ranges = memory_allocate(heap, job.block_count, sizeof job.ranges[0]);
  bool done = false;
  if (job.chunks && job.ranges) {
    pair_list_chunks(list, job.chunks);
    done = order_all(&job, heap, team);
  }
  memory_release(heap, job.ranges, job.block_count, sizeof job.ranges[0]);
  memory_release(heap, job.chunks, job.chunk_count, sizeof(job.chunks[0]));
  return done;
}

bool pair_order(const pair_list *list, memory *heap, workers *team, uint32_t item_count, index_pair *sorted_out) {
  return pair_order_stoppable(list, heap, team, item_count, sorted_out, NULL);
}
