// Adapts the drivers of other libraries to engines of graze_rigid: exceptions become messages, shapes float meshes.
//
// Each library is started once and kept. All run in one process, so a crash ends the run; ODE's driver converts its
// assertions to exceptions.
#include "bench/rigid_engine.h"

#include "peer_table.h"

#include <cstdio>
#include <cstring>
#include <exception>

namespace {

struct library {
  std::unique_ptr<peer> (*make)(uint32_t threads);
  std::unique_ptr<peer> started;

  peer &start() {
    if (!started) started = make(1);
    return *started;
  }
};

// The coordinates of a shape as floats, and its borrowed doubles, which have float values.
class float_shape {
public:
  explicit float_shape(const bench_shape &shape) : floats_(3 * shape.vertex_count) { fill(shape); }
  float_shape(float_shape &&) = default; // a copy would point into the floats of the original

  void fill(const bench_shape &shape) {
    for (size_t i = 0; i < floats_.size(); i++) floats_[i] = static_cast<float>(shape.positions[i]);
    mesh_ = {floats_.data(), shape.positions, shape.vertex_count, shape.triangles, shape.triangle_count};
  }

  const peer_mesh &mesh() const { return mesh_; }

private:
  std::vector<float> floats_;
  peer_mesh mesh_;
};

struct held_pair {
  library *from;
  float_shape first, second;
  std::unique_ptr<peer_rigid_pair> bodies;
  peer_pairs pairs;
};

struct held_world {
  std::vector<float_shape> shapes;
  std::vector<peer_mesh> meshes;
  std::unique_ptr<peer_rigid_world> bodies;
};

// Runs a function and converts exceptions to an error.
template <class work> bool guard(rigid_error *error, const work &run) {
  try {
    run();
    return true;
  } catch (const std::exception &problem) {
    snprintf(error->text, sizeof error->text, "%s", problem.what());
    return false;
  }
}

static_assert(sizeof(peer_pose) == sizeof(bench_pose), "poses are passed on unchanged");

const peer_pose *poses_of(const bench_pose *poses) {
  return reinterpret_cast<const peer_pose *>(poses);
}

library &library_of(const rigid_engine *engine) {
  return *static_cast<library *>(const_cast<void *>(engine->chosen));
}

void *open_pair(const rigid_engine *engine, const bench_shape shapes[2], rigid_error *error) {
  held_pair *made = nullptr;
  guard(error, [&] {
    library &from = library_of(engine);
    auto held = std::make_unique<held_pair>(held_pair{&from, float_shape(shapes[0]), float_shape(shapes[1]), {}, {}});
    if ((engine->takes_part & RIGID_HAS_ANY) != 0)
      held->bodies = from.start().hold_pair(held->first.mesh(), held->second.mesh());
    made = held.release();
  });
  return made;
}

bool ask_pair(void *pair, const bench_pose *pose, rigid_question question, rigid_answer *answer_out,
              rigid_error *error) {
  held_pair &held = *static_cast<held_pair *>(pair);
  return guard(error, [&] {
    *answer_out = {};
    if (question == RIGID_ANY) {
      answer_out->found = held.bodies->meet(*poses_of(pose));
      return;
    }
    held.pairs.clear();
    held.bodies->find(*poses_of(pose), held.pairs);
    answer_out->found = !held.pairs.empty();
    answer_out->pairs = held.pairs.size();
  });
}

bool ask_frame(void *pair, const bench_shape shapes[2], rigid_answer *answer_out, rigid_error *error) {
  held_pair &held = *static_cast<held_pair *>(pair);
  return guard(error, [&] {
    held.first.fill(shapes[0]);
    held.second.fill(shapes[1]);
    held.pairs.clear();
    held.from->start().between_pairs(held.first.mesh(), held.second.mesh(), held.pairs);
    *answer_out = {!held.pairs.empty(), held.pairs.size(), 0, 0};
  });
}

void close_pair(void *pair) {
  delete static_cast<held_pair *>(pair);
}

void *open_world(const rigid_engine *engine, const bench_shape *shapes, size_t shape_count, const bench_pose *poses,
                 size_t body_count, rigid_error *error) {
  held_world *made = nullptr;
  guard(error, [&] {
    auto held = std::make_unique<held_world>();
    for (size_t i = 0; i < shape_count; i++) held->shapes.emplace_back(shapes[i]);
    for (const float_shape &shape : held->shapes) held->meshes.push_back(shape.mesh());
    held->bodies = library_of(engine).start().hold_world(held->meshes.data(), shape_count, poses_of(poses), body_count);
    made = held.release();
  });
  return made;
}

// No library stops at the first pair of a whole world: `any` runs as `touch`.
bool ask_world(void *world, const bench_pose *poses, rigid_question question, rigid_answer *answer_out,
               rigid_error *error) {
  held_world &held = *static_cast<held_world *>(world);
  return guard(error, [&] {
    const peer_world_answer answer = held.bodies->find(poses_of(poses), question != RIGID_ALL);
    *answer_out = {answer.bodies > 0, 0, 0, 0};
    if (question == RIGID_ALL) answer_out->pairs = answer.triangles;
    if (question == RIGID_TOUCH) answer_out->pairs = answer.bodies;
  });
}

void close_world(void *world) {
  delete static_cast<held_world *>(world);
}

rigid_engine engine_of(const char *name, unsigned takes_part, library *from) {
  return {name, takes_part, from, open_pair, ask_pair, ask_frame, close_pair, open_world, ask_world, close_world};
}

constexpr unsigned pairs_and_frames = RIGID_HAS_ANY | RIGID_HAS_ALL | RIGID_HAS_FRAMES;

} // namespace

const rigid_engine *rigid_peer_engines(size_t *count_out) {
  static library fcl = {make_peer_fcl, {}}, ode = {make_peer_ode, {}}, bullet = {make_peer_bullet, {}};
  static library cgal = {make_peer_cgal, {}}, embree = {make_peer_embree, {}};
  static const rigid_engine engines[] = {
      engine_of("fcl", pairs_and_frames | RIGID_HAS_WORLD, &fcl),
      engine_of("ode", pairs_and_frames | RIGID_HAS_WORLD, &ode),
      engine_of("bullet", pairs_and_frames | RIGID_HAS_WORLD, &bullet),
      engine_of("cgal", RIGID_HAS_ANY | RIGID_HAS_FRAMES, &cgal),
      engine_of("embree", pairs_and_frames, &embree),
  };
  *count_out = sizeof engines / sizeof engines[0];
  return engines;
}
