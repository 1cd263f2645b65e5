// Tests Bullet's shapes, filters, callbacks and queries in worlds with the plug-in, and invalid input.
#include "bullet_world_tools.h"

#include <BulletCollision/CollisionDispatch/btGhostObject.h>
#include <BulletCollision/CollisionShapes/btConvexTriangleMeshShape.h>
#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/CollisionShapes/btScaledBvhTriangleMeshShape.h>
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <limits>
#include <optional>
#include <thread>

namespace {

// A body of any shape.
std::unique_ptr<btRigidBody> make_body(btCollisionShape &shape, btScalar mass, const btVector3 &at) {
  btVector3 inertia(0, 0, 0);
  if (mass > 0) btBoxShape(btVector3(btScalar(0.5), btScalar(0.5), btScalar(0.5))).calculateLocalInertia(mass, inertia);
  btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
  info.m_startWorldTransform.setOrigin(at);
  return std::make_unique<btRigidBody>(info);
}

double height_of(const btCollisionObject &body) {
  return double(body.getWorldTransform().getOrigin().y());
}

// Drops one shape onto another from a small height and returns where it comes to rest.
double rest_height(btCollisionShape &below, btCollisionShape &above, double from,
                   const btVector3 &at = btVector3(0, 0, 0)) {
  graze_bullet_world world(strict_settings());
  world.setGravity(btVector3(0, -10, 0));
  const auto ground = make_body(below, 0, btVector3(0, 0, 0));
  const auto body = make_body(above, 1, at + btVector3(0, btScalar(from), 0));
  world.addRigidBody(ground.get()), world.addRigidBody(body.get());
  step(world, 120);
  const double height = height_of(*body);
  world.removeRigidBody(body.get()), world.removeRigidBody(ground.get());
  return height;
}

const btScalar margin = btScalar(0.01);

// Each kind of shape on a channel of walls 0.3 high, upside down: a roof at height 0.3, moving or not.
TEST(test_kinds_of_shapes) {
  body_mesh upside_down = make_channel(0.5, 0.3, 0.5, 0.1);
  for (size_t i = 0; i < upside_down.positions.size(); i += 3) {
    upside_down.positions[i] *= -1, upside_down.positions[i + 1] *= -1;
  }
  mesh_bodies roof(upside_down, margin), channel(make_channel(0.3, 0.2, 0.3, 0.1), margin);
  btCollisionShape &ground = *roof.shape();

  btBoxShape box(btVector3(btScalar(0.2), btScalar(0.2), btScalar(0.2)));
  assert_true(std::fabs(rest_height(ground, box, 0.53) - 0.51) < 0.01);
  btConvexHullShape hull;
  for (int i = 0; i < 8; i++) hull.addPoint(btVector3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1) * btScalar(0.2));
  hull.setMargin(margin);
  assert_true(std::fabs(rest_height(ground, hull, 0.54) - 0.52) < 0.01);
  // More than 64 corners.
  btConvexHullShape round;
  for (int i = 0; i < 40; i++)
    for (int k = -1; k <= 1; k++)
      round.addPoint(
          btVector3(std::cos(btScalar(i) * SIMD_2_PI / 40), btScalar(k), std::sin(btScalar(i) * SIMD_2_PI / 40)) *
          btScalar(k ? 0.2 : 0.25));
  round.setMargin(margin);
  assert_true(std::fabs(rest_height(ground, round, 0.54) - 0.52) < 0.01);
  // A mesh of two tetrahedra with its convex hull, half as large.
  body_mesh pieces;
  for (int i = 0; i < 8; i++) pieces.add_vertex(i & 1 ? 0.4 : -0.4, i & 2 ? 0.4 : -0.4, i & 4 ? 0.4 : -0.4);
  pieces.add_triangle(0, 3, 5), pieces.add_triangle(1, 2, 4), pieces.add_triangle(6, 7, 0);
  const auto piece_arrays = pieces.arrays();
  btConvexTriangleMeshShape convex_mesh(piece_arrays.get());
  convex_mesh.setLocalScaling(btVector3(1, 1, 1) * btScalar(0.5));
  convex_mesh.setMargin(margin);
  assert_true(std::fabs(rest_height(ground, convex_mesh, 0.54) - 0.52) < 0.01);
  // A sphere stays with Bullet.
  btSphereShape sphere(btScalar(0.2));
  assert_true(std::fabs(rest_height(ground, sphere, 0.53) - 0.5) < 0.02);
  // Meshes: as they are, scaled, of GImpact, of GImpact scaled.
  assert_true(std::fabs(rest_height(ground, *channel.shape(), 0.54) - 0.52) < 0.01);
  btScaledBvhTriangleMeshShape scaled(static_cast<btBvhTriangleMeshShape *>(channel.shape()),
                                      btVector3(1, btScalar(0.5), 1));
  scaled.setMargin(margin);
  assert_true(std::fabs(rest_height(ground, scaled, 0.44) - 0.42) < 0.01);
  mesh_bodies gimpact(make_channel(0.3, 0.2, 0.3, 0.1), margin, true);
  assert_true(std::fabs(rest_height(ground, *gimpact.shape(), 0.54) - 0.52) < 0.01);
  gimpact.shape()->setLocalScaling(btVector3(1, btScalar(1.5), 1));
  static_cast<btGImpactMeshShape *>(gimpact.shape())->updateBound();
  assert_true(std::fabs(rest_height(ground, *gimpact.shape(), 0.64) - 0.62) < 0.01);
  // A compound of two meshes, a box and another compound.
  btCompoundShape inner, compound;
  inner.addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(0, btScalar(0.1), 0)), channel.shape());
  compound.addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(0, btScalar(0.3), 0)), channel.shape());
  compound.addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(0, btScalar(-0.1), 0)), &box);
  compound.addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(0, btScalar(-0.3), 0)), &inner);
  assert_true(std::fabs(rest_height(ground, compound, 0.74) - 0.72) < 0.01);
  // A plane and a height field below a mesh.
  btStaticPlaneShape plane(btVector3(0, 1, 0), btScalar(0.1));
  assert_true(std::fabs(rest_height(plane, *channel.shape(), 0.33) - 0.31) < 0.01);
  std::vector<float> heights(81, 0.0f);
  btHeightfieldTerrainShape terrain(9, 9, heights.data(), btScalar(-1), btScalar(1), 1, false);
  terrain.setMargin(0);
  assert_true(std::fabs(rest_height(terrain, *channel.shape(), 0.23) - 0.21) < 0.01);
}

