/* Tests sphere files: unusual but valid tables, .sph files and PLY files, and files that are read back bit by bit. */
#include "reading_tools.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(text) (text), sizeof(text) - 1
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Two spheres, the same in all the texts below. */
static const double two_centers[] = {1, -2, 0.5, 0, 3e10, 7};
static const double two_radii[] = {0.25, 0};

static void check_two(const reading_result *result, const char *note) {
  if (!result->done) fail_msg("%s", result->error);
  assert_int_equal(result->mesh_count, 1);
  const mesh *m = &result->meshes[0];
  assert_int_equal(m->kind, MESH_SPHERES);
  assert_int_equal(m->vertex_count, 2);
  assert_memory_equal(m->positions, two_centers, sizeof two_centers);
  assert_memory_equal(m->radii, two_radii, sizeof two_radii);
  assert_int_equal(m->polygon_count, 0);
  assert_int_equal(m->note != NULL, note != NULL);
  if (note) assert_string_equal(m->note, note);
}

typedef struct sphere_text {
  mesh_reader *reader;
  const char *bytes;
  size_t size;
  const char *note;
} sphere_text;

static const sphere_text tables[] = {
    {mesh_read_csv, TEXT("x,y,z,radius\n1,-2,0.5,0.25\n0,3e10,7,0\n"), NULL},
    {mesh_read_csv, TEXT("x,y,z,r\r\n1,-2,.5,.25\r\n0,3e10,7,0"), NULL},
    {mesh_read_csv, TEXT("x,y,z,r\r1,-2,.5,.25\r0,3e10,7,0\r"), NULL},
    {mesh_read_csv, TEXT("Radius;Z;Y;X\n0.25;0.5;-2;1\n\n  \t\n# 1;2;3;4\n0;7;3e10;0\n\n"), NULL},
    {mesh_read_csv, TEXT("  x \t y\tz\t r\n1\t-2\t0.5\t0.25\n 0 \t3e10\t7\t0\n"), NULL},
    {mesh_read_csv, TEXT("# x,y,z,r\n1,-2,0.5,0.25\n0,3e10,7,0\n"), NULL},
    {mesh_read_csv, TEXT("# made by hand\n\n\"x\",\"y\",\"z\",\"radius\"\n\"1\",-2,0.5,\"0.25\"\n0,3e10,7,0\n"), NULL},
    {mesh_read_csv, TEXT("\xEF\xBB\xBFx,y,z,radius\n1,-2,0.5,0.25\n0,3e10,7,0\n"), NULL},
    {mesh_read_csv, TEXT("x,id,y,z,radius\n1,a,-2,0.5,0.25\n0,,3e10,7,0\n"), "1 column was skipped: \"id\""},
    {mesh_read_csv, TEXT("body part,x,y,z,radius,\n\"a, b\",1,-2,0.5,0.25,x\nc,0,3e10,7,0,\n"),
     "2 columns were skipped, the first: \"body part\""},
};

static const sphere_text sph_texts[] = {
    {mesh_read_sph, TEXT("sph 1.0\nnums 2\nsphe 1 1 -2 0.5 0.25\nsphe 2 0 3e10 7 0\n"), NULL},
    {mesh_read_sph, TEXT("# by hand\nsph 1.0\n#nums 9\nsphe 5 1 -2 .5 .25 # end\r\n#sphe 1 1 1 1 1\nsphe 5 0 3e10 7 0"),
     NULL},
    {mesh_read_sph, TEXT("sph 1.0\nnums 3\nsphe 1 1 -2 0.5 0.25 255 0 0\nsphe 2 0 3e10 7 0\n"),
     "\"nums\" states 3, but there are 2 spheres"},
    {mesh_read_sph,
     TEXT("# rmin rmax\n 0.00 0.25\n\n# number of levels\n1\n\n# number of spheres in level 1\n2\n\n"
          "# x y z r of spheres in level 1\n1.00 -2.00 0.50 0.25\r\n 0 3e10 7 0\n\n\r\n"),
     NULL},
    {mesh_read_sph, TEXT("0 1\n2\n1\n9 9 9 9\n2\n1 -2 0.5 0.25\n0 3e10 7 0\n2 0 1\n"),
     "used level 2, the last; skipped 1 sphere of coarser levels"},
};

