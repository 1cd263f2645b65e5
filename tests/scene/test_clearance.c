/* Tests queries with a clearance: every way of running gives the pairs of the definition, decided in integers of any
 * size (clearance_scenes.h), for every kind, under poses, in badly spread scenes, for every scope, about objects, in
 * boxes and with exclusions. On models and torture scenes all methods agree; without a clearance nothing changes. */
#include "base/number_sequence.h"
#include "clearance_scenes.h"
#include "graze/convex.h"
#include "graze/distances.h"
#include "models/model.h"
#include "spread_soup.h"
#include "test_scale.h"
#include "testing.h"
#include "torture_scenes.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const running_variant variants[] = {
    {"brute", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"grid", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"grid", GRAZE_SIMD_128, 3, GRAZE_THREADING_PTHREADS, NULL, false},
    {"grid", GRAZE_SIMD_256, 1, GRAZE_THREADING_AUTO, &host_runs_shuffled, false},
    {"tree", GRAZE_SIMD_SCALAR, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"tree", GRAZE_SIMD_AUTO, 3, GRAZE_THREADING_PTHREADS, NULL, false},
    {"clusters", GRAZE_SIMD_AUTO, 1, GRAZE_THREADING_SERIAL, NULL, false},
    {"clusters 5", GRAZE_SIMD_SCALAR, 3, GRAZE_THREADING_PTHREADS, NULL, false},
    {"auto", GRAZE_SIMD_AUTO, 2, GRAZE_THREADING_PTHREADS, NULL, false},
};
enum { VARIANT_COUNT = sizeof variants / sizeof variants[0] };

/* ---------------------------------------------------------------------------------------------- lattices */

typedef struct lattice {
  lattice_object objects[LATTICE_KINDS];
  mesh meshes[LATTICE_KINDS];
  graze_pose poses[LATTICE_KINDS];
  bool posed[LATTICE_KINDS];
  piece_list lists[LATTICE_KINDS];
} lattice;

/* Every other object has a pose in every other lattice; the reference sees positions after it. */
static lattice *lattice_make(double step, uint64_t seed) {
  lattice *made = calloc(1, sizeof *made);
  assert_non_null(made);
  for (int i = 0; i < LATTICE_KINDS; i++) {
    lattice_object *object = &made->objects[i];
    lattice_object_make(object, i, step, seed + (uint64_t)i);
    made->meshes[i] = object->mesh;
    made->posed[i] = seed % 2 == 1 && i % 2 == 0;
    const double quaternion[4] = {1.0, 0.25 * i, -0.5, 0.125}, translation[3] = {step * i, -step, 0.3 * step};
    made->poses[i] = graze_pose_from_quaternion(quaternion, translation);
    if (made->posed[i]) pieces_pose(object->pieces, object->count, &made->poses[i]);
    made->lists[i] = (piece_list){object->pieces, object->count};
  }
  return made;
}

static graze_scene *lattice_scene(const running_variant *variant, const lattice *from) {
  graze_scene *scene = runner_scene(variant, from->meshes, LATTICE_KINDS, NULL);
  for (uint32_t i = 0; i < LATTICE_KINDS; i++)
    if (from->posed[i]) assert_ok(graze_object_set_pose(scene, (graze_object){i, 1}, &from->poses[i]));
  assert_ok(graze_scene_update(scene));
  return scene;
}

static void compare_on(const running_variant *variant, graze_scene *scene, const graze_query *query,
                       const pair_answer *wanted, const char *name) {
  char words[128];
  running_variant_words(variant, words, sizeof words);
  const pair_answer found = runner_find(scene, query);
  runner_compare(wanted, &found, name, words);
  free(found.pairs);
}

/* Clearances at which distances of a lattice often lie, and beside them. */
static const double clearances[] = {1.0, 0.5, 1.4142135623730951, 2.0, 0x1p-30, 3.25};
enum { CLEARANCE_COUNT = sizeof clearances / sizeof clearances[0] };

