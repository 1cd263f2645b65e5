// Bullet's soft body solver with contacts by graze: the scene of a step, the contacts of its pairs, and their
// constraints.
#include "soft_solver.h"

#include "dispatcher_tables.h"

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletSoftBody/btSoftBodyInternals.h>
#include <algorithm>
#include <chrono>

namespace graze_bullet {
namespace {

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Records a soft body and a mesh in the solver of the soft body.
class mesh_algorithm final : public btCollisionAlgorithm {
public:
  explicit mesh_algorithm(const btCollisionAlgorithmConstructionInfo &info) : btCollisionAlgorithm(info) {}
  void processCollision(const btCollisionObjectWrapper *wrap_0, const btCollisionObjectWrapper *wrap_1,
                        const btDispatcherInfo &, btManifoldResult *) override {
    const bool soft_first = wrap_0->getCollisionShape()->isSoftBody();
    const btCollisionObject *const soft = (soft_first ? wrap_0 : wrap_1)->getCollisionObject();
    auto *const body = const_cast<btSoftBody *>(btSoftBody::upcast(soft));
    if (auto *const solver = dynamic_cast<soft_solver *>(body->getSoftBodySolver()))
      solver->note_mesh(*body, *(soft_first ? wrap_1 : wrap_0)->getCollisionObject());
  }
  btScalar calculateTimeOfImpact(btCollisionObject *, btCollisionObject *, const btDispatcherInfo &,
                                 btManifoldResult *) override {
    return 1;
  }
  void getAllContactManifolds(btManifoldArray &) override {}
};

// Soft bodies and whole concave shapes are recorded. Bullet handles everything else: convex shapes, and children of
// compounds, which Bullet separates.
class mesh_function final : public btCollisionAlgorithmCreateFunc {
public:
  explicit mesh_function(const create_table &before) : before_(before) {}

