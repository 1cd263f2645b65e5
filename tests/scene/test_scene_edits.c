/* Tests changes of objects: parts of positions, poses, added and erased triangles, ids; rejected changes change
 * nothing; and frames of random changes against a new scene. */
#include "posed_object.h"
#include "small_meshes.h"

#include "base/number_sequence.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "torture_scenes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double no_rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double no_translation[3] = {0, 0, 0};

TEST(test_positions_change_in_part) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  const float away[9] = {1, 1, 5, 1, 1, 6, 2, 1, 6};
  assert_ok(graze_object_set_positions(scene, object, 3, float_view(away, 3)));
  assert_int_equal(count_pairs_updated(scene), 0);
  assert_ok(graze_object_set_positions(scene, object, 3, float_view(crossing_positions + 9, 3)));
  assert_int_equal(count_pairs_updated(scene), 1);
  assert_ok(graze_object_set_positions(scene, object, 9, float_view(away, 0)));
  assert_int_equal(count_pairs(scene), 1);
}

/* A double between two floats: the object must hold it as it is. Triangle 1 stands on the flat one, then 2^-60 above.
 */
TEST(test_floats_widen_to_doubles) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  double standing[9] = {1, 1, 0, 1, 1, 1, 2, 1, 1};
  assert_ok(graze_object_set_positions(scene, object, 3, double_view(standing, 3)));
  assert_int_equal(count_pairs_updated(scene), 1);
  standing[2] = 0x1p-60;
  assert_ok(graze_object_set_positions(scene, object, 3, double_view(standing, 3)));
  assert_int_equal(count_pairs_updated(scene), 0);
  const float back[3] = {1, 1, 0};
  assert_ok(graze_object_set_positions(scene, object, 3, float_view(back, 1)));
  assert_int_equal(count_pairs_updated(scene), 1);
  uint32_t first;
  assert_ok(graze_object_append_positions(scene, object, double_view(standing, 3), &first));
  assert_int_equal(first, 9);
  const uint32_t triangle[3] = {9, 10, 11};
  assert_ok(graze_object_append_primitives(scene, object, index_view(triangle, 1), &first));
  assert_int_equal(first, 3);
  /* The new one is 2^-60 above triangle 0, and meets triangle 1, which is the same but for the foot. */
  assert_int_equal(count_pairs_updated(scene), 2);
}

/* A call that failed has changed nothing: an updated scene answers as before, from memory that is still its own. */
TEST(test_refused_positions_leave_an_updated_scene) {
  const double bad[3] = {0, 0, NAN};
  const float bad_float[3] = {0, INFINITY, 0};
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  assert_int_equal(graze_object_append_positions(scene, object, float_view(bad_float, 1), NULL), GRAZE_NOT_FINITE);
  assert_int_equal(count_pairs(scene), 1);
  assert_int_equal(graze_object_append_positions(scene, object, double_view(bad, 1), NULL), GRAZE_NOT_FINITE);
  assert_int_equal(count_pairs(scene), 1);
  assert_int_equal(graze_object_set_positions(scene, object, 0, double_view(bad, 1)), GRAZE_NOT_FINITE);
  assert_int_equal(count_pairs(scene), 1);
  assert_int_equal(count_pairs_updated(scene), 1);
}

TEST(test_poses_are_checked) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  double rotation[9];
  memcpy(rotation, no_rotation, sizeof rotation);
  rotation[8] = -1;
  assert_refused(pose_object(scene, object, rotation, no_translation), GRAZE_NOT_A_ROTATION,
                 "object 0: the pose is a reflection: its determinant is -1");
  rotation[8] = 2;
  assert_refused(pose_object(scene, object, rotation, no_translation), GRAZE_NOT_A_ROTATION,
                 "object 0: the pose is not a rotation: R times its transpose differs from the identity by 3");
  memset(rotation, 0, sizeof rotation);
  assert_int_equal(pose_object(scene, object, rotation, no_translation), GRAZE_NOT_A_ROTATION);
  const double values[] = {NAN, INFINITY, -INFINITY, DBL_MAX};
  for (int value = 0; value < 4; value++)
    for (int element = 0; element < 9; element++) {
      memcpy(rotation, no_rotation, sizeof rotation);
      rotation[element] = values[value];
      assert_int_equal(pose_object(scene, object, rotation, no_translation), GRAZE_NOT_A_ROTATION);
      assert_non_null(strstr(graze_error_text(), "the pose is not a rotation"));
    }
  memcpy(rotation, no_rotation, sizeof rotation);
  rotation[0] = 1 + 1e-7; /* rounded matrices are taken */
  assert_ok(pose_object(scene, object, rotation, no_translation));
  const double far_off[3] = {0, INFINITY, 0};
  assert_refused(pose_object(scene, object, no_rotation, far_off), GRAZE_NOT_FINITE,
                 "object 0: translation y of the pose is inf");
  assert_int_equal(count_pairs_updated(scene), 1);
}

