/* Tests the 3MF reader: all supported forms of archives, the same model as in OBJ, transforms and components, and
 * errors with their location. */
#include "mesh_io/zip_archive.h"
#include "mesh_set.h"
#include "reading_tools.h"
#include "testing.h"
#include "zip_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL "<model xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\">\n"
#define PART "3D/3dmodel.model"
static const zip_manner stored = {0};

static const char box_obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
                              "f 1 3 2\nf 1 4 3\nf 5 6 7\nf 5 7 8\nf 1 2 6\nf 1 6 5\n"
                              "f 2 3 7\nf 2 7 6\nf 3 4 8\nf 3 8 7\nf 4 1 5\nf 4 5 8\n";

static reading_result read_zip(zip_file *zip, bool is_64, bool separate) {
  zip_finish(zip, is_64);
  reading_result result = read_bytes(mesh_read_3mf, (const char *)zip->bytes, zip->size, separate);
  free(zip->bytes);
  return result;
}

static reading_result read_model(const char *text, bool separate) {
  zip_file zip = {0};
  zip_add(&zip, PART, text, strlen(text), stored);
  return read_zip(&zip, false, separate);
}

/* ------------------------------------------------------------------------------------------------ archives */

enum { ERROR_BYTES = 256 };

static mesh_reading reading_of(const zip_file *zip, char error[ERROR_BYTES]) {
  return (mesh_reading){.bytes = (char *)zip->bytes,
                        .size = zip->size,
                        .file_name = "file",
                        .memory = mesh_memory_or_default((mesh_memory){0}),
                        .error = error,
                        .error_bytes = ERROR_BYTES};
}

/* Contents of many kinds, at every level: repeated, random, of few letters. */
TEST(every_level_is_inflated) {
  enum { SIZE = 70000 };
  static char plain[SIZE];
  uint64_t random = 3;
  for (int kind = 0; kind < 4; kind++) {
    for (size_t i = 0; i < SIZE; i++) {
      const uint64_t r = next_random(&random);
      plain[i] = kind == 0 ? 'x' : kind == 1 ? (char)r : kind == 2 ? (char)('a' + r % 3) : (char)(i * i / 97);
    }
    for (int level = -1; level < 10; level++) {
      for (size_t size = kind == 0 ? 0 : SIZE; size <= SIZE; size += SIZE / 4) {
        zip_file zip = {0};
        zip_add(&zip, "A/b.c", plain, size, (zip_manner){.level = level});
        zip_finish(&zip, false);
        char error[ERROR_BYTES] = "";
        const mesh_reading reading = reading_of(&zip, error);
        zip_archive archive;
        char *bytes;
        size_t got;
        if (!zip_archive_open(&reading, &archive)) fail_msg("%s", error);
        const zip_entry *entry = zip_archive_find(&archive, "a/B.C", 5);
        assert_non_null(entry);
        assert_null(zip_archive_find(&archive, "a/B.", 4));
        if (!zip_archive_extract(&archive, entry, &bytes, &got)) fail_msg("%s", error);
        assert_int_equal(got, size);
        assert_memory_equal(bytes, plain, size);
        for (int i = 0; i < MESH_PADDING_BYTES; i++) assert_int_equal(bytes[got + (size_t)i], 0);
        free(bytes);
        zip_archive_free(&archive);
        free(zip.bytes);
      }
    }
  }
}

/* Made by another program: Python's zlib, raw deflate, level 9. */
TEST(foreign_streams_are_inflated) {
  static const unsigned char packed[] = {0x2b, 0x4a, 0x2c, 0x57, 0x48, 0x49, 0x4d, 0xcb, 0x49,
                                         0x2c, 0x49, 0x55, 0x28, 0x22, 0x91, 0x0d, 0x00};
  static const char plain[] = "raw deflate raw deflate raw deflate raw deflate raw deflate ";
  zip_file zip = {0};
  /* The encoder writes a stored entry of the packed bytes; its headers are then made to say what they are. */
  zip_add(&zip, "a", packed, sizeof packed, stored);
  zip_file right = {0};
  zip_add(&right, "a", plain, sizeof plain - 1, stored);
  memcpy(zip.directory + 16, right.directory + 16, 4); /* the checksum */
  memcpy(zip.directory + 24, right.directory + 24, 4); /* the size */
  zip.directory[10] = 8;
  free(right.bytes);
  zip_finish(&zip, false);
  char error[ERROR_BYTES] = "";
  const mesh_reading reading = reading_of(&zip, error);
  zip_archive archive;
  char *bytes;
  size_t got;
  assert_true(zip_archive_open(&reading, &archive));
  if (!zip_archive_extract(&archive, archive.entries, &bytes, &got)) fail_msg("%s", error);
  assert_int_equal(got, sizeof plain - 1);
  assert_memory_equal(bytes, plain, got);
  free(bytes);
  zip_archive_free(&archive);
  free(zip.bytes);
}

