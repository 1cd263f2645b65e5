/* Compares the method "tree" with the reference: scenes of all kinds that move, deform and break, over many frames,
 * with every query; trees of every small size, of points, lines and planes; thousands of bodies; and scenes of numbers
 * so large or small that they stress the method's arithmetic. test_tree_touching.c covers posed triangles that touch by
 * rounding, test_tree_parts.c the parts of the method. */
#include "base/number_sequence.h"
#include "posed_object.h"
#include "scene_runner.h"
#include "small_meshes.h"
#include "test_scale.h"
#include "torture_scenes.h"
#include "tree_scenes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---------------------------------------------------------------------------------------------- two scenes in step */

enum { REFERENCE = 0, TREE = 1, SCENES = 2, OBJECTS_MOST = 24, VERTICES_MOST = 400, NAME_BYTES = 96 };

typedef struct life_object {
  graze_object id; /* no generation: the place is free */
  graze_kind kind;
  size_t vertex_count, primitive_count;
  uint8_t removed[VERTICES_MOST];
} life_object;

/* The same calls are made to both, and the same ids come back. */
typedef struct tree_life {
  graze_scene *scenes[SCENES];
  life_object objects[OBJECTS_MOST];
  size_t object_count;
  uint64_t sequence;
  uint32_t serial; /* of objects ever added */
  double size;     /* of the scene */
  char name[NAME_BYTES];
} tree_life;

#define BOTH(life, call)                                                                                               \
  for (int which = 0; which < SCENES; which++) {                                                                       \
    graze_scene *scene = (life)->scenes[which];                                                                        \
    if ((call) != GRAZE_OK) fail_msg("%s: %s", (life)->name, graze_error_text());                                      \
  }

static void begin_life(tree_life *life, uint64_t seed, double size) {
  *life = (tree_life){.sequence = seed, .size = size};
  life->scenes[REFERENCE] = tree_scene_reference();
  const tree_way way = tree_way_of(seed);
  life->scenes[TREE] = tree_scene_of(&way);
  char words[64];
  tree_way_words(&way, words, sizeof words);
  snprintf(life->name, sizeof life->name, "life %llu %s", (unsigned long long)seed, words);
}

static void end_life(tree_life *life) {
  for (int i = 0; i < SCENES; i++) graze_scene_destroy(life->scenes[i]);
}

static uint64_t below(tree_life *life, uint64_t bound) {
  return sequence_below(&life->sequence, bound);
}

static double in_size(tree_life *life) {
  return life->size * sequence_signed(&life->sequence);
}

/* ---------------------------------------------------------------------------------------------- making objects */

/* Elements around places in the scene, some of which share vertices with the element before. */
static void fill_positions(tree_life *life, double *positions, size_t count, size_t corners) {
  double center[3] = {0, 0, 0};
  const double reach = below(life, 6) == 0 ? 1.0 : 0.25;
  for (size_t i = 0; i < count; i++)
    for (int axis = 0; axis < 3; axis++) {
      if (i % corners == 0) center[axis] = in_size(life);
      positions[3 * i + (size_t)axis] = center[axis] + reach * in_size(life);
    }
}

static void fill_indices(tree_life *life, uint32_t *indices, size_t elements, size_t corners, size_t vertex_count) {
  for (size_t i = 0; i < elements * corners; i++) {
    indices[i] = (uint32_t)(i % vertex_count);
    if (below(life, 9) == 0) indices[i] = (uint32_t)below(life, vertex_count);
  }
}

