/* Tests excluded pairs of objects: single calls and their errors; frames of random changes, with every method, against
 * a filtered answer of the same scene without exclusions; many objects, and a million exclusions. */
#include "base/number_sequence.h"
#include "posed_object.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "test_scale.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- single calls */

static graze_object add_named(graze_scene *scene, const char *name) {
  graze_mesh_def def = crossing_def();
  graze_object_def placed = graze_object_def_default();
  def.name = name;
  placed.self = false;
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object));
  return object;
}

/* Any two copies of the crossing triangles meet in five pairs; within one there is none, as `self` is false. */
enum { PAIRS_OF_TWO = 5 };

static graze_scene *scene_of_three(graze_object objects_out[3]) {
  graze_scene *scene = create_scene(NULL);
  objects_out[0] = add_named(scene, "base");
  objects_out[1] = add_named(scene, "arm");
  objects_out[2] = add_named(scene, NULL);
  assert_int_equal(count_pairs_updated(scene), 3 * PAIRS_OF_TWO);
  return scene;
}

TEST(test_two_objects_are_excluded) {
  graze_object o[3];
  OWNED_SCENE *scene = scene_of_three(o);
  assert_int_equal(graze_scene_exclusion_count(scene), 0);
  assert_false(graze_scene_is_excluded(scene, o[0], o[1]));
  assert_ok(graze_scene_exclude(scene, o[1], o[0], true));
  assert_true(graze_scene_is_excluded(scene, o[0], o[1]) && graze_scene_is_excluded(scene, o[1], o[0]));
  assert_false(graze_scene_is_excluded(scene, o[0], o[2]) || graze_scene_is_excluded(scene, o[0], o[0]));
  OWNED(graze_pairs) pairs = {0};
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_NOT_UPDATED);
  assert_int_equal(count_pairs_updated(scene), 2 * PAIRS_OF_TWO);
  /* A call that changes nothing needs no update. */
  assert_ok(graze_scene_exclude(scene, o[0], o[1], true));
  assert_ok(graze_scene_exclude(scene, o[0], o[2], false));
  assert_int_equal(count_pairs(scene), 2 * PAIRS_OF_TWO);
  assert_int_equal(graze_scene_exclusion_count(scene), 1);
  /* They outlive a change of the filter, which counts as well. */
  assert_ok(graze_object_set_filter(scene, o[0], 1, ~UINT64_C(0), true));
  assert_int_equal(count_pairs_updated(scene), 2 * PAIRS_OF_TWO + 1);
  assert_ok(graze_object_set_filter(scene, o[0], 2, 2, false));
  assert_int_equal(count_pairs_updated(scene), PAIRS_OF_TWO);
  assert_ok(graze_object_set_filter(scene, o[0], 1, 1, false));
  assert_ok(graze_scene_exclude(scene, o[0], o[1], false));
  assert_int_equal(count_pairs_updated(scene), 3 * PAIRS_OF_TWO);
  assert_int_equal(graze_scene_exclusion_count(scene), 0);
}

/* The object that comes into the slot of a removed one has none of its exclusions. */
TEST(test_they_end_with_the_object) {
  graze_object o[3];
  OWNED_SCENE *scene = scene_of_three(o);
  const graze_id_pair all[3] = {{o[0], o[1]}, {o[1], o[2]}, {o[2], o[0]}};
  assert_ok(graze_scene_exclude_pairs(scene, all, 3, true));
  assert_int_equal(count_pairs_updated(scene), 0);
  assert_ok(graze_scene_remove_object(scene, o[1]));
  assert_int_equal(graze_scene_exclusion_count(scene), 1);
  assert_false(graze_scene_is_excluded(scene, o[0], o[1]));
  const graze_object again = add_named(scene, "arm");
  assert_int_equal(again.index, o[1].index);
  assert_false(graze_scene_is_excluded(scene, o[0], again));
  assert_int_equal(count_pairs_updated(scene), 2 * PAIRS_OF_TWO);
}

