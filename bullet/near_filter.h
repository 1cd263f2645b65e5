// Rejects candidates that cannot give a contact, before their distances are measured.
//
// The boxes of a candidate are within the clearance, but most triangles are farther apart, or face away from each
// other. A filter has the pose of two bodies relative to each other, and takes some ten nanoseconds per candidate.
#ifndef GRAZE_BULLET_NEAR_FILTER_H
#define GRAZE_BULLET_NEAR_FILTER_H

#include "patches.h"

namespace graze_bullet {

class near_filter {
public:
  near_filter(const placed_surface &a, const placed_surface &b, double clearance);

  // False if the plane of one triangle, or a perpendicular plane through one of its edges, is farther than the
  // clearance from the other: such triangles are farther apart than that. Also false if both surfaces are closed and no
  // faces around the triangles face each other: the normal of a nearest point that no adjacent face undercuts is
  // between the normals of the faces around it, on both surfaces, and those of the two are opposite. A tolerance of
  // some degrees keeps points that are nearly such.
  bool keeps(uint32_t triangle_a, uint32_t triangle_b) const;

private:
  bool may_face(uint32_t triangle_a, uint32_t triangle_b) const;

  const surface &a_, &b_;
  graze_pose a_in_b_, b_in_a_;
  const double clearance_;
  const bool closed_;
};

} // namespace graze_bullet

#endif
