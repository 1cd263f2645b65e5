/* Tests workers: every index runs once, no worker is in two places, with every runner; also with missing threads. */
#include "base/processor_count.h"
#include "base/timer.h"
#include "base/workers.h"
#include "testing.h"

#include "checked_allocator.h"
#include "number_sequence.h"
#include "test_scale.h"
#include "worker_teams.h"

#include <pthread.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The linker sends the library's calls of pthread_create here, so that a test can let them fail. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

#define NO_LIMIT (-1)
static _Atomic(int) threads_left = NO_LIMIT; /* threads start others, several at once */
static _Atomic(int) threads_asked = 0;

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  atomic_fetch_add(&threads_asked, 1);
  int left = atomic_load(&threads_left);
  while (left > 0 && !atomic_compare_exchange_weak(&threads_left, &left, left - 1)) {
  }
  if (left == 0) return 11; /* what EAGAIN is on most systems; any error will do */
  return __real_pthread_create(thread, attributes, start, argument);
}

/* ------------------------------------------------------------------------------------------------ a job that checks */

#define INDICES_MAXIMUM 20000
#define WORKERS_IN_TEST 256

typedef struct watched_job {
  uint32_t worker_count;
  uint32_t task_count;
  uint32_t calls[INDICES_MAXIMUM]; /* plain on purpose: a race here is one that the thread sanitizer must find */
  atomic_bool inside[WORKERS_IN_TEST];
  _Atomic(uint32_t) faults;
  _Atomic(uint32_t) calls_of_worker[WORKERS_IN_TEST];
} watched_job;

static void watched_task(void *context, uint32_t index, uint32_t worker) {
  watched_job *const job = context;
  if (worker >= job->worker_count || index >= job->task_count) {
    atomic_fetch_add(&job->faults, 1);
    return;
  }
  if (atomic_exchange(&job->inside[worker], true)) atomic_fetch_add(&job->faults, 1);
  job->calls[index]++;
  atomic_fetch_add(&job->calls_of_worker[worker], 1);
  atomic_store(&job->inside[worker], false);
}

static void run_watched(workers *team, watched_job *job, uint32_t task_count, bool by_shares) {
  memset(job->calls, 0, task_count * sizeof(job->calls[0]));
  job->worker_count = workers_count(team);
  job->task_count = task_count;
  (by_shares ? workers_run_by_shares : workers_run)(team, watched_task, job, task_count);
  assert_int_equal(atomic_load(&job->faults), 0);
  for (uint32_t i = 0; i < task_count; i++)
    if (job->calls[i] != 1) fail_msg("index %u of %u was called %u times", i, task_count, job->calls[i]);
}

static watched_job *new_job(void) {
  watched_job *const job = calloc(1, sizeof(watched_job));
  assert_non_null(job);
  return job;
}

static void sleep_ms(long milliseconds) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

/* Regions of many sizes, some at once after the other, some after the threads went to sleep. */
static void exercise(workers *team) {
  watched_job *const job = new_job();
  uint64_t seed = 3;
  const size_t regions = test_scaled(3000, 300);
  for (size_t i = 0; i < regions; i++) {
    run_watched(team, job, (uint32_t)sequence_below(&seed, i % 50 == 0 ? INDICES_MAXIMUM : 40), i % 2 == 0);
    if (i % 100 == 0) sleep_ms(1);
  }
  free(job);
}

/* ------------------------------------------------------------------------------------------------ runners */

static void check_definition(graze_workers_def def, uint32_t expected_count) {
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, SIZE_MAX);
  workers *team = NULL;
  assert_int_equal(workers_create(&heap, &def, &team), GRAZE_OK);
  assert_non_null(team);
  if (expected_count != 0) assert_int_equal(workers_count(team), expected_count);
  exercise(team);
  workers_destroy(&heap, team);
  assert_true(checked_is_clean(&allocator, &heap));
}

TEST(caller_alone) {
  threads_asked = 0;
  check_definition(team_definition(GRAZE_THREADING_SERIAL, 8), 1);
  check_definition(team_definition(GRAZE_THREADING_PTHREADS, 1), 1);
  check_definition(team_definition(GRAZE_THREADING_AUTO, 1), 1);
  assert_int_equal(threads_asked, 0);
}

TEST(posix_threads) {
  static const uint32_t counts[] = {2, 3, 4, 16};
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    threads_asked = 0;
    check_definition(team_definition(GRAZE_THREADING_PTHREADS, counts[i]), counts[i]);
    /* Threads start others: on a busy machine the pool may end before the last of them had its turn. */
    assert_in_range(threads_asked, 1, counts[i] - 1);
  }
  check_definition(team_definition(GRAZE_THREADING_AUTO, 0), 0);
}

TEST(openmp) {
  const graze_workers_def def = team_definition(GRAZE_THREADING_OPENMP, 3);
  memory heap;
  memory_init(&heap, NULL);
  workers *team = NULL;
  const graze_result result = workers_create(&heap, &def, &team);
  if (result == GRAZE_UNSUPPORTED) {
    assert_null(team);
    print_message("skipped: built without OpenMP\n");
    skip();
  }
  assert_int_equal(result, GRAZE_OK);
  workers_destroy(&heap, team);
  check_definition(def, 3);
}

