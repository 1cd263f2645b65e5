/* Fails every allocation of every reader and writer in turn: a message, no mesh, no leak, and the same call succeeds
 * afterwards. */
#include "reading_tools.h"
#include "testing.h"
#include "volume_files.h"
#include "zip_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file on which reading must grow each of its arrays at least twice. */
static void write_file(const char *path, bool text) {
  enum { VERTICES = 2500, POLYGONS = 2500 };
  mesh two[2];
  for (int i = 0; i < 2; i++) {
    mesh m = {.name = (char *)(i ? "second" : "first"), .vertex_count = VERTICES, .polygon_count = POLYGONS};
    m.positions = malloc(3 * VERTICES * sizeof *m.positions);
    m.triangles = malloc(6 * POLYGONS * sizeof *m.triangles);
    m.polygon_first = malloc((POLYGONS + 1) * sizeof *m.polygon_first);
    m.corners = malloc(4 * POLYGONS * sizeof *m.corners);
    for (int j = 0; j < 3 * VERTICES; j++) m.positions[j] = j * 0.25 + i;
    for (uint32_t j = 0; j < POLYGONS; j++) {
      const uint32_t corners[] = {j, (j + 1) % VERTICES, (j + 2) % VERTICES, j / 2};
      const uint32_t triangles[] = {corners[0], corners[1], corners[2], corners[0], corners[2], corners[3]};
      memcpy(m.corners + 4 * j, corners, sizeof corners);
      memcpy(m.triangles + 6 * j, triangles, sizeof triangles);
      m.polygon_first[j] = 4 * j;
    }
    m.polygon_first[POLYGONS] = 4 * POLYGONS;
    m.triangle_count = 2 * POLYGONS;
    two[i] = m;
  }
  char error[256];
  const mesh_write_options options = {.text = text};
  if (!mesh_file_write(path, two, 2, &options, error, sizeof error)) fail_msg("%s", error);
  for (int i = 0; i < 2; i++) {
    two[i].name = NULL;
    mesh_free(&two[i]);
  }
}

/* The last allocations cut arrays to their size, and may fail without harm. */
static void fail_each(const char *path, bool separate) {
  size_t failures = 0;
  for (size_t fail_at = 1;; fail_at++) {
    counted_memory memory = {.fail_at = fail_at};
    const mesh_read_options options = {.separate = separate, .memory = counted_memory_hook(&memory)};
    mesh *meshes;
    size_t mesh_count;
    char error[256];
    if (mesh_file_read(path, &options, &meshes, &mesh_count, error, sizeof error)) {
      assert_string_equal(error, "");
      assert_true(memory.live > 0);
      mesh_list_free(meshes, mesh_count);
      if (memory.calls < fail_at) break;
      continue;
    }
    failures++;
    assert_int_equal(memory.live, 0);
    assert_null(meshes);
    assert_int_equal(mesh_count, 0);
    if (!strstr(error, ": out of memory for ")) fail_msg("\"%s\" after allocation %zu", error, fail_at);
  }
  assert_true(failures >= 5);
}

TEST(readers_survive) {
  static const struct {
    const char *path;
    bool text;
  } files[] = {{"a.obj", false}, {"a.obj.gz", false}, {"a.ply", false}, {"a.ply", true},
               {"a.stl", false}, {"a.stl", true},     {"a.off", false}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    write_file(files[i].path, files[i].text);
    fail_each(files[i].path, false);
    fail_each(files[i].path, true);
  }
}

/* Tetrahedra first, then cells of other shapes when `mixed`; the tags of Gmsh nodes are out of order, so that they are
 * listed. */
static file_bytes make_volumes(int format, bool text, bool mixed) {
  enum { VERTICES = 2500, ELEMENTS = 2500 };
  static double positions[3 * VERTICES];
  static int64_t tags[VERTICES];
  static volume_element elements[ELEMENTS];
  for (uint32_t i = 0; i < ELEMENTS; i++) {
    elements[i] = (volume_element){.shape = i < ELEMENTS / 8 ? ELEMENT_QUADRILATERAL : ELEMENT_TETRAHEDRON};
    if (mixed && i > ELEMENTS / 2) elements[i].shape = ELEMENT_PYRAMID;
    for (uint32_t j = 0; j < 8; j++) elements[i].corners[j] = (i + j) % VERTICES;
  }
  for (size_t i = 0; i < VERTICES; i++) tags[i] = i < VERTICES / 2 ? (int64_t)i : (int64_t)(3 * VERTICES - i);
  const volume_file v = {positions, VERTICES, elements, ELEMENTS, tags};
  file_bytes file = {.text = text, .big_endian = true};
  if (format == 0) make_gmsh_2(&file, &v);
  if (format == 1) make_gmsh_4(&file, &v, 8, false);
  if (format == 2) make_vtk(&file, &v, 8, OFFSETS_NONE);
  if (format == 3) make_vtk(&file, &v, 8, OFFSETS_64);
  if (format == 4) make_medit(&file, &v);
  return file;
}

TEST(volume_readers_survive) {
  static const char *const paths[] = {"v.msh", "v.msh", "v.vtk", "v.vtk", "v.mesh"};
  for (int format = 0; format < 5; format++) {
    for (int text = format == 4; text < 2; text++) {
      for (int mixed = 0; mixed < 2; mixed++) {
        file_bytes file = make_volumes(format, text, mixed);
        write_bytes(paths[format], file.bytes, file.size);
        free(file.bytes);
        fail_each(paths[format], false);
      }
    }
  }
}

