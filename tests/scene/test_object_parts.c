/* Tests that objects with the same global_object are one object: a scene of meshes cut into parts has the pairs, the
 * hash, the pairs of objects, contacts, wrenches and regions of the scene of whole meshes, for every model, kind,
 * method, scope and rule, while everything moves. Runs on a device if GRAZE_TEST_BACKEND selects one; the whole stays
 * on the processor. */
#include "base/number_sequence.h"
#include "chosen_backend.h"
#include "cuda/contact_bits.h"
#include "graze/regions.h"
#include "mesh_cut.h"
#include "mesh_io/mesh_file.h"
#include "method_names.h"
#include "models/model.h"
#include "small_meshes.h"
#include "test_scale.h"
#include "torture_scenes.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_MESHES = 64, MOST_PARTS = 7 };

static graze_scene *empty_scene(bool on_device) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 2;
  const graze_backend_def chosen = on_device ? chosen_backend() : graze_backend_def_default();
  def.backend = &chosen;
  graze_scene *scene = create_scene(&def);
  return scene;
}

/* A scene of whole meshes, and one of their parts. */
typedef struct cut_scene {
  const char *name;
  mesh *meshes;
  size_t mesh_count;
  mesh_cut *cuts;
  graze_scene *whole, *parts;
  graze_object wholes[MOST_MESHES], objects[MOST_MESHES][MOST_PARTS];
} cut_scene;

/* Some of every kind of filter, the same for all parts of a mesh. */
static graze_object_def filter_of(size_t number, bool filtered) {
  graze_object_def placed = graze_object_def_default();
  if (!filtered) return placed;
  placed.category = UINT64_C(1) << number % 3;
  placed.mask = number % 4 == 1 ? UINT64_C(6) : UINT64_C(7);
  placed.self = number % 3 != 1;
  return placed;
}

static void cut_meshes(cut_scene *cut, cut_kind kind, bool filtered, uint64_t *seed) {
  const mesh_precision precision = sequence_below(seed, 2) == 0 ? MESH_AS_DOUBLE : MESH_AS_FLOAT;
  assert_true(cut->mesh_count <= MOST_MESHES);
  cut->cuts = calloc(cut->mesh_count, sizeof *cut->cuts);
  cut->whole = empty_scene(false);
  cut->parts = empty_scene(true);
  for (size_t i = 0; i < cut->mesh_count; i++) {
    const graze_object_def def = filter_of(i, filtered);
    cut->cuts[i] = mesh_cut_make(&cut->meshes[i], 2 + sequence_below(seed, MOST_PARTS - 1), kind, seed);
    assert_ok(mesh_object_add_as(cut->whole, &cut->meshes[i], &def, precision, &cut->wholes[i]));
  }
  for (size_t k = 0; k < MOST_PARTS; k++) /* parts of different meshes in turn */
    for (size_t i = cut->mesh_count; i-- > 0;)
      if (k < cut->cuts[i].part_count)
        cut->objects[i][k] =
            mesh_part_add(cut->parts, &cut->cuts[i].parts[k], filter_of(i, filtered), (uint32_t)i, precision);
}

static void release(cut_scene *cut) {
  for (size_t i = 0; i < cut->mesh_count; i++) mesh_cut_free(&cut->cuts[i]);
  free(cut->cuts);
  graze_scene_destroy(cut->whole);
  graze_scene_destroy(cut->parts);
}

static void update(graze_scene *scene) {
  assert_ok(graze_scene_update(scene));
}

static graze_pairs find(const graze_scene *scene, const graze_query *query) {
  graze_pairs pairs = find_pairs(scene, query);
  return pairs;
}

static bool set_method(graze_scene *scene, const char *name) {
  graze_method_def method = graze_method_def_default();
  method.name = name;
  return graze_scene_set_method(scene, &method) == GRAZE_OK;
}

/* ---------------------------------------------------------------------------------------------- comparing */

static void words_of(const cut_scene *cut, const graze_query *query, const char *method, char words_out[200]) {
  snprintf(words_out, 200, "%s, %s: scope %d, neighbors %d, clearance %g, candidates %d", cut->name, method,
           (int)query->scope, (int)query->neighbors, query->clearance, query->candidates_only);
}

