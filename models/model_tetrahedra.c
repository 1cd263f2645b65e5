/* Solids of tetrahedra: box, ball, the pair of balls, and the soup. Every tetrahedron (a, b, c, d) except those of the
 * soup has a positive volume: seen from d, the triangle abc is counterclockwise.
 *
 * The box is a lattice of cubes, each cut into the six tetrahedra that go from its lowest corner to its highest along
 * three edges (Kuhn, "Some combinatorial lemmas in topology", 1960); all cubes are cut alike, so that faces agree.
 *
 * The ball is an octahedron of lattice points with |x| + |y| + |z| <= n, each moved along its ray to the distance (|x|
 * + |y| + |z|) / n. In an octant the planes x + y + z = constant cut each cube into two tetrahedra and an octahedron
 * between them, which is cut into four around one of its axes: 8 n^3 in total. All faces between cubes are lattice
 * triangles on the lines of those planes, so neighbors agree, also across octants, which mirror each other. */
#include "models/model_table.h"
#include "models/seeded_random.h"

/* ------------------------------------------------------------------------------------------------ box */

static const uint8_t axis_orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

typedef struct cube_block {
  uint64_t count[3]; /* cubes along each axis */
} cube_block;

static uint64_t block_vertex(const cube_block *block, const uint64_t at[3]) {
  return (at[2] * (block->count[1] + 1) + at[1]) * (block->count[0] + 1) + at[0];
}

static void write_cube(const cube_block *block, const uint64_t at[3], mesh *m, size_t first) {
  for (size_t order = 0; order < 6; ++order) {
    uint64_t place[3] = {at[0], at[1], at[2]}, corner[4];
    corner[0] = block_vertex(block, place);
    for (size_t step = 0; step < 3; ++step) {
      ++place[axis_orders[order][step]];
      corner[step + 1] = block_vertex(block, place);
    }
    /* The last three permutations are odd. */
    if (order < 3) mesh_set_tetrahedron(m, first + order, corner[0], corner[1], corner[2], corner[3]);
    if (order >= 3) mesh_set_tetrahedron(m, first + order, corner[0], corner[2], corner[1], corner[3]);
  }
}

/* Twice as long as high and deep. The side of a cube is a power of two, so that every coordinate is exact. */
bool make_tet_box(const model_parameters *parameters, model_output *output) {
  const uint64_t across = rounded_count(cube_root(1.0 + (double)parameters->primitives / 12.0), 1);
  const uint64_t along = rounded_count((double)parameters->primitives / 6.0 / (double)(across * across), 1);
  const cube_block block = {{along, across, across}};
  if (!model_output_reserve(output, 1)) return false;
  mesh *m = model_output_add_tetrahedra(output, "box", (along + 1) * (across + 1) * (across + 1),
                                        6 * along * across * across);
  if (m == NULL) return false;
  double side = 1.0;
  while (side * (double)across > 1.0) side *= 0.5;
  size_t written = 0;
  uint64_t at[3];
  for (at[2] = 0; at[2] <= across; ++at[2]) {
    for (at[1] = 0; at[1] <= across; ++at[1]) {
      for (at[0] = 0; at[0] <= along; ++at[0]) {
        const point3 p = point3_make(side * (double)at[0], side * (double)at[1], side * (double)at[2]);
        mesh_set_vertex(m, block_vertex(&block, at), p);
        if (at[0] == along || at[1] == across || at[2] == across) continue;
        write_cube(&block, at, m, written);
        written += 6;
      }
    }
  }
  mesh_turn(m, parameters->seed);
  return true;
}

/* ------------------------------------------------------------------------------------------------ ball */

/* Lattice points with |x| + |y| + |z| <= n are numbered by layers of z, rows of y, then x. k layers from a tip hold
 * 1 + 5 + 13 + ... = k (2 k^2 + 1) / 3 points, k rows from the end of a layer k^2. */
static uint64_t tip_points(uint64_t layers) {
  return layers * (2 * layers * layers + 1) / 3;
}

static uint64_t ball_points(uint64_t n) {
  return tip_points(n + 1) + tip_points(n);
}

static uint64_t ball_vertex(int64_t n, const int64_t at[3]) {
  const int64_t x = at[0], y = at[1], z = at[2];
  const int64_t m = n - (z < 0 ? -z : z), row = m - (y < 0 ? -y : y);
  const uint64_t layer =
      z <= 0 ? tip_points((uint64_t)(n + z)) : ball_points((uint64_t)n) - tip_points((uint64_t)m + 1);
  const int64_t before = y <= 0 ? (m + y) * (m + y) : 2 * m * m + 2 * m + 1 - (row + 1) * (row + 1);
  return layer + (uint64_t)(before + x + row);
}

