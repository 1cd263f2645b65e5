/* Creates and moves scenes to a backend by name and device number. Valid C and C++. */
#ifndef GRAZE_TESTS_BACKEND_CHOICE_H
#define GRAZE_TESTS_BACKEND_CHOICE_H

#include "graze/graze.h"

#include <string.h>

/* The device is read during the next call alone; the processor has none. */
static inline graze_backend_def backend_on(const char *name, const int *device) {
  graze_backend_def def = graze_backend_def_default();
  def.name = name;
  def.devices = device;
  def.device_count = strcmp(name, "cuda") == 0 ? 1 : 0;
  return def;
}

static inline graze_result create_on(const char *name, int device, graze_scene_def def, graze_scene **scene_out) {
  const graze_backend_def backend = backend_on(name, &device);
  def.backend = &backend;
  return graze_scene_create(&def, scene_out);
}

static inline graze_result move_to(graze_scene *scene, const char *name, int device) {
  const graze_backend_def backend = backend_on(name, &device);
  return graze_scene_set_backend(scene, &backend);
}

#endif
