// Bullet: GImpact's quantized box trees and its triangle clipping, as btGImpactCollisionAlgorithm uses them.
//
// The driver queries the box sets directly, which is the algorithm without its contact manifolds; the margin is zero.
// GImpact has no self-collision: the mesh is tested against itself, and the driver drops the mirrored half, the
// diagonal and the neighbors before the triangle test. Many bodies are in Bullet's dynamic tree of boxes. One thread,
// single precision, as in Debian's default build.
#include "peer.h"

#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

namespace {

// The shape borrows the arrays of the mesh.
class gimpact_body {
public:
  explicit gimpact_body(const peer_mesh &mesh) {
    btIndexedMesh part;
    part.m_numTriangles = static_cast<int>(mesh.triangle_count);
    part.m_triangleIndexBase = reinterpret_cast<const unsigned char *>(mesh.triangles);
    part.m_triangleIndexStride = 3 * sizeof(uint32_t);
    part.m_numVertices = static_cast<int>(mesh.vertex_count);
    part.m_vertexBase = reinterpret_cast<const unsigned char *>(mesh.positions);
    part.m_vertexStride = 3 * sizeof(float);
    part.m_vertexType = PHY_FLOAT;
    arrays_.addIndexedMesh(part, PHY_INTEGER);
    shape_ = std::make_unique<btGImpactMeshShape>(&arrays_);
    shape_->setMargin(0);
    shape_->updateBound();
    shape_->getMeshPart(0)->lockChildShapes();
  }
  ~gimpact_body() { shape_->getMeshPart(0)->unlockChildShapes(); }

  void bounds(const btTransform &placed, btVector3 &lower_out, btVector3 &upper_out) const {
    shape_->getAabb(placed, lower_out, upper_out);
  }

  const btGImpactBoxSet *boxes() { return shape_->getMeshPart(0)->getBoxSet(); }

  btPrimitiveTriangle triangle(int i, const btTransform &placed) {
    btPrimitiveTriangle made;
    shape_->getMeshPart(0)->getPrimitiveTriangle(i, made);
    made.m_margin = 0;
    made.applyTransform(placed);
    made.buildTriPlane();
    return made;
  }

private:
  btTriangleIndexVertexArray arrays_;
  std::unique_ptr<btGImpactMeshShape> shape_;
};

bool meet(btPrimitiveTriangle &a, btPrimitiveTriangle &b) {
  GIM_TRIANGLE_CONTACT contact;
  return a.overlap_test_conservative(b) && a.find_triangle_collision_clip_method(b, contact);
}

// Visits intersecting pairs of triangles until the visitor stops. The search of the box sets always runs to the end.
template <class visitor>
void search_pairs(gimpact_body &a, const btTransform &place_a, gimpact_body &b, const btTransform &place_b,
                  const visitor &wants_more) {
  btPairSet candidates;
  btGImpactBoxSet::find_collision(a.boxes(), place_a, b.boxes(), place_b, candidates);
  for (int i = 0; i < candidates.size(); i++) {
    btPrimitiveTriangle p = a.triangle(candidates[i].m_index1, place_a);
    btPrimitiveTriangle q = b.triangle(candidates[i].m_index2, place_b);
    if (meet(p, q) && !wants_more(candidates[i].m_index1, candidates[i].m_index2)) return;
  }
}

btTransform placed_by(const peer_pose &pose) {
  const double *const r = pose.rotation, *const t = pose.translation;
  const auto scalar = [](double value) { return static_cast<btScalar>(value); };
  return btTransform(btMatrix3x3(scalar(r[0]), scalar(r[1]), scalar(r[2]), scalar(r[3]), scalar(r[4]), scalar(r[5]),
                                 scalar(r[6]), scalar(r[7]), scalar(r[8])),
                     btVector3(scalar(t[0]), scalar(t[1]), scalar(t[2])));
}

class bullet_pair final : public peer_rigid_pair {
public:
  bullet_pair(const peer_mesh &a, const peer_mesh &b) : first_(a), second_(b) {}

  bool meet(const peer_pose &pose) override {
    bool found = false;
    search_pairs(first_, btTransform::getIdentity(), second_, placed_by(pose), [&](int, int) {
      found = true;
      return false;
    });
    return found;
  }

