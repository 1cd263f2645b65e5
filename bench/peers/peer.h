// The neutral face of every library in the side by side table.
//
// A peer answers three questions: all self-intersections of a mesh, all pairs between two meshes, and yes or no for a
// rigid body in many poses. Meshes hold at most a few million triangles; coordinates are exactly representable as
// float, so that libraries of either precision are given the same mesh. Each driver is as fast as its library's
// documents allow on one machine; what the driver adds (exact test, neighbour rule) is said at the top of its file.
#ifndef GRAZE_PEER_H
#define GRAZE_PEER_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

// The same coordinates twice: a peer reads the format it likes best.
struct peer_mesh {
  const float *positions;
  const double *positions_double;
  size_t vertex_count;
  const uint32_t *triangles;
  size_t triangle_count;
};

// x -> rotation * x + translation, rotation row by row.
struct peer_pose {
  double rotation[9];
  double translation[3];
};

// (primitive of the first mesh, primitive of the second); within one mesh the smaller number first. Any order, no
// doubles.
using peer_pairs = std::vector<std::pair<uint32_t, uint32_t>>;

// `build` is everything before the first candidate can be looked for; the two together are the whole call.
struct peer_times {
  double build_ms = 0.0;
  double query_ms = 0.0;
};

// Thrown by a peer that has no way to answer a question.
struct peer_unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An object may keep what its library would keep between frames (devices, thread pools), never anything of a mesh
// unless its name says so. self_pairs leaves out triangles that share a vertex index.
class peer {
public:
  virtual ~peer() = default;
  virtual peer_times self_pairs(const peer_mesh &mesh, peer_pairs &pairs_out) = 0;
  virtual peer_times between_pairs(const peer_mesh &a, const peer_mesh &b, peer_pairs &pairs_out) = 0;
  // Builds once; then b takes each pose in turn while a stands. found_out[i]: whether they meet in pose i.
  virtual peer_times moving_any(const peer_mesh &a, const peer_mesh &b, const std::vector<peer_pose> &poses,
                                std::vector<uint8_t> &found_out) = 0;
};

std::unique_ptr<peer> make_peer_graze(uint32_t threads);
std::unique_ptr<peer> make_peer_graze_kept(uint32_t threads);
std::unique_ptr<peer> make_peer_cgal(uint32_t threads);
std::unique_ptr<peer> make_peer_embree(uint32_t threads);
std::unique_ptr<peer> make_peer_embree_graze(uint32_t threads);
std::unique_ptr<peer> make_peer_fcl(uint32_t threads);
std::unique_ptr<peer> make_peer_bullet(uint32_t threads);
std::unique_ptr<peer> make_peer_ode(uint32_t threads);

class peer_clock {
public:
  // Milliseconds since the object was made or last asked.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double passed = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
    return passed;
  }

private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

inline bool share_vertex(const uint32_t *triangles, uint32_t a, uint32_t b) {
  const uint32_t *const p = triangles + 3 * static_cast<size_t>(a);
  const uint32_t *const q = triangles + 3 * static_cast<size_t>(b);
  for (int i = 0; i < 3; i++) {
    if (p[i] == q[0] || p[i] == q[1] || p[i] == q[2]) return true;
  }
  return false;
}

// The arithmetic that graze documents for poses, so that all exact peers see the same rounded corners.
inline void pose_point(const peer_pose &pose, const double *point, double *point_out) {
  for (int i = 0; i < 3; i++) {
    const double *const row = pose.rotation + 3 * i;
    point_out[i] = ((row[0] * point[0] + row[1] * point[1]) + row[2] * point[2]) + pose.translation[i];
  }
}

#endif
