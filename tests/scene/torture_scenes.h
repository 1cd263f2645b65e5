/* Scenes made to break a collision search: exact touching, one-bit gaps, extreme scales and crowds.
 *
 * They are small enough for the quadratic reference (at most 4000 triangles), seeded, and the same on every machine;
 * under sanitizers (GRAZE_TEST_SCALE below 1) most have half as many. Coordinates are representable as float unless
 * stated otherwise. */
#ifndef GRAZE_TESTS_TORTURE_SCENES_H
#define GRAZE_TESTS_TORTURE_SCENES_H

#include "mesh_set.h"

typedef struct torture_scene {
  const char *name;
  bool is_float; /* every coordinate is a float */
  void (*make)(mesh **meshes_out, size_t *mesh_count_out);
} torture_scene;

size_t torture_scene_count(void);
const torture_scene *torture_scene_at(size_t number);
const torture_scene *torture_scene_named(const char *name); /* ends the process where there is none */

/* A mesh with room for so many vertices and triangles, all zero. */
mesh torture_mesh(size_t vertex_count, size_t triangle_count);

/* The meshes of a built-in model; ends the process where the model is refused. */
void torture_model(const char *name, uint64_t triangles, uint64_t seed, mesh **meshes_out, size_t *mesh_count_out);
static inline mesh_set torture_set(const char *name, uint64_t triangles, uint64_t seed) {
  mesh_set set;
  torture_model(name, triangles, seed, &set.meshes, &set.count);
  return set;
}

/* Its first mesh alone. */
mesh torture_first_mesh(const char *name, uint64_t triangles, uint64_t seed);

mesh torture_copy(const mesh *m);
void torture_round_to_float(mesh *meshes, size_t mesh_count);
void torture_scale(mesh *m, double factor);
void torture_move(mesh *m, double x, double y, double z);

#endif
