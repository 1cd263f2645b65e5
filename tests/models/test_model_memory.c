/* Fails every allocation of a model, a filling or a picture in turn: one message, no leak. The linker redirects malloc
 * and calloc to this file. */
#include "cli/picture.h"
#include "models/lattice_fill.h"
#include "models/model.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);

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

TEST(models_survive_lack_of_memory) {
  const model_parameters parameters = {500, 1};
  for (size_t number = 0; number < model_count(); ++number) {
    size_t failures = 0;
    for (;;) {
      mesh *meshes = NULL;
      size_t count = 0;
      char error[256] = "", expected[64];
      failing_allocation = failures + 1;
      const bool is_made = model_make(model_at(number), &parameters, &meshes, &count, error, sizeof error);
      failing_allocation = 0;
      if (is_made) {
        mesh_list_free(meshes, count);
        break;
      }
      ++failures;
      snprintf(expected, sizeof expected, "model %s: out of memory", model_at(number)->name);
      assert_memory_equal(error, expected, strlen(expected));
      assert_null(meshes);
      assert_int_equal(count, 0);
    }
    assert_true(failures >= 4);
  }
}

TEST(fillings_survive_lack_of_memory) {
  double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  uint32_t triangles[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
  const mesh surface = {.positions = corners, .vertex_count = 4, .triangles = triangles, .triangle_count = 4};
  size_t failures = 0;
  for (;;) {
    mesh filled;
    char error[256] = "";
    failing_allocation = failures + 1;
    const bool is_filled = lattice_fill(&surface, 200, &filled, error, sizeof error);
    failing_allocation = 0;
    if (is_filled) {
      mesh_free(&filled);
      break;
    }
    ++failures;
    assert_true(strncmp(error, "out of memory", 13) == 0);
    assert_null(filled.positions);
    assert_null(filled.tetrahedra);
  }
  assert_true(failures >= 12);
}

TEST(pictures_survive_lack_of_memory) {
  double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  uint32_t triangle[3] = {0, 1, 2};
  const mesh m = {.positions = corners, .vertex_count = 3, .triangles = triangle, .triangle_count = 1};
  const char *folder = getenv("TMPDIR");
  char path[512], message_begin[520];
  snprintf(path, sizeof path, "%s/graze_test_memory_%ld.png", folder == NULL ? "/tmp" : folder, (long)getpid());
  snprintf(message_begin, sizeof message_begin, "%s: ", path);
  size_t failures = 0;
  for (;;) {
    char error[1024] = "";
    failing_allocation = failures + 1;
    const bool is_drawn = picture_draw(path, &m, 1, NULL, 64, 48, NULL, error, sizeof error);
    failing_allocation = 0;
    if (is_drawn) break;
    ++failures;
    assert_memory_equal(error, message_begin, strlen(message_begin));
    assert_non_null(strstr(error, "out of memory"));
    assert_true(failures < 100);
  }
  remove(path);
  assert_true(failures >= 16);
}
