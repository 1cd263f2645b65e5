/* Tests `graze check` as users run it: the verdict, the text after it, the exit status, and that options of the search
 * do not change the answer. */
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The hashes, by the definition in graze.h, of: no pair; triangles 0 and 1 of one object; triangles 0 of two objects.
 */
#define HASH_NONE "0000000000000000"
#define HASH_WITHIN "9ca066f1a4ab2eea"
#define HASH_BETWEEN "5b87c94aee2c7e65"

#define BEYOND_NOTE                                                                                                    \
  "note  triangles that share a vertex were tested for intersection beyond the shared vertex (--neighbors beyond)\n"

TOOL_TEST(one_file_is_tested_against_itself) {
  expect_run(state, "graze check apart.obj", 0,
             "apart.obj: no triangle intersects another (2 triangles, # ms).\n"
             "\n"
             "hash  " HASH_NONE "\n"
             "time #\n" BEYOND_NOTE,
             "");
  expect_run(state, "graze check crossing.obj", 1,
             "crossing.obj intersects itself: 1 pair of triangles (2 triangles, # ms).\n"
             "\n"
             "Pairs of triangles\n"
             "  0 and 1\n"
             "\n"
             "hash  " HASH_WITHIN "\n"
             "time #\n" BEYOND_NOTE,
             "");
}

TOOL_TEST(several_files_are_tested_against_each_other) {
  expect_run(state, "graze check one.obj two.obj", 1,
             "one.obj and two.obj intersect: 1 pair of triangles (2 triangles, # ms).\n"
             "\n"
             "Pairs of objects\n"
             "  0 one.obj  1 two.obj                1\n"
             "\n"
             "Pairs of triangles\n"
             "  0 of object 0 and 0 of object 1\n"
             "\n"
             "hash  " HASH_BETWEEN "\n"
             "time #\n" BETWEEN_NOTE,
             "");
  expect_run(state, "graze check one.obj far.obj", 0,
             "one.obj and far.obj do not intersect (2 triangles, # ms).\n"
             "\n"
             "hash  " HASH_NONE "\n"
             "time #\n" BETWEEN_NOTE,
             "");
  expect_run(state, "graze check one.obj two.obj far.obj | head -n 1", 0,
             "1 of the 3 pairs of objects intersects: 1 pair of triangles (3 triangles, # ms).\n", "");
  expect_run(state, "graze check one.obj far.obj far.obj --move 2=5,5,5 | head -n 1", 0,
             "None of the 3 objects intersects another (3 triangles, # ms).\n", "");
}

TOOL_TEST(self_adds_the_pairs_within) {
  expect_run(state, "graze check crossing.obj far.obj", 0, NULL, "");
  expect_run(state, "graze check crossing.obj far.obj --self", 1,
             "1 pair of triangles intersects: 1 within one object, 0 between two (3 triangles, # ms).\n"
             "\n"
             "Pairs of objects\n"
             "  0 crossing.obj  itself                1\n"
             "\n"
             "Pairs of triangles\n"
             "  0 of object 0 and 1 of object 0\n"
             "\n"
             "hash  " HASH_WITHIN "\n"
             "time #\n" BEYOND_NOTE,
             "");
  expect_run(state, "graze check apart.obj far.obj --self --move 1=50,0,0 | head -n 1", 0,
             "No triangle of the 2 objects intersects another (3 triangles, # ms).\n", "");
}

TOOL_TEST(groups_can_be_separate_objects) {
  expect_run(state, "graze check groups.obj --separate", 1,
             "1 pair of triangles intersects: 0 within one object, 1 between two (3 triangles, # ms).\n"
             "\n"
             "Pairs of objects\n"
             "  0 groups.obj[first]  1 groups.obj[second]                1\n"
             "\n"
             "Pairs of triangles\n"
             "  0 of object 0 and 0 of object 1\n"
             "\n"
             "hash  " HASH_BETWEEN "\n"
             "time #\n" BEYOND_NOTE,
             "");
  expect_run(state, "graze check groups.obj --separate --move 1=0,0,50 --quiet", 0, "", "");
  expect_run(state, "graze check groups.obj --quiet", 1, "", "");
}

