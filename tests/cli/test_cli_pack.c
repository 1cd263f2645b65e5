/* `graze pack` as its users see it: the words, JSON, files that `graze check` reads again, refusals. */
#include "json_validator.h"
#include "tool_runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HINT "Try 'graze pack --help'.\n"

/* A tetrahedron whose largest ball has the centre (a, a, a) and the radius a; and the same without one side. */
static const char corner[] = "v 0 0 0\nv 3 0 0\nv 0 4 0\nv 0 0 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char open_corner[] = "v 0 0 0\nv 3 0 0\nv 0 4 0\nv 0 0 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";

static void write_text(void **state, const char *name, const char *text) {
  folder_write(state, name, text, strlen(text));
}

static void outcome_is_told_in_words(void **state) {
  write_text(state, "corner.obj", corner);
  tool_run run = run_line(state, "graze pack corner.obj --count 1");
  assert_int_equal(run.status, 0);
  assert_non_null(strstr(run.output, "corner.obj: 1 sphere, "));
  assert_non_null(strstr(run.output, "radii from 0.8028"));
  assert_non_null(strstr(run.output, "certified  no two spheres overlap, none leaves the mesh: exactly\n"));
  assert_string_equal(run.errors, "");
  tool_run_release(&run);
  expect_run(state, "graze pack corner.obj --count 5 --quiet", 0, "", "");
}

static void json_has_what_is_promised(void **state) {
  write_text(state, "corner.obj", corner);
  tool_run run = run_line(state, "graze pack corner.obj --count 40 --quiet --json -");
  assert_int_equal(run.status, 0);
  size_t where = 0;
  assert_true(json_is_valid(run.output, strlen(run.output), &where));
  assert_non_null(strstr(run.output, "\"count\":40,\"fill_rate\":0."));
  assert_non_null(strstr(run.output, "\"certified\":true,\"largest_gap\":0."));
  assert_non_null(strstr(run.output, "\"mesh_volume\":10,"));
  tool_run_release(&run);
}

/* What was written is read again, as spheres that meet neither each other nor the mesh; for one thread and for many. */
static void files_are_read_again(void **state) {
  write_text(state, "corner.obj", corner);
  expect_run(state, "graze pack corner.obj --count 60 --threads 1 --quiet --output one.csv", 0, "", "");
  expect_run(state, "graze pack corner.obj --count 60 --threads 3 --quiet --output three.csv --picture three.png", 0,
             "", "");
  expect_run(state, "cmp one.csv three.csv", 0, "", "");
  expect_run(state, "graze pack corner.obj --count 60 --quiet --output all.ply", 0, "", "");
  expect_run(state, "graze check one.csv corner.obj --quiet", 0, "", "");
  expect_run(state, "graze check all.ply --quiet", 0, "", "");
  expect_run(state, "graze check one.csv all.ply --quiet", 1, "", "");
  expect_run(state, "head -n 1 one.csv", 0, "x,y,z,radius\n", "");
  expect_run(state, "wc -l < one.csv | tr -d ' '", 0, "61\n", "");
}

static void holes_are_named(void **state) {
  write_text(state, "open.obj", open_corner);
  tool_run run = run_line(state, "graze pack open.obj --output never.csv");
  assert_int_equal(run.status, 2);
  assert_non_null(strstr(run.errors, "graze: open.obj: the mesh is not closed: triangle 0 has an edge from "));
  assert_non_null(strstr(run.errors, "the rim of a hole; 3 edges in all are like that\n"));
  tool_run_release(&run);
  expect_run(state, "test -e never.csv", 1, "", "");
}

static void what_makes_no_sense_is_refused(void **state) {
  write_text(state, "corner.obj", corner);
  expect_run(state, "graze pack", 2, "", "graze: pack needs a mesh\n" HINT);
  expect_run(state, "graze pack a.obj b.obj", 2, "", "graze: pack fills one mesh at a time; what is \"b.obj\"?\n" HINT);
  expect_run(state, "graze pack corner.obj --count 0", 2, "",
             "graze: --count takes a whole number from 1 to 100000000, not \"0\"\n" HINT);
  expect_run(state, "graze pack corner.obj --device 0", 2, "",
             "graze: --device chooses among CUDA devices; it needs --backend cuda\n" HINT);
  expect_run(state, "graze pack corner.obj --fill 1.5", 2, "",
             "graze: --fill takes a number above 0 and at most 1, not \"1.5\"\n" HINT);
  expect_run(state, "graze pack corner.obj --smallest nan", 2, "",
             "graze: --smallest takes a number above 0, not \"nan\"\n" HINT);
  expect_run(state, "graze pack corner.obj --output corner.off", 2, "",
             "graze: corner.off: spheres are written to .csv and .ply files\n" HINT);
  tool_run run = run_line(state, "graze pack corner.obj --smallest 2");
  assert_int_equal(run.status, 0);
  assert_non_null(strstr(run.output, "corner.obj: 0 spheres, 0.00 % full"));
  assert_non_null(strstr(run.output, "no sphere that is large enough fits"));
  tool_run_release(&run);
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, tool_folder_make, tool_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      WITH_FOLDER(outcome_is_told_in_words),       WITH_FOLDER(json_has_what_is_promised),
      WITH_FOLDER(files_are_read_again),           WITH_FOLDER(holes_are_named),
      WITH_FOLDER(what_makes_no_sense_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
