/* Tests packings through the public call: exact properties in rational arithmetic, the same spheres for every number of
 * workers, limits, errors, failing allocations, stops. */
#include "base/checked_allocator.h"
#include "graze/packing.h"
#include "model_set.h"
#include "models/model.h"
#include "packing_checks.h"
#include "small_bodies.h"
#include "test_scale.h"
#include "testing.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static small_body box_with_cavity(void) {
  small_body body;
  memset(&body, 0, sizeof body);
  small_body_add_box(&body, (double[]){0, 0, 0}, (double[]){3, 2, 2}, false);
  small_body_add_box(&body, (double[]){0.5, 0.5, 0.5}, (double[]){1, 1, 1}, true);
  return body;
}

static graze_mesh_def mesh_of(const small_body *body) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = small_body_positions(body);
  def.triangles = small_body_triangles(body);
  return def;
}

/* Center -+ radius within the box, in rational arithmetic. */
static void assert_within(const graze_sphere *sphere, const double *least, const double *greatest) {
  mpq_t center, radius, bound, end;
  mpq_inits(center, radius, bound, end, NULL);
  mpq_set_d(radius, sphere->radius);
  for (int k = 0; k < 3; k++) {
    mpq_set_d(center, sphere->center[k]);
    mpq_sub(end, center, radius);
    mpq_set_d(bound, least[k]);
    assert_true(mpq_cmp(end, bound) >= 0);
    mpq_add(end, center, radius);
    mpq_set_d(bound, greatest[k]);
    assert_true(mpq_cmp(end, bound) <= 0);
  }
  mpq_clears(center, radius, bound, end, NULL);
}

static double distance_from_cavity(const graze_sphere *sphere) {
  double squared = 0.0;
  for (int k = 0; k < 3; k++) {
    const double way = fmax(0.0, fmax(0.5 - sphere->center[k], sphere->center[k] - 1.0));
    squared += way * way;
  }
  return sqrt(squared);
}

TEST(box_is_filled_and_its_cavity_is_not) {
  const small_body body = box_with_cavity();
  const graze_mesh_def def = mesh_of(&body);
  graze_packing_options options = graze_packing_options_default();
  options.count = 600;
  graze_packing packing = {0};
  assert_ok(graze_pack_spheres(&def, &options, &packing));
  assert_int_equal(packing.count, 600);
  assert_int_equal(packing.certified, 1);
  assert_int_equal(packing.shell_count, 2);
  assert_true(packing.mesh_volume == 11.875);
  assert_true(packing.fill_rate > 0.75 && packing.fill_rate < 1.0);
  assert_true(packing.p95_gap > 0.0 && packing.p95_gap <= packing.largest_gap);
  assert_true(packing.largest_gap < 1.1 * packing.spheres[599].radius);
  assert_no_overlap(packing.spheres, packing.count);
  double volume = 0.0;
  for (size_t i = 0; i < packing.count; i++) {
    assert_within(&packing.spheres[i], (double[]){0, 0, 0}, (double[]){3, 2, 2});
    assert_true(distance_from_cavity(&packing.spheres[i]) >= packing.spheres[i].radius * (1.0 - 1e-15));
    volume += 4.0 / 3.0 * 3.14159265358979323846 * pow(packing.spheres[i].radius, 3.0);
  }
  assert_true(fabs(volume - packing.sphere_volume) < 1e-12 * volume);
  graze_packing_free(&packing);
  assert_null(packing.memory);
}

/* The same spheres for every number of workers, and where the mesh is as large as doubles allow. */
TEST(spheres_are_the_same_for_all_workers) {
  small_body body = box_with_cavity();
  graze_mesh_def packed = mesh_of(&body);
  graze_packing_options options = graze_packing_options_default();
  options.count = test_sanitized(120, 400);
  OWNED(graze_packing) first = {0}, again = {0};
  for (uint32_t workers = 1; workers <= 4; workers++) {
    graze_workers_def def = graze_workers_def_default();
    def.worker_count = workers;
    assert_ok(graze_workers_create(&def, &options.workers));
    assert_ok(graze_pack_spheres(&packed, &options, workers == 1 ? &first : &again));
    graze_workers_destroy(options.workers);
    if (workers == 1) continue;
    assert_int_equal(again.count, first.count);
    assert_memory_equal(again.spheres, first.spheres, first.count * sizeof *first.spheres);
  }
  options.workers = NULL;
  for (size_t i = 0; i < body.vertex_count; i++)
    for (int k = 0; k < 3; k++) body.positions[i][k] *= 0x1p+900;
  assert_ok(graze_pack_spheres(&packed, &options, &again));
  assert_int_equal(again.certified, 1);
  for (size_t i = 0; i < first.count; i++) assert_true(again.spheres[i].radius == first.spheres[i].radius * 0x1p+900);
}

