// The smallest program of docs/guide/bullet.md: a concave body falls onto another one and comes to rest.
#include <graze_bullet.h>

#include <cstdio>

int main() {
  // A corner of three walls, open upward: concave, six triangles.
  btTriangleMesh mesh;
  const btVector3 o(0, 0, 0), x(1, 0.5f, 0), z(0, 0.5f, 1), w(-1, 0.5f, -1);
  mesh.addTriangle(o, z, x), mesh.addTriangle(o, x, w), mesh.addTriangle(o, w, z);
  const btVector3 below(0, -0.2f, 0);
  mesh.addTriangle(below, x, z), mesh.addTriangle(below, w, x), mesh.addTriangle(below, z, w);
  btBvhTriangleMeshShape shape(&mesh, true);
  shape.setMargin(0.01f);

  graze_bullet_world world;
  world.setGravity(btVector3(0, -10, 0));
  btRigidBody lower(0, nullptr, &shape), upper(1, nullptr, &shape, btVector3(0.2f, 0.2f, 0.2f));
  upper.getWorldTransform().setOrigin(btVector3(0, 0.5f, 0));
  world.addRigidBody(&lower);
  world.addRigidBody(&upper);
  for (int i = 0; i < 120; i++) world.stepSimulation(1.0f / 60);
  std::printf("height %.2f, %d manifolds\n", upper.getWorldTransform().getOrigin().y(),
              world.getDispatcher()->getNumManifolds());
  world.removeRigidBody(&upper);
  world.removeRigidBody(&lower);
}
