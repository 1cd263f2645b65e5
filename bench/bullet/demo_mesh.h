// Surfaces of the Bullet demonstration: built-in models, meshes of files with fewer triangles, a glove, a net.
#ifndef GRAZE_DEMO_MESH_H
#define GRAZE_DEMO_MESH_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using demo_point = std::array<double, 3>;

// Triangles, or links of a net: a link is a triangle whose last two corners are equal.
struct demo_mesh {
  std::vector<demo_point> positions;
  std::vector<std::array<uint32_t, 3>> triangles;
  bool is_net = false;
};

// A built-in model of graze (graze make --list). Throws std::runtime_error, as does read_surface.
demo_mesh make_model(const char *name, uint64_t triangles, uint64_t seed);

// The mesh of a file, with edges collapsed until it has at most this many triangles.
demo_mesh read_surface(const std::string &path, size_t triangles);

// Collapses short edges as long as the surface remains a manifold and no face flips.
void decimate(demo_mesh &mesh, size_t triangles);

// A hand with five fingers: the smoothed boundary of lattice cells, `detail` of them along the width of a finger.
demo_mesh make_glove(int detail);

// A square net around the origin, in the plane of x and z.
demo_mesh make_net(double width, int cells);

// A box with corners at plus and minus these coordinates.
demo_mesh make_box(double x, double y, double z);

// A square sheet around the origin, in the plane of x and z.
demo_mesh make_sheet(double width, int cells);

// A funnel around the y axis, open at both ends, with a double-sided wall.
demo_mesh make_funnel(double upper_radius, double lower_radius, double height, double wall, int around);

// A link of a chain: a ring around the z axis.
demo_mesh make_ring(double radius, double tube, int around, int across);

// Moves the center of the bounding box to the origin and scales its longest side to this width.
void center(demo_mesh &surface, double width);

#endif
