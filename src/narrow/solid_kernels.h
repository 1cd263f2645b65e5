/* The float filters of tetrahedra. With vector instructions they find pairs that the plane of a face certainly
 * separates, pairs in which an edge of one certainly passes through the other, and pairs that a plane through an edge
 * certainly separates.
 *
 * Undecided pairs go to the exact test (geometry/tetrahedron_pair.h). Inverted and flat tetrahedra need no special
 * handling. */
#ifndef GRAZE_NARROW_SOLID_KERNELS_H
#define GRAZE_NARROW_SOLID_KERNELS_H

#include "broad/primitive_view.h"

typedef struct solid_kernels {
  /* Pair i is the tetrahedra of the vertices a[i] and b[i], in normalized coordinates. Writes the positions of the
   * pairs that are not certainly apart, in order, and returns their number. The output needs capacity for SIMD_ROOM
   * more. */
  size_t (*filter_tetrahedra)(const rounded_vertex *rounded_vertices, const uint32_t (*a)[4], const uint32_t (*b)[4],
                              size_t count, uint32_t *undecided_out);
  /* The second half, for pairs that the first left undecided: sets bit i % 32 of word i / 32 if pair i certainly meets,
   * or certainly is apart, and clears it otherwise. */
  void (*decide_by_edges)(const rounded_vertex *rounded_vertices, const uint32_t (*a)[4], const uint32_t (*b)[4],
                          size_t count, uint32_t *intersecting_bits_out, uint32_t *apart_bits_out);
} solid_kernels;

extern const solid_kernels solid_kernels_scalar, solid_kernels_128, solid_kernels_256;

#endif
