// Compares contacts with geometry: each lies on both surfaces within the margins, and each region of crossing triangles
// has one. The reference is graze's regions and distances in a separate scene.
#include "bullet_world_tools.h"

#include "graze/graze.h"
#include "graze/nearest.h"
#include "graze/regions.h"
#include "graze/shape.h"
#include "graze/triangle.h"

namespace {

struct triangle_corners {
  double at[9];
};

std::vector<triangle_corners> placed_triangles(const body_mesh &mesh, const btTransform &transform) {
  std::vector<triangle_corners> made(mesh.triangles.size() / 3);
  for (size_t i = 0; i < mesh.triangles.size(); i++) {
    const btScalar *const p = &mesh.positions[3 * size_t(mesh.triangles[i])];
    const btVector3 placed = transform * btVector3(p[0], p[1], p[2]);
    for (int k = 0; k < 3; k++) made[i / 3].at[3 * (i % 3) + size_t(k)] = double(placed[k]);
  }
  return made;
}

// By brute force: a point is a triangle of three equal corners.
double distance_to(const std::vector<triangle_corners> &triangles, const btVector3 &point) {
  double corners[9], on_a[3], on_b[3], least = INFINITY;
  for (int i = 0; i < 9; i++) corners[i] = double(point[i % 3]);
  for (const triangle_corners &triangle : triangles)
    least = std::min(least, graze_triangles_distance(triangle.at, corners, on_a, on_b));
  return least;
}

graze_object add_to_scene(graze_scene *scene, const std::vector<triangle_corners> &triangles) {
  graze_mesh_def def = graze_mesh_def_default();
  graze_object_def placed = graze_object_def_default();
  std::vector<uint32_t> corners(3 * triangles.size());
  for (size_t i = 0; i < corners.size(); i++) corners[i] = uint32_t(i);
  def.positions = {triangles.data(), corners.size(), 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = {corners.data(), triangles.size(), 0, GRAZE_FORMAT_UINT32_3};
  placed.self = false;
  graze_object object;
  assert_int_equal(graze_scene_add(scene, GRAZE_KIND_TRIANGLE, &def, &placed, &object), GRAZE_OK);
  return object;
}

const double margin = 0.01;
// Contacts are looked for so far beyond the margins: a quarter of Bullet's breaking threshold.
const double reach = 0.005;

// One pose of the second body: contacts of a world with both bodies against the judge.
void check_pose(const body_mesh &mesh, const btTransform &second, size_t &near_count, size_t &region_count) {
  graze_bullet_world world(strict_settings());
  mesh_bodies bodies(mesh, btScalar(margin));
  bodies.add(world, 1, btTransform::getIdentity());
  bodies.add(world, 1, second);
  world.performDiscreteCollisionDetection();
  const std::vector<triangle_corners> a = placed_triangles(mesh, btTransform::getIdentity());
  const std::vector<triangle_corners> b = placed_triangles(mesh, second);

  graze_scene *scene;
  assert_int_equal(graze_scene_create(nullptr, &scene), GRAZE_OK);
  add_to_scene(scene, a), add_to_scene(scene, b);
  assert_int_equal(graze_scene_update(scene), GRAZE_OK);
  graze_regions regions = {};
  assert_int_equal(graze_scene_find_regions(scene, nullptr, nullptr, &regions), GRAZE_OK);
  graze_query query = graze_query_default();
  query.clearance = 2 * margin;
  bool near = false;
  assert_int_equal(graze_scene_any_pair(scene, &query, &near, nullptr), GRAZE_OK);

  std::vector<btVector3> middles;
  btDispatcher &dispatcher = *world.getDispatcher();
  for (int i = 0; i < dispatcher.getNumManifolds(); i++) {
    const btPersistentManifold &manifold = *dispatcher.getManifoldByIndexInternal(i);
    assert_true(manifold.getNumContacts() >= 1);
    for (int k = 0; k < manifold.getNumContacts(); k++) {
      const btManifoldPoint &point = manifold.getContactPoint(k);
      assert_true(std::fabs(double(point.m_normalWorldOnB.length()) - 1) < 1e-5);
      assert_true(point.m_partId0 == 0 && point.m_partId1 == 0);
      assert_true(point.m_index0 >= 0 && point.m_index0 < int(a.size()) && point.m_index1 >= 0 &&
                  point.m_index1 < int(b.size()));
      const bool first_is_a = manifold.getBody0() == bodies.bodies()[0].get();
      const auto &on_0 = first_is_a ? a : b, &on_1 = first_is_a ? b : a;
      const double depth = std::max(0.0, -double(point.getDistance()) - 2 * margin);
      assert_true(distance_to(on_0, point.getPositionWorldOnA()) <= margin + depth + 1e-5);
      assert_true(distance_to(on_1, point.getPositionWorldOnB()) <= margin + depth + 1e-5);
      assert_true(double(point.getDistance()) <= reach + 1e-6);
      // The named triangles are those that touch.
      const btVector3 middle = (point.getPositionWorldOnA() + point.getPositionWorldOnB()) / 2;
      const std::vector<triangle_corners> named = {on_0[size_t(point.m_index0)], on_1[size_t(point.m_index1)]};
      assert_true(distance_to({named[0]}, middle) <= margin + reach + 1e-5);
      assert_true(distance_to({named[1]}, middle) <= margin + reach + 1e-5);
      middles.push_back(middle);
    }
  }
  if (near) assert_true(!middles.empty());
  near_count += near && regions.count == 0;
  for (size_t i = 0; i < regions.count; i++) {
    const graze_region *const region = &regions.regions[i];
    bool covered = false;
    for (const btVector3 &middle : middles) {
      bool inside = true;
      for (int k = 0; k < 3; k++)
        inside =
            inside && double(middle[k]) >= region->box_min[k] - 1e-5 && double(middle[k]) <= region->box_max[k] + 1e-5;
      covered = covered || inside;
    }
    assert_true(covered);
    region_count++;
  }
  graze_regions_free(&regions);
  graze_scene_destroy(scene);
  bodies.remove_all(world);
}

void check_poses(const body_mesh &mesh, double size, int count) {
  size_t near_count = 0, region_count = 0;
  uint32_t random = 12345;
  const auto next = [&] { return btScalar((random = random * 1664525u + 1013904223u) / 4294967296.0 - 0.5); };
  for (int i = 0; i < count; i++) {
    // One after the other: the order in which arguments are computed is the compiler's choice.
    btScalar drawn[7];
    for (btScalar &value : drawn) value = next();
    const btQuaternion turn(btVector3(drawn[0], drawn[1], drawn[2]).normalized(), 6 * drawn[3]);
    btVector3 at(drawn[4], drawn[5], drawn[6]);
    at *= btScalar(size) / at.length() * (btScalar(0.9) + next() / 5);
    check_pose(mesh, btTransform(turn, at), near_count, region_count);
  }
  assert_true(near_count >= 3 && region_count >= size_t(count / 4));
}

TEST(test_tori) {
  check_poses(make_torus(1, 0.3, 20, 10), 1.7, 150);
}
TEST(test_channels) {
  check_poses(make_channel(0.5, 0.3, 0.5, 0.1), 0.95, 150);
}

// A contact between two smooth surfaces has the normal of both, and a depth that is the gap less the margins.
TEST(test_depth_and_normal) {
  graze_bullet_world world(strict_settings());
  mesh_bodies bodies(make_channel(0.5, 0.3, 0.5, 0.1), btScalar(margin));
  const btRigidBody *const below = bodies.add(world, 1, btVector3(0, 0, 0));
  for (const double gap : {0.022, 0.015, 0.005, -0.003}) {
    bodies.add(world, 1, btVector3(btScalar(0.013), btScalar(0.6 + gap), btScalar(0.017)));
    world.performDiscreteCollisionDetection();
    assert_int_equal(world.getDispatcher()->getNumManifolds(), 2); // one for each wall
    for (int i = 0; i < 2; i++) {
      const btPersistentManifold &manifold = *world.getDispatcher()->getManifoldByIndexInternal(i);
      assert_int_equal(manifold.getNumContacts(), 4);
      double deepest = INFINITY;
      for (int k = 0; k < 4; k++) {
        const btManifoldPoint &point = manifold.getContactPoint(k);
        const double up = double(point.m_normalWorldOnB.y()) * (manifold.getBody0() == below ? -1 : 1);
        // Where walls cross their sides push as well, by the share of their area.
        assert_true(up > (gap > 0 ? 0.99999 : 0.999));
        deepest = std::min(deepest, double(point.getDistance()));
      }
      assert_true(std::fabs(deepest - gap + 2 * margin) < 1e-5);
    }
    world.removeRigidBody(bodies.bodies().back().get());
    assert_int_equal(world.getDispatcher()->getNumManifolds(), 0);
  }
  world.removeRigidBody(bodies.bodies()[0].get());
}

} // namespace
