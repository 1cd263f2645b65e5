/* workers_pthreads: the POSIX thread pool of workers.h; included only by workers.c. */
#ifndef GRAZE_BASE_WORKERS_PTHREADS_H
#define GRAZE_BASE_WORKERS_PTHREADS_H

#include "base/memory.h"

typedef struct thread_pool thread_pool;

/* No thread is started before the first run. NULL when out of memory. */
thread_pool *thread_pool_create(memory *heap, uint32_t worker_count);

/* Must not be called during a run. In a process forked after the threads were started it only releases memory. */
void thread_pool_destroy(memory *heap, thread_pool *pool);

/* The caller takes part as worker 0. In a process forked after the threads were started it does all the work. Tasks
 * begin in the order of their numbers, or `by_shares`: each worker begins with an equal number of consecutive tasks. */
void thread_pool_run(thread_pool *pool, graze_task *task, void *context, uint32_t task_count, bool by_shares);

#endif
