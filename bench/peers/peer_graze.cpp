// graze through its public headers, in three rows: with a new scene for each call; with a new scene and persistent
// workers, which keep threads and memory between calls like the devices and thread pools of other libraries; and with a
// persistent scene that gets all positions again, as in a simulation.
//
// Its times include more than those of the peers: checks, copies, the sort of the pairs and their hash.
#include "peer.h"

#include "graze/graze.h"

#include <string>

namespace {

graze_view view_positions(const peer_mesh &mesh) {
  return {mesh.positions, mesh.vertex_count, 0, GRAZE_FORMAT_FLOAT3};
}

// What is kept between calls.
enum class stays { nothing, workers, scene };

class peer_graze : public peer {
public:
  peer_graze(uint32_t threads, stays what) : threads_(threads), kept_(what == stays::scene) {
    if (what != stays::workers) return;
    graze_workers_def def = graze_workers_def_default();
    def.worker_count = threads;
    check(graze_workers_create(&def, &workers_));
  }
  peer_graze(const peer_graze &) = delete;
  ~peer_graze() override {
    graze_pairs_free(&pairs_);
    graze_scene_destroy(scene_);
    graze_workers_destroy(workers_);
  }

  peer_times self_pairs(const peer_mesh &mesh, peer_pairs &pairs_out) override {
    return find({&mesh}, GRAZE_SCOPE_WITHIN, pairs_out);
  }

  peer_times between_pairs(const peer_mesh &a, const peer_mesh &b, peer_pairs &pairs_out) override {
    return find({&a, &b}, GRAZE_SCOPE_BETWEEN, pairs_out);
  }

  peer_times moving_any(const peer_mesh &a, const peer_mesh &b, const std::vector<peer_pose> &poses,
                        std::vector<uint8_t> &found_out) override {
    peer_times times;
    peer_clock clock;
    load({&a, &b});
    times.build_ms = clock.lap();
    graze_query query = graze_query_default();
    query.scope = GRAZE_SCOPE_BETWEEN;
    for (const peer_pose &pose : poses) {
      graze_pose placed;
      std::copy(pose.rotation, pose.rotation + 9, placed.rotation);
      std::copy(pose.translation, pose.translation + 3, placed.translation);
      check(graze_object_set_pose(scene_, objects_[1], &placed));
      check(graze_scene_update(scene_));
      bool found = false;
      check(graze_scene_any_pair(scene_, &query, &found, &pairs_));
      found_out.push_back(found);
    }
    times.query_ms = clock.lap();
    if (!kept_) release();
    return times;
  }

private:
  static void check(graze_result result) {
    if (result != GRAZE_OK) throw std::runtime_error(graze_error_text());
  }

  void release() {
    graze_pairs_free(&pairs_);
    graze_scene_destroy(scene_);
    scene_ = nullptr;
    objects_.clear();
  }

  void load(const std::vector<const peer_mesh *> &meshes) {
    if (kept_ && scene_ != nullptr) {
      for (size_t i = 0; i < meshes.size(); i++) {
        check(graze_object_set_positions(scene_, objects_[i], 0, view_positions(*meshes[i])));
      }
      return;
    }
    release();
    graze_scene_def def = graze_scene_def_default();
    def.worker_count = threads_;
    def.workers = workers_;
    check(graze_scene_create(&def, &scene_));
    for (const peer_mesh *mesh : meshes) {
      graze_mesh_def mesh_def = graze_mesh_def_default();
      mesh_def.positions = view_positions(*mesh);
      mesh_def.triangles = {mesh->triangles, mesh->triangle_count, 0, GRAZE_FORMAT_UINT32_3};
      graze_object object;
      check(graze_scene_add(scene_, GRAZE_KIND_TRIANGLE, &mesh_def, nullptr, &object));
      objects_.push_back(object);
    }
  }

  peer_times find(const std::vector<const peer_mesh *> &meshes, graze_scope scope, peer_pairs &pairs_out) {
    peer_times times;
    peer_clock clock;
    load(meshes);
    check(graze_scene_update(scene_));
    const double before_query = clock.lap();
    graze_query query = graze_query_default();
    query.scope = scope;
    check(graze_scene_find_pairs(scene_, &query, &pairs_));
    const double whole_query = clock.lap();
    const graze_timings &stages = *pairs_.timings;
    const double built_in_query = stages.bounds_ms + stages.build_ms;
    times.build_ms = before_query + built_in_query;
    times.query_ms = whole_query - built_in_query;
    for (size_t i = 0; i < pairs_.count; i++) {
      pairs_out.emplace_back(pairs_.pairs[i].primitive_a, pairs_.pairs[i].primitive_b);
    }
    if (!kept_) release();
    return times;
  }

  uint32_t threads_;
  bool kept_; // the scene
  graze_workers *workers_ = nullptr;
  graze_scene *scene_ = nullptr;
  graze_pairs pairs_{};
  std::vector<graze_object> objects_;
};

} // namespace

std::unique_ptr<peer> make_peer_graze(uint32_t threads) {
  return std::make_unique<peer_graze>(threads, stays::nothing);
}
std::unique_ptr<peer> make_peer_graze_workers(uint32_t threads) {
  return std::make_unique<peer_graze>(threads, stays::workers);
}
std::unique_ptr<peer> make_peer_graze_kept(uint32_t threads) {
  return std::make_unique<peer_graze>(threads, stays::scene);
}
