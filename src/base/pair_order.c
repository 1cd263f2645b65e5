/* pair_order: sorts the pairs of all workers; see pair_order.h for workload and paper.
 *
 * A pair is seen as one number, a above b. The range between the smallest and the largest number is cut into parts of
 * equal width, about PART_TARGET pairs each; a histogram a block of chunks, a scan, and the pairs are spread straight
 * from their chunks. Then every part is sorted on its own: by radix in a worker's scratch when it fits there, else it
 * is first split in place, 8 bits at a time, until it does. Equal pairs cannot be told apart, so that no step needs to
 * be stable and the result does not depend on which worker found or sorted what. */
#include "base/pair_order.h"

#include "base/radix_sort.h"

#include <assert.h>
#include <string.h>

/* Keys and scratch of such a part, 16 bytes a pair, stay in the second-level cache. */
#define PART_TARGET ((size_t)1024)

/* More parts than this would be written to by turns faster than the table of pages can follow. */
#define PART_BITS_MAXIMUM 10

/* The largest part that is sorted in scratch: 2 x 128 KiB a worker. */
#define SCRATCH_CAPACITY ((size_t)16384)

#define BLOCKS_PER_WORKER 4

/* Fewer pairs are spread by the caller alone, sooner than others are told of them. */
#define PARALLEL_MINIMUM ((size_t)4096)
#define SPLIT_DIGITS 256

