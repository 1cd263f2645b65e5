/* Tests regions of shapes with known answers: classes of every kind, closed curves, areas, separating depths; and the
 * guarantees of the list: errors, any order of pairs, any number of workers, stops, global numbers. */
#include "base/number_sequence.h"
#include "graze/regions.h"
#include "mesh_io/mesh_file.h"
#include "mesh_set.h"
#include "posed_object.h"
#include "scene_runner.h"
#include "small_meshes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  RINGS = 12,
  SECTORS = 16,
  BALL_VERTICES = (RINGS - 1) * SECTORS + 2,
  BALL_TRIANGLES = 2 * SECTORS * (RINGS - 1)
};

typedef struct ball_mesh {
  double positions[BALL_VERTICES][3];
  uint32_t triangles[BALL_TRIANGLES][3];
} ball_mesh;

/* A closed mesh of a sphere. */
static void make_ball(double x, double y, double z, double radius, ball_mesh *ball) {
  const double pi = acos(-1.0);
  for (int ring = 1; ring < RINGS; ring++)
    for (int sector = 0; sector < SECTORS; sector++) {
      double *p = ball->positions[(ring - 1) * SECTORS + sector];
      const double polar = pi * ring / RINGS, around = 2 * pi * sector / SECTORS;
      p[0] = x + radius * sin(polar) * cos(around);
      p[1] = y + radius * sin(polar) * sin(around);
      p[2] = z + radius * cos(polar);
    }
  const uint32_t top = BALL_VERTICES - 2, bottom = BALL_VERTICES - 1;
  const double poles[2][3] = {{x, y, z + radius}, {x, y, z - radius}};
  memcpy(ball->positions[top], poles, sizeof poles);
  size_t count = 0;
  for (uint32_t sector = 0; sector < SECTORS; sector++) {
    const uint32_t next = (sector + 1) % SECTORS, last = (RINGS - 2) * SECTORS;
    const uint32_t caps[2][3] = {{top, sector, next}, {bottom, last + next, last + sector}};
    memcpy(ball->triangles[count], caps, sizeof caps);
    count += 2;
    for (uint32_t ring = 0; ring + 2 < RINGS; ring++) {
      const uint32_t a = ring * SECTORS + sector, b = ring * SECTORS + next, c = a + SECTORS, d = b + SECTORS;
      const uint32_t halves[2][3] = {{a, c, b}, {b, c, d}};
      memcpy(ball->triangles[count], halves, sizeof halves);
      count += 2;
    }
  }
}

static graze_scene *new_scene(uint32_t workers) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = workers;
  graze_scene *scene = create_scene(&def);
  return scene;
}

static graze_object add_ball(graze_scene *scene, double x, double y, double z, double radius) {
  static ball_mesh ball;
  make_ball(x, y, z, radius, &ball);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = double_view(ball.positions[0], BALL_VERTICES);
  def.triangles = index_view(ball.triangles[0], BALL_TRIANGLES);
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  return object;
}

/* A box of six squares. */
static void add_box(graze_scene *scene, const double low[3], const double high[3]) {
  static const uint32_t corners[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  static const uint32_t sizes[6] = {4, 4, 4, 4, 4, 4};
  double positions[8][3];
  for (int i = 0; i < 24; i++) positions[i / 3][i % 3] = i / 3 >> i % 3 & 1 ? high[i % 3] : low[i % 3];
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = double_view(positions[0], 8);
  def.corners = (graze_view){corners, 24, 0, GRAZE_FORMAT_UINT32};
  def.face_sizes = (graze_view){sizes, 6, 0, GRAZE_FORMAT_UINT32};
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, &object));
}

static void find_all_regions(graze_scene *scene, graze_regions *regions) {
  if (graze_scene_update(scene) != GRAZE_OK || graze_scene_find_regions(scene, NULL, NULL, regions) != GRAZE_OK)
    fail_msg("%s", graze_error_text());
}

/* ---------------------------------------------------------------------------------------------- curves */

