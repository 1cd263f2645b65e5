/* A polygon of n corners in space cut into n - 2 triangles by cutting off ears.
 *
 * The polygon is looked at along the axis in which its area is largest, and every decision there is an exact sign:
 * - A polygon that is simple in that view, with or without corners of 180 degrees, gives n - 2 triangles of its own
 *   orientation that cover it exactly and once. None has zero area, since such a polygon always has an ear: a corner of
 *   less than 180 degrees whose closed triangle holds no other corner. (Some diagonal always exists; cut along
 *   diagonals until triangles are left, and they hang together as a tree, whose leaves are ears.)
 * - A polygon that touches itself, as one with holes joined by double edges, is cut the same way. Corners at one place
 *   are told apart by where their edges go.
 * - A repeated corner, and a spike of no width where nothing else is left, give triangles of zero area: there are no
 *   others to give.
 * - A polygon that crosses itself or has no area has no right answer. It gives n - 2 triangles all the same, each
 * corner in at least one: ears while there are any, then corners of less than 180 degrees though something lies in
 * their triangle, then a fan of the rest. A convex polygon becomes the fan of its first corner. The answer depends on
 * the first corner and on nothing else but the signs: scaling by a power of two changes nothing.
 *
 * Workload: millions of quads and hexagons, and now and then a polygon of 10^5 corners from a CAD file. Cutting an ear
 * makes no other corner than its two neighbours an ear, so a corner is looked at once and again when a neighbour goes.
 * A look must see whether any of the corners of 180 degrees or more lies in a triangle; blocks of 8, 64, 512, ...
 * consecutive corners carry the box and number of those, and are passed over as a whole. Along an outline neighbours in
 * number are neighbours in space, so a look costs about log n. Corners only ever become sharper as ears go.
 *
 * Meisters, "Polygons have ears", 1975; Newell's normal after Sutherland, Sproull, Schumacker, "A characterization of
 * ten hidden-surface algorithms", 1974. */
#ifndef GRAZE_GEOMETRY_POLYGON_TRIANGULATION_H
#define GRAZE_GEOMETRY_POLYGON_TRIANGULATION_H

#include "geometry/orientation.h"
#include "geometry/pair_scale.h"

#include <stddef.h>

/* Blocks of 8 corners, of 64, and so on: 10 levels hold 2^30 blocks. */
enum { POLYGON_BLOCK_BITS = 3, POLYGON_LEVELS_MOST = 11 };

/* Rests without an ear are forgiven so often before the search for ears ends; only crossing polygons have any. */
enum { POLYGON_PATIENCE = 64 };

/* What a block says of its consecutive corners: how many are 180 degrees or more, and which of all lie outermost. */
enum { BLOCK_REFLEX_COUNT, BLOCK_LOW_X, BLOCK_HIGH_X, BLOCK_LOW_Y, BLOCK_HIGH_Y, BLOCK_SIZE };

/* The ring of corners that are left; x and y are the axes of the view in which the polygon turns anticlockwise. */
typedef struct polygon_ring {
  const double *points;
  int x, y;
  uint32_t count;
  uint32_t *previous, *next;
  uint32_t *is_reflex; /* 1 for a corner of 180 degrees or more that is left */
  uint32_t level_count;
  uint32_t (*levels[POLYGON_LEVELS_MOST])[BLOCK_SIZE]; /* levels[l]: blocks of 8^l corners; levels[0] is not used */
  orientation_tally tally;
} polygon_ring;

/* How many uint32_t of scratch polygon_triangulate needs: three a corner, and five for each of n / 7 + 10 blocks. */
GEOMETRY_FUNCTION size_t polygon_triangulate_scratch(uint32_t n) {
  return 4 * (size_t)n + 64;
}

/* ------------------------------------------------------------------------------------------------ corners in the view
 */

GEOMETRY_FUNCTION double ring_x(const polygon_ring *ring, uint32_t corner) {
  return ring->points[3 * (size_t)corner + (size_t)ring->x];
}

