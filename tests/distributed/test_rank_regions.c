/* Compares regions over ranks with those of one scene: each region is on one rank, with the same pairs, classes, points
 * and curves, bit by bit, including a region over all ranks. Also tests wrenches of regions, and fails each allocation
 * of one rank once. */
#include "failing_memory.h"
#include "models/model.h"
#include "rank_team.h"
#include "scene_calls.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t rank_counts[] = {1, 2, 3, 4, 7, 8, 16};
enum { COUNTS = sizeof rank_counts / sizeof *rank_counts };

static void begin_shared(rank_team *team, uint32_t count, const graze_scene *whole, uint64_t seed) {
  const chance c = {seed, count};
  team_begin(team, count);
  assert_ok(team_open(team));
  team_share(team, whole, seed % 2 == 0 ? primitives_by_chance : objects_by_chance, &c);
}

static graze_region_options options_of_ranks(void) {
  graze_region_options options = graze_region_options_default();
  options.object_depths = false;
  return options;
}

/* ---------------------------------------------------------------------------------------------- comparing */

/* A region of some list. */
typedef struct listed {
  const graze_regions *list;
  const graze_region *region;
  const team_rank *rank;
} listed;

static int compare_listed(const void *a, const void *b) {
  const listed *x = a, *y = b;
  const graze_pair *p = &x->list->pairs[x->region->first_pair], *q = &y->list->pairs[y->region->first_pair];
  if (p->object_a != q->object_a) return p->object_a < q->object_a ? -1 : 1;
  if (p->object_b != q->object_b) return p->object_b < q->object_b ? -1 : 1;
  if (p->primitive_a != q->primitive_a) return p->primitive_a < q->primitive_a ? -1 : 1;
  return (p->primitive_b > q->primitive_b) - (p->primitive_b < q->primitive_b);
}

static size_t curve_points, same_names;

#define SAME(what, found, wanted, count)                                                                               \
  do {                                                                                                                 \
    if ((count) > 0 && memcmp(found, wanted, (count) * sizeof *(found)) != 0)                                          \
      fail_msg("%s: the %s of a region of %zu pairs differ", words, what, wanted_region->pair_count);                  \
  } while (0)

/* Where an object has several vertices at one place, the pairs of other regions may have one with a lower number: the
 * names differ then, and the order of rounding. */
static bool same_curve_vertex(const graze_curve_vertex *a, const graze_curve_vertex *b) {
  if (a->face_a.kind != b->face_a.kind || a->face_b.kind != b->face_b.kind) return false;
  for (int axis = 0; axis < 3; axis++)
    if (!(fabs(a->position[axis] - b->position[axis]) <= 1e-12 * fabs(b->position[axis]))) return false;
  curve_points++;
  same_names += memcmp(a, b, sizeof *a) == 0;
  return true;
}

/* All but the places in the lists. */
static void compare_region(const listed *found, const listed *wanted, const char *words) {
  const graze_region *found_region = found->region, *wanted_region = wanted->region;
  graze_region same = *found_region;
  same.first_pair = wanted_region->first_pair;
  same.first_point = wanted_region->first_point;
  same.first_curve = wanted_region->first_curve;
  SAME("numbers", &same, wanted_region, 1);
  const graze_regions *f = found->list, *w = wanted->list;
  SAME("pairs", &f->pairs[found_region->first_pair], &w->pairs[wanted_region->first_pair], wanted_region->pair_count);
  SAME("classes", &f->clashes[found_region->first_pair], &w->clashes[wanted_region->first_pair],
       wanted_region->pair_count);
  for (size_t i = 0; i < wanted_region->point_count; i++) {
    graze_region_point point = f->points[found_region->first_point + i];
    point.pair += wanted_region->first_pair - found_region->first_pair;
    SAME("points", &point, &w->points[wanted_region->first_point + i], 1);
  }
  for (size_t i = 0; i < wanted_region->curve_count; i++) {
    const graze_curve *p = &f->curves[found_region->first_curve + i], *q = &w->curves[wanted_region->first_curve + i];
    if (p->kind != q->kind || p->closed != q->closed || p->vertex_count != q->vertex_count)
      fail_msg("%s: a curve of %zu points differs", words, q->vertex_count);
    for (size_t k = 0; k < q->vertex_count; k++)
      if (!same_curve_vertex(&f->vertices[p->first_vertex + k], &w->vertices[q->first_vertex + k]))
        fail_msg("%s: point %zu of a curve differs", words, k);
  }
}

