/* Tests the table of kinds, and the code based on it, for primitives with any number of corners, including one and two,
 * which no kind has yet. The lists of corners end at the end of their memory, so that a sanitizer detects reads beyond
 * them. */
#include "analysis/crowding_rule.h"
#include "base/number_sequence.h"
#include "broad/partner_rule.h"
#include "cuda/stage_entries.h"
#include "narrow/pair_measure_inline.h"
#include "testing.h"

#include <stdlib.h>

enum { WIDTH_MOST = 6, ELEMENTS = 40, VERTICES = 24, FIRST_VERTEX = 100, FIRST_PRIMITIVE = 7 };

/* Elements of `width` corners each; 0: of one to WIDTH_MOST. */
typedef struct drawn_elements {
  uint32_t *corners, first[ELEMENTS + 1];
  double positions[3 * VERTICES];
  rounded_vertex rounded_vertices[FIRST_VERTEX + VERTICES];
  primitive_header headers[FIRST_PRIMITIVE + ELEMENTS];
  object_source source;
} drawn_elements;

static void make_elements(drawn_elements *list, uint8_t width, uint64_t seed) {
  uint64_t sequence = seed;
  memset(list, 0, sizeof *list);
  for (int i = 0; i < 3 * VERTICES; i++) list->positions[i] = (double)sequence_below(&sequence, 1000) / 1024.0;
  for (int i = 0; i < VERTICES; i++) {
    const double *at = list->positions + 3 * i;
    list->rounded_vertices[FIRST_VERTEX + i] = (rounded_vertex){(float)at[0], (float)at[1], (float)at[2], 0.0f};
  }
  for (int i = 0; i < ELEMENTS; i++)
    list->first[i + 1] =
        list->first[i] + (width != CORNERS_VARY ? width : 1 + (uint32_t)sequence_below(&sequence, WIDTH_MOST));
  list->corners = malloc(list->first[ELEMENTS] * sizeof *list->corners);
  assert_non_null(list->corners);
  for (uint32_t i = 0; i < list->first[ELEMENTS]; i++) list->corners[i] = (uint32_t)sequence_below(&sequence, VERTICES);
  list->source = (object_source){.positions = list->positions,
                                 .first_vertex = FIRST_VERTEX,
                                 .first_primitive = FIRST_PRIMITIVE,
                                 .is_double = true,
                                 .corner_count = width,
                                 .kind = GRAZE_KIND_POLYHEDRON,
                                 .corners = list->corners,
                                 .corner_first = width == CORNERS_VARY ? list->first : NULL};
  for (uint32_t i = 0; i < ELEMENTS; i++)
    list->headers[FIRST_PRIMITIVE + i] = primitive_header_of(&list->source, FIRST_PRIMITIVE + i, 0);
}

static uint32_t width_of(const drawn_elements *list, uint32_t element) {
  return list->first[element + 1] - list->first[element];
}

/* The definition that the others are compared with. */
static bool have_common(const drawn_elements *list, uint32_t a, uint32_t b) {
  for (uint32_t i = list->first[a]; i < list->first[a + 1]; i++)
    for (uint32_t j = list->first[b]; j < list->first[b + 1]; j++)
      if (list->corners[i] == list->corners[j]) return true;
  return false;
}

static bool repeats(const drawn_elements *list, uint32_t a) {
  for (uint32_t i = list->first[a]; i < list->first[a + 1]; i++)
    for (uint32_t j = i + 1; j < list->first[a + 1]; j++)
      if (list->corners[i] == list->corners[j]) return true;
  return false;
}

/* ---------------------------------------------------------------------------------------------- corners */

static void check_corners(const drawn_elements *list) {
  for (uint32_t i = 0; i < ELEMENTS; i++) {
    const corner_list corners = corners_of(&list->source, FIRST_PRIMITIVE + i);
    assert_int_equal(corners.count, width_of(list, i));
    assert_ptr_equal(corners.vertices, list->corners + list->first[i]);
    const primitive_header *header = &list->headers[FIRST_PRIMITIVE + i];
    for (uint32_t corner = 0; corner < 3; corner++) {
      const uint32_t there = corner < corners.count ? corner : corners.count - 1;
      assert_int_equal(header->corner[corner], FIRST_VERTEX + corners.vertices[there]);
    }
    if (list->source.corner_count != CORNERS_VARY)
      assert_int_equal(primitive_repeats_vertex(&list->source, FIRST_PRIMITIVE + i), repeats(list, i));
  }
}

static uint32_t fourth_of(const drawn_elements *list, uint32_t element) {
  return list->source.corner_count == 4 ? FIRST_VERTEX + list->corners[list->first[element] + 3] : 0;
}

