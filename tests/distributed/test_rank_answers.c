/* Compares contacts and wrenches over ranks with those of one scene, bit by bit, for all models and numbers of ranks,
 * also if volumes exceed the range of doubles; and tests errors. */
#include "base/number_sequence.h"
#include "cuda/contact_bits.h"
#include "failing_memory.h"
#include "rank_team.h"
#include "scene_calls.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t rank_counts[] = {2, 3, 4, 7, 8, 16, 1};
enum { COUNTS = sizeof rank_counts / sizeof *rank_counts };

static void begin_shared(rank_team *team, uint32_t count, const graze_scene *whole, uint64_t seed) {
  team_begin(team, count);
  assert_ok(team_open(team));
  const chance c = {seed, count};
  team_share(team, whole, primitives_by_chance, &c);
}

/* The contacts of each rank's pairs, in the whole and in the part of the rank. */
static void compare_contacts(const rank_team *team, const graze_scene *whole, const char *words) {
  for (uint32_t r = 0; r < team->count; r++) {
    const team_rank *rank = &team->ranks[r];
    OWNED(graze_contacts) wanted = {0}, found = {0};
    assert_ok(graze_scene_make_contacts(whole, rank->pairs.pairs, rank->pairs.count, NULL, &wanted));
    if (graze_scene_make_contacts(rank->state.share.scene, rank->pairs.pairs, rank->pairs.count, NULL, &found) !=
        GRAZE_OK)
      fail_msg("%s: %s", words, graze_error_text());
    for (size_t i = 0; i < wanted.count; i++)
      if (!same_contact(&wanted.contacts[i], &found.contacts[i]))
        fail_msg("%s, rank %u of %u: contact %zu differs", words, r, team->count, i);
    assert_int_equal(found.point_count, wanted.point_count);
    if (wanted.point_count > 0)
      assert_memory_equal(found.points, wanted.points, wanted.point_count * sizeof *wanted.points);
  }
}

/* How many wrenches there are. */
static size_t compare_wrenches(rank_team *team, const graze_scene *whole, const graze_query *query,
                               const graze_contact_options *options, const char *words) {
  OWNED(graze_wrenches) wanted = find_wrenches(whole, query, options);
  if (team_find_wrenches(team, query, options) != GRAZE_OK)
    fail_msg("%s: %s", words, team->ranks[0].state.failure.text);
  const size_t count = wanted.count;
  for (uint32_t r = 0; r < team->count; r++) {
    const array *found = &team->ranks[r].wrenches;
    if (found->count != count) fail_msg("%s, %u ranks: %zu wrenches, not %zu", words, team->count, found->count, count);
    for (size_t i = 0; i < count; i++)
      if (memcmp(&wanted.wrenches[i], &ARRAY_AS(graze_wrench, found)[i], sizeof(graze_wrench)) != 0)
        fail_msg("%s, rank %u of %u: wrench %zu differs", words, r, team->count, i);
  }
  return count;
}

/* A model twice, the second time turned and moved a little: its objects share points with those of the first. */
static graze_scene *overlaid(const model *chosen, uint64_t primitives) {
  graze_scene *scene = team_model_scene(chosen, primitives);
  graze_object last = {0};
  for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;) last = o;
  team_add_model(scene, chosen, primitives, 8);
  const double quaternion[4] = {1, 0.02, 0.01, 0}, move[3] = {0.05, 0.02, 0.01};
  const graze_pose pose = graze_pose_from_quaternion(quaternion, move);
  while ((last = graze_scene_next_object(scene, last)).generation != 0)
    assert_ok(graze_object_set_pose(scene, last, &pose));
  assert_ok(graze_scene_update(scene));
  return scene;
}

TEST(test_models) {
  size_t wrench_count = 0;
  for (size_t m = 0; m < model_count(); m++) {
    const model *chosen = model_at(m);
    OWNED_SCENE *whole = overlaid(chosen, test_sanitized(60, 150));
    OWNED_BY(team_end) rank_team team;
    begin_shared(&team, rank_counts[m % COUNTS], whole, m);
    graze_query query = graze_query_default();
    query.candidates_only = m % 4 == 3;
    graze_contact_options options = graze_contact_options_default();
    options.stiffness = 1.0 + (double)m / 3.0;
    options.about[m % 3] = 0.7;
    wrench_count += compare_wrenches(&team, whole, &query, &options, chosen->name);
    if (!query.candidates_only) compare_contacts(&team, whole, chosen->name);
    query = graze_query_default();
    query.test = m % 2 == 0 ? GRAZE_TEST_GJK : GRAZE_TEST_SAT;
    wrench_count += compare_wrenches(&team, whole, &query, &options, chosen->name);
  }
  if (wrench_count < 20) fail_msg("%zu wrenches", wrench_count);
}

/* ---------------------------------------------------------------------------------------------- spheres */