/* Boxes along the axes, as polyhedra: each eight vertices of its own. */
static void fill_cells(tree_life *life, double *positions, uint32_t *corners, size_t cells) {
  static const uint32_t faces[24] = {0, 1, 3, 2, 4, 5, 7, 6, 0, 1, 5, 4, 2, 3, 7, 6, 0, 2, 6, 4, 1, 3, 7, 5};
  for (size_t cell = 0; cell < cells; cell++) {
    double low[3], side[3];
    for (int axis = 0; axis < 3; axis++) {
      low[axis] = in_size(life);
      side[axis] = 0.4 * fabs(in_size(life)) + 0.01 * life->size;
    }
    for (size_t corner = 0; corner < 8; corner++)
      for (size_t axis = 0; axis < 3; axis++)
        positions[3 * (8 * cell + corner) + axis] = low[axis] + ((corner >> axis & 1) != 0 ? side[axis] : 0.0);
    for (size_t i = 0; i < 24; i++) corners[24 * cell + i] = (uint32_t)(8 * cell) + faces[i];
  }
}

static void add_object(tree_life *life) {
  static double positions[3 * VERTICES_MOST];
  static uint32_t indices[4 * VERTICES_MOST], face_sizes[VERTICES_MOST], cell_sizes[VERTICES_MOST];
  life_object made = {.kind = (graze_kind)below(life, 4)};
  if (life->object_count == OBJECTS_MOST) return;
  static const size_t corners[4] = {3, 4, 4, 8};
  made.primitive_count = below(life, 12) == 0 ? 0 : 1 + below(life, below(life, 3) == 0 ? 50 : 7);
  made.vertex_count = corners[made.kind] * made.primitive_count;
  if (made.kind == GRAZE_KIND_POLYHEDRON)
    fill_cells(life, positions, indices, made.primitive_count);
  else
    fill_positions(life, positions, made.vertex_count, corners[made.kind]);
  if (made.kind == GRAZE_KIND_TRIANGLE || made.kind == GRAZE_KIND_TETRAHEDRON)
    fill_indices(life, indices, made.primitive_count, corners[made.kind], made.vertex_count + 1);
  if (made.vertex_count > 0 && made.kind != GRAZE_KIND_POLYHEDRON)
    for (size_t i = 0; i < corners[made.kind] * made.primitive_count; i++)
      indices[i] = made.kind == GRAZE_KIND_POLYGON ? (uint32_t)i : indices[i] % (uint32_t)made.vertex_count;
  for (size_t i = 0; i < VERTICES_MOST; i++) face_sizes[i] = 4, cell_sizes[i] = 6;
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  def.positions = double_view(positions, made.vertex_count);
  def.triangles = index_view(indices, made.primitive_count);
  def.tetrahedra = (graze_view){indices, made.primitive_count, 0, GRAZE_FORMAT_UINT32_4};
  const size_t faces = made.kind == GRAZE_KIND_POLYHEDRON ? 6 * made.primitive_count : made.primitive_count;
  def.corners = (graze_view){indices, 4 * faces, 0, GRAZE_FORMAT_UINT32};
  def.face_sizes = (graze_view){face_sizes, faces, 0, GRAZE_FORMAT_UINT32};
  def.cell_sizes = (graze_view){cell_sizes, made.primitive_count, 0, GRAZE_FORMAT_UINT32};
  if (below(life, 3) == 0) {
    placed.category = UINT64_C(1) << below(life, 2);
    placed.mask = 1 + below(life, 3);
    placed.self = below(life, 2) == 0;
  }
  life->serial++;
  placed.global_numbers = below(life, 4) == 0;
  if (placed.global_numbers)
    placed.global_object = 5000 - 7 * life->serial, placed.global_primitive = 13 * life->serial;
  BOTH(life, graze_scene_add(scene, made.kind, &def, &placed, &made.id));
  life->objects[life->object_count++] = made;
}

/* ---------------------------------------------------------------------------------------------- changes */

/* Nothing where there is no object. */
static life_object *any_object(tree_life *life) {
  return life->object_count > 0 ? &life->objects[below(life, life->object_count)] : NULL;
}

static void pose_one(tree_life *life) {
  life_object *object = any_object(life);
  if (object == NULL) return;
  double rotation[9], translation[3];
  pose_kind kind = (pose_kind)below(&*life, POSE_KINDS);
  choose_pose(&life->sequence, kind, 0.5 * life->size, rotation, translation);
  BOTH(life, pose_object(scene, object->id, rotation, translation));
}

