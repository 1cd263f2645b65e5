/* Tests invalid files of tetrahedra and polyhedra, one row per fault, with exact messages. */
#include "reading_tools.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bad_input {
  const char *bytes;
  size_t size;
  const char *message;
} bad_input;

#define TEXT(text) (text), sizeof(text) - 1

#define MSH_2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define MSH_2_NODES MSH_2 "$Nodes\n2\n1 0 0 0\n5 1 1 1\n$EndNodes\n"
#define MSH_4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define MSH_4_NODES MSH_4 "$Nodes\n1 2 1 5\n3 1 0 2\n1\n5\n0 0 0\n1 1 1\n$EndNodes\n"
#define MSH_2_BINARY "$MeshFormat\n2.2 1 8\n\1\0\0\0\n$EndMeshFormat\n"
#define ZEROS_8 "\0\0\0\0\0\0\0\0"
#define MSH_2_BINARY_NODES MSH_2_BINARY "$Nodes\n1\n\1\0\0\0" ZEROS_8 ZEROS_8 ZEROS_8 "\n$EndNodes\n"
#define VTK "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
#define VTK_POINTS VTK "POINTS 2 double\n0 0 0\n1 1 1\n"
#define VTK_BINARY "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\n"
#define MEDIT "MeshVersionFormatted 1\nDimension 3\n"
#define MEDIT_VERTICES MEDIT "Vertices\n2\n0 0 0 0\n1 1 1 0\n"

static void check_rows(mesh_reader *reader, const bad_input *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    reading_result result = read_bytes(reader, rows[i].bytes, rows[i].size, i % 2);
    if (result.done) fail_msg("no failure where \"%s\" was expected", rows[i].message);
    assert_null(result.meshes);
    assert_int_equal(result.mesh_count, 0);
    assert_string_equal(result.error, rows[i].message);
  }
}

TEST(gmsh_header_messages) {
  static const bad_input rows[] = {
      {TEXT("hello"), "file:1: the first line is not \"$MeshFormat\""},
      {TEXT("$MeshFormat\n4.0 0 8\n"), "file:2: Gmsh version \"4.0\" is not supported; only 2.0 to 2.2 and 4.1 are"},
      {TEXT("$MeshFormat\n1.0 0 8\n"), "file:2: Gmsh version \"1.0\" is not supported; only 2.0 to 2.2 and 4.1 are"},
      {TEXT("$MeshFormat"), "file:1: Gmsh version \"\" is not supported; only 2.0 to 2.2 and 4.1 are"},
      {TEXT("$MeshFormat\n2.2 2 8\n"), "file:2: expected 0 for ascii or 1 for binary, found \"2\""},
      {TEXT("$MeshFormat\n2.2 0 x\n"), "file:2: expected the size 8, found \"x\""},
      {TEXT("$MeshFormat\n2.2 0 8\n$Nodes\n"), "file:3: expected $EndMeshFormat, found \"$Nodes\""},
      {TEXT("$MeshFormat\n2.2 1 8\n\1"), "file: the file ends where the number 1 is expected"},
      {TEXT("$MeshFormat\n2.2 1 8\n\1\1\0\0"),
       "file: the byte-order number is not 1 in either byte order, but 257 or 16842752"},
      {TEXT(MSH_2), "file: the file has no section $Nodes"},
      {TEXT(MSH_2 "Nodes\n"), "file:4: expected a section, found \"Nodes\""},
      {TEXT(MSH_2 "$ Nodes\n"), "file:4: expected a section, found \"$\""},
      {TEXT(MSH_2 "$Periodic\n$EndPeriod\n"), "file:4: the section $Periodic has no end"},
      {TEXT(MSH_2 "$Elements\n0\n$EndElements\n"), "file:4: $Elements comes before $Nodes"},
      {TEXT(MSH_2_NODES "$Nodes\n0\n$EndNodes\n"), "file:9: there is a second section $Nodes"},
  };
  check_rows(mesh_read_gmsh, rows, sizeof rows / sizeof *rows);
}

