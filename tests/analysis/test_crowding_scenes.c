/* Tests the k-free measure as a library call: which arguments it rejects, and that it does not change the scene. k does
 * not grow with the resolution of ordinary meshes, it grows on the Chazelle pair, and no set of pairs exceeds its
 * bound. */
#include "base/checked_allocator.h"
#include "graze/names.h"
#include "mesh_io/mesh_file.h"
#include "models/mesh_object.h"
#include "models/model.h"
#include "scene_calls.h"
#include "small_meshes.h"
#include "test_scale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct model_scene {
  graze_scene *scene;
  graze_object objects[2];
  size_t count;
} model_scene;

static model_scene scene_of_model(const char *name, uint64_t primitives, uint64_t seed) {
  model_parameters parameters = model_parameters_default();
  parameters.primitives = primitives;
  parameters.seed = seed;
  mesh *meshes;
  char message[256];
  model_scene made = {.count = 0};
  size_t mesh_count;
  if (!model_make(model_find(name), &parameters, &meshes, &mesh_count, message, sizeof message))
    fail_msg("%s: %s", name, message);
  assert_ok(graze_scene_create(NULL, &made.scene));
  for (; made.count < mesh_count && made.count < 2; made.count++) {
    assert_ok(mesh_object_add(made.scene, &meshes[made.count], name, &made.objects[made.count]));
  }
  mesh_list_free(meshes, mesh_count);
  assert_ok(graze_scene_update(made.scene));
  return made;
}

static graze_crowding measure(graze_scene *scene, graze_object object) {
  graze_crowding crowding = measure_crowding(scene, object);
  return crowding;
}

static uint32_t k_of_object(graze_scene *scene, graze_object object) {
  OWNED(graze_crowding) crowding = measure(scene, object);
  const uint32_t k = crowding.k;
  return k;
}

static size_t pairs_in(graze_scene *scene, graze_scope scope) {
  graze_query query = graze_query_default();
  query.scope = scope;
  OWNED(graze_pairs) pairs = find_pairs(scene, &query);
  const size_t count = pairs.count;
  return count;
}

TEST(refusals_say_why) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  OWNED(graze_crowding) crowding = {0};
  assert_int_equal(graze_scene_measure_crowding(NULL, object, &crowding), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_measure_crowding(scene, object, NULL), GRAZE_INVALID_ARGUMENT);
  assert_refused(graze_scene_measure_crowding(scene, (graze_object){7, 1}, &crowding), GRAZE_NO_SUCH_OBJECT,
                 "there is no object 7; the scene has created 1");
  assert_int_equal(crowding.count, 0);
  const uint32_t gone[] = {0};
  assert_ok(graze_object_remove_primitives(scene, object, gone, 1));
  assert_refused(graze_scene_measure_crowding(scene, object, &crowding), GRAZE_NOT_UPDATED,
                 "the scene was changed after its last update: call graze_scene_update");
}

/* Neither other objects, nor the filter, nor an earlier query, nor the method change an object's k; what is erased is
 * left out. */
TEST(an_object_is_measured_alone) {
  graze_object object, other;
  OWNED_SCENE *scene = crossing_scene(&object);
  OWNED(graze_crowding) alone = measure(scene, object);
  assert_int_equal(alone.count, 3);
  assert_int_equal(alone.primitive_count, 3);
  assert_int_equal(alone.kind, GRAZE_KIND_TRIANGLE);
  /* The small one stands in the flat one, which is larger; the third, smallest, is far away. */
  assert_int_equal(alone.k_of[0], 1);
  assert_int_equal(alone.k_of[1], 2);
  assert_int_equal(alone.k_of[2], 1);
  assert_int_equal(alone.k, 2);
  assert_true(fabs(alone.mean - 4.0 / 3.0) < 1e-15 && alone.neighbor_mean == 0.0);
  assert_true(fabs(alone.diameter_of[0] - sqrt(32.0)) < 1e-14 && alone.largest == alone.diameter_of[0]);
  assert_true(fabs(alone.height - log2(alone.largest / alone.smallest)) < 1e-12);
  assert_int_equal(alone.bound_factor, 10);
  const graze_mesh_def def = crossing_def();
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &other));
  assert_ok(graze_object_set_filter(scene, object, 2, 0, false));
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_METHOD); i++) {
    graze_method_def method = graze_method_def_default();
    method.name = graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)i);
    assert_ok(graze_scene_set_method(scene, &method));
    (void)count_pairs_updated(scene);
    OWNED(graze_crowding) again = measure(scene, object);
    assert_int_equal(again.k_of[0] + 10 * again.k_of[1] + 100 * again.k_of[2], 121);
  }
  const uint32_t gone[] = {0};
  assert_ok(graze_object_remove_primitives(scene, object, gone, 1));
  assert_ok(graze_scene_update(scene));
  OWNED(graze_crowding) rest = measure(scene, object);
  assert_int_equal(rest.count, 3);
  assert_int_equal(rest.primitive_count, 2);
  assert_int_equal(rest.k_of[0], 0);
  assert_int_equal(rest.k, 1);
  assert_true(rest.mean == 1.0 && rest.deviation == 0.0);
}

