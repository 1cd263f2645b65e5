/* Tests everything that runs on several threads, at a size for the thread sanitizer: update, both methods, every query,
 * contacts; for all kinds of primitives together contacts, wrenches and k; several scenes on the same workers. The
 * answers equal those of a single worker bit by bit. */
#include "scene_runner.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const running_variant variants[] = {
    {"grid", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false},
    {"grid", GRAZE_SIMD_SCALAR, 5, GRAZE_THREADING_PTHREADS, NULL, false},
    {"grid", GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_OPENMP, NULL, false},
    {"tree", GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false},
    {"brute", GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false},
    {"clusters 9", GRAZE_SIMD_AUTO, 4, GRAZE_THREADING_PTHREADS, NULL, false},
};

static void check_contacts(const graze_scene *scene, const pair_answer *pairs) {
  OWNED(graze_contacts) contacts = make_contacts(scene, pairs->pairs, pairs->count, NULL);
  assert_int_equal(contacts.count, pairs->count);
}

static void check_variant(const running_variant *variant, const mesh *meshes, size_t mesh_count, const char *name) {
  if (!running_variant_available(variant)) return;
  const running_variant reference = {variant->method, GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false};
  char words[128];
  running_variant_words(variant, words, sizeof words);
  OWNED_SCENE *alone = runner_scene(&reference, meshes, mesh_count, NULL);
  OWNED_SCENE *scene = runner_scene(variant, meshes, mesh_count, NULL);
  for (int question = 0; question < 3; question++) {
    graze_query query = graze_query_default();
    query.neighbors = question == 1 ? GRAZE_NEIGHBORS_BEYOND : GRAZE_NEIGHBORS_SKIP;
    query.pair_limit = question == 2 ? 50 : 0;
    const pair_answer expected = runner_find(alone, &query), found = runner_find(scene, &query);
    runner_compare(&expected, &found, name, words);
    if (question != 1) check_contacts(scene, &found);
    bool any[2];
    graze_pairs witness[2] = {{0}, {0}};
    assert_ok(graze_scene_any_pair(alone, &query, &any[0], &witness[0]));
    assert_ok(graze_scene_any_pair(scene, &query, &any[1], &witness[1]));
    assert_true(any[0] == any[1]);
    assert_int_equal(witness[0].count, any[0] ? 1 : 0);
    assert_true(witness[0].count == witness[1].count && witness[0].hash == witness[1].hash);
    for (int i = 0; i < 2; i++) graze_pairs_free(&witness[i]);
    free(expected.pairs);
    free(found.pairs);
  }
}

/* Under the address sanitizer few: the thread sanitizer has more. */
static size_t thread_primitives(void) {
  return test_scale() < 1.0 && !test_looks_for_races() ? 3000 : test_scaled(20000, 9000);
}

TEST(test_threads_change_nothing) {
  const char *const names[] = {"blobs", "folded-cloth", "mix"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    mesh *meshes;
    size_t mesh_count;
    /* One scene is enough to share out the loops that only many primitives share. */
    torture_model(names[i], i == 0 ? thread_primitives() : test_sanitized(3000, thread_primitives()), i, &meshes,
                  &mesh_count);
    for (size_t variant = 0; variant < sizeof variants / sizeof variants[0]; variant++) {
      if (strcmp(variants[variant].method, "brute") == 0) continue; /* quadratic */
      check_variant(&variants[variant], meshes, mesh_count, names[i]);
    }
    mesh_list_free(meshes, mesh_count);
  }
  mesh *meshes;
  size_t mesh_count;
  torture_model(names[0], test_sanitized(2100, thread_primitives()), 0, &meshes, &mesh_count);
  for (size_t variant = 0; variant < sizeof variants / sizeof variants[0]; variant++)
    if (strcmp(variants[variant].method, "brute") == 0) check_variant(&variants[variant], meshes, mesh_count, names[0]);
  mesh_list_free(meshes, mesh_count);
}

/* ---------------------------------------------------------------------------------------------- all kinds */

/* The results of a scene of all kinds, which outlive the scene. */
typedef struct measures {
  pair_answer pairs;
  graze_contact *contacts;
  double (*points)[3];
  size_t point_count;
  graze_wrench *wrenches;
  size_t wrench_count;
  uint32_t *k_of; /* of all objects */
  size_t k_count;
} measures;

