/* Tests the proven bound of the largest gap against closed forms, and against dense samples of packings with gaps of
 * all sizes. If the budget ends, it is still a bound. */
#include "packing/obstacle_tree.h"
#include "packing/packer.h"
#include "packing/packing_gaps.h"
#include "small_bodies.h"
#include "test_scale.h"
#include "testing.h"

#include <string.h>

/* A packer as it is after its run, of spheres that a test has chosen. */
typedef struct subject {
  memory heap;
  closed_mesh mesh;
  packer packed;
} subject;

static workers *team_of(uint32_t count) {
  workers *team;
  graze_workers_def def = graze_workers_def_default();
  def.worker_count = count;
  assert_ok(graze_workers_create(&def, &team));
  return team;
}

static void subject_open(subject *target, const small_body *body) {
  memory_init(&target->heap, NULL);
  const graze_view positions = small_body_positions(body), triangles = small_body_triangles(body);
  assert_ok(closed_mesh_read(&target->mesh, &target->heap, &positions, &triangles));
  packer_init(&target->packed);
  target->packed.mesh = &target->mesh;
  target->packed.heap = &target->heap;
  target->packed.team = team_of(1);
  assert_true(obstacle_tree_build(&target->packed.mesh_memory, &target->heap, NULL, target->mesh.corners,
                                  (uint32_t)target->mesh.triangle_count, OBSTACLE_TRIANGLE_NUMBERS,
                                  &target->packed.space.mesh));
}

/* Scaled as the mesh is. */
static void subject_place(subject *target, const double sphere[4]) {
  packer *packed = &target->packed;
  assert_true(array_push(&packed->spheres, &target->heap, sphere));
  packed->count++;
  assert_true(obstacle_tree_build(&packed->sphere_memory, &target->heap, NULL, packed->spheres.data,
                                  (uint32_t)packed->count, OBSTACLE_SPHERE_NUMBERS, &packed->space.spheres));
}

static void subject_close(subject *target) {
  workers_destroy(NULL, target->packed.team);
  packer_release(&target->packed);
  closed_mesh_release(&target->mesh, &target->heap);
  assert_int_equal(target->heap.bytes_now, 0);
}

static small_body box_of(double x, double y, double z) {
  small_body body;
  memset(&body, 0, sizeof body);
  small_body_add_box(&body, (double[]){0, 0, 0}, (double[]){x, y, z}, false);
  return body;
}

static double bound_of(subject *target, double *largest_out) {
  double bound = 0.0;
  *largest_out = 0.0;
  assert_ok(gap_bound_find(&target->packed, largest_out, &bound));
  return bound;
}

/* The largest gap is `known`: it is found within 1e-4, and the bound is within a hundredth above. */
static void assert_gap(subject *target, double known) {
  double largest;
  const double bound = bound_of(target, &largest);
  assert_true(largest <= known * (1.0 + 1e-9) && largest > known * (1.0 - 1e-4));
  assert_true(bound >= known && bound <= 1.01 * known * (1.0 + 1e-6));
}

TEST(closed_forms_are_met) {
  const double root = sqrt(3.0);
  subject cube;
  const small_body box = box_of(1, 1, 1);
  subject_open(&cube, &box);
  assert_gap(&cube, 0.5);
  /* A ball in each corner touches three sides and the large one: (1/2 - r) root 3 = 1/2 + r. */
  subject_place(&cube, (double[]){0.5, 0.5, 0.5, 0.5});
  assert_gap(&cube, (root - 1.0) / (2.0 + 2.0 * root));
  subject_close(&cube);
  OWNED_BY(subject_close) subject corner;
  small_body tetrahedron;
  memset(&tetrahedron, 0, sizeof tetrahedron);
  small_body_add_tetrahedron(&tetrahedron);
  subject_open(&corner, &tetrahedron);
  const double surface = 6.0 + 7.5 + 10.0 + 0.5 * sqrt(20.0 * 20.0 + 15.0 * 15.0 + 12.0 * 12.0);
  assert_gap(&corner, 3.0 * 10.0 / surface / 4.0);
}

static double random_part(uint64_t *random) {
  return scrambled_fraction(77, (*random)++);
}

/* No free point of many has a gap above the bound; the bound is not far above the largest that there is. */
static void assert_bounds_samples(subject *target, uint64_t *random) {
  const closed_mesh *mesh = &target->mesh;
  double largest;
  const double bound = bound_of(target, &largest);
  const size_t samples = test_scaled(30000, 3000);
  for (size_t i = 0; i < samples; i++) {
    double point[3];
    orientation_tally tally = {0};
    for (int k = 0; k < 3; k++) point[k] = mesh->least[k] + (mesh->greatest[k] - mesh->least[k]) * random_part(random);
    if (mesh_winding(&target->packed.space.mesh, point, &tally) <= 0) continue;
    assert_true(packing_space_clearance(&target->packed.space, point) <= bound);
    assert_true(packing_space_clearance(&target->packed.space, point) <= 1.01 * largest);
  }
  assert_true(bound <= 1.01 * largest * (1.0 + 1e-12));
}

