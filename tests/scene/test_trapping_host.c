/* Calls every public function on a host that permits no floating-point exceptions: none is raised outside of a guard,
 * on the host's threads or the library's, with every threading. A host with enabled traps would otherwise terminate.
 *
 * The guard restores the host's flags if it must change the mode. With another rounding mode, a flag that a call leaves
 * set was therefore raised outside, which is detectable on processors without traps. Where traps exist, they are
 * enabled. */
#include "batch_calls.h"
#include "graze/containment.h"
#include "graze/convex.h"
#include "graze/costs.h"
#include "graze/cuda.h"
#include "graze/distances.h"
#include "graze/inside/launches.h"
#include "graze/inside/parts.h"
#include "graze/inspect.h"
#include "graze/methods.h"
#include "graze/names.h"
#include "graze/nearest.h"
#include "graze/packing.h"
#include "graze/regions.h"
#include "graze/shape.h"
#include "graze/sphere_tree.h"
#include "graze/triangle.h"
#include "scene_calls.h"
#include "testing.h"

#include "trapping_host.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------------ shapes */

enum { SIDE = 24, SHEET_VERTICES = (SIDE + 1) * (SIDE + 1), SHEET_TRIANGLES = 2 * SIDE * SIDE };
static double sheet[SHEET_VERTICES][3];
static float other_sheet[SHEET_VERTICES][3];
static uint32_t sheet_triangles[SHEET_TRIANGLES][3];

