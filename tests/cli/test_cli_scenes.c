/* Tests scene files in `graze check` and `graze play`: the pairs are those of the same meshes placed with --poses, a
 * mesh used by several objects is read once, and errors have the line. */
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 1024 };

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define SCENE "{\"format\": \"graze-scene\", \"version\": 1,\n"
#define MATRIX_HEADER "object,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n"

static void write_text(void **state, const char *name, const char *text) {
  folder_write(state, name, text, strlen(text));
}

/* Whether two lines of the shell print the same, which is not nothing. */
static void expect_same(void **state, const char *first, const char *second) {
  OWNED_RUN run = run_line(state, first);
  expect_status(&run, 0);
  assert_true(run.output_bytes > 0);
  expect_run(state, second, 0, run.output, "");
}

TOOL_TEST(the_documented_scene_is_checked_and_played) {
  expect_run(state,
             "graze make gear --triangles 2000 --output gear.obj --quiet &&"
             "graze make torus --triangles 2000 --output ring.obj --quiet && cp '" GRAZE_DOCS_FOLDER "/gearbox.json' .",
             0, "", "");
  expect_run(
      state, "graze check gearbox.json", 0,
      "None of the 3 objects intersects another (6,096 triangles, # ms).\n\nhash  0000000000000000\ntime #\n"
      "note  1 pair of objects was excluded\n",
      "graze: note: gearbox.json has 4 frames, which 'graze play' checks; this check uses the poses of the objects\n");
  expect_run(state, "graze play gearbox.json --compare-methods --quiet --csv frames.csv", 1, "", "");
  expect_run(state, "awk -F, 'NR>1 && $NF==\"grid\"{print $7}' frames.csv", 0, "0\n0\n0\n116\n", "");
  /* In the last frame the second wheel is where the frame before has put it. */
  expect_same(state,
              "graze check gear.obj gear.obj ring.obj --exclude 0,2 --exclude 1,2 --rotate 0=0,0,12 --rotate 1=0,0,-3 "
              "--move 1=1.9,0,0 "
              "| awk '/^hash/{print $2}'",
              "graze play gearbox.json --csv - --quiet | awk -F, 'NR==5{print $(NF-2)}'");
  expect_run(state, "graze play gearbox.json --picture last.png --quiet && true", 1, "", "");
  assert_true(folder_has(state, "last.png"));
}

/* The parts touch in frame 2 alone. */
TOOL_TEST(objects_that_meet_in_frames_are_named_or_left_out) {
  write_text(state, "m.json",
             SCENE "\"objects\": [{\"name\": \"rail\", \"file\": \"one.obj\"}, {\"name\": \"cart\", \"file\": "
                   "\"one.obj\"}], \"frames\": [{\"cart\": {\"translation\": [0, 0, 9]}}, {\"cart\": {}}]}");
  expect_run(state, "graze play m.json | grep -A 1 Objects", 0,
             "Objects that intersect\n  0 rail and 1 cart: 1 pair in 1 frame, first in frame 2\n", "");
  expect_run(state, "graze play m.json --json - --quiet | grep -A 1 meetings | tail -1", 0,
             "{\"object_a\":0,\"name_a\":\"rail\",\"object_b\":1,\"name_b\":\"cart\",\"first_frame\":2,\"frames\":1,"
             "\"pairs\":1}],\n",
             "");
  expect_run(state, "graze play m.json --exclude rail,cart --quiet", 0, "", "");
  expect_run(state, "printf '1,rail\\n' >out.txt && graze play m.json --exclude-file out.txt --quiet", 0, "", "");
  expect_run(state, "graze play m.json --exclude 0,2 --quiet", 2, "",
             "graze: --exclude 0,2: there is no object \"2\"; the objects are 0 (rail), 1 (cart)\n");
}

/* Each reading would be noted. */
TOOL_TEST(a_mesh_is_read_once_however_often_it_is_placed) {
  write_text(state, "s.json",
             SCENE "\"objects\": [{\"name\": \"a\", \"file\": \"m.obj\"}, {\"name\": \"b\", \"file\": \"m.obj\"},"
                   "{\"name\": \"c\", \"file\": \"m.obj\", \"pose\": {\"translation\": [0, 0, 50]}}]}");
  expect_run(state, "cp one.obj m.obj; echo foo >>m.obj; graze check s.json >words", 1, "",
             "graze: note: m.obj: 1 line with an unknown keyword was skipped: line 5, \"foo\"\n");
}

