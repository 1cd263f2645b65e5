/* How far apart two meshes of triangles are: for placing bodies at a given distance, before any clock runs. */
#ifndef GRAZE_MESH_DISTANCE_H
#define GRAZE_MESH_DISTANCE_H

#include "bench/bench_scene.h"

typedef struct mesh_balls mesh_balls;

/* A tree of balls over the triangles; the shape must outlive it. NULL where memory runs out. */
mesh_balls *mesh_balls_make(const bench_shape *shape);
void mesh_balls_free(mesh_balls *balls); /* NULL is allowed */

/* The least distance of a point of a and a point of b, where b has the pose; of meshes that do not cross. Rounded, as
 * sums of a dozen doubles are. */
double mesh_balls_distance(const mesh_balls *a, const mesh_balls *b, const bench_pose *pose);

#endif
