/* Tests `graze check --components`, which divides a file into connected parts. */
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two squares that cross, a triangle beside the first that repeats a corner of it, and one that is far away. */
static void write_parts(void **state) {
  const char parts[] = "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\n"
                       "v 1 1 -1\nv 1 3 -1\nv 1 3 1\nv 1 1 1\n"
                       "v 9 9 9\nv 9 9 8\nv 9 8 9\n"
                       "v 0 0 0\nv -1 0 0\nv 0 -1 0\n"
                       "f 1 2 3 4\nf 5 6 7 8\nf 9 10 11\nf 12 13 14\n";
  folder_write(state, "parts.obj", parts, sizeof parts - 1);
}

TOOL_TEST(parts_are_tested_against_each_other) {
  write_parts(state);
  expect_run(state, "graze check parts.obj --components", 1,
             "2 pairs of primitives intersect: 1 within one object, 1 between two (4 primitives, # ms).\n"
             "\n"
             "Pairs of objects\n"
             "  0 parts.obj#0  itself                       1\n"
             "  0 parts.obj#0  1 parts.obj#1                1\n"
             "\n"
             "Pairs of primitives\n"
             "  0 of object 0 and 1 of object 0\n"
             "  0 of object 0 and 0 of object 1\n"
             "\n"
             "hash  f828303c92d7ad4f\n"
             "time #\n"
             "note  primitives that share a vertex were tested for intersection beyond the shared vertex (--neighbors "
             "beyond)\n"
             "note  all pairs within an object only touch; --weld merges vertices with equal coordinates\n",
             "");
  expect_run(state, "graze check parts.obj --components --json - -q | grep -o '\"name\":[^}]*'", 0,
             "\"name\":\"parts.obj#0\",\"file\":\"parts.obj\",\"kind\":\"polygon\",\"vertices\":7,\"primitives\":2,"
             "\"skipped\":0,\"unknown_lines\":0\n"
             "\"name\":\"parts.obj#1\",\"file\":\"parts.obj\",\"kind\":\"polygon\",\"vertices\":4,\"primitives\":1,"
             "\"skipped\":0,\"unknown_lines\":0\n"
             "\"name\":\"parts.obj#2\",\"file\":\"parts.obj\",\"kind\":\"triangle\",\"vertices\":3,\"primitives\":1,"
             "\"skipped\":0,\"unknown_lines\":0\n",
             "");
}

TOOL_TEST(parts_have_names) {
  write_parts(state);
  expect_run(state, "graze check parts.obj --components --csv - -q --exclude parts.obj#0,1", 1,
             "object_a,primitive_a,object_b,primitive_b\n0,0,0,1\n", "");
  expect_run(state, "graze check parts.obj --components --exclude parts.obj#3,1", 2, "",
             "graze: --exclude parts.obj#3,1: there is no object \"parts.obj#3\"; the objects are 0 (parts.obj#0), 1 "
             "(parts.obj#1), 2 (parts.obj#2)\n");
  expect_run(state, "graze check parts.obj --components --move 1=0,0,5 --csv - -q", 1,
             "object_a,primitive_a,object_b,primitive_b\n0,0,0,1\n", "");
}

