/* workers_pthreads: a pool of threads that belongs to one set of workers.
 *
 * Assumes about eight regions of 0.2 to 10 ms a frame with short serial stretches between them: threads that have run
 * out of work look for the next region for SPIN_MS before they sleep, so that within a frame they are mostly found
 * awake, and a scene at rest costs no processor time.
 *
 * A region is one word, `state`: its number in the high half, a bit that says it is open, and the count of threads
 * inside. A thread may enter only while the bit is set. The caller works off the tasks too; when none is left it clears
 * the bit and waits for those inside only. So a region never waits for a thread that is still waking up. */
#include "base/workers_pthreads.h"

#include "base/processor_count.h"
#include "base/timer.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

/* About what it takes to put a thread to sleep and to wake it again; spinning for longer would cost more than it saves.
 */
#define SPIN_MS 0.05

#define STATE_OPEN (UINT64_C(1) << 31)
#define STATE_INSIDE (STATE_OPEN - 1)
#define STATE_NUMBER_SHIFT 32

typedef struct pool_thread {
  thread_pool *pool;
  pthread_t handle;
  uint32_t worker;
} pool_thread;

struct thread_pool {
  _Alignas(MEMORY_ALIGNMENT) _Atomic(uint64_t) state;
  _Alignas(MEMORY_ALIGNMENT) _Atomic(uint64_t) next_index; /* 64 bits: each thread steps past the end once */

  /* The open region; written by the caller while it is closed and nobody is inside. */
  _Alignas(MEMORY_ALIGNMENT) graze_task *task;
  void *context;
  uint32_t task_count;

  uint32_t worker_count;
  uint32_t thread_count; /* started; less than worker_count - 1 when the system had no more */
  bool spins;            /* spinning helps only where every worker has a processor */
  pid_t process;         /* that started the threads; 0 before */
  pool_thread *threads;

  /* Sleeping. Whoever goes to sleep first raises its counter, then looks at the state again; whoever changes the state
   * looks at the counter afterwards. All four are sequentially consistent, so at least one of the two sees the other.
   */
  atomic_bool stopping;
  _Atomic(uint32_t) sleeping_threads;
  atomic_bool caller_sleeps;
  pthread_mutex_t mutex;
  pthread_cond_t opened;
  pthread_cond_t emptied;
};

static void processor_pause(void) {
#if defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#elif defined(__x86_64__) || defined(__i386__)
  __asm__ volatile("pause" ::: "memory");
#endif
}

typedef bool pool_condition(thread_pool *pool, uint64_t number);

/* True once the condition holds; false when it did not come about within the time of spinning. */
static bool spin_until(thread_pool *pool, pool_condition *holds, uint64_t number) {
  if (holds(pool, number)) return true;
  if (!pool->spins) return false;
  const double end = timer_now_ms() + SPIN_MS;
  do {
    for (int i = 0; i < 64; i++) {
      if (holds(pool, number)) return true;
      processor_pause();
    }
    sched_yield();
  } while (timer_now_ms() < end);
  return false;
}

/* For a thread that has seen region `number`: there is a newer one, or the end. A region that opened and closed unseen
 * counts too; the thread then finds it closed and waits on. */
static bool region_opened(thread_pool *pool, uint64_t number) {
  return atomic_load(&pool->state) >> STATE_NUMBER_SHIFT != number || atomic_load(&pool->stopping);
}

static bool region_empty(thread_pool *pool, uint64_t number) {
  (void)number;
  return (atomic_load(&pool->state) & STATE_INSIDE) == 0;
}

static void await_region(thread_pool *pool, uint64_t number) {
  if (spin_until(pool, region_opened, number)) return;
  pthread_mutex_lock(&pool->mutex);
  atomic_fetch_add(&pool->sleeping_threads, 1);
  while (!region_opened(pool, number)) pthread_cond_wait(&pool->opened, &pool->mutex);
  atomic_fetch_sub(&pool->sleeping_threads, 1);
  pthread_mutex_unlock(&pool->mutex);
}

static void await_empty(thread_pool *pool) {
  if (spin_until(pool, region_empty, 0)) return;
  pthread_mutex_lock(&pool->mutex);
  atomic_store(&pool->caller_sleeps, true);
  while (!region_empty(pool, 0)) pthread_cond_wait(&pool->emptied, &pool->mutex);
  atomic_store(&pool->caller_sleeps, false);
  pthread_mutex_unlock(&pool->mutex);
}

static bool enter_region(thread_pool *pool, uint64_t *number_out) {
  uint64_t state = atomic_load(&pool->state);
  do {
    *number_out = state >> STATE_NUMBER_SHIFT;
    if ((state & STATE_OPEN) == 0) return false;
  } while (!atomic_compare_exchange_weak(&pool->state, &state, state + 1));
  return true;
}

