// A Bullet world of the demonstration, with Bullet's own collision detection or with graze's.
//
// The same calls build the same bodies in both. With Bullet's detection, moving concave bodies are GImpact meshes, and
// soft bodies collide by vertices and faces (VF_SS) or by clusters (CL_SS), without self-collision.
#ifndef GRAZE_DEMO_WORLD_H
#define GRAZE_DEMO_WORLD_H

#include "bench/bullet/demo_judge.h"
#include "bench/bullet/demo_mesh.h"

#include <graze_bullet_soft.h>

#include <map>
#include <memory>
#include <vector>

enum class demo_detection { graze, bullet, bullet_clusters };
const char *name_of(demo_detection detection);

// The parameters of a soft body.
struct demo_material {
  double mass = 1;
  double stiffness = 0.6;      // of links, at most 1
  double shape_matching = 0;   // strength of the return to the initial shape, at most 1
  bool self_collision = false; // with graze
};

// Times of a step in milliseconds, and its results.
struct demo_step {
  double step_ms = 0;    // total, without the judge
  double detect_ms = 0;  // of these, detection: copies, search and contacts
  double copy_ms = 0;    // of these, copies; only graze
  double contact_ms = 0; // of these, contacts from pairs; only graze
  bool judged = false;
  size_t met = 0;      // pairs of bodies that intersected when contacts were searched
  size_t missed = 0;   // of these, pairs without a contact in Bullet's lists, which lack graze's edge contacts
  size_t crossing = 0; // pairs of triangles that intersect after the step
  bool exploded = false;
};

class demo_world {
public:
  explicit demo_world(demo_detection detection);
  ~demo_world();
  demo_world(const demo_world &) = delete;
  demo_world &operator=(const demo_world &) = delete;

  // Keeps a mesh for the lifetime of the world.
  const demo_mesh &keep(demo_mesh surface);
  // Bodies of one mesh share a shape: the mesh must outlive the world. A mass of 0 makes a body static.
  btRigidBody *add_rigid(const demo_mesh &surface, double mass, const btTransform &place);
  void add_static_box(double x, double y, double z, const btVector3 &middle);
  // Copies the positions and transforms them by `place`.
  btSoftBody *add_soft(const demo_mesh &surface, const demo_material &material, const btTransform &place);

  // Judging takes longer than most steps; times exclude it.
  demo_step step(bool judge);

  // Writes each body as an object to a file; nothing if they are no longer finite. Throws std::runtime_error.
  void write_frame(const std::string &path) const;

  size_t triangle_count() const;
  size_t body_count() const { return bodies_.size(); }
  double margin = 0.02;         // of shapes that are created later
  double time_step = 1.0 / 240; // movement per step must be less than the margin

private:
  struct shape_of_mesh;
  struct parts;
  struct body {
    const demo_mesh *mesh;
    std::unique_ptr<demo_mesh> own_mesh; // of boxes, and of soft bodies
    btCollisionObject *object;
    uint32_t judged; // its number with the judge
  };

  void note_rigid(const demo_mesh &surface, btRigidBody *made);
  void judge_places();
  double energy() const;
  std::vector<std::pair<uint32_t, uint32_t>> contacts() const;

  demo_detection detection_;
  std::unique_ptr<parts> parts_;
  std::unique_ptr<btSoftRigidDynamicsWorld> world_;
  demo_judge judge_;
  std::vector<std::unique_ptr<demo_mesh>> kept_;
  std::map<std::pair<const demo_mesh *, bool>, std::unique_ptr<shape_of_mesh>> shapes_; // true: GImpact
  std::vector<std::unique_ptr<btCollisionShape>> boxes_;
  std::vector<body> bodies_;
  std::vector<std::pair<uint32_t, uint32_t>> meeting_;
  bool judging_ = false;
  double detect_ms_ = 0, judge_ms_ = 0;
  double first_energy_ = 0, fall_energy_ = 0;
  bool begun_ = false;

  friend struct detection_watch;
};

#endif