static void check_neighbors(const drawn_elements *list) {
  const object_rule object = {1, 1, true, false, 0};
  const primitive_view view = {
      .sources = &list->source, .rules = &object, .object_count = 1, .within = true, .skip_neighbors = true};
  const bool headers_tell = headers_have_all_corners(&list->source);
  assert_int_equal(headers_tell, list->source.corner_count >= 1 && list->source.corner_count <= 3);
  for (uint32_t a = 0; a < ELEMENTS; a++) {
    const primitive_header *a_header = &list->headers[FIRST_PRIMITIVE + a];
    const partner_rule rule = partner_rule_of(&view, a_header, FIRST_PRIMITIVE + a, fourth_of(list, a));
    for (uint32_t b = 0; b < ELEMENTS; b++) {
      const primitive_header *b_header = &list->headers[FIRST_PRIMITIVE + b];
      const uint32_t p = FIRST_PRIMITIVE + a, q = FIRST_PRIMITIVE + b;
      const bool expected = have_common(list, a, b);
      assert_int_equal(share_corner(&list->source, p, q), expected);
      assert_int_equal(have_common_corner(&list->source, a_header, b_header, p, q), expected);
      assert_int_equal(partner_is_skipped(&view, &rule, b_header, q, fourth_of(list, b)), expected);
      if (headers_tell) assert_int_equal(headers_share_corner(a_header, b_header), expected);
    }
  }
}

/* Boxes in exact coordinates, in normalized coordinates, and on a device; positions are floats, so that all are the
 * same. */
static void check_boxes(const drawn_elements *list) {
  scene_arrays device;
  memset(&device, 0, sizeof device);
  device.sources = &list->source;
  device.rounded_vertices = (rounded_vertex *)list->rounded_vertices;
  for (uint32_t i = 0; i < ELEMENTS; i++) {
    const uint32_t primitive = FIRST_PRIMITIVE + i;
    const corner_list corners = corners_of(&list->source, primitive);
    const exact_box exact = box_of_corners(&list->source, corners);
    const normalized_bounds frame = normalized_bounds_of(&list->source, corners, list->rounded_vertices);
    device.only_triangles = headers_have_all_corners(&list->source) ? i % 2 : 0;
    const primitive_box box = device_box(&device, &list->headers[primitive], primitive);
    for (int axis = 0; axis < 3; axis++) {
      double low = HUGE_VAL, high = -HUGE_VAL;
      for (uint32_t k = list->first[i]; k < list->first[i + 1]; k++) {
        low = fmin(low, list->positions[3 * list->corners[k] + axis]);
        high = fmax(high, list->positions[3 * list->corners[k] + axis]);
      }
      assert_true(exact.min[axis] == low && exact.max[axis] == high);
      assert_true(frame.min[axis] == low && frame.max[axis] == high);
      assert_true((double)box.min[axis] == low && (double)box.max[axis] == high);
    }
  }
}

TEST(test_any_number_of_corners) {
  for (uint8_t width = 0; width <= WIDTH_MOST; width++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      drawn_elements list;
      make_elements(&list, width, seed);
      check_corners(&list);
      check_neighbors(&list);
      check_boxes(&list);
      free(list.corners);
    }
}

/* ---------------------------------------------------------------------------------------------- hulls */

/* A tetrahedron, four points and three segments: hulls of four, one and two corners. */
typedef struct small_hulls {
  object_source sources[3];
  primitive_header headers[8];
} small_hulls;

static const double hull_positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, .25, .25, .25, 1, 1, 1, .5, .5, 0};
static const uint32_t hull_corners[3][6] = {{0, 1, 2, 3}, {4, 5, 6, 0}, {4, 5, 5, 6, 5, 5}};

/* Whether two of them meet, the lower one's line first. */
static const bool hulls_meet[8][8] = {
    {1, 1, 0, 1, 1, 1, 1, 0}, /* the tetrahedron */
    {0, 1, 0, 0, 0, 1, 0, 0}, /* points: one inside of it, one outside, one on its edge, its corner */
    {0, 0, 1, 0, 0, 1, 1, 1}, {0, 0, 0, 1, 0, 0, 1, 0}, {0, 0, 0, 0, 1, 0, 0, 0},
    {0, 0, 0, 0, 0, 1, 1, 1}, /* segments: from inside out, from outside to the edge, one without length */
    {0, 0, 0, 0, 0, 0, 1, 1}, {0, 0, 0, 0, 0, 0, 0, 1}};

/* Points and segments are of a kind that is not theirs, for whether that is a surface or a solid. */
static small_hulls make_small_hulls(graze_kind kind) {
  static const uint8_t widths[3] = {4, 1, 2};
  static const uint32_t first[4] = {0, 1, 5, 8};
  small_hulls hulls;
  for (uint32_t i = 0; i < 3; i++) {
    hulls.sources[i] = (object_source){.positions = hull_positions,
                                       .first_primitive = first[i],
                                       .is_double = true,
                                       .corner_count = widths[i],
                                       .kind = i == 0 ? GRAZE_KIND_TETRAHEDRON : kind,
                                       .corners = hull_corners[i]};
    for (uint32_t k = first[i]; k < first[i + 1]; k++) hulls.headers[k] = primitive_header_of(&hulls.sources[i], k, i);
  }
  return hulls;
}