TEST(test_refusals) {
  graze_object o[3];
  OWNED_SCENE *scene = scene_of_three(o);
  const graze_object gone = add_named(scene, NULL), unknown = {9, 1}, none = {0, 0};
  assert_ok(graze_scene_remove_object(scene, gone));
  assert_ok(graze_scene_exclude(scene, o[0], o[2], true));
  assert_int_equal(count_pairs_updated(scene), 2 * PAIRS_OF_TWO);
  assert_refused(
      graze_scene_exclude(scene, o[1], o[1], true), GRAZE_INVALID_ARGUMENT,
      "object 1 (arm) cannot be excluded from itself; to disable pairs within an object, set its flag `self` to false");
  assert_refused(graze_scene_exclude(scene, o[1], gone, true), GRAZE_NO_SUCH_OBJECT,
                 "object 3 of generation 1 is not in the scene");
  assert_refused(graze_scene_exclude(scene, unknown, o[1], false), GRAZE_NO_SUCH_OBJECT,
                 "there is no object 9; the scene has created 4");
  assert_refused(graze_scene_exclude(scene, o[1], none, true), GRAZE_NO_SUCH_OBJECT,
                 "an object id of generation 0 (0) is invalid: take the id from the call that adds the object");
  const graze_id_pair stale[3] = {{o[0], o[1]}, {o[0], o[2]}, {o[1], gone}}, itself[2] = {{o[0], o[1]}, {o[2], o[2]}};
  assert_refused(graze_scene_exclude_pairs(scene, stale, 3, true), GRAZE_NO_SUCH_OBJECT,
                 "exclusion 2: object 3 of generation 1 is not in the scene");
  assert_refused(graze_scene_exclude_pairs(scene, itself, 2, false), GRAZE_INVALID_ARGUMENT,
                 "exclusion 1: object 2 cannot be excluded from itself; to disable pairs within an object, set its "
                 "flag `self` to false");
  assert_refused(graze_scene_exclude_pairs(scene, NULL, 2, true), GRAZE_INVALID_ARGUMENT,
                 "the list of 2 exclusions is NULL");
  assert_ok(graze_scene_exclude_pairs(scene, NULL, 0, true));
  assert_refused(graze_scene_exclude(NULL, o[0], o[1], true), GRAZE_INVALID_ARGUMENT, "the scene is NULL");
  assert_refused(graze_scene_exclude_pairs(NULL, itself, 1, true), GRAZE_INVALID_ARGUMENT, "the scene is NULL");
  assert_false(graze_scene_is_excluded(NULL, o[0], o[2]) || graze_scene_is_excluded(scene, o[0], gone));
  assert_int_equal(graze_scene_exclusion_count(NULL), 0);
  /* Nothing was changed: no update is needed. */
  assert_int_equal(graze_scene_exclusion_count(scene), 1);
  assert_int_equal(count_pairs(scene), 2 * PAIRS_OF_TWO);
}

/* ---------------------------------------------------------------------------------------------- frames */

enum { MOST_OBJECTS = 40, CHANGES = 6, MANY_AT_ONCE = 30 };

static const double cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const uint32_t cube_triangles[4][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}};
static const uint32_t cube_tetrahedra[5][4] = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};
static const double ball_radii[8] = {0.4, 0.3, 0.2, 0.6, 0.5, 0.4, 0.3, 0.2};

/* The scene at hand, the same without exclusions, and what is excluded, by slot. */
typedef struct excluding_model {
  graze_scene *scene, *plain;
  graze_object objects[MOST_OBJECTS]; /* of generation 0 where the slot is empty */
  bool excluded[MOST_OBJECTS][MOST_OBJECTS];
  size_t count;
  bool only_triangles;
  bool numbered; /* objects carry numbers of their own in pairs */
  uint64_t sequence;
} excluding_model;

static uint32_t number_of_slot(const excluding_model *model, uint32_t slot) {
  return model->numbered ? 1000 - slot : slot;
}
static uint32_t slot_of_number(const excluding_model *model, uint32_t number) {
  return model->numbered ? 1000 - number : number;
}

static graze_object add_body(graze_scene *scene, const double positions[8][3], int kind, const uint32_t *number) {
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = (graze_view){positions, 8, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){cube_triangles, 4, 0, GRAZE_FORMAT_UINT32_3};
  def.tetrahedra = (graze_view){cube_tetrahedra, 5, 0, GRAZE_FORMAT_UINT32_4};
  def.radii = (graze_view){ball_radii, 8, 0, GRAZE_FORMAT_DOUBLE};
  placed.global_numbers = number != NULL;
  if (number != NULL) placed.global_object = *number;
  graze_object object = {0, 0};
  const graze_result result = kind == 0   ? graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object)
                              : kind == 1 ? graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, &placed, &object)
                                          : graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, &placed, &object);
  assert_ok(result);
  return object;
}

