/* Tests `graze check --each` and folders: a row for each file, and the files of a folder. */
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER                                                                                                         \
  "file,triangles,pairs,clashes,open_edges,non_manifold_edges,zero_area_triangles,duplicate_triangles,skipped,"        \
  "verdict\n"

/* In a folder of their own: a closed tetrahedron whose corners the file repeats, as STL does; a fan of three triangles
 * on one edge with a copy of one of them and a needle; a crossing; a broken file; and a file of spheres. */
static void write_parts(void **state) {
  const char closed[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                        "f 1 3 2\nf 5 2 4\nf 2 7 8\nf 5 8 3\n";
  const char odd[] = "v 0 0 0\nv 0 0 1\nv 1 0 0\nv -1 1 0\nv -1 -1 0\nv 0 0 3\n"
                     "f 1 2 3\nf 1 2 4\nf 1 2 5\nf 3 1 2\nf 1 2 6\n";
  const char broken[] = "v 0 0 0\nf 1 2 3\n";
  const char spheres[] = "x,y,z,radius\n0,0,0,1\n1,0,0,1\n";
  expect_run(state, "mkdir parts && cp crossing.obj parts/part2.obj && mkdir 'parts/a, b' parts/none", 0, "", "");
  folder_write(state, "parts/part10.obj", closed, sizeof closed - 1);
  folder_write(state, "parts/a, b/odd.obj", odd, sizeof odd - 1);
  folder_write(state, "parts/part1.obj", broken, sizeof broken - 1);
  folder_write(state, "parts/spheres.csv", spheres, sizeof spheres - 1);
  folder_write(state, "parts/notes.txt", "no mesh", 7);
}

TOOL_TEST(each_file_is_a_row) {
  write_parts(state);
  expect_run(state, "graze check --each parts --csv summary.csv -q", 2, "",
             "graze: parts/part1.obj: line 2: face refers to vertex 2, but the file has 1 vertices\n");
  size_t bytes;
  OWNED_MEMORY char *rows = folder_read(state, "summary.csv", &bytes);
  assert_string_equal(
      rows,
      HEADER "\"parts/a, b/odd.obj\",5,0,0,6,1,1,1,0,does not intersect\n"
             "parts/part1.obj,,,,,,,,,\"unreadable: line 2: face refers to vertex 2, but the file has 1 vertices\"\n"
             "parts/part2.obj,2,1,1,6,0,0,0,0,intersects\n"
             "parts/part10.obj,4,6,1,0,0,0,0,0,intersects\n"
             "parts/spheres.csv,,1,1,,,,,0,intersects\n");
}

TOOL_TEST(the_exit_status_tells_the_worst) {
  expect_run(state, "graze check --each apart.obj one.obj -q", 0, "", "");
  expect_run(state, "graze check --each apart.obj crossing.obj -q", 1, "", "");
  expect_run(state, "graze check --each crossing.obj absent.obj -q", 2, "",
             "graze: absent.obj: cannot be opened: No such file or directory\n");
}

TOOL_TEST(rows_are_a_table_for_people) {
  expect_run(
      state, "graze check --each apart.obj crossing.obj corner.mesh", 1,
      "1 of 3 files intersects itself (# ms).\n"
      "\n"
      "   primitives  kind        skipped        pairs  clashes  open edges  non-manifold  zero area  duplicates  "
      "file\n"
      "            2  triangles         0            0        0           6             0          0           0  "
      "apart.obj\n"
      "            2  triangles         0            1        1           6             0          0           0  "
      "crossing.obj\n"
      "            1  tetrahedra        0            0        0           -             -          -           -  "
      "corner.mesh\n",
      "");
  expect_run(state, "graze check --each apart.obj one.obj | head -n 1", 0,
             "None of 2 files intersects itself (# ms).\n", "");
  expect_run(state, "graze check --each absent.obj 2>/dev/null", 2,
             "No file was checked; 1 file could not be checked (# ms).\n", "");
  expect_run(state, "for i in $(seq 41); do cp apart.obj a$i.obj; done; cp crossing.obj a42.obj", 0, "", "");
  expect_run(state, "graze check --each a?.obj a??.obj | tail -n +4 | head -n 1 | grep -o '[^ ]*$'", 0, "a42.obj\n",
             "");
  expect_run(state, "graze check --each a?.obj a??.obj | tail -n 1", 0,
             "and 2 files with as many pairs or fewer; --csv FILE lists them all\n", "");
}

/* Within the files, quoted strings are compared without times. */
TOOL_TEST(rows_are_json_too) {
  expect_run(state, "graze check --each crossing.obj absent.obj --json - -q 2>/dev/null | sed 's/\"timings.*//'", 0,
             "{\"graze\":\"0.4.0\",\"schema_version\":1,\"record\":\"check_each\",\"files\":[\n"
             "{\"file\":\"crossing.obj\",\"verdict\":\"intersects\",\"kind\":\"triangle\",\"vertices\":6,"
             "\"primitives\":2,\"skipped\":0,\"pairs\":1,\"clashes\":1,\"hash\":\"9ca066f1a4ab2eea\",\"triangles\":2,"
             "\"open_edges\":6,\"non_manifold_edges\":0,\"zero_area_triangles\":0,\"duplicate_triangles\":0,\n"
             "{\"file\":\"absent.obj\",\"verdict\":\"unreadable\",\"trouble\":\"cannot be opened: No such file or "
             "directory\",\n",
             "");
}

/* A file of which no element is read does not pass, and the rest is checked; skipped elements have a column. */
TOOL_TEST(files_without_elements_are_rows) {
  expect_run(
      state,
      "mkdir some && cd some && printf 'v 0 0 0\\nv 1 0 0\\nl 1 2\\n' >line.obj && cat ../one.obj line.obj >mixed.obj "
      "&& graze check --each . --csv - -q",
      2,
      HEADER "./line.obj,,,,,,,,,\"unreadable: no triangle, polygon, tetrahedron, polyhedron or sphere was read, "
             "only 2 vertices; skipped 1 line\"\n"
             "./mixed.obj,1,0,0,3,0,0,0,1,does not intersect\n",
      "graze: ./line.obj: no triangle, polygon, tetrahedron, polyhedron or sphere was read, only 2 vertices; "
      "skipped 1 line\n");
  expect_run(
      state,
      "cd some && graze check --each mixed.obj --json - 2>notes | grep -o '\"skipped\":[0-9]*'; cat notes | head -n 1",
      0, "\"skipped\":1\ngraze: note: mixed.obj: skipped 1 line\n", "");
}

TOOL_TEST(a_broken_entry_of_a_folder_is_a_row) {
  expect_run(state, "mkdir odd && cp one.obj odd && ln -s nowhere odd/link.stl && mkfifo odd/pipe.ply", 0, "", "");
  expect_run(state, "graze check --each odd --csv - -q 2>/dev/null", 2,
             HEADER "odd/link.stl,,,,,,,,,unreadable: a broken link: No such file or directory\n"
                    "odd/one.obj,1,0,0,3,0,0,0,0,does not intersect\n"
                    "odd/pipe.ply,,,,,,,,,unreadable: not a regular file\n",
             "");
}

TOOL_TEST(a_folder_is_one_assembly) {
  expect_run(state, "mkdir set && cp one.obj set/part10.obj && cp two.obj set/part9.obj && cp far.obj set/part1.obj", 0,
             "", "");
  expect_run(state, "graze check set", 1,
             "1 of the 3 pairs of objects intersects: 1 pair of triangles (3 triangles, # ms).\n"
             "\n"
             "Pairs of objects\n"
             "  1 set/part9.obj  2 set/part10.obj                1\n"
             "\n"
             "Pairs of triangles\n"
             "  0 of object 1 and 0 of object 2\n"
             "\n"
             "hash  2b125d8f4826727a\n"
             "time #\n" BETWEEN_NOTE,
             "");
  /* A folder of one file is that file. */
  expect_run(state, "mkdir single && cp crossing.obj single && graze check single -q", 1, "", "");
}

TOOL_TEST(folders_without_meshes_are_refused) {
  expect_run(state, "mkdir empty && graze check empty", 2, "", "graze: there is no mesh file in empty\n");
  expect_run(state, "echo text >empty/notes.txt; graze check one.obj empty --each", 2, "",
             "graze: there is no mesh file in empty\n");
}

TOOL_TEST(what_makes_no_row_is_refused) {
  const char *const options[] = {
      "--self",           "--separate",       "--move 0=1,2,3",  "--exclude 0,1",  "--touching",      "--limit 3",
      "--candidates",     "--contacts c.csv", "--regions r.csv", "--curves c.obj", "--picture p.png", "--explain",
      "--rotate 0=1,2,3", "--poses p.csv",    "--solid",         "--components",   "--details",       "--faces f.obj"};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; ++i) {
    char line[128], message[256];
    snprintf(line, sizeof line, "graze check one.obj two.obj --each %s", options[i]);
    snprintf(message, sizeof message,
             "graze: --each checks each file by itself and counts its pairs; it cannot be combined with %.*s\n"
             "Try 'graze check --help'.\n",
             (int)strcspn(options[i], " "), options[i]);
    expect_run(state, line, 2, "", message);
  }
}

TOOL_TEST(threads_change_no_row) {
  write_parts(state);
  OWNED_RUN plain = run_line(state, "graze check --each parts --csv - -q --threads 1 2>/dev/null");
  expect_run(state, "graze check --each parts --csv - -q --threads 3 --method tree 2>/dev/null", 2, plain.output, "");
}

/* Counted by a program of its own in rational arithmetic, too. */
TOOL_TEST(real_files_have_known_rows) {
  if (getenv("GRAZE_DATA") == NULL) {
    printf("skipped: GRAZE_DATA is not set\n");
    skip();
  }
  expect_run(state,
             "cd \"$GRAZE_DATA/meshes\" && graze check --each degenerated-sd.off.gz stanford-bunny.obj.gz "
             "thingi_40509.stl.gz --csv - -q",
             1,
             HEADER "degenerated-sd.off.gz,13477,27,3,663,0,4,1,0,intersects\n"
                    "stanford-bunny.obj.gz,69451,0,0,223,0,0,0,0,does not intersect\n"
                    "thingi_40509.stl.gz,14370,1351,17,16,0,0,0,0,intersects\n",
             "");
}