static void compare_pairs(const cut_scene *cut, const graze_query *query, const graze_pairs *wanted,
                          const char *method) {
  char words[200];
  words_of(cut, query, method, words);
  OWNED(graze_pairs) found = find(cut->parts, query);
  for (size_t i = 0; i < wanted->count && i < found.count; i++)
    if (memcmp(&wanted->pairs[i], &found.pairs[i], sizeof *found.pairs) != 0)
      fail_msg("%s: pair %zu is (%u, %u, %u, %u), not (%u, %u, %u, %u)", words, i, found.pairs[i].object_a,
               found.pairs[i].primitive_a, found.pairs[i].object_b, found.pairs[i].primitive_b,
               wanted->pairs[i].object_a, wanted->pairs[i].primitive_a, wanted->pairs[i].object_b,
               wanted->pairs[i].primitive_b);
  if (found.count != wanted->count) fail_msg("%s: %zu pairs, not %zu", words, found.count, wanted->count);
  assert_true(found.hash == wanted->hash);
}

static void compare_object_pairs(const cut_scene *cut, const graze_query *query, const char *method) {
  OWNED(graze_object_pairs) wanted = {0}, found = {0};
  char words[200];
  words_of(cut, query, method, words);
  assert_ok(graze_scene_find_object_pairs(cut->whole, query, &wanted));
  assert_ok(graze_scene_find_object_pairs(cut->parts, query, &found));
  if (found.count != wanted.count) fail_msg("%s: %zu pairs of objects, not %zu", words, found.count, wanted.count);
  if (wanted.count > 0) assert_memory_equal(found.pairs, wanted.pairs, wanted.count * sizeof *wanted.pairs);
}

static void compare_wrenches(const cut_scene *cut, const graze_query *query) {
  OWNED(graze_wrenches) wanted = {0}, found = {0};
  assert_ok(graze_scene_find_wrenches(cut->whole, query, NULL, &wanted));
  assert_ok(graze_scene_find_wrenches(cut->parts, query, NULL, &found));
  assert_int_equal(found.count, wanted.count);
  if (wanted.count > 0) assert_memory_equal(found.wrenches, wanted.wrenches, wanted.count * sizeof *wanted.wrenches);
}

static void compare_contacts(const cut_scene *cut, const graze_pairs *pairs) {
  graze_contacts contacts[2] = {{0}, {0}};
  graze_wrenches wrenches[2] = {{0}, {0}};
  graze_scene *scenes[2] = {cut->whole, cut->parts};
  for (int i = 0; i < 2; i++) {
    assert_ok(graze_scene_make_contacts(scenes[i], pairs->pairs, pairs->count, NULL, &contacts[i]));
    assert_ok(graze_scene_make_wrenches(scenes[i], pairs->pairs, pairs->count, NULL, &wrenches[i]));
  }
  for (size_t i = 0; i < pairs->count; i++)
    if (!same_contact(&contacts[0].contacts[i], &contacts[1].contacts[i]))
      fail_msg("%s: contact %zu differs", cut->name, i);
  assert_int_equal(wrenches[0].count, wrenches[1].count);
  if (wrenches[0].count > 0)
    assert_memory_equal(wrenches[0].wrenches, wrenches[1].wrenches, wrenches[0].count * sizeof *wrenches[0].wrenches);
  for (int i = 0; i < 2; i++) {
    graze_contacts_free(&contacts[i]);
    graze_wrenches_free(&wrenches[i]);
  }
}

#define SAME_LIST(what, found, wanted, count)                                                                          \
  do {                                                                                                                 \
    for (size_t i = 0; i < (count); i++)                                                                               \
      if (memcmp(&(found)[i], &(wanted)[i], sizeof *(found)) != 0) fail_msg("%s: %s %zu differs", words, what, i);     \
  } while (0)

