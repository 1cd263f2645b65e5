/* Reading --backend, --device and --threads; making the scene that they ask for. */
#include "backend_options.h"

#include "option_values.h"

#include "graze/cuda.h"
#include "graze/names.h"

/* More workers than any machine has; a slip of the keyboard should not start a million threads. */
enum { DEVICE_NOT_CHOSEN = -1, DEVICE_MOST = 1023, THREADS_MOST = 1024 };

static const name_list backends = {graze_backend_count, graze_backend_name, graze_backend_value};

graze_scene_def backend_options_start(void) {
  graze_scene_def def = graze_scene_def_default();
  def.device = DEVICE_NOT_CHOSEN;
  return def;
}

static bool read_backend(const char *value, graze_scene_def *def) {
  int meaning = 0;
  if (!read_choice("backend", value, &backends, &meaning)) return false;
  def->backend = (graze_backend)meaning;
  return true;
}

static bool read_device(const char *value, graze_scene_def *def) {
  uint64_t number = 0;
  if (!read_whole_number("device", value, 0, DEVICE_MOST, &number)) return false;
  def->device = (int)number;
  return true;
}

static bool read_threads(const char *value, graze_scene_def *def) {
  uint64_t number = 0;
  if (!read_whole_number("threads", value, 1, THREADS_MOST, &number)) return false;
  def->worker_count = (uint32_t)number;
  return true;
}

bool read_backend_option(int code, const char *value, graze_scene_def *def) {
  switch (code) {
  case CODE_BACKEND:
    return read_backend(value, def);
  case CODE_DEVICE:
    return read_device(value, def);
  case CODE_THREADS:
    return read_threads(value, def);
  default:
    return false;
  }
}

bool backend_options_finish(graze_scene_def *def) {
  if (def->device != DEVICE_NOT_CHOSEN && def->backend != GRAZE_BACKEND_CUDA) {
    complain("--device chooses among CUDA devices; it needs --backend cuda");
    return false;
  }
  if (def->device == DEVICE_NOT_CHOSEN) def->device = 0;
  return true;
}

bool backend_make_scene(const graze_scene_def *def, graze_scene **scene_out) {
  const graze_result result = graze_scene_create(def, scene_out);
  if (result == GRAZE_OK) return true;
  if (def->backend == GRAZE_BACKEND_CUDA) {
    char why[256];
    const bool usable = graze_cuda_describe(def->device, why, sizeof why) == GRAZE_OK;
    complain("--backend cuda: %s", usable ? graze_result_text(result) : why);
  } else {
    complain("the scene could not be made: %s", graze_result_text(result));
  }
  return false;
}
