// Tests worlds of soft bodies with graze's contacts: cloth on a mesh, a ball in a net, cloth on itself, a rope on a
// ring. Crossing triangles after a step are counted exactly in a separate scene.
#include "graze_bullet_soft.h"

#include <BulletSoftBody/btSoftBodyHelpers.h>

#include "bullet_world_tools.h"

#include "graze/graze.h"

#include <limits>

namespace {

class soft_test_world {
public:
  explicit soft_test_world(const graze_bullet_settings &settings) : world(settings) {
    world.setGravity(btVector3(0, -10, 0));
    world.getWorldInfo().m_gravity = btVector3(0, -10, 0);
  }
  ~soft_test_world() {
    for (const auto &body : bodies) world.removeSoftBody(body.get());
  }

  btSoftBody *add(btSoftBody *body, double margin) {
    bodies.emplace_back(body);
    body->getCollisionShape()->setMargin(btScalar(margin));
    world.addSoftBody(body);
    return body;
  }
  // A square of 2 by 2 at a height; bits of `fixed` hold corners.
  btSoftBody *add_cloth(double height, int count, int fixed, double margin) {
    const btScalar y = btScalar(height);
    btSoftBody *const body =
        btSoftBodyHelpers::CreatePatch(world.getWorldInfo(), btVector3(-1, y, -1), btVector3(1, y, -1),
                                       btVector3(-1, y, 1), btVector3(1, y, 1), count, count, fixed, true);
    body->setTotalMass(1);
    body->m_cfg.piterations = 8;
    body->m_materials[0]->m_kLST = btScalar(0.9);
    return add(body, margin);
  }

  graze_bullet_soft_world world;
  std::vector<std::unique_ptr<btSoftBody>> bodies;
};

graze_object add_soft(graze_scene *scene, const btSoftBody &body) {
  std::vector<double> positions;
  for (int i = 0; i < body.m_nodes.size(); i++)
    for (int k = 0; k < 3; k++) positions.push_back(double(body.m_nodes[i].m_x[k]));
  std::vector<uint32_t> corners;
  for (int i = 0; i < body.m_faces.size(); i++)
    for (int k = 0; k < 3; k++) corners.push_back(uint32_t(body.m_faces[i].m_n[k] - &body.m_nodes[0]));
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = {positions.data(), positions.size() / 3, 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = {corners.data(), corners.size() / 3, 0, GRAZE_FORMAT_UINT32_3};
  graze_object object;
  assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, nullptr, &object), GRAZE_OK);
  return object;
}

// Pairs of triangles that intersect: between the bodies, or within them.
size_t crossing_count(const soft_test_world &soft, const body_mesh *mesh, graze_scope scope) {
  graze_scene *scene;
  assert_int_equal(graze_scene_create(nullptr, &scene), GRAZE_OK);
  for (const auto &body : soft.bodies) add_soft(scene, *body);
  if (mesh) {
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = {mesh->positions.data(), mesh->positions.size() / 3, 0,
                     sizeof(btScalar) == sizeof(float) ? GRAZE_FORMAT_FLOAT3 : GRAZE_FORMAT_DOUBLE3};
    def.triangles = {mesh->triangles.data(), mesh->triangles.size() / 3, 0, GRAZE_FORMAT_INT32_3};
    graze_object object;
    assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, nullptr, &object), GRAZE_OK);
  }
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  graze_query query = graze_query_default();
  query.scope = scope;
  graze_pairs pairs = {};
  assert_int_equal(graze_scene_find_pairs(scene, &query, &pairs), GRAZE_OK);
  const size_t count = pairs.count;
  graze_pairs_free(&pairs);
  graze_scene_destroy(scene);
  return count;
}

double lowest_of(const btSoftBody &body) {
  double lowest = INFINITY;
  for (int i = 0; i < body.m_nodes.size(); i++) lowest = std::min(lowest, double(body.m_nodes[i].m_x.y()));
  return lowest;
}

TEST(test_cloth_on_mesh) {
  soft_test_world soft(strict_settings());
  const body_mesh mesh = make_torus(0.6, 0.2, 32, 16);
  mesh_bodies torus(mesh, btScalar(0.02));
  torus.add(soft.world, 0, btVector3(0, 0, 0));
  soft.add_cloth(0.3, 21, 0, 0.03);
  for (int i = 0; i < 120; i++) {
    step(soft.world, 1);
    if (i % 10 == 9) assert_int_equal(crossing_count(soft, &mesh, GRAZE_SCOPE_BETWEEN), 0);
  }
  assert_true(soft.world.soft_report().node_contacts > 10 && soft.world.soft_report().edge_contacts > 20);
  double highest = -INFINITY;
  for (int i = 0; i < soft.bodies[0]->m_nodes.size(); i++)
    highest = std::max(highest, double(soft.bodies[0]->m_nodes[i].m_x.y()));
  assert_true(highest > 0.22 && highest < 0.3);
  torus.remove_all(soft.world);
}

