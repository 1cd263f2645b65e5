// Implements a Bullet world of the demonstration; see demo_world.h.
#include "bench/bullet/demo_world.h"

extern "C" {
#include "mesh_io/mesh_file.h"
}

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <BulletSoftBody/btDefaultSoftBodySolver.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <stdexcept>

namespace {

const double gravity = 10;
const int cluster_faces = 20; // faces of a soft body per cluster

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

demo_point point_of(const btVector3 &v) {
  return {double(v.x()), double(v.y()), double(v.z())};
}

// Single-precision columns are not orthonormal enough for graze.
graze_pose pose_of(const btTransform &place) {
  const btMatrix3x3 &basis = place.getBasis();
  double x[3], y[3];
  for (int i = 0; i < 3; i++) x[i] = double(basis[i][0]), y[i] = double(basis[i][1]);
  const auto normalize = [](double *v) {
    const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) v[i] /= length;
  };
  normalize(x);
  const double along = x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  for (int i = 0; i < 3; i++) y[i] -= along * x[i];
  normalize(y);
  graze_pose pose = {{x[0], y[0], x[1] * y[2] - x[2] * y[1], x[1], y[1], x[2] * y[0] - x[0] * y[2], x[2], y[2],
                      x[0] * y[1] - x[1] * y[0]},
                     {0, 0, 0}};
  for (int i = 0; i < 3; i++) pose.translation[i] = double(place.getOrigin()[i]);
  return pose;
}

} // namespace

const char *name_of(demo_detection detection) {
  switch (detection) {
  case demo_detection::graze:
    return "graze";
  case demo_detection::bullet:
    return "bullet";
  case demo_detection::bullet_clusters:
    return "clusters";
  }
  return "";
}

// Bullet's arrays point into `positions` and `triangles`.
struct demo_world::shape_of_mesh {
  shape_of_mesh(const demo_mesh &given, bool gimpact, double margin) {
    for (const demo_point &p : given.positions)
      for (const double value : p) positions.push_back(btScalar(value));
    for (const auto &t : given.triangles)
      for (const uint32_t corner : t) triangles.push_back(int(corner));
    arrays = std::make_unique<btTriangleIndexVertexArray>(int(given.triangles.size()), triangles.data(),
                                                          int(3 * sizeof(int)), int(given.positions.size()),
                                                          positions.data(), int(3 * sizeof(btScalar)));
    if (gimpact) {
      auto made = std::make_unique<btGImpactMeshShape>(arrays.get());
      made->setMargin(btScalar(margin));
      made->updateBound();
      shape = std::move(made);
    } else {
      shape = std::make_unique<btBvhTriangleMeshShape>(arrays.get(), true);
      shape->setMargin(btScalar(margin));
    }
  }
  std::vector<btScalar> positions;
  std::vector<int> triangles;
  std::unique_ptr<btTriangleIndexVertexArray> arrays;
  std::unique_ptr<btCollisionShape> shape;
};

// Measures the detection of the two worlds below, and calls the judge just before it.
struct detection_watch {
  demo_world *owner;
  template <class detection> void watch(detection run) {
    const double began = now_ms();
    if (owner->judging_) {
      owner->judge_places();
      owner->meeting_ = owner->judge_.intersecting_bodies();
    }
    const double judged = now_ms();
    run();
    owner->judge_ms_ += judged - began;
    owner->detect_ms_ += now_ms() - judged;
  }
  template <class detection> void watch_part(detection run) {
    const double began = now_ms();
    run();
    owner->detect_ms_ += now_ms() - began;
  }
};

namespace {

class watched_graze_world final : public graze_bullet_soft_world {
public:
  explicit watched_graze_world(detection_watch watch) : watch_(watch) {}
  void performDiscreteCollisionDetection() override {
    watch_.watch([&] { graze_bullet_soft_world::performDiscreteCollisionDetection(); });
  }

private:
  detection_watch watch_;
};

class watched_bullet_world final : public btSoftRigidDynamicsWorld {
public:
  watched_bullet_world(detection_watch watch, btDispatcher *dispatcher, btBroadphaseInterface *broad_phase,
                       btConstraintSolver *solver, btCollisionConfiguration *configuration, btSoftBodySolver *soft)
      : btSoftRigidDynamicsWorld(dispatcher, broad_phase, solver, configuration, soft), watch_(watch), soft_(soft) {}
  void performDiscreteCollisionDetection() override {
    watch_.watch([&] { btSoftRigidDynamicsWorld::performDiscreteCollisionDetection(); });
  }

protected:
  // Bullet's steps, with detection within bodies measured.
  void internalSingleStepSimulation(btScalar time) override {
    soft_->optimize(getSoftBodyArray());
    btDiscreteDynamicsWorld::internalSingleStepSimulation(time);
    solveSoftBodiesConstraints(time);
    watch_.watch_part([&] {
      for (int i = 0; i < getSoftBodyArray().size(); i++)
        getSoftBodyArray()[i]->defaultCollisionHandler(getSoftBodyArray()[i]);
    });
    soft_->updateSoftBodies();
  }

private:
  detection_watch watch_;
  btSoftBodySolver *soft_;
};

} // namespace