static double clearance_of(size_t number, double step) {
  const double at = clearances[number % CLEARANCE_COUNT] * step;
  return number % 3 == 0 ? at : number % 3 == 1 ? nextafter(at, 0.0) : nextafter(at, HUGE_VAL);
}

TEST(test_every_kind) {
  static const double steps[] = {1.0, 0.1, 0x1p-40, 1e9};
  const size_t rounds = test_scaled(24, 6);
  size_t found = 0;
  for (size_t round = 0; round < rounds; round++) {
    const double step = steps[round % 4], clearance = clearance_of(round, step);
    OWNED_MEMORY lattice *scene_of = lattice_make(step, 100 + round);
    const pair_answer wanted = reference_within(scene_of->lists, LATTICE_KINDS, clearance);
    found += wanted.count;
    graze_query query = graze_query_default();
    query.clearance = clearance;
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
      if (!running_variant_available(&variants[i])) continue;
      OWNED_SCENE *scene = lattice_scene(&variants[i], scene_of);
      compare_on(&variants[i], scene, &query, &wanted, "lattice");
    }
    free(wanted.pairs);
  }
  assert_true(found > 100 * rounds);
}

/* ---------------------------------------------------------------------------------------------- distances */

/* A point lies on the hull of the feature's vertices, or a radius from it. */
static void check_feature(const lattice_object *object, const lattice *from, uint32_t number, const double point[3],
                          const graze_feature *feature, double radius) {
  double corners[9], on_point[3], on_feature[3];
  assert_true(feature->vertex_count <= 3);
  for (uint32_t i = 0; i < feature->vertex_count; i++) {
    assert_true(feature->vertices[i] < object->mesh.vertex_count);
    reference_piece corner = {.count = 1};
    memcpy(corner.corners, object->positions + 3 * (size_t)feature->vertices[i], 3 * sizeof(double));
    if (from->posed[number]) pieces_pose(&corner, 1, &from->poses[number]);
    memcpy(corners + 3 * (size_t)i, corner.corners, 3 * sizeof(double));
  }
  const double away = graze_convex_distance(corners, feature->vertex_count, point, 1, on_feature, on_point);
  assert_true(fabs(away - radius) < 1e-9);
}

TEST(test_distances) {
  const size_t rounds = test_scaled(8, 3);
  for (size_t round = 0; round < rounds; round++) {
    OWNED_MEMORY lattice *from = lattice_make(1.0, 900 + round);
    graze_query query = graze_query_default();
    query.clearance = 1.5;
    graze_distances first = {0};
    graze_pairs pairs = {0};
    graze_scene *scenes[2];
    for (int i = 0; i < 2; i++) {
      scenes[i] = lattice_scene(&variants[i == 0 ? 1 : 5], from);
      graze_distances distances = {0};
      assert_ok(graze_scene_find_pairs(scenes[i], &query, &pairs));
      assert_ok(graze_scene_make_distances(scenes[i], pairs.pairs, pairs.count, &distances));
      assert_int_equal(distances.count, pairs.count);
      if (i == 0)
        first = distances;
      else
        assert_memory_equal(first.distances, distances.distances, first.count * sizeof *first.distances);
      if (i == 1) graze_distances_free(&distances);
    }
    for (size_t i = 0; i < first.count; i++) {
      const graze_distance *found = &first.distances[i];
      const graze_pair *pair = &found->pair;
      const lattice_object *a = &from->objects[pair->object_a], *b = &from->objects[pair->object_b];
      const reference_piece *p = &a->pieces[pair->primitive_a], *q = &b->pieces[pair->primitive_b];
      double on_p[3], on_q[3];
      const double hulls = graze_convex_distance(p->corners, p->count, q->corners, q->count, on_p, on_q);
      assert_true(fabs(fmax(hulls - p->radius - q->radius, 0.0) - found->distance) < 1e-9);
      assert_true(found->distance >= first.distances[first.nearest].distance);
      assert_true(found->distance <= query.clearance + 1e-9);
      const double apart = hypot(hypot(found->point_a[0] - found->point_b[0], found->point_a[1] - found->point_b[1]),
                                 found->point_a[2] - found->point_b[2]);
      assert_true(fabs(apart - found->distance) < 1e-9);
      if (found->distance == 0.0) continue;
      check_feature(a, from, pair->object_a, found->point_a, &found->feature_a, p->radius);
      check_feature(b, from, pair->object_b, found->point_b, &found->feature_b, q->radius);
    }
    assert_true(first.count > 50);
    graze_distances_free(&first);
    graze_pairs_free(&pairs);
    graze_scene_destroy(scenes[0]);
    graze_scene_destroy(scenes[1]);
  }
}

