/* radix_sort: digits of 8 bits, of keys with or without values; see radix_sort.h for workload and papers.
 *
 * With 8 bits, the 256 write positions stay within the first-level cache and its TLB. Records are partitioned by their
 * highest digit, and the parts by the next, until a part fits a cache, where it is sorted lowest digit first. Each part
 * uses only the bits in which its own keys differ, so a few long keys cost the others no passes. Many workers first
 * partition the records by a sample of the keys, and then sort one part each. */
#include "base/radix_sort.h"

#include <assert.h>
#include <string.h>

#define DIGIT_BITS 8
#define DIGIT_COUNT ((size_t)1 << DIGIT_BITS)
#define DIGIT_MASK ((uint64_t)(DIGIT_COUNT - 1))
#define PASSES_MAXIMUM 8

/* Below this the histograms cost more than moving elements one by one. */
#define INSERTION_MAXIMUM 40

/* Parts of this many records fit into the second-level cache together with their scratch: 400 KB. */
#define CACHED_MAXIMUM ((size_t)1 << 14)

/* Below this the start of parallel regions costs more than it saves. */
#define PARALLEL_MINIMUM ((size_t)1 << 13)
#define BLOCKS_PER_WORKER 4
#define BLOCK_MINIMUM ((size_t)1 << 10)
#define PARTS_PER_WORKER 4
#define PARTS_MAXIMUM ((size_t)256)
#define PART_MINIMUM ((size_t)1 << 9)

/* Samples of each part: more would balance parts better than needed, and the caller alone sorts them. */
#define SAMPLES_A_PART ((size_t)8)
#define SAMPLES_MAXIMUM (PARTS_MAXIMUM * SAMPLES_A_PART)

/* Records between two checks for a stop. */
#define STOP_RECORDS ((size_t)1 << 16)

/* values is NULL if only keys are sorted. */
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

