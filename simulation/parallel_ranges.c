/* Runs ranges as tasks; a single range is a plain call. */
#include "simulation/parallel_ranges.h"

typedef struct range_job {
  range_body *body;
  void *context;
  size_t count, grain;
} range_job;

static void run_range(void *context, uint32_t index, uint32_t worker) {
  const range_job *job = context;
  const size_t first = index * job->grain, left = job->count - first;
  (void)worker;
  job->body(job->context, first, first + (left < job->grain ? left : job->grain));
}

void parallel_ranges(graze_workers *workers, size_t count, size_t grain, range_body *body, void *context) {
  if (count == 0) return;
  range_job job = {body, context, count, grain};
  graze_workers_run(workers, run_range, &job, (uint32_t)((count - 1) / grain + 1));
}
