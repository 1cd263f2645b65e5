/* Tests the options of `--picture` as users see them: camera, up direction, crease angle, and zoom. */
#include "testing.h"
#include "tool_runner.h"

#include "picture_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HINT(name) "Try 'graze " name " --help'.\n"

/* The part of a picture above its caption. */
typedef struct census {
  size_t marked;                              /* pixels of the strong color of marks */
  double left, right, top, bottom;            /* of what is not background */
  double mark_x, mark_y;                      /* the middle of the marks */
  size_t caption_dark, caption_gray, columns; /* pixels of letters, those at their edges, and columns that have some */
} census;

static void write_file(void **state, const char *name, const char *text) {
  folder_write(state, name, text, strlen(text));
}

static read_picture read_folder_picture(void **state, const char *name) {
  char path[1024];
  tool_run run = run_line(state, "pwd | tr -d '\n'");
  snprintf(path, sizeof path, "%s/%s", run.output, name);
  tool_run_release(&run);
  read_picture picture;
  assert_true(picture_read(path, &picture));
  return picture;
}

static void count_caption(const uint8_t *p, bool *column_has_ink, census *c) {
  c->caption_dark += p[0] < 100;
  c->caption_gray += p[0] >= 100 && p[0] < 200;
  if (p[0] < 150) *column_has_ink = true;
}

static void count_pixel(const uint8_t *p, double x, double y, census *c) {
  const bool is_marked = p[0] > 100 && p[0] > 2 * p[1] && p[0] > 4 * p[2];
  c->marked += is_marked;
  c->mark_x += is_marked ? x : 0.0;
  c->mark_y += is_marked ? y : 0.0;
  if (p[0] > 190 && p[1] > 190 && p[2] > 190) return;
  if (x < c->left) c->left = x;
  if (x > c->right) c->right = x;
  if (y < c->top) c->top = y;
  if (y > c->bottom) c->bottom = y;
}

static census take_census(void **state, const char *name) {
  read_picture picture = read_folder_picture(state, name);
  const uint32_t strip = 48, frame_height = picture.height - strip;
  census c = {.left = 1e9, .top = 1e9, .right = -1.0, .bottom = -1.0};
  bool *column_has_ink = calloc(picture.width, sizeof *column_has_ink);
  assert_non_null(column_has_ink);
  for (uint32_t y = 0; y < picture.height; ++y)
    for (uint32_t x = 0; x < picture.width; ++x) {
      const uint8_t *p = picture.pixels + 3 * ((size_t)y * picture.width + x);
      if (y < frame_height) count_pixel(p, x, y, &c);
      if (y > frame_height + 2) count_caption(p, &column_has_ink[x], &c);
    }
  for (uint32_t x = 0; x < picture.width; ++x) c.columns += column_has_ink[x];
  if (c.marked > 0) {
    c.mark_x /= (double)c.marked;
    c.mark_y /= (double)c.marked;
  }
  free(column_has_ink);
  free(picture.pixels);
  return c;
}

/* A box, with two triangles that cross each other beyond its corner at +x, +y, +z: 4 x 2 x 1 in all. */
#define BOX                                                                                                            \
  "v -2 -1 -.5\nv 1.6 -1 -.5\nv 1.6 .7 -.5\nv -2 .7 -.5\nv -2 -1 .4\nv 1.6 -1 .4\nv 1.6 .7 .4\nv -2 .7 .4\n"           \
  "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
static void write_box(void **state) {
  write_file(state, "box.obj", BOX);
  write_file(state, "crossed.obj",
             BOX "v 2 .8 .42\nv 1.7 1 .42\nv 1.9 1 .5\nv 1.7 .8 .5\nv 2 1 .5\nv 1.9 .8 .42\nf 9 10 11\nf 12 13 14\n");
}

typedef struct view_row {
  const char *options;
  double aspect;          /* width over height of the scene */
  int right_end, top_end; /* 1 where the marks are at the right, and at the top; else -1 */
} view_row;

TOOL_TEST(cameras_show_what_they_are_called) {
  static const view_row rows[] = {
      {"--camera front", 2.0, 1, 1},          {"--camera back", 2.0, -1, 1},
      {"--camera right", 0.5, -1, 1},         {"--camera top", 4.0, 1, -1},
      {"--camera 180,-90", 4.0, -1, -1},      {"--up z --camera front", 4.0, 1, 1},
      {"--up z --camera left", 2.0, -1, 1},   {"--up x --camera front", 0.5, 1, 1},
      {"--up -y --camera front", 2.0, 1, -1},
  };
  write_box(state);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
    char line[256];
    snprintf(line, sizeof line, "graze check crossed.obj -q --picture a.png %s", rows[i].options);
    expect_run(state, line, 1, "", "");
    const census c = take_census(state, "a.png");
    const double aspect = (c.right - c.left) / (c.bottom - c.top);
    if (!(aspect > 0.9 * rows[i].aspect && aspect < 1.1 * rows[i].aspect))
      fail_msg("%s: the box is %g times as wide as high", rows[i].options, aspect);
    assert_true(c.marked > 100);
    if ((c.mark_x > 0.5 * (c.left + c.right) ? 1 : -1) != rows[i].right_end ||
        (c.mark_y < 0.5 * (c.top + c.bottom) ? 1 : -1) != rows[i].top_end)
      fail_msg("%s: the marks are at %g, %g", rows[i].options, c.mark_x, c.mark_y);
  }
}

