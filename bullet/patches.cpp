// Contact patches: regions by common vertices, candidates by distances and clipping, points by their mutual distances.
//
// Workload: up to some ten thousand near pairs of two bodies, a handful of regions. Linear in the pairs except for the
// sort of candidates. The normal of a region of crossing triangles is the vector area that its intersection curve
// encloses, the gradient of the common volume of two closed bodies: Volino and Magnenat-Thalmann, "Resolving surface
// collisions through intersection contour minimization", 2006, minimize the same curve.
#include "patches.h"

#include <algorithm>

namespace graze_bullet {
namespace {

struct corners {
  vector3 at[3];
};

corners corners_of(const placed_surface &body, uint32_t triangle) {
  const std::array<uint32_t, 3> &index = body.shape->triangles[triangle];
  corners made;
  for (int i = 0; i < 3; i++) made.at[i] = placed(body.pose, body.shape->positions[index[i]]);
  return made;
}

vector3 normal_of(const placed_surface &body, uint32_t triangle) {
  return turned(body.pose, body.shape->normals[triangle]);
}

// ------------------------------------------------------------------------------------------------ regions

uint32_t root_of(std::vector<uint32_t> &parents, uint32_t i) {
  while (parents[i] != i) i = parents[i] = parents[parents[i]];
  return i;
}

uint64_t slot_of(uint64_t key, uint64_t mask) {
  key *= 0x9e3779b97f4a7c15u;
  return (key ^ key >> 32) & mask;
}

// Unites pairs that share a vertex on both sides; the lowest pair of a region is its root.
void unite_pairs(const surface &a, const surface &b, const std::vector<near_pair> &pairs, patch_scratch &scratch) {
  std::vector<uint32_t> &parents = scratch.parents;
  parents.resize(pairs.size());
  for (uint32_t i = 0; i < pairs.size(); i++) parents[i] = i;
  size_t capacity = 64;
  while (capacity < pairs.size() * 18) capacity *= 2;
  const uint64_t empty = UINT64_MAX;
  scratch.keys.assign(capacity, empty);
  scratch.firsts.resize(capacity);
  for (uint32_t i = 0; i < pairs.size(); i++) {
    for (const uint32_t corner_a : a.triangles[pairs[i].triangle_a]) {
      for (const uint32_t corner_b : b.triangles[pairs[i].triangle_b]) {
        const uint64_t key = uint64_t(corner_a) << 32 | corner_b;
        uint64_t slot = slot_of(key, capacity - 1);
        while (scratch.keys[slot] != empty && scratch.keys[slot] != key) slot = (slot + 1) & (capacity - 1);
        if (scratch.keys[slot] == empty) {
          scratch.keys[slot] = key, scratch.firsts[slot] = i;
        } else {
          const uint32_t one = root_of(parents, i), other = root_of(parents, scratch.firsts[slot]);
          parents[std::max(one, other)] = std::min(one, other);
        }
      }
    }
  }
}

// ------------------------------------------------------------------------------------------------ candidates

// The corners of the common part of two nearly parallel triangles, viewed along the normal of b: a clipped by the edges
// of b. Points of a and their feet on b are contact points.
template <class visitor>
void clip_triangle(const corners &a, const corners &b, const vector3 &normal_b, const visitor &visit) {
  vector3 ring[9], kept[9];
  int count = 3;
  std::copy(a.at, a.at + 3, ring);
  for (int edge = 0; edge < 3 && count > 0; edge++) {
    const vector3 &from = b.at[edge], &to = b.at[(edge + 1) % 3];
    const vector3 inward = cross(normal_b, to - from);
    int next = 0;
    for (int i = 0; i < count; i++) {
      const vector3 &p = ring[i], &q = ring[(i + 1) % count];
      const double side_p = dot(inward, p - from), side_q = dot(inward, q - from);
      if (side_p >= 0) kept[next++] = p;
      if ((side_p > 0 && side_q < 0) || (side_p < 0 && side_q > 0))
        kept[next++] = p + (side_p / (side_p - side_q)) * (q - p);
    }
    count = next;
    std::copy(kept, kept + count, ring);
  }
  for (int i = 0; i < count; i++) visit(ring[i], ring[i] - dot(normal_b, ring[i] - b.at[0]) * normal_b);
}

// Whether no triangle around the feature of a nearest point is nearer to the other surface, in the direction `toward`.
// So an edge between two faces of a smooth surface has no separate contact, and the edge of a box only those that its
// faces allow.
bool is_local_minimum(const placed_surface &body, const graze_feature &feature, const vector3 &toward) {
  const double tolerance = 0.05; // of the sine of the angle
  if (feature.vertex_count == 3 || feature.vertex_count == 0) return true;
  const bool is_edge = feature.vertex_count == 2;
  const uint32_t *vertices = feature.vertices;
  const surface &shape = *body.shape;
  const vector3 local = turned_back(body.pose, toward), &origin = shape.positions[vertices[0]];
  const vector3 along = is_edge ? direction(shape.positions[vertices[1]] - origin) : vector3();
  for (uint32_t i = shape.around_starts[vertices[0]]; i < shape.around_starts[vertices[0] + 1]; i++) {
    const std::array<uint32_t, 3> &triangle = shape.triangles[shape.around[i]];
    if (is_edge && std::find(triangle.begin(), triangle.end(), vertices[1]) == triangle.end()) continue;
    for (const uint32_t corner : triangle) {
      if (corner == vertices[0] || (is_edge && corner == vertices[1])) continue;
      const vector3 to_corner = shape.positions[corner] - origin;
      const vector3 inward = to_corner - dot(to_corner, along) * along;
      if (dot(inward, local) > tolerance * length(inward)) return false;
    }
  }
  return true;
}

// A patch of the first point and up to three others of candidates[order[first]] up to `stop`, each the farthest from
// those before it, and farther than the spacing.
patch spread_points(const std::vector<contact_point> &candidates, const std::vector<uint32_t> &order, size_t first,
                    size_t stop, const contact_point &begin, double spacing, std::vector<double> &nearest) {
  patch made;
  made.points[0] = begin, made.point_count = 1;
  nearest.assign(stop - first, INFINITY); // squared, from each candidate to the chosen points
  while (made.point_count < PATCH_POINTS) {
    double farthest = spacing * spacing;
    const contact_point *best = nullptr;
    for (size_t i = first; i < stop; i++) {
      const vector3 apart = candidates[order[i]].on_b - made.points[made.point_count - 1].on_b;
      nearest[i - first] = std::min(nearest[i - first], dot(apart, apart));
      if (nearest[i - first] > farthest) farthest = nearest[i - first], best = &candidates[order[i]];
    }
    if (!best) break;
    made.points[made.point_count++] = *best;
  }
  return made;
}

// Sums over the crossing triangles of a region.
struct crossing_region {
  vector3 area; // twice the vector area of the intersection curve about `origin`
  vector3 origin;
  double length = 0; // of the curve
  bool begun = false;
};

class maker {
public:
  maker(const placed_surface &a, const placed_surface &b, const std::vector<near_pair> &pairs, double reach,
        patch_scratch &scratch, std::vector<patch> &out)
      : a_(a), b_(b), pairs_(pairs), reach_(reach), scratch_(scratch), out_(out) {}