  btCollisionAlgorithm *CreateCollisionAlgorithm(btCollisionAlgorithmConstructionInfo &info,
                                                 const btCollisionObjectWrapper *wrap_0,
                                                 const btCollisionObjectWrapper *wrap_1) override {
    const btCollisionObjectWrapper &other = wrap_0->getCollisionShape()->isSoftBody() ? *wrap_1 : *wrap_0;
    const btCollisionShape &shape = *other.getCollisionShape();
    if (other.getCollisionObject()->getCollisionShape() == &shape && is_concave(shape) && has_surface(shape))
      return new (btAlignedAlloc(sizeof(mesh_algorithm), 16)) mesh_algorithm(info);
    const size_t type_0 = size_t(wrap_0->getCollisionShape()->getShapeType());
    const size_t type_1 = size_t(wrap_1->getCollisionShape()->getShapeType());
    return before_[type_0][type_1]->CreateCollisionAlgorithm(info, wrap_0, wrap_1);
  }

private:
  const create_table before_;
};

// Faces, or links as triangles whose last two corners are one.
std::vector<std::array<uint32_t, 3>> triangles_of(const btSoftBody &body) {
  std::vector<std::array<uint32_t, 3>> made;
  const auto number = [&](const btSoftBody::Node *node) { return uint32_t(node - &body.m_nodes[0]); };
  for (int i = 0; i < body.m_faces.size(); i++) {
    const btSoftBody::Face &face = body.m_faces[i];
    made.push_back({number(face.m_n[0]), number(face.m_n[1]), number(face.m_n[2])});
  }
  for (int i = 0; i < body.m_links.size() && body.m_faces.size() == 0; i++) {
    const btSoftBody::Link &link = body.m_links[i];
    made.push_back({number(link.m_n[0]), number(link.m_n[1]), number(link.m_n[1])});
  }
  return made;
}

double margin_of_body(const btSoftBody &body) {
  return double(body.getCollisionShape()->getMargin());
}

} // namespace

soft_solver::soft_solver(graze_bullet_dispatcher &dispatcher, detector &detection,
                         const graze_bullet_settings &settings)
    : detection_(detection), mesh_function_(std::make_unique<mesh_function>(dispatcher_tables::contacts(dispatcher))) {
  graze_backend_def backend = graze_backend_def_default();
  backend.name = settings.backend;
  graze_scene_def def = graze_scene_def_default();
  def.workers = detection.workers(), def.backend = &backend;
  if (failed(graze_scene_create(&def, &scene_))) return; // Bullet alone decides soft bodies.
  for (const int type :
       {TRIANGLE_MESH_SHAPE_PROXYTYPE, SCALED_TRIANGLE_MESH_SHAPE_PROXYTYPE, MULTIMATERIAL_TRIANGLE_MESH_PROXYTYPE,
        TERRAIN_SHAPE_PROXYTYPE, GIMPACT_SHAPE_PROXYTYPE, COMPOUND_SHAPE_PROXYTYPE}) {
    dispatcher.registerCollisionCreateFunc(SOFTBODY_SHAPE_PROXYTYPE, type, mesh_function_.get());
    dispatcher.registerCollisionCreateFunc(type, SOFTBODY_SHAPE_PROXYTYPE, mesh_function_.get());
  }
}

soft_solver::~soft_solver() {
  graze_pairs_free(&pairs_);
  graze_scene_destroy(scene_);
}

bool soft_solver::failed(graze_result result) const {
  if (result != GRAZE_OK) detection_.say("graze, soft bodies: %s", graze_error_text());
  return result != GRAZE_OK;
}

void soft_solver::predictMotion(btScalar time) {
  noted_.clear();
  btDefaultSoftBodySolver::predictMotion(time);
}

void soft_solver::processCollision(btSoftBody *body, const btCollisionObjectWrapper *other) {
  btDefaultSoftBodySolver::processCollision(body, other);
}

void soft_solver::processCollision(btSoftBody *a, btSoftBody *b) {
  if (!scene_)
    btDefaultSoftBodySolver::processCollision(a, b);
  else if (a != b)
    noted_.emplace_back(a, b);
}

void soft_solver::note_mesh(btSoftBody &body, const btCollisionObject &mesh) {
  noted_.emplace_back(&body, &mesh);
}

// ------------------------------------------------------------------------------------------------ the scene

// A body that tears, or that another one replaces at its address, is read again.
void soft_solver::take_soft(btSoftBody &body) {
  auto found = std::find_if(softs_.begin(), softs_.end(), [&](const soft_object &s) { return s.body == &body; });
  if (found == softs_.end()) found = softs_.insert(softs_.end(), soft_object());
  soft_object &taken = *found;
  std::vector<std::array<uint32_t, 3>> triangles = triangles_of(body);
  const bool same = taken.body == &body && taken.triangles == triangles && taken.self == body.useSelfCollision();
  if (taken.body == &body && taken.triangles != triangles)
    detection_.say(
        "collision object %d: the soft body has torn or changed: it had %zu triangles or links, and has %zu; "
        "it is reloaded",
        body.getWorldArrayIndex(), taken.triangles.size(), triangles.size());
  taken.body = &body, taken.seen = true, taken.self = body.useSelfCollision();
  taken.triangles.swap(triangles);
  if (!same && taken.placed.generation != 0) {
    failed(graze_scene_remove_object(scene_, taken.placed));
    taken.placed = {0, 0};
  }
  if (body.m_nodes.size() > 0) place_soft(taken);
}

void soft_solver::place_soft(soft_object &taken) {
  const graze_view positions = {&taken.body->m_nodes[0].m_x, size_t(taken.body->m_nodes.size()),
                                ptrdiff_t(sizeof(btSoftBody::Node)),
                                sizeof(btScalar) == sizeof(float) ? GRAZE_FORMAT_FLOAT3 : GRAZE_FORMAT_DOUBLE3};
  graze_result result;
  if (taken.placed.generation == 0) {
    graze_mesh_def def = graze_mesh_def_default();
    graze_object_def placed = graze_object_def_default();
    def.positions = positions, placed.self = taken.self;
    def.triangles = {taken.triangles.data(), taken.triangles.size(), 0, GRAZE_FORMAT_UINT32_3};
    result = graze_scene_add(scene_, GRAZE_KIND_TRIANGLE, &def, &placed, &taken.placed);
  } else {
    result = graze_object_set_positions(scene_, taken.placed, 0, positions);
  }
  // One message each time that a body becomes invalid; it is not in the scene until it is valid again.
  if (result != GRAZE_OK && !taken.refused)
    detection_.say("collision object %d: the soft body has no contacts from graze: %s",
                   taken.body->getWorldArrayIndex(), graze_error_text());
  if (result != GRAZE_OK && taken.placed.generation != 0) {
    graze_scene_remove_object(scene_, taken.placed);
    taken.placed = {0, 0};
  }
  taken.refused = result != GRAZE_OK;
}

void soft_solver::take_rigid(const btCollisionObject &object, double time) {
  auto found = std::find_if(rigids_.begin(), rigids_.end(), [&](const rigid_object &r) { return r.object == &object; });
  if (found == rigids_.end()) found = rigids_.insert(rigids_.end(), rigid_object());
  rigid_object &taken = *found;
  if (taken.seen) return;
  const std::shared_ptr<shared_shape> shared = detection_.shape_of(object);
  if (taken.object != &object || taken.shared != shared) {
    if (taken.placed.generation != 0) failed(graze_scene_remove_object(scene_, taken.placed));
    taken.placed = {0, 0}, taken.object = &object, taken.shared = shared;
  }
  taken.seen = true;
  if (!shared->shape || !make_pose(object.getWorldTransform(), taken.pose)) return;
  // The pose of the body when the step began, relative to the nodes: both have moved.
  btTransform before;
  btTransformUtil::integrateTransform(object.getWorldTransform(), object.getInterpolationLinearVelocity(),
                                      object.getInterpolationAngularVelocity(), btScalar(-time), before);
  if (object.isStaticObject() || !make_pose(before, taken.before)) taken.before = taken.pose;
  if (taken.placed.generation == 0) {
    graze_object_def def = graze_object_def_default();
    def.self = false;
    if (failed(graze_scene_add_shape(scene_, shared->shape, &def, &taken.placed))) return;
    // Pairs of meshes are not tested here.
    failed(graze_object_set_filter(scene_, taken.placed, 2, 1, false));
  }
  failed(graze_object_set_pose(scene_, taken.placed, &taken.pose));
}

void soft_solver::remove_unseen() {
  const auto remove_from = [&](auto &objects) {
    for (auto &object : objects)
      if (!object.seen && object.placed.generation != 0) failed(graze_scene_remove_object(scene_, object.placed));
    objects.erase(std::remove_if(objects.begin(), objects.end(), [](const auto &object) { return !object.seen; }),
                  objects.end());
  };
  remove_from(softs_);
  remove_from(rigids_);
}

// All soft bodies that may meet another body, and the meshes that they may meet.
bool soft_solver::update_scene(double time) {
  for (soft_object &object : softs_) object.seen = false;
  for (rigid_object &object : rigids_) object.seen = false;
  for (int i = 0; i < m_softBodySet.size(); i++)
    if (m_softBodySet[i]->isActive() || !noted_.empty()) take_soft(*m_softBodySet[i]);
  for (const auto &pair : noted_)
    if (!pair.second->getCollisionShape()->isSoftBody()) take_rigid(*pair.second, time);
  remove_unseen();
  if (failed(graze_scene_update(scene_))) return false;
  number_of_object_.clear();
  const auto number_objects = [&](const auto &objects, size_t first) {
    for (size_t i = 0; i < objects.size(); i++) {
      if (objects[i].placed.generation == 0) continue;
      if (number_of_object_.size() <= objects[i].placed.index) number_of_object_.resize(objects[i].placed.index + 1);
      number_of_object_[objects[i].placed.index] = uint32_t(first + i);
    }
  };
  number_objects(softs_, 0);
  number_objects(rigids_, softs_.size());
  return true;
}

// Sets which bodies may meet, the clearance, and how many rings of a mesh count as neighbors.
void soft_solver::note_partners() {
  may_meet_.clear();
  query_ = graze_query_default();
  query_.scope = GRAZE_SCOPE_BETWEEN;
  const auto number = [&](const btCollisionObject *object) {
    for (uint32_t i = 0; i < softs_.size(); i++)
      if (softs_[i].body == object) return i;
    for (uint32_t i = 0; i < rigids_.size(); i++)
      if (rigids_[i].object == object) return uint32_t(softs_.size()) + i;
    return UINT32_MAX;
  };
  for (const auto &pair : noted_) {
    const uint32_t a = number(pair.first), b = number(pair.second);
    if (a == UINT32_MAX || b == UINT32_MAX) continue;
    may_meet_.insert(std::minmax(a, b));
    query_.clearance = std::max(query_.clearance, margin_of(a) + margin_of(b));
  }
  for (uint32_t i = 0; i < softs_.size(); i++) {
    if (!softs_[i].self) continue;
    query_.scope = GRAZE_SCOPE_BOTH;
    may_meet_.insert({i, i});
    const btSoftBody &body = *softs_[i].body;
    const double margin = margin_of_body(body);
    double length = 0;
    for (int k = 0; k < body.m_links.size(); k++) length += double(body.m_links[k].m_rl);
    query_.clearance = std::max(query_.clearance, margin);
    if (length > 0)
      query_.clearance_rings = std::max(query_.clearance_rings,
                                        size_t(std::min(16.0, std::ceil(margin * body.m_links.size() / length) + 1)));
  }
}

bool soft_solver::find_pairs() {
  return !may_meet_.empty() && !failed(graze_scene_find_pairs(scene_, &query_, &pairs_));
}

// ------------------------------------------------------------------------------------------------ contacts

double soft_solver::margin_of(uint32_t number) const {
  return is_soft(number) ? margin_of_body(*softs_[number].body) : rigid(number).shared->made.greatest_margin;
}

double soft_solver::friction_of(uint32_t number) const {
  return double(is_soft(number) ? softs_[number].body->m_cfg.kDF : rigid(number).object->getFriction());
}

moving_triangle soft_solver::triangle_of(uint32_t number, uint32_t triangle) const {
  moving_triangle made;
  made.object = number, made.triangle = triangle, made.outward = false;
  const std::array<uint32_t, 3> &corners =
      is_soft(number) ? softs_[number].triangles[triangle] : rigid(number).shared->made.triangles[triangle];
  std::copy(corners.begin(), corners.end(), made.vertices);
  made.is_link = corners[1] == corners[2];
  for (int i = 0; i < 3; i++) {
    if (is_soft(number)) {
      const btSoftBody::Node &node = softs_[number].body->m_nodes[int(corners[i])];
      made.now[i] = from_bullet(node.m_x), made.before[i] = from_bullet(node.m_q);
    } else {
      const vector3 &p = rigid(number).shared->made.positions[corners[i]];
      made.now[i] = placed(rigid(number).pose, p), made.before[i] = placed(rigid(number).before, p);
    }
  }
  if (!is_soft(number)) made.outward = rigid(number).shared->made.closed;
  return made;
}

void soft_solver::make_contacts() {
  contacts_.clear(), constraints_.clear();
  for (size_t i = 0; i < pairs_.count; i++) {
    const graze_pair &pair = pairs_.pairs[i];
    const uint32_t a = number_of_object_[pair.object_a], b = number_of_object_[pair.object_b];
    if (may_meet_.count(std::minmax(a, b)) == 0) continue;
    report.pairs++;
    const double margin = a == b ? margin_of(a) : margin_of(a) + margin_of(b);
    found_.clear();
    find_soft_contacts(triangle_of(a, pair.primitive_a), triangle_of(b, pair.primitive_b), margin, found_);
    contacts_.add(found_);
  }
  for (const soft_contact &contact : contacts_.sorted()) add_contact(contact);
}

// Adds the contact to Bullet's list if there is one, otherwise to the constraints here.
void soft_solver::add_contact(const soft_contact &contact) {
  const uint32_t a = contact.sides[0].object, b = contact.sides[1].object;
  const bool node_and_face = contact.sides[0].count == 1 && is_soft(a);
  if (node_and_face && (is_soft(b) ? add_node_and_face(contact) : add_node_and_mesh(contact))) {
    report.node_contacts++;
    return;
  }
  constraints_.push_back({contact, std::min(1.0, std::max(friction_of(a), friction_of(b)))});
  report.edge_contacts++;
}

bool soft_solver::add_node_and_face(const soft_contact &contact) {
  const soft_contact::side &node = contact.sides[0], &face = contact.sides[1];
  btSoftBody &body = *softs_[node.object].body, &other = *softs_[face.object].body;
  btSoftBody::SContact made;
  made.m_node = &body.m_nodes[int(node.vertices[0])], made.m_face = &other.m_faces[int(face.triangle)];
  made.m_weights = btVector3(btScalar(face.weights[0]), btScalar(face.weights[1]), btScalar(face.weights[2]));
  made.m_normal = to_bullet(contact.normal);
  made.m_margin = btScalar(contact.target);
  made.m_friction = std::max(body.m_cfg.kDF, other.m_cfg.kDF);
  const btScalar mass_node = made.m_node->m_im;
  btScalar mass_face = 0;
  for (int i = 0; i < 3; i++) mass_face += made.m_face->m_n[i]->m_im * made.m_weights[i];
  const btScalar both = mass_node + mass_face;
  if (!(both > 0)) return true;
  made.m_cfm[0] = mass_node / both * body.m_cfg.kSHR;
  made.m_cfm[1] = mass_face / both * other.m_cfg.kSHR;
  body.m_scontacts.push_back(made);
  return true;
}

bool soft_solver::add_node_and_mesh(const soft_contact &contact) {
  const soft_contact::side &side = contact.sides[0];
  btSoftBody &body = *softs_[side.object].body;
  btSoftBody::Node &node = body.m_nodes[int(side.vertices[0])];
  const btCollisionObject *const object = rigid(contact.sides[1].object).object;
  const btRigidBody *const moved = btRigidBody::upcast(object);
  const btScalar mass_node = node.m_im, mass_rigid = moved ? moved->getInvMass() : 0;
  if (node.m_battach || !(mass_node + mass_rigid > 0)) return true;
  const btScalar time = body.m_sst.sdt;
  const btVector3 normal = to_bullet(contact.normal), arm = node.m_x - object->getWorldTransform().getOrigin();
  const btMatrix3x3 none(0, 0, 0, 0, 0, 0, 0, 0, 0);
  const btMatrix3x3 &inertia = moved ? moved->getInvInertiaTensorWorld() : none;
  btSoftBody::RContact made;
  made.t1 = made.t2 = btVector3(0, 0, 0); // only for multibodies
  made.m_cti.m_colObj = object, made.m_cti.m_normal = normal;
  // The plane that the node must not pass: the face, raised by the margins.
  made.m_cti.m_offset = btScalar(contact.distance - contact.target) - node.m_x.dot(normal);
  const btVector3 slide =
      (node.m_x - node.m_q) - (moved ? moved->getVelocityInLocalPoint(arm) * time : btVector3(0, 0, 0));
  const btScalar along = slide.dot(normal), friction = body.m_cfg.kDF * object->getFriction();
  made.m_node = &node;
  made.m_c0 = ImpulseMatrix(time, mass_node, mass_rigid, inertia, arm);
  made.m_c1 = arm, made.m_c2 = mass_node * time;
  made.m_c3 = (slide - normal * along).length2() < along * along * friction * friction ? 0 : 1 - friction;
  made.m_c4 = object->isStaticOrKinematicObject() ? body.m_cfg.kKHR : body.m_cfg.kCHR;
  body.m_rcontacts.push_back(made);
  if (moved) const_cast<btRigidBody *>(moved)->activate();
  return true;
}

// ------------------------------------------------------------------------------------------------ solving

// Moves both sides apart to the margin, weighted by their masses, and applies friction.
void soft_solver::solve(const own_constraint &constraint, double time) {
  struct moved_side {
    btSoftBody *soft = nullptr;
    btRigidBody *rigid = nullptr;
    vector3 at, step; // the position of the point, and its movement in this step
    btVector3 arm;
    double mass = 0; // inverse, along the normal
  } sides[2];
  const vector3 &normal = constraint.contact.normal;
  for (int k = 0; k < 2; k++) {
    const soft_contact::side &given = constraint.contact.sides[k];
    moved_side &side = sides[k];
    if (is_soft(given.object)) {
      side.soft = softs_[given.object].body;
      for (uint32_t i = 0; i < given.count; i++) {
        const btSoftBody::Node &node = side.soft->m_nodes[int(given.vertices[i])];
        side.at = side.at + given.weights[i] * from_bullet(node.m_x);
        side.step = side.step + given.weights[i] * from_bullet(node.m_x - node.m_q);
        side.mass += given.weights[i] * given.weights[i] * double(node.m_im);
      }
    } else {
      const rigid_object &object = rigid(given.object);
      for (uint32_t i = 0; i < given.count; i++)
        side.at = side.at + given.weights[i] * placed(object.pose, object.shared->made.positions[given.vertices[i]]);
      side.rigid = const_cast<btRigidBody *>(btRigidBody::upcast(object.object));
      side.arm = to_bullet(side.at) - object.object->getWorldTransform().getOrigin();
      if (side.rigid && !side.rigid->isStaticOrKinematicObject()) {
        side.step = time * from_bullet(side.rigid->getVelocityInLocalPoint(side.arm));
        side.mass = double(side.rigid->computeImpulseDenominator(to_bullet(side.at), to_bullet(normal)));
      }
    }
  }
  const double mass = sides[0].mass + sides[1].mass;
  const double missing = constraint.contact.target - dot(normal, sides[0].at - sides[1].at);
  const vector3 step = sides[0].step - sides[1].step;
  // Points that already separate are not changed.
  if (!(mass > 0) || missing <= 0 || dot(step, normal) > missing) return;
  const vector3 slide = step - dot(step, normal) * normal;
  const vector3 push = (1 / mass) * (missing * normal - constraint.friction * slide);
  for (int k = 0; k < 2; k++) {
    const soft_contact::side &given = constraint.contact.sides[k];
    const vector3 own = k == 0 ? push : -1 * push;
    if (sides[k].soft) {
      for (uint32_t i = 0; i < given.count; i++) {
        btSoftBody::Node &node = sides[k].soft->m_nodes[int(given.vertices[i])];
        const btVector3 moved = to_bullet(given.weights[i] * double(node.m_im) * own);
        node.m_x += moved;
        node.m_v += moved * sides[k].soft->m_sst.isdt;
      }
    } else if (sides[k].mass > 0) {
      sides[k].rigid->activate();
      sides[k].rigid->applyImpulse(to_bullet((1 / time) * own), sides[k].arm);
    }
  }
}

void soft_solver::solveConstraints(btScalar time) {
  report = graze_bullet_soft_report();
  if (!scene_) return btDefaultSoftBodySolver::solveConstraints(time);
  const double began = now_ms();
  constraints_.clear();
  const bool updated = update_scene(double(time));
  note_partners();
  const double copied = now_ms();
  const bool found = updated && find_pairs();
  const double detected = now_ms();
  if (found) make_contacts();
  const double made = now_ms();
  btDefaultSoftBodySolver::solveConstraints(time);
  const int rounds = 4;
  for (int i = 0; i < rounds; i++)
    for (const own_constraint &constraint : constraints_) solve(constraint, double(time));
  report.copy_ms = copied - began, report.detect_ms = detected - copied, report.contact_ms = made - detected;
  report.solve_ms = now_ms() - made;
}

} // namespace graze_bullet

std::unique_ptr<btSoftBodySolver> graze_bullet_make_soft_solver(graze_bullet_dispatcher &dispatcher,
                                                                const graze_bullet_settings &settings) {
  return std::make_unique<graze_bullet::soft_solver>(dispatcher, dispatcher.detection(), settings);
}

const graze_bullet_soft_report &graze_bullet_soft_report_of(const btSoftBodySolver &solver) {
  return static_cast<const graze_bullet::soft_solver &>(solver).report;
}
