/* Tests placement with --poses, --rotate and --move. Every notation of the same placement has the same pairs, and an
 * invalid pose is rejected with file, line, object and value. */
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 512 };

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define MATRIX_HEADER "object,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23"
#define JSON_BEGIN "{\"format\": \"graze-poses\", \"version\": 1, \"poses\": {\"two.obj\": "

static void write_text(void **state, const char *name, const char *text) {
  folder_write(state, name, text, strlen(text));
}

/* Half a turn about z, then a shift by 0.5, 0.25, 0: exact in every way to write it. */
static const struct {
  const char *file, *text;
} same_poses[] = {
    {"a.csv", MATRIX_HEADER "\n1,-1,0,0,0.5,0,-1,0,0.25,0,0,1,0\n"},
    {"b.csv", "\xef\xbb\xbf" MATRIX_HEADER ",m30,m31,m32,m33\r\n"
              "# the second\r\n\r\n \"two.obj\" , -1, 0,0,5e-1,0,-1,0,0.25,0,0,1,0,0,0,0,1"},
    {"c.csv", "object,tx,ty,tz,qw,qx,qy,qz\ntwo.obj,0.5,0.25,0,0,0,0,2\n"},
    {"a.json", JSON_BEGIN "[-1,0,0,0.5, 0,-1,0,0.25, 0,0,1,0, 0,0,0,1]}}"},
    {"b.json", JSON_BEGIN "[[-1,0,0,0.5],[0,-1,0,0.25],[0,0,1,0]]}}"},
    {"c.json", JSON_BEGIN "{\"matrix\": [-1,0,0,0.5, 0,-1,0,0.25, 0,0,1,0]}}}"},
    {"d.json", JSON_BEGIN "{\"translation\": [0.5,0.25,0], \"quaternion\": [0,0,0,1]}}}"},
    {"e.json", JSON_BEGIN "{\"translation\": [0.5,0.25,0], \"axis\": [0,0,9], \"degrees\": 180}}}"},
    {"f.json", JSON_BEGIN "{\"translation\": [0.5,0.25,0], \"xyz_degrees\": [0,360,-180]}}}"},
};

TOOL_TEST(all_ways_to_write_a_pose_agree) {
  OWNED_RUN run = run_line(state, "graze make torus --triangles 600 --output one.obj && cp one.obj two.obj &&"
                                  "graze check one.obj two.obj --rotate 1=0,0,180 --move 1=0.5,0.25,0 | grep hash");
  expect_status(&run, 0);
  const char *hash = strstr(run.output, "hash");
  assert_non_null(hash);
  assert_null(strstr(hash, "0000000000000000"));
  expect_run(state, "graze check one.obj two.obj --rotate 1=0,0,-3,180 --move 1=0.5,0.25,0 | grep hash", 0, hash, "");
  for (size_t i = 0; i < COUNT_OF(same_poses); ++i) {
    char line[LINE_BYTES];
    write_text(state, same_poses[i].file, same_poses[i].text);
    snprintf(line, sizeof line, "graze check one.obj two.obj --poses %s | grep hash", same_poses[i].file);
    expect_run(state, line, 0, hash, "");
  }
}

/* First the file, then rotations, then shifts, whatever their order on the command line. */
TOOL_TEST(poses_come_before_rotations_and_these_before_shifts) {
  write_text(state, "p.csv", MATRIX_HEADER "\n1,1,0,0,1,0,1,0,0,0,0,1,0\n");
  write_text(state, "a.csv", "x,y,z,radius\n0,0,0,0\n");
  write_text(state, "b.csv", "x,y,z,radius\n0,0,0,0\n");
  /* (0,0,0) goes to (1,0,0), by a quarter of a turn to (0,1,0), and by the shift to (0,0,0). */
  expect_run(state, "graze check a.csv b.csv --move 1=0,-1,0 --rotate 1=0,0,90 --poses p.csv --quiet", 1, "", "");
  expect_run(state, "graze check a.csv b.csv --move 1=0,-1,0 --rotate 1=0,0,91 --poses p.csv --quiet", 0, "", "");
}

