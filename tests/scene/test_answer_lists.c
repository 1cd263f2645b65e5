/* Tests lists of the caller: they grow when necessary, outlive their scene, are freed by the allocator that made them,
 * are empty after a failure, and may have the size of any version. */
#include "base/checked_allocator.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "torture_scenes.h"

#include <math.h>

typedef struct counted_scene {
  checked_allocator heap;
  graze_scene *scene;
} counted_scene;

static void open_scene(counted_scene *counted) {
  memory unused;
  checked_init(&counted->heap, &unused, SIZE_MAX);
  const graze_allocator allocator = {sizeof allocator, &counted->heap, checked_allocate, checked_release};
  graze_scene_def def = graze_scene_def_default();
  def.allocator = &allocator;
  def.worker_count = 1;
  assert_ok(graze_scene_create(&def, &counted->scene));
}

static void close_scene(counted_scene *counted) {
  graze_scene_destroy(counted->scene);
  counted->scene = NULL;
}

static size_t live_in(const counted_scene *counted) {
  return atomic_load(&((counted_scene *)(uintptr_t)counted)->heap.live);
}

static size_t made_in(counted_scene *counted) {
  return atomic_load(&counted->heap.allocations);
}

static void assert_clean(counted_scene *counted) {
  assert_int_equal(live_in(counted), 0);
  assert_int_equal(atomic_load(&counted->heap.faults), 0);
}

/* Two balls of tetrahedra through each other, updated. */
static void add_solids(graze_scene *scene, uint64_t primitives) {
  mesh *meshes;
  size_t mesh_count;
  torture_model("tet-pair", primitives, 1, &meshes, &mesh_count);
  for (size_t i = 0; i < mesh_count; i++) runner_add(scene, &meshes[i], false, NULL);
  mesh_list_free(meshes, mesh_count);
  assert_ok(graze_scene_update(scene));
}

/* ---------------------------------------------------------------------------------------------- growth */

/* Scratch is warm after some rounds; from then on what is allocated is the list's. */
static void warm(const graze_scene *scene, const graze_query *query) {
  for (int i = 0; i < 8; i++) free(runner_find(scene, query).pairs);
}

TEST(test_lists_grow_when_they_must) {
  counted_scene counted;
  open_scene(&counted);
  add_solids(counted.scene, 800);
  graze_query query = graze_query_default();
  warm(counted.scene, &query);
  query.pair_limit = 50;
  size_t before = made_in(&counted);
  graze_pairs pairs = find_pairs(counted.scene, &query);
  assert_true(pairs.count == 50 && pairs.limit_reached == 1);
  assert_int_equal(made_in(&counted) - before, 2); /* its memory and its block */
  query.pair_limit = 0;
  before = made_in(&counted);
  assert_ok(graze_scene_find_pairs(counted.scene, &query, &pairs));
  const size_t all = pairs.count;
  const graze_pair *block = pairs.pairs;
  assert_true(all > 200);
  assert_in_range(made_in(&counted) - before, 0, 1);
  before = made_in(&counted);
  for (size_t limit = all; limit > 0; limit -= limit / 7 + 1) { /* shorter ones fit */
    query.pair_limit = limit;
    assert_ok(graze_scene_find_pairs(counted.scene, &query, &pairs));
    assert_int_equal(pairs.count, limit);
    assert_true(pairs.pairs == block);
    assert_true(pairs.hash == graze_pairs_hash(pairs.pairs, pairs.count));
  }
  assert_int_equal(made_in(&counted), before);
  graze_pairs_free(&pairs);
  close_scene(&counted);
  assert_clean(&counted);
}

