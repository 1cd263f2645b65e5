/* Scenes of built-in models of any kind, for graze alone: one body, or two that pass through each other. */
#ifndef GRAZE_BENCH_BODIES_H
#define GRAZE_BENCH_BODIES_H

#include "bench/bench_scene.h"

/* Names are kept, not copied. On failure these write one message and leave nothing to free; bench_scene_free releases
 * the scene. */

/* All objects of a model of about so many primitives. */
bool bench_bodies_make(const char *model_name, size_t primitives, bench_scene *scene_out, char *error,
                       size_t error_bytes);

/* Two of the model, each of about so many primitives, one deep in the other: the second is the first turned about the
 * origin, so that no primitive lies upon another, and moved by `offset`. */
bool bench_bodies_make_pair(const char *name, const char *model_name, size_t primitives_each, const double offset[3],
                            bench_scene *scene_out, char *error, size_t error_bytes);

/* Gives the scene `steps` poses, in which its last body passes through the first along x, from 1.05 times the extent of
 * both on one side to as far on the other. */
bool bench_bodies_pass_through(bench_scene *scene, size_t steps);

#endif
