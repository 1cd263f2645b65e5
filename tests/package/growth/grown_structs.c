/* Uses every struct that can grow, with headers of another version than the library's: older ones, or later ones
 * (GROWTH_LATER), in which each has a field `appended` that the library does not know.
 *
 * Each struct is followed by bytes that the library must not touch. Prints "grown structs work" on success. */
#include "graze/batch.h"
#include "graze/containment.h"
#include "graze/distances.h"
#include "graze/inspect.h"
#include "graze/nearest.h"
#include "graze/packing.h"
#include "graze/regions.h"
#include "graze/sphere_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void require(int truth, const char *what, int line) {
  if (truth) return;
  fprintf(stderr, "line %d: %s: %s\n", line, what, graze_error_text());
  exit(1);
}
#define REQUIRE(truth) require((truth) ? 1 : 0, #truth, __LINE__)

/* A struct of the caller's, of the size that the caller knows, and what lies behind it. */
#define GUARDED(type)                                                                                                  \
  struct {                                                                                                             \
    type value;                                                                                                        \
    unsigned char behind[128];                                                                                         \
  }
#define GUARD(guarded) memset((guarded).behind, 0x5a, sizeof(guarded).behind)

static int is_untouched(const unsigned char *behind) {
  for (size_t i = 0; i < 128; i++)
    if (behind[i] != 0x5a) return 0;
  return 1;
}

/* A maker fills what the caller knows, all of it, and no more. */
#define MAKE(name, guarded)                                                                                            \
  do {                                                                                                                 \
    GUARD(guarded);                                                                                                    \
    memset(&(guarded).value, 0xff, sizeof(guarded).value);                                                             \
    name##_init(&(guarded).value, sizeof(guarded).value);                                                              \
    REQUIRE(is_untouched((guarded).behind));                                                                           \
    REQUIRE((guarded).value.struct_bytes == sizeof(guarded).value);                                                    \
    REQUIRE_APPENDED((guarded).value, 0);                                                                              \
  } while (0)

/* A list of the size that the caller knows; an appended field is the caller's where the library does not know it. */
#define BEGIN_LIST(list)                                                                                               \
  do {                                                                                                                 \
    GUARD(list);                                                                                                       \
    memset(&(list).value, 0, sizeof(list).value);                                                                      \
    (list).value.struct_bytes = sizeof(list).value;                                                                    \
    SET_APPENDED((list).value, 77);                                                                                    \
  } while (0)
#define CHECK_LIST(list)                                                                                               \
  do {                                                                                                                 \
    REQUIRE(is_untouched((list).behind));                                                                              \
    REQUIRE((list).value.struct_bytes == sizeof(list).value);                                                          \
    REQUIRE_APPENDED((list).value, 77);                                                                                \
  } while (0)

#if defined(GROWTH_LATER)
#define SET_APPENDED(object, number) ((object).appended = (number))
#define REQUIRE_APPENDED(object, number) REQUIRE((object).appended == (number))
/* A nonzero value in an unknown field is rejected; zero is accepted. */
#define REFUSES(object, call)                                                                                          \
  do {                                                                                                                 \
    (object).appended = 1;                                                                                             \
    REQUIRE((call) == GRAZE_UNSUPPORTED);                                                                              \
    REQUIRE(strstr(graze_error_text(), "is not 0, but this version") != NULL);                                         \
    (object).appended = 0;                                                                                             \
  } while (0)
#else
#define SET_APPENDED(object, number) ((void)0)
#define REQUIRE_APPENDED(object, number) ((void)0)
#define REFUSES(object, call) ((void)0)
#endif

