/* Tests invalid input, one row per fault, with exact messages. The leak sanitizer and the allocation test detect leaks.
 */
#include "mesh_set.h"
#include "reading_tools.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

typedef struct bad_input {
  mesh_reader *reader;
  const char *bytes;
  size_t size;
  const char *message;
} bad_input;

#define TEXT(text) (text), sizeof(text) - 1

#define PLY_VERTEX "property float x\nproperty float y\nproperty float z\n"
#define PLY_FACE "property list uchar int vertex_indices\n"
#define PLY_ASCII "ply\nformat ascii 1.0\n"
#define PLY_BINARY "ply\nformat binary_little_endian 1.0\n"
#define PLY_3_1 "element vertex 3\n" PLY_VERTEX "element face 1\n" PLY_FACE "end_header\n"
#define ZEROS_12 "\0\0\0\0\0\0\0\0\0\0\0\0"
#define ZEROS_80 ZEROS_12 ZEROS_12 ZEROS_12 ZEROS_12 ZEROS_12 ZEROS_12 "\0\0\0\0\0\0\0\0"

static void check_rows(const bad_input *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (int separate = 0; separate < 2; separate++) {
      reading_result result = read_bytes(rows[i].reader, rows[i].bytes, rows[i].size, separate);
      if (result.done) fail_msg("no failure where \"%s\" was expected", rows[i].message);
      assert_null(result.meshes);
      assert_int_equal(result.mesh_count, 0);
      assert_string_equal(result.error, rows[i].message);
    }
  }
}

TEST(obj_messages) {
  static const bad_input rows[] = {
      {mesh_read_obj, TEXT("hello\n"), "file: the file has no vertices or faces; it is not an OBJ file"},
      {mesh_read_obj, TEXT("\0\0\0"), "file: the file has no vertices or faces; it is not an OBJ file"},
      {mesh_read_obj, TEXT("v 1 2 3\nv 0 nan 0\n"),
       "file:2: vertex 2 has the y coordinate \"nan\", which is not a finite number"},
      {mesh_read_obj, TEXT("v 1 2 -inf\n"),
       "file:1: vertex 1 has the z coordinate \"-inf\", which is not a finite number"},
      {mesh_read_obj, TEXT("v 1e999 2 3\n"),
       "file:1: vertex 1 has the x coordinate \"1e999\", which is not a finite number"},
      {mesh_read_obj, TEXT("v 1 2x 3\n"), "file:1: vertex 1 has the y coordinate \"2x\", which is not a finite number"},
      {mesh_read_obj, TEXT("v 1 2\n"), "file:1: vertex 1 has 2 coordinates, fewer than 3"},
      {mesh_read_obj, TEXT("v 1 2"), "file:1: vertex 1 has 2 coordinates, fewer than 3"},
      {mesh_read_obj, TEXT("v"), "file:1: vertex 1 has 0 coordinates, fewer than 3"},
      {mesh_read_obj, TEXT("v 1 2\0 3\n"), "file:1: vertex 1 has the z coordinate \"\", which is not a finite number"},
      {mesh_read_obj, TEXT("v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 9\nv 1 1 1\n"),
       "file:5: face refers to vertex 9, but the file has 4 vertices"},
      {mesh_read_obj, TEXT("v 0 0 0\nf 1 1 99999999999999999999999\n"),
       "file:2: face refers to vertex 99999999999999999999999, but the file has 1 vertices"},
      {mesh_read_obj, TEXT("v 0 0 0\nf 1 1 4294967297\n"),
       "file:2: face refers to vertex 4294967297, but the file has 1 vertices"},
      {mesh_read_obj, TEXT("v 0 0 0\nf 1 1 18446744073709551617\n"),
       "file:2: face refers to vertex 18446744073709551617, but the file has 1 vertices"},
      {mesh_read_obj, TEXT("f 1 2 3\n"), "file:1: face refers to vertex 1, but the file has 0 vertices"},
      {mesh_read_obj, TEXT("v 0 0 0\r\nf 1 1 -2\r\nv 0 0 0\r\n"),
       "file:2: face refers to vertex -2, but 1 vertices come before it"},
      {mesh_read_obj, TEXT("v 0 0 0\nf 1 1 -99999999999999999999999\n"),
       "file:2: face refers to vertex -99999999999999999999999, but 1 vertices come before it"},
      {mesh_read_obj, TEXT("v 0 0 0\nf 1 0 1\n"),
       "file:2: face has the corner \"0\", which is not a vertex index counted from 1"},
      {mesh_read_obj, TEXT("v 0 0 0\nf 1 a/1 1\n"),
       "file:2: face has the corner \"a/1\", which is not a vertex index counted from 1"},
      {mesh_read_obj, TEXT("v 0 0 0\nf 1 1.5 1\n"),
       "file:2: face has the corner \"1.5\", which is not a vertex index counted from 1"},
      {mesh_read_obj, TEXT("v 0 0 0\nf 1 \0 1\n"),
       "file:2: face has the corner \"\", which is not a vertex index counted from 1"},
      {mesh_read_obj, TEXT("v 0 0 0\nf 1 1 1 1 x\n"),
       "file:2: face has the corner \"x\", which is not a vertex index counted from 1"},
      {mesh_read_obj, TEXT("v 0 0 0\nf 1/2/3 1\n"), "file:2: face has 2 corners, fewer than 3"},
      {mesh_read_obj, TEXT("v 0 0 0\nf\n"), "file:2: face has 0 corners, fewer than 3"},
      {mesh_read_obj, TEXT("v 0 0 0\nf 1 1 # 1"), "file:2: face has 2 corners, fewer than 3"},
      {mesh_read_obj, TEXT("v 0 0 0\rf 1\r"), "file:2: face has 1 corners, fewer than 3"},
  };
  check_rows(rows, sizeof rows / sizeof *rows);
}

