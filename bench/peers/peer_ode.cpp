// ODE: dCollide between two triangle meshes, which is OPCODE's box trees and ODE's contact generation.
//
// dCollide returns at most 65,535 contacts, and contacts, not pairs: pairs are the distinct (side1, side2) of the
// contacts. ODE has no self-collision: two geometries over the same data are asked, and the mirrored half and the
// neighbours are dropped here. One thread.
//
// Terdiman, "Memory-optimized bounding-volume hierarchies", 2001 (OPCODE).
#include "peer.h"

#include <ode/ode.h>

#include <algorithm>

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
  std::vector<dContactGeom> contacts(most_contacts);
  const int count = dCollide(a, b, most_contacts, contacts.data(), sizeof(dContactGeom));
  for (int i = 0; i < count; i++) {
    const uint32_t p = static_cast<uint32_t>(contacts[i].side1), q = static_cast<uint32_t>(contacts[i].side2);
    if (wanted(p, q)) pairs_out.emplace_back(p, q);
  }
  std::sort(pairs_out.begin(), pairs_out.end());
  pairs_out.erase(std::unique(pairs_out.begin(), pairs_out.end()), pairs_out.end());
}

class peer_ode final : public peer {
public:
  peer_ode() { dInitODE2(0); }
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
    collect(first.geometry(), second.geometry(), pairs_out, [](uint32_t, uint32_t) { return true; });
    times.query_ms = clock.lap();
    return times;
  }

  peer_times moving_any(const peer_mesh &a, const peer_mesh &b, const std::vector<peer_pose> &poses,
                        std::vector<uint8_t> &found_out) override {
    peer_times times;
    peer_clock clock;
    const trimesh_body first(a), second(b);
    times.build_ms = clock.lap();
    for (const peer_pose &pose : poses) {
      dMatrix3 rotation;
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) rotation[4 * i + j] = pose.rotation[3 * i + j];
        rotation[4 * i + 3] = 0;
      }
      dGeomSetRotation(second.geometry(), rotation);
      dGeomSetPosition(second.geometry(), pose.translation[0], pose.translation[1], pose.translation[2]);
      dContactGeom contact;
      const int flags = static_cast<int>(CONTACTS_UNIMPORTANT) | 1;
      found_out.push_back(dCollide(first.geometry(), second.geometry(), flags, &contact, sizeof contact) > 0);
    }
    times.query_ms = clock.lap();
    return times;
  }
};

} // namespace

std::unique_ptr<peer> make_peer_ode(uint32_t) {
  return std::make_unique<peer_ode>();
}
