/* radix_sort: passes of 8 bits over keys, with or without values; see radix_sort.h for workload and paper.
 *
 * 8 bits: 256 places that are written to in turn stay within the first-level cache and its table of pages. */
#include "base/radix_sort.h"

#include <assert.h>
#include <string.h>

#define DIGIT_BITS 8
#define DIGIT_COUNT ((size_t)1 << DIGIT_BITS)
#define DIGIT_MASK ((uint64_t)(DIGIT_COUNT - 1))
#define PASSES_MAXIMUM 8

/* Below this the histograms cost more than moving elements one by one. */
#define INSERTION_MAXIMUM 40

/* Below this the start of parallel regions costs more than it saves. */
#define PARALLEL_MINIMUM ((size_t)1 << 15)
#define BLOCKS_PER_WORKER 4

/* Records between two questions whether to stop. */
#define STOP_RECORDS ((size_t)1 << 16)

/* values is NULL where keys alone are sorted. */
typedef struct records {
  uint64_t *keys;
  uint32_t *values;
} records;

static uint64_t low_bits(uint32_t key_bits) {
  assert(key_bits >= 1 && key_bits <= 64);
  return UINT64_MAX >> (64 - key_bits);
}

static void insertion_sort(records data, size_t count, uint64_t mask) {
  for (size_t i = 1; i < count; i++) {
    const uint64_t key = data.keys[i];
    const uint32_t value = data.values ? data.values[i] : 0;
    size_t j = i;
    for (; j > 0 && (data.keys[j - 1] & mask) > (key & mask); j--) {
      data.keys[j] = data.keys[j - 1];
      if (data.values) data.values[j] = data.values[j - 1];
    }
    data.keys[j] = key;
    if (data.values) data.values[j] = value;
  }
}

/* The bits in which any key differs from `like`. */
static uint64_t differing_bits(const uint64_t *keys, size_t count, uint64_t like) {
  uint64_t bits = 0;
  for (size_t i = 0; i < count; i++) bits |= keys[i] ^ like;
  return bits;
}

/* A pass begins at the lowest differing bit that no earlier pass has seen. A pass may reach above the highest bit of
 * the mask, where all keys agree or the caller's key_bits ends: so each pass has its own mask. */
typedef struct pass_plan {
  uint32_t count;
  uint32_t shifts[PASSES_MAXIMUM];
  uint64_t masks[PASSES_MAXIMUM];
} pass_plan;

static pass_plan plan_passes(uint64_t differing) {
  pass_plan plan = {0};
  uint32_t shift = 0;
  while (shift < 64 && differing >> shift != 0) {
    if ((differing >> shift & 1) == 0) {
      shift++;
      continue;
    }
    plan.shifts[plan.count] = shift;
    plan.masks[plan.count] = differing >> shift & DIGIT_MASK;
    plan.count++;
    shift += DIGIT_BITS;
  }
  return plan;
}

/* Where a piece of [first, end) ends that takes well under a millisecond, or first where a stop is asked for. */
static size_t piece_end(size_t first, size_t end, stop_check *stop) {
  if (stop_is_asked_for(stop)) return first;
  return stop != NULL && end - first > STOP_RECORDS ? first + STOP_RECORDS : end;
}

/* Writes each record to the next place of its digit. */
static void scatter_piece(records from, records to, size_t first, size_t end, uint32_t shift, uint64_t mask,
                          size_t *places) {
  if (from.values) {
    for (size_t i = first; i < end; i++) {
      const uint64_t key = from.keys[i];
      const size_t place = places[key >> shift & mask]++;
      to.keys[place] = key;
      to.values[place] = from.values[i];
    }
  } else {
    for (size_t i = first; i < end; i++) {
      const uint64_t key = from.keys[i];
      to.keys[places[key >> shift & mask]++] = key;
    }
  }
}

static void scatter(records from, records to, size_t first, size_t end, uint32_t shift, uint64_t mask, size_t *places,
                    stop_check *stop) {
  for (size_t at = first, next; at < end; at = next) {
    next = piece_end(at, end, stop);
    if (next == at) return;
    scatter_piece(from, to, at, next, shift, mask, places);
  }
}

