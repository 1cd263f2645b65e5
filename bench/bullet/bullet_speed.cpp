// graze_bullet_speed: compares the plug-in with Bullet's own detection, on one thread, in one run.
//
//     concave pairs   two meshes of at least 20,000 triangles, in poses with shallow and deep intersections: GImpact
//     a cloth         10,000 faces against itself: Bullet's faces against faces (VF_DD)
//
// A ratio above 1 means that graze is faster. Rows of graze include the copies into its scene and the manifolds.
#include "bench/bullet/demo_judge.h"
#include "bench/bullet/demo_mesh.h"

#include <graze_bullet_soft.h>

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <set>
#include <stdexcept>

namespace {

const double margin = 0.005;

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// ------------------------------------------------------------------------------------------------ concave pairs

// The transform of body 1, rotated by an angle and shifted along x; body 0 does not move.
btTransform placed(int pose, double shift) {
  const btQuaternion turn(btVector3(btScalar(0.3), 1, btScalar(0.2)).normalized(), btScalar(0.7 * pose));
  return btTransform(turn, btVector3(btScalar(shift), btScalar(0.05), btScalar(0.03)));
}

graze_pose pose_of(const btTransform &place) {
  // Double precision, so that the rotation is orthonormal enough.
  const btQuaternion q = place.getRotation();
  double w = double(q.w()), x = double(q.x()), y = double(q.y()), z = double(q.z());
  const double s = 2 / (w * w + x * x + y * y + z * z);
  graze_pose pose = {{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y), s * (x * y + w * z),
                      1 - s * (x * x + z * z), s * (y * z - w * x), s * (x * z - w * y), s * (y * z + w * x),
                      1 - s * (x * x + y * y)},
                     {0, 0, 0}};
  for (int i = 0; i < 3; i++) pose.translation[i] = double(place.getOrigin()[i]);
  return pose;
}

// Returns the greatest shift at which the two still intersect, to a thousandth.
double touching_shift(demo_judge &judge, int pose) {
  double meets = 0, apart = 2;
  while (apart - meets > 0.001) {
    const double middle = (meets + apart) / 2;
    judge.place_rigid(1, pose_of(placed(pose, middle)));
    (judge.intersecting_bodies().empty() ? apart : meets) = middle;
  }
  return meets;
}

struct pair_bodies {
  pair_bodies(const demo_mesh &mesh, bool gimpact) {
    for (const demo_point &p : mesh.positions)
      for (const double value : p) positions.push_back(btScalar(value));
    for (const auto &t : mesh.triangles)
      for (const uint32_t corner : t) triangles.push_back(int(corner));
    arrays = std::make_unique<btTriangleIndexVertexArray>(int(mesh.triangles.size()), triangles.data(),
                                                          int(3 * sizeof(int)), int(mesh.positions.size()),
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
    for (auto &body : bodies)
      body = std::make_unique<btRigidBody>(btScalar(1), nullptr, shape.get(), btVector3(1, 1, 1));
  }
  std::vector<btScalar> positions;
  std::vector<int> triangles;
  std::unique_ptr<btTriangleIndexVertexArray> arrays;
  std::unique_ptr<btCollisionShape> shape;
  std::unique_ptr<btRigidBody> bodies[2];
};

struct pair_times {
  double ms = 0, copy_ms = 0, contact_ms = 0;
  size_t found = 0; // poses with a contact
};

// Returns the mean over the poses, with the least of three times for each. The pair is removed between poses, so that
// nothing is kept.
pair_times detect_pairs(btDiscreteDynamicsWorld &world, pair_bodies &pair, const std::vector<btTransform> &places,
                        const graze_bullet_report *report) {
  for (const auto &body : pair.bodies) world.addRigidBody(body.get());
  pair_times sum;
  for (const btTransform &place : places) {
    pair_times best;
    best.ms = INFINITY;
    for (int round = 0; round < 3; round++) {
      pair.bodies[1]->setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(10, 0, 0)));
      world.performDiscreteCollisionDetection();
      pair.bodies[1]->setWorldTransform(place);
      const double began = now_ms();
      world.performDiscreteCollisionDetection();
      const double took = now_ms() - began;
      if (took < best.ms) {
        best.ms = took;
        if (report != nullptr) best.copy_ms = report->copy_ms, best.contact_ms = report->contact_ms;
      }
    }
    size_t points = 0;
    for (int i = 0; i < world.getDispatcher()->getNumManifolds(); i++)
      points += size_t(world.getDispatcher()->getManifoldByIndexInternal(i)->getNumContacts());
    sum.ms += best.ms, sum.copy_ms += best.copy_ms, sum.contact_ms += best.contact_ms, sum.found += points > 0;
  }
  for (const auto &body : pair.bodies) world.removeRigidBody(body.get());
  const double count = double(places.size());
  sum.ms /= count, sum.copy_ms /= count, sum.contact_ms /= count;
  return sum;
}

