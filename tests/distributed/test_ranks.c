/* Tests ranks of one process: together they have the pairs and the hash of the whole scene, each pair once, for all
 * kinds, numbers of ranks, distributions and divisions of the curve, while everything moves. A failure of one rank
 * fails all ranks. */
#include "base/number_sequence.h"
#include "failing_memory.h"
#include "models/model.h"
#include "rank_team.h"
#include "scene_calls.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t rank_counts[] = {1, 2, 3, 4, 7, 8, 16};
enum { COUNTS = sizeof rank_counts / sizeof *rank_counts };

/* Shares, asks and compares. */
static void check_ranks(rank_team *team, graze_scene *whole, rank_rule *rule, uint64_t seed, const graze_query *query,
                        const char *words) {
  const chance c = {seed, team->count};
  team_share(team, whole, rule, &c);
  if (team_find(team, query) != GRAZE_OK) fail_msg("%s: %s", words, team->ranks[0].state.failure.text);
  team_compare(team, whole, query, words);
}

static void begin_open(rank_team *team, uint32_t count) {
  team_begin(team, count);
  assert_ok(team_open(team));
}

static bool has_solids(const graze_scene *scene) {
  graze_object_info info = {0};
  return graze_object_get_info(scene, graze_scene_next_object(scene, (graze_object){0}), &info) == GRAZE_OK &&
         graze_kind_is_solid(info.kind);
}

TEST(test_models) {
  rank_team team;
  size_t turn = 0;
  for (size_t m = 0; m < model_count(); m++) {
    const model *chosen = model_at(m);
    OWNED_SCENE *whole = team_model_scene(chosen, test_sanitized(150, 600));
    for (int round = 0; round < 2; round++, turn++) {
      begin_open(&team, rank_counts[turn % COUNTS]);
      check_ranks(&team, whole, round == 0 ? all_on_the_last : primitives_by_chance, turn, NULL, chosen->name);
      graze_query query = graze_query_default();
      query.clearance = turn % 2 == 0 ? 0.05 : 0;
      query.candidates_only = turn % 3 == 0;
      query.scope = turn % 5 == 0 ? GRAZE_SCOPE_BETWEEN : turn % 5 == 1 ? GRAZE_SCOPE_WITHIN : GRAZE_SCOPE_BOTH;
      query.in_box = turn % 7 == 3;
      for (int axis = 0; axis < 3; axis++) query.box_min[axis] = -0.2, query.box_max[axis] = 0.3;
      query.neighbors = turn % 2 == 1 && !has_solids(whole) ? GRAZE_NEIGHBORS_BEYOND : GRAZE_NEIGHBORS_SKIP;
      check_ranks(&team, whole, primitives_by_chance, turn + 1, &query, chosen->name);
      team_end(&team);
    }
  }
}

/* ---------------------------------------------------------------------------------------------- shapes of scenes */

/* Separate triangles of one object. */
static graze_object add_soup(graze_scene *scene, size_t count, uint64_t seed, double size, double spread) {
  OWNED_MEMORY double *positions = malloc(9 * count * sizeof *positions);
  OWNED_MEMORY uint32_t *corners = malloc(3 * count * sizeof *corners);
  for (size_t t = 0; t < count; t++) {
    double middle[3];
    for (int axis = 0; axis < 3; axis++) middle[axis] = spread * (double)sequence_below(&seed, 1000000) / 1e6;
    for (int i = 0; i < 9; i++)
      positions[9 * t + (size_t)i] = middle[i % 3] + size * ((double)sequence_below(&seed, 1000000) / 1e6 - 0.5);
    for (size_t k = 0; k < 3; k++) corners[3 * t + k] = (uint32_t)(3 * t + k);
  }
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, 3 * count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){corners, count, 0, GRAZE_FORMAT_UINT32_3};
  graze_object added;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &added));
  return added;
}

TEST(test_huge_triangle_over_all) {
  OWNED_SCENE *whole = team_empty_scene();
  for (uint64_t i = 0; i < 10; i++) add_soup(whole, 60, i, 0.2, 1);
  add_soup(whole, 3, 77, 50, 1);
  for (size_t i = 0; i < COUNTS; i++) {
    OWNED_BY(team_end) rank_team team;
    begin_open(&team, rank_counts[i]);
    check_ranks(&team, whole, objects_by_chance, i, NULL, "huge triangles");
    uint64_t held = team.ranks[0].totals.work.sum_held;
    assert_true(held >= 600 + team.count); /* a huge one is everywhere */
  }
}

