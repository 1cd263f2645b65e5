/* Runs the tests of one file: all files of a folder are linked into one program, so that a change of the library links
 * a program per folder. Each process runs one file, as if it were a program of its own.
 *
 *   scene_tests test_kinds              runs tests/scene/test_kinds.c
 *   scene_tests test_kinds '*contact*'  those of its tests whose names match
 *
 * A program of a single file needs no name. */
#include "testing.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static registered_test *tests;
static test_preparation *preparations;

void register_test(registered_test *test) {
  test->next = tests;
  tests = test;
}

void register_preparation(test_preparation *preparation) {
  preparation->next = preparations;
  preparations = preparation;
}

/* Whether a path is that of NAME.c or NAME.cpp. */
static bool is_file(const char *path, const char *name) {
  const char *slash = strrchr(path, '/');
  const char *base = slash != NULL ? slash + 1 : path;
  const size_t length = strlen(name);
  return strncmp(base, name, length) == 0 && base[length] == '.';
}

static int compare_lines(const void *left, const void *right) {
  const registered_test *const *a = left, *const *b = right;
  return ((*a)->line > (*b)->line) - ((*a)->line < (*b)->line);
}

int main(int argc, char **argv) {
  size_t count = 0, most = 0;
  for (const registered_test *test = tests; test != NULL; test = test->next) most++;
  const registered_test **chosen = calloc(most + 1, sizeof *chosen);
  struct CMUnitTest *group = calloc(most + 1, sizeof *group);
  if (chosen == NULL || group == NULL) return 2;
  for (const registered_test *test = tests; test != NULL; test = test->next)
    if (argc == 1 || is_file(test->file, argv[1])) chosen[count++] = test;
  if (count == 0) {
    fprintf(stderr, "%s: no such file of tests: %s\n", argv[0], argc > 1 ? argv[1] : "");
    return 2;
  }
  qsort(chosen, count, sizeof *chosen, compare_lines);
  CMFixtureFunction setup = NULL, teardown = NULL;
  for (size_t i = 0; i < count; i++) {
    group[i] = chosen[i]->test;
    if (strcmp(chosen[i]->file, chosen[0]->file) != 0) {
      fprintf(stderr, "usage: %s TEST [PATTERN], where TEST is a file such as %s\n", argv[0], chosen[0]->file);
      return 2;
    }
  }
  for (const test_preparation *file = preparations; file != NULL; file = file->next) {
    if (strcmp(file->file, chosen[0]->file) != 0) continue;
    const int result = file->prepare != NULL ? file->prepare() : 0;
    if (result != 0) return result;
    if (file->setup != NULL) setup = file->setup;
    if (file->teardown != NULL) teardown = file->teardown;
  }
  if (argc > 2) cmocka_set_test_filter(argv[2]);
  const int failed = _cmocka_run_group_tests(argc > 1 ? argv[1] : "tests", group, count, setup, teardown);
  free(chosen);
  free(group);
  return failed;
}
