/* Tests `graze bench` as users run it: rows, records, options, errors, Ctrl-C. Times are not checked. */
#include "json_validator.h"
#include "testing.h"
#include "tool_runner.h"

#include "graze/cuda.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HINT "Try 'graze bench --help'.\n"
#define SMALL "env -u GRAZE_DATA graze bench --size 400 --rounds 1 --threads 1 "

static size_t count_of(const char *text, const char *part) {
  size_t count = 0;
  for (; (text = strstr(text, part)) != NULL; text++) ++count;
  return count;
}

TOOL_TEST(rows_are_scenes_times_choices) {
  OWNED_RUN run = run_line(state, SMALL "--scene blobs,knots --size 400,800 --method grid,tree --threads 1,2 --csv -");
  expect_status(&run, 0);
  /* self-blobs, between-blobs-1m as it is and shuffled, between-knots, moving-knots; two sizes, methods and numbers of
   * threads. */
  assert_int_equal(count_of(run.output, "\n"), 1 + 5 * 2 * 2 * 2);
  assert_int_equal(count_of(run.output, "\nscenes,between-knots,between,"), 8);
  assert_int_equal(count_of(run.output, ",yes,"), 40); /* steady */
  assert_non_null(strstr(run.errors, "2 threads over 1: "));
  assert_non_null(strstr(run.errors, "medians of 1 interleaved rounds\n"));
}

/* Rows are below the scene that they are of, and no line is wider than a window of 120 columns. */
TOOL_TEST(tables_fit_and_name_their_scenes) {
  OWNED_RUN run = run_line(state, SMALL "--quick --scene folded-cloth,rods,knots --threads 1,2 "
                                        "--table scenes,kinds,depth,memory,clearance,methods,sphere-trees");
  expect_status(&run, 0);
  size_t width = 0;
  for (const char *at = strchr(run.output, '\n'); *at != '\0'; ++at) { /* the first line names all flags of the build */
    width = *at == '\n' ? 0 : width + 1;
    if (width > 120) fail_msg("a line is too wide: %.200s", at - 120);
  }
  static const char *const scenes[] = {"\nself-folded-cloth: ",
                                       "\nself-rods: ",
                                       "\ntet-ball: ",
                                       "\npassing-tet-balls: ",
                                       "\npair-tet-ball\n",
                                       "\nball and dumbbell: ",
                                       "\nbetween-knots              tree "};
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i)
    if (count_of(run.output, scenes[i]) < 1) fail_msg("%s is not named", scenes[i]);
  assert_int_equal(count_of(run.output, "\nself-folded-cloth: "), 1);
  assert_int_equal(count_of(run.output, "\nmethod   threads "), 2);
}

TOOL_TEST(json_matches_the_manual) {
  OWNED_RUN run = run_line(state, SMALL "--scene folded --method grid --quiet --json -");
  expect_status(&run, 0);
  assert_string_equal(run.errors, "");
  size_t where = 0;
  assert_true(json_is_valid(run.output, strlen(run.output), &where));
  static const char *const members[] = {"{\"graze\":\"",
                                        "\"record\":\"bench\"",
                                        "\"commit\":\"",
                                        "\"compiler\":\"",
                                        "\"flags\":\"",
                                        "\"processor\":",
                                        "\"processors\":",
                                        "\"memory_bytes\":",
                                        "\"complete\":true",
                                        "\"scene\":\"self-folded-cloth\"",
                                        "\"total_ms\":",
                                        "\"lower_quartile_ms\":",
                                        "\"upper_quartile_ms\":",
                                        "\"search_ms\":",
                                        "\"candidates\":",
                                        "\"peak_bytes\":",
                                        "\"backend\":\"cpu\"",
                                        "\"steady\":true",
                                        "\"hash\":\""};
  for (size_t i = 0; i < sizeof members / sizeof members[0]; ++i)
    if (strstr(run.output, members[i]) == NULL) fail_msg("%s is missing", members[i]);
}

/* The hash is that of the list, which `graze check` gives, too. */
TOOL_TEST(hashes_are_those_of_check) {
  expect_run(state, SMALL "--scene folded --method grid --quiet --json bench.json", 0, "", "");
  expect_run(
      state,
      "graze make folded-cloth --primitives 400 --seed 1 --output cloth.obj >/dev/null;"
      "graze check cloth.obj --neighbors skip --quiet --json check.json;"
      "for file in bench check; do sed -n 's/.*\"hash\": *\"\\([0-9a-f]*\\)\".*/\\1/p' $file.json; done | uniq -c"
      " | sed 's/  *2 [0-9a-f]*[1-9a-f][0-9a-f]*$/twice/'",
      0, "twice\n", "");
}

TOOL_TEST(other_tables_and_suites_run) {
  tool_run run = run_line(state, "graze bench --quick --table passes --rounds 1 --threads 1 --csv rows.csv");
  expect_status(&run, 0);
  assert_non_null(strstr(run.output, "\npasses: pairs within and between: one pass, or two\n"));
  assert_null(strstr(run.output, "self-rods"));
  tool_run_release(&run);
  size_t bytes = 0;
  OWNED_MEMORY char *const rows = folder_read(state, "rows.csv", &bytes);
  assert_int_equal(count_of(rows, "\npasses,pair-"), 6);
}

TOOL_TEST(a_run_can_be_stopped) {
  tool_run run = run_line(state, "timeout --preserve-status -s INT 1 env -u GRAZE_DATA graze bench --scene soup "
                                 "--size 20000 --rounds 101 --json part.json --csv part.csv >/dev/null");
  expect_status(&run, 130);
  assert_non_null(strstr(run.errors, "graze: stopped; "));
  assert_non_null(strstr(run.errors, " and written\n"));
  tool_run_release(&run);
  size_t bytes = 0, where = 0;
  char *const record = folder_read(state, "part.json", &bytes);
  assert_true(json_is_valid(record, bytes, &where));
  assert_non_null(strstr(record, "\"complete\":false"));
  free(record);
  assert_true(folder_has(state, "part.csv"));
}

