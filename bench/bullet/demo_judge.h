// The judge of the demonstration: finds intersecting bodies and counts their pairs of triangles exactly, in its own
// graze scene, without margins or contacts.
#ifndef GRAZE_DEMO_JUDGE_H
#define GRAZE_DEMO_JUDGE_H

#include "bench/bullet/demo_mesh.h"

#include "graze/graze.h"
#include "graze/shape.h"

#include <map>
#include <utility>
#include <vector>

class demo_judge {
public:
  demo_judge();
  ~demo_judge();
  demo_judge(const demo_judge &) = delete;
  demo_judge &operator=(const demo_judge &) = delete;

  // Bodies are numbered from 0. Rigid bodies of one mesh share it; pairs within a rigid body are not searched for.
  uint32_t add_rigid(const demo_mesh &mesh);
  uint32_t add_soft(const demo_mesh &mesh);
  // Fixed bodies may intersect each other: their pairs do not count.
  void set_fixed(uint32_t number);

  // Ignores a pose that is not finite.
  void place_rigid(uint32_t number, const graze_pose &pose);
  void place_soft(uint32_t number, const std::vector<demo_point> &positions);

  std::vector<std::pair<uint32_t, uint32_t>> intersecting_bodies();
  size_t intersecting_triangles();

private:
  graze_scene *scene_ = nullptr;
  graze_pairs pairs_ = {};
  graze_object_pairs object_pairs_ = {};
  std::map<const demo_mesh *, graze_shape *> shapes_;
  std::vector<graze_object> objects_;
};

#endif