static graze_object add_spheres(graze_scene *scene, size_t count, uint64_t seed, double size) {
  OWNED_MEMORY double *centers = malloc(3 * count * sizeof *centers), *radii = malloc(count * sizeof *radii);
  for (size_t i = 0; i < 3 * count; i++) centers[i] = size * (double)sequence_below(&seed, 1000000) / 1e6;
  for (size_t i = 0; i < count; i++) radii[i] = 0.2 * size * (double)(1 + sequence_below(&seed, 1000)) / 1e3;
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){centers, count, 0, GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){radii, count, 0, GRAZE_FORMAT_DOUBLE};
  graze_object added;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, NULL, &added));
  return added;
}

/* Volumes beyond the doubles and below them, of spheres of which none is like the next; both forces. */
TEST(test_all_magnitudes) {
  static const double sizes[] = {1e-200, 1e-110, 1, 1e90, 1e150};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    OWNED_SCENE *whole = team_empty_scene();
    for (uint64_t k = 0; k < 4; k++) {
      add_spheres(whole, 60, 4 * i + k, sizes[i]);
      add_spheres(whole, 20, 90 + k, sizes[i] * 1e-9);
    }
    assert_ok(graze_scene_update(whole));
    for (size_t n = 0; n < test_sanitized(2, COUNTS); n++) {
      OWNED_BY(team_end) rank_team team;
      begin_shared(&team, rank_counts[n], whole, i + n);
      graze_contact_options options = graze_contact_options_default();
      options.force = n % 2 == 0 ? GRAZE_FORCE_VOLUME : GRAZE_FORCE_GRADIENT;
      options.about[1] = 0.3 * sizes[i];
      assert_true(compare_wrenches(&team, whole, NULL, &options, "magnitudes") >= 6);
    }
  }
}

static void expect_failure(const rank_team *team, graze_result found, graze_result wanted, const char *words) {
  assert_int_equal(found, wanted);
  assert_string_equal(team->ranks[0].state.failure.text, words);
}

TEST(test_refusals) {
  OWNED_SCENE *whole = team_empty_scene();
  for (uint64_t k = 0; k < 3; k++) add_spheres(whole, 30, k, 1);
  assert_ok(graze_scene_update(whole));
  OWNED_BY(team_end) rank_team team;
  begin_shared(&team, 3, whole, 1);
  graze_query query = graze_query_default();
  graze_contact_options options = graze_contact_options_default();
  query.clearance = 0.5;
  expect_failure(&team, team_find_wrenches(&team, &query, &options), GRAZE_UNSUPPORTED,
                 "rank 0: wrenches need pairs that intersect: the query has a clearance of 0.5");
  query = graze_query_default();
  options.test = GRAZE_TEST_GJK;
  expect_failure(&team, team_find_wrenches(&team, &query, &options), GRAZE_INVALID_ARGUMENT,
                 "rank 0: the test of the options differs from that of the query");
  options = graze_contact_options_default();
  options.about[2] = HUGE_VAL;
  expect_failure(&team, team_find_wrenches(&team, NULL, &options), GRAZE_INVALID_ARGUMENT,
                 "rank 0: coordinate z of the reference point of torques is inf");
  options = graze_contact_options_default();
  team.odd_options = graze_contact_options_default();
  team.odd_options.stiffness = 2;
  team.odd_rank = 2;
  expect_failure(&team, team_find_wrenches(&team, NULL, &options), GRAZE_INVALID_ARGUMENT,
                 "all ranks must pass the same wrench options");
  team.odd_rank = 0;
  assert_int_equal(compare_wrenches(&team, whole, NULL, &options, "after failures"), 3);
}

/* Each allocation of one rank fails once, while it excludes objects and sums wrenches: all ranks report it, or it was
 * not needed; the next call succeeds. */
TEST(test_each_allocation_fails) {
  OWNED_SCENE *whole = team_empty_scene();
  for (uint64_t k = 0; k < 4; k++) add_spheres(whole, 15, k, 1);
  assert_ok(graze_scene_update(whole));
  const graze_contact_options options = graze_contact_options_default();
  const graze_object_pair excluded = {7, 9}; /* of no objects that are there */
  size_t refusals = 0;
  for (size_t refused = 0;; refused += test_sanitized(7, 1)) {
    failing_memory failing = {.refused = refused};
    graze_allocator allocator = failing_allocator(&failing);
    rank_team team;
    team_begin(&team, 3);
    team.ranks[1].allocator = &allocator;
    const chance c = {refused, 3};
    team_share(&team, whole, primitives_by_chance, &c);
    graze_result result = team_open(&team);
    if (result == GRAZE_OK) result = team_exclude(&team, &excluded, 1);
    if (result == GRAZE_OK) result = team_find_wrenches(&team, NULL, &options);
    const bool reached = failing.count > refused;
    failing.refused = SIZE_MAX; /* from now on there is enough */
    if (result != GRAZE_OK) {
      assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
      assert_non_null(strstr(team.ranks[0].state.failure.text, "rank 1: "));
      refusals++;
      if (!team.ranks[0].is_open) assert_ok(team_open(&team));
    }
    assert_int_equal(compare_wrenches(&team, whole, NULL, &options, "after a refused allocation"), 6);
    team_end(&team);
    if (!reached) break;
  }
  assert_true(refusals >= test_sanitized(5, 40));
}