// Two balls fall into a net that hangs by its corners.
TEST(test_balls_in_net) {
  soft_test_world soft(strict_settings());
  soft.add_cloth(0, 21, 15, 0.03);
  for (int i = 0; i < 2; i++) {
    btSoftBody *const ball = btSoftBodyHelpers::CreateEllipsoid(
        soft.world.getWorldInfo(), btVector3(btScalar(0.1 * i), btScalar(0.5 + 0.7 * i), 0),
        btVector3(1, 1, 1) * btScalar(0.3), 150);
    ball->m_materials[0]->m_kLST = btScalar(0.5);
    ball->m_cfg.piterations = 4;
    ball->m_cfg.kPR = 20;
    ball->setTotalMass(btScalar(0.5));
    soft.add(ball, 0.03);
  }
  for (int i = 0; i < 180; i++) {
    step(soft.world, 1);
    if (i % 10 == 9) assert_int_equal(crossing_count(soft, nullptr, GRAZE_SCOPE_BETWEEN), 0);
  }
  // The net sags below its corners and holds both.
  const double net = lowest_of(*soft.bodies[0]);
  assert_true(net < -0.2 && net > -1.5);
  for (size_t i = 1; i < 3; i++) assert_true(lowest_of(*soft.bodies[i]) > net - 0.01);
}

// A sheet that is folded once falls shut on a floor: its upper half is 0.12 above its lower one.
size_t fold(bool self, uint32_t worker_count, uint64_t &hash) {
  graze_bullet_settings settings = strict_settings();
  settings.worker_count = worker_count;
  soft_test_world soft(settings);
  const test_floor floor(soft.world);
  const btScalar half = btScalar(0.5);
  btSoftBody *const cloth =
      btSoftBodyHelpers::CreatePatch(soft.world.getWorldInfo(), btVector3(-half, 0, -1), btVector3(half, 0, -1),
                                     btVector3(-half, 0, 1), btVector3(half, 0, 1), 13, 27, 0, true);
  for (int i = 0; i < cloth->m_nodes.size(); i++) {
    // Along the sheet: flat, then half a circle, then flat again and slightly to the side.
    const double radius = 0.06, at = double(cloth->m_nodes[i].m_x.z()), bend = radius * M_PI / 2;
    const double turn = std::min(std::max(at, -bend), bend) / radius, beyond = at - turn * radius;
    btVector3 &x = cloth->m_nodes[i].m_x;
    x.setY(btScalar(0.04 + radius + radius * std::sin(turn)));
    x.setZ(btScalar(radius * std::cos(turn) + (at < 0 ? beyond : -beyond)));
    if (at > 0) x.setX(x.x() + btScalar(0.013));
    cloth->m_nodes[i].m_q = x;
  }
  cloth->setTotalMass(1);
  cloth->m_cfg.piterations = 8;
  cloth->m_cfg.kDF = 1;
  cloth->setSelfCollision(self);
  soft.add(cloth, 0.02);
  step(soft.world, 60);
  hash = hash_of(soft.world);
  for (int i = 0; i < cloth->m_nodes.size(); i++)
    for (int k = 0; k < 3; k++) hash = hash * 31 + uint64_t(double(cloth->m_nodes[i].m_x[k]) * 1e15);
  assert_true(lowest_of(*cloth) > -0.05);
  return crossing_count(soft, nullptr, GRAZE_SCOPE_WITHIN);
}

TEST(test_cloth_on_itself) {
  uint64_t hash, again;
  assert_true(fold(false, 1, hash) > 0);
  assert_int_equal(fold(true, 1, hash), 0);
  assert_int_equal(fold(true, 3, again), 0);
  assert_true(hash == again);
}

// A rope has no faces: its links are triangles without area.
TEST(test_rope_on_ring) {
  soft_test_world soft(strict_settings());
  mesh_bodies torus(make_torus(0.6, 0.2, 32, 16), btScalar(0.02));
  torus.add(soft.world, 0, btVector3(0, 0, 0));
  btSoftBody *const rope =
      btSoftBodyHelpers::CreateRope(soft.world.getWorldInfo(), btVector3(btScalar(-0.9), btScalar(0.3), btScalar(0.1)),
                                    btVector3(btScalar(0.9), btScalar(0.3), btScalar(0.1)), 30, 0);
  rope->setTotalMass(btScalar(0.3));
  rope->m_cfg.piterations = 8;
  rope->m_cfg.kDF = 1;
  soft.add(rope, 0.03);
  step(soft.world, 90);
  // It lies on both sides of the ring and hangs into the hole.
  assert_true(lowest_of(*rope) < 0.2 && lowest_of(*rope) > -0.7);
  for (int i = 0; i < rope->m_nodes.size(); i++) {
    const btVector3 &at = rope->m_nodes[i].m_x;
    const double r = std::sqrt(double(at.x() * at.x() + at.z() * at.z())) - 0.6;
    assert_true(std::sqrt(r * r + double(at.y() * at.y())) > 0.19);
  }
  torus.remove_all(soft.world);
}

