/* Tests the machine-readable output of `graze check`: JSON, CSV and pictures. Files are written completely or not at
 * all. */
#include "json_validator.h"
#include "testing.h"
#include "tool_runner.h"

#include "graze/graze.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

static void expect_json(const char *text, size_t bytes) {
  size_t where = 0;
  if (!json_is_valid(text, bytes, &where)) fail_msg("byte %zu of the JSON does not fit: %.40s", where, text + where);
}

static void expect_member(const char *json, const char *key, const char *expected) {
  OWNED_MEMORY char *member = json_member_text(json, key);
  assert_non_null(member);
  assert_string_equal(member, expected);
}

TOOL_TEST(json_has_the_promised_members) {
  expect_run(state, "graze check one.obj two.obj --json out.json -q", 1, "", "");
  size_t bytes = 0;
  OWNED_MEMORY char *json = folder_read(state, "out.json", &bytes);
  assert_non_null(json);
  expect_json(json, bytes);
  expect_member(json, "graze", "\"" GRAZE_VERSION_TEXT "\"");
  expect_member(json, "objects",
                "[\n{\"name\":\"one.obj\",\"file\":\"one.obj\",\"kind\":\"triangle\",\"vertices\":3,\"primitives\":1,"
                "\"skipped\":0,\"unknown_lines\":0},\n"
                "{\"name\":\"two.obj\",\"file\":\"two.obj\",\"kind\":\"triangle\",\"vertices\":3,\"primitives\":1,"
                "\"skipped\":0,\"unknown_lines\":0}]");
  assert_null(json_member_text(json, "wrenches"));
  expect_member(json, "pair_count", "1");
  expect_member(json, "hash", "\"5b87c94aee2c7e65\"");
  expect_member(json, "limit_reached", "false");
  expect_member(json, "candidates_only", "false");
  expect_member(json, "object_pairs", "[\n[0,1,1]]");
  expect_member(json, "pairs", "[\n[0,0,1,0]]");
  OWNED_MEMORY char *timings = json_member_text(json, "timings_ms");
  OWNED_MEMORY char *counters = json_member_text(json, "counters");
  assert_non_null(timings);
  assert_non_null(counters);
#define EXPECT_TIMING(name, words)                                                                                     \
  member = json_member_text(timings, #name);                                                                           \
  assert_non_null(member);                                                                                             \
  free(member);
#define EXPECT_COUNTER(name, words)                                                                                    \
  member = json_member_text(counters, #name);                                                                          \
  assert_non_null(member);                                                                                             \
  free(member);
  char *member = NULL;
  GRAZE_STAGE_LIST(EXPECT_TIMING)
  GRAZE_COUNTER_LIST(EXPECT_COUNTER)
  expect_member(counters, "primitives", "2");
  expect_member(counters, "pairs", "1");
}

TOOL_TEST(records_of_objects_have_no_primitives) {
  tool_run run = run_line(state, "graze check one.obj two.obj far.obj --touching --json - --csv out.csv -q");
  assert_int_equal(run.status, 1);
  expect_json(run.output, run.output_bytes);
  expect_member(run.output, "object_pairs", "[\n[0,1]]");
  expect_member(run.output, "object_pair_count", "1");
  expect_member(run.output, "hash", "\"5b87c94aee2c7e65\"");
  expect_member(run.output, "limit_reached", "false");
  assert_null(json_member_text(run.output, "pairs"));
  assert_null(json_member_text(run.output, "pair_count"));
  tool_run_release(&run);
  size_t bytes = 0;
  OWNED_MEMORY char *csv = folder_read(state, "out.csv", &bytes);
  assert_string_equal(csv, "object_a,object_b\n0,1\n");
}

TOOL_TEST(json_of_nothing_is_json) {
  OWNED_RUN run = run_line(state, "graze check apart.obj --json - -q");
  assert_int_equal(run.status, 0);
  expect_json(run.output, run.output_bytes);
  expect_member(run.output, "pairs", "[]");
  expect_member(run.output, "object_pairs", "[]");
  expect_member(run.output, "pair_count", "0");
}

/* As members of the record, and as a separate file, which also has the pairs. */
TOOL_TEST(json_has_the_regions) {
  OWNED_RUN run = run_line(state, "graze check one.obj two.obj --json - --regions regions.json -q");
  size_t bytes = 0;
  OWNED_MEMORY char *file = folder_read(state, "regions.json", &bytes);
  assert_int_equal(run.status, 1);
  expect_json(run.output, run.output_bytes);
  expect_json(file, bytes);
  expect_member(run.output, "region_count", "1");
  expect_member(file, "region_count", "1");
  expect_member(file, "pair_count", "1");
  char *texts[2] = {json_member_text(run.output, "regions"), json_member_text(file, "regions")};
  for (int i = 0; i < 2; i++) {
    assert_non_null(texts[i]);
    expect_member(texts[i] + 1, "object_a", "0");
    expect_member(texts[i] + 1, "object_b", "1");
    expect_member(texts[i] + 1, "clash", "\"crossing\"");
    expect_member(texts[i] + 1, "crossing", "1");
    expect_member(texts[i] + 1, "id", "\"db9eadf9926af62d\"");
    char *points = json_member_text(texts[i] + 1, "points"), *pairs = json_member_text(texts[i] + 1, "pair_list");
    assert_non_null(points);
    if (i == 0) assert_null(pairs);
    if (i == 1) assert_string_equal(pairs, "[[0,0,\"crossing\"]]");
    free(points);
    free(pairs);
    free(texts[i]);
  }
  OWNED_MEMORY char *objects = json_member_text(file, "region_objects");
  expect_member(objects + 1, "regions", "1");
}

/* The id of a clash stays if files are added, in another order or from another folder; copies have ids of their own. */
TOOL_TEST(ids_of_regions_stay) {
  static const char *const lines[] = {"graze check two.obj crossing.obj", "graze check far.obj two.obj crossing.obj",
                                      "graze check two.obj crossing.obj far.obj",
                                      "graze check crossing.obj far.obj two.obj",
                                      "mkdir -p sub; cp two.obj sub; graze check crossing.obj ./sub/two.obj"};
  char expected[64] = "";
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    char line[256];
    snprintf(line, sizeof line, "%s --regions r.csv -q; tail -n +2 r.csv | cut -d, -f10 | sort", lines[i]);
    OWNED_RUN run = run_line(state, line);
    assert_int_equal(run.output_bytes, 2 * 17);
    if (i == 0) memcpy(expected, run.output, run.output_bytes + 1);
    assert_string_equal(run.output, expected);
  }
  expect_run(state,
             "for files in 'two.obj two.obj crossing.obj' 'two.obj crossing.obj two.obj'; do "
             "graze check $files --regions r.csv -q; tail -n +2 r.csv | cut -d, -f10 | sort -u >> ids; done; "
             "wc -l < ids | tr -d ' '; sort -u ids | wc -l | tr -d ' '",
             0, "10\n5\n", "");
}

/* The corner tetrahedron and its copy, half a unit along x: they share a tetrahedron of half the size. */
TOOL_TEST(json_has_the_wrenches_of_solids) {
  OWNED_RUN run = run_line(state, "graze check corner.mesh corner.mesh --move 1=0.5,0,0 --json - -q");
  assert_int_equal(run.status, 1);
  expect_json(run.output, run.output_bytes);
  OWNED_MEMORY char *wrenches = json_member_text(run.output, "wrenches");
  assert_non_null(wrenches);
  expect_member(wrenches + 1, "object_a", "0");
  expect_member(wrenches + 1, "object_b", "1");
  expect_member(wrenches + 1, "pair_count", "1");
  OWNED_MEMORY char *volume = json_member_text(wrenches + 1, "volume"),
                    *centroid = json_member_text(wrenches + 1, "centroid");
  OWNED_MEMORY char *force = json_member_text(wrenches + 1, "force"),
                    *torque = json_member_text(wrenches + 1, "torque");
  double x, y, z;
  assert_true(fabs(strtod(volume, NULL) - 1.0 / 48) < 1e-12);
  assert_int_equal(sscanf(centroid, "[%lf,%lf,%lf]", &x, &y, &z), 3);
  assert_true(fabs(x - 0.625) < 1e-12 && fabs(y - 0.125) < 1e-12 && fabs(z - 0.125) < 1e-12);
  assert_int_equal(sscanf(force, "[%lf,%lf,%lf]", &x, &y, &z), 3);
  assert_true(fabs(x - 0.125 / 48) < 1e-12 && fabs(y - x / 2) < 1e-12 && fabs(z - x / 2) < 1e-12);
  assert_int_equal(sscanf(torque, "[%lf,%lf,%lf]", &x, &y, &z), 3);
  assert_true(fabs(x) < 1e-12 && fabs(y + 1.0 / 48 / 48) < 1e-12 && fabs(y + z) < 1e-12);
}

static const char contact_columns[] = "object_a,primitive_a,object_b,primitive_b,kind,depth,normal_x,normal_y,normal_z,"
                                      "volume,centroid_x,centroid_y,centroid_z,points\n";

typedef struct contact_line {
  unsigned object_a, primitive_a, object_b, primitive_b, points;
  char kind[16];
  double depth, normal[3], volume, centroid[3];
} contact_line;

static contact_line only_contact(void **state, const char *line) {
  OWNED_RUN run = run_line(state, line);
  assert_int_equal(run.status, 1);
  assert_string_equal(run.errors, "");
  assert_memory_equal(run.output, contact_columns, sizeof contact_columns - 1);
  contact_line read;
  int used = 0;
  assert_int_equal(sscanf(run.output + sizeof contact_columns - 1,
                          "%u,%u,%u,%u,%15[a-z],%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%u\n%n", &read.object_a,
                          &read.primitive_a, &read.object_b, &read.primitive_b, read.kind, &read.depth, &read.normal[0],
                          &read.normal[1], &read.normal[2], &read.volume, &read.centroid[0], &read.centroid[1],
                          &read.centroid[2], &read.points, &used),
                   14);
  assert_int_equal(run.output[sizeof contact_columns - 1 + (size_t)used], '\0');
  return read;
}

TOOL_TEST(contacts_say_what_a_pair_shares) {
  contact_line found = only_contact(state, "graze check one.obj two.obj --contacts - -q");
  assert_string_equal(found.kind, "segment");
  assert_int_equal(found.points, 2);
  assert_true(found.object_a == 0 && found.primitive_a == 0 && found.object_b == 1 && found.primitive_b == 0);
  assert_true(found.volume == 0 && found.centroid[0] == 0.75 && found.centroid[1] == 0.75 && found.centroid[2] == 0);
  const char *const tests[] = {"sat", "gjk"};
  for (size_t i = 0; i < sizeof tests / sizeof tests[0]; ++i) {
    char line[256];
    snprintf(line, sizeof line, "graze check corner.mesh corner.mesh --move 1=0.5,0,0 --test %s --contacts - -q",
             tests[i]);
    found = only_contact(state, line);
    assert_string_equal(found.kind, "volume");
    assert_int_equal(found.points, 0);
    assert_true(fabs(found.volume - 1.0 / 48) < 1e-12 && fabs(found.depth - 0.5 * sqrt(1.0 / 3)) < 1e-9);
    for (int axis = 0; axis < 3; ++axis) assert_true(fabs(found.normal[axis] - sqrt(1.0 / 3)) < 1e-6);
  }
  found = only_contact(state, "graze check quad.obj --contacts - -q");
  assert_string_equal(found.kind, "parts");
}

TOOL_TEST(contacts_go_to_a_file_as_pairs_do) {
  expect_run(state, "graze check crossing.obj --contacts c.csv --csv p.csv -q", 1, "", "");
  expect_run(state, "cut -d , -f 1-4 c.csv | cmp - p.csv", 0, "", "");
  expect_run(state, "graze check apart.obj --contacts - -q", 0, contact_columns, "");
  tool_run run = run_line(state, "graze check crossing.obj --contacts -");
  assert_memory_equal(run.errors, "crossing.obj intersects itself", 30);
  tool_run_release(&run);
  const size_t before = folder_file_count(state);
  expect_run(state, "graze check crossing.obj --csv q.csv --contacts /dev/full -q", 2, "",
             "graze: /dev/full: No space left on device\n");
  assert_int_equal(folder_file_count(state), before);
}

TOOL_TEST(names_of_any_bytes_are_escaped) {
  const char odd[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\ng a\"b\\c\xff\x1b[31m\nf 1 2 3\n";
  folder_write(state, "a\"b\xc3\xa4.obj", odd, sizeof odd - 1);
  OWNED_RUN run = run_line(state, "graze check a?b*.obj one.obj --separate --json - -q --move 0=0,0,1");
  assert_int_equal(run.status, 0);
  expect_json(run.output, run.output_bytes);
  assert_non_null(strstr(run.output, "\"a\\\"b\xc3\xa4.obj\""));
}

TOOL_TEST(records_on_stdout_send_the_words_to_stderr) {
  tool_run run = run_line(state, "graze check crossing.obj --csv -");
  hide_times(run.errors);
  assert_int_equal(run.status, 1);
  assert_string_equal(run.output, "object_a,primitive_a,object_b,primitive_b\n0,0,0,1\n");
  assert_memory_equal(run.errors, "crossing.obj intersects itself: 1 pair of triangles (2 triangles, # ms).\n", 73);
  tool_run_release(&run);
  run = run_line(state, "graze check crossing.obj --json -");
  expect_json(run.output, run.output_bytes);
  assert_memory_equal(run.errors, "crossing.obj intersects itself", 30);
  tool_run_release(&run);
}

/* The pairs of CSV and of JSON are the same, sorted, and hash to the stated hash. */
TOOL_TEST(csv_and_json_agree_and_are_sorted) {
  expect_run(state, "graze make soup --triangles 3000 --seed 3 --output soup.ply -q", 0, "", "");
  expect_run(state, "graze check soup.ply soup.ply --move 1=0.01,0.02,0 --self --csv s.csv --json s.json -q", 1, "",
             "");
  size_t bytes = 0;
  OWNED_MEMORY char *csv = folder_read(state, "s.csv", NULL), *json = folder_read(state, "s.json", &bytes);
  expect_json(json, bytes);
  OWNED_MEMORY char *list = json_member_text(json, "pairs");
  const char *line = strchr(csv, '\n') + 1, *entry = list;
  graze_pair pair, last = {0, 0, 0, 0};
  OWNED_MEMORY graze_pair *pairs = NULL;
  size_t count = 0;
  for (int used = 0; sscanf(line, "%" SCNu32 ",%" SCNu32 ",%" SCNu32 ",%" SCNu32 "\n%n", &pair.object_a,
                            &pair.primitive_a, &pair.object_b, &pair.primitive_b, &used) == 4;
       line += used) {
    graze_pair twin;
    entry = strchr(entry + 1, '[');
    assert_non_null(entry);
    assert_int_equal(sscanf(entry, "[%" SCNu32 ",%" SCNu32 ",%" SCNu32 ",%" SCNu32 "]", &twin.object_a,
                            &twin.primitive_a, &twin.object_b, &twin.primitive_b),
                     4);
    assert_memory_equal(&pair, &twin, sizeof pair);
    const uint32_t now[4] = {pair.object_a, pair.primitive_a, pair.object_b, pair.primitive_b};
    const uint32_t before[4] = {last.object_a, last.primitive_a, last.object_b, last.primitive_b};
    size_t column = 0;
    while (column < 4 && now[column] == before[column]) ++column;
    assert_true(column < 4 && now[column] > before[column]);
    pairs = realloc(pairs, (count + 1) * sizeof *pairs);
    assert_non_null(pairs);
    pairs[count++] = last = pair;
  }
  assert_int_equal(*line, '\0');
  assert_null(strchr(entry + 1, '['));
  char expected[32];
  snprintf(expected, sizeof expected, "%zu", count);
  expect_member(json, "pair_count", expected);
  snprintf(expected, sizeof expected, "\"%016" PRIx64 "\"", graze_pairs_hash(pairs, count));
  expect_member(json, "hash", expected);
  assert_true(count > 100);
}

static uint32_t big_endian(const char *bytes) {
  const unsigned char *b = (const unsigned char *)bytes;
  return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* Signature, then chunks with right check sums from IHDR to IEND, and the pixels inflate to the stated size. */
static void expect_picture(const char *png, size_t bytes) {
  assert_true(bytes > 57);
  assert_memory_equal(png, "\x89PNG\r\n\x1a\n", 8);
  const uint32_t width = big_endian(png + 16), height = big_endian(png + 20);
  assert_true(width >= 640 && height >= 480);
  OWNED_MEMORY char *packed = malloc(bytes);
  assert_non_null(packed);
  size_t packed_bytes = 0, at = 8;
  bool ended = false;
  while (at < bytes) {
    const uint32_t length = big_endian(png + at);
    assert_true(length <= bytes - at - 12);
    const char *kind = png + at + 4;
    assert_int_equal(crc32(0, (const Bytef *)kind, length + 4), big_endian(kind + 4 + length));
    if (memcmp(kind, "IDAT", 4) == 0) {
      memcpy(packed + packed_bytes, kind + 4, length);
      packed_bytes += length;
    }
    ended = memcmp(kind, "IEND", 4) == 0;
    at += 12 + (size_t)length;
  }
  assert_true(ended && at == bytes);
  const int channels = png[25] == 2 ? 3 : png[25] == 6 ? 4 : 1;
  uLongf pixel_bytes = (uLongf)height * (1 + (uLongf)width * (uLongf)channels);
  const uLongf expected = pixel_bytes;
  OWNED_MEMORY Bytef *pixels = malloc(pixel_bytes);
  assert_non_null(pixels);
  assert_int_equal(uncompress(pixels, &pixel_bytes, (const Bytef *)packed, packed_bytes), Z_OK);
  assert_int_equal(pixel_bytes, expected);
}

TOOL_TEST(the_picture_is_a_png) {
  expect_run(state, "graze check one.obj two.obj --picture a.png --csv a.csv -q", 1, "", "");
  expect_run(state, "graze check one.obj two.obj --move 1=0,0,9 --picture b.png -q", 0, "", "");
  size_t bytes_a = 0, bytes_b = 0;
  OWNED_MEMORY char *a = folder_read(state, "a.png", &bytes_a), *b = folder_read(state, "b.png", &bytes_b);
  assert_non_null(a);
  assert_non_null(b);
  expect_picture(a, bytes_a);
  expect_picture(b, bytes_b);
  assert_true(bytes_a != bytes_b || memcmp(a, b, bytes_a) != 0);
}

/* Marked elements inside a solid are drawn: the same bodies give another picture. */
TOOL_TEST(solids_are_drawn) {
  expect_run(state, "graze check cube.vtk corner.mesh quad.obj --picture a.png -q", 1, "", "");
  expect_run(state, "graze check cube.vtk corner.mesh quad.obj --limit 1 --picture b.png -q", 1, "", "");
  size_t bytes_a = 0, bytes_b = 0;
  OWNED_MEMORY char *a = folder_read(state, "a.png", &bytes_a), *b = folder_read(state, "b.png", &bytes_b);
  assert_non_null(a);
  assert_non_null(b);
  expect_picture(a, bytes_a);
  expect_picture(b, bytes_b);
  assert_true(bytes_a != bytes_b || memcmp(a, b, bytes_a) != 0);
}

TOOL_TEST(no_file_is_left_half_written) {
  const size_t before = folder_file_count(state);
  expect_run(state, "graze check one.obj two.obj --json out.json --csv nowhere/out.csv -q", 2, "",
             "graze: nowhere/out.csv: No such file or directory\n");
  expect_run(state, "graze check one.obj two.obj --csv out.csv --picture nowhere/out.png -q", 2, "", NULL);
  assert_false(folder_has(state, "out.json"));
  assert_false(folder_has(state, "out.csv"));
  expect_run(state, "graze check one.obj two.obj --json /dev/full -q --csv out.csv", 2, "",
             "graze: /dev/full: No space left on device\n");
  assert_int_equal(folder_file_count(state), before);
}

TOOL_TEST(an_old_file_stays_when_the_new_one_fails) {
  folder_write(state, "out.json", "old", 3);
  expect_run(state, "graze check one.obj two.obj --json out.json --csv /dev/full -q", 2, "", NULL);
  char *old = folder_read(state, "out.json", NULL);
  assert_string_equal(old, "old");
  free(old);
  expect_run(state, "chmod 640 out.json; ln -s out.json link.json; graze check one.obj two.obj --json link.json -q", 1,
             "", "");
  expect_run(state, "test -h link.json && grep -q pair_count out.json && ls -l out.json | cut -c 1-10", 0,
             "-rw-r-----\n", "");
}

TOOL_TEST(a_full_disk_under_stdout_is_an_error) {
  expect_run(state, "graze check one.obj two.obj --csv - -q >/dev/full", 2, "",
             "graze: standard output: No space left on device\n");
  expect_run(state, "graze check one.obj two.obj >/dev/full", 2, "",
             "graze: standard output: No space left on device\n");
  expect_run(state, "graze --help >/dev/full", 2, "", "graze: standard output: No space left on device\n");
  expect_run(state, "graze check --help >/dev/full", 2, "", "graze: standard output: No space left on device\n");
}

TOOL_TEST(devices_are_written_to_not_replaced) {
  expect_run(state, "graze check one.obj two.obj --json /dev/null -q; echo $?; test -c /dev/null", 0, "1\n", "");
}
