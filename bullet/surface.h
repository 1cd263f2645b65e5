// The triangles of a Bullet shape, in the frame of its object.
//
// Meshes, height fields and scaled meshes have their triangles, boxes and hulls those of their boundary, compounds
// those of all children. Corners at the same position are one vertex, so that regions do not end at the seams of a
// mesh.
#ifndef GRAZE_BULLET_SURFACE_H
#define GRAZE_BULLET_SURFACE_H

#include "vector3.h"

#include <BulletCollision/CollisionShapes/btCollisionShape.h>
#include <array>
#include <cstdint>
#include <vector>

namespace graze_bullet {

// Bullet's name of a triangle: its part and its number in the part. In a compound the part is the number of the child.
struct triangle_name {
  int part, index;
  double margin; // of the shape that it belongs to, outside of its surface
};

struct surface {
  std::vector<vector3> positions;
  std::vector<std::array<uint32_t, 3>> triangles;
  std::vector<triangle_name> names; // one for each triangle
  std::vector<vector3> normals;     // likewise; zero if a triangle has none
  std::vector<double> spreads;      // likewise: the greatest angle to the normal of a triangle that shares a corner
  bool closed = false;              // each edge has two triangles, which use it in opposite directions
  // The triangles around each vertex: those of vertex i are around[around_starts[i]] to around[around_starts[i + 1] -
  // 1].
  std::vector<uint32_t> around_starts, around;
  double greatest_margin = 0;
};

// Whether graze supports the shape: every leaf is a mesh, a height field, a box or a polyhedral hull.
bool has_surface(const btCollisionShape &shape);
// Whether a leaf is concave.
bool is_concave(const btCollisionShape &shape);

surface make_surface(const btCollisionShape &shape);

// The first triangle with a coordinate that is not finite; the number of triangles if there is none.
struct bad_coordinate {
  size_t triangle;
  double value;
};
bad_coordinate find_bad_coordinate(const surface &made);
// A hash of positions, triangles and margins.
uint64_t fingerprint(const surface &made);

} // namespace graze_bullet

#endif
