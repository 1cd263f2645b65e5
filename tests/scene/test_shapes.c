/* Tests objects that share shapes: frames of random changes, with every method, against the same scene in which every
 * object has its own data; errors; the lifetime of a shape; and 100,000 objects of ten shapes. */
#include "base/number_sequence.h"
#include "batch_calls.h"
#include "graze/shape.h"
#include "posed_object.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "test_scale.h"
#include "tree_scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- meshes */

enum { SHAPES = 4, VERTICES = 48, ELEMENTS = 40 };

/* Positions on a small lattice, so that touching and equal corners are common. */
typedef struct shape_mesh {
  graze_kind kind;
  double positions[3 * VERTICES];
  uint32_t indices[4 * ELEMENTS];
  double radii[VERTICES];
} shape_mesh;

static void make_mesh(uint64_t *sequence, graze_kind kind, shape_mesh *body) {
  body->kind = kind;
  for (int i = 0; i < 3 * VERTICES; i++) body->positions[i] = (double)sequence_below(sequence, 9) - 4.0;
  for (int i = 0; i < 4 * ELEMENTS; i++) body->indices[i] = (uint32_t)sequence_below(sequence, VERTICES);
  for (int i = 0; i < VERTICES; i++) body->radii[i] = 0.25 * (double)sequence_below(sequence, 4);
}

static graze_mesh_def def_of(const shape_mesh *body) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = double_view(body->positions, VERTICES);
  if (body->kind == GRAZE_KIND_TRIANGLE) def.triangles = index_view(body->indices, ELEMENTS);
  if (body->kind == GRAZE_KIND_TETRAHEDRON)
    def.tetrahedra = (graze_view){body->indices, ELEMENTS, 0, GRAZE_FORMAT_UINT32_4};
  if (body->kind == GRAZE_KIND_SPHERE) def.radii = (graze_view){body->radii, VERTICES, 0, GRAZE_FORMAT_DOUBLE};
  return def;
}

static graze_shape *shape_of(const shape_mesh *body, bool prepared) {
  const graze_mesh_def def = def_of(body);
  graze_shape_def shape_def = graze_shape_def_default();
  graze_shape *shape;
  shape_def.mesh = &def;
  shape_def.kind = body->kind;
  shape_def.prepare_tree = prepared;
  assert_ok(graze_shape_create(&shape_def, &shape));
  return shape;
}

static graze_result add_plain(graze_scene *scene, const shape_mesh *body, graze_object *object_out) {
  const graze_mesh_def def = def_of(body);
  graze_object_def placed = graze_object_def_default();
  placed.self = body->kind == GRAZE_KIND_TRIANGLE;
  return graze_scene_add(scene, body->kind, &def, &placed, object_out);
}

static graze_result add_shared(graze_scene *scene, graze_shape *shape, const shape_mesh *body, graze_object *out) {
  graze_object_def def = graze_object_def_default();
  def.self = body->kind == GRAZE_KIND_TRIANGLE;
  return graze_scene_add_shape(scene, shape, &def, out);
}

/* ---------------------------------------------------------------------------------------------- both scenes */

enum { OBJECTS_MOST = 20 };

typedef struct both_scenes {
  graze_scene *shared, *plain;
  shape_mesh meshes[SHAPES];
  graze_shape *shapes[SHAPES];
  graze_object objects[OBJECTS_MOST]; /* the same handles in both */
  int mesh_of[OBJECTS_MOST];
  int count;
} both_scenes;

static void check_same(const both_scenes *both, graze_result shared, graze_result plain) {
  (void)both;
  if (shared != plain) fail_msg("shared %d, plain %d: %s", (int)shared, (int)plain, graze_error_text());
}

static void add_one(both_scenes *both, uint64_t *sequence) {
  if (both->count == OBJECTS_MOST) return;
  const int body = (int)sequence_below(sequence, SHAPES);
  graze_object shared, plain;
  assert_ok(add_shared(both->shared, both->shapes[body], &both->meshes[body], &shared));
  assert_ok(add_plain(both->plain, &both->meshes[body], &plain));
  assert_int_equal(shared.index, plain.index);
  both->mesh_of[both->count] = body;
  both->objects[both->count++] = shared;
}