static void *allocate(void *context, size_t bytes, size_t alignment) {
  ++*(int *)context;
  return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
static void release(void *context, void *memory, size_t bytes) {
  (void)bytes;
  --*(int *)context;
  free(memory);
}
static void run_alone(void *context, graze_task *task, void *task_context, uint32_t count) {
  (void)context;
  for (uint32_t i = 0; i < count; i++) task(task_context, i, 0);
}

static graze_scene *make_scene(int *live) {
  static GUARDED(graze_allocator) allocator;
  static GUARDED(graze_task_system) tasks;
  static GUARDED(graze_workers_def) workers_def;
  static GUARDED(graze_backend_def) backend;
  static GUARDED(graze_scene_def) def;
  MAKE(graze_allocator, allocator);
  allocator.value.context = live;
  allocator.value.allocate = allocate;
  allocator.value.release = release;
  MAKE(graze_task_system, tasks);
  tasks.value.worker_count = 1;
  tasks.value.run = run_alone;
  MAKE(graze_workers_def, workers_def);
  workers_def.value.tasks = &tasks.value;
  graze_workers *workers = NULL;
  REFUSES(workers_def.value, graze_workers_create(&workers_def.value, &workers));
  REFUSES(tasks.value, graze_workers_create(&workers_def.value, &workers));
  REQUIRE(graze_workers_create(&workers_def.value, &workers) == GRAZE_OK);
  MAKE(graze_backend_def, backend);
  MAKE(graze_scene_def, def);
  def.value.allocator = &allocator.value;
  def.value.backend = &backend.value;
  def.value.workers = workers;
  graze_scene *scene = NULL;
  REFUSES(def.value, graze_scene_create(&def.value, &scene));
  REFUSES(allocator.value, graze_scene_create(&def.value, &scene));
  REFUSES(backend.value, graze_scene_create(&def.value, &scene));
  REQUIRE(graze_scene_create(&def.value, &scene) == GRAZE_OK);
  REFUSES(backend.value, graze_scene_set_backend(scene, &backend.value));
  graze_workers_destroy(workers);
  return scene;
}

/* Two tetrahedra an object, the second object moved a little: four pairs between them at most. */
static void add_objects(graze_scene *scene) {
  static GUARDED(graze_mesh_def) mesh;
  static GUARDED(graze_method_def) method;
  const uint32_t corners[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  for (int object = 0; object < 2; object++) {
    double places[24] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 9, 9, 9, 13, 9, 9, 9, 13, 9, 9, 9, 13};
    for (int i = 0; i < 24; i++) places[i] += 0.5 * object;
    MAKE(graze_mesh_def, mesh);
    mesh.value.positions.data = places;
    mesh.value.positions.count = 8;
    mesh.value.positions.format = GRAZE_FORMAT_DOUBLE3;
    mesh.value.tetrahedra.data = corners;
    mesh.value.tetrahedra.count = 2;
    mesh.value.tetrahedra.format = GRAZE_FORMAT_UINT32_4;
    REFUSES(mesh.value, graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &mesh.value, NULL, NULL));
    REQUIRE(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &mesh.value, NULL, NULL) == GRAZE_OK);
  }
  MAKE(graze_method_def, method);
  method.value.name = "grid";
  REFUSES(method.value, graze_scene_set_method(scene, &method.value));
  REQUIRE(graze_scene_set_method(scene, &method.value) == GRAZE_OK);
  REQUIRE(graze_scene_update(scene) == GRAZE_OK);
}

static GUARDED(graze_pairs) pairs;
static GUARDED(graze_contacts) contacts;
static GUARDED(graze_wrenches) wrenches;
static GUARDED(graze_crowding) crowding;

static void ask_pairs(const graze_scene *scene) {
  static GUARDED(graze_query) query;
  MAKE(graze_query, query);
  BEGIN_LIST(pairs);
  REFUSES(query.value, graze_scene_find_pairs(scene, &query.value, &pairs.value));
  CHECK_LIST(pairs);
  REQUIRE(graze_scene_find_pairs(scene, &query.value, &pairs.value) == GRAZE_OK);
  CHECK_LIST(pairs);
  REQUIRE(pairs.value.count == 2 && pairs.value.hash == graze_pairs_hash(pairs.value.pairs, 2));
  REQUIRE(pairs.value.counters->pairs == 2 && pairs.value.timings->update_ms >= 0.0);
  bool found = false;
  REQUIRE(graze_scene_any_pair(scene, NULL, &found, &pairs.value) == GRAZE_OK && found && pairs.value.count == 1);
  CHECK_LIST(pairs);
  REQUIRE(graze_scene_find_pairs(scene, NULL, &pairs.value) == GRAZE_OK);
}

