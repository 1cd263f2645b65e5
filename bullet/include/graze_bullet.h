// graze_bullet: graze as the collision detection of a Bullet world.
//
//     graze_bullet_world world;                 // replaces btDiscreteDynamicsWorld and its four parts
//     world.addRigidBody(body);                 // a body with a btBvhTriangleMeshShape may move
//
// Each step makes one scene update and one query for all pairs of bodies that Bullet's broad phase finds. graze handles
// meshes against meshes, boxes, convex hulls and compounds of them; Bullet handles all other pairs of shapes. Rays,
// sweeps, ghosts, filters and callbacks remain Bullet's. Compile with BT_USE_DOUBLE_PRECISION and link
// graze_bullet-float64, or use neither.
//
// Thread safety is that of Bullet. One thread steps a world; a step that begins while another one runs does nothing and
// reports a message.
#ifndef GRAZE_BULLET_H
#define GRAZE_BULLET_H

#include <btBulletDynamicsCommon.h>

#include <cstddef>
#include <cstdint>
#include <memory>

struct graze_bullet_settings {
  uint32_t worker_count = 1;   // threads for detection; 0: as many as the process may use
  const char *method = "tree"; // one of graze's methods, or "auto"
  const char *backend = "cpu"; // "cpu" or "cuda"
  bool convex_by_graze = true; // graze handles convex against concave; false: Bullet does
  // Receives a message for each shape, transform or step that the detection refuses, and for each soft body that tears.
  // A message names the object by its number in the world (getWorldArrayIndex()). The world continues, but graze makes
  // no contacts for a refused object. NULL: no messages.
  void (*message)(void *context, const char *text) = nullptr;
  void *message_context = nullptr;
};

// Costs of the last step, in milliseconds and counts.
struct graze_bullet_report {
  double copy_ms = 0;    // copying poses and new shapes to the scene, and updating it
  double detect_ms = 0;  // pairs, distances and contacts by graze
  double contact_ms = 0; // regions and points of manifolds, and the manifolds themselves
  size_t bodies = 0;     // in the scene
  size_t body_pairs = 0; // that Bullet's broad phase found and graze handled
  size_t pairs = 0;      // of triangles within their margins
  size_t crossing = 0;   // of these, those that intersect
  size_t patches = 0;    // contact patches; each is a manifold
};

namespace graze_bullet {
class detector;
class create_function;
} // namespace graze_bullet

// A dispatcher that handles pairs of meshes with graze. Pass it to any Bullet world in place of btCollisionDispatcher.
class graze_bullet_dispatcher : public btCollisionDispatcher {
public:
  explicit graze_bullet_dispatcher(btCollisionConfiguration *configuration,
                                   const graze_bullet_settings &settings = graze_bullet_settings());
  ~graze_bullet_dispatcher() override;

  void dispatchAllCollisionPairs(btOverlappingPairCache *pairs, const btDispatcherInfo &info,
                                 btDispatcher *dispatcher) override;

  // Call it after the vertices of a mesh in use have changed. Changes of scaling and of a compound's children, and
  // objects that are removed and added again, are detected without it.
  void shape_changed(const btCollisionShape *shape);

  const graze_bullet_report &report() const;

  graze_bullet::detector &detection() { return *detector_; } // for the solver of soft bodies

private:
  std::unique_ptr<graze_bullet::detector> detector_;
  std::unique_ptr<graze_bullet::create_function> contacts_, closest_;
};

// Makes an existing dispatcher handle pairs of meshes with graze, for worlds that cannot be created again. Destroy it
// after the world. Each pair is a separate query, so it is slower than graze_bullet_dispatcher. Pairs that already
// overlap keep their algorithms. If a pair is tested during the test of another, it has no contacts, and a message is
// reported.
class graze_bullet_hook {
public:
  explicit graze_bullet_hook(btCollisionDispatcher &dispatcher,
                             const graze_bullet_settings &settings = graze_bullet_settings());
  ~graze_bullet_hook();
  graze_bullet_hook(const graze_bullet_hook &) = delete;
  graze_bullet_hook &operator=(const graze_bullet_hook &) = delete;

  void shape_changed(const btCollisionShape *shape);

private:
  std::unique_ptr<graze_bullet::detector> detector_;
  std::unique_ptr<graze_bullet::create_function> contacts_, closest_;
};

// The parts of a world of rigid bodies, created before the world and destroyed after it.
struct graze_bullet_parts {
  explicit graze_bullet_parts(const graze_bullet_settings &settings) : dispatcher(&configuration, settings) {}
  btDefaultCollisionConfiguration configuration;
  graze_bullet_dispatcher dispatcher;
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
};

// A world of rigid bodies that owns its parts. Objects must be removed before it is destroyed, as with Bullet's own.
class graze_bullet_world : private graze_bullet_parts, public btDiscreteDynamicsWorld {
public:
  explicit graze_bullet_world(const graze_bullet_settings &settings = graze_bullet_settings())
      : graze_bullet_parts(settings), btDiscreteDynamicsWorld(&dispatcher, &broad_phase, &solver, &configuration) {}

  const graze_bullet_report &report() const { return dispatcher.report(); }
  void shape_changed(const btCollisionShape *shape) { dispatcher.shape_changed(shape); }
};

#endif
