/* Compares contacts and wrenches of a scene on an emulated device with those of the processor, bit by bit: every
 * built-in model and torture scene, all kinds mixed, every pair test, float and double, posed and moving objects,
 * positions and pairs on the device, pairs in any order, pairs that do not intersect, too little memory, failing
 * operations. */
#include "backend_choice.h"
#include "base/checked_allocator.h"
#include "base/number_sequence.h"
#include "contact_comparison.h"
#include "cuda/stage_contact.h"
#include "device_frames.h"
#include "host_operations.h"
#include "mesh_set.h"
#include "models/model.h"
#include "posed_object.h"
#include "test_scale.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACT_KINDS = GRAZE_CONTACT_KIND_PARTS + 1 };

/* The comparisons so far. */
static struct { size_t contacts, points, overfull, wrenches, kinds[CONTACT_KINDS]; } seen;

/* ---------------------------------------------------------------------------------------------- comparing */

/* And notes what there was. */
static void compare_noted(const graze_contacts *wanted, const graze_contacts *found, const char *name) {
  compare_contacts(wanted, found, name);
  for (size_t i = 0; i < wanted->count; i++) {
    seen.kinds[wanted->contacts[i].kind]++;
    seen.overfull += wanted->contacts[i].point_count > MEASURE_POINTS;
  }
  seen.contacts += wanted->count;
  seen.points += wanted->point_count;
}

/* Contacts made through the host and left on the device, against the processor's. */
static void compare_pairs(const graze_scene *judging, const graze_scene *scene, const graze_pair *pairs,
                          const graze_pair *device_pairs, size_t count, graze_test test, const char *name) {
  graze_contact_options options = graze_contact_options_default();
  options.test = test;
  graze_contacts expected = contacts_of(judging, pairs, count, test), made = contacts_of(scene, pairs, count, test);
  OWNED(graze_device_contacts) left = {0};
  assert_ok(graze_scene_make_contacts_on_device(scene, device_pairs, count, &options, &left));
  const graze_contacts there = contacts_left(&left);
  compare_noted(&expected, &made, name);
  compare_noted(&expected, &there, name);
  graze_contacts_free(&expected);
  graze_contacts_free(&made);
}

/* Asks both scenes and compares contacts. */
static void compare_question(const graze_scene *judging, const graze_scene *scene, const graze_query *query,
                             const char *name) {
  const pair_answer wanted = runner_find(judging, query);
  OWNED(graze_device_pairs) there = {0};
  assert_ok(graze_scene_find_pairs_on_device(scene, query, &there));
  assert_int_equal(there.count, wanted.count);
  compare_pairs(judging, scene, wanted.pairs, there.device_pairs, there.count, query->test, name);
  free(wanted.pairs);
}

static graze_contact_options wrench_options(graze_test test) {
  graze_contact_options options = graze_contact_options_default();
  options.stiffness = 3.0;
  options.test = test;
  return options;
}

/* Release by graze_wrenches_free. */
static graze_wrenches wrenches_of(const graze_scene *scene, const graze_query *query) {
  const graze_contact_options options = wrench_options(query->test);
  OWNED(graze_pairs) pairs = {0};
  graze_wrenches wrenches = {0};
  if (graze_scene_find_pairs(scene, query, &pairs) != GRAZE_OK ||
      graze_scene_make_wrenches(scene, pairs.pairs, pairs.count, &options, &wrenches) != GRAZE_OK)
    fail_msg("%s", graze_error_text());
  return wrenches;
}

static void compare_wrenches(const graze_wrenches *wanted, const graze_wrenches *found) {
  assert_int_equal(found->count, wanted->count);
  if (wanted->count > 0)
    assert_memory_equal(found->wrenches, wanted->wrenches, wanted->count * sizeof *wanted->wrenches);
  seen.wrenches += wanted->count;
}

/* Forces and torques come of the volumes of contacts; of pairs whose boxes meet, those that do not meet push nothing.
 */
static void compare_wrench_sums(graze_scene *judging, graze_scene *scene, graze_query query) {
  for (int boxes = 0; boxes < (query.test == GRAZE_TEST_SAT ? 2 : 1); boxes++) {
    query.candidates_only = boxes != 0;
    OWNED(graze_wrenches) expected = wrenches_of(judging, &query), found = wrenches_of(scene, &query);
    compare_wrenches(&expected, &found);
  }
}