TEST(test_all_in_one_cell) {
  OWNED_SCENE *whole = team_empty_scene();
  for (uint64_t i = 0; i < 10; i++) add_soup(whole, 8, 5, 1e-3, 0); /* the same ones ten times */
  add_soup(whole, 1, 5, 1, 1e6);
  for (size_t i = 0; i < COUNTS; i++) {
    OWNED_BY(team_end) rank_team team;
    begin_open(&team, rank_counts[i]);
    check_ranks(&team, whole, objects_by_chance, i, NULL, "one cell");
  }
}

TEST(test_empty_scenes) {
  OWNED_SCENE *whole = team_empty_scene();
  OWNED_BY(team_end) rank_team team;
  begin_open(&team, 4);
  check_ranks(&team, whole, all_on_the_last, 0, NULL, "nothing");
  for (uint64_t i = 0; i < 4; i++) add_soup(whole, 40, i, 0.8, 1);
  check_ranks(&team, whole, all_on_the_last, 0, NULL, "something after nothing");
  assert_true(team.ranks[0].totals.pair_count > 50);
  assert_true(team.ranks[0].totals.work.greatest_held < 120); /* it is divided though one rank had it all */
}

/* Poses, filters, exclusions, erased primitives. */
TEST(test_rules_of_objects) {
  OWNED_SCENE *whole = team_empty_scene();
  graze_object objects[8];
  for (uint32_t i = 0; i < 8; i++) {
    objects[i] = add_soup(whole, 50, i, 0.3, 1);
    const double quaternion[4] = {1, 0.1 * i, 0.2, 0.3}, move[3] = {0.01 * i, 0, 0.02};
    const graze_pose pose = graze_pose_from_quaternion(quaternion, move);
    assert_ok(graze_object_set_pose(whole, objects[i], &pose));
    assert_ok(graze_object_set_filter(whole, objects[i], 1u << i % 3, i % 2 ? 7 : 5, i % 4 != 0));
  }
  const uint32_t gone[3] = {0, 7, 49};
  assert_ok(graze_object_remove_primitives(whole, objects[5], gone, 3));
  OWNED_BY(team_end) rank_team team;
  begin_open(&team, 5);
  check_ranks(&team, whole, objects_by_chance, 1, NULL, "rules");
  const uint64_t before = team.ranks[0].totals.pair_count;
  const graze_object_pair pairs[3] = {{1, 3}, {7, 5}, {0, 100}};
  assert_ok(team_exclude(&team, pairs, 3));
  for (int i = 0; i < 2; i++)
    assert_ok(graze_scene_exclude(whole, objects[pairs[i].object_a], objects[pairs[i].object_b], true));
  check_ranks(&team, whole, objects_by_chance, 2, NULL, "exclusions");
  assert_true(team.ranks[0].totals.pair_count < before);
}

/* However many parts of two objects a slab has, one pair of them is excluded, and only when the parts have changed. */
TEST(test_exclusions_of_parts) {
  OWNED_SCENE *whole = team_empty_scene();
  graze_object objects[4];
  for (uint32_t i = 0; i < 4; i++) objects[i] = add_soup(whole, 60, i, 0.4, 1);
  OWNED_BY(team_end) rank_team team;
  begin_open(&team, 4);
  const graze_object_pair pairs[2] = {{0, 1}, {3, 2}}, more = {0, 2};
  assert_ok(team_exclude(&team, pairs, 2));
  for (int i = 0; i < 2; i++)
    assert_ok(graze_scene_exclude(whole, objects[pairs[i].object_a], objects[pairs[i].object_b], true));
  check_ranks(&team, whole, primitives_by_chance, 1, NULL, "exclusions of parts");
  assert_ok(team_find(&team, NULL));
  team_compare(&team, whole, NULL, "exclusions of parts that stay");
  for (uint32_t i = 0; i < team.count; i++) {
    rank_state *rank = &team.ranks[i].state;
    assert_int_equal(graze_scene_exclusion_count(rank->share.scene), 2);
    assert_ok(slab_exclude(&rank->share, &rank->heap, &more, 1, &rank->failure));
    assert_int_equal(graze_scene_exclusion_count(rank->share.scene), 2); /* the parts have theirs */
  }
  check_ranks(&team, whole, primitives_by_chance, 2, NULL, "exclusions of other parts");
}

/* ---------------------------------------------------------------------------------------------- frames */

