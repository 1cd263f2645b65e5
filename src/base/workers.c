/* workers: selects how tasks run and splits index ranges into tasks; see workers.h for the workload. */
#include "base/workers.h"

#include "base/definition.h"
#include "base/error_text.h"
#include "base/float_environment.h"
#include "base/kept_memory.h"
#include "base/processor_count.h"
#include "base/workers_pthreads.h"
#include "graze/graze.h"

#include <string.h>
#include <unistd.h>

#ifdef GRAZE_HAVE_OPENMP
#include <omp.h>
#endif

typedef enum runner { RUNNER_CALLER, RUNNER_PTHREADS, RUNNER_OPENMP, RUNNER_HOST } runner;

struct graze_workers {
  runner runner;
  uint32_t count;
  thread_pool *pool;        /* RUNNER_PTHREADS */
  pid_t process;            /* RUNNER_OPENMP: of the creator; a forked child must not enter a region */
  graze_task_system system; /* RUNNER_HOST */
  atomic_bool busy;         /* a region is running; acquiring and releasing it order the writes of successive regions */
  bool made_by_host;
  _Atomic(uint32_t) users; /* the creator and the scenes; the last one to release sees all writes of the others */
  /* For workers created by a host. */
  memory own;
  kept_memory *kept; /* NULL: none */
};

static uint32_t wanted_count(const graze_workers_def *def) {
  if (def->threading == GRAZE_THREADING_SERIAL) return 1;
  const uint32_t count = def->worker_count != 0 ? def->worker_count : processor_count();
  return count > WORKERS_MAXIMUM ? WORKERS_MAXIMUM : count;
}

void graze_workers_def_init(void *target, size_t bytes) {
  const graze_workers_def defaults = {.threading = GRAZE_THREADING_AUTO, .kept_bytes = SIZE_MAX};
  definition_write(target, bytes, &defaults, sizeof defaults);
}

void graze_task_system_init(void *target, size_t bytes) {
  const graze_task_system none = {.worker_count = 0};
  definition_write(target, bytes, &none, sizeof none);
}

/* Reads a host's task system; an omitted one has no `run`. */
static graze_result read_tasks(const graze_task_system *given_or_null, graze_task_system *system_out) {
  static const definition_kind kind = {"the task system", "graze_task_system_default()",
                                       BYTES_THROUGH(graze_task_system, run), sizeof(graze_task_system),
                                       graze_task_system_init};
  const graze_result result = definition_read(&kind, given_or_null, true, system_out);
  if (result != GRAZE_OK || given_or_null == NULL) return result;
  if (system_out->worker_count == 0 || system_out->worker_count > UINT32_MAX || system_out->run == NULL)
    return fail(GRAZE_INVALID_ARGUMENT, "the task system has %s",
                system_out->run == NULL ? "no run" : "no workers, or more than can be numbered");
  return GRAZE_OK;
}

static graze_result choose_runner(const graze_workers_def *def, const graze_task_system *tasks, runner *runner_out) {
  if (tasks->run != NULL) {
    *runner_out = RUNNER_HOST;
    return GRAZE_OK;
  }
  switch (def->threading) {
  case GRAZE_THREADING_AUTO:
  case GRAZE_THREADING_PTHREADS:
    *runner_out = RUNNER_PTHREADS;
    return GRAZE_OK;
  case GRAZE_THREADING_OPENMP:
    *runner_out = RUNNER_OPENMP;
#ifdef GRAZE_HAVE_OPENMP
    return GRAZE_OK;
#else
    return fail(GRAZE_UNSUPPORTED, "this build of the library has no OpenMP");
#endif
  case GRAZE_THREADING_SERIAL:
    *runner_out = RUNNER_CALLER;
    return GRAZE_OK;
  }
  return fail(GRAZE_INVALID_ARGUMENT, "unknown threading number %d", (int)def->threading);
}

graze_result workers_create(memory *heap, const graze_workers_def *def, workers **workers_out) {
  *workers_out = NULL;
  runner chosen = RUNNER_CALLER;
  graze_task_system tasks;
  graze_result result = read_tasks(def->tasks, &tasks);
  if (result == GRAZE_OK) result = choose_runner(def, &tasks, &chosen);
  if (result != GRAZE_OK) return result;
  workers *const team = memory_allocate(heap, 1, sizeof(workers));
  if (!team) return fail(GRAZE_OUT_OF_MEMORY, "out of memory: cannot create workers");
  *team =
      (workers){.runner = chosen, .count = chosen == RUNNER_HOST ? (uint32_t)tasks.worker_count : wanted_count(def)};
  team->process = getpid();
  atomic_init(&team->busy, false);
  atomic_init(&team->users, 1);
  team->system = tasks;
  if (team->count == 1) team->runner = RUNNER_CALLER;
  if (team->runner == RUNNER_PTHREADS) {
    team->pool = thread_pool_create(heap, team->count);
    if (!team->pool) {
      memory_release(heap, team, 1, sizeof(workers));
      return fail(GRAZE_OUT_OF_MEMORY, "out of memory: cannot create workers");
    }
  }
  *workers_out = team;
  return GRAZE_OK;
}

