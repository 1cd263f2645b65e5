/* Poses of rigid bodies for graze_rigid: a revolution, places at random, places where two bodies just touch, and a
 * swarm that moves a little from frame to frame. Bodies fit into a cube of side 2 around the origin. */
#ifndef GRAZE_RIGID_POSES_H
#define GRAZE_RIGID_POSES_H

#include "bench/rigid_engine.h"

/* A full turn about the vertical (second) axis in `count` steps, its center `distance` away along the first axis. */
void rigid_poses_revolve(double distance, bench_pose *poses_out, size_t count);

/* Any direction, and a place in the cube from -2 to 2, which is all that leaves the boxes a chance to meet. */
void rigid_poses_scatter(bench_pose *poses_out, size_t count);

/* Any direction; the body comes from outside, from any side, until it touches: in turn the last place at which it does
 * not, and the first at which it does, RIGID_GRAZE_GAP apart at most. `pair` is held by the engine, which is exact. */
#define RIGID_GRAZE_GAP 0x1p-14
bool rigid_poses_graze(const rigid_engine *engine, void *pair, bench_pose *poses_out, size_t count, rigid_error *error);

/* Bodies of about radius `radius`, in any direction, in a cube as large as leaves each one the expected number of
 * `neighbors` within twice that. */
void rigid_poses_swarm(double radius, double neighbors, bench_pose *poses_out, size_t count);

/* Moves bodies that meet apart along the line of their centers, until they only just meet, by `depth`. pairs[i *
 * shape_count + j] is held by the engine: a body of shape i and one of shape j; body k has the shape k % shape_count. A
 * few may come to meet others by that. */
bool rigid_poses_loosen(const rigid_engine *engine, void *const *pairs, size_t shape_count, double depth,
                        bench_pose *poses, size_t count, rigid_error *error);

/* Each body goes on by up to `step` along each axis and turns by up to `step` radians, to a place of its own around
 * where it was in the frame before. */
void rigid_poses_move(double step, size_t frame, const bench_pose *poses, bench_pose *poses_out, size_t count);

#endif
