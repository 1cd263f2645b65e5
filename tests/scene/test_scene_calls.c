/* Tests public calls with valid and invalid arguments: result codes, exact messages, and a scene that remains usable.
 */
#include "graze/names.h"
#include "method_names.h"
#include "small_meshes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

TEST(test_results_have_words) {
  assert_string_equal(graze_result_text(GRAZE_OK), "ok");
  assert_string_equal(graze_result_text(GRAZE_TOO_LARGE), "a size exceeds what an index can count");
  for (int code = 0; code <= 15; code++)
    assert_string_not_equal(graze_result_text((graze_result)code), "unknown result");
  assert_string_equal(graze_result_text((graze_result)16), "unknown result");
  assert_string_equal(graze_version(), GRAZE_VERSION_TEXT);
}

/* The finalizer of MurmurHash3, step by step. */
static uint64_t fmix64(uint64_t x) {
  x ^= x >> 33;
  x *= UINT64_C(0xff51afd7ed558ccd);
  x ^= x >> 33;
  x *= UINT64_C(0xc4ceb9fe1a85ec53);
  x ^= x >> 33;
  return x;
}

TEST(test_hash_is_the_documented_one) {
  const graze_pair pairs[3] = {{1, 2, 3, 4}, {1, 2, 3, 5}, {UINT32_MAX, 7, UINT32_MAX, UINT32_MAX}};
  uint64_t hash = 0;
  assert_true(graze_pairs_hash(NULL, 0) == hash);
  for (int i = 0; i < 3; i++) {
    const uint64_t a = (uint64_t)pairs[i].object_a << 32 | pairs[i].primitive_a;
    const uint64_t b = (uint64_t)pairs[i].object_b << 32 | pairs[i].primitive_b;
    hash += fmix64(fmix64(a) + b * UINT64_C(0x9e3779b97f4a7c15));
    assert_true(graze_pairs_hash(pairs, (size_t)i + 1) == hash);
  }
  /* Written down too: objects 0 and 1 in one pair, by a program of another language. */
  const graze_pair first = {0, 0, 1, 0};
  assert_true(graze_pairs_hash(&first, 1) == UINT64_C(0x5b87c94aee2c7e65));
}

/* Parts in any order add up to the whole. */
TEST(test_hashes_of_parts_add_up) {
  enum { COUNT = 100 };
  graze_pair pairs[COUNT], reversed[COUNT];
  for (uint32_t i = 0; i < COUNT; i++) {
    pairs[i] = (graze_pair){i / 10, i, i / 5 + 1, 2 * i};
    reversed[COUNT - 1 - i] = pairs[i];
  }
  const uint64_t whole = graze_pairs_hash(pairs, COUNT);
  assert_true(graze_pairs_hash(reversed, COUNT) == whole);
  for (size_t i = 0; i <= COUNT; i++) {
    assert_true(graze_pairs_hash(pairs, i) + graze_pairs_hash(pairs + i, COUNT - i) == whole);
    if (i > 0) assert_true(graze_pairs_hash(pairs, i) != graze_pairs_hash(pairs, i - 1));
  }
}