void compare_pairs(const char *name, demo_mesh mesh, int poses) {
  center(mesh, 2);
  demo_judge judge;
  judge.add_rigid(mesh), judge.add_rigid(mesh);
  pair_bodies for_graze(mesh, false), for_bullet(mesh, true);
  graze_bullet_world by_graze;
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld by_bullet(&dispatcher, &broad_phase, &solver, &configuration);
  for (const double depth : {0.01, 0.3}) {
    std::vector<btTransform> places;
    for (int i = 0; i < poses; i++) places.push_back(placed(i, touching_shift(judge, i) - depth));
    const pair_times mine = detect_pairs(by_graze, for_graze, places, &by_graze.report());
    const pair_times theirs = detect_pairs(by_bullet, for_bullet, places, nullptr);
    std::printf("%-7s %9zu %6s %5d %9.2f %9.2f %6.1f %6zu %6zu %7.0f %% %7.0f %%\n", name, mesh.triangles.size(),
                depth < 0.1 ? "light" : "deep", poses, mine.ms, theirs.ms, theirs.ms / mine.ms, mine.found,
                theirs.found, 100 * mine.copy_ms / mine.ms, 100 * mine.contact_ms / mine.ms);
  }
}

// ------------------------------------------------------------------------------------------------ a cloth

btSoftBody *make_cloth(btSoftBodyWorldInfo &info, const demo_mesh &mesh, double cloth_margin) {
  btAlignedObjectArray<btVector3> positions;
  for (const demo_point &p : mesh.positions)
    positions.push_back(btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2])));
  auto *const cloth = new btSoftBody(&info, positions.size(), &positions[0], nullptr);
  std::set<std::pair<int, int>> links;
  for (const auto &t : mesh.triangles) {
    for (size_t i = 0; i < 3; i++) {
      const std::pair<int, int> link = std::minmax(int(t[i]), int(t[(i + 1) % 3]));
      if (links.insert(link).second) cloth->appendLink(link.first, link.second);
    }
    cloth->appendFace(int(t[0]), int(t[1]), int(t[2]));
  }
  cloth->setTotalMass(1);
  cloth->getCollisionShape()->setMargin(btScalar(cloth_margin));
  cloth->setSelfCollision(true);
  return cloth;
}

using node_and_face = std::pair<const btSoftBody::Node *, const btSoftBody::Face *>;

// Counts intersecting pairs of triangles without a contact of a node of one and the face of the other.
size_t count_missed(const btSoftBody &cloth, const demo_mesh &mesh, const std::set<node_and_face> &contacts,
                    const graze_pairs &crossing) {
  size_t missed = 0;
  for (size_t i = 0; i < crossing.count; i++) {
    const uint32_t sides[2] = {crossing.pairs[i].primitive_a, crossing.pairs[i].primitive_b};
    bool found = false;
    for (int k = 0; k < 2; k++)
      for (const uint32_t corner : mesh.triangles[sides[k]])
        found = found || contacts.count({&cloth.m_nodes[int(corner)], &cloth.m_faces[int(sides[1 - k])]}) != 0;
    missed += !found;
  }
  return missed;
}

