/* Tests objects inside others: generated scenes against winding numbers in rational arithmetic, for every way of
 * running; and the guarantees of the calls: posed coordinates, components, cavities, orientation, filters, open
 * surfaces, errors.
 *
 * Coordinates are halves of small integers, so that vertical lines often hit corners and edges. Runs on a device if
 * GRAZE_TEST_BACKEND selects one. */
#include "base/number_sequence.h"
#include "graze/containment.h"
#include "graze/regions.h"
#include "posed_object.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "test_scale.h"
#include "winding_oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const running_variant variants[] = {
    {"brute", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"grid", GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_PTHREADS, NULL, false},
    {"tree", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false},
    {"clusters 7", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_AUTO, &host_runs_shuffled, false},
};
enum { VARIANTS = sizeof variants / sizeof variants[0], PART_CORNERS = 8, PARTS_MOST = 4, OBJECTS_MOST = 48 };

/* ---------------------------------------------------------------------------------------------- bodies */

/* A surface, or spheres where there are radii. */
typedef struct body {
  double positions[3 * PART_CORNERS * PARTS_MOST];
  double radii[PARTS_MOST];
  uint32_t triangles[36 * PARTS_MOST];
  size_t vertex_count, triangle_count;
  bool is_spheres;
  bool as_polygons;
  uint64_t mask;
} body;

static const uint32_t box_triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                           2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
static const uint32_t tetrahedron_triangles[12] = {0, 2, 1, 0, 1, 4, 0, 4, 2, 1, 2, 4};

/* A box with bits of x, y, z for the numbers of its corners. Its top may be drawn together to a ridge along x or y, so
 * that what lies below the middle has an edge straight above it, or to a point, and then has flat triangles. Of a
 * tetrahedron corners 0, 1, 2 and 4 are used. */
typedef enum part_form { PART_BOX, PART_RIDGE_X, PART_RIDGE_Y, PART_PEAK, PART_TETRAHEDRON, PART_FORMS } part_form;

static double corner_place(part_form form, uint32_t corner, uint32_t axis) {
  const bool is_top = (corner & 4) != 0;
  if (is_top && axis == 1 && (form == PART_RIDGE_X || form == PART_PEAK)) return 0.0;
  if (is_top && axis == 0 && (form == PART_RIDGE_Y || form == PART_PEAK)) return 0.0;
  return (corner >> axis & 1) != 0 ? 1.0 : -1.0;
}

/* Facing inward where it is turned. */
static void add_part(body *to, const double center[3], double half, part_form form, bool turned) {
  const bool tetrahedron = form == PART_TETRAHEDRON;
  const uint32_t first = (uint32_t)to->vertex_count;
  const uint32_t *triangles = tetrahedron ? tetrahedron_triangles : box_triangles;
  const size_t count = tetrahedron ? 4 : 12;
  for (uint32_t corner = 0; corner < PART_CORNERS; corner++)
    for (uint32_t axis = 0; axis < 3; axis++)
      to->positions[3 * (first + corner) + axis] = center[axis] + half * corner_place(form, corner, axis);
  to->vertex_count += PART_CORNERS;
  for (size_t i = 0; i < count; i++, to->triangle_count++)
    for (size_t k = 0; k < 3; k++)
      to->triangles[3 * to->triangle_count + k] = first + triangles[3 * i + (turned ? 2 - k : k)];
}

static body box_body(double x, double half) {
  body made = {.mask = ~UINT64_C(0)};
  const double center[3] = {x, 0, 0};
  add_part(&made, center, half, PART_BOX, false);
  return made;
}

static void add_sphere(body *to, const double center[3], double radius) {
  memcpy(to->positions + 3 * to->vertex_count, center, 3 * sizeof *center);
  to->radii[to->vertex_count++] = radius;
}

