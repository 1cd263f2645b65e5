/* Tests pictures: valid files of the requested size that show marks if and only if there are any, for every scene,
 * however unusual. */
#include "cli/caption_font.h"
#include "cli/picture.h"
#include "cli/png_writer.h"
#include "model_set.h"
#include "models/model.h"
#include "picture_reader.h"
#include "test_scale.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct picture_census {
  uint32_t width, height;
  size_t strong;    /* pixels of the marks' strong color, lit or in shade */
  size_t drawn;     /* pixels that are not of the light background */
  size_t left_most; /* columns that hold drawn pixels: first and last */
  size_t right_most;
} picture_census;

static void choose_path(char *path_out, size_t path_bytes) {
  const char *folder = getenv("TMPDIR");
  snprintf(path_out, path_bytes, "%s/graze_test_picture_%ld.png", folder == NULL ? "/tmp" : folder, (long)getpid());
}

static picture_census take_census(const char *path) {
  read_picture picture;
  assert_true(picture_read(path, &picture));
  picture_census census = {picture.width, picture.height, 0, 0, picture.width, 0};
  for (size_t i = 0; i < (size_t)picture.width * picture.height; ++i) {
    const int red = picture.pixels[3 * i], green = picture.pixels[3 * i + 1], blue = picture.pixels[3 * i + 2];
    census.strong += red > 100 && red > 2 * green && red > 4 * blue;
    if (red > 200 && green > 200 && blue > 200) continue;
    const size_t column = i % picture.width;
    ++census.drawn;
    if (column < census.left_most) census.left_most = column;
    if (column > census.right_most) census.right_most = column;
  }
  free(picture.pixels);
  return census;
}

static picture_census draw(const mesh *meshes, size_t count, const uint8_t *const *marked, uint32_t width,
                           uint32_t height, const picture_options *options) {
  char path[512], error[1024] = "";
  choose_path(path, sizeof path);
  if (!picture_draw(path, meshes, count, marked, width, height, options, error, sizeof error)) fail_msg("%s", error);
  const picture_census census = take_census(path);
  remove(path);
  assert_int_equal(census.width, width);
  assert_int_equal(census.height, height);
  return census;
}

/* ------------------------------------------------------------------------------------------------ ordinary scenes */

/* Plates cover each other, so that the last one hides all marks, and a thread is a line. */
static bool is_hard_to_see(const char *name) {
  return strcmp(name, "plates") == 0 || strcmp(name, "thread") == 0;
}

TEST(marks_are_seen_and_nothing_else_is_red) {
  const model_parameters parameters = {test_sanitized(300, test_scale() < 1.0 ? 800 : 3000), 1};
  for (size_t number = 0; number < model_count(); ++number) {
    if (model_at(number)->kind != MESH_POLYGONS && model_at(number)->kind != MESH_SPHERES) continue;
    if (is_hard_to_see(model_at(number)->name)) continue;
    OWNED(mesh_set) made = model_set(model_at(number), &parameters);
    const picture_census plain = draw(made.meshes, made.count, NULL, 200, 150, NULL);
    assert_true(plain.drawn > 200 * 150 / 100);
    assert_int_equal(plain.strong, 0);
    uint8_t **marked = calloc(made.count, sizeof *marked);
    assert_non_null(marked);
    for (size_t i = 0; i < made.count; ++i) {
      const size_t elements =
          made.meshes[i].kind == MESH_SPHERES ? made.meshes[i].vertex_count : made.meshes[i].triangle_count;
      marked[i] = malloc(elements + 1);
      assert_non_null(marked[i]);
      for (size_t t = 0; t < elements; ++t) marked[i][t] = t % 5 == 0;
    }
    const picture_census shown = draw(made.meshes, made.count, (const uint8_t *const *)marked, 200, 150, NULL);
    if (shown.strong < 100) fail_msg("%s: %zu pixels are marked", model_at(number)->name, shown.strong);
    for (size_t i = 0; i < made.count; ++i) free(marked[i]);
    free(marked);
  }
}

