/* Tests line charts as SVG: higher values are drawn higher, equal ratios have equal distances, gaps remain, and no text
 * breaks the file. */
#include "charts/line_chart.h"
#include "testing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 1 << 16, LINES_MAX = 64 };

typedef struct drawn_line {
  double x1, y1, x2, y2;
} drawn_line;

/* The text of a chart; the caller frees it. */
static char *draw(const line_chart *chart) {
  char *const text = calloc(BYTES_MAX, 1);
  assert_non_null(text);
  FILE *const stream = fmemopen(text, BYTES_MAX - 1, "w");
  assert_non_null(stream);
  line_chart_write(chart, stream);
  assert_int_equal(fclose(stream), 0);
  return text;
}

/* The pieces of line `number`, that of the legend first. */
static size_t read_lines(const char *text, int number, drawn_line *lines_out) {
  size_t count = 0;
  char legend[32], path[64];
  snprintf(legend, sizeof legend, "class=\"line_%d\"", number);
  snprintf(path, sizeof path, "<polyline %s points=\"", legend);
  for (const char *at = text; (at = strstr(at, "<line ")) != NULL; at++) {
    drawn_line line;
    char style[32];
    if (sscanf(at, "<line x1=\"%lf\" y1=\"%lf\" x2=\"%lf\" y2=\"%lf\" %31[^/]", &line.x1, &line.y1, &line.x2, &line.y2,
               style) == 5 &&
        strcmp(style, legend) == 0)
      lines_out[count++] = line;
  }
  for (const char *at = text; (at = strstr(at, path)) != NULL;) {
    at += strlen(path);
    drawn_line line;
    int bytes;
    assert_int_equal(sscanf(at, "%lf,%lf %n", &line.x1, &line.y1, &bytes), 2);
    for (at += bytes; sscanf(at, "%lf,%lf %n", &line.x2, &line.y2, &bytes) == 2; at += bytes) {
      assert_true(count < LINES_MAX);
      lines_out[count++] = line;
      line.x1 = line.x2;
      line.y1 = line.y2;
    }
  }
  return count;
}

static bool close_to(double a, double b) {
  return a - b < 0.21 && b - a < 0.21; /* coordinates have one decimal */
}

TEST(ratios_are_distances) {
  const char *const names[] = {"first", "second"};
  const double points[] = {2.0, 1.0, 0.0};
  const double values[] = {1.0, 10.0, 100.0, 1000.0, 100.0, 0.0};
  const line_panel panel = {"panel", values};
  const line_chart chart = {"title", "x", "y", names, 2, points, 3, &panel, 1, false, false};
  OWNED_MEMORY char *const text = draw(&chart);
  drawn_line lines[LINES_MAX];
  assert_int_equal(read_lines(text, 0, lines), 1 + 2);
  assert_true(close_to(lines[1].y1 - lines[1].y2, lines[2].y1 - lines[2].y2));
  assert_true(lines[1].y1 > lines[1].y2 + 10.0);
  assert_true(close_to(lines[1].x2, lines[2].x1) && lines[2].x1 > lines[1].x1);
  const double hundred = lines[2].y2;
  assert_int_equal(read_lines(text, 1, lines), 1 + 1); /* the last value is a gap */
  assert_true(close_to(lines[1].y2, hundred));
}

/* Points that grow by factors, at their own places and at equal distances. */
TEST(points_can_be_even) {
  const char *const names[] = {"line"};
  const double points[] = {1.0, 2.0, 11.0}, values[] = {1.0, 2.0, 3.0};
  const line_panel panel = {"panel", values};
  for (int even = 0; even < 2; even++) {
    const line_chart chart = {"title", "x", "y", names, 1, points, 3, &panel, 1, even == 1, false};
    OWNED_MEMORY char *const text = draw(&chart);
    drawn_line lines[LINES_MAX];
    assert_int_equal(read_lines(text, 0, lines), 1 + 2);
    const double first = lines[1].x2 - lines[1].x1, second = lines[2].x2 - lines[2].x1;
    assert_true(even == 1 ? close_to(first, second) : second > 8.9 * first && second < 9.1 * first);
    assert_non_null(strstr(text, ">11<"));
  }
}

TEST(words_are_escaped) {
  const char *const names[] = {"a < b"};
  const double points[] = {0.0, 1.0}, values[] = {1.0, 2.0};
  const line_panel panel = {"<panel>", values};
  const line_chart chart = {"title & more", "x", "<y", names, 1, points, 2, &panel, 1, false, false};
  OWNED_MEMORY char *const text = draw(&chart);
  assert_non_null(strstr(text, ">a &lt; b<"));
  assert_non_null(strstr(text, ">title &amp; more<"));
  assert_null(strstr(text, "<panel>"));
}

/* Without panels or points, or with only gaps: axes and text, but no invalid numbers. */
TEST(nothing_can_be_drawn) {
  const char *const names[] = {"line"};
  const double points[] = {0.0, 1.0}, values[] = {0.0, 0.0};
  const line_panel panel = {"panel", values};
  const line_chart charts[] = {{"title", "x", "y", names, 1, points, 2, &panel, 1, false, false},
                               {"title", "x", "y", names, 1, points, 0, &panel, 1, false, false},
                               {"title", "x", "y", names, 1, points, 1, &panel, 1, false, false},
                               {"title", "x", "y", names, 1, points, 2, NULL, 0, false, false}};
  for (int i = 0; i < 4; i++) {
    OWNED_MEMORY char *const text = draw(&charts[i]);
    drawn_line lines[LINES_MAX];
    assert_int_equal(read_lines(text, 0, lines), 1);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_non_null(strstr(text, "</svg>"));
  }
}

TEST(linear_axes_have_zeros) {
  const char *const names[] = {"only"};
  const double points[] = {0.0, 1.0, 2.0, 3.0};
  const double values[] = {0.0, 0.4, 0.8, 0.0};
  const line_panel panel = {"panel", values};
  const line_chart chart = {"title", "x", "y", names, 1, points, 4, &panel, 1, false, true};
  OWNED_MEMORY char *const text = draw(&chart);
  drawn_line lines[LINES_MAX];
  assert_int_equal(read_lines(text, 0, lines), 1 + 3);                         /* no gaps */
  assert_true(close_to(lines[1].y1 - lines[1].y2, lines[2].y1 - lines[2].y2)); /* equal differences, equal distances */
  assert_true(close_to(lines[1].y1, lines[3].y2) && lines[1].y1 > lines[1].y2);
  assert_non_null(strstr(text, ">0<"));
  assert_non_null(strstr(text, ">0.8<"));
  assert_null(strstr(text, "nan"));
}