/* All by the same pose, far away: sizes stay, and rounding is larger than gaps. */
static void carry_all(tree_life *life) {
  double rotation[9], translation[3];
  const double far[4] = {1e3, 1e8, 1e12, 0};
  const double away = far[below(life, 4)];
  for (size_t i = 0; i < life->object_count; i++) {
    choose_pose(&life->sequence, (pose_kind)below(life, POSE_KINDS), 0.25 * life->size, rotation, translation);
    for (int axis = 0; axis < 3; axis++) translation[axis] += away * life->size;
    BOTH(life, pose_object(scene, life->objects[i].id, rotation, translation));
  }
}

static void deform_one(tree_life *life) {
  const life_object *object = any_object(life);
  if (object == NULL || object->vertex_count == 0 || object->kind == GRAZE_KIND_POLYHEDRON) return;
  double positions[3 * VERTICES_MOST];
  const size_t first = below(life, object->vertex_count), count = 1 + below(life, object->vertex_count - first);
  fill_positions(life, positions, count, 3);
  BOTH(life, graze_object_set_positions(scene, object->id, first, double_view(positions, count)));
}

static void insert_some(tree_life *life) {
  life_object *object = any_object(life);
  if (object == NULL || object->vertex_count == 0 || object->primitive_count + 6 > VERTICES_MOST) return;
  if (object->kind != GRAZE_KIND_TRIANGLE && object->kind != GRAZE_KIND_TETRAHEDRON) return;
  const size_t corners = object->kind == GRAZE_KIND_TRIANGLE ? 3 : 4, count = 1 + below(life, 5);
  uint32_t indices[20], first;
  for (size_t i = 0; i < count * corners; i++) indices[i] = (uint32_t)below(life, object->vertex_count);
  const graze_view view = {indices, count, 0, corners == 3 ? GRAZE_FORMAT_UINT32_3 : GRAZE_FORMAT_UINT32_4};
  BOTH(life, graze_object_append_primitives(scene, object->id, view, &first));
  for (size_t i = 0; i < count; i++) object->removed[first + i] = 0;
  if (first + count > object->primitive_count) object->primitive_count = first + count;
}

static void erase_some(tree_life *life) {
  life_object *object = any_object(life);
  if (object == NULL) return;
  uint32_t numbers[VERTICES_MOST];
  size_t count = 0;
  const uint64_t one_in = below(life, 5) == 0 ? 1 : 5;
  for (size_t i = 0; i < object->primitive_count; i++)
    if (object->removed[i] == 0 && below(life, one_in) == 0) {
      numbers[count++] = (uint32_t)i;
      object->removed[i] = 1;
    }
  BOTH(life, graze_object_remove_primitives(scene, object->id, numbers, count));
  while (object->primitive_count > 0 && object->removed[object->primitive_count - 1] != 0) object->primitive_count--;
}

static void remove_one(tree_life *life) {
  life_object *object = any_object(life);
  if (object == NULL) return;
  BOTH(life, graze_scene_remove_object(scene, object->id));
  *object = life->objects[--life->object_count];
}

static void filter_one(tree_life *life) {
  const life_object *object = any_object(life);
  if (object == NULL) return;
  const uint64_t category = 1 + below(life, 3), mask = below(life, 4);
  const bool self = below(life, 3) != 0;
  BOTH(life, graze_object_set_filter(scene, object->id, category, mask, self));
}

/* ---------------------------------------------------------------------------------------------- questions */

