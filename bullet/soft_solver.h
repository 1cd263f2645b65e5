// Bullet's soft body solver with contacts by graze: soft against soft, against meshes, and within a body.
//
// Bullet's broad phase and dispatcher determine which bodies may meet, and record the pairs here. Contacts are found
// when the constraints are solved, at the predicted positions of nodes and the new poses of rigid bodies, by one update
// and one query. Node contacts are added to Bullet's own lists; this solver adds edges and corners of rigid meshes.
#ifndef GRAZE_BULLET_SOFT_SOLVER_H
#define GRAZE_BULLET_SOFT_SOLVER_H

#include "detector.h"
#include "graze_bullet_soft.h"
#include "soft_features.h"

#include <BulletCollision/CollisionDispatch/btCollisionCreateFunc.h>
#include <BulletSoftBody/btDefaultSoftBodySolver.h>
#include <BulletSoftBody/btSoftBody.h>
#include <set>

namespace graze_bullet {

class soft_solver final : public btDefaultSoftBodySolver {
public:
  soft_solver(graze_bullet_dispatcher &dispatcher, detector &detection, const graze_bullet_settings &settings);
  ~soft_solver() override;

  void predictMotion(btScalar time) override;
  void processCollision(btSoftBody *body, const btCollisionObjectWrapper *other) override;
  void processCollision(btSoftBody *a, btSoftBody *b) override;
  void solveConstraints(btScalar time) override;

  // Records that a soft body and a mesh may meet in this step.
  void note_mesh(btSoftBody &body, const btCollisionObject &mesh);

  graze_bullet_soft_report report;

private:
  struct soft_object {
    btSoftBody *body = nullptr;
    graze_object placed = {0, 0}; // an id of zeros: refused
    std::vector<std::array<uint32_t, 3>> triangles;
    bool self = false, refused = false, seen = false;
  };
  struct rigid_object {
    const btCollisionObject *object = nullptr;
    graze_object placed = {0, 0};
    std::shared_ptr<shared_shape> shared;
    graze_pose pose, before;
    bool seen = false;
  };
  struct own_constraint {
    soft_contact contact;
    double friction;
  };

  void take_soft(btSoftBody &body);
  void place_soft(soft_object &taken);
  void take_rigid(const btCollisionObject &object, double time);
  void remove_unseen();
  bool update_scene(double time);
  void note_partners();
  bool find_pairs();
  void make_contacts();

  // Numbers of bodies: soft ones first, then rigid ones.
  bool is_soft(uint32_t number) const { return number < softs_.size(); }
  const rigid_object &rigid(uint32_t number) const { return rigids_[number - softs_.size()]; }
  double margin_of(uint32_t number) const;
  double friction_of(uint32_t number) const;
  moving_triangle triangle_of(uint32_t number, uint32_t triangle) const;
  void add_contact(const soft_contact &contact);
  bool add_node_and_face(const soft_contact &contact);
  bool add_node_and_mesh(const soft_contact &contact);
  void solve(const own_constraint &constraint, double time);
  bool failed(graze_result result) const;

  detector &detection_;
  graze_scene *scene_ = nullptr;
  std::vector<soft_object> softs_;
  std::vector<rigid_object> rigids_;
  std::vector<uint32_t> number_of_object_; // by the number of the object in the scene
  std::vector<std::pair<btSoftBody *, const btCollisionObject *>> noted_;
  std::set<std::pair<uint32_t, uint32_t>> may_meet_;
  graze_query query_;
  graze_pairs pairs_ = {};
  std::vector<soft_contact> found_; // of one pair of triangles
  contact_set contacts_;
  std::vector<own_constraint> constraints_;
  std::unique_ptr<btCollisionAlgorithmCreateFunc> mesh_function_;
};

} // namespace graze_bullet

#endif
