/* Tests the functions for names: they return the lists of the headers, in order, each name once, and nothing past the
 * end. */
#include "graze/names.h"
#include "testing.h"

#include <limits.h>
#include <string.h>

typedef struct expected_name {
  const char *name, *description;
  int value;
} expected_name;

typedef struct public_list {
  graze_enumeration what;
  const expected_name *expected; /* NULL: in no list of the header */
  size_t expected_count;
} public_list;

#define EXPECT_NAME(upper, number, words) {words, NULL, number},
#define EXPECT_RESULT(upper, number, words) {#upper, words, number},
#define EXPECT_KIND(upper, number, one, many) {one, NULL, number},
#define EXPECT_WORDS(lower, words) {#lower, words, -1}, /* the value is the place */
static const expected_name results[] = {GRAZE_RESULT_LIST(EXPECT_RESULT)};
static const expected_name kinds[] = {GRAZE_KIND_LIST(EXPECT_KIND)};
static const expected_name threadings[] = {GRAZE_THREADING_LIST(EXPECT_NAME)};
static const expected_name simds[] = {GRAZE_SIMD_LIST(EXPECT_NAME)};
static const expected_name axes[] = {GRAZE_AXIS_LIST(EXPECT_NAME)};
static const expected_name distances[] = {GRAZE_METRIC_LIST(EXPECT_NAME)};
static const expected_name scopes[] = {GRAZE_SCOPE_LIST(EXPECT_NAME)};
static const expected_name neighbors[] = {GRAZE_NEIGHBORS_LIST(EXPECT_NAME)};
static const expected_name tests_of_pairs[] = {GRAZE_TEST_LIST(EXPECT_NAME)};
static const expected_name tree_builders[] = {GRAZE_TREE_BUILDER_LIST(EXPECT_NAME)};
static const expected_name tree_updates[] = {GRAZE_TREE_UPDATE_LIST(EXPECT_NAME)};
static const expected_name sphere_builders[] = {GRAZE_SPHERE_BUILDER_LIST(EXPECT_NAME)};
static const expected_name forces[] = {GRAZE_FORCE_LIST(EXPECT_NAME)};
static const expected_name clashes[] = {GRAZE_CLASH_LIST(EXPECT_NAME)};
static const expected_name stages[] = {GRAZE_STAGE_LIST(EXPECT_WORDS)};
static const expected_name counters[] = {GRAZE_COUNTER_LIST(EXPECT_WORDS)};