TEST(one_small_mark_among_many_triangles_is_seen) {
  const model_parameters parameters = {100000, 0};
  OWNED(mesh_set) made = model_set(model_find("sphere"), &parameters);
  OWNED_MEMORY uint8_t *flags = calloc(made.meshes[0].triangle_count, 1);
  assert_non_null(flags);
  const uint8_t *const marked[1] = {flags};
  for (size_t k = 0; k < test_scaled(11, 2); ++k) {
    const size_t t = 1 + 9000 * k;
    memset(flags, 0, made.meshes[0].triangle_count);
    flags[t] = 1;
    const picture_census census = draw(made.meshes, made.count, marked, 160, 120, NULL);
    assert_true(census.strong >= 1 && census.strong < 40);
  }
}

TEST(hidden_marks_shine_through_only_when_asked) {
  char error[256];
  const model_parameters parameters = {2000, 0};
  OWNED(mesh_set) made = model_set(model_find("sphere"), &parameters);
  mesh pair[2] = {made.meshes[0], made.meshes[0]};
  OWNED_MEMORY double *inner = malloc(3 * made.meshes[0].vertex_count * sizeof *inner);
  assert_non_null(inner);
  for (size_t i = 0; i < 3 * made.meshes[0].vertex_count; ++i) inner[i] = 0.5 * made.meshes[0].positions[i];
  pair[1].positions = inner;
  OWNED_MEMORY uint8_t *flags = malloc(made.meshes[0].triangle_count);
  assert_non_null(flags);
  memset(flags, 1, made.meshes[0].triangle_count);
  const uint8_t *const marked[2] = {NULL, flags};
  char path[512];
  choose_path(path, sizeof path);
  int middle[2][3];
  for (int shown = 0; shown < 2; ++shown) {
    picture_options options = picture_options_default();
    options.show_hidden = shown == 1;
    assert_true(picture_draw(path, pair, 2, marked, 101, 101, &options, error, sizeof error));
    read_picture picture;
    assert_true(picture_read(path, &picture));
    for (int k = 0; k < 3; ++k) middle[shown][k] = picture.pixels[3 * (50 * 101 + 50) + k];
    free(picture.pixels);
  }
  assert_true(middle[1][0] > middle[0][0] + 5 && middle[1][2] < middle[0][2] - 5);
  remove(path);
}

TEST(caption_changes_the_lower_edge_alone) {
  picture_options options = picture_options_default();
  assert_int_equal(draw(NULL, 0, NULL, 320, 100, NULL).drawn, 0);
  options.caption = "1,234 pairs, 56 triangles \xc3\xa9";
  const picture_census written = draw(NULL, 0, NULL, 320, 100, &options);
  assert_true(written.drawn > 100 && written.left_most >= 5);
  options.caption = "a caption that is far too long for the picture and has to end where the picture does, at its edge";
  assert_true(draw(NULL, 0, NULL, 120, 60, &options).right_most < 120);
  draw(NULL, 0, NULL, 32, 32, &options);
}

/* ------------------------------------------------------------------------------------------------ spheres */

/* One ball is a disc that fills 0.88 of the height, round to the pixel, lit from the left and above. */
TEST(a_sphere_is_round) {
  double center[3] = {5, -7, 1e3}, radius[1] = {0.125};
  const mesh one = {.kind = MESH_SPHERES, .positions = center, .radii = radius, .vertex_count = 1};
  const picture_census census = draw(&one, 1, NULL, 300, 200, NULL);
  const double across = (double)(census.right_most - census.left_most + 1);
  assert_true(across > 0.85 * 200 && across < 200);
  assert_true(fabs((double)census.drawn - 0.7854 * across * across) < 0.04 * across * across);
  char path[512], error[256];
  choose_path(path, sizeof path);
  assert_true(picture_draw(path, &one, 1, NULL, 300, 200, NULL, error, sizeof error));
  read_picture picture;
  assert_true(picture_read(path, &picture));
  const size_t lit = 3 * (70 * 300 + 120), dark = 3 * (150 * 300 + 190);
  assert_true(picture.pixels[lit] > picture.pixels[dark] + 40);
  free(picture.pixels);
  remove(path);
}

