/* Objects that carry numbers of something larger: a scene cut into slabs that come in any order has the pairs, hash,
 * contacts and wrenches of the whole, and takes its own pairs back. */
#include "base/number_sequence.h"
#include "cuda/contact_bits.h"
#include "small_meshes.h"

#include <stdlib.h>

enum { OBJECTS = 4, ELEMENTS = 60, CORNERS = 4, SLABS = 3 };

/* Objects of triangles and of tetrahedra, in turn, no two of which share a vertex. */
typedef struct soup {
  double positions[OBJECTS][ELEMENTS * CORNERS * 3];
  uint32_t indices[ELEMENTS * CORNERS]; /* 0, 1, 2 ... */
} soup;

static void fill_soup(soup *s, uint64_t seed) {
  for (uint32_t i = 0; i < ELEMENTS * CORNERS; i++) s->indices[i] = i;
  for (int o = 0; o < OBJECTS; o++)
    for (int e = 0; e < ELEMENTS; e++) {
      double middle[3];
      for (int k = 0; k < 3; k++) middle[k] = (double)sequence_below(&seed, 1000) / 1000;
      for (int k = 0; k < 3 * CORNERS; k++)
        s->positions[o][3 * CORNERS * e + k] = middle[k % 3] + (double)sequence_below(&seed, 1000) / 3000;
    }
}

static graze_scene *empty_scene(void) {
  const char *backend = getenv("GRAZE_TEST_BACKEND");
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 2;
  graze_backend_def chosen = graze_backend_def_default();
  if (backend != NULL) chosen.name = backend;
  def.backend = &chosen;
  graze_scene *scene;
  assert_int_equal(graze_scene_create(&def, &scene), GRAZE_OK);
  return scene;
}

/* Elements [first, first + count) of an object of the soup. */
static graze_object add_range(graze_scene *scene, const soup *s, graze_mesh_def def, int object, uint32_t first,
                              uint32_t count) {
  const uint32_t width = object % 2 == 0 ? 3 : 4;
  graze_object added;
  def.positions = double_view(s->positions[object] + 3 * (size_t)width * first, (size_t)width * count);
  def.triangles = index_view(s->indices, width == 3 ? count : 0);
  def.tetrahedra = (graze_view){s->indices, width == 4 ? count : 0, 0, GRAZE_UINT32_4};
  const graze_result result =
      width == 3 ? graze_scene_add_triangles(scene, &def, &added) : graze_scene_add_tetrahedra(scene, &def, &added);
  if (result != GRAZE_OK) fail_msg("%s", graze_error_text());
  return added;
}

static graze_mesh_def numbered(uint32_t object, uint32_t primitive) {
  graze_mesh_def def = graze_mesh_def_default();
  def.global_numbers = true;
  def.global_object = object;
  def.global_primitive = primitive;
  return def;
}

static graze_pairs find(graze_scene *scene) {
  graze_pairs pairs = {0};
  if (graze_scene_update(scene) != GRAZE_OK || graze_scene_find_pairs(scene, NULL, &pairs) != GRAZE_OK)
    fail_msg("%s", graze_error_text());
  return pairs;
}

static graze_scene *whole_scene(const soup *s) {
  graze_scene *scene = empty_scene();
  for (int o = 0; o < OBJECTS; o++) add_range(scene, s, graze_mesh_def_default(), o, 0, ELEMENTS);
  return scene;
}

/* Slabs of unequal sizes in an order by chance, some slots used twice. */
static graze_scene *slab_scene(const soup *s, uint64_t *seed) {
  static const uint32_t first[SLABS + 1] = {0, 7, 40, ELEMENTS};
  graze_scene *scene = empty_scene();
  int order[OBJECTS * SLABS];
  for (int i = 0; i < OBJECTS * SLABS; i++) {
    const int place = (int)sequence_below(seed, (uint64_t)i + 1);
    order[i] = order[place];
    order[place] = i;
  }
  const graze_object gone = add_range(scene, s, graze_mesh_def_default(), 0, 0, 1);
  for (int i = 0; i < OBJECTS * SLABS; i++) {
    const int object = order[i] / SLABS, slab = order[i] % SLABS;
    if (i == 5) assert_int_equal(graze_scene_remove_object(scene, gone), GRAZE_OK);
    if (i == 7) add_range(scene, s, numbered(0, 0), 0, 0, 0); /* empty: with the numbers of another */
    add_range(scene, s, numbered((uint32_t)object, first[slab]), object, first[slab], first[slab + 1] - first[slab]);
  }
  return scene;
}

