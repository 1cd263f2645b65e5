// The scenes of the Bullet demonstration; see demo_scenes.h.
#include "bench/bullet/demo_scenes.h"

#include <cmath>
#include <cstdlib>
#include <random>

namespace {

// Random numbers between -1 and 1, the same on every machine.
class draws {
public:
  btScalar next() { return btScalar(double(engine_()) / double(std::mt19937::max()) * 2 - 1); }

private:
  std::mt19937 engine_{39};
};

btTransform at(double x, double y, double z, const btQuaternion &turn = btQuaternion::getIdentity()) {
  return btTransform(turn, btVector3(btScalar(x), btScalar(y), btScalar(z)));
}

void add_bin(demo_world &world, double half, double height) {
  world.add_static_box(half + 1, 0.5, half + 1, btVector3(0, btScalar(-0.5), 0));
  for (const double side : {-1.0, 1.0}) {
    world.add_static_box(0.5, height, half + 1, btVector3(btScalar(side * (half + 0.5)), btScalar(height), 0));
    world.add_static_box(half + 1, height, 0.5, btVector3(0, btScalar(height), btScalar(side * (half + 0.5))));
  }
}

// ------------------------------------------------------------------------------------------------ rigid

void build_gears(demo_world &world) {
  world.margin = 0.01;
  add_bin(world, 7, 4);
  const demo_mesh &gear = world.keep(make_model("gear", 400, 0));
  const btQuaternion flat(btVector3(1, 0, 0), btScalar(M_PI / 2));
  draws draw;
  for (int i = 0; i < 200; i++) {
    const btScalar side = draw.next(), angle = btScalar(0.06) * draw.next();
    const btQuaternion tilt(btVector3(1, 0, side).normalized(), angle);
    const double x = (i % 5 - 2) * 2.6 + 0.25 * double(draw.next()),
                 z = (i / 5 % 5 - 2) * 2.6 + 0.25 * double(draw.next());
    world.add_rigid(gear, 1, at(x, 0.6 + 0.6 * (i / 25), z, tilt * flat));
  }
}

void build_chain(demo_world &world) {
  const demo_mesh &link = world.keep(make_ring(0.5, 0.1, 48, 16));
  btRigidBody *last = nullptr;
  for (int i = 0; i < 20; i++) {
    const btQuaternion turn(btVector3(0, 1, 0), btScalar(i % 2 * M_PI / 2));
    last = world.add_rigid(link, i == 0 ? 0 : 1, at(0, -0.74 * i, 0, turn));
  }
  last->setLinearVelocity(btVector3(3, 0, 1));
}

// ------------------------------------------------------------------------------------------------ soft

const double soft_margin = 0.03;

void add_net(demo_world &world, double width, int cells) {
  demo_material cord;
  cord.mass = 4, cord.stiffness = 1;
  btSoftBody *const net = world.add_soft(make_net(width, cells), cord, btTransform::getIdentity());
  for (int i = 0; i <= cells; i++)
    for (const int node : {i, cells * (cells + 1) + i, i * (cells + 1), i * (cells + 1) + cells}) net->setMass(node, 0);
}

// Drops layers of n x n bodies above the net, each with its own rotation.
void drop(demo_world &world, const demo_mesh &mesh, int count, int n, double spacing, double layer, bool lying) {
  demo_material soft;
  soft.mass = 0.5, soft.stiffness = 0.5, soft.shape_matching = 0.05, soft.self_collision = true;
  draws draw;
  for (int i = 0; i < count; i++) {
    btQuaternion turn(btVector3(0, 1, 0), btScalar(M_PI) * draw.next());
    if (lying) turn = turn * btQuaternion(btVector3(1, 0, 0), btScalar(M_PI / 2));
    const double x = spacing * (i % n - 0.5 * (n - 1)) + 0.05 * double(draw.next());
    const double z = spacing * (i / n % n - 0.5 * (n - 1)) + 0.05 * double(draw.next());
    world.add_soft(mesh, soft, at(x, 0.2 + layer * (i / (n * n) + 0.5), z, turn));
  }
}

// The bunny of GRAZE_DATA, otherwise a blob with ears.
demo_mesh make_bunny() {
  const char *const folder = std::getenv("GRAZE_DATA");
  const size_t triangles = 1000;
  demo_mesh made =
      folder ? read_surface(std::string(folder) + "/meshes/bunny_7k.off", triangles) : make_model("blob", triangles, 0);
  center(made, 1);
  return made;
}

template <int count> void build_bunnies(demo_world &world) {
  world.margin = soft_margin;
  add_net(world, 4, 24);
  drop(world, make_bunny(), count, 2, 1.35, 1.15, false);
}

void build_gloves(demo_world &world) {
  world.margin = soft_margin / 2;
  add_net(world, 4, 24);
  demo_mesh glove = make_glove(2);
  center(glove, 1);
  drop(world, glove, 50, 3, 1.45, 0.3, true);
}

void build_cloth_knot(demo_world &world) {
  world.margin = soft_margin;
  const demo_mesh &knot = world.keep(make_model("knot", 4000, 0));
  world.add_rigid(knot, 0, at(0, 0, 0));
  demo_material cloth;
  cloth.stiffness = 0.9, cloth.self_collision = true;
  world.add_soft(make_sheet(4.4, 44), cloth, at(0, 0.9, 0));
}

void build_funnel(demo_world &world) {
  world.margin = soft_margin;
  const demo_mesh &funnel = world.keep(make_funnel(1.6, 0.32, 1.6, 0.15, 64));
  world.add_rigid(funnel, 0, at(0, 0, 0));
  demo_mesh blob = make_model("blob", 1000, 0);
  center(blob, 1.2);
  demo_material soft;
  soft.stiffness = 0.4, soft.shape_matching = 0.02, soft.self_collision = true;
  world.add_soft(blob, soft, at(-0.05, 1.8, 0));
  world.add_soft(blob, soft, at(0.1, 3.1, 0.05, btQuaternion(btVector3(0, 1, 0), 1)));
}

} // namespace

const std::vector<demo_scene> &demo_scenes() {
  static const std::vector<demo_scene> scenes = {
      {"gears", "a heap of 200 concave gears", 200, false, build_gears},
      {"chain", "a chain of 20 links that swings", 480, false, build_chain},
      {"bunnies-5", "5 soft bunnies fall into a net", 240, true, build_bunnies<5>},
      {"bunnies-10", "10 soft bunnies fall into a net", 240, true, build_bunnies<10>},
      {"bunnies-20", "20 soft bunnies fall into a net", 240, true, build_bunnies<20>},
      {"gloves-50", "50 soft gloves fall into a net", 160, true, build_gloves},
      {"cloth-knot", "a cloth falls on a knot", 240, true, build_cloth_knot},
      {"funnel", "two soft bodies fall through a funnel", 360, true, build_funnel},
  };
  return scenes;
}