/* Every pair test; it matters for solids alone. */
static void compare_tests(graze_scene *judging, graze_scene *scene, bool solids, const char *name) {
  const graze_test tests[] = {GRAZE_TEST_SAT, GRAZE_TEST_GJK};
  for (size_t i = 0; i < (solids ? 2u : 1u); i++) {
    graze_query query = graze_query_default();
    query.test = tests[i];
    compare_question(judging, scene, &query, name);
    if (solids) compare_wrench_sums(judging, scene, query);
  }
}

static void compare_meshes(const char *name, const mesh *meshes, size_t mesh_count, bool as_float, index_order order) {
  const running_variant reference = running_variant_reference(), variant = device_variant(as_float);
  const host_device_settings settings = {.order = order};
  host_device_configure(&settings);
  graze_scene *judging = runner_scene(&reference, meshes, mesh_count, NULL);
  graze_scene *scene = runner_scene(&variant, meshes, mesh_count, NULL);
  compare_tests(judging, scene, device_frames_have_solids(meshes, mesh_count), name);
  graze_scene_destroy(judging);
  graze_scene_destroy(scene);
  assert_int_equal(host_device_count().bytes, 0);
}

/* ---------------------------------------------------------------------------------------------- scenes */

TEST(test_models) {
  for (size_t number = 0; number < model_count(); number++)
    for (size_t size = 0; size < 2; size++) {
      if (test_scale() < 1.0 && size != number % 2) continue; /* sanitizers see small and large ones in turn */
      OWNED(mesh_set)
      made = torture_set(model_at(number)->name, size == 0 ? 40 : test_scaled(1000, 150), number + size);
      if (size == 0) torture_round_to_float(made.meshes, made.count);
      compare_meshes(model_at(number)->name, made.meshes, made.count, size == 0,
                     (index_order)((number + size) % INDEX_ORDER_COUNT));
    }
}

TEST(test_torture_scenes) {
  for (size_t number = 0; number < torture_scene_count(); number++) {
    const torture_scene *torture = torture_scene_at(number);
    if (test_scale() < 1.0 && number % 3 != 0) continue;
    OWNED(mesh_set) made = made_set(torture->make);
    compare_meshes(torture->name, made.meshes, made.count, torture->is_float && number % 2 == 0,
                   (index_order)(number % INDEX_ORDER_COUNT));
  }
}

/* Turns object `index` about a skew axis, the same in both scenes. */
static void turn(graze_scene *scene, uint32_t index, double angle) {
  const double c = cos(angle), s = sin(angle);
  const double rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1}, translation[3] = {0.05 * angle, -0.03, 0.02 * index};
  assert_ok(pose_object(scene, (graze_object){index, 1}, rotation, translation));
}

/* Kinds of the pairs by row and column; every two kinds must have met. */
static void count_kinds(graze_scene *scene, size_t met[KIND_COUNT][KIND_COUNT]) {
  static const graze_kind kind_of[MIXED_OBJECTS] = {GRAZE_KIND_TRIANGLE,   GRAZE_KIND_POLYGON,  GRAZE_KIND_TETRAHEDRON,
                                                    GRAZE_KIND_POLYHEDRON, GRAZE_KIND_TRIANGLE, GRAZE_KIND_TETRAHEDRON,
                                                    GRAZE_KIND_SPHERE,     GRAZE_KIND_SPHERE};
  OWNED(graze_pairs) pairs = find_pairs(scene, NULL);
  for (size_t i = 0; i < pairs.count; i++) met[kind_of[pairs.pairs[i].object_a]][kind_of[pairs.pairs[i].object_b]]++;
}

