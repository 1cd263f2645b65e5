/* Tests the limits of the kinds of primitives: rejected objects, slots reused by another kind, empty arrays at NULL,
 * excessive sizes, cells whose corners move, and solids that only touch. */
#include "posed_object.h"
#include "small_meshes.h"

#include <math.h>
#include <stdlib.h>

enum { KIND_COUNT = 4 };

static const uint32_t box_faces[24] = {0, 1, 3, 2, 4, 5, 7, 6, 0, 1, 5, 4, 2, 3, 7, 6, 0, 2, 6, 4, 1, 3, 7, 5};
static const uint32_t box_tetrahedra[24] = {0, 1, 3, 7, 0, 1, 5, 7, 0, 2, 3, 7, 0, 2, 6, 7, 0, 4, 5, 7, 0, 4, 6, 7};
static const uint32_t box_face_sizes[6] = {4, 4, 4, 4, 4, 4}, box_cell_size[1] = {6};

/* The cube of side 1 at a corner, for every kind: as six tetrahedra, as one cell, its sides as polygons, and the first
 * three corners of two sides as triangles. */
typedef struct cube {
  double positions[24];
  graze_mesh_def def;
} cube;

static void make_cube(double x, double y, double z, cube *cube_out) {
  for (int i = 0; i < 8; i++) {
    cube_out->positions[3 * i] = x + (i & 1);
    cube_out->positions[3 * i + 1] = y + (i >> 1 & 1);
    cube_out->positions[3 * i + 2] = z + (i >> 2 & 1);
  }
  cube_out->def = graze_mesh_def_default();
  cube_out->def.positions = double_view(cube_out->positions, 8);
  cube_out->def.triangles = index_view(box_faces, 2);
  cube_out->def.tetrahedra = (graze_view){box_tetrahedra, 6, 0, GRAZE_FORMAT_UINT32_4};
  cube_out->def.corners = (graze_view){box_faces, 24, 0, GRAZE_FORMAT_UINT32};
  cube_out->def.face_sizes = (graze_view){box_face_sizes, 6, 0, GRAZE_FORMAT_UINT32};
  cube_out->def.cell_sizes = (graze_view){box_cell_size, 1, 0, GRAZE_FORMAT_UINT32};
}

static graze_object add_cube(graze_scene *scene, int kind, double x, double y, double z) {
  cube made;
  graze_object object = {0, 0};
  make_cube(x, y, z, &made);
  assert_ok(graze_scene_add(scene, (graze_kind)kind, &made.def, NULL, &object));
  return object;
}

/* ---------------------------------------------------------------------------------------------- objects */

/* Refused for its positions before there are elements, and for its elements after there are positions. */
TEST(test_refused_objects_leave_the_answer) {
  OWNED_SCENE *scene = create_scene(NULL);
  add_cube(scene, 3, 0, 0, 0);
  add_cube(scene, 3, 0.5, 0.5, 0.5);
  assert_int_equal(count_pairs_updated(scene), 1);
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    cube bad;
    make_cube(0, 0, 0, &bad);
    bad.positions[5] = NAN;
    assert_int_equal(graze_scene_add(scene, (graze_kind)kind, &bad.def, NULL, NULL), GRAZE_NOT_FINITE);
    assert_int_equal(count_pairs(scene), 1);
    bad.positions[5] = 0.0;
    bad.def.positions.count = 3;
    assert_int_equal(graze_scene_add(scene, (graze_kind)kind, &bad.def, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE);
    assert_int_equal(count_pairs(scene), 1);
  }
}