#define LIST(upper, names)                                                                                             \
  { GRAZE_ENUMERATION_##upper, names, sizeof names / sizeof names[0] }

static const public_list lists[] = {LIST(RESULT, results),
                                    LIST(KIND, kinds),
                                    LIST(THREADING, threadings),
                                    LIST(SIMD, simds),
                                    LIST(TREE_BUILDER, tree_builders),
                                    LIST(TREE_UPDATE, tree_updates),
                                    LIST(SPHERE_BUILDER, sphere_builders),
                                    LIST(AXIS, axes),
                                    LIST(METRIC, distances),
                                    LIST(SCOPE, scopes),
                                    LIST(NEIGHBORS, neighbors),
                                    LIST(TEST, tests_of_pairs),
                                    LIST(FORCE, forces),
                                    LIST(STAGE, stages),
                                    LIST(COUNTER, counters),
                                    {GRAZE_ENUMERATION_METHOD, NULL, 0},
                                    {GRAZE_ENUMERATION_BACKEND, NULL, 0},
                                    LIST(CLASH, clashes)};

static const size_t list_count = sizeof lists / sizeof lists[0];

static const char *const words[] = {
#define WORDS(upper, number, name) name,
    GRAZE_ENUMERATION_LIST(WORDS)
#undef WORDS
};

TEST(test_every_enumeration_is_tested) {
  assert_int_equal(list_count, sizeof words / sizeof words[0]);
  for (size_t k = 0; k < list_count; k++) assert_int_equal(lists[k].what, k);
}

TEST(test_names_are_those_of_the_header) {
  for (size_t k = 0; k < list_count; k++) {
    const public_list *list = &lists[k];
    if (list->expected == NULL) continue;
    if (graze_enumeration_count(list->what) != list->expected_count) fail_msg("%s: wrong count", words[k]);
    for (size_t i = 0; i < list->expected_count; i++) {
      const expected_name *expected = &list->expected[i];
      const int value = graze_enumeration_value(list->what, i);
      const char *description = graze_enumeration_description(list->what, value);
      assert_int_equal(value, expected->value >= 0 ? expected->value : (int)i);
      assert_string_equal(graze_enumeration_name(list->what, value), expected->name);
      assert_int_equal(description != NULL, expected->description != NULL);
      if (description != NULL) assert_string_equal(description, expected->description);
    }
  }
}

TEST(test_each_name_is_found_once) {
  for (size_t k = 0; k < list_count; k++) {
    const graze_enumeration what = lists[k].what;
    assert_true(graze_enumeration_count(what) > 0);
    for (size_t i = 0; i < graze_enumeration_count(what); i++) {
      const int value = graze_enumeration_value(what, i);
      int found = -7;
      assert_true(strlen(graze_enumeration_name(what, value)) > 0);
      assert_true(graze_enumeration_find(what, graze_enumeration_name(what, value), &found));
      if (found != value) fail_msg("%s: %s is there twice", words[k], graze_enumeration_name(what, value));
      if (lists[k].expected == NULL) assert_true(strlen(graze_enumeration_description(what, value)) > 0);
    }
  }
}

TEST(test_nothing_is_past_the_end) {
  for (size_t k = 0; k <= list_count; k++) { /* the last is no enumeration */
    const graze_enumeration what = (graze_enumeration)k;
    const size_t count = graze_enumeration_count(what);
    const size_t beyond[] = {count, count + 1, (size_t)INT_MAX, SIZE_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++)
      assert_int_equal(graze_enumeration_value(what, beyond[i]), -1);
    const int values[] = {-1, INT_MIN, INT_MAX, (int)count + 1};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
      assert_null(graze_enumeration_name(what, values[i]));
      assert_null(graze_enumeration_description(what, values[i]));
    }
    int value = 77;
    assert_false(graze_enumeration_find(what, "no such name", &value));
    assert_false(graze_enumeration_find(what, NULL, &value));
    assert_int_equal(value, 77);
  }
  assert_int_equal(graze_enumeration_count((graze_enumeration)list_count), 0);
  assert_int_equal(graze_enumeration_count((graze_enumeration)-1), 0);
  assert_string_equal(graze_result_text((graze_result)99), "unknown result");
}

TEST(test_values_are_those_of_the_fields) {
  graze_timings timings = {.struct_bytes = sizeof timings};
  graze_counters counted = {.struct_bytes = sizeof counted};
  double milliseconds = 1.5;
  uint64_t number = UINT64_C(1) << 40;
#define SET_STAGE(name, words) timings.name##_ms = milliseconds++;
#define SET_COUNTER(name, words) counted.name = number++;
  GRAZE_STAGE_LIST(SET_STAGE)
  GRAZE_COUNTER_LIST(SET_COUNTER)
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_STAGE); i++)
    assert_true(graze_timings_value(&timings, i) == 1.5 + (double)i);
  for (size_t i = 0; i < graze_enumeration_count(GRAZE_ENUMERATION_COUNTER); i++)
    assert_true(graze_counters_value(&counted, i) == (UINT64_C(1) << 40) + i);
  assert_true(graze_timings_value(&timings, graze_enumeration_count(GRAZE_ENUMERATION_STAGE)) == 0.0);
  assert_true(graze_timings_value(NULL, 0) == 0.0);
  assert_true(graze_counters_value(&counted, SIZE_MAX) == 0);
  assert_true(graze_counters_value(NULL, 0) == 0);
}
