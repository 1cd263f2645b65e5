/* Ear clipping: cuts a polygon of n corners in space into n - 2 triangles. Cuts off convex corners one by one until a
 * triangle is left.
 *
 * The polygon is viewed along the axis in which its area is largest, and every decision in that view is an exact sign:
 * - A polygon that is simple in that view, with or without corners of 180 degrees, gives n - 2 triangles of its own
 *   orientation that cover it exactly once. None has zero area, because such a polygon always has an ear: a corner of
 *   less than 180 degrees whose closed triangle contains no other corner. (A diagonal always exists. Cutting along
 *   diagonals until triangles are left gives a tree of triangles, whose leaves are ears.)
 * - A polygon that touches itself, such as one with holes joined by double edges, is cut in the same way. Corners at
 *   the same position are distinguished by the directions of their edges.
 * - A repeated corner, and a spike of zero width if nothing else is left, give triangles of zero area, because there
 *   are no others.
 * - A polygon that crosses itself or has no area has no correct triangulation. It still gives n - 2 triangles, each
 *   corner in at least one: ears while there are any, then corners of less than 180 degrees even if their triangles are
 *   not empty, then a fan of the rest. A convex polygon becomes the fan of its first corner. The result depends only on
 *   the first corner and the signs, so scaling by a power of two does not change it.
 *
 * Workload: millions of quads and hexagons, and occasionally a polygon of 10^5 corners from a CAD file.
 * - Only open corners are examined: those not known to be no ears. A reflex corner in the triangle of a corner prevents
 *   the ear. The corner is then listed under that one (its witness), and opened again if the witness is removed or
 *   stops being reflex, or if one of its own neighbors is removed. Removing corners does not change the order of the
 *   others, so the next open corner along the ring is the next member of a set of numbers.
 * - Examining a corner tests whether any reflex corner is in a triangle. The reflex corners are in the order of a tree
 *   that halves them by x and y alternately; blocks of 8, 64, 512, ... of them have a box and a count, and are skipped
 *   as a whole. This costs about log n for small triangles and the square root of n for long ones, however far apart
 *   neighbors along the ring are. Corners only become sharper as ears are removed, so no reflex corner is added.
 *
 * The triangulation takes about n log n steps for outlines, and less than n^1.5 for all rings that were tested,
 * including self-crossing ones. Rings with most of their corners at a few positions can take more: corners at the
 * corners of a triangle do not prevent the ear, but all of them are examined.
 *
 * Meisters, "Polygons have ears", 1975; Newell's normal after Sutherland, Sproull, Schumacker, "A characterization of
 * ten hidden-surface algorithms", 1974. */
#ifndef GRAZE_GEOMETRY_POLYGON_TRIANGULATION_H
#define GRAZE_GEOMETRY_POLYGON_TRIANGULATION_H

#include "geometry/bits.h"
#include "geometry/orientation.h"
#include "geometry/pair_scale.h"

#include <stddef.h>

/* Blocks of 8 corners, of 64, and so on: 10 levels hold 2^30 blocks. */
enum { POLYGON_BLOCK_BITS = 3, POLYGON_LEVELS_MOST = 11 };

/* Sets of corners: 32 to a word, and 32 words to a bit of the level above. */
enum { CORNER_SET_BITS = 5, CORNER_SET_LEVELS = 6 };

/* The search for ears ends after this many remaining polygons without an ear; only self-crossing polygons have any. */
enum { POLYGON_PATIENCE = 64 };

/* No corner. */
#define RING_NONE UINT32_MAX

/* The reflex corners of a block, of 180 degrees or more: the number left, and the outermost positions. */
enum { BLOCK_REFLEX_COUNT, BLOCK_LOW_X, BLOCK_HIGH_X, BLOCK_LOW_Y, BLOCK_HIGH_Y, BLOCK_SIZE };

typedef struct corner_set {
  uint32_t *levels[CORNER_SET_LEVELS];
  uint32_t level_count;
} corner_set;

