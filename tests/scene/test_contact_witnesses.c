/* Tests witness points of contacts, for generated pairs of triangles and tetrahedra and for scenes of all kinds: they
 * differ by the normal times the depth, lie where the two touch after b is moved, and are near the common part.
 * Contacts near the largest double are finite or flagged. */
#include "base/number_sequence.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Two primitives of 3 or 4 corners each, as objects of a scene. */
typedef struct two_primitives {
  uint32_t count[2];
  double corners[2][12];
  double shift; /* of all corners from the origin */
} two_primitives;

static double random_coordinate(uint64_t *sequence) {
  return (double)sequence_below(sequence, 1u << 20) * 0x1p-20;
}

static two_primitives generate(uint64_t *sequence) {
  two_primitives made = {.shift = sequence_below(sequence, 3) == 0 ? 1000.0 : 0.0};
  for (int i = 0; i < 2; i++) {
    made.count[i] = 3 + (uint32_t)sequence_below(sequence, 2);
    for (uint32_t k = 0; k < 3 * made.count[i]; k++) made.corners[i][k] = made.shift + random_coordinate(sequence);
  }
  return made;
}

static void add_primitive(graze_scene *scene, const double *corners, uint32_t count) {
  const uint32_t numbers[4] = {0, 1, 2, 3};
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){corners, count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){numbers, 1, 0, GRAZE_FORMAT_UINT32_3};
  def.tetrahedra = (graze_view){numbers, 1, 0, GRAZE_FORMAT_UINT32_4};
  assert_ok(count == 3 ? graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL)
                       : graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, NULL));
}

/* Moved by its depth along the normal, the witness of b is that of a. */
static void check_difference(const graze_contact *contact) {
  assert_int_equal(contact->flags, 0);
  for (int axis = 0; axis < 3; axis++) {
    const double moved = contact->witness_b[axis] + contact->depth * contact->normal[axis];
    assert_true(moved == contact->witness_a[axis]);
  }
}

/* The highest place of a along the normal, and the lowest of b. */
static void check_heights(const two_primitives *two, const graze_contact *contact) {
  const double tolerance = 1e-13 * (1.0 + fabs(two->shift));
  double highest = -INFINITY, lowest = INFINITY;
  for (uint32_t k = 0; k < two->count[0]; k++) highest = fmax(highest, dot(contact->normal, two->corners[0] + 3 * k));
  for (uint32_t k = 0; k < two->count[1]; k++) lowest = fmin(lowest, dot(contact->normal, two->corners[1] + 3 * k));
  assert_true(fabs(dot(contact->normal, contact->witness_b) - lowest) <= 8 * tolerance);
  assert_true(fabs(dot(contact->normal, contact->witness_a) - highest) <= 64 * tolerance);
}

/* In the common box of the two, grown by the depth; and on the line through the centroid. */
static void check_place(const two_primitives *two, const graze_contact *contact) {
  const double tolerance = 1e-12 * (1.0 + fabs(two->shift));
  const double *const witnesses[2] = {contact->witness_a, contact->witness_b};
  for (int axis = 0; axis < 3; axis++) {
    double low = -INFINITY, high = INFINITY;
    for (int i = 0; i < 2; i++) {
      double least = INFINITY, most = -INFINITY;
      for (uint32_t k = 0; k < two->count[i]; k++) {
        least = fmin(least, two->corners[i][3 * k + axis]);
        most = fmax(most, two->corners[i][3 * k + axis]);
      }
      low = fmax(low, least);
      high = fmin(high, most);
    }
    for (int i = 0; i < 2; i++) {
      assert_true(witnesses[i][axis] >= low - contact->depth - tolerance);
      assert_true(witnesses[i][axis] <= high + contact->depth + tolerance);
    }
  }
  for (int i = 0; i < 2; i++) {
    double across[3];
    for (int axis = 0; axis < 3; axis++) across[axis] = witnesses[i][axis] - contact->centroid[axis];
    const double along = dot(across, contact->normal);
    for (int axis = 0; axis < 3; axis++) assert_true(fabs(across[axis] - along * contact->normal[axis]) <= tolerance);
  }
}

static size_t check_two(const two_primitives *two, graze_test test) {
  graze_scene_def def = graze_scene_def_default();
  def.threading = GRAZE_THREADING_SERIAL;
  OWNED_SCENE *scene = create_scene(&def);
  for (int i = 0; i < 2; i++) add_primitive(scene, two->corners[i], two->count[i]);
  assert_ok(graze_scene_update(scene));
  graze_contact_options options = graze_contact_options_default();
  options.test = test;
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  OWNED(graze_contacts) contacts = make_contacts(scene, pairs.pairs, pairs.count, &options);
  for (size_t i = 0; i < contacts.count; i++) {
    const graze_contact *contact = &contacts.contacts[i];
    check_difference(contact);
    check_heights(two, contact);
    check_place(two, contact);
  }
  const size_t count = contacts.count;
  return count;
}

