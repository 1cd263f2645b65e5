/* Tests the calls to a method with state, by a method outside the table that records them. It is opened once, each
 * update passes the objects that changed and how, and the notes of the last search, and it is closed. A method is
 * refused on backends for which it has no implementation. */
#include "api/method_calls.h"
#include "broad/method_state.h"
#include "posed_object.h"
#include "scene_calls.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { OBJECTS_MOST = 8 };

/* The calls so far. */
static struct {
  uint32_t created, updated, found, destroyed;
  size_t object_count;
  object_change changes[OBJECTS_MOST];
  uint64_t note_given; /* the first word of the notes of the last update */
  bool rounded;        /* the last update was shown rounded vertices, or boxes of objects */
  bool fails;
} record;

static graze_result create(memory *heap, const method_options *options, void **state_out) {
  (void)options;
  record.created++;
  *state_out = memory_allocate(heap, 1, sizeof(uint64_t));
  return *state_out != NULL ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

static graze_result update(void *state, const update_input *input) {
  assert_non_null(state);
  assert_true(input->view->object_count <= OBJECTS_MOST);
  record.updated++;
  record.object_count = input->view->object_count;
  memcpy(record.changes, input->changes, input->view->object_count);
  record.note_given = input->notes->words[0];
  record.rounded = input->view->rounded_vertices != NULL || input->view->object_boxes != NULL;
  return record.fails ? GRAZE_OUT_OF_MEMORY : GRAZE_OK;
}

/* It needs no boxes, and finds nothing. */
static graze_result find(const void *state, search *s) {
  assert_non_null(state);
  assert_null(s->view->boxes);
  s->notes.words[0] = ++record.found;
  return GRAZE_OK;
}

static void destroy(memory *heap, void *state) {
  record.destroyed++;
  memory_release(heap, state, 1, sizeof(uint64_t));
}

static const cpu_method recorder = {.create = create, .update = update, .find = find, .destroy = destroy};
static const method method_recorder = {
    .name = "recorder", .description = "writes down what it is told", .traits = METHOD_KEEPS_STATE, .cpu = &recorder};

/* ---------------------------------------------------------------------------------------------- a scene */

static const double square[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1}};
static const uint32_t triangles[2][3] = {{0, 1, 2}, {1, 2, 3}};

static graze_object add(graze_scene *scene) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){square, 4, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){triangles, 2, 0, GRAZE_FORMAT_UINT32_3};
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  return object;
}

static void choose(graze_scene *scene, const char *name) {
  graze_method_def def = graze_method_def_default();
  def.name = name;
  const bool recorded = strcmp(name, method_recorder.name) == 0;
  assert_ok(recorded ? scene_set_method_row(scene, &method_recorder, &def) : graze_scene_set_method(scene, &def));
}

static void assert_changes(graze_scene *scene, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t before = record.updated;
  assert_ok(graze_scene_update(scene));
  assert_int_equal(record.updated, before + 1);
  assert_int_equal(record.object_count, 3);
  assert_int_equal(record.changes[0], a);
  assert_int_equal(record.changes[1], b);
  assert_int_equal(record.changes[2], c);
}

static void find_nothing(graze_scene *scene) {
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  assert_int_equal(pairs.count, 0);
}

