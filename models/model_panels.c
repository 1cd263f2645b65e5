/* A ring paved with polygons: quads, hexagons with two corners of 180 degrees, and concave polygons of eight corners.
 *
 * The grid of the ring is divided into blocks of two by three quads, each paved in one of three ways; every grid point
 * is a corner of all polygons around it, so that no corner lies inside an edge. The polygons bend with the surface.
 * Each is the union of some quads, whose halves are its triangles. */
#include "models/model_table.h"
#include "models/seeded_random.h"

enum { BLOCK_ROWS = 2, BLOCK_COLUMNS = 3, PANEL_CORNERS_MOST = 8, PANEL_QUADS_MOST = 3, PANELS_MOST = 6 };

/* Positions are row * 16 + column; quads are named by their position of lowest row and column. */
typedef struct panel {
  uint8_t corner_count, quad_count;
  uint8_t corners[PANEL_CORNERS_MOST];
  uint8_t quads[PANEL_QUADS_MOST];
} panel;

typedef struct paving {
  uint8_t panel_count, corner_count;
  panel panels[PANELS_MOST];
} paving;

static const paving pavings[3] = {
    {2,
     16,
     {{8, 3, {0x00, 0x01, 0x02, 0x12, 0x11, 0x21, 0x20, 0x10}, {0x00, 0x01, 0x10}},
      {8, 3, {0x02, 0x03, 0x13, 0x23, 0x22, 0x21, 0x11, 0x12}, {0x02, 0x11, 0x12}}}},
    {6,
     24,
     {{4, 1, {0x00, 0x01, 0x11, 0x10}, {0x00}},
      {4, 1, {0x01, 0x02, 0x12, 0x11}, {0x01}},
      {4, 1, {0x02, 0x03, 0x13, 0x12}, {0x02}},
      {4, 1, {0x10, 0x11, 0x21, 0x20}, {0x10}},
      {4, 1, {0x11, 0x12, 0x22, 0x21}, {0x11}},
      {4, 1, {0x12, 0x13, 0x23, 0x22}, {0x12}}}},
    {3,
     18,
     {{6, 2, {0x00, 0x01, 0x11, 0x21, 0x20, 0x10}, {0x00, 0x10}},
      {6, 2, {0x01, 0x02, 0x12, 0x22, 0x21, 0x11}, {0x01, 0x11}},
      {6, 2, {0x02, 0x03, 0x13, 0x23, 0x22, 0x12}, {0x02, 0x12}}}},
};

static const paving *choose_paving(random_stream *stream) {
  return &pavings[random_bits(stream) % 3];
}

/* The grid point at a position of the block that begins at (row, column). */
static uint64_t place_vertex(const grid_shape *shape, uint64_t row, uint64_t column, uint8_t place) {
  return grid_vertex(shape, row + (place >> 4), column + (place & 15));
}

static void write_panel(const grid_shape *shape, uint64_t row, uint64_t column, const panel *chosen, size_t polygon,
                        mesh *m, size_t *triangle_inout) {
  uint32_t *corners = m->corners + m->polygon_first[polygon];
  for (size_t i = 0; i < chosen->corner_count; ++i) {
    corners[i] = (uint32_t)place_vertex(shape, row, column, chosen->corners[i]);
  }
  m->polygon_first[polygon + 1] = m->polygon_first[polygon] + chosen->corner_count;
  for (size_t i = 0; i < chosen->quad_count; ++i) {
    const uint8_t quad = chosen->quads[i];
    const uint64_t a = place_vertex(shape, row, column, quad), b = place_vertex(shape, row, column, quad + 0x01);
    const uint64_t c = place_vertex(shape, row, column, quad + 0x11), d = place_vertex(shape, row, column, quad + 0x10);
    for (size_t half = 0; half < 2; ++half) {
      m->triangle_polygon[*triangle_inout] = (uint32_t)polygon;
      mesh_set_triangle(m, (*triangle_inout)++, a, half == 0 ? b : c, half == 0 ? c : d);
    }
  }
}

static void write_panels(const grid_shape *shape, uint64_t seed, mesh *m) {
  random_stream stream = random_stream_make(seed, 61);
  size_t polygon = 0, triangle = 0;
  m->polygon_first[0] = 0;
  for (uint64_t row = 0; row < shape->rows; row += BLOCK_ROWS) {
    for (uint64_t column = 0; column < shape->columns; column += BLOCK_COLUMNS) {
      const paving *chosen = choose_paving(&stream);
      for (size_t i = 0; i < chosen->panel_count; ++i) {
        write_panel(shape, row, column, &chosen->panels[i], polygon++, m, &triangle);
      }
    }
  }
}

static void write_ring_points(const grid_shape *shape, double tube, mesh *m) {
  for (uint64_t column = 0; column < shape->columns; ++column) {
    const double along = (double)column / (double)shape->columns;
    const double along_cosine = cosine_of_turns(along), along_sine = sine_of_turns(along);
    for (uint64_t row = 0; row < shape->rows; ++row) {
      const double around = -(double)row / (double)shape->rows;
      const double radius = 1.0 + tube * cosine_of_turns(around);
      const point3 p = point3_make(radius * along_cosine, tube * sine_of_turns(around), radius * along_sine);
      mesh_set_vertex(m, grid_vertex(shape, row, column), p);
    }
  }
}

/* A block has 11 / 3 polygons on average. */
bool make_panels(const model_parameters *parameters, model_output *output) {
  const double tube = 0.4, blocks = (double)parameters->primitives * 3.0 / 11.0;
  const uint64_t rows = BLOCK_ROWS * rounded_count(sqrt(blocks * tube * BLOCK_COLUMNS / BLOCK_ROWS), 2);
  const uint64_t columns = BLOCK_COLUMNS * rounded_count(blocks * BLOCK_ROWS / (double)rows, 2);
  const grid_shape shape = {rows, columns, true, true};
  random_stream stream = random_stream_make(parameters->seed, 61);
  uint64_t polygon_count = 0, corner_count = 0;
  for (uint64_t i = 0; i < rows / BLOCK_ROWS * (columns / BLOCK_COLUMNS); ++i) {
    const paving *chosen = choose_paving(&stream);
    polygon_count += chosen->panel_count;
    corner_count += chosen->corner_count;
  }
  if (!model_output_reserve(output, 1)) return false;
  mesh *m = model_output_add_polygons(output, "panels", grid_vertex_count(&shape), polygon_count, corner_count);
  if (m == NULL) return false;
  write_ring_points(&shape, tube, m);
  write_panels(&shape, parameters->seed, m);
  return true;
}
