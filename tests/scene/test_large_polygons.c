/* Compares pairs of polygons by trees of oriented bounding boxes with two plain loops: the same verdict, and contacts
 * with the same bits in the same order. Polygons are flat and bent, convex, star-shaped, crossing, on lattices so that
 * they touch; near and far from the origin; without memory; neighbors in one object. */
#include "base/checked_allocator.h"
#include "base/number_sequence.h"
#include "geometry/oriented_box.h"
#include "geometry/polygon_triangulation.h"
#include "graze/graze.h"
#include "narrow/pair_measure.h"
#include "narrow/primitive_pair.h"
#include "scene_calls.h"
#include "test_scale.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS_MOST = 20000, POINTS_MOST = 1 << 20 };

typedef struct test_polygon {
  double points[CORNERS_MOST][3];
  uint32_t corners[CORNERS_MOST];
  uint32_t corner_first[2];
  uint32_t pieces[3 * CORNERS_MOST];
  uint8_t repeats;
} test_polygon;

typedef struct polygon_pair {
  test_polygon polygons[2];
  uint32_t scratch[9 * CORNERS_MOST + 96];
  double points[2][POINTS_MOST][3];
  uint64_t random;
} polygon_pair;

static int set_up(void **state) {
  *state = calloc(1, sizeof(polygon_pair));
  return *state == NULL;
}

static int tear_down(void **state) {
  free(*state);
  return 0;
}

static double fraction(polygon_pair *pair) {
  return (double)(sequence_next(&pair->random) >> 11) * 0x1p-53;
}

static uint32_t below(polygon_pair *pair, uint32_t bound) {
  return (uint32_t)sequence_below(&pair->random, bound);
}

/* ---------------------------------------------------------------------------------------------- polygons */

typedef enum outline { OUTLINE_DISC, OUTLINE_STAR, OUTLINE_TANGLE, OUTLINE_LATTICE, OUTLINE_WALK, OUTLINES } outline;

static void make_outline(polygon_pair *pair, test_polygon *polygon, outline shape, uint32_t count) {
  double x = 0.0, y = 0.0;
  assert_true(count <= CORNERS_MOST);
  for (uint32_t i = 0; i < count; i++) {
    const double angle = 6.283185307179586 * i / count;
    const double radius = shape == OUTLINE_STAR ? 0.1 + fraction(pair) : 1.0;
    switch (shape) {
    case OUTLINE_DISC:
    case OUTLINE_STAR:
      x = radius * cos(angle);
      y = radius * sin(angle);
      break;
    case OUTLINE_TANGLE:
      x = fraction(pair);
      y = fraction(pair);
      break;
    case OUTLINE_LATTICE:
      x = below(pair, 9) * 0.25 - 1.0;
      y = below(pair, 9) * 0.25 - 1.0;
      break;
    case OUTLINE_WALK:
    case OUTLINES:
      x += 0.1 * (fraction(pair) - 0.5);
      y += 0.1 * (fraction(pair) - 0.5);
      break;
    }
    const double place[3] = {x, y, 0.0};
    memcpy(polygon->points[i], place, sizeof place);
    polygon->corners[i] = i;
  }
  polygon->corner_first[0] = 0;
  polygon->corner_first[1] = count;
}

/* Turned about two axes and moved; every so often only moved, so that polygons are coplanar or parallel. */
static void place_polygon(polygon_pair *pair, test_polygon *polygon, bool turned, double offset) {
  const double a = turned ? 6.0 * fraction(pair) : 0.0, b = turned ? 6.0 * fraction(pair) : 0.0;
  const double reach = below(pair, 3) == 0 ? 0.0 : below(pair, 2) == 0 ? 1e-3 : 1.0;
  const double shift[3] = {offset + reach * (fraction(pair) - 0.5), reach * (fraction(pair) - 0.5),
                           reach * (fraction(pair) - 0.5)};
  for (uint32_t i = 0; i < polygon->corner_first[1]; i++) {
    double *p = polygon->points[i];
    const double x = p[0] * cos(a) - p[2] * sin(a), z = p[0] * sin(a) + p[2] * cos(a), y = p[1];
    p[0] = x + shift[0];
    p[1] = y * cos(b) - z * sin(b) + shift[1];
    p[2] = y * sin(b) + z * cos(b) + shift[2];
  }
}

static void spoil_polygon(polygon_pair *pair, test_polygon *polygon) {
  const uint32_t count = polygon->corner_first[1];
  switch (below(pair, 6)) {
  case 0: /* repeated corners and spikes */
    for (uint32_t i = 2; i < count; i++)
      if (below(pair, 8) == 0) memcpy(polygon->points[i], polygon->points[i - 1 - below(pair, 2)], 3 * sizeof(double));
    break;
  case 1: /* bent */
    for (uint32_t i = 0; i < count; i++) polygon->points[i][2] += 0.2 * fraction(pair);
    break;
  case 2: /* without width */
    for (uint32_t i = 0; i < count; i++) polygon->points[i][1] = polygon->points[i][0];
    break;
  default:
    break;
  }
}