/* Every kind, by a rigid pose, which leaves the mesh shared, and by a matrix that scales, which does not. */
TOOL_TEST(pairs_are_those_of_the_same_meshes_placed_by_a_table) {
  static const char *const files[] = {"quad.obj", "crossing.obj", "corner.mesh", "cube.vtk", "ball.csv"};
  static const char *const matrices[][2] = {{"0,-1,0,0.25,1,0,0,0.125,0,0,1,0", "[0,-1,0,0.25,1,0,0,0.125,0,0,1,0]"},
                                            {"0,-2,0,0.5,2,0,0,0.125,0,0,2,0", "[0,-2,0,0.5,2,0,0,0.125,0,0,2,0]"},
                                            {"0,2,0,0.5,2,0,0,0.125,0,0,2,0", "[0,2,0,0.5,2,0,0,0.125,0,0,2,0]"}};
  write_text(state, "ball.csv", "x,y,z,radius\n0.25,0.25,0,0.5\n0.5,0,0,0.25\n");
  for (size_t i = 0; i < COUNT_OF(files); ++i) {
    for (size_t k = 0; k < COUNT_OF(matrices); ++k) {
      char text[LINE_BYTES], line[LINE_BYTES], scene_line[LINE_BYTES];
      snprintf(text, sizeof text, MATRIX_HEADER "1,%s\n", matrices[k][0]);
      write_text(state, "p.csv", text);
      snprintf(text, sizeof text,
               SCENE "\"objects\": [{\"name\": \"a\", \"file\": \"%s\"}, {\"name\": \"b\", \"file\": \"%s\", \"pose\": "
                     "%s}, {\"name\": \"c\", \"file\": \"corner.mesh\"}]}",
               files[i], files[i], matrices[k][1]);
      write_text(state, "s.json", text);
      snprintf(line, sizeof line,
               "graze check %s %s corner.mesh --poses p.csv --self --json - --quiet | grep -A99 pairs", files[i],
               files[i]);
      snprintf(scene_line, sizeof scene_line, "%s", "graze check s.json --self --json - --quiet | grep -A99 pairs");
      /* Names enter the ids of regions. */
      char filter[] = " | sed '/timings/,$d; /region_count/d; s/\"id\":\"[0-9a-f]*\"//'";
      strcat(line, filter);
      strcat(scene_line, filter);
      expect_same(state, line, scene_line);
      expect_run(state, "graze play s.json --self --quiet --compare-methods", 1, "", "");
    }
  }
}

TOOL_TEST(objects_go_by_their_names_and_files_lie_beside_the_scene) {
  write_text(state, "s.json",
             SCENE "\"objects\": [{\"name\": \"left arm\", \"file\": \"one.obj\", \"scale\": [1, 1, 1]},"
                   "{\"name\": \"right, arm\", \"file\": \"two.obj\"}, {\"file\": \"far.obj\"}]}");
  expect_run(state,
             "mkdir in && mv s.json one.obj two.obj far.obj in && graze check in/s.json --json - --quiet | "
             "sed -n 's/.*\"name\":\\([^,]*,\\( arm\",\\)*\\) *\"file\":\\([^,]*\\),.*/\\1\\3/p'",
             0, "\"left arm\",\"in/one.obj\"\n\"right, arm\",\"in/two.obj\"\n\"far.obj\",\"in/far.obj\"\n", "");
  expect_run(state, "graze check in/s.json | sed -n '1p;/^  0 left/p'", 0,
             "1 of the 3 pairs of objects intersects: 1 pair of triangles (3 triangles, # ms).\n"
             "  0 left arm  1 right, arm                1\n",
             "");
  /* Options that name objects of files name those of scenes as well. */
  expect_run(state, "graze check in/s.json --exclude 'left arm,1' --quiet", 0, "", "");
  write_text(state, "p.csv", MATRIX_HEADER "\"right, arm\",1,0,0,99,0,1,0,0,0,0,1,0\n");
  expect_run(state, "graze check in/s.json --poses p.csv --quiet", 0, "", "");
  expect_run(state, "graze check in/s.json --poses p.csv --move 1=-99,0,0 --rotate 2=1,2,3 --quiet", 1, "", "");
  expect_run(state, "graze check in/s.json --move 1=0,0,99 --quiet", 0, "", "");
}

