// FCL: collide() between two BVHModels with no limit on contacts.
//
// Axis-aligned boxes for all pairs (faster to build and search without rotations), OBBRSS for poses (no refit when a
// body moves); many bodies in FCL's dynamic tree of boxes. FCL has no self-collision: a model is tested against itself,
// and the driver drops the mirrored half, the diagonal and the neighbors. One thread; FCL's own floating-point triangle
// test.
//
// Pan, Chitta, Manocha, "FCL: a general purpose library for collision and proximity queries", 2012.
#include "peer.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <limits>

namespace {

constexpr size_t all_contacts = std::numeric_limits<size_t>::max();

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

fcl::Transform3d placed_by(const peer_pose &pose) {
  fcl::Transform3d placed = fcl::Transform3d::Identity();
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) placed.linear()(i, j) = pose.rotation[3 * i + j];
    placed.translation()(i) = pose.translation[i];
  }
  return placed;
}

class fcl_pair final : public peer_rigid_pair {
public:
  fcl_pair(const peer_mesh &a, const peer_mesh &b) {
    build(a, first_);
    build(b, second_);
  }

  bool meet(const peer_pose &pose) override {
    fcl::CollisionResult<double> result;
    fcl::collide<double>(&first_, fcl::Transform3d::Identity(), &second_, placed_by(pose), ask_for(1), result);
    return result.isCollision();
  }

  void find(const peer_pose &pose, peer_pairs &pairs_out) override {
    fcl::CollisionResult<double> result;
    fcl::collide<double>(&first_, fcl::Transform3d::Identity(), &second_, placed_by(pose), ask_for(all_contacts),
                         result);
    for (size_t i = 0; i < result.numContacts(); i++) {
      const fcl::Contact<double> &contact = result.getContact(i);
      pairs_out.emplace_back(contact.b1, contact.b2);
    }
  }

private:
  model<fcl::OBBRSSd> first_, second_;
};

class fcl_world final : public peer_rigid_world {
public:
  fcl_world(const peer_mesh *shapes, size_t shape_count, const peer_pose *poses, size_t body_count) {
    std::vector<std::shared_ptr<model<fcl::OBBRSSd>>> models;
    for (size_t i = 0; i < shape_count; i++) {
      models.push_back(std::make_shared<model<fcl::OBBRSSd>>());
      build(shapes[i], *models.back());
    }
    for (size_t i = 0; i < body_count; i++) {
      bodies_.push_back(std::make_unique<fcl::CollisionObjectd>(models[i % shape_count]));
      bodies_.back()->setTransform(placed_by(poses[i]));
      bodies_.back()->computeAABB();
      manager_.registerObject(bodies_.back().get());
    }
    manager_.setup();
  }

  peer_world_answer find(const peer_pose *poses, bool one_each) override {
    for (size_t i = 0; i < bodies_.size(); i++) {
      bodies_[i]->setTransform(placed_by(poses[i]));
      bodies_[i]->computeAABB();
    }
    manager_.update();
    search s = {ask_for(one_each ? 1 : all_contacts), {}};
    manager_.collide(&s, meet_bodies);
    return s.answer;
  }

private:
  struct search {
    fcl::CollisionRequest<double> request;
    peer_world_answer answer;
  };

  static bool meet_bodies(fcl::CollisionObjectd *a, fcl::CollisionObjectd *b, void *context) {
    search &s = *static_cast<search *>(context);
    fcl::CollisionResult<double> result;
    fcl::collide(a, b, s.request, result);
    s.answer.bodies += result.isCollision();
    s.answer.triangles += result.numContacts();
    return false; // continue
  }

  std::vector<std::unique_ptr<fcl::CollisionObjectd>> bodies_;
  fcl::DynamicAABBTreeCollisionManagerd manager_;
};

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

  std::unique_ptr<peer_rigid_pair> hold_pair(const peer_mesh &a, const peer_mesh &b) override {
    return std::make_unique<fcl_pair>(a, b);
  }

  std::unique_ptr<peer_rigid_world> hold_world(const peer_mesh *shapes, size_t shape_count, const peer_pose *poses,
                                               size_t body_count) override {
    return std::make_unique<fcl_world>(shapes, shape_count, poses, body_count);
  }

private:
  template <class visitor>
  static void collect(const model<fcl::AABBd> &first, const model<fcl::AABBd> &second, const visitor &visit) {
    fcl::CollisionResult<double> result;
    fcl::collide<double>(&first, fcl::Transform3d::Identity(), &second, fcl::Transform3d::Identity(),
                         ask_for(all_contacts), result);
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
