/* Tests `graze analyze` as users run it: text, table, folders, unreadable files, JSON, CSV and the plot. */
#include "charts/box_plot.h"
#include "json_validator.h"
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HINT "Try 'graze analyze --help'.\n"

/* A square of two triangles, and a copy of it one eighth above. Each triangle of the lower square has the other one as
 * a neighbor and both of the upper near: k is 4. */
static const char stacked[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 0.125\nv 1 0 0.125\nv 1 1 0.125\nv 0 1 0.125\n"
                              "f 1 2 3\nf 1 3 4\nf 5 6 7\nf 5 7 8\n";

static void write_text(void **state, const char *name, const char *text) {
  folder_write(state, name, text, strlen(text));
}

TOOL_TEST(one_file_gets_a_page) {
  write_text(state, "stacked.obj", stacked);
  expect_run(state, "graze analyze stacked.obj --worst 2", 0,
             "stacked.obj: k is 4 (4 triangles, # ms; reading # ms).\n"
             "\n"
             "Crowding\n"
             "  No triangle has more than 3 others near it that are at least as large.\n"
             "  k of a triangle  mean 4.00, deviation 0.00\n"
             "  mesh neighbors in k  mean 1.00, deviation 0.00\n"
             "  most crowded  number 0 has k 4, 1 mesh neighbor\n"
             "                number 1 has k 4, 1 mesh neighbor\n"
             "\n"
             "Sizes: diameters of the smallest enclosing balls\n"
             "  from 1.41421 to 1.41421; height 0.00 (the binary logarithm of their ratio)\n"
             "  1 occupied level of the grid\n"
             "\n"
             "Bounds on intersecting pairs\n"
             "  Within the mesh, including neighbors: at most 12 (the sum of k - 1).\n"
             "  With another mesh of the same or lower k: the sum of both meshes' shares. The share of\n"
             "  this mesh, a factor times k times the number of primitives, is\n"
             "  proven     10 x 4 x 4 = 160\n"
             "  published  3 x 4 x 4 = 48\n"
             "  docs/theory/k_free.md explains why the two differ.\n",
             "");
  expect_run(state, "graze analyze stacked.obj --quiet", 0, "", "");
}

TOOL_TEST(polygons_and_tetrahedra_are_measured_as_such) {
  write_text(state, "squares.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nf 1 2 3 4\nf 2 5 6 3\n");
  write_text(state, "two.mesh",
             "MeshVersionFormatted 1\nDimension 3\nVertices 5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n"
             "Tetrahedra 2\n1 2 3 4 0\n2 3 4 5 0\nEnd\n");
  OWNED_RUN run = run_line(state, "graze analyze squares.obj two.mesh --csv -");
  assert_int_equal(run.status, 0);
  assert_non_null(strstr(run.output, "\nsquares.obj,polygons,6,2,2,"));
  assert_non_null(strstr(run.output, "\ntwo.mesh,tetrahedra,5,2,2,"));
  assert_non_null(strstr(run.errors, "2 files: k mean 2.00, deviation 0.00;"));
}

TOOL_TEST(skipped_elements_are_named) {
  write_text(state, "mixed.mesh",
             "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
             "Triangles 1\n1 2 3 0\nTetrahedra 1\n1 2 3 4 0\nEnd\n");
  OWNED_RUN run = run_line(state, "graze analyze mixed.mesh");
  assert_int_equal(run.status, 0);
  assert_string_equal(run.errors, "graze: note: mixed.mesh: skipped 1 triangle: the file has tetrahedra\n");
}

TOOL_TEST(several_files_give_a_table_and_bad_ones_are_left_out) {
  write_text(state, "stacked.obj", stacked);
  write_text(state, "bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n");
  expect_run(state, "graze analyze stacked.obj bad.obj absent.obj apart.obj", 0,
             "  primitives  kind              k     mean  deviation  neighbors  height  levels  file\n"
             "           4  triangles         4     4.00       0.00        1.00    0.00       1  stacked.obj\n"
             "           2  triangles         1     1.00       0.00        0.00    1.00       2  apart.obj\n"
             "\n"
             "2 files: k mean 2.50, deviation 1.50; neighbors mean 0.50, deviation 0.50; height mean 0.50, deviation "
             "0.50\n",
             "graze: note: skipped: bad.obj:4: face refers to vertex 4, but the file has 3 vertices\n"
             "graze: note: skipped: absent.obj: cannot be opened: No such file or directory\n");
  expect_run(state, "graze analyze bad.obj absent.obj --json out.json", 2, "",
             "graze: bad.obj:4: face refers to vertex 4, but the file has 3 vertices\n"
             "graze: absent.obj: cannot be opened: No such file or directory\n");
  assert_false(folder_has(state, "out.json"));
}

/* Folders in folders, in the order of paths; other files, tables of other things than spheres, hidden files and links
 * to folders are passed over. */
TOOL_TEST(folders_are_walked) {
  tool_run made =
      run_line(state, "mkdir -p deep/inner deep/.hidden && cp one.obj deep/b.obj && cp two.obj deep/inner/c.obj "
                      "&& cp far.obj deep/a.OBJ && cp one.obj deep/.hidden/no.obj && echo hello >deep/notes.txt "
                      "&& ln -s .. deep/loop && gzip -c one.obj >deep/inner/d.obj.gz "
                      "&& printf 'a,b\\n1,2\\n' >deep/table.csv && printf 'x,y,z,r\\n0,0,0,1\\n' >deep/balls.csv "
                      "&& gzip -c deep/balls.csv >deep/inner/e.csv.gz && gzip -c deep/table.csv >deep/f.csv.gz");
  assert_int_equal(made.status, 0);
  tool_run_release(&made);
  for (int threads = 1; threads <= 3; ++threads) {
    char line[128];
    snprintf(line, sizeof line, "graze analyze deep --threads %d --csv - --quiet | cut -d, -f1", threads);
    expect_run(
        state, line, 0,
        "file\ndeep/a.OBJ\ndeep/b.obj\ndeep/balls.csv\ndeep/inner/c.obj\ndeep/inner/d.obj.gz\ndeep/inner/e.csv.gz\n",
        "");
  }
  expect_run(state, "mkdir none; graze analyze none", 2, "", "graze: there is no mesh file in none\n");
  expect_run(state, "ln -s nowhere deep/inner/g.obj; graze analyze deep", 2, "",
             "graze: deep/inner/g.obj: a broken link: No such file or directory\n");
  expect_run(state, "rm deep/inner/g.obj; mkfifo deep/g.csv; timeout -s KILL 60 graze analyze deep", 2, "",
             "graze: deep/g.csv: not a regular file\n");
  expect_run(state, "rm -r deep none", 0, "", "");
}

TOOL_TEST(records_have_their_form) {
  write_text(state, "stacked.obj", stacked);
  write_text(state, "odd, \"name\".obj", stacked);
  write_text(state, "bad.obj", "f 1 2 3\n");
  tool_run run = run_line(state, "graze analyze stacked.obj 'odd, \"name\".obj' bad.obj --json all.json --csv all.csv "
                                 "--plot all.svg --worst 1 --quiet");
  assert_int_equal(run.status, 0);
  tool_run_release(&run);
  size_t bytes, where;
  OWNED_MEMORY char *json = folder_read(state, "all.json", &bytes);
  assert_true(json_is_valid(json, bytes, &where));
  assert_non_null(strstr(json,
                         "\"file\":\"stacked.obj\",\"kind\":\"triangles\",\"vertices\":8,\"primitives\":4,\"k\":4,"
                         "\"mean\":4,\"deviation\":0,\"neighbor_mean\":1,"));
  assert_non_null(strstr(json,
                         "\"within_bound\":12,\"bound_factor\":10,\"bound\":160,\"paper_factor\":3,\"paper_bound\":48,"
                         "\"worst\":[[0,4,1]],"));
  assert_non_null(strstr(json, "\"skipped\":[\n{\"file\":\"bad.obj\",\"trouble\":\"bad.obj:1: "));
  OWNED_MEMORY char *csv = folder_read(state, "all.csv", &bytes);
  assert_non_null(strstr(csv, "\nstacked.obj,triangles,8,4,4,4,0,1,0,1.41421356237309"));
  assert_non_null(strstr(csv, "\n\"odd, \"\"name\"\".obj\",triangles,8,4,4,"));
  OWNED_MEMORY char *svg = folder_read(state, "all.svg", &bytes);
  assert_true(strncmp(svg, "<svg ", 5) == 0 && strstr(svg, "k of 2 mesh files") != NULL &&
              strstr(svg, "n = 2") != NULL);
}

TOOL_TEST(threads_change_nothing) {
  tool_run made =
      run_line(state, "for m in torus blob soup mix; do graze make $m --triangles 3000 --output $m.ply -q; done");
  assert_int_equal(made.status, 0);
  tool_run_release(&made);
  OWNED_RUN alone = run_line(state, "graze analyze . --csv - --quiet --threads 1");
  assert_int_equal(alone.status, 0);
  expect_run(state, "graze analyze . --csv - --quiet --threads 4", 0, alone.output, "");
  expect_run(state,
             "graze analyze mix.ply --csv - --quiet --threads 3 | tail -1 >a; "
             "graze analyze . --csv - --quiet | sed -n 's,^\\./,,;/^mix/p' | cmp - a",
             0, "", "");
}

TOOL_TEST(bad_calls_are_refused) {
  expect_run(state, "graze analyze", 2, "", "graze: analyze needs a file or a folder\n" HINT);
  expect_run(state, "graze analyze one.obj --backend opencl", 2, "",
             "graze: --backend takes cpu or cuda, not \"opencl\"\n" HINT);
  expect_run(state, "graze analyze one.obj --device 1", 2, "",
             "graze: --device selects a CUDA device; it requires --backend cuda\n" HINT);
  expect_run(state, "graze analyze -", 2, "", "graze: analyze reads files and folders, not standard input\n" HINT);
  expect_run(state, "graze analyze one.obj --json x --csv x", 2, "",
             "graze: --json and --csv cannot both write to x\n" HINT);
  expect_run(state, "graze analyze one.obj --csv one.obj", 2, "",
             "graze: --csv would overwrite one.obj, which is to be analyzed\n" HINT);
  expect_run(state, "graze analyze absent.obj --plot x.png", 2, "",
             "graze: --plot writes SVG, but x.png does not end in .svg\n" HINT);
  expect_run(state, "graze analyze one.obj --csv x.json", 2, "",
             "graze: --csv writes CSV, but x.json has the ending of another format\n" HINT);
  expect_run(state, "graze analyze one.obj --plot -", 2, "",
             "graze: --plot takes the name of a file; it cannot write to standard output\n" HINT);
  expect_run(state, "graze analyze one.obj --plot ''", 2, "",
             "graze: --plot takes the name of a file, not \"\"\n" HINT);
  OWNED_RUN run = run_line(state, "graze analyze one.obj --worst many");
  assert_int_equal(run.status, 2);
  assert_string_equal(run.output, "");
}

/* Tukey's hinges, whiskers and outliers of small sets worked out by hand. */
TEST(boxes_are_those_of_tukey) {
  const double nine[] = {1, 2, 3, 4, 5, 6, 7, 8, 100};
  const box_summary odd = box_summary_of(nine, 9);
  assert_true(odd.median == 5 && odd.low_adjacent == 3 && odd.high_adjacent == 7);
  assert_true(odd.low_whisker == 1 && odd.high_whisker == 8 && odd.low_outliers == 0 && odd.high_outliers == 1);
  const double six[] = {-50, 10, 11, 12, 13, 14};
  const box_summary even = box_summary_of(six, 6);
  assert_true(even.median == 11.5 && even.low_adjacent == 10 && even.high_adjacent == 13);
  assert_true(even.low_whisker == 10 && even.high_whisker == 14 && even.low_outliers == 1 && even.high_outliers == 0);
  const double one[] = {7};
  const box_summary single = box_summary_of(one, 1);
  assert_true(single.low_whisker == 7 && single.low_adjacent == 7 && single.median == 7 && single.high_whisker == 7);
}
