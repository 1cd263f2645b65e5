/* The rules that all calls follow, one short function each: docs/reference/api.md quotes parts of this program. */
#include <graze/containment.h>
#include <graze/inspect.h>
#include <graze/names.h>
#include <graze/shape.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_ok(graze_result result) {
  if (result == GRAZE_OK) return;
  fprintf(stderr, "graze: %s\n", graze_error_text());
  exit(2);
}

/* Adds two crossing triangles, shifted by x. */
static graze_object add_crossing(graze_scene *scene, float x) {
  const float positions[6][3] = {{x, 0, 0}, {x + 2, 0, 0}, {x, 2, 0}, {x, 1, -1}, {x, 1, 1}, {x + 2, 1, 0}};
  const uint32_t triangles[2][3] = {{0, 1, 2}, {3, 4, 5}};
  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions = (graze_view){positions, 6, 0, GRAZE_FORMAT_FLOAT3};
  mesh.triangles = (graze_view){triangles, 2, 0, GRAZE_FORMAT_UINT32_3};
  graze_object object;
  expect_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh, NULL, &object));
  return object;
}

/* Like a binding of another language: the library fills the binding's own copy of the struct. */
static void show_structs(void) {
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_WITHIN;

  unsigned char bytes[sizeof(graze_query)];
  graze_query_init(bytes, sizeof bytes);
  graze_query same;
  memcpy(&same, bytes, sizeof same);
  printf("structs: %s\n", same.struct_bytes == query.struct_bytes ? "the same size" : "a different size");
}

static void show_answers(const graze_scene *scene, graze_object object) {
  graze_object_info info = {0};
  expect_ok(graze_object_get_info(scene, object, &info));
  printf("answers: %zu bytes, %zu primitives\n", info.struct_bytes, info.primitive_count);
}

static void show_names(void) {
  int kind = -1;
  if (graze_enumeration_find(GRAZE_ENUMERATION_KIND, "sphere", &kind))
    printf("names: %s is %d\n", graze_enumeration_name(GRAZE_ENUMERATION_KIND, kind), kind);
}

static void show_errors(graze_scene *scene) {
  const graze_query query = {0};
  graze_pairs pairs = {0};
  const graze_result result = graze_scene_find_pairs(scene, &query, &pairs);
  if (result != GRAZE_OK) printf("error: %s\n", graze_error_text());
  graze_pairs_free(&pairs);
}

static void show_lists(const graze_scene *scene) {
  graze_pairs pairs = {0};
  for (int frame = 0; frame < 3; frame++) expect_ok(graze_scene_find_pairs(scene, NULL, &pairs));
  printf("lists: %zu pairs of %llu candidates\n", pairs.count, (unsigned long long)pairs.counters->candidates);

  graze_contacts contacts = {0};
  expect_ok(graze_scene_make_contacts(scene, pairs.pairs, pairs.count, NULL, &contacts));
  for (size_t i = 0; i < contacts.count; i++)
    printf("lists: contact %zu has %u points\n", i, contacts.contacts[i].point_count);
  graze_contacts_free(&contacts);
  graze_pairs_free(&pairs);
}

static void *find_all(void *scene) {
  graze_pairs pairs = {0};
  expect_ok(graze_scene_find_pairs(scene, NULL, &pairs));
  graze_pairs_free(&pairs);
  return NULL;
}

static void show_threads(graze_scene *scene) {
  pthread_t other;
  if (pthread_create(&other, NULL, find_all, scene) != 0) exit(2);
  find_all(scene);
  pthread_join(other, NULL);
  printf("threads: two concurrent queries\n");
}

static void show_workers(void) {
  graze_workers_def workers_def = graze_workers_def_default();
  workers_def.worker_count = 2;
  graze_workers *workers;
  expect_ok(graze_workers_create(&workers_def, &workers));

  graze_scene_def scene_def = graze_scene_def_default();
  scene_def.workers = workers;
  graze_scene *first, *second;
  expect_ok(graze_scene_create(&scene_def, &first));
  expect_ok(graze_scene_create(&scene_def, &second));
  graze_workers_destroy(workers);
  printf("workers: shared by two scenes\n");
  graze_scene_destroy(first);
  graze_scene_destroy(second);
}

