/* Tests the example of a format: it is listed, written and read back, by its name and by its content. */
#include "mesh_io/mesh_file.h"
#include "mesh_io/mesh_format.h"
#include "testing.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static double positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static uint32_t triangles[6] = {0, 1, 2, 1, 2, 3};

static void check_read(const char *path) {
  mesh *meshes;
  size_t count;
  char error[256] = "";
  if (!mesh_file_read(path, NULL, &meshes, &count, error, sizeof error)) fail_msg("%s", error);
  assert_int_equal(count, 1);
  assert_int_equal(meshes[0].triangle_count, 2);
  for (size_t i = 0; i < 6; i++)
    assert_memory_equal(meshes[0].positions + 3 * (size_t)meshes[0].triangles[i], positions + 3 * triangles[i],
                        3 * sizeof(double));
  mesh_list_free(meshes, count);
}

TEST(the_format_is_read_and_written) {
  bool compressed;
  char error[256] = "";
  const mesh m = {
      .positions = positions, .vertex_count = 4, .triangles = triangles, .triangle_count = 2, .polygon_count = 2};
  assert_string_equal(mesh_format_of_name("a.tri.gz", &compressed)->name, "triangle list");
  assert_true(compressed);
  assert_string_equal(mesh_endings_storing(STORES_SPHERES).text, ".ply and .csv");
  assert_non_null(strstr(mesh_endings_storing(STORES_SURFACES).text, " and .tri"));
  if (!mesh_file_write("recipe.tri", &m, 1, NULL, error, sizeof error)) fail_msg("%s", error);
  check_read("recipe.tri");
  assert_int_equal(rename("recipe.tri", "recipe.unknown"), 0);
  check_read("recipe.unknown");
  assert_int_equal(unlink("recipe.unknown"), 0);
}