struct demo_world::parts {
  parts() : dispatcher(&configuration) { btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher); }
  btSoftBodyRigidBodyCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher;
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDefaultSoftBodySolver soft_solver;
};

demo_world::demo_world(demo_detection detection) : detection_(detection) {
  if (detection == demo_detection::graze) {
    world_ = std::make_unique<watched_graze_world>(detection_watch{this});
  } else {
    parts_ = std::make_unique<parts>();
    world_ = std::make_unique<watched_bullet_world>(detection_watch{this}, &parts_->dispatcher, &parts_->broad_phase,
                                                    &parts_->solver, &parts_->configuration, &parts_->soft_solver);
  }
  world_->setGravity(btVector3(0, btScalar(-gravity), 0));
  world_->getWorldInfo().m_gravity = btVector3(0, btScalar(-gravity), 0);
  world_->getWorldInfo().air_density = 0;
  world_->getWorldInfo().m_sparsesdf.Initialize();
}

demo_world::~demo_world() {
  for (body &b : bodies_) {
    if (btSoftBody *const soft = btSoftBody::upcast(b.object)) {
      world_->removeSoftBody(soft);
      delete soft;
    } else {
      world_->removeRigidBody(btRigidBody::upcast(b.object));
      delete b.object;
    }
  }
  world_.reset();
}

const demo_mesh &demo_world::keep(demo_mesh surface) {
  kept_.push_back(std::make_unique<demo_mesh>(std::move(surface)));
  return *kept_.back();
}

void demo_world::note_rigid(const demo_mesh &surface, btRigidBody *made) {
  world_->addRigidBody(made);
  bodies_.push_back({&surface, nullptr, made, judge_.add_rigid(surface)});
  if (made->isStaticObject()) judge_.set_fixed(bodies_.back().judged);
}

btRigidBody *demo_world::add_rigid(const demo_mesh &surface, double mass, const btTransform &place) {
  const bool gimpact = detection_ != demo_detection::graze && mass > 0;
  std::unique_ptr<shape_of_mesh> &made = shapes_[{&surface, gimpact}];
  if (!made) made = std::make_unique<shape_of_mesh>(surface, gimpact, margin);
  btVector3 lower, upper, inertia(0, 0, 0);
  made->shape->getAabb(btTransform::getIdentity(), lower, upper);
  if (mass > 0) btBoxShape((upper - lower) / 2).calculateLocalInertia(btScalar(mass), inertia);
  btRigidBody::btRigidBodyConstructionInfo info(btScalar(mass), nullptr, made->shape.get(), inertia);
  info.m_startWorldTransform = place;
  auto *const added = new btRigidBody(info);
  note_rigid(surface, added);
  return added;
}

void demo_world::add_static_box(double x, double y, double z, const btVector3 &middle) {
  boxes_.push_back(std::make_unique<btBoxShape>(btVector3(btScalar(x), btScalar(y), btScalar(z))));
  btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, boxes_.back().get());
  info.m_startWorldTransform.setOrigin(middle);
  auto box = std::make_unique<demo_mesh>(make_box(x, y, z));
  note_rigid(*box, new btRigidBody(info));
  bodies_.back().own_mesh = std::move(box);
}

