/* Compares the method "tree", whose boxes never use posed positions, with the exact predicate on posed positions, for
 * triangles that touch, or just do not, by the rounding of their poses.
 *
 * Runs a few triangles of two objects at a time, most of a million times: one corner of the first is placed at the
 * posed corner of the other, or an ulp beside it, and the other points away from there, so that the boxes share only
 * that corner. Sizes and their ratios cover the range of double. */
#include "base/number_sequence.h"
#include "graze/triangle.h"
#include "posed_object.h"
#include "small_meshes.h"
#include "test_scale.h"
#include "tree_scenes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { TRIANGLES = 3, CORNERS = 3 * TRIANGLES };

typedef struct touching_pair {
  graze_scene *scene;
  graze_object objects[2];
  double positions[2][3 * CORNERS], posed[2][3 * CORNERS];
  double rotation[2][9], translation[2][3];
  uint64_t sequence;
  size_t met, apart; /* pairs of triangles */
} touching_pair;

typedef struct pair_scale {
  double size, ratio, away; /* of the first object, of the second to it, of translations to sizes */
} pair_scale;

static void begin(touching_pair *pair, uint64_t seed) {
  static const uint32_t triangles[CORNERS] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const tree_way way = {1, (graze_simd)(seed % 4), (graze_tree_builder)(seed % 3),
                        seed % 2 == 0 ? GRAZE_TREE_UPDATE_REBUILD : GRAZE_TREE_UPDATE_AUTO};
  *pair = (touching_pair){.scene = tree_scene_of(&way), .sequence = seed};
  for (int i = 0; i < 2; i++) {
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = double_view(pair->positions[i], CORNERS);
    def.triangles = index_view(triangles, TRIANGLES);
    assert_ok(graze_scene_add(pair->scene, GRAZE_KIND_TRIANGLE, &def, NULL, &pair->objects[i]));
  }
}

/* From `corner` on all along the directions, so that the corner is one of the box around the object. Some triangles are
 * thin along an axis, some of the objects far from their own origin. */
static void fill_object(touching_pair *pair, int which, double size, const double corner[3], double direction) {
  double thin[3];
  for (int axis = 0; axis < 3; axis++) thin[axis] = sequence_below(&pair->sequence, 5) == 0 ? 1e-9 : 1.0;
  for (int i = 0; i < CORNERS; i++)
    for (int axis = 0; axis < 3; axis++) {
      const double away = fabs(sequence_signed(&pair->sequence)) * size * thin[axis];
      pair->positions[which][3 * i + axis] = corner[axis] + (i == 0 ? 0.0 : direction * away);
    }
}

static void set_object(touching_pair *pair, int which) {
  const graze_view view = double_view(pair->positions[which], CORNERS);
  const graze_object object = pair->objects[which];
  const graze_output_view posed = {pair->posed[which], CORNERS, 0, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_object_set_positions(pair->scene, object, 0, view));
  assert_ok(pose_object(pair->scene, object, pair->rotation[which], pair->translation[which]));
  assert_ok(graze_object_get_posed_positions(pair->scene, object, 0, posed));
}

/* The position before the pose, rounded to double. */
static void undo_pose(const double rotation[9], const double translation[3], const double place[3], double own_out[3]) {
  for (int axis = 0; axis < 3; axis++) {
    own_out[axis] = 0.0;
    for (int row = 0; row < 3; row++) own_out[axis] += rotation[3 * row + axis] * (place[row] - translation[row]);
  }
}

static void make_pair(touching_pair *pair, const pair_scale *scale) {
  uint64_t *sequence = &pair->sequence;
  double corner[3], place[3];
  for (int i = 0; i < 2; i++) {
    const pose_kind kind = (pose_kind)sequence_below(sequence, POSE_KINDS);
    choose_pose(sequence, i == 1 && sequence_below(sequence, 2) == 0 ? POSE_NONE : kind, scale->size * scale->away,
                pair->rotation[i], pair->translation[i]);
  }
  const double own = sequence_below(sequence, 3) == 0 ? 1e6 : 1.0;
  for (int axis = 0; axis < 3; axis++) corner[axis] = own * scale->size * sequence_signed(sequence);
  fill_object(pair, 0, scale->size, corner, -1.0);
  set_object(pair, 0);
  memcpy(place, pair->posed[0], sizeof place);
  for (int axis = 0; axis < 3; axis++) {
    const uint64_t move = sequence_below(sequence, 12);
    if (move < 2) place[axis] = nextafter(place[axis], move == 0 ? HUGE_VAL : -HUGE_VAL);
  }
  undo_pose(pair->rotation[1], pair->translation[1], place, corner);
  if (pair->translation[1][0] == 0.0 && pair->rotation[1][0] == 1.0) memcpy(corner, place, sizeof corner);
  fill_object(pair, 1, scale->size * scale->ratio, corner, 1.0);
  set_object(pair, 1);
}

