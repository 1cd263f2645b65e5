/* Names through functions: those of the lists of the headers, in their order, each once, and nothing past the end. */
#include "graze/names.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

typedef struct expected_name {
  const char *name, *description;
  int value;
} expected_name;

typedef struct public_list {
  const char *words;
  size_t (*count)(void);
  const char *(*name)(size_t number);
  const char *(*description)(size_t number); /* NULL: has none */
  int (*value)(size_t number);               /* NULL: has none */
  const expected_name *expected;             /* NULL: in no list of the header */
  size_t expected_count;
} public_list;

#define EXPECT_NAME(upper, number, words) {words, NULL, number},
#define EXPECT_RESULT(upper, number, words) {#upper, words, number},
#define EXPECT_KIND(upper, number, one, many) {one, NULL, number},
#define EXPECT_WORDS(lower, words) {#lower, words, 0},
static const expected_name results[] = {GRAZE_RESULT_LIST(EXPECT_RESULT)};
static const expected_name kinds[] = {GRAZE_KIND_LIST(EXPECT_KIND)};
static const expected_name threadings[] = {GRAZE_THREADING_LIST(EXPECT_NAME)};
static const expected_name simds[] = {GRAZE_SIMD_LIST(EXPECT_NAME)};
static const expected_name axes[] = {GRAZE_AXIS_LIST(EXPECT_NAME)};
static const expected_name distances[] = {GRAZE_DISTANCE_LIST(EXPECT_NAME)};
static const expected_name scopes[] = {GRAZE_SCOPE_LIST(EXPECT_NAME)};
static const expected_name neighbours[] = {GRAZE_NEIGHBOURS_LIST(EXPECT_NAME)};
static const expected_name tests_of_pairs[] = {GRAZE_TEST_LIST(EXPECT_NAME)};
static const expected_name tree_builders[] = {GRAZE_TREE_BUILDER_LIST(EXPECT_NAME)};
static const expected_name tree_updates[] = {GRAZE_TREE_UPDATE_LIST(EXPECT_NAME)};
static const expected_name sphere_builders[] = {GRAZE_SPHERE_BUILDER_LIST(EXPECT_NAME)};
static const expected_name forces[] = {GRAZE_FORCE_LIST(EXPECT_NAME)};
static const expected_name clashes[] = {GRAZE_CLASH_LIST(EXPECT_NAME)};
static const expected_name stages[] = {GRAZE_STAGE_LIST(EXPECT_WORDS)};
static const expected_name counters[] = {GRAZE_COUNTER_LIST(EXPECT_WORDS)};

#define VALUES(list, names)                                                                                            \
  {                                                                                                                    \
#list, graze_##list##_count, graze_##list##_name, NULL, graze_##list##_value, names,                               \
        sizeof names / sizeof names[0]                                                                                 \
  }
#define DESCRIBED(list, names)                                                                                         \
  {                                                                                                                    \
#list, graze_##list##_count, graze_##list##_name, graze_##list##_description, NULL, names,                         \
        sizeof names / sizeof names[0]                                                                                 \
  }

static const public_list lists[] = {
    {"result", graze_result_count, graze_result_name, graze_result_description, graze_result_value, results,
     sizeof results / sizeof results[0]},
    VALUES(kind, kinds),
    VALUES(threading, threadings),
    VALUES(simd, simds),
    VALUES(axis, axes),
    VALUES(distance, distances),
    VALUES(scope, scopes),
    VALUES(neighbours, neighbours),
    VALUES(test, tests_of_pairs),
    VALUES(tree_builder, tree_builders),
    VALUES(tree_update, tree_updates),
    VALUES(sphere_builder, sphere_builders),
    VALUES(force, forces),
    VALUES(clash, clashes),
    DESCRIBED(stage, stages),
    DESCRIBED(counter, counters),
    {"method", graze_method_count, graze_method_name, graze_method_description, NULL, NULL, 0},
};