TOOL_TEST(objects_can_be_moved) {
  expect_run(state, "graze check one.obj two.obj --move 1=0,0,7 -q", 0, "", "");
  expect_run(state, "graze check one.obj two.obj --move 1=0,0,7 --move=1=0,0,-7 -q", 1, "", "");
  expect_run(state, "graze check one.obj far.obj --move 1=-9,-9,-9 -q", 1, "", "");
  /* The shifted triangle touches the other in one point: exact, hence a pair; one bit further it is none. */
  expect_run(state, "graze check one.obj one.obj --move 1=2,0,0 -q", 1, "", "");
  expect_run(state, "graze check one.obj one.obj --move 1=2.0000000000000004,0,0 -q", 0, "", "");
}

TOOL_TEST(objects_can_be_excluded) {
  expect_run(state, "graze check one.obj two.obj --exclude 1,0", 0,
             "one.obj and two.obj were not tested: they are excluded (2 triangles, # ms).\n"
             "\n"
             "hash  " HASH_NONE "\n"
             "time #\n" BETWEEN_NOTE "note  1 pair of objects was excluded\n",
             "");
  expect_run(state, "graze check one.obj two.obj far.obj --exclude 0,2 --exclude two.obj,far.obj -q", 1, "", "");
  expect_run(state, "graze check one.obj two.obj one.obj --exclude 1,2 --exclude 0,1 --csv - -q", 1,
             "object_a,primitive_a,object_b,primitive_b\n0,0,2,0\n", "");
  expect_run(state, "graze check one.obj two.obj --exclude 0,1 --json - -q | grep -o '\"excluded_[a-z_]*\":[0-9]*'", 0,
             "\"excluded_object_pairs\":1\n", "");
  expect_run(state, "graze check groups.obj --separate --exclude second,first -q", 0, "", "");
  expect_run(state, "graze check groups.obj --separate --exclude 'groups.obj[first],1' -q", 0, "", "");
  /* By its file name, with or without folders. */
  expect_run(state,
             "mkdir sub && cp two.obj sub/inner.obj && graze check one.obj sub/inner.obj --exclude inner.obj,0 -q", 0,
             "", "");
  /* Or without the ending; a whole name comes first. */
  expect_run(state, "graze check one.obj sub/inner.obj --exclude inner,one -q", 0, "", "");
  expect_run(state,
             "cp one.obj inner && cp inner plain.obj && graze check sub/inner.obj one.obj --exclude one,inner.obj "
             "-q; rm inner",
             0, "", "");
  expect_run(state, "graze check sub/inner.obj groups.obj --separate --exclude 'inner,groups.obj[first]' -q", 1, "",
             "");
  expect_run(state, "printf '# joints\\n\\n 0 , two.obj # both\\r\\n1,2\\n0,1' > pairs.txt", 0, "", "");
  expect_run(state, "graze check one.obj two.obj far.obj --exclude-file pairs.txt | tail -n 1", 0,
             "note  2 pairs of objects were excluded\n", "");
}