static graze_query choose_query(tree_life *life) {
  graze_query query = graze_query_default();
  query.scope = below(life, 3) == 0 ? (graze_scope)(1 + below(life, 3)) : GRAZE_SCOPE_BOTH;
  query.candidates_only = below(life, 5) == 0;
  query.test = below(life, 4) < 2 ? GRAZE_TEST_SAT : GRAZE_TEST_GJK;
  bool solids = false;
  for (size_t i = 0; i < life->object_count; i++) solids = solids || graze_kind_is_solid(life->objects[i].kind);
  if (!solids || query.scope == GRAZE_SCOPE_BETWEEN)
    query.neighbors = below(life, 2) == 0 ? GRAZE_NEIGHBORS_BEYOND : GRAZE_NEIGHBORS_SKIP;
  if (life->object_count > 0) {
    query.about_count = (uint32_t)(below(life, 2) * below(life, 3));
    query.about_a = any_object(life)->id;
    query.about_b = any_object(life)->id;
  }
  query.in_box = below(life, 5) == 0;
  for (int axis = 0; axis < 3; axis++) {
    const double a = in_size(life), b = in_size(life);
    query.box_min[axis] = below(life, 5) == 0 ? -HUGE_VAL : fmin(a, b);
    query.box_max[axis] = fmax(a, b);
  }
  if (below(life, 8) == 0) query.pair_limit = 1 + below(life, 20);
  return query;
}

static bool is_listed(const pair_answer *answer, const graze_pair *pair) {
  bool listed = false;
  for (size_t i = 0; i < answer->count && !listed; i++) listed = memcmp(&answer->pairs[i], pair, sizeof *pair) == 0;
  return listed;
}

/* Which pairs are found when enough are is not said, but that there are as many and that all of them are pairs. */
static void check_stop_after(const tree_life *life, const graze_query *query, const pair_answer *wanted) {
  graze_query some = *query;
  some.stop_after = 1 + wanted->count / 2;
  if (query->pair_limit != 0) return;
  OWNED(graze_pairs) found = find_pairs(life->scenes[TREE], &some);
  assert_int_equal(found.count, some.stop_after < wanted->count ? some.stop_after : wanted->count);
  for (size_t i = 0; i < found.count; i++) assert_true(is_listed(wanted, &found.pairs[i]));
}

static size_t compare_answers(tree_life *life, const graze_query *query) {
  const pair_answer wanted = runner_find(life->scenes[REFERENCE], query);
  const pair_answer found = runner_find(life->scenes[TREE], query);
  runner_compare(&wanted, &found, life->name, query->candidates_only ? "boxes" : "pairs");
  bool any;
  graze_pairs one = {0};
  assert_ok(graze_scene_any_pair(life->scenes[TREE], query, &any, &one));
  if (any != (wanted.count > 0)) fail_msg("%s: any_pair says %d of %zu pairs", life->name, any, wanted.count);
  assert_int_equal(one.count, any ? 1 : 0);
  if (any && query->pair_limit == 0) assert_true(is_listed(&wanted, &one.pairs[0]));
  graze_pairs_free(&one);
  check_stop_after(life, query, &wanted);
  const size_t count = wanted.count;
  free(wanted.pairs);
  free(found.pairs);
  return count;
}

static size_t ask_life(tree_life *life) {
  BOTH(life, graze_scene_update(scene));
  size_t count = 0;
  graze_query query = graze_query_default();
  count += compare_answers(life, &query);
  query.candidates_only = true;
  compare_answers(life, &query);
  query.candidates_only = false;
  query.test = GRAZE_TEST_GJK;
  compare_answers(life, &query);
  for (int i = 0; i < 4; i++) {
    query = choose_query(life);
    compare_answers(life, &query);
  }
  return count;
}

static void change_life(tree_life *life) {
  void (*const changes[])(tree_life *) = {pose_one,    pose_one,   pose_one,   carry_all,  deform_one, deform_one,
                                          insert_some, erase_some, remove_one, add_object, add_object, filter_one};
  /* Now poses alone, now positions alone, now anything. */
  const uint64_t kinds[3][2] = {{0, 4}, {4, 2}, {0, 12}};
  const uint64_t choice = below(life, 3), count = 1 + below(life, 4);
  for (uint64_t i = 0; i < count; i++) changes[kinds[choice][0] + below(life, kinds[choice][1])](life);
}

