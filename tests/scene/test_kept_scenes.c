/* Tests many consecutive scenes with workers that keep memory: the same pairs and counters as without, no repeated
 * requests to the allocator, lists that outlive everything, the effective allocator, the limit, and several threads at
 * once. */
#include "base/checked_allocator.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "test_scale.h"
#include "torture_scenes.h"

#include <pthread.h>

enum { PAGE = 4096, THREADS = 4 };

/* Counts what is large enough to be kept, on top of what a checked allocator does. */
typedef struct counting_allocator {
  checked_allocator checked;
  _Atomic(size_t) large;
  graze_workers *jealous_of; /* nothing is given while these keep any memory; NULL: of nobody */
} counting_allocator;

static void *counting_allocate(void *context, size_t bytes, size_t alignment) {
  counting_allocator *const self = context;
  if (graze_workers_kept_bytes(self->jealous_of) > 0) return NULL;
  if (bytes >= PAGE) atomic_fetch_add(&self->large, 1);
  return checked_allocate(&self->checked, bytes, alignment);
}

static void counting_release(void *context, void *pointer, size_t bytes) {
  counting_allocator *const self = context;
  checked_release(&self->checked, pointer, bytes);
}

static graze_allocator counting_init(counting_allocator *self) {
  memory unused;
  checked_init(&self->checked, &unused, SIZE_MAX);
  atomic_init(&self->large, 0);
  self->jealous_of = NULL;
  return (graze_allocator){sizeof(graze_allocator), self, counting_allocate, counting_release};
}

static void check_clean(counting_allocator *self) {
  assert_int_equal(atomic_load(&self->checked.live), 0);
  assert_int_equal(atomic_load(&self->checked.faults), 0);
}

typedef struct model {
  mesh *meshes;
  size_t mesh_count;
} model;

static model blobs(size_t primitives) {
  model made;
  torture_model("blobs", primitives, 3, &made.meshes, &made.mesh_count);
  return made;
}

static graze_workers *make_workers(uint32_t count, const graze_allocator *allocator, size_t kept_bytes) {
  graze_workers_def def = graze_workers_def_default();
  assert_true(def.kept_bytes == SIZE_MAX);
  def.worker_count = count;
  def.allocator = allocator;
  def.kept_bytes = kept_bytes;
  graze_workers *team;
  assert_ok(graze_workers_create(&def, &team));
  return team;
}

static graze_scene *make_scene(const model *m, graze_workers *team, const graze_allocator *allocator) {
  graze_scene_def def = graze_scene_def_default();
  def.workers = team;
  def.allocator = allocator;
  graze_scene *scene = create_scene(&def);
  for (size_t i = 0; i < m->mesh_count; i++) runner_add(scene, &m->meshes[i], false, NULL);
  assert_ok(graze_scene_update(scene));
  return scene;
}

/* A scene from its making to its end; the counters of its query. */
static graze_counters live(const model *m, graze_workers *team, const graze_allocator *allocator, graze_pairs *pairs) {
  OWNED_SCENE *const scene = make_scene(m, team, allocator);
  assert_ok(graze_scene_find_pairs(scene, NULL, pairs));
  const graze_counters counters = *pairs->counters;
  return counters;
}

/* ---------------------------------------------------------------------------------------------- one after the other */

TEST(scenes_that_are_alike_allocate_once) {
  const model m = blobs(4000);
  counting_allocator keeping, passing;
  const graze_allocator kept_by = counting_init(&keeping), passed_by = counting_init(&passing);
  graze_workers *const keeper = make_workers(1, &kept_by, SIZE_MAX), *const passer = make_workers(1, &passed_by, 0);
  graze_pairs found = {0}, wanted = {0};
  size_t first = 0;
  for (int i = 0; i < 5; i++) {
    const graze_counters a = live(&m, keeper, &kept_by, &found), b = live(&m, passer, &passed_by, &wanted);
    assert_true(found.count == wanted.count && found.hash == wanted.hash && wanted.count > 0);
    assert_int_equal(memcmp(found.pairs, wanted.pairs, found.count * sizeof *found.pairs), 0);
    /* A scene requests the same memory as before, from any source. */
    assert_true(a.peak_bytes == b.peak_bytes && a.scene_bytes == b.scene_bytes);
    if (i == 0) first = atomic_load(&keeping.large);
    assert_int_equal(graze_workers_kept_bytes(passer), 0);
    assert_true(graze_workers_kept_bytes(keeper) <= b.peak_bytes + b.peak_bytes / 4);
  }
  assert_true(first > 5);
  assert_int_equal(atomic_load(&keeping.large), first); /* with the list, which is kept here too */
  assert_true(atomic_load(&passing.large) > 4 * (first - 5));
  graze_pairs_free(&found);
  graze_pairs_free(&wanted);
  graze_workers_destroy(keeper);
  graze_workers_destroy(passer);
  check_clean(&keeping);
  check_clean(&passing);
  mesh_list_free(m.meshes, m.mesh_count);
}