/* One to three parts, at times with a cavity, an edge that is open, spheres. */
static body random_body(uint64_t *seed, double spread) {
  body made = {.mask = ~UINT64_C(0)};
  const size_t parts = 1 + sequence_below(seed, 4) / 2;
  made.is_spheres = sequence_below(seed, 6) == 0;
  made.as_polygons = sequence_below(seed, 4) == 0;
  for (size_t i = 0; i < parts; i++) {
    double center[3];
    for (int axis = 0; axis < 3; axis++)
      center[axis] = ((double)sequence_below(seed, (uint64_t)(2 * spread) + 1) - spread) * 0.5;
    const double half = 0.25 * (double)(1 + sequence_below(seed, 16) * sequence_below(seed, 3));
    const part_form form = (part_form)sequence_below(seed, PART_FORMS);
    const bool turned = sequence_below(seed, 3) == 0;
    if (made.is_spheres) {
      add_sphere(&made, center, 0.25 * half);
      continue;
    }
    add_part(&made, center, half, form, turned);
    if (i == 0 && sequence_below(seed, 3) == 0) add_part(&made, center, 0.5 * half, form, !turned);
  }
  if (!made.is_spheres && sequence_below(seed, 6) == 0) made.triangle_count--; /* the last part is open */
  if (sequence_below(seed, 8) == 0) made.mask = 2;
  return made;
}

static graze_object add_body(graze_scene *scene, const body *made) {
  static const uint32_t three[12 * PARTS_MOST] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
                                                  3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3,
                                                  3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  graze_object object;
  graze_result result;
  def.positions = double_view(made->positions, made->vertex_count);
  placed.mask = made->mask;
  if (made->is_spheres) {
    def.radii = (graze_view){made->radii, made->vertex_count, 0, GRAZE_FORMAT_DOUBLE};
    result = graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, &placed, &object);
  } else if (made->as_polygons) {
    def.corners = (graze_view){made->triangles, 3 * made->triangle_count, 0, GRAZE_FORMAT_UINT32};
    def.face_sizes = (graze_view){three, made->triangle_count, 0, GRAZE_FORMAT_UINT32};
    result = graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, &placed, &object);
  } else {
    def.triangles = index_view(made->triangles, made->triangle_count);
    result = graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object);
  }
  assert_ok(result);
  return object;
}

static const double turned_a_little[9] = {0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1};

static graze_scene *make_scene(const running_variant *variant, const body *bodies, size_t count, bool posed) {
  static const double translations[3][3] = {{0.1, 0, 0}, {0, -0.3, 0.7}, {0, 0, 0}};
  graze_scene *scene = runner_scene(variant, NULL, 0, NULL);
  for (size_t i = 0; i < count; i++) {
    const graze_object object = add_body(scene, &bodies[i]);
    if (posed && i % 3 != 2) assert_ok(pose_object(scene, object, turned_a_little, translations[i % 2]));
  }
  assert_ok(graze_scene_update(scene));
  return scene;
}

/* ---------------------------------------------------------------------------------------------- the oracle */

typedef struct wanted_list {
  graze_containment list[OBJECTS_MOST * OBJECTS_MOST];
  size_t count, entire, partial;
} wanted_list;

static bool same_edge(const double *positions, const uint32_t *a, const uint32_t *b) {
  return memcmp(positions + 3 * (size_t)a[0], positions + 3 * (size_t)b[0], 3 * sizeof(double)) == 0 &&
         memcmp(positions + 3 * (size_t)a[1], positions + 3 * (size_t)b[1], 3 * sizeof(double)) == 0;
}

/* How often the directed edge is there. */
static size_t count_edge(const double *positions, const body *made, const uint32_t edge[2]) {
  size_t count = 0;
  for (size_t i = 0; i < 3 * made->triangle_count; i++) {
    const uint32_t other[2] = {made->triangles[i], made->triangles[i % 3 == 2 ? i - 2 : i + 1]};
    count += same_edge(positions, edge, other);
  }
  return count;
}

static bool is_closed(const double *positions, const body *made) {
  for (size_t i = 0; i < 3 * made->triangle_count; i++) {
    const uint32_t edge[2] = {made->triangles[i], made->triangles[i % 3 == 2 ? i - 2 : i + 1]};
    const uint32_t back[2] = {edge[1], edge[0]};
    if (count_edge(positions, made, edge) != count_edge(positions, made, back)) return false;
  }
  return true;
}

