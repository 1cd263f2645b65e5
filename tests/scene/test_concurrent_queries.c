/* Tests queries of many threads on one scene, each with its own lists: every answer equals that of a single thread, and
 * a failure is reported only to its own thread. */
#include "batch_calls.h"
#include "graze/containment.h"
#include "graze/inspect.h"
#include "graze/nearest.h"
#include "graze/regions.h"
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, QUERIES = 5, OBJECTS = 2 };

/* All that is asked of a scene, as numbers that can be compared. */
typedef struct answers {
  uint64_t hashes[QUERIES], candidates[QUERIES];
  size_t counts[QUERIES];
  graze_pair any;
  uint64_t touching;       /* the hash of the objects that do */
  uint64_t inside;         /* how many objects lie inside another */
  double nearest;          /* the distance of the last two objects */
  uint64_t nodes, members; /* of the search structure */
  uint64_t excluded;       /* the number of exclusions, and whether each two objects are */
  double contact_sum, point_sum, volume, force;
  uint64_t k_sum[OBJECTS];
  uint64_t region_count, region_sum;
  double region_depth, curve_sum;
  uint64_t configurations; /* made of the pairs in each */
} answers;

static graze_query query_number(int number) {
  graze_query query = graze_query_default();
  if (number == 1) query.scope = GRAZE_SCOPE_BETWEEN;
  if (number == 2) query.candidates_only = true;
  if (number == 3) query.pair_limit = 20;
  if (number == 4) query.test = GRAZE_TEST_GJK;
  return query;
}

/* The lists of a thread, used again in every round. */
typedef struct lists {
  graze_pairs pairs, all, any;
  graze_object_pairs touching;
  graze_containments inside;
  graze_nearest_list nearests;
  graze_structure structure;
  graze_contacts contacts;
  graze_wrenches wrenches;
  graze_crowding crowding;
  graze_regions regions;
} lists;

static void lists_free(lists *own) {
  graze_pairs_free(&own->pairs);
  graze_pairs_free(&own->all);
  graze_pairs_free(&own->any);
  graze_object_pairs_free(&own->touching);
  graze_containments_free(&own->inside);
  graze_nearest_list_free(&own->nearests);
  graze_structure_free(&own->structure);
  graze_contacts_free(&own->contacts);
  graze_wrenches_free(&own->wrenches);
  graze_crowding_free(&own->crowding);
  graze_regions_free(&own->regions);
}

static bool ask_pairs(const graze_scene *scene, int first, lists *own, answers *found) {
  for (int i = 0; i < QUERIES; i++) {
    const int number = (first + i) % QUERIES; /* each thread begins with another */
    const graze_query query = query_number(number);
    if (graze_scene_find_pairs(scene, &query, &own->pairs) != GRAZE_OK) return false;
    found->hashes[number] = own->pairs.hash;
    found->counts[number] = own->pairs.count;
    found->candidates[number] = own->pairs.counters->candidates;
    if (own->pairs.hash != graze_pairs_hash(own->pairs.pairs, own->pairs.count)) return false;
  }
  bool any;
  if (graze_scene_any_pair(scene, NULL, &any, &own->any) != GRAZE_OK || !any) return false;
  found->any = own->any.pairs[0];
  if (graze_scene_find_object_pairs(scene, NULL, &own->touching) != GRAZE_OK) return false;
  found->touching = own->touching.hash;
  if (graze_scene_find_containments(scene, NULL, &own->inside) != GRAZE_OK) return false;
  found->inside = own->inside.count;
  if (graze_scene_find_nearest(scene, NULL, &own->nearests) != GRAZE_OK) return false;
  found->nearest = own->nearests.count > 0 ? own->nearests.nearests[own->nearests.count - 1].distance : -1.0;
  const graze_result inspected = graze_scene_inspect(scene, NULL, NULL, &own->structure);
  if (inspected != GRAZE_OK && inspected != GRAZE_UNSUPPORTED) return false; /* on a device */
  found->nodes = own->structure.count;
  found->members = own->structure.member_count;
  found->excluded = graze_scene_exclusion_count(scene);
  for (uint32_t i = 0; i < (OBJECTS + 1) * (OBJECTS + 1); i++)
    found->excluded = found->excluded << 1 | graze_scene_is_excluded(scene, (graze_object){i / (OBJECTS + 1), 1},
                                                                     (graze_object){i % (OBJECTS + 1), 1});
  return true;
}

