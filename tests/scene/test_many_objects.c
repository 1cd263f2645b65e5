/* Tests many objects: 10^5 slots assigned from the lowest, updates whose work does not grow with the number of objects,
 * posed coordinates bit by bit, and boxes of objects that end within tasks and span several. */
#include "graze/graze.h"
#include "method_names.h"
#include "posed_object.h"
#include "scene_calls.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const uint32_t cube_triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                               {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
static const uint32_t cube_tetrahedra[5][4] = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};

static uint32_t next_number(uint64_t *sequence, uint32_t below) {
  *sequence = *sequence * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((*sequence >> 33) % below);
}

static graze_object add(graze_scene *scene, const void *positions, size_t count, bool is_double, bool solid) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, count, 0, is_double ? GRAZE_FORMAT_DOUBLE3 : GRAZE_FORMAT_FLOAT3};
  if (count >= 8 && solid) def.tetrahedra = (graze_view){cube_tetrahedra, 5, 0, GRAZE_FORMAT_UINT32_4};
  if (count >= 8 && !solid) def.triangles = (graze_view){cube_triangles, 12, 0, GRAZE_FORMAT_UINT32_3};
  graze_object object;
  assert_ok(solid ? graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, &object)
                  : graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  return object;
}

/* ---------------------------------------------------------------------------------------------- rules */

/* Two crossing triangles among so many empty objects that the search does not preselect objects: there is no pair
 * within objects, and one between them. */
TEST(test_empty_objects_ask_for_nothing) {
  static const double upright[3][3] = {{0.2, 0.2, -1}, {0.3, 0.3, 1}, {0.2, 0.4, 1}};
  static const uint32_t corners[3] = {0, 1, 2};
  for (size_t i = 0; method_name_at(i) != NULL; i++) {
    OWNED_SCENE *scene = create_scene(NULL);
    for (int object = 0; object < 1102; object++) {
      graze_mesh_def def = graze_mesh_def_default();
      graze_object_def placed = graze_object_def_default();
      def.positions = (graze_view){object == 1 ? upright : cube, 3, 0, GRAZE_FORMAT_DOUBLE3};
      def.triangles = (graze_view){corners, object < 2 ? 1 : 0, 0, GRAZE_FORMAT_UINT32_3};
      placed.self = false;
      assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL));
    }
    graze_method_def method = graze_method_def_default();
    method.name = method_name_at(i);
    assert_ok(graze_scene_set_method(scene, &method));
    assert_ok(graze_scene_update(scene));
    graze_query query = graze_query_default();
    OWNED(graze_pairs) pairs = {0};
    for (int between = 0; between < 2; between++) {
      query.scope = between != 0 ? GRAZE_SCOPE_BETWEEN : GRAZE_SCOPE_WITHIN;
      assert_ok(graze_scene_find_pairs(scene, &query, &pairs));
      assert_int_equal(pairs.count, between);
    }
  }
}

/* ---------------------------------------------------------------------------------------------- slots */

static graze_object add_triangle(graze_scene *scene) {
  static const uint32_t corners[3] = {0, 1, 2};
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){cube, 3, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){corners, 1, 0, GRAZE_FORMAT_UINT32_3};
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  return object;
}

/* Removed in any order, some of them refilled between: the lowest free number is the next, always. The numbers that are
 * free are kept here as marks. */
