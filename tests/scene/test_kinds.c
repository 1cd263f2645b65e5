/* Compares scenes of every kind of primitive with rational arithmetic on every pair: triangles, convex and concave
 * polygons, tetrahedra, polyhedra and spheres on small lattices, where touching, coplanar and flat cases are frequent.
 * Also tests the pair tests, contacts and wrenches of solids, and errors. */
#include "base/number_sequence.h"
#include "geometry/rational_oracle.h"
#include "geometry/rational_sphere.h"
#include "method_names.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PRIMITIVES = 32, MOST_HULLS = 2, MOST_CORNERS = 8, MOST_VERTICES = MOST_PRIMITIVES * 2 * MOST_CORNERS };

/* A primitive as the reference sees it: one or two hulls of points, or one point and what lies within a radius of it.
 */
typedef struct reference_primitive {
  int hull_count;
  int corner_count[MOST_HULLS];
  double corners[MOST_HULLS][3 * MOST_CORNERS];
  uint32_t vertices[MOST_CORNERS];
  int vertex_count;
  bool is_ball;
  double radius;
} reference_primitive;

/* An object under construction, as mesh and as the reference's list. */
typedef struct test_object {
  mesh mesh;
  reference_primitive primitives[MOST_PRIMITIVES];
  size_t count;
  double positions[3 * MOST_VERTICES], radii[MOST_PRIMITIVES];
  uint32_t indices[MOST_VERTICES * 4];
  uint32_t polygon_first[MOST_PRIMITIVES + 1], face_first[12 * MOST_PRIMITIVES], cell_first[MOST_PRIMITIVES + 1];
} test_object;

static uint64_t below(uint64_t *state, uint64_t bound) {
  return sequence_below(state, bound);
}

static uint32_t add_vertex(test_object *object, const double position[3]) {
  /* Equal places are one vertex now and then, so that there are neighbors. */
  const size_t count = object->mesh.vertex_count++;
  memcpy(object->positions + 3 * count, position, 3 * sizeof *position);
  return (uint32_t)count;
}

static void set_hull(reference_primitive *primitive, const test_object *object, int hull, const uint32_t *vertices,
                     int count) {
  primitive->corner_count[hull] = count;
  for (int i = 0; i < count; i++)
    memcpy(primitive->corners[hull] + 3 * i, object->positions + 3 * (size_t)vertices[i], 3 * sizeof(double));
}

static reference_primitive *add_primitive(test_object *object, const uint32_t *vertices, int count) {
  reference_primitive *primitive = &object->primitives[object->count++];
  *primitive = (reference_primitive){.hull_count = 1, .vertex_count = count};
  memcpy(primitive->vertices, vertices, (size_t)count * sizeof *vertices);
  set_hull(primitive, object, 0, vertices, count);
  return primitive;
}

static void random_place(uint64_t *state, double place_out[3]) {
  for (int axis = 0; axis < 3; axis++) place_out[axis] = (double)below(state, 6);
}

static void random_corners(test_object *object, uint64_t *state, int count, uint32_t *vertices_out) {
  double center[3];
  random_place(state, center);
  for (int i = 0; i < count; i++) {
    double place[3];
    for (int axis = 0; axis < 3; axis++) place[axis] = center[axis] + (double)below(state, 3) - 1.0;
    /* Every fourth corner is one that is there already. */
    vertices_out[i] = object->mesh.vertex_count > 0 && below(state, 4) == 0
                          ? (uint32_t)below(state, object->mesh.vertex_count)
                          : add_vertex(object, place);
  }
}

static void make_triangles(test_object *object, uint64_t *state) {
  for (size_t i = 0; i < MOST_PRIMITIVES; i++) {
    random_corners(object, state, 3, object->indices + 3 * i);
    add_primitive(object, object->indices + 3 * i, 3);
  }
  object->mesh.triangles = object->indices;
  object->mesh.triangle_count = object->mesh.polygon_count = MOST_PRIMITIVES;
}

