/* What a method with a state is told: the library is linked here with a method that writes it down. It is opened once,
 * told of each update which objects changed and how, given the notes of the last search, and closed. */
#include "broad/method_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { OBJECTS_MOST = 8 };

/* What has been called, in all. */
static struct {
  uint32_t created, updated, found, destroyed;
  size_t object_count;
  object_change changes[OBJECTS_MOST];
  uint64_t note_given; /* the first word of the notes of the last update */
  bool fails;
} record;

static graze_result create(memory *heap, const method_options *options, void **state_out) {
  (void)options;
  record.created++;
  *state_out = memory_allocate(heap, 1, sizeof(uint64_t));
  return *state_out != NULL ? GRAZE_OK : GRAZE_OUT_OF_MEMORY;
}

static graze_result update(void *state, const method_news *news) {
  assert_non_null(state);
  assert_true(news->view->object_count <= OBJECTS_MOST);
  record.updated++;
  record.object_count = news->view->object_count;
  memcpy(record.changes, news->changes, news->view->object_count);
  record.note_given = news->notes->words[0];
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

static const cpu_method recorder = {create, update, find, destroy};
static const method method_recorder = {
    .name = "recorder", .description = "writes down what it is told", .traits = METHOD_KEEPS_STATE, .cpu = &recorder};

const method *method_at(size_t index) {
  static const method *const table[] = {&method_recorder, &method_grid, &method_brute};
  return index < 3 ? table[index] : NULL;
}

const method *method_named(const char *name) {
  for (size_t i = 0; method_at(i) != NULL; i++)
    if (strcmp(method_at(i)->name, name) == 0) return method_at(i);
  return NULL;
}

/* ---------------------------------------------------------------------------------------------- a scene */

static const double square[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1}};
static const uint32_t triangles[2][3] = {{0, 1, 2}, {1, 2, 3}};

static graze_object add(graze_scene *scene) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){square, 4, 0, GRAZE_DOUBLE3};
  def.triangles = (graze_view){triangles, 2, 0, GRAZE_UINT32_3};
  graze_object object;
  assert_int_equal(graze_scene_add_triangles(scene, &def, &object), GRAZE_OK);
  return object;
}

static void choose(graze_scene *scene, const char *name) {
  graze_method_def def = graze_method_def_default();
  def.name = name;
  assert_int_equal(graze_scene_set_method(scene, &def), GRAZE_OK);
}

static void assert_changes(graze_scene *scene, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t before = record.updated;
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  assert_int_equal(record.updated, before + 1);
  assert_int_equal(record.object_count, 3);
  assert_int_equal(record.changes[0], a);
  assert_int_equal(record.changes[1], b);
  assert_int_equal(record.changes[2], c);
}

static void find_nothing(graze_scene *scene) {
  graze_pairs pairs;
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_OK);
  assert_int_equal(pairs.count, 0);
}

static void test_a_state_is_told_what_changed(void **state) {
  (void)state;
  memset(&record, 0, sizeof record);
  graze_scene *scene;
  assert_int_equal(graze_scene_create(NULL, &scene), GRAZE_OK);
  choose(scene, "recorder");
  const graze_object a = add(scene), b = add(scene), c = add(scene);
  assert_changes(scene, CHANGED_ALL, CHANGED_ALL, CHANGED_ALL);
  assert_changes(scene, 0, 0, 0);
  const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, far[3] = {5, 0, 0};
  assert_int_equal(graze_object_set_pose(scene, b, identity, far), GRAZE_OK);
  assert_changes(scene, 0, CHANGED_POSE, 0);
  const graze_view moved = {square, 2, 0, GRAZE_DOUBLE3};
  assert_int_equal(graze_object_set_positions(scene, a, 1, moved), GRAZE_OK);
  assert_int_equal(graze_object_set_filter(scene, c, 1, 1, false), GRAZE_OK);
  assert_changes(scene, CHANGED_POSITIONS, 0, CHANGED_FILTER);
  const uint32_t first = 0;
  assert_int_equal(graze_object_erase(scene, c, &first, 1), GRAZE_OK);
  assert_int_equal(graze_object_append_positions(scene, a, moved, NULL), GRAZE_OK);
  assert_int_equal(graze_object_set_pose(scene, a, identity, far), GRAZE_OK);
  assert_changes(scene, CHANGED_TOPOLOGY | CHANGED_POSE, 0, CHANGED_TOPOLOGY);
  const graze_view more = {triangles, 1, 0, GRAZE_UINT32_3};
  assert_int_equal(graze_object_insert(scene, b, more, NULL), GRAZE_OK);
  assert_changes(scene, 0, CHANGED_TOPOLOGY, 0);
  assert_int_equal(graze_scene_remove_object(scene, b), GRAZE_OK);
  assert_changes(scene, 0, CHANGED_ALL, 0);
  assert_int_equal(add(scene).index, b.index);
  assert_changes(scene, 0, CHANGED_ALL, 0);
  assert_int_equal(record.created, 1);
  graze_scene_destroy(scene);
  assert_int_equal(record.destroyed, 1);
}

static void test_notes_come_back(void **state) {
  (void)state;
  memset(&record, 0, sizeof record);
  graze_scene *scene;
  assert_int_equal(graze_scene_create(NULL, &scene), GRAZE_OK);
  choose(scene, "recorder");
  add(scene);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  assert_int_equal(record.note_given, 0);
  find_nothing(scene);
  find_nothing(scene);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  assert_int_equal(record.note_given, 2);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  assert_int_equal(record.note_given, 0);
  graze_scene_destroy(scene);
}

/* Another method, and the first one again: it starts afresh and is told everything; so it does after a failure. */
static void test_states_are_closed_and_opened(void **state) {
  (void)state;
  memset(&record, 0, sizeof record);
  graze_scene *scene;
  graze_pairs pairs;
  assert_int_equal(graze_scene_create(NULL, &scene), GRAZE_OK);
  choose(scene, "recorder");
  add(scene);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  choose(scene, "grid");
  assert_int_equal(record.destroyed, 1);
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_OK);
  choose(scene, "recorder");
  find_nothing(scene);
  assert_true(record.created == 2 && record.updated == 2 && record.changes[0] == CHANGED_ALL);
  record.fails = true;
  assert_int_equal(graze_scene_update(scene), GRAZE_OUT_OF_MEMORY);
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_NOT_UPDATED);
  record.fails = false;
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  assert_int_equal(record.changes[0], CHANGED_ALL);
  find_nothing(scene);
  graze_scene_destroy(scene);
  assert_int_equal(record.created, record.destroyed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_state_is_told_what_changed),
      cmocka_unit_test(test_notes_come_back),
      cmocka_unit_test(test_states_are_closed_and_opened),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
