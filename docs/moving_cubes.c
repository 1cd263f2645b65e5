/* Drops a rotating cube onto another. docs/guide/first_program.md explains this program. */
#include <graze/graze.h>
#include <graze/names.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A cube from -1 to 1: bit i of a corner's number selects its coordinate along axis i. */
static const double cube_corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                          {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static const uint32_t cube_triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                               {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

/* Ends the program with the library's message if a call has failed. */
static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "graze: %s\n", graze_error_text());
  exit(2);
}

static graze_object add_cube(graze_scene *scene, const char *name) {
  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions = (graze_view){cube_corners, 8, 0, GRAZE_FORMAT_DOUBLE3};
  mesh.triangles = (graze_view){cube_triangles, 12, 0, GRAZE_FORMAT_UINT32_3};
  mesh.name = name;
  graze_object object;
  expect_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh, NULL, &object));
  return object;
}

/* Rotates about the vertical axis and sets the height. */
static void place(graze_scene *scene, graze_object object, double angle, double height) {
  const double c = cos(angle), s = sin(angle);
  const graze_pose pose = {{c, -s, 0, s, c, 0, 0, 0, 1}, {0, 0, height}};
  expect_ok(graze_object_set_pose(scene, object, &pose));
}

static void print_contacts(const graze_scene *scene, const graze_pairs *pairs) {
  graze_contacts contacts = {0};
  expect_ok(graze_scene_make_contacts(scene, pairs->pairs, pairs->count, NULL, &contacts));
  for (size_t i = 0; i < contacts.count && i < 2; i++) {
    const graze_contact *contact = &contacts.contacts[i];
    const double *point = contacts.points[contact->first_point];
    printf("  triangles %u and %u: %u points, the first at (%.3f, %.3f, %.3f), depth %.3f\n", contact->pair.primitive_a,
           contact->pair.primitive_b, contact->point_count, point[0], point[1], point[2], contact->depth);
  }
  graze_contacts_free(&contacts);
}

static void run_frame(graze_scene *scene, graze_object upper, int frame, graze_pairs *pairs) {
  const double height = 2.5 - 0.25 * frame;
  place(scene, upper, 0.1 * frame, height);
  expect_ok(graze_scene_update(scene));
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  expect_ok(graze_scene_find_pairs(scene, &query, pairs));
  printf("frame %d, height %.2f: %zu pairs, hash %016llx\n", frame, height, pairs->count,
         (unsigned long long)pairs->hash);
  print_contacts(scene, pairs);
}

/* A scene rejects invalid input with a message, and remains unchanged. */
static void try_a_bad_pose(graze_scene *scene, graze_object object) {
  const graze_pose stretched = {{2, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  const graze_result result = graze_object_set_pose(scene, object, &stretched);
  printf("%s: %s\n", graze_result_text(result), graze_error_text());
}

static void print_costs(const graze_counters *counters) {
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_COUNTER); i++)
    printf("  %8llu %s\n", (unsigned long long)graze_counters_value(counters, i),
           graze_enumeration_description(GRAZE_ENUMERATION_COUNTER, (int)i));
}

int main(void) {
  graze_scene_def scene_def = graze_scene_def_default();
  scene_def.worker_count = 1;
  graze_scene *scene;
  expect_ok(graze_scene_create(&scene_def, &scene));
  add_cube(scene, "lower");
  const graze_object upper = add_cube(scene, "upper");
  graze_pairs pairs = {0};
  for (int frame = 0; frame < 4; frame++) run_frame(scene, upper, frame, &pairs);
  try_a_bad_pose(scene, upper);
  print_costs(pairs.counters);
  graze_pairs_free(&pairs);
  graze_scene_destroy(scene);
  return 0;
}