  void run() {
    unite_pairs(*a_.shape, *b_.shape, pairs_, scratch_);
    crossings_.assign(pairs_.size(), crossing_region());
    for (uint32_t i = 0; i < pairs_.size(); i++)
      if (pairs_[i].contact) measure_crossing(i);
    scratch_.candidates.clear(), scratch_.regions.clear();
    for (uint32_t i = 0; i < pairs_.size(); i++) {
      if (pairs_[i].contact)
        add_crossing(i);
      else
        add_near(i);
    }
    choose_patches();
  }

private:
  double margins(const near_pair &pair) const {
    return a_.shape->names[pair.triangle_a].margin + b_.shape->names[pair.triangle_b].margin;
  }

  // The curve runs along the product of the normals, so that the part of a inside b lies to its left on a.
  void measure_crossing(uint32_t i) {
    const near_pair &pair = pairs_[i];
    crossing_region &region = crossings_[root_of(scratch_.parents, i)];
    if (!region.begun) region.origin = from_array(pair.contact->centroid), region.begun = true;
    if (pair.contact->kind != GRAZE_CONTACT_KIND_SEGMENT) return;
    const vector3 along = cross(normal_of(a_, pair.triangle_a), normal_of(b_, pair.triangle_b));
    const vector3 p = from_array(pair.points[0]) - region.origin, q = from_array(pair.points[1]) - region.origin;
    region.area = region.area + (dot(along, q - p) < 0 ? cross(q, p) : cross(p, q));
    region.length += length(q - p);
  }

  void add(const vector3 &on_a, const vector3 &on_b, const vector3 &normal, double distance, const near_pair &pair,
           uint32_t region) {
    if (distance > margins(pair) + reach_) return;
    scratch_.candidates.push_back({on_a, on_b, normal, distance, pair.triangle_a, pair.triangle_b});
    scratch_.regions.push_back(region);
  }

  // Crossing triangles are separated along the normal of their region. If the curve encloses no area, as in open or
  // badly oriented meshes, they are separated along the normal of their contact, toward the outer side of b.
  void add_crossing(uint32_t i) {
    const near_pair &pair = pairs_[i];
    const graze_contact &contact = *pair.contact;
    const uint32_t root = root_of(scratch_.parents, i);
    const crossing_region &region = crossings_[root];
    vector3 own = -1 * from_array(contact.normal), normal = own;
    double depth = contact.depth;
    const vector3 outward = normal_of(b_, pair.triangle_b) - normal_of(a_, pair.triangle_a);
    if (length(region.area) > 1e-3 * region.length * region.length) {
      normal = direction(-1 * region.area);
      if (dot(own, normal) < 0.5) depth = 0;
    } else if (dot(own, outward) < 0) {
      normal = -1 * own;
    }
    const vector3 middle = from_array(contact.centroid);
    add(middle - (depth / 2) * normal, middle + (depth / 2) * normal, normal, -depth, pair, root);
  }