/* Twelve sides of a prism meet at 30 degrees: smooth by default, and flat below. The edges of the box stay sharp. */
TOOL_TEST(creases_part_flat_from_smooth) {
  write_file(state, "prism.awk",
             "BEGIN { for (i = 0; i < 12; ++i) for (k = 0; k < 2; ++k)\n"
             "  printf \"v %.9f %.9f %d\\n\", cos(i * 0.523598775598), sin(i * 0.523598775598), k\n"
             "for (i = 0; i < 12; ++i) printf \"f %d %d %d %d\\n\", 2*i+1, 2*((i+1)%12)+1, 2*((i+1)%12)+2, 2*i+2 }\n");
  write_box(state);
  expect_run(state,
             "awk -f prism.awk >prism.obj; for c in 0 29 31 40; do"
             " graze check prism.obj -q --up z --picture prism$c.png --crease $c || exit 9;"
             " graze check box.obj -q --picture box$c.png --crease $c || exit 9; done;"
             " graze check prism.obj -q --up z --picture prism.png",
             0, "", "");
  expect_run(state, "cmp prism0.png prism29.png && cmp prism31.png prism40.png && cmp prism40.png prism.png", 0, "",
             "");
  expect_run(state, "cmp -s prism29.png prism31.png", 1, "", "");
  expect_run(state, "cmp box0.png box40.png", 0, "", "");
}

/* Two large plates far apart, each crossed by a small triangle: two regions of a pair each. */
static void write_plates(void **state) {
  write_file(state, "plates.obj",
             "v 0 0 0\nv 10 0 0\nv 0 10 0\nv 20 0 0\nv 30 0 0\nv 30 10 0\n"
             "v 2 2 -.05\nv 2.1 2 .05\nv 2 2.1 .05\nv 28 2 -.05\nv 28.1 2 .05\nv 28 2.2 .05\n"
             "f 1 2 3\nf 4 5 6\nf 7 8 9\nf 10 11 12\n");
}

TOOL_TEST(zooms_fill_the_picture) {
  write_plates(state);
  expect_run(state, "graze check plates.obj -q --picture all.png --camera front", 1, "", "");
  const char *const targets[] = {"pair", "pair=1", "region", "region=1"};
  for (size_t i = 0; i < 4; ++i) {
    char line[256];
    snprintf(line, sizeof line, "graze check plates.obj -q --camera front --picture %zu.png --zoom-to %s", i,
             targets[i]);
    expect_run(state, line, 1, "", "");
  }
  const census first = take_census(state, "0.png");
  assert_true(first.right - first.left > 1590.0);
  expect_run(state, "cmp 0.png 2.png && cmp 1.png 3.png", 0, "", "");
  expect_run(state, "cmp -s 0.png 1.png", 1, "", "");
  expect_run(state, "graze check plates.obj -q --picture a.png --zoom-to pair=2", 2, "",
             "graze: --zoom-to pair=2: there are 2 pairs, numbered from 0\n");
  expect_run(state, "graze check plates.obj -q --picture a.png --zoom-to region=7", 2, "",
             "graze: --zoom-to region=7: there are 2 regions, numbered from 0\n");
  assert_false(folder_has(state, "a.png"));
  /* If there is nothing to zoom to, the whole scene is drawn. */
  expect_run(state, "graze check apart.obj -q --picture a.png --zoom-to region", 0, "", "");
  expect_run(state, "graze play plates.obj -q --picture play.png --zoom-to pair=1 --camera front", 1, "", "");
  expect_run(state, "graze play plates.obj -q --picture play.png --zoom-to pair=2", 2, "",
             "graze: --zoom-to pair=2: there are 2 pairs, numbered from 0\n");
}

/* A speck that crosses a torus is a dot until the picture zooms to it. */
TOOL_TEST(a_zoom_shows_dots) {
  expect_run(state, "graze make torus --primitives 20000 --output torus.obj", 0, NULL, NULL);
  write_file(state, "speck.obj", "v 1.4 .01 .01\nv 1.39 -.01 .02\nv 1.2 .013 -.011\nf 1 2 3\n");
  expect_run(state, "graze check torus.obj speck.obj --quiet --picture dot.png", 1, "", "");
  const census dot = take_census(state, "dot.png");
  expect_run(state, "graze check torus.obj speck.obj --quiet --picture zoom.png --zoom-to region", 1, "", "");
  const census zoomed = take_census(state, "zoom.png");
  assert_true(zoomed.marked > 10 * dot.marked);
}

