/* Tests that skipped elements and lines with unknown keywords are counted and reported, but not comments, continued
 * lines, and known keywords that do not affect the shape. */
#include "reading_tools.h"
#include "testing.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
#define MEDIT "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n"
#define GMSH "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define GMSH_NODES "$Nodes\n1\n1 0 0 0\n$EndNodes\n"

typedef struct told_text {
  mesh_reader *reader;
  const char *text;
  uint64_t count;
  const char *note;
} told_text;

static const told_text told_texts[] = {
    {mesh_read_obj, TRIANGLE, 0, NULL},
    {mesh_read_obj,
     "# c\n\n \t \r\nvt 0 0\nvn 0 0 1\nvp 0 0\ng\no a\ns 1\nusemtl a\nmtllib b\nl 1 2\np 1\nlod 1\nmg 0\n"
     "usemap off\nshadow_obj a\ncstype bezier\ndeg 3\nparm u 0 1\ncurv 0 1 1 2\nend\n  vt\t1 1\nvt\n\f\n" TRIANGLE,
     0, "skipped 1 line and 1 point"},
    /* A line that a backslash continues is part of it, whatever it begins with; after a comment it is not. */
    {mesh_read_obj, TRIANGLE "l 1 2 \\\n 3 1\nl 1 \\ \r\n2 \\\n3\nf 1 2 \\\n3\n", 0, "skipped 2 lines"},
    {mesh_read_obj, TRIANGLE "# a \\\nfoo\n", 1, "1 line with an unknown keyword was skipped: line 6, \"foo\""},
    {mesh_read_obj, "foo\n" TRIANGLE, 1, "1 line with an unknown keyword was skipped: line 1, \"foo\""},
    {mesh_read_obj, "\xEF\xBB\xBF" TRIANGLE "\n  vx 1\n", 1,
     "1 line with an unknown keyword was skipped: line 6, \"vx\""},
    {mesh_read_obj, TRIANGLE "V 1 1 1\nF 1 2 3\nusemtl\nus\nusemtlx\n", 4,
     "4 lines with unknown keywords were skipped, the first: line 5, \"V\""},
    /* Faces that are not read must be told: those of old, free-form surfaces, other files. */
    {mesh_read_obj, TRIANGLE "fo 1 2 3\nsurf 0 1 0 1 1 2\ncall other.obj\n", 3,
     "3 lines with unknown keywords were skipped, the first: line 5, \"fo\""},
    /* A second file, joined to the first with its mark. */
    {mesh_read_obj, TRIANGLE "\xEF\xBB\xBFv 0 0 0\n", 1,
     "1 line with an unknown keyword was skipped: line 5, \"???v\""},
    {mesh_read_medit,
     MEDIT "Corners 1\n1\nRequiredVertices 1\n1\nRidges 0\nNormals 1\n0 0 1\nGeometry \"a b c\"\nEnd\n", 0, NULL},
    {mesh_read_medit, MEDIT "HexahedraQ2 1\n1 2 3\nPoints\n1 2\nTriangles 1\n1 2 3 0\nEnd\n", 2,
     "2 lines with unknown keywords were skipped, the first: line 8, \"HexahedraQ2\""},
    {mesh_read_medit, MEDIT "Triangles 1\n1 2 3 0\nTetrahedra 1\n1 2 3 4 0\nFoo 3\nEnd\n", 1,
     "skipped 1 triangle: the file has tetrahedra; 1 line with an unknown keyword was skipped: line 12, \"Foo\""},
    {mesh_read_gmsh,
     GMSH "$PhysicalNames\n1\n3 1 \"a\"\n$EndPhysicalNames\n" GMSH_NODES
          "$NodeData\n0\n$EndNodeData\n$Periodic\n0\n$EndPeriodic\n",
     0, NULL},
    {mesh_read_sph, "sph 1.0\nnums 1\n# foo\nsphe 1 0 0 0 1\n", 0, NULL},
    {mesh_read_sph, "sph 1.0\nsphe 1 0 0 0 1\nball 0 0 0 1\n", 1,
     "1 line with an unknown keyword was skipped: line 3, \"ball\""},
    {mesh_read_sph, "sph 1.0\nnums 2\nsphe 1 0 0 0 1\nball 0 0 0 1\n", 1,
     "\"nums\" states 2, but there is 1 sphere; 1 line with an unknown keyword was skipped: line 4, \"ball\""},
    {mesh_read_gmsh, GMSH "$Foo\nbar\n$EndFoo\n" GMSH_NODES, 1,
     "1 line with an unknown keyword was skipped: line 4, \"$Foo\""},
};

