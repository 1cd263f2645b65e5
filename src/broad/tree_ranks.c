/* Pairs of many bodies, by a tree over the ranks of their boxes; see tree_bodies.h.
 *
 * The ends of the boxes along each axis are sorted, and each box becomes the box of its ends' ranks: two boxes meet
 * where their boxes of ranks do, touching ones too as at a tie all lower ends come before the upper ones. Ranks are
 * spread evenly whatever the scene, small integers that float holds exactly, so that a tree over them, descended with
 * itself, finds the pairs; far-away bodies cost nothing.
 *
 * Workload: 10^2 to 10^5 bodies once a frame. */
#include "broad/tree_bodies.h"

#include "base/cell_hash.h"
#include "base/radix_sort.h"
#include "base/simd_choice.h"
#include "broad/tree_descent.h"

#include <math.h>
#include <string.h>

enum { BODIES_BETWEEN_STOPS = 2048 };

typedef struct rank_tree {
  const tree_forest *forest;
  const search *search;
  body_pair_list *list;
  uint32_t count;   /* of bodies */
  uint64_t *keys;   /* 2 ends a body, and as much scratch */
  uint32_t *values; /* likewise */
  uint32_t *ranks;  /* a body each: lower and upper along x, y, z */
  uint32_t *leaves; /* bodies in the order of the tree */
  tree_block *blocks;
  uint32_t block_count;
  bool out_of_memory;
} rank_tree;

/* Doubles in the order of integers. */
static uint64_t ordered_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (bits >> 63) != 0 ? ~bits : bits | 0x8000000000000000u;
}

/* The ends of a body's box, rounded outward as far as posed_spaces_meet does. */
static double box_end(const posed_space *posed, int axis, bool upper) {
  const double half = posed->half[axis] * (1.0 + 0x1p-50), error = fabs(posed->origin[axis]) * 0x1p-50 + 0x1p-1070;
  const double end = upper ? posed->origin[axis] + half + error : posed->origin[axis] - half - error;
  if (isnan(end)) return upper ? HUGE_VAL : -HUGE_VAL; /* its place or its size is beyond double */
  return end + 0.0;                                    /* minus zero is zero */
}

/* Asked for each body; whether the search is to be left. */
static bool is_stopped(const rank_tree *tree, uint32_t body) {
  return body % BODIES_BETWEEN_STOPS == 0 && stop_is_asked_for(tree->search->stop);
}

/* Orders the first `count` keys, and what `values` has for each. Whether nobody stopped it, as of all that follow. */
static bool sort_keys(rank_tree *tree, uint32_t *values, uint32_t *scratch, size_t count, uint32_t key_bits) {
  radix_sort_pairs_stoppable(tree->keys, values, tree->keys + count, scratch, count, key_bits, tree->search->memory,
                             tree->search->workers, tree->search->stop);
  return !stop_was_asked_for(tree->search->stop);
}

/* Lower ends come first, so that a stable sort leaves them before upper ones that are equal. */
static bool rank_axis(rank_tree *tree, int axis) {
  const uint32_t count = tree->count;
  for (uint32_t i = 0; i < count; i++) {
    if (is_stopped(tree, i)) return false;
    tree->keys[i] = ordered_bits(box_end(&tree->forest->posed[i], axis, false));
    tree->keys[count + i] = ordered_bits(box_end(&tree->forest->posed[i], axis, true));
    tree->values[i] = i;
    tree->values[count + i] = count + i;
  }
  if (!sort_keys(tree, tree->values, tree->values + 2 * (size_t)count, 2 * (size_t)count, 64)) return false;
  for (uint32_t rank = 0; rank < 2 * count; rank++) {
    if (is_stopped(tree, rank)) return false;
    const uint32_t value = tree->values[rank];
    tree->ranks[6 * (size_t)(value % count) + (size_t)axis + (value < count ? 0 : 3)] = rank;
  }
  return true;
}

/* Bodies along a Morton curve through their boxes' middle ranks, which have at most 33 bits when doubled. */
static bool order_bodies(rank_tree *tree) {
  int shift = 0;
  while (((uint64_t)4 * tree->count >> shift) >= (1u << 21)) shift++;
  for (uint32_t i = 0; i < tree->count; i++) {
    if (is_stopped(tree, i)) return false;
    const uint32_t *rank = tree->ranks + 6 * (size_t)i;
    uint32_t middle[3];
    for (int axis = 0; axis < 3; axis++) middle[axis] = (uint32_t)(((uint64_t)rank[axis] + rank[axis + 3]) >> shift);
    tree->keys[i] = cell_hash_morton((int32_t)middle[0], (int32_t)middle[1], (int32_t)middle[2]);
    tree->leaves[i] = i;
  }
  return sort_keys(tree, tree->leaves, tree->values, tree->count, 63);
}

/* Ranks up to 2^23 are exact; greater ones, of more than four million bodies, are made even outward. */
static void set_rank_lane(tree_block *block, uint32_t lane, const uint32_t low[3], const uint32_t high[3]) {
  for (int axis = 0; axis < 3; axis++) {
    const double middle = 0.5 * ((double)low[axis] + high[axis]), half = 0.5 * ((double)high[axis] - low[axis]);
    block->centre[axis][lane] = (float)middle;
    block->half[axis][lane] = high[axis] < 1u << 23 ? (float)half : (float)(half + 512.0);
  }
}