static const sphere_text ply_texts[] = {
    {mesh_read_ply,
     TEXT("ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n"
          "property float radius\nend_header\n1 -2 0.5 0.25\n0 3e10 7 0\n"),
     NULL},
    /* Another name, other properties around it, an element of faces without any. */
    {mesh_read_ply,
     TEXT("ply\nformat ascii 1.0\nelement vertex 2\nproperty uchar r\nproperty float scalar_radius\nproperty float x\n"
          "property float y\nproperty float z\nelement face 0\nproperty list uchar int vertex_indices\nend_header\n"
          "255 0.25 1 -2 0.5\n0 0 0 3e10 7\n"),
     NULL},
    {mesh_read_ply,
     TEXT("ply\nformat ascii 1.0\nelement vertex 2\nproperty double r\nproperty float x\nproperty float y\n"
          "property float z\nproperty uchar red\nend_header\n.25 1 -2 .5 9 0 0 3e10 7 9"),
     NULL},
};

static void check_texts(const sphere_text *texts, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (int separate = 0; separate < 2; separate++) {
      OWNED_BY(free_result)
      reading_result result = read_bytes(texts[i].reader, texts[i].bytes, texts[i].size, separate);
      check_two(&result, texts[i].note);
    }
  }
}

TEST(text_forms) {
  check_texts(tables, COUNT(tables));
  check_texts(sph_texts, COUNT(sph_texts));
  check_texts(ply_texts, COUNT(ply_texts));
}

/* Both byte orders, in which a double, a float and a whole number are other bytes. */
TEST(binary_ply) {
  static const char little[] =
      "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty double y\nproperty short z\n"
      "property uchar radius\nend_header\n\0\0\x80\x3F\0\0\0\0\0\0\0\xC0\5\0\7";
  static const char big[] =
      "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty float x\nproperty double y\nproperty short z\n"
      "property uchar radius\nend_header\n\x3F\x80\0\0\xC0\0\0\0\0\0\0\0\0\5\7";
  static const double center[] = {1, -2, 5};
  for (int i = 0; i < 2; i++) {
    OWNED_BY(free_result)
    reading_result result =
        i == 0 ? read_bytes(mesh_read_ply, TEXT(little), false) : read_bytes(mesh_read_ply, TEXT(big), false);
    if (!result.done) fail_msg("%s", result.error);
    assert_int_equal(result.meshes[0].kind, MESH_SPHERES);
    assert_int_equal(result.meshes[0].vertex_count, 1);
    assert_memory_equal(result.meshes[0].positions, center, sizeof center);
    assert_true(result.meshes[0].radii[0] == 7);
  }
}

/* With faces a radius is a property like others, whatever its values. */
TEST(ply_with_faces_is_a_surface) {
  OWNED_BY(free_result)
  reading_result result =
      read_bytes(mesh_read_ply,
                 TEXT("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                      "property float radius\nproperty float r\nelement face 1\n"
                      "property list uchar int vertex_indices\nend_header\n"
                      "0 0 0 -1 nan\n1 0 0 1 1\n0 1 0 1 1\n3 0 1 2\n"),
                 false);
  if (!result.done) fail_msg("%s", result.error);
  assert_int_equal(result.meshes[0].kind, MESH_POLYGONS);
  assert_int_equal(result.meshes[0].triangle_count, 1);
  assert_null(result.meshes[0].radii);
}