TEST(test_null_arguments_are_refused) {
  graze_object object;
  graze_scene *scene = crossing_scene(&object);
  const graze_mesh_def def = crossing_def();
  const graze_method_def method = graze_method_def_default();
  const graze_view view = float_view(crossing_positions, 1);
  const uint32_t number = 0;
  const graze_pose pose = graze_pose_identity();
  graze_pairs pairs = {0};
  graze_contacts contacts = {0};
  bool found;
  assert_int_equal(graze_scene_create(NULL, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_add(NULL, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, NULL, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "the mesh is NULL: initialize it with graze_mesh_def_default()");
  assert_int_equal(graze_scene_remove_object(NULL, object), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_object_set_positions(NULL, object, 0, view), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_object_append_positions(NULL, object, view, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_object_set_pose(NULL, object, &pose), GRAZE_INVALID_ARGUMENT);
  assert_refused(graze_object_set_pose(scene, object, NULL), GRAZE_INVALID_ARGUMENT, "object 0: the pose is NULL");
  assert_int_equal(graze_object_set_filter(NULL, object, 1, 1, true), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_object_append_primitives(NULL, object, view, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_object_remove_primitives(NULL, object, &number, 1), GRAZE_INVALID_ARGUMENT);
  assert_refused(graze_object_remove_primitives(scene, object, NULL, 1), GRAZE_INVALID_ARGUMENT,
                 "the list of 1 triangles to remove is NULL");
  assert_int_equal(graze_scene_set_method(NULL, &method), GRAZE_INVALID_ARGUMENT);
  assert_refused(graze_scene_set_method(scene, NULL), GRAZE_INVALID_ARGUMENT,
                 "the method is NULL: initialize it with graze_method_def_default()");
  assert_int_equal(graze_scene_update(NULL), GRAZE_INVALID_ARGUMENT);
  assert_refused(graze_scene_find_pairs(NULL, NULL, &pairs), GRAZE_INVALID_ARGUMENT, "the scene is NULL");
  assert_refused(graze_scene_find_pairs(scene, NULL, NULL), GRAZE_INVALID_ARGUMENT, "the list of pairs is NULL");
  assert_int_equal(graze_scene_any_pair(NULL, NULL, &found, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_any_pair(scene, NULL, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_make_contacts(NULL, NULL, 0, NULL, &contacts), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_make_contacts(scene, NULL, 0, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  assert_refused(graze_scene_make_contacts(scene, NULL, 2, NULL, &contacts), GRAZE_INVALID_ARGUMENT,
                 "the list of 2 pairs is NULL");
  const graze_pair pair = {0, 0, 0, 1};
  graze_wrenches wrenches = {0};
  assert_refused(graze_scene_make_wrenches(NULL, &pair, 1, NULL, &wrenches), GRAZE_INVALID_ARGUMENT,
                 "the scene is NULL");
  assert_refused(graze_scene_make_wrenches(scene, &pair, 1, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "the list of wrenches is NULL");
  assert_refused(graze_scene_make_wrenches(scene, NULL, 1, NULL, &wrenches), GRAZE_INVALID_ARGUMENT,
                 "the list of 1 pairs is NULL");
  assert_int_equal(graze_scene_get_timings(scene, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_get_counters(NULL, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_set_backend(NULL, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(count_pairs(scene), 1);
  graze_pairs_free(&pairs);
  graze_contacts_free(&contacts);
  graze_wrenches_free(&wrenches);
  graze_pairs_free(NULL);
  graze_contacts_free(NULL);
  graze_wrenches_free(NULL);
  graze_crowding_free(NULL);
  graze_scene_destroy(scene);
  graze_scene_destroy(NULL);
}

static void assert_size_is_refused(const char *what, size_t bytes, size_t least, const char *maker) {
  char message[256];
  snprintf(message, sizeof message, "struct_bytes of %s is %zu, but must be at least %zu: initialize it with %s", what,
           bytes, least, maker);
  assert_string_equal(graze_error_text(), message);
}

TEST(test_definitions_of_other_sizes) {
  OWNED_SCENE *scene = (graze_scene *)&scene;
  graze_scene_def scene_def = graze_scene_def_default();
  scene_def.struct_bytes = 0;
  assert_int_equal(graze_scene_create(&scene_def, &scene), GRAZE_INVALID_ARGUMENT);
  assert_null(scene);
  assert_size_is_refused("the scene's definition", 0, sizeof scene_def, "graze_scene_def_default()");
  scene_def.struct_bytes = 3;
  assert_int_equal(graze_scene_create(&scene_def, &scene), GRAZE_INVALID_ARGUMENT);
  assert_size_is_refused("the scene's definition", 3, sizeof scene_def, "graze_scene_def_default()");
  scene_def = graze_scene_def_default();
  assert_ok(graze_scene_create(&scene_def, &scene));
  graze_mesh_def def = crossing_def();
  def.struct_bytes = 0;
  assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  assert_size_is_refused("the mesh", 0, sizeof def, "graze_mesh_def_default()");
  def.struct_bytes = offsetof(graze_mesh_def, cell_sizes);
  assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  def = crossing_def();
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
  assert_int_equal(count_pairs_updated(scene), 1);
  graze_query query = graze_query_default();
  graze_pairs pairs = {0};
  query.struct_bytes = 0;
  assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_INVALID_ARGUMENT);
  assert_size_is_refused("the query", 0, offsetof(graze_query, clearance), "graze_query_default()");
  query.struct_bytes = SIZE_MAX;
  assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_INVALID_ARGUMENT);
  graze_pairs_free(&pairs);
  graze_method_def method = graze_method_def_default();
  method.struct_bytes = 0;
  assert_int_equal(graze_scene_set_method(scene, &method), GRAZE_INVALID_ARGUMENT);
  assert_size_is_refused("the method", 0, sizeof method, "graze_method_def_default()");
  struct {
    graze_method_def known;
    char later[64];
  } longer; /* of a later version */
  graze_method_def_init(&longer, sizeof longer);
  assert_int_equal(longer.known.struct_bytes, sizeof longer);
  for (size_t i = 0; i < sizeof longer.later; i++) assert_int_equal(longer.later[i], 0);
  assert_ok(graze_scene_set_method(scene, &longer.known));
  longer.later[9] = 1;
  char message[256];
  snprintf(message, sizeof message,
           "byte %zu of the method is not 0, but this version, " GRAZE_VERSION_TEXT ", knows %zu bytes of it",
           sizeof method + 9, sizeof method);
  assert_refused(graze_scene_set_method(scene, &longer.known), GRAZE_UNSUPPORTED, message);
}

TEST(test_scene_definitions_are_checked) {
  graze_scene *scene;
  graze_scene_def def = graze_scene_def_default();
  graze_backend_def backend = graze_backend_def_default();
  backend.name = "cuda";
  def.backend = &backend;
  const graze_result cuda = graze_scene_create(&def, &scene);
  assert_true(cuda == GRAZE_OK || cuda == GRAZE_UNSUPPORTED || cuda == GRAZE_NO_DEVICE);
  assert_true((cuda == GRAZE_OK) == (scene != NULL));
  graze_scene_destroy(scene);
  /* The same for a scene that there is; with a message then. */
  assert_ok(graze_scene_create(NULL, &scene));
  assert_ok(graze_scene_update(scene));
  assert_int_equal(graze_scene_set_backend(scene, &backend), cuda);
  graze_pairs pairs = {0};
  const graze_result asked = graze_scene_find_pairs(scene, NULL, &pairs);
  assert_int_equal(asked, cuda == GRAZE_OK ? GRAZE_NOT_UPDATED : GRAZE_OK);
  assert_true(graze_error_text()[0] != '\0');
  graze_pairs_free(&pairs);
  backend.name = "abacus";
  assert_int_equal(graze_scene_set_backend(scene, &backend), GRAZE_INVALID_ARGUMENT);
  assert_non_null(strstr(graze_error_text(), "abacus"));
  graze_scene_destroy(scene);
  scene = NULL;
  def = graze_scene_def_default();
  def.threading = (graze_threading)9;
  assert_int_equal(graze_scene_create(&def, &scene), GRAZE_INVALID_ARGUMENT);
  def = graze_scene_def_default();
  const graze_allocator no_release = {sizeof no_release, NULL, NULL, NULL};
  def.allocator = &no_release;
  assert_int_equal(graze_scene_create(&def, &scene), GRAZE_INVALID_ARGUMENT);
  def = graze_scene_def_default();
  const graze_task_system no_workers = {sizeof no_workers, NULL, 0, NULL};
  def.tasks = &no_workers;
  assert_int_equal(graze_scene_create(&def, &scene), GRAZE_INVALID_ARGUMENT);
  assert_null(scene);
  def = graze_scene_def_default();
  def.worker_count = 100000; /* cut to what is sensible */
  assert_ok(graze_scene_create(&def, &scene));
  graze_scene_destroy(scene);
}

static void check_cluster_options(graze_scene *scene) {
  graze_method_def method = graze_method_def_default();
  assert_true(method.fuzziness == 2.0);
  method.name = "clusters";
  const graze_method_def plain = method;
  method.axis = (graze_axis)4;
  assert_refused(graze_scene_set_method(scene, &method), GRAZE_INVALID_ARGUMENT, "unknown axis number 4");
  method = plain;
  method.metric = (graze_metric)-1;
  assert_refused(graze_scene_set_method(scene, &method), GRAZE_INVALID_ARGUMENT, "unknown metric number -1");
  method = plain;
  method.clusters = 1025;
  assert_refused(graze_scene_set_method(scene, &method), GRAZE_INVALID_ARGUMENT,
                 "at most 1024 clusters are allowed, not 1025");
  const double bad[] = {1.0, 0.0, 16.5, NAN};
  for (int i = 0; i < 4; i++) {
    method = plain;
    method.fuzziness = bad[i];
    assert_int_equal(graze_scene_set_method(scene, &method), GRAZE_INVALID_ARGUMENT);
  }
  method = plain;
  method.clusters = 1024;
  method.fuzziness = 1.5;
  assert_ok(graze_scene_set_method(scene, &method));
  assert_int_equal(count_pairs(scene), 1);
}

TEST(test_methods_are_listed_and_checked) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  assert_true(graze_enumeration_count(GRAZE_ENUMERATION_METHOD) >= 2);
  graze_method_def method = graze_method_def_default();
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_METHOD); i++) {
    assert_non_null(graze_enumeration_description(GRAZE_ENUMERATION_METHOD, (int)i));
    method.name = graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)i);
    assert_ok(graze_scene_set_method(scene, &method));
    assert_int_equal(count_pairs(scene), 1);
  }
  method.name = "octree";
  assert_refused(graze_scene_set_method(scene, &method), GRAZE_INVALID_ARGUMENT,
                 "there is no method \"octree\"; the methods are auto, grid, tree, clusters, brute");
  method = graze_method_def_default();
  method.simd = (graze_simd)-1;
  assert_refused(graze_scene_set_method(scene, &method), GRAZE_INVALID_ARGUMENT, "unknown vector width number -1");
  check_cluster_options(scene);
  assert_int_equal(count_pairs(scene), 1);
}

TEST(test_queries_are_checked) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  graze_query query = graze_query_default();
  OWNED(graze_pairs) pairs = {.count = 5};
  bool found = true;
  query.scope = (graze_scope)0;
  assert_refused(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_INVALID_ARGUMENT, "unknown scope number 0");
  assert_int_equal(pairs.count, 0);
  query.scope = (graze_scope)4;
  assert_refused(graze_scene_any_pair(scene, &query, &found, NULL), GRAZE_INVALID_ARGUMENT, "unknown scope number 4");
  assert_false(found);
  query = graze_query_default();
  query.neighbors = (graze_neighbors)2;
  assert_refused(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_INVALID_ARGUMENT,
                 "unknown neighbor rule number 2");
  const char *const stale = "the scene was changed after its last update: call graze_scene_update";
  assert_ok(graze_object_set_filter(scene, object, 1, 1, true));
  assert_refused(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_NOT_UPDATED, stale);
  assert_refused(graze_scene_any_pair(scene, NULL, &found, NULL), GRAZE_NOT_UPDATED, stale);
  OWNED(graze_contacts) contacts = {0};
  assert_refused(graze_scene_make_contacts(scene, NULL, 0, NULL, &contacts), GRAZE_NOT_UPDATED, stale);
  assert_int_equal(count_pairs_updated(scene), 1);
  assert_string_equal(graze_error_text(), stale); /* of the last call that failed */
}

TEST(test_views_are_checked) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  graze_mesh_def def = crossing_def();
  def.positions.format = GRAZE_FORMAT_UINT32_3;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "positions have format 3; GRAZE_FORMAT_FLOAT3 or GRAZE_FORMAT_DOUBLE3 is required");
  def.positions.format = (graze_format)0;
  assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  def = crossing_def();
  def.triangles.format = GRAZE_FORMAT_FLOAT3;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "triangles have format 1; GRAZE_FORMAT_UINT32_3 or another format of three integers is required");
  def = crossing_def();
  def.positions.data = NULL;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "positions: the pointer to 9 elements is NULL");
  def = crossing_def();
  def.triangles.stride_bytes = 11;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_INVALID_ARGUMENT,
                 "triangles have a stride of 11 bytes; an element has 12");
  def = crossing_def();
  def.positions.count = SIZE_MAX;
  assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_TOO_LARGE);
  graze_view view = float_view(crossing_positions, (size_t)UINT32_MAX);
  assert_int_equal(graze_object_append_positions(scene, object, view, NULL), GRAZE_TOO_LARGE);
  view = index_view(crossing_triangles, (size_t)UINT32_MAX + 1);
  assert_int_equal(graze_object_append_primitives(scene, object, view, NULL), GRAZE_TOO_LARGE);
  view = float_view(crossing_positions, 3);
  assert_int_equal(graze_object_append_primitives(scene, object, view, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_object_set_positions(scene, object, 0, index_view(crossing_triangles, 3)),
                   GRAZE_INVALID_ARGUMENT);
  assert_int_equal(count_pairs(scene), 1); /* and no update is needed: nothing has changed */
}

