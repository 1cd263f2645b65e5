/* The stages of the method "tree": leaves as entries, relations of bodies, one level of a descent; and poses.
 *
 * A descent is breadth first: a list of pairs of blocks, each tested by sixteen threads, one per pair of nodes. Pairs
 * that meet go to the list of the next level, or from the lowest level to the candidates. As with all lists, counters
 * continue when a list is full, so that nothing is dropped: the query is repeated with larger lists.
 *
 * Workload: 10^2 to 10^6 pairs of blocks per level, at most 17 levels. */
#ifndef GRAZE_CUDA_STAGE_TREE_H
#define GRAZE_CUDA_STAGE_TREE_H

#include "broad/tree_node_test.h"
#include "cuda/stage_focus.h"
#include "cuda/stage_search.h"
#include "cuda/tree_view.h"

/* ---------------------------------------------------------------------------------------------- leaves, relations */

/* Writes a leaf as an entry, for filters and tests. */
GEOMETRY_FUNCTION void stage_tree_leaf(uint32_t leaf, const tree_view *v) {
  write_entry(&v->pairs, v->forest.leaves[leaf], leaf);
}

GEOMETRY_FUNCTION uint32_t device_tree_pairs(const tree_view *v) {
  return v->body_pairs[0].s;
}

GEOMETRY_FUNCTION void stage_tree_relate(uint32_t index, const tree_view *v) {
  const body_pair pair = v->body_pairs[index + 1];
  const tree_body *s = &v->forest.bodies[pair.s], *t = &v->forest.bodies[pair.t];
  related_trees related;
  related.itself = pair.s == pair.t ? 1 : 0;
  const posed_space *s_space = &v->forest.posed[pair.s], *t_space = &v->forest.posed[pair.t];
  const double clearance = v->pairs.query.clearance;
  posed_space grown[2];
  if (clearance > 0.0) {
    grown[0] = posed_space_grown(s_space, clearance);
    grown[1] = posed_space_grown(t_space, clearance);
    s_space = &grown[0];
    t_space = &grown[1];
  }
  if (v->pairs.query.candidates_only != 0 && (s_space->posed || t_space->posed))
    related.relation = relate_in_scene(s_space, t_space);
  else
    related.relation = pair.s == pair.t ? relate_to_itself(s_space) : relate_trees(s_space, t_space);
  related.s_layout = tree_layout_of(s->leaf_count);
  related.t_layout = tree_layout_of(t->leaf_count);
  related.s_block = s->first_block;
  related.t_block = t->first_block;
  related.s_leaf = s->first_leaf;
  related.t_leaf = t->first_leaf;
  related.same_object = s->object == t->object ? 1 : 0;
  related.with_slabs = s->has_slabs && t->has_slabs ? 1 : 0;
  v->related[index] = related;
  tree_entry root;
  root.pair = index;
  root.s = root.t = 0;
  root.level = related.s_layout.top > related.t_layout.top ? related.s_layout.top : related.t_layout.top;
  if (index < v->entry_capacity) v->entries[0][index] = root;
  if (index != 0) return;
  v->pairs.lists.totals->tree_entries[0] = device_tree_pairs(v);
  v->pairs.lists.totals->entry_count = v->forest.leaf_count;
}

/* ---------------------------------------------------------------------------------------------- one level */

/* The number of pairs of blocks, times the threads of each. */
GEOMETRY_FUNCTION uint32_t device_tree_count(const tree_view *v) {
  const uint64_t count = v->pairs.lists.totals->tree_entries[v->step], capacity = v->entry_capacity;
  return (uint32_t)(count < capacity ? count : capacity) * TREE_NODE_PAIRS;
}

GEOMETRY_FUNCTION void append_tree_entry(const tree_view *v, bool wants, tree_entry entry) {
  const uint32_t next = v->step + 1;
  const uint64_t place = device_append_long(&v->pairs.lists.totals->tree_entries[next], wants);
  if (wants && place < v->entry_capacity) v->entries[next % 2][place] = entry;
}

