// Collapses the shortest edges of a closed surface in rounds; see demo_mesh.h. Workload: a few thousand triangles.
#include "bench/bullet/demo_mesh.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace {

demo_point minus(const demo_point &a, const demo_point &b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

double dot(const demo_point &a, const demo_point &b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

demo_point normal(const demo_point &a, const demo_point &b, const demo_point &c) {
  const demo_point u = minus(b, a), v = minus(c, a);
  return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}

struct surface_edges {
  std::vector<std::set<uint32_t>> neighbors;
  std::vector<std::vector<uint32_t>> triangles; // of each vertex

  explicit surface_edges(const demo_mesh &mesh) : neighbors(mesh.positions.size()), triangles(mesh.positions.size()) {
    for (uint32_t t = 0; t < mesh.triangles.size(); t++) {
      for (size_t i = 0; i < 3; i++) {
        const uint32_t a = mesh.triangles[t][i], b = mesh.triangles[t][(i + 1) % 3];
        neighbors[a].insert(b), neighbors[b].insert(a), triangles[a].push_back(t);
      }
    }
  }

  // The surface remains a manifold if the ends have exactly two common neighbors, those of the edge's two faces.
  bool may_join(uint32_t a, uint32_t b) const {
    size_t common = 0;
    for (const uint32_t v : neighbors[a]) common += neighbors[b].count(v);
    return common == 2;
  }
};

// Whether moving `vertex` to `place` rotates one of its faces that do not contain `other` by more than 60 degrees.
bool turns(const demo_mesh &mesh, const surface_edges &edges, uint32_t vertex, uint32_t other,
           const demo_point &place) {
  for (const uint32_t t : edges.triangles[vertex]) {
    const auto &c = mesh.triangles[t];
    if (std::count(c.begin(), c.end(), other) != 0) continue;
    const auto at = [&](size_t i, bool moved) { return moved && c[i] == vertex ? place : mesh.positions[c[i]]; };
    const demo_point before = normal(at(0, false), at(1, false), at(2, false));
    const demo_point after = normal(at(0, true), at(1, true), at(2, true));
    const double cosine = dot(before, after);
    if (!(cosine > 0) || cosine * cosine < 0.25 * dot(before, before) * dot(after, after)) return true;
  }
  return false;
}

// Collapses edges that share no neighbor at once. Returns their number.
size_t collapse_round(demo_mesh &mesh, size_t most) {
  const surface_edges edges(mesh);
  struct edge {
    double length;
    uint32_t a, b;
    bool operator<(const edge &o) const { return std::tie(length, a, b) < std::tie(o.length, o.a, o.b); }
  };
  std::vector<edge> order;
  for (uint32_t a = 0; a < edges.neighbors.size(); a++) {
    for (const uint32_t b : edges.neighbors[a]) {
      const demo_point along = minus(mesh.positions[a], mesh.positions[b]);
      if (a < b) order.push_back({dot(along, along), a, b});
    }
  }
  std::sort(order.begin(), order.end());
  order.resize(order.size() / 4 + 1); // the longer ones wait for another round
  std::vector<bool> touched(mesh.positions.size());
  std::vector<uint32_t> target(mesh.positions.size());
  for (uint32_t v = 0; v < target.size(); v++) target[v] = v;
  size_t count = 0;
  for (const edge &e : order) {
    if (count == most || touched[e.a] || touched[e.b] || !edges.may_join(e.a, e.b)) continue;
    demo_point middle;
    for (size_t k = 0; k < 3; k++) middle[k] = (mesh.positions[e.a][k] + mesh.positions[e.b][k]) / 2;
    if (turns(mesh, edges, e.a, e.b, middle) || turns(mesh, edges, e.b, e.a, middle)) continue;
    for (const uint32_t end : {e.a, e.b}) {
      touched[end] = true;
      for (const uint32_t v : edges.neighbors[end]) touched[v] = true;
    }
    mesh.positions[e.a] = middle, target[e.b] = e.a;
    count++;
  }
  // Remove faces with two equal corners, and unused vertices.
  std::vector<std::array<uint32_t, 3>> left;
  std::vector<demo_point> positions;
  std::vector<uint32_t> number(mesh.positions.size(), UINT32_MAX);
  for (auto corners : mesh.triangles) {
    for (uint32_t &v : corners) v = target[v];
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
    for (uint32_t &v : corners) {
      if (number[v] == UINT32_MAX) number[v] = uint32_t(positions.size()), positions.push_back(mesh.positions[v]);
      v = number[v];
    }
    left.push_back(corners);
  }
  mesh.triangles.swap(left), mesh.positions.swap(positions);
  return count;
}

} // namespace

void decimate(demo_mesh &mesh, size_t triangles) {
  while (mesh.triangles.size() > triangles)
    if (collapse_round(mesh, (mesh.triangles.size() - triangles + 1) / 2) == 0) break;
}