TEST(test_all_kinds_together) {
  mesh meshes[MIXED_OBJECTS];
  make_mixed(test_sanitized(36, test_scaled(250, 60)), meshes);
  size_t met[KIND_COUNT][KIND_COUNT] = {{0}};
  const size_t overfull = seen.overfull;
  for (index_order order = INDICES_FORWARD; order < INDEX_ORDER_COUNT; order++) {
    const running_variant reference = running_variant_reference(), variant = device_variant(order != INDICES_SHUFFLED);
    const host_device_settings settings = {.order = order};
    host_device_configure(&settings);
    OWNED_SCENE *judging = runner_scene(&reference, meshes, MIXED_OBJECTS, NULL);
    OWNED_SCENE *scene = runner_scene(&variant, meshes, MIXED_OBJECTS, NULL);
    for (uint32_t i = 0; i < MIXED_OBJECTS; i += 1 + order) {
      const double angle = 0.3 * i + (int)order;
      turn(judging, i, angle);
      turn(scene, i, angle);
    }
    assert_ok(graze_scene_update(judging));
    assert_ok(graze_scene_update(scene));
    compare_tests(judging, scene, true, "all kinds together");
    count_kinds(judging, met);
  }
  for (int a = 0; a < KIND_COUNT; a++)
    for (int b = a + 1; b < KIND_COUNT; b++) assert_true(met[a][b] + met[b][a] > 0);
  assert_true(seen.overfull > overfull + 10);
  free_mixed(meshes);
}

/* Frame after frame: buffers that grow and are used again, erased primitives, positions that are on the device. */
TEST(test_moving_scene) {
  mesh meshes[MIXED_OBJECTS];
  make_mixed(test_sanitized(24, test_scaled(80, 40)), meshes);
  const running_variant reference = running_variant_reference(), variant = device_variant(false);
  const host_device_settings settings = {.order = INDICES_REVERSED};
  host_device_configure(&settings);
  graze_scene *judging = runner_scene(&reference, meshes, MIXED_OBJECTS, NULL);
  graze_scene *scene = runner_scene(&variant, meshes, MIXED_OBJECTS, NULL);
  const graze_query query = graze_query_default();
  uint64_t sequence = 8;
  for (uint32_t frame = 0; frame < 8; frame++) {
    const uint32_t moved = frame % MIXED_OBJECTS;
    const graze_object object = {moved, 1};
    mesh *m = &meshes[moved];
    for (size_t i = 0; i < 3 * m->vertex_count; i++)
      m->positions[i] += ((double)sequence_below(&sequence, 1000) - 500.0) * 1e-6;
    const graze_view view = {m->positions, m->vertex_count, 0, GRAZE_FORMAT_DOUBLE3};
    if (m->kind != MESH_POLYHEDRA) { /* those are checked for being convex when they come */
      assert_ok(graze_object_set_positions(judging, object, 0, view));
      assert_ok(graze_object_set_device_positions(scene, object, m->positions, GRAZE_FORMAT_DOUBLE3, NULL));
    }
    if (frame == 5) {
      const uint32_t gone[2] = {3, 9};
      assert_ok(graze_object_remove_primitives(judging, (graze_object){0, 1}, gone, 2));
      assert_ok(graze_object_remove_primitives(scene, (graze_object){0, 1}, gone, 2));
    }
    turn(judging, (moved + 1) % MIXED_OBJECTS, 0.1 * frame);
    turn(scene, (moved + 1) % MIXED_OBJECTS, 0.1 * frame);
    assert_ok(graze_scene_update(judging));
    assert_ok(graze_scene_update(scene));
    compare_question(judging, scene, &query, "moving objects of all kinds");
  }
  graze_scene_destroy(judging);
  graze_scene_destroy(scene);
  free_mixed(meshes);
}

/* Shuffled, turned around, some of them more than once, and few of many. */
TEST(test_pairs_in_any_order) {
  mesh meshes[MIXED_OBJECTS];
  make_mixed(60, meshes);
  const running_variant reference = running_variant_reference(), variant = device_variant(true);
  const host_device_settings settings = {.order = INDICES_SHUFFLED};
  host_device_configure(&settings);
  graze_scene *judging = runner_scene(&reference, meshes, MIXED_OBJECTS, NULL);
  graze_scene *scene = runner_scene(&variant, meshes, MIXED_OBJECTS, NULL);
  const graze_query query = graze_query_default();
  const pair_answer wanted = runner_find(judging, &query), found = runner_find(scene, &query);
  assert_true(wanted.count > 100);
  OWNED_MEMORY graze_pair *pairs = malloc(2 * wanted.count * sizeof *pairs);
  assert_non_null(pairs);
  uint64_t sequence = 6;
  for (size_t round = 0; round < test_sanitized(3, 6); round++) {
    const size_t count = 1 + sequence_below(&sequence, 2 * wanted.count);
    for (size_t i = 0; i < count; i++) {
      const graze_pair pair = wanted.pairs[sequence_below(&sequence, wanted.count)];
      const graze_pair turned = {pair.object_b, pair.primitive_b, pair.object_a, pair.primitive_a};
      pairs[i] = sequence_below(&sequence, 2) == 0 ? pair : turned;
    }
    compare_pairs(judging, scene, pairs, pairs, count, GRAZE_TEST_SAT, "pairs in any order");
  }
  free(wanted.pairs);
  free(found.pairs);
  graze_scene_destroy(judging);
  graze_scene_destroy(scene);
  free_mixed(meshes);
}