TOOL_TEST(bad_exclusions_are_named) {
  expect_run(state, "graze check one.obj two.obj --exclude one.obj,three.obj", 2, "",
             "graze: --exclude one.obj,three.obj: there is no object \"three.obj\"; the objects are 0 (one.obj), 1 "
             "(two.obj)\n");
  expect_run(
      state, "graze check one.obj two.obj one.obj --exclude one.obj,1", 2, "",
      "graze: --exclude one.obj,1: \"one.obj\" names several objects: 0 (one.obj), 2 (one.obj); give the number\n");
  expect_run(
      state,
      "cp one.obj one.x.obj; mkdir sub; cp two.obj sub/one.obj; graze check two.obj one.obj sub/one.obj "
      "--exclude two,one",
      2, "",
      "graze: --exclude two,one: \"one\" names several objects: 1 (one.obj), 2 (sub/one.obj); give the number\n");
  expect_run(state, "graze check one.obj two.obj --exclude 0,two.obj --exclude 1,two.obj", 2, "",
             "graze: --exclude 1,two.obj: object 1 (two.obj) cannot be excluded from itself\n");
  expect_run(state, "graze check one.obj two.obj --exclude 0,18446744073709551616", 2, "",
             "graze: --exclude 0,18446744073709551616: there is no object \"18446744073709551616\"; the objects are 0 "
             "(one.obj), 1 (two.obj)\n");
  expect_run(state, "graze check one.obj two.obj --exclude 0", 2, "",
             "graze: --exclude 0: takes A,B (two objects by number or name), not \"0\"\n");
  expect_run(state, "graze check one.obj two.obj --exclude 0,1,", 2, "",
             "graze: --exclude 0,1,: takes A,B (two objects by number or name), not \"0,1,\"; refer to an object whose "
             "name has a comma by its number\n");
  expect_run(state,
             "printf '0,1\\n\\n1,5 # one too far\\n' > bad.txt; graze check one.obj two.obj --exclude-file bad.txt", 2,
             "", "graze: bad.txt, line 3: there is no object \"5\"; the objects are 0 (one.obj), 1 (two.obj)\n");
  expect_run(state, "printf '0,1\\n0\\000,1' > zero.txt; graze check one.obj two.obj --exclude-file zero.txt", 2, "",
             "graze: zero.txt, line 2: the line contains a zero byte; is this a list of pairs?\n");
  expect_run(state, "graze check one.obj two.obj --exclude-file none.txt", 2, "",
             "graze: none.txt: No such file or directory\n");
  expect_run(state, "f=\"$(for i in 1 2 3 4 5; do echo one.obj two.obj; done)\"; graze check $f --exclude x,0", 2, "",
             "graze: --exclude x,0: there is no object \"x\"; the objects are 0 (one.obj), 1 (two.obj), 2 (one.obj), 3 "
             "(two.obj), 4 (one.obj), 5 (two.obj), 6 (one.obj), 7 (two.obj) and 2 more\n");
}

