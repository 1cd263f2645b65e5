/* worker_teams: sets of workers for tests, created without a scene. */
#ifndef GRAZE_TESTS_WORKER_TEAMS_H
#define GRAZE_TESTS_WORKER_TEAMS_H

#include "base/workers.h"

static inline graze_workers_def team_definition(graze_threading threading, uint32_t worker_count) {
  const graze_workers_def def = {
      .struct_bytes = sizeof(graze_workers_def), .worker_count = worker_count, .threading = threading};
  return def;
}

/* NULL when the workers cannot be made. */
static inline workers *team_of_threads(memory *heap, uint32_t worker_count) {
  const graze_workers_def def = team_definition(GRAZE_THREADING_PTHREADS, worker_count);
  workers *team = NULL;
  return workers_create(heap, &def, &team) == GRAZE_OK ? team : NULL;
}

#endif