/* Boxes of ranks, a node each: x, y, z. */
typedef struct rank_boxes {
  uint32_t *low, *high;
} rank_boxes;

static bool read_leaf_ranks(const rank_tree *tree, rank_boxes boxes) {
  for (uint32_t i = 0; i < tree->count; i++) {
    if (is_stopped(tree, i)) return false;
    const uint32_t *rank = tree->ranks + 6 * (size_t)tree->leaves[i];
    memcpy(boxes.low + 3 * (size_t)i, rank, 3 * sizeof *rank);
    memcpy(boxes.high + 3 * (size_t)i, rank + 3, 3 * sizeof *rank);
  }
  return true;
}

/* Makes the block of node i of the level above, whose box takes the place of box i. */
static void fit_block(tree_block *block, rank_boxes boxes, uint32_t i, uint32_t node_count) {
  uint32_t least[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, most[3] = {0, 0, 0};
  clear_tree_block(block);
  for (uint32_t lane = 0; lane < TREE_FANOUT && TREE_FANOUT * i + lane < node_count; lane++) {
    const uint32_t *low = boxes.low + 3 * ((size_t)TREE_FANOUT * i + lane);
    const uint32_t *high = boxes.high + 3 * ((size_t)TREE_FANOUT * i + lane);
    set_rank_lane(block, lane, low, high);
    for (int axis = 0; axis < 3; axis++) {
      least[axis] = low[axis] < least[axis] ? low[axis] : least[axis];
      most[axis] = high[axis] > most[axis] ? high[axis] : most[axis];
    }
  }
  memcpy(boxes.low + 3 * (size_t)i, least, sizeof least);
  memcpy(boxes.high + 3 * (size_t)i, most, sizeof most);
}

static bool fit_ranks(rank_tree *tree) {
  const tree_layout layout = tree_layout_of(tree->count);
  const rank_boxes boxes = {tree->values, tree->values + 3 * (size_t)tree->count};
  if (!read_leaf_ranks(tree, boxes)) return false;
  for (uint32_t level = 0, nodes = tree->count; level <= layout.top; level++, nodes = tree_parents(nodes))
    for (uint32_t i = 0; i < tree_parents(nodes); i++) {
      if (is_stopped(tree, i)) return false;
      fit_block(tree->blocks + layout.first[level] + i, boxes, i, nodes);
    }
  return true;
}

static bool take_bodies(void *context, uint32_t s, uint32_t t, uint32_t bits) {
  rank_tree *tree = context;
  for (; bits != 0; bits &= bits - 1) {
    const uint32_t bit = (uint32_t)__builtin_ctz(bits);
    const uint32_t a = tree->leaves[s + bit / TREE_FANOUT], b = tree->leaves[t + bit % TREE_FANOUT];
    if (!tree_bodies_are_asked_for(tree->forest, tree->search->view, a, b)) continue;
    if (!body_pair_list_append(tree->list, tree->search->memory, a < b ? a : b, a < b ? b : a)) {
      tree->out_of_memory = true;
      return false;
    }
  }
  return true;
}

static void descend_ranks(rank_tree *tree) {
  tree_descent descent = {.s = tree_layout_of(tree->count),
                          .s_blocks = tree->blocks,
                          .t_blocks = tree->blocks,
                          .relation = {.unit_s = 1.0f, .unit_t = 1.0f, .aligned = true},
                          .kernels = SIMD_KERNELS(tree_kernels, tree->search->simd),
                          .itself = true,
                          .stop = tree->search->stop};
  descent.t = descent.s;
  (void)tree_descend(&descent, descent_root(&descent), take_bodies, tree);
}

static void search_by_ranks(rank_tree *tree) {
  bool goes_on = true;
  for (int axis = 0; axis < 3 && goes_on; axis++) goes_on = rank_axis(tree, axis);
  if (goes_on && order_bodies(tree) && fit_ranks(tree)) descend_ranks(tree);
}

bool tree_compare_by_ranks(const tree_forest *forest, const search *s, body_pair_list *list) {
  const uint32_t count = (uint32_t)forest->body_count;
  memory *heap = s->memory;
  rank_tree tree = {
      .forest = forest, .search = s, .list = list, .count = count, .block_count = tree_block_count(count)};
  tree.keys = memory_allocate(heap, count, 4 * sizeof *tree.keys);
  tree.values = memory_allocate(heap, count, 6 * sizeof *tree.values);
  tree.ranks = memory_allocate(heap, count, 6 * sizeof *tree.ranks);
  tree.leaves = memory_allocate(heap, count, sizeof *tree.leaves);
  tree.blocks = memory_allocate(heap, tree.block_count, sizeof *tree.blocks);
  const bool ready =
      tree.keys != NULL && tree.values != NULL && tree.ranks != NULL && tree.leaves != NULL && tree.blocks != NULL;
  if (ready) search_by_ranks(&tree);
  memory_release(heap, tree.blocks, tree.block_count, sizeof *tree.blocks);
  memory_release(heap, tree.leaves, count, sizeof *tree.leaves);
  memory_release(heap, tree.ranks, count, 6 * sizeof *tree.ranks);
  memory_release(heap, tree.values, count, 6 * sizeof *tree.values);
  memory_release(heap, tree.keys, count, 4 * sizeof *tree.keys);
  return ready && !tree.out_of_memory;
}