/* To the bit: also the curves, whose points are named by the numbers of vertices in the whole. */
static void compare_regions(const cut_scene *cut, const graze_query *query) {
  OWNED(graze_regions) wanted = {0}, found = {0};
  char words[200];
  words_of(cut, query, "regions", words);
  assert_ok(graze_scene_find_regions(cut->whole, query, NULL, &wanted));
  assert_ok(graze_scene_find_regions(cut->parts, query, NULL, &found));
  if (found.count != wanted.count || found.pair_count != wanted.pair_count)
    fail_msg("%s: %zu regions of %zu pairs, not %zu of %zu", words, found.count, found.pair_count, wanted.count,
             wanted.pair_count);
  assert_int_equal(found.point_count, wanted.point_count);
  assert_int_equal(found.object_pair_count, wanted.object_pair_count);
  SAME_LIST("region", found.regions, wanted.regions, wanted.count);
  SAME_LIST("pair", found.pairs, wanted.pairs, wanted.pair_count);
  SAME_LIST("class", found.clashes, wanted.clashes, wanted.pair_count);
  SAME_LIST("point", found.points, wanted.points, wanted.point_count);
  SAME_LIST("objects", found.objects, wanted.objects, wanted.object_pair_count);
  if (found.curve_count != wanted.curve_count || found.vertex_count != wanted.vertex_count)
    fail_msg("%s: %zu curves of %zu points, not %zu of %zu", words, found.curve_count, found.vertex_count,
             wanted.curve_count, wanted.vertex_count);
  SAME_LIST("curve", found.curves, wanted.curves, wanted.curve_count);
  SAME_LIST("point of a curve", found.vertices, wanted.vertices, wanted.vertex_count);
}

/* ---------------------------------------------------------------------------------------------- queries */

enum { QUERIES = 9 };

/* How large the first mesh is. */
static double extent_of(const cut_scene *cut) {
  const mesh *m = &cut->meshes[0];
  double low = m->positions[0], high = low;
  for (size_t i = 0; i < 3 * m->vertex_count; i++) {
    low = m->positions[i] < low ? m->positions[i] : low;
    high = m->positions[i] > high ? m->positions[i] : high;
  }
  return high / 2 - low / 2;
}

static graze_query query_of(const cut_scene *cut, int number) {
  static const graze_scope scopes[3] = {GRAZE_SCOPE_BOTH, GRAZE_SCOPE_WITHIN, GRAZE_SCOPE_BETWEEN};
  graze_query query = graze_query_default();
  const bool solids = cut->meshes[0].kind != MESH_POLYGONS;
  query.scope = scopes[number % 3];
  query.neighbors = number % 2 == 1 && !solids ? GRAZE_NEIGHBORS_BEYOND : GRAZE_NEIGHBORS_SKIP;
  query.candidates_only = number == 4 || number == 7;
  if (number > 5) query.clearance = 0.003 * extent_of(cut);
  if (number == 8 && !solids) query.neighbors = GRAZE_NEIGHBORS_BEYOND;
  if (query.clearance > 1e300) query.clearance = 0.0;
  return query;
}

/* All queries by one method, or each by the next. */
static size_t compare_queries(const cut_scene *cut, bool all, int turn) {
  size_t pair_count = 0;
  for (int number = 0; number < QUERIES; number++) {
    const graze_query query = query_of(cut, number);
    OWNED(graze_pairs) wanted = find(cut->whole, &query);
    pair_count += wanted.count;
    for (size_t method = 0; method_name_at(method) != NULL; method++) {
      if (!all && (number + turn) % method_name_count() != method) continue;
      if (!set_method(cut->parts, method_name_at(method))) continue;
      compare_pairs(cut, &query, &wanted, method_name_at(method));
      if (number % 3 == 0) compare_object_pairs(cut, &query, method_name_at(method));
    }
    if (number == 0) compare_contacts(cut, &wanted);
    if (number == 2) compare_wrenches(cut, &query);
    if (number < 3) compare_regions(cut, &query);
  }
  return pair_count;
}

TEST(test_every_model_in_parts) {
  uint64_t seed = 40;
  size_t pair_count = 0;
  const uint64_t primitives = test_sanitized(60, 250);
  for (size_t i = 0; i < model_count(); i++) {
    cut_scene cut = {.name = model_at(i)->name};
    torture_model(cut.name, primitives, i, &cut.meshes, &cut.mesh_count);
    if (cut.mesh_count > MOST_MESHES) { /* the first of very many */
      for (size_t k = MOST_MESHES; k < cut.mesh_count; k++) mesh_free(&cut.meshes[k]);
      cut.mesh_count = MOST_MESHES;
    }
    for (int kind = 0; kind < CUT_KINDS; kind++) {
      cut_meshes(&cut, (cut_kind)kind, kind == 1 && i % 2 == 0, &seed);
      update(cut.whole);
      update(cut.parts);
      pair_count += compare_queries(&cut, test_is_full(), (int)i + kind);
      release(&cut);
    }
    mesh_list_free(cut.meshes, cut.mesh_count);
  }
  assert_true(pair_count > (size_t)10000 * (test_is_sanitized() ? 1 : 10));
}

