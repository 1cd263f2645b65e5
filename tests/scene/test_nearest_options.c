/* Tests options of least distances: depths of overlapping objects, and time limits. */
#include "base/number_sequence.h"
#include "graze/nearest.h"
#include "graze/regions.h"
#include "small_meshes.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdlib.h>

static graze_scene *make_scene(const char *method, const mesh *meshes, uint32_t count) {
  graze_scene_def def = graze_scene_def_default();
  graze_method_def how = graze_method_def_default();
  def.worker_count = 2;
  how.name = method;
  graze_scene *scene = create_scene(&def);
  assert_ok(graze_scene_set_method(scene, &how));
  for (uint32_t i = 0; i < count; i++) {
    graze_mesh_def body = graze_mesh_def_default();
    body.positions = double_view(meshes[i].positions, meshes[i].vertex_count);
    body.triangles = index_view(meshes[i].triangles, meshes[i].triangle_count);
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &body, NULL, NULL));
  }
  return scene;
}

static void place(graze_scene *scene, uint32_t object, double x, double y) {
  const graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {x, y, 0}};
  assert_ok(graze_object_set_pose(scene, (graze_object){object, 1}, &pose));
}

static double length_of(const double v[3]) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* The depth that regions of all objects have for two of them. */
static const graze_region_objects *depth_of(const graze_regions *regions, const graze_nearest *row) {
  for (size_t i = 0; i < regions->object_pair_count; i++)
    if (regions->objects[i].object_a == row->pair.object_a && regions->objects[i].object_b == row->pair.object_b)
      return &regions->objects[i];
  return NULL;
}

static void check_depths(const graze_scene *scene, graze_nearest_scope scope, size_t wanted_overlaps) {
  OWNED(graze_nearest_list) plain = {0}, deep = {0};
  graze_nearest_options options = graze_nearest_options_default();
  options.scope = scope;
  assert_ok(graze_scene_find_nearest(scene, &options, &plain));
  options.depths = true;
  assert_ok(graze_scene_find_nearest(scene, &options, &deep));
  graze_regions regions = find_regions(scene, NULL, NULL);
  assert_int_equal(plain.count, deep.count);
  size_t overlaps = 0;
  for (size_t i = 0; i < deep.count; i++) {
    const graze_nearest *row = &deep.nearests[i];
    assert_memory_equal(&row->pair, &plain.nearests[i].pair, sizeof row->pair);
    assert_true(plain.nearests[i].distance >= 0.0);
    if (row->distance >= 0.0) {
      assert_memory_equal(row, &plain.nearests[i], sizeof *row);
      continue;
    }
    const graze_region_objects *wanted = depth_of(&regions, row);
    assert_non_null(wanted);
    assert_true(row->distance == -wanted->depth && row->lower == row->distance && row->upper == 0.0);
    assert_memory_equal(row->normal, wanted->normal, sizeof row->normal);
    assert_true(plain.nearests[i].distance == 0.0 && wanted->depth > 0.0);
    overlaps++;
  }
  assert_int_equal(overlaps, wanted_overlaps);
  graze_regions_free(&regions);
}

/* Balls of radius 1 in a row: 0 and 1 overlap by nearly 0.5, 1 and 2 do not. A ball inside another is at a distance. */
TEST(test_depths) {
  static const char *const methods[] = {"tree", "grid"};
  OWNED(mesh) ball = torture_first_mesh("sphere", 400, 1);
  const mesh meshes[3] = {ball, ball, ball};
  for (int i = 0; i < 2; i++) {
    OWNED_SCENE *scene = make_scene(methods[i], meshes, 3);
    place(scene, 1, 1.5, 0.0);
    place(scene, 2, 4.0, 0.0);
    assert_ok(graze_scene_update(scene));
    check_depths(scene, GRAZE_NEAREST_OBJECT_PAIRS, 1);
    check_depths(scene, GRAZE_NEAREST_EACH_OBJECT, 2);
    check_depths(scene, GRAZE_NEAREST_OF_ALL, 1);
    graze_nearest_options options = graze_nearest_options_default();
    options.depths = true;
    OWNED(graze_nearest_list) found = find_nearest(scene, &options);
    assert_true(found.nearests[0].distance < -0.4 && found.nearests[0].distance > -0.6);
    assert_true(found.nearests[0].normal[0] > 0.9);
    assert_true(fabs(found.nearests[2].distance - 0.5) < 0.1 && found.nearests[2].normal[0] > 0.9);
    for (size_t row = 0; row < found.count; row++) assert_true(fabs(length_of(found.nearests[row].normal) - 1) < 1e-12);
  }
}

