/* Tests the certificate where hundreds of triangles share a vertex: self-crossings of the mesh equal those of a loop
 * over all pairs, and the work does not grow quadratically. */
#include "api/packing_certificate.h"
#include "base/checked_allocator.h"
#include "geometry/binary_scale.h"
#include "geometry/triangle_neighbors.h"
#include "packing/fan_crossings.h"
#include "packing/obstacle_tree_build.h"
#include "scene_calls.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A mesh as the certificate sees it. */
typedef struct subject {
  memory heap;
  double (*positions)[3];
  uint32_t (*triangles)[3];
  size_t vertex_count, triangle_count;
  closed_mesh mesh;
  uint32_t *valences;
} subject;

/* How a double cone is deformed. */
typedef struct deformation {
  double radial, upward, angular; /* how far vertices of the rim move at random: of the radius, and of the angle of one
                                     triangle */
  double height;                  /* of the tips; the lower one lies twice as deep */
} deformation;

static double noise(size_t i) {
  return (double)(((uint32_t)i * 2654435761U) >> 8) * 0x1p-23 - 1.0;
}

/* Turned, so that no side of a box is a side of it. */
static void turn(double *at) {
  const double x = 0.8 * at[0] - 0.6 * at[2], z = 0.6 * at[0] + 0.8 * at[2];
  at[0] = 0.28 * x - 0.96 * at[1];
  at[1] = 0.96 * x + 0.28 * at[1];
  at[2] = z;
}

/* Two tips and a rim of vertices, each of which has four triangles. */
static void make_double_cone(subject *target, size_t rim, const deformation *how) {
  memset(target, 0, sizeof *target);
  target->vertex_count = rim + 2;
  target->triangle_count = 2 * rim;
  target->positions = calloc(rim + 2, sizeof *target->positions);
  target->triangles = calloc(2 * rim, sizeof *target->triangles);
  assert_true(target->positions != NULL && target->triangles != NULL);
  target->positions[0][2] = how->height;
  target->positions[1][2] = -2.0 * how->height;
  for (size_t i = 0; i < rim; i++) {
    const double angle = 6.283185307179586 * ((double)i + how->angular * noise(3 * i)) / (double)rim;
    const double radius = 1.0 + how->radial * noise(3 * i + 1);
    double *at = target->positions[2 + i];
    at[0] = radius * cos(angle);
    at[1] = radius * sin(angle);
    at[2] = how->upward * noise(3 * i + 2);
    const uint32_t a = 2 + (uint32_t)i, b = 2 + (uint32_t)((i + 1) % rim);
    memcpy(target->triangles[2 * i], (uint32_t[]){0, a, b}, sizeof *target->triangles);
    memcpy(target->triangles[2 * i + 1], (uint32_t[]){1, b, a}, sizeof *target->triangles);
  }
  for (size_t i = 0; i < rim + 2; i++) turn(target->positions[i]);
}

