/* Tests `graze distance` as users run it: text, CSV, JSON, the picture, scene files, and errors. */
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define HINT "Try 'graze distance --help'.\n"

static void write_text(void **state, const char *name, const char *text) {
  folder_write(state, name, text, strlen(text));
}

/* Three flat triangles, one above the other, at 0, 2 and 5. */
static int make_files(void **state) {
  const int result = tool_folder_make(state);
  write_text(state, "low.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write_text(state, "mid.obj", "v 0 0 2\nv 1 0 2\nv 0 1 2\nf 1 2 3\n");
  write_text(state, "high.obj", "v 0 0 5\nv 1 0 5\nv 0 1 5\nf 1 2 3\n");
  write_text(state, "tip.obj", "v 0.25 0.25 1\nv 0.25 0.25 3\nv 0.5 0.25 3\nf 1 2 3\n");
  write_text(state, "scene.json",
             "{\"format\":\"graze-scene\",\"version\":1,\"objects\":[{\"name\":\"floor\",\"file\":\"low.obj\"},"
             "{\"name\":\"shelf\",\"file\":\"mid.obj\"},{\"name\":\"arm\",\"file\":\"mid.obj\","
             "\"pose\":{\"translation\":[0,0,1]}}],\"exclude\":[[\"shelf\",\"arm\"]]}");
  write_text(state, "frames.json",
             "{\"format\":\"graze-scene\",\"version\":1,\"objects\":[{\"name\":\"floor\",\"file\":\"low.obj\"},"
             "{\"name\":\"arm\",\"file\":\"low.obj\",\"pose\":{\"translation\":[0,0,9]}}],"
             "\"frames\":[{},{\"arm\":{\"translation\":[0,0,2]}},{\"arm\":{\"translation\":[0,0,4]}}]}");
  write_text(
      state, "box.obj",
      "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
      "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\nf 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n");
  write_text(state, "path.csv", "frame,object,tx,ty,tz,qw,qx,qy,qz\n7,mid.obj,0,0,1,1,0,0,0\n8,1,0,0,-1.5,1,0,0,0\n");
  write_text(state, "once.csv", "object,tx,ty,tz,qw,qx,qy,qz\n1,0,0,1,1,0,0,0\n");
  write_text(state, "large.csv",
             "frame,object,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n1,0,2,0,0,0,0,2,0,0,0,0,2,0\n");
  return result;
}

TEST(the_nearest_two_are_named) {
  expect_run(state, "graze distance low.obj tip.obj", 0,
             "nearest 1 between low.obj and tip.obj\n"
             "  low.obj: triangle 0, face, at (0.25, 0.25, 0)\n"
             "  tip.obj: triangle 0, corner, at (0.25, 0.25, 1)\n",
             "");
  expect_run(state, "graze distance low.obj high.obj tip.obj --units mm | head -1", 0,
             "nearest 1 mm between low.obj and tip.obj\n", "");
  expect_run(state, "graze distance low.obj tip.obj --move 1=0,0,-2", 0,
             "nearest 0 between low.obj and tip.obj: they touch or overlap\n"
             "  low.obj: triangle 0, at (0.3, 0.25, 0)\n"
             "  tip.obj: triangle 0, at (0.3, 0.25, 0)\n",
             "");
  expect_run(state, "graze distance low.obj tip.obj --quiet", 0, "", "");
}

TEST(lists_have_a_line_each) {
  expect_run(
      state, "graze distance low.obj mid.obj high.obj --each | tail -3", 0,
      "  low.obj is nearest to mid.obj: 2\n  mid.obj is nearest to low.obj: 2\n  high.obj is nearest to mid.obj: "
      "3\n",
      "");
  expect_run(state, "graze distance low.obj mid.obj high.obj --all | tail -3", 0,
             "  low.obj and mid.obj: 2\n  low.obj and high.obj: 5\n  mid.obj and high.obj: 3\n", "");
  expect_run(state, "graze distance low.obj mid.obj high.obj --within 3 -q --csv - | cut -d, -f1,4,5,6,10,11,12", 0,
             "distance,object_a,name_a,primitive_a,object_b,name_b,primitive_b\n2,0,low.obj,0,1,mid.obj,0\n"
             "3,1,mid.obj,0,2,high.obj,0\n",
             "");
  expect_run(state, "graze distance low.obj high.obj --within 4.5", 0,
             "no distances: no two objects are near enough, or all are excluded\n", "");
  expect_run(state, "graze distance mid.obj mid.obj --move 1=0,0,1 | head -1", 0,
             "nearest 1 between mid.obj (object 0) and mid.obj (object 1)\n", "");
}

TEST(scene_files_have_names_and_exclusions) {
  expect_run(state, "graze distance scene.json --all", 0,
             "nearest 2 between floor and shelf\n"
             "  floor: triangle 0, corner, at (0, 0, 0)\n"
             "  shelf: triangle 0, corner, at (0, 0, 2)\n"
             "  floor and shelf: 2\n  floor and arm: 3\n",
             "");
}

TEST(frames_have_a_line_each) {
  expect_run(state, "graze distance frames.json", 0,
             "nearest 2 in frame 2 between floor and arm\n"
             "  floor: triangle 0, corner, at (0, 0, 0)\n"
             "  arm: triangle 0, corner, at (0, 0, 2)\n"
             "  frame 1: 9 between floor and arm\n  frame 2: 2 between floor and arm\n"
             "  frame 3: 4 between floor and arm\n",
             "");
  expect_run(state, "graze distance low.obj mid.obj --poses path.csv -q --csv - | cut -d, -f1,2,6,12", 0,
             "frame,distance,name_a,name_b\n1,3,low.obj,mid.obj\n2,0.5,low.obj,mid.obj\n", "");
  expect_run(state, "graze distance frames.json --poses once.csv | tail -3", 0,
             "  frame 1: 1 between floor and arm\n  frame 2: 2 between floor and arm\n"
             "  frame 3: 4 between floor and arm\n",
             "");
  expect_run(state, "graze distance low.obj mid.obj --poses once.csv | head -1", 0,
             "nearest 3 between low.obj and mid.obj\n", "");
  expect_run(state,
             "graze distance low.obj mid.obj --poses path.csv -q --picture f.png --json f.json && "
             "head -c 4 f.png | tail -c 3; grep -c '\"frame\":2' f.json",
             0, "PNG1\n", "");
  expect_run(state, "graze distance low.obj mid.obj --poses large.csv", 2, "",
             "graze: large.csv:2: frames move objects by rigid motions, but this pose scales or shears\n");
  expect_run(state, "graze distance frames.json --move 0=1,0,0", 2, "",
             "graze: --move and --rotate cannot be combined with frames, and there are 3 frames\n");
}

TEST(objects_are_left_out) {
  expect_run(state, "graze distance low.obj mid.obj high.obj --exclude low.obj,1 | head -1", 0,
             "nearest 3 between mid.obj and high.obj\n", "");
  expect_run(state,
             "printf '0,1\\n1,2 # near\\n' >out.txt; graze distance low.obj mid.obj high.obj --exclude-file out.txt "
             "| head -1",
             0, "nearest 5 between low.obj and high.obj\n", "");
  expect_run(state, "graze distance low.obj mid.obj --exclude 0,7", 2, "",
             "graze: --exclude 0,7: there is no object \"7\"; the objects are 0 (low.obj), 1 (mid.obj)\n");
}

TEST(depths_and_insides_are_named) {
  expect_run(state, "graze distance box.obj box.obj --move 1=1.5,0.1,0.2 --depths --units mm | sed -n '1p;4p'", 0,
             "nearest -0.5 mm between box.obj (object 0) and box.obj (object 1): they touch or overlap\n"
             "  to separate them, move the second by 0.5 mm along (1, 0, 0); this is an estimate\n",
             "");
  expect_run(state, "graze distance box.obj box.obj --move 1=1.5,0.1,0.2 --depths -q --csv - | cut -d, -f1-3,16-19", 0,
             "distance,lower,upper,normal_x,normal_y,normal_z,certified\n-0.5,-0.5,0,1,0,0,0\n", "");
  expect_run(state, "sed '/^v/s/1/0.5/g' box.obj >small.obj; graze distance box.obj small.obj | sed -n '1p;4p'", 0,
             "nearest 0.5 between box.obj and small.obj\n"
             "note  small.obj lies entirely inside box.obj; the distance is that of their surfaces\n",
             "");
  expect_run(state, "graze distance box.obj small.obj -q --json - | grep -A 1 containments | tail -1 | cut -d']' -f1",
             0, "{\"inner\":1,\"outer\":0,\"entirely\":true}\n", "");
}

TEST(files_are_written) {
  expect_run(state,
             "graze distance low.obj tip.obj -q --json out.json --csv out.csv --picture out.png && "
             "head -c 4 out.png | tail -c 3; wc -l <out.csv; grep -c '\"distance\":1,' out.json",
             0, "PNG2\n1\n", "");
}

TEST(folders_stand_for_their_files) {
  expect_run(state,
             "mkdir parts; cp low.obj tip.obj parts; graze distance parts --csv folder.csv -q && "
             "graze distance parts/low.obj parts/tip.obj --csv files.csv -q && cmp folder.csv files.csv",
             0, "", "");
  expect_run(state, "mkdir none; graze distance none", 2, "", NULL);
}

TEST(invalid_combinations_are_refused) {
  expect_run(state, "graze distance", 2, "", "graze: distance needs files with at least two objects\n" HINT);
  expect_run(state, "graze distance low.obj", 2, "",
             "graze: a distance needs two objects, but there is only 1 object; --separate makes objects of the parts "
             "of a file\n");
  expect_run(state, "graze distance low.obj tip.obj --each --all", 2, "",
             "graze: --each and --all exclude each other: a distance for each object, or for each pair\n" HINT);
  expect_run(
      state, "graze distance low.obj scene.json", 2, "",
      "graze: scene.json is a scene file, which must be the only file; add the other files to its objects\n" HINT);
  expect_run(state, "graze distance low.obj tip.obj --csv low.obj", 2, "",
             "graze: --csv would overwrite low.obj, which is to be measured\n" HINT);
  OWNED_RUN run = run_line(state, "graze distance low.obj tip.obj --within -1");
  assert_int_equal(run.status, 2);
}

TEST_GROUP(make_files, tool_folder_remove)