typedef struct order_job {
  const pair_chunk **chunks;
  size_t chunk_count;
  size_t pair_count;
  uint32_t b_bits;
  uint32_t block_count; /* blocks of consecutive chunks */
  uint64_t *lowest;     /* number of each block, */
  uint64_t *highest;    /* its largest number */
  uint64_t base;        /* the lowest of all */
  uint32_t shift;       /* part = (number - base) >> shift */
  size_t part_count;
  size_t *places;       /* [block][part]: counts, then where the block's next pair of the part goes */
  size_t *part_starts;  /* part_count + 1 */
  size_t scratch_pairs; /* a worker's scratch holds twice that many numbers */
  uint64_t *scratch;
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

static void measure_block(void *context, uint32_t block, uint32_t worker) {
  const order_job *const job = context;
  (void)worker;
  uint64_t lowest = UINT64_MAX, highest = 0;
  const size_t end = block_first_chunk(job, block + 1);
  for (size_t at = block_first_chunk(job, block); at < end && !stop_is_asked_for(job->stop); at++) {
    const pair_chunk *const chunk = job->chunks[at];
    for (size_t i = 0; i < chunk->count; i++) {
      const uint64_t number = pair_number(chunk->pairs[i], job->b_bits);
      lowest = number < lowest ? number : lowest;
      highest = number > highest ? number : highest;
    }
  }
  job->lowest[block] = lowest;
  job->highest[block] = highest;
}

static void count_block(void *context, uint32_t block, uint32_t worker) {
  const order_job *const job = context;
  (void)worker;
  size_t *const counts = job->places + block * job->part_count;
  memset(counts, 0, job->part_count * sizeof(size_t));
  const size_t end = block_first_chunk(job, block + 1);
  for (size_t at = block_first_chunk(job, block); at < end && !stop_is_asked_for(job->stop); at++) {
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
  for (size_t at = block_first_chunk(job, block); at < end && !stop_is_asked_for(job->stop); at++) {
    const pair_chunk *const chunk = job->chunks[at];
    for (size_t i = 0; i < chunk->count; i++) {
      const index_pair pair = chunk->pairs[i];
      job->sorted[places[(pair_number(pair, job->b_bits) - job->base) >> job->shift]++] = pair;
    }
  }
}

static void choose_parts(order_job *job) {
  uint64_t highest = 0;
  job->base = UINT64_MAX;
  for (uint32_t block = 0; block < job->block_count; block++) {
    if (job->lowest[block] < job->base) job->base = job->lowest[block];
    if (job->highest[block] > highest) highest = job->highest[block];
  }
  uint32_t part_bits = bit_length(job->pair_count / PART_TARGET);
  if (part_bits > PART_BITS_MAXIMUM) part_bits = PART_BITS_MAXIMUM;
  const uint64_t range = highest - job->base;
  const uint32_t range_bits = bit_length(range);
  job->shift = range_bits > part_bits ? range_bits - part_bits : 0;
  /* With no part bits at all the shift would be that of the whole width, which C leaves undefined at 64. */
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

static void sort_in_scratch(const order_job *job, index_pair *pairs, size_t count, uint64_t *keys) {
  uint64_t *const scratch = keys + job->scratch_pairs;
  const uint64_t b_mask = (UINT64_C(1) << job->b_bits) - 1;
  for (size_t i = 0; i < count; i++) keys[i] = pair_number(pairs[i], job->b_bits);
  radix_sort_keys(keys, scratch, count, 2 * job->b_bits);
  for (size_t i = 0; i < count; i++)
    pairs[i] = (index_pair){(uint32_t)(keys[i] >> job->b_bits), (uint32_t)(keys[i] & b_mask)};
}

/* Where the digits of a part that is split begin and end in it. */
typedef struct part_split {
  uint32_t shift;
  uint32_t b_bits;
  size_t starts[SPLIT_DIGITS + 1];
} part_split;

static size_t split_digit(const part_split *split, index_pair pair) {
  return (size_t)(pair_number(pair, split->b_bits) >> split->shift & (SPLIT_DIGITS - 1));
}

/* Every pair goes to the bucket of its digit by exchanges: a place is filled for good at each step. */
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

/* At most 8 deep: each level uses up at least 8 of 64 bits. */
static void sort_pairs(const order_job *job, index_pair *pairs, size_t count, uint64_t *keys) {
  if (count <= job->scratch_pairs) {
    if (count > 1) sort_in_scratch(job, pairs, count, keys);
    return;
  }
  part_split split;
  if (!choose_split(pairs, count, job->b_bits, &split)) return;
  permute_in_place(pairs, &split);
  for (size_t digit = 0; digit < SPLIT_DIGITS; digit++)
    sort_pairs(job, pairs + split.starts[digit], split.starts[digit + 1] - split.starts[digit], keys);
}

static void sort_part(void *context, uint32_t part, uint32_t worker) {
  const order_job *const job = context;
  if (stop_is_asked_for(job->stop)) return;
  const size_t first = job->part_starts[part], end = job->part_starts[part + 1];
  sort_pairs(job, job->sorted + first, end - first, job->scratch + (size_t)worker * 2 * job->scratch_pairs);
}

/* ------------------------------------------------------------------------------------------------ the whole */

static bool spread(order_job *job, memory *heap, workers *team) {
  workers_run(team, measure_block, job, job->block_count);
  if (stop_was_asked_for(job->stop)) return false;
  choose_parts(job);
  const size_t row_bytes = job->part_count * sizeof(size_t);
  job->places = memory_allocate(heap, job->block_count, row_bytes);
  job->part_starts = memory_allocate(heap, job->part_count + 1, sizeof(size_t));
  const bool ready = job->places && job->part_starts;
  if (ready) {
    workers_run(team, count_block, job, job->block_count);
    counts_to_places(job);
    if (!stop_was_asked_for(job->stop)) workers_run(team, spread_block, job, job->block_count);
  }
  memory_release(heap, job->places, job->block_count, row_bytes);
  return ready && !stop_was_asked_for(job->stop);
}

static bool order_all(order_job *job, memory *heap, workers *team) {
  const size_t scratch_bytes = 2 * job->scratch_pairs * sizeof(uint64_t);
  job->scratch = memory_allocate(heap, job->worker_count, scratch_bytes);
  const bool done = job->scratch && spread(job, heap, team);
  if (done) workers_run(team, sort_part, job, (uint32_t)job->part_count);
  memory_release(heap, job->part_starts, job->part_count + 1, sizeof(size_t));
  memory_release(heap, job->scratch, job->worker_count, scratch_bytes);
  return done && !stop_was_asked_for(job->stop);
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
  job.scratch_pairs = job.pair_count < SCRATCH_CAPACITY ? job.pair_count : SCRATCH_CAPACITY;
  job.chunks = memory_allocate(heap, job.chunk_count, sizeof(job.chunks[0]));
  job.lowest = memory_allocate(heap, job.block_count, sizeof(uint64_t));
  job.highest = memory_allocate(heap, job.block_count, sizeof(uint64_t));
  bool done = false;
  if (job.chunks && job.lowest && job.highest) {
    pair_list_chunks(list, job.chunks);
    done = order_all(&job, heap, team);
  }
  memory_release(heap, job.highest, job.block_count, sizeof(uint64_t));
  memory_release(heap, job.lowest, job.block_count, sizeof(uint64_t));
  memory_release(heap, job.chunks, job.chunk_count, sizeof(job.chunks[0]));
  return done;
}

bool pair_order(const pair_list *list, memory *heap, workers *team, uint32_t item_count, index_pair *sorted_out) {
  return pair_order_stoppable(list, heap, team, item_count, sorted_out, NULL);
}
