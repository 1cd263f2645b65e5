// CGAL: box_intersection_d over the boxes of triangles, then the kernel's exact do_intersect.
//
// As in CGAL's Polygon_mesh_processing::self_intersections (pointers to boxes, cutoff 2000), with the TBB version of
// the algorithm for more than one thread. The kernel's predicates are exact but undefined for degenerate triangles, so
// triangles with collinear corners are tested as segments or points. The answers are then exact for every input and are
// the reference of the table. Poses use Rigid_triangle_mesh_collision_detection (box trees built once, boxes rotated),
// which requires a two-manifold.
//
// Zomorodian, Edelsbrunner, "Fast software for box intersections", 2002.
#include "cgal_triangles.h"
#include "peer.h"

#include <CGAL/Polygon_mesh_processing/polygon_soup_to_polygon_mesh.h>
#include <CGAL/Rigid_triangle_mesh_collision_detection.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/box_intersection_d.h>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <array>
#include <optional>

namespace {

using cgal::kernel;
using cgal::point;
using cgal::triangle;
using box = CGAL::Box_intersection_d::Box_with_info_d<float, 3, uint32_t>;
using surface = CGAL::Surface_mesh<point>;

constexpr std::ptrdiff_t leaf_size = 2000;

struct soup {
  std::vector<triangle> triangles;
  std::vector<uint8_t> flat; // collinear corners
  std::vector<box> boxes;
  std::vector<box *> order;
};

soup make_soup(const peer_mesh &mesh) {
  soup made;
  made.triangles.reserve(mesh.triangle_count);
  made.flat.reserve(mesh.triangle_count);
  made.boxes.reserve(mesh.triangle_count);
  made.order.reserve(mesh.triangle_count);
  for (size_t i = 0; i < mesh.triangle_count; i++) {
    std::array<point, 3> corners;
    float lower[3], upper[3];
    for (int j = 0; j < 3; j++) {
      const float *const p = mesh.positions + 3 * static_cast<size_t>(mesh.triangles[3 * i + j]);
      corners[j] = point(p[0], p[1], p[2]);
      for (int k = 0; k < 3; k++) {
        lower[k] = j == 0 ? p[k] : std::min(lower[k], p[k]);
        upper[k] = j == 0 ? p[k] : std::max(upper[k], p[k]);
      }
    }
    made.triangles.emplace_back(corners[0], corners[1], corners[2]);
    made.flat.push_back(cgal::is_flat(made.triangles.back()));
    made.boxes.emplace_back(lower, upper, static_cast<uint32_t>(i));
  }
  for (box &each : made.boxes) made.order.push_back(&each);
  return made;
}

bool meet(const soup &s, uint32_t i, const soup &t, uint32_t j) {
  return cgal::meet(s.triangles[i], s.flat[i] != 0, t.triangles[j], t.flat[j] != 0);
}

surface make_surface(const peer_mesh &mesh) {
  std::vector<point> points;
  std::vector<std::array<size_t, 3>> faces;
  for (size_t i = 0; i < mesh.vertex_count; i++) {
    const double *const p = mesh.positions_double + 3 * i;
    points.emplace_back(p[0], p[1], p[2]);
  }
  for (size_t i = 0; i < mesh.triangle_count; i++) {
    const uint32_t *const t = mesh.triangles + 3 * i;
    faces.push_back({t[0], t[1], t[2]});
  }
  namespace processing = CGAL::Polygon_mesh_processing;
  if (!processing::is_polygon_soup_a_polygon_mesh(faces)) throw peer_unsupported("mesh is not a two-manifold");
  surface made;
  processing::polygon_soup_to_polygon_mesh(points, faces, made);
  return made;
}

class cgal_pair final : public peer_rigid_pair {
public:
  cgal_pair(const peer_mesh &a, const peer_mesh &b) : first_(make_surface(a)), second_(make_surface(b)) {
    spared_ms_ = clock_.lap();
    bodies_.add_mesh(first_, CGAL::parameters::apply_per_connected_component(false));
    moving_ = bodies_.add_mesh(second_, CGAL::parameters::apply_per_connected_component(false));
  }

  bool meet(const peer_pose &pose) override {
    const double *const r = pose.rotation, *const t = pose.translation;
    bodies_.set_transformation(
        moving_, kernel::Aff_transformation_3(r[0], r[1], r[2], t[0], r[3], r[4], r[5], t[1], r[6], r[7], r[8], t[2]));
    return !bodies_.get_all_intersections(moving_).empty();
  }

  double spared_ms() const override { return spared_ms_; }

private:
  peer_clock clock_; // first: starts before the surfaces are made, which users of CGAL already have
  const surface first_, second_;
  double spared_ms_ = 0.0;
  CGAL::Rigid_triangle_mesh_collision_detection<surface> bodies_;
  size_t moving_ = 0;
};

class peer_cgal final : public peer {
public:
  explicit peer_cgal(uint32_t threads)
      : threads_(threads), limit_(tbb::global_control::max_allowed_parallelism, threads) {}

  peer_times self_pairs(const peer_mesh &mesh, peer_pairs &pairs_out) override {
    peer_times times;
    peer_clock clock;
    soup s = make_soup(mesh);
    times.build_ms = clock.lap();
    tbb::enumerable_thread_specific<peer_pairs> found;
    const auto report = [&](const box *a, const box *b) {
      const uint32_t i = std::min(a->info(), b->info()), j = std::max(a->info(), b->info());
      if (!share_vertex(mesh.triangles, i, j) && meet(s, i, s, j)) found.local().emplace_back(i, j);
    };
    if (threads_ > 1) {
      CGAL::box_self_intersection_d<CGAL::Parallel_tag>(s.order.begin(), s.order.end(), report, leaf_size);
    } else {
      CGAL::box_self_intersection_d<CGAL::Sequential_tag>(s.order.begin(), s.order.end(), report, leaf_size);
    }
    gather(found, pairs_out);
    times.query_ms = clock.lap();
    return times;
  }

  peer_times between_pairs(const peer_mesh &a, const peer_mesh &b, peer_pairs &pairs_out) override {
    peer_times times;
    peer_clock clock;
    soup s = make_soup(a), t = make_soup(b);
    times.build_ms = clock.lap();
    tbb::enumerable_thread_specific<peer_pairs> found;
    const auto report = [&](const box *p, const box *q) {
      if (meet(s, p->info(), t, q->info())) found.local().emplace_back(p->info(), q->info());
    };
    if (threads_ > 1) {
      CGAL::box_intersection_d<CGAL::Parallel_tag>(s.order.begin(), s.order.end(), t.order.begin(), t.order.end(),
                                                   report, leaf_size);
    } else {
      CGAL::box_intersection_d<CGAL::Sequential_tag>(s.order.begin(), s.order.end(), t.order.begin(), t.order.end(),
                                                     report, leaf_size);
    }
    gather(found, pairs_out);
    times.query_ms = clock.lap();
    return times;
  }

  std::unique_ptr<peer_rigid_pair> hold_pair(const peer_mesh &a, const peer_mesh &b) override {
    return std::make_unique<cgal_pair>(a, b);
  }

private:
  static void gather(tbb::enumerable_thread_specific<peer_pairs> &found, peer_pairs &pairs_out) {
    for (const peer_pairs &part : found) pairs_out.insert(pairs_out.end(), part.begin(), part.end());
  }

  uint32_t threads_;
  tbb::global_control limit_;
};

} // namespace

std::unique_ptr<peer> make_peer_cgal(uint32_t threads) {
  return std::make_unique<peer_cgal>(threads);
}