btSoftBody *demo_world::add_soft(const demo_mesh &surface, const demo_material &material, const btTransform &place) {
  auto own = std::make_unique<demo_mesh>(surface);
  btAlignedObjectArray<btVector3> positions;
  for (demo_point &p : own->positions) {
    positions.push_back(place * btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])));
    p = point_of(positions[positions.size() - 1]);
  }
  auto *const soft = new btSoftBody(&world_->getWorldInfo(), positions.size(), &positions[0], nullptr);
  std::set<std::pair<int, int>> links;
  for (const auto &t : surface.triangles) {
    for (size_t i = 0; i < (surface.is_net ? 1 : 3); i++) {
      const std::pair<int, int> link = std::minmax(int(t[i]), int(t[(i + 1) % 3]));
      if (links.insert(link).second) soft->appendLink(link.first, link.second);
    }
    if (!surface.is_net) soft->appendFace(int(t[0]), int(t[1]), int(t[2]));
  }
  soft->m_materials[0]->m_kLST = btScalar(material.stiffness);
  if (material.shape_matching > 0) soft->generateBendingConstraints(2);
  soft->setTotalMass(btScalar(material.mass), false);
  soft->m_cfg.piterations = 4;
  soft->m_cfg.kDF = btScalar(0.3);
  soft->m_cfg.kDP = btScalar(0.005);
  soft->getCollisionShape()->setMargin(btScalar(margin));
  if (material.shape_matching > 0) {
    soft->m_cfg.kMT = btScalar(material.shape_matching);
    soft->setPose(false, true);
  }
  const bool clusters = detection_ == demo_detection::bullet_clusters;
  soft->m_cfg.collisions = btSoftBody::fCollision::SDF_RS;
  if (detection_ == demo_detection::graze) soft->setSelfCollision(material.self_collision);
  if (detection_ == demo_detection::bullet) soft->m_cfg.collisions |= btSoftBody::fCollision::VF_SS;
  if (clusters) {
    // Without CL_SELF: in Bullet 3.24 this flag is part of SVSmask, and a body with both collides with nothing.
    soft->m_cfg.collisions |= btSoftBody::fCollision::CL_SS;
    soft->generateClusters(std::max(1, int(surface.triangles.size()) / cluster_faces));
  }
  world_->addSoftBody(soft);
  const uint32_t judged = judge_.add_soft(*own);
  bodies_.push_back({own.get(), std::move(own), soft, judged});
  return soft;
}

size_t demo_world::triangle_count() const {
  size_t count = 0;
  for (const body &b : bodies_) count += b.mesh->triangles.size();
  return count;
}

void demo_world::judge_places() {
  for (const body &b : bodies_) {
    if (const btSoftBody *const soft = btSoftBody::upcast(b.object)) {
      std::vector<demo_point> positions;
      for (int i = 0; i < soft->m_nodes.size(); i++) positions.push_back(point_of(soft->m_nodes[i].m_x));
      judge_.place_soft(b.judged, positions);
    } else {
      judge_.place_rigid(b.judged, pose_of(b.object->getWorldTransform()));
    }
  }
}

// Kinetic and potential energy. The energy of links is ignored: it is zero at the beginning.
double demo_world::energy() const {
  double sum = 0;
  for (const body &b : bodies_) {
    if (const btSoftBody *const soft = btSoftBody::upcast(b.object)) {
      for (int i = 0; i < soft->m_nodes.size(); i++) {
        const btSoftBody::Node &node = soft->m_nodes[i];
        if (node.m_im > 0)
          sum += (0.5 * double(node.m_v.length2()) + gravity * double(node.m_x.y())) / double(node.m_im);
      }
    } else if (const btRigidBody *const rigid = btRigidBody::upcast(b.object); !rigid->isStaticObject()) {
      const btVector3 spin = rigid->getWorldTransform().getBasis().transpose() * rigid->getAngularVelocity();
      sum += 0.5 * double((spin * spin).dot(rigid->getLocalInertia())) +
             (0.5 * double(rigid->getLinearVelocity().length2()) +
              gravity * double(rigid->getWorldTransform().getOrigin().y())) *
                 double(rigid->getMass());
    }
  }
  return sum;
}