static void ask_measures(const graze_scene *scene) {
  static GUARDED(graze_contact_options) options;
  const graze_pair *two = pairs.value.pairs;
  MAKE(graze_contact_options, options);
  REQUIRE(options.value.stiffness == 1.0);
  BEGIN_LIST(contacts);
  REFUSES(options.value, graze_scene_make_contacts(scene, two, 2, &options.value, &contacts.value));
  REQUIRE(graze_scene_make_contacts(scene, two, 2, &options.value, &contacts.value) == GRAZE_OK);
  CHECK_LIST(contacts);
  for (size_t i = 0; i < 2; i++) {
    const graze_contact *contact = &contacts.value.contacts[i];
    REQUIRE(memcmp(&contact->pair, &two[i], sizeof two[i]) == 0 && contact->kind == GRAZE_CONTACT_KIND_VOLUME);
    REQUIRE(contact->volume > 0.0 && contact->depth > 0.0);
  }
  BEGIN_LIST(wrenches);
  REFUSES(options.value, graze_scene_make_wrenches(scene, two, 2, &options.value, &wrenches.value));
  REQUIRE(graze_scene_make_wrenches(scene, two, 2, &options.value, &wrenches.value) == GRAZE_OK);
  CHECK_LIST(wrenches);
  REQUIRE(wrenches.value.count == 1 && wrenches.value.wrenches[0].pair_count == 2);
  BEGIN_LIST(crowding);
  const graze_object object = {0, 1};
  REQUIRE(graze_scene_measure_crowding(scene, object, &crowding.value) == GRAZE_OK);
  CHECK_LIST(crowding);
  REQUIRE(crowding.value.count == 2 && crowding.value.k == 1);
}

static void ask_costs(const graze_scene *scene) {
  static GUARDED(graze_timings) timings;
  static GUARDED(graze_counters) counters;
  BEGIN_LIST(timings);
  REQUIRE(graze_scene_get_timings(scene, &timings.value) == GRAZE_OK);
  CHECK_LIST(timings);
  BEGIN_LIST(counters);
  REQUIRE(graze_scene_get_counters(scene, &counters.value) == GRAZE_OK);
  CHECK_LIST(counters);
  REQUIRE(counters.value.primitives == 4);
}

static void ask_batch(const graze_scene *scene) {
  static GUARDED(graze_batch_def) batch;
  static const graze_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.25, 0.25, 0.25}};
  const graze_object moving = {1, 1};
  uint64_t answer = 0;
  MAKE(graze_batch_def, batch);
  batch.value.moving = &moving;
  batch.value.moving_count = 1;
  batch.value.poses = &pose;
  batch.value.pose_count = 1;
  batch.value.counts_out = &answer;
  REFUSES(batch.value, graze_scene_run_batch(scene, &batch.value));
  REQUIRE(graze_scene_run_batch(scene, &batch.value) == GRAZE_OK);
  REQUIRE(answer == 2);
}

static GUARDED(graze_packing) packing;

/* Three spheres in a tetrahedron. */
static void pack_tetrahedron(void) {
  static GUARDED(graze_packing_options) options;
  static const double places[12] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4};
  static const uint32_t corners[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions.data = places;
  mesh.positions.count = 4;
  mesh.positions.format = GRAZE_FORMAT_DOUBLE3;
  mesh.triangles.data = corners;
  mesh.triangles.count = 4;
  mesh.triangles.format = GRAZE_FORMAT_UINT32_3;
  MAKE(graze_packing_options, options);
  options.value.count = 3;
  BEGIN_LIST(packing);
  REFUSES(options.value, graze_pack_spheres(&mesh, &options.value, &packing.value));
  CHECK_LIST(packing);
  REQUIRE(graze_pack_spheres(&mesh, &options.value, &packing.value) == GRAZE_OK);
  CHECK_LIST(packing);
  REQUIRE(packing.value.count == 3 && packing.value.certified == 1);
  REQUIRE(packing.value.spheres[0].radius > 0.8 && packing.value.packing_ms >= 0.0);
}

static void ask_objects(const graze_scene *scene) {
  static GUARDED(graze_object_pairs) touching;
  BEGIN_LIST(touching);
  REQUIRE(graze_scene_find_object_pairs(scene, NULL, &touching.value) == GRAZE_OK);
  CHECK_LIST(touching);
  REQUIRE(touching.value.count > 0 && touching.value.counters->pairs == touching.value.count);
  graze_object_pairs_free(&touching.value);
  CHECK_LIST(touching);
}