static void change_add(excluding_model *model) {
  uint32_t slot = 0;
  while (slot < MOST_OBJECTS && model->objects[slot].generation != 0) slot++;
  if (slot == MOST_OBJECTS) return;
  double positions[8][3], place[3];
  for (int axis = 0; axis < 3; axis++) place[axis] = 0.25 * (double)sequence_below(&model->sequence, 10);
  for (int i = 0; i < 8; i++)
    for (int axis = 0; axis < 3; axis++) positions[i][axis] = place[axis] + cube[i][axis];
  const int kind = model->only_triangles ? 0 : (int)sequence_below(&model->sequence, 3);
  const uint32_t number = number_of_slot(model, slot);
  const graze_object object = add_body(model->scene, positions, kind, model->numbered ? &number : NULL),
                     same = add_body(model->plain, positions, kind, model->numbered ? &number : NULL);
  assert_true(object.index == slot && same.index == slot && same.generation == object.generation);
  model->objects[slot] = object;
}

/* Any object; false where there is none. */
static bool pick(excluding_model *model, uint32_t *slot_out) {
  const uint32_t first = (uint32_t)sequence_below(&model->sequence, MOST_OBJECTS);
  for (uint32_t i = 0; i < MOST_OBJECTS; i++) {
    *slot_out = (first + i) % MOST_OBJECTS;
    if (model->objects[*slot_out].generation != 0) return true;
  }
  return false;
}

static void note(excluding_model *model, uint32_t a, uint32_t b, bool excluded) {
  if (model->excluded[a][b] != excluded) model->count += excluded ? 1u : (size_t)-1;
  model->excluded[a][b] = model->excluded[b][a] = excluded;
}

static void change_remove(excluding_model *model) {
  uint32_t slot;
  if (!pick(model, &slot)) return;
  assert_ok(graze_scene_remove_object(model->scene, model->objects[slot]));
  assert_ok(graze_scene_remove_object(model->plain, model->objects[slot]));
  model->objects[slot].generation = 0;
  for (uint32_t other = 0; other < MOST_OBJECTS; other++) note(model, slot, other, false);
}

static void change_one(excluding_model *model) {
  uint32_t a, b;
  if (!pick(model, &a) || !pick(model, &b) || a == b) return;
  const bool excluded = sequence_below(&model->sequence, 4) != 0;
  assert_ok(graze_scene_exclude(model->scene, model->objects[a], model->objects[b], excluded));
  note(model, a, b, excluded);
}

static void change_many(excluding_model *model) {
  graze_id_pair pairs[MANY_AT_ONCE];
  size_t count = 0;
  const bool excluded = sequence_below(&model->sequence, 3) != 0;
  for (int tries = 0; tries < MANY_AT_ONCE; tries++) {
    uint32_t a, b;
    if (!pick(model, &a) || !pick(model, &b) || a == b) continue;
    pairs[count++] = (graze_id_pair){model->objects[a], model->objects[b]};
    note(model, a, b, excluded);
  }
  assert_ok(graze_scene_exclude_pairs(model->scene, pairs, count, excluded));
}

static void change_pose(excluding_model *model) {
  uint32_t slot;
  if (!pick(model, &slot)) return;
  const double angle = 0.1 * (double)sequence_below(&model->sequence, 60), c = cos(angle), s = sin(angle);
  const double rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  const double translation[3] = {0.125 * (double)sequence_below(&model->sequence, 4), 0, 0};
  assert_ok(pose_object(model->scene, model->objects[slot], rotation, translation));
  assert_ok(pose_object(model->plain, model->objects[slot], rotation, translation));
}

static void change_filter(excluding_model *model) {
  uint32_t slot;
  if (!pick(model, &slot)) return;
  const uint64_t category = 1 + sequence_below(&model->sequence, 3), mask = 1 + sequence_below(&model->sequence, 7);
  const bool self = sequence_below(&model->sequence, 2) == 0;
  assert_ok(graze_object_set_filter(model->scene, model->objects[slot], category, mask, self));
  assert_ok(graze_object_set_filter(model->plain, model->objects[slot], category, mask, self));
}

