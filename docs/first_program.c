/* The smallest program: two triangles, one mesh, all pairs. The README shows its main part. */
#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the library's message if a call has failed. */
static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "%s\n", graze_error_text());
  exit(2);
}

int main(void) {
  const float positions[6][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0.5f, 0.5f, -1}, {0.5f, 0.5f, 1}, {3, 3, 0}};
  const uint32_t triangles[2][3] = {{0, 1, 2}, {3, 4, 5}};
  graze_scene *scene;
  graze_object object;
  expect_ok(graze_scene_create(NULL, &scene));

  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions = (graze_view){positions, 6, 0, GRAZE_FORMAT_FLOAT3};
  mesh.triangles = (graze_view){triangles, 2, 0, GRAZE_FORMAT_UINT32_3};
  expect_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh, NULL, &object));
  expect_ok(graze_scene_update(scene));
  graze_pairs pairs = {0};
  expect_ok(graze_scene_find_pairs(scene, NULL, &pairs));
  for (size_t i = 0; i < pairs.count; i++)
    printf("triangle %u meets triangle %u\n", pairs.pairs[i].primitive_a, pairs.pairs[i].primitive_b);
  graze_pairs_free(&pairs);
  graze_scene_destroy(scene);
  return 0;
}
