/* Lists of trees; see tree_listing.h.
 *
 * Each body lists its leaves as members once. Those of a node are consecutive, so a node refers to its part. */
#include "broad/tree_listing.h"

#include "broad/structure_box.h"

/* The number of leaves below each node of a level except the last. */
static uint64_t leaves_below(uint32_t level) {
  return UINT64_C(1) << 2 * level;
}
static size_t nodes_of_level(const tree_body *body, uint32_t level) {
  return (size_t)((body->leaf_count + leaves_below(level) - 1) / leaves_below(level));
}

/* The box of a lane in the coordinates of the object. The rounding error of the difference is less than what
 * set_tree_side adds. */
static exact_box box_of_lane(const tree_block *block, uint32_t lane, const body_space *space) {
  exact_box box;
  for (int axis = 0; axis < 3; axis++) {
    const double center = block->center[axis][lane], half = block->half[axis][lane], scale = 1.0 / space->unit;
    box.min[axis] = unscaled(space->origin[axis], center - half, scale);
    box.max[axis] = unscaled(space->origin[axis], center + half, scale);
  }
  return box;
}

static void add_level(const tree_forest *forest, const tree_body *body, size_t first_member, uint32_t level,
                      structure_list *list) {
  const tree_layout layout = tree_layout_of(body->leaf_count);
  const tree_block *blocks = forest->blocks + body->first_block + layout.first[level];
  const size_t count = nodes_of_level(body, level), first_below = list->node_count + count;
  const bool has_below = level > 0 && structure_list_has_level(list, level - 1);
  for (size_t i = 0; i < count; i++) {
    const exact_box box = box_of_lane(&blocks[i / TREE_FANOUT], (uint32_t)(i % TREE_FANOUT), &body->space);
    graze_structure_node *node = structure_list_add(list, level, &box);
    const uint64_t first = i * leaves_below(level), left = body->leaf_count - first;
    node->object = body->object;
    node->first_member = first_member + first;
    node->member_count = left < leaves_below(level) ? left : leaves_below(level);
    if (!has_below) continue;
    const size_t below = nodes_of_level(body, level - 1) - TREE_FANOUT * i;
    node->first_child = first_below + TREE_FANOUT * i;
    node->child_count = below < TREE_FANOUT ? (uint32_t)below : TREE_FANOUT;
  }
}

static void add_body(const tree_forest *forest, const primitive_view *view, const tree_body *body,
                     structure_list *list) {
  const uint32_t *leaves = forest->leaves + body->first_leaf;
  const size_t first_member = list->member_count;
  if (list->members != NULL)
    for (size_t i = 0; i < body->leaf_count; i++)
      list->members[first_member + i].primitive = view->sources[body->object].first_primitive + leaves[i];
  for (uint32_t level = tree_layout_of(body->leaf_count).top + 1; level-- > 0;)
    if (structure_list_has_level(list, level)) add_level(forest, body, first_member, level, list);
  list->member_count += body->leaf_count;
}

graze_result tree_list(const tree_forest *forest, search *s, structure_list *list) {
  size_t nodes = 0, members = 0;
  for (size_t i = 0; i < forest->body_count; i++) {
    const tree_body *body = &forest->bodies[i];
    members += body->leaf_count;
    for (uint32_t level = 0; level <= tree_layout_of(body->leaf_count).top; level++) {
      const size_t count = nodes_of_level(body, level);
      structure_list_count(list, level, count);
      if (structure_list_has_level(list, level)) nodes += count;
    }
  }
  if (!structure_list_reserve(list, nodes, members)) return GRAZE_OUT_OF_MEMORY;
  for (size_t i = 0; i < forest->body_count && !stop_is_requested(s->stop); i++)
    add_body(forest, s->view, &forest->bodies[i], list);
  s->searched_count = members;
  return search_result(s);
}
