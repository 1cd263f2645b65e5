/* Fails every allocation of a scene's start and of its second frame in turn: one message, no leak. The linker redirects
 * malloc, calloc and realloc to this file. */
#include "simulation/moving_scene.h"
#include "test_scale.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

/* Counts down with every allocation; the one that finds 1 fails. 0: none does. */
static size_t failing_allocation;

static bool is_to_fail(void) {
  return failing_allocation > 0 && --failing_allocation == 0;
}

void *__wrap_malloc(size_t bytes) {
  return is_to_fail() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes) {
  return is_to_fail() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes) {
  return is_to_fail() ? NULL : __real_realloc(memory, bytes);
}

static bool start_and_move(const moving_scene *scene, char *error, size_t error_bytes) {
  const scene_parameters parameters = {.primitives = 120, .frames = 2, .worker_count = 1};
  scene_stage *stage = scene_stage_open(scene, &parameters, error, error_bytes);
  if (stage == NULL) return false;
  const bool moved = scene_stage_next(stage, error, error_bytes);
  scene_stage_close(stage);
  return moved;
}

TEST(scenes_survive_lack_of_memory) {
  for (size_t number = 0; number < moving_scene_count(); ++number) {
    const moving_scene *scene = moving_scene_at(number);
    size_t failures = 0;
    for (;;) {
      char error[256] = "", expected[64];
      failing_allocation = failures + 1;
      const bool done = start_and_move(scene, error, sizeof error);
      const bool failed = failing_allocation == 0;
      failing_allocation = 0;
      if (done && !failed) break;
      ++failures;
      failures += test_sanitized(2, 0);
      /* Some failures the library makes up for. */
      if (done) continue;
      snprintf(expected, sizeof expected, "%s: out of memory", scene->name);
      if (strstr(error, expected) == NULL && strstr(error, "out of memory") == NULL)
        fail_msg("%zu: %s", failures, error);
    }
    assert_true(failures >= 4);
  }
}
