/* The backend's state of a scene. */
#ifndef GRAZE_BACKEND_CUDA_CUDA_SCENE_H
#define GRAZE_BACKEND_CUDA_CUDA_SCENE_H

#include "backend/unsuited_method.h"
#include "cuda/device_state.h"

typedef struct cuda_scene {
  device_state device;
  unsuited_method unsuited;
  bool method_knows; /* the method is current except for changes in the scene's change bits */
} cuda_scene;

/* For a scene that runs on a device. */
static inline cuda_scene *cuda_scene_of(const graze_scene *scene) {
  return scene->backend_state;
}
static inline device_state *scene_device(const graze_scene *scene) {
  return &cuda_scene_of(scene)->device;
}

/* Sets the device's message, or the host's if the host is out of memory. */
graze_result device_backend_fail(const graze_scene *scene, graze_result result);

#endif