static const size_t list_count = sizeof lists / sizeof lists[0];

static void test_names_are_those_of_the_header(void **state) {
  (void)state;
  for (size_t k = 0; k < list_count; k++) {
    const public_list *list = &lists[k];
    if (list->expected == NULL) continue;
    if (list->count() != list->expected_count) fail_msg("%s: %zu names", list->words, list->count());
    for (size_t i = 0; i < list->expected_count; i++) {
      assert_string_equal(list->name(i), list->expected[i].name);
      if (list->description != NULL) assert_string_equal(list->description(i), list->expected[i].description);
      if (list->value != NULL) assert_int_equal(list->value(i), list->expected[i].value);
    }
  }
}

static void test_each_name_is_there_once(void **state) {
  (void)state;
  for (size_t k = 0; k < list_count; k++) {
    const public_list *list = &lists[k];
    assert_true(list->count() > 0);
    for (size_t i = 0; i < list->count(); i++) {
      assert_true(strlen(list->name(i)) > 0);
      if (list->description != NULL) assert_true(strlen(list->description(i)) > 0);
      for (size_t j = 0; j < i; j++) {
        if (strcmp(list->name(i), list->name(j)) == 0) fail_msg("%s: %s is there twice", list->words, list->name(i));
        if (list->value != NULL) assert_int_not_equal(list->value(i), list->value(j));
      }
    }
  }
}

static void test_nothing_is_past_the_end(void **state) {
  (void)state;
  for (size_t k = 0; k < list_count; k++) {
    const public_list *list = &lists[k];
    const size_t beyond[] = {list->count(), list->count() + 1, (size_t)INT_MAX, SIZE_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
      assert_null(list->name(beyond[i]));
      if (list->description != NULL) assert_null(list->description(beyond[i]));
      if (list->value != NULL) assert_int_equal(list->value(beyond[i]), -1);
    }
  }
}

/* The number of an entry is its value, as the header says, so that graze_test_name(query.test) is right. */
static void test_numbers_are_values_but_for_scopes(void **state) {
  (void)state;
  for (size_t k = 0; k < list_count; k++)
    for (size_t i = 0; lists[k].value != NULL && i < lists[k].count(); i++)
      assert_int_equal(lists[k].value(i), (int)i + (lists[k].name == graze_scope_name ? 1 : 0));
  assert_string_equal(graze_scope_name(0), "between");
  assert_int_equal(graze_scope_value(0), GRAZE_BETWEEN);
}

static void test_values_are_those_of_the_fields(void **state) {
  (void)state;
  graze_timings timings = {.struct_bytes = sizeof timings};
  graze_counters counted = {.struct_bytes = sizeof counted};
  double milliseconds = 1.5;
  uint64_t number = UINT64_C(1) << 40;
#define SET_STAGE(name, words) timings.name##_ms = milliseconds++;
#define SET_COUNTER(name, words) counted.name = number++;
  GRAZE_STAGE_LIST(SET_STAGE)
  GRAZE_COUNTER_LIST(SET_COUNTER)
  for (size_t i = 0; i < graze_stage_count(); i++) assert_true(graze_timings_value(&timings, i) == 1.5 + (double)i);
  for (size_t i = 0; i < graze_counter_count(); i++)
    assert_true(graze_counters_value(&counted, i) == (UINT64_C(1) << 40) + i);
  assert_true(graze_timings_value(&timings, graze_stage_count()) == 0.0);
  assert_true(graze_timings_value(NULL, 0) == 0.0);
  assert_true(graze_counters_value(&counted, SIZE_MAX) == 0);
  assert_true(graze_counters_value(NULL, 0) == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names_are_those_of_the_header),  cmocka_unit_test(test_each_name_is_there_once),
      cmocka_unit_test(test_nothing_is_past_the_end),        cmocka_unit_test(test_numbers_are_values_but_for_scopes),
      cmocka_unit_test(test_values_are_those_of_the_fields),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
