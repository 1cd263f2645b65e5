/* Tests that each call answers every kind of primitive, alone and with every other kind, or refuses it with a message
 * that names the kind. All kinds of the table are made from one mesh, of which each reads its own part. */
#include "broad/kind_table.h"
#include "method_names.h"
#include "testing.h"

#include "graze/batch.h"
#include "graze/containment.h"
#include "graze/distances.h"
#include "graze/inside/parts.h"
#include "graze/inspect.h"
#include "graze/nearest.h"
#include "graze/regions.h"
#include "graze/shape.h"

#include <stdlib.h>
#include <string.h>

/* The four faces of a tetrahedron: four triangles or polygons, one tetrahedron, one cell, and four spheres. */
static const double positions[2][4][3] = {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                          {{.25, 0, 0}, {1.25, 0, 0}, {.25, 1, 0}, {.25, 0, 1}}};
static const double radii[4] = {.25, .375, .25, .375};
static const uint32_t corners[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
static const uint32_t tetrahedron[4] = {0, 1, 2, 3}, face_sizes[4] = {3, 3, 3, 3}, cell_sizes[1] = {4};

typedef struct two_kinds {
  graze_scene *scene;
  graze_kind kinds[2];
  graze_object objects[2];
  graze_pairs pairs;
} two_kinds;

static graze_mesh_def mesh_at(int place) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions[place], 4, 0, GRAZE_FORMAT_DOUBLE3};
  def.radii = (graze_view){radii, 4, 0, GRAZE_FORMAT_DOUBLE};
  def.triangles = (graze_view){corners, 4, 0, GRAZE_FORMAT_UINT32_3};
  def.tetrahedra = (graze_view){tetrahedron, 1, 0, GRAZE_FORMAT_UINT32_4};
  def.corners = (graze_view){corners, 12, 0, GRAZE_FORMAT_UINT32};
  def.face_sizes = (graze_view){face_sizes, 4, 0, GRAZE_FORMAT_UINT32};
  def.cell_sizes = (graze_view){cell_sizes, 1, 0, GRAZE_FORMAT_UINT32};
  return def;
}

static two_kinds make_two(graze_kind a, graze_kind b) {
  two_kinds two = {.kinds = {a, b}};
  assert_ok(graze_scene_create(NULL, &two.scene));
  for (int i = 0; i < 2; i++) {
    const graze_mesh_def def = mesh_at(i);
    assert_ok(graze_scene_add(two.scene, two.kinds[i], &def, NULL, &two.objects[i]));
  }
  assert_ok(graze_scene_update(two.scene));
  assert_ok(graze_scene_find_pairs(two.scene, NULL, &two.pairs));
  assert_true(two.pairs.count > 0);
  return two;
}

static void release_two(two_kinds *two) {
  graze_pairs_free(&two->pairs);
  graze_scene_destroy(two->scene);
}

/* Whether a call answered; otherwise its message must name one of the kinds. */
static bool answers(const two_kinds *two, const char *call, graze_result result) {
  if (result == GRAZE_OK) return true;
  for (int i = 0; i < 2; i++)
    for (size_t count = 1; count <= 2; count++)
      if (strstr(graze_error_text(), graze_kind_text(two->kinds[i], count)) != NULL) return false;
  fail_msg("%s: %s and %s: code %d, \"%s\"", call, graze_kind_text(two->kinds[0], 2), graze_kind_text(two->kinds[1], 2),
           (int)result, graze_error_text());
  return false;
}
#define ANSWERS(call) answers(two, #call, call)

/* ---------------------------------------------------------------------------------------------- pairs */

/* Every method, test and clearance finds the same objects. */
static void find_all_pairs(two_kinds *two) {
  OWNED(graze_pairs) found = {0};
  OWNED(graze_object_pairs) touching = {0};
  for (size_t i = 0; method_name_at(i) != NULL; i++) {
    graze_method_def chosen = graze_method_def_default();
    chosen.name = method_name_at(i);
    assert_true(ANSWERS(graze_scene_set_method(two->scene, &chosen)));
    for (int number = 0; number < 4; number++) {
      graze_query query = graze_query_default();
      query.test = number % 2 == 0 ? GRAZE_TEST_SAT : GRAZE_TEST_GJK;
      query.clearance = number < 2 ? 0.0 : 0x1p-40;
      if (!ANSWERS(graze_scene_find_pairs(two->scene, &query, &found))) continue;
      assert_int_equal(found.count, two->pairs.count);
      assert_true(found.hash == two->pairs.hash);
      assert_true(ANSWERS(graze_scene_find_object_pairs(two->scene, &query, &touching)));
      assert_int_equal(touching.count, 1);
    }
  }
  graze_query beyond = graze_query_default();
  beyond.neighbors = GRAZE_NEIGHBORS_BEYOND;
  bool any;
  OWNED(graze_structure) structure = {0};
  (void)ANSWERS(graze_scene_find_pairs(two->scene, &beyond, &found));
  assert_true(ANSWERS(graze_scene_any_pair(two->scene, NULL, &any, NULL)) && any);
  (void)ANSWERS(graze_scene_inspect(two->scene, NULL, NULL, &structure));
}