TEST(test_a_state_is_told_what_changed) {
  memset(&record, 0, sizeof record);
  graze_scene *scene = create_scene(NULL);
  choose(scene, "recorder");
  const graze_object a = add(scene), b = add(scene), c = add(scene);
  assert_changes(scene, CHANGED_ALL, CHANGED_ALL, CHANGED_ALL);
  assert_changes(scene, 0, 0, 0);
  const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, far[3] = {5, 0, 0};
  assert_ok(pose_object(scene, b, identity, far));
  assert_changes(scene, 0, CHANGED_POSE, 0);
  const graze_view moved = {square, 2, 0, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_object_set_positions(scene, a, 1, moved));
  assert_ok(graze_object_set_filter(scene, c, 1, 1, false));
  assert_changes(scene, CHANGED_POSITIONS, 0, CHANGED_FILTER);
  const uint32_t first = 0;
  assert_ok(graze_object_remove_primitives(scene, c, &first, 1));
  assert_ok(graze_object_append_positions(scene, a, moved, NULL));
  assert_ok(pose_object(scene, a, identity, far));
  assert_changes(scene, CHANGED_TOPOLOGY | CHANGED_POSE, 0, CHANGED_TOPOLOGY);
  const graze_view more = {triangles, 1, 0, GRAZE_FORMAT_UINT32_3};
  assert_ok(graze_object_append_primitives(scene, b, more, NULL));
  assert_changes(scene, 0, CHANGED_TOPOLOGY, 0);
  assert_ok(graze_scene_remove_object(scene, b));
  assert_changes(scene, 0, CHANGED_ALL, 0);
  assert_int_equal(add(scene).index, b.index);
  assert_changes(scene, 0, CHANGED_ALL, 0);
  assert_int_equal(record.created, 1);
  graze_scene_destroy(scene);
  assert_int_equal(record.destroyed, 1);
}

TEST(test_notes_come_back) {
  memset(&record, 0, sizeof record);
  OWNED_SCENE *scene = create_scene(NULL);
  choose(scene, "recorder");
  add(scene);
  assert_ok(graze_scene_update(scene));
  assert_int_equal(record.note_given, 0);
  find_nothing(scene);
  find_nothing(scene);
  assert_ok(graze_scene_update(scene));
  assert_int_equal(record.note_given, 2);
  assert_ok(graze_scene_update(scene));
  assert_int_equal(record.note_given, 0);
}

/* After another method, and after a failure, the first method starts again and receives all objects. */
TEST(test_states_are_closed_and_opened) {
  memset(&record, 0, sizeof record);
  graze_scene *scene = create_scene(NULL);
  choose(scene, "recorder");
  add(scene);
  assert_ok(graze_scene_update(scene));
  choose(scene, "grid");
  assert_int_equal(record.destroyed, 1);
  graze_pairs pairs = find_pairs(scene, NULL);
  choose(scene, "recorder");
  find_nothing(scene);
  assert_true(record.created == 2 && record.updated == 2 && record.changes[0] == CHANGED_ALL);
  record.fails = true;
  assert_int_equal(graze_scene_update(scene), GRAZE_OUT_OF_MEMORY);
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_NOT_UPDATED);
  record.fails = false;
  assert_ok(graze_scene_update(scene));
  assert_int_equal(record.changes[0], CHANGED_ALL);
  find_nothing(scene);
  graze_pairs_free(&pairs);
  graze_scene_destroy(scene);
  assert_int_equal(record.created, record.destroyed);
}

TEST(test_missing_implementations_are_refused) {
  memset(&record, 0, sizeof record);
  OWNED_SCENE *scene = create_scene(NULL);
  choose(scene, "recorder");
  const graze_method_def usual = graze_method_def_default();
  graze_backend_def cuda = graze_backend_def_default();
  cuda.name = "cuda";
  assert_int_equal(graze_scene_set_backend(scene, &cuda), GRAZE_UNSUPPORTED);
  assert_string_equal(graze_error_text(), "the method \"recorder\" does not run on the backend cuda; methods that do: "
                                          "auto, grid, tree, clusters, brute");
  static const method nowhere = {.name = "nowhere"};
  assert_int_equal(scene_set_method_row(scene, &nowhere, &usual), GRAZE_UNSUPPORTED);
  assert_string_equal(graze_error_text(), "the method \"nowhere\" does not run on the backend cpu; methods that do: "
                                          "auto, grid, tree, clusters, brute");
  add(scene);
  assert_ok(graze_scene_update(scene));
  find_nothing(scene); /* by the method that was set before */
  assert_int_equal(record.found, 1);
}

/* ---------------------------------------------------------------------------------------------- what is not needed */

