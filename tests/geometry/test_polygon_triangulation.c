/* Tests polygons cut into triangles, exactly: the triangles of a polygon are connected by its diagonals, have its
 * orientation, and their areas add up to its own in integers of any size. A map of a disc that never flips and whose
 * rim runs once along the outline covers the inside exactly once. */
#include <stddef.h>
#include <stdint.h>

#include <gmp.h>
#include <stdlib.h>

#include "geometry/polygon_triangulation.h"
#include "pair_generator.h"
#include "reference_triangulation.h"
#include "test_effort.h"
#include "testing.h"

#ifdef TEST_IS_SANITIZED
enum { ROUNDS = 20, LARGE_CORNERS = 20000, COMPARED_CORNERS = 400 };
#else
enum { ROUNDS = 200, LARGE_CORNERS = 100000, COMPARED_CORNERS = 3000 };
#endif

enum { CORNERS_MOST = 200000 };

typedef struct polygon {
  double (*points)[3];
  uint32_t count;
  uint32_t (*triangles)[3], (*reference)[3];
  uint32_t *scratch;
  uint64_t *edges;
  pair_generator random;
} polygon;

static int set_up(void **state) {
  static polygon made;
  made.points = calloc(CORNERS_MOST, sizeof *made.points);
  made.triangles = calloc(CORNERS_MOST, sizeof *made.triangles);
  made.reference = calloc(CORNERS_MOST, sizeof *made.reference);
  made.scratch = calloc(polygon_triangulate_scratch(CORNERS_MOST), sizeof *made.scratch);
  made.edges = calloc(3 * (size_t)CORNERS_MOST, sizeof *made.edges);
  *state = &made;
  return made.points == NULL || made.triangles == NULL || made.reference == NULL || made.scratch == NULL ||
         made.edges == NULL;
}

static int tear_down(void **state) {
  polygon *made = *state;
  free(made->points);
  free(made->triangles);
  free(made->reference);
  free(made->scratch);
  free(made->edges);
  return 0;
}

static uint32_t below(polygon *p, uint32_t bound) {
  return pair_generator_below(&p->random, bound);
}

static void start(polygon *p, uint64_t seed) {
  p->count = 0;
  p->random = (pair_generator){seed};
}

static void add(polygon *p, double x, double y) {
  assert_true(p->count < CORNERS_MOST);
  p->points[p->count][0] = x;
  p->points[p->count][1] = y;
  p->points[p->count++][2] = 0.0;
}

static void split(polygon *p) {
  for (uint32_t i = 0; i + 2 < p->count; ++i) memset(p->triangles[i], 0xff, sizeof p->triangles[i]);
  polygon_triangulate(p->points[0], p->count, p->scratch, p->triangles);
}

/* ------------------------------------------------------------------------------------------------ the reference */

static int by_value(const void *left, const void *right) {
  const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return a < b ? -1 : a > b;
}

/* Every edge of the polygon in one triangle, in its direction; every other edge in two, in both directions. */
static void check_connection(polygon *p) {
  size_t count = 0;
  for (uint32_t i = 0; i + 2 < p->count; ++i) {
    for (int k = 0; k < 3; ++k) {
      const uint64_t from = p->triangles[i][k], to = p->triangles[i][(k + 1) % 3];
      assert_true(from < p->count && to < p->count && from != to);
      if (to == (from + 1) % p->count) continue;
      p->edges[count++] = from < to ? from << 33 | to << 1 : to << 33 | from << 1 | 1;
    }
  }
  assert_int_equal(count, 2 * ((size_t)p->count - 3));
  qsort(p->edges, count, sizeof *p->edges, by_value);
  for (size_t i = 0; i < count; i += 2) {
    assert_true(p->edges[i] + 1 == p->edges[i + 1] && (p->edges[i] & 1) == 0);
    assert_true(i == 0 || p->edges[i] != p->edges[i - 2]);
  }
}

