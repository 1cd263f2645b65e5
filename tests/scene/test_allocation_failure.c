/* Fails every allocation of a scene's life in turn: the call reports it, nothing leaks, released sizes equal the
 * requested sizes, and with memory available the same scene gives correct answers.
 *
 * There are two kinds of failure: a single allocation, and that one with all later ones in the call. There are two
 * kinds of life: one whose queries reuse the scratch of earlier ones, and one that is trimmed before each query, so
 * that every query allocates everything. Both also run for consecutive scenes with workers that keep their memory. */
#include "base/number_sequence.h"
#include "failing_life.h"
#include "graze/containment.h"
#include "graze/distances.h"
#include "graze/inspect.h"
#include "graze/nearest.h"
#include "graze/regions.h"
#include "graze/shape.h"
#include "posed_object.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "test_scale.h"

#include <stdio.h>

enum { SOUP_TRIANGLES = 48, CROWD_TRIANGLES = 400, KIND_PAIRS = 16 };

static void fill_soup(float *positions, uint32_t *triangles) {
  uint64_t sequence = 4;
  for (uint32_t i = 0; i < 3 * SOUP_TRIANGLES; i++) {
    triangles[i] = i;
    for (int axis = 0; axis < 3; axis++) positions[3 * i + axis] = (float)sequence_below(&sequence, 1000) / 500.0f;
  }
}

static void live_structure(failing_life *life, const graze_query *query) {
  OWNED(graze_structure) structure = {0};
  before_query(life);
  LIVE(life, graze_scene_inspect(life->scene, query, NULL, &structure), false);
  assert_true(structure.count > 0 && structure.member_count > 0);
  record_hash(life, structure.count << 32 | structure.member_count);
}

static void ask_everything(failing_life *life) {
  graze_query query = graze_query_default();
  live_method(life, "brute");
  live_find(life, &query);
  query.neighbors = GRAZE_NEIGHBORS_BEYOND;
  live_method(life, "grid");
  live_find(life, &query);
  query.clearance = 0.01;
  live_structure(life, &query);
  query.clearance_rings = 2;
  live_distances(life, &query);
  query = graze_query_default();
  live_objects(life);
  live_regions(life);
  live_configurations(life);
  live_method(life, "tree");
  live_structure(life, NULL);
  live_method(life, "clusters");
  live_structure(life, NULL);
  live_find(life, &query);
  query.pair_limit = 9;
  live_find(life, &query);
  query.clearance = 0.01;
  live_find(life, &query);
  bool found;
  before_query(life);
  LIVE(life, graze_scene_any_pair(life->scene, NULL, &found, NULL), false);
  assert_true(found);
  OWNED(graze_pairs) pairs = {0};
  LIVE(life, graze_scene_find_pairs(life->scene, &query, &pairs), false);
  OWNED(graze_contacts) contacts = {0};
  LIVE(life, graze_scene_make_contacts(life->scene, pairs.pairs, 9, NULL, &contacts), false);
  assert_int_equal(contacts.count, 9);
}

static void change_everything(failing_life *life, graze_object a, graze_object b, const uint32_t *triangles) {
  const double moved[6] = {0.1, 0.2, 0.3, 1.9, 1.8, 1.7};
  LIVE(life, graze_object_set_positions(life->scene, a, 5, double_view(moved, 2)), true);
  live_update(life);
  LIVE(life, graze_object_append_positions(life->scene, b, double_view(moved, 2), NULL), true);
  live_update(life);
  uint32_t first;
  LIVE(life, graze_object_append_primitives(life->scene, b, index_view(triangles, 20), &first), true);
  live_update(life);
  LIVE(life, graze_object_remove_primitives(life->scene, a, (const uint32_t[]){3, 9, 0}, 3), true);
  live_update(life);
  LIVE(life, graze_object_append_primitives(life->scene, a, index_view(triangles, 2), &first), true);
  live_update(life);
  LIVE(life, graze_scene_remove_object(life->scene, a), true);
  live_update(life);
}

