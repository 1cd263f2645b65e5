/* Tests `graze check` with polygons, tetrahedra, polyhedra and spheres: names of kinds, element numbers of the files,
 * solids, and their notes. */
#include "testing.h"
#include "tool_runner.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void write_file(void **state, const char *name, const char *text) {
  folder_write(state, name, text, strlen(text));
}

TOOL_TEST(polygons_are_numbered_as_stored) {
  expect_run(state, "graze check quad.obj --csv - --quiet", 1, "object_a,primitive_a,object_b,primitive_b\n0,0,0,1\n",
             "");
  expect_run(state, "graze check quad.obj | head -n 4", 0,
             "quad.obj intersects itself: 1 pair of polygons (2 polygons, # ms).\n\nPairs of polygons\n  0 and 1\n",
             "");
  expect_run(state, "graze check quad.obj --candidates | head -n 1", 0,
             "The boxes of 1 pair of polygons intersect; the polygons themselves were not tested (2 polygons, # ms).\n",
             "");
}

/* The notch of the first polygon holds a triangle that the fan from its first corner would cover. */
TOOL_TEST(concave_polygons_have_their_notch) {
  write_file(state, "notch.obj",
             "v 0 0 0\nv 1 3 0\nv 0 1 0\nv -1 3 0\nv 0 2 -1\nv 0.1 2 1\nv -0.1 2 1\nf 2 3 4 1\nf 5 6 7\n");
  expect_run(state, "graze check notch.obj -q", 0, "", "");
  expect_run(state, "sed 's/^v 0 2 -1/v 0 0.5 -1/; s/ 2 1$/ 0.5 1/' notch.obj >filled.obj; graze check filled.obj -q",
             1, "", "");
}

TOOL_TEST(two_solids_say_what_they_share) {
  expect_run(state, "graze check corner.mesh corner.mesh --move 1=0.5,0,0", 1,
             "corner.mesh and corner.mesh intersect: 1 pair of tetrahedra; they share a volume of 0.0208333"
             " (2 tetrahedra, # ms).\n"
             "\n"
             "Pairs of objects\n"
             "  0 corner.mesh  1 corner.mesh                1  sharing a volume of 0.0208333\n"
             "\n"
             "Pairs of tetrahedra\n"
             "  0 of object 0 and 0 of object 1\n"
             "\n"
             "hash  5b87c94aee2c7e65\n"
             "time #\n" BETWEEN_NOTE,
             "");
  expect_run(state, "graze check cube.vtk cube.vtk --move 1=0,0.5,0 | head -n 1", 0,
             "cube.vtk and cube.vtk intersect: 1 pair of polyhedra; they share a volume of 0.5 (2 polyhedra, # ms).\n",
             "");
  expect_run(state, "graze check cube.vtk cube.vtk --move 1=0,1,0 | head -n 1", 0,
             "cube.vtk and cube.vtk intersect: 1 pair of polyhedra; they share no volume (2 polyhedra, # ms).\n", "");
  expect_run(state, "graze check cube.vtk cube.vtk --move 1=0,1.0000000000000002,0 | head -n 1", 0,
             "cube.vtk and cube.vtk do not intersect (2 polyhedra, # ms).\n", "");
  expect_run(state, "graze check corner.mesh | head -n 1", 0,
             "corner.mesh: no tetrahedron intersects another (1 tetrahedron, # ms).\n", "");
}

TOOL_TEST(solids_are_solid_and_surfaces_are_not) {
  expect_run(state, "graze check corner.mesh inner.mesh -q", 1, "", "");
  expect_run(state, "graze check corner.mesh inner.mesh | head -n 1", 0,
             "corner.mesh and inner.mesh intersect: 1 pair of tetrahedra; they share a volume of 0.000166667"
             " (2 tetrahedra, # ms).\n",
             "");
  const char faces[] = "f 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n";
  char text[512];
  snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n%s", faces);
  write_file(state, "corner.obj", text);
  snprintf(text, sizeof text, "v .2 .2 .2\nv .3 .2 .2\nv .2 .3 .2\nv .2 .2 .3\n%s", faces);
  write_file(state, "inner.obj", text);
  expect_run(state, "graze check corner.obj inner.obj -q", 0, "", "");
  expect_run(state, "graze check corner.mesh inner.obj -q", 1, "", "");
  expect_run(state, "graze check corner.obj inner.mesh -q", 0, "", "");
}

