/* Tests queries and results: the limit, any pair, contacts, timings and counters. */
#include "small_meshes.h"

#include "graze/triangle.h"
#include "scene_runner.h"
#include "soup_reference.h"
#include "test_scale.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- the limit */

static void check_limits(const running_variant *variant, const mesh *meshes, size_t mesh_count,
                         const pair_answer *all) {
  const size_t limits[] = {1, 2, 77, 5000, all->count - 1, all->count, all->count + 1, SIZE_MAX};
  OWNED_SCENE *scene = runner_scene(variant, meshes, mesh_count, NULL);
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
    if (limits[i] == 0) continue;
    graze_query query = graze_query_default();
    query.pair_limit = limits[i];
    const pair_answer found = runner_find(scene, &query);
    pair_answer expected = *all;
    if (limits[i] < all->count) expected.count = limits[i];
    expected.limit_reached = limits[i] < all->count;
    expected.hash = graze_pairs_hash(expected.pairs, expected.count);
    runner_compare(&expected, &found, "limited", variant->method);
    free(found.pairs);
  }
}

TEST(test_limit_gives_the_first_pairs) {
  OWNED(mesh_set) made = torture_set("blobs", 5000, 5);
  running_variant variant = running_variant_reference();
  graze_scene *scene = runner_scene(&variant, made.meshes, made.count, NULL);
  const graze_query query = graze_query_default();
  const pair_answer all = runner_find(scene, &query);
  graze_scene_destroy(scene);
  assert_true(all.count > 500);
  check_limits(&variant, made.meshes, made.count, &all);
  variant.method = "grid";
  variant.simd = GRAZE_SIMD_AUTO;
  check_limits(&variant, made.meshes, made.count, &all);
  variant.worker_count = 2;
  variant.threading = GRAZE_THREADING_PTHREADS;
  check_limits(&variant, made.meshes, made.count, &all);
  variant.tasks = &host_runs_reversed;
  check_limits(&variant, made.meshes, made.count, &all);
  free(all.pairs);
}

/* Over 200,000 pairs, all of them triangles on one another: more than a worker keeps before it cuts its list down. */
TEST(test_limit_trims_long_lists) {
  OWNED(mesh) one = torture_mesh(3 * 720, 720);
  for (uint32_t i = 0; i < 3 * 720; i++) {
    one.triangles[i] = i;
    for (int axis = 0; axis < 3; axis++) one.positions[3 * i + axis] = i % 3 == (uint32_t)axis ? 1.0 : 0.0;
  }
  const running_variant variants[] = {
      {"grid", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false},
      {"grid", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false},
      {"tree", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false},
      {"brute", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_AUTO, &host_runs_shuffled, false},
  };
  const size_t count = 720 * 719 / 2;
  for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
    OWNED_SCENE *scene = runner_scene(&variants[i], &one, 1, NULL);
    graze_query query = graze_query_default();
    query.pair_limit = 10 + 60000 * i;
    const pair_answer found = runner_find(scene, &query);
    assert_true(found.limit_reached);
    assert_int_equal(found.count, query.pair_limit);
    for (size_t k = 0, a = 0, b = 1; k < found.count; k++) {
      assert_true(found.pairs[k].primitive_a == a && found.pairs[k].primitive_b == b);
      if (++b == 720) b = ++a + 1;
    }
    free(found.pairs);
    query.pair_limit = count;
    const pair_answer whole = runner_find(scene, &query);
    assert_true(whole.count == count && !whole.limit_reached);
    free(whole.pairs);
  }
}

/* ---------------------------------------------------------------------------------------------- any pair */

static bool contains(const pair_answer *answer, const graze_pair *pair) {
  for (size_t i = 0; i < answer->count; i++)
    if (memcmp(&answer->pairs[i], pair, sizeof *pair) == 0) return true;
  return false;
}

