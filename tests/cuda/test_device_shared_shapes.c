/* Tests objects that share a shape on an emulated device: it holds one copy of positions, elements and trees, and
 * answers like a scene in which every object has its own data, with every method, also after copy-on-write and
 * removals. */
#include "backend_choice.h"
#include "graze/cuda.h"
#include "graze/shape.h"
#include "host_operations.h"
#include "method_names.h"
#include "posed_object.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------- a body of cubes */

enum { CUBES = 12, VERTICES = 8 * CUBES, MOST_WORDS = 24 * CUBES, KINDS = 5 };

static const graze_kind kinds[KINDS] = {GRAZE_KIND_TRIANGLE, GRAZE_KIND_POLYGON, GRAZE_KIND_TETRAHEDRON,
                                        GRAZE_KIND_POLYHEDRON, GRAZE_KIND_SPHERE};

static const uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
static const uint32_t tetrahedra[5][4] = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};

typedef struct cube_mesh {
  graze_kind kind;
  double positions[VERTICES][3];
  double radii[VERTICES];
  uint32_t words[MOST_WORDS], face_sizes[6 * CUBES], cell_sizes[CUBES];
} cube_mesh;

/* Corners of the elements of one cube: how many. */
static size_t write_cube(graze_kind kind, uint32_t first, uint32_t *words_out) {
  size_t count = 0;
  if (kind == GRAZE_KIND_TRIANGLE)
    for (size_t i = 0; i < 6; i++)
      for (size_t corner = 0; corner < 3; corner++) words_out[count++] = first + faces[i][corner];
  if (kind == GRAZE_KIND_TETRAHEDRON)
    for (size_t i = 0; i < 20; i++) words_out[count++] = first + tetrahedra[i / 4][i % 4];
  if (kind == GRAZE_KIND_POLYGON || kind == GRAZE_KIND_POLYHEDRON)
    for (size_t i = 0; i < 24; i++) words_out[count++] = first + faces[i / 4][i % 4];
  return count;
}

/* A row of cubes that are a little apart, each of another size. */
static cube_mesh make_cubes(graze_kind kind) {
  cube_mesh made = {.kind = kind};
  size_t words = 0;
  for (uint32_t cube = 0; cube < CUBES; cube++) {
    const double size = 0.5 + 0.125 * (cube % 4);
    for (uint32_t i = 0; i < 8; i++) {
      double *position = made.positions[8 * cube + i];
      for (uint32_t axis = 0; axis < 3; axis++) position[axis] = size * (i >> axis & 1);
      position[0] += cube % 6;
      position[1] += cube / 6;
      made.radii[8 * cube + i] = 0.0625 * (1 + i % 3);
    }
    words += write_cube(kind, 8 * cube, made.words + words);
    for (size_t i = 0; i < 6; i++) made.face_sizes[6 * cube + i] = 4;
    made.cell_sizes[cube] = 6;
  }
  return made;
}

static graze_mesh_def def_of(const cube_mesh *m) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){m->positions, VERTICES, 0, GRAZE_FORMAT_DOUBLE3};
  switch (m->kind) {
  case GRAZE_KIND_TRIANGLE:
    def.triangles = (graze_view){m->words, 6 * CUBES, 0, GRAZE_FORMAT_UINT32_3};
    break;
  case GRAZE_KIND_TETRAHEDRON:
    def.tetrahedra = (graze_view){m->words, 5 * CUBES, 0, GRAZE_FORMAT_UINT32_4};
    break;
  case GRAZE_KIND_SPHERE:
    def.radii = (graze_view){m->radii, VERTICES, 0, GRAZE_FORMAT_DOUBLE};
    break;
  default:
    def.corners = (graze_view){m->words, 24 * CUBES, 0, GRAZE_FORMAT_UINT32};
    def.face_sizes = (graze_view){m->face_sizes, 6 * CUBES, 0, GRAZE_FORMAT_UINT32};
    if (m->kind == GRAZE_KIND_POLYHEDRON) def.cell_sizes = (graze_view){m->cell_sizes, CUBES, 0, GRAZE_FORMAT_UINT32};
  }
  return def;
}

