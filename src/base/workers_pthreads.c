/* workers_pthreads: a pool of threads that belongs to one set of workers.
 *
 * Assumes twenty to forty regions of 0.01 to 10 ms per frame with short serial stretches between them. Idle threads
 * look for the next region for SPIN_NS before they sleep, so within a frame they are mostly awake, and an idle scene
 * costs no processor time.
 *
 * Threads form a binary tree with the caller at its root. Each thread starts those below it, and wakes them if it finds
 * an open region for which they may be asleep. So the caller starts working after two system calls, for any number of
 * threads; threads do not contend for one lock; and a late thread delays those below it, but never the region.
 *
 * A region is one word, `state`: its number in the high half, an open bit, and the count of threads inside. A thread
 * may enter only while the bit is set. The caller runs tasks too; when none is left it clears the bit and waits only
 * for the threads inside. So a region never waits for a thread that is still waking up.
 *
 * Threads inherit the floating-point mode of the thread that starts them, and only tasks are guarded against it
 * (float_environment.h). A host may trap exceptions, so nothing else in this file computes in floating point. */
#include "base/workers_pthreads.h"

#include "base/processor_count.h"
#include "base/timer.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

/* About the time to put a thread to sleep and wake it again. It exceeds the serial stretches of a frame, the longest of
 * which wait for memory from the system; longer spinning would cost more than it saves. */
#define SPIN_NS 100000

/* Per thread: many times what a task needs, to allow for a host's allocator and stop function. The C library caches 40
 * MB of stacks of ended threads: these fit, whereas its default of 8 MB would be requested from the system, and
 * returned, with each scene. */
#define STACK_BYTES ((size_t)1 << 20)

#define STATE_OPEN (UINT64_C(1) << 31)
#define STATE_INSIDE (STATE_OPEN - 1)
#define STATE_NUMBER_SHIFT 32

/* Sleeping. A thread that goes to sleep first sets its flag, then checks the state again; a thread that has changed the
 * state checks the flags afterwards. All of it is sequentially consistent, so at least one of the two sees the
 * other. */
typedef struct pool_thread {
  _Alignas(MEMORY_ALIGNMENT) thread_pool *pool;
  pthread_t handle;
  uint32_t worker;
  bool started; /* written by the thread above before it looks for work; read when that thread has ended */
  atomic_bool asleep;
  pthread_mutex_t mutex;
  pthread_cond_t woken;
} pool_thread;

/* Consecutive tasks of a region; those from `next` on are not yet taken. */
typedef struct task_share {
  _Alignas(MEMORY_ALIGNMENT) _Atomic(uint64_t) next; /* 64 bits: each thread steps past the end once */
} task_share;

struct thread_pool {
  _Alignas(MEMORY_ALIGNMENT) _Atomic(uint64_t) state;

  /* The open region; written by the caller while it is closed and no thread is inside. */
  _Alignas(MEMORY_ALIGNMENT) graze_task *task;
  void *context;
  uint32_t task_count, share_count;

  uint32_t worker_count;
  _Atomic(uint32_t) wanted; /* workers with lower numbers have work in the region */
  atomic_bool spins;        /* spinning helps only if every worker has a processor; false until that is known */
  pid_t process;            /* the process that started the threads; 0 before */
  pool_thread
      *threads; /* worker i is the element before number i; some may be missing if the system ran out of threads */
  task_share *shares; /* at most one per worker */
  atomic_bool stopping;

