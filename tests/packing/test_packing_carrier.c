/* Tests packings carried by deforming bodies: each frame is certified and checked independently of graze, while the
 * body bends, twists, is compressed, stretched, inverted, far away, tiny or huge. The result does not depend on the
 * workers or on earlier frames; steady frames allocate nothing; failing allocations; errors. */
#include "base/checked_allocator.h"
#include "models/model.h"
#include "packing_checks.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPHERES = 150 };

/* A body of tetrahedra, its surface, found independently by the test, and a packing of it. */
typedef struct subject {
  mesh *meshes;
  size_t mesh_count, face_count;
  uint32_t (*faces)[3];
  double *moved, *corners;
  double scale; /* of the corners: a power of two, so that squares of lengths are numbers */
  graze_packing packing;
} subject;

static int compare_faces(const void *a, const void *b) {
  uint32_t of[2][3];
  for (int side = 0; side < 2; side++) {
    memcpy(of[side], side == 0 ? a : b, sizeof of[side]);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 2; j++) {
        if (of[side][j] <= of[side][j + 1]) continue;
        const uint32_t kept = of[side][j];
        of[side][j] = of[side][j + 1];
        of[side][j + 1] = kept;
      }
  }
  for (int k = 0; k < 3; k++)
    if (of[0][k] != of[1][k]) return of[0][k] < of[1][k] ? -1 : 1;
  return 0;
}

/* Tetrahedra of models have a positive volume: d is above a, b, c. */
static void find_surface(subject *target) {
  static const int corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const size_t count = 4 * target->meshes->tetrahedron_count;
  target->faces = malloc(count * sizeof *target->faces);
  assert_non_null(target->faces);
  for (size_t i = 0; i < 3 * count; i++)
    target->faces[i / 3][i % 3] = target->meshes->tetrahedra[4 * (i / 12) + (size_t)corners[i / 3 % 4][i % 3]];
  qsort(target->faces, count, sizeof *target->faces, compare_faces);
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (i + 1 < count && compare_faces(target->faces[i], target->faces[i + 1]) == 0)
      i++;
    else
      memmove(target->faces[kept++], target->faces[i], sizeof *target->faces);
  }
  target->face_count = kept;
}

static void subject_open(subject *target, const char *name, size_t spheres) {
  char error[256];
  model_parameters parameters = model_parameters_default();
  parameters.primitives = 600;
  memset(target, 0, sizeof *target);
  assert_true(model_make(model_find(name), &parameters, &target->meshes, &target->mesh_count, error, sizeof error));
  find_surface(target);
  target->moved = malloc(3 * target->meshes->vertex_count * sizeof *target->moved);
  target->corners = malloc(9 * target->face_count * sizeof *target->corners);
  assert_true(target->moved != NULL && target->corners != NULL);
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){target->meshes->positions, target->meshes->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = (graze_view){target->faces, target->face_count, 0, GRAZE_FORMAT_UINT32_3};
  graze_packing_options options = graze_packing_options_default();
  options.count = spheres;
  assert_ok(graze_pack_spheres(&def, &options, &target->packing));
  assert_int_equal(target->packing.count, spheres);
}

static void subject_close(subject *target) {
  graze_packing_free(&target->packing);
  mesh_list_free(target->meshes, target->mesh_count);
  free(target->faces);
  free(target->moved);
  free(target->corners);
}