static const uint32_t cube_triangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                               {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
static const uint32_t cube_corners[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
static const uint32_t cube_faces[6] = {4, 4, 4, 4, 4, 4}, cube_cells[1] = {6};
static const uint32_t cube_tetrahedra[5][4] = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};
static double cube[8][3], ball_centers[20][3], ball_radii[20];

static graze_pose poses[2];

static void make_shapes(void) {
  for (size_t i = 0; i < SHEET_VERTICES; i++) {
    const double x = (double)(i % (SIDE + 1)), y = (double)(i / (SIDE + 1));
    sheet[i][0] = 0.1 * x;
    sheet[i][1] = 0.1 * y;
    sheet[i][2] = 0.3 * sin(x) + 0.3 * cos(1.7 * y);
    other_sheet[i][0] = (float)(0.1 * x + 0.03);
    other_sheet[i][1] = (float)(0.1 * y + 0.04);
    other_sheet[i][2] = (float)(0.3 * cos(y) + 0.2 * sin(1.3 * x));
  }
  for (uint32_t i = 0; i < SHEET_TRIANGLES; i++) {
    const uint32_t square = i / 2, corner = square / SIDE * (SIDE + 1) + square % SIDE;
    sheet_triangles[i][0] = i % 2 == 0 ? corner : corner + SIDE + 2;
    sheet_triangles[i][1] = i % 2 == 0 ? corner + 1 : corner + SIDE + 1;
    sheet_triangles[i][2] = i % 2 == 0 ? corner + SIDE + 1 : corner + 1;
  }
  for (size_t i = 0; i < 8; i++)
    for (size_t axis = 0; axis < 3; axis++) cube[i][axis] = (i >> axis & 1) != 0 ? 1.1 : 0.1;
  for (size_t i = 0; i < 20; i++) {
    for (size_t axis = 0; axis < 3; axis++) ball_centers[i][axis] = 0.1 + 0.07 * (double)(i * (axis + 3) % 17);
    ball_radii[i] = 0.1 + 0.01 * (double)i;
  }
  for (size_t i = 0; i < 2; i++) {
    poses[i].rotation[8] = 1;
    poses[i].rotation[0] = poses[i].rotation[4] = cos(0.3 + (double)i);
    poses[i].rotation[3] = sin(0.3 + (double)i);
    poses[i].rotation[1] = -poses[i].rotation[3];
    poses[i].translation[0] = 0.01 + 0.1 * (double)i;
  }
}

static graze_view view_of(const void *data, size_t count, graze_format format) {
  return (graze_view){data, count, 0, format};
}

/* ------------------------------------------------------------------------------------------------ names */

static void call_names(void) {
  int value;
  CALL(graze_enumeration_count(GRAZE_ENUMERATION_METHOD));
  CALL(graze_enumeration_value(GRAZE_ENUMERATION_SCOPE, 0));
  CALL(graze_enumeration_name(GRAZE_ENUMERATION_RESULT, 0));
  CALL(graze_enumeration_description(GRAZE_ENUMERATION_BACKEND, 0));
  CALL(graze_enumeration_find(GRAZE_ENUMERATION_TEST, "gjk", &value));
  CALL(graze_kind_text(GRAZE_KIND_SPHERE, 2));
  CALL(graze_kind_is_solid(GRAZE_KIND_SPHERE));
  CALL(graze_result_text(GRAZE_OK));
  CALL(graze_error_text());
  CALL(graze_version());
}

static void call_makers(void) {
#define MAKER(type)                                                                                                    \
  do {                                                                                                                 \
    type made;                                                                                                         \
    CALL(type##_init(&made, sizeof made));                                                                             \
    CALL(type##_default());                                                                                            \
  } while (0)
  MAKER(graze_scene_def);
  MAKER(graze_mesh_def);
  MAKER(graze_query);
  MAKER(graze_contact_options);
  MAKER(graze_region_options);
  MAKER(graze_containment_options);
  MAKER(graze_nearest_options);
  MAKER(graze_inspect_options);
  MAKER(graze_allocator);
  MAKER(graze_task_system);
  MAKER(graze_workers_def);
  MAKER(graze_backend_def);
  MAKER(graze_method_def);
  MAKER(graze_packing_options);
  MAKER(graze_carrier_def);
  MAKER(graze_batch_def);
  MAKER(graze_sphere_tree_def);
  MAKER(graze_sphere_options);
#undef MAKER
}

/* ------------------------------------------------------------------------------------------------ without a scene */

static void call_pairs_of_shapes(void) {
  double a[15], b[24];
  memcpy(a, sheet, sizeof a);
  memcpy(b, cube, sizeof b);
  double near_a[3], near_b[3], points[6][3], depth;
  CALL(graze_triangles_intersect(a, b));
  CALL(graze_triangles_intersection(a, b, points));
  CALL(graze_triangles_distance(a, b, near_a, near_b));
  CALL(graze_pose_from_quaternion(a, b));
  CALL(graze_convex_intersect(a, 5, b, 8));
  CALL(graze_convex_distance(a, 5, b, 8, near_a, near_b));
  CALL(graze_convex_penetration(a, 5, b, 8, points[0], &depth));
}

static void call_sphere_trees(graze_workers *team) {
  graze_sphere_tree_def def = graze_sphere_tree_def_default();
  def.centers = view_of(ball_centers, 20, GRAZE_FORMAT_DOUBLE3);
  def.radii = view_of(ball_radii, 20, GRAZE_FORMAT_DOUBLE);
  def.workers = team;
  graze_sphere_tree *tree;
  graze_sphere_tree_info info = {.struct_bytes = sizeof info};
  graze_sphere_volume volume = {.struct_bytes = sizeof volume};
  graze_sphere_distance distance = {.struct_bytes = sizeof distance};
  OK(graze_sphere_tree_create(&def, &tree));
  OK(graze_sphere_tree_get_info(tree, &info));
  OK(graze_sphere_trees_volume(tree, NULL, tree, &poses[0], NULL, &volume));
  OK(graze_sphere_trees_distance(tree, NULL, tree, &poses[0], NULL, &distance));
  CALL(graze_sphere_tree_destroy(tree));
}

static void call_packing(graze_workers *team) {
  graze_mesh_def mesh = graze_mesh_def_default();
  mesh.positions = view_of(cube, 8, GRAZE_FORMAT_DOUBLE3);
  mesh.triangles = view_of(cube_triangles, 12, GRAZE_FORMAT_UINT32_3);
  graze_packing_options options = graze_packing_options_default();
  options.count = 20;
  options.workers = team;
  graze_packing packing = {0};
  OK(graze_pack_spheres(&mesh, &options, &packing));
  graze_carrier_def def = graze_carrier_def_default();
  def.positions = mesh.positions;
  def.tetrahedra = view_of(cube_tetrahedra, 5, GRAZE_FORMAT_UINT32_4);
  def.spheres = packing.spheres;
  def.sphere_count = packing.count;
  def.workers = team;
  graze_carrier *carrier;
  graze_carried carried = {.struct_bytes = sizeof carried};
  OK(graze_carrier_create(&def, &carrier));
  OK(graze_carrier_move(carrier, def.positions, &carried));
  CALL(graze_carried_free(&carried));
  CALL(graze_carrier_destroy(carrier));
  CALL(graze_packing_free(&packing));
}

/* ------------------------------------------------------------------------------------------------ a scene */

typedef struct shapes {
  graze_object sheet, other_sheet, quads, solids, other_solids, cell, balls;
} shapes;

static void call_adding(graze_scene *scene, shapes *made) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = view_of(sheet, SHEET_VERTICES, GRAZE_FORMAT_DOUBLE3);
  def.triangles = view_of(sheet_triangles, SHEET_TRIANGLES, GRAZE_FORMAT_UINT32_3);
  OK(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &made->sheet));
  def.positions = view_of(other_sheet, SHEET_VERTICES, GRAZE_FORMAT_FLOAT3);
  OK(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &made->other_sheet));
  def.positions = view_of(cube, 8, GRAZE_FORMAT_DOUBLE3);
  def.tetrahedra = view_of(cube_tetrahedra, 5, GRAZE_FORMAT_UINT32_4);
  def.corners = view_of(cube_corners, 24, GRAZE_FORMAT_UINT32);
  def.face_sizes = view_of(cube_faces, 6, GRAZE_FORMAT_UINT32);
  OK(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, &made->quads));
  def.cell_sizes = view_of(cube_cells, 1, GRAZE_FORMAT_UINT32);
  OK(graze_scene_add(scene, GRAZE_KIND_POLYHEDRON, &def, NULL, &made->cell));
  OK(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, &made->solids));
  OK(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, &made->other_solids));
  def.positions = view_of(ball_centers, 20, GRAZE_FORMAT_DOUBLE3);
  def.radii = view_of(ball_radii, 20, GRAZE_FORMAT_DOUBLE);
  OK(graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, NULL, &made->balls));
}