static void *copy_of(const void *from, size_t bytes) {
  void *copy = malloc(bytes + 1);
  assert_non_null(copy);
  if (bytes > 0) memcpy(copy, from, bytes);
  return copy;
}

static void measure_crowded(graze_scene *scene, uint32_t object_count, measures *m) {
  for (uint32_t i = 0; i < object_count; i++) {
    OWNED(graze_crowding) crowding = measure_crowding(scene, (graze_object){i, 1});
    m->k_of = realloc(m->k_of, (m->k_count + crowding.count) * sizeof *m->k_of);
    assert_non_null(m->k_of);
    memcpy(m->k_of + m->k_count, crowding.k_of, crowding.count * sizeof *m->k_of);
    m->k_count += crowding.count;
  }
}

static measures measure(const running_variant *variant, const mesh *meshes, size_t mesh_count, graze_test test) {
  OWNED_SCENE *scene = runner_scene(variant, meshes, mesh_count, NULL);
  graze_query query = graze_query_default();
  query.test = test;
  measures m = {.pairs = runner_find(scene, &query)};
  graze_contact_options wrench_options = graze_contact_options_default();
  wrench_options.stiffness = 3.0;
  wrench_options.test = test;
  graze_wrenches wrenches = make_wrenches(scene, m.pairs.pairs, m.pairs.count, &wrench_options);
  m.wrenches = copy_of(wrenches.wrenches, wrenches.count * sizeof *m.wrenches);
  m.wrench_count = wrenches.count;
  graze_contact_options options = graze_contact_options_default();
  options.test = test;
  graze_contacts contacts = make_contacts(scene, m.pairs.pairs, m.pairs.count, &options);
  assert_int_equal(contacts.count, m.pairs.count);
  m.contacts = copy_of(contacts.contacts, contacts.count * sizeof *m.contacts);
  m.points = copy_of(contacts.points, contacts.point_count * sizeof *m.points);
  m.point_count = contacts.point_count;
  graze_wrenches_free(&wrenches);
  graze_contacts_free(&contacts);
  measure_crowded(scene, (uint32_t)mesh_count, &m);
  return m;
}

static void measures_free(measures *m) {
  free(m->pairs.pairs);
  free(m->contacts);
  free(m->points);
  free(m->wrenches);
  free(m->k_of);
}

/* Field by field: between them is memory that means nothing. */
static void compare_contacts(const graze_contact *a, const graze_contact *b) {
  assert_memory_equal(&a->pair, &b->pair, sizeof a->pair);
  assert_int_equal(a->kind, b->kind);
  assert_int_equal(a->first_point, b->first_point);
  assert_int_equal(a->point_count, b->point_count);
  assert_memory_equal(a->normal, b->normal, sizeof a->normal);
  assert_memory_equal(&a->depth, &b->depth, sizeof a->depth);
  assert_memory_equal(&a->volume, &b->volume, sizeof a->volume);
  assert_memory_equal(a->centroid, b->centroid, sizeof a->centroid);
}

static void compare_measures(const measures *alone, const measures *found, const char *words) {
  runner_compare(&alone->pairs, &found->pairs, "kinds", words);
  for (size_t i = 0; i < alone->pairs.count; i++) compare_contacts(&alone->contacts[i], &found->contacts[i]);
  assert_int_equal(alone->point_count, found->point_count);
  assert_memory_equal(alone->points, found->points, alone->point_count * sizeof *alone->points);
  assert_int_equal(alone->wrench_count, found->wrench_count);
  assert_memory_equal(alone->wrenches, found->wrenches, alone->wrench_count * sizeof *alone->wrenches);
  assert_int_equal(alone->k_count, found->k_count);
  assert_memory_equal(alone->k_of, found->k_of, alone->k_count * sizeof *alone->k_of);
}

/* Two balls of tetrahedra, a block of cells, a ring of polygons and a sphere of triangles, all through each other. */
static size_t make_kinds(mesh *meshes_out, size_t room) {
  static const char *const names[] = {"tet-pair", "cells", "panels", "sphere"};
  size_t count = 0;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    OWNED_MEMORY mesh *made;
    size_t made_count;
    torture_model(names[i], test_scaled(1500, 500), 1, &made, &made_count);
    assert_true(count + made_count <= room);
    memcpy(meshes_out + count, made, made_count * sizeof *made);
    count += made_count;
  }
  return count;
}

