/* Trees of oriented boxes; see element_tree.h.
 *
 * The tree of a is traversed in order. Each of its nodes has a list of the nodes of b that it may meet; its children
 * inherit the list, refined by their own boxes. So boxes of equal levels are compared, as in any descent of two trees,
 * but pairs are listed in the order of a. */
#include "narrow/element_tree.h"

#include "geometry/oriented_box.h"

enum {
  LEAF_BITS = 2, /* triangles in a leaf */
  FAN_BITS = 3,  /* children of a node */
  LEVELS_MOST = 11,
  PARTNERS_MOST = 256,
  SAMPLES_MOST = 24
};

typedef struct element_tree {
  element_list triangulation;
  uint32_t level_count;
  uint32_t node_count[LEVELS_MOST]; /* leaves are level 0; the last level is one node */
  oriented_box *nodes[LEVELS_MOST];
} element_tree;

typedef struct tree_node {
  uint32_t level, index;
} tree_node;

/* Nodes of b, ascending. */
typedef struct partner_list {
  uint32_t count;
  tree_node nodes[PARTNERS_MOST];
} partner_list;

struct tree_pair {
  element_tree a, b;
  uint32_t first_element;
  uint32_t level;                               /* the current level in the tree of a */
  uint32_t next[LEVELS_MOST], end[LEVELS_MOST]; /* nodes of each level of a that are still to be visited */
  partner_list partners[LEVELS_MOST + 1]; /* [0]: of the current leaf; [l + 1]: of the nodes to visit at level l */
  uint32_t element, element_end, partner; /* in the current leaf */
  oriented_box *boxes;
  size_t box_count;
};

/* ---------------------------------------------------------------------------------------------- trees */

static vector3 corner_at(const element_list *triangulation, size_t corner) {
  double position[3];
  fetch_vertex(triangulation->source, triangulation->corners[corner], position);
  return vector3_load(position);
}

/* Computes the box of a range of triangles. A few corners, spread over the range, choose the axes. */
static oriented_box box_of_run(const element_list *triangulation, uint32_t first, uint32_t end) {
  const size_t begin = 3 * (size_t)first, count = 3 * (size_t)(end - first);
  const uint32_t sample_count = count < SAMPLES_MOST ? (uint32_t)count : SAMPLES_MOST;
  vector3 samples[SAMPLES_MOST] = {{0.0, 0.0, 0.0}};
  for (uint32_t i = 0; i < sample_count; i++)
    samples[i] = corner_at(triangulation, begin + (count - 1) * i / (sample_count > 1 ? sample_count - 1 : 1));
  box_fitting fitting;
  box_fitting_begin(&fitting, samples, sample_count);
  for (size_t i = 0; i < count; i++) box_fitting_include(&fitting, corner_at(triangulation, begin + i));
  return box_fitting_end(&fitting);
}

static void tree_count_nodes(element_tree *tree, element_list triangulation) {
  tree->triangulation = triangulation;
  tree->level_count = 0;
  for (uint32_t bits = LEAF_BITS;; bits += FAN_BITS) {
    const uint32_t count = ((triangulation.count - 1) >> bits) + 1;
    tree->node_count[tree->level_count++] = count;
    if (count == 1) return;
  }
}

static size_t tree_node_sum(const element_tree *tree) {
  size_t sum = 0;
  for (uint32_t level = 0; level < tree->level_count; level++) sum += tree->node_count[level];
  return sum;
}