/* Curved bodies: certified by the scene, and not overlapping by GMP. */
TEST(models_are_certified) {
  static const char *const names[] = {"torus", "blob", "sphere"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const model *chosen = model_find(names[i]);
    assert_non_null(chosen);
    model_parameters parameters = model_parameters_default();
    parameters.primitives = test_sanitized(400, 1500);
    OWNED(mesh_set) made = model_set(chosen, &parameters);
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = (graze_view){made.meshes->positions, made.meshes->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    def.triangles = (graze_view){made.meshes->triangles, made.meshes->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
    graze_packing_options options = graze_packing_options_default();
    options.count = test_sanitized(60, 200);
    OWNED(graze_packing) packing = {0};
    assert_ok(graze_pack_spheres(&def, &options, &packing));
    assert_int_equal(packing.certified, 1);
    assert_int_equal(packing.count, options.count);
    assert_no_overlap(packing.spheres, packing.count);
  }
}

TEST(limits_end_it) {
  const small_body body = box_with_cavity();
  const graze_mesh_def def = mesh_of(&body);
  graze_packing_options options = graze_packing_options_default();
  OWNED(graze_packing) packing = {0};
  options.fill_rate = 0.6;
  assert_ok(graze_pack_spheres(&def, &options, &packing));
  assert_true(packing.fill_rate >= 0.6 && packing.fill_rate < 0.75);
  options.fill_rate = 1.0;
  options.smallest_radius = 0.1;
  assert_ok(graze_pack_spheres(&def, &options, &packing));
  assert_true(packing.count > 10 && packing.count < 1000);
  for (size_t i = 0; i < packing.count; i++) assert_true(packing.spheres[i].radius >= 0.1);
  assert_true(packing.largest_gap < 0.1 * (1.0 + 1e-9));
  options.smallest_radius = 1.5; /* thinner than that everywhere */
  assert_ok(graze_pack_spheres(&def, &options, &packing));
  assert_int_equal(packing.count, 0);
  assert_int_equal(packing.certified, 1);
}

static void assert_refused(const small_body *body, const graze_packing_options *options, graze_result result,
                           const char *words) {
  const graze_mesh_def def = mesh_of(body);
  OWNED(graze_packing) packing = {0};
  assert_int_equal(graze_pack_spheres(&def, options, &packing), result);
  if (strstr(graze_error_text(), words) == NULL) fail_msg("\"%s\" lacks \"%s\"", graze_error_text(), words);
  assert_int_equal(packing.count, 0);
}

TEST(refusals_say_why) {
  small_body body = box_with_cavity();
  body.triangle_count--;
  assert_refused(&body, NULL, GRAZE_INVALID_ARGUMENT, "not closed");
  assert_refused(&body, NULL, GRAZE_INVALID_ARGUMENT, "the rim of a hole");
  body = box_with_cavity();
  body.positions[3][1] = NAN;
  assert_refused(&body, NULL, GRAZE_NOT_FINITE, "nan");
  body = box_with_cavity();
  body.triangles[5][2] = 99;
  assert_refused(&body, NULL, GRAZE_INDEX_OUT_OF_RANGE, "99");
  body = box_with_cavity();
  for (size_t i = 0; i < body.vertex_count; i++) body.positions[i][2] = 1.0;
  assert_refused(&body, NULL, GRAZE_INVALID_ARGUMENT, "no volume");
  body.triangle_count = 0;
  assert_refused(&body, NULL, GRAZE_INVALID_ARGUMENT, "no triangles");
}

TEST(odd_options_are_refused) {
  const small_body body = box_with_cavity();
  graze_packing_options options = graze_packing_options_default();
  options.count = 0;
  assert_refused(&body, &options, GRAZE_INVALID_ARGUMENT, "the count of spheres is 0");
  options = graze_packing_options_default();
  options.fill_rate = NAN;
  assert_refused(&body, &options, GRAZE_INVALID_ARGUMENT, "fill rate");
  options = graze_packing_options_default();
  options.smallest_radius = -1.0;
  assert_refused(&body, &options, GRAZE_INVALID_ARGUMENT, "smallest radius");
}

/* A body that faces inward is turned over. */
TEST(inverted_body_is_turned_over) {
  small_body body;
  memset(&body, 0, sizeof body);
  small_body_add_box(&body, (double[]){0, 0, 0}, (double[]){1, 1, 1}, true);
  const graze_mesh_def def = mesh_of(&body);
  graze_packing_options options = graze_packing_options_default();
  options.count = 50;
  OWNED(graze_packing) packing = {0};
  assert_ok(graze_pack_spheres(&def, &options, &packing));
  assert_int_equal(packing.inverted, 1);
  assert_int_equal(packing.certified, 1);
  assert_true(fabs(packing.spheres[0].radius - 0.5) < 1e-9);
}

/* Two bodies that overlap are both filled, and walls inside stay uncrossed. */
TEST(crossing_bodies_are_packed) {
  small_body body;
  memset(&body, 0, sizeof body);
  small_body_add_box(&body, (double[]){0, 0, 0}, (double[]){1, 1, 1}, false);
  small_body_add_box(&body, (double[]){0.5, 0.25, 0.25}, (double[]){2, 0.75, 0.75}, false);
  const graze_mesh_def def = mesh_of(&body);
  graze_packing_options options = graze_packing_options_default();
  options.count = 200;
  OWNED(graze_packing) packing = {0};
  assert_ok(graze_pack_spheres(&def, &options, &packing));
  assert_int_equal(packing.certified, 1);
  assert_int_equal(packing.shell_count, 2);
  bool beyond = false, shared = false;
  for (size_t i = 0; i < packing.count; i++) {
    const double *at = packing.spheres[i].center;
    beyond = beyond || at[0] > 1.5;
    shared = shared || (at[0] > 0.5 && at[0] < 1.0 && fabs(at[1] - 0.5) < 0.25 && fabs(at[2] - 0.5) < 0.25);
  }
  assert_true(beyond && shared);
}

/* Every allocation fails in turn: the call says so, the list is empty, nothing is lost. */
TEST(allocations_may_fail) {
  if (test_looks_for_races()) skip(); /* one worker */
  const small_body body = box_with_cavity();
  const graze_mesh_def def = mesh_of(&body);
  graze_workers_def serial = graze_workers_def_default();
  serial.threading = GRAZE_THREADING_SERIAL;
  graze_packing_options options = graze_packing_options_default();
  options.count = 5;
  assert_ok(graze_workers_create(&serial, &options.workers));
  for (size_t refused = 0;; refused += test_scale() < 1.0 ? 3 : 1) {
    checked_allocator checked;
    memory heap;
    checked_init(&checked, &heap, refused);
    options.allocator = &heap.allocator;
    graze_packing packing = {0};
    const graze_result result = graze_pack_spheres(&def, &options, &packing);
    const bool reached = atomic_load(&checked.allocations) > refused;
    if (result != GRAZE_OK) {
      assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
      assert_int_equal(packing.count, 0);
    }
    graze_packing_free(&packing);
    assert_true(checked_is_clean(&checked, &heap));
    if (!reached) break;
  }
  graze_workers_destroy(options.workers);
}

static bool stop_after_some(void *context) {
  return ++*(int *)context > 3;
}

TEST(stops_are_heard) {
  const small_body body = box_with_cavity();
  const graze_mesh_def def = mesh_of(&body);
  graze_packing_options options = graze_packing_options_default();
  int asked = 0;
  options.count = 1000000;
  options.should_stop = stop_after_some;
  options.stop_context = &asked;
  OWNED(graze_packing) packing = {0};
  assert_int_equal(graze_pack_spheres(&def, &options, &packing), GRAZE_STOPPED);
  assert_int_equal(packing.count, 0);
}

/* An early result is a prefix of the full result. */
TEST(packings_finish_early_with_what_they_have) {
  const small_body body = box_with_cavity();
  const graze_mesh_def def = mesh_of(&body);
  graze_packing_options options = graze_packing_options_default();
  int asked = 0;
  options.count = 200;
  OWNED(graze_packing) whole = {0}, part = {0};
  assert_ok(graze_pack_spheres(&def, &options, &whole));
  options.should_finish = stop_after_some;
  options.finish_context = &asked;
  assert_ok(graze_pack_spheres(&def, &options, &part));
  assert_int_equal(asked, 4);
  assert_true(part.certified && part.count > 0 && part.count < whole.count);
  assert_memory_equal(part.spheres, whole.spheres, part.count * sizeof *part.spheres);
  assert_true(part.fill_rate < whole.fill_rate && part.largest_gap > whole.largest_gap);
  asked = 100;
  assert_ok(graze_pack_spheres(&def, &options, &part));
  assert_int_equal(part.count, 0);
}