/* Of two balls that overlap, the nearer part of each is seen up to the circle that they share: a large unmarked one
 * with a small marked one that looks out of it on all sides but the middle. */
TEST(spheres_hide_each_other_by_depth) {
  double centers[6] = {0, 0, 0, 0, 0, 0}, radii[2] = {1, 0.5};
  const uint8_t flags[2] = {0, 1}, *const marked[1] = {flags};
  const mesh two = {.kind = MESH_SPHERES, .positions = centers, .radii = radii, .vertex_count = 2};
  assert_int_equal(draw(&two, 1, marked, 200, 150, NULL).strong, 0);
  centers[4] = 1;
  const picture_census looking_out = draw(&two, 1, marked, 200, 150, NULL);
  assert_true(looking_out.strong > 200);
  radii[1] = 1.5;
  assert_true(draw(&two, 1, marked, 200, 150, NULL).strong > 3 * looking_out.strong);
  /* Whichever comes first, also where one is hardly larger. */
  const uint8_t first[2] = {1, 0}, *const first_marked[1] = {first};
  centers[4] = 0;
  radii[1] = 1.02;
  assert_int_equal(draw(&two, 1, first_marked, 200, 150, NULL).strong, 0);
}

/* Points, the largest and the least radii, and balls that are smaller than a sample. */
TEST(odd_spheres_give_pictures) {
  const uint8_t flags[2] = {1, 1}, *const marked[1] = {flags};
  static const double sizes[][2] = {{0, 0}, {DBL_MAX, 0}, {DBL_MAX, DBL_MAX}, {DBL_TRUE_MIN, 1e-320}, {1e-30, 1}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    double centers[6] = {0, 0, 0, 1, 0, 0}, radii[2] = {sizes[i][0], sizes[i][1]};
    const mesh two = {.kind = MESH_SPHERES, .positions = centers, .radii = radii, .vertex_count = 2};
    if (draw(&two, 1, marked, 96, 64, NULL).strong == 0) fail_msg("scene %zu shows nothing", i);
  }
  double centers[6] = {NAN, 0, 0, 0, 0, 0}, radii[2] = {1, INFINITY};
  const mesh broken = {.kind = MESH_SPHERES, .positions = centers, .radii = radii, .vertex_count = 2};
  assert_int_equal(draw(&broken, 1, marked, 64, 64, NULL).drawn, 0);
}

/* A ball as large as a planet under a heap of small ones: the heap fills the picture, the ball all below it. */
TEST(spheres_may_reach_far_beyond_the_picture) {
  enum { HEAP = 400 };
  double centers[3 * (HEAP + 1)], radii[HEAP + 1];
  for (size_t i = 0; i < HEAP; ++i) {
    for (size_t axis = 0; axis < 3; ++axis)
      centers[3 * i + axis] = (double)((i * i * (axis + 3) + 37 * i) % (101 + axis)) / 101.0;
    radii[i] = 0.03;
  }
  static const double sizes[] = {1e3, 1e6, 1e12};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    centers[3 * HEAP] = centers[3 * HEAP + 2] = 0;
    centers[3 * HEAP + 1] = -sizes[i];
    radii[HEAP] = sizes[i];
    uint8_t flags[HEAP + 1] = {0};
    memset(flags, 1, HEAP);
    const uint8_t *const marked[1] = {flags};
    const mesh all = {.kind = MESH_SPHERES, .positions = centers, .radii = radii, .vertex_count = HEAP + 1};
    const picture_census census = draw(&all, 1, marked, 120, 90, NULL);
    assert_true(census.strong > 120 * 90 / 10);
    assert_true(census.drawn - census.strong > 120 * 90 / 5);
  }
}