TOOL_TEST(solids_have_parts_too) {
  const char solids[] = "MeshVersionFormatted 2\nDimension 3\nVertices\n9\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
                        "1 1 1 0\n0.1 0.1 0.1 0\n5 5 5 0\n6 5 5 0\n5 6 5 0\nTetrahedra\n3\n1 2 3 4 0\n6 7 8 9 0\n"
                        "2 3 4 5 0\nEnd\n";
  folder_write(state, "solids.mesh", solids, sizeof solids - 1);
  expect_run(state, "graze check solids.mesh --components --csv - -q", 1,
             "object_a,primitive_a,object_b,primitive_b\n0,0,1,0\n0,1,1,0\n", "");
  expect_run(state, "graze check cube.vtk corner.mesh --components --csv - -q", 1,
             "object_a,primitive_a,object_b,primitive_b\n0,0,1,0\n", "");
  /* Blocks of several cells each keep their pairs. */
  expect_run(state, "graze make cell-pair --primitives 60 --output cells.vtk -q", 0, "", "");
  expect_run(
      state,
      "for o in '' --components; do graze check cells.vtk $o --json - -q | grep -o '\"pair_count\":[0-9]*'; done "
      "| uniq | wc -l; graze check cells.vtk --components --touching --csv - -q",
      1, "1\nobject_a,object_b\n0,1\n", "");
  /* Spheres are connected to nothing, and stay together. */
  expect_run(state, "graze make spheres --primitives 50 --output balls.csv -q", 0, "", "");
  tool_run whole = run_line(state, "graze check balls.csv --csv - -q");
  expect_run(state, "graze check balls.csv --components --csv - -q", whole.status, whole.output, "");
  tool_run_release(&whole);
  expect_run(state, "graze check balls.csv one.obj --components --exclude balls.csv#0,one.obj#0 -q", 0, "", "");
}

TOOL_TEST(groups_and_components_are_two_ways) {
  expect_run(state, "graze check groups.obj --components --separate", 2, "",
             "graze: --separate makes objects of groups, --components of connected components; omit one of them\n"
             "Try 'graze check --help'.\n");
  expect_run(state, "graze check groups.obj --components --each", 2, "",
             "graze: --each checks each file by itself and counts its pairs; it cannot be combined with --components\n"
             "Try 'graze check --help'.\n");
}

/* Splitting a file changes the names of its pairs, and not how many there are. */
TOOL_TEST(real_files_keep_their_pairs) {
  if (getenv("GRAZE_DATA") == NULL) {
    printf("skipped: GRAZE_DATA is not set\n");
    skip();
  }
  const char *const files[] = {"meshes/chair_soup.off", "meshes/coplanar_cubes.off",
                               "meshes/fcl_env.obj",    "meshes/thingi_40509.stl.gz",
                               "meshes/cow.obj",        "tets/Armadillo2.5K.vtk.gz"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; ++i) {
    char line[512];
    snprintf(line, sizeof line,
             "for o in '' --components; do graze check \"$GRAZE_DATA/%s\" $o --json - -q | "
             "grep -o '\"pair_count\":[0-9]*'; done | uniq | wc -l",
             files[i]);
    expect_run(state, line, 0, "1\n", "");
  }
  expect_run(state,
             "graze check \"$GRAZE_DATA/meshes/spheres_intersecting.off\" --components --json - -q | "
             "grep -A1 '\"object_pairs\"' | tail -n 1",
             0, "[0,1,88]],\n", "");
}

/* Three triangles around a corner, each with vertices of its own: they touch until these are joined. */
TOOL_TEST(vertices_at_one_place_are_joined) {
  static const char split[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n"
                              "v 0 1 0\nv 1 1 0\nv 0 2 0\nf 1 2 3\nf 4 6 5\nf 7 8 9\n";
  folder_write(state, "split.obj", split, sizeof split - 1);
  expect_run(state, "graze check split.obj | grep -o '^note.*touch.*'", 0,
             "note  all pairs within an object only touch; --weld merges vertices with equal coordinates\n", "");
  expect_run(state, "graze check split.obj --weld", 0,
             "split.obj: no triangle intersects another (3 triangles, # ms).\n"
             "\n"
             "hash  0000000000000000\n"
             "time #\n"
             "note  triangles that share a vertex were tested for intersection beyond the shared vertex (--neighbors "
             "beyond)\n",
             "");
  expect_run(state, "graze check split.obj --weld --each", 2, "",
             "graze: --each checks each file by itself and counts its pairs; it cannot be combined with --weld\n"
             "Try 'graze check --help'.\n");
}
