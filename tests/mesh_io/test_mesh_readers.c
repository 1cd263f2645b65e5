/* Tests unusual but valid files, written by hand: the result of each reader, number by number. */
#include "mesh_set.h"
#include "reading_tools.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT(text) (text), sizeof(text) - 1
#define COUNT(array) (sizeof(array) / sizeof *(array))

static reading_result read_well(mesh_reader *reader, const char *bytes, size_t size, bool separate, size_t mesh_count) {
  reading_result result = read_bytes(reader, bytes, size, separate);
  if (!result.done) fail_msg("%s", result.error);
  assert_int_equal(result.mesh_count, mesh_count);
  assert_string_equal(result.error, "");
  return result;
}

static void check_positions(const mesh *m, const double *positions, size_t vertex_count) {
  assert_int_equal(m->vertex_count, vertex_count);
  assert_memory_equal(m->positions, positions, 3 * vertex_count * sizeof *positions);
}

static void check_triangles(const mesh *m, const uint32_t *triangles, size_t triangle_count) {
  assert_int_equal(m->triangle_count, triangle_count);
  if (triangle_count > 0) assert_memory_equal(m->triangles, triangles, 3 * triangle_count * sizeof *triangles);
}

/* A mesh of triangles alone has no polygon arrays. */
static void check_triangles_alone(const mesh *m, const uint32_t *triangles, size_t triangle_count) {
  check_triangles(m, triangles, triangle_count);
  assert_int_equal(m->polygon_count, triangle_count);
  assert_null(m->polygon_first);
  assert_null(m->corners);
  assert_null(m->triangle_polygon);
}

static const double unit_positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};

/* ---------------------------------------------------------------------------------------------------- OBJ */

TEST(obj_line_forms) {
  static const uint32_t triangles[] = {0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3, 0, 1, 2};
  /* Line ends of three kinds, tabs, blanks in front, no line end at the end, colors, a weight, texture and normal
   * indices, negative indices, a continued line, comments, words that are not known, and a vertex after the faces that
   * use it. */
  static const char *const texts[] = {
      "# a comment\nmtllib x\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\n  v\t0 1 0 # end\nvt 0 0\nvn 0 0 1\ng a\ns 1\nf 1 2 3\n"
      "f 1/1 2/1 4/1\nf 1//1 3//1 4//1\nf 2/1/1 3/1/1 4/1/1 # end\nv 0 0 1\n\nf -4 -3 \\\n -2",
      "v 0 0 0\\\n\nv +1 -0e5 0.\nv 0 1 .0\nv 0 0 1e0\nfoo f 1 2 3\nf  1\t2  3 \nf 1 2 4#\nf 1 3 4\nf 2 3 4\n#f 1 1 "
      "1\\\nf 1/ 2/ 3/\n\n",
  };
  for (size_t i = 0; i < COUNT(texts); i++) {
    for (int line_end = 0; line_end < 3; line_end++) {
      char changed[1024] = {0};
      size_t length = 0;
      for (const char *p = texts[i]; *p; p++) {
        if (*p == '\n' && line_end > 0) changed[length++] = '\r';
        if (*p != '\n' || line_end < 2) changed[length++] = *p;
      }
      OWNED_BY(free_result) reading_result result = read_well(mesh_read_obj, changed, length, false, 1);
      assert_string_equal(result.meshes[0].name, "file");
      for (size_t j = 0; j < 12; j++) assert_true(result.meshes[0].positions[j] == unit_positions[j]);
      check_triangles_alone(&result.meshes[0], triangles, 5);
    }
  }
}