/* Coordinates that are written are those in the scene, not those of the shared mesh. */
TOOL_TEST(what_is_written_has_the_poses) {
  write_text(state, "s.json",
             SCENE "\"objects\": [{\"name\": \"a\", \"file\": \"one.obj\"},"
                   "{\"name\": \"b\", \"file\": \"two.obj\", \"pose\": {\"translation\": [0, 0, 0.25]}}]}");
  expect_same(state, "graze check s.json --csv - --details -q | tail -n 1 | cut -d , -f 7-",
              "graze check one.obj two.obj --move 1=0,0,0.25 --csv - --details -q | tail -n 1 | cut -d , -f 7-");
  expect_same(state, "graze check s.json --json - --details -q | grep -A 2 pair_corners",
              "graze check one.obj two.obj --move 1=0,0,0.25 --json - --details -q | grep -A 2 pair_corners");
  expect_same(state, "graze check s.json --faces f.obj -q; grep '^[vf]' f.obj",
              "graze check one.obj two.obj --move 1=0,0,0.25 --faces f.obj -q; grep '^[vf]' f.obj");
}

TOOL_TEST(excluded_objects_are_left_out_of_every_frame) {
  write_text(state, "s.json",
             SCENE "\"objects\": [{\"name\": \"a\", \"file\": \"one.obj\"}, {\"name\": \"b\", \"file\": \"two.obj\"}],"
                   "\"exclude\": [[\"b\", \"a\"]], \"frames\": [{}, {\"a\": {\"translation\": [0, 0, 9]}},"
                   "{\"a\": [2,0,0,0, 0,1,0,0, 0,0,1,0]}, {\"a\": {}}]}");
  expect_run(state, "graze check s.json --quiet", 0, "", "");
  expect_run(state, "graze play s.json --quiet", 0, "", "");
  expect_run(state,
             "sed '/exclude/s/\"exclude\": [^]]*]],//' s.json >t.json && graze play t.json --quiet --csv f.csv; "
             "awk -F, 'NR>1{printf \"%s \", $7}' f.csv",
             0, "1 0 1 1 ", "");
}

/* Frames in the scene file and in a table of their own are the same frames. */
TOOL_TEST(frames_come_from_the_scene_or_from_a_table) {
  expect_run(state, "graze make torus --triangles 500 --output t.obj --quiet", 0, "", "");
  write_text(state, "f.csv",
             "frame,object,tx,ty,tz,qw,qx,qy,qz\n"
             "3,b,0.5,0,0,1,0,0,0\n3,a,0,0,0,1,0,0,0\n7,b,1,0,0,0,0,0,1\n8,a,0,0.25,0,0,1,0,0\n");
  write_text(state, "s.json",
             SCENE "\"objects\": [{\"name\": \"a\", \"file\": \"t.obj\", \"pose\": {\"translation\": [9, 0, 0]}},"
                   "{\"name\": \"b\", \"file\": \"t.obj\"}], \"frames\": \"f.csv\"}");
  write_text(state, "t.json",
             SCENE "\"objects\": [{\"name\": \"a\", \"file\": \"t.obj\"}, {\"name\": \"b\", \"file\": \"t.obj\"}],"
                   "\"frames\": [{\"b\": {\"translation\": [0.5, 0, 0]}},"
                   "{\"b\": {\"translation\": [1, 0, 0], \"xyz_degrees\": [0, 0, 180]}},"
                   "{\"a\": {\"translation\": [0, 0.25, 0], \"xyz_degrees\": [180, 0, 0]}}]}");
  expect_same(state, "graze play s.json | grep '^hash'", "graze play t.json | grep '^hash'");
  expect_same(state, "graze play s.json --csv - --quiet | awk -F, '{print $1, $7}'",
              "graze play t.json --csv - --quiet | awk -F, '{print $1, $7}'");
  expect_run(state, "graze play s.json --csv - --quiet | awk -F, 'NR>1 && $7>0' | wc -l", 0, "3\n", "");
}