/* Two parts of one object overlap a third ball from both sides: the depth is that of the whole object, which gets free
 * along another axis. */
TEST(test_depths_of_parts) {
  OWNED(mesh) ball = torture_first_mesh("sphere", 100, 1);
  OWNED_SCENE *scene = create_scene(NULL);
  for (uint32_t i = 0; i < 3; i++) {
    graze_mesh_def body = graze_mesh_def_default();
    graze_object_def placed = graze_object_def_default();
    body.positions = double_view(ball.positions, ball.vertex_count);
    body.triangles = index_view(ball.triangles, ball.triangle_count);
    placed.global_numbers = true;
    placed.global_object = i == 0 ? 3 : 7;
    placed.global_primitive = 1000 * i;
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &body, &placed, NULL));
  }
  place(scene, 1, 1.75, 0.0);
  place(scene, 2, -1.25, 0.0);
  assert_ok(graze_scene_update(scene));
  graze_nearest_options options = graze_nearest_options_default();
  options.depths = true;
  OWNED(graze_nearest_list) found = find_nearest(scene, &options);
  assert_int_equal(found.count, 2);
  for (size_t i = 0; i < found.count; i++) {
    const graze_nearest *row = &found.nearests[i];
    assert_int_equal(row->pair.object_a, 3);
    assert_true(row->distance < 0.0);
    assert_true(row->distance > -2.1 && row->distance < -1.7 && row->distance == found.nearests[0].distance);
    assert_true(fabs(row->normal[0]) < 0.1);
  }
}

/* Squares that share an edge touch without a depth. */
TEST(test_touching_has_no_depth) {
  static double positions[2][9] = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 0, 0, 1, 0, 0, 0, -1, 0}};
  static uint32_t triangle[3] = {0, 1, 2};
  mesh meshes[2] = {{.positions = positions[0], .vertex_count = 3, .triangles = triangle, .triangle_count = 1},
                    {.positions = positions[1], .vertex_count = 3, .triangles = triangle, .triangle_count = 1}};
  OWNED_SCENE *scene = make_scene("tree", meshes, 2);
  assert_ok(graze_scene_update(scene));
  check_depths(scene, GRAZE_NEAREST_OBJECT_PAIRS, 0);
}

/* However little time there is, each row has a measured pair and bounds that hold. */
TEST(test_time_limits) {
  enum { OBJECTS = 12 };
  OWNED(mesh) gear = torture_first_mesh("gear", 400, 1);
  mesh meshes[OBJECTS];
  for (int i = 0; i < OBJECTS; i++) meshes[i] = gear;
  OWNED_SCENE *scene = make_scene("tree", meshes, OBJECTS);
  for (uint32_t i = 0; i < OBJECTS; i++) place(scene, i, 2.3 * (i % 4), 2.3 * (i / 4));
  assert_ok(graze_scene_update(scene));
  graze_nearest_list every = {0}, found = {0};
  size_t incomplete = 0;
  for (int scope = 0; scope <= GRAZE_NEAREST_OF_ALL; scope++) {
    graze_nearest_options options = graze_nearest_options_default();
    options.scope = (graze_nearest_scope)scope;
    assert_ok(graze_scene_find_nearest(scene, &options, &every));
    for (options.time_limit_ms = 1e-6; options.time_limit_ms < 1e6; options.time_limit_ms *= 20.0) {
      assert_ok(graze_scene_find_nearest(scene, &options, &found));
      assert_int_equal(found.count, every.count);
      bool complete = true;
      for (size_t i = 0; i < found.count; i++) {
        const graze_nearest *row = &found.nearests[i];
        const graze_nearest *wanted = &every.nearests[scope == GRAZE_NEAREST_OBJECT_PAIRS ? 0 : i];
        while (scope == GRAZE_NEAREST_OBJECT_PAIRS &&
               (wanted->pair.object_a != row->pair.object_a || wanted->pair.object_b != row->pair.object_b))
          wanted++;
        assert_true(row->lower <= wanted->upper && wanted->lower <= row->upper && row->distance >= wanted->distance);
        assert_true(row->complete == 0 || row->distance == wanted->distance);
        complete = complete && row->complete == 1;
        incomplete += row->complete == 0;
      }
      assert_int_equal(found.complete, complete);
    }
    assert_int_equal(found.complete, 1);
  }
  assert_true(incomplete > 0);
  graze_nearest_list_free(&every);
  graze_nearest_list_free(&found);
}