  void find(const peer_pose &pose, peer_pairs &pairs_out) override {
    search_pairs(first_, btTransform::getIdentity(), second_, placed_by(pose), [&](int i, int j) {
      pairs_out.emplace_back(i, j);
      return true;
    });
  }

private:
  gimpact_body first_, second_;
};

class bullet_world final : public peer_rigid_world {
public:
  bullet_world(const peer_mesh *shapes, size_t shape_count, const peer_pose *poses, size_t body_count)
      : dispatcher_(&configuration_) {
    for (size_t i = 0; i < shape_count; i++) shapes_.push_back(std::make_unique<gimpact_body>(shapes[i]));
    for (size_t i = 0; i < body_count; i++) {
      btVector3 lower, upper;
      places_.push_back(placed_by(poses[i]));
      shape_of(i).bounds(places_[i], lower, upper);
      proxies_.push_back(broad_.createProxy(lower, upper, 0, reinterpret_cast<void *>(i), 1, 1, &dispatcher_));
    }
  }
  bullet_world(const bullet_world &) = delete;
  ~bullet_world() override {
    for (btBroadphaseProxy *proxy : proxies_) broad_.destroyProxy(proxy, &dispatcher_);
  }

  peer_world_answer find(const peer_pose *poses, bool one_each) override {
    for (size_t i = 0; i < proxies_.size(); i++) {
      btVector3 lower, upper;
      places_[i] = placed_by(poses[i]);
      shape_of(i).bounds(places_[i], lower, upper);
      broad_.setAabb(proxies_[i], lower, upper, &dispatcher_);
    }
    broad_.calculateOverlappingPairs(&dispatcher_);
    peer_world_answer answer;
    const btBroadphasePairArray &near = broad_.getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < near.size(); i++) {
      const size_t a = reinterpret_cast<size_t>(near[i].m_pProxy0->m_clientObject);
      const size_t b = reinterpret_cast<size_t>(near[i].m_pProxy1->m_clientObject);
      const uint64_t before = answer.triangles;
      search_pairs(shape_of(a), places_[a], shape_of(b), places_[b], [&](int, int) {
        answer.triangles++;
        return !one_each;
      });
      answer.bodies += answer.triangles > before;
    }
    return answer;
  }

private:
  gimpact_body &shape_of(size_t body) { return *shapes_[body % shapes_.size()]; }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_;
  std::vector<std::unique_ptr<gimpact_body>> shapes_;
  std::vector<btTransform> places_;
  std::vector<btBroadphaseProxy *> proxies_;
};

class peer_bullet final : public peer {
public:
  peer_times self_pairs(const peer_mesh &mesh, peer_pairs &pairs_out) override {
    peer_times times;
    peer_clock clock;
    gimpact_body body(mesh);
    times.build_ms = clock.lap();
    btPairSet candidates;
    const btTransform still = btTransform::getIdentity();
    btGImpactBoxSet::find_collision(body.boxes(), still, body.boxes(), still, candidates);
    for (int i = 0; i < candidates.size(); i++) {
      const int a = candidates[i].m_index1, b = candidates[i].m_index2;
      if (a >= b || share_vertex(mesh.triangles, static_cast<uint32_t>(a), static_cast<uint32_t>(b))) continue;
      btPrimitiveTriangle first = body.triangle(a, still), second = body.triangle(b, still);
      if (meet(first, second)) pairs_out.emplace_back(a, b);
    }
    times.query_ms = clock.lap();
    return times;
  }

  peer_times between_pairs(const peer_mesh &a, const peer_mesh &b, peer_pairs &pairs_out) override {
    peer_times times;
    peer_clock clock;
    gimpact_body first(a), second(b);
    times.build_ms = clock.lap();
    const btTransform still = btTransform::getIdentity();
    search_pairs(first, still, second, still, [&](int i, int j) {
      pairs_out.emplace_back(i, j);
      return true;
    });
    times.query_ms = clock.lap();
    return times;
  }

  std::unique_ptr<peer_rigid_pair> hold_pair(const peer_mesh &a, const peer_mesh &b) override {
    return std::make_unique<bullet_pair>(a, b);
  }

  std::unique_ptr<peer_rigid_world> hold_world(const peer_mesh *shapes, size_t shape_count, const peer_pose *poses,
                                               size_t body_count) override {
    return std::make_unique<bullet_world>(shapes, shape_count, poses, body_count);
  }
};

} // namespace

std::unique_ptr<peer> make_peer_bullet(uint32_t) {
  return std::make_unique<peer_bullet>();
}