/* A fan of two triangles that fold onto each other over their common edge. */
TOOL_TEST(folds_are_found_unless_neighbors_are_skipped) {
  expect_run(state, "graze check fan.obj", 1,
             "fan.obj intersects itself: 1 pair of triangles (2 triangles, # ms).\n"
             "\n"
             "Pairs of triangles\n"
             "  0 and 1\n"
             "\n"
             "hash  " HASH_WITHIN "\n"
             "time #\n" BEYOND_NOTE,
             "");
  expect_run(state, "graze check fan.obj --neighbors skip", 0,
             "fan.obj: no triangle intersects another (2 triangles, # ms).\n"
             "\n"
             "hash  " HASH_NONE "\n"
             "time #\n"
             "note  triangles that share a vertex were not tested; --neighbors beyond tests them\n",
             "");
  expect_run(state, "graze check fan.obj --neighbors beyond -q", 1, "", "");
  expect_run(state, "graze check fan.obj --json - -q | grep -o '\"neighbors\":\"[a-z]*\"'", 0,
             "\"neighbors\":\"beyond\"\n", "");
  expect_run(state, "graze check fan.obj --candidates -q", 0, "", ""); /* boxes of neighbors always meet */
  const char repeated[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 2\n";
  folder_write(state, "repeated.obj", repeated, sizeof repeated - 1);
  expect_run(state, "graze check repeated.obj --neighbors beyond | tail -n 1", 0,
             "note  1 triangle with a repeated vertex: not tested within its object\n", "");
  expect_run(state, "graze check repeated.obj one.obj | tail -n 1", 0, "note  1 triangle repeats a vertex\n", "");
}

/* Tetrahedra: a large one, a small one in it, one of two parts of which the second is outside, one with a hole. */
static void write_tetrahedra(void **state) {
  static const char faces[] = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  char text[512];
  int length = snprintf(text, sizeof text, "v 0 0 0\nv 8 0 0\nv 0 8 0\nv 0 0 8\n%s", faces);
  folder_write(state, "large.obj", text, (size_t)length);
  length = snprintf(text, sizeof text, "v 1 1 1\nv 2 1 1\nv 1 2 1\nv 1 1 2\n%s", faces);
  folder_write(state, "small.obj", text, (size_t)length);
  length = snprintf(text, sizeof text,
                    "v 1 1 1\nv 2 1 1\nv 1 2 1\nv 1 1 2\nv 9 9 9\nv 10 9 9\nv 9 10 9\nv 9 9 10\n%s"
                    "f 5 7 6\nf 5 6 8\nf 5 8 7\nf 6 7 8\n",
                    faces);
  folder_write(state, "parts.obj", text, (size_t)length);
  length = snprintf(text, sizeof text, "v 0 0 0\nv 8 0 0\nv 0 8 0\nv 0 0 8\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
  folder_write(state, "open.obj", text, (size_t)length);
}

TOOL_TEST(objects_inside_others_are_noted) {
  write_tetrahedra(state);
  expect_run(state, "graze check small.obj large.obj", 0,
             "small.obj and large.obj do not intersect (8 triangles, # ms).\n"
             "\n"
             "hash  " HASH_NONE "\n"
             "time #\n" BETWEEN_NOTE
             "note  small.obj lies entirely inside large.obj; their surfaces do not touch (--solid counts this)\n",
             "");
  expect_run(state, "graze check large.obj parts.obj | tail -n 1", 0,
             "note  parts.obj lies partly inside large.obj; their surfaces do not touch (--solid counts this)\n", "");
  expect_run(state, "graze check small.obj open.obj | grep -c lies", 1, "0\n", "");
  expect_run(state, "graze check small.obj large.obj --exclude 0,1 | grep -c lies", 1, "0\n", "");
  expect_run(state, "graze check large.obj small.obj --json - -q | grep -A 1 containments", 0,
             "\"solid\":false,\"containments\":[\n"
             "{\"inner\":1,\"outer\":0,\"inside_primitives\":4,\"primitives\":4,\"entirely\":true}],\n",
             "");
}

TOOL_TEST(solid_makes_insides_count) {
  write_tetrahedra(state);
  expect_run(state, "graze check small.obj large.obj --solid", 1,
             "small.obj and large.obj do not intersect; small.obj lies entirely inside large.obj (8 triangles, # ms).\n"
             "\n"
             "hash  " HASH_NONE "\n"
             "time #\n" BETWEEN_NOTE,
             "");
  expect_run(state, "graze check small.obj large.obj parts.obj --move 2=0,0,1.5 --solid", 1,
             "None of the 3 objects intersects another; 2 objects lie inside another (16 triangles, # ms).\n"
             "\n"
             "Objects inside others\n"
             "  small.obj lies entirely inside large.obj\n"
             "  parts.obj lies partly inside large.obj\n"
             "\n"
             "hash  " HASH_NONE "\n"
             "time #\n" BETWEEN_NOTE,
             "");
  expect_run(state, "graze check small.obj large.obj --move 0=20,0,0 --solid -q", 0, "", "");
  expect_run(state, "graze check small.obj large.obj --solid --csv - -q", 1,
             "object_a,primitive_a,object_b,primitive_b,relation\n0,,1,,inside\n", "");
  expect_run(state, "graze check parts.obj large.obj --solid --touching --csv - -q", 1,
             "object_a,object_b,relation\n0,1,partly_inside\n", "");
  expect_run(state, "graze check small.obj small.obj large.obj --solid --limit 1 --csv - -q", 1,
             "object_a,primitive_a,object_b,primitive_b,relation\n0,0,1,0,intersects\n0,,2,,inside\n1,,2,,inside\n",
             "");
  expect_run(state, "graze check small.obj open.obj --solid", 2, "",
             "graze: open.obj is not closed: 3 open edges; the first is from (0, 8, 0) to (8, 0, 0) at triangle 0\n"
             "graze: --solid requires closed surfaces: every edge used equally often in both directions\n");
  expect_run(
      state,
      "awk '/^f/ && ++n == 3 {print $1, $3, $2, $4; next} {print}' large.obj > mixed.obj; "
      "graze check small.obj mixed.obj --solid",
      2, "",
      "graze: mixed.obj is not oriented consistently: 3 edges of triangles that face opposite ways; the first is "
      "from (0, 0, 0) to (0, 8, 0) at triangle 0\n"
      "graze: --solid requires closed surfaces: every edge used equally often in both directions\n");
  expect_run(state,
             "awk '/^f/ {print $1, $3, $2, $4; next} {print}' large.obj > inward.obj; "
             "graze check small.obj inward.obj --solid",
             2, "",
             "graze: inward.obj is inside out: it faces inward at triangle 0\n"
             "graze: --solid requires surfaces that face outward\n");
  expect_run(state, "graze check open.obj mixed.obj --each --csv - -q | cut -d, -f1,5", 0,
             "file,open_edges\nopen.obj,3\nmixed.obj,0\n", "");
  expect_run(state, "graze check small.obj large.obj --solid --candidates", 2, "",
             "graze: --solid needs the exact test, which --candidates omits\n"
             "Try 'graze check --help'.\n");
}

TOOL_TEST(a_file_without_elements_does_not_pass) {
  static const char *const commands[] = {"check points.obj",
                                         "check points.obj -q",
                                         "check one.obj points.obj --json -",
                                         "check points.obj --separate",
                                         "check points.obj --components",
                                         "check s.json",
                                         "distance one.obj points.obj",
                                         "analyze points.obj",
                                         "pack points.obj --count 1"};
  folder_write(state, "points.obj", "v 0 0 0\np 1\n", 12);
  static const char scene[] =
      "{\"format\": \"graze-scene\", \"version\": 1, \"objects\": [{\"file\": \"points.obj\"}]}";
  folder_write(state, "s.json", scene, sizeof scene - 1);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
    char line[128];
    snprintf(line, sizeof line, "graze %s", commands[i]);
    expect_run(state, line, 2, "",
               "graze: points.obj: no triangle, polygon, tetrahedron, polyhedron or sphere was read, only 1 vertex; "
               "skipped 1 point\n");
  }
  /* A binary STL file without triangles has no ranges. */
  expect_run(state, "head -c 84 /dev/zero >none.stl; graze check none.stl --memory 1G", 2, "",
             "graze: --memory requires complete, uncompressed files: binary STL, or little-endian binary PLY of "
             "triangles; none.stl is not one\n");
}

/* Of a file that is read in part, the rest is reported, also in records. */
TOOL_TEST(skipped_elements_are_reported) {
  static const char mixed[] = "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 3 float\n"
                              "0 0 0 1 0 0 0 1 0\nCELLS 2 6\n3 0 1 2 1 0\nCELL_TYPES 2\n5 32\n";
  static const char *const commands[] = {"check mixed.vtk", "check mixed.vtk --components",
                                         "distance mixed.vtk mixed.vtk", "analyze mixed.vtk", "play mixed.vtk"};
  folder_write(state, "mixed.vtk", mixed, sizeof mixed - 1);
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
    char line[256];
    snprintf(line, sizeof line,
             "graze %s --json out.json 2>notes >words; sort -u notes; grep -o '\"skipped\":1' out.json | sort -u",
             commands[i]);
    expect_run(state, line, 0, "graze: note: mixed.vtk: skipped 1 element of another type\n\"skipped\":1\n", "");
  }
  expect_run(state, "grep skipped words", 0,
             "note   skipped 1 element in 1 frame: points, lines, or cells of other types\n", "");
}