/* ---------------------------------------------------------------------------------------------- parts of the list */

static pair_answer part_of(const pair_answer *all, bool (*keeps)(const graze_pair *pair, const void *context),
                           const void *context) {
  pair_answer kept = {.pairs = malloc((all->count + 1) * sizeof *kept.pairs)};
  assert_non_null(kept.pairs);
  for (size_t i = 0; i < all->count; i++)
    if (keeps(&all->pairs[i], context)) kept.pairs[kept.count++] = all->pairs[i];
  kept.hash = graze_pairs_hash(kept.pairs, kept.count);
  return kept;
}

static bool is_between(const graze_pair *pair, const void *context) {
  (void)context;
  return pair->object_a != pair->object_b;
}

typedef struct question {
  graze_query query;
  const lattice *from;
  bool excludes; /* objects 0 and 4 */
} question;

static bool piece_meets_box(const reference_piece *piece, const graze_query *query) {
  bool meets = true;
  for (int axis = 0; axis < 3; axis++) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (uint32_t i = 0; i < piece->count; i++) {
      low = fmin(low, piece->corners[3 * i + (uint32_t)axis] - piece->radius);
      high = fmax(high, piece->corners[3 * i + (uint32_t)axis] + piece->radius);
    }
    meets = meets && low <= query->box_max[axis] && high >= query->box_min[axis];
  }
  return meets;
}

static bool question_keeps(const graze_pair *pair, const void *context) {
  const question *asked = context;
  const graze_query *query = &asked->query;
  const bool within = pair->object_a == pair->object_b;
  if (asked->excludes && pair->object_a == 0 && pair->object_b == 4) return false;
  if (((unsigned)query->scope & (unsigned)(within ? GRAZE_SCOPE_WITHIN : GRAZE_SCOPE_BETWEEN)) == 0) return false;
  const uint32_t a = query->about_a.index, b = query->about_b.index;
  if (query->about_count == 1 && pair->object_a != a && pair->object_b != a) return false;
  if (query->about_count == 2 && !(pair->object_a == (a < b ? a : b) && pair->object_b == (a < b ? b : a)))
    return false;
  return !query->in_box || (piece_meets_box(&asked->from->objects[pair->object_a].pieces[pair->primitive_a], query) &&
                            piece_meets_box(&asked->from->objects[pair->object_b].pieces[pair->primitive_b], query));
}

static void compare_objects(graze_scene *scene, const graze_query *query, const pair_answer *wanted) {
  bool touches[LATTICE_KINDS][LATTICE_KINDS] = {{false}}, found = false;
  size_t count = 0;
  for (size_t i = 0; i < wanted->count; i++) {
    bool *touch = &touches[wanted->pairs[i].object_a][wanted->pairs[i].object_b];
    count += !*touch;
    *touch = true;
  }
  graze_object_pairs objects = find_object_pairs(scene, query);
  assert_int_equal(objects.count, count);
  for (size_t i = 0; i < objects.count; i++) assert_true(touches[objects.pairs[i].object_a][objects.pairs[i].object_b]);
  graze_object_pairs_free(&objects);
  assert_ok(graze_scene_any_pair(scene, query, &found, NULL));
  assert_int_equal(found, wanted->count > 0);
}