/* A task system that runs all on the caller, from the last index to the first, as changing workers. */
static void host_run(void *context, graze_task *task, void *task_context, uint32_t count) {
  uint32_t *const regions = context;
  (*regions)++;
  for (uint32_t i = count; i > 0; i--) task(task_context, i - 1, i % 5);
}

TEST(task_system_of_the_host) {
  uint32_t regions = 0;
  graze_task_system tasks = {sizeof tasks, &regions, 5, host_run};
  graze_workers_def def = team_definition(GRAZE_THREADING_SERIAL, 2);
  def.tasks = &tasks;
  check_definition(def, 5);
  assert_true(regions > 100);
  memory heap;
  memory_init(&heap, NULL);
  workers *team = NULL;
  tasks.worker_count = 0;
  assert_int_equal(workers_create(&heap, &def, &team), GRAZE_INVALID_ARGUMENT);
  tasks.worker_count = 5;
  tasks.run = NULL;
  assert_int_equal(workers_create(&heap, &def, &team), GRAZE_INVALID_ARGUMENT);
  assert_null(team);
}

TEST(counts_are_cut_to_the_maximum) {
  memory heap;
  memory_init(&heap, NULL);
  threads_asked = 0;
  workers *const team = team_of_threads(&heap, 100000);
  assert_int_equal(workers_count(team), WORKERS_MAXIMUM);
  assert_int_equal(threads_asked, 0); /* threads come with the first region */
  workers_destroy(&heap, team);
  workers *const online = team_of_threads(&heap, 0);
  const uint32_t processors = processor_count();
  assert_int_equal(workers_count(online), processors < WORKERS_MAXIMUM ? processors : WORKERS_MAXIMUM);
  workers_destroy(&heap, online);
  const graze_workers_def unknown = team_definition((graze_threading)99, 2);
  workers *none = NULL;
  assert_int_equal(workers_create(&heap, &unknown, &none), GRAZE_INVALID_ARGUMENT);
  assert_null(none);
}

/* ------------------------------------------------------------------------------------------------ what can go wrong */

/* The first tasks of all workers wait for one another: they can end only when as many workers run at the same time. */
typedef struct meeting {
  uint32_t expected;
  uint32_t share; /* tasks of a worker's own; 0: they begin in order */
  _Atomic(uint32_t) arrived;
  atomic_bool missed, misplaced;
} meeting;

static void meet(void *context, uint32_t index, uint32_t worker) {
  meeting *const place = context;
  const bool first = atomic_fetch_add(&place->arrived, 1) < place->expected;
  const bool in_place = place->share > 0 ? index == worker * place->share : index < place->expected;
  if (first && !in_place) atomic_store(&place->misplaced, true);
  const double end = timer_now_ms() + 20000;
  while (atomic_load(&place->arrived) < place->expected && timer_now_ms() < end) sleep_ms(1);
  if (atomic_load(&place->arrived) < place->expected) atomic_store(&place->missed, true);
}

/* In every second region they are asleep before it: each is woken by another. */
static void meet_often(uint32_t worker_count) {
  memory heap;
  memory_init(&heap, NULL);
  workers *const team = team_of_threads(&heap, worker_count);
  for (int i = 0; i < 20; i++) {
    meeting place = {.expected = i % 4 < 2 ? worker_count : worker_count / 2 + 1};
    workers_run(team, meet, &place, place.expected);
    assert_false(atomic_load(&place.missed));
    assert_false(atomic_load(&place.misplaced));
    if (i % 2) sleep_ms(2);
  }
  for (uint32_t share = 1; share <= 5; share++) {
    meeting place = {.expected = worker_count, .share = share};
    workers_run_by_shares(team, meet, &place, share * worker_count);
    assert_false(atomic_load(&place.missed));
    assert_false(atomic_load(&place.misplaced));
    place = (meeting){.expected = worker_count};
    workers_run(team, meet, &place, share * worker_count);
    assert_false(atomic_load(&place.missed));
    assert_false(atomic_load(&place.misplaced));
  }
  workers_destroy(&heap, team);
}

TEST(threads_run_at_the_same_time_and_begin_where_they_should) {
  meet_often(2);
  meet_often(3);
  meet_often(13);
}

/* Threads that are still being started by others when the pool ends are not waited for, and not lost. */
TEST(a_pool_may_end_at_once) {
  watched_job *const job = new_job();
  for (int i = 0; i < 50; i++) {
    memory heap;
    memory_init(&heap, NULL);
    workers *const team = team_of_threads(&heap, 20);
    if (i % 5 != 0) run_watched(team, job, 2, i % 2 == 0);
    workers_destroy(&heap, team);
    assert_int_equal(atomic_load(&heap.bytes_now), 0);
  }
  free(job);
}

