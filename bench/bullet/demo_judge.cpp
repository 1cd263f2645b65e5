// Implements the judge of the demonstration; see demo_judge.h.
#include "bench/bullet/demo_judge.h"

#include <stdexcept>

namespace {

void check(graze_result result) {
  if (result != GRAZE_OK) throw std::runtime_error(graze_error_text());
}

graze_mesh_def views_of(const demo_mesh &mesh) {
  graze_mesh_def def = graze_mesh_def_default();
  def.positions = {mesh.positions.data(), mesh.positions.size(), 0, GRAZE_FORMAT_DOUBLE3};
  def.triangles = {mesh.triangles.data(), mesh.triangles.size(), 0, GRAZE_FORMAT_UINT32_3};
  return def;
}

} // namespace

demo_judge::demo_judge() {
  const graze_scene_def def = graze_scene_def_default();
  check(graze_scene_create(&def, &scene_));
}

demo_judge::~demo_judge() {
  graze_pairs_free(&pairs_);
  graze_object_pairs_free(&object_pairs_);
  graze_scene_destroy(scene_);
  for (const auto &entry : shapes_) graze_shape_destroy(entry.second);
}

uint32_t demo_judge::add_rigid(const demo_mesh &mesh) {
  graze_shape *&shape = shapes_[&mesh];
  if (shape == nullptr) {
    const graze_mesh_def views = views_of(mesh);
    graze_shape_def def = graze_shape_def_default();
    def.mesh = &views;
    check(graze_shape_create(&def, &shape));
  }
  graze_object_def def = graze_object_def_default();
  def.self = false;
  objects_.emplace_back();
  check(graze_scene_add_shape(scene_, shape, &def, &objects_.back()));
  return uint32_t(objects_.size() - 1);
}

uint32_t demo_judge::add_soft(const demo_mesh &mesh) {
  const graze_mesh_def def = views_of(mesh);
  objects_.emplace_back();
  check(graze_scene_add(scene_, GRAZE_KIND_TRIANGLE, &def, nullptr, &objects_.back()));
  return uint32_t(objects_.size() - 1);
}

void demo_judge::set_fixed(uint32_t number) {
  check(graze_object_set_filter(scene_, objects_[number], 2, 1, false));
}

void demo_judge::place_rigid(uint32_t number, const graze_pose &pose) {
  (void)graze_object_set_pose(scene_, objects_[number], &pose);
}

void demo_judge::place_soft(uint32_t number, const std::vector<demo_point> &positions) {
  const graze_view view = {positions.data(), positions.size(), 0, GRAZE_FORMAT_DOUBLE3};
  (void)graze_object_set_positions(scene_, objects_[number], 0, view);
}

// Objects are never removed, so scene numbers follow the order of addition.
std::vector<std::pair<uint32_t, uint32_t>> demo_judge::intersecting_bodies() {
  check(graze_scene_update(scene_));
  check(graze_scene_find_object_pairs(scene_, nullptr, &object_pairs_));
  std::vector<std::pair<uint32_t, uint32_t>> found;
  for (size_t i = 0; i < object_pairs_.count; i++)
    found.emplace_back(object_pairs_.pairs[i].object_a, object_pairs_.pairs[i].object_b);
  return found;
}

size_t demo_judge::intersecting_triangles() {
  check(graze_scene_update(scene_));
  check(graze_scene_find_pairs(scene_, nullptr, &pairs_));
  return pairs_.count;
}
