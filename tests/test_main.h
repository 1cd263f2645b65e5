// Included before a test file that shares a program with others (graze_tests in tests/CMakeLists.txt): its `main` is
// named after the file, and tests/test_program.c calls it.
#ifndef GRAZE_TESTS_TEST_MAIN_H
#define GRAZE_TESTS_TEST_MAIN_H

int GRAZE_TEST_MAIN(void);
#define main GRAZE_TEST_MAIN

#endif