static void clipped_polygon(polygon_pair *pair, test_polygon *polygon) {
  polygon_triangulate(polygon->points[0], polygon->corner_first[1], pair->scratch, (uint32_t(*)[3])polygon->pieces);
}

/* ---------------------------------------------------------------------------------------------- comparison */

typedef struct pair_scene {
  object_source sources[2];
  primitive_header headers[2];
  primitive_view view;
} pair_scene;

static void make_scene(polygon_pair *pair, pair_scene *scene) {
  for (uint32_t i = 0; i < 2; i++) {
    test_polygon *polygon = &pair->polygons[i];
    scene->sources[i] = (object_source){.positions = polygon->points,
                                        .first_vertex = i * CORNERS_MOST,
                                        .first_primitive = i,
                                        .is_double = true,
                                        .kind = GRAZE_KIND_POLYGON,
                                        .corners = polygon->corners,
                                        .corner_first = polygon->corner_first,
                                        .triangulation = polygon->pieces,
                                        .repeats = &polygon->repeats};
    scene->headers[i] = (primitive_header){{i * CORNERS_MOST, i * CORNERS_MOST + 1, i * CORNERS_MOST + 2}, i};
  }
  scene->view = (primitive_view){.sources = scene->sources, .headers = scene->headers};
}

static bool verdict(const pair_scene *scene, memory *heap) {
  orientation_tally tally = {0};
  return primitive_pair_meets(&scene->view, (index_pair){0, 1}, GRAZE_TEST_SAT, false, heap, &tally);
}

/* Whether trees were made. */
static bool compare(polygon_pair *pair, const pair_scene *scene, size_t refused) {
  checked_allocator allocator;
  memory heap;
  checked_init(&allocator, &heap, refused);
  allocator.refuse_all_after = true;
  const bool meets = verdict(scene, NULL);
  assert_int_equal(verdict(scene, &heap), meets);
  graze_contact contacts[2];
  memset(contacts, 0, sizeof contacts);
  for (int i = 0; i < 2; i++) {
    const measured_scene measured = {scene->sources, scene->headers, GRAZE_TEST_SAT, i == 0 ? NULL : &heap, false, 0};
    assert_int_equal(pair_measure(&measured, (index_pair){0, 1}, &contacts[i], pair->points[i], POINTS_MOST), meets);
  }
  assert_memory_equal(&contacts[0], &contacts[1], sizeof contacts[0]);
  const size_t count = contacts[0].point_count < POINTS_MOST ? contacts[0].point_count : POINTS_MOST;
  if (meets) assert_int_equal(memcmp(pair->points[0], pair->points[1], count * sizeof pair->points[0][0]), 0);
  assert_true(checked_is_clean(&allocator, &heap));
  return atomic_load(&allocator.allocations) > 0;
}

TEST(test_trees_find_what_loops_find) {
  polygon_pair *pair = *state;
  const size_t rounds = test_scaled(1200, 60);
  size_t with_trees = 0, met = 0;
  for (size_t round = 0; round < rounds; round++) {
    pair->random = round;
    const bool turned = below(pair, 3) != 0;
    const double offset = below(pair, 5) == 0 ? 1e6 : 0.0, scale = below(pair, 6) == 0 ? 0x1p-1060 : 1.0;
    for (int i = 0; i < 2; i++) {
      make_outline(pair, &pair->polygons[i], (outline)below(pair, OUTLINES), 20 + below(pair, 180));
      spoil_polygon(pair, &pair->polygons[i]);
      place_polygon(pair, &pair->polygons[i], turned, offset);
      for (uint32_t k = 0; k < pair->polygons[i].corner_first[1]; k++)
        for (int axis = 0; axis < 3; axis++) pair->polygons[i].points[k][axis] *= scale;
      clipped_polygon(pair, &pair->polygons[i]);
      if (below(pair, 4) == 0) spoil_polygon(pair, &pair->polygons[i]); /* moved after it was cut */
    }
    pair_scene scene;
    make_scene(pair, &scene);
    with_trees += compare(pair, &scene, SIZE_MAX);
    met += verdict(&scene, NULL);
  }
  assert_true(with_trees > rounds / 8 && met > rounds / 8 && met < rounds - rounds / 8);
}

TEST(test_no_memory_changes_nothing) {
  polygon_pair *pair = *state;
  pair->random = 5;
  for (int i = 0; i < 2; i++) {
    make_outline(pair, &pair->polygons[i], OUTLINE_STAR, 200);
    for (uint32_t k = 0; k < 200; k++) pair->polygons[i].points[k][2] = 1e-3 * i + 0.5 * pair->polygons[i].points[k][0];
    clipped_polygon(pair, &pair->polygons[i]);
  }
  pair_scene scene;
  make_scene(pair, &scene);
  for (size_t refused = 0; refused < 3; refused++) assert_true(compare(pair, &scene, refused));
}