TEST(gmsh_2_messages) {
  static const bad_input rows[] = {
      {TEXT(MSH_2 "$Nodes\n-1\n"), "file:5: expected the number of nodes, found \"-1\""},
      {TEXT(MSH_2 "$Nodes\n2\n1 0 0 0\n"), "file:7: the file ends where node 2 of 2 is expected"},
      {TEXT(MSH_2 "$Nodes\n2\n1 0 0 0\n$EndNodes\n"), "file:7: expected node 2 of 2, found \"$EndNodes\""},
      {TEXT(MSH_2 "$Nodes\n1\n-7 0 0 0\n"), "file:6: a node has the tag -7, which is negative"},
      {TEXT(MSH_2 "$Nodes\n1\n7 0 nan 0\n"),
       "file:6: vertex 7 has the y coordinate \"nan\", which is not a finite number"},
      {TEXT(MSH_2 "$Nodes\n1\n7 0 0 1e999\n"),
       "file:6: vertex 7 has the z coordinate \"1e999\", which is not a finite number"},
      {TEXT(MSH_2 "$Nodes\n1\n7 0 0"), "file:6: vertex 7 has 2 coordinates, fewer than 3"},
      {TEXT(MSH_2 "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n"), "file:7: expected $EndNodes, found \"2\""},
      {TEXT(MSH_2 "$Nodes\n2\n3 0 0 0\n3 0 0 0\n$EndNodes\n"), "file: node 3 is defined twice"},
      {TEXT(MSH_2_NODES "$Elements\nx\n"), "file:10: expected the number of elements, found \"x\""},
      {TEXT(MSH_2_NODES "$Elements\n2\n8 4 0 1 1 1 5\n"), "file:12: the file ends where element 2 of 2 is expected"},
      {TEXT(MSH_2_NODES "$Elements\n1\n8 4 0 1 1 1 2\n"),
       "file:11: element 8 refers to node 2, which the file does not have"},
      {TEXT(MSH_2_NODES "$Elements\n1\n8 4 1 3 1 1 1\n$EndElements\n"),
       "file:12: expected node 4 of element 8, found \"$EndElements\""},
      {TEXT(MSH_2_NODES "$Elements\n1\n8 4 999 3 1"), "file:11: the file ends where a tag of element 8 is expected"},
      {TEXT(MSH_2_NODES "$Elements\n1\n8 99 0 1\n"), "file:11: element type 99 is unknown"},
      {TEXT(MSH_2_NODES "$Elements\n1\n8 0 0 1\n"), "file:11: element type 0 is unknown"},
      {TEXT(MSH_2_NODES "$Elements\n1\n8 4 0 1 1 1 5 5\n"), "file:11: expected $EndElements, found \"5\""},
      {TEXT(MSH_2_BINARY "$Nodes\n2\n\1\0\0\0" ZEROS_8 ZEROS_8 ZEROS_8 "\2\0"),
       "file: the file ends where node 2 of 2 is expected"},
      {TEXT(MSH_2_BINARY "$Nodes\nx"), "file:6: expected the number of nodes, found \"x\""},
      {TEXT(MSH_2_BINARY "$Nodes\n1\n\7\0\0\0" ZEROS_8 ZEROS_8), "file: the file ends inside vertex 7"},
      {TEXT(MSH_2_BINARY "$Nodes\n1\n\7\0\0\0" ZEROS_8 "\0\0\0\0\0\0\xF0\x7F" ZEROS_8),
       "file: vertex 7 has the y coordinate inf, which is not a finite number"},
      {TEXT(MSH_2_BINARY_NODES "$Elements\n2\n\4\0\0\0\3\0\0\0\0\0\0\0"),
       "file: a block has 3 elements, but only 2 are left"},
      {TEXT(MSH_2_BINARY_NODES "$Elements\n2\n\4\0\0\0\2\0\0\0\0\0\0\0\1\0"),
       "file: the file ends where element 1 of 2 is expected"},
      {TEXT(MSH_2_BINARY_NODES "$Elements\n2\n\4\0\0\0\0\0\0\0\0\0\0\0"),
       "file: a block has 0 elements, but only 2 are left"},
      {TEXT(MSH_2_BINARY_NODES "$Elements\n1\n\4\0\0\0\1\0\0\0\0\0\0\0\7\0\0\0\1\0\0\0\1\0\0\0\xFF\xFF\xFF\xFF"),
       "file: element 7 refers to node -1, which the file does not have"},
      {TEXT(MSH_2_BINARY_NODES "$Elements\n1\n\4\0\0\0\1\0\0\0\0\0\0\0\7\0\0\0\1\0\0\0\1\0"),
       "file: the file ends where node 2 of element 7 is expected"},
  };
  check_rows(mesh_read_gmsh, rows, sizeof rows / sizeof *rows);
}

