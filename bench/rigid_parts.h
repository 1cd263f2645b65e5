/* The parts of graze_rigid. Each prints its rows; false after a complaint (rigid_race.h). */
#ifndef GRAZE_RIGID_PARTS_H
#define GRAZE_RIGID_PARTS_H

#include "bench/rigid_race.h"

/* A body that fits into a cube of side 2, and its copy, which shares the arrays. */
typedef struct rigid_object {
  const char *name;
  bench_shape shapes[2];
} rigid_object;

/* Brute force can be asked, too. */
bool rigid_object_is_small(const rigid_object *object);

/* The settings' steps, each a pose of the second body; the words and the question are the caller's. */
rigid_course rigid_pose_course(const rigid_settings *settings, const rigid_object *object, const bench_pose *poses);

enum { RIGID_DISTANCES_MAX = 21 };

/* What a revolution took at each distance, engine by engine, distance_count values of each: milliseconds and box tests
 * of a step. An engine that did not run has zeros. */
typedef struct rigid_rotation {
  const char *engines[RIGID_RUNNERS_MAX];
  size_t engine_count, distance_count;
  double distances[RIGID_DISTANCES_MAX];
  double mean_ms[RIGID_RUNNERS_MAX * RIGID_DISTANCES_MAX], worst_ms[RIGID_RUNNERS_MAX * RIGID_DISTANCES_MAX];
  double box_tests[RIGID_RUNNERS_MAX * RIGID_DISTANCES_MAX];
} rigid_rotation;

/* The copy turns beside the body, nearer and nearer (Gress and Zachmann 2004, section 7, figure 4): all pairs. Draws
 * time over distance. */
bool rigid_rotation_run(const rigid_settings *settings, const rigid_object *object, rigid_rotation *times_out);

/* Poses at random, and poses in which the bodies just touch or are just apart: yes or no, and all pairs. */
bool rigid_queries_run(const rigid_settings *settings, const rigid_object *object);

/* Poses of a file, by distance and by volume: yes or no, and all pairs. A file about another body is passed over, with
 * a word on the error stream. */
bool rigid_configurations_run(const rigid_settings *settings, const rigid_object *object, bool *fits_out);

/* From arrays to bodies that can be asked; and frames in which all positions of both bodies are new. */
bool rigid_build_run(const rigid_settings *settings, const rigid_object *object);

/* Thousands of small bodies, a tenth of which touch another, all of which move a little from frame to frame; and as
 * many of which a tenth have sunk into another. */
bool rigid_world_run(const rigid_settings *settings);

#endif