TEST(balls_cross_in_circles) {
  OWNED_SCENE *scene = new_scene(2);
  OWNED(graze_regions) regions = {0};
  add_ball(scene, 0, 0, 0, 1);
  add_ball(scene, 1.1, 0.31, 0.23, 1);
  add_ball(scene, 0.02, -1.4, 0.5, 1);
  find_all_regions(scene, &regions);
  assert_int_equal(regions.count, 2);
  assert_int_equal(regions.curve_count, 2);
  assert_int_equal(regions.object_pair_count, 2);
  for (size_t i = 0; i < 2; i++) {
    const graze_region *region = &regions.regions[i];
    assert_int_equal(region->object_a, 0);
    assert_int_equal(region->object_b, i + 1);
    assert_int_equal(region->clash, GRAZE_CLASH_CROSSING);
    assert_int_equal(region->curve_count, 1);
    assert_int_equal(regions.curves[i].closed, 1);
    assert_int_equal(regions.curves[i].region, i);
    assert_true(regions.curves[i].vertex_count > 20);
  }
}

/* A corner of one box in another: one closed curve, over the diagonals of the squares. */
TEST(boxes_cross_across_diagonals) {
  OWNED_SCENE *scene = new_scene(1);
  OWNED(graze_regions) regions = {0};
  add_box(scene, (double[3]){0, 0, 0}, (double[3]){4, 4, 4});
  add_box(scene, (double[3]){3, 3, 3}, (double[3]){7, 7, 7});
  find_all_regions(scene, &regions);
  assert_int_equal(regions.count, 1);
  assert_int_equal(regions.curve_count, 1);
  assert_int_equal(regions.curves[0].closed, 1);
  double length = 0;
  for (size_t i = 0; i < regions.vertex_count; i++) {
    const double *p = regions.vertices[i].position, *q = regions.vertices[(i + 1) % regions.vertex_count].position;
    length += fabs(p[0] - q[0]) + fabs(p[1] - q[1]) + fabs(p[2] - q[2]);
  }
  assert_true(fabs(length - 6) < 1e-12);
  assert_true(fabs(regions.objects[0].depth - 1) < 1e-12);
}

/* A small box stands on the middle of a large one: the area that they share has one boundary, and no line repeats it.
 */
TEST(flush_boxes_have_a_boundary) {
  OWNED_SCENE *scene = new_scene(1);
  OWNED(graze_regions) regions = {0};
  add_box(scene, (double[3]){0, 0, 0}, (double[3]){4, 4, 4});
  add_box(scene, (double[3]){1, 1, 4}, (double[3]){3, 2, 6});
  find_all_regions(scene, &regions);
  assert_int_equal(regions.count, 1);
  assert_int_equal(regions.regions[0].clash, GRAZE_CLASH_COPLANAR);
  assert_int_equal(regions.curve_count, 1);
  assert_int_equal(regions.curves[0].kind, GRAZE_CURVE_BOUNDARY);
  double area = 0;
  for (size_t i = 0; i < regions.vertex_count; i++) {
    const double *p = regions.vertices[i].position, *q = regions.vertices[(i + 1) % regions.vertex_count].position;
    assert_true(p[2] == 4);
    area += (p[0] * q[1] - p[1] * q[0]) / 2;
  }
  assert_true(fabs(fabs(area) - 2) < 1e-12);
  assert_true(regions.objects[0].depth == 0);
  assert_true(regions.regions[0].box_min[2] == 4 && regions.regions[0].box_max[2] == 4);
}

