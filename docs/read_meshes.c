/* Reads two mesh files, finds where they intersect, and writes the meshes to another file. docs/guide/io.md shows parts
 * of this file. */
#include <graze/io.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program with the message of libgraze_io if a call has failed. */
static void expect_read(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "%s\n", graze_io_error_text());
  exit(2);
}

static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "%s\n", graze_error_text());
  exit(2);
}

static const char ground_file[] = "v -2 -2 0\nv 2 -2 0\nv 2 2 0\nv -2 2 0\nf 1 2 3 4\n";
static const double corners[4][3] = {{0, 0, -0.5}, {1, 0, 0.5}, {0, 1, 0.5}, {-1, 0, 0.5}};
static const uint32_t solids[1][4] = {{0, 1, 2, 3}};

/* Writes a file with one tetrahedron. */
static void write_body(void) {
  graze_mesh_def def = graze_mesh_def_default();
  def.name = "body";
  def.positions = (graze_view){corners, 4, 0, GRAZE_FORMAT_DOUBLE3};
  def.tetrahedra = (graze_view){solids, 1, 0, GRAZE_FORMAT_UINT32_4};
  graze_io_meshes *meshes;
  expect_read(graze_io_meshes_create(NULL, &meshes));
  expect_read(graze_io_append(meshes, GRAZE_KIND_TETRAHEDRON, &def));
  expect_read(graze_io_write_file("body.vtk", meshes, NULL));
  graze_io_meshes_destroy(meshes);
}

/* Adds all meshes of a file to a scene, each as an object. */
static void add_file(graze_scene *scene, const char *path) {
  graze_io_meshes *meshes;
  expect_read(graze_io_read_file(path, NULL, &meshes));
  for (size_t i = 0; i < graze_io_meshes_count(meshes); i++) {
    graze_object object;
    expect_read(graze_io_add_to_scene(meshes, i, scene, &object));
  }
  graze_io_meshes_destroy(meshes);
}

/* The same in two steps, for a program that changes the definition first. */
static void add_ground(graze_scene *scene) {
  graze_io_read_options options = graze_io_read_options_default();
  options.separate = true;
  graze_io_meshes *meshes;
  expect_read(graze_io_read_memory(ground_file, strlen(ground_file), "ground.obj", &options, &meshes));
  graze_io_info info = {0};
  expect_read(graze_io_get_info(meshes, 0, &info));
  printf("%s: %zu %s, %zu vertices\n", info.name, info.primitive_count,
         graze_kind_text(info.kind, info.primitive_count), info.vertex_count);
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  expect_read(graze_io_get_def(meshes, 0, &def));
  placed.self = false;
  graze_object object;
  expect_ok(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, &placed, &object));
  graze_io_meshes_destroy(meshes);
}

static void list_formats(void) {
  for (size_t i = 0; i < graze_io_format_count(); i++) {
    printf("%s (%s)%s\n", graze_io_format_ending(i), graze_io_format_name(i),
           graze_io_format_is_written(i, GRAZE_KIND_TRIANGLE) ? ", can write triangles" : "");
  }
}

int main(void) {
  graze_scene *scene;
  expect_ok(graze_scene_create(NULL, &scene));
  write_body();
  add_ground(scene);
  add_file(scene, "body.vtk");
  const graze_query query = graze_query_default();
  graze_pairs pairs = {0};
  expect_ok(graze_scene_update(scene));
  expect_ok(graze_scene_find_pairs(scene, &query, &pairs));
  printf("%zu pair\n", pairs.count);
  graze_pairs_free(&pairs);
  graze_scene_destroy(scene);
  list_formats();

  graze_io_meshes *meshes;
  if (graze_io_read_memory("v 0 0 zero\n", 11, "bad.obj", NULL, &meshes) != GRAZE_OK)
    printf("error: %s\n", graze_io_error_text());
  remove("body.vtk");
  return 0;
}
