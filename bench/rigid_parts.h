/* The parts of graze_rigid. Each prints its rows and returns false after a message (rigid_race.h). */
#ifndef GRAZE_RIGID_PARTS_H
#define GRAZE_RIGID_PARTS_H

#include "bench/rigid_race.h"

/* A body that fits into a cube of side 2, and its copy, which shares the arrays. */
typedef struct rigid_object {
  const char *name;
  bench_shape shapes[2];
} rigid_object;

/* Whether the object is small enough for brute force. */
bool rigid_object_is_small(const rigid_object *object);

/* Returns a series of the settings' steps, each a pose of the second body; the caller sets the names and the query. */
rigid_series rigid_pose_series(const rigid_settings *settings, const rigid_object *object, const bench_pose *poses);

enum { RIGID_DISTANCES_MAX = 21 };

/* Times of a revolution at each distance, engine by engine, with distance_count values each: milliseconds and box tests
 * per step. An engine that did not run has zeros. */
typedef struct rigid_rotation {
  const char *engines[RIGID_RUNNERS_MAX];
  size_t engine_count, distance_count;
  double distances[RIGID_DISTANCES_MAX];
  double mean_ms[RIGID_RUNNERS_MAX * RIGID_DISTANCES_MAX], worst_ms[RIGID_RUNNERS_MAX * RIGID_DISTANCES_MAX];
  double box_tests[RIGID_RUNNERS_MAX * RIGID_DISTANCES_MAX];
} rigid_rotation;

/* Finds all pairs while the copy rotates beside the body, nearer and nearer (Gress and Zachmann 2004, section 7, figure
 * 4). Draws time over distance. */
bool rigid_rotation_run(const rigid_settings *settings, const rigid_object *object, rigid_rotation *times_out);

/* Queries, yes or no and all pairs, in random poses and in poses that are just touching or just apart. */
bool rigid_queries_run(const rigid_settings *settings, const rigid_object *object);

/* Queries, yes or no and all pairs, in the poses of a file, by distance and by volume. Skips a file for another body
 * with a message on the error stream. */
bool rigid_configurations_run(const rigid_settings *settings, const rigid_object *object, bool *fits_out);

/* Creates bodies from arrays, and runs frames in which all positions of both bodies are new. */
bool rigid_build_run(const rigid_settings *settings, const rigid_object *object);

/* Thousands of small bodies that move slightly from frame to frame: a tenth of them touch another, and in a second
 * world a tenth of them deeply intersect another. */
bool rigid_world_run(const rigid_settings *settings);

#endif
