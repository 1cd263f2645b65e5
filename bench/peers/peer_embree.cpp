// Embree: rtcCollide over user geometry on the fast builder, with an exact triangle test in the callback.
//
// rtcCollide returns pairs of triangles with intersecting float boxes; the boxes are exact, since coordinates are
// floats. The callback uses graze's own exact test, one pair at a time, so that the row compares the searches and not
// the triangle tests. Collisions within one scene occur in both orders; one is dropped before the test. rtcCollide has
// no instances: for poses, the boxes of the moving body are refitted, which is the cheapest update that Embree offers.
//
// Wald et al., "Embree: a kernel framework for efficient CPU ray tracing", 2014.
#include "cgal_triangles.h"
#include "peer.h"

#include "graze/triangle.h"

#include <embree3/rtcore.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

namespace {

// The data of one mesh for the bounds callback and the collide callback.
struct body {
  const uint32_t *triangles;
  const float *positions;
  std::vector<double> posed; // three per vertex; empty while the mesh has no pose
  std::vector<uint8_t> flat; // triangles with collinear corners, for CGAL's test; empty: unknown
};

void move(const peer_mesh &mesh, const peer_pose &pose, body &body_out) {
  body_out.posed.resize(3 * mesh.vertex_count);
  for (size_t i = 0; i < mesh.vertex_count; i++) {
    pose_point(pose, mesh.positions_double + 3 * i, body_out.posed.data() + 3 * i);
  }
}

template <class number> void load_corners(const number *positions, const uint32_t *triangle, number *corners_out) {
  for (size_t i = 0; i < 9; i++) corners_out[i] = positions[3 * static_cast<size_t>(triangle[i / 3]) + i % 3];
}

void load_triangle(const body &b, uint32_t triangle, double *corners_out) {
  const uint32_t *const indices = b.triangles + 3 * static_cast<size_t>(triangle);
  if (!b.posed.empty()) {
    load_corners(b.posed.data(), indices, corners_out);
  } else {
    float corners[9];
    load_corners(b.positions, indices, corners);
    std::copy(corners, corners + 9, corners_out);
  }
}

cgal::triangle make_triangle(const double *c) {
  return cgal::triangle(cgal::point(c[0], c[1], c[2]), cgal::point(c[3], c[4], c[5]), cgal::point(c[6], c[7], c[8]));
}

// CGAL's test must know which triangles are degenerate; this is determined once, as in the row of CGAL.
body stand(const peer_mesh &mesh, bool mark_flat) {
  body made = {mesh.triangles, mesh.positions, {}, {}};
  for (size_t i = 0; i < mesh.triangle_count && mark_flat; i++) {
    double corners[9];
    load_triangle(made, static_cast<uint32_t>(i), corners);
    made.flat.push_back(cgal::is_flat(make_triangle(corners)));
  }
  return made;
}

void bound_standing(const RTCBoundsFunctionArguments *arguments) {
  const body &b = *static_cast<const body *>(arguments->geometryUserPtr);
  float c[9];
  load_corners(b.positions, b.triangles + 3 * static_cast<size_t>(arguments->primID), c);
  RTCBounds &bounds = *arguments->bounds_o;
  bounds.lower_x = std::min({c[0], c[3], c[6]});
  bounds.lower_y = std::min({c[1], c[4], c[7]});
  bounds.lower_z = std::min({c[2], c[5], c[8]});
  bounds.upper_x = std::max({c[0], c[3], c[6]});
  bounds.upper_y = std::max({c[1], c[4], c[7]});
  bounds.upper_z = std::max({c[2], c[5], c[8]});
}

// A posed corner is a double: its box is rounded outward by at most one float.
float float_below(double value) {
  const float nearest = static_cast<float>(value);
  return static_cast<double>(nearest) <= value ? nearest : std::nextafter(nearest, -HUGE_VALF);
}

float float_above(double value) {
  const float nearest = static_cast<float>(value);
  return static_cast<double>(nearest) >= value ? nearest : std::nextafter(nearest, HUGE_VALF);
}

void bound_moving(const RTCBoundsFunctionArguments *arguments) {
  const body &b = *static_cast<const body *>(arguments->geometryUserPtr);
  double c[9];
  load_triangle(b, arguments->primID, c);
  RTCBounds &bounds = *arguments->bounds_o;
  bounds.lower_x = float_below(std::min({c[0], c[3], c[6]}));
  bounds.lower_y = float_below(std::min({c[1], c[4], c[7]}));
  bounds.lower_z = float_below(std::min({c[2], c[5], c[8]}));
  bounds.upper_x = float_above(std::max({c[0], c[3], c[6]}));
  bounds.upper_y = float_above(std::max({c[1], c[4], c[7]}));
  bounds.upper_z = float_above(std::max({c[2], c[5], c[8]}));
}

struct search {
  const body *first;
  const body *second; // equal to first: within one mesh
  tbb::enumerable_thread_specific<peer_pairs> found;
  std::atomic<bool> any{false}; // guarantees no order: read after all callbacks have returned, or to skip work
  bool stop_at_first = false;
  bool ask_graze = false;
};

bool meet(const search &s, uint32_t a, uint32_t b) {
  double corners_a[9], corners_b[9];
  load_triangle(*s.first, a, corners_a);
  load_triangle(*s.second, b, corners_b);
  if (s.ask_graze) return graze_triangles_intersect(corners_a, corners_b);
  const cgal::triangle p = make_triangle(corners_a), q = make_triangle(corners_b);
  const bool p_flat = s.first->flat.empty() ? cgal::is_flat(p) : s.first->flat[a] != 0;
  const bool q_flat = s.second->flat.empty() ? cgal::is_flat(q) : s.second->flat[b] != 0;
  return cgal::meet(p, p_flat, q, q_flat);
}

void report_collisions(void *user, RTCCollision *collisions, unsigned int count) {
  search &s = *static_cast<search *>(user);
  if (s.stop_at_first && s.any.load(std::memory_order_relaxed)) return;
  const bool within = s.first == s.second;
  peer_pairs &found = s.found.local();
  for (unsigned int i = 0; i < count; i++) {
    const uint32_t a = collisions[i].primID0, b = collisions[i].primID1;
    if (within && (a >= b || share_vertex(s.first->triangles, a, b))) continue;
    if (!meet(s, a, b)) continue;
    found.emplace_back(a, b);
    s.any.store(true, std::memory_order_relaxed);
  }
}

// The scene keeps the geometry alive.
RTCScene make_scene(RTCDevice device, const body &b, size_t triangle_count, RTCBoundsFunction bound,
                    RTCGeometry &geometry_out) {
  RTCScene scene = rtcNewScene(device);
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_DYNAMIC);
  rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_LOW);
  geometry_out = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_USER);
  // The two-level tree of a dynamic scene refits geometries that request it and rebuilds the others.
  rtcSetGeometryBuildQuality(geometry_out, bound == bound_moving ? RTC_BUILD_QUALITY_REFIT : RTC_BUILD_QUALITY_LOW);
  rtcSetGeometryUserPrimitiveCount(geometry_out, static_cast<unsigned int>(triangle_count));
  rtcSetGeometryUserData(geometry_out, const_cast<body *>(&b));
  rtcSetGeometryBoundsFunction(geometry_out, bound, nullptr);
  rtcCommitGeometry(geometry_out);
  rtcAttachGeometry(scene, geometry_out);
  rtcReleaseGeometry(geometry_out);
  rtcCommitScene(scene);
  return scene;
}