/* Space that is bent, crowds, and copies. */
TEST(test_hard_scenes_in_parts) {
  static const char *const names[] = {"own copy",        "mesh on a lattice", "sizes from 2^-40 to 1",
                                      "outlier at 1e30", "crowd in a cell",   "touching boxes near the largest double"};
  uint64_t seed = 41;
  for (size_t i = 0; i < (test_is_sanitized() ? 2 : sizeof names / sizeof *names); i++) {
    cut_scene cut = {.name = names[i]};
    torture_scene_named(names[i])->make(&cut.meshes, &cut.mesh_count);
    cut_meshes(&cut, (cut_kind)(i % 2), false, &seed);
    update(cut.whole);
    update(cut.parts);
    (void)compare_queries(&cut, false, (int)i);
    release(&cut);
    mesh_list_free(cut.meshes, cut.mesh_count);
  }
}

TEST(test_real_meshes_in_parts) {
  static const char *const names[] = {"meshes/cow.obj", "meshes/fcl_rob.obj", "meshes/two-boxes-bad-self-union.ply"};
  const char *folder = getenv("GRAZE_DATA");
  if (folder == NULL || test_is_sanitized()) skip();
  uint64_t seed = 42;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[1000], error[1000];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    cut_scene cut = {.name = names[i]};
    if (!mesh_file_read(path, NULL, &cut.meshes, &cut.mesh_count, error, sizeof error)) fail_msg("%s", error);
    cut_meshes(&cut, (cut_kind)(i % 2), false, &seed);
    update(cut.whole);
    update(cut.parts);
    assert_true(compare_queries(&cut, false, (int)i) > 0);
    release(&cut);
    mesh_list_free(cut.meshes, cut.mesh_count);
  }
}

/* ---------------------------------------------------------------------------------------------- frames */

static void place_at(graze_scene *scene, graze_object object, uint64_t turn) {
  const double angle[4] = {1.0, 0.01 * (double)(turn % 7), 0.02 * (double)(turn % 5), 0.0};
  const double translation[3] = {0.001 * (double)(turn % 11), 0.0, 0.002 * (double)(turn % 3)};
  const graze_pose pose = graze_pose_from_quaternion(angle, translation);
  assert_ok(graze_object_set_pose(scene, object, &pose));
}

/* Moves vertices of every mesh, and the poses of the first; parts likewise. */
static void move(cut_scene *cut, uint64_t frame, uint64_t *seed) {
  for (size_t i = 0; i < cut->mesh_count; i++) {
    mesh *m = &cut->meshes[i];
    const double step = 0.002 * extent_of(cut);
    for (size_t k = 0; k < 3 * m->vertex_count; k++)
      m->positions[k] += step * ((double)sequence_below(seed, 1000) / 500.0 - 1.0);
    assert_ok(graze_object_set_positions(cut->whole, cut->wholes[i], 0, double_view(m->positions, m->vertex_count)));
    if (i == 0) place_at(cut->whole, cut->wholes[i], frame);
    OWNED_MEMORY double *positions = malloc(3 * m->vertex_count * sizeof *positions);
    for (size_t k = 0; k < cut->cuts[i].part_count; k++) {
      const mesh_part *part = &cut->cuts[i].parts[k];
      mesh_part_gather(part, m->positions, positions);
      assert_ok(graze_object_set_positions(cut->parts, cut->objects[i][k], 0,
                                           double_view(positions, part->mesh.vertex_count)));
      if (i == 0) place_at(cut->parts, cut->objects[i][k], frame);
    }
  }
}