// A body with a NaN is named once, and a body that tears goes on; others do not notice.
TEST(test_bad_and_torn_bodies) {
  std::string messages;
  soft_test_world soft(listening_settings(messages));
  const body_mesh mesh = make_torus(0.6, 0.2, 32, 16);
  mesh_bodies torus(mesh, btScalar(0.02));
  torus.add(soft.world, 0, btVector3(0, 0, 0));
  btSoftBody *const cloth = soft.add_cloth(0.3, 15, 0, 0.03);
  step(soft.world, 20);
  const int nodes = cloth->m_nodes.size();
  assert_true(cloth->cutLink(30, 31, btScalar(0.5)));
  assert_true(cloth->m_nodes.size() > nodes);
  step(soft.world, 40);
  assert_true(messages.find("has torn or changed: it had 392 triangles or links, and has 394") != std::string::npos);
  assert_true(messages.find("torn") == messages.rfind("torn"));
  assert_true(soft.world.soft_report().node_contacts > 10);
  messages.clear();
  btSoftBody *const bad = soft.add_cloth(0.6, 5, 0, 0.03);
  step(soft.world, 1);
  bad->m_nodes[7].m_x.setX(std::numeric_limits<btScalar>::quiet_NaN());
  step(soft.world, 3);
  assert_true(messages.find("the soft body has no contacts from graze: ") != std::string::npos);
  assert_true(messages.find("the soft body") == messages.rfind("the soft body"));
  assert_true(soft.world.soft_report().node_contacts > 10);
  torus.remove_all(soft.world);
}

// Cloth on a GImpact mesh, on a compound of meshes, and on one that holds a sphere too and stays with Bullet.
TEST(test_cloth_on_compounds) {
  mesh_bodies torus(make_torus(0.6, 0.2, 32, 16), btScalar(0.02));
  mesh_bodies gimpact(make_torus(0.6, 0.2, 32, 16), btScalar(0.02), true);
  btSphereShape sphere(btScalar(0.3));
  btCompoundShape meshes, mixed;
  meshes.addChildShape(btTransform::getIdentity(), torus.shape());
  meshes.addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(0, btScalar(-0.2), 0)), torus.shape());
  mixed.addChildShape(btTransform::getIdentity(), torus.shape());
  mixed.addChildShape(btTransform::getIdentity(), &sphere);
  for (btCollisionShape *const shape :
       {gimpact.shape(), static_cast<btCollisionShape *>(&meshes), static_cast<btCollisionShape *>(&mixed)}) {
    soft_test_world soft(strict_settings());
    btRigidBody body(0, nullptr, shape);
    soft.world.addRigidBody(&body);
    const btSoftBody *const cloth = soft.add_cloth(0.32, 15, 0, 0.03);
    int contacts = 0, edges = 0;
    for (int k = 0; k < 60; k++) {
      step(soft.world, 1);
      contacts += cloth->m_rcontacts.size(), edges += int(soft.world.soft_report().edge_contacts);
    }
    assert_true(contacts > 100);
    if (shape == &mixed) {
      assert_int_equal(edges, 0);
    } else {
      assert_true(edges > 1000);
      double highest = -INFINITY;
      for (int k = 0; k < cloth->m_nodes.size(); k++) highest = std::max(highest, double(cloth->m_nodes[k].m_x.y()));
      assert_true(highest > 0.22 && highest < 0.3);
    }
    soft.world.removeRigidBody(&body);
  }
}

// A backend that there is not: one message for each of the two parts, and Bullet decides soft bodies alone.
TEST(test_without_backend) {
  std::string messages;
  graze_bullet_settings settings = listening_settings(messages);
  settings.backend = "abacus";
  soft_test_world soft(settings);
  assert_true(messages.find("abacus") != std::string::npos);
  btSoftBody *const lower = soft.add_cloth(0, 9, 15, 0.05), *const upper = soft.add_cloth(0.2, 8, 0, 0.05);
  for (btSoftBody *const cloth : {lower, upper}) cloth->m_cfg.collisions |= btSoftBody::fCollision::VF_SS;
  int contacts = 0;
  for (int i = 0; i < 40; i++) {
    step(soft.world, 1);
    contacts += lower->m_scontacts.size() + upper->m_scontacts.size();
  }
  assert_true(contacts > 0);
}

} // namespace
