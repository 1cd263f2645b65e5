/* Tests the initial values of caller structs: inputs have default makers, outputs are zero-initialised. Covers all
 * structs of the headers with struct_bytes. */
#include "graze/batch.h"
#include "graze/containment.h"
#include "graze/distances.h"
#include "graze/inspect.h"
#include "graze/nearest.h"
#include "graze/packing.h"
#include "graze/regions.h"
#include "graze/shape.h"
#include "graze/sphere_tree.h"
#include "small_meshes.h"

#include <stdio.h>
#include <string.h>

static const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t corners[4] = {0, 1, 2, 3};
static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
static const double radii[4] = {0.75, 0.75, 0.75, 0.75};

static graze_view view_of(const void *data, size_t count, graze_format format) {
  return (graze_view){data, count, 0, format};
}

static graze_sphere_tree_def tree_def(void) {
  graze_sphere_tree_def def = graze_sphere_tree_def_default();
  def.centers = view_of(points, 4, GRAZE_FORMAT_DOUBLE3);
  def.radii = view_of(radii, 4, GRAZE_FORMAT_DOUBLE);
  return def;
}

/* Two objects that share a volume, updated. */
static graze_scene *solid_scene(void) {
  graze_scene *scene;
  assert_int_equal(graze_scene_create(NULL, &scene), GRAZE_OK);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = view_of(points, 4, GRAZE_FORMAT_DOUBLE3);
  def.tetrahedra = view_of(corners, 1, GRAZE_FORMAT_UINT32_4);
  for (int i = 0; i < 2; i++)
    assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  return scene;
}

static const graze_object first = {0, 1}, second = {1, 1};
static const graze_pair both = {0, 0, 1, 0};

/* ---------------------------------------------------------------------------------------------- what a call reads */

static graze_result read_scene_def(graze_scene *scene) {
  graze_scene *other;
  (void)scene;
  return graze_scene_create(&(graze_scene_def){0}, &other);
}
static graze_result read_allocator(graze_scene *scene) {
  graze_scene *other;
  graze_scene_def def = graze_scene_def_default();
  (void)scene;
  def.allocator = &(graze_allocator){0};
  return graze_scene_create(&def, &other);
}
static graze_result read_task_system(graze_scene *scene) {
  graze_scene *other;
  graze_scene_def def = graze_scene_def_default();
  (void)scene;
  def.tasks = &(graze_task_system){0};
  return graze_scene_create(&def, &other);
}
static graze_result read_workers_def(graze_scene *scene) {
  graze_workers *workers;
  (void)scene;
  return graze_workers_create(&(graze_workers_def){0}, &workers);
}
static graze_result read_backend_def(graze_scene *scene) {
  return graze_scene_set_backend(scene, &(graze_backend_def){0});
}
static graze_result read_mesh_def(graze_scene *scene) {
  return graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &(graze_mesh_def){0}, NULL, NULL);
}
static graze_result read_method_def(graze_scene *scene) {
  return graze_scene_set_method(scene, &(graze_method_def){0});
}
static graze_result read_query(graze_scene *scene) {
  bool found;
  return graze_scene_any_pair(scene, &(graze_query){0}, &found, NULL);
}
static graze_result read_contact_options(graze_scene *scene) {
  graze_wrenches wrenches = {0};
  const graze_result result = graze_scene_make_wrenches(scene, &both, 1, &(graze_contact_options){0}, &wrenches);
  graze_wrenches_free(&wrenches);
  return result;
}
static graze_result read_batch_def(graze_scene *scene) {
  return graze_scene_run_batch(scene, &(graze_batch_def){0});
}
static graze_result read_shape_def(graze_scene *scene) {
  graze_shape *shape;
  (void)scene;
  return graze_shape_create(&(graze_shape_def){0}, &shape);
}
static graze_result read_object_def(graze_scene *scene) {
  graze_mesh_def body = graze_mesh_def_default();
  graze_shape_def def = graze_shape_def_default();
  graze_shape *shape;
  def.mesh = &body;
  assert_int_equal(graze_shape_create(&def, &shape), GRAZE_OK);
  const graze_result result = graze_scene_add_shape(scene, shape, &(graze_object_def){0}, NULL);
  graze_shape_destroy(shape);
  return result;
}
static graze_result read_region_options(graze_scene *scene) {
  graze_regions regions = {0};
  const graze_result result = graze_scene_find_regions(scene, NULL, &(graze_region_options){0}, &regions);
  graze_regions_free(&regions);
  return result;
}
static graze_result read_inspect_options(graze_scene *scene) {
  graze_structure structure = {0};
  const graze_result result = graze_scene_inspect(scene, NULL, &(graze_inspect_options){0}, &structure);
  graze_structure_free(&structure);
  return result;
}