static bool touch(const graze_object_pairs *touching, uint32_t a, uint32_t b) {
  for (size_t i = 0; i < touching->count; i++)
    if (touching->pairs[i].object_a == (a < b ? a : b) && touching->pairs[i].object_b == (a < b ? b : a)) return true;
  return false;
}

typedef double posed_positions[3 * PART_CORNERS * PARTS_MOST];

static void fetch_positions(const graze_scene *scene, const body *bodies, size_t count, posed_positions *posed) {
  for (uint32_t i = 0; i < count; i++) {
    const graze_output_view view = {posed[i], bodies[i].vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    assert_ok(graze_object_get_posed_positions(scene, (graze_object){i, 1}, 0, view));
  }
}

/* Points outside of the box of all corners need no arithmetic. */
static bool is_inside(const double *positions, const body *outer, const double point[3]) {
  for (int axis = 0; axis < 3; axis++) {
    double least = INFINITY, greatest = -INFINITY;
    for (size_t i = 0; i < outer->vertex_count; i++) {
      least = fmin(least, positions[3 * i + (size_t)axis]);
      greatest = fmax(greatest, positions[3 * i + (size_t)axis]);
    }
    if (point[axis] < least || point[axis] > greatest) return false;
  }
  return winding_oracle(positions, outer->triangles, outer->triangle_count, point) != 0;
}

static uint32_t count_inside(const double *outer_positions, const body *outer, const double *positions,
                             const body *inner) {
  uint32_t count = 0;
  if (inner->is_spheres) {
    for (size_t i = 0; i < inner->vertex_count; i++) count += is_inside(outer_positions, outer, positions + 3 * i);
    return count;
  }
  for (size_t i = 0; i < inner->triangle_count; i++)
    count += is_inside(outer_positions, outer, positions + 3 * (size_t)inner->triangles[3 * i + 1]);
  return count;
}

static void find_wanted(const graze_scene *scene, const body *bodies, size_t count, wanted_list *wanted) {
  static posed_positions posed[OBJECTS_MOST];
  *wanted = (wanted_list){.count = 0};
  OWNED(graze_object_pairs) touching = find_object_pairs(scene, NULL);
  fetch_positions(scene, bodies, count, posed);
  for (uint32_t inner = 0; inner < count; inner++)
    for (uint32_t outer = 0; outer < count; outer++) {
      const body *in = &bodies[inner], *out = &bodies[outer];
      if (inner == outer || out->is_spheres || (in->mask & 1) == 0 || (out->mask & 1) == 0) continue;
      if (touch(&touching, inner, outer) || !is_closed(posed[outer], out)) continue;
      const uint32_t inside = count_inside(posed[outer], out, posed[inner], in);
      const uint32_t all = (uint32_t)(in->is_spheres ? in->vertex_count : in->triangle_count);
      if (inside == 0) continue;
      wanted->list[wanted->count++] = (graze_containment){inner, outer, inside, all};
      if (inside == all)
        wanted->entire++;
      else
        wanted->partial++;
    }
}

static void check_list(const graze_containments *found, const wanted_list *wanted, const char *words, uint64_t number) {
  bool same = found->count == wanted->count;
  for (size_t i = 0; same && i < found->count; i++)
    same = memcmp(&found->containments[i], &wanted->list[i], sizeof wanted->list[i]) == 0;
  if (!same)
    fail_msg("%s, scene %llu: %zu found, %zu wanted", words, (unsigned long long)number, found->count, wanted->count);
}

/* With and without the objects that touch handed in. */
static void check_scene(const running_variant *variant, const body *bodies, size_t count, bool posed, uint64_t number,
                        const wanted_list *wanted) {
  OWNED_SCENE *scene = make_scene(variant, bodies, count, posed);
  OWNED(graze_containments) found = {0};
  graze_containment_options options = graze_containment_options_default();
  char words[128];
  running_variant_words(variant, words, sizeof words);
  assert_ok(graze_scene_find_containments(scene, NULL, &found));
  check_list(&found, wanted, words, number);
  OWNED(graze_object_pairs) touching = find_object_pairs(scene, NULL);
  options.touching = touching.pairs;
  options.touching_count = touching.count;
  assert_ok(graze_scene_find_containments(scene, &options, &found));
  check_list(&found, wanted, words, number);
}

TEST(generated_scenes_agree_with_rational_arithmetic) {
  static body bodies[OBJECTS_MOST];
  static wanted_list wanted;
  const uint64_t scenes = test_scaled(640, 32);
  size_t entire = 0, partial = 0;
  for (uint64_t number = 0; number < scenes; number++) {
    uint64_t seed = number;
    const bool many = number % 16 == 15, posed = number % 2 == 1; /* many: more than are compared one by one */
    const size_t count = many ? OBJECTS_MOST : 2 + sequence_below(&seed, 6);
    for (size_t i = 0; i < count; i++) bodies[i] = random_body(&seed, many ? 12 : 3);
    const running_variant reference = running_variant_reference();
    graze_scene *scene = make_scene(&reference, bodies, count, posed);
    find_wanted(scene, bodies, count, &wanted);
    graze_scene_destroy(scene);
    entire += wanted.entire;
    partial += wanted.partial;
    for (size_t i = 0; i < VARIANTS; i++)
      if (running_variant_available(&variants[i])) check_scene(&variants[i], bodies, count, posed, number, &wanted);
  }
  printf("%zu entirely inside, %zu partly\n", entire, partial);
  assert_true(scenes < 100 || (entire > 50 && partial > 10));
}

/* ---------------------------------------------------------------------------------------------- single scenes */

static graze_scene *scene_of(const body *bodies, size_t count) {
  return make_scene(&variants[1], bodies, count, false);
}

static void assert_found(graze_scene *scene, const graze_containment *wanted, size_t count) {
  graze_containments found = {0};
  assert_ok(graze_scene_update(scene));
  assert_ok(graze_scene_find_containments(scene, NULL, &found));
  assert_int_equal(found.count, count);
  if (count > 0) assert_memory_equal(found.containments, wanted, count * sizeof *wanted);
  assert_non_null(found.timings);
  graze_containments_free(&found);
  assert_true(found.containments == NULL && found.count == 0 && found.memory == NULL);
}

/* Three deep, each of both orientations; the middle one with a cavity around the inner one. */
TEST(nested_bodies_are_listed) {
  const graze_containment all[] = {{0, 1, 12, 12}, {0, 2, 12, 12}, {1, 2, 12, 12}};
  const graze_containment around[] = {{0, 2, 12, 12}, {1, 2, 24, 24}};
  for (int turns = 0; turns < 8; turns++) {
    const double origin[3] = {0, 0, 0};
    body bodies[3] = {{.mask = 1}, {.mask = 1}, {.mask = 1}};
    for (int i = 0; i < 3; i++) add_part(&bodies[i], origin, 1 << i, PART_BOX, (turns >> i & 1) != 0);
    graze_scene *scene = scene_of(bodies, 3);
    assert_found(scene, all, 3);
    graze_scene_destroy(scene);
    add_part(&bodies[1], origin, 1.5, PART_BOX, (turns >> 1 & 1) == 0);
    scene = scene_of(bodies, 3);
    assert_found(scene, around, 2);
    graze_scene_destroy(scene);
  }
}

TEST(filters_and_exclusions_hold) {
  const body bodies[2] = {box_body(0, 1), box_body(0, 3)};
  const graze_containment wanted[] = {{0, 1, 12, 12}};
  const graze_object inner = {0, 1}, outer = {1, 1};
  OWNED_SCENE *scene = scene_of(bodies, 2);
  assert_found(scene, wanted, 1);
  assert_ok(graze_scene_exclude(scene, inner, outer, true));
  assert_found(scene, NULL, 0);
  assert_ok(graze_scene_exclude(scene, inner, outer, false));
  assert_found(scene, wanted, 1);
  assert_ok(graze_object_set_filter(scene, inner, 2, 2, true));
  assert_found(scene, NULL, 0);
}

/* Regions, too, are where the objects are now: the inner box reaches through the wall at x = 4. */
static void check_late_region(graze_scene *scene, graze_object inner) {
  graze_pose across = graze_pose_identity();
  across.translation[0] = 4.0;
  assert_ok(graze_object_set_pose(scene, inner, &across));
  assert_ok(graze_scene_update(scene));
  OWNED(graze_regions) regions = find_regions(scene, NULL, NULL);
  assert_int_equal(regions.count, 1);
  const graze_region *region = &regions.regions[0];
  assert_true(region->box_min[0] >= 3.0 && region->box_max[0] >= 4.0 && region->box_max[0] <= 5.0);
}

/* Objects take their first poses after an update, between two updates one or both: out of a cavity and back. */
static void check_late_poses(const running_variant *variant) {
  const double origin[3] = {0, 0, 0};
  body bodies[2] = {box_body(0, 1), box_body(0, 4)};
  const graze_containment wanted[] = {{0, 1, 12, 12}};
  const graze_object inner = {0, 1}, outer = {1, 1};
  const graze_pose home = graze_pose_identity();
  graze_pose aside = home, far_away = home, far_aside = home;
  add_part(&bodies[1], origin, 1.5, PART_BOX, true);
  aside.translation[0] = 2.75;
  far_away.translation[1] = 64.0;
  far_aside.translation[1] = 64.0 - 2.75;
  graze_scene *scene = make_scene(variant, bodies, 2, false);
  assert_found(scene, NULL, 0);
  assert_ok(graze_object_set_pose(scene, inner, &aside));
  assert_found(scene, wanted, 1);
  assert_ok(graze_object_set_pose(scene, inner, &far_away));
  assert_ok(graze_object_set_pose(scene, outer, &far_away));
  assert_found(scene, NULL, 0);
  assert_ok(graze_object_set_pose(scene, inner, &far_aside));
  assert_found(scene, wanted, 1);
  assert_ok(graze_object_set_pose(scene, inner, &aside));
  assert_ok(graze_object_set_pose(scene, outer, &home));
  assert_found(scene, wanted, 1);
  graze_scene_destroy(scene);
  scene = make_scene(variant, bodies, 2, false);
  assert_found(scene, NULL, 0);
  check_late_region(scene, inner);
  graze_scene_destroy(scene);
}

TEST(poses_come_after_an_update) {
  for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
    if (running_variant_available(&variants[i])) check_late_poses(&variants[i]);
}

/* An erased triangle opens a surface, and is not there in an inner object. */
TEST(erased_triangles_are_gone) {
  const body bodies[2] = {box_body(0, 1), box_body(0, 3)};
  const graze_containment rest[] = {{0, 1, 11, 11}};
  const graze_object inner = {0, 1}, outer = {1, 1};
  const uint32_t third = 3;
  graze_open_edges edges = {0};
  OWNED_SCENE *scene = scene_of(bodies, 2);
  assert_ok(graze_object_find_open_edges(scene, outer, &edges));
  assert_true(edges.count == 0 && edges.struct_bytes == sizeof edges);
  assert_ok(graze_object_remove_primitives(scene, inner, &third, 1));
  assert_found(scene, rest, 1);
  assert_ok(graze_object_remove_primitives(scene, outer, &third, 1));
  assert_found(scene, NULL, 0);
  assert_ok(graze_object_find_open_edges(scene, outer, &edges));
  assert_true(edges.count == 3 && edges.primitive == 2 && edges.forward == 1 && edges.backward == 0);
  assert_true(fabs(edges.from[0]) == 3 && fabs(edges.to[2]) == 3);
}

/* Open edges are those of a single triangle. A turned triangle leaves its edges used twice in one direction. */
TEST(faults_of_edges_are_told_apart) {
  graze_open_edges edges = {0};
  body made = box_body(0, 3);
  const uint32_t fin[3] = {made.triangles[0], made.triangles[1], 7}, swapped = made.triangles[30];
  made.triangles[30] = made.triangles[31];
  made.triangles[31] = swapped;
  graze_scene *scene = scene_of(&made, 1);
  assert_ok(graze_object_find_open_edges(scene, (graze_object){0, 1}, &edges));
  assert_true(edges.count == 3 && edges.open_count == 0 && edges.reversed_count == 3 && edges.non_manifold_count == 0);
  assert_true(edges.forward + edges.backward == 2 && edges.forward * edges.backward == 0);
  graze_scene_destroy(scene);
  made = box_body(0, 3);
  memcpy(made.triangles + 36, fin, sizeof fin);
  made.triangle_count = 13;
  scene = scene_of(&made, 1);
  assert_ok(graze_object_find_open_edges(scene, (graze_object){0, 1}, &edges));
  assert_true(edges.count == edges.open_count + edges.reversed_count + 1 && edges.non_manifold_count >= 1);
  graze_scene_destroy(scene);
}

static void expect_inward(const body *made, uint32_t count, uint32_t primitive) {
  OWNED_SCENE *scene = scene_of(made, 1);
  uint32_t found = 99, first = 99;
  assert_ok(graze_object_count_inward_shells(scene, (graze_object){0, 1}, &found, &first));
  assert_int_equal(found, count);
  assert_int_equal(first, primitive);
}

/* A cavity faces inward, a body does not: at all sizes, far from the origin, and beside other shells. */
TEST(bodies_may_be_inside_out) {
  const double sizes[] = {1e-300, 1.0, 1e9, 1e300}, far[3] = {9, 9, 9};
  for (int i = 0; i < 4; i++)
    for (int tetrahedron = 0; tetrahedron < 2; tetrahedron++) {
      const part_form form = tetrahedron == 1 ? PART_TETRAHEDRON : PART_BOX;
      const double center[3] = {3 * sizes[i], 0, -sizes[i]}, beside[3] = {-6 * sizes[i], 0, sizes[i]};
      const double within[3] = {2.5 * sizes[i], -0.5 * sizes[i], -1.5 * sizes[i]};
      const uint32_t count = tetrahedron == 1 ? 4 : 12;
      body solid = {.mask = 1}, turned = {.mask = 1}, hollow = {.mask = 1}, both = {.mask = 1};
      add_part(&solid, center, sizes[i], form, false);
      expect_inward(&solid, 0, 0);
      add_part(&turned, center, sizes[i], form, true);
      expect_inward(&turned, 1, 0);
      add_part(&hollow, within, 0.1 * sizes[i], form, true);
      add_part(&hollow, center, sizes[i], form, false);
      expect_inward(&hollow, 0, 0);
      add_part(&both, center, sizes[i], form, false);
      add_part(&both, beside, 0.5 * sizes[i], form, true);
      expect_inward(&both, 1, count);
      both.as_polygons = true;
      expect_inward(&both, 1, count);
    }
  body small = {.mask = 1};
  add_part(&small, far, 1e-12, PART_BOX, true);
  expect_inward(&small, 1, 0);
}

/* Closed by places alone: no two triangles share a vertex number. */
TEST(soups_are_closed_by_places) {
  const body box = box_body(0, 3);
  const graze_containment wanted[] = {{0, 1, 12, 12}};
  double corners[108];
  uint32_t numbers[36];
  const body inner = box_body(0, 1);
  OWNED_SCENE *scene = scene_of(&inner, 1);
  graze_mesh_def def = graze_mesh_def_default();
  graze_object object;
  graze_open_edges edges = {0};
  for (uint32_t i = 0; i < 36; i++) {
    memcpy(corners + 3 * i, box.positions + 3 * (size_t)box.triangles[i], 3 * sizeof *corners);
    numbers[i] = i;
  }
  def.positions = double_view(corners, 36);
  def.triangles = index_view(numbers, 12);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  assert_found(scene, wanted, 1);
  assert_ok(graze_object_find_open_edges(scene, object, &edges));
  assert_int_equal(edges.count, 0);
}

/* Coordinates from 1e-300 to 1e300: sums and differences overflow, signs do not. */
TEST(huge_and_tiny_bodies_are_exact) {
  const double sizes[] = {1e-300, 1.0, 1e300};
  const graze_containment wanted[] = {{0, 1, 12, 12}, {0, 2, 12, 12}, {1, 2, 12, 12}};
  body bodies[3];
  for (int i = 0; i < 3; i++) bodies[i] = box_body(0, sizes[i]);
  OWNED_SCENE *scene = scene_of(bodies, 3);
  assert_found(scene, wanted, 3);
}

static bool never(void *context) {
  ++*(size_t *)context;
  return false;
}
static bool at_once(void *context) {
  ++*(size_t *)context;
  return true;
}

TEST(refusals_have_their_messages) {
  const body bodies[2] = {box_body(0, 1), box_body(0, 3)};
  body balls = {.mask = 1, .is_spheres = true};
  const double away[3] = {9, 9, 9};
  OWNED(graze_containments) found = {0};
  graze_containment_options options = graze_containment_options_default();
  graze_open_edges edges = {0};
  OWNED_SCENE *scene = scene_of(bodies, 2);
  size_t asked = 0;
  add_sphere(&balls, away, 1);
  const graze_object spheres = add_body(scene, &balls);
  assert_int_equal(graze_scene_find_containments(scene, NULL, &found), GRAZE_NOT_UPDATED);
  assert_int_equal(graze_object_find_open_edges(scene, spheres, &edges), GRAZE_NOT_UPDATED);
  assert_ok(graze_scene_update(scene));
  assert_refused(graze_object_find_open_edges(scene, spheres, &edges), GRAZE_UNSUPPORTED,
                 "object 2: spheres are filled and have no open edges");
  assert_int_equal(graze_object_find_open_edges(scene, (graze_object){7, 1}, &edges), GRAZE_NO_SUCH_OBJECT);
  assert_int_equal(edges.struct_bytes, 0);
  assert_int_equal(graze_object_find_open_edges(scene, spheres, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_object_find_open_edges(NULL, spheres, &edges), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_object_count_inward_shells(scene, spheres, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_find_containments(NULL, NULL, &found), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_find_containments(scene, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  options.should_stop = never;
  options.stop_context = &asked;
  assert_ok(graze_scene_find_containments(scene, &options, &found));
  assert_true(found.count == 1 && asked > 0);
  options.should_stop = at_once;
  assert_int_equal(graze_scene_find_containments(scene, &options, &found), GRAZE_STOPPED);
  assert_true(found.count == 0 && found.containments == NULL);
  const graze_object_pair nothing = {0, 0};
  options.touching = &nothing;
  assert_int_equal(graze_scene_find_containments(scene, &options, &found), GRAZE_STOPPED);
  options = graze_containment_options_default();
  options.touching = &nothing;
  assert_ok(graze_scene_find_containments(scene, &options, &found));
  assert_int_equal(found.count, 1);
}

/* Numbers as in pairs, and refused where two objects have one. */
TEST(global_numbers_name_objects) {
  const body bodies[2] = {box_body(0, 1), box_body(0, 3)};
  for (uint32_t same = 0; same < 2; same++) {
    OWNED_SCENE *scene = runner_scene(&variants[1], NULL, 0, NULL);
    OWNED(graze_containments) found = {0};
    for (uint32_t i = 0; i < 2; i++) {
      graze_mesh_def def = graze_mesh_def_default();
      graze_object_def placed = graze_object_def_default();
      graze_object object;
      def.positions = double_view(bodies[i].positions, bodies[i].vertex_count);
      def.triangles = index_view(bodies[i].triangles, bodies[i].triangle_count);
      placed.global_numbers = true;
      placed.global_object = same == 1 ? 5 : 9 - i;
      placed.global_primitive = 100 * i;
      assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object));
    }
    assert_ok(graze_scene_update(scene));
    const graze_result result = graze_scene_find_containments(scene, NULL, &found);
    assert_int_equal(result, same == 1 ? GRAZE_UNSUPPORTED : GRAZE_OK);
    if (same == 0)
      assert_true(found.count == 1 && found.containments[0].inner == 9 && found.containments[0].outer == 8);
  }
}