GEOMETRY_FUNCTION double ring_y(const polygon_ring *ring, uint32_t corner) {
  return ring->points[3 * (size_t)corner + (size_t)ring->y];
}

GEOMETRY_FUNCTION int ring_turn(polygon_ring *ring, uint32_t a, uint32_t b, uint32_t c) {
  return orientation_2d(ring_x(ring, a), ring_y(ring, a), ring_x(ring, b), ring_y(ring, b), ring_x(ring, c),
                        ring_y(ring, c), &ring->tally);
}

/* The order of places by x, then y; along a line it is the order on the line. */
GEOMETRY_FUNCTION int ring_compare(const polygon_ring *ring, uint32_t a, uint32_t b) {
  const double ax = ring_x(ring, a), bx = ring_x(ring, b), ay = ring_y(ring, a), by = ring_y(ring, b);
  if (ax != bx) return ax < bx ? -1 : 1;
  return ay == by ? 0 : (ay < by ? -1 : 1);
}

GEOMETRY_FUNCTION int corner_turn(polygon_ring *ring, uint32_t corner) {
  return ring_turn(ring, ring->previous[corner], corner, ring->next[corner]);
}

/* A corner without a turn whose edges lie on each other: a repeated corner or a spike. */
GEOMETRY_FUNCTION bool corner_folds(const polygon_ring *ring, uint32_t corner) {
  const int from = ring_compare(ring, ring->previous[corner], corner);
  const int to = ring_compare(ring, corner, ring->next[corner]);
  return from == 0 || to == 0 || from != to;
}

GEOMETRY_FUNCTION bool corner_repeats(const polygon_ring *ring, uint32_t corner) {
  return ring_compare(ring, ring->previous[corner], corner) == 0 || ring_compare(ring, corner, ring->next[corner]) == 0;
}

/* ------------------------------------------------------------------------------------------------ the view */

/* Twice the area seen along each axis, and bounds on the errors: corners are taken relative to the first and scaled to
 * about one. A product of two differences is within 3 roundings, a term within 4, the sum within n more, each of 2^-53
 * of the sum of magnitudes; the bound has twice that. */
GEOMETRY_FUNCTION void polygon_areas(const double *points, uint32_t n, double areas_out[3], double bounds_out[3]) {
  double largest = 0.0;
  for (size_t i = 0; i < 3 * (size_t)n; ++i) largest = fabs(points[i]) > largest ? fabs(points[i]) : largest;
  int exponent = -binary_exponent(largest);
  exponent = exponent > 1023 ? 1023 : (exponent < -1022 ? -1022 : exponent);
  const double factor = power_of_two(exponent);
  double from[3] = {0.0, 0.0, 0.0}, magnitudes[3] = {0.0, 0.0, 0.0};
  areas_out[0] = areas_out[1] = areas_out[2] = 0.0;
  for (size_t i = 1; i < n; ++i) {
    double to[3];
    for (int axis = 0; axis < 3; ++axis) to[axis] = points[3 * i + (size_t)axis] * factor - points[axis] * factor;
    for (int axis = 0; axis < 3; ++axis) {
      const int x = (axis + 1) % 3, y = (axis + 2) % 3;
      const double left = from[x] * to[y], right = from[y] * to[x];
      areas_out[axis] += left - right;
      magnitudes[axis] += fabs(left) + fabs(right);
    }
    for (int axis = 0; axis < 3; ++axis) from[axis] = to[axis];
  }
  for (int axis = 0; axis < 3; ++axis) bounds_out[axis] = ((double)n + 8.0) * 0x1p-52 * magnitudes[axis] + 0x1p-900;
}