/* The parts of the first ranks take ten times as long. */
static uint64_t invented_us(void *context, uint32_t rank, uint64_t measured_us) {
  (void)measured_us;
  return *(const uint64_t *)context * (rank < 2 ? 10 : 1);
}

/* Bodies that drift through each other, change ranks, and are all lost by one rank; the curve is divided anew. */
TEST(test_moving_frames) {
  static uint64_t work_us = 5000;
  OWNED_SCENE *whole = team_empty_scene();
  graze_object objects[12];
  for (uint32_t i = 0; i < 12; i++) objects[i] = add_soup(whole, 40, i, 0.2, 1);
  OWNED_BY(team_end) rank_team team;
  team_begin(&team, 4);
  team.work_us = invented_us;
  team.work_context = &work_us;
  assert_ok(team_open(&team));
  uint64_t first_divisions = 0;
  for (uint32_t frame = 0; frame < 16; frame++) {
    for (uint32_t i = 0; i < 12; i++) {
      const double quaternion[4] = {1, 0, 0.1 * frame, 0}, move[3] = {0.1 * frame * (i % 3), 0.05 * frame, 0};
      const graze_pose pose = graze_pose_from_quaternion(quaternion, move);
      assert_ok(graze_object_set_pose(whole, objects[i], &pose));
    }
    check_ranks(&team, whole,
                frame == 5  ? all_on_the_last
                : frame % 2 ? objects_by_chance
                            : primitives_by_chance,
                frame / 3, NULL, "frames");
    if (frame == 0) first_divisions = team.ranks[0].totals.divisions;
    if (frame == 8) work_us = 1; /* too little to divide for */
  }
  assert_int_equal(first_divisions, 1);
  assert_in_range(team.ranks[0].totals.divisions, 2, 4);
}

/* The last rank has what the curve comes to first, and so on. */
static uint32_t backward_by_place(const void *context, uint32_t object, uint32_t primitive) {
  (void)primitive;
  return ((const chance *)context)->rank_count - 1 - object;
}

/* A rank gets the part of which it has most: what is near in space on each rank is sent to nobody but at borders. */
TEST(test_parts_go_where_they_are) {
  OWNED_SCENE *whole = team_empty_scene();
  for (uint32_t i = 0; i < 4; i++) {
    const graze_object object = add_soup(whole, 300, i, 0.05, 1);
    const graze_pose pose = graze_pose_from_quaternion((const double[4]){1, 0, 0, 0}, (const double[3]){2.0 * i, 0, 0});
    assert_ok(graze_object_set_pose(whole, object, &pose));
  }
  OWNED_BY(team_end) rank_team team;
  begin_open(&team, 4);
  check_ranks(&team, whole, backward_by_place, 1, NULL, "parts where they are");
  assert_true(team.ranks[0].totals.ghost_count < 300);
}

/* Times that stay as they are in each part move work from the slow ranks to the others. */
static uint64_t slow_rank_us(void *context, uint32_t rank, uint64_t measured_us) {
  const rank_team *team = context;
  (void)measured_us;
  return 1000 + team->ranks[rank].state.share.held_count * (rank == 0 ? 300 : 100);
}

TEST(test_slow_rank_gets_less) {
  OWNED_SCENE *whole = team_empty_scene();
  for (uint32_t i = 0; i < 12; i++) add_soup(whole, 200, i, 0.01, 1);
  OWNED_BY(team_end) rank_team team;
  team_begin(&team, 4);
  team.work_us = slow_rank_us;
  team.work_context = &team;
  assert_ok(team_open(&team));
  double imbalance = 9;
  uint64_t before = 0;
  for (int frame = 0; frame < 8; frame++) {
    check_ranks(&team, whole, objects_by_chance, 1, NULL, "a slow rank");
    const division_work *work = &team.ranks[0].totals.work;
    imbalance = 4.0 * (double)work->greatest_us / (double)work->sum_us;
    if (frame == 0) before = team.ranks[0].state.share.held_count;
  }
  assert_true(imbalance <= 1.15);
  assert_true(team.ranks[0].state.share.held_count < before * 2 / 3);
}

/* ---------------------------------------------------------------------------------------------- failures */

static void expect_failure(rank_team *team, graze_result wanted, const char *words) {
  assert_int_equal(team_find(team, team->ranks[0].query), wanted);
  if (strstr(team->ranks[0].state.failure.text, words) == NULL)
    fail_msg("\"%s\" instead of \"%s\"", team->ranks[0].state.failure.text, words);
}

