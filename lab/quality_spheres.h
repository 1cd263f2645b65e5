/* Forces between two packings of spheres along a path: the penalty of graze. */
#ifndef GRAZE_QUALITY_SPHERES_H
#define GRAZE_QUALITY_SPHERES_H

#include "lab/quality_scenarios.h"

#include "graze/graze.h"
#include "graze/packing.h"

/* The result of one step of a path. */
typedef struct quality_sample {
  quality_wrench wrench;
  double penalty; /* the volume shared, or the sum of penetrations */
  double time_ms; /* of the pose, the search and the sums */
} quality_sample;

/* The position of a step on the path, from 0 to 1. */
double quality_part(const quality_scenario *scenario, size_t step, size_t steps);

/* Processor time of the calling thread, which excludes other work on the machine. */
double quality_milliseconds(void);

/* Makes a packing of at most this many spheres, depending on the seed; graze_packing_free releases it. On failure,
 * `error` has a message. */
bool quality_pack(const mesh *body, size_t count, uint64_t seed, graze_packing *packing_out, char *error,
                  size_t error_bytes);

/* The first spheres of two packings, which are about the largest: as many as asked for, or all. */
typedef struct quality_spheres {
  const graze_packing *still, *moving;
  size_t still_count, moving_count;
  graze_force force;
} quality_spheres;

/* Runs in one thread. On failure, `error` has a message. */
bool quality_spheres_run(const quality_scenario *scenario, const quality_spheres *spheres, size_t steps,
                         quality_sample *samples_out, char *error, size_t error_bytes);

#endif