static graze_carrier_def carrier_of(const subject *target) {
  graze_carrier_def def = graze_carrier_def_default();
  def.positions = (graze_view){target->meshes->positions, target->meshes->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
  def.tetrahedra =
      (graze_view){target->meshes->tetrahedra, target->meshes->tetrahedron_count, 0, GRAZE_FORMAT_UINT32_4};
  def.spheres = target->packing.spheres;
  def.sphere_count = target->packing.count;
  return def;
}

static graze_view moved_view(const subject *target) {
  return (graze_view){target->moved, target->meshes->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
}

/* ---------------------------------------------------------------------------------------------- motions */

typedef enum motion {
  REST,
  TURN,
  GROW,
  BEND,
  TWIST,
  SQUEEZE,
  SHEAR,
  CRUMPLE,
  MIRROR,
  FLATTEN,
  FAR,
  FARTHER,
  TINY,
  VAST,
  MOTIONS
} motion;

static void turn_about(double *x, double *y, double angle) {
  const double kept = *x;
  *x = cos(angle) * kept - sin(angle) * *y;
  *y = sin(angle) * kept + cos(angle) * *y;
}

static double noise(size_t i) {
  return (double)(((uint32_t)i * 2654435761U) >> 8) * 0x1p-23 - 1.0;
}

static void move_vertex(motion how, double amount, size_t number, double *at) {
  if (how == TURN) {
    turn_about(&at[0], &at[1], amount);
    turn_about(&at[1], &at[2], 2.0 * amount);
  }
  if (how == GROW)
    for (int k = 0; k < 3; k++) at[k] *= 1.0 + 2.0 * amount;
  if (how == BEND) at[1] += amount * at[0] * at[0];
  if (how == TWIST) turn_about(&at[1], &at[2], 2.0 * amount * at[0]);
  if (how == SQUEEZE) at[2] *= 1.0 - 0.9 * amount;
  if (how == SHEAR) at[0] += 3.0 * amount * at[1];
  if (how == CRUMPLE)
    for (size_t k = 0; k < 3; k++) at[k] += 0.3 * amount * noise(3 * number + k);
  if (how == MIRROR) at[0] = -at[0];
  if (how == FLATTEN) at[2] = 0.0;
  if (how == FAR)
    for (int k = 0; k < 3; k++) at[k] = at[k] * 0x1p-20 + 1.0;
  if (how == FARTHER)
    for (int k = 0; k < 3; k++) at[k] += amount * 1e12 * (k - 1.5);
  if (how == TINY)
    for (int k = 0; k < 3; k++) at[k] *= amount * 1e-312;
  if (how == VAST)
    for (int k = 0; k < 3; k++) at[k] *= amount * 0x1p+1021;
}

static void move_body(subject *target, motion how, double amount) {
  memcpy(target->moved, target->meshes->positions, 3 * target->meshes->vertex_count * sizeof *target->moved);
  for (size_t i = 0; i < target->meshes->vertex_count; i++) move_vertex(how, amount, i, target->moved + 3 * i);
  target->scale = how == TINY ? 0x1p+1000 : how == VAST ? 0x1p-1000 : 1.0;
  for (size_t i = 0; i < 9 * target->face_count; i++)
    target->corners[i] = target->moved[3 * (size_t)target->faces[i / 9][i / 3 % 3] + i % 3] * target->scale;
}

/* ---------------------------------------------------------------------------------------------- tests */

/* Without those of radius 0. */
static void assert_apart_and_inside(const subject *target, const graze_carried *frame) {
  graze_sphere left[SPHERES];
  size_t count = 0;
  for (size_t i = 0; i < frame->count; i++) {
    assert_true(frame->spheres[i].radius >= 0.0);
    if (!(frame->spheres[i].radius > 0.0)) continue;
    left[count] = frame->spheres[i];
    for (int k = 0; k < 3; k++) left[count].center[k] *= target->scale;
    left[count++].radius *= target->scale;
  }
  assert_int_equal(frame->gone_count, frame->count - count);
  assert_no_overlap(left, count);
  assert_inside(left, count, target->corners, target->face_count);
}

TEST(frames_are_certified) {
  static const char *const names[] = {"tet-box", "tet-torus", "tet-ball"};
  const double steps = (double)test_scaled(4, 1);
  for (size_t body = 0; body < 3; body++) {
    OWNED_BY(subject_close) subject target;
    subject_open(&target, names[body], SPHERES);
    const graze_carrier_def def = carrier_of(&target);
    graze_carrier *carrier;
    graze_carried frame = {0};
    assert_ok(graze_carrier_create(&def, &carrier));
    for (int how = 0; how < MOTIONS; how++) {
      for (double step = 1.0; step <= steps; step++) {
        move_body(&target, (motion)how, step / steps);
        assert_ok(graze_carrier_move(carrier, moved_view(&target), &frame));
        assert_int_equal(frame.count, SPHERES);
        if (!frame.certified) fail_msg("%s, motion %d, step %g is not certified", names[body], how, step);
        assert_apart_and_inside(&target, &frame);
        if (how == MIRROR || how == FLATTEN) assert_int_equal(frame.gone_count, SPHERES);
        if (how < BEND || how == SQUEEZE || how == SHEAR) assert_int_equal(frame.gone_count, 0);
        if (how < CRUMPLE) assert_true(frame.gone_count < SPHERES / 2 && frame.sphere_volume > 0.0);
      }
    }
    graze_carried_free(&frame);
    graze_carrier_destroy(carrier);
  }
}

/* At rest, turned and grown by one factor the packing is what it was; squeezed to a half it has half the radii at
 * least, as an affine map keeps apart what was. */
TEST(affine_maps_shrink_no_more_than_they_must) {
  OWNED_BY(subject_close) subject target;
  subject_open(&target, "tet-torus", SPHERES);
  const graze_carrier_def def = carrier_of(&target);
  const struct {
    motion how;
    double amount, factor;
  } known[] = {{REST, 0, 1}, {TURN, 0.7, 1}, {GROW, 1, 3}, {GROW, -0.25, 0.5}, {SQUEEZE, 5.0 / 9.0, 0.5}};
  graze_carrier *carrier;
  graze_carried frame = {0};
  assert_ok(graze_carrier_create(&def, &carrier));
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    move_body(&target, known[k].how, known[k].amount);
    assert_ok(graze_carrier_move(carrier, moved_view(&target), &frame));
    for (size_t i = 0; i < SPHERES; i++)
      assert_true(fabs(frame.spheres[i].radius / (known[k].factor * target.packing.spheres[i].radius) - 1.0) < 1e-8);
  }
  graze_carried_free(&frame);
  graze_carrier_destroy(carrier);
}

TEST(frames_are_the_same_for_all_workers) {
  OWNED_BY(subject_close) subject target;
  subject_open(&target, "tet-ball", SPHERES);
  graze_carrier_def def = carrier_of(&target);
  graze_carried first = {0}, again = {0};
  for (uint32_t count = 1; count <= 4; count++) {
    graze_workers_def team = graze_workers_def_default();
    graze_carrier *carrier;
    team.worker_count = count;
    assert_ok(graze_workers_create(&team, &def.workers));
    assert_ok(graze_carrier_create(&def, &carrier));
    for (uint32_t before = 0; before < count; before++) { /* other frames first */
      move_body(&target, CRUMPLE, 0.3 * before);
      assert_ok(graze_carrier_move(carrier, moved_view(&target), &again));
    }
    move_body(&target, TWIST, 1.0);
    assert_ok(graze_carrier_move(carrier, moved_view(&target), count == 1 ? &first : &again));
    if (count > 1) assert_memory_equal(first.spheres, again.spheres, SPHERES * sizeof *first.spheres);
    graze_carrier_destroy(carrier);
    graze_workers_destroy(def.workers);
  }
  graze_carried_free(&first);
  graze_carried_free(&again);
}

TEST(steady_frames_allocate_nothing) {
  OWNED_BY(subject_close) subject target;
  subject_open(&target, "tet-torus", SPHERES);
  graze_carrier_def def = carrier_of(&target);
  checked_allocator checked;
  memory heap;
  graze_carrier *carrier;
  graze_carried frame = {0};
  checked_init(&checked, &heap, SIZE_MAX);
  def.allocator = &heap.allocator;
  assert_ok(graze_carrier_create(&def, &carrier));
  size_t warm = 0;
  for (int i = 0; i < 40; i++) {
    if (i == 15) warm = atomic_load(&checked.allocations);
    move_body(&target, TWIST, 0.5 + 0.01 * (i % 5));
    assert_ok(graze_carrier_move(carrier, moved_view(&target), &frame));
  }
  assert_int_equal(atomic_load(&checked.allocations), warm);
  graze_carried_free(&frame);
  graze_carrier_destroy(carrier);
  assert_true(checked_is_clean(&checked, &heap));
}

TEST(allocations_may_fail) {
  OWNED_BY(subject_close) subject target;
  subject_open(&target, "tet-box", 12);
  graze_carrier_def def = carrier_of(&target);
  graze_workers_def serial = graze_workers_def_default();
  serial.threading = GRAZE_THREADING_SERIAL;
  assert_ok(graze_workers_create(&serial, &def.workers));
  move_body(&target, BEND, 1.0);
  for (size_t refused = 0;; refused++) {
    checked_allocator checked;
    memory heap;
    graze_carrier *carrier;
    graze_carried frame = {0};
    checked_init(&checked, &heap, refused);
    def.allocator = &heap.allocator;
    graze_result result = graze_carrier_create(&def, &carrier);
    assert_true((result == GRAZE_OK) == (carrier != NULL));
    if (result == GRAZE_OK) result = graze_carrier_move(carrier, moved_view(&target), &frame);
    if (result != GRAZE_OK) {
      assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
      assert_int_equal(frame.count, 0);
    }
    if (carrier != NULL) { /* it goes on */
      assert_ok(graze_carrier_move(carrier, moved_view(&target), &frame));
      assert_int_equal(frame.certified, 1);
    }
    const bool reached = atomic_load(&checked.allocations) > refused;
    graze_carried_free(&frame);
    graze_carrier_destroy(carrier);
    assert_true(checked_is_clean(&checked, &heap));
    if (!reached) break;
  }
  graze_workers_destroy(def.workers);
}

static void assert_refused(const graze_carrier_def *def, graze_result result, const char *words) {
  graze_carrier *carrier;
  assert_int_equal(graze_carrier_create(def, &carrier), result);
  assert_null(carrier);
  if (strstr(graze_error_text(), words) == NULL) fail_msg("\"%s\" lacks \"%s\"", graze_error_text(), words);
}

TEST(refusals_say_why) {
  double positions[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}};
  uint32_t tetrahedra[3][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}};
  graze_sphere sphere = {{0.2, 0.2, 0.2}, 0.1};
  graze_carrier_def def = graze_carrier_def_default();
  def.positions = (graze_view){positions, 5, 0, GRAZE_FORMAT_DOUBLE3};
  def.tetrahedra = (graze_view){tetrahedra, 3, 0, GRAZE_FORMAT_UINT32_4};
  def.spheres = &sphere;
  def.sphere_count = 1;
  assert_refused(&def, GRAZE_INVALID_ARGUMENT, "belongs to 3 tetrahedra");
  def.tetrahedra.count = 1;
  sphere.center[0] = 2.0;
  assert_refused(&def, GRAZE_INVALID_ARGUMENT, "sphere 0 is in no tetrahedron");
  sphere.center[0] = NAN;
  assert_refused(&def, GRAZE_NOT_FINITE, "nan");
  sphere.center[0] = 0.2;
  sphere.radius = -1.0;
  assert_refused(&def, GRAZE_INVALID_ARGUMENT, "radius");
  sphere.radius = 0.1;
  tetrahedra[0][3] = 4;
  assert_refused(&def, GRAZE_INVALID_ARGUMENT, "tetrahedron 0 is flat at rest");
  tetrahedra[0][3] = 9;
  assert_refused(&def, GRAZE_INDEX_OUT_OF_RANGE, "9");
  tetrahedra[0][3] = 3;
  def.sphere_count = 0;
  assert_refused(&def, GRAZE_INVALID_ARGUMENT, "no spheres");
  def.sphere_count = 1;
  graze_carrier *carrier;
  graze_carried frame = {0};
  assert_ok(graze_carrier_create(&def, &carrier));
  def.positions.count = 4;
  assert_int_equal(graze_carrier_move(carrier, def.positions, &frame), GRAZE_INVALID_ARGUMENT);
  def.positions.count = 5;
  positions[2][1] = INFINITY;
  assert_int_equal(graze_carrier_move(carrier, def.positions, &frame), GRAZE_NOT_FINITE);
  assert_int_equal(frame.count, 0);
  positions[2][1] = 1.0;
  assert_ok(graze_carrier_move(carrier, def.positions, &frame));
  assert_int_equal(frame.certified, 1);
  graze_carried_free(&frame);
  graze_carrier_destroy(carrier);
}
