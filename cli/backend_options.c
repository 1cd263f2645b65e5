/* Reads --backend, --device and --threads, and makes the scene that they specify. */
#include "backend_options.h"

#include "graze/cuda.h"

#include <string.h>

backend_options backend_options_start(void) {
  return (backend_options){.backend = graze_backend_def_default().name};
}

bool option_read_backend(const command_option *option, char *value, void *member) {
  int number;
  if (!read_enumeration(option->name, value, GRAZE_ENUMERATION_BACKEND, &number)) return false;
  *(const char **)member = graze_enumeration_name(GRAZE_ENUMERATION_BACKEND, number);
  return true;
}

bool option_read_devices(const command_option *option, char *value, void *member) {
  backend_options *options = member;
  return read_device_list(option->name, value, options->devices, &options->device_count);
}

bool backend_has_devices(const backend_options *options) {
  return strcmp(options->backend, "cpu") != 0;
}

bool backend_options_finish(backend_options *options) {
  if (options->device_count > 0 && !backend_has_devices(options))
    return decline("--device selects a CUDA device; it requires --backend cuda");
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
