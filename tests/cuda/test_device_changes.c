/* Tests which updates reach an emulated device: only the poses that differ, in one copy. After any mixture of changes
 * and device failures, it finds the pairs of the processor. */
#include "backend_choice.h"
#include "graze/cuda.h"
#include "graze/graze.h"
#include "host_operations.h"
#include "posed_object.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const uint32_t triangles[4][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}};
static const uint32_t tetrahedra[5][4] = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};

enum { MOST_OBJECTS = 64, CHANGES_A_ROUND = 3, ROUNDS = 400, MANY = 5000, POSE_BYTES = 12 * sizeof(double) };

static uint32_t next_number(uint64_t *sequence, uint32_t below) {
  *sequence = *sequence * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((*sequence >> 33) % below);
}

/* ---------------------------------------------------------------------------------------------- twins */

/* The same scene on the processor and on the device, and what the caller keeps on the device for it. */
typedef struct twin_scenes {
  graze_scene *scenes[2];
  graze_object objects[MOST_OBJECTS];
  bool solid[MOST_OBJECTS], there[MOST_OBJECTS]; /* positions are on the device */
  uint32_t live[MOST_OBJECTS];                   /* primitives that are not erased: those up to it */
  size_t count;
  double kept[MOST_OBJECTS][2][8][3]; /* two buffers between which positions on the device alternate */
  uint64_t sequence;
} twin_scenes;

static void both(const graze_result results[2]) {
  if (results[0] != GRAZE_OK || results[1] != GRAZE_OK) print_message("%s\n", graze_error_text());
  assert_ok(results[0]);
  assert_ok(results[1]);
}

static void random_box(twin_scenes *twins, double positions_out[8][3]) {
  double place[3];
  for (int axis = 0; axis < 3; axis++) place[axis] = 0.25 * next_number(&twins->sequence, 12);
  for (int i = 0; i < 8; i++)
    for (int axis = 0; axis < 3; axis++) positions_out[i][axis] = place[axis] + cube[i][axis];
}

