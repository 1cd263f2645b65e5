/* Tests which bodies may intersect: the same pairs and the same work for any number of workers, and no more work if the
 * scene is badly spread. */
#include "small_meshes.h"
#include "test_scale.h"
#include "tree_scenes.h"

#include <stdlib.h>

typedef enum body_layout {
  SPREAD,
  FAR_CLUSTER,
  TWO_CLUSTERS,
  DIAGONAL,
  NEGATIVE_OUTLIER,
  ONE_POINT,
  LAYOUTS
} body_layout;

/* The position of a body, in a cube in which each intersects a few others. */
static void place_of(body_layout layout, size_t body, size_t count, uint64_t *sequence, double place_out[3]) {
  const double side = 0.6 * cbrt((double)count), along = 0.1 * (double)count * sequence_signed(sequence);
  for (int axis = 0; axis < 3; axis++) {
    place_out[axis] = side * sequence_signed(sequence);
    if (layout == FAR_CLUSTER) place_out[axis] += 1e9;
    if (layout == TWO_CLUSTERS && body % 2 == 1) place_out[axis] += 1e10;
    if (layout == DIAGONAL) place_out[axis] = along;
    if (layout == ONE_POINT) place_out[axis] = 3.0;
  }
  if (layout == FAR_CLUSTER && body == 0) place_out[0] = place_out[1] = place_out[2] = 0.0;
  if (layout == NEGATIVE_OUTLIER && body == 7) place_out[0] = place_out[1] = place_out[2] = -1e15;
}

static void add_bodies(graze_scene *scene, body_layout layout, size_t count) {
  static const uint32_t triangle[3] = {0, 1, 2};
  uint64_t sequence = 5;
  graze_mesh_def def = graze_mesh_def_default();
  def.triangles = index_view(triangle, 1);
  for (size_t i = 0; i < count; i++) {
    double place[3], positions[9];
    place_of(layout, i, count, &sequence, place);
    for (int k = 0; k < 9; k++) positions[k] = place[k % 3] + sequence_signed(&sequence);
    def.positions = double_view(positions, 3);
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
  }
}

typedef struct outcome {
  uint64_t hash, box_tests, candidates;
  size_t pairs;
} outcome;

static outcome find_all(graze_scene *scene) {
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  assert_ok(graze_scene_update(scene));
  OWNED(graze_pairs) found = find_pairs(scene, &query);
  const outcome made = {found.hash, found.counters->box_tests, found.counters->candidates, found.count};
  return made;
}

static outcome find_by_trees(body_layout layout, size_t count, uint32_t workers) {
  const tree_way way = {workers, GRAZE_SIMD_AUTO, GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO};
  OWNED_SCENE *scene = tree_scene_of(&way);
  add_bodies(scene, layout, count);
  const outcome made = find_all(scene);
  return made;
}

static uint64_t hash_by_the_grid(body_layout layout, size_t count) {
  graze_method_def grid = graze_method_def_default();
  OWNED_SCENE *scene = tree_empty_scene(1);
  grid.name = "grid";
  assert_ok(graze_scene_set_method(scene, &grid));
  add_bodies(scene, layout, count);
  const outcome made = find_all(scene);
  return made.hash;
}

/* Counts above and below those from which on sorts are shared out. */
TEST(test_any_number_of_workers) {
  const bool few = test_scale() < 1.0 && !test_looks_for_races(); /* the address sanitizer sees no more in many */
  const size_t counts[] = {33, 500, 3000, few ? 5000 : test_scaled(20000, 17000)};
  for (int layout = 0; layout < LAYOUTS; layout++)
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
      if (layout == ONE_POINT && counts[i] > 500) continue;
      if (test_is_sanitized() && counts[i] > 3000 && layout != SPREAD && layout != TWO_CLUSTERS) continue;
      const outcome alone = find_by_trees((body_layout)layout, counts[i], 1);
      assert_true(alone.pairs > 0);
      assert_true(alone.hash == hash_by_the_grid((body_layout)layout, counts[i]));
      const uint32_t first = test_is_sanitized() ? 2 + (uint32_t)(layout + (int)i) % 3 : 2; /* two numbers in turn */
      for (uint32_t workers = first; workers < 8; workers += test_is_sanitized() ? 3 : 1 + workers / 3) {
        const outcome shared = find_by_trees((body_layout)layout, counts[i], workers);
        if (memcmp(&alone, &shared, sizeof alone) != 0)
          fail_msg("layout %d, %zu bodies, %u workers: %llu box tests, alone %llu", layout, counts[i], workers,
                   (unsigned long long)shared.box_tests, (unsigned long long)alone.box_tests);
      }
    }
}

/* A test of boxes for each two bodies that are near along all axes, and hardly any for others. */
TEST(test_what_is_far_away_costs_nothing) {
  const size_t count = 4000;
  const outcome spread = find_by_trees(SPREAD, count, 1);
  const body_layout others[] = {FAR_CLUSTER, NEGATIVE_OUTLIER, TWO_CLUSTERS};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    const outcome other = find_by_trees(others[i], count, 2);
    if (other.box_tests > spread.box_tests + spread.box_tests / 8)
      fail_msg("layout %d: %llu box tests, spread %llu", (int)others[i], (unsigned long long)other.box_tests,
               (unsigned long long)spread.box_tests);
  }
}

/* Two objects side by side, and one far away, of 1, 2 and 4 triangles. */
static graze_scene *three_objects(void) {
  static const uint32_t triangles[12] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
  const tree_way way = {1, GRAZE_SIMD_AUTO, GRAZE_TREE_BUILDER_AUTO, GRAZE_TREE_UPDATE_AUTO};
  graze_scene *scene = tree_scene_of(&way);
  graze_mesh_def def = graze_mesh_def_default();
  for (int i = 0; i < 3; i++) {
    const double x = i == 2 ? 100.0 : 0.25 * i, positions[9] = {x, 0, 0, x + 1, 0, 0.5, x, 1, 1};
    def.positions = double_view(positions, 3);
    def.triangles = index_view(triangles, (size_t)1 << i);
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
  }
  assert_ok(graze_scene_update(scene));
  return scene;
}

TEST(test_searched_is_what_may_meet) {
  const uint64_t wanted[] = {7, 1 + 2, 0}; /* all with themselves; the two that are near; none */
  OWNED_SCENE *scene = three_objects();
  for (int i = 0; i < 3; i++) {
    graze_query query = graze_query_default();
    query.scope = i == 0 ? GRAZE_SCOPE_BOTH : GRAZE_SCOPE_BETWEEN;
    query.about_count = i == 2 ? 1 : 0;
    query.about_a = (graze_object){2, 1};
    OWNED(graze_pairs) found = find_pairs(scene, &query);
    assert_int_equal(found.counters->searched, wanted[i]);
  }
}
