/* Tests that written Gmsh and VTK files are read back: positions bit by bit, elements in order, of every kind of mesh,
 * as text and binary, plain and compressed. */
#include "reading_tools.h"
#include "testing.h"

#include "mesh_io/element_shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { VERTICES = 300, ELEMENTS = 400 };

static void make_positions(mesh *m, uint64_t *seed) {
  m->vertex_count = VERTICES;
  m->positions = malloc(3 * VERTICES * sizeof *m->positions);
  for (size_t i = 0; i < 3 * VERTICES; i++) {
    do {
      const uint64_t bits = next_random(seed);
      memcpy(&m->positions[i], &bits, sizeof bits);
    } while (!isfinite(m->positions[i]));
  }
}

static uint32_t random_vertex(uint64_t *seed) {
  return (uint32_t)(next_random(seed) % VERTICES);
}

static mesh make_tetrahedra(uint64_t seed) {
  mesh m = {.name = strdup("a name"), .kind = MESH_TETRAHEDRA};
  make_positions(&m, &seed);
  m.tetrahedron_count = ELEMENTS;
  m.tetrahedra = malloc(4 * ELEMENTS * sizeof *m.tetrahedra);
  for (size_t i = 0; i < 4 * ELEMENTS; i++) m.tetrahedra[i] = random_vertex(&seed);
  return m;
}

/* Polygons of 3 to `most_corners` corners. */
static mesh make_polygons(uint64_t seed, uint32_t most_corners) {
  mesh m = {.name = strdup("a name"), .kind = MESH_POLYGONS};
  make_positions(&m, &seed);
  m.polygon_count = ELEMENTS;
  m.corners = malloc(most_corners * ELEMENTS * sizeof *m.corners);
  m.polygon_first = calloc(ELEMENTS + 1, sizeof *m.polygon_first);
  m.triangles = malloc(3 * most_corners * ELEMENTS * sizeof *m.triangles);
  m.triangle_polygon = malloc(most_corners * ELEMENTS * sizeof *m.triangle_polygon);
  for (uint32_t i = 0; i < ELEMENTS; i++) {
    const uint32_t count = 3 + (uint32_t)(next_random(&seed) % (most_corners - 2));
    uint32_t *corners = m.corners + m.polygon_first[i];
    for (uint32_t j = 0; j < count; j++) corners[j] = random_vertex(&seed);
    for (uint32_t j = 2; j < count; j++) {
      const uint32_t triangle[] = {corners[0], corners[j - 1], corners[j]};
      m.triangle_polygon[m.triangle_count] = i;
      memcpy(m.triangles + 3 * m.triangle_count++, triangle, sizeof triangle);
    }
    m.polygon_first[i + 1] = m.polygon_first[i] + count;
  }
  return m;
}

static void add_face(mesh *m, const uint32_t *corners, uint32_t count) {
  memcpy(m->face_corners + m->face_first[m->face_count], corners, count * sizeof *corners);
  m->face_first[m->face_count + 1] = m->face_first[m->face_count] + count;
  m->face_count++;
}

/* Cells of the four shapes, of random corners that may repeat; or cells of random faces between them. */
static mesh make_polyhedra(uint64_t seed, bool any_faces) {
  enum { FACES_MAX = 7, CORNERS_MAX = 6 };
  mesh m = {.name = strdup("a name"), .kind = MESH_POLYHEDRA, .cell_count = ELEMENTS};
  make_positions(&m, &seed);
  m.cell_first = calloc(ELEMENTS + 1, sizeof *m.cell_first);
  m.face_first = calloc(ELEMENTS * FACES_MAX + 1, sizeof *m.face_first);
  m.face_corners = malloc(ELEMENTS * FACES_MAX * CORNERS_MAX * sizeof *m.face_corners);
  for (size_t i = 0; i < ELEMENTS; i++) {
    uint32_t corners[8];
    for (size_t j = 0; j < 8; j++) corners[j] = random_vertex(&seed);
    if (any_faces && next_random(&seed) % 2) {
      for (uint64_t faces = 1 + next_random(&seed) % FACES_MAX; faces > 0; faces--) {
        add_face(&m, corners + next_random(&seed) % 3, 3 + (uint32_t)(next_random(&seed) % 3));
      }
    } else {
      const element_shape shape = (element_shape)(ELEMENT_TETRAHEDRON + next_random(&seed) % 4);
      const element_shape_facts *facts = element_shape_about(shape);
      for (size_t j = 0; j < facts->face_count; j++) {
        uint32_t face[4];
        for (size_t k = 0; k < facts->faces[j][0]; k++) face[k] = corners[facts->faces[j][1 + k]];
        add_face(&m, face, facts->faces[j][0]);
      }
    }
    m.cell_first[i + 1] = (uint32_t)m.face_count;
  }
  return m;
}

