/* Tests objects with numbers of a larger model: a scene cut into slabs, in any order, has the pairs, hash, contacts and
 * wrenches of the whole, and accepts its own pairs; so does a scene whose primitives are in any order, each with its
 * number. */
#include "base/number_sequence.h"
#include "chosen_backend.h"
#include "cuda/contact_bits.h"
#include "method_names.h"
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
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 2;
  const graze_backend_def chosen = chosen_backend();
  def.backend = &chosen;
  graze_scene *scene = create_scene(&def);
  return scene;
}

/* Elements [first, first + count) of an object of the soup. */
static graze_object add_range(graze_scene *scene, const soup *s, graze_object_def placed, int object, uint32_t first,
                              uint32_t count) {
  const uint32_t width = object % 2 == 0 ? 3 : 4;
  graze_object added;
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = double_view(s->positions[object] + 3 * (size_t)width * first, (size_t)width * count);
  def.triangles = index_view(s->indices, width == 3 ? count : 0);
  def.tetrahedra = (graze_view){s->indices, width == 4 ? count : 0, 0, GRAZE_FORMAT_UINT32_4};
  const graze_result result =
      graze_scene_add(scene, width == 3 ? GRAZE_KIND_TRIANGLE : GRAZE_KIND_TETRAHEDRON, &def, &placed, &added);
  assert_ok(result);
  return added;
}

static graze_object_def numbered(uint32_t object, uint32_t primitive) {
  graze_object_def placed = graze_object_def_default();
  placed.global_numbers = true;
  placed.global_object = object;
  placed.global_primitive = primitive;
  return placed;
}

static graze_pairs find(graze_scene *scene) {
  graze_pairs pairs = {0};
  if (graze_scene_update(scene) != GRAZE_OK || graze_scene_find_pairs(scene, NULL, &pairs) != GRAZE_OK)
    fail_msg("%s", graze_error_text());
  return pairs;
}

/* ---------------------------------------------------------------------------------------------- slabs */

static graze_scene *whole_scene(const soup *s) {
  graze_scene *scene = empty_scene();
  for (int o = 0; o < OBJECTS; o++) add_range(scene, s, graze_object_def_default(), o, 0, ELEMENTS);
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
  const graze_object gone = add_range(scene, s, graze_object_def_default(), 0, 0, 1);
  for (int i = 0; i < OBJECTS * SLABS; i++) {
    const int object = order[i] / SLABS, slab = order[i] % SLABS;
    if (i == 5) assert_ok(graze_scene_remove_object(scene, gone));
    if (i == 7) add_range(scene, s, numbered(0, 0), 0, 0, 0); /* empty: with the numbers of another */
    add_range(scene, s, numbered((uint32_t)object, first[slab]), object, first[slab], first[slab + 1] - first[slab]);
  }
  return scene;
}

static void shuffle(uint32_t *numbers, uint32_t count, uint64_t *seed) {
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t place = (uint32_t)sequence_below(seed, (uint64_t)i + 1);
    numbers[i] = numbers[place];
    numbers[place] = i;
  }
}

/* Elements of an object of the soup, in the order of `numbers`, each with its number; numbers of vertices too. */
static graze_object add_numbered(graze_scene *scene, const soup *s, int object, const uint32_t *numbers, size_t count) {
  const uint32_t width = object % 2 == 0 ? 3 : 4;
  uint32_t corners[ELEMENTS * CORNERS], vertices[ELEMENTS * CORNERS];
  int64_t wide[ELEMENTS];
  for (size_t i = 0; i < count; i++) wide[i] = numbers[i];
  for (size_t i = 0; i < width * count; i++) corners[i] = numbers[i / width] * width + (uint32_t)(i % width);
  for (uint32_t i = 0; i < ELEMENTS * width; i++) vertices[i] = 1000 - i;
  graze_object_def placed = numbered((uint32_t)object, 77); /* 77 is ignored */
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = double_view(s->positions[object], (size_t)width * ELEMENTS);
  def.triangles = index_view(corners, width == 3 ? count : 0);
  def.tetrahedra = (graze_view){corners, width == 4 ? count : 0, 0, GRAZE_FORMAT_UINT32_4};
  placed.global_primitives = object % 3 == 0 ? (graze_view){wide, count, 0, GRAZE_FORMAT_INT64}
                                             : (graze_view){numbers, count, 0, GRAZE_FORMAT_UINT32};
  placed.global_vertices = (graze_view){vertices, (size_t)width * ELEMENTS, 0, GRAZE_FORMAT_INT32};
  graze_object added;
  const graze_result result =
      graze_scene_add(scene, width == 3 ? GRAZE_KIND_TRIANGLE : GRAZE_KIND_TETRAHEDRON, &def, &placed, &added);
  assert_ok(result);
  uint32_t kept[ELEMENTS * CORNERS];
  assert_ok(graze_object_get_global_primitives(scene, added, 0, count, kept));
  assert_memory_equal(kept, numbers, count * sizeof *kept);
  assert_ok(graze_object_get_global_vertices(scene, added, 2, width * ELEMENTS - 2, kept));
  assert_memory_equal(kept, vertices + 2, (width * ELEMENTS - 2) * sizeof *kept);
  return added;
}