TEST(gmsh_4_messages) {
  static const bad_input rows[] = {
      {TEXT(MSH_4 "$Nodes\n1 2 1\n"), "file:6: the file ends where the number of blocks and of nodes is expected"},
      {TEXT(MSH_4 "$Nodes\n1 2 1 2\n3 1 0\n"),
       "file:7: the file ends where the beginning of a block of nodes is expected"},
      {TEXT(MSH_4 "$Nodes\n1 2 1 2\n3 1 0 -2\n"), "file:6: invalid block: -2 nodes on an entity of dimension 3"},
      {TEXT(MSH_4 "$Nodes\n1 2 1 2\n4 1 0 2\n"), "file:6: invalid block: 2 nodes on an entity of dimension 4"},
      {TEXT(MSH_4 "$Nodes\n1 2 1 2\n3 1 0 2\n1\n"),
       "file:8: the file ends where the tag of node 2 of 2 of a block is expected"},
      {TEXT(MSH_4 "$Nodes\n1 2 1 2\n3 1 0 2\n1\n5\n0 0 0\n0 x 0\n"),
       "file:10: vertex 5 has the y coordinate \"x\", which is not a finite number"},
      {TEXT(MSH_4 "$Nodes\n1 1 1 1\n1 1 1 1\n1\n0 0 0"),
       "file:8: the file ends where a parameter of a node is expected"},
      {TEXT(MSH_4 "$Nodes\n1 3 1 2\n3 1 0 2\n1\n2\n0 0 0\n0 0 0\n$EndNodes\n"),
       "file:10: the blocks have 2 nodes together, but 3 were declared"},
      {TEXT(MSH_4_NODES "$Elements\n1 1 1 1\n3 1 4 2\n1 1 1 1 5\n$EndElements\n"),
       "file:16: expected element 2 of 2 of a block, found \"$EndElements\""},
      {TEXT(MSH_4_NODES "$Elements\n1 2 1 1\n3 1 4 1\n1 1 1 1 5\n$EndElements\n"),
       "file:15: the blocks have 1 elements together, but 2 were declared"},
      {TEXT(MSH_4_NODES "$Elements\n1 1 1 1\n3 1 4 1\n1 1 1 1 6\n$EndElements\n"),
       "file:15: element 1 refers to node 6, which the file does not have"},
      {TEXT(MSH_4_NODES "$Elements\n1 1 1 1\n3 1 94 1\n1 1\n"), "file:14: element type 94 is unknown"},
  };
  check_rows(mesh_read_gmsh, rows, sizeof rows / sizeof *rows);
}