TEST(test_parts_of_the_list) {
  const size_t rounds = test_scaled(6, 2);
  for (size_t round = 0; round < rounds; round++) {
    const double clearance = round % 2 == 0 ? 1.0 : 0.5;
    OWNED_MEMORY lattice *from = lattice_make(1.0, 500 + round);
    const pair_answer all = reference_within(from->lists, LATTICE_KINDS, clearance);
    question questions[8];
    for (size_t i = 0; i < 8; i++) {
      questions[i] = (question){graze_query_default(), from, i % 4 == 3};
      questions[i].query.clearance = clearance;
    }
    questions[1].query.scope = GRAZE_SCOPE_BETWEEN;
    questions[2].query.scope = GRAZE_SCOPE_WITHIN;
    for (size_t i = 3; i < 6; i++) {
      questions[i].query.about_count = (uint32_t)(i % 2 + 1);
      questions[i].query.about_a = (graze_object){(uint32_t)(i % 3 + 1), 1};
      questions[i].query.about_b = (graze_object){(uint32_t)(i - 3), 1};
    }
    for (size_t i = 5; i < 8; i++) {
      questions[i].query.in_box = true;
      for (int axis = 0; axis < 3; axis++) {
        questions[i].query.box_min[axis] = (double)(i - 4);
        questions[i].query.box_max[axis] = i == 7 ? 3.0 : 6.0;
      }
    }
    for (size_t variant = 0; variant < VARIANT_COUNT; variant++) {
      if (!running_variant_available(&variants[variant])) continue;
      OWNED_SCENE *scene = lattice_scene(&variants[variant], from);
      for (size_t i = 0; i < 8; i++) {
        const graze_id_pair exclusion = {{0, 1}, {4, 1}};
        assert_ok(graze_scene_exclude_pairs(scene, &exclusion, 1, questions[i].excludes));
        assert_ok(graze_scene_update(scene));
        const pair_answer wanted = part_of(&all, question_keeps, &questions[i]);
        compare_on(&variants[variant], scene, &questions[i].query, &wanted, "part");
        compare_objects(scene, &questions[i].query, &wanted);
        free(wanted.pairs);
      }
    }
    free(all.pairs);
  }
}

/* ---------------------------------------------------------------------------------------------- neighbors */

/* Under `beyond`, those that share a vertex are judged as without a clearance. */
TEST(test_neighbors_beyond) {
  size_t judged = 0;
  for (uint64_t seed = 0; seed < 12; seed++) {
    OWNED_MEMORY lattice *from = lattice_make(1.0, 2 * seed);
    const running_variant reference = running_variant_reference();
    graze_query query = graze_query_default();
    query.neighbors = GRAZE_NEIGHBORS_BEYOND;
    graze_scene *plain = runner_scene(&reference, from->meshes, 1, NULL);
    const pair_answer without = runner_find(plain, &query);
    graze_scene_destroy(plain);
    OWNED(pair_answer) wanted = reference_within(from->lists, 1, 1.0);
    wanted.pairs = realloc(wanted.pairs, (wanted.count + without.count + 1) * sizeof *wanted.pairs);
    assert_non_null(wanted.pairs);
    const reference_piece *pieces = from->objects[0].pieces;
    size_t kept = 0;
    for (size_t i = 0; i < wanted.count; i++) {
      /* A triangle that repeats a vertex takes no part under this rule. */
      const uint32_t *a = pieces[wanted.pairs[i].primitive_a].vertices,
                     *b = pieces[wanted.pairs[i].primitive_b].vertices;
      const bool repeats = a[0] == a[1] || a[1] == a[2] || a[2] == a[0] || b[0] == b[1] || b[1] == b[2] || b[2] == b[0];
      if (!repeats) wanted.pairs[kept++] = wanted.pairs[i];
    }
    for (size_t i = 0; i < without.count; i++)
      if (pieces_share_vertex(&pieces[without.pairs[i].primitive_a], &pieces[without.pairs[i].primitive_b]))
        wanted.pairs[kept++] = without.pairs[i];
    wanted.count = kept;
    judged += without.count;
    query.clearance = 1.0;
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
      if (!running_variant_available(&variants[i])) continue;
      OWNED_SCENE *scene = runner_scene(&variants[i], from->meshes, 1, NULL);
      const pair_answer found = runner_find(scene, &query);
      assert_int_equal(found.count, wanted.count);
      assert_true(found.hash == graze_pairs_hash(wanted.pairs, wanted.count));
      free(found.pairs);
    }
    free(without.pairs);
  }
  assert_true(judged > 0);
}