/* Which way the polygon turns at its outermost place, where a simple one must turn the way it turns as a whole. */
GEOMETRY_FUNCTION int outermost_turn(polygon_ring *ring, uint32_t n) {
  uint32_t outermost = 0;
  for (uint32_t i = 1; i < n; ++i) outermost = ring_compare(ring, i, outermost) < 0 ? i : outermost;
  uint32_t from = outermost, to = outermost;
  for (uint32_t i = 1; i < n && ring_compare(ring, from, outermost) == 0; ++i) from = ring->previous[from];
  for (uint32_t i = 1; i < n && ring_compare(ring, to, outermost) == 0; ++i) to = ring->next[to];
  return ring_turn(ring, from, outermost, to);
}

/* Chooses the axes. Where rounding hides the way the polygon turns, the outermost place tells. */
GEOMETRY_FUNCTION void ring_choose_view(polygon_ring *ring, uint32_t n) {
  double areas[3], bounds[3];
  polygon_areas(ring->points, n, areas, bounds);
  const double x = fabs(areas[0]), y = fabs(areas[1]), z = fabs(areas[2]);
  const int axis = z >= x && z >= y ? 2 : (y >= x ? 1 : 0);
  ring->x = (axis + 1) % 3;
  ring->y = (axis + 2) % 3;
  int turn = areas[axis] < 0.0 ? -1 : 1;
  if (fabs(areas[axis]) <= bounds[axis]) {
    const int outer = outermost_turn(ring, n);
    turn = outer != 0 ? outer : turn;
  }
  if (turn < 0) {
    const int swapped = ring->x;
    ring->x = ring->y;
    ring->y = swapped;
  }
}

/* ------------------------------------------------------------------------------------------------ blocks */

GEOMETRY_FUNCTION void block_take_in(const polygon_ring *ring, uint32_t *block, uint32_t corner) {
  const double x = ring_x(ring, corner), y = ring_y(ring, corner);
  block[BLOCK_REFLEX_COUNT] += ring->is_reflex[corner];
  if (x < ring_x(ring, block[BLOCK_LOW_X])) block[BLOCK_LOW_X] = corner;
  if (x > ring_x(ring, block[BLOCK_HIGH_X])) block[BLOCK_HIGH_X] = corner;
  if (y < ring_y(ring, block[BLOCK_LOW_Y])) block[BLOCK_LOW_Y] = corner;
  if (y > ring_y(ring, block[BLOCK_HIGH_Y])) block[BLOCK_HIGH_Y] = corner;
}

/* The boxes are made once and stay, since corners only go. */
GEOMETRY_FUNCTION void ring_build_blocks(polygon_ring *ring, uint32_t *memory) {
  ring->level_count = 1;
  for (uint32_t level = 1; level < POLYGON_LEVELS_MOST && ring->count >> (POLYGON_BLOCK_BITS * level) != 0; ++level) {
    const uint32_t bits = POLYGON_BLOCK_BITS * level;
    uint32_t(*blocks)[BLOCK_SIZE] = (uint32_t(*)[BLOCK_SIZE])memory;
    for (uint32_t i = 0; i < ring->count; ++i) {
      uint32_t *block = blocks[i >> bits];
      if (i == (i >> bits) << bits) {
        block[BLOCK_REFLEX_COUNT] = 0;
        for (int side = BLOCK_LOW_X; side < BLOCK_SIZE; ++side) block[side] = i;
      }
      block_take_in(ring, block, i);
    }
    memory += BLOCK_SIZE * (size_t)(((ring->count - 1) >> bits) + 1);
    ring->levels[level] = blocks;
    ring->level_count = level + 1;
  }
}

GEOMETRY_FUNCTION void corner_becomes_sharp(polygon_ring *ring, uint32_t corner) {
  if (ring->is_reflex[corner] == 0) return;
  ring->is_reflex[corner] = 0;
  for (uint32_t level = 1; level < ring->level_count; ++level) {
    --ring->levels[level][corner >> (POLYGON_BLOCK_BITS * level)][BLOCK_REFLEX_COUNT];
  }
}

/* ------------------------------------------------------------------------------------------------ ears */