static void call_shapes(graze_scene *scene) {
  const graze_mesh_def mesh = {.struct_bytes = sizeof mesh,
                               .positions = view_of(sheet, SHEET_VERTICES, GRAZE_FORMAT_DOUBLE3),
                               .triangles = view_of(sheet_triangles, SHEET_TRIANGLES, GRAZE_FORMAT_UINT32_3)};
  graze_shape_def def;
  graze_object_def object_def;
  graze_shape *shape;
  graze_object object;
  CALL(graze_shape_def_init(&def, sizeof def));
  CALL(graze_object_def_init(&object_def, sizeof object_def));
  const graze_pose pose = {{0, -1, 0, 1, 0, 0, 0, 0, 1}, {1, 2, 3}};
  def.mesh = &mesh;
  object_def.pose = &pose;
  OK(graze_shape_create(&def, &shape));
  OK(graze_scene_add_shape(scene, shape, &object_def, &object));
  CALL(graze_shape_destroy(shape));
  OK(graze_scene_remove_object(scene, object));
}

static void call_editing(graze_scene *scene, const shapes *made) {
  uint32_t first;
  const uint32_t last = SHEET_TRIANGLES;
  const graze_object posed[2] = {made->other_sheet, made->other_solids};
  OK(graze_object_set_positions(scene, made->sheet, 0, view_of(sheet, 10, GRAZE_FORMAT_DOUBLE3)));
  OK(graze_object_set_positions(scene, made->sheet, 0, view_of(other_sheet, 10, GRAZE_FORMAT_FLOAT3)));
  OK(graze_object_set_radii(scene, made->balls, 0, view_of(ball_radii + 1, 5, GRAZE_FORMAT_DOUBLE)));
  OK(graze_object_append_positions(scene, made->sheet, view_of(sheet, 3, GRAZE_FORMAT_DOUBLE3), &first));
  OK(graze_object_append_primitives(scene, made->sheet, view_of(sheet_triangles, 1, GRAZE_FORMAT_UINT32_3), &first));
  OK(graze_object_remove_primitives(scene, made->sheet, &last, 1));
  OK(graze_object_append_spheres(scene, made->balls, view_of(cube, 2, GRAZE_FORMAT_DOUBLE3),
                                 view_of(ball_radii, 2, GRAZE_FORMAT_DOUBLE), &first));
  OK(graze_object_set_pose(scene, made->balls, &poses[0]));
  OK(graze_scene_set_poses(scene, posed, 2, poses));
  OK(graze_object_set_filter(scene, made->sheet, 1, UINT64_MAX, true));
  const graze_id_pair pair = {made->sheet, made->cell};
  OK(graze_scene_exclude(scene, pair.a, pair.b, true));
  OK(graze_scene_exclude_pairs(scene, &pair, 1, false));
  OK(graze_object_set_user_data(scene, made->sheet, scene));
  call_shapes(scene);
}

