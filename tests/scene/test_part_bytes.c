/* Tests parts of objects as bytes: all primitives of an object, in any order, equal the object in another scene, for
 * all kinds and after deformation; boxes are those of the object; and errors. */
#include "scene/part_bytes.h" /* before the macro fail of cmocka */

#include "base/number_sequence.h"
#include "graze/inside/parts.h"
#include "model_set.h"
#include "models/mesh_object.h"
#include "models/model.h"
#include "scene_calls.h"
#include "test_scale.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static graze_scene *empty_scene(void) {
  graze_scene *scene = create_scene(NULL);
  return scene;
}

static graze_scene *model_scene(const model *chosen, mesh_precision precision) {
  const model_parameters parameters = {.primitives = test_sanitized(150, 800), .seed = 1};
  OWNED(mesh_set) made = model_set(chosen, &parameters);
  graze_scene *scene = empty_scene();
  graze_object_def def = graze_object_def_default();
  for (size_t i = 0; i < made.count; i++) assert_ok(mesh_object_add_as(scene, &made.meshes[i], &def, precision, NULL));
  return scene;
}

/* Polygons that are bent after they were cut, and cells that are not convex any more. */
static void deform(graze_scene *scene, graze_object object, size_t vertex_count, uint64_t *seed) {
  double *positions = malloc(3 * vertex_count * sizeof *positions);
  const graze_output_view to = {positions, vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_object_get_positions(scene, object, 0, to));
  for (size_t i = 0; i < 3 * vertex_count; i++) positions[i] += 0.03 * (double)sequence_below(seed, 1000) / 1000;
  const graze_view from = {positions, vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_object_set_positions(scene, object, 0, from));
  const double quaternion[4] = {1, 0.2, 0.3, 0.1}, move[3] = {0.1, 0, 0};
  const graze_pose pose = graze_pose_from_quaternion(quaternion, move);
  assert_ok(graze_object_set_pose(scene, object, &pose));
}

/* The bytes of one part; the caller frees them. */
static void *part_of(const graze_scene *scene, graze_object object, const uint32_t *primitives, size_t count,
                     size_t *size_out) {
  const size_t starts[2] = {0, count};
  assert_ok(graze_object_measure_parts(scene, object, primitives, starts, 1, size_out));
  void *bytes = malloc(*size_out);
  assert_ok(graze_object_write_parts(scene, object, primitives, starts, 1, &bytes));
  return bytes;
}

/* The scene once more, by a part of each object that has all of it in an order by chance, at an address that is odd. */
static graze_scene *copy_by_parts(const graze_scene *scene, uint64_t *seed) {
  graze_scene *copy = empty_scene();
  for (graze_object o = {0}; (o = graze_scene_next_object(scene, o)).generation != 0;) {
    graze_object_info info = {0};
    assert_ok(graze_object_get_info(scene, o, &info));
    OWNED_MEMORY uint32_t *order = malloc(info.primitive_count * sizeof *order + 1);
    double(*boxes)[6] = malloc(info.primitive_count * sizeof *boxes + sizeof *boxes);
    assert_ok(graze_object_get_boxes(scene, o, 0, info.primitive_count, boxes[0]));
    size_t count = 0, size;
    for (uint32_t i = 0; i < info.primitive_count; i++) {
      if (!(boxes[i][0] <= boxes[i][3])) continue; /* erased */
      const size_t place = sequence_below(seed, count + 1);
      order[count++] = order[place];
      order[place] = i;
    }
    OWNED_MEMORY unsigned char *bytes = part_of(scene, o, order, count, &size), *odd = malloc(size + 1);
    memcpy(odd + 1, bytes, size);
    assert_ok(graze_scene_add_part(copy, odd + 1, size, NULL));
    free(boxes);
  }
  return copy;
}