/* Spheres at random, as large as there is room, some of them shrunk. */
static void place_at_random(subject *target, int count, uint64_t *random) {
  const closed_mesh *mesh = &target->mesh;
  for (int placed = 0; placed < count;) {
    double sphere[4];
    orientation_tally tally = {0};
    for (int k = 0; k < 3; k++) sphere[k] = mesh->least[k] + (mesh->greatest[k] - mesh->least[k]) * random_part(random);
    if (mesh_winding(&target->packed.space.mesh, sphere, &tally) <= 0) continue;
    sphere[3] = packing_space_clearance(&target->packed.space, sphere) * (0.3 + 0.69 * random_part(random));
    if (!(sphere[3] > 0.0)) continue;
    subject_place(target, sphere);
    placed++;
  }
}

/* One cube by itself: no free point in it has a larger gap than its bound. */
static void assert_bounds_cube(const subject *target, uint64_t *random, uint64_t *used) {
  const closed_mesh *mesh = &target->mesh;
  const packing_space *space = &target->packed.space;
  gap_cube at = {.half = mesh->diagonal * pow(0.5, 2.0 + 6.0 * random_part(random))};
  for (int k = 0; k < 3; k++)
    at.center[k] = mesh->least[k] + (mesh->greatest[k] - mesh->least[k]) * random_part(random);
  gap_cube_bound(space, -1.0, &at);
  *used += at.gap > 0.0 && at.bound < at.gap + 1.5 * at.half;
  for (int i = 0; i < 40; i++) {
    double point[3];
    orientation_tally tally = {0};
    for (int k = 0; k < 3; k++) /* corners, then points anywhere */
      point[k] = at.center[k] + at.half * (i < 8 ? ((i >> k & 1) != 0 ? 1.0 : -1.0) : 2.0 * random_part(random) - 1.0);
    if (mesh_winding(&space->mesh, point, &tally) <= 0) continue;
    assert_true(packing_space_clearance(space, point) <= at.bound + 1e-12);
  }
}

TEST(samples_are_bounded) {
  uint64_t random = 0;
  for (int round = 0; round < 12; round++) {
    OWNED_BY(subject_close) subject target;
    small_body body = box_of(1.0 + round % 3, 1.0, 1.0 + 0.1 * round);
    if (round % 2 == 1) small_body_add_box(&body, (double[]){0.3, 0.3, 0.3}, (double[]){0.6, 0.7, 0.5}, round % 4 == 1);
    if (round % 3 == 2) small_body_add_box(&body, (double[]){-0.5, 0.2, 0.2}, (double[]){0.2, 0.4, 0.9}, false);
    for (size_t i = 0; i < body.vertex_count; i++) /* askew */
      body.positions[i][0] += 0.31 * body.positions[i][1] - 0.17 * body.positions[i][2] + (round == 5 ? 100.0 : 0.0);
    subject_open(&target, &body);
    place_at_random(&target, 5 * round, &random);
    assert_bounds_samples(&target, &random);
    uint64_t used = 0; /* bounds by several obstacles */
    const size_t cubes = test_scaled(3000, 300);
    for (size_t i = 0; i < cubes; i++) assert_bounds_cube(&target, &random, &used);
    assert_true(used > cubes / 100);
  }
}

/* A needle needs more cubes than there may be: the bound is coarse and true. */
TEST(ended_budgets_bound_as_well) {
  OWNED_BY(subject_close) subject needle;
  const small_body body = box_of(1, 1e-5, 1e-5);
  subject_open(&needle, &body);
  double largest;
  const double bound = bound_of(&needle, &largest);
  assert_true(bound >= 0.5e-5 && bound < 1e-3);
  assert_true(bound > 1.05 * 0.5e-5); /* else the budget did not end */
  assert_true(largest <= 0.5e-5 * (1.0 + 1e-9));
}

TEST(bounds_are_the_same_for_all_workers) {
  OWNED_BY(subject_close) subject target;
  const small_body body = box_of(2, 1, 1);
  uint64_t random = 1000;
  double first[2] = {0.0, 0.0};
  subject_open(&target, &body);
  place_at_random(&target, 60, &random);
  for (uint32_t count = 1; count <= 4; count++) {
    workers_destroy(NULL, target.packed.team);
    target.packed.team = team_of(count);
    double largest;
    const double bound = bound_of(&target, &largest);
    if (count == 1) {
      first[0] = largest;
      first[1] = bound;
    }
    assert_true(largest == first[0] && bound == first[1]);
  }
}