/* Matrices of scenes that others made scale: they are applied to the positions, and to radii where they can be. */
TOOL_TEST(matrices_scale_positions_and_radii) {
  write_text(state, "a.csv", "x,y,z,radius\n0,0,0,1\n");
  write_text(state, "b.csv", "x,y,z,radius\n5,0,0,1\n");
  write_text(state, "apart.csv", MATRIX_HEADER "\na.csv,3.9375,0,0,0,0,3.9375,0,0,0,0,3.9375,0\n");
  write_text(state, "touch.csv", MATRIX_HEADER "\na.csv,0,4,0,0,-4,0,0,0,0,0,-4,0\n");
  write_text(state, "bent.csv", MATRIX_HEADER "\na.csv,4,0,0,0,0,4,0,0,0,0,3,0\n");
  expect_run(state, "graze check a.csv b.csv --quiet", 0, "", "");
  expect_run(state, "graze check a.csv b.csv --quiet --poses apart.csv", 0, "", "");
  expect_run(state, "graze check a.csv b.csv --quiet --poses touch.csv", 1, "", "");
  expect_run(state, "graze check a.csv b.csv --poses bent.csv", 2, "",
             "graze: bent.csv:2: object 0 (a.csv) has spheres, which can only be scaled uniformly\n");
  write_text(state, "cube.csv", MATRIX_HEADER "\ncube.vtk,-2,0,0,0,0,1,0,0,0,0,1,0\n");
  expect_run(state, "graze check cube.vtk corner.mesh --move 1=-2,0,0 --quiet", 0, "", "");
  expect_run(state, "graze check cube.vtk corner.mesh --move 1=-2,0,0 --quiet --poses cube.csv", 1, "", "");
}

static const struct {
  const char *file, *text, *message;
} bad_poses[] = {
    {"p.csv", "", "p.csv: the file is empty; poses begin with a header such as object,m00,m01,...,m23"},
    {"p.csv", "object,x,y,z\n1,2,3,4\n",
     "p.csv:1: the header must be object, or frame and object, then m00,m01,m02,m03,m10,...,m23 or to m33, or "
     "tx,ty,tz,qw,qx,qy,qz"},
    {"p.csv", MATRIX_HEADER "\n\nboth.obj,1,0,0,0,0,1,0,0,0,0,1,0\n",
     "p.csv:3: there is no object \"both.obj\"; the objects are 0 (one.obj), 1 (two.obj)"},
    {"p.csv", MATRIX_HEADER "\n1,1,0,0,0,0,1,0,0,0,0,1\n",
     "p.csv:2: object \"1\" has 11 values, but the header has 12"},
    {"p.csv", MATRIX_HEADER "\n1,1,0,0,nan,0,1,0,0,0,0,1,0\n",
     "p.csv:2: object \"1\": m03 must be a finite number, not \"nan\""},
    {"p.csv", MATRIX_HEADER "\n1,1,0,0,0x1,0,1,0,0,0,0,1,0\n",
     "p.csv:2: object \"1\": m03 must be a finite number, not \"0x1\""},
    {"p.csv", MATRIX_HEADER "\n1,1,0,0,1e999,0,1,0,0,0,0,1,0\n",
     "p.csv:2: object \"1\": m03 must be a finite number, not \"1e999\""},
    {"p.csv", MATRIX_HEADER "\n1,1,0,0,0,0,1,0,0,1,1,0,0\n",
     "p.csv:2: object \"1\": the matrix cannot place an object: it flattens objects: its determinant is 0"},
    {"p.csv", MATRIX_HEADER ",m30,m31,m32,m33\n1,1,0,0,0,0,1,0,0,0,0,1,0,5,6,7,1\n",
     "p.csv:2: object \"1\": the last row of the matrix is 5 6 7 1, but must be 0 0 0 1; matrices are row-major, and "
     "this one is column-major"},
    {"p.csv", "object,tx,ty,tz,qw,qx,qy,qz\n1,0,0,0,0,0,0,0\n",
     "p.csv:2: object \"1\": the quaternion 0 0 0 0 has length zero"},
    {"p.csv", MATRIX_HEADER "\n1,1,0,0,0,0,1,0,0,0,0,1,0\n0,1,0,0,0,0,1,0,0,0,0,1,0\ntwo.obj,1,0,0,0,0,1,0,0,0,0,1,0\n",
     "p.csv:4: object \"two.obj\" is placed twice, first in line 2"},
    {"p.csv", "frame," MATRIX_HEADER "\n0,1,1,0,0,0,0,1,0,0,0,0,1,0\n",
     "p.csv: the file has frames, but check places each object once; 'graze play' plays a scene file with them"},
    {"p.csv", MATRIX_HEADER "\n\"1,1,0,0,0,0,1,0,0,0,0,1,0\n", "p.csv:2: a quote is not closed"},
    {"p.csv", MATRIX_HEADER "\n1,1e308,0,0,1e308,0,1,0,0,0,0,1,0\n",
     "p.csv:2: vertex 2 of object 1 (two.obj) exceeds the range of double precision"},
    {"p.json", "[1]",
     "p.json: not a graze file: it must be an object with \"format\": \"graze-poses\" and \"version\": 1"},
    {"p.json", "{\"format\": \"graze-poses\", \"version\": 2, \"poses\": {}}",
     "p.json:1: \"version\" must be 1, which is what this version of graze reads, not 2"},
    {"p.json", "{\"format\": \"graze-poses\",\n\"version\": 1,\n\"posse\": {}}",
     "p.json:3: a pose file has no member \"posse\"; did you mean \"poses\"?"},
    {"p.json", JSON_BEGIN "\n{\"translaton\": [1,2,3]}}}",
     "p.json:2: the pose of \"two.obj\" has no member \"translaton\"; did you mean \"translation\"?"},
    {"p.json", JSON_BEGIN "\n{\"translation\": [1,2]}}}",
     "p.json:2: the pose of \"two.obj\": \"translation\" must be an array of 3 numbers, not an array of 2"},
    {"p.json", JSON_BEGIN "[1,2,3,4,5]}}",
     "p.json:1: the pose of \"two.obj\" must be a matrix of 16 or 12 numbers, or of 4 or 3 rows of 4 numbers, not an "
     "array of 5"},
    {"p.json", JSON_BEGIN "{\"axis\": [1,0,0]}}}", "p.json:1: the pose of \"two.obj\": \"axis\" needs \"degrees\""},
    {"p.json", JSON_BEGIN "{\"axis\": [0,0,0], \"degrees\": 3}}}",
     "p.json:1: the pose of \"two.obj\": the axis is zero"},
    {"p.json", JSON_BEGIN "{\"quaternion\": [1,0,0,0], \"xyz_degrees\": [1,2,3]}}}",
     "p.json:1: the pose of \"two.obj\": give only one of quaternion, axis and xyz_degrees"},
    {"p.json", JSON_BEGIN "{\"translation\": [0,0,0], \"translation\": [0,0,0]}}}",
     "p.json:1: the pose of \"two.obj\" has the member \"translation\" twice"},
};