static void compare_scenes(graze_scene *scene, graze_scene *copy, const char *words) {
  const graze_query both[2] = {graze_query_default(), graze_query_default()};
  for (int i = 0; i < 2; i++) {
    graze_query query = both[i];
    query.candidates_only = i == 1;
    OWNED(graze_pairs) wanted = {0}, found = {0};
    assert_ok(graze_scene_find_pairs(scene, &query, &wanted));
    if (graze_scene_find_pairs(copy, &query, &found) != GRAZE_OK) fail_msg("%s: %s", words, graze_error_text());
    if (found.count != wanted.count || found.hash != wanted.hash)
      fail_msg("%s: %zu pairs instead of %zu", words, found.count, wanted.count);
    if (wanted.count > 0) assert_memory_equal(found.pairs, wanted.pairs, wanted.count * sizeof *wanted.pairs);
    graze_contacts contacts[2] = {{0}, {0}};
    const size_t measured = i == 0 && wanted.count < 2000 ? wanted.count : 0;
    assert_ok(graze_scene_make_contacts(scene, wanted.pairs, measured, NULL, &contacts[0]));
    assert_ok(graze_scene_make_contacts(copy, wanted.pairs, measured, NULL, &contacts[1]));
    for (size_t k = 0; k < measured; k++) {
      assert_true(contacts[0].contacts[k].depth == contacts[1].contacts[k].depth);
      assert_memory_equal(contacts[0].contacts[k].normal, contacts[1].contacts[k].normal, 3 * sizeof(double));
    }
    graze_contacts_free(&contacts[0]);
    graze_contacts_free(&contacts[1]);
  }
}

TEST(test_parts_are_as_the_object) {
  uint64_t seed = 5;
  for (size_t m = 0; m < model_count(); m++) {
    graze_scene *scene = model_scene(model_at(m), m % 2 == 0 ? MESH_AS_DOUBLE : MESH_AS_FLOAT);
    for (int deformed = 0; deformed < 2; deformed++) {
      for (graze_object o = {0}; deformed && (o = graze_scene_next_object(scene, o)).generation != 0;) {
        graze_object_info info = {0};
        assert_ok(graze_object_get_info(scene, o, &info));
        const uint32_t gone[2] = {0, (uint32_t)info.primitive_count - 1};
        assert_ok(graze_object_remove_primitives(scene, o, gone, info.primitive_count > 1 ? 2 : 1));
        deform(scene, o, info.vertex_count, &seed);
      }
      OWNED_SCENE *copy = copy_by_parts(scene, &seed);
      if (graze_scene_update(scene) != GRAZE_OK || graze_scene_update(copy) != GRAZE_OK)
        fail_msg("%s: %s", model_at(m)->name, graze_error_text());
      compare_scenes(scene, copy, model_at(m)->name);
    }
    graze_scene_destroy(scene);
  }
}

/* Corners of large polygons are kept in ascending order: two that share a vertex in the middle of both are neighbors in
 * the part too, wherever their vertices come to lie. */
TEST(test_large_polygons_stay_neighbors) {
  enum { CORNERS = 1200 };
  static double positions[2 * CORNERS][3];
  uint32_t corners[2 * CORNERS], sizes[2] = {CORNERS, CORNERS};
  for (uint32_t i = 0; i < 2 * CORNERS; i++) {
    const double x = (double)(i % CORNERS) - CORNERS / 2;
    positions[i][0] = x;
    positions[i][i < CORNERS ? 1 : 2] = x * x / CORNERS;
    corners[i] = i;
  }
  corners[CORNERS + CORNERS / 2] = CORNERS / 2; /* both have the origin */
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, 2 * CORNERS, 0, GRAZE_FORMAT_DOUBLE3};
  def.corners = (graze_view){corners, 2 * CORNERS, 0, GRAZE_FORMAT_UINT32};
  def.face_sizes = (graze_view){sizes, 2, 0, GRAZE_FORMAT_UINT32};
  OWNED_SCENE *scene = empty_scene();
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, &object));
  const uint32_t reversed[2] = {1, 0};
  size_t size;
  void *bytes = part_of(scene, object, reversed, 2, &size);
  OWNED_SCENE *copy = empty_scene();
  assert_ok(graze_scene_add_part(copy, bytes, size, NULL));
  free(bytes);
  assert_ok(graze_scene_update(scene));
  assert_ok(graze_scene_update(copy));
  graze_pairs pairs = find_pairs(scene, NULL);
  assert_int_equal(pairs.count, 0);
  assert_ok(graze_scene_find_pairs(copy, NULL, &pairs));
  assert_int_equal(pairs.count, 0);
  graze_pairs_free(&pairs);
}

