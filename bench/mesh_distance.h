/* The distance of two triangle meshes, for placing bodies at a given distance outside of measured times. */
#ifndef GRAZE_MESH_DISTANCE_H
#define GRAZE_MESH_DISTANCE_H

#include "bench/bench_scene.h"

typedef struct mesh_balls mesh_balls;

/* Makes a bounding sphere tree over the triangles; the shape must outlive it. Returns NULL if out of memory. */
mesh_balls *mesh_balls_make(const bench_shape *shape);
void mesh_balls_free(mesh_balls *balls); /* NULL is allowed */

/* Returns the distance of a and the posed b, which must not cross, with the rounding error of a dozen additions. */
double mesh_balls_distance(const mesh_balls *a, const mesh_balls *b, const bench_pose *pose);

#endif
