/* Tests workers that a host creates and shares: several threads at once, regions within tasks, the user count, and
 * rejected arguments. Every region runs each index once, with its own worker numbers, and no thread waits for another.
 */
#include "base/workers.h"
#include "testing.h"

#include "checked_allocator.h"
#include "test_scale.h"
#include "worker_teams.h"

#include <pthread.h>
#include <stddef.h>
#include <time.h>

enum { WORKERS = 3, THREADS = 4, TASKS = 40, INNER_TASKS = 7 };

static void sleep_ms(long milliseconds) {
  const struct timespec time = {0, milliseconds * 1000000};
  nanosleep(&time, NULL);
}

/* A host's task system with threads of its own for every region: it fails the test where two regions are in it. */
typedef struct host_system {
  atomic_bool inside;
  _Atomic(uint32_t) regions, faults;
} host_system;

typedef struct host_share {
  graze_task *task;
  void *context;
  uint32_t count, worker;
} host_share;

static void *host_thread(void *argument) {
  const host_share *const share = argument;
  for (uint32_t i = share->worker; i < share->count; i += WORKERS) share->task(share->context, i, share->worker);
  return NULL;
}

static void host_run(void *context, graze_task *task, void *task_context, uint32_t count) {
  host_system *const system = context;
  if (atomic_exchange(&system->inside, true)) atomic_fetch_add(&system->faults, 1);
  atomic_fetch_add(&system->regions, 1);
  pthread_t threads[WORKERS];
  host_share shares[WORKERS];
  for (uint32_t i = 0; i < WORKERS; i++) {
    shares[i] = (host_share){task, task_context, count, i};
    if (pthread_create(&threads[i], NULL, host_thread, &shares[i]) != 0) atomic_fetch_add(&system->faults, 1);
  }
  for (uint32_t i = 0; i < WORKERS; i++) pthread_join(threads[i], NULL);
  atomic_store(&system->inside, false);
}

/* ------------------------------------------------------------------------------------------------ regions at once */

/* Plain counters: a race on them is one that the thread sanitizer must find. */
typedef struct region {
  graze_workers *workers;
  uint32_t calls[TASKS];
  uint32_t inner_calls[TASKS][INNER_TASKS];
  atomic_bool inside[WORKERS];
  _Atomic(uint32_t) faults;
  bool nests;
} region;

typedef struct inner_region {
  region *outer;
  uint32_t outer_index;
  atomic_bool inside[WORKERS]; /* where the outer one found them busy, the inner one may have all of them */
} inner_region;

static void inner_task(void *context, uint32_t index, uint32_t worker) {
  inner_region *const inner = context;
  if (worker >= WORKERS || atomic_exchange(&inner->inside[worker], true)) atomic_fetch_add(&inner->outer->faults, 1);
  inner->outer->inner_calls[inner->outer_index][index]++;
  atomic_store(&inner->inside[worker], false);
}

static void outer_task(void *context, uint32_t index, uint32_t worker) {
  region *const outer = context;
  if (worker >= WORKERS || atomic_exchange(&outer->inside[worker], true)) atomic_fetch_add(&outer->faults, 1);
  outer->calls[index]++;
  if (outer->nests) {
    inner_region inner = {.outer = outer, .outer_index = index};
    workers_run(outer->workers, inner_task, &inner, INNER_TASKS);
  }
  atomic_store(&outer->inside[worker], false);
}

static bool run_region(graze_workers *team, bool nests) {
  region outer = {.workers = team, .nests = nests};
  workers_run(team, outer_task, &outer, TASKS);
  bool good = atomic_load(&outer.faults) == 0;
  for (int i = 0; i < TASKS; i++) {
    good = good && outer.calls[i] == 1;
    for (int j = 0; j < INNER_TASKS && nests; j++) good = good && outer.inner_calls[i][j] == 1;
  }
  return good;
}

typedef struct user {
  graze_workers *workers;
  size_t rounds;
  bool good;
} user;

static void *use_workers(void *argument) {
  user *const self = argument;
  self->good = true;
  for (size_t i = 0; i < self->rounds; i++) self->good = run_region(self->workers, i % 3 == 0) && self->good;
  return NULL;
}