/* The greatest block that was allocated. */
static void *allocate_noting(void *context, size_t bytes, size_t alignment) {
  size_t *greatest = context;
  if (bytes > *greatest) *greatest = bytes;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void release_noting(void *context, void *block, size_t bytes) {
  (void)context;
  (void)bytes;
  free(block);
}

/* A part of a large object takes memory, and so time, for its own vertices only. */
TEST(test_small_parts_of_large_objects) {
  enum { SIDE = 300, FIRST = 60 * SIDE, COUNT = 500 };
  size_t greatest = 0, size;
  graze_allocator allocator = graze_allocator_default();
  allocator.context = &greatest;
  allocator.allocate = allocate_noting;
  allocator.release = release_noting;
  graze_scene_def scene_def = graze_scene_def_default();
  scene_def.threading = GRAZE_THREADING_SERIAL;
  scene_def.allocator = &allocator;
  OWNED_SCENE *scene, *copy = empty_scene();
  assert_ok(graze_scene_create(&scene_def, &scene));
  float(*positions)[3] = malloc(SIDE * SIDE * sizeof *positions);
  uint32_t(*corners)[3] = malloc(SIDE * SIDE * sizeof *corners), own[COUNT];
  for (uint32_t i = 0; i < SIDE * SIDE; i++) {
    positions[i][0] = (float)(i % SIDE);
    positions[i][1] = (float)(i / SIDE);
    positions[i][2] = 0;
  }
  for (uint32_t i = 0; i < (SIDE - 1) * SIDE - 1; i++)
    for (uint32_t k = 0; k < 3; k++) corners[i][k] = i + (k == 1 ? 1 : k == 2 ? SIDE : 0);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, SIDE * SIDE, 0, GRAZE_FORMAT_FLOAT3};
  def.triangles = (graze_view){corners, (SIDE - 1) * SIDE - 1, 0, GRAZE_FORMAT_UINT32_3};
  graze_object object, part;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  for (uint32_t i = 0; i < COUNT; i++) own[i] = FIRST + i;
  greatest = 0;
  OWNED_MEMORY void *bytes = part_of(scene, object, own, COUNT, &size);
  assert_in_range(greatest, 1, SIDE * SIDE / 4); /* a number for each vertex takes 16 times as much */
  assert_ok(graze_scene_add_part(copy, bytes, size, &part));
  double boxes[COUNT][6], wanted[COUNT][6];
  assert_ok(graze_object_get_boxes(scene, object, FIRST, COUNT, wanted[0]));
  assert_ok(graze_object_get_boxes(copy, part, 0, COUNT, boxes[0]));
  assert_memory_equal(boxes, wanted, sizeof boxes);
  free(positions);
  free(corners);
}

/* The box of a primitive is that of its corners. */
static void compare_corners(const graze_scene *scene, graze_object object, size_t primitive_count) {
  double corners[3 * 64], box[6];
  size_t count, few;
  for (uint32_t i = 0; i < primitive_count; i++) {
    assert_ok(graze_object_get_corners(scene, object, i, 64, corners, &count));
    assert_in_range(count, 4, 64);
    assert_ok(graze_object_get_corners(scene, object, i, 0, NULL, &few));
    assert_int_equal(few, count);
    assert_ok(graze_object_get_boxes(scene, object, i, 1, box));
    for (size_t axis = 0; axis < 3; axis++) {
      double least = corners[axis], greatest = corners[axis];
      for (size_t k = 1; k < count; k++) {
        least = corners[3 * k + axis] < least ? corners[3 * k + axis] : least;
        greatest = corners[3 * k + axis] > greatest ? corners[3 * k + axis] : greatest;
      }
      assert_true(least == box[axis] && greatest == box[axis + 3]);
    }
  }
}