static graze_result read_containment_options(graze_scene *scene) {
  graze_containments inside = {0};
  const graze_result result = graze_scene_find_containments(scene, &(graze_containment_options){0}, &inside);
  graze_containments_free(&inside);
  return result;
}
static graze_result read_nearest_options(graze_scene *scene) {
  graze_nearest_list nearests = {0};
  const graze_result result = graze_scene_find_nearest(scene, &(graze_nearest_options){0}, &nearests);
  graze_nearest_list_free(&nearests);
  return result;
}
static graze_result read_packing_options(graze_scene *scene) {
  graze_packing packing = {0};
  const graze_mesh_def def = graze_mesh_def_default();
  (void)scene;
  return graze_pack_spheres(&def, &(graze_packing_options){0}, &packing);
}
static graze_result read_carrier_def(graze_scene *scene) {
  graze_carrier *carrier;
  (void)scene;
  return graze_carrier_create(&(graze_carrier_def){0}, &carrier);
}
static graze_result read_sphere_tree_def(graze_scene *scene) {
  graze_sphere_tree *tree;
  (void)scene;
  return graze_sphere_tree_create(&(graze_sphere_tree_def){0}, &tree);
}
static graze_result read_sphere_options(graze_scene *scene) {
  const graze_sphere_tree_def def = tree_def();
  graze_sphere_tree *tree;
  graze_sphere_volume volume = {0};
  (void)scene;
  assert_int_equal(graze_sphere_tree_create(&def, &tree), GRAZE_OK);
  const graze_result result = graze_sphere_trees_volume(tree, NULL, tree, NULL, &(graze_sphere_options){0}, &volume);
  assert_int_equal(volume.struct_bytes, 0);
  graze_sphere_tree_destroy(tree);
  return result;
}

static const struct {
  const char *name;
  graze_result (*read)(graze_scene *scene);
} definitions[] = {{"graze_scene_def", read_scene_def},
                   {"graze_allocator", read_allocator},
                   {"graze_task_system", read_task_system},
                   {"graze_workers_def", read_workers_def},
                   {"graze_backend_def", read_backend_def},
                   {"graze_mesh_def", read_mesh_def},
                   {"graze_method_def", read_method_def},
                   {"graze_query", read_query},
                   {"graze_contact_options", read_contact_options},
                   {"graze_batch_def", read_batch_def},
                   {"graze_shape_def", read_shape_def},
                   {"graze_object_def", read_object_def},
                   {"graze_region_options", read_region_options},
                   {"graze_containment_options", read_containment_options},
                   {"graze_nearest_options", read_nearest_options},
                   {"graze_inspect_options", read_inspect_options},
                   {"graze_packing_options", read_packing_options},
                   {"graze_carrier_def", read_carrier_def},
                   {"graze_sphere_tree_def", read_sphere_tree_def},
                   {"graze_sphere_options", read_sphere_options}};
enum { DEFINITIONS = sizeof definitions / sizeof definitions[0] };

TEST(zeroed_definitions_are_refused) {
  graze_scene *scene = solid_scene();
  for (size_t i = 0; i < DEFINITIONS; i++) {
    char words[128];
    snprintf(words, sizeof words, "initialize it with %s_default()", definitions[i].name);
    if (definitions[i].read(scene) != GRAZE_INVALID_ARGUMENT || strstr(graze_error_text(), words) == NULL)
      fail_msg("a zeroed %s: %s", definitions[i].name, graze_error_text());
  }
  graze_scene_destroy(scene);
}

/* ---------------------------------------------------------------------------------------------- what a call fills */

/* Lists on a device: their calls are run where there is one. */
enum { DEVICE_LISTS = 2, LISTS = 12, OTHER_ANSWERS = 7 };