TEST(test_slots_change_their_kind) {
  OWNED_SCENE *scene = create_scene(NULL);
  add_cube(scene, 3, 0.5, 0.5, 0.5);
  for (int round = 0; round < 2 * KIND_COUNT; round++) {
    const int kind = round * 3 % KIND_COUNT;
    const graze_object object = add_cube(scene, kind, 0, 0, 0);
    assert_int_equal(object.index, 1);
    assert_int_equal(object.generation, round + 1);
    /* All six tetrahedra touch the middle of the cube, where the other begins; so does the second triangle. Of the
     * sides the three upper ones reach into it. */
    assert_int_equal(count_pairs_updated(scene), kind == 0 ? 1 : kind == 1 ? 3 : kind == 2 ? 6 : 1);
    graze_crowding crowding = measure_crowding(scene, object);
    assert_int_equal(crowding.kind, kind);
    graze_crowding_free(&crowding);
    assert_ok(graze_scene_remove_object(scene, object));
    assert_int_equal(count_pairs_updated(scene), 0);
  }
}

TEST(test_objects_of_nothing) {
  OWNED_SCENE *scene = create_scene(NULL);
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    const graze_mesh_def def = graze_mesh_def_default();
    graze_object object;
    assert_ok(graze_scene_add(scene, (graze_kind)kind, &def, NULL, &object));
    assert_int_equal(count_pairs_updated(scene), 0);
    OWNED(graze_crowding) crowding = measure_crowding(scene, object);
    assert_int_equal(crowding.count, 0);
    assert_int_equal(crowding.k, 0);
  }
}

TEST(test_all_is_erased) {
  static const uint32_t numbers[6] = {0, 1, 2, 3, 4, 5}, sizes[KIND_COUNT] = {2, 6, 6, 1};
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    OWNED_SCENE *scene = create_scene(NULL);
    add_cube(scene, 3, 0.5, 0.5, 0.5);
    const graze_object object = add_cube(scene, kind, 0, 0, 0);
    assert_ok(graze_object_remove_primitives(scene, object, numbers, sizes[kind]));
    assert_int_equal(count_pairs_updated(scene), 0);
    graze_crowding crowding = measure_crowding(scene, object);
    assert_int_equal(crowding.primitive_count, 0);
    graze_crowding_free(&crowding);
    assert_int_equal(graze_object_remove_primitives(scene, object, numbers, 1), GRAZE_INDEX_OUT_OF_RANGE);
    const graze_view view = {box_tetrahedra, 1, 0, kind == 0 ? GRAZE_FORMAT_UINT32_3 : GRAZE_FORMAT_UINT32_4};
    uint32_t first = 99;
    const graze_result result = graze_object_append_primitives(scene, object, view, &first);
    assert_int_equal(result, kind == 0 || kind == 2 ? GRAZE_OK : GRAZE_UNSUPPORTED);
    if (kind == 2) assert_int_equal(first, 0);
    assert_int_equal(count_pairs_updated(scene), kind == 2 ? 1 : 0);
  }
}

/* ---------------------------------------------------------------------------------------------- sizes */

/* Refused by the sizes alone: what they would need is never read. */
TEST(test_rings_beyond_reason) {
  const uint32_t size = ((uint32_t)1 << 30) + 1;
  OWNED_SCENE *scene = create_scene(NULL);
  cube made;
  make_cube(0, 0, 0, &made);
  made.def.corners.count = size;
  made.def.face_sizes = (graze_view){&size, 1, 0, GRAZE_FORMAT_UINT32};
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYGON, &made.def, NULL, NULL), GRAZE_TOO_LARGE,
                 "object 0: polygon 0 has 1073741825 corners; at most 1073741824 are supported");
  made.def.face_sizes = (graze_view){(const uint32_t[2]){UINT32_MAX, UINT32_MAX}, 2, 0, GRAZE_FORMAT_UINT32};
  assert_int_equal(graze_scene_add(scene, GRAZE_KIND_POLYGON, &made.def, NULL, NULL), GRAZE_TOO_LARGE);
}