/* Volumes beyond the largest double: the largest, with a centroid in the common part. */
TEST(test_huge_solids) {
  OWNED(mesh_set) made = torture_set("tet-pair", 40, 1);
  for (size_t i = 0; i < made.count; i++) torture_scale(&made.meshes[i], 0x1p400);
  compare_meshes("huge tetrahedra", made.meshes, made.count, false, INDICES_FORWARD);
  const running_variant variant = device_variant(false);
  graze_scene *scene = runner_scene(&variant, made.meshes, made.count, NULL);
  graze_pairs pairs = find_pairs(scene, NULL);
  graze_contacts contacts = contacts_of(scene, pairs.pairs, pairs.count, GRAZE_TEST_SAT);
  size_t clamped = 0;
  for (size_t i = 0; i < contacts.count; i++) {
    const bool beyond = contacts.contacts[i].volume == DBL_MAX;
    clamped += beyond;
    if (beyond) assert_int_equal(contacts.contacts[i].flags, GRAZE_CONTACT_FLAG_CLAMPED);
    for (int axis = 0; axis < 3; axis++) assert_true(isfinite(contacts.contacts[i].centroid[axis]));
  }
  assert_true(clamped > 0);
  graze_pairs_free(&pairs);
  graze_contacts_free(&contacts);
  graze_scene_destroy(scene);
}

/* All kinds, so large that depths, centroids and witness points leave the doubles as well, and so small that volumes
 * do. */
TEST(test_ends_of_the_range) {
  const double scales[] = {0x1p340, 0x1p1000, 0x1p-332, 0x1p-660, 0x1p1019, 0x1p1021, 0x1p-1000};
  for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i += test_scale() < 1.0 ? 2 : 1) {
    mesh meshes[MIXED_OBJECTS];
    make_mixed(test_sanitized(12, test_scaled(120, 24)), meshes);
    for (size_t k = 0; k < MIXED_OBJECTS; k++) torture_scale(&meshes[k], scales[i]);
    compare_meshes("near the ends of the range", meshes, MIXED_OBJECTS, false, (index_order)(i % INDEX_ORDER_COUNT));
    free_mixed(meshes);
  }
}

/* A translation that ends beyond the largest double, of measures that are finite. */
TEST(test_witnesses_beyond) {
  const double corner[3] = {0.8 * DBL_MAX, 0.0, 0.0}, normal[3] = {1.0, 0.0, 0.0};
  for (int beyond = 0; beyond < 2; beyond++) {
    graze_contact contact = {.centroid = {0.9 * DBL_MAX, 0.0, 0.0}};
    take_translation(normal, beyond != 0 ? 0.5 * DBL_MAX : 0.1 * DBL_MAX, corner, 1, &contact);
    finish_contact(&contact);
    assert_int_equal(contact.flags, beyond != 0 ? GRAZE_CONTACT_FLAG_CLAMPED : 0);
    assert_true(fabs(contact.witness_a[0] / DBL_MAX - 0.9) < 1e-15);
    assert_true(fabs(contact.witness_b[0] / DBL_MAX - (beyond != 0 ? 0.9 : 0.8)) < 1e-15);
  }
}

/* ---------------------------------------------------------------------------------------------- what is refused */

/* Takes one tetrahedron of a pair, and the object 4, out of both scenes; the pair, which met until then. */
static graze_pair take_out(graze_scene *judging, graze_scene *scene) {
  graze_scene *const both[2] = {judging, scene};
  graze_pairs pairs = find_pairs(judging, NULL);
  size_t at = 0;
  while (at < pairs.count && pairs.pairs[at].object_b != 2) at++;
  assert_true(at < pairs.count);
  const graze_pair pair = pairs.pairs[at];
  graze_pairs_free(&pairs);
  for (int i = 0; i < 2; i++) {
    assert_ok(graze_object_remove_primitives(both[i], (graze_object){2, 1}, &pair.primitive_b, 1));
    assert_ok(graze_scene_remove_object(both[i], (graze_object){4, 1}));
    assert_ok(graze_scene_update(both[i]));
  }
  return pair;
}