static void show_kept_memory(void) {
  graze_workers_def workers_def = graze_workers_def_default();
  workers_def.kept_bytes = (size_t)256 << 20;
  graze_workers *workers;
  expect_ok(graze_workers_create(&workers_def, &workers));
  for (int call = 0; call < 3; call++) {
    graze_scene_def scene_def = graze_scene_def_default();
    scene_def.workers = workers;
    graze_scene *scene;
    expect_ok(graze_scene_create(&scene_def, &scene));
    add_crossing(scene, 0);
    expect_ok(graze_scene_update(scene));
    find_all(scene);
    graze_scene_destroy(scene);
  }
  graze_workers_trim(workers);
  printf("workers: %zu bytes kept after a trim\n", graze_workers_kept_bytes(workers));
  graze_workers_destroy(workers);
}

static graze_result make_on_device(graze_scene **scene_out) {
  const int device = 0;
  graze_backend_def backend = graze_backend_def_default();
  backend.name = "cuda";
  backend.devices = &device;
  backend.device_count = 1;
  graze_scene_def scene_def = graze_scene_def_default();
  scene_def.backend = &backend;
  return graze_scene_create(&scene_def, scene_out);
}

static void show_backends(void) {
  for (int i = 0; i < (int)graze_enumeration_count(GRAZE_ENUMERATION_BACKEND); i++)
    printf("backend %s: %s\n", graze_enumeration_name(GRAZE_ENUMERATION_BACKEND, i),
           graze_enumeration_description(GRAZE_ENUMERATION_BACKEND, i));
  graze_scene *scene;
  if (make_on_device(&scene) != GRAZE_OK) printf("no device: %s\n", graze_error_text());
  graze_scene_destroy(scene);
}

static void show_methods(graze_scene *scene) {
  graze_method_def method = graze_method_def_default();
  method.name = "tree";
  method.clusters = 4;
  const graze_result result = graze_scene_set_method(scene, &method);
  if (result != GRAZE_OK) printf("error: %s\n", graze_error_text());
}

static void show_parts(const graze_scene *scene, graze_object object) {
  graze_pairs pairs = {0};
  graze_query about = graze_query_default();
  about.about_count = 1;
  about.about_a = object;
  expect_ok(graze_scene_find_pairs(scene, &about, &pairs));
  printf("about one object: %zu pairs\n", pairs.count);

  graze_query boxed = graze_query_default();
  boxed.in_box = true;
  for (int axis = 0; axis < 3; axis++) {
    boxed.box_min[axis] = -1.0;
    boxed.box_max[axis] = 5.0;
  }
  expect_ok(graze_scene_find_pairs(scene, &boxed, &pairs));
  printf("in a box: %zu pairs\n", pairs.count);
  graze_pairs_free(&pairs);

  graze_object_pairs touching = {0};
  expect_ok(graze_scene_find_object_pairs(scene, NULL, &touching));
  for (size_t i = 0; i < touching.count; i++)
    printf("touching: %u and %u\n", touching.pairs[i].object_a, touching.pairs[i].object_b);
  graze_object_pairs_free(&touching);

  graze_inspect_options options = graze_inspect_options_default();
  options.lowest_level = 2; /* of a tree: omits leaves and nodes of up to four leaves */
  graze_structure structure = {0};
  expect_ok(graze_scene_inspect(scene, NULL, &options, &structure));
  printf("structure: %s, %zu nodes, %zu members\n", structure.method, structure.count, structure.member_count);
  graze_structure_free(&structure);
  graze_containments inside = {0};
  expect_ok(graze_scene_find_containments(scene, NULL, &inside));
  for (size_t i = 0; i < inside.count; i++)
    printf("inside: %u in %u\n", inside.containments[i].inner, inside.containments[i].outer);
  graze_containments_free(&inside);
}