/* ---------------------------------------------------------------------------------------------------- comparing */

/* Numbers of `b` from `first` on, less `base`, are those of `a`. */
static void check_numbers(const uint32_t *a, const uint32_t *b, size_t count, uint32_t base) {
  for (size_t i = 0; i < count; i++) assert_int_equal(a[i] + base, b[i]);
}

/* Mesh `a` stands in `whole` after `before`, which is the mesh written first, or an empty one. */
static void check_part(const mesh *a, const mesh *whole, const mesh *before) {
  const uint32_t base = (uint32_t)before->vertex_count;
  assert_int_equal(a->kind, whole->kind);
  assert_memory_equal(a->positions, whole->positions + 3 * base, 3 * a->vertex_count * sizeof(double));
  switch (a->kind) {
  case MESH_TETRAHEDRA:
    check_numbers(a->tetrahedra, whole->tetrahedra + 4 * before->tetrahedron_count, 4 * a->tetrahedron_count, base);
    break;
  case MESH_POLYGONS: {
    const uint32_t first = before->polygon_first ? before->polygon_first[before->polygon_count] : 0;
    assert_true(whole->triangle_count >= before->triangle_count + a->triangle_count); /* filled in by the reader */
    check_numbers(a->polygon_first, whole->polygon_first + before->polygon_count, a->polygon_count + 1, first);
    check_numbers(a->corners, whole->corners + first, a->polygon_first[a->polygon_count], base);
    break;
  }
  case MESH_POLYHEDRA: {
    const uint32_t faces = (uint32_t)before->face_count;
    const uint32_t corners = before->face_first ? before->face_first[faces] : 0;
    check_numbers(a->cell_first, whole->cell_first + before->cell_count, a->cell_count + 1, faces);
    check_numbers(a->face_first, whole->face_first + faces, a->face_count + 1, corners);
    check_numbers(a->face_corners, whole->face_corners + corners, a->face_first[a->face_count], base);
    break;
  }
  case MESH_SPHERES:
    fail_msg("files of volumes hold no spheres");
    break;
  }
}

static mesh *write_and_read(const char *path, const mesh *meshes, size_t mesh_count, bool text) {
  char error[256];
  mesh *again;
  size_t count;
  const mesh_write_options options = {.text = text};
  if (!mesh_file_write(path, meshes, mesh_count, &options, error, sizeof error)) fail_msg("%s", error);
  const mesh_read_options reading = {.allow_empty = true};
  if (!mesh_file_read(path, &reading, &again, &count, error, sizeof error)) fail_msg("%s", error);
  assert_int_equal(count, 1);
  assert_null(again->note);
  return again;
}

static void check_trips(const mesh *m, const char *const *paths, size_t path_count) {
  const mesh none = {0};
  for (size_t i = 0; i < path_count; i++) {
    for (int text = 0; text < 2; text++) {
      mesh *again = write_and_read(paths[i], m, 1, text);
      assert_string_equal(again->name, paths[i]);
      assert_int_equal(again->vertex_count, m->vertex_count);
      assert_int_equal(again->tetrahedron_count, m->tetrahedron_count);
      assert_int_equal(again->cell_count, m->cell_count);
      assert_int_equal(again->face_count, m->face_count);
      assert_int_equal(again->polygon_count, m->polygon_count);
      assert_int_equal(again->triangle_count, m->triangle_count);
      check_part(m, again, &none);
      mesh_list_free(again, 1);
    }
  }
}

static const char *const all_paths[] = {"a.msh", "a.vtk", "a.msh.gz", "a.VTK.GZ"};
static const char *const vtk_paths[] = {"a.vtk", "a.vtk.gz"};

TEST(every_kind_returns_all_bits) {
  mesh meshes[] = {make_tetrahedra(1), make_polygons(2, 4), make_polyhedra(3, false)};
  for (size_t i = 0; i < COUNT(meshes); i++) {
    check_trips(&meshes[i], all_paths, COUNT(all_paths));
    mesh_free(&meshes[i]);
  }
}

/* Meshes that only VTK supports. */
TEST(any_polygons_and_polyhedra_return) {
  mesh meshes[] = {make_polygons(4, 8), make_polyhedra(5, true)};
  for (size_t i = 0; i < COUNT(meshes); i++) {
    check_trips(&meshes[i], vtk_paths, COUNT(vtk_paths));
    mesh_free(&meshes[i]);
  }
}

