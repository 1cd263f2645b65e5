/* Tests objects that persist from frame to frame: unchanged data is not sent again, and the pairs are those of one
 * scene, whatever moves, changes its primitives, is added, removed, or fails. */
#include "base/number_sequence.h"
#include "models/model.h"
#include "rank_team.h"
#include "scene_calls.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>

enum { OBJECTS = 14, PRIMITIVES = 60 };

/* The object in the scene of the rank that has it. */
static graze_scene *scene_with(const rank_team *team, uint32_t number, graze_object *object_out) {
  for (uint32_t r = 0; r < team->count; r++)
    for (graze_object o = {0}; (o = graze_scene_next_object(team->ranks[r].scene, o)).generation != 0;) {
      graze_object_info info = {0};
      assert_ok(graze_object_get_info(team->ranks[r].scene, o, &info));
      if (info.global_object != number) continue;
      *object_out = o;
      return team->ranks[r].scene;
    }
  fail_msg("no rank has object %u", number);
  return NULL;
}

static void set_pose(graze_scene *scene, graze_object object, uint32_t turn) {
  const double quaternion[4] = {1, 0, 0.1 * (turn % 7), 0}, move[3] = {0.1 * (turn % 5), 0.03 * (turn % 11), 0};
  const graze_pose pose = graze_pose_from_quaternion(quaternion, move);
  assert_ok(graze_object_set_pose(scene, object, &pose));
}

static void set_position(graze_scene *scene, graze_object object, uint32_t turn) {
  const double place[3] = {0.1 * (turn % 9), 0.5, 0.1 * (turn % 4)};
  const graze_view view = {place, 1, 0, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_object_set_positions(scene, object, turn % 3, view));
}

static void erase_one(graze_scene *scene, graze_object object, uint32_t primitive) {
  const graze_result result = graze_object_remove_primitives(scene, object, &primitive, 1);
  assert_true(result == GRAZE_OK || result == GRAZE_INDEX_OUT_OF_RANGE); /* it is gone already */
}

static void change(graze_scene *scene, graze_object object, uint32_t how, uint32_t turn) {
  if (how == 0)
    set_pose(scene, object, turn);
  else if (how == 1)
    set_position(scene, object, turn);
  else if (how == 2)
    erase_one(scene, object, turn % PRIMITIVES);
  else if (how == 3)
    assert_ok(graze_object_set_filter(scene, object, 1u << turn % 2, turn % 3 ? 3 : 1, turn % 2));
  else
    assert_ok(graze_scene_remove_object(scene, object));
}

static void find_and_compare(rank_team *team, graze_scene *whole, const graze_query *query, const char *words) {
  if (team_find(team, query) != GRAZE_OK) fail_msg("%s: %s", words, team->ranks[0].state.failure.text);
  team_compare(team, whole, query, words);
}

static graze_scene *many_objects(void) {
  graze_scene *whole = team_empty_scene();
  for (uint32_t i = 0; i < OBJECTS; i++) team_add_model(whole, model_find("soup"), PRIMITIVES, i + 1);
  return whole;
}

/* The same change in the whole scene and on the rank that has the object. */
static void change_both(rank_team *team, graze_scene *whole, const graze_object *objects, uint32_t number, uint32_t how,
                        uint32_t turn) {
  graze_object own;
  graze_scene *scene = scene_with(team, number, &own);
  change(scene, own, how, turn);
  change(whole, objects[number], how, turn);
}

static void list_objects(const graze_scene *scene, graze_object objects[OBJECTS]) {
  for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;) objects[o.index] = o;
}