static void call_asking(const graze_scene *scene, const shapes *made) {
  static double places[SHEET_VERTICES][3];
  static float rounded[SHEET_VERTICES][3];
  const graze_output_view doubles = {places, SHEET_VERTICES, 0, GRAZE_FORMAT_DOUBLE3},
                          floats = {rounded, SHEET_VERTICES, 0, GRAZE_FORMAT_FLOAT3};
  graze_object_info info = {0};
  CALL(graze_object_is_valid(scene, made->sheet));
  CALL(graze_scene_object_count(scene));
  CALL(graze_scene_next_object(scene, made->sheet));
  CALL(graze_scene_is_excluded(scene, made->sheet, made->cell));
  CALL(graze_scene_exclusion_count(scene));
  OK(graze_object_get_info(scene, made->balls, &info));
  CALL(graze_object_user_data(scene, made->sheet));
  OK(graze_object_get_positions(scene, made->sheet, 0, floats));
  OK(graze_object_get_posed_positions(scene, made->other_sheet, 0, doubles));
  OK(graze_object_get_radii(scene, made->balls, 0, (graze_output_view){rounded, 20, 0, GRAZE_FORMAT_FLOAT}));
  uint32_t numbers[2];
  OK(graze_object_get_global_primitives(scene, made->sheet, 0, 2, numbers));
  OK(graze_object_get_global_vertices(scene, made->sheet, 0, 2, numbers));
  OK(graze_object_get_box(scene, made->other_sheet, places[0], places[1]));
  double box[6];
  OK(graze_object_get_boxes(scene, made->other_sheet, 0, 1, box));
  const uint32_t first = 0;
  const size_t starts[2] = {0, 1};
  size_t size;
  OK(graze_object_get_corners(scene, made->other_sheet, 0, 2, box, &size));
  OK(graze_object_measure_parts(scene, made->balls, &first, starts, 1, &size));
  unsigned char bytes[1024];
  void *const part = bytes;
  assert_true(size <= sizeof bytes);
  OK(graze_object_write_parts(scene, made->balls, &first, starts, 1, &part));
  OWNED_SCENE *other;
  OK(graze_scene_create(NULL, &other));
  graze_object added;
  bool moved;
  uint64_t stamp;
  OK(graze_scene_add_part(other, bytes, size, &added));
  OK(graze_object_move_to_part(other, added, bytes, size, &moved));
  OK(graze_object_get_stamp(other, added, &stamp));
}