TEST(test_lives_of_scenes) {
  const double sizes[5] = {1.0, 1e-30, 1e30, 1e-290, 1e290};
  const size_t lives = test_scaled(300, 15), frames = 12;
  size_t pairs = 0;
  for (size_t i = 0; i < lives; i++) {
    static tree_life life;
    begin_life(&life, i, i % 3 == 0 ? sizes[i / 3 % 5] : 1.0);
    for (int object = 0; object < 5; object++) add_object(&life);
    for (size_t frame = 0; frame < frames; frame++) {
      pairs += ask_life(&life);
      change_life(&life);
    }
    end_life(&life);
  }
  print_message("%zu lives of %zu frames: %zu pairs\n", lives, frames, pairs);
  assert_true(pairs > 100 * lives);
}

/* ---------------------------------------------------------------------------------------------- shapes of trees */

/* The shape of the triangles of a body. */
typedef enum crowd_shape {
  ANYWHERE,
  ONE_POINT,
  ONE_LINE,
  ONE_PLANE,
  TILTED_PLANE,
  UNDER_A_HUGE_ONE,
  SHAPES
} crowd_shape;

static void make_crowd(mesh *m, crowd_shape shape, size_t count, uint64_t *sequence) {
  *m = torture_mesh(3 * count, count);
  for (size_t i = 0; i < 3 * count; i++) {
    double p[3];
    m->triangles[i] = (uint32_t)i;
    for (int axis = 0; axis < 3; axis++)
      p[axis] = (i % 3 == 0 ? 1.0 : 0.2) * sequence_signed(sequence) +
                (i % 3 > 0 ? m->positions[9 * (i / 3) + (size_t)axis] : 0);
    if (shape == ONE_POINT) p[0] = p[1] = p[2] = 0.375;
    if (shape == ONE_LINE) p[1] = 2.0 * p[0], p[2] = -p[0];
    if (shape == ONE_PLANE) p[2] = 0.125;
    if (shape == TILTED_PLANE) p[2] = p[0] + p[1];
    if (shape == UNDER_A_HUGE_ONE && i < 3) p[0] = i == 1 ? 1e3 : -1e3, p[1] = i == 2 ? 1e3 : -1e3, p[2] = 0;
    memcpy(m->positions + 3 * i, p, sizeof p);
  }
}

/* Two crowds, posed three times; the trees are refitted on the way. */
static void compare_crowds(const mesh crowds[2], const tree_way *way, const char *name, uint64_t *sequence) {
  graze_scene *scenes[SCENES] = {tree_scene_reference(), tree_scene_of(way)};
  graze_object objects[2];
  for (int which = 0; which < SCENES; which++)
    for (int i = 0; i < 2; i++) objects[i] = runner_add(scenes[which], &crowds[i], false, NULL);
  for (int frame = 0; frame < 4; frame++) {
    double rotation[9], translation[3];
    choose_pose(sequence, (pose_kind)sequence_below(sequence, POSE_KINDS), 0.5, rotation, translation);
    pair_answer answers[SCENES];
    const graze_query query = graze_query_default();
    for (int which = 0; which < SCENES; which++) {
      const graze_view some = double_view(crowds[1].positions + 3 * (frame % 2), 1);
      if (frame > 0) assert_ok(pose_object(scenes[which], objects[frame % 2], rotation, translation));
      if (frame == 2) assert_ok(graze_object_set_positions(scenes[which], objects[0], 1, some));
      assert_ok(graze_scene_update(scenes[which]));
      answers[which] = runner_find(scenes[which], &query);
    }
    runner_compare(&answers[REFERENCE], &answers[TREE], name, "crowds");
    for (int which = 0; which < SCENES; which++) free(answers[which].pairs);
  }
  for (int which = 0; which < SCENES; which++) graze_scene_destroy(scenes[which]);
}

