/* Tests where the pairs of `graze check` are: names and coordinates in records, and the faces of pairs as files. */
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DETAILS_HEADER                                                                                                 \
  "object_a,primitive_a,object_b,primitive_b,name_a,name_b,point_x,point_y,point_z,corners_a,corners_b\n"

static void write_balls(void **state) {
  const char balls[] = "x,y,z,radius\n0,0,0,1\n1,0,0,0.5\n";
  folder_write(state, "balls.csv", balls, sizeof balls - 1);
}

/* The common part of the two triangles is the segment from 0.5, 0.5, 0 to 1, 1, 0. */
TOOL_TEST(details_are_columns) {
  expect_run(state, "cp two.obj 'two, b.obj'; graze check one.obj 'two, b.obj' --csv - --details -q", 1,
             DETAILS_HEADER "0,0,1,0,one.obj,\"two, b.obj\",0.75,0.75,0,0 0 0;2 0 0;0 2 0,0.5 0.5 -1;0.5 0.5 1;3 3 0\n",
             "");
  expect_run(state, "graze check one.obj two.obj --move 1=0,0,0.25 --csv - --details -q | cut -d , -f 7-9,11", 0,
             "point_x,point_y,point_z,corners_b\n0.75,0.75,0,0.5 0.5 -0.75;0.5 0.5 1.25;3 3 0.25\n", "");
  expect_run(state, "graze check groups.obj --separate --csv - --details -q | cut -d , -f 5,6", 0,
             "name_a,name_b\ngroups.obj[first],groups.obj[second]\n", "");
  expect_run(state, "graze check crossing.obj --components --csv - --details -q | cut -d , -f 1-6", 0,
             "object_a,primitive_a,object_b,primitive_b,name_a,name_b\n0,0,1,0,crossing.obj#0,crossing.obj#1\n", "");
  expect_run(state,
             "graze check one.obj two.obj one.obj --move 2=0.25,0,0 --exclude 0,2 --csv - --details -q | "
             "cut -d , -f 1-4,7-9",
             0,
             "object_a,primitive_a,object_b,primitive_b,point_x,point_y,point_z\n0,0,1,0,0.75,0.75,0\n"
             "1,0,2,0,0.8125,0.8125,0\n",
             "");
  /* Candidates may not meet, and have no point. */
  expect_run(state, "graze check one.obj two.obj --candidates --csv - --details -q | cut -d , -f 5-9", 0,
             "name_a,name_b,point_x,point_y,point_z\none.obj,two.obj,,,\n", "");
  /* The plain header stays as it is. */
  expect_run(state, "graze check one.obj two.obj --csv - -q", 1, "object_a,primitive_a,object_b,primitive_b\n0,0,1,0\n",
             "");
}

TOOL_TEST(spheres_and_polygons_have_corners) {
  write_balls(state);
  expect_run(state, "graze check balls.csv --csv - --details -q | tail -n 1 | cut -d , -f 10,11", 0,
             "0 0 0 1,1 0 0 0.5\n", "");
  expect_run(state, "graze check quad.obj --csv - --details -q | cut -d , -f 10", 0,
             "corners_a\n0 0 0;2 0 0;2 2 0;0 2 0\n", "");
}

TOOL_TEST(json_has_points_and_corners) {
  expect_run(state, "graze check one.obj two.obj --json - -q | grep -A 1 pair_points", 0,
             "\"pair_points\":[\n[0.75,0.75,0]],\n", "");
  expect_run(state, "graze check one.obj two.obj --json - -q | grep -c pair_corners", 1, "0\n", "");
  expect_run(state, "graze check one.obj two.obj --json - --details -q | grep -A 1 pair_corners", 0,
             "\"pair_corners\":[\n[[[0,0,0],[2,0,0],[0,2,0]],[[0.5,0.5,-1],[0.5,0.5,1],[3,3,0]]]],\n", "");
  expect_run(state, "graze check one.obj two.obj --candidates --json - -q | grep -c pair_points", 1, "0\n", "");
  expect_run(state, "graze check one.obj two.obj --touching --json - -q | grep -c pair_points", 1, "0\n", "");
}

TOOL_TEST(what_needs_something_else_is_refused) {
  expect_run(state, "graze check one.obj two.obj --details", 2, "",
             "graze: --details requires --csv or --json\n"
             "Try 'graze check --help'.\n");
  expect_run(state, "graze check one.obj two.obj --details --touching --csv p.csv", 2, "",
             "graze: --touching lists only objects; --details needs the pairs of their primitives\n"
             "Try 'graze check --help'.\n");
  expect_run(state, "graze check one.obj two.obj --faces f.stl", 2, "",
             "graze: --faces writes OBJ or PLY, but f.stl ends in neither .obj nor .ply\n"
             "Try 'graze check --help'.\n");
  write_balls(state);
  expect_run(state, "graze check one.obj balls.csv --faces f.ply", 2, "",
             "graze: --faces writes faces, but balls.csv has spheres\n");
  assert_false(folder_has(state, "f.ply"));
}