bool overlaps(btCollisionWorld &world, btCollisionObject &a, btCollisionObject &b) {
  struct counting final : btCollisionWorld::ContactResultCallback {
    int count = 0;
    btScalar addSingleResult(btManifoldPoint &, const btCollisionObjectWrapper *, int, int,
                             const btCollisionObjectWrapper *, int, int) override {
      count++;
      return 0;
    }
  } pair, all;
  world.contactPairTest(&a, &b, pair);
  world.contactTest(&a, all);
  assert_true((pair.count > 0) == (all.count > 0));
  return pair.count > 0;
}

// Filters, exclusions and tests by hand: two channels that cross.
TEST(test_filters_and_queries) {
  graze_bullet_world world(strict_settings());
  mesh_bodies channels(make_channel(0.5, 0.3, 0.5, 0.1), margin);
  btRigidBody *const a = channels.add(world, 1, btVector3(0, 0, 0));
  btRigidBody *const b = channels.add(world, 1, btVector3(0, btScalar(0.595), 0));
  const auto manifolds = [&] {
    world.performDiscreteCollisionDetection();
    return world.getDispatcher()->getNumManifolds();
  };
  assert_int_equal(manifolds(), 2);
  assert_true(overlaps(world, *a, *b));
  a->setIgnoreCollisionCheck(b, true);
  world.removeRigidBody(b), world.addRigidBody(b);
  assert_int_equal(manifolds(), 0);
  a->setIgnoreCollisionCheck(b, false);
  assert_int_equal(manifolds(), 2);
  world.removeRigidBody(b);
  world.addRigidBody(b, 8, 4); // meets nobody
  assert_int_equal(manifolds(), 0);
  world.removeRigidBody(b);
  world.addRigidBody(b);
  assert_int_equal(manifolds(), 2);
  // Bodies that sleep keep their manifolds and are not searched.
  a->setActivationState(ISLAND_SLEEPING), b->setActivationState(ISLAND_SLEEPING);
  assert_int_equal(manifolds(), 2);
  assert_int_equal(world.report().body_pairs, 0);
  a->activate(true);
  assert_int_equal(manifolds(), 2);
  assert_int_equal(world.report().body_pairs, 1);
  // Apart.
  b->setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, btScalar(0.7), 0)));
  assert_int_equal(manifolds(), 0);
  assert_false(overlaps(world, *a, *b));
  // A mesh that is changed in place.
  btTriangleIndexVertexArray *const mesh = static_cast<btTriangleIndexVertexArray *>(
      static_cast<btBvhTriangleMeshShape *>(channels.shape())->getMeshInterface());
  btScalar *const positions =
      reinterpret_cast<btScalar *>(const_cast<unsigned char *>(mesh->getIndexedMeshArray()[0].m_vertexBase));
  for (int i = 0; i < 16; i++) positions[3 * i + 1] *= btScalar(1.2);
  static_cast<btBvhTriangleMeshShape *>(channels.shape())->recalcLocalAabb();
  world.shape_changed(channels.shape());
  assert_int_equal(manifolds(), 2);
  // A ray and a sweep against a moving mesh.
  btCollisionWorld::ClosestRayResultCallback ray(btVector3(btScalar(0.1), 5, 0), btVector3(btScalar(0.1), -5, 0));
  world.rayTest(ray.m_rayFromWorld, ray.m_rayToWorld, ray);
  assert_true(ray.hasHit());
  btSphereShape ball(btScalar(0.1));
  btCollisionWorld::ClosestConvexResultCallback sweep(ray.m_rayFromWorld, ray.m_rayToWorld);
  world.convexSweepTest(&ball, btTransform(btQuaternion::getIdentity(), ray.m_rayFromWorld),
                        btTransform(btQuaternion::getIdentity(), ray.m_rayToWorld), sweep);
  assert_true(sweep.hasHit());
  channels.remove_all(world);
}

