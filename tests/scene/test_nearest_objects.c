/* Tests least distances among many objects: rows of each object, of all, and within a bound, against those of every
 * pair of objects; filters, exclusions and boxes of all sizes. */
#include "base/number_sequence.h"
#include "graze/nearest.h"
#include "small_meshes.h"

#include <math.h>
#include <stdlib.h>

enum { OBJECTS = 160, GROUPS = 3 };

static double between(uint64_t *seed, double low, double high) {
  return low + (high - low) * ((double)(sequence_next(seed) >> 11) * 0x1p-53);
}

/* Two triangles around a place. Most objects are small; some reach far, and one is far away. */
static void add_object(graze_scene *scene, uint64_t *seed, uint32_t number, uint32_t groups) {
  const double size = number % 20 == 7 ? 8.0 : 0.5, side = number == 11 ? 1e9 : 10.0;
  double place[3], positions[18];
  static const uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
  for (int axis = 0; axis < 3; axis++) place[axis] = between(seed, 0.0, side);
  place[0] += 40.0 * (number % groups); /* what is near is of the same group, and not asked for */
  for (int i = 0; i < 18; i++) positions[i] = place[i % 3] + between(seed, -size, size);
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = double_view(positions, 6);
  def.triangles = index_view(triangles, 2);
  if (groups > 1) {
    placed.category = UINT64_C(1) << number % groups;
    placed.mask = UINT64_C(1) << (number + 1) % groups | UINT64_C(1) << (number + groups - 1) % groups;
  }
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL));
}

static graze_scene *make_scene(uint64_t seed, uint32_t groups) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 3;
  graze_scene *scene = create_scene(&def);
  for (uint32_t i = 0; i < OBJECTS; i++) add_object(scene, &seed, i, groups);
  for (uint32_t i = 0; i < 200; i++) {
    const uint32_t a = (uint32_t)(sequence_next(&seed) % OBJECTS), b = (a + 1 + i % 7) % OBJECTS;
    (void)graze_scene_exclude(scene, (graze_object){a, 1}, (graze_object){b, 1}, true);
  }
  assert_ok(graze_scene_update(scene));
  return scene;
}

/* Compares by (distance, pair). */
static bool row_is_before(const graze_nearest *p, const graze_nearest *q) {
  if (p->distance != q->distance) return p->distance < q->distance;
  if (p->pair.object_a != q->pair.object_a) return p->pair.object_a < q->pair.object_a;
  if (p->pair.primitive_a != q->pair.primitive_a) return p->pair.primitive_a < q->pair.primitive_a;
  return p->pair.object_b < q->pair.object_b;
}

/* The first row with an object, or of all, among the rows of every pair of objects; NULL if there is none. */
static const graze_nearest *first_of(const graze_nearest_list *every, uint32_t object_or_all) {
  const graze_nearest *best = NULL;
  for (size_t i = 0; i < every->count; i++) {
    const graze_nearest *row = &every->nearests[i];
    if (object_or_all < OBJECTS && row->pair.object_a != object_or_all && row->pair.object_b != object_or_all) continue;
    if (best == NULL || row_is_before(row, best)) best = row;
  }
  return best;
}

static void assert_same(const graze_nearest *row, const graze_nearest *wanted) {
  assert_memory_equal(&row->pair, &wanted->pair, sizeof row->pair);
  assert_true(row->distance == wanted->distance && row->complete == 1);
  assert_true(row->lower <= wanted->upper && wanted->lower <= row->upper && row->upper == wanted->upper);
}

static void check_each(const graze_scene *scene, const graze_nearest_list *every, double bound) {
  graze_nearest_options options = graze_nearest_options_default();
  options.scope = GRAZE_NEAREST_EACH_OBJECT;
  options.max_distance = bound;
  OWNED(graze_nearest_list) found = find_nearest(scene, &options);
  size_t count = 0;
  for (uint32_t i = 0; i < OBJECTS; i++) {
    const graze_nearest *wanted = first_of(every, i);
    if (wanted == NULL || wanted->distance > bound) continue;
    assert_true(count < found.count);
    assert_int_equal(found.nearests[count].object, i);
    assert_same(&found.nearests[count++], wanted);
  }
  assert_int_equal(found.count, count);
}

static void check_all(const graze_scene *scene, const graze_nearest_list *every, uint32_t about_or_all) {
  graze_nearest_options options = graze_nearest_options_default();
  const graze_nearest *wanted = first_of(every, about_or_all);
  options.scope = GRAZE_NEAREST_OF_ALL;
  options.about_count = about_or_all < OBJECTS;
  options.about_a = (graze_object){about_or_all, 1};
  OWNED(graze_nearest_list) found = find_nearest(scene, &options);
  assert_int_equal(found.count, wanted != NULL);
  if (wanted != NULL) assert_same(&found.nearests[0], wanted);
}

static void check_within(const graze_scene *scene, const graze_nearest_list *every, double bound) {
  graze_nearest_options options = graze_nearest_options_default();
  options.max_distance = bound;
  OWNED(graze_nearest_list) found = find_nearest(scene, &options);
  size_t count = 0;
  for (size_t i = 0; i < every->count; i++) {
    if (every->nearests[i].distance > bound) continue;
    assert_true(count < found.count);
    assert_same(&found.nearests[count++], &every->nearests[i]);
  }
  assert_int_equal(found.count, count);
}

TEST(test_scopes_agree) {
  for (uint32_t groups = 1; groups <= GROUPS; groups++) {
    OWNED_SCENE *scene = make_scene(groups, groups);
    OWNED(graze_nearest_list) every = find_nearest(scene, NULL);
    assert_true(every.count > OBJECTS * OBJECTS / 8);
    for (double bound = 0.01; bound < 100.0; bound *= 8.0) {
      check_each(scene, &every, bound);
      check_within(scene, &every, bound);
    }
    check_each(scene, &every, HUGE_VAL);
    check_all(scene, &every, OBJECTS);
    for (uint32_t i = 0; i < OBJECTS; i += 11) check_all(scene, &every, i);
  }
}

/* Equal boxes, equal distances, and nobody whom the rules allow: no row, and no end. */
TEST(test_odd_scenes) {
  for (int odd = 0; odd < 2; odd++) {
    OWNED_SCENE *scene = create_scene(NULL);
    for (uint32_t i = 0; i < 50; i++) {
      graze_mesh_def def = crossing_def();
      graze_object_def placed = graze_object_def_default();
      if (odd == 1) placed.category = 1, placed.mask = 2;
      assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, NULL));
    }
    assert_ok(graze_scene_update(scene));
    graze_nearest_options options = graze_nearest_options_default();
    options.scope = GRAZE_NEAREST_EACH_OBJECT;
    OWNED(graze_nearest_list) found = find_nearest(scene, &options);
    assert_int_equal(found.count, odd == 0 ? 50 : 0);
    for (uint32_t i = 0; i < found.count; i++) {
      assert_true(found.nearests[i].distance == 0.0);
      assert_int_equal(found.nearests[i].pair.object_a, 0);
      assert_int_equal(found.nearests[i].pair.object_b, i > 0 ? i : 1);
    }
  }
}
