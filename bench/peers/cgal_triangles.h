// CGAL's exact triangle test, extended to all inputs: the kernel's predicates are exact but undefined for degenerate
// triangles, so a triangle with collinear corners is tested as a segment or point. Requires -frounding-math and NDEBUG.
#ifndef GRAZE_CGAL_TRIANGLES_H
#define GRAZE_CGAL_TRIANGLES_H

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>

namespace cgal {

using kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using point = kernel::Point_3;
using segment = kernel::Segment_3;
using triangle = kernel::Triangle_3;

inline bool is_flat(const triangle &t) {
  return CGAL::collinear(t[0], t[1], t[2]);
}

inline segment longest_side(const triangle &t) {
  point low = t[0], high = t[0];
  for (int i = 1; i < 3; i++) {
    if (CGAL::lexicographically_xyz_smaller(t[i], low)) low = t[i];
    if (CGAL::lexicographically_xyz_smaller(high, t[i])) high = t[i];
  }
  return segment(low, high);
}

inline bool flat_meets(const triangle &flat, const triangle &other, bool other_flat) {
  const segment side = longest_side(flat);
  if (!other_flat) return side.is_degenerate() ? other.has_on(side.source()) : CGAL::do_intersect(other, side);
  const segment other_side = longest_side(other);
  if (side.is_degenerate() && other_side.is_degenerate()) return side.source() == other_side.source();
  if (side.is_degenerate()) return other_side.has_on(side.source());
  if (other_side.is_degenerate()) return side.has_on(other_side.source());
  return CGAL::do_intersect(side, other_side);
}

inline bool meet(const triangle &a, bool a_flat, const triangle &b, bool b_flat) {
  if (a_flat) return flat_meets(a, b, b_flat);
  if (b_flat) return flat_meets(b, a, false);
  return CGAL::do_intersect(a, b);
}

} // namespace cgal

#endif