static void compare_wrench(const listed *found, const graze_scene *whole, const listed *wanted, const char *words) {
  OWNED(graze_wrenches) p = {0}, q = {0};
  const graze_region *wanted_region = wanted->region;
  assert_ok(graze_scene_make_wrenches(found->rank->state.region_share.scene,
                                      &found->list->pairs[found->region->first_pair], found->region->pair_count, NULL,
                                      &p));
  assert_ok(graze_scene_make_wrenches(whole, &wanted->list->pairs[wanted_region->first_pair], wanted_region->pair_count,
                                      NULL, &q));
  assert_int_equal(p.count, q.count);
  SAME("wrenches", p.wrenches, q.wrenches, q.count);
}

/* The joins of the ranks, over all comparisons. */
typedef struct seen_regions {
  size_t regions, curves, points;
} seen_regions;

static void compare_lists(const rank_team *team, const graze_scene *whole, const graze_regions *wanted,
                          const char *words) {
  size_t count = 0, pair_count = 0, at = 0;
  for (uint32_t r = 0; r < team->count; r++) {
    count += team->ranks[r].regions.count;
    pair_count += team->ranks[r].regions.pair_count;
  }
  if (count != wanted->count || pair_count != wanted->pair_count)
    fail_msg("%s: %u ranks have %zu regions of %zu pairs, not %zu of %zu", words, team->count, count, pair_count,
             wanted->count, wanted->pair_count);
  OWNED_MEMORY listed *found = malloc((count + 1) * sizeof *found);
  for (uint32_t r = 0; r < team->count; r++)
    for (size_t i = 0; i < team->ranks[r].regions.count; i++)
      found[at++] = (listed){&team->ranks[r].regions, &team->ranks[r].regions.regions[i], &team->ranks[r]};
  qsort(found, count, sizeof *found, compare_listed);
  for (size_t i = 0; i < count; i++) {
    const listed one = {wanted, &wanted->regions[i], NULL};
    compare_region(&found[i], &one, words);
    if (i < 3) compare_wrench(&found[i], whole, &one, words);
  }
}

static void check_regions(rank_team *team, const graze_scene *whole, const graze_query *query, const char *words,
                          seen_regions *seen) {
  const graze_region_options options = options_of_ranks();
  OWNED(graze_regions) wanted = find_regions(whole, query, &options);
  if (team_find_regions(team, query, &options) != GRAZE_OK)
    fail_msg("%s: %s", words, team->ranks[0].state.failure.text);
  compare_lists(team, whole, &wanted, words);
  assert_true(team->ranks[0].totals.hash == wanted.hash);
  seen->regions += wanted.count;
  seen->curves += wanted.curve_count;
  seen->points += wanted.point_count;
}

/* ---------------------------------------------------------------------------------------------- scenes */

/* A model twice, the second time turned and moved a little. */
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
  seen_regions seen = {0};
  for (size_t m = 0; m < model_count(); m++) {
    const model *chosen = model_at(m);
    OWNED_SCENE *whole = overlaid(chosen, test_sanitized(40, 120));
    OWNED_BY(team_end) rank_team team;
    begin_shared(&team, rank_counts[m % COUNTS], whole, m);
    graze_query query = graze_query_default();
    check_regions(&team, whole, &query, chosen->name, &seen);
    query.scope = m % 3 == 0 ? GRAZE_SCOPE_WITHIN : GRAZE_SCOPE_BETWEEN;
    query.test = m % 2 == 0 ? GRAZE_TEST_GJK : GRAZE_TEST_SAT;
    check_regions(&team, whole, &query, chosen->name, &seen);
  }
  if (seen.regions < 500 || seen.curves < 300 || seen.points < 500)
    fail_msg("%zu regions, %zu curves, %zu points", seen.regions, seen.curves, seen.points);
  if (1000 * (curve_points - same_names) > curve_points)
    fail_msg("%zu of %zu points of curves have other names", curve_points - same_names, curve_points);
}

/* A strip of squares in the plane z = 0 along x, and one across it at an angle: one region, which reaches over all
 * ranks, with one curve. */