TEST(test_boxes_are_those_of_the_object) {
  uint64_t seed = 9;
  OWNED_SCENE *scene = model_scene(model_find("cells"), MESH_AS_DOUBLE);
  const graze_object o = graze_scene_next_object(scene, (graze_object){0});
  graze_object_info info = {0};
  assert_ok(graze_object_get_info(scene, o, &info));
  deform(scene, o, info.vertex_count, &seed);
  double least[3], greatest[3], box[1][6], all[6] = {1e9, 1e9, 1e9, -1e9, -1e9, -1e9};
  assert_ok(graze_object_get_box(scene, o, least, greatest));
  for (size_t i = 0; i < info.primitive_count; i++) {
    assert_ok(graze_object_get_boxes(scene, o, i, 1, box[0]));
    for (int axis = 0; axis < 3; axis++) {
      all[axis] = box[0][axis] < all[axis] ? box[0][axis] : all[axis];
      all[axis + 3] = box[0][axis + 3] > all[axis + 3] ? box[0][axis + 3] : all[axis + 3];
    }
  }
  assert_memory_equal(all, least, sizeof least);
  assert_memory_equal(all + 3, greatest, sizeof greatest);
  assert_int_equal(graze_object_get_boxes(scene, o, info.primitive_count, 1, box[0]), GRAZE_INDEX_OUT_OF_RANGE);
  compare_corners(scene, o, info.primitive_count);
  const uint32_t gone = 2;
  assert_ok(graze_object_remove_primitives(scene, o, &gone, 1));
  assert_ok(graze_object_get_boxes(scene, o, 2, 1, box[0]));
  assert_true(box[0][0] > box[0][3]);
  double corner[3];
  size_t count;
  assert_int_equal(graze_object_get_corners(scene, o, 2, 1, corner, &count), GRAZE_INDEX_OUT_OF_RANGE);
  assert_int_equal(graze_object_get_corners(scene, o, 0, 1, NULL, &count), GRAZE_INVALID_ARGUMENT);
}

/* A scene with the part, as another object. */
static graze_scene *scene_of_part(const unsigned char *bytes, size_t size) {
  OWNED_MEMORY unsigned char *copy = malloc(size);
  part_header part;
  memcpy(copy, bytes, size);
  memcpy(&part, copy, sizeof part);
  part.object += 1000;
  memcpy(copy, &part, sizeof part);
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1; /* it is small, and queried often */
  graze_scene *scene = create_scene(&def);
  assert_ok(graze_scene_add_part(scene, copy, size, NULL));
  return scene;
}

/* An update or a query of changed bytes may fail, but does not crash. */
static void query_with_part(graze_scene *scene, const unsigned char *bytes, size_t size) {
  graze_pairs pairs = {0};
  graze_contacts contacts = {0};
  graze_object added;
  assert_ok(graze_scene_add_part(scene, bytes, size, &added));
  if (graze_scene_update(scene) == GRAZE_OK && graze_scene_find_pairs(scene, NULL, &pairs) == GRAZE_OK)
    (void)graze_scene_make_contacts(scene, pairs.pairs, pairs.count, NULL, &contacts);
  graze_contacts_free(&contacts);
  graze_pairs_free(&pairs);
  assert_ok(graze_scene_remove_object(scene, added));
}

/* The part of a polyhedron that claims this number of corners. */
static void *cell_of(uint32_t corner_count, size_t *size_out) {
  part_header part = {.mark = PART_MARK,
                      .category = 1,
                      .mask = UINT64_MAX,
                      .pose = graze_pose_identity(),
                      .kind = GRAZE_KIND_POLYHEDRON,
                      .vertex_count = corner_count,
                      .primitive_count = 1,
                      .corner_count = corner_count,
                      .triangle_count = 1,
                      .self = true,
                      .vertices_follow = true,
                      .primitives_follow = true};
  const part_layout layout = part_layout_of(&part, 0);
  unsigned char *bytes = calloc(1, layout.end);
  part.bytes = layout.end;
  memcpy(bytes, &part, sizeof part);
  for (uint32_t i = 0; i < corner_count; i++) {
    const float position[3] = {(float)(i % 5), (float)(i % 7), (float)(i % 11)};
    memcpy(bytes + layout.positions + sizeof position * i, position, sizeof position);
    memcpy(bytes + layout.corners + sizeof i * i, &i, sizeof i);
  }
  const uint32_t triangle[3] = {0, 1, 2}, corner_first[2] = {0, corner_count}, triangle_first[2] = {0, 1};
  memcpy(bytes + layout.triangulation, triangle, sizeof triangle);
  memcpy(bytes + layout.corner_first, corner_first, sizeof corner_first);
  memcpy(bytes + layout.triangulation_first, triangle_first, sizeof triangle_first);
  *size_out = layout.end;
  return bytes;
}

