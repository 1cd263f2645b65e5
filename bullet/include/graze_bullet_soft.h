// graze_bullet for soft bodies: soft against soft, soft against meshes, and each soft body against itself.
//
//     graze_bullet_soft_world world;            // replaces btSoftRigidDynamicsWorld and its parts
//     world.addSoftBody(cloth);
//     cloth->setSelfCollision(true);            // for contacts of a body with itself
//
// Soft bodies have contacts where triangles are within the margins of both bodies (getCollisionShape()->getMargin()). A
// node near a face becomes a contact of Bullet, in m_scontacts or m_rcontacts; two edges, and a corner of a mesh near a
// soft face, become constraints of this solver. The flags of btSoftBody::Config::collisions apply to the pairs that
// Bullet handles: soft bodies against convex shapes. There is no continuous detection: a node that moves farther than
// the margin in a step may pass through.
#ifndef GRAZE_BULLET_SOFT_H
#define GRAZE_BULLET_SOFT_H

#include "graze_bullet.h"

#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftBodySolvers.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>

// Costs of the last step of the soft bodies.
struct graze_bullet_soft_report {
  double copy_ms = 0;    // copying positions to the scene, and updating it
  double detect_ms = 0;  // pairs of triangles
  double contact_ms = 0; // contacts from pairs
  double solve_ms = 0;   // Bullet's constraints and those of edges
  size_t pairs = 0;      // of triangles within the margins
  size_t node_contacts = 0, edge_contacts = 0;
};

// Creates the solver of such worlds, for worlds with other parts: pass it to a btSoftRigidDynamicsWorld with this
// dispatcher. The dispatcher must outlive it.
std::unique_ptr<btSoftBodySolver> graze_bullet_make_soft_solver(graze_bullet_dispatcher &dispatcher,
                                                                const graze_bullet_settings &settings);
const graze_bullet_soft_report &graze_bullet_soft_report_of(const btSoftBodySolver &solver);

struct graze_bullet_soft_parts {
  explicit graze_bullet_soft_parts(const graze_bullet_settings &settings)
      : dispatcher(&configuration, settings), soft_solver(graze_bullet_make_soft_solver(dispatcher, settings)) {}
  btSoftBodyRigidBodyCollisionConfiguration configuration;
  graze_bullet_dispatcher dispatcher;
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  std::unique_ptr<btSoftBodySolver> soft_solver;
};

// A world of rigid and soft bodies that owns its parts.
class graze_bullet_soft_world : private graze_bullet_soft_parts, public btSoftRigidDynamicsWorld {
public:
  explicit graze_bullet_soft_world(const graze_bullet_settings &settings = graze_bullet_settings())
      : graze_bullet_soft_parts(settings),
        btSoftRigidDynamicsWorld(&dispatcher, &broad_phase, &solver, &configuration, soft_solver.get()) {}

  const graze_bullet_report &report() const { return dispatcher.report(); }
  const graze_bullet_soft_report &soft_report() const { return graze_bullet_soft_report_of(*soft_solver); }
  void shape_changed(const btCollisionShape *shape) { dispatcher.shape_changed(shape); }
};

#endif
