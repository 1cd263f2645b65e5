/* Scenes with spheres that are made to break a search: sizes of every order, exact touching and one-bit gaps, the
 * limits of doubles, outliers, coincident spheres, and spheres among primitives of other kinds. */
#ifndef GRAZE_TESTS_SPHERE_SCENES_H
#define GRAZE_TESTS_SPHERE_SCENES_H

#include "mesh_io/mesh.h"

typedef struct sphere_scene {
  const char *name;
  bool has_floats; /* positions and radii are floats */
  void (*make)(mesh **meshes_out, size_t *mesh_count_out);
} sphere_scene;

size_t sphere_scene_count(void);
const sphere_scene *sphere_scene_at(size_t number);

/* `count` spheres at the origin with radius 0, to be filled. */
mesh sphere_mesh(size_t count);

#endif