static void call_queries(graze_scene *scene, const shapes *made) {
  bool found;
  uint32_t primitive;
  uint64_t answers[2];
  size_t pair_count;
  graze_object object;
  graze_pairs pairs = {0};
  graze_object_pairs touching = {0};
  graze_containments inside = {0};
  graze_nearest_list nearests = {0};
  graze_nearest rows[2];
  graze_open_edges edges = {0};
  uint32_t inward = 0, first_inward = 0;
  graze_contacts contacts = {0};
  graze_wrenches wrenches = {0};
  graze_distances distances = {0};
  graze_regions regions = {0};
  graze_crowding crowding = {0};
  graze_query query = graze_query_default();
  query.test = GRAZE_TEST_GJK;
  OK(graze_scene_find_pairs(scene, NULL, &pairs));
  OK(graze_scene_find_pairs(scene, &query, &pairs));
  query.clearance = 0.125;
  OK(graze_scene_find_pairs(scene, &query, &pairs));
  assert_true(pairs.count > 0);
  OK(graze_scene_make_distances(scene, pairs.pairs, pairs.count, &distances));
  OK(graze_scene_find_pairs(scene, NULL, &pairs));
  CALL(graze_pairs_hash(pairs.pairs, pairs.count));
  CALL(graze_timings_value(pairs.timings, 0));
  CALL(graze_counters_value(pairs.counters, 0));
  OK(graze_scene_find_primitive(scene, pairs.pairs[0].object_a, pairs.pairs[0].primitive_a, &object, &primitive));
  OK(graze_scene_make_contacts(scene, pairs.pairs, pairs.count, NULL, &contacts));
  OK(graze_scene_make_wrenches(scene, pairs.pairs, pairs.count, NULL, &wrenches));
  OK(graze_scene_find_contacts(scene, NULL, NULL, &contacts));
  OK(graze_scene_find_distances(scene, NULL, &distances));
  OK(graze_scene_find_wrenches(scene, NULL, NULL, &wrenches));
  graze_wrench_terms *terms = malloc(pairs.count * sizeof *terms);
  OK(graze_scene_make_wrench_terms(scene, pairs.pairs, pairs.count, NULL, terms, &pair_count));
  free(terms);
  OK(graze_scene_make_regions(scene, pairs.pairs, pairs.count, NULL, &regions));
  OK(graze_scene_find_regions(scene, NULL, NULL, &regions));
  CALL(graze_pairs_free(&pairs));
  OK(graze_scene_any_pair(scene, NULL, &found, &pairs));
  OK(graze_scene_find_object_pairs(scene, NULL, &touching));
  OK(graze_scene_find_containments(scene, NULL, &inside));
  OK(graze_scene_find_nearest(scene, NULL, &nearests));
  graze_nearest_options nearest = graze_nearest_options_default();
  nearest.depths = true;
  nearest.time_limit_ms = 1e4;
  OK(graze_scene_find_nearest(scene, &nearest, &nearests));
  OK(graze_object_find_open_edges(scene, made->sheet, &edges));
  OK(graze_object_count_inward_shells(scene, made->sheet, &inward, &first_inward));
  OK(graze_scene_measure_crowding(scene, made->sheet, &crowding));
  const graze_id_pair pair = {made->sheet, made->balls};
  graze_batch_def batch = batch_of_pair(&pair, poses, 2);
  batch.counts_out = answers;
  OK(graze_scene_run_batch(scene, &batch));
  OK(batch_nearest(scene, batch_of_pair(&pair, poses, 2), rows));
  batch.clearance = 0.25;
  OK(graze_scene_run_batch(scene, &batch));
  OK(graze_scene_list_batch_pairs(scene, &made->balls, 1, NULL, 0, &pair_count));
  CALL(graze_pairs_free(&pairs));
  CALL(graze_contacts_free(&contacts));
  CALL(graze_distances_free(&distances));
  CALL(graze_wrenches_free(&wrenches));
  CALL(graze_regions_free(&regions));
  CALL(graze_object_pairs_free(&touching));
  CALL(graze_containments_free(&inside));
  CALL(graze_nearest_list_free(&nearests));
  CALL(graze_crowding_free(&crowding));
  CALL(graze_scene_trim(scene));
}

