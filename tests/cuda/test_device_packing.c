/* Tests sphere packings on an emulated device: the spheres equal the processor's bit by bit, on various bodies; failing
 * operations, too little memory, stops, errors. */
#include "backend_choice.h"
#include "base/checked_allocator.h"
#include "graze/packing.h"
#include "host_operations.h"
#include "model_set.h"
#include "models/model.h"
#include "packing/obstacle_tree.h"
#include "packing/small_bodies.h"
#include "test_scale.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

/* A body, and how it is packed. */
typedef struct subject {
  const char *name;
  graze_mesh_def mesh;
  graze_packing_options options;
} subject;

/* Backward, the jobs of one launch are few. */
static void configure(index_order order, size_t fail_at, bool stays_lost) {
  const host_device_settings settings = {.order = order,
                                         .first_capacity = order == INDICES_REVERSED ? 100 : 0,
                                         .fail_at = fail_at,
                                         .stays_lost = stays_lost};
  host_device_configure(&settings);
}

static void check_released(void) {
  assert_int_equal(host_device_count().bytes, 0);
  assert_int_equal(host_device_count().open_devices, 0);
}

static graze_result pack_on(const char *name, const subject *packed, graze_packing *packing) {
  const int device = 1;
  const graze_backend_def backend = backend_on(name, &device);
  graze_packing_options options = packed->options;
  options.backend = &backend;
  return graze_pack_spheres(&packed->mesh, &options, packing);
}

static void pack_by_workers(const subject *packed, uint32_t count, graze_packing *packing) {
  subject with_workers = *packed;
  graze_workers_def def = graze_workers_def_default();
  def.worker_count = count;
  assert_ok(graze_workers_create(&def, &with_workers.options.workers));
  assert_ok(pack_on("cpu", &with_workers, packing));
  graze_workers_destroy(with_workers.options.workers);
}

static void assert_same(const char *name, const graze_packing *wanted, const graze_packing *made) {
  if (wanted->count != made->count) fail_msg("%s: %zu spheres, not %zu", name, made->count, wanted->count);
  for (size_t i = 0; i < wanted->count; i++)
    if (memcmp(&wanted->spheres[i], &made->spheres[i], sizeof *wanted->spheres) != 0)
      fail_msg("%s: sphere %zu of %zu differs", name, i, wanted->count);
  assert_true(wanted->largest_gap == made->largest_gap && wanted->p95_gap == made->p95_gap);
  assert_true(wanted->fill_rate == made->fill_rate && wanted->mesh_volume == made->mesh_volume);
  assert_int_equal(wanted->certified, made->certified);
}

/* By one worker, by three, and by two as well where all is run; on the device, its threads in this order. Sanitizers
 * see several workers in test_packing.c. */
static void compare(const subject *asked, index_order order) {
  subject packed = *asked;
  OWNED(graze_packing) wanted = {0}, made = {0};
  packed.options.count = test_sanitized(8, test_scaled(asked->options.count, 15));
  pack_by_workers(&packed, 1, &wanted);
  assert_int_equal(wanted.certified, 1);
  for (uint32_t count = test_is_full() ? 2 : 3; count <= 3 && test_scale() == 1.0; count++) {
    pack_by_workers(&packed, count, &made);
    assert_same(packed.name, &wanted, &made);
  }
  configure(order, 0, false);
  assert_ok(pack_on("cuda", &packed, &made));
  assert_same(packed.name, &wanted, &made);
  check_released();
}