/* Cells of a million corners are rejected in the time of sorting them; otherwise the test would not end. */
TEST(test_cells_of_too_many_corners) {
  enum { CORNERS = 1000000 };
  OWNED_MEMORY double *positions = calloc(3 * CORNERS, sizeof *positions);
  OWNED_MEMORY uint32_t *corners = malloc((CORNERS + 9) * sizeof *corners);
  assert_true(positions != NULL && corners != NULL);
  for (uint32_t i = 0; i < CORNERS + 9; i++) corners[i] = i % CORNERS;
  const uint32_t face_sizes[4] = {CORNERS, 3, 3, 3}, cell_size = 4;
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = double_view(positions, CORNERS);
  def.corners = (graze_view){corners, CORNERS + 9, 0, GRAZE_FORMAT_UINT32};
  def.face_sizes = (graze_view){face_sizes, 4, 0, GRAZE_FORMAT_UINT32};
  def.cell_sizes = (graze_view){&cell_size, 1, 0, GRAZE_FORMAT_UINT32};
  OWNED_SCENE *scene = create_scene(NULL);
  assert_refused(graze_scene_add(scene, GRAZE_KIND_POLYHEDRON, &def, NULL, NULL), GRAZE_TOO_LARGE,
                 "object 0: polyhedron 0 has 1000000 corners; at most 64 are supported");
  for (uint32_t i = 0; i < CORNERS + 9; i++) corners[i] = i % 64;
  assert_int_equal(graze_scene_add(scene, GRAZE_KIND_POLYHEDRON, &def, NULL, NULL), GRAZE_NOT_CONVEX);
}

/* ---------------------------------------------------------------------------------------------- places */

/* A cell is the hull of its corners wherever they are: a corner that is pushed in is inside of the hull of the rest. */
TEST(test_corners_move_after_the_check) {
  OWNED_SCENE *scene = create_scene(NULL);
  const graze_object cell = add_cube(scene, 3, 0, 0, 0);
  add_cube(scene, 3, 0.9, 0.9, 0.9);
  assert_int_equal(count_pairs_updated(scene), 1);
  const double inside[3] = {0.4, 0.4, 0.4}, far_off[3] = {2, 2, 2};
  assert_ok(graze_object_set_positions(scene, cell, 7, double_view(inside, 1)));
  assert_int_equal(count_pairs_updated(scene), 0);
  assert_ok(graze_object_set_positions(scene, cell, 7, double_view(far_off, 1)));
  assert_int_equal(count_pairs_updated(scene), 1);
}

/* Adds the cube of this kind with its corners at `low` and `low + extent`; for the kind after the others, a sphere of
 * radius 0 at each corner. */
static void add_small_cube(graze_scene *scene, int kind, double low, double extent) {
  static const double radii[8] = {0};
  cube made;
  make_cube(0, 0, 0, &made);
  for (int i = 0; i < 24; i++) made.positions[i] = low + made.positions[i] * extent;
  made.def.radii = (graze_view){radii, 8, 0, GRAZE_FORMAT_DOUBLE};
  const graze_result result = graze_scene_add(scene, (graze_kind)kind, &made.def, NULL, NULL);
  assert_true(result == GRAZE_OK || (kind == 3 && result == GRAZE_NOT_CONVEX)); /* a flat cell is refused */
}

static graze_pairs pairs_of_small_cubes(int kind, double low, double extent, const char *method) {
  graze_method_def chosen = graze_method_def_default();
  chosen.name = method;
  graze_pairs pairs = {0};
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BOTH;
  OWNED_SCENE *scene = create_scene(NULL);
  assert_ok(graze_scene_set_method(scene, &chosen));
  for (int i = 0; i < 3; i++) add_small_cube(scene, kind, low, extent);
  assert_ok(graze_scene_update(scene));
  assert_ok(graze_scene_find_pairs(scene, &query, &pairs));
  return pairs;
}

/* Scenes whose extent is 0, some units in the last place, or subnormal: a unit that a ball's box is rounded outward by
 * is then as large as the scene. */
