/* Tests ranks of one process whose slabs are on emulated devices: they have the pairs and the hash of the scene on the
 * processor, while objects move. */
#include "distributed/rank_team.h"
#include "host_operations.h"
#include "scene_calls.h"
#include "test_scale.h"
#include "testing.h"

static void check_frame(rank_team *team, graze_scene *whole, uint64_t seed, const graze_query *query,
                        const char *words) {
  const chance c = {seed, team->count};
  team_share(team, whole, primitives_by_chance, &c);
  if (team_find(team, query) != GRAZE_OK) fail_msg("%s: %s", words, team->ranks[0].state.failure.text);
  team_compare(team, whole, query, words);
}

TEST(test_ranks_on_devices) {
  static const char *const models[] = {"soup", "tet-pair", "spheres", "cells", "folded-cloth"};
  static const uint32_t counts[] = {3, 2, 4, 3, 7};
  static const int device = 1;
  const graze_backend_def backend = {sizeof backend, "cuda", &device, 1, NULL};
  uint64_t pairs = 0;
  for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
    OWNED_SCENE *whole = team_model_scene(model_find(models[m]), test_sanitized(100, 400));
    OWNED_BY(team_end) rank_team team;
    team_begin(&team, counts[m]);
    team.backend = &backend;
    assert_ok(team_open(&team));
    assert_int_equal(host_device_count().open_devices, 2 * counts[m]); /* a slab, and one for regions */
    const size_t before = host_device_count().operations;
    graze_query query = graze_query_default();
    for (int frame = 0; frame < 4; frame++) {
      for (graze_object o = {0}; (o = graze_scene_next_object(whole, o)).generation != 0;) {
        const graze_pose pose =
            graze_pose_from_quaternion((const double[4]){1, 0.1 * frame, 0, 0}, (const double[3]){0.1 * o.index, 0, 0});
        assert_ok(graze_object_set_pose(whole, o, &pose));
      }
      query.clearance = frame == 3 ? 0.02 : 0;
      check_frame(&team, whole, (uint64_t)frame / 2, &query, models[m]);
    }
    assert_true(host_device_count().operations > before);
    pairs += team.ranks[0].totals.pair_count;
  }
  assert_true(pairs > 500);
  assert_int_equal(host_device_count().open_devices, 0);
}
