/* Objects whose arrays are on the host, and the boxes of their primitives. */
#ifndef GRAZE_SCENE_OBJECT_BOXES_H
#define GRAZE_SCENE_OBJECT_BOXES_H

#include "scene/scene_failure.h"

typedef struct host_object {
  const scene_object *object;
  object_source source; /* with its own primitive numbers */
  uint32_t slot;
} host_object;

/* GRAZE_NO_SUCH_OBJECT, or GRAZE_UNSUPPORTED if the positions are on a device. */
graze_result host_object_read(const graze_scene *scene, graze_object id, host_object *object_out);

/* Created only for messages: boxes may be requested one by one. */
object_label host_object_label(const host_object *object);

/* Six numbers each, after the pose; empty boxes for removed primitives. GRAZE_NOT_FINITE. */
graze_result object_boxes_measure(const graze_scene *scene, const host_object *object, size_t first, size_t count,
                                  double *boxes_out);

#endif
