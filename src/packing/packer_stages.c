/* Prototypes on the processor; see packer_stages.h. */
#include "packing/packer_stages.h"

#include <string.h>

enum { JOBS_A_TASK = 8 };

typedef struct job_list {
  const processor_stages *stages;
  prototype_job *jobs;
} job_list;

static graze_result take_mesh(void *context, const obstacle_tree *mesh) {
  ((processor_stages *)context)->space.mesh = *mesh;
  return GRAZE_OK;
}

static graze_result take_spheres(void *context, const obstacle_tree *spheres) {
  ((processor_stages *)context)->space.spheres = *spheres;
  return GRAZE_OK;
}

static void run_range(void *context, size_t first, size_t end, uint32_t worker) {
  const job_list *list = context;
  (void)worker;
  for (size_t i = first; i < end && !stop_is_asked_for(list->stages->stop); i++)
    prototype_do(&list->stages->space, &list->jobs[i]);
}

static graze_result run(void *context, prototype_job *jobs, size_t count) {
  const processor_stages *stages = context;
  job_list list = {stages, jobs};
  workers_for(stages->team, count, JOBS_A_TASK, run_range, &list);
  return stop_was_asked_for(stages->stop) ? GRAZE_STOPPED : GRAZE_OK;
}

packer_stages processor_stages_open(processor_stages *owner, workers *team, stop_check *stop_or_null) {
  memset(owner, 0, sizeof *owner);
  owner->team = team;
  owner->stop = stop_or_null;
  return (packer_stages){owner, take_mesh, take_spheres, run};
}