TEST(test_scenes_of_no_extent) {
  static const double lows[] = {0, 0x1p-1074, 1e-310, 5.5, -1e9, 1e300, 1.7e308};
  static const char *const methods[] = {"grid", "tree", "clusters"};
  for (int kind = 0; kind <= KIND_COUNT; kind++)
    for (size_t i = 0; i < sizeof lows / sizeof *lows; i++)
      for (int units = 0; units <= 9; units += 1 + units) {
        const double extent = units * (nextafter(fabs(lows[i]), INFINITY) - fabs(lows[i]));
        OWNED(graze_pairs) wanted = pairs_of_small_cubes(kind, lows[i], extent, "brute");
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
          OWNED(graze_pairs) found = pairs_of_small_cubes(kind, lows[i], extent, methods[k]);
          assert_int_equal(found.count, wanted.count);
          assert_int_equal(found.hash, wanted.hash);
          assert_memory_equal(found.pairs, wanted.pairs, wanted.count * sizeof *wanted.pairs);
        }
      }
}

TEST(test_poses_that_overflow) {
  const double turn[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double far_off[3] = {1.7e308, 0, 0}, zero[3] = {0, 0, 0};
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    OWNED_SCENE *scene = create_scene(NULL);
    const graze_object object = add_cube(scene, kind, 0, 0, 0);
    const double huge[3] = {0, -1.7e308, 0};
    assert_ok(graze_object_set_positions(scene, object, 7, double_view(huge, 1)));
    assert_ok(pose_object(scene, object, turn, far_off));
    assert_int_equal(graze_scene_update(scene), GRAZE_NOT_FINITE);
    assert_ok(pose_object(scene, object, none, zero));
    assert_ok(graze_scene_update(scene));
    OWNED(graze_crowding) crowding = measure_crowding(scene, object);
  }
}

/* ---------------------------------------------------------------------------------------------- measures */

static graze_contact only_contact(graze_scene *scene, double points_out[7][3]) {
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  assert_int_equal(pairs.count, 1);
  OWNED(graze_contacts) contacts = make_contacts(scene, pairs.pairs, 1, NULL);
  for (size_t i = 0; i < contacts.point_count && i < 7; i++)
    memcpy(points_out[i], contacts.points[i], 3 * sizeof(double));
  const graze_contact contact = contacts.contacts[0];
  return contact;
}

/* Cells that share a corner, an edge or a side and no volume: the centroid is where they touch, not where the last of
 * their tetrahedra does not. */
TEST(test_cells_that_touch) {
  static const double offsets[3][3] = {{1, 1, 1}, {1, 1, 0}, {1, 0, 0}};
  for (int i = 0; i < 3; i++) {
    OWNED_SCENE *scene = create_scene(NULL);
    add_cube(scene, 3, 5, 6, 7);
    add_cube(scene, 3, 5 + offsets[i][0], 6 + offsets[i][1], 7 + offsets[i][2]);
    assert_ok(graze_scene_update(scene));
    double points[7][3];
    const graze_contact contact = only_contact(scene, points);
    assert_int_equal(contact.kind, GRAZE_CONTACT_KIND_VOLUME);
    assert_true(contact.volume == 0.0 && contact.depth < 1e-12);
    for (int axis = 0; axis < 3; axis++) {
      const double low = 5 + axis + offsets[i][axis], high = 6 + axis;
      assert_true(contact.centroid[axis] > low - 1e-12 && contact.centroid[axis] < high + 1e-12);
    }
  }
}

/* A side whose corners lie in one plane only nearly is bent outward along a diagonal of the hull; its two triangles may
 * be cut along the other one. A triangle that touches the bend meets the cell, and the contact has the point. */