int added_count;

bool count_added(btManifoldPoint &, const btCollisionObjectWrapper *wrap_0, int part_0, int index_0,
                 const btCollisionObjectWrapper *, int part_1, int index_1) {
  assert_true(wrap_0->getCollisionObject() != nullptr && part_0 == 0 && part_1 == 0 && index_0 >= 0 && index_1 >= 0);
  added_count++;
  return true;
}

TEST(test_callbacks_and_ghosts) {
  graze_bullet_world world(strict_settings());
  world.getPairCache()->setInternalGhostPairCallback(nullptr);
  btGhostPairCallback ghost_callback;
  world.getPairCache()->setInternalGhostPairCallback(&ghost_callback);
  mesh_bodies channels(make_channel(0.5, 0.3, 0.5, 0.1), margin);
  btRigidBody *const a = channels.add(world, 1, btVector3(0, 0, 0));
  channels.add(world, 1, btVector3(0, btScalar(0.615), 0));
  a->setCollisionFlags(a->getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
  gContactAddedCallback = count_added;
  world.performDiscreteCollisionDetection();
  gContactAddedCallback = nullptr;
  assert_int_equal(added_count, 8);

  btPairCachingGhostObject ghost;
  ghost.setCollisionShape(channels.shape());
  ghost.setCollisionFlags(btCollisionObject::CF_NO_CONTACT_RESPONSE);
  ghost.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, btScalar(-0.595), 0)));
  world.addCollisionObject(&ghost, btBroadphaseProxy::SensorTrigger, btBroadphaseProxy::AllFilter);
  assert_int_equal(ghost.getNumOverlappingObjects(), 1);
  // As character controllers do: the ghost's own pairs.
  world.getDispatcher()->dispatchAllCollisionPairs(ghost.getOverlappingPairCache(), world.getDispatchInfo(),
                                                   world.getDispatcher());
  btManifoldArray manifolds;
  btBroadphasePairArray &pairs = ghost.getOverlappingPairCache()->getOverlappingPairArray();
  assert_int_equal(pairs.size(), 1);
  pairs[0].m_algorithm->getAllContactManifolds(manifolds);
  assert_int_equal(manifolds.size(), 2);
  world.removeCollisionObject(&ghost);
  channels.remove_all(world);
}

