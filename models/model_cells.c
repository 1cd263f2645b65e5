/* Blocks of polyhedral cells: truncated octahedra, which fill space (Kelvin, "On the division of space with minimum
 * partitional area", 1887). Each has six squares and eight hexagons; its corners are the permutations and signs of (0,
 * 1, 2) around its center, and centers are on a body-centered lattice of side 4. So all corners are whole numbers times
 * a power of two, every face is exactly flat, and stays flat under a shear by sixteenths. Cells of a block share their
 * vertices; each has its own faces, pointing outward. */
#include "models/model_table.h"
#include "models/seeded_random.h"

#include <stdlib.h>
#include <string.h>

enum { CELL_FACES = 14, CELL_CORNERS = 72, SQUARE_CORNERS = 4, HEXAGON_CORNERS = 6 };

/* Corners of all faces around the center: squares first. */
typedef struct cell_shape {
  int8_t corner[CELL_CORNERS][3];
  uint8_t face_first[CELL_FACES + 1];
} cell_shape;

/* `number` from 0 to 5 selects a square: axis and side. Corners are counterclockwise from outside. */
static void write_square(int number, int8_t corners[SQUARE_CORNERS][3]) {
  static const int8_t around[SQUARE_CORNERS][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  const int axis = number / 2, side = number % 2 == 0 ? 1 : -1;
  for (int i = 0; i < SQUARE_CORNERS; ++i) {
    const int from = side > 0 ? i : SQUARE_CORNERS - 1 - i;
    corners[i][axis] = (int8_t)(2 * side);
    corners[i][(axis + 1) % 3] = around[from][0];
    corners[i][(axis + 2) % 3] = around[from][1];
  }
}

/* `number` from 0 to 7 selects a hexagon: its bits are the signs of the three axes. */
static void write_hexagon(int number, int8_t corners[HEXAGON_CORNERS][3]) {
  static const int8_t around[HEXAGON_CORNERS][3] = {{0, 1, 2}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}, {1, 2, 0}, {0, 2, 1}};
  const bool is_mirrored = ((number >> 2 ^ number >> 1 ^ number) & 1) != 0;
  for (int i = 0; i < HEXAGON_CORNERS; ++i) {
    const int from = is_mirrored ? HEXAGON_CORNERS - 1 - i : i;
    for (int axis = 0; axis < 3; ++axis) {
      corners[i][axis] = (int8_t)(number >> axis & 1 ? -around[from][axis] : around[from][axis]);
    }
  }
}

static cell_shape make_cell_shape(void) {
  cell_shape shape;
  int corner = 0;
  for (int face = 0; face < CELL_FACES; ++face) {
    shape.face_first[face] = (uint8_t)corner;
    if (face < 6) write_square(face, &shape.corner[corner]);
    if (face >= 6) write_hexagon(face - 6, &shape.corner[corner]);
    corner += face < 6 ? SQUARE_CORNERS : HEXAGON_CORNERS;
  }
  shape.face_first[CELL_FACES] = (uint8_t)corner;
  return shape;
}

/* Cells with centers 4 i + 2 and 4 i + 4 along each axis. The lattice point (x, y, z), each from 0 to 4 count + 2, has
 * the vertex number vertex_of[...], or UINT32_MAX. */
typedef struct cell_block {
  uint64_t count[3];
  uint64_t vertex_count;
  uint32_t *vertex_of;
} cell_block;

static uint64_t lattice_side(const cell_block *block, int axis) {
  return 4 * block->count[axis] + 3;
}

static uint64_t cell_total(const cell_block *block) {
  return 2 * block->count[0] * block->count[1] * block->count[2];
}

static uint64_t lattice_point(const cell_block *block, uint64_t cell, const int8_t corner[3]) {
  const uint64_t place = cell / 2, shift = 2 + 2 * (cell % 2);
  const uint64_t at[3] = {place % block->count[0], place / block->count[0] % block->count[1],
                          place / block->count[0] / block->count[1]};
  uint64_t point = 0;
  for (int axis = 2; axis >= 0; --axis) {
    point = point * lattice_side(block, axis) + (4 * at[axis] + shift + (uint64_t)(int64_t)corner[axis]);
  }
  return point;
}