static void make_tetrahedra(test_object *object, uint64_t *state) {
  object->mesh.kind = MESH_TETRAHEDRA;
  for (size_t i = 0; i < MOST_PRIMITIVES; i++) {
    random_corners(object, state, 4, object->indices + 4 * i);
    add_primitive(object, object->indices + 4 * i, 4);
  }
  object->mesh.tetrahedra = object->indices;
  object->mesh.tetrahedron_count = MOST_PRIMITIVES;
}

/* A parallelogram, or one with a quarter taken out of it: an L of six corners, which is two parallelograms. */
static void make_polygons(test_object *object, uint64_t *state) {
  static const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  uint32_t *corner = object->indices;
  for (size_t i = 0; i < MOST_PRIMITIVES; i++) {
    double origin[3], u[3], v[3];
    random_place(state, origin);
    for (int axis = 0; axis < 3; axis++) {
      u[axis] = (double)below(state, 3) - 1.0;
      v[axis] = (double)below(state, 3) - 1.0;
    }
    const bool bent = below(state, 2) == 0;
    const int first_corner = (int)below(state, 6);
    const int count = bent ? 6 : 4;
    uint32_t ring[6];
    for (int k = 0; k < count; k++) {
      const double *at = bent ? outline[k] : (const double[4][2]){{0, 0}, {1, 0}, {1, 1}, {0, 1}}[k];
      double place[3];
      for (int axis = 0; axis < 3; axis++) place[axis] = origin[axis] + at[0] * u[axis] + at[1] * v[axis];
      ring[k] = add_vertex(object, place);
    }
    object->polygon_first[i] = (uint32_t)(corner - object->indices);
    for (int k = 0; k < count; k++) *corner++ = ring[(k + first_corner) % count];
    reference_primitive *primitive = add_primitive(object, ring, count);
    if (bent) {
      /* From (0, 0) to (2, 1), whose fourth corner (0, 1) is no vertex; and from (0, 1) to (1, 2). */
      double middle[3];
      for (int axis = 0; axis < 3; axis++) middle[axis] = origin[axis] + v[axis];
      const uint32_t lower[3] = {ring[0], ring[1], ring[2]}, upper[3] = {ring[3], ring[4], ring[5]};
      primitive->hull_count = 2;
      set_hull(primitive, object, 0, lower, 3);
      set_hull(primitive, object, 1, upper, 3);
      for (int hull = 0; hull < 2; hull++) {
        memcpy(primitive->corners[hull] + 9, middle, sizeof middle);
        primitive->corner_count[hull] = 4;
      }
    }
  }
  object->polygon_first[MOST_PRIMITIVES] = (uint32_t)(corner - object->indices);
  object->mesh.polygon_first = object->polygon_first;
  object->mesh.corners = object->indices;
  object->mesh.polygon_count = MOST_PRIMITIVES;
}