static void ask_nearest(const graze_scene *scene) {
  static GUARDED(graze_nearest_options) options;
  static GUARDED(graze_nearest_list) nearests;
  MAKE(graze_nearest_options, options);
  BEGIN_LIST(nearests);
  REFUSES(options.value, graze_scene_find_nearest(scene, &options.value, &nearests.value));
  REQUIRE(graze_scene_find_nearest(scene, &options.value, &nearests.value) == GRAZE_OK);
  CHECK_LIST(nearests);
  REQUIRE(nearests.value.count > 0 && nearests.value.complete == 1 && nearests.value.timings->search_ms >= 0.0);
  graze_nearest_list_free(&nearests.value);
  CHECK_LIST(nearests);
}

static void ask_structure(const graze_scene *scene) {
  static GUARDED(graze_inspect_options) options;
  static GUARDED(graze_structure) structure;
  MAKE(graze_inspect_options, options);
  BEGIN_LIST(structure);
  REFUSES(options.value, graze_scene_inspect(scene, NULL, &options.value, &structure.value));
  REQUIRE(graze_scene_inspect(scene, NULL, &options.value, &structure.value) == GRAZE_OK);
  CHECK_LIST(structure);
  REQUIRE(structure.value.method != NULL && structure.value.level_counts != NULL && structure.value.timings != NULL);
  graze_structure_free(&structure.value);
  CHECK_LIST(structure);
}

/* A tetrahedron inside another, in a scene of its own. */
static void ask_containments(void) {
  static GUARDED(graze_containment_options) options;
  static GUARDED(graze_containments) inside;
  static GUARDED(graze_open_edges) edges;
  static const double places[24] = {0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 8, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2};
  static const uint32_t corners[24] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 4, 6, 5, 4, 5, 7, 4, 7, 6, 5, 6, 7};
  graze_mesh_def mesh = graze_mesh_def_default();
  graze_scene *scene = NULL;
  graze_object object;
  REQUIRE(graze_scene_create(NULL, &scene) == GRAZE_OK);
  mesh.positions.data = places;
  mesh.positions.count = 8;
  mesh.positions.format = GRAZE_FORMAT_DOUBLE3;
  mesh.triangles.count = 4;
  mesh.triangles.format = GRAZE_FORMAT_UINT32_3;
  for (int i = 0; i < 2; i++) {
    mesh.triangles.data = corners + 12 * i;
    REQUIRE(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh, NULL, &object) == GRAZE_OK);
  }
  REQUIRE(graze_scene_update(scene) == GRAZE_OK);
  MAKE(graze_containment_options, options);
  BEGIN_LIST(inside);
  REFUSES(options.value, graze_scene_find_containments(scene, &options.value, &inside.value));
  REQUIRE(graze_scene_find_containments(scene, &options.value, &inside.value) == GRAZE_OK);
  CHECK_LIST(inside);
  REQUIRE(inside.value.count == 1 && inside.value.containments[0].inner == 1 && inside.value.timings->test_ms >= 0.0);
  graze_containments_free(&inside.value);
  CHECK_LIST(inside);
  BEGIN_LIST(edges);
  REQUIRE(graze_object_find_open_edges(scene, object, &edges.value) == GRAZE_OK);
  CHECK_LIST(edges);
  REQUIRE(edges.value.count == 0);
  graze_scene_destroy(scene);
}

/* Distances of the first pair of a query with a clearance. */
static void ask_distances(const graze_scene *scene) {
  static GUARDED(graze_pairs) pairs;
  static GUARDED(graze_distances) distances;
  BEGIN_LIST(pairs);
  BEGIN_LIST(distances);
  REQUIRE(graze_scene_find_pairs(scene, NULL, &pairs.value) == GRAZE_OK && pairs.value.count > 0);
  REQUIRE(graze_scene_make_distances(scene, pairs.value.pairs, 1, &distances.value) == GRAZE_OK);
  CHECK_LIST(distances);
  REQUIRE(distances.value.count == 1 && distances.value.distances[0].distance == 0.0);
  graze_distances_free(&distances.value);
  CHECK_LIST(distances);
  graze_pairs_free(&pairs.value);
}