/* The second object along a line. */
static bool ask_configurations(const graze_scene *scene, answers *found) {
  enum { COUNT = 50 };
  const graze_object moving = {1, 1};
  graze_pose poses[COUNT];
  uint64_t counts[COUNT];
  uint8_t any[COUNT];
  for (int i = 0; i < COUNT; i++) {
    poses[i] = graze_pose_identity();
    poses[i].translation[0] = 0.04 * (i - COUNT / 2);
  }
  const graze_batch_def batch = batch_of(&moving, 1, poses, COUNT);
  if (batch_hits(scene, batch, any) != GRAZE_OK || batch_counts(scene, batch, counts) != GRAZE_OK) return false;
  graze_nearest rows[COUNT];
  if (batch_nearest(scene, batch, rows) != GRAZE_OK) return false;
  for (int i = 0; i < COUNT; i++) found->configurations = 31 * found->configurations + 2 * counts[i] + any[i];
  for (int i = 0; i < COUNT; i++) found->configurations = 31 * found->configurations + rows[i].pair.primitive_b;
  return true;
}

static bool ask_measures(const graze_scene *scene, lists *own, answers *found) {
  if (graze_scene_find_pairs(scene, NULL, &own->all) != GRAZE_OK) return false;
  const graze_pairs *all = &own->all;
  if (graze_scene_make_contacts(scene, all->pairs, all->count, NULL, &own->contacts) != GRAZE_OK) return false;
  if (graze_scene_make_wrenches(scene, all->pairs, all->count, NULL, &own->wrenches) != GRAZE_OK) return false;
  for (size_t i = 0; i < own->contacts.count; i++) found->contact_sum += own->contacts.contacts[i].depth;
  for (size_t i = 0; i < own->contacts.point_count; i++) found->point_sum += own->contacts.points[i][0];
  for (size_t i = 0; i < own->wrenches.count; i++) {
    found->volume += own->wrenches.wrenches[i].volume;
    found->force += own->wrenches.wrenches[i].force[1];
  }
  for (uint32_t object = 0; object < OBJECTS; object++) {
    if (graze_scene_measure_crowding(scene, (graze_object){object, 1}, &own->crowding) != GRAZE_OK) return false;
    for (size_t i = 0; i < own->crowding.count; i++) found->k_sum[object] += (i + 1) * own->crowding.k_of[i];
  }
  return true;
}

static bool ask_regions(const graze_scene *scene, lists *own, answers *found) {
  const graze_regions *regions = &own->regions;
  if (graze_scene_find_regions(scene, NULL, NULL, &own->regions) != GRAZE_OK) return false;
  found->region_count = regions->count;
  for (size_t i = 0; i < regions->count; i++) {
    const graze_region *region = &regions->regions[i];
    found->region_sum += (i + 1) * region->id + region->clash_counts[GRAZE_CLASH_CROSSING];
    found->region_depth += region->depth;
  }
  for (size_t i = 0; i < regions->vertex_count; i++) found->curve_sum += regions->vertices[i].position[1];
  for (size_t i = 0; i < regions->object_pair_count; i++) found->region_depth += regions->objects[i].depth;
  return true;
}

static bool ask_everything(const graze_scene *scene, int first, lists *own, answers *found) {
  memset(found, 0, sizeof *found);
  return ask_pairs(scene, first, own, found) && ask_measures(scene, own, found) && ask_regions(scene, own, found) &&
         ask_configurations(scene, found);
}

/* ---------------------------------------------------------------------------------------------- one scene */

typedef struct asking_thread {
  pthread_t thread;
  const graze_scene *scene;
  const answers *wanted;
  int number, rounds;
  atomic_int *waiting; /* threads that have not yet come to the start */
  int right, texts_right;
} asking_thread;

static void start_together(atomic_int *waiting) {
  atomic_fetch_sub(waiting, 1);
  while (atomic_load(waiting) > 0) {
  }
}

/* A failure of its own between the questions: its message is there when the others have failed too. */
static bool fail_in_a_way_of_its_own(const graze_scene *scene, int number) {
  graze_query wrong = graze_query_default();
  OWNED(graze_pairs) none = {0};
  wrong.scope = (graze_scope)(100 + number);
  char expected[64];
  snprintf(expected, sizeof expected, "unknown scope number %d", 100 + number);
  const graze_result result = graze_scene_find_pairs(scene, &wrong, &none);
  sched_yield();
  const bool right = result == GRAZE_INVALID_ARGUMENT && strcmp(graze_error_text(), expected) == 0 && none.count == 0;
  return right;
}

static void *ask_at_the_same_time(void *argument) {
  asking_thread *const self = argument;
  OWNED_BY(lists_free) lists own = {0};
  answers found;
  const bool silent = graze_error_text()[0] == '\0'; /* the main thread has failed before */
  start_together(self->waiting);
  for (int round = 0; round < self->rounds; round++) {
    self->right +=
        ask_everything(self->scene, self->number, &own, &found) && memcmp(&found, self->wanted, sizeof found) == 0;
    self->texts_right += silent && fail_in_a_way_of_its_own(self->scene, self->number);
  }
  return NULL;
}