/* The exact test has room for GRAZE_POLYHEDRON_CORNERS corners of a cell. */
TEST(test_cells_with_too_many_corners) {
  OWNED_SCENE *scene = empty_scene();
  for (int more = 0; more < 2; more++) {
    size_t size;
    OWNED_MEMORY void *bytes = cell_of(GRAZE_POLYHEDRON_CORNERS + (uint32_t)more, &size);
    assert_int_equal(graze_scene_add_part(scene, bytes, size, NULL), more ? GRAZE_INVALID_ARGUMENT : GRAZE_OK);
  }
  assert_string_equal(graze_error_text(), "object 1: the elements of the part are invalid");
}

/* Bytes that are no part are refused, or make an object that is sound: no crash, whatever they are. */
TEST(test_bytes_that_are_no_part) {
  uint64_t seed = 21;
  static const char *const names[] = {"cells", "mix", "panels", "tet-soup", "spheres"};
  size_t refused = 0, tried = 0;
  for (size_t m = 0; m < sizeof names / sizeof *names; m++) {
    if (model_find(names[m]) == NULL) continue;
    OWNED_SCENE *scene = model_scene(model_find(names[m]), MESH_AS_DOUBLE);
    const graze_object object = graze_scene_next_object(scene, (graze_object){0});
    graze_object_info info = {0};
    assert_ok(graze_object_get_info(scene, object, &info));
    const uint32_t some[4] = {0, 2, 1, 9};
    size_t size;
    OWNED_MEMORY unsigned char *bytes = part_of(scene, object, some, info.primitive_count > 9 ? 4 : 1, &size);
    OWNED_SCENE *queried = scene_of_part(bytes, size);
    for (size_t round = 0; round < test_sanitized(100, 1000); round++) {
      unsigned char *copy = malloc(size);
      memcpy(copy, bytes, size);
      const size_t least = round % 2 == 0 ? 0 : 152, place = least + sequence_below(&seed, size - least);
      copy[place] = (unsigned char)(copy[place] ^ (1u << sequence_below(&seed, 8)));
      const size_t given = round % 10 == 0 ? sequence_below(&seed, size) : size;
      const size_t objects = graze_scene_object_count(scene);
      graze_object added;
      const graze_result result = graze_scene_add_part(scene, copy, given, &added);
      if (result == GRAZE_OK) query_with_part(queried, copy, given);
      free(copy);
      tried++;
      refused += result != GRAZE_OK;
      if (given < size) assert_int_equal(result, GRAZE_INVALID_ARGUMENT);
      if (result == GRAZE_OK) assert_ok(graze_scene_remove_object(scene, added));
      assert_int_equal(graze_scene_object_count(scene), objects);
    }
    assert_ok(graze_scene_add_part(scene, bytes, size, NULL));
  }
  assert_true(tried > 100 && refused > tried / 10);
}