static void check_told(const told_text *told, uint64_t skipped) {
  for (int separate = 0; separate < 2; separate++) {
    OWNED_BY(free_result) reading_result result = read_bytes(told->reader, told->text, strlen(told->text), separate);
    if (!result.done) fail_msg("%s: %s", told->text, result.error);
    assert_int_equal(result.meshes[0].unknown_lines, told->count);
    if (skipped != UINT64_MAX) assert_int_equal(result.meshes[0].skipped, skipped);
    if (!told->note && result.meshes[0].note) fail_msg("%s: %s", told->text, result.meshes[0].note);
    if (told->note) assert_string_equal(result.meshes[0].note, told->note);
  }
}

TEST(unknown_lines_are_reported) {
  for (size_t i = 0; i < COUNT(told_texts); i++) check_told(&told_texts[i], UINT64_MAX);
}

TEST(skipped_elements_are_counted) {
  static const struct {
    uint64_t skipped;
    told_text told;
  } rows[] = {
      {0, {mesh_read_obj, TRIANGLE, 0, NULL}},
      {2,
       {mesh_read_obj, "v 0 0 0\nv 1 0 0\nfoo\nl 1 2\nl 2 1\n", 1,
        "skipped 2 lines; 1 line with an unknown keyword was skipped: line 3, \"foo\""}},
      {2,
       {mesh_read_ply,
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nproperty int z\nelement edge 2\n"
        "property int vertex1\nproperty int vertex2\nelement camera 1\nproperty int a\nend_header\n0 0 0\n0 0\n0 "
        "0\n7\n",
        0, "skipped 2 lines"}},
      {3,
       {mesh_read_vtk,
        "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n"
        "CELLS 4 14\n3 0 1 2 2 0 1 3 0 1 2 2 0 1\nCELL_TYPES 4\n5 3 28 29\n",
        0, "skipped 1 line and 2 elements of other types"}},
  };
  for (size_t i = 0; i < COUNT(rows); i++) check_told(&rows[i].told, rows[i].skipped);
}

TEST(separate_meshes_have_one_note) {
  static const char text[] = "g a\n" TRIANGLE "foo\ng b\nf 1 2 3\nfoo\np 1\n";
  OWNED_BY(free_result) reading_result result = read_bytes(mesh_read_obj, text, strlen(text), true);
  assert_true(result.done);
  assert_int_equal(result.mesh_count, 2);
  assert_int_equal(result.meshes[0].unknown_lines, 2);
  assert_int_equal(result.meshes[1].unknown_lines, 2);
  assert_int_equal(result.meshes[0].skipped, 1);
  assert_int_equal(result.meshes[1].skipped, 1);
  assert_string_equal(result.meshes[0].note,
                      "skipped 1 point; 2 lines with unknown keywords were skipped, the first: line 6, \"foo\"");
  assert_null(result.meshes[1].note);
}

/* Binary files have no lines to look up. */
TEST(binary_sections_are_told_without_a_line) {
  static const char text[] =
      "$MeshFormat\n2.2 1 8\n\1\0\0\0\n$EndMeshFormat\n$Nodes\n0\n$EndNodes\n$Foo\n\n\n$EndFoo\n";
  OWNED_BY(free_result) reading_result result = read_bytes(mesh_read_gmsh, text, sizeof text - 1, false);
  if (!result.done) fail_msg("%s", result.error);
  assert_string_equal(result.meshes[0].note, "1 line with an unknown keyword was skipped: \"$Foo\"");
}

TEST_WITH(a_note_that_has_no_memory_fails, enter_scratch_folder, leave_scratch_folder) {
  write_bytes("odd.obj", "foo\n" TRIANGLE "g b\nf 1 2 3\n", strlen("foo\n" TRIANGLE "g b\nf 1 2 3\n"));
  size_t failures = 0;
  for (size_t fail_at = 1; fail_at < 40; fail_at++) {
    counted_memory memory = {.fail_at = fail_at};
    const mesh_read_options options = {.separate = fail_at % 2, .memory = counted_memory_hook(&memory)};
    mesh *meshes;
    size_t mesh_count;
    char error[256];
    if (mesh_file_read("odd.obj", &options, &meshes, &mesh_count, error, sizeof error)) {
      mesh_list_free(meshes, mesh_count);
      continue;
    }
    assert_int_equal(memory.live, 0);
    failures += strstr(error, "out of memory for a note") != NULL;
  }
  assert_true(failures > 0);
}