/* A strip with a degenerate triangle across it is cut by a large triangle: the curve goes on. */
TEST(curves_pass_degenerate_triangles) {
  static const double strip[6][3] = {{0, 0, 0}, {0, 4, 0}, {2, 0, 0}, {2, 2, 0}, {2, 4, 0}, {4, 2, 0}};
  static const uint32_t triangles[4][3] = {{0, 2, 4}, {2, 3, 4}, {2, 5, 3}, {3, 5, 4}};
  static const double cut[3][3] = {{-9, 1, -9}, {9, 1, -9}, {0, 1, 9}};
  static const uint32_t one[3] = {0, 1, 2};
  OWNED_SCENE *scene = new_scene(1);
  OWNED(graze_regions) regions = {0};
  graze_object object;
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = double_view(strip[0], 6);
  def.triangles = index_view(triangles[0], 4);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  def.positions = double_view(cut[0], 3);
  def.triangles = index_view(one, 1);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  find_all_regions(scene, &regions);
  assert_int_equal(regions.count, 1);
  assert_int_equal(regions.curve_count, 1);
  assert_int_equal(regions.curves[0].closed, 0);
  assert_int_equal(regions.vertex_count, 3);
}

/* ---------------------------------------------------------------------------------------------- a real mesh */

static bool share_place(const mesh *m, uint32_t s, uint32_t t) {
  bool share = s == t;
  for (int i = 0; i < 9; i++) {
    const double *p = m->positions + 3 * (size_t)m->triangles[3 * (size_t)s + (size_t)(i / 3)];
    const double *q = m->positions + 3 * (size_t)m->triangles[3 * (size_t)t + (size_t)(i % 3)];
    share = share || (p[0] == q[0] && p[1] == q[1] && p[2] == q[2]);
  }
  return share;
}

/* The number of regions, by comparing every two pairs. */
static size_t count_regions(const mesh *m, const graze_pair *pairs, size_t count) {
  OWNED_MEMORY uint32_t *first_of = malloc(count * sizeof *first_of);
  for (size_t i = 0; i < count; i++) first_of[i] = (uint32_t)i;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < count; i++)
      for (size_t j = 0; j < i; j++) {
        if (first_of[i] == first_of[j] || !share_place(m, pairs[i].primitive_a, pairs[j].primitive_a) ||
            !share_place(m, pairs[i].primitive_b, pairs[j].primitive_b))
          continue;
        first_of[i] = first_of[j] = first_of[i] < first_of[j] ? first_of[i] : first_of[j];
        changed = true;
      }
  }
  size_t regions = 0;
  for (size_t i = 0; i < count; i++) regions += first_of[i] == i;
  return regions;
}

/* A closed scan and a copy of it, moved: as many regions as by comparing every two pairs, and every curve is closed. */
TEST(real_meshes_cross_in_closed_curves) {
  char path[1024], error[1280];
  OWNED(mesh_set) made;
  if (getenv("GRAZE_DATA") == NULL) skip();
  snprintf(path, sizeof path, "%s/meshes/bunny_7k.off", getenv("GRAZE_DATA"));
  if (!mesh_file_read(path, NULL, &made.meshes, &made.count, error, sizeof error)) fail_msg("%s", error);
  const running_variant variant = {"grid", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false};
  const mesh both[2] = {made.meshes[0], made.meshes[0]};
  OWNED_SCENE *scene = runner_scene(&variant, both, 2, NULL);
  OWNED(graze_regions) regions = {0};
  double low[3], high[3], move[3];
  const graze_object copy = {1, 1};
  const double turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  assert_ok(graze_object_get_box(scene, copy, low, high));
  for (int axis = 0; axis < 3; axis++) move[axis] = (0.11 + 0.05 * axis) * (high[axis] - low[axis]);
  assert_ok(pose_object(scene, copy, turn, move));
  find_all_regions(scene, &regions);
  assert_true(regions.pair_count > 200);
  assert_int_equal(regions.count, count_regions(&made.meshes[0], regions.pairs, regions.pair_count));
  for (size_t i = 0; i < regions.curve_count; i++) assert_int_equal(regions.curves[i].closed, 1);
  for (size_t i = 0; i < regions.count; i++) assert_true(regions.regions[i].curve_count > 0);
}

/* ---------------------------------------------------------------------------------------------- classes of solids */