/* Parallelepipeds of a lattice; where the three directions are in a plane the cell is refused, so they are not. */
static void make_polyhedra(test_object *object, uint64_t *state) {
  static const uint32_t faces[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                       {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
  object->mesh.kind = MESH_POLYHEDRA;
  uint32_t *corner = object->indices;
  size_t face_count = 0;
  for (size_t i = 0; i < MOST_PRIMITIVES / 2; i++) {
    double origin[3], edge[3][3], volume;
    random_place(state, origin);
    do {
      for (int k = 0; k < 9; k++) edge[k / 3][k % 3] = (double)below(state, 3) - 1.0;
      volume = edge[0][0] * (edge[1][1] * edge[2][2] - edge[1][2] * edge[2][1]) -
               edge[0][1] * (edge[1][0] * edge[2][2] - edge[1][2] * edge[2][0]) +
               edge[0][2] * (edge[1][0] * edge[2][1] - edge[1][1] * edge[2][0]);
    } while (volume == 0.0);
    uint32_t vertices[8];
    for (uint32_t k = 0; k < 8; k++) {
      double place[3];
      for (int axis = 0; axis < 3; axis++)
        place[axis] = origin[axis] + ((k & 1u) != 0 ? edge[0][axis] : 0.0) + ((k & 2u) != 0 ? edge[1][axis] : 0.0) +
                      ((k & 4u) != 0 ? edge[2][axis] : 0.0);
      vertices[k] = add_vertex(object, place);
    }
    object->cell_first[i] = (uint32_t)face_count;
    for (int face = 0; face < 6; face++) {
      object->face_first[face_count++] = (uint32_t)(corner - object->indices);
      for (int k = 0; k < 4; k++) *corner++ = vertices[faces[face][k]];
    }
    add_primitive(object, vertices, 8);
  }
  object->cell_first[MOST_PRIMITIVES / 2] = (uint32_t)face_count;
  object->face_first[face_count] = (uint32_t)(corner - object->indices);
  object->mesh.cell_first = object->cell_first;
  object->mesh.face_first = object->face_first;
  object->mesh.face_corners = object->indices;
  object->mesh.cell_count = MOST_PRIMITIVES / 2;
  object->mesh.face_count = face_count;
}

/* Radii are multiples of a quarter, so that many just touch; some are 0. */
static void make_spheres(test_object *object, uint64_t *state) {
  static const double radii[8] = {0.0, 0.5, 0.5, 1.0, 1.0, 1.5, 2.5, 0.25};
  object->mesh.kind = MESH_SPHERES;
  for (size_t i = 0; i < MOST_PRIMITIVES; i++) {
    double center[3];
    random_place(state, center);
    for (int axis = 0; axis < 3; axis++) center[axis] += 0.5 * (double)below(state, 2);
    const uint32_t vertex = add_vertex(object, center);
    reference_primitive *primitive = add_primitive(object, &vertex, 1);
    primitive->is_ball = true;
    primitive->radius = object->radii[i] = radii[below(state, 8)];
  }
  object->mesh.radii = object->radii;
}

enum { KIND_COUNT = 5 };

static void make_object(test_object *object, int kind, uint64_t seed) {
  static void (*const makers[KIND_COUNT])(test_object *, uint64_t *) = {make_triangles, make_polygons, make_tetrahedra,
                                                                        make_polyhedra, make_spheres};
  uint64_t state = seed;
  memset(object, 0, sizeof *object);
  object->mesh.positions = object->positions;
  makers[kind](object, &state);
}

/* ---------------------------------------------------------------------------------------------- the reference */

static bool share_vertex(const reference_primitive *a, const reference_primitive *b) {
  for (int i = 0; i < a->vertex_count; i++)
    for (int j = 0; j < b->vertex_count; j++)
      if (a->vertices[i] == b->vertices[j]) return true;
  return false;
}

static rational_sphere *sphere_oracle;

static bool reference_ball_meets(const reference_primitive *ball, const reference_primitive *other) {
  if (other->is_ball)
    return rational_sphere_pair_order(sphere_oracle, ball->corners[0], ball->radius, other->corners[0],
                                      other->radius) <= 0;
  for (int i = 0; i < other->hull_count; i++)
    if (rational_sphere_hull_intersects(sphere_oracle, ball->corners[0], ball->radius, other->corners[i],
                                        (uint32_t)other->corner_count[i]))
      return true;
  return false;
}

static bool reference_meets(rational_oracle *oracle, const reference_primitive *a, const reference_primitive *b) {
  if (a->is_ball || b->is_ball) return a->is_ball ? reference_ball_meets(a, b) : reference_ball_meets(b, a);
  for (int i = 0; i < a->hull_count; i++)
    for (int j = 0; j < b->hull_count; j++)
      if (rational_oracle_hulls_intersect(oracle, a->corners[i], a->corner_count[i], b->corners[j], b->corner_count[j]))
        return true;
  return false;
}

/* All pairs in order, neighbors skipped. */
static pair_answer reference_scene(rational_oracle *oracle, const test_object *objects, size_t object_count) {
  const size_t most = object_count * object_count * MOST_PRIMITIVES * MOST_PRIMITIVES;
  pair_answer answer = {.pairs = malloc(most * sizeof(graze_pair))};
  assert_non_null(answer.pairs);
  for (uint32_t oa = 0; oa < object_count; oa++)
    for (uint32_t a = 0; a < objects[oa].count; a++)
      for (uint32_t ob = oa; ob < object_count; ob++)
        for (uint32_t b = ob == oa ? a + 1 : 0; b < objects[ob].count; b++) {
          const reference_primitive *p = &objects[oa].primitives[a], *q = &objects[ob].primitives[b];
          if (oa == ob && share_vertex(p, q)) continue;
          if (reference_meets(oracle, p, q)) answer.pairs[answer.count++] = (graze_pair){oa, a, ob, b};
        }
  answer.hash = graze_pairs_hash(answer.pairs, answer.count);
  return answer;
}

static void compare_variants(const test_object *objects, size_t object_count, const pair_answer *wanted) {
  mesh meshes[KIND_COUNT];
  for (size_t i = 0; i < object_count; i++) meshes[i] = objects[i].mesh;
  static const graze_test tests[2] = {GRAZE_TEST_SAT, GRAZE_TEST_GJK};
  for (size_t method = 0; method <= method_name_count(); method++)
    for (int test = 0; test < 2; test++)
      for (int as_float = 0; as_float < 2; as_float++) {
        running_variant variant = running_variant_reference();
        variant.method = method < method_name_count() ? method_name_at(method) : "clusters 4";
        variant.simd = method == 0 ? GRAZE_SIMD_SCALAR : GRAZE_SIMD_AUTO;
        variant.worker_count = 1 + (uint32_t)as_float;
        variant.threading = GRAZE_THREADING_AUTO;
        variant.as_float = as_float != 0;
        char words[128];
        running_variant_words(&variant, words, sizeof words);
        OWNED_SCENE *scene = runner_scene(&variant, meshes, object_count, NULL);
        graze_query query = graze_query_default();
        query.test = tests[test];
        OWNED(pair_answer) found = runner_find(scene, &query);
        runner_compare(wanted, &found, "kinds", words);
      }
}

TEST(test_every_pair_of_every_kind) {
  rational_oracle *oracle = rational_oracle_create();
  sphere_oracle = rational_sphere_create();
  static test_object objects[KIND_COUNT];
  const uint64_t rounds = test_scaled(40, 4);
  uint64_t met = 0;
  for (uint64_t round = 0; round < rounds; round++) {
    for (int kind = 0; kind < KIND_COUNT; kind++)
      make_object(&objects[kind], kind, round * KIND_COUNT + (uint64_t)kind);
    OWNED(pair_answer) wanted = reference_scene(oracle, objects, KIND_COUNT);
    compare_variants(objects, KIND_COUNT, &wanted);
    met += wanted.count;
  }
  assert_true(met > 100 * rounds);
  rational_oracle_destroy(oracle);
  rational_sphere_destroy(sphere_oracle);
}

/* ---------------------------------------------------------------------------------------------- contacts */

/* A box as one polyhedron or as six tetrahedra around its diagonal. */
static const uint32_t box_faces[24] = {0, 1, 3, 2, 4, 5, 7, 6, 0, 1, 5, 4, 2, 3, 7, 6, 0, 2, 6, 4, 1, 3, 7, 5};
static const uint32_t box_tetrahedra[24] = {0, 1, 3, 7, 0, 1, 5, 7, 0, 2, 3, 7, 0, 2, 6, 7, 0, 4, 5, 7, 0, 4, 6, 7};
static const uint32_t box_face_sizes[6] = {4, 4, 4, 4, 4, 4}, box_cell_size[1] = {6};

static void box_positions(const double low[3], const double high[3], double positions_out[24]) {
  for (int k = 0; k < 8; k++)
    for (int axis = 0; axis < 3; axis++) positions_out[3 * k + axis] = (k >> axis & 1) != 0 ? high[axis] : low[axis];
}

static graze_object add_box(graze_scene *scene, const double low[3], const double high[3], bool as_tetrahedra) {
  double positions[24];
  box_positions(low, high, positions);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, 8, 0, GRAZE_FORMAT_DOUBLE3};
  graze_object object = {0, 0};
  if (as_tetrahedra) {
    def.tetrahedra = (graze_view){box_tetrahedra, 6, 0, GRAZE_FORMAT_UINT32_4};
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, &object));
  } else {
    def.corners = (graze_view){box_faces, 24, 0, GRAZE_FORMAT_UINT32};
    def.face_sizes = (graze_view){box_face_sizes, 6, 0, GRAZE_FORMAT_UINT32};
    def.cell_sizes = (graze_view){box_cell_size, 1, 0, GRAZE_FORMAT_UINT32};
    assert_ok(graze_scene_add(scene, GRAZE_KIND_POLYHEDRON, &def, NULL, &object));
  }
  return object;
}