TEST(test_parts_that_move) {
  static const char *const names[] = {"blobs", "folded-cloth", "tet-pair", "cell-pair", "spheres", "boxes"};
  uint64_t seed = 43;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    for (size_t method = 0; method_name_at(method) != NULL; method++) {
      cut_scene cut = {.name = names[i]};
      torture_model(names[i], test_sanitized(50, 200), i, &cut.meshes, &cut.mesh_count);
      cut_meshes(&cut, (cut_kind)(method % 2), false, &seed);
      if (!set_method(cut.parts, method_name_at(method))) fail_msg("%s", graze_error_text());
      for (uint64_t frame = 0; frame < 3; frame++) {
        move(&cut, frame, &seed);
        update(cut.whole);
        update(cut.parts);
        for (int number = 0; number < QUERIES; number += test_is_full() ? 1 : 2) {
          const graze_query query = query_of(&cut, number);
          OWNED(graze_pairs) wanted = find(cut.whole, &query);
          compare_pairs(&cut, &query, &wanted, method_name_at(method));
        }
      }
      release(&cut);
      mesh_list_free(cut.meshes, cut.mesh_count);
    }
  }
}

/* ---------------------------------------------------------------------------------------------- exclusions, filters */

/* Excluding one part excludes its object; what is included again is asked for again. */
TEST(test_exclusions_of_parts) {
  uint64_t seed = 44;
  cut_scene cut = {.name = "blobs"};
  torture_model("blobs", 600, 5, &cut.meshes, &cut.mesh_count);
  assert_true(cut.mesh_count >= 2);
  cut_meshes(&cut, CUT_BY_CHANCE, false, &seed);
  update(cut.whole);
  update(cut.parts);
  const graze_query query = query_of(&cut, 2);
  graze_pairs before = find(cut.whole, &query);
  assert_ok(graze_scene_exclude(cut.whole, cut.wholes[0], cut.wholes[1], true));
  assert_ok(graze_scene_exclude(cut.parts, cut.objects[1][0], cut.objects[0][1], true));
  update(cut.whole);
  update(cut.parts);
  graze_pairs excluded = find(cut.whole, &query);
  assert_true(excluded.count < before.count);
  for (size_t method = 0; method_name_at(method) != NULL; method++)
    if (set_method(cut.parts, method_name_at(method))) compare_pairs(&cut, &query, &excluded, method_name_at(method));
  assert_ok(graze_scene_exclude(cut.parts, cut.objects[0][1], cut.objects[1][0], false));
  update(cut.parts);
  compare_pairs(&cut, &query, &before, "after it");
  assert_int_equal(graze_scene_exclude(cut.parts, cut.objects[0][1], cut.objects[0][0], true), GRAZE_INVALID_ARGUMENT);
  assert_non_null(strstr(graze_error_text(), "are parts of global object 0, which cannot be excluded from itself"));
  graze_pairs_free(&before);
  graze_pairs_free(&excluded);
  release(&cut);
  mesh_list_free(cut.meshes, cut.mesh_count);
}

static bool part_has(const mesh_part *part, uint32_t primitive) {
  for (size_t i = 0; i < part->primitive_count; i++)
    if (part->primitives[i] == primitive) return true;
  return false;
}

/* A query about a part is about its primitives; what the other parts are to it does not change. */
TEST(test_queries_about_a_part) {
  uint64_t seed = 45;
  cut_scene cut = {.name = "folded-cloth"};
  torture_model("blobs", 500, 6, &cut.meshes, &cut.mesh_count);
  cut_meshes(&cut, CUT_BY_SPACE, false, &seed);
  update(cut.whole);
  update(cut.parts);
  size_t kept_count = 0;
  for (int number = 0; number < 3; number++) {
    graze_query query = query_of(&cut, number);
    OWNED(graze_pairs) wanted = find(cut.whole, &query);
    size_t kept = 0;
    for (size_t i = 0; i < wanted.count; i++) {
      const graze_pair pair = wanted.pairs[i];
      const mesh_part *part = &cut.cuts[0].parts[0];
      const bool about = (pair.object_a == 0 && part_has(part, pair.primitive_a)) ||
                         (pair.object_b == 0 && part_has(part, pair.primitive_b));
      if (about) ((graze_pair *)(uintptr_t)wanted.pairs)[kept++] = pair;
    }
    wanted.count = kept;
    wanted.hash = graze_pairs_hash(wanted.pairs, kept);
    kept_count += kept;
    query.about_count = 1;
    query.about_a = cut.objects[0][0];
    for (size_t method = 0; method_name_at(method) != NULL; method++)
      if (set_method(cut.parts, method_name_at(method))) compare_pairs(&cut, &query, &wanted, method_name_at(method));
  }
  assert_true(kept_count > 10);
  release(&cut);
  mesh_list_free(cut.meshes, cut.mesh_count);
}

