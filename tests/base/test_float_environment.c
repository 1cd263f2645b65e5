/* Tests the floating-point mode of tasks, for any mode of the caller and of the threads: with every runner, and every
 * size of region. The host's mode and flags are restored afterwards. */
#include "base/float_environment.h"
#include "base/workers.h"
#include "testing.h"

#include "host_arithmetic.h"
#include "worker_teams.h"

#include <fenv.h>
#include <pthread.h>
#include <stddef.h>

enum { WORKERS = 3 };

/* Results that differ in every mode, from numbers unknown at compile time. */
static volatile double one = 1.0, tiny = 0x1p-60, least = 0x1p-1074, nothing = 0.0;

static bool arithmetic_is_right(void) {
  volatile double undefined = nothing / nothing; /* a fault where invalid operations are trapped */
  (void)undefined;
  return one + tiny == 1.0 && one - tiny == 1.0 && -one - tiny == -1.0 && least * 0.75 > 0.0 && least + least > least &&
         host_arithmetic_now() == HOST_ARITHMETIC_NORMAL;
}

typedef struct checked_region {
  graze_workers *workers;
  _Atomic(uint32_t) wrong, calls;
} checked_region;

static void check_inner(void *context, uint32_t index, uint32_t worker) {
  checked_region *const region = context;
  (void)index;
  (void)worker;
  if (!arithmetic_is_right()) atomic_fetch_add(&region->wrong, 1);
  atomic_fetch_add(&region->calls, 1);
}

static void check_task(void *context, uint32_t index, uint32_t worker) {
  checked_region *const region = context;
  check_inner(context, index, worker);
  if (index % 8 == 0) workers_run(region->workers, check_inner, region, 2); /* within a task */
  if (!arithmetic_is_right()) atomic_fetch_add(&region->wrong, 1);
}

/* ------------------------------------------------------------------------------------------------ a host's threads */

typedef struct host_share {
  graze_task *task;
  void *context;
  const host_arithmetic *arithmetic;
  uint32_t count, worker;
  bool kept;
} host_share;

static void *host_thread(void *argument) {
  host_share *const share = argument;
  const uint32_t mine = host_arithmetic_choose(share->arithmetic);
  share->kept = true;
  for (uint32_t i = share->worker; i < share->count; i += WORKERS) {
    share->task(share->context, i, share->worker);
    share->kept = share->kept && host_arithmetic_now() == mine;
  }
  host_arithmetic_set(HOST_ARITHMETIC_NORMAL);
  return NULL;
}

typedef struct host_system {
  const host_arithmetic *arithmetic;
  bool kept;
} host_system;

static void host_run(void *context, graze_task *task, void *task_context, uint32_t count) {
  host_system *const system = context;
  pthread_t threads[WORKERS];
  host_share shares[WORKERS];
  for (uint32_t i = 0; i < WORKERS; i++) {
    shares[i] = (host_share){task, task_context, system->arithmetic, count, i, false};
    if (pthread_create(&threads[i], NULL, host_thread, &shares[i]) != 0) system->kept = false;
  }
  for (uint32_t i = 0; i < WORKERS; i++) {
    pthread_join(threads[i], NULL);
    system->kept = system->kept && shares[i].kept;
  }
}

/* ------------------------------------------------------------------------------------------------ every runner */

/* Threads begin with the mode of who starts them: those of the pool, and of OpenMP at its first region, with the
 * host's. */
static void check_runner(graze_threading threading, const host_arithmetic *arithmetic, bool by_host) {
  host_system system = {arithmetic, true};
  const graze_task_system tasks = {sizeof tasks, &system, WORKERS, host_run};
  graze_workers_def def = graze_workers_def_default();
  def.threading = threading;
  def.worker_count = WORKERS;
  def.tasks = by_host ? &tasks : NULL;
  graze_workers *team;
  const graze_result result = graze_workers_create(&def, &team);
  if (result == GRAZE_UNSUPPORTED) return;
  assert_int_equal(result, GRAZE_OK);
  checked_region region = {.workers = team};
  const uint32_t mine = host_arithmetic_choose(arithmetic);
  workers_run(team, check_task, &region, 100);
  workers_run(team, check_task, &region, 1);
  const uint32_t after = host_arithmetic_now();
  host_arithmetic_set(HOST_ARITHMETIC_NORMAL);
  if (after != mine) fail_msg("%s: %x became %x", arithmetic->name, mine, after);
  if (atomic_load(&region.wrong) > 0) fail_msg("%s: %u tasks were wrong", arithmetic->name, atomic_load(&region.wrong));
  assert_int_equal(atomic_load(&region.calls), 101 + 2 * 14);
  assert_true(system.kept);
  graze_workers_destroy(team);
}

TEST(tasks_of_every_runner) {
  for (size_t i = 0; i < HOST_ARITHMETIC_COUNT; i++) {
    check_runner(GRAZE_THREADING_SERIAL, &host_arithmetics[i], false);
    check_runner(GRAZE_THREADING_PTHREADS, &host_arithmetics[i], false);
    check_runner(GRAZE_THREADING_OPENMP, &host_arithmetics[i], false);
    check_runner(GRAZE_THREADING_AUTO, &host_arithmetics[i], true);
  }
}

/* ------------------------------------------------------------------------------------------------ flags */

static volatile double third;

static void raise_inexact(void) {
  GUARD_FLOAT_ENVIRONMENT();
  third = one / 3.0;
}

TEST(flags_of_the_host_stay) {
  for (size_t i = 0; i < HOST_ARITHMETIC_COUNT; i++) {
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_DIVBYZERO);
    const uint32_t flags = host_arithmetic_get() & HOST_ARITHMETIC_FLAGS;
    host_arithmetic_set((HOST_ARITHMETIC_NORMAL & ~host_arithmetics[i].mask) | host_arithmetics[i].bits | flags);
    raise_inexact();
    const int raised = fetestexcept(FE_ALL_EXCEPT);
    host_arithmetic_set(HOST_ARITHMETIC_NORMAL);
    assert_true((raised & FE_DIVBYZERO) != 0);
    assert_int_equal(raised & ~(FE_DIVBYZERO | FE_INEXACT), 0);
  }
  feclearexcept(FE_ALL_EXCEPT);
}