/* ---------------------------------------------------------------------------------------------- measures */

/* Two solids of one kind share a volume, or the call is refused. */
static void measure_contacts(two_kinds *two) {
  const graze_pair *pairs = two->pairs.pairs;
  const size_t count = two->pairs.count;
  const bool same_solids = two->kinds[0] == two->kinds[1] && graze_kind_is_solid(two->kinds[0]);
  OWNED(graze_contacts) contacts = {0};
  OWNED(graze_wrenches) wrenches = {0};
  if (ANSWERS(graze_scene_make_contacts(two->scene, pairs, count, NULL, &contacts))) {
    assert_int_equal(contacts.count, count);
    assert_true(!same_solids || contacts.contacts[0].volume > 0.0);
  }
  (void)ANSWERS(graze_scene_find_contacts(two->scene, NULL, NULL, &contacts));
  for (int force = 0; force < 2; force++) {
    graze_contact_options options = graze_contact_options_default();
    options.force = force == 0 ? GRAZE_FORCE_VOLUME : GRAZE_FORCE_GRADIENT;
    OWNED_MEMORY graze_wrench_terms *terms = calloc(count, sizeof *terms);
    size_t term_count;
    assert_non_null(terms);
    if (ANSWERS(graze_scene_make_wrenches(two->scene, pairs, count, &options, &wrenches)))
      assert_true(!same_solids || (wrenches.count > 0 && wrenches.wrenches[0].volume > 0.0));
    (void)ANSWERS(graze_scene_find_wrenches(two->scene, NULL, &options, &wrenches));
    (void)ANSWERS(graze_scene_make_wrench_terms(two->scene, pairs, count, &options, terms, &term_count));
  }
}

static void measure_distances(two_kinds *two) {
  const graze_pose here = graze_pose_identity();
  OWNED(graze_distances) distances = {0};
  OWNED(graze_nearest_list) nearests = {0};
  graze_nearest nearest;
  if (ANSWERS(graze_scene_make_distances(two->scene, two->pairs.pairs, two->pairs.count, &distances)))
    for (size_t i = 0; i < distances.count; i++) assert_true(distances.distances[i].distance == 0.0);
  (void)ANSWERS(graze_scene_find_distances(two->scene, NULL, &distances));
  (void)ANSWERS(graze_scene_find_nearest(two->scene, NULL, &nearests));
  const graze_id_pair pair = {two->objects[0], two->objects[1]};
  uint64_t hits = 0;
  uint8_t hit = 0;
  graze_batch_def batch = graze_batch_def_default();
  batch.moving = &pair.b;
  batch.moving_count = 1;
  batch.poses = &here;
  batch.pose_count = 1;
  batch.pairs = &pair;
  batch.pair_count = 1;
  batch.nearest_out = &nearest;
  (void)ANSWERS(graze_scene_run_batch(two->scene, &batch));
  batch.nearest_out = NULL;
  batch.counts_out = &hits;
  assert_true(ANSWERS(graze_scene_run_batch(two->scene, &batch)));
  batch.counts_out = NULL;
  batch.hits_out = &hit;
  assert_true(ANSWERS(graze_scene_run_batch(two->scene, &batch)));
  assert_true(hits > 0 && hit == 1);
}

static void group_pairs(two_kinds *two) {
  graze_region_options options = graze_region_options_default();
  OWNED(graze_regions) regions = {0};
  OWNED(graze_containments) containments = {0};
  graze_open_edges edges = {0};
  uint32_t shells, primitive;
  options.curves = true;
  options.depths = true;
  (void)ANSWERS(graze_scene_make_regions(two->scene, two->pairs.pairs, two->pairs.count, &options, &regions));
  (void)ANSWERS(graze_scene_find_regions(two->scene, NULL, &options, &regions));
  (void)ANSWERS(graze_scene_find_containments(two->scene, NULL, &containments));
  (void)ANSWERS(graze_object_find_open_edges(two->scene, two->objects[0], &edges));
  (void)ANSWERS(graze_object_count_inward_shells(two->scene, two->objects[0], &shells, &primitive));
}

static void measure_crowded(two_kinds *two) {
  OWNED(graze_crowding) crowding = {0};
  if (ANSWERS(graze_scene_measure_crowding(two->scene, two->objects[0], &crowding)))
    assert_true(crowding.k >= 1 && crowding.largest > 0.0 && crowding.bound_factor > 0);
}

/* ---------------------------------------------------------------------------------------------- objects */

