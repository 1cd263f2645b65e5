/* Runs the life of a scene with failing allocations; see failing_life.h. */
#include "failing_life.h"

#include "batch_calls.h"
#include "graze/distances.h"
#include "graze/regions.h"
#include "test_scale.h"

#include <stdlib.h>

bool is_refusal(failing_life *life, graze_result result) {
  if (result == GRAZE_OK) return false;
  assert_int_equal(result, GRAZE_OUT_OF_MEMORY);
  assert_true(atomic_load(&life->heap.allocations) > life->heap.refused);
  life->heap.refused = SIZE_MAX;
  life->heap.refuse_all_after = false;
  life->failures++;
  if (life->scene != NULL) assert_true(strncmp(graze_error_text(), "out of memory: the scene holds ", 31) == 0);
  return true;
}

void check_untouched(const failing_life *life) {
  if (!life->updated) return;
  OWNED(graze_pairs) pairs = find_pairs(life->scene, NULL);
  assert_true(pairs.hash == life->last_hash);
}

void record_hash(failing_life *life, uint64_t hash) {
  assert_true(life->hash_count < ANSWERS);
  life->hashes[life->hash_count++] = hash;
}

void before_query(const failing_life *life) {
  if (life->trims) graze_scene_trim(life->scene);
}

void live_find(failing_life *life, const graze_query *query) {
  OWNED(graze_pairs) pairs = {0};
  before_query(life);
  LIVE(life, graze_scene_find_pairs(life->scene, query, &pairs), false);
  record_hash(life, pairs.hash);
}

void live_objects(failing_life *life) {
  OWNED(graze_object_pairs) objects = {0};
  before_query(life);
  LIVE(life, graze_scene_find_object_pairs(life->scene, NULL, &objects), false);
  assert_true(objects.count > 0);
  record_hash(life, objects.hash);
}

void live_distances(failing_life *life, const graze_query *query) {
  OWNED(graze_pairs) pairs = {0};
  OWNED(graze_distances) distances = {0};
  before_query(life);
  LIVE(life, graze_scene_find_pairs(life->scene, query, &pairs), false);
  LIVE(life, graze_scene_make_distances(life->scene, pairs.pairs, pairs.count, &distances), false);
  assert_int_equal(distances.count, pairs.count);
}

void live_regions(failing_life *life) {
  OWNED(graze_regions) regions = {0};
  for (int i = 0; i < 2; i++) {
    before_query(life);
    LIVE(life, graze_scene_find_regions(life->scene, NULL, NULL, &regions), false);
    assert_true(regions.count > 0 && regions.curve_count > 0 && regions.point_count > 0);
    record_hash(life, regions.hash + regions.curve_count + regions.vertex_count);
  }
}

void live_configurations(failing_life *life) {
  enum { COUNT = 40 };
  const graze_object moving = {1, 1};
  graze_pose poses[COUNT];
  uint64_t counts[COUNT], sum = 0;
  for (int i = 0; i < COUNT; i++) {
    poses[i] = graze_pose_identity();
    poses[i].translation[0] = 0.1 * i;
  }
  graze_batch_def batch = batch_of(&moving, 1, poses, COUNT);
  before_query(life);
  LIVE(life, batch_counts(life->scene, batch, counts), false);
  for (int i = 0; i < COUNT; i++) sum = 31 * sum + counts[i];
  assert_true(counts[0] > 0);
  record_hash(life, sum);
  graze_id_pair pair;
  size_t pair_count;
  LIVE(life, graze_scene_list_batch_pairs(life->scene, &moving, 1, &pair, 1, &pair_count), false);
  record_hash(life, pair_count);
  graze_nearest rows[COUNT];
  before_query(life);
  LIVE(life, batch_nearest(life->scene, batch, rows), false);
  assert_true(rows[0].distance == 0.0);
}

void live_update(failing_life *life) {
  LIVE(life, graze_scene_update(life->scene), false);
  OWNED(graze_pairs) pairs = {0};
  before_query(life);
  LIVE(life, graze_scene_find_pairs(life->scene, NULL, &pairs), false);
  life->updated = true;
  life->last_hash = pairs.hash;
  record_hash(life, pairs.hash);
}

void live_method(failing_life *life, const char *name) {
  graze_method_def method = graze_method_def_default();
  method.name = name;
  LIVE(life, graze_scene_set_method(life->scene, &method), false);
}

graze_allocator life_allocator(failing_life *life) {
  return (graze_allocator){sizeof(graze_allocator), &life->heap, checked_allocate, checked_release};
}

void live_create(failing_life *life, const graze_task_system *tasks) {
  const graze_allocator allocator = life_allocator(life);
  graze_scene_def def = graze_scene_def_default();
  def.allocator = &allocator;
  def.tasks = tasks;
  def.worker_count = 1;
  def.workers = life->workers;
  LIVE(life, graze_scene_create(&def, &life->scene), false);
  assert_non_null(life->scene);
}

void live_destroy(failing_life *life) {
  graze_scene_destroy(life->scene);
  life->scene = NULL;
  life->updated = false;
}

/* ---------------------------------------------------------------------------------------------- lives */

static failing_life live(scenario *run, size_t refused, bool persistent, bool trims) {
  failing_life life = {.persistent = persistent, .trims = trims};
  memory unused;
  checked_init(&life.heap, &unused, refused);
  life.heap.refuse_all_after = persistent;
  run(&life);
  assert_int_equal(atomic_load(&life.heap.live), 0);
  assert_int_equal(atomic_load(&life.heap.faults), 0);
  return life;
}

/* Refused alone, an allocation mostly ends its call, and what would follow is not asked for. So with what follows, each
 * is refused that no call failed by, and every third of the others; of a life that is trimmed, each in one of the two
 * ways. In full, and under sanitizers, whose steps are long, all in both. */
static bool is_left_out(size_t refused, size_t step, bool persistent, bool trims, const bool *passed) {
  if (test_scale() < 1.0 || test_is_full()) return false;
  if (trims) return (refused / step + persistent) % 2 != 0;
  return step == 1 && persistent && !passed[refused] && refused % 3 != 0;
}

void fail_each_of_a_life(scenario *run, size_t step, bool trims) {
  failing_life whole = live(run, SIZE_MAX, false, trims);
  const size_t allocation_count = atomic_load(&whole.heap.allocations);
  assert_int_equal(whole.failures, 0);
  size_t survived = 0, refusals = 0;
  bool *passed = calloc(allocation_count + 1, sizeof *passed); /* where refused alone */
  assert_non_null(passed);
  for (int persistent = 0; persistent < 2; persistent++)
    for (size_t refused = (size_t)persistent; refused < allocation_count; refused += step) {
      if (is_left_out(refused, step, persistent == 1, trims, passed)) continue;
      const failing_life life = live(run, refused, persistent == 1, trims);
      refusals++;
      survived += life.failures == 0;
      passed[refused] = life.failures == 0;
      assert_int_equal(life.hash_count, whole.hash_count);
      for (size_t i = 0; i < whole.hash_count; i++) assert_true(life.hashes[i] == whole.hashes[i]);
    }
  free(passed);
  print_message(
      "%zu refusals in a life of %zu allocations, alone or with what follows; %zu times no call had to fail\n",
      refusals, allocation_count, survived);
  /* Only what has a fallback in place may pass unnoticed. */
  assert_true(survived < allocation_count / 4 + (whole.keeps ? allocation_count : 0));
}

void fail_each_in_turn(scenario *run, size_t step) {
  fail_each_of_a_life(run, step, false);
  fail_each_of_a_life(run, 3 * step, true);
}