/* Large balls whose boxes cover the picture though they themselves pass it by change nothing. */
TEST(spheres_beside_the_picture_are_not_in_it) {
  enum { HEAP = 400 };
  double centers[3 * (HEAP + 1)], radii[HEAP + 1];
  uint8_t flags[HEAP + 1] = {0};
  const uint8_t *const marked[1] = {flags};
  for (size_t i = 0; i < HEAP; ++i) {
    for (size_t axis = 0; axis < 3; ++axis)
      centers[3 * i + axis] = (double)((i * i * (axis + 3)) % (101 + axis)) / 101.0;
    radii[i] = 0.03;
    flags[i] = 1;
  }
  mesh all = {.kind = MESH_SPHERES, .positions = centers, .radii = radii, .vertex_count = HEAP};
  const picture_census alone = draw(&all, 1, marked, 120, 90, NULL);
  all.vertex_count = HEAP + 1;
  for (int side = 0; side < 27; ++side) {
    const double size = 1e12, toward[3] = {side % 3 - 1, side / 3 % 3 - 1, side / 9 - 1};
    const double length = sqrt(toward[0] * toward[0] + toward[1] * toward[1] + toward[2] * toward[2]);
    if (length == 0.0) continue;
    for (int axis = 0; axis < 3; ++axis) centers[3 * HEAP + axis] = 1.3 * size / length * toward[axis];
    radii[HEAP] = size;
    const picture_census beside = draw(&all, 1, marked, 120, 90, NULL);
    if (beside.drawn < 120 * 90) assert_int_equal(beside.strong, alone.strong);
  }
}

/* ------------------------------------------------------------------------------------------------ odd scenes */

TEST(odd_scenes_give_pictures) {
  uint32_t triangle[3] = {0, 1, 2};
  uint8_t flag[1] = {1};
  const uint8_t *const marked[1] = {flag};
  const double huge = DBL_MAX, large = 3e38, tiny = DBL_TRUE_MIN;
  double scenes[][9] = {
      {0, 0, 0, 0, 0, 0, 0, 0, 0},
      {5, 6, 7, 5, 6, 7, 5, 6, 7},
      {0, 0, 0, 1, 0, 0, 2, 0, 0},
      {0, 0, 0, 1, 0, 0, 0, 1, 0},
      {-large, -large, large, large, -large, -large, 0, large, 0},
      {-huge, -huge, huge, huge, -huge, -huge, 0, huge, 0},
      {-tiny, 0, 0, tiny, 0, 0, 0, tiny, 0},
      {1e15, 1e15, 1e15, 1e15 + 1, 1e15, 1e15, 1e15, 1e15 + 1, 1e15},
      {0, 0, 0, huge, 0, 0, 0, tiny, 0},
  };
  for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
    const mesh m = {.positions = scenes[i], .vertex_count = 3, .triangles = triangle, .triangle_count = 1};
    const picture_census census = draw(&m, 1, marked, 96, 64, NULL);
    if (census.strong == 0) fail_msg("scene %zu shows nothing", i);
  }
  double broken[9] = {0, 0, 0, (double)NAN, 0, 0, 0, (double)INFINITY, 0};
  const mesh m = {.positions = broken, .vertex_count = 3, .triangles = triangle, .triangle_count = 1};
  assert_int_equal(draw(&m, 1, marked, 64, 64, NULL).drawn, 0);
  const mesh empty = {0};
  assert_int_equal(draw(&empty, 1, NULL, 64, 64, NULL).drawn, 0);
}