static void add_strip(graze_scene *scene, size_t squares, double slope) {
  OWNED_MEMORY double *positions = malloc(6 * (squares + 1) * sizeof *positions);
  OWNED_MEMORY uint32_t *corners = malloc(6 * squares * sizeof *corners);
  for (size_t i = 0; i <= squares; i++)
    for (size_t k = 0; k < 2; k++) {
      const double y = k == 0 ? -1 : 1;
      const double place[3] = {(double)i * (slope != 0 ? 1.03 : 1), y, slope * y};
      memcpy(positions + 6 * i + 3 * k, place, sizeof place);
    }
  for (size_t i = 0; i < squares; i++) {
    const uint32_t first = (uint32_t)(2 * i), two[6] = {first, first + 1, first + 2, first + 1, first + 3, first + 2};
    memcpy(corners + 6 * i, two, sizeof two);
  }
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, 2 * (squares + 1), 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){corners, 2 * squares, 0, GRAZE_FORMAT_UINT32_3};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
}

TEST(test_one_region_over_all) {
  OWNED_SCENE *whole = team_empty_scene();
  add_strip(whole, 300, 0);
  add_strip(whole, 290, 0.7);
  assert_ok(graze_scene_update(whole));
  for (size_t i = 0; i < COUNTS; i++) {
    OWNED_BY(team_end) rank_team team;
    seen_regions seen = {0};
    begin_shared(&team, rank_counts[i], whole, i);
    for (int again = 0; again < 2; again++) check_regions(&team, whole, NULL, "strips", &seen);
    assert_int_equal(seen.regions, 2);
    assert_int_equal(seen.curves, 2);
    size_t makers = 0, finders = 0;
    for (uint32_t r = 0; r < team.count; r++) {
      makers += team.ranks[r].regions.count > 0;
      finders += team.ranks[r].pairs.count > 0;
    }
    assert_int_equal(makers, 1);
    assert_true(finders >= (team.count + 1) / 2);
  }
}

/* Two crossed strips of one object, of an even number of squares. Along the curve either strip has the lower numbers in
 * turn, so that pairs on both sides of some borders name the strips in another order. */
static void add_crossed_strips(graze_scene *scene, size_t squares) {
  OWNED_MEMORY double *positions = malloc(12 * (squares + 1) * sizeof *positions);
  OWNED_MEMORY uint32_t *corners = malloc(12 * squares * sizeof *corners);
  for (size_t i = 0; i <= squares; i++)
    for (size_t k = 0; k < 4; k++) {
      const double y = k % 2 == 0 ? -1 : 1;
      const double place[3] = {(double)i + (k < 2 ? 0 : 0.3), y, k < 2 ? 0 : 0.7 * y};
      memcpy(positions + 3 * (4 * i + k), place, sizeof place);
    }
  for (size_t i = 0; i < 2 * squares; i++) { /* by fours: two squares of one strip, two of the other */
    const size_t square = i / 4 * 2 + i % 2, strip = i % 4 / 2 ^ i / 4 % 2;
    const uint32_t first = (uint32_t)(4 * square + 2 * strip);
    const uint32_t two[6] = {first, first + 1, first + 4, first + 1, first + 5, first + 4};
    memcpy(corners + 6 * i, two, sizeof two);
  }
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, 4 * (squares + 1), 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){corners, 4 * squares, 0, GRAZE_FORMAT_UINT32_3};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
}

TEST(test_sides_in_either_order) {
  for (size_t squares = 60; squares < 68; squares += 2) {
    OWNED_SCENE *whole = team_empty_scene();
    add_crossed_strips(whole, squares);
    assert_ok(graze_scene_update(whole));
    for (size_t i = 1; i < COUNTS; i++) {
      OWNED_BY(team_end) rank_team team;
      seen_regions seen = {0};
      begin_shared(&team, rank_counts[i], whole, 2 * i);
      check_regions(&team, whole, NULL, "crossed strips", &seen);
      assert_int_equal(seen.regions, 1);
    }
  }
}

/* Two spheres of one object with one center are two: each has a region with a strip that lies in both. */
TEST(test_spheres_with_one_center) {
  OWNED_SCENE *whole = team_empty_scene();
  static const double centers[6] = {40, 0, 0, 40, 0, 0}, radii[2] = {30, 25};
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){centers, 2, 0, GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){radii, 2, 0, GRAZE_FORMAT_DOUBLE};
  assert_ok(graze_scene_add(whole, GRAZE_KIND_SPHERE, &def, NULL, NULL));
  add_strip(whole, 80, 0);
  assert_ok(graze_scene_update(whole));
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  for (size_t i = 1; i < COUNTS; i++) {
    OWNED_BY(team_end) rank_team team;
    seen_regions seen = {0};
    begin_shared(&team, rank_counts[i], whole, i);
    check_regions(&team, whole, &query, "spheres", &seen);
    assert_int_equal(seen.regions, 2);
  }
}