/* An updated scene makes a method ready when it is set. */
static void call_methods(graze_scene *scene, const shapes *made) {
  graze_pairs pairs = {0};
  graze_structure structure = {0};
  for (size_t i = 0; i <= graze_enumeration_count(GRAZE_ENUMERATION_METHOD); i++) {
    graze_method_def def = graze_method_def_default();
    def.name = graze_enumeration_name(GRAZE_ENUMERATION_METHOD, (int)i); /* past the end NULL: auto */
    OK(graze_scene_set_method(scene, &def));
    OK(graze_object_set_pose(scene, made->other_sheet, &poses[i % 2]));
    OK(graze_scene_update(scene));
    OK(graze_scene_find_pairs(scene, NULL, &pairs));
    CALL(graze_scene_method(scene, NULL));
    OK(graze_scene_inspect(scene, NULL, NULL, &structure));
  }
  CALL(graze_structure_free(&structure));
  CALL(graze_pairs_free(&pairs));
  graze_method_def wrong = graze_method_def_default();
  wrong.name = "clusters";
  wrong.fuzziness = (double)NAN;
  RETURNS(GRAZE_INVALID_ARGUMENT, graze_scene_set_method(scene, &wrong));
}

/* Lists on the device are refused by a scene that has none. The points of contacts are positions too. */
static void call_device(graze_scene *scene, const shapes *made) {
  char words[256];
  graze_backend_def def = graze_backend_def_default();
  def.name = "cuda";
  begin_call("graze_cuda_describe(0, words, sizeof words)");
  graze_result result = graze_cuda_describe(0, words, sizeof words);
  end_call();
  begin_call("graze_scene_set_backend(scene, &def)");
  result = graze_scene_set_backend(scene, &def);
  end_call();
  const graze_result expected = result == GRAZE_OK ? GRAZE_OK : GRAZE_UNSUPPORTED;
  OK(graze_scene_update(scene));
  graze_device_pairs pairs = {0};
  graze_device_contacts contacts = {0};
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  RETURNS(expected, graze_scene_find_pairs_on_device(scene, &query, &pairs));
  RETURNS(expected, graze_scene_make_contacts_on_device(scene, pairs.device_pairs, pairs.count, NULL, &contacts));
  CALL(graze_scene_device_launches(scene));
  if (expected == GRAZE_OK) call_queries(scene, made); /* before positions are on the device alone */
  RETURNS(expected,
          graze_object_set_device_positions(scene, made->cell, contacts.device_points, GRAZE_FORMAT_DOUBLE3, NULL));
  if (expected == GRAZE_OK) {
    graze_pairs found = {0};
    OK(graze_scene_update(scene));
    OK(graze_scene_find_pairs(scene, NULL, &found));
    CALL(graze_pairs_free(&found));
    OK(graze_object_set_positions(scene, made->cell, 0, view_of(cube, 8, GRAZE_FORMAT_DOUBLE3)));
  }
  CALL(graze_device_contacts_free(&contacts));
  CALL(graze_device_pairs_free(&pairs));
  OK(graze_scene_set_backend(scene, NULL));
  OK(graze_scene_update(scene));
}

static void call_scene(const graze_scene_def *def) {
  graze_scene *scene;
  shapes made;
  graze_timings timings = {0};
  graze_counters counters = {0};
  OK(graze_scene_create(def, &scene));
  call_adding(scene, &made);
  call_editing(scene, &made);
  OK(graze_scene_update(scene));
  rest();
  OK(graze_scene_get_timings(scene, &timings));
  OK(graze_scene_get_counters(scene, &counters));
  call_asking(scene, &made);
  call_queries(scene, &made);
  call_methods(scene, &made);
  call_device(scene, &made);
  rest();
  OK(graze_scene_remove_object(scene, made.cell));
  OK(graze_scene_update(scene));
  CALL(graze_scene_destroy(scene));
}

/* ------------------------------------------------------------------------------------------------ every threading */

static void count_task(void *context, uint32_t index, uint32_t worker) {
  (void)index;
  (void)worker;
  atomic_fetch_add((_Atomic(uint32_t) *)context, 1);
}