enum { MANY_VERTICES = 40000 };

static double many_positions[MANY_VERTICES][3];

static void count_tasks(void *context, graze_task *task, void *task_context, uint32_t count) {
  *(size_t *)context += count;
  for (uint32_t i = 0; i < count; i++) task(task_context, i, 0);
}

static graze_object add_many(graze_scene *scene) {
  for (size_t i = 0; i < MANY_VERTICES; i++) memcpy(many_positions[i], square[i % 4], sizeof square[0]);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){many_positions, MANY_VERTICES, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){triangles, 2, 0, GRAZE_FORMAT_UINT32_3};
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  return object;
}

/* The tasks of an update after a pose, by the method of that name. */
static size_t tasks_of_a_pose(const char *name, size_t *bytes_out, size_t *pairs_out) {
  size_t tasks = 0;
  graze_task_system system = {.struct_bytes = sizeof system, .context = &tasks, .worker_count = 2, .run = count_tasks};
  graze_scene_def def = graze_scene_def_default();
  def.tasks = &system;
  OWNED_SCENE *scene = create_scene(&def);
  choose(scene, name);
  const graze_object a = add_many(scene);
  add(scene);
  assert_ok(graze_scene_update(scene));
  const double turned[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, near[3] = {0.5, 0.125, 0.25};
  assert_ok(pose_object(scene, a, turned, near));
  tasks = 0;
  assert_ok(graze_scene_update(scene));
  const size_t result = tasks;
  graze_counters counters = {0};
  assert_ok(graze_scene_get_counters(scene, &counters));
  *bytes_out = (size_t)counters.scene_bytes;
  choose(scene, "grid"); /* after the update: who needs rounded vertices gets them */
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  *pairs_out = pairs.count;
  return result;
}

TEST(test_vertices_are_rounded_for_who_needs_it) {
  memset(&record, 0, sizeof record);
  size_t bytes[2], pairs[2];
  record.rounded = true;
  assert_int_equal(tasks_of_a_pose("recorder", &bytes[0], &pairs[0]), 0);
  assert_false(record.rounded);
  assert_true(tasks_of_a_pose("grid", &bytes[1], &pairs[1]) >= 2 * MANY_VERTICES / 8192);
  assert_true(bytes[1] >= bytes[0] + MANY_VERTICES * sizeof(rounded_vertex));
  assert_int_equal(pairs[0], pairs[1]);
  assert_true(pairs[0] > 0);
}

/* A box whose corner overflows though no vertex does; then a vertex that does; then positions set anew. */
TEST(test_poses_are_finite_whoever_asks) {
  for (int rounds = 0; rounds < 2; rounds++) {
    memset(&record, 0, sizeof record);
    OWNED_SCENE *scene = create_scene(NULL);
    choose(scene, rounds != 0 ? "grid" : "recorder");
    const graze_object object = add(scene);
    const double half = 0.70710678118654752, turned[9] = {half, -half, 0, half, half, 0, 0, 0, 1}, still[3] = {0, 0, 0};
    const double wide[2][3] = {{1.5e308, 0, 0}, {0, -1.5e308, 0}};
    assert_ok(pose_object(scene, object, turned, still));
    assert_ok(graze_scene_update(scene));
    const graze_view view = {wide, 2, 0, GRAZE_FORMAT_DOUBLE3};
    assert_ok(graze_object_set_positions(scene, object, 1, view));
    assert_ok(graze_scene_update(scene));
    const double far[3] = {1e308, 0, 0};
    assert_ok(pose_object(scene, object, turned, far));
    assert_int_equal(graze_scene_update(scene), GRAZE_NOT_FINITE);
    assert_string_equal(graze_error_text(), "object 0: coordinate x of vertex 1 is inf after the pose");
    const graze_view back = {square, 2, 0, GRAZE_FORMAT_DOUBLE3};
    assert_ok(graze_object_set_positions(scene, object, 1, back));
    assert_ok(graze_scene_update(scene));
  }
}