static void check_lists(const graze_scene *scene) {
  graze_pairs pairs = {0};
  graze_object_pairs object_pairs = {0};
  graze_contacts contacts = {0};
  graze_wrenches wrenches = {0};
  graze_crowding crowding = {0};
  graze_distances distances = {0};
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_OK);
  assert_int_equal(graze_scene_find_object_pairs(scene, NULL, &object_pairs), GRAZE_OK);
  assert_int_equal(graze_scene_make_contacts(scene, &both, 1, NULL, &contacts), GRAZE_OK);
  assert_int_equal(graze_scene_make_wrenches(scene, &both, 1, NULL, &wrenches), GRAZE_OK);
  assert_int_equal(graze_scene_measure_crowding(scene, first, &crowding), GRAZE_OK);
  assert_true(pairs.timings && object_pairs.timings && contacts.timings && wrenches.timings && crowding.timings);
  assert_int_equal(graze_scene_make_distances(scene, &both, 1, &distances), GRAZE_OK);
  assert_non_null(distances.timings);
  graze_regions regions = {0};
  assert_int_equal(graze_scene_find_regions(scene, NULL, NULL, &regions), GRAZE_OK);
  assert_non_null(regions.timings);
  const graze_query wrong = {0};
  assert_int_not_equal(graze_scene_find_regions(scene, &wrong, NULL, &regions), GRAZE_OK);
  assert_true(regions.timings == NULL && regions.count == 0);
  graze_regions_free(&regions);
  graze_containments inside = {0};
  assert_int_equal(graze_scene_find_containments(scene, NULL, &inside), GRAZE_OK);
  assert_non_null(inside.timings);
  const graze_containment_options wrong_options = {0};
  assert_int_not_equal(graze_scene_find_containments(scene, &wrong_options, &inside), GRAZE_OK);
  assert_true(inside.timings == NULL && inside.containments == NULL && inside.count == 0);
  graze_containments_free(&inside);
  graze_nearest_list nearests = {0};
  assert_int_equal(graze_scene_find_nearest(scene, NULL, &nearests), GRAZE_OK);
  assert_non_null(nearests.timings);
  const graze_nearest_options wrong_distances = {0};
  assert_int_not_equal(graze_scene_find_nearest(scene, &wrong_distances, &nearests), GRAZE_OK);
  assert_true(nearests.timings == NULL && nearests.nearests == NULL && nearests.count == 0);
  graze_nearest_list_free(&nearests);
  graze_structure structure = {0};
  assert_int_equal(graze_scene_inspect(scene, NULL, NULL, &structure), GRAZE_OK);
  assert_non_null(structure.timings);
  const graze_inspect_options wrong_levels = {0};
  assert_int_not_equal(graze_scene_inspect(scene, NULL, &wrong_levels, &structure), GRAZE_OK);
  assert_true(structure.timings == NULL && structure.nodes == NULL && structure.method == NULL);
  graze_structure_free(&structure);
  const graze_pair nowhere = {7, 7, 8, 8};
  assert_int_not_equal(graze_scene_make_distances(scene, &nowhere, 1, &distances), GRAZE_OK);
  assert_true(distances.timings == NULL && distances.count == 0 && distances.distances == NULL);
  graze_distances_free(&distances);
  assert_int_not_equal(graze_scene_find_pairs(scene, &wrong, &pairs), GRAZE_OK);
  assert_int_not_equal(graze_scene_find_object_pairs(scene, &wrong, &object_pairs), GRAZE_OK);
  assert_int_not_equal(graze_scene_make_contacts(scene, &nowhere, 1, NULL, &contacts), GRAZE_OK);
  assert_int_not_equal(graze_scene_make_wrenches(scene, &nowhere, 1, NULL, &wrenches), GRAZE_OK);
  assert_int_not_equal(graze_scene_measure_crowding(scene, (graze_object){9, 9}, &crowding), GRAZE_OK);
  assert_false(pairs.timings || object_pairs.timings || contacts.timings || wrenches.timings || crowding.timings);
  assert_false(pairs.count || object_pairs.count || contacts.count || wrenches.count || crowding.count);
  graze_pairs_free(&pairs);
  graze_object_pairs_free(&object_pairs);
  graze_contacts_free(&contacts);
  graze_wrenches_free(&wrenches);
  graze_crowding_free(&crowding);
}

static void check_packings(void) {
  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions = view_of(points, 4, GRAZE_FORMAT_DOUBLE3);
  mesh.triangles = view_of(faces, 4, GRAZE_FORMAT_UINT32_3);
  graze_packing_options options = graze_packing_options_default();
  options.count = 2;
  graze_packing packing = {0};
  assert_int_equal(graze_pack_spheres(&mesh, &options, &packing), GRAZE_OK);
  assert_true(packing.certified == 1 && packing.spheres != NULL && packing.largest_gap_bound > 0.0);
  graze_carrier_def def = graze_carrier_def_default();
  def.positions = mesh.positions;
  def.tetrahedra = view_of(corners, 1, GRAZE_FORMAT_UINT32_4);
  def.spheres = packing.spheres;
  def.sphere_count = packing.count;
  graze_carrier *carrier;
  graze_carried carried = {0};
  assert_int_equal(graze_carrier_create(&def, &carrier), GRAZE_OK);
  assert_int_equal(graze_carrier_move(carrier, def.positions, &carried), GRAZE_OK);
  assert_true(carried.certified == 1 && carried.spheres != NULL);
  assert_int_not_equal(graze_carrier_move(carrier, view_of(points, 3, GRAZE_FORMAT_DOUBLE3), &carried), GRAZE_OK);
  assert_true(carried.certified == 0 && carried.spheres == NULL);
  mesh.triangles.count = 3;
  assert_int_not_equal(graze_pack_spheres(&mesh, &options, &packing), GRAZE_OK);
  assert_true(packing.certified == 0 && packing.spheres == NULL);
  graze_carried_free(&carried);
  graze_carrier_destroy(carrier);
  graze_packing_free(&packing);
}