TEST(no_spheres_are_spheres) {
  static const sphere_text texts[] = {
      {mesh_read_csv, TEXT("x,y,z,radius\n"), NULL},
      {mesh_read_sph, TEXT("sph 1.0\n"), NULL},
      {mesh_read_sph, TEXT("0 0\n1\n0\n"), NULL},
      {mesh_read_ply,
       TEXT("ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\n"
            "property float radius\nend_header\n"),
       NULL},
  };
  for (size_t i = 0; i < COUNT(texts); i++) {
    OWNED_BY(free_result) reading_result result = read_bytes(texts[i].reader, texts[i].bytes, texts[i].size, false);
    if (!result.done) fail_msg("%s", result.error);
    assert_int_equal(result.meshes[0].kind, MESH_SPHERES);
    assert_int_equal(result.meshes[0].vertex_count, 0);
    assert_null(result.meshes[0].radii);
  }
}

/* ---------------------------------------------------------------------------------------------------- files */

static mesh *read_file(const char *path) {
  char error[256];
  mesh *meshes;
  size_t count;
  const mesh_read_options reading = {.allow_empty = true};
  if (!mesh_file_read(path, &reading, &meshes, &count, error, sizeof error)) fail_msg("%s", error);
  assert_int_equal(count, 1);
  return meshes;
}

/* Recognised by name, and with other names by content. */
TEST(formats_are_recognized) {
  static const char *const names[] = {"a.csv", "a.CSV", "a", "b.txt"};
  static const char table[] = "x,y,z,radius\n1,-2,0.5,0.25\n0,3e10,7,0\n";
  static const char sofa[] = "sph 1.0\nsphe 1 1 -2 0.5 0.25\nsphe 2 0 3e10 7 0\n";
  static const char cellpack[] = "# rmin rmax\n0 1\n1\n2\n1 -2 0.5 0.25\n0 3e10 7 0\n";
  const char *const texts[] = {table, sofa, cellpack};
  for (size_t i = 0; i < COUNT(texts); i++) {
    for (size_t j = 0; j < COUNT(names); j++) {
      const bool is_named = j < 2;
      const char *name = is_named && i > 0 ? "a.sph" : names[j];
      write_bytes(name, texts[i], strlen(texts[i]));
      mesh *m = read_file(name);
      check_two(&(reading_result){.done = true, .meshes = m, .mesh_count = 1}, NULL);
      assert_int_equal(mesh_file_is_sphere_table(name), i == 0);
      mesh_list_free(m, 1);
    }
  }
  write_bytes("other.csv", TEXT("file,pairs\na,1\n"));
  assert_false(mesh_file_is_sphere_table("other.csv"));
  assert_false(mesh_file_is_sphere_table("missing.csv"));
}

enum { SPHERES = 700 };

/* Random finite doubles of all sizes; radii without their sign. */
static mesh make_spheres(uint64_t seed) {
  mesh m = {.kind = MESH_SPHERES, .vertex_count = SPHERES};
  m.positions = malloc(3 * SPHERES * sizeof *m.positions);
  m.radii = malloc(SPHERES * sizeof *m.radii);
  for (size_t i = 0; i < 4 * SPHERES; i++) {
    double value;
    do {
      const uint64_t bits = next_random(&seed);
      memcpy(&value, &bits, sizeof bits);
      if (i % 2) value = ldexp((double)(int64_t)bits, -63);
    } while (!isfinite(value));
    if (i < 3 * SPHERES) {
      m.positions[i] = value;
    } else {
      m.radii[i - 3 * SPHERES] = fabs(value);
    }
  }
  return m;
}

static void write_well(const char *path, const mesh *meshes, size_t mesh_count, bool text) {
  char error[256];
  const mesh_write_options options = {.text = text};
  if (!mesh_file_write(path, meshes, mesh_count, &options, error, sizeof error)) fail_msg("%s", error);
}