/* How many rings each primitive is from the first: by the definition, ring after ring. */
static void count_rings(const piece_list *list, size_t from, size_t *ring_of) {
  for (size_t i = 0; i < list->count; i++) ring_of[i] = i == from ? 0 : SIZE_MAX;
  bool grows = true;
  for (size_t ring = 1; grows; ring++) {
    grows = false;
    for (size_t i = 0; i < list->count; i++)
      for (size_t j = 0; j < list->count && ring_of[i] == SIZE_MAX; j++)
        if (ring_of[j] == ring - 1 && pieces_share_vertex(&list->pieces[i], &list->pieces[j])) {
          ring_of[i] = ring;
          grows = true;
        }
  }
}

static bool has_pair(const pair_answer *list, const graze_pair *pair) {
  for (size_t i = 0; i < list->count; i++)
    if (memcmp(&list->pairs[i], pair, sizeof *pair) == 0) return true;
  return false;
}

/* Pairs in near rings are listed only if they intersect. */
TEST(test_rings) {
  size_t left_out = 0, near_pairs = 0;
  for (size_t number = 0; number < model_count(); number += 4) {
    OWNED(mesh_set) made = torture_set(model_at(number)->name, 60, number);
    const bool simple = made.meshes[0].kind == MESH_TETRAHEDRA ||
                        (made.meshes[0].kind == MESH_POLYGONS && made.meshes[0].corners == NULL);
    const running_variant reference = running_variant_reference();
    graze_scene *judging = simple ? runner_scene(&reference, made.meshes, 1, NULL) : NULL;
    for (size_t rings = 2; simple && rings < 4; rings++) {
      OWNED_MEMORY reference_piece *pieces = pieces_of_mesh(&made.meshes[0]);
      const piece_list list = {pieces, mesh_element_count(&made.meshes[0])};
      graze_query query = graze_query_default();
      const pair_answer plain = runner_find(judging, &query);
      query.clearance = 0.3;
      query.clearance_rings = rings;
      const pair_answer all = reference_within(&list, 1, query.clearance);
      OWNED(pair_answer) wanted = {.pairs = malloc((all.count + 1) * sizeof *wanted.pairs)};
      OWNED_MEMORY size_t *ring_of = malloc((list.count + 1) * sizeof *ring_of);
      assert_true(wanted.pairs != NULL && ring_of != NULL);
      for (size_t i = 0; i < all.count; i++) {
        if (i == 0 || all.pairs[i].primitive_a != all.pairs[i - 1].primitive_a)
          count_rings(&list, all.pairs[i].primitive_a, ring_of);
        if (ring_of[all.pairs[i].primitive_b] > rings || has_pair(&plain, &all.pairs[i]))
          wanted.pairs[wanted.count++] = all.pairs[i];
      }
      wanted.hash = graze_pairs_hash(wanted.pairs, wanted.count);
      left_out += all.count - wanted.count;
      near_pairs += wanted.count;
      for (size_t i = number % 2; i < VARIANT_COUNT; i += 2) {
        if (!running_variant_available(&variants[i])) continue;
        OWNED_SCENE *scene = runner_scene(&variants[i], made.meshes, 1, NULL);
        compare_on(&variants[i], scene, &query, &wanted, model_at(number)->name);
      }
      free(all.pairs);
      free(plain.pairs);
    }
    graze_scene_destroy(judging);
  }
  assert_true(left_out > 100 && near_pairs > 100);
}

/* ---------------------------------------------------------------------------------------------- spread scenes */

/* Clusters of 1e-3 and of 1 far from each other, and something larger than both: coordinates are bent by segments. */
static void fill_spread(soup *s, size_t count, size_t number) {
  soup_clear(s);
  s->random += number;
  soup_add_cube(s, count / 2, 0, 0, 0, 1, 0.1);
  soup_add_cube(s, count / 2 - 2, 1e9, 0.25, number % 2 == 0 ? -1e9 : 0.0, number % 3 == 0 ? 1e-3 : 1.0, 0.1);
  soup_add(s, 0.5, 0.5, 0.5, number % 2 == 0 ? 1e8 : 10.0);
  soup_add(s, 1e12, 0, 0, 1e3);
}