static void ask_by_threads(const graze_scene *const scenes[THREADS], const answers *wanted, int rounds) {
  asking_thread threads[THREADS];
  atomic_int waiting = THREADS;
  graze_scene *none;
  const graze_scene_def wrong = {.struct_bytes = 1};
  assert_int_equal(graze_scene_create(&wrong, &none), GRAZE_INVALID_ARGUMENT);
  char before[512];
  snprintf(before, sizeof before, "%s", graze_error_text());
  assert_true(before[0] != '\0');
  for (int i = 0; i < THREADS; i++) {
    threads[i] =
        (asking_thread){.scene = scenes[i], .wanted = wanted, .number = i, .rounds = rounds, .waiting = &waiting};
    assert_int_equal(pthread_create(&threads[i].thread, NULL, ask_at_the_same_time, &threads[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i].thread, NULL);
    assert_int_equal(threads[i].right, rounds);
    assert_int_equal(threads[i].texts_right, rounds);
  }
  assert_string_equal(graze_error_text(), before);
}

static size_t make_solids(mesh **meshes_out) {
  size_t mesh_count;
  torture_model("tet-pair", test_scaled(1500, 300), 1, meshes_out, &mesh_count);
  assert_int_equal(mesh_count, OBJECTS);
  return mesh_count;
}

/* Beside the meshes the first once more, which is excluded from the other. */
static void add_excluded(graze_scene *scene, const mesh *meshes) {
  const graze_object copy = runner_add(scene, &meshes[0], false, NULL);
  assert_ok(graze_scene_exclude(scene, copy, (graze_object){0, 1}, true));
  assert_ok(graze_scene_update(scene));
}

static answers ask_alone(const mesh *meshes, size_t mesh_count, const char *method) {
  const running_variant alone = {method, GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false};
  OWNED_SCENE *scene = runner_scene(&alone, meshes, mesh_count, NULL);
  add_excluded(scene, meshes);
  OWNED_BY(lists_free) lists own = {0};
  answers found;
  assert_true(ask_everything(scene, 0, &own, &found));
  assert_true(found.counts[0] > 50 && found.volume > 0.0 && found.k_sum[0] > 0);
  return found;
}

TEST(test_threads_ask_one_scene) {
  mesh *meshes;
  const size_t mesh_count = make_solids(&meshes);
  const struct {
    const char *method;
    uint32_t workers;
    graze_threading threading;
  } ways[] = {{"grid", 3, GRAZE_THREADING_PTHREADS},
              {"grid", 1, GRAZE_THREADING_SERIAL},
              {"tree", 2, GRAZE_THREADING_PTHREADS},
              {"clusters 5", 2, GRAZE_THREADING_PTHREADS},
              {"brute", 2, GRAZE_THREADING_PTHREADS}};
  for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
    const answers wanted = ask_alone(meshes, mesh_count, ways[i].method);
    const running_variant variant = {ways[i].method, GRAZE_SIMD_AUTO, ways[i].workers, ways[i].threading, NULL, false};
    OWNED_SCENE *scene = runner_scene(&variant, meshes, mesh_count, NULL);
    add_excluded(scene, meshes);
    const graze_scene *same[THREADS];
    for (int k = 0; k < THREADS; k++) same[k] = scene;
    ask_by_threads(same, &wanted, test_scale() < 1.0 ? 1 : 3);
  }
  mesh_list_free(meshes, mesh_count);
}

/* ---------------------------------------------------------------------------------------------- shared workers */

/* Two scenes on the same workers, each asked by half of the threads. */
TEST(test_scenes_share_workers) {
  mesh *meshes;
  const size_t mesh_count = make_solids(&meshes);
  const answers wanted = ask_alone(meshes, mesh_count, "grid");
  graze_workers_def def = graze_workers_def_default();
  def.worker_count = 3;
  graze_workers *workers;
  assert_ok(graze_workers_create(&def, &workers));
  graze_scene *scenes[2];
  for (int i = 0; i < 2; i++) {
    graze_scene_def scene_def = graze_scene_def_default();
    scene_def.workers = workers;
    assert_ok(graze_scene_create(&scene_def, &scenes[i]));
    graze_method_def method = graze_method_def_default();
    method.name = "grid";
    assert_ok(graze_scene_set_method(scenes[i], &method));
    for (size_t k = 0; k < mesh_count; k++) runner_add(scenes[i], &meshes[k], false, NULL);
    add_excluded(scenes[i], meshes);
  }
  graze_workers_destroy(workers);
  const graze_scene *asked[THREADS];
  for (int k = 0; k < THREADS; k++) asked[k] = scenes[k % 2];
  ask_by_threads(asked, &wanted, test_scale() < 1.0 ? 1 : 3);
  for (int i = 0; i < 2; i++) graze_scene_destroy(scenes[i]);
  mesh_list_free(meshes, mesh_count);
}