static void remove_one(both_scenes *both, int which) {
  assert_ok(graze_scene_remove_object(both->shared, both->objects[which]));
  assert_ok(graze_scene_remove_object(both->plain, both->objects[which]));
  both->count--;
  both->objects[which] = both->objects[both->count];
  both->mesh_of[which] = both->mesh_of[both->count];
}

static void pose_one(both_scenes *both, uint64_t *sequence, int which) {
  double rotation[9], translation[3];
  choose_pose(sequence, (pose_kind)sequence_below(sequence, POSE_KINDS), 6.0, rotation, translation);
  check_same(both, pose_object(both->shared, both->objects[which], rotation, translation),
             pose_object(both->plain, both->objects[which], rotation, translation));
}

static void deform_one(both_scenes *both, uint64_t *sequence, int which) {
  double positions[9];
  for (int i = 0; i < 9; i++) positions[i] = (double)sequence_below(sequence, 9) - 4.0;
  if (sequence_below(sequence, 4) == 0) positions[sequence_below(sequence, 9)] = NAN; /* refused by both */
  const size_t first = (size_t)sequence_below(sequence, VERTICES - 2);
  check_same(both, graze_object_set_positions(both->shared, both->objects[which], first, double_view(positions, 3)),
             graze_object_set_positions(both->plain, both->objects[which], first, double_view(positions, 3)));
}

static void erase_one(both_scenes *both, uint64_t *sequence, int which) {
  const uint32_t primitive = (uint32_t)sequence_below(sequence, ELEMENTS);
  check_same(both, graze_object_remove_primitives(both->shared, both->objects[which], &primitive, 1),
             graze_object_remove_primitives(both->plain, both->objects[which], &primitive, 1));
}

static void insert_one(both_scenes *both, uint64_t *sequence, int which) {
  const double position[3] = {1.0, (double)sequence_below(sequence, 5), 0.0}, radius = 0.5;
  const uint32_t triangle[3] = {0, 1, (uint32_t)sequence_below(sequence, VERTICES)};
  const graze_kind kind = both->meshes[both->mesh_of[which]].kind;
  const graze_object object = both->objects[which];
  if (kind == GRAZE_KIND_TRIANGLE)
    check_same(both, graze_object_append_primitives(both->shared, object, index_view(triangle, 1), NULL),
               graze_object_append_primitives(both->plain, object, index_view(triangle, 1), NULL));
  if (kind != GRAZE_KIND_SPHERE) return;
  const graze_view radii = {&radius, 1, 0, GRAZE_FORMAT_DOUBLE};
  check_same(both, graze_object_append_spheres(both->shared, object, double_view(position, 1), radii, NULL),
             graze_object_append_spheres(both->plain, object, double_view(position, 1), radii, NULL));
}

static void change_method(both_scenes *both, uint64_t *sequence) {
  static const char *const names[] = {"auto", "grid", "tree", "clusters", "brute", "auto", "tree"};
  graze_method_def def = graze_method_def_default();
  def.name = names[sequence_below(sequence, sizeof names / sizeof *names)];
  assert_ok(graze_scene_set_method(both->shared, &def));
}

/* The handle ends; objects that have the shape keep it. */
static void renew_shape(both_scenes *both, uint64_t *sequence) {
  const int which = (int)sequence_below(sequence, SHAPES);
  graze_shape_destroy(both->shapes[which]);
  both->shapes[which] = shape_of(&both->meshes[which], sequence_below(sequence, 2) == 0);
}

static void change_something(both_scenes *both, uint64_t *sequence) {
  const uint64_t what = sequence_below(sequence, 20);
  const int which = both->count > 0 ? (int)sequence_below(sequence, (uint64_t)both->count) : -1;
  if (which < 0 || what < 4)
    add_one(both, sequence);
  else if (what < 12)
    pose_one(both, sequence, which);
  else if (what < 14)
    deform_one(both, sequence, which);
  else if (what < 15)
    erase_one(both, sequence, which);
  else if (what < 16)
    insert_one(both, sequence, which);
  else if (what < 17)
    remove_one(both, which);
  else if (what < 19)
    change_method(both, sequence);
  else
    renew_shape(both, sequence);
}