/* Frames of one scene find all in the scene's own scratch, as without such workers. */
TEST(a_steady_frame_allocates_nothing) {
  const model m = blobs(2000);
  counting_allocator heap;
  const graze_allocator allocator = counting_init(&heap);
  graze_workers *const team = make_workers(1, &allocator, SIZE_MAX);
  graze_scene *const scene = make_scene(&m, team, &allocator);
  graze_pairs pairs = {0};
  size_t after_three = 0;
  for (int frame = 0; frame < 6; frame++) {
    const graze_view places = double_view(m.meshes[0].positions, m.meshes[0].vertex_count);
    assert_ok(graze_object_set_positions(scene, (graze_object){0, 1}, 0, places));
    assert_ok(graze_scene_update(scene));
    assert_ok(graze_scene_find_pairs(scene, NULL, &pairs));
    if (frame == 2) after_three = atomic_load(&heap.checked.allocations);
  }
  assert_int_equal(atomic_load(&heap.checked.allocations), after_three);
  graze_pairs_free(&pairs);
  graze_scene_destroy(scene);
  graze_workers_destroy(team);
  check_clean(&heap);
  mesh_list_free(m.meshes, m.mesh_count);
}

/* The second scene has the places of the first: the list must not be in them, nor with the workers. */
TEST(a_list_outlives_all) {
  const model m = blobs(4000);
  counting_allocator heap;
  const graze_allocator allocator = counting_init(&heap);
  graze_workers *const team = make_workers(2, &allocator, SIZE_MAX);
  graze_pairs first = {0}, second = {0};
  graze_scene *const scene = make_scene(&m, team, &allocator);
  assert_ok(graze_scene_find_pairs(scene, NULL, &first));
  graze_contacts contacts = make_contacts(scene, first.pairs, first.count, NULL);
  assert_true(first.count * sizeof *first.pairs >= PAGE);
  graze_scene_destroy(scene);
  const size_t kept = graze_workers_kept_bytes(team);
  live(&m, team, &allocator, &second);
  assert_true(graze_workers_kept_bytes(team) <= kept + kept / 4);
  graze_workers_destroy(team);
  assert_true(first.count == second.count);
  assert_int_equal(memcmp(first.pairs, second.pairs, first.count * sizeof *first.pairs), 0);
  assert_true(graze_pairs_hash(first.pairs, first.count) == first.hash);
  assert_int_equal(contacts.count, first.count);
  assert_true(atomic_load(&heap.checked.live) > 0);
  graze_pairs_free(&first);
  graze_pairs_free(&second);
  graze_contacts_free(&contacts);
  check_clean(&heap);
  mesh_list_free(m.meshes, m.mesh_count);
}

/* ---------------------------------------------------------------------------------------------- whose memory */

TEST(a_scene_s_own_allocator_stays_in_force) {
  const model m = blobs(2000);
  counting_allocator of_workers, of_scene;
  const graze_allocator theirs = counting_init(&of_workers), its = counting_init(&of_scene);
  graze_workers *const team = make_workers(2, &theirs, SIZE_MAX), *const plain = make_workers(2, NULL, SIZE_MAX);
  const size_t before = atomic_load(&of_workers.checked.allocations);
  graze_pairs pairs = {0};
  live(&m, team, &its, &pairs);
  live(&m, team, NULL, &pairs);
  assert_int_equal(graze_workers_kept_bytes(team), 0);
  assert_int_equal(atomic_load(&of_workers.checked.allocations), before);
  live(&m, plain, &its, &pairs);
  assert_int_equal(graze_workers_kept_bytes(plain), 0);
  live(&m, plain, NULL, &pairs);
  assert_true(graze_workers_kept_bytes(plain) > 0);
  graze_pairs_free(&pairs);
  check_clean(&of_scene);
  graze_workers_destroy(team);
  graze_workers_destroy(plain);
  check_clean(&of_workers);
  mesh_list_free(m.meshes, m.mesh_count);
}