/* The ring of the remaining corners; x and y are the axes of the view in which the polygon is counterclockwise. */
typedef struct polygon_ring {
  const double *points;
  int x, y;
  uint32_t count;
  uint32_t *previous, *next;
  corner_set open;    /* possibly ears; the others are not */
  corner_set sharp;   /* of less than 180 degrees */
  corner_set folding; /* without a turn, with coinciding edges */

  /* Reflex corners, in the order of the tree. A corner that becomes sharp leaves them for good. */
  uint32_t *order, *place; /* place: of a corner in the order; RING_NONE if it is not reflex */
  uint32_t reflex_count;   /* length of the order */
  uint32_t level_count;
  uint32_t (*levels[POLYGON_LEVELS_MOST])[BLOCK_SIZE]; /* levels[l]: blocks of 8^l corners; levels[0] is unused */

  /* Circular lists: node n + w is the head of the corners whose witness is w. */
  uint32_t *list_next, *list_previous;
  corner_set touching; /* witnesses that prevent an ear by the direction of their edges, not only by their position */
  orientation_tally tally;
} polygon_ring;

/* The number of uint32_t of scratch for polygon_triangulate: eight per corner, five for each of n / 7 + 10 blocks, and
 * four sets of n / 31 + 6 words. */
GEOMETRY_FUNCTION size_t polygon_triangulate_scratch(uint32_t n) {
  return 9 * (size_t)n + 96;
}

/* ------------------------------------------------------------------------------------------------ sets of corners */

/* Makes an empty set of numbers below n; returns the memory after it. */
GEOMETRY_FUNCTION uint32_t *corner_set_make(corner_set *set, uint32_t n, uint32_t *room) {
  set->level_count = 0;
  for (uint32_t words = n; words > 1 || set->level_count == 0;) {
    words = ((words - 1) >> CORNER_SET_BITS) + 1;
    set->levels[set->level_count++] = room;
    for (uint32_t i = 0; i < words; i++) *room++ = 0;
  }
  return room;
}

GEOMETRY_FUNCTION bool corner_set_has(const corner_set *set, uint32_t corner) {
  return (set->levels[0][corner >> CORNER_SET_BITS] >> (corner & 31u) & 1u) != 0;
}

GEOMETRY_FUNCTION void corner_set_add(corner_set *set, uint32_t corner) {
  for (uint32_t level = 0; level < set->level_count; level++, corner >>= CORNER_SET_BITS) {
    set->levels[level][corner >> CORNER_SET_BITS] |= UINT32_C(1) << (corner & 31u);
  }
}

GEOMETRY_FUNCTION void corner_set_remove(corner_set *set, uint32_t corner) {
  for (uint32_t level = 0; level < set->level_count; level++, corner >>= CORNER_SET_BITS) {
    uint32_t *word = &set->levels[level][corner >> CORNER_SET_BITS];
    *word &= ~(UINT32_C(1) << (corner & 31u));
    if (*word != 0) return;
  }
}

GEOMETRY_FUNCTION void corner_set_put(corner_set *set, uint32_t corner, bool in) {
  if (in)
    corner_set_add(set, corner);
  else
    corner_set_remove(set, corner);
}

/* The least member that is at least `from`: up to the first word with one, and down to it. */
GEOMETRY_FUNCTION uint32_t corner_set_from(const corner_set *set, uint32_t from, uint32_t n) {
  uint32_t level = 0, at = from, bound = n;
  for (;;) {
    if (at >= bound) return RING_NONE;
    const uint32_t bits = set->levels[level][at >> CORNER_SET_BITS] >> (at & 31u);
    if (bits != 0) {
      at += lowest_bit(bits);
      break;
    }
    at = (at >> CORNER_SET_BITS) + 1;
    bound = ((bound - 1) >> CORNER_SET_BITS) + 1;
    if (++level == set->level_count) return RING_NONE;
  }
  for (; level > 0; level--) {
    at = (at << CORNER_SET_BITS) + lowest_bit(set->levels[level - 1][at]);
  }
  return at;
}

