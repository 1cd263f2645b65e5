// The neutral face of every library in the side by side table.
//
// A peer answers three questions: all self-intersections of a mesh, all pairs between two meshes, and yes or no for a
// rigid body in many poses. Those that can hold two rigid bodies, or thousands of them, and be asked about pose after
// pose. Meshes hold at most a few million triangles; coordinates are exactly representable as
// float, so that libraries of either precision are given the same mesh. Each driver is as fast as its library's
// documents allow on one machine; what the driver adds (exact test, neighbor rule) is said at the top of its file.
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

// Two rigid bodies, built once: the first stands, the second takes a pose a call. The meshes must outlive it.
class peer_rigid_pair {
public:
  virtual ~peer_rigid_pair() = default;
  virtual bool meet(const peer_pose &pose) = 0;
  virtual void find(const peer_pose &, peer_pairs &) { throw peer_unsupported("it does not name the triangles"); }
  // Of making what users of the library hold already: no part of building.
  virtual double spared_ms() const { return 0.0; }
};

struct peer_world_answer {
  uint64_t bodies = 0;    // pairs of bodies that touch
  uint64_t triangles = 0; // pairs of triangles, as many as were named
};

// Many rigid bodies under the library's own broad phase.
class peer_rigid_world {
public:
  virtual ~peer_rigid_world() = default;
  // All bodies take their poses. `one_each`: one pair of triangles of two bodies is enough.
  virtual peer_world_answer find(const peer_pose *poses, bool one_each) = 0;
};

// An object may keep what its library would keep between frames (devices, thread pools), never anything of a mesh
// unless its name says so. self_pairs leaves out triangles that share a vertex index.
class peer {
public:
  virtual ~peer() = default;
  virtual peer_times self_pairs(const peer_mesh &mesh, peer_pairs &pairs_out) = 0;
  virtual peer_times between_pairs(const peer_mesh &a, const peer_mesh &b, peer_pairs &pairs_out) = 0;
  virtual std::unique_ptr<peer_rigid_pair> hold_pair(const peer_mesh &, const peer_mesh &) {
    throw peer_unsupported("it holds no rigid bodies");
  }
  // Body i has the shape i % shape_count, and its pose to begin with: a tree built over one point would stay bad.
  virtual std::unique_ptr<peer_rigid_world> hold_world(const peer_mesh *, size_t /*shape_count*/, const peer_pose *,
                                                       size_t /*body_count*/) {
    throw peer_unsupported("it has no broad phase for bodies");
  }
  // Builds once; then b takes each pose in turn while a stands. found_out[i]: whether they meet in pose i.
  virtual peer_times moving_any(const peer_mesh &a, const peer_mesh &b, const std::vector<peer_pose> &poses,
                                std::vector<uint8_t> &found_out) {
    peer_times times;
    peer_clock clock;
    const std::unique_ptr<peer_rigid_pair> bodies = hold_pair(a, b);
    times.build_ms = clock.lap() - bodies->spared_ms();
    for (const peer_pose &pose : poses) found_out.push_back(bodies->meet(pose));
    times.query_ms = clock.lap();
    return times;
  }
};

std::unique_ptr<peer> make_peer_graze(uint32_t threads);
std::unique_ptr<peer> make_peer_graze_workers(uint32_t threads);
std::unique_ptr<peer> make_peer_graze_kept(uint32_t threads);
std::unique_ptr<peer> make_peer_cgal(uint32_t threads);
std::unique_ptr<peer> make_peer_embree(uint32_t threads);
std::unique_ptr<peer> make_peer_embree_graze(uint32_t threads);
std::unique_ptr<peer> make_peer_lbvh(uint32_t threads);
std::unique_ptr<peer> make_peer_fcl(uint32_t threads);
std::unique_ptr<peer> make_peer_bullet(uint32_t threads);
std::unique_ptr<peer> make_peer_ode(uint32_t threads);

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