/* Asks for an answer where the call fails, and where it succeeds. */
#define CHECK_ANSWER(type, failing, succeeding)                                                                        \
  do {                                                                                                                 \
    type answer = {0};                                                                                                 \
    assert_int_not_equal(failing, GRAZE_OK);                                                                           \
    assert_int_equal(answer.struct_bytes, 0);                                                                          \
    for (int again = 0; again < 2; again++) {                                                                          \
      assert_int_equal(succeeding, GRAZE_OK);                                                                          \
      assert_int_equal(answer.struct_bytes, sizeof answer);                                                            \
    }                                                                                                                  \
  } while (0)

static void check_open_edges(void) {
  static const uint32_t face[3] = {0, 1, 2};
  graze_mesh_def def = graze_mesh_def_default();
  graze_scene *scene;
  def.positions = view_of(points, 4, GRAZE_FORMAT_DOUBLE3);
  def.triangles = view_of(face, 1, GRAZE_FORMAT_UINT32_3);
  assert_int_equal(graze_scene_create(NULL, &scene), GRAZE_OK);
  assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL), GRAZE_OK);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  CHECK_ANSWER(graze_open_edges, graze_object_find_open_edges(scene, second, &answer),
               graze_object_find_open_edges(scene, first, &answer));
  graze_scene_destroy(scene);
}

static void check_other_answers(const graze_scene *scene) {
  const graze_object gone = {9, 9};
  const graze_sphere_tree_def def = tree_def();
  graze_sphere_tree *tree;
  assert_int_equal(graze_sphere_tree_create(&def, &tree), GRAZE_OK);
  CHECK_ANSWER(graze_object_info, graze_object_get_info(scene, gone, &answer),
               graze_object_get_info(scene, first, &answer));
  CHECK_ANSWER(graze_timings, graze_scene_get_timings(NULL, &answer), graze_scene_get_timings(scene, &answer));
  CHECK_ANSWER(graze_counters, graze_scene_get_counters(NULL, &answer), graze_scene_get_counters(scene, &answer));
  CHECK_ANSWER(graze_sphere_tree_info, graze_sphere_tree_get_info(NULL, &answer),
               graze_sphere_tree_get_info(tree, &answer));
  CHECK_ANSWER(graze_sphere_volume, graze_sphere_trees_volume(tree, NULL, NULL, NULL, NULL, &answer),
               graze_sphere_trees_volume(tree, NULL, tree, NULL, NULL, &answer));
  CHECK_ANSWER(graze_sphere_distance, graze_sphere_trees_distance(tree, NULL, NULL, NULL, NULL, &answer),
               graze_sphere_trees_distance(tree, NULL, tree, NULL, NULL, &answer));
  graze_sphere_tree_destroy(tree);
}

TEST(zeroed_answers_are_filled) {
  graze_scene *scene = solid_scene();
  check_lists(scene);
  check_packings();
  check_other_answers(scene);
  check_open_edges();
  graze_scene_destroy(scene);
}

/* ---------------------------------------------------------------------------------------------- all of them */

static size_t sized_structs_of(const char *header) {
  char path[512], line[512];
  size_t count = 0;
  snprintf(path, sizeof path, "%s/%s", GRAZE_HEADERS, header);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file) != NULL) count += strncmp(line, "  size_t struct_bytes;", 22) == 0;
  fclose(file);
  return count;
}

TEST(all_structs_are_here) {
  static const char *const headers[] = {"contacts.h", "containment.h", "costs.h",   "cuda.h",        "distances.h",
                                        "graze.h",    "host.h",        "inspect.h", "methods.h",     "nearest.h",
                                        "packing.h",  "regions.h",     "shape.h",   "sphere_tree.h", "batch.h"};
  size_t count = 0;
  for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) count += sized_structs_of(headers[i]);
  assert_int_equal(count, DEFINITIONS + LISTS + DEVICE_LISTS + OTHER_ANSWERS);
}