static void leave_region(thread_pool *pool) {
  const uint64_t state = atomic_fetch_sub(&pool->state, 1) - 1;
  if ((state & (STATE_OPEN | STATE_INSIDE)) != 0 || !atomic_load(&pool->caller_sleeps)) return;
  pthread_mutex_lock(&pool->mutex);
  pthread_cond_signal(&pool->emptied);
  pthread_mutex_unlock(&pool->mutex);
}

/* The counter hands out each index once and orders nothing else: entering and leaving the region does. */
static void work_off(thread_pool *pool, uint32_t worker) {
  for (;;) {
    const uint64_t index = atomic_fetch_add_explicit(&pool->next_index, 1, memory_order_relaxed);
    if (index >= pool->task_count) return;
    pool->task(pool->context, (uint32_t)index, worker);
  }
}

static void *thread_main(void *argument) {
  pool_thread *const self = argument;
  thread_pool *const pool = self->pool;
  uint64_t number = 0;
  for (;;) {
    await_region(pool, number);
    if (atomic_load(&pool->stopping)) return NULL;
    if (!enter_region(pool, &number)) continue;
    work_off(pool, self->worker);
    leave_region(pool);
  }
}

/* Signals are for the host's threads: the new ones inherit a mask that blocks all but those of a thread's own faults,
 * which a debugger or sanitizer of the host wants to see. */
static void start_threads(thread_pool *pool) {
  pool->process = getpid();
  pool->spins = pool->worker_count <= processor_count();
  sigset_t blocked, before;
  sigfillset(&blocked);
  sigdelset(&blocked, SIGSEGV);
  sigdelset(&blocked, SIGBUS);
  sigdelset(&blocked, SIGFPE);
  sigdelset(&blocked, SIGILL);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  for (uint32_t i = 0; i + 1 < pool->worker_count; i++) {
    pool_thread *const thread = &pool->threads[i];
    thread->pool = pool;
    thread->worker = i + 1;
    if (pthread_create(&thread->handle, NULL, thread_main, thread) != 0) break;
    pool->thread_count++;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static bool synchronisation_init(thread_pool *pool) {
  if (pthread_mutex_init(&pool->mutex, NULL) != 0) return false;
  if (pthread_cond_init(&pool->opened, NULL) == 0) {
    if (pthread_cond_init(&pool->emptied, NULL) == 0) return true;
    pthread_cond_destroy(&pool->opened);
  }
  pthread_mutex_destroy(&pool->mutex);
  return false;
}

thread_pool *thread_pool_create(memory *heap, uint32_t worker_count) {
  assert(worker_count > 1);
  thread_pool *const pool = memory_allocate(heap, 1, sizeof(thread_pool));
  pool_thread *const threads = memory_allocate(heap, worker_count - 1, sizeof(pool_thread));
  if (pool && threads) {
    *pool = (thread_pool){.worker_count = worker_count, .threads = threads};
    if (synchronisation_init(pool)) return pool;
  }
  memory_release(heap, threads, worker_count - 1, sizeof(pool_thread));
  memory_release(heap, pool, 1, sizeof(thread_pool));
  return NULL;
}

/* Only the thread that called fork lives on in a child: what the others held or waited on must not be touched there. */
static bool threads_are_lost(const thread_pool *pool) {
  return pool->process != 0 && pool->process != getpid();
}

void thread_pool_destroy(memory *heap, thread_pool *pool) {
  if (!threads_are_lost(pool)) {
    pthread_mutex_lock(&pool->mutex);
    atomic_store(&pool->stopping, true);
    pthread_cond_broadcast(&pool->opened);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->thread_count; i++) pthread_join(pool->threads[i].handle, NULL);
    pthread_cond_destroy(&pool->emptied);
    pthread_cond_destroy(&pool->opened);
    pthread_mutex_destroy(&pool->mutex);
  }
  memory_release(heap, pool->threads, pool->worker_count - 1, sizeof(pool_thread));
  memory_release(heap, pool, 1, sizeof(thread_pool));
}

static void open_region(thread_pool *pool) {
  const uint64_t number = (atomic_load(&pool->state) >> STATE_NUMBER_SHIFT) + 1;
  atomic_store(&pool->state, number << STATE_NUMBER_SHIFT | STATE_OPEN);
  if (atomic_load(&pool->sleeping_threads) == 0) return;
  pthread_mutex_lock(&pool->mutex);
  pthread_cond_broadcast(&pool->opened);
  pthread_mutex_unlock(&pool->mutex);
}

void thread_pool_run(thread_pool *pool, graze_task *task, void *context, uint32_t task_count) {
  if (threads_are_lost(pool)) {
    for (uint32_t index = 0; index < task_count; index++) task(context, index, 0);
    return;
  }
  if (pool->process == 0) start_threads(pool);
  pool->task = task;
  pool->context = context;
  pool->task_count = task_count;
  atomic_store_explicit(&pool->next_index, 0, memory_order_relaxed);
  open_region(pool);
  work_off(pool, 0);
  atomic_fetch_and(&pool->state, ~STATE_OPEN);
  await_empty(pool);
}
