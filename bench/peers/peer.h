// The common interface of all libraries in the comparison.
//
// A peer answers three queries: all self-intersections of a mesh, all pairs between two meshes, and whether a rigid
// body intersects another in each of many poses. Some peers can also hold two rigid bodies, or thousands, and answer
// pose after pose. Meshes have at most a few million triangles. Coordinates are exactly representable as float, so that
// libraries of either precision get the same mesh. Each driver uses the fastest documented interface of its library;
// the top of its file states what the driver adds (exact test, neighbor rule).
#ifndef GRAZE_PEER_H
#define GRAZE_PEER_H

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

// The same coordinates in two formats; a peer reads either.
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

// (primitive of the first mesh, primitive of the second); within one mesh the smaller number first. In any order,
// without duplicates.
using peer_pairs = std::vector<std::pair<uint32_t, uint32_t>>;

// `build` is everything before the search for the first candidate; the sum of both is the whole call.
struct peer_times {
  double build_ms = 0.0;
  double query_ms = 0.0;
};

// Thrown by a peer that does not support a query.
struct peer_unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class peer_clock {
public:
  // Milliseconds since construction or the last call.
  double lap() {
    const auto now = std::chrono::steady_clock::now();
    const double passed = std::chrono::duration<double, std::milli>(now - last_).count();
    last_ = now;
    return passed;
  }

private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// Two rigid bodies, built once: the first is fixed, each call sets a pose of the second. The meshes must outlive it.
class peer_rigid_pair {
public:
  virtual ~peer_rigid_pair() = default;
  virtual bool meet(const peer_pose &pose) = 0;
  virtual void find(const peer_pose &, peer_pairs &) { throw peer_unsupported("it does not report the triangles"); }
  // The time to create structures that users of the library already have; not part of the build time.
  virtual double spared_ms() const { return 0.0; }
};

struct peer_world_answer {
  uint64_t bodies = 0;    // intersecting pairs of bodies
  uint64_t triangles = 0; // reported pairs of triangles
};

// Many rigid bodies under the library's own broad phase.
class peer_rigid_world {
public:
  virtual ~peer_rigid_world() = default;
  // Sets all poses. `one_each`: one pair of triangles per pair of bodies suffices.
  virtual peer_world_answer find(const peer_pose *poses, bool one_each) = 0;
};

// An object may keep what its library keeps between frames (devices, thread pools), but nothing of a mesh unless its
// name says so. self_pairs ignores triangles that share a vertex index.
class peer {
public:
  virtual ~peer() = default;
  virtual peer_times self_pairs(const peer_mesh &mesh, peer_pairs &pairs_out) = 0;
  virtual peer_times between_pairs(const peer_mesh &a, const peer_mesh &b, peer_pairs &pairs_out) = 0;
  virtual std::unique_ptr<peer_rigid_pair> hold_pair(const peer_mesh &, const peer_mesh &) {
    throw peer_unsupported("it has no rigid bodies");
  }
  // Body i has the shape i % shape_count and its initial pose: a tree built over one point would remain bad.
  virtual std::unique_ptr<peer_rigid_world> hold_world(const peer_mesh *, size_t /*shape_count*/, const peer_pose *,
                                                       size_t /*body_count*/) {
    throw peer_unsupported("it has no broad phase for bodies");
  }
  // Builds once, then sets each pose of b while a is fixed. found_out[i]: whether they intersect in pose i.
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

// The arithmetic that graze documents for poses, so that all exact peers use the same rounded corners.
inline void pose_point(const peer_pose &pose, const double *point, double *point_out) {
  for (int i = 0; i < 3; i++) {
    const double *const row = pose.rotation + 3 * i;
    point_out[i] = ((row[0] * point[0] + row[1] * point[1]) + row[2] * point[2]) + pose.translation[i];
  }
}

#endif