/* The first member along the ring, from a corner on. */
GEOMETRY_FUNCTION uint32_t corner_set_along(const corner_set *set, uint32_t corner, uint32_t n) {
  const uint32_t found = corner_set_from(set, corner, n);
  return found != RING_NONE ? found : corner_set_from(set, 0, n);
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

/* Orders places by x, then y; along a line this is the order on the line. */
GEOMETRY_FUNCTION int ring_compare(const polygon_ring *ring, uint32_t a, uint32_t b) {
  const double ax = ring_x(ring, a), bx = ring_x(ring, b), ay = ring_y(ring, a), by = ring_y(ring, b);
  if (ax != bx) return ax < bx ? -1 : 1;
  return ay == by ? 0 : (ay < by ? -1 : 1);
}

GEOMETRY_FUNCTION int corner_turn(polygon_ring *ring, uint32_t corner) {
  return ring_turn(ring, ring->previous[corner], corner, ring->next[corner]);
}

/* A corner without a turn whose edges coincide: a repeated corner or a spike. */
GEOMETRY_FUNCTION bool corner_folds(const polygon_ring *ring, uint32_t corner) {
  const int from = ring_compare(ring, ring->previous[corner], corner);
  const int to = ring_compare(ring, corner, ring->next[corner]);
  return from == 0 || to == 0 || from != to;
}

GEOMETRY_FUNCTION bool corner_repeats(const polygon_ring *ring, uint32_t corner) {
  return ring_compare(ring, ring->previous[corner], corner) == 0 || ring_compare(ring, corner, ring->next[corner]) == 0;
}

/* ------------------------------------------------------------------------------------------------ the view */

/* Twice the projected area along each axis, and error bounds. Corners are relative to the first and scaled to about
 * one. A product of two differences has 3 roundings, a term 4, the sum n more, each of 2^-53 of the sum of magnitudes;
 * the bound is twice that. */
GEOMETRY_FUNCTION void polygon_areas(const double *points, uint32_t n, double areas_out[3], double bounds_out[3]) {
  double largest = 0.0;
  for (size_t i = 0; i < 3 * (size_t)n; i++) largest = fabs(points[i]) > largest ? fabs(points[i]) : largest;
  int exponent = -binary_exponent(largest);
  exponent = exponent > 1023 ? 1023 : (exponent < -1022 ? -1022 : exponent);
  const double factor = power_of_two(exponent);
  double from[3] = {0.0, 0.0, 0.0}, magnitudes[3] = {0.0, 0.0, 0.0};
  areas_out[0] = areas_out[1] = areas_out[2] = 0.0;
  for (size_t i = 1; i < n; i++) {
    double to[3];
    for (int axis = 0; axis < 3; axis++) to[axis] = points[3 * i + (size_t)axis] * factor - points[axis] * factor;
    for (int axis = 0; axis < 3; axis++) {
      const int x = (axis + 1) % 3, y = (axis + 2) % 3;
      const double left = from[x] * to[y], right = from[y] * to[x];
      areas_out[axis] += left - right;
      magnitudes[axis] += fabs(left) + fabs(right);
    }
    for (int axis = 0; axis < 3; axis++) from[axis] = to[axis];
  }
  for (int axis = 0; axis < 3; axis++) bounds_out[axis] = ((double)n + 8.0) * 0x1p-52 * magnitudes[axis] + 0x1p-900;
}

/* The turn of the polygon at its outermost place, which for a simple polygon is its orientation. */
GEOMETRY_FUNCTION int outermost_turn(polygon_ring *ring, uint32_t n) {
  uint32_t outermost = 0;
  for (uint32_t i = 1; i < n; i++) outermost = ring_compare(ring, i, outermost) < 0 ? i : outermost;
  uint32_t from = outermost, to = outermost;
  for (uint32_t i = 1; i < n && ring_compare(ring, from, outermost) == 0; i++) from = ring->previous[from];
  for (uint32_t i = 1; i < n && ring_compare(ring, to, outermost) == 0; i++) to = ring->next[to];
  return ring_turn(ring, from, outermost, to);
}

/* Chooses the axes. If rounding leaves the orientation undecided, the outermost place determines it. */
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

/* ------------------------------------------------------------------------------------------------ reflex corners */

/* Orders corners by one coordinate; equal ones by number, so that no two are equal. */
GEOMETRY_FUNCTION bool corner_is_below(const polygon_ring *ring, int axis, uint32_t a, uint32_t b) {
  const double at_a = ring->points[3 * (size_t)a + (size_t)axis], at_b = ring->points[3 * (size_t)b + (size_t)axis];
  return at_a < at_b || (at_a == at_b && a < b);
}

GEOMETRY_FUNCTION void swap_corners(uint32_t *a, uint32_t *b) {
  const uint32_t kept = *a;
  *a = *b;
  *b = kept;
}

/* Selection: puts the lowest `half` of the corners first, in any order. Pivots are pseudorandom with a fixed seed, so
 * that no particular arrangement of corners is slow (Hoare, "Algorithm 65: find", 1961). */
GEOMETRY_FUNCTION void select_lower(const polygon_ring *ring, int axis, uint32_t *corners, uint32_t count,
                                    uint32_t half) {
  uint32_t first = 0, end = count, drawn = count;
  while (end - first > 1) {
    drawn = drawn * 1664525u + 1013904223u;
    const uint32_t pivot = corners[first + (uint32_t)(((uint64_t)drawn * (end - first)) >> 32)];
    uint32_t low = first, high = end - 1;
    for (;;) {
      while (corner_is_below(ring, axis, corners[low], pivot)) low++;
      while (corner_is_below(ring, axis, pivot, corners[high])) high--;
      if (low >= high) break;
      swap_corners(&corners[low++], &corners[high--]);
    }
    /* The pivot ends at `low` or after it; all before `low` are not above it. */
    if (corner_is_below(ring, axis, corners[low], pivot)) low++;
    if (low == half) return;
    if (half < low)
      end = low;
    else
      first = low;
  }
}

/* Orders the reflex corners so that each aligned run of a power of two, down to 8, is a box of the tree: halved by x
 * and y alternately. Unlike cells of one size, halves are not affected by outliers. */
GEOMETRY_FUNCTION void ring_order_reflex(polygon_ring *ring) {
  const uint32_t count = ring->reflex_count;
  uint32_t bits = POLYGON_BLOCK_BITS;
  while (bits < 31 && count > UINT32_C(1) << bits) bits++;
  for (bool by_x = true; bits > POLYGON_BLOCK_BITS; bits--, by_x = !by_x) {
    const uint32_t half = UINT32_C(1) << (bits - 1);
    for (uint64_t first = 0; first + half < count; first += 2 * (uint64_t)half) {
      const uint32_t left = count - (uint32_t)first;
      select_lower(ring, by_x ? ring->x : ring->y, ring->order + first, left < 2 * half ? left : 2 * half, half);
    }
  }
}

GEOMETRY_FUNCTION void block_take_in(const polygon_ring *ring, uint32_t *block, uint32_t corner) {
  const double x = ring_x(ring, corner), y = ring_y(ring, corner);
  block[BLOCK_REFLEX_COUNT]++;
  if (x < ring_x(ring, block[BLOCK_LOW_X])) block[BLOCK_LOW_X] = corner;
  if (x > ring_x(ring, block[BLOCK_HIGH_X])) block[BLOCK_HIGH_X] = corner;
  if (y < ring_y(ring, block[BLOCK_LOW_Y])) block[BLOCK_LOW_Y] = corner;
  if (y > ring_y(ring, block[BLOCK_HIGH_Y])) block[BLOCK_HIGH_Y] = corner;
}

/* The boxes are built once and not updated, since corners are only removed. */
GEOMETRY_FUNCTION void ring_build_blocks(polygon_ring *ring, uint32_t *room) {
  const uint32_t count = ring->reflex_count;
  ring->level_count = 1;
  for (uint32_t level = 1; level < POLYGON_LEVELS_MOST && count >> (POLYGON_BLOCK_BITS * level) != 0; level++) {
    const uint32_t bits = POLYGON_BLOCK_BITS * level;
    uint32_t(*blocks)[BLOCK_SIZE] = (uint32_t(*)[BLOCK_SIZE])room;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t *block = blocks[i >> bits];
      if (i == (i >> bits) << bits) {
        block[BLOCK_REFLEX_COUNT] = 0;
        for (int side = BLOCK_LOW_X; side < BLOCK_SIZE; side++) block[side] = ring->order[i];
      }
      block_take_in(ring, block, ring->order[i]);
    }
    room += BLOCK_SIZE * (size_t)(((count - 1) >> bits) + 1);
    ring->levels[level] = blocks;
    ring->level_count = level + 1;
  }
}