TEST(test_small_hulls_meet) {
  const graze_test tests[2] = {GRAZE_TEST_SAT, GRAZE_TEST_GJK};
  const small_hulls hulls = make_small_hulls(GRAZE_KIND_POLYHEDRON);
  for (uint32_t a = 0; a < 8; a++)
    for (uint32_t b = 0; b < 8; b++)
      for (int i = 0; i < 2; i++) {
        orientation_tally tally = {0};
        const bool meet =
            primitives_meet(hulls.sources, hulls.headers, (index_pair){a, b}, tests[i], false, NULL, &tally);
        assert_int_equal(meet, a < b ? hulls_meet[a][b] : hulls_meet[b][a]);
      }
}

/* Contacts of what has no volume: a common point, and no points where both are filled. */
static void check_contact(const small_hulls *hulls, index_pair pair, graze_test test, bool solids) {
  enum { ROOM = 32 };
  double points[ROOM][3];
  const measured_scene scene = {hulls->sources, hulls->headers, test, NULL, false, 0};
  point_writer writer = point_writer_make(points, ROOM);
  graze_contact contact;
  memset(&contact, 0, sizeof contact);
  const bool meet = measure_others(&scene, pair, &contact, &writer);
  assert_int_equal(meet, pair.a < pair.b ? hulls_meet[pair.a][pair.b] : hulls_meet[pair.b][pair.a]);
  if (!meet) return;
  assert_true(contact.volume == 0.0);
  if (pair.a > 0 && pair.b > 0) assert_true(fabs(contact.depth) < 1e-12);
  if (pair.a + pair.b == 1) assert_true(fabs(contact.depth - 0.25 / sqrt(3.0)) < 1e-12); /* to the slanted face */
  assert_int_equal(contact.point_count > 0, !solids);
  for (int side = 0; side < 2; side++) {
    const uint32_t primitive = side == 0 ? pair.a : pair.b;
    if (primitive < 1 || primitive > 4) continue; /* where a point meets something, it is there */
    for (int axis = 0; axis < 3; axis++)
      assert_true(fabs(contact.centroid[axis] - hull_positions[3 * hull_corners[1][primitive - 1] + axis]) < 1e-12);
  }
}

TEST(test_small_hulls_touch) {
  const graze_test tests[2] = {GRAZE_TEST_SAT, GRAZE_TEST_GJK};
  for (int solids = 0; solids < 2; solids++) {
    const small_hulls hulls = make_small_hulls(solids != 0 ? GRAZE_KIND_POLYHEDRON : GRAZE_KIND_TRIANGLE);
    for (uint32_t a = 0; a < 8; a++)
      for (uint32_t b = a == 0 ? 1 : 0; b < 8; b++)
        for (int i = 0; i < 2; i++) check_contact(&hulls, (index_pair){a, b}, tests[i], solids != 0);
  }
}

/* ---------------------------------------------------------------------------------------------- rows */

TEST(test_rows_hold_together) {
  int rows = 0;
#define COUNT_KIND(name, value, one, many) rows++;
  GRAZE_KIND_LIST(COUNT_KIND)
#undef COUNT_KIND
  assert_int_equal(rows, KIND_COUNT);
  for (int i = 0; i < KIND_COUNT; i++) {
    const graze_kind kind = (graze_kind)i;
    const kind_row row = kind_row_of(kind);
    assert_int_equal(graze_kind_is_solid(kind), kind_is_solid(kind));
    /* Assumptions of filters and contacts. */
    if (!kind_is_solid(kind) && !kind_is_cut(kind)) assert_true(row.corner_count >= 1 && row.corner_count <= 3);
    if (kind_is_solid(kind)) assert_true(row.corner_count <= 4);
    if (row.batch == BATCH_TRIANGLES) assert_true(row.corner_count == 3 && !kind_is_solid(kind) && !kind_is_cut(kind));
    if (row.batch == BATCH_TETRAHEDRA) assert_true(row.corner_count == 4 && kind_is_solid(kind));
    if (kind_is_cut(kind)) assert_true(row.corner_count == CORNERS_VARY && !kind_is_solid(kind));
    if (row.corner_count == CORNERS_VARY) assert_int_equal(row.insert_format, CANNOT_INSERT);
    assert_true(row.insert_format != GRAZE_FORMAT_UINT32_3 || row.corner_count == 3);
    assert_true(row.insert_format != GRAZE_FORMAT_UINT32_4 || row.corner_count == 4);
    assert_true(row.bound_factor > 0 && row.near_candidates > 0);
    for (int k = 0; k < KIND_COUNT; k++) {
      const kind_batch batch = batch_of_pair(kind, (graze_kind)k);
      assert_int_equal(batch, batch_of_pair((graze_kind)k, kind));
      assert_int_equal(batch, row.batch == kind_batch_of((graze_kind)k) ? row.batch : BATCH_OTHERS);
    }
  }
  assert_int_equal(kind_batch_of((graze_kind)KIND_COUNT), BATCH_OTHERS);
}