TEST(test_numbers_are_given_out_lowest_first) {
  const uint32_t count = 100000;
  OWNED_SCENE *scene = create_scene(NULL);
  OWNED_MEMORY graze_object *objects = malloc(count * sizeof *objects);
  OWNED_MEMORY bool *is_free = calloc(count, sizeof *is_free);
  assert_true(objects != NULL && is_free != NULL);
  for (uint32_t i = 0; i < count; i++) {
    objects[i] = add_triangle(scene);
    assert_int_equal(objects[i].index, i);
  }
  uint64_t sequence = 7;
  for (int round = 0; round < 3; round++) {
    for (uint32_t i = 0; i < count / 2; i++) {
      const uint32_t number = next_number(&sequence, count);
      if (is_free[number]) continue;
      assert_ok(graze_scene_remove_object(scene, objects[number]));
      is_free[number] = true;
    }
    uint32_t lowest = 0;
    for (uint32_t i = 0; i < count / 3; i++) {
      while (lowest < count && !is_free[lowest]) lowest++;
      if (lowest == count) break;
      objects[lowest] = add_triangle(scene);
      assert_int_equal(objects[lowest].index, lowest);
      is_free[lowest] = false;
    }
    assert_ok(graze_scene_update(scene));
  }
  /* One that is refused takes no number. */
  const uint32_t wrong[3] = {0, 1, 9};
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){cube, 3, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){wrong, 1, 0, GRAZE_FORMAT_UINT32_3};
  for (uint32_t i = 0; i < count; i++)
    if (is_free[i]) {
      assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE);
      assert_int_equal(add_triangle(scene).index, i);
    }
  assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE);
  assert_int_equal(add_triangle(scene).index, count);
}

/* ---------------------------------------------------------------------------------------------- work counted */

typedef struct work_counts {
  size_t allocations, regions, tasks;
} work_counts;