/* The same nine vertices behind a header byte, 40 bytes apart, in doubles. */
TEST(test_strided_unaligned_views) {
  unsigned char positions[9 * 40 + 1], triangles[3 * 17 + 3];
  memset(positions, 0xff, sizeof positions); /* NaN between the elements */
  memset(triangles, 0xff, sizeof triangles);
  for (size_t i = 0; i < 9; i++) {
    double value[3];
    for (int axis = 0; axis < 3; axis++) value[axis] = (double)crossing_positions[3 * i + axis];
    memcpy(positions + 1 + 40 * i, value, sizeof value);
  }
  for (size_t i = 0; i < 3; i++) memcpy(triangles + 3 + 17 * i, crossing_triangles + 3 * i, 12);
  OWNED_SCENE *scene = create_scene(NULL);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions + 1, 9, 40, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){triangles + 3, 3, 17, GRAZE_FORMAT_UINT32_3};
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  memset(positions, 0, sizeof positions); /* the scene has copied them */
  assert_int_equal(count_pairs_updated(scene), 1);
}

TEST(test_bad_coordinates_are_named) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  float positions[27];
  memcpy(positions, crossing_positions, sizeof positions);
  graze_mesh_def def = crossing_def();
  def.positions = float_view(positions, 9);
  positions[3 * 7 + 1] = INFINITY;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_NOT_FINITE,
                 "object 1: coordinate y of vertex 7 is inf");
  positions[3 * 7 + 1] = 0;
  positions[0] = -INFINITY;
  assert_refused(graze_object_set_positions(scene, object, 4, float_view(positions, 2)), GRAZE_NOT_FINITE,
                 "object 0: coordinate x of vertex 4 is -inf");
  positions[0] = 0;
  positions[2] = NAN;
  assert_int_equal(graze_object_append_positions(scene, object, float_view(positions, 1), NULL), GRAZE_NOT_FINITE);
  assert_non_null(strstr(graze_error_text(), "object 0: coordinate z of vertex 9 is "));
  assert_non_null(strstr(graze_error_text(), "nan"));
  assert_int_equal(count_pairs(scene), 1);
}

