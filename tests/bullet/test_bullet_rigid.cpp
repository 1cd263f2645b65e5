// Worlds of rigid concave bodies whose contacts graze finds: they fall, meet, rest and stay at rest.
#include "bullet_bodies.h"
#include "graze_bullet.h"

#include <csetjmp>
#include <cstdarg>
#include <cstddef>
extern "C" {
#include <cmocka.h>
}

namespace {

const btScalar step_time = btScalar(1) / 60;

// A message fails the test that does not expect one.
graze_bullet_settings strict_settings() {
  graze_bullet_settings settings;
  settings.message = [](void *, const char *text) { fail_msg("unexpected message: %s", text); };
  return settings;
}

// A floor at height 0: a mesh of two triangles and some depth.
class test_floor {
public:
  explicit test_floor(btDiscreteDynamicsWorld &world) : world_(world), shape_(btVector3(20, 1, 20)) {
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, &shape_);
    info.m_startWorldTransform.setOrigin(btVector3(0, -1, 0));
    body_ = std::make_unique<btRigidBody>(info);
    world.addRigidBody(body_.get());
  }
  ~test_floor() { world_.removeRigidBody(body_.get()); }

private:
  btDiscreteDynamicsWorld &world_;
  btBoxShape shape_;
  std::unique_ptr<btRigidBody> body_;
};

// Two tori, both moving and both concave, that Bullet's own meshes would let pass through each other.
void test_two_moving_meshes(void **) {
  graze_bullet_world world(strict_settings());
  world.setGravity(btVector3(0, 0, 0));
  test_bodies tori(make_torus(1, 0.25, 32, 16), btScalar(0.02));
  btRigidBody *const still = tori.add(world, 1, btVector3(0, 0, 0));
  btRigidBody *const moving = tori.add(world, 1, btVector3(0.5, 2, 0));
  moving->setLinearVelocity(btVector3(0, -2, 0));
  size_t contacts = 0;
  for (int i = 0; i < 120; i++) {
    world.stepSimulation(step_time, 0);
    contacts += world.report().patches;
  }
  assert_true(contacts > 0);
  assert_true(still->getLinearVelocity().y() < -0.1);
  assert_true(moving->getLinearVelocity().y() > btScalar(-1.9));
  assert_true(moving->getWorldTransform().getOrigin().y() > still->getWorldTransform().getOrigin().y());
  tori.remove_all(world);
}

// Ten channels, each resting on the two walls of the one below it.
void test_stack_stands(void **) {
  graze_bullet_world world(strict_settings());
  world.setGravity(btVector3(0, -10, 0));
  const test_floor floor(world);
  test_bodies channels(make_channel(0.5, 0.3, 0.5, 0.1), btScalar(0.01));
  for (int i = 0; i < 10; i++) channels.add(world, 1, btVector3(0, btScalar(0.31 + 0.62 * i), 0));
  for (int i = 0; i < 600; i++) world.stepSimulation(step_time, 0);
  for (size_t i = 0; i < channels.bodies().size(); i++) {
    const btTransform &at = channels.bodies()[i]->getWorldTransform();
    assert_true(std::fabs(at.getOrigin().x()) < 0.05 && std::fabs(at.getOrigin().z()) < 0.05);
    assert_true(std::fabs(double(at.getOrigin().y()) - (0.31 + 0.62 * double(i))) < 0.05);
    assert_true(at.getBasis()[1][1] > 0.999);
  }
  channels.remove_all(world);
}

} // namespace

int main() {
  const CMUnitTest tests[] = {
      cmocka_unit_test(test_two_moving_meshes),
      cmocka_unit_test(test_stack_stands),
  };
  return cmocka_run_group_tests(tests, nullptr, nullptr);
}
