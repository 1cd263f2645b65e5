/* Tests `graze make`: every model is written, twice the same, to the requested files. */
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The models of the issue; the list may have more. */
static const char *const models[] = {"sphere", "torus", "knot", "cloth", "folded-cloth", "draped-cloth",
                                     "gear",   "blob",  "soup", "mix",   "needles",      "chazelle"};
enum { MODEL_COUNT = sizeof models / sizeof models[0] };

TOOL_TEST(the_list_names_the_models) {
  OWNED_RUN run = run_line(state, "graze make --list");
  assert_int_equal(run.status, 0);
  assert_memory_equal(run.output, "Models:\n", 8);
  for (size_t i = 0; i < MODEL_COUNT; ++i) {
    char row[64];
    snprintf(row, sizeof row, "\n  %s ", models[i]);
    if (strstr(run.output, row) == NULL) fail_msg("%s is not in the list", models[i]);
  }
}

TOOL_TEST(every_model_is_written_and_checked) {
  for (size_t i = 0; i < MODEL_COUNT; ++i) {
    char line[256];
    snprintf(line, sizeof line, "graze make %s --triangles 500 -q && graze check %s.obj -q; test $? -le 1", models[i],
             models[i]);
    expect_run(state, line, 0, "", "");
  }
}

TOOL_TEST(the_seed_decides) {
  expect_run(state, "graze make blob --triangles 1000 --seed 4 --output a.obj -q", 0, "", "");
  expect_run(state, "graze make blob --triangles 1000 --seed 4 --output b.obj -q", 0, "", "");
  expect_run(state, "graze make blob --triangles 1000 --seed 5 --output c.obj -q", 0, "", "");
  expect_run(state, "cmp a.obj b.obj", 0, "", "");
  expect_run(state, "cmp -s a.obj c.obj", 1, "", "");
}

TOOL_TEST(what_was_written_is_reported) {
  OWNED_RUN run = run_line(state, "graze make cloth --triangles 1000 --seed 3");
  unsigned triangles = 0, vertices = 0;
  char rest[64] = "";
  assert_int_equal(run.status, 0);
  /* Both numbers are below a thousand or have one comma. */
  char text[512];
  size_t used = 0;
  for (const char *at = run.output; *at != '\0' && used + 1 < sizeof text; ++at) {
    if (*at != ',' || at[1] == ' ') text[used++] = *at;
  }
  text[used] = '\0';
  assert_int_equal(sscanf(text, "cloth.obj: %u triangles, %u vertices, %63[^\n]", &triangles, &vertices, rest), 3);
  assert_string_equal(rest, "1 object (cloth, seed 3)");
  assert_in_range(triangles, 800, 1200);
  assert_true(folder_has(state, "cloth.obj"));
}

TOOL_TEST(objects_are_groups_or_files) {
  expect_run(state, "graze make chazelle --triangles 200 --output pair.obj -q", 0, "", "");
  expect_run(state, "graze check pair.obj --separate --json - -q | grep -c '\"file\":\"pair.obj\"'", 0, "2\n", "");
  expect_run(state, "graze make chazelle --triangles 200 --separate --output pair.obj.gz -q", 0, "", "");
  assert_true(folder_has(state, "pair_0.obj.gz") && folder_has(state, "pair_1.obj.gz"));
  assert_false(folder_has(state, "pair_2.obj.gz"));
  expect_run(state, "graze check pair_0.obj.gz pair_1.obj.gz -q", 1, "", "");
}

TOOL_TEST(a_folder_takes_the_file_in) {
  expect_run(state,
             "mkdir sub && graze make gear --triangles 500 --output sub -q && graze make knot --triangles 500 -q "
             "--output sub/ && ls sub && rm -r sub",
             0, "gear.obj\nknot.obj\n", "");
}

TOOL_TEST(solids_come_as_volume_files) {
  expect_run(state, "graze make tet-ball --primitives 1000", 0,
             "tet-ball.msh: 1,000 tetrahedra, 231 vertices, 1 object (tet-ball, seed 0)\n", "");
  expect_run(state, "graze make cells --primitives 16 -o c.vtk.gz", 0,
             "c.vtk.gz: 16 cells, 216 vertices, 1 object (cells, seed 0)\n", "");
  expect_run(state, "graze make cell-pair --primitives 16 -q && graze make tet-pair --primitives 100 --separate -q", 0,
             "", "");
  assert_true(folder_has(state, "tet-ball.msh") && folder_has(state, "cell-pair.vtk"));
  assert_true(folder_has(state, "tet-pair_0.msh") && folder_has(state, "tet-pair_1.msh"));
  expect_run(state, "graze make tet-ball -o ball.obj", 2, "", NULL);
}

TOOL_TEST(surfaces_are_filled) {
  expect_run(state,
             "graze make sphere --triangles 500 -q && graze make filled --surface sphere.obj --primitives 800 -q", 0,
             "", "");
  assert_true(folder_has(state, "filled.msh"));
  tool_run run = run_line(state, "graze make filled --surface sphere.obj --primitives 800 -o twice.vtk");
  assert_int_equal(run.status, 0);
  assert_non_null(strstr(run.output, " tetrahedra, "));
  assert_non_null(strstr(run.output, ", 1 object filled (sphere.obj)\n"));
  tool_run_release(&run);
  expect_run(state, "graze make cloth --triangles 2 -q; graze make filled --surface cloth.obj", 2, "", NULL);
  expect_run(state, "graze make filled", 2, "", "graze: filled needs --surface FILE, the closed surface to fill\n");
  expect_run(state, "graze make sphere --surface cloth.obj", 2, "",
             "graze: --surface requires the model filled, not sphere\n");
  expect_run(state, "graze make filled --surface none.obj", 2, "", NULL);
}

