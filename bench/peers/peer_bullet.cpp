// Bullet: GImpact's quantised box trees and its triangle clipping, as btGImpactCollisionAlgorithm uses them.
//
// The box sets are asked directly, which is the work of the algorithm without its contact manifolds; margin zero.
// GImpact has no self-collision: the mesh is asked against itself, and the mirrored half, the diagonal and the
// neighbours are dropped here before the triangle test. One thread, single precision as Debian's default build.
#include "peer.h"

#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

namespace {

// The shape points into the arrays of the mesh.
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
    btPairSet candidates;
    btGImpactBoxSet::find_collision(first.boxes(), still, second.boxes(), still, candidates);
    for (int i = 0; i < candidates.size(); i++) {
      btPrimitiveTriangle p = first.triangle(candidates[i].m_index1, still);
      btPrimitiveTriangle q = second.triangle(candidates[i].m_index2, still);
      if (meet(p, q)) pairs_out.emplace_back(candidates[i].m_index1, candidates[i].m_index2);
    }
    times.query_ms = clock.lap();
    return times;
  }

  peer_times moving_any(const peer_mesh &a, const peer_mesh &b, const std::vector<peer_pose> &poses,
                        std::vector<uint8_t> &found_out) override {
    peer_times times;
    peer_clock clock;
    gimpact_body first(a), second(b);
    times.build_ms = clock.lap();
    const btTransform still = btTransform::getIdentity();
    for (const peer_pose &pose : poses) {
      const double *const r = pose.rotation, *const t = pose.translation;
      const auto scalar = [](double value) { return static_cast<btScalar>(value); };
      const btTransform placed(btMatrix3x3(scalar(r[0]), scalar(r[1]), scalar(r[2]), scalar(r[3]), scalar(r[4]),
                                           scalar(r[5]), scalar(r[6]), scalar(r[7]), scalar(r[8])),
                               btVector3(scalar(t[0]), scalar(t[1]), scalar(t[2])));
      btPairSet candidates;
      btGImpactBoxSet::find_collision(first.boxes(), still, second.boxes(), placed, candidates);
      bool found = false;
      for (int i = 0; i < candidates.size() && !found; i++) {
        btPrimitiveTriangle p = first.triangle(candidates[i].m_index1, still);
        btPrimitiveTriangle q = second.triangle(candidates[i].m_index2, placed);
        found = meet(p, q);
      }
      found_out.push_back(found);
    }
    times.query_ms = clock.lap();
    return times;
  }
};

} // namespace

std::unique_ptr<peer> make_peer_bullet(uint32_t) {
  return std::make_unique<peer_bullet>();
}