TEST(test_trees_of_every_shape) {
  const size_t counts[] = {1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 255, 257};
  uint64_t sequence = 5, seed = 0;
  for (int shape = 0; shape < SHAPES; shape++)
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
      for (size_t round = 0; round < (counts[i] < 32 && !test_is_sanitized() ? 6 : 2); round++) {
        mesh crowds[2];
        char name[64];
        make_crowd(&crowds[0], (crowd_shape)shape, counts[i], &sequence);
        make_crowd(&crowds[1], round % 2 == 0 ? (crowd_shape)shape : ANYWHERE, counts[sequence_below(&sequence, i + 1)],
                   &sequence);
        snprintf(name, sizeof name, "shape %d, %zu leaves", shape, counts[i]);
        const tree_way way = tree_way_of(seed++);
        compare_crowds(crowds, &way, name, &sequence);
        for (int k = 0; k < 2; k++) mesh_free(&crowds[k]);
      }
}

/* ---------------------------------------------------------------------------------------------- one scene, two methods
 */

static size_t compare_methods(graze_scene *scene, const tree_way *way, const char *name) {
  size_t count = 0;
  for (int boxes = 0; boxes < 2; boxes++) {
    graze_query query = graze_query_default();
    query.candidates_only = boxes == 1;
    tree_set_reference(scene);
    if (graze_scene_update(scene) != GRAZE_OK) fail_msg("%s: %s", name, graze_error_text());
    const pair_answer wanted = runner_find(scene, &query);
    tree_set_way(scene, way);
    const pair_answer found = runner_find(scene, &query);
    runner_compare(&wanted, &found, name, boxes == 1 ? "boxes" : "pairs");
    if (boxes == 0) count = wanted.count;
    free(wanted.pairs);
    free(found.pairs);
  }
  return count;
}

/* ---------------------------------------------------------------------------------------------- many bodies */

/* Ends of boxes that are equal, zeros of both signs, outliers: what ranks must keep apart or together. */
static double body_coordinate(uint64_t *sequence, int outliers) {
  const uint64_t kind = sequence_below(sequence, 40);
  const double grid = (double)sequence_below(sequence, 12) - 6.0;
  if (kind == 0 && outliers > 0) return 1e9 * sequence_signed(sequence);
  if (kind == 1 && outliers > 1) return 1e300 * sequence_signed(sequence);
  if (kind < 6) return -0.0;
  if (kind < 10) return 0.0;
  if (kind < 14) return nextafter(grid, kind < 12 ? HUGE_VAL : -HUGE_VAL);
  return kind < 30 ? grid : 6.0 * sequence_signed(sequence);
}

static void add_one_triangle(graze_scene *scene, uint64_t *sequence, int outliers, bool posed) {
  double positions[9], rotation[9], translation[3];
  static const uint32_t triangle[3] = {0, 1, 2};
  for (int axis = 0; axis < 3; axis++) {
    positions[axis] = body_coordinate(sequence, outliers);
    for (int corner = 1; corner < 3; corner++)
      positions[3 * corner + axis] = positions[axis] + (double)sequence_below(sequence, 2);
  }
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = double_view(positions, 3);
  def.triangles = index_view(triangle, 1);
  graze_object object;
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
  choose_pose(sequence, (pose_kind)sequence_below(sequence, POSE_KINDS), 1.0, rotation, translation);
  if (posed) assert_ok(pose_object(scene, object, rotation, translation));
}

TEST(test_thousands_of_bodies) {
  const size_t counts[] = {31, 32, 33, 34, 64, 65, 257, test_scaled(3000, 600)};
  uint64_t sequence = 11;
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
    for (int outliers = 0; outliers < 3; outliers++)
      for (int posed = 0; posed < 2; posed++) {
        OWNED_SCENE *scene = tree_scene_reference();
        for (size_t k = 0; k < counts[i]; k++)
          add_one_triangle(scene, &sequence, outliers, posed == 1 && sequence_below(&sequence, 3) == 0);
        const tree_way way = tree_way_of(i + (size_t)outliers);
        char name[64];
        snprintf(name, sizeof name, "%zu bodies, outliers %d, posed %d", counts[i], outliers, posed);
        const size_t pairs = compare_methods(scene, &way, name);
        if (counts[i] > 100) assert_true(pairs > 10);
      }
}