static void subject_read(subject *target) {
  const graze_view positions = {target->positions, target->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  const graze_view triangles = {target->triangles, target->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  memory_init(&target->heap, NULL);
  assert_ok(closed_mesh_read(&target->mesh, &target->heap, &positions, &triangles));
  target->valences = calloc(target->mesh.vertex_count, sizeof *target->valences);
  assert_non_null(target->valences);
  for (size_t i = 0; i < 3 * target->mesh.triangle_count; i++) target->valences[target->mesh.vertices[i]]++;
}

static void subject_close(subject *target) {
  closed_mesh_release(&target->mesh, &target->heap);
  assert_int_equal(target->heap.bytes_now, 0);
  free(target->positions);
  free(target->triangles);
  free(target->valences);
}

static fan_crossings crossings_by_loops(const closed_mesh *mesh) {
  fan_crossings found = {.count = 0};
  orientation_tally tally = {0};
  for (uint32_t i = 0; i < mesh->triangle_count; i++) {
    for (uint32_t j = i + 1; j < mesh->triangle_count; j++) {
      const uint32_t *a = mesh->vertices + 3 * (size_t)i, *b = mesh->vertices + 3 * (size_t)j;
      if (corner_is_repeated(a) || corner_is_repeated(b)) continue;
      const shared_corners shared = shared_corners_of(a, b);
      if (!triangle_pair_intersects_beyond(mesh->corners + 9 * (size_t)i, mesh->corners + 9 * (size_t)j, shared.count,
                                           shared.a, shared.b, &tally))
        continue;
      if (found.count++ > 0) continue;
      found.first[0] = i;
      found.first[1] = j;
    }
  }
  return found;
}

static uint64_t assert_same_pairs(subject *target) {
  subject_read(target);
  const fan_mesh fans = {&target->mesh, target->valences};
  const fan_crossings known = crossings_by_loops(&target->mesh);
  fan_crossings found;
  assert_ok(fan_crossings_find(&fans, &target->heap, NULL, &found));
  assert_int_equal(found.count, known.count);
  assert_memory_equal(found.first, known.first, sizeof known.first);
  subject_close(target);
  return known.count;
}

/* Whole cones, and rims that go to and fro, in and out, up and down: from no pair to thousands. */
TEST(pairs_are_those_of_loops) {
  static const deformation all[] = {{0, 0, 0, 1},      {0, 0, 0, 0.001},    {0, 0, 0, 1000}, {0.5, 0, 0, 1},
                                    {0, 0.3, 0.4, 1},  {0, 0.3, 0.7, 1},    {0, 0, 2, 1},    {0.9, 0.9, 30, 1},
                                    {0.5, 0.1, 3, 50}, {0.5, 1e-9, 1, 1e-9}};
  const size_t rim = test_sanitized(100, test_scaled(400, 100));
  uint64_t most = 0;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    subject target;
    make_double_cone(&target, rim, &all[i]);
    const uint64_t count = assert_same_pairs(&target);
    if (i < 4) assert_int_equal(count, 0);
    most = count > most ? count : most;
  }
  assert_true(most > 1000);
}

/* Vertices of the rim at the same place, so that triangles have no area, repeat a vertex, or lie on each other. */
TEST(degenerate_fans_have_the_same_pairs) {
  for (size_t step = 2; step < 6; step++) {
    subject target;
    make_double_cone(&target, 120, &(deformation){0.2, 0.1, 0.3, 1.0});
    for (size_t i = 2; i < 122; i++)
      memcpy(target.positions[i], target.positions[2 + (i - 2) / step * step], sizeof *target.positions);
    memcpy(target.positions[40], target.positions[80], sizeof *target.positions);
    for (int k = 0; k < 3; k++) target.positions[60][k] = 0.5 * (target.positions[0][k] + target.positions[61][k]);
    assert_same_pairs(&target);
  }
}

/* Pages around one edge: every two of them share two vertices. */
TEST(pages_of_a_book_have_the_same_pairs) {
  enum { PAGES = 40 };
  subject target;
  memset(&target, 0, sizeof target);
  target.vertex_count = 2 + PAGES;
  target.triangle_count = 2 * PAGES; /* the spine and a vertex of the rim, once each way: leaves between them */
  target.positions = calloc(target.vertex_count, sizeof *target.positions);
  target.triangles = calloc(3 * target.triangle_count, sizeof *target.triangles);
  assert_true(target.positions != NULL && target.triangles != NULL);
  target.positions[1][2] = 1.0;
  size_t written = 0;
  for (uint32_t i = 0; i < PAGES; i++) {
    const double angle = 6.283185307179586 * i / PAGES;
    memcpy(target.positions[2 + i], (double[]){cos(angle), sin(angle), 0.5}, sizeof *target.positions);
  }
  for (uint32_t i = 0; i < PAGES; i += 2) { /* a tetrahedron between two pages; the spine is an edge of each */
    memcpy(target.triangles[written++], (uint32_t[]){0, 2 + i + 1, 2 + i}, sizeof *target.triangles);
    memcpy(target.triangles[written++], (uint32_t[]){1, 2 + i, 2 + i + 1}, sizeof *target.triangles);
    memcpy(target.triangles[written++], (uint32_t[]){0, 2 + i, 1}, sizeof *target.triangles);
    memcpy(target.triangles[written++], (uint32_t[]){0, 1, 2 + i + 1}, sizeof *target.triangles);
  }
  target.triangle_count = written;
  assert_int_equal(assert_same_pairs(&target), 0);
}

static mesh_crossings crossings_of(size_t rim, const deformation *how) {
  OWNED_BY(subject_close) subject target;
  make_double_cone(&target, rim, how);
  subject_read(&target);
  OWNED(graze_workers) *team = NULL;
  assert_ok(graze_workers_create(NULL, &team));
  const crossings_host host = {&target.heap, team, NULL, NULL};
  mesh_crossings found;
  assert_ok(mesh_crossings_find(&target.mesh, &host, &found));
  return found;
}

/* Four times the triangles: four times the work, and some more for a logarithm; pairs of triangles are sixteen times as
 * many. Of even rims and of jagged ones. */
TEST(work_grows_with_the_triangles) {
  static const deformation rims[] = {{0, 0, 0, 1}, {0.1, 0.1, 0.3, 1}};
  for (size_t i = 0; i < 2; i++) {
    uint64_t before = 0;
    for (size_t rim = 1000; rim <= test_sanitized(4000, 16000); rim *= 4) {
      const mesh_crossings found = crossings_of(rim, &rims[i]);
      assert_int_equal(found.count, 0);
      if (before > 0) assert_true(found.work < 7 * before);
      before = found.work;
    }
  }
}

/* The spheres' part of the certificate: boxes of triangles are not compared with each other. */
static uint64_t box_tests_of(size_t rim) {
  OWNED_BY(subject_close) subject target;
  make_double_cone(&target, rim, &(deformation){0, 0, 0, 1});
  subject_read(&target);
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = (graze_view){target.positions, target.vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){target.triangles, target.triangle_count, 0, GRAZE_FORMAT_UINT32_3};
  placed.self = false;
  graze_object body;
  OWNED_SCENE *scene = create_scene(NULL);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &body));
  obstacle_tree_memory room;
  obstacle_tree tree;
  obstacle_tree_memory_init(&room);
  assert_true(obstacle_tree_build(&room, &target.heap, NULL, target.mesh.corners, (uint32_t)target.triangle_count,
                                  OBSTACLE_TRIANGLE_NUMBERS, &tree));
  const certified_body judged = {target.mesh.corners, &tree, power_of_two(-target.mesh.exponent)};
  const graze_sphere spheres[] = {{{0.1, 0.1, 0.1}, 0.1}, {{-0.1, 0.0, 0.2}, 0.05}};
  packing_certificate found;
  assert_ok(packing_certificate_make(scene, body, &judged, spheres, 2, &found));
  assert_ok(packing_certificate_require(&found));
  obstacle_tree_memory_release(&room, &target.heap);
  return found.box_tests;
}