TEST(missing_threads_are_done_without) {
  memory heap;
  memory_init(&heap, NULL);
  for (int available = 0; available < 3; available++) {
    workers *const team = team_of_threads(&heap, 4);
    threads_left = available;
    exercise(team);
    threads_left = NO_LIMIT;
    assert_int_equal(workers_count(team), 4);
    workers_destroy(&heap, team);
  }
}

TEST(every_allocation_may_fail) {
  const graze_workers_def def = team_definition(GRAZE_THREADING_PTHREADS, 3);
  size_t refused = 0;
  for (graze_result result = GRAZE_OUT_OF_MEMORY; result != GRAZE_OK; refused++) {
    checked_allocator allocator;
    memory heap;
    checked_init(&allocator, &heap, refused);
    workers *team = NULL;
    result = workers_create(&heap, &def, &team);
    assert_true(result == GRAZE_OK || (result == GRAZE_OUT_OF_MEMORY && !team));
    workers_destroy(&heap, team);
    assert_true(checked_is_clean(&allocator, &heap));
  }
  assert_true(refused >= 3);
}

/* The child's verdict comes as its exit status; the parent goes on with its threads. */
static void check_in_forked_child(graze_threading threading) {
  memory heap;
  memory_init(&heap, NULL);
  const graze_workers_def def = team_definition(threading, 3);
  workers *team = NULL;
  if (workers_create(&heap, &def, &team) == GRAZE_UNSUPPORTED) return;
  watched_job *const job = new_job();
  run_watched(team, job, 100, true);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    memset(job, 0, sizeof *job);
    job->worker_count = 3;
    job->task_count = 100;
    workers_run(team, watched_task, job, 100);
    bool good = atomic_load(&job->calls_of_worker[0]) == 100;
    for (int i = 0; i < 100; i++) good = good && job->calls[i] == 1;
    workers_destroy(&heap, team);
    _exit(good && atomic_load(&heap.bytes_now) == 0 ? 0 : 1);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  run_watched(team, job, 1000, true);
  workers_destroy(&heap, team);
  free(job);
}

TEST(a_forked_child_works_alone) {
  check_in_forked_child(GRAZE_THREADING_PTHREADS);
  check_in_forked_child(GRAZE_THREADING_OPENMP);
}

/* ------------------------------------------------------------------------------------------------ ranges */

typedef struct range_record {
  uint32_t calls[INDICES_MAXIMUM];
  _Atomic(uint32_t) ranges;
  _Atomic(uint32_t) faults;
  size_t count, grain;
} range_record;

static void record_range(void *context, size_t first, size_t end, uint32_t worker) {
  range_record *const record = context;
  (void)worker;
  atomic_fetch_add(&record->ranges, 1);
  if (first >= end || end > record->count || end - first > record->grain) {
    atomic_fetch_add(&record->faults, 1);
    return;
  }
  for (size_t i = first; i < end; i++) record->calls[i]++;
}

TEST(ranges_cover_everything_once) {
  memory heap;
  memory_init(&heap, NULL);
  workers *const team = team_of_threads(&heap, 3);
  static const size_t counts[] = {0, 1, 2, 10, 99, 100, 101, 19999};
  static const size_t grains[] = {1, 2, 7, 100, 20000, SIZE_MAX};
  range_record *const record = calloc(1, sizeof(range_record));
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    for (size_t j = 0; j < sizeof grains / sizeof grains[0]; j++) {
      memset(record, 0, sizeof *record);
      record->count = counts[i];
      record->grain = grains[j];
      workers_for(team, counts[i], grains[j], record_range, record);
      assert_int_equal(atomic_load(&record->faults), 0);
      const size_t grain = workers_grain(counts[i], grains[j]);
      const size_t expected = counts[i] == 0 ? 0 : (counts[i] - 1) / grain + 1;
      assert_int_equal(atomic_load(&record->ranges), expected);
      for (size_t k = 0; k < INDICES_MAXIMUM; k++) assert_int_equal(record->calls[k], k < counts[i]);
    }
  memset(record, 0, sizeof *record);
  record->count = 5;
  record->grain = 1;
  workers_for(team, 5, 0, record_range, record);
  assert_int_equal(atomic_load(&record->ranges), 5);
  assert_int_equal(atomic_load(&record->faults), 0);
  free(record);
  workers_destroy(&heap, team);
}

TEST(few_elements_have_short_ranges) {
  assert_int_equal(workers_grain(0, 0), 1);
  assert_int_equal(workers_grain(5, 0), 1);
  assert_int_equal(workers_grain(1000, 1), 1);
  assert_int_equal(workers_grain(100, 8192), 1025);
  assert_int_equal(workers_grain(64 * 5000, 8192), 5000);
  assert_int_equal(workers_grain(64 * 8192, 8192), 8192);
  assert_int_equal(workers_grain(SIZE_MAX, 8192), 8192);
  assert_true(workers_grain(SIZE_MAX, SIZE_MAX) <= SIZE_MAX / 8 + 1);
}

TEST(time_goes_forward) {
  const double before = timer_now_ms();
  sleep_ms(3);
  assert_true(timer_now_ms() - before >= 2.9);
}
