// Worlds with Bullet's own detection and with graze's, side by side: times, and triangles that cross after a step.
//
// usage: graze_bullet_demo [pairs|gears|chain|net|cloth|net10|net20]...   the first five without an argument
//
// Both worlds of a scene have the same bodies, margins, solver and steps, and run one after the other in this process,
// on one thread. Bullet detects concave bodies by GImpact and soft bodies by nodes and faces (SDF_RS and VF_SS).
// "crossing" is the mean number of pairs of triangles of different bodies that intersect after a step, counted exactly
// in a scene separate from the plug-in's. "lost" counts bodies that have fallen through their support.
#include "graze_bullet_soft.h"

#include "bullet_bodies.h"

#include "graze/graze.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>

namespace {

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Bullet's own worlds of rigid and of soft bodies.
struct bullet_parts {
  bullet_parts() : dispatcher(&configuration) { btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher); }
  btSoftBodyRigidBodyCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher;
  btDbvtBroadphase broad_phase;
  btSequentialImpulseConstraintSolver solver;
};

class bullet_world : private bullet_parts, public btSoftRigidDynamicsWorld {
public:
  bullet_world() : btSoftRigidDynamicsWorld(&dispatcher, &broad_phase, &solver, &configuration) {}
};

// A profile of teeth around the y axis, extruded.
body_mesh make_gear(double radius, double tooth, double height, int teeth) {
  body_mesh mesh;
  const int count = 4 * teeth, inner = count;
  for (const double y : {-height, height}) {
    for (int i = 0; i < count; i++) {
      const double turn = 2 * M_PI * i / count, r = i % 4 < 2 ? radius + tooth : radius;
      mesh.add_vertex(r * std::cos(turn), y, r * std::sin(turn));
    }
    for (int i = 0; i < count; i++) {
      const double turn = 2 * M_PI * i / count;
      mesh.add_vertex(radius / 2 * std::cos(turn), y, radius / 2 * std::sin(turn));
    }
  }
  for (int i = 0; i < count; i++) {
    const int j = (i + 1) % count, up = 2 * count;
    mesh.add_quad(i, up + i, up + j, j);                                 // the teeth
    mesh.add_quad(inner + i, inner + j, up + inner + j, up + inner + i); // the hole
    mesh.add_quad(i, j, inner + j, inner + i);                           // below
    mesh.add_quad(up + i, up + inner + i, up + inner + j, up + j);       // above
  }
  return mesh;
}

// Counts crossing triangles of different bodies.
class judge {
public:
  judge() { graze_scene_create(nullptr, &scene_); }
  ~judge() { graze_pairs_free(&pairs_), graze_scene_destroy(scene_); }
  judge(const judge &) = delete;

  void add(const std::vector<double> &positions, const std::vector<uint32_t> &triangles) {
    graze_mesh_def def = graze_mesh_def_default();
    def.positions = {positions.data(), positions.size() / 3, 0, GRAZE_FORMAT_DOUBLE3};
    def.triangles = {triangles.data(), triangles.size() / 3, 0, GRAZE_FORMAT_UINT32_3};
    graze_object object;
    graze_scene_add(scene_, GRAZE_KIND_TRIANGLE, &def, nullptr, &object);
    objects_.push_back(object);
  }
  void move(size_t i, const std::vector<double> &positions) {
    graze_object_set_positions(scene_, objects_[i], 0,
                               {positions.data(), positions.size() / 3, 0, GRAZE_FORMAT_DOUBLE3});
  }
  size_t count() {
    graze_query query = graze_query_default();
    query.scope = GRAZE_SCOPE_BETWEEN;
    graze_scene_update(scene_);
    graze_scene_find_pairs(scene_, &query, &pairs_);
    return pairs_.count;
  }

private:
  graze_scene *scene_ = nullptr;
  std::vector<graze_object> objects_;
  graze_pairs pairs_ = {};
};

std::vector<double> placed_positions(const body_mesh &mesh, const btTransform &transform) {
  std::vector<double> made;
  for (size_t i = 0; i < mesh.positions.size(); i += 3) {
    const btVector3 p = transform * btVector3(mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]);
    for (int k = 0; k < 3; k++) made.push_back(double(p[k]));
  }
  return made;
}

