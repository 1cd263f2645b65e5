// Runs one test file of a folder: all files of the folder are linked into one program, so that a change of the library
// links a program per folder. Each process runs one file, as if it were a program of its own.
#include <stdio.h>
#include <string.h>

#define TEST(name) int name(void);
#include "test_table.h"
#undef TEST

static const struct {
  const char *name;
  int (*run)(void);
} tests[] = {
#define TEST(name) {#name, name},
#include "test_table.h"
#undef TEST
};

int main(int argc, char **argv) {
  for (size_t i = 0; argc == 2 && i < sizeof tests / sizeof *tests; i++) {
    if (strcmp(argv[1], tests[i].name) == 0) {
      return tests[i].run();
    }
  }
  fprintf(stderr, "usage: %s TEST, one of\n", argv[0]);
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    fprintf(stderr, "  %s\n", tests[i].name);
  }
  return 2;
}