TEST(test_bad_indices_are_named) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  const uint32_t triangles[6] = {0, 1, 2, 3, 9, 4};
  graze_mesh_def def = crossing_def();
  def.triangles = index_view(triangles, 2);
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE,
                 "object 1: triangle 1 refers to vertex 9 at corner 1; the object has 9 vertices");
  uint32_t first = 99;
  assert_refused(graze_object_append_primitives(scene, object, index_view(triangles, 2), &first),
                 GRAZE_INDEX_OUT_OF_RANGE,
                 "object 0: triangle 4 refers to vertex 9 at corner 1; the object has 9 vertices");
  assert_int_equal(first, 99);
  assert_int_equal(graze_object_set_positions(scene, object, 8, float_view(crossing_positions, 2)),
                   GRAZE_INDEX_OUT_OF_RANGE);
  assert_refused(graze_object_set_positions(scene, object, SIZE_MAX, float_view(crossing_positions, 0)),
                 GRAZE_INDEX_OUT_OF_RANGE,
                 "object 0: positions 18446744073709551615 to 18446744073709551615 are out of range; the object has 9");
  assert_int_equal(count_pairs(scene), 1);
}

/* The header promises that the message uses the name of an object that has one. */
TEST(test_messages_use_names) {
  OWNED_SCENE *scene = create_scene(NULL);
  graze_mesh_def def = crossing_def();
  char name[] = "left wing";
  def.name = name;
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  memset(name, 'x', sizeof name - 1); /* the scene has a copy */
  const uint32_t number = 12;
  assert_int_equal(graze_object_remove_primitives(scene, object, &number, 1), GRAZE_INDEX_OUT_OF_RANGE);
  assert_non_null(strstr(graze_error_text(), "left wing"));
}

