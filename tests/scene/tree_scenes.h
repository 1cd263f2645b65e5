/* Common functions of the tests of the method "tree": ways to run it, and poses. */
#ifndef GRAZE_TESTS_TREE_SCENES_H
#define GRAZE_TESTS_TREE_SCENES_H

#include "base/number_sequence.h"
#include "graze/graze.h"
#include "scene_calls.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- ways */

typedef struct tree_way {
  uint32_t worker_count;
  graze_simd simd;
  graze_tree_builder builder;
  graze_tree_update update;
} tree_way;

/* Over 144 numbers each way comes once. */
static inline tree_way tree_way_of(uint64_t number) {
  return (tree_way){1 + (uint32_t)(number % 4), (graze_simd)(number / 4 % 4), (graze_tree_builder)(number / 16 % 3),
                    (graze_tree_update)((number + number / 48) % 3)};
}

static inline void tree_way_words(const tree_way *way, char *words_out, size_t words_bytes) {
  snprintf(words_out, words_bytes, "workers%u simd%d builder%d update%d", way->worker_count, (int)way->simd,
           (int)way->builder, (int)way->update);
}

/* If the processor lacks a vector width, the widest is used. */
static inline void tree_set_way(graze_scene *scene, const tree_way *way) {
  graze_method_def def = graze_method_def_default();
  def.name = "tree";
  def.simd = way->simd;
  def.tree_builder = way->builder;
  def.tree_update = way->update;
  graze_result result = graze_scene_set_method(scene, &def);
  def.simd = GRAZE_SIMD_AUTO;
  if (result == GRAZE_UNSUPPORTED) result = graze_scene_set_method(scene, &def);
  assert_ok(result);
}

static inline void tree_set_reference(graze_scene *scene) {
  graze_method_def def = graze_method_def_default();
  def.name = "brute";
  assert_ok(graze_scene_set_method(scene, &def));
}

static inline graze_scene *tree_empty_scene(uint32_t worker_count) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = worker_count;
  graze_scene *scene = create_scene(&def);
  return scene;
}

static inline graze_scene *tree_scene_of(const tree_way *way) {
  graze_scene *scene = tree_empty_scene(way->worker_count);
  tree_set_way(scene, way);
  return scene;
}

static inline graze_scene *tree_scene_reference(void) {
  graze_scene *scene = tree_empty_scene(1);
  tree_set_reference(scene);
  return scene;
}

/* ---------------------------------------------------------------------------------------------- poses */

/* In (-1, 1). */
static inline double sequence_signed(uint64_t *sequence) {
  return (double)(int64_t)(sequence_next(sequence) | 1) * 0x1p-63 * (1.0 - 0x1p-53);
}

typedef enum pose_kind {
  POSE_ANY,
  POSE_SLIGHT,   /* a turn by 1e-9 to 1e-2 */
  POSE_QUARTERS, /* axes become axes */
  POSE_ABOUT_AXIS,
  POSE_IMPRECISE, /* orthonormal within 9e-7 only */
  POSE_SHIFT,     /* turns nothing */
  POSE_NONE,
  POSE_KINDS
} pose_kind;

static inline void rotation_about(const double axis[3], double angle, double rotation_out[9]) {
  const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  const double c = cos(angle), s = sin(angle), x = axis[0] / length, y = axis[1] / length, z = axis[2] / length;
  const double made[9] = {c + x * x * (1 - c),     x * y * (1 - c) - z * s, x * z * (1 - c) + y * s,
                          y * x * (1 - c) + z * s, c + y * y * (1 - c),     y * z * (1 - c) - x * s,
                          z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)};
  memcpy(rotation_out, made, sizeof made);
}

/* `reach` bounds the translation. */
static inline void choose_pose(uint64_t *sequence, pose_kind kind, double reach, double rotation_out[9],
                               double translation_out[3]) {
  double axis[3] = {sequence_signed(sequence), sequence_signed(sequence), sequence_signed(sequence)};
  double angle = 3.2 * sequence_signed(sequence);
  if (kind == POSE_SLIGHT) angle = pow(10.0, -2.0 - (double)sequence_below(sequence, 8));
  if (kind == POSE_ABOUT_AXIS)
    for (int i = 0; i < 3; i++)
      axis[i] = i == (int)(sequence_next(sequence) % 3) || (i == 2 && axis[0] + axis[1] == 0.0);
  if (axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0) axis[2] = 1.0;
  if (kind == POSE_SHIFT || kind == POSE_NONE) angle = 0.0;
  rotation_about(axis, angle, rotation_out);
  if (kind == POSE_QUARTERS) {
    const int first = (int)sequence_below(sequence, 3);
    for (int i = 0; i < 9; i++) rotation_out[i] = i % 3 == (i / 3 + first) % 3;
  }
  if (kind == POSE_IMPRECISE)
    for (int i = 0; i < 9; i++) rotation_out[i] += 2.5e-7 * sequence_signed(sequence);
  for (int i = 0; i < 3; i++) translation_out[i] = kind == POSE_NONE ? 0.0 : reach * sequence_signed(sequence);
}

#endif