TEST(test_measures_of_all_kinds) {
  static const uint32_t worker_counts[] = {2, 5};
  mesh meshes[8];
  const size_t mesh_count = make_kinds(meshes, sizeof meshes / sizeof meshes[0]);
  for (int test = 0; test < 2; test++) {
    running_variant variant = {"grid", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false};
    const graze_test pair_test = test == 0 ? GRAZE_TEST_SAT : GRAZE_TEST_GJK;
    OWNED_BY(measures_free) measures alone = measure(&variant, meshes, mesh_count, pair_test);
    assert_true(alone.pairs.count > 500 && alone.point_count > 500 && alone.wrench_count >= 3);
    variant.threading = GRAZE_THREADING_PTHREADS;
    for (size_t i = 0; i < sizeof worker_counts / sizeof worker_counts[0]; i++) {
      if (test_is_sanitized() && i != (test_looks_for_races() ? (size_t)test : 1)) continue;
      variant.worker_count = worker_counts[i];
      char words[128];
      running_variant_words(&variant, words, sizeof words);
      OWNED_BY(measures_free) measures found = measure(&variant, meshes, mesh_count, pair_test);
      compare_measures(&alone, &found, words);
    }
  }
  for (size_t i = 0; i < mesh_count; i++) mesh_free(&meshes[i]);
}

/* ---------------------------------------------------------------------------------------------- shared workers */

typedef struct shared_user {
  pthread_t thread;
  graze_workers *workers;
  const mesh *meshes;
  size_t mesh_count;
  uint64_t hashes[3];
} shared_user;

/* Its own scene, asked while others ask theirs; the workers outlive their maker's interest in them. */
static void *ask_with_shared_workers(void *argument) {
  shared_user *const user = argument;
  graze_scene_def def = graze_scene_def_default();
  def.workers = user->workers;
  graze_scene *scene;
  if (graze_scene_create(&def, &scene) != GRAZE_OK) return NULL;
  for (size_t i = 0; i < user->mesh_count; i++) runner_add(scene, &user->meshes[i], false, NULL);
  graze_pairs pairs = {0};
  for (size_t i = 0; i < sizeof user->hashes / sizeof user->hashes[0]; i++) {
    if (graze_scene_update(scene) == GRAZE_OK && graze_scene_find_pairs(scene, NULL, &pairs) == GRAZE_OK)
      user->hashes[i] = pairs.hash;
  }
  graze_pairs_free(&pairs);
  graze_scene_destroy(scene);
  return NULL;
}

TEST(test_scenes_share_workers) {
  enum { USERS = 4 };
  OWNED(mesh_set) made = torture_set("blobs", test_scaled(20000, 5000), 3);
  const running_variant variant = {"grid", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false};
  graze_scene *alone = runner_scene(&variant, made.meshes, made.count, NULL);
  const graze_query query = graze_query_default();
  const pair_answer expected = runner_find(alone, &query);
  assert_true(expected.count > 0);
  graze_workers_def def = graze_workers_def_default();
  def.worker_count = 3;
  graze_workers *workers;
  assert_ok(graze_workers_create(&def, &workers));
  shared_user users[USERS];
  for (int i = 0; i < USERS; i++) {
    users[i] = (shared_user){.workers = workers, .meshes = made.meshes, .mesh_count = made.count};
    assert_int_equal(pthread_create(&users[i].thread, NULL, ask_with_shared_workers, &users[i]), 0);
  }
  for (int i = 0; i < USERS; i++) {
    pthread_join(users[i].thread, NULL);
    for (int j = 0; j < 3; j++) assert_true(users[i].hashes[j] == expected.hash);
  }
  graze_scene_def kept_def = graze_scene_def_default();
  kept_def.workers = workers;
  graze_scene *kept = create_scene(&kept_def);
  graze_workers_destroy(workers); /* the scene keeps them */
  for (size_t i = 0; i < made.count; i++) runner_add(kept, &made.meshes[i], false, NULL);
  assert_ok(graze_scene_update(kept));
  const pair_answer found = runner_find(kept, &query);
  runner_compare(&expected, &found, "blobs", "kept workers");
  graze_scene_destroy(kept);
  graze_scene_destroy(alone);
  free(found.pairs);
  free(expected.pairs);
}