/* Two boxes that share a known box: volume, centroid, and a push that separates them along the shortest way. */
TEST(test_wrench_of_boxes) {
  for (int variant = 0; variant < 8; variant++) {
    OWNED_SCENE *scene = create_scene(NULL);
    add_box(scene, (const double[3]){0, 0, 0}, (const double[3]){4, 4, 4}, (variant & 1) != 0);
    add_box(scene, (const double[3]){1, 1, 3.5}, (const double[3]){3, 3, 7}, (variant & 2) != 0);
    assert_ok(graze_scene_update(scene));
    graze_query query = graze_query_default();
    query.scope = GRAZE_SCOPE_BETWEEN;
    query.test = (variant & 4) != 0 ? GRAZE_TEST_GJK : GRAZE_TEST_SAT;
    OWNED(graze_pairs) pairs = find_pairs(scene, &query);
    graze_contact_options options = graze_contact_options_default();
    options.stiffness = 10.0;
    options.force = GRAZE_FORCE_VOLUME;
    options.test = query.test;
    OWNED(graze_wrenches) wrenches = make_wrenches(scene, pairs.pairs, pairs.count, &options);
    assert_int_equal(wrenches.count, 1);
    const graze_wrench *wrench = &wrenches.wrenches[0];
    assert_int_equal(wrench->pair_count, pairs.count);
    assert_true(fabs(wrench->volume - 2.0) < 1e-12);
    const double centroid[3] = {2.0, 2.0, 3.75};
    for (int axis = 0; axis < 3; axis++) assert_true(fabs(wrench->centroid[axis] - centroid[axis]) < 1e-12);
    assert_true(fabs(wrench->force[2] - 20.0) < 1e-9);
    assert_true(fabs(wrench->force[0]) < 1e-9 && fabs(wrench->force[1]) < 1e-9);
    assert_true(fabs(wrench->torque[0] - 40.0) < 1e-8 && fabs(wrench->torque[1] + 40.0) < 1e-8);
    if ((variant & 3) == 0) {
      graze_contact_options contact_options = graze_contact_options_default();
      contact_options.test = query.test;
      OWNED(graze_contacts) contacts = make_contacts(scene, pairs.pairs, pairs.count, &contact_options);
      assert_int_equal(contacts.contacts[0].kind, GRAZE_CONTACT_KIND_VOLUME);
      assert_true(fabs(contacts.contacts[0].depth - 0.5) < 1e-9);
      assert_true(fabs(contacts.contacts[0].normal[2] - 1.0) < 1e-9);
    }
  }
}

