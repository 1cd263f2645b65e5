// Sorts out candidates that cannot give a contact, before their distances are measured.
//
// A candidate has boxes within the clearance; most are farther apart than that, or face away from each other. A filter
// holds the pose of two bodies relative to each other, and takes some ten nanoseconds a candidate.
#ifndef GRAZE_BULLET_NEAR_FILTER_H
#define GRAZE_BULLET_NEAR_FILTER_H

#include "patches.h"

namespace graze_bullet {

class near_filter {
public:
  near_filter(const placed_surface &a, const placed_surface &b, double clearance);

  // False where a plane of one triangle, or a plane through one of its edges that stands on it, is farther than the
  // clearance from the other one; such triangles are farther apart than that. False too where both surfaces
  // are closed and nothing around the triangles faces each other: the normal of a nearest point that no face around it
  // undercuts lies between the normals of the faces around it, on both surfaces, and those of the two are opposite.
  // Some degrees more are kept, for points that are nearly such.
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
