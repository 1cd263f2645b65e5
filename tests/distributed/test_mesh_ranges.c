/* Tests mesh files that are read by ranges: files that change between the opening and the reading. */
#include "mesh_ranges/mesh_range.h"
#include "scene_calls.h"
#include "testing.h"

#include "mesh_io/byte_order.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { VERTICES = 300, FACES = 100, RANGES = 3 };
static const char *const names[] = {"test_mesh_ranges.ply", "test_mesh_ranges.stl"};

/* Face i has the vertices 3 i to 3 i + 2, in both files. */
static float coordinate(size_t vertex, size_t axis) {
  return (float)(vertex * (axis + 1) % 7) + 0.01f * (float)vertex;
}

/* Files are little-endian on any host. */
static void write_number(FILE *file, const void *number) {
  uint32_t bits;
  char bytes[4];
  memcpy(&bits, number, sizeof bits);
  fwrite(bytes, store_bits(bytes, bits, sizeof bytes, false), 1, file);
}

static void write_ply(FILE *file) {
  fprintf(file, "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty float x\nproperty float y\n",
          VERTICES);
  fprintf(file, "property float z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n", FACES);
  for (size_t i = 0; i < 3 * VERTICES; i++) write_number(file, &(float){coordinate(i / 3, i % 3)});
  for (uint32_t i = 0; i < 3 * FACES; i++) {
    if (i % 3 == 0) fputc(3, file);
    write_number(file, &i);
  }
}

static void write_stl(FILE *file) {
  const char header[80] = {0}, attribute[2] = {0};
  fwrite(header, sizeof header, 1, file);
  write_number(file, &(uint32_t){FACES});
  for (size_t i = 0; i < FACES; i++) {
    for (size_t k = 0; k < 3; k++) write_number(file, &(float){0});
    for (size_t k = 0; k < 9; k++) write_number(file, &(float){coordinate(3 * i + k / 3, k % 3)});
    fwrite(attribute, sizeof attribute, 1, file);
  }
}

static void write_file(int which) {
  FILE *file = fopen(names[which], "wb");
  assert_non_null(file);
  if (which == 0)
    write_ply(file);
  else
    write_stl(file);
  assert_int_equal(fclose(file), 0);
}

/* No length makes a range of fewer triangles, or ends the process. */
TEST(test_files_that_become_shorter) {
  OWNED_SCENE *scene = create_scene(NULL);
  for (int which = 0; which < 2; which++)
    for (size_t part = 0; part < 10; part++) {
      mesh_range range;
      write_file(which);
      if (!mesh_range_open(names[which], &range)) fail_msg("%s cannot be opened", names[which]);
      assert_int_equal(range.version.face_count, FACES);
      assert_int_equal(truncate(names[which], (off_t)(range.version.bytes * part / 10)), 0);
      const graze_result result = mesh_range_add(&range, RANGES - 1, RANGES, 0, scene);
      assert_int_equal(result, GRAZE_FILE_FAILED);
      if (strstr(mesh_range_trouble(&range, result), "the file has changed") == NULL)
        fail_msg("%s: %s", names[which], mesh_range_trouble(&range, result));
      mesh_range_close(&range);
      assert_int_equal(graze_scene_object_count(scene), 0);
    }
}

/* A file of the same size, modified a second later than it was. */
static void rewrite_later(int which, const mesh_version *version) {
  const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT},
                                    {(time_t)version->modified_seconds + 1, (long)version->modified_nanoseconds}};
  write_file(which);
  assert_int_equal(utimensat(AT_FDCWD, names[which], times, 0), 0);
}

/* A scene never has ranges of two versions of a file. */
TEST(test_files_that_are_rewritten) {
  OWNED_SCENE *scene = create_scene(NULL);
  for (int which = 0; which < 2; which++) {
    mesh_range range, again;
    write_file(which);
    if (!mesh_range_open(names[which], &range)) fail_msg("%s cannot be opened", names[which]);
    const mesh_version version = range.version;
    assert_ok(mesh_range_add(&range, 0, RANGES, 0, scene));
    if (!mesh_range_reopen(names[which], &version, &again)) fail_msg("%s has not changed", names[which]);
    mesh_range_close(&again);
    rewrite_later(which, &version);
    assert_false(mesh_range_reopen(names[which], &version, &again));
    const graze_result result = mesh_range_add(&range, 1, RANGES, 0, scene);
    assert_int_equal(result, GRAZE_FILE_FAILED);
    assert_string_equal(mesh_range_trouble(&range, result), "the file has changed while it was read");
    mesh_range_close(&range);
    assert_int_equal(graze_scene_object_count(scene), which + 1);
  }
}