TOOL_TEST(faces_are_ply) {
  expect_run(state, "graze check one.obj two.obj far.obj --faces f.ply -q; sed 1,15d f.ply", 0,
             "end_header\n"
             "0 0 0\n2 0 0\n0 2 0\n0.5 0.5 -1\n0.5 0.5 1\n3 3 0\n9 9 9\n9 10 9\n10 9 9\n"
             "3 0 1 2 1 0 0 220 50 40\n"
             "3 3 4 5 1 0 1 220 50 40\n"
             "3 6 7 8 0 -1 2 190 190 190\n",
             "");
  expect_run(state, "head -n 15 f.ply | grep -E '^(element|property)'", 0,
             "element vertex 9\nproperty double x\nproperty double y\nproperty double z\nelement face 3\n"
             "property list uchar int vertex_indices\nproperty int involved\nproperty int region\nproperty int object\n"
             "property uchar red\nproperty uchar green\nproperty uchar blue\n",
             "");
  /* Read back, it is the scene in one object. */
  expect_run(state, "graze check f.ply --csv - -q", 1, "object_a,primitive_a,object_b,primitive_b\n0,0,0,1\n", "");
}

TOOL_TEST(faces_are_obj_groups) {
  expect_run(state, "graze check far.obj one.obj two.obj --faces f.obj -q; tail -n 5 f.obj", 0,
             "g involved\nf 4 5 6\nf 7 8 9\ng rest\nf 1 2 3\n", "");
  expect_run(state, "graze check f.obj --separate --json - -q | grep -o '\"name\":\"[a-z]*\"'", 0,
             "\"name\":\"involved\"\n\"name\":\"rest\"\n", "");
  expect_run(state, "graze check f.obj --csv - -q", 1, "object_a,primitive_a,object_b,primitive_b\n0,0,0,1\n", "");
  /* Without a pair there is no group of that name. */
  expect_run(state, "graze check apart.obj --faces g.obj -q; grep ^g g.obj", 0, "g rest\n", "");
  /* Polygons stay polygons. */
  expect_run(state, "graze check quad.obj --faces q.obj -q; grep -v '^[v#]' q.obj", 0,
             "g involved\nf 1 2 3 4\nf 5 6 7\n", "");
}

TOOL_TEST(solids_have_their_surface) {
  expect_run(state, "graze check corner.mesh inner.mesh --faces s.ply -q; grep -c ' 1 -1 [01] 220' s.ply", 0, "8\n",
             "");
  expect_run(state, "graze check s.ply --each --csv - -q | tail -n 1 | cut -d , -f 2,5", 0, "8,0\n", "");
}

/* A face with more corners than a byte counts. */
TOOL_TEST(faces_may_be_large) {
  expect_run(state,
             "awk 'BEGIN{n=300;for(i=0;i<n;i++)printf \"v %.17g %.17g 0\\n\",cos(6.28*i/n),sin(6.28*i/n);"
             "printf \"f\";for(i=1;i<=n;i++)printf \" %d\",i;print \"\"}' >disc.obj; "
             "graze check disc.obj two.obj --faces d.ply -q; grep 'property list' d.ply; "
             "graze check d.ply -q --csv - | tail -n 1",
             0, "property list int int vertex_indices\n0,0,0,1\n", "");
}

/* The number of involved faces is that of primitives in pairs, and the file has the pairs of its source. */
TOOL_TEST(real_files_can_be_read_back) {
  if (getenv("GRAZE_DATA") == NULL) {
    printf("skipped: GRAZE_DATA is not set\n");
    skip();
  }
  expect_run(state, "graze check \"$GRAZE_DATA/meshes/cow.obj\" --csv a.csv --faces c.ply -q", 1, "", "");
  expect_run(state, "graze check c.ply --csv b.csv -q && false; cmp a.csv b.csv", 0, "", "");
  expect_run(state,
             "test $(sed 1d a.csv | awk -F, '{print $2; print $4}' | sort -u | wc -l) = $(grep -c ' 1 [0-9]* 0 220' "
             "c.ply)",
             0, "", "");
  expect_run(state,
             "graze check \"$GRAZE_DATA/meshes/cow.obj\" --faces c.obj -q; graze check c.obj --json - -q | "
             "grep -o '\"pair_count\":[0-9]*'",
             0, "\"pair_count\":81\n", "");
}