/* Bytes of the positions and elements of one copy, without what follows from them. */
static size_t mesh_bytes(graze_kind kind) {
  const size_t positions = VERTICES * 3 * sizeof(double);
  if (kind == GRAZE_KIND_TRIANGLE) return positions; /* alone, they need no elements */
  if (kind == GRAZE_KIND_TETRAHEDRON) return positions + 20 * CUBES * sizeof(uint32_t);
  if (kind == GRAZE_KIND_SPHERE) return positions + VERTICES * sizeof(double);
  return positions + (kind == GRAZE_KIND_POLYGON ? 24 : 8) * CUBES * sizeof(uint32_t);
}

/* ---------------------------------------------------------------------------------------------- both scenes */

/* Scenes of the same objects: on the processor and on the device with separate data, and on the device with shared
 * data. */
enum { PLAIN, PLAIN_THERE, SHARED_THERE, SCENES };

typedef struct three_scenes {
  graze_scene *scenes[SCENES];
  graze_shape *shapes[KINDS];
  cube_mesh meshes[KINDS];
} three_scenes;

static graze_object add_plain(graze_scene *scene, const cube_mesh *m) {
  const graze_mesh_def def = def_of(m);
  graze_object_def placed = graze_object_def_default();
  graze_object object;
  placed.self = false;
  const graze_result result = graze_scene_add(scene, m->kind, &def, &placed, &object);
  assert_ok(result);
  return object;
}

static graze_object add_shared(graze_scene *scene, graze_shape *shape) {
  graze_object_def def = graze_object_def_default();
  graze_object object;
  def.self = false;
  assert_ok(graze_scene_add_shape(scene, shape, &def, &object));
  return object;
}

/* Places one more object of a kind in all scenes. */
static graze_object add_object(const three_scenes *three, int kind, const double place[3]) {
  const double turned[9] = {0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1};
  graze_object object = {0};
  for (int i = 0; i < SCENES; i++) {
    object = i == SHARED_THERE ? add_shared(three->scenes[i], three->shapes[kind])
                               : add_plain(three->scenes[i], &three->meshes[kind]);
    assert_ok(pose_object(three->scenes[i], object, turned, place));
  }
  return object;
}

static void open_scenes(three_scenes *three, const char *method_name) {
  for (int i = 0; i < SCENES; i++) {
    graze_scene_def def = graze_scene_def_default();
    graze_method_def method = graze_method_def_default();
    method.name = method_name;
    def.worker_count = 2;
    assert_ok(create_on(i == PLAIN ? "cpu" : "cuda", 0, def, &three->scenes[i]));
    assert_ok(graze_scene_set_method(three->scenes[i], &method));
  }
  for (int kind = 0; kind < KINDS; kind++) {
    three->meshes[kind] = make_cubes(kinds[kind]);
    const graze_mesh_def body = def_of(&three->meshes[kind]);
    graze_shape_def def = graze_shape_def_default();
    def.mesh = &body;
    def.kind = kinds[kind];
    def.prepare_tree = kind % 2 == 0;
    assert_ok(graze_shape_create(&def, &three->shapes[kind]));
  }
}

static void close_scenes(three_scenes *three) {
  for (int i = 0; i < SCENES; i++) graze_scene_destroy(three->scenes[i]);
  for (int kind = 0; kind < KINDS; kind++) graze_shape_destroy(three->shapes[kind]);
}

/* Updates all and compares their answers: the pairs, and what is measured of them. */
static void compare(const three_scenes *three) {
  graze_pairs pairs[SCENES] = {{0}};
  graze_contacts contacts[SCENES] = {{0}};
  for (int i = 0; i < SCENES; i++) {
    assert_ok(graze_scene_update(three->scenes[i]));
    assert_ok(graze_scene_find_pairs(three->scenes[i], NULL, &pairs[i]));
    assert_int_equal(pairs[i].count, pairs[PLAIN].count);
    assert_true(pairs[i].hash == pairs[PLAIN].hash);
    assert_ok(graze_scene_make_contacts(three->scenes[i], pairs[i].pairs, pairs[i].count, NULL, &contacts[i]));
    assert_int_equal(contacts[i].point_count, contacts[PLAIN].point_count);
    for (size_t pair = 0; pair < pairs[i].count; pair++)
      assert_memory_equal(contacts[i].contacts[pair].centroid, contacts[PLAIN].contacts[pair].centroid,
                          sizeof contacts[i].contacts[pair].centroid);
  }
  assert_true(pairs[PLAIN].count > 0);
  for (int i = 0; i < SCENES; i++) {
    graze_contacts_free(&contacts[i]);
    graze_pairs_free(&pairs[i]);
  }
}