/* Objects in two parts each, which share no order with each other or with the whole; one has no numbers. */
static graze_scene *permuted_scene(const soup *s, uint64_t *seed, bool in_parts) {
  graze_scene *scene = empty_scene();
  for (int o = 0; o < OBJECTS; o++) {
    uint32_t numbers[ELEMENTS];
    shuffle(numbers, ELEMENTS, seed);
    const uint32_t part = in_parts && o != 1 ? (uint32_t)sequence_below(seed, ELEMENTS) : ELEMENTS;
    if (o == 1 && in_parts)
      add_range(scene, s, numbered(1, 0), 1, 0, ELEMENTS);
    else
      add_numbered(scene, s, o, numbers, part);
    if (part < ELEMENTS) add_numbered(scene, s, o, numbers + part, ELEMENTS - part);
  }
  return scene;
}

static void compare_answers(graze_scene *whole, graze_scene *slabs) {
  OWNED(graze_pairs) wanted = find(whole), found = find(slabs);
  assert_true(wanted.count > 200);
  assert_int_equal(found.count, wanted.count);
  assert_memory_equal(found.pairs, wanted.pairs, wanted.count * sizeof *wanted.pairs);
  assert_true(found.hash == wanted.hash && found.hash == graze_pairs_hash(found.pairs, found.count));
  graze_wrenches wrenches[2] = {{0}, {0}};
  graze_contact_options options = graze_contact_options_default();
  options.stiffness = 2.0;
  assert_ok(graze_scene_make_wrenches(whole, wanted.pairs, wanted.count, &options, &wrenches[0]));
  assert_ok(graze_scene_make_wrenches(slabs, found.pairs, found.count, &options, &wrenches[1]));
  assert_true(wrenches[0].count > 0 && wrenches[1].count == wrenches[0].count);
  assert_memory_equal(wrenches[1].wrenches, wrenches[0].wrenches, wrenches[0].count * sizeof *wrenches[0].wrenches);
  graze_contacts contacts[2] = {{0}, {0}};
  assert_ok(graze_scene_make_contacts(whole, wanted.pairs, wanted.count, NULL, &contacts[0]));
  assert_ok(graze_scene_make_contacts(slabs, found.pairs, found.count, NULL, &contacts[1]));
  for (size_t i = 0; i < wanted.count; i++)
    assert_true(same_contact(&contacts[0].contacts[i], &contacts[1].contacts[i]));
  assert_int_equal(contacts[1].point_count, contacts[0].point_count);
  for (int i = 0; i < 2; i++) {
    graze_wrenches_free(&wrenches[i]);
    graze_contacts_free(&contacts[i]);
  }
}

TEST(test_slabs_are_as_the_whole) {
  static soup s;
  uint64_t seed = 17;
  for (int round = 0; round < 10; round++) {
    fill_soup(&s, 1000 + (uint64_t)round);
    OWNED_SCENE *whole = whole_scene(&s), *slabs = slab_scene(&s, &seed);
    compare_answers(whole, slabs);
  }
}

static bool sets_method(graze_scene *scene, const char *name) {
  graze_method_def method = graze_method_def_default();
  method.name = name;
  return graze_scene_set_method(scene, &method) == GRAZE_OK;
}