static uint32_t lesser(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static oriented_box *tree_build(element_tree *tree, oriented_box *boxes) {
  for (uint32_t level = 0; level < tree->level_count; level++) {
    const uint32_t width = UINT32_C(1) << (LEAF_BITS + FAN_BITS * level);
    tree->nodes[level] = boxes;
    for (uint32_t i = 0; i < tree->node_count[level]; i++, boxes++) {
      const uint32_t first = i * width, left = tree->triangulation.count - first;
      *boxes = box_of_run(&tree->triangulation, first, first + lesser(width, left));
    }
  }
  return boxes;
}

tree_pair *tree_pair_make(memory *heap, element_list a, element_list b, uint32_t first_element, double clearance) {
  tree_pair *trees = memory_allocate(heap, 1, sizeof *trees);
  if (trees == NULL) return NULL;
  tree_count_nodes(&trees->a, a);
  tree_count_nodes(&trees->b, b);
  trees->box_count = tree_node_sum(&trees->a) + tree_node_sum(&trees->b);
  trees->boxes = memory_allocate(heap, trees->box_count, sizeof *trees->boxes);
  if (trees->boxes == NULL) {
    memory_release(heap, trees, 1, sizeof *trees);
    return NULL;
  }
  const oriented_box *a_end = tree_build(&trees->a, trees->boxes);
  for (oriented_box *box = trees->boxes; clearance > 0.0 && box < a_end; box++) oriented_box_grow(box, clearance);
  tree_build(&trees->b, trees->boxes + (a_end - trees->boxes));
  trees->first_element = first_element;
  trees->level = trees->a.level_count - 1;
  trees->next[trees->level] = 0;
  trees->end[trees->level] = 1;
  partner_list *roots = &trees->partners[trees->level + 1];
  roots->count = 1;
  roots->nodes[0] = (tree_node){trees->b.level_count - 1, 0};
  trees->element = trees->element_end = 0;
  return trees;
}

void tree_pair_release(tree_pair *trees, memory *heap) {
  memory_release(heap, trees->boxes, trees->box_count, sizeof *trees->boxes);
  memory_release(heap, trees, 1, sizeof *trees);
}

/* ---------------------------------------------------------------------------------------------- search */

/* Adds the descendants of a partner that may meet, down to the level of the node of a. Each descent may replace one
 * entry by eight. `remaining` partners follow this one; the list must have capacity for all. */
static void refine_partner(const tree_pair *trees, const oriented_box *box, uint32_t a_level, tree_node partner,
                           uint32_t remaining, partner_list *to) {
  const element_tree *b = &trees->b;
  const uint64_t first = (uint64_t)partner.index << (FAN_BITS * partner.level);
  const uint64_t end = ((uint64_t)partner.index + 1) << (FAN_BITS * partner.level);
  for (uint64_t at = first; at < end && at < b->node_count[0];) {
    uint32_t level = 0;
    while (level < partner.level && at % (UINT64_C(1) << (FAN_BITS * (level + 1))) == 0) level++;
    bool separate;
    for (;; level--) {
      separate = oriented_boxes_separate(box, &b->nodes[level][at >> (FAN_BITS * level)]);
      const uint32_t waiting = (partner.level - level + 1) << FAN_BITS;
      if (separate || level <= a_level || level == 0 || to->count + waiting + remaining > PARTNERS_MOST) break;
    }
    if (!separate) to->nodes[to->count++] = (tree_node){level, (uint32_t)(at >> (FAN_BITS * level))};
    at += UINT64_C(1) << (FAN_BITS * level);
  }
}

static void refine_partners(const tree_pair *trees, uint32_t a_level, uint32_t a_index, const partner_list *from,
                            partner_list *to) {
  const oriented_box *box = &trees->a.nodes[a_level][a_index];
  to->count = 0;
  for (uint32_t i = 0; i < from->count; i++)
    refine_partner(trees, box, a_level, from->nodes[i], from->count - i - 1, to);
}

/* Advances to the next leaf of a that has partners. */
static bool next_leaf(tree_pair *trees) {
  for (;;) {
    while (trees->next[trees->level] == trees->end[trees->level])
      if (++trees->level == trees->a.level_count) return false;
    const uint32_t level = trees->level, index = trees->next[level]++;
    const uint64_t first_element = (uint64_t)index << (LEAF_BITS + FAN_BITS * level);
    if (first_element + (UINT64_C(1) << (LEAF_BITS + FAN_BITS * level)) <= trees->first_element) continue;
    refine_partners(trees, level, index, &trees->partners[level + 1], &trees->partners[level]);
    if (trees->partners[level].count == 0) continue;
    if (level > 0) {
      trees->level--;
      trees->next[level - 1] = index << FAN_BITS;
      trees->end[level - 1] = lesser((index + 1) << FAN_BITS, trees->a.node_count[level - 1]);
      continue;
    }
    trees->element = (uint32_t)first_element < trees->first_element ? trees->first_element : (uint32_t)first_element;
    trees->element_end = lesser((index + 1) << LEAF_BITS, trees->a.triangulation.count);
    trees->partner = 0;
    return true;
  }
}

bool tree_pair_next(tree_pair *trees, uint32_t *element_out, uint32_t *first_out, uint32_t *end_out) {
  while (trees->element == trees->element_end || trees->partner == trees->partners[0].count) {
    if (trees->element != trees->element_end) {
      trees->element++;
      trees->partner = 0;
    }
    if (trees->element == trees->element_end && !next_leaf(trees)) return false;
  }
  const tree_node node = trees->partners[0].nodes[trees->partner++];
  const uint32_t bits = LEAF_BITS + FAN_BITS * node.level;
  const uint64_t end = ((uint64_t)node.index + 1) << bits;
  *element_out = trees->element;
  *first_out = node.index << bits;
  *end_out = end < trees->b.triangulation.count ? (uint32_t)end : trees->b.triangulation.count;
  return true;
}