#define TRIANGLE_MESH                                                                                                  \
  "<mesh><vertices><vertex x=\"0\" y=\"0\" z=\"0\"/><vertex x=\"1\" y=\"0\" z=\"0\"/><vertex x=\"0\" y=\"1\" "         \
  "z=\"0\"/></vertices><triangles><triangle v1=\"0\" v2=\"1\" v3=\"2\"/></triangles></mesh>"
#define TRIANGLE_OBJECT "<object id=\"1\" name=\"t\">" TRIANGLE_MESH "</object>\n"
#define TRIANGLE_MODEL MODEL "<resources>" TRIANGLE_OBJECT "</resources><build><item objectid=\"1\"/></build></model>"

TEST(archives_are_refused) {
  static const char text[] = TRIANGLE_MODEL;
  static const struct {
    zip_manner manner;
    const char *second; /* the name of another entry */
    size_t at;          /* in the directory, from its end when the archive is finished: a byte to change */
    unsigned char byte;
    const char *message;
  } rows[] = {
      {{.flags = 1}, NULL, 0, 0, "file: entry \"3D/3dmodel.model\" is encrypted"},
      {{.crc_flaw = 1}, NULL, 0, 0, "is damaged: its checksum is"},
      {{0}, "3d/3DMODEL.model", 0, 0, "file: two entries have the name \"3d/3DMODEL.model\""},
      {{0}, NULL, 10, 12, "is compressed by method 12; only 0 (stored) and 8 (deflated) are supported"},
      {{0}, NULL, 27, 1, "cannot hold"},
      {{.level = 6}, NULL, 27, 1, "cannot hold"},
      {{.level = 6}, NULL, 24, 7, "is damaged at its byte"},
      {{0}, NULL, 23, 1, "but the file has"},
      {{0}, NULL, 45, 1, "but the file has"},
      {{0}, NULL, 0, 7, "file: entry 0 of the ZIP directory is damaged"},
      {{0}, NULL, 29, 255, "file: entry 0 of the ZIP directory goes beyond its end"},
      {{.is_64 = true}, NULL, 62, 7, "lacks its 64-bit sizes"},
      {{.is_64 = true}, NULL, 64, 27, "lacks its 64-bit sizes"},
      {{.is_64 = true}, NULL, 90, 1, "file: entry \"3D/3dmodel.model\" is in another file of the ZIP archive"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    zip_file zip = {0};
    zip_add(&zip, PART, text, sizeof text - 1, rows[i].manner);
    if (rows[i].second) zip_add(&zip, rows[i].second, text, sizeof text - 1, stored);
    if (rows[i].byte) zip.directory[rows[i].at] = rows[i].byte;
    reading_result result = read_zip(&zip, false, false);
    if (result.done) fail_msg("row %zu was read", i);
    if (!strstr(result.error, rows[i].message)) fail_msg("row %zu: %s", i, result.error);
  }
  static const char *const no_archives[] = {"", "PK\3\4", "no archive of the length that one has at least"};
  for (size_t i = 0; i < 3; i++) {
    reading_result result = read_bytes(mesh_read_3mf, no_archives[i], strlen(no_archives[i]), false);
    assert_false(result.done);
    assert_string_equal(result.error, "file: the end record of a ZIP archive is missing");
  }
  zip_file empty = {0};
  reading_result result = read_zip(&empty, false, false);
  assert_string_equal(result.error, "file: the part \"3D/3dmodel.model\" is not in the file");
}

/* One byte of the end records is changed, counted from the end of the file: the record, the locator, the old record. */
TEST(end_records_are_checked) {
  static const char text[] = TRIANGLE_MODEL;
  static const struct {
    size_t back;
    unsigned char byte;
    const char *message;
  } rows[] = {
      {98, 7, "file: the ZIP64 locator refers to byte"},
      {98 - 16, 1, "file: ZIP archives of several files are not supported"},
      {98 - 20, 1, "file: ZIP archives of several files are not supported"},
      {98 - 24, 7, "file: ZIP archives of several files are not supported"},
      {98 - 47, 255, "file: the ZIP directory declares 1 entries in"},
      {98 - 55, 255, "file: the ZIP directory declares 1 entries in"},
      {42, 0, "file: ZIP archives of several files are not supported"},
      {42 - 4, 1, "file: ZIP archives of several files are not supported"},
      {42 - 8, 255, "file: the ZIP64 locator refers to byte"},
      {42 - 15, 255, "file: the ZIP64 locator refers to byte"},
      {22 - 4, 1, "file: ZIP archives of several files are not supported"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    zip_file zip = {0};
    zip_add(&zip, PART, text, sizeof text - 1, stored);
    zip_finish(&zip, true);
    zip.bytes[zip.size - rows[i].back] = rows[i].byte;
    reading_result result = read_bytes(mesh_read_3mf, (const char *)zip.bytes, zip.size, false);
    if (result.done || !strstr(result.error, rows[i].message)) fail_msg("row %zu: %s", i, result.error);
    free(zip.bytes);
  }
}

/* Two names for the same bytes, and an entry inside another. */
TEST(overlapping_entries_are_refused) {
  static const char text[] = TRIANGLE_MODEL;
  zip_file zip = {0};
  zip_add(&zip, PART, text, sizeof text - 1, stored);
  zip_add(&zip, "other", text, sizeof text - 1, stored);
  memset(zip.directory + zip.directory_size - 5 - 4, 0, 4); /* the offset of the second */
  reading_result result = read_zip(&zip, false, false);
  assert_false(result.done);
  assert_non_null(strstr(result.error, "share bytes of the file"));
}

TEST(archives_are_read) {
  static const char text[] = "\xEF\xBB\xBF" TRIANGLE_MODEL;
  static const char elsewhere[] = "<Relationships><Relationship Type='x/other' Target='/z'/><Relationship Type="
                                  "'http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel' "
                                  "Target='/3d/X.model'/></Relationships>";
  for (int manner = 0; manner < 8; manner++) {
    zip_file zip = {0};
    const zip_manner how = {.level = manner & 1 ? 9 : 0, .is_64 = (manner & 2) != 0};
    const bool has_relationships = (manner & 4) != 0;
    zip_add(&zip, "[Content_Types].xml", "", 0, how);
    if (has_relationships) zip_add(&zip, "_rels/.rels", elsewhere, sizeof elsewhere - 1, how);
    zip_add(&zip, has_relationships ? "3D/x.model" : PART, text, sizeof text - 1, how);
    OWNED_BY(free_result) reading_result result = read_zip(&zip, how.is_64, true);
    if (!result.done) fail_msg("%s", result.error);
    assert_int_equal(result.mesh_count, 1);
    assert_string_equal(result.meshes->name, "t");
    assert_int_equal(result.meshes->triangle_count, 1);
  }
}

/* Every archive that was cut, and every one with one bit changed, is read or refused. */
TEST(damaged_archives_are_survived) {
  static const char text[] = TRIANGLE_MODEL;
  zip_file zip = {0};
  zip_add(&zip, PART, text, sizeof text - 1, (zip_manner){.level = 6});
  zip_finish(&zip, true);
  for (size_t i = 0; i < zip.size; i++) {
    reading_result result = read_bytes(mesh_read_3mf, (const char *)zip.bytes, i, false);
    assert_false(result.done);
    for (int bit = 0; bit < 8; bit++) {
      zip.bytes[i] ^= (unsigned char)(1 << bit);
      result = read_bytes(mesh_read_3mf, (const char *)zip.bytes, zip.size, false);
      assert_true(result.done || result.error[0]);
      free_result(&result);
      zip.bytes[i] ^= (unsigned char)(1 << bit);
    }
  }
  free(zip.bytes);
}

/* ------------------------------------------------------------------------------------------------ models */

TEST(the_box_is_the_box) {
  OWNED_BY(free_result) reading_result box = read_bytes(mesh_read_obj, box_obj, sizeof box_obj - 1, false);
  char text[4096];
  int used = snprintf(text, sizeof text,
                      "<?xml version='1.0'?><c:model xmlns:c='core' xmlns:q='http://schemas.microsoft.com/"
                      "3dmanufacturing/production/2015/06' unit='inch' requiredextensions=' q '><c:resources>"
                      "<basematerials id='9'/><c:object id='7'><c:mesh><c:vertices>");
  for (size_t i = 0; i < box.meshes->vertex_count; i++) {
    const double *p = box.meshes->positions + 3 * i;
    used += snprintf(text + used, sizeof text - (size_t)used, "<c:vertex z=' %.1f ' y='+%ge0' x=\"%g\" n='0'/>", p[2],
                     p[1], p[0]);
  }
  used += snprintf(text + used, sizeof text - (size_t)used, "</c:vertices><c:triangles>");
  for (size_t i = 0; i < box.meshes->triangle_count; i++) {
    const uint32_t *t = box.meshes->triangles + 3 * i;
    used += snprintf(text + used, sizeof text - (size_t)used, "<c:triangle v1='%u' v2='%u' v3='%u' pid='9'/>", t[0],
                     t[1], t[2]);
  }
  snprintf(text + used, sizeof text - (size_t)used,
           "</c:triangles></c:mesh></c:object></c:resources><c:build><c:item objectid='7'/></c:build></c:model>");
  OWNED_BY(free_result) reading_result result = read_model(text, false);
  if (!result.done) fail_msg("%s", result.error);
  assert_int_equal(result.meshes->vertex_count, 8);
  assert_memory_equal(result.meshes->positions, box.meshes->positions, 24 * sizeof(double));
  assert_int_equal(result.meshes->triangle_count, 12);
  assert_memory_equal(result.meshes->triangles, box.meshes->triangles, 36 * sizeof(uint32_t));
}

TEST(objects_are_placed) {
  static const struct {
    const char *rest;
    double corners[9];
  } rows[] = {
      {"</resources><build><item objectid='1'/></build></model>", {0, 0, 0, 1, 0, 0, 0, 1, 0}},
      /* Points are rows: x goes to the first three numbers, y to the next. */
      {"</resources><build><item objectid='1' transform='0 2 0 0 0 3 4 0 0 5 6 7'/></build></model>",
       {5, 6, 7, 5, 8, 7, 5, 6, 10}},
      /* The component first, then the item: translated, then turned. */
      {"<object id='2'><components><component objectid='1' transform='1 0 0 0 1 0 0 0 1 5 0 0'/></components></object>"
       "</resources><build><item objectid='2' transform='0 1 0 -1 0 0 0 0 1 0 0 0'/></build></model>",
       {0, 5, 0, 0, 6, 0, -1, 5, 0}},
      {"</resources><build><item objectid='1' transform='-1 0 0 0 1 0 0 0 1 0 0 0'/></build></model>",
       {0, 0, 0, 0, 1, 0, -1, 0, 0}},
      /* Empty objects place nothing; a component may come before its object. */
      {"<object id='2'><components><component objectid='4'/><component objectid='3'/></components></object><object "
       "id='3'><components><component objectid='1'/></components></object><object id='4'/></resources><build><item "
       "objectid='2'/></build></model>",
       {0, 0, 0, 1, 0, 0, 0, 1, 0}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s%s", MODEL "<resources>", TRIANGLE_OBJECT, rows[i].rest);
    OWNED_BY(free_result) reading_result result = read_model(text, false);
    if (!result.done) fail_msg("row %zu: %s", i, result.error);
    const mesh *m = result.meshes;
    assert_int_equal(m->triangle_count, 1);
    for (size_t j = 0; j < 9; j++) {
      const double value = m->positions[3 * m->triangles[j / 3] + j % 3];
      if (value != rows[i].corners[j]) fail_msg("row %zu: number %zu is %g", i, j, value);
    }
  }
}

/* Parts in other files of the archive have numbers of their own; items there are not placed. */
TEST(other_parts_are_read) {
  static const char first[] =
      MODEL "<resources><object id='1' name='whole'><components><component p:path='/3D/o/a.model' objectid='1'/>"
            "<component p:path='/3D/o/a.model' objectid='1'/></components></object><object id='2' name='a &lt; "
            "&#xE9;'>" TRIANGLE_MESH "</object></resources><build><item objectid='1'/><item objectid='2'/><item "
            "p:path='/3D/O/A.MODEL' objectid='5'/></build></model>";
  static const char other[] =
      MODEL "<resources><object id='1' name='part'>" TRIANGLE_MESH "</object><object id='5'>" TRIANGLE_MESH
            "</object></resources><build><item objectid='5'/></build></model>";
  static const char *const names[] = {"part", "part", "a < \xC3\xA9", "file"};
  zip_file zip = {0};
  zip_add(&zip, "3D/o/a.model", other, sizeof other - 1, (zip_manner){.level = 1});
  zip_add(&zip, PART, first, sizeof first - 1, (zip_manner){.level = 1});
  OWNED_BY(free_result) reading_result result = read_zip(&zip, false, true);
  if (!result.done) fail_msg("%s", result.error);
  assert_int_equal(result.mesh_count, 4);
  for (size_t i = 0; i < 4; i++) assert_string_equal(result.meshes[i].name, names[i]);
}

#define OBJECT(inner)                                                                                                  \
  MODEL "<resources><object id='1'>" inner "</object></resources><build><item objectid='1'/></build></model>"
#define BUILD(inner) MODEL "<resources>" TRIANGLE_OBJECT "</resources><build>" inner "</build></model>"

TEST(models_are_refused) {
  static const char *const rows[][2] = {
      {"", "file: 3D/3dmodel.model: the file has no elements"},
      {"<a/>", "file: 3D/3dmodel.model:1: expected the element model, found a"},
      {"<model>\n", "file: 3D/3dmodel.model:2: the text ends inside an element"},
      {"<model/>", "file: the build has no items: nothing is placed"},
      {"<!DOCTYPE x><model/>", "file: 3D/3dmodel.model:1: a document type declaration, which is not supported"},
      {"\xFF\xFE<", "file: 3D/3dmodel.model: the byte-order mark is that of UTF-16, little endian; only ASCII and "
                    "UTF-8 are supported"},
      {"<model requiredextensions='b' xmlns:b='http://x/beamlattice'/>",
       "file: 3D/3dmodel.model:1: the required extension http://x/beamlattice is not supported"},
      {"<model requiredextensions='s'/>", "file: 3D/3dmodel.model:1: the required extension s is not supported"},
      {OBJECT("<mesh>\n<b:beamlattice/></mesh>"),
       "file: 3D/3dmodel.model:3: b:beamlattice belongs to an unsupported extension"},
      {OBJECT("<mesh><vertices><vertex x='0' y='0'/></vertices></mesh>"),
       "file: 3D/3dmodel.model:2: vertex 0 lacks x, y or z"},
      {OBJECT("<mesh><vertices><vertex x='0' y='0' x='1' z='0'/></vertices></mesh>"),
       "file: 3D/3dmodel.model:2: attribute x is repeated"},
      {OBJECT("<mesh><vertices><vertex x='0' y='nan' z='0'/></vertices></mesh>"),
       "file: 3D/3dmodel.model:2: y is \"nan\", which is not a finite number"},
      {OBJECT("<mesh><vertices><vertex x='0' y='1e999' z='0'/></vertices></mesh>"),
       "file: 3D/3dmodel.model:2: y is \"1e999\", which is not a finite number"},
      {OBJECT("<mesh><vertices><vertex x='0' y='1 2' z='0'/></vertices></mesh>"),
       "file: 3D/3dmodel.model:2: y is \"1 2\", which is not a finite number"},
      {OBJECT("<mesh><vertices><vertex x='0' y='' z='0'/></vertices></mesh>"),
       "file: 3D/3dmodel.model:2: y is \"\", which is not a finite number"},
      {OBJECT("<mesh><vertices><vertex x='0' y='0' z='0'/></vertices>\n<triangles><triangle v1='0' v2='0' "
              "v3='1'/></triangles></mesh>"),
       "file: 3D/3dmodel.model:3: triangle 0 refers to vertex 1, but the mesh has 1 vertices"},
      {OBJECT("<mesh><triangles><triangle v1='0' v2='-1' v3='1'/></triangles></mesh>"),
       "file: 3D/3dmodel.model:2: triangle 0 refers to vertex 0, but the mesh has 0 vertices"},
      {OBJECT("<mesh><triangles><triangle v1='99999999999999999999' v2='-1' v3='1'/></triangles></mesh>"),
       "file: 3D/3dmodel.model:2: v1 is \"99999999999999999999\", which is not a whole number from 0 to 2147483647"},
      {OBJECT("<mesh><triangles><triangle v1='0'/></triangles></mesh>"),
       "file: 3D/3dmodel.model:2: triangle 0 lacks v1, v2 or v3"},
      {OBJECT("<components><component objectid='1'/></components>"),
       "file: object 1 of 3D/3dmodel.model is a component of itself"},
      {OBJECT("<components><component objectid='3'/></components>"),
       "file: object 3 of 3D/3dmodel.model is placed but not defined"},
      {OBJECT("<components><component/></components>"),
       "file: 3D/3dmodel.model:2: a component or item without objectid"},
      {OBJECT("<components><component objectid='1' p:path='/no.model'/></components>"),
       "file: 3D/3dmodel.model: the part \"/no.model\" is not in the file"},
      {MODEL "<resources><object/></resources></model>", "file: 3D/3dmodel.model:2: an object without id"},
      {MODEL "<resources><object id='1'/><object id='1'/></resources></model>",
       "file: object 1 of 3D/3dmodel.model is defined twice"},
      {BUILD("<item objectid='1' transform='1 0 0 0 1 0 0 0 1 0 0'/>"),
       "file: 3D/3dmodel.model:3: transform is \"1 0 0 0 1 0 0 0 1 0 0\", which is not 12 finite numbers"},
      {BUILD("<item objectid='1' transform='1 0 0 0 1 0 0 0 1 0 0 0 0'/>"),
       "file: 3D/3dmodel.model:3: transform is \"1 0 0 0 1 0 0 0 1 0 0 0 0\", which is not 12 finite numbers"},
      {BUILD("<item objectid='1' transform='1e308 0 0 1e308 0 0 0 0 1 1e308 0 0'/>"),
       "file: vertex 1 of object 1 of 3D/3dmodel.model is placed at the x coordinate inf, which is not a finite "
       "number"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    reading_result result = read_model(rows[i][0], false);
    if (result.done) fail_msg("%s was read", rows[i][0]);
    assert_string_equal(result.error, rows[i][1]);
  }
}

/* Objects that place the one before twice: 2^levels triangles, or none at all, or one by a long chain. */
static reading_result read_levels(int levels, int times, bool is_empty) {
  OWNED_MEMORY char *const text = malloc(100000);
  char *p = text + sprintf(text, MODEL "<resources><object id='0'>%s</object>", is_empty ? "" : TRIANGLE_MESH);
  for (int i = 1; i <= levels; i++) {
    p += sprintf(p, "<object id='%d'><components>", i);
    for (int j = 0; j < times; j++) p += sprintf(p, "<component objectid='%d'/>", i - 1);
    p += sprintf(p, "</components></object>");
  }
  sprintf(p, "</resources><build><item objectid='%d'/></build></model>", levels);
  reading_result result = read_model(text, false);
  return result;
}

TEST(bombs_are_refused) {
  reading_result result = read_levels(10, 2, false);
  assert_true(result.done);
  assert_int_equal(result.meshes->triangle_count, 1024);
  free_result(&result);
  result = read_levels(60, 2, false);
  assert_false(result.done);
  assert_non_null(strstr(result.error, "file: places meshes so often that they have "));
  result = read_levels(60, 2, true);
  assert_true(result.done);
  free_result(&result);
  result = read_levels(63, 1, false);
  assert_true(result.done);
  free_result(&result);
  result = read_levels(64, 1, false);
  assert_false(result.done);
  assert_string_equal(result.error, "file: object 1 of 3D/3dmodel.model has components nested deeper than 64 levels");
}

/* A gigabyte of blanks in a megabyte. */
TEST(expansion_has_a_limit) {
  enum { SIZE = 300 << 20 };
  char *const text = malloc(SIZE);
  memset(text, ' ', SIZE);
  memcpy(text, TRIANGLE_MODEL, sizeof TRIANGLE_MODEL - 1);
  zip_file zip = {0};
  zip_add(&zip, PART, text, SIZE, (zip_manner){.level = 1});
  free(text);
  reading_result result = read_zip(&zip, false, false);
  assert_false(result.done);
  assert_non_null(
      strstr(result.error, "file: entry \"3D/3dmodel.model\" expands to 314572800 bytes, too many for a file"));
}

TEST_WITH(files_are_read, enter_scratch_folder, leave_scratch_folder) {
  static const char text[] = TRIANGLE_MODEL;
  static const char *const names[] = {"a.3mf", "B.3MF", "unnamed"};
  zip_file zip = {0};
  zip_add(&zip, PART, text, sizeof text - 1, (zip_manner){.level = 9});
  zip_finish(&zip, false);
  for (size_t i = 0; i < 3; i++) {
    write_bytes(names[i], zip.bytes, zip.size);
    OWNED(mesh_set) made = read_set(names[i], NULL);
    assert_int_equal(made.meshes->triangle_count, 1);
  }
  free(zip.bytes);
}