/* ------------------------------------------------------------------------------------------------ witnesses */

GEOMETRY_FUNCTION void list_take_out(polygon_ring *ring, uint32_t node) {
  ring->list_next[ring->list_previous[node]] = ring->list_next[node];
  ring->list_previous[ring->list_next[node]] = ring->list_previous[node];
  ring->list_next[node] = ring->list_previous[node] = node;
}

GEOMETRY_FUNCTION void list_put_behind(polygon_ring *ring, uint32_t head, uint32_t node) {
  ring->list_next[node] = ring->list_next[head];
  ring->list_previous[node] = head;
  ring->list_previous[ring->list_next[node]] = node;
  ring->list_next[head] = node;
}

/* Opens all corners whose witness this is. */
GEOMETRY_FUNCTION void witness_release(polygon_ring *ring, uint32_t witness, uint32_t n) {
  const uint32_t head = n + witness;
  while (ring->list_next[head] != head) {
    const uint32_t corner = ring->list_next[head];
    list_take_out(ring, corner);
    corner_set_add(&ring->open, corner);
  }
  corner_set_remove(&ring->touching, witness);
}

GEOMETRY_FUNCTION void corner_becomes_sharp(polygon_ring *ring, uint32_t corner, uint32_t n) {
  const uint32_t place = ring->place[corner];
  if (place == RING_NONE) return;
  ring->place[corner] = RING_NONE;
  ring->order[place] = RING_NONE;
  for (uint32_t level = 1; level < ring->level_count; level++) {
    ring->levels[level][place >> (POLYGON_BLOCK_BITS * level)][BLOCK_REFLEX_COUNT]--;
  }
  witness_release(ring, corner, n);
}

