// An optimized linear bounding volume hierarchy of the benchmark, with graze's exact triangle test, as a strict rival.
//
// Triangles are sorted by Morton codes with 16 bits per axis. Every leaf climbs the tree, and the second visitor of a
// node continues (Karras, "Maximizing parallelism in the construction of BVHs, octrees, and k-d trees", 2012; Apetrei,
// "Fast and simple agglomerative LBVH construction", 2014). A node is a cache line with the boxes of both children.
// Groups of four consecutive leaves descend together and are compared with a box at once. Within one mesh, subtrees
// that end before the group are skipped, so that each pair is found once. Between two meshes, the leaves of the first
// descend in the tree of the second. Nothing is kept between calls.
#include "peer.h"

#include "graze/triangle.h"

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>

namespace {

struct box {
  float low[3], high[3];
};

box box_of(const peer_mesh &mesh, size_t triangle) {
  const uint32_t *const corner = mesh.triangles + 3 * triangle;
  box made;
  for (int axis = 0; axis < 3; axis++) {
    const float a = mesh.positions[3 * static_cast<size_t>(corner[0]) + static_cast<size_t>(axis)];
    const float b = mesh.positions[3 * static_cast<size_t>(corner[1]) + static_cast<size_t>(axis)];
    const float c = mesh.positions[3 * static_cast<size_t>(corner[2]) + static_cast<size_t>(axis)];
    made.low[axis] = std::min({a, b, c});
    made.high[axis] = std::max({a, b, c});
  }
  return made;
}

box join(const box &a, const box &b) {
  box both;
  for (int axis = 0; axis < 3; axis++) {
    both.low[axis] = std::min(a.low[axis], b.low[axis]);
    both.high[axis] = std::max(a.high[axis], b.high[axis]);
  }
  return both;
}

box box_of_all(const peer_mesh &mesh) {
  const float infinite = std::numeric_limits<float>::infinity();
  box all = {{infinite, infinite, infinite}, {-infinite, -infinite, -infinite}};
  for (size_t i = 0; i < 3 * mesh.vertex_count; i++) {
    all.low[i % 3] = std::min(all.low[i % 3], mesh.positions[i]);
    all.high[i % 3] = std::max(all.high[i % 3], mesh.positions[i]);
  }
  return all;
}

// ---------------------------------------------------------------------------------------------- leaves

constexpr unsigned bits_an_axis = 16, digit_bits = 12, digits = 4; // 48 bits in all

uint64_t spread(uint64_t number) {
  number = (number | number << 32) & 0x1f00000000ffffu;
  number = (number | number << 16) & 0x1f0000ff0000ffu;
  number = (number | number << 8) & 0x100f00f00f00f00fu;
  number = (number | number << 4) & 0x10c30c30c30c30c3u;
  return (number | number << 2) & 0x1249249249249249u;
}

struct leaf_key {
  uint64_t code;
  uint32_t triangle;
};

uint64_t code_of(const box &b, const box &all) {
  uint64_t code = 0;
  for (int axis = 0; axis < 3; axis++) {
    const float extent = all.high[axis] - all.low[axis];
    const float place = extent > 0.0f ? (0.5f * (b.low[axis] + b.high[axis]) - all.low[axis]) / extent : 0.0f;
    const float last = static_cast<float>((1u << bits_an_axis) - 1u);
    code |= spread(static_cast<uint64_t>(std::min(std::max(place * last, 0.0f), last))) << axis;
  }
  return code;
}

void sort_by_digits(std::vector<leaf_key> &keys) {
  std::vector<leaf_key> other(keys.size());
  for (unsigned digit = 0; digit < digits; digit++) {
    std::vector<uint32_t> first((1u << digit_bits) + 1u);
    const auto digit_of = [digit](const leaf_key &key) {
      return static_cast<size_t>(key.code >> digit * digit_bits & ((1u << digit_bits) - 1u));
    };
    for (const leaf_key &key : keys) first[digit_of(key) + 1]++;
    for (size_t i = 1; i < first.size(); i++) first[i] += first[i - 1];
    for (const leaf_key &key : keys) other[first[digit_of(key)]++] = key;
    keys.swap(other);
  }
}

// The boxes of a mesh in Morton order.
struct leaves {
  std::vector<leaf_key> keys;
  std::vector<box> boxes;
};

leaves make_leaves(const peer_mesh &mesh, const box &all, uint32_t threads) {
  leaves made = {std::vector<leaf_key>(mesh.triangle_count), std::vector<box>(mesh.triangle_count)};
  std::vector<box> given(mesh.triangle_count);
  const tbb::blocked_range<size_t> range(0, mesh.triangle_count, 4096);
  tbb::parallel_for(range, [&](const tbb::blocked_range<size_t> &part) {
    for (size_t i = part.begin(); i < part.end(); i++) {
      given[i] = box_of(mesh, i);
      made.keys[i] = {code_of(given[i], all), static_cast<uint32_t>(i)};
    }
  });
  if (threads == 1)
    sort_by_digits(made.keys);
  else
    tbb::parallel_sort(made.keys.begin(), made.keys.end(), [](const leaf_key &a, const leaf_key &b) {
      return a.code != b.code ? a.code < b.code : a.triangle < b.triangle;
    });
  tbb::parallel_for(range, [&](const tbb::blocked_range<size_t> &part) {
    for (size_t i = part.begin(); i < part.end(); i++) made.boxes[i] = given[made.keys[i].triangle];
  });
  return made;
}

// ---------------------------------------------------------------------------------------------- the tree

constexpr uint32_t is_leaf = 0x80000000u;

// Numbered by the last leaf of its left half.
struct node {
  box child_box[2];
  uint32_t child[2]; // a node, or a leaf and is_leaf
  uint32_t last[2];  // the last leaf of each child
};

struct tree {
  std::vector<node> nodes;
  uint32_t root;
};

// The difference of the codes of a leaf and the next one; of their numbers if the codes are equal.
struct difference {
  uint64_t code;
  size_t number;
  bool operator<(const difference &other) const {
    return code != other.code ? code < other.code : number < other.number;
  }
};

difference difference_after(const leaves &l, size_t leaf) {
  return {l.keys[leaf].code ^ l.keys[leaf + 1].code, leaf ^ (leaf + 1)};
}

// Requires at least two leaves.
tree make_tree(const leaves &l) {
  const size_t count = l.keys.size();
  tree made = {std::vector<node>(count - 1), 0};
  std::vector<std::atomic<uint32_t>> other_end(count - 1); // end of the first child, plus 1
  for (std::atomic<uint32_t> &end : other_end) end.store(0, std::memory_order_relaxed);
  std::atomic<uint32_t> root{0};
  tbb::parallel_for(tbb::blocked_range<size_t>(0, count, 2048), [&](const tbb::blocked_range<size_t> &part) {
    for (size_t leaf = part.begin(); leaf < part.end(); leaf++) {
      size_t first = leaf, last = leaf;
      uint32_t climbing = static_cast<uint32_t>(leaf) | is_leaf;
      box around = l.boxes[leaf];
      for (;;) {
        const bool left =
            first == 0 || (last + 1 != count && difference_after(l, last) < difference_after(l, first - 1));
        const size_t parent = left ? last : first - 1;
        node &n = made.nodes[parent];
        const int side = left ? 0 : 1;
        n.child_box[side] = around;
        n.child[side] = climbing;
        n.last[side] = static_cast<uint32_t>(last);
        // The first visitor stores its far end and stops; the second sees everything that the first has written.
        const uint32_t end =
            other_end[parent].exchange(static_cast<uint32_t>(left ? first : last) + 1u, std::memory_order_acq_rel);
        if (end == 0) break;
        (left ? last : first) = end - 1u;
        around = join(n.child_box[0], n.child_box[1]);
        climbing = static_cast<uint32_t>(parent);
        if (first == 0 && last + 1 == count) {
          root.store(climbing, std::memory_order_relaxed);
          break;
        }
      }
    }
  });
  made.root = root.load();
  return made;
}

// ---------------------------------------------------------------------------------------------- the descent

typedef float four_floats __attribute__((vector_size(16)));
typedef int32_t four_masks __attribute__((vector_size(16)));

constexpr size_t together = 4;

// Four consecutive leaves; the last one is repeated if there are fewer.
struct query_group {
  four_floats low[3], high[3];
  size_t first, count;
};

query_group make_group(const leaves &l, size_t first) {
  query_group group;
  group.first = first;
  group.count = std::min(together, l.boxes.size() - first);
  for (size_t i = 0; i < together; i++) {
    const box &b = l.boxes[first + std::min(i, group.count - 1)];
    for (int axis = 0; axis < 3; axis++) {
      group.low[axis][i] = b.low[axis];
      group.high[axis][i] = b.high[axis];
    }
  }
  return group;
}

four_floats four_of(float value) {
  return four_floats{value, value, value, value};
}

four_masks meeting(const query_group &group, const box &b) {
  four_masks meet = (group.low[0] <= four_of(b.high[0])) & (four_of(b.low[0]) <= group.high[0]);
  for (int axis = 1; axis < 3; axis++)
    meet &= (group.low[axis] <= four_of(b.high[axis])) & (four_of(b.low[axis]) <= group.high[axis]);
  return meet;
}

bool any(four_masks masks) {
  uint64_t halves[2];
  std::memcpy(halves, &masks, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

// Calls visit with a leaf and the lanes that intersect it; within one mesh, skips leaves before the group.
template <class visitor> void descend(const tree &t, const query_group &group, bool within, visitor visit) {
  std::array<uint32_t, 128> stack; // the maximum depth is the number of bits of codes and numbers
  size_t depth = 0;
  stack[depth++] = t.root;
  while (depth > 0) {
    const node &n = t.nodes[stack[--depth]];
    for (int side = 1; side >= 0; side--) {
      if (within && n.last[side] <= group.first) continue;
      const four_masks meet = meeting(group, n.child_box[side]);
      if (!any(meet)) continue;
      if ((n.child[side] & is_leaf) != 0)
        visit(n.child[side] & ~is_leaf, meet);
      else
        stack[depth++] = n.child[side];
    }
  }
}

void load_triangle(const peer_mesh &mesh, uint32_t triangle, double *corners_out) {
  for (size_t i = 0; i < 9; i++)
    corners_out[i] =
        mesh.positions[3 * static_cast<size_t>(mesh.triangles[3 * static_cast<size_t>(triangle) + i / 3]) + i % 3];
}

// Finds pairs of the leaves of the first mesh with those of the tree; within one mesh both are the same.
void search(const peer_mesh &first, const leaves &looking, const peer_mesh &second, const leaves &leaves_of_tree,
            const tree &t, bool within, peer_pairs &pairs_out) {
  tbb::enumerable_thread_specific<peer_pairs> found;
  const size_t groups = (looking.boxes.size() + together - 1) / together;
  tbb::parallel_for(tbb::blocked_range<size_t>(0, groups, 256), [&](const tbb::blocked_range<size_t> &part) {
    peer_pairs &own = found.local();
    for (size_t number = part.begin(); number < part.end(); number++) {
      const query_group group = make_group(looking, number * together);
      descend(t, group, within, [&](uint32_t leaf, four_masks meet) {
        const uint32_t b = leaves_of_tree.keys[leaf].triangle;
        double corners_b[9];
        bool loaded = false;
        for (size_t i = 0; i < group.count; i++) {
          if (meet[i] == 0 || (within && leaf <= group.first + i)) continue;
          const uint32_t a = looking.keys[group.first + i].triangle;
          if (within && share_vertex(first.triangles, a, b)) continue;
          double corners_a[9];
          load_triangle(first, a, corners_a);
          if (!loaded) load_triangle(second, b, corners_b);
          loaded = true;
          if (!graze_triangles_intersect(corners_a, corners_b)) continue;
          own.emplace_back(within ? std::min(a, b) : a, within ? std::max(a, b) : b);
        }
      });
    }
  });
  for (const peer_pairs &part : found) pairs_out.insert(pairs_out.end(), part.begin(), part.end());
}

class peer_lbvh final : public peer {
public:
  explicit peer_lbvh(uint32_t threads) : threads_(threads), arena_(static_cast<int>(threads)) {}

  peer_times self_pairs(const peer_mesh &mesh, peer_pairs &pairs_out) override {
    peer_times times;
    if (mesh.triangle_count < 2) return times;
    arena_.execute([&] {
      peer_clock clock;
      const leaves own = make_leaves(mesh, box_of_all(mesh), threads_);
      const tree t = make_tree(own);
      times.build_ms = clock.lap();
      search(mesh, own, mesh, own, t, true, pairs_out);
      times.query_ms = clock.lap();
    });
    return times;
  }

  peer_times between_pairs(const peer_mesh &a, const peer_mesh &b, peer_pairs &pairs_out) override {
    peer_times times;
    if (a.triangle_count == 0 || b.triangle_count < 2) throw peer_unsupported("its trees require at least two leaves");
    arena_.execute([&] {
      peer_clock clock;
      const box all = join(box_of_all(a), box_of_all(b));
      const leaves first = make_leaves(a, all, threads_), second = make_leaves(b, all, threads_);
      const tree t = make_tree(second);
      times.build_ms = clock.lap();
      search(a, first, b, second, t, false, pairs_out);
      times.query_ms = clock.lap();
    });
    return times;
  }

private:
  uint32_t threads_;
  tbb::task_arena arena_;
};

} // namespace

std::unique_ptr<peer> make_peer_lbvh(uint32_t threads) {
  return std::make_unique<peer_lbvh>(threads);
}
