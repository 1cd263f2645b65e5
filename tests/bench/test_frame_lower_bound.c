/* Compares the bytes of a frame and of contacts, for one more of each element, with the structs of a device's view. */
#include "bench/contact_lower_bound.h"
#include "bench/frame_lower_bound.h"
#include "testing.h"

#include "cuda/device_cell.h"
#include "cuda/pair_view.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Between two powers of two, so that one more primitive is no more buckets; few entries, so that not all are named. */
static const frame_sizes usual = {.vertices = 60000,
                                  .primitives = 100000,
                                  .position_bytes = 3 * sizeof(float),
                                  .candidates = 1000,
                                  .left_over = 100,
                                  .pairs = 10};
static const size_t buckets = 262144 + BLOCK_CELLS;

static double stage_bytes(const char *name, const frame_sizes *sizes) {
  for (size_t i = 0; i < frame_stage_count(); i++)
    if (strcmp(frame_stage_name(i), name) == 0) return frame_stage_bytes(i, sizes);
  fail_msg("there is no stage %s", name);
  return 0.0;
}

static void expect_bytes(const char *name, const frame_sizes *sizes, size_t expected) {
  if (stage_bytes(name, sizes) != (double)expected)
    fail_msg("%s: %.0f bytes, expected %zu", name, stage_bytes(name, sizes), expected);
}

TEST(bytes_are_those_of_the_arrays) {
  const frame_sizes *s = &usual;
  const size_t count = sizeof(uint32_t), header = sizeof(primitive_header), rounded = sizeof(rounded_vertex);
  const size_t entry = sizeof(device_entry) - header + sizeof(cell_box), candidate = sizeof(index_pair),
               key = sizeof(uint64_t), position = 3 * sizeof(float);
  const size_t marks = 2; /* of a bucket: eight bytes of a block for four of them */
  const size_t boxes = s->primitives * header + s->vertices * rounded;
  expect_bytes("pose", s, s->vertices * (position + count));
  expect_bytes("rounding", s, s->vertices * (position + count + rounded));
  expect_bytes("volume", s, 0);
  expect_bytes("clear", s, (count + marks) * buckets + s->primitives * count);
  expect_bytes("box", s, 2 * (count + marks) * buckets + boxes + s->primitives * 2 * count);
  expect_bytes("scan", s, 2 * count * buckets);
  expect_bytes("entry", s, count * buckets + boxes + s->primitives * (2 * count + entry + header));
  expect_bytes("search", s, (count + marks) * buckets + s->primitives * (entry + header) + s->candidates * candidate);
  expect_bytes("filter", s, s->candidates * (candidate + 2 * header + 6 * rounded) + s->left_over * candidate);
  expect_bytes("exact", s,
               s->left_over * (candidate + 2 * header + 6 * position) +
                   s->pairs * (key + count + 2 * count + 2 * count));
  expect_bytes("sums", s, 2 * count * s->primitives);
  expect_bytes("partner", s, s->pairs * (key + count + key + count));
  expect_bytes("rank", s, s->pairs * (key + count + 2 * header + sizeof(graze_pair)));
}

TEST(pairs_of_millions_are_counted_by_groups) {
  const size_t primitives[] = {2097152, 2097153, 4194305, 10000000}, groups[] = {2097152, 1048577, 2097153, 1250000};
  for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
    frame_sizes many = usual;
    many.primitives = primitives[i];
    expect_bytes("sums", &many, 2 * sizeof(uint32_t) * groups[i]);
  }
}

TEST(tetrahedra_read_their_corners) {
  const size_t corners = 4 * sizeof(uint32_t);
  frame_sizes solids = usual;
  solids.corner_bytes = corners;
  expect_bytes("volume", &solids,
               usual.primitives * (sizeof(primitive_header) + corners) + usual.vertices * 3 * sizeof(float));
  expect_bytes("box", &solids, (size_t)stage_bytes("box", &usual) + usual.primitives * corners);
  expect_bytes("entry", &solids, (size_t)stage_bytes("entry", &usual) + usual.primitives * 2 * corners);
  expect_bytes("search", &solids, (size_t)stage_bytes("search", &usual) + usual.primitives * corners);
  assert_int_equal(corners, sizeof(primitive_header));
  expect_bytes("filter", &solids, (size_t)stage_bytes("filter", &usual));
  expect_bytes("exact", &solids, (size_t)stage_bytes("exact", &usual) + 2 * usual.left_over * corners);
}

/* However long a list is, it names no more than there is. */
TEST(nothing_is_named_twice) {
  frame_sizes crowded = usual;
  crowded.candidates = 10000000;
  expect_bytes("filter", &crowded,
               crowded.candidates * sizeof(index_pair) + usual.left_over * sizeof(index_pair) +
                   usual.primitives * sizeof(primitive_header) + usual.vertices * sizeof(rounded_vertex));
}

TEST(a_frame_is_the_sum_of_its_stages) {
  double sum = 0.0;
  for (size_t i = 0; i < frame_stage_count(); i++) sum += frame_stage_bytes(i, &usual);
  assert_true(sum == frame_bytes(&usual));
  frame_sizes empty = {0};
  assert_true(frame_bytes(&empty) < 1e5); /* the least number of buckets */
}

/* Few contacts of two primitives each, of which none is named twice; then more of them than there are primitives. */
TEST(contacts_are_those_of_the_arrays) {
  const size_t number = sizeof(uint32_t), point = 3 * sizeof(double), position = 3 * sizeof(float);
  const size_t each = sizeof(graze_pair) + sizeof(graze_contact);
  const size_t numbers = 4 * number /* measured and summed up */ + 2 * number /* joined */;
  contact_sizes s = {
      .vertices = 60000, .primitives = 100000, .contacts = 100, .points = 200, .kind = GRAZE_KIND_TRIANGLE};
  const size_t header = sizeof(primitive_header), corners = sizeof(solid_corners);
  assert_true(contact_bytes(&s) == (double)(100 * (each + numbers + 2 * header + 6 * position) + 200 * 3 * point));
  s.points = 0;
  s.kind = GRAZE_KIND_TETRAHEDRON;
  const size_t named = 2 * (header + corners) + 8 * position;
  const size_t volume = 4 * sizeof(double) /* and its centroid */ + sizeof(int32_t) /* and its unit */;
  assert_true(contact_bytes(&s) == (double)(100 * (each + sizeof(graze_pair) + 2 * (named + volume))));
  s.kind = GRAZE_KIND_SPHERE;
  assert_true(contact_bytes(&s) == (double)(100 * (each + 2 * header + 2 * (position + sizeof(double)))));
  s.contacts = 1000000;
  assert_true(contact_bytes(&s) ==
              (double)(1000000 * each + s.primitives * header + s.vertices * (position + sizeof(double))));
}