/* Two meshes, which files of spheres join. */
TEST(written_spheres_return) {
  static const char *const paths[] = {"s.csv", "s.csv.gz", "s.ply", "s.ply.gz"};
  mesh two[2] = {make_spheres(1), make_spheres(2)};
  for (size_t i = 0; i < COUNT(paths); i++) {
    for (int text = 0; text < 2; text++) {
      write_well(paths[i], two, 2, text);
      mesh *again = read_file(paths[i]);
      assert_int_equal(again->kind, MESH_SPHERES);
      assert_int_equal(again->vertex_count, 2 * SPHERES);
      for (size_t j = 0; j < 2; j++) {
        assert_memory_equal(again->positions + 3 * j * SPHERES, two[j].positions, 3 * SPHERES * sizeof(double));
        assert_memory_equal(again->radii + j * SPHERES, two[j].radii, SPHERES * sizeof(double));
      }
      assert_null(again->note);
      mesh_list_free(again, 1);
    }
  }
  mesh_free(&two[0]);
  mesh_free(&two[1]);
}

static void check_text(const char *path, const char *text) {
  char bytes[512] = "";
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
  fclose(file);
  assert_string_equal(bytes, text);
}

/* To the letter, as other programs read these files; none is a file of spheres, too. */
TEST(what_is_written) {
  double centers[] = {1, -2, 0.5}, radii[] = {0.25};
  const mesh one = {.kind = MESH_SPHERES, .positions = centers, .radii = radii, .vertex_count = 1};
  const mesh none = {.kind = MESH_SPHERES};
  write_well("one.csv", &one, 1, false);
  check_text("one.csv", "x,y,z,radius\n1,-2,0.5,0.25\n");
  write_well("one.ply", &one, 1, true);
  check_text("one.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nproperty double y\n"
                        "property double z\nproperty double radius\nend_header\n1 -2 0.5 0.25\n");
  write_well("none.csv", &none, 1, false);
  check_text("none.csv", "x,y,z,radius\n");
  write_well("none.ply", &none, 1, false);
  mesh *again = read_file("none.ply");
  assert_int_equal(again->kind, MESH_SPHERES);
  mesh_list_free(again, 1);
}

static void check_refused(const char *path, const mesh *meshes, size_t mesh_count, const char *message) {
  char error[256];
  assert_false(mesh_file_write(path, meshes, mesh_count, NULL, error, sizeof error));
  assert_string_equal(error, message);
}

TEST(writers_refuse) {
  double centers[] = {1, -2, 0.5, 0, 0, 0}, radii[] = {0.25, -1};
  uint32_t triangle[] = {0, 1, 0};
  const mesh spheres = {.kind = MESH_SPHERES, .positions = centers, .radii = radii, .vertex_count = 2};
  const mesh surface = {
      .positions = centers, .vertex_count = 2, .triangles = triangle, .triangle_count = 1, .polygon_count = 1};
  check_refused("s.obj", &spheres, 1,
                "s.obj: mesh 0 has spheres, which .ply and .csv files can store, but this format cannot");
  check_refused("s.csv", &surface, 1,
                "s.csv: mesh 0 has polygons, which .obj, .ply, .stl, .off, .msh and .vtk files can store, but this "
                "format cannot");
  check_refused("s.csv", &spheres, 1,
                "s.csv: mesh 0, sphere 1 has the radius -1, which is not a finite number of at least 0");
  radii[1] = NAN;
  check_refused("s.ply", &spheres, 1,
                "s.ply: mesh 0, sphere 1 has the radius nan, which is not a finite number of at least 0");
  radii[1] = 0;
  check_refused("s.ply", (const mesh[]){surface, spheres}, 2,
                "s.ply: mesh 1 has spheres, but mesh 0 has polygons: a file holds one kind");
  centers[5] = INFINITY;
  check_refused("s.ply", &spheres, 1, "s.ply: mesh 0, vertex 1 has the z coordinate inf, which is not a finite number");
  check_refused("s.sph", &spheres, 1,
                "s.sph: unknown extension; supported: .obj, .ply, .stl, .off, .msh, .vtk and .csv, each also with .gz");
}

TEST_GROUP(enter_scratch_folder, leave_scratch_folder)