static void add_solid(graze_scene *scene, graze_kind kind, double x, double size) {
  static const uint32_t tetrahedron[4] = {0, 1, 2, 3};
  static const uint32_t corners[24] = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  static const uint32_t sizes[6] = {4, 4, 4, 4, 4, 4}, cells[1] = {6};
  graze_mesh_def def = graze_mesh_def_default();
  graze_object object;
  double p[8][3];
  const double radius = size / 2;
  graze_result result = GRAZE_UNSUPPORTED;
  if (kind == GRAZE_KIND_TETRAHEDRON) {
    const double places[4][3] = {{x, 0, 0}, {x + size, 0, 0}, {x, size, 0}, {x, 0, size}};
    def.positions = double_view(places[0], 4);
    def.tetrahedra = (graze_view){tetrahedron, 1, 0, GRAZE_FORMAT_UINT32_4};
    result = graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, &object);
  } else if (kind == GRAZE_KIND_POLYHEDRON) {
    for (int i = 0; i < 24; i++) p[i / 3][i % 3] = (i / 3 >> i % 3 & 1) * size + (i % 3 == 0 ? x : 0);
    def.positions = double_view(p[0], 8);
    def.corners = (graze_view){corners, 24, 0, GRAZE_FORMAT_UINT32};
    def.face_sizes = (graze_view){sizes, 6, 0, GRAZE_FORMAT_UINT32};
    def.cell_sizes = (graze_view){cells, 1, 0, GRAZE_FORMAT_UINT32};
    result = graze_scene_add(scene, GRAZE_KIND_POLYHEDRON, &def, NULL, &object);
  } else if (kind == GRAZE_KIND_SPHERE) {
    const double center[3] = {x + radius, 0, 0};
    def.positions = double_view(center, 1);
    def.radii = (graze_view){&radius, 1, 0, GRAZE_FORMAT_DOUBLE};
    result = graze_scene_add(scene, GRAZE_KIND_SPHERE, &def, NULL, &object);
  } else if (kind == GRAZE_KIND_TRIANGLE) { /* across the axis, from x on to the right, both ways */
    const double places[3][3] = {{x, 0, 0}, {x + size, -1, 0}, {x + size, 1, 0}};
    static const uint32_t triangle[3] = {0, 1, 2};
    def.positions = double_view(places[0], 3);
    def.triangles = index_view(triangle, 1);
    result = graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object);
  }
  assert_ok(result);
}

/* The class of a solid from 0 to 2 along x and another kind that begins at x; -1 where they do not meet. */
static int class_of(graze_kind a, graze_kind b, double x) {
  OWNED_SCENE *scene = new_scene(1);
  OWNED(graze_regions) regions = {0};
  add_solid(scene, a, 0, 2);
  add_solid(scene, b, x, 2);
  find_all_regions(scene, &regions);
  assert_true(regions.count < 2);
  const int clash = regions.count == 0 ? -1 : (int)regions.clashes[0];
  return clash;
}

TEST(solids_have_exact_classes) {
  static const graze_kind solids[3] = {GRAZE_KIND_TETRAHEDRON, GRAZE_KIND_POLYHEDRON, GRAZE_KIND_SPHERE};
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      assert_int_equal(class_of(solids[i], solids[j], 2.0), GRAZE_CLASH_TOUCHING);
      assert_int_equal(class_of(solids[i], solids[j], 2.0 - 0x1p-45), GRAZE_CLASH_CROSSING);
      assert_int_equal(class_of(solids[i], solids[j], 2.0 + 0x1p-45), -1);
      assert_int_equal(class_of(solids[i], solids[j], 1.0), GRAZE_CLASH_CROSSING);
      assert_int_equal(class_of(solids[i], solids[j], 0.0), i == j ? GRAZE_CLASH_DUPLICATE : GRAZE_CLASH_CROSSING);
    }
    assert_int_equal(class_of(solids[i], GRAZE_KIND_TRIANGLE, 2.0), GRAZE_CLASH_TOUCHING);
    assert_int_equal(class_of(solids[i], GRAZE_KIND_TRIANGLE, 3.0), -1);
  }
  /* The triangle lies in the plane of a face of the first two. */
  assert_int_equal(class_of(GRAZE_KIND_TETRAHEDRON, GRAZE_KIND_TRIANGLE, 1.0), GRAZE_CLASH_TOUCHING);
  assert_int_equal(class_of(GRAZE_KIND_POLYHEDRON, GRAZE_KIND_TRIANGLE, 1.0), GRAZE_CLASH_TOUCHING);
  assert_int_equal(class_of(GRAZE_KIND_SPHERE, GRAZE_KIND_TRIANGLE, 1.0), GRAZE_CLASH_CROSSING);
}