/* A triangle, a square, a tetrahedron and a cube, each with a copy that shares a corner, through their own calls. */
TEST(every_kind_has_its_factors) {
  const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
  const uint32_t tetrahedra[] = {0, 1, 2, 4, 7, 5, 6, 3};
  const uint32_t squares[] = {0, 1, 3, 2, 4, 5, 7, 6}, square_sizes[] = {4, 4};
  const uint32_t cube[] = {0, 1, 3, 2, 4, 5, 7, 6, 0, 1, 5, 4, 2, 3, 7, 6, 0, 2, 6, 4, 1, 3, 7, 5};
  const uint32_t cube_sizes[] = {4, 4, 4, 4, 4, 4}, cells[] = {6};
  OWNED_SCENE *scene = create_scene(NULL);
  graze_mesh_def def = graze_mesh_def_default();
  graze_object objects[3];
  def.positions = double_view(positions, 8);
  def.tetrahedra = (graze_view){tetrahedra, 2, 0, GRAZE_FORMAT_UINT32_4};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, &objects[0]));
  def.corners = (graze_view){squares, 8, 0, GRAZE_FORMAT_UINT32};
  def.face_sizes = (graze_view){square_sizes, 2, 0, GRAZE_FORMAT_UINT32};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, &objects[1]));
  def.corners = (graze_view){cube, 24, 0, GRAZE_FORMAT_UINT32};
  def.face_sizes = (graze_view){cube_sizes, 6, 0, GRAZE_FORMAT_UINT32};
  def.cell_sizes = (graze_view){cells, 1, 0, GRAZE_FORMAT_UINT32};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_POLYHEDRON, &def, NULL, &objects[2]));
  assert_ok(graze_scene_update(scene));
  /* The tetrahedra cut off opposite corners of the cube: 1 / sqrt(3) apart, and a quarter of their d is 0.41. */
  const struct {
    graze_kind kind;
    uint32_t k, bound;
    double diameter;
  } expected[] = {{GRAZE_KIND_TETRAHEDRON, 1, 24, 2.0 * sqrt(2.0 / 3.0)},
                  {GRAZE_KIND_POLYGON, 1, 25, sqrt(2.0)},
                  {GRAZE_KIND_POLYHEDRON, 1, 156, sqrt(3.0)}};
  for (int i = 0; i < 3; i++) {
    OWNED(graze_crowding) found = measure(scene, objects[i]);
    assert_int_equal(found.kind, expected[i].kind);
    assert_int_equal(found.k, expected[i].k);
    assert_int_equal(found.bound_factor, expected[i].bound);
    assert_true(fabs(found.largest - expected[i].diameter) < 1e-12);
  }
}

/* k of one size and of four and sixteen times as many triangles. */
TEST(k_stays_flat_on_ordinary_meshes) {
  const char *const names[] = {"sphere", "torus", "blob", "knot"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    uint32_t k[3];
    for (int size = 0; size < 3; size++) {
      const model_scene made = scene_of_model(names[i], (uint64_t)2000 << (2 * size), 0);
      k[size] = k_of_object(made.scene, made.objects[0]);
      graze_scene_destroy(made.scene);
    }
    print_message("%s: k %u, %u, %u\n", names[i], k[0], k[1], k[2]);
    for (int size = 0; size < 3; size++) assert_true(k[size] <= 40);
  }
}

TEST(k_grows_with_the_chazelle_pair) {
  uint32_t last_k = 0;
  size_t last_pairs = 0;
  for (uint64_t triangles = 250; triangles <= 2000; triangles *= 2) {
    const model_scene made = scene_of_model("chazelle", triangles, 0);
    graze_crowding found = measure(made.scene, made.objects[0]);
    const uint32_t k = found.k;
    const size_t pairs = pairs_in(made.scene, GRAZE_SCOPE_BETWEEN);
    print_message("chazelle: %zu triangles, k %u, %zu pairs\n", found.primitive_count, k, pairs);
    /* Doubling the triangles doubles k and makes four times as many pairs, nearly. */
    if (last_k > 0) assert_true(2 * k > 3 * last_k && pairs > 3 * last_pairs);
    last_k = k;
    last_pairs = pairs;
    graze_crowding_free(&found);
    graze_scene_destroy(made.scene);
  }
}