TEST(vtk_messages) {
  static const bad_input rows[] = {
      {TEXT("hello"), "file:1: the first line does not begin with \"# vtk DataFile Version\""},
      {TEXT("# vtk DataFile Version 1.0\n"), "file:1: VTK version \"1.0\" is not supported; only 2.0 to 5.1 are"},
      {TEXT("# vtk DataFile Version 3.0\nt\nXML\n"), "file:3: expected ASCII or BINARY, found \"XML\""},
      {TEXT("# vtk DataFile Version 3.0\nt\nASCII\nSET\n"), "file:4: expected DATASET, found \"SET\""},
      {TEXT("# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n"),
       "file:4: VTK dataset POLYDATA is not supported; only UNSTRUCTURED_GRID is"},
      {TEXT(VTK), "file: the file has no section POINTS"},
      {TEXT(VTK "POINTS x\n"), "file:5: expected the number of points, found \"x\""},
      {TEXT(VTK "POINTS 1 int\n"), "file:5: expected float or double, found \"int\""},
      {TEXT(VTK "POINTS 2 float\n0 0 0 0 0"), "file:6: vertex 1 has 2 coordinates, fewer than 3"},
      {TEXT(VTK "POINTS 2 float\n0 0 0 0 0 inf"),
       "file:6: vertex 1 has the z coordinate \"inf\", which is not a finite number"},
      {TEXT(VTK_POINTS "POINTS 0 float\n"), "file:8: there is a second section POINTS"},
      {TEXT(VTK_POINTS "STRIPS 0 0\n"), "file:8: expected POINTS, CELLS or CELL_TYPES, found \"STRIPS\""},
      {TEXT(VTK_POINTS "CELLS 1 5\n4 0 0 0\n"), "file:10: the file ends where number 5 of 5 of CELLS is expected"},
      {TEXT(VTK_POINTS "CELLS 1 5\n4 0 0 0 -1\n"),
       "file:9: number 5 of CELLS is -1, which is not between 0 and 4294967294"},
      {TEXT(VTK_POINTS "CELLS 1 5\n4 0 0 0 1\n"), "file: 1 cells, but 0 cell types"},
      {TEXT(VTK_POINTS "CELLS 1 5\n4 0 0 0 2\nCELL_TYPES 1\n10\n"),
       "file: cell 0 refers to point 2, but the file has 2 points, counted from 0"},
      {TEXT(VTK_POINTS "CELLS 1 5\n5 0 0 0 1\nCELL_TYPES 1\n10\n"),
       "file: the 5 values of CELLS end inside cell 0 of 1"},
      {TEXT(VTK_POINTS "CELLS 2 5\n4 0 0 0 1\nCELL_TYPES 2\n10 10\n"),
       "file: the 5 values of CELLS end inside cell 1 of 2"},
      {TEXT(VTK_POINTS "CELLS 1 4\n3 0 0 0\nCELL_TYPES 1\n10\n"), "file: cell 0 of type 10 has 3 points instead of 4"},
      {TEXT(VTK_POINTS "CELLS 1 3\n2 0 0\nCELL_TYPES 1\n7\n"), "file: cell 0 has 2 corners, fewer than 3"},
      {TEXT(VTK_POINTS "CELLS 1 1\n0\nCELL_TYPES 1\n42\n"), "file: cell 0 has no faces"},
      {TEXT(VTK_POINTS "CELLS 1 5\n4 1 2 0 1\nCELL_TYPES 1\n42\n"), "file: cell 0, face 0 has 2 corners, fewer than 3"},
      {TEXT(VTK_POINTS "CELLS 1 5\n4 1 4 0 1\nCELL_TYPES 1\n42\n"), "file: cell 0 ends inside face 0 of 1"},
      {TEXT(VTK_POINTS "CELLS 1 5\n4 1 3 0 1\nCELL_TYPES 1\n42\n"), "file: cell 0 ends inside face 0 of 1"},
      {TEXT(VTK_POINTS "CELLS 1 6\n5 2 3 0 1 0\nCELL_TYPES 1\n42\n"), "file: cell 0 ends inside face 1 of 2"},
      {TEXT(VTK_POINTS "CELLS 1 6\n5 1 3 0 1 9\nCELL_TYPES 1\n42\n"),
       "file: cell 0 refers to point 9, but the file has 2 points, counted from 0"},
      {TEXT(VTK_POINTS "CELLS 2 4\nOFFSETS float\n"), "file:9: expected vtktypeint64 or vtktypeint32, found \"float\""},
      {TEXT(VTK_POINTS "CELLS 2 4\nOFFSETS vtktypeint64\n0 5\nCELLS\n"),
       "file:11: expected CONNECTIVITY, found \"CELLS\""},
      {TEXT(VTK_POINTS "CELLS 2 4\nOFFSETS vtktypeint64\n0 5\nCONNECTIVITY vtktypeint64\n0 0 0 0\nCELL_TYPES 1\n10\n"),
       "file: cell 0 has the values from 0 to 5, but there are 4"},
      {TEXT(VTK_POINTS
            "CELLS 3 4\nOFFSETS vtktypeint64\n0 4 2\nCONNECTIVITY vtktypeint64\n0 0 0 0\nCELL_TYPES 2\n10\n10\n"),
       "file: cell 1 has the values from 4 to 2, but there are 4"},
      {TEXT(VTK "FIELD f 1\na 1 1 string\n"), "file:6: expected the type of an array of numbers, found \"string\""},
      {TEXT(VTK "FIELD f 1\na 1 x int\n"), "file:6: expected the number of tuples of an array, found \"x\""},
      {TEXT(VTK "FIELD f x\n"), "file:5: expected the number of arrays of a field, found \"x\""},
      {TEXT(VTK "FIELD f 1\na 1 2 int\n7"), "file:7: the file ends where a value of an array is expected"},
      {TEXT(VTK_BINARY "POINTS 1 float\n\0\0\0\0\0\0\0"), "file: the file ends inside vertex 0"},
      {TEXT(VTK_BINARY "POINTS 1 float\n\x7F\x80\0\0" ZEROS_8),
       "file: vertex 0 has the x coordinate inf, which is not a finite number"},
      {TEXT(VTK_BINARY "POINTS 0 float\nCELLS 1 2\n\0\0\0\1\0\0"),
       "file: the file ends where number 2 of 2 of CELLS is expected"},
      {TEXT(VTK_BINARY "POINTS 0 float\nCELLS 1 2\n\0\0\0\1\xFF\xFF\xFF\xFE"),
       "file: number 2 of CELLS is -2, which is not between 0 and 4294967294"},
  };
  check_rows(mesh_read_vtk, rows, sizeof rows / sizeof *rows);
}