TEST(the_limit_is_the_host_s) {
  const model m = blobs(4000);
  counting_allocator heap;
  const graze_allocator allocator = counting_init(&heap);
  graze_workers *const team = make_workers(2, &allocator, 100000);
  graze_pairs pairs = {0};
  for (int i = 0; i < 3; i++) {
    live(&m, team, &allocator, &pairs);
    assert_true(graze_workers_kept_bytes(team) > 0 && graze_workers_kept_bytes(team) <= 100000);
  }
  graze_workers_trim(team);
  assert_int_equal(graze_workers_kept_bytes(team), 0);
  graze_workers_trim(NULL);
  assert_int_equal(graze_workers_kept_bytes(NULL), 0);
  graze_pairs_free(&pairs);
  graze_workers_destroy(team);
  check_clean(&heap);
  /* A program that does not know the field has the default. */
  graze_workers_def old = graze_workers_def_default();
  old.struct_bytes = offsetof(graze_workers_def, kept_bytes);
  old.kept_bytes = 0;
  graze_workers *of_old;
  assert_ok(graze_workers_create(&old, &of_old));
  live(&m, of_old, NULL, &pairs);
  assert_true(graze_workers_kept_bytes(of_old) > 100000);
  graze_pairs_free(&pairs);
  graze_workers_destroy(of_old);
  mesh_list_free(m.meshes, m.mesh_count);
}

/* Has the workers keep something, and the allocator give nothing as long as they do. */
static void keep_and_refuse(const model *m, graze_workers *team, const graze_allocator *allocator) {
  counting_allocator *const heap = allocator->context;
  graze_pairs pairs = {0};
  heap->jealous_of = NULL;
  live(m, team, allocator, &pairs);
  graze_pairs_free(&pairs);
  assert_true(graze_workers_kept_bytes(team) > 0);
  heap->jealous_of = team;
}

/* Neither a scene that is made nor its lists have blocks of the workers; they must not fail for want of them either. */
TEST(what_is_kept_gives_way) {
  const model m = blobs(2000);
  counting_allocator heap;
  const graze_allocator allocator = counting_init(&heap);
  graze_workers *const team = make_workers(1, &allocator, SIZE_MAX);
  keep_and_refuse(&m, team, &allocator);
  graze_scene *const scene = make_scene(&m, team, &allocator);
  graze_pairs pairs = {0}, others = {0};
  graze_object_pairs touching = {0};
  graze_contacts contacts = {0};
  graze_query one = graze_query_default();
  one.pair_limit = 1;
  assert_ok(graze_scene_find_pairs(scene, &one, &pairs));
  for (int frame = 0; frame < 3; frame++) assert_ok(graze_scene_find_pairs(scene, NULL, &others));
  keep_and_refuse(&m, team, &allocator); /* the query has all that it needs, and its list grows */
  assert_ok(graze_scene_find_pairs(scene, NULL, &pairs));
  keep_and_refuse(&m, team, &allocator);
  assert_ok(graze_scene_find_object_pairs(scene, NULL, &touching));
  keep_and_refuse(&m, team, &allocator);
  assert_ok(graze_scene_make_contacts(scene, pairs.pairs, pairs.count, NULL, &contacts));
  assert_true(pairs.count > 0 && contacts.count == pairs.count && touching.count > 0);
  heap.jealous_of = NULL;
  graze_pairs_free(&pairs);
  graze_pairs_free(&others);
  graze_object_pairs_free(&touching);
  graze_contacts_free(&contacts);
  graze_scene_destroy(scene);
  graze_workers_destroy(team);
  check_clean(&heap);
  mesh_list_free(m.meshes, m.mesh_count);
}

/* To another allocator nothing would come of it. */
TEST(what_is_kept_stays_for_others) {
  const model m = blobs(2000);
  counting_allocator of_workers, of_scene;
  const graze_allocator theirs = counting_init(&of_workers), its = counting_init(&of_scene);
  graze_workers *const team = make_workers(1, &theirs, SIZE_MAX);
  keep_and_refuse(&m, team, &theirs);
  const size_t kept = graze_workers_kept_bytes(team);
  graze_scene_def def = graze_scene_def_default();
  def.workers = team;
  def.allocator = &its;
  of_scene.jealous_of = team;
  graze_scene *scene;
  assert_int_equal(graze_scene_create(&def, &scene), GRAZE_OUT_OF_MEMORY);
  assert_int_equal(graze_workers_kept_bytes(team), kept);
  graze_workers_destroy(team);
  check_clean(&of_workers);
  check_clean(&of_scene);
  mesh_list_free(m.meshes, m.mesh_count);
}