static void check_any_pair(const char *method, const mesh *meshes, size_t mesh_count, const graze_query *query) {
  running_variant variant = running_variant_reference();
  graze_scene *reference = runner_scene(&variant, meshes, mesh_count, NULL);
  const pair_answer all = runner_find(reference, query);
  graze_scene_destroy(reference);
  variant.method = method;
  variant.simd = GRAZE_SIMD_AUTO;
  variant.threading = GRAZE_THREADING_PTHREADS;
  graze_pair witness = {0, 0, 0, 0};
  for (uint32_t workers = 1; workers <= 8; workers *= 2) {
    variant.worker_count = workers;
    variant.tasks = workers == 8 ? &host_runs_reversed : NULL;
    OWNED_SCENE *scene = runner_scene(&variant, meshes, mesh_count, NULL);
    bool found = all.count == 0;
    graze_pairs any = {0};
    assert_ok(graze_scene_any_pair(scene, query, &found, &any));
    assert_true(found == (all.count > 0));
    assert_int_equal(any.counters->pairs, found ? 1 : 0);
    assert_int_equal(any.count, found ? 1 : 0);
    if (found) {
      assert_true(contains(&all, &any.pairs[0]));
      if (workers == 1) witness = any.pairs[0];
      assert_memory_equal(&witness, &any.pairs[0], sizeof witness);
    }
    graze_pairs_free(&any);
    assert_ok(graze_scene_any_pair(scene, query, &found, NULL));
  }
  free(all.pairs);
}

TEST(test_any_pair_is_one_of_all) {
  const char *const names[] = {"knot", "blobs", "folded-cloth", "soup", "rods", "sphere"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    OWNED(mesh_set) made = torture_set(names[i], test_scaled(6000, 600), i);
    graze_query query = graze_query_default();
    query.neighbors = i % 2 == 0 ? GRAZE_NEIGHBORS_SKIP : GRAZE_NEIGHBORS_BEYOND;
    check_any_pair("grid", made.meshes, made.count, &query);
    check_any_pair("tree", made.meshes, made.count, &query);
    check_any_pair("brute", made.meshes, made.count, &query);
    query.scope = GRAZE_SCOPE_BETWEEN;
    check_any_pair("grid", made.meshes, made.count, &query);
  }
}

/* ---------------------------------------------------------------------------------------------- contacts */

static double distance_to_triangle(const double point[3], const double triangle[9]) {
  double degenerate[9], nearest_a[3], nearest_b[3];
  for (int i = 0; i < 9; i++) degenerate[i] = point[i % 3];
  return graze_triangles_distance(degenerate, triangle, nearest_a, nearest_b);
}

static double largest_coordinate(const double p[9], const double q[9]) {
  double largest = 0.0;
  for (int i = 0; i < 9; i++) largest = fmax(largest, fmax(fabs(p[i]), fabs(q[i])));
  return largest;
}

/* Moved by a little more than the depth the two are apart or touch; points are within rounding of both. */
static void check_contact(const graze_contacts *contacts, size_t number, const mesh *meshes) {
  const graze_contact *contact = &contacts->contacts[number];
  double p[9], q[9];
  soup_reference_corners(&meshes[contact->pair.object_a], contact->pair.primitive_a, p);
  soup_reference_corners(&meshes[contact->pair.object_b], contact->pair.primitive_b, q);
  const double size = largest_coordinate(p, q);
  const uint32_t points = contact->point_count;
  assert_true(points >= 1 && points <= 6 && contact->first_point + points <= contacts->point_count);
  assert_int_equal(contact->kind, points == 1   ? GRAZE_CONTACT_KIND_POINT
                                  : points == 2 ? GRAZE_CONTACT_KIND_SEGMENT
                                                : GRAZE_CONTACT_KIND_POLYGON);
  for (uint32_t i = 0; i < points; i++) {
    const double *point = contacts->points[contact->first_point + i];
    assert_true(distance_to_triangle(point, p) <= 1e-9 * size && distance_to_triangle(point, q) <= 1e-9 * size);
  }
  const double *n = contact->normal;
  const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  assert_true(fabs(length - 1.0) < 1e-9 && contact->depth >= 0.0);
  for (int i = 0; i < 9; i++) q[i] += n[i % 3] * (contact->depth * (1 + 1e-9) + 1e-9 * size);
  assert_false(graze_triangles_intersect(p, q));
}