TEST(test_refusals) {
  OWNED_SCENE *scene = model_scene(model_find("soup"), MESH_AS_FLOAT);
  const graze_object o = graze_scene_next_object(scene, (graze_object){0});
  const uint32_t gone = 1, there = 0, none = 1000000;
  size_t size, starts[2] = {0, 1};
  assert_ok(graze_object_remove_primitives(scene, o, &gone, 1));
  assert_int_equal(graze_object_measure_parts(scene, o, &gone, starts, 1, &size), GRAZE_INDEX_OUT_OF_RANGE);
  assert_string_equal(graze_error_text(), "object 0: part 0 has triangle 1, which does not exist");
  assert_int_equal(graze_object_measure_parts(scene, o, &none, starts, 1, &size), GRAZE_INDEX_OUT_OF_RANGE);
  assert_int_equal(graze_object_measure_parts(scene, o, &there, starts, 1, NULL), GRAZE_INVALID_ARGUMENT);
  assert_ok(graze_object_measure_parts(scene, o, &there, starts, 1, &size));
  assert_int_equal(graze_object_measure_parts(scene, (graze_object){0}, &there, starts, 1, &size),
                   GRAZE_NO_SUCH_OBJECT);
  assert_int_equal(graze_scene_add_part(scene, NULL, 8, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_add_part(NULL, "12345678", 8, NULL), GRAZE_INVALID_ARGUMENT);
}

static uint64_t stamp_of(const graze_scene *scene, graze_object object) {
  uint64_t stamp;
  assert_ok(graze_object_get_stamp(scene, object, &stamp));
  return stamp;
}

static bool move(graze_scene *copy, graze_object to, const graze_scene *scene, graze_object from,
                 const uint32_t *primitives, size_t count) {
  size_t size;
  bool moved = false;
  OWNED_MEMORY void *bytes = part_of(scene, from, primitives, count, &size);
  assert_ok(graze_object_move_to_part(copy, to, bytes, size, &moved));
  return moved;
}

/* An object follows the part of a later frame, of every kind; the stamp changes where something does, and only there.
 */
TEST(test_objects_move_to_parts) {
  uint64_t seed = 11;
  for (size_t m = 0; m < model_count(); m++) {
    graze_scene *scene = model_scene(model_at(m), m % 2 == 0 ? MESH_AS_FLOAT : MESH_AS_DOUBLE);
    const graze_object from = graze_scene_next_object(scene, (graze_object){0});
    graze_object_info info = {0};
    assert_ok(graze_object_get_info(scene, from, &info));
    /* Positions of doubles from here on, so that the frames are of one format. */
    deform(scene, from, info.vertex_count, &seed);
    uint32_t half[800];
    size_t count = 0, size;
    for (uint32_t i = 0; i < info.primitive_count && count < 800; i += 2) half[count++] = i;
    void *bytes = part_of(scene, from, half, count, &size);
    graze_scene *copy = empty_scene();
    graze_object to;
    assert_ok(graze_scene_add_part(copy, bytes, size, &to));
    free(bytes);
    const uint64_t first = stamp_of(copy, to), before = stamp_of(scene, from);
    assert_true(first != before);
    assert_true(move(copy, to, scene, from, half, count));
    assert_true(stamp_of(copy, to) == first); /* nothing differs */
    assert_ok(graze_object_set_pose(scene, from, &info.pose));
    deform(scene, from, info.vertex_count, &seed);
    assert_ok(graze_object_set_filter(scene, from, 5, 7, true));
    assert_true(stamp_of(scene, from) != before);
    assert_true(move(copy, to, scene, from, half, count));
    assert_true(stamp_of(copy, to) != first);
    if (count > 1) assert_false(move(copy, to, scene, from, half, count - 1)); /* other primitives */
    size_t sizes[2];
    OWNED_MEMORY void *wanted = part_of(scene, from, half, count, &sizes[0]);
    for (uint32_t i = 0; i < count; i++) half[i] = i;
    OWNED_MEMORY void *found = part_of(copy, to, half, count, &sizes[1]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(found, wanted, sizes[0]);
    bool moved;
    assert_int_equal(graze_object_move_to_part(copy, to, wanted, sizes[0] - 1, &moved), GRAZE_INVALID_ARGUMENT);
    graze_scene_destroy(copy);
    graze_scene_destroy(scene);
  }
}

/* A part without primitives, of every kind. */
TEST(test_objects_move_to_empty_parts) {
  for (size_t m = 0; m < model_count(); m++) {
    graze_scene *scene = model_scene(model_at(m), m % 2 == 0 ? MESH_AS_FLOAT : MESH_AS_DOUBLE), *copy = empty_scene();
    const graze_object from = graze_scene_next_object(scene, (graze_object){0});
    const uint32_t none = 0;
    size_t size;
    OWNED_MEMORY void *bytes = part_of(scene, from, &none, 0, &size);
    graze_object to;
    assert_ok(graze_scene_add_part(copy, bytes, size, &to));
    assert_true(move(copy, to, scene, from, &none, 0));
    assert_false(move(copy, to, scene, from, &none, 1));
    graze_scene_destroy(copy);
    graze_scene_destroy(scene);
  }
}
