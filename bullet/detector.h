// The graze scene behind a dispatcher: one object for each body, one update and one query for all pairs of a step.
//
// Bodies come from the pairs that Bullet's broad phase finds. A body is read only while it is in such a pair, so
// objects may be destroyed at any time. A body without a pair to decide has an empty filter and costs nothing; it is
// removed from the scene after some steps.
#ifndef GRAZE_BULLET_DETECTOR_H
#define GRAZE_BULLET_DETECTOR_H

#include "graze_bullet.h"
#include "patches.h"

#include "graze/distances.h"
#include "graze/shape.h"

#include <array>
#include <atomic>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace graze_bullet {

// The graze shape of a Bullet shape.
struct shared_shape {
  surface made;
  uint64_t hash = 0;
  graze_shape *shape = nullptr; // NULL: refused
  ~shared_shape() { graze_shape_destroy(shape); }
};

// Values that cheaply show whether a shape has changed. A different shape at the same address mostly has a different
// box.
struct shape_stamp {
  int revision = 0;
  btScalar margin = 0;
  std::array<btScalar, 9> sizes{}; // the scaling and the box
  bool operator==(const shape_stamp &other) const;
};

// A cached shape, and the step in which it was compared with its mesh.
struct known_shape {
  std::weak_ptr<shared_shape> shared;
  uint64_t checked_step = 0;
};

// The patches of two bodies; `a` is the body a of the points.
struct pair_answer {
  const btCollisionObject *a = nullptr, *b = nullptr;
  const surface *surface_a = nullptr, *surface_b = nullptr;
  const patch *patches = nullptr;
  size_t count = 0;
  bool crosses = false; // patches of crossing triangles only: contacts elsewhere do not change
};

// The distance that a point may move and still be the same contact: as in Bullet's manifolds for bodies of that size,
// and at most gContactBreakingThreshold.
double threshold_of(const btCollisionObject &a, const btCollisionObject &b);
// The distance beyond the margins at which contacts of two bodies are detected: some steps ahead of a body at rest.
inline double reach_of(const btCollisionObject &a, const btCollisionObject &b) {
  return threshold_of(a, b) / 4;
}

// The pose, orthonormal in double precision. False if the transform is invalid.
bool make_pose(const btTransform &transform, graze_pose &pose);

class detector {
public:
  explicit detector(const graze_bullet_settings &settings);
  ~detector();
  detector(const detector &) = delete;
  detector &operator=(const detector &) = delete;

  // What decides a pair: Bullet, the scene, or for a concave body and a plane the corners of the body.
  enum class decision { BULLET, SCENE, PLANE };
  decision decision_of(const btCollisionObject &a, const btCollisionShape &shape_a, const btCollisionObject &b,
                       const btCollisionShape &shape_b) const;

  // Decides all pairs of a step at once; answer() returns them until end_step().
  void begin_step(const std::vector<std::pair<const btCollisionObject *, const btCollisionObject *>> &pairs);
  void end_step();
  // Marks a step as in progress; false if one already is.
  bool enter_step() { return !in_step_.exchange(true); }
  bool in_step() const { return in_step_; }
  // The same for a single pair with its own query, whose answer is valid until the end.
  bool enter_query() { return !in_query_.exchange(true); }
  void end_query() { in_query_ = false; }
  pair_answer answer(const btCollisionObject &a, const btCollisionObject &b) const;

  // Decides one pair, within the margins and a reach beyond them.
  pair_answer decide(const btCollisionObject &a, const btCollisionObject &b, double reach);

  // Decides a concave body and a plane, in either order. The answer is valid until the next call.
  pair_answer decide_plane(const btCollisionObject &a, const btCollisionObject &b);

  // The shape of an object that is currently in a pair of the broad phase.
  std::shared_ptr<shared_shape> shape_of(const btCollisionObject &object) { return bodies_[body_of(object)].shared; }
  graze_workers *workers() { return workers_; }

  void shape_changed(const btCollisionShape *shape);
  void say(const char *format, ...) const __attribute__((format(printf, 2, 3)));

  graze_bullet_report report;

private:
  struct body {
    const btCollisionObject *object = nullptr;
    const btCollisionShape *shape = nullptr;
    int proxy = -1;
    shape_stamp stamp;
    std::shared_ptr<shared_shape> shared;
    graze_object placed = {0, 0}; // an id of zeros: not in the scene
    graze_pose pose;
    bool wanted = false, was_wanted = false;
    bool bad_pose = false;
    uint64_t last_step = 0, last_query = 0;
  };
  struct body_pair {
    uint32_t a, b; // bodies, by the order of their objects in the scene
    double reach;  // beyond the margins
    bool crosses;
    std::vector<near_pair> near;
    std::vector<patch> patches;
  };

  uint32_t body_of(const btCollisionObject &object);
  uint32_t free_body();
  void take_shape(body &taken);
  void make_shape(const body &taken, shared_shape &shared) const;
  void want(uint32_t body);
  bool read_pose(body &taken);
  void add_pair(const btCollisionObject &a, const btCollisionObject &b, double reach);
  bool update_scene();
  bool find(graze_query query);
  bool find_crossing(const graze_query &query);
  bool find_near(const graze_query &query);
  body_pair *pair_of(const graze_pair &pair);
  placed_surface placed_body(uint32_t body) const;
  void make_all_patches();
  void clear_pairs();
  void forget_unseen();
  bool failed(graze_result result) const;

  const graze_bullet_settings settings_;
  graze_workers *workers_ = nullptr;
  graze_scene *scene_ = nullptr;
  std::vector<body> bodies_; // those without an object are free
  std::vector<uint32_t> free_bodies_;
  std::unordered_map<const btCollisionObject *, uint32_t> body_numbers_;
  std::unordered_map<const btCollisionShape *, known_shape> shapes_;
  std::vector<uint32_t> body_of_object_; // by the number of the object in the scene
  std::vector<uint32_t> wanted_;
  std::vector<body_pair> pairs_;
  size_t pair_count_ = 0; // number of pairs_ of this step; the rest is reused memory
  std::unordered_map<uint64_t, uint32_t> pair_numbers_;
  std::vector<patch_scratch> scratch_;
  double clearance_ = 0;
  graze_pairs found_ = {};
  graze_distances distances_ = {};
  graze_contacts contacts_ = {};
  std::vector<graze_id_pair> crossing_; // bodies that cross, excluded from the search for near triangles
  std::vector<graze_pair> near_;
  uint64_t step_ = 0, query_ = 0; // the number of the step, and of the queries for one pair
  std::atomic<bool> in_step_{false}, in_query_{false};
  surface plane_; // the single triangle name of contacts with planes
  std::vector<patch> plane_patches_;
};

} // namespace graze_bullet

#endif
