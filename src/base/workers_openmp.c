/* workers_openmp: parallel regions with OpenMP, for hosts that already use its threads.
 *
 * Assumes few regions per frame. Tasks are distributed one at a time, as by the other runners. */
#include "base/workers_openmp.h"

#ifdef GRAZE_HAVE_OPENMP

#include <omp.h>

bool openmp_available(void) {
  return true;
}

void openmp_run(uint32_t worker_count, graze_task *task, void *context, uint32_t task_count) {
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)worker_count)
  for (uint32_t index = 0; index < task_count; index++) task(context, index, (uint32_t)omp_get_thread_num());
}

#else

bool openmp_available(void) {
  return false;
}

void openmp_run(uint32_t worker_count, graze_task *task, void *context, uint32_t task_count) {
  (void)worker_count;
  for (uint32_t index = 0; index < task_count; index++) task(context, index, 0);
}

#endif