void workers_retain(workers *team) {
  atomic_fetch_add_explicit(&team->users, 1, memory_order_relaxed);
}

static void end_team(memory *heap, workers *team) {
  if (team->kept) kept_memory_release(team->kept);
  memory_release(heap, team->kept, 1, sizeof(kept_memory));
  if (team->pool) thread_pool_destroy(heap, team->pool);
  memory_release(heap, team, 1, sizeof(workers));
}

void workers_destroy(memory *heap, workers *workers_or_null) {
  workers *const team = workers_or_null;
  if (team && team->kept) kept_memory_end_scene(team->kept);
  if (!team || atomic_fetch_sub_explicit(&team->users, 1, memory_order_acq_rel) > 1) return;
  if (!team->made_by_host) {
    end_team(heap, team);
    return;
  }
  /* The accounting cannot be in the memory that it releases. */
  memory last;
  memory_init(&last, &team->own.allocator);
  atomic_store(&last.bytes_now, atomic_load(&team->own.bytes_now));
  end_team(&last, team);
}

/* Whether the workers cache memory of that allocator. */
static bool keeps_memory_of(const workers *team, const graze_allocator *given) {
  const graze_allocator *const own = &team->own.allocator;
  return team->kept != NULL && own->context == given->context && own->allocate == given->allocate &&
         own->release == given->release;
}

graze_allocator workers_allocator(workers *team, const graze_allocator *given) {
  return keeps_memory_of(team, given) ? kept_memory_allocator(team->kept) : *given;
}

bool workers_release_cache(workers *workers_or_null, const graze_allocator *allocator) {
  if (workers_or_null == NULL || !keeps_memory_of(workers_or_null, allocator)) return false;
  kept_memory_trim(workers_or_null->kept);
  return true;
}

uint32_t workers_count(const workers *team) {
  return team->count;
}

/* With OpenMP, for hosts that already use its threads: few regions per frame, and tasks one at a time. Must not be
 * called in a child forked after a region: the GNU runtime would wait forever. */
static void run_with_openmp(uint32_t worker_count, graze_task *task, void *context, uint32_t task_count) {
#ifdef GRAZE_HAVE_OPENMP
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)worker_count)
  for (uint32_t index = 0; index < task_count; index++) task(context, index, (uint32_t)omp_get_thread_num());
#else
  (void)worker_count;
  for (uint32_t index = 0; index < task_count; index++) task(context, index, 0);
#endif
}

static void dispatch_tasks(workers *team, graze_task *task, void *context, uint32_t task_count, bool by_shares) {
  switch (team->runner) {
  case RUNNER_PTHREADS:
    thread_pool_run(team->pool, task, context, task_count, by_shares);
    return;
  case RUNNER_OPENMP:
    if (team->process != getpid()) break;
    run_with_openmp(team->count, task, context, task_count);
    return;
  case RUNNER_HOST:
    team->system.run(team->system.context, task, context, task_count);
    return;
  case RUNNER_CALLER:
    break;
  }
  for (uint32_t index = 0; index < task_count; index++) task(context, index, 0);
}

/* Passed to the runners in place of the task: threads of a host, and those that inherit from them, may have another
 * floating-point mode. About ten cycles a task, which takes a microsecond or more. */
typedef struct guarded_task {
  graze_task *task;
  void *context;
} guarded_task;

static void run_guarded(void *context, uint32_t index, uint32_t worker) {
  const guarded_task *const guarded = context;
  GUARD_FLOAT_ENVIRONMENT();
  guarded->task(guarded->context, index, worker);
}

static void run_alone(graze_task *task, void *context, uint32_t task_count) {
  GUARD_FLOAT_ENVIRONMENT();
  for (uint32_t index = 0; index < task_count; index++) task(context, index, 0);
}

static void run_region(workers *team, graze_task *task, void *context, uint32_t task_count, bool by_shares) {
  if (task_count < 2 || team->runner == RUNNER_CALLER ||
      atomic_exchange_explicit(&team->busy, true, memory_order_acquire)) {
    run_alone(task, context, task_count);
    return;
  }
  guarded_task guarded = {task, context};
  dispatch_tasks(team, run_guarded, &guarded, task_count, by_shares);
  atomic_store_explicit(&team->busy, false, memory_order_release);
}

void workers_run(workers *team, graze_task *task, void *context, uint32_t task_count) {
  run_region(team, task, context, task_count, false);
}

void workers_run_by_shares(workers *team, graze_task *task, void *context, uint32_t task_count) {
  run_region(team, task, context, task_count, true);
}