static void write_ball_vertices(int64_t n, mesh *m) {
  size_t vertex = 0;
  for (int64_t z = -n; z <= n; ++z) {
    const int64_t layer = n - (z < 0 ? -z : z);
    for (int64_t y = -layer; y <= layer; ++y) {
      const int64_t row = layer - (y < 0 ? -y : y);
      for (int64_t x = -row; x <= row; ++x) {
        const point3 p = point3_make((double)x, (double)y, (double)z);
        const double level = fabs(p.x) + fabs(p.y) + fabs(p.z), length = sqrt(point3_dot(p, p));
        mesh_set_vertex(m, vertex++, level == 0.0 ? p : point3_scale(p, level / (length * (double)n)));
      }
    }
  }
}

/* A ball while its tetrahedra are written. Octahedra with a center vertex are distributed evenly. */
typedef struct ball_writer {
  mesh *m;
  int64_t n;
  int64_t sign[3]; /* of the axes of the octant */
  size_t tetrahedron;
  uint64_t octahedron, octahedron_count, middle_count;
} ball_writer;

static uint64_t ball_octahedra(uint64_t n) {
  return 8 * ((n - 1) * n * (n + 1) / 6);
}

/* The vertex at a corner of a cube, whose bits are steps along x, y, z. */
static uint64_t cube_corner(const ball_writer *ball, const int64_t at[3], int corner) {
  int64_t place[3];
  for (int axis = 0; axis < 3; ++axis) place[axis] = ball->sign[axis] * (at[axis] + (corner >> axis & 1));
  return ball_vertex(ball->n, place);
}

/* Corners in the order of a positive volume if the axes are not mirrored. */
static void write_piece(ball_writer *ball, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  const bool is_mirrored = ball->sign[0] * ball->sign[1] * ball->sign[2] < 0;
  mesh_set_tetrahedron(ball->m, ball->tetrahedron++, a, is_mirrored ? c : b, is_mirrored ? b : c, d);
}

static void write_corner_piece(ball_writer *ball, const int64_t at[3], const uint8_t corners[4]) {
  uint64_t vertex[4];
  for (int i = 0; i < 4; ++i) vertex[i] = cube_corner(ball, at, corners[i]);
  write_piece(ball, vertex[0], vertex[1], vertex[2], vertex[3]);
}

/* A face takes one corner of each axis of the octahedron; every second face has the opposite orientation. */
static void write_octahedron_around_middle(ball_writer *ball, const int64_t at[3], uint64_t middle) {
  static const uint8_t ends[3][2] = {{1, 6}, {2, 5}, {4, 3}};
  point3 sum = point3_make(0.0, 0.0, 0.0);
  for (int i = 1; i < 7; ++i) sum = point3_add(sum, mesh_vertex(ball->m, cube_corner(ball, at, i)));
  mesh_set_vertex(ball->m, middle, point3_scale(sum, 1.0 / 6.0));
  for (int face = 0; face < 8; ++face) {
    uint64_t vertex[3];
    for (int axis = 0; axis < 3; ++axis) vertex[axis] = cube_corner(ball, at, ends[axis][face >> axis & 1]);
    const bool is_turned = ((face >> 2 ^ face >> 1 ^ face) & 1) != 0;
    write_piece(ball, vertex[0], vertex[is_turned ? 2 : 1], vertex[is_turned ? 1 : 2], middle);
  }
}

static void write_octahedron(ball_writer *ball, const int64_t at[3]) {
  static const uint8_t quarters[4][4] = {{1, 6, 2, 4}, {1, 6, 4, 5}, {1, 6, 5, 3}, {1, 6, 3, 2}};
  const uint64_t before = ball->octahedron * ball->middle_count / ball->octahedron_count;
  const uint64_t after = ++ball->octahedron * ball->middle_count / ball->octahedron_count;
  if (after > before) {
    write_octahedron_around_middle(ball, at, ball_points((uint64_t)ball->n) + before);
    return;
  }
  for (int i = 0; i < 4; ++i) write_corner_piece(ball, at, quarters[i]);
}