TEST(test_lists_do_not_touch_each_other) {
  counted_scene counted;
  open_scene(&counted);
  add_solids(counted.scene, 400);
  graze_pairs first = {0}, second = {0};
  graze_query few = graze_query_default();
  few.pair_limit = 3;
  assert_ok(graze_scene_find_pairs(counted.scene, NULL, &first));
  const uint64_t hash = first.hash, candidates = first.counters->candidates;
  assert_ok(graze_scene_find_pairs(counted.scene, &few, &second));
  assert_ok(graze_scene_update(counted.scene));
  assert_true(graze_pairs_hash(first.pairs, first.count) == hash && first.hash == hash);
  assert_int_equal(first.counters->candidates, candidates);
  assert_int_equal(first.counters->pairs, first.count);
  assert_int_equal(second.counters->pairs, 3);
  assert_int_equal(first.counters->struct_bytes, sizeof(graze_counters));
  assert_int_equal(first.timings->struct_bytes, sizeof(graze_timings));
  graze_pairs_free(&first);
  graze_pairs_free(&second);
  close_scene(&counted);
  assert_clean(&counted);
}

/* ---------------------------------------------------------------------------------------------- life */

TEST(test_lists_outlive_their_scene) {
  counted_scene counted, other;
  open_scene(&counted);
  open_scene(&other);
  add_solids(counted.scene, 400);
  add_solids(other.scene, 800);
  graze_pairs pairs = find_pairs(counted.scene, NULL);
  graze_contacts contacts = make_contacts(counted.scene, pairs.pairs, pairs.count, NULL);
  graze_wrenches wrenches = make_wrenches(counted.scene, pairs.pairs, pairs.count, NULL);
  graze_crowding crowding = measure_crowding(counted.scene, (graze_object){0, 1});
  close_scene(&counted);
  assert_true(live_in(&counted) >= 8); /* four lists, each its memory and a block at least */
  assert_true(pairs.hash == graze_pairs_hash(pairs.pairs, pairs.count) && pairs.count > 0);
  assert_true(contacts.count == pairs.count && pairs.timings->update_ms >= 0.0);
  for (size_t i = 0; i < contacts.count; i++)
    assert_memory_equal(&contacts.contacts[i].pair, &pairs.pairs[i], sizeof(graze_pair));
  assert_int_equal(wrenches.count, 1);
  assert_true(wrenches.wrenches[0].volume > 0.0 && crowding.k > 0 && crowding.k_of[0] > 0);
  /* Filled by another scene it grows, by the allocator that it began with. */
  const size_t elsewhere = live_in(&other), here = made_in(&counted);
  free(runner_find(other.scene, &(graze_query){.struct_bytes = sizeof(graze_query), .scope = GRAZE_SCOPE_BOTH}).pairs);
  const size_t scratch = live_in(&other);
  assert_ok(graze_scene_find_pairs(other.scene, NULL, &pairs));
  assert_int_equal(made_in(&counted), here + 1);
  assert_true(live_in(&other) >= elsewhere && scratch >= elsewhere);
  close_scene(&other);
  assert_clean(&other);
  graze_pairs_free(&pairs);
  graze_contacts_free(&contacts);
  graze_wrenches_free(&wrenches);
  graze_crowding_free(&crowding);
  assert_clean(&counted);
  assert_true(pairs.pairs == NULL && pairs.count == 0 && pairs.memory == NULL && pairs.timings == NULL);
  graze_pairs_free(&pairs); /* as a new one */
}

/* ---------------------------------------------------------------------------------------------- failure */

static void assert_empty(const graze_pairs *pairs) {
  assert_true(pairs->pairs == NULL && pairs->count == 0 && pairs->hash == 0 && pairs->limit_reached == 0);
  assert_true(pairs->timings == NULL && pairs->counters == NULL);
}

