/* Tests queries about objects and in a box: each returns its part of the full list, with every method, and searches
 * only the relevant region. The test filters the full list by the definition, in double precision. */
#include "base/number_sequence.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const running_variant variants[] = {
    {"grid", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"grid", GRAZE_SIMD_SCALAR, 3, GRAZE_THREADING_PTHREADS, NULL, false},
    {"tree", GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_PTHREADS, NULL, false},
    {"brute", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false},
    {"clusters 9", GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false},
};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

/* ---------------------------------------------------------------------------------------------- the definition */

/* Tetrahedra and triangles are all that the scenes here have. */
static bool primitive_meets_box(const mesh *m, uint32_t primitive, const graze_query *query) {
  const bool solid = m->kind == MESH_TETRAHEDRA;
  const uint32_t *corner = solid ? m->tetrahedra + 4 * (size_t)primitive : m->triangles + 3 * (size_t)primitive;
  bool meets = true;
  for (int axis = 0; axis < 3; axis++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < (solid ? 4 : 3); i++) {
      low = fmin(low, m->positions[3 * (size_t)corner[i] + (size_t)axis]);
      high = fmax(high, m->positions[3 * (size_t)corner[i] + (size_t)axis]);
    }
    meets = meets && low <= query->box_max[axis] && high >= query->box_min[axis];
  }
  return meets;
}

static bool asks_for(const mesh *meshes, const graze_query *query, const graze_pair *pair) {
  const uint32_t a = query->about_a.index, b = query->about_b.index;
  const bool has_a = pair->object_a == a || pair->object_b == a;
  if (query->about_count == 1 && !has_a) return false;
  if (query->about_count == 2 && !(pair->object_a == a && pair->object_b == b) &&
      !(pair->object_a == b && pair->object_b == a))
    return false;
  return !query->in_box || (primitive_meets_box(&meshes[pair->object_a], pair->primitive_a, query) &&
                            primitive_meets_box(&meshes[pair->object_b], pair->primitive_b, query));
}

static pair_answer filtered(const pair_answer *all, const mesh *meshes, const graze_query *query) {
  pair_answer kept = {.pairs = malloc((all->count + 1) * sizeof *kept.pairs)};
  assert_non_null(kept.pairs);
  for (size_t i = 0; i < all->count; i++)
    if (asks_for(meshes, query, &all->pairs[i])) kept.pairs[kept.count++] = all->pairs[i];
  kept.hash = graze_pairs_hash(kept.pairs, kept.count);
  return kept;
}

/* ---------------------------------------------------------------------------------------------- questions */

static double vertex_coordinate(const mesh *meshes, size_t mesh_count, int axis, uint64_t *sequence) {
  const mesh *m = &meshes[sequence_below(sequence, mesh_count)];
  if (m->vertex_count == 0) return 0.0;
  return m->positions[3 * sequence_below(sequence, m->vertex_count) + (size_t)axis];
}

/* Faces lie on vertices or a last bit beside them, so that what touches the border is tried; some are infinite, some
 * boxes are a point, a plane, or lie outside. */
static void choose_box(const mesh *meshes, size_t mesh_count, uint64_t *sequence, graze_query *query) {
  query->in_box = true;
  for (int axis = 0; axis < 3; axis++) {
    double ends[2];
    for (int i = 0; i < 2; i++) {
      const double at = vertex_coordinate(meshes, mesh_count, axis, sequence);
      const uint64_t kind = sequence_below(sequence, 8);
      ends[i] = kind == 0   ? nextafter(at, HUGE_VAL)
                : kind == 1 ? nextafter(at, -HUGE_VAL)
                : kind == 2 ? (i == 0 ? -HUGE_VAL : HUGE_VAL)
                : kind == 3 ? 3.0 * at
                            : at;
    }
    if (sequence_below(sequence, 10) == 0) ends[1] = ends[0];
    query->box_min[axis] = fmin(ends[0], ends[1]);
    query->box_max[axis] = fmax(ends[0], ends[1]);
    if (isinf(query->box_min[axis]) && query->box_min[axis] > 0) query->box_min[axis] = 0.0;
    if (isinf(query->box_max[axis]) && query->box_max[axis] < 0) query->box_max[axis] = 0.0;
  }
}

static graze_query choose_question(const mesh *meshes, size_t mesh_count, uint64_t round, uint64_t *sequence) {
  graze_query query = graze_query_default();
  query.scope = (graze_scope)(1 + sequence_below(sequence, 3));
  query.candidates_only = sequence_below(sequence, 5) == 0;
  query.about_count = (uint32_t)(round % 3);
  query.about_a = (graze_object){(uint32_t)sequence_below(sequence, mesh_count), 1};
  query.about_b = (graze_object){(uint32_t)sequence_below(sequence, mesh_count), 1};
  if (round % 3 == 0 || round % 2 == 0) choose_box(meshes, mesh_count, sequence, &query);
  return query;
}

