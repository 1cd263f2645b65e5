/* Reads --backend, --device and --threads, and makes the scene that they specify. */
#include "backend_options.h"

#include "graze/cuda.h"

#include <string.h>

/* More threads than any machine has; protects against typing errors. */
enum { THREADS_MOST = 1024 };

backend_options backend_options_start(void) {
  return (backend_options){.backend = graze_backend_def_default().name};
}

static bool read_threads(const char *value, backend_options *options) {
  uint64_t number = 0;
  if (!read_whole_number("threads", value, 1, THREADS_MOST, &number)) return false;
  options->thread_count = (uint32_t)number;
  return true;
}

bool read_backend_option(int code, const char *value, backend_options *options) {
  switch (code) {
  case CODE_BACKEND:
    return read_backend("backend", value, &options->backend);
  case CODE_DEVICE:
    return read_device_list("device", value, options->devices, &options->device_count);
  case CODE_THREADS:
    return read_threads(value, options);
  default:
    return false;
  }
}

bool backend_has_devices(const backend_options *options) {
  return strcmp(options->backend, "cpu") != 0;
}

bool backend_options_finish(backend_options *options) {
  if (options->device_count > 0 && !backend_has_devices(options)) {
    complain("--device selects a CUDA device; it requires --backend cuda");
    return false;
  }
  if (options->device_count == 0) options->devices[options->device_count++] = 0;
  return true;
}

graze_backend_def backend_options_def(const backend_options *options) {
  graze_backend_def backend = graze_backend_def_default();
  backend.name = options->backend;
  if (backend_has_devices(options)) {
    backend.devices = options->devices;
    backend.device_count = options->device_count;
  }
  return backend;
}

graze_result backend_create_scene(const backend_options *options, graze_scene **scene_out) {
  const graze_backend_def backend = backend_options_def(options);
  graze_scene_def def = graze_scene_def_default();
  def.backend = &backend;
  def.worker_count = options->thread_count;
  return graze_scene_create(&def, scene_out);
}

const char *library_message(graze_result result) {
  return result == GRAZE_OUT_OF_MEMORY ? graze_result_text(result) : graze_error_text();
}

bool backend_make_scene(const backend_options *options, graze_scene **scene_out) {
  if (backend_create_scene(options, scene_out) == GRAZE_OK) return true;
  if (backend_has_devices(options)) {
    complain("--backend %s: %s", options->backend, graze_error_text());
  } else {
    complain("cannot create the scene: %s", graze_error_text());
  }
  return false;
}

bool backend_is_available(const backend_options *options) {
  graze_scene *scene = NULL;
  const bool there = backend_make_scene(options, &scene);
  graze_scene_destroy(scene);
  return there;
}