static void copy_records(records from, records to, size_t first, size_t end) {
  memcpy(to.keys + first, from.keys + first, (end - first) * sizeof(uint64_t));
  if (from.values) memcpy(to.values + first, from.values + first, (end - first) * sizeof(uint32_t));
}

static void exchange(records *a, records *b) {
  const records kept = *a;
  *a = *b;
  *b = kept;
}

/* ------------------------------------------------------------------------------------------------ one thread */

/* The counts of a digit do not depend on the order of the records, so one reading serves all passes. */
static void count_digits(const uint64_t *keys, size_t count, const pass_plan *plan,
                         size_t counts[PASSES_MAXIMUM][DIGIT_COUNT], stop_check *stop) {
  memset(counts, 0, plan->count * sizeof(counts[0]));
  for (size_t at = 0, next; at < count; at = next) {
    next = piece_end(at, count, stop);
    if (next == at) return;
    for (size_t i = at; i < next; i++) {
      const uint64_t key = keys[i];
      for (uint32_t pass = 0; pass < plan->count; pass++) counts[pass][key >> plan->shifts[pass] & plan->masks[pass]]++;
    }
  }
}

static void sort_serial(records data, records scratch, size_t count, uint32_t key_bits, stop_check *stop) {
  const uint64_t mask = low_bits(key_bits);
  if (count <= INSERTION_MAXIMUM) {
    insertion_sort(data, count, mask);
    return;
  }
  const pass_plan plan = plan_passes(differing_bits(data.keys, count, data.keys[0]) & mask);
  size_t counts[PASSES_MAXIMUM][DIGIT_COUNT];
  count_digits(data.keys, count, &plan, counts, stop);
  records from = data, to = scratch;
  for (uint32_t pass = 0; pass < plan.count && !stop_was_asked_for(stop); pass++) {
    size_t place = 0;
    for (size_t digit = 0; digit < DIGIT_COUNT; digit++) {
      const size_t digit_count = counts[pass][digit];
      counts[pass][digit] = place;
      place += digit_count;
    }
    scatter(from, to, 0, count, plan.shifts[pass], plan.masks[pass], counts[pass], stop);
    exchange(&from, &to);
  }
  if (from.keys != data.keys) copy_records(from, data, 0, count);
}

/* ------------------------------------------------------------------------------------------------ many workers */

/* Records are cut into blocks; within a digit, places go to the blocks in their order, which keeps the sort stable and
 * its result independent of who works on which block. */
typedef struct sort_job {
  records from, to;
  size_t count;
  size_t block_size;
  uint32_t block_count;
  uint32_t shift;
  uint64_t mask;
  size_t (*places)[DIGIT_COUNT]; /* of each block */
  stop_check *stop;
} sort_job;

static size_t block_first(const sort_job *job, uint32_t block) {
  const size_t first = block * job->block_size;
  return first < job->count ? first : job->count;
}

/* The bits go to places[block][0]: the histograms are not in use yet. */
static void difference_block(void *context, uint32_t block, uint32_t worker) {
  const sort_job *const job = context;
  (void)worker;
  const size_t first = block_first(job, block), end = block_first(job, block + 1);
  const uint64_t bits = differing_bits(job->from.keys + first, end - first, job->from.keys[0]);
  memcpy(job->places[block], &bits, sizeof bits);
}

static void count_block(void *context, uint32_t block, uint32_t worker) {
  const sort_job *const job = context;
  (void)worker;
  size_t *const counts = job->places[block];
  memset(counts, 0, sizeof(job->places[block]));
  if (stop_is_asked_for(job->stop)) return;
  const size_t end = block_first(job, block + 1);
  for (size_t i = block_first(job, block); i < end; i++) counts[job->from.keys[i] >> job->shift & job->mask]++;
}

static void scatter_block(void *context, uint32_t block, uint32_t worker) {
  const sort_job *const job = context;
  (void)worker;
  scatter(job->from, job->to, block_first(job, block), block_first(job, block + 1), job->shift, job->mask,
          job->places[block], job->stop);
}

