/* Ear clipping in its simplest form, as a reference: each test visits all corners, and each search for an ear goes
 * around the ring corner by corner. It defines the triangles of polygon_triangulate and their order, in quadratic time.
 */
#ifndef REFERENCE_TRIANGULATION_H
#define REFERENCE_TRIANGULATION_H

#include "geometry/polygon_triangulation.h"

typedef struct reference_ring {
  polygon_ring ring; /* points, view, previous, next and count; nothing else of it is used */
  uint32_t corner_count;
  uint32_t *is_reflex; /* 1 for a corner of 180 degrees or more that is left; a corner never becomes reflex again */
  uint32_t (*triangles)[3];
} reference_ring;

static bool reference_is_ear(reference_ring *r, uint32_t corner) {
  const int turn = corner_turn(&r->ring, corner);
  if (turn == 0) return corner_repeats(&r->ring, corner);
  if (turn < 0) return false;
  const polygon_ear ear = ear_at(&r->ring, corner);
  for (uint32_t i = 0; i < r->corner_count; ++i)
    if (r->is_reflex[i] != 0 && corner_forbids_ear(&r->ring, &ear, i)) return false;
  return true;
}

static void reference_cut(reference_ring *r, uint32_t corner) {
  polygon_ring *ring = &r->ring;
  const uint32_t from = ring->previous[corner], to = ring->next[corner], triangle[3] = {from, corner, to};
  memcpy(*r->triangles++, triangle, sizeof triangle);
  ring->next[from] = to;
  ring->previous[to] = from;
  --ring->count;
  r->is_reflex[corner] = 0;
  if (corner_turn(ring, from) > 0) r->is_reflex[from] = 0;
  if (corner_turn(ring, to) > 0) r->is_reflex[to] = 0;
}

/* After a cut the corner behind is tried, then the corner before; then all others along the ring. */
static uint32_t reference_cut_ears(reference_ring *r, uint32_t corner) {
  uint32_t before = corner;
  for (uint32_t refused = 0; r->ring.count > 2 && refused < r->ring.count + 2;) {
    const uint32_t from = r->ring.previous[corner], to = r->ring.next[corner];
    if (reference_is_ear(r, corner)) {
      reference_cut(r, corner);
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

static bool reference_cut_folds(reference_ring *r, uint32_t *corner_inout) {
  const uint32_t before = r->ring.count;
  for (uint32_t refused = 0; r->ring.count > 2 && refused < r->ring.count;) {
    const uint32_t corner = *corner_inout;
    if (corner_turn(&r->ring, corner) != 0 || !corner_folds(&r->ring, corner)) {
      ++refused;
      *corner_inout = r->ring.next[corner];
      continue;
    }
    *corner_inout = r->ring.previous[corner];
    reference_cut(r, corner);
    refused = 0;
  }
  return r->ring.count < before;
}

static bool reference_cut_sharp(reference_ring *r, uint32_t most, uint32_t *corner_inout) {
  const uint32_t before = r->ring.count;
  for (uint32_t refused = 0; r->ring.count > 2 && refused < r->ring.count && before - r->ring.count < most;) {
    const uint32_t corner = *corner_inout;
    *corner_inout = r->ring.next[corner];
    if (corner_turn(&r->ring, corner) <= 0) {
      ++refused;
      continue;
    }
    reference_cut(r, corner);
    refused = 0;
  }
  return r->ring.count < before;
}

/* Like polygon_split, with three scratch numbers per corner. */
static void reference_triangulation(const double *points, uint32_t n, uint32_t *scratch, uint32_t (*triangles_out)[3]) {
  reference_ring r = {.ring = {.points = points, .count = n, .previous = scratch, .next = scratch + n},
                      .corner_count = n,
                      .is_reflex = scratch + 2 * (size_t)n,
                      .triangles = triangles_out};
  for (uint32_t i = 0; i < n; ++i) {
    r.ring.previous[i] = i == 0 ? n - 1 : i - 1;
    r.ring.next[i] = i + 1 == n ? 0 : i + 1;
  }
  ring_choose_view(&r.ring, n);
  for (uint32_t i = 0; i < n; ++i) r.is_reflex[i] = corner_turn(&r.ring, i) <= 0;
  uint32_t corner = 1;
  for (uint32_t stuck = 0; stuck < POLYGON_PATIENCE && r.ring.count > 2; ++stuck) {
    corner = reference_cut_ears(&r, corner);
    if (reference_cut_folds(&r, &corner)) continue;
    if (!reference_cut_sharp(&r, 1, &corner)) break;
  }
  reference_cut_folds(&r, &corner);
  reference_cut_sharp(&r, n, &corner);
  while (r.ring.count > 2) reference_cut(&r, r.ring.next[corner]);
}

#endif