static void live_through_a_scene(failing_life *life) {
  float positions[9 * SOUP_TRIANGLES];
  uint32_t triangles[3 * SOUP_TRIANGLES];
  fill_soup(positions, triangles);
  live_create(life, &host_runs_reversed);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = float_view(positions, 3 * SOUP_TRIANGLES);
  def.triangles = index_view(triangles, SOUP_TRIANGLES);
  def.name = "soup";
  graze_object a, b;
  LIVE(life, graze_scene_add(life->scene, GRAZE_KIND_TRIANGLE, &def, NULL, &a), true);
  live_update(life);
  def.triangles.count = SOUP_TRIANGLES / 2;
  LIVE(life, graze_scene_add(life->scene, GRAZE_KIND_TRIANGLE, &def, NULL, &b), true);
  const double rotation[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, translation[3] = {2, 0, 0};
  LIVE(life, pose_object(life->scene, b, rotation, translation), true);
  live_update(life);
  ask_everything(life);
  change_everything(life, a, b, triangles);
  live_destroy(life);
}

/* Primitives and vertices with numbers of their own. */
static void live_through_numbers(failing_life *life) {
  float positions[9 * SOUP_TRIANGLES];
  uint32_t triangles[3 * SOUP_TRIANGLES], numbers[3 * SOUP_TRIANGLES];
  fill_soup(positions, triangles);
  for (uint32_t i = 0; i < 3 * SOUP_TRIANGLES; i++) numbers[i] = 3 * SOUP_TRIANGLES - i;
  live_create(life, &host_runs_reversed);
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = float_view(positions, 3 * SOUP_TRIANGLES);
  def.triangles = index_view(triangles, SOUP_TRIANGLES);
  placed.global_numbers = true;
  placed.global_primitives = (graze_view){numbers, SOUP_TRIANGLES, 0, GRAZE_FORMAT_UINT32};
  placed.global_vertices = (graze_view){numbers, 3 * SOUP_TRIANGLES, 0, GRAZE_FORMAT_UINT32};
  graze_object object;
  LIVE(life, graze_scene_add(life->scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object), true);
  live_update(life);
  LIVE(life, graze_object_remove_primitives(life->scene, object, (const uint32_t[]){3}, 1), true);
  live_update(life);
  live_destroy(life);
}

/* ---------------------------------------------------------------------------------------------- trees */

/* So many objects that those that meet are found by ranks. */
static void add_crowd_of_bodies(failing_life *life) {
  enum { BODIES = 40 };
  const uint32_t triangle[3] = {0, 1, 2};
  for (int i = 0; i < BODIES; i++) {
    const float at = (float)i * 0.05f, positions[9] = {at, 0, at, at + 1, 0, at, at, 1, at + 0.5f};
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = float_view(positions, 3);
    def.triangles = index_view(triangle, 1);
    LIVE(life, graze_scene_add(life->scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), true);
  }
}

/* Trees that are built, refitted, and built anew because of where everything has gone, by both orders. */
static void live_through_trees(failing_life *life) {
  float positions[9 * SOUP_TRIANGLES], moved[9 * SOUP_TRIANGLES];
  uint32_t triangles[3 * SOUP_TRIANGLES];
  fill_soup(positions, triangles);
  for (uint32_t i = 0; i < 9 * SOUP_TRIANGLES; i++) moved[i] = positions[i * 7 % (9 * SOUP_TRIANGLES)];
  live_create(life, &host_runs_reversed);
  live_method(life, "tree");
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = float_view(positions, 3 * SOUP_TRIANGLES);
  def.triangles = index_view(triangles, SOUP_TRIANGLES);
  graze_object a, b;
  LIVE(life, graze_scene_add(life->scene, GRAZE_KIND_TRIANGLE, &def, NULL, &a), true);
  live_update(life);
  LIVE(life, graze_scene_add(life->scene, GRAZE_KIND_TRIANGLE, &def, NULL, &b), true);
  const double rotation[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, translation[3] = {2, 0, 0};
  LIVE(life, pose_object(life->scene, b, rotation, translation), true);
  live_update(life);
  live_configurations(life);
  LIVE(life, graze_object_set_positions(life->scene, a, 0, float_view(moved, 3 * SOUP_TRIANGLES)), true);
  live_update(life);
  change_everything(life, a, b, triangles);
  add_crowd_of_bodies(life);
  live_update(life);
  bool found;
  before_query(life);
  LIVE(life, graze_scene_any_pair(life->scene, NULL, &found, NULL), false);
  assert_true(found);
  live_objects(life);
  graze_query query = graze_query_default();
  query.candidates_only = true;
  live_find(life, &query);
  live_method(life, "grid");
  live_method(life, "tree");
  live_find(life, &query);
  live_destroy(life);
}

/* A body that is built by all workers together. */
static void live_through_a_large_tree(failing_life *life) {
  enum { LEAVES = 17000 };
  static float positions[9 * LEAVES];
  static uint32_t triangles[3 * LEAVES];
  uint64_t sequence = 9;
  for (uint32_t i = 0; i < 3 * LEAVES; i++) {
    triangles[i] = i;
    for (uint32_t axis = 0; axis < 3; axis++)
      positions[3 * i + axis] = (i % 3 == 0 ? (float)sequence_below(&sequence, 100000)
                                            : positions[9 * (i / 3) + axis] + (float)sequence_below(&sequence, 900));
  }
  live_create(life, &host_runs_reversed);
  live_method(life, "tree");
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = float_view(positions, 3 * LEAVES);
  def.triangles = index_view(triangles, LEAVES);
  graze_object object;
  LIVE(life, graze_scene_add(life->scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object), true);
  live_update(life);
  for (uint32_t i = 0; i < 9 * LEAVES / 2; i++) { /* which leaves every box too large */
    const float kept = positions[i];
    positions[i] = positions[9 * LEAVES - 1 - i];
    positions[9 * LEAVES - 1 - i] = kept;
  }
  LIVE(life, graze_object_set_positions(life->scene, object, 0, float_view(positions, 3 * LEAVES)), true);
  live_update(life);
  live_destroy(life);
}

/* So many pairs that lists of workers are cut to the limit on the way. */
static void live_through_a_crowd(failing_life *life) {
  const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  uint32_t triangles[3 * CROWD_TRIANGLES];
  float corners[9 * CROWD_TRIANGLES];
  for (uint32_t i = 0; i < 9 * CROWD_TRIANGLES; i++) corners[i] = positions[i % 9];
  for (uint32_t i = 0; i < 3 * CROWD_TRIANGLES; i++) triangles[i] = i;
  live_create(life, NULL);
  live_method(life, "grid");
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = float_view(corners, 3 * CROWD_TRIANGLES);
  def.triangles = index_view(triangles, CROWD_TRIANGLES);
  LIVE(life, graze_scene_add(life->scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), true);
  LIVE(life, graze_scene_update(life->scene), false);
  graze_query query = graze_query_default();
  query.candidates_only = true;
  query.pair_limit = 20000;
  live_find(life, &query);
  live_destroy(life);
}

/* Scenes one after the other, each in the memory that those before it have left. */
static void live_through_kept_scenes(failing_life *life) {
  const graze_allocator allocator = life_allocator(life);
  graze_workers_def def = graze_workers_def_default();
  def.allocator = &allocator;
  def.tasks = &host_runs_reversed;
  life->keeps = true;
  LIVE(life, graze_workers_create(&def, &life->workers), false);
  for (int i = 0; i < 2; i++) live_through_a_scene(life);
  live_through_a_crowd(life);
  assert_true(graze_workers_kept_bytes(life->workers) > 0);
  graze_workers_destroy(life->workers);
}

/* ---------------------------------------------------------------------------------------------- exclusions */

/* All exclusions of a call or none, also where it fails in their midst. */
static void live_exclude(failing_life *life, const graze_id_pair *pairs, size_t count, bool excluded) {
  const size_t before = graze_scene_exclusion_count(life->scene);
  if (is_refusal(life, graze_scene_exclude_pairs(life->scene, pairs, count, excluded))) {
    assert_int_equal(graze_scene_exclusion_count(life->scene), before);
    check_untouched(life);
    assert_ok(graze_scene_exclude_pairs(life->scene, pairs, count, excluded));
  }
  life->updated = false;
}

static void live_through_exclusions(failing_life *life) {
  enum { BODIES = 24 };
  const uint32_t triangle[3] = {0, 1, 2};
  graze_object bodies[BODIES];
  graze_id_pair pairs[BODIES * BODIES];
  size_t count = 0;
  live_create(life, &host_runs_reversed);
  for (int i = 0; i < BODIES; i++) {
    const float at = (float)i * 0.02f, positions[9] = {at, 0, at, at + 1, 0, at, at, 1, at + 0.5f};
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = float_view(positions, 3);
    def.triangles = index_view(triangle, 1);
    LIVE(life, graze_scene_add(life->scene, GRAZE_KIND_TRIANGLE, &def, NULL, &bodies[i]), true);
    for (int other = 0; other < i; other++)
      if ((i + other) % 4 != 0) pairs[count++] = (graze_id_pair){bodies[i], bodies[other]};
  }
  live_update(life);
  for (int i = 0; i < 40; i++)
    LIVE(life, graze_scene_exclude(life->scene, pairs[5 * i].a, pairs[5 * i].b, true), i == 0);
  live_update(life);
  live_exclude(life, pairs, count, true);
  assert_int_equal(graze_scene_exclusion_count(life->scene), count);
  live_update(life);
  live_exclude(life, pairs, count / 2, false);
  live_update(life);
  LIVE(life, graze_scene_remove_object(life->scene, bodies[BODIES - 1]), true);
  live_update(life);
  live_destroy(life);
}

/* ---------------------------------------------------------------------------------------------- shapes */

static void live_through_shapes(failing_life *life) {
  const uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
  const float positions[18] = {0, 0, 0, 1, 0, 0, 0, 1, 0.5f, 0.2f, 0.2f, -1, 0.2f, 0.3f, 1, 0.3f, 0.2f, 1};
  const float moved[3] = {0, 0, 0.25f};
  graze_mesh_def body = graze_mesh_def_default();
  body.positions = float_view(positions, 6);
  body.triangles = index_view(triangles, 2);
  const graze_allocator allocator = life_allocator(life);
  graze_shape_def def = graze_shape_def_default();
  def.mesh = &body;
  def.allocator = &allocator;
  graze_shape *shape;
  graze_object objects[20];
  LIVE(life, graze_shape_create(&def, &shape), false);
  live_create(life, &host_runs_reversed);
  graze_object_def named = graze_object_def_default();
  named.name = "placed";
  for (int i = 0; i < 20; i++) LIVE(life, graze_scene_add_shape(life->scene, shape, &named, &objects[i]), true);
  live_update(life);
  live_find(life, NULL);
  /* A copy of its own: where it fails the object shares as before. */
  LIVE(life, graze_object_set_positions(life->scene, objects[0], 0, float_view(moved, 1)), true);
  live_update(life);
  live_find(life, NULL);
  live_method(life, "grid"); /* which needs headers of all */
  live_find(life, NULL);
  graze_shape_destroy(shape);
  live_destroy(life);
}

/* ---------------------------------------------------------------------------------------------- inside */

/* Two tetrahedra, as one object, in a third one that is closed by places alone; and a crowd beside them, so that boxes
 * are compared by a scene. */
static void live_through_containments(failing_life *life) {
  static const float places[36] = {0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 8, 1, 1, 1, 2, 1, 1,
                                   1, 2, 1, 1, 1, 2, 3, 3, 1, 3, 2, 1, 2, 3, 1, 3, 3, 0.5f};
  static const uint32_t triangles[36] = {0, 2, 1, 0, 1, 3, 0, 3, 2,  1, 2,  3, 4, 6,  5,  4, 5,  7,
                                         4, 7, 6, 5, 6, 7, 8, 9, 10, 8, 11, 9, 8, 10, 11, 9, 11, 10};
  float apart[36];
  uint32_t numbers[12];
  graze_containments inside = {0};
  graze_nearest_list nearests = {0};
  graze_nearest_options nearest = graze_nearest_options_default();
  graze_open_edges edges = {0};
  uint32_t inward_count = 0, inward_primitive = 0;
  graze_object outer, inner;
  for (uint32_t i = 0; i < 12; i++) {
    memcpy(apart + 3 * i, places + 3 * triangles[i], 3 * sizeof *apart);
    numbers[i] = i;
  }
  live_create(life, &host_runs_reversed);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = float_view(apart, 12);
  def.triangles = index_view(numbers, 4);
  LIVE(life, graze_scene_add(life->scene, GRAZE_KIND_TRIANGLE, &def, NULL, &outer), true);
  def.positions = float_view(places, 12);
  def.triangles = index_view(triangles + 12, 8);
  LIVE(life, graze_scene_add(life->scene, GRAZE_KIND_TRIANGLE, &def, NULL, &inner), true);
  add_crowd_of_bodies(life);
  live_update(life);
  for (int i = 0; i < 2; i++) {
    before_query(life);
    LIVE(life, graze_scene_find_containments(life->scene, NULL, &inside), false);
    assert_true(inside.count > 0 && inside.containments[0].inner == 1 && inside.containments[0].inside_count == 8);
    record_hash(life, inside.count);
    before_query(life);
    nearest.depths = i == 1;
    LIVE(life, graze_scene_find_nearest(life->scene, &nearest, &nearests), false);
    assert_true(nearests.count > 0 && nearests.complete == 1);
    size_t overlaps = 0;
    for (size_t k = 0; k < nearests.count; k++) overlaps += nearests.nearests[k].distance < 0.0;
    assert_int_equal(overlaps > 0, i == 1);
    record_hash(life, nearests.count + overlaps);
  }
  before_query(life);
  LIVE(life, graze_object_find_open_edges(life->scene, outer, &edges), false);
  assert_int_equal(edges.count, 0);
  before_query(life);
  LIVE(life, graze_object_count_inward_shells(life->scene, outer, &inward_count, &inward_primitive), false);
  graze_containments_free(&inside);
  graze_nearest_list_free(&nearests);
  live_destroy(life);
}

/* ---------------------------------------------------------------------------------------------- all kinds */

/* Two boxes, each as a polyhedron, as six tetrahedra, and as six polygons; and two triangles through all of them. */
static const float box_places[48] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 2, 0, 0, 0, 2, 2, 0, 2, 0, 2, 2, 2, 2, 2,
                                     1, 1, 1, 3, 1, 1, 1, 3, 1, 3, 3, 1, 1, 1, 3, 3, 1, 3, 1, 3, 3, 3, 3, 3};
static const uint32_t box_corners[48] = {0, 1, 3,  2,  4,  5,  7,  6,  0, 1,  5,  4,  2,  3,  7,  6,
                                         0, 2, 6,  4,  1,  3,  7,  5,  8, 9,  11, 10, 12, 13, 15, 14,
                                         8, 9, 13, 12, 10, 11, 15, 14, 8, 10, 14, 12, 9,  11, 15, 13};
static const uint32_t box_tetrahedra[48] = {0, 1,  3,  7,  0, 1,  5,  7,  0, 2,  3,  7,  0, 2,  6,  7,
                                            0, 4,  5,  7,  0, 4,  6,  7,  8, 9,  11, 15, 8, 9,  13, 15,
                                            8, 10, 11, 15, 8, 10, 14, 15, 8, 12, 13, 15, 8, 12, 14, 15};
static const uint32_t box_face_sizes[12] = {4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}, box_cell_sizes[2] = {6, 6};
static const uint32_t box_triangles[6] = {0, 7, 11, 2, 5, 12};

static graze_mesh_def boxes_def(void) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = float_view(box_places, 16);
  def.triangles = index_view(box_triangles, 2);
  def.tetrahedra = (graze_view){box_tetrahedra, 12, 0, GRAZE_FORMAT_UINT32_4};
  def.corners = (graze_view){box_corners, 48, 0, GRAZE_FORMAT_UINT32};
  def.face_sizes = (graze_view){box_face_sizes, 12, 0, GRAZE_FORMAT_UINT32};
  def.cell_sizes = (graze_view){box_cell_sizes, 2, 0, GRAZE_FORMAT_UINT32};
  def.name = "boxes";
  return def;
}