/* A pass begins at the lowest differing bit not covered by an earlier pass. A pass may extend above the highest bit of
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

/* The end of a piece of [first, end) that takes well under a millisecond, or first on a request to stop. */
static size_t piece_end(size_t first, size_t end, stop_check *stop) {
  if (stop_is_requested(stop)) return first;
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

static void scatter_records(records from, records to, size_t first, size_t end, uint32_t shift, uint64_t mask,
                            size_t *places, stop_check *stop) {
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

static void exchange_records(records *a, records *b) {
  const records kept = *a;
  *a = *b;
  *b = kept;
}

static records records_from(records data, size_t first) {
  return (records){data.keys + first, data.values ? data.values + first : NULL};
}

/* The shift of the highest digit in which keys differ, given their differing bits, which must not be 0. */
static uint32_t highest_shift(uint64_t differing) {
  const uint32_t highest = 63 - (uint32_t)__builtin_clzll(differing);
  return highest >= DIGIT_BITS ? highest - DIGIT_BITS + 1 : 0;
}

/* ------------------------------------------------------------------------------------------------ one thread */

/* Counts digits, and converts the counts to first places. */
static void find_places(const uint64_t *keys, size_t count, uint32_t shift, uint64_t mask, size_t places[DIGIT_COUNT],
                        stop_check *stop) {
  memset(places, 0, DIGIT_COUNT * sizeof *places);
  for (size_t at = 0, next; at < count; at = next) {
    next = piece_end(at, count, stop);
    if (next == at) return;
    for (size_t i = at; i < next; i++) places[keys[i] >> shift & mask]++;
  }
  size_t place = 0;
  for (size_t digit = 0; digit < DIGIT_COUNT; digit++) {
    const size_t digit_count = places[digit];
    places[digit] = place;
    place += digit_count;
  }
}

/* A part is in one of two places and must end in one of them: `here`, where it is, or the other. */
typedef struct part {
  records here, there;
  size_t count;
  bool wanted_here;
} part;

static void bring_part(const part *p) {
  if (!p->wanted_here) copy_records(p->here, p->there, 0, p->count);
}

static void sort_cached(part p, uint64_t differing, stop_check *stop) {
  const pass_plan plan = plan_passes(differing);
  size_t places[DIGIT_COUNT];
  for (uint32_t pass = 0; pass < plan.count && !stop_was_requested(stop); pass++) {
    find_places(p.here.keys, p.count, plan.shifts[pass], plan.masks[pass], places, NULL);
    scatter_piece(p.here, p.there, 0, p.count, plan.shifts[pass], plan.masks[pass], places);
    exchange_records(&p.here, &p.there);
    p.wanted_here = !p.wanted_here;
  }
  bring_part(&p);
}

/* Orders by the bits of the mask; all keys agree above it. At most eight levels deep, 2 KiB each. */
static void sort_part(part p, uint64_t mask, stop_check *stop) {
  if (p.count <= INSERTION_MAXIMUM) {
    bring_part(&p);
    insertion_sort(p.wanted_here ? p.here : p.there, p.count, mask);
    return;
  }
  const uint64_t differing = differing_bits(p.here.keys, p.count, p.here.keys[0]) & mask;
  if (differing == 0 || p.count <= CACHED_MAXIMUM) {
    if (!stop_is_requested(stop)) sort_cached(p, differing, stop);
    return;
  }
  const uint32_t shift = highest_shift(differing);
  const uint64_t digit_mask = differing >> shift & DIGIT_MASK, below = (UINT64_C(1) << shift) - 1;
  size_t places[DIGIT_COUNT];
  find_places(p.here.keys, p.count, shift, digit_mask, places, stop);
  if (stop_was_requested(stop)) return;
  scatter_records(p.here, p.there, 0, p.count, shift, digit_mask, places, stop);
  if (stop_was_requested(stop)) return;
  /* Each place has advanced to the beginning of the next digit. */
  for (size_t digit = 0, first = 0; digit < DIGIT_COUNT; first = places[digit++])
    sort_part((part){records_from(p.there, first), records_from(p.here, first), places[digit] - first, !p.wanted_here},
              mask & below, stop);
}

/* ------------------------------------------------------------------------------------------------ many workers */

/* Keys are partitioned by a sample of them: a digit would leave most of them in few parts if levels and Morton codes of
 * different lengths share a key, and each further split takes three more regions. Records are divided into blocks;
 * within a part, places go to the blocks in order. So the sort is stable, and its result does not depend on which
 * worker processes which block. */
typedef struct sort_job {
  records from, to;
  size_t count;
  uint64_t mask; /* of the bits that order the keys */
  size_t block_size;
  uint32_t block_count, block_capacity;
  size_t part_count;               /* a power of two */
  uint64_t *samples;               /* SAMPLES_MAXIMUM, and as many for sorting */
  size_t (*places)[PARTS_MAXIMUM]; /* of each block: counts, then places within the part */
  size_t starts[PARTS_MAXIMUM + 1];
  uint64_t splitters[PARTS_MAXIMUM]; /* part i has the keys from splitter i - 1 on, below splitter i */
  stop_check *stop;
} sort_job;

static size_t block_first(const sort_job *job, uint32_t block) {
  const size_t first = block * job->block_size;
  return first < job->count ? first : job->count;
}

/* The number of splitters not above the key. The steps have no branches, so those of several keys overlap. */
static inline size_t part_of_key(const sort_job *job, uint64_t key) {
  size_t at = 0;
  for (size_t step = job->part_count / 2; step > 0; step /= 2) at += job->splitters[at + step - 1] <= key ? step : 0;
  return at;
}

static void count_block(void *context, uint32_t block, uint32_t worker) {
  const sort_job *const job = context;
  (void)worker;
  size_t *const counts = job->places[block];
  memset(counts, 0, job->part_count * sizeof *counts);
  if (stop_is_requested(job->stop)) return;
  const size_t end = block_first(job, block + 1);
  for (size_t i = block_first(job, block); i < end; i++) counts[part_of_key(job, job->from.keys[i] & job->mask)]++;
}

static void scatter_block(void *context, uint32_t block, uint32_t worker) {
  const sort_job *const job = context;
  (void)worker;
  size_t *const places = job->places[block];
  for (size_t i = 0; i < job->part_count; i++) places[i] += job->starts[i];
  const size_t end = block_first(job, block + 1);
  for (size_t at = block_first(job, block), next; at < end; at = next) {
    next = piece_end(at, end, job->stop);
    if (next == at) return;
    for (size_t i = at; i < next; i++) {
      const uint64_t key = job->from.keys[i];
      const size_t place = places[part_of_key(job, key & job->mask)]++;
      job->to.keys[place] = key;
      if (job->from.values) job->to.values[place] = job->from.values[i];
    }
  }
}

/* Sums along the rows, in memory order: what each block adds to a part, and where parts begin. */
static void counts_to_places(sort_job *job) {
  size_t before[PARTS_MAXIMUM] = {0}, start = 0;
  for (uint32_t block = 0; block < job->block_count; block++)
    for (size_t i = 0; i < job->part_count; i++) {
      const size_t part_records = job->places[block][i];
      job->places[block][i] = before[i];
      before[i] += part_records;
    }
  for (size_t i = 0; i < job->part_count; i++) {
    job->starts[i] = start;
    start += before[i];
  }
  job->starts[job->part_count] = start;
}

/* From keys at equal distances. The choice affects the parts but not the order. */
static void choose_splitters(sort_job *job) {
  const size_t sample_count = job->part_count * SAMPLES_A_PART;
  for (size_t i = 0; i < sample_count; i++)
    job->samples[i] = job->from.keys[i * (job->count / sample_count)] & job->mask;
  radix_sort_keys(job->samples, job->samples + SAMPLES_MAXIMUM, sample_count, 64);
  for (size_t i = 1; i < job->part_count; i++) job->splitters[i - 1] = job->samples[i * SAMPLES_A_PART];
}

/* Several parts for each worker, small enough for a cache and large enough to be efficient. */
static void choose_sizes(sort_job *job, uint32_t worker_count) {
  size_t wanted = (size_t)worker_count * PARTS_PER_WORKER;
  if (wanted < 2 * job->count / CACHED_MAXIMUM) wanted = 2 * job->count / CACHED_MAXIMUM;
  if (wanted > job->count / PART_MINIMUM) wanted = job->count / PART_MINIMUM;
  job->part_count = 1;
  while (job->part_count < wanted && job->part_count < PARTS_MAXIMUM) job->part_count *= 2;
  const size_t blocks = job->count / BLOCK_MINIMUM + 1;
  job->block_count = (uint32_t)(blocks < job->block_capacity ? blocks : job->block_capacity);
  job->block_size = (job->count - 1) / job->block_count + 1;
}

/* The parts of a split: one worker sorts each part of at most `share` records, all workers sort each of the others. */
typedef struct split {
  part whole; /* its place after the split */
  size_t starts[PARTS_MAXIMUM + 1], part_count, share;
  uint64_t mask;
  stop_check *stop;
} split;

static part part_of(const split *parts, size_t number) {
  const size_t first = parts->starts[number];
  return (part){records_from(parts->whole.here, first), records_from(parts->whole.there, first),
                parts->starts[number + 1] - first, parts->whole.wanted_here};
}

static void sort_small_part(void *context, uint32_t number, uint32_t worker) {
  const split *parts = context;
  (void)worker;
  const part p = part_of(parts, number);
  if (p.count > 0 && p.count <= parts->share) sort_part(p, parts->mask, parts->stop);
}

static void sort_part_parallel(sort_job *job, part p, size_t share, workers *team) {
  job->from = p.here;
  job->to = p.there;
  job->count = p.count;
  choose_sizes(job, workers_count(team));
  choose_splitters(job);
  workers_run_by_shares(team, count_block, job, job->block_count);
  if (stop_was_requested(job->stop)) return;
  counts_to_places(job);
  workers_run_by_shares(team, scatter_block, job, job->block_count);
  if (stop_was_requested(job->stop)) return;
  split parts = {.whole = {p.there, p.here, p.count, !p.wanted_here},
                 .part_count = job->part_count,
                 .share = share,
                 .mask = job->mask,
                 .stop = job->stop};
  memcpy(parts.starts, job->starts, (job->part_count + 1) * sizeof *parts.starts);
  workers_run_by_shares(team, sort_small_part, &parts, (uint32_t)parts.part_count);
  for (size_t number = 0; number < parts.part_count && !stop_was_requested(job->stop); number++) {
    const part large = part_of(&parts, number);
    if (large.count <= share) continue;
    /* If one key is most of the records, splitters do not divide it: its records need one comparison and a copy. */
    if (large.count > p.count / 2)
      sort_part(large, job->mask, job->stop);
    else
      sort_part_parallel(job, large, share, team);
  }
}

static void sort_all(records data, records scratch, size_t count, uint32_t key_bits, memory *heap, workers *team,
                     stop_check *stop) {
  const part all = {data, scratch, count, true};
  const uint32_t worker_count = team != NULL ? workers_count(team) : 1;
  sort_job job = {.block_capacity = worker_count * BLOCKS_PER_WORKER, .mask = low_bits(key_bits), .stop = stop};
  if (worker_count > 1 && count >= PARALLEL_MINIMUM) {
    job.samples = memory_allocate(heap, 2 * SAMPLES_MAXIMUM, sizeof *job.samples);
    job.places = memory_allocate(heap, job.block_capacity, sizeof job.places[0]);
  }
  if (job.samples && job.places) {
    const size_t even = count / worker_count / 2, share = even > CACHED_MAXIMUM ? even : CACHED_MAXIMUM;
    sort_part_parallel(&job, all, share, team);
  } else {
    sort_part(all, job.mask, stop);
  }
  memory_release(heap, job.places, job.block_capacity, sizeof job.places[0]);
  memory_release(heap, job.samples, 2 * SAMPLES_MAXIMUM, sizeof *job.samples);
}

/* ------------------------------------------------------------------------------------------------ public functions */

void radix_sort_keys(uint64_t *keys, uint64_t *scratch, size_t count, uint32_t key_bits) {
  sort_all((records){keys, NULL}, (records){scratch, NULL}, count, key_bits, NULL, NULL, NULL);
}

void radix_sort_pairs(uint64_t *keys, uint32_t *values, uint64_t *scratch_keys, uint32_t *scratch_values, size_t count,
                      uint32_t key_bits) {
  sort_all((records){keys, values}, (records){scratch_keys, scratch_values}, count, key_bits, NULL, NULL, NULL);
}

void radix_sort_keys_stoppable(uint64_t *keys, uint64_t *scratch, size_t count, uint32_t key_bits, memory *heap,
                               workers *team, stop_check *stop_or_null) {
  sort_all((records){keys, NULL}, (records){scratch, NULL}, count, key_bits, heap, team, stop_or_null);
}

void radix_sort_pairs_stoppable(uint64_t *keys, uint32_t *values, uint64_t *scratch_keys, uint32_t *scratch_values,
                                size_t count, uint32_t key_bits, memory *heap, workers *team,
                                stop_check *stop_or_null) {
  sort_all((records){keys, values}, (records){scratch_keys, scratch_values}, count, key_bits, heap, team, stop_or_null);
}