/* Walls around a clash are cut open, from any direction; marks that the walls hide are pale and not counted. */
TOOL_TEST(walls_are_cut_open) {
  static const char *const cameras[] = {"", "--camera front", "--camera 200,40"};
  write_file(state, "room.obj",
             "v -9 -9 -9\nv 9 -9 -9\nv -9 9 -9\nv 9 9 -9\nv -9 -9 9\nv 9 -9 9\nv -9 9 9\nv 9 9 9\n"
             "f 1 2 4 3\nf 5 6 8 7\nf 1 2 6 5\nf 3 4 8 7\nf 1 3 7 5\nf 2 4 8 6\n");
  for (size_t i = 0; i < 3; ++i) {
    char line[256];
    snprintf(line, sizeof line, "graze check one.obj two.obj room.obj -q --picture in.png --zoom-to region %s",
             cameras[i]);
    expect_run(state, line, 1, "", "");
    assert_true(take_census(state, "in.png").marked > 50000);
  }
}

/* Letters have smooth edges, and a longer text more of them. */
TOOL_TEST(captions_are_smooth) {
  expect_run(state, "graze check crossing.obj -q --picture a.png", 1, "", "");
  expect_run(state, "graze check crossing.obj far.obj one.obj -q --self --picture b.png --candidates", 1, "", "");
  const census a = take_census(state, "a.png"), b = take_census(state, "b.png");
  assert_true(a.caption_dark > 500 && a.caption_gray > a.caption_dark / 4);
  assert_true(b.columns > a.columns);
}

TOOL_TEST(other_commands_have_cameras) {
  write_box(state);
  expect_run(state,
             "graze play crossed.obj -q --picture a.png --camera front;"
             "graze play crossed.obj -q --picture b.png --camera top; cmp -s a.png b.png",
             1, "", "");
  expect_run(state,
             "graze pack box.obj --count 20 -q --picture a.png --camera front && "
             "graze pack box.obj --count 20 -q --picture b.png --up z --camera front && cmp -s a.png b.png",
             1, "", "");
  const census front = take_census(state, "a.png"), above = take_census(state, "b.png");
  assert_true(front.bottom - front.top > 1.5 * (above.bottom - above.top));
}

TOOL_TEST(invalid_combinations_are_refused) {
  static const char *const lines[][2] = {
      {"check one.obj --picture a.png --camera sideways",
       "graze: --camera takes front, back, left, right, top, bottom or iso, or AZIMUTH,ELEVATION in degrees, from -360 "
       "to 360 and from -90 to 90, not \"sideways\"\n" HINT("check")},
      {"check one.obj --picture a.png --camera 30", NULL},
      {"check one.obj --picture a.png --camera 30,91", NULL},
      {"check one.obj --picture a.png --camera nan,0", NULL},
      {"check one.obj --picture a.png --camera 30,10,5", NULL},
      {"check one.obj --picture a.png --camera ''", NULL},
      {"check one.obj --picture a.png --up Z", "graze: --up takes x, y, z, -x, -y or -z, not \"Z\"\n" HINT("check")},
      {"check one.obj --picture a.png --crease -1",
       "graze: --crease takes an angle from 0 to 180 degrees, not \"-1\"\n" HINT("check")},
      {"check one.obj --picture a.png --crease 181", NULL},
      {"check one.obj --picture a.png --zoom-to object",
       "graze: --zoom-to takes pair, region, pair=N or region=N, not \"object\"\n" HINT("check")},
      {"check one.obj --picture a.png --zoom-to pairs", NULL},
      {"check one.obj --picture a.png --zoom-to region=-1", NULL},
      {"check one.obj --picture a.png --zoom-to region --limit 3",
       "graze: --zoom-to region needs all pairs; --limit lists only the first\n" HINT("check")},
      {"check one.obj --picture a.png --zoom-to pair --candidates",
       "graze: --zoom-to needs pairs that intersect; --candidates does not test them\n" HINT("check")},
      {"check one.obj --camera top", "graze: --camera requires --picture FILE.png\n" HINT("check")},
      {"play one.obj --crease 3", "graze: --crease requires --picture FILE.png\n" HINT("play")},
      {"pack one.obj --up z", "graze: --up requires --picture FILE.png or --report FILE.html\n" HINT("pack")},
      {"play one.obj --picture a.png --zoom-to pair --candidates", NULL},
      {"pack one.obj --picture a.png --zoom-to pair", NULL},
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; ++i) {
    char line[256];
    snprintf(line, sizeof line, "graze %s", lines[i][0]);
    expect_run(state, line, 2, "", lines[i][1]);
  }
  assert_false(folder_has(state, "a.png"));
}
