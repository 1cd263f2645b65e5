/* Runs the job of a prototype on the processor. */
#ifndef GRAZE_PACKING_PROTOTYPE_JOB_H
#define GRAZE_PACKING_PROTOTYPE_JOB_H

#include "packing/mesh_winding.h"
#include "packing/prototype.h"

GEOMETRY_FUNCTION bool packing_space_is_inside(const packing_space *space, const double *point) {
  orientation_tally tally = {0};
  return mesh_winding(&space->mesh, point, &tally) > 0;
}

GEOMETRY_FUNCTION void prototype_limit(prototype *sphere, double clearance) {
  if (clearance < sphere->radius) sphere->radius = clearance;
}

GEOMETRY_FUNCTION void prototype_do(const packing_space *space, prototype_job *job) {
  prototype *sphere = &job->sphere;
  if ((job->steps & JOB_IF_INSIDE) != 0 && !packing_space_is_inside(space, sphere->center)) {
    sphere->radius = -1.0;
    return;
  }
  if ((job->steps & JOB_ASCEND) != 0) prototype_ascend(space, sphere);
  if ((job->steps & JOB_MEASURE) != 0 && sphere->radius > 0.0)
    prototype_limit(sphere, packing_space_clearance(space, sphere->center));
}

#endif