TEST(models_have_the_same_spheres) {
  static const struct {
    const char *name;
    uint64_t primitives, spheres;
  } rows[] = {{"blob", 1000, 100}, {"torus", 600, 100}, {"sphere", 300, 60}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    model_parameters parameters = model_parameters_default();
    parameters.primitives = test_sanitized(rows[i].primitives / 3, rows[i].primitives);
    OWNED(mesh_set) made = model_set(model_find(rows[i].name), &parameters);
    subject packed = {rows[i].name, graze_mesh_def_default(), graze_packing_options_default()};
    packed.mesh.positions = (graze_view){made.meshes->positions, made.meshes->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    packed.mesh.triangles = (graze_view){made.meshes->triangles, made.meshes->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
    packed.options.count = rows[i].spheres;
    compare(&packed, (index_order)(i % INDEX_ORDER_COUNT));
  }
}

static subject subject_of(const char *name, const small_body *body, size_t count) {
  subject packed = {name, graze_mesh_def_default(), graze_packing_options_default()};
  packed.mesh.positions = small_body_positions(body);
  packed.mesh.triangles = small_body_triangles(body);
  packed.options.count = count;
  return packed;
}

static small_body box_with_cavity(void) {
  small_body body;
  memset(&body, 0, sizeof body);
  small_body_add_box(&body, (double[]){0, 0, 0}, (double[]){3, 2, 2}, false);
  small_body_add_box(&body, (double[]){0.5, 0.5, 0.5}, (double[]){1, 1, 1}, true);
  return body;
}

/* Two shells, one of them a cavity; bodies that cross; one that faces inward. */
TEST(shells_have_the_same_spheres) {
  small_body body = box_with_cavity();
  subject packed = subject_of("cavity", &body, 200);
  compare(&packed, INDICES_SHUFFLED);
  small_body_add_box(&body, (double[]){2.5, 0.25, 0.25}, (double[]){5, 0.75, 0.75}, false);
  packed = subject_of("crossing", &body, 150);
  compare(&packed, INDICES_REVERSED);
  memset(&body, 0, sizeof body);
  small_body_add_box(&body, (double[]){0, 0, 0}, (double[]){1, 1, 1}, true);
  packed = subject_of("inverted", &body, 80);
  compare(&packed, INDICES_FORWARD);
}

/* A plate, packed until nothing of this size fits, so that all of it is swept; and one that is thinner than that. */
TEST(thin_bodies_have_the_same_spheres) {
  small_body body;
  memset(&body, 0, sizeof body);
  small_body_add_box(&body, (double[]){0, 0, 0}, (double[]){4, 3, 0.125}, false);
  subject packed = subject_of("plate", &body, 300);
  compare(&packed, INDICES_REVERSED);
  memset(&body, 0, sizeof body);
  small_body_add_tetrahedron(&body);
  packed = subject_of("tetrahedron", &body, 100000);
  packed.options.smallest_radius = 0.2;
  compare(&packed, INDICES_FORWARD);
  packed.options.smallest_radius = 2.0;
  compare(&packed, INDICES_FORWARD);
}

/* The quickest to pack. */
static small_body tetrahedron(void) {
  small_body body;
  memset(&body, 0, sizeof body);
  small_body_add_tetrahedron(&body);
  return body;
}

/* Every operation of the device fails once, or from then on: a code, a message, an empty list, nothing lost. */
TEST(operations_may_fail) {
  const small_body body = tetrahedron();
  const subject packed = subject_of("tetrahedron", &body, 3);
  for (int lost = 0; lost < 2; lost++) {
    for (size_t fail_at = 1;; fail_at += lost != 0 ? 7 : test_scale() < 1.0 ? 3 : 1) {
      graze_packing packing = {0};
      configure(INDICES_FORWARD, fail_at, lost != 0);
      const graze_result result = pack_on("cuda", &packed, &packing);
      if (result != GRAZE_OK) {
        assert_true(result == GRAZE_OUT_OF_MEMORY || result == GRAZE_DEVICE_FAILED);
        assert_non_null(strstr(graze_error_text(), "of the device failed"));
        assert_int_equal(packing.count, 0);
      }
      graze_packing_free(&packing);
      check_released();
      if (result == GRAZE_OK) break;
    }
  }
}

/* All radii arrive a hundredth too large. */
static void enlarge_radii(void *host, size_t bytes) {
  prototype_job *jobs = host;
  for (size_t i = 0; i < bytes / sizeof *jobs; i++) jobs[i].sphere.radius *= 1.01;
}

/* A device that answers wrongly: its spheres fail the processor's certificate, and nobody gets them. */
TEST(wrong_spheres_are_not_handed_out) {
  const small_body body = box_with_cavity();
  const subject packed = subject_of("cavity", &body, 20);
  const host_device_settings settings = {.downloaded = enlarge_radii};
  graze_packing packing = {0};
  host_device_configure(&settings);
  assert_int_equal(pack_on("cuda", &packed, &packing), GRAZE_NOT_CERTIFIED);
  assert_non_null(strstr(graze_error_text(), "the spheres fail their certificate: overlaps "));
  assert_int_equal(packing.count, 0);
  assert_null(packing.spheres);
  assert_int_equal(packing.certified, 0);
  graze_packing_free(&packing);
  check_released();
}

/* The device has less and less; then it says how much it lacked. */
TEST(little_memory_is_reported) {
  const small_body body = box_with_cavity();
  const subject packed = subject_of("cavity", &body, test_sanitized(6, 20));
  bool refused = false, packed_once = false;
  for (size_t bytes = 1 << 24; bytes > 64; bytes /= 4) {
    const host_device_settings settings = {.most_bytes = bytes};
    graze_packing packing = {0};
    host_device_configure(&settings);
    const graze_result result = pack_on("cuda", &packed, &packing);
    packed_once = packed_once || result == GRAZE_OK;
    if (result != GRAZE_OK) {
      assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
      assert_non_null(strstr(graze_error_text(), "bytes were asked for"));
      refused = true;
    }
    graze_packing_free(&packing);
    check_released();
  }
  assert_true(refused && packed_once);
}

/* The host's own memory runs out at each of its allocations in turn. */
TEST(host_memory_may_fail) {
  const small_body body = tetrahedron();
  subject packed = subject_of("tetrahedron", &body, 3);
  graze_workers_def serial = graze_workers_def_default();
  serial.threading = GRAZE_THREADING_SERIAL;
  assert_ok(graze_workers_create(&serial, &packed.options.workers));
  configure(INDICES_FORWARD, 0, false);
  for (size_t refused = 0;; refused += test_scale() < 1.0 ? 3 : 1) {
    checked_allocator checked;
    memory heap;
    checked_init(&checked, &heap, refused);
    packed.options.allocator = &heap.allocator;
    graze_packing packing = {0};
    const graze_result result = pack_on("cuda", &packed, &packing);
    const bool reached = atomic_load(&checked.allocations) > refused;
    if (result != GRAZE_OK) assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
    graze_packing_free(&packing);
    assert_true(checked_is_clean(&checked, &heap));
    check_released();
    if (!reached) break;
  }
  graze_workers_destroy(packed.options.workers);
}

static bool stop_after_some(void *context) {
  return ++*(int *)context > 3;
}

TEST(stops_are_heard) {
  const small_body body = box_with_cavity();
  subject packed = subject_of("cavity", &body, 1000000);
  int asked = 0;
  packed.options.should_stop = stop_after_some;
  packed.options.stop_context = &asked;
  const host_device_settings settings = {.download_ms = 3};
  host_device_configure(&settings);
  graze_packing packing = {0};
  assert_int_equal(pack_on("cuda", &packed, &packing), GRAZE_STOPPED);
  assert_non_null(strstr(graze_error_text(), "the caller stopped"));
  assert_int_equal(packing.count, 0);
  graze_packing_free(&packing);
  check_released();
}

TEST(odd_backends_are_refused) {
  const small_body body = box_with_cavity();
  subject packed = subject_of("cavity", &body, 6);
  graze_packing packing = {0};
  const int devices[2] = {HOST_DEVICE_COUNT, 0};
  graze_backend_def def = graze_backend_def_default();
  packed.options.backend = &def;
  def.name = "abacus";
  assert_int_equal(graze_pack_spheres(&packed.mesh, &packed.options, &packing), GRAZE_INVALID_ARGUMENT);
  assert_non_null(strstr(graze_error_text(), "abacus"));
  def.name = "cuda";
  def.devices = devices;
  def.device_count = 1;
  assert_int_equal(graze_pack_spheres(&packed.mesh, &packed.options, &packing), GRAZE_NO_DEVICE);
  def.device_count = 2;
  assert_int_equal(graze_pack_spheres(&packed.mesh, &packed.options, &packing), GRAZE_UNSUPPORTED);
  graze_packing_free(&packing);
  check_released();
}

/* The mesh goes to the device once: a round has few copies, and those of what is new. */
TEST(uploads_are_few) {
  const small_body body = box_with_cavity();
  const size_t spheres = test_sanitized(30, 100);
  const subject packed = subject_of("cavity", &body, spheres);
  OWNED(graze_packing) packing = {0};
  configure(INDICES_FORWARD, 0, false);
  assert_ok(pack_on("cuda", &packed, &packing));
  const host_device_counts counts = host_device_count();
  assert_true(counts.uploads < 8 * spheres);
  assert_true(counts.uploaded_bytes < 40u * 65536u + 4u * 1024u * 1024u);
}