static void compare_contacts(const both_scenes *both, const pair_answer *pairs) {
  OWNED(graze_contacts) shared = {0}, plain = {0};
  assert_ok(graze_scene_make_contacts(both->shared, pairs->pairs, pairs->count, NULL, &shared));
  assert_ok(graze_scene_make_contacts(both->plain, pairs->pairs, pairs->count, NULL, &plain));
  for (size_t i = 0; i < pairs->count; i++) {
    assert_memory_equal(&shared.contacts[i].pair, &plain.contacts[i].pair, sizeof(graze_pair));
    assert_memory_equal(&shared.contacts[i].depth, &plain.contacts[i].depth, sizeof(double));
    assert_memory_equal(shared.contacts[i].centroid, plain.contacts[i].centroid, sizeof plain.contacts[i].centroid);
  }
}

/* Configurations of all objects but the first. */
static void compare_configurations(const both_scenes *both, uint64_t *sequence) {
  enum { COUNT = 3 };
  graze_pose poses[COUNT * OBJECTS_MOST];
  uint64_t counts[2][COUNT];
  if (both->count < 2) return;
  for (int i = 0; i < COUNT * (both->count - 1); i++) {
    double rotation[9], translation[3];
    choose_pose(sequence, (pose_kind)sequence_below(sequence, POSE_KINDS), 6.0, rotation, translation);
    poses[i] = pose_of(rotation, translation);
  }
  const size_t moving = (size_t)both->count - 1;
  graze_scene *const scenes[2] = {both->shared, both->plain};
  for (int i = 0; i < 2; i++)
    assert_ok(batch_counts(scenes[i], batch_of(both->objects + 1, moving, poses, COUNT * moving), counts[i]));
  assert_memory_equal(counts[0], counts[1], sizeof counts[0]);
}

static void compare_scenes(const both_scenes *both, int frame) {
  char name[32];
  snprintf(name, sizeof name, "frame %d", frame);
  assert_ok(graze_scene_update(both->shared));
  assert_ok(graze_scene_update(both->plain));
  const graze_query query = graze_query_default();
  OWNED(pair_answer) shared = runner_find(both->shared, &query), plain = runner_find(both->plain, &query);
  runner_compare(&plain, &shared, name, graze_scene_method(both->shared, NULL));
  const graze_counters a = runner_counters(both->shared), b = runner_counters(both->plain);
  assert_int_equal(a.inverted, b.inverted);
  assert_int_equal(a.repeated_index, b.repeated_index);
  if (frame % 8 == 0) compare_contacts(both, &plain);
  graze_object_pairs touching[2] = {{0}, {0}};
  assert_ok(graze_scene_find_object_pairs(both->shared, NULL, &touching[0]));
  assert_ok(graze_scene_find_object_pairs(both->plain, NULL, &touching[1]));
  assert_int_equal(touching[0].count, touching[1].count);
  assert_memory_equal(touching[0].pairs, touching[1].pairs, touching[1].count * sizeof *touching[1].pairs);
  for (int i = 0; i < 2; i++) graze_object_pairs_free(&touching[i]);
}

static void run_frames(uint64_t seed) {
  uint64_t sequence = seed;
  static const graze_kind kinds[SHAPES] = {GRAZE_KIND_TRIANGLE, GRAZE_KIND_TETRAHEDRON, GRAZE_KIND_SPHERE,
                                           GRAZE_KIND_TRIANGLE};
  static both_scenes both;
  running_variant variant = running_variant_reference();
  both = (both_scenes){.plain = runner_scene(&variant, NULL, 0, NULL)};
  variant.method = "auto";
  variant.worker_count = 1 + (uint32_t)sequence_below(&sequence, 3);
  both.shared = runner_scene(&variant, NULL, 0, NULL);
  for (int i = 0; i < SHAPES; i++) {
    make_mesh(&sequence, kinds[i], &both.meshes[i]);
    both.shapes[i] = shape_of(&both.meshes[i], i % 2 == 0);
  }
  for (int frame = 0; frame < 24; frame++) {
    const uint64_t changes = 1 + sequence_below(&sequence, 6);
    for (uint64_t i = 0; i < changes; i++) change_something(&both, &sequence);
    compare_scenes(&both, frame);
    if (frame % 4 == 0) compare_configurations(&both, &sequence);
  }
  for (int i = 0; i < SHAPES; i++) graze_shape_destroy(both.shapes[i]);
  graze_scene_destroy(both.shared);
  graze_scene_destroy(both.plain);
}

