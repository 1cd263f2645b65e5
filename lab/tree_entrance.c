/* Chooses and records the entrance level; see tree_entrance.h. */
#include "lab/tree_entrance.h"

/* The best of 0.25, 0.5 and 0.75: it saved most tests and never added any; see docs/theory/trees.md. */
static const double ENTRANCE_SHARE = 0.5;

static uint32_t nodes_at(uint32_t leaf_count, uint32_t level) {
  uint32_t nodes = leaf_count;
  for (; level > 0 && nodes > 1; level--) nodes = tree_parents(nodes);
  return nodes;
}

uint32_t tree_blocks_at(uint32_t leaf_count, uint32_t level) {
  return tree_parents(nodes_at(leaf_count, level));
}

uint64_t tree_entrance_blocks(const entrance_trees *trees, uint32_t level) {
  const uint64_t s = tree_blocks_at(trees->s_leaves, level), t = tree_blocks_at(trees->t_leaves, level);
  return trees->itself ? s * (s + 1) / 2 : s * t;
}

/* Within a body, each pair once, and above the leaves each node with itself. */
static double node_pairs_at(const entrance_trees *trees, uint32_t level) {
  const double s = nodes_at(trees->s_leaves, level), t = nodes_at(trees->t_leaves, level);
  if (!trees->itself) return s * t;
  return level > 0 ? s * (s + 1.0) / 2.0 : s * (s - 1.0) / 2.0;
}

uint32_t tree_entrance_root(const entrance_trees *trees) {
  const uint32_t s = tree_layout_of(trees->s_leaves).top, t = tree_layout_of(trees->t_leaves).top;
  return s > t ? s : t;
}

/* ---------------------------------------------------------------------------------------------- notes */

/* Two words for two bodies: their numbers, and the level and one. */
static uint64_t word_of(body_pair bodies) {
  return (uint64_t)bodies.s << 32 | bodies.t;
}

void tree_note_entrance(search_notes *notes, uint32_t place, body_pair bodies, uint32_t level) {
  notes->words[2 * place] = word_of(bodies);
  notes->words[2 * place + 1] = level + 1;
}

uint32_t tree_entrance_level(const search_notes *notes, body_pair bodies, const entrance_trees *trees) {
  const uint32_t root = tree_entrance_root(trees);
  uint32_t level = root;
  for (uint32_t i = 0; i < ENTRANCE_PAIRS; i++) {
    const uint64_t noted = notes->words[2 * i + 1];
    if (noted > 0 && noted <= root && notes->words[2 * i] == word_of(bodies)) level = (uint32_t)noted - 1;
  }
  while (level < root && tree_entrance_blocks(trees, level) > ENTRANCE_BLOCKS) level++;
  return level;
}

uint32_t tree_next_entrance(const entrance_trees *trees, uint32_t begun, const uint64_t met[TREE_LEVELS]) {
  const uint32_t root = tree_entrance_root(trees);
  for (uint32_t level = 0; level <= begun; level++)
    if ((double)met[level] > ENTRANCE_SHARE * node_pairs_at(trees, level)) return level;
  return met[begun] > 0 && begun < root ? begun + 1 : root;
}