static size_t compare_scene(const char *name, const mesh *meshes, size_t mesh_count, const object_filter *filters,
                            uint64_t rounds, uint64_t *sequence) {
  size_t kept = 0;
  graze_scene *scenes[VARIANT_COUNT];
  for (size_t i = 0; i < VARIANT_COUNT; i++) scenes[i] = runner_scene(&variants[i], meshes, mesh_count, filters);
  for (uint64_t round = 0; round < rounds; round++) {
    const graze_query query = choose_question(meshes, mesh_count, round, sequence);
    graze_query everything = query;
    everything.about_count = 0;
    everything.in_box = false;
    const pair_answer all = runner_find(scenes[0], &everything);
    const pair_answer expected = filtered(&all, meshes, &query);
    kept += expected.count > 0 && expected.count < all.count;
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
      char words[128];
      running_variant_words(&variants[i], words, sizeof words);
      const pair_answer found = runner_find(scenes[i], &query);
      runner_compare(&expected, &found, name, words);
      free(found.pairs);
      bool any;
      assert_ok(graze_scene_any_pair(scenes[i], &query, &any, NULL));
      assert_true(any == (expected.count > 0));
    }
    free(all.pairs);
    free(expected.pairs);
  }
  for (size_t i = 0; i < VARIANT_COUNT; i++) graze_scene_destroy(scenes[i]);
  return kept;
}

TEST(test_queries_give_their_part_of_the_list) {
  const char *const names[] = {"blobs", "mix", "folded-cloth"};
  uint64_t sequence = 77;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    OWNED(mesh_set) made = torture_set(names[i], 3000, i);
    const size_t kept = compare_scene(names[i], made.meshes, made.count, NULL, test_scaled(60, 12), &sequence);
    print_message("%s: %zu questions had a part of the pairs\n", names[i], kept);
    assert_true(kept > 2);
    object_filter filters[64];
    assert_true(made.count <= 64);
    for (size_t k = 0; k < made.count; k++)
      filters[k] = (object_filter){UINT64_C(1) << k % 3, sequence_below(&sequence, 8), k % 2 == 0};
    compare_scene(names[i], made.meshes, made.count, filters, test_scaled(18, 6), &sequence);
  }
}

/* Torture scenes are of triangles: huge, tiny, far from the origin, on borders of cells. */
TEST(test_torture_scenes_in_boxes) {
  uint64_t sequence = 78;
  for (size_t number = 0; number < torture_scene_count(); number++) {
    const torture_scene *scene = torture_scene_at(number);
    OWNED(mesh_set) made = made_set(scene->make);
    compare_scene(scene->name, made.meshes, made.count, NULL, test_scaled(6, 2), &sequence);
  }
}

/* ---------------------------------------------------------------------------------------------- cost */

static uint64_t searched_by(const graze_scene *scene, const graze_query *query) {
  const pair_answer answer = runner_find(scene, query);
  free(answer.pairs);
  return answer.counters.searched;
}

/* A row of spheres, each touching the next: a question about one must not look at the others. */
TEST(test_cost_is_that_of_what_is_asked_for) {
  enum { SPHERES = 40 };
  mesh meshes[SPHERES];
  OWNED(mesh_set) made = torture_set("sphere", 2000, 0);
  assert_int_equal(made.count, 1);
  double radius = 0.0;
  for (size_t i = 0; i < 3 * made.meshes[0].vertex_count; i++) radius = fmax(radius, fabs(made.meshes[0].positions[i]));
  for (int i = 0; i < SPHERES; i++) {
    meshes[i] = torture_copy(&made.meshes[0]);
    torture_move(&meshes[i], 1.9 * radius * i, 0.0, 0.0);
  }
  graze_scene *scene = runner_scene(&variants[0], meshes, SPHERES, NULL);
  graze_query query = graze_query_default();
  const uint64_t all = searched_by(scene, &query);
  query.about_count = 1;
  query.about_a = (graze_object){7, 1};
  assert_in_range(searched_by(scene, &query), 1, 2 * all / SPHERES);
  query.scope = GRAZE_SCOPE_BETWEEN;
  assert_in_range(searched_by(scene, &query), 1, all / SPHERES);
  query.about_count = 2;
  query.about_b = (graze_object){8, 1};
  assert_in_range(searched_by(scene, &query), 1, all / SPHERES);
  query.about_b = (graze_object){9, 1};
  assert_int_equal(searched_by(scene, &query), 0);
  query = graze_query_default();
  query.in_box = true;
  for (int axis = 0; axis < 3; axis++) {
    query.box_min[axis] = -0.1 * radius;
    query.box_max[axis] = 2.0 * radius;
  }
  assert_in_range(searched_by(scene, &query), 1, 2 * all / SPHERES);
  graze_scene_destroy(scene);
  for (int i = 0; i < SPHERES; i++) mesh_free(&meshes[i]);
}

TEST(test_wrong_questions_are_refused) {
  OWNED(mesh_set) made = torture_set("blobs", 500, 0);
  OWNED_SCENE *scene = runner_scene(&variants[0], made.meshes, made.count, NULL);
  OWNED(graze_pairs) pairs = {0};
  graze_query query = graze_query_default();
  query.about_count = 3;
  assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_INVALID_ARGUMENT);
  query.about_count = 1;
  query.about_a = (graze_object){(uint32_t)made.count, 1};
  assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_NO_SUCH_OBJECT);
  query = graze_query_default();
  query.in_box = true;
  query.box_min[1] = NAN;
  assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_INVALID_ARGUMENT);
  query.box_min[1] = 1.0;
  assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "the box of the query is inverted: y from 1 to 0");
  query = graze_query_default();
  query.stop_after = query.pair_limit = 3;
  assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_INVALID_ARGUMENT);
}