static uint64_t hash_numbers(uint64_t hash, const double *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &numbers[i], sizeof bits);
    hash = (hash ^ bits) * UINT64_C(0x100000001b3);
  }
  return hash;
}

/* Contacts and wrenches of the pairs of the default query, which check_untouched queries again; k of an object. */
static void measure_everything(failing_life *life, graze_object object) {
  graze_pairs pairs = {0};
  before_query(life);
  LIVE(life, graze_scene_find_pairs(life->scene, NULL, &pairs), false);
  const size_t count = pairs.count < KIND_PAIRS ? pairs.count : KIND_PAIRS;
  assert_true(count > 0);
  graze_wrenches wrenches = {0};
  LIVE(life, graze_scene_make_wrenches(life->scene, pairs.pairs, pairs.count, NULL, &wrenches), false);
  uint64_t hash = wrenches.count;
  for (size_t i = 0; i < wrenches.count; i++) hash = hash_numbers(hash, &wrenches.wrenches[i].volume, 1);
  OWNED(graze_contacts) contacts = {0};
  LIVE(life, graze_scene_make_contacts(life->scene, pairs.pairs, count, NULL, &contacts), false);
  assert_int_equal(contacts.count, count);
  for (size_t i = 0; i < count; i++) hash = hash_numbers(hash, contacts.contacts[i].centroid, 3);
  for (size_t i = 0; i < contacts.point_count; i++) hash = hash_numbers(hash, contacts.points[i], 3);
  OWNED(graze_crowding) crowding = {0};
  before_query(life);
  LIVE(life, graze_scene_measure_crowding(life->scene, object, &crowding), false);
  record_hash(life, hash ^ crowding.k);
  graze_pairs_free(&pairs);
  graze_wrenches_free(&wrenches);
}