TEST(test_contacts_lie_on_both_triangles) {
  const char *const names[] = {"soup", "blobs", "boxes", "needles", "folded-cloth"};
  size_t kinds[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    OWNED(mesh_set) made = torture_set(names[i], 600, 3);
    running_variant variant = running_variant_reference();
    variant.method = "grid";
    variant.worker_count = 2;
    variant.threading = GRAZE_THREADING_PTHREADS;
    OWNED_SCENE *scene = runner_scene(&variant, made.meshes, made.count, NULL);
    const graze_query query = graze_query_default();
    const pair_answer all = runner_find(scene, &query);
    OWNED(graze_contacts) contacts = make_contacts(scene, all.pairs, all.count, NULL);
    assert_int_equal(contacts.count, all.count);
    size_t point_count = 0;
    for (size_t k = 0; k < contacts.count; k++) {
      assert_memory_equal(&contacts.contacts[k].pair, &all.pairs[k], sizeof(graze_pair));
      assert_int_equal(contacts.contacts[k].first_point, point_count);
      point_count += contacts.contacts[k].point_count;
      check_contact(&contacts, k, made.meshes);
      kinds[contacts.contacts[k].kind]++;
    }
    assert_int_equal(contacts.point_count, point_count);
    assert_true(contacts.timings->contacts_ms >= 0.0);
    free(all.pairs);
  }
  assert_true(kinds[GRAZE_CONTACT_KIND_POINT] > 0 && kinds[GRAZE_CONTACT_KIND_SEGMENT] > 0 &&
              kinds[GRAZE_CONTACT_KIND_POLYGON] > 0);
}

TEST(test_contacts_refuse_what_is_no_pair) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  OWNED(graze_contacts) contacts = {0};
  const graze_pair apart[2] = {{0, 0, 0, 1}, {0, 0, 0, 2}};
  assert_refused(graze_scene_make_contacts(scene, apart, 2, NULL, &contacts), GRAZE_INVALID_ARGUMENT,
                 "pair 1 (object 0 primitive 0, object 0 primitive 2) does not intersect or is not in the scene");
  assert_int_equal(contacts.count, 0);
  const graze_pair wild[3] = {{0, 0, 0, 3}, {0, 0, 1, 0}, {UINT32_MAX, UINT32_MAX, 0, 0}};
  for (int i = 0; i < 3; i++)
    assert_int_equal(graze_scene_make_contacts(scene, &wild[i], 1, NULL, &contacts), GRAZE_INVALID_ARGUMENT);
  assert_ok(graze_scene_make_contacts(scene, apart, 1, NULL, &contacts));
  assert_int_equal(contacts.count, 1);
  assert_int_equal(contacts.contacts[0].kind, GRAZE_CONTACT_KIND_SEGMENT);
}

TEST(test_contact_of_two_points) {
  OWNED_SCENE *scene = create_scene(NULL);
  const float place[3] = {2, 3, 4};
  const uint32_t triangle[3] = {0, 0, 0};
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = float_view(place, 1);
  def.triangles = index_view(triangle, 1);
  for (int i = 0; i < 2; i++) assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
  assert_int_equal(count_pairs_updated(scene), 1);
  const graze_pair pair = {0, 0, 1, 0};
  graze_contacts contacts = make_contacts(scene, &pair, 1, NULL);
  const graze_contact *contact = &contacts.contacts[0];
  assert_true(contact->kind == GRAZE_CONTACT_KIND_POINT && contact->depth == 0.0);
  double length = 0.0;
  for (int axis = 0; axis < 3; axis++) {
    length += contact->normal[axis] * contact->normal[axis];
    assert_true(contacts.points[0][axis] == (double)place[axis]);
  }
  assert_true(fabs(length - 1.0) < 1e-12);
  graze_contacts_free(&contacts);
  graze_counters counters = {0};
  assert_ok(graze_scene_get_counters(scene, &counters));
  assert_int_equal(counters.repeated_index, 2);
}

/* ---------------------------------------------------------------------------------------------- costs */