TEST(obj_polygons) {
  static const uint32_t first[] = {0, 3, 7, 10, 15};
  static const uint32_t corners[] = {0, 1, 2, 0, 1, 2, 3, 2, 1, 0, 0, 1, 2, 3, 4};
  static const uint32_t triangles[] = {0, 1, 2, 0, 1, 2, 0, 2, 3, 2, 1, 0, 0, 1, 2, 2, 3, 4, 0, 2, 4};
  static const uint32_t polygons[] = {0, 1, 1, 2, 3, 3, 3};
  OWNED_BY(free_result)
  reading_result result = read_well(
      mesh_read_obj, TEXT("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 1 1\nf 1 2 3\nf 1 2 3 4\nf 3 2 1\nf 1 2 3 -2 5\n"),
      false, 1);
  const mesh *m = &result.meshes[0];
  assert_int_equal(m->polygon_count, 4);
  assert_memory_equal(m->polygon_first, first, sizeof first);
  assert_memory_equal(m->corners, corners, sizeof corners);
  assert_memory_equal(m->triangle_polygon, polygons, sizeof polygons);
  check_triangles(m, triangles, 7);
}

/* A concave polygon is covered once: here an L of three unit squares, from a corner whose fan would leave it. */
TEST(obj_concave_polygon) {
  OWNED_BY(free_result)
  reading_result result =
      read_well(mesh_read_obj, TEXT("v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nf 3 4 5 6 1 2\n"), false, 1);
  const mesh *m = &result.meshes[0];
  double area = 0.0;
  assert_int_equal(m->triangle_count, 4);
  for (size_t i = 0; i < m->triangle_count; i++) {
    const double *a = m->positions + 3 * (size_t)m->triangles[3 * i],
                 *b = m->positions + 3 * (size_t)m->triangles[3 * i + 1],
                 *c = m->positions + 3 * (size_t)m->triangles[3 * i + 2];
    const double twice = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    assert_true(twice > 0.0);
    area += 0.5 * twice;
  }
  assert_true(area == 3.0);
}

static const char grouped_obj[] =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 9 9 9\nf 1 2 3\no empty\ng  first part \nf 4 2 1\n"
    "g first part\nf 4 3 2 1\ng second\nv 5 5 5\nf 6 4 3\n";

TEST(obj_groups_separate) {
  static const uint32_t whole[] = {0, 1, 2};
  static const uint32_t first[] = {3, 1, 0, 3, 2, 1, 3, 1, 0};
  static const uint32_t second[] = {2, 1, 0};
  static const double second_positions[] = {0, 1, 0, 0, 0, 1, 5, 5, 5};
  static const uint32_t first_polygons[] = {0, 1, 1};
  OWNED_BY(free_result) reading_result result = read_well(mesh_read_obj, TEXT(grouped_obj), true, 3);
  const mesh *m = result.meshes;
  assert_string_equal(m[0].name, "file");
  assert_string_equal(m[1].name, "first part");
  assert_string_equal(m[2].name, "second");
  check_positions(&m[0], unit_positions, 3);
  check_triangles_alone(&m[0], whole, 1);
  check_positions(&m[1], unit_positions, 4);
  check_triangles(&m[1], first, 3);
  assert_int_equal(m[1].polygon_count, 2);
  assert_memory_equal(m[1].triangle_polygon, first_polygons, sizeof first_polygons);
  assert_int_equal(m[1].polygon_first[1], 3);
  assert_int_equal(m[1].polygon_first[2], 7);
  check_positions(&m[2], second_positions, 3);
  check_triangles_alone(&m[2], second, 1);
}

TEST(obj_groups_together) {
  OWNED_BY(free_result) reading_result result = read_well(mesh_read_obj, TEXT(grouped_obj), false, 1);
  assert_int_equal(result.meshes[0].vertex_count, 6);
  assert_int_equal(result.meshes[0].polygon_count, 4);
  assert_int_equal(result.meshes[0].triangle_count, 5);
}

TEST(obj_points_alone) {
  for (int separate = 0; separate < 2; separate++) {
    OWNED_BY(free_result)
    reading_result result = read_well(mesh_read_obj, TEXT("o cloud\nv 0 0 0\nv 1 0 0\n"), separate, 1);
    check_positions(&result.meshes[0], unit_positions, 2);
    check_triangles_alone(&result.meshes[0], NULL, 0);
  }
}

