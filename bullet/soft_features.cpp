// Nodes near faces and edges near edges: at most six and nine per pair of triangles, most of which are out of reach.
#include "soft_features.h"

#include <algorithm>
#include <cstring>

namespace graze_bullet {
namespace {

vector3 area_of(const vector3 corners[3]) {
  return cross(corners[1] - corners[0], corners[2] - corners[0]);
}

// The weights of the foot of p on the plane of a triangle; false if it is outside, or there is no plane.
bool foot_weights(const vector3 corners[3], const vector3 &normal, double size, const vector3 &p, double weights[3]) {
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
  const vector3 area = area_of(face.now);
  const double size = dot(area, area);
  for (int i = 0; i < (nodes.is_link ? 2 : 3); i++) {
    if (nodes.object == face.object && shares_vertex(face, nodes.vertices[i])) continue;
    double weights[3];
    if (!foot_weights(face.now, area, size, nodes.now[i], weights)) continue;
    const vector3 normal = direction(area), normal_before = direction(area_of(face.before));
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

// The nearest points of two lines, as fractions of the edges; false if they are parallel or outside.
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
      // Edges can only have passed each other within their movement.
      if (distance > margin || distance < -(margin + 2 * length(apart - before))) continue;
      out.push_back({{{a.object, a.triangle, 2, {a.vertices[i], a.vertices[i2], 0}, {1 - s, s, 0}},
                      {b.object, b.triangle, 2, {b.vertices[j], b.vertices[j2], 0}, {1 - t, t, 0}}},
                     normal,
                     distance,
                     target_of(dot(normal, before), margin)});
    }
  }
}

} // namespace

void find_soft_contacts(const moving_triangle &a, const moving_triangle &b, double margin,
                        std::vector<soft_contact> &out) {
  add_node_contacts(a, b, margin, out);
  add_node_contacts(b, a, margin, out);
  add_edge_contacts(a, b, margin, out);
}

bool contact_set::key::operator<(const key &other) const {
  return std::lexicographical_compare(words, words + 8, other.words, other.words + 8);
}
bool contact_set::key::operator==(const key &other) const {
  return std::memcmp(words, other.words, sizeof words) == 0;
}

// The name of a node or a face is its number; that of an edge begins with its lower vertex. Two edges may be in either
// order.
contact_set::key contact_set::key_of(const soft_contact &contact) {
  key made;
  for (int k = 0; k < 2; k++) {
    const soft_contact::side &side = contact.sides[k];
    uint32_t *const words = made.words + 4 * k;
    words[0] = side.object, words[1] = side.count, words[3] = 0;
    words[2] = side.count == 3 ? side.triangle : side.vertices[0];
    if (side.count == 2)
      words[2] = std::min(side.vertices[0], side.vertices[1]), words[3] = std::max(side.vertices[0], side.vertices[1]);
  }
  if (contact.sides[0].count == 2 &&
      std::lexicographical_compare(made.words + 4, made.words + 8, made.words, made.words + 4))
    std::swap_ranges(made.words, made.words + 4, made.words + 4);
  return made;
}

void contact_set::clear() {
  keys_.clear(), contacts_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
}

namespace {

size_t hash_of(const uint32_t words[8]) {
  uint64_t hash = 0;
  for (int i = 0; i < 8; i += 2) {
    hash = (hash ^ (uint64_t(words[i]) << 32 | words[i + 1])) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return size_t(hash);
}

} // namespace

void contact_set::grow() {
  slots_.assign(std::max<size_t>(1024, 2 * slots_.size()), 0);
  for (uint32_t i = 0; i < keys_.size(); i++) {
    size_t slot = hash_of(keys_[i].words) & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = i + 1;
  }
}

void contact_set::add(const std::vector<soft_contact> &found) {
  for (const soft_contact &contact : found) {
    if (2 * (keys_.size() + 1) > slots_.size()) grow();
    const key made = key_of(contact);
    size_t slot = hash_of(made.words) & (slots_.size() - 1);
    while (slots_[slot] != 0 && !(keys_[slots_[slot] - 1] == made)) slot = (slot + 1) & (slots_.size() - 1);
    if (slots_[slot] != 0) continue;
    keys_.push_back(made), contacts_.push_back(contact);
    slots_[slot] = uint32_t(keys_.size());
  }
}

const std::vector<soft_contact> &contact_set::sorted() {
  order_.resize(keys_.size());
  for (uint32_t i = 0; i < order_.size(); i++) order_[i] = i;
  std::sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) { return keys_[a] < keys_[b]; });
  sorted_.clear();
  for (const uint32_t i : order_) sorted_.push_back(contacts_[i]);
  return sorted_;
}

} // namespace graze_bullet