static void add_cross_product(mpq_t sum, const double *a, const double *b, int x, int y) {
  mpq_t left, right, factor;
  mpq_inits(left, right, factor, NULL);
  mpq_set_d(left, a[x]);
  mpq_set_d(factor, b[y]);
  mpq_mul(left, left, factor);
  mpq_set_d(right, a[y]);
  mpq_set_d(factor, b[x]);
  mpq_mul(right, right, factor);
  mpq_sub(left, left, right);
  mpq_add(sum, sum, left);
  mpq_clears(left, right, factor, NULL);
}

/* How many triangles have no area in the view along `axis`; all others turn the same way and their areas sum up to the
 * polygon's, exactly. */
static uint32_t check_areas(const polygon *p, int axis) {
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  uint32_t flat = 0;
  mpq_t whole, sum, part;
  mpq_inits(whole, sum, part, NULL);
  for (uint32_t i = 0; i < p->count; ++i) add_cross_product(whole, p->points[i], p->points[(i + 1) % p->count], x, y);
  for (uint32_t i = 0; i + 2 < p->count; ++i) {
    const uint32_t *t = p->triangles[i];
    mpq_set_ui(part, 0, 1);
    for (int k = 0; k < 3; ++k) add_cross_product(part, p->points[t[k]], p->points[t[(k + 1) % 3]], x, y);
    flat += mpq_sgn(part) == 0;
    assert_true(mpq_sgn(part) * mpq_sgn(whole) >= 0);
    mpq_add(sum, sum, part);
  }
  assert_true(mpq_equal(whole, sum));
  mpq_clears(whole, sum, part, NULL);
  return flat;
}

/* Both ways round, and from another first corner. */
static void check_split(polygon *p, uint32_t expected_flat) {
  for (int way = 0; way < 3; ++way) {
    split(p);
    check_connection(p);
    assert_int_equal(check_areas(p, 2), expected_flat);
    const uint32_t turned = way == 0 ? 0 : 1 + below(p, p->count - 1);
    for (uint32_t i = turned, j = p->count - 1; i < j; ++i, --j) {
      double kept[3];
      memcpy(kept, p->points[i], sizeof kept);
      memcpy(p->points[i], p->points[j], sizeof kept);
      memcpy(p->points[j], kept, sizeof kept);
    }
    if (way == 1) break;
  }
}

static void check_simple(polygon *p) {
  check_split(p, 0);
}

/* ------------------------------------------------------------------------------------------------ outlines */

/* Seen from the origin every direction meets the outline once. Directions are the points of a square's rim in order. */
static void make_star(polygon *p, uint32_t corners, double least_radius) {
  for (uint32_t i = 0; i < corners; ++i) {
    const uint32_t place = (uint32_t)((uint64_t)i * 8000 / corners), side = place / 2000;
    const double along = (double)(place % 2000) / 1000.0 - 1.0;
    const double radius = least_radius + (double)below(p, 1u << 30) * 0x1p-30;
    const double x[4] = {1.0, -along, -1.0, along}, y[4] = {along, 1.0, -along, -1.0};
    add(p, radius * x[side], radius * y[side]);
  }
}