TEST(test_poses_place_objects) {
  graze_object a, b;
  OWNED_SCENE *scene = crossing_scene(&a);
  const graze_mesh_def def = crossing_def();
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &b));
  graze_query between = graze_query_default();
  between.scope = GRAZE_SCOPE_BETWEEN;
  assert_ok(graze_scene_update(scene));
  OWNED(graze_pairs) pairs = find_pairs(scene, &between);
  assert_int_equal(pairs.count, 5); /* 0-0, 0-1, 1-0, 1-1, 2-2 */
  const double up[3] = {0, 0, 100};
  assert_ok(pose_object(scene, b, no_rotation, up));
  assert_ok(graze_scene_update(scene));
  assert_ok(graze_scene_find_pairs(scene, &between, &pairs));
  assert_int_equal(pairs.count, 0);
  /* A quarter turn about x, so that the flat triangle of b stands through that of a. */
  const double quarter[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0};
  const double inside[3] = {0.5, 0.5, -1};
  assert_ok(pose_object(scene, b, quarter, inside));
  assert_ok(graze_scene_update(scene));
  assert_ok(graze_scene_find_pairs(scene, &between, &pairs));
  assert_true(pairs.count >= 1);
  assert_true(pairs.pairs[0].primitive_a == 0 && pairs.pairs[0].primitive_b == 0);
  assert_ok(pose_object(scene, b, no_rotation, no_translation));
  assert_ok(graze_scene_update(scene));
  assert_ok(graze_scene_find_pairs(scene, &between, &pairs));
  assert_int_equal(pairs.count, 5);
}

/* Posed positions are those of the documented formula, to the bit: the same as giving them as doubles. */
TEST(test_posed_positions_are_the_documented_ones) {
  mesh *meshes;
  size_t mesh_count;
  torture_model("soup", 400, 8, &meshes, &mesh_count);
  const double c = 0.8, s = 0.6, translation[3] = {0.05, -0.3, 0.1};
  const double rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  mesh two[2] = {torture_copy(&meshes[0]), torture_copy(&meshes[0])};
  mesh_list_free(meshes, mesh_count);
  const running_variant variant = running_variant_reference();
  graze_scene *posed = runner_scene(&variant, two, 2, NULL);
  assert_ok(pose_object(posed, (graze_object){1, 1}, rotation, translation));
  assert_ok(graze_scene_update(posed));
  for (size_t i = 0; i < two[1].vertex_count; i++) {
    double *p = two[1].positions + 3 * i, moved[3];
    for (int row = 0; row < 3; row++)
      moved[row] =
          ((rotation[3 * row] * p[0] + rotation[3 * row + 1] * p[1]) + rotation[3 * row + 2] * p[2]) + translation[row];
    memcpy(p, moved, sizeof moved);
  }
  graze_scene *placed = runner_scene(&variant, two, 2, NULL);
  graze_query query = graze_query_default();
  for (int candidates = 0; candidates < 2; candidates++) {
    query.candidates_only = candidates == 1;
    const pair_answer expected = runner_find(placed, &query), found = runner_find(posed, &query);
    assert_true(expected.count > 100);
    runner_compare(&expected, &found, "soup", "posed");
    free(expected.pairs);
    free(found.pairs);
  }
  graze_scene_destroy(posed);
  graze_scene_destroy(placed);
  mesh_free(&two[0]);
  mesh_free(&two[1]);
}

