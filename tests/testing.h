/* What every test file includes: cmocka, and tests that register themselves, so that none can be forgotten.
 *
 *   TEST(name) { ... }                       a test; `state` is cmocka's
 *   TEST_WITH(name, setup, teardown) { ... } the same between two functions of the file
 *   TEST_GROUP(setup, teardown)              functions around all tests of the file
 *   TEST_PREPARATION { ... return 0; }       runs before them; 77 skips the file
 *   TEST_REQUIRES("VARIABLE")                skips the file without this variable of the environment
 *
 *   assert_ok(call)                          the call returns GRAZE_OK; otherwise its error is in the message
 *
 * tests/test_program.c runs the tests of a file in the order of their lines. */
#ifndef GRAZE_TESTS_TESTING_H
#define GRAZE_TESTS_TESTING_H

/* cmocka requires these before it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "owned.h"

#ifdef __cplusplus
extern "C" {
#endif

#include <cmocka.h>

typedef struct registered_test {
  const char *file;
  int line;
  struct CMUnitTest test;
  struct registered_test *next;
} registered_test;

typedef struct test_preparation {
  const char *file;
  int (*prepare)(void);
  CMFixtureFunction setup, teardown;
  struct test_preparation *next;
} test_preparation;

void register_test(registered_test *test);
void register_preparation(test_preparation *preparation);

#ifdef __cplusplus
}
#endif

#define TEST_WITH(name, setup, teardown)                                                                               \
  static void name(void **state);                                                                                      \
  __attribute__((constructor)) static void register_##name(void) {                                                     \
    static registered_test test = {__FILE__, __LINE__, {#name, name, setup, teardown, NULL}, NULL};                    \
    register_test(&test);                                                                                              \
  }                                                                                                                    \
  static void name(__attribute__((unused)) void **state)

#define TEST(name) TEST_WITH(name, NULL, NULL)

#define TEST_GROUP(setup, teardown)                                                                                    \
  __attribute__((constructor)) static void register_group(void) {                                                      \
    static test_preparation group = {__FILE__, NULL, setup, teardown, NULL};                                           \
    register_preparation(&group);                                                                                      \
  }

#define TEST_PREPARATION                                                                                               \
  static int prepare_tests(void);                                                                                      \
  __attribute__((constructor)) static void register_prepare_tests(void) {                                              \
    static test_preparation preparation = {__FILE__, prepare_tests, NULL, NULL, NULL};                                 \
    register_preparation(&preparation);                                                                                \
  }                                                                                                                    \
  static int prepare_tests(void)

#define TEST_REQUIRES(variable)                                                                                        \
  TEST_PREPARATION {                                                                                                   \
    if (getenv(variable) != NULL) return 0;                                                                            \
    printf("skipped: %s is not set\n", variable);                                                                      \
    return 77;                                                                                                         \
  }

#define assert_ok(call)                                                                                                \
  do {                                                                                                                 \
    if ((call) != GRAZE_OK) fail_msg("%s: %s", #call, graze_error_text());                                             \
  } while (0)

#endif