TEST(test_spread_scenes) {
  const size_t count = test_scaled(500, 300);
  for (size_t corners = 3; corners <= 4; corners++) {
    OWNED_BY(soup_free) soup s = soup_make(count, corners);
    for (size_t number = 0; number < test_scaled(6, 2); number++) {
      fill_spread(&s, count, number);
      const double clearance = number < 3 ? 0.03 : number == 3 ? 1e-5 : 1e9;
      OWNED_MEMORY reference_piece *pieces = pieces_of_mesh(&s.mesh);
      const piece_list list = {pieces, mesh_element_count(&s.mesh)};
      const pair_answer wanted = reference_within(&list, 1, clearance);
      assert_true(wanted.count > 0);
      graze_query query = graze_query_default();
      query.clearance = clearance;
      for (size_t i = 0; i < VARIANT_COUNT; i++) {
        if (!running_variant_available(&variants[i])) continue;
        OWNED_SCENE *scene = runner_scene(&variants[i], &s.mesh, 1, NULL);
        compare_on(&variants[i], scene, &query, &wanted, "spread");
      }
      free(wanted.pairs);
    }
  }
}

/* ---------------------------------------------------------------------------------------------- models */

static double largest_coordinate(const mesh *meshes, size_t mesh_count) {
  double largest = 0.0;
  for (size_t i = 0; i < mesh_count; i++)
    for (size_t k = 0; k < 3 * meshes[i].vertex_count; k++) largest = fmax(largest, fabs(meshes[i].positions[k]));
  return largest;
}

static void compare_methods(const char *name, const mesh *meshes, size_t mesh_count, size_t first) {
  const double size = largest_coordinate(meshes, mesh_count);
  const double part[3] = {0.02, 1e-7, 0.1};
  const running_variant reference = running_variant_reference();
  OWNED_SCENE *judging = runner_scene(&reference, meshes, mesh_count, NULL);
  graze_query query = graze_query_default(), boxes = query;
  query.clearance = boxes.clearance = fmin(size * part[first % 3], DBL_MAX);
  boxes.candidates_only = true;
  const pair_answer plain = runner_find(judging, &query);
  const pair_answer near_boxes = runner_find(judging, &boxes);
  assert_true(near_boxes.count >= plain.count);
  for (size_t i = 1 + first % 3; i < VARIANT_COUNT; i += 3) {
    if (!running_variant_available(&variants[i])) continue;
    OWNED_SCENE *scene = runner_scene(&variants[i], meshes, mesh_count, NULL);
    compare_on(&variants[i], scene, &query, &plain, name);
    compare_on(&variants[i], scene, &boxes, &near_boxes, name);
  }
  free(plain.pairs);
  free(near_boxes.pairs);
}

TEST(test_models_agree) {
  for (size_t number = 0; number < model_count(); number++) {
    OWNED(mesh_set) made = torture_set(model_at(number)->name, test_scaled(120, 50), number);
    compare_methods(model_at(number)->name, made.meshes, made.count, number);
  }
  for (size_t number = 0; number < torture_scene_count(); number++) {
    OWNED(mesh_set) set = made_set(torture_scene_at(number)->make);
    if (set.count > 0 && mesh_element_count(&set.meshes[0]) < 600)
      compare_methods(torture_scene_at(number)->name, set.meshes, set.count, number);
  }
}

/* A sheet of so many squares an axis, cut into triangles, at a height that rises with x. */
enum { SHEET_SQUARES = 30 };