/* ------------------------------------------------------------------------------------------------ ears */

/* Three consecutive corners, and the box of their triangle. */
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

/* Whether a box is outside an edge of the ear: its corner farthest to the left of the edge is to the right. */
GEOMETRY_FUNCTION bool edge_separates_block(polygon_ring *ring, uint32_t from, uint32_t to, const uint32_t *block) {
  const double ax = ring_x(ring, from), ay = ring_y(ring, from), bx = ring_x(ring, to), by = ring_y(ring, to);
  const double x = ring_x(ring, block[by > ay ? BLOCK_LOW_X : BLOCK_HIGH_X]);
  const double y = ring_y(ring, block[bx > ax ? BLOCK_HIGH_Y : BLOCK_LOW_Y]);
  return orientation_2d(ax, ay, bx, by, x, y, &ring->tally) < 0;
}

/* Boxes alone are not enough: those of long thin triangles contain nearly everything. */
GEOMETRY_FUNCTION bool block_is_clear(polygon_ring *ring, const polygon_ear *ear, const uint32_t *block) {
  if (block[BLOCK_REFLEX_COUNT] == 0) return true;
  if (ring_x(ring, block[BLOCK_HIGH_X]) < ear->low_x || ring_x(ring, block[BLOCK_LOW_X]) > ear->high_x) return true;
  if (ring_y(ring, block[BLOCK_HIGH_Y]) < ear->low_y || ring_y(ring, block[BLOCK_LOW_Y]) > ear->high_y) return true;
  for (int i = 0; i < 3; i++) {
    if (edge_separates_block(ring, ear->corner[i], ear->corner[(i + 1) % 3], block)) return true;
  }
  return false;
}

/* Whether an edge from corner `place` of the ear to `target` enters the triangle. */
GEOMETRY_FUNCTION bool edge_enters_ear(polygon_ring *ring, const polygon_ear *ear, int place, uint32_t target) {
  const uint32_t here = ear->corner[place];
  return ring_turn(ring, here, ear->corner[(place + 1) % 3], target) > 0 &&
         ring_turn(ring, here, target, ear->corner[(place + 2) % 3]) > 0;
}