static size_t held(const graze_scene *scene) {
  return (size_t)runner_counters(scene).device_bytes;
}

static void move_vertices(const three_scenes *three, graze_object object, size_t first, double by) {
  double moved[4][3];
  for (size_t i = 0; i < 4; i++)
    for (int axis = 0; axis < 3; axis++) moved[i][axis] = three->meshes[2].positions[first + i][axis] + by;
  const graze_view view = {moved, 4, 0, GRAZE_FORMAT_DOUBLE3};
  for (int i = 0; i < SCENES; i++) assert_ok(graze_object_set_positions(three->scenes[i], object, first, view));
}

/* ---------------------------------------------------------------------------------------------- tests */

static size_t primitives_of(graze_kind kind) {
  if (kind == GRAZE_KIND_SPHERE) return VERTICES;
  if (kind == GRAZE_KIND_POLYHEDRON) return CUBES;
  return (kind == GRAZE_KIND_TETRAHEDRON ? 5 : 6) * CUBES;
}

/* The data of an object after an update: a header per primitive; the object and the rounded vertex per vertex. */
static size_t placed_bytes(graze_kind kind) {
  return 16 * primitives_of(kind) + (4 + 16) * VERTICES;
}

enum { MANY = 1000, RECORD_MOST = 280, TABLES_MOST = 64 << 10 };

static void open_many(three_scenes *three, const char *method_name, int kind) {
  open_scenes(three, method_name);
  for (int i = 0; i < MANY; i++) {
    const double place[3] = {8.0 * (i % 10), 8.0 * (i / 10 % 10), 2.0 * (i / 100)};
    (void)add_object(three, kind, place);
  }
}

/* One mesh is uploaded and held however many objects there are, beside what the device makes and the records of the
 * objects. */
TEST(test_one_mesh_is_held) {
  for (int kind = 0; kind < KINDS; kind++) {
    three_scenes three;
    open_many(&three, "grid", kind);
    size_t uploaded[SCENES] = {0};
    for (int i = PLAIN_THERE; i < SCENES; i++) {
      const size_t before = host_device_count().uploaded_bytes;
      assert_ok(graze_scene_update(three.scenes[i]));
      uploaded[i] = host_device_count().uploaded_bytes - before;
    }
    const size_t mesh_most = 3 * mesh_bytes(kinds[kind]); /* with triangulations */
    assert_true(held(three.scenes[SHARED_THERE]) <=
                mesh_most + MANY * (placed_bytes(kinds[kind]) + RECORD_MOST) + TABLES_MOST);
    assert_true(uploaded[PLAIN_THERE] - uploaded[SHARED_THERE] >= (MANY - 1) * mesh_bytes(kinds[kind]));
    close_scenes(&three);
  }
}

/* Likewise one tree; of each placed primitive there is its number. */
TEST(test_one_tree_is_held) {
  enum { BODY_MOST = 400, TREE_MOST = 80 }; /* bytes of a body's records, and of a primitive's share in blocks */
  for (int kind = 0; kind < KINDS; kind++) {
    three_scenes three;
    open_many(&three, "tree", kind);
    for (int i = PLAIN_THERE; i < SCENES; i++) {
      assert_ok(graze_scene_update(three.scenes[i]));
      assert_string_equal(graze_scene_method(three.scenes[i], NULL), "tree");
    }
    const size_t primitives = primitives_of(kinds[kind]);
    const size_t shared_most = 3 * mesh_bytes(kinds[kind]) + TREE_MOST * primitives;
    const size_t object_most = placed_bytes(kinds[kind]) + 4 * primitives + RECORD_MOST + BODY_MOST;
    assert_true(held(three.scenes[SHARED_THERE]) <= shared_most + MANY * object_most + TABLES_MOST);
    close_scenes(&three);
  }
}