TEST(test_failures_leave_empty_lists) {
  counted_scene counted;
  open_scene(&counted);
  add_solids(counted.scene, 400);
  graze_scene *scene = counted.scene;
  graze_pairs pairs = {0}, kept = {0};
  graze_contacts contacts = {0};
  graze_wrenches wrenches = {0};
  graze_crowding crowding = {0};
  bool found;
  const graze_object object = {0, 1}, none = {9, 1};
  const graze_pair wild = {0, 0, 7, 0};
  graze_query wrong = graze_query_default();
  wrong.scope = (graze_scope)9;
  assert_ok(graze_scene_find_pairs(scene, NULL, &kept));
  for (int round = 0; round < 2; round++) { /* again: the lists are used again after a failure */
    assert_ok(graze_scene_find_pairs(scene, NULL, &pairs));
    assert_int_equal(pairs.count, kept.count);
    assert_int_equal(graze_scene_find_pairs(scene, &wrong, &pairs), GRAZE_INVALID_ARGUMENT);
    assert_empty(&pairs);
    assert_ok(graze_scene_any_pair(scene, NULL, &found, &pairs));
    assert_true(found && pairs.count == 1);
    assert_int_equal(graze_scene_any_pair(scene, &wrong, &found, &pairs), GRAZE_INVALID_ARGUMENT);
    assert_false(found);
    assert_empty(&pairs);
    assert_ok(graze_scene_make_contacts(scene, kept.pairs, kept.count, NULL, &contacts));
    assert_int_equal(contacts.count, kept.count);
    assert_int_equal(graze_scene_make_contacts(scene, &wild, 1, NULL, &contacts), GRAZE_INVALID_ARGUMENT);
    assert_true(contacts.contacts == NULL && contacts.count == 0 && contacts.points == NULL);
    assert_int_equal(contacts.point_count, 0);
    assert_ok(graze_scene_make_wrenches(scene, kept.pairs, kept.count, NULL, &wrenches));
    assert_int_equal(wrenches.count, 1);
    assert_int_equal(graze_scene_make_wrenches(scene, &wild, 1, NULL, &wrenches), GRAZE_INVALID_ARGUMENT);
    assert_true(wrenches.wrenches == NULL && wrenches.count == 0);
    assert_ok(graze_scene_measure_crowding(scene, object, &crowding));
    assert_true(crowding.count > 0);
    assert_int_equal(graze_scene_measure_crowding(scene, none, &crowding), GRAZE_NO_SUCH_OBJECT);
    assert_true(crowding.k_of == NULL && crowding.count == 0 && crowding.k == 0);
  }
  graze_pairs_free(&pairs);
  graze_pairs_free(&kept);
  graze_contacts_free(&contacts);
  graze_wrenches_free(&wrenches);
  graze_crowding_free(&crowding);
  close_scene(&counted);
  assert_clean(&counted);
}

/* ---------------------------------------------------------------------------------------------- sizes */

/* A list of a later version, and what its caller has behind it. */
typedef struct later_pairs {
  graze_pairs known;
  unsigned char later[40];
  unsigned char beyond[40];
} later_pairs;

static void assert_untouched(const later_pairs *list) {
  for (size_t i = 0; i < sizeof list->later; i++) assert_int_equal(list->later[i], 0x5a);
  for (size_t i = 0; i < sizeof list->beyond; i++) assert_int_equal(list->beyond[i], 0x5a);
}