TEST(medit_messages) {
  static const bad_input rows[] = {
      {TEXT("hello"), "file:1: the first word is not \"MeshVersionFormatted\""},
      {TEXT("# c\nMeshVersionFormatted x"), "file:2: expected the version, found \"x\""},
      {TEXT("MeshVersionFormatted 5"), "file:1: MEDIT version 5 is not supported; only 1 to 4 are"},
      {TEXT("MeshVersionFormatted 1\nDimension 2\n"), "file:2: MEDIT dimension 2 is not supported; only 3 is"},
      {TEXT("MeshVersionFormatted 1\nDimension\n"), "file:3: the file ends where the dimension is expected"},
      {TEXT(MEDIT), "file: the file has no section Vertices"},
      {TEXT(MEDIT "12\n"), "file:3: expected a keyword, found \"12\""},
      {TEXT(MEDIT "Vertices\nmany\n"), "file:4: expected the number of Vertices, found \"many\""},
      {TEXT(MEDIT "Vertices\n2\n0 0 0 0\n"), "file:6: vertex 2 has 0 coordinates, fewer than 3"},
      {TEXT(MEDIT "Vertices\n1\n0 0 0"), "file:5: the file ends where the reference of row 1 of Vertices is expected"},
      {TEXT(MEDIT "Vertices\n1\n0 0 nan 0\n"),
       "file:5: vertex 1 has the z coordinate \"nan\", which is not a finite number"},
      {TEXT(MEDIT "Tetrahedra\n1\n1 1 1 1 0\n"), "file:4: Tetrahedra comes before Vertices"},
      {TEXT(MEDIT_VERTICES "Vertices\n0\n"), "file:7: there is a second section Vertices"},
      {TEXT(MEDIT_VERTICES "Tetrahedra\n1\n1 1 1 3 0\n"),
       "file:9: row 1 of Tetrahedra refers to vertex 3, but the file has 2 vertices, counted from 1"},
      {TEXT(MEDIT_VERTICES "Edges\n1\n0 1 0\n"),
       "file:9: row 1 of Edges refers to vertex 0, but the file has 2 vertices, counted from 1"},
      {TEXT(MEDIT_VERTICES "Tetrahedra\n2\n1 1 1 1 0\n1 1 1.5"),
       "file:10: expected vertex 3 of row 2 of Tetrahedra, found \"1.5\""},
      {TEXT(MEDIT_VERTICES "Hexahedra\n-1\n"), "file:8: expected the number of Hexahedra, found \"-1\""},
  };
  check_rows(mesh_read_medit, rows, sizeof rows / sizeof *rows);
}