TOOL_TEST(kinds_may_be_mixed) {
  expect_run(state, "graze check cube.vtk two.obj", 1,
             "cube.vtk and two.obj intersect: 1 pair of primitives (2 primitives, # ms).\n"
             "\n"
             "Pairs of objects\n"
             "  0 cube.vtk  1 two.obj                1\n"
             "\n"
             "Pairs of primitives\n"
             "  0 of object 0 and 0 of object 1\n"
             "\n"
             "hash  5b87c94aee2c7e65\n"
             "time #\n" BETWEEN_NOTE,
             "");
  expect_run(state, "graze check cube.vtk corner.mesh quad.obj far.obj --csv - -q", 1,
             "object_a,primitive_a,object_b,primitive_b\n0,0,1,0\n0,0,2,0\n0,0,2,1\n1,0,2,0\n1,0,2,1\n", "");
  expect_run(state, "graze check cube.vtk corner.mesh quad.obj --limit 1 | head -n 4", 0,
             "At least 1 of the 3 pairs of objects intersects: more than 1 pair of primitives (4 primitives, # ms).\n"
             "\n"
             "Pairs of objects\n"
             "  0 cube.vtk  1 corner.mesh                1\n",
             "");
  expect_run(state, "graze check cube.vtk corner.mesh quad.obj far.obj | head -n 6", 0,
             "3 of the 6 pairs of objects intersect: 5 pairs of primitives (5 primitives, # ms).\n"
             "\n"
             "Pairs of objects\n"
             "  0 cube.vtk     1 corner.mesh                1  sharing a volume of 0.166667\n"
             "  0 cube.vtk     2 quad.obj                   2\n"
             "  1 corner.mesh  2 quad.obj                   2\n",
             "");
}

TOOL_TEST(what_a_file_leaves_out_is_remarked) {
  write_file(state, "both.mesh",
             "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
             "Triangles 1\n1 2 3 0\nTetrahedra 1\n1 2 3 4 0\nEnd\n");
  expect_run(state, "graze check both.mesh | head -n 1", 0,
             "both.mesh: no tetrahedron intersects another (1 tetrahedron, # ms).\n",
             "graze: note: both.mesh: skipped 1 triangle: the file has tetrahedra\n");
  expect_run(state, "graze check both.mesh -q", 0, "", "");
}

TOOL_TEST(odd_tetrahedra_are_noted) {
  write_file(state, "odd.mesh",
             "MeshVersionFormatted 2\nDimension 3\nVertices 5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 0 0\n"
             "Tetrahedra 4\n1 2 3 4 0\n2 1 3 4 0\n1 2 3 5 0\n1 1 2 4 0\nEnd\n");
  expect_run(state, "graze check odd.mesh | grep note", 0,
             "note  tetrahedra that share a vertex were not tested\n"
             "note  1 tetrahedron repeats a vertex\n"
             "note  1 tetrahedron is inverted; the corners span the same solid\n"
             "note  2 tetrahedra are flat\n",
             "");
}

TOOL_TEST(pairs_within_solids_have_one_neighbor_rule) {
  expect_run(
      state, "graze check corner.mesh --neighbors beyond", 2, "",
      "graze: object 0 (corner.mesh): pairs of tetrahedra within an object support only the neighbor rule skip\n");
  expect_run(state, "graze check corner.mesh inner.mesh --neighbors beyond -q", 1, "", "");
}

/* Two wedges whose edges cross a hair apart: no plane of a face separates them, nor do their boxes; a plane along both
 * edges does. */
TOOL_TEST(pairs_without_edges_are_told_from_true_ones) {
  write_file(state, "lower.mesh",
             "MeshVersionFormatted 2\nDimension 3\nVertices 4\n-1.01 -0.01 0.99 0\n0.99 -0.01 -1.01 0\n-2 -3 -1 0\n-2 "
             "-1 -3 0\n"
             "Tetrahedra 1\n1 2 3 4 0\nEnd\n");
  write_file(state, "upper.mesh",
             "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0.01 -0.99 1.01 0\n0.01 1.01 -0.99 0\n1 2 3 0\n3 2 1 0\n"
             "Tetrahedra 1\n1 2 3 4 0\nEnd\n");
  const char *const exact[] = {"sat", "gjk"};
  for (size_t i = 0; i < sizeof exact / sizeof exact[0]; ++i) {
    char line[256];
    snprintf(line, sizeof line, "graze check lower.mesh upper.mesh --test %s -q", exact[i]);
    expect_run(state, line, 0, "", "");
    snprintf(line, sizeof line, "graze check lower.mesh upper.mesh --move 1=-0.03,-0.03,-0.03 --test %s -q", exact[i]);
    expect_run(state, line, 1, "", "");
  }
}

TOOL_TEST(a_cell_that_is_not_convex_is_refused) {
  expect_run(state, "sed 's/1 1 1/0.1 0.1 0.6/' cube.vtk >dent.vtk; graze check dent.vtk 2>/dev/null", 2, "", NULL);
}

