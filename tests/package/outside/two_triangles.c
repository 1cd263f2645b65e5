/* The smallest program: two triangles that cross, one pair. Valid C and C++ alike. */
#include <graze/graze.h>
#include <graze/triangle.h>

#include <stdio.h>

int main(void) {
  const double positions[6][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0.5, 0.5, -1}, {0.5, 0.5, 1}, {3, 3, 0}};
  const uint32_t triangles[2][3] = {{0, 1, 2}, {3, 4, 5}};

  graze_scene *scene = NULL;
  const graze_scene_def scene_def = graze_scene_def_default();
  graze_result result = graze_scene_create(&scene_def, &scene);
  if (result != GRAZE_OK) return 2;

  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions.data = positions;
  mesh.positions.count = 6;
  mesh.positions.format = GRAZE_FORMAT_DOUBLE3;
  mesh.triangles.data = triangles;
  mesh.triangles.count = 2;
  mesh.triangles.format = GRAZE_FORMAT_UINT32_3;
  graze_object object;
  result = graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh, NULL, &object);
  if (result == GRAZE_OK) result = graze_scene_update(scene);

  graze_pairs pairs = {0};
  const graze_query query = graze_query_default();
  if (result == GRAZE_OK) result = graze_scene_find_pairs(scene, &query, &pairs);
  if (result != GRAZE_OK) {
    fprintf(stderr, "%s\n", graze_error_text());
    graze_pairs_free(&pairs);
    graze_scene_destroy(scene);
    return 2;
  }
  const bool same = graze_triangles_intersect(positions[0], positions[3]) == (pairs.count == 1);
  printf("graze %s: %zu pair\n", graze_version(), pairs.count);
  graze_pairs_free(&pairs);
  graze_scene_destroy(scene);
  return same ? 0 : 1;
}