TEST(rope_messages) {
  static const bad_input rows[] = {
      {TEXT("hello"), "file:1: expected \"Vertex\" or \"Tet\", found \"hello\""},
      {TEXT("Vertex x"), "file:1: expected the number of vertex 0, found \"x\""},
      {TEXT("Vertex 2 0 0 0"), "file:1: the first vertex has the number 2, which is neither 0 nor 1"},
      {TEXT("Vertex 0 0 0 0\nVertex 2 0 0 0"), "file:2: expected vertex 1, found vertex 2"},
      {TEXT("Vertex 0 0 0 0\nVertex 1 0 0 inf"),
       "file:2: vertex 1 has the z coordinate \"inf\", which is not a finite number"},
      {TEXT("Vertex 0 0 0 0\nTet 7 0 0 0 1"),
       "file:2: tetrahedron 7 refers to vertex 1, but 1 vertices come before it, counted from 0"},
      {TEXT("Vertex 1 0 0 0\nTet 7 0 0 0 1"),
       "file:2: tetrahedron 7 refers to vertex 0, but 1 vertices come before it, counted from 1"},
      {TEXT("Vertex 0 0 0 0\nTet 7 0 0"), "file:2: the file ends where corner 2 of tetrahedron 7 is expected"},
      {TEXT("Tet"), "file:1: the file ends where the number of a tetrahedron is expected"},
  };
  check_rows(mesh_read_rope, rows, sizeof rows / sizeof *rows);
}

/* ---------------------------------------------------------------------------------------------------- TetGen */