/* Numbers vertices in the order in which cells use them. */
static bool number_vertices(cell_block *block, const cell_shape *shape, model_output *output) {
  const uint64_t points = lattice_side(block, 0) * lattice_side(block, 1) * lattice_side(block, 2);
  block->vertex_of = model_output_scratch(output, points, sizeof *block->vertex_of);
  if (block->vertex_of == NULL) return false;
  memset(block->vertex_of, 0xff, (size_t)points * sizeof *block->vertex_of);
  for (uint64_t cell = 0; cell < cell_total(block); ++cell) {
    for (int corner = 0; corner < CELL_CORNERS; ++corner) {
      uint32_t *vertex = &block->vertex_of[lattice_point(block, cell, shape->corner[corner])];
      if (*vertex == UINT32_MAX) *vertex = (uint32_t)block->vertex_count++;
    }
  }
  return true;
}

static void write_cells(const cell_block *block, const cell_shape *shape, mesh *m) {
  for (uint64_t cell = 0; cell < cell_total(block); ++cell) {
    m->cell_first[cell] = (uint32_t)(cell * CELL_FACES);
    for (uint64_t face = 0; face < CELL_FACES; ++face) {
      m->face_first[cell * CELL_FACES + face] = (uint32_t)(cell * CELL_CORNERS + shape->face_first[face]);
    }
    for (uint64_t corner = 0; corner < CELL_CORNERS; ++corner) {
      const uint64_t point = lattice_point(block, cell, shape->corner[corner]);
      m->face_corners[cell * CELL_CORNERS + corner] = block->vertex_of[point];
    }
  }
  m->cell_first[m->cell_count] = (uint32_t)m->face_count;
  m->face_first[m->face_count] = (uint32_t)(m->cell_count * CELL_CORNERS);
}

/* A shear by whole sixteenths up to a half, and a power of two that scales the block to about one: all exact. */
static void write_cell_vertices(const cell_block *block, uint64_t shear_seed, mesh *m) {
  random_stream stream = random_stream_make(shear_seed, 51);
  double shear[3] = {0.0, 0.0, 0.0}, side = 1.0;
  for (int i = 0; shear_seed != 0 && i < 3; ++i) shear[i] = ((double)(random_bits(&stream) % 17) - 8.0) / 16.0;
  while (side * (double)lattice_side(block, 0) > 1.5) side *= 0.5;
  const uint64_t row = lattice_side(block, 0), layer = row * lattice_side(block, 1);
  for (uint64_t point = 0; point < layer * lattice_side(block, 2); ++point) {
    if (block->vertex_of[point] == UINT32_MAX) continue;
    const double x = (double)(point % row), y = (double)(point / row % lattice_side(block, 1));
    const double z = (double)(point / layer);
    const point3 sheared = point3_make(x + shear[0] * y + shear[1] * z, y + shear[2] * z, z);
    mesh_set_vertex(m, block->vertex_of[point], point3_scale(sheared, side));
  }
}

static mesh *add_cells(model_output *output, const char *name, double target, uint64_t shear_seed) {
  cell_block block = {{1, 1, 1}, 0, NULL};
  block.count[0] = block.count[1] = rounded_count(cube_root(1.0 + target / 2.0), 1);
  block.count[2] = rounded_count(target / 2.0 / (double)(block.count[0] * block.count[1]), 1);
  const cell_shape shape = make_cell_shape();
  if (!number_vertices(&block, &shape, output)) return NULL;
  const uint64_t cells = cell_total(&block);
  mesh *m = model_output_add_cells(output, name, block.vertex_count, cells, cells * CELL_FACES, cells * CELL_CORNERS);
  if (m != NULL) {
    write_cell_vertices(&block, shear_seed, m);
    write_cells(&block, &shape, m);
  }
  free(block.vertex_of);
  return m;
}

bool make_cells(const model_parameters *parameters, model_output *output) {
  return model_output_reserve(output, 1) &&
         add_cells(output, "cells", (double)parameters->primitives, parameters->seed) != NULL;
}

/* The second block begins at about a third of the first along each axis, at multiples of 1/64, so that nothing
 * rounds. */
bool make_cell_pair(const model_parameters *parameters, model_output *output) {
  if (!model_output_reserve(output, 2)) return false;
  random_stream stream = random_stream_make(parameters->seed, 52);
  const double half = (double)parameters->primitives / 2.0;
  if (add_cells(output, "cells_0", half, parameters->seed) == NULL) return false;
  mesh *second = add_cells(output, "cells_1", half, random_bits(&stream) | 1);
  if (second == NULL) return false;
  double shift[3];
  for (int axis = 0; axis < 3; ++axis) shift[axis] = (double)(16 + random_bits(&stream) % 16) / 64.0;
  mesh_place(second, 1.0, point3_make(shift[0], shift[1], shift[2]));
  return true;
}
