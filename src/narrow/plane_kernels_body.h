/* The text of the float filter; included once by each file that compiles it for one vector width: batches in, what is
 * not certainly apart out. The arithmetic and its error bound are in plane_tests.h. */
#include "narrow/plane_kernels.h"
#include "narrow/plane_tests.h"

/* Corner numbers of SIMD_WIDTH candidates from `at` on, the last one standing in for those that are not there. */
static inline void gather_corners(const candidate *candidates, size_t count, size_t at, uint32_t index[6][SIMD_WIDTH]) {
  for (size_t lane = 0; lane < SIMD_WIDTH; lane++) {
    const candidate *pair = &candidates[at + lane < count ? at + lane : count - 1];
    for (int i = 0; i < 3; i++) {
      index[i][lane] = pair->a->corner[i];
      index[3 + i][lane] = pair->b->corner[i];
    }
  }
}

static size_t filter(const primitive_view *view, const candidate *candidates, size_t count, candidate *undecided_out) {
  size_t undecided = 0;
  for (size_t at = 0; at < count; at += SIMD_WIDTH) {
    uint32_t index[6][SIMD_WIDTH];
    gather_corners(candidates, count, at, index);
    simd_point p[3], q[3];
    simd_float error = simd_set(0.0f);
    for (int i = 0; i < 3; i++) p[i] = fetch_points(view->rounded_vertices, index[i], &error);
    for (int i = 0; i < 3; i++) q[i] = fetch_points(view->rounded_vertices, index[3 + i], &error);
    const uint32_t apart_bits = simd_bits(planes_separate(p, q, simd_add(error, error)));
    for (size_t lane = 0; lane < SIMD_WIDTH && at + lane < count; lane++) {
      undecided_out[undecided] = candidates[at + lane];
      undecided += (apart_bits >> lane & 1u) ^ 1u;
    }
  }
  return undecided;
}

static size_t filter_edges(const primitive_view *view, const candidate *candidates, size_t count,
                           candidate *undecided_out) {
  size_t undecided = 0;
  for (size_t at = 0; at < count; at += SIMD_WIDTH) {
    uint32_t index[6][SIMD_WIDTH];
    gather_corners(candidates, count, at, index);
    simd_point p[3], q[3];
    simd_float error = simd_set(0.0f);
    for (int i = 0; i < 3; i++) p[i] = fetch_points(view->rounded_vertices, index[i], &error);
    for (int i = 0; i < 3; i++) q[i] = fetch_points(view->rounded_vertices, index[3 + i], &error);
    const uint32_t apart_bits = simd_bits(edge_planes_separate(p, q, simd_add(error, error)));
    for (size_t lane = 0; lane < SIMD_WIDTH && at + lane < count; lane++) {
      undecided_out[undecided] = candidates[at + lane];
      undecided += (apart_bits >> lane & 1u) ^ 1u;
    }
  }
  return undecided;
}

static size_t filter_vertex_adjacent(const primitive_view *view, const vertex_adjacent_pair *candidates, size_t count,
                                     vertex_adjacent_pair *undecided_out) {
  size_t undecided = 0;
  for (size_t at = 0; at < count; at += SIMD_WIDTH) {
    uint32_t index[5][SIMD_WIDTH];
    for (size_t lane = 0; lane < SIMD_WIDTH; lane++)
      for (int i = 0; i < 5; i++) index[i][lane] = candidates[at + lane < count ? at + lane : count - 1].vertex[i];
    simd_float error = simd_set(0.0f);
    simd_point point[5];
    for (int i = 0; i < 5; i++) point[i] = fetch_points(view->rounded_vertices, index[i], &error);
    const uint32_t apart_bits = simd_bits(adjacent_planes_separate(point, simd_add(error, error)));
    for (size_t lane = 0; lane < SIMD_WIDTH && at + lane < count; lane++)
      if ((apart_bits >> lane & 1u) == 0) undecided_out[undecided++] = candidates[at + lane];
  }
  return undecided;
}