TEST(test_empty_scenes_and_objects) {
  OWNED_SCENE *scene = create_scene(NULL);
  for (int round = 0; round < 4; round++) {
    graze_mesh_def def = graze_mesh_def_default();
    if (round == 2) def.positions = float_view(crossing_positions, 9); /* vertices and no triangle */
    if (round > 0) assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
    for (size_t i = 0; method_name_at(i) != NULL; i++) {
      graze_method_def method = graze_method_def_default();
      method.name = method_name_at(i);
      assert_ok(graze_scene_set_method(scene, &method));
      assert_int_equal(count_pairs_updated(scene), 0);
      bool found = true;
      assert_ok(graze_scene_any_pair(scene, NULL, &found, NULL));
      assert_false(found);
      OWNED(graze_contacts) contacts = make_contacts(scene, NULL, 0, NULL);
      assert_int_equal(contacts.count, 0);
    }
  }
  const graze_mesh_def def = crossing_def();
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
  assert_int_equal(count_pairs_updated(scene), 1);
}

/* Meshes that several workers copy: of two things that are wrong, in different pieces, the first is named; floats,
 * doubles, and floats with gaps. */
TEST(test_large_meshes_name_their_first_mistake) {
  enum { COUNT = 60000, STRIDE = 5 };
  static float floats[STRIDE * COUNT];
  static double doubles[3 * COUNT];
  static uint32_t corners[3 * COUNT];
  for (size_t i = 0; i < 3 * COUNT; i++) corners[i] = (uint32_t)(i % COUNT);
  for (size_t i = 0; i < STRIDE * COUNT; i++) floats[i] = (float)(i % 1000);
  for (size_t i = 0; i < 3 * COUNT; i++) doubles[i] = (double)(i % 1000);
  const graze_view views[3] = {{floats, COUNT, 0, GRAZE_FORMAT_FLOAT3},
                               {doubles, COUNT, 0, GRAZE_FORMAT_DOUBLE3},
                               {floats, COUNT, STRIDE * sizeof(float), GRAZE_FORMAT_FLOAT3}};
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  for (int i = 0; i < 3; i++) {
    const size_t step = i == 2 ? STRIDE : 3;
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = views[i];
    def.triangles = index_view(corners, COUNT);
    graze_object added;
    for (size_t k = 0; k < 2; k++)
      if (i == 1)
        doubles[(25000 + k * 30000) * step + 1] = INFINITY;
      else
        floats[(25000 + k * 30000) * step + 1] = INFINITY;
    assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &added), GRAZE_NOT_FINITE);
    assert_string_equal(graze_error_text(), "object 1: coordinate y of vertex 25000 is inf");
    for (size_t k = 0; k < 2; k++) doubles[(25000 + k * 30000) * 3 + 1] = floats[(25000 + k * 30000) * step + 1] = 1;
    corners[3 * 31000 + 2] = COUNT;
    corners[3 * 59999] = UINT32_MAX;
    assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &added), GRAZE_INDEX_OUT_OF_RANGE);
    assert_string_equal(graze_error_text(),
                        "object 1: triangle 31000 refers to vertex 60000 at corner 2; the object has 60000 vertices");
    corners[3 * 31000 + 2] = corners[3 * 59999] = 0;
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &added));
    assert_ok(graze_scene_remove_object(scene, added));
  }
}