/* A triangle through a tetrahedron, in both orders of the objects: the same points, opposite normals. */
TEST(test_contact_of_surface_and_solid) {
  const double solid[12] = {0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4}, sheet[9] = {-9, -9, 1, 9, -9, 1, 0, 18, 1};
  const uint32_t corners[4] = {0, 1, 2, 3};
  double normal[2][3];
  for (int order = 0; order < 2; order++) {
    OWNED_SCENE *scene = create_scene(NULL);
    for (int i = 0; i < 2; i++) {
      graze_mesh_def def = graze_mesh_def_default();
      if ((i ^ order) == 0) {
        def.positions = (graze_view){solid, 4, 0, GRAZE_FORMAT_DOUBLE3};
        def.tetrahedra = (graze_view){corners, 1, 0, GRAZE_FORMAT_UINT32_4};
        assert_ok(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, NULL));
      } else {
        def.positions = (graze_view){sheet, 3, 0, GRAZE_FORMAT_DOUBLE3};
        def.triangles = (graze_view){corners, 1, 0, GRAZE_FORMAT_UINT32_3};
        assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
      }
    }
    assert_ok(graze_scene_update(scene));
    OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
    assert_int_equal(pairs.count, 1);
    OWNED(graze_contacts) contacts = make_contacts(scene, pairs.pairs, 1, NULL);
    const graze_contact *contact = &contacts.contacts[0];
    assert_int_equal(contact->kind, GRAZE_CONTACT_KIND_POLYGON);
    assert_int_equal(contact->point_count, 3);
    assert_true(fabs(contact->centroid[0] - 1.0) < 1e-12 && fabs(contact->centroid[2] - 1.0) < 1e-12);
    assert_true(fabs(contact->depth - 1.0) < 1e-12);
    memcpy(normal[order], contact->normal, sizeof normal[order]);
    OWNED(graze_wrenches) wrenches = make_wrenches(scene, pairs.pairs, pairs.count, NULL);
    assert_int_equal(wrenches.count, 0);
  }
  for (int axis = 0; axis < 3; axis++) assert_true(normal[0][axis] == -normal[1][axis]);
}