static void copy_block(void *context, uint32_t block, uint32_t worker) {
  const sort_job *const job = context;
  (void)worker;
  copy_records(job->from, job->to, block_first(job, block), block_first(job, block + 1));
}

static void counts_to_places(sort_job *job) {
  size_t place = 0;
  for (size_t digit = 0; digit < DIGIT_COUNT; digit++)
    for (uint32_t block = 0; block < job->block_count; block++) {
      const size_t digit_count = job->places[block][digit];
      job->places[block][digit] = place;
      place += digit_count;
    }
}

static uint64_t differing_bits_parallel(sort_job *job, workers *team) {
  workers_run(team, difference_block, job, job->block_count);
  uint64_t all = 0;
  for (uint32_t block = 0; block < job->block_count; block++) {
    uint64_t bits;
    memcpy(&bits, job->places[block], sizeof bits);
    all |= bits;
  }
  return all;
}

static void sort_parallel(records data, records scratch, size_t count, uint32_t key_bits, memory *heap, workers *team,
                          stop_check *stop) {
  sort_job job = {.from = data,
                  .to = scratch,
                  .count = count,
                  .block_count = workers_count(team) * BLOCKS_PER_WORKER,
                  .stop = stop};
  if (workers_count(team) > 1 && count >= PARALLEL_MINIMUM)
    job.places = memory_allocate(heap, job.block_count, sizeof(job.places[0]));
  if (!job.places) {
    sort_serial(data, scratch, count, key_bits, stop);
    return;
  }
  job.block_size = (count - 1) / job.block_count + 1;
  const pass_plan plan = plan_passes(differing_bits_parallel(&job, team) & low_bits(key_bits));
  for (uint32_t pass = 0; pass < plan.count; pass++) {
    job.shift = plan.shifts[pass];
    job.mask = plan.masks[pass];
    workers_run(team, count_block, &job, job.block_count);
    if (stop_was_asked_for(stop)) break;
    counts_to_places(&job);
    workers_run(team, scatter_block, &job, job.block_count);
    exchange(&job.from, &job.to);
  }
  if (job.from.keys != data.keys) workers_run(team, copy_block, &job, job.block_count);
  memory_release(heap, job.places, job.block_count, sizeof(job.places[0]));
}

/* ------------------------------------------------------------------------------------------------ the faces */

void radix_sort_keys(uint64_t *keys, uint64_t *scratch, size_t count, uint32_t key_bits) {
  sort_serial((records){keys, NULL}, (records){scratch, NULL}, count, key_bits, NULL);
}

void radix_sort_pairs(uint64_t *keys, uint32_t *values, uint64_t *scratch_keys, uint32_t *scratch_values, size_t count,
                      uint32_t key_bits) {
  sort_serial((records){keys, values}, (records){scratch_keys, scratch_values}, count, key_bits, NULL);
}

void radix_sort_keys_parallel(uint64_t *keys, uint64_t *scratch, size_t count, uint32_t key_bits, memory *heap,
                              workers *team) {
  sort_parallel((records){keys, NULL}, (records){scratch, NULL}, count, key_bits, heap, team, NULL);
}

void radix_sort_pairs_parallel(uint64_t *keys, uint32_t *values, uint64_t *scratch_keys, uint32_t *scratch_values,
                               size_t count, uint32_t key_bits, memory *heap, workers *team) {
  sort_parallel((records){keys, values}, (records){scratch_keys, scratch_values}, count, key_bits, heap, team, NULL);
}

void radix_sort_keys_stoppable(uint64_t *keys, uint64_t *scratch, size_t count, uint32_t key_bits, memory *heap,
                               workers *team, stop_check *stop_or_null) {
  sort_parallel((records){keys, NULL}, (records){scratch, NULL}, count, key_bits, heap, team, stop_or_null);
}

void radix_sort_pairs_stoppable(uint64_t *keys, uint32_t *values, uint64_t *scratch_keys, uint32_t *scratch_values,
                                size_t count, uint32_t key_bits, memory *heap, workers *team,
                                stop_check *stop_or_null) {
  sort_parallel((records){keys, values}, (records){scratch_keys, scratch_values}, count, key_bits, heap, team,
                stop_or_null);
}