static void fill_scenes(const three_scenes *three, graze_object *objects_out, int count) {
  for (int i = 0; i < count; i++) {
    const double place[3] = {2.75 * (i % 4), 2.25 * (i / 4), 0.25 * (i % 3)};
    objects_out[i] = add_object(three, (i + i / KINDS) % KINDS, place);
  }
}

enum { OBJECTS = 20, TETRAHEDRA = 2 };

TEST(test_every_method_answers_alike) {
  for (size_t method = 0; method_name_at(method) != NULL; method++)
    for (index_order order = INDICES_FORWARD; order < INDEX_ORDER_COUNT; order++) {
      const host_device_settings settings = {.order = order};
      host_device_configure(&settings);
      three_scenes three;
      graze_object objects[OBJECTS];
      open_scenes(&three, method_name_at(method));
      fill_scenes(&three, objects, OBJECTS);
      compare(&three);
      close_scenes(&three);
    }
}

/* The first object of a shape, whose place the others have, one of the others, and both again. */
TEST(test_a_change_takes_a_copy) {
  const host_device_settings settings = {.order = INDICES_FORWARD};
  host_device_configure(&settings);
  for (size_t method = 0; method_name_at(method) != NULL; method++) {
    three_scenes three;
    graze_object objects[OBJECTS];
    open_scenes(&three, method_name_at(method));
    fill_scenes(&three, objects, OBJECTS);
    const graze_object first = objects[TETRAHEDRA], second = objects[TETRAHEDRA + KINDS - 1];
    compare(&three);
    move_vertices(&three, first, 0, 0.5);
    compare(&three);
    move_vertices(&three, second, 8, -0.25);
    compare(&three);
    move_vertices(&three, first, 4, 0.125);
    move_vertices(&three, second, 4, 0.125);
    compare(&three);
    close_scenes(&three);
  }
}

/* Positions that a caller has on the device are the object's own. */
TEST(test_positions_on_the_device_are_not_shared) {
  for (size_t method = 0; method_name_at(method) != NULL; method++) {
    three_scenes three;
    graze_object objects[OBJECTS];
    open_scenes(&three, method_name_at(method));
    fill_scenes(&three, objects, OBJECTS);
    compare(&three);
    double moved[VERTICES][3];
    const graze_view view = {moved, VERTICES, 0, GRAZE_FORMAT_DOUBLE3};
    for (int frame = 1; frame < 4; frame++) {
      for (int i = 0; i < 3 * VERTICES; i++)
        moved[i / 3][i % 3] = three.meshes[TETRAHEDRA].positions[i / 3][i % 3] * (1.0 + 0.0625 * frame);
      assert_ok(graze_object_set_positions(three.scenes[PLAIN], objects[TETRAHEDRA], 0, view));
      for (int i = PLAIN_THERE; i < SCENES; i++)
        assert_ok(
            graze_object_set_device_positions(three.scenes[i], objects[TETRAHEDRA], moved, GRAZE_FORMAT_DOUBLE3, NULL));
      compare(&three);
    }
    close_scenes(&three);
  }
}

TEST(test_a_copy_has_a_place) {
  three_scenes three;
  graze_object objects[4];
  open_scenes(&three, "grid");
  for (int i = 0; i < 4; i++) objects[i] = add_object(&three, TETRAHEDRA, (double[3]){2.0 * i, 0, 0});
  compare(&three);
  const size_t before = held(three.scenes[SHARED_THERE]);
  move_vertices(&three, objects[1], 0, 0.5);
  compare(&three);
  assert_true(held(three.scenes[SHARED_THERE]) - before >= mesh_bytes(GRAZE_KIND_TETRAHEDRON));
  close_scenes(&three);
}