// A mesh as the base of a multibody lies on another mesh.
TEST(test_multibody) {
  btDefaultCollisionConfiguration configuration;
  graze_bullet_dispatcher dispatcher(&configuration, strict_settings());
  btDbvtBroadphase broad_phase;
  btMultiBodyConstraintSolver solver;
  btMultiBodyDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
  world.setGravity(btVector3(0, -10, 0));
  mesh_bodies channels(make_channel(0.5, 0.3, 0.5, 0.1), margin);
  channels.add(world, 0, btVector3(0, 0, 0));
  btMultiBody body(0, 1, btVector3(btScalar(0.2), btScalar(0.2), btScalar(0.2)), false, false);
  body.setBasePos(btVector3(0, btScalar(0.63), 0));
  body.finalizeMultiDof();
  btMultiBodyLinkCollider collider(&body, -1);
  collider.setCollisionShape(channels.shape());
  collider.setWorldTransform(btTransform(btQuaternion::getIdentity(), body.getBasePos()));
  body.setBaseCollider(&collider);
  world.addMultiBody(&body);
  world.addCollisionObject(&collider, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
  step(world, 120);
  assert_true(std::fabs(double(body.getBasePos().y()) - 0.62) < 0.02);
  world.removeCollisionObject(&collider), world.removeMultiBody(&body);
  channels.remove_all(world);
}

// An existing world takes the hook.
TEST(test_hook) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  const graze_bullet_hook hook(dispatcher, strict_settings());
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
  world.setGravity(btVector3(0, -10, 0));
  mesh_bodies channels(make_channel(0.5, 0.3, 0.5, 0.1), margin);
  channels.add(world, 0, btVector3(0, 0, 0));
  const btRigidBody *const b = channels.add(world, 1, btVector3(0, btScalar(0.63), 0));
  step(world, 120);
  assert_true(std::fabs(height_of(*b) - 0.62) < 0.01);
  channels.remove_all(world);
}

// What cannot be right is named, and all other bodies go on.
TEST(test_bad_input) {
  std::string messages;
  graze_bullet_world world(listening_settings(messages));
  world.setGravity(btVector3(0, -10, 0));
  const test_floor floor(world);
  mesh_bodies good(make_channel(0.5, 0.3, 0.5, 0.1), margin);
  btRigidBody *const body = good.add(world, 1, btVector3(0, btScalar(0.33), 0));

  // A shape whose box is right and whose mesh has a NaN.
  body_mesh broken = make_channel(0.5, 0.3, 0.5, 0.1);
  auto arrays = broken.arrays();
  btBvhTriangleMeshShape broken_shape(arrays.get(), true);
  broken.positions[4] = std::numeric_limits<btScalar>::quiet_NaN();
  const auto broken_body = make_body(broken_shape, 1, btVector3(0, btScalar(0.8), 0));
  world.addRigidBody(broken_body.get());
  step(world, 1);
  assert_true(messages.find("collision object 2: its shape (BVHTRIANGLEMESH) has the coordinate nan in triangle 0") !=
              std::string::npos);
  messages.clear();
  step(world, 1);
  assert_true(messages.empty()); // one message for a shape
  world.removeRigidBody(broken_body.get());

  // A mesh without triangles; Bullet's own shape cannot be made of one, GImpact's can.
  body_mesh empty;
  empty.positions = {0, 0, 0};
  btTriangleIndexVertexArray no_triangles;
  btIndexedMesh part;
  part.m_numTriangles = 0, part.m_numVertices = 1, part.m_vertexStride = 3 * sizeof(btScalar),
  part.m_triangleIndexStride = 3 * sizeof(int);
  part.m_vertexBase = reinterpret_cast<const unsigned char *>(empty.positions.data());
  part.m_triangleIndexBase = part.m_vertexBase;
  no_triangles.addIndexedMesh(part);
  btCompoundShape around;
  btBvhTriangleMeshShape *const unbuilt = new btBvhTriangleMeshShape(&no_triangles, true, false);
  around.addChildShape(btTransform::getIdentity(), unbuilt);
  const auto empty_body = make_body(around, 0, btVector3(0, btScalar(0.6), 0));
  world.addRigidBody(empty_body.get());
  step(world, 1);
  assert_true(messages.find("no triangles") != std::string::npos);
  world.removeRigidBody(empty_body.get());
  delete unbuilt;

  // A scaling in a transform is none that a rigid body has.
  messages.clear();
  btRigidBody *const skewed = good.add(world, 0, btVector3(0, btScalar(0.9), 0));
  skewed->getWorldTransform().getBasis() = btMatrix3x3::getIdentity() * btScalar(1.5);
  step(world, 1);
  assert_true(messages.find("collision object 2: its transform") != std::string::npos);
  world.removeRigidBody(skewed);

  step(world, 100);
  assert_true(std::fabs(height_of(*body) - 0.31) < 0.01);
  world.removeRigidBody(body);

  // A method that there is not: one message, and Bullet decides alone.
  messages.clear();
  graze_bullet_settings settings = listening_settings(messages);
  settings.method = "magic";
  graze_bullet_world other(settings);
  assert_true(messages.find("magic") != std::string::npos);
  step(other, 1);
}