static void compare_answers(graze_scene *whole, graze_scene *slabs) {
  graze_pairs wanted = find(whole), found = find(slabs);
  assert_true(wanted.count > 200);
  assert_int_equal(found.count, wanted.count);
  assert_memory_equal(found.pairs, wanted.pairs, wanted.count * sizeof *wanted.pairs);
  assert_true(found.hash == wanted.hash && found.hash == graze_pairs_hash(found.pairs, found.count));
  graze_wrenches pushes[2] = {{0}, {0}};
  graze_wrench_options options = graze_wrench_options_default();
  options.stiffness = 2.0;
  assert_int_equal(graze_scene_sum_wrenches(whole, wanted.pairs, wanted.count, &options, &pushes[0]), GRAZE_OK);
  assert_int_equal(graze_scene_sum_wrenches(slabs, found.pairs, found.count, &options, &pushes[1]), GRAZE_OK);
  assert_true(pushes[0].count > 0 && pushes[1].count == pushes[0].count);
  assert_memory_equal(pushes[1].wrenches, pushes[0].wrenches, pushes[0].count * sizeof *pushes[0].wrenches);
  graze_contacts contacts[2] = {{0}, {0}};
  assert_int_equal(graze_scene_make_contacts(whole, wanted.pairs, wanted.count, NULL, &contacts[0]), GRAZE_OK);
  assert_int_equal(graze_scene_make_contacts(slabs, found.pairs, found.count, NULL, &contacts[1]), GRAZE_OK);
  for (size_t i = 0; i < wanted.count; i++)
    assert_true(same_contact(&contacts[0].contacts[i], &contacts[1].contacts[i]));
  assert_int_equal(contacts[1].point_count, contacts[0].point_count);
  for (int i = 0; i < 2; i++) {
    graze_wrenches_free(&pushes[i]);
    graze_contacts_free(&contacts[i]);
  }
  graze_pairs_free(&wanted);
  graze_pairs_free(&found);
}

static void test_slabs_are_as_the_whole(void **state) {
  (void)state;
  static soup s;
  uint64_t seed = 17;
  for (int round = 0; round < 10; round++) {
    fill_soup(&s, 1000 + (uint64_t)round);
    graze_scene *whole = whole_scene(&s), *slabs = slab_scene(&s, &seed);
    compare_answers(whole, slabs);
    graze_scene_destroy(whole);
    graze_scene_destroy(slabs);
  }
}