TOOL_TEST(spheres_come_as_tables) {
  expect_run(state, "graze make spheres --primitives 1000", 0,
             "spheres.csv: 1,000 spheres, 1 object (spheres, seed 0)\n", "");
  expect_run(state, "graze make spheres --primitives 1000 -o s.ply.gz -q; graze check s.ply.gz -q", 1, "", "");
  expect_run(state, "graze check spheres.csv --csv a.csv -q; graze check s.ply.gz --csv b.csv -q; cmp a.csv b.csv", 0,
             "", "");
  expect_run(state, "graze make sphere-lattice --primitives 1000 -o l.csv.gz", 0,
             "l.csv.gz: 1,021 spheres, 1 object (sphere-lattice, seed 0)\n", "");
  /* The number of adjacent points of the lattice. */
  expect_run(state, "graze check l.csv.gz | head -n 1", 0,
             "l.csv.gz intersects itself: 2,700 pairs of spheres (1,021 spheres, # ms).\n", "");
}

TOOL_TEST(refusals_leave_no_file) {
  const size_t before = folder_file_count(state);
  expect_run(state, "graze make spehre", 2, "",
             "graze: there is no model \"spehre\"; did you mean sphere? 'graze make --list' lists all\n");
  expect_run(state, "graze make xyzzy", 2, "", "graze: there is no model \"xyzzy\"; 'graze make --list' lists all\n");
  expect_run(state, "graze make", 2, "", "graze: make needs the name of a model; 'graze make --list' lists all\n");
  expect_run(state, "graze make sphere torus", 2, "",
             "graze: make makes one model at a time; unexpected operand \"torus\"\nTry 'graze make --help'.\n");
  expect_run(state, "graze make sphere --triangles 0", 2, "",
             "graze: --triangles takes a whole number from 1 to 1000000000, not \"0\"\nTry 'graze make --help'.\n");
  expect_run(
      state, "graze make sphere --seed -1", 2, "",
      "graze: --seed takes a whole number from 0 to 18446744073709551615, not \"-1\"\nTry 'graze make --help'.\n");
  expect_run(state, "graze make sphere --output -", 2, "",
             "graze: --output takes the name of a file or folder, not \"-\"\n");
  expect_run(state, "graze make sphere --triangles 100 --output nowhere/s.obj", 2, "",
             "graze: nowhere/s.obj: cannot be opened for writing: No such file or directory\n");
  /* Before anything is made: a thousand million primitives would take minutes. */
  expect_run(
      state, "graze make sphere --triangles 1000000000 --output s.xyz", 2, "",
      "graze: s.xyz: unknown extension; supported: .obj, .ply, .stl, .off, .msh, .vtk and .csv, each also with .gz\n");
  expect_run(
      state, "graze make sphere --triangles 1000000000 --output s.mesh", 2, "",
      "graze: s.mesh: unknown extension; supported: .obj, .ply, .stl, .off, .msh, .vtk and .csv, each also with .gz\n");
  expect_run(state, "graze make tet-box --primitives 1000000000 --output s.obj", 2, "",
             "graze: s.obj: tet-box is a solid, which .msh and .vtk files can store, but this format cannot\n");
  expect_run(state, "graze make spheres --primitives 1000000000 --output s.msh", 2, "",
             "graze: s.msh: spheres has spheres, which .ply and .csv files can store, but this format cannot\n");
  expect_run(state, "graze make torus --primitives 1000000000 --output s.csv", 2, "",
             "graze: s.csv: torus is a surface, which .obj, .ply, .stl, .off, .msh and .vtk files can store, but this "
             "format cannot\n");
  expect_run(state, "graze make sphere --triangle 100 --color red", 2, "",
             "graze: make has no option --color\nTry 'graze make --help'.\n");
  assert_int_equal(folder_file_count(state), before);
}

TOOL_TEST(frames_of_scenes_are_files) {
  expect_run(state, "graze make cloth-ball --primitives 300 --frames 3 --output c%d.ply", 0,
             "c%d.ply: 3 frames, 308 primitives in the last (cloth-ball, seed 0)\n", "");
  assert_true(folder_has(state, "c1.ply") && folder_has(state, "c3.ply") && !folder_has(state, "c4.ply"));
  expect_run(state, "graze make packings --primitives 40 --frames 2 -q", 0, "", "");
  assert_true(folder_has(state, "packings_0001.csv") && folder_has(state, "packings_0002.csv"));
  expect_run(state, "graze make cloth-ball --frames 3 --output c.ply", 2, "",
             "graze: --output c.ply: each frame of a scene needs its own file: give a name with %04d, or a folder\n");
  expect_run(state, "graze make cloth-ball --frames 3 --output c%d_%d.ply", 2, "",
             "graze: --output c%d_%d.ply: a pattern can have only one frame-number placeholder\n");
  expect_run(state, "graze make cloth-ball --frames 3 --output c%d.csv", 2, "", NULL);
  expect_run(state, "graze make sphere --frames 3", 2, "",
             "graze: --frames requires a moving scene, see 'graze play --list'; sphere is not one\n");
  expect_run(state, "graze make funnel --surface far.obj", 2, "",
             "graze: --surface requires the model filled, not the scene funnel\n");
  expect_run(state, "graze make funnel --frames 2 --output none/f%d.obj", 2, "", NULL);
}