TEST_WITH(tetgen_messages, enter_scratch_folder, leave_scratch_folder) {
  static const struct {
    const char *nodes, *elements, *message;
  } rows[] = {
      {"x", "", "a.node:1: expected the number of points, found \"x\""},
      {"1", "0 4 0", "a.node:1: the file ends where the dimension 3 is expected"},
      {"1 2 0 0\n", "0 4 0", "a.node:1: the points have dimension 2, not 3"},
      {"1 3 0 0\n7 0 0 0\n", "0 4 0", "a.node:2: the first point has the number 7, which is neither 0 nor 1"},
      {"2 3 0 0\n0 0 0 0\n2 0 0 0", "0 4 0", "a.node:3: expected point 1, found point 2"},
      {"2 3 0 0\n0 0 0 0\n", "0 4 0", "a.node:3: the file ends where the number of point 1 is expected"},
      {"1 3 0 0\n0 0 -nan 0\n", "0 4 0",
       "a.node:2: vertex 0 has the y coordinate \"-nan\", which is not a finite number"},
      {"1 3 0 0\n0 0 0 0\n", "x", "a.ele:1: expected the number of tetrahedra, found \"x\""},
      {"1 3 0 0\n0 0 0 0\n", "1 3 0\n", "a.ele:1: tetrahedra have 3 nodes instead of 4 or 10"},
      {"1 3 0 0\n0 0 0 0\n", "1",
       "a.ele:1: the file ends where the number of nodes of a tetrahedron (4 or 10) is expected"},
      {"1 3 0 0\n0 0 0 0\n", "1 4 0\n5 0 0 0 1\n",
       "a.ele:2: tetrahedron 5 refers to point 1, but there are 1 points, counted from 0"},
      {"1 3 0 0\n1 0 0 0\n", "1 4 0\n5 1 1 1 0\n",
       "a.ele:2: tetrahedron 5 refers to point 0, but there are 1 points, counted from 1"},
      {"1 3 0 0\n0 0 0 0\n", "1 4 0\n5 0 0 0\n", "a.ele:3: the file ends where a corner of tetrahedron 5 is expected"},
      {"1 3 0 0\n0 0 0 0\n", "2 4 0\n0 0 0 0 0\n",
       "a.ele:3: the file ends where the number of tetrahedron 1 is expected"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    write_bytes("a.node", rows[i].nodes, strlen(rows[i].nodes));
    write_bytes("a.ele", *rows[i].elements ? rows[i].elements : " ", *rows[i].elements ? strlen(rows[i].elements) : 1);
    mesh *meshes;
    size_t mesh_count;
    char error[256];
    assert_false(mesh_file_read(i % 2 ? "a.node" : "a.ele", NULL, &meshes, &mesh_count, error, sizeof error));
    assert_null(meshes);
    assert_string_equal(error, rows[i].message);
  }
}

TEST_WITH(tetgen_needs_both_files, enter_scratch_folder, leave_scratch_folder) {
  mesh *meshes;
  size_t mesh_count;
  char error[256];
  write_bytes("lonely.node", TEXT("1 3 0 0\n0 0 0 0\n"));
  assert_false(mesh_file_read("lonely.node", NULL, &meshes, &mesh_count, error, sizeof error));
  assert_string_equal(error, "lonely.ele: cannot be opened: No such file or directory");
  write_bytes("large.node", TEXT("1 3 0 0\n0 0 0 0\n"));
  write_bytes("large.ele", TEXT("1 4 0 \n0 0 0 0 0\n"));
  const mesh_read_options options = {.byte_limit = 16};
  assert_false(mesh_file_read("large.node", &options, &meshes, &mesh_count, error, sizeof error));
  assert_string_equal(error, "large.ele: exceeds the limit of 16 bytes");
}

/* The limit of 2^32 - 2 elements, with a smaller number in its place. */
TEST(limits_are_reported) {
  static const struct {
    mesh_reader *reader;
    const char *text;
    size_t limit, enough;
    const char *message;
  } rows[] = {
      {mesh_read_rope, "Vertex 0 0 0 0 Vertex 1 0 0 0", 1, 2, "file: more than 1 vertices, the limit of a mesh"},
      {mesh_read_rope, "Vertex 0 0 0 0 Tet 0 0 0 0 0 Tet 0 0 0 0 0", 1, 2,
       "file: more than 1 tetrahedra, the limit of a mesh"},
      {mesh_read_medit, MEDIT_VERTICES "Triangles 1 1 1 1 0 Pyramids 1 1 1 1 1 1 0", 6, 16,
       "file: more than 6 corners of faces, the limit of a mesh"},
      {mesh_read_medit, MEDIT_VERTICES "Pyramids 1 1 1 1 1 1 0", 15, 16,
       "file: more than 15 corners of faces, the limit of a mesh"},
      {mesh_read_vtk, VTK_POINTS "CELLS 1 5 4 0 0 0 0 CELL_TYPES 1 10", 4, 5,
       "file: more than 4 CELLS, the limit of a mesh"},
      {mesh_read_gmsh, MSH_2_NODES, 1, 2, "file: more than 1 node tags, the limit of a mesh"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    OWNED_BY(free_result)
    reading_result result = read_limited(rows[i].reader, rows[i].text, strlen(rows[i].text), rows[i].limit);
    assert_false(result.done);
    assert_string_equal(result.error, rows[i].message);
    result = read_limited(rows[i].reader, rows[i].text, strlen(rows[i].text), rows[i].enough);
    if (!result.done) fail_msg("%s", result.error);
  }
}