// A second thread steps the world while the first one is within a step.
btDiscreteDynamicsWorld *stepped_world;

TEST(test_step_within_step) {
  std::string messages;
  btDefaultCollisionConfiguration configuration;
  graze_bullet_dispatcher dispatcher(&configuration, listening_settings(messages));
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
  mesh_bodies channels(make_channel(0.5, 0.3, 0.5, 0.1), margin);
  channels.add(world, 1, btVector3(0, 0, 0)), channels.add(world, 1, btVector3(0, btScalar(0.61), 0));
  stepped_world = &world;
  dispatcher.setNearCallback([](btBroadphasePair &pair, btCollisionDispatcher &given, const btDispatcherInfo &info) {
    std::thread([] { stepped_world->stepSimulation(step_time, 0); }).join();
    btCollisionDispatcher::defaultNearCallback(pair, given, info);
  });
  world.performDiscreteCollisionDetection();
  assert_true(messages.find("a step began during another step") != std::string::npos);
  assert_int_equal(dispatcher.getNumManifolds(), 2);
  channels.remove_all(world);
}

// A step that a callback leaves by an exception is at its end.
TEST(test_exception_in_step) {
  btDefaultCollisionConfiguration configuration;
  graze_bullet_dispatcher dispatcher(&configuration, strict_settings());
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
  mesh_bodies channels(make_channel(0.5, 0.3, 0.5, 0.1), margin);
  channels.add(world, 1, btVector3(0, 0, 0)), channels.add(world, 1, btVector3(0, btScalar(0.61), 0));
  dispatcher.setNearCallback(
      [](btBroadphasePair &, btCollisionDispatcher &, const btDispatcherInfo &) { throw std::bad_alloc(); });
  bool caught = false;
  try {
    world.performDiscreteCollisionDetection();
  } catch (const std::bad_alloc &) {
    caught = true;
  }
  assert_true(caught);
  dispatcher.setNearCallback(btCollisionDispatcher::defaultNearCallback);
  world.performDiscreteCollisionDetection();
  assert_int_equal(dispatcher.getNumManifolds(), 2);
  channels.remove_all(world);
}

// A callback that tests two bodies while a hook decides them gets a message, and the first test its contacts.
btDiscreteDynamicsWorld *hooked_world;

bool test_again(btManifoldPoint &, const btCollisionObjectWrapper *wrap_0, int, int,
                const btCollisionObjectWrapper *wrap_1, int, int) {
  struct ignoring final : btCollisionWorld::ContactResultCallback {
    btScalar addSingleResult(btManifoldPoint &, const btCollisionObjectWrapper *, int, int,
                             const btCollisionObjectWrapper *, int, int) override {
      return 0;
    }
  } result;
  hooked_world->contactPairTest(const_cast<btCollisionObject *>(wrap_0->getCollisionObject()),
                                const_cast<btCollisionObject *>(wrap_1->getCollisionObject()), result);
  return true;
}

TEST(test_query_within_query) {
  std::string messages;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  const graze_bullet_hook hook(dispatcher, listening_settings(messages));
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
  mesh_bodies channels(make_channel(0.5, 0.3, 0.5, 0.1), margin);
  btRigidBody *const a = channels.add(world, 1, btVector3(0, 0, 0));
  channels.add(world, 1, btVector3(0, btScalar(0.61), 0));
  a->setCollisionFlags(a->getCollisionFlags() | btCollisionObject::CF_CUSTOM_MATERIAL_CALLBACK);
  hooked_world = &world;
  gContactAddedCallback = test_again;
  world.performDiscreteCollisionDetection();
  gContactAddedCallback = nullptr;
  assert_true(messages.find("were tested during another test") != std::string::npos);
  assert_int_equal(dispatcher.getNumManifolds(), 2);
  for (int i = 0; i < 2; i++) assert_int_equal(dispatcher.getManifoldByIndexInternal(i)->getNumContacts(), 4);
  channels.remove_all(world);
}