static void change_anything(excluding_model *model) {
  switch (sequence_below(&model->sequence, 12)) {
  case 0:
  case 1:
    change_add(model);
    break;
  case 2:
    change_remove(model);
    break;
  case 3:
    change_many(model);
    break;
  case 4:
  case 5:
    change_pose(model);
    break;
  case 6:
    if (sequence_below(&model->sequence, 4) == 0) change_filter(model);
    break;
  default:
    change_one(model);
  }
}

/* ---------------------------------------------------------------------------------------------- answers */

/* The pairs of the plain scene that the model leaves. */
static pair_answer expected_answer(const excluding_model *model, const graze_query *query) {
  pair_answer answer = runner_find(model->plain, query);
  size_t kept = 0;
  for (size_t i = 0; i < answer.count; i++) {
    const uint32_t a = slot_of_number(model, answer.pairs[i].object_a),
                   b = slot_of_number(model, answer.pairs[i].object_b);
    if (!model->excluded[a][b]) answer.pairs[kept++] = answer.pairs[i];
  }
  answer.count = kept;
  answer.hash = graze_pairs_hash(answer.pairs, kept);
  return answer;
}

/* Each two objects of the list once, in order. */
static uint64_t hash_of_objects(const pair_answer *answer) {
  static bool touch[1001][1001];
  uint64_t hash = 0;
  for (size_t i = 0; i < answer->count; i++) {
    const graze_pair *pair = &answer->pairs[i];
    if (touch[pair->object_a][pair->object_b]) continue;
    touch[pair->object_a][pair->object_b] = true;
    const graze_pair objects = {pair->object_a, 0, pair->object_b, 0};
    hash += graze_pairs_hash(&objects, 1);
  }
  for (size_t i = 0; i < answer->count; i++) touch[answer->pairs[i].object_a][answer->pairs[i].object_b] = false;
  return hash;
}

static void check_objects(const excluding_model *model, const graze_query *query, const pair_answer *expected) {
  OWNED(graze_pairs) one = {0};
  bool any;
  graze_object_pairs touching = find_object_pairs(model->scene, query);
  assert_true(touching.hash == hash_of_objects(expected));
  assert_ok(graze_scene_any_pair(model->scene, query, &any, &one));
  assert_int_equal(any, expected->count > 0);
  for (size_t i = 0; i < one.count; i++)
    assert_false(
        model->excluded[slot_of_number(model, one.pairs[i].object_a)][slot_of_number(model, one.pairs[i].object_b)]);
  graze_object_pairs_free(&touching);
}

/* Forces are those of the pairs that are left. */
static void check_wrenches(const excluding_model *model, const pair_answer *expected) {
  OWNED(graze_wrenches) wanted = {0}, found = {0};
  assert_ok(graze_scene_make_wrenches(model->plain, expected->pairs, expected->count, NULL, &wanted));
  assert_ok(graze_scene_find_wrenches(model->scene, NULL, NULL, &found));
  assert_int_equal(found.count, wanted.count);
  for (size_t i = 0; i < found.count; i++)
    assert_memory_equal(&found.wrenches[i], &wanted.wrenches[i], sizeof(graze_wrench));
}

enum { QUERIES = 6 };

static graze_query query_number(excluding_model *model, int number) {
  graze_query query = graze_query_default();
  uint32_t a, b;
  if (number == 1) query.scope = GRAZE_SCOPE_BETWEEN;
  if (number == 2) query.candidates_only = true;
  if (number == 3 && pick(model, &a)) {
    query.about_count = 1;
    query.about_a = model->objects[a];
  }
  if (number == 4 && pick(model, &a) && pick(model, &b)) {
    query.scope = a == b ? GRAZE_SCOPE_BOTH : GRAZE_SCOPE_BETWEEN;
    query.about_count = 2;
    query.about_a = model->objects[a];
    query.about_b = model->objects[b];
  }
  if (number == 5) {
    query.in_box = true;
    for (int axis = 0; axis < 3; axis++) query.box_max[axis] = 1.5;
  }
  return query;
}