static void write_ball_octant(ball_writer *ball) {
  static const uint8_t lower[4] = {0, 1, 2, 4}, upper[4] = {7, 5, 6, 3};
  const int64_t n = ball->n;
  int64_t at[3];
  for (at[2] = 0; at[2] < n; ++at[2]) {
    for (at[1] = 0; at[1] + at[2] < n; ++at[1]) {
      for (at[0] = 0; at[0] + at[1] + at[2] < n; ++at[0]) {
        const int64_t level = at[0] + at[1] + at[2];
        write_corner_piece(ball, at, lower);
        if (level + 2 <= n) write_octahedron(ball, at);
        if (level + 3 <= n) write_corner_piece(ball, at, upper);
      }
    }
  }
}

static double ball_least(uint64_t n) {
  return 8.0 * (double)(n * n * n);
}

/* The n whose range of numbers, from no center vertices to all, is nearest to the target; each center vertex adds
 * four. */
static uint64_t ball_size(double target) {
  uint64_t n = 1;
  while (ball_least(n + 1) <= target) ++n;
  const double most = ball_least(n) + 4.0 * (double)ball_octahedra(n);
  return target > most && ball_least(n + 1) - target < target - most ? n + 1 : n;
}

static mesh *add_ball(model_output *output, const char *name, double target) {
  const uint64_t n = ball_size(target);
  ball_writer ball = {NULL, (int64_t)n, {1, 1, 1}, 0, 0, ball_octahedra(n), 0};
  ball.middle_count = rounded_count((target - ball_least(n)) / 4.0, 0);
  if (ball.middle_count > ball.octahedron_count) ball.middle_count = ball.octahedron_count;
  ball.m = model_output_add_tetrahedra(output, name, ball_points(n) + ball.middle_count,
                                       8 * n * n * n + 4 * ball.middle_count);
  if (ball.m == NULL) return NULL;
  write_ball_vertices((int64_t)n, ball.m);
  for (int octant = 0; octant < 8; ++octant) {
    for (int axis = 0; axis < 3; ++axis) ball.sign[axis] = octant >> axis & 1 ? -1 : 1;
    write_ball_octant(&ball);
  }
  return ball.m;
}

bool make_tet_ball(const model_parameters *parameters, model_output *output) {
  if (!model_output_reserve(output, 1)) return false;
  mesh *m = add_ball(output, "ball", (double)parameters->primitives);
  if (m == NULL) return false;
  mesh_turn(m, parameters->seed);
  return true;
}

/* The second ball is rotated differently and moved by half a radius. */
bool make_tet_pair(const model_parameters *parameters, model_output *output) {
  if (!model_output_reserve(output, 2)) return false;
  random_stream stream = random_stream_make(parameters->seed, 41);
  const double half = (double)parameters->primitives / 2.0;
  mesh *first = add_ball(output, "ball_0", half);
  mesh *second = first == NULL ? NULL : add_ball(output, "ball_1", half);
  if (second == NULL) return false;
  mesh_turn(first, random_bits(&stream) | 1);
  mesh_turn(second, random_bits(&stream) | 1);
  mesh_place(second, 1.0, point3_scale(random_direction(&stream), 0.5));
  return true;
}

/* ------------------------------------------------------------------------------------------------ soup */

/* Four corners at random directions from a random center; the size varies by a factor of four. Random order inverts
 * half of them. Of every eight one is flat, in a plane of constant y, and of every 64 one is a segment or a point. */
bool make_tet_soup(const model_parameters *parameters, model_output *output) {
  const uint64_t count = parameters->primitives;
  if (!model_output_reserve(output, 1)) return false;
  mesh *m = model_output_add_tetrahedra(output, "soup", 4 * count, count);
  if (m == NULL) return false;
  random_stream stream = random_stream_make(parameters->seed, 42);
  const double size = 0.7 / cube_root((double)count);
  for (uint64_t i = 0; i < count; ++i) {
    const double x = random_unit(&stream), y = random_unit(&stream), z = random_unit(&stream);
    const double reach = size * random_between(&stream, 0.4, 1.6);
    for (uint64_t corner = 0; corner < 4; ++corner) {
      point3 offset = point3_scale(random_direction(&stream), reach);
      if (i % 8 == 7) offset.y = 0.0;
      if (i % 64 == 63) offset.z = 0.0;
      if (i % 128 == 127) offset.x = 0.0;
      mesh_set_vertex(m, 4 * i + corner, point3_add(point3_make(x, y, z), offset));
    }
    mesh_set_tetrahedron(m, i, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
  }
  return true;
}