/* ---------------------------------------------------------------------------------------------- numbers that differ */

/* Two triangles with a common corner, in two objects. */
static graze_object add_triangle(graze_scene *scene, const float *corners, uint32_t primitive, uint32_t vertex,
                                 graze_object_def placed) {
  static const uint32_t indices[3] = {0, 1, 2};
  graze_object object;
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = float_view(corners, 3);
  def.triangles = index_view(indices, 1);
  placed.global_numbers = true;
  placed.global_object = 4;
  placed.global_primitive = primitive;
  placed.global_vertex = vertex;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object));
  return object;
}

static const float left[9] = {0, 0, 0, 0, 1, 0, 1, 0, 0}, right[9] = {1, 0, 0, 2, 0, 0, 2, 1, 0};

/* The same vertex by number and place; vertices with the same number elsewhere are others, as are those at the same
 * place with another number. */
TEST(test_vertices_agree_in_number_and_place) {
  static const struct {
    uint32_t left, right;
    bool touch;
  } cases[] = {{0, 2, false}, {0, 0, true}, {0, 3, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    OWNED_SCENE *scene = empty_scene(true);
    (void)add_triangle(scene, left, 0, cases[i].left, graze_object_def_default());
    (void)add_triangle(scene, right, 1, cases[i].right, graze_object_def_default());
    update(scene);
    assert_int_equal(count_pairs(scene), cases[i].touch ? 1 : 0);
  }
}

TEST(test_parts_that_are_refused) {
  OWNED_SCENE *scene = empty_scene(true);
  graze_object_def placed = graze_object_def_default();
  placed.name = "left";
  const graze_object first = add_triangle(scene, left, 0, 0, placed);
  placed.name = NULL;
  placed.mask = 3;
  const graze_object second = add_triangle(scene, right, 1, 2, placed);
  assert_refused(graze_scene_update(scene), GRAZE_INVALID_ARGUMENT,
                 "object 0 (left) and object 1 are parts of global object 4, but differ in their filters");
  assert_ok(graze_object_set_filter(scene, second, 1, UINT64_MAX, true));
  assert_int_equal(count_pairs_updated(scene), 0);
  assert_ok(graze_object_set_filter(scene, first, 1, UINT64_MAX, false));
  assert_refused(graze_scene_update(scene), GRAZE_INVALID_ARGUMENT,
                 "object 0 (left) and object 1 are parts of global object 4, but differ in their flags `self`");
  assert_ok(graze_object_set_filter(scene, first, 1, UINT64_MAX, true));
  assert_int_equal(count_pairs_updated(scene), 0);
  graze_query query = graze_query_default();
  OWNED(graze_pairs) pairs = {0};
  query.clearance = 0.1;
  query.clearance_rings = 2;
  assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_UNSUPPORTED);
  static const double centers[3] = {9, 9, 9}, radii[1] = {1};
  graze_mesh_def balls = graze_mesh_def_default();
  graze_object_def balls_placed = graze_object_def_default();
  balls.positions = double_view(centers, 1);
  balls.radii = (graze_view){radii, 1, 0, GRAZE_FORMAT_DOUBLE};
  balls_placed.global_numbers = true;
  balls_placed.global_object = 4;
  balls_placed.global_primitive = 2;
  graze_object ball;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_SPHERE, &balls, &balls_placed, &ball));
  assert_refused(graze_scene_update(scene), GRAZE_INVALID_ARGUMENT,
                 "object 1 and object 2 are parts of global object 4, but differ in their kinds");
  assert_ok(graze_scene_remove_object(scene, ball));
  assert_ok(graze_scene_remove_object(scene, second));
  assert_int_equal(count_pairs_updated(scene), 0); /* whole again */
}
