// ODE: dCollide between two triangle meshes, which is OPCODE's box trees and ODE's contact generation.
//
// dCollide returns at most 65,535 contacts, not pairs: pairs are the distinct (side1, side2) of the contacts. ODE has
// no self-collision: two geometries over the same data are tested, and the driver drops the mirrored half and the
// neighbors. Many bodies are in ODE's sweep-and-prune space. One thread.
//
// Terdiman, "Memory-optimized bounding-volume hierarchies", 2001 (OPCODE).
#include "peer.h"

#include <ode/ode.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>

namespace {

constexpr int most_contacts = 0xFFFF;

class trimesh_body {
public:
  explicit trimesh_body(const peer_mesh &mesh) : data_(dGeomTriMeshDataCreate()) {
    dGeomTriMeshDataBuildSingle(data_, mesh.positions, 3 * sizeof(float), static_cast<int>(mesh.vertex_count),
                                mesh.triangles, static_cast<int>(3 * mesh.triangle_count), 3 * sizeof(uint32_t));
    geometry_ = dCreateTriMesh(nullptr, data_, nullptr, nullptr, nullptr);
  }
  trimesh_body(const trimesh_body &other) = delete;
  ~trimesh_body() {
    dGeomDestroy(geometry_);
    dGeomTriMeshDataDestroy(data_);
  }

  dGeomID geometry() const { return geometry_; }
  dTriMeshDataID data() const { return data_; }

private:
  dTriMeshDataID data_;
  dGeomID geometry_;
};

template <class filter> void collect(dGeomID a, dGeomID b, peer_pairs &pairs_out, const filter &wanted) {
  static std::vector<dContactGeom> contacts(most_contacts); // megabytes, so not allocated per pose
  const int count = dCollide(a, b, most_contacts, contacts.data(), sizeof(dContactGeom));
  for (int i = 0; i < count; i++) {
    const uint32_t p = static_cast<uint32_t>(contacts[i].side1), q = static_cast<uint32_t>(contacts[i].side2);
    if (wanted(p, q)) pairs_out.emplace_back(p, q);
  }
  std::sort(pairs_out.begin(), pairs_out.end());
  pairs_out.erase(std::unique(pairs_out.begin(), pairs_out.end()), pairs_out.end());
}

bool wants_all(uint32_t, uint32_t) {
  return true;
}

bool touch(dGeomID a, dGeomID b) {
  dContactGeom contact;
  const int flags = static_cast<int>(CONTACTS_UNIMPORTANT) | 1;
  return dCollide(a, b, flags, &contact, sizeof contact) > 0;
}

void place(dGeomID geometry, const peer_pose &pose) {
  dMatrix3 rotation;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) rotation[4 * i + j] = pose.rotation[3 * i + j];
    rotation[4 * i + 3] = 0;
  }
  dGeomSetRotation(geometry, rotation);
  dGeomSetPosition(geometry, pose.translation[0], pose.translation[1], pose.translation[2]);
}

class ode_pair final : public peer_rigid_pair {
public:
  ode_pair(const peer_mesh &a, const peer_mesh &b) : first_(a), second_(b) {}

  bool meet(const peer_pose &pose) override {
    place(second_.geometry(), pose);
    return touch(first_.geometry(), second_.geometry());
  }

  void find(const peer_pose &pose, peer_pairs &pairs_out) override {
    place(second_.geometry(), pose);
    collect(first_.geometry(), second_.geometry(), pairs_out, wants_all);
  }

private:
  trimesh_body first_, second_;
};

class ode_world final : public peer_rigid_world {
public:
  ode_world(const peer_mesh *shapes, size_t shape_count, const peer_pose *poses, size_t body_count)
      : space_(dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ)) {
    for (size_t i = 0; i < shape_count; i++) shapes_.push_back(std::make_unique<trimesh_body>(shapes[i]));
    for (size_t i = 0; i < body_count; i++) {
      bodies_.push_back(dCreateTriMesh(space_, shapes_[i % shape_count]->data(), nullptr, nullptr, nullptr));
      place(bodies_.back(), poses[i]);
    }
  }
  ode_world(const ode_world &) = delete;
  ~ode_world() override { dSpaceDestroy(space_); } // also its bodies

  peer_world_answer find(const peer_pose *poses, bool one_each) override {
    for (size_t i = 0; i < bodies_.size(); i++) place(bodies_[i], poses[i]);
    search s = {one_each, {}, {}};
    dSpaceCollide(space_, &s, meet_bodies);
    return s.answer;
  }

private:
  struct search {
    bool one_each;
    peer_world_answer answer;
    peer_pairs pairs;
  };

  static void meet_bodies(void *context, dGeomID a, dGeomID b) {
    search &s = *static_cast<search *>(context);
    if (s.one_each) {
      s.answer.bodies += touch(a, b);
      return;
    }
    s.pairs.clear();
    collect(a, b, s.pairs, wants_all);
    s.answer.bodies += !s.pairs.empty();
    s.answer.triangles += s.pairs.size();
  }

  dSpaceID space_;
  std::vector<std::unique_ptr<trimesh_body>> shapes_;
  std::vector<dGeomID> bodies_;
};

// ODE calls it before it aborts.
void throw_message(int, const char *message, va_list arguments) {
  char words[256];
  vsnprintf(words, sizeof words, message, arguments);
  throw std::runtime_error(words);
}

void keep_quiet(int, const char *, va_list) {}

class peer_ode final : public peer {
public:
  peer_ode() {
    dInitODE2(0);
    dSetMessageHandler(keep_quiet); // thousands of lines about full tables of contacts
    dSetErrorHandler(throw_message);
    dSetDebugHandler(throw_message);
  }
  ~peer_ode() override { dCloseODE(); }

  peer_times self_pairs(const peer_mesh &mesh, peer_pairs &pairs_out) override {
    peer_times times;
    peer_clock clock;
    const trimesh_body body(mesh);
    const dGeomID twin = dCreateTriMesh(nullptr, body.data(), nullptr, nullptr, nullptr);
    times.build_ms = clock.lap();
    collect(body.geometry(), twin, pairs_out,
            [&](uint32_t i, uint32_t j) { return i < j && !share_vertex(mesh.triangles, i, j); });
    times.query_ms = clock.lap();
    dGeomDestroy(twin);
    return times;
  }

  peer_times between_pairs(const peer_mesh &a, const peer_mesh &b, peer_pairs &pairs_out) override {
    peer_times times;
    peer_clock clock;
    const trimesh_body first(a), second(b);
    times.build_ms = clock.lap();
    collect(first.geometry(), second.geometry(), pairs_out, wants_all);
    times.query_ms = clock.lap();
    return times;
  }

  std::unique_ptr<peer_rigid_pair> hold_pair(const peer_mesh &a, const peer_mesh &b) override {
    return std::make_unique<ode_pair>(a, b);
  }

  std::unique_ptr<peer_rigid_world> hold_world(const peer_mesh *shapes, size_t shape_count, const peer_pose *poses,
                                               size_t body_count) override {
    return std::make_unique<ode_world>(shapes, shape_count, poses, body_count);
  }
};

} // namespace

std::unique_ptr<peer> make_peer_ode(uint32_t) {
  return std::make_unique<peer_ode>();
}
