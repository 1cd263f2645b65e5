// FCL: collide() between two BVHModels with no limit on contacts.
//
// Boxes along the axes for all pairs (the faster build and search while nothing turns), OBBRSS for poses (no refit when
// a body moves). FCL has no self-collision: a model is asked against itself, and the mirrored half, the diagonal and
// the neighbours are dropped here. One thread; FCL's own floating-point triangle test.
//
// Pan, Chitta, Manocha, "FCL: a general purpose library for collision and proximity queries", 2012.
#include "peer.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <limits>

namespace {

template <class volume> using model = fcl::BVHModel<volume>;

template <class volume> void build(const peer_mesh &mesh, model<volume> &model_out) {
  std::vector<fcl::Vector3d> points(mesh.vertex_count);
  for (size_t i = 0; i < mesh.vertex_count; i++) {
    const double *const p = mesh.positions_double + 3 * i;
    points[i] = fcl::Vector3d(p[0], p[1], p[2]);
  }
  std::vector<fcl::Triangle> triangles(mesh.triangle_count);
  for (size_t i = 0; i < mesh.triangle_count; i++) {
    const uint32_t *const t = mesh.triangles + 3 * i;
    triangles[i] = fcl::Triangle(t[0], t[1], t[2]);
  }
  model_out.beginModel(static_cast<int>(mesh.triangle_count), static_cast<int>(mesh.vertex_count));
  model_out.addSubModel(points, triangles);
  model_out.endModel();
}

fcl::CollisionRequest<double> ask_for(size_t contact_count) {
  fcl::CollisionRequest<double> request;
  request.num_max_contacts = contact_count;
  request.enable_contact = false;
  return request;
}

class peer_fcl final : public peer {
public:
  peer_times self_pairs(const peer_mesh &mesh, peer_pairs &pairs_out) override {
    peer_times times;
    peer_clock clock;
    model<fcl::AABBd> m;
    build(mesh, m);
    times.build_ms = clock.lap();
    collect(m, m, [&](uint32_t i, uint32_t j) {
      if (i < j && !share_vertex(mesh.triangles, i, j)) pairs_out.emplace_back(i, j);
    });
    times.query_ms = clock.lap();
    return times;
  }

  peer_times between_pairs(const peer_mesh &a, const peer_mesh &b, peer_pairs &pairs_out) override {
    peer_times times;
    peer_clock clock;
    model<fcl::AABBd> first, second;
    build(a, first);
    build(b, second);
    times.build_ms = clock.lap();
    collect(first, second, [&](uint32_t i, uint32_t j) { pairs_out.emplace_back(i, j); });
    times.query_ms = clock.lap();
    return times;
  }

  peer_times moving_any(const peer_mesh &a, const peer_mesh &b, const std::vector<peer_pose> &poses,
                        std::vector<uint8_t> &found_out) override {
    peer_times times;
    peer_clock clock;
    model<fcl::OBBRSSd> first, second;
    build(a, first);
    build(b, second);
    times.build_ms = clock.lap();
    const fcl::CollisionRequest<double> request = ask_for(1);
    for (const peer_pose &pose : poses) {
      fcl::Transform3d placed = fcl::Transform3d::Identity();
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) placed.linear()(i, j) = pose.rotation[3 * i + j];
        placed.translation()(i) = pose.translation[i];
      }
      fcl::CollisionResult<double> result;
      fcl::collide<double>(&first, fcl::Transform3d::Identity(), &second, placed, request, result);
      found_out.push_back(result.isCollision());
    }
    times.query_ms = clock.lap();
    return times;
  }

private:
  template <class visitor>
  static void collect(const model<fcl::AABBd> &first, const model<fcl::AABBd> &second, const visitor &visit) {
    fcl::CollisionResult<double> result;
    fcl::collide<double>(&first, fcl::Transform3d::Identity(), &second, fcl::Transform3d::Identity(),
                         ask_for(std::numeric_limits<size_t>::max()), result);
    for (size_t i = 0; i < result.numContacts(); i++) {
      const fcl::Contact<double> &contact = result.getContact(i);
      visit(static_cast<uint32_t>(contact.b1), static_cast<uint32_t>(contact.b2));
    }
  }
};

} // namespace

std::unique_ptr<peer> make_peer_fcl(uint32_t) {
  return std::make_unique<peer_fcl>();
}
