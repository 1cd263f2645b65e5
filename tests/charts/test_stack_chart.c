/* Tests stacked bars as SVG: the height of every layer is its value, layers are stacked, and no text breaks the file.
 */
#include "charts/stack_chart.h"
#include "charts/svg_drawing.h"
#include "testing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 1 << 16, BOXES_MAX = 64 };

typedef struct drawn_box {
  double x, y, width, height;
  int layer; /* -1: none */
} drawn_box;

/* The text of a chart; the caller frees it. */
static char *draw(const stack_chart *chart) {
  char *const text = calloc(BYTES_MAX, 1);
  assert_non_null(text);
  FILE *const stream = fmemopen(text, BYTES_MAX - 1, "w");
  assert_non_null(stream);
  stack_chart_write(chart, stream);
  assert_int_equal(fclose(stream), 0);
  return text;
}

/* The boxes of layers, in the order of the file, those of the legend first. */
static size_t read_boxes(const char *text, drawn_box *boxes_out) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, "<rect x=")) != NULL; at++) {
    drawn_box box;
    assert_int_equal(sscanf(at, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\" class=\"layer_%d\"", &box.x,
                            &box.y, &box.width, &box.height, &box.layer),
                     5);
    assert_true(count < BOXES_MAX);
    boxes_out[count++] = box;
  }
  return count;
}

static bool close_to(double a, double b) {
  return a - b < 0.11 && b - a < 0.11; /* coordinates have one decimal */
}

TEST(layers_stand_on_each_other) {
  const char *const layers[] = {"first", "second"}, *const columns[] = {"a", "b"};
  const double left[] = {10.0, 30.0, 20.0, 0.0}, right[] = {5.0, 5.0, 40.0, 40.0};
  const stack_panel panels[] = {{"left", 2, columns, left}, {"right", 2, columns, right}};
  const stack_chart chart = {"title", "x", "y", layers, 2, panels, 2};
  OWNED_MEMORY char *const text = draw(&chart);
  drawn_box boxes[BOXES_MAX];
  /* Two swatches, and a box for each value but the one that is zero. */
  assert_int_equal(read_boxes(text, boxes), 2 + 7);
  const drawn_box *const column = boxes + 2;
  const double unit = column[0].height / 10.0, bottom = column[0].y + column[0].height;
  assert_true(unit > 1.0);
  const double heights[7] = {10.0, 30.0, 20.0, 5.0, 5.0, 40.0, 40.0};
  const int layer[7] = {0, 1, 0, 0, 1, 0, 1};
  for (int i = 0; i < 7; i++) {
    assert_int_equal(column[i].layer, layer[i]);
    assert_true(close_to(column[i].height, unit * heights[i]));
    const double foot = layer[i] == 0 ? bottom : column[i - 1].y;
    assert_true(close_to(column[i].y + column[i].height, foot));
  }
  assert_true(column[2].x > column[0].x && column[3].x > column[2].x);
}

TEST(words_are_escaped) {
  const char *const layers[] = {"a < b"}, *const columns[] = {"R&D"};
  const double values[] = {1.0};
  const stack_panel panel = {"<panel>", 1, columns, values};
  const stack_chart chart = {"title & more", "x", "<y", layers, 1, &panel, 1};
  OWNED_MEMORY char *const text = draw(&chart);
  assert_non_null(strstr(text, ">a &lt; b<"));
  assert_non_null(strstr(text, ">R&amp;D<"));
  assert_non_null(strstr(text, ">title &amp; more<"));
  assert_non_null(strstr(text, ">&lt;y<"));
  assert_null(strstr(text, "<panel>"));
}

/* Without columns, or with only zeros: axes and text, but no invalid numbers. */
TEST(nothing_can_be_drawn) {
  const char *const layers[] = {"layer"}, *const columns[] = {"a"};
  const double values[] = {0.0};
  const stack_panel panels[] = {{"empty", 0, columns, values}, {"zero", 1, columns, values}};
  const stack_chart chart = {"title", "x", "y", layers, 1, panels, 2}, bare = {"title", "x", "y", layers, 1, NULL, 0};
  const stack_chart *const charts[] = {&chart, &bare};
  for (int i = 0; i < 2; i++) {
    OWNED_MEMORY char *const text = draw(charts[i]);
    drawn_box boxes[BOXES_MAX];
    assert_int_equal(read_boxes(text, boxes), 1);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    assert_non_null(strstr(text, "</svg>"));
  }
}

TEST(steps_go_by_one_two_five) {
  const double steps[] = {0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0};
  for (size_t i = 0; i + 1 < sizeof steps / sizeof steps[0]; i++) {
    const double next = svg_step_up(steps[i]);
    assert_true(next > 0.999 * steps[i + 1] && next < 1.001 * steps[i + 1]);
  }
}