/* glTF: text, a buffer in base64, one in a second file, nodes, and parts with names. */
TEST(gltf_survives) {
  enum { NODES = 60, ROOM = 4000 };
  static char text[ROOM];
  static const char data[36] = {0};
  int used = snprintf(
      text, ROOM,
      "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36,\"uri\":\"t.bin\"},"
      "{\"byteLength\":3,\"uri\":\"data:;base64,AAEC\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
      "{\"buffer\":1,\"byteLength\":3}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,"
      "\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"}],\"meshes\":"
      "[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],\"nodes\":[{\"mesh\":0}");
  for (int i = 1; i < NODES; i++) used += snprintf(text + used, (size_t)(ROOM - used), ",{\"mesh\":0}");
  used += snprintf(text + used, (size_t)(ROOM - used), "]}");
  write_bytes("t.gltf", text, (size_t)used);
  write_bytes("t.bin", data, sizeof data);
  fail_each("t.gltf", false);
  fail_each("t.gltf", true);
}

/* 3MF: two parts, components, names. */
TEST(threemf_survives) {
  static const char first[] = "<model><resources><object id='1'><components><component p:path='/o' objectid='2'/>"
                              "<component p:path='/o' objectid='2'/></components></object></resources><build><item "
                              "objectid='1'/></build></model>";
  static const char other[] =
      "<model><resources><object id='2' name='n'><mesh><vertices><vertex x='0' y='0' z='0'/></vertices><triangles>"
      "<triangle v1='0' v2='0' v3='0'/></triangles></mesh></object></resources></model>";
  static const char relationships[] = "<r><s Type='/3dmodel' Target='m'/></r>";
  zip_file zip = {0};
  zip_add(&zip, "_rels/.rels", relationships, sizeof relationships - 1, (zip_manner){0});
  zip_add(&zip, "m", first, sizeof first - 1, (zip_manner){.level = 6});
  zip_add(&zip, "o", other, sizeof other - 1, (zip_manner){.level = 6});
  zip_finish(&zip, false);
  write_bytes("t.3mf", zip.bytes, zip.size);
  free(zip.bytes);
  fail_each("t.3mf", false);
  fail_each("t.3mf", true);
}

/* Both files of TetGen, and the name of the second. */
TEST(tetgen_survives) {
  static const char nodes[] = "1 3 0 0\n0 0 0 0\n";
  static const char elements[] = "1 10 0\n0 0 0 0 0 0 0 0 0 0 0\n";
  write_bytes("t.node", nodes, sizeof nodes - 1);
  write_bytes("t.ele", elements, sizeof elements - 1);
  fail_each("t.node", false);
  fail_each("t.ele", false);
}

/* Tables, with columns to tell of; the levels of cellPACK; PLY. */
TEST(sphere_readers_survive) {
  enum { SPHERES = 2500, LINE_BYTES = 32 };
  static char text[(SPHERES + 8) * LINE_BYTES];
  static const char *const heads[] = {
      "x,y,z,radius,id\n", "sph 1.0\nnums 1\n", "1 2 2\n1\n0 0 0 2\n2500\n",
      ("ply\nformat ascii 1.0\nelement vertex 2500\nproperty float x\nproperty float y\nproperty float z\n"
       "property float r\nproperty int id\nend_header\n")};
  static const char *const lines[] = {"%d,1,2,0.5,%d\n", "sphe %d 1 2 3 %d\n", "%d 1 2 %d\n", "%d 1 2 0.5 %d\n"};
  static const char *const paths[] = {"s.csv", "s.sph", "s.sph", "s.ply"};
  for (int format = 0; format < 4; format++) {
    size_t length = (size_t)sprintf(text, "%s", heads[format]);
    for (int i = 0; i < SPHERES; i++) {
      length += (size_t)snprintf(text + length, LINE_BYTES, lines[format], i, i);
    }
    write_bytes(paths[format], text, length);
    fail_each(paths[format], false);
  }
}

/* Groups without a name take the file's. */
TEST(nameless_groups_survive) {
  static const char text[] = "v 0 0 0\nf 1 1 1\ng\nf 1 1 1\ng x\nf 1 1 1 1\n";
  write_bytes("groups.obj", text, sizeof text - 1);
  fail_each("groups.obj", true);
}

TEST(writers_survive) {
  static const char *const paths[] = {"b.obj", "b.obj.gz"};
  double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  uint32_t triangles[] = {0, 1, 2};
  const mesh m = {
      .positions = positions, .vertex_count = 3, .polygon_count = 1, .triangles = triangles, .triangle_count = 1};
  for (size_t i = 0; i < 2; i++) {
    bool done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
      counted_memory memory = {.fail_at = fail_at};
      const mesh_write_options options = {.memory = counted_memory_hook(&memory)};
      char error[256];
      done = mesh_file_write(paths[i], &m, 1, &options, error, sizeof error);
      assert_int_equal(memory.live, 0);
      if (!done) assert_non_null(strstr(error, ": out of memory for "));
      if (fail_at == 1) assert_false(done);
    }
  }
}

/* A file that cannot be opened leaves nothing behind either. */
TEST(failed_openings_leave_nothing) {
  static const char *const paths[] = {"nowhere/b.obj", "nowhere/b.obj.gz"};
  const mesh none = {0};
  for (size_t i = 0; i < 2; i++) {
    counted_memory memory = {0};
    const mesh_write_options options = {.memory = counted_memory_hook(&memory)};
    char error[256];
    assert_false(mesh_file_write(paths[i], &none, 1, &options, error, sizeof error));
    assert_int_equal(memory.live, 0);
  }
}

TEST_GROUP(enter_scratch_folder, leave_scratch_folder)