/* A floor ten thousand times as wide as the sphere on it must not make the sphere vanish. */
TEST(far_outliers_do_not_shrink_the_scene) {
  const model_parameters parameters = {20000, 0};
  OWNED(mesh_set) made = model_set(model_find("sphere"), &parameters);
  double corners[9] = {-1e4, 0, -1e4, 1e4, 0, -1e4, 0, 0, 2e4};
  uint32_t triangle[3] = {0, 2, 1};
  const mesh both[2] = {made.meshes[0],
                        {.positions = corners, .vertex_count = 3, .triangles = triangle, .triangle_count = 1}};
  OWNED_MEMORY uint8_t *flags = malloc(made.meshes[0].triangle_count);
  assert_non_null(flags);
  memset(flags, 1, made.meshes[0].triangle_count);
  const uint8_t *const marked[2] = {flags, NULL};
  assert_true(draw(both, 2, marked, 120, 90, NULL).strong > 120 * 90 / 10);
}

/* ------------------------------------------------------------------------------------------------ files */

TEST(pixels_come_back) {
  char path[512], error[1024];
  choose_path(path, sizeof path);
  static const uint32_t sizes[][2] = {{1, 1}, {7, 3}, {64, 200}};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    const size_t bytes = 3 * (size_t)sizes[i][0] * sizes[i][1];
    OWNED_MEMORY uint8_t *pixels = malloc(bytes);
    assert_non_null(pixels);
    for (size_t k = 0; k < bytes; ++k) pixels[k] = (uint8_t)(k * k * 31 + k / 7);
    assert_true(png_write(path, pixels, sizes[i][0], sizes[i][1], error, sizeof error));
    read_picture picture;
    assert_true(picture_read(path, &picture));
    assert_int_equal(picture.width, sizes[i][0]);
    assert_int_equal(picture.height, sizes[i][1]);
    assert_memory_equal(picture.pixels, pixels, bytes);
    free(picture.pixels);
  }
  remove(path);
}

TEST(refusals_are_messages) {
  char error[1024] = "";
  assert_false(picture_draw("/nowhere/at/all.png", NULL, 0, NULL, 64, 64, NULL, error, sizeof error));
  assert_string_equal(error, "/nowhere/at/all.png: cannot be opened for writing: No such file or directory");
  assert_false(picture_draw("a.png", NULL, 0, NULL, 31, 64, NULL, error, sizeof error));
  assert_string_equal(error, "a.png: a picture of 31 x 64 pixels was requested; each side must be from 32 to 8192");
  assert_false(picture_draw("a.png", NULL, 0, NULL, 64, 8193, NULL, error, sizeof error));
}

/* The full device is reached by a link, so that a writer that removes what it could not write removes the link alone.
 */
TEST(full_devices_are_reported_and_left_alone) {
  if (access("/dev/full", W_OK) != 0) skip();
  char path[512], error[1024] = "", expected[1024];
  choose_path(path, sizeof path);
  remove(path);
  assert_int_equal(symlink("/dev/full", path), 0);
  assert_false(picture_draw(path, NULL, 0, NULL, 640, 480, NULL, error, sizeof error));
  snprintf(expected, sizeof expected, "%s: cannot be written: No space left on device", path);
  assert_string_equal(error, expected);
  struct stat kind;
  assert_int_equal(lstat(path, &kind), 0);
  remove(path);
}

TEST(letters_differ_and_stay_in_their_box) {
  caption_lines letters[127];
  for (int code = 33; code < 127; ++code) {
    caption_lines *letter = &letters[code];
    caption_letter((char)code, letter);
    assert_true(letter->count > 0 && letter->count <= CAPTION_LINES);
    for (size_t i = 0; i < letter->count; ++i) {
      const caption_line *line = &letter->lines[i];
      assert_true(fmin(line->from_x, line->to_x) >= -1e-9 &&
                  fmax(line->from_x, line->to_x) <= caption_letter_width((char)code) + 1.0);
      assert_true(fmin(line->from_y, line->to_y) >= -CAPTION_BELOW &&
                  fmax(line->from_y, line->to_y) <= CAPTION_CAP_HEIGHT + CAPTION_ABOVE);
    }
    for (int other = 33; other < code; ++other)
      if (letters[other].count == letter->count &&
          memcmp(letters[other].lines, letter->lines, letter->count * sizeof *letter->lines) == 0)
        fail_msg("%c and %c are drawn alike", other, code);
  }
}
