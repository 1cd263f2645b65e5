/* Measures the contact of two tetrahedra, and the force and torque between them. docs/guide/contacts.md shows parts of
 * this program. */
#include <graze/graze.h>

#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the library's message if a call has failed. */
static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "graze: %s\n", graze_error_text());
  exit(2);
}

static const double corners[4][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
static const uint32_t cell[4] = {0, 1, 2, 3};

static graze_object add_tetrahedron(graze_scene *scene) {
  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions = (graze_view){corners, 4, 0, GRAZE_FORMAT_DOUBLE3};
  mesh.tetrahedra = (graze_view){cell, 1, 0, GRAZE_FORMAT_UINT32_4};
  graze_object object;
  expect_ok(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &mesh, NULL, &object));
  return object;
}

static void print_contacts(const graze_scene *scene) {
  graze_pairs pairs = {0};
  graze_contacts contacts = {0};
  expect_ok(graze_scene_find_pairs(scene, NULL, &pairs));
  expect_ok(graze_scene_make_contacts(scene, pairs.pairs, pairs.count, NULL, &contacts));
  for (size_t i = 0; i < contacts.count; i++) {
    const graze_contact *contact = &contacts.contacts[i];
    printf("depth %.4f along (%.4f, %.4f, %.4f), volume %.5f\n", contact->depth, contact->normal[0], contact->normal[1],
           contact->normal[2], contact->volume);
  }
  graze_contacts_free(&contacts);
  graze_pairs_free(&pairs);
}

static void print_wrenches(const graze_scene *scene) {
  graze_contact_options options = graze_contact_options_default();
  options.stiffness = 1000;
  graze_wrenches wrenches = {0};
  expect_ok(graze_scene_find_wrenches(scene, NULL, &options, &wrenches));
  for (size_t i = 0; i < wrenches.count; i++) {
    const graze_wrench *wrench = &wrenches.wrenches[i];
    printf("volume %.5f, force (%.2f, %.2f, %.2f), torque (%.2f, %.2f, %.2f)\n", wrench->volume, wrench->force[0],
           wrench->force[1], wrench->force[2], wrench->torque[0], wrench->torque[1], wrench->torque[2]);
  }
  graze_wrenches_free(&wrenches);
}

int main(void) {
  graze_scene *scene;
  expect_ok(graze_scene_create(NULL, &scene));
  add_tetrahedron(scene);
  const graze_object upper = add_tetrahedron(scene);
  const graze_pose raised = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 1.5}};
  expect_ok(graze_object_set_pose(scene, upper, &raised));
  expect_ok(graze_scene_update(scene));
  print_contacts(scene);
  print_wrenches(scene);
  graze_scene_destroy(scene);
  return 0;
}
