/* workers: picks who runs the tasks and cuts index ranges into tasks; see workers.h for the workload. */
#include "base/workers.h"

#include "base/workers_openmp.h"
#include "base/workers_pthreads.h"

#include <assert.h>
#include <unistd.h>

typedef enum runner { RUNNER_CALLER, RUNNER_PTHREADS, RUNNER_OPENMP, RUNNER_HOST } runner;

struct workers {
  runner runner;
  uint32_t count;
  thread_pool *pool;        /* RUNNER_PTHREADS */
  pid_t process;            /* RUNNER_OPENMP: the maker's; a forked child must not enter a region */
  graze_task_system system; /* RUNNER_HOST */
  atomic_bool busy;         /* only to catch a region within a region; orders nothing */
};

static uint32_t online_processors(void) {
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count < 1 ? 1 : count > WORKERS_MAXIMUM ? WORKERS_MAXIMUM : (uint32_t)count;
}

static uint32_t wanted_count(const graze_scene_def *def) {
  if (def->threading == GRAZE_THREADING_SERIAL) return 1;
  if (def->worker_count == 0) return online_processors();
  return def->worker_count > WORKERS_MAXIMUM ? WORKERS_MAXIMUM : def->worker_count;
}

static graze_result choose_runner(const graze_scene_def *def, runner *runner_out) {
  if (def->tasks) {
    *runner_out = RUNNER_HOST;
    return def->tasks->worker_count > 0 && def->tasks->run ? GRAZE_OK : GRAZE_INVALID_ARGUMENT;
  }
  switch (def->threading) {
  case GRAZE_THREADING_AUTO:
  case GRAZE_THREADING_PTHREADS:
    *runner_out = RUNNER_PTHREADS;
    return GRAZE_OK;
  case GRAZE_THREADING_OPENMP:
    *runner_out = RUNNER_OPENMP;
    return openmp_available() ? GRAZE_OK : GRAZE_UNSUPPORTED;
  case GRAZE_THREADING_SERIAL:
    *runner_out = RUNNER_CALLER;
    return GRAZE_OK;
  }
  return GRAZE_INVALID_ARGUMENT;
}

graze_result workers_create(memory *heap, const graze_scene_def *def, workers **workers_out) {
  *workers_out = NULL;
  runner chosen = RUNNER_CALLER;
  const graze_result result = choose_runner(def, &chosen);
  if (result != GRAZE_OK) return result;
  workers *const team = memory_allocate(heap, 1, sizeof(workers));
  if (!team) return GRAZE_OUT_OF_MEMORY;
  *team = (workers){.runner = chosen, .count = chosen == RUNNER_HOST ? def->tasks->worker_count : wanted_count(def)};
  team->process = getpid();
  atomic_init(&team->busy, false);
  if (chosen == RUNNER_HOST) team->system = *def->tasks;
  if (team->count == 1) team->runner = RUNNER_CALLER;
  if (team->runner == RUNNER_PTHREADS) {
    team->pool = thread_pool_create(heap, team->count);
    if (!team->pool) {
      memory_release(heap, team, 1, sizeof(workers));
      return GRAZE_OUT_OF_MEMORY;
    }
  }
  *workers_out = team;
  return GRAZE_OK;
}

void workers_destroy(memory *heap, workers *workers_or_null) {
  if (!workers_or_null) return;
  if (workers_or_null->pool) thread_pool_destroy(heap, workers_or_null->pool);
  memory_release(heap, workers_or_null, 1, sizeof(workers));
}

uint32_t workers_count(const workers *team) {
  return team->count;
}

static void dispatch(workers *team, graze_task *task, void *context, uint32_t task_count) {
  switch (team->runner) {
  case RUNNER_PTHREADS:
    thread_pool_run(team->pool, task, context, task_count);
    return;
  case RUNNER_OPENMP:
    if (team->process != getpid()) break;
    openmp_run(team->count, task, context, task_count);
    return;
  case RUNNER_HOST:
    team->system.run(team->system.context, task, context, task_count);
    return;
  case RUNNER_CALLER:
    break;
  }
  for (uint32_t index = 0; index < task_count; index++) task(context, index, 0);
}

void workers_run(workers *team, graze_task *task, void *context, uint32_t task_count) {
  if (task_count == 0) return;
  const bool nested = atomic_exchange_explicit(&team->busy, true, memory_order_relaxed);
  assert(!nested);
  (void)nested;
  if (task_count == 1)
    task(context, 0, 0);
  else
    dispatch(team, task, context, task_count);
  atomic_store_explicit(&team->busy, false, memory_order_relaxed);
}

typedef struct range_job {
  workers_range_body *body;
  void *context;
  size_t length; /* of every range */
  size_t longer; /* that many ranges, the first ones, have one element more */
} range_job;

static void run_range(void *context, uint32_t index, uint32_t worker) {
  const range_job *const job = context;
  const size_t first = index * job->length + (index < job->longer ? index : job->longer);
  job->body(job->context, first, first + job->length + (index < job->longer ? 1 : 0), worker);
}

void workers_for(workers *team, size_t count, size_t grain, workers_range_body *body, void *context) {
  if (count == 0) return;
  if (grain == 0) grain = 1;
  size_t range_count = (count - 1) / grain + 1;
  if (range_count > UINT32_MAX) range_count = UINT32_MAX;
  range_job job = {body, context, count / range_count, count % range_count};
  workers_run(team, run_range, &job, (uint32_t)range_count);
}