static void show_shapes(graze_scene *scene) {
  const float positions[3][3] = {{0, 0, 9}, {1, 0, 9}, {0, 1, 9}};
  const uint32_t triangles[1][3] = {{0, 1, 2}};
  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions = (graze_view){positions, 3, 0, GRAZE_FORMAT_FLOAT3};
  mesh.triangles = (graze_view){triangles, 1, 0, GRAZE_FORMAT_UINT32_3};
  graze_object placed[3];
  graze_shape_def def = graze_shape_def_default();
  def.mesh = &mesh;
  graze_shape *shape;
  expect_ok(graze_shape_create(&def, &shape));
  for (int i = 0; i < 3; i++) expect_ok(graze_scene_add_shape(scene, shape, NULL, &placed[i]));
  graze_shape_destroy(shape);
  for (int i = 0; i < 3; i++) expect_ok(graze_scene_remove_object(scene, placed[i]));
  expect_ok(graze_scene_update(scene));
}

/* Adds one of two triangles that share an edge. */
static void add_part(graze_scene *scene, const float positions[3][3], const uint32_t vertices[3], uint32_t number) {
  const uint32_t corners[3] = {0, 1, 2};
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = (graze_view){positions, 3, 0, GRAZE_FORMAT_FLOAT3};
  def.triangles = (graze_view){corners, 1, 0, GRAZE_FORMAT_UINT32_3};
  placed.global_numbers = true;
  placed.global_object = 7;
  placed.global_primitive = number;
  placed.global_vertices = (graze_view){vertices, 3, 0, GRAZE_FORMAT_UINT32};
  expect_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL));
}

static void show_global_numbers(void) {
  const float left[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, right[3][3] = {{1, 1, 0}, {0, 1, 0}, {1, 0, 0}};
  graze_scene *scene;
  graze_pairs pairs = {0};
  expect_ok(graze_scene_create(NULL, &scene));
  add_part(scene, left, (const uint32_t[3]){0, 1, 2}, 0);
  add_part(scene, right, (const uint32_t[3]){3, 2, 1}, 1);
  expect_ok(graze_scene_update(scene));
  expect_ok(graze_scene_find_pairs(scene, NULL, &pairs));
  printf("parts: %zu pairs\n", pairs.count);
  graze_pairs_free(&pairs);
  graze_scene_destroy(scene);
}

static void show_exclusions(graze_scene *scene, graze_object upper, graze_object lower, graze_object hand) {
  const graze_id_pair joints[2] = {{upper, lower}, {lower, hand}};
  expect_ok(graze_scene_exclude_pairs(scene, joints, 2, true));
  expect_ok(graze_scene_exclude(scene, upper, hand, true));
  expect_ok(graze_scene_exclude(scene, upper, hand, false));
  expect_ok(graze_scene_update(scene));
  printf("excluded: %zu pairs of objects\n", graze_scene_exclusion_count(scene));
}

static bool is_too_late(void *context) {
  const bool *late = context;
  return *late;
}

static void show_stopping(const graze_scene *scene) {
  bool late = true;
  graze_pairs pairs = {0};
  graze_query query = graze_query_default();
  query.should_stop = is_too_late;
  query.stop_context = &late;
  if (graze_scene_find_pairs(scene, &query, &pairs) == GRAZE_STOPPED) printf("stopped: %zu pairs\n", pairs.count);

  graze_query few = graze_query_default();
  few.stop_after = 1;
  expect_ok(graze_scene_find_pairs(scene, &few, &pairs));
  printf("enough: %zu pair\n", pairs.count);

  bool found;
  expect_ok(graze_scene_any_pair(scene, NULL, &found, NULL));
  printf("any: %s\n", found ? "yes" : "no");
  graze_pairs_free(&pairs);
}

int main(void) {
  graze_scene *scene;
  expect_ok(graze_scene_create(NULL, &scene));
  const graze_object here = add_crossing(scene, 0);
  const graze_object far_away = add_crossing(scene, 100);
  expect_ok(graze_scene_update(scene));
  show_structs();
  show_answers(scene, here);
  show_names();
  show_errors(scene);
  show_lists(scene);
  show_threads(scene);
  show_workers();
  show_kept_memory();
  show_backends();
  show_methods(scene);
  show_parts(scene, far_away);
  show_stopping(scene);
  show_shapes(scene);
  show_global_numbers();
  show_exclusions(scene, far_away, add_crossing(scene, 101), add_crossing(scene, 102));
  graze_scene_destroy(scene);
  return 0;
}