TEST(off_messages) {
  static const bad_input rows[] = {
      {mesh_read_off, TEXT("# no more\n\n"), "file: the file has only comments; it is not an OFF file"},
      {mesh_read_off, TEXT("\n4OFF\n"),
       "file:2: \"4OFF\" is not a keyword of an OFF file with three coordinates per vertex"},
      {mesh_read_off, TEXT("OFFS 1 1 1\n"),
       "file:1: \"OFFS\" is not a keyword of an OFF file with three coordinates per vertex"},
      {mesh_read_off, TEXT("OFF BINARY\n"), "file:1: binary OFF files are not supported"},
      {mesh_read_off, TEXT("OFF\n"), "file:2: the file ends before the numbers of vertices and faces"},
      {mesh_read_off, TEXT("OFF\n3\n"), "file:2: expected the numbers of vertices and faces"},
      {mesh_read_off, TEXT("OFF -3 1 0\n"), "file:1: expected the numbers of vertices and faces"},
      {mesh_read_off, TEXT("OFF\n2 0 0\n0 0 0\n"), "file:4: the file ends after 1 of 2 vertices"},
      {mesh_read_off, TEXT("OFF\n1000000000000 1000000000000 0\n0 0 0\n"),
       "file:4: the file ends after 1 of 1000000000000 vertices"},
      {mesh_read_off, TEXT("OFF\n1 1000000000000 0\n0 0 0\n3 0 0 0\n"),
       "file:5: the file ends after 1 of 1000000000000 faces"},
      {mesh_read_off, TEXT("OFF\n1 0 0\n0 0\n0\n"), "file:3: vertex 0 has 2 coordinates, fewer than 3"},
      {mesh_read_off, TEXT("OFF\n1 0 0\n0 0 NaN\n"),
       "file:3: vertex 0 has the z coordinate \"NaN\", which is not a finite number"},
      {mesh_read_off, TEXT("OFF\n1 1 0\n0 0 0\n3 0 0 1\n"),
       "file:4: face 0 refers to vertex 1, but the file has 1 vertices, counted from 0"},
      {mesh_read_off, TEXT("OFF\n1 1 0\n0 0 0\n3 0 0 -1\n"),
       "file:4: face 0 has the corner \"-1\", which is not a vertex index"},
      {mesh_read_off, TEXT("OFF\n1 1 0\n0 0 0\n3 0 0\n"), "file:4: face 0 declares 3 corners, but its line has 2"},
      {mesh_read_off, TEXT("OFF\n1 1 0\n0 0 0\n1000000000000 0 0\n"),
       "file:4: face 0 declares 1000000000000 corners, but its line has 2"},
      {mesh_read_off, TEXT("OFF\n1 1 0\n0 0 0\n2 0 0\n"), "file:4: face 0 has 2 corners, fewer than 3"},
      {mesh_read_off, TEXT("OFF\n1 1 0\n0 0 0\nx 0 0\n"), "file:4: face 0 has \"x\" corners, which is not a number"},
  };
  check_rows(rows, sizeof rows / sizeof *rows);
}