/* Queries that end early, or are about an object, name pairs likewise. */
static void test_other_queries(void **state) {
  (void)state;
  static soup s;
  fill_soup(&s, 5);
  graze_scene *scene = empty_scene();
  const graze_object high = add_range(scene, &s, numbered(4000000000u, 500), 1, 0, ELEMENTS);
  const graze_object low = add_range(scene, &s, numbered(70, 9), 3, 0, ELEMENTS);
  graze_pairs all = find(scene), first = {0};
  graze_query query = graze_query_default();
  query.scope = GRAZE_BETWEEN;
  bool found;
  assert_true(all.count > 0);
  assert_int_equal(graze_scene_any_pair(scene, &query, &found, &first), GRAZE_OK);
  const graze_pair pair = first.pairs[0];
  assert_true(found && pair.object_a == 70 && pair.object_b == 4000000000u);
  assert_true(pair.primitive_a - 9 < ELEMENTS && pair.primitive_b - 500 < ELEMENTS);
  graze_object object;
  uint32_t own;
  assert_int_equal(graze_scene_find_primitive(scene, pair.object_b, pair.primitive_b, &object, &own), GRAZE_OK);
  assert_true(object.index == high.index && object.generation == high.generation && own == pair.primitive_b - 500);
  assert_int_equal(graze_scene_find_primitive(scene, 70, 9 + ELEMENTS - 1, &object, NULL), GRAZE_OK);
  assert_true(object.index == low.index);
  assert_refused(graze_scene_find_primitive(scene, 70, 9 + ELEMENTS, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE,
                 "there is no primitive 69 of object 70, or it is erased");
  assert_int_equal(graze_scene_find_primitive(scene, 70, 8, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE);
  assert_int_equal(graze_scene_find_primitive(scene, 0, 0, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE);
  assert_int_equal(graze_scene_find_primitive(scene, UINT32_MAX, 0, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE);
  /* The scene's own numbers are no longer a pair's. */
  const graze_pair own_numbers = {0, 0, 1, 0};
  graze_contacts contacts = {0};
  assert_int_equal(graze_scene_make_contacts(scene, &own_numbers, 1, NULL, &contacts), GRAZE_INVALID_ARGUMENT);
  graze_object_info info = {.struct_bytes = sizeof info};
  assert_int_equal(graze_object_get_info(scene, low, &info), GRAZE_OK);
  assert_true(info.global_numbers && info.global_object == 70 && info.global_primitive == 9 && info.global_vertex == 0);
  assert_int_equal(graze_object_set_filter(scene, low, 1, 1, true), GRAZE_OK);
  assert_refused(graze_scene_find_primitive(scene, 70, 9, NULL, NULL), GRAZE_NOT_UPDATED,
                 "the scene was changed after its last update: call graze_scene_update");
  graze_pairs_free(&all);
  graze_pairs_free(&first);
  graze_contacts_free(&contacts);
  graze_scene_destroy(scene);
}

static void test_numbers_that_are_refused(void **state) {
  (void)state;
  static soup s;
  fill_soup(&s, 6);
  graze_scene *scene = empty_scene();
  graze_mesh_def def = numbered(3, 10);
  def.name = "first";
  add_range(scene, &s, def, 1, 0, 20);
  const graze_object overlapping = add_range(scene, &s, numbered(3, 29), 1, 20, 5);
  assert_refused(graze_scene_update(scene), GRAZE_INVALID_ARGUMENT,
                 "object 0 (first) and object 1 both have primitive 29 of global object 3");
  assert_int_equal(graze_scene_remove_object(scene, overlapping), GRAZE_OK);
  add_range(scene, &s, numbered(3, 30), 1, 20, 5);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  /* Objects without global numbers have the scene's. */
  add_range(scene, &s, graze_mesh_def_default(), 1, 0, 5);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  const graze_object fourth = add_range(scene, &s, graze_mesh_def_default(), 1, 0, 11);
  assert_refused(graze_scene_update(scene), GRAZE_INVALID_ARGUMENT,
                 "object 3 and object 0 (first) both have primitive 10 of global object 3");
  /* An object that has grown into another. */
  assert_int_equal(graze_scene_remove_object(scene, fourth), GRAZE_OK);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  const graze_view more = {s.indices, 1, 0, GRAZE_UINT32_4};
  assert_int_equal(graze_object_insert(scene, (graze_object){0, 1}, more, NULL), GRAZE_OK);
  assert_refused(graze_scene_update(scene), GRAZE_INVALID_ARGUMENT,
                 "object 0 (first) and object 1 both have primitive 30 of global object 3");
  graze_object none;
  def = numbered(UINT32_MAX, 0);
  assert_refused(graze_scene_add_triangles(scene, &def, &none), GRAZE_TOO_LARGE,
                 "object 3: global_object is 4294967295; at most 4294967279 can be numbered");
  def = crossing_def();
  def.global_numbers = true;
  def.global_primitive = UINT32_MAX - 18;
  assert_refused(
      graze_scene_add_triangles(scene, &def, &none), GRAZE_TOO_LARGE,
      "object 3: global_primitive is 4294967277, and it has 3 primitives; at most 4294967279 can be numbered");
  def.global_primitive = 0;
  def.global_vertex = UINT32_MAX - 24;
  assert_refused(graze_scene_add_triangles(scene, &def, &none), GRAZE_TOO_LARGE,
                 "object 3: global_vertex is 4294967271, and it has 9 vertices; at most 4294967279 can be numbered");
  def.global_numbers = false; /* then they are not looked at */
  assert_int_equal(graze_scene_add_triangles(scene, &def, &none), GRAZE_OK);
  graze_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_slabs_are_as_the_whole),
      cmocka_unit_test(test_other_queries),
      cmocka_unit_test(test_numbers_that_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