/* Vertices are not shared in the soup: a part more or less changes no neighbors. */
TEST(test_permuted_primitives_are_as_the_whole) {
  static soup s;
  uint64_t seed = 23;
  for (int round = 0; round < 10; round++) {
    fill_soup(&s, 2000 + (uint64_t)round);
    graze_scene *whole = whole_scene(&s), *permuted = permuted_scene(&s, &seed, round % 2 == 1);
    size_t compared = 0;
    for (size_t i = 0; method_name_at(i) != NULL; i++) {
      if (!sets_method(permuted, method_name_at(i))) continue;
      compare_answers(whole, permuted);
      compared++;
    }
    assert_true(compared >= 3);
    graze_scene_destroy(whole);
    graze_scene_destroy(permuted);
  }
}

/* The first pairs in order, any pair, objects that touch, and primitives found by their numbers. */
TEST(test_other_queries_of_permuted_primitives) {
  static soup s;
  uint64_t seed = 29;
  fill_soup(&s, 8);
  OWNED_SCENE *whole = whole_scene(&s), *permuted = permuted_scene(&s, &seed, true);
  OWNED(graze_pairs) all = find(whole), first = {0};
  assert_ok(graze_scene_update(permuted));
  graze_query query = graze_query_default();
  query.pair_limit = 17;
  assert_ok(graze_scene_find_pairs(permuted, &query, &first));
  assert_true(first.limit_reached && first.count == 17);
  assert_memory_equal(first.pairs, all.pairs, 17 * sizeof *all.pairs);
  bool found;
  assert_ok(graze_scene_any_pair(permuted, NULL, &found, &first));
  assert_true(found);
  size_t place = 0;
  while (place < all.count && memcmp(&all.pairs[place], first.pairs, sizeof *all.pairs) != 0) place++;
  assert_true(place < all.count);
  graze_object_pairs touching[2] = {{0}, {0}};
  query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  assert_ok(graze_scene_find_object_pairs(whole, &query, &touching[0]));
  assert_ok(graze_scene_find_object_pairs(permuted, &query, &touching[1]));
  assert_true(touching[0].count > 0 && touching[1].count >= touching[0].count);
  for (uint32_t i = 0; i < ELEMENTS; i++) {
    graze_object object;
    uint32_t own, number;
    assert_ok(graze_scene_find_primitive(permuted, 2, i, &object, &own));
    assert_ok(graze_object_get_global_primitives(permuted, object, own, 1, &number));
    assert_int_equal(number, i);
  }
  assert_int_equal(graze_scene_find_primitive(permuted, 2, ELEMENTS, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE);
  /* An erased primitive takes its pairs along, and is no longer found. */
  graze_object object;
  uint32_t own;
  assert_ok(graze_scene_find_primitive(permuted, all.pairs[0].object_a, all.pairs[0].primitive_a, &object, &own));
  assert_ok(graze_object_remove_primitives(permuted, object, &own, 1));
  OWNED(graze_pairs) rest = find(permuted);
  for (size_t i = 0; i < rest.count; i++)
    assert_false(rest.pairs[i].object_a == all.pairs[0].object_a &&
                 rest.pairs[i].primitive_a == all.pairs[0].primitive_a);
  assert_true(rest.count < all.count);
  assert_int_equal(graze_scene_find_primitive(permuted, all.pairs[0].object_a, all.pairs[0].primitive_a, NULL, NULL),
                   GRAZE_INDEX_OUT_OF_RANGE);
  for (int i = 0; i < 2; i++) graze_object_pairs_free(&touching[i]);
}

TEST(test_numbers_of_primitives_that_are_refused) {
  OWNED_SCENE *scene = empty_scene();
  graze_mesh_def def = crossing_def();
  graze_object_def placed = graze_object_def_default();
  int64_t numbers[9] = {5, 6, 7, 0, 0, 0, 0, 0, 0};
  def.name = "part";
  placed.global_numbers = true;
  placed.global_object = 4;
  placed.global_primitives = (graze_view){numbers, 2, 0, GRAZE_FORMAT_INT64};
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0 (part): 3 primitives have 2 global numbers");
  placed.global_primitives.count = 3;
  numbers[1] = -6;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL), GRAZE_INDEX_OUT_OF_RANGE,
                 "object 0 (part): the global number of primitive 1 is -6; 0 to 4294967278 are allowed");
  numbers[1] = UINT32_MAX - 16;
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL), GRAZE_INDEX_OUT_OF_RANGE,
                 "object 0 (part): the global number of primitive 1 is 4294967279; 0 to 4294967278 are allowed");
  numbers[1] = UINT32_MAX - 17;
  placed.global_vertices = (graze_view){numbers, 8, 0, GRAZE_FORMAT_INT64};
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL), GRAZE_INVALID_ARGUMENT,
                 "object 0 (part): 9 vertices have 8 global numbers");
  placed.global_vertices = (graze_view){numbers, 9, 0, GRAZE_FORMAT_FLOAT};
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL), GRAZE_INVALID_ARGUMENT,
                 "global vertices have format 6; GRAZE_FORMAT_UINT32 or another format of one integer is required");
  placed.global_vertices = (graze_view){numbers, 9, 0, GRAZE_FORMAT_INT64}; /* may repeat */
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object));
  assert_int_equal(count_pairs_updated(scene), 1);
  assert_refused(graze_object_append_primitives(scene, object, index_view(crossing_triangles, 1), NULL),
                 GRAZE_UNSUPPORTED, "object 0 (part): each of its primitives has a global number; it cannot grow");
  assert_refused(graze_object_append_positions(scene, object, float_view(crossing_positions, 1), NULL),
                 GRAZE_UNSUPPORTED, "object 0 (part): each of its vertices has a global number; it cannot grow");
  uint32_t kept[9];
  assert_refused(graze_object_get_global_primitives(scene, object, 2, 2, kept), GRAZE_INDEX_OUT_OF_RANGE,
                 "object 0 (part): 2 numbers of primitives starting at 2 were requested; the object has 3");
  assert_int_equal(graze_object_get_global_vertices(scene, object, 0, 1, NULL), GRAZE_INVALID_ARGUMENT);
  assert_int_equal(graze_object_get_global_vertices(scene, (graze_object){0, 0}, 0, 1, kept), GRAZE_NO_SUCH_OBJECT);
  /* Twice, in one object or in two. */
  numbers[0] = 8, numbers[1] = 6, numbers[2] = 8;
  def.name = NULL;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object));
  assert_refused(graze_scene_update(scene), GRAZE_INVALID_ARGUMENT,
                 "object 1: primitives 0 and 2 are both primitive 8 of global object 4");
  assert_ok(graze_scene_remove_object(scene, object));
  numbers[2] = 7;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object));
  assert_refused(graze_scene_update(scene), GRAZE_INVALID_ARGUMENT,
                 "object 0 (part) and object 1 both have primitive 7 of global object 4");
  assert_ok(graze_scene_remove_object(scene, object));
  placed.global_primitives.count = placed.global_vertices.count = 0;
  placed.global_primitive = 8;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object));
  assert_ok(graze_object_get_global_primitives(scene, object, 1, 2, kept));
  assert_true(kept[0] == 9 && kept[1] == 10);
  assert_ok(graze_scene_update(scene));
}