TEST(stl_messages) {
  static const bad_input rows[] = {
      {mesh_read_stl, TEXT("hello"),
       "file: 5 bytes are neither a binary STL file (84 or more) nor an ascii one (\"solid\")"},
      {mesh_read_stl, TEXT(ZEROS_80 "\2\0\0\0" ZEROS_12),
       "file: the binary STL header declares 2 triangles in 184 bytes, but the file has 96 bytes; it is truncated, or "
       "not an STL file"},
      {mesh_read_stl, TEXT(ZEROS_80 "\xFF\xFF\xFF\xFF"),
       "file: the binary STL header declares 4294967295 triangles in 214748364834 bytes, but the file has 84 bytes; it "
       "is truncated, or not an STL file"},
      {mesh_read_stl, TEXT(ZEROS_80 "\1\0\0\0" ZEROS_12 ZEROS_12 "\0\0\0\0\0\0\x80\x7F\0\0\0\0" ZEROS_12 "\0\0"),
       "file: triangle 0 has the y coordinate inf at corner 1, which is not a finite number"},
      {mesh_read_stl, TEXT(ZEROS_80 "\1\0\0\0" ZEROS_12 "\0\0\xC0\x7F\0\0\0\0\0\0\0\0" ZEROS_12 ZEROS_12 "\0\0"),
       "file: triangle 0 has the x coordinate nan at corner 0, which is not a finite number"},
      {mesh_read_stl, TEXT("solid a\n"), "file:2: the file ends inside a solid"},
      {mesh_read_stl, TEXT("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n"),
       "file:5: the file ends inside a loop"},
      {mesh_read_stl, TEXT("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nendloop\n"),
       "file:3: facet has 2 corners, fewer than 3"},
      {mesh_read_stl, TEXT("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 inf 0\n"),
       "file:4: vertex has the y coordinate \"inf\", which is not a finite number"},
      {mesh_read_stl, TEXT("solid a\nfacet normal 0 0 1\nouter ring\n"),
       "file:3: expected \"outer loop\" or \"endfacet\", found \"ring\""},
      {mesh_read_stl, TEXT("solid a\nvertex 0 0 0\n"), "file:2: expected \"facet\" or \"endsolid\", found \"vertex\""},
      {mesh_read_stl, TEXT("solid a\nendsolid a\nhello\n"), "file:3: expected \"solid\", found \"hello\""},
  };
  check_rows(rows, sizeof rows / sizeof *rows);
}

