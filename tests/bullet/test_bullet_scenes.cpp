// Tests the parts of the Bullet demonstration: its surfaces are closed and face outward, its judge counts correctly,
// and a net holds falling bodies.
#include "bench/bullet/demo_scenes.h"
#include "testing.h"

#include <cstddef>
#include <map>

namespace {

double signed_volume(const demo_mesh &mesh) {
  double sum = 0;
  for (const auto &t : mesh.triangles) {
    const demo_point &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

// Each edge once in each direction, and no triangle through another.
void assert_good_surface(const demo_mesh &mesh) {
  std::map<std::pair<uint32_t, uint32_t>, int> edges;
  for (const auto &t : mesh.triangles)
    for (size_t i = 0; i < 3; i++) edges[{t[i], t[(i + 1) % 3]}]++;
  for (const auto &edge : edges) {
    assert_int_equal(edge.second, 1);
    assert_int_equal(edges.count({edge.first.second, edge.first.first}), 1);
  }
  assert_true(signed_volume(mesh) > 0);
  demo_judge judge;
  judge.add_soft(mesh);
  assert_int_equal(judge.intersecting_triangles(), 0);
}

TEST(test_surfaces) {
  assert_good_surface(make_glove(1));
  assert_good_surface(make_glove(2));
  assert_good_surface(make_funnel(1.6, 0.4, 1.6, 0.15, 64));
  assert_good_surface(make_ring(0.5, 0.1, 48, 16));
  assert_good_surface(make_box(1, 2, 3));
}

TEST(test_decimation) {
  demo_mesh blob = make_model("blob", 4000, 0);
  const double volume = signed_volume(blob);
  decimate(blob, 1000);
  assert_in_range(blob.triangles.size(), 900, 1000);
  assert_good_surface(blob);
  assert_true(std::fabs(signed_volume(blob) - volume) < 0.05 * volume);
  // A thin ring would be pinched where its tube has three edges around.
  demo_mesh ring = make_ring(1, 0.05, 60, 4);
  decimate(ring, 100);
  assert_true(ring.triangles.size() < 480);
  assert_good_surface(ring);
}

// Two rings that are linked do not intersect; moved by the radius, they do.
TEST(test_judge) {
  const demo_mesh ring = make_ring(1, 0.2, 32, 12);
  demo_judge judge;
  const uint32_t first = judge.add_rigid(ring), second = judge.add_rigid(ring), fixed = judge.add_rigid(ring);
  judge.set_fixed(first), judge.set_fixed(fixed); // in the same place, and not counted
  graze_pose pose = {{1, 0, 0, 0, 0, -1, 0, 1, 0}, {1, 0, 0}};
  judge.place_rigid(second, pose);
  assert_int_equal(judge.intersecting_triangles(), 0);
  pose.translation[0] = 0.1;
  judge.place_rigid(second, pose);
  assert_true(judge.intersecting_triangles() > 0);
  const std::vector<std::pair<uint32_t, uint32_t>> bodies = judge.intersecting_bodies();
  assert_int_equal(bodies.size(), 2);
  assert_true(bodies[0] == std::make_pair(first, second) && bodies[1] == std::make_pair(second, fixed));
}

// A soft ring falls on a wide net with the plug-in: it stays above, and nothing crosses after a step. Cords hold it by
// their edges; where Bullet detects, it falls through them.
TEST(test_net_holds) {
  demo_world world(demo_detection::graze);
  world.margin = 0.03;
  demo_material cord, soft;
  cord.mass = 4, cord.stiffness = 1;
  btSoftBody *const net = world.add_soft(make_net(2, 5), cord, btTransform::getIdentity());
  for (int i = 0; i <= 5; i++)
    for (const int node : {i, 30 + i, 6 * i, 6 * i + 5}) net->setMass(node, 0);
  soft.shape_matching = 0.1;
  const btTransform place(btQuaternion(btVector3(1, 0, 0), btScalar(M_PI / 2)), btVector3(0, btScalar(0.3), 0));
  const btSoftBody *const ring = world.add_soft(make_ring(0.4, 0.15, 24, 10), soft, place);
  size_t crossing = 0, exploded = 0;
  for (int i = 0; i < 120; i++) {
    const demo_step done = world.step(true);
    crossing += done.crossing, exploded += done.exploded;
    assert_true(done.judged && done.step_ms >= done.copy_ms);
  }
  assert_int_equal(exploded, 0);
  assert_int_equal(crossing, 0);
  // It has reached the net, which gives way, and stays on it.
  btVector3 lower, upper;
  ring->getAabb(lower, upper);
  assert_true(lower.y() < 0.1 && upper.y() > -0.5);
}

} // namespace
