/* Scenes of built-in models of any kind, for graze alone: one body, or two that pass through each other. */
#ifndef GRAZE_BENCH_BODIES_H
#define GRAZE_BENCH_BODIES_H

#include "bench/bench_scene.h"

/* Names are borrowed. On failure, these functions write one message and leave nothing to free; bench_scene_free
 * releases the scene. */

/* Makes all objects of a model with about this many primitives. */
bool bench_bodies_make(const char *model_name, size_t primitives, bench_scene *scene_out, char *error,
                       size_t error_bytes);

/* Makes two copies of the model with about this many primitives each, one deep inside the other: the second is rotated
 * about the origin, so that no primitives coincide, and moved by `offset`. */
bool bench_bodies_make_pair(const char *name, const char *model_name, size_t primitives_each, const double offset[3],
                            bench_scene *scene_out, char *error, size_t error_bytes);

/* Adds `steps` poses in which the last body passes through the first along x, from 1.05 times the extent of both on one
 * side to the same distance on the other. */
bool bench_bodies_pass_through(bench_scene *scene, size_t steps);

#endif
