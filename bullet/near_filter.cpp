// Rejects candidates by the planes and edges of their triangles, in the frame of one body and then of the other.
#include "near_filter.h"

#include <algorithm>

namespace graze_bullet {
namespace {

// The pose of `inner` in the frame of `outer`.
graze_pose relative(const graze_pose &outer, const graze_pose &inner) {
  graze_pose made;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      made.rotation[3 * i + j] = 0;
      for (int k = 0; k < 3; k++) made.rotation[3 * i + j] += outer.rotation[3 * k + i] * inner.rotation[3 * k + j];
    }
    made.translation[i] = 0;
    for (int k = 0; k < 3; k++)
      made.translation[i] += outer.rotation[3 * k + i] * (inner.translation[k] - outer.translation[k]);
  }
  return made;
}

// Whether the triangle of `other` is farther than `clearance` on one side of the plane of a triangle of `own`, or
// beyond one of its edges, viewed along its normal.
bool plane_parts(const surface &own, uint32_t triangle, const surface &other, uint32_t other_triangle,
                 const graze_pose &other_in_own, double clearance) {
  const vector3 &normal = own.normals[triangle];
  const vector3 corners[3] = {own.positions[own.triangles[triangle][0]], own.positions[own.triangles[triangle][1]],
                              own.positions[own.triangles[triangle][2]]};
  vector3 others[3];
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < 3; i++) {
    others[i] = placed(other_in_own, other.positions[other.triangles[other_triangle][i]]);
    const double side = dot(normal, others[i] - corners[0]);
    low = std::min(low, side), high = std::max(high, side);
  }
  if (low > clearance || high < -clearance) return true;
  for (int i = 0; i < 3; i++) {
    const vector3 edge = corners[(i + 1) % 3] - corners[i], outward = cross(edge, normal); // as long as the edge
    const double start = dot(outward, corners[i]);
    const double least = std::min({dot(outward, others[0]), dot(outward, others[1]), dot(outward, others[2])}) - start;
    if (least > 0 && least * least > clearance * clearance * dot(edge, edge)) return true;
  }
  return false;
}

} // namespace

near_filter::near_filter(const placed_surface &a, const placed_surface &b, double clearance)
    : a_(*a.shape), b_(*b.shape), a_in_b_(relative(b.pose, a.pose)), b_in_a_(relative(a.pose, b.pose)),
      clearance_(clearance), closed_(a.shape->closed && b.shape->closed) {}

bool near_filter::may_face(uint32_t triangle_a, uint32_t triangle_b) const {
  const double kept = 0.06, spread = a_.spreads[triangle_a] + b_.spreads[triangle_b] + kept;
  const double cosine = -dot(turned(a_in_b_, a_.normals[triangle_a]), b_.normals[triangle_b]);
  return spread >= M_PI / 2 ? cosine > -0.01 : cosine >= std::cos(spread);
}

bool near_filter::keeps(uint32_t triangle_a, uint32_t triangle_b) const {
  if (closed_ && !may_face(triangle_a, triangle_b)) return false;
  return !plane_parts(b_, triangle_b, a_, triangle_a, a_in_b_, clearance_) &&
         !plane_parts(a_, triangle_a, b_, triangle_b, b_in_a_, clearance_);
}

} // namespace graze_bullet