/* ---------------------------------------------------------------------------------------------- depths */

static void check_points(const graze_scene *scene, const graze_regions *regions) {
  OWNED(graze_contacts) contacts = make_contacts(scene, regions->pairs, regions->pair_count, NULL);
  for (size_t i = 0; i < regions->count; i++) {
    const graze_region *region = &regions->regions[i];
    double greatest = 0;
    for (size_t j = 0; j < region->pair_count; j++)
      greatest = fmax(greatest, contacts.contacts[region->first_pair + j].depth);
    assert_true(region->depth == greatest);
    assert_true(region->point_count >= 1 && region->point_count <= GRAZE_REGION_POINTS);
    for (size_t j = 0; j < region->point_count; j++) {
      const graze_region_point *point = &regions->points[region->first_point + j];
      const graze_contact *contact = &contacts.contacts[point->pair];
      assert_true(point->pair >= region->first_pair && point->pair < region->first_pair + region->pair_count);
      assert_memory_equal(point->position, contact->centroid, sizeof point->position);
      assert_true(point->depth == contact->depth && (j > 0 || point->depth == greatest));
      for (int axis = 0; axis < 3; axis++)
        assert_true(point->position[axis] >= region->box_min[axis] - 1e-12 &&
                    point->position[axis] <= region->box_max[axis] + 1e-12);
    }
  }
}