/* Returns how many pairs the exclusions have kept back. */
static size_t check_answers(excluding_model *model, const char *name) {
  size_t kept_back = 0;
  assert_int_equal(graze_scene_exclusion_count(model->scene), model->count);
  for (uint32_t a = 0; a < MOST_OBJECTS; a++)
    for (uint32_t b = 0; b < MOST_OBJECTS; b++)
      assert_int_equal(graze_scene_is_excluded(model->scene, model->objects[a], model->objects[b]),
                       model->excluded[a][b]);
  for (int number = 0; number < QUERIES; number++) {
    const graze_query query = query_number(model, number);
    const pair_answer expected = expected_answer(model, &query), found = runner_find(model->scene, &query);
    runner_compare(&expected, &found, "exclusions", name);
    kept_back += (size_t)expected.counters.pairs - expected.count;
    if (number == 0) check_wrenches(model, &expected);
    if (number != 2) check_objects(model, &query, &expected);
    free(expected.pairs);
    free(found.pairs);
  }
  return kept_back;
}

static void compare_frames(const running_variant *variant, bool only_triangles, bool numbered, uint64_t seed) {
  char name[128];
  if (!running_variant_available(variant)) return;
  running_variant_words(variant, name, sizeof name);
  excluding_model *model = calloc(1, sizeof *model);
  assert_non_null(model);
  const running_variant reference = running_variant_reference();
  *model = (excluding_model){.scene = runner_scene(variant, NULL, 0, NULL),
                             .plain = runner_scene(&reference, NULL, 0, NULL),
                             .only_triangles = only_triangles,
                             .numbered = numbered,
                             .sequence = seed};
  for (int i = 0; i < 20; i++) change_add(model);
  size_t kept_back = 0;
  const size_t rounds = test_scaled(30, 8);
  for (size_t round = 0; round < rounds; round++) {
    for (int i = 0; i < CHANGES; i++) change_anything(model);
    assert_ok(graze_scene_update(model->scene));
    assert_ok(graze_scene_update(model->plain));
    kept_back += check_answers(model, name);
  }
  assert_true(kept_back > 10 * rounds);
  graze_scene_destroy(model->scene);
  graze_scene_destroy(model->plain);
  free(model);
}

static const char *const methods[] = {"brute", "grid", "tree", "clusters", "clusters 7", "auto"};
enum { METHODS = sizeof methods / sizeof *methods };