TEST(test_poses_that_overflow_are_refused) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  const double large[3] = {1.7e308, 0, 0}, far_off[3] = {1.7e308, 0, 0};
  assert_ok(graze_object_set_positions(scene, object, 2, double_view(large, 1)));
  assert_ok(pose_object(scene, object, no_rotation, far_off));
  assert_refused(graze_scene_update(scene), GRAZE_NOT_FINITE,
                 "object 0: coordinate x of vertex 2 is inf after the pose");
  OWNED(graze_pairs) pairs = {0};
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_NOT_UPDATED);
  assert_ok(pose_object(scene, object, no_rotation, no_translation));
  assert_ok(graze_object_set_positions(scene, object, 0, float_view(crossing_positions, 9)));
  assert_int_equal(count_pairs_updated(scene), 1);
}

TEST(test_numbers_of_triangles_are_stable) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  uint32_t first;
  assert_ok(graze_object_append_primitives(scene, object, index_view(crossing_triangles, 3), &first));
  assert_int_equal(first, 3);
  const uint32_t erased[2] = {1, 3};
  assert_ok(graze_object_remove_primitives(scene, object, erased, 2));
  assert_ok(graze_scene_update(scene));
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  assert_int_equal(pairs.count, 1);
  assert_true(pairs.pairs[0].primitive_a == 0 && pairs.pairs[0].primitive_b == 4);
  const graze_pair gone = {0, 0, 0, 1};
  OWNED(graze_contacts) contacts = {0};
  assert_refused(graze_scene_make_contacts(scene, &gone, 1, NULL, &contacts), GRAZE_INVALID_ARGUMENT,
                 "pair 0 (object 0 primitive 0, object 0 primitive 1) does not intersect or is not in the scene");
  const uint32_t again[3] = {0, 5, 1};
  assert_refused(graze_object_remove_primitives(scene, object, again, 3), GRAZE_INDEX_OUT_OF_RANGE,
                 "object 0: triangle 1 cannot be removed: it is already removed");
  const uint32_t twice[2] = {0, 0};
  assert_int_equal(graze_object_remove_primitives(scene, object, twice, 2), GRAZE_INDEX_OUT_OF_RANGE);
  const uint32_t none[1] = {6};
  assert_refused(graze_object_remove_primitives(scene, object, none, 1), GRAZE_INDEX_OUT_OF_RANGE,
                 "object 0: triangle 6 cannot be removed: there is none");
  assert_int_equal(count_pairs(scene), 1); /* none of these erased anything */
  assert_ok(graze_object_remove_primitives(scene, object, NULL, 0));
  const uint32_t last[2] = {4, 5};
  assert_ok(graze_object_remove_primitives(scene, object, last, 2));
  assert_ok(graze_object_append_primitives(scene, object, index_view(crossing_triangles, 2), &first));
  assert_int_equal(first, 3); /* 3, 4 and 5 were free at the end */
  /* A reused slot is alive: 0 and 3 flat (one with the same vertices), 1 erased, 2 far, 4 upright. */
  assert_int_equal(count_pairs_updated(scene), 2);
}

TEST(test_objects_of_erased_triangles) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  const uint32_t all[3] = {2, 0, 1};
  assert_ok(graze_object_remove_primitives(scene, object, all, 3));
  assert_int_equal(count_pairs_updated(scene), 0);
  const uint32_t none = 0;
  assert_int_equal(graze_object_remove_primitives(scene, object, &none, 1), GRAZE_INDEX_OUT_OF_RANGE);
  uint32_t first = 7;
  assert_ok(graze_object_append_primitives(scene, object, index_view(crossing_triangles, 3), &first));
  assert_int_equal(first, 0);
  assert_int_equal(count_pairs_updated(scene), 1);
}

/* The counter speaks of triangles of the scene: what was erased is none. */
TEST(test_erased_triangles_are_not_counted) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  const uint32_t middle = 1;
  assert_ok(graze_object_remove_primitives(scene, object, &middle, 1));
  assert_int_equal(count_pairs_updated(scene), 0);
  assert_int_equal(runner_counters(scene).primitives, 2);
}