/* Two L-shaped polygons that cross twice: the points of both segments. */
TEST(test_contact_of_polygons) {
  const double positions[30] = {0,  0, 0,  4, 0,  0,  4, 1,  0, 1,  1, 0,
                                1,  4, 0,  0, 4,  0,                       /* an L in the plane z = 0 */
                                -1, 5, -1, 5, -1, -1, 5, -1, 1, -1, 5, 1}; /* a sheet across both arms */
  const uint32_t corners[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, sizes[2] = {6, 4};
  OWNED_SCENE *scene = create_scene(NULL);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, 10, 0, GRAZE_FORMAT_DOUBLE3};
  def.corners = (graze_view){corners, 10, 0, GRAZE_FORMAT_UINT32};
  def.face_sizes = (graze_view){sizes, 2, 0, GRAZE_FORMAT_UINT32};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL));
  assert_ok(graze_scene_update(scene));
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  assert_int_equal(pairs.count, 1);
  OWNED(graze_contacts) contacts = make_contacts(scene, pairs.pairs, 1, NULL);
  assert_int_equal(contacts.contacts[0].kind, GRAZE_CONTACT_KIND_PARTS);
  assert_true(contacts.point_count >= 4 && contacts.contacts[0].point_count == contacts.point_count);
  bool near_x = false, near_y = false;
  for (size_t i = 0; i < contacts.point_count; i++) {
    const double *point = contacts.points[i];
    assert_true(fabs(point[0] + point[1] - 4.0) < 1e-12 && point[2] == 0.0);
    assert_true(point[0] <= 1.0 + 1e-12 || point[1] <= 1.0 + 1e-12);
    near_x = near_x || point[0] <= 1e-12;
    near_y = near_y || point[1] <= 1e-12;
  }
  assert_true(near_x && near_y);
}

/* ---------------------------------------------------------------------------------------------- what is counted */