std::vector<double> soft_positions(const btSoftBody &body) {
  std::vector<double> made;
  for (int i = 0; i < body.m_nodes.size(); i++)
    for (int k = 0; k < 3; k++) made.push_back(double(body.m_nodes[i].m_x[k]));
  return made;
}

std::vector<uint32_t> soft_triangles(const btSoftBody &body) {
  std::vector<uint32_t> made;
  for (int i = 0; i < body.m_faces.size(); i++)
    for (int k = 0; k < 3; k++) made.push_back(uint32_t(body.m_faces[i].m_n[k] - &body.m_nodes[0]));
  return made;
}

// The results of one run of a world.
struct outcome {
  double step_ms = 0, crossing = 0;
  size_t lost = 0;
  bool exploded = false;
};

void print_row(const char *scene, const char *detection, const outcome &seen, const char *more) {
  std::printf("%-22s %-7s %9.2f ms a step %9.1f crossing %4zu lost%s%s\n", scene, detection, seen.step_ms,
              seen.crossing, seen.lost, seen.exploded ? " exploded" : "", more);
}

// ------------------------------------------------------------------------------------------------ rigid

struct rigid_scene {
  const char *name;
  body_mesh mesh;
  double margin;
  int steps;
  std::vector<btTransform> places;
  bool first_is_fixed;
  double floor_height; // of a static box below; lower than all bodies: none
};

outcome run_rigid(const rigid_scene &scene, btDiscreteDynamicsWorld &world, bool gimpact,
                  const std::function<void()> &after) {
  world.setGravity(btVector3(0, -10, 0));
  mesh_bodies bodies(scene.mesh, btScalar(scene.margin), gimpact);
  btBoxShape floor_shape(btVector3(50, 1, 50));
  btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, &floor_shape);
  info.m_startWorldTransform.setOrigin(btVector3(0, btScalar(scene.floor_height - 1), 0));
  btRigidBody floor(info);
  if (scene.floor_height > -1e3) world.addRigidBody(&floor);
  judge crossing;
  std::vector<uint32_t> triangles(scene.mesh.triangles.begin(), scene.mesh.triangles.end());
  for (size_t i = 0; i < scene.places.size(); i++) {
    bodies.add(world, scene.first_is_fixed && i == 0 ? 0 : 1, scene.places[i]);
    crossing.add(placed_positions(scene.mesh, scene.places[i]), triangles);
  }
  outcome seen;
  for (int i = 0; i < scene.steps; i++) {
    const double began = now_ms();
    world.stepSimulation(btScalar(1) / 60, 0);
    seen.step_ms += (now_ms() - began) / scene.steps;
    if (after) after();
    if (i % 10 != 9) continue;
    for (size_t k = 0; k < scene.places.size(); k++)
      crossing.move(k, placed_positions(scene.mesh, bodies.bodies()[k]->getWorldTransform()));
    seen.crossing += double(crossing.count()) / (scene.steps / 10);
  }
  for (const auto &body : bodies.bodies()) {
    const btVector3 at = body->getWorldTransform().getOrigin();
    seen.exploded = seen.exploded || !(at.length() < 1e3);
    if (scene.floor_height > -1e3)
      seen.lost += at.y() < scene.floor_height;
    else
      seen.lost += (at - scene.places[0].getOrigin()).length() > btScalar(scene.places.size());
  }
  bodies.remove_all(world);
  if (scene.floor_height > -1e3) world.removeRigidBody(&floor);
  return seen;
}

void compare_rigid(const rigid_scene &scene) {
  {
    bullet_world world;
    print_row(scene.name, "Bullet", run_rigid(scene, world, true, nullptr), "");
  }
  graze_bullet_world world;
  double copy = 0, detect = 0, contact = 0;
  const outcome seen = run_rigid(scene, world, false, [&] {
    copy += world.report().copy_ms, detect += world.report().detect_ms, contact += world.report().contact_ms;
  });
  char more[120];
  std::snprintf(more, sizeof more, "  (copy %.2f, detect %.2f, contacts %.2f ms)", copy / scene.steps,
                detect / scene.steps, contact / scene.steps);
  print_row(scene.name, "graze", seen, more);
}