/* The workers are let go of first: what the scene has of them stays good, and nothing more is kept. */
TEST(a_scene_outlives_the_host_s_hold) {
  const model m = blobs(2000);
  counting_allocator heap;
  const graze_allocator allocator = counting_init(&heap);
  graze_workers *const team = make_workers(2, &allocator, SIZE_MAX);
  graze_pairs pairs = {0}, again = {0};
  graze_scene *const scene = make_scene(&m, team, &allocator);
  live(&m, team, &allocator, &pairs);
  const size_t blocks = atomic_load(&heap.checked.live);
  assert_true(graze_workers_kept_bytes(team) > 0);
  graze_workers_destroy(team);
  assert_true(atomic_load(&heap.checked.live) < blocks);
  assert_ok(graze_scene_find_pairs(scene, NULL, &again));
  assert_true(again.hash == pairs.hash && again.count == pairs.count);
  graze_scene_trim(scene);
  for (int i = 0; i < 2; i++) { /* the second keeps scratch, which goes back at the scene's end */
    assert_ok(graze_scene_find_pairs(scene, NULL, &again));
    assert_true(again.hash == pairs.hash);
  }
  graze_scene_destroy(scene);
  graze_pairs_free(&pairs);
  graze_pairs_free(&again);
  check_clean(&heap);
  mesh_list_free(m.meshes, m.mesh_count);
}

/* ---------------------------------------------------------------------------------------------- several at once */

typedef struct maker {
  const model *m;
  graze_workers *team;
  const graze_allocator *allocator;
  uint64_t wanted;
  size_t rounds;
  bool good;
} maker;

/* Without cmocka's asserts, which are for the thread that runs the test. */
static uint64_t hash_of_life(const maker *self) {
  graze_scene_def def = graze_scene_def_default();
  def.workers = self->team;
  def.allocator = self->allocator;
  OWNED_SCENE *scene = NULL;
  OWNED(graze_pairs) pairs = {0};
  bool good = graze_scene_create(&def, &scene) == GRAZE_OK;
  for (size_t i = 0; i < self->m->mesh_count && good; i++) {
    const mesh *const each = &self->m->meshes[i];
    graze_mesh_def mesh_def = graze_mesh_def_default();
    mesh_def.positions = double_view(each->positions, each->vertex_count);
    mesh_def.triangles = index_view(each->triangles, each->triangle_count);
    good = graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &mesh_def, NULL, NULL) == GRAZE_OK;
  }
  good = good && graze_scene_update(scene) == GRAZE_OK;
  good = good && graze_scene_find_pairs(scene, NULL, &pairs) == GRAZE_OK;
  const uint64_t hash = good ? pairs.hash : 0;
  return hash;
}

static void *make_scenes(void *argument) {
  maker *const self = argument;
  self->good = true;
  for (size_t i = 0; i < self->rounds; i++) {
    self->good = self->good && hash_of_life(self) == self->wanted;
    if (i % 7 == 6) graze_workers_trim(self->team);
  }
  return NULL;
}

TEST(several_threads_make_scenes) {
  const model m = blobs(1500);
  counting_allocator heap;
  const graze_allocator allocator = counting_init(&heap);
  graze_workers *const team = make_workers(2, &allocator, SIZE_MAX);
  graze_pairs pairs = {0};
  const graze_counters alone = live(&m, team, &allocator, &pairs);
  assert_true(pairs.hash != 0);
  pthread_t threads[THREADS];
  maker makers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    makers[i] = (maker){&m, team, &allocator, pairs.hash, test_scaled(60, 12), false};
    assert_int_equal(pthread_create(&threads[i], NULL, make_scenes, &makers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    assert_true(makers[i].good);
  }
  assert_true(graze_workers_kept_bytes(team) <= 2 * THREADS * alone.peak_bytes);
  graze_pairs_free(&pairs);
  graze_workers_destroy(team);
  check_clean(&heap);
  mesh_list_free(m.meshes, m.mesh_count);
}