/* ---------------------------------------------------------------------------------------------- single scenes */

static const tree_way plain_way = {1, GRAZE_SIMD_AUTO, GRAZE_TREE_BUILDER_SPLITS, GRAZE_TREE_UPDATE_AUTO};

/* Two triangles in two objects; whether the tree finds the pair of the reference, or none as it does. */
static size_t pairs_of_two(const double a[9], const double b[9], const char *name) {
  static const uint32_t triangle[3] = {0, 1, 2};
  OWNED_SCENE *scene = tree_scene_reference();
  graze_mesh_def def = graze_mesh_def_default();
  def.triangles = index_view(triangle, 1);
  def.positions = double_view(a, 3);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
  def.positions = double_view(b, 3);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, NULL));
  const size_t count = compare_methods(scene, &plain_way, name);
  return count;
}

/* Bodies whose extents are an odd number of the least positive doubles: halves of them are not numbers. */
TEST(test_bodies_of_subnormal_size) {
  const double tiny = DBL_TRUE_MIN;
  for (int shift = 0; shift < 8; shift++)
    for (int side = 1; side < 8; side++) {
      const double end = tiny * side, from = tiny * shift;
      const double a[9] = {0, 0, 0, end, 0, 0, 0, end, 0};
      const double b[9] = {from, 0, 0, from + end, 0, 0, from, end, 0};
      assert_int_equal(pairs_of_two(a, b, "subnormal bodies"), shift <= side);
    }
}

/* A flat body whose slabs stand at right angles to those that the upper nodes of a large one have. */
TEST(test_slabs_at_right_angles) {
  for (int axis = 0; axis < 3; axis++)
    for (size_t count = 900; count <= 4500; count += test_scale() < 1.0 ? 3600 : 900) {
      if (test_is_sanitized() && count > 900 && axis != 1) continue;
      uint64_t sequence = count;
      mesh crowds[2];
      make_crowd(&crowds[0], ANYWHERE, count, &sequence);
      make_crowd(&crowds[1], ANYWHERE, 20, &sequence);
      for (size_t i = 0; i < 60; i++) crowds[1].positions[3 * i + (size_t)axis] = 0.0;
      graze_scene *scene = tree_scene_reference();
      const graze_object large = runner_add(scene, &crowds[0], false, &(object_filter){1, 1, false});
      (void)runner_add(scene, &crowds[1], false, NULL);
      const double rotation[9] = {0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1}, translation[3] = {0, 0, 0};
      assert_ok(pose_object(scene, large, rotation, translation));
      assert_true(compare_methods(scene, &plain_way, "slabs at right angles") > 0);
      graze_scene_destroy(scene);
      for (int k = 0; k < 2; k++) mesh_free(&crowds[k]);
    }
}

/* A large body that is so small compared with the other that its unit is not a float, posed so that slabs are used. */
TEST(test_one_body_within_a_bit_of_the_other) {
  const double scales[6] = {1e6, 1e30, 1e40, 1e45, 1e60, 1e300};
  for (size_t i = 0; i < 6; i++) {
    uint64_t sequence = 3 + i;
    mesh crowds[2];
    make_crowd(&crowds[0], ANYWHERE, 1500, &sequence);
    make_crowd(&crowds[1], ANYWHERE, 9, &sequence);
    torture_scale(&crowds[0], 1.0 / scales[i]);
    double *p = crowds[1].positions; /* one triangle goes through the small body */
    memcpy(p, (const double[9]){-1, -1, 0, 1, -1, 0, 0, 1, 0}, 9 * sizeof *p);
    graze_scene *scene = tree_scene_reference();
    const graze_object small = runner_add(scene, &crowds[0], false, &(object_filter){1, 1, false});
    (void)runner_add(scene, &crowds[1], false, NULL);
    const double rotation[9] = {0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1}, translation[3] = {0, 0, 0};
    assert_ok(pose_object(scene, small, rotation, translation));
    assert_true(compare_methods(scene, &plain_way, "a body within a bit") > 100);
    graze_scene_destroy(scene);
    for (int k = 0; k < 2; k++) mesh_free(&crowds[k]);
  }
}