// Sorted pairs of bodies for which Bullet's solvers have a contact.
std::vector<std::pair<uint32_t, uint32_t>> demo_world::contacts() const {
  std::map<const btCollisionObject *, uint32_t> numbers;
  std::vector<std::pair<const btSoftBody::Node *, uint32_t>> nodes; // the first of each body
  for (const body &b : bodies_) {
    numbers[b.object] = b.judged;
    const btSoftBody *const soft = btSoftBody::upcast(b.object);
    if (soft && soft->m_nodes.size() > 0) nodes.emplace_back(&soft->m_nodes[0], b.judged);
  }
  std::sort(nodes.begin(), nodes.end());
  const auto body_of = [&](const btSoftBody::Node *node) {
    return (std::upper_bound(nodes.begin(), nodes.end(), std::make_pair(node, UINT32_MAX)) - 1)->second;
  };
  std::vector<std::pair<uint32_t, uint32_t>> found;
  const btDispatcher *const dispatcher = world_->getDispatcher();
  for (int i = 0; i < dispatcher->getNumManifolds(); i++) {
    const btPersistentManifold *const manifold = const_cast<btDispatcher *>(dispatcher)->getManifoldByIndexInternal(i);
    if (manifold->getNumContacts() > 0)
      found.push_back(std::minmax(numbers.at(manifold->getBody0()), numbers.at(manifold->getBody1())));
  }
  for (const body &b : bodies_) {
    const btSoftBody *const soft = btSoftBody::upcast(b.object);
    if (!soft) continue;
    for (int i = 0; i < soft->m_rcontacts.size(); i++)
      found.push_back(std::minmax(b.judged, numbers.at(soft->m_rcontacts[i].m_cti.m_colObj)));
    for (int i = 0; i < soft->m_scontacts.size(); i++)
      found.push_back(std::minmax(body_of(soft->m_scontacts[i].m_node), body_of(soft->m_scontacts[i].m_face->m_n[0])));
  }
  std::sort(found.begin(), found.end());
  return found;
}

demo_step demo_world::step(bool judge) {
  if (!begun_) {
    double lowest = INFINITY, highest = -INFINITY, mass = 0;
    for (const body &b : bodies_) {
      btVector3 lower, upper;
      b.object->getCollisionShape()->getAabb(b.object->getWorldTransform(), lower, upper);
      if (const btSoftBody *const soft = btSoftBody::upcast(b.object)) {
        soft->getAabb(lower, upper);
        mass += double(soft->getTotalMass());
      } else {
        mass += double(btRigidBody::upcast(b.object)->getMass());
      }
      lowest = std::min(lowest, double(lower.y())), highest = std::max(highest, double(upper.y()));
    }
    first_energy_ = energy(), fall_energy_ = mass * gravity * (highest - lowest), begun_ = true;
  }
  demo_step done;
  judging_ = judge, detect_ms_ = judge_ms_ = 0;
  const double began = now_ms();
  world_->stepSimulation(btScalar(time_step), 0);
  done.step_ms = now_ms() - began - judge_ms_;
  done.detect_ms = detect_ms_;
  if (const auto *const by_graze = dynamic_cast<const watched_graze_world *>(world_.get())) {
    const graze_bullet_soft_report &soft = by_graze->soft_report();
    done.copy_ms = by_graze->report().copy_ms + soft.copy_ms;
    done.contact_ms = by_graze->report().contact_ms + soft.contact_ms;
    done.detect_ms += soft.copy_ms + soft.detect_ms + soft.contact_ms;
  }
  // Bodies only lose energy: a gain must be less than a hundredth of the energy of the fall.
  const double now = energy();
  done.exploded = !(now < first_energy_ + 0.01 * fall_energy_);
  if (judge) {
    done.judged = true;
    const std::vector<std::pair<uint32_t, uint32_t>> found = contacts();
    done.met = meeting_.size();
    for (const auto &pair : meeting_) done.missed += !std::binary_search(found.begin(), found.end(), pair);
    judge_places();
    done.crossing = judge_.intersecting_triangles();
  }
  return done;
}

void demo_world::write_frame(const std::string &path) const {
  if (!std::isfinite(energy())) return;
  std::vector<mesh> meshes(bodies_.size());
  std::vector<std::vector<double>> positions(bodies_.size());
  std::vector<std::string> names(bodies_.size());
  for (size_t i = 0; i < bodies_.size(); i++) {
    const body &b = bodies_[i];
    const btSoftBody *const soft = btSoftBody::upcast(b.object);
    for (size_t v = 0; v < b.mesh->positions.size(); v++) {
      const demo_point &p = b.mesh->positions[v];
      const demo_point at =
          point_of(soft ? soft->m_nodes[int(v)].m_x
                        : b.object->getWorldTransform() * btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])));
      positions[i].insert(positions[i].end(), at.begin(), at.end());
    }
    names[i] = "body_" + std::to_string(i);
    meshes[i] = mesh();
    meshes[i].name = names[i].data(), meshes[i].kind = MESH_POLYGONS;
    meshes[i].positions = positions[i].data(), meshes[i].vertex_count = b.mesh->positions.size();
    meshes[i].triangles = const_cast<uint32_t *>(b.mesh->triangles.data()->data());
    meshes[i].triangle_count = meshes[i].polygon_count = b.mesh->triangles.size();
  }
  char error[256];
  if (!mesh_file_write(path.c_str(), meshes.data(), meshes.size(), nullptr, error, sizeof error))
    throw std::runtime_error(error);
}