TOOL_TEST(bad_poses_are_refused_with_file_line_and_object) {
  for (size_t i = 0; i < COUNT_OF(bad_poses); ++i) {
    char line[LINE_BYTES], errors[LINE_BYTES];
    write_text(state, bad_poses[i].file, bad_poses[i].text);
    snprintf(line, sizeof line, "graze check one.obj two.obj --json out.json --poses %s", bad_poses[i].file);
    snprintf(errors, sizeof errors, "graze: %s\n", bad_poses[i].message);
    expect_run(state, line, 2, "", errors);
    assert_false(folder_has(state, "out.json"));
  }
  expect_run(state, "graze check one.obj two.obj --poses none.csv", 2, "",
             "graze: none.csv: No such file or directory\n");
}

TOOL_TEST(bad_rotations_are_refused) {
  expect_run(
      state, "graze check one.obj --rotate 0=1,2 2>&1 | head -n 1", 0,
      "graze: --rotate takes N=x,y,z (the number of an object and degrees about x, y and z) or N=x,y,z,angle (an "
      "axis and degrees about it), not \"0=1,2\"\n",
      "");
  expect_run(state, "graze check one.obj --rotate 0=1,2,inf 2>&1 | head -n 1", 0,
             "graze: --rotate takes finite numbers, not \"0=1,2,inf\"\n", "");
  expect_run(state, "graze check one.obj --rotate 0=0,0,0,90 2>&1 | head -n 1", 0,
             "graze: --rotate 0=0,0,0,90: the axis is zero\n", "");
  expect_run(state, "graze check one.obj --rotate 1=0,0,90", 2, "",
             "graze: --rotate 1=0,0,90: there is no object 1; the only one is 0\n");
}