TOOL_TEST(the_limit_is_reported) {
  expect_run(state, "graze check one.obj two.obj quad.obj --limit 1 2>&1 | grep than", 0,
             "At least 1 of the 3 pairs of objects intersects: more than 1 pair of primitives (4 primitives, # ms).\n",
             "");
  expect_run(state, "graze check crossing.obj --limit 1 | head -n 1", 0,
             "crossing.obj intersects itself: 1 pair of triangles (2 triangles, # ms).\n", "");
}

TOOL_TEST(objects_alone_can_be_asked_for) {
  expect_run(state, "graze check one.obj two.obj far.obj quad.obj --touching", 1,
             "3 of the 6 pairs of objects intersect (5 primitives, # ms).\n"
             "\n"
             "Pairs of objects\n"
             "  0 one.obj  1 two.obj\n"
             "  0 one.obj  3 quad.obj\n"
             "  1 two.obj  3 quad.obj\n"
             "\n"
             "hash  8a46bf91bfda9bfd\n"
             "time #\n" BETWEEN_NOTE,
             "");
  expect_run(state, "graze check one.obj two.obj --touching | head -n 1", 0,
             "one.obj and two.obj intersect (2 triangles, # ms).\n", "");
  expect_run(state, "graze check one.obj far.obj --touching | head -n 1", 0,
             "one.obj and far.obj do not intersect (2 triangles, # ms).\n", "");
  expect_run(state, "graze check one.obj far.obj --touching -q", 0, "", "");
  expect_run(state, "graze check crossing.obj --touching | head -n 1", 0,
             "crossing.obj intersects itself (2 triangles, # ms).\n", "");
  expect_run(state, "graze check crossing.obj crossing.obj --move 1=99,0,0 --self --touching | head -n 1", 0,
             "0 pairs of two objects intersect, and 2 objects intersect themselves (4 triangles, # ms).\n", "");
  expect_run(state, "graze check crossing.obj two.obj --self --touching | head -n 1", 0,
             "1 pair of two objects intersects, and 1 object intersects itself (3 triangles, # ms).\n", "");
  expect_run(state, "graze check one.obj two.obj quad.obj --limit 1 --touching | head -n 1", 0,
             "At least 1 of the 3 pairs of objects intersects (4 primitives, # ms).\n", "");
  expect_run(state, "graze check one.obj two.obj --candidates --touching | head -n 1", 0,
             "The boxes of triangles in 1 pair of objects intersect; the triangles themselves were not tested (2 "
             "triangles, # ms).\n",
             "");
}