static void check_threads(graze_workers *team) {
  pthread_t threads[THREADS];
  user users[THREADS];
  for (int i = 0; i < THREADS; i++) {
    users[i] = (user){team, test_scaled(400, 60), false};
    assert_int_equal(pthread_create(&threads[i], NULL, use_workers, &users[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    assert_true(users[i].good);
  }
}

static graze_workers *shared(graze_threading threading, const graze_task_system *tasks) {
  graze_workers_def def = graze_workers_def_default();
  def.worker_count = WORKERS;
  def.threading = threading;
  def.tasks = tasks;
  graze_workers *team;
  const graze_result result = graze_workers_create(&def, &team);
  if (result == GRAZE_UNSUPPORTED) return NULL;
  assert_int_equal(result, GRAZE_OK);
  return team;
}

TEST(several_threads_share) {
  static const graze_threading threadings[] = {GRAZE_THREADING_PTHREADS, GRAZE_THREADING_OPENMP,
                                               GRAZE_THREADING_SERIAL};
  for (size_t i = 0; i < sizeof threadings / sizeof threadings[0]; i++) {
    graze_workers *const team = shared(threadings[i], NULL);
    if (team == NULL) continue;
    assert_int_equal(graze_workers_count(team), threadings[i] == GRAZE_THREADING_SERIAL ? 1 : WORKERS);
    check_threads(team);
    graze_workers_destroy(team);
  }
}

TEST(several_threads_share_a_task_system) {
  host_system system = {0};
  const graze_task_system tasks = {sizeof tasks, &system, WORKERS, host_run};
  graze_workers *const team = shared(GRAZE_THREADING_AUTO, &tasks);
  check_threads(team);
  graze_workers_destroy(team);
  assert_int_equal(atomic_load(&system.faults), 0);
  assert_true(atomic_load(&system.regions) >
              0); /* how many find it busy is a matter of timing, of the first none does */
}

static void add_index(void *context, uint32_t index, uint32_t worker) {
  _Atomic(uint64_t) *const sums = context;
  atomic_fetch_add(&sums[worker], (uint64_t)index + 1);
}

/* Work of the host's own: every index once, with workers and without. */
TEST(a_host_runs_work_of_its_own) {
  graze_workers *const teams[] = {shared(GRAZE_THREADING_PTHREADS, NULL), shared(GRAZE_THREADING_SERIAL, NULL), NULL};
  for (size_t i = 0; i < sizeof teams / sizeof teams[0]; i++) {
    _Atomic(uint64_t) sums[WORKERS] = {0};
    uint64_t sum = 0;
    graze_workers_run(teams[i], add_index, sums, 0);
    graze_workers_run(teams[i], add_index, sums, 1000);
    for (size_t k = 0; k < WORKERS; k++) sum += atomic_load(&sums[k]);
    assert_true(sum == 500500);
    graze_workers_destroy(teams[i]);
  }
}

/* ------------------------------------------------------------------------------------------------ nobody waits */

typedef struct held_region {
  graze_workers *workers;
  atomic_bool begun, may_end;
} held_region;

static void hold(void *context, uint32_t index, uint32_t worker) {
  held_region *const held = context;
  (void)index;
  (void)worker;
  atomic_store(&held->begun, true);
  for (int i = 0; i < 20000 && !atomic_load(&held->may_end); i++) sleep_ms(1);
}

static void *hold_workers(void *argument) {
  held_region *const held = argument;
  workers_run(held->workers, hold, held, WORKERS);
  return NULL;
}

/* A region ends while another one, which cannot end before it, has the workers. */
TEST(a_busy_set_is_not_waited_for) {
  held_region held = {.workers = shared(GRAZE_THREADING_PTHREADS, NULL)};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, hold_workers, &held), 0);
  while (!atomic_load(&held.begun)) sleep_ms(1);
  assert_true(run_region(held.workers, true));
  assert_false(atomic_load(&held.may_end));
  atomic_store(&held.may_end, true);
  pthread_join(thread, NULL);
  graze_workers_destroy(held.workers);
}

typedef struct named_thread {
  pthread_t self;
  _Atomic(uint32_t) strangers;
} named_thread;

static void note_strangers(void *context, uint32_t index, uint32_t worker) {
  named_thread *const caller = context;
  (void)index;
  if (worker != 0 || !pthread_equal(caller->self, pthread_self())) atomic_fetch_add(&caller->strangers, 1);
}

static void begin_within(void *context, uint32_t index, uint32_t worker) {
  held_region *const held = context;
  (void)index;
  (void)worker;
  named_thread caller = {.self = pthread_self()};
  workers_run(held->workers, note_strangers, &caller, 20);
  if (atomic_load(&caller.strangers) > 0) atomic_store(&held->begun, true);
}

TEST(a_region_within_a_task_is_its_thread_s_own) {
  held_region held = {.workers = shared(GRAZE_THREADING_PTHREADS, NULL)};
  workers_run(held.workers, begin_within, &held, 50);
  assert_false(atomic_load(&held.begun));
  graze_workers_destroy(held.workers);
}

/* ------------------------------------------------------------------------------------------------ users and refusals
 */

TEST(scenes_keep_their_workers) {
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  graze_workers_def def = graze_workers_def_default();
  def.worker_count = WORKERS;
  def.allocator = &heap.allocator;
  graze_workers *team;
  assert_int_equal(graze_workers_create(&def, &team), GRAZE_OK);
  workers_retain(team);
  graze_workers_destroy(team);
  assert_true(run_region(team, true));
  workers_destroy(NULL, team);
  assert_true(checked_is_clean(&allocator, &heap));
  graze_workers_destroy(NULL);
  assert_int_equal(graze_workers_count(NULL), 0);
}

TEST(every_allocation_may_fail) {
  size_t refused = 0;
  for (graze_result result = GRAZE_OUT_OF_MEMORY; result != GRAZE_OK; refused++) {
    checked_allocator allocator;
    memory heap;
    checked_init(&allocator, &heap, refused);
    graze_workers_def def = graze_workers_def_default();
    def.worker_count = WORKERS;
    def.allocator = &heap.allocator;
    graze_workers *team;
    result = graze_workers_create(&def, &team);
    assert_true(result == GRAZE_OK || (result == GRAZE_OUT_OF_MEMORY && team == NULL));
    graze_workers_destroy(team);
    assert_true(checked_is_clean(&allocator, &heap));
  }
  assert_true(refused >= 3);
}

TEST(what_is_refused) {
  graze_workers *team = NULL;
  graze_workers_def def = graze_workers_def_default();
  assert_int_equal(graze_workers_create(&def, NULL), GRAZE_INVALID_ARGUMENT);
  def.struct_bytes = 3;
  assert_int_equal(graze_workers_create(&def, &team), GRAZE_INVALID_ARGUMENT);
  def = graze_workers_def_default();
  def.threading = (graze_threading)99;
  assert_int_equal(graze_workers_create(&def, &team), GRAZE_INVALID_ARGUMENT);
  const graze_task_system idle = {sizeof idle, NULL, 0, host_run}, silent = {sizeof silent, NULL, 2, NULL};
  def = graze_workers_def_default();
  def.tasks = &idle;
  assert_int_equal(graze_workers_create(&def, &team), GRAZE_INVALID_ARGUMENT);
  def.tasks = &silent;
  assert_int_equal(graze_workers_create(&def, &team), GRAZE_INVALID_ARGUMENT);
  const graze_allocator empty = {sizeof empty, NULL, NULL, NULL};
  def = graze_workers_def_default();
  def.allocator = &empty;
  assert_int_equal(graze_workers_create(&def, &team), GRAZE_INVALID_ARGUMENT);
  assert_null(team);
  def = graze_workers_def_default();
  def.worker_count = 1000;
  def.struct_bytes = offsetof(graze_workers_def, allocator); /* less than the first version had */
  assert_int_equal(graze_workers_create(&def, &team), GRAZE_INVALID_ARGUMENT);
  assert_null(team);
  const graze_task_system unsized = {0, NULL, 2, host_run};
  def = graze_workers_def_default();
  def.tasks = &unsized;
  assert_int_equal(graze_workers_create(&def, &team), GRAZE_INVALID_ARGUMENT);
  assert_null(team);
  graze_workers_destroy(team);
}