void gather(const search &s, peer_pairs &pairs_out) {
  for (const peer_pairs &part : s.found) pairs_out.insert(pairs_out.end(), part.begin(), part.end());
}

// A moving body is refitted for each pose; in queries, both boxes are those of posed and rounded corners.
class embree_pair final : public peer_rigid_pair {
public:
  embree_pair(RTCDevice device, const peer_mesh &a, const peer_mesh &b, bool ask_graze)
      : mesh_(b), first_(stand(a, !ask_graze)), second_(stand(b, false)), ask_graze_(ask_graze) {
    RTCGeometry still; // a pose rounds corners again, so only the first body is marked as flat
    scene_first_ = make_scene(device, first_, a.triangle_count, bound_standing, still);
    scene_second_ = make_scene(device, second_, b.triangle_count, bound_moving, moving_);
  }
  embree_pair(const embree_pair &) = delete;
  ~embree_pair() override {
    rtcReleaseScene(scene_first_);
    rtcReleaseScene(scene_second_);
  }

  bool meet(const peer_pose &pose) override {
    search s;
    s.stop_at_first = true;
    collide(pose, s);
    return s.any.load();
  }

  void find(const peer_pose &pose, peer_pairs &pairs_out) override {
    search s;
    collide(pose, s);
    gather(s, pairs_out);
  }

private:
  void collide(const peer_pose &pose, search &s) {
    move(mesh_, pose, second_);
    rtcCommitGeometry(moving_);
    rtcCommitScene(scene_second_);
    s.ask_graze = ask_graze_;
    s.first = &first_;
    s.second = &second_;
    rtcCollide(scene_first_, scene_second_, report_collisions, &s);
  }