void gears() {
  rigid_scene scene = {"heap of 200 gears", make_gear(0.4, 0.1, 0.08, 16), 0.01, 120, {}, false, 0};
  for (int i = 0; i < 200; i++) {
    const btQuaternion turn(btVector3(1, btScalar(i % 5), btScalar(i % 3)).normalized(), btScalar(i));
    scene.places.emplace_back(
        turn, btVector3(btScalar(i % 5 * 0.8 - 1.6), btScalar(0.8 + i / 25 * 1.0), btScalar(i / 5 % 5 * 0.8 - 1.6)));
  }
  compare_rigid(scene);
}

void chain() {
  rigid_scene scene = {"chain of 20 links", make_torus(0.5, 0.1, 48, 16), 0.01, 300, {}, true, -1e4};
  for (int i = 0; i < 20; i++) {
    const btQuaternion turn = btQuaternion(btVector3(0, 1, 0), btScalar(i % 2 * M_PI / 2)) *
                              btQuaternion(btVector3(1, 0, 0), btScalar(M_PI / 2));
    scene.places.emplace_back(turn, btVector3(0, btScalar(-0.78 * i), 0));
  }
  compare_rigid(scene);
}

// Two tori: the time of detection alone, the minimum over some calls.
double detection_ms(btDiscreteDynamicsWorld &world) {
  double least = INFINITY;
  for (int i = 0; i < 7; i++) {
    const double began = now_ms();
    world.performDiscreteCollisionDetection();
    least = std::min(least, now_ms() - began);
  }
  return least;
}

void pairs() {
  struct pose {
    const char *name;
    double turn, x, y;
  };
  const pose poses[] = {{"cross deeply", 0.3, 0.7, 0.45}, {"cross", 0.3, 0.7, 0.66}, {"within margins", 0.3, 0.7, 0.7}};
  for (const int around : {200, 400}) {
    const body_mesh mesh = make_torus(1, 0.25, around, around / 4);
    for (const pose &given : poses) {
      const btTransform at(btQuaternion(btVector3(1, 2, 3).normalized(), btScalar(given.turn)),
                           btVector3(btScalar(given.x), btScalar(given.y), 0));
      double times[2];
      graze_bullet_report report;
      for (const bool gimpact : {true, false}) {
        bullet_world bullet;
        graze_bullet_world graze;
        btDiscreteDynamicsWorld &world = gimpact ? static_cast<btDiscreteDynamicsWorld &>(bullet) : graze;
        mesh_bodies tori(mesh, btScalar(0.01), gimpact);
        tori.add(world, 1, btTransform::getIdentity()), tori.add(world, 1, at);
        times[gimpact] = detection_ms(world);
        report = graze.report();
        tori.remove_all(world);
      }
      std::printf("two tori of %d triangles, %-15s GImpact %8.3f ms, graze %8.3f ms: %.1f times; overhead %.0f %%\n",
                  2 * around * (around / 4), given.name, times[1], times[0], times[1] / times[0],
                  100 * (report.copy_ms + report.contact_ms) / report.detect_ms);
    }
  }
}

// ------------------------------------------------------------------------------------------------ soft

