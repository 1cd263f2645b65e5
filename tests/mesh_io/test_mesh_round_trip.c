/* Tests that written files are read back: positions bit by bit, polygons and names, in every format, plain and
 * compressed. */
#include "reading_tools.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 500, POLYGONS = 700 };

/* Random finite doubles of all sizes; with `narrow` such as float holds. All differ, so that welding keeps them apart.
 */
static mesh make_mesh(uint64_t seed, bool narrow, bool polygons) {
  mesh m = {.name = strdup("a name, of sorts"), .vertex_count = VERTICES};
  m.positions = malloc(3 * VERTICES * sizeof *m.positions);
  for (size_t i = 0; i < 3 * VERTICES; i++) {
    do {
      const uint64_t bits = next_random(&seed);
      memcpy(&m.positions[i], &bits, sizeof bits);
      if (i % 2) m.positions[i] = ldexp((double)(int64_t)bits, -63);
      if (narrow) m.positions[i] = (double)(float)m.positions[i];
    } while (!isfinite(m.positions[i]) || (narrow && fabs(m.positions[i]) < 1e-30));
  }
  m.triangles = malloc(9 * POLYGONS * sizeof *m.triangles);
  m.triangle_polygon = polygons ? malloc(3 * POLYGONS * sizeof *m.triangle_polygon) : NULL;
  m.polygon_first = polygons ? calloc(POLYGONS + 1, sizeof *m.polygon_first) : NULL;
  m.corners = polygons ? malloc(5 * POLYGONS * sizeof *m.corners) : NULL;
  m.polygon_count = POLYGONS;
  for (size_t i = 0; i < POLYGONS; i++) {
    const uint32_t count = polygons ? 3 + (uint32_t)(next_random(&seed) % 3) : 3;
    uint32_t corners[5];
    /* The first polygons use the vertices in order, as welding numbers them so. */
    for (uint32_t j = 0; j < count; j++) {
      corners[j] = (uint32_t)(3 * i + j < VERTICES ? 3 * i + j : next_random(&seed) % VERTICES);
    }
    for (uint32_t j = 2; j < count; j++) {
      if (polygons) m.triangle_polygon[m.triangle_count] = (uint32_t)i;
      uint32_t *triangle = m.triangles + 3 * m.triangle_count++;
      triangle[0] = corners[0];
      triangle[1] = corners[j - 1];
      triangle[2] = corners[j];
    }
    if (!polygons) continue;
    memcpy(m.corners + m.polygon_first[i], corners, count * sizeof *corners);
    m.polygon_first[i + 1] = m.polygon_first[i] + count;
  }
  return m;
}

/* The reader fills in the triangles of polygons. */
static void check_same(const mesh *a, const mesh *b, bool polygons) {
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_memory_equal(a->positions, b->positions, 3 * a->vertex_count * sizeof *a->positions);
  assert_int_equal(a->triangle_count, b->triangle_count);
  if (!a->polygon_first) assert_memory_equal(a->triangles, b->triangles, 3 * a->triangle_count * sizeof *a->triangles);
  if (!polygons) return;
  assert_int_equal(a->polygon_count, b->polygon_count);
  assert_int_equal(a->polygon_first != NULL, b->polygon_first != NULL);
  if (!a->polygon_first) return;
  assert_memory_equal(a->polygon_first, b->polygon_first, (a->polygon_count + 1) * sizeof *a->polygon_first);
  assert_memory_equal(a->corners, b->corners, a->polygon_first[a->polygon_count] * sizeof *a->corners);
  assert_memory_equal(a->triangle_polygon, b->triangle_polygon, a->triangle_count * sizeof *a->triangle_polygon);
}

typedef struct round_trip {
  const char *path;
  bool text, narrow, polygons;
} round_trip;

static const round_trip trips[] = {
    {"a.obj", false, false, true},    {"a.obj.gz", false, false, true}, {"a.ply", false, false, true},
    {"a.ply.gz", false, false, true}, {"a.ply", true, false, true},     {"a.ply.gz", true, false, true},
    {"a.off", false, false, true},    {"a.OFF.GZ", false, false, true}, {"a.stl", false, true, false},
    {"a.stl.gz", false, true, false}, {"a.stl", true, false, false},    {"a.stl.gz", true, false, false},
};

static void write_well(const char *path, const mesh *meshes, size_t mesh_count, bool text) {
  char error[256];
  const mesh_write_options options = {.text = text};
  if (!mesh_file_write(path, meshes, mesh_count, &options, error, sizeof error)) fail_msg("%s", error);
}

static mesh *read_well(const char *path, bool separate, size_t mesh_count) {
  char error[256];
  mesh *meshes;
  size_t count;
  const mesh_read_options options = {.separate = separate, .allow_empty = true};
  if (!mesh_file_read(path, &options, &meshes, &count, error, sizeof error)) fail_msg("%s", error);
  assert_int_equal(count, mesh_count);
  return meshes;
}

