/* The float filter: pairs of triangles that a plane certainly separates, and pairs that certainly meet, found by the
 * vector units. First the planes of the two triangles themselves, then the planes along an edge of each: between them
 * they separate any two triangles that are apart, but for coplanar ones, which planes do that stand upright on edges.
 *
 * What they are not certain of goes on to the exact test. The error bound is derived in docs/theory/exactness.md and
 * repeated at the code. */
#ifndef GRAZE_NARROW_PLANE_KERNELS_H
#define GRAZE_NARROW_PLANE_KERNELS_H

#include "broad/method.h"

/* Two triangles with common vertices: those, then the others of a, then the others of b; with two of them there are
 * four. */
typedef struct adjacent_pair {
  uint32_t vertex[5];
  candidate candidate;
} adjacent_pair;

typedef struct plane_kernels {
  /* Writes the candidates that are not certainly apart, in order, with room for SIMD_ROOM more; returns their number.
   * May write over what it has read: the output may begin where the candidates do, or before. */
  size_t (*filter)(const primitive_view *view, const candidate *candidates, size_t count, candidate *undecided_out);
  /* The same by planes that stand upright on the edges of a triangle. */
  size_t (*filter_upright)(const primitive_view *view, const candidate *candidates, size_t count,
                           candidate *undecided_out);
  /* By all others, for pairs whose boxes meet: writes the candidates that are neither certainly apart nor certainly
   * meet likewise, and those that meet. */
  size_t (*decide_by_edges)(const primitive_view *view, const candidate *candidates, size_t count,
                            candidate *undecided_out, index_pair *meeting_out, size_t *meeting_count_out);
  /* As the first for pairs with one common vertex, which are apart when they meet in nothing else, and with two, when
   * they do not overlap. */
  size_t (*filter_vertex_adjacent)(const primitive_view *view, const adjacent_pair *candidates, size_t count,
                                   adjacent_pair *undecided_out);
  size_t (*filter_edge_adjacent)(const primitive_view *view, const adjacent_pair *candidates, size_t count,
                                 adjacent_pair *undecided_out);
} plane_kernels;

extern const plane_kernels plane_kernels_scalar, plane_kernels_128, plane_kernels_256;

#endif
