/* The stages of a sphere packing: tests whether prototypes start inside of the mesh, one thread each, because exact
 * signs need deep stacks; then runs the prototypes, 32 lanes each (lane_group.h).
 *
 * Workload: one prototype to about ten thousand at a time, 10^3 to 10^5 nodes of the trees each. */
#ifndef GRAZE_CUDA_STAGE_PACKING_H
#define GRAZE_CUDA_STAGE_PACKING_H

#include "cuda/lanes_step.h"
#include "packing/obstacle_tree.h"
#include "packing/prototype.h"

typedef struct packing_view {
  packing_space space;
  prototype_job *jobs;
  uint32_t *inside; /* per job: 0 if it is skipped, as it begins outside */
  uint32_t job_count;
} packing_view;

GEOMETRY_FUNCTION void stage_packing_inside(uint32_t index, const packing_view *v) {
  const prototype_job *job = &v->jobs[index];
  const bool must_check = (job->steps & JOB_IF_INSIDE) != 0;
  v->inside[index] = !must_check || packing_space_is_inside(&v->space, job->sphere.center) ? 1 : 0;
}

/* See prototype_ascend. */
GEOMETRY_FUNCTION void lanes_ascend(const packing_space *space, prototype *moving) {
  climb path = climb_begin(moving);
  bool goes_on = true;
  while (goes_on && path.searches < PROTOTYPE_STEPS) {
    lanes_near near;
    double step[3];
    lanes_near_begin(&near, search_drop_factor(path.width), search_angle(path.width));
    lanes_space_search(space, path.place, &near);
    const climb_action action = climb_arrive(&path, near.count, near.nearest);
    goes_on = action == CLIMB_SEARCHES_AGAIN;
    if (action != CLIMB_STEPS) continue;
    const double gain = lanes_largest_step(&near, path.width * moving->radius, step);
    goes_on = climb_step(&path, gain, step);
  }
}

/* See packing_space_clearance. */
GEOMETRY_FUNCTION double lanes_clearance(const packing_space *space, const double *point) {
  lanes_near near;
  lanes_near_begin(&near, 1.0, CLEARANCE_ANGLE);
  near.careful = true;
  lanes_space_search(space, point, &near);
  return near.count > 0 ? near.nearest : 0.0;
}

/* See prototype_do; called by all lanes. */
GEOMETRY_FUNCTION void stage_packing_job(uint32_t index, const packing_view *v) {
  prototype_job *job = &v->jobs[index];
  const packing_space *space = &v->space;
  const uint64_t steps = job->steps;
  prototype sphere = job->sphere;
  if (v->inside[index] == 0) {
    sphere.radius = -1.0;
  } else {
    if ((steps & JOB_ASCEND) != 0) lanes_ascend(space, &sphere);
    if ((steps & JOB_MEASURE) != 0 && sphere.radius > 0.0)
      prototype_limit(&sphere, lanes_clearance(space, sphere.center));
  }
  lanes_join();
  FOR_LANES(lane) {
    if (lane == 0) job->sphere = sphere;
  }
}

#endif
