// Common functions of the tests of the Bullet plug-in: settings that fail on messages, a floor, and a hash of a world.
#ifndef BULLET_WORLD_TOOLS_H
#define BULLET_WORLD_TOOLS_H

#include "bullet_bodies.h"
#include "graze_bullet.h"
#include "testing.h"

#include <cstddef>
#include <cstring>
#include <string>

const btScalar step_time = btScalar(1) / 60;

// A message fails the test that does not expect one.
inline graze_bullet_settings strict_settings() {
  graze_bullet_settings settings;
  settings.message = [](void *, const char *text) { fail_msg("unexpected message: %s", text); };
  return settings;
}

// Messages are appended to a text.
inline graze_bullet_settings listening_settings(std::string &messages) {
  graze_bullet_settings settings;
  settings.message = [](void *context, const char *text) { *static_cast<std::string *>(context) += text; };
  settings.message_context = &messages;
  return settings;
}

inline void step(btDynamicsWorld &world, int count) {
  for (int i = 0; i < count; i++) world.stepSimulation(step_time, 0);
}

// A box whose upper side is at height 0.
class test_floor {
public:
  explicit test_floor(btDiscreteDynamicsWorld &world) : world_(world), shape_(btVector3(20, 1, 20)) {
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, &shape_);
    info.m_startWorldTransform.setOrigin(btVector3(0, -1, 0));
    body_ = std::make_unique<btRigidBody>(info);
    world.addRigidBody(body_.get());
  }
  ~test_floor() { world_.removeRigidBody(body_.get()); }
  btRigidBody *body() { return body_.get(); }

private:
  btDiscreteDynamicsWorld &world_;
  btBoxShape shape_;
  std::unique_ptr<btRigidBody> body_;
};

// The bits of all transforms and velocities.
inline uint64_t hash_of(const btDiscreteDynamicsWorld &world) {
  uint64_t hash = 1469598103934665603u;
  const auto mix = [&](const btVector3 &v) {
    for (int i = 0; i < 3; i++) {
      unsigned char bytes[sizeof(btScalar)];
      std::memcpy(bytes, &v[i], sizeof bytes);
      for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211u;
    }
  };
  const btCollisionObjectArray &objects = world.getCollisionObjectArray();
  for (int i = 0; i < objects.size(); i++) {
    mix(objects[i]->getWorldTransform().getOrigin());
    for (int row = 0; row < 3; row++) mix(objects[i]->getWorldTransform().getBasis()[row]);
    mix(objects[i]->getInterpolationLinearVelocity());
    mix(objects[i]->getInterpolationAngularVelocity());
  }
  return hash;
}

// Energy of motion and height of a body.
inline double energy_of(const btRigidBody &body, double gravity) {
  const btVector3 spin = body.getAngularVelocity();
  const btVector3 local = body.getWorldTransform().getBasis().transpose() * spin;
  const btVector3 inertia = body.getLocalInertia();
  return 0.5 * double(body.getMass()) * double(body.getLinearVelocity().length2()) +
         0.5 * double((local * local).dot(inertia)) +
         double(body.getMass()) * gravity * double(body.getWorldTransform().getOrigin().y());
}

#endif