// Another shape and another body at the addresses of those before them, with the same number in the broad phase; and a
// box that changes its size.
TEST(test_replaced_shapes) {
  btDefaultCollisionConfiguration configuration;
  graze_bullet_dispatcher dispatcher(&configuration, strict_settings());
  btSimpleBroadphase broad_phase; // gives the numbers of bodies that are gone to new ones
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world(&dispatcher, &broad_phase, &solver, &configuration);
  world.setGravity(btVector3(0, -10, 0));
  mesh_bodies channels(make_channel(0.5, 0.3, 0.5, 0.1), margin);
  channels.add(world, 0, btVector3(0, 0, 0));
  std::optional<btBoxShape> box;
  std::optional<btRigidBody> body;
  double size = 0.55;
  const auto drop = [&] {
    body.reset();
    btRigidBody::btRigidBodyConstructionInfo info(1, nullptr, &*box, btVector3(1, 1, 1));
    info.m_startWorldTransform.setOrigin(btVector3(0, btScalar(0.32 + size), 0));
    body.emplace(info);
    world.addRigidBody(&*body);
    step(world, 60);
    assert_true(std::fabs(height_of(*body) - 0.31 - size) < 0.01);
  };
  for (const double next : {0.55, 0.7}) {
    size = next;
    box.emplace(btVector3(btScalar(size), btScalar(size), btScalar(size)));
    drop();
    if (size < 0.6) world.removeRigidBody(&*body);
  }
  size = 0.6;
  box->setImplicitShapeDimensions(btVector3(1, 1, 1) * (btScalar(0.6) - box->getMargin()));
  body->activate();
  step(world, 90);
  assert_true(std::fabs(height_of(*body) - 0.91) < 0.01);
  world.removeRigidBody(&*body);
  channels.remove_all(world);
}

// Bodies that come together have their shape read once.
TEST(test_shared_shape_is_read_once) {
  struct counted_mesh final : btTriangleIndexVertexArray {
    using btTriangleIndexVertexArray::btTriangleIndexVertexArray;
    mutable int count = 0;
    void getLockedReadOnlyVertexIndexBase(const unsigned char **base, int &vertices, PHY_ScalarType &type, int &stride,
                                          const unsigned char **indices, int &index_stride, int &faces,
                                          PHY_ScalarType &index_type, int part) const override {
      count++;
      btTriangleIndexVertexArray::getLockedReadOnlyVertexIndexBase(base, vertices, type, stride, indices, index_stride,
                                                                   faces, index_type, part);
    }
  };
  body_mesh channel = make_channel(0.5, 0.3, 0.5, 0.1);
  counted_mesh mesh(int(channel.triangles.size() / 3), channel.triangles.data(), int(3 * sizeof(int)),
                    int(channel.positions.size() / 3), channel.positions.data(), int(3 * sizeof(btScalar)));
  btBvhTriangleMeshShape shape(&mesh, true);
  shape.setMargin(margin);
  graze_bullet_world world(strict_settings());
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  for (int i = 0; i < 40; i++) {
    bodies.push_back(make_body(shape, 1, btVector3(0, btScalar(0.61 * i), 0)));
    world.addRigidBody(bodies.back().get());
  }
  mesh.count = 0;
  world.performDiscreteCollisionDetection();
  assert_int_equal(world.getDispatcher()->getNumManifolds(), 2 * 39);
  assert_int_equal(mesh.count, 1);
  world.shape_changed(&shape);
  world.performDiscreteCollisionDetection();
  assert_int_equal(mesh.count, 2);
  for (const auto &body : bodies) world.removeRigidBody(body.get());
}

// The same contacts from CUDA; without a device a message, and Bullet decides alone.
TEST(test_cuda) {
  std::string messages;
  graze_bullet_settings settings = listening_settings(messages);
  settings.backend = "cuda";
  graze_bullet_world world(settings);
  world.setGravity(btVector3(0, -10, 0));
  mesh_bodies channels(make_channel(0.5, 0.3, 0.5, 0.1), margin);
  channels.add(world, 0, btVector3(0, 0, 0));
  const btRigidBody *const above = channels.add(world, 1, btVector3(0, btScalar(0.63), 0));
  step(world, 60);
  if (messages.empty()) {
    assert_true(std::fabs(height_of(*above) - 0.62) < 0.01);
  } else {
    assert_true(messages.find("CUDA") != std::string::npos || messages.find("cuda") != std::string::npos);
    assert_true(height_of(*above) < -1 && world.report().body_pairs == 0);
  }
  channels.remove_all(world);
}

} // namespace