TEST(test_frames_of_changes) {
  uint64_t seed = 3;
  for (uint32_t ranks = 1; ranks <= 5; ranks += 2) {
    OWNED_SCENE *whole = many_objects();
    graze_object objects[OBJECTS];
    list_objects(whole, objects);
    OWNED_BY(team_end) rank_team team;
    team_begin(&team, ranks);
    assert_ok(team_open(&team));
    const chance c = {7, ranks};
    team_share(&team, whole, objects_by_chance, &c);
    graze_query near = graze_query_default(), invalid = graze_query_default();
    near.clearance = 0.02;
    invalid.clearance = NAN;
    for (uint32_t frame = 0; frame < test_sanitized(25, 80); frame++) {
      for (size_t n = sequence_below(&seed, 4); n > 0; n--) {
        const uint32_t number = (uint32_t)sequence_below(&seed, OBJECTS);
        if (!graze_object_is_valid(whole, objects[number])) continue;
        const size_t how = sequence_below(&seed, 30);
        change_both(&team, whole, objects, number, how < 29 ? (uint32_t)how % 4 : 4,
                    (uint32_t)sequence_below(&seed, 99));
      }
      if (frame % 13 == 5) assert_int_equal(team_find(&team, &invalid), GRAZE_INVALID_ARGUMENT);
      if (frame % 17 == 8) {
        const graze_object_pair pair = {1, 2};
        assert_ok(team_exclude(&team, &pair, frame < 20));
        assert_true(graze_scene_exclude(whole, objects[1], objects[2], frame < 20) == GRAZE_OK || frame >= 20);
      }
      find_and_compare(&team, whole, frame % 11 >= 8 ? &near : NULL, "a frame of changes");
    }
  }
}

/* Equal times: the curve is divided once. */
static uint64_t equal_us(void *context, uint32_t rank, uint64_t measured_us) {
  (void)context;
  (void)rank;
  (void)measured_us;
  return 1;
}

/* Nothing is sent where nothing has changed; of one object that moves, its own portions. */
TEST(test_only_changes_are_sent) {
  OWNED_SCENE *whole = many_objects();
  graze_object objects[OBJECTS];
  list_objects(whole, objects);
  OWNED_BY(team_end) rank_team team;
  team_begin(&team, 3);
  team.work_us = equal_us;
  assert_ok(team_open(&team));
  const chance c = {7, 3};
  team_share(&team, whole, objects_by_chance, &c);
  const rank_totals *totals = &team.ranks[0].totals;
  find_and_compare(&team, whole, NULL, "the first frame");
  assert_true(totals->ghost_count > OBJECTS * PRIMITIVES / 3);
  assert_int_equal(totals->sent_count, totals->ghost_count);
  const uint64_t ghosts = totals->ghost_count, bytes = totals->sent_bytes;
  find_and_compare(&team, whole, NULL, "nothing has changed");
  assert_int_equal(totals->ghost_count, ghosts);
  assert_int_equal(totals->sent_count, 0);
  assert_int_equal(totals->sent_bytes, 0);
  change_both(&team, whole, objects, 4, 0, 1);
  find_and_compare(&team, whole, NULL, "one object has moved");
  assert_in_range(totals->sent_count, 1, 3 * PRIMITIVES);
  assert_in_range(totals->sent_bytes, 1, bytes / 3);
  graze_object own;
  graze_scene *scene = scene_with(&team, 5, &own);
  assert_ok(graze_scene_remove_object(scene, own));
  assert_ok(graze_scene_remove_object(whole, objects[5]));
  find_and_compare(&team, whole, NULL, "one object is gone");
  assert_int_equal(totals->sent_count, 0);
  assert_true(totals->ghost_count < ghosts);
}

/* Scenes that follow each other, maybe at the same place in memory, with objects of equal numbers. */
TEST(test_another_scene) {
  rank_team team;
  team_begin(&team, 2);
  assert_ok(team_open(&team));
  for (uint64_t seed = 1; seed < 6; seed++) {
    OWNED_SCENE *whole = team_empty_scene();
    team_add_model(whole, model_find("soup"), 400, seed);
    for (uint32_t r = 0; r < team.count; r++) {
      graze_scene_destroy(team.ranks[r].scene);
      team.ranks[r].scene = team_empty_scene();
    }
    const chance c = {1, 2};
    team_share(&team, whole, primitives_by_chance, &c);
    find_and_compare(&team, whole, NULL, "another scene");
  }
  team_end(&team);
}