TEST(test_touch_between_hull_and_sides) {
  for (int diagonal = 0; diagonal < 2; diagonal++) {
    OWNED_SCENE *scene = create_scene(NULL);
    cube bent;
    make_cube(0, 0, 0, &bent);
    bent.positions[3 * (diagonal == 0 ? 4 : 5) + 2] += 0x1p-22;
    bent.positions[3 * (diagonal == 0 ? 7 : 6) + 2] += 0x1p-22;
    assert_ok(graze_scene_add(scene, GRAZE_KIND_POLYHEDRON, &bent.def, NULL, NULL));
    const double tip[9] = {0.5, 0.5, 1 + 0x1p-22, 0, 1, 2, 1, 0, 2};
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = double_view(tip, 3);
    def.triangles = index_view((const uint32_t[3]){0, 1, 2}, 1);
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
    assert_ok(graze_scene_update(scene));
    double points[7][3];
    const graze_contact contact = only_contact(scene, points);
    assert_int_equal(contact.kind, GRAZE_CONTACT_KIND_PARTS);
    assert_true(contact.point_count >= 1 && contact.point_count <= 7);
    for (uint32_t i = 0; i < contact.point_count; i++)
      for (int axis = 0; axis < 3; axis++) assert_true(fabs(points[i][axis] - tip[axis]) < 1e-12);
    for (int axis = 0; axis < 3; axis++) assert_true(fabs(contact.centroid[axis] - tip[axis]) < 1e-12);
  }
}

/* Two tetrahedra that only a plane along an edge of each parts: they are a candidate, and there is no wrench. */
TEST(test_pairs_that_do_not_meet_push_nothing) {
  const double places[24] = {-4, 0, -4, 4, 0, 4, 0, -1, -4, 0, 1, -4, 0, -4, 0.5, 0, 4, 0.5, -1, 0, 3.5, 1, 0, 5.5};
  const uint32_t corners[4] = {0, 1, 2, 3};
  OWNED_SCENE *scene = create_scene(NULL);
  for (int i = 0; i < 2; i++) {
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = double_view(places + 12 * i, 4);
    def.tetrahedra = (graze_view){corners, 1, 0, GRAZE_FORMAT_UINT32_4};
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, NULL));
  }
  assert_int_equal(count_pairs_updated(scene), 0);
  graze_query query = graze_query_default();
  query.candidates_only = true;
  OWNED(graze_pairs) pairs = find_pairs(scene, &query);
  assert_int_equal(pairs.count, 1);
  OWNED(graze_wrenches) wrenches = make_wrenches(scene, pairs.pairs, pairs.count, NULL);
  assert_int_equal(wrenches.count, 0);
}

static double depth_of(const graze_scene *scene, const graze_pair *pair, graze_test test) {
  graze_contact_options options = graze_contact_options_default();
  options.test = test;
  OWNED(graze_contacts) contacts = make_contacts(scene, pair, 1, &options);
  const double depth = contacts.contacts[0].depth;
  return depth;
}

/* Measures are taken as their options say, whatever was asked before. */
TEST(test_options_choose_the_measure) {
  OWNED_SCENE *scene = create_scene(NULL);
  add_cube(scene, 2, 0, 0, 0);
  add_cube(scene, 2, 0.3, 0.1, 0.7);
  assert_ok(graze_scene_update(scene));
  graze_query by_planes = graze_query_default(), by_polytopes = graze_query_default();
  by_polytopes.test = GRAZE_TEST_GJK;
  OWNED(graze_pairs) pairs = find_pairs(scene, &by_planes);
  assert_true(pairs.count > 0 && pairs.count <= 36);
  size_t different = 0;
  for (size_t i = 0; i < pairs.count; i++) {
    bool found;
    const graze_pair *pair = &pairs.pairs[i];
    const double planes = depth_of(scene, pair, GRAZE_TEST_SAT), polytopes = depth_of(scene, pair, GRAZE_TEST_GJK);
    assert_true(fabs(planes - polytopes) < 1e-9);
    different += planes != polytopes;
    assert_ok(graze_scene_any_pair(scene, &by_planes, &found, NULL));
    assert_true(depth_of(scene, pair, GRAZE_TEST_GJK) == polytopes);
    assert_ok(graze_scene_any_pair(scene, &by_polytopes, &found, NULL));
    assert_true(depth_of(scene, pair, GRAZE_TEST_SAT) == planes);
  }
  assert_true(different > 0);
}