/* A corridor that winds inward on the lattice: every wall has as many corners of 180 degrees as fit. */
static void make_spiral(polygon *p, int32_t turns, bool with_flat_corners) {
  static const int32_t step[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  int32_t(*path)[2] = malloc((size_t)(4 * turns + 4) * sizeof *path);
  assert_non_null(path);
  int32_t x = 0, y = 0, length = 4 * turns + 4, count = 0;
  path[count][0] = x;
  path[count++][1] = y;
  for (int32_t i = 0; i < 4 * turns - 2; ++i) {
    x += step[i % 4][0] * length;
    y += step[i % 4][1] * length;
    if (i > 0 && i % 2 == 0) length -= 2;
    path[count][0] = x;
    path[count++][1] = y;
  }
  /* The outer wall goes in along the path; the inner comes back beside it, one to the left. */
  for (int32_t i = 0; i < count; ++i) {
    const int32_t before = i == 0 ? 0 : i - 1;
    for (int32_t k = 1; with_flat_corners && i > 0; ++k) {
      const int32_t px = path[before][0] + k * step[before % 4][0], py = path[before][1] + k * step[before % 4][1];
      if (px == path[i][0] && py == path[i][1]) break;
      add(p, px, py);
    }
    add(p, path[i][0], path[i][1]);
  }
  for (int32_t i = count - 1; i >= 0; --i) {
    const int32_t *in = step[(i + 3) % 4], *out = step[i % 4];
    const int32_t left_in[2] = {-in[1], in[0]}, left_out[2] = {-out[1], out[0]};
    const bool is_first = i == 0, is_last = i == count - 1;
    add(p, path[i][0] + (is_first ? 0 : left_in[0]) + (is_last ? 0 : left_out[0]),
        path[i][1] + (is_first ? 0 : left_in[1]) + (is_last ? 0 : left_out[1]));
  }
  free(path);
}

static void make_comb(polygon *p, uint32_t teeth) {
  add(p, 2.0 * teeth, -1.0);
  for (uint32_t i = teeth; i-- > 0;) {
    add(p, 2.0 * i + 1.75, 0.0);
    add(p, 2.0 * i + 1.0 + 0x1p-20 * below(p, 1000), 50.0 + below(p, 100));
    add(p, 2.0 * i + 0.25, 0.0);
  }
  add(p, 0.0, -1.0);
}

enum { MAZE = 31 };

static bool maze_open(const uint8_t maze[MAZE][MAZE], int x, int y) {
  return x >= 0 && y >= 0 && x < MAZE && y < MAZE && maze[x][y] != 0;
}

/* A random tree of cells on the lattice of odd places; the cells and passages are the inside of the outline. */
static void make_maze(polygon *p, uint32_t steps) {
  static const int way[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  uint8_t maze[MAZE][MAZE] = {{0}};
  int path[MAZE * MAZE][2], depth = 0;
  path[0][0] = path[0][1] = 1;
  maze[1][1] = 1;
  for (uint32_t i = 0; i < steps; ++i) {
    const int *w = way[below(p, 4)], x = path[depth][0], y = path[depth][1];
    const int nx = x + 2 * w[0], ny = y + 2 * w[1];
    if (nx > 0 && ny > 0 && nx < MAZE && ny < MAZE && maze[nx][ny] == 0) {
      maze[nx][ny] = maze[x + w[0]][y + w[1]] = 1;
      ++depth;
      path[depth][0] = nx;
      path[depth][1] = ny;
    } else if (depth > 0 && below(p, 3) == 0) {
      --depth;
    }
  }
  /* Along the rim with the inside to the left, one lattice step at a time: every step is a corner. */
  int x = 1, y = 1, facing = 0;
  do {
    add(p, x, y);
    for (int turn = 1; turn >= -1; --turn) {
      const int d = (facing + turn + 4) % 4;
      const int left_x = x + (d == 1 || d == 2 ? -1 : 0), left_y = y + (d == 2 || d == 3 ? -1 : 0);
      const int right_x = left_x + way[d][1], right_y = left_y - way[d][0];
      if (!maze_open(maze, left_x, left_y) || maze_open(maze, right_x, right_y)) continue;
      facing = d;
      break;
    }
    x += way[facing][0];
    y += way[facing][1];
  } while (x != 1 || y != 1);
}

/* A chain of squares along the diagonal, each tied to the one before by a path that is walked both ways, straight or
 * with two bends. `inner` walks them clockwise. */
static void make_chain(polygon *p, uint32_t squares, bool bent, bool inner) {
  for (uint32_t i = 0; i < squares; ++i) {
    const double low = 4.0 * i + 2.0;
    if (bent) add(p, low - 1.5, low - 1.0);
    if (bent) add(p, low - 0.5, low - 1.0);
    add(p, low, low);
    add(p, low + (inner ? 0.0 : 2.0), low + (inner ? 2.0 : 0.0));
    if (i + 1 < squares) add(p, low + 2.0, low + 2.0);
  }
  for (uint32_t i = squares; i-- > 0;) {
    const double low = 4.0 * i + 2.0;
    add(p, low + 2.0, low + 2.0);
    add(p, low + (inner ? 2.0 : 0.0), low + (inner ? 0.0 : 2.0));
    add(p, low, low);
    if (bent) add(p, low - 0.5, low - 1.0);
    if (bent) add(p, low - 1.5, low - 1.0);
  }
}

/* A square with such a chain of holes. */
static void make_holes(polygon *p, uint32_t holes, bool bent) {
  const double side = 4.0 * holes + 1.0;
  make_chain(p, holes, bent, true);
  add(p, 0.0, 0.0);
  add(p, side, 0.0);
  add(p, side, side);
  add(p, 0.0, side);
  add(p, 0.0, 0.0);
}

/* ------------------------------------------------------------------------------------------------ tests */

TEST(convex_polygons_become_fans) {
  polygon *p = *state;
  for (uint32_t n = 3; n <= 40; ++n) {
    start(p, n);
    for (uint32_t i = 0; i < n; ++i) add(p, (double)i, (double)(i * i));
    split(p);
    for (uint32_t i = 0; i + 2 < n; ++i) {
      const uint32_t expected[3] = {0, i + 1, i + 2};
      assert_memory_equal(p->triangles[i], expected, sizeof expected);
    }
    check_simple(p);
  }
}

TEST(concave_quads_take_the_inner_diagonal) {
  polygon *p = *state;
  static const double arrow[4][2] = {{0, 0}, {4, 0}, {1, 1}, {0, 4}};
  for (uint32_t first = 0; first < 4; ++first) {
    start(p, first);
    for (uint32_t i = 0; i < 4; ++i) add(p, arrow[(first + i) % 4][0], arrow[(first + i) % 4][1]);
    check_simple(p);
    start(p, first);
    for (uint32_t i = 0; i < 4; ++i)
      add(p, arrow[(first + i) % 4][0] == 1 ? 2 : arrow[(first + i) % 4][0],
          arrow[(first + i) % 4][1] == 1 ? 2 : arrow[(first + i) % 4][1]);
    check_simple(p);
  }
}

TEST(simple_polygons_are_covered_once) {
  polygon *p = *state;
  for (uint64_t seed = 0; seed < ROUNDS; ++seed) {
    start(p, seed);
    make_star(p, 3 + (uint32_t)seed % 200, seed % 3 == 0 ? 0x1p-20 : 0.2);
    check_simple(p);
    start(p, seed);
    make_maze(p, 10 + 10 * (uint32_t)seed);
    check_simple(p);
    start(p, seed);
    make_comb(p, 1 + (uint32_t)seed % 50);
    check_simple(p);
    start(p, seed);
    make_spiral(p, 1 + (int32_t)seed % 12, seed % 2 == 0);
    check_simple(p);
  }
  start(p, 7);
  make_star(p, 2000, 0.01);
  check_simple(p);
  start(p, 7);
  make_comb(p, 660);
  check_simple(p);
}

TEST(polygons_with_holes_are_covered_once) {
  polygon *p = *state;
  for (uint32_t holes = 1; holes < 40; ++holes) {
    start(p, holes);
    make_holes(p, holes, holes % 2 == 0);
    check_split(p, 0);
  }
}

/* Islands on a thread of no width: the islands are covered once, the thread by triangles without area. */
TEST(threaded_polygons_are_covered_once) {
  polygon *p = *state;
  for (uint32_t islands = 1; islands < 40; ++islands) {
    start(p, islands);
    make_chain(p, islands, islands % 2 == 0, false);
    split(p);
    check_connection(p);
    assert_int_equal(check_areas(p, 2), p->count - 2 - 2 * islands);
  }
}

TEST(repeated_corners_cost_one_empty_triangle_each) {
  polygon *p = *state;
  for (uint64_t seed = 0; seed < ROUNDS; ++seed) {
    start(p, seed);
    make_maze(p, 5 * (uint32_t)seed + 5);
    const uint32_t simple = p->count;
    uint32_t filled = 0;
    for (uint32_t i = 0; i < simple; ++i) {
      for (uint32_t copies = 1 + (below(p, 4) == 0) * below(p, 4); copies-- > 0;) {
        memcpy(p->points[simple + filled++], p->points[i], sizeof p->points[i]);
      }
    }
    memmove(p->points, p->points + simple, filled * sizeof *p->points);
    p->count = filled;
    check_split(p, filled - simple);
  }
}

/* Tilted by whole numbers the polygon stays exactly in a plane, and is covered in every view. */
TEST(tilted_polygons_are_covered_in_every_view) {
  polygon *p = *state;
  for (uint64_t seed = 0; seed < ROUNDS; ++seed) {
    start(p, seed);
    make_maze(p, 10 * (uint32_t)seed + 4);
    double across[2][3];
    for (int k = 0; k < 6; ++k) across[k / 3][k % 3] = (double)below(p, 2001) - 1000.0;
    for (uint32_t i = 0; i < p->count; ++i) {
      const double x = p->points[i][0], y = p->points[i][1];
      for (int axis = 0; axis < 3; ++axis) p->points[i][axis] = x * across[0][axis] + y * across[1][axis];
    }
    split(p);
    check_connection(p);
    for (int axis = 0; axis < 3; ++axis) check_areas(p, axis);
  }
}

TEST(bent_polygons_are_covered_in_their_view) {
  polygon *p = *state;
  for (uint64_t seed = 0; seed < ROUNDS; ++seed) {
    start(p, seed);
    make_star(p, 4 + (uint32_t)seed % 60, 0.3);
    for (uint32_t i = 0; i < p->count; ++i) p->points[i][2] = 0x1p-34 * below(p, 1u << 30);
    check_simple(p);
  }
}

TEST(scaling_changes_nothing) {
  polygon *p = *state;
  uint32_t first[600][3];
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (int exponent = -1000; exponent <= 1000; exponent += 250) {
      start(p, seed);
      if (seed % 2 == 0) make_star(p, 100, 0.1);
      if (seed % 2 == 1) make_maze(p, 200);
      assert_true(p->count <= 600);
      for (uint32_t i = 0; i < p->count; ++i) {
        for (int axis = 0; axis < 3; ++axis) p->points[i][axis] = ldexp(p->points[i][axis], exponent);
      }
      split(p);
      if (exponent == -1000) memcpy(first, p->triangles, (p->count - 2) * sizeof *first);
      assert_memory_equal(first, p->triangles, (p->count - 2) * sizeof *first);
    }
  }
}

/* Crossing, collinear or without any extent: no right answer, but n - 2 triangles that hang together. */
TEST(degenerate_polygons_give_as_many_triangles) {
  polygon *p = *state;
  for (uint64_t seed = 0; seed < 20 * ROUNDS; ++seed) {
    start(p, seed);
    const uint32_t n = 3 + below(p, 60), places = 1 + below(p, 6);
    for (uint32_t i = 0; i < n; ++i) {
      add(p, below(p, places), seed % 3 == 0 ? 0.0 : below(p, places));
      if (seed % 5 == 0) p->points[i][2] = below(p, places);
      if (seed % 7 == 0) p->points[i][0] *= 0x1.fffffffffffffp1023;
      if (seed % 11 == 0) p->points[i][1] *= 0x1p-1074;
    }
    split(p);
    check_connection(p);
  }
}

TEST(spikes_lose_nothing) {
  polygon *p = *state;
  static const double outward[7][2] = {{0, 0}, {4, 0}, {8, -4}, {4, 0}, {4, 4}, {2, 4}, {0, 4}};
  static const double inward[7][2] = {{0, 0}, {4, 0}, {2, 2}, {4, 0}, {4, 4}, {2, 4}, {0, 4}};
  start(p, 1);
  for (int i = 0; i < 7; ++i) add(p, outward[i][0], outward[i][1]);
  split(p);
  check_connection(p);
  assert_true(check_areas(p, 2) >= 2);
  start(p, 1);
  for (int i = 0; i < 7; ++i) add(p, inward[i][0], inward[i][1]);
  check_simple(p);
}

static void check_reference(polygon *p) {
  split(p);
  reference_triangulation(p->points[0], p->count, p->scratch, p->reference);
  for (uint32_t i = 0; i + 2 < p->count; ++i)
    assert_memory_equal(p->triangles[i], p->reference[i], sizeof p->reference[i]);
}

/* Corners anywhere, on a lattice, or one step from the last; some are repeated, some stand far out. Nearly all of these
 * rings cross themselves. */
static void make_tangle(polygon *p, uint32_t corners) {
  const uint32_t kind = below(p, 4), places = kind == 0 ? 1u << 20 : 1 + below(p, 40),
                 again = below(p, 3) * below(p, 5);
  double x = 0.0, y = 0.0;
  for (uint32_t i = 0; i < corners; ++i) {
    x = kind == 2 ? x + below(p, 3) - 1.0 : below(p, places);
    y = kind == 2 ? y + below(p, 3) - 1.0 : below(p, places);
    add(p, x, kind == 3 ? y * 0x1p-30 : y);
    if (i > 0 && below(p, 10) < again) memcpy(p->points[i], p->points[below(p, i)], sizeof p->points[i]);
    if (below(p, 50) == 0) p->points[i][0] += 1e9;
  }
}

TEST(triangles_are_those_of_the_reference) {
  polygon *p = *state;
  for (uint64_t seed = 0; seed < 40 * ROUNDS; ++seed) {
    start(p, seed);
    make_tangle(p, 3 + below(p, seed % 10 == 0 ? 300 : 40));
    check_reference(p);
  }
  for (uint64_t seed = 0; seed < ROUNDS; ++seed) {
    start(p, seed);
    make_star(p, 3 + (uint32_t)seed, seed % 3 == 0 ? 0x1p-20 : 0.2);
    check_reference(p);
    start(p, seed);
    make_maze(p, 10 + 10 * (uint32_t)seed);
    for (uint32_t i = 0; i < p->count; ++i) p->points[i][0] *= below(p, 20) == 0 ? -1.0 : 1.0;
    check_reference(p);
    start(p, seed);
    make_chain(p, 1 + (uint32_t)seed % 40, seed % 2 == 0, seed % 3 == 0);
    check_reference(p);
    start(p, seed);
    make_spiral(p, 1 + (int32_t)seed % 12, seed % 2 == 0);
    check_reference(p);
  }
}

TEST(large_rings_are_cut_as_the_reference_cuts) {
  polygon *p = *state;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    start(p, seed);
    make_tangle(p, COMPARED_CORNERS);
    check_reference(p);
  }
  start(p, 1);
  make_star(p, COMPARED_CORNERS, 0.001);
  check_reference(p);
  start(p, 1);
  make_comb(p, COMPARED_CORNERS / 3);
  check_reference(p);
  start(p, 1);
  make_spiral(p, COMPARED_CORNERS / 8, false);
  check_reference(p);
}

TEST(large_polygons_end) {
  polygon *p = *state;
  start(p, 1);
  make_star(p, LARGE_CORNERS, 0.001);
  split(p);
  check_connection(p);
  start(p, 1);
  make_comb(p, LARGE_CORNERS / 3);
  split(p);
  check_connection(p);
  start(p, 1);
  make_spiral(p, LARGE_CORNERS / 40, false);
  split(p);
  check_connection(p);
  start(p, 1);
  for (uint32_t i = 0; i < LARGE_CORNERS; ++i) add(p, i, (double)i * i);
  split(p);
  check_connection(p);
  for (int kind = 0; kind < 3; ++kind) {
    start(p, 1);
    for (uint32_t i = 0; i < LARGE_CORNERS; ++i) {
      add(p, kind == 0 ? 1.0 : below(p, 1u << 20), kind == 2 ? below(p, 1u << 20) : 1.0);
    }
    split(p);
    check_connection(p);
  }
}

TEST_GROUP(set_up, tear_down)