/* Whether two corners are in the same direction from a third. */
GEOMETRY_FUNCTION bool ring_same_direction(polygon_ring *ring, uint32_t from, uint32_t a, uint32_t b) {
  return ring_turn(ring, from, a, b) == 0 && ring_compare(ring, from, a) == ring_compare(ring, from, b);
}

/* Whether a corner at the ear's tip has its edges on the ear's. Then the outline retraces itself: around a slit, where
 * the ear is inside, or along a thread of zero width between two parts, where it is outside. No sign at this position
 * distinguishes the two; other ears do, if there are any. */
GEOMETRY_FUNCTION bool corner_retraces_ear(polygon_ring *ring, const polygon_ear *ear, uint32_t corner) {
  return ring_same_direction(ring, ear->corner[1], ear->corner[0], ring->next[corner]) &&
         ring_same_direction(ring, ear->corner[1], ear->corner[2], ring->previous[corner]);
}

/* Whether another corner prevents this ear: it is in the closed triangle. If it coincides with one of the three
 * corners, the polygon touches itself there, and it prevents the ear only if one of its edges runs inside. */
GEOMETRY_FUNCTION bool corner_forbids_ear(polygon_ring *ring, const polygon_ear *ear, uint32_t corner) {
  const double x = ring_x(ring, corner), y = ring_y(ring, corner);
  if (x < ear->low_x || x > ear->high_x || y < ear->low_y || y > ear->high_y) return false;
  for (int i = 0; i < 3; i++) {
    if (corner == ear->corner[i]) return false;
  }
  for (int i = 0; i < 3; i++) {
    if (ring_compare(ring, corner, ear->corner[i]) != 0) continue;
    if (i == 1 && corner_retraces_ear(ring, ear, corner)) return true;
    return edge_enters_ear(ring, ear, i, ring->previous[corner]) || edge_enters_ear(ring, ear, i, ring->next[corner]);
  }
  for (int i = 0; i < 3; i++) {
    if (ring_turn(ring, ear->corner[i], ear->corner[(i + 1) % 3], corner) < 0) return false;
  }
  return true;
}

/* A reflex corner that prevents the ear, if there is one. At each place it opens the largest block that may contain
 * such a corner, and skips the others. */
GEOMETRY_FUNCTION uint32_t ear_witness(polygon_ring *ring, const polygon_ear *ear) {
  for (uint64_t i = 0; i < ring->reflex_count;) {
    const uint32_t place = (uint32_t)i;
    uint32_t level = 0;
    while (level + 1 < ring->level_count && place % (1u << (POLYGON_BLOCK_BITS * (level + 1))) == 0) level++;
    while (level > 0 && !block_is_clear(ring, ear, ring->levels[level][place >> (POLYGON_BLOCK_BITS * level)])) {
      level--;
    }
    const uint32_t corner = level == 0 ? ring->order[place] : RING_NONE;
    if (corner != RING_NONE && corner_forbids_ear(ring, ear, corner)) return corner;
    i += UINT64_C(1) << (POLYGON_BLOCK_BITS * level);
  }
  return RING_NONE;
}

/* The corner is not an ear while the witness is reflex and, if it touches the ear's own corners, keeps its edges. */
GEOMETRY_FUNCTION void corner_takes_witness(polygon_ring *ring, const polygon_ear *ear, uint32_t witness, uint32_t n) {
  list_put_behind(ring, n + witness, ear->corner[1]);
  for (int i = 0; i < 3; i++) {
    if (ring_compare(ring, witness, ear->corner[i]) == 0) corner_set_add(&ring->touching, witness);
  }
}

/* Whether an open corner is an ear; if not, it is closed. */
GEOMETRY_FUNCTION bool open_corner_is_ear(polygon_ring *ring, uint32_t corner, uint32_t n) {
  if (corner_set_has(&ring->sharp, corner)) {
    const polygon_ear ear = ear_at(ring, corner);
    const uint32_t witness = ear_witness(ring, &ear);
    if (witness == RING_NONE) return true;
    corner_takes_witness(ring, &ear, witness, n);
  } else if (corner_set_has(&ring->folding, corner) && corner_repeats(ring, corner)) {
    return true;
  }
  corner_set_remove(&ring->open, corner);
  return false;
}

