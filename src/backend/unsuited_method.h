/* A method that is unsuitable for a scene: the grid replaces it until primitives or vertices are added or removed. */
#ifndef GRAZE_BACKEND_UNSUITED_METHOD_H
#define GRAZE_BACKEND_UNSUITED_METHOD_H

#include "scene/scene_data.h"

typedef struct unsuited_method {
  const method *row; /* NULL: none */
  uint64_t topology; /* topology stamp of the scene when the method was unsuitable */
} unsuited_method;

static inline bool method_is_unsuited(const unsuited_method *known, const graze_scene *scene, const method *row) {
  return known->row != NULL && known->row == row && known->topology == scene->stamps.topology;
}

/* The reason for the choice of this method. */
static inline const char *method_reason(const graze_scene *scene, const method *searched, bool in_place_of_unsuited) {
  if (scene->method != NULL && searched == scene->method) return "it was requested";
  if (in_place_of_unsuited) return "an object extends too far for the boxes of its smallest primitives";
  return searched->auto_reason;
}

#endif