/* Two balls that touch in a point, and one that is one bit too far. */
TOOL_TEST(spheres_are_checked) {
  write_file(state, "balls.csv", "x,y,z,radius\n0,0,0,1\n2,0,0,1\n4.000000000000001,0,0,1\n");
  expect_run(state, "graze check balls.csv", 1,
             "balls.csv intersects itself: 1 pair of spheres (3 spheres, # ms).\n"
             "\n"
             "Pairs of spheres\n"
             "  0 and 1\n"
             "\n"
             "hash  9ca066f1a4ab2eea\n"
             "time #\n",
             "");
  expect_run(state, "graze check balls.csv --csv - --quiet", 1, "object_a,primitive_a,object_b,primitive_b\n0,0,0,1\n",
             "");
  expect_run(state, "graze check balls.csv --candidates | head -n 1", 0,
             "The boxes of 1 pair of spheres intersect; the spheres themselves were not tested (3 spheres, # ms).\n",
             "");
  expect_run(state, "sed 3d balls.csv >apart.csv; graze check apart.csv | head -n 1", 0,
             "apart.csv: no sphere intersects another (2 spheres, # ms).\n", "");
  expect_run(state, "graze check balls.csv --json - -q | grep -o '\"kind\":\"[a-z]*\",\"vertices\":3,\"primitives\":3'",
             0, "\"kind\":\"sphere\",\"vertices\":3,\"primitives\":3\n", "");
  expect_run(state, "graze check balls.csv --neighbors beyond", 2, "",
             "graze: object 0 (balls.csv): pairs of spheres within an object support only the neighbor rule skip\n");
  expect_run(state, "graze check balls.csv --picture balls.png -q; head -c 4 balls.png | tail -c 3", 0, "PNG", "");
  expect_run(state, "graze check balls.csv balls.csv --csv balls.csv", 2, "",
             "graze: --csv would overwrite balls.csv, which is to be checked\nTry 'graze check --help'.\n");
}

/* Two unit balls with centers a unit apart share 5 pi / 12. */
TOOL_TEST(spheres_say_what_they_share) {
  write_file(state, "ball.csv", "x,y,z,radius\n0,0,0,1\n");
  expect_run(state, "graze check ball.csv ball.csv --move 1=1,0,0 | head -n 1", 0,
             "ball.csv and ball.csv intersect: 1 pair of spheres; they share a volume of 1.309 (2 spheres, # ms).\n",
             "");
  expect_run(state, "graze check ball.csv ball.csv --move 1=2,0,0 | head -n 1", 0,
             "ball.csv and ball.csv intersect: 1 pair of spheres; they share no volume (2 spheres, # ms).\n", "");
  expect_run(state,
             "graze check ball.csv ball.csv --move 1=0,1,0 --contacts - -q | cut -d, -f1-10 | sed 's/,-0,/,0,/g; "
             "s/99693[0-9]*/99693/'",
             0,
             "object_a,primitive_a,object_b,primitive_b,kind,depth,normal_x,normal_y,normal_z,volume\n"
             "0,0,1,0,volume,1,0,1,0,1.30899693\n",
             "");
}

/* A ball inside a solid meets it, one inside a surface does not; a solid and spheres have no word on a volume. */
TOOL_TEST(spheres_meet_other_kinds) {
  write_file(state, "ball.csv", "x;y;z;r;name\n0.25;0.25;0.25;0.01;inside\n");
  const char note[] = "graze: note: ball.csv: 1 column was skipped: \"name\"\n";
  expect_run(state, "graze check ball.csv corner.mesh | head -n 1", 0,
             "ball.csv and corner.mesh intersect: 1 pair of primitives (2 primitives, # ms).\n", note);
  expect_run(state, "graze check ball.csv corner.mesh | sed -n 4p", 0, "  0 ball.csv  1 corner.mesh                1\n",
             note);
  expect_run(state, "graze check ball.csv cube.vtk --csv - -q", 1,
             "object_a,primitive_a,object_b,primitive_b\n0,0,1,0\n", "");
  write_file(state, "shell.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n");
  expect_run(state, "graze check ball.csv shell.obj -q", 0, "", "");
  expect_run(state, "graze check ball.csv shell.obj --move 0=0,0,-0.245 --csv - -q", 1,
             "object_a,primitive_a,object_b,primitive_b\n0,0,1,0\n", "");
}

TOOL_TEST(sphere_files_of_other_programs) {
  write_file(state, "a.sph", "sph 1.0\nnums 3\nsphe 1 0 0 0 1\nsphe 2 1 0 0 1\n");
  expect_run(state, "graze check a.sph | head -n 1", 0,
             "a.sph intersects itself: 1 pair of spheres (2 spheres, # ms).\n",
             "graze: note: a.sph: \"nums\" states 3, but there are 2 spheres\n");
  write_file(state, "b.ply",
             "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n"
             "property float radius\nend_header\n0 0 0 1\n1 0 0 1\n");
  expect_run(state, "graze check b.ply | head -n 1", 0,
             "b.ply intersects itself: 1 pair of spheres (2 spheres, # ms).\n", "");
  write_file(state, "bad.csv", "x,y,z,radius\n0,0,0,-1\n");
  expect_run(state, "graze check bad.csv", 2, "",
             "graze: bad.csv:2: sphere 0 has the radius \"-1\", which is not a finite number of at least 0\n");
  write_file(state, "none.csv", "x,y,z,radius\n");
  expect_run(state, "graze check none.csv -q", 2, "",
             "graze: none.csv: no triangle, polygon, tetrahedron, polyhedron or sphere was read\n");
}