static void *ask_alone(rank_team *team, const graze_query *query, graze_result wanted, const char *words) {
  for (uint32_t i = 0; i < team->count; i++) team->ranks[i].query = query;
  expect_failure(team, wanted, words);
  return NULL;
}

TEST(test_failure_is_that_of_all) {
  OWNED_SCENE *whole = team_empty_scene();
  for (uint32_t i = 0; i < 8; i++) add_soup(whole, 20, i, 0.3, 1);
  OWNED_BY(team_end) rank_team team;
  begin_open(&team, 3);
  check_ranks(&team, whole, objects_by_chance, 1, NULL, "before failures");
  graze_scene *scene = team.ranks[2].scene;
  const graze_object object = graze_scene_next_object(scene, (graze_object){0});
  const graze_pose far_away = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {1e308, 0, 0}}, here = graze_pose_identity();
  double huge[3] = {1.7e308, 0, 0};
  double place[3];
  assert_ok(graze_object_get_positions(scene, object, 0, (graze_output_view){place, 1, 0, GRAZE_FORMAT_DOUBLE3}));
  assert_ok(graze_object_set_positions(scene, object, 0, (graze_view){huge, 1, 0, GRAZE_FORMAT_DOUBLE3}));
  assert_ok(graze_object_set_pose(scene, object, &far_away));
  ask_alone(&team, NULL, GRAZE_NOT_FINITE, "rank 2: object 0: coordinate x of vertex 0 is inf after the pose");
  assert_ok(graze_object_set_pose(scene, object, &here));
  assert_ok(graze_object_set_positions(scene, object, 0, (graze_view){place, 1, 0, GRAZE_FORMAT_DOUBLE3}));
  graze_query query = graze_query_default();
  query.stop_after = 3;
  ask_alone(&team, &query, GRAZE_UNSUPPORTED, "rank 0: a query over several ranks does not support stop_after");
  query = graze_query_default();
  query.clearance = NAN;
  ask_alone(&team, &query, GRAZE_INVALID_ARGUMENT, "rank 0:");
  const graze_object_pair itself = {5, 5};
  assert_int_equal(team_exclude(&team, &itself, 1), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(team_exclude(&team, NULL, 3), GRAZE_INVALID_ARGUMENT);
  check_ranks(&team, whole, objects_by_chance, 1, NULL, "after a refused exclusion");
  add_soup(team.ranks[1].scene, 1, 1, 1, 1);
  ask_alone(&team, NULL, GRAZE_INVALID_ARGUMENT, "has no global numbers");
  check_ranks(&team, whole, objects_by_chance, 2, NULL, "after failures");
  team_end(&team);
  begin_open(&team, 1);
  check_ranks(&team, whole, objects_by_chance, 1, NULL, "one rank");
  add_soup(team.ranks[0].scene, 1, 1, 1, 1);
  ask_alone(&team, NULL, GRAZE_INVALID_ARGUMENT, "has no global numbers");
}

/* A triangle of a global object at a place. */
static graze_object add_numbered(graze_scene *scene, uint32_t object, uint32_t primitive, double x, uint64_t category) {
  const double positions[9] = {x, 0, 0, x + 1, 0, 0, x, 1, 0};
  const uint32_t corners[3] = {0, 1, 2};
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = (graze_view){positions, 3, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){corners, 1, 0, GRAZE_FORMAT_UINT32_3};
  placed.category = category;
  placed.global_numbers = true;
  placed.global_object = object;
  placed.global_primitive = primitive;
  placed.global_vertex = 3 * primitive;
  graze_object added;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &added));
  return added;
}