TEST(test_pairs_that_are_none) {
  mesh meshes[MIXED_OBJECTS];
  make_mixed(60, meshes);
  const running_variant reference = running_variant_reference(), variant = device_variant(true);
  const host_device_settings settings = {.order = INDICES_SHUFFLED};
  host_device_configure(&settings);
  graze_scene *judging = runner_scene(&reference, meshes, MIXED_OBJECTS, NULL);
  graze_scene *scene = runner_scene(&variant, meshes, MIXED_OBJECTS, NULL);
  const graze_pair erased = take_out(judging, scene);
  const graze_query query = graze_query_default();
  OWNED(pair_answer) wanted = runner_find(judging, &query), found = runner_find(scene, &query);
  runner_compare(&wanted, &found, "all kinds", "device");
  thin_pairs(&wanted, 600); /* the pairs before and after an invalid one are measured, each time */
  OWNED_MEMORY graze_pair *pairs = malloc(wanted.count * sizeof *pairs);
  assert_non_null(pairs);
  const uint32_t tetrahedra = (uint32_t)meshes[2].tetrahedron_count;
  const graze_pair none[] = {{MIXED_OBJECTS, 0, 0, 0},
                             {0, 0, UINT32_MAX, 0},
                             {2, tetrahedra, 0, 0},
                             {0, 0, 0, UINT32_MAX},
                             erased,
                             {4, 0, 0, 0},
                             {0, 0, 0, 20},
                             {1, 0, 1, 30},
                             {2, 0, 2, tetrahedra - 1}};
  enum { NONE_COUNT = sizeof none / sizeof none[0] };
  uint64_t sequence = 3;
  for (size_t i = 0; i < NONE_COUNT * NONE_COUNT; i += test_scale() < 1.0 ? 4 : 1) { /* all rows and columns */
    memcpy(pairs, wanted.pairs, wanted.count * sizeof *pairs);
    pairs[sequence_below(&sequence, wanted.count)] = none[i % NONE_COUNT];
    pairs[sequence_below(&sequence, wanted.count)] = none[i / NONE_COUNT];
    compare_refusal(judging, scene, pairs, wanted.count);
  }
  compare_pairs(judging, scene, wanted.pairs, wanted.pairs, wanted.count, GRAZE_TEST_SAT, "after refusals");
  graze_scene_destroy(judging);
  graze_scene_destroy(scene);
  free_mixed(meshes);
}