TEST(test_generated_pairs) {
  size_t met[2][2] = {{0}};
  uint64_t sequence = 17;
  for (size_t i = 0; i < test_scaled(20000, 2000); i++) {
    const two_primitives two = generate(&sequence);
    met[two.count[0] - 3][two.count[1] - 3] += check_two(&two, i % 2 == 0 ? GRAZE_TEST_SAT : GRAZE_TEST_GJK);
  }
  for (int a = 0; a < 2; a++)
    for (int b = 0; b < 2; b++) assert_true(met[a][b] > test_scaled(500, 50));
}

/* One object of each kind, all in one place. */
enum { OBJECTS = 4 };

static void make_kinds(uint64_t primitives, mesh meshes_out[OBJECTS]) {
  static const char *const models[OBJECTS] = {"blob", "panels", "tet-ball", "cells"};
  for (size_t i = 0; i < OBJECTS; i++) meshes_out[i] = torture_first_mesh(models[i], primitives, i);
}

static void free_kinds(mesh meshes[OBJECTS]) {
  for (size_t i = 0; i < OBJECTS; i++) mesh_free(&meshes[i]);
}

/* Release by graze_contacts_free. */
static graze_contacts contacts_of(const mesh *meshes, size_t mesh_count) {
  running_variant variant = running_variant_reference();
  variant.method = "grid";
  OWNED_SCENE *scene = runner_scene(&variant, meshes, mesh_count, NULL);
  const graze_query query = graze_query_default();
  const pair_answer found = runner_find(scene, &query);
  graze_contacts contacts = make_contacts(scene, found.pairs, found.count, NULL);
  assert_true(contacts.count > 100);
  free(found.pairs);
  return contacts;
}

/* Polygons and polyhedra too. */
TEST(test_all_kinds) {
  mesh meshes[OBJECTS];
  make_kinds(300, meshes);
  graze_contacts contacts = contacts_of(meshes, OBJECTS);
  size_t parts = 0;
  for (size_t i = 0; i < contacts.count; i++) {
    check_difference(&contacts.contacts[i]);
    parts += contacts.contacts[i].kind == GRAZE_CONTACT_KIND_PARTS;
  }
  assert_true(parts > 10);
  graze_contacts_free(&contacts);
  free_kinds(meshes);
}

/* ---------------------------------------------------------------------------------------------- near the largest */

static bool is_a_number(const double *numbers, int count) {
  bool all = true;
  for (int i = 0; i < count; i++) all = all && !isnan(numbers[i]);
  return all;
}

static bool all_finite(const graze_contact *contact) {
  bool finite = isfinite(contact->depth) && isfinite(contact->volume);
  for (int axis = 0; axis < 3; axis++)
    finite = finite && isfinite(contact->normal[axis]) && isfinite(contact->centroid[axis]) &&
             isfinite(contact->witness_a[axis]) && isfinite(contact->witness_b[axis]);
  return finite;
}

/* So that the largest coordinate is between half of it and it. */
static void scale_to(mesh *meshes, size_t count, double size) {
  double largest = 0.0;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < 3 * meshes[i].vertex_count; k++) largest = fmax(largest, fabs(meshes[i].positions[k]));
  for (size_t i = 0; i < count; i++) torture_scale(&meshes[i], size / exp2(ceil(log2(largest))));
}

/* From where nothing is beyond the doubles to where the corners themselves nearly are. */
TEST(test_largest_doubles) {
  const double sizes[] = {1.0, 0x1p330, 0x1p342, 0x1p400, 0x1p1000, 0x1p1020, 0x1p1023};
  size_t flagged = 0, unflagged = 0;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    mesh meshes[OBJECTS];
    make_kinds(test_scale() < 1.0 ? 60 : 200, meshes);
    scale_to(meshes, OBJECTS, sizes[i]);
    graze_contacts contacts = contacts_of(meshes, OBJECTS);
    for (size_t k = 0; k < contacts.count; k++) {
      const graze_contact *contact = &contacts.contacts[k];
      const bool says = (contact->flags & GRAZE_CONTACT_FLAG_CLAMPED) != 0;
      assert_true(all_finite(contact));
      assert_false(says && i == 0);
      assert_true(is_a_number(contact->witness_a, 3) && is_a_number(contact->witness_b, 3));
      assert_true(is_a_number(contact->centroid, 3) && is_a_number(contact->normal, 3));
      assert_true(is_a_number(&contact->depth, 1) && is_a_number(&contact->volume, 1));
      flagged += says;
      unflagged += !says;
    }
    graze_contacts_free(&contacts);
    free_kinds(meshes);
  }
  print_message("%zu contacts say that a measure is the largest double, %zu are\n", flagged, unflagged);
  assert_true(flagged > 100 && unflagged > 100);
}