GEOMETRY_FUNCTION bool tree_entry_meets(const forest_view *forest, const related_trees *related, tree_entry entry,
                                        uint32_t i, uint32_t j) {
  const size_t s = (size_t)related->s_block + tree_child_block(&related->s_layout, entry.level, entry.s);
  const size_t t = (size_t)related->t_block + tree_child_block(&related->t_layout, entry.level, entry.t);
  if (related->itself != 0 && entry.s == entry.t && (i > j || (i == j && entry.level == 0))) return false;
  const bool slabs = related->with_slabs != 0;
  return tree_nodes_meet(&related->relation, forest->blocks + s, slabs ? forest->slabs + s : NULL, forest->blocks + t,
                         slabs ? forest->slabs + t : NULL, i, j);
}

GEOMETRY_FUNCTION tree_entry tree_child_of(const related_trees *related, tree_entry entry, uint32_t i, uint32_t j) {
  tree_entry child;
  child.pair = entry.pair;
  child.s = entry.level > related->s_layout.top ? 0 : TREE_FANOUT * entry.s + i;
  child.t = entry.level > related->t_layout.top ? 0 : TREE_FANOUT * entry.t + j;
  child.level = entry.level - 1;
  return child;
}

/* Two leaves as a pair of entries, the lower primitive's first. */
GEOMETRY_FUNCTION index_pair leaves_of(const tree_view *v, const related_trees *related, tree_entry entry, uint32_t i,
                                       uint32_t j) {
  const uint32_t s = related->s_leaf + TREE_FANOUT * entry.s + i, t = related->t_leaf + TREE_FANOUT * entry.t + j;
  const bool lower = v->forest.leaves[s] < v->forest.leaves[t];
  index_pair leaves;
  leaves.a = lower ? s : t;
  leaves.b = lower ? t : s;
  return leaves;
}

GEOMETRY_FUNCTION bool leaves_are_neighbors(const pair_view *v, index_pair leaves) {
  const primitive_header a = v->lists.entries[leaves.a].header, b = v->lists.entries[leaves.b].header;
  return are_neighbors(v, leaves.a, &a, leaves.b, &b);
}

/* Whether a leaf is in the query's box, by exact coordinates. */
GEOMETRY_FUNCTION bool leaf_is_in_box(const tree_view *v, uint32_t leaf) {
  const primitive_header header = v->pairs.lists.entries[leaf].header;
  const exact_box box = device_exact_box(&v->pairs.scene, &header, v->forest.leaves[leaf]);
  return exact_boxes_meet(&box, &v->pairs.query.focus->query.box);
}

/* An entry whose trees are less deep is kept until its level. */
GEOMETRY_FUNCTION void stage_tree_descend(uint32_t index, const tree_view *v) {
  const tree_entry entry = v->entries[v->step % 2][index / TREE_NODE_PAIRS];
  const uint32_t bit = index % TREE_NODE_PAIRS, i = bit / TREE_FANOUT, j = bit % TREE_FANOUT;
  const bool waits = entry.level < v->top - v->step;
  const related_trees *related = &v->related[entry.pair];
  const bool meets = !waits && tree_entry_meets(&v->forest, related, entry, i, j);
  const bool descends = meets && entry.level > 0;
  append_tree_entry(v, descends || (waits && bit == 0), descends ? tree_child_of(related, entry, i, j) : entry);
  bool candidate = meets && entry.level == 0, neighbors = false;
  index_pair leaves = {0, 0};
  if (candidate) {
    leaves = leaves_of(v, related, entry, i, j);
    if (v->pairs.query.focus != NULL && v->pairs.query.focus->query.in_box)
      candidate = leaf_is_in_box(v, leaves.a) && leaf_is_in_box(v, leaves.b);
    neighbors = candidate && v->pairs.query.skip_neighbors != 0 && related->same_object != 0 &&
                leaves_are_neighbors(&v->pairs, leaves);
    candidate = candidate && !neighbors;
  }
  append_entries(&v->pairs.lists, LIST_CANDIDATES, candidate, leaves);
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_BOX_TESTS, index), waits ? 0u : 1u);
  device_tally(device_tally_slot(&v->pairs.lists, TALLY_NEIGHBORS, index), neighbors ? 1u : 0u);
}

#endif