TEST(box_tests_grow_with_the_triangles) {
  const uint64_t few = box_tests_of(1000);
  assert_true(few < 100000 && box_tests_of(4000) < 5 * few + 1000);
}

/* Counts end where those of scenes do, and say so. */
TEST(crowds_are_counted_to_a_limit) {
  const mesh_crossings found = crossings_of(1000, &(deformation){0.9, 0.9, 300, 1});
  assert_int_equal(found.count, 4 * 2000 + 1024);
  assert_int_equal(found.more, 1);
}

TEST(allocations_may_fail) {
  OWNED_BY(subject_close) subject target;
  make_double_cone(&target, 100, &(deformation){0, 0, 0, 1.0});
  subject_read(&target);
  const fan_mesh fans = {&target.mesh, target.valences};
  for (size_t refused = 0; refused < 4; refused++) {
    checked_allocator checked;
    memory heap;
    fan_crossings found;
    checked_init(&checked, &heap, refused);
    assert_int_equal(fan_crossings_find(&fans, &heap, NULL, &found), refused < 3 ? GRAZE_OUT_OF_MEMORY : GRAZE_OK);
    assert_true(checked_is_clean(&checked, &heap));
  }
}

static bool stop_at_once(void *context) {
  (void)context;
  return true;
}

TEST(stops_are_heard) {
  OWNED_BY(subject_close) subject target;
  make_double_cone(&target, 1000, &(deformation){0, 0, 0, 1.0});
  subject_read(&target);
  const crossings_host host = {&target.heap, NULL, stop_at_once, NULL};
  mesh_crossings found;
  assert_int_equal(mesh_crossings_find(&target.mesh, &host, &found), GRAZE_STOPPED);
}
