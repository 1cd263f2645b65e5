/* Tests `graze check --clearance`: the verdict, the exit status, distances in records, and options that cannot be
 * combined with it. */
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ABOVE "graze check one.obj one.obj --move 1=0,0,0.25 "

TOOL_TEST(the_verdict_names_the_nearest) {
  expect_run(state, ABOVE "--clearance 0.5 --units mm | head -n 1 | sed 's/ (.*//'", 0,
             "1 pair of triangles within 0.5 mm; nearest 0.25 mm between one.obj and one.obj\n", "");
  expect_run(state, ABOVE "--clearance 0.5 | grep -A 1 '^Pairs of' | sed 's/  */ /g'", 0,
             "Pairs of objects\n 0 one.obj 1 one.obj 1 nearest 0.25\n--\nPairs of triangles\n"
             " 0 of object 0 and 0 of object 1, 0.25 apart\n",
             "");
  expect_run(state, ABOVE "--clearance 0.2 | head -n 1 | sed 's/ (.*//'", 0,
             "No two triangles are within 0.2 of each other\n", "");
  expect_run(state, ABOVE "--clearance 0.25 --touching | head -n 1 | sed 's/ (.*//'", 0,
             "1 pair of objects within 0.25\n", "");
  expect_run(state, "graze check one.obj two.obj --clearance 0.5 | head -n 1 | sed 's/ (.*//'", 0,
             "1 pair of triangles within 0.5; 1 intersects, the first between one.obj and two.obj\n", "");
}

TOOL_TEST(the_exit_status_is_the_answer) {
  expect_run(state, ABOVE "-q", 0, "", "");
  expect_run(state, ABOVE "--clearance 0.25 -q", 1, "", "");
  expect_run(state, ABOVE "--clearance 0.24999999999999997 -q", 0, "", "");
}

TOOL_TEST(records_have_distances) {
  expect_run(state, ABOVE "--clearance 1 --csv - -q", 1,
             "object_a,primitive_a,object_b,primitive_b,distance\n0,0,1,0,0.25\n", "");
  expect_run(state, ABOVE "--clearance 1 --csv - --details -q | cut -d , -f 5-10,13", 0,
             "distance,name_a,name_b,point_a_x,point_a_y,point_a_z,point_b_z\n0.25,one.obj,one.obj,0,0,0,0.25\n", "");
  expect_run(state, ABOVE "--clearance 1 --units mm --json - -q | grep -o '\"clearance.*mm\"'", 0,
             "\"clearance\":1,\"units\":\"mm\"\n", "");
  expect_run(state, ABOVE "--clearance 1 --json - -q | grep -A 1 'pair_distances'", 0, "\"pair_distances\":[\n0.25],\n",
             "");
  expect_run(state, ABOVE "--json - -q | grep -c 'clearance\\|pair_distances'", 1, "0\n", "");
}

TOOL_TEST(a_picture_shows_pairs_that_do_not_meet) {
  expect_run(state, ABOVE "--clearance 0.5 -q --picture near.png", 1, "", "");
  expect_run(state, "test -s near.png", 0, "", "");
}

TOOL_TEST(invalid_combinations_are_refused) {
  expect_run(state, ABOVE "--clearance 0 2>&1 | head -n 1", 0, "graze: --clearance takes a number above 0, not \"0\"\n",
             "");
  expect_run(state, ABOVE "--clearance 1 --regions clashes.csv 2>&1 | head -n 1", 0,
             "graze: --clearance also lists pairs that do not intersect; it cannot be combined with --regions\n", "");
  expect_run(state, "graze check one.obj --each --clearance 1 2>&1 | head -n 1", 0,
             "graze: --each checks each file by itself and counts its pairs; it cannot be combined with --clearance\n",
             "");
  expect_run(state, ABOVE "--units mm 2>&1 | head -n 1", 0, "graze: --units requires --clearance\n", "");
}

/* A clearance in other units than the file: refused at once, with an estimate. With a limit it is the user's wish. */
TOOL_TEST(too_many_pairs_are_refused) {
  expect_run(state, "graze make sphere --triangles 30000 --output many.stl -q", 0, "", "");
  expect_run(state, "graze check many.stl --clearance 90 --units mm --csv pairs.csv", 2, "", NULL);
  expect_run(state,
             "graze check many.stl --clearance 90 --units mm 2>&1 | grep -cE '^graze: about 4[0-9]{2},[0-9,]* pairs of "
             "triangles are within 90 mm, and at most 50,000,000 are listed; .* --limit N'",
             0, "1\n", "");
  assert_false(folder_has(state, "pairs.csv"));
  expect_run(state, "graze check many.stl far.obj --clearance 1 -q", 0, "", "");
}