/* Lines of megabytes: a comment, a polygon of a million corners, a name. */
TEST(obj_long_lines) {
  const size_t length = 1 << 21;
  OWNED_MEMORY char *text = malloc(3 * length + 64);
  char *p = text + sprintf(text, "v 0 0 0\n#");
  memset(p, 'x', length);
  p += length;
  p += sprintf(p, "\ng ");
  memset(p, 'n', length);
  p += length;
  p += sprintf(p, "\nf");
  for (size_t i = 0; i < length / 2; i++) {
    *p++ = ' ';
    *p++ = '1';
  }
  OWNED_BY(free_result) reading_result result = read_well(mesh_read_obj, text, (size_t)(p - text), true, 1);
  assert_int_equal(strlen(result.meshes[0].name), length);
  assert_int_equal(result.meshes[0].polygon_count, 1);
  assert_int_equal(result.meshes[0].triangle_count, length / 2 - 2);
}

/* ---------------------------------------------------------------------------------------------------- OFF */

TEST(off_forms) {
  static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
  static const char *const texts[] = {
      "OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 2 3\n",
      "OFF 4 2\n\n# c\n0 0 0 # c\n1 0 0\n0 1 0\n\n0 0 1\n3 0 1 2 255 0 0\n3 0 2 3 0.5 0.5 0.5 1\nmore",
      "# c\nCOFF\r\n4 2 0\r\n0 0 0 255 255 255 255\r\n1 0 0 1 1 1\r\n0 1 0\r\n0 0 1\r\n3 0 1 2\r\n3 0 2 3",
      "NOFF\n4 2 0\n0 0 0  0 0 1\n1 0 0  nan 0 1\n0 1 0  0 0 1\n0 0 1  0 0 1\n3  0 1 2\n3  0 2 3\n",
      "STCNOFF\n4 2 0\n0 0 0 1 1 1\n1 0 0 1 1 1\n0 1 0\n0 0 1\n3 0 1 2 \n3 0 2 3 # c\n",
      "4 2 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 2 3\n",
  };
  for (size_t i = 0; i < COUNT(texts); i++) {
    OWNED_BY(free_result) reading_result result = read_well(mesh_read_off, texts[i], strlen(texts[i]), true, 1);
    assert_string_equal(result.meshes[0].name, "file");
    check_positions(&result.meshes[0], unit_positions, 4);
    check_triangles_alone(&result.meshes[0], triangles, 2);
  }
}

TEST(off_polygons) {
  static const uint32_t triangles[] = {3, 2, 1, 3, 1, 0};
  OWNED_BY(free_result)
  reading_result result =
      read_well(mesh_read_off, TEXT("OFF 4 1 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n4 3 2 1 0 7\n"), false, 1);
  assert_int_equal(result.meshes[0].polygon_count, 1);
  check_triangles(&result.meshes[0], triangles, 2);
}

/* ---------------------------------------------------------------------------------------------------- STL */

static void put_little_endian(char **p, uint32_t bits, int bytes) {
  for (int i = 0; i < bytes; i++) *(*p)++ = (char)(unsigned char)(bits >> 8 * i);
}

static void put_float(char **p, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  put_little_endian(p, bits, 4);
}

TEST(stl_binary_welds) {
  static const uint32_t triangles[] = {0, 1, 2, 2, 1, 3};
  static const float corners[2][9] = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 0, 1, -0.0f, 0, -0.0f, 0, 1}};
  static const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, -0.0, 0, 1};
  char bytes[184] = "solid this is no text";
  char *p = bytes + 80;
  put_little_endian(&p, 2, 4);
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 3; j++) put_float(&p, NAN);
    for (int j = 0; j < 9; j++) put_float(&p, corners[i][j]);
    put_little_endian(&p, 0xFFFF, 2);
  }
  OWNED_BY(free_result) reading_result result = read_well(mesh_read_stl, bytes, sizeof bytes, true, 1);
  check_positions(&result.meshes[0], positions, 4);
  check_triangles_alone(&result.meshes[0], triangles, 2);
}