static void check_pair(touching_pair *pair) {
  assert_ok(graze_scene_update(pair->scene));
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  OWNED(graze_pairs) found = find_pairs(pair->scene, &query);
  size_t at = 0;
  for (uint32_t i = 0; i < TRIANGLES; i++)
    for (uint32_t j = 0; j < TRIANGLES; j++) {
      const bool meet = graze_triangles_intersect(pair->posed[0] + 9 * i, pair->posed[1] + 9 * j);
      const bool listed = at < found.count && found.pairs[at].primitive_a == i && found.pairs[at].primitive_b == j;
      if (meet != listed) fail_msg("%s pair %u %u", meet ? "missed" : "phantom", i, j);
      at += listed;
      pair->met += meet;
      pair->apart += !meet;
    }
  assert_int_equal(at, found.count);
}

static void run_pairs(const pair_scale *scale, size_t count, uint64_t seed) {
  static touching_pair pair;
  begin(&pair, seed);
  for (size_t i = 0; i < count; i++) {
    make_pair(&pair, scale);
    check_pair(&pair);
  }
  print_message("size %g, ratio %g, away %g: %zu pairs met, %zu did not\n", scale->size, scale->ratio, scale->away,
                pair.met, pair.apart);
  assert_true(pair.met > count / 50 && pair.apart > count);
  graze_scene_destroy(pair.scene);
}

TEST(test_rounding_of_poses) {
  const pair_scale scales[] = {{1, 1, 1},    {1, 1, 1e8},  {1, 1, 1e13},  {1, 1, 1e50},
                               {1, 1, 1e-9}, {1, 1e-6, 1}, {1, 1e-6, 1e8}};
  for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
    for (uint64_t seed = 0; seed < 4; seed++) run_pairs(&scales[i], test_scaled(40000, 2000), 10 * i + seed);
}

TEST(test_all_sizes) {
  const pair_scale scales[] = {{1e-300, 1, 1},  {1e-300, 1e6, 1},  {1e-30, 1, 1e6}, {1e-30, 1e30, 1},  {1e30, 1, 1},
                               {1e30, 1e-6, 1}, {1e30, 1e-30, 10}, {1e300, 1, 1},   {1e300, 1e-30, 1}, {1, 1e-150, 0.5},
                               {1e-318, 1, 1},  {1e-310, 1, 10},   {1, 1e-300, 1}};
  for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++)
    for (uint64_t seed = 0; seed < 2; seed++) run_pairs(&scales[i], test_scaled(10000, 1000), 10 * i + seed);
}

/* ---------------------------------------------------------------------------------------------- within one object */

enum { ROW = 24 };

/* A row of triangles with gaps between them that the rounding of a pose may close: which it does is seen by exact tests
 * on posed positions alone. */
static size_t check_row(graze_scene *scene, double gap, uint64_t *sequence) {
  double positions[9 * ROW], posed[9 * ROW], rotation[9], translation[3];
  uint32_t triangles[3 * ROW];
  for (uint32_t i = 0; i < 3 * ROW; i++) triangles[i] = i;
  for (int i = 0; i < ROW; i++) {
    const double end = i + 1 - gap, corners[9] = {i, 0, 0, end, 0, 0, 0.5 * (i + end), 0.5, 0.25};
    memcpy(positions + 9 * i, corners, sizeof corners);
  }
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = double_view(positions, 3 * ROW);
  def.triangles = index_view(triangles, ROW);
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  choose_pose(sequence, (pose_kind)sequence_below(sequence, POSE_KINDS), 1e12, rotation, translation);
  assert_ok(pose_object(scene, object, rotation, translation));
  const graze_output_view view = {posed, 3 * ROW, 0, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_object_get_posed_positions(scene, object, 0, view));
  assert_ok(graze_scene_update(scene));
  graze_pairs found = find_pairs(scene, NULL);
  size_t at = 0;
  for (uint32_t i = 0; i < ROW; i++)
    for (uint32_t j = i + 1; j < ROW; j++) {
      const bool listed = at < found.count && found.pairs[at].primitive_a == i && found.pairs[at].primitive_b == j;
      assert_true(graze_triangles_intersect(posed + 9 * i, posed + 9 * j) == listed);
      at += listed;
    }
  assert_int_equal(at, found.count);
  graze_pairs_free(&found);
  assert_ok(graze_scene_remove_object(scene, object));
  return at;
}

TEST(test_rounding_closes_gaps_within_an_object) {
  uint64_t sequence = 21;
  for (uint64_t seed = 0; seed < 6; seed++) {
    const tree_way way = tree_way_of(seed * 17);
    OWNED_SCENE *scene = tree_scene_of(&way);
    size_t met = 0;
    const size_t rounds = test_scaled(600, 60);
    for (size_t i = 0; i < rounds; i++) met += check_row(scene, pow(10.0, -2.0 - (double)(i % 5)), &sequence);
    print_message("%zu gaps closed in %zu rows\n", met, rounds);
    assert_true(met > rounds / 4 && met < rounds * (ROW - 1));
  }
}
