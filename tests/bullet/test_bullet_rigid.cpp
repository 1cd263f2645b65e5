// Tests worlds of rigid concave bodies with graze's contacts: bodies fall, collide, come to rest and stay at rest.
#include "bullet_world_tools.h"

#include "test_scale.h"

#include <algorithm>

namespace {

// Two tori, both moving and both concave, that Bullet's own meshes would let pass through each other.
TEST(test_two_moving_meshes) {
  graze_bullet_world world(strict_settings());
  world.setGravity(btVector3(0, 0, 0));
  mesh_bodies tori(make_torus(1, 0.25, 32, 16), btScalar(0.02));
  btRigidBody *const still = tori.add(world, 1, btVector3(0, 0, 0));
  btRigidBody *const moving = tori.add(world, 1, btVector3(0.5, 2, 0));
  moving->setLinearVelocity(btVector3(0, -2, 0));
  size_t contacts = 0;
  for (int i = 0; i < 120; i++) {
    step(world, 1);
    contacts += world.report().patches;
  }
  assert_true(contacts > 0);
  assert_true(still->getLinearVelocity().y() < -0.1);
  assert_true(moving->getLinearVelocity().y() > btScalar(-1.9));
  assert_true(moving->getWorldTransform().getOrigin().y() > still->getWorldTransform().getOrigin().y());
  tori.remove_all(world);
}

// Ten channels, each resting on the two walls of the one below it. They lean until they sleep, as boxes of Bullet's own
// do; how far depends on the order of its sums, which differs between processors.
TEST(test_stack_stands) {
  graze_bullet_world world(strict_settings());
  world.setGravity(btVector3(0, -10, 0));
  const test_floor floor(world);
  mesh_bodies channels(make_channel(0.5, 0.3, 0.5, 0.1), btScalar(0.01));
  for (int i = 0; i < 10; i++) channels.add(world, 1, btVector3(0, btScalar(0.31 + 0.62 * i), 0));
  step(world, 600);
  for (size_t i = 0; i < channels.bodies().size(); i++) {
    const btTransform &at = channels.bodies()[i]->getWorldTransform();
    assert_true(std::fabs(at.getOrigin().x()) < 0.1 && std::fabs(at.getOrigin().z()) < 0.1);
    assert_true(std::fabs(double(at.getOrigin().y()) - (0.31 + 0.62 * double(i))) < 0.05);
    assert_true(at.getBasis()[1][1] > 0.999);
  }
  channels.remove_all(world);
}

// Eight links hang from the first, which does not move. Each link stands across the one before it.
TEST(test_chain_holds) {
  graze_bullet_world world(strict_settings());
  world.setGravity(btVector3(0, -10, 0));
  mesh_bodies links(make_torus(0.5, 0.1, 32, 12), btScalar(0.01));
  const double spacing = 0.78;
  for (int i = 0; i < 8; i++) {
    // The plane of a link holds the y axis; every second one is turned about it.
    btQuaternion turn = btQuaternion(btVector3(0, 1, 0), btScalar(i % 2 * M_PI / 2)) *
                        btQuaternion(btVector3(1, 0, 0), btScalar(M_PI / 2));
    links.add(world, i == 0 ? 0 : 1, btTransform(turn, btVector3(0, btScalar(-spacing * i), 0)));
  }
  links.bodies()[7]->setLinearVelocity(btVector3(3, 0, 0));
  double height = 0, greatest = -INFINITY;
  for (int i = 0; i < 600; i++) {
    step(world, 1);
    double energy = 0;
    for (const auto &link : links.bodies())
      if (!link->isStaticObject()) energy += energy_of(*link, 10);
    if (i == 60) height = energy;
    if (i > 60) greatest = std::max(greatest, energy);
    for (size_t k = 1; k < links.bodies().size(); k++) {
      const btVector3 apart =
          links.bodies()[k]->getWorldTransform().getOrigin() - links.bodies()[k - 1]->getWorldTransform().getOrigin();
      // Linked circles of radius 0.5 have centers at most 1 apart.
      assert_true(apart.length() < 1);
    }
  }
  // Seven links: what they gain after the first second is less than one percent of the energy of their heights.
  assert_true(greatest < height + 0.01 * 7 * 10 * 8 * spacing);
  links.remove_all(world);
}

// 27 channels and tori fall on each other in a heap.
uint64_t heap_hash(uint32_t worker_count, const char *method, int steps) {
  graze_bullet_settings settings = strict_settings();
  settings.worker_count = worker_count, settings.method = method;
  graze_bullet_world world(settings);
  world.setGravity(btVector3(0, -10, 0));
  const test_floor floor(world);
  mesh_bodies channels(make_channel(0.5, 0.3, 0.5, 0.1), btScalar(0.01));
  mesh_bodies tori(make_torus(0.4, 0.12, 16, 8), btScalar(0.01));
  for (int i = 0; i < 27; i++) {
    const btQuaternion turn(btVector3(1, btScalar(i % 5), btScalar(i % 3)).normalized(), btScalar(i));
    const btVector3 at(btScalar(i % 3 * 0.7), btScalar(0.8 + i / 3 * 0.9), btScalar(i / 3 % 3 * 0.7));
    (i % 2 ? channels : tori).add(world, 1, btTransform(turn, at));
  }
  size_t pairs = 0;
  for (int i = 0; i < steps; i++) {
    step(world, 1);
    pairs += world.report().pairs;
  }
  assert_true(pairs > 0);
  const uint64_t hash = hash_of(world);
  channels.remove_all(world), tori.remove_all(world);
  return hash;
}

TEST(test_determinism) {
  const int steps = int(test_sanitized(15, 80));
  const uint64_t expected = heap_hash(1, "tree", steps);
  assert_true(heap_hash(1, "tree", steps) == expected);
  assert_true(heap_hash(2, "tree", steps) == expected);
  assert_true(heap_hash(5, "grid", steps) == expected);
  assert_true(heap_hash(1, "tree", steps - 1) != expected);
}

// Nothing explodes: a heap loses energy, and all bodies stay where they can be.
TEST(test_heap_energy) {
  graze_bullet_world world(strict_settings());
  world.setGravity(btVector3(0, -10, 0));
  const test_floor floor(world);
  mesh_bodies tori(make_torus(0.4, 0.12, 16, 8), btScalar(0.01));
  for (int i = 0; i < 24; i++) {
    const btQuaternion turn(btVector3(1, btScalar(i % 5), btScalar(i % 3)).normalized(), btScalar(i));
    tori.add(world, 1,
             btTransform(turn, btVector3(btScalar(i % 2 * 0.5), btScalar(1 + i * 0.6), btScalar(i / 2 % 2 * 0.5))));
  }
  const auto sum = [&] {
    double energy = 0;
    for (const auto &body : tori.bodies()) energy += energy_of(*body, 10);
    return energy;
  };
  const double begun = sum();
  double before = begun;
  for (size_t i = 0; i < test_sanitized(3, 10); i++) {
    step(world, 30);
    const double now = sum();
    assert_true(now < before + 0.01 * begun);
    before = now;
  }
  for (const auto &body : tori.bodies()) assert_true(body->getWorldTransform().getOrigin().y() > 0.1);
  tori.remove_all(world);
}

// Bodies leave and come back while others lie on them.
TEST(test_adding_and_removing) {
  graze_bullet_world world(strict_settings());
  world.setGravity(btVector3(0, -10, 0));
  const test_floor floor(world);
  auto channels = std::make_unique<mesh_bodies>(make_channel(0.5, 0.3, 0.5, 0.1), btScalar(0.01));
  for (int i = 0; i < 3; i++) channels->add(world, 1, btVector3(0, btScalar(0.31 + 0.62 * i), 0));
  step(world, 60);
  btRigidBody *const middle = channels->bodies()[1].get(), *const top = channels->bodies()[2].get();
  world.removeRigidBody(middle);
  step(world, 90);
  assert_true(std::fabs(double(top->getWorldTransform().getOrigin().y()) - 0.93) < 0.05);
  middle->setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, btScalar(1.7), 0)));
  middle->setLinearVelocity(btVector3(0, 0, 0));
  middle->activate(), top->activate();
  world.addRigidBody(middle);
  step(world, 90);
  assert_true(std::fabs(double(middle->getWorldTransform().getOrigin().y()) - 1.55) < 0.05);
  // New shapes and bodies, perhaps at the same addresses.
  for (int round = 0; round < 5; round++) {
    channels->remove_all(world);
    channels.reset();
    const double height = 0.2 + 0.05 * round;
    channels = std::make_unique<mesh_bodies>(make_channel(0.5, height, 0.5, 0.1), btScalar(0.01));
    for (int i = 0; i < 2; i++)
      channels->add(world, 1, btVector3(0, btScalar(height + 0.03 + (2 * height + 0.03) * i), 0));
    step(world, 60);
    const double y = double(channels->bodies()[1]->getWorldTransform().getOrigin().y());
    assert_true(std::fabs(y - 3 * height - 0.03) < 0.02);
  }
  channels->remove_all(world);
}

// A hundred towers of ten channels.
TEST(test_thousand_bodies) {
  graze_bullet_world world(strict_settings());
  world.setGravity(btVector3(0, -10, 0));
  const test_floor floor(world);
  mesh_bodies channels(make_channel(0.5, 0.3, 0.5, 0.1), btScalar(0.01));
  for (int i = 0; i < 1000; i++)
    channels.add(
        world, 1,
        btVector3(btScalar(i % 10 * 1.2 - 5.4), btScalar(0.31 + i / 100 * 0.62), btScalar(i / 10 % 10 * 1.2 - 5.4)));
  step(world, int(test_sanitized(2, 20)));
  assert_true(world.report().bodies == 1001 && world.report().body_pairs >= 1000 && world.report().patches == 1900);
  for (size_t i = 0; i < 1000; i++) {
    const btVector3 at = channels.bodies()[i]->getWorldTransform().getOrigin();
    assert_true(std::fabs(double(at.y()) - 0.31 - double(i / 100) * 0.62) < 0.05);
  }
  channels.remove_all(world);
}

} // namespace