/* The nearest object is the second candidate of the first one, which lies in the box of two far triangles. */
TEST(test_what_was_not_searched) {
  static double positions[3][18] = {{0, 0, 0, 1, 0, 0, 0, 1, 0},
                                    {-9, -9, -9, -8, -9, -9, -9, -8, -9, 9, 9, 9, 8, 9, 9, 9, 8, 9},
                                    {0, 0, 2, 1, 0, 2, 0, 1, 2}};
  static uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
  mesh meshes[3];
  for (int i = 0; i < 3; i++)
    meshes[i] = (mesh){.positions = positions[i],
                       .vertex_count = i == 1 ? 6 : 3,
                       .triangles = triangles,
                       .triangle_count = i == 1 ? 2 : 1};
  OWNED_SCENE *scene = make_scene("tree", meshes, 3);
  assert_ok(graze_scene_update(scene));
  graze_nearest_options options = graze_nearest_options_default();
  options.scope = GRAZE_NEAREST_EACH_OBJECT;
  OWNED(graze_nearest_list) found = find_nearest(scene, &options);
  assert_true(found.nearests[0].pair.object_b == 2 && found.nearests[0].distance == 2.0 && found.complete == 1);
  options.time_limit_ms = 1e-9;
  assert_ok(graze_scene_find_nearest(scene, &options, &found));
  assert_true(found.nearests[0].pair.object_b == 1 && found.nearests[0].complete == 0 && found.complete == 0);
  assert_true(found.nearests[0].lower > 1.9 && found.nearests[0].lower <= 2.0 && found.nearests[0].upper > 10.0);
}

/* Objects that meet in many pairs: the first of all is named, or the row is not complete. */
TEST(test_meeting_without_time) {
  mesh meshes[2] = {torture_first_mesh("soup", 3000, 1), torture_first_mesh("soup", 3000, 2)};
  graze_scene *scene = make_scene("tree", meshes, 2);
  assert_ok(graze_scene_update(scene));
  graze_nearest_list exact = {0}, found = {0};
  graze_nearest_options options = graze_nearest_options_default();
  assert_ok(graze_scene_find_nearest(scene, &options, &exact));
  options.time_limit_ms = 1e-9;
  assert_ok(graze_scene_find_nearest(scene, &options, &found));
  assert_true(found.count == 1 && exact.count == 1 && found.nearests[0].distance == 0.0);
  assert_memory_not_equal(&found.nearests[0].pair, &exact.nearests[0].pair, sizeof(graze_pair));
  assert_true(found.complete == 0 && found.nearests[0].complete == 0 && exact.complete == 1);
  graze_nearest_list_free(&exact);
  graze_nearest_list_free(&found);
  graze_scene_destroy(scene);
  for (int i = 0; i < 2; i++) mesh_free(&meshes[i]);
}

static bool stop_now(void *context) {
  (void)context;
  return true;
}

TEST(test_refusals) {
  graze_object a;
  OWNED_SCENE *scene = crossing_scene(&a);
  OWNED(graze_nearest_list) found = {0};
  graze_nearest_options options = graze_nearest_options_default();
  options.time_limit_ms = -1.0;
  assert_int_equal(graze_scene_find_nearest(scene, &options, &found), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "the time limit is -1 ms: it must not be negative");
  options.time_limit_ms = NAN;
  assert_int_equal(graze_scene_find_nearest(scene, &options, &found), GRAZE_INVALID_ARGUMENT);
  options.time_limit_ms = 1e-9; /* a caller who stops gets no list, however short the time */
  options.should_stop = stop_now;
  assert_int_equal(graze_scene_find_nearest(scene, &options, &found), GRAZE_STOPPED);
  assert_int_equal(found.count, 0);
}