/* Bodies that move, with a new division. */
static uint64_t invented_us(void *context, uint32_t rank, uint64_t measured_us) {
  (void)context;
  (void)measured_us;
  return rank < 2 ? 50000 : 5000;
}

TEST(test_moving_frames) {
  OWNED_SCENE *whole = team_model_scene(model_find("blobs"), test_sanitized(200, 800));
  OWNED_BY(team_end) rank_team team;
  seen_regions seen = {0};
  team_begin(&team, 4);
  team.work_us = invented_us;
  assert_ok(team_open(&team));
  for (uint32_t frame = 0; frame < 6; frame++) {
    for (graze_object o = {0}; (o = graze_scene_next_object(whole, o)).generation != 0;) {
      const double quaternion[4] = {1, 0.02 * frame, 0, 0.01 * o.index}, move[3] = {0.02 * frame * (o.index % 3), 0, 0};
      const graze_pose pose = graze_pose_from_quaternion(quaternion, move);
      assert_ok(graze_object_set_pose(whole, o, &pose));
    }
    const chance c = {frame / 2, 4};
    team_share(&team, whole, primitives_by_chance, &c);
    assert_ok(graze_scene_update(whole));
    check_regions(&team, whole, NULL, "frames", &seen);
  }
  assert_true(seen.regions >= 12);
  assert_true(team.ranks[0].totals.divisions >= 2);
}

/* ---------------------------------------------------------------------------------------------- failures */

static void expect_failure(const rank_team *team, graze_result found, graze_result wanted, const char *words) {
  assert_int_equal(found, wanted);
  assert_string_equal(team->ranks[0].state.failure.text, words);
}

TEST(test_refusals) {
  OWNED_SCENE *whole = overlaid(model_find("torus"), 200);
  OWNED_BY(team_end) rank_team team;
  seen_regions seen = {0};
  begin_shared(&team, 3, whole, 2);
  graze_query query = graze_query_default();
  graze_region_options options = options_of_ranks();
  query.clearance = 0.5;
  expect_failure(&team, team_find_regions(&team, &query, &options), GRAZE_UNSUPPORTED,
                 "rank 0: regions need pairs that intersect: the query has a clearance or candidates_only");
  query = graze_query_default();
  options.object_depths = true;
  expect_failure(&team, team_find_regions(&team, &query, &options), GRAZE_UNSUPPORTED,
                 "rank 0: regions over several ranks do not support object_depths: set it to false");
  options = options_of_ranks();
  options.test = GRAZE_TEST_GJK;
  expect_failure(&team, team_find_regions(&team, &query, &options), GRAZE_INVALID_ARGUMENT,
                 "rank 0: the test of the options differs from that of the query");
  check_regions(&team, whole, NULL, "after failures", &seen);
}

/* Each allocation of one rank fails once: all ranks report it, or it was not needed; the next call succeeds. */
TEST(test_each_allocation_fails) {
  OWNED_SCENE *whole = team_empty_scene();
  add_strip(whole, 12, 0);
  add_strip(whole, 11, 0.7);
  assert_ok(graze_scene_update(whole));
  const graze_region_options options = options_of_ranks();
  size_t refusals = 0;
  for (size_t refused = 0;; refused += test_sanitized(7, 1)) {
    failing_memory failing = {.refused = refused};
    graze_allocator allocator = failing_allocator(&failing);
    rank_team team;
    seen_regions seen = {0};
    team_begin(&team, 3);
    team.ranks[1].allocator = &allocator;
    const chance c = {refused, 3};
    team_share(&team, whole, primitives_by_chance, &c);
    graze_result result = team_open(&team);
    if (result == GRAZE_OK) result = team_find_regions(&team, NULL, &options);
    const bool reached = failing.count > refused;
    failing.refused = SIZE_MAX; /* from now on there is enough */
    if (result != GRAZE_OK) {
      assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
      assert_non_null(strstr(team.ranks[0].state.failure.text, "rank 1: "));
      refusals++;
      if (!team.ranks[0].is_open) assert_ok(team_open(&team));
    }
    check_regions(&team, whole, NULL, "after a refused allocation", &seen);
    team_end(&team);
    if (!reached) break;
  }
  assert_true(refusals >= test_sanitized(5, 40));
}