/* Objects of several ranks with the same numbers are far apart, so that no slab has both. */
TEST(test_same_numbers_on_several_ranks) {
  OWNED_BY(team_end) rank_team team;
  begin_open(&team, 4);
  for (uint32_t i = 0; i < 4; i++) add_numbered(team.ranks[i].scene, 0, i, 100.0 * i, 1);
  assert_ok(team_find(&team, NULL));
  const graze_object again = add_numbered(team.ranks[3].scene, 0, 1, 350, 1);
  ask_alone(&team, NULL, GRAZE_INVALID_ARGUMENT, "ranks 1 and 3 both have primitive 1 of global object 0");
  assert_true(strncmp(team.ranks[0].state.failure.text, "ranks", 5) == 0); /* not the rank that compares */
  ask_alone(&team, NULL, GRAZE_INVALID_ARGUMENT, "ranks 1 and 3 both have primitive 1 of global object 0");
  assert_ok(graze_scene_remove_object(team.ranks[3].scene, again));
  assert_ok(team_find(&team, NULL));
  const graze_object twice = add_numbered(team.ranks[2].scene, 0, 2, 250, 1);
  ask_alone(&team, NULL, GRAZE_INVALID_ARGUMENT, "rank 2 has primitive 2 of global object 0 twice");
  assert_ok(graze_scene_remove_object(team.ranks[2].scene, twice));
  const graze_object other = add_numbered(team.ranks[0].scene, 0, 9, 50, 2);
  ask_alone(&team, NULL, GRAZE_INVALID_ARGUMENT,
            "the parts of global object 0 on ranks 0 and 3 differ in their filters");
  assert_ok(graze_object_set_filter(team.ranks[0].scene, other, 1, graze_object_def_default().mask, false));
  ask_alone(&team, NULL, GRAZE_INVALID_ARGUMENT, "differ in their flags `self`");
  assert_ok(graze_object_set_filter(team.ranks[0].scene, other, 1, graze_object_def_default().mask, true));
  assert_ok(team_find(&team, NULL));
}

/* Two triangles of global object 0 with listed numbers. */
static void add_listed(graze_scene *scene, uint32_t first, uint32_t second, double x) {
  const double positions[18] = {x, 0, 0, x + 1, 0, 0, x, 1, 0, x, 0, 5, x + 1, 0, 5, x, 1, 5};
  const uint32_t corners[6] = {0, 1, 2, 3, 4, 5}, numbers[2] = {first, second};
  const uint32_t vertices[6] = {3 * first, 3 * first + 1, 3 * first + 2, 3 * second, 3 * second + 1, 3 * second + 2};
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = (graze_view){positions, 6, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){corners, 2, 0, GRAZE_FORMAT_UINT32_3};
  placed.global_numbers = true;
  placed.global_primitives = (graze_view){numbers, 2, 0, GRAZE_FORMAT_UINT32};
  placed.global_vertices = (graze_view){vertices, 6, 0, GRAZE_FORMAT_UINT32};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL));
}

/* A new scene has the same objects as the last one, except for the numbers of their primitives. */
TEST(test_new_scene_has_other_numbers) {
  rank_team team;
  begin_open(&team, 2);
  add_listed(team.ranks[0].scene, 1, 0, 0);
  add_listed(team.ranks[1].scene, 5, 3, 100);
  assert_ok(team_find(&team, NULL));
  graze_scene_destroy(team.ranks[1].scene);
  team.ranks[1].scene = team_empty_scene();
  add_listed(team.ranks[1].scene, 5, 1, 100);
  ask_alone(&team, NULL, GRAZE_INVALID_ARGUMENT, "ranks 0 and 1 both have primitive 1 of global object 0");
  team_end(&team);
}

/* Each allocation of one rank fails once: all ranks report it, or it was not needed; the next frame has all pairs. */
TEST(test_each_allocation_fails) {
  OWNED_SCENE *whole = team_empty_scene();
  for (uint32_t i = 0; i < 5; i++) add_soup(whole, 12, i, 0.4, 1);
  size_t refusals = 0;
  const size_t step = test_sanitized(5, 1);
  for (size_t refused = 0;; refused += step) {
    failing_memory failing = {.refused = refused, .all_after = refused % 2 == 1};
    graze_allocator allocator = failing_allocator(&failing);
    rank_team team;
    team_begin(&team, 3);
    team.ranks[1].allocator = &allocator;
    const chance c = {refused, 3};
    team_share(&team, whole, objects_by_chance, &c);
    graze_result result = team_open(&team);
    for (int frame = 0; frame < 2 && result == GRAZE_OK; frame++) result = team_find(&team, NULL);
    const bool reached = failing.count > refused;
    if (result != GRAZE_OK) {
      assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
      assert_non_null(strstr(team.ranks[0].state.failure.text, "rank 1: "));
      refusals++;
      failing.refused = SIZE_MAX; /* from now on there is enough */
      if (!team.ranks[0].is_open) assert_ok(team_open(&team));
      assert_ok(team_find(&team, NULL));
    }
    team_compare(&team, whole, NULL, "after a refused allocation");
    team_end(&team);
    if (!reached) break;
  }
  assert_true(refusals >= 20);
}
