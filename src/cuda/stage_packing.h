/* The stages of a sphere packing: which prototypes begin inside of the mesh, a thread each, as exact signs need deep
 * stacks; then the prototypes, by 32 lanes each (lane_group.h).
 *
 * Workload: one prototype to some ten thousand at a time, 10^3 to 10^5 nodes of the trees each. */
#ifndef GRAZE_CUDA_STAGE_PACKING_H
#define GRAZE_CUDA_STAGE_PACKING_H

#include "cuda/joint_step.h"
#include "cuda/packing_view.h"
#include "packing/prototype_job.h"

GEOMETRY_FUNCTION void stage_packing_inside(uint32_t index, const packing_view *v) {
  const prototype_job *job = &v->jobs[index];
  const bool asked = (job->steps & JOB_IF_INSIDE) != 0;
  v->inside[index] = !asked || packing_space_is_inside(&v->space, job->sphere.center) ? 1 : 0;
}

/* As prototype_ascend. */
GEOMETRY_FUNCTION void joint_ascend(const packing_space *space, prototype *moving) {
  climb way = climb_begin(moving);
  bool goes_on = true;
  while (goes_on && way.looks < PROTOTYPE_STEPS) {
    joint_near near;
    double step[3];
    joint_near_begin(&near, look_reach(way.width), look_angle(way.width));
    joint_space_search(space, way.place, &near);
    const climb_turn turn = climb_arrive(&way, near.count, near.nearest);
    goes_on = turn == CLIMB_LOOKS_AGAIN;
    if (turn != CLIMB_STEPS) continue;
    const double gain = joint_largest_step(&near, way.width * moving->radius, step);
    goes_on = climb_step(&way, gain, step);
  }
}

/* As packing_space_clearance. */
GEOMETRY_FUNCTION double joint_clearance(const packing_space *space, const double *point) {
  joint_near near;
  joint_near_begin(&near, 1.0, CLEARANCE_ANGLE);
  near.careful = true;
  joint_space_search(space, point, &near);
  return near.count > 0 ? near.nearest : 0.0;
}

/* As prototype_do; by all lanes. */
GEOMETRY_FUNCTION void stage_packing_job(uint32_t index, const packing_view *v) {
  prototype_job *job = &v->jobs[index];
  const packing_space *space = &v->space;
  const uint64_t steps = job->steps;
  prototype sphere = job->sphere;
  if (v->inside[index] == 0) {
    sphere.radius = -1.0;
  } else {
    if ((steps & JOB_ASCEND) != 0) joint_ascend(space, &sphere);
    if ((steps & JOB_MEASURE) != 0 && sphere.radius > 0.0)
      prototype_limit(&sphere, joint_clearance(space, sphere.center));
  }
  lanes_join();
  FOR_LANES(lane) {
    if (lane == 0) job->sphere = sphere;
  }
}

#endif