TEST(meshes_are_joined) {
  mesh pairs[][2] = {{make_tetrahedra(1), make_tetrahedra(2)},
                     {make_polygons(3, 4), make_polygons(4, 4)},
                     {make_polyhedra(5, false), make_polyhedra(6, false)}};
  const mesh none = {0};
  for (size_t i = 0; i < COUNT(pairs); i++) {
    for (size_t j = 0; j < 2; j++) {
      for (int text = 0; text < 2; text++) {
        mesh *again = write_and_read(all_paths[j], pairs[i], 2, text);
        assert_int_equal(again->vertex_count, 2 * VERTICES);
        assert_int_equal(again->tetrahedron_count + again->cell_count + again->polygon_count, 2 * ELEMENTS);
        check_part(&pairs[i][0], again, &none);
        check_part(&pairs[i][1], again, &pairs[i][0]);
        mesh_list_free(again, 1);
      }
    }
    mesh_free(&pairs[i][0]);
    mesh_free(&pairs[i][1]);
  }
}

TEST(empty_meshes_return) {
  for (int kind = MESH_POLYGONS; kind <= MESH_POLYHEDRA; kind++) {
    const mesh none = {.kind = (mesh_kind)kind};
    for (size_t i = 0; i < 2; i++) {
      for (int text = 0; text < 2; text++) {
        for (size_t count = 0; count < 2; count++) {
          mesh *again = write_and_read(all_paths[i], &none, count, text);
          assert_int_equal(again->vertex_count, 0);
          assert_int_equal(again->kind, MESH_POLYGONS);
          mesh_list_free(again, 1);
        }
      }
    }
  }
}

/* ---------------------------------------------------------------------------------------------------- refusals */

static void check_refusal(const char *path, const mesh *meshes, size_t mesh_count, const char *message) {
  char error[256];
  assert_false(mesh_file_write(path, meshes, mesh_count, NULL, error, sizeof error));
  assert_string_equal(error, message);
  FILE *file = fopen(path, "rb");
  assert_null(file); /* refused before it was opened */
}

TEST(writers_refuse) {
  double positions[] = {0, 0, 0};
  uint32_t numbers[] = {0, 0, 0, 1};
  uint32_t cell_first[] = {0, 1};
  uint32_t face_first[] = {0, 3};
  uint32_t polygon_first[] = {0, 5};
  uint32_t corners[] = {0, 0, 0, 0, 0};
  const mesh polygons = {.positions = positions, .vertex_count = 1};
  mesh tetrahedra = {.kind = MESH_TETRAHEDRA,
                     .positions = positions,
                     .vertex_count = 1,
                     .tetrahedra = numbers,
                     .tetrahedron_count = 1};
  mesh polyhedra = {.kind = MESH_POLYHEDRA,
                    .positions = positions,
                    .vertex_count = 1,
                    .cell_first = cell_first,
                    .face_first = face_first,
                    .face_corners = numbers,
                    .cell_count = 1,
                    .face_count = 1};
  const mesh pentagon = {.positions = positions,
                         .vertex_count = 1,
                         .polygon_first = polygon_first,
                         .corners = corners,
                         .polygon_count = 1};
  check_refusal("r.vtk", &tetrahedra, 1, "r.vtk: mesh 0 refers to vertex 1, but has 1 vertices");
  numbers[3] = 0;
  static const char *const endings[] = {"obj", "ply", "stl", "off"};
  for (size_t i = 0; i < COUNT(endings); i++) {
    char path[16], message[128];
    snprintf(path, sizeof path, "r.%s", endings[i]);
    snprintf(message, sizeof message,
             "r.%s: mesh 0 has tetrahedra, which .msh and .vtk files can store, but this format cannot", endings[i]);
    check_refusal(path, &tetrahedra, 1, message);
  }
  check_refusal("r.ply", &polyhedra, 1,
                "r.ply: mesh 0 has polyhedra, which .msh and .vtk files can store, but this format cannot");
  check_refusal(
      "r.msh", &polyhedra, 1,
      "r.msh: mesh 0, cell 0 is not a tetrahedron, hexahedron, prism or pyramid; .vtk files hold any polyhedron");
  check_refusal("r.msh", &pentagon, 1,
                "r.msh: mesh 0, polygon 0 has 5 corners; .msh files hold polygons of 3 or 4 corners");
  const mesh mixed[] = {polygons, tetrahedra};
  check_refusal("r.vtk", mixed, 2, "r.vtk: mesh 1 has tetrahedra, but mesh 0 has polygons: a file holds one kind");
  face_first[1] = 2;
  check_refusal("r.vtk", &polyhedra, 1, "r.vtk: mesh 0, cell 0 has a face of 2 corners, fewer than 3");
  cell_first[1] = 0;
  check_refusal("r.vtk", &polyhedra, 1, "r.vtk: mesh 0, cell 0 has no faces");
  check_refusal(
      "r.mesh", &tetrahedra, 1,
      "r.mesh: unknown extension; supported: .obj, .ply, .stl, .off, .msh, .vtk and .csv, each also with .gz");
}

TEST_GROUP(enter_scratch_folder, leave_scratch_folder)