TEST(test_ids_of_removed_objects) {
  graze_object a, b, c;
  OWNED_SCENE *scene = crossing_scene(&a);
  const graze_mesh_def def = crossing_def();
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &b));
  assert_true(a.index == 0 && a.generation == 1 && b.index == 1);
  assert_ok(graze_scene_remove_object(scene, a));
  const char *const gone = "object 0 of generation 1 is not in the scene";
  assert_refused(graze_scene_remove_object(scene, a), GRAZE_NO_SUCH_OBJECT, gone);
  assert_refused(graze_object_set_filter(scene, a, 1, 1, true), GRAZE_NO_SUCH_OBJECT, gone);
  assert_ok(graze_scene_update(scene));
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  assert_int_equal(pairs.count, 1);
  assert_true(pairs.pairs[0].object_a == 1 && pairs.pairs[0].object_b == 1);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &c));
  assert_true(c.index == 0 && c.generation != a.generation);
  assert_int_equal(pose_object(scene, a, no_rotation, no_translation), GRAZE_NO_SUCH_OBJECT);
  assert_int_equal(graze_object_set_positions(scene, a, 0, def.positions), GRAZE_NO_SUCH_OBJECT);
  assert_int_equal(graze_object_append_positions(scene, a, def.positions, NULL), GRAZE_NO_SUCH_OBJECT);
  assert_int_equal(graze_object_append_primitives(scene, a, def.triangles, NULL), GRAZE_NO_SUCH_OBJECT);
  assert_int_equal(graze_object_remove_primitives(scene, a, crossing_triangles, 1), GRAZE_NO_SUCH_OBJECT);
  assert_refused(graze_scene_remove_object(scene, (graze_object){5, 1}), GRAZE_NO_SUCH_OBJECT,
                 "there is no object 5; the scene has created 2");
  assert_int_equal(count_pairs_updated(scene), 1 + 1 + 5);
}

/* ---------------------------------------------------------------------------------------------- frames */

enum { FRAME_OBJECTS = 3, FRAME_TRIANGLES = 500 };

/* The expected contents of the changing scene: meshes, and the live triangles. */
typedef struct frame_model {
  mesh meshes[FRAME_OBJECTS];
  bool alive[FRAME_OBJECTS][FRAME_TRIANGLES];
} frame_model;

static double frame_number(uint64_t *sequence) {
  return (double)(sequence_next(sequence) >> 11) * 0x1p-53;
}

static void move_some(frame_model *model, graze_scene *scene, uint32_t object, uint64_t *sequence) {
  mesh *m = &model->meshes[object];
  const size_t first = sequence_below(sequence, m->vertex_count);
  const size_t count = sequence_below(sequence, m->vertex_count - first + 1);
  for (size_t i = 3 * first; i < 3 * (first + count); i++) m->positions[i] += 0.05 * (frame_number(sequence) - 0.5);
  assert_ok(graze_object_set_positions(scene, (graze_object){object, 1}, first,
                                       double_view(m->positions + 3 * first, count)));
}

static void erase_some(frame_model *model, graze_scene *scene, uint32_t object, uint64_t *sequence) {
  uint32_t numbers[20];
  size_t count = 0;
  for (uint64_t tries = sequence_below(sequence, 20); tries > 0; tries--) {
    const uint32_t number = (uint32_t)sequence_below(sequence, model->meshes[object].triangle_count + 1);
    if (number == model->meshes[object].triangle_count || !model->alive[object][number]) continue;
    model->alive[object][number] = false;
    numbers[count++] = number;
  }
  assert_ok(graze_object_remove_primitives(scene, (graze_object){object, 1}, numbers, count));
  size_t *left = &model->meshes[object].triangle_count;
  while (*left > 0 && !model->alive[object][*left - 1]) --*left;
}

static void insert_some(frame_model *model, graze_scene *scene, uint32_t object, uint64_t *sequence) {
  mesh *m = &model->meshes[object];
  const size_t first = m->triangle_count;
  size_t count = sequence_below(sequence, 20);
  if (count > FRAME_TRIANGLES - first) count = FRAME_TRIANGLES - first;
  for (size_t i = first; i < first + count; i++) {
    for (int corner = 0; corner < 3; corner++)
      m->triangles[3 * i + corner] = (uint32_t)sequence_below(sequence, m->vertex_count);
    model->alive[object][i] = true;
  }
  uint32_t first_out;
  assert_ok(graze_object_append_primitives(scene, (graze_object){object, 1},
                                           index_view(m->triangles + 3 * first, count), &first_out));
  assert_int_equal(first_out, first);
  m->triangle_count += count;
}