TEST(test_objects_come_and_go) {
  for (size_t method = 0; method_name_at(method) != NULL; method++) {
    three_scenes three;
    graze_object objects[OBJECTS];
    open_scenes(&three, method_name_at(method));
    fill_scenes(&three, objects, OBJECTS);
    compare(&three);
    for (int removed = 0; removed < OBJECTS; removed += 3) {
      for (int i = 0; i < SCENES; i++) assert_ok(graze_scene_remove_object(three.scenes[i], objects[removed]));
      compare(&three);
      const double place[3] = {1.5 + removed, 1.0, 0.5};
      objects[removed] = add_object(&three, removed % KINDS, place);
      if (removed % 2 == 0) compare(&three);
    }
    close_scenes(&three);
  }
}

/* ---------------------------------------------------------------------------------------------- failures */

static size_t allocations_left = SIZE_MAX;

static void *limited_allocate(void *context, size_t bytes, size_t alignment) {
  (void)context;
  if (allocations_left == 0) return NULL;
  if (allocations_left != SIZE_MAX) allocations_left--;
  void *block = NULL;
  return posix_memalign(&block, alignment < sizeof(void *) ? sizeof(void *) : alignment, bytes) == 0 ? block : NULL;
}

static void limited_release(void *context, void *block, size_t bytes) {
  (void)context;
  (void)bytes;
  free(block);
}

/* Objects of one shape, of which the first has left it since the last update. */
static graze_scene *scene_with_copy(const cube_mesh *m, const char *method_name, bool shares) {
  const graze_allocator limited = {sizeof limited, NULL, limited_allocate, limited_release};
  graze_scene_def def = graze_scene_def_default();
  graze_method_def method = graze_method_def_default();
  graze_shape_def shape_def = graze_shape_def_default();
  const graze_mesh_def body = def_of(m);
  graze_scene *scene;
  graze_shape *shape;
  def.allocator = &limited;
  method.name = method_name;
  shape_def.mesh = &body;
  shape_def.kind = m->kind;
  assert_ok(create_on(shares ? "cuda" : "cpu", 0, def, &scene));
  assert_ok(graze_scene_set_method(scene, &method));
  assert_ok(graze_shape_create(&shape_def, &shape));
  graze_object first = {0};
  for (int i = 0; i < 5; i++) {
    const double same[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, place[3] = {0.75 * i, 0.5 * i, 0};
    const graze_object object = shares ? add_shared(scene, shape) : add_plain(scene, m);
    assert_ok(pose_object(scene, object, same, place));
    if (i == 0) first = object;
  }
  graze_shape_destroy(shape);
  assert_ok(graze_scene_update(scene));
  const graze_view moved = {m->positions + 4, 4, 0, GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_object_set_positions(scene, first, 12, moved));
  return scene;
}

static graze_pairs find_updated(graze_scene *scene) {
  assert_ok(graze_scene_update(scene));
  graze_pairs pairs = find_pairs(scene, NULL);
  graze_scene_destroy(scene);
  return pairs;
}

/* Each allocation of the host, or each operation of the device, fails in turn in the update after the copy; the next
 * one succeeds. An allocation of the device that fails may succeed once lists have given way. */
static void fail_updates(const cube_mesh *m, const char *method_name, bool on_device) {
  OWNED(graze_pairs) wanted = find_updated(scene_with_copy(m, method_name, false));
  size_t failures = 0;
  for (bool failed = true; failed; failures++) {
    graze_scene *scene = scene_with_copy(m, method_name, true);
    const host_device_settings settings = {.fail_at = on_device ? failures + 1 : 0};
    host_device_configure(&settings);
    if (!on_device) allocations_left = failures;
    const graze_result result = graze_scene_update(scene);
    failed = on_device ? host_device_count().operations > failures : result != GRAZE_OK;
    allocations_left = SIZE_MAX;
    host_device_configure(&(host_device_settings){0});
    OWNED(graze_pairs) found = find_updated(scene);
    assert_int_equal(found.count, wanted.count);
    assert_true(found.hash == wanted.hash);
  }
  assert_true(failures > (on_device ? 12 : 3));
}

TEST(test_failed_updates_lose_nothing) {
  const cube_mesh m = make_cubes(GRAZE_KIND_TETRAHEDRON);
  for (size_t method = 0; method_name_at(method) != NULL; method++) {
    fail_updates(&m, method_name_at(method), false);
    fail_updates(&m, method_name_at(method), true);
  }
}