/* Three corners in a row, and the box of their triangle. */
typedef struct polygon_ear {
  uint32_t corner[3];
  double low_x, high_x, low_y, high_y;
} polygon_ear;

GEOMETRY_FUNCTION polygon_ear ear_at(const polygon_ring *ring, uint32_t corner) {
  polygon_ear ear;
  ear.corner[0] = ring->previous[corner];
  ear.corner[1] = corner;
  ear.corner[2] = ring->next[corner];
  ear.low_x = ear.high_x = ring_x(ring, corner);
  ear.low_y = ear.high_y = ring_y(ring, corner);
  for (int i = 0; i < 3; i += 2) {
    const double x = ring_x(ring, ear.corner[i]), y = ring_y(ring, ear.corner[i]);
    ear.low_x = x < ear.low_x ? x : ear.low_x;
    ear.high_x = x > ear.high_x ? x : ear.high_x;
    ear.low_y = y < ear.low_y ? y : ear.low_y;
    ear.high_y = y > ear.high_y ? y : ear.high_y;
  }
  return ear;
}

/* Whether a box lies outside an edge of the ear: its corner that is farthest to the left of the edge is to the right.
 */
GEOMETRY_FUNCTION bool edge_separates_block(polygon_ring *ring, uint32_t from, uint32_t to, const uint32_t *block) {
  const double ax = ring_x(ring, from), ay = ring_y(ring, from), bx = ring_x(ring, to), by = ring_y(ring, to);
  const double x = ring_x(ring, block[by > ay ? BLOCK_LOW_X : BLOCK_HIGH_X]);
  const double y = ring_y(ring, block[bx > ax ? BLOCK_HIGH_Y : BLOCK_LOW_Y]);
  return orientation_2d(ax, ay, bx, by, x, y, &ring->tally) < 0;
}

/* Boxes alone would not do: long thin triangles have boxes that hold nearly everything. */
GEOMETRY_FUNCTION bool block_is_clear(polygon_ring *ring, const polygon_ear *ear, const uint32_t *block) {
  if (block[BLOCK_REFLEX_COUNT] == 0) return true;
  if (ring_x(ring, block[BLOCK_HIGH_X]) < ear->low_x || ring_x(ring, block[BLOCK_LOW_X]) > ear->high_x) return true;
  if (ring_y(ring, block[BLOCK_HIGH_Y]) < ear->low_y || ring_y(ring, block[BLOCK_LOW_Y]) > ear->high_y) return true;
  for (int i = 0; i < 3; ++i) {
    if (edge_separates_block(ring, ear->corner[i], ear->corner[(i + 1) % 3], block)) return true;
  }
  return false;
}

/* Whether an edge that starts at corner `place` of the ear and leads to `target` runs into the triangle. */
GEOMETRY_FUNCTION bool edge_enters_ear(polygon_ring *ring, const polygon_ear *ear, int place, uint32_t target) {
  const uint32_t here = ear->corner[place];
  return ring_turn(ring, here, ear->corner[(place + 1) % 3], target) > 0 &&
         ring_turn(ring, here, target, ear->corner[(place + 2) % 3]) > 0;
}

/* Whether two corners lie in the same direction from a third. */
GEOMETRY_FUNCTION bool ring_same_direction(polygon_ring *ring, uint32_t from, uint32_t a, uint32_t b) {
  return ring_turn(ring, from, a, b) == 0 && ring_compare(ring, from, a) == ring_compare(ring, from, b);
}

/* Whether a corner on the ear's tip has its edges on the ear's. Then the outline runs there and back: around a slit,
 * where the ear is inside, or along a thread of no width between two parts, where it is outside. No sign at this place
 * tells which; other ears will, if there are any. */
GEOMETRY_FUNCTION bool corner_retraces_ear(polygon_ring *ring, const polygon_ear *ear, uint32_t corner) {
  return ring_same_direction(ring, ear->corner[1], ear->corner[0], ring->next[corner]) &&
         ring_same_direction(ring, ear->corner[1], ear->corner[2], ring->previous[corner]);
}