static const struct {
  const char *text, *message;
} bad_scenes[] = {
    {"", "s.json:1: the text is incomplete"},
    {"{}", "s.json: not a graze file: it must be an object with \"format\": \"graze-scene\" and \"version\": 1"},
    {"{\"format\": \"graze-poses\", \"version\": 1}",
     "s.json:1: \"format\" must be \"graze-scene\", not \"graze-poses\""},
    {"{\"format\": \"graze-scene\", \"version\": 7}",
     "s.json:1: \"version\" must be 1, which is what this version of graze reads, not 7"},
    {SCENE "\"objects\": []}", "s.json:2: \"objects\" must be an array of one or more objects, not an array of 0"},
    {SCENE "\"objekts\": []}", "s.json:2: a scene file has no member \"objekts\"; did you mean \"objects\"?"},
    {SCENE "\"objects\": [\n{\"file\": \"one.obj\", \"poze\": 1}]}",
     "s.json:3: an object of the scene has no member \"poze\"; did you mean \"pose\"?"},
    {SCENE "\"objects\": [\n{\"name\": \"a\"}]}", "s.json:3: an object of the scene has no \"file\""},
    {SCENE "\"objects\": [\n{\"file\": \"t.json\"}]}",
     "s.json:3: the file of an object must be the name of a mesh file, not \"t.json\""},
    {SCENE "\"objects\": [\n{\"name\": \"12\", \"file\": \"one.obj\"}]}",
     "s.json:3: the name of an object must be text that is not all digits (digits are object numbers), not \"12\""},
    {SCENE "\"objects\": [{\"file\": \"one.obj\"},\n{\"file\": \"one.obj\"}]}",
     "s.json:3: duplicate object name \"one.obj\"; it is first used in line 2"},
    {SCENE "\"objects\": [{\"file\": \"one.obj\", \"scale\": \"big\"}]}",
     "s.json:2: object \"one.obj\": \"scale\" must be a number or an array of 3, not \"big\""},
    {SCENE "\"objects\": [{\"file\": \"one.obj\", \"scale\": [1, 0, 1]}]}",
     "s.json:2: object \"one.obj\": \"scale\" must be other than 0, which flattens the object, not an array of 3"},
    {SCENE "\"objects\": [{\"file\": \"one.obj\", \"pose\": [1, 2]}]}",
     "s.json:2: the pose of \"one.obj\" must be a matrix of 16 or 12 numbers, or of 4 or 3 rows of 4 numbers, not an "
     "array of 2"},
    {SCENE "\"objects\": [{\"file\": \"one.obj\", \"pose\": {\"translation\": [1, 2, 1e999]}}]}",
     "s.json:2: a number that is too large"},
    {SCENE "\"objects\": [{\"file\": \"one.obj\", \"pose\": {\"translation\": [1, 2, NaN]}}]}",
     "s.json:2: a value is missing"},
    {SCENE "\"objects\": [{\"name\": \"hand\", \"file\": \"one.obj\"}],\n\"exclude\": [[\"hand\", \"hnad\"]]}",
     "s.json:3: there is no object \"hnad\"; did you mean \"hand\"? The objects are 0 (hand)"},
    {SCENE "\"objects\": [{\"name\": \"hand\", \"file\": \"one.obj\"}],\n\"exclude\": [[\"hand\", \"hand\"]]}",
     "s.json:3: \"hand\" cannot be excluded from itself"},
    {SCENE "\"objects\": [{\"name\": \"hand\", \"file\": \"one.obj\"}],\n\"exclude\": [[\"hand\"]]}",
     "s.json:3: a pair of \"exclude\" must be an array of the names of two objects, not an array of 1"},
    {SCENE "\"objects\": [{\"name\": \"hand\", \"file\": \"one.obj\"}],\n\"frames\": []}",
     "s.json:3: \"frames\" must be an array of frames, or the name of a CSV file with them, not an array of 0"},
    {SCENE "\"objects\": [{\"name\": \"hand\", \"file\": \"one.obj\"}],\n\"frames\": [{}, {\"hand\": 3}]}",
     "s.json:3: frame 2, the pose of \"hand\" must be an object, not 3"},
    {SCENE "\"objects\": [{\"name\": \"hand\", \"file\": \"one.obj\"}],\n\"frames\": [{\"hand\": {}, \"hand\": {}}]}",
     "s.json:3: object \"hand\" is placed twice in this frame, first in line 3"},
    {SCENE "\"objects\": [{\"name\": \"hand\", \"file\": \"one.obj\"}],\n\"frames\": \"none.csv\"}",
     "none.csv: No such file or directory"},
    {SCENE "\"objects\": [{\"name\": \"hand\", \"file\": \"one.obj\"}],\n\"frames\": \"back.csv\"}",
     "back.csv:3: frame 1 comes after frame 2; sort the rows by frame"},
    {SCENE "\"objects\": [{\"name\": \"hand\", \"file\": \"one.obj\"}],\n\"frames\": \"flat.csv\"}",
     "flat.csv: frames need a column \"frame\""},
    {SCENE "\"objects\": [{\"name\": \"hand\", \"file\": \"none.obj\"}]}",
     "none.obj: cannot be opened: No such file or directory"},
    {SCENE "\"objects\": [{\"name\": \"b\", \"file\": \"ball.csv\", \"scale\": [1, 2, 1]}]}",
     "ball.csv: object 0 (ball.csv) has spheres, which can only be scaled uniformly"},
    {SCENE "\"objects\": [{\"name\": \"b\", \"file\": \"ball.csv\", \"pose\": [1,0,0,0, 0,1,0,0, 0,0,3,0]}]}",
     "s.json:2: object 0 (b) has spheres, which can only be scaled uniformly"},
};