static mesh sheet_make(double height, double slope) {
  const size_t row = SHEET_SQUARES + 1;
  mesh m = {.vertex_count = row * row, .triangle_count = 2 * SHEET_SQUARES * SHEET_SQUARES};
  m.polygon_count = m.triangle_count;
  m.positions = malloc(3 * m.vertex_count * sizeof *m.positions);
  m.triangles = malloc(3 * m.triangle_count * sizeof *m.triangles);
  assert_true(m.positions != NULL && m.triangles != NULL);
  for (size_t i = 0; i < m.vertex_count; i++) {
    m.positions[3 * i] = (double)(i % row);
    m.positions[3 * i + 1] = (double)(i / row);
    m.positions[3 * i + 2] = height + slope * (double)(i % row);
  }
  uint32_t *corner = m.triangles;
  for (uint32_t y = 0; y < SHEET_SQUARES; y++)
    for (uint32_t x = 0; x < SHEET_SQUARES; x++) {
      const uint32_t at = y * (uint32_t)row + x, above = at + (uint32_t)row;
      const uint32_t corners[6] = {at, at + 1, above, at + 1, above + 1, above};
      memcpy(corner, corners, sizeof corners);
      corner += 6;
    }
  return m;
}

static bool is_of_first_strip(const graze_pair *pair, const void *context) {
  (void)context;
  return pair->primitive_a < 2 * SHEET_SQUARES;
}

/* Of many primitives those that lie in no space of two objects are left out before the search: the space grows too. The
 * sheets are near each other at one end. */
TEST(test_sheets_that_share_space) {
  mesh meshes[2] = {sheet_make(0.0, 0.0), sheet_make(1.5, 0.25)};
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BETWEEN;
  for (int round = 0; round < 3; round++) {
    query.clearance = round == 0 ? 1.5 : round == 1 ? 1.4 : 3.0;
    reference_piece *pieces[2] = {pieces_of_mesh(&meshes[0]), pieces_of_mesh(&meshes[1])};
    /* A strip of the first sheet represents it: all strips are alike. */
    const piece_list lists[2] = {{pieces[0], 2 * SHEET_SQUARES}, {pieces[1], 10 * SHEET_SQUARES}};
    const pair_answer both = reference_within(lists, 2, query.clearance);
    const pair_answer wanted = part_of(&both, is_between, NULL);
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
      if (!running_variant_available(&variants[i])) continue;
      OWNED_SCENE *scene = runner_scene(&variants[i], meshes, 2, NULL);
      const pair_answer all = runner_find(scene, &query);
      const pair_answer found = part_of(&all, is_of_first_strip, NULL);
      runner_compare(&wanted, &found, "sheets", variants[i].method);
      free(all.pairs);
      free(found.pairs);
    }
    assert_true(wanted.count > 0 || round == 1);
    free(wanted.pairs);
    free(both.pairs);
    free(pieces[0]);
    free(pieces[1]);
  }
  mesh_free(&meshes[0]);
  mesh_free(&meshes[1]);
}

/* ---------------------------------------------------------------------------------------------- refusals */

TEST(test_refusals) {
  OWNED_MEMORY lattice *from = lattice_make(1.0, 4);
  const running_variant reference = running_variant_reference();
  OWNED_SCENE *scene = lattice_scene(&reference, from);
  const double wrong[] = {-1.0, -DBL_TRUE_MIN, NAN, HUGE_VAL};
  OWNED(graze_pairs) pairs = {0};
  graze_query query = graze_query_default();
  assert_true(query.clearance == 0.0);
  for (size_t i = 0; i < 4; i++) {
    query.clearance = wrong[i];
    assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_INVALID_ARGUMENT);
    assert_non_null(strstr(graze_error_text(), "clearance"));
    assert_null(pairs.pairs);
  }
  query.clearance = 1.0;
  query.clearance_rings = 65;
  assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_INVALID_ARGUMENT);
  assert_non_null(strstr(graze_error_text(), "clearance_rings"));
  query.clearance_rings = 1;
  query.clearance = DBL_MAX;
  query.scope = GRAZE_SCOPE_BETWEEN;
  assert_ok(graze_scene_find_pairs(scene, &query, &pairs));
  assert_int_equal(pairs.count, 10 * LATTICE_PRIMITIVES * LATTICE_PRIMITIVES);
}