/* Whether another corner forbids to cut the ear off: it lies in the closed triangle. Where it lies on one of the three
 * corners, the polygon touches itself there, and it forbids only when one of its edges runs inside. */
GEOMETRY_FUNCTION bool corner_forbids_ear(polygon_ring *ring, const polygon_ear *ear, uint32_t corner) {
  const double x = ring_x(ring, corner), y = ring_y(ring, corner);
  if (x < ear->low_x || x > ear->high_x || y < ear->low_y || y > ear->high_y) return false;
  for (int i = 0; i < 3; ++i) {
    if (corner == ear->corner[i]) return false;
  }
  for (int i = 0; i < 3; ++i) {
    if (ring_compare(ring, corner, ear->corner[i]) != 0) continue;
    if (i == 1 && corner_retraces_ear(ring, ear, corner)) return true;
    return edge_enters_ear(ring, ear, i, ring->previous[corner]) || edge_enters_ear(ring, ear, i, ring->next[corner]);
  }
  for (int i = 0; i < 3; ++i) {
    if (ring_turn(ring, ear->corner[i], ear->corner[(i + 1) % 3], corner) < 0) return false;
  }
  return true;
}

/* The largest block that begins at a corner and may hold something that forbids the ear is opened, others passed. */
GEOMETRY_FUNCTION bool ear_is_free(polygon_ring *ring, const polygon_ear *ear, uint32_t n) {
  for (uint64_t i = 0; i < n;) {
    const uint32_t corner = (uint32_t)i;
    uint32_t level = 0;
    while (level + 1 < ring->level_count && corner % (1u << (POLYGON_BLOCK_BITS * (level + 1))) == 0) ++level;
    while (level > 0 && !block_is_clear(ring, ear, ring->levels[level][corner >> (POLYGON_BLOCK_BITS * level)])) {
      --level;
    }
    if (level == 0 && ring->is_reflex[corner] != 0 && corner_forbids_ear(ring, ear, corner)) return false;
    i += UINT64_C(1) << (POLYGON_BLOCK_BITS * level);
  }
  return true;
}

GEOMETRY_FUNCTION bool corner_is_ear(polygon_ring *ring, uint32_t corner, uint32_t n) {
  const int turn = corner_turn(ring, corner);
  if (turn == 0) return corner_repeats(ring, corner);
  if (turn < 0) return false;
  const polygon_ear ear = ear_at(ring, corner);
  return ear_is_free(ring, &ear, n);
}

/* ------------------------------------------------------------------------------------------------ cutting */

/* Takes a corner out of the ring with its triangle. */
GEOMETRY_FUNCTION void ring_triangulate(polygon_ring *ring, uint32_t corner, uint32_t triangle_out[3]) {
  const uint32_t from = ring->previous[corner], to = ring->next[corner];
  triangle_out[0] = from;
  triangle_out[1] = corner;
  triangle_out[2] = to;
  ring->next[from] = to;
  ring->previous[to] = from;
  --ring->count;
  corner_becomes_sharp(ring, corner);
  if (corner_turn(ring, from) > 0) corner_becomes_sharp(ring, from);
  if (corner_turn(ring, to) > 0) corner_becomes_sharp(ring, to);
}

/* Cuts ears until none is left or two corners are; returns a corner of the rest. After a cut the corner behind is
 * tried, which makes fans of convex polygons, then the corner before; no other can have become an ear. A round without
 * an ear may look at those two twice. */
GEOMETRY_FUNCTION uint32_t ring_clip_ears(polygon_ring *ring, uint32_t corner, uint32_t n,
                                          uint32_t (**triangles_inout)[3]) {
  uint32_t before = corner;
  for (uint32_t refused = 0; ring->count > 2 && refused < ring->count + 2;) {
    const uint32_t from = ring->previous[corner], to = ring->next[corner];
    if (corner_is_ear(ring, corner, n)) {
      ring_triangulate(ring, corner, *(*triangles_inout)++);
      refused = 0;
      corner = to;
      before = from;
    } else {
      ++refused;
      corner = before != corner && refused == 1 ? before : to;
    }
  }
  return corner;
}

