/* Tests the stream that a host passes to a scene's backend: the work of each call on the emulated device follows the
 * work on the stream. The stream can change without an update, and is rejected if it cannot be waited for. */
#include "backend_choice.h"
#include "batch_calls.h"
#include "graze/cuda.h"
#include "host_operations.h"
#include "scene/small_meshes.h"

/* Handles that nobody follows. */
static char first_stream, second_stream;

static graze_backend_def streaming(void *stream) {
  static const int device = 0;
  graze_backend_def def = backend_on("cuda", &device);
  def.stream = stream;
  return def;
}

/* Two objects that cross, one of triangles and one of a tetrahedron. */
static graze_scene *make_scene(void *stream) {
  static const uint32_t corners[4] = {0, 1, 2, 4};
  const graze_backend_def backend = streaming(stream);
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1;
  def.backend = &backend;
  graze_scene *scene = create_scene(&def);
  graze_mesh_def mesh = crossing_def();
  mesh.tetrahedra = (graze_view){corners, 1, 0, GRAZE_FORMAT_UINT32_4};
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh, NULL, NULL));
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &mesh, NULL, NULL));
  return scene;
}

static void begin(void) {
  const host_device_settings settings = {.fail_at = 0};
  host_device_configure(&settings);
}

/* The call since `begin` waited once, for the stream, before all that it had the device do. */
static void expect_wait(const void *stream) {
  const host_device_counts counts = host_device_count();
  assert_true(counts.operations > 1);
  assert_int_equal(counts.waits, stream != NULL ? 1 : 0);
  assert_ptr_equal(counts.first_wait, stream);
  assert_int_equal(counts.before_wait, 0);
  begin();
}

/* Its results are complete too. */
static void expect_answer(const void *stream) {
  assert_int_equal(host_device_count().unfinished, 0);
  expect_wait(stream);
}

/* The calls that write to the caller's memory on the device. */
static void call_on_device(graze_scene *scene, const void *stream, const graze_pair *pairs, size_t count) {
  const graze_object moving = {1, 1};
  const graze_pose poses[2] = {graze_pose_identity(), graze_pose_identity()};
  graze_device_contacts contacts = {0};
  graze_nearest rows[2];
  uint8_t answers[2];
  assert_ok(graze_scene_make_contacts_on_device(scene, pairs, count, NULL, &contacts));
  expect_answer(stream);
  graze_device_contacts_free(&contacts);
  graze_batch_def batch = batch_of(&moving, 1, poses, 2);
  batch.poses_on_device = batch.answers_on_device = true;
  assert_ok(batch_hits(scene, batch, answers));
  expect_answer(stream);
  assert_ok(batch_nearest(scene, batch, rows));
  expect_answer(stream);
}

static void call_everything(graze_scene *scene, const void *stream) {
  graze_device_pairs device_pairs = {0};
  uint64_t answers[1];
  const graze_pose pose = graze_pose_identity();
  begin();
  graze_pairs pairs = find_pairs(scene, NULL);
  assert_true(pairs.count > 1);
  expect_answer(stream);
  graze_contacts contacts = make_contacts(scene, pairs.pairs, pairs.count, NULL);
  expect_answer(stream);
  assert_ok(graze_scene_find_pairs_on_device(scene, NULL, &device_pairs));
  expect_answer(stream);
  OWNED(graze_crowding) crowding = measure_crowding(scene, (graze_object){0, 1});
  expect_answer(stream);
  const graze_id_pair pair = {{0, 1}, {1, 1}};
  assert_ok(batch_counts(scene, batch_of_pair(&pair, &pose, 1), answers));
  expect_answer(stream);
  call_on_device(scene, stream, device_pairs.device_pairs, device_pairs.count);
  graze_pairs_free(&pairs);
  graze_device_pairs_free(&device_pairs);
  graze_contacts_free(&contacts);
}

TEST(test_calls_follow_the_stream) {
  OWNED_SCENE *scene = make_scene(&first_stream);
  begin();
  assert_ok(graze_scene_update(scene));
  expect_wait(&first_stream);
  call_everything(scene, &first_stream);
}

TEST(test_the_stream_changes_without_an_update) {
  void *const streams[] = {&second_stream, NULL, &first_stream};
  OWNED_SCENE *scene = make_scene(NULL);
  assert_ok(graze_scene_update(scene));
  call_everything(scene, NULL);
  for (int i = 0; i < 3; i++) {
    const graze_backend_def backend = streaming(streams[i]);
    assert_ok(graze_scene_set_backend(scene, &backend));
    call_everything(scene, streams[i]);
  }
  begin();
  assert_ok(graze_scene_update(scene));
  expect_wait(&first_stream);
}

TEST(test_streams_that_are_refused) {
  const host_device_settings lost = {.lost_stream = &first_stream};
  const size_t open = host_device_count().open_devices;
  graze_backend_def backend = streaming(&first_stream);
  graze_scene_def def = graze_scene_def_default();
  def.backend = &backend;
  OWNED_SCENE *scene;
  host_device_configure(&lost);
  assert_refused(graze_scene_create(&def, &scene), GRAZE_DEVICE_FAILED,
                 "waiting for the caller's stream: there is none");
  assert_true(scene == NULL && host_device_count().open_devices == open);
  begin();
  backend.name = "cpu";
  backend.device_count = 0;
  assert_refused(graze_scene_create(&def, &scene), GRAZE_UNSUPPORTED, "the backend cpu has no streams");
  /* One that is lost later: calls fail until the scene has another. */
  scene = make_scene(&first_stream);
  host_device_configure(&lost);
  assert_int_equal(graze_scene_update(scene), GRAZE_DEVICE_FAILED);
  backend = streaming(&second_stream);
  assert_ok(graze_scene_set_backend(scene, &backend));
  assert_true(count_pairs_updated(scene) > 1);
  backend = streaming(&first_stream);
  assert_ok(graze_scene_set_backend(scene, &backend));
  OWNED(graze_pairs) pairs = {0};
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &pairs), GRAZE_DEVICE_FAILED);
  begin();
  assert_true(count_pairs(scene) > 1);
}