TEST(every_format_returns_all_bits) {
  for (size_t i = 0; i < sizeof trips / sizeof *trips; i++) {
    for (int polygons = 0; polygons < 2; polygons++) {
      OWNED(mesh) m = make_mesh(i + 1, trips[i].narrow, polygons && trips[i].polygons);
      write_well(trips[i].path, &m, 1, trips[i].text);
      mesh *again = read_well(trips[i].path, false, 1);
      assert_string_equal(again->name, trips[i].path);
      check_same(&m, again, trips[i].polygons);
      mesh_list_free(again, 1);
    }
  }
}

/* OBJ and ascii STL keep several meshes apart, with their names; a line end in a name becomes a blank. */
TEST(names_are_kept) {
  static const char *const paths[] = {"two.obj", "two.stl"};
  for (size_t i = 0; i < 2; i++) {
    mesh two[2] = {make_mesh(5, false, false), make_mesh(6, false, false)};
    memcpy(two[1].name, "another\nname", sizeof "another\nname");
    write_well(paths[i], two, 2, true);
    mesh *again = read_well(paths[i], true, 2);
    assert_string_equal(again[0].name, "a name, of sorts");
    assert_string_equal(again[1].name, "another name");
    check_same(&two[0], &again[0], true);
    check_same(&two[1], &again[1], true);
    mesh_list_free(again, 2);
    mesh_free(&two[0]);
    mesh_free(&two[1]);
  }
}

/* The others join them: the second mesh's indices are shifted by the first one's vertices. */
TEST(meshes_are_joined) {
  static const char *const paths[] = {"two.obj", "two.ply", "two.off"};
  for (size_t i = 0; i < 3; i++) {
    const mesh two[2] = {make_mesh(5, false, true), make_mesh(6, false, false)};
    write_well(paths[i], two, 2, false);
    mesh *again = read_well(paths[i], false, 1);
    assert_int_equal(again->vertex_count, 2 * VERTICES);
    assert_int_equal(again->polygon_count, 2 * POLYGONS);
    assert_memory_equal(again->positions + 3 * VERTICES, two[1].positions, 3 * VERTICES * sizeof(double));
    for (size_t j = 0; j < 3 * two[1].triangle_count; j++) {
      assert_int_equal(again->triangles[3 * two[0].triangle_count + j], two[1].triangles[j] + VERTICES);
    }
    mesh_list_free(again, 1);
    mesh_free((mesh *)&two[0]);
    mesh_free((mesh *)&two[1]);
  }
}

/* A polygon of more corners than a byte counts. */
TEST(large_polygons_return) {
  enum { CORNERS = 300 };
  uint32_t first[] = {0, CORNERS};
  uint32_t corners[CORNERS], triangles[3 * (CORNERS - 2)];
  double positions[3 * CORNERS];
  for (uint32_t i = 0; i < CORNERS; i++) {
    corners[i] = i;
    for (int axis = 0; axis < 3; axis++) positions[3 * i + axis] = cos(i + axis);
  }
  for (uint32_t i = 0; i < CORNERS - 2; i++) {
    triangles[3 * i] = 0;
    triangles[3 * i + 1] = i + 1;
    triangles[3 * i + 2] = i + 2;
  }
  uint32_t polygon[CORNERS - 2] = {0};
  const mesh m = {.positions = positions,
                  .vertex_count = CORNERS,
                  .polygon_first = first,
                  .corners = corners,
                  .polygon_count = 1,
                  .triangles = triangles,
                  .triangle_polygon = polygon,
                  .triangle_count = CORNERS - 2};
  for (int text = 0; text < 2; text++) {
    write_well("large.ply", &m, 1, text);
    mesh *again = read_well("large.ply", false, 1);
    check_same(&m, again, true);
    mesh_list_free(again, 1);
  }
}

TEST(empty_meshes_return) {
  static const char *const paths[] = {"none.ply", "none.stl", "none.off"};
  const mesh none = {0};
  for (size_t i = 0; i < 3; i++) {
    for (int text = 0; text < 2; text++) {
      write_well(paths[i], &none, 1, text);
      mesh *again = read_well(paths[i], false, 1);
      assert_int_equal(again->vertex_count, 0);
      assert_int_equal(again->triangle_count, 0);
      mesh_list_free(again, 1);
    }
  }
}

/* gzip files may consist of several members, and tapes fill them up with zeros. */
TEST(members_are_joined) {
  const mesh m = make_mesh(3, false, false);
  write_well("a.obj.gz", &m, 1, false);
  OWNED_MEMORY char *bytes = malloc(1 << 20);
  FILE *file = fopen("a.obj.gz", "rb");
  const size_t size = fread(bytes, 1, 1 << 19, file);
  fclose(file);
  memcpy(bytes + size, bytes, size);
  memset(bytes + 2 * size, 0, 100);
  write_bytes("b.obj.gz", bytes, 2 * size + 100);
  mesh *again = read_well("b.obj.gz", false, 1);
  assert_int_equal(again->vertex_count, 2 * VERTICES);
  assert_int_equal(again->triangle_count, 2 * POLYGONS);
  assert_memory_equal(again->positions + 3 * VERTICES, m.positions, 3 * VERTICES * sizeof(double));
  mesh_list_free(again, 1);
  mesh_free((mesh *)&m);
}

TEST_GROUP(enter_scratch_folder, leave_scratch_folder)
