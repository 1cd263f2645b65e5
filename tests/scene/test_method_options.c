/* Tests every option of methods with every method: accepted if the method supports it, otherwise rejected with a
 * message. Runs on the processor, or on the backend in GRAZE_TEST_BACKEND. The table is the test's own. */
#include "graze/cuda.h"
#include "graze/names.h"
#include "scene_calls.h"
#include "testing.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct option_row {
  const char *name, *value;
  void (*set)(graze_method_def *def);
  const char *methods, *device_methods; /* that have it */
} option_row;

#define SETTER(field, number)                                                                                          \
  static void set_##field(graze_method_def *def) {                                                                     \
    def->field = number;                                                                                               \
  }

SETTER(tree_builder, GRAZE_TREE_BUILDER_SPLITS)
SETTER(tree_update, GRAZE_TREE_UPDATE_REFIT)
SETTER(clusters, 7)
SETTER(axis, GRAZE_AXIS_X)
SETTER(metric, GRAZE_METRIC_LINF)
SETTER(fuzziness, 1.5)

static const option_row options[] = {
    {"tree_builder", "splits", set_tree_builder, "auto, tree", "tree"},
    {"tree_update", "refit", set_tree_update, "auto, tree", "tree"},
    {"clusters", "7", set_clusters, "clusters", "clusters"},
    {"axis", "x", set_axis, "clusters", "clusters"},
    {"metric", "linf", set_metric, "clusters", "clusters"},
    {"fuzziness", "1.5", set_fuzziness, "clusters", "clusters"},
};
enum { OPTIONS = sizeof options / sizeof options[0] };

static bool is_on_device(void) {
  const char *wanted = getenv("GRAZE_TEST_BACKEND");
  return wanted != NULL && strcmp(wanted, "cuda") == 0;
}

static const char *method_name(size_t number) {
  return number == 0 ? "auto" : graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)number - 1);
}

/* No name of a method is part of another's. */
static bool has(const char *methods, const char *name) {
  return strstr(methods, name) != NULL;
}

static graze_scene *crossing_scene(const char *backend_name) {
  static const float positions[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 0.5f, 0.5f, -1, 0.5f, 0.5f, 1, 3, 3, 0};
  static const uint32_t triangles[] = {0, 1, 2, 3, 4, 5};
  graze_backend_def backend = graze_backend_def_default();
  backend.name = backend_name;
  graze_scene_def def = graze_scene_def_default();
  def.backend = &backend;
  graze_object object;
  graze_scene *scene = create_scene(&def);
  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions = (graze_view){positions, 6, 0, GRAZE_FORMAT_FLOAT3};
  mesh.triangles = (graze_view){triangles, 2, 0, GRAZE_FORMAT_UINT32_3};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh, NULL, &object));
  assert_ok(graze_scene_update(scene));
  return scene;
}

static size_t count_pairs(const graze_scene *scene) {
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  const size_t count = pairs.count;
  return count;
}

/* The expected result code of an option: GRAZE_OK if the method supports it. */
static graze_result expected_refusal(const option_row *option, const char *method, bool on_device, char text[256]) {
  text[0] = '\0';
  if (!has(option->methods, method)) {
    snprintf(text, 256, "the method \"%s\" has no option %s (given: %s); methods that have it: %s", method,
             option->name, option->value, option->methods);
    return GRAZE_INVALID_ARGUMENT;
  }
  if (!on_device || has(option->device_methods, method)) return GRAZE_OK;
  snprintf(text, 256,
           "the method \"%s\" has no option %s (given: %s) on the backend cuda; methods that have it there: %s", method,
           option->name, option->value, option->device_methods);
  return GRAZE_UNSUPPORTED;
}

TEST(test_every_option_with_every_method) {
  OWNED_SCENE *scene = crossing_scene(is_on_device() ? "cuda" : "cpu");
  size_t taken = 0;
  for (size_t m = 0; m <= graze_enumeration_count(GRAZE_ENUMERATION_METHOD); m++)
    for (size_t i = 0; i < OPTIONS; i++) {
      char text[256];
      graze_method_def def = graze_method_def_default();
      def.name = method_name(m);
      const graze_result wanted = expected_refusal(&options[i], def.name, is_on_device(), text);
      options[i].set(&def);
      const size_t before = count_pairs(scene);
      const graze_result result = graze_scene_set_method(scene, &def);
      if (result != wanted) fail_msg("%s with %s: %s", def.name, options[i].name, graze_result_text(result));
      if (wanted != GRAZE_OK) assert_string_equal(graze_error_text(), text);
      taken += wanted == GRAZE_OK;
      if (wanted != GRAZE_OK) assert_int_equal(count_pairs(scene), before);
      if (wanted == GRAZE_OK) assert_int_equal(count_pairs(scene), 1);
    }
  assert_int_equal(taken, is_on_device() ? 6 : 8);
}

/* A scene whose method has an option that the backend lacks does not get there. */
TEST(test_every_option_on_the_way_to_a_backend) {
  if (!is_on_device()) skip();
  const graze_backend_def processor = graze_backend_def_default();
  graze_backend_def device = graze_backend_def_default();
  device.name = "cuda";
  OWNED_SCENE *scene = crossing_scene("cpu");
  for (size_t m = 0; m <= graze_enumeration_count(GRAZE_ENUMERATION_METHOD); m++)
    for (size_t i = 0; i < OPTIONS; i++) {
      char text[256];
      graze_method_def def = graze_method_def_default();
      def.name = method_name(m);
      options[i].set(&def);
      if (!has(options[i].methods, def.name)) continue;
      assert_ok(graze_scene_set_method(scene, &def));
      const graze_result wanted = expected_refusal(&options[i], def.name, true, text);
      assert_int_equal(graze_scene_set_backend(scene, &device), wanted);
      if (wanted != GRAZE_OK) assert_string_equal(graze_error_text(), text);
      assert_ok(graze_scene_set_backend(scene, &processor));
    }
}

/* ---------------------------------------------------------------------------------------------- other options */

TEST(test_contacts_on_a_device_have_a_test_that_exists) {
  if (!is_on_device()) skip();
  OWNED_SCENE *scene = crossing_scene("cuda");
  graze_contact_options how = graze_contact_options_default();
  how.test = (graze_test)9;
  OWNED(graze_device_contacts) contacts = {0};
  assert_int_equal(graze_scene_make_contacts_on_device(scene, NULL, 0, &how, &contacts), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "unknown pair test number 9");
}

/* Wrenches of a query are measured by its test: another test in their options would be ignored. */
TEST(test_wrenches_have_the_test_of_the_query) {
  OWNED_SCENE *scene = crossing_scene(is_on_device() ? "cuda" : "cpu");
  graze_query query = graze_query_default();
  graze_contact_options how = graze_contact_options_default();
  OWNED(graze_wrenches) wrenches = {0};
  how.test = GRAZE_TEST_GJK;
  assert_int_equal(graze_scene_find_wrenches(scene, &query, &how, &wrenches), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "the test of the options is gjk, but the query measures its pairs with sat");
  query.test = GRAZE_TEST_GJK;
  assert_ok(graze_scene_find_wrenches(scene, &query, &how, &wrenches));
  how.test = GRAZE_TEST_SAT;
  assert_ok(graze_scene_find_wrenches(scene, &query, &how, &wrenches));
  how.test = (graze_test)9;
  assert_int_equal(graze_scene_find_wrenches(scene, &query, &how, &wrenches), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "unknown pair test number 9");
}