  /* The caller sleeps like the threads. */
  atomic_bool caller_sleeps;
  pthread_mutex_t mutex;
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

/* True once the condition holds; false if it does not within the spinning time. */
static bool spin_until(thread_pool *pool, pool_condition *holds, uint64_t number) {
  if (holds(pool, number)) return true;
  if (!atomic_load_explicit(&pool->spins, memory_order_relaxed)) return false;
  const int64_t end = timer_now_ns() + SPIN_NS;
  do {
    for (int i = 0; i < 64; i++) {
      if (holds(pool, number)) return true;
      processor_pause();
    }
    sched_yield();
  } while (timer_now_ns() < end);
  return false;
}

/* For a thread that has seen region `number`: there is a newer one, or the end. A region that opened and closed unseen
 * counts too; the thread then finds it closed and waits again. */
static bool region_opened(thread_pool *pool, uint64_t number) {
  return atomic_load(&pool->state) >> STATE_NUMBER_SHIFT != number || atomic_load(&pool->stopping);
}

static bool region_empty(thread_pool *pool, uint64_t number) {
  (void)number;
  return (atomic_load(&pool->state) & STATE_INSIDE) == 0;
}

static void await_region(pool_thread *self, uint64_t number) {
  thread_pool *const pool = self->pool;
  if (spin_until(pool, region_opened, number)) return;
  atomic_store(&self->asleep, true);
  pthread_mutex_lock(&self->mutex);
  while (!region_opened(pool, number)) pthread_cond_wait(&self->woken, &self->mutex);
  pthread_mutex_unlock(&self->mutex);
  atomic_store(&self->asleep, false);
}

/* Releases the lock first: otherwise the woken thread would wait for it at once. */
static void wake_thread(pool_thread *thread) {
  if (!atomic_load(&thread->asleep)) return;
  pthread_mutex_lock(&thread->mutex);
  pthread_mutex_unlock(&thread->mutex);
  pthread_cond_signal(&thread->woken);
}

/* The first of the two workers below one in the tree; the caller is worker 0. */
static uint32_t first_below(uint32_t worker) {
  return 2 * worker + 1;
}

/* Wakes the workers below a worker that have work. */
static void wake_below(thread_pool *pool, uint32_t worker) {
  const uint32_t first = first_below(worker), wanted = atomic_load_explicit(&pool->wanted, memory_order_relaxed);
  for (uint32_t i = first; i < first + 2 && i < wanted; i++) wake_thread(&pool->threads[i - 1]);
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

/* The first task of a share; for the number after the last share, the end of all. */
static uint64_t share_first(const thread_pool *pool, uint32_t share) {
  return (uint64_t)pool->task_count * share / pool->share_count;
}

/* Runs its own share first, then the rest of other shares. The counters give out each index once and order nothing
 * else: entering and leaving the region does. */
static void work_off(thread_pool *pool, uint32_t worker) {
  for (uint32_t i = 0; i < pool->share_count; i++) {
    const uint32_t share = (worker + i) % pool->share_count;
    _Atomic(uint64_t) *const next = &pool->shares[share].next;
    const uint64_t end = share_first(pool, share + 1);
    while (atomic_load_explicit(next, memory_order_relaxed) < end) {
      const uint64_t index = atomic_fetch_add_explicit(next, 1, memory_order_relaxed);
      if (index < end) pool->task(pool->context, (uint32_t)index, worker);
    }
  }
}

static void start_below(thread_pool *pool, uint32_t worker);

/* The workers below are woken before the region is entered: the caller waits for all threads inside. */
static void *thread_main(void *argument) {
  pool_thread *const self = argument;
  thread_pool *const pool = self->pool;
  uint64_t number = 0;
  start_below(pool, self->worker);
  /* This reads some files: done by a thread, while the caller works. */
  if (self->worker == 1) atomic_store(&pool->spins, pool->worker_count <= processor_count());
  for (;;) {
    await_region(self, number);
    if (atomic_load(&pool->stopping)) return NULL;
    if ((atomic_load(&pool->state) & STATE_OPEN) != 0) wake_below(pool, self->worker);
    if (!enter_region(pool, &number)) continue;
    work_off(pool, self->worker);
    leave_region(pool);
  }
}

/* A host with large thread-local storage may need more than STACK_BYTES: it gets the default. */
static bool start_thread(pool_thread *thread) {
  pthread_attr_t attributes;
  bool started = false;
  if (pthread_attr_init(&attributes) == 0) {
    started = pthread_attr_setstacksize(&attributes, STACK_BYTES) == 0 &&
              pthread_create(&thread->handle, &attributes, thread_main, thread) == 0;
    pthread_attr_destroy(&attributes);
  }
  return started || pthread_create(&thread->handle, NULL, thread_main, thread) == 0;
}

/* The workers below one that could not be started are missing too. */
static void start_below(thread_pool *pool, uint32_t worker) {
  const uint32_t first = first_below(worker);
  for (uint32_t i = first; i < first + 2 && i < pool->worker_count && !atomic_load(&pool->stopping); i++)
    pool->threads[i - 1].started = start_thread(&pool->threads[i - 1]);
}

/* Signals are for the host's threads. The new ones inherit a mask that blocks all except those of a thread's own
 * faults, which a debugger or sanitizer of the host needs. */
static void start_threads(thread_pool *pool) {
  pool->process = getpid();
  sigset_t blocked, before;
  sigfillset(&blocked);
  sigdelset(&blocked, SIGSEGV);
  sigdelset(&blocked, SIGBUS);
  sigdelset(&blocked, SIGFPE);
  sigdelset(&blocked, SIGILL);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  start_below(pool, 0);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static bool sleep_init(pthread_mutex_t *mutex, pthread_cond_t *condition) {
  if (pthread_mutex_init(mutex, NULL) != 0) return false;
  if (pthread_cond_init(condition, NULL) == 0) return true;
  pthread_mutex_destroy(mutex);
  return false;
}

static void sleep_destroy(pthread_mutex_t *mutex, pthread_cond_t *condition) {
  pthread_cond_destroy(condition);
  pthread_mutex_destroy(mutex);
}

static void synchronization_destroy(thread_pool *pool, uint32_t thread_count) {
  for (uint32_t i = 0; i < thread_count; i++) sleep_destroy(&pool->threads[i].mutex, &pool->threads[i].woken);
  sleep_destroy(&pool->mutex, &pool->emptied);
}

static bool synchronization_init(thread_pool *pool) {
  if (!sleep_init(&pool->mutex, &pool->emptied)) return false;
  for (uint32_t i = 0; i + 1 < pool->worker_count; i++) {
    pool_thread *const thread = &pool->threads[i];
    *thread = (pool_thread){.pool = pool, .worker = i + 1};
    if (sleep_init(&thread->mutex, &thread->woken)) continue;
    synchronization_destroy(pool, i);
    return false;
  }
  return true;
}

thread_pool *thread_pool_create(memory *heap, uint32_t worker_count) {
  assert(worker_count > 1);
  thread_pool *const pool = memory_allocate(heap, 1, sizeof(thread_pool));
  pool_thread *const threads = memory_allocate(heap, worker_count - 1, sizeof(pool_thread));
  task_share *const shares = memory_allocate(heap, worker_count, sizeof(task_share));
  if (pool && threads && shares) {
    *pool = (thread_pool){.worker_count = worker_count, .threads = threads, .shares = shares};
    if (synchronization_init(pool)) return pool;
  }
  memory_release(heap, shares, worker_count, sizeof(task_share));
  memory_release(heap, threads, worker_count - 1, sizeof(pool_thread));
  memory_release(heap, pool, 1, sizeof(thread_pool));
  return NULL;
}

/* Only the thread that called fork survives in a child: it must not touch what the others held or waited on. */
static bool threads_are_lost(const thread_pool *pool) {
  return pool->process != 0 && pool->process != getpid();
}

void thread_pool_destroy(memory *heap, thread_pool *pool) {
  if (!threads_are_lost(pool)) {
    const uint32_t thread_count = pool->worker_count - 1;
    atomic_store(&pool->stopping, true);
    for (uint32_t i = 0; i < thread_count; i++) wake_thread(&pool->threads[i]);
    /* The thread that starts another has a lower number: once it has ended, it is known whether the other exists. */
    for (uint32_t i = 0; i < thread_count; i++)
      if (pool->threads[i].started) pthread_join(pool->threads[i].handle, NULL);
    synchronization_destroy(pool, thread_count);
  }
  memory_release(heap, pool->shares, pool->worker_count, sizeof(task_share));
  memory_release(heap, pool->threads, pool->worker_count - 1, sizeof(pool_thread));
  memory_release(heap, pool, 1, sizeof(thread_pool));
}

static void open_region(thread_pool *pool) {
  const uint64_t number = (atomic_load(&pool->state) >> STATE_NUMBER_SHIFT) + 1;
  atomic_store(&pool->state, number << STATE_NUMBER_SHIFT | STATE_OPEN);
  wake_below(pool, 0);
}

void thread_pool_run(thread_pool *pool, graze_task *task, void *context, uint32_t task_count, bool by_shares) {
  if (threads_are_lost(pool)) {
    for (uint32_t index = 0; index < task_count; index++) task(context, index, 0);
    return;
  }
  pool->task = task;
  pool->context = context;
  pool->task_count = task_count;
  pool->share_count = by_shares ? pool->worker_count : 1;
  atomic_store_explicit(&pool->wanted, task_count < pool->worker_count ? task_count : pool->worker_count,
                        memory_order_relaxed);
  for (uint32_t i = 0; i < pool->share_count; i++)
    atomic_store_explicit(&pool->shares[i].next, share_first(pool, i), memory_order_relaxed);
  open_region(pool);
  if (pool->process == 0) start_threads(pool); /* they find the region open */
  work_off(pool, 0);
  atomic_fetch_and(&pool->state, ~STATE_OPEN);
  await_empty(pool);
}
