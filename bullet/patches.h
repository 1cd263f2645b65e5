// Contact patches of two bodies: their near triangles grouped into regions, each with a few contact points.
//
// Two pairs of triangles are in one region when the triangles share a vertex on both sides, as in graze/regions.h.
// Pairs that intersect form regions among themselves first; near pairs then join one of them, or form regions of their
// own. A region is cut into patches by the direction of its normals, so that a pin in its hole has contacts all around.
// The result does not depend on threads: it is made from sorted pairs by one fixed sequence of operations.
#ifndef GRAZE_BULLET_PATCHES_H
#define GRAZE_BULLET_PATCHES_H

#include "surface.h"

#include "graze/distances.h"
#include "graze/graze.h"

#include <vector>

namespace graze_bullet {

// Two triangles within the margins of their shapes and the threshold of the bodies.
struct near_pair {
  uint32_t triangle_a, triangle_b;
  const graze_distance *distance; // NULL where the two intersect
  const graze_contact *contact;   // where the two intersect, else NULL
  const double (*points)[3];      // of the contact
};

struct contact_point {
  vector3 on_a, on_b; // on the surfaces, without margins; of crossing triangles half the depth around a common point
  vector3 normal;     // of unit length, from b to a
  double distance;    // of the surfaces, negative where they cross
  uint32_t triangle_a, triangle_b;
};

// A manifold of Bullet has four points.
enum { PATCH_POINTS = 4 };

struct patch {
  contact_point points[PATCH_POINTS]; // the deepest first, each other the farthest from those before it
  int point_count;
};

struct placed_surface {
  const surface *shape;
  graze_pose pose;
};

// Memory that is used again from call to call.
struct patch_scratch {
  std::vector<uint64_t> keys;
  std::vector<uint32_t> firsts, parents;
  std::vector<contact_point> candidates;
  std::vector<uint32_t> regions, order;
  std::vector<double> nearest;
};

// Appends the patches of two bodies. A point is kept where the distance is at most the margins of its two triangles and
// the reach; points of one patch are at least the reach apart.
void make_patches(const placed_surface &a, const placed_surface &b, const std::vector<near_pair> &pairs, double reach,
                  patch_scratch &scratch, std::vector<patch> &out);

// Appends the one patch of a body and a half space below a plane, where they meet: b is the half space.
void make_plane_patch(const placed_surface &a, const vector3 &normal, double height, double reach,
                      patch_scratch &scratch, std::vector<patch> &out);

} // namespace graze_bullet

#endif