TEST(test_frames_by_every_method) {
  for (int i = 0; i < METHODS; i++) {
    const running_variant alone = {methods[i], GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
                          several = {methods[i], GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_PTHREADS, NULL, false};
    compare_frames(&alone, true, false, 5);
    compare_frames(&several, false, false, 6);
    compare_frames(&several, false, true, 7);
  }
}

/* Exclusions outlive a change of the method, and the next query needs no update. */
TEST(test_they_outlive_the_method) {
  graze_object o[3];
  OWNED_SCENE *scene = scene_of_three(o);
  assert_ok(graze_scene_exclude(scene, o[0], o[2], true));
  assert_ok(graze_scene_update(scene));
  for (size_t i = 0; i < METHODS; i++) {
    graze_method_def method = graze_method_def_default();
    method.name = strncmp(methods[i], "clusters", 8) == 0 ? "clusters" : methods[i];
    assert_ok(graze_scene_set_method(scene, &method));
    assert_int_equal(count_pairs(scene), 2 * PAIRS_OF_TWO);
  }
}

/* ---------------------------------------------------------------------------------------------- many */

/* A row of cubes, each through the next: those whose number divides by three are excluded from the next. */
TEST(test_many_objects) {
  const uint32_t count = 1500;
  for (int i = 1; i < METHODS; i++) {
    const running_variant variant = {methods[i], GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false};
    OWNED_SCENE *scene = runner_scene(&variant, NULL, 0, NULL);
    OWNED_MEMORY graze_object *objects = calloc(count, sizeof *objects);
    OWNED_MEMORY graze_id_pair *pairs = calloc(count, sizeof *pairs);
    assert_true(objects != NULL && pairs != NULL);
    size_t excluded = 0;
    for (uint32_t k = 0; k < count; k++) {
      double positions[8][3];
      for (int v = 0; v < 8; v++)
        for (int axis = 0; axis < 3; axis++) positions[v][axis] = cube[v][axis] + (axis == 0 ? 0.75 * k : 0.0);
      objects[k] = add_body(scene, positions, 1, NULL);
      if (k % 3 == 1) pairs[excluded++] = (graze_id_pair){objects[k], objects[k - 1]};
    }
    graze_query between = graze_query_default();
    between.scope = GRAZE_SCOPE_BETWEEN;
    assert_ok(graze_scene_update(scene));
    OWNED(graze_object_pairs) touching = find_object_pairs(scene, &between);
    assert_int_equal(touching.count, count - 1);
    assert_ok(graze_scene_exclude_pairs(scene, pairs, excluded, true));
    assert_ok(graze_scene_update(scene));
    assert_ok(graze_scene_find_object_pairs(scene, &between, &touching));
    assert_int_equal(touching.count, count - 1 - excluded);
    for (size_t k = 0; k < touching.count; k++) assert_true(touching.pairs[k].object_a % 3 != 0);
  }
}

/* All pairs of some thousand objects, in no order; one object comes and goes. What the scene holds stays in bounds. */
TEST(test_a_million_exclusions) {
  const uint32_t count = (uint32_t)test_scaled(1500, 200);
  const size_t pair_count = (size_t)count * (count - 1) / 2;
  OWNED_SCENE *scene = create_scene(NULL);
  OWNED_MEMORY graze_object *objects = calloc(count, sizeof *objects);
  OWNED_MEMORY graze_id_pair *pairs = calloc(pair_count, sizeof *pairs);
  assert_true(objects != NULL && pairs != NULL);
  const graze_mesh_def def = crossing_def();
  for (uint32_t i = 0; i < count; i++) assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &objects[i]));
  const size_t before = (size_t)runner_counters(scene).scene_bytes;
  size_t filled = 0;
  for (uint32_t a = 0; a < count; a++)
    for (uint32_t b = 0; b < a; b++) pairs[filled++] = (graze_id_pair){objects[a], objects[b]};
  uint64_t sequence = 3;
  for (size_t i = pair_count - 1; i > 0; i--) {
    const size_t other = sequence_below(&sequence, i + 1);
    const graze_id_pair kept = pairs[i];
    pairs[i] = pairs[other];
    pairs[other] = kept;
  }
  assert_ok(graze_scene_exclude_pairs(scene, pairs, pair_count, true));
  assert_int_equal(graze_scene_exclusion_count(scene), pair_count);
  const size_t held = (size_t)runner_counters(scene).scene_bytes - before;
  assert_true(held < 48 * pair_count + 4096 * (size_t)count);
  assert_int_equal(count_pairs_updated(scene), count);
  for (int round = 0; round < 50; round++) {
    const size_t place = sequence_below(&sequence, count);
    assert_ok(graze_scene_remove_object(scene, objects[place]));
    assert_int_equal(graze_scene_exclusion_count(scene), pair_count - count + 1);
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &objects[place]));
    for (uint32_t i = 0; i < count; i++)
      if (i != place) assert_ok(graze_scene_exclude(scene, objects[i], objects[place], true));
  }
  assert_int_equal(graze_scene_exclusion_count(scene), pair_count);
  assert_int_equal(count_pairs_updated(scene), count);
}

/* An exclusion that ended and was repeated is stored once. */
TEST(test_ended_ones_do_not_pile_up) {
  graze_object o[3];
  OWNED_SCENE *scene = scene_of_three(o);
  const graze_object last = add_named(scene, NULL);
  const size_t before = (size_t)runner_counters(scene).scene_bytes;
  assert_ok(graze_scene_exclude(scene, o[0], o[1], true));
  uint64_t sequence = 1;
  for (int round = 0; round < 20000; round++) {
    const graze_object other = sequence_below(&sequence, 8) == 0 ? o[2] : last;
    assert_ok(graze_scene_exclude(scene, other, o[0], false));
    assert_ok(graze_scene_exclude(scene, other, o[0], true));
  }
  assert_int_equal(graze_scene_exclusion_count(scene), 3);
  assert_true((size_t)runner_counters(scene).scene_bytes - before < 2048);
  assert_ok(graze_scene_remove_object(scene, o[0]));
  assert_int_equal(graze_scene_exclusion_count(scene), 0);
  assert_int_equal(count_pairs_updated(scene), 3 * PAIRS_OF_TWO);
}