TEST(test_lists_of_other_versions) {
  graze_object object;
  OWNED_SCENE *scene = crossing_scene(&object);
  for (int later = 0; later < 2; later++) { /* a zeroed list has the first version */
    later_pairs list;
    memset(&list, 0x5a, sizeof list);
    list.known = (graze_pairs){.struct_bytes = later == 1 ? offsetof(later_pairs, beyond) : 0};
    const size_t stated_bytes = list.known.struct_bytes;
    assert_ok(graze_scene_find_pairs(scene, NULL, &list.known));
    assert_int_equal(list.known.count, 1);
    assert_int_equal(list.known.struct_bytes, stated_bytes);
    assert_untouched(&list);
    graze_query wrong = graze_query_default();
    wrong.scope = (graze_scope)9;
    assert_int_equal(graze_scene_find_pairs(scene, &wrong, &list.known), GRAZE_INVALID_ARGUMENT);
    assert_int_equal(list.known.struct_bytes, stated_bytes);
    assert_untouched(&list);
    graze_pairs_free(&list.known);
    assert_int_equal(list.known.struct_bytes, stated_bytes);
    assert_null(list.known.memory);
    assert_untouched(&list);
  }
  graze_pairs wrong = {.struct_bytes = 3};
  assert_int_equal(graze_scene_find_pairs(scene, NULL, &wrong), GRAZE_INVALID_ARGUMENT);
  assert_non_null(strstr(graze_error_text(), "struct_bytes of the list of pairs is 3"));
  assert_null(wrong.memory);
  struct {
    graze_timings known;
    unsigned char later[16];
  } timings;
  memset(&timings, 0x5a, sizeof timings);
  timings.known.struct_bytes = sizeof timings;
  assert_ok(graze_scene_get_timings(scene, &timings.known));
  assert_int_equal(timings.known.struct_bytes, sizeof timings);
  assert_true(timings.known.update_ms >= 0.0 && timings.known.search_ms == 0.0 && timings.later[0] == 0x5a);
}

/* ---------------------------------------------------------------------------------------------- no last query */

static void compare_wrenches(const graze_wrenches *a, const graze_wrenches *b) {
  assert_true(a->count == b->count && a->count > 0);
  assert_memory_equal(a->wrenches, b->wrenches, a->count * sizeof *a->wrenches);
}

/* Queries of other scenes in between, or no query of this scene at all, make no difference. */
TEST(test_nothing_depends_on_the_last_query) {
  counted_scene asked, fresh;
  open_scene(&asked);
  open_scene(&fresh);
  add_solids(asked.scene, 400);
  add_solids(fresh.scene, 400);
  graze_pairs pairs = {0}, nothing = {0};
  graze_wrenches wanted = {0}, found = {0};
  assert_ok(graze_scene_find_pairs(asked.scene, NULL, &pairs));
  assert_ok(graze_scene_make_wrenches(asked.scene, pairs.pairs, pairs.count, NULL, &wanted));
  bool any;
  graze_query gjk = graze_query_default();
  gjk.test = GRAZE_TEST_GJK;
  assert_ok(graze_scene_any_pair(asked.scene, &gjk, &any, NULL));
  assert_ok(graze_scene_make_wrenches(asked.scene, pairs.pairs, pairs.count, NULL, &found));
  compare_wrenches(&wanted, &found);
  gjk.scope = GRAZE_SCOPE_WITHIN;
  assert_ok(graze_scene_find_pairs(asked.scene, &gjk, &nothing));
  assert_ok(graze_scene_make_wrenches(asked.scene, pairs.pairs, pairs.count, NULL, &found));
  compare_wrenches(&wanted, &found);
  assert_ok(graze_scene_make_wrenches(fresh.scene, pairs.pairs, pairs.count, NULL, &found));
  compare_wrenches(&wanted, &found);
  assert_ok(graze_scene_make_wrenches(fresh.scene, NULL, 0, NULL, &found));
  assert_int_equal(found.count, 0);
  const graze_pair wild[3] = {pairs.pairs[0], pairs.pairs[1], {0, UINT32_MAX, 1, 0}};
  assert_refused(
      graze_scene_make_wrenches(fresh.scene, wild, 3, NULL, &found), GRAZE_INVALID_ARGUMENT,
      "pair 2 (object 0 primitive 4294967295, object 1 primitive 0) does not intersect or is not in the scene");
  graze_contact_options endless = graze_contact_options_default();
  endless.stiffness = INFINITY;
  assert_int_equal(graze_scene_make_wrenches(fresh.scene, wild, 2, &endless, &found), GRAZE_INVALID_ARGUMENT);
  graze_pairs_free(&pairs);
  graze_pairs_free(&nothing);
  graze_wrenches_free(&wanted);
  graze_wrenches_free(&found);
  close_scene(&asked);
  close_scene(&fresh);
  assert_clean(&asked);
  assert_clean(&fresh);
}