TOOL_TEST(candidates_are_called_candidates) {
  /* The boxes meet, the triangles do not. */
  const char boxes[] = "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 3 3 0\nv 4 3 0\nv 3 4 0\nf 1 2 3\nf 4 5 6\n";
  folder_write(state, "boxes.obj", boxes, sizeof boxes - 1);
  expect_run(state, "graze check boxes.obj -q", 0, "", "");
  expect_run(state, "graze check boxes.obj --candidates -q", 1, "", "");
  expect_run(
      state, "graze check boxes.obj --candidates | head -n 1", 0,
      "The boxes of 1 pair of triangles intersect; the triangles themselves were not tested (2 triangles, # ms).\n",
      "");
  expect_run(state, "graze check apart.obj --candidates | head -n 1", 0,
             "No boxes of triangles intersect (2 triangles, # ms).\n", "");
}

TOOL_TEST(every_way_gives_the_same_list) {
  expect_run(state, "graze make folded-cloth --triangles 3000 --seed 5 --output cloth.obj -q", 0, "", "");
  OWNED_RUN plain = run_line(state, "graze check cloth.obj --csv - -q");
  assert_int_equal(plain.status, 1);
  assert_true(plain.output_bytes > 1000);
  const char *const variants[] = {"--method grid",
                                  "--method brute",
                                  "--threads 1",
                                  "--threads 3",
                                  "--simd scalar",
                                  "--backend cpu",
                                  "--method auto",
                                  "--simd auto",
                                  "--method grid --threads 2",
                                  "--method tree",
                                  "--method tree --tree-builder morton --threads 2",
                                  "--method clusters",
                                  "--method clusters --clusters 5 --axis y --metric linf"};
  for (size_t i = 0; i < sizeof variants / sizeof variants[0]; ++i) {
    char line[256];
    snprintf(line, sizeof line, "graze check cloth.obj --csv - -q %s", variants[i]);
    expect_run(state, line, 1, plain.output, "");
  }
}

TOOL_TEST(the_cost_is_explained) {
  expect_run(state, "graze make sphere --triangles 500 --output ball.obj -q", 0, "", "");
  tool_run run = run_line(state, "graze check ball.obj ball.obj --move 1=0.5,0,0 --method tree --explain");
  assert_int_equal(run.status, 1);
  assert_non_null(strstr(run.output, "\nmethod  tree: it was requested\ncost    N_v C_v + N_p C_p + N_u C_u = "));
  assert_non_null(strstr(run.output, " tests of bounding boxes "));
  assert_non_null(strstr(run.output, " tests of primitives "));
  assert_non_null(strstr(run.output, "            1,000 primitives updated"));
  tool_run_release(&run);
  run = run_line(state, "graze check crossing.obj --explain");
  assert_non_null(strstr(run.output, "\nmethod  brute: there are few primitives\n"));
  tool_run_release(&run);
}

