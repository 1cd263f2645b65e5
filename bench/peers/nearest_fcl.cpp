// The driver of FCL for graze_nearest: BVHModels of RSS and of OBBRSS, distance() with its default request. FCL ends
// the search at the first intersecting pair of triangles.
#include "bench/nearest_peer.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/distance.h>

#include <memory>
#include <vector>

namespace {

template <class volume> std::shared_ptr<fcl::CollisionGeometryd> build(const bench_shape &shape) {
  std::vector<fcl::Vector3d> points(shape.vertex_count);
  for (size_t i = 0; i < shape.vertex_count; i++)
    points[i] = fcl::Vector3d(shape.positions[3 * i], shape.positions[3 * i + 1], shape.positions[3 * i + 2]);
  std::vector<fcl::Triangle> triangles(shape.triangle_count);
  for (size_t i = 0; i < shape.triangle_count; i++)
    triangles[i] = fcl::Triangle(shape.triangles[3 * i], shape.triangles[3 * i + 1], shape.triangles[3 * i + 2]);
  auto made = std::make_shared<fcl::BVHModel<volume>>();
  made->beginModel(static_cast<int>(shape.triangle_count), static_cast<int>(shape.vertex_count));
  made->addSubModel(points, triangles);
  made->endModel();
  return made;
}

const struct {
  const char *name;
  std::shared_ptr<fcl::CollisionGeometryd> (*build)(const bench_shape &shape);
} kinds[] = {{"FCL RSS", build<fcl::RSSd>}, {"FCL OBBRSS", build<fcl::OBBRSSd>}};

} // namespace

struct nearest_peer {
  fcl::CollisionObjectd standing, posed;
};

size_t nearest_peer_count() {
  return sizeof kinds / sizeof kinds[0];
}

const char *nearest_peer_name(size_t peer) {
  return kinds[peer].name;
}

nearest_peer *nearest_peer_open(size_t peer, const bench_shape *shape) {
  const std::shared_ptr<fcl::CollisionGeometryd> made = kinds[peer].build(*shape);
  return new nearest_peer{fcl::CollisionObjectd(made), fcl::CollisionObjectd(made)};
}

double nearest_peer_ask(nearest_peer *opened, const bench_pose *pose) {
  fcl::Matrix3d rotation;
  for (int i = 0; i < 9; i++) rotation(i / 3, i % 3) = pose->rotation[i];
  opened->posed.setTransform(rotation, fcl::Vector3d(pose->translation[0], pose->translation[1], pose->translation[2]));
  const fcl::DistanceRequest<double> request;
  fcl::DistanceResult<double> result;
  return fcl::distance(&opened->standing, &opened->posed, request, result);
}

void nearest_peer_close(nearest_peer *opened) {
  delete opened;
}