static void change_kinds(failing_life *life, const graze_object objects[4]) {
  const uint32_t tetrahedron[4] = {0, 3, 5, 14}, numbers[2] = {1, 4};
  const double moved[3] = {0.125, -0.25, 0.5};
  LIVE(life,
       graze_object_append_primitives(life->scene, objects[2], (graze_view){tetrahedron, 1, 0, GRAZE_FORMAT_UINT32_4},
                                      NULL),
       true);
  LIVE(life, graze_object_remove_primitives(life->scene, objects[2], numbers, 2), true);
  live_update(life);
  LIVE(life, graze_object_remove_primitives(life->scene, objects[1], numbers, 2), true);
  LIVE(life, graze_object_set_positions(life->scene, objects[3], 2, double_view(moved, 1)), true);
  live_update(life);
  measure_everything(life, objects[1]);
  LIVE(life, graze_scene_remove_object(life->scene, objects[3]), true);
  const graze_mesh_def def = boxes_def();
  graze_object instead;
  LIVE(life, graze_scene_add(life->scene, GRAZE_KIND_POLYGON, &def, NULL, &instead), true);
  assert_int_equal(instead.index, objects[3].index);
  live_update(life);
  measure_everything(life, instead);
}

static void live_through_kinds(failing_life *life) {
  const graze_mesh_def def = boxes_def();
  const double rotation[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, translation[3] = {2.25, 0, 0};
  graze_object objects[4];
  live_create(life, &host_runs_reversed);
  live_method(life, "grid");
  for (int kind = 0; kind < 4; kind++) {
    LIVE(life, graze_scene_add(life->scene, (graze_kind)kind, &def, NULL, &objects[kind]), true);
    if (kind == 2) live_method(life, "clusters");
    if (kind > 1) live_update(life);
  }
  LIVE(life, pose_object(life->scene, objects[1], rotation, translation), true);
  live_update(life);
  graze_query query = graze_query_default();
  for (int test = GRAZE_TEST_SAT; test <= GRAZE_TEST_GJK; test += GRAZE_TEST_GJK) {
    query.test = (graze_test)test;
    live_find(life, &query);
  }
  measure_everything(life, objects[2]);
  change_kinds(life, objects);
  live_destroy(life);
}

TEST(test_every_allocation_of_a_scene) {
  fail_each_in_turn(live_through_a_scene, test_scale() < 1.0 ? 13 : 1);
}

TEST(test_every_allocation_of_exclusions) {
  fail_each_in_turn(live_through_exclusions, test_scale() < 1.0 ? 13 : 1);
}

TEST(test_every_allocation_of_shapes) {
  fail_each_in_turn(live_through_shapes, test_scale() < 1.0 ? 13 : 1);
}

TEST(test_every_allocation_of_containments) {
  fail_each_in_turn(live_through_containments, test_scale() < 1.0 ? 13 : 1);
}

TEST(test_every_allocation_of_numbers) {
  fail_each_in_turn(live_through_numbers, test_scale() < 1.0 ? 3 : 1);
}

TEST(test_every_allocation_of_all_kinds) {
  fail_each_in_turn(live_through_kinds, test_scale() < 1.0 ? 59 : 1);
}

TEST(test_every_allocation_of_trees) {
  fail_each_in_turn(live_through_trees, test_scale() < 1.0 ? 37 : 1);
  fail_each_of_a_life(live_through_a_large_tree, test_scale() < 1.0 ? 47 : 1, false);
}

TEST(test_every_allocation_of_kept_scenes) {
  fail_each_in_turn(live_through_kept_scenes, test_scale() < 1.0 ? 61 : 3);
}

TEST(test_every_allocation_of_a_crowd) {
  fail_each_of_a_life(live_through_a_crowd, test_scale() < 1.0 ? 13 : 3, false); /* one query, and nothing to trim */
}
