/* A block of boxes that touch each other exactly, and the same block with coordinates moved by single units in the last
 * place.
 *
 * Every box has its own eight vertices, computed from integer lattice coordinates by one multiplication, so that the
 * common sides of two boxes agree to the bit: each contact is coplanar, with edges on edges and corners on corners.
 * Boxes of even and odd lattice place form two objects in a checkerboard pattern: sides touch between the objects,
 * edges and corners also within them. */
#include "models/model_table.h"
#include "models/seeded_random.h"

#include <string.h>

/* Not powers of two, so that lattice coordinates are rounded, and different for each axis. */
static const double box_side[3] = {0.1, 0.07, 0.13};

typedef struct box_block {
  uint64_t count[3];
  bool is_jittered;
  random_stream stream;
} box_block;

/* The neighboring double in the direction of `steps` (-1, 0 or 1), by the order of bit patterns. Zero becomes the
 * smallest subnormal. */
static double step_last_place(double value, int steps) {
  if (steps == 0) return value;
  if (value == 0.0) return steps * 0x1p-1074;
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits += (value > 0.0) == (steps > 0) ? 1 : UINT64_MAX;
  memcpy(&value, &bits, sizeof bits);
  return value;
}

/* Bits 0, 1, 2 of a corner number select the upper end on x, y, z. Sides are in the order -x +x -y +y -z +z, corners
 * counterclockwise from outside. */
static const uint8_t side_corners[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                           {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

static void write_box(box_block *block, const uint64_t place[3], mesh *m, uint64_t box) {
  for (uint64_t corner = 0; corner < 8; ++corner) {
    double *position = m->positions + 3 * (8 * box + corner);
    for (uint64_t axis = 0; axis < 3; ++axis) {
      const uint64_t lattice = place[axis] + (corner >> axis & 1);
      position[axis] = ((double)lattice - (double)(block->count[axis] / 2)) * box_side[axis];
      if (block->is_jittered)
        position[axis] = step_last_place(position[axis], (int)(random_bits(&block->stream) % 3) - 1);
    }
  }
  const uint64_t diagonals = random_bits(&block->stream);
  for (uint64_t side = 0; side < 6; ++side) {
    const uint64_t turn = diagonals >> side & 1;
    uint64_t corner[4];
    for (uint64_t i = 0; i < 4; ++i) corner[i] = 8 * box + side_corners[side][(i + turn) % 4];
    mesh_set_triangle(m, 12 * box + 2 * side, corner[0], corner[1], corner[2]);
    mesh_set_triangle(m, 12 * box + 2 * side + 1, corner[0], corner[2], corner[3]);
  }
}

static bool make_block(const model_parameters *parameters, model_output *output, bool is_jittered) {
  const double boxes = (double)parameters->primitives / 12.0;
  box_block block = {{0, 0, 0}, is_jittered, random_stream_make(parameters->seed, 31)};
  block.count[0] = rounded_count(cube_root(boxes < 1.0 ? 1.0 : boxes), 1);
  block.count[1] = rounded_count(sqrt(boxes / (double)block.count[0]), 1);
  block.count[2] = rounded_count(boxes / (double)(block.count[0] * block.count[1]), 1);
  const uint64_t total = block.count[0] * block.count[1] * block.count[2], odd = total / 2, even = total - odd;
  if (!model_output_reserve(output, 2)) return false;
  mesh *meshes[2] = {NULL, NULL};
  meshes[0] = model_output_add(output, "even_boxes", 8 * even, 12 * even);
  if (meshes[0] != NULL) meshes[1] = model_output_add(output, "odd_boxes", 8 * odd, 12 * odd);
  if (meshes[1] == NULL) return false;
  uint64_t written[2] = {0, 0}, place[3];
  for (place[2] = 0; place[2] < block.count[2]; ++place[2])
    for (place[1] = 0; place[1] < block.count[1]; ++place[1])
      for (place[0] = 0; place[0] < block.count[0]; ++place[0]) {
        const uint64_t color = (place[0] + place[1] + place[2]) % 2;
        write_box(&block, place, meshes[color], written[color]++);
      }
  return true;
}

bool make_boxes(const model_parameters *parameters, model_output *output) {
  return make_block(parameters, output, false);
}

bool make_jittered_boxes(const model_parameters *parameters, model_output *output) {
  return make_block(parameters, output, true);
}