  void add_near(uint32_t i) {
    const near_pair &pair = pairs_[i];
    const graze_distance &nearest = *pair.distance;
    const uint32_t root = root_of(scratch_.parents, i);
    const vector3 on_a = from_array(nearest.point_a), on_b = from_array(nearest.point_b);
    const vector3 normal = direction(on_a - on_b);
    if (!is_local_minimum(a_, nearest.feature_a, -1 * normal) || !is_local_minimum(b_, nearest.feature_b, normal))
      return;
    add(on_a, on_b, normal, nearest.distance, pair, root);
    // Parallel faces: a body cannot rest on one nearest point.
    const vector3 normal_a = normal_of(a_, pair.triangle_a), normal_b = normal_of(b_, pair.triangle_b);
    if (std::fabs(dot(normal_a, normal_b)) < 0.95 || std::fabs(dot(normal, normal_b)) < 0.95) return;
    const vector3 up = dot(normal, normal_b) < 0 ? -1 * normal_b : normal_b;
    clip_triangle(corners_of(a_, pair.triangle_a), corners_of(b_, pair.triangle_b), normal_b,
                  [&](const vector3 &p, const vector3 &foot) {
                    const double distance = dot(up, p - foot);
                    if (distance > 0) add(p, foot, up, distance, pair, root);
                  });
  }

  // ---------------------------------------------------------------------------------------------- points

  // The depth of a candidate, including the margins; lower is deeper.
  double gap(const contact_point &point) const {
    return point.distance - a_.shape->names[point.triangle_a].margin - b_.shape->names[point.triangle_b].margin;
  }

  // Regions in the order of their first pairs, the candidates of each in the order of their pairs.
  void choose_patches() {
    const std::vector<uint32_t> &regions = scratch_.regions;
    std::vector<uint32_t> &order = scratch_.order, &starts = scratch_.firsts;
    starts.assign(pairs_.size() + 1, 0);
    for (const uint32_t region : regions) starts[region + 1]++;
    for (size_t i = 0; i < pairs_.size(); i++) starts[i + 1] += starts[i];
    order.resize(regions.size());
    for (uint32_t i = 0; i < regions.size(); i++) order[starts[regions[i]]++] = i;
    for (size_t first = 0, end; first < order.size(); first = end) {
      for (end = first; end < order.size() && regions[order[end]] == regions[order[first]];) end++;
      while (first < end) first = choose_patch(first, end);
    }
  }

  // Makes the patch of the deepest candidate from those with similar normals, and returns the index of the first other
  // one. Ties go to the first.
  size_t choose_patch(size_t first, size_t end) {
    const std::vector<contact_point> &candidates = scratch_.candidates;
    std::vector<uint32_t> &order = scratch_.order;
    const contact_point *deepest = nullptr;
    double least = INFINITY;
    for (size_t i = first; i < end; i++) {
      const double here = gap(candidates[order[i]]);
      if (!deepest || here < least) deepest = &candidates[order[i]], least = here;
    }
    const double cosine = 0.8;
    const auto others =
        std::stable_partition(order.begin() + ptrdiff_t(first), order.begin() + ptrdiff_t(end), [&](uint32_t i) {
          return &candidates[i] == deepest || dot(candidates[i].normal, deepest->normal) >= cosine;
        });
    const size_t stop = size_t(others - order.begin());
    out_.push_back(spread_points(candidates, order, first, stop, *deepest, reach_, scratch_.nearest));
    return stop;
  }

  const placed_surface &a_, &b_;
  const std::vector<near_pair> &pairs_;
  const double reach_;
  patch_scratch &scratch_;
  std::vector<patch> &out_;
  std::vector<crossing_region> crossings_;
};

} // namespace

void make_patches(const placed_surface &a, const placed_surface &b, const std::vector<near_pair> &pairs, double reach,
                  patch_scratch &scratch, std::vector<patch> &out) {
  if (!pairs.empty()) maker(a, b, pairs, reach, scratch, out).run();
}

void make_plane_patch(const placed_surface &a, const vector3 &normal, double height, double reach,
                      patch_scratch &scratch, std::vector<patch> &out) {
  const surface &shape = *a.shape;
  scratch.candidates.clear(), scratch.order.clear();
  uint32_t deepest = 0;
  for (size_t i = 0; i < shape.positions.size(); i++) {
    if (shape.around_starts[i] == shape.around_starts[i + 1]) continue;
    const uint32_t triangle = shape.around[shape.around_starts[i]];
    const vector3 on_a = placed(a.pose, shape.positions[i]);
    const double distance = dot(normal, on_a) - height;
    if (distance > shape.names[triangle].margin + reach) continue;
    scratch.candidates.push_back({on_a, on_a - distance * normal, normal, distance, triangle, 0});
    scratch.order.push_back(uint32_t(scratch.order.size()));
    if (distance < scratch.candidates[deepest].distance) deepest = scratch.order.back();
  }
  if (scratch.candidates.empty()) return;
  out.push_back(spread_points(scratch.candidates, scratch.order, 0, scratch.order.size(), scratch.candidates[deepest],
                              reach, scratch.nearest));
}

} // namespace graze_bullet