/* Queries that end early, or are about an object, name pairs likewise. */
TEST(test_other_queries) {
  static soup s;
  fill_soup(&s, 5);
  OWNED_SCENE *scene = empty_scene();
  const graze_object high = add_range(scene, &s, numbered(4000000000u, 500), 1, 0, ELEMENTS);
  const graze_object low = add_range(scene, &s, numbered(70, 9), 3, 0, ELEMENTS);
  OWNED(graze_pairs) all = find(scene), first = {0};
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  bool found;
  assert_true(all.count > 0);
  assert_ok(graze_scene_any_pair(scene, &query, &found, &first));
  const graze_pair pair = first.pairs[0];
  assert_true(found && pair.object_a == 70 && pair.object_b == 4000000000u);
  assert_true(pair.primitive_a - 9 < ELEMENTS && pair.primitive_b - 500 < ELEMENTS);
  graze_object object;
  uint32_t own;
  assert_ok(graze_scene_find_primitive(scene, pair.object_b, pair.primitive_b, &object, &own));
  assert_true(object.index == high.index && object.generation == high.generation && own == pair.primitive_b - 500);
  assert_ok(graze_scene_find_primitive(scene, 70, 9 + ELEMENTS - 1, &object, NULL));
  assert_true(object.index == low.index);
  assert_refused(graze_scene_find_primitive(scene, 70, 9 + ELEMENTS, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE,
                 "there is no primitive 69 of object 70, or it is removed");
  assert_int_equal(graze_scene_find_primitive(scene, 70, 8, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE);
  assert_int_equal(graze_scene_find_primitive(scene, 0, 0, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE);
  assert_int_equal(graze_scene_find_primitive(scene, UINT32_MAX, 0, NULL, NULL), GRAZE_INDEX_OUT_OF_RANGE);
  /* The scene's own numbers are no longer a pair's. */
  const graze_pair own_numbers = {0, 0, 1, 0};
  OWNED(graze_contacts) contacts = {0};
  assert_int_equal(graze_scene_make_contacts(scene, &own_numbers, 1, NULL, &contacts), GRAZE_INVALID_ARGUMENT);
  graze_object_info info = {.struct_bytes = sizeof info};
  assert_ok(graze_object_get_info(scene, low, &info));
  assert_true(info.global_numbers && info.global_object == 70 && info.global_primitive == 9 && info.global_vertex == 0);
  assert_ok(graze_object_set_filter(scene, low, 1, 1, true));
  assert_refused(graze_scene_find_primitive(scene, 70, 9, NULL, NULL), GRAZE_NOT_UPDATED,
                 "the scene was changed after its last update: call graze_scene_update");
}

TEST(test_numbers_that_are_refused) {
  static soup s;
  fill_soup(&s, 6);
  OWNED_SCENE *scene = empty_scene();
  graze_object_def placed = numbered(3, 10);
  placed.name = "first";
  add_range(scene, &s, placed, 1, 0, 20);
  const graze_object overlapping = add_range(scene, &s, numbered(3, 29), 1, 20, 5);
  assert_refused(graze_scene_update(scene), GRAZE_INVALID_ARGUMENT,
                 "object 0 (first) and object 1 both have primitive 29 of global object 3");
  assert_ok(graze_scene_remove_object(scene, overlapping));
  add_range(scene, &s, numbered(3, 30), 1, 20, 5);
  assert_ok(graze_scene_update(scene));
  /* Objects without global numbers have the scene's. */
  add_range(scene, &s, graze_object_def_default(), 1, 0, 5);
  assert_ok(graze_scene_update(scene));
  const graze_object fourth = add_range(scene, &s, graze_object_def_default(), 1, 0, 11);
  assert_refused(graze_scene_update(scene), GRAZE_INVALID_ARGUMENT,
                 "object 3 and object 0 (first) both have primitive 10 of global object 3");
  /* An object that has grown into another. */
  assert_ok(graze_scene_remove_object(scene, fourth));
  assert_ok(graze_scene_update(scene));
  const graze_view more = {s.indices, 1, 0, GRAZE_FORMAT_UINT32_4};
  assert_ok(graze_object_append_primitives(scene, (graze_object){0, 1}, more, NULL));
  assert_refused(graze_scene_update(scene), GRAZE_INVALID_ARGUMENT,
                 "object 0 (first) and object 1 both have primitive 30 of global object 3");
  graze_object none;
  graze_mesh_def def = crossing_def();
  placed = numbered(UINT32_MAX, 0);
  assert_refused(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &none), GRAZE_TOO_LARGE,
                 "object 3: global_object is 4294967295; at most 4294967279 can be numbered");
  placed = graze_object_def_default();
  placed.global_numbers = true;
  placed.global_primitive = UINT32_MAX - 18;
  assert_refused(
      graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &none), GRAZE_TOO_LARGE,
      "object 3: global_primitive is 4294967277, and the object has 3 primitives; at most 4294967279 can be numbered");
  placed.global_primitive = 0;
  placed.global_vertex = UINT32_MAX - 24;
  assert_refused(
      graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &none), GRAZE_TOO_LARGE,
      "object 3: global_vertex is 4294967271, and the object has 9 vertices; at most 4294967279 can be numbered");
  placed.global_numbers = false; /* then they are ignored */
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &none));
}
