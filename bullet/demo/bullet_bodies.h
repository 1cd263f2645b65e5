// Concave bodies for the demonstration and the tests of the Bullet plug-in: extruded profiles and tori.
#ifndef BULLET_BODIES_H
#define BULLET_BODIES_H

#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

// A closed mesh, facing outward.
struct body_mesh {
  std::vector<btScalar> positions;
  std::vector<int> triangles;

  void add_vertex(double x, double y, double z) {
    for (const double value : {x, y, z}) positions.push_back(btScalar(value));
  }
  void add_triangle(int a, int b, int c) {
    for (const int corner : {a, b, c}) triangles.push_back(corner);
  }
  void add_quad(int a, int b, int c, int d) { add_triangle(a, b, c), add_triangle(a, c, d); }

  // Bullet reads the arrays of the mesh, which must remain valid.
  std::unique_ptr<btTriangleIndexVertexArray> arrays() {
    return std::make_unique<btTriangleIndexVertexArray>(int(triangles.size() / 3), triangles.data(),
                                                        int(3 * sizeof(int)), int(positions.size() / 3),
                                                        positions.data(), int(3 * sizeof(btScalar)));
  }
};

// A channel: open upward (y), of the given half sizes; walls and floor are `wall` thick.
inline body_mesh make_channel(double x, double y, double z, double wall) {
  body_mesh mesh;
  const double profile[8][2] = {
      {-x, -y}, {x, -y}, {x, y}, {x - wall, y}, {x - wall, wall - y}, {wall - x, wall - y}, {wall - x, y}, {-x, y}};
  for (const double end : {-z, z})
    for (const auto &corner : profile) mesh.add_vertex(corner[0], corner[1], end);
  // The profile runs counterclockwise as seen from +z, so that the sides face outward.
  for (int i = 0; i < 8; i++) {
    const int j = (i + 1) % 8;
    mesh.add_quad(i, j, 8 + j, 8 + i);
  }
  const int caps[6][3] = {{0, 1, 5}, {1, 4, 5}, {1, 2, 4}, {2, 3, 4}, {0, 5, 7}, {5, 6, 7}};
  for (const auto &cap : caps) {
    mesh.add_triangle(cap[0], cap[2], cap[1]);
    mesh.add_triangle(8 + cap[0], 8 + cap[1], 8 + cap[2]);
  }
  return mesh;
}

// A torus around the y axis.
inline body_mesh make_torus(double radius, double tube, int around, int across) {
  body_mesh mesh;
  const double turn = 2 * M_PI;
  for (int i = 0; i < around; i++) {
    for (int j = 0; j < across; j++) {
      const double u = turn * i / around, v = turn * j / across, r = radius + tube * std::cos(v);
      mesh.add_vertex(r * std::cos(u), tube * std::sin(v), r * std::sin(u));
    }
  }
  for (int i = 0; i < around; i++) {
    for (int j = 0; j < across; j++) {
      const int k = (i + 1) % around, l = (j + 1) % across;
      mesh.add_quad(i * across + j, i * across + l, k * across + l, k * across + j);
    }
  }
  return mesh;
}

// A mesh, its shape and the bodies made of it.
class mesh_bodies {
public:
  mesh_bodies(body_mesh mesh, btScalar margin, bool gimpact = false) : mesh_(std::move(mesh)), arrays_(mesh_.arrays()) {
    if (gimpact) {
      auto shape = std::make_unique<btGImpactMeshShape>(arrays_.get());
      shape->setMargin(margin);
      shape->updateBound();
      shape_ = std::move(shape);
    } else {
      shape_ = std::make_unique<btBvhTriangleMeshShape>(arrays_.get(), true);
      shape_->setMargin(margin);
    }
  }

  // The inertia is that of the bounding box; a mass of 0 makes it static.
  btRigidBody *add(btDiscreteDynamicsWorld &world, btScalar mass, const btTransform &transform) {
    btVector3 lower, upper;
    shape_->getAabb(btTransform::getIdentity(), lower, upper);
    btBoxShape box((upper - lower) / 2);
    btVector3 inertia(0, 0, 0);
    if (mass > 0) box.calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape_.get(), inertia);
    info.m_startWorldTransform = transform;
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    world.addRigidBody(bodies_.back().get());
    return bodies_.back().get();
  }
  btRigidBody *add(btDiscreteDynamicsWorld &world, btScalar mass, const btVector3 &origin) {
    return add(world, mass, btTransform(btQuaternion::getIdentity(), origin));
  }

  btCollisionShape *shape() { return shape_.get(); }
  const std::vector<std::unique_ptr<btRigidBody>> &bodies() const { return bodies_; }
  void remove_all(btDiscreteDynamicsWorld &world) {
    for (const auto &body : bodies_) world.removeRigidBody(body.get());
    bodies_.clear();
  }

private:
  body_mesh mesh_;
  std::unique_ptr<btTriangleIndexVertexArray> arrays_;
  std::unique_ptr<btCollisionShape> shape_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
};

#endif