  const peer_mesh mesh_;
  const body first_;
  body second_;
  bool ask_graze_;
  RTCScene scene_first_, scene_second_;
  RTCGeometry moving_;
};

class peer_embree final : public peer {
public:
  peer_embree(uint32_t threads, bool ask_graze)
      : ask_graze_(ask_graze), device_(rtcNewDevice(("threads=" + std::to_string(threads)).c_str())) {
    if (device_ == nullptr) throw std::runtime_error("Embree returns no device");
  }
  ~peer_embree() override { rtcReleaseDevice(device_); }

  peer_times self_pairs(const peer_mesh &mesh, peer_pairs &pairs_out) override {
    peer_times times;
    peer_clock clock;
    const body b = stand(mesh, !ask_graze_);
    RTCGeometry geometry;
    RTCScene scene = make_scene(device_, b, mesh.triangle_count, bound_standing, geometry);
    times.build_ms = clock.lap();
    search s;
    s.ask_graze = ask_graze_;
    s.first = s.second = &b;
    rtcCollide(scene, scene, report_collisions, &s);
    gather(s, pairs_out);
    times.query_ms = clock.lap();
    rtcReleaseScene(scene);
    return times;
  }

  peer_times between_pairs(const peer_mesh &a, const peer_mesh &b, peer_pairs &pairs_out) override {
    peer_times times;
    peer_clock clock;
    const body first = stand(a, !ask_graze_), second = stand(b, !ask_graze_);
    RTCGeometry geometry;
    RTCScene scene_first = make_scene(device_, first, a.triangle_count, bound_standing, geometry);
    RTCScene scene_second = make_scene(device_, second, b.triangle_count, bound_standing, geometry);
    times.build_ms = clock.lap();
    search s;
    s.ask_graze = ask_graze_;
    s.first = &first;
    s.second = &second;
    rtcCollide(scene_first, scene_second, report_collisions, &s);
    gather(s, pairs_out);
    times.query_ms = clock.lap();
    rtcReleaseScene(scene_first);
    rtcReleaseScene(scene_second);
    return times;
  }

  std::unique_ptr<peer_rigid_pair> hold_pair(const peer_mesh &a, const peer_mesh &b) override {
    return std::make_unique<embree_pair>(device_, a, b, ask_graze_);
  }

private:
  bool ask_graze_;
  RTCDevice device_;
};

} // namespace

std::unique_ptr<peer> make_peer_embree(uint32_t threads) {
  return std::make_unique<peer_embree>(threads, false);
}

std::unique_ptr<peer> make_peer_embree_graze(uint32_t threads) {
  return std::make_unique<peer_embree>(threads, true);
}