void compare_cloth(const char *name, const demo_mesh &mesh, double cloth_margin, int rounds) {
  graze_bullet_soft_world world;
  world.setGravity(btVector3(0, 0, 0));
  world.getWorldInfo().m_gravity = btVector3(0, 0, 0);
  btSoftBody *const mine = make_cloth(world.getWorldInfo(), mesh, cloth_margin);
  world.addSoftBody(mine);
  graze_bullet_soft_report best;
  double mine_ms = INFINITY;
  for (int i = 0; i < rounds; i++) {
    for (int v = 0; v < mine->m_nodes.size(); v++) {
      const demo_point &p = mesh.positions[size_t(v)];
      mine->m_nodes[v].m_x = mine->m_nodes[v].m_q = btVector3(btScalar(p[0]), btScalar(p[1]), btScalar(p[2]));
      mine->m_nodes[v].m_v = btVector3(0, 0, 0);
    }
    world.stepSimulation(btScalar(1) / 240, 0);
    const graze_bullet_soft_report &now = world.soft_report();
    const double took = now.copy_ms + now.detect_ms + now.contact_ms;
    if (took < mine_ms) mine_ms = took, best = now;
  }

  btSoftBodyWorldInfo info;
  // Bullet adds the margins of both faces, even within one body.
  const std::unique_ptr<btSoftBody> theirs(make_cloth(info, mesh, cloth_margin / 2));
  theirs->m_cfg.collisions = btSoftBody::fCollision::VF_DD;
  theirs->m_softSoftCollision = true;
  theirs->m_sst.radmrg = btScalar(cloth_margin / 2);
  theirs->initializeFaceTree();
  theirs->updateNormals();
  double theirs_ms = INFINITY;
  for (int i = 0; i < rounds; i++) {
    theirs->m_faceNodeContacts.resize(0);
    const double began = now_ms();
    theirs->updateFaceTree(true, true);
    theirs->defaultCollisionHandler(theirs.get());
    theirs_ms = std::min(theirs_ms, now_ms() - began);
  }

  graze_scene *scene;
  graze_pairs crossing = {};
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = {mesh.positions.data(), mesh.positions.size(), 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = {mesh.triangles.data(), mesh.triangles.size(), 0, GRAZE_FORMAT_UINT32_3};
  graze_object object;
  if (graze_scene_create(nullptr, &scene) != GRAZE_OK ||
      graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, nullptr, &object) != GRAZE_OK ||
      graze_scene_update(scene) != GRAZE_OK || graze_scene_find_pairs(scene, nullptr, &crossing) != GRAZE_OK)
    throw std::runtime_error(graze_error_text());
  std::set<node_and_face> contacts;
  for (int i = 0; i < theirs->m_faceNodeContacts.size(); i++)
    contacts.insert({theirs->m_faceNodeContacts[i].m_node, theirs->m_faceNodeContacts[i].m_face});
  const size_t missed = count_missed(*theirs, mesh, contacts, crossing);
  std::printf("%-7s %9zu %9.2f %9.2f %6.1f %9zu %9zu %9zu %9d %9zu %7.0f %% %7.0f %%\n", name, mesh.triangles.size(),
              mine_ms, theirs_ms, theirs_ms / mine_ms, best.pairs, best.node_contacts + best.edge_contacts,
              crossing.count, theirs->m_faceNodeContacts.size(), missed, 100 * best.copy_ms / mine_ms,
              100 * best.contact_ms / mine_ms);
  graze_pairs_free(&crossing);
  graze_scene_destroy(scene);
  world.removeSoftBody(mine);
  delete mine;
}

// A sheet folded into layers that are nearer than the margin but do not cross.
demo_mesh make_folds(int cells, double gap) {
  demo_mesh made = make_sheet(8, cells);
  for (demo_point &p : made.positions) {
    // Layers of length 2, joined by half circles of radius gap / 2.
    const double bend = M_PI * gap / 2, period = 2 + bend, s = p[0] + 4;
    const int layer = int(s / period);
    const double rest = s - layer * period, side = layer % 2 == 0 ? 1 : -1;
    if (rest < 2) {
      p[0] = side * (rest - 1), p[1] = layer * gap;
    } else {
      const double angle = (rest - 2) / (gap / 2);
      p[0] = side * (1 + gap / 2 * std::sin(angle)), p[1] = layer * gap + gap / 2 * (1 - std::cos(angle));
    }
  }
  return made;
}

} // namespace

int main(int count, char **words) {
  // The argument "short" selects small meshes and few poses, for tests.
  const bool is_short = count > 1 && std::string(words[1]) == "short";
  const uint64_t size = is_short ? 2000 : 20000;
  const int poses = is_short ? 2 : 12, rounds = is_short ? 1 : 5;
  try {
    std::printf("%-7s %9s %6s %5s %9s %9s %6s %6s %6s %9s %9s\n", "pair", "triangles", "depth", "poses", "graze",
                "GImpact", "ratio", "found", "found", "copies", "contacts");
    for (const char *const name : {"torus", "knot", "gear", "blob"})
      compare_pairs(name, make_model(name, size, 0), poses);
    if (!is_short) compare_pairs("torus", make_model("torus", 100000, 0), poses);
    if (const char *const folder = std::getenv("GRAZE_DATA"))
      compare_pairs("bunny", read_surface(std::string(folder) + "/meshes/bunny_25k.obj.gz", SIZE_MAX), poses);
    std::printf("\n%-7s %9s %9s %9s %6s %9s %9s %9s %9s %9s %9s %9s\n", "cloth", "triangles", "graze", "VF_DD", "ratio",
                "near", "contacts", "crossing", "contacts", "missed", "copies", "contacts");
    compare_cloth("folded", make_model("folded-cloth", size / 2, 0), 0.005, rounds);
    compare_cloth("layers", make_folds(is_short ? 24 : 71, 0.02), 0.025, rounds);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "graze_bullet_speed: %s\n", error.what());
    return 2;
  }
  return 0;
}