TEST(test_sharing_changes_no_answer) {
  const size_t rounds = test_scaled(100, 4);
  for (size_t i = 0; i < rounds; i++) run_frames(1 + i);
}

/* ---------------------------------------------------------------------------------------------- single calls */

TEST(test_bad_shapes_are_refused) {
  graze_shape_def def = graze_shape_def_default();
  graze_mesh_def body = crossing_def();
  graze_shape *shape = (graze_shape *)&body;
  assert_int_equal(graze_shape_create(&def, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_shape_create(&def, &shape), GRAZE_INVALID_ARGUMENT);
  assert_null(shape);
  assert_non_null(strstr(graze_error_text(), "the mesh of the shape is NULL"));
  def.mesh = &body;
  def.kind = (graze_kind)77;
  assert_int_equal(graze_shape_create(&def, &shape), GRAZE_INVALID_ARGUMENT);
  def.kind = GRAZE_KIND_TRIANGLE;
  const uint32_t far[3] = {0, 1, 99};
  body.triangles = index_view(far, 1);
  assert_int_equal(graze_shape_create(&def, &shape), GRAZE_INDEX_OUT_OF_RANGE);
  assert_non_null(strstr(graze_error_text(), "99"));
  graze_scene *scene = create_scene(NULL);
  assert_int_equal(graze_scene_add_shape(scene, NULL, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  graze_scene_destroy(scene);
  graze_shape_destroy(NULL);
}

TEST(test_a_shape_outlives_its_handle) {
  const graze_mesh_def body = crossing_def();
  graze_shape_def def = graze_shape_def_default();
  def.mesh = &body;
  graze_shape *shape;
  graze_scene *scenes[2];
  graze_object objects[2];
  assert_ok(graze_shape_create(&def, &shape));
  for (int i = 0; i < 2; i++) {
    assert_ok(graze_scene_create(NULL, &scenes[i]));
    assert_ok(graze_scene_add_shape(scenes[i], shape, NULL, &objects[i]));
  }
  graze_shape_destroy(shape);
  assert_int_equal(count_pairs_updated(scenes[0]), 1);
  /* A copy of one's own leaves the other as it is. */
  const float away[9] = {1, 1, 5, 1, 1, 6, 2, 1, 6};
  assert_ok(graze_object_set_positions(scenes[0], objects[0], 3, float_view(away, 3)));
  assert_int_equal(count_pairs_updated(scenes[0]), 0);
  graze_scene_destroy(scenes[0]);
  assert_int_equal(count_pairs_updated(scenes[1]), 1);
  graze_scene_destroy(scenes[1]);
}

/* An object that is added with a pose is one that is posed at once afterwards, in a place where another one was too. */
TEST(test_an_object_begins_with_its_pose) {
  uint64_t sequence = 11;
  shape_mesh body;
  make_mesh(&sequence, GRAZE_KIND_TETRAHEDRON, &body);
  graze_shape *shape = shape_of(&body, true);
  for (int round = 0; round < 20; round++) {
    OWNED_SCENE *given, *set;
    graze_object old, object;
    assert_ok(graze_scene_create(NULL, &given));
    assert_ok(graze_scene_create(NULL, &set));
    assert_ok(graze_scene_add_shape(given, shape, NULL, &old));
    assert_ok(pose_object(given, old, (const double[9]){0, -1, 0, 1, 0, 0, 0, 0, 1}, (const double[3]){1, 2, 3}));
    assert_ok(graze_scene_update(given));
    assert_ok(graze_scene_remove_object(given, old));
    for (int i = 0; i < 4; i++) {
      graze_pose pose;
      choose_pose(&sequence, (pose_kind)sequence_below(&sequence, POSE_KINDS), 3.0, pose.rotation, pose.translation);
      graze_object_def def = graze_object_def_default();
      def.pose = i > 0 ? &pose : NULL;
      assert_ok(graze_scene_add_shape(given, shape, &def, NULL));
      assert_ok(graze_scene_add_shape(set, shape, NULL, &object));
      if (i > 0) assert_ok(graze_object_set_pose(set, object, &pose));
      graze_object_info info = {0};
      assert_ok(graze_object_get_info(given, (graze_object){(uint32_t)i, i == 0 ? 2 : 1}, &info));
      const graze_pose expected = i > 0 ? pose : graze_pose_identity();
      assert_memory_equal(&info.pose, &expected, sizeof expected);
    }
    assert_ok(graze_scene_update(given));
    assert_ok(graze_scene_update(set));
    const graze_query query = graze_query_default();
    OWNED(pair_answer) a = runner_find(given, &query), b = runner_find(set, &query);
    assert_true(a.hash == b.hash && a.count == b.count);
  }
  graze_shape_destroy(shape);
}

/* A refused pose leaves nothing in the scene, and names the object that it was for. */
TEST(test_a_bad_pose_adds_nothing) {
  const graze_mesh_def body = crossing_def();
  graze_shape_def def = graze_shape_def_default();
  def.mesh = &body;
  graze_shape *shape;
  OWNED_SCENE *scene;
  assert_ok(graze_shape_create(&def, &shape));
  assert_ok(graze_scene_create(NULL, &scene));
  const struct {
    double scale, shift;
    graze_result result;
    const char *words;
  } cases[] = {{2.0, 0.0, GRAZE_NOT_A_ROTATION, "object 0 (bolt): the pose is not a rotation"},
               {-1.0, 0.0, GRAZE_NOT_A_ROTATION, "the pose is a reflection"},
               {1.0, NAN, GRAZE_NOT_FINITE, "translation y of the pose is nan"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    graze_pose pose = graze_pose_identity();
    graze_object_def object = graze_object_def_default();
    pose.rotation[0] = cases[i].scale;
    pose.translation[1] = cases[i].shift;
    object.name = "bolt";
    object.pose = &pose;
    assert_int_equal(graze_scene_add_shape(scene, shape, &object, NULL), cases[i].result);
    if (strstr(graze_error_text(), cases[i].words) == NULL) fail_msg("%s", graze_error_text());
    assert_int_equal(graze_scene_next_object(scene, (graze_object){0}).generation, 0);
  }
  graze_shape_destroy(shape);
}

TEST(test_auto_takes_trees_at_once) {
  uint64_t sequence = 7;
  shape_mesh body;
  make_mesh(&sequence, GRAZE_KIND_TRIANGLE, &body);
  graze_shape *shape = shape_of(&body, true);
  OWNED_SCENE *scene = create_scene(NULL);
  for (int i = 0; i < 3; i++) assert_ok(graze_scene_add_shape(scene, shape, NULL, NULL));
  graze_shape_destroy(shape);
  assert_ok(graze_scene_update(scene));
  assert_string_equal(graze_scene_method(scene, NULL), "tree");
}

/* ---------------------------------------------------------------------------------------------- many objects */

/* A scene of so many objects of ten shapes needs memory for the shapes, and some hundred bytes for each object. */
TEST(test_many_objects_are_small) {
  enum { KINDS = 10, BYTES_AN_OBJECT = 1500, MOST_OF_A_SHAPE = 100 * ELEMENTS };
  const size_t count = test_scaled(400000, 2000);
  uint64_t sequence = 3;
  static shape_mesh meshes[KINDS];
  graze_shape *shapes[KINDS];
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 2;
  OWNED_SCENE *scene = create_scene(&def);
  for (int i = 0; i < KINDS; i++) {
    make_mesh(&sequence, GRAZE_KIND_TRIANGLE, &meshes[i]);
    shapes[i] = shape_of(&meshes[i], true);
  }
  const double rotation[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  for (size_t i = 0; i < count; i++) {
    const double translation[3] = {9.5 * (double)(i % 50), 9.5 * (double)(i / 50 % 50), 9.5 * (double)(i / 2500)};
    graze_object object;
    assert_ok(graze_scene_add_shape(scene, shapes[i % KINDS], NULL, &object));
    assert_ok(pose_object(scene, object, rotation, translation));
  }
  for (int i = 0; i < KINDS; i++) graze_shape_destroy(shapes[i]);
  assert_ok(graze_scene_update(scene));
  const graze_counters counters = runner_counters(scene);
  if (counters.peak_bytes > count * BYTES_AN_OBJECT + KINDS * MOST_OF_A_SHAPE)
    fail_msg("%zu bytes for %zu objects", (size_t)counters.peak_bytes, count);
  OWNED(pair_answer) none = runner_find(scene, &query);
  assert_int_equal(none.count, 0); /* a lattice of 9 in cells of 9.5 */
}