/* Moved by the depth and a little more, the objects are apart; the depth of balls is that of balls. */
TEST(depths_separate_objects) {
  for (uint64_t seed = 0; seed < 60; seed++) {
    uint64_t random = seed;
    double place[3];
    for (int axis = 0; axis < 3; axis++) place[axis] = (double)sequence_below(&random, 1000) / 500 - 1;
    const double radius = 0.5 + (double)sequence_below(&random, 1000) / 1000;
    OWNED_SCENE *scene = new_scene(2);
    OWNED(graze_regions) regions = {0};
    add_ball(scene, 0, 0, 0, 1);
    const graze_object ball = add_ball(scene, place[0], place[1], place[2], radius);
    find_all_regions(scene, &regions);
    if (regions.count > 0) {
      const graze_region_objects *objects = &regions.objects[0];
      const double distance = sqrt(place[0] * place[0] + place[1] * place[1] + place[2] * place[2]);
      assert_true(objects->depth <= 1 + radius - distance + 1e-9 &&
                  objects->depth > 0.9 * (1 + radius - distance) - 0.1);
      const double turn[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
      double move[3];
      for (int axis = 0; axis < 3; axis++) move[axis] = (objects->depth + 1e-9) * objects->normal[axis];
      check_points(scene, &regions);
      assert_ok(pose_object(scene, ball, turn, move));
      find_all_regions(scene, &regions);
      assert_int_equal(regions.count, 0);
    }
  }
}

/* ---------------------------------------------------------------------------------------------- what is promised */

static graze_scene *many_balls(uint32_t workers) {
  graze_scene *scene = new_scene(workers);
  for (int i = 0; i < 27; i++) add_ball(scene, i % 3 * 1.7, i / 3 % 3 * 1.65, i / 9 * 1.6, 1);
  assert_ok(graze_scene_update(scene));
  return scene;
}

static void same_lists(const graze_regions *p, const graze_regions *q) {
  assert_true(p->hash == q->hash);
  assert_int_equal(p->count, q->count);
  assert_int_equal(p->pair_count, q->pair_count);
  assert_int_equal(p->curve_count, q->curve_count);
  assert_int_equal(p->vertex_count, q->vertex_count);
  assert_int_equal(p->point_count, q->point_count);
  assert_int_equal(p->object_pair_count, q->object_pair_count);
  assert_memory_equal(p->regions, q->regions, p->count * sizeof *p->regions);
  assert_memory_equal(p->pairs, q->pairs, p->pair_count * sizeof *p->pairs);
  assert_memory_equal(p->clashes, q->clashes, p->pair_count);
  assert_memory_equal(p->curves, q->curves, p->curve_count * sizeof *p->curves);
  assert_memory_equal(p->vertices, q->vertices, p->vertex_count * sizeof *p->vertices);
  assert_memory_equal(p->points, q->points, p->point_count * sizeof *p->points);
  assert_memory_equal(p->objects, q->objects, p->object_pair_count * sizeof *p->objects);
}

TEST(order_and_workers_change_nothing) {
  OWNED(graze_regions) wanted = {0}, found = {0};
  OWNED(graze_pairs) pairs = {0};
  OWNED_SCENE *scene = many_balls(1), *other = many_balls(4);
  assert_ok(graze_scene_find_regions(scene, NULL, NULL, &wanted));
  assert_true(wanted.count > 20 && wanted.curve_count > 20);
  assert_ok(graze_scene_find_regions(other, NULL, NULL, &found));
  same_lists(&wanted, &found);
  assert_true(found.timings->regions_ms > 0 && found.counters->pairs == found.pair_count);
  assert_ok(graze_scene_find_pairs(other, NULL, &pairs));
  OWNED_MEMORY graze_pair *shuffled = malloc(pairs.count * sizeof *shuffled);
  uint64_t random = 7;
  for (size_t i = 0; i < pairs.count; i++) {
    const size_t j = (size_t)sequence_below(&random, i + 1);
    if (j < i) shuffled[i] = shuffled[j];
    shuffled[j] = pairs.pairs[i];
  }
  assert_ok(graze_scene_make_regions(other, shuffled, pairs.count, NULL, &found));
  same_lists(&wanted, &found);
  shuffled[1] = shuffled[0];
  assert_int_equal(graze_scene_make_regions(other, shuffled, pairs.count, NULL, &found), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(found.count, 0);
  assert_non_null(strstr(graze_error_text(), "twice"));
}

TEST(options_leave_out) {
  OWNED_SCENE *scene = many_balls(2);
  graze_region_options options = graze_region_options_default();
  assert_true(options.depths && options.curves && options.object_depths);
  options.depths = options.curves = false;
  OWNED(graze_regions) regions = find_regions(scene, NULL, &options);
  assert_true(regions.count > 20 && regions.point_count == 0 && regions.curve_count == 0 && regions.vertex_count == 0);
  assert_true(regions.objects[0].depth == 0 && regions.regions[0].depth == 0);
}

/* Names enter ids; an object beyond the list has none. */
TEST(names_enter_ids) {
  static const char *const names[] = {"a", "b", NULL};
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  uint64_t ids[4] = {0};
  for (int i = 0; i < 4; i++) {
    graze_region_options options = graze_region_options_default();
    options.object_names = &names[i < 3 ? i : 0];
    options.object_name_count = i < 3;
    OWNED(graze_regions) regions = find_regions(scene, NULL, &options);
    assert_true(regions.count > 0);
    ids[i] = regions.regions[0].id;
  }
  assert_true(ids[0] != ids[1] && ids[0] != ids[2] && ids[1] != ids[2] && ids[3] == ids[2]);
}

static bool stop_at_once(void *context) {
  return *(int *)context <= 0 || --*(int *)context == 0;
}

TEST(refusals) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  OWNED(graze_regions) regions = {0};
  graze_query query = graze_query_default();
  graze_region_options options = graze_region_options_default();
  assert_int_equal(graze_scene_find_regions(NULL, NULL, NULL, &regions), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_find_regions(scene, NULL, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_make_regions(scene, NULL, 1, NULL, &regions), GRAZE_INVALID_ARGUMENT);
  query.pair_limit = 5;
  assert_int_equal(graze_scene_find_regions(scene, &query, NULL, &regions), GRAZE_UNSUPPORTED);
  assert_string_equal(graze_error_text(), "regions need all pairs: pair_limit and stop_after are not supported");
  query.pair_limit = 0;
  query.stop_after = 5;
  assert_int_equal(graze_scene_find_regions(scene, &query, NULL, &regions), GRAZE_UNSUPPORTED);
  query.stop_after = 0;
  query.candidates_only = true;
  assert_int_equal(graze_scene_find_regions(scene, &query, NULL, &regions), GRAZE_UNSUPPORTED);
  options.object_name_count = 1;
  query.candidates_only = false;
  assert_int_equal(graze_scene_find_regions(scene, &query, &options, &regions), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "the list of 1 object names is NULL");
  options.object_name_count = 0;
  const graze_pair apart = {0, 0, 0, 2}, none = {0, 0, 0, 9};
  assert_int_equal(graze_scene_make_regions(scene, &apart, 1, NULL, &regions), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_make_regions(scene, &none, 1, NULL, &regions), GRAZE_INVALID_ARGUMENT);
  assert_ok(graze_scene_make_regions(scene, NULL, 0, NULL, &regions));
  assert_int_equal(regions.count, 0);
  assert_ok(graze_scene_find_regions(scene, NULL, NULL, &regions));
  assert_int_equal(regions.count, 1);
  graze_object_set_filter(scene, object, 1, 1, false);
  assert_int_equal(graze_scene_find_regions(scene, NULL, NULL, &regions), GRAZE_NOT_UPDATED);
  assert_true(regions.count == 0 && regions.regions == NULL && regions.memory != NULL);
}

/* However late it stops, the list is empty. */
TEST(stops_leave_nothing) {
  OWNED_SCENE *scene = many_balls(1);
  OWNED(graze_regions) regions = {0};
  graze_query query = graze_query_default();
  int stopped = 0;
  for (int calls = 1; calls < 100; calls++) {
    int left = calls;
    query.should_stop = stop_at_once;
    query.stop_context = &left;
    const graze_result result = graze_scene_find_regions(scene, &query, NULL, &regions);
    if (result == GRAZE_OK) break;
    assert_int_equal(result, GRAZE_STOPPED);
    assert_int_equal(regions.count, 0);
    stopped++;
  }
  assert_true(stopped > 0);
}

/* Objects have numbers of something larger, and primitives too; vertices keep their own. */
TEST(global_numbers_are_used) {
  static ball_mesh ball;
  OWNED_SCENE *scene = new_scene(1);
  OWNED(graze_regions) regions = {0};
  for (uint32_t i = 0; i < 2; i++) {
    make_ball(1.2 * i, 0.1 * i, 0.2 * i, 1, &ball);
    graze_mesh_def def = graze_mesh_def_default();
    graze_object_def placed = graze_object_def_default();
    def.positions = double_view(ball.positions[0], BALL_VERTICES);
    def.triangles = index_view(ball.triangles[0], BALL_TRIANGLES);
    placed.global_numbers = true;
    placed.global_object = 900 - 100 * i;
    placed.global_primitive = 5000;
    graze_object object;
    assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object));
  }
  find_all_regions(scene, &regions);
  assert_int_equal(regions.count, 1);
  assert_int_equal(regions.regions[0].object_a, 800);
  assert_int_equal(regions.objects[0].object_b, 900);
  assert_true(regions.objects[0].depth > 0.6);
  for (size_t i = 0; i < regions.vertex_count; i++) {
    const graze_face faces[2] = {regions.vertices[i].face_a, regions.vertices[i].face_b};
    for (int j = 0; j < 2; j++) {
      const bool inside = faces[j].kind == GRAZE_FACE_INSIDE;
      assert_true(inside ? faces[j].first >= 5000 && faces[j].first < 5000 + BALL_TRIANGLES
                         : faces[j].second < BALL_VERTICES);
    }
  }
}