TOOL_TEST(bad_scenes_are_refused_with_file_and_line) {
  write_text(state, "ball.csv", "x,y,z,radius\n0,0,0,1\n");
  write_text(state, "back.csv", "frame,object,tx,ty,tz,qw,qx,qy,qz\n2,hand,0,0,0,1,0,0,0\n1,hand,0,0,0,1,0,0,0\n");
  write_text(state, "flat.csv", "object,tx,ty,tz,qw,qx,qy,qz\nhand,0,0,0,1,0,0,0\n");
  for (size_t i = 0; i < COUNT_OF(bad_scenes); ++i) {
    char errors[LINE_BYTES];
    write_text(state, "s.json", bad_scenes[i].text);
    snprintf(errors, sizeof errors, "graze: %s\n", bad_scenes[i].message);
    expect_run(state, "graze check s.json --json out.json", 2, "", errors);
    assert_false(folder_has(state, "out.json"));
    OWNED_RUN run = run_line(state, "graze play s.json --quiet");
    expect_status(&run, 2);
  }
  /* Nested deeper than anybody writes. */
  tool_run run = run_line(state, "head -c 100000 /dev/zero | tr '\\0' '[' >s.json; graze check s.json");
  expect_status(&run, 2);
  assert_string_equal(run.errors, "graze: s.json:1: nested too deeply\n");
  tool_run_release(&run);
  expect_run(state, "graze check s.json one.obj 2>&1 | head -n 1", 0,
             "graze: s.json is a scene file, which must be the only file; add the other files to its objects\n", "");
  expect_run(state, "graze play s.json one.obj 2>&1 | head -n 1", 0,
             "graze: s.json is a scene file, which must be played alone; add the other files to its objects\n", "");
}

/* Files that a file names are regular: a pipe would wait for a writer. One on the command line may be a pipe. */
TOOL_TEST(files_named_in_files_are_regular) {
  static const char *const makes[] = {"mkfifo pipe", "ln -s /dev/zero pipe"};
  write_text(state, "s.json", SCENE "\"objects\": [{\"file\": \"pipe.obj\"}]}");
  write_text(state, "f.json", SCENE "\"objects\": [{\"file\": \"one.obj\"}], \"frames\": \"pipe.csv\"}");
  write_text(state, "b.gltf",
             "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36,\"uri\":\"pipe.bin\"}],"
             "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
             "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":"
             "[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}]}");
  write_text(state, "pipe.node", "1 3 0 0\n0 0 0 0\n");
  static const struct {
    const char *command, *pipe;
  } rows[] = {{"check s.json", "pipe.obj"}, {"play s.json", "pipe.obj"},  {"distance s.json", "pipe.obj"},
              {"play f.json", "pipe.csv"},  {"check b.gltf", "pipe.bin"}, {"check pipe.node", "pipe.ele"}};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; ++i) {
    char line[160], message[80];
    snprintf(line, sizeof line, "%s && mv pipe %s && timeout 20 graze %s; s=$?; rm %s; exit $s", makes[i % 2],
             rows[i / 2].pipe, rows[i / 2].command, rows[i / 2].pipe);
    snprintf(message, sizeof message, "graze: %s: not a regular file\n", rows[i / 2].pipe);
    expect_run(state, line, 2, "", message);
  }
  expect_run(state, "mkfifo pipe.obj; cat one.obj >pipe.obj & timeout 20 graze check pipe.obj -q", 0, "", "");
  expect_run(state, "timeout 20 graze check /dev/stdin two.obj -q <one.obj", 1, "", "");
}

/* Parts of a scene in folders of their own are no frames. */
TOOL_TEST(a_folder_with_folders_is_not_played) {
  expect_run(state, "mkdir -p f/parts f/empty && cp one.obj f/a1.obj && cp two.obj f/z2.obj && graze play f --quiet", 0,
             "", "");
  expect_run(
      state, "cp far.obj f/parts && graze play f/", 2, "",
      "graze: f/: the meshes are in subfolders: 2 in f, 1 in f/parts. The frames of a sequence must be in one folder; "
      "name that folder or a pattern. Parts of a scene are not frames; place them in a scene file and play it\n");
  expect_run(
      state, "rm f/*.obj && graze play f", 2, "",
      "graze: f: the meshes are in subfolders: 1 in f/parts. The frames of a sequence must be in one folder; "
      "name that folder or a pattern. Parts of a scene are not frames; place them in a scene file and play it\n");
  expect_run(state, "graze play f/parts --quiet", 0, "", "");
}
