/* Poses of rigid bodies for graze_rigid: a revolution, random poses, poses in which two bodies just touch, and a swarm
 * that moves slightly from frame to frame. Bodies fit into a cube of side 2 around the origin. */
#ifndef GRAZE_RIGID_POSES_H
#define GRAZE_RIGID_POSES_H

#include "bench/rigid_engine.h"

/* A full turn about the vertical (second) axis in `count` steps, its center `distance` away along the first axis. */
void rigid_poses_revolve(double distance, bench_pose *poses_out, size_t count);

/* A random rotation, and a position in the cube from -2 to 2, beyond which the boxes cannot intersect. */
void rigid_poses_scatter(bench_pose *poses_out, size_t count);

/* The body approaches from outside in a random direction until it touches. Alternates the last position at which it
 * does not and the first at which it does, at most RIGID_GRAZE_GAP apart. `pair` belongs to the engine, which is exact.
 */
#define RIGID_GRAZE_GAP 0x1p-14
bool rigid_poses_graze(const rigid_engine *engine, void *pair, bench_pose *poses_out, size_t count, rigid_error *error);

/* Random poses of bodies with about this radius in a cube, whose size gives each body the expected number of
 * `neighbors` within twice the radius. */
void rigid_poses_swarm(double radius, double neighbors, bench_pose *poses_out, size_t count);

/* Moves intersecting bodies apart along the line of their centers, until their depth is `depth`. pairs[i * shape_count
 * + j] belongs to the engine: a body of shape i and one of shape j; body k has the shape k % shape_count. A few bodies
 * may then intersect others. */
bool rigid_poses_loosen(const rigid_engine *engine, void *const *pairs, size_t shape_count, double depth,
                        bench_pose *poses, size_t count, rigid_error *error);

/* Moves each body by up to `step` along each axis and rotates it by up to `step` radians. */
void rigid_poses_move(double step, size_t frame, const bench_pose *poses, bench_pose *poses_out, size_t count);

#endif