GEOMETRY_FUNCTION bool corner_is_ear(polygon_ring *ring, uint32_t corner, uint32_t n) {
  return corner_set_has(&ring->open, corner) && open_corner_is_ear(ring, corner, n);
}

/* The first ear along the ring, from a corner on. */
GEOMETRY_FUNCTION uint32_t ring_find_ear(polygon_ring *ring, uint32_t corner, uint32_t n) {
  for (;;) {
    const uint32_t found = corner_set_along(&ring->open, corner, n);
    if (found == RING_NONE || open_corner_is_ear(ring, found, n)) return found;
    corner = found;
  }
}

/* ------------------------------------------------------------------------------------------------ cutting */

/* Updates the turn of a corner, and marks that it may have become an ear. */
GEOMETRY_FUNCTION void ring_update_turn(polygon_ring *ring, uint32_t corner, uint32_t n) {
  const int turn = corner_turn(ring, corner);
  corner_set_put(&ring->sharp, corner, turn > 0);
  corner_set_put(&ring->folding, corner, turn == 0 && corner_folds(ring, corner));
  corner_set_add(&ring->open, corner);
  list_take_out(ring, corner);
  if (turn > 0)
    corner_becomes_sharp(ring, corner, n);
  else if (corner_set_has(&ring->touching, corner))
    witness_release(ring, corner, n);
}

/* Removes a corner and its triangle from the ring. */
GEOMETRY_FUNCTION void ring_triangulate(polygon_ring *ring, uint32_t corner, uint32_t n, uint32_t triangle_out[3]) {
  const uint32_t from = ring->previous[corner], to = ring->next[corner];
  triangle_out[0] = from;
  triangle_out[1] = corner;
  triangle_out[2] = to;
  ring->next[from] = to;
  ring->previous[to] = from;
  if (--ring->count == 2) return; /* nothing left to clip */
  corner_becomes_sharp(ring, corner, n);
  list_take_out(ring, corner);
  corner_set_remove(&ring->open, corner);
  corner_set_remove(&ring->sharp, corner);
  corner_set_remove(&ring->folding, corner);
  ring_update_turn(ring, from, n);
  ring_update_turn(ring, to, n);
}

/* Clips ears until none is left or two corners remain; returns a corner of the rest. After each ear the following
 * corner is tried, which makes fans of convex polygons, then the preceding corner, then all others along the ring. */
GEOMETRY_FUNCTION uint32_t ring_clip_ears(polygon_ring *ring, uint32_t corner, uint32_t n,
                                          uint32_t (**triangles_inout)[3]) {
  uint32_t ear = ring_find_ear(ring, corner, n);
  if (ear == RING_NONE) return ring->next[ring->next[corner]]; /* where a full round plus two corners ends */
  for (; ear != RING_NONE;) {
    const uint32_t before = ring->previous[ear];
    corner = ring->next[ear];
    ring_triangulate(ring, ear, n, *(*triangles_inout)++);
    if (ring->count <= 2) break;
    ear = corner_is_ear(ring, corner, n)   ? corner
          : corner_is_ear(ring, before, n) ? before
                                           : ring_find_ear(ring, corner, n);
  }
  return corner;
}

/* Clips repeated corners and spikes, and those that result; returns whether there were any. */
GEOMETRY_FUNCTION bool ring_clip_folds(polygon_ring *ring, uint32_t n, uint32_t *corner_inout,
                                       uint32_t (**triangles_inout)[3]) {
  const uint32_t before = ring->count;
  while (ring->count > 2) {
    const uint32_t corner = corner_set_along(&ring->folding, *corner_inout, n);
    if (corner == RING_NONE) break;
    *corner_inout = ring->previous[corner];
    ring_triangulate(ring, corner, n, *(*triangles_inout)++);
  }
  return ring->count < before;
}