TEST(test_inverted_and_flat_are_counted) {
  const double positions[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0};
  const uint32_t tetrahedra[16] = {0, 1, 2, 3, 0, 2, 1, 3, 0, 1, 2, 4, 0, 1, 1, 3};
  OWNED_SCENE *scene = create_scene(NULL);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){positions, 5, 0, GRAZE_FORMAT_DOUBLE3};
  def.tetrahedra = (graze_view){tetrahedra, 4, 0, GRAZE_FORMAT_UINT32_4};
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, &object));
  assert_ok(graze_scene_update(scene));
  graze_counters counters = runner_counters(scene);
  assert_int_equal(counters.primitives, 4);
  assert_int_equal(counters.inverted, 1);
  assert_int_equal(counters.flat, 2);
  assert_int_equal(counters.repeated_index, 1);
  const uint32_t erased[1] = {2};
  assert_ok(graze_object_remove_primitives(scene, object, erased, 1));
  uint32_t first;
  assert_ok(
      graze_object_append_primitives(scene, object, (graze_view){tetrahedra, 1, 0, GRAZE_FORMAT_UINT32_4}, &first));
  assert_int_equal(first, 4);
  assert_ok(graze_scene_update(scene));
  counters = runner_counters(scene);
  assert_int_equal(counters.primitives, 4);
  assert_int_equal(counters.flat, 1);
}

/* ---------------------------------------------------------------------------------------------- what is refused */

typedef struct refusal {
  graze_kind kind;
  const uint32_t *corners;
  size_t corner_count;
  const uint32_t *face_sizes;
  size_t face_count;
  const uint32_t *cell_sizes;
  size_t cell_count;
  graze_result result;
  const char *message;
} refusal;

TEST(test_refusals) {
  double positions[27];
  box_positions((const double[3]){0, 0, 0}, (const double[3]){1, 1, 1}, positions);
  positions[24] = positions[25] = positions[26] = 0.5; /* a vertex in the middle: a face through it is a dent */
  static const uint32_t thin[3] = {0, 1, 2}, two[1] = {2}, four[1] = {4}, seven[1] = {7}, three[1] = {3};
  static const uint32_t outside[3] = {0, 1, 9};
  static const uint32_t dented[27] = {0, 1, 3, 2, 4, 5, 7, 6, 0, 1, 5, 4, 2, 3, 7, 6, 0, 2, 6, 4, 1, 3, 8, 3, 7, 8, 7};
  static const uint32_t dented_sizes[7] = {4, 4, 4, 4, 4, 3, 4};
  const refusal refusals[] = {
      {GRAZE_KIND_POLYGON, thin, 2, two, 1, NULL, 0, GRAZE_INVALID_ARGUMENT,
       "object 0 (file): polygon 0 has 2 corners; at least 3 are required"},
      {GRAZE_KIND_POLYGON, thin, 3, four, 1, NULL, 0, GRAZE_INVALID_ARGUMENT,
       "object 0 (file): the sizes of 1 polygons sum to 4 corners; 3 are given"},
      {GRAZE_KIND_POLYGON, outside, 3, three, 1, NULL, 0, GRAZE_INDEX_OUT_OF_RANGE,
       "object 0 (file): polygon 0 refers to vertex 9 at corner 2; the object has 9 vertices"},
      {GRAZE_KIND_POLYHEDRON, box_faces, 24, box_face_sizes, 6, three, 1, GRAZE_INVALID_ARGUMENT,
       "object 0 (file): polyhedron 0 has 3 faces; at least 4 are required"},
      {GRAZE_KIND_POLYHEDRON, dented, 27, dented_sizes, 7, seven, 1, GRAZE_NOT_CONVEX, NULL},
      {GRAZE_KIND_POLYHEDRON, box_faces, 20, box_face_sizes, 5, (const uint32_t[1]){5}, 1, GRAZE_NOT_CONVEX, NULL},
  };
  for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
    const refusal *r = &refusals[i];
    OWNED_SCENE *scene = create_scene(NULL);
    graze_mesh_def def = graze_mesh_def_default();
    def.name = "file";
    def.positions = (graze_view){positions, 9, 0, GRAZE_FORMAT_DOUBLE3};
    def.corners = (graze_view){r->corners, r->corner_count, 0, GRAZE_FORMAT_UINT32};
    def.face_sizes = (graze_view){r->face_sizes, r->face_count, 0, GRAZE_FORMAT_UINT32};
    def.cell_sizes = (graze_view){r->cell_sizes, r->cell_count, 0, GRAZE_FORMAT_UINT32};
    assert_int_equal(graze_scene_add(scene, r->kind, &def, NULL, NULL), r->result);
    if (r->message != NULL)
      assert_string_equal(graze_error_text(), r->message);
    else
      assert_non_null(strstr(graze_error_text(), "object 0 (file): polyhedron 0 is not convex: "));
    assert_ok(graze_scene_update(scene));
  }
}