/* A file that is missing ends a run, and what was measured before it is kept. */
TOOL_TEST(a_failure_loses_no_rows) {
  tool_run run =
      run_line(state, "GRAZE_DATA=absent graze bench --quick --scene folded-cloth,between-bunnies --method grid "
                      "--rounds 1 --threads 1 --quiet --json part.json --csv part.csv");
  expect_status(&run, 2);
  assert_non_null(strstr(run.errors, "absent/meshes/stanford-bunny.obj.gz"));
  tool_run_release(&run);
  size_t bytes = 0;
  char *const record = folder_read(state, "part.json", &bytes);
  assert_non_null(strstr(record, "\"complete\":false"));
  assert_int_equal(count_of(record, "\"scene\":\"self-folded-cloth\""), 1);
  free(record);
  assert_true(folder_has(state, "part.csv"));
}

typedef struct bad_line {
  const char *arguments, *errors;
} bad_line;

static const bad_line bad_lines[] = {
    {"one.obj", "graze: bench takes only options; unexpected operand \"one.obj\"\n" HINT},
    {"--table sceens", "graze: --table takes all, scenes, growth, reading, kinds, passes, depth, memory, crowding, "
                       "clearance, clusters, methods or sphere-trees, not \"sceens\"; did you mean scenes?\n" HINT},
    {"--method gird",
     "graze: --method takes auto, grid, tree, clusters or brute, not \"gird\"; did you mean grid?\n" HINT},
    {"--method grid,", "graze: --method takes words separated by commas, none of them empty\n" HINT},
    {"--threads 1,0", "graze: --threads takes a whole number from 1 to 1024, not \"0\"\n" HINT},
    {"--size 1e5", "graze: --size takes a whole number from 1 to 100000000, not \"1e5\"\n" HINT},
    {"--rounds 0", "graze: --rounds takes a whole number from 1 to 101, not \"0\"\n" HINT},
    {"--backend opencl", "graze: --backend takes cpu or cuda, not \"opencl\"\n" HINT},
    {"--device 0", "graze: --device selects a CUDA device; it requires --backend cuda\n" HINT},
    {"--table reading --backend cuda",
     "graze: --table reading runs only on the processor, not with --backend cuda\n" HINT},
    {"--table scenes,depth --backend cuda,cpu",
     "graze: --table depth runs only on the processor, not with --backend cuda\n" HINT},
    {"--table kinds --backend cpu,cuda",
     "graze: these tables run only on the first backend: --backend cuda has no rows\n" HINT},
    {"--suite rigid --backend cuda", "graze: --suite rigid runs only on the processor, not with --backend cuda\n" HINT},
    {"--suite rigid --backend cpu,cuda", "graze: a suite runs on one backend\n" HINT},
    {"--scene no-such", "graze: --scene: no available scene has a name that contains \"no-such\"; scenes from files "
                        "require the variable GRAZE_DATA\n" HINT},
    {"--backend cuda --scene no-such", "graze: --scene: no available scene has a name that contains \"no-such\"; "
                                       "scenes from files require the variable GRAZE_DATA\n" HINT},
    {"--suite rigid --table scenes", "graze: --suite and --table exclude each other\n" HINT},
    {"--suite rigid --csv a.csv",
     "graze: a suite writes its own tables to the folder of --figures; --csv has no rows\n" HINT},
    {"--suite rigid --share 0", "graze: --share takes a whole number from 1 to 1000000, not \"0\"\n" HINT},
    {"--suite rigid --approach cube", "graze: --approach takes sphere or grid, not \"cube\"\n" HINT},
    {"--json a --csv a", "graze: --csv and --json cannot both write to a\n" HINT},
    {"--csv rows.json", "graze: --csv writes CSV, but rows.json has the ending of another format\n" HINT},
    {"--figures absent/deep",
     "graze: --figures: cannot create the folder absent/deep: No such file or directory\n" HINT},
    {"--figures one.obj", "graze: --figures takes a folder, and one.obj is not one\n" HINT},
    {"--scene rods --json absent/a.json", "graze: absent/a.json: No such file or directory\n"},
};

TOOL_TEST(invalid_combinations_are_refused) {
  for (size_t i = 0; i < sizeof bad_lines / sizeof bad_lines[0]; ++i) {
    char line[512];
    snprintf(line, sizeof line, "env -u GRAZE_DATA graze bench %s", bad_lines[i].arguments);
    expect_run(state, line, 2, "", bad_lines[i].errors);
  }
}

TOOL_TEST(the_folder_of_drawings_is_made) {
  tool_run run = run_line(state, SMALL "--scene rods --method grid --figures drawn --quiet");
  expect_status(&run, 0);
  tool_run_release(&run);
  expect_run(state, "test -d drawn", 0, "", "");
}

TOOL_TEST(a_device_is_available_or_not) {
  char device[256], expected[300];
  const bool usable = graze_cuda_describe(0, device, sizeof device) == GRAZE_OK;
  snprintf(expected, sizeof expected, "graze: --backend cuda: %s\n", device);
  OWNED_RUN run = run_line(state, SMALL "--scene rods --backend cpu,cuda --method grid --csv rows.csv");
  expect_status(&run, usable ? 0 : 2);
  if (!usable) assert_string_equal(run.errors, expected);
  assert_int_equal(folder_has(state, "rows.csv"), usable);
}