/* A rebuilt scene has the living triangles alone; its numbers are turned back. */
static pair_answer find_rebuilt(const frame_model *model, const running_variant *variant, const graze_query *query) {
  mesh packed[FRAME_OBJECTS];
  uint32_t numbers[FRAME_OBJECTS][FRAME_TRIANGLES];
  for (int object = 0; object < FRAME_OBJECTS; object++) {
    packed[object] = torture_copy(&model->meshes[object]);
    size_t kept = 0;
    for (uint32_t i = 0; i < model->meshes[object].triangle_count; i++) {
      if (!model->alive[object][i]) continue;
      memcpy(packed[object].triangles + 3 * kept, model->meshes[object].triangles + 3 * i, 3 * sizeof(uint32_t));
      numbers[object][kept++] = i;
    }
    packed[object].triangle_count = kept;
  }
  graze_scene *scene = runner_scene(variant, packed, FRAME_OBJECTS, NULL);
  pair_answer answer = runner_find(scene, query);
  for (size_t i = 0; i < answer.count; i++) {
    graze_pair *pair = &answer.pairs[i];
    pair->primitive_a = numbers[pair->object_a][pair->primitive_a];
    pair->primitive_b = numbers[pair->object_b][pair->primitive_b];
  }
  answer.hash = graze_pairs_hash(answer.pairs, answer.count);
  graze_scene_destroy(scene);
  for (int object = 0; object < FRAME_OBJECTS; object++) mesh_free(&packed[object]);
  return answer;
}

static void make_frame_model(frame_model *model, uint64_t *sequence) {
  for (int object = 0; object < FRAME_OBJECTS; object++) {
    mesh *m = &model->meshes[object];
    *m = torture_mesh(300, FRAME_TRIANGLES);
    for (size_t i = 0; i < 300; i++)
      for (int axis = 0; axis < 3; axis++)
        m->positions[3 * i + axis] =
            (double)(i / 10 % 6) * (axis == 0) + (double)(i / 60) * (axis == 1) + 1.5 * frame_number(sequence);
    m->triangle_count = 200;
    for (size_t i = 0; i < 200; i++) {
      for (int corner = 0; corner < 3; corner++)
        m->triangles[3 * i + corner] = (uint32_t)(i + 35 * (size_t)corner + sequence_below(sequence, 20));
      model->alive[object][i] = true;
    }
  }
}

static void compare_frames_with_rebuilt_scenes(const char *method) {
  uint64_t sequence = 99;
  frame_model *model = calloc(1, sizeof *model);
  assert_non_null(model);
  make_frame_model(model, &sequence);
  running_variant variant = {method, GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false};
  graze_scene *scene = runner_scene(&variant, model->meshes, FRAME_OBJECTS, NULL);
  const running_variant reference = running_variant_reference();
  size_t pair_count = 0;
  const size_t frame_count = test_scaled(60, 10);
  for (size_t frame = 0; frame < frame_count; frame++) {
    const uint32_t object = (uint32_t)sequence_below(&sequence, FRAME_OBJECTS);
    if (frame % 4 != 3) move_some(model, scene, object, &sequence);
    if (frame % 3 != 1) erase_some(model, scene, object, &sequence);
    if (frame % 2 != 1) insert_some(model, scene, (object + 1) % FRAME_OBJECTS, &sequence);
    assert_ok(graze_scene_update(scene));
    graze_query query = graze_query_default();
    query.neighbors = frame % 2 == 0 ? GRAZE_NEIGHBORS_SKIP : GRAZE_NEIGHBORS_BEYOND;
    const pair_answer expected = find_rebuilt(model, frame % 2 == 0 ? &reference : &variant, &query);
    const pair_answer found = runner_find(scene, &query);
    runner_compare(&expected, &found, "frames", "changed in place");
    pair_count += found.count;
    free(expected.pairs);
    free(found.pairs);
  }
  assert_true(pair_count > 100 * frame_count);
  graze_scene_destroy(scene);
  for (int object = 0; object < FRAME_OBJECTS; object++) mesh_free(&model->meshes[object]);
  free(model);
}

TEST(test_frames_equal_rebuilt_scenes) {
  compare_frames_with_rebuilt_scenes("grid");
  compare_frames_with_rebuilt_scenes("clusters");
  compare_frames_with_rebuilt_scenes("clusters 16");
}
