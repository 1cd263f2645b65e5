/* The float filter of triangles. It finds pairs that a plane certainly separates and pairs that certainly meet, with
 * vector instructions. It tests the planes of the two triangles, then the planes along an edge of each. These separate
 * any two triangles that are apart, except coplanar ones; for those it tests planes upright on edges.
 *
 * Undecided pairs go to the exact test. The error bound is derived in docs/theory/exactness.md and repeated at the
 * code. */
#ifndef GRAZE_NARROW_PLANE_KERNELS_H
#define GRAZE_NARROW_PLANE_KERNELS_H

#include "broad/method.h"

/* Two triangles with common vertices: first those, then the others of a, then the others of b. With two common vertices
 * there are four in all. */
typedef struct adjacent_pair {
  uint32_t vertex[5];
  candidate candidate;
} adjacent_pair;

typedef struct plane_kernels {
  /* Writes the candidates that are not certainly apart, in order, and returns their number. The output needs capacity
   * for SIMD_ROOM more. It may overwrite the input that was already read: the output may begin at the candidates or
   * before them. */
  size_t (*filter)(const primitive_view *view, const candidate *candidates, size_t count, candidate *undecided_out);
  /* The same with planes upright on the edges of a triangle. */
  size_t (*filter_upright)(const primitive_view *view, const candidate *candidates, size_t count,
                           candidate *undecided_out);
  /* With all other planes, for pairs whose boxes meet: writes the undecided candidates likewise, and the pairs that
   * certainly meet. */
  size_t (*decide_by_edges)(const primitive_view *view, const candidate *candidates, size_t count,
                            candidate *undecided_out, index_pair *meeting_out, size_t *meeting_count_out);
  /* As `filter`, for pairs with one common vertex, which are apart if they meet in nothing else, and with two, which
   * are apart if they do not overlap. */
  size_t (*filter_vertex_adjacent)(const primitive_view *view, const adjacent_pair *candidates, size_t count,
                                   adjacent_pair *undecided_out);
  size_t (*filter_edge_adjacent)(const primitive_view *view, const adjacent_pair *candidates, size_t count,
                                 adjacent_pair *undecided_out);
} plane_kernels;

extern const plane_kernels plane_kernels_scalar, plane_kernels_128, plane_kernels_256;

#endif
