// The driver of FCL for the configurations of graze_robot: one BVHModel of OBBRSS for all links, one for the room,
// collide() for one contact. Boxes of links are tested first. A configuration ends at its first hit, and the next one
// begins with the pair of the last hit, as in graze.
#include "bench/robot_peer.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>

#include <memory>
#include <utility>
#include <vector>

namespace {

using model = fcl::BVHModel<fcl::OBBRSSd>;

std::shared_ptr<model> build(const robot_mesh &mesh) {
  std::vector<fcl::Vector3d> points(mesh.vertex_count);
  for (size_t i = 0; i < mesh.vertex_count; i++)
    points[i] = fcl::Vector3d(mesh.positions[3 * i], mesh.positions[3 * i + 1], mesh.positions[3 * i + 2]);
  std::vector<fcl::Triangle> triangles(mesh.triangle_count);
  for (size_t i = 0; i < mesh.triangle_count; i++)
    triangles[i] = fcl::Triangle(mesh.triangles[3 * i], mesh.triangles[3 * i + 1], mesh.triangles[3 * i + 2]);
  auto made = std::make_shared<model>();
  made->beginModel(static_cast<int>(mesh.triangle_count), static_cast<int>(mesh.vertex_count));
  made->addSubModel(points, triangles);
  made->endModel();
  return made;
}

bool collides(const fcl::CollisionObjectd &a, const fcl::CollisionObjectd &b) {
  if (!a.getAABB().overlap(b.getAABB())) return false;
  fcl::CollisionRequest<double> request;
  request.enable_contact = false;
  fcl::CollisionResult<double> result;
  fcl::collide(&a, &b, request, result);
  return result.isCollision();
}

} // namespace

struct robot_peer {
  std::vector<fcl::CollisionObjectd> bodies; // the room first
  std::vector<std::pair<size_t, size_t>> pairs;
  size_t last_hit = 0;
};

robot_peer *robot_peer_open(const robot_mesh *room, const robot_mesh *link, size_t link_count) {
  auto opened = std::make_unique<robot_peer>();
  const std::shared_ptr<model> shape = build(*link);
  opened->bodies.emplace_back(build(*room));
  for (size_t i = 0; i < link_count; i++) opened->bodies.emplace_back(shape);
  for (size_t i = 0; i < link_count; i++) {
    opened->pairs.emplace_back(0, i + 1);
    for (size_t j = i + 2; j < link_count; j++) opened->pairs.emplace_back(i + 1, j + 1);
  }
  return opened.release();
}

const char *robot_peer_name() {
  return "FCL";
}

bool robot_peer_test(robot_peer *peer, const graze_pose *poses) {
  for (size_t i = 1; i < peer->bodies.size(); i++) {
    const graze_pose &pose = poses[i - 1];
    fcl::Matrix3d rotation;
    for (int k = 0; k < 9; k++) rotation(k / 3, k % 3) = pose.rotation[k];
    peer->bodies[i].setTransform(rotation,
                                 fcl::Vector3d(pose.translation[0], pose.translation[1], pose.translation[2]));
    peer->bodies[i].computeAABB();
  }
  const auto hits = [&](size_t pair) {
    return collides(peer->bodies[peer->pairs[pair].first], peer->bodies[peer->pairs[pair].second]);
  };
  if (hits(peer->last_hit)) return true;
  for (size_t pair = 0; pair < peer->pairs.size(); pair++)
    if (hits(pair)) {
      peer->last_hit = pair;
      return true;
    }
  return false;
}

void robot_peer_close(robot_peer *peer) {
  delete peer;
}
