/* Finds the clashes of three boxes: two that intersect at a corner, and one on top. docs/guide/regions.md shows parts
 * of this program. */
#include <graze/regions.h>

#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the library's message if a call has failed. */
static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "graze: %s\n", graze_error_text());
  exit(2);
}

/* Adds a cube of six squares. */
static void add_box(graze_scene *scene, double x, double y, double z, double size) {
  static const uint32_t corners[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  static const uint32_t sizes[6] = {4, 4, 4, 4, 4, 4};
  double positions[8][3];
  for (int i = 0; i < 8; i++) {
    positions[i][0] = x + (i & 1 ? size : 0);
    positions[i][1] = y + (i & 2 ? size : 0);
    positions[i][2] = z + (i & 4 ? size : 0);
  }
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, 8, 0, GRAZE_FORMAT_DOUBLE3};
  def.corners = (graze_view){corners, 24, 0, GRAZE_FORMAT_UINT32};
  def.face_sizes = (graze_view){sizes, 6, 0, GRAZE_FORMAT_UINT32};
  graze_object object;
  expect_ok(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, &object));
}

static void write_regions(const graze_regions *regions) {
  static const char *const words[] = {"touching", "crossing", "coplanar", "duplicate"};
  printf("%zu clashes in %zu pairs\n", regions->count, regions->pair_count);
  for (size_t i = 0; i < regions->count; i++) {
    const graze_region *region = &regions->regions[i];
    printf("objects %u and %u: %s, %zu pairs\n", region->object_a, region->object_b, words[region->clash],
           region->pair_count);
  }
}

static void write_curves(const graze_regions *regions) {
  for (size_t i = 0; i < regions->curve_count; i++) {
    const graze_curve *curve = &regions->curves[i];
    printf("%s of clash %zu: %zu points%s\n", curve->kind == GRAZE_CURVE_BOUNDARY ? "boundary" : "line", curve->region,
           curve->vertex_count, curve->closed ? ", closed" : "");
  }
}

static void write_depths(const graze_regions *regions) {
  for (size_t i = 0; i < regions->object_pair_count; i++) {
    const graze_region_objects *objects = &regions->objects[i];
    printf("moving %u by %g along (%g, %g, %g) separates it from %u\n", objects->object_b, objects->depth,
           objects->normal[0], objects->normal[1], objects->normal[2], objects->object_a);
  }
}

int main(void) {
  graze_scene *scene;
  expect_ok(graze_scene_create(NULL, &scene));
  add_box(scene, 0, 0, 0, 4);
  add_box(scene, 3.5, 3, 3, 4);
  add_box(scene, 1, 1, 4, 1);
  expect_ok(graze_scene_update(scene));
  graze_regions regions = {0};
  expect_ok(graze_scene_find_regions(scene, NULL, NULL, &regions));
  write_regions(&regions);
  write_curves(&regions);
  write_depths(&regions);
  graze_regions_free(&regions);
  graze_scene_destroy(scene);
  return 0;
}
