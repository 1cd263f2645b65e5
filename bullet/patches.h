// Contact patches of two bodies: their near triangles grouped into regions, each with a few contact points.
//
// Two pairs of triangles are in one region if the triangles share a vertex on both sides, as in graze/regions.h. Pairs
// that intersect form regions first; near pairs then join one of them, or form separate regions. A region is divided
// into patches by the direction of its normals, so that a pin in a hole has contacts all around. The result does not
// depend on threads: it is computed from sorted pairs by a fixed sequence of operations.
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
  const graze_distance *distance; // NULL if the two intersect
  const graze_contact *contact;   // if the two intersect, else NULL
  const double (*points)[3];      // of the contact
};

struct contact_point {
  vector3 on_a, on_b; // on the surfaces, without margins; for crossing triangles half the depth around a common point
  vector3 normal;     // of unit length, from b to a
  double distance;    // of the surfaces, negative if they cross
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

// Memory that calls reuse.
struct patch_scratch {
  std::vector<uint64_t> keys;
  std::vector<uint32_t> firsts, parents;
  std::vector<contact_point> candidates;
  std::vector<uint32_t> regions, order;
  std::vector<double> nearest;
};

// Appends the patches of two bodies. A point is kept if the distance is at most the margins of its two triangles plus
// the reach; points of one patch are at least the reach apart.
void make_patches(const placed_surface &a, const placed_surface &b, const std::vector<near_pair> &pairs, double reach,
                  patch_scratch &scratch, std::vector<patch> &out);

// Appends the single patch of a body and the half space below a plane, if they meet; b is the half space.
void make_plane_patch(const placed_surface &a, const vector3 &normal, double height, double reach,
                      patch_scratch &scratch, std::vector<patch> &out);

} // namespace graze_bullet

#endif
