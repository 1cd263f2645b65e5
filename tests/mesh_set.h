/* The meshes of a scene or file, which OWNED(mesh_set) releases. */
#ifndef GRAZE_TESTS_MESH_SET_H
#define GRAZE_TESTS_MESH_SET_H

#include "mesh_io/mesh_file.h"
#include "testing.h"

typedef struct mesh_set {
  mesh *meshes;
  size_t count;
} mesh_set;

static inline void mesh_set_free(mesh_set *set) {
  mesh_list_free(set->meshes, set->count);
}

static inline mesh_set made_set(void (*make)(mesh **meshes_out, size_t *mesh_count_out)) {
  mesh_set set;
  make(&set.meshes, &set.count);
  return set;
}

static inline mesh_set read_set(const char *path, const mesh_read_options *options) {
  mesh_set set;
  char error[4096];
  if (!mesh_file_read(path, options, &set.meshes, &set.count, error, sizeof error)) fail_msg("%s", error);
  return set;
}

#endif
