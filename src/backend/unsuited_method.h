/* A method that does not suit a scene: the grid searches in its place until primitives or vertices come or go. */
#ifndef GRAZE_BACKEND_UNSUITED_METHOD_H
#define GRAZE_BACKEND_UNSUITED_METHOD_H

#include "scene/scene_data.h"

typedef struct unsuited_method {
  const method *row; /* NULL: none */
  uint64_t topology; /* stamp of the scene in which the method failed to suit */
} unsuited_method;

static inline bool method_is_unsuited(const unsuited_method *known, const graze_scene *scene, const method *row) {
  return known->row != NULL && known->row == row && known->topology == scene->stamps.topology;
}

/* Why the scene is searched by this method. */
static inline const char *method_reason(const graze_scene *scene, const method *searched, bool in_place_of_unsuited) {
  if (scene->method != NULL && searched == scene->method) return "it was asked for";
  if (in_place_of_unsuited) return "an object reaches too far for the boxes of its smallest primitives";
  return searched->auto_reason;
}

#endif