/* Cuts repeated corners and spikes, and those that this makes; whether there were any. */
GEOMETRY_FUNCTION bool ring_clip_folds(polygon_ring *ring, uint32_t *corner_inout, uint32_t (**triangles_inout)[3]) {
  const uint32_t before = ring->count;
  uint32_t refused = 0;
  while (ring->count > 2 && refused < ring->count) {
    const uint32_t corner = *corner_inout;
    if (corner_turn(ring, corner) != 0 || !corner_folds(ring, corner)) {
      ++refused;
      *corner_inout = ring->next[corner];
      continue;
    }
    *corner_inout = ring->previous[corner];
    ring_triangulate(ring, corner, *(*triangles_inout)++);
    refused = 0;
  }
  return ring->count < before;
}

/* Cuts corners of less than 180 degrees whatever lies in their triangles, at most so many; whether there were any. */
GEOMETRY_FUNCTION bool ring_clip_sharp(polygon_ring *ring, uint32_t most, uint32_t *corner_inout,
                                       uint32_t (**triangles_inout)[3]) {
  const uint32_t before = ring->count;
  uint32_t refused = 0;
  while (ring->count > 2 && refused < ring->count && before - ring->count < most) {
    const uint32_t corner = *corner_inout;
    *corner_inout = ring->next[corner];
    if (corner_turn(ring, corner) <= 0) {
      ++refused;
      continue;
    }
    ring_triangulate(ring, corner, *(*triangles_inout)++);
    refused = 0;
  }
  return ring->count < before;
}

GEOMETRY_FUNCTION void ring_make(polygon_ring *ring, const double *points, uint32_t n, uint32_t *scratch) {
  ring->points = points;
  ring->count = n;
  ring->previous = scratch;
  ring->next = scratch + n;
  ring->is_reflex = scratch + 2 * (size_t)n;
  ring->tally.deepest_tier = 0;
  for (uint32_t i = 0; i < n; ++i) {
    ring->previous[i] = i == 0 ? n - 1 : i - 1;
    ring->next[i] = i + 1 == n ? 0 : i + 1;
  }
  ring_choose_view(ring, n);
  for (uint32_t i = 0; i < n; ++i) ring->is_reflex[i] = corner_turn(ring, i) <= 0;
  ring_build_blocks(ring, scratch + 3 * (size_t)n);
}

/* Cuts the polygon of n corners, n from 3 to 2^30, into n - 2 triangles of corner numbers 0 to n - 1, each turning the
 * way of the polygon. `points` holds the finite coordinates of the corners in order, 3 n doubles; `scratch` has room
 * for polygon_triangulate_scratch(n). About n log n steps; outlines that nearly fill their box with folds take more, up
 * to n^2. */
GEOMETRY_FUNCTION void polygon_triangulate(const double *points, uint32_t n, uint32_t *scratch,
                                           uint32_t (*triangles_out)[3]) {
  polygon_ring ring;
  ring_make(&ring, points, n, scratch);
  uint32_t corner = 1;
  for (uint32_t stuck = 0; stuck < POLYGON_PATIENCE && ring.count > 2; ++stuck) {
    corner = ring_clip_ears(&ring, corner, n, &triangles_out);
    if (ring_clip_folds(&ring, &corner, &triangles_out)) continue;
    if (!ring_clip_sharp(&ring, 1, &corner, &triangles_out)) break;
  }
  ring_clip_folds(&ring, &corner, &triangles_out);
  ring_clip_sharp(&ring, n, &corner, &triangles_out);
  while (ring.count > 2) ring_triangulate(&ring, ring.next[corner], *triangles_out++);
}

#endif