typedef struct range_job {
  workers_range_body *body;
  void *context;
  size_t length; /* of every range */
  size_t longer; /* this many ranges, the first ones, have one more element */
} range_job;

static void run_range(void *context, uint32_t index, uint32_t worker) {
  const range_job *const job = context;
  const size_t first = index * job->length + (index < job->longer ? index : job->longer);
  job->body(job->context, first, first + job->length + (index < job->longer ? 1 : 0), worker);
}

/* Four ranges for each of 16 workers: with one each, all would wait for the slowest. */
#define RANGES_WANTED 64
#define RANGES_SHORTER 8

size_t workers_grain(size_t count, size_t most) {
  const size_t least = most / RANGES_SHORTER + 1, even = count / RANGES_WANTED;
  const size_t grain = even > least ? even : least;
  return grain < most ? grain : most > 0 ? most : 1;
}

void workers_for(workers *team, size_t count, size_t most, workers_range_body *body, void *context) {
  if (count == 0) return;
  const size_t grain = workers_grain(count, most);
  size_t range_count = (count - 1) / grain + 1;
  if (range_count > UINT32_MAX) range_count = UINT32_MAX;
  range_job job = {body, context, count / range_count, count % range_count};
  workers_run_by_shares(team, run_range, &job, (uint32_t)range_count);
}

/* ------------------------------------------------------------------------------------------------ workers of a host */

graze_result graze_workers_create(const graze_workers_def *given_or_null, graze_workers **workers_out) {
  static const definition_kind kind = {"the workers' definition", "graze_workers_def_default()",
                                       BYTES_THROUGH(graze_workers_def, allocator), sizeof(graze_workers_def),
                                       graze_workers_def_init};
  if (workers_out == NULL) return fail(GRAZE_INVALID_ARGUMENT, "workers_out is NULL");
  *workers_out = NULL;
  graze_workers_def def;
  graze_allocator allocator;
  graze_result result = definition_read(&kind, given_or_null, true, &def);
  if (result == GRAZE_OK) result = memory_read_allocator(def.allocator, &allocator);
  if (result != GRAZE_OK) return result;
  memory first;
  memory_init(&first, &allocator);
  workers *team = NULL;
  result = workers_create(&first, &def, &team);
  if (result != GRAZE_OK) return result;
  if (def.kept_bytes > 0) {
    team->kept = memory_allocate(&first, 1, sizeof(kept_memory));
    if (team->kept == NULL) {
      workers_destroy(&first, team);
      return fail(GRAZE_OUT_OF_MEMORY, "out of memory: cannot create workers");
    }
    kept_memory_init(team->kept, &allocator, def.kept_bytes);
  }
  memory_init(&team->own, &allocator);
  atomic_store(&team->own.bytes_now, atomic_load(&first.bytes_now));
  team->made_by_host = true;
  *workers_out = team;
  return GRAZE_OK;
}

/* No later scene can use cached memory. */
void graze_workers_destroy(graze_workers *workers_or_null) {
  if (workers_or_null != NULL && workers_or_null->kept != NULL) kept_memory_close(workers_or_null->kept);
  workers_destroy(NULL, workers_or_null);
}

void graze_workers_trim(graze_workers *workers_or_null) {
  if (workers_or_null != NULL && workers_or_null->kept != NULL) kept_memory_trim(workers_or_null->kept);
}

size_t graze_workers_kept_bytes(const graze_workers *workers_or_null) {
  return workers_or_null != NULL && workers_or_null->kept != NULL ? kept_memory_bytes(workers_or_null->kept) : 0;
}

uint32_t graze_workers_count(const graze_workers *workers_or_null) {
  return workers_or_null != NULL ? workers_or_null->count : 0;
}

void graze_workers_run(graze_workers *workers_or_null, graze_task *task, void *task_context, uint32_t task_count) {
  if (workers_or_null != NULL) {
    workers_run(workers_or_null, task, task_context, task_count);
    return;
  }
  run_alone(task, task_context, task_count);
}

/* ---------------------------------------------------------------------------------------------- first touch */

typedef struct touched_block {
  unsigned char *first;
  size_t bytes;
} touched_block;

/* Blocks may not begin at a page: steps of one page from their first byte miss at most the last, which contains the
 * last byte. No two tasks write to the same byte. */
static void touch_page(void *context, uint32_t page, uint32_t worker) {
  const touched_block *block = context;
  (void)worker;
  const size_t at = page * MEMORY_LARGE_PAGE;
  block->first[at < block->bytes ? at : block->bytes - 1] = 0;
}

void first_touch(workers *team, void *block, size_t bytes) {
  if (bytes < MEMORY_LARGE_BLOCK || workers_count(team) == 1) return;
  touched_block touched = {block, bytes};
  workers_run(team, touch_page, &touched, (uint32_t)((bytes - 2) / MEMORY_LARGE_PAGE + 2));
}