/* Clips at most this many corners of less than 180 degrees, whatever their triangles contain; returns whether there
 * were any. */
GEOMETRY_FUNCTION bool ring_clip_sharp(polygon_ring *ring, uint32_t n, uint32_t most, uint32_t *corner_inout,
                                       uint32_t (**triangles_inout)[3]) {
  const uint32_t before = ring->count;
  while (ring->count > 2 && before - ring->count < most) {
    const uint32_t corner = corner_set_along(&ring->sharp, *corner_inout, n);
    if (corner == RING_NONE) break;
    *corner_inout = ring->next[corner];
    ring_triangulate(ring, corner, n, *(*triangles_inout)++);
  }
  return ring->count < before;
}

/* Divides the scratch memory. */
GEOMETRY_FUNCTION uint32_t *ring_lay_out(polygon_ring *ring, uint32_t n, uint32_t *scratch) {
  ring->previous = scratch;
  ring->next = scratch + n;
  ring->order = scratch + 2 * (size_t)n;
  ring->place = scratch + 3 * (size_t)n;
  ring->list_next = scratch + 4 * (size_t)n;
  ring->list_previous = scratch + 6 * (size_t)n;
  uint32_t *room = scratch + 8 * (size_t)n;
  room = corner_set_make(&ring->open, n, room);
  room = corner_set_make(&ring->sharp, n, room);
  room = corner_set_make(&ring->folding, n, room);
  return corner_set_make(&ring->touching, n, room);
}

GEOMETRY_FUNCTION void ring_make(polygon_ring *ring, const double *points, uint32_t n, uint32_t *scratch) {
  uint32_t *blocks = ring_lay_out(ring, n, scratch);
  ring->points = points;
  ring->count = n;
  ring->reflex_count = 0;
  ring->tally.deepest_tier = 0;
  for (uint32_t i = 0; i < n; i++) {
    ring->previous[i] = i == 0 ? n - 1 : i - 1;
    ring->next[i] = i + 1 == n ? 0 : i + 1;
    ring->list_next[i] = ring->list_previous[i] = i;
    ring->list_next[n + i] = ring->list_previous[n + i] = n + i;
  }
  ring_choose_view(ring, n);
  for (uint32_t i = 0; i < n; i++) {
    const int turn = corner_turn(ring, i);
    if (turn > 0) corner_set_add(&ring->sharp, i);
    if (turn <= 0) ring->order[ring->reflex_count++] = i;
    if (turn == 0 && corner_folds(ring, i)) corner_set_add(&ring->folding, i);
    corner_set_add(&ring->open, i);
    ring->place[i] = RING_NONE;
  }
  ring_order_reflex(ring);
  for (uint32_t i = 0; i < ring->reflex_count; i++) ring->place[ring->order[i]] = i;
  ring_build_blocks(ring, blocks);
}

/* Splits the polygon of n corners, n from 3 to 2^30, into n - 2 triangles of corner numbers 0 to n - 1, each with the
 * orientation of the polygon. `points` contains the finite coordinates of the corners in order, 3 n doubles; `scratch`
 * has polygon_triangulate_scratch(n) elements. About n log n steps for outlines; see above for others. */
GEOMETRY_FUNCTION void polygon_triangulate(const double *points, uint32_t n, uint32_t *scratch,
                                           uint32_t (*triangles_out)[3]) {
  polygon_ring ring;
  ring_make(&ring, points, n, scratch);
  uint32_t corner = 1;
  for (uint32_t stuck = 0; stuck < POLYGON_PATIENCE && ring.count > 2; stuck++) {
    corner = ring_clip_ears(&ring, corner, n, &triangles_out);
    if (ring_clip_folds(&ring, n, &corner, &triangles_out)) continue;
    if (!ring_clip_sharp(&ring, n, 1, &corner, &triangles_out)) break;
  }
  ring_clip_folds(&ring, n, &corner, &triangles_out);
  ring_clip_sharp(&ring, n, n, &corner, &triangles_out);
  while (ring.count > 2) ring_triangulate(&ring, ring.next[corner], n, *triangles_out++);
}

#endif