static void *counting_allocate(void *context, size_t bytes, size_t alignment) {
  ((work_counts *)context)->allocations++;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void counting_release(void *context, void *block, size_t bytes) {
  (void)context;
  (void)bytes;
  free(block);
}

static void counting_run(void *context, graze_task *task, void *task_context, uint32_t count) {
  ((work_counts *)context)->regions++;
  ((work_counts *)context)->tasks += count;
  for (uint32_t i = 0; i < count; i++) task(task_context, i, 0);
}

typedef struct update_work {
  work_counts first, posed; /* the update that numbers, and one after all were posed */
} update_work;

/* So many cubes in a row that touch nobody, all of them posed. */
static update_work work_of(uint32_t object_count, bool solid) {
  work_counts counts = {0, 0, 0};
  const graze_allocator allocator = {sizeof allocator, &counts, counting_allocate, counting_release};
  graze_task_system tasks = graze_task_system_default();
  tasks.context = &counts;
  tasks.worker_count = 2;
  tasks.run = counting_run;
  graze_scene_def def = graze_scene_def_default();
  def.allocator = &allocator;
  def.tasks = &tasks;
  OWNED_SCENE *scene = create_scene(&def);
  for (uint32_t i = 0; i < object_count; i++) add(scene, cube, 8, true, solid);
  update_work work;
  for (int frame = 0; frame < 3; frame++) {
    const double c = cos(0.1 * frame), s = sin(0.1 * frame), rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
    for (uint32_t i = 0; i < object_count; i++) {
      const double translation[3] = {3.0 * i, 0, 0};
      assert_ok(pose_object(scene, (graze_object){i, 1}, rotation, translation));
    }
    counts = (work_counts){0, 0, 0};
    assert_ok(graze_scene_update(scene));
    *(frame == 0 ? &work.first : &work.posed) = counts;
  }
  return work;
}

/* Four times the objects: as many regions and allocations, and about four times the tasks, each of thousands of
 * vertices. */
TEST(test_work_does_not_grow_with_the_number_of_objects) {
  for (int solid = 0; solid < 2; solid++) {
    const update_work few = work_of(4000, solid != 0), many = work_of(16000, solid != 0);
    assert_true(few.first.regions > 2 && few.posed.regions > 2);
    assert_int_equal(few.first.regions, many.first.regions);
    assert_int_equal(few.posed.regions, many.posed.regions);
    assert_int_equal(few.first.allocations, many.first.allocations);
    assert_int_equal(few.posed.allocations, many.posed.allocations);
    assert_int_equal(many.posed.allocations, 0);
    assert_true(many.posed.tasks < 16000 / 8);
  }
}

/* ---------------------------------------------------------------------------------------------- posed to the bit */

typedef struct placed_object {
  size_t vertex_count; /* 8, with a cube's primitives; 0: empty; else more, and only the first are used */
  bool is_double, solid, posed;
  double rotation[9], translation[3];
} placed_object;

enum { PLACED = 700, LONG_OBJECT = 20000 };

/* Cubes in a box that is small enough for many of them to meet. One object is longer than two tasks, some are empty. */
static placed_object place(uint32_t number, uint64_t *sequence) {
  placed_object made = {
      .vertex_count = 8, .is_double = number % 3 != 0, .solid = number % 5 == 0, .posed = number % 41 != 0};
  if (number % 11 == 3) made.vertex_count = 0;
  if (number == 100 || number == PLACED - 1) made.vertex_count = LONG_OBJECT;
  const double angle = 0.001 * next_number(sequence, 6283), c = cos(angle), s = sin(angle);
  const double rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  memcpy(made.rotation, rotation, sizeof rotation);
  for (int axis = 0; axis < 3; axis++) made.translation[axis] = 0.001 * next_number(sequence, 9000);
  return made;
}

/* Vertices of a long object beyond the cube's lie in its middle, but one, near its end, which makes its box larger. */
static void position_of(const placed_object *object, size_t vertex, double position_out[3]) {
  static const double middle[3] = {0.5, 0.5, 0.5}, far[3] = {4, 0.25, 2.75};
  const double *from = vertex < 8 ? cube[vertex] : vertex + 5 == object->vertex_count ? far : middle;
  for (int axis = 0; axis < 3; axis++) position_out[axis] = 0.875 * from[axis]; /* a float too */
}

/* Computed explicitly, in the order of operations that graze.h guarantees. */
static void bake(const placed_object *object, double position[3]) {
  const double *r = object->rotation, from[3] = {position[0], position[1], position[2]};
  for (int row = 0; row < 3 && object->posed; row++)
    position[row] =
        ((r[3 * row] * from[0] + r[3 * row + 1] * from[1]) + r[3 * row + 2] * from[2]) + object->translation[row];
}

static void add_placed(graze_scene *scene, const placed_object *object, bool baked) {
  OWNED_MEMORY double *wide = malloc((3 * object->vertex_count + 1) * sizeof *wide);
  OWNED_MEMORY float *narrow = malloc((3 * object->vertex_count + 1) * sizeof *narrow);
  assert_true(wide != NULL && narrow != NULL);
  for (size_t i = 0; i < object->vertex_count; i++) {
    position_of(object, i, wide + 3 * i);
    for (int axis = 0; axis < 3; axis++) narrow[3 * i + axis] = (float)wide[3 * i + axis];
    if (baked) bake(object, wide + 3 * i);
  }
  const bool is_double = baked || object->is_double;
  const graze_object id =
      add(scene, is_double ? (const void *)wide : narrow, object->vertex_count, is_double, object->solid);
  if (object->posed && !baked) assert_ok(pose_object(scene, id, object->rotation, object->translation));
}

TEST(test_posed_is_baked_to_the_bit) {
  graze_scene *scenes[2];
  graze_pairs pairs[2] = {{0}, {0}};
  graze_contacts contacts[2] = {{0}, {0}};
  for (int baked = 0; baked < 2; baked++) {
    uint64_t sequence = 12;
    assert_ok(graze_scene_create(NULL, &scenes[baked]));
    for (uint32_t i = 0; i < PLACED; i++) {
      const placed_object object = place(i, &sequence);
      add_placed(scenes[baked], &object, baked != 0);
    }
    assert_ok(graze_scene_update(scenes[baked]));
    assert_ok(graze_scene_find_pairs(scenes[baked], NULL, &pairs[baked]));
    assert_ok(graze_scene_make_contacts(scenes[baked], pairs[baked].pairs, pairs[baked].count, NULL, &contacts[baked]));
  }
  assert_true(pairs[0].count > 1000);
  assert_int_equal(pairs[0].count, pairs[1].count);
  assert_true(pairs[0].hash == pairs[1].hash);
  const graze_counters *first = pairs[0].counters, *second = pairs[1].counters;
  assert_true(first->candidates == second->candidates && first->inverted == second->inverted);
  assert_int_equal(contacts[0].point_count, contacts[1].point_count);
  assert_memory_equal(contacts[0].points, contacts[1].points, contacts[0].point_count * sizeof *contacts[0].points);
  for (int baked = 0; baked < 2; baked++) {
    graze_pairs_free(&pairs[baked]);
    graze_contacts_free(&contacts[baked]);
    graze_scene_destroy(scenes[baked]);
  }
}

/* A query between objects leaves out what no other object's box comes near; one for all pairs does not look. */
TEST(test_boxes_of_objects_hold_all_their_vertices) {
  uint64_t sequence = 5;
  OWNED(graze_pairs) pairs = {0};
  OWNED_SCENE *scene = create_scene(NULL);
  for (uint32_t i = 0; i < PLACED; i++) {
    const placed_object object = place(i, &sequence);
    add_placed(scene, &object, false);
  }
  assert_ok(graze_scene_update(scene));
  assert_ok(graze_scene_find_pairs(scene, NULL, &pairs));
  size_t between = 0;
  for (size_t i = 0; i < pairs.count; i++) between += pairs.pairs[i].object_a != pairs.pairs[i].object_b;
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  assert_ok(graze_scene_find_pairs(scene, &query, &pairs));
  assert_true(between > 1000);
  assert_int_equal(pairs.count, between);
}

/* Two long triangles, each in an object whose last vertices alone reach the other: the boxes of parts are joined. */
TEST(test_boxes_are_joined_over_tasks) {
  static double positions[2][LONG_OBJECT][3];
  OWNED(graze_pairs) pairs = {0};
  OWNED_SCENE *scene = create_scene(NULL);
  for (uint32_t i = 0; i < 2; i++) {
    for (size_t k = 0; k < LONG_OBJECT; k++) positions[i][k][0] = i == 0 ? -5 : 5;
    positions[i][LONG_OBJECT - 1][0] = i == 0 ? 1 : -1;
    positions[i][LONG_OBJECT - 1][1] = positions[i][1][2] = 1;
    const uint32_t corners[3] = {0, 1, LONG_OBJECT - 1};
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = (graze_view){positions[i], LONG_OBJECT, 0, GRAZE_FORMAT_DOUBLE3};
    def.triangles = (graze_view){corners, 1, 0, GRAZE_FORMAT_UINT32_3};
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
  }
  assert_ok(graze_scene_update(scene));
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  assert_ok(graze_scene_find_pairs(scene, &query, &pairs));
  assert_int_equal(pairs.count, 1);
}

/* The first vertex of the first object that is not finite is named, wherever a task found it. */
TEST(test_the_first_coordinate_that_overflows_is_named) {
  static double positions[LONG_OBJECT][3];
  const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, away[3] = {0, 1.7e308, 0};
  OWNED_SCENE *scene = create_scene(NULL);
  for (uint32_t i = 0; i < 5; i++) add(scene, cube, 8, true, false);
  positions[17000][1] = positions[18000][1] = 1e308;
  for (int i = 0; i < 2; i++) {
    const graze_object object = add(scene, positions, LONG_OBJECT, true, false);
    assert_ok(pose_object(scene, object, identity, away));
  }
  assert_int_equal(graze_scene_update(scene), GRAZE_NOT_FINITE);
  assert_string_equal(graze_error_text(), "object 5: coordinate y of vertex 17000 is inf after the pose");
  const double back[3] = {0, 0, 0};
  for (uint32_t i = 5; i < 7; i++) assert_ok(pose_object(scene, (graze_object){i, 1}, identity, back));
  assert_ok(graze_scene_update(scene));
}