/* Regions of solids, which have no curves. */
static void ask_regions(const graze_scene *scene) {
  static GUARDED(graze_region_options) options;
  static GUARDED(graze_regions) regions;
  MAKE(graze_region_options, options);
  REQUIRE(options.value.depths && options.value.curves && options.value.object_depths);
  BEGIN_LIST(regions);
  REFUSES(options.value, graze_scene_find_regions(scene, NULL, &options.value, &regions.value));
  REQUIRE(graze_scene_find_regions(scene, NULL, &options.value, &regions.value) == GRAZE_OK);
  CHECK_LIST(regions);
  REQUIRE(regions.value.count > 0 && regions.value.regions[0].clash == GRAZE_CLASH_CROSSING);
  REQUIRE(regions.value.timings->regions_ms >= 0.0 && regions.value.counters->pairs == regions.value.pair_count);
  graze_regions_free(&regions.value);
  CHECK_LIST(regions);
}

/* Two spheres against themselves, moved. */
static void ask_sphere_trees(void) {
  static GUARDED(graze_sphere_tree_def) def;
  static GUARDED(graze_sphere_options) options;
  static GUARDED(graze_sphere_tree_info) info;
  static GUARDED(graze_sphere_volume) volume;
  static GUARDED(graze_sphere_distance) distance;
  static const double centers[6] = {0, 0, 0, 3, 0, 0}, radii[2] = {1, 1};
  const graze_pose moved = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 1, 0}};
  graze_sphere_tree *tree = NULL;
  MAKE(graze_sphere_tree_def, def);
  def.value.centers.data = centers;
  def.value.centers.count = 2;
  def.value.centers.format = GRAZE_FORMAT_DOUBLE3;
  def.value.radii.data = radii;
  def.value.radii.count = 2;
  def.value.radii.format = GRAZE_FORMAT_DOUBLE;
  REFUSES(def.value, graze_sphere_tree_create(&def.value, &tree));
  REQUIRE(graze_sphere_tree_create(&def.value, &tree) == GRAZE_OK);
  BEGIN_LIST(info);
  REQUIRE(graze_sphere_tree_get_info(tree, &info.value) == GRAZE_OK && info.value.sphere_count == 2);
  CHECK_LIST(info);
  MAKE(graze_sphere_options, options);
  BEGIN_LIST(volume);
  REFUSES(options.value, graze_sphere_trees_volume(tree, NULL, tree, &moved, &options.value, &volume.value));
  REQUIRE(graze_sphere_trees_volume(tree, NULL, tree, &moved, &options.value, &volume.value) == GRAZE_OK);
  CHECK_LIST(volume);
  REQUIRE(volume.value.complete == 1 && volume.value.pair_count == 2 && volume.value.volume > 0.0);
  BEGIN_LIST(distance);
  REQUIRE(graze_sphere_trees_distance(tree, NULL, tree, &moved, &options.value, &distance.value) == GRAZE_OK);
  CHECK_LIST(distance);
  REQUIRE(distance.value.complete == 1 && distance.value.distance == 0.0);
  graze_sphere_tree_destroy(tree);
}

int main(void) {
  int live = 0;
  graze_scene *scene = make_scene(&live);
  add_objects(scene);
  ask_pairs(scene);
  ask_objects(scene);
  ask_regions(scene);
  ask_nearest(scene);
  ask_structure(scene);
  ask_containments();
  ask_distances(scene);
  ask_measures(scene);
  ask_costs(scene);
  ask_batch(scene);
  pack_tetrahedron();
  ask_sphere_trees();
  graze_scene_destroy(scene);
  REQUIRE(live > 0);
  graze_pairs_free(&pairs.value);
  graze_contacts_free(&contacts.value);
  graze_wrenches_free(&wrenches.value);
  graze_crowding_free(&crowding.value);
  graze_packing_free(&packing.value);
  CHECK_LIST(pairs);
  CHECK_LIST(crowding);
  REQUIRE(live == 0);
  printf("grown structs work\n");
  return 0;
}