static void random_pose(twin_scenes *twins, double rotation_out[9], double translation_out[3]) {
  const double angle = 0.1 * next_number(&twins->sequence, 60), c = cos(angle), s = sin(angle);
  const double rotation[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  memcpy(rotation_out, rotation, sizeof rotation);
  for (int axis = 0; axis < 3; axis++) translation_out[axis] = 0.125 * next_number(&twins->sequence, 4);
  if (next_number(&twins->sequence, 4) > 0) return;
  /* None at all. */
  for (int i = 0; i < 9; i++) rotation_out[i] = i % 4 == 0 ? 1.0 : 0.0;
  memset(translation_out, 0, 3 * sizeof *translation_out);
}

static void add(twin_scenes *twins) {
  if (twins->count == MOST_OBJECTS) return;
  const size_t at = twins->count++;
  double positions[8][3];
  float narrow[8][3];
  random_box(twins, positions);
  for (int i = 0; i < 24; i++) narrow[i / 3][i % 3] = (float)positions[i / 3][i % 3];
  graze_mesh_def mesh = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  const bool is_float = next_number(&twins->sequence, 2) == 0;
  mesh.positions =
      is_float ? (graze_view){narrow, 8, 0, GRAZE_FORMAT_FLOAT3} : (graze_view){positions, 8, 0, GRAZE_FORMAT_DOUBLE3};
  twins->solid[at] = next_number(&twins->sequence, 3) == 0;
  twins->there[at] = false;
  twins->live[at] = twins->solid[at] ? 5 : 4;
  if (twins->solid[at]) mesh.tetrahedra = (graze_view){tetrahedra, 5, 0, GRAZE_FORMAT_UINT32_4};
  if (!twins->solid[at]) mesh.triangles = (graze_view){triangles, 4, 0, GRAZE_FORMAT_UINT32_3};
  placed.global_numbers = next_number(&twins->sequence, 8) == 0;
  placed.global_object = 100000 - next_number(&twins->sequence, 90000);
  graze_result results[2];
  for (int i = 0; i < 2; i++)
    results[i] = twins->solid[at]
                     ? graze_scene_add(twins->scenes[i], GRAZE_KIND_TETRAHEDRON, &mesh, &placed, &twins->objects[at])
                     : graze_scene_add(twins->scenes[i], GRAZE_KIND_TRIANGLE, &mesh, &placed, &twins->objects[at]);
  both(results);
}

static void remove_at(twin_scenes *twins, size_t at) {
  if (twins->count < 8) return;
  graze_result results[2];
  for (int i = 0; i < 2; i++) results[i] = graze_scene_remove_object(twins->scenes[i], twins->objects[at]);
  both(results);
  const size_t last = --twins->count;
  if (at == last) return;
  twins->objects[at] = twins->objects[last];
  twins->solid[at] = twins->solid[last];
  twins->there[at] = twins->there[last];
  twins->live[at] = twins->live[last];
  memcpy(twins->kept[at], twins->kept[last], sizeof twins->kept[at]);
  if (!twins->there[at]) return;
  /* The place that the device was told of may be another's soon. */
  assert_ok(graze_object_set_device_positions(twins->scenes[1], twins->objects[at], twins->kept[at][0],
                                              GRAZE_FORMAT_DOUBLE3, NULL));
}

/* ---------------------------------------------------------------------------------------------- changes */

static void set_pose(twin_scenes *twins, size_t at) {
  double rotation[9], translation[3];
  graze_result results[2];
  random_pose(twins, rotation, translation);
  for (int i = 0; i < 2; i++) results[i] = pose_object(twins->scenes[i], twins->objects[at], rotation, translation);
  both(results);
}

/* In any order, some of them twice. */
static void set_poses(twin_scenes *twins) {
  enum { MOST = 2 * MOST_OBJECTS };
  static graze_pose poses[MOST];
  graze_object objects[MOST];
  const size_t count = 1 + next_number(&twins->sequence, MOST - 1);
  for (size_t i = 0; i < count; i++) {
    objects[i] = twins->objects[next_number(&twins->sequence, (uint32_t)twins->count)];
    random_pose(twins, poses[i].rotation, poses[i].translation);
  }
  graze_result results[2];
  for (int i = 0; i < 2; i++) results[i] = graze_scene_set_poses(twins->scenes[i], objects, count, poses);
  both(results);
}

/* All of them, which brings them home from the device, or some. */
static void set_positions(twin_scenes *twins, size_t at) {
  double positions[8][3];
  float narrow[8][3];
  random_box(twins, positions);
  for (int i = 0; i < 24; i++) narrow[i / 3][i % 3] = (float)positions[i / 3][i % 3];
  const bool is_float = next_number(&twins->sequence, 2) == 0;
  const size_t first = twins->there[at] ? 0 : next_number(&twins->sequence, 7);
  const graze_view view = {is_float ? (const void *)narrow[first] : (const void *)positions[first], 8 - first, 0,
                           is_float ? GRAZE_FORMAT_FLOAT3 : GRAZE_FORMAT_DOUBLE3};
  graze_result results[2];
  for (int i = 0; i < 2; i++)
    results[i] = graze_object_set_positions(twins->scenes[i], twins->objects[at], first, view);
  both(results);
  twins->there[at] = false;
}

/* On the device; the processor's twin gets them as always. */
static void set_device_positions(twin_scenes *twins, size_t at) {
  double(*place)[3] = twins->kept[at][next_number(&twins->sequence, 2)];
  random_box(twins, place);
  if (place != twins->kept[at][0]) memcpy(twins->kept[at][0], place, sizeof twins->kept[at][0]);
  const graze_result results[2] = {
      graze_object_set_positions(twins->scenes[0], twins->objects[at], 0,
                                 (graze_view){place, 8, 0, GRAZE_FORMAT_DOUBLE3}),
      graze_object_set_device_positions(twins->scenes[1], twins->objects[at], place, GRAZE_FORMAT_DOUBLE3, NULL)};
  both(results);
  twins->there[at] = true;
}

/* A call that is refused after it has made floats doubles. */
static void set_refused_positions(twin_scenes *twins, size_t at) {
  if (twins->there[at]) return;
  const double wrong[3] = {0.5, NAN, 0.5};
  for (int i = 0; i < 2; i++)
    assert_int_equal(graze_object_set_positions(twins->scenes[i], twins->objects[at], 2,
                                                (graze_view){wrong, 1, 0, GRAZE_FORMAT_DOUBLE3}),
                     GRAZE_NOT_FINITE);
}

static void set_filter(twin_scenes *twins, size_t at) {
  const uint64_t category = 1 + next_number(&twins->sequence, 3), mask = 1 + next_number(&twins->sequence, 3);
  const bool self = next_number(&twins->sequence, 2) == 0;
  graze_result results[2];
  for (int i = 0; i < 2; i++)
    results[i] = graze_object_set_filter(twins->scenes[i], twins->objects[at], category, mask, self);
  both(results);
}

/* Excludes the object and another, or the object and all others. */
static void exclude(twin_scenes *twins, size_t at) {
  graze_id_pair pairs[MOST_OBJECTS];
  const bool all = next_number(&twins->sequence, 8) == 0, excluded = next_number(&twins->sequence, 3) != 0;
  const size_t first = next_number(&twins->sequence, (uint32_t)twins->count), end = all ? twins->count : first + 1;
  size_t count = 0;
  for (size_t i = all ? 0 : first; i < end; i++)
    if (i != at) pairs[count++] = (graze_id_pair){twins->objects[at], twins->objects[i]};
  graze_result results[2];
  for (int i = 0; i < 2; i++) results[i] = graze_scene_exclude_pairs(twins->scenes[i], pairs, count, excluded);
  both(results);
}

static void insert(twin_scenes *twins, size_t at) {
  const graze_view more = twins->solid[at] ? (graze_view){tetrahedra[1], 1, 0, GRAZE_FORMAT_UINT32_4}
                                           : (graze_view){triangles[1], 1, 0, GRAZE_FORMAT_UINT32_3};
  graze_result results[2];
  for (int i = 0; i < 2; i++)
    results[i] = graze_object_append_primitives(twins->scenes[i], twins->objects[at], more, NULL);
  both(results);
  twins->live[at]++;
}

static void erase(twin_scenes *twins, size_t at) {
  if (twins->live[at] < 2) return;
  const uint32_t last = --twins->live[at];
  graze_result results[2];
  for (int i = 0; i < 2; i++)
    results[i] = graze_object_remove_primitives(twins->scenes[i], twins->objects[at], &last, 1);
  both(results);
}

/* To the processor and back: positions come home. */
static void leave_device(twin_scenes *twins) {
  assert_ok(move_to(twins->scenes[1], "cpu", 0));
  memset(twins->there, 0, sizeof twins->there);
  if (next_number(&twins->sequence, 2) == 0) assert_ok(graze_scene_update(twins->scenes[1]));
  assert_ok(move_to(twins->scenes[1], "cuda", (int)next_number(&twins->sequence, 2)));
}

static void change_something(twin_scenes *twins) {
  const size_t at = next_number(&twins->sequence, (uint32_t)twins->count);
  switch (next_number(&twins->sequence, 33)) {
  case 0:
    add(twins);
    break;
  case 1:
    remove_at(twins, at);
    break;
  case 2:
    insert(twins, at);
    break;
  case 3:
    erase(twins, at);
    break;
  case 4:
    leave_device(twins);
    break;
  case 5:
  case 6:
    set_refused_positions(twins, at);
    break;
  case 7:
  case 8:
  case 9:
    set_filter(twins, at);
    break;
  case 10:
  case 11:
  case 12:
    set_device_positions(twins, at);
    break;
  case 13:
  case 14:
  case 15:
    set_poses(twins);
    break;
  case 16:
  case 17:
  case 18:
  case 19:
  case 20:
  case 21:
    set_positions(twins, at);
    break;
  case 22:
  case 23:
  case 24:
    exclude(twins, at);
    break;
  default:
    set_pose(twins, at);
  }
}

/* Returns how many pairs there are. */
static size_t compare(const twin_scenes *twins, uint32_t round) {
  graze_pairs pairs[2] = {{0}, {0}};
  graze_result results[2];
  for (int i = 0; i < 2; i++) results[i] = graze_scene_update(twins->scenes[i]);
  both(results);
  for (int i = 0; i < 2; i++) results[i] = graze_scene_find_pairs(twins->scenes[i], NULL, &pairs[i]);
  both(results);
  if (pairs[0].count != pairs[1].count || pairs[0].hash != pairs[1].hash) print_message("round %u\n", round);
  assert_int_equal(pairs[0].count, pairs[1].count);
  assert_true(pairs[0].hash == pairs[1].hash);
  const size_t count = pairs[0].count;
  for (int i = 0; i < 2; i++) graze_pairs_free(&pairs[i]);
  return count;
}

/* An update of the device alone in which one operation fails. */
static void fail_update(twin_scenes *twins) {
  const host_device_settings failing = {.fail_at = 1 + next_number(&twins->sequence, 12)}, sound = {0};
  host_device_configure(&failing);
  const graze_result result = graze_scene_update(twins->scenes[1]);
  assert_true(result == GRAZE_OK || result == GRAZE_DEVICE_FAILED || result == GRAZE_OUT_OF_MEMORY);
  host_device_configure(&sound);
}

static twin_scenes make_twins(uint64_t seed, uint32_t workers) {
  twin_scenes twins = {.sequence = seed};
  for (int i = 0; i < 2; i++) {
    graze_scene_def def = graze_scene_def_default();
    def.worker_count = workers;
    assert_ok(create_on(i == 0 ? "cpu" : "cuda", 0, def, &twins.scenes[i]));
  }
  return twins;
}

static void free_twins(twin_scenes *twins) {
  for (int i = 0; i < 2; i++) graze_scene_destroy(twins->scenes[i]);
}

TEST(test_any_mixture_of_changes) {
  const host_device_settings settings = {0};
  host_device_configure(&settings);
  for (uint32_t seed = 1; seed <= 4; seed++) {
    static twin_scenes twins;
    twins = make_twins(seed, seed % 2 == 0 ? 4 : 1);
    size_t pairs = 0;
    while (twins.count < MOST_OBJECTS / 2) add(&twins);
    for (uint32_t round = 0; round < ROUNDS; round++) {
      for (uint32_t i = 0; i < CHANGES_A_ROUND; i++) change_something(&twins);
      if (next_number(&twins.sequence, 4) == 0) fail_update(&twins);
      if (next_number(&twins.sequence, 4) > 0) pairs += compare(&twins, round);
    }
    pairs += compare(&twins, ROUNDS);
    assert_true(pairs > 10 * ROUNDS);
    free_twins(&twins);
  }
}

/* ---------------------------------------------------------------------------------------------- poses alone */

typedef struct many_objects {
  graze_scene *scene;
  graze_object objects[MANY];
  graze_pose poses[MANY];
} many_objects;

static void fill_many(many_objects *many) {
  graze_scene_def def = graze_scene_def_default();
  def.worker_count = 4;
  assert_ok(create_on("cuda", 0, def, &many->scene));
  for (uint32_t i = 0; i < MANY; i++) {
    graze_mesh_def mesh = graze_mesh_def_default();
    mesh.positions = (graze_view){cube, 8, 0, GRAZE_FORMAT_DOUBLE3};
    mesh.triangles = (graze_view){triangles, 4, 0, GRAZE_FORMAT_UINT32_3};
    assert_ok(graze_scene_add(many->scene, GRAZE_KIND_TRIANGLE, &mesh, NULL, &many->objects[i]));
  }
}

static void pose_many(many_objects *many, double angle) {
  const double c = cos(angle), s = sin(angle), turned[9] = {c, -s, 0, s, c, 0, 0, 0, 1};
  for (uint32_t i = 0; i < MANY; i++) {
    memcpy(many->poses[i].rotation, turned, sizeof turned);
    many->poses[i].translation[0] = 1.5 * (i % 70);
    many->poses[i].translation[1] = 1.5 * (i / 70);
    many->poses[i].translation[2] = angle;
  }
}

/* Updates, and says what was copied. */
static host_device_counts update_counted(const many_objects *many) {
  const host_device_settings settings = {0};
  host_device_configure(&settings);
  assert_ok(graze_scene_update(many->scene));
  return host_device_count();
}

TEST(test_only_what_differs_is_copied) {
  static many_objects many;
  fill_many(&many);
  host_device_counts told = update_counted(&many);
  assert_in_range(told.uploads, 5, 16);
  pose_many(&many, 0.1);
  assert_ok(graze_scene_set_poses(many.scene, many.objects, MANY, many.poses));
  told = update_counted(&many); /* the first time sources learn that there are poses */
  assert_int_equal(told.uploads, 2);
  for (int frame = 0; frame < 3; frame++) {
    pose_many(&many, 0.2 + 0.1 * frame);
    assert_ok(graze_scene_set_poses(many.scene, many.objects, MANY, many.poses));
    told = update_counted(&many);
    assert_int_equal(told.uploads, 1);
    assert_int_equal(told.uploaded_bytes, (size_t)MANY * POSE_BYTES);
    assert_int_equal(update_counted(&many).uploads, 0);
  }
  /* The same again is no news; one is as long as it is, two far apart are two, and two near each other one. */
  assert_ok(graze_scene_set_poses(many.scene, many.objects, MANY, many.poses));
  assert_int_equal(update_counted(&many).uploads, 0);
  const size_t places[3] = {17, 20, 4711};
  for (int count = 1; count <= 3; count++) {
    for (int i = 0; i < count; i++) {
      many.poses[places[i]].translation[0] += 0.25;
      assert_ok(graze_object_set_pose(many.scene, many.objects[places[i]], &many.poses[places[i]]));
    }
    told = update_counted(&many);
    assert_int_equal(told.uploads, count < 3 ? 1 : 2);
    assert_int_equal(told.uploaded_bytes, (count == 1 ? 1 : count == 2 ? 4 : 5) * (size_t)POSE_BYTES);
  }
  assert_ok(graze_object_set_filter(many.scene, many.objects[9], 3, 1, true));
  assert_int_equal(update_counted(&many).uploads, 1);
  /* The rules of two objects beside each other, and the excluded pairs; those alone where more come. */
  const graze_id_pair pairs[2] = {{many.objects[9], many.objects[10]}, {many.objects[10], many.objects[11]}};
  assert_ok(graze_scene_exclude(many.scene, pairs[0].a, pairs[0].b, true));
  assert_int_equal(update_counted(&many).uploads, 2);
  assert_ok(graze_scene_exclude_pairs(many.scene, pairs, 2, true));
  assert_int_equal(update_counted(&many).uploads, 2);
  assert_int_equal(update_counted(&many).uploads, 0);
  graze_scene_destroy(many.scene);
}

/* Poses move to memory that the device reads. Where it has none, the scene stays where it is and goes on answering. */
TEST(test_a_refused_move_leaves_poses) {
  const host_device_settings sound = {0}, full = {.fail_at = 1};
  static twin_scenes twins;
  host_device_configure(&sound);
  twins = make_twins(11, 1);
  while (twins.count < MOST_OBJECTS / 4) add(&twins);
  for (size_t i = 0; i < twins.count; i++) set_pose(&twins, i);
  const size_t pairs = compare(&twins, 0);
  assert_true(pairs > 0);
  host_device_configure(&full);
  assert_int_equal(move_to(twins.scenes[0], "cuda", 0), GRAZE_OUT_OF_MEMORY);
  host_device_configure(&sound);
  assert_int_equal(compare(&twins, 1), pairs);
  assert_ok(move_to(twins.scenes[0], "cuda", 1));
  assert_int_equal(compare(&twins, 2), pairs);
  free_twins(&twins);
}

/* Between two that have moved lie positions that are elsewhere on the device, too many to be told of, and a box that
 * stays: what is not told of is not sent either. */
TEST(test_what_lies_between_stays) {
  enum { LONG = 9000 };
  static double elsewhere[LONG][3];
  OWNED_MEMORY twin_scenes *twins = malloc(sizeof *twins);
  assert_non_null(twins);
  *twins = make_twins(7, 1);
  for (int number = 0; number < 4; number++) {
    graze_mesh_def mesh = graze_mesh_def_default();
    mesh.positions = (graze_view){number == 2 ? (const void *)elsewhere : (const void *)cube,
                                  number == 2 ? (size_t)LONG : 8, 0, GRAZE_FORMAT_DOUBLE3};
    mesh.triangles = (graze_view){triangles, 4, 0, GRAZE_FORMAT_UINT32_3};
    for (int i = 0; i < 2; i++)
      assert_ok(graze_scene_add(twins->scenes[i], GRAZE_KIND_TRIANGLE, &mesh, NULL, &twins->objects[number]));
  }
  assert_ok(
      graze_object_set_device_positions(twins->scenes[1], twins->objects[2], elsewhere, GRAZE_FORMAT_DOUBLE3, NULL));
  assert_true(compare(twins, 0) > 0);
  double moved[8][3];
  for (int i = 0; i < 24; i++) moved[i / 3][i % 3] = cube[i / 3][i % 3] + 0.25;
  for (int i = 0; i < 4; i++)
    assert_ok(graze_object_set_positions(twins->scenes[i % 2], twins->objects[i < 2 ? 0 : 3], 0,
                                         (graze_view){moved, 8, 0, GRAZE_FORMAT_DOUBLE3}));
  assert_true(compare(twins, 1) > 0);
  free_twins(twins);
}
