/* Counts the operations of badly spread scenes and of ordinary ones on a device: a map that fits is kept, and a frame
 * with it waits for the device no more often than a frame without.
 *
 * Workload: 2,000 triangles, a few hundred frames. */
#include "host_operations.h"
#include "scene_calls.h"
#include "scene_runner.h"
#include "spread_soup.h"
#include "testing.h"

#include <stdlib.h>

enum { TRIANGLES = 2000 };

static const running_variant on_device = {
    .method = "grid", .simd = GRAZE_SIMD_AUTO, .worker_count = 1, .threading = GRAZE_THREADING_SERIAL};

/* One triangle, which may be far away, and the others in a cube. */
static soup soup_with_one_at(double at) {
  soup s = soup_make(TRIANGLES, 3);
  soup_add(&s, at, at, at, 0.1);
  soup_add_cube(&s, TRIANGLES - 1, 0, 0, 0, 1, 0.05);
  return s;
}

/* Uploads all positions, updates and asks. */
static host_device_counts counts_of_frame(graze_scene *scene, const soup *s) {
  static const host_device_settings plain = {INDICES_FORWARD};
  const graze_view all = {s->mesh.positions, s->mesh.vertex_count, 3 * sizeof(double), GRAZE_FORMAT_DOUBLE3};
  assert_ok(graze_object_set_positions(scene, (graze_object){0, 1}, 0, all));
  host_device_configure(&plain);
  assert_ok(graze_scene_update(scene));
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BOTH;
  OWNED(pair_answer) answer = runner_find(scene, &query);
  return host_device_count();
}

/* The third of many equal frames: the first makes lists, the second records a sequence. */
static size_t steady_operations(graze_scene *scene, const soup *s) {
  (void)counts_of_frame(scene, s);
  (void)counts_of_frame(scene, s);
  const host_device_counts counts = counts_of_frame(scene, s);
  assert_int_equal(counts.replays, 2);
  return counts.operations;
}

static size_t ordinary_operations(void) {
  OWNED_BY(soup_free) soup s = soup_with_one_at(0.5);
  OWNED_SCENE *scene = runner_scene(&on_device, &s.mesh, 1, NULL);
  const size_t operations = steady_operations(scene, &s);
  return operations;
}

TEST(steady_frames_cost_no_more) {
  const size_t ordinary = ordinary_operations();
  static const double distances[] = {1e9, 1e30, 1e300};
  for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
    OWNED_BY(soup_free) soup s = soup_with_one_at(distances[i]);
    OWNED_SCENE *scene = runner_scene(&on_device, &s.mesh, 1, NULL);
    assert_int_equal(steady_operations(scene, &s), ordinary);
  }
}

/* One far triangle that flies on; the cube stays. */
TEST(outliers_may_fly) {
  const size_t ordinary = ordinary_operations();
  OWNED_BY(soup_free) soup s = soup_with_one_at(1e9);
  OWNED_SCENE *scene = runner_scene(&on_device, &s.mesh, 1, NULL);
  (void)steady_operations(scene, &s);
  for (int frame = 0; frame < 90; frame++) {
    for (int k = 0; k < 9; k++) s.mesh.positions[k] *= -2000.0;
    assert_int_equal(counts_of_frame(scene, &s).operations, ordinary);
  }
}

/* The cube drifts by a hundredth of its size a frame: the map follows it now and then. */
TEST(drift_seldom_costs_more) {
  const size_t ordinary = ordinary_operations();
  OWNED_BY(soup_free) soup s = soup_with_one_at(1e9);
  OWNED_SCENE *scene = runner_scene(&on_device, &s.mesh, 1, NULL);
  (void)steady_operations(scene, &s);
  size_t dear = 0;
  for (int frame = 0; frame < 100; frame++) {
    for (size_t k = 9; k < 3 * s.mesh.vertex_count; k++) s.mesh.positions[k] += 0.01;
    dear += counts_of_frame(scene, &s).operations != ordinary ? 1 : 0;
  }
  assert_in_range(dear, 1, 20);
}

/* Only the frames in which spread comes and goes cost more. */
TEST(spread_that_goes_is_forgotten) {
  const size_t ordinary = ordinary_operations();
  OWNED_BY(soup_free) soup near = soup_with_one_at(0.5), far = soup_with_one_at(1e9);
  OWNED_SCENE *scene = runner_scene(&on_device, &near.mesh, 1, NULL);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(steady_operations(scene, &near), ordinary);
    assert_true(counts_of_frame(scene, &far).operations > ordinary);
    assert_int_equal(steady_operations(scene, &far), ordinary);
    assert_true(counts_of_frame(scene, &near).operations > ordinary);
  }
}