/* Discs in parallel planes askew to all axes: boxes along the axes all meet. By loops this takes minutes. */
TEST(test_large_polygons_take_no_product) {
  polygon_pair *pair = *state;
  const uint32_t count = (uint32_t)test_scaled(CORNERS_MOST, 2000);
  for (int i = 0; i < 2; i++) {
    make_outline(pair, &pair->polygons[i], OUTLINE_DISC, count);
    for (uint32_t k = 0; k < count; k++) {
      double *p = pair->polygons[i].points[k];
      p[2] = 0.7 * p[0] + 0.6 * p[1] + 1e-3 * i;
    }
    clipped_polygon(pair, &pair->polygons[i]);
  }
  pair_scene scene;
  make_scene(pair, &scene);
  memory heap;
  memory_init(&heap, NULL);
  assert_false(verdict(&scene, &heap));
  /* A corner in the middle is pulled through the other disc. */
  pair->polygons[1].points[count / 2][2] -= 1.0;
  assert_true(verdict(&scene, &heap));
}

/* ---------------------------------------------------------------------------------------------- boxes */

/* Boxes that are called separate have a plane between all of their points by a margin that no rounding undoes. */
TEST(test_separate_boxes_hold_no_common_point) {
  polygon_pair *pair = *state;
  size_t separate = 0;
  const size_t rounds = test_scaled(20000, 1000);
  for (size_t round = 0; round < rounds; round++) {
    pair->random = round;
    vector3 sets[2][6];
    oriented_box boxes[2];
    const double scale = ldexp(1.0, (int)below(pair, 2000) - 1000), width = fraction(pair);
    for (int i = 0; i < 2; i++) {
      for (int k = 0; k < 6; k++)
        sets[i][k] = vector3_make(scale * fraction(pair), scale * fraction(pair), scale * width * fraction(pair));
      if (i == 1 && below(pair, 2) == 0) sets[1][below(pair, 6)] = sets[0][below(pair, 6)];
    }
    bool common = false;
    for (int i = 0; i < 2; i++) {
      box_fitting fitting;
      box_fitting_begin(&fitting, sets[i], 6);
      for (int k = 0; k < 6; k++) box_fitting_include(&fitting, sets[i][k]);
      boxes[i] = box_fitting_end(&fitting);
    }
    for (int i = 0; i < 36; i++) common = common || memcmp(&sets[0][i / 6], &sets[1][i % 6], sizeof(vector3)) == 0;
    const bool apart = oriented_boxes_separate(&boxes[0], &boxes[1]);
    assert_false(apart && common);
    assert_false(oriented_boxes_separate(&boxes[0], &boxes[0]));
    separate += apart;
  }
  assert_true(separate > 0);
}

/* ---------------------------------------------------------------------------------------------- neighbors */

static size_t pairs_within(polygon_pair *pair, uint32_t count, uint32_t shared, graze_neighbors neighbors) {
  const uint32_t sizes[2] = {count, count};
  uint32_t *corners = pair->scratch;
  double(*points)[3] = pair->points[0];
  for (uint32_t i = 0; i < 2 * count; i++) {
    const double angle = 6.283185307179586 * (i % count) / count;
    const double place[3] = {cos(angle), i < count ? sin(angle) : 0.0, i < count ? 0.0 : sin(angle)};
    memcpy(points[i], place, sizeof place);
    corners[i] = i * 7919u % (2 * count); /* no ring in ascending order; 7919 is prime */
  }
  double(*placed)[3] = pair->points[1];
  for (uint32_t i = 0; i < 2 * count; i++) memcpy(placed[corners[i]], points[i], sizeof *points);
  if (shared < count) corners[count + shared] = corners[shared];
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = (graze_view){placed, 2 * (size_t)count, sizeof *placed, GRAZE_FORMAT_DOUBLE3};
  def.corners = (graze_view){corners, 2 * (size_t)count, sizeof *corners, GRAZE_FORMAT_UINT32};
  def.face_sizes = (graze_view){sizes, 2, sizeof *sizes, GRAZE_FORMAT_UINT32};
  graze_object object;
  OWNED_SCENE *scene = create_scene(NULL);
  assert_ok(graze_scene_add(scene, GRAZE_KIND_POLYGON, &def, NULL, &object));
  assert_ok(graze_scene_update(scene));
  graze_query query = graze_query_default();
  query.scope = GRAZE_SCOPE_BOTH;
  query.neighbors = neighbors;
  OWNED(graze_pairs) pairs = find_pairs(scene, &query);
  const size_t found = pairs.count;
  return found;
}

/* On both sides of the size from which corners are kept in order. */
TEST(test_large_neighbors_share_a_corner) {
  static const uint32_t counts[] = {300, ASCENDING_LEAST - 1, ASCENDING_LEAST, 3000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    const uint32_t n = counts[i];
    assert_int_equal(pairs_within(*state, n, UINT32_MAX, GRAZE_NEIGHBORS_SKIP), 1);
    for (uint32_t shared = 0; shared < n; shared += n / 3)
      assert_int_equal(pairs_within(*state, n, shared, GRAZE_NEIGHBORS_SKIP), 0);
    assert_int_equal(pairs_within(*state, n, n / 2, GRAZE_NEIGHBORS_BEYOND), 1);
  }
}

TEST_GROUP(set_up, tear_down)