TOOL_TEST(many_rows_are_cut_to_the_largest) {
  char file[8192];
  size_t used = 0;
  /* Seven copies of a triangle as groups: 21 pairs of objects, of which the last group has two triangles. */
  for (int i = 0; i < 7; ++i) {
    used += (size_t)snprintf(file + used, sizeof file - used, "g g%d\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n", i);
  }
  snprintf(file + used, sizeof file - used, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n");
  folder_write(state, "copies.obj", file, strlen(file));
  OWNED_RUN run = run_line(state, "graze check copies.obj --separate");
  assert_int_equal(run.status, 1);
  assert_non_null(strstr(run.output, "Pairs of objects, most pairs of triangles first\n"
                                     "  0 copies.obj[g0]  6 copies.obj[g6]                2\n"));
  assert_non_null(strstr(run.output, "  and 2 more\n\nFirst pairs of triangles\n"));
  assert_non_null(strstr(run.output, "  and 23 more; --csv FILE or --json FILE lists them\n"));
}

/* A floor of two triangles, and two walls through it that are apart. */
static void write_walls(void **state) {
  static const char floor_obj[] = "v 0 0 0\nv 8 0 0\nv 0 2 0\nv 8 2 0\nf 1 2 3\nf 2 4 3\n";
  static const char walls_obj[] = "v 2 1 -1\nv 5 1 -1\nv 2 1 1\nv 5 1 1\nf 1 2 3\nf 2 4 3\n"
                                  "v 6 1 -1\nv 7 1 -1\nv 6 1 1\nv 7 1 1\nf 5 6 7\nf 6 8 7\n";
  folder_write(state, "floor.obj", floor_obj, strlen(floor_obj));
  folder_write(state, "walls.obj", walls_obj, strlen(walls_obj));
}

TOOL_TEST(clashes_come_first) {
  write_walls(state);
  expect_run(state, "graze check floor.obj walls.obj | head -n 6", 0,
             "floor.obj and walls.obj intersect: 2 clashes in 5 pairs of triangles (6 triangles, # ms).\n"
             "\n"
             "Clashes, most pairs first\n"
             "          3 pairs  crossing   object 0 and object 1  within 2..5, 1..1, 0..0\n"
             "          2 pairs  crossing   object 0 and object 1  within 6..7, 1..1, 0..0\n"
             "\n",
             "");
  expect_run(state, "graze check floor.obj walls.obj --limit 6 | head -n 1", 0,
             "floor.obj and walls.obj intersect: 5 pairs of triangles (6 triangles, # ms).\n", "");
  expect_run(state, "graze check floor.obj walls.obj -q --regions - | cut -d, -f1-9", 0,
             "region,object_a,object_b,clash,pairs,touching,crossing,coplanar,duplicate\n"
             "0,0,1,crossing,3,0,3,0,0\n1,0,1,crossing,2,0,2,0,0\n",
             "");
}

/* There are as many lines as curves, and every number in them is a point. */
TOOL_TEST(curves_are_files) {
  write_walls(state);
  expect_run(state, "graze check floor.obj walls.obj -q --curves c.obj --regions r.json", 1, "", "");
  expect_run(state, "grep -v '^v' c.obj | tail -n +2", 0,
             "g region_0_crossing\nl 1 2 3 4\ng region_1_crossing\nl 5 6 7\n", "");
  expect_run(state, "grep -c '^v' c.obj", 0, "7\n", "");
  expect_run(state, "graze check floor.obj walls.obj -q --curves c.ply; sed '1,/end_header/d' c.ply | tail -n 5", 0,
             "0 1 0 0\n1 2 0 0\n2 3 0 0\n4 5 1 0\n5 6 1 0\n", "");
  expect_run(state, "grep '^element' c.ply", 0, "element vertex 7\nelement edge 5\n", "");
  expect_run(state, "graze check floor.obj floor.obj --move 1=0,0,9 -q --curves none.obj --regions none.csv", 0, "",
             "");
  expect_run(state, "wc -l < none.csv", 0, "1\n", "");
}

TOOL_TEST(options_may_be_abbreviated_and_stand_anywhere) {
  expect_run(state, "graze check -q --neigh=beyond -- fan.obj", 1, "", "");
  expect_run(state, "cp crossing.obj ./--odd.obj; graze check -q -- --odd.obj", 1, "", "");
}

TOOL_TEST(formats_are_read_alike) {
  expect_run(
      state,
      "graze make torus --triangles 1000 --output t.obj -q && graze make torus --triangles 1000 --output t.ply -q && "
      "graze make torus --triangles 1000 --output t.off.gz -q && graze check t.obj t.ply --csv one.csv -q; "
      "graze check t.obj t.off.gz --csv two.csv -q; cmp one.csv two.csv && wc -l <one.csv | grep -qv '^1$'",
      0, "", "");
}