TEST(test_timings_and_counters) {
  OWNED(mesh_set) made = torture_set("soup", 3000, 1);
  running_variant variant = running_variant_reference();
  graze_counters counters[2];
  const char *const methods[] = {"brute", "grid"};
  for (int i = 0; i < 2; i++) {
    variant.method = methods[i];
    OWNED_SCENE *scene = runner_scene(&variant, made.meshes, made.count, NULL);
    const graze_query query = graze_query_default();
    const pair_answer found = runner_find(scene, &query);
    free(found.pairs);
    counters[i] = found.counters;
    assert_int_equal(counters[i].primitives, made.meshes[0].triangle_count);
    assert_int_equal(counters[i].searched, counters[i].primitives);
    assert_true(counters[i].scene_bytes > 0 && counters[i].box_tests > 0);
    const graze_timings timings = found.timings;
#define CHECK_STAGE(name, words) assert_true(timings.name##_ms >= 0.0 && timings.name##_ms < 1e6);
    GRAZE_STAGE_LIST(CHECK_STAGE)
#undef CHECK_STAGE
    assert_true(timings.update_ms > 0.0 && timings.test_ms > 0.0);
  }
  assert_int_equal(counters[0].candidates, counters[1].candidates);
  assert_int_equal(counters[0].neighbors, counters[1].neighbors);
  assert_int_equal(counters[0].pairs, counters[1].pairs);
  assert_int_equal(counters[0].float_decided, 0);
  assert_true(counters[1].float_decided > 0 && counters[1].levels > 1);
  assert_true(counters[1].box_tests < counters[0].box_tests);
}

/* Objects that touch at a corner: little of them needs a look. */
TEST(test_between_searches_common_boxes_only) {
  OWNED(mesh_set) made = torture_set("sphere", 3000, 1);
  mesh two[2] = {made.meshes[0], torture_copy(&made.meshes[0])};
  torture_move(&two[1], 1.2, 1.2, 1.2);
  running_variant variant = running_variant_reference();
  variant.method = "grid";
  graze_scene *scene = runner_scene(&variant, two, 2, NULL);
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  const pair_answer found = runner_find(scene, &query);
  assert_true(found.counters.searched < found.counters.primitives / 2);
  free(found.pairs);
  graze_scene_destroy(scene);
  mesh_free(&two[1]);
}

/* A plate at one end of its object's box, and a tip that slightly penetrates it: the common part of the two boxes ends
 * at the plate. Along each axis, at either end, with enough triangles for culling by shared space. */
TEST(test_between_finds_what_lies_at_the_end_of_boxes) {
  enum { PLATES = 2100 };
  static const char *const methods[] = {"brute", "grid", "tree"};
  for (int turn = 0; turn < 6; turn++) {
    const int up = turn / 2, along = (up + 1) % 3, across = (up + 2) % 3;
    const double sign = turn % 2 == 0 ? 1.0 : -1.0;
    mesh two[2] = {torture_mesh(3 * (PLATES + 1), PLATES + 1), torture_mesh(3, 1)};
    for (uint32_t i = 0; i < 3 * (PLATES + 1); i++) {
      double *const p = two[0].positions + 3 * i;
      two[0].triangles[i] = i;
      p[along] = (i / 3 % PLATES) + (i % 3 == 1 ? 0.5 : 0.0);
      p[across] = i % 3 == 2 ? 1.0 : 0.0;
      p[up] = i / 3 == PLATES && i % 3 == 2 ? -sign : 0.0; /* the last one hangs down */
    }
    for (uint32_t i = 0; i < 3; i++) {
      double *const p = two[1].positions + 3 * i;
      two[1].triangles[i] = i;
      p[along] = 10.125;
      p[across] = i == 2 ? 0.5 : 0.25;
      p[up] = i == 0 ? -0x1p-14 * sign : sign;
    }
    for (int i = 0; i < 3; i++) {
      running_variant variant = running_variant_reference();
      variant.method = methods[i];
      OWNED_SCENE *scene = runner_scene(&variant, two, 2, NULL);
      graze_query query = graze_query_default();
      query.scope = GRAZE_SCOPE_BETWEEN;
      const pair_answer found = runner_find(scene, &query);
      assert_int_equal(found.count, 1);
      assert_int_equal(found.pairs[0].primitive_a, 10);
      free(found.pairs);
    }
    for (int i = 0; i < 2; i++) mesh_free(&two[i]);
  }
}