TEST(ply_messages) {
  static const bad_input rows[] = {
      {mesh_read_ply,
       TEXT("ply\rformat ascii 1.0\relement vertex 1\rproperty int x\rproperty int y\rproperty int z\r"
            "end_header\r0\r0\rnan\r"),
       "file:10: vertex 0 has the z coordinate \"nan\", which is not a finite number"},
      {mesh_read_ply, TEXT("plyx\n"), "file:1: the first line is not \"ply\""},
      {mesh_read_ply, TEXT("ply\nelement vertex 1\n"), "file:3: the second line does not state the format"},
      {mesh_read_ply, TEXT("ply\nformat binary 1.0\n"), "file:2: \"binary\" is not a PLY format"},
      {mesh_read_ply, TEXT(PLY_ASCII "element vertex 3\n"), "file:4: the file ends inside the PLY header"},
      {mesh_read_ply, TEXT(PLY_ASCII "elements vertex 3\n"), "file:3: \"elements\" is not a keyword of a PLY header"},
      {mesh_read_ply, TEXT(PLY_ASCII "element vertex -3\n"),
       "file:3: element has the count \"-3\", which is not a number below 10^18"},
      {mesh_read_ply, TEXT(PLY_ASCII "element vertex\n"),
       "file:3: element has the count \"\", which is not a number below 10^18"},
      {mesh_read_ply, TEXT(PLY_ASCII "element vertex 1\nelement vertex 1\n"),
       "file:4: element vertex is defined twice"},
      {mesh_read_ply, TEXT(PLY_ASCII "element tristrips 1\n"), "file:3: triangle strips are not supported"},
      {mesh_read_ply, TEXT(PLY_ASCII "property float x\n"), "file:3: property before the first element"},
      {mesh_read_ply, TEXT(PLY_ASCII "element vertex 1\nproperty real x\n"), "file:4: \"real\" is not a PLY type"},
      {mesh_read_ply, TEXT(PLY_ASCII "element vertex 1\nproperty float\n"), "file:4: property without a name"},
      {mesh_read_ply, TEXT(PLY_ASCII "end_header\n"), "file: the PLY header has no element vertex"},
      {mesh_read_ply, TEXT(PLY_ASCII "element vertex 1\nproperty float x\nend_header\n0\n"),
       "file: element vertex needs the properties x, y and z, each once"},
      {mesh_read_ply, TEXT(PLY_ASCII "element vertex 1\n" PLY_VERTEX "element face 1\nproperty int a\nend_header\n0\n"),
       "file: element face needs the list property vertex_indices, once"},
      {mesh_read_ply, TEXT(PLY_ASCII PLY_3_1 "0 0 0 1 0 0 0 1 nan 3 0 1 2\n"),
       "file:10: vertex 2 has the z coordinate \"nan\", which is not a finite number"},
      {mesh_read_ply, TEXT(PLY_ASCII PLY_3_1 "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
       "file:13: face 0 refers to vertex 3, but the file has 3 vertices, counted from 0"},
      {mesh_read_ply, TEXT(PLY_ASCII PLY_3_1 "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n"),
       "file:13: face 0 refers to vertex -1, but the file has 3 vertices, counted from 0"},
      {mesh_read_ply, TEXT(PLY_ASCII PLY_3_1 "0 0 0\n1 0 0\n0 1 0\n3 0 1 x\n"),
       "file:13: face 0 refers to vertex x, but the file has 3 vertices, counted from 0"},
      {mesh_read_ply, TEXT(PLY_ASCII PLY_3_1 "0 0 0\n1 0 0\n0 1 0\n2 0 1\n"),
       "file:13: face 0 has 2 corners, fewer than 3"},
      {mesh_read_ply, TEXT(PLY_ASCII PLY_3_1 "0 0 0\n1 0 0\n0 1 0\n-3 0 1\n"),
       "file:13: face 0 has a list of -3 values"},
      {mesh_read_ply, TEXT(PLY_ASCII PLY_3_1 "0 0 0\n1 0 0\n0 1 0\n3 0 1\n"), "file: the file ends inside face 0 of 1"},
      {mesh_read_ply, TEXT(PLY_ASCII "element vertex 999999999999\n" PLY_VERTEX "end_header\n0 0 0\n"),
       "file: the PLY header declares 999999999999 of element vertex, but only 6 bytes follow"},
      {mesh_read_ply, TEXT(PLY_BINARY "element vertex 999999999999\n" PLY_VERTEX "end_header\n" ZEROS_12),
       "file: the PLY header declares 999999999999 of element vertex, but only 12 bytes follow"},
      {mesh_read_ply,
       TEXT(PLY_BINARY "element vertex 0\n" PLY_VERTEX "element face 999999999999\n" PLY_FACE "end_header\n\3"),
       "file: the PLY header declares 999999999999 of element face, but only 1 bytes follow"},
      {mesh_read_ply,
       TEXT(PLY_BINARY "element vertex 2\n" PLY_VERTEX "end_header\n" ZEROS_12 "\0\0\0\0\0\0\x80\xFF\0\0\0\0"),
       "file: vertex 1 has the y coordinate -inf, which is not a finite number"},
      {mesh_read_ply, TEXT(PLY_BINARY PLY_3_1 ZEROS_12 ZEROS_12 ZEROS_12 "\3\0\0\0\0\1\0\0\0\3\0\0\0"),
       "file: face 0 refers to vertex 3, but the file has 3 vertices, counted from 0"},
      {mesh_read_ply, TEXT(PLY_BINARY PLY_3_1 ZEROS_12 ZEROS_12 ZEROS_12 "\3\0\0\0\0\1\0\0\0\xFF\xFF\xFF\xFF"),
       "file: face 0 refers to vertex -1, but the file has 3 vertices, counted from 0"},
      {mesh_read_ply, TEXT(PLY_BINARY PLY_3_1 ZEROS_12 ZEROS_12 ZEROS_12 "\3\0\0\0\0\1\0\0\0\2\0\0"),
       "file: the file ends inside face 0 of 1"},
      {mesh_read_ply, TEXT(PLY_BINARY PLY_3_1 ZEROS_12 ZEROS_12 ZEROS_12 "\1\0\0\0\0"),
       "file: face 0 has 1 corners, fewer than 3"},
  };
  check_rows(rows, sizeof rows / sizeof *rows);
}

#define PLY_SPHERE PLY_VERTEX "property float radius\n"

TEST(sphere_messages) {
  static const bad_input rows[] = {
      {mesh_read_csv, TEXT("\n# nothing\n"), "file: the file has no header; a table of spheres begins with one"},
      {mesh_read_csv, TEXT("1,2,3,4\n"), "file:1: the header has no column x; spheres need x, y, z and radius or r"},
      {mesh_read_csv, TEXT("# a\nx,y,z,density\n"),
       "file:2: the header has no column radius; spheres need x, y, z and radius or r"},
      {mesh_read_csv, TEXT("x;y;z;y;r\n"),
       "file:1: the header has more than one column y; spheres need x, y, z and radius or r"},
      {mesh_read_csv, TEXT("x,y,z,r,radius\n"),
       "file:1: the header has more than one column radius; spheres need x, y, z and radius or r"},
      {mesh_read_csv, TEXT("x,y,z,radius\n0,0,0,1\n1,2,3,-0.5\n"),
       "file:3: sphere 1 has the radius \"-0.5\", which is not a finite number of at least 0"},
      {mesh_read_csv, TEXT("x,y,z,radius\n0,0,0,nan\n"),
       "file:2: sphere 0 has the radius \"nan\", which is not a finite number of at least 0"},
      {mesh_read_csv, TEXT("x,y,z,radius\n0,0,1e999,1\n"),
       "file:2: sphere 0 has the z coordinate \"1e999\", which is not a finite number"},
      {mesh_read_csv, TEXT("x;y;z;radius\n0,5;0;0;1\n"),
       "file:2: sphere 0 has the x coordinate \"0,5\", which is not a finite number"},
      {mesh_read_csv, TEXT("x,y,z,radius\n0, one two ,0,1\n"),
       "file:2: sphere 0 has the y coordinate \"one two\", which is not a finite number"},
      {mesh_read_csv, TEXT("x,y,z,radius\n0,,0,1\n"),
       "file:2: sphere 0 has the y coordinate \"\", which is not a finite number"},
      {mesh_read_csv, TEXT("x,y,z,radius\n0,0,0\n1,1,1,1\n"),
       "file:2: sphere 0 has 3 values, but the header has 4 columns"},
      {mesh_read_csv, TEXT("radius,x,y,z\n1,0,0,0,7"), "file:2: sphere 0 has 5 values, but the header has 4 columns"},
      {mesh_read_csv, TEXT("x,y,z,radius\n0,0,0,1\n\0\n"),
       "file:3: the file contains a zero byte; is this a table of spheres?"},
      {mesh_read_sph, TEXT("hello\n"), "file:1: expected \"sph\" or the least radius, found \"hello\""},
      {mesh_read_sph, TEXT("# rmin rmax\n1\n"), "file:3: the file ends where the largest radius is expected"},
      {mesh_read_sph, TEXT("1 2\n0\n"), "file:2: expected a number of levels of at least 1, found \"0\""},
      {mesh_read_sph, TEXT("1 2 1 -1\n"), "file:1: expected the number of spheres in level 1, found \"-1\""},
      {mesh_read_sph, TEXT("1 2 1\n999999999999\n0 0 0 1\n"),
       "file:4: the file ends after 1 of 999999999999 spheres in level 1"},
      {mesh_read_sph, TEXT("1 2 1\n1\n0 0 0 1\n0 0 0 2\n"), "file:4: expected the end of the file, found \"0\""},
      {mesh_read_sph, TEXT("1 2 1\n2\n0 0 0\n1 1 1 1\n"),
       "file:3: sphere 0 has 3 values, fewer than 4 (x, y, z and radius)"},
      {mesh_read_sph, TEXT("1 2 1\n1\n0 0 0 inf\n"),
       "file:3: sphere 0 has the radius \"inf\", which is not a finite number of at least 0"},
      {mesh_read_sph, TEXT("sph 1.0\nnums many\n"), "file:2: expected the number of spheres, found \"many\""},
      {mesh_read_sph, TEXT("sph 1.0\nsphe a 0 0 0 1\n"), "file:2: expected the number of sphere 0, found \"a\""},
      {mesh_read_sph, TEXT("sph 1.0\nsphe 1 0 0 0 1\nsphe 2 0 0 0 # 1\n"),
       "file:3: sphere 1 has 3 values, fewer than 4 (x, y, z and radius)"},
      {mesh_read_sph, TEXT("sph 1.0\nsphe 1 0 0x 0 1\n"),
       "file:2: sphere 0 has the y coordinate \"0x\", which is not a finite number"},
      {mesh_read_sph, TEXT("sph 1.0\nsphe 1 0 0 0 -1"),
       "file:2: sphere 0 has the radius \"-1\", which is not a finite number of at least 0"},
      {mesh_read_ply, TEXT(PLY_ASCII "element vertex 2\n" PLY_SPHERE "end_header\n0 0 0 1\n0 0 0 -2\n"),
       "file:10: sphere 1 has the radius \"-2\", which is not a finite number of at least 0"},
      {mesh_read_ply, TEXT(PLY_ASCII "element vertex 1\n" PLY_SPHERE "end_header\n0 0 y 1\n"),
       "file:9: vertex 0 has the z coordinate \"y\", which is not a finite number"},
      {mesh_read_ply, TEXT(PLY_BINARY "element vertex 1\n" PLY_SPHERE "end_header\n" ZEROS_12 "\0\0\x80\x7F"),
       "file: sphere 0 has the radius inf, which is not a finite number of at least 0"},
      {mesh_read_ply, TEXT(PLY_ASCII "element vertex 1\n" PLY_SPHERE "property double r\nend_header\n0 0 0 1 1\n"),
       "file: element vertex has 2 radius properties; only one of radius, scalar_radius and r is allowed"},
  };
  check_rows(rows, sizeof rows / sizeof *rows);
}

/* The limit of 2^32 - 2 elements, with a smaller number in its place. */
TEST(limits_are_reported) {
  static const struct {
    mesh_reader *reader;
    const char *text;
    size_t limit;
    const char *message;
  } rows[] = {
      {mesh_read_obj, "v 0 0 0\nv 0 0 0\nv 0 0 0\n", 2, "file: more than 2 vertices, the limit of a mesh"},
      {mesh_read_obj, "v 0 0 0\nf 1 1 1\nf 1 1 1\n", 1, "file: more than 1 triangles, the limit of a mesh"},
      {mesh_read_obj, "v 0 0 0\nf 1 1 1 1 1\n", 4, "file: more than 4 corners of a face, the limit of a mesh"},
      {mesh_read_obj, "v 0 0 0\nf 1 1 1 1\nf 1 1 1 1\n", 7, "file: more than 7 corners, the limit of a mesh"},
      {mesh_read_off, "OFF 2 0 0\n0 0 0\n0 0 0\n", 1, "file: more than 1 vertices, the limit of a mesh"},
      {mesh_read_ply, PLY_ASCII "element vertex 4\n" PLY_VERTEX "end_header\n0 0 0 0 0 0 0 0 0 0 0 0", 3,
       "file: more than 3 vertices, the limit of a mesh"},
      {mesh_read_stl,
       "solid\nfacet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet\nfacet normal 0 0 "
       "0 "
       "outer loop vertex 0 0 0 vertex 1 0 0 vertex 1 1 0 endloop endfacet\nendsolid",
       3, "file: more than 3 vertices, the limit of a mesh"},
      {mesh_read_csv, "x,y,z,r\n0,0,0,0\n0,0,0,0\n", 1, "file: more than 1 spheres, the limit of a mesh"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OWNED_BY(free_result)
    reading_result result = read_limited(rows[i].reader, rows[i].text, strlen(rows[i].text), rows[i].limit);
    assert_false(result.done);
    assert_string_equal(result.error, rows[i].message);
    const size_t enough = rows[i].limit + 2;
    result = read_limited(rows[i].reader, rows[i].text, strlen(rows[i].text), enough);
    if (!result.done) fail_msg("%s", result.error);
  }
}

/* ---------------------------------------------------------------------------------------------------- files */

static void check_file(const char *path, uint64_t byte_limit, const char *message) {
  mesh *meshes;
  size_t mesh_count;
  char error[256];
  const mesh_read_options options = {.byte_limit = byte_limit};
  assert_false(mesh_file_read(path, &options, &meshes, &mesh_count, error, sizeof error));
  assert_null(meshes);
  assert_int_equal(mesh_count, 0);
  assert_string_equal(error, message);
}

TEST_WITH(file_messages, enter_scratch_folder, leave_scratch_folder) {
  static const char packed[] = {31, -117, 8, 0, 0, 0, 0, 0, 2, 3}; /* a gzip header and two bytes */
  check_file("missing.obj", 0, "missing.obj: cannot be opened: No such file or directory");
  assert_int_equal(mkdir("folder.obj", 0700), 0);
  check_file("folder.obj", 0, "folder.obj: is a directory, not a mesh file");
  write_bytes("empty.obj", "", 0);
  check_file("empty.obj", 0, "empty.obj: the file is empty");
  write_bytes("a.xyz", TEXT("1 2 3\n"));
  check_file("a.xyz", 0,
             "a.xyz: unknown format; supported: .obj .ply .stl .off .gltf .glb .3mf .msh .mesh .vtk .node .ele .t "
             ".csv .sph, each also with .gz");
  write_bytes("large.obj", TEXT("v 0 0 0\n"));
  check_file("large.obj", 7, "large.obj: exceeds the limit of 7 bytes");
  write_bytes("cut.obj", packed, sizeof packed);
  check_file("cut.obj", 0, "cut.obj: byte 10: the compressed file ends too early");
  write_bytes("bad.obj", "\x1F\x8Bhello hello hello", 19);
  check_file("bad.obj", 0, "bad.obj: byte 4: damaged compressed data");
  assert_int_equal(remove("folder.obj"), 0);
}

/* Parts of a megabyte of zeros each, as many as asked for. */
static void write_bomb(const char *path, int megabytes) {
  enum { PART = 1 << 20 };
  Bytef *zeros = calloc(1, PART), packed[8192];
  z_stream stream = {0};
  assert_non_null(zeros);
  assert_int_equal(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = zeros;
  stream.avail_in = PART;
  stream.next_out = packed;
  stream.avail_out = sizeof packed;
  assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  for (int i = 0; i < megabytes; i++) fwrite(packed, 1, stream.total_out, file);
  fclose(file);
  deflateEnd(&stream);
  free(zeros);
}

/* Memory ends at the limit however far the file would go, and --allow-large goes to the end. */
TEST_WITH(bombs_are_stopped, enter_scratch_folder, leave_scratch_folder) {
  write_bomb("bomb.obj", 400);
  mesh *meshes;
  size_t mesh_count;
  char error[256];
  counted_memory memory = {0};
  mesh_read_options options = {.memory = counted_memory_hook(&memory)};
  assert_false(mesh_file_read("bomb.obj", &options, &meshes, &mesh_count, error, sizeof error));
  assert_non_null(strstr(error, "bomb.obj: the first "));
  assert_non_null(strstr(error,
                         " compressed bytes expand to 268,435,457, more than 100 times as many; --allow-large reads "
                         "the file anyway"));
  assert_true(memory.largest <= MESH_EXPANDED_BYTES_FREE + 1 + MESH_PADDING_BYTES);
  assert_int_equal(memory.live, 0);
  options.allow_large = true;
  assert_false(mesh_file_read("bomb.obj", &options, &meshes, &mesh_count, error, sizeof error));
  assert_string_equal(error, "bomb.obj: the file has no vertices or faces; it is not an OBJ file");
  write_bomb("large.obj", 200);
  options.allow_large = false;
  assert_false(mesh_file_read("large.obj", &options, &meshes, &mesh_count, error, sizeof error));
  assert_string_equal(error, "large.obj: the file has no vertices or faces; it is not an OBJ file");
}

/* Headers that promise more than any machine has, with hardly anything behind them. */
TEST_WITH(promises_take_no_memory, enter_scratch_folder, leave_scratch_folder) {
#define MANY "4000000000"
  static const struct {
    const char *path, *text;
  } promises[] = {
      {"a.ply", "ply\nformat ascii 1.0\nelement vertex " MANY "\n" PLY_VERTEX "end_header\n0 0 0\n"},
      {"b.ply",
       "ply\nformat binary_little_endian 1.0\nelement vertex " MANY "\n" PLY_VERTEX "end_header\n000000000000"},
      {"c.ply", "ply\nformat ascii 1.0\nelement vertex 1\n" PLY_VERTEX "element face 1\n" PLY_FACE
                "end_header\n0 0 0\n" MANY " 0 0\n"},
      {"a.off", "OFF\n" MANY " " MANY " 0\n0 0 0\n"},
      {"b.off", "OFF\n1 1 0\n0 0 0\n" MANY " 0 0 0\n"},
      {"a.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" MANY "\n1 0 0 0\n"},
      {"b.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 " MANY " 1 " MANY "\n3 1 0 " MANY "\n1\n2\n"},
      {"a.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices " MANY "\n0 0 0 0\n"},
      {"b.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices 1\n0 0 0 0\nTetrahedra " MANY "\n1 1 1 1 0\n"},
      {"a.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " MANY " double\n0 0 0\n"},
      {"b.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 double\n0 0 0\nCELLS " MANY
                " " MANY "\n4 0 0 0 0\n"},
      {"c.vtk", "# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 1 double\n0 0 0\nCELLS " MANY
                " " MANY "\nOFFSETS vtktypeint64\n0 4\n"},
  };
  for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) {
    mesh *meshes;
    size_t mesh_count;
    char error[256];
    counted_memory memory = {0};
    const mesh_read_options options = {.memory = counted_memory_hook(&memory)};
    write_bytes(promises[i].path, promises[i].text, strlen(promises[i].text));
    assert_false(mesh_file_read(promises[i].path, &options, &meshes, &mesh_count, error, sizeof error));
    if (memory.largest > 100000) fail_msg("%zu bytes for %s: %s", memory.largest, promises[i].path, error);
    assert_int_equal(memory.live, 0);
  }
}

TEST_WITH(compressed_bytes_are_limited, enter_scratch_folder, leave_scratch_folder) {
  double positions[3] = {0, 0, 0};
  OWNED_MEMORY uint32_t *triangles = calloc(3 * 20000, sizeof *triangles);
  const mesh many = {.positions = positions,
                     .vertex_count = 1,
                     .polygon_count = 20000,
                     .triangles = triangles,
                     .triangle_count = 20000};
  char error[256];
  assert_true(mesh_file_write("many.obj.gz", &many, 1, NULL, error, sizeof error));
  /* "o \n", "v 0 0 0\n" and 20000 times "f 1 1 1\n" */
  check_file("many.obj.gz", 160010, "many.obj.gz: exceeds the limit of 160010 bytes");
  mesh *meshes;
  size_t mesh_count;
  const mesh_read_options enough = {.byte_limit = 160011};
  assert_true(mesh_file_read("many.obj.gz", &enough, &meshes, &mesh_count, error, sizeof error));
  mesh_list_free(meshes, mesh_count);
  FILE *file = fopen("many.obj.gz", "ab");
  fputs("trailing", file);
  fclose(file);
  assert_false(mesh_file_read("many.obj.gz", NULL, &meshes, &mesh_count, error, sizeof error));
  assert_non_null(strstr(error, "unexpected data after the end of the compressed file"));
}

/* A check of them would find nothing. Whoever wants their vertices may have them. */
TEST_WITH(files_without_elements_are_refused, enter_scratch_folder, leave_scratch_folder) {
  static const struct {
    const char *path, *text, *message;
  } rows[] = {
      {"a.obj", "v 0 0 0\nv 1 0 0\nl 1 2\nsurf 1\n",
       ", only 2 vertices; skipped 1 line; 1 line with an unknown keyword was skipped: line 4, \"surf\""},
      {"a.ply",
       "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nproperty int z\nend_header\n0 0 0\n",
       ", only 1 vertex"},
      {"a.off", "OFF\n0 0 0\n", ""},
      {"a.stl", "solid a\nendsolid a\n", ""},
      {"a.csv", "x,y,z,r\n", ""},
      {"a.msh",
       "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n1\n1 15 0 1\n$EndElements\n",
       ", only 1 vertex; skipped 1 point"},
      {"a.gltf", "{\"asset\":{\"version\":\"2.0\"}}", ""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    counted_memory memory = {0};
    mesh_read_options options = {.memory = counted_memory_hook(&memory), .separate = i % 2 > 0};
    OWNED(mesh_set) made;
    char error[256], expected[256];
    write_bytes(rows[i].path, rows[i].text, strlen(rows[i].text));
    snprintf(expected, sizeof expected, "%s: no triangle, polygon, tetrahedron, polyhedron or sphere was read%s",
             rows[i].path, rows[i].message);
    assert_false(mesh_file_read(rows[i].path, &options, &made.meshes, &made.count, error, sizeof error));
    assert_string_equal(error, expected);
    assert_null(made.meshes);
    assert_int_equal(made.count, 0);
    assert_int_equal(memory.live, 0);
    options.allow_empty = true;
    assert_true(mesh_file_read(rows[i].path, &options, &made.meshes, &made.count, error, sizeof error));
    assert_int_equal(made.count, 1);
  }
}

/* The start and the end of a path are shown, cut between characters; a path of usual length is shown whole. */
TEST(long_names_are_shortened) {
  char name[4096], error[8192], expected[512];
  mesh *meshes;
  size_t mesh_count;
  for (size_t length = 238; length < 4000; length = length == 242 ? 3999 : length + 1) {
    memset(name, 'x', length);
    for (size_t i = 1; i + 5 < length; i += 2) memcpy(name + i, "\xC3\xA4", 2);
    strcpy(name + length - 4, ".obj");
    assert_false(mesh_bytes_read("v", 1, name, NULL, &meshes, &mesh_count, error, sizeof error));
    assert_true(strlen(error) < 350);
    char *const dots = strstr(error, "...");
    assert_int_equal(dots != NULL, length > 240);
    snprintf(expected, sizeof expected, "%.*s", dots ? (int)(dots - error) : (int)length, name);
    assert_memory_equal(error, expected, strlen(expected));
    if (!dots) continue;
    assert_true(((unsigned char)name[dots - error] & 0xC0) != 0x80);
    assert_true(((unsigned char)dots[3] & 0xC0) != 0x80);
    assert_non_null(strstr(dots, ".obj:"));
  }
}

/* A message is cut where the buffer ends, and no buffer is no fault. */
TEST(short_buffers_are_kept_to) {
  mesh *meshes;
  size_t mesh_count;
  char error[16];
  memset(error, 'x', sizeof error);
  assert_false(mesh_file_read("missing.obj", NULL, &meshes, &mesh_count, error, 10));
  assert_string_equal(error, "missing.o");
  assert_int_equal(error[10], 'x');
  assert_false(mesh_file_read("missing.obj", NULL, &meshes, &mesh_count, NULL, 0));
}

TEST_WITH(writer_messages, enter_scratch_folder, leave_scratch_folder) {
  double positions[] = {0, 0, 0, 1e39, 0, 0, 0, 1, 0};
  uint32_t triangles[] = {0, 1, 2};
  mesh m = {.positions = positions, .vertex_count = 3, .polygon_count = 1, .triangles = triangles, .triangle_count = 1};
  char error[256];
  assert_false(mesh_file_write("a.txt", &m, 1, NULL, error, sizeof error));
  assert_string_equal(
      error, "a.txt: unknown extension; supported: .obj, .ply, .stl, .off, .msh, .vtk and .csv, each also with .gz");
  assert_false(mesh_file_write("nowhere/a.obj", &m, 1, NULL, error, sizeof error));
  assert_string_equal(error, "nowhere/a.obj: cannot be opened for writing: No such file or directory");
  assert_false(mesh_file_write("a.stl", &m, 1, NULL, error, sizeof error));
  assert_string_equal(
      error,
      "a.stl: mesh 0, vertex 1 has the x coordinate 9.9999999999999994e+38, beyond the range of float in binary STL");
  triangles[1] = 3;
  assert_false(mesh_file_write("a.obj", &m, 1, NULL, error, sizeof error));
  assert_string_equal(error, "a.obj: mesh 0 refers to vertex 3, but has 3 vertices");
  triangles[1] = 1;
  positions[7] = 1 / (positions[0] - positions[0]);
  assert_false(mesh_file_write("a.obj", &m, 1, NULL, error, sizeof error));
  assert_string_equal(error, "a.obj: mesh 0, vertex 2 has the y coordinate inf, which is not a finite number");
  positions[7] = 1;
  FILE *full = fopen("/dev/full", "wb");
  if (!full) return;
  fclose(full);
  assert_int_equal(symlink("/dev/full", "full.obj.gz"), 0);
  assert_false(mesh_file_write("full.obj.gz", &m, 1, NULL, error, sizeof error));
  assert_string_equal(error, "full.obj.gz: cannot be written: No space left on device");
}