/* A part of all primitives is the object. */
static void copy_parts(two_kinds *two) {
  graze_object_info info = {.struct_bytes = sizeof info};
  assert_true(ANSWERS(graze_object_get_info(two->scene, two->objects[0], &info)));
  const uint32_t all[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const size_t starts[2] = {0, info.primitive_count};
  size_t bytes = 0;
  if (!ANSWERS(graze_object_measure_parts(two->scene, two->objects[0], all, starts, 1, &bytes))) return;
  OWNED_MEMORY void *part = malloc(bytes);
  bool moved;
  OWNED_BY(release_two) two_kinds copy = make_two(two->kinds[0], two->kinds[1]);
  assert_non_null(part);
  assert_true(ANSWERS(graze_object_write_parts(two->scene, two->objects[0], all, starts, 1, &part)));
  assert_ok(graze_scene_remove_object(copy.scene, copy.objects[0]));
  if (ANSWERS(graze_scene_add_part(copy.scene, part, bytes, &copy.objects[0]))) {
    assert_ok(graze_scene_update(copy.scene));
    assert_ok(graze_scene_find_pairs(copy.scene, NULL, &copy.pairs));
    assert_int_equal(copy.pairs.count, two->pairs.count);
    assert_true(ANSWERS(graze_object_move_to_part(copy.scene, copy.objects[0], part, bytes, &moved)) && moved);
  }
}

/* The box of the object is around those of its primitives, which are around their corners. */
static void read_object(two_kinds *two) {
  graze_object_info info = {.struct_bytes = sizeof info};
  double low[3], high[3], boxes[12][6], points[12][3], radius[4];
  const graze_object object = two->objects[0];
  assert_true(ANSWERS(graze_object_get_info(two->scene, object, &info)));
  assert_true(info.kind == two->kinds[0] && info.primitive_count > 0);
  assert_true(ANSWERS(graze_object_get_box(two->scene, object, low, high)));
  assert_true(ANSWERS(graze_object_get_boxes(two->scene, object, 0, info.primitive_count, &boxes[0][0])));
  for (uint32_t i = 0; i < info.primitive_count; i++) {
    size_t count = 0;
    assert_true(ANSWERS(graze_object_get_corners(two->scene, object, i, 12, &points[0][0], &count)) && count > 0);
    for (int axis = 0; axis < 3; axis++) {
      assert_true(low[axis] <= boxes[i][axis] && boxes[i][3 + axis] <= high[axis]);
      for (size_t k = 0; k < count; k++)
        assert_true(boxes[i][axis] <= points[k][axis] && points[k][axis] <= boxes[i][3 + axis]);
    }
  }
  (void)ANSWERS(graze_object_get_radii(two->scene, object, 0, (graze_output_view){radius, 4, 0, GRAZE_FORMAT_DOUBLE}));
}

static void change_object(two_kinds *two) {
  const graze_object object = two->objects[0];
  const graze_view places = {positions[0], 4, 0, GRAZE_FORMAT_DOUBLE3};
  const graze_view sizes = {radii, 4, 0, GRAZE_FORMAT_DOUBLE};
  const graze_pose here = graze_pose_identity();
  const uint32_t first = 0;
  assert_true(ANSWERS(graze_object_set_pose(two->scene, object, &here)));
  assert_true(ANSWERS(graze_object_set_positions(two->scene, object, 0, places)));
  (void)ANSWERS(graze_object_append_positions(two->scene, object, places, NULL));
  (void)ANSWERS(graze_object_set_radii(two->scene, object, 0, sizes));
  const graze_view three = {corners, 1, 0, GRAZE_FORMAT_UINT32_3}, four = {tetrahedron, 1, 0, GRAZE_FORMAT_UINT32_4};
  (void)ANSWERS(graze_object_append_primitives(two->scene, object, three, NULL));
  (void)ANSWERS(graze_object_append_primitives(two->scene, object, four, NULL));
  (void)ANSWERS(graze_object_append_spheres(two->scene, object, places, sizes, NULL));
  assert_true(ANSWERS(graze_object_remove_primitives(two->scene, object, &first, 1)));
  assert_true(ANSWERS(graze_scene_update(two->scene)));
}

static void share_shape(two_kinds *two) {
  const graze_mesh_def mesh = mesh_at(0);
  graze_shape_def def = graze_shape_def_default();
  graze_shape *shape = NULL;
  def.kind = two->kinds[0];
  def.mesh = &mesh;
  if (!ANSWERS(graze_shape_create(&def, &shape))) return;
  assert_ok(graze_scene_remove_object(two->scene, two->objects[0]));
  assert_true(ANSWERS(graze_scene_add_shape(two->scene, shape, NULL, &two->objects[0])));
  assert_true(ANSWERS(graze_scene_update(two->scene)));
  find_all_pairs(two);
  graze_shape_destroy(shape);
}

/* ---------------------------------------------------------------------------------------------- all */

TEST(each_call_answers_or_refuses) {
  void (*const calls[])(two_kinds * two) = {find_all_pairs,  measure_contacts, measure_distances, group_pairs,
                                            measure_crowded, copy_parts,       read_object,       change_object};
  for (int a = 0; a < KIND_COUNT; a++)
    for (int b = 0; b < KIND_COUNT; b++)
      for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        OWNED_BY(release_two) two_kinds two = make_two((graze_kind)a, (graze_kind)b);
        calls[i](&two);
      }
}

TEST(shapes_answer_or_refuse) {
  for (int a = 0; a < KIND_COUNT; a++)
    for (int b = 0; b < KIND_COUNT; b++) {
      OWNED_BY(release_two) two_kinds two = make_two((graze_kind)a, (graze_kind)b);
      share_shape(&two);
    }
}