/* Coordinates up to the largest double, where sums of the method's own overflow; forty bodies, so that ranks are made
 * of them. */
TEST(test_bodies_at_the_end_of_double) {
  for (uint64_t seed = 0; seed < test_scaled(200, 6); seed++) {
    uint64_t sequence = seed;
    OWNED_SCENE *scene = tree_scene_reference();
    const size_t count = seed % 2 == 0 ? 40 : 7;
    for (size_t i = 0; i < count; i++) {
      double positions[9], rotation[9], translation[3];
      static const uint32_t triangle[3] = {0, 1, 2};
      const double ends[5] = {0.0, DBL_MAX, 0.5 * DBL_MAX, -DBL_MAX, 1.0};
      for (int k = 0; k < 9; k++)
        positions[k] = sequence_below(&sequence, 3) > 0 ? ends[sequence_below(&sequence, seed % 4 < 2 ? 3 : 5)]
                                                        : DBL_MAX * sequence_signed(&sequence);
      graze_mesh_def def = graze_mesh_def_default();
      def.positions = double_view(positions, 3);
      def.triangles = index_view(triangle, 1);
      graze_object object;
      assert_ok(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, NULL, &object));
      if (sequence_below(&sequence, 2) == 0) continue;
      choose_pose(&sequence, (pose_kind)sequence_below(&sequence, POSE_KINDS), 0.3 * DBL_MAX, rotation, translation);
      double posed[9];
      bool finite = true;
      assert_ok(pose_object(scene, object, rotation, translation));
      const graze_output_view view = {posed, 3, 0, GRAZE_FORMAT_DOUBLE3};
      if (graze_object_get_posed_positions(scene, object, 0, view) != GRAZE_OK) finite = false;
      for (int k = 0; k < 9 && finite; k++) finite = isfinite(posed[k]);
      const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, none[3] = {0, 0, 0};
      if (!finite) assert_ok(pose_object(scene, object, identity, none));
    }
    compare_methods(scene, &plain_way, "the end of double");
  }
}

/* Two tetrahedra, edge across edge: they are candidates unless their boxes are apart, however boxes were rounded
 * before.
 */
TEST(test_boxes_alone_part_crossed_edges) {
  static const uint32_t corners[4] = {0, 1, 2, 3};
  const double turned[9] = {0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1}, nowhere[3] = {0, 0, 0};
  graze_query query = graze_query_default();
  query.candidates_only = true;
  for (int posed = 0; posed < 2; posed++)
    for (double gap = 1e-4; gap > 1e-17; gap *= 0.5) {
      const double a[12] = {0, -1, 0, 0, 1, 0, -1, 0, 0.1, -1, 0, -0.1};
      const double b[12] = {gap, 0, -1, gap, 0, 1, 1 + gap, 0.1, 0, 1 + gap, -0.1, 0};
      OWNED_SCENE *scene = tree_scene_reference();
      graze_mesh_def def = graze_mesh_def_default();
      def.tetrahedra = (graze_view){corners, 1, 0, GRAZE_FORMAT_UINT32_4};
      for (int i = 0; i < 2; i++) {
        graze_object object;
        def.positions = double_view(i == 0 ? a : b, 4);
        assert_ok(graze_scene_add(scene, GRAZE_KIND_TETRAHEDRON, &def, NULL, &object));
        if (posed == 1) assert_ok(pose_object(scene, object, turned, nowhere));
      }
      assert_ok(graze_scene_update(scene));
      const pair_answer wanted = runner_find(scene, &query);
      tree_set_way(scene, &plain_way);
      const pair_answer found = runner_find(scene, &query);
      runner_compare(&wanted, &found, "crossed edges", posed == 1 ? "posed" : "not posed");
      assert_int_equal(wanted.count, posed); /* once turned, their boxes meet */
      free(wanted.pairs);
      free(found.pairs);
    }
}
