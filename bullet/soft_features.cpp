// Nodes near faces and edges near edges. Per pair of triangles at most six and nine, most of which are out of reach.
#include "soft_features.h"

#include <algorithm>
#include <tuple>

namespace graze_bullet {
namespace {

// The weights of the foot of p on the plane of a triangle; false where it lies outside, or there is no plane.
bool foot_weights(const vector3 corners[3], const vector3 &p, double weights[3]) {
  const vector3 normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
  const double size = dot(normal, normal);
  if (!(size > 0)) return false;
  for (int i = 0; i < 3; i++) {
    const vector3 &q = corners[(i + 1) % 3], &r = corners[(i + 2) % 3];
    weights[i] = dot(cross(q - p, r - p), normal) / size;
    if (weights[i] < 0) return false;
  }
  return true;
}

bool shares_vertex(const moving_triangle &a, uint32_t vertex) {
  return std::find(a.vertices, a.vertices + 3, vertex) != a.vertices + 3;
}

double target_of(double before, double margin) {
  return before < margin ? before + 0.2 * (margin - before) : margin;
}

void add_node_contacts(const moving_triangle &nodes, const moving_triangle &face, double margin,
                       std::vector<soft_contact> &out) {
  if (face.is_link) return;
  const vector3 normal = direction(cross(face.now[1] - face.now[0], face.now[2] - face.now[0]));
  const vector3 normal_before = direction(cross(face.before[1] - face.before[0], face.before[2] - face.before[0]));
  for (int i = 0; i < (nodes.is_link ? 2 : 3); i++) {
    if (nodes.object == face.object && shares_vertex(face, nodes.vertices[i])) continue;
    double weights[3];
    if (!foot_weights(face.now, nodes.now[i], weights)) continue;
    const double height = dot(normal, nodes.now[i] - face.now[0]);
    const double height_before = dot(normal_before, nodes.before[i] - face.before[0]);
    const double side = face.outward || height_before >= 0 ? 1 : -1;
    const double moved = length(nodes.now[i] - nodes.before[i]);
    if (side * height > margin || side * height < -(margin + 2 * moved)) continue;
    out.push_back({{{nodes.object, nodes.triangle, 1, {nodes.vertices[i], 0, 0}, {1, 0, 0}},
                    {face.object,
                     face.triangle,
                     3,
                     {face.vertices[0], face.vertices[1], face.vertices[2]},
                     {weights[0], weights[1], weights[2]}}},
                   side * normal,
                   side * height,
                   target_of(side * height_before, margin)});
  }
}

// The nearest points of two lines, as shares of the edges; false where they are parallel or lie outside.
bool nearest_shares(const vector3 &p, const vector3 &u, const vector3 &q, const vector3 &v, double &s, double &t) {
  const vector3 w = p - q;
  const double a = dot(u, u), b = dot(u, v), c = dot(v, v), d = dot(u, w), e = dot(v, w), size = a * c - b * b;
  if (!(size > 1e-12 * a * c)) return false;
  s = (b * e - c * d) / size, t = (a * e - b * d) / size;
  return s > 0 && s < 1 && t > 0 && t < 1;
}

void add_edge_contacts(const moving_triangle &a, const moving_triangle &b, double margin,
                       std::vector<soft_contact> &out) {
  for (int i = 0; i < (a.is_link ? 1 : 3); i++) {
    const int i2 = (i + 1) % 3;
    for (int j = 0; j < (b.is_link ? 1 : 3); j++) {
      const int j2 = (j + 1) % 3;
      if (a.object == b.object && (a.vertices[i] == b.vertices[j] || a.vertices[i] == b.vertices[j2] ||
                                   a.vertices[i2] == b.vertices[j] || a.vertices[i2] == b.vertices[j2]))
        continue;
      const vector3 u = a.now[i2] - a.now[i], v = b.now[j2] - b.now[j];
      double s, t;
      if (!nearest_shares(a.now[i], u, b.now[j], v, s, t)) continue;
      const vector3 apart = (a.now[i] + s * u) - (b.now[j] + t * v);
      const vector3 before =
          (a.before[i] + s * (a.before[i2] - a.before[i])) - (b.before[j] + t * (b.before[j2] - b.before[j]));
      vector3 normal = direction(cross(u, v));
      if (dot(normal, before) < 0) normal = -1 * normal;
      const double distance = dot(normal, apart);
      // Edges that have passed each other have done so within their movement.
      if (distance > margin || distance < -(margin + 2 * length(apart - before))) continue;
      out.push_back({{{a.object, a.triangle, 2, {a.vertices[i], a.vertices[i2], 0}, {1 - s, s, 0}},
                      {b.object, b.triangle, 2, {b.vertices[j], b.vertices[j2], 0}, {1 - t, t, 0}}},
                     normal,
                     distance,
                     target_of(dot(normal, before), margin)});
    }
  }
}

// The feature of a side: the node, the edge by its lower vertex first, or the face.
std::tuple<uint32_t, uint32_t, uint32_t, uint32_t> name_of(const soft_contact::side &side) {
  if (side.count == 3) return {side.object, 3, side.triangle, 0};
  if (side.count == 1) return {side.object, 1, side.vertices[0], 0};
  return {side.object, 2, std::min(side.vertices[0], side.vertices[1]), std::max(side.vertices[0], side.vertices[1])};
}

// Two edges may come in either order.
auto key_of(const soft_contact &contact) {
  const auto first = name_of(contact.sides[0]), second = name_of(contact.sides[1]);
  return contact.sides[0].count == 2 && second < first ? std::make_tuple(second, first)
                                                       : std::make_tuple(first, second);
}

} // namespace

void find_soft_contacts(const moving_triangle &a, const moving_triangle &b, double margin,
                        std::vector<soft_contact> &out) {
  add_node_contacts(a, b, margin, out);
  add_node_contacts(b, a, margin, out);
  add_edge_contacts(a, b, margin, out);
}

void keep_one_each(std::vector<soft_contact> &contacts) {
  std::stable_sort(contacts.begin(), contacts.end(),
                   [](const soft_contact &a, const soft_contact &b) { return key_of(a) < key_of(b); });
  contacts.erase(std::unique(contacts.begin(), contacts.end(),
                             [](const soft_contact &a, const soft_contact &b) { return key_of(a) == key_of(b); }),
                 contacts.end());
}

} // namespace graze_bullet