/* Threads start within the first run, outside of any guard, so that they inherit the host's mode. */
static void call_workers(const graze_workers_def *def) {
  enum { TASKS = 64 };
  graze_workers *team;
  _Atomic(uint32_t) done = 0;
  OK(graze_workers_create(def, &team));
  CALL(graze_workers_count(team));
  for (uint32_t i = 1; i <= 8; i++) {
    CALL(graze_workers_run(team, count_task, &done, TASKS));
    assert_int_equal(done, i * TASKS);
    rest();
  }
  graze_scene_def scene_def = graze_scene_def_default();
  scene_def.workers = team;
  call_scene(&scene_def);
  call_sphere_trees(team);
  call_packing(team);
  CALL(graze_workers_kept_bytes(team));
  CALL(graze_workers_trim(team));
  rest();
  CALL(graze_workers_destroy(team));
}

static void call_all(graze_threading threading, bool by_host) {
  const graze_task_system tasks = {sizeof tasks, NULL, HOST_WORKERS, host_run};
  graze_workers_def def = graze_workers_def_default();
  def.threading = threading;
  def.worker_count = 2;
  def.tasks = by_host ? &tasks : NULL;
  graze_workers *team;
  const graze_result result = graze_workers_create(&def, &team);
  if (result == GRAZE_UNSUPPORTED) return; /* OpenMP */
  graze_workers_destroy(team);
  call_count = 0;
  call_workers(&def);
  graze_scene_def scene_def = graze_scene_def_default();
  scene_def.threading = threading;
  scene_def.worker_count = 2;
  scene_def.tasks = def.tasks;
  call_scene(&scene_def);
  const int raised = atomic_load(&raised_on_threads);
  if (raised != 0)
    fail_msg("threading %d: a thread has raised %#x outside of a guard", (int)threading, (unsigned)raised);
}

static void call_all_ways(host_mode chosen) {
  mode = chosen;
  atomic_store(&raised_on_threads, 0);
  call_all(GRAZE_THREADING_SERIAL, false);
  call_all(GRAZE_THREADING_PTHREADS, false);
  call_all(GRAZE_THREADING_OPENMP, false);
  call_all(GRAZE_THREADING_AUTO, true);
  call_names();
  call_makers();
  call_pairs_of_shapes();
}

TEST(no_flag_is_raised) {
  call_all_ways(HOST_ROUNDS_UP);
  print_message("%d threads of the library began in the host's mode\n", atomic_load(&threads_in_mode));
}

TEST(nothing_is_trapped) {
  if (!processor_has_traps()) {
    print_message("skipped: this processor has no traps\n");
    skip();
  }
  signal(SIGFPE, report_fault);
  call_all_ways(HOST_TRAPS);
  signal(SIGFPE, SIG_DFL);
}

/* ------------------------------------------------------------------------------------------------ completeness */

static bool was_called(const char *name) {
  char text[128];
  snprintf(text, sizeof text, "%s(", name);
  for (size_t i = 0; i < call_count; i++)
    if (strstr(calls[i], text) != NULL) return true;
  return false;
}

/* The name before the first bracket behind each GRAZE_API; those of the macro's own definition begin otherwise. */
static size_t check_header(char *text) {
  size_t count = 0;
  for (char *at = strstr(text, "GRAZE_API"); at != NULL; at = strstr(at + 1, "GRAZE_API")) {
    char *const end = strchr(at, '(');
    if (end == NULL) break;
    char *name = end;
    while (name[-1] == '_' || (name[-1] >= 'a' && name[-1] <= 'z')) name--;
    if (strncmp(name, "graze_", 6) != 0) continue;
    *end = '\0';
    if (!was_called(name)) fail_msg("%s is not called by this test", name);
    *end = '(';
    count++;
  }
  return count;
}

TEST(every_public_function_was_called) {
  static char text[1 << 17];
  size_t count = 0;
  DIR *const folder = opendir(GRAZE_HEADER_FOLDER);
  assert_non_null(folder);
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    if (strstr(entry->d_name, ".h") == NULL) continue;
    if (strcmp(entry->d_name, "io.h") == 0) continue; /* of libgraze_io: tests/io */
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", GRAZE_HEADER_FOLDER, entry->d_name);
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    count += check_header(text);
  }
  closedir(folder);
  print_message("%zu public functions\n", count);
  assert_true(count > 100);
}

TEST_PREPARATION {
  make_shapes();
  return 0;
}
