/* Selects backends from the library's own list of names. */
#include "bench/bench_backend.h"

#include "graze/names.h"

#include <stdio.h>
#include <string.h>

bool bench_backend_read(const char *name, bench_backend *backend) {
  int number;
  if (!graze_enumeration_find(GRAZE_ENUMERATION_BACKEND, name, &number)) return false;
  backend->name = graze_enumeration_name(GRAZE_ENUMERATION_BACKEND, number);
  return true;
}

void bench_backend_list(char *words_out, size_t words_bytes) {
  const size_t count = graze_enumeration_count(GRAZE_ENUMERATION_BACKEND);
  size_t used = 0;
  for (size_t i = 0; i < count && used < words_bytes; i++) {
    const char *const joint = i == 0 ? "" : i + 1 == count ? " or " : ", ";
    used += (size_t)snprintf(words_out + used, words_bytes - used, "%s%s", joint,
                             graze_enumeration_name(GRAZE_ENUMERATION_BACKEND, (int)i));
  }
}

bool bench_backend_has_devices(const bench_backend *backend) {
  return backend->name != NULL && strcmp(backend->name, "cpu") != 0;
}

graze_result bench_backend_scene(const bench_backend *backend, uint32_t threads, const graze_allocator *allocator,
                                 graze_scene **scene_out) {
  graze_backend_def def = graze_backend_def_default();
  if (bench_backend_has_devices(backend)) {
    def.name = backend->name;
    def.devices = backend->devices;
    def.device_count = backend->device_count;
  }
  graze_scene_def scene_def = graze_scene_def_default();
  scene_def.worker_count = threads;
  scene_def.backend = &def;
  scene_def.allocator = allocator;
  return graze_scene_create(&scene_def, scene_out);
}