TEST(test_beyond_is_for_surfaces) {
  OWNED_SCENE *scene = create_scene(NULL);
  add_box(scene, (const double[3]){0, 0, 0}, (const double[3]){1, 1, 1}, true);
  assert_ok(graze_scene_update(scene));
  graze_query query = graze_query_default();
  query.neighbors = GRAZE_NEIGHBORS_BEYOND;
  OWNED(graze_pairs) pairs = {0};
  assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_UNSUPPORTED);
  assert_string_equal(graze_error_text(),
                      "object 0: pairs of tetrahedra within an object support only the neighbor rule skip");
  query.scope = GRAZE_SCOPE_BETWEEN;
  assert_ok(graze_scene_find_pairs(scene, &query, &pairs));
}

/* A cube of quadrilaterals folds onto itself: a face whose neighbor lies flat on it is found beyond the common edge.
 */
TEST(test_polygons_beyond) {
  const double positions[18] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0, 1, 1, 0, 2, 1, 0};
  const uint32_t corners[8] = {0, 1, 2, 3, 1, 0, 4, 5}, sizes[2] = {4, 4}; /* both turn to the same side of edge 0-1 */
  for (int beyond = 0; beyond < 2; beyond++) {
    OWNED_SCENE *scene = create_scene(NULL);
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = (graze_view){positions, 6, 0, GRAZE_FORMAT_DOUBLE3};
    def.corners = (graze_view){corners, 8, 0, GRAZE_FORMAT_UINT32};
    def.face_sizes = (graze_view){sizes, 2, 0, GRAZE_FORMAT_UINT32};
    assert_ok(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, NULL));
    assert_ok(graze_scene_update(scene));
    graze_query query = graze_query_default();
    query.neighbors = beyond != 0 ? GRAZE_NEIGHBORS_BEYOND : GRAZE_NEIGHBORS_SKIP;
    OWNED(graze_pairs) pairs = find_pairs(scene, &query);
    assert_int_equal(pairs.count, (size_t)beyond);
  }
}

/* Two tetrahedra that share much, at every power of two: no tolerance decides. libccd 2.1, after which the thesis on
 * tetrahedral kDet has its GJK, finds them at 1 and at 1/256 and not from 1/512 to 1/4096. */
TEST(test_small_tetrahedra_meet) {
  static const double corners[8][3] = {{0, 0, 0},
                                       {1, 0, 0},
                                       {0, 1, 0},
                                       {0, 0, 1},
                                       {0.25, 0.125, 0.125},
                                       {1.25, 0.125, 0.125},
                                       {0.25, 1.125, 0.125},
                                       {0.25, 0.125, 1.125}};
  static const uint32_t tetrahedra[2][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  static const graze_test tests[2] = {GRAZE_TEST_SAT, GRAZE_TEST_GJK};
  for (int exponent = 0; exponent >= -300; exponent -= exponent > -16 ? 1 : 20) {
    double positions[8][3];
    for (int i = 0; i < 24; i++) positions[i / 3][i % 3] = ldexp(corners[i / 3][i % 3], exponent);
    OWNED_SCENE *scene = NULL;
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = (graze_view){positions, 8, 0, GRAZE_FORMAT_DOUBLE3};
    def.tetrahedra = (graze_view){tetrahedra, 2, 0, GRAZE_FORMAT_UINT32_4};
    assert_ok(graze_scene_create(NULL, &scene));
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, NULL));
    assert_ok(graze_scene_update(scene));
    for (int i = 0; i < 2; i++) {
      graze_query query = graze_query_default();
      query.test = tests[i];
      OWNED(graze_pairs) pairs = find_pairs(scene, &query);
      assert_int_equal(pairs.count, 1);
    }
  }
}