// Balls fall into a net, or a cloth onto a torus.
outcome run_soft(btSoftRigidDynamicsWorld &world, int balls, bool cloth_on_torus, int steps) {
  world.setGravity(btVector3(0, -10, 0));
  world.getWorldInfo().m_gravity = btVector3(0, -10, 0);
  std::vector<std::unique_ptr<btSoftBody>> softs;
  const auto add = [&](btSoftBody *body, double mass) {
    softs.emplace_back(body);
    body->setTotalMass(btScalar(mass));
    body->getCollisionShape()->setMargin(btScalar(0.03));
    body->m_cfg.piterations = 8;
    body->m_cfg.collisions = btSoftBody::fCollision::SDF_RS | btSoftBody::fCollision::VF_SS;
    world.addSoftBody(body);
  };
  const double side = 1.5;
  const auto corner = [&](double x, double z) {
    return btVector3(btScalar(x * side), cloth_on_torus ? btScalar(0.3) : 0, btScalar(z * side));
  };
  add(btSoftBodyHelpers::CreatePatch(world.getWorldInfo(), corner(-1, -1), corner(1, -1), corner(-1, 1), corner(1, 1),
                                     41, 41, cloth_on_torus ? 0 : 15, true),
      2);
  for (int i = 0; i < balls; i++) {
    btSoftBody *const ball = btSoftBodyHelpers::CreateEllipsoid(
        world.getWorldInfo(),
        btVector3(btScalar(i % 2 * 0.75 - 0.4), btScalar(0.4 + i / 4 * 0.75), btScalar(i / 2 % 2 * 0.75 - 0.4)),
        btVector3(1, 1, 1) * btScalar(0.3), 300);
    ball->m_materials[0]->m_kLST = btScalar(0.5);
    ball->m_cfg.kPR = 2;
    add(ball, 0.3);
  }
  const body_mesh mesh = make_torus(0.6, 0.2, 64, 32);
  mesh_bodies torus(mesh, btScalar(0.02));
  judge crossing;
  for (const auto &body : softs) crossing.add(soft_positions(*body), soft_triangles(*body));
  if (cloth_on_torus) {
    torus.add(world, 0, btVector3(0, 0, 0));
    crossing.add(placed_positions(mesh, btTransform::getIdentity()),
                 std::vector<uint32_t>(mesh.triangles.begin(), mesh.triangles.end()));
  }
  outcome seen;
  for (int i = 0; i < steps; i++) {
    const double began = now_ms();
    world.stepSimulation(btScalar(1) / 60, 0);
    seen.step_ms += (now_ms() - began) / steps;
    if (i % 10 != 9) continue;
    for (size_t k = 0; k < softs.size(); k++) crossing.move(k, soft_positions(*softs[k]));
    seen.crossing += double(crossing.count()) / (steps / 10);
  }
  double net = INFINITY;
  for (size_t k = 0; k < softs.size(); k++) {
    double lowest = INFINITY, highest = -INFINITY;
    for (int i = 0; i < softs[k]->m_nodes.size(); i++) {
      lowest = std::min(lowest, double(softs[k]->m_nodes[i].m_x.y()));
      highest = std::max(highest, double(softs[k]->m_nodes[i].m_x.y()));
    }
    if (k == 0) net = lowest;
    seen.exploded = seen.exploded || !(highest < 1e3);
    seen.lost += cloth_on_torus ? highest < 0 : k > 0 && highest < net;
  }
  for (const auto &body : softs) world.removeSoftBody(body.get());
  torus.remove_all(world);
  return seen;
}

void compare_soft(const char *name, int balls, bool cloth_on_torus, int steps) {
  {
    bullet_world world;
    print_row(name, "Bullet", run_soft(world, balls, cloth_on_torus, steps), "");
  }
  graze_bullet_soft_world world;
  print_row(name, "graze", run_soft(world, balls, cloth_on_torus, steps), "");
}

void net() {
  compare_soft("5 balls into a net", 5, false, 120);
}
void net_of_10() {
  compare_soft("10 balls into a net", 10, false, 120);
}
void net_of_20() {
  compare_soft("20 balls into a net", 20, false, 120);
}

void cloth() {
  compare_soft("cloth on a torus", 0, true, 180);
}

} // namespace

int main(int count, char **arguments) {
  const struct {
    const char *name;
    void (*run)();
    bool is_long; // runs only if it is named
  } scenes[] = {{"pairs", pairs, false}, {"gears", gears, false},    {"chain", chain, false},   {"net", net, false},
                {"cloth", cloth, false}, {"net10", net_of_10, true}, {"net20", net_of_20, true}};
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  int known = 1;
  for (const auto &scene : scenes) {
    bool asked = count == 1 && !scene.is_long;
    for (int i = 1; i < count; i++)
      if (std::strcmp(arguments[i], scene.name) == 0) asked = true, known++;
    if (asked) scene.run();
  }
  if (known < count) {
    std::fprintf(stderr, "usage: graze_bullet_demo [pairs|gears|chain|net|cloth|net10|net20]...\n");
    return 2;
  }
  return 0;
}
