/* The meshes of a model, which OWNED(mesh_set) releases. */
#ifndef GRAZE_TESTS_MODEL_SET_H
#define GRAZE_TESTS_MODEL_SET_H

#include "mesh_set.h"
#include "models/model.h"

static inline mesh_set model_set(const model *chosen, const model_parameters *parameters) {
  mesh_set set;
  char error[256];
  if (!model_make(chosen, parameters, &set.meshes, &set.count, error, sizeof error)) fail_msg("%s", error);
  return set;
}

#endif
