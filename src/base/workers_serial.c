/* workers_serial: the pool of threads for platforms without them, in place of workers_pthreads.c (GRAZE_THREADS in
 * CMake). The caller does all the work, as a pool in a forked child does. */
#include "base/workers_pthreads.h"

struct thread_pool {
  uint32_t worker_count;
};

thread_pool *thread_pool_create(memory *heap, uint32_t worker_count) {
  thread_pool *const pool = memory_allocate(heap, 1, sizeof(thread_pool));
  if (pool != NULL) pool->worker_count = worker_count;
  return pool;
}

void thread_pool_destroy(memory *heap, thread_pool *pool) {
  memory_release(heap, pool, 1, sizeof(thread_pool));
}

void thread_pool_run(thread_pool *pool, graze_task *task, void *context, uint32_t task_count, bool by_shares) {
  (void)pool;
  (void)by_shares;
  for (uint32_t index = 0; index < task_count; index++) task(context, index, 0);
}