TEST(test_calls) {
  OWNED(mesh_set) made = torture_set("blobs", 100, 4);
  const running_variant reference = running_variant_reference(), variant = device_variant(false);
  const host_device_settings settings = {0};
  host_device_configure(&settings);
  graze_scene *judging = runner_scene(&reference, made.meshes, made.count, NULL);
  graze_scene *scene = runner_scene(&variant, made.meshes, made.count, NULL);
  graze_device_pairs found = {0};
  graze_device_contacts contacts = {0};
  assert_ok(graze_scene_find_pairs_on_device(scene, NULL, &found));
  const graze_pair *const pairs = found.device_pairs;
  const size_t count = found.count;
  assert_int_equal(graze_scene_make_contacts_on_device(NULL, pairs, count, NULL, &contacts), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_make_contacts_on_device(scene, pairs, count, NULL, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_scene_make_contacts_on_device(judging, pairs, count, NULL, &contacts), GRAZE_UNSUPPORTED);
  assert_int_equal(graze_scene_make_contacts_on_device(scene, NULL, 3, NULL, &contacts), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "the list of 3 pairs is NULL");
  assert_ok(graze_scene_make_contacts_on_device(scene, NULL, 0, NULL, &contacts));
  assert_true(contacts.count == 0 && contacts.point_count == 0);
  const graze_pair elsewhere = {0, 0, 0, 1};
  const host_device_settings not_its_own = {.unreadable = &elsewhere};
  host_device_configure(&not_its_own);
  assert_int_equal(graze_scene_make_contacts_on_device(scene, &elsewhere, 1, NULL, &contacts), GRAZE_INVALID_ARGUMENT);
  assert_string_equal(graze_error_text(), "pairs: they are not on the device");
  assert_ok(graze_scene_make_contacts_on_device(scene, pairs, count, NULL, &contacts));
  graze_contacts none = make_contacts(scene, NULL, 0, NULL);
  assert_true(none.count == 0 && none.point_count == 0);
  turn(scene, 0, 0.1);
  assert_int_equal(graze_scene_make_contacts_on_device(scene, pairs, count, NULL, &contacts), GRAZE_NOT_UPDATED);
  graze_scene_destroy(judging);
  graze_scene_destroy(scene);
  graze_device_pairs_free(&found);
  graze_device_contacts_free(&contacts);
  /* A scene without objects has no pairs. */
  assert_ok(create_on("cuda", 0, graze_scene_def_default(), &scene));
  assert_ok(graze_scene_update(scene));
  const graze_pair pair = {0, 0, 0, 1};
  assert_int_equal(graze_scene_make_contacts(scene, &pair, 1, NULL, &none), GRAZE_INVALID_ARGUMENT);
  graze_contacts_free(&none);
  graze_scene_destroy(scene);
}

/* Objects of 5, no and 4 primitives, of which the scene's sixth is erased. */
TEST(test_primitive_numbers) {
  const object_source sources[3] = {{.first_primitive = 0}, {.first_primitive = 5}, {.first_primitive = 5}};
  const device_object objects[3] = {{.public_object = 0, .primitive_count = 5, .by_number = 0},
                                    {.public_object = 1, .by_number = 1},
                                    {.public_object = 2, .primitive_count = 4, .by_number = 2}};
  const uint8_t erased[9] = {0, 0, 0, 0, 0, 0, 1, 0, 0};
  scene_arrays view;
  memset(&view, 0, sizeof view);
  view.sources = sources;
  view.objects = objects;
  view.object_count = 3;
  view.primitive_count = 9;
  view.removed = erased;
  for (uint32_t object = 0; object < 5; object++)
    for (uint32_t primitive = 0; primitive < 7; primitive++) {
      uint32_t number = UINT32_MAX;
      const bool there = (object == 0 && primitive < 5) || (object == 2 && primitive < 4 && primitive != 1);
      assert_int_equal(device_primitive_number(&view, object, primitive, &number), there);
      if (there) assert_int_equal(number, (object == 2 ? 5 : 0) + primitive);
    }
}

/* More points than numbers: sums of counts neither wrap nor lose their upper halves. */
TEST(test_points_are_summed) {
  enum { COUNT = 100 };
  static uint32_t first[COUNT];
  device_contact_totals totals;
  contact_view view;
  memset(&totals, 0, sizeof totals);
  memset(&view, 0, sizeof view);
  view.totals = &totals;
  view.first = first;
  uint64_t expected = 0, sum = 0;
  for (uint32_t i = 0; i < COUNT; i++) {
    const uint32_t count = UINT32_MAX - i * 40000001u;
    count_points(&view, i, count);
    expected += count;
  }
  for (int i = 0; i < TALLY_SLOTS; i++) sum += totals.points_low[i] + (totals.points_high[i] << 16);
  assert_true(sum == expected && sum > UINT32_MAX);
}

/* ---------------------------------------------------------------------------------------------- failures */

/* A scene with all it needs but the contacts, whose host memory can be refused. */
static graze_scene *failing_scene(const mesh *meshes, checked_allocator *heap, pair_answer *pairs_out) {
  const graze_allocator allocator = {sizeof allocator, heap, checked_allocate, checked_release};
  const host_device_settings settings = {0};
  host_device_configure(&settings);
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 1;
  def.allocator = &allocator;
  graze_scene *scene;
  assert_ok(create_on("cuda", 0, def, &scene));
  for (size_t i = 0; i < MIXED_OBJECTS; i++) runner_add(scene, &meshes[i], false, NULL);
  assert_ok(graze_scene_update(scene));
  const graze_query query = graze_query_default();
  *pairs_out = runner_find(scene, &query);
  return scene;
}

/* The contacts or the wrenches of the pairs, as one call that may fail. */
static graze_result ask(const graze_scene *scene, bool wrenches, const pair_answer *pairs, graze_contacts *contacts,
                        graze_wrenches *summed) {
  const graze_contact_options options = wrench_options(GRAZE_TEST_SAT);
  return wrenches ? graze_scene_make_wrenches(scene, pairs->pairs, pairs->count, &options, summed)
                  : graze_scene_make_contacts(scene, pairs->pairs, pairs->count, NULL, contacts);
}

/* Fails operation or allocation number `fail_at` of the call, then repeats it; returns false if there is no such
 * operation. Too little device memory is not a failure: fewer pairs are measured at once. */
static bool fail_once(const mesh *meshes, bool wrenches, bool host, size_t fail_at, const graze_contacts *expected,
                      const graze_wrenches *expected_wrenches, size_t *failures) {
  checked_allocator heap = {.refused = SIZE_MAX};
  pair_answer pairs;
  graze_contacts contacts = {0};
  graze_wrenches found = {0};
  graze_scene *scene = failing_scene(meshes, &heap, &pairs);
  host_device_settings settings = {.fail_at = host ? 0 : fail_at};
  host_device_configure(&settings);
  if (host) heap.refused = atomic_load(&heap.allocations) + fail_at - 1;
  const graze_result result = ask(scene, wrenches, &pairs, &contacts, &found);
  const bool reached = host ? atomic_load(&heap.allocations) > heap.refused : host_device_count().operations >= fail_at;
  *failures += result != GRAZE_OK;
  if (result != GRAZE_OK) {
    assert_true(result == GRAZE_OUT_OF_MEMORY || (!host && result == GRAZE_DEVICE_FAILED));
    assert_non_null(strstr(graze_error_text(), host ? "out of memory" : "of the device failed"));
    assert_true(contacts.count == 0 && found.count == 0);
  }
  settings.fail_at = 0;
  host_device_configure(&settings);
  heap.refused = SIZE_MAX;
  assert_ok(ask(scene, wrenches, &pairs, &contacts, &found));
  if (wrenches)
    compare_wrenches(expected_wrenches, &found);
  else
    compare_contacts(expected, &contacts, "after a failure");
  free(pairs.pairs);
  graze_scene_destroy(scene);
  graze_contacts_free(&contacts);
  graze_wrenches_free(&found);
  assert_int_equal(host_device_count().bytes, 0);
  assert_true(atomic_load(&heap.live) == 0 && atomic_load(&heap.faults) == 0);
  return reached;
}

/* Every operation of the device, then every allocation of the host, fails in turn: a code, a message, and a scene that
 * answers when asked again. */
TEST(test_failures) {
  mesh meshes[MIXED_OBJECTS];
  make_mixed(30, meshes);
  const running_variant reference = running_variant_reference();
  graze_scene *judging = runner_scene(&reference, meshes, MIXED_OBJECTS, NULL);
  const graze_query query = graze_query_default();
  const pair_answer wanted = runner_find(judging, &query);
  graze_contacts expected = contacts_of(judging, wanted.pairs, wanted.count, GRAZE_TEST_SAT);
  graze_wrenches wrenches = wrenches_of(judging, &query);
  assert_true(wrenches.count > 0);
  for (int call = 0; call < 2; call++)
    for (int host = 0; host < 2; host++) {
      const size_t step = test_scale() < 1.0 && host == 0 ? 3 : 1;
      size_t failures = 0, fail_at = 1;
      while (fail_once(meshes, call != 0, host != 0, fail_at, &expected, &wrenches, &failures)) fail_at += step;
      assert_true(failures > (host != 0 ? 1u : call != 0 ? 6u : 10u) / step);
    }
  free(wanted.pairs);
  graze_contacts_free(&expected);
  graze_wrenches_free(&wrenches);
  graze_scene_destroy(judging);
  free_mixed(meshes);
}

TEST(test_amounts) {
  print_message("%zu contacts and %zu points compared; %zu contacts of more points than a slot holds; %zu wrenches\n",
                seen.contacts, seen.points, seen.overfull, seen.wrenches);
  for (int kind = GRAZE_CONTACT_KIND_POINT; kind < CONTACT_KINDS; kind++) assert_true(seen.kinds[kind] > 100);
  assert_true(seen.wrenches > 50);
  assert_true(seen.contacts > test_scaled(200000, 20000));
}

TEST_PREPARATION {
  setenv("GRAZE_TEST_BACKEND", "cuda", 1); /* for all ways but the reference's */
  return 0;
}
