/* Tests the calls that find pairs and measure them at once: contacts and distances are those of the pairs, in order,
 * and the list's memory serves frame after frame. */
#include "graze/distances.h"
#include "scene_runner.h"
#include "small_meshes.h"

static graze_scene *three_crossing_meshes(void) {
  const graze_mesh_def def = crossing_def();
  graze_scene *scene = create_scene(NULL);
  for (int i = 0; i < 3; i++) assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
  assert_ok(graze_scene_update(scene));
  return scene;
}

TEST(test_contacts) {
  OWNED_SCENE *scene = three_crossing_meshes();
  graze_query query = graze_query_default();
  query.test = GRAZE_TEST_GJK;
  graze_contact_options options = graze_contact_options_default();
  options.test = GRAZE_TEST_GJK;
  OWNED(graze_contacts) wanted = {0}, found = {0};
  OWNED(graze_pairs) pairs = find_pairs(scene, &query);
  assert_ok(graze_scene_make_contacts(scene, pairs.pairs, pairs.count, &options, &wanted));
  for (int frame = 0; frame < 2; frame++) {
    assert_ok(graze_scene_find_contacts(scene, &query, NULL, &found));
    assert_true(found.count == pairs.count && found.count > 0 && found.point_count == wanted.point_count);
    assert_memory_equal(found.points, wanted.points, found.point_count * sizeof *found.points);
    for (size_t i = 0; i < found.count; i++) {
      assert_memory_equal(&found.contacts[i].pair, &pairs.pairs[i], sizeof(graze_pair));
      assert_memory_equal(found.contacts[i].witness_a, wanted.contacts[i].witness_a, 6 * sizeof(double));
    }
    assert_true(found.timings->search_ms + found.timings->test_ms > 0.0);
  }
  query.test = GRAZE_TEST_SAT;
  assert_int_equal(graze_scene_find_contacts(scene, &query, &options, &found), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "the test of the options is gjk, but the query measures its pairs with sat");
  assert_true(found.count == 0 && found.contacts == NULL);
  query.clearance = 0.5;
  assert_int_equal(graze_scene_find_contacts(scene, &query, NULL, &found), GRAZE_UNSUPPORTED);
  assert_string_equal(graze_error_text(), "contacts need pairs that intersect: the query has a clearance of 0.5");
  query = graze_query_default();
  query.candidates_only = true;
  assert_int_equal(graze_scene_find_contacts(scene, &query, NULL, &found), GRAZE_UNSUPPORTED);
}

TEST(test_distances) {
  OWNED_SCENE *scene = three_crossing_meshes();
  graze_query query = graze_query_default();
  query.clearance = 0.75;
  OWNED(graze_distances) wanted = {0}, found = {0};
  OWNED(graze_pairs) pairs = find_pairs(scene, &query);
  assert_ok(graze_scene_make_distances(scene, pairs.pairs, pairs.count, &wanted));
  for (int frame = 0; frame < 2; frame++) {
    assert_ok(graze_scene_find_distances(scene, &query, &found));
    assert_true(found.count == pairs.count && found.count > 0 && found.nearest == wanted.nearest);
    assert_memory_equal(found.distances, wanted.distances, found.count * sizeof *found.distances);
  }
  query.clearance = -1;
  assert_int_equal(graze_scene_find_distances(scene, &query, &found), GRAZE_INVALID_ARGUMENT);
  assert_true(found.count == 0 && found.distances == NULL);
}