/* Files that are longer than their count of triangles says. */
TEST(stl_longer_than_its_count) {
  static const char zeros[101] = "";
  static const struct {
    const char *header, *tail;
    int count, after_first, after_second; /* numbers of bytes after the triangles, in the middle and at the end */
    size_t inside, tail_bytes;
    size_t triangle_count; /* 0: refused */
    const char *words;     /* the note, or the end of the message */
  } rows[] = {
      {"", "tail", 2, 0, 0, 0, 4, 2, "skipped 4 bytes after the last triangle"},
      {"solid a", "x", 2, 0, 0, 0, 1, 2, "skipped 1 byte after the last triangle"},
      {"", zeros, 2, 0, 0, 0, 100, 2, "skipped 100 bytes after the last triangle"},
      {"", "tail", 2, 0xFFFF, 0x8001, 0, 4, 2, "skipped 4 bytes after the last triangle"},
      {"", "tail", 2, 5, 0, 0, 4, 2, "skipped 4 bytes after the last triangle"},
      {"", "b", 2, 1, 1, 1, 1, 2, NULL},
      {"", "ab", 2, 0, 1, 0, 2, 0, "but the file has 186 bytes; it is damaged, or not an STL file"},
      {"", "", 1, 0, 0, 0, 0, 0, "but the file has 184 bytes; it is damaged, or not an STL file"},
      {"", "", 0, 0, 0, 0, 0, 0, "but the file has 184 bytes; it is damaged, or not an STL file"},
      {"", "", 3, 0, 0, 0, 0, 0, "but the file has 184 bytes; it is truncated, or not an STL file"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char bytes[512] = "";
    char *p = bytes + 80;
    memcpy(bytes, rows[i].header, strlen(rows[i].header));
    put_little_endian(&p, (uint64_t)rows[i].count, 4);
    for (int j = 0; j < 2; j++) {
      const float corners[12] = {0, 0, 0, 0, 0, (float)j, 1, 0, (float)j, 0, 1, (float)j};
      for (int k = 0; k < 12; k++) put_float(&p, corners[k]);
      put_little_endian(&p, (uint64_t)(j == 0 ? rows[i].after_first : rows[i].after_second), 2);
      if (j == 0) p += rows[i].inside;
    }
    memcpy(p, rows[i].tail, rows[i].tail_bytes);
    p += rows[i].tail_bytes;
    OWNED_BY(free_result) reading_result result = read_bytes(mesh_read_stl, bytes, (size_t)(p - bytes), false);
    if (result.done != (rows[i].triangle_count > 0)) fail_msg("row %zu: \"%s\"", i, result.error);
    if (result.done) {
      assert_int_equal(result.meshes->triangle_count, rows[i].triangle_count);
      assert_int_equal(result.meshes->vertex_count, 6);
      if (rows[i].words) assert_string_equal(result.meshes->note, rows[i].words);
      if (!rows[i].words) assert_null(result.meshes->note);
    } else {
      assert_non_null(strstr(result.error, rows[i].words));
    }
  }
}

TEST(stl_welds_many) {
  /* A grid of 70 x 70 squares, each vertex met six times: the table grows several times. */
  enum { SIDE = 70 };
  OWNED_MEMORY char *bytes = calloc(1, 84 + 50 * 2 * SIDE * SIDE);
  char *p = bytes + 80;
  put_little_endian(&p, 2 * SIDE * SIDE, 4);
  for (int i = 0; i < 2 * SIDE * SIDE; i++) {
    static const int offsets[2][3][2] = {{{0, 0}, {1, 0}, {0, 1}}, {{1, 0}, {1, 1}, {0, 1}}};
    p += 12;
    for (int j = 0; j < 3; j++) {
      put_float(&p, (float)(i / 2 % SIDE + offsets[i % 2][j][0]));
      put_float(&p, (float)(i / 2 / SIDE + offsets[i % 2][j][1]));
      put_float(&p, 0.5f);
    }
    p += 2;
  }
  OWNED_BY(free_result) reading_result result = read_well(mesh_read_stl, bytes, (size_t)(p - bytes), false, 1);
  const mesh *m = &result.meshes[0];
  assert_int_equal(m->vertex_count, (SIDE + 1) * (SIDE + 1));
  assert_int_equal(m->triangle_count, 2 * SIDE * SIDE);
  for (size_t i = 0; i < 3 * m->triangle_count; i++) {
    const char *corner = bytes + 84 + 50 * (i / 3) + 12 + 12 * (i % 3);
    float x;
    memcpy(&x, corner, sizeof x);
    assert_true(m->positions[3 * (size_t)m->triangles[i]] == (double)x);
  }
}

static const char stl_text[] =
    "SOLID first one \r\n  FACET NORMAL nan nan nan\r\n OUTER LOOP\r\n VERTEX 0 0 0\r\n VERTEX 1 0 0\r\n"
    " VERTEX 0 1 0\r\n ENDLOOP\r\n ENDFACET\r\nENDSOLID first one\r\nsolid\nfacet normal 0 0 1\n"
    "outer loop\nvertex 0 0 0.0\nvertex 0 1 0e3\nvertex 0 0 1\nvertex 1 0 0\nendloop endfacet endsolid";

TEST(stl_text_solids) {
  static const uint32_t whole[] = {0, 1, 2, 0, 2, 3, 0, 3, 1};
  static const uint32_t second[] = {0, 2, 3, 0, 3, 1};
  reading_result result = read_well(mesh_read_stl, TEXT(stl_text), false, 1);
  check_positions(&result.meshes[0], unit_positions, 4);
  check_triangles(&result.meshes[0], whole, 3);
  assert_int_equal(result.meshes[0].polygon_count, 2);
  free_result(&result);
  result = read_well(mesh_read_stl, TEXT(stl_text), true, 2);
  assert_string_equal(result.meshes[0].name, "first one");
  assert_string_equal(result.meshes[1].name, "file");
  check_triangles_alone(&result.meshes[0], whole, 1);
  check_positions(&result.meshes[1], unit_positions, 4);
  check_triangles(&result.meshes[1], second, 2);
  free_result(&result);
}

/* ---------------------------------------------------------------------------------------------------- PLY */

TEST(ply_ascii_forms) {
  static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
  OWNED_BY(free_result)
  reading_result result = read_well(
      mesh_read_ply,
      TEXT("ply\r\nformat ascii 1.0\r\ncomment x\r\nobj_info y\r\nelement nothing 999999999999\r\nelement camera 1\r\n"
           "property list uint8 float32 values\r\nproperty char kind\r\nelement vertex 4\r\nproperty float quality\r\n"
           "property float64 z\r\nproperty double y\r\nproperty int16 x\r\nproperty list uchar float more\r\n"
           "element face 2\r\nproperty uchar red\r\nproperty list int32 uint vertex_index\r\nproperty ushort flags\r\n"
           "element edge 1\r\nproperty int a\r\nend_header\r\n3 1 nan what 7\r\nnan 0 0 0 0\r\n1 0 0 1 1 5\r\n1 0 1 0 "
           "0\r\n\r\n"
           "1 1 0 0 0\r\n255 3 0 1 2 0\r\n0 3 0 2 3 1\r\n4"),
      false, 1);
  check_positions(&result.meshes[0], unit_positions, 4);
  check_triangles_alone(&result.meshes[0], triangles, 2);
}

/* Only the lines of the header are changed: binary values may be line ends. */
TEST(ply_header_with_returns) {
  static const double positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  static const uint32_t triangles[] = {0, 1, 2};
  OWNED_BY(free_result)
  reading_result result = read_well(
      mesh_read_ply,
      TEXT(
          "ply\rformat binary_little_endian 1.0\relement vertex 3\rproperty uchar a\rproperty char x\rproperty char y\r"
          "property char z\rproperty uchar b\relement face 1\rproperty list uchar int vertex_indices\rend_header\r"
          "\n\0\0\0\r\r\1\0\0\n\n\0\1\0\r\3\0\0\0\0\1\0\0\0\2\0\0\0"),
      false, 1);
  check_positions(&result.meshes[0], positions, 3);
  check_triangles_alone(&result.meshes[0], triangles, 1);
}

typedef struct ply_bytes {
  char bytes[4096];
  size_t size;
  bool big_endian;
} ply_bytes;

static void put_value(ply_bytes *to, const char *type, double value) {
  uint64_t bits;
  size_t bytes = 4;
  if (!strcmp(type, "double")) {
    memcpy(&bits, &value, sizeof bits);
    bytes = 8;
  } else if (!strcmp(type, "float")) {
    const float narrow = (float)value;
    uint32_t narrow_bits;
    memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
    bits = narrow_bits;
  } else {
    bits = (uint64_t)(int64_t)value;
    bytes = strstr(type, "char") ? 1 : strstr(type, "short") ? 2 : 4;
  }
  for (size_t i = 0; i < bytes; i++) {
    const size_t place = to->big_endian ? bytes - 1 - i : i;
    to->bytes[to->size++] = (char)(unsigned char)(bits >> 8 * place);
  }
}

/* Every scalar type for coordinates, counts and indices, in both orders, with and without extra properties. */
TEST(ply_binary_types) {
  static const char *const types[] = {"char", "uchar", "short", "ushort", "int", "uint", "float", "double"};
  static const uint32_t triangles[] = {0, 1, 2, 3, 1, 2, 3, 2, 0};
  static const double corners[] = {0, 1, 2, 3, 1, 2, 0};
  for (int variant = 0; variant < 4 * 64; variant++) {
    const char *type = types[variant % 8];
    const char *list_type = types[variant / 8 % 8];
    const bool extra = variant / 128;
    ply_bytes file = {.big_endian = variant / 64 % 2};
    file.size = (size_t)sprintf(file.bytes,
                                "ply\nformat %s 1.0\nelement vertex 4\n%sproperty %s x\nproperty %s y\nproperty %s "
                                "z\nelement face 2\nproperty list %s %s vertex_indices\n%send_header\n",
                                file.big_endian ? "binary_big_endian" : "binary_little_endian",
                                extra ? "property list uchar double junk\n" : "", type, type, type, list_type, type,
                                extra ? "property double junk\n" : "");
    for (int i = 0; i < 12; i++) {
      if (extra && i % 3 == 0) {
        put_value(&file, "uchar", i);
        for (int j = 0; j < i; j++) put_value(&file, "double", NAN);
      }
      put_value(&file, type, 100 * unit_positions[i]);
    }
    for (int i = 0; i < 7; i++) {
      if (i == 0 || i == 3) put_value(&file, list_type, i == 0 ? 3 : 4);
      put_value(&file, type, corners[i]);
      if (extra && (i == 2 || i == 6)) put_value(&file, "double", NAN);
    }
    reading_result result = read_well(mesh_read_ply, file.bytes, file.size, false, 1);
    for (size_t i = 0; i < 12; i++) assert_true(result.meshes[0].positions[i] == 100 * unit_positions[i]);
    check_triangles(&result.meshes[0], triangles, 3);
    assert_int_equal(result.meshes[0].polygon_count, 2);
    free_result(&result);
    result = read_bytes(mesh_read_ply, file.bytes, file.size - 1, false);
    assert_false(result.done);
  }
}

/* ---------------------------------------------------------------------------------------------------- which format */

TEST_WITH(formats_are_recognized, enter_scratch_folder, leave_scratch_folder) {
  static const char obj[] = "# made by hand\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  static const struct {
    const char *path;
    const char *text;
  } files[] = {
      {"a.OBJ", obj},
      {"b", obj},
      {"b.txt", "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"},
      {"c.StL",
       "solid x\nfacet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet endsolid"},
      {"c", "solid x\nfacet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet endsolid"},
      {"d",
       "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nelement face 1\n"
       "property list uchar int vertex_indices\nend_header\n0 0 0 1 0 0 0 1 0 3 0 1 2"},
      {"e.gz", obj}};
  static const uint32_t triangle[] = {0, 1, 2};
  for (size_t i = 0; i < COUNT(files); i++) {
    write_bytes(files[i].path, files[i].text, strlen(files[i].text));
    OWNED(mesh_set) made = read_set(files[i].path, NULL);
    assert_int_equal(made.count, 1);
    assert_string_equal(made.meshes[0].name, files[i].path);
    check_positions(&made.meshes[0], unit_positions, 3);
    check_triangles_alone(&made.meshes[0], triangle, 1);
  }
}
