/* Tests heat maps as SVG: larger values are darker, higher rows are drawn higher, and invalid values leave white cells.
 */
#include "charts/heat_map.h"
#include "testing.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_MAX = 1 << 16, CELLS_MAX = 64, LEGEND = 9 };

typedef struct drawn_cell {
  double x, y, width, height;
  int shade;
} drawn_cell;

static size_t read_cells(const char *text, drawn_cell *cells_out) {
  size_t count = 0;
  for (const char *at = text; (at = strstr(at, "<rect ")) != NULL; at++) {
    drawn_cell cell;
    if (sscanf(at, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\" class=\"shade_%d\"", &cell.x, &cell.y,
               &cell.width, &cell.height, &cell.shade) != 5)
      continue;
    assert_true(count < CELLS_MAX);
    cells_out[count++] = cell;
  }
  return count;
}

TEST(larger_is_darker) {
  const double values[] = {0.0, 0.011, 0.5, 1000.0, NAN, 1e-9, 0.5, 0.5}; /* four columns of two rows */
  const heat_panel panel = {"a & b", values};
  const heat_map map = {"title", "x", "y", 0, 1, 0, 16, 4, 2, &panel, 1, 0.01, 1.0};
  static char text[BYTES_MAX];
  FILE *const stream = fmemopen(text, BYTES_MAX - 1, "w");
  assert_non_null(stream);
  heat_map_write(&map, stream);
  assert_int_equal(fclose(stream), 0);
  drawn_cell cells[CELLS_MAX];
  assert_int_equal(read_cells(text, cells), LEGEND + 4);
  const drawn_cell *const drawn = cells + LEGEND;
  assert_int_equal(drawn[0].shade, 1); /* 0.011, above the white of 0 */
  assert_int_equal(drawn[1].shade, 8); /* 0.5, below 1000 */
  assert_int_equal(drawn[2].shade, 9);
  assert_true(drawn[0].x < drawn[1].x && drawn[1].x == drawn[2].x);
  assert_true(drawn[0].y == drawn[2].y && drawn[1].y > drawn[2].y);
  assert_int_equal(drawn[3].shade, 8); /* both rows at once */
  assert_true(drawn[3].y == drawn[2].y && drawn[3].height > 1.9 * drawn[2].height);
  assert_non_null(strstr(text, "a &amp; b"));
  assert_non_null(strstr(text, "</svg>"));
  assert_null(strstr(text, "nan"));
}