TEST(no_pairs_exceed_the_bound) {
  const char *const names[] = {"chazelle", "blobs", "soup",     "needles",   "mix",    "tet-pair", "folded-cloth",
                               "rods",     "boxes", "tet-soup", "cell-pair", "panels", "spheres",  "sphere-lattice"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    for (uint64_t seed = 0; seed < 3; seed++) {
      const model_scene made = scene_of_model(names[i], test_scaled(3000, 800), seed);
      uint64_t near = 0, count = 0;
      uint32_t k = 0, factor = 0;
      for (size_t object = 0; object < made.count; object++) {
        OWNED(graze_crowding) found = measure(made.scene, made.objects[object]);
        for (size_t p = 0; p < found.count; p++) near += found.k_of[p] - 1;
        count += found.primitive_count;
        k = found.k > k ? found.k : k;
        factor = found.bound_factor;
      }
      assert_true(pairs_in(made.scene, GRAZE_SCOPE_WITHIN) <= near);
      assert_true(pairs_in(made.scene, GRAZE_SCOPE_BETWEEN) <= factor * count * k);
      graze_scene_destroy(made.scene);
    }
}

/* ---------------------------------------------------------------------------------------------- grid and brute force
 */

static void use_method(graze_scene *scene, const char *name) {
  graze_method_def method = graze_method_def_default();
  method.name = name;
  assert_ok(graze_scene_set_method(scene, &method));
}

static void compare_methods(graze_scene *scene, graze_object object, const char *name) {
  use_method(scene, "brute");
  OWNED(graze_crowding) wanted = measure(scene, object);
  use_method(scene, "grid");
  OWNED(graze_crowding) found = measure(scene, object);
  for (size_t i = 0; i < wanted.count; i++)
    if (found.k_of[i] != wanted.k_of[i] || found.neighbors_of[i] != wanted.neighbors_of[i])
      fail_msg("%s %zu: k %u, not %u", name, i, found.k_of[i], wanted.k_of[i]);
  print_message("%s: %zu %s, k %u\n", name, found.primitive_count, graze_kind_text(found.kind, 2), found.k);
}

TEST(grid_agrees_with_brute_force_on_models) {
  const char *const names[] = {"soup",     "needles",  "mix",   "folded-cloth", "rods",    "boxes",         "chazelle",
                               "tet-pair", "tet-soup", "cells", "panels",       "spheres", "sphere-lattice"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const model_scene made = scene_of_model(names[i], test_scaled(4000, 800), 1);
    for (size_t object = 0; object < made.count; object++) compare_methods(made.scene, made.objects[object], names[i]);
    graze_scene_destroy(made.scene);
  }
}

TEST(grid_agrees_with_brute_force_on_real_meshes) {
  const char *const files[] = {"meshes/bunny_7k.off",        "meshes/chair_soup.off", "meshes/coplanar_cubes.off",
                               "meshes/thingi_72214.stl.gz", "tets/octopus-low.mesh", "tets/Armadillo2.5K.vtk.gz"};
  const char *folder = getenv("GRAZE_DATA");
  if (folder == NULL) {
    print_message("skipped: GRAZE_DATA names no folder\n");
    skip();
  }
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
    char path[1024], message[1024];
    mesh *meshes;
    size_t mesh_count;
    OWNED_SCENE *scene;
    graze_object object;
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    if (!mesh_file_read(path, NULL, &meshes, &mesh_count, message, sizeof message)) fail_msg("%s", message);
    assert_ok(graze_scene_create(NULL, &scene));
    assert_ok(mesh_object_add(scene, &meshes[0], files[i], &object));
    mesh_list_free(meshes, mesh_count);
    assert_ok(graze_scene_update(scene));
    compare_methods(scene, object, files[i]);
  }
}

TEST(failing_memory_leaves_the_scene_whole) {
  for (size_t refused = 0;; refused++) {
    checked_allocator counting;
    memory unused;
    checked_init(&counting, &unused, SIZE_MAX);
    const graze_allocator allocator = {sizeof allocator, &counting, checked_allocate, checked_release};
    graze_scene_def scene_def = graze_scene_def_default();
    scene_def.worker_count = 1;
    scene_def.allocator = &allocator;
    graze_scene *scene = create_scene(&scene_def);
    const graze_mesh_def def = crossing_def();
    graze_object object;
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
    assert_ok(graze_scene_update(scene));
    counting.refused = atomic_load(&counting.allocations) + refused;
    graze_crowding crowding = {0};
    const graze_result result = graze_scene_measure_crowding(scene, object, &crowding);
    const bool reached = atomic_load(&counting.allocations) > counting.refused;
    assert_int_equal(result, reached ? GRAZE_OUT_OF_MEMORY : GRAZE_OK);
    counting.refused = SIZE_MAX;
    assert_int_equal(k_of_object(scene, object), 2);
    assert_int_equal(count_pairs(scene), 1);
    graze_scene_destroy(scene);
    graze_crowding_free(&crowding);
    assert_int_equal(atomic_load(&counting.live), 0);
    assert_int_equal(atomic_load(&counting.faults), 0);
    if (!reached) break;
  }
}
