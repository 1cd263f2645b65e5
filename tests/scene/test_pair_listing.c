/* Tests lists of pairs that are written in place: like one by one, for any length, part and order of tasks, with the
 * hash of the list; and unchanged after a stop. */
#include "backend_cpu/pair_listing.h"
#include "scene/object_numbers.h"
#include "scene_runner.h"
#include "testing.h"
#include "torture_scenes.h"

#include <stdlib.h>
#include <string.h>

enum { TRIANGLES = 4000 };

/* The order that would be the first to show pairs written over numbers that are still needed. */
static void run_backwards(void *context, graze_task *task, void *task_context, uint32_t count) {
  (void)context;
  for (uint32_t i = count; i-- > 0;) task(task_context, i, 0);
}

static const graze_task_system backwards = {sizeof(graze_task_system), NULL, 2, run_backwards};

static graze_scene *two_objects(const graze_task_system *tasks) {
  OWNED(mesh_set) made = torture_set("soup", TRIANGLES, 1);
  const mesh both[2] = {made.meshes[0], made.meshes[0]};
  running_variant variant = running_variant_reference();
  variant.worker_count = 4;
  variant.threading = GRAZE_THREADING_PTHREADS;
  variant.tasks = tasks;
  graze_scene *scene = runner_scene(&variant, both, 2, NULL);
  return scene;
}

/* Any numbers: what is spread need not be sorted, nor meet. */
static index_pair numbers_at(const graze_scene *scene, size_t i) {
  const uint64_t mixed = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  return (index_pair){(uint32_t)((mixed >> 40) % scene->primitive_count),
                      (uint32_t)((mixed >> 16) % scene->primitive_count)};
}

static graze_pair *list_of_numbers(const graze_scene *scene, size_t count) {
  graze_pair *list = malloc((count + 1) * sizeof *list);
  assert_non_null(list);
  index_pair *numbers = pair_listing_numbers(list, count);
  for (size_t i = 0; i < count; i++) numbers[i] = numbers_at(scene, i);
  return list;
}

static void check_spread(const graze_scene *scene, size_t count, size_t keep) {
  OWNED_MEMORY graze_pair *list = list_of_numbers(scene, count);
  uint64_t hash = 1;
  assert_true(pair_listing_spread(scene, list, count, keep, NULL, &hash));
  for (size_t i = 0; i < keep; i++) {
    const graze_pair wanted = scene_public_pair(scene, numbers_at(scene, i), (public_number[2]){{0}});
    if (memcmp(&list[i], &wanted, sizeof wanted) != 0)
      fail_msg("pair %zu of %zu, of which %zu are kept", i, count, keep);
  }
  assert_true(hash == graze_pairs_hash(list, keep));
}

TEST(test_spread_is_as_one_by_one) {
  static const size_t counts[] = {0, 1, 2, 3, 16383, 16384, 16385, 32767, 49153, 200001, 1 << 20};
  for (int backward = 0; backward < 2; backward++) {
    OWNED_SCENE *scene = two_objects(backward == 1 ? &backwards : NULL);
    assert_true(scene->object_count == 2 && scene->primitive_count > TRIANGLES);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
      const size_t keeps[] = {0, counts[i] / 3, counts[i] - counts[i] / 5, counts[i]};
      for (size_t k = 0; k < sizeof keeps / sizeof keeps[0]; k++) check_spread(scene, counts[i], keeps[k]);
    }
  }
}

static bool say_yes(void *context) {
  (void)context;
  return true;
}

TEST(test_spread_is_left_when_a_stop_is_asked_for) {
  OWNED_SCENE *scene = two_objects(NULL);
  for (size_t count = 1; count <= 1 << 20; count *= 32) {
    OWNED_MEMORY graze_pair *list = list_of_numbers(scene, count);
    stop_check stop;
    stop_check_init(&stop, say_yes, NULL);
    uint64_t hash;
    assert_false(pair_listing_spread(scene, list, count, count, &stop, &hash));
  }
}
