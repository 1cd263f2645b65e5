/* prefix_sum: exclusive sums of counters; see prefix_sum.h for its workload. */
#include "base/prefix_sum.h"

/* Sums of blocks are on the stack: no allocation, no failure. Four blocks per worker balance the load of a busy
 * machine. */
#define BLOCKS_MAXIMUM 512
#define BLOCKS_PER_WORKER 4

/* Below this the start of a parallel region costs more than the sum. */
#define PARALLEL_MINIMUM ((size_t)1 << 15)

static uint64_t sum_from(uint32_t *values, size_t count, uint64_t start) {
  uint64_t sum = start;
  for (size_t i = 0; i < count; i++) {
    const uint32_t value = values[i];
    values[i] = (uint32_t)sum;
    sum += value;
  }
  return sum;
}

uint64_t prefix_sum(uint32_t *values, size_t count) {
  return sum_from(values, count, 0);
}

typedef struct sum_job {
  uint32_t *values;
  size_t count;
  size_t block_size;
  uint64_t sums[BLOCKS_MAXIMUM]; /* of each block, then the sum before it */
} sum_job;

static size_t block_end(const sum_job *job, size_t first) {
  const size_t left = job->count - first;
  return first + (left < job->block_size ? left : job->block_size);
}

static void add_block(void *context, uint32_t block, uint32_t worker) {
  sum_job *const job = context;
  (void)worker;
  const size_t first = block * job->block_size, end = block_end(job, first);
  uint64_t sum = 0;
  for (size_t i = first; i < end; i++) sum += job->values[i];
  job->sums[block] = sum;
}

static void write_block(void *context, uint32_t block, uint32_t worker) {
  sum_job *const job = context;
  (void)worker;
  const size_t first = block * job->block_size;
  sum_from(job->values + first, block_end(job, first) - first, job->sums[block]);
}

uint64_t prefix_sum_parallel(uint32_t *values, size_t count, workers *team) {
  const size_t worker_count = workers_count(team);
  if (worker_count == 1 || count < PARALLEL_MINIMUM) return prefix_sum(values, count);
  sum_job job = {.values = values, .count = count};
  const size_t wanted =
      worker_count < BLOCKS_MAXIMUM / BLOCKS_PER_WORKER ? worker_count * BLOCKS_PER_WORKER : BLOCKS_MAXIMUM;
  job.block_size = count / wanted + 1;
  const uint32_t block_count = (uint32_t)((count + job.block_size - 1) / job.block_size);
  workers_run_by_shares(team, add_block, &job, block_count);
  uint64_t total = 0;
  for (uint32_t block = 0; block < block_count; block++) {
    const uint64_t sum = job.sums[block];
    job.sums[block] = total;
    total += sum;
  }
  workers_run_by_shares(team, write_block, &job, block_count);
  return total;
}
