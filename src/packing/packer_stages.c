/* Prototypes on the processor; see packer_stages.h. */
#include "packing/packer_stages.h"

#include "packing/prototype.h"

enum { JOBS_A_TASK = 8 };

typedef struct processor_stages {
  stages_def def;
  packing_space space;
} processor_stages;

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
  for (size_t i = first; i < end && !stop_is_requested(list->stages->def.stop); i++)
    prototype_do(&list->stages->space, &list->jobs[i]);
}

static graze_result run_jobs(void *context, prototype_job *jobs, size_t count) {
  const processor_stages *stages = context;
  job_list list = {stages, jobs};
  workers_for(stages->def.team, count, JOBS_A_TASK, run_range, &list);
  return stop_was_requested(stages->def.stop) ? GRAZE_STOPPED : GRAZE_OK;
}

static const char *no_error(void *context) {
  (void)context;
  return "";
}

static void close_stages(void *context) {
  processor_stages *stages = context;
  memory_release(stages->def.heap, stages, 1, sizeof *stages);
}

graze_result processor_stages_open(const stages_def *def, packer_stages *stages_out) {
  processor_stages *stages = memory_allocate(def->heap, 1, sizeof *stages);
  if (stages == NULL) return GRAZE_OUT_OF_MEMORY;
  *stages = (processor_stages){.def = *def};
  *stages_out = (packer_stages){stages, take_mesh, take_spheres, run_jobs, no_error, close_stages};
  return GRAZE_OK;
}
